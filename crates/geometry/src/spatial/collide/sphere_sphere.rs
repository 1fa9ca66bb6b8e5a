//! Sphere on sphere: one point on the line of centres.

use glam::DVec3;

use super::Points;
use crate::feature::{FeatureKind, name};
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D3;
use crate::spatial::Sphere;

/// gap = |c_a − c_b| − r_a − r_b; concentric spheres have an upward normal.
pub fn collide(a: &Sphere, pose_a: &Pose<D3>, b: &Sphere, pose_b: &Pose<D3>, alert: f64, out: &mut Points) {
    let (centre_a, centre_b) = (pose_a.point(a.centre), pose_b.point(b.centre));
    let between = centre_a - centre_b;
    let distance = between.length();
    let gap = distance - a.radius - b.radius;
    if gap > alert {
        return;
    }
    let normal = between.try_normalize().unwrap_or(DVec3::Z);
    let position = centre_b + normal * (b.radius + 0.5 * gap);
    out.push(ContactPoint { position, normal, gap, area: 0.0, feature: name(FeatureKind::RoundFace, 0, 0) });
}
