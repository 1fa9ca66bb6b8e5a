//! Polyhedra as shrunk cores swept by a ball: closest points of the cores, offset by the margin.
//!
//! Each shape is the sum of a core, whose faces are shifted inwards by a margin m, and a ball of radius m. The cores
//! are separated as long as the penetration of the shapes is below both margins, so GJK finds their closest points and
//! a valid direction even for shapes in contact or penetration. The points are moved outwards by the margins. Faces
//! along that direction are clipped like those of sharp shapes, on the cores: the area is smaller by the margin at the
//! boundary, edges and corners are rounded. Deeper penetration falls back to the sharp shapes.
//!
//! V. Beatini, G. Royer-Carfagni, A. Tasora, "A regularized non-smooth contact dynamics approach for architectural
//! masonry structures" §2.5.

use glam::{DMat3, DVec3};

use super::patch::{FaceView, Workspace};
use super::{Approach, Points, polyhedron_polyhedron};
use crate::feature::{FeatureKind, name};
use crate::gjk;
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D3;
use crate::spatial::Polyhedron;

/// Faces face the direction of contact when the cosine between them is above this (0.02 rad).
const FACING_COSINE: f64 = 0.9998;

/// The farthest vertex in a direction.
fn support(vertices: &[DVec3], d: DVec3) -> DVec3 {
    let best = vertices.iter().copied().reduce(|x, y| if d.dot(y) > d.dot(x) { y } else { x });
    best.unwrap_or(DVec3::ZERO)
}

/// The face whose normal is closest to a direction, and the cosine between them.
fn facing(normals: &[DVec3], turn: DMat3, d: DVec3) -> (usize, f64) {
    let along = |f: &usize| d.dot(turn * normals[*f]);
    let best = (0..normals.len()).max_by(|f, g| along(f).total_cmp(&along(g))).unwrap_or(0);
    (best, along(&best))
}

/// All contact points closer than `alert` between two convex polyhedra with rounded edges.
pub fn collide(a: &Polyhedron, pose_a: &Pose<D3>, b: &Polyhedron, pose_b: &Pose<D3>, alert: f64, out: &mut Points) {
    let Some(Approach { turn, shift, between, apart }) = Approach::new(a, pose_a, b, pose_b, alert) else { return };
    let (Some(core_a), Some(core_b)) = (a.core(), b.core()) else {
        polyhedron_polyhedron::collide(a, pose_a, b, pose_b, alert, out);
        return;
    };
    let margin = core_a.1 + core_b.1;
    let vertices: Vec<DVec3> = core_a.0.vertices().iter().map(|&v| turn * v + shift).collect();
    let start = between.try_normalize().unwrap_or(DVec3::Z);
    let scale = a.radius() + b.radius() + apart;
    let found = gjk::closest(|d| support(&vertices, d), |d| support(core_b.0.vertices(), d), start, scale);
    let Some(found) = found else {
        polyhedron_polyhedron::collide(a, pose_a, b, pose_b, alert, out);
        return;
    };
    if found.distance - margin > alert {
        return;
    }
    let n = (found.on_a - found.on_b) / found.distance;
    let (face_a, cosine_a) = facing(core_a.0.normals(), turn, -n);
    let (face_b, cosine_b) = facing(core_b.0.normals(), DMat3::IDENTITY, n);
    if (core_a.0.is_hidden(face_a) && cosine_a > FACING_COSINE)
        || (core_b.0.is_hidden(face_b) && cosine_b > FACING_COSINE)
    {
        return;
    }
    if cosine_a > FACING_COSINE && cosine_b > FACING_COSINE {
        // the larger face is the reference, so that its normal is the contact's
        let size = 2.0 * a.radius().min(b.radius());
        let a_is_reference = core_a.0.areas()[face_a] >= core_b.0.areas()[face_b];
        let back: Vec<DVec3>;
        let (reference, incident, pose, outwards) = if a_is_reference {
            back = core_b.0.vertices().iter().map(|&v| turn.transpose() * (v - shift)).collect();
            let own = FaceView { shape: &core_a.0, vertices: core_a.0.vertices(), face: face_a };
            (own, FaceView { shape: &core_b.0, vertices: &back, face: face_b }, pose_a, core_a.1)
        } else {
            let own = FaceView { shape: &core_b.0, vertices: core_b.0.vertices(), face: face_b };
            (own, FaceView { shape: &core_a.0, vertices: &vertices, face: face_a }, pose_b, core_b.1)
        };
        let normal = reference.shape.normals()[reference.face];
        let mut work = Workspace::default();
        if let Some(patch) = work.overlap(reference, normal, normal, incident, a_is_reference, size) {
            let plane = patch.plane;
            let outward = pose.direction(plane.n);
            let first = out.len();
            for node in work.nodes.iter().filter(|node| node.gap - margin <= alert) {
                let gap = node.gap - margin;
                let local = plane.origin + plane.u * node.at.x + plane.v * node.at.y + plane.n * (outwards + 0.5 * gap);
                let normal = if a_is_reference { -outward } else { outward };
                out.push(ContactPoint {
                    position: pose.point(local),
                    normal,
                    gap,
                    area: node.area,
                    feature: node.feature,
                });
            }
            if a_is_reference && out.len() > first + 2 {
                out[first + 1..].reverse();
            }
            return;
        }
    }
    let gap = found.distance - margin;
    let position = pose_b.point(found.on_b + n * (core_b.1 + 0.5 * gap));
    let feature = name(FeatureKind::RoundVertex, face_a as u32, face_b as u32);
    out.push(ContactPoint { position, normal: pose_b.direction(n), gap, area: 0.0, feature });
}
