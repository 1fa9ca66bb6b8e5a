//! Moving supports.

use crate::common::*;
use voussoir_geometry::glam::DVec3;
use voussoir_geometry::{D2, D3, Pose, Vector};
use voussoir_mechanics::Stepper;
use voussoir_mechanics::model::{Motion, MotionQuantity, Restitution, Role};
use voussoir_mechanics::time_function::TimeFunction;

/// A block on a sine-moved support that friction can carry follows it; energy closes with the support's work.
fn carried<S: Kit>(direction: S::Vector) {
    let mut model = model::<S>(0.8, Restitution::Inelastic);
    let frequency = 2.0;
    let omega = std::f64::consts::TAU * frequency;
    let amplitude = 3.0 / (omega * omega);
    let sine = TimeFunction::Sine { amplitude, frequency, phase: 0.4, start: 0.0, end: 100.0 };
    model.motions.push(translation(MotionQuantity::Position, direction, sine.clone()));
    add(&mut model, S::floor(), Pose::identity(), Role::Support(Some(0)));
    let block = add(&mut model, S::block(0.4, 0.2), Pose::at(S::v(0.0, 0.1)), Role::Free);
    model.bodies[block].velocity = direction * (amplitude * omega * 0.4_f64.cos());
    let start = 0.5 * model.bodies[block].mass * model.bodies[block].velocity.dot(model.bodies[block].velocity);
    let h = 1e-3;
    let mut stepper = Stepper::new(model, settings(h)).unwrap();
    for report in run(&mut stepper, 1000) {
        assert!(report.penetration < 1e-8, "{report:?}");
        assert!(ledger_error(start, &report) < 1e-10);
        // sticking loses nothing but the jolt of the first step
        assert!(report.ledger.friction.abs() + report.ledger.impact.abs() < 1e-4 * start, "{:?}", report.ledger);
    }
    let t = stepper.state().time;
    let support = direction * (sine.value(t) - sine.value(0.0));
    assert!((position(&stepper, 0) - support).length() < 1e-15);
    // second order: h²a/8 at the end of a step
    let off = (position(&stepper, block) - S::v(0.0, 0.1) - support).length();
    assert!(off < 5e-6 * direction.length(), "{off}");
}

#[test]
fn block_follows_a_sine() {
    carried::<D2>(D2::v(1.0, 0.0));
    carried::<D2>(D2::v(0.0, 1.0));
    carried::<D3>(D3::v(1.0, 0.0));
    carried::<D3>(D3::v(0.6, 0.8));
}

/// Faster than friction allows: the block is dragged with μg.
#[test]
fn block_slips_on_a_hard_shaken_support() {
    let mu = 0.2;
    let mut model = model::<D3>(mu, Restitution::Inelastic);
    model.motions.push(translation(MotionQuantity::Acceleration, DVec3::X, TimeFunction::Constant(5.0)));
    add(&mut model, D3::floor(), Pose::identity(), Role::Support(Some(0)));
    let block = add(&mut model, D3::block(0.4, 0.1), Pose::at(D3::v(0.0, 0.05)), Role::Free);
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    let reports = run(&mut stepper, 200);
    assert!((velocity(&stepper, block).x / (mu * G * 0.2) - 1.0).abs() < 1e-6);
    assert!((position(&stepper, 0).x - 0.5 * 5.0 * 0.04).abs() < 1e-14);
    assert!(ledger_error(0.0, reports.last().unwrap()) < 1e-10);
}

/// A turntable carries a block round: radius kept, no gap, no drift.
#[test]
fn turntable_carries_a_block_round() {
    let rate = 1.0;
    let mut model = model::<D3>(0.9, Restitution::Inelastic);
    model.motions.push(Motion {
        quantity: MotionQuantity::Velocity,
        direction: DVec3::ZERO,
        rotation: DVec3::Z,
        pivot: DVec3::ZERO,
        function: TimeFunction::Constant(rate),
        components: Vec::new(),
    });
    add(&mut model, D3::floor(), Pose::identity(), Role::Support(Some(0)));
    let block = add(&mut model, D3::block(0.4, 0.1), Pose::at(D3::v(1.0, 0.05)), Role::Free);
    model.bodies[block].velocity = DVec3::new(0.0, rate, 0.0);
    model.bodies[block].spin = DVec3::new(0.0, 0.0, rate);
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    run(&mut stepper, 2000);
    let expected = DVec3::new(2.0_f64.cos(), 2.0_f64.sin(), 0.05);
    assert!((position(&stepper, block) - expected).length() < 2e-3, "{}", position(&stepper, block));
    assert!((position(&stepper, block).truncate().length() - 1.0).abs() < 1e-5);
}

/// E1 with the plane tilted slowly: the block starts to slide at tan θ = μ.
fn tilting<S: Kit>() {
    let (mu, rate) = (0.3_f64, 0.02);
    let mut model = model::<S>(mu, Restitution::Inelastic);
    model.motions.push(Motion {
        quantity: MotionQuantity::Acceleration,
        direction: S::zero(),
        rotation: S::spin(-1.0),
        pivot: S::v(0.3, 0.0),
        function: TimeFunction::Constant(rate),
        components: Vec::new(),
    });
    add(&mut model, S::floor(), Pose::identity(), Role::Support(Some(0)));
    add(&mut model, S::block(0.4, 0.1), Pose::at(S::v(0.0, 0.05)), Role::Free);
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    let angle = loop {
        let report = run(&mut stepper, 1).pop().unwrap();
        // the floor is ahead of the block by half a step's acceleration when it starts
        assert!(report.penetration < 0.5 * 0.25e-6 * rate, "{report:?}");
        assert!(report.time < 6.0);
        let tilt = 0.5 * rate * report.time * report.time;
        if report.statuses[2] > 0 {
            break tilt;
        }
        assert!(report.statuses[1] > 0);
    };
    assert!((angle - mu.atan()).abs() < 1e-3, "{angle} {}", mu.atan());
}

#[test]
fn tilted_plane_lets_go_at_the_friction_angle() {
    tilting::<D2>();
    tilting::<D3>();
}

/// A block that carries four times its own mass as fill slips on a hard shaken support as if it carried nothing: v = μ
/// g t. As a force alone the fill would give μ g (1 + 4).
#[test]
fn fault_a_load_that_is_a_mass_moves_with_the_ground() {
    let mu = 0.2;
    let shaken = |mass: bool, moves: bool| {
        let mut model = model::<D3>(mu, Restitution::Inelastic);
        model.motions.push(translation(MotionQuantity::Acceleration, DVec3::X, TimeFunction::Constant(12.0)));
        add(&mut model, D3::floor(), Pose::identity(), Role::Support(moves.then_some(0)));
        let block = add(&mut model, D3::block(0.4, 0.1), Pose::at(D3::v(0.0, 0.05)), Role::Free);
        let weight = model.gravity * (4.0 * model.bodies[block].mass);
        model.loads.push(voussoir_mechanics::model::Load { mass, ..push(block, weight) });
        let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
        let reports = run(&mut stepper, 200);
        let report = reports.last().unwrap();
        assert!(ledger_error(0.0, report) < 1e-10, "{report:?}");
        assert!(
            (report.support_reaction[2] / (-5.0 * stepper.model().gravity.z * stepper.model().bodies[block].mass)
                - 1.0)
                .abs()
                < 1e-9
        );
        velocity(&stepper, block).x / (mu * G * 0.2)
    };
    let (fill, force) = (shaken(true, true), shaken(false, true));
    assert!((fill - 1.0).abs() < 1e-6, "{fill}");
    assert!((force - 5.0).abs() < 1e-6, "{force}");
    // on a ground at rest both are forces
    assert_eq!(shaken(true, false).to_bits(), shaken(false, false).to_bits());
}

/// A mass that grows while it moves brings its kinetic energy along: the ledger closes.
#[test]
fn a_mass_that_changes_with_time_is_in_the_ledger() {
    let mut model = model::<D2>(0.9, Restitution::Inelastic);
    let sine = TimeFunction::Sine { amplitude: 2.0, frequency: 3.0, phase: 0.0, start: 0.0, end: 100.0 };
    model.motions.push(translation(MotionQuantity::Acceleration, D2::v(1.0, 0.0), sine));
    add(&mut model, D2::floor(), Pose::identity(), Role::Support(Some(0)));
    let block = add(&mut model, D2::block(0.4, 0.2), Pose::at(D2::v(0.0, 0.1)), Role::Free);
    let weight = model.gravity * model.bodies[block].mass;
    let function = TimeFunction::Table(vec![(0.0, 0.0), (0.2, 3.0), (0.4, 1.0)]);
    model.loads.push(voussoir_mechanics::model::Load { mass: true, function, ..push(block, weight) });
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    for report in run(&mut stepper, 400) {
        assert!(ledger_error(0.0, &report) < 1e-9, "{report:?}");
    }
}
