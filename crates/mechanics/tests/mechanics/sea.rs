//! Drift of free floes: closed forms and integrations to 1e-13 (validation cases F1–F3, F7–F11).

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::{AreaRule, Shape2, Solid};
use voussoir_mechanics::sea::{DriftScheme, FieldKind, Floe, Sea, VelocityField};
use voussoir_mechanics::time_function::TimeFunction;

const ICE: f64 = 917.0;
const AIR: f64 = 1.341 * 1.7e-3;
const WATER: f64 = 1024.071 * 5e-3;
const F: f64 = 1.437_149_2e-4;

fn still() -> Sea {
    Sea { stress: vec![[AIR, WATER]], ..Sea::empty(1) }
}

fn field(kind: FieldKind) -> VelocityField {
    VelocityField { parts: vec![(kind, TimeFunction::Constant(1.0))] }
}

fn uniform(x: f64, y: f64) -> VelocityField {
    field(FieldKind::Uniform(DVec2::new(x, y)))
}

/// A floe of one metre of thickness on its way.
struct Way {
    rule: AreaRule,
    mass: f64,
    inertia: f64,
    position: DVec2,
    angle: f64,
    velocity: [f64; 3],
    time: f64,
}

impl Way {
    fn new(shape: &Shape2, velocity: [f64; 3]) -> Self {
        let mass = shape.mass_properties().unwrap();
        let (rule, position) = (AreaRule::new(shape), DVec2::ZERO);
        Self { rule, mass: ICE * mass.volume, inertia: ICE * mass.inertia, position, angle: 0.0, velocity, time: 0.0 }
    }

    fn go(&mut self, sea: &Sea, until: f64, h: f64) {
        while self.time < until - 1e-9 * h {
            let h = h.min(until - self.time);
            let floe = Floe { mass: self.mass, inertia: self.inertia, rule: &self.rule, stress: sea.stress[0] };
            let drift = sea.drift(&floe, (self.position, self.angle), self.velocity, [0.0; 3], (self.time, h));
            let mean: [f64; 3] = std::array::from_fn(|i| 0.5 * (self.velocity[i] + drift.velocity[i]));
            self.position += (DVec2::new(mean[0], mean[1]) + drift.shift) * h;
            self.angle += mean[2] * h;
            self.velocity = drift.velocity;
            self.time += h;
        }
    }

    fn v(&self) -> DVec2 {
        DVec2::new(self.velocity[0], self.velocity[1])
    }
}

fn square() -> Shape2 {
    Shape2::rectangle(DVec2::splat(100.0)).unwrap()
}

/// Time, velocity and position.
type Row = (f64, f64, f64, f64, f64);

/// F7: start from rest with wind, current and Coriolis force, with and without tilt.
#[test]
fn free_drift_follows_the_reference() {
    let case_a = Sea { wind: uniform(10.0, 0.0), current: uniform(0.0, 0.1), coriolis: F, ..still() };
    let tilted = Sea { tilt: true, ..case_a.clone() };
    let case_b = Sea { current: uniform(0.2, 0.0), coriolis: F, ..still() };
    let rows: [(&Sea, [Row; 3]); 3] = [
        (
            &case_a,
            [
                (600.0, 0.12336303, 0.02672775, 39.85511, 8.35792),
                (3600.0, 0.21428059, 0.07296907, 634.48171, 188.80099),
                (86400.0, 0.21473902, 0.07444259, 18414.53737, 6351.44407),
            ],
        ),
        (
            &tilted,
            [
                (600.0, 0.11692235, 0.02642441, 37.65707, 8.30770),
                (7200.0, 0.20865592, 0.07443040, 1362.78094, 453.97350),
                (86400.0, 0.20866161, 0.07445298, 17888.77589, 6350.63040),
            ],
        ),
        (
            &case_b,
            [
                (600.0, 0.08015821, -0.00345750, 28.13825, -0.77512),
                (3600.0, 0.15755391, -0.03840232, 427.24257, -63.29809),
                (86400.0, 0.17586508, -0.06514975, 14947.30399, -5398.72828),
            ],
        ),
    ];
    for (sea, rows) in rows {
        let mut way = Way::new(&square(), [0.0; 3]);
        for (t, vx, vy, x, y) in rows {
            way.go(sea, t, 60.0);
            assert!((way.v() - DVec2::new(vx, vy)).length() < 1e-5, "{t}: {:?}", way.v());
            assert!((way.position - DVec2::new(x, y)).length() < 0.1, "{t}: {:?}", way.position);
        }
    }
}

/// F7: the order of the scheme is two, with the errors of the midpoint rule for a third of the step; explicit Euler is
/// of first order.
#[test]
fn the_scheme_is_of_second_order() {
    let sea = Sea { wind: uniform(10.0, 0.0), current: uniform(0.0, 0.1), coriolis: F, ..still() };
    let error = |sea: &Sea, h: f64| {
        let mut way = Way::new(&square(), [0.0; 3]);
        way.go(sea, 3600.0, h);
        (way.v() - DVec2::new(0.21428059, 0.07296907)).length()
    };
    for (h, expected) in [(720.0, 6.13e-5), (360.0, 1.54e-5), (180.0, 3.86e-6), (90.0, 9.65e-7)] {
        assert!((error(&sea, h) / expected - 1.0).abs() < 0.02, "{h}: {}", error(&sea, h));
    }
    let euler = Sea { scheme: DriftScheme::Euler, ..sea };
    for (h, expected) in [(240.0, 7.7e-4), (60.0, 2.1e-4)] {
        assert!((error(&euler, h) / expected - 1.0).abs() < 0.05, "{h}: {}", error(&euler, h));
    }
}

/// F8: the inertial circle closes; explicit Euler gains speed.
#[test]
fn the_inertial_circle_closes() {
    let sea = Sea { coriolis: F, stress: vec![[0.0; 2]], ..still() };
    let period = std::f64::consts::TAU / F;
    assert!((period - 43_719.784).abs() < 1e-3);
    let mut way = Way::new(&square(), [0.2, 0.0, 0.0]);
    way.go(&sea, 0.25 * period, 60.0);
    // a quarter to the right: the centre is at (0, −V/f)
    assert!((way.position - DVec2::new(1391.644, -1391.644)).length() < 0.02);
    way.go(&sea, period, 60.0);
    assert!((way.v() - DVec2::new(0.2, 0.0)).length() < 1e-9 * 0.2, "{:?}", way.v());
    assert!(way.position.length() < 1e-3, "{:?}", way.position);
    let euler = Sea { scheme: DriftScheme::Euler, ..sea };
    for (h, gain) in [(60.0, 1.02746), (300.0, 1.14491)] {
        let mut way = Way::new(&square(), [0.2, 0.0, 0.0]);
        let turns = (period / h).floor();
        way.go(&euler, turns * h, h);
        // every step multiplies the speed by √(1 + f²h²)
        let growth = |steps: f64| (1.0 + (F * h).powi(2)).powf(0.5 * steps);
        assert!((way.v().length() / 0.2 / growth(turns) - 1.0).abs() < 1e-12);
        assert!((growth(period / h) - gain).abs() < 1e-5);
    }
}

/// F9: inertial spiral in still water.
#[test]
fn the_inertial_spiral_ends_where_it_should() {
    let sea = Sea { coriolis: F, ..still() };
    let mut way = Way::new(&square(), [0.5, 0.0, 0.0]);
    for (t, vx, vy, x, y) in [
        (3600.0, 0.039323686, -0.022378316, 420.21090, -69.31440),
        (21600.0, -0.008150232, -0.000304556, 456.43677, -299.35034),
        (43200.0, 0.004100027, 0.000306846, 435.36966, -222.65983),
        (86400.0, 0.002041239, 0.000307254, 438.26113, -235.84377),
    ] {
        way.go(&sea, t, 30.0);
        assert!((way.v() - DVec2::new(vx, vy)).length() < 1e-5, "{t}: {:?}", way.v());
        assert!((way.position - DVec2::new(x, y)).length() < 0.05, "{t}: {:?}", way.position);
    }
}

/// F3 and F10: spins of a disc.
#[test]
fn discs_spin_as_computed() {
    let disc = Shape2::disc(50.0).unwrap();
    let check = |sea: &Sea, start: f64, rows: &[(f64, f64)], tolerance: f64, shape: &Shape2| {
        let mut way = Way::new(shape, [0.0, 0.0, start]);
        for (t, spin) in rows {
            way.go(sea, *t, 10.0);
            assert!((way.velocity[2] / spin - 1.0).abs() < tolerance, "{t}: {} {spin}", way.velocity[2]);
            assert!(way.position.length() < 1e-9);
        }
    };
    check(&still(), 0.01, &[(3600.0, 0.00110611)], 1e-4, &disc);
    let whirl = |rate| field(FieldKind::Rotation { centre: DVec2::ZERO, rate });
    let water = Sea { current: whirl(1e-3), ..still() };
    let rows = [(600.0, 1.1817471e-4), (3600.0, 4.4569742e-4), (21600.0, 8.2830888e-4), (86400.0, 9.5073322e-4)];
    check(&water, 0.0, &rows, 1e-4, &disc);
    let corner = |k: usize| DVec2::from_angle(k as f64 * std::f64::consts::TAU / 64.0) * 50.0;
    let sides = Shape2::polygon((0..64).map(corner).collect()).unwrap().shape;
    check(&water, 0.0, &rows, 1e-2, &sides);
    let wind = Sea { wind: whirl(0.05), ..still() };
    check(&wind, 0.0, &[(600.0, 1.4817648e-4), (3600.0, 7.2815367e-4), (21600.0, 1.0549354e-3)], 1e-4, &disc);
    let shear = field(FieldKind::Shear { centre: DVec2::ZERO, direction: DVec2::X, rate: 2e-3 });
    let shear = Sea { current: shear, ..still() };
    let rows = [(600.0, -1.9917991e-4), (3600.0, -7.1671175e-4), (7200.0, -9.1557971e-4), (21600.0, -9.9932230e-4)];
    check(&shear, 0.0, &rows, 1e-4, &disc);
}

/// F11: force and torque on a turning rectangle; the step is so short that the impulse is that of the start.
#[test]
fn drag_of_a_turning_rectangle() {
    let shape = Shape2::rectangle(DVec2::new(100.0, 40.0)).unwrap();
    let force = |shape: &Shape2, current: DVec2, v: [f64; 3]| {
        let sea = Sea { current: field(FieldKind::Uniform(current)), scheme: DriftScheme::Euler, ..still() };
        let (rule, mass) = (AreaRule::new(shape), shape.mass_properties().unwrap());
        let floe = Floe { mass: ICE * mass.volume, inertia: ICE * mass.inertia, rule: &rule, stress: sea.stress[0] };
        sea.drift(&floe, (DVec2::ZERO, 30_f64.to_radians()), v, [0.0; 3], (0.0, 1.0)).impulse[1]
    };
    let [x, y, torque] = force(&shape, DVec2::new(0.0, 0.05), [0.3, 0.1, 1e-3]);
    for (computed, expected) in [(x, -1881.477169), (y, -308.835304), (torque, -7423.535112)] {
        assert!((computed / expected - 1.0_f64).abs() < 1e-6, "{computed} {expected}");
    }
    let spun = force(&shape, DVec2::ZERO, [0.0, 0.0, 1e-3])[2];
    assert!((spun / -755.078264 - 1.0).abs() < 1e-3, "{spun}");
    let disc = force(&Shape2::disc(50.0).unwrap(), DVec2::ZERO, [0.0, 0.0, 1e-3])[2];
    assert!((disc / -2010.758706 - 1.0).abs() < 1e-6, "{disc}");
}

/// Drag is stable for steps of any length, and the turning angle turns the drift by the same angle where nothing else
/// does.
#[test]
fn long_steps_are_stable_and_stress_turns() {
    for h in [1e2, 1e4, 1e6] {
        let mut way = Way::new(&square(), [0.4, 0.1, 3e-3]);
        let energy = |way: &Way| way.mass * way.v().length_squared() + way.inertia * way.velocity[2].powi(2);
        for step in 1..50 {
            let before = energy(&way);
            way.go(&Sea { coriolis: F, ..still() }, f64::from(step) * h, h);
            assert!(energy(&way) <= before * (1.0 + 1e-14));
        }
    }
    let sea = Sea { wind: uniform(10.0, 0.0), turning: [0.0, 0.4], ..still() };
    let mut way = Way::new(&square(), [0.0; 3]);
    way.go(&sea, 4e4, 100.0);
    // R(α)|u|u = −(wind stress): u points by −α from the wind
    let expected = DVec2::from_angle(-0.4) * ((AIR / WATER).sqrt() * 10.0);
    assert!((way.v() - expected).length() < 1e-9, "{:?}", way.v());
}

/// The limit of explicit Euler: ½τ in still water, τ = ρh/(|U_a| √(ρ_aC_aρ_wC_w)); infinite without wind.
#[test]
fn the_limit_of_the_explicit_scheme() {
    let sea = Sea { wind: uniform(10.0, 0.0), ..still() };
    assert!((sea.explicit_limit(ICE, 1e5) - 424.4).abs() < 0.05, "{}", sea.explicit_limit(ICE, 1e5));
    assert_eq!(still().explicit_limit(ICE, 1e5), f64::INFINITY);
}
