//! Restitution (validation cases E5–E7) and its effect on energy.

use crate::common::*;
use proptest::prelude::*;
use voussoir_geometry::glam::{DVec2, DVec3};
use voussoir_geometry::{D2, D3, Pose, Space, Vector};
use voussoir_mechanics::Stepper;
use voussoir_mechanics::model::{Restitution, Role};

/// E5: a ball dropped from 1 m; height of the first rebound, time of rest.
fn bouncing<S: Kit>(law: Restitution, e: f64) {
    let r = 0.1;
    let mut model = model::<S>(0.4, law);
    floor(&mut model);
    let ball = add(&mut model, S::ball(r), Pose::at(S::v(0.0, 1.0 + r)), Role::Free);
    let h = 2e-4;
    let mut stepper = Stepper::new(model, settings(h)).unwrap();
    let steps = 15_000;
    let mut apex: f64 = 0.0;
    let mut touched = false;
    let mut rest = 0.0;
    for _ in 0..steps {
        let report = run(&mut stepper, 1).pop().unwrap();
        let v = velocity(&stepper, ball).dot(S::v(0.0, 1.0));
        touched |= v > 0.0;
        if touched && report.time < 1.2 {
            apex = apex.max(position(&stepper, ball).dot(S::v(0.0, 1.0)) - r);
        }
        if report.speed > 1e-2 {
            rest = report.time;
        }
        assert!(ledger_error(0.0, &report) < 1e-10);
    }
    let fall = (2.0 / G).sqrt();
    assert!((apex / (e * e) - 1.0).abs() < 0.01, "{apex}");
    assert!((rest / (fall * (1.0 + e) / (1.0 - e)) - 1.0).abs() < 0.03, "{rest}");
    assert!(velocity(&stepper, ball).length() < 1e-2);
}

#[test]
fn ball_bounces_and_comes_to_rest() {
    bouncing::<D2>(Restitution::Newton(0.5), 0.5);
    bouncing::<D3>(Restitution::Newton(0.5), 0.5);
    bouncing::<D3>(Restitution::Poisson(0.5), 0.5);
    bouncing::<D2>(Restitution::Poisson(0.5), 0.5);
}

/// A ball at rest does not bounce.
fn resting<S: Kit>(law: Restitution) {
    let mut model = model::<S>(0.4, law);
    floor(&mut model);
    add(&mut model, S::ball(0.1), Pose::at(S::v(0.0, 0.1)), Role::Free);
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    for report in run(&mut stepper, 100) {
        assert!(report.displacement < 1e-12 && report.speed < 1e-9, "{report:?}");
    }
}

#[test]
fn resting_bodies_do_not_hop() {
    for law in [Restitution::Newton(0.8), Restitution::Poisson(0.8), Restitution::Inelastic] {
        resting::<D2>(law);
        resting::<D3>(law);
    }
}

/// E6: all contacts in one solve, Newton's law: −(n−2)v/n, 2v/n, 2v/n …
fn cradle<S: Kit>() {
    let (n, r, v) = (4, 0.1, 1.0);
    let mut model = model::<S>(0.0, Restitution::Newton(1.0));
    model.gravity = S::zero();
    for i in 0..n {
        add(&mut model, S::ball(r), Pose::at(S::v(2.0 * r * i as f64, 0.0)), Role::Free);
    }
    model.bodies[0].velocity = S::v(v, 0.0);
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    let report = run(&mut stepper, 1).pop().unwrap();
    let nf = n as f64;
    assert!((velocity(&stepper, 0).dot(S::v(1.0, 0.0)) + (nf - 2.0) / nf * v).abs() < 1e-7);
    for i in 1..n {
        assert!((velocity(&stepper, i).dot(S::v(1.0, 0.0)) - 2.0 * v / nf).abs() < 1e-7);
    }
    assert!((report.ledger.impact / report.kinetic_energy).abs() < 1e-7);
}

#[test]
fn newton_cradle_in_one_solve() {
    cradle::<D2>();
    cradle::<D3>();
}

/// With small gaps the impacts follow one another: only the last ball leaves.
#[test]
fn newton_cradle_with_gaps_passes_the_motion_on() {
    let r = 0.1;
    let mut model = model::<D3>(0.0, Restitution::Newton(1.0));
    model.gravity = DVec3::ZERO;
    for i in 0..4 {
        add(&mut model, D3::ball(r), Pose::at(D3::v((2.0 * r + 0.01) * i as f64, 0.0)), Role::Free);
    }
    model.bodies[0].velocity = DVec3::X;
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    run(&mut stepper, 100);
    for i in 0..4 {
        let expected = if i == 3 { 1.0 } else { 0.0 };
        assert!((velocity(&stepper, i).x - expected).abs() < 1e-8);
    }
}

/// E7: two balls of different mass.
fn central_impact<S: Kit>(law: Restitution, e: f64) {
    let mut model = model::<S>(0.3, law);
    model.gravity = S::zero();
    add(&mut model, S::ball(0.1), Pose::at(S::v(0.0, 0.0)), Role::Free);
    add(&mut model, S::ball(0.2), Pose::at(S::v(0.3, 0.0)), Role::Free);
    model.bodies[0].velocity = S::v(1.0, 0.0);
    let (m1, m2) = (model.bodies[0].mass, model.bodies[1].mass);
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    run(&mut stepper, 1);
    let impulse = (1.0 + e) / (1.0 / m1 + 1.0 / m2);
    assert!((velocity(&stepper, 0) - S::v(1.0 - impulse / m1, 0.0)).length() < 1e-8);
    assert!((velocity(&stepper, 1) - S::v(impulse / m2, 0.0)).length() < 1e-8);
}

#[test]
fn central_impact_of_two_balls() {
    for e in [0.0, 0.3, 1.0] {
        central_impact::<D2>(Restitution::Newton(e), e);
        central_impact::<D3>(Restitution::Poisson(e), e);
        central_impact::<D2>(Restitution::Poisson(e), e);
    }
    central_impact::<D3>(Restitution::Inelastic, 0.0);
}

/// F4: a disc without spin against a wall, inelastic: sticks below 3μ, slips above.
#[test]
fn oblique_impact_of_a_disc() {
    let (mu, vn, r) = (0.2, 1.0, 0.5);
    for vt in [0.5, 1.0] {
        let mut model = model::<D2>(mu, Restitution::Newton(0.0));
        model.gravity = DVec2::ZERO;
        floor(&mut model);
        let disc = add(&mut model, D2::ball(r), Pose::at(D2::v(0.0, r)), Role::Free);
        model.bodies[disc].velocity = DVec2::new(vt, -vn);
        let mut stepper = Stepper::new(model, settings(1e-6)).unwrap();
        run(&mut stepper, 1);
        let (v, spin) = D2::unpack(&stepper.state().velocities[3..6]);
        let (after, rim) =
            if vt <= 3.0 * mu * vn { (2.0 / 3.0 * vt, 2.0 / 3.0 * vt) } else { (vt - mu * vn, 2.0 * mu * vn) };
        assert!((v - DVec2::new(after, 0.0)).length() < 2e-6 && (spin * r + rim).abs() < 2e-6, "{v} {spin}");
    }
}

/// A rod that hits the floor with one end and sticks: Newton's restitution adds ½ r·(u⁺ + u⁻), found from the 2 × 2
/// system W r = u⁺ − u⁻ of its end. Poisson's law adds nothing.
#[test]
fn newtons_restitution_on_a_rod_books_what_it_adds() {
    let (length, width, angle, e, slip) = (1.0, 1e-3, 0.9, 0.9, 0.6);
    for law in [Restitution::Newton(e), Restitution::Poisson(e)] {
        let mut model = model::<D2>(0.6, law);
        model.gravity = DVec2::ZERO;
        floor(&mut model);
        // the lower left corner is the lowest point
        let arm = DVec2::from_angle(angle).rotate(DVec2::new(-0.5 * length, -0.5 * width));
        let pose = Pose { position: DVec2::new(0.0, -arm.y), rotation: angle };
        let rod = add(&mut model, D2::block(length, width), pose, Role::Free);
        model.bodies[rod].velocity = DVec2::new(slip, -1.0);
        let (mass, inertia) = (model.bodies[rod].mass, model.bodies[rod].inertia);
        let start = 0.5 * mass * (1.0 + slip * slip);
        let mut stepper = Stepper::new(model, settings(1e-9)).unwrap();
        let report = run(&mut stepper, 1).pop().unwrap();
        assert!(ledger_error(start, &report) < 1e-12);
        let gained = report.kinetic_energy - start;
        if law == Restitution::Poisson(e) {
            assert!(gained <= 0.0 && report.ledger.restitution == 0.0, "{gained}");
            continue;
        }
        // normal, tangential and coupling terms of W
        let [n, t, c] = [arm.x * arm.x, arm.y * arm.y, arm.x * arm.y].map(|square| square / inertia);
        let (n, t) = (n + 1.0 / mass, t + 1.0 / mass);
        // u⁻ = (−1, slip), u⁺ = (e, 0)
        let det = n * t - c * c;
        let (normal, tangential) = ((t * (1.0 + e) - c * slip) / det, (c * (1.0 + e) - n * slip) / det);
        assert!(tangential.abs() < 0.6 * normal, "the rod sticks");
        let added = 0.5 * (normal * (e - 1.0) + tangential * slip);
        assert!(added > 0.05 * start, "{added}");
        assert!((gained / added - 1.0).abs() < 1e-5, "{gained} {added}");
        assert!((report.ledger.restitution / added - 1.0).abs() < 1e-5, "{:?}", report.ledger);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// For every law contacts add no energy, and the ledger closes.
    #[test]
    fn impacts_never_give_energy(
        e in 0.0..1.0_f64, poisson in any::<bool>(), mu in 0.0..1.0_f64,
        vx in -3.0..3.0_f64, vz in -4.0..0.0_f64, wx in -9.0..9.0_f64, wy in -9.0..9.0_f64, tilt in 0.0..1.5_f64
    ) {
        let law = if poisson { Restitution::Poisson(e) } else { Restitution::Newton(e) };
        let mut model = model::<D3>(mu, law);
        floor(&mut model);
        let body = add(&mut model, D3::block(0.5, 0.2), Pose { position: DVec3::new(0.0, 0.0, 0.4), rotation: D3::turn(tilt) }, Role::Free);
        model.bodies[body].velocity = DVec3::new(vx, 0.3, vz);
        model.bodies[body].spin = DVec3::new(wx, wy, 2.0);
        let mut stepper = Stepper::new(model.clone(), settings(1e-3)).unwrap();
        let start = voussoir_mechanics::measures::kinetic_energy(&model, stepper.state());
        for report in run(&mut stepper, 150) {
            prop_assert!(ledger_error(start, &report) < 1e-10, "{}", ledger_error(start, &report));
            // what Newton's law adds is booked apart, so that the remainder is dissipated
            prop_assert!(report.ledger.restitution >= 0.0 && !(poisson && report.ledger.restitution > 0.0));
            if poisson || report.ledger.restitution == 0.0 {
                prop_assert!(report.ledger.friction + report.ledger.impact > -1e-9 * start);
            }
        }
    }
}

/// A block that comes to rest by Poisson's law: in the last expansion all four corners sit at their least impulse,
/// friction is shared between them in many ways, and Gauss–Seidel creeps. Every step must meet the tolerance all the
/// same.
#[test]
fn the_last_expansion_of_a_block_that_comes_to_rest_is_solved() {
    let mut model = model::<D3>(0.7846627030080169, Restitution::Poisson(0.1682312415454003));
    floor(&mut model);
    let place = Pose { position: DVec3::new(0.0, 0.0, 0.4), rotation: D3::turn(0.23748934328106686) };
    let body = add(&mut model, D3::block(0.5, 0.2), place, Role::Free);
    model.bodies[body].velocity = DVec3::new(-1.2538553447681111, 0.3, -2.5868455222896576);
    model.bodies[body].spin = DVec3::new(1.1121223066436745, 3.0388769555076927, 2.0);
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    run(&mut stepper, 150);
}
