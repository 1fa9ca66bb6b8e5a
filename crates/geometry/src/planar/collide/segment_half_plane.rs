//! Segment on half-plane: each round end near the line is a node; if the segment lies flat, each has half of the
//! length.

use super::Points;
use crate::feature::{FeatureKind, name};
use crate::planar::{HalfPlane, Segment};
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::{D2, Space};

/// gap of an end = height of its centre − radius.
pub fn collide(a: &Segment, pose_a: &Pose<D2>, b: &HalfPlane, pose_b: &Pose<D2>, alert: f64, out: &mut Points) {
    let normal = pose_b.direction(b.normal);
    // the line in the axes of the segment: n·x = offset
    let local = D2::unrotate(pose_a.rotation, normal);
    let offset = b.offset - normal.dot(pose_a.position - pose_b.position);
    let gaps = a.ends.map(|end| local.dot(end) - offset - a.radius);
    let half = if gaps[0].max(gaps[1]) <= alert { 0.5 * local.perp_dot(a.along()).abs() } else { 0.0 };
    for (i, (end, gap)) in a.ends.into_iter().zip(gaps).enumerate().filter(|(_, (_, gap))| *gap <= alert) {
        let position = pose_a.point(end - local * (a.radius + 0.5 * gap));
        let feature = name(FeatureKind::RoundFace, i as u32, 0);
        out.push(ContactPoint { position, normal, gap, area: half, feature });
    }
}
