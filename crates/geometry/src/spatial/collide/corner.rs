//! Corners that pass each other: closest points of two separated bodies whose distance is not realised by a face or a
//! pair of crossing edges. The closest features are then vertices and edges, and the normal is the line between the
//! closest points.
//!
//! These points prevent rotating blocks from penetrating each other corner first. Flush bricks (a brick that slides
//! along a course towards the next one) must not have such contacts: a corner is used only if it is outside the faces
//! of the other body by more than [`LEAST_OFFSET`].

use glam::DVec3;

use super::edges::NearEdges;
use crate::spatial::Polyhedron;

/// How far a corner must lie beside the faces of the other body, as a share of the size of the smaller.
pub const LEAST_OFFSET: f64 = 1e-4;
/// Edges whose directions differ by less than this sine run side by side and meet in two points.
const SIDE_BY_SIDE: f64 = 1e-3;
/// Distances that differ by less than this fraction of the limit tie; so long must a stretch be, as a share of its
/// edge.
const EQUAL_DISTANCE: f64 = 1e-9;

/// Closest edges of two bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClosestEdges {
    /// Edge of A.
    pub a: usize,
    /// Edge of B.
    pub b: usize,
    /// Place of the closest point along the edge of A, 0 … 1.
    pub s: f64,
    /// Place of the closest point along the edge of B, 0 … 1.
    pub t: f64,
    /// Distance [m].
    pub distance: f64,
    /// Stretch of the edge of A beside that of B when they run side by side, 0 … 1.
    pub beside: Option<[f64; 2]>,
}

/// An edge as a foot and a vector.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeLine {
    /// Where it starts.
    pub foot: DVec3,
    /// From its start to its end.
    pub along: DVec3,
}

impl EdgeLine {
    /// Edge `i` of a body with its vertices in some axes.
    pub fn of(shape: &Polyhedron, vertices: &[DVec3], i: usize) -> Self {
        let [start, end] = shape.edges()[i].vertices.map(|v| vertices[v as usize]);
        Self { foot: start, along: end - start }
    }

    /// The point at `s`.
    pub fn at(&self, s: f64) -> DVec3 {
        self.foot + self.along * s
    }

    /// Place of the closest point to `p`.
    pub fn closest(&self, p: DVec3) -> f64 {
        (self.along.dot(p - self.foot) / self.along.length_squared()).clamp(0.0, 1.0)
    }
}

/// The closest of the near edges of two bodies that are separated by `parted` along a plane normal, if closer than
/// `limit` and not flush: their closest points lie beside each other by more than `flush`. All in the axes of A.
pub fn closest_edges(
    a: &Polyhedron,
    b: &Polyhedron,
    vertices_b: &[DVec3],
    near: &NearEdges,
    limit: f64,
    [parted, flush]: [f64; 2],
) -> Option<ClosestEdges> {
    let mut best: Option<ClosestEdges> = None;
    for &i in &near.a {
        let edge_a = EdgeLine::of(a, a.vertices(), i as usize);
        for &j in &near.b {
            let edge_b = EdgeLine::of(b, vertices_b, j as usize);
            let corner = closest_points(i as usize, edge_a, j as usize, edge_b);
            if corner.distance > limit {
                continue;
            }
            // if one pair within the limit is flush, the closest pair is flush as well
            if corner.distance * corner.distance - parted * parted <= flush * flush {
                return None;
            }
            // of edges that tie, those that run side by side; then the first
            let wins = best.is_none_or(|old| {
                let tie = (corner.distance - old.distance).abs() <= EQUAL_DISTANCE * limit;
                if tie { corner.beside.is_some() && old.beside.is_none() } else { corner.distance < old.distance }
            });
            if wins {
                best = Some(corner);
            }
        }
    }
    best
}

/// Closest points of two segments (C. Ericson, "Real-time collision detection" §5.1.9).
fn closest_points(a: usize, edge_a: EdgeLine, b: usize, edge_b: EdgeLine) -> ClosestEdges {
    let (u, v, r) = (edge_a.along, edge_b.along, edge_a.foot - edge_b.foot);
    let (uu, vv, uv) = (u.length_squared(), v.length_squared(), u.dot(v));
    let determinant = uu * vv - uv * uv;
    let parallel = determinant <= SIDE_BY_SIDE * SIDE_BY_SIDE * uu * vv;
    let mut s = if parallel { 0.0 } else { ((uv * v.dot(r) - vv * u.dot(r)) / determinant).clamp(0.0, 1.0) };
    let t = ((uv * s + v.dot(r)) / vv).clamp(0.0, 1.0);
    s = ((uv * t - u.dot(r)) / uu).clamp(0.0, 1.0);
    let ends = [edge_a.closest(edge_b.at(0.0)), edge_a.closest(edge_b.at(1.0))];
    let ends = [ends[0].min(ends[1]), ends[0].max(ends[1])];
    let beside = (parallel && ends[1] - ends[0] > EQUAL_DISTANCE).then_some(ends);
    ClosestEdges { a, b, s, t, distance: edge_a.at(s).distance(edge_b.at(t)), beside }
}
