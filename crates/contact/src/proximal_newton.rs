//! Proximal point around semismooth Newton (Alart–Curnier) on the true Coulomb law.
//!
//! Each proximal step replaces u by ũ = u + E r + α (r − r_k), α = a·w_i with w_i the mean diagonal of W at the
//! contact, and solves u = W r + q, Φ(ũ, r) = 0 with
//! ```text
//! Φₙ = rₙ − max(f, rₙ − ρ ũₙ),   Φ_T = r_T − Π_{‖·‖ ≤ μ max(f, rₙ − ρ ũₙ)}(r_T − ρ ũ_T)
//! ```
//! where f is the least normal impulse (zero except in the expansion phase of an impact),
//! by Newton: dΦ = A dũ + B dr gives dr = −DΦ − DA du, D = (A(α+E) + B)⁻¹. While no contact slides DA is symmetric
//! (Cholesky in the global form), otherwise it is not (multifrontal LU). At a fixed point r = r_k, so α does not change
//! the solution.
//!
//! Requirements: true law. References: Alart & Curnier, CMAME 92 (1991); Rockafellar (1976). Book:
//! docs/method-solvers.md.

use crate::budget::Budget;
use crate::cone::tangential_length;
use crate::delassus::Delassus;
use crate::problem::blocks;
use crate::report::{SolveReport, SolverKind, Status};
use crate::residual::Residual;
use crate::small::{inverse, multiply, transform};

/// First proximal weight for a start far from the solution, in units of w_i.
pub const COLD_WEIGHT: f64 = 1e-1;
/// First proximal weight for a start that an interior point has left near the solution.
pub const NEAR_WEIGHT: f64 = 1e-5;
/// Smallest proximal weight.
const LEAST_WEIGHT: f64 = 1e-9;
/// Largest proximal weight, reached only when Newton keeps failing.
const MOST_WEIGHT: f64 = 1e3;
/// Steps below this are short.
const SHORT: f64 = 0.02;
/// Consecutive short steps that indicate a change of the motion.
const SHORT_IN_A_ROW: usize = 5;
/// Newton steps allowed to one proximal step.
const MOST_INNER: usize = 40;
/// Falling weights: full Newton steps allowed to one proximal step …
const MOST_FULL_STEPS: usize = 25;
/// … which has diverged when its merit after some steps exceeds this many times that of its start, or this many times
/// [`LEAST_DIVERGED`].
const DIVERGED: f64 = 30.0;
const LEAST_DIVERGED: f64 = 1e-3;
/// Newton steps before divergence is judged.
const JUDGED: usize = 4;
/// How the weights of [`solve_by_weights`] fall.
#[derive(Clone, Copy, Debug)]
pub struct Descent {
    /// First weight, in units of w_i.
    pub first_weight: f64,
    /// Factors of the weight after a proximal step of at most 3, at most 6, and more Newton steps.
    pub lower: [f64; 3],
    /// A proximal step is solved to this part of the residual.
    pub inexact: f64,
}

/// The descent with the fewest factorisations on average.
pub const STEADY: Descent = Descent { first_weight: COLD_WEIGHT, lower: [0.1, 0.2, 0.4], inexact: 0.1 };
/// A descent by larger factors: it reaches solutions that [`STEADY`] misses.
pub const BOLD: Descent = Descent { first_weight: 0.3 * COLD_WEIGHT, lower: [0.1, 0.1, 0.2], inexact: 0.3 };
/// Factor of the weight after a proximal step that diverged.
const HIGHER: f64 = 4.0;
/// A weight that diverged is kept away from by [`AVOID`], until the residual has fallen by [`FORGET`].
const AVOID: f64 = 2.0;
const FORGET: f64 = 0.1;
/// A proximal step is solved at this merit; in the expansion of an impact, whose free velocities may be no more than
/// rounding and its tolerance therefore wide, at this share of the tolerance.
const SOLVED: [f64; 2] = [1e-12, 1e-5];

/// Solves from `impulses`, which are overwritten with the best found; `first_weight` is [`COLD_WEIGHT`] or
/// [`NEAR_WEIGHT`].
pub fn solve(system: &mut dyn Delassus, impulses: &mut Vec<f64>, budget: &Budget, first_weight: f64) -> SolveReport {
    match system.laws().dim {
        2 => Newton::<2>::new(system, budget).run(impulses, first_weight),
        _ => Newton::<3>::new(system, budget).run(impulses, first_weight),
    }
}

/// Solves from a warm start in which few contacts have a wrong status; gives up after some consecutive short steps,
/// which indicate that the motion has changed.
pub fn solve_same_motion(system: &mut dyn Delassus, impulses: &mut Vec<f64>, budget: &Budget) -> SolveReport {
    let patience = SHORT_IN_A_ROW;
    match system.laws().dim {
        2 => Newton::<2> { patience, ..Newton::new(system, budget) }.run(impulses, NEAR_WEIGHT),
        _ => Newton::<3> { patience, ..Newton::new(system, budget) }.run(impulses, NEAR_WEIGHT),
    }
}

/// Proximal steps with full Newton steps, from a weight at which Newton's method needs few steps down to almost none:
/// the motion may differ from that of the start.
pub fn solve_by_weights(
    system: &mut dyn Delassus,
    impulses: &mut Vec<f64>,
    budget: &Budget,
    descent: Descent,
) -> SolveReport {
    match system.laws().dim {
        2 => Newton::<2>::new(system, budget).run_down(impulses, descent),
        _ => Newton::<3>::new(system, budget).run_down(impulses, descent),
    }
}

/// Semismooth Newton alone: the proximal weight is the least one throughout (it only keeps the matrix regular where
/// contacts are redundant), and where Newton fails the solve has stalled.
pub fn solve_plain(system: &mut dyn Delassus, impulses: &mut Vec<f64>, budget: &Budget) -> SolveReport {
    let report = match system.laws().dim {
        2 => Newton::<2> { plain: true, ..Newton::new(system, budget) }.run(impulses, LEAST_WEIGHT),
        _ => Newton::<3> { plain: true, ..Newton::new(system, budget) }.run(impulses, LEAST_WEIGHT),
    };
    SolveReport { solver: SolverKind::SemismoothNewton, ..report }
}

struct Newton<'a, const D: usize> {
    system: &'a mut dyn Delassus,
    budget: &'a Budget,
    factorisations: usize,
    /// True if the proximal weight is never increased.
    plain: bool,
    /// Short steps in a row after which the solve is given up.
    patience: usize,
    /// Short steps in a row so far.
    short: usize,
    /// w_i (contacts)
    weight: Vec<f64>,
    /// unit of the merit: ‖q‖ √ρ
    unit: f64,
}

/// An iterate and everything known there.
#[derive(Clone, Default)]
struct Point {
    impulse: Vec<f64>,
    relative: Vec<f64>,
    phi: Vec<f64>,
    merit: f64,
}

impl<'a, const D: usize> Newton<'a, D> {
    fn new(system: &'a mut dyn Delassus, budget: &'a Budget) -> Self {
        let mean = |w: &[[f64; D]; D]| (0..D).map(|k| w[k][k]).sum::<f64>() / D as f64;
        let scale = system.scale();
        let weight = blocks::<D, D>(system.diagonal()).iter().map(|w| mean(w).max(1e-3 / scale.rho)).collect();
        let unit = scale.speed * scale.rho.sqrt();
        Self { system, budget, factorisations: 0, plain: false, patience: usize::MAX, short: 0, weight, unit }
    }

    fn is_spent(&self) -> bool {
        self.factorisations >= self.budget.most || self.short >= self.patience || self.budget.is_over()
    }

    fn run(mut self, impulses: &mut Vec<f64>, first_weight: f64) -> SolveReport {
        let mut point = Point { impulse: impulses.clone(), ..Point::default() };
        let mut best = self.system.measure(&point.impulse);
        let mut a = first_weight;
        let mut status = Status::IterationLimit;
        while best.value > self.budget.tolerance && !self.is_spent() {
            let center = point.impulse.clone();
            let before = self.factorisations;
            let solved = self.inner(&mut point, &center, a);
            let cone = self.system.laws().project(&point.impulse);
            let error = self.system.measure(&cone);
            if error.value < best.value {
                best = error;
                impulses.clone_from(&cone);
            }
            let steps = self.factorisations - before;
            // reduce the weight while Newton converges quickly, increase it otherwise
            a *= match solved {
                true if steps <= 3 => 0.1,
                true => 0.3,
                false => 4.0,
            };
            // Newton has failed, or has converged without reducing the residual
            if (!solved && (self.plain || a > MOST_WEIGHT)) || (steps == 0 && a < LEAST_WEIGHT) {
                status = Status::Stalled;
                break;
            }
            a = a.max(LEAST_WEIGHT);
        }
        self.report(best, status)
    }

    /// The report of a solve that ended with the residual `best`.
    fn report(&self, best: Residual, ended: Status) -> SolveReport {
        SolveReport {
            status: if best.value <= self.budget.tolerance { Status::Converged } else { ended },
            solver: SolverKind::ProximalNewton,
            iterations: self.factorisations,
            factorisations: self.factorisations,
            residual: best.value,
            worst_contact: best.worst_contact,
        }
    }

    /// Proximal steps with full Newton steps and falling weights.
    ///
    /// A line search stops Newton's method in front of a change of status that the next step would have passed; without
    /// one, Newton's method converges within some ten steps or diverges at once, and then a larger weight is needed.
    fn run_down(mut self, impulses: &mut Vec<f64>, descent: Descent) -> SolveReport {
        let mut center = impulses.clone();
        let mut best = self.system.measure(&center);
        let mut a = descent.first_weight;
        let least = (0.1 * self.budget.tolerance).max(LEAST_WEIGHT);
        // the last weight that diverged, and the residual then
        let mut diverged: Option<(f64, f64)> = None;
        let mut status = Status::IterationLimit;
        while best.value > self.budget.tolerance && !self.is_spent() {
            let before = self.factorisations;
            let mut point = Point { impulse: center.clone(), ..Point::default() };
            let solved = self.full_steps(&mut point, &center, a, descent.inexact * best.value.min(1.0));
            let steps = self.factorisations - before;
            if solved {
                let cone = self.system.laws().project(&point.impulse);
                let error = self.system.measure(&cone);
                if error.value < best.value {
                    best = error;
                    impulses.clone_from(&cone);
                }
                center.clone_from(&point.impulse);
                let mut lower = a * descent.lower[usize::from(steps > 3) + usize::from(steps > 6)];
                if let Some((weight, residual)) = diverged {
                    if best.value < FORGET * residual {
                        diverged = None;
                    } else {
                        lower = lower.max(a.min(AVOID * weight));
                    }
                }
                a = lower;
            } else {
                diverged = Some((a, best.value));
                a *= HIGHER;
            }
            if a > MOST_WEIGHT || steps == 0 {
                status = Status::Stalled;
                break;
            }
            a = a.max(least);
        }
        self.report(best, status)
    }

    /// True when the law itself holds at a point of a proximal step.
    fn holds(&self, point: &Point) -> bool {
        point.merit <= 10.0 * self.budget.tolerance
            && self.system.measure(&self.system.laws().project(&point.impulse)).value <= self.budget.tolerance
    }

    /// Full Newton steps on one proximal step; true when they converged.
    fn full_steps(&mut self, point: &mut Point, center: &[f64], a: f64, wanted: f64) -> bool {
        self.evaluate(point, center, a);
        let far = DIVERGED * point.merit.max(LEAST_DIVERGED);
        for step in 0..MOST_FULL_STEPS {
            // one Newton step at least: the start meets a wide tolerance by itself
            let enough = if step > 0 { SOLVED[0].max(wanted) } else { SOLVED[0] };
            if point.merit <= enough || self.holds(point) {
                return true;
            }
            if self.is_spent() || (step > JUDGED && point.merit > far) {
                return false;
            }
            self.factorisations += 1;
            let Some(dr) = self.direction(point, center, a) else { return false };
            let impulse = point.impulse.iter().zip(&dr).map(|(x, d)| x + d).collect();
            *point = Point { impulse, ..Point::default() };
            self.evaluate(point, center, a);
            if !point.merit.is_finite() {
                return false;
            }
        }
        point.merit <= SOLVED[0].max(wanted)
    }

    /// Newton on one proximal step; true when it converged.
    fn inner(&mut self, point: &mut Point, center: &[f64], a: f64) -> bool {
        let expands = self.system.laws().floor.iter().any(|&floor| floor > 0.0);
        let solved = if expands { SOLVED[0].max(SOLVED[1] * self.budget.tolerance) } else { SOLVED[0] };
        self.evaluate(point, center, a);
        for _ in 0..MOST_INNER {
            if point.merit <= solved {
                return true;
            }
            if self.is_spent() {
                return false;
            }
            self.factorisations += 1;
            let Some(dr) = self.direction(point, center, a) else { return false };
            let mut step = 1.0;
            loop {
                let impulse = point.impulse.iter().zip(&dr).map(|(x, d)| x + step * d).collect();
                let mut trial = Point { impulse, ..Point::default() };
                self.evaluate(&mut trial, center, a);
                if trial.merit < (1.0 - 1e-4 * step) * point.merit || step < 1e-3 {
                    *point = trial;
                    break;
                }
                step *= 0.5;
            }
            self.short = if step < SHORT { self.short + 1 } else { 0 };
            if !point.merit.is_finite() {
                return false;
            }
        }
        point.merit <= 1e-8
    }

    /// ũ, and x = r − ρ ũ, of one contact.
    fn shifted(&self, i: usize, u: &[f64; D], r: &[f64; D], center: &[f64; D], a: f64) -> ([f64; D], f64) {
        let alpha = a * self.weight[i];
        let e = &self.system.laws().compliance[i * D..(i + 1) * D];
        let rho = 1.0 / (self.weight[i] + alpha + e[0]);
        (std::array::from_fn(|k| r[k] - rho * (u[k] + e[k] * r[k] + alpha * (r[k] - center[k]))), rho)
    }

    fn evaluate(&self, point: &mut Point, center: &[f64], a: f64) {
        self.system.relative(&point.impulse, &mut point.relative);
        let laws = self.system.laws();
        point.phi.clear();
        let mut square = 0.0;
        let [u, r, c] = [&point.relative, &point.impulse, center].map(|x| x.as_chunks::<D>().0);
        for i in 0..r.len() {
            let (x, rho) = self.shifted(i, &u[i], &r[i], &c[i], a);
            let n = x[0].max(laws.floor[i]);
            let (t, bound) = (tangential_length(&x), laws.friction[i] * n);
            let ratio = if t <= bound { 1.0 } else { bound / t };
            for k in 0..D {
                let f = r[i][k] - if k == 0 { n } else { ratio * x[k] };
                square += f * f / rho;
                point.phi.push(f);
            }
        }
        point.merit = square.sqrt() / self.unit;
    }

    /// Newton direction dr, or `None` when the matrix is singular.
    fn direction(&mut self, point: &Point, center: &[f64], a: f64) -> Option<Vec<f64>> {
        let [u, r, c] = [&point.relative, &point.impulse, center].map(|x| x.as_chunks::<D>().0);
        let phi = point.phi.as_chunks::<D>().0;
        let mut g: Vec<[[f64; D]; D]> = Vec::with_capacity(r.len());
        let mut b: Vec<[f64; D]> = Vec::with_capacity(r.len());
        let mut symmetric = true;
        let laws = self.system.laws();
        for i in 0..r.len() {
            let (x, rho) = self.shifted(i, &u[i], &r[i], &c[i], a);
            let (pa, pb, slides) = derivatives(&x, rho, laws.friction[i], laws.floor[i]);
            symmetric &= !slides;
            let soft: [f64; D] = std::array::from_fn(|k| a * self.weight[i] + laws.compliance[i * D + k]);
            let d: [[f64; D]; D] =
                inverse(&std::array::from_fn(|p| std::array::from_fn(|q| pa[p][q] * soft[q] + pb[p][q])))?;
            g.push(multiply(&d, &pa));
            b.push(transform(&d, &phi[i]).map(|x| -x));
        }
        self.system.factorise(g.as_flattened().as_flattened(), symmetric).ok()?;
        let (mut dr, mut du) = (Vec::new(), Vec::new());
        self.system.respond(b.as_flattened(), &mut dr, &mut du);
        Some(dr)
    }
}

/// A = ∂Φ/∂ũ, B = ∂Φ/∂r at fixed ũ, and whether the contact slides.
fn derivatives<const D: usize>(x: &[f64; D], rho: f64, mu: f64, floor: f64) -> ([[f64; D]; D], [[f64; D]; D], bool) {
    let (mut a, mut b) = ([[0.0; D]; D], [[0.0; D]; D]);
    let on = x[0] > floor;
    if on {
        a[0][0] = rho;
    } else {
        b[0][0] = 1.0;
    }
    let (t, bound) = (tangential_length(x), mu * x[0].max(floor));
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

/// Error of the Newton direction at some impulses.
#[cfg(test)]
pub(crate) fn newton_error(system: &mut dyn Delassus, impulses: &[f64]) -> f64 {
    fn run<const D: usize>(system: &mut dyn Delassus, impulses: &[f64]) -> f64 {
        let budget = Budget { tolerance: 1e-12, accepted: 1e-12, most: 1, deadline: None };
        let mut newton = Newton::<D>::new(system, &budget);
        let (center, a) = (vec![0.1; impulses.len()], 1e-2);
        let at = |newton: &Newton<'_, D>, impulse: Vec<f64>| {
            let mut point = Point { impulse, ..Point::default() };
            newton.evaluate(&mut point, &center, a);
            point
        };
        let point = at(&newton, impulses.to_vec());
        let Some(direction) = newton.direction(&point, &center, a) else { return f64::INFINITY };
        crate::gradients::newton_miss(|s| {
            at(&newton, impulses.iter().zip(&direction).map(|(r, d)| r + s * d).collect()).phi
        })
    }
    match system.laws().dim {
        2 => run::<2>(system, impulses),
        _ => run::<3>(system, impulses),
    }
}
