//! One call from a problem to a solution with its error measures.
//!
//! A global problem of rigid bodies can be solved in either form; the form with fewer unknowns is tried first, and
//! `auto` tries the other form if the first fails. Any other problem is solved in local form. A solution is converged
//! if both measures of [`crate::measure`] are below the tolerance, whatever the solver reports: if the solver's own
//! measure is met and one of these is not, the solver continues with a smaller tolerance.

use std::time::Instant;

use voussoir_contact::{
    LocalProblem, Options, Problem, Requirements, SolveReport, Solver, SolverKind, Status, solve_local,
};

use crate::measure::{self, Measures};
use crate::{ProblemError, ProblemForm};

/// Maximum number of restarts with a tighter tolerance.
const MOST_RESTARTS: usize = 4;

/// Solution of a problem file, with its measures.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemSolution {
    /// r (contacts × dim), in the problem's own order.
    pub impulses: Vec<f64>,
    /// Their error measures.
    pub measures: Measures,
    /// How it ended.
    pub status: Status,
    /// Solver of the answer.
    pub solver: SolverKind,
    /// Sweeps, iterations or Newton steps, of all attempts.
    pub iterations: usize,
    /// Numeric factorisations, of all attempts.
    pub factorisations: usize,
}

/// Solves a problem from the impulses `start`, or from zero. A solver that does not support the problem is an error, a
/// problem without contacts too: its solution would be meaningless.
pub fn solve(form: &ProblemForm, start: Option<&[f64]>, options: &Options) -> Result<ProblemSolution, ProblemError> {
    if form.contacts() == 0 {
        return Err(ProblemError::Inconsistent {
            what: "the problem has 0 contacts: there is nothing to solve, or the header of the file is damaged"
                .to_owned(),
        });
    }
    let zeros = vec![0.0; form.dim() * form.contacts()];
    let start = start.filter(|start| start.len() == zeros.len()).unwrap_or(&zeros);
    match form {
        ProblemForm::Local(problem) => local_only(problem, start, options),
        ProblemForm::Global(problem) => match problem.to_problem() {
            Some(problem) => either(form, &problem, start, options),
            None => local_only(&form.to_local()?, start, options),
        },
    }
}

/// A problem that has no global form.
fn local_only(problem: &LocalProblem, start: &[f64], options: &Options) -> Result<ProblemSolution, ProblemError> {
    options.kind.supports(&problem.requirements())?;
    Ok(local(problem, start, options))
}

/// A problem of rigid bodies: structures have many contacts on few bodies and keep their global form, loose grains have
/// few contacts.
fn either(
    form: &ProblemForm,
    rigid: &Problem,
    start: &[f64],
    options: &Options,
) -> Result<ProblemSolution, ProblemError> {
    options.kind.supports(&rigid.requirements())?;
    // some solvers need masses and Jacobians
    let local_requirements = Requirements { local: true, ..rigid.requirements() };
    let global_only = options.kind.supports(&local_requirements).is_err() || start.is_empty();
    let global_first = global_only || start.len() > rigid.nodes() * rigid.dofs();
    let first = if global_first { global(rigid, start, options) } else { local(&form.to_local()?, start, options) };
    if first.status == Status::Converged || first.status == Status::TimeLimit || options.kind != SolverKind::Auto {
        return Ok(first);
    }
    let second = match form.to_local() {
        _ if !global_first => global(rigid, &first.impulses, options),
        Ok(condensed) => local(&condensed, &first.impulses, options),
        // too large for the other form
        Err(_) => return Ok(first),
    };
    let (iterations, factorisations) =
        (first.iterations + second.iterations, first.factorisations + second.factorisations);
    let best = if second.measures.larger() < first.measures.larger() { second } else { first };
    Ok(ProblemSolution { iterations, factorisations, ..best })
}

fn local(problem: &LocalProblem, start: &[f64], options: &Options) -> ProblemSolution {
    let mut attempt = |start: &[f64], options: &Options| {
        let solution = solve_local(problem, start, options);
        (solution.impulses, solution.report)
    };
    until_measured(&mut attempt, &|r| measure::local(problem, r), start, options)
}

fn global(problem: &Problem, start: &[f64], options: &Options) -> ProblemSolution {
    let mut solver = Solver::new();
    let mut attempt = |start: &[f64], options: &Options| {
        let solution = solver.solve(problem, start, options);
        (solution.impulses, solution.report)
    };
    until_measured(&mut attempt, &|r| measure::global(problem, r), start, options)
}

/// A solver that starts from some impulses.
type Attempt<'a> = dyn FnMut(&[f64], &Options) -> (Vec<f64>, SolveReport) + 'a;

/// Attempts with decreasing tolerances, each from the best impulses so far, until both measures are met.
fn until_measured(
    attempt: &mut Attempt<'_>,
    measure: &dyn Fn(&[f64]) -> Measures,
    start: &[f64],
    options: &Options,
) -> ProblemSolution {
    let over = || options.deadline.is_some_and(|end| Instant::now() >= end);
    let mut best = ProblemSolution {
        impulses: start.to_vec(),
        measures: measure(start),
        status: Status::Stalled,
        solver: options.kind,
        iterations: 0,
        factorisations: 0,
    };
    let mut asked = *options;
    for _ in 0..=MOST_RESTARTS {
        let (impulses, report) = attempt(&best.impulses, &asked);
        best.iterations += report.iterations;
        best.factorisations += report.factorisations;
        let measures = measure(&impulses);
        if measures.larger() <= best.measures.larger() {
            (best.impulses, best.measures, best.solver) = (impulses, measures, report.solver);
        }
        best.status = report.status;
        let error = best.measures.larger();
        if error <= options.tolerance {
            best.status = Status::Converged;
            return best;
        }
        if over() {
            best.status = Status::TimeLimit;
            return best;
        }
        if report.status != Status::Converged {
            return best;
        }
        // at most three digits at a time
        asked.tolerance *= 0.5 * (options.tolerance / error).max(1e-3);
    }
    best.status = Status::Stalled;
    best
}
