//! Friction: sticking, sliding, rolling (validation cases V1.1, V1.2, E1–E4).

use crate::common::*;
use voussoir_geometry::{D2, D3, Pose, Vector};
use voussoir_mechanics::model::{Restitution, Role};
use voussoir_mechanics::{ContactStatus, Stepper};

/// E1: gravity tilted instead of the plane.
fn incline<S: Kit>(angle: f64, friction: f64) -> f64 {
    let mut model = model::<S>(friction, Restitution::Inelastic);
    model.gravity = S::v(G * angle.sin(), -G * angle.cos());
    floor(&mut model);
    let block = add(&mut model, S::block(0.4, 0.2), Pose::at(S::v(0.0, 0.1)), Role::Free);
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    let reports = run(&mut stepper, 200);
    assert!(ledger_error(0.0, reports.last().unwrap()) < 1e-10);
    assert!(reports.iter().all(|r| r.penetration < 1e-9));
    velocity(&stepper, block).dot(S::v(1.0, 0.0)) / 0.2
}

fn incline_sticks_and_slides<S: Kit>() {
    let angle: f64 = 0.5;
    assert!(incline::<S>(angle, angle.tan() + 1e-3).abs() < 1e-7);
    let mu = 0.3;
    let expected = G * (angle.sin() - mu * angle.cos());
    assert!((incline::<S>(angle, mu) / expected - 1.0).abs() < 1e-6);
}

#[test]
fn block_on_incline() {
    incline_sticks_and_slides::<D2>();
    incline_sticks_and_slides::<D3>();
}

/// E2: stops after v²/(2μg).
fn sliding_distance<S: Kit>() {
    let (mu, v) = (0.5, 2.0);
    let mut model = model::<S>(mu, Restitution::Inelastic);
    floor(&mut model);
    let block = add(&mut model, S::block(0.4, 0.1), Pose::at(S::v(0.0, 0.05)), Role::Free);
    model.bodies[block].velocity = S::v(v, 0.0);
    let kinetic = 0.5 * model.bodies[block].mass * v * v;
    let h = 1e-3;
    let mut stepper = Stepper::new(model, settings(h)).unwrap();
    let reports = run(&mut stepper, 600);
    let stop = reports.iter().position(|r| r.speed < 1e-9).unwrap() as f64 * h;
    assert!((stop - v / (mu * G)).abs() <= 1.1 * h, "{stop}");
    let distance = position(&stepper, block).dot(S::v(1.0, 0.0));
    assert!((distance - v * v / (2.0 * mu * G)).abs() < v * h, "{distance}");
    let last = reports.last().unwrap();
    assert!((last.ledger.friction / kinetic - 1.0).abs() < 1e-9, "{last:?}");
    assert!(ledger_error(kinetic, last) < 1e-10);
    assert_eq!(reports[0].statuses[ContactStatus::Slide as usize], reports[0].contacts);
    assert_eq!(last.statuses[ContactStatus::Slide as usize], 0);
    // contacts say how far they slid, and still do at rest; the step in which it stops is one that sticks
    for contact in stepper.contacts() {
        assert!((contact.slip - distance).abs() <= mu * G * h * h, "{} of {distance}", contact.slip);
    }
    // what they remember survives a restart
    let memory = &stepper.state().contacts;
    assert!(!memory.is_empty() && memory.iter().all(|m| (m.slip - distance).abs() <= mu * G * h * h));
}

#[test]
fn block_slides_the_closed_form_distance() {
    sliding_distance::<D2>();
    sliding_distance::<D3>();
}

/// E3: a ball launched without spin rolls with v/(1 + I/mr²) after v I/(mr²) / ((1 + I/mr²) μ g).
fn rolling<S: Kit>() {
    let (mu, v, r, h) = (0.3, 1.4, 0.2, 1e-3);
    let mut model = model::<S>(mu, Restitution::Inelastic);
    floor(&mut model);
    let ball = add(&mut model, S::ball(r), Pose::at(S::v(0.0, r)), Role::Free);
    model.bodies[ball].velocity = S::v(v, 0.0);
    let kinetic = 0.5 * model.bodies[ball].mass * v * v;
    let ratio = ball_inertia::<S>();
    let mut stepper = Stepper::new(model, settings(h)).unwrap();
    let reports = run(&mut stepper, 400);
    let rolling = v / (1.0 + ratio);
    assert!((velocity(&stepper, ball).dot(S::v(1.0, 0.0)) / rolling - 1.0).abs() < 1e-7);
    let (_, spin) = S::unpack(&stepper.state().velocities[ball * S::DOFS..][..S::DOFS]);
    let rate = S::spin_to_3d(spin).iter().map(|x| x * x).sum::<f64>().sqrt();
    assert!((rate * r / rolling - 1.0).abs() < 1e-7);
    let start = reports.iter().position(|r| r.statuses[ContactStatus::Slide as usize] == 0).unwrap() as f64 * h;
    assert!((start - v * ratio / (1.0 + ratio) / (mu * G)).abs() <= 1.1 * h, "{start}");
    // it slides while it does not roll yet: with v − μgt(1 + mr²/I) until then, half the time at that speed
    let slip = stepper.contacts().iter().map(|contact| contact.slip).fold(0.0, f64::max);
    assert!((slip - 0.5 * v * start).abs() < v * h, "{slip}");
    assert!(ledger_error(kinetic, reports.last().unwrap()) < 1e-10);
}

#[test]
fn ball_ends_up_rolling() {
    rolling::<D2>();
    rolling::<D3>();
}

/// V1.1 and V1.2: normal forces under a horizontal push, sticking and sliding.
#[test]
fn pushed_block_shares_its_weight_between_two_nodes() {
    let (height, base, mass, weight, mu) = (0.1, 0.2, 10.0, 98.1, 0.4);
    for (force, friction, acceleration) in [(20.0, 20.0, 0.0), (50.0, mu * weight, (50.0 - mu * weight) / mass)] {
        let mut model = model::<D2>(mu, Restitution::Inelastic);
        floor(&mut model);
        let block = add(&mut model, D2::block(base, height), Pose::at(D2::v(0.0, height / 2.0)), Role::Free);
        let scale = mass / model.bodies[block].mass;
        model.bodies[block].mass *= scale;
        model.bodies[block].inertia *= scale;
        model.loads.push(push(block, D2::v(force, 0.0)));
        let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
        run(&mut stepper, 1);
        assert!((velocity(&stepper, block).x - acceleration * 1e-3).abs() < 1e-8 * G * 1e-3);
        for contact in stepper.contacts() {
            let front = contact.position.x.signum();
            let expected = weight / 2.0 + front * friction * height / (2.0 * base);
            assert!((contact.force.y / expected - 1.0).abs() < 1e-7, "{contact:?}");
        }
        let tangential: f64 = stepper.contacts().iter().map(|c| c.force.x).sum();
        assert!((tangential / friction + 1.0).abs() < 1e-8);
    }
}
