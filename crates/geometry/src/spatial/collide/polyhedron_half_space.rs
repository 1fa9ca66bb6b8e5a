//! Polyhedron on half-space: every vertex near the plane is a node.
//!
//! The normal is that of the plane. If a whole face is within the alert distance, its vertices share its area
//! (projected on the plane); vertices of other faces have no area.

use glam::DVec3;

use super::Points;
use super::patch::shares;
use crate::feature::{FeatureKind, name};
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::{D3, Space};
use crate::spatial::{HalfSpace, Polyhedron};

/// gap of a vertex = its height above the plane.
pub fn collide(a: &Polyhedron, pose_a: &Pose<D3>, b: &HalfSpace, pose_b: &Pose<D3>, alert: f64, out: &mut Points) {
    let normal = pose_b.direction(b.normal);
    // the plane in the axes of the polyhedron: n·x = offset
    let local = D3::unrotate(pose_a.rotation, normal);
    let offset = b.offset - normal.dot(pose_a.position - pose_b.position);
    if local.dot(a.centre()) - a.radius() - offset > alert {
        return;
    }
    let start = out.len();
    let mut lowest = (0, f64::INFINITY);
    for (i, &v) in a.vertices().iter().enumerate() {
        let gap = local.dot(v) - offset;
        if gap < lowest.1 {
            lowest = (i, gap);
        }
        if gap <= alert {
            let position = pose_a.point(v - local * (0.5 * gap));
            out.push(ContactPoint {
                position,
                normal,
                gap,
                area: 0.0,
                feature: name(FeatureKind::VertexFace, i as u32, 0),
            });
        }
    }
    if out.len() - start >= 3 {
        share_area(a, local, lowest.0, &mut out[start..]);
    }
}

/// Gives the vertices of the face towards the plane their part of its area, if all of them are nodes.
fn share_area(a: &Polyhedron, normal: DVec3, lowest: usize, nodes: &mut [ContactPoint<D3>]) {
    let Some(&face) = a.faces_at(lowest).iter().min_by(|&&f, &&g| {
        let along = |f: u32| normal.dot(a.normals()[f as usize]);
        along(f).total_cmp(&along(g))
    }) else {
        return;
    };
    let corners = a.face(face as usize);
    // nodes are in order of vertex
    let node_of = |v: u32, nodes: &[ContactPoint<D3>]| {
        nodes.binary_search_by_key(&name(FeatureKind::VertexFace, v, 0), |p| p.feature).ok()
    };
    if corners.iter().any(|&v| node_of(v, nodes).is_none()) {
        return;
    }
    let flat: Vec<DVec3> = corners.iter().map(|&v| a.vertices()[v as usize]).collect();
    let mut frame = Vec::with_capacity(3);
    D3::frame(-normal, &mut frame);
    let flat: Vec<DVec3> = flat.iter().map(|p| DVec3::new(frame[1].dot(*p), frame[2].dot(*p), 0.0)).collect();
    let mut areas = Vec::new();
    shares(&flat, &mut areas);
    for (&v, area) in corners.iter().zip(areas) {
        if let Some(i) = node_of(v, nodes) {
            nodes[i].area = area;
        }
    }
}
