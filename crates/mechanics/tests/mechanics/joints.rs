//! Joints with a thickness, the associated law, contacts that are too far to take part.

use crate::common::*;
use voussoir_geometry::{D2, D3, Detection, Method, Nodes, Pose, Vector};
use voussoir_mechanics::contact::{Requirements, SolverKind};
use voussoir_mechanics::inspect::inspect;
use voussoir_mechanics::joints::elastic::Elastic;
use voussoir_mechanics::model::{DynamicSettings, FrictionLaw, Joint, JointTable, Material, Restitution, Role};
use voussoir_mechanics::time_function::TimeFunction;
use voussoir_mechanics::{ContactRecord, ContactStatus, MechanicsError, Stepper};

/// Blocks a bed apart stand as they are, closer ones overlap.
fn beds<S: Kit>() {
    let bed = 0.01;
    let stand = |distance: f64| {
        let mut model = model::<S>(0.6, Restitution::Inelastic);
        let joint = Joint { thickness: bed, ..Joint::coulomb(0.6) };
        model.joints = JointTable::uniform(1, joint);
        floor(&mut model);
        for i in 0..3 {
            let at = 0.5 + distance + i as f64 * (1.0 + distance);
            add(&mut model, S::block(1.0, 1.0), Pose::at(S::v(0.0, at)), Role::Free);
        }
        model
    };
    let model = stand(bed);
    assert!(inspect(&model, None).overlaps.is_empty());
    assert!(inspect(&model, None).floating.is_empty());
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    let reports = run(&mut stepper, 100);
    assert!(reports.iter().all(|r| r.displacement < 1e-9 && r.penetration < 1e-9), "{:?}", reports.last());
    assert_eq!(inspect(&stand(0.5 * bed), None).overlaps.len(), 3);
}

#[test]
fn blocks_a_bed_apart_stand() {
    beds::<D2>();
    beds::<D3>();
}

/// The gap under a sliding block is h μ v with the associated law, nothing with Coulomb's.
#[test]
fn associated_law_floats_on_a_bounded_gap() {
    let (h, mu) = (1e-3, 0.4);
    let slide = |friction_law| {
        let mut model = model::<D3>(mu, Restitution::Inelastic);
        floor(&mut model);
        let block = add(&mut model, D3::block(1.0, 0.5), Pose::at(D3::v(0.0, 0.25)), Role::Free);
        let pull = push(block, D3::v(0.8 * G * model.bodies[block].mass, 0.0));
        model.loads.push(pull);
        let mut stepper = Stepper::new(model, DynamicSettings { friction_law, ..settings(h) }).unwrap();
        run(&mut stepper, 200);
        let gap = stepper.contacts().iter().map(|contact| contact.gap).fold(0.0, f64::max);
        (gap, velocity(&stepper, block).length())
    };
    let (gap, speed) = slide(FrictionLaw::Associated);
    assert!((gap / (h * mu * speed) - 1.0).abs() < 0.02, "{gap} at {speed} m/s");
    assert!((speed / ((0.8 - mu) * G * 0.2) - 1.0).abs() < 0.02, "{speed}");
    let (gap, speed) = slide(FrictionLaw::Coulomb);
    assert!(gap < 1e-9 && (speed / ((0.8 - mu) * G * 0.2) - 1.0).abs() < 1e-6, "{gap} at {speed} m/s");
}

/// A stepper accepts exactly the solvers that support the laws.
#[test]
fn a_stepper_refuses_a_solver_that_does_not_support_the_laws() {
    for (friction_law, restitution) in [
        (FrictionLaw::Coulomb, Restitution::Inelastic),
        (FrictionLaw::Coulomb, Restitution::Poisson(0.5)),
        (FrictionLaw::Associated, Restitution::Inelastic),
        (FrictionLaw::Associated, Restitution::Poisson(0.5)),
    ] {
        let associated = friction_law == FrictionLaw::Associated;
        let floors = associated && restitution != Restitution::Inelastic;
        for solver in SolverKind::ALL {
            let model = model::<D2>(0.5, restitution);
            let refused = Stepper::new(model, DynamicSettings { friction_law, solver, ..settings(1e-3) }).err();
            let needed = Requirements { associated, floors, ..Requirements::default() };
            assert_eq!(refused, solver.supports(&needed).err().map(MechanicsError::Solver), "{solver:?}");
        }
    }
}

/// A block on one corner, the other 4 mm above the ground: within the alert distance, but out of reach in a step.
#[test]
fn contacts_out_of_reach_are_not_in_the_problem() {
    let tilt = 0.008;
    let mut model = model::<D2>(0.8, Restitution::Inelastic);
    floor(&mut model);
    let centre = D2::v(0.25 * f64::cos(tilt) - f64::sin(tilt), 0.25 * f64::sin(tilt) + f64::cos(tilt));
    let pose = Pose { position: centre, rotation: D2::turn(tilt) };
    add(&mut model, D2::block(0.5, 2.0), pose, Role::Free);
    let mut stepper = Stepper::new(model, settings(1e-4)).unwrap();
    let (problem, _) = stepper.next_problem();
    assert_eq!(problem.contacts(), 1);
    // on its way it is met in time: the block comes down on both corners without penetration
    let reports = run(&mut stepper, 3000);
    assert_eq!(stepper.contacts().len(), 2);
    assert!(reports.iter().all(|r| r.penetration < 1e-9));
}

/// A column whose beds differ and are wedge-shaped stands where it was built: gaps count from their value at the start.
fn built_as_it_is<S: Kit>() {
    let thickness = 0.03;
    let mut model = model::<S>(0.6, Restitution::Inelastic);
    let joint = Joint { thickness, ..Joint::coulomb(0.6) };
    model.joints = JointTable::uniform(1, joint);
    model.joints.set_beds(0, 0);
    floor(&mut model);
    let mut up = 0.0;
    for (bed, tilt) in [(0.01, 0.0), (0.012, 4e-3), (0.008, -3e-3), (0.015, 5e-3)] {
        up += bed + 0.5;
        let pose = Pose { position: S::v(0.0, up), rotation: S::turn(tilt) };
        add(&mut model, S::block(1.0, 1.0), pose, Role::Free);
        up += 0.5;
    }
    let look = inspect(&model, None);
    assert!(look.overlaps.is_empty() && look.floating.is_empty(), "{look:?}");
    let mut stepper = Stepper::new(model.clone(), settings(1e-3)).unwrap();
    let reports = run(&mut stepper, 100);
    // V1.7: displacements of a column with beds of mortar stay below 1e-8 m
    assert!(reports.iter().all(|r| r.displacement < 1e-8 && r.penetration < 1e-8), "{:?}", reports.last());
    // lifted out of its place, a block falls until the bed is as thick as it was
    let mut lifted = voussoir_mechanics::state::State::initial(&model);
    lifted.poses[4].position += S::v(0.0, 5e-3);
    let mut stepper = Stepper::with_state(model.clone(), settings(1e-3), lifted).unwrap();
    run(&mut stepper, 200);
    let off = (stepper.state().poses[4].position - model.bodies[4].pose.position).length();
    assert!(off < 1e-5, "{off}");
}

#[test]
fn beds_of_any_form_are_the_reference() {
    built_as_it_is::<D2>();
    built_as_it_is::<D3>();
}

/// Every method and number of nodes carries a stack, to the weight of what is above.
fn carries<S: Kit>() {
    for method in [Method::Clip, Method::CommonPlane, Method::Swept] {
        for nodes in [Nodes::All, Nodes::Four, Nodes::Three] {
            let mut model = model::<S>(0.6, Restitution::Inelastic);
            floor(&mut model);
            for i in 0..4 {
                let pose = Pose::at(S::v(0.02 * f64::from(i % 2), 0.25 + 0.5 * f64::from(i)));
                add(&mut model, S::block(1.0, 0.5), pose, Role::Free);
            }
            let weight = 4.0 * G * model.bodies[1].mass;
            let detection = Detection { method, nodes, ..Detection::default() };
            let mut stepper = Stepper::new(model, DynamicSettings { detection, ..settings(1e-3) }).unwrap();
            let reports = run(&mut stepper, 60);
            let last = reports.last().unwrap();
            let reaction = last.support_reaction[S::UP];
            assert!((reaction / weight - 1.0).abs() < 1e-7, "{detection:?}: {reaction} of {weight}");
            assert!(last.speed < 1e-9 && last.displacement < 1e-6, "{detection:?}: {last:?}");
            let most = if S::DIM == 2 { 2 } else { nodes.most() };
            assert!(stepper.contacts().len() <= 4 * most.min(4), "{detection:?}: {}", stepper.contacts().len());
        }
    }
}

#[test]
fn every_method_carries_a_stack() {
    carries::<D2>();
    carries::<D3>();
}

#[test]
fn materials_may_pass_through_each_other() {
    let mut model = model::<D3>(0.6, Restitution::Inelastic);
    model.materials.push(Material { name: "air".into(), density: 1.0, strength: None });
    model.joints = JointTable::uniform(2, model.joints.between(0, 0));
    model.joints.ignore(0, 1);
    floor(&mut model);
    let stone = add(&mut model, D3::block(1.0, 1.0), Pose::at(D3::v(0.0, 0.5)), Role::Free);
    let ghost = add(&mut model, D3::block(1.0, 1.0), Pose::at(D3::v(0.2, 0.9)), Role::Free);
    model.bodies[ghost].material = 1;
    assert!(inspect(&model, None).overlaps.is_empty());
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    run(&mut stepper, 100);
    let fallen = 0.9 - stepper.state().poses[ghost].position.z;
    assert!((fallen - 0.5 * G * 0.01).abs() < 1e-9, "{fallen}");
    assert!((stepper.state().poses[stone].position.z - 0.5).abs() < 1e-9);
}

/// A block of which its joint can carry a share only sinks in with (1 − share) g; what it crushed is not pushed back.
fn crushes<S: Kit>() {
    let area = if S::DIM == 2 { 0.5 } else { 0.5 * 0.35 };
    let with = |share: f64| {
        let mut model = model::<S>(0.5, Restitution::Inelastic);
        floor(&mut model);
        add(&mut model, S::block(0.5, 0.25), Pose::at(S::v(0.0, 0.125)), Role::Free);
        let strength = Some(share * model.bodies[1].mass * G / area);
        model.joints.set(0, 0, Joint { strength, ..Joint::coulomb(0.5) });
        model
    };
    let up = S::DIM - 1;
    let force = |stepper: &Stepper<S>| stepper.contacts().iter().map(|c| c.force.get(up)).sum::<f64>();
    // strong enough: it stands
    let mut stepper = Stepper::new(with(1.2), settings(1e-3)).unwrap();
    assert!(run(&mut stepper, 20).iter().all(|report| report.displacement < 1e-9));
    // too weak: constant force, constant acceleration
    let model = with(0.6);
    let weight = model.bodies[1].mass * G;
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    let report = run(&mut stepper, 20).pop().unwrap();
    let fall = velocity(&stepper, 1).get(up);
    assert!((fall + 0.4 * G * 0.02).abs() < 1e-6 * G, "{fall} m/s in {}D, {:?}", S::DIM, stepper.contacts());
    let carried = force(&stepper) / (0.6 * weight);
    assert!((carried - 1.0).abs() < 1e-6, "{carried} of the strength in {}D, {:?}", S::DIM, stepper.contacts());
    assert!(ledger_error(0.0, &report) < 1e-9 && report.ledger.impact > 0.0);
    // the same joint, stronger from now on: it stops where it is
    let state = stepper.state().clone();
    assert_eq!(state.overlaps.len(), 1);
    let mut stepper = Stepper::with_state(with(5.0), settings(1e-3), state).unwrap();
    run(&mut stepper, 100);
    let depth = 0.125 - position(&stepper, 1).get(up);
    assert!((force(&stepper) / weight - 1.0).abs() < 1e-6);
    run(&mut stepper, 100);
    assert!(depth > 0.5 * 0.4 * G * 0.02 * 0.02);
    assert!((0.125 - position(&stepper, 1).get(up) - depth).abs() < 1e-9);
}

#[test]
fn weak_joints_are_crushed_and_stay_so() {
    crushes::<D2>();
    crushes::<D3>();
}

/// A block on springs is pushed to and fro beyond its friction. Springs that unload act in the direction of the motion
/// of the block; friction always opposes slip, with the work that is booked.
fn slides_on_springs<S: Kit>(theta: f64) {
    let (h, mu) = (1e-3, 0.4);
    let mut model = model::<S>(mu, Restitution::Inelastic);
    let elastic = Some(Elastic::new(1e8, 4e7));
    model.joints = JointTable::uniform(1, Joint { elastic, ..Joint::coulomb(mu) });
    floor(&mut model);
    let block = add(&mut model, S::block(1.0, 0.5), Pose::at(S::v(0.0, 0.25)), Role::Free);
    let mut pull = push(block, S::v(G * model.bodies[block].mass, 0.0));
    pull.function = TimeFunction::Sine { amplitude: 0.5, frequency: 5.0, phase: 0.0, start: 0.05, end: 1.0 };
    model.loads.push(pull);
    let weight = G * model.bodies[block].mass;
    let mut stepper = Stepper::new(model, DynamicSettings { theta, ..settings(h) }).unwrap();
    let (mut along, mut worked, mut sliding) = (0, 0.0, 0);
    for _ in 0..600 {
        run(&mut stepper, 1);
        for contact in stepper.contacts() {
            let tangential = contact.force - contact.normal * contact.force.dot(contact.normal);
            let power = tangential.dot(contact.sliding);
            assert!(power <= 1e-10 * weight, "{power} W: {contact:?}");
            assert!(contact.sliding.dot(contact.normal).abs() < 1e-12);
            worked -= h * power;
            along += usize::from(tangential.dot(contact.velocity) > 1e-6 * weight);
            sliding += usize::from(contact.status == ContactStatus::Slide);
        }
    }
    let booked = stepper.state().ledger.friction;
    assert!(along > 0 && sliding > 0, "springs push along {along} times, {sliding} slide");
    assert!(booked > 0.0 && (worked / booked - 1.0).abs() < 1e-9, "{worked} of {booked} J");
}

#[test]
fn friction_opposes_what_slides_on_springs() {
    for theta in [0.5, 1.0] {
        slides_on_springs::<D2>(theta);
        slides_on_springs::<D3>(theta);
    }
}

/// A block falls on springs that can close by a tenth of a millimetre. It is not deeper at any time, comes to rest
/// where the springs carry it or at their stop, and its energy is accounted for.
fn stops<S: Kit>(stiffness: f64, theta: f64) {
    let (closure, height) = (1e-4, 0.1);
    let mut model = model::<S>(0.5, Restitution::Inelastic);
    let elastic = Some(Elastic { closure, ..Elastic::new(stiffness, stiffness) });
    model.joints = JointTable::uniform(1, Joint { elastic, ..Joint::coulomb(0.5) });
    floor(&mut model);
    let block = add(&mut model, S::block(1.0, 0.5), Pose::at(S::v(0.0, 0.25 + height)), Role::Free);
    let weight = G * model.bodies[block].mass;
    let mut stepper = Stepper::new(model, DynamicSettings { theta, ..settings(1e-3) }).unwrap();
    let (mut deepest, mut area) = (0.0f64, 0.0);
    for _ in 0..2000 {
        let report = run(&mut stepper, 1)[0].clone();
        deepest = stepper.contacts().iter().map(|contact| -contact.gap).fold(deepest, f64::max);
        area = stepper.contacts().iter().map(|contact| contact.area).sum();
        let ledger = report.ledger;
        let left = ledger.gravity - ledger.friction - ledger.impact - ledger.elastic - ledger.numerical;
        assert!((left - report.kinetic_energy).abs() < 1e-9 * weight * height, "{ledger:?}");
    }
    assert!(deepest < closure + 1e-5, "{deepest}");
    // springs ring on for θ = ½
    if theta == 0.5 {
        return;
    }
    let sunk = stepper.contacts().iter().map(|contact| -contact.gap).fold(0.0, f64::max);
    let wanted = (weight / (stiffness * area)).min(closure);
    assert!((sunk / wanted - 1.0).abs() < 2e-3, "{sunk}, should be {wanted}");
    let carried: f64 = stepper.contacts().iter().map(|contact| contact.force.dot(contact.normal)).sum();
    assert!((carried / weight - 1.0).abs() < 1e-6, "{carried} of {weight}");
}

#[test]
fn springs_with_a_stop_close_no_further() {
    for (stiffness, theta) in [(1e7, 0.5), (1e7, 1.0), (1e9, 0.5), (1e9, 1.0)] {
        stops::<D2>(stiffness, theta);
        stops::<D3>(stiffness, theta);
    }
}

/// A block falls on springs, however stiff, that its fall closes within a step. It never has more energy than it fell
/// with, and what is called stored is what the gaps say.
fn falls_on_springs<S: Kit>(stiffness: f64, theta: f64) {
    let height = 0.0503;
    let mut model = model::<S>(0.5, Restitution::Inelastic);
    model.joints =
        JointTable::uniform(1, Joint { elastic: Some(Elastic::new(stiffness, stiffness)), ..Joint::coulomb(0.5) });
    floor(&mut model);
    let block = add(&mut model, S::block(1.0, 0.5), Pose::at(S::v(0.0, 0.25 + height)), Role::Free);
    let fallen = G * model.bodies[block].mass * height;
    let mut stepper = Stepper::new(model, DynamicSettings { theta, ..settings(1e-3) }).unwrap();
    let (mut closed, mut stored) = (0, 0.0);
    for _ in 0..1000 {
        let report = run(&mut stepper, 1)[0].clone();
        let energy = report.kinetic_energy + report.potential_energy + report.ledger.elastic;
        assert!(energy < 1e-9 * fallen, "{energy} J more than at the start: {:?}", report.ledger);
        // with θ = 1 contacts are looked for where the step before has ended
        if theta == 1.0 {
            let spring = |contact: &ContactRecord<S>| 0.5 * stiffness * contact.area * contact.gap.min(0.0).powi(2);
            let found: f64 = stepper.contacts().iter().map(spring).sum();
            assert!((found - stored).abs() < 1e-6 * fallen, "{found} J, booked as {stored}");
        }
        stored = report.ledger.elastic;
        closed += usize::from(stored > 0.0);
    }
    assert!(closed > 10, "{closed}");
}

#[test]
fn springs_that_a_fall_closes_give_no_energy() {
    for stiffness in [1e6, 1e8, 1e10, 1e12] {
        for theta in [0.5, 0.6, 1.0] {
            falls_on_springs::<D2>(stiffness, theta);
            falls_on_springs::<D3>(stiffness, theta);
        }
    }
}
