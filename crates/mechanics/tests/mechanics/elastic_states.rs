//! Elastic blocks: concave blocks, forces that do not depend on the modulus, mean stresses, impacts.

use std::sync::Arc;

use voussoir_geometry::glam::{DVec2, DVec3};
use voussoir_geometry::{D2, D3, Pose, Shape2, Solid};
use voussoir_mechanics::Stepper;
use voussoir_mechanics::elastic::{
    ElasticConstants, Fineness, FlexibleSettings, FlexibleSpace, PlaneState, mean_stress,
};
use voussoir_mechanics::model::{DynamicSettings, Restitution, Role};
use voussoir_mechanics::time_function::TimeFunction;

use crate::common::*;
use crate::elastic::{YOUNG, make_elastic, quiet, stone, tower};

#[test]
fn a_concave_block_stands_on_its_feet() {
    // legs of 0.2 × 0.6 m under a beam of 1.2 × 0.2 m, one body of three tied cells; 20 mm too far to the right
    let rectangle = |x: f64, y: f64, width: f64, height: f64| {
        (Pose::at(DVec2::new(x, y)), Shape2::rectangle(DVec2::new(width, height)).unwrap())
    };
    let parts = vec![rectangle(-0.5, 0.3, 0.2, 0.6), rectangle(0.5, 0.3, 0.2, 0.6), rectangle(0.0, 0.7, 1.2, 0.2)];
    let shape = Shape2::compound(parts).unwrap();
    let centroid = shape.mass_properties().unwrap().centroid;
    let shape = shape.translated(-centroid);
    let mut model = model::<D2>(0.6, Restitution::Inelastic);
    floor(&mut model);
    let body = add(&mut model, shape, Pose::at(centroid), Role::Free);
    make_elastic(&mut model, body, &FlexibleSettings { fineness: Fineness::of_size(0.101), ..stone(0.2, 1) });
    model.elastic[body].as_mut().unwrap().grid = 2;
    let weight = model.bodies[body].mass * G;
    let mut stepper = Stepper::new(model, quiet(5e-3)).unwrap();
    let report = run(&mut stepper, 60).pop().unwrap();
    // contacts of two feet, none between them
    assert_eq!(stepper.contacts().len(), 6);
    assert!(stepper.contacts().iter().all(|contact| contact.position.x.abs() > 0.39));
    for side in [-1.0, 1.0] {
        let own = stepper.contacts().iter().filter(|contact| contact.position.x * side > 0.0);
        let (up, inwards) = own.fold((0.0, 0.0), |sum, c| (sum.0 + c.force.y, sum.1 - side * c.force.x));
        assert!((up / (0.5 * weight) - 1.0).abs() < 1e-6, "{up} of {weight}");
        // the beam pushes the legs apart: friction holds them
        assert!(inwards > 0.01 * up && inwards < 0.6 * up, "{inwards}");
    }
    assert!(report.speed < 1e-8);
    // a beam on two supports: tension below its middle
    let part = stepper.model().elastic_part(body).unwrap();
    let stresses = voussoir_mechanics::elastic::shown::point_stresses(part, stepper.state(), body);
    let (surface, points) = part.block.drawn();
    let below = surface.points.iter().position(|p| p[0].abs() < 1e-9 && (p[1] - (0.6 - centroid.y)).abs() < 1e-9);
    assert!(stresses[points[below.unwrap()] as usize].0[0] > 0.0);
}

#[test]
fn forces_do_not_depend_on_the_modulus() {
    // L6: joints that open by parts; displacements are as 1/E
    let solved = |softer: f64| {
        let mut model = tower(4, 2, 20e3, false);
        model.loads[0].force /= 1000.0;
        model.gravity /= 1000.0;
        model.loads[0].function = TimeFunction::Constant(1.0);
        let shape = Arc::clone(&model.bodies[1].shape);
        let constants = ElasticConstants::Isotropic { young: YOUNG / softer, poisson: 0.2 };
        let fineness = Fineness::of_size(0.2501);
        let settings = FlexibleSettings { constants, fineness, density: 2400.0, ..stone(0.2, 2) };
        let (block, _) = D3::flexible(&shape, &settings).unwrap();
        model.elastic.iter_mut().flatten().for_each(|part| part.block = Arc::clone(&block));
        let settings = DynamicSettings { tolerance: 1e-12, ..quiet(0.05 * softer.sqrt()) };
        let mut stepper = Stepper::new(model, settings).unwrap();
        for _ in 0..60 {
            stepper.step().unwrap();
        }
        let forces: Vec<DVec3> = stepper.contacts().iter().map(|contact| contact.force).collect();
        let moved = stepper.state().poses[4].position.x;
        (forces, moved)
    };
    let ((stiff, little), (soft, much)) = (solved(1.0), solved(10.0));
    let largest = stiff.iter().map(|force| force.length()).fold(0.0, f64::max);
    let worst = stiff.iter().zip(&soft).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
    assert!(worst < 1e-6 * largest, "{worst:e} of {largest}");
    assert!((much / little - 10.0).abs() < 1e-4, "{much:e} {little:e}");
    assert!(stiff.iter().filter(|force| force.length() < 1e-9 * largest).count() > 0, "no joint opens");
}

#[test]
fn mean_stresses_from_forces_are_those_from_strains() {
    // an elastic block with a rigid one on its left half: Love–Weber, V σ = Σ (x − c) ⊗ f, and the mean over the volume
    let mut model = model::<D2>(0.6, Restitution::Inelastic);
    floor(&mut model);
    let block = Shape2::rectangle(DVec2::new(1.0, 0.6)).unwrap();
    let body = add(&mut model, block, Pose::at(DVec2::new(0.0, 0.3)), Role::Free);
    let small = Shape2::rectangle(DVec2::new(0.4, 0.5)).unwrap();
    add(&mut model, small, Pose::at(DVec2::new(-0.2, 0.85)), Role::Free);
    make_elastic(&mut model, body, &FlexibleSettings { state: PlaneState::Stress, ..stone(0.2, 4) });
    model.elastic[body].as_mut().unwrap().grid = 3;
    let mut stepper = Stepper::new(model, DynamicSettings { tolerance: 1e-10, ..quiet(5e-3) }).unwrap();
    run(&mut stepper, 100);
    let centre = stepper.state().poses[body].position;
    let mut from_forces = [0.0; 3];
    for contact in stepper.contacts() {
        let sign = if contact.key.candidate as usize == body { 1.0 } else { -1.0 };
        let (x, f) = (contact.position - centre, contact.force * sign / 0.6);
        let own = [x.x * f.x, x.y * f.y, 0.5 * (x.x * f.y + x.y * f.x)];
        from_forces.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
    }
    let part = stepper.model().elastic_part(body).unwrap();
    let from_strains = mean_stress(&part.block.stresses(&stepper.state().elastic[body].displacement, 0.0)).0;
    for (force, strain) in from_forces.iter().zip([from_strains[0], from_strains[1], from_strains[3]]) {
        assert!((force - strain).abs() < 1e-5 * from_forces[1].abs(), "{from_forces:?} {from_strains:?}");
    }
}

/// A bar of 10 × 1 m with n elements along it flies against a wall, which it reaches in the middle of the first step: energy lost,
/// and the energy ½ v²/(M̂⁻¹)₀₀ of what the contact stops.
fn first_touch(n: usize) -> [f64; 2] {
    let (v, h) = (10.0, 0.5 * 10.0 / (n as f64 * 30.0));
    let mut model = model::<D2>(0.0, Restitution::Inelastic);
    model.gravity = DVec2::ZERO;
    let wall = Shape2::rectangle(DVec2::new(1.0, 4.0)).unwrap();
    add(&mut model, wall, Pose::at(DVec2::new(0.5, 0.0)), Role::Support(None));
    let bar = Shape2::rectangle(DVec2::new(10.0, 1.0)).unwrap();
    let body = add(&mut model, bar, Pose::at(DVec2::new(-5.0 - 0.5 * h * v, 0.0)), Role::Free);
    model.bodies[body].mass /= DENSITY;
    model.bodies[body].inertia /= DENSITY;
    model.bodies[body].velocity = DVec2::new(v, 0.0);
    let constants = ElasticConstants::Isotropic { young: 900.0, poisson: 0.0 };
    let fineness = Fineness::of_size(10.01 / n as f64);
    let settings = FlexibleSettings { constants, density: 1.0, state: PlaneState::Stress, fineness, ..stone(0.0, 1) };
    make_elastic(&mut model, body, &settings);
    let block = Arc::clone(&model.elastic[body].as_ref().unwrap().block);
    let corners = [[5.0, -0.5, 0.0], [5.0, 0.5, 0.0]];
    let weights = block.interface(&corners, [1.0, 0.0, 0.0], 1e-6, voussoir_elastic::CoordinateMode::Corners).unwrap();
    let compliance = Arc::clone(&block).operator(0.5 * h).unwrap().compliance(&weights);
    // two equal contacts: (a + b + 2/m) r = v
    let mobility = compliance[0] + compliance[2] + 2.0 / model.bodies[body].mass;
    let mut stepper = Stepper::new(model, DynamicSettings { tolerance: 1e-12, ..settings_of(h) }).unwrap();
    let report = stepper.step().unwrap();
    [report.ledger.impact, v * v / mobility]
}

fn settings_of(h: f64) -> DynamicSettings {
    DynamicSettings { step: h, ..DynamicSettings::default() }
}

#[test]
fn the_first_touch_of_a_bar_costs_the_energy_of_the_mass_that_stops() {
    let [coarse, fine] = [20, 40].map(|n| {
        let [lost, expected] = first_touch(n);
        assert!((lost / expected - 1.0).abs() < 1e-9, "{n} elements: {lost} {expected}");
        lost
    });
    // 500 J in all; halves with the element
    assert!(coarse < 0.05 * 500.0 && (coarse / fine - 2.0).abs() < 0.05, "{coarse} {fine}");
}
