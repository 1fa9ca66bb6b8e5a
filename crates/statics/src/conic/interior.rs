//! Our interior point: homogeneous self-dual embedding, Nesterov–Todd scaling, Mehrotra's predictor and corrector.
//!
//! With τ, κ ≥ 0 the embedding asks for
//! ```text
//! J v − Fᵀz + cτ = 0      f_L·v − τ = 0      Jᵀr + λ f_L + f_D τ = 0      F r + gτ = s ∈ K,  z ∈ K
//! f_D·v − g·z − c·r + λ = κ                  s ∘ z = 0,  τκ = 0
//! ```
//! It always has a solution; τ > 0 gives the optimum, κ > 0 a proof that there is none: a mechanism on which f_D does
//! positive work, or forces that balance a growing λ. A Newton step eliminates everything but forces and velocities,
//!
//! H Δr + J Δv = …,  Jᵀ Δr = …,  H = Fᵀ W⁻² F block diagonal,
//!
//! so that it costs what a time step costs ([`super::normal`]). Reference: Andersen, Roos & Terlaky (2003); the form
//! with equality constraints is that of ECOS (Domahidi, Chu & Boyd 2013).

use super::cone::{Cone, Scaling, divide, jordan, longest_step};
use super::normal::{Normal, Small, invert};
use super::program::{Element, MOST, Program};
use super::{Outcome, Solution};

/// Wanted of residuals and gap, relative.
const TOLERANCE: f64 = 1e-9;
/// Good enough when no more digits are to be had.
const ENOUGH: f64 = 1e-6;
/// The same for the certificates that there is no optimum: whoever uses them looks how much they prove.
const ENOUGH_PROOF: f64 = 1e-5;
/// Part of the way to the boundary that a step may go.
const TO_BOUNDARY: f64 = 0.995;
/// A step to the optimum itself would leave the interior.
const LEAST_CENTRING: f64 = 1e-6;
/// Most Newton steps.
const MOST_STEPS: usize = 120;
/// How often a step is shortened.
const BACKWARDS: usize = 20;
/// Most rounds of refinement of a Newton step.
const ROUNDS: usize = 12;
/// Relative error of a Newton step with which refinement ends.
const GOOD: f64 = 1e-9;
/// Steps without progress after which digits are lost.
const PATIENCE: usize = 12;

/// Solves a program.
pub fn solve(program: &Program) -> Solution {
    Interior::new(program, Normal::new(program)).run()
}

/// The answer when nothing could be computed.
pub(crate) fn nothing(program: &Program) -> Solution {
    Solution {
        outcome: Outcome::Stalled,
        forces: vec![0.0; program.components()],
        multiplier: 0.0,
        velocities: vec![0.0; program.dead.len()],
        primal: f64::NAN,
        dual: f64::NAN,
        imbalance: f64::INFINITY,
        incompatibility: f64::INFINITY,
        iterations: 0,
    }
}

/// A point of the embedding, or a direction.
#[derive(Clone, Debug)]
struct Point {
    r: Vec<f64>,
    v: Vec<f64>,
    s: Vec<f64>,
    z: Vec<f64>,
    lambda: f64,
    tau: f64,
    kappa: f64,
}

/// What is left of the equations of the embedding.
struct Residuals {
    r: Vec<f64>,
    v: Vec<f64>,
    s: Vec<f64>,
    lambda: f64,
    kappa: f64,
}

struct Interior<'a> {
    program: &'a Program,
    normal: Normal<'a>,
    point: Point,
    /// Sizes of the loads and costs, for relative residuals.
    load_size: f64,
    cost_size: f64,
}

/// What predictor and corrector share.
struct Newton {
    scaling: Vec<Scaling>,
    /// λ = W z = W⁻¹ s (rows)
    middle: Vec<f64>,
    /// Forces and velocities that Δλ = 1 causes: Jᵀr = −f_L.
    by_lambda: (Vec<f64>, Vec<f64>),
    /// Forces and velocities that Δτ = 1 causes: H r + J v = −b, Jᵀr = −f_D.
    by_tau: (Vec<f64>, Vec<f64>),
    /// b = c + FᵀW⁻²g
    b: Vec<f64>,
    /// H⁻¹ of each element
    soft: Vec<Small>,
    /// b − 2c
    other: Vec<f64>,
    /// gᵀW⁻²g + κ/τ
    theta: f64,
}

/// Forces, velocities, λ and τ of a Newton step, or the right-hand sides of their equations.
#[derive(Clone, Debug)]
struct Unknowns {
    r: Vec<f64>,
    v: Vec<f64>,
    lambda: f64,
    tau: f64,
}

impl Unknowns {
    fn dot(&self, other: &Self) -> f64 {
        dot(&self.r, &other.r) + dot(&self.v, &other.v) + self.lambda * other.lambda + self.tau * other.tau
    }

    fn size(&self) -> f64 {
        self.dot(self).sqrt()
    }

    fn scaled(&self, by: f64) -> Self {
        let times = |x: &[f64]| x.iter().map(|x| by * x).collect();
        Self { r: times(&self.r), v: times(&self.v), lambda: by * self.lambda, tau: by * self.tau }
    }

    fn add(&mut self, by: f64, other: &Self) {
        self.r.iter_mut().zip(&other.r).for_each(|(a, b)| *a += by * b);
        self.v.iter_mut().zip(&other.v).for_each(|(a, b)| *a += by * b);
        self.lambda += by * other.lambda;
        self.tau += by * other.tau;
    }
}

/// min ‖β e₁ − H y‖ for a Hessenberg matrix H that grows column by column (Givens rotations).
struct LeastSquares {
    columns: Vec<Vec<f64>>,
    turns: Vec<[f64; 2]>,
    right: Vec<f64>,
}

impl LeastSquares {
    fn new(size: f64) -> Self {
        Self { columns: Vec::new(), turns: Vec::new(), right: vec![size] }
    }

    /// What the best y leaves.
    fn rest(&self) -> f64 {
        self.right[self.turns.len()].abs()
    }

    fn push(&mut self, mut column: Vec<f64>, below: f64) {
        for (k, [c, s]) in self.turns.iter().enumerate() {
            let (a, b) = (column[k], column[k + 1]);
            (column[k], column[k + 1]) = (c * a + s * b, c * b - s * a);
        }
        let k = column.len() - 1;
        let size = column[k].hypot(below).max(f64::MIN_POSITIVE);
        let (c, s) = (column[k] / size, below / size);
        column[k] = size;
        let old = self.right[k];
        self.right[k] = c * old;
        self.right.push(-s * old);
        self.turns.push([c, s]);
        self.columns.push(column);
    }

    fn coefficients(&self) -> Vec<f64> {
        let n = self.columns.len();
        let mut y = vec![0.0; n];
        for i in (0..n).rev() {
            let sum: f64 = (i + 1..n).map(|j| self.columns[j][i] * y[j]).sum();
            y[i] = (self.right[i] - sum) / self.columns[i][i];
        }
        y
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

impl<'a> Interior<'a> {
    fn new(program: &'a Program, normal: Normal<'a>) -> Self {
        let rows = program.offset.len();
        let mut unit = vec![0.0; rows];
        for_cones(program, |_, _, at| unit[at] = 1.0);
        let point = Point {
            r: vec![0.0; program.components()],
            v: vec![0.0; program.dead.len()],
            s: unit.clone(),
            z: unit,
            lambda: 0.0,
            tau: 1.0,
            kappa: 1.0,
        };
        let load_size = norm(&program.dead).max(norm(&program.live)).max(f64::MIN_POSITIVE);
        let cost_size = norm(&program.cost).max(1.0);
        Self { program, normal, point, load_size, cost_size }
    }

    fn run(mut self) -> Solution {
        let mut best: Option<(f64, Solution)> = None;
        let mut since = 0;
        for iteration in 0..MOST_STEPS {
            let residuals = self.residuals();
            let (solution, error) = self.measure(&residuals, iteration);
            if solution.outcome != Outcome::Stalled && error <= TOLERANCE {
                return solution;
            }
            since += 1;
            if best.as_ref().is_none_or(|(least, _)| error < *least) {
                if best.as_ref().is_none_or(|(least, _)| error < 0.9 * *least) {
                    since = 0;
                }
                best = Some((error, solution));
            }
            if since > PATIENCE || !self.step(&residuals) {
                break;
            }
        }
        match best {
            Some((error, solution)) if error <= ENOUGH => solution,
            Some((error, solution)) if solution.outcome != Outcome::Optimal && error <= ENOUGH_PROOF => solution,
            Some((_, solution)) => Solution { outcome: Outcome::Stalled, ..solution },
            None => nothing(self.program),
        }
    }

    fn residuals(&self) -> Residuals {
        let (program, p) = (self.program, &self.point);
        let mut r: Vec<f64> = vec![0.0; p.r.len()];
        program.add_map_transposed(&p.z, &mut r);
        r.iter_mut().zip(&program.cost).for_each(|(r, c)| *r = c * p.tau - *r);
        program.add_velocities(&p.v, &mut r);
        let mut v: Vec<f64> = program.dead.iter().map(|f| f * p.tau).collect();
        v.iter_mut().zip(&program.live).for_each(|(v, f)| *v += f * p.lambda);
        program.add_forces(&p.r, &mut v);
        let mut s: Vec<f64> = p.s.iter().zip(&program.offset).map(|(s, g)| g * p.tau - s).collect();
        program.add_map(&p.r, &mut s);
        let lambda = if program.has_live() { dot(&program.live, &p.v) - p.tau } else { 0.0 };
        let kappa =
            dot(&program.dead, &p.v) - dot(&program.offset, &p.z) - dot(&program.cost, &p.r) + p.lambda - p.kappa;
        Residuals { r, v, s, lambda, kappa }
    }

    /// The point as an answer, and how far it is from certain: the smallest error over the three possible answers.
    fn measure(&self, residuals: &Residuals, iterations: usize) -> (Solution, f64) {
        let (program, p) = (self.program, &self.point);
        let primal = dot(&program.cost, &p.r) - p.lambda;
        let dual = dot(&program.dead, &p.v) - dot(&program.offset, &p.z);
        let answer = |outcome, scale: f64, imbalance, incompatibility| Solution {
            outcome,
            forces: p.r.iter().map(|x| x / scale).collect(),
            multiplier: p.lambda / scale,
            velocities: p.v.iter().map(|x| x / scale).collect(),
            primal: primal / scale,
            dual: dual / scale,
            imbalance,
            incompatibility,
            iterations,
        };
        // optimal: all residuals and the gap, for τ = 1
        let speed = self.largest_speed() / p.tau;
        let imbalance =
            (norm(&residuals.v) / (p.tau * self.load_size)).max(norm(&residuals.s) / (p.tau * self.load_size));
        let incompatibility = norm(&residuals.r) / (p.tau * speed.max(self.cost_size));
        let gap = (primal - dual).abs() / p.tau / (1.0 + primal.abs().min(dual.abs()) / p.tau);
        let optimal = imbalance.max(incompatibility).max(gap).max(residuals.lambda.abs() / p.tau);
        // no forces: J v = Fᵀz, f_L·v = 0, f_D·v − g·z > 0
        let mut broken = f64::INFINITY;
        if dual > 0.0 {
            let mut u = vec![0.0; p.r.len()];
            program.add_map_transposed(&p.z, &mut u);
            u.iter_mut().for_each(|u| *u = -*u);
            program.add_velocities(&p.v, &mut u);
            let live = if program.has_live() { dot(&program.live, &p.v) } else { 0.0 };
            broken = (norm(&u) + live.abs()) / dual;
        }
        // unbounded: Jᵀr + λ f_L = 0, F r ∈ K, c·r − λ < 0
        let mut endless = f64::INFINITY;
        if primal < 0.0 {
            let mut f: Vec<f64> = program.live.iter().map(|f| f * p.lambda).collect();
            f.resize(program.dead.len(), 0.0);
            program.add_forces(&p.r, &mut f);
            let mut s: Vec<f64> = p.s.iter().map(|s| -s).collect();
            program.add_map(&p.r, &mut s);
            endless = (norm(&f) + norm(&s)) / (self.load_size * -primal);
        }
        if optimal <= broken.min(endless) {
            (answer(Outcome::Optimal, p.tau, imbalance, incompatibility), optimal)
        } else if broken <= endless {
            (answer(Outcome::NoForces, dual, f64::INFINITY, broken), broken)
        } else {
            (answer(Outcome::Unbounded, -primal, endless, f64::INFINITY), endless)
        }
    }

    /// Largest component of J v.
    fn largest_speed(&self) -> f64 {
        let mut u = vec![0.0; self.point.r.len()];
        self.program.add_velocities(&self.point.v, &mut u);
        norm(&u)
    }

    /// One predictor–corrector step; false when the factorisation or the iterate breaks down.
    fn step(&mut self, residuals: &Residuals) -> bool {
        let Some(newton) = self.linearise() else { return false };
        let pair = self.point.tau * self.point.kappa;
        let degree = self.program.cones.len() as f64 + 1.0;
        let mu = (dot(&self.point.s, &self.point.z) + pair) / degree;
        let affine = self.scaled(|_, cone, at, out| {
            let mut product = [0.0; 3];
            jordan(cone, &newton.middle[at..], &newton.middle[at..], &mut product);
            out.iter_mut().zip(product).for_each(|(o, x)| *o = -x);
        });
        let predictor = self.direction(&newton, residuals, &affine, -pair, 1.0);
        let alpha = self.longest(&predictor).min(1.0);
        let sigma = (1.0 - alpha).powi(3).max(LEAST_CENTRING);
        let corrected = self.scaled(|index, cone, at, out| {
            let range = at..at + cone.size();
            let (mut ds, mut dz, mut second) = ([0.0; 3], [0.0; 3], [0.0; 3]);
            let scaling = &newton.scaling[index];
            scaling.apply(&predictor.s[range.clone()], true, &mut ds);
            scaling.apply(&predictor.z[range], false, &mut dz);
            jordan(cone, &ds, &dz, &mut second);
            for (k, o) in out.iter_mut().enumerate() {
                *o = affine[at + k] - second[k] + if k == 0 { sigma * mu } else { 0.0 };
            }
        });
        let bound = -pair - predictor.tau * predictor.kappa + sigma * mu;
        let step = self.direction(&newton, residuals, &corrected, bound, 1.0 - sigma);
        let alpha = TO_BOUNDARY * self.longest(&step).min(1.0);
        if alpha.is_nan() || alpha <= 1e-9 {
            return false;
        }
        // rounding may put a point on the wrong side of the boundary
        let mut taken = 0.0;
        let mut wanted = alpha;
        for _ in 0..BACKWARDS {
            self.advance(&step, wanted - taken);
            taken = wanted;
            if self.is_interior() {
                break;
            }
            wanted *= 0.8;
        }
        self.balance();
        self.point.tau > 0.0 && self.point.kappa > 0.0 && self.point.v.iter().all(|v| v.is_finite())
    }

    fn advance(&mut self, step: &Point, alpha: f64) {
        let p = &mut self.point;
        for (x, d) in [(&mut p.r, &step.r), (&mut p.v, &step.v), (&mut p.s, &step.s), (&mut p.z, &step.z)] {
            x.iter_mut().zip(d).for_each(|(x, d)| *x += alpha * d);
        }
        p.lambda += alpha * step.lambda;
        p.tau += alpha * step.tau;
        p.kappa += alpha * step.kappa;
    }

    fn is_interior(&self) -> bool {
        let p = &self.point;
        let mut inside = p.tau > 0.0 && p.kappa > 0.0;
        for_cones(self.program, |_, cone, at| {
            let range = at..at + cone.size();
            inside &= Scaling::new(cone, &p.s[range.clone()], &p.z[range]).is_some();
        });
        inside
    }

    /// The embedding is homogeneous: the larger of τ and κ is kept at 1, so that nothing under- or overflows.
    fn balance(&mut self) {
        let p = &mut self.point;
        let scale = 1.0 / p.tau.max(p.kappa);
        if (1e-3..=1e3).contains(&scale) {
            return;
        }
        for x in [&mut p.r, &mut p.v, &mut p.s, &mut p.z] {
            x.iter_mut().for_each(|x| *x *= scale);
        }
        p.lambda *= scale;
        p.tau *= scale;
        p.kappa *= scale;
    }

    /// A vector of rows, cone by cone: its index, the cone, its first row, where to write.
    fn scaled(&self, mut fill: impl FnMut(usize, Cone, usize, &mut [f64])) -> Vec<f64> {
        let mut out = vec![0.0; self.program.offset.len()];
        for_cones(self.program, |index, cone, at| fill(index, cone, at, &mut out[at..at + cone.size()]));
        out
    }

    fn linearise(&mut self) -> Option<Newton> {
        let (program, p) = (self.program, &self.point);
        let mut scaling = Vec::with_capacity(program.cones.len());
        let mut middle = vec![0.0; p.s.len()];
        let mut at = 0;
        for &cone in &program.cones {
            let range = at..at + cone.size();
            let own = Scaling::new(cone, &p.s[range.clone()], &p.z[range.clone()])?;
            own.apply(&p.z[range.clone()], false, &mut middle[range]);
            scaling.push(own);
            at += cone.size();
        }
        let stiffnesses: Vec<Small> = program
            .elements
            .iter()
            .map(|element| stiffness(program, element, &scaling[element.cone..element.cone + element.cones]))
            .collect();
        let pairs = program.elements.iter().zip(&stiffnesses);
        let soft: Vec<Small> = pairs.map(|(element, h)| invert(h, element.components)).collect::<Option<_>>()?;
        self.normal.factorise(stiffnesses.into_iter()).ok()?;
        let mut scaled_offset = vec![0.0; p.s.len()];
        self.inverse_square(&scaling, &program.offset, &mut scaled_offset);
        let mut b = program.cost.clone();
        program.add_map_transposed(&scaled_offset, &mut b);
        let zeros = vec![0.0; b.len()];
        let negative = |x: &[f64]| -> Vec<f64> { x.iter().map(|x| -x).collect() };
        let by_lambda = match program.has_live() {
            true => self.normal.solve(&zeros, &negative(&program.live)),
            false => (Vec::new(), Vec::new()),
        };
        let by_tau = self.normal.solve(&negative(&b), &negative(&program.dead));
        let p = &self.point;
        let other = b.iter().zip(&program.cost).map(|(b, c)| b - 2.0 * c).collect();
        let theta = dot(&program.offset, &scaled_offset) + p.kappa / p.tau;
        Some(Newton { scaling, middle, by_lambda, by_tau, b, soft, other, theta })
    }

    fn inverse_square(&self, scaling: &[Scaling], x: &[f64], out: &mut [f64]) {
        let mut at = 0;
        for (cone, scaling) in self.program.cones.iter().zip(scaling) {
            let range = at..at + cone.size();
            scaling.inverse_square(&x[range.clone()], &mut out[range]);
            at += cone.size();
        }
    }

    /// Solves the linearised embedding for complementarity right-hand sides `d` (rows) and `bound` (τκ), the residuals
    /// being reduced by the share `eta`.
    fn direction(&self, newton: &Newton, residuals: &Residuals, d: &[f64], bound: f64, eta: f64) -> Point {
        let program = self.program;
        // W⁻¹Δs + WΔz = λ \ d
        let quotient = self.scaled(|_, cone, at, out| divide(cone, &newton.middle[at..], &d[at..], out));
        let target = self.scaled(|index, cone, at, out| {
            newton.scaling[index].apply(&quotient[at..at + cone.size()], false, out);
        });
        // W⁻²(target − ηR_s)
        let reduced: Vec<f64> = target.iter().zip(&residuals.s).map(|(t, r)| t - eta * r).collect();
        let mut pulled = vec![0.0; reduced.len()];
        self.inverse_square(&newton.scaling, &reduced, &mut pulled);
        let mut a: Vec<f64> = residuals.r.iter().map(|r| -eta * r).collect();
        program.add_map_transposed(&pulled, &mut a);
        let p = &self.point;
        let right = Unknowns {
            r: a,
            v: residuals.v.iter().map(|r| -eta * r).collect(),
            lambda: -eta * residuals.lambda,
            tau: -eta * residuals.kappa + bound / p.tau + dot(&program.offset, &pulled),
        };
        let Unknowns { r, v, lambda: d_lambda, tau: d_tau } = self.solve(newton, &right);
        let p = &self.point;
        // Δs from its own equation, Δz from the scaling
        let mut s: Vec<f64> = residuals.s.iter().zip(&program.offset).map(|(r, g)| eta * r + g * d_tau).collect();
        program.add_map(&r, &mut s);
        let mut z = self.scaled(|index, cone, at, out| {
            let range = at..at + cone.size();
            let mut rest = [0.0; 3];
            newton.scaling[index].apply(&s[range.clone()], true, &mut rest);
            rest.iter_mut().zip(&quotient[range]).for_each(|(r, q)| *r = q - *r);
            newton.scaling[index].apply(&rest, true, out);
        });
        // FᵀΔz = JΔv + cΔτ + ηR_r: what rounding in W⁻¹ took away
        let mut flow: Vec<f64> = residuals.r.iter().zip(&program.cost).map(|(r, c)| eta * r + c * d_tau).collect();
        program.add_velocities(&v, &mut flow);
        for _ in 0..2 {
            self.repair(newton, &flow, &mut z);
        }
        let kappa = (bound - p.kappa * d_tau) / p.tau;
        Point { r, v, s, z, lambda: d_lambda, tau: d_tau, kappa }
    }

    /// Changes z as little as possible, measured by W, so that Fᵀz = flow.
    fn repair(&self, newton: &Newton, flow: &[f64], z: &mut [f64]) {
        let mut rest: Vec<f64> = vec![0.0; flow.len()];
        self.program.add_map_transposed(z, &mut rest);
        rest.iter_mut().zip(flow).for_each(|(rest, flow)| *rest = flow - *rest);
        for (element, soft) in self.program.elements.iter().zip(&newton.soft) {
            let m = element.components;
            let rest = &rest[element.first..][..m];
            let map = self.program.map_of(element);
            let force: [f64; MOST] =
                std::array::from_fn(|a| if a < m { (0..m).map(|b| soft[a * MOST + b] * rest[b]).sum() } else { 0.0 });
            let mut row = 0;
            for index in element.cone..element.cone + element.cones {
                let size = self.program.cones[index].size();
                let (mut x, mut change) = ([0.0; 3], [0.0; 3]);
                for (k, x) in x.iter_mut().enumerate().take(size) {
                    *x = (0..m).map(|b| map[(row + k) * m + b] * force[b]).sum();
                }
                newton.scaling[index].inverse_square(&x, &mut change);
                let out = &mut z[element.row + row..][..size];
                out.iter_mut().zip(change).for_each(|(z, c)| *z += c);
                row += size;
            }
        }
    }

    /// Solves the system of forces, velocities, λ and τ,
    /// ```text
    /// HΔr + JΔv + bΔτ = right.r     JᵀΔr + f_LΔλ + f_DΔτ = right.v
    /// f_L·Δv − Δτ = right.λ         f_D·Δv + (b − 2c)·Δr + Δλ + θΔτ = right.τ
    /// ```
    /// by GMRES around bordering: near the optimum f_L works on a motion that hardly anything resists, and one solve
    /// alone would lose most of its digits.
    fn solve(&self, newton: &Newton, right: &Unknowns) -> Unknowns {
        let target = GOOD * right.size();
        let (mut basis, mut tried) = (Vec::new(), Vec::new());
        let mut least = LeastSquares::new(right.size());
        let mut next = right.scaled(1.0 / right.size().max(f64::MIN_POSITIVE));
        for _ in 0..ROUNDS {
            let step = self.border(newton, &next);
            let mut image = self.times(newton, &step);
            basis.push(next);
            tried.push(step);
            // orthogonal to what is there, twice for the digits
            let mut column = vec![0.0; basis.len()];
            for _ in 0..2 {
                for (c, old) in column.iter_mut().zip(&basis) {
                    let part = image.dot(old);
                    *c += part;
                    image.add(-part, old);
                }
            }
            let size = image.size();
            least.push(column, size);
            if least.rest() <= target || size.is_nan() || size <= 1e-300 {
                break;
            }
            next = image.scaled(1.0 / size);
        }
        let mut x = Unknowns { r: vec![0.0; right.r.len()], v: vec![0.0; right.v.len()], lambda: 0.0, tau: 0.0 };
        least.coefficients().iter().zip(&tried).for_each(|(c, step)| x.add(*c, step));
        x
    }

    /// The left-hand sides for x.
    fn times(&self, newton: &Newton, x: &Unknowns) -> Unknowns {
        let program = self.program;
        let mut r = self.normal.stiff(&x.r);
        program.add_velocities(&x.v, &mut r);
        r.iter_mut().zip(&newton.b).for_each(|(r, b)| *r += b * x.tau);
        let mut v: Vec<f64> = program.dead.iter().map(|dead| dead * x.tau).collect();
        program.add_forces(&x.r, &mut v);
        v.iter_mut().zip(&program.live).for_each(|(v, live)| *v += live * x.lambda);
        let lambda = if program.has_live() { dot(&program.live, &x.v) - x.tau } else { 0.0 };
        let work = dot(&program.dead, &x.v) + dot(&newton.other, &x.r);
        Unknowns { r, v, lambda, tau: work + x.lambda + newton.theta * x.tau }
    }

    /// One solve by bordering: forces and velocities for given Δλ and Δτ, then the two scalar equations.
    fn border(&self, newton: &Newton, right: &Unknowns) -> Unknowns {
        let program = self.program;
        let (mut r, mut v) = self.normal.solve(&right.r, &right.v);
        let work = |v: &[f64], r: &[f64]| dot(&program.dead, v) + dot(&newton.other, r);
        let ((r_lambda, v_lambda), (r_tau, v_tau)) = (&newton.by_lambda, &newton.by_tau);
        let last = right.tau - work(&v, &r);
        let tau_tau = work(v_tau, r_tau) + newton.theta;
        let (lambda, tau) = if program.has_live() {
            let (ll, lt) = (dot(&program.live, v_lambda), dot(&program.live, v_tau) - 1.0);
            let first = right.lambda - dot(&program.live, &v);
            let tl = work(v_lambda, r_lambda) + 1.0;
            let determinant = ll * tau_tau - lt * tl;
            ((first * tau_tau - lt * last) / determinant, (ll * last - tl * first) / determinant)
        } else {
            (0.0, last / tau_tau)
        };
        for (x, (by_lambda, by_tau)) in [(&mut r, (r_lambda, r_tau)), (&mut v, (v_lambda, v_tau))] {
            x.iter_mut().zip(by_tau).for_each(|(x, t)| *x += tau * t);
            x.iter_mut().zip(by_lambda).for_each(|(x, l)| *x += lambda * l);
        }
        Unknowns { r, v, lambda, tau }
    }

    /// How far a direction can be followed.
    fn longest(&self, d: &Point) -> f64 {
        let p = &self.point;
        let mut most = f64::INFINITY;
        for_cones(self.program, |_, cone, at| {
            let range = at..at + cone.size();
            most = most.min(longest_step(cone, &p.s[range.clone()], &d.s[range.clone()]));
            most = most.min(longest_step(cone, &p.z[range.clone()], &d.z[range]));
        });
        for (x, d) in [(p.tau, d.tau), (p.kappa, d.kappa)] {
            if d < 0.0 {
                most = most.min(-x / d);
            }
        }
        most
    }
}

/// Calls for every cone with its index and the place of its first row.
fn for_cones(program: &Program, mut call: impl FnMut(usize, Cone, usize)) {
    let mut at = 0;
    for (index, &cone) in program.cones.iter().enumerate() {
        call(index, cone, at);
        at += cone.size();
    }
}

/// H = Fᵀ W⁻² F of one element.
fn stiffness(program: &Program, element: &Element, scaling: &[Scaling]) -> Small {
    let m = element.components;
    let map = program.map_of(element);
    let mut h = [0.0; MOST * MOST];
    let mut row = 0;
    for (cone, scaling) in program.cones[element.cone..][..element.cones].iter().zip(scaling) {
        let rows = &map[row * m..][..cone.size() * m];
        for b in 0..m {
            let (mut column, mut scaled) = ([0.0; 3], [0.0; 3]);
            for (k, x) in column.iter_mut().enumerate().take(cone.size()) {
                *x = rows[k * m + b];
            }
            scaling.inverse_square(&column, &mut scaled);
            for a in 0..m {
                h[a * MOST + b] += (0..cone.size()).map(|k| rows[k * m + a] * scaled[k]).sum::<f64>();
            }
        }
        row += cone.size();
    }
    h
}
