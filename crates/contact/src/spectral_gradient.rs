//! Preconditioned spectral projected gradient with fall-back (P-SPG-FB), the solver of Beatini et al. (2017).
//!
//! d = Π_K(r − α D⁻¹∇f) − r, or Π_K(r − α∇f) − r where that is no descent; non-monotone Armijo search over the last ten
//! values; Barzilai–Borwein steps of both kinds in turn. The iterate with the least residual is remembered and returned
//! (the fall-back). D is the mean diagonal of W + E at each contact, equal for its components so that the projection
//! stays simple. Book: docs/method-solvers.md.
//!
//! | option | meaning, nominal range |
//! |---|---|
//! | tolerance | unit-free residual, 1e-3 … 1e-8 |
//! | iterations | products with W, 1e3 … 1e5 |
//!
//! Requirements: no floors; W nearly symmetric. References: Birgin, Martínez & Raydan, SIAM J. Optim. 10 (2000); Heyn,
//! Anitescu, Tasora & Negrut, IJNME 95 (2013).

use crate::budget::Budget;
use crate::convex::{Convex, coulomb};
use crate::delassus::Delassus;
use crate::report::{SolveReport, SolverKind};

/// Values that the Armijo rule looks back on.
const MEMORY: usize = 10;
/// Part of the predicted decrease that must be reached.
const ARMIJO: f64 = 1e-4;
/// Bounds of the spectral step, in units of D⁻¹.
const STEPS: (f64, f64) = (1e-13, 1e13);
/// Spectral step where the curvature is not positive.
const PLAIN_STEP: f64 = 0.11;
/// Backtracking steps allowed.
const BACKTRACKS: usize = 40;

/// Solves from `impulses`, which are overwritten with the best found.
pub fn solve(system: &dyn Delassus, impulses: &mut Vec<f64>, budget: &Budget) -> SolveReport {
    coulomb(system, impulses, budget, SolverKind::PSpgFb, |problem, r, tolerance, most| {
        minimise(problem, r, tolerance, most, budget)
    })
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Minimises the convex problem from `r`, which ends at the iterate with the least residual. Returns the iterations.
fn minimise(problem: &Convex<'_>, r: &mut Vec<f64>, tolerance: f64, most: usize, budget: &Budget) -> usize {
    let dim = problem.system.laws().dim;
    let weighted = |a: &[f64], b: &[f64], power: i32| -> f64 {
        a.iter().zip(b).enumerate().map(|(k, (a, b))| a * b * problem.weight[k / dim].powi(power)).sum()
    };
    let mut x = r.clone();
    let mut gradient = Vec::new();
    problem.gradient(&x, &mut gradient);
    // f = ½ r·(g + p)
    let value = |x: &[f64], g: &[f64]| 0.5 * (dot(x, g) + dot(x, &problem.p));
    let mut f = value(&x, &gradient);
    let mut recent = vec![f];
    let mut least = f64::INFINITY;
    let mut alpha = 1.0;
    let mut bent = Vec::new();
    for k in 0..most {
        let residual = problem.residual(&x, &gradient);
        if residual < least {
            least = residual;
            r.clone_from(&x);
        }
        if residual <= tolerance || budget.is_over() {
            return k;
        }
        let to = |target: Vec<f64>| -> Vec<f64> { target.iter().zip(&x).map(|(t, x)| t - x).collect() };
        let mut d = to(problem.step(&x, &gradient, alpha));
        let mut slope = dot(&d, &gradient);
        if slope > 0.0 {
            let rho = problem.system.scale().rho;
            let plain: Vec<f64> = x.iter().zip(&gradient).map(|(x, g)| x - alpha * rho * g).collect();
            d = to(problem.system.laws().project(&plain));
            slope = dot(&d, &gradient);
        }
        problem.product(&d, &mut bent);
        let curvature = dot(&d, &bent);
        let reference = recent.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut lambda = 1.0;
        for _ in 0..BACKTRACKS {
            let trial = f + lambda * slope + 0.5 * lambda * lambda * curvature;
            if trial <= reference + ARMIJO * lambda * slope {
                break;
            }
            let guess = -lambda * lambda * slope / (2.0 * (trial - f - lambda * slope));
            // NaN (an indefinite or damaged matrix) halves the step
            lambda = if guess.is_finite() { guess.clamp(0.1 * lambda, 0.9 * lambda) } else { 0.5 * lambda };
        }
        for (x, d) in x.iter_mut().zip(&d) {
            *x += lambda * d;
        }
        problem.gradient(&x, &mut gradient);
        f = value(&x, &gradient);
        recent.push(f);
        if recent.len() > MEMORY {
            recent.remove(0);
        }
        // s = λd, y = λ(W+E)d
        alpha = if curvature <= 0.0 {
            PLAIN_STEP
        } else if k.is_multiple_of(2) {
            weighted(&d, &d, 1) / curvature
        } else {
            curvature / weighted(&bent, &bent, -1)
        };
        alpha = alpha.clamp(STEPS.0, STEPS.1);
    }
    most
}
