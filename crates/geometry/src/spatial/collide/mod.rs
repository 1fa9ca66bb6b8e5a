//! Contact points between two shapes in space: one file per pair of shapes.
//!
//! Every pair takes the candidate first and writes normals from the antagonist to the candidate. Lengths are
//! measured in the axes of one of the two bodies, so that structures far from the origin lose no digits.

mod corner;
mod edges;
mod patch;
mod polyhedron_half_space;
mod polyhedron_polyhedron;
mod polyhedron_sphere;
mod sphere_half_space;
mod sphere_sphere;

use super::Shape3;
use crate::feature;
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D3;

/// Contact points of space.
type Points = Vec<ContactPoint<D3>>;

/// Appends all contact points closer than `alert` [m] between `a` (candidate) and `b` (antagonist).
pub fn collide(a: &Shape3, pose_a: &Pose<D3>, b: &Shape3, pose_b: &Pose<D3>, alert: f64, out: &mut Points) {
    let start = out.len();
    match (a, b) {
        (Shape3::Compound(compound), _) => {
            for (i, part) in compound.parts().iter().enumerate() {
                let start = out.len();
                collide(part, pose_a, b, pose_b, alert, out);
                out[start..].iter_mut().for_each(|p| p.feature = feature::of_part(p.feature, i, 0));
            }
        }
        (_, Shape3::Compound(compound)) => {
            for (i, part) in compound.parts().iter().enumerate() {
                let start = out.len();
                collide(a, pose_a, part, pose_b, alert, out);
                out[start..].iter_mut().for_each(|p| p.feature = feature::of_part(p.feature, i, 1));
            }
        }
        (Shape3::Polyhedron(a), Shape3::Polyhedron(b)) => {
            polyhedron_polyhedron::collide(a, pose_a, b, pose_b, alert, out);
        }
        (Shape3::Polyhedron(a), Shape3::Sphere(b)) => polyhedron_sphere::collide(a, pose_a, b, pose_b, alert, out),
        (Shape3::Polyhedron(a), Shape3::HalfSpace(b)) => {
            polyhedron_half_space::collide(a, pose_a, b, pose_b, alert, out);
        }
        (Shape3::Sphere(a), Shape3::Sphere(b)) => sphere_sphere::collide(a, pose_a, b, pose_b, alert, out),
        (Shape3::Sphere(a), Shape3::HalfSpace(b)) => sphere_half_space::collide(a, pose_a, b, pose_b, alert, out),
        // two half-spaces are supports and never meet
        (Shape3::HalfSpace(_), Shape3::HalfSpace(_)) => {}
        (Shape3::Sphere(_), Shape3::Polyhedron(_))
        | (Shape3::HalfSpace(_), Shape3::Polyhedron(_) | Shape3::Sphere(_)) => {
            collide(b, pose_b, a, pose_a, alert, out);
            out[start..].iter_mut().for_each(|p| p.normal = -p.normal);
        }
    }
}
