//! Steps in which nothing changes reuse the results of the previous step, bit-identical.

use crate::common::*;
use voussoir_geometry::{D2, D3, Pose, Vector};
use voussoir_mechanics::Stepper;
use voussoir_mechanics::model::{Load, Model, Restitution, Role};
use voussoir_mechanics::time_function::TimeFunction;

/// A running-bond wall at rest until a brick at the top is pushed out, from 60 ms to 110 ms.
fn pushed_wall<S: Kit>() -> Model<S> {
    let mut model = model::<S>(0.6, Restitution::Inelastic);
    floor(&mut model);
    for course in 0..5 {
        for i in 0..4 {
            let x = 0.5 * i as f64 + if course % 2 == 1 { 0.25 } else { 0.0 };
            add(&mut model, S::block(0.5, 0.25), Pose::at(S::v(x, 0.125 + 0.25 * course as f64)), Role::Free);
        }
    }
    let body = model.bodies.len() - 1;
    model.loads.push(Load {
        name: "push".into(),
        body,
        force: S::v(2.0 * G * model.bodies[body].mass, 0.0),
        moment: S::no_spin(),
        point: S::zero(),
        function: TimeFunction::Table(vec![(0.06, 0.0), (0.06, 1.0), (0.11, 1.0), (0.11, 0.0)]),
        range: [1.0; 2],
        mass: false,
    });
    model
}

/// Every number of the state and of the contacts: the text of a number has all its digits and the sign of zero.
fn bits<S: Kit>(stepper: &Stepper<S>) -> String {
    format!("{:?} {:?}", stepper.state(), stepper.contacts())
}

fn all_ways_are_equal<S: Kit>() {
    const STEPS: usize = 400;
    let model = pushed_wall::<S>();
    let start = || Stepper::new(model.clone(), settings(1e-3)).unwrap();
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    // every step computed, on one thread
    let mut computed = start();
    computed.recompute();
    let mut reports = Vec::new();
    let mut expected = Vec::new();
    pool(1).install(|| {
        for _ in 0..STEPS {
            reports.push(computed.step().unwrap());
            expected.push(bits(&computed));
        }
    });
    // repeated steps, on three threads, and continued from its state every 7 steps
    let (mut repeated, mut resumed) = (start(), start());
    pool(3).install(|| {
        for (k, (report, expected)) in reports.iter().zip(&expected).enumerate() {
            assert_eq!(repeated.step().unwrap(), *report);
            assert_eq!(bits(&repeated), *expected, "step {k}");
            if k % 7 == 3 {
                resumed = Stepper::with_state(model.clone(), settings(1e-3), resumed.state().clone()).unwrap();
            }
            assert_eq!(resumed.step().unwrap(), *report);
            assert_eq!(bits(&resumed), *expected, "step {k} after a checkpoint");
        }
    });
    // the wall stands still before the push, moves, and comes to rest again
    let still =
        |range: std::ops::Range<usize>| reports[range].iter().all(|r| r.speed == 0.0 && r.solve.iterations == 0);
    assert!(still(5..55) && !still(60..110) && still(390..400));
    assert!(reports[110].speed > 1e-2 && reports[399].displacement > 1e-3);
    let tolerance = |speed: f64| if speed == 0.0 { 1e-8 } else { 1e-7 };
    assert!(reports.iter().all(|r| r.converged && r.solve.residual <= tolerance(r.speed)));
}

#[test]
fn repeated_steps_have_the_bits_of_computed_ones() {
    all_ways_are_equal::<D2>();
    all_ways_are_equal::<D3>();
}

/// A body that accelerates by more than the tolerance allows is not held: a block on a floor whose friction lacks 1e-6
/// of what the horizontal part of gravity needs.
fn creeps<S: Kit>() {
    let lack = 1e-6;
    let mut model = model::<S>(0.5, Restitution::Inelastic);
    floor(&mut model);
    let block = add(&mut model, S::block(0.5, 0.25), Pose::at(S::v(0.0, 0.125)), Role::Free);
    model.gravity = S::v(0.5 * (1.0 + lack) * G, -G);
    let mut stepper = Stepper::new(model, settings(1e-3)).unwrap();
    run(&mut stepper, 200);
    let way = position(&stepper, block).to_3d()[0];
    let expected = 0.5 * (0.5 * lack * G) * 0.2f64.powi(2);
    assert!((way / expected - 1.0).abs() < 0.05, "{way} {expected}");
}

#[test]
fn slow_motion_is_no_rest() {
    creeps::<D2>();
    creeps::<D3>();
}
