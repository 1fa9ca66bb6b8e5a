//! The patch that two faces share: intersection polygon, gaps, areas, identifiers.
//!
//! Both faces are projected along the contact direction n onto a plane with axes (u, v). The incident face is clipped
//! by the sides of the reference face (Sutherland & Hodgman 1974), which keeps all vertices of the intersection. A
//! vertex has x, y in the plane and h, the height of the incident face above it along n; the gap is h − h_ref with
//! h_ref the height of the reference face, zero if n is its normal. Clipping has no tolerance, so areas are exact.
//! Three rules ensure that flush edges and rounding change neither the number nor the identifiers of nodes:
//!
//! - vertices closer than [`MERGE_LENGTH`] are merged, with the sum of the areas;
//! - vertices closer than [`MERGE_LENGTH`] to the line of their neighbours are dropped, and their area is distributed to the
//!   neighbours so that its centre is kept;
//! - a node near a vertex of a face is named after this vertex, whatever edges produced it.
//!
//! A patch narrower than [`MERGE_LENGTH`] is ignored: bricks that share only an edge do not support each other.

use glam::{DVec2, DVec3};

use crate::feature::{FeatureKind, name};
use crate::spatial::Polyhedron;

/// Nodes closer than this fraction of the smaller block's size are merged, narrower patches are ignored. Well above
/// rounding and the drift of blocks at rest, well below what moves a hinge.
pub const MERGE_LENGTH: f64 = 1e-7;

/// A node of a patch, in the plane's axes.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// (x, y, h) [m].
    pub at: DVec3,
    /// h − h_ref [m].
    pub gap: f64,
    /// Share of the overlap's area [m²].
    pub area: f64,
    /// Identifier of the pair of features.
    pub feature: u64,
}

/// Axes of the plane of a patch, in the reference body.
#[derive(Clone, Copy, Debug)]
pub(super) struct PatchPlane {
    /// A corner of the reference face.
    pub origin: DVec3,
    /// First axis.
    pub u: DVec3,
    /// Second axis.
    pub v: DVec3,
    /// Contact direction, out of the reference face.
    pub n: DVec3,
    /// The reference face is h = slope·(x, y).
    pub slope: DVec2,
}

/// Properties of a patch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    /// Axes.
    pub plane: PatchPlane,
    /// Smallest gap of its nodes [m].
    pub closest: f64,
    /// About the smaller of its two extents [m].
    pub width: f64,
}

/// One side of a contact: a face of a polyhedron with its vertices in the axes of the reference body.
#[derive(Clone, Copy)]
pub struct FaceView<'a> {
    /// The body.
    pub shape: &'a Polyhedron,
    /// All its vertices.
    pub vertices: &'a [DVec3],
    /// The face.
    pub face: usize,
}

impl FaceView<'_> {
    fn corner(&self, i: usize) -> DVec3 {
        self.vertices[self.shape.face(self.face)[i] as usize]
    }

    fn len(&self) -> usize {
        self.shape.face(self.face).len()
    }
}

/// Buffers that are reused for every pair.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    /// Nodes of the last patch, counter-clockwise about n.
    pub nodes: Vec<Node>,
    reference: Vec<DVec2>,
    incident: Vec<DVec3>,
    polygon: Vec<DVec3>,
    clipped: Vec<DVec3>,
    areas: Vec<f64>,
}

impl Workspace {
    /// Projects two faces along `n` and fills `nodes` with their overlap; none when it is empty or a sliver.
    ///
    /// `reference_normal` is the outward normal of the reference face, `candidate_is_reference` determines whose
    /// feature is first in identifiers, `size` is that of the smaller block [m].
    pub fn overlap(
        &mut self,
        reference: FaceView,
        reference_normal: DVec3,
        n: DVec3,
        incident: FaceView,
        candidate_is_reference: bool,
        size: f64,
    ) -> Option<Patch> {
        let plane = plane(reference, reference_normal, n);
        let flat = |p: DVec3| {
            let d = p - plane.origin;
            DVec3::new(plane.u.dot(d), plane.v.dot(d), n.dot(d))
        };
        self.reference.clear();
        self.reference.extend((0..reference.len()).map(|i| flat(reference.corner(i)).truncate()));
        // the incident face has the opposite normal: in reverse it is counter-clockwise
        self.incident.clear();
        self.incident.extend((0..incident.len()).rev().map(|i| flat(incident.corner(i))));
        self.clip();
        let area = shares(&self.polygon, &mut self.areas);
        let width = 2.0 * area / perimeter(&self.polygon).max(f64::MIN_POSITIVE);
        if self.polygon.len() < 3 || width <= MERGE_LENGTH * size {
            return None;
        }
        self.simplify(MERGE_LENGTH * size, plane.slope);
        self.name_nodes(reference, incident, candidate_is_reference, MERGE_LENGTH * size);
        let closest = self.nodes.iter().map(|node| node.gap).fold(f64::INFINITY, f64::min);
        Some(Patch { plane, closest, width })
    }

    /// Cuts the incident face by every side of the reference face.
    fn clip(&mut self) {
        self.polygon.clear();
        self.polygon.extend_from_slice(&self.incident);
        let sides = self.reference.len();
        for i in 0..sides {
            let start = self.reference[i];
            let along = (self.reference[(i + 1) % sides] - start).normalize_or_zero();
            let inside = |p: DVec3| along.perp_dot(p.truncate() - start);
            self.clipped.clear();
            let Some(&last) = self.polygon.last() else { return };
            let mut before = (last, inside(last));
            for &p in &self.polygon {
                let now = (p, inside(p));
                if (before.1 < 0.0) != (now.1 < 0.0) {
                    // always from the inner to the outer end, so that a shared edge is cut at a bit-identical point
                    let (inner, outer) = if now.1 < 0.0 { (before, now) } else { (now, before) };
                    let t = inner.1 / (inner.1 - outer.1);
                    let cut = inner.0 + (outer.0 - inner.0) * t;
                    self.clipped.push(cut);
                }
                if now.1 >= 0.0 {
                    self.clipped.push(p);
                }
                before = now;
            }
            std::mem::swap(&mut self.polygon, &mut self.clipped);
        }
    }

    /// Merges close nodes and drops nodes on straight sides; the total area is kept.
    fn simplify(&mut self, tolerance: f64, slope: DVec2) {
        self.nodes.clear();
        for (&at, &area) in self.polygon.iter().zip(&self.areas) {
            match self.nodes.last_mut() {
                Some(last) if last.at.distance(at) <= tolerance => last.area += area,
                _ => self.nodes.push(Node { at, gap: at.z - slope.dot(at.truncate()), area, feature: 0 }),
            }
        }
        // the ring closes
        while let [first, .., last] = &mut self.nodes[..]
            && first.at.distance(last.at) <= tolerance
        {
            first.area += last.area;
            self.nodes.pop();
        }
        let mut i = 0;
        while self.nodes.len() > 2 && i < self.nodes.len() {
            let n = self.nodes.len();
            let (before, after) = ((i + n - 1) % n, (i + 1) % n);
            let (a, p, b) = (self.nodes[before].at, self.nodes[i].at, self.nodes[after].at);
            let chord = b - a;
            let t = chord.dot(p - a) / chord.length_squared();
            if t > 0.0 && t < 1.0 && (p - a - chord * t).length() <= tolerance {
                let area = self.nodes[i].area;
                self.nodes[before].area += area * (1.0 - t);
                self.nodes[after].area += area * t;
                self.nodes.remove(i);
            } else {
                i += 1;
            }
        }
    }

    /// Sets the identifier of each node from the vertices or edges that form it, and starts the ring at the lowest
    /// identifier.
    fn name_nodes(&mut self, reference: FaceView, incident: FaceView, candidate_is_reference: bool, tolerance: f64) {
        let (reference_face, incident_face) = (reference.face as u32, incident.face as u32);
        for node in &mut self.nodes {
            let flat = node.at.truncate();
            let on_reference = self.reference.iter().position(|r| r.distance(flat) <= tolerance);
            // the projected incident face runs backwards
            let on_incident = self.incident.iter().position(|p| p.distance(node.at) <= tolerance);
            let on_incident = on_incident.map(|i| incident.len() - 1 - i);
            let reference_vertex = on_reference.map(|i| reference.shape.face(reference.face)[i]);
            let incident_vertex = on_incident.map(|i| incident.shape.face(incident.face)[i]);
            let (mine, others, my_face, other_face) = if candidate_is_reference {
                (reference_vertex, incident_vertex, reference_face, incident_face)
            } else {
                (incident_vertex, reference_vertex, incident_face, reference_face)
            };
            node.feature = if let Some(v) = mine {
                name(FeatureKind::VertexFace, v, other_face)
            } else if let Some(v) = others {
                name(FeatureKind::FaceVertex, my_face, v)
            } else {
                let r = reference.shape.face_edges(reference.face)[nearest_side(&self.reference, flat)];
                // side i of the reversed ring goes from corner len−1−i to corner len−2−i: edge len−2−i
                let i = nearest_side_3d(&self.incident, node.at);
                let e = incident.shape.face_edges(incident.face)[(2 * incident.len() - 2 - i) % incident.len()];
                if candidate_is_reference {
                    name(FeatureKind::EdgeEdge, r, e)
                } else {
                    name(FeatureKind::EdgeEdge, e, r)
                }
            };
        }
        let first = (0..self.nodes.len()).min_by_key(|&i| self.nodes[i].feature).unwrap_or(0);
        self.nodes.rotate_left(first);
    }
}

/// Axes with the first side of the reference face as u.
fn plane(reference: FaceView, reference_normal: DVec3, n: DVec3) -> PatchPlane {
    let origin = reference.corner(0);
    let side = reference.corner(1) - origin;
    let u = (side - n * n.dot(side)).normalize_or_zero();
    let v = n.cross(u);
    let slope = if n == reference_normal {
        DVec2::ZERO
    } else {
        -DVec2::new(reference_normal.dot(u), reference_normal.dot(v)) / reference_normal.dot(n)
    };
    PatchPlane { origin, u, v, n, slope }
}

/// Share of each vertex in the area of a convex polygon: half of its two triangles in the fan from the centroid.
/// Returns the sum.
pub fn shares(polygon: &[DVec3], areas: &mut Vec<f64>) -> f64 {
    areas.clear();
    let n = polygon.len();
    if n < 3 {
        areas.resize(n, 0.0);
        return 0.0;
    }
    let at = |i: usize| (polygon[i % n] - polygon[0]).truncate();
    // centroid from the triangles at the first vertex
    let (mut twice, mut first) = (0.0, DVec2::ZERO);
    for i in 1..n - 1 {
        let part = at(i).perp_dot(at(i + 1));
        twice += part;
        first += (at(i) + at(i + 1)) * part;
    }
    let centre = if twice > 0.0 { first / (3.0 * twice) } else { DVec2::ZERO };
    areas.resize(n, 0.0);
    for i in 0..n {
        let quarter = 0.25 * (at(i) - centre).perp_dot(at(i + 1) - centre);
        areas[i] += quarter;
        areas[(i + 1) % n] += quarter;
    }
    0.5 * twice
}

fn perimeter(polygon: &[DVec3]) -> f64 {
    let n = polygon.len();
    (0..n).map(|i| (polygon[(i + 1) % n] - polygon[i]).truncate().length()).sum()
}

/// Index of the side of a ring that is closest to a point.
fn nearest_side(ring: &[DVec2], p: DVec2) -> usize {
    let n = ring.len();
    least(n, |i| {
        let along = ring[(i + 1) % n] - ring[i];
        let t = ((p - ring[i]).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        (p - ring[i] - along * t).length_squared()
    })
}

fn nearest_side_3d(ring: &[DVec3], p: DVec3) -> usize {
    let n = ring.len();
    least(n, |i| {
        let along = ring[(i + 1) % n] - ring[i];
        let t = ((p - ring[i]).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        (p - ring[i] - along * t).length_squared()
    })
}

/// The index with the smallest value, the first of equals.
fn least(n: usize, value: impl Fn(usize) -> f64) -> usize {
    let mut best = (0, f64::INFINITY);
    for i in 0..n {
        let v = value(i);
        if v < best.1 {
            best = (i, v);
        }
    }
    best.0
}
