//! Solving a step of a structure at rest.
//!
//! Its forces are reused: a step takes the forces of the previous step and only measures the residual.
//!
//! 1. Take over the impulses while the residual stays a digit below the tolerance, so that corrections do not show in
//!    the reactions.
//! 2. Otherwise balance the forces alone, as if all velocities were zero, two digits below the tolerance; these forces
//!    are stored in the contact memory.
//! 3. Solve the step itself from there.
//!
//! **Zero velocity.** The forces of a solution balance to the tolerance ε of the solver, and the imbalance of a step
//! gives every body a velocity of about ε |Δv|, where Δv = v* − v_g is the velocity that loads and weight add in the
//! step. Such a velocity is an error of the solution and not a motion; accumulated over thousands of steps it would
//! become one, and the forces would have to be solved again in every step. If no body of a structure at rest ends a
//! step faster than ε |Δv|, with ε the tolerance but at most 1e-8, all velocities are therefore set to zero
//! ([`settle`]). A structure whose forces do not change then keeps all bits of its positions, and its steps repeat
//! ([`super::repeat`]). A body that accelerates by more than 1e-8 g moves.
//!
//! **Masses that differ by more than 1e7.** The velocity of a light block that carries a heavy one follows from the
//! difference of two large impulses, and their rounding errors alone exceed the tolerance. The forces of a structure at
//! rest do not depend on the masses but on the loads. They are therefore found with equal masses first, and are
//! accepted with velocities of zero if they balance on every body to a tenth of the tolerance, relative to the forces
//! on the body ([`voussoir_contact::Problem::with_equal_masses`]).

use voussoir_contact::{Options, Problem, Solver, SolverKind, Status};
use voussoir_geometry::Space;

use super::masses::Masses;
use super::predict::Prediction;
use super::solve::{Effort, Solved, finite, solve};
use crate::kinematics::fastest_point;
use crate::model::{DynamicSettings, Model};
use crate::state::{ContactMemory, State};

/// Required residual of a step, relative to the tolerance.
const REQUIRED_RESIDUAL: f64 = 0.1;

/// Required imbalance of forces, relative to the tolerance.
const REQUIRED_IMBALANCE: f64 = 0.01;

/// Largest imbalance that counts as an error of the solution, relative to the loads, for any tolerance: a block on a
/// slope without friction must slide even if the user asks for few digits.
const MOST_IMBALANCE: f64 = 1e-8;

/// Smallest required imbalance: rounding errors limit the accuracy.
const LEAST_TOLERANCE: f64 = 1e-10;

/// Ratio of masses above which forces at rest are found with equal masses.
const MASS_RATIO: f64 = 1e7;

/// Solves the problem of a step for bodies at rest; `forces_only` gives the same problem without velocities.
/// `can_stay`: see [`can_stay`].
pub(crate) fn solve_at_rest(
    solver: &mut Solver,
    settings: &DynamicSettings,
    problem: &Problem,
    warm: &[f64],
    forces_only: impl FnOnce() -> Problem,
    can_stay: bool,
    effort: Effort,
) -> Solved {
    if problem.contacts() == 0 {
        return solve(solver, settings, problem, warm, effort);
    }
    if can_stay && let Some(solved) = solve_with_equal_masses(solver, settings, problem, warm) {
        return solved;
    }
    let to = |share: f64| (share * settings.tolerance).max(LEAST_TOLERANCE).min(settings.tolerance);
    let step = Options { kind: settings.solver, tolerance: to(REQUIRED_RESIDUAL), ..Options::default() };
    // no sweeps: the residual of the impulses as they are
    let mut last = solver.solve(problem, warm, &Options { kind: SolverKind::Nlgs, max_iterations: Some(0), ..step });
    let kept = last.report.status == Status::Converged;
    let mut balance = None;
    if kept {
        last.report.solver = settings.solver;
    } else {
        let options = Options { tolerance: to(REQUIRED_IMBALANCE), ..step };
        let balanced = solver.solve(&forces_only(), warm, &options);
        let start = if finite(&balanced) { &balanced.impulses } else { warm };
        last = solver.solve(problem, start, &step);
        last.report.iterations += balanced.report.iterations;
        last.report.factorisations += balanced.report.factorisations;
        if last.report.iterations > 0 && last.report.solver == settings.solver {
            last.report.solver = balanced.report.solver;
        }
        balance = (balanced.report.residual <= settings.tolerance).then_some(balanced.impulses);
    }
    if last.report.residual.is_nan() || last.report.residual > settings.tolerance {
        return solve(solver, settings, problem, &last.impulses, effort);
    }
    last.report.status = Status::Converged;
    Solved { impulses: last.impulses, velocities: last.velocities, balance, kept, report: last.report, retries: 0 }
}

/// Forces in equilibrium with velocities of zero, found with equal masses; `None` if the masses do not differ enough or
/// there is no such equilibrium.
fn solve_with_equal_masses(
    solver: &mut Solver,
    settings: &DynamicSettings,
    problem: &Problem,
    warm: &[f64],
) -> Option<Solved> {
    let springs = problem.compliance().iter().any(|compliance| *compliance > 0.0);
    if springs || problem.mass_ratio() <= MASS_RATIO {
        return None;
    }
    let to = |share: f64| (share * settings.tolerance).max(LEAST_TOLERANCE).min(settings.tolerance);
    let options = Options { kind: settings.solver, tolerance: to(REQUIRED_IMBALANCE), ..Options::default() };
    let found = solver.solve(&problem.with_equal_masses()?, warm, &options);
    let imbalance = problem.imbalance_at_rest(&found.impulses);
    if found.report.status != Status::Converged || imbalance.is_nan() || imbalance > to(REQUIRED_RESIDUAL) {
        return None;
    }
    let mut report = found.report;
    let kept = report.iterations == 0 && report.factorisations == 0;
    report.residual = report.residual.max(imbalance);
    let velocities = vec![0.0; found.velocities.len()];
    Some(Solved { impulses: found.impulses, velocities, balance: None, kept, report, retries: 0 })
}

/// True if the bodies can stay at rest while their forces change: all bodies are rigid, there are no cables (their
/// tension changes with the smallest motion), no support moves, and no wind and water act.
pub(crate) fn can_stay<S: Space>(model: &Model<S>, prediction: &Prediction<S>) -> bool {
    let springs = prediction.flexed.is_some() || !model.cables.is_empty();
    prediction.at_rest && !springs && model.sea.is_none() && prediction.supports.iter().all(Option::is_none)
}

/// Sets all velocities of a structure at rest to zero if they are errors of the solution.
pub(crate) fn settle<S: Space>(
    model: &Model<S>,
    settings: &DynamicSettings,
    masses: &Masses,
    prediction: &Prediction<S>,
    solved: &mut Solved,
) {
    if !can_stay(model, prediction) {
        return;
    }
    let gained = prediction.forces_only();
    let slow = |(k, v): (usize, &[f64])| {
        let size = masses.size[masses.body[k]];
        let pull = fastest_point::<S>(&gained[k * S::DOFS..][..S::DOFS], size);
        pull.is_finite() && fastest_point::<S>(v, size) <= settings.tolerance.min(MOST_IMBALANCE) * pull
    };
    if solved.velocities.chunks_exact(S::DOFS).enumerate().all(slow) {
        solved.velocities.fill(0.0);
    }
}

/// Keeps the forces in the memory of contacts and bonds unchanged after a step that started and ended at rest and took
/// over all impulses: dividing by the step and multiplying by it again would only add rounding.
pub(crate) fn keep_memory<S: Space>(solved: &Solved, from: &State<S>, state: &mut State<S>) {
    let still = |velocities: &[f64]| velocities.iter().all(|v| v.to_bits() == 0);
    if !solved.kept || !still(&from.velocities) || !still(&state.velocities) {
        return;
    }
    let same = |(a, b): (&ContactMemory<S>, &ContactMemory<S>)| (a.key, a.slid, a.slip) == (b.key, b.slid, b.slip);
    if from.contacts.len() == state.contacts.len() && from.contacts.iter().zip(&state.contacts).all(same) {
        state.contacts.clone_from(&from.contacts);
    }
    for (bond, before) in state.bonds.iter_mut().zip(&from.bonds) {
        if (bond.beta, bond.origin) == (before.beta, before.origin) {
            bond.force = before.force;
        }
    }
}
