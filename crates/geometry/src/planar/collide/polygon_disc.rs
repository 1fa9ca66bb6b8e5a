//! Polygon on disc: one point, at the closest point of the polygon to the centre.
//!
//! Centre outside: along the line to the closest point of a side or vertex. Centre inside or on the outline: along the
//! normal of the nearest side, the direction of least penetration.

use super::Points;
use crate::feature::{FeatureKind, name};
use crate::planar::{Disc, Polygon};
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D2;

/// Below this fraction of the size a centre counts as on the outline: rounding errors dominate the direction to it.
const ON_OUTLINE: f64 = 1e-9;

/// gap = distance of the centre − radius.
pub fn collide(a: &Polygon, pose_a: &Pose<D2>, b: &Disc, pose_b: &Pose<D2>, alert: f64, out: &mut Points) {
    let centre = pose_a.local_point(pose_b.point(b.centre));
    let mut nearest = (0, f64::NEG_INFINITY);
    for (i, (n, d)) in a.normals().iter().zip(a.offsets()).enumerate() {
        let height = n.dot(centre) - d;
        if height > b.radius + alert {
            return;
        }
        if height > nearest.1 && !a.is_hidden(i) {
            nearest = (i, height);
        }
    }
    let (side, height) = nearest;
    let mut direction = a.normals()[side];
    let (mut distance, mut feature) = (height, name(FeatureKind::RoundFace, side as u32, 0));
    if height > ON_OUTLINE * a.radius() {
        // beyond an end of the side that is highest below the centre, the vertex is closest
        let [start, end] = a.side(side);
        let along = end - start;
        let beyond = if along.dot(centre - start) < 0.0 {
            Some(side)
        } else if along.dot(centre - end) > 0.0 {
            Some((side + 1) % a.vertices().len())
        } else {
            None
        };
        if let Some(v) = beyond {
            if a.is_hidden_vertex(v) {
                return;
            }
            let offset = centre - a.vertices()[v];
            distance = offset.length();
            direction = offset / distance;
            feature = name(FeatureKind::RoundVertex, v as u32, 0);
        }
    }
    let gap = distance - b.radius;
    if gap > alert {
        return;
    }
    // mid-surface: halfway between the outline of the polygon and the disc
    let position = pose_a.point(centre - direction * (b.radius + 0.5 * gap));
    out.push(ContactPoint { position, normal: -pose_a.direction(direction), gap, area: 0.0, feature });
}
