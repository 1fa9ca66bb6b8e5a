//! Segment on polygon: the common segment with a side of the polygon, or one point.
//!
//! 1. Centre line and polygon separated: their closest points give the direction. If a side of the polygon is opposite
//!    to the segment there, the two ends of the common segment are nodes.
//! 2. Centre line inside: the side of the polygon, or of the segment, with the largest separation gives the direction.

use glam::DVec2;

use super::Points;
use crate::feature::{FeatureKind, name};
use crate::planar::{Polygon, Segment};
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D2;

/// A side and the segment face each other when the cosine between their directions is above this (0.1 rad).
const FACING_COSINE: f64 = 0.995;
/// Common segments shorter than this fraction of the size are ignored.
const MERGE_LENGTH: f64 = 1e-7;

/// The closest points of centre line and outline, or the direction of least penetration.
struct Nearest {
    /// On the middle line, 0 … 1.
    t: f64,
    /// On the polygon.
    foot: DVec2,
    /// Unit direction from the polygon to the segment.
    normal: DVec2,
    /// Distance of the middle line along it; negative inside.
    distance: f64,
    /// The side of the polygon that is nearest.
    side: usize,
    /// The vertex, if a vertex is.
    vertex: Option<usize>,
}

/// gap = distance of the middle line from the polygon − radius.
pub fn collide(a: &Segment, pose_a: &Pose<D2>, b: &Polygon, pose_b: &Pose<D2>, alert: f64, out: &mut Points) {
    let segment = Segment { ends: a.ends.map(|end| pose_b.local_point(pose_a.point(end))), ..*a };
    let nearest = match outside(&segment, b) {
        Some(nearest) => nearest,
        None => inside(&segment, b),
    };
    if nearest.distance - a.radius > alert {
        return;
    }
    if stretch(&segment, b, &nearest, pose_b, alert, out) {
        return;
    }
    let hidden = nearest.vertex.map_or_else(|| b.is_hidden(nearest.side), |v| b.is_hidden_vertex(v));
    if hidden {
        return;
    }
    let gap = nearest.distance - a.radius;
    let position = pose_b.point(nearest.foot + nearest.normal * (0.5 * gap));
    let feature = match (nearest.vertex, nearest.t) {
        (Some(v), 0.0) => name(FeatureKind::VertexVertex, 0, v as u32),
        (Some(v), 1.0) => name(FeatureKind::VertexVertex, 1, v as u32),
        (Some(v), _) => name(FeatureKind::FaceVertex, 0, v as u32),
        (None, t) => name(FeatureKind::RoundFace, u32::from(t > 0.5), nearest.side as u32),
    };
    let normal = pose_b.direction(nearest.normal);
    out.push(ContactPoint { position, normal, gap, area: 0.0, feature });
}

/// Closest points when the middle line does not meet the polygon.
fn outside(segment: &Segment, polygon: &Polygon) -> Option<Nearest> {
    let parted = |n: DVec2, d: f64| segment.ends.iter().all(|end| n.dot(*end) - d > 0.0);
    let across = segment.along().perp();
    let heights = || polygon.vertices().iter().map(|v| across.dot(*v - segment.ends[0]));
    let beside = heights().all(|h| h > 0.0) || heights().all(|h| h < 0.0);
    if !beside && !polygon.normals().iter().zip(polygon.offsets()).any(|(n, d)| parted(*n, *d)) {
        return None;
    }
    let count = polygon.vertices().len();
    let mut best: Option<Nearest> = None;
    let mut offer = |t: f64, on: DVec2, foot: DVec2, side: usize, vertex: Option<usize>| {
        let distance = on.distance(foot);
        if distance > 0.0 && best.as_ref().is_none_or(|best| distance < best.distance) {
            best = Some(Nearest { t, foot, normal: (on - foot) / distance, distance, side, vertex });
        }
    };
    for i in 0..count {
        let [start, end] = polygon.side(i);
        let along = end - start;
        for (t, on) in [(0.0, segment.ends[0]), (1.0, segment.ends[1])] {
            let s = along.dot(on - start) / along.length_squared();
            let foot = start + along * s.clamp(0.0, 1.0);
            let vertex = if s <= 0.0 { Some(i) } else { (s >= 1.0).then_some((i + 1) % count) };
            offer(t, on, foot, i, vertex);
        }
        let t = segment.closest(start);
        offer(t, segment.at(t), start, i, Some(i));
    }
    best
}

/// The direction of least penetration for a centre line that intersects the polygon.
fn inside(segment: &Segment, polygon: &Polygon) -> Nearest {
    let mut best =
        Nearest { t: 0.0, foot: segment.ends[0], normal: DVec2::Y, distance: f64::NEG_INFINITY, side: 0, vertex: None };
    for (i, (&n, d)) in polygon.normals().iter().zip(polygon.offsets()).enumerate() {
        let heights = segment.ends.map(|end| n.dot(end) - d);
        let low = usize::from(heights[1] < heights[0]);
        if heights[low] > best.distance && !polygon.is_hidden(i) {
            let foot = segment.ends[low] - n * heights[low];
            best = Nearest { t: low as f64, foot, normal: n, distance: heights[low], side: i, vertex: None };
        }
    }
    let across = segment.along().perp() / segment.along().length();
    for n in [across, -across] {
        // the polygon's highest vertex along n decides how far the segment must move
        let count = polygon.vertices().len();
        let height = |i: usize| n.dot(segment.ends[0] - polygon.vertices()[i]);
        let v = (0..count).fold(0, |best, i| if height(i) < height(best) { i } else { best });
        if height(v) > best.distance {
            let foot = polygon.vertices()[v];
            // the side at that vertex that faces n
            let before = (v + count - 1) % count;
            let side = if polygon.normals()[v].dot(n) >= polygon.normals()[before].dot(n) { v } else { before };
            best = Nearest { t: segment.closest(foot), foot, normal: n, distance: height(v), side, vertex: Some(v) };
        }
    }
    best
}

/// Both ends of the common segment of the nearest side and the segment, if they face each other.
fn stretch(
    segment: &Segment,
    polygon: &Polygon,
    nearest: &Nearest,
    pose: &Pose<D2>,
    alert: f64,
    out: &mut Points,
) -> bool {
    let along = segment.along();
    let length = along.length();
    let count = polygon.vertices().len();
    // of the sides at a vertex, the one that is more parallel to the segment
    let parallel = |i: usize| (polygon.normals()[i].perp_dot(along) / length).abs();
    let side = match nearest.vertex {
        Some(v) if parallel((v + count - 1) % count) > parallel(v) => (v + count - 1) % count,
        Some(v) => v,
        None => nearest.side,
    };
    let n = polygon.normals()[side];
    if polygon.is_hidden(side) || n.dot(nearest.normal) < FACING_COSINE || parallel(side) < FACING_COSINE {
        return false;
    }
    let [start, end] = polygon.side(side);
    let side_length = start.distance(end);
    let u = (end - start) / side_length;
    // (x, h) of the ends of the middle line over the side
    let flat = segment.ends.map(|p| DVec2::new(u.dot(p - start), n.dot(p - start)));
    let (left, right) = if flat[0].x <= flat[1].x { (0, 1) } else { (1, 0) };
    let (low, high) = (flat[left].x.max(0.0), flat[right].x.min(side_length));
    if high - low <= MERGE_LENGTH * length.min(side_length) {
        return false;
    }
    let slope = (flat[right].y - flat[left].y) / (flat[right].x - flat[left].x);
    let lean = (1.0 + slope * slope).sqrt();
    let area = 0.5 * (high - low);
    for x in [low, high] {
        // under an end of the middle line the round end is lowest, between them the straight side
        let (own, inner) = match x {
            _ if x == flat[left].x => (flat[left].y - segment.radius, Some(left)),
            _ if x == flat[right].x => (flat[right].y - segment.radius, Some(right)),
            _ => (flat[left].y + slope * (x - flat[left].x) - segment.radius * lean, None),
        };
        if own > alert {
            continue;
        }
        let position = pose.point(start + u * x + n * (0.5 * own));
        let feature = match inner {
            Some(end) => name(FeatureKind::VertexFace, end as u32, side as u32),
            None => name(FeatureKind::FaceVertex, 0, if x == low { side as u32 } else { ((side + 1) % count) as u32 }),
        };
        out.push(ContactPoint { position, normal: pose.direction(n), gap: own, area, feature });
    }
    true
}
