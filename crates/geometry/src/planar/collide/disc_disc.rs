//! Disc on disc: one point on the line of centres.

use glam::DVec2;

use super::Points;
use crate::feature::{FeatureKind, name};
use crate::planar::Disc;
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D2;

/// gap = |c_a − c_b| − r_a − r_b; concentric discs have an upward normal.
pub fn collide(a: &Disc, pose_a: &Pose<D2>, b: &Disc, pose_b: &Pose<D2>, alert: f64, out: &mut Points) {
    let (centre_a, centre_b) = (pose_a.point(a.centre), pose_b.point(b.centre));
    let between = centre_a - centre_b;
    let gap = between.length() - a.radius - b.radius;
    if gap > alert {
        return;
    }
    let normal = between.try_normalize().unwrap_or(DVec2::Y);
    let position = centre_b + normal * (b.radius + 0.5 * gap);
    out.push(ContactPoint { position, normal, gap, area: 0.0, feature: name(FeatureKind::RoundFace, 0, 0) });
}
