//! Polyhedron on sphere: one point, at the closest point of the polyhedron to the centre.
//!
//! Centre outside: along the line to the closest point of a face, edge or vertex. Centre inside or on the surface:
//! along the normal of the nearest face, the direction of least penetration.

use glam::DVec3;

use super::Points;
use crate::feature::{FeatureKind, candidate, name};
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D3;
use crate::spatial::{Polyhedron, Sphere};

/// Below this fraction of the size a centre counts as on the surface: rounding errors dominate the direction to it.
const ON_SURFACE: f64 = 1e-9;

/// gap = distance of the centre − radius.
pub fn collide(a: &Polyhedron, pose_a: &Pose<D3>, b: &Sphere, pose_b: &Pose<D3>, alert: f64, out: &mut Points) {
    let centre = pose_a.local_point(pose_b.point(b.centre));
    if centre.distance(a.centre()) > a.radius() + b.radius + alert {
        return;
    }
    let mut nearest = (0, f64::NEG_INFINITY);
    for (f, (n, d)) in a.normals().iter().zip(a.offsets()).enumerate() {
        let height = n.dot(centre) - d;
        if height > b.radius + alert {
            return;
        }
        if height > nearest.1 && (!a.is_hidden(f) || height > 0.0) {
            nearest = (f, height);
        }
    }
    let (face, height) = nearest;
    if height == f64::NEG_INFINITY {
        return;
    }
    // outward direction from the polyhedron to the centre, distance and feature
    let (direction, distance, feature) = if height <= ON_SURFACE * a.radius() {
        (a.normals()[face], height, name(FeatureKind::RoundFace, face as u32, 0))
    } else {
        closest(a, centre)
    };
    let gap = distance - b.radius;
    if gap > alert || is_hidden(a, feature) {
        return;
    }
    // mid-surface: halfway between the surface of the polyhedron and the sphere
    let position = pose_a.point(centre - direction * (b.radius + 0.5 * gap));
    out.push(ContactPoint { position, normal: -pose_a.direction(direction), gap, area: 0.0, feature });
}

/// True for a face or edge inside a compound, and for a vertex all of whose edges are.
fn is_hidden(a: &Polyhedron, feature: u64) -> bool {
    let own = candidate(feature) as usize;
    match FeatureKind::of(feature) {
        Some(FeatureKind::RoundFace) => a.is_hidden(own),
        Some(FeatureKind::RoundEdge) => a.is_hidden_edge(own),
        _ => {
            let at = |edge: &usize| a.edges()[*edge].vertices.contains(&(own as u32));
            (0..a.edges().len()).filter(at).all(|edge| a.is_hidden_edge(edge))
        }
    }
}

/// Direction to, distance from and feature of the closest point to a point outside.
fn closest(a: &Polyhedron, p: DVec3) -> (DVec3, f64, u64) {
    let mut best = (DVec3::Z, f64::INFINITY, 0);
    for (f, (&n, d)) in a.normals().iter().zip(a.offsets()).enumerate() {
        let height = n.dot(p) - d;
        if height <= 0.0 || height >= best.1 {
            continue;
        }
        let (offset, feature) = closest_on_face(a, f, p, height);
        let distance = offset.length();
        if distance < best.1 {
            best = (offset / distance, distance, feature);
        }
    }
    best
}

/// Vector from the closest point of a face to a point `height` above it, and the feature.
fn closest_on_face(a: &Polyhedron, f: usize, p: DVec3, height: f64) -> (DVec3, u64) {
    let n = a.normals()[f];
    let (corners, edges) = (a.face(f), a.face_edges(f));
    let mut best: Option<(DVec3, u64)> = None;
    for i in 0..corners.len() {
        let (v, w) = (corners[i], corners[(i + 1) % corners.len()]);
        let start = a.vertices()[v as usize];
        let along = a.vertices()[w as usize] - start;
        // beyond this side?
        if n.dot(along.cross(p - start)) >= 0.0 {
            continue;
        }
        let t = along.dot(p - start) / along.length_squared();
        let (foot, feature) = if t <= 0.0 {
            (start, name(FeatureKind::RoundVertex, v, 0))
        } else if t >= 1.0 {
            (start + along, name(FeatureKind::RoundVertex, w, 0))
        } else {
            (start + along * t, name(FeatureKind::RoundEdge, edges[i], 0))
        };
        if best.is_none_or(|(offset, _)| (p - foot).length_squared() < offset.length_squared()) {
            best = Some((p - foot, feature));
        }
    }
    best.unwrap_or((n * height, name(FeatureKind::RoundFace, f as u32, 0)))
}
