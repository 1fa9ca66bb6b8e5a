//! Proximal point around semismooth Newton (Alart–Curnier) on the true Coulomb law.
//!
//! Each proximal step replaces u by ũ = u + E r + α (r − r_k), α = a·w_i with w_i the mean diagonal of W at the
//! contact, and solves M(v−v*) = Jᵀr, Φ(ũ, r) = 0 with
//! ```text
//! Φₙ = rₙ − max(0, rₙ − ρ ũₙ),   Φ_T = r_T − Π_{‖·‖ ≤ μ max(0, rₙ − ρ ũₙ)}(r_T − ρ ũ_T)
//! ```
//! by Newton: dΦ = A dũ + B dr gives (M + Jᵀ D A J) dv = …, D = (A(α+E) + B)⁻¹. While no contact slides the matrix is
//! symmetric (Cholesky), otherwise it is not (multifrontal LU). At a fixed point r = r_k, so α leaves no trace.
//!
//! Requirements: true law, no floors. References: Alart & Curnier, CMAME 92 (1991); Rockafellar (1976). METHODS §3.3.

use crate::cone::{project, tangential_length};
use crate::linear::Workspace;
use crate::problem::{Problem, blocks, inverse_mass_times};
use crate::report::{SolveReport, SolverKind, Status};
use crate::residual::{Scale, residual};
use crate::small::{inverse, multiply, transform};

/// First proximal weight for a start far from the solution, in units of w_i.
pub const COLD_WEIGHT: f64 = 1e-1;
/// First proximal weight for a start that an interior point has left near the solution.
pub const NEAR_WEIGHT: f64 = 1e-5;
/// Smallest proximal weight.
const LEAST_WEIGHT: f64 = 1e-9;
/// Largest proximal weight, reached only when Newton keeps failing.
const MOST_WEIGHT: f64 = 1e3;
/// Newton steps allowed to one proximal step.
const MOST_INNER: usize = 40;

/// Solves from `impulses`, which are overwritten with the best found.
pub fn solve(
    problem: &Problem,
    scale: &Scale,
    diagonal: &[f64],
    workspace: &mut Workspace,
    impulses: &mut Vec<f64>,
    limits: &Limits,
) -> SolveReport {
    match problem.dim() {
        2 => Newton::<2>::new(problem, scale, diagonal).run(workspace, impulses, limits),
        _ => Newton::<3>::new(problem, scale, diagonal).run(workspace, impulses, limits),
    }
}

/// Where to start and when to stop.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Tolerance on the residual.
    pub tolerance: f64,
    /// Factorisations in all.
    pub factorisations: usize,
    /// First proximal weight, in units of w_i: [`COLD_WEIGHT`] or [`NEAR_WEIGHT`].
    pub first_weight: f64,
}

struct Newton<'a, const D: usize> {
    problem: &'a Problem,
    scale: &'a Scale,
    /// w_i (contacts)
    weight: Vec<f64>,
    /// ‖v*‖_M
    momentum: f64,
}

/// An iterate and everything known there.
#[derive(Clone, Default)]
struct Point {
    velocity: Vec<f64>,
    impulse: Vec<f64>,
    balance: Vec<f64>,
    phi: Vec<f64>,
    merit: f64,
}

impl<'a, const D: usize> Newton<'a, D> {
    fn new(problem: &'a Problem, scale: &'a Scale, diagonal: &[f64]) -> Self {
        let mean = |w: &[[f64; D]; D]| (0..D).map(|k| w[k][k]).sum::<f64>() / D as f64;
        let weight = blocks::<D, D>(diagonal).iter().map(|w| mean(w).max(1e-3 / scale.rho)).collect();
        let mut mv = Vec::new();
        problem.mass_times(&problem.free_velocity, &mut mv);
        let momentum = mv.iter().zip(&problem.free_velocity).map(|(a, b)| a * b).sum::<f64>().sqrt();
        Self { problem, scale, weight, momentum: momentum.max(1e-300) }
    }

    fn run(self, workspace: &mut Workspace, impulses: &mut Vec<f64>, limits: &Limits) -> SolveReport {
        let Limits { tolerance, factorisations: max_factorisations, first_weight } = *limits;
        let mut point = Point { impulse: impulses.clone(), ..Point::default() };
        self.problem.velocity(&point.impulse, &mut point.velocity);
        let (mut error, mut worst) = self.true_residual(&point.impulse);
        let (mut best, mut factorisations, mut a) = (error, 0, first_weight);
        let mut status = Status::IterationLimit;
        while best > tolerance && factorisations < max_factorisations {
            let center = point.impulse.clone();
            let before = factorisations;
            let solved = self.inner(workspace, &mut point, &center, a, max_factorisations, &mut factorisations);
            let cone = self.in_cone(&point.impulse);
            (error, worst) = self.true_residual(&cone);
            if error < best {
                best = error;
                impulses.clone_from(&cone);
            }
            let steps = factorisations - before;
            // shrink while Newton is at ease, retreat when it is not
            a *= match solved {
                true if steps <= 3 => 0.1,
                true => 0.3,
                false => 4.0,
            };
            // Newton has given up, or it has nothing left to do and yet the residual is what it is
            if (!solved && a > MOST_WEIGHT) || (steps == 0 && a < LEAST_WEIGHT) {
                status = Status::Stalled;
                break;
            }
            a = a.max(LEAST_WEIGHT);
        }
        if best <= tolerance {
            status = Status::Converged;
        }
        let solver = SolverKind::ProximalNewton;
        SolveReport { status, solver, iterations: factorisations, factorisations, residual: best, worst_contact: worst }
    }

    fn in_cone(&self, impulse: &[f64]) -> Vec<f64> {
        let pairs = impulse.as_chunks::<D>().0.iter().zip(&self.problem.friction);
        pairs.flat_map(|(r, &mu)| project(*r, mu)).collect()
    }

    fn true_residual(&self, impulse: &[f64]) -> (f64, usize) {
        let (mut velocity, mut relative) = (Vec::new(), Vec::new());
        self.problem.velocity(impulse, &mut velocity);
        self.problem.relative_velocity(&velocity, &mut relative);
        let r = residual(self.problem, self.scale, &relative, impulse);
        (r.value, r.worst_contact)
    }

    /// Newton on one proximal step; true when it converged.
    fn inner(
        &self,
        workspace: &mut Workspace,
        point: &mut Point,
        center: &[f64],
        a: f64,
        max_factorisations: usize,
        factorisations: &mut usize,
    ) -> bool {
        self.evaluate(point, center, a);
        for _ in 0..MOST_INNER {
            if point.merit <= 1e-12 {
                return true;
            }
            if *factorisations >= max_factorisations {
                return false;
            }
            *factorisations += 1;
            let Some((dv, dr)) = self.direction(workspace, point, center, a) else { return false };
            let mut step = 1.0;
            loop {
                let mut trial = Point {
                    velocity: point.velocity.iter().zip(&dv).map(|(x, d)| x + step * d).collect(),
                    impulse: point.impulse.iter().zip(&dr).map(|(x, d)| x + step * d).collect(),
                    ..Point::default()
                };
                self.evaluate(&mut trial, center, a);
                if trial.merit < (1.0 - 1e-4 * step) * point.merit || step < 1e-3 {
                    *point = trial;
                    break;
                }
                step *= 0.5;
            }
            if !point.merit.is_finite() {
                return false;
            }
        }
        point.merit <= 1e-8
    }

    /// ũ, and x = r − ρ ũ, of one contact.
    fn shifted(&self, i: usize, u: &[f64; D], r: &[f64; D], center: &[f64; D], a: f64) -> ([f64; D], f64) {
        let alpha = a * self.weight[i];
        let e = &self.problem.compliance[i * D..(i + 1) * D];
        let rho = 1.0 / (self.weight[i] + alpha + e[0]);
        (std::array::from_fn(|k| r[k] - rho * (u[k] + e[k] * r[k] + alpha * (r[k] - center[k]))), rho)
    }

    fn evaluate(&self, point: &mut Point, center: &[f64], a: f64) {
        let problem = self.problem;
        let mut relative = Vec::new();
        problem.relative_velocity(&point.velocity, &mut relative);
        point.phi.clear();
        let mut square = 0.0;
        let (u, r, c) = (relative.as_chunks::<D>().0, point.impulse.as_chunks::<D>().0, center.as_chunks::<D>().0);
        for i in 0..r.len() {
            let (x, rho) = self.shifted(i, &u[i], &r[i], &c[i], a);
            let n = x[0].max(0.0);
            let (t, bound) = (tangential_length(&x), problem.friction[i] * n);
            let ratio = if t <= bound { 1.0 } else { bound / t };
            for k in 0..D {
                let f = r[i][k] - if k == 0 { n } else { ratio * x[k] };
                square += f * f / rho;
                point.phi.push(f);
            }
        }
        let change: Vec<f64> = point.velocity.iter().zip(&problem.free_velocity).map(|(v, f)| v - f).collect();
        problem.mass_times(&change, &mut point.balance);
        let minus: Vec<f64> = point.impulse.iter().map(|g| -g).collect();
        problem.add_transpose_times(&minus, &mut point.balance);
        let mut lifted = Vec::new();
        inverse_mass_times(problem, &point.balance, &mut lifted);
        square += lifted.iter().zip(&point.balance).map(|(a, b)| a * b).sum::<f64>();
        point.merit = square.sqrt() / self.momentum;
    }

    /// Newton direction (dv, dr), or `None` when the matrix is singular.
    fn direction(
        &self,
        workspace: &mut Workspace,
        point: &Point,
        center: &[f64],
        a: f64,
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let problem = self.problem;
        let mut relative = Vec::new();
        problem.relative_velocity(&point.velocity, &mut relative);
        let (u, r, c) = (relative.as_chunks::<D>().0, point.impulse.as_chunks::<D>().0, center.as_chunks::<D>().0);
        let phi = point.phi.as_chunks::<D>().0;
        let mut g: Vec<[[f64; D]; D]> = Vec::with_capacity(r.len());
        let mut lifted: Vec<[f64; D]> = Vec::with_capacity(r.len());
        let mut symmetric = true;
        for i in 0..r.len() {
            let (x, rho) = self.shifted(i, &u[i], &r[i], &c[i], a);
            let (pa, pb, slides) = derivatives(&x, rho, problem.friction[i]);
            symmetric &= !slides;
            let soft: [f64; D] = std::array::from_fn(|k| a * self.weight[i] + problem.compliance[i * D + k]);
            let d: [[f64; D]; D] =
                inverse(&std::array::from_fn(|p| std::array::from_fn(|q| pa[p][q] * soft[q] + pb[p][q])))?;
            g.push(multiply(&d, &pa));
            lifted.push(transform(&d, &phi[i]));
        }
        workspace.factorise(problem, g.as_flattened().as_flattened(), symmetric).ok()?;
        // rhs = −balance − Jᵀ D Φ
        let mut dv: Vec<f64> = point.balance.iter().map(|b| -b).collect();
        let minus: Vec<f64> = lifted.as_flattened().iter().map(|x| -x).collect();
        problem.add_transpose_times(&minus, &mut dv);
        workspace.solve(&mut dv);
        let mut along = vec![0.0; minus.len()];
        problem.add_jacobian_times(&dv, &mut along);
        let mut dr = minus;
        for (i, du) in along.as_chunks::<D>().0.iter().enumerate() {
            for p in 0..D {
                dr[i * D + p] -= (0..D).map(|q| g[i][p][q] * du[q]).sum::<f64>();
            }
        }
        Some((dv, dr))
    }
}

/// A = ∂Φ/∂ũ, B = ∂Φ/∂r at fixed ũ, and whether the contact slides.
fn derivatives<const D: usize>(x: &[f64; D], rho: f64, mu: f64) -> ([[f64; D]; D], [[f64; D]; D], bool) {
    let (mut a, mut b) = ([[0.0; D]; D], [[0.0; D]; D]);
    let on = x[0] > 0.0;
    if on {
        a[0][0] = rho;
    } else {
        b[0][0] = 1.0;
    }
    let (t, bound) = (tangential_length(x), mu * x[0].max(0.0));
    if t <= bound {
        for k in 1..D {
            a[k][k] = rho;
        }
        return (a, b, false);
    }
    let ratio = bound / t;
    for i in 1..D {
        for j in 1..D {
            let identity = f64::from(u8::from(i == j));
            let g = ratio * (identity - x[i] * x[j] / (t * t));
            a[i][j] = rho * g;
            b[i][j] = identity - g;
        }
        if on {
            a[i][0] = mu * rho * x[i] / t;
            b[i][0] = -mu * x[i] / t;
        }
    }
    (a, b, on && mu > 0.0)
}
