//! The convex problem min ½ rᵀ(W+E)r + pᵀr over the cones, and the fixed-point loop that leads to Coulomb's law.
//!
//! With p = q + μ s n the convex problem is K* ∋ u + E r + μ s n ⊥ r ∈ K; where s = ‖u_T‖ that is Coulomb's law
//! (De Saxcé). The loop solves to a part of the present residual, updates s, and goes on. For the associated law s = 0
//! and one pass is all. References: Cadoux (2009); Acary, Cadoux, Lemaréchal & Malick, ZAMM 91 (2011). Book:
//! docs/method-solvers.md.

use crate::budget::Budget;
use crate::delassus::Delassus;
use crate::problem::blocks;
use crate::report::{SolveReport, SolverKind, Status};

/// The inner problem is solved to this part of the true residual …
const INNER: f64 = 0.2;
/// … with at most this many iterations between two updates of s.
const INNER_ITERATIONS: usize = 200;

/// One convex problem.
pub(crate) struct Convex<'a> {
    pub system: &'a dyn Delassus,
    /// p (contacts × dim)
    pub p: Vec<f64>,
    /// mean diagonal of W + E (contacts)
    pub weight: Vec<f64>,
}

impl<'a> Convex<'a> {
    /// The problem with p = q.
    pub fn new(system: &'a dyn Delassus) -> Self {
        Self { system, p: system.free().to_vec(), weight: weights(system) }
    }

    /// p = q + μ s n with s = ‖u_T‖ at the impulses `r`.
    pub fn shift(&mut self, r: &[f64]) {
        let mut u = Vec::new();
        self.system.relative(r, &mut u);
        shift(self.system, &u, r, &mut self.p);
    }

    /// (W + E) r + p.
    pub fn gradient(&self, r: &[f64], out: &mut Vec<f64>) {
        self.system.relative(r, out);
        let laws = self.system.laws();
        let parts = laws.compliance.iter().zip(r).zip(self.p.iter().zip(self.system.free()));
        for (g, ((e, r), (p, q))) in out.iter_mut().zip(parts) {
            *g += e * r + (p - q);
        }
    }

    /// (W + E) r.
    pub fn product(&self, r: &[f64], out: &mut Vec<f64>) {
        self.system.relative(r, out);
        let parts = self.system.laws().compliance.iter().zip(r).zip(self.system.free());
        for (g, ((e, r), q)) in out.iter_mut().zip(parts) {
            *g += e * r - q;
        }
    }

    /// ‖r − Π(r − ρ g)‖ / (ρ‖q‖): the residual of the convex problem.
    pub fn residual(&self, r: &[f64], gradient: &[f64]) -> f64 {
        let scale = self.system.scale();
        let moved: Vec<f64> = r.iter().zip(gradient).map(|(r, g)| r - scale.rho * g).collect();
        let projected = self.system.laws().project(&moved);
        let square: f64 = r.iter().zip(&projected).map(|(a, b)| (a - b) * (a - b)).sum();
        square.sqrt() / (scale.rho * scale.speed)
    }

    /// Π(r − t D⁻¹ g), D the mean diagonal of each contact.
    pub fn step(&self, r: &[f64], gradient: &[f64], length: f64) -> Vec<f64> {
        let laws = self.system.laws();
        let moved: Vec<f64> =
            r.iter().zip(gradient).enumerate().map(|(k, (r, g))| r - length * g / self.weight[k / laws.dim]).collect();
        laws.project(&moved)
    }
}

/// Mean diagonal of W + E of each contact, never zero.
pub(crate) fn weights(system: &dyn Delassus) -> Vec<f64> {
    let laws = system.laws();
    let least = 1e-6 / system.scale().rho;
    let mean = |i: usize, trace: f64| {
        let soft: f64 = laws.compliance[i * laws.dim..(i + 1) * laws.dim].iter().sum();
        ((trace + soft) / laws.dim as f64).max(least)
    };
    match laws.dim {
        2 => blocks::<2, 2>(system.diagonal()).iter().enumerate().map(|(i, w)| mean(i, w[0][0] + w[1][1])).collect(),
        _ => {
            let trace = |w: &[[f64; 3]; 3]| w[0][0] + w[1][1] + w[2][2];
            blocks::<3, 3>(system.diagonal()).iter().enumerate().map(|(i, w)| mean(i, trace(w))).collect()
        }
    }
}

/// p = q + μ‖u_T + E_T r_T‖ n, or q for the associated law.
pub(crate) fn shift(system: &dyn Delassus, u: &[f64], r: &[f64], p: &mut Vec<f64>) {
    let laws = system.laws();
    p.clear();
    p.extend_from_slice(system.free());
    if laws.associated {
        return;
    }
    for (i, (u, mu)) in u.chunks_exact(laws.dim).zip(laws.friction).enumerate() {
        let slip: f64 =
            (1..laws.dim).map(|k| u[k] + laws.compliance[i * laws.dim + k] * r[i * laws.dim + k]).map(|x| x * x).sum();
        p[i * laws.dim] += mu * slip.sqrt();
    }
}

/// Runs `inner` on convex problems until the law holds: `inner(problem, r, tolerance, iterations)` improves r and
/// returns the iterations it took.
pub(crate) fn coulomb(
    system: &dyn Delassus,
    impulses: &mut Vec<f64>,
    budget: &Budget,
    solver: SolverKind,
    mut inner: impl FnMut(&Convex<'_>, &mut Vec<f64>, f64, usize) -> usize,
) -> SolveReport {
    let mut problem = Convex::new(system);
    let mut r = impulses.clone();
    let mut best = system.measure(&r);
    let (mut error, mut iterations) = (best.value, 0);
    while best.value > budget.tolerance && iterations < budget.most && !budget.is_over() {
        problem.shift(&r);
        let most = INNER_ITERATIONS.min(budget.most - iterations);
        iterations += inner(&problem, &mut r, (INNER * error).max(0.5 * budget.tolerance), most).max(1);
        let now = system.measure(&r);
        error = now.value;
        if now.value < best.value {
            best = now;
            impulses.clone_from(&r);
        }
    }
    SolveReport {
        status: if best.value <= budget.tolerance { Status::Converged } else { Status::IterationLimit },
        solver,
        iterations,
        factorisations: 0,
        residual: best.value,
        worst_contact: best.worst_contact,
    }
}
