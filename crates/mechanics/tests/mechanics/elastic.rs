//! Elastic blocks in the dynamic analysis: closed forms, conservation laws, exactness of the condensation.

use std::sync::Arc;

use voussoir_geometry::glam::{DVec2, DVec3};
use voussoir_geometry::{D2, D3, Pose, Shape2, Shape3, Solid};
use voussoir_mechanics::Stepper;
use voussoir_mechanics::elastic::{
    ElasticConstants, ElasticPart, Fineness, FlexibleSettings, FlexibleSpace, PlaneState, RayleighDamping, mean_stress,
};
use voussoir_mechanics::model::{DynamicSettings, Model, Restitution, Role};
use voussoir_mechanics::time_function::TimeFunction;

use crate::common::*;

pub const YOUNG: f64 = 20e9;

pub fn stone(poisson: f64, divisions: usize) -> FlexibleSettings {
    FlexibleSettings {
        constants: ElasticConstants::Isotropic { young: YOUNG, poisson },
        density: DENSITY,
        expansion: 1e-5,
        thickness: 1.0,
        state: PlaneState::Strain,
        fineness: Fineness::divided(divisions),
        damping: RayleighDamping::default(),
    }
}

/// Makes a body elastic; bodies with equal shapes share their block.
pub fn make_elastic<S: FlexibleSpace>(model: &mut Model<S>, body: usize, settings: &FlexibleSettings) {
    let shape = Arc::clone(&model.bodies[body].shape);
    let same =
        (0..model.elastic.len()).find(|&other| model.elastic[other].is_some() && model.bodies[other].shape == shape);
    let part = match same {
        Some(other) => model.elastic[other].clone(),
        None => {
            let (block, quality) = S::flexible(&shape, settings).unwrap();
            assert!((block.mass() / model.bodies[body].mass - 1.0).abs() < 1e-12 && quality.jacobian_ratio > 0.0);
            Some(ElasticPart { block, grid: 0, warming: None, strengths: [None; 2], modes: None })
        }
    };
    model.elastic.resize(model.bodies.len(), None);
    model.elastic[body] = part;
}

/// Implicit Euler with steps far beyond the periods of the blocks: dead loads without ringing.
pub fn quiet(step: f64) -> DynamicSettings {
    DynamicSettings { step, theta: 1.0, ..DynamicSettings::default() }
}

/// Blocks of 0.5 m on each other, on the floor.
fn column(blocks: usize, poisson: f64) -> Model<D3> {
    let mut model = model::<D3>(0.6, Restitution::Inelastic);
    floor(&mut model);
    for k in 0..blocks {
        let shape = Shape3::cuboid(DVec3::splat(0.5)).unwrap();
        let body = add(&mut model, shape, Pose::at(DVec3::new(0.0, 0.0, 0.25 + 0.5 * k as f64)), Role::Free);
        make_elastic(&mut model, body, &stone(poisson, 2));
    }
    model
}

/// Mean vertical displacement of the top face of a block, elastic and rigid parts.
fn top(stepper: &Stepper<D3>, body: usize) -> f64 {
    let part = stepper.model().elastic_part(body).unwrap();
    let weights = [part.block.spread([0.0, 0.0, 0.25]).unwrap()];
    let state = stepper.state();
    let elastic = part.block.gather(&weights, &state.elastic[body].displacement)[2];
    state.poses[body].position.z - stepper.model().bodies[body].pose.position.z + elastic
}

#[test]
fn a_column_settles_under_its_weight() {
    // ν = 0: ρgH²/(2E) for each block, with the weight above
    let mut stepper = Stepper::new(column(2, 0.0), quiet(1e-3)).unwrap();
    let reports = run(&mut stepper, 300);
    let expected = -DENSITY * G / (2.0 * YOUNG);
    let settlement = top(&stepper, 2);
    assert!((settlement / expected - 1.0).abs() < 1e-6, "{settlement:e} instead of {expected:e}");
    let joint: f64 = stepper.contacts().iter().filter(|c| c.key.antagonist != 0).map(|c| c.force.z.abs()).sum();
    assert!((joint / (DENSITY * 0.125 * G) - 1.0).abs() < 1e-6, "{joint}");
    // stress at the foot: mean of the lower block 1.5 blocks of weight over its area
    let part = stepper.model().elastic_part(1).unwrap();
    let stress = mean_stress(&part.block.stresses(&stepper.state().elastic[1].displacement, 0.0));
    assert!((stress.0[2] / (-DENSITY * G * 0.75) - 1.0).abs() < 1e-6, "{stress:?}");
    assert!(ledger_error(0.0, reports.last().unwrap()) < 1e-6);
}

/// Two blocks of 0.5 × 0.4 m with these numbers of elements along their edges on a frictionless floor, without weight; 50 kN spread
/// linearly over the top of the upper one, with an eccentricity e along x. The largest error of the vertical stress at integration
/// points, relative to the mean pressure.
fn contact_patch<S: Kit + FlexibleSpace>(divisions: [usize; 2], grid: usize, e: f64) -> f64 {
    let force = 50e3;
    let mut model = model::<S>(0.0, Restitution::Inelastic);
    model.gravity = S::zero();
    floor(&mut model);
    let shape = S::block(0.5, 0.4);
    let area = shape.mass_properties().unwrap().volume / 0.4;
    for (k, divisions) in divisions.into_iter().enumerate() {
        let body = add(&mut model, shape.clone(), Pose::at(S::v(0.0, 0.2 + 0.4 * k as f64)), Role::Free);
        let (block, _) = S::flexible(&shape, &stone(0.2, divisions)).unwrap();
        model.elastic.resize(model.bodies.len(), None);
        model.elastic[body] = Some(ElasticPart { block, grid, warming: None, strengths: [None; 2], modes: None });
    }
    let mut load = push::<S>(2, S::v(0.0, -force));
    load.point = S::v(e, 0.2);
    model.loads.push(load);
    // steps beyond the periods of the blocks; the tolerance is relative to the velocity that the load causes in a step, which for a
    // step of the length h is h²ω² times the elastic one
    let settings = DynamicSettings { tolerance: 1e-12, ..quiet(0.01) };
    let mut stepper = Stepper::new(model, settings).unwrap();
    run(&mut stepper, 8);
    let mut worst: f64 = 0.0;
    for body in [1, 2] {
        let part = stepper.model().elastic_part(body).unwrap();
        let gauss = part.block.stresses(&stepper.state().elastic[body].displacement, 0.0);
        for (place, g) in part.block.gauss_places().iter().zip(gauss) {
            // eccentric load on a rectangle of half length b: p = F/A (1 + 3 e x/b²)
            let pressure = force / area * (1.0 + 3.0 * e * place[0] / 0.0625);
            worst = worst.max((g.stress.0[S::DIM - 1] + pressure).abs() * area / force);
        }
    }
    worst
}

#[test]
fn uniform_and_linear_pressures_pass_joints_between_different_meshes() {
    for grid in [0, 2, 3] {
        let plane = contact_patch::<D2>([5, 7], grid, 0.0);
        assert!(plane < 1e-8, "plane, grid {grid}: {plane:e}");
        let space = contact_patch::<D3>([2, 3], grid, 0.0);
        assert!(space < 1e-8, "space, grid {grid}: {space:e}");
        // an eccentric load tilts the blocks by 1e-5, and its force then has a part along the joint; the test of the crate
        // `elastic` without motion has ten digits
        let tilted = contact_patch::<D2>([5, 7], grid, 0.05);
        assert!(tilted < 1e-4, "plane, grid {grid}, eccentric: {tilted:e}");
    }
}

#[test]
fn a_heated_block_between_walls_is_pressed() {
    // plane stress: −EαΔT; the walls are rigid supports without friction
    let mut model = model::<D2>(0.0, Restitution::Inelastic);
    model.gravity = DVec2::ZERO;
    for x in [-1.5, 1.5] {
        add(
            &mut model,
            Shape2::rectangle(DVec2::new(1.0, 1.0)).unwrap(),
            Pose::at(DVec2::new(x, 0.0)),
            Role::Support(None),
        );
    }
    let body = add(&mut model, Shape2::rectangle(DVec2::new(2.0, 0.5)).unwrap(), Pose::at(DVec2::ZERO), Role::Free);
    make_elastic(&mut model, body, &FlexibleSettings { state: PlaneState::Stress, ..stone(0.2, 4) });
    let ramp = TimeFunction::Constant(1.0);
    model.elastic[body].as_mut().unwrap().warming = Some((30.0, ramp));
    let mut stepper = Stepper::new(model, quiet(1e-3)).unwrap();
    run(&mut stepper, 300);
    let part = stepper.model().elastic_part(body).unwrap();
    for g in part.block.stresses(&stepper.state().elastic[body].displacement, 30.0) {
        assert!((g.stress.0[0] / (-YOUNG * 1e-5 * 30.0) - 1.0).abs() < 1e-6, "{:?}", g.stress);
        assert!(g.stress.0[1].abs() < 10.0);
    }
}

/// A bar of 2.0 × 0.2 × 0.2 m that spins at 50 rad/s about z.
fn spinning(step: f64) -> Stepper<D3> {
    let mut model = model::<D3>(0.0, Restitution::Inelastic);
    model.gravity = DVec3::ZERO;
    let shape = Shape3::cuboid(DVec3::new(2.0, 0.2, 0.2)).unwrap();
    let body = add(&mut model, shape, Pose::at(DVec3::ZERO), Role::Free);
    model.bodies[body].mass *= 2500.0 / DENSITY;
    model.bodies[body].inertia *= 2500.0 / DENSITY;
    model.bodies[body].spin = DVec3::new(0.0, 0.0, 50.0);
    let settings = FlexibleSettings { density: 2500.0, fineness: Fineness::of_size(0.0626), ..stone(0.2, 1) };
    make_elastic(&mut model, body, &settings);
    Stepper::new(model, quiet(step)).unwrap()
}

#[test]
fn a_spinning_bar_is_stretched_without_drift() {
    let mut stepper = spinning(1e-3);
    run(&mut stepper, 2000);
    let part = stepper.model().elastic_part(0).unwrap();
    let gauss = part.block.stresses(&stepper.state().elastic[0].displacement, 0.0);
    let middle = part.block.point_stresses(&gauss).iter().map(|s| s.0[0]).fold(0.0, f64::max);
    // ρω²L²/8 = 3.125e6
    assert!((middle / 3.125e6 - 1.0).abs() < 2e-3, "{middle:e}");
    let spin = stepper.state().velocities[5];
    assert!((spin - 49.99386).abs() < 5e-5, "{spin}");
}

#[test]
fn a_thrown_and_ringing_block_keeps_its_momentum_and_energy() {
    let mut model = model::<D3>(0.0, Restitution::Inelastic);
    model.gravity = DVec3::ZERO;
    let shape = Shape3::cuboid(DVec3::new(1.0, 0.4, 0.3)).unwrap();
    let body = add(&mut model, shape, Pose::at(DVec3::ZERO), Role::Free);
    model.bodies[body].velocity = DVec3::new(3.0, -1.0, 2.0);
    make_elastic(&mut model, body, &stone(0.2, 2));
    let model = Arc::new(model);
    let mut start = voussoir_mechanics::state::State::initial(&model);
    let part = model.elastic_part(body).unwrap();
    let memory = &mut start.elastic[body];
    memory.displacement.iter_mut().enumerate().for_each(|(k, q)| *q = 1e-6 * ((k * 37 % 19) as f64 - 9.0));
    part.block.take_rigid_part(&mut memory.displacement);
    let stored = part.block.elastic_energy(&memory.displacement);
    let momentum = voussoir_mechanics::measures::momentum(&model, &start).0;
    let moving = voussoir_mechanics::measures::kinetic_energy(&model, &start);
    let mut stepper = Stepper::with_state(Arc::clone(&model), settings(2e-5), start).unwrap();
    let report = run(&mut stepper, 2000).pop().unwrap();
    let state = stepper.state();
    let now = voussoir_mechanics::measures::momentum(&model, state).0;
    assert!((now - momentum).length() < 1e-12 * momentum.length());
    let ringing = part.block.elastic_energy(&state.elastic[body].displacement)
        + part.block.kinetic_energy(&state.elastic[body].velocity);
    assert!((ringing / stored - 1.0).abs() < 1e-9, "{ringing:e} {stored:e}");
    assert!(report.kinetic_energy > moving && ledger_error(moving, &report) < 1e-9);
}

#[test]
fn a_dropped_block_loses_little_and_the_ledger_closes() {
    for theta in [0.5, 1.0] {
        let mut model = model::<D2>(0.5, Restitution::Inelastic);
        floor(&mut model);
        let shape = Shape2::rectangle(DVec2::new(1.0, 0.6)).unwrap();
        let pose = Pose { position: DVec2::new(0.0, 0.5), rotation: 0.1 };
        let body = add(&mut model, shape, pose, Role::Free);
        let damping = RayleighDamping { mass: 2.0, stiffness: 1e-5 };
        make_elastic(&mut model, body, &FlexibleSettings { damping, ..stone(0.2, 4) });
        let mut stepper = Stepper::new(model, DynamicSettings { theta, ..settings(1e-4) }).unwrap();
        let reports = run(&mut stepper, 3000);
        let worst = reports.iter().map(|report| ledger_error(0.0, report)).fold(0.0, f64::max);
        assert!(worst < 1e-6, "{theta}: {worst:e}");
        let last = reports.last().unwrap();
        assert!(last.ledger.impact > 0.0 && last.ledger.damping > 0.0);
    }
}

#[test]
fn elastic_and_rigid_blocks_stand_on_each_other() {
    // rigid, elastic, rigid, elastic: supports carry the weight
    let mut model = model::<D3>(0.6, Restitution::Inelastic);
    floor(&mut model);
    for k in 0..4 {
        let shape = Shape3::cuboid(DVec3::new(0.6, 0.4, 0.3)).unwrap();
        let at = Pose::at(DVec3::new(0.05 * (k % 2) as f64, 0.0, 0.15 + 0.3 * k as f64));
        let body = add(&mut model, shape, at, Role::Free);
        if k % 2 == 1 {
            make_elastic(&mut model, body, &stone(0.2, 3));
        }
    }
    let weight: f64 = model.bodies[1..].iter().map(|body| body.mass * G).sum();
    let mut stepper = Stepper::new(model, quiet(5e-3)).unwrap();
    let report = run(&mut stepper, 100).pop().unwrap();
    // equal blocks are factorised once; each has contacts of its own
    let [factorisations, condensations] = stepper.elastic_counts();
    assert!(factorisations == 1 && condensations >= 2, "{factorisations} {condensations}");
    assert!((report.support_reaction[2] / weight - 1.0).abs() < 1e-6, "{:?}", report.support_reaction);
    assert!(report.speed < 1e-8 && ledger_error(0.0, &report) < 1e-6);
}

#[test]
fn a_state_continues_bit_for_bit() {
    let mut whole = Stepper::new(column(3, 0.2), settings(1e-3)).unwrap();
    run(&mut whole, 40);
    let mut first = Stepper::new(column(3, 0.2), settings(1e-3)).unwrap();
    run(&mut first, 17);
    let state = first.into_state();
    let mut second = Stepper::with_state(column(3, 0.2), settings(1e-3), state).unwrap();
    run(&mut second, 23);
    assert_eq!(whole.state(), second.state());
}

/// L5: cubes of 0.5 m on a rigid base, 250 kN down and a force sideways spread over the top, 2 400 kg/m³; `single`: one body with
/// the same elements instead of `blocks`. The loads grow slowly, so that no joint slides on the way. Loads and weight are
/// divided by 1 000: the weight acts on the displaced tower, which bends it by P L²/EI more than linear theory, 0.4 % under full load.
pub fn tower(blocks: usize, n: usize, sideways: f64, single: bool) -> Model<D3> {
    let mut model = model::<D3>(3.0, Restitution::Inelastic);
    model.gravity = DVec3::new(0.0, 0.0, -G / 1000.0);
    let base = Shape3::cuboid(DVec3::new(2.0, 2.0, 1.0)).unwrap();
    add(&mut model, base, Pose::at(DVec3::new(0.0, 0.0, -0.5)), Role::Support(None));
    let (count, size) = if single { (1, 0.5 * blocks as f64) } else { (blocks, 0.5) };
    for k in 0..count {
        let shape = Shape3::cuboid(DVec3::new(0.5, 0.5, size)).unwrap();
        let body = add(&mut model, shape, Pose::at(DVec3::new(0.0, 0.0, size * (k as f64 + 0.5))), Role::Free);
        model.bodies[body].mass *= 2400.0 / DENSITY;
        model.bodies[body].inertia *= 2400.0 / DENSITY;
        let fineness = Fineness::of_size(0.5 / n as f64 * 1.001);
        make_elastic(&mut model, body, &FlexibleSettings { fineness, density: 2400.0, ..stone(0.2, n) });
        model.elastic[body].as_mut().unwrap().grid = n;
    }
    let mut load = push::<D3>(count, DVec3::new(sideways, 0.0, -250e3) / 1000.0);
    load.point = DVec3::new(0.0, 0.0, 0.5 * size);
    load.function = TimeFunction::Table(vec![(0.02, 0.0), (0.3, 1.0)]);
    model.loads.push(load);
    model
}

/// Mean displacement of the points of the mesh on the top of a tower, times 1 000.
fn top_of_tower(model: Model<D3>) -> DVec3 {
    let last = model.bodies.len() - 1;
    let top = model.loads[0].point;
    let mut stepper = Stepper::new(model, DynamicSettings { tolerance: 1e-10, ..quiet(2e-3) }).unwrap();
    for _ in 0..400 {
        stepper.step().unwrap();
    }
    let (model, state) = (stepper.model(), stepper.state());
    let part = model.elastic_part(last).unwrap();
    let (surface, points) = part.block.drawn();
    let on_top = surface.points.iter().zip(points).filter(|(place, _)| (place[2] - top.z).abs() < 1e-9);
    let on_top: Vec<u32> = on_top.map(|(_, point)| point).collect();
    let weights = [on_top.iter().map(|&point| (point, 1.0 / on_top.len() as f64)).collect()];
    let elastic = part.block.gather(&weights, &state.elastic[last].displacement);
    (state.poses[last].point(top + DVec3::from_slice(&elastic)) - model.bodies[last].pose.point(top)) * 1000.0
}

#[test]
fn closed_joints_are_a_monolith() {
    // the first step, in the undeformed geometry: later ones differ by the weight on the displaced blocks (4e-4 under full load)
    let velocity = |single: bool| {
        let mut model = tower(4, 2, 8e3, single);
        model.loads[0].function = TimeFunction::Constant(1.0);
        let last = model.bodies.len() - 1;
        let top = model.loads[0].point;
        let settings = DynamicSettings { tolerance: 1e-13, ..quiet(0.02) };
        let mut stepper = Stepper::new(model, settings).unwrap();
        let report = stepper.step().unwrap();
        assert!(report.converged, "{:?}", report.solve);
        let (model, state) = (stepper.model(), stepper.state());
        let part = model.elastic_part(last).unwrap();
        let weights = [part.block.spread(top.to_array()).unwrap()];
        let elastic = DVec3::from_slice(&part.block.gather(&weights, &state.elastic[last].velocity));
        let own: Vec<f64> = state.velocities[last * 6..][..6].to_vec();
        DVec3::from_slice(&own) + DVec3::from_slice(&own[3..]).cross(top) + elastic
    };
    let [one, four] = [true, false].map(velocity);
    assert!((one - four).length() < 1e-8 * one.length(), "{one:?} {four:?}");
}

#[test]
fn four_cubes_bend_as_computed_independently() {
    let top = top_of_tower(tower(4, 2, 8e3, false));
    println!("tower: {:.8e} {:.8e}", top.x, top.z);
    assert!((top.x / 2.09363524e-4 - 1.0).abs() < 1e-5 && (top.z / -1.01849995e-4 - 1.0).abs() < 1e-5, "{top:?}");
}
