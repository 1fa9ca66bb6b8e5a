//! The coupled point forces of Perales (2007), to the printed digits.

use crate::common::{G, push_brick, push_contact};
use voussoir_contact::face_element::Face;
use voussoir_contact::{Options, Problem, Solution, Solver, SolverKind, Status};

const STEP: f64 = 1e-4;

/// A block of 1000 kg on four nodes, numbered as by Perales (2007), with force and moment about z.
fn block(size: [f64; 3], force: [f64; 2], moment_z: f64) -> Problem {
    let mut p = Problem::new(3, 6);
    let density = 1000.0 / (size[0] * size[1] * size[2]);
    let inertia = 1000.0 / 12.0 * (size[0] * size[0] + size[1] * size[1]);
    let free = [force[0] / 1e3 * STEP, force[1] / 1e3 * STEP, -G * STEP, 0.0, 0.0, moment_z / inertia * STEP];
    let node = push_brick(&mut p, size, density, free);
    let (x, y) = (size[0] / 2.0, size[1] / 2.0);
    let points = [[-x, -y], [x, -y], [x, y], [-x, y]];
    for point in points {
        let frame = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        push_contact(&mut p, [point[0], point[1], -size[2] / 2.0], frame, (node, [0.0; 3]), None, 0.4);
    }
    p.push_face(Face { contacts: vec![0, 1, 2, 3], points: points.to_vec() });
    p
}

fn solve(p: &Problem) -> Solution {
    let options = Options { kind: SolverKind::FaceElements, tolerance: 1e-10, ..Options::default() };
    let s = Solver::new().solve(p, &[0.0; 12], &options);
    assert_eq!(s.report.status, Status::Converged, "{:?}", s.report);
    s
}

#[track_caller]
fn forces(s: &Solution, expected: [[f64; 4]; 3], digits: f64) {
    for (a, row) in expected.iter().enumerate() {
        for (i, value) in row.iter().enumerate() {
            let force = s.impulses[3 * i + a] / STEP;
            assert!((force - value).abs() <= digits, "node {i}, component {a}: {force} is not {value}");
        }
    }
}

#[test]
fn sticking_cube() {
    let s = solve(&block([1.0; 3], [1000.0, -1000.0], 0.0));
    let t = [-250.0, -300.968, -250.0, -199.032];
    forces(&s, [[2452.5, 2952.5, 2452.5, 1952.5], t, t.map(|x| -x)], 5e-4);
}

/// Table 5.7.
#[test]
fn sliding_cube() {
    let s = solve(&block([1.0; 3], [10e3, -9e3], 0.0));
    let n = [2379.58, 3837.93, 2525.42, 1067.07];
    forces(&s, [n, [-707.49, -1141.08, -750.85, -317.26], [636.74, 1026.97, 675.77, 285.53]], 5.1e-3);
    assert!((s.velocities[0] / STEP - 7.08332).abs() < 1e-5 && (s.velocities[1] / STEP + 6.37499).abs() < 1.1e-5);
}

#[test]
fn turning_cube() {
    let s = solve(&block([1.0; 3], [0.0; 2], -400.0));
    forces(&s, [[2452.5; 4], [100.0, 100.0, -100.0, -100.0], [-100.0, 100.0, 100.0, -100.0]], 1e-3);
    let s = solve(&block([1.0; 3], [0.0; 2], -40e3));
    assert!((s.velocities[5] / STEP + 223.352).abs() < 1e-3);
    assert!(s.impulses.chunks(3).all(|r| (r[1].hypot(r[2]) / STEP - 981.0).abs() < 1e-3));
}

/// Table 5.9: about to tip, everything rests on the front row.
#[test]
fn block_at_its_tipping_limit() {
    let s = solve(&block([4.0, 1.0, 10.0], [10e3, 0.0], 0.0));
    forces(&s, [[0.0, 4905.0, 4905.0, 0.0], [0.0, -1962.0, -1962.0, 0.0], [0.0; 4]], 1e-2);
}
