//! Polygon on half-plane: every vertex near the line is a node.
//!
//! The normal is that of the line. If both ends of the lowest side are nodes, each has half of its length.

use super::Points;
use crate::feature::{FeatureKind, name};
use crate::planar::{HalfPlane, Polygon};
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::{D2, Space};

/// gap of a vertex = its height above the line.
pub fn collide(a: &Polygon, pose_a: &Pose<D2>, b: &HalfPlane, pose_b: &Pose<D2>, alert: f64, out: &mut Points) {
    let normal = pose_b.direction(b.normal);
    // the line in the axes of the polygon: n·x = offset
    let local = D2::unrotate(pose_a.rotation, normal);
    let offset = b.offset - normal.dot(pose_a.position - pose_b.position);
    if local.dot(a.centre()) - a.radius() - offset > alert {
        return;
    }
    // the side that faces the line; its length is projected on the line
    let n = a.vertices().len();
    let along = |i: usize| local.dot(a.normals()[i]);
    let side = (0..n).min_by(|&i, &j| along(i).total_cmp(&along(j))).unwrap_or(0);
    let [start, end] = a.side(side);
    let near = |v| local.dot(v) - offset <= alert;
    let half = if near(start) && near(end) { 0.5 * local.perp_dot(end - start).abs() } else { 0.0 };
    for (i, &v) in a.vertices().iter().enumerate() {
        let gap = local.dot(v) - offset;
        if gap <= alert {
            let position = pose_a.point(v - local * (0.5 * gap));
            let area = if i == side || i == (side + 1) % n { half } else { 0.0 };
            out.push(ContactPoint { position, normal, gap, area, feature: name(FeatureKind::VertexFace, i as u32, 0) });
        }
    }
}
