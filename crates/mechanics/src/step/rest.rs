//! Solving a step of a structure at rest.
//!
//! Its forces serve again and again: a step takes over those of the last one and only measures the residual. What they
//! lack in balance adds up to velocities, and one day these must be taken away. The impulses of that step then hold
//! the weight *and* the correction, which is not what the next step should start from. So:
//!
//! 1. take over the impulses while the residual stays a digit below the tolerance, so that corrections do not show in
//!    the reactions;
//! 2. otherwise balance the forces alone, as if all velocities were zero, two digits below the tolerance: that is what
//!    the contacts remember;
//! 3. solve the step itself from there.

use voussoir_contact::{Options, Problem, Solver, SolverKind, Status};

use super::solve::{Effort, Solved, finite, solve};
use crate::model::DynamicSettings;

/// Wanted of a step's residual, relative to the tolerance.
const STEP: f64 = 0.1;

/// Wanted of the balance of forces, relative to the tolerance.
const BALANCE: f64 = 0.01;

/// More digits than this would only meet rounding.
const LEAST: f64 = 1e-10;

/// Solves the problem of a step for bodies at rest; `forces_only` gives the same problem without velocities.
pub(crate) fn solve_at_rest(
    solver: &mut Solver,
    settings: &DynamicSettings,
    problem: &Problem,
    warm: &[f64],
    forces_only: impl FnOnce() -> Problem,
    effort: Effort,
) -> Solved {
    if problem.contacts() == 0 {
        return solve(solver, settings, problem, warm, effort);
    }
    let to = |share: f64| (share * settings.tolerance).max(LEAST).min(settings.tolerance);
    let step = Options { kind: settings.solver, tolerance: to(STEP), ..Options::default() };
    // no sweeps: the residual of the impulses as they are
    let mut last = solver.solve(problem, warm, &Options { kind: SolverKind::Nlgs, max_iterations: Some(0), ..step });
    let mut balance = None;
    if last.report.status != Status::Converged {
        let options = Options { tolerance: to(BALANCE), ..step };
        let balanced = solver.solve(&forces_only(), warm, &options);
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
        return solve(solver, settings, problem, &last.impulses, effort);
    }
    last.report.status = Status::Converged;
    Solved { impulses: last.impulses, velocities: last.velocities, balance, report: last.report, retries: 0 }
}
