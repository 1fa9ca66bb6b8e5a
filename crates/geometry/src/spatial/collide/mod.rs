//! Contact points between two shapes in 3D: one file per pair of shapes.
//!
//! Every pair takes the candidate first and returns normals from the antagonist to the candidate. Lengths are measured
//! in the axes of one of the two bodies, so structures far from the origin lose no accuracy.
//!
//! Two polyhedra use one of three methods: clipping (`polyhedron_polyhedron`), `common_plane` or `swept`. `patch` and
//! `overlap` compute the intersection of faces, `convex` does the same for cylinders.

mod common_plane;
mod convex;
mod corner;
mod cylinder;
mod edges;
mod overlap;
mod patch;
mod polyhedron_half_space;
mod polyhedron_polyhedron;
mod polyhedron_sphere;
mod sphere_half_space;
mod sphere_sphere;
mod swept;

use glam::{DMat3, DVec3};

use super::{Compound3, Polyhedron, Shape3};
use crate::detection::{Detection, Method, reduce};
use crate::feature;
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D3;

/// Contact points of space.
type Points = Vec<ContactPoint<D3>>;

/// Relative placement of two polyhedra whose bounding spheres are closer than the alert distance.
struct Approach {
    /// From the axes of the candidate to those of the antagonist: rotation, then translation.
    turn: DMat3,
    shift: DVec3,
    /// From the centre of the antagonist to that of the candidate, in the axes of the antagonist.
    between: DVec3,
    apart: f64,
}

impl Approach {
    /// `None` if the bounding spheres are farther apart than `alert`.
    fn new(a: &Polyhedron, pose_a: &Pose<D3>, b: &Polyhedron, pose_b: &Pose<D3>, alert: f64) -> Option<Self> {
        let (turn_a, turn_b) = (DMat3::from_quat(pose_a.rotation), DMat3::from_quat(pose_b.rotation));
        let (turn, shift) = (turn_b.transpose() * turn_a, turn_b.transpose() * (pose_a.position - pose_b.position));
        let between = turn * a.centre() + shift - b.centre();
        let apart = between.length();
        // also if the distance is not a number
        (apart <= a.radius() + b.radius() + alert).then_some(Self { turn, shift, between, apart })
    }
}

/// Appends all contact points closer than `alert` [m] between `a` (candidate) and `b` (antagonist).
pub fn collide(
    a: &Shape3,
    pose_a: &Pose<D3>,
    b: &Shape3,
    pose_b: &Pose<D3>,
    alert: f64,
    detection: Detection,
    out: &mut Points,
) {
    let start = out.len();
    match (a, b) {
        (Shape3::Compound(compound), _) => {
            each_near(compound, pose_a, b, pose_b, alert, |i, part| {
                let start = out.len();
                collide(part, pose_a, b, pose_b, alert, detection, out);
                out[start..].iter_mut().for_each(|p| p.feature = feature::of_part(p.feature, i, 0));
            });
            return;
        }
        (_, Shape3::Compound(compound)) => {
            each_near(compound, pose_b, a, pose_a, alert, |i, part| {
                let start = out.len();
                collide(a, pose_a, part, pose_b, alert, detection, out);
                out[start..].iter_mut().for_each(|p| p.feature = feature::of_part(p.feature, i, 1));
            });
            return;
        }
        (Shape3::Polyhedron(a), Shape3::Polyhedron(b)) => match detection.method {
            Method::Clip | Method::Rounded => polyhedron_polyhedron::collide(a, pose_a, b, pose_b, alert, out),
            Method::CommonPlane => common_plane::collide(a, pose_a, b, pose_b, alert, out),
            Method::Swept => swept::collide(a, pose_a, b, pose_b, alert, out),
        },
        (Shape3::Polyhedron(a), Shape3::Sphere(b)) => polyhedron_sphere::collide(a, pose_a, b, pose_b, alert, out),
        (Shape3::Polyhedron(a), Shape3::HalfSpace(b)) => {
            polyhedron_half_space::collide(a, pose_a, b, pose_b, alert, out);
        }
        (Shape3::Sphere(a), Shape3::Sphere(b)) => sphere_sphere::collide(a, pose_a, b, pose_b, alert, out),
        (Shape3::Sphere(a), Shape3::HalfSpace(b)) => sphere_half_space::collide(a, pose_a, b, pose_b, alert, out),
        (Shape3::Cylinder(a), Shape3::Polyhedron(b)) => cylinder::polyhedron(a, pose_a, b, pose_b, alert, out),
        (Shape3::Cylinder(a), Shape3::Cylinder(b)) => cylinder::cylinder(a, pose_a, b, pose_b, alert, out),
        (Shape3::Cylinder(a), Shape3::Sphere(b)) => cylinder::sphere(a, pose_a, b, pose_b, alert, out),
        (Shape3::Cylinder(a), Shape3::HalfSpace(b)) => cylinder::half_space(a, pose_a, b, pose_b, alert, out),
        // two half-spaces are supports and never meet
        (Shape3::HalfSpace(_), Shape3::HalfSpace(_)) => {}
        (Shape3::Sphere(_), Shape3::Polyhedron(_) | Shape3::Cylinder(_))
        | (Shape3::Polyhedron(_), Shape3::Cylinder(_))
        | (Shape3::HalfSpace(_), Shape3::Polyhedron(_) | Shape3::Sphere(_) | Shape3::Cylinder(_)) => {
            collide(b, pose_b, a, pose_a, alert, detection, out);
            out[start..].iter_mut().for_each(|p| p.normal = -p.normal);
            return;
        }
    }
    reduce(detection.nodes, start, out);
}

/// Calls `meet` for the parts of a compound whose ball may touch another shape's.
fn each_near(
    compound: &Compound3,
    pose: &Pose<D3>,
    other: &Shape3,
    other_pose: &Pose<D3>,
    alert: f64,
    mut meet: impl FnMut(usize, &Shape3),
) {
    let (centre, radius) = other.ball();
    let centre = pose.local_point(other_pose.point(centre));
    for (i, part) in compound.parts().iter().enumerate() {
        let (own, reach) = part.ball();
        // an infinite radius is near to everything
        if radius == f64::INFINITY || own.distance(centre) <= reach + radius + alert {
            meet(i, part);
        }
    }
}
