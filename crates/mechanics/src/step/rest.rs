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

use voussoir_contact::{Options, Problem, SolveReport, Solver, SolverKind, Status};

use super::solve::{Effort, Solved, finite, solve, solve_in_motion};
use crate::model::DynamicSettings;

/// Wanted of a step's residual, relative to the tolerance.
const STEP: f64 = 0.1;

/// Wanted of the balance of forces, relative to the tolerance.
const BALANCE: f64 = 0.01;

/// More digits than this would only meet rounding.
const LEAST: f64 = 1e-10;

/// What a step at rest needs besides its problem.
pub(crate) struct Rest<'a, F: FnOnce() -> Problem> {
    /// The same problem without velocities.
    pub forces_only: F,
    /// What forces make of the velocities in the step (nodes × dofs): what residuals of motion are relative to.
    pub change: &'a [f64],
    /// True when bodies with these velocities are no longer at rest.
    pub moves: &'a dyn Fn(&[f64]) -> bool,
}

/// Solves the problem of a step for bodies at rest.
///
/// Where the forces cannot be balanced, something begins to move and the step is one of motion, with the tolerance of
/// motion; should nothing move in its solution, the tolerance of rest still has to be met.
pub(crate) fn solve_at_rest<F: FnOnce() -> Problem>(
    solver: &mut Solver,
    settings: &DynamicSettings,
    problem: &Problem,
    warm: &[f64],
    rest: Rest<'_, F>,
    effort: Effort,
) -> Solved {
    if problem.contacts() == 0 {
        return solve(solver, settings, problem, warm, settings.tolerance, effort);
    }
    let to = |share: f64| (share * settings.tolerance).max(LEAST).min(settings.tolerance);
    let step = Options { kind: settings.solver, tolerance: to(STEP), at_rest: true, ..Options::default() };
    // no sweeps: the residual of the impulses as they are
    let mut last = solver.solve(problem, warm, &Options { kind: SolverKind::Nlgs, max_iterations: Some(0), ..step });
    let mut balance = None;
    if last.report.status != Status::Converged {
        let options = Options { tolerance: to(BALANCE), ..step };
        let balanced = solver.solve(&(rest.forces_only)(), warm, &options);
        let start = if finite(&balanced) { &balanced.impulses } else { warm };
        let rests = balanced.report.residual <= settings.tolerance;
        // without balance there is no solution at rest
        let options = if rests { step } else { Options { kind: SolverKind::Nlgs, max_iterations: Some(0), ..step } };
        last = solver.solve(problem, start, &options);
        last.report.iterations += balanced.report.iterations;
        last.report.factorisations += balanced.report.factorisations;
        if last.report.iterations > 0 && (last.report.solver == settings.solver || !rests) {
            last.report.solver = balanced.report.solver;
        }
        balance = rests.then_some(balanced.impulses);
    } else {
        last.report.solver = settings.solver;
    }
    if last.report.residual.is_nan() || last.report.residual > settings.tolerance {
        let start = if finite(&last) { &last.impulses } else { warm };
        let mut moving = problem.clone();
        moving.set_reference(rest.change);
        let mut solved = solve_in_motion(solver, settings, &moving, start, effort);
        if !(rest.moves)(&solved.velocities) {
            let work = solved.report;
            solved = solve(solver, settings, problem, &solved.impulses, settings.tolerance, effort);
            add_work(&mut solved, work);
        }
        add_work(&mut solved, last.report);
        return solved;
    }
    last.report.status = Status::Converged;
    Solved { impulses: last.impulses, velocities: last.velocities, balance, report: last.report, retries: 0 }
}

/// What was tried before is work too.
fn add_work(solved: &mut Solved, before: SolveReport) {
    solved.report.iterations += before.iterations;
    solved.report.factorisations += before.factorisations;
}
