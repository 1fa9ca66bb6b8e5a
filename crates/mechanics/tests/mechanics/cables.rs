//! Cables against closed forms: a suspended block, a pulley, a ring, prestress, slack, breaking; stored energy;
//! restarts.

use voussoir_contact::{Options, Solver, SolverKind, Status};
use voussoir_geometry::glam::DVec3;
use voussoir_geometry::{D2, D3, Pose, Space, Vector};
use voussoir_mechanics::Stepper;
use voussoir_mechanics::cable::CableChange;
use voussoir_mechanics::model::{Anchor, Cable, DynamicSettings, Model, MotionQuantity, Restitution, Role};
use voussoir_mechanics::state::State;
use voussoir_mechanics::time_function::TimeFunction;

use crate::common::*;

/// A cable through the centroids of bodies.
fn cable<S: Space>(bodies: &[usize], stiffness: f64, prestress: f64) -> Cable<S> {
    Cable {
        name: "cable".to_owned(),
        anchors: bodies.iter().map(|&body| Anchor { body, point: S::zero() }).collect(),
        closed: false,
        stiffness,
        prestress,
        function: TimeFunction::Constant(1.0),
        strength: None,
        breaks: false,
        fitted: true,
        at_rest: None,
    }
}

/// A block that hangs one metre below a fixed one; the weight of the block.
fn hung<S: Kit>(stiffness: f64) -> (Model<S>, f64) {
    let mut model = model::<S>(0.5, Restitution::Inelastic);
    let hook = add(&mut model, S::block(0.1, 0.1), Pose::at(S::v(0.0, 1.0)), Role::Support(None));
    let block = add(&mut model, S::block(0.4, 0.3), Pose::identity(), Role::Free);
    model.cables.push(cable(&[hook, block], stiffness, 0.0));
    let weight = model.bodies[block].mass * G;
    (model, weight)
}

fn hung_block_oscillates<S: Kit>() {
    let stiffness = 2e5;
    let (model, weight) = hung::<S>(stiffness);
    let h = 2e-3;
    let omega = (stiffness * G / weight).sqrt();
    // the trapezoidal rule turns the oscillator by this angle in a step, exactly
    let angle = 2.0 * (0.5 * omega * h).atan();
    let mut stepper = Stepper::new(model, settings(h)).unwrap();
    let reports = run(&mut stepper, 300);
    let down = weight / stiffness;
    for (n, report) in reports.iter().enumerate() {
        let elongation = |n: f64| down * (1.0 - (angle * n).cos());
        let mean = 0.5 * stiffness * (elongation(n as f64) + elongation(n as f64 + 1.0));
        assert!((report.cables[0].tension - mean).abs() < 1e-7 * weight, "{n}: {report:?}");
        assert!((report.displacement - elongation(n as f64 + 1.0)).abs() < 1e-9 * down, "{n}");
        let left = report.kinetic_energy - report.ledger.gravity + report.ledger.taken();
        assert!(left.abs() < 1e-12 * weight * down, "{n}: {left:e}");
        assert!(report.ledger.numerical.abs() < 1e-10 * weight * down, "{:?}", report.ledger);
        assert!((report.support_reaction[S::UP] - report.cables[0].tension).abs() < 1e-9 * weight);
    }
}

#[test]
fn a_hung_block_oscillates_about_its_elongation() {
    hung_block_oscillates::<D2>();
    hung_block_oscillates::<D3>();
}

#[test]
fn a_hung_block_comes_to_rest_with_its_weight_in_the_cable() {
    let (model, weight) = hung::<D3>(2e5);
    let mut stepper = Stepper::new(model, DynamicSettings { theta: 1.0, ..settings(2e-3) }).unwrap();
    let last = run(&mut stepper, 3000).pop().unwrap();
    assert!((last.cables[0].tension / weight - 1.0).abs() < 1e-6, "{last:?}");
    assert!((position(&stepper, 1).z + weight / 2e5).abs() < 1e-6 * weight / 2e5);
}

/// Prestressed by its weight, a block hangs where it is.
#[test]
fn prestress_carries_from_the_first_step() {
    let (mut model, weight) = hung::<D2>(1e6);
    model.cables[0].prestress = weight;
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    for report in run(&mut stepper, 50) {
        assert!((report.cables[0].tension / weight - 1.0).abs() < 1e-9 && report.displacement < 1e-12);
        // what the jack stored is work of loads
        assert!((report.ledger.elastic / (0.5 * weight * weight / 1e6) - 1.0).abs() < 1e-9);
        assert!(ledger_error(0.0, &report) < 1e-12);
    }
}

/// Two masses over a hook: the cable slides, both have the acceleration g (m₁ − m₂)/(m₁ + m₂).
fn pulley<S: Kit>() {
    let mut model = model::<S>(0.5, Restitution::Inelastic);
    let hook = add(&mut model, S::ball(0.01), Pose::at(S::v(0.0, 10.0)), Role::Support(None));
    let heavy = add(&mut model, S::block(0.5, 0.4), Pose::at(S::v(-1e-6, 0.0)), Role::Free);
    let light = add(&mut model, S::block(0.5, 0.2), Pose::at(S::v(1e-6 + 2.0, 0.0)), Role::Free);
    let away = add(&mut model, S::ball(0.01), Pose::at(S::v(2.0, 10.0)), Role::Support(None));
    let [m1, m2] = [heavy, light].map(|body| model.bodies[body].mass);
    let tension = 2.0 * m1 * m2 * G / (m1 + m2);
    model.cables.push(cable(&[heavy, hook, away, light], 1e7, tension));
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    let reports = run(&mut stepper, 400);
    let t = reports.len() as f64 * 1e-3;
    let fall = 0.5 * G * (m1 - m2) / (m1 + m2) * t * t;
    assert!(
        (position(&stepper, heavy).get(S::UP) + fall).abs() < 1e-4 * fall,
        "{}",
        position(&stepper, heavy).get(S::UP)
    );
    assert!((position(&stepper, light).get(S::UP) - fall).abs() < 1e-4 * fall);
    for report in &reports {
        assert!((report.cables[0].tension / tension - 1.0).abs() < 1e-3, "{report:?}");
        assert!(ledger_error(0.0, report) < 1e-12);
    }
}

#[test]
fn a_cable_slides_over_a_hook_without_friction() {
    pulley::<D2>();
    pulley::<D3>();
}

/// Five radial loads F: each node has 2 T sin 36° = F.
#[test]
fn a_ring_of_five_carries_radial_loads() {
    let mut model = model::<D3>(0.5, Restitution::Inelastic);
    model.gravity = DVec3::ZERO;
    let force = 40e3;
    for k in 0..5 {
        let out = DVec3::new((72.0 * k as f64).to_radians().cos(), (72.0 * k as f64).to_radians().sin(), 0.0);
        let body = add(&mut model, D3::block(0.5, 0.4), Pose::at(out * 4.0), Role::Free);
        model.loads.push(push(body, out * force));
    }
    model.cables.push(Cable { closed: true, ..cable(&[0, 1, 2, 3, 4], 5.85e6, 0.0) });
    let mut stepper = Stepper::new(model, DynamicSettings { theta: 1.0, ..settings(2e-3) }).unwrap();
    let last = run(&mut stepper, 2000).pop().unwrap();
    let expected = force / (2.0 * 36f64.to_radians().sin());
    assert!((last.cables[0].tension / expected - 1.0).abs() < 1e-6, "{last:?}");
    // every side is 8 sin 36° long at first
    let longer = expected / 5.85e6;
    assert!((last.displacement / (longer / (10.0 * 36f64.to_radians().sin())) - 1.0).abs() < 1e-5);
}

/// Blocks in a row, pressed together by a cable from the first to the last.
fn row<S: Kit>(blocks: usize, prestress: f64) -> Model<S> {
    let mut model = model::<S>(0.8, Restitution::Inelastic);
    for i in 0..blocks {
        add(&mut model, S::block(0.5, 0.4), Pose::at(S::v(0.5 * i as f64, 0.0)), Role::Free);
    }
    model.bodies[0].role = Role::Support(None);
    let all: Vec<usize> = (0..blocks).collect();
    model.cables.push(cable(&all, 6e6, prestress));
    model
}

fn normal_force<S: Space>(stepper: &Stepper<S>, bodies: [u32; 2]) -> f64 {
    let mine = |key: &voussoir_mechanics::state::ContactKey| {
        bodies.contains(&key.candidate) && bodies.contains(&key.antagonist)
    };
    stepper
        .contacts()
        .iter()
        .filter(|contact| mine(&contact.key))
        .map(|contact| contact.force.dot(contact.normal))
        .sum()
}

/// The prestress goes through every joint; friction then carries the weight of all blocks, μP ≥ W: they stay.
fn prestressed_row_stays<S: Kit>() {
    let model = row::<S>(4, 0.0);
    let weight: f64 = model.bodies[1..].iter().map(|body| body.mass * G).sum();
    // the moment of the weight, W·¾ m about the first joint, is held by the eccentric thrust: P·0.2 m
    let holds = 1.1 * weight * 0.75 / 0.2;
    let mut stepper = Stepper::new(row::<S>(4, holds), settings(1e-3)).unwrap();
    let last = run(&mut stepper, 100).pop().unwrap();
    assert!(last.displacement < 1e-6, "{}", last.displacement);
    for joint in [[0, 1], [1, 2], [2, 3]] {
        assert!((normal_force(&stepper, joint) / holds - 1.0).abs() < 1e-5, "{joint:?}");
    }
    let mut stepper = Stepper::new(row::<S>(4, 0.9 * holds / 1.1), settings(1e-3)).unwrap();
    let last = run(&mut stepper, 300).pop().unwrap();
    assert!(last.displacement > 1e-3, "{}", last.displacement);
}

#[test]
fn a_prestressed_row_of_blocks_stays_as_beam_theory_says() {
    prestressed_row_stays::<D2>();
    prestressed_row_stays::<D3>();
}

/// A jack that lets go by half: joint forces follow, and it takes back what it had stored.
#[test]
fn a_jack_loosens_the_cable_and_the_ledger_closes() {
    let mut model = row::<D2>(3, 200e3);
    model.gravity = D2::v(0.0, 0.0);
    model.cables[0].function = TimeFunction::Table(vec![(0.0, 1.0), (0.05, 1.0), (0.1, 0.5)]);
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    let reports = run(&mut stepper, 150);
    let last = reports.last().unwrap();
    assert!((last.cables[0].tension / 100e3 - 1.0).abs() < 1e-6);
    assert!((normal_force(&stepper, [0, 1]) / 100e3 - 1.0).abs() < 1e-6);
    let stored = 0.5 * 100e3f64.powi(2) / 6e6;
    assert!((last.ledger.elastic / stored - 1.0).abs() < 1e-6 && (last.ledger.loads / stored - 1.0).abs() < 1e-6);
    assert!(reports.iter().all(|report| ledger_error(0.0, report) < 1e-12));
}

/// Loose by 0.1 m: nothing happens until the block has fallen so far, then the cable catches it.
#[test]
fn a_loose_cable_pulls_when_it_is_taut() {
    let (mut model, weight) = hung::<D3>(2e5);
    model.cables[0].prestress = -0.1 * 2e5;
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    let reports = run(&mut stepper, 400);
    let taut = reports.iter().position(|report| report.cables[0].tension > 0.0).unwrap();
    let free = (2.0 * 0.1 / G).sqrt();
    assert!((reports[taut].time - free).abs() < 2e-3, "{} {free}", reports[taut].time);
    // ½ k e² = W (0.1 + e)
    let down = weight / 2e5;
    let deepest = 0.1 + down + (down * down + 0.2 * down).sqrt();
    let most = reports.iter().map(|report| report.displacement).fold(0.0, f64::max);
    assert!((most / deepest - 1.0).abs() < 5e-3, "{most} {deepest}");
    assert!(reports.iter().all(|report| ledger_error(0.0, report) < 1e-10));
}

#[test]
fn a_cable_snaps_at_its_strength_and_the_block_falls() {
    let (mut model, weight) = hung::<D3>(2e5);
    model.cables[0].strength = Some(1.5 * weight);
    let mut stepper = Stepper::new(model.clone(), settings(1e-3)).unwrap();
    // without `breaks` it goes on
    let reports = run(&mut stepper, 200);
    assert!(reports.iter().any(|report| report.cables[0].tension > 1.9 * weight));
    model.cables[0].breaks = true;
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    let reports = run(&mut stepper, 400);
    let snapped = reports.iter().position(|report| report.cables[0].broken).unwrap();
    assert!(reports.iter().all(|report| report.cables[0].tension <= 1.5 * weight));
    assert!(reports[snapped..].iter().all(|report| report.cables[0].broken && report.cables[0].tension == 0.0));
    assert!(reports.iter().all(|report| ledger_error(0.0, report) < 1e-10));
    // what it had stored is lost: about ½ (1.5 W)²/k
    let lost = reports.last().unwrap().ledger.cohesion;
    assert!((lost / (0.5 * (1.5 * weight).powi(2) / 2e5) - 1.0).abs() < 0.05, "{lost}");
    assert!(reports.last().unwrap().ledger.elastic.abs() < 1e-9 * lost);
    let fallen = velocity(&stepper, 1).z;
    assert!(fallen < -G * 1e-3 * (reports.len() - snapped) as f64 * 0.9);
}

/// A support that moves away pulls the block behind it, at the same speed in the mean.
#[test]
fn a_moving_support_does_the_work() {
    let mut model = model::<D2>(0.3, Restitution::Inelastic);
    floor(&mut model);
    let block = add(&mut model, D2::block(0.4, 0.4), Pose::at(D2::v(0.0, 0.2)), Role::Free);
    let ramp = TimeFunction::Table(vec![(0.0, 0.0), (1.0, 0.5)]);
    model.motions.push(translation(MotionQuantity::Position, D2::v(1.0, 0.0), ramp));
    let hook = add(&mut model, D2::ball(0.05), Pose::at(D2::v(2.0, 0.2)), Role::Support(Some(0)));
    model.cables.push(cable(&[block, hook], 1e6, 0.0));
    let mut stepper = Stepper::new(model, DynamicSettings { theta: 0.6, ..settings(1e-3) }).unwrap();
    let reports = run(&mut stepper, 800);
    assert!(reports.iter().all(|report| ledger_error(0.0, report) < 1e-10));
    // it lags by what friction stretches the cable, and swings with the speed of the support
    let mass = stepper.model().bodies[block].mass;
    let lag = 0.3 * mass * G / 1e6 + 0.5 * (mass / 1e6f64).sqrt();
    assert!((position(&stepper, block).x - 0.4).abs() < lag, "{} {lag}", position(&stepper, block).x);
    let ledger = reports.last().unwrap().ledger;
    let friction = 0.3 * stepper.model().bodies[block].mass * G * position(&stepper, block).x;
    assert!((ledger.friction / friction - 1.0).abs() < 1e-2 && ledger.supports >= ledger.friction, "{ledger:?}");
}

/// A stage may fit, tighten and remove a cable; the jack's work is in the ledger, and a repeated change has no effect.
#[test]
fn cables_are_fitted_and_removed_between_stages() {
    let mut model = row::<D3>(3, 0.0);
    model.cables[0].fitted = false;
    model.gravity = DVec3::ZERO;
    let mut stepper = Stepper::new(model.clone(), settings(1e-3)).unwrap();
    assert!(run(&mut stepper, 5).iter().all(|report| report.cables[0].tension == 0.0));
    let mut state = stepper.state().clone();
    state.change_cable(&model, 0, CableChange::Prestress(50e3)).unwrap();
    let once = state.clone();
    state.change_cable(&model, 0, CableChange::Prestress(50e3)).unwrap();
    assert_eq!(state, once);
    let mut stepper = Stepper::with_state(model.clone(), settings(1e-3), state).unwrap();
    let reports = run(&mut stepper, 20);
    assert!(reports.iter().all(|r| (r.cables[0].tension / 50e3 - 1.0).abs() < 1e-6 && ledger_error(0.0, r) < 1e-12));
    let mut state = stepper.state().clone();
    state.change_cable(&model, 0, CableChange::Remove).unwrap();
    assert!(state.ledger.elastic.abs() < 1e-6 && state.ledger.loads.abs() < 1e-6, "{:?}", state.ledger);
    let mut stepper = Stepper::with_state(model, settings(1e-3), state).unwrap();
    assert!(run(&mut stepper, 5).iter().all(|report| report.cables[0].tension == 0.0));
}

#[test]
fn a_restarted_run_with_cables_has_the_same_bits() {
    let mut model = row::<D3>(4, 60e3);
    model.cables[0].strength = Some(1e9);
    model.cables[0].breaks = true;
    floor(&mut model);
    let floor = model.bodies.len() - 1;
    model.bodies[floor].pose = Pose::at(D3::v(0.0, -0.7));
    let after = |steps: usize, start: Option<State<D3>>| {
        let mut stepper = match start {
            Some(state) => Stepper::with_state(model.clone(), settings(2e-3), state).unwrap(),
            None => Stepper::new(model.clone(), settings(2e-3)).unwrap(),
        };
        (0..steps).for_each(|_| drop(stepper.step().unwrap()));
        stepper.state().clone()
    };
    let whole = after(120, None);
    assert_eq!(whole, after(77, Some(after(43, None))));
    assert!(whole.cables[0].tension > 0.0);
}

/// Every solver copes with the row of a cable: no friction, empty tangential rows, many bodies.
#[test]
fn all_solvers_agree_on_cables() {
    for soft in [6e6, 1e4] {
        let mut model = row::<D3>(5, 400e3);
        model.cables[0].stiffness = soft;
        let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
        run(&mut stepper, 3);
        let (problem, _) = stepper.next_problem();
        let cold = vec![0.0; problem.contacts() * 3];
        let solve = |kind: SolverKind| {
            let options = Options { kind, tolerance: 1e-9, ..Options::default() };
            Solver::new().solve(&problem, &cold, &options)
        };
        let reference = solve(SolverKind::InteriorPoint);
        let tension = |impulses: &[f64]| impulses[impulses.len() - 3];
        for kind in SolverKind::ALL {
            // one knows no compliance, the other no cold start
            if matches!(kind, SolverKind::FaceElements | SolverKind::Sap) {
                continue;
            }
            let found = solve(kind);
            assert_eq!(found.report.status, Status::Converged, "{kind:?} {soft}: {:?}", found.report);
            let off = tension(&found.impulses) / tension(&reference.impulses) - 1.0;
            assert!(off.abs() < 1e-6, "{kind:?} {soft}: {off:e}");
        }
        // in steps, others come to their help
        for kind in [SolverKind::FaceElements, SolverKind::Sap] {
            let mut model = row::<D3>(5, 400e3);
            model.cables[0].stiffness = soft;
            let mut stepper = Stepper::new(model, DynamicSettings { solver: kind, ..settings(1e-3) }).unwrap();
            let last = run(&mut stepper, 5).pop().unwrap();
            assert!((last.cables[0].tension / 400e3 - 1.0).abs() < 1e-6, "{kind:?} {soft}: {last:?}");
        }
    }
}

/// Changes that make a model invalid.
type Spoil = dyn Fn(&mut Model<D2>);

#[test]
fn contradictory_cables_are_refused() {
    let refused = |change: &Spoil| {
        let mut model = row::<D2>(3, 10e3);
        change(&mut model);
        Stepper::new(model, settings(1e-3)).unwrap_err().to_string()
    };
    let cases: [(&Spoil, &str); 7] = [
        (&|m| m.cables[0].anchors.truncate(1), "it needs two"),
        (&|m| m.cables[0].anchors[1].body = 99, "body 99"),
        (&|m| m.cables[0].stiffness = -1.0, "above zero"),
        (&|m| m.cables[0].strength = Some(5e3), "exceeds its strength"),
        (&|m| m.cables[0].breaks = true, "no strength"),
        (&|m| m.bodies.iter_mut().for_each(|b| b.role = Role::Support(None)), "supports only"),
        (&|m| m.cables.push(m.cables[0].clone()), "used twice"),
    ];
    for (change, expected) in cases {
        let message = refused(change);
        assert!(message.contains("cable \"cable\"") && message.contains(expected), "{message}");
    }
    let mut state = State::initial(&row::<D2>(3, 10e3));
    state.cables.clear();
    assert!(Stepper::with_state(row::<D2>(3, 10e3), settings(1e-3), state).is_err());
}
