//! Disc on half-plane: one point under the centre.

use super::Points;
use crate::feature::{FeatureKind, name};
use crate::planar::{Disc, HalfPlane};
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D2;

/// gap = n·c − d − r, along the normal of the line.
pub fn collide(a: &Disc, pose_a: &Pose<D2>, b: &HalfPlane, pose_b: &Pose<D2>, alert: f64, out: &mut Points) {
    let normal = pose_b.direction(b.normal);
    let centre = pose_a.point(a.centre);
    // relative to the body of the line first: no cancellation far from the origin
    let gap = normal.dot(centre - pose_b.position) - b.offset - a.radius;
    if gap > alert {
        return;
    }
    let position = centre - normal * (a.radius + 0.5 * gap);
    out.push(ContactPoint { position, normal, gap, area: 0.0, feature: name(FeatureKind::RoundFace, 0, 0) });
}
