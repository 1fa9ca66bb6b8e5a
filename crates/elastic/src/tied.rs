//! Blocks of several convex cells that are tied at their common faces.
//!
//! The meshes of neighbouring cells do not match. On the common polygon of two faces there are contact coordinates
//! ([`crate::interface`]) of either side, z_a and z_b, with the areas A_c. Springs tie them:
//!
//! ```text
//! energy ½ Σ_c k A_c |z_a,c − z_b,c|²,   k = κ C/s
//! ```
//! with the largest entry C of the elasticity matrix [Pa], the size s of the largest elements at common polygons [m],
//! and κ = 1e4: one stiffness for the whole block, so that cells around an edge yield alike under a uniform stress. The
//! coordinates pass uniform and linear tractions exactly; the springs yield by 1/κ of what the elements beside them do.
//! Two meshes that match are tied at as many coordinates as the polygon has cells of elements, so that nothing locks.

use crate::clip::half;
use crate::error::ElasticError;
use crate::interface::{CoordinateMode, coordinates};
use crate::mesh::{FiniteElement, FiniteMesh, SurfaceFace};
use crate::operator::PointWeights;
use crate::surface::{BlockSurface, SurfacePlane, cross, dot, minus, unit};

/// κ: stiffness of ties relative to that of elements.
pub(crate) const STIFF: f64 = 1e4;

/// Faces at most this far apart are common, relative to the size of the smaller cell.
const NEAR: f64 = 1e-6;

/// Smaller common polygons are not tied, relative to the square of the size of the smaller cell (plane: the size).
const SMALL: f64 = 1e-6;

/// Most divisions of a common polygon along its side.
const MOST: f64 = 8.0;

/// A spring between two cells, the same in all directions.
#[derive(Clone, Debug, PartialEq)]
pub struct CellTie {
    /// Weights of the points of the mesh in the jump of displacements: one side positive, the other negative.
    pub jump: PointWeights,
    /// A_c/s: area over the size of elements [m], in the plane without unit.
    pub share: f64,
}

/// A mesh of several cells.
#[derive(Clone, Debug, PartialEq)]
pub struct TiedMesh<const D: usize> {
    /// All cells.
    pub mesh: FiniteMesh<D>,
    /// Ties between cells.
    pub ties: Vec<CellTie>,
    /// Faces of the surface that no other cell covers.
    pub outer: Vec<SurfaceFace>,
}

/// A polygon within a plane with its axes.
struct Covered<const D: usize> {
    normal: [f64; D],
    offset: f64,
    axes: [[f64; D]; 2],
    corners: Vec<[f64; 2]>,
}

impl<const D: usize> TiedMesh<D> {
    /// One mesh without ties.
    pub fn single(mesh: FiniteMesh<D>) -> Result<Self, ElasticError> {
        mesh.check()?;
        Ok(Self { outer: mesh.surface(), mesh, ties: Vec::new() })
    }

    /// Ties the meshes of convex cells in one set of axes. All cells must be connected.
    pub fn new(cells: Vec<FiniteMesh<D>>) -> Result<Self, ElasticError> {
        if cells.len() < 2 {
            return Self::single(cells.into_iter().next().unwrap_or_else(empty));
        }
        let surfaces: Vec<BlockSurface<D>> = cells.iter().map(BlockSurface::new).collect();
        let firsts: Vec<u32> = cells
            .iter()
            .scan(0, |sum, cell| {
                let first = *sum;
                *sum += cell.points.len() as u32;
                Some(first)
            })
            .collect();
        let (mut ties, mut covered): (Vec<CellTie>, Vec<Vec<Covered<D>>>) =
            (Vec::new(), cells.iter().map(|_| Vec::new()).collect());
        let mut group: Vec<usize> = (0..cells.len()).collect();
        let mut size = 0.0;
        for a in 0..cells.len() {
            for b in a + 1..cells.len() {
                let near = NEAR * surfaces[a].size().min(surfaces[b].size());
                for one in &surfaces[a].planes {
                    for other in surfaces[b].planes.iter().filter(|other| meet(one, other, near)) {
                        let Some(common) = Common::new(one, other, surfaces[a].size().min(surfaces[b].size())) else {
                            continue;
                        };
                        let sides = [(&surfaces[a], one, firsts[a]), (&surfaces[b], other, firsts[b])];
                        ties.extend(common.ties(sides, near)?);
                        size = common.size.max(size);
                        covered[a].push(common.covered(one));
                        covered[b].push(common.covered(other));
                        let (old, new) = (group[b], group[a]);
                        group.iter_mut().filter(|own| **own == old).for_each(|own| *own = new);
                    }
                }
            }
        }
        ties.iter_mut().for_each(|tie| tie.share /= size);
        if group.iter().any(|&own| own != group[0]) {
            return Err(ElasticError::Shape { why: "its convex parts are not connected by common faces" });
        }
        Ok(joined(cells, &firsts, ties, &covered))
    }
}

fn empty<const D: usize>() -> FiniteMesh<D> {
    FiniteMesh { points: Vec::new(), elements: Vec::new() }
}

/// All cells as one mesh.
fn joined<const D: usize>(
    cells: Vec<FiniteMesh<D>>,
    firsts: &[u32],
    ties: Vec<CellTie>,
    covered: &[Vec<Covered<D>>],
) -> TiedMesh<D> {
    let (mut mesh, mut outer) = (empty(), Vec::new());
    for ((cell, &first), covered) in cells.into_iter().zip(firsts).zip(covered) {
        let shifted = |points: &[u32]| points.iter().map(|p| p + first).collect();
        let start = mesh.elements.len() as u32;
        for face in cell.surface() {
            let places: Vec<[f64; D]> =
                face.points[..face.kind.corners()].iter().map(|&p| cell.points[p as usize]).collect();
            let middle =
                std::array::from_fn(|c| places.iter().map(|place| place[c]).sum::<f64>() / places.len() as f64);
            let normal = crate::surface::normal(&places, face.kind.corners());
            if !covered.iter().any(|covered| covered.hides(&middle, &normal)) {
                let points = shifted(&face.points);
                outer.push(SurfaceFace { kind: face.kind, points, element: face.element + start });
            }
        }
        mesh.elements.extend(
            cell.elements.iter().map(|element| FiniteElement { kind: element.kind, points: shifted(&element.points) }),
        );
        mesh.points.extend(cell.points);
    }
    TiedMesh { mesh, ties, outer }
}

/// True if two planes coincide and have opposite normals.
fn meet<const D: usize>(one: &SurfacePlane<D>, other: &SurfacePlane<D>, near: f64) -> bool {
    let sum: [f64; D] = std::array::from_fn(|c| one.normal[c] + other.normal[c]);
    dot(&sum, &sum) < 1e-10 && (one.offset + other.offset).abs() <= near
}

/// The common part of two faces of cells.
struct Common<const D: usize> {
    axes: [[f64; D]; 2],
    corners: Vec<[f64; 2]>,
    /// Corners in space.
    places: Vec<[f64; D]>,
    mode: CoordinateMode,
    /// Size of the larger elements [m].
    size: f64,
}

impl<const D: usize> Common<D> {
    fn new(one: &SurfacePlane<D>, other: &SurfacePlane<D>, smaller: f64) -> Option<Self> {
        let first = unit(minus(&one.faces[0].places[1], &one.faces[0].places[0]));
        let second: [f64; D] = if D == 2 {
            [0.0; D]
        } else {
            let axis = cross(&one.normal, &first);
            std::array::from_fn(|c| axis[c])
        };
        let axes = [first, second];
        let outline = |plane: &SurfacePlane<D>| hull(flat(&axes, plane), D);
        let (own, its) = (outline(one), outline(other));
        let corners = if D == 2 {
            let (low, high) = (own[0][0].max(its[0][0]), own[1][0].min(its[1][0]));
            vec![[low, 0.0], [high, 0.0]]
        } else {
            clip(own, &its)
        };
        let area = measure(&corners, D);
        if corners.len() < D || area.is_nan() || area <= SMALL * smaller.powi(D as i32 - 1) {
            return None;
        }
        let place = |at: &[f64; 2]| -> [f64; D] {
            std::array::from_fn(|c| one.offset * one.normal[c] + at[0] * first[c] + at[1] * second[c])
        };
        let places: Vec<[f64; D]> = corners.iter().map(place).collect();
        let root = |x: f64| if D == 2 { x } else { x.sqrt() };
        let size =
            [one, other].map(|plane| root(plane.area() / plane.faces.len() as f64)).into_iter().fold(0.0, f64::max);
        // of elements of the larger size, rounded: two meshes that match have as many coordinates as points
        let cells = (root(area) / size).round().clamp(1.0, MOST) as usize;
        let mode = match CoordinateMode::grid(&places, cells) {
            // triangles around the centre: twice as many coordinates along a side
            CoordinateMode::Grid(_) if D == 3 => CoordinateMode::Grid(cells.div_ceil(2)),
            mode => mode,
        };
        Some(Self { axes, corners, places, mode, size })
    }

    fn ties(
        &self,
        sides: [(&BlockSurface<D>, &SurfacePlane<D>, u32); 2],
        near: f64,
    ) -> Result<Vec<CellTie>, ElasticError> {
        let uncovered = ElasticError::Shape { why: "the common face of two of its convex parts cannot be tied" };
        let [one, other] = sides.map(|(surface, plane, first)| {
            let found = coordinates(surface, &self.places, &plane.normal, 2.0 * near, self.mode);
            found.map(|found| (found, first))
        });
        let (Some((one, first)), Some((other, second))) = (one, other) else { return Err(uncovered) };
        let tie = |(a, b): (&crate::ContactCoordinate<D>, &crate::ContactCoordinate<D>)| {
            let own = a.weights.iter().map(|&(point, w)| (point + first, w));
            let its = b.weights.iter().map(|&(point, w)| (point + second, -w));
            CellTie { jump: own.chain(its).collect(), share: a.area }
        };
        Ok(one.iter().zip(&other).map(tie).collect())
    }

    fn covered(&self, plane: &SurfacePlane<D>) -> Covered<D> {
        Covered { normal: plane.normal, offset: plane.offset, axes: self.axes, corners: self.corners.clone() }
    }
}

impl<const D: usize> Covered<D> {
    /// True for a face with this middle and this outward normal.
    fn hides(&self, middle: &[f64; D], normal: &[f64; D]) -> bool {
        let extent = self.corners.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
        if dot(&self.normal, normal) < 0.99 || (dot(&self.normal, middle) - self.offset).abs() > 1e-5 * (1.0 + extent) {
            return false;
        }
        let at = [dot(&self.axes[0], middle), dot(&self.axes[1], middle)];
        if D == 2 {
            return at[0] >= self.corners[0][0] && at[0] <= self.corners[1][0];
        }
        let n = self.corners.len();
        (0..n).all(|k| turn(self.corners[k], self.corners[(k + 1) % n], at) >= 0.0)
    }
}

/// Corners of the faces of a plane in two axes.
fn flat<const D: usize>(axes: &[[f64; D]; 2], plane: &SurfacePlane<D>) -> Vec<[f64; 2]> {
    let corners = plane.faces.iter().flat_map(|face| &face.places[..face.kind.corners()]);
    corners.map(|place| [dot(&axes[0], place), dot(&axes[1], place)]).collect()
}

/// Twice the area of a triangle, positive anticlockwise.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Area of a polygon; in the plane the length of a segment.
fn measure(corners: &[[f64; 2]], dim: usize) -> f64 {
    match corners {
        [] => 0.0,
        [a, .., b] if dim == 2 => b[0] - a[0],
        [a, rest @ ..] => rest.windows(2).map(|w| 0.5 * turn(*a, w[0], w[1])).sum(),
    }
}

/// Convex hull, anticlockwise, without corners on straight sides (Andrew 1979); in the plane the ends.
fn hull(mut points: Vec<[f64; 2]>, dim: usize) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    if dim == 2 {
        return vec![points[0], points[points.len() - 1]];
    }
    let extent = points[points.len() - 1][0] - points[0][0];
    let straight = 1e-10 * extent * extent;
    let chain = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut side: Vec<[f64; 2]> = Vec::new();
        for point in points {
            while side.len() > 1 && turn(side[side.len() - 2], side[side.len() - 1], point) <= straight {
                side.pop();
            }
            side.push(point);
        }
        side.pop();
        side
    };
    let mut below = chain(&mut points.iter().copied());
    below.extend(chain(&mut points.iter().rev().copied()));
    below
}

/// The part of a convex polygon within another one, both anticlockwise.
fn clip(mut polygon: Vec<[f64; 2]>, within: &[[f64; 2]]) -> Vec<[f64; 2]> {
    for k in 0..within.len() {
        let (a, b) = (within[k], within[(k + 1) % within.len()]);
        // points on the line, up to rounding errors, are kept unchanged
        let band = 1e-12 * ((b[0] - a[0]).powi(2) + (b[1] - a[1]).powi(2));
        let side = |p: [f64; 2]| {
            let height = turn(a, b, p);
            if height.abs() <= band { 0.0 } else { height }
        };
        polygon = half(&polygon, side);
    }
    polygon
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hulls_and_clips_of_squares() {
        let square = |x: f64| vec![[x, 0.0], [x + 1.0, 0.0], [x + 0.5, 0.0], [x + 1.0, 1.0], [x, 1.0], [x + 0.3, 0.4]];
        let own = hull(square(0.0), 3);
        assert_eq!(own.len(), 4);
        let common = clip(own, &hull(square(0.25), 3));
        assert!((measure(&common, 3) - 0.75).abs() < 1e-12);
        assert!(measure(&clip(hull(square(0.0), 3), &hull(square(2.0), 3)), 3).abs() < 1e-12);
    }
}
