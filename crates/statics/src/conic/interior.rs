//! Own interior-point solver: homogeneous self-dual embedding, Nesterov–Todd scaling, Mehrotra's predictor–corrector.
//!
//! With τ, κ ≥ 0 the embedding is
//! ```text
//! J v − Fᵀz + cτ = 0      f_L·v − τ = 0      Jᵀr + λ f_L + f_D τ = 0      F r + gτ = s ∈ K,  z ∈ K
//! f_D·v − g·z − c·r + λ = κ                  s ∘ z = 0,  τκ = 0
//! ```
//! It always has a solution; τ > 0 gives the optimum, κ > 0 a certificate that there is none: a mechanism driven by
//! f_D, or forces in equilibrium with an unbounded λ. A Newton step eliminates everything but forces and velocities,
//!
//! H Δr + J Δv = …,  Jᵀ Δr = …,  H = Fᵀ W⁻² F block diagonal,
//!
//! so its cost is that of a time step ([`super::normal`]). Reference: Andersen, Roos & Terlaky (2003); the form with
//! equality constraints is that of ECOS (Domahidi, Chu & Boyd 2013).

use super::cone::{Cone, Scaling, jordan, longest_step};
use super::krylov::{dot, norm};
use super::normal::Normal;
use super::program::Program;
use super::{Outcome, ProgramSolution};

/// Required relative residuals and gap.
const TOLERANCE: f64 = 1e-9;
/// Accepted relative residuals and gap if no more digits can be gained.
const ACCEPTED_TOLERANCE: f64 = 1e-6;
/// The same for certificates of infeasibility; the caller checks their accuracy.
const ENOUGH_PROOF: f64 = 1e-5;
/// Fraction of the distance to the boundary that a step may use.
const TO_BOUNDARY: f64 = 0.995;
/// A full step would leave the interior.
const LEAST_CENTRING: f64 = 1e-6;
/// Maximum number of Newton steps.
const MOST_STEPS: usize = 120;
/// Maximum number of reductions of a step.
const MOST_REDUCTIONS: usize = 20;
/// Number of steps without progress after which the iteration ends.
const PATIENCE_STEPS: usize = 12;

/// Solves a program.
pub fn solve(program: &Program) -> ProgramSolution {
    Interior::new(program, Normal::new(program)).run()
}

/// The solution if nothing could be computed.
pub(crate) fn nothing(program: &Program) -> ProgramSolution {
    ProgramSolution {
        outcome: Outcome::Stalled,
        forces: vec![0.0; program.components()],
        multiplier: 0.0,
        velocities: vec![0.0; program.dead.len()],
        spent: vec![0.0; program.offset.len()],
        primal: f64::NAN,
        dual: f64::NAN,
        imbalance: f64::INFINITY,
        incompatibility: f64::INFINITY,
        iterations: 0,
    }
}

/// A point of the embedding, or a direction.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub r: Vec<f64>,
    pub v: Vec<f64>,
    pub s: Vec<f64>,
    pub z: Vec<f64>,
    pub lambda: f64,
    pub tau: f64,
    pub kappa: f64,
}

/// Residuals of the equations of the embedding.
pub(super) struct Residuals {
    pub r: Vec<f64>,
    pub v: Vec<f64>,
    pub s: Vec<f64>,
    pub lambda: f64,
    pub kappa: f64,
}

pub(super) struct Interior<'a> {
    pub program: &'a Program,
    pub normal: Normal<'a>,
    pub point: Point,
    /// Sizes of the loads and costs, for relative residuals.
    pub load_size: f64,
    pub cost_size: f64,
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

    fn run(mut self) -> ProgramSolution {
        let mut best: Option<(f64, ProgramSolution)> = None;
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
            if since > PATIENCE_STEPS || !self.step(&residuals) {
                break;
            }
        }
        match best {
            Some((error, solution)) if error <= ACCEPTED_TOLERANCE => solution,
            Some((error, solution)) if solution.outcome != Outcome::Optimal && error <= ENOUGH_PROOF => solution,
            Some((_, solution)) => ProgramSolution { outcome: Outcome::Stalled, ..solution },
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

    /// The point as a solution, with its error: the smallest error over the three possible outcomes.
    fn measure(&self, residuals: &Residuals, iterations: usize) -> (ProgramSolution, f64) {
        let (program, p) = (self.program, &self.point);
        let primal = dot(&program.cost, &p.r) - p.lambda;
        let dual = dot(&program.dead, &p.v) - dot(&program.offset, &p.z);
        let answer = |outcome, scale: f64, imbalance, incompatibility| ProgramSolution {
            outcome,
            forces: p.r.iter().map(|x| x / scale).collect(),
            multiplier: p.lambda / scale,
            velocities: p.v.iter().map(|x| x / scale).collect(),
            spent: p.z.iter().map(|x| x / scale).collect(),
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

    /// One predictor–corrector step; false if the factorisation or the iterate breaks down.
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
        // rounding may move a point across the boundary
        let mut taken = 0.0;
        let mut wanted = alpha;
        for _ in 0..MOST_REDUCTIONS {
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

    /// The embedding is homogeneous: the larger of τ and κ is kept at 1 to prevent underflow and overflow.
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
    pub(super) fn scaled(&self, mut fill: impl FnMut(usize, Cone, usize, &mut [f64])) -> Vec<f64> {
        let mut out = vec![0.0; self.program.offset.len()];
        for_cones(self.program, |index, cone, at| fill(index, cone, at, &mut out[at..at + cone.size()]));
        out
    }

    /// Largest step along a direction.
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
pub(super) fn for_cones(program: &Program, mut call: impl FnMut(usize, Cone, usize)) {
    let mut at = 0;
    for (index, &cone) in program.cones.iter().enumerate() {
        call(index, cone, at);
        at += cone.size();
    }
}
