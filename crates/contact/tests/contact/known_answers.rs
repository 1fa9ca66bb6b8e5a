//! Problems with known answers, for every solver that supports them.

use crate::common::{G, cube, wall};
use voussoir_contact::{Options, Problem, Solution, Solver, SolverKind, Status};

const STEP: f64 = 1e-4;
/// All solvers that support a problem.
fn kinds(problem: &Problem) -> impl Iterator<Item = SolverKind> {
    let needed = problem.requirements();
    SolverKind::ALL.into_iter().filter(move |kind| kind.supports(&needed).is_ok())
}

/// What each must reach here.
const CLAIMED: f64 = 1e-8;

fn solve(problem: &Problem, kind: SolverKind, tolerance: f64) -> Solution {
    let cold = vec![0.0; problem.contacts() * problem.dim()];
    Solver::new().solve(problem, &cold, &Options { kind, tolerance, ..Options::default() })
}

fn normal_sum(s: &Solution) -> f64 {
    s.impulses.chunks(3).map(|r| r[0]).sum::<f64>() / STEP
}

#[track_caller]
fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{a} is not {b}");
}

/// A 1 m cube of 1000 kg, friction 0.4, pushed by (10000, −9000) N: slides along the force.
#[test]
fn sliding_cube_accelerates_as_coulomb_says() {
    let problem = cube([10e3, -9e3, 0.0], 0.0, STEP);
    for kind in kinds(&problem) {
        let s = solve(&problem, kind, CLAIMED);
        let near = 100.0 * CLAIMED;
        assert_eq!(s.report.status, Status::Converged, "{kind:?}: {:?}", s.report);
        let unit = 10e3f64.hypot(9e3);
        let friction = 0.4 * 1000.0 * G;
        close(s.velocities[0] / STEP, (10e3 - friction * 10e3 / unit) / 1e3, near);
        close(s.velocities[1] / STEP, (-9e3 + friction * 9e3 / unit) / 1e3, near);
        close(normal_sum(&s), 1000.0 * G, near);
    }
}

/// The same cube under Mz = −40000 N·m: spins against μ·N·√2/2 at each of its four corners.
#[test]
fn spinning_cube_accelerates_as_coulomb_says() {
    let problem = cube([0.0; 3], -40e3, STEP);
    for kind in kinds(&problem) {
        let s = solve(&problem, kind, CLAIMED);
        let near = 100.0 * CLAIMED;
        assert_eq!(s.report.status, Status::Converged, "{kind:?}: {:?}", s.report);
        let resisting = 0.4 * 1000.0 * G * 0.5f64.sqrt();
        close(s.velocities[5] / STEP, -(40e3 - resisting) / (1e3 / 6.0), near);
    }
}

/// The associated law lifts the sliding cube at 3.286 m/s² and slows it to 6.106305 m/s² (known values of the
/// relaxed problem without gap feedback).
#[test]
fn associated_law_gives_its_own_known_values() {
    let mut p = cube([10e3, -9e3, 0.0], 0.0, STEP);
    p.set_associated(true);
    for kind in kinds(&p) {
        let near = 100.0 * CLAIMED;
        let s = solve(&p, kind, CLAIMED);
        assert_eq!(s.report.status, Status::Converged, "{kind:?}: {:?}", s.report);
        close(s.velocities[0] / STEP, 6.106305, near);
        close(s.velocities[1] / STEP, -5.495674, near);
        close(normal_sum(&s), 13096.08, near);
        close(s.velocities[2] / STEP, 3.286, 1e-3);
        let mut p = cube([0.0; 3], -40e3, STEP);
        p.set_associated(true);
        let s = solve(&p, kind, CLAIMED);
        close(normal_sum(&s), 52494.76, near);
        close(s.velocities[5] / STEP, -150.913, 1e-5f64.max(near));
    }
}

/// A wall at rest: support reaction is its weight, nothing moves, in few factorisations.
#[test]
fn standing_wall_is_at_rest() {
    let p = wall(8, 4, 0.0, 0.6);
    for kind in [SolverKind::Auto, SolverKind::Sap, SolverKind::InteriorPoint, SolverKind::ProximalNewton] {
        let s = solve(&p, kind, 1e-9);
        assert_eq!(s.report.status, Status::Converged, "{kind:?}: {:?}", s.report);
        assert!(s.velocities.iter().all(|v| v.abs() < 1e-9 * G * crate::common::H * 100.0));
    }
}

/// A failing wall, everything sliding: the true law holds to 1e-8.
#[test]
fn failing_wall_obeys_the_true_law() {
    for push in [0.5, 0.65, 0.9] {
        let s = solve(&wall(8, 4, push, 0.6), SolverKind::Auto, 1e-8);
        assert_eq!(s.report.status, Status::Converged, "{push}: {:?}", s.report);
        assert!(s.report.factorisations < 150, "{:?}", s.report);
    }
}

/// A converged solution as warm start needs no iterations.
#[test]
fn warm_start_is_recognised() {
    let p = wall(6, 3, 0.2, 0.6);
    let mut solver = Solver::new();
    let first = solver.solve(&p, &vec![0.0; p.contacts() * 3], &Options::default());
    let second = solver.solve(&p, &first.impulses, &Options::default());
    assert_eq!(second.report.factorisations, 0);
    assert!(first.impulses.iter().zip(&second.impulses).all(|(a, b)| (a - b).abs() < 1e-12));
}

/// Frictionless, empty and compliant problems are problems too.
#[test]
fn odd_problems_work() {
    let empty = Problem::new(3, 6);
    assert_eq!(solve(&empty, SolverKind::Auto, 1e-8).report.status, Status::Converged);
    let smooth = wall(3, 2, 0.0, 0.0);
    for kind in kinds(&smooth) {
        let first_order = matches!(kind, SolverKind::Admm | SolverKind::Apgd | SolverKind::PSpgFb);
        let s = solve(&smooth, kind, if first_order { 1e-6 } else { 1e-8 });
        assert_eq!(s.report.status, Status::Converged, "{kind:?}: {:?}", s.report);
    }
    // four springs of compliance e under the cube: each sinks at e·r
    let mut soft = cube([0.0; 3], 0.0, STEP);
    for i in 0..4 {
        soft.set_compliance(i, &[1e-4; 3]);
    }
    for kind in kinds(&soft) {
        let s = solve(&soft, kind, 1e-9);
        assert_eq!(s.report.status, Status::Converged, "{kind:?}: {:?}", s.report);
        for (r, u) in s.impulses.chunks(3).zip(s.relative.chunks(3)) {
            close(u[0] + 1e-4 * r[0], 0.0, 1e-9);
        }
    }
}

/// 2D: a block 0.2 × 0.1 m, 10 kg, friction 0.4, pushed by 50 N slides at 1.076 m/s² (Perales 2007, §4.1.1, gives the
/// increment of the velocity per step, 1.076e-3 m/s).
#[test]
fn planar_block_slides() {
    let (m, a, b) = (10.0, 0.1, 0.2);
    let inertia = m / 12.0 * (a * a + b * b);
    let mass = |x: f64, y: f64| vec![x, 0.0, 0.0, 0.0, x, 0.0, 0.0, 0.0, y];
    let mut p = Problem::new(2, 3);
    let node = p.push_node(&mass(m, inertia), &mass(1.0 / m, 1.0 / inertia), &[50.0 / m * 1e-3, -G * 1e-3, 0.0]);
    for x in [-b / 2.0, b / 2.0] {
        // n = y, t = x; arm = (x, −a/2)
        p.push_contact(&[(node, &[0.0, 1.0, x, 1.0, 0.0, a / 2.0])], &[0.0, 0.0], 0.4);
    }
    for kind in kinds(&p) {
        let s = solve(&p, kind, CLAIMED);
        let near = 100.0 * CLAIMED;
        assert_eq!(s.report.status, Status::Converged, "{kind:?}: {:?}", s.report);
        close(s.velocities[0], 1.076e-3, near);
        close(s.impulses[0] / 1e-3, 39.24, near);
        close(s.impulses[2] / 1e-3, 58.86, near);
    }
}

/// Two balls fly side by side at 2/3 m/s and touch: q is a rounding error, and every solver ends at once.
#[test]
fn bodies_that_fly_together_are_at_rest_relative_to_each_other() {
    let mut p = Problem::new(3, 6);
    let unit = |x: f64| -> Vec<f64> { (0..36).map(|k| if k % 7 == 0 { x } else { 0.0 }).collect() };
    for v in [2.0 / 3.0, 2.0 / 3.0 - 1.2e-16] {
        p.push_node(&unit(30.0), &unit(1.0 / 30.0), &[v, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }
    let rows = |sign: f64| -> Vec<f64> { (0..18).map(|k| if [0, 7, 14].contains(&k) { sign } else { 0.0 }).collect() };
    p.push_contact(&[(1, &rows(1.0)), (0, &rows(-1.0))], &[0.0; 3], 0.3);
    for kind in kinds(&p) {
        let s = solve(&p, kind, 1e-8);
        assert_eq!(s.report.status, Status::Converged, "{kind:?}: {:?}", s.report);
        close(s.velocities[0], 2.0 / 3.0, 1e-14);
    }
    // with a tolerance below rounding they report that it is not reached
    let s = solve(&p, SolverKind::ProximalNewton, 1e-15);
    assert_ne!(s.report.status, Status::Converged);
}
