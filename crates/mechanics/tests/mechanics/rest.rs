//! Structures at rest stay at rest, symmetric ones stay symmetric.

use crate::common::*;
use voussoir_geometry::{D2, D3, Pose, Vector};
use voussoir_mechanics::inspect::inspect;
use voussoir_mechanics::measures::{reactions, resultants};
use voussoir_mechanics::model::{Restitution, Role};
use voussoir_mechanics::{MechanicsError, Stepper};

fn stack<S: Kit>(count: usize) -> voussoir_mechanics::model::Model<S> {
    let mut model = model::<S>(0.6, Restitution::Inelastic);
    floor(&mut model);
    for i in 0..count {
        add(&mut model, S::block(0.5, 0.25), Pose::at(S::v(0.0, 0.125 + 0.25 * i as f64)), Role::Free);
    }
    model
}

fn stack_rests<S: Kit>() -> Result<(), MechanicsError> {
    let count = 6;
    let model = stack::<S>(count);
    let weight: f64 = model.bodies[1..].iter().map(|b| b.mass * G).sum();
    let mut stepper = Stepper::new(model, settings(1e-3))?;
    let reports = run(&mut stepper, 300);
    let up = S::v(0.0, 1.0).to_3d();
    let reaction = |r: &voussoir_mechanics::stepper::DynamicReport| {
        r.support_reaction.iter().zip(up).map(|(a, b)| a * b).sum::<f64>() / weight
    };
    for pair in reports.windows(2).skip(10) {
        assert!((reaction(&pair[1]) - 1.0).abs() < 1e-8, "{}", reaction(&pair[1]) - 1.0);
        assert!((reaction(&pair[1]) - reaction(&pair[0])).abs() < 1e-6);
        assert!(pair[1].displacement < 1e-9 && pair[1].penetration < 1e-9);
    }
    // load descent: each joint carries what is above it, in the middle
    let model = stepper.model().clone();
    for joint in resultants(stepper.contacts()) {
        let above = count as f64 - joint.centre.dot(S::v(0.0, 1.0)) / 0.25;
        assert!((joint.normal / (above * weight / count as f64) - 1.0).abs() < 1e-7);
        assert!(joint.centre.dot(S::v(1.0, 0.0)).abs() < 1e-7 && joint.friction_use() < 1e-6);
    }
    let held = reactions(&model, stepper.state(), stepper.contacts());
    assert_eq!(held.len(), 1);
    assert!((held[0].1 - S::v(0.0, weight)).length() < 1e-8 * weight);
    Ok(())
}

#[test]
fn stack_stays_and_reactions_are_steady() -> Result<(), MechanicsError> {
    stack_rests::<D2>()?;
    stack_rests::<D3>()
}

/// A block dropped from 1 cm lands without bouncing and without penetration (V1.7).
fn landing<S: Kit>() {
    let mut model = model::<S>(0.6, Restitution::Inelastic);
    floor(&mut model);
    add(&mut model, S::block(0.5, 0.25), Pose::at(S::v(0.0, 0.125 + 0.01)), Role::Free);
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    let reports = run(&mut stepper, 200);
    let last = reports.last().unwrap();
    assert!((position(&stepper, 1) - S::v(0.0, 0.125)).length() < 1e-8);
    assert!(last.speed < 1e-9 && reports.iter().all(|r| r.penetration < 1e-9));
    assert!((last.ledger.impact / last.ledger.gravity - 1.0).abs() < 1e-9);
}

#[test]
fn block_lands_without_penetration() {
    landing::<D2>();
    landing::<D3>();
}

/// E12: two balls fall symmetrically on a third.
fn mirror<S: Kit>() {
    let mut model = model::<S>(0.4, Restitution::Inelastic);
    floor(&mut model);
    let r = 0.2;
    let middle = add(&mut model, S::ball(r), Pose::at(S::v(0.0, r)), Role::Free);
    let left = add(&mut model, S::ball(r), Pose::at(S::v(-0.25, 2.8 * r)), Role::Free);
    let right = add(&mut model, S::ball(r), Pose::at(S::v(0.25, 2.8 * r)), Role::Free);
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    run(&mut stepper, 600);
    let (a, b) = (position(&stepper, left), position(&stepper, right));
    assert!((a + b).dot(S::v(1.0, 0.0)).abs() < 1e-6 && (a - b).dot(S::v(0.0, 1.0)).abs() < 1e-6, "{a:?} {b:?}");
    assert!(position(&stepper, middle).dot(S::v(1.0, 0.0)).abs() < 1e-6);
    assert!(b.dot(S::v(1.0, 0.0)) > 0.3);
}

#[test]
fn symmetric_scene_stays_symmetric() {
    mirror::<D2>();
    mirror::<D3>();
}

fn inspection<S: Kit>() {
    let mut model = stack::<S>(3);
    let overlapping = add(&mut model, S::block(0.5, 0.25), Pose::at(S::v(0.0, 0.125 + 0.75 - 0.02)), Role::Free);
    let floating = add(&mut model, S::ball(0.1), Pose::at(S::v(3.0, 3.0)), Role::Free);
    let seen = inspect(&model, None);
    assert_eq!(seen.interfaces.len(), 4);
    assert_eq!(seen.floating, vec![floating]);
    assert_eq!(seen.overlaps.len(), 1);
    assert_eq!([seen.overlaps[0].a, seen.overlaps[0].b], [3, overlapping]);
    assert!((seen.overlaps[0].depth - 0.02).abs() < 1e-12);
    assert!((seen.weight / (seen.mass * G) - 1.0).abs() < 1e-14);
    assert!(inspect(&stack::<S>(3), None).overlaps.is_empty());
}

#[test]
fn inspection_finds_overlaps_and_floating_bodies() {
    inspection::<D2>();
    inspection::<D3>();
}

#[test]
fn snapshot_says_what_the_stepper_knows() {
    let model = stack::<D2>(2);
    let cast = voussoir_mechanics::snapshot::cast(&model);
    assert_eq!((cast.dimension, cast.bodies.len(), cast.bodies[0].support), (2, 3, true));
    assert_eq!(cast.bodies[1].surface().points.len(), 4);
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    run(&mut stepper, 3);
    let snapshot = stepper.snapshot();
    assert_eq!((snapshot.step, snapshot.bodies.len(), snapshot.contacts.len()), (3, 3, 4));
    let weight: f64 = stepper.model().bodies[1..].iter().map(|b| b.mass * G).sum();
    let carried: f64 = snapshot.contacts.iter().filter(|c| c.bodies[1] == 0).map(|c| c.force[1]).sum();
    assert!((carried / weight - 1.0).abs() < 1e-8);
    assert!(snapshot.contacts.iter().all(|c| c.status == 1 && c.normal[1].abs() == 1.0));
}

/// Blocks that carry 1e12 times the mass of the blocks below them, shifted by `aside` [m].
fn heavy_on_light<S: Kit>(aside: f64) -> voussoir_mechanics::model::Model<S> {
    let mut model = stack::<S>(4);
    for i in [2, 4] {
        let body = &mut model.bodies[i];
        body.mass *= 1e12;
        body.pose.position += S::v(aside, 0.0);
    }
    model
}

/// The impulses through a light block cancel to 1e-12 of themselves, which leaves four digits of its velocity. At rest the
/// forces do not depend on the masses: every joint carries the weight above it, below the centroid of that weight.
fn heavy_rests_on_light<S: Kit>() {
    let model = heavy_on_light::<S>(0.1);
    let weights: Vec<f64> = model.bodies[1..].iter().map(|body| body.mass * G).collect();
    let at: Vec<f64> = model.bodies[1..].iter().map(|body| body.pose.position.dot(S::v(1.0, 0.0))).collect();
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    let reports = run(&mut stepper, 100);
    for report in &reports {
        assert!(report.converged && report.solve.residual <= 1e-8, "{report:?}");
        assert!(report.displacement == 0.0 && report.speed == 0.0, "{report:?}");
    }
    for joint in resultants(stepper.contacts()) {
        let below = (joint.centre.dot(S::v(0.0, 1.0)) / 0.25).round() as usize;
        let above: f64 = weights[below..].iter().sum();
        let centre = weights[below..].iter().zip(&at[below..]).map(|(weight, x)| weight * x).sum::<f64>() / above;
        assert!((joint.normal / above - 1.0).abs() < 1e-8, "joint {below}: {} N for {above} N", joint.normal);
        assert!((joint.centre.dot(S::v(1.0, 0.0)) - centre).abs() < 1e-8 && joint.friction_use() < 1e-6);
    }
}

/// A heavy block falls on a light one that stands on the ground: every step meets the tolerance of motion, the impact takes
/// all of its energy, and both rest.
#[test]
fn a_heavy_block_falls_on_a_light_one() {
    let mut model = stack::<D3>(2);
    let heavy = &mut model.bodies[2];
    heavy.mass *= 1e9;
    heavy.pose.position += D3::v(0.05, 0.05);
    let energy = heavy.mass * G * 0.05;
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    let reports = run(&mut stepper, 300);
    let last = reports.last().unwrap();
    assert!(ledger_error(0.0, last) < 1e-9, "{:?}", last.ledger);
    assert!((last.ledger.impact / energy - 1.0).abs() < 1e-3, "{} J of {energy} J", last.ledger.impact);
    assert!(last.speed < 1e-8, "{last:?}");
}

#[test]
fn heavy_blocks_rest_on_light_ones() {
    heavy_rests_on_light::<D2>();
    heavy_rests_on_light::<D3>();
    // a heavy block whose centroid is beyond the edge of the light one topples; a step that misses its tolerance says so
    let mut stepper = Stepper::new(heavy_on_light::<D2>(0.3), settings(1e-3)).unwrap();
    for _ in 0..3 {
        let report = stepper.step().unwrap();
        assert_eq!(report.converged, report.solve.residual <= 1e-8, "{report:?}");
        assert!(report.speed > 0.0, "{report:?}");
    }
}
