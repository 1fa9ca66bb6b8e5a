//! Sphere on half-space: one point under the centre.

use super::Points;
use crate::feature::{FeatureKind, name};
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D3;
use crate::spatial::{HalfSpace, Sphere};

/// gap = n·c − d − r, along the normal of the plane.
pub fn collide(a: &Sphere, pose_a: &Pose<D3>, b: &HalfSpace, pose_b: &Pose<D3>, alert: f64, out: &mut Points) {
    let normal = pose_b.direction(b.normal);
    let centre = pose_a.point(a.centre);
    // relative to the body of the plane first: no cancellation far from the origin
    let height = normal.dot(centre - pose_b.position) - b.offset;
    let gap = height - a.radius;
    if gap > alert {
        return;
    }
    let position = centre - normal * (a.radius + 0.5 * gap);
    out.push(ContactPoint { position, normal, gap, area: 0.0, feature: name(FeatureKind::RoundFace, 0, 0) });
}
