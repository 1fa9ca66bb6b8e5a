//! Convex polygons: checks, repairs, mass.
//!
//! Vertices run counter-clockwise; side `i` goes from vertex `i` to vertex `i + 1` and has the unit
//! outward normal `normals[i]` and the offset `offsets[i]`, so that the polygon is
//! { x : nᵢ·x ≤ dᵢ for all i }.

use glam::DVec2;

use super::decompose::{check_simple, convex_parts};
use super::holes::parts_with_holes;
use crate::error::{Repair, ShapeError, check_size};
use crate::lazy::Lazy;
use crate::pose::Pose;
use crate::solid::MassProperties;
use crate::space::D2;

/// Vertices closer than this fraction of the size are joined; corners flatter than it are dropped.
const MERGE_DISTANCE: f64 = 1e-9;
/// A corner may turn the wrong way by this fraction of the size.
const CONVEX_TOLERANCE: f64 = 1e-6;
/// Margin of a swept shape in units of its size.
const MARGIN: f64 = 1e-3;
/// Smallest area in units of size².
const LEAST_AREA: f64 = 1e-9;

/// A convex polygon with at least three sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    vertices: Vec<DVec2>,
    normals: Vec<DVec2>,
    offsets: Vec<f64>,
    centre: DVec2,
    radius: f64,
    hidden: Hidden,
    core: Lazy<(Self, f64)>,
}

/// Hidden sides and corners of a part of a compound. Empty lists: none.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Hidden {
    /// Sides that other parts cover.
    pub sides: Vec<bool>,
    /// Vertices at which the compound has no corner that sticks out.
    pub vertices: Vec<bool>,
}

impl Polygon {
    /// Checks an outline and repairs small errors.
    pub fn new(outline: &[DVec2]) -> Result<(Self, Vec<Repair>), ShapeError> {
        let (loop_, repairs) = clean(outline)?;
        check_convex(&loop_, CONVEX_TOLERANCE * extent(outline))?;
        Ok((Self::from_convex(loop_.into_iter().map(|v| v.1).collect()), repairs))
    }

    /// The same for an outline that need not be convex: it is cut into convex parts.
    pub fn parts(outline: &[DVec2]) -> Result<(Vec<Self>, Vec<Repair>), ShapeError> {
        let (loop_, mut repairs) = clean(outline)?;
        let size = extent(outline);
        let points: Vec<DVec2> = loop_.iter().map(|v| v.1).collect();
        match check_convex(&loop_, CONVEX_TOLERANCE * size) {
            Ok(()) => Ok((vec![Self::from_convex(points)], repairs)),
            Err(ShapeError::NotConvex { .. } | ShapeError::SelfCrossing { .. }) => {
                let parts = convex_parts(&points, MERGE_DISTANCE * size).map_err(|error| of_input(error, &loop_))?;
                repairs.push(Repair::CutIntoParts { parts: parts.len() });
                let part = |indices: Vec<usize>| {
                    let mut loop_: Vec<(usize, DVec2)> = indices.into_iter().map(|i| (i, points[i])).collect();
                    drop_collinear(&mut loop_, MERGE_DISTANCE * size);
                    Self::from_convex(loop_.into_iter().map(|v| v.1).collect())
                };
                Ok((parts.into_iter().map(part).collect(), repairs))
            }
            Err(error) => Err(error),
        }
    }

    /// Convex parts of an outline with holes.
    pub fn parts_around(outline: &[DVec2], holes: &[Vec<DVec2>]) -> Result<(Vec<Self>, Vec<Repair>), ShapeError> {
        let (loop_, mut repairs) = clean(outline)?;
        let size = extent(outline);
        let points = |loop_: &Loop| loop_.iter().map(|v| v.1).collect::<Vec<DVec2>>();
        let mut loops = vec![points(&loop_)];
        check_simple(&loops[0]).map_err(|error| of_input(error, &loop_))?;
        for (hole, own) in holes.iter().enumerate() {
            let within = |fault: ShapeError| ShapeError::Hole { hole, fault: Box::new(fault) };
            let (loop_, _) = clean(own).map_err(within)?;
            let mut own = points(&loop_);
            check_simple(&own).map_err(|error| within(of_input(error, &loop_)))?;
            own.reverse();
            loops.push(own);
        }
        let parts = parts_with_holes(&loops, MERGE_DISTANCE * size)?;
        repairs.push(Repair::CutIntoParts { parts: parts.len() });
        let all: Vec<DVec2> = loops.into_iter().flatten().collect();
        let part = |indices: Vec<usize>| {
            let mut loop_: Loop = indices.into_iter().map(|i| (i, all[i])).collect();
            drop_collinear(&mut loop_, MERGE_DISTANCE * size);
            Self::from_convex(loop_.into_iter().map(|v| v.1).collect())
        };
        Ok((parts.into_iter().map(part).collect(), repairs))
    }

    /// From vertices that are known to be convex and counter-clockwise.
    pub(crate) fn from_convex(vertices: Vec<DVec2>) -> Self {
        let n = vertices.len();
        // divided, not multiplied by the inverse: normals along an axis come out exact
        let outward = |side: DVec2| -side.perp() / side.length();
        let normals = (0..n).map(|i| outward(vertices[(i + 1) % n] - vertices[i])).collect();
        let mut shape = Self {
            vertices,
            normals,
            offsets: Vec::new(),
            centre: DVec2::ZERO,
            radius: 0.0,
            hidden: Hidden::default(),
            core: Lazy::default(),
        };
        shape.locate();
        shape
    }

    /// Offsets and the circle around the polygon, from the vertices and normals.
    fn locate(&mut self) {
        // the supporting line, so that rounding never leaves an end of the side outside
        let support = |i: usize| self.side(i).map(|v| self.normals[i].dot(v));
        self.offsets = (0..self.vertices.len()).map(|i| support(i)[0].max(support(i)[1])).collect();
        let low = self.vertices.iter().copied().fold(DVec2::INFINITY, DVec2::min);
        let high = self.vertices.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
        self.centre = low.midpoint(high);
        self.radius = self.vertices.iter().map(|v| v.distance(self.centre)).fold(0.0, f64::max);
    }

    /// Moved and rotated; without a rotation the normals are bit-identical.
    pub(crate) fn moved(&self, pose: &Pose<D2>) -> Self {
        let mut moved = Self { core: Lazy::default(), ..self.clone() };
        moved.vertices.iter_mut().for_each(|v| *v = pose.point(*v));
        moved.normals.iter_mut().for_each(|n| *n = pose.direction(*n));
        moved.locate();
        moved
    }

    /// The corners, counter-clockwise [m].
    pub fn vertices(&self) -> &[DVec2] {
        &self.vertices
    }

    /// The polygon shrunk by a margin, and the margin [m]; computed on first use.
    pub(crate) fn core(&self) -> &(Self, f64) {
        self.core.get_or_make(|| {
            // the nearest side bounds the margin
            let inner = self.mass_properties().centroid;
            let room =
                self.normals.iter().zip(&self.offsets).map(|(n, d)| d - n.dot(inner)).fold(f64::INFINITY, f64::min);
            let margin = (MARGIN * 2.0 * self.radius).min(0.25 * room);
            let mut core = self.vertices.clone();
            for (n, d) in self.normals.iter().zip(&self.offsets) {
                core = cut(&core, *n, d - margin);
            }
            // cutting moves the start of the ring: side 0 is again the one with the first normal
            let n = core.len();
            let facing = |i: usize| -self.normals[0].perp_dot((core[(i + 1) % n] - core[i]).normalize_or_zero()).abs();
            let toward = |i: usize| self.normals[0].dot(core[i].midpoint(core[(i + 1) % n]));
            let first = (0..n).max_by(|&i, &j| {
                (facing(i), toward(i)).partial_cmp(&(facing(j), toward(j))).unwrap_or(std::cmp::Ordering::Equal)
            });
            core.rotate_left(first.unwrap_or(0));
            let mut core = Self::from_convex(core);
            // sides keep their number as long as none vanishes
            if core.vertices.len() == self.vertices.len() {
                core.hidden = self.hidden.clone();
            }
            (core, margin)
        })
    }

    /// Sets the hidden sides of this part of a compound.
    pub(crate) fn set_hidden(&mut self, hidden: Hidden) {
        self.hidden = hidden;
    }

    /// True for a side that lies inside the compound this is a part of.
    pub fn is_hidden(&self, side: usize) -> bool {
        self.hidden.sides.get(side).copied().unwrap_or(false)
    }

    /// True for a vertex at which the compound this is a part of is flat or hollow.
    pub fn is_hidden_vertex(&self, vertex: usize) -> bool {
        self.hidden.vertices.get(vertex).copied().unwrap_or(false)
    }

    /// Unit outward normals; side `i` starts at vertex `i`.
    pub fn normals(&self) -> &[DVec2] {
        &self.normals
    }

    /// Offsets dᵢ of the sides: nᵢ·x ≤ dᵢ inside [m].
    pub fn offsets(&self) -> &[f64] {
        &self.offsets
    }

    /// The two ends of side `i`.
    pub fn side(&self, i: usize) -> [DVec2; 2] {
        [self.vertices[i], self.vertices[(i + 1) % self.vertices.len()]]
    }

    /// Centre of a circle around the polygon.
    pub fn centre(&self) -> DVec2 {
        self.centre
    }

    /// Radius of a circle around the polygon [m].
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Area, centroid, polar moment ∫|x − c|² dA.
    pub fn mass_properties(&self) -> MassProperties<D2> {
        let n = self.vertices.len();
        let (mut area, mut first, mut polar) = (0.0, DVec2::ZERO, 0.0);
        // triangles from the centre of the box: no cancellation far from the origin
        for i in 0..n {
            let (a, b) = (self.vertices[i] - self.centre, self.vertices[(i + 1) % n] - self.centre);
            let part = 0.5 * a.perp_dot(b);
            area += part;
            first += (a + b) * (part / 3.0);
            polar += part / 6.0 * (a.dot(a) + a.dot(b) + b.dot(b));
        }
        let c = first / area;
        MassProperties { volume: area, centroid: self.centre + c, inertia: polar - area * c.length_squared() }
    }
}

/// Vertices with their input index.
type Loop = Vec<(usize, DVec2)>;

/// An error with the indices that the input has.
fn of_input(error: ShapeError, loop_: &Loop) -> ShapeError {
    match error {
        ShapeError::SidesCross { first, second } => {
            // a loop that was turned round has the later end of each side first
            let turned = loop_.windows(2).filter(|pair| pair[0].0 > pair[1].0).count() > 1;
            let of = |side: usize| loop_[(side + usize::from(turned)) % loop_.len()].0;
            let (first, second) = (of(first), of(second));
            ShapeError::SidesCross { first: first.min(second), second: first.max(second) }
        }
        other => other,
    }
}

/// Finite, with an area, counter-clockwise, without doubles and vertices on straight sides.
fn clean(outline: &[DVec2]) -> Result<(Loop, Vec<Repair>), ShapeError> {
    if let Some(vertex) = outline.iter().position(|p| !p.is_finite()) {
        return Err(ShapeError::NotFinite { vertex });
    }
    if outline.len() < 3 {
        return Err(ShapeError::TooFew { what: "vertices", count: outline.len(), needed: 3 });
    }
    let size = extent(outline);
    check_size(size)?;
    let mut repairs = Vec::new();
    // keep the input index of every vertex for messages
    let mut loop_: Vec<(usize, DVec2)> = outline.iter().copied().enumerate().collect();
    let count = loop_.len();
    join_duplicates(&mut loop_, MERGE_DISTANCE * size);
    if loop_.len() < count {
        repairs.push(Repair::DuplicateVertices { count: count - loop_.len() });
    }
    if loop_.len() < 3 {
        return Err(ShapeError::TooFew { what: "vertices", count: loop_.len(), needed: 3 });
    }
    let points: Vec<DVec2> = loop_.iter().map(|v| v.1).collect();
    let area = signed_area(&points);
    if area.abs() < LEAST_AREA * size * size {
        return Err(ShapeError::ZeroVolume { volume: area.abs(), size });
    }
    if area < 0.0 {
        loop_.reverse();
        repairs.push(Repair::Clockwise);
    }
    let count = loop_.len();
    let off = drop_collinear(&mut loop_, MERGE_DISTANCE * size);
    if loop_.len() < count {
        repairs.push(Repair::CollinearVertices { count: count - loop_.len(), off });
    }
    Ok((loop_, repairs))
}

/// The part of a convex outline below a line.
fn cut(outline: &[DVec2], n: DVec2, offset: f64) -> Vec<DVec2> {
    let mut kept = Vec::with_capacity(outline.len() + 1);
    for (i, &p) in outline.iter().enumerate() {
        let q = outline[(i + 1) % outline.len()];
        let (here, there) = (n.dot(p) - offset, n.dot(q) - offset);
        if here <= 0.0 {
            kept.push(p);
        }
        if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
            kept.push(p + (q - p) * (here / (here - there)));
        }
    }
    kept
}

/// Diagonal of the box around the points [m].
pub(crate) fn extent(points: &[DVec2]) -> f64 {
    let low = points.iter().copied().fold(DVec2::INFINITY, DVec2::min);
    let high = points.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
    (high - low).length()
}

/// Area of a closed outline, positive when counter-clockwise.
fn signed_area(points: &[DVec2]) -> f64 {
    let origin = points[0];
    (1..points.len() - 1).map(|i| 0.5 * (points[i] - origin).perp_dot(points[i + 1] - origin)).sum()
}

/// Drops vertices at the place of their predecessor.
fn join_duplicates(outline: &mut Loop, tolerance: f64) {
    outline.dedup_by(|b, a| a.1.distance(b.1) <= tolerance);
    while outline.len() > 1 && outline[0].1.distance(outline[outline.len() - 1].1) <= tolerance {
        outline.pop();
    }
}

/// Drops vertices on the straight line between their neighbours; returns how far the worst of them was off [m].
fn drop_collinear(outline: &mut Loop, tolerance: f64) -> f64 {
    let (mut i, mut worst) = (0, 0.0f64);
    while outline.len() > 3 && i < outline.len() {
        let n = outline.len();
        let (a, p, b) = (outline[(i + n - 1) % n].1, outline[i].1, outline[(i + 1) % n].1);
        let chord = b - a;
        let off = chord.perp_dot(p - a).abs() / chord.length().max(f64::MIN_POSITIVE);
        let between = chord.dot(p - a) > 0.0 && chord.dot(p - b) < 0.0;
        if off <= tolerance && between {
            outline.remove(i);
            worst = worst.max(off);
        } else {
            i += 1;
        }
    }
    worst
}

/// Every corner turns left and the whole turn is once round.
fn check_convex(outline: &[(usize, DVec2)], tolerance: f64) -> Result<(), ShapeError> {
    let n = outline.len();
    let mut turn = 0.0;
    for i in 0..n {
        let (a, b, c) = (outline[i], outline[(i + 1) % n], outline[(i + 2) % n]);
        let (first, second) = (b.1 - a.1, c.1 - b.1);
        turn += first.perp_dot(second).atan2(first.dot(second));
        // the third vertex must lie to the left of the side
        let off = -first.perp_dot(second) / first.length();
        if off > tolerance {
            return Err(ShapeError::NotConvex { face: a.0, vertex: c.0, off });
        }
    }
    if (turn - std::f64::consts::TAU).abs() > 1e-3 {
        return Err(ShapeError::SelfCrossing { face: 0 });
    }
    Ok(())
}
