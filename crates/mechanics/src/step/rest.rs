//! Solving a step of a structure at rest.
//!
//! Its forces serve again and again: a step takes over those of the last one and only measures the residual. What they
//! lack in balance adds up to velocities, and one day these must be taken away. The impulses of that step then hold
//! the weight *and* the correction, which is not what the next step should start from. So:
//!
//! 1. take over the impulses while the residual stays a digit below the tolerance, so that corrections do not show in
//!    the reactions;
//! 2. otherwise balance the forces alone, as if all velocities were zero, two digits below the tolerance: that is what
//!    the contacts remember. Near its limit a structure may have both an equilibrium and a motion under Coulomb's law,
//!    which is not convex. The associated law is, and has a motion only if there is no equilibrium at all; forces at
//!    rest obey both. So `auto` asks it before it lets a structure go, and what rests goes on resting;
//! 3. solve the step itself from there.

use voussoir_contact::{Options, Problem, Solution, Solver, SolverKind, Status};

use super::solve::{Solved, finite, solve};
use crate::model::DynamicSettings;

/// Wanted of a step's residual, relative to the tolerance.
const STEP: f64 = 0.1;

/// Wanted of the balance of forces, relative to the tolerance.
const BALANCE: f64 = 0.01;

/// More digits than this would only meet rounding.
const LEAST: f64 = 1e-10;

/// Bodies that forces make faster than this, relative to free ones, do not rest.
const MOTION: f64 = 1e-6;

/// Solves the problem of a step for bodies at rest; `forces_only` gives the same problem without velocities, `patient`
/// says that the step cannot be cut.
pub(crate) fn solve_at_rest(
    solver: &mut Solver,
    settings: &DynamicSettings,
    problem: &Problem,
    warm: &[f64],
    forces_only: impl FnOnce() -> Problem,
    patient: bool,
) -> Solved {
    if problem.contacts() == 0 {
        return solve(solver, settings, problem, warm, patient);
    }
    let to = |share: f64| (share * settings.tolerance).max(LEAST).min(settings.tolerance);
    let step = Options { kind: settings.solver, tolerance: to(STEP), patient, ..Options::default() };
    // no sweeps: the residual of the impulses as they are
    let mut last = solver.solve(problem, warm, &Options { kind: SolverKind::Nlgs, max_iterations: Some(0), ..step });
    let mut balance = None;
    if last.report.status != Status::Converged {
        let options = Options { tolerance: to(BALANCE), ..step };
        let forces = forces_only();
        let mut balanced = solver.solve(&forces, warm, &options);
        if settings.solver == SolverKind::Auto && moves(&balanced, &forces) {
            balanced = prefer_rest(solver, &forces, warm, &options, settings.tolerance, balanced);
        }
        let start = if finite(&balanced) { &balanced.impulses } else { warm };
        last = solver.solve(problem, start, &step);
        last.report.iterations += balanced.report.iterations;
        last.report.factorisations += balanced.report.factorisations;
        if last.report.iterations > 0 && last.report.solver == settings.solver {
            last.report.solver = balanced.report.solver;
        }
        balance = (balanced.report.residual <= settings.tolerance).then_some(balanced.impulses);
    } else {
        last.report.solver = settings.solver;
    }
    if last.report.residual.is_nan() || last.report.residual > settings.tolerance {
        return solve(solver, settings, problem, &last.impulses, patient);
    }
    last.report.status = Status::Converged;
    Solved { impulses: last.impulses, velocities: last.velocities, balance, report: last.report, retries: 0 }
}

/// True when forces that act on bodies at rest set them in motion.
fn moves(solution: &Solution, forces: &Problem) -> bool {
    let fastest = |v: &[f64]| v.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
    fastest(&solution.velocities) > MOTION * fastest(forces.free_velocity())
}

/// Forces that balance in place of a motion, if there are any: the solution of the associated law, where that rests.
/// The last digits that `options` ask for are welcome, those of `tolerance` are enough.
fn prefer_rest(
    solver: &mut Solver,
    forces: &Problem,
    warm: &[f64],
    options: &Options,
    tolerance: f64,
    moving: Solution,
) -> Solution {
    let mut convex = forces.clone();
    convex.set_associated(true);
    let found = solver.solve(&convex, warm, options);
    // forces at rest obey Coulomb's law as they are, but for digits that the other law left
    let rest = solver.solve(forces, &found.impulses, options);
    let better = finite(&rest) && rest.report.residual <= tolerance && !moves(&rest, forces);
    let work = [moving.report, found.report, rest.report];
    let mut chosen = if better { rest } else { moving };
    chosen.report.iterations = work.iter().map(|report| report.iterations).sum();
    chosen.report.factorisations = work.iter().map(|report| report.factorisations).sum();
    chosen
}
