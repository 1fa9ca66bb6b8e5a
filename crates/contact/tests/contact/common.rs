//! Problems built without geometry: running-bond walls with closed head joints, blocks on a plane.

use voussoir_contact::Problem;

pub const G: f64 = 9.81;
pub const H: f64 = 1e-3;

fn diagonal(values: [f64; 6]) -> Vec<f64> {
    let mut m = vec![0.0; 36];
    for (k, v) in values.into_iter().enumerate() {
        m[7 * k] = v;
    }
    m
}

/// Adds a brick of `size` [m] and `density` [kg/m³] with the free velocities `free`.
pub fn push_brick(p: &mut Problem, size: [f64; 3], density: f64, free: [f64; 6]) -> u32 {
    let [a, b, c] = size;
    let m = density * a * b * c;
    let i = [m / 12.0 * (b * b + c * c), m / 12.0 * (a * a + c * c), m / 12.0 * (a * a + b * b)];
    let mass = [m, m, m, i[0], i[1], i[2]];
    p.push_node(&diagonal(mass), &diagonal(mass.map(|x| 1.0 / x)), &free)
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Contact at `point` with frame (n, t1, t2): + on `upper`, − on `lower`.
pub fn push_contact(
    p: &mut Problem,
    point: [f64; 3],
    frame: [[f64; 3]; 3],
    upper: (u32, [f64; 3]),
    lower: Option<(u32, [f64; 3])>,
    mu: f64,
) -> usize {
    let rows = |centre: [f64; 3], sign: f64| -> Vec<f64> {
        let arm: [f64; 3] = std::array::from_fn(|k| point[k] - centre[k]);
        frame
            .iter()
            .flat_map(|d| d.iter().copied().chain(cross(arm, *d)).map(|x| sign * x).collect::<Vec<_>>())
            .collect()
    };
    let up = rows(upper.1, 1.0);
    match lower {
        Some((node, centre)) => {
            let down = rows(centre, -1.0);
            p.push_contact(&[(upper.0, &up), (node, &down)], &[0.0; 3], mu)
        }
        None => p.push_contact(&[(upper.0, &up)], &[0.0; 3], mu),
    }
}

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// One step from rest of a running-bond wall under gravity and `sideways`·g, head joints closed.
pub fn wall(courses: usize, bricks: usize, sideways: f64, mu: f64) -> Problem {
    let [lx, ly, lz] = [0.5, 0.25, 0.25];
    let mut p = Problem::new(3, 6);
    let free = [sideways * G * H, 0.0, -G * H, 0.0, 0.0, 0.0];
    let mut rows: Vec<Vec<(u32, f64, f64)>> = Vec::new();
    let mut centres = Vec::new();
    for k in 0..courses {
        let cuts: Vec<f64> = if k % 2 == 0 {
            (0..=bricks).map(|i| i as f64 * lx).collect()
        } else {
            std::iter::once(0.0)
                .chain((0..bricks).map(|i| i as f64 * lx + lx / 2.0))
                .chain([bricks as f64 * lx])
                .collect()
        };
        rows.push(
            cuts.windows(2)
                .map(|w| {
                    let centre = [(w[0] + w[1]) / 2.0, 0.0, (k as f64 + 0.5) * lz];
                    let node = push_brick(&mut p, [w[1] - w[0], ly, lz], 2000.0, free);
                    centres.push(centre);
                    (node, w[0], w[1])
                })
                .collect(),
        );
    }
    let at = |n: u32| (n, centres[n as usize]);
    for &(i, a, b) in &rows[0] {
        for x in [a, b] {
            for y in [-ly / 2.0, ly / 2.0] {
                push_contact(&mut p, [x, y, 0.0], [Z, X, Y], at(i), None, mu);
            }
        }
    }
    for k in 0..courses - 1 {
        for &(i, ia, ib) in &rows[k] {
            for &(j, ja, jb) in &rows[k + 1] {
                let (a, b) = (ia.max(ja), ib.min(jb));
                if b - a > 1e-9 {
                    for x in [a, b] {
                        for y in [-ly / 2.0, ly / 2.0] {
                            let point = [x, y, (k + 1) as f64 * lz];
                            push_contact(&mut p, point, [Z, X, Y], at(j), Some(at(i)), mu);
                        }
                    }
                }
            }
        }
    }
    for (k, row) in rows.iter().enumerate() {
        for pair in row.windows(2) {
            for z in [k as f64 * lz, (k + 1) as f64 * lz] {
                for y in [-ly / 2.0, ly / 2.0] {
                    push_contact(&mut p, [pair[0].2, y, z], [X, Y, Z], at(pair[1].0), Some(at(pair[0].0)), mu);
                }
            }
        }
    }
    p
}

/// A cube of 1 m and 1000 kg on four contacts, with force and moment about z over one step h.
pub fn cube(force: [f64; 3], moment_z: f64, h: f64) -> Problem {
    let mut p = Problem::new(3, 6);
    let free = [force[0] / 1e3 * h, force[1] / 1e3 * h, (force[2] / 1e3 - G) * h, 0.0, 0.0, moment_z / (1e3 / 6.0) * h];
    let centre = [0.5, 0.5, 0.5];
    let node = push_brick(&mut p, [1.0; 3], 1000.0, free);
    for (x, y) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
        push_contact(&mut p, [x, y, 0.0], [Z, X, Y], (node, centre), None, 0.4);
    }
    p
}
