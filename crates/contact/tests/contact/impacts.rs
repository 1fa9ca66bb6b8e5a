//! Impacts of clusters: closed forms (F4, F15–F18) and the energy of ten thousand random clusters (F20).

use voussoir_contact::impact::{Impact, ImpactOptions, impact};
use voussoir_contact::{Problem, Solver};

/// A cluster on the way: bodies with mass and inertia, contacts with normal, arms, friction and restitution.
struct Cluster {
    problem: Problem,
    places: Vec<[f64; 2]>,
    restitution: Vec<f64>,
}

impl Cluster {
    fn new() -> Self {
        Self { problem: Problem::new(2, 3), places: Vec::new(), restitution: Vec::new() }
    }

    fn body(&mut self, place: [f64; 2], mass: f64, inertia: f64, v: [f64; 3]) -> u32 {
        let diagonal = |a: f64, b: f64| [a, 0.0, 0.0, 0.0, a, 0.0, 0.0, 0.0, b];
        self.places.push(place);
        self.problem.push_node(&diagonal(mass, inertia), &diagonal(1.0 / mass, 1.0 / inertia), &v)
    }

    /// A disc of ice of one metre of thickness.
    fn disc(&mut self, place: [f64; 2], radius: f64, v: [f64; 3]) -> u32 {
        let mass = 917.0 * std::f64::consts::PI * radius * radius;
        self.body(place, mass, 0.5 * mass * radius * radius, v)
    }

    /// Contact at `point`; the normal points to `candidate`; no antagonist: a fixed wall.
    fn touch(&mut self, candidate: u32, antagonist: Option<u32>, point: [f64; 2], normal: [f64; 2], mu: f64, e: f64) {
        let tangent = [normal[1], -normal[0]];
        let block = |body: u32, sign: f64| {
            let arm = [point[0] - self.places[body as usize][0], point[1] - self.places[body as usize][1]];
            let row = |d: [f64; 2]| [sign * d[0], sign * d[1], sign * (arm[0] * d[1] - arm[1] * d[0])];
            [row(normal), row(tangent)].concat()
        };
        let (first, second) = (block(candidate, 1.0), antagonist.map(|body| (body, block(body, -1.0))));
        let mut entries: Vec<(u32, &[f64])> = vec![(candidate, &first)];
        entries.extend(second.iter().map(|(body, rows)| (*body, rows.as_slice())));
        self.problem.push_contact(&entries, &[0.0, 0.0], mu);
        self.restitution.push(e);
    }

    fn solve(&self) -> Impact {
        let found = impact(&self.problem, &self.restitution, &ImpactOptions::default(), &mut Solver::new());
        assert!(found.converged, "{found:?}");
        found
    }

    fn energy(&self, v: &[f64]) -> f64 {
        let mut sum = 0.0;
        self.problem.mass_entries(|i, j, m| sum += 0.5 * m * v[i] * v[j]);
        sum
    }

    fn ratio(&self, found: &Impact) -> f64 {
        self.energy(&found.velocities) / self.energy(self.problem.free_velocity())
    }
}

fn near(computed: f64, expected: f64, tolerance: f64) {
    assert!((computed - expected).abs() <= tolerance, "{computed} instead of {expected}");
}

/// F4: a disc against a wall sticks or slips; a frontal hit comes back with ε v.
#[test]
fn a_disc_hits_a_wall() {
    for (mu, vt) in [(0.3, 0.2), (0.3, 0.8), (0.05, 0.2)] {
        let (radius, vn) = (50.0, 0.4);
        let mut cluster = Cluster::new();
        let disc = cluster.disc([0.0, radius], radius, [vt, -vn, 0.0]);
        cluster.touch(disc, None, [0.0, 0.0], [0.0, 1.0], mu, 0.0);
        let v = cluster.solve().velocities;
        let (slides, limit) = (vt > 3.0 * mu * vn, mu * vn);
        near(v[0], if slides { vt - limit } else { 2.0 / 3.0 * vt }, 1e-14);
        near(v[1], 0.0, 1e-15);
        near(radius * v[2], if slides { -2.0 * limit } else { -2.0 / 3.0 * vt }, 1e-13);
    }
    let mut cluster = Cluster::new();
    let disc = cluster.disc([0.0, 1.0], 1.0, [0.0, -0.7, 0.0]);
    cluster.touch(disc, None, [0.0, 0.0], [0.0, 1.0], 0.6, 0.35);
    near(cluster.solve().velocities[1], 0.35 * 0.7, 1e-14);
}

/// F15: a turned rectangle hits a wall with its corner.
#[test]
fn a_rectangle_hits_a_wall_obliquely() {
    let rows = [
        (0.0, 0.0, 0.3, -0.21371219, -6.41753867, 0.70193950),
        (0.0, 0.5, 0.3, -0.12056828, -9.62630801, 0.77645463),
        (0.0, 1.0, 0.3, -0.02742438, -12.83507735, 1.0),
        (0.2, 0.0, 0.28475128, -0.22406582, -6.72844668, 0.70020685),
        (0.2, 0.5, 0.30234470, -0.13609873, -8.98863989, 0.75215056),
        (0.2, 1.0, 0.31993812, -0.04813164, -11.24883309, 0.90798170),
        (0.7, 0.5, 0.32970712, -0.13609873, -7.79071750, 0.74360702),
        (0.7, 1.0, 0.37466296, -0.04813164, -8.85298832, 0.87380752),
    ];
    let (sin, cos) = 30_f64.to_radians().sin_cos();
    let corner = [-50.0 * cos + 20.0 * sin, -50.0 * sin - 20.0 * cos];
    near(corner[0], -33.301270, 1e-6);
    for (mu, e, vx, vy, spin, ratio) in rows {
        let mut cluster = Cluster::new();
        let body = cluster.body([-corner[0], -corner[1]], 3_668_000.0, 3.545_733_333_333_333e9, [0.3, -0.4, 0.0]);
        cluster.touch(body, None, [0.0, 0.0], [0.0, 1.0], mu, e);
        let found = cluster.solve();
        for (computed, expected) in found.velocities.iter().zip([vx, vy, spin * 1e-3]) {
            near(*computed, expected, 1e-8);
        }
        near(cluster.ratio(&found), ratio, 1e-8);
        let compression = if mu == 0.0 { 683_304.0 } else { 645_327.0 };
        near(found.compression[0], compression, 0.5);
        near(found.compression[1].abs(), if mu == 0.0 { 0.0 } else { 55_932.3 }, 0.05);
    }
}

/// F16: a disc hits two that touch each other.
#[test]
fn three_discs_at_once() {
    let (radius, v) = (50.0, 0.5);
    let rows: [(f64, f64, f64, [f64; 3], f64); 8] = [
        (0.0, 0.5, 0.05, [0.225, 0.12990381, 0.0], 0.55),
        (0.0, 1.0, -0.1, [0.3, 0.17320508, 0.0], 1.0),
        (0.1, 0.0, 0.19330376, [0.15334812, 0.06920520, 0.66962387], 0.38038938),
        (0.1, 0.5, 0.05577132, [0.22211434, 0.11750458, 0.37180878], 0.51896103),
        (0.1, 1.0, -0.07991128, [0.28995564, 0.16740597, 0.0], 0.92233551),
        (0.5, 0.0, 0.1875, [0.15625, 0.05412659, 1.25], 0.375),
        (0.5, 0.5, 0.06696429, [0.21651786, 0.11211936, 0.44642857], 0.49553571),
        (0.5, 1.0, -0.05357143, [0.27678571, 0.17011213, -0.35714286], 0.85714286),
    ];
    for (mu, e, va, b, ratio) in rows {
        let mut cluster = Cluster::new();
        let (x, y) = (radius * 3_f64.sqrt(), radius);
        let first = cluster.disc([0.0, 0.0], radius, [v, 0.0, 0.0]);
        let up = cluster.disc([x, y], radius, [0.0; 3]);
        let down = cluster.disc([x, -y], radius, [0.0; 3]);
        let (cos, sin) = (0.75_f64.sqrt(), 0.5);
        cluster.touch(up, Some(first), [0.5 * x, 0.5 * y], [cos, sin], mu, e);
        cluster.touch(down, Some(first), [0.5 * x, -0.5 * y], [cos, -sin], mu, e);
        cluster.touch(up, Some(down), [x, 0.0], [0.0, 1.0], mu, e);
        let found = cluster.solve();
        let w = &found.velocities;
        near(w[0], va, 1e-8);
        near(w[3], b[0], 1e-8);
        near(w[4], b[1], 1e-8);
        near(w[5], b[2] * 1e-3, 1e-8);
        near(cluster.ratio(&found), ratio, 1e-8);
        // mirror
        for (a, b) in [(w[3], w[6]), (w[4], -w[7]), (50.0 * w[5], -50.0 * w[8]), (w[1], 0.0), (50.0 * w[2], 0.0)] {
            near(a, b, 1e-12);
        }
    }
}

/// F17 and F18: rows of touching discs in one problem.
#[test]
fn rows_of_touching_discs() {
    for n in [3, 5] {
        for e in [0.5, 1.0] {
            let mut cluster = Cluster::new();
            for i in 0..n {
                let v = if i == 0 { 0.5 } else { 0.0 };
                cluster.disc([100.0 * i as f64, 0.0], 50.0, [v, 0.0, 0.0]);
            }
            for i in 1..n {
                cluster.touch(i as u32, Some(i as u32 - 1), [100.0 * i as f64 - 50.0, 0.0], [1.0, 0.0], 0.3, e);
            }
            let found = cluster.solve();
            let share = (1.0 + e) / n as f64;
            near(found.velocities[0] / 0.5, 1.0 - (n - 1) as f64 * share, 1e-12);
            (1..n).for_each(|i| near(found.velocities[3 * i] / 0.5, share, 1e-12));
            let momentum = 917.0 * std::f64::consts::PI * 2500.0 * 0.5;
            (1..n).for_each(|i| near(found.compression[2 * i - 2] / momentum, 1.0 - i as f64 / n as f64, 1e-12));
        }
    }
    let mut cannon = Cluster::new();
    let mut x = 0.0;
    for (i, radius) in [100.0, 50.0, 25.0].into_iter().enumerate() {
        let disc = cannon.disc([x + radius, 0.0], radius, [-1.0, 0.0, 0.0]);
        cannon.touch(disc, (i > 0).then(|| disc - 1), [x, 0.0], [1.0, 0.0], 0.2, 0.8);
        x += 2.0 * radius;
    }
    cannon.solve().velocities.chunks_exact(3).for_each(|v| near(v[0], 0.8, 1e-12));
}

/// A random number in [0, 1) from a counter, the same everywhere (splitmix64).
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

fn random_cluster(seed: u64, mixed: bool) -> Cluster {
    let mut state = seed.wrapping_mul(0x2545_F491_4F6C_DD1D);
    let mut next = |low: f64, high: f64| low + (high - low) * uniform(&mut state);
    let bodies = 1 + (next(0.0, 3.0) as usize).min(2);
    let contacts = 1 + (next(0.0, 4.0) as usize).min(3);
    let mut cluster = Cluster::new();
    for _ in 0..bodies {
        // floes of 1e6 to 1e9 kg
        let mass = 10_f64.powf(next(6.0, 9.0));
        let gyration = next(10.0, 40.0);
        let v = [next(-0.5, 0.5), next(-0.5, 0.5), next(-5e-3, 5e-3)];
        cluster.body([next(-100.0, 100.0), next(-100.0, 100.0)], mass, mass * gyration * gyration, v);
    }
    let common = if next(0.0, 1.0) < 0.5 { 0.5 } else { 1.0 };
    for _ in 0..contacts {
        let a = (next(0.0, bodies as f64) as u32).min(bodies as u32 - 1);
        let b = (next(0.0, bodies as f64 + 1.0) as u32).min(bodies as u32);
        let (sin, cos) = next(0.0, std::f64::consts::TAU).sin_cos();
        let centre = cluster.places[a as usize];
        let point = [centre[0] + next(-60.0, 60.0), centre[1] + next(-60.0, 60.0)];
        let mu = next(0.2, 1.0);
        let e = if mixed { next(0.0, 1.0) } else { common };
        cluster.touch(a, (b != a && (b as usize) < bodies).then_some(b), point, [cos, sin], mu, e);
    }
    cluster
}

/// F20: energy does not grow, and the error of the complementarity problems is below 1e-10.
#[test]
fn energy_does_not_grow_in_random_clusters() {
    let mut guards = 0;
    for seed in 0..10_000 {
        let mixed = seed % 2 == 1;
        let cluster = random_cluster(seed, mixed);
        let found = cluster.solve();
        assert!(found.residual <= 1e-10, "cluster {seed}: residual {}", found.residual);
        assert!(cluster.ratio(&found) <= 1.0 + 1e-10, "cluster {seed}: {}", cluster.ratio(&found));
        let (before, after) = (cluster.energy(cluster.problem.free_velocity()), cluster.energy(&found.velocities));
        let booked = found.dissipated[0] + found.dissipated[1];
        assert!((before - after - booked).abs() <= 1e-10 * before, "cluster {seed}: the ledger is open");
        // guards are for mixed restitution
        assert!(mixed || !found.guarded, "cluster {seed}");
        guards += usize::from(found.guarded);
    }
    assert!(guards < 100, "{guards} guards");
}

/// Larger clusters, which go to the solvers of this crate, follow the same law.
#[test]
fn lemke_and_the_other_solvers_agree() {
    for seed in 0..200 {
        let cluster = random_cluster(seed, false);
        let by_solver = ImpactOptions { most: 0, tolerance: 1e-10, ..ImpactOptions::default() };
        let other = impact(&cluster.problem, &cluster.restitution, &by_solver, &mut Solver::new());
        if other.converged {
            let ratio = cluster.ratio(&other);
            assert!(ratio <= 1.0 + 1e-8, "cluster {seed}: {ratio}");
        }
    }
}
