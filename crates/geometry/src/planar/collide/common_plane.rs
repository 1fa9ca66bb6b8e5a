//! Cundall's common plane for two polygons: the line of largest separation, and the parts of both polygons near it.
//!
//! 2D version of `spatial::collide::common_plane`, which describes the method.

use glam::DVec2;

use super::Points;
use crate::feature::{FeatureKind, name};
use crate::planar::Polygon;
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D2;

/// Vertices within this fraction of the blocks' size of the line are projected on it.
const VERTEX_DISTANCE: f64 = 1e-2;
/// A direction is better when its gap is larger by this fraction of the size.
const GAP_GAIN: f64 = 1e-9;
/// Common segments shorter than this fraction of the size are ignored.
const MERGE_LENGTH: f64 = 1e-7;
/// Rounds of the search; three are usual.
const MOST_ROUNDS: usize = 32;
/// Sides steeper than this do not face the line.
const LEAST_FACING_COSINE: f64 = 1e-6;

/// A polygon with its vertices and normals in the axes of the antagonist.
struct Side {
    vertices: Vec<DVec2>,
    normals: Vec<DVec2>,
    hidden: Vec<bool>,
}

impl Side {
    fn new(shape: &Polygon, map: impl Fn(DVec2) -> DVec2, turn: impl Fn(DVec2) -> DVec2) -> Self {
        Self {
            vertices: shape.vertices().iter().map(|&v| map(v)).collect(),
            normals: shape.normals().iter().map(|&n| turn(n)).collect(),
            hidden: (0..shape.vertices().len()).map(|i| shape.is_hidden(i)).collect(),
        }
    }

    /// The vertex farthest along a direction.
    fn support(&self, d: DVec2) -> (usize, f64) {
        let height = |i: usize| d.dot(self.vertices[i]);
        let best = (0..self.vertices.len()).fold(0, |best, i| if height(i) > height(best) { i } else { best });
        (best, height(best))
    }

    /// Outward normals of the two sides at a vertex that are not hidden.
    fn normals_at(&self, vertex: usize) -> impl Iterator<Item = DVec2> + '_ {
        let before = (vertex + self.vertices.len() - 1) % self.vertices.len();
        [before, vertex].into_iter().filter(|&i| !self.hidden[i]).map(|i| self.normals[i])
    }

    /// Height along `n` of the surface that faces the direction `d` = ±n, at coordinate `x` along `u`; and its side.
    fn surface(&self, n: DVec2, u: DVec2, d: DVec2, x: f64) -> (f64, usize) {
        let mut best = (f64::INFINITY, 0);
        for (i, normal) in self.normals.iter().enumerate() {
            if d.dot(*normal) <= LEAST_FACING_COSINE {
                continue;
            }
            let height = (normal.dot(self.vertices[i]) - normal.dot(u) * x) / normal.dot(n);
            // the lowest of the planes that face up, the highest of those that face down
            let toward = d.dot(n) * height;
            if toward < best.0 {
                best = (toward, i);
            }
        }
        (d.dot(n) * best.0, best.1)
    }
}

/// All contact points closer than `alert` between two convex polygons.
pub fn collide(a: &Polygon, pose_a: &Pose<D2>, b: &Polygon, pose_b: &Pose<D2>, alert: f64, out: &mut Points) {
    let turn = DVec2::from_angle(pose_a.rotation - pose_b.rotation);
    let shift = DVec2::from_angle(-pose_b.rotation).rotate(pose_a.position - pose_b.position);
    let apart = (turn.rotate(a.centre()) + shift).distance(b.centre());
    if apart > a.radius() + b.radius() + alert || apart.is_nan() {
        return;
    }
    let size = 2.0 * a.radius().min(b.radius());
    let candidate = Side::new(a, |v| turn.rotate(v) + shift, |n| turn.rotate(n));
    let antagonist = Side::new(b, |v| v, |n| n);
    let start = (turn.rotate(a.centre()) + shift - b.centre()).try_normalize().unwrap_or(DVec2::Y);
    let (n, gap) = common_line(&candidate, &antagonist, start, size);
    if gap > alert {
        return;
    }
    let u = DVec2::new(n.y, -n.x);
    let (low_a, top_b) = (-candidate.support(-n).1, antagonist.support(n).1);
    let middle = 0.5 * (low_a + top_b);
    let reach = (0.5 * gap).max(0.0) + alert.max(VERTEX_DISTANCE * 0.5 * size);
    let range = |side: &Side, sign: f64| {
        let near = side.vertices.iter().filter(|v| sign * (n.dot(**v) - middle) <= reach).map(|v| u.dot(*v));
        near.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    };
    let (range_a, range_b) = (range(&candidate, 1.0), range(&antagonist, -1.0));
    let (low, high) = (range_a.0.max(range_b.0), range_a.1.min(range_b.1));
    let wide = |range: (f64, f64)| range.1 - range.0 > MERGE_LENGTH * size;
    let nodes: &[f64] = if high - low > MERGE_LENGTH * size {
        &[low, high]
    } else if high - low < -MERGE_LENGTH * size || (wide(range_a) && wide(range_b)) {
        // no common segment, or only a common corner
        &[]
    } else {
        &[0.5 * (low + high)]
    };
    for &x in nodes {
        let ((h_a, side_a), (h_b, side_b)) = (candidate.surface(n, u, -n, x), antagonist.surface(n, u, n, x));
        if h_a - h_b > alert || candidate.hidden[side_a] || antagonist.hidden[side_b] {
            continue;
        }
        let near = |side: &Side| {
            let at = |v: &DVec2| (u.dot(*v) - x).abs() <= MERGE_LENGTH * size && (n.dot(*v) - middle).abs() <= reach;
            side.vertices.iter().position(at).map(|v| v as u32)
        };
        let feature = match (near(&candidate), near(&antagonist)) {
            (Some(v), Some(w)) if nodes.len() == 1 => name(FeatureKind::VertexVertex, v, w),
            (Some(v), _) => name(FeatureKind::VertexFace, v, side_b as u32),
            (None, Some(w)) => name(FeatureKind::FaceVertex, side_a as u32, w),
            (None, None) => name(FeatureKind::EdgeEdge, side_a as u32, side_b as u32),
        };
        let position = pose_b.point(u * x + n * (0.5 * (h_a + h_b)));
        let area = if nodes.len() == 2 { 0.5 * (high - low) } else { 0.0 };
        out.push(ContactPoint { position, normal: pose_b.direction(n), gap: h_a - h_b, area, feature });
    }
}

/// The direction with the largest gap, from the antagonist to the candidate, and the gap.
fn common_line(candidate: &Side, antagonist: &Side, start: DVec2, size: f64) -> (DVec2, f64) {
    let gap = |n: DVec2| -candidate.support(-n).1 - antagonist.support(n).1;
    let mut best = (start, gap(start));
    for _ in 0..MOST_ROUNDS {
        let (v, w) = (candidate.support(-best.0).0, antagonist.support(best.0).0);
        let before = best.1;
        let faces = antagonist.normals_at(w).chain(candidate.normals_at(v).map(|n| -n));
        let between = (candidate.vertices[v] - antagonist.vertices[w]).try_normalize();
        let corner = between.filter(|_| best.1 > 0.0);
        for n in faces.chain(corner) {
            let value = gap(n);
            if value > best.1 + GAP_GAIN * size {
                best = (n, value);
            }
        }
        if best.1 == before {
            break;
        }
    }
    // the line of centres is only a start: a side with an equal gap is preferred
    let (v, w) = (candidate.support(-best.0).0, antagonist.support(best.0).0);
    for n in antagonist.normals_at(w).chain(candidate.normals_at(v).map(|n| -n)) {
        if gap(n) >= best.1 - GAP_GAIN * size && n.dot(best.0) < 1.0 {
            return (n, gap(n));
        }
    }
    best
}
