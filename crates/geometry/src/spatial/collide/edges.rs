//! Edges as separating directions: cross products of an edge of A and an edge of B.
//!
//! Only pairs whose arcs cross on the sphere of directions (Gauss map) are faces of the Minkowski difference, so only
//! these can separate the bodies. D. Gregorius, "The separating axis test between convex polyhedra" (GDC 2013).

use glam::{DMat3, DVec3};

use crate::spatial::Polyhedron;

/// Edges whose directions differ by less than this sine are parallel: faces part them.
const PARALLEL_SINE: f64 = 1e-7;
/// Edges may miss each other by this fraction of their length and still cross.
const CROSSING_TOLERANCE: f64 = 1e-9;

/// The best pair of edges.
#[derive(Clone, Copy, Debug)]
pub struct EdgePair {
    /// Edge of A.
    pub a: usize,
    /// Edge of B.
    pub b: usize,
    /// Unit direction from A to B, axes of A.
    pub normal: DVec3,
    /// Distance of the edges along it, > 0 apart [m].
    pub separation: f64,
    /// Place along the edge of A where it is closest to the line of B's, 0 … 1 within it.
    pub s: f64,
    /// The same for B.
    pub t: f64,
}

impl EdgePair {
    /// True if the closest points of the two lines lie on the edges, so that the separation is the distance.
    pub fn crosses(&self) -> bool {
        let within = -CROSSING_TOLERANCE..=1.0 + CROSSING_TOLERANCE;
        within.contains(&self.s) && within.contains(&self.t)
    }
}

/// The edges of either body that may touch the other.
#[derive(Debug, Default)]
pub struct NearEdges {
    /// Of A.
    pub a: Vec<u32>,
    /// Of B.
    pub b: Vec<u32>,
}

impl NearEdges {
    /// Finds the edges that come within `reach` of the box around the other body, in the axes of A; hidden ones are
    /// omitted.
    pub fn find(&mut self, a: &Polyhedron, b: &Polyhedron, vertices_b: &[DVec3], reach: f64) {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &v in vertices_b {
            (low, high) = (low.min(v), high.max(v));
        }
        let (low, high) = (low.max(a.centre() - a.half()) - reach, high.min(a.centre() + a.half()) + reach);
        let near = |shape: &Polyhedron, vertices: &[DVec3], i: usize| {
            let [p, q] = shape.edges()[i].vertices.map(|v| vertices[v as usize]);
            !shape.is_hidden_edge(i) && p.max(q).cmpge(low).all() && p.min(q).cmple(high).all()
        };
        self.a.clear();
        self.a.extend((0..a.edges().len()).filter(|&i| near(a, a.vertices(), i)).map(|i| i as u32));
        self.b.clear();
        self.b.extend((0..b.edges().len()).filter(|&i| near(b, vertices_b, i)).map(|i| i as u32));
    }
}

/// The pair of near edges with the largest separation. `vertices_b` is B's, `turn` turns directions of B, in the axes
/// of A.
pub fn best_pair(
    a: &Polyhedron,
    b: &Polyhedron,
    vertices_b: &[DVec3],
    turn: &DMat3,
    near: &NearEdges,
) -> Option<EdgePair> {
    let mut best: Option<EdgePair> = None;
    for &i in &near.a {
        let (i, edge_a) = (i as usize, a.edges()[i as usize]);
        let foot_a = a.vertices()[edge_a.vertices[0] as usize];
        let along_a = a.vertices()[edge_a.vertices[1] as usize] - foot_a;
        let [n_a, m_a] = edge_a.faces.map(|f| a.normals()[f as usize]);
        for &j in &near.b {
            let (j, edge_b) = (j as usize, b.edges()[j as usize]);
            // the arc of −B; both ends of an arc must lie on either side of the other's plane
            let [n_b, m_b] = edge_b.faces.map(|f| -(*turn * b.normals()[f as usize]));
            let (side_n, side_m) = (along_a.dot(n_b), along_a.dot(m_b));
            if side_n * side_m >= 0.0 {
                continue;
            }
            let foot_b = vertices_b[edge_b.vertices[0] as usize];
            let along_b = vertices_b[edge_b.vertices[1] as usize] - foot_b;
            let (side_p, side_q) = (along_b.dot(n_a), along_b.dot(m_a));
            if side_p * side_q >= 0.0 {
                continue;
            }
            let cross = along_a.cross(along_b);
            let length = cross.length();
            if length <= PARALLEL_SINE * along_a.length() * along_b.length() {
                continue;
            }
            // out of A, and in the hemisphere of both arcs
            let out = cross.dot(n_a) + cross.dot(m_a);
            let normal = if out >= 0.0 { cross / length } else { -cross / length };
            if normal.dot(n_b) + normal.dot(m_b) <= 0.0 {
                continue;
            }
            let separation = normal.dot(foot_b - foot_a);
            if best.is_none_or(|pair| separation > pair.separation) {
                let (s, t) = crossing(foot_a, along_a, foot_b, along_b);
                best = Some(EdgePair { a: i, b: j, normal, separation, s, t });
            }
        }
    }
    best
}

/// Places along two lines where they are closest: s, t minimise |a + s u − b − t v|.
fn crossing(foot_a: DVec3, along_a: DVec3, foot_b: DVec3, along_b: DVec3) -> (f64, f64) {
    let (uu, uv, vv) = (along_a.length_squared(), along_a.dot(along_b), along_b.length_squared());
    let d = foot_b - foot_a;
    let determinant = uu * vv - uv * uv;
    let s = (d.dot(along_a) * vv - d.dot(along_b) * uv) / determinant;
    let t = (d.dot(along_a) * uv - d.dot(along_b) * uu) / determinant;
    (s, t)
}
