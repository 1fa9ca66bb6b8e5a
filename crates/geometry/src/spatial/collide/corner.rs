//! Corners that pass close by: closest points of two bodies that are apart, when no face or pair of crossing edges
//! realises their distance. The closest features are then vertices and edges, and the normal is the line between
//! the closest points.
//!
//! Such points keep tumbling blocks from running into each other corner first. Bricks that are flush (a brick that
//! slides along a course towards the next one) must not meet in this way: a corner counts only when it passes the
//! other body's faces by more than [`BESIDE`].

use glam::DVec3;

use crate::spatial::Polyhedron;

/// How far a corner must lie beside the faces of the other body, as a share of the size of the smaller.
pub const BESIDE: f64 = 1e-4;
/// Edges whose directions differ by less than this sine run side by side and meet in two points.
const SIDE_BY_SIDE: f64 = 1e-3;
/// Distances that differ by less than this share of the limit tie; so long must a stretch be, as a share of its edge.
const SAME: f64 = 1e-9;

/// Closest edges of two bodies.
#[derive(Clone, Copy, Debug)]
pub struct Corner {
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
pub struct Segment {
    /// Where it starts.
    pub foot: DVec3,
    /// From its start to its end.
    pub along: DVec3,
}

impl Segment {
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

/// The closest edges of two bodies that a plane with normal `n` (from A to B) parts, if closer than `limit`.
/// All in the axes of A.
pub fn closest_edges(a: &Polyhedron, b: &Polyhedron, vertices_b: &[DVec3], n: DVec3, limit: f64) -> Option<Corner> {
    let top = a.vertices().iter().map(|v| n.dot(*v)).fold(f64::NEG_INFINITY, f64::max);
    let bottom = vertices_b.iter().map(|v| n.dot(*v)).fold(f64::INFINITY, f64::min);
    // only edges within the limit of the other side of the plane can be that close
    let high = |i: &usize| {
        let ends = a.edges()[*i].vertices.map(|v| n.dot(a.vertices()[v as usize]));
        ends[0].max(ends[1]) >= bottom - limit
    };
    let low = |j: &usize| {
        let ends = b.edges()[*j].vertices.map(|v| n.dot(vertices_b[v as usize]));
        ends[0].min(ends[1]) <= top + limit
    };
    let low_edges: Vec<usize> = (0..b.edges().len()).filter(|j| !b.is_hidden_edge(*j)).filter(low).collect();
    let mut best: Option<Corner> = None;
    for i in (0..a.edges().len()).filter(|i| !a.is_hidden_edge(*i)).filter(high) {
        let edge_a = Segment::of(a, a.vertices(), i);
        for &j in &low_edges {
            let edge_b = Segment::of(b, vertices_b, j);
            let corner = closest_points(i, edge_a, j, edge_b);
            if corner.distance > limit {
                continue;
            }
            // of edges that tie, those that run side by side; then the first
            let wins = best.is_none_or(|old| {
                let tie = (corner.distance - old.distance).abs() <= SAME * limit;
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
fn closest_points(a: usize, edge_a: Segment, b: usize, edge_b: Segment) -> Corner {
    let (u, v, r) = (edge_a.along, edge_b.along, edge_a.foot - edge_b.foot);
    let (uu, vv, uv) = (u.length_squared(), v.length_squared(), u.dot(v));
    let determinant = uu * vv - uv * uv;
    let parallel = determinant <= SIDE_BY_SIDE * SIDE_BY_SIDE * uu * vv;
    let mut s = if parallel { 0.0 } else { ((uv * v.dot(r) - vv * u.dot(r)) / determinant).clamp(0.0, 1.0) };
    let t = ((uv * s + v.dot(r)) / vv).clamp(0.0, 1.0);
    s = ((uv * t - u.dot(r)) / uu).clamp(0.0, 1.0);
    let ends = [edge_a.closest(edge_b.at(0.0)), edge_a.closest(edge_b.at(1.0))];
    let ends = [ends[0].min(ends[1]), ends[0].max(ends[1])];
    let beside = (parallel && ends[1] - ends[0] > SAME).then_some(ends);
    Corner { a, b, s, t, distance: edge_a.at(s).distance(edge_b.at(t)), beside }
}
