//! Masonry at rest stays at rest: a running-bond wall with closed head joints, a tall stack, an arch.

use crate::common::*;
use voussoir_geometry::glam::{DVec2, DVec3};
use voussoir_geometry::{D2, D3, Pose, Shape2, Shape3, Solid, Space};
use voussoir_mechanics::Stepper;
use voussoir_mechanics::measures::mass_and_weight;
use voussoir_mechanics::model::{Model, Restitution, Role};

/// Steps and asserts: converged, reaction equal to the weight and steady, no motion, no penetration.
fn stands<S: Space>(model: Model<S>, steps: usize) {
    let (_, weight) = mass_and_weight(&model);
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    let reaction: Vec<f64> = (0..steps)
        .map(|_| {
            let report = stepper.step().unwrap();
            assert!(report.converged, "{report:?}");
            assert!(report.displacement < 1e-8 && report.penetration < 1e-9, "{report:?}");
            report.support_reaction[S::UP] / weight
        })
        .collect();
    for pair in reaction.windows(2).skip(10) {
        assert!((pair[1] - 1.0).abs() < 1e-8 && (pair[1] - pair[0]).abs() < 1e-8, "{pair:?}");
    }
}

/// Bricks 0.5 × 0.25 × 0.25 m, half bricks at the ends of odd courses.
#[test]
fn wall_stands() {
    let (bricks, courses) = (20, 10);
    let mut model = model::<D3>(0.6, Restitution::Inelastic);
    floor(&mut model);
    for course in 0..courses {
        let odd = course % 2 == 1;
        let mut x = 0.0;
        for i in 0..bricks + usize::from(odd) {
            let length = if odd && (i == 0 || i == bricks) { 0.25 } else { 0.5 };
            let brick = Shape3::cuboid(DVec3::new(length, 0.25, 0.25)).unwrap();
            let at = DVec3::new(x + length / 2.0, 0.0, 0.25 * course as f64 + 0.125);
            add(&mut model, brick, Pose::at(at), Role::Free);
            x += length;
        }
    }
    stands(model, 300);
}

#[test]
fn stack_of_fifty_stands() {
    let mut model = model::<D3>(0.6, Restitution::Inelastic);
    floor(&mut model);
    for i in 0..50 {
        add(&mut model, Shape3::cuboid(DVec3::ONE).unwrap(), Pose::at(DVec3::Z * (0.5 + i as f64)), Role::Free);
    }
    stands(model, 300);
}

/// A semicircular arch of 27 voussoirs between two springers, t/R = 0.15.
#[test]
fn arch_stands() {
    let mut model = model::<D2>(0.7, Restitution::Inelastic);
    let (inner, outer, count) = (0.925, 1.075, 29);
    let step = std::f64::consts::PI / 27.0;
    for i in 0..count {
        let ray = |k: usize, r: f64| DVec2::from_angle((k as f64 - 1.0) * step) * r;
        let corners = vec![ray(i, inner), ray(i, outer), ray(i + 1, outer), ray(i + 1, inner)];
        let shape = Shape2::polygon(corners).unwrap().shape;
        let properties = shape.mass_properties().unwrap();
        let role = if i == 0 || i + 1 == count { Role::Support(None) } else { Role::Free };
        add(&mut model, shape.translated(-properties.centroid), Pose::at(properties.centroid), role);
    }
    stands(model, 300);
}
