//! Bit-identical results for any number of threads, interrupted or not.

use crate::common::*;
use voussoir_geometry::{D2, D3, Pose};
use voussoir_mechanics::Stepper;
use voussoir_mechanics::model::{Model, MotionQuantity, Restitution, Role};
use voussoir_mechanics::state::State;
use voussoir_mechanics::time_function::TimeFunction;

/// Balls and blocks that tumble onto a shaken floor.
fn tumble<S: Kit>() -> Model<S> {
    let mut model = model::<S>(0.5, Restitution::Inelastic);
    let sine = TimeFunction::Sine { amplitude: 3.0, frequency: 3.0, phase: 0.0, start: 0.0, end: 10.0 };
    model.motions.push(translation(MotionQuantity::Acceleration, S::v(1.0, 0.2), sine));
    add(&mut model, S::floor(), Pose::identity(), Role::Support(Some(0)));
    for i in 0..8 {
        let at = S::v(0.17 * (i % 3) as f64, 0.2 + 0.3 * i as f64);
        let shape = if i % 2 == 0 { S::ball(0.12) } else { S::block(0.3, 0.2) };
        let body = add(&mut model, shape, Pose { position: at, rotation: S::turn(0.1 * i as f64) }, Role::Free);
        model.bodies[body].velocity = S::v(0.2 * (i as f64).sin(), -1.0);
        model.bodies[body].spin = S::spin((i as f64).cos());
    }
    model
}

fn after<S: Kit>(steps: usize) -> State<S> {
    let mut stepper = Stepper::new(tumble::<S>(), settings(2e-3)).unwrap();
    for _ in 0..steps {
        stepper.step().unwrap();
    }
    stepper.state().clone()
}

fn restart<S: Kit>() {
    let whole = after::<S>(300);
    let mut stepper = Stepper::with_state(tumble::<S>(), settings(2e-3), after::<S>(171)).unwrap();
    for _ in 0..129 {
        stepper.step().unwrap();
    }
    assert_eq!(&whole, stepper.state());
    assert!(!whole.contacts.is_empty());
}

#[test]
fn restarted_run_equals_the_uninterrupted_one() {
    restart::<D2>();
    restart::<D3>();
}

/// A structure at rest reuses its forces: they must be part of the state.
#[test]
fn restarted_structure_at_rest_equals_the_uninterrupted_one() {
    let mut model = model::<D3>(0.6, Restitution::Inelastic);
    floor(&mut model);
    for i in 0..12 {
        add(
            &mut model,
            D3::block(0.5, 0.25),
            Pose::at(D3::v(0.03 * (i % 3) as f64, 0.125 + 0.25 * i as f64)),
            Role::Free,
        );
    }
    let mut whole = Stepper::new(model.clone(), settings(1e-3)).unwrap();
    let mut parts = Stepper::new(model.clone(), settings(1e-3)).unwrap();
    for step in 0..200 {
        whole.step().unwrap();
        parts.step().unwrap();
        if step % 17 == 0 {
            parts = Stepper::with_state(model.clone(), settings(1e-3), parts.state().clone()).unwrap();
        }
        assert_eq!(whole.state(), parts.state());
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (after::<D2>(200), after::<D3>(200)))
    };
    let one = with(1);
    assert_eq!(one, with(2));
    assert_eq!(one, with(3));
}

#[test]
fn state_of_another_model_is_refused() {
    let state = after::<D2>(1);
    let mut other = tumble::<D2>();
    other.bodies.pop();
    let message = Stepper::with_state(other, settings(2e-3), state).unwrap_err().to_string();
    assert_eq!(message, "the state has 9 poses; the model needs 8");
}
