//! Bodies that appear in a run: a block breaks into two halves and a ball is dropped on them.

use crate::common::*;
use voussoir_geometry::{D2, D3, Pose, ShapeData, Space, Vector};
use voussoir_mechanics::born::BodyDescription;
use voussoir_mechanics::construction::Change;
use voussoir_mechanics::model::{Model, Restitution, Role};
use voussoir_mechanics::snapshot::{BodyForm, cast, cast_with_born};
use voussoir_mechanics::{MechanicsError, Stepper};

const LENGTH: f64 = 0.5;
const HEIGHT: f64 = 0.25;
/// Step after which the block breaks, in flight.
const BREAKS: u64 = 60;

/// A block that falls, turning, onto a floor.
fn falling<S: Kit>() -> Model<S> {
    let mut model = model::<S>(0.5, Restitution::Inelastic);
    floor(&mut model);
    let block = add(&mut model, S::block(LENGTH, HEIGHT), Pose::at(S::v(0.0, 0.7)), Role::Free);
    model.bodies[block].spin = S::spin(1.5);
    model.bodies[block].velocity = S::v(0.2, 0.0);
    model
}

/// The part of the block from `low` to `high` along x.
fn part<S: Space>(low: f64, high: f64) -> ShapeData {
    let (h, w) = (0.5 * HEIGHT, 0.35 * LENGTH);
    if S::DIM == 2 {
        let points = vec![[low, -h, 0.0], [high, -h, 0.0], [high, h, 0.0], [low, h, 0.0]];
        return ShapeData::Solid { points, faces: Vec::new() };
    }
    let side = |bit: bool, low: f64, high: f64| if bit { high } else { low };
    let corner = |i: usize| [side(i & 1 > 0, low, high), side(i & 2 > 0, -w, w), side(i & 4 > 0, -h, h)];
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    ShapeData::Solid { points: (0..8).map(corner).collect(), faces: quads.iter().map(|quad| quad.to_vec()).collect() }
}

/// The block is removed, two halves take its place and move as it did; a ball appears above.
fn fracture<S: Kit>(stepper: &Stepper<S>) -> Change {
    let (state, block) = (stepper.state(), &stepper.model().bodies[1]);
    let pose = state.poses[1];
    let (velocity, spin) = S::unpack(&state.velocities[S::DOFS..][..S::DOFS]);
    let spin_now = S::spin_to_world(pose.rotation, spin);
    let half = |name: &str, low: f64, high: f64| {
        let arm = S::rotate(pose.rotation, S::v(0.5 * (low + high), 0.0));
        BodyDescription {
            name: name.to_owned(),
            tags: vec!["fragment".to_owned()],
            material: 0,
            mass: 0.5 * block.mass,
            shape: part::<S>(low, high),
            position: pose.position.to_3d(),
            rotation: S::rotation_to_quaternion(pose.rotation),
            velocity: (velocity + S::spin_cross(spin_now, arm)).to_3d(),
            spin: S::spin_to_3d(spin_now),
        }
    };
    let ball = BodyDescription {
        name: "ball".to_owned(),
        shape: ShapeData::Ball { radius: 0.1 },
        position: S::v(0.1, 1.6).to_3d(),
        rotation: [0.0, 0.0, 0.0, 1.0],
        velocity: [0.0; 3],
        spin: [0.0; 3],
        ..half("", 0.0, 0.25)
    };
    Change {
        remove: vec![1],
        create: vec![half("left", -0.5 * LENGTH, 0.0), half("right", 0.0, 0.5 * LENGTH), ball],
        ..Change::default()
    }
}

fn breaking<S: Kit>(stepper: &mut Stepper<S>, until: u64) {
    while stepper.state().step < until {
        if stepper.state().step == BREAKS {
            let change = fracture(stepper);
            stepper.change(&change).unwrap();
            // the same change once more has no effect
            let before = stepper.state().clone();
            stepper.change(&change).unwrap();
            assert_eq!(&before, stepper.state());
        }
        run(stepper, 1);
    }
}

fn fragments_carry_on<S: Kit>() {
    let mut stepper = Stepper::new(falling::<S>(), settings(2e-3)).unwrap();
    run(&mut stepper, BREAKS as usize);
    let before = stepper.state().clone();
    let energy = |stepper: &mut Stepper<S>| {
        let report = run(stepper, 1).pop().unwrap();
        let ledger = report.ledger;
        report.kinetic_energy + report.potential_energy - ledger.construction + ledger.taken()
    };
    let change = fracture(&stepper);
    stepper.change(&change).unwrap();
    assert_eq!((stepper.model().bodies.len(), stepper.state().poses.len()), (5, 5));
    // mass and momentum are those of the block
    let (velocity, _) = S::unpack(&before.velocities[S::DOFS..][..S::DOFS]);
    let parts = [2, 3].map(|i| S::unpack(&stepper.state().velocities[i * S::DOFS..][..S::DOFS]).0);
    assert!(((parts[0] + parts[1]) * 0.5 - velocity).length() < 1e-12);
    let start = energy(&mut stepper);
    for _ in 0..600 {
        let now = energy(&mut stepper);
        assert!((now - start).abs() < 1e-9 * start.abs().max(1.0), "{now} {start}");
    }
    // the floor carries both halves and the ball
    let report = run(&mut stepper, 1).pop().unwrap();
    let weight = 1.5 * stepper.model().bodies[1].mass * G;
    assert!((report.support_reaction[S::DIM - 1] / weight - 1.0).abs() < 1e-6, "{:?}", report.support_reaction);
    assert!(stepper.contacts().iter().all(|contact| contact.key.candidate != 1 && contact.key.antagonist != 1));
}

#[test]
fn fragments_take_the_place_of_a_block() {
    fragments_carry_on::<D2>();
    fragments_carry_on::<D3>();
}

fn restored<S: Kit>() {
    let mut whole = Stepper::new(falling::<S>(), settings(2e-3)).unwrap();
    breaking(&mut whole, 200);
    for stop in [40, BREAKS, BREAKS + 1, 150] {
        let mut first = Stepper::new(falling::<S>(), settings(2e-3)).unwrap();
        breaking(&mut first, stop);
        let saved = first.state().clone();
        let mut second = Stepper::with_state(falling::<S>(), settings(2e-3), saved).unwrap();
        breaking(&mut second, 200);
        assert_eq!(whole.state(), second.state(), "stopped after {stop} steps");
        assert_eq!(whole.snapshot(), second.snapshot());
    }
}

#[test]
fn a_run_restored_with_its_fragments_has_the_same_bits() {
    restored::<D2>();
    restored::<D3>();
}

#[test]
fn a_cast_has_the_bodies_that_appeared_after_those_of_the_model() {
    let mut stepper = Stepper::new(falling::<D3>(), settings(2e-3)).unwrap();
    breaking(&mut stepper, BREAKS + 1);
    let all = cast_with_born(&falling::<D3>(), &stepper.state().born).unwrap();
    assert_eq!(all.bodies[..2], cast(&falling::<D3>()).bodies[..]);
    let names: Vec<&str> = all.bodies[2..].iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["left", "right", "ball"]);
    assert_eq!(all.bodies[4].form, BodyForm::Ball { radius: 0.1 });
    let snapshot = stepper.snapshot();
    assert!(snapshot.bodies.len() == 5 && snapshot.bodies[1].absent && !snapshot.bodies[2].absent);
}

#[test]
fn a_body_without_room_or_shape_is_refused_and_changes_nothing() {
    let mut stepper = Stepper::new(falling::<D3>(), settings(2e-3)).unwrap();
    let mut change = Change { remove: Vec::new(), ..fracture(&stepper) };
    let before = stepper.state().clone();
    assert!(matches!(stepper.change(&change), Err(MechanicsError::NoRoom { .. })));
    assert_eq!(&before, stepper.state());
    change.create[0].shape = ShapeData::Ball { radius: -1.0 };
    let error = stepper.change(&change).unwrap_err();
    assert!(matches!(error, MechanicsError::Body { index: 2, .. }), "{error}");
}
