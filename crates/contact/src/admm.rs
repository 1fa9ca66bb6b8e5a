//! Alternating directions (ADMM) with adaptive penalty and factor reuse.
//!
//! Split r = z, z ∈ K, multiplier y:
//! ```text
//! (W + E + ρ D) r = −p + ρD z − y,   z ← Π_K(r + y/(ρD)),   y ← y + ρD (r − z)
//! ```
//! D is the mean diagonal of W + E at each contact. One factorisation serves for as long as ρ is unchanged; ρ is
//! adapted when primal and dual residual differ by more than a factor. The De Saxcé shift p = q + μ‖u_T‖n enters the
//! right-hand side only, so it follows the iterates without a new factorisation. Book: docs/method-solvers.md.
//!
//! | option | meaning, nominal range |
//! |---|---|
//! | tolerance | unit-free residual, 1e-3 … 1e-8 |
//! | iterations | solves with the factor, 1e2 … 1e4 |
//!
//! Requirements: no floors. Reference: Tasora, Mangoni, Benatti & Garziera, IJNME 122 (2021); Boyd et al. (2011).

use crate::budget::Budget;
use crate::convex::{shift, weights};
use crate::delassus::Delassus;
use crate::linear::Singular;
use crate::report::{SolveReport, SolverKind, Status};

/// First penalty, in units of D.
const FIRST_PENALTY: f64 = 1.0;
/// Over-relaxation of r in the second and third step.
const RELAXATION: f64 = 1.0;
/// Iterations between two comparisons of the residuals.
const BALANCE_EVERY: usize = 10;
/// The penalty changes if the balance of the residuals requires more than this factor …
const BALANCE: f64 = 1.3;
/// … and by no more than this one.
const MOST_CHANGE: f64 = 50.0;
/// The De Saxcé shift is renewed when the convex residual is this part of the true one …
const SETTLED: f64 = 0.2;
/// … or after this many iterations.
const MOST_SINCE: usize = 200;
/// Changes of the penalty after which it stays, so that the iteration converges.
const MOST_FACTORISATIONS: usize = 40;

struct Admm<'a> {
    system: &'a mut dyn Delassus,
    weight: Vec<f64>,
    penalty: f64,
    factorisations: usize,
}

/// Solves from `impulses`, which are overwritten with the best found.
pub fn solve(system: &mut dyn Delassus, impulses: &mut Vec<f64>, budget: &Budget) -> SolveReport {
    let weight = weights(system);
    Admm { system, weight, penalty: FIRST_PENALTY, factorisations: 0 }.run(impulses, budget)
}

impl Admm<'_> {
    fn run(mut self, impulses: &mut Vec<f64>, budget: &Budget) -> SolveReport {
        let mut best = self.system.measure(impulses);
        let mut report = SolveReport {
            status: Status::IterationLimit,
            solver: SolverKind::Admm,
            iterations: 0,
            factorisations: 0,
            residual: best.value,
            worst_contact: best.worst_contact,
        };
        let mut z = impulses.clone();
        let (mut u, mut p) = (Vec::new(), Vec::new());
        self.system.relative(&z, &mut u);
        shift(self.system, &u, &z, &mut p);
        // at a solution y = −(u + E r + μs n)
        let mut y: Vec<f64> = self.slope(&z, &u, &p).iter().map(|g| -g).collect();
        if self.factorise().is_err() {
            report.status = Status::Stalled;
            return report;
        }
        let (mut r, mut du) = (Vec::new(), Vec::new());
        let (mut at_shift, mut since) = (best.value, 0);
        while best.value > budget.tolerance && report.iterations < budget.most && !budget.is_over() {
            report.iterations += 1;
            let b: Vec<f64> = (0..z.len())
                .map(|k| (-p[k] + self.rho(k) * z[k] - y[k]) / (self.rho(k) + self.system.laws().compliance[k]))
                .collect();
            self.system.respond(&b, &mut r, &mut du);
            let old = z.clone();
            let relaxed: Vec<f64> = r.iter().zip(&old).map(|(r, z)| RELAXATION * r + (1.0 - RELAXATION) * z).collect();
            let moved: Vec<f64> = (0..z.len()).map(|k| relaxed[k] + y[k] / self.rho(k)).collect();
            z = self.system.laws().project(&moved);
            for k in 0..z.len() {
                y[k] += self.rho(k) * (relaxed[k] - z[k]);
            }
            self.system.relative(&z, &mut u);
            let now = crate::residual::residual(&self.system.laws(), self.system.scale(), &u, &z);
            if now.value < best.value {
                best = now;
                impulses.clone_from(&z);
            }
            // the shift follows when the convex problem with the present one is solved well enough
            since += 1;
            let convex = self.convex_residual(&z, &u, &p);
            if convex <= (SETTLED * at_shift).max(0.5 * budget.tolerance) || since >= MOST_SINCE {
                shift(self.system, &u, &z, &mut p);
                (at_shift, since) = (now.value, 0);
            }
            if report.iterations.is_multiple_of(BALANCE_EVERY) && !self.balance(&r, &z, &old, &y) {
                report.status = Status::Stalled;
                break;
            }
        }
        if best.value <= budget.tolerance {
            report.status = Status::Converged;
        }
        let factorisations = self.factorisations;
        SolveReport { factorisations, residual: best.value, worst_contact: best.worst_contact, ..report }
    }

    /// ρD of component k.
    fn rho(&self, k: usize) -> f64 {
        self.penalty * self.weight[k / self.system.laws().dim]
    }

    /// ‖r − Π(r − ρ(u + E r + p − q))‖ / (ρ‖q‖).
    fn convex_residual(&self, r: &[f64], u: &[f64], p: &[f64]) -> f64 {
        let scale = self.system.scale();
        let moved: Vec<f64> = r.iter().zip(self.slope(r, u, p)).map(|(r, g)| r - scale.rho * g).collect();
        let projected = self.system.laws().project(&moved);
        let square: f64 = r.iter().zip(&projected).map(|(a, b)| (a - b) * (a - b)).sum();
        square.sqrt() / (scale.rho * scale.speed)
    }

    /// u + E r + p − q.
    fn slope(&self, r: &[f64], u: &[f64], p: &[f64]) -> Vec<f64> {
        let (laws, q) = (self.system.laws(), self.system.free());
        (0..r.len()).map(|k| u[k] + laws.compliance[k] * r[k] + p[k] - q[k]).collect()
    }

    fn factorise(&mut self) -> Result<(), Singular> {
        let laws = self.system.laws();
        let dim = laws.dim;
        let mut g = vec![0.0; self.weight.len() * dim * dim];
        for (i, block) in g.chunks_exact_mut(dim * dim).enumerate() {
            for k in 0..dim {
                block[k * dim + k] = 1.0 / (self.rho(i * dim + k) + laws.compliance[i * dim + k]);
            }
        }
        self.factorisations += 1;
        self.system.factorise(&g, true)
    }

    /// Adapts ρ so that primal and dual residual are of the same size; false if the new matrix cannot be factorised.
    fn balance(&mut self, r: &[f64], z: &[f64], old: &[f64], y: &[f64]) -> bool {
        if self.factorisations >= MOST_FACTORISATIONS {
            return true;
        }
        let norm = |f: &dyn Fn(usize) -> f64| (0..z.len()).map(|k| f(k) * f(k)).sum::<f64>().sqrt();
        let root = |k: usize| self.weight[k / self.system.laws().dim].sqrt();
        let primal = norm(&|k| root(k) * (r[k] - z[k])) / norm(&|k| root(k) * z[k]).max(f64::MIN_POSITIVE);
        let dual =
            norm(&|k| self.penalty * root(k) * (z[k] - old[k])) / norm(&|k| y[k] / root(k)).max(f64::MIN_POSITIVE);
        let factor = (primal / dual).sqrt().clamp(1.0 / MOST_CHANGE, MOST_CHANGE);
        if !factor.is_finite() || (factor < BALANCE && factor > 1.0 / BALANCE) {
            return true;
        }
        self.penalty = (self.penalty * factor).clamp(1e-10, 1e6);
        self.factorise().is_ok()
    }
}
