//! Spheres and discs.

use crate::common::*;
use proptest::prelude::*;
use voussoir_geometry::glam::{DVec2, DVec3, dvec2, dvec3};
use voussoir_geometry::{Pose, Shape2, Shape3, Solid};

fn sphere(radius: f64) -> Shape3 {
    Shape3::sphere(radius).expect("sound")
}

fn disc(radius: f64) -> Shape2 {
    Shape2::disc(radius).expect("sound")
}

#[test]
fn spheres_on_spheres_and_planes() {
    let p = contacts(&sphere(1.0), &at(0.0, 0.0, 3.1), &sphere(2.0), &Pose::identity(), 0.2)[0];
    assert!((p.gap - 0.1).abs() < 1e-15 && p.normal == DVec3::Z && p.position.distance(dvec3(0.0, 0.0, 2.05)) < 1e-15);
    assert!(contacts(&sphere(1.0), &at(0.0, 0.0, 3.1), &sphere(2.0), &Pose::identity(), 0.05).is_empty());
    // concentric: a direction all the same
    let p = contacts(&sphere(1.0), &Pose::identity(), &sphere(2.0), &Pose::identity(), 0.05)[0];
    assert!(p.gap == -3.0 && p.normal == DVec3::Z);
    let floor = Shape3::half_space(DVec3::Z).expect("sound").translated(dvec3(0.0, 0.0, 1.0));
    let p = contacts(&sphere(0.5), &at(7.0, 8.0, 1.499), &floor, &Pose::identity(), 0.05)[0];
    assert!((p.gap + 1e-3).abs() < 1e-15 && p.position.distance(dvec3(7.0, 8.0, 0.9995)) < 1e-15);
    assert!(contacts(&floor, &Pose::identity(), &floor, &at(0.0, 0.0, 0.1), 1.0).is_empty());
}

#[test]
fn spheres_on_faces_edges_corners_and_inside() {
    let cube = cuboid(2.0, 2.0, 2.0);
    let ball = sphere(0.5);
    let meet = |x: f64, y: f64, z: f64| contacts(&ball, &at(x, y, z), &cube, &Pose::identity(), 0.1);
    let face = meet(0.3, 0.2, 1.5)[0];
    assert!(face.gap == 0.0 && face.normal == DVec3::Z && face.position.distance(dvec3(0.3, 0.2, 1.0)) < 1e-15);
    let edge = meet(1.3, 0.2, 1.4)[0];
    assert!(edge.gap.abs() < 1e-15 && edge.normal.distance(dvec3(0.6, 0.0, 0.8)) < 1e-15);
    assert!(edge.position.distance(dvec3(1.0, 0.2, 1.0)) < 1e-15);
    let corner = meet(1.2, 1.3, 1.0 + 0.12_f64.sqrt())[0];
    assert!(corner.gap.abs() < 1e-15 && corner.position.distance(DVec3::ONE) < 1e-15);
    // centre on the surface, then inside: out by the nearest face
    let on = meet(0.3, 0.2, 1.0)[0];
    assert!((on.gap + 0.5).abs() < 1e-15 && on.normal == DVec3::Z);
    let inside = meet(0.3, 0.2, 0.9)[0];
    assert!((inside.gap + 0.6).abs() < 1e-15 && inside.normal == DVec3::Z);
    assert!(meet(1.6, 1.6, 1.6).is_empty());
    let names = [face.feature, edge.feature, corner.feature];
    assert!(names[0] != names[1] && names[1] != names[2] && names[0] != names[2]);
}

#[test]
fn discs() {
    let square = rectangle(2.0, 2.0);
    let meet = |x: f64, y: f64| contacts2(&disc(0.5), &at2(x, y), &square, &Pose::identity(), 0.1);
    assert!(meet(0.3, 1.5)[0].gap == 0.0 && meet(0.3, 1.5)[0].normal == DVec2::Y);
    let corner = meet(1.3, 1.4)[0];
    assert!(corner.gap.abs() < 1e-15 && corner.normal.distance(dvec2(0.6, 0.8)) < 1e-15);
    assert!((meet(0.3, 0.9)[0].gap + 0.6).abs() < 1e-15);
    assert!(meet(1.6, 1.6).is_empty());
    let p = contacts2(&disc(1.0), &at2(0.0, 3.1), &disc(2.0), &Pose::identity(), 0.2)[0];
    assert!((p.gap - 0.1).abs() < 1e-15 && p.normal == DVec2::Y && p.position.distance(dvec2(0.0, 2.05)) < 1e-15);
    let ground = Shape2::half_plane(DVec2::Y).expect("sound");
    let p = contacts2(&ground, &Pose::identity(), &disc(0.5), &at2(7.0, 0.499), 0.05)[0];
    assert!((p.gap + 1e-3).abs() < 1e-15 && p.normal == -DVec2::Y);
    assert!(contacts2(&disc(1.0), &Pose::identity(), &disc(1.0), &Pose::identity(), 0.0)[0].gap == -2.0);
}

proptest! {
    #![proptest_config(cases(256))]
    /// The distance to a stone, against the distance to a dense cloud of points on its surface.
    #[test]
    fn a_sphere_finds_the_closest_point_of_a_stone(stone in stone(), pose in pose(), toward in vector(), far in 0.5..3.0f64) {
        let Some(direction) = toward.try_normalize() else { return Ok(()) };
        let Shape3::Polyhedron(body) = &stone else { return Ok(()) };
        let centre = body.centre() + direction * far;
        let place = Pose { position: pose.point(centre), ..pose };
        let points = contacts(&stone, &pose, &sphere(0.1), &place, 10.0);
        prop_assert_eq!(points.len(), 1);
        let outside = body.normals().iter().zip(body.offsets()).any(|(n, d)| n.dot(centre) > *d);
        if !outside {
            return Ok(());
        }
        let found = points[0].gap + 0.1;
        // the contact point on the stone is in the stone, and no point of it is closer
        let on_stone = pose.local_point(points[0].position + points[0].normal * (0.5 * points[0].gap));
        prop_assert!((on_stone.distance(centre) - found).abs() < 1e-12);
        for (n, d) in body.normals().iter().zip(body.offsets()) {
            prop_assert!(n.dot(on_stone) - d < 1e-12);
        }
        for v in body.vertices() {
            // convexity: the closest point sees no vertex beyond the plane through it
            prop_assert!((centre - on_stone).dot(*v - on_stone) < 1e-11);
        }
    }
}
