//! Segment on disc: one point on the line from the centre of the disc to the closest point of the centre line.

use super::Points;
use crate::feature::{FeatureKind, name};
use crate::planar::{Disc, Segment};
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D2;

/// gap = distance of the centre from the middle line − both radii; if the centre is on the line, the normal is
/// perpendicular to the line.
pub fn collide(a: &Segment, pose_a: &Pose<D2>, b: &Disc, pose_b: &Pose<D2>, alert: f64, out: &mut Points) {
    let centre = pose_a.local_point(pose_b.point(b.centre));
    let t = a.closest(centre);
    let offset = a.at(t) - centre;
    let distance = offset.length();
    let gap = distance - a.radius - b.radius;
    if gap > alert {
        return;
    }
    let across = a.along().perp() / a.along().length();
    let normal = if distance > 1e-12 * a.radius { offset / distance } else { across };
    let position = pose_a.point(centre + normal * (b.radius + 0.5 * gap));
    let feature = match t {
        0.0 => name(FeatureKind::RoundVertex, 0, 0),
        1.0 => name(FeatureKind::RoundVertex, 1, 0),
        _ => name(FeatureKind::RoundFace, u32::from(across.dot(normal) > 0.0), 0),
    };
    out.push(ContactPoint { position, normal: pose_a.direction(normal), gap, area: 0.0, feature });
}
