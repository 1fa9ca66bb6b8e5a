//! Interior point on second-order cones, for the true Coulomb law as well as for the associated one.
//!
//! Every contact is rescaled to the Lorentz cone L: r̂ = (μ rₙ, r_T), û = (ũₙ/μ, u_T), with the De Saxcé velocity
//! ũₙ = uₙ + μ‖u_T‖ for the true law and ũₙ = uₙ for the associated one. Newton's method follows the central path
//! ```text
//! M(v − v*) = Ĥ r̂,   û = Ĥᵀv + b̂ + Ê r̂ (+ ‖û_T‖ e),   û ∘ r̂ = σμ_b e,   û, r̂ ∈ int L
//! ```
//! with Nesterov–Todd scaling W_s and Mehrotra's predictor and corrector. The term ‖û_T‖ is differentiated too:
//! dû = B(Ĥᵀdv + …), B = I + e t̂ᵀ, so the matrix M + Ĥ (W_s² + BÊ)⁻¹ B Ĥᵀ is unsymmetric for the true law (LU) and
//! symmetric for the associated one (Cholesky). Following the path of the true law finds the sliding state of a
//! failing wall in a few dozen factorisations where loops over convex problems stall.
//!
//! Near the end W_s⁻² spans the whole range of f64 and digits are lost: the best iterate is kept, and
//! [`crate::proximal_newton`] or [`crate::sap`] gives the last digits.
//!
//! Requirements: no floors. Contacts without friction are scalar pairs (their tangential components stay zero). References: Acary, Armand, Nguyen &
//! Shpakovych, Optim. Methods Softw. (2022) for the convex problem. METHODS §7.

use crate::cone::project;
use crate::linear::Workspace;
use crate::lorentz::{self, Scaling};
use crate::problem::Problem;
use crate::report::{SolveReport, SolverKind, Status};
use crate::residual::{Residual, Scale, residual};
use crate::small::{identity, inverse, multiply, transform};

/// Friction below this counts as none: the scaling uₙ/μ would lose all digits.
const LEAST_FRICTION: f64 = 1e-6;
/// Part of the way to the boundary of the cone that a step may go.
const TO_BOUNDARY: f64 = 0.995;
/// Iterations without a better residual after which the iteration has lost its digits.
const PATIENCE: usize = 6;

/// Solves from scratch (an interior point cannot use a warm start); overwrites `impulses` with the best found.
pub fn solve(
    problem: &Problem,
    scale: &Scale,
    workspace: &mut Workspace,
    impulses: &mut Vec<f64>,
    tolerance: f64,
    max_factorisations: usize,
) -> SolveReport {
    match problem.dim() {
        2 => InteriorPoint::<2>::new(problem, scale).run(workspace, impulses, tolerance, max_factorisations),
        _ => InteriorPoint::<3>::new(problem, scale).run(workspace, impulses, tolerance, max_factorisations),
    }
}

struct InteriorPoint<'a, const D: usize> {
    problem: &'a Problem,
    scale: &'a Scale,
    /// friction used in the scaling, 1 where there is none (contacts)
    friction: Vec<f64>,
    v: Vec<f64>,
    /// û (contacts)
    u: Vec<[f64; D]>,
    /// r̂ (contacts)
    r: Vec<[f64; D]>,
}

/// Linear algebra of one iterate, shared by predictor and corrector.
struct Newton<const D: usize> {
    scaling: Vec<Scaling<D>>,
    /// (W_s² + BÊ)⁻¹ (contacts)
    soft: Vec<[[f64; D]; D]>,
    /// B (contacts)
    slip: Vec<[[f64; D]; D]>,
    /// λ = W_s r̂ (contacts)
    lambda: Vec<[f64; D]>,
    /// B-weighted residual of û = …
    primal: Vec<[f64; D]>,
    /// M(v−v*) − Ĥ r̂
    dual: Vec<f64>,
}

struct Direction<const D: usize> {
    v: Vec<f64>,
    u: Vec<[f64; D]>,
    r: Vec<[f64; D]>,
}

impl<'a, const D: usize> InteriorPoint<'a, D> {
    fn new(problem: &'a Problem, scale: &'a Scale) -> Self {
        let contacts = problem.contacts();
        let speed = scale.speed / (contacts as f64 * D as f64).sqrt().max(1.0);
        let friction = problem.friction.iter().map(|&mu| if mu < LEAST_FRICTION { 1.0 } else { mu }).collect();
        Self {
            problem,
            scale,
            friction,
            v: problem.free_velocity.clone(),
            u: vec![lorentz::unit(speed); contacts],
            r: vec![lorentz::unit(speed * scale.rho); contacts],
        }
    }

    fn run(
        mut self,
        workspace: &mut Workspace,
        impulses: &mut Vec<f64>,
        tolerance: f64,
        max_factorisations: usize,
    ) -> SolveReport {
        let mut report = SolveReport {
            status: Status::IterationLimit,
            solver: SolverKind::InteriorPoint,
            iterations: 0,
            factorisations: 0,
            residual: f64::INFINITY,
            worst_contact: 0,
        };
        let mut since = 0;
        loop {
            let candidate = self.impulses();
            let error = self.measure(&candidate);
            since += 1;
            if error.value < report.residual {
                (report.residual, report.worst_contact) = (error.value, error.worst_contact);
                *impulses = candidate;
                since = 0;
            }
            if error.value <= tolerance {
                report.status = Status::Converged;
                return report;
            }
            if since > PATIENCE {
                report.status = Status::Stalled;
                return report;
            }
            if report.factorisations >= max_factorisations {
                return report;
            }
            if !self.step(workspace) {
                report.status = Status::Stalled;
                return report;
            }
            report.factorisations += 1;
            report.iterations += 1;
        }
    }

    /// r in the cone, in physical units.
    fn impulses(&self) -> Vec<f64> {
        let triples = self.r.iter().zip(&self.friction).zip(&self.problem.friction);
        triples
            .flat_map(|((r, scaled), &mu)| {
                project(std::array::from_fn::<f64, D, _>(|k| if k == 0 { r[0] / scaled } else { r[k] }), mu)
            })
            .collect()
    }

    fn measure(&self, impulses: &[f64]) -> Residual {
        let (mut velocity, mut relative) = (Vec::new(), Vec::new());
        self.problem.velocity(impulses, &mut velocity);
        self.problem.relative_velocity(&velocity, &mut relative);
        residual(self.problem, self.scale, &relative, impulses)
    }

    /// One predictor–corrector step; false when the factorisation or the iterate breaks down.
    fn step(&mut self, workspace: &mut Workspace) -> bool {
        let Some(newton) = self.linearise() else { return false };
        let g: Vec<f64> = newton
            .soft
            .iter()
            .zip(&newton.slip)
            .zip(&self.friction)
            .flat_map(|((soft, slip), &mu)| {
                // back to physical components: S G S with S = diag(1/μ, 1, 1)
                let g = multiply(soft, slip);
                let s = |k: usize| if k == 0 { 1.0 / mu } else { 1.0 };
                (0..D * D).map(move |n| g[n / D][n % D] * s(n / D) * s(n % D)).collect::<Vec<_>>()
            })
            .collect();
        if workspace.factorise(self.problem, &g, self.problem.associated).is_err() {
            return false;
        }
        let contacts = self.r.len().max(1) as f64;
        let gap = self.u.iter().zip(&self.r).map(|(u, r)| lorentz::dot(u, r)).sum::<f64>() / contacts;
        let affine: Vec<[f64; D]> = newton.lambda.iter().map(|l| lorentz::jordan(l, l).map(|x| -x)).collect();
        let predictor = self.direction(workspace, &newton, &affine);
        let sigma = (1.0 - self.longest(&predictor, 0.999)).powi(3);
        let corrected: Vec<[f64; D]> = (0..self.r.len())
            .map(|i| {
                let scaled_u = transform(&newton.scaling[i].inverse, &predictor.u[i]);
                let scaled_r = transform(&newton.scaling[i].forward, &predictor.r[i]);
                let second = lorentz::jordan(&scaled_u, &scaled_r);
                let centre = lorentz::unit::<D>(sigma * gap);
                std::array::from_fn(|k| affine[i][k] - second[k] + centre[k])
            })
            .collect();
        let step = self.direction(workspace, &newton, &corrected);
        let alpha = self.longest(&step, TO_BOUNDARY);
        for (v, d) in self.v.iter_mut().zip(&step.v) {
            *v += alpha * d;
        }
        for (x, d) in self.u.iter_mut().chain(self.r.iter_mut()).zip(step.u.iter().chain(&step.r)) {
            for k in 0..D {
                x[k] += alpha * d[k];
            }
        }
        self.v.iter().all(|v| v.is_finite())
    }

    fn longest(&self, d: &Direction<D>, fraction: f64) -> f64 {
        let u = self.u.iter().zip(&d.u).map(|(x, d)| lorentz::longest_step(x, d));
        let r = self.r.iter().zip(&d.r).map(|(x, d)| lorentz::longest_step(x, d));
        u.chain(r).fold(1.0, |a, step| f64::min(a, fraction * step))
    }

    /// Scaled relative velocity S x of physical components.
    fn scaled(&self, physical: &[f64]) -> Vec<[f64; D]> {
        let scaled = |(i, u): (usize, &[f64; D])| {
            std::array::from_fn(|k| match k {
                0 => u[0] / self.friction[i],
                _ if self.smooth(i) => 0.0,
                _ => u[k],
            })
        };
        physical.as_chunks::<D>().0.iter().enumerate().map(scaled).collect()
    }

    /// True for a contact without friction.
    fn smooth(&self, i: usize) -> bool {
        self.problem.friction[i] < LEAST_FRICTION
    }

    fn linearise(&self) -> Option<Newton<D>> {
        let (problem, coulomb) = (self.problem, !self.problem.associated);
        let mut relative = Vec::new();
        problem.relative_velocity(&self.v, &mut relative);
        let relative = self.scaled(&relative);
        let contacts = self.r.len();
        let mut newton = Newton {
            scaling: Vec::with_capacity(contacts),
            soft: Vec::with_capacity(contacts),
            slip: Vec::with_capacity(contacts),
            lambda: Vec::with_capacity(contacts),
            primal: Vec::with_capacity(contacts),
            dual: Vec::new(),
        };
        for i in 0..contacts {
            let (u, r, mu) = (&self.u[i], &self.r[i], self.friction[i]);
            let scaling = if self.smooth(i) { Scaling::scalar(u, r)? } else { Scaling::new(u, r)? };
            let e: [f64; D] =
                std::array::from_fn(|k| problem.compliance[i * D + k] / if k == 0 { mu * mu } else { 1.0 });
            let t = u[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
            let mut slip = identity::<D>();
            let mut miss: [f64; D] = std::array::from_fn(|k| relative[i][k] + e[k] * r[k] - u[k]);
            if coulomb {
                for k in 1..D {
                    slip[0][k] = if t > 0.0 { u[k] / t } else { 0.0 };
                }
                miss[0] += t;
            }
            // W_s² + BÊ
            let mut soft = multiply(&scaling.forward, &scaling.forward);
            for a in 0..D {
                for b in 0..D {
                    soft[a][b] += slip[a][b] * e[b];
                }
            }
            newton.lambda.push(transform(&scaling.forward, r));
            newton.soft.push(if self.smooth(i) {
                let mut g = [[0.0; D]; D];
                g[0][0] = 1.0 / soft[0][0];
                g
            } else if e.iter().all(|&x| x == 0.0) {
                multiply(&scaling.inverse, &scaling.inverse)
            } else {
                inverse(&soft)?
            });
            newton.primal.push(transform(&slip, &miss));
            newton.slip.push(slip);
            newton.scaling.push(scaling);
        }
        let change: Vec<f64> = self.v.iter().zip(&problem.free_velocity).map(|(v, f)| v - f).collect();
        problem.mass_times(&change, &mut newton.dual);
        let minus: Vec<f64> = self.physical_impulse(&self.r).iter().map(|x| -x).collect();
        problem.add_transpose_times(&minus, &mut newton.dual);
        Some(newton)
    }

    /// S r̂: what Hᵀ acts on, so that Ĥ r̂ = H S r̂.
    fn physical_impulse(&self, r: &[[f64; D]]) -> Vec<f64> {
        let pairs = r.iter().zip(&self.friction);
        pairs.flat_map(|(r, mu)| std::array::from_fn::<f64, D, _>(|k| if k == 0 { r[0] / mu } else { r[k] })).collect()
    }

    /// Solves the linearised system for complementarity right-hand side `d`.
    fn direction(&self, workspace: &mut Workspace, newton: &Newton<D>, d: &[[f64; D]]) -> Direction<D> {
        let problem = self.problem;
        // W_s² Δr̂ + Δû = W_s (λ \ d)
        let target: Vec<[f64; D]> = (0..d.len())
            .map(|i| transform(&newton.scaling[i].forward, &lorentz::divide(&newton.lambda[i], &d[i])))
            .collect();
        let lifted: Vec<[f64; D]> = (0..d.len())
            .map(|i| {
                let rhs = std::array::from_fn(|k| target[i][k] - newton.primal[i][k]);
                transform(&newton.soft[i], &rhs)
            })
            .collect();
        let mut v: Vec<f64> = newton.dual.iter().map(|x| -x).collect();
        problem.add_transpose_times(&self.physical_impulse(&lifted), &mut v);
        let rhs = v.clone();
        workspace.solve(&mut v);
        workspace.refine(&rhs, &mut v);
        let mut along = vec![0.0; d.len() * D];
        problem.add_jacobian_times(&v, &mut along);
        let along = self.scaled(&along);
        let mut out = Direction { v, u: Vec::with_capacity(d.len()), r: Vec::with_capacity(d.len()) };
        for i in 0..d.len() {
            let ahead = transform(&newton.slip[i], &along[i]);
            let pull = transform(&newton.soft[i], &ahead);
            let r: [f64; D] = std::array::from_fn(|k| lifted[i][k] - pull[k]);
            // Δû = W_s(λ \ d) − W_s² Δr̂
            let back = transform(&newton.scaling[i].forward, &transform(&newton.scaling[i].forward, &r));
            let soft_free = problem.compliance[i * D..(i + 1) * D].iter().all(|&e| e == 0.0);
            out.u.push(std::array::from_fn(|k| {
                if soft_free { ahead[k] + newton.primal[i][k] } else { target[i][k] - back[k] }
            }));
            out.r.push(r);
        }
        out
    }
}
