//! Automatic time steps against closed forms: error estimate, times of impact, order, cost, resuming.

use crate::common::*;
use voussoir_geometry::{D2, D3, Pose, Solid, Vector};
use voussoir_mechanics::Stepper;
use voussoir_mechanics::model::{AutomaticStep, DynamicSettings, Load, Model, Restitution, Role};
use voussoir_mechanics::stepper::DynamicReport;
use voussoir_mechanics::time_function::TimeFunction;

fn automatic(error: f64, duration: f64) -> DynamicSettings {
    let auto = AutomaticStep { least: 1e-6, largest: 0.05, error, duration };
    DynamicSettings { step: 1e-3, automatic: Some(auto), ..DynamicSettings::default() }
}

/// Steps to the end of a stage that begins at zero.
fn run_until<S: Kit>(stepper: &mut Stepper<S>, end: f64) -> Vec<DynamicReport> {
    let mut reports = Vec::new();
    while stepper.state().time < end * (1.0 - 1e-12) {
        reports.push(stepper.step().unwrap());
        assert!(reports.last().unwrap().converged);
    }
    assert!((stepper.state().time / end - 1.0).abs() < 1e-12);
    reports
}

fn up<S: Kit>(stepper: &Stepper<S>, body: usize) -> f64 {
    position(stepper, body).dot(S::v(0.0, 1.0))
}

/// A force that grows with time, F = m k t: the third derivative of the position is k, the estimate is exact, and the error
/// of the whole way is the sum of the errors h³k/12 of the steps.
fn ramp<S: Kit>() {
    let (k, end, share) = (30.0, 1.0, 1e-4);
    let mut model = model::<S>(0.5, Restitution::Inelastic);
    model.gravity = S::zero();
    let block = add(&mut model, S::block(0.5, 0.25), Pose::at(S::v(0.0, 1.0)), Role::Free);
    model.loads.push(Load {
        range: [1.0; 2],
        name: "ramp".into(),
        body: block,
        force: S::v(k * model.bodies[block].mass, 0.0),
        moment: S::no_spin(),
        point: S::zero(),
        function: TimeFunction::Table(vec![(0.0, 0.0), (2.0, 2.0)]),
        mass: false,
    });
    let size = model.bodies[block].shape.size();
    let mut stepper = Stepper::new(model, automatic(share, end)).unwrap();
    let reports = run_until(&mut stepper, end);
    let way = position(&stepper, block).dot(S::v(1.0, 0.0));
    let errors: Vec<f64> = reports.iter().map(|r| r.length.powi(3) * k / 12.0).collect();
    assert!(((way - k * end.powi(3) / 6.0) / errors.iter().sum::<f64>() - 1.0).abs() < 1e-6);
    // every step within its error, and steps in the middle close to it
    assert!(errors.iter().all(|e| *e <= share * size * (1.0 + 1e-9)));
    let middle = &errors[errors.len() / 2 - 3..errors.len() / 2];
    assert!(middle.iter().all(|e| *e > 0.5 * share * size), "{middle:?}");
}

#[test]
fn smooth_steps_have_the_wanted_error() {
    ramp::<D2>();
    ramp::<D3>();
}

/// A ball that bounces: height and time of every bounce in closed form. Returns the largest error of the height at the
/// ends of steps [m], and the number of steps.
fn bounce<S: Kit>(settings: DynamicSettings, end: f64) -> (f64, usize) {
    let (drop, e, r) = (0.5, 0.8, 0.1);
    let mut model = model::<S>(0.3, Restitution::Newton(e));
    floor(&mut model);
    let ball = add(&mut model, S::ball(r), Pose::at(S::v(0.0, r + drop)), Role::Free);
    let mut stepper = Stepper::new(model, settings).unwrap();
    let height = |t: f64| {
        let fall = (2.0 * drop / G).sqrt();
        if t <= fall {
            return drop - 0.5 * G * t * t;
        }
        let (mut start, mut speed) = (fall, e * G * fall);
        while t > start + 2.0 * speed / G {
            start += 2.0 * speed / G;
            speed *= e;
        }
        speed * (t - start) - 0.5 * G * (t - start).powi(2)
    };
    let (mut worst, mut steps) = (0.0f64, 0);
    while stepper.state().time < end * (1.0 - 1e-12) {
        stepper.step().unwrap();
        steps += 1;
        worst = worst.max((up(&stepper, ball) - r - height(stepper.state().time)).abs());
    }
    (worst, steps)
}

fn bounces<S: Kit>() {
    // three bounces
    let end = 1.3;
    let size = 0.2;
    let found = [1e-3, 1e-4].map(|share| bounce::<S>(automatic(share, end), end));
    println!("bounces: {found:?}");
    for ((error, steps), share) in found.into_iter().zip([1e-3, 1e-4]) {
        // each of the three impacts costs a few times the wanted error, and a shift in time of the flight after it
        assert!(error < 10.0 * share * size, "{error} in {steps} steps");
        assert!(steps < 300, "{steps}");
        let h = end / steps as f64;
        let (fixed, _) = bounce::<S>(DynamicSettings { step: h, ..DynamicSettings::default() }, end);
        println!("fixed steps of {h}: {fixed}");
        assert!(fixed > 5.0 * error, "{fixed} with as many equal steps, {error}");
    }
}

#[test]
fn bouncing_ball_has_its_impacts_in_time() {
    bounces::<D2>();
    bounces::<D3>();
}

/// A block that rocks back about its corner: I θ″ = −m g R sin(α − θ); the time of its first impact by a fine quadrature.
fn rocks<S: Kit>() {
    let (b, h, start) = (0.4f64, 1.2f64, 0.1);
    let mut model = model::<S>(2.0, Restitution::Inelastic);
    floor(&mut model);
    let corner = S::v(0.5 * b, 0.0);
    // turned clockwise about the lower right corner
    let (sin, cos) = f64::sin_cos(start);
    let centre = corner + S::v(-0.5 * b * cos + 0.5 * h * sin, 0.5 * b * sin + 0.5 * h * cos);
    let shape = S::block(b, h);
    let block = add(&mut model, shape, Pose { position: centre, rotation: S::turn(-start) }, Role::Free);
    let (radius, alpha) = ((0.5 * b).hypot(0.5 * h), (b / h).atan());
    let p2 = G * radius / (radius * radius + (b * b + h * h) / 12.0);
    // Störmer–Verlet with a microsecond: the angle shortly before the impact, and the time of the impact
    let dt = 1e-6;
    let rock = |until: f64| {
        let (mut angle, mut rate, mut time) = (start, 0.0, 0.0);
        while angle > 0.0 && time < until {
            rate -= 0.5 * dt * p2 * (alpha - angle).sin();
            angle += dt * rate;
            rate -= 0.5 * dt * p2 * (alpha - angle).sin();
            time += dt;
        }
        (angle, time)
    };
    let impact = rock(f64::INFINITY).1;
    let (angle, before) = rock(0.98 * impact);
    let (mut errors, size) = (Vec::new(), 2.0 * radius);
    for share in [1e-3, 1e-4, 1e-5] {
        let mut stepper = Stepper::new(model.clone(), automatic(share, before)).unwrap();
        let steps = run_until(&mut stepper, before).len();
        let error = (up(&stepper, block) - radius * (alpha - angle).cos()).abs();
        // the impact: half of the energy that impacts take in all
        let mut stepper = Stepper::new(model.clone(), automatic(share, 1.1 * impact)).unwrap();
        let reports = run_until(&mut stepper, 1.1 * impact);
        let lost = reports.last().unwrap().ledger.impact;
        let found = reports.iter().find(|r| r.ledger.impact > 0.5 * lost).unwrap();
        println!(
            "rocking: ε {share:e}, {steps} and {} steps, error {error:.2e} m, impact {:+.2e} s in a step of {:.1e} s",
            reports.len(),
            found.time - impact,
            found.length
        );
        // its step ends 0.6 of its length after the contact
        assert!((found.time - impact).abs() < found.length + 1e-3 * share.sqrt());
        assert!(error < 10.0 * share * size && reports.len() < 300);
        errors.push(error);
    }
    // steps like ε^⅓, errors like their squares: 21 for two decades
    assert!(errors[0] > 8.0 * errors[2], "{errors:?}");
}

#[test]
fn rocking_block_meets_the_ground_in_time() {
    rocks::<D2>();
    rocks::<D3>();
}

/// Blocks that fall on each other: heaps have impacts, sliding, rolling and rest.
fn heap<S: Kit>() -> Model<S> {
    let mut model = model::<S>(0.5, Restitution::Inelastic);
    floor(&mut model);
    for i in 0..4 {
        let at = S::v(0.07 * i as f64, 0.3 + 0.45 * i as f64);
        let pose = Pose { position: at, rotation: S::turn(0.3 * i as f64) };
        add(&mut model, S::block(0.5, 0.25), pose, Role::Free);
    }
    model
}

fn resumes<S: Kit>() {
    let (model, settings) = (heap::<S>(), automatic(1e-3, 2.0));
    let mut straight = Stepper::new(model.clone(), settings.clone()).unwrap();
    let mut resumed = Stepper::new(model.clone(), settings.clone()).unwrap();
    let mut lengths = Vec::new();
    while straight.state().time < 2.0 * (1.0 - 1e-12) {
        let report = straight.step().unwrap();
        if lengths.len() % 5 == 2 {
            resumed = Stepper::with_state(model.clone(), settings.clone(), resumed.state().clone()).unwrap();
        }
        assert_eq!(resumed.step().unwrap(), report);
        assert!(report.converged && report.penetration < 2e-3 * 0.5, "{report:?}");
        lengths.push(report.length);
    }
    assert_eq!(format!("{:?}", straight.state()), format!("{:?}", resumed.state()));
    println!(
        "heap: {} steps of {:e} to {:e}",
        lengths.len(),
        lengths.iter().copied().fold(1.0, f64::min),
        lengths.iter().copied().fold(0.0, f64::max)
    );
    // short at the impacts, long in flight and at rest
    assert!(lengths.iter().any(|h| *h < 1e-3) && lengths.iter().any(|h| *h > 0.02));
}

#[test]
fn automatic_steps_resume_with_the_same_bits() {
    resumes::<D2>();
    resumes::<D3>();
}

/// A pulse of 40 ms after half a second of rest, with steps of up to 50 ms: the block slides as far as it must.
fn pulse<S: Kit>() {
    let mut model = model::<S>(0.5, Restitution::Inelastic);
    floor(&mut model);
    let block = add(&mut model, S::block(0.5, 0.25), Pose::at(S::v(0.0, 0.125)), Role::Free);
    let size = model.bodies[block].shape.size();
    let (start, length, pushes) = (0.505, 0.04, 2.0);
    model.loads.push(Load {
        range: [1.0; 2],
        name: "pulse".into(),
        body: block,
        force: S::v(pushes * G * model.bodies[block].mass, 0.0),
        moment: S::no_spin(),
        point: S::v(0.0, -0.125),
        function: TimeFunction::Table(vec![(start, 0.0), (start, 1.0), (start + length, 1.0), (start + length, 0.0)]),
        mass: false,
    });
    let speed = (pushes - 0.5) * G * length;
    let way = 0.5 * speed * length + speed * speed / (2.0 * 0.5 * G);
    for share in [1e-3, 1e-5] {
        let mut stepper = Stepper::new(model.clone(), automatic(share, 2.0)).unwrap();
        let reports = run_until(&mut stepper, 2.0);
        let error = (position(&stepper, block).dot(S::v(1.0, 0.0)) - way).abs();
        println!("pulse: ε {share:e}, {} steps, way {way:.4} m, error {error:.1e} m", reports.len());
        // a block that stops within a step, a h/2 fast at its start, errs by h²a/8: three times the estimate h²a/24
        assert!(error < 3.0 * share * size, "{error}");
        assert_eq!(reports.last().unwrap().speed, 0.0);
    }
}

#[test]
fn a_short_pulse_is_not_missed() {
    pulse::<D2>();
    pulse::<D3>();
}
