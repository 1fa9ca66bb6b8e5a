//! Volume, centroid and inertia against closed forms.

use crate::common::*;
use proptest::prelude::*;
use voussoir_geometry::glam::{DMat3, DVec2, DVec3, dvec2, dvec3};
use voussoir_geometry::{D2, Pose, Shape2, Shape3, Solid};

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-13 * (1.0 + a.abs().max(b.abs()))
}

fn close_matrix(a: DMat3, b: DMat3, tolerance: f64) -> bool {
    (a - b).to_cols_array().iter().all(|x| x.abs() <= tolerance)
}

#[test]
fn a_box_has_the_textbook_values() {
    let (x, y, z) = (0.5, 0.25, 2.0);
    let mass = cuboid(x, y, z).translated(dvec3(3.0, -2.0, 1.0)).mass_properties().expect("finite");
    let expected = dvec3(y * y + z * z, x * x + z * z, x * x + y * y) * (x * y * z / 12.0);
    assert!(close(mass.volume, x * y * z));
    assert!(mass.centroid.distance(dvec3(3.0, -2.0, 1.0)) < 1e-14);
    assert!(close_matrix(mass.inertia, DMat3::from_diagonal(expected), 1e-14));
}

#[test]
fn a_tetrahedron_has_the_textbook_values() {
    // corner at the origin, legs of length 1: V = 1/6, c = 1/4, I_xx about the centroid = 2·(1/60) − 2·V/16 = 1/80
    let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let faces = vec![vec![0, 2, 1], vec![0, 1, 3], vec![0, 3, 2], vec![1, 2, 3]];
    let mass = Shape3::polyhedron(vertices, faces).expect("sound").shape.mass_properties().expect("finite");
    assert!(close(mass.volume, 1.0 / 6.0));
    assert!(mass.centroid.distance(DVec3::splat(0.25)) < 1e-15);
    assert!(close(mass.inertia.x_axis.x, 1.0 / 80.0));
    // product of inertia: −(∫xy − V c²) = −(1/120 − 1/96) = 1/480
    assert!(close(mass.inertia.x_axis.y, 1.0 / 480.0));
}

#[test]
fn prisms_with_many_sides_approach_the_cylinder_in_the_known_way() {
    for sides in [3, 4, 6, 17, 64] {
        let n = sides as f64;
        let (r, h) = (0.7, 1.3);
        let angle = std::f64::consts::TAU / n;
        let area = 0.5 * n * r * r * angle.sin();
        // polar second moment of a regular polygon of circumradius r: A r²/6 (2 + cos(2π/n))
        let polar = area * r * r / 6.0 * (2.0 + angle.cos());
        let mass = prism(sides, r, h).mass_properties().expect("finite");
        assert!(close(mass.volume, area * h));
        assert!(close(mass.inertia.z_axis.z, polar * h));
        assert!(close(mass.inertia.x_axis.x, 0.5 * polar * h + area * h.powi(3) / 12.0));
    }
}

#[test]
fn spheres_discs_and_half_spaces() {
    let mass = Shape3::sphere(0.3).expect("sound").mass_properties().expect("finite");
    let volume = 4.0 / 3.0 * std::f64::consts::PI * 0.027;
    assert!(close(mass.volume, volume) && close(mass.inertia.y_axis.y, 0.4 * volume * 0.09));
    let mass = Shape2::disc(0.3).expect("sound").mass_properties().expect("finite");
    let area = std::f64::consts::PI * 0.09;
    assert!(close(mass.volume, area) && close(mass.inertia, 0.5 * area * 0.09));
    assert!(Shape3::half_space(DVec3::Z).expect("sound").mass_properties().is_none());
    assert!(Shape2::half_plane(DVec2::Y).expect("sound").mass_properties().is_none());
}

#[test]
fn a_compound_of_two_halves_is_the_whole() {
    let half = cuboid(0.5, 1.0, 2.0);
    let whole = cuboid(1.0, 1.0, 2.0).mass_properties().expect("finite");
    let two = Shape3::compound(vec![(at(-0.25, 0.0, 0.0), half.clone()), (at(0.25, 0.0, 0.0), half)]).expect("sound");
    let mass = two.mass_properties().expect("finite");
    assert!(close(mass.volume, whole.volume) && mass.centroid.length() < 1e-15);
    assert!(close_matrix(mass.inertia, whole.inertia, 1e-14));
    assert!((two.size() - cuboid(1.0, 1.0, 2.0).size()).abs() < 0.6);

    let part = rectangle(1.0, 1.0);
    let l_shape = vec![(at2(0.5, 0.5), part.clone()), (at2(1.5, 0.5), part.clone()), (at2(0.5, 1.5), part)];
    let mass = Shape2::compound(l_shape).expect("sound").mass_properties().expect("finite");
    assert!(close(mass.volume, 3.0) && mass.centroid.distance(dvec2(5.0 / 6.0, 5.0 / 6.0)) < 1e-15);
    // three squares: 3/6 + Σ d²
    let d2 = |x: f64, y: f64| (x - 5.0 / 6.0).powi(2) + (y - 5.0 / 6.0).powi(2);
    assert!(close(mass.inertia, 0.5 + d2(0.5, 0.5) + d2(1.5, 0.5) + d2(0.5, 1.5)));
}

#[test]
fn a_polygon_far_from_the_origin_keeps_its_digits() {
    let triangle = Shape2::polygon(vec![dvec2(0.0, 0.0), dvec2(3.0, 0.0), dvec2(0.0, 3.0)]).expect("sound").shape;
    let near = triangle.mass_properties().expect("finite");
    assert!(close(near.volume, 4.5) && near.centroid.distance(dvec2(1.0, 1.0)) < 1e-15);
    // b h³/36 + h b³/36
    assert!(close(near.inertia, 2.0 * 81.0 / 36.0));
    let far = triangle.translated(dvec2(1e5, -1e5)).mass_properties().expect("finite");
    assert!((far.inertia - near.inertia).abs() < 1e-9);
}

proptest! {
    #![proptest_config(cases(64))]
    #[test]
    fn mass_follows_a_rigid_motion(stone in stone(), pose in pose()) {
        let (here, there) = (stone.mass_properties().unwrap(), stone.placed(&pose).mass_properties().unwrap());
        prop_assert!((here.volume - there.volume).abs() < 1e-12);
        prop_assert!(pose.point(here.centroid).distance(there.centroid) < 1e-10);
        let turn = DMat3::from_quat(pose.rotation);
        prop_assert!(close_matrix(turn * here.inertia * turn.transpose(), there.inertia, 1e-10));
    }

    #[test]
    fn bounds_hold_the_surface(stone in stone(), pose in pose()) {
        let bounds = stone.bounds(&pose);
        for p in stone.surface(1.0).points {
            let p = pose.point(DVec3::from(p));
            prop_assert!(bounds.grown(1e-12).min.cmple(p).all() && p.cmple(bounds.grown(1e-12).max).all());
        }
    }

    #[test]
    fn polygons_follow_a_rigid_motion(points in prop::collection::vec(prop::array::uniform2(-1.0..1.0f64), 4..20), angle in -4.0..4.0f64) {
        let points: Vec<DVec2> = points.into_iter().map(DVec2::from).collect();
        if let Ok(shape) = Shape2::hull(&points) {
            let pose = Pose::<D2> { position: dvec2(3.0, -1.0), rotation: angle };
            let (here, there) = (shape.mass_properties().unwrap(), shape.placed(&pose).mass_properties().unwrap());
            prop_assert!((here.volume - there.volume).abs() < 1e-12);
            prop_assert!(pose.point(here.centroid).distance(there.centroid) < 1e-10);
            prop_assert!((here.inertia - there.inertia).abs() < 1e-12);
            prop_assert!(points.iter().all(|p| p.distance(points[0]) <= shape.size() * (1.0 + 1e-12)));
        }
    }
}

#[test]
fn pictures_enclose_the_volume() {
    let signed = |shape: &Shape3| {
        let surface = shape.surface(1.0);
        let at = |i: u32| DVec3::from(surface.points[i as usize]);
        let fan =
            |p: &Vec<u32>| (1..p.len() - 1).map(|i| at(p[0]).dot(at(p[i]).cross(at(p[i + 1]))) / 6.0).sum::<f64>();
        surface.polygons.iter().map(fan).sum::<f64>()
    };
    assert!(close(signed(&cuboid(1.0, 2.0, 3.0)), 6.0));
    let globe = signed(&Shape3::sphere(1.0).expect("sound"));
    assert!(globe > 3.7 && globe < 4.19);
    let square = Shape3::half_space(DVec3::Z).expect("sound").translated(dvec3(0.0, 0.0, 2.0)).surface(10.0);
    assert!(square.points.iter().all(|p| p[2] == 2.0 && p[0].abs().max(p[1].abs()) <= 10.0 / 2.0_f64.sqrt()));
    // a picture of a half-plane lies below its line
    let ground = Shape2::half_plane(DVec2::Y).expect("sound").surface(4.0);
    assert!(ground.points.iter().all(|p| p[1] <= 0.0));
}
