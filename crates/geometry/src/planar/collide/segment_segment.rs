//! Segment on segment: the closest points of the centre lines; for parallel segments, the two ends of their overlap.

use glam::DVec2;

use super::Points;
use crate::feature::{FeatureKind, name};
use crate::planar::Segment;
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D2;

/// Lines whose directions differ by less than this sine run side by side.
const SIDE_BY_SIDE: f64 = 1e-2;
/// Lines closer than this fraction of the thickness cross.
const CROSSING_DISTANCE: f64 = 1e-9;

/// gap = distance of the middle lines − both radii.
pub fn collide(a: &Segment, pose_a: &Pose<D2>, b: &Segment, pose_b: &Pose<D2>, alert: f64, out: &mut Points) {
    let b = Segment { ends: b.ends.map(|end| pose_a.local_point(pose_b.point(end))), ..*b };
    let reach = a.radius + b.radius;
    let mut push = |on_a: DVec2, on_b: DVec2, normal: DVec2, area: f64, feature: u64| {
        let gap = normal.dot(on_a - on_b) - reach;
        if gap <= alert {
            let position = pose_a.point(on_b + normal * (b.radius + 0.5 * gap));
            out.push(ContactPoint { position, normal: pose_a.direction(normal), gap, area, feature });
        }
    };
    // closest of the four pairs of an end and a line
    let mut best = (f64::INFINITY, 0.0, 0.0, 0);
    for i in 0..2 {
        let t = b.closest(a.ends[i]);
        let distance = b.at(t).distance(a.ends[i]);
        if distance < best.0 {
            best = (distance, i as f64, t, i as u32);
        }
        let s = a.closest(b.ends[i]);
        let distance = a.at(s).distance(b.ends[i]);
        if distance < best.0 {
            best = (distance, s, i as f64, 2 + i as u32);
        }
    }
    let (u, v) = (a.along(), b.along());
    let sine = u.perp_dot(v) / (u.length() * v.length());
    let across = u.perp() / u.length();
    if sine.abs() < SIDE_BY_SIDE {
        let (mut low, mut high) = (a.closest(b.ends[0]), a.closest(b.ends[1]));
        if low > high {
            (low, high) = (high, low);
        }
        if high - low > CROSSING_DISTANCE {
            let normal = if across.dot(a.at(0.5) - b.at(0.5)) >= 0.0 { across } else { -across };
            let half = 0.5 * (high - low) * u.length();
            for (place, s) in [low, high].into_iter().enumerate() {
                let on_a = a.at(s);
                // along the normal, not to the closest point
                let on_b = b.ends[0] + v * (u.dot(on_a - b.ends[0]) / u.dot(v));
                push(on_a, on_b, normal, half, name(FeatureKind::RoundFace, place as u32, u32::from(sine > 0.0)));
            }
            return;
        }
    }
    // normal of crossing lines: perpendicular to the first, towards its nearer end
    if sine.abs() >= SIDE_BY_SIDE {
        let s = v.perp_dot(a.ends[0] - b.ends[0]) / u.perp_dot(v);
        let t = u.perp_dot(a.ends[0] - b.ends[0]) / u.perp_dot(v);
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            let outward = v.perp() / v.length();
            let (end, other) = if s < 0.5 { (0, 1) } else { (1, 0) };
            let normal = if outward.dot(a.ends[other] - a.ends[end]) > 0.0 { outward } else { -outward };
            push(a.ends[end], b.at(t), normal, 0.0, name(FeatureKind::RoundEdge, end as u32, 0));
            return;
        }
    }
    let (distance, s, t, which) = best;
    if distance > CROSSING_DISTANCE * reach {
        let normal = (a.at(s) - b.at(t)) / distance;
        push(a.at(s), b.at(t), normal, 0.0, name(FeatureKind::RoundVertex, which, 0));
    }
}
