//! Accelerated projected gradient (Nesterov) with restart.
//!
//! y-step r⁺ = Π_K(y − t D⁻¹∇f(y)) with D the mean diagonal of W + E at each contact, momentum
//! θ⁺ = ½(−θ² + θ√(θ²+4)), y⁺ = r⁺ + θ(1−θ)/(θ²+θ⁺) (r⁺ − r), restart when ∇f(y)·(r⁺ − r) > 0, and a step 1/t that doubles
//! until the quadratic model holds and shrinks by 0.9 otherwise. Book: docs/method-solvers.md.
//!
//! | option | meaning, nominal range |
//! |---|---|
//! | tolerance | unit-free residual, 1e-3 … 1e-8 |
//! | iterations | products with W, 1e3 … 1e5 |
//!
//! Requirements: no floors; W nearly symmetric. The error falls like 1/k², linearly with restart where W is regular.
//! Reference: Mazhar, Heyn, Negrut & Tasora, ACM TOG 34 (2015).

use crate::budget::Budget;
use crate::convex::{Convex, coulomb};
use crate::delassus::Delassus;
use crate::report::{SolveReport, SolverKind};

/// Iterations between two evaluations of the residual.
const CHECK_EVERY: usize = 5;
/// Doublings of the Lipschitz estimate allowed in one iteration.
const DOUBLINGS: usize = 60;

/// Solves from `impulses`, which are overwritten with the best found.
pub fn solve(system: &dyn Delassus, impulses: &mut Vec<f64>, budget: &Budget) -> SolveReport {
    let mut lipschitz = 1.0;
    coulomb(system, impulses, budget, SolverKind::Apgd, |problem, r, tolerance, most| {
        minimise(problem, r, tolerance, most, &mut lipschitz, budget)
    })
}

/// Minimises the convex problem from `r`; the Lipschitz estimate is kept between calls. Returns the iterations.
fn minimise(
    problem: &Convex<'_>,
    r: &mut Vec<f64>,
    tolerance: f64,
    most: usize,
    lipschitz: &mut f64,
    budget: &Budget,
) -> usize {
    let dim = problem.system.laws().dim;
    let (mut y, mut theta) = (r.clone(), 1.0f64);
    let (mut gradient, mut bent) = (Vec::new(), Vec::new());
    for k in 0..most {
        if k.is_multiple_of(CHECK_EVERY) {
            problem.gradient(r, &mut gradient);
            if problem.residual(r, &gradient) <= tolerance || budget.is_over() {
                return k;
            }
        }
        problem.gradient(&y, &mut gradient);
        let mut next = problem.step(&y, &gradient, 1.0 / *lipschitz);
        for _ in 0..DOUBLINGS {
            let change: Vec<f64> = next.iter().zip(&y).map(|(a, b)| a - b).collect();
            problem.product(&change, &mut bent);
            let curvature: f64 = change.iter().zip(&bent).map(|(d, w)| d * w).sum();
            let model: f64 = change.iter().enumerate().map(|(k, d)| d * d * problem.weight[k / dim]).sum();
            if curvature <= *lipschitz * model * (1.0 + 1e-12) {
                break;
            }
            *lipschitz *= 2.0;
            next = problem.step(&y, &gradient, 1.0 / *lipschitz);
        }
        let along: f64 = gradient.iter().zip(next.iter().zip(r.iter())).map(|(g, (a, b))| g * (a - b)).sum();
        if along > 0.0 {
            y.clone_from(&next);
            theta = 1.0;
        } else {
            let new = 0.5 * (-theta * theta + theta * (theta * theta + 4.0).sqrt());
            let beta = theta * (1.0 - theta) / (theta * theta + new);
            y = next.iter().zip(r.iter()).map(|(a, b)| a + beta * (a - b)).collect();
            theta = new;
        }
        *r = next;
        *lipschitz *= 0.9;
    }
    most
}
