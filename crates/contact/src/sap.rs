//! Newton on the regularised convex problem (SAP), kept rigid by multipliers.
//!
//! For given multipliers r_k, compliance R > 0 and De Saxcé shift s the step minimises over velocities
//! ```text
//! ℓ(v) = ½ (v−v*)ᵀ M (v−v*) + ½ γᵀ(R+E)γ,   γ = Π(y),   y = (R+E)⁻¹ (R r_k − u − s n),   u = J v + b
//! ```
//! with Π the projection on the cone in the metric R+E. Its Hessian M + Jᵀ (∂Π/∂y)(R+E)⁻¹ J is symmetric positive
//! definite: sparse Cholesky, exact line search. Then r_k ← γ (method of multipliers: the artificial compliance R
//! disappears) and s ← μ‖u_T‖ (true Coulomb; s = 0 for the associated law). If no contact slides, s = 0 and a few
//! Newton steps suffice; if many contacts slide, the loop on s stalls, and the caller continues with
//! [`crate::proximal_newton`].
//!
//! Requirements: no floors. References: Castro, Permenter & Han, IEEE T-RO (2021); Rockafellar, SIAM J. Control
//! Optim. 14 (1976); Acary et al., ZAMM 91 (2011) for the loop on s. Book: docs/method-solvers.md.

use rayon::prelude::*;

use crate::budget::Budget;
use crate::cone::{MetricProjection, tangential_length};
use crate::linear::Workspace;
use crate::problem::{PIECE, Problem, blocks, in_pieces};
use crate::report::{SolveReport, SolverKind, Status};
use crate::residual::{Scale, residual};

/// The regularisations of a solve.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Compliances R in turn, in units of the mean diagonal of W at each contact.
    pub compliances: &'static [f64],
    /// True when compliant contacts are expected to slide: the part of their velocity that deflects their springs is
    /// then no slip. A structure at rest needs no such correction.
    pub slides: bool,
}

/// Compliance R for structures at rest, in units of the mean diagonal of W at each contact: the residual that the
/// first outer loop leaves is about 100 R, so this one makes that loop the last. Velocities at rest are themselves of
/// the order R, which is why nothing is lost to rounding.
pub const RIGID: Schedule = Schedule { compliances: &[1e-12], slides: false };
/// The same, then softer ones for problems in which something slides: there γ = Π(−u/R) cancels, and R must stay
/// above about 1e-8. The multipliers cancel the effect of the compliance.
pub const RIGID_THEN_SOFT: Schedule = Schedule { compliances: &[1e-12, 1e-7, 1e-4], slides: true };
/// Inner Newton stops at this momentum error relative to ‖v*‖_M.
const INNER: f64 = 1e-12;
/// Outer loops without halving the residual that count as a stall.
const PATIENCE: usize = 3;
/// Newton steps without halving the inner error that count as a stall.
const IDLE_STEPS: usize = 12;
/// Line searches in a row shorter than [`SHORT`] that count as a stall: too much slides for so stiff a problem.
const SHORT_STEPS: usize = 4;
const SHORT: f64 = 0.05;

/// Solves from `impulses`, which are overwritten with the best found.
pub fn solve(
    problem: &Problem,
    scale: &Scale,
    diagonal: &[f64],
    workspace: &mut Workspace,
    impulses: &mut Vec<f64>,
    budget: &Budget,
    schedule: Schedule,
) -> SolveReport {
    match problem.dim() {
        2 => run::<2>(problem, scale, diagonal, workspace, impulses, budget, schedule),
        _ => run::<3>(problem, scale, diagonal, workspace, impulses, budget, schedule),
    }
}

/// One compliance after another, from the best impulses so far, until one converges; the arguments are those of
/// `solve`, with the dimension as a constant.
fn run<const D: usize>(
    problem: &Problem,
    scale: &Scale,
    diagonal: &[f64],
    workspace: &mut Workspace,
    impulses: &mut Vec<f64>,
    budget: &Budget,
    schedule: Schedule,
) -> SolveReport {
    let mut best: Option<SolveReport> = None;
    let (mut iterations, mut factorisations) = (0, 0);
    for &compliance in schedule.compliances {
        let mut trial = impulses.clone();
        let left = budget.most(budget.most.saturating_sub(factorisations));
        let report =
            Sap::<D>::new(problem, scale, diagonal, compliance, schedule.slides).run(workspace, &mut trial, &left);
        iterations += report.iterations;
        factorisations += report.factorisations;
        if best.is_none_or(|b| report.residual < b.residual) {
            *impulses = trial;
            best = Some(report);
        }
        if report.status == Status::Converged {
            break;
        }
    }
    let best = best.unwrap_or(SolveReport {
        status: Status::Stalled,
        solver: SolverKind::Sap,
        iterations,
        factorisations,
        residual: f64::INFINITY,
        worst_contact: 0,
    });
    SolveReport { iterations, factorisations, ..best }
}

struct Sap<'a, const D: usize> {
    problem: &'a Problem,
    scale: &'a Scale,
    /// R (contacts)
    regular: Vec<f64>,
    /// μ s (contacts)
    shift: Vec<f64>,
    /// ‖v*‖_M
    momentum: f64,
    /// See [`Schedule`].
    slides: bool,
}

/// Everything known at one velocity.
#[derive(Default)]
struct Point {
    velocity: Vec<f64>,
    relative: Vec<f64>,
    gamma: Vec<f64>,
    gradient: Vec<f64>,
    /// ∂Π/∂y of the last factorisation (contacts × D × D)
    derivative: Vec<f64>,
}

impl<'a, const D: usize> Sap<'a, D> {
    fn new(problem: &'a Problem, scale: &'a Scale, diagonal: &[f64], compliance: f64, slides: bool) -> Self {
        let mean = |w: &[[f64; D]; D]| (0..D).map(|k| w[k][k]).sum::<f64>() / D as f64;
        let regular = blocks::<D, D>(diagonal).iter().map(|w| compliance * mean(w).max(1e-3 / scale.rho)).collect();
        let mut mv = Vec::new();
        problem.mass_times(&problem.free_velocity, &mut mv);
        let momentum = mv.iter().zip(&problem.free_velocity).map(|(a, b)| a * b).sum::<f64>().sqrt();
        Self { problem, scale, regular, shift: vec![0.0; problem.contacts()], momentum: momentum.max(1e-300), slides }
    }

    fn run(mut self, workspace: &mut Workspace, impulses: &mut Vec<f64>, budget: &Budget) -> SolveReport {
        let problem = self.problem;
        let mut multipliers = impulses.clone();
        let mut point = Point::default();
        problem.velocity(&multipliers, &mut point.velocity);
        let mut best = f64::INFINITY;
        let mut report = SolveReport {
            status: Status::IterationLimit,
            solver: SolverKind::Sap,
            iterations: 0,
            factorisations: 0,
            residual: f64::INFINITY,
            worst_contact: 0,
        };
        let (mut halved_at, mut since, mut short) = (f64::INFINITY, 0, 0);
        let (mut least_inner, mut idle) = (f64::INFINITY, 0);
        'outer: while report.factorisations < budget.most && !budget.is_over() {
            loop {
                self.evaluate(&multipliers, &mut point);
                let (error, relative) = self.true_residual(&point.gamma);
                if error.value < best {
                    best = error.value;
                    impulses.clone_from(&point.gamma);
                    (report.residual, report.worst_contact) = (error.value, error.worst_contact);
                }
                if error.value <= budget.tolerance {
                    report.status = Status::Converged;
                    break 'outer;
                }
                let inner = self.momentum_error(&point.gradient);
                idle = if inner <= 0.5 * least_inner { 0 } else { idle + 1 };
                least_inner = least_inner.min(inner);
                if idle >= IDLE_STEPS {
                    report.status = Status::Stalled;
                    break 'outer;
                }
                if inner <= INNER || report.factorisations >= budget.most || budget.is_over() {
                    self.update_shift(&relative, &point.gamma);
                    break;
                }
                let Ok(length) = self.newton(workspace, &multipliers, &mut point) else {
                    report.status = Status::Stalled;
                    break 'outer;
                };
                short = if length < SHORT { short + 1 } else { 0 };
                if short >= SHORT_STEPS {
                    report.status = Status::Stalled;
                    break 'outer;
                }
                report.factorisations += 1;
                report.iterations += 1;
            }
            multipliers.clone_from(&point.gamma);
            (least_inner, idle) = (f64::INFINITY, 0);
            self.extrapolate(workspace, &multipliers, &mut point);
            since += 1;
            if best <= 0.5 * halved_at {
                (halved_at, since) = (best, 0);
            } else if since >= PATIENCE {
                report.status = Status::Stalled;
                break;
            }
        }
        report
    }

    /// Residual of the law for impulses γ and the velocities that follow from them.
    fn true_residual(&self, gamma: &[f64]) -> (crate::residual::Residual, Vec<f64>) {
        let (mut velocity, mut relative) = (Vec::new(), Vec::new());
        self.problem.velocity(gamma, &mut velocity);
        self.problem.relative_velocity(&velocity, &mut relative);
        (residual(&self.problem.laws(), self.scale, &relative, gamma), relative)
    }

    /// s ← μ‖u_T + E_T r_T‖ where the impulse is on the cone; a sticking contact creeps at the speed R r, which is no
    /// slip.
    fn update_shift(&mut self, relative: &[f64], gamma: &[f64]) {
        if self.problem.associated {
            return;
        }
        for (i, (u, g)) in relative.as_chunks::<D>().0.iter().zip(gamma.as_chunks::<D>().0).enumerate() {
            let mu = self.problem.friction[i];
            let slides = g[0] > 0.0 && tangential_length(g) >= mu * g[0] * (1.0 - 1e-12);
            let e = &self.problem.compliance[i * D..(i + 1) * D];
            let slip: [f64; D] = std::array::from_fn(|k| if self.slides { u[k] + e[k] * g[k] } else { u[k] });
            self.shift[i] = if slides { mu * tangential_length(&slip) } else { 0.0 };
        }
    }

    fn momentum_error(&self, gradient: &[f64]) -> f64 {
        let mut lifted = Vec::new();
        self.problem.inverse_mass_times(gradient, &mut lifted);
        lifted.iter().zip(gradient).map(|(a, b)| a * b).sum::<f64>().sqrt() / self.momentum
    }

    /// y and the metric R + E of one contact.
    fn argument(&self, i: usize, u: &[f64; D], multiplier: &[f64; D]) -> ([f64; D], [f64; D]) {
        let e = &self.problem.compliance[i * D..(i + 1) * D];
        let r = self.regular[i];
        let metric: [f64; D] = std::array::from_fn(|k| r + if k == 0 { e[0] } else { e[1] });
        let y =
            std::array::from_fn(|k| (r * multiplier[k] - u[k] - if k == 0 { self.shift[i] } else { 0.0 }) / metric[k]);
        (y, metric)
    }

    fn project(&self, i: usize, u: &[f64; D], multiplier: &[f64; D]) -> (MetricProjection<D>, [f64; D]) {
        let (y, metric) = self.argument(i, u, multiplier);
        (MetricProjection::new(y, self.problem.friction[i], metric[0], metric[1]), metric)
    }

    /// γ and the gradient M(v−v*) − Jᵀγ at the point's velocity.
    fn evaluate(&self, multipliers: &[f64], point: &mut Point) {
        self.problem.relative_velocity(&point.velocity, &mut point.relative);
        point.gamma.resize(point.relative.len(), 0.0);
        let (u, m) = (point.relative.as_chunks::<D>().0, multipliers.as_chunks::<D>().0);
        in_pieces(point.gamma.as_chunks_mut::<D>().0, |i, gamma| *gamma = self.project(i, &u[i], &m[i]).0.point);
        point.gradient = self.inertia(&point.velocity);
        let minus: Vec<f64> = point.gamma.iter().map(|g| -g).collect();
        self.problem.add_transpose_times(&minus, &mut point.gradient);
    }

    /// After a change of multipliers: one step with the last factorisation, on the statuses it was made for.
    ///
    /// The projection is homogeneous, so γ = (∂Π/∂y) y on each piece: if no status changes, this step is exact.
    fn extrapolate(&self, workspace: &mut Workspace, multipliers: &[f64], point: &mut Point) {
        if point.derivative.len() != point.gamma.len() * D {
            return;
        }
        let pairs = point.relative.as_chunks::<D>().0.iter().zip(multipliers.as_chunks::<D>().0);
        let mut minus = Vec::with_capacity(point.gamma.len());
        for (i, (u, m)) in pairs.enumerate() {
            let y = self.argument(i, u, m).0;
            let d = &blocks::<D, D>(&point.derivative)[i];
            minus.extend((0..D).map(|a| -(0..D).map(|b| d[a][b] * y[b]).sum::<f64>()));
        }
        let mut step = self.inertia(&point.velocity);
        self.problem.add_transpose_times(&minus, &mut step);
        step.iter_mut().for_each(|x| *x = -*x);
        workspace.solve(&mut step);
        for (v, s) in point.velocity.iter_mut().zip(&step) {
            *v += s;
        }
    }

    /// M (v − v*).
    fn inertia(&self, velocity: &[f64]) -> Vec<f64> {
        let change: Vec<f64> = velocity.iter().zip(&self.problem.free_velocity).map(|(v, f)| v - f).collect();
        let mut out = Vec::new();
        self.problem.mass_times(&change, &mut out);
        out
    }

    /// One Newton step with exact line search; leaves the new velocity in the point and returns the step's length.
    fn newton(
        &self,
        workspace: &mut Workspace,
        multipliers: &[f64],
        point: &mut Point,
    ) -> Result<f64, crate::linear::Singular> {
        let (u, m) = (point.relative.as_chunks::<D>().0, multipliers.as_chunks::<D>().0);
        let mut pairs = vec![([[0.0; D]; D], [[0.0; D]; D]); u.len()];
        in_pieces(&mut pairs, |i, (derivative, hessian)| {
            let (p, metric) = self.project(i, &u[i], &m[i]);
            *derivative = p.derivative;
            *hessian = p.derivative.map(|row| std::array::from_fn(|k| row[k] / metric[k]));
        });
        point.derivative = pairs.iter().flat_map(|pair| pair.0).flatten().collect();
        let hessian: Vec<f64> = pairs.iter().flat_map(|pair| pair.1).flatten().collect();
        workspace.factorise(self.problem, &hessian, true)?;
        let mut step: Vec<f64> = point.gradient.iter().map(|g| -g).collect();
        workspace.solve(&mut step);

        let mut along = vec![0.0; point.relative.len()];
        self.problem.add_jacobian_times(&step, &mut along);
        let mut inertia = Vec::new();
        self.problem.mass_times(&step, &mut inertia);
        let square: f64 = inertia.iter().zip(&step).map(|(a, b)| a * b).sum();
        let drift: f64 = inertia
            .iter()
            .zip(point.velocity.iter().zip(&self.problem.free_velocity))
            .map(|(m, (v, f))| m * (v - f))
            .sum();
        // dℓ/dα along the step
        let slope = |alpha: f64| -> f64 {
            // pieces of fixed size, summed in order: the same bits on any number of threads
            let pieces: Vec<f64> = (0..along.len().div_ceil(PIECE * D))
                .into_par_iter()
                .map(|piece| {
                    let du = along.as_chunks::<D>().0;
                    let mut sum = 0.0;
                    for i in piece * PIECE..((piece + 1) * PIECE).min(du.len()) {
                        let moved = std::array::from_fn(|k| u[i][k] + alpha * du[i][k]);
                        let gamma = self.project(i, &moved, &m[i]).0.point;
                        sum += (0..D).map(|k| gamma[k] * du[i][k]).sum::<f64>();
                    }
                    sum
                })
                .collect();
            drift + alpha * square - pieces.iter().sum::<f64>()
        };
        let alpha = line_minimum(slope);
        for (v, s) in point.velocity.iter_mut().zip(&step) {
            *v += alpha * s;
        }
        Ok(alpha)
    }
}

/// Where the increasing function `slope` vanishes in (0, 1], or 1.
fn line_minimum(slope: impl Fn(f64) -> f64) -> f64 {
    let (start, end) = (slope(0.0), slope(1.0));
    if end <= 1e-10 * start.abs() {
        return 1.0;
    }
    // Illinois variant of the false position: safe and fast
    let (mut a, mut fa, mut b, mut fb) = (0.0, start, 1.0, end);
    for _ in 0..60 {
        let x = if fb > fa { (a * fb - b * fa) / (fb - fa) } else { 0.5 * (a + b) };
        let fx = slope(x);
        if fx.abs() <= 1e-10 * start.abs() || b - a <= 1e-14 {
            return x;
        }
        if fx > 0.0 {
            (b, fb) = (x, fx);
            fa *= 0.5;
        } else {
            (a, fa) = (x, fx);
            fb *= 0.5;
        }
    }
    b
}

/// Error of the Newton direction for some multipliers.
#[cfg(test)]
pub(crate) fn newton_error(
    problem: &Problem,
    scale: &Scale,
    diagonal: &[f64],
    workspace: &mut Workspace,
    multipliers: &[f64],
) -> f64 {
    fn run<const D: usize>(sap: &Sap<'_, D>, workspace: &mut Workspace, multipliers: &[f64]) -> f64 {
        let start: Vec<f64> = sap.problem.free_velocity.iter().map(|v| 0.8 * v + 0.05).collect();
        let at = |velocity: Vec<f64>| {
            let mut point = Point { velocity, ..Point::default() };
            sap.evaluate(multipliers, &mut point);
            point
        };
        let mut point = at(start.clone());
        let Ok(length) = sap.newton(workspace, multipliers, &mut point) else { return f64::INFINITY };
        let direction: Vec<f64> = point.velocity.iter().zip(&start).map(|(new, old)| (new - old) / length).collect();
        crate::gradients::newton_miss(|s| at(start.iter().zip(&direction).map(|(v, d)| v + s * d).collect()).gradient)
    }
    match problem.dim() {
        2 => run(&Sap::<2>::new(problem, scale, diagonal, 1e-2, true), workspace, multipliers),
        _ => run(&Sap::<3>::new(problem, scale, diagonal, 1e-2, true), workspace, multipliers),
    }
}
