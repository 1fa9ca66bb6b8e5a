//! Newton matrices of all solvers against finite differences of their residuals.
//!
//! A Newton direction d solves F'(x) d = −F(x). The derivative of F along d, by central differences, must therefore be −F:
//! that checks the matrix, its assembly and its factorisation together. `newton_error` has one arm per solver, so that a new
//! solver cannot be left out.

use crate::delassus::Delassus;
use crate::global_form::GlobalForm;
use crate::linear::Workspace;
use crate::problem::Problem;
use crate::report::SolverKind;
use crate::{interior_point, proximal_newton, sap, smoothing_newton};

/// Length of differences, relative to the direction.
const DIFFERENCE: f64 = 1e-6;

/// ‖dF/ds + F‖ / ‖F‖ along a Newton direction, s = 0 being the iterate.
pub(crate) fn newton_miss(residual: impl Fn(f64) -> Vec<f64>) -> f64 {
    let (above, at, below) = (residual(DIFFERENCE), residual(0.0), residual(-DIFFERENCE));
    let norm = |x: &dyn Fn(usize) -> f64| (0..at.len()).map(|k| x(k).powi(2)).sum::<f64>().sqrt();
    norm(&|k| (above[k] - below[k]) / (2.0 * DIFFERENCE) + at[k]) / norm(&|k| at[k])
}

/// Error of the Newton direction of a solver at some impulses; `None` for solvers without a Newton matrix.
fn newton_error(kind: SolverKind, problem: &Problem, impulses: &[f64]) -> Option<f64> {
    let (mut workspace, mut other) = (Workspace::default(), Workspace::default());
    let mut system = GlobalForm::new(problem, &mut workspace);
    match kind {
        SolverKind::Sap => {
            let (diagonal, scale) = (system.diagonal().to_vec(), system.scale().clone());
            Some(sap::newton_error(problem, &scale, &diagonal, &mut other, impulses))
        }
        SolverKind::InteriorPoint => Some(interior_point::newton_error(&mut system)),
        SolverKind::ProximalNewton | SolverKind::SemismoothNewton => {
            Some(proximal_newton::newton_error(&mut system, impulses))
        }
        SolverKind::SmoothingNewton => Some(smoothing_newton::newton_error(&mut system, impulses)),
        // a chain of the others; contact by contact; products only; constant matrix; pivoting
        SolverKind::Auto
        | SolverKind::Nlgs
        | SolverKind::FaceElements
        | SolverKind::Apgd
        | SolverKind::PSpgFb
        | SolverKind::Admm
        | SolverKind::Lemke => None,
    }
}

/// Three bodies in a row on the ground with skew contacts: sticking, sliding and open contacts at the given impulses.
fn problem(dim: usize, associated: bool) -> (Problem, Vec<f64>) {
    let dofs = if dim == 2 { 3 } else { 6 };
    let mut problem = Problem::new(dim, dofs);
    let value = |k: usize| (1.7 * k as f64 + 0.3).sin();
    for n in 0..3 {
        let diagonal =
            |x: f64| (0..dofs * dofs).map(|at| if at % (dofs + 1) == 0 { x } else { 0.0 }).collect::<Vec<_>>();
        let mass = 1.0 + n as f64;
        let free: Vec<f64> = (0..dofs).map(|k| 0.5 * value(7 * n + k)).collect();
        problem.push_node(&diagonal(mass), &diagonal(1.0 / mass), &free);
    }
    let mut impulses = Vec::new();
    for c in 0..5usize {
        let block = |shift: usize| (0..dim * dofs).map(|k| value(31 * c + shift + k)).collect::<Vec<_>>();
        let (a, b) = (block(0), block(500));
        let entries: Vec<(u32, &[f64])> = vec![((c % 3) as u32, &a), (((c + 1) % 3) as u32, &b)];
        let k = problem.push_contact(&entries, &[-0.4, 0.2, 0.1][..dim], 0.5);
        problem.set_compliance(k, &[0.02, 0.03, 0.03][..dim]);
        let normal = [1.0, 0.7, 0.05, 0.9, 0.02][c];
        impulses.extend([normal, 0.3 * value(c), 0.2 * value(c + 9)].into_iter().take(dim));
    }
    problem.set_associated(associated);
    (problem, impulses)
}

#[test]
fn newton_directions_solve_the_linearised_residual() {
    let mut checked = 0;
    for dim in [2, 3] {
        for associated in [false, true] {
            let (problem, impulses) = problem(dim, associated);
            for kind in SolverKind::ALL.into_iter().filter(|kind| kind.supports(&problem.requirements()).is_ok()) {
                if let Some(error) = newton_error(kind, &problem, &impulses) {
                    assert!(error < 1e-6, "{kind:?} {dim}D associated {associated}: off by {error:e}");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked >= 14, "{checked}");
}
