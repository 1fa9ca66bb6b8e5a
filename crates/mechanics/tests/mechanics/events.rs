//! The event-driven analysis: closed forms of impacts, rest and sliding (validation cases F12–F22).

use std::sync::Arc;

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::{D2, Pose, Shape2, Solid};
use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::any::{AnyModel, AnyState, StateRef};
use voussoir_mechanics::events::{self, EVENT_COLUMNS, EventSettings};
use voussoir_mechanics::model::{Body, Joint, JointTable, Material, Model, Restitution, Role};
use voussoir_mechanics::report::StepReport;
use voussoir_mechanics::sea::{FieldKind, Sea, VelocityField};
use voussoir_mechanics::state::State;
use voussoir_mechanics::time_function::TimeFunction;

pub const ICE: f64 = 917.0;
pub const AIR: f64 = 1.341 * 1.7e-3;
pub const WATER: f64 = 1024.071 * 5e-3;

pub fn ice(friction: f64, restitution: f64) -> Model<D2> {
    let joint = Joint { restitution: Restitution::Poisson(restitution), ..Joint::coulomb(friction) };
    let materials = vec![Material { name: "ice".into(), density: ICE, strength: None }];
    Model::new(Vec::new(), materials, JointTable::uniform(1, joint))
}

fn blown(mut model: Model<D2>, wind: DVec2, water: f64) -> Model<D2> {
    let wind = VelocityField { parts: vec![(FieldKind::Uniform(wind), TimeFunction::Constant(1.0))] };
    model.sea = Some(Arc::new(Sea { wind, stress: vec![[AIR, water]], ..Sea::empty(1) }));
    model
}

pub fn add(model: &mut Model<D2>, shape: Shape2, at: (f64, f64), angle: f64, v: [f64; 3]) -> usize {
    let mass = shape.mass_properties();
    let (volume, inertia) = mass.map_or((1.0, 1.0), |m| (m.volume, m.inertia));
    model.bodies.push(Body {
        name: format!("body[{}]", model.bodies.len()),
        tags: Vec::new(),
        shape: Arc::new(shape),
        material: 0,
        mass: ICE * volume,
        inertia: ICE * inertia,
        role: if mass.is_some() { Role::Free } else { Role::Support(None) },
        pose: Pose { position: DVec2::new(at.0, at.1), rotation: angle },
        velocity: DVec2::new(v[0], v[1]),
        spin: v[2],
    });
    model.bodies.len() - 1
}

pub fn disc(radius: f64) -> Shape2 {
    Shape2::disc(radius).unwrap()
}

pub fn rectangle(x: f64, y: f64) -> Shape2 {
    Shape2::rectangle(DVec2::new(x, y)).unwrap()
}

/// A wall with an outward normal, through a point.
pub fn wall(model: &mut Model<D2>, normal: DVec2, at: (f64, f64)) -> usize {
    add(model, Shape2::half_plane(normal).unwrap(), at, 0.0, [0.0; 3])
}

/// A run with all of its reports.
pub struct Run {
    pub analysis: Box<dyn Analysis>,
    reports: Vec<StepReport>,
}

impl Run {
    pub fn new(model: Model<D2>, settings: EventSettings) -> Self {
        let state = State::initial(&model);
        let model = AnyModel::Two(Arc::new(model));
        Self { analysis: events::begin(&model, &settings, AnyState::Two(state)).unwrap(), reports: Vec::new() }
    }

    fn go(&mut self, until: f64) -> &mut Self {
        while self.state().time < until * (1.0 - 1e-12) {
            let report = self.analysis.advance().unwrap();
            assert!(report.converged, "{report:?}");
            assert!(report.penetration <= 2e-5, "{report:?}");
            let taken = report.ledger.friction + report.ledger.impact;
            let work = report.ledger.loads + report.ledger.gravity + report.ledger.supports;
            let first = self.reports.first().map_or(0.0, |r: &StepReport| r.kinetic_energy);
            let scale = work.abs() + taken.abs() + report.kinetic_energy + first;
            assert!(taken >= -1e-9 * scale, "contacts added energy: {report:?}");
            self.reports.push(report);
        }
        self
    }

    pub fn state(&mut self) -> State<D2> {
        match self.analysis.save() {
            StateRef::Two(state) => state.clone(),
            StateRef::Three(_) => unreachable!(),
        }
    }

    fn v(&mut self, body: usize) -> [f64; 3] {
        let state = self.state();
        [state.velocities[3 * body], state.velocities[3 * body + 1], state.velocities[3 * body + 2]]
    }

    pub fn number(&self, report: &StepReport, head: &str) -> f64 {
        report.own(EVENT_COLUMNS, head).unwrap().number().unwrap()
    }

    /// Times of impacts, at most one per force step.
    fn times(&self) -> Vec<f64> {
        let hits = self.reports.iter().filter(|r| self.number(r, "step_impacts") > 0.0);
        hits.map(|r| self.number(r, "last_impact_s")).collect()
    }

    fn force(&self, candidate: u32, antagonist: u32) -> DVec2 {
        let contacts = self.analysis.snapshot().contacts;
        let of = contacts.iter().filter(|c| c.bodies == [candidate, antagonist]);
        of.map(|c| DVec2::new(c.force[0], c.force[1])).sum()
    }
}

fn exact(step: f64) -> EventSettings {
    EventSettings { step, collision_distance: Some(0.0), tolerance: 1e-10, ..EventSettings::default() }
}

fn near(computed: f64, expected: f64, tolerance: f64) {
    assert!((computed - expected).abs() <= tolerance, "{computed} instead of {expected}");
}

/// F14: contact times of turning bodies.
#[test]
fn contact_times_of_turning_bodies() {
    let mut model = ice(0.0, 1.0);
    wall(&mut model, DVec2::Y, (0.0, 0.0));
    add(&mut model, rectangle(100.0, 40.0), (0.0, 60.0), 0.0, [0.0, -0.02, 1e-3]);
    let mut run = Run::new(model, exact(60.0));
    near(run.go(720.0).times()[0], 667.315357880, 1e-8);
    let mut model = ice(0.0, 1.0);
    add(&mut model, rectangle(100.0, 100.0), (0.0, 0.0), 0.0, [0.005, 0.0, 5e-4]);
    add(&mut model, rectangle(100.0, 100.0), (130.0, 0.0), 0.0, [-0.005, 0.0, -5e-4]);
    let mut run = Run::new(model, exact(60.0));
    near(run.go(600.0).times()[0], 574.973760512, 1e-8);
}

/// F13: a floe that the wind blows against a wall bounces, comes to rest and presses on the wall.
#[test]
fn a_bouncing_floe_comes_to_rest() {
    for (e, stop) in [(0.5, 850.906950), (0.8, 2552.720849)] {
        let mut model = blown(ice(0.3, e), DVec2::new(10.0, 0.0), 0.0);
        let wall = wall(&mut model, -DVec2::X, (60.0, 0.0));
        let floe = add(&mut model, rectangle(100.0, 100.0), (0.0, 0.0), 0.0, [0.0; 3]);
        let mut run = Run::new(model, EventSettings { impacts: 200, ..exact(10.0) });
        run.go(stop + 200.0);
        let times = run.times();
        near(times[0], 283.635650, 1e-6);
        let last = times.iter().copied().fold(0.0, f64::max);
        near(last, stop, 1e-6);
        let impacts = run.number(run.reports.last().unwrap(), "impacts");
        assert!(impacts < 400.0, "{impacts}");
        assert!(run.v(floe).iter().all(|v| v.abs() < 1e-12), "{:?}", run.v(floe));
        near(run.force(floe as u32, wall as u32).x, -AIR * 100.0 * 1e4, 1e-6 * AIR * 1e6);
    }
}

/// F17: discs one after the other, with gaps.
#[test]
fn a_cradle_with_gaps() {
    let cradle = |e: f64, until: f64| {
        let mut model = ice(0.0, e);
        for i in 0..5 {
            let v = if i == 0 { 0.5 } else { 0.0 };
            add(&mut model, disc(50.0), (101.0 * f64::from(i), 0.0), 0.0, [v, 0.0, 0.0]);
        }
        let mut run = Run::new(model, exact(0.5));
        run.go(until);
        run
    };
    let mut run = cradle(1.0, 20.0);
    for (time, expected) in run.times().into_iter().zip([2.0, 4.0, 6.0, 8.0]) {
        near(time, expected, 1e-8);
    }
    assert_eq!(run.times().len(), 4);
    (0..5).for_each(|i| near(run.v(i)[0], if i == 4 { 0.5 } else { 0.0 }, 1e-10));
    let mut run = cradle(0.9, 860.0);
    let times = [2.0, 4.105263, 6.321330, 8.654031, 762.0, 783.052632, 803.988950, 804.843952, 826.058076, 847.944979];
    assert_eq!(run.times().len(), 10, "{:?}", run.times());
    run.times().into_iter().zip(times).for_each(|(time, expected)| near(time, expected, 1e-6));
    let speeds = [0.021762541, 0.022686482, 0.023648320, 0.024649531, 0.407253125];
    speeds.into_iter().enumerate().for_each(|(i, v)| near(run.v(i)[0], v, 1e-8));
}

/// F18: Newton's cannon by events.
#[test]
fn the_cannon_by_events() {
    for (e, times, speeds) in [
        (1.0, [10.0, 10.5, 10.8125], [0.2, 0.92, 4.12]),
        (0.8, [10.0, 10.555556, 10.941358], [0.152, 0.65888, 2.73248]),
    ] {
        let mut model = ice(0.0, e);
        wall(&mut model, DVec2::X, (0.0, 0.0));
        for (radius, x) in [(100.0, 110.0), (50.0, 261.0), (25.0, 337.0)] {
            add(&mut model, disc(radius), (x, 0.0), 0.0, [-1.0, 0.0, 0.0]);
        }
        let mut run = Run::new(model, exact(0.25));
        run.go(12.0);
        let tolerance = if e == 1.0 { 1e-8 } else { 1e-6 };
        run.times().into_iter().zip(times).for_each(|(time, expected)| near(time, expected, tolerance));
        speeds.into_iter().enumerate().for_each(|(i, v)| near(run.v(i + 1)[0], v, 1e-8));
    }
}

/// F19: collisions are counted exactly.
#[test]
fn collisions_count_pi() {
    let speeds = [(16.0, 0.801923342, 0.979697624), (100.0, 0.477860208, 0.998857596), (1e4, 0.169731316, 0.999998560)];
    for (mass, count) in [(1.0, 3.0), (16.0, 12.0), (100.0, 31.0), (1e4, 314.0), (1e6, 3141.0)] {
        let mut model = ice(0.0, 1.0);
        wall(&mut model, DVec2::X, (0.0, 0.0));
        let small = add(&mut model, disc(1.0), (6.0, 0.0), 0.0, [0.0; 3]);
        let large = add(&mut model, disc(1.0), (18.0, 0.0), 0.0, [-1.0, 0.0, 0.0]);
        model.bodies[large].mass = mass * model.bodies[small].mass;
        let mut run = Run::new(model, EventSettings { impacts: 10_000, ..exact(1.0) });
        run.go(60.0);
        assert_eq!(run.number(run.reports.last().unwrap(), "impacts"), count, "mass ratio {mass}");
        for (m, slow, fast) in speeds.iter().filter(|row| row.0 == mass) {
            near(run.v(small)[0], *slow, 1e-6);
            near(run.v(large)[0], *fast, 1e-6 * m / m);
        }
    }
}

/// F12: a floe slides along a wall.
#[test]
fn a_floe_slides_along_a_wall() {
    let wind = DVec2::from_angle(-40_f64.to_radians()) * 10.0;
    let mut model = blown(ice(0.3, 0.0), wind, WATER);
    let wall = wall(&mut model, DVec2::Y, (0.0, 0.0));
    let floe = add(&mut model, rectangle(100.0, 60.0), (0.0, 30.0), 0.0, [0.0; 3]);
    let mut run = Run::new(model, EventSettings { tolerance: 1e-10, ..EventSettings::default() });
    run.go(600.0);
    near(run.v(floe)[0], 0.078175388, 1e-5);
    near(run.force(floe as u32, wall as u32).y, 879.217748, 1e-5 * 879.0);
    let contacts = run.analysis.snapshot().contacts;
    let mut corners: Vec<(f64, f64)> = contacts.iter().map(|c| (c.position[0], c.force[1])).collect();
    corners.sort_by(|a, b| a.0.total_cmp(&b.0));
    near(corners[1].1, 518.738471, 0.01);
    near(corners[0].1, 360.479277, 0.01);
    run.go(3600.0);
    near(run.state().poses[floe].position.x, 451.261024, 0.05);
}

/// F21: a row of squares against a wall.
#[test]
fn a_row_of_floes_presses_on_a_wall() {
    for e in [0.0, 0.4] {
        let mut model = blown(ice(0.3, e), DVec2::new(10.0, 0.0), WATER);
        let wall = wall(&mut model, -DVec2::X, (1050.0, 0.0));
        for i in 0..10 {
            add(&mut model, rectangle(100.0, 100.0), (f64::from(i) * 103.0, 0.0), 0.0, [0.0; 3]);
        }
        let mut run = Run::new(model, EventSettings { tolerance: 1e-10, ..EventSettings::default() });
        run.go(20_000.0);
        near(-run.force(10, wall as u32).x, 22_797.0, 1e-6 * 22_797.0);
        for k in 1..10 {
            // joint k from the free end
            near(run.force(k, k + 1).x.abs(), AIR * 1e6 * f64::from(k), 1e-6 * 22_797.0);
        }
        assert!(run.reports.last().unwrap().speed < 1e-9, "{:?}", run.reports.last());
    }
}

/// F22: two discs make an arch across an opening.
#[test]
fn two_discs_arch_across_an_opening() {
    let mut model = blown(ice(0.3, 0.0), DVec2::new(0.0, -10.0), WATER);
    // the lips are corners of two thin walls
    let mut lips = Vec::new();
    for side in [-1.0, 1.0] {
        let outline = [(80.0, 0.0), (180.0, -30.0), (180.0, 0.0)].map(|(x, y)| DVec2::new(side * x, y));
        let shape = Shape2::hull(&outline).unwrap();
        let centre = shape.mass_properties().unwrap().centroid;
        let lip = add(&mut model, shape.translated(-centre), (centre.x, centre.y), 0.0, [0.0; 3]);
        model.bodies[lip].role = Role::Support(None);
        lips.push(lip as u32);
    }
    for side in [-1.0, 1.0] {
        // centre at the distance R from its lip and from the axis
        add(&mut model, disc(50.0), (side * 50.0, 40.0), 0.0, [0.0; 3]);
    }
    let mut run = Run::new(model, EventSettings { tolerance: 1e-10, ..EventSettings::default() });
    run.go(7200.0);
    assert!(run.reports.last().unwrap().speed < 1e-9, "{:?}", run.reports.last());
    near(run.force(2, lips[0]).length(), 2238.090241, 1e-3);
    near(run.force(3, lips[1]).length(), 2238.090241, 1e-3);
    near(run.force(2, 3).length(), 1342.854145, 1e-3);
}

/// A run that goes on from a saved state is bit-identical; momentum is kept where nothing but impacts acts.
#[test]
fn resumed_runs_are_identical_and_momentum_is_kept() {
    let mut model = ice(0.4, 0.6);
    let mut random = 1u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    for i in 0..49 {
        // squares that run into each other from all sides, without walls
        let (x, y) = (f64::from(i % 7) * 150.0 - 450.0, f64::from(i / 7) * 150.0 - 450.0);
        let v = [-3e-4 * x + 0.05 * next(), -3e-4 * y + 0.05 * next(), 1e-3 * next()];
        add(&mut model, rectangle(90.0, 90.0), (x, y), next(), v);
    }
    let settings = EventSettings { step: 20.0, ..EventSettings::default() };
    let mut whole = Run::new(model.clone(), settings.clone());
    let (before, angular) = voussoir_mechanics::measures::momentum(&model, &whole.state());
    whole.go(1000.0);
    let middle = whole.state();
    whole.go(2000.0);
    assert!(whole.state().impacts > 50, "{}", whole.state().impacts);
    let shared = AnyModel::Two(Arc::new(model.clone()));
    let mut resumed =
        Run { analysis: events::begin(&shared, &settings, AnyState::Two(middle)).unwrap(), reports: Vec::new() };
    resumed.go(2000.0);
    assert!(resumed.state() == whole.state());
    let scale: f64 = model.bodies.iter().map(|body| body.mass * body.velocity.length()).sum();
    let (after, end) = voussoir_mechanics::measures::momentum(&model, &whole.state());
    assert!((after - before).length() <= 1e-10 * scale, "{after} {before}");
    assert!((end - angular).abs() <= 1e-10 * scale * 1000.0, "{end} {angular}");
    let (first, last) = (&whole.reports[0], &whole.reports[whole.reports.len() - 1]);
    let lost = last.ledger.friction + last.ledger.impact - first.ledger.friction - first.ledger.impact;
    let closes = first.kinetic_energy - last.kinetic_energy - lost;
    assert!(closes.abs() <= 1e-8 * first.kinetic_energy, "{closes}");
}

/// 25 irregular floes that the wind, times a function of time, blows into the corner of two walls.
fn pack(function: TimeFunction, water: f64) -> Model<D2> {
    let mut random = 7u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 11) as f64 / (1u64 << 53) as f64
    };
    let blows = (FieldKind::Uniform(DVec2::new(10.0, 7.0)), function);
    let wind = VelocityField { parts: vec![blows] };
    let mut model = ice(0.4, 0.4);
    let coriolis = if water > 0.0 { 1.4e-4 } else { 0.0 };
    model.sea = Some(Arc::new(Sea { wind, stress: vec![[AIR, water]], coriolis, ..Sea::empty(1) }));
    wall(&mut model, -DVec2::X, (400.0, 0.0));
    wall(&mut model, -DVec2::Y, (0.0, 400.0));
    for i in 0..25 {
        let corner = |k: i32| DVec2::from_angle(f64::from(k) * std::f64::consts::TAU / 6.0 + 0.6 * next()) * 60.0;
        let outline: Vec<DVec2> = (0..6).map(corner).collect();
        let shape = Shape2::hull(&outline).unwrap();
        let centre = shape.mass_properties().unwrap().centroid;
        let (x, y) = (f64::from(i % 5) * 140.0 - 300.0, f64::from(i / 5) * 140.0 - 300.0);
        add(&mut model, shape.translated(-centre), (x, y), 0.0, [0.0; 3]);
    }
    model
}

/// A pack goes over to dynamic steps by itself when it jams, without overlap, with energies that close; a run that goes
/// on from the middle of the jam is bit-identical, for any number of threads.
#[test]
fn a_pack_jams() {
    let model = pack(TimeFunction::Constant(1.0), WATER);
    let size = model.bodies.iter().filter(|b| b.role == Role::Free).map(|b| (b.mass / ICE).sqrt());
    let size = size.fold(f64::INFINITY, f64::min);
    let go = |run: &mut Run, until: f64| {
        while run.state().time < until - 1e-6 {
            let report = run.analysis.advance().unwrap();
            assert!(report.converged, "{report:?}");
            assert!(report.penetration <= 1e-6 * size, "{report:?}");
            let closes = report.kinetic_energy + report.ledger.taken() - report.ledger.loads;
            let work = report.ledger.wind.abs() + report.ledger.water.abs();
            assert!(closes.abs() <= 1e-8 * work, "{closes} of {work}");
            assert!(report.ledger.taken() >= -1e-8 * work, "contacts added energy: {report:?}");
            run.reports.push(report);
        }
    };
    let mut whole = Run::new(model.clone(), EventSettings::default());
    go(&mut whole, 3000.0);
    let middle = whole.state();
    go(&mut whole, 4200.0);
    let jammed = |run: &Run| run.number(run.reports.last().unwrap(), "jammed");
    assert!(jammed(&whole) > 10.0, "{}", jammed(&whole));
    let shared = AnyModel::Two(Arc::new(model));
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let analysis = events::begin(&shared, &EventSettings::default(), AnyState::Two(middle.clone())).unwrap();
        let mut resumed = Run { analysis, reports: Vec::new() };
        pool.install(|| go(&mut resumed, 4200.0));
        assert!(resumed.state() == whole.state(), "{threads} threads");
    }
}

/// A jam comes back: the wind turns, the floes drift apart, and impacts are events again. In every force step the
/// momentum changes by the impulses of the wind and of the walls, and the energies close.
#[test]
fn a_jam_comes_free_when_the_wind_turns() {
    let turns = 2400.0;
    let mut model = pack(TimeFunction::Table(vec![(0.0, 1.0), (turns, 1.0), (turns, -1.0)]), 0.0);
    for body in model.bodies.iter_mut().filter(|body| body.role == Role::Free) {
        // thinner floes, which the wind drives faster, are farther from the corner
        let thickness = 1.5 + 1e-3 * DVec2::new(10.0, 7.0).normalize().dot(body.pose.position);
        body.mass *= thickness;
        body.inertia *= thickness;
    }
    wall(&mut model, DVec2::X, (-600.0, 0.0));
    let free: Vec<usize> = (0..model.bodies.len()).filter(|&i| model.bodies[i].role == Role::Free).collect();
    let settings = EventSettings::default();
    let mut run = Run::new(model.clone(), settings.clone());
    while run.state().time < 2.0 * turns - 1e-6 {
        let before = run.state();
        let sign = if before.time < turns - 1.0 { 1.0 } else { -1.0 };
        let report = run.analysis.advance().unwrap();
        assert!(report.converged, "{report:?}");
        let mut forces = vec![DVec2::ZERO; model.bodies.len()];
        let contacts = run.analysis.snapshot().contacts;
        for body in run.state().jammed {
            let acts = contacts.iter().any(|contact| contact.bodies.contains(&body) && contact.force != [0.0; 3]);
            assert!(acts, "no contact acts on the jammed body {body} at {}", report.time);
        }
        for contact in contacts {
            let force = DVec2::new(contact.force[0], contact.force[1]);
            forces[contact.bodies[0] as usize] += force;
            forces[contact.bodies[1] as usize] -= force;
        }
        let after = run.state();
        for &body in &free {
            let area = model.bodies[body].shape.mass_properties().unwrap().volume;
            let wind = DVec2::new(10.0, 7.0) * (AIR * 149_f64.sqrt() * area * sign);
            let change = |k: usize| after.velocities[3 * body + k] - before.velocities[3 * body + k];
            let momentum = DVec2::new(change(0), change(1)) * model.bodies[body].mass;
            let closes = momentum - (wind + forces[body]) * settings.step;
            let scale = (wind.length() + forces[body].length()) * settings.step;
            assert!(closes.length() <= 1e-8 * scale, "body {body}: {closes} of {scale} at {}: {report:?}", report.time);
        }
        let closes = report.kinetic_energy + report.ledger.taken() - report.ledger.loads;
        assert!(closes.abs() <= 1e-8 * report.ledger.wind.abs().max(1.0), "{closes} at {}", report.time);
        run.reports.push(report);
    }
    let at = |time: f64| run.reports.iter().position(|r| r.time > time - 1.0).unwrap();
    let jammed: Vec<f64> = run.reports.iter().map(|r| run.number(r, "jammed")).collect();
    // those that still press on each other stay, all others have come free
    let later = jammed[at(turns + 600.0)..at(turns + 1200.0)].iter().copied().fold(0.0, f64::max);
    assert!(jammed[at(turns)] > 20.0 && later < 6.0, "{jammed:?}");
    // the first floes have reached the wall on the other side
    let impacts = |time: f64| run.number(&run.reports[at(time)], "impacts");
    assert!(impacts(2.0 * turns) > impacts(turns + 1200.0) + 3.0, "{}", impacts(2.0 * turns));
}
