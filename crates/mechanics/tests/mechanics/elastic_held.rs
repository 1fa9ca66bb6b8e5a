//! Elastic blocks with bonds and cables, reduced to a few modes, and under round bodies: closed forms, ledgers, restarts.

use std::sync::Arc;

use voussoir_contact::{Options, Solver, SolverKind, Status};
use voussoir_geometry::glam::{DVec2, DVec3};
use voussoir_geometry::{D2, D3, Pose, Shape2, Shape3};
use voussoir_mechanics::Stepper;
use voussoir_mechanics::elastic::mean_stress;
use voussoir_mechanics::joints::{Bond, Cohesive, Glued, MohrCoulomb};
use voussoir_mechanics::model::{Anchor, Cable, DynamicSettings, Joint, JointTable, Model, Restitution, Role};
use voussoir_mechanics::time_function::TimeFunction;

use crate::common::*;
use crate::elastic::{YOUNG, make_elastic, quiet, stone};

/// A cube of 0.5 m without lateral strain on the floor, without weight, and a hook below the floor.
fn cube() -> Model<D3> {
    let mut model = model::<D3>(0.0, Restitution::Inelastic);
    model.gravity = DVec3::ZERO;
    floor(&mut model);
    let shape = Shape3::cuboid(DVec3::splat(0.5)).unwrap();
    let body = add(&mut model, shape, Pose::at(DVec3::new(0.0, 0.0, 0.25)), Role::Free);
    make_elastic(&mut model, body, &stone(0.0, 3));
    model.elastic[body].as_mut().unwrap().grid = 2;
    let hook = Shape3::cuboid(DVec3::splat(0.1)).unwrap();
    add(&mut model, hook, Pose::at(DVec3::new(0.0, 0.0, -0.5)), Role::Support(None));
    model
}

fn tendon(model: &mut Model<D3>, stiffness: f64, prestress: f64) {
    let anchors = vec![
        Anchor { body: 1, point: DVec3::new(0.0, 0.0, 0.25) },
        Anchor { body: 2, point: DVec3::new(0.0, 0.0, 0.05) },
    ];
    model.cables.push(Cable {
        name: "tendon".to_owned(),
        anchors,
        closed: false,
        stiffness,
        prestress,
        function: TimeFunction::Constant(1.0),
        strength: None,
        breaks: false,
        fitted: true,
        at_rest: None,
    });
}

#[test]
fn a_tendon_loses_tension_as_its_block_shortens() {
    // the anchor moves with the mean of the top: T = P − k T H/(EA), uniform stress T/A
    for theta in [0.5, 1.0] {
        let (mut model, k, p) = (cube(), 1e9, 1e5);
        tendon(&mut model, k, p);
        let settings = DynamicSettings { step: 1e-4, theta, ..DynamicSettings::default() };
        let mut stepper = Stepper::new(model, settings).unwrap();
        let reports = run(&mut stepper, 300);
        let worst = reports.iter().map(|report| ledger_error(0.0, report)).fold(0.0, f64::max);
        assert!(worst < 1e-6, "{theta}: {worst:e}");
        if theta == 1.0 {
            let expected = p / (1.0 + k * 0.5 / (YOUNG * 0.25));
            let tension = reports.last().unwrap().cables[0].tension;
            assert!((tension / expected - 1.0).abs() < 1e-6, "{tension} {expected}");
            let part = stepper.model().elastic_part(1).unwrap();
            for g in part.block.stresses(&stepper.state().elastic[1].displacement, 0.0) {
                assert!((g.stress.0[2] / (-expected / 0.25) - 1.0).abs() < 1e-5, "{:?}", g.stress);
            }
        }
    }
}

/// The cube hangs from a ceiling by a bond and carries its weight.
fn hanging(bond: Bond, poisson: f64, pull: f64) -> Model<D3> {
    let mut model = model::<D3>(0.6, Restitution::Inelastic);
    model.joints = JointTable::uniform(1, Joint { bond: Some(bond), ..Joint::coulomb(0.6) });
    let slab = Shape3::cuboid(DVec3::new(1.0, 1.0, 0.2)).unwrap();
    add(&mut model, slab, Pose::at(DVec3::new(0.0, 0.0, 0.1)), Role::Support(None));
    let shape = Shape3::cuboid(DVec3::splat(0.5)).unwrap();
    let body = add(&mut model, shape, Pose::at(DVec3::new(0.0, 0.0, -0.25)), Role::Free);
    make_elastic(&mut model, body, &stone(poisson, 2));
    model.elastic[body].as_mut().unwrap().grid = 2;
    let mut load = push::<D3>(body, DVec3::new(0.0, 0.0, -pull));
    load.point = DVec3::new(0.0, 0.0, -0.25);
    load.function = TimeFunction::Table(vec![(0.0, 0.0), (0.1, 1.0)]);
    model.loads.push(load);
    model
}

#[test]
fn a_glued_block_hangs_and_is_stretched_by_its_weight() {
    // a glued bond yields by 1e-6 (hω)² of the displacement
    let mut stepper = Stepper::new(hanging(Bond::Glued(Glued), 0.0, 0.0), quiet(2e-4)).unwrap();
    let report = run(&mut stepper, 300).pop().unwrap();
    // mean displacement of a hanging bar ρgH²/(3E); linear elements of the size a: less ρg a²/(12 E), as in L4
    let weight = DENSITY * G;
    let expected = -weight * (0.25 / 3.0 - 0.0625 / 12.0) / YOUNG;
    let moved = stepper.state().poses[1].position.z + 0.25;
    assert!((moved / expected - 1.0).abs() < 1e-5, "{moved:e} {expected:e}");
    let carried: f64 = stepper.contacts().iter().map(|contact| contact.bond.z).sum();
    assert!((carried / (weight * 0.125) - 1.0).abs() < 1e-6, "{carried}");
    let part = stepper.model().elastic_part(1).unwrap();
    let stress = mean_stress(&part.block.stresses(&stepper.state().elastic[1].displacement, 0.0)).0[2];
    assert!((stress / (0.25 * weight) - 1.0).abs() < 1e-5, "{stress}");
    assert!(ledger_error(0.0, &report) < 1e-6);
}

#[test]
fn a_bond_of_an_elastic_block_breaks_at_its_strength() {
    let tension = 2e5;
    let bond = Bond::MohrCoulomb(MohrCoulomb { cohesion: 3e5, tension });
    let weight = DENSITY * G * 0.125;
    // ν = 0: all points are equally loaded
    for (share, holds) in [(0.98, true), (1.02, false)] {
        let model = hanging(bond, 0.0, share * tension * 0.25 - weight);
        let mut stepper = Stepper::new(model, quiet(1e-3)).unwrap();
        for _ in 0..200 {
            stepper.step().unwrap();
        }
        let intact = stepper.state().bonds.iter().filter(|bond| bond.beta > 0.0).count();
        assert_eq!(intact > 0, holds, "{share}: {intact}");
        assert_eq!(stepper.state().poses[1].position.z < -0.3, !holds);
    }
}

#[test]
fn bonds_and_cables_of_elastic_blocks_continue_bit_for_bit() {
    let mac = Cohesive { normal: 4e9, tangential: 1e9, energy: 40.0, viscosity: 0.0, exponent: 1.0 };
    let model = || {
        let mut model = hanging(Bond::Cohesive(mac), 0.2, 6e4);
        tendon(&mut model, 1e7, 1e3);
        (model.cables[0].anchors[0].point, model.cables[0].anchors[1]) =
            (DVec3::new(0.25, 0.1, 0.0), Anchor { body: 0, point: DVec3::new(0.4, 0.0, -0.1) });
        model
    };
    let mut whole = Stepper::new(model(), settings(1e-3)).unwrap();
    run(&mut whole, 60);
    let mut first = Stepper::new(model(), settings(1e-3)).unwrap();
    run(&mut first, 37);
    let mut second = Stepper::with_state(model(), settings(1e-3), first.into_state()).unwrap();
    let reports = run(&mut second, 23);
    assert_eq!(whole.state(), second.state());
    assert!(reports.iter().all(|report| ledger_error(0.0, report) < 1e-6));
}

#[test]
fn all_solvers_agree_on_a_problem_with_elastic_nodes_and_bonds() {
    let mut stepper = Stepper::new(hanging(Bond::Glued(Glued), 0.2, 5e4), quiet(1e-3)).unwrap();
    run(&mut stepper, 30);
    let (problem, warm) = stepper.next_problem();
    assert!(problem.has_mass_blocks());
    let solve = |kind| {
        let options = Options { kind, tolerance: 1e-9, ..Options::default() };
        Solver::new().solve(&problem, &warm, &options)
    };
    let reference = solve(SolverKind::Sap);
    assert_eq!(reference.report.status, Status::Converged, "{:?}", reference.report);
    for kind in [SolverKind::SmoothingNewton, SolverKind::ProximalNewton, SolverKind::Nlgs] {
        let solved = solve(kind);
        assert_eq!(solved.report.status, Status::Converged, "{:?}", solved.report);
        let scale = problem.free_relative_velocity().iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let worst =
            solved.velocities.iter().zip(&reference.velocities).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(worst < 1e-7 * scale, "{kind:?}: {worst:e} of {scale:e}");
    }
}

/// Two cubes on each other; `modes`: reduced.
fn column(modes: Option<usize>) -> Model<D3> {
    let mut model = model::<D3>(0.6, Restitution::Inelastic);
    floor(&mut model);
    for k in 0..2 {
        let shape = Shape3::cuboid(DVec3::new(0.6, 0.5, 0.4)).unwrap();
        let at = Pose::at(DVec3::new(0.02 * k as f64, 0.0, 0.2 + 0.4 * k as f64));
        let body = add(&mut model, shape, at, Role::Free);
        make_elastic(&mut model, body, &stone(0.2, 3));
        let part = model.elastic[body].as_mut().unwrap();
        (part.grid, part.modes) = (2, modes);
    }
    let facts = model.reduce_elastic(1e-3).unwrap();
    assert_eq!(facts.is_some(), modes.is_some());
    if let Some(facts) = facts {
        println!("{facts:?}");
        assert!((facts.blocks, facts.bases) == (2, 2) && facts.static_error < 1e-6 && facts.step_error < 0.05);
        assert!(facts.vectors < facts.displacements && facts.frequency > 1000.0);
    }
    model
}

#[test]
fn reduced_blocks_have_the_static_states_of_the_full_mesh() {
    let forces = |modes| {
        let mut stepper = Stepper::new(column(modes), quiet(1e-3)).unwrap();
        let report = run(&mut stepper, 200).pop().unwrap();
        assert!(ledger_error(0.0, &report) < 1e-6);
        let part = stepper.model().elastic_part(1).unwrap();
        let stress = mean_stress(&part.block.stresses(&stepper.state().elastic[1].displacement, 0.0)).0[2];
        (stepper.contacts().iter().map(|contact| contact.force).collect::<Vec<DVec3>>(), stress)
    };
    let (full, stress) = forces(None);
    let (reduced, own) = forces(Some(10));
    let scale = full.iter().map(|force| force.length()).fold(0.0, f64::max);
    let worst = full.iter().zip(&reduced).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
    assert!(full.len() == reduced.len() && worst < 1e-5 * scale, "{worst:e} of {scale:e}");
    assert!((stress / own - 1.0).abs() < 1e-6);
}

#[test]
fn a_reduced_bar_rings_with_its_own_frequency_and_keeps_energy() {
    // free bar of 2 m: first longitudinal frequency c/(2L); 10 modes of a bar of steps of 0.1 m
    let mut model = model::<D2>(0.0, Restitution::Inelastic);
    model.gravity = DVec2::ZERO;
    let shape = Shape2::rectangle(DVec2::new(2.0, 0.1)).unwrap();
    let body = add(&mut model, shape, Pose::at(DVec2::ZERO), Role::Free);
    model.bodies[body].velocity = DVec2::new(2.0, 1.0);
    make_elastic(&mut model, body, &stone(0.0, 20));
    model.elastic[body].as_mut().unwrap().modes = Some(10);
    let facts = model.reduce_elastic(1e-5).unwrap().unwrap();
    assert!((facts.vectors, facts.blocks) == (10, 1));
    let part = model.elastic_part(body).unwrap();
    let speed = (YOUNG / DENSITY).sqrt();
    // bending of a free beam: βL = 4.730; slender, so that shear lowers it by less than a percent
    let bending = (4.730_040_7 / 2.0_f64).powi(2) * (YOUNG * 0.1 * 0.1 / (12.0 * DENSITY)).sqrt();
    let mut amplitudes = vec![0.0; part.block.size()];
    amplitudes[0] = 1e-5;
    let lowest = (2.0 * part.block.elastic_energy(&amplitudes)).sqrt() / 1e-5;
    assert!((lowest / bending - 1.0).abs() < 0.02, "{lowest} {bending}");
    assert!(facts.frequency > speed / 4.0);
    let model = Arc::new(model);
    let mut start = voussoir_mechanics::state::State::initial(&model);
    start.elastic[body].displacement.iter_mut().enumerate().for_each(|(k, y)| *y = 1e-5 / (1.0 + k as f64));
    let part = model.elastic_part(body).unwrap();
    let stored = part.block.elastic_energy(&start.elastic[body].displacement);
    let mut stepper = Stepper::with_state(Arc::clone(&model), settings(2e-5), start).unwrap();
    run(&mut stepper, 2000);
    let memory = &stepper.state().elastic[body];
    let now = part.block.elastic_energy(&memory.displacement) + part.block.kinetic_energy(&memory.velocity);
    assert!((now / stored - 1.0).abs() < 1e-9, "{now:e} {stored:e}");
}

#[test]
fn a_disc_lies_on_many_points_of_an_elastic_block() {
    // frictionless: the resultant passes through the centre of the disc, and the contacts are symmetric
    let mut model = model::<D2>(0.0, Restitution::Inelastic);
    floor(&mut model);
    let block = Shape2::rectangle(DVec2::new(0.2, 0.1)).unwrap();
    let body = add(&mut model, block, Pose::at(DVec2::new(0.0, 0.05)), Role::Free);
    make_elastic(&mut model, body, &stone(0.2, 40));
    model.elastic[body].as_mut().unwrap().grid = 2;
    let disc = add(&mut model, Shape2::disc(1.0).unwrap(), Pose::at(DVec2::new(0.0, 1.1)), Role::Free);
    let mut load = push::<D2>(disc, DVec2::new(0.0, -2e5));
    load.function = TimeFunction::Table(vec![(0.0, 0.0), (0.05, 1.0)]);
    model.loads.push(load);
    let weight = model.bodies[disc].mass * G + 2e5;
    let mut stepper = Stepper::new(model, quiet(1e-3)).unwrap();
    let report = run(&mut stepper, 120).pop().unwrap();
    let own: Vec<_> = stepper.contacts().iter().filter(|contact| contact.key.antagonist != 0).collect();
    let carried: f64 = own.iter().map(|contact| contact.force.y.abs()).sum();
    assert!((carried / weight - 1.0).abs() < 1e-6, "{carried} {weight}");
    let closed = own.iter().filter(|contact| contact.force.y.abs() > 1e-6 * weight).count();
    assert!(closed >= 3 && closed < own.len(), "{closed} of {}", own.len());
    let spin = stepper.state().velocities[disc * 3 + 2];
    assert!(spin.abs() < 1e-9 && ledger_error(0.0, &report) < 1e-6);
}
