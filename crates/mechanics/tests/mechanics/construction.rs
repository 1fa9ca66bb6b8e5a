//! Bodies that are added, released and removed: balance of the present bodies, no energy from overlaps, bonds without
//! stress, memory.

use crate::common::*;
use voussoir_geometry::{D2, D3, Pose, Vector};
use voussoir_mechanics::construction::{Change, Placement, present};
use voussoir_mechanics::joints::{Bond, Elastic, Glued};
use voussoir_mechanics::model::{Joint, Model, MotionQuantity, Restitution, Role};
use voussoir_mechanics::state::{Presence, State};
use voussoir_mechanics::time_function::TimeFunction;
use voussoir_mechanics::{MechanicsError, Stepper};

/// A column of blocks of 0.5 m by 0.25 m on a floor; body 0 is the floor.
fn column<S: Kit>(blocks: usize) -> Model<S> {
    let mut model = model::<S>(0.6, Restitution::Inelastic);
    floor(&mut model);
    for i in 0..blocks {
        add(&mut model, S::block(0.5, 0.25), Pose::at(S::v(0.0, 0.125 + 0.25 * i as f64)), Role::Free);
    }
    model
}

/// Starts without some bodies.
fn waiting<S: Kit>(model: &Model<S>, bodies: &[usize]) -> Stepper<S> {
    let mut state = State::initial(model);
    state.wait(bodies);
    Stepper::with_state(model.clone(), settings(1e-3), state).unwrap()
}

fn adds(bodies: &[usize]) -> Change {
    Change { add: bodies.to_vec(), ..Change::default() }
}

fn removes(bodies: &[usize]) -> Change {
    Change { remove: bodies.to_vec(), ..Change::default() }
}

fn reaction<S: Kit>(stepper: &mut Stepper<S>) -> f64 {
    let report = run(stepper, 5).pop().unwrap();
    report.support_reaction[S::DIM - 1]
}

/// The floor carries exactly the present bodies.
fn carries_what_is_there<S: Kit>() {
    let model = column::<S>(4);
    let weight = model.bodies[1].mass * G;
    let mut stepper = waiting(&model, &[2, 3, 4]);
    for there in 1..=4 {
        if there > 1 {
            stepper.change(&adds(&[there])).unwrap();
        }
        let found = reaction(&mut stepper);
        assert!((found / (there as f64 * weight) - 1.0).abs() < 1e-8, "{there}: {found}");
        assert!(stepper.contacts().iter().all(|c| c.key.candidate as usize <= there));
    }
    stepper.change(&removes(&[4, 3])).unwrap();
    assert!((reaction(&mut stepper) / (2.0 * weight) - 1.0).abs() < 1e-8);
    let last = run(&mut stepper, 1).pop().unwrap();
    assert!(last.displacement < 1e-9 && last.speed < 1e-9, "{last:?}");
}

#[test]
fn the_ground_carries_what_is_there() {
    carries_what_is_there::<D2>();
    carries_what_is_there::<D3>();
}

/// A block that waits in the air falls from the time at which it is added, whatever the others did before.
fn waits_then_falls<S: Kit>() {
    let mut model = model::<S>(0.6, Restitution::Inelastic);
    floor(&mut model);
    let late = add(&mut model, S::block(0.5, 0.25), Pose::at(S::v(0.0, 100.0)), Role::Free);
    let mut stepper = waiting(&model, &[late]);
    run(&mut stepper, 100);
    assert_eq!(position(&stepper, late), S::v(0.0, 100.0));
    stepper.change(&adds(&[late])).unwrap();
    run(&mut stepper, 100);
    // θ = ½ is exact for constant acceleration
    assert!((position(&stepper, late).get(S::DIM - 1) - (100.0 - 0.5 * G * 0.01)).abs() < 1e-12);
}

#[test]
fn a_body_falls_from_when_it_is_there() {
    waits_then_falls::<D2>();
    waits_then_falls::<D3>();
}

/// What is below rose by 2 mm, so the drawn place of the next block is 2 mm inside of it: nothing may be pushed out.
fn overlaps_give_no_energy<S: Kit>(placement: Placement) {
    let mut model = model::<S>(0.6, Restitution::Inelastic);
    let table = TimeFunction::Table(vec![(0.0, 0.0), (0.05, 2e-3)]);
    model.motions.push(translation(MotionQuantity::Position, S::v(0.0, 1.0), table));
    add(&mut model, S::block(1.0, 0.25), Pose::at(S::v(0.0, -0.125)), Role::Support(Some(0)));
    let low = add(&mut model, S::block(0.5, 0.25), Pose::at(S::v(0.0, 0.125)), Role::Free);
    let late = add(&mut model, S::block(0.5, 0.25), Pose::at(S::v(0.0, 0.375)), Role::Free);
    let mut stepper = waiting(&model, &[late]);
    run(&mut stepper, 100);
    stepper.change(&Change { placement, ..adds(&[late]) }).unwrap();
    let up = |stepper: &Stepper<S>| position(stepper, late).get(S::DIM - 1);
    let risen = if placement == Placement::AsDrawn { 0.0 } else { 2e-3 };
    assert!((up(&stepper) - 0.375 - risen).abs() < 1e-6);
    let before = stepper.state().ledger;
    let start = up(&stepper);
    for report in run(&mut stepper, 200) {
        let made = before.friction + before.impact - report.ledger.friction - report.ledger.impact;
        assert!(report.speed < 2e-5 && made < 1e-9, "{report:?}");
    }
    assert!((up(&stepper) - start).abs() < 1e-6, "it is pushed by {:.1e}", up(&stepper) - start);
    // the whole weight still goes through
    let found = stepper.contacts().iter().filter(|c| c.key.antagonist == 0).map(|c| c.force.get(S::DIM - 1));
    let weight = (model.bodies[low].mass + model.bodies[late].mass) * G;
    assert!((found.sum::<f64>() / weight - 1.0).abs() < 1e-6);
}

#[test]
fn overlaps_of_added_bodies_stay_and_give_no_energy() {
    for placement in [Placement::AsDrawn, Placement::OnWhatIsThere] {
        overlaps_give_no_energy::<D2>(placement);
        overlaps_give_no_energy::<D3>(placement);
    }
}

/// On springs that sank under the weight a block is laid on what is there: it settles by its own weight only.
#[test]
fn blocks_are_laid_on_what_has_settled() {
    let stiff = Elastic::new(1e8, 1e8);
    let mut model = column::<D2>(2);
    model.joints.set(0, 0, Joint { elastic: Some(stiff), ..Joint::coulomb(0.6) });
    let weight = model.bodies[1].mass * G;
    let sinks = weight / (stiff.normal * 0.5);
    let mut damped = settings(1e-3);
    damped.theta = 1.0;
    let mut state = State::initial(&model);
    state.wait(&[2]);
    let mut stepper = Stepper::with_state(model, damped, state).unwrap();
    run(&mut stepper, 2000);
    assert!((position(&stepper, 1).y - (0.125 - sinks)).abs() < 1e-3 * sinks);
    stepper.change(&Change { placement: Placement::OnWhatIsThere, ..adds(&[2]) }).unwrap();
    assert!((position(&stepper, 2).y - (0.375 - sinks)).abs() < 1e-3 * sinks);
    run(&mut stepper, 2000);
    // one more on the lower joint, its own on the upper one
    assert!((position(&stepper, 1).y - (0.125 - 2.0 * sinks)).abs() < 1e-3 * sinks);
    assert!((position(&stepper, 2).y - (0.375 - 3.0 * sinks)).abs() < 1e-3 * sinks);
}

/// Glue between a block that moved away a little and a later one holds them as they are when it comes to life.
fn bonds_come_without_stress<S: Kit>() {
    let mut model = model::<S>(0.6, Restitution::Inelastic);
    model.gravity = S::zero();
    model.joints.set(0, 0, Joint { bond: Some(Bond::Glued(Glued)), ..Joint::coulomb(0.6) });
    let table = TimeFunction::Table(vec![(0.0, 0.0), (0.05, 1e-3)]);
    model.motions.push(translation(MotionQuantity::Position, S::v(1.0, -0.5), table));
    add(&mut model, S::block(0.5, 0.25), Pose::at(S::v(0.0, -0.125)), Role::Support(Some(0)));
    let late = add(&mut model, S::block(0.5, 0.25), Pose::at(S::v(0.0, 0.125)), Role::Free);
    let mut stepper = waiting(&model, &[late]);
    run(&mut stepper, 100);
    stepper.change(&adds(&[late])).unwrap();
    run(&mut stepper, 100);
    assert!((position(&stepper, late) - S::v(0.0, 0.125)).length() < 1e-9);
    assert!(stepper.contacts().iter().all(|contact| contact.force.length() < 1e-6));
    // and it holds: hanging from its support
    let mut state = stepper.state().clone();
    state.time = 1.0;
    model.gravity = S::v(0.0, G);
    let mut hanging = Stepper::with_state(model, settings(1e-3), state).unwrap();
    run(&mut hanging, 100);
    assert!((position(&hanging, late) - S::v(0.0, 0.125)).length() < 1e-6);
}

#[test]
fn bonds_come_to_life_without_stress() {
    bonds_come_without_stress::<D2>();
    bonds_come_without_stress::<D3>();
}

/// A released support falls with the bodies on it.
fn released<S: Kit>() {
    let mut model = model::<S>(0.6, Restitution::Inelastic);
    let held = add(&mut model, S::block(0.5, 0.25), Pose::at(S::v(0.0, 10.0)), Role::Support(None));
    let above = add(&mut model, S::block(0.5, 0.25), Pose::at(S::v(0.0, 10.25)), Role::Free);
    let mut stepper = waiting(&model, &[]);
    run(&mut stepper, 50);
    let at_rest = position(&stepper, above);
    stepper.change(&Change { release: vec![held], ..Change::default() }).unwrap();
    let last = run(&mut stepper, 100).pop().unwrap();
    let fallen = S::v(0.0, -0.5 * G * 0.01);
    assert!((position(&stepper, held) - S::v(0.0, 10.0) - fallen).length() < 1e-9);
    assert!((position(&stepper, above) - at_rest - fallen).length() < 1e-9);
    assert_eq!(last.support_reaction, [0.0; 3]);
    // it can be looked at without the rest
    let (part, bodies) = present(&model, &stepper.state().presence);
    assert_eq!((part.bodies[0].role, bodies), (Role::Free, vec![0, 1]));
}

#[test]
fn supports_that_are_let_go_fall() {
    released::<D2>();
    released::<D3>();
}

/// Energies of added and removed bodies are booked: the balance closes.
#[test]
fn the_energy_balance_closes_over_changes() {
    let mut model = column::<D2>(2);
    let ball = add(&mut model, D2::ball(0.1), Pose::at(D2::v(3.0, 5.0)), Role::Free);
    model.bodies[ball].velocity = D2::v(1.0, 2.0);
    let mut stepper = waiting(&model, &[ball]);
    run(&mut stepper, 10);
    stepper.change(&adds(&[ball])).unwrap();
    run(&mut stepper, 100);
    stepper.change(&removes(&[ball])).unwrap();
    let last = run(&mut stepper, 10).pop().unwrap();
    let ledger = last.ledger;
    let left = last.kinetic_energy + last.potential_energy - (ledger.loads + ledger.supports + ledger.construction)
        + ledger.taken();
    assert!(left.abs() < 1e-9 * ledger.gravity.abs(), "{left:.1e} of {:.1e}", ledger.gravity);
    assert_eq!(stepper.state().presence[ball], Presence::Gone);
}

#[test]
fn there_must_be_room() {
    let mut model = column::<D3>(1);
    let late = add(&mut model, D3::block(0.5, 0.25), Pose::at(D3::v(0.1, 0.3)), Role::Free);
    let mut state = State::initial(&model);
    state.wait(&[late, 1]);
    let mut stepper = Stepper::with_state(model, settings(1e-3), state).unwrap();
    stepper.change(&adds(&[late])).unwrap();
    // it has fallen into the place of the other one
    run(&mut stepper, 600);
    let error = stepper.change(&adds(&[1])).unwrap_err();
    assert!(matches!(error, MechanicsError::NoRoom { .. }), "{error}");
}

/// Changes are part of the state: a run continued from any step is bit-identical, and a repeated change has no effect.
fn restarts<S: Kit>() {
    let model = column::<S>(5);
    let changes = [(20, adds(&[3])), (45, adds(&[4, 5])), (70, removes(&[5]))];
    let go = |mut stepper: Stepper<S>, until: u64| {
        while stepper.state().step < until {
            for (_, change) in changes.iter().filter(|(step, _)| *step == stepper.state().step).collect::<Vec<_>>() {
                stepper.change(change).unwrap();
                stepper.change(change).unwrap();
            }
            stepper.step().unwrap();
        }
        stepper.state().clone()
    };
    let whole = go(waiting(&model, &[3, 4, 5]), 100);
    for stop in [20, 21, 45, 60, 70, 71] {
        let part = go(waiting(&model, &[3, 4, 5]), stop);
        let again = go(Stepper::with_state(model.clone(), settings(1e-3), part).unwrap(), 100);
        assert_eq!(again, whole, "stopped after {stop} steps");
    }
}

#[test]
fn a_stopped_construction_goes_on_with_the_same_bits() {
    restarts::<D2>();
    restarts::<D3>();
}
