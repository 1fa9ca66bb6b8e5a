//! Interior point on second-order cones, for the true Coulomb law as well as for the associated one.
//!
//! Every contact is rescaled to the Lorentz cone L: r̂ = (μ rₙ, r_T), û = (ũₙ/μ, u_T), with the De Saxcé velocity
//! ũₙ = uₙ + μ‖u_T‖ for the true law and ũₙ = uₙ for the associated one. Newton's method follows the central path
//! ```text
//! û = Ŵ r̂ + q̂ + Ê r̂ (+ ‖û_T‖ e),   û ∘ r̂ = σμ_b e,   û, r̂ ∈ int L
//! ```
//! with Nesterov–Todd scaling W_s and Mehrotra's predictor and corrector. The term ‖û_T‖ is differentiated too:
//! dû = B(Ŵ dr̂ + …), B = I + e t̂ᵀ, so G = (W_s² + BÊ)⁻¹ B in dr = b − G du is unsymmetric for the true law (LU) and
//! symmetric for the associated one (Cholesky in the global form). Following the path of the true law finds the sliding
//! state of a failing wall in a few dozen factorisations where loops over convex problems stall.
//!
//! Near the solution W_s⁻² spans the whole range of f64 and accuracy is lost: the best iterate is kept, and
//! [`crate::proximal_newton`] or [`crate::sap`] refines it.
//!
//! Requirements: no floors. Contacts without friction are scalar pairs (their tangential components stay zero).
//! References: Acary, Armand, Nguyen & Shpakovych, Optim. Methods Softw. (2022) for the convex problem. Book:
//! docs/method-solvers.md.

use crate::budget::Budget;
use crate::cone::project;
use crate::delassus::Delassus;
use crate::lorentz::{self, Scaling};
use crate::report::{SolveReport, SolverKind, Status};
use crate::small::{identity, inverse, multiply, transform};

/// Velocities and impulses of the first iterate of the convex problem, in units of the problem. Chosen on walls: one of
/// 60 courses takes 6 steps instead of 14, one of 160 courses 8 instead of 21.
const AT_REST: [f64; 2] = [0.3, 30.0];

/// Friction below this counts as none: the scaling uₙ/μ would lose all digits.
const LEAST_FRICTION: f64 = 1e-6;
/// Part of the way to the boundary of the cone that a step may go.
const TO_BOUNDARY: f64 = 0.995;
/// A step shorter than this indicates that rounding errors dominate.
const SHORTEST: f64 = 1e-4;
/// Iterations without a better residual after which the solve ends: rounding errors dominate.
const PATIENCE: usize = 6;

/// Solves from scratch (an interior point cannot use a warm start); overwrites `impulses` with the best found.
pub fn solve(system: &mut dyn Delassus, impulses: &mut Vec<f64>, budget: &Budget) -> SolveReport {
    match system.laws().dim {
        2 => InteriorPoint::<2>::new(system).run(impulses, budget),
        _ => InteriorPoint::<3>::new(system).run(impulses, budget),
    }
}

struct InteriorPoint<'a, const D: usize> {
    system: &'a mut dyn Delassus,
    /// friction used in the scaling, 1 where there is none (contacts)
    friction: Vec<f64>,
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
    /// Ê (contacts)
    soft_joint: Vec<[f64; D]>,
    /// B-weighted residual of û = …
    primal: Vec<[f64; D]>,
}

struct Direction<const D: usize> {
    u: Vec<[f64; D]>,
    r: Vec<[f64; D]>,
}

impl<'a, const D: usize> InteriorPoint<'a, D> {
    fn new(system: &'a mut dyn Delassus) -> Self {
        let contacts = system.contacts();
        let (speed, rho) = (system.scale().speed / (contacts as f64 * D as f64).sqrt().max(1.0), system.scale().rho);
        let friction = system.laws().friction.iter().map(|&mu| if mu < LEAST_FRICTION { 1.0 } else { mu }).collect();
        // the convex problem is solved for structures at rest: velocities are small, and forces add up from the top
        // down
        let [still, loaded] = if system.laws().associated { AT_REST } else { [1.0, 1.0] };
        let (u, r) =
            (vec![lorentz::unit(still * speed); contacts], vec![lorentz::unit(loaded * speed * rho); contacts]);
        Self { system, friction, u, r }
    }

    fn run(mut self, impulses: &mut Vec<f64>, budget: &Budget) -> SolveReport {
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
            let error = self.system.measure(&candidate);
            since += 1;
            if error.value < report.residual {
                (report.residual, report.worst_contact) = (error.value, error.worst_contact);
                *impulses = candidate;
                since = 0;
            }
            if error.value <= budget.tolerance {
                report.status = Status::Converged;
                return report;
            }
            if since > PATIENCE {
                report.status = Status::Stalled;
                return report;
            }
            if report.factorisations >= budget.most || budget.is_over() {
                return report;
            }
            if !self.step() {
                report.status = Status::Stalled;
                return report;
            }
            report.factorisations += 1;
            report.iterations += 1;
        }
    }

    /// r in the cone, in physical units.
    fn impulses(&self) -> Vec<f64> {
        let laws = self.system.laws();
        let triples = self.r.iter().zip(&self.friction).zip(laws.friction);
        triples
            .flat_map(|((r, scaled), &mu)| {
                project(std::array::from_fn::<f64, D, _>(|k| if k == 0 { r[0] / scaled } else { r[k] }), mu)
            })
            .collect()
    }

    /// One predictor–corrector step; false when the factorisation or the iterate breaks down.
    fn step(&mut self) -> bool {
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
        let symmetric = self.system.laws().associated;
        if self.system.factorise(&g, symmetric).is_err() {
            return false;
        }
        let contacts = self.r.len().max(1) as f64;
        let gap = self.u.iter().zip(&self.r).map(|(u, r)| lorentz::dot(u, r)).sum::<f64>() / contacts;
        let affine: Vec<[f64; D]> = newton.lambda.iter().map(|l| lorentz::jordan(l, l).map(|x| -x)).collect();
        let predictor = self.direction(&newton, &affine);
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
        let step = self.direction(&newton, &corrected);
        let alpha = self.longest(&step, TO_BOUNDARY);
        for (x, d) in self.u.iter_mut().chain(self.r.iter_mut()).zip(step.u.iter().chain(&step.r)) {
            for k in 0..D {
                x[k] += alpha * d[k];
            }
        }
        alpha > SHORTEST && self.r.as_flattened().iter().all(|r| r.is_finite())
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
        self.system.laws().friction[i] < LEAST_FRICTION
    }

    fn linearise(&self) -> Option<Newton<D>> {
        let laws = self.system.laws();
        let mut relative = Vec::new();
        self.system.relative(&self.physical_impulse(&self.r), &mut relative);
        let relative = self.scaled(&relative);
        let contacts = self.r.len();
        let mut newton = Newton {
            scaling: Vec::with_capacity(contacts),
            soft: Vec::with_capacity(contacts),
            slip: Vec::with_capacity(contacts),
            lambda: Vec::with_capacity(contacts),
            primal: Vec::with_capacity(contacts),
            soft_joint: Vec::with_capacity(contacts),
        };
        for i in 0..contacts {
            let (u, r, mu) = (&self.u[i], &self.r[i], self.friction[i]);
            let scaling = if self.smooth(i) { Scaling::scalar(u, r)? } else { Scaling::new(u, r)? };
            let e: [f64; D] = std::array::from_fn(|k| laws.compliance[i * D + k] / if k == 0 { mu * mu } else { 1.0 });
            let t = u[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
            let mut slip = identity::<D>();
            let mut miss: [f64; D] = std::array::from_fn(|k| relative[i][k] + e[k] * r[k] - u[k]);
            if !laws.associated {
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
            newton.soft_joint.push(e);
            newton.scaling.push(scaling);
        }
        Some(newton)
    }

    /// S r̂: what Hᵀ acts on, so that Ĥ r̂ = H S r̂.
    fn physical_impulse(&self, r: &[[f64; D]]) -> Vec<f64> {
        let pairs = r.iter().zip(&self.friction);
        pairs.flat_map(|(r, mu)| std::array::from_fn::<f64, D, _>(|k| if k == 0 { r[0] / mu } else { r[k] })).collect()
    }

    /// Solves the linearised system for complementarity right-hand side `d`.
    fn direction(&mut self, newton: &Newton<D>, d: &[[f64; D]]) -> Direction<D> {
        // W_s² Δr̂ + Δû = W_s (λ \ d)
        let lifted: Vec<[f64; D]> = (0..d.len())
            .map(|i| {
                let target = transform(&newton.scaling[i].forward, &lorentz::divide(&newton.lambda[i], &d[i]));
                let rhs = std::array::from_fn(|k| target[k] - newton.primal[i][k]);
                transform(&newton.soft[i], &rhs)
            })
            .collect();
        let (mut dr, mut du) = (Vec::new(), Vec::new());
        self.system.respond(&self.physical_impulse(&lifted), &mut dr, &mut du);
        let along = self.scaled(&du);
        let mut out = Direction { u: Vec::with_capacity(d.len()), r: Vec::with_capacity(d.len()) };
        for (i, dr) in dr.as_chunks::<D>().0.iter().enumerate() {
            let r: [f64; D] = std::array::from_fn(|k| if k == 0 { dr[0] * self.friction[i] } else { dr[k] });
            let moved = std::array::from_fn(|k| along[i][k] + newton.soft_joint[i][k] * r[k]);
            let ahead = transform(&newton.slip[i], &moved);
            out.u.push(std::array::from_fn(|k| ahead[k] + newton.primal[i][k]));
            out.r.push(r);
        }
        out
    }
}

/// Error of the affine direction in the equation of û, and in the scaled complementarity.
#[cfg(test)]
pub(crate) fn newton_error(system: &mut dyn Delassus) -> f64 {
    fn run<const D: usize>(system: &mut dyn Delassus) -> f64 {
        let mut point = InteriorPoint::<D>::new(system);
        for (i, (u, r)) in point.u.iter_mut().zip(&mut point.r).enumerate() {
            *u = std::array::from_fn(|k| if k == 0 { 1.0 } else { 0.3 * ((i + k) as f64).sin() });
            *r = std::array::from_fn(|k| if k == 0 { 0.7 } else { 0.2 * ((2 * i + k) as f64).cos() });
        }
        let Some(newton) = point.linearise() else { return f64::INFINITY };
        let blocks = newton.soft.iter().zip(&newton.slip).zip(&point.friction);
        let g: Vec<f64> = blocks
            .flat_map(|((soft, slip), &mu)| {
                let g = multiply(soft, slip);
                let s = move |k: usize| if k == 0 { 1.0 / mu } else { 1.0 };
                (0..D * D).map(move |n| g[n / D][n % D] * s(n / D) * s(n % D)).collect::<Vec<_>>()
            })
            .collect();
        if point.system.factorise(&g, point.system.laws().associated).is_err() {
            return f64::INFINITY;
        }
        let affine: Vec<[f64; D]> = newton.lambda.iter().map(|l| lorentz::jordan(l, l).map(|x| -x)).collect();
        let step = point.direction(&newton, &affine);
        // λ ∘ (W⁻¹Δû + WΔr̂) = −λ ∘ λ
        let mut most: f64 = 0.0;
        for (i, target) in affine.iter().enumerate() {
            let [a, b] =
                [transform(&newton.scaling[i].inverse, &step.u[i]), transform(&newton.scaling[i].forward, &step.r[i])];
            let sum: [f64; D] = std::array::from_fn(|k| a[k] + b[k]);
            let off = lorentz::jordan(&newton.lambda[i], &sum);
            most = (0..D).fold(most, |most, k| most.max((off[k] - target[k]).abs()));
        }
        // û = Ŵ r̂ + q̂ + Ê r̂ (+ ‖û_T‖ e)
        let moved = |s: f64| {
            let along = |x: &[[f64; D]], d: &[[f64; D]]| -> Vec<[f64; D]> {
                x.iter().zip(d).map(|(x, d)| std::array::from_fn(|k| x[k] + s * d[k])).collect()
            };
            (along(&point.u, &step.u), along(&point.r, &step.r))
        };
        let residual = |s: f64| {
            let (laws, (u, r)) = (point.system.laws(), moved(s));
            let mut relative = Vec::new();
            point.system.relative(&point.physical_impulse(&r), &mut relative);
            let relative = point.scaled(&relative);
            let mut out = Vec::new();
            for i in 0..u.len() {
                let mu = point.friction[i];
                let slip = if laws.associated { 0.0 } else { u[i][1..].iter().map(|x| x * x).sum::<f64>().sqrt() };
                for k in 0..D {
                    let e = laws.compliance[i * D + k] / if k == 0 { mu * mu } else { 1.0 };
                    out.push(relative[i][k] + e * r[i][k] - u[i][k] + if k == 0 { slip } else { 0.0 });
                }
            }
            out
        };
        crate::gradients::newton_miss(residual).max(most)
    }
    match system.laws().dim {
        2 => run::<2>(system),
        _ => run::<3>(system),
    }
}
