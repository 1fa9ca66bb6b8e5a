//! The explicit analysis against closed forms: impact, critical steps, statics, dampings, rolling, frame indifference.

use std::sync::Arc;

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::{D2, Pose};
use voussoir_mechanics::Explicit;
use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::explicit::ExplicitSettings;
use voussoir_mechanics::explicit::settings::{Adaptive, CriticalStep, Damping, ExplicitGoal, MassScaling, Rest};
use voussoir_mechanics::joints::elastic::{Elastic, Influence};
use voussoir_mechanics::model::{Joint, JointTable, Model, Restitution, Role};
use voussoir_mechanics::report::StepReport;
use voussoir_mechanics::state::State;

use super::common::{G, Kit, add, model};

/// Discs or blocks on springs [Pa/m]; `length` is that of a point of a disc [m].
fn elastic_model(friction: f64, normal: f64, tangential: f64, length: Option<f64>) -> Model<D2> {
    let mut model = model::<D2>(friction, Restitution::Inelastic);
    let influence = length.map_or(Influence::Standard, Influence::Length);
    let elastic = Some(Elastic { influence, ..Elastic::new(normal, tangential) });
    model.joints = JointTable::uniform(1, Joint { elastic, ..Joint::coulomb(friction) });
    model
}

fn start(model: &Model<D2>, settings: ExplicitSettings) -> Explicit {
    let model = Arc::new(model.clone());
    let state = State::initial(&model);
    Explicit::new(model, settings, state).unwrap()
}

fn rest(unbalanced: f64) -> ExplicitGoal {
    ExplicitGoal::Rest(Rest { unbalanced, patience: 200_000 })
}

fn run(explicit: &mut Explicit) -> StepReport {
    loop {
        let report = explicit.advance().unwrap();
        if explicit.is_done() {
            return report;
        }
    }
}

fn centre(explicit: &Explicit, body: usize) -> DVec2 {
    let [x, y, _] = explicit.snapshot().bodies[body].position;
    DVec2::new(x, y)
}

/// X1: a disc hits a wall. Energy after the hit, relative error; duration of the contact in steps.
fn impact(ratio: f64, phase: f64) -> (f64, f64, f64) {
    let (r, k, v) = (0.1, 1e7, 1.0);
    let mut scene = elastic_model(0.0, k, k, Some(1.0));
    scene.gravity = DVec2::ZERO;
    add::<D2>(&mut scene, D2::floor(), Pose::identity(), Role::Support(None));
    let m = 2000.0 * std::f64::consts::PI * r * r;
    let critical = 2.0 * (m / k).sqrt();
    let dt = ratio * critical;
    let ball = add::<D2>(&mut scene, D2::ball(r), Pose::at(DVec2::new(0.0, r + phase * v * dt + 1e-12)), Role::Free);
    scene.bodies[ball].velocity = DVec2::new(0.0, -v);
    let settings = ExplicitSettings { step: Some(dt), margin: Some(0.01), ..ExplicitSettings::default() };
    let mut explicit = start(&scene, settings);
    let (mut steps, mut last) = (0.0, None);
    for _ in 0..(10.0 / ratio) as usize {
        let report = explicit.advance().unwrap();
        steps += f64::from(u8::from(report.contacts > 0));
        last = Some(report);
    }
    let report = last.unwrap();
    let energy = report.kinetic_energy / (0.5 * m * v * v);
    // what is missing is the numerical row of the ledger
    let ledger = report.ledger;
    assert!((ledger.numerical / (0.5 * m * v * v) - (1.0 - energy)).abs() < 1e-9, "{ledger:?}");
    (energy - 1.0, steps * dt, dt)
}

#[test]
fn x1_impact_keeps_energy_within_the_bound() {
    let duration = std::f64::consts::PI * (62.83185307179586 / 1e7f64).sqrt();
    assert!((duration - 7.874805e-3).abs() < 1e-9);
    for ratio in [0.2, 0.1, 0.05, 0.02] {
        let (mut worst, mut mean) = (0.0f64, 0.0);
        let phases = 1000;
        for i in 0..phases {
            let (change, lasted, dt) = impact(ratio, f64::from(i) / f64::from(phases));
            worst = worst.max(change.abs());
            mean += change / f64::from(phases);
            // in central differences the contact lasts π/ω_d, sin(ω_d Δt/2) = Δt/Δt_cr
            let discrete = std::f64::consts::PI * dt / (2.0 * ratio.asin());
            assert!((lasted - discrete).abs() <= dt * (1.0 + 1e-9) + (duration - discrete).abs(), "{lasted}");
        }
        assert!(worst <= ratio * ratio, "Δt/Δt_cr = {ratio}: {worst}");
        assert!(mean.abs() < 0.1 * ratio * ratio, "Δt/Δt_cr = {ratio}: mean {mean}");
    }
}

/// X2: n discs in a row between walls, pressed by an overlap [m].
fn chain(n: usize, two_walls: bool, overlap: f64) -> Model<D2> {
    let (r, k) = (0.1, 1e7);
    let mut scene = elastic_model(0.0, k, 1e-3 * k, Some(1.0));
    scene.gravity = DVec2::ZERO;
    let pitch = 2.0 * r - overlap;
    let wall = |scene: &mut Model<D2>, x: f64, turn: f64| {
        let pose = Pose { position: DVec2::new(x, 0.0), rotation: turn };
        add::<D2>(scene, D2::floor(), pose, Role::Support(None));
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    wall(&mut scene, -(r - overlap), -quarter);
    if two_walls {
        wall(&mut scene, (n as f64 - 1.0) * pitch + r - overlap, quarter);
    }
    for i in 0..n {
        add::<D2>(&mut scene, D2::ball(r), Pose::at(DVec2::new(i as f64 * pitch, 0.0)), Role::Free);
    }
    scene
}

#[test]
fn x2_critical_step_of_a_chain() {
    let unit = (62.83185307179586 / 1e7f64).sqrt();
    let both =
        [(1, std::f64::consts::SQRT_2), (2, 1.154701), (3, 1.082392), (5, 1.035276), (10, 1.010283), (20, 1.002804)];
    let one = [(1, 2.0), (2, 1.236068), (3, 1.109916), (5, 1.042217), (10, 1.011295), (20, 1.002943)];
    for (walls, list) in [(true, both), (false, one)] {
        for (n, expected) in list {
            let step = |critical| {
                let settings = ExplicitSettings { critical, ..ExplicitSettings::default() };
                start(&chain(n, walls, 1e-3), settings).critical_step() / unit
            };
            let half = std::f64::consts::FRAC_PI_2;
            let m = n as f64;
            let exact = if walls { 1.0 / (half / (m + 1.0)).cos() } else { 1.0 / (2.0 * half / (2.0 * m + 1.0)).cos() };
            assert!((exact - expected).abs() < 1e-6);
            // the tangential springs are a thousandth: they act on the rotations only
            assert!((step(CriticalStep::Eigen) / exact - 1.0).abs() < 1e-6, "{n} {}", step(CriticalStep::Eigen));
            assert!(step(CriticalStep::Gerschgorin) <= exact * (1.0 + 1e-12));
            assert!(step(CriticalStep::Simple) <= exact);
        }
    }
}

/// X3: a column of n blocks on a clamped one.
fn column(n: usize) -> Model<D2> {
    let mut scene = elastic_model(0.7, 5e9, 2e9, None);
    for i in 0..=n {
        let role = if i == 0 { Role::Support(None) } else { Role::Free };
        add::<D2>(&mut scene, D2::block(0.4, 0.25), Pose::at(DVec2::new(0.0, 0.25 * i as f64)), role);
    }
    scene
}

#[test]
fn x3_critical_step_of_a_column() {
    let sharp = [(1, 3.955247e-4), (2, 2.591218e-4), (5, 2.229389e-4), (10, 2.173105e-4)];
    let round = [(1, 4.230092e-4), (5, 2.405665e-4), (10, 2.346296e-4)];
    let step = |n, rounding, critical| {
        let settings = ExplicitSettings { rounding: Some(rounding), critical, ..ExplicitSettings::default() };
        start(&column(n), settings).critical_step()
    };
    for (n, expected) in sharp {
        let found = step(n, 1e-9, CriticalStep::Eigen);
        assert!((found / expected - 1.0).abs() < 3e-7, "{n}: {found}");
        let rows = step(n, 1e-9, CriticalStep::Gerschgorin);
        assert!(rows <= found && rows > 0.9 * found, "{n}: {rows} {found}");
    }
    for (n, expected) in round {
        let found = step(n, 0.01, CriticalStep::Eigen);
        assert!((found / expected - 1.0).abs() < 3e-7, "{n}: {found}");
    }
    assert!((step(10, 1e-9, CriticalStep::Gerschgorin) / 2.066848e-4 - 1.0).abs() < 1e-6);
    assert!((step(10, 1e-9, CriticalStep::Simple) / 1.543033e-4 - 1.0).abs() < 1e-6);
}

#[test]
fn x5_statics_by_all_dampings() {
    // own weight and 5 % of it sideways
    let mut scene = column(10);
    scene.gravity = DVec2::new(0.05 * G, -G);
    let dampings = [
        ("local 0.8", Damping::Local { blocks: 0.8, particles: 0.7 }),
        ("local 0.7", Damping::Local { blocks: 0.7, particles: 0.7 }),
        ("viscous", Damping::Viscous(2.0 * std::f64::consts::TAU * 11.518815)),
        ("adaptive", Damping::Adaptive(Adaptive { start: 1e3, ..Adaptive::default() })),
    ];
    let mut steps = Vec::new();
    for (name, damping) in dampings {
        let settings = ExplicitSettings {
            rounding: Some(0.01),
            critical: CriticalStep::Eigen,
            safety: 0.5,
            damping,
            goal: rest(1e-7),
            ..ExplicitSettings::default()
        };
        let mut explicit = start(&scene, settings);
        let report = run(&mut explicit);
        let top = centre(&explicit, 10) - DVec2::new(0.0, 2.5);
        // linear shortening, and that by the turns of the blocks: h θ²/2, half of it for the top block
        let bodies = explicit.snapshot().bodies;
        let turn = |i: usize| (2.0 * bodies[i].rotation[2].asin()).powi(2) * 0.125;
        let by_turns = (1..10).map(turn).sum::<f64>() + 0.5 * turn(10);
        assert!(((top.y + by_turns) / -5.679474e-5 - 1.0).abs() < 5e-6, "{name}: {} {by_turns}", top.y);
        assert!((top.x / 1.336977e-4 - 1.0).abs() < 3e-3, "{name}: {}", top.x);
        assert_eq!(report.contacts, 20, "{name}");
        steps.push((name, report.step));
        let ledger = report.ledger;
        let work = ledger.gravity;
        assert!(ledger.numerical.abs() < 1e-3 * work, "{name}: {ledger:?}");
        assert!(ledger.damping > 0.4 * work && ledger.elastic > 0.4 * work, "{name}: {ledger:?}");
    }
    // adaptive within 4 × the best viscous one and 1.5 × local 0.8
    let of = |name: &str| steps.iter().find(|s| s.0 == name).unwrap().1 as f64;
    assert!(of("adaptive") <= 4.0 * of("viscous"), "{steps:?}");
    assert!(of("adaptive") <= 1.5 * of("local 0.8"), "{steps:?}");
}

#[test]
fn x5_mass_scaling_finds_the_same_equilibrium() {
    let scene = column(10);
    for mass_scaling in [MassScaling::Even, MassScaling::Step(1.0)] {
        let settings = ExplicitSettings {
            rounding: Some(0.01),
            mass_scaling,
            damping: Damping::Local { blocks: 0.8, particles: 0.7 },
            goal: rest(1e-7),
            ..ExplicitSettings::default()
        };
        let mut explicit = start(&scene, settings);
        let report = run(&mut explicit);
        let top = centre(&explicit, 10) - DVec2::new(0.0, 2.5);
        assert!((top.y / -5.679474e-5 - 1.0).abs() < 1e-6, "{} {report:?} {:?}", top.y, explicit.mass_factors());
        let [least, mean, largest] = explicit.mass_factors().unwrap();
        assert!(least <= mean && mean <= largest);
    }
}

/// X6: a disc on a spring, pulled so far that it swings in contact; amplitudes of successive turns.
#[test]
fn x6_local_damping_of_a_swing_and_of_a_fall() {
    for (beta, ratio) in [(0.8, 1.0 / 3.0), (0.7, 0.420084), (0.5, 0.577350)] {
        let mut scene = elastic_model(0.0, 1e7, 1e7, Some(1.0));
        add::<D2>(&mut scene, D2::floor(), Pose::identity(), Role::Support(None));
        let ball = add::<D2>(&mut scene, D2::ball(0.1), Pose::at(DVec2::new(0.0, 0.1)), Role::Free);
        let m = scene.bodies[ball].mass;
        let (omega, sag) = ((1e7 / m).sqrt(), m * G / 1e7);
        let start_at = 0.5 * sag;
        scene.bodies[ball].pose = Pose::at(DVec2::new(0.0, 0.1 - sag - start_at));
        let settings = ExplicitSettings {
            step: Some(0.01 * 2.0 / omega),
            damping: Damping::Local { blocks: beta, particles: beta },
            ..ExplicitSettings::default()
        };
        let mut explicit = start(&scene, settings);
        let mut highest = f64::NEG_INFINITY;
        let half = std::f64::consts::PI / (2.0 * omega) * (1.0 / (1.0f64 - beta).sqrt() + 1.0 / (1.0f64 + beta).sqrt());
        let steps = (1.05 * half / (0.01 * 2.0 / omega)) as usize;
        for _ in 0..steps {
            explicit.advance().unwrap();
            highest = highest.max(centre(&explicit, ball).y - (0.1 - sag));
        }
        assert!((highest / start_at - ratio).abs() < 5e-3 * ratio.max(0.2), "{beta}: {}", highest / start_at);
    }
    for (beta, time) in [(0.8, 1.009638), (0.7, 0.824366)] {
        let mut scene = elastic_model(0.0, 1e7, 1e7, Some(1.0));
        add::<D2>(&mut scene, D2::floor(), Pose::identity(), Role::Support(None));
        let ball = add::<D2>(&mut scene, D2::ball(0.1), Pose::at(DVec2::new(0.0, 1.1)), Role::Free);
        let settings = ExplicitSettings {
            step: Some(1e-4),
            damping: Damping::Local { blocks: beta, particles: beta },
            ..ExplicitSettings::default()
        };
        let mut explicit = start(&scene, settings);
        let mut fell = 0.0;
        while centre(&explicit, ball).y > 0.1 {
            fell = explicit.advance().unwrap().time;
        }
        assert!((fell / time - 1.0).abs() < 5e-3, "{beta}: {fell}");
    }
}

#[test]
fn x8_disc_on_an_incline() {
    for (friction, along, turning) in [(0.5, 3.27, 3.27), (0.1, 4.055429, 1.699142)] {
        let angle = 30f64.to_radians();
        let mut scene = elastic_model(friction, 1e8, 1e8, Some(1.0));
        let slope = Pose { position: DVec2::ZERO, rotation: -angle };
        add::<D2>(&mut scene, D2::floor(), slope, Role::Support(None));
        let n = DVec2::from_angle(std::f64::consts::FRAC_PI_2 - angle);
        let m = 2000.0 * std::f64::consts::PI * 0.01;
        let sag = m * G * angle.cos() / 1e8;
        let ball = add::<D2>(&mut scene, D2::ball(0.1), Pose::at(n * (0.1 - sag)), Role::Free);
        let mut explicit = start(&scene, ExplicitSettings { safety: 0.2, ..ExplicitSettings::default() });
        let mut report = explicit.advance().unwrap();
        while report.time < 0.5 {
            report = explicit.advance().unwrap();
        }
        let body = explicit.snapshot().bodies[ball];
        let speed = DVec2::new(body.velocity[0], body.velocity[1]).length();
        assert!((speed / report.time / along - 1.0).abs() < 2e-3, "{friction}: {}", speed / report.time);
        assert!((-body.spin[2] * 0.1 / report.time / turning - 1.0).abs() < 2e-3, "{friction}: {}", body.spin[2]);
    }
}

/// Bits of a state, for comparisons.
fn bits(explicit: &mut Explicit) -> String {
    format!("{:?}", explicit.save())
}

/// A heap of discs on blocks between walls.
fn heap() -> Model<D2> {
    let mut scene = elastic_model(0.6, 1e8, 5e7, None);
    for x in [-0.75, 0.0, 0.75] {
        add::<D2>(&mut scene, D2::block(0.74, 0.3), Pose::at(DVec2::new(x, 0.15)), Role::Free);
    }
    add::<D2>(&mut scene, D2::floor(), Pose::identity(), Role::Support(None));
    for (x, turn) in [(-1.15, -std::f64::consts::FRAC_PI_2), (1.15, std::f64::consts::FRAC_PI_2)] {
        let pose = Pose { position: DVec2::new(x, 0.0), rotation: turn };
        add::<D2>(&mut scene, D2::floor(), pose, Role::Support(None));
    }
    for i in 0..60 {
        let (row, column) = (i / 10, i % 10);
        let r = 0.08 + 0.02 * (1.3 * f64::from(i)).sin();
        let at = DVec2::new(-0.95 + 0.2 * f64::from(column) + 0.05 * f64::from(row % 2), 0.45 + 0.22 * f64::from(row));
        add::<D2>(&mut scene, D2::ball(r), Pose::at(at), Role::Free);
    }
    scene
}

#[test]
fn resumed_runs_are_bit_identical() {
    let scene = Arc::new(heap());
    for damping in
        [Damping::Off, Damping::Local { blocks: 0.8, particles: 0.7 }, Damping::Adaptive(Adaptive::default())]
    {
        let settings = ExplicitSettings { damping, goal: rest(1e-9), ..ExplicitSettings::default() };
        let mut whole = Explicit::new(Arc::clone(&scene), settings.clone(), State::initial(&scene)).unwrap();
        let mut parts = Explicit::new(Arc::clone(&scene), settings.clone(), State::initial(&scene)).unwrap();
        for i in 1..=3000 {
            let report = whole.advance().unwrap();
            let other = parts.advance().unwrap();
            assert!(report == other, "step {i}");
            if i % 250 == 17 {
                let state = Box::new(parts).into_state();
                let voussoir_mechanics::AnyState::Two(state) = state else { unreachable!() };
                parts = Explicit::new(Arc::clone(&scene), settings.clone(), state).unwrap();
            }
        }
        assert!(bits(&mut whole) == bits(&mut parts), "the states differ");
    }
}

/// A lattice of discs that slide and rattle in a box, more pairs than one part has.
fn lattice() -> Model<D2> {
    let mut scene = elastic_model(0.3, 1e8, 5e7, None);
    let (columns, rows) = (70, 50);
    for i in 0..columns * rows {
        let (row, column) = (i / columns, i % columns);
        let jitter = |k: f64| 0.004 * (k * f64::from(i)).sin();
        let at = DVec2::new(0.1 + 0.2 * f64::from(column) + jitter(1.3), 0.1 + 0.2 * f64::from(row) + jitter(2.1));
        let ball = add::<D2>(&mut scene, D2::ball(0.101), Pose::at(at), Role::Free);
        scene.bodies[ball].velocity = DVec2::new(jitter(0.7), jitter(1.9)) * 50.0;
    }
    add::<D2>(&mut scene, D2::floor(), Pose::identity(), Role::Support(None));
    scene
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let scene = Arc::new(lattice());
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let settings = ExplicitSettings { safety: 0.3, ..ExplicitSettings::default() };
            let mut explicit = Explicit::new(Arc::clone(&scene), settings, State::initial(&scene)).unwrap();
            (0..60).for_each(|_| explicit.step().unwrap());
            assert!(explicit.contact_counts()[1] > 6000, "{:?}", explicit.contact_counts());
            bits(&mut explicit)
        })
    };
    let one = run(1);
    assert!(one == run(2) && one == run(3));
}

#[test]
fn the_ledger_of_a_heap_closes() {
    let scene = heap();
    let settings = ExplicitSettings { safety: 0.3, ..ExplicitSettings::default() };
    let mut explicit = start(&scene, settings);
    let mut report = explicit.advance().unwrap();
    while report.time < 0.4 {
        report = explicit.advance().unwrap();
    }
    let ledger = report.ledger;
    assert!(ledger.friction > 0.05 * ledger.gravity, "{ledger:?}");
    // impacts change the energy by at most (Δt/Δt_cr)²
    assert!(ledger.numerical.abs() < 0.3 * 0.3 * ledger.gravity, "{ledger:?}");
    assert!((report.potential_energy + ledger.gravity).abs() < 1e-9 * ledger.gravity, "{ledger:?}");
}

#[test]
fn x11_aligned_faces_keep_two_contacts() {
    for damping in [
        Damping::Local { blocks: 0.8, particles: 0.7 },
        Damping::Viscous(150.0),
        Damping::Adaptive(Adaptive { start: 1e3, ..Adaptive::default() }),
    ] {
        let settings =
            ExplicitSettings { rounding: Some(0.01), damping, goal: rest(1e-8), ..ExplicitSettings::default() };
        let mut explicit = start(&column(5), settings);
        loop {
            let report = explicit.advance().unwrap();
            if explicit.is_done() {
                assert!(report.converged, "{damping:?}: {:?}", explicit.unbalanced_force());
                break;
            }
        }
        let keys: Vec<_> = explicit.contact_list().iter().map(|contact| contact.key).collect();
        for _ in 0..10_000 {
            explicit.step().unwrap();
            assert_eq!(explicit.contact_counts()[0], 10);
        }
        let after: Vec<_> = explicit.contact_list().iter().map(|contact| contact.key).collect();
        assert_eq!(keys, after);
        assert!(explicit.unbalanced_force()[0] < 1e-8);
    }
}

#[test]
fn overlaps_beyond_half_of_a_corner_are_reported() {
    // ten blocks overlap by 9.8 µm at the foot, and by up to a third more on the way there
    for (rounding, count) in [(4e-5, 0), (2.05e-5, 1)] {
        let settings = ExplicitSettings {
            rounding: Some(rounding),
            damping: Damping::Local { blocks: 0.8, particles: 0.7 },
            goal: rest(1e-4),
            ..ExplicitSettings::default()
        };
        let mut explicit = start(&column(10), settings);
        run(&mut explicit);
        assert_eq!(explicit.warnings().len(), count, "{:?}", explicit.warnings());
    }
}

#[test]
fn bad_settings_and_models_are_explained() {
    let fails = |scene: &Model<D2>, settings: ExplicitSettings| {
        let model = Arc::new(scene.clone());
        let state = State::initial(&model);
        Explicit::new(model, settings, state).unwrap_err().to_string()
    };
    let mut rigid = column(2);
    rigid.joints = JointTable::uniform(1, Joint::coulomb(0.5));
    assert!(fails(&rigid, ExplicitSettings::default()).contains("needs springs"));
    let long = ExplicitSettings { step: Some(1.0), ..ExplicitSettings::default() };
    assert!(fails(&column(2), long).contains("critical step"));
    let round = ExplicitSettings { rounding: Some(0.2), ..ExplicitSettings::default() };
    assert!(fails(&column(2), round).contains("half of the shortest side"));
    let sharp = ExplicitSettings { rounding: Some(1e-6), goal: rest(1e-6), ..ExplicitSettings::default() };
    let error = fails(&column(10), sharp);
    // ten blocks of 200 kg on two points of 5 GPa/m × 0.2 m: 9.8 µm, and twice as much
    assert!(error.contains("2σ/kₙ = 1.96") && error.contains("e-5 m"), "{error}");
    let scaled = ExplicitSettings { mass_scaling: MassScaling::Even, ..ExplicitSettings::default() };
    assert!(fails(&column(2), scaled).contains("in time"));
}
