//! Bonds: cohesive zones against closed forms, Mohr–Coulomb, glue and hinges, springs, memory.

use crate::common::*;
use voussoir_geometry::{D2, D3, Pose, Vector};
use voussoir_mechanics::Stepper;
use voussoir_mechanics::joints::{Bilinear, Bond, Cohesive, Elastic, Glued, Hinged, MohrCoulomb};
use voussoir_mechanics::model::{
    DynamicSettings, Joint, JointTable, Material, Model, MotionQuantity, Restitution, Role,
};
use voussoir_mechanics::state::State;
use voussoir_mechanics::stepper::DynamicReport;
use voussoir_mechanics::time_function::TimeFunction;

/// Area of the bond under test: a block of 1 m by 0.7 m, per metre in 2D.
fn area<S: Kit>() -> f64 {
    if S::DIM == 2 { 1.0 } else { 0.7 }
}

/// A block bonded to a base that does not move, glued to a clamp that moves as told; no gravity.
fn press<S: Kit>(joint: Joint, direction: S::Vector, table: Vec<[f64; 2]>) -> Model<S> {
    let mut model = model::<S>(0.6, Restitution::Inelastic);
    model.gravity = S::zero();
    model.materials =
        ["stone", "base", "clamp"].map(|n| Material { name: n.into(), density: DENSITY, strength: None }).to_vec();
    model.joints = JointTable::uniform(3, Joint::coulomb(0.0));
    model.joints.set(0, 1, joint);
    model.joints.set(0, 2, Joint { bond: Some(Bond::Glued(Glued)), ..Joint::coulomb(0.0) });
    let table = TimeFunction::Table(table.into_iter().map(|[t, x]| (t, x)).collect());
    model.motions.push(translation(MotionQuantity::Position, direction, table));
    for (i, role) in [Role::Support(None), Role::Free, Role::Support(Some(0))].into_iter().enumerate() {
        let body = add(&mut model, S::block(1.0, 0.2), Pose::at(S::v(0.0, 0.2 * i as f64)), role);
        model.bodies[body].material = [1, 0, 2][i];
    }
    model
}

/// Force per area that the base has on the block along `d`, and what the steps say.
fn pull<S: Kit>(joint: Joint, d: S::Vector, table: Vec<[f64; 2]>, steps: usize) -> (Vec<f64>, Vec<DynamicReport>) {
    let end = table.last().unwrap()[0];
    let mut stepper = Stepper::new(press::<S>(joint, d, table), settings(end / steps as f64)).unwrap();
    (0..steps)
        .map(|_| {
            let report = run(&mut stepper, 1).remove(0);
            let base = stepper.contacts().iter().filter(|c| c.key.antagonist == 0);
            (-base.map(|c| c.force.dot(d)).sum::<f64>() / area::<S>(), report)
        })
        .unzip()
}

const MAC: Cohesive = Cohesive { normal: 4e9, tangential: 1e9, energy: 40.0, viscosity: 0.0, exponent: 1.0 };

fn closes(reports: &[DynamicReport], energy: f64) {
    let worst = reports.iter().map(|r| ledger_error(0.0, r)).fold(0.0, f64::max);
    assert!(worst < 1e-6, "ledger {worst:.1e}");
    let left = reports.iter().map(|r| r.ledger.numerical.abs()).fold(0.0, f64::max);
    assert!(left < 1e-6 * energy, "numerical {left:.1e} of {energy:.1e}");
}

/// Peak √(w c) at √(w/c), then w²/(c δ³); the energy is w.
fn mac_curve<S: Kit>(d: S::Vector, c: f64) {
    let begin = (MAC.energy / c).sqrt();
    let peak = (MAC.energy * c).sqrt();
    let steps = 3000;
    // the rigid clamp may press the block on the base with any force: no friction
    let joint = Joint { bond: Some(Bond::Cohesive(MAC)), ..Joint::coulomb(0.0) };
    let (stress, reports) = pull::<S>(joint, d, vec![[0.0, 0.0], [15.0, 15.0 * begin]], steps);
    let most = stress.iter().copied().fold(0.0, f64::max);
    assert!((most / peak - 1.0).abs() < 0.01, "peak {most:.4e}, {peak:.4e}");
    for (i, s) in stress.iter().enumerate() {
        let jump = 15.0 * begin * (i as f64 + 0.5) / steps as f64;
        let exact = if jump <= begin { c * jump } else { MAC.energy * MAC.energy / (c * jump.powi(3)) };
        assert!((s - exact).abs() < 0.02 * peak, "at {:.3}: {s:.4e}, {exact:.4e}", jump / begin);
    }
    let last = reports.last().unwrap();
    let dissipated = last.ledger.cohesion / area::<S>();
    assert!((dissipated / MAC.energy - 1.0).abs() < 0.01, "energy {dissipated}");
    closes(&reports, MAC.energy * area::<S>());
}

#[test]
fn mac_czm_in_mode_one_and_two_follows_its_closed_form() {
    mac_curve::<D2>(D2::v(0.0, 1.0), MAC.normal);
    mac_curve::<D2>(D2::v(1.0, 0.0), MAC.tangential);
    mac_curve::<D3>(D3::v(0.0, 1.0), MAC.normal);
}

#[test]
fn unloading_follows_the_secant_and_nothing_heals() {
    let begin = (MAC.energy / MAC.normal).sqrt();
    let joint = Joint { bond: Some(Bond::Cohesive(MAC)), ..Joint::coulomb(0.6) };
    let table = vec![[0.0, 0.0], [2.0, 2.0 * begin], [3.0, 0.5 * begin], [4.0, 2.0 * begin]];
    let (stress, reports) = pull::<D2>(joint, D2::v(0.0, 1.0), table, 4000);
    // β = ¼ at twice the jump of the peak: the secant is β² c
    let secant = MAC.normal / 16.0;
    for (i, s) in stress.iter().enumerate().skip(2010) {
        let t = (i as f64 + 0.5) / 1000.0;
        let jump = if t < 3.0 { 2.0 - 1.5 * (t - 2.0) } else { 0.5 + 1.5 * (t - 3.0) } * begin;
        assert!((s / (secant * jump) - 1.0).abs() < 5e-3, "at {t}: {s:.4e}");
    }
    let worn = |i: usize| reports[i].ledger.cohesion;
    assert!((worn(3990) - worn(2010)).abs() < 1e-6 * worn(2010));
    closes(&reports, MAC.energy);
}

/// Triangle under the curve, in both modes and in a mixture of them.
fn bilinear<S: Kit>() {
    let law = Bilinear { stiffness: [4e10, 2e10], strength: [4e5, 6e5], energy: [40.0, 90.0] };
    let joint = Joint { bond: Some(Bond::Bilinear(law)), ..Joint::coulomb(0.0) };
    for (d, peak, energy) in [(S::v(0.0, 1.0), 4e5, 40.0), (S::v(1.0, 0.0), 6e5, 90.0)] {
        let end = 2.0 * energy / peak;
        let (stress, reports) = pull::<S>(joint, d, vec![[0.0, 0.0], [1.0, 1.05 * end]], 4000);
        let most = stress.iter().copied().fold(0.0, f64::max);
        assert!((most / peak - 1.0).abs() < 0.01, "peak {most:.4e}");
        let dissipated = reports.last().unwrap().ledger.cohesion / area::<S>();
        assert!((dissipated / energy - 1.0).abs() < 0.01, "energy {dissipated}");
        // half way down the straight line
        let begin = peak / if peak == 4e5 { 4e10 } else { 2e10 };
        let half = ((0.5 * (begin + end)) / (1.05 * end) * 4000.0) as usize;
        assert!((stress[half] / peak - 0.5).abs() < 0.01, "{}", stress[half] / peak);
        closes(&reports, energy * area::<S>());
    }
    // a mixture: Gᴵ/40 + Gᴵᴵ/90 = 1 with Gᴵ/Gᴵᴵ = kₙ a²/(k_t b²) = 2
    let d = S::v(1.0, 1.0) * 0.5f64.sqrt();
    let (_, reports) = pull::<S>(joint, d, vec![[0.0, 0.0], [1.0, 5e-4]], 4000);
    let second = 1.0 / (2.0 / 40.0 + 1.0 / 90.0);
    let dissipated = reports.last().unwrap().ledger.cohesion / area::<S>();
    assert!((dissipated / (3.0 * second) - 1.0).abs() < 0.01, "{dissipated}, {}", 3.0 * second);
    closes(&reports, 3.0 * second * area::<S>());
}

#[test]
fn bilinear_zone_has_the_strength_and_the_energy_it_is_given() {
    bilinear::<D2>();
    bilinear::<D3>();
}

/// A block hangs on a bond; a load grows until it breaks.
fn hanging<S: Kit>(bond: Bond, elastic: Option<Elastic>) -> f64 {
    let mut model = model::<S>(0.6, Restitution::Inelastic);
    model.joints = JointTable::uniform(1, Joint { bond: Some(bond), elastic, ..Joint::coulomb(0.6) });
    add(&mut model, S::block(1.0, 0.2), Pose::identity(), Role::Support(None));
    let block = add(&mut model, S::block(1.0, 0.2), Pose::at(S::v(0.0, -0.2)), Role::Free);
    let weight = model.bodies[block].mass * G;
    let mut load = push::<S>(block, S::v(0.0, -1.0));
    load.function = TimeFunction::Table(vec![(0.0, 0.0), (1.0, 2e5)]);
    model.loads.push(load);
    // springs that ring would break before their time
    let mut stepper = Stepper::new(model, DynamicSettings { theta: 1.0, ..settings(1e-3) }).unwrap();
    for _ in 0..1000 {
        let report = run(&mut stepper, 1).remove(0);
        if report.speed > 1e-2 {
            return (2e5 * report.time + weight) / area::<S>();
        }
    }
    f64::INFINITY
}

#[test]
fn a_bond_breaks_at_its_tensile_strength() {
    let law = MohrCoulomb { cohesion: 1.2e5, tension: 1e5 };
    for elastic in [None, Some(Elastic::new(1e11, 1e11))] {
        for broke in [hanging::<D2>(Bond::MohrCoulomb(law), elastic), hanging::<D3>(Bond::MohrCoulomb(law), elastic)] {
            assert!((broke / 1e5 - 1.0).abs() < 0.01, "{broke:.4e}, {elastic:?}");
        }
    }
    let mac = Cohesive { normal: 1e10, tangential: 1e10, energy: 1.0, viscosity: 0.0, exponent: 1.0 };
    let broke = hanging::<D2>(Bond::Cohesive(mac), None);
    assert!((broke / 1e5 - 1.0).abs() < 0.01, "{broke:.4e}");
    assert_eq!(hanging::<D3>(Bond::Glued(Glued), None), f64::INFINITY);
}

/// c S + μ N under a weight, then μ N.
#[test]
fn cohesion_adds_to_friction_until_it_breaks() {
    let law = MohrCoulomb { cohesion: 1e4, tension: 5e3 };
    let mut model = model::<D2>(0.6, Restitution::Inelastic);
    model.joints = JointTable::uniform(1, Joint { bond: Some(Bond::MohrCoulomb(law)), ..Joint::coulomb(0.6) });
    add(&mut model, D2::block(1.0, 0.2), Pose::identity(), Role::Support(None));
    let block = add(&mut model, D2::block(1.0, 0.2), Pose::at(D2::v(0.0, 0.2)), Role::Free);
    let weight = model.bodies[block].mass * G;
    let mut load = push::<D2>(block, D2::v(1.0, 0.0));
    load.point = D2::v(0.0, -0.1);
    load.function = TimeFunction::Table(vec![(0.0, 0.0), (1.0, 4e4)]);
    model.loads.push(load);
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    let broke = (0..1000).find(|_| run(&mut stepper, 1)[0].speed > 1e-6).unwrap() as f64 * 40.0;
    assert!((broke / (1e4 + 0.6 * weight) - 1.0).abs() < 0.01, "{broke}");
    // dry from then on
    let before = velocity(&stepper, block).x;
    run(&mut stepper, 1);
    let force = 4e4 * (stepper.state().time - 0.5e-3);
    let expected = (force - 0.6 * weight) / (weight / G) * 1e-3;
    assert!(((velocity(&stepper, block).x - before) / expected - 1.0).abs() < 1e-6);
    assert!(stepper.contacts().iter().all(|c| c.bond.length() == 0.0));
    assert!(stepper.state().bonds.iter().all(|bond| bond.beta == 0.0));
}

/// A block hinged at its upper edge to a support swings like a pendulum; glued it stays.
#[test]
fn a_hinge_turns_and_glue_does_not() {
    let swing = |bond: Bond| {
        let mut model = model::<D2>(0.6, Restitution::Inelastic);
        model.joints = JointTable::uniform(1, Joint { bond: Some(bond), ..Joint::coulomb(0.6) });
        add(&mut model, D2::block(0.2, 0.2), Pose::identity(), Role::Support(None));
        let block = add(&mut model, D2::block(0.2, 1.0), Pose::at(D2::v(0.0, -0.6)), Role::Free);
        model.bodies[block].velocity = D2::v(0.1, 0.0);
        model.bodies[block].spin = 0.2;
        let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
        let mut crossings = Vec::new();
        let mut last = 0.1;
        for _ in 0..3000 {
            run(&mut stepper, 1);
            let x = position(&stepper, block).x;
            if x * last < 0.0 {
                crossings.push(stepper.state().time);
            }
            last = x;
        }
        (crossings, (position(&stepper, block) - D2::v(0.0, -0.6)).length())
    };
    let (crossings, _) = swing(Bond::Hinged(Hinged));
    // physical pendulum: T = 2π √((I/m + d²)/(g d)), d = ½
    let d: f64 = 0.5;
    let period = std::f64::consts::TAU * (((0.04 + 1.0) / 12.0 + d * d) / (G * d)).sqrt();
    let measured = crossings[2] - crossings[0];
    assert!((measured / period - 1.0).abs() < 5e-3, "{measured}, {period}");
    let (_, moved) = swing(Bond::Glued(Glued));
    assert!(moved < 1e-6, "{moved:.1e}");
}

/// A block on springs sinks by weight over stiffness and, pushed, slips by T/(k_t S); θ = 1 brings it to rest.
fn springs<S: Kit>() {
    let mut model = model::<S>(0.6, Restitution::Inelastic);
    let elastic = Elastic::new(1e7, 4e6);
    model.joints = JointTable::uniform(1, Joint { elastic: Some(elastic), ..Joint::coulomb(0.6) });
    add(&mut model, S::block(1.0, 0.2), Pose::identity(), Role::Support(None));
    let block = add(&mut model, S::block(1.0, 0.2), Pose::at(S::v(0.0, 0.2)), Role::Free);
    let weight = model.bodies[block].mass * G;
    let mut load = push::<S>(block, S::v(0.3 * weight, 0.0));
    load.point = S::v(0.0, -0.1);
    // not before the weight presses, or it would slide
    load.function = TimeFunction::Table(vec![(1.0, 0.0), (2.0, 1.0)]);
    model.loads.push(load);
    let mut stepper = Stepper::new(model, DynamicSettings { theta: 1.0, ..settings(2e-3) }).unwrap();
    let reports = run(&mut stepper, 2000);
    let at = position(&stepper, block) - S::v(0.0, 0.2);
    let sink = weight / (1e7 * area::<S>());
    let slip = 0.3 * weight / (4e6 * area::<S>());
    assert!((at.dot(S::v(0.0, 1.0)) / -sink - 1.0).abs() < 1e-3, "{at:?}, {sink:.3e}");
    assert!((at.dot(S::v(1.0, 0.0)) / slip - 1.0).abs() < 1e-3, "{at:?}, {slip:.3e}");
    // stored: half of what weight and push did
    let ledger = reports.last().unwrap().ledger;
    let stored = 0.5 * (weight * sink + 0.3 * weight * slip);
    assert!((ledger.elastic / stored - 1.0).abs() < 1e-3, "{ledger:?}");
    assert!(reports.iter().map(|r| ledger_error(0.0, r)).fold(0.0, f64::max) < 1e-9);
}

#[test]
fn elastic_joints_give_way_by_force_over_stiffness() {
    springs::<D2>();
    springs::<D3>();
}

/// Dynamic friction from the second step of sliding on; static friction before.
#[test]
fn friction_falls_when_it_slides() {
    let start = |force: f64| {
        let mut model = model::<D2>(0.6, Restitution::Inelastic);
        model.joints = JointTable::uniform(1, Joint { dynamic_friction: Some(0.4), ..Joint::coulomb(0.6) });
        floor(&mut model);
        let block = add(&mut model, D2::block(1.0, 0.2), Pose::at(D2::v(0.0, 0.1)), Role::Free);
        let mut load = push::<D2>(block, D2::v(force * model.bodies[block].mass * G, 0.0));
        load.point = D2::v(0.0, -0.1);
        model.loads.push(load);
        let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
        run(&mut stepper, 101);
        velocity(&stepper, block).x
    };
    assert!(start(0.59) < 1e-9);
    let expected = (0.02 + 100.0 * 0.22) * G * 1e-3;
    assert!((start(0.62) / expected - 1.0).abs() < 1e-6, "{}", start(0.62));
}

/// Bonds half worn, killed and resumed: the same bits.
#[test]
fn memory_of_bonds_is_in_the_state() {
    let joint = Joint { bond: Some(Bond::Cohesive(MAC)), ..Joint::coulomb(0.6) };
    let begin = (MAC.energy / MAC.normal).sqrt();
    let model = press::<D3>(joint, D3::v(0.3, 1.0), vec![[0.0, 0.0], [0.2, 4.0 * begin]]);
    let mut whole = Stepper::new(model.clone(), settings(1e-3)).unwrap();
    run(&mut whole, 100);
    let kept: State<D3> = whole.state().clone();
    assert!(kept.bonds.iter().any(|bond| bond.beta > 0.0 && bond.beta < 1.0), "{:?}", kept.bonds);
    let mut resumed = Stepper::with_state(model, settings(1e-3), kept).unwrap();
    run(&mut whole, 100);
    run(&mut resumed, 100);
    assert_eq!(whole.state(), resumed.state());
}
