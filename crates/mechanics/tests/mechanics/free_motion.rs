//! Bodies without contacts.

use crate::common::*;
use voussoir_geometry::glam::{DMat3, DVec3};
use voussoir_geometry::{D2, D3, Pose, Vector};
use voussoir_mechanics::measures::momentum;
use voussoir_mechanics::model::{Restitution, Role};
use voussoir_mechanics::{MechanicsError, Stepper, measures};

fn free_fall_is_a_parabola<S: Kit>() {
    let mut model = model::<S>(0.5, Restitution::Inelastic);
    let body = add(&mut model, S::block(0.4, 0.2), Pose::at(S::v(1.0, 2.0)), Role::Free);
    model.bodies[body].velocity = S::v(3.0, 4.0);
    model.loads.push(push(body, S::v(100.0, 0.0)));
    let mass = model.bodies[body].mass;
    let mut stepper = Stepper::new(model, settings(1e-2)).unwrap();
    let reports = run(&mut stepper, 100);
    let (t, a) = (1.0, 100.0 / mass);
    let expected = S::v(1.0 + 3.0 * t + 0.5 * a * t * t, 2.0 + 4.0 * t - 0.5 * G * t * t);
    assert!((position(&stepper, body) - expected).length() < 1e-12);
    assert!((velocity(&stepper, body) - S::v(3.0 + a * t, 4.0 - G * t)).length() < 1e-12);
    assert!(ledger_error(0.5 * mass * 25.0, reports.last().unwrap()) < 1e-12);
    let last = reports.last().unwrap();
    assert!((last.potential_energy + last.ledger.gravity).abs() < 1e-12 * last.ledger.gravity.abs());
}

#[test]
fn free_fall_is_a_parabola_in_both_dimensions() {
    free_fall_is_a_parabola::<D2>();
    free_fall_is_a_parabola::<D3>();
}

/// E13: a tumbling body about its unstable axis.
#[test]
fn free_rotation_keeps_energy_and_angular_momentum() {
    let mut model = model::<D3>(0.5, Restitution::Inelastic);
    model.gravity = DVec3::ZERO;
    let body = add(&mut model, D3::block(0.4, 0.2), Pose::identity(), Role::Free);
    model.bodies[body].inertia = DMat3::from_diagonal(DVec3::new(1.0, 2.0, 3.0));
    model.bodies[body].spin = DVec3::new(0.01, 5.0, 0.02);
    let mut stepper = Stepper::new(model.clone(), settings(1e-3)).unwrap();
    let energy = measures::kinetic_energy(&model, stepper.state());
    let (_, moment) = momentum(&model, stepper.state());
    let mut flipped = false;
    for _ in 0..100_000 {
        let report = stepper.step().unwrap();
        assert!(
            (report.kinetic_energy - energy).abs() < 1e-10 * energy,
            "{} {}",
            report.step,
            report.kinetic_energy / energy - 1.0
        );
        flipped |= stepper.state().velocities[4] < -4.9;
    }
    // the intermediate axis turns over again and again
    assert!(flipped);
    let (_, end) = momentum(&model, stepper.state());
    assert!((end - moment).length() < 1e-10 * moment.length());
}

/// A symmetric top precesses about its angular momentum at a rate I₃ω₃(…): second order in h.
#[test]
fn symmetric_top_precesses_at_the_closed_form_rate() {
    let (inertia, axial, spin) = (2.0, 3.0, 4.0);
    let error = |h: f64| {
        let mut model = model::<D3>(0.5, Restitution::Inelastic);
        model.gravity = DVec3::ZERO;
        let body = add(&mut model, D3::ball(0.3), Pose::identity(), Role::Free);
        model.bodies[body].inertia = DMat3::from_diagonal(DVec3::new(inertia, inertia, axial));
        model.bodies[body].spin = DVec3::new(1.0, 0.0, spin);
        let mut stepper = Stepper::new(model, settings(h)).unwrap();
        run(&mut stepper, (1.0 / h).round() as usize);
        // in body axes ω turns about the axis at (I₃ − I₁)/I₁ ω₃
        let rate = (axial - inertia) / inertia * spin;
        let w = &stepper.state().velocities[3..6];
        ((w[0] - rate.cos()).powi(2) + (w[1] - rate.sin()).powi(2)).sqrt()
    };
    let (coarse, fine) = (error(2e-2), error(1e-2));
    assert!(fine < 1e-3 && (coarse / fine - 4.0).abs() < 0.1, "{coarse} {fine}");
}

#[test]
fn numbers_that_are_not_finite_end_the_run() {
    let mut model = model::<D2>(0.5, Restitution::Inelastic);
    let body = add(&mut model, D2::ball(0.3), Pose::identity(), Role::Free);
    model.loads.push(push(body, D2::v(1e150, 0.0)));
    model.bodies[body].mass = 1e-8;
    let mut stepper = Stepper::new(model, settings(1e2)).unwrap();
    assert!(matches!(stepper.step(), Err(MechanicsError::NotFinite { index: 0, .. })));
}

#[test]
fn bad_models_are_refused_by_name() {
    let mut bad = model::<D3>(0.5, Restitution::Inelastic);
    let body = add(&mut bad, D3::ball(0.3), Pose::identity(), Role::Free);
    bad.bodies[body].mass = 0.0;
    let message = Stepper::new(bad.clone(), settings(1e-3)).unwrap_err().to_string();
    assert!(message.contains("body[0]") && message.contains("positive mass"), "{message}");
    let message = Stepper::new(model::<D3>(-0.1, Restitution::Inelastic), settings(1e-3)).unwrap_err().to_string();
    assert!(message.contains("friction is -0.1"), "{message}");
    let message = Stepper::new(model::<D3>(0.1, Restitution::Newton(1.5)), settings(1e-3)).unwrap_err().to_string();
    assert!(message.contains("between 0 and 1"), "{message}");
    assert!(Stepper::new(model::<D3>(0.1, Restitution::Inelastic), settings(0.0)).is_err());
}
