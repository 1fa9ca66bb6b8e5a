//! Smoothing Newton on the true Coulomb law: the central path of the interior point, followed from any start.
//!
//! Every contact is rescaled to the Lorentz cone as in [`crate::interior_point`]: r̂ = (μ rₙ, r_T), û = (ũₙ/μ, u_T)
//! with the De Saxcé velocity ũₙ = uₙ + μ‖u_T‖. Instead of staying inside the cone, Newton's method solves
//! ```text
//! Φ_τ(r) = r̂ − p_τ(r̂ − ρû) = 0,   p_τ(λ) = (λ + √(λ² + 4τ²))/2 on both eigenvalues of the cone
//! ```
//! (Chen–Harker–Kanzow–Smale). Its solution is the point r̂ ∘ ρû = τ² e of the central path; for τ → 0 it is the
//! natural map. Iterates may leave the cones, so the forces of the previous step can be the start, and the Jacobian
//! stays bounded up to the solution, so full accuracy is reached.
//!
//! One factorisation gives two directions: one towards the path at the present τ, one along it for dτ = −τ. The
//! smallest τ at which their sum stays near the path, ‖Φ_τ‖ ≤ [`NEAR`]·τ, is taken; where there is none, a line search
//! on ‖Φ_τ‖ centres first. A weight α = a·w_i on dr (Levenberg) keeps the matrix regular where contacts are redundant.
//! After repeated steps that fail to approach the path, τ is increased and the weight is decreased.
//!
//! Requirements: true law, no floors. References: Chen & Tseng, Math. Program. 95 (2003); Burke & Xu, Math. Oper. Res.
//! 23 (1998); Fukushima, Luo & Tseng, SIAM J. Optim. 12 (2002).

use crate::budget::Budget;
use crate::delassus::Delassus;
use crate::lorentz::{Smoothed, smooth};
use crate::problem::blocks;
use crate::report::{SolveReport, SolverKind, Status};
use crate::small::{inverse, multiply, transform};

/// Friction below this counts as none: the scaling uₙ/μ would lose all digits.
const LEAST_FRICTION: f64 = 1e-6;
/// First τ, in units of the residual of the start.
const FIRST_SMOOTHING: f64 = 10.0;
/// Width of the neighbourhood of the path.
const NEAR: f64 = 2.0;
/// Factors by which a step tries to reduce τ, smallest first.
const REDUCTIONS: [f64; 9] = [0.003, 0.01, 0.03, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9];
/// τ below this part of the tolerance changes nothing but rounding.
const LEAST_SMOOTHING: f64 = 1e-2;
/// Shortest step of the line search.
const LEAST_STEP: f64 = 1e-2;
/// First weight on dr, in units of w_i.
const FIRST_WEIGHT: f64 = 1e-4;
/// Smallest weight on dr.
const LEAST_WEIGHT: f64 = 1e-6;
/// Steps away from the path after which τ grows by [`RETREAT`] and the weight shrinks by [`RELEASE`].
const PATIENCE: usize = 8;
const RETREAT: f64 = 10.0;
const RELEASE: f64 = 1e-2;

/// Solves from `impulses`, which are overwritten with the best found.
pub fn solve(system: &mut dyn Delassus, impulses: &mut Vec<f64>, budget: &Budget) -> SolveReport {
    match system.laws().dim {
        2 => Smoothing::<2>::new(system, budget).run(impulses),
        _ => Smoothing::<3>::new(system, budget).run(impulses),
    }
}

struct Smoothing<'a, const D: usize> {
    system: &'a mut dyn Delassus,
    budget: &'a Budget,
    /// w_i (contacts)
    weight: Vec<f64>,
    /// unit of τ: a contact's share of the impulse that stops the free velocity [N·s]
    unit: f64,
    /// unit of ‖Φ‖: such that ‖Φ‖ = τ when every contact is off by τ
    merit_unit: f64,
}

/// An iterate and everything known there. The proximal Newton method has the same fields with another φ.
#[derive(Clone, Default)]
struct Point {
    impulse: Vec<f64>,
    relative: Vec<f64>,
    phi: Vec<f64>,
    merit: f64,
}

/// Directions of one factorisation.
struct Directions {
    /// towards the path at the present τ
    centring: Vec<f64>,
    /// along the path, for dτ = −τ
    along: Vec<f64>,
}

impl<'a, const D: usize> Smoothing<'a, D> {
    fn new(system: &'a mut dyn Delassus, budget: &'a Budget) -> Self {
        let mean = |w: &[[f64; D]; D]| (0..D).map(|k| w[k][k]).sum::<f64>() / D as f64;
        let scale = system.scale();
        let weight: Vec<f64> =
            blocks::<D, D>(system.diagonal()).iter().map(|w| mean(w).max(1e-3 / scale.rho)).collect();
        let unit = scale.speed * scale.rho / (weight.len() as f64).sqrt().max(1.0);
        let merit_unit = scale.speed * scale.rho.sqrt();
        Self { system, budget, weight, unit, merit_unit }
    }

    fn run(mut self, impulses: &mut Vec<f64>) -> SolveReport {
        let mut point = Point { impulse: impulses.clone(), ..Point::default() };
        let mut best = self.system.measure(&point.impulse);
        let mut tau = FIRST_SMOOTHING * best.value.min(1.0);
        let mut a = FIRST_WEIGHT;
        let (mut factorisations, mut astray) = (0, 0);
        let mut status = Status::IterationLimit;
        while best.value > self.budget.tolerance && factorisations < self.budget.most && !self.budget.is_over() {
            self.evaluate(&mut point, tau);
            let Some(directions) = self.directions(&point, a, tau) else {
                status = Status::Stalled;
                break;
            };
            factorisations += 1;
            if let Some((next, reduction)) = self.follow(&point, &directions, tau) {
                point = next;
                tau = (tau * reduction).max(LEAST_SMOOTHING * self.budget.tolerance);
                astray = 0;
            } else {
                point = self.centre(&point, &directions, tau);
                astray += 1;
            }
            if astray == PATIENCE {
                astray = 0;
                tau *= RETREAT;
                a = (a * RELEASE).max(LEAST_WEIGHT);
            }
            let cone = self.system.laws().project(&point.impulse);
            let error = self.system.measure(&cone);
            if error.value < best.value {
                best = error;
                impulses.clone_from(&cone);
            }
            if astray > 0 && best.value <= self.budget.accepted {
                status = Status::Converged;
                break;
            }
        }
        if best.value <= self.budget.tolerance {
            status = Status::Converged;
        }
        SolveReport {
            status,
            solver: SolverKind::SmoothingNewton,
            iterations: factorisations,
            factorisations,
            residual: best.value,
            worst_contact: best.worst_contact,
        }
    }

    /// The full step to the smallest τ near which it stays, and the part of τ that this is.
    fn follow(&self, point: &Point, d: &Directions, tau: f64) -> Option<(Point, f64)> {
        REDUCTIONS.iter().find_map(|&part| {
            let step = |k: usize| point.impulse[k] + d.centring[k] + (1.0 - part) * d.along[k];
            let mut trial = Point { impulse: (0..point.impulse.len()).map(step).collect(), ..Point::default() };
            self.evaluate(&mut trial, part * tau);
            (trial.merit <= NEAR * part * tau).then_some((trial, part))
        })
    }

    /// A step towards the path that brings ‖Φ_τ‖ down, or the shortest one.
    fn centre(&self, point: &Point, d: &Directions, tau: f64) -> Point {
        let mut step = 1.0;
        loop {
            let impulse = point.impulse.iter().zip(&d.centring).map(|(x, d)| x + step * d).collect();
            let mut trial = Point { impulse, ..Point::default() };
            self.evaluate(&mut trial, tau);
            if trial.merit < (1.0 - 1e-4 * step) * point.merit || step < LEAST_STEP {
                return trial;
            }
            step *= 0.5;
        }
    }

    /// The terms of Φ at one contact.
    fn local(&self, i: usize, u: &[f64; D], r: &[f64; D]) -> Local<D> {
        let laws = self.system.laws();
        let e = &laws.compliance[i * D..(i + 1) * D];
        let frictionless = laws.friction[i] < LEAST_FRICTION;
        let mu = if frictionless { 1.0 } else { laws.friction[i] };
        let total: [f64; D] = std::array::from_fn(|k| u[k] + e[k] * r[k]);
        let speed = total[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
        let slip = std::array::from_fn(|k| if speed > 0.0 { total[k] / speed } else { 0.0 });
        let rho = 1.0 / (self.weight[i] + e[0]);
        let impulse: [f64; D] = std::array::from_fn(|k| if k == 0 { mu * r[0] } else { r[k] });
        let shifted = std::array::from_fn(|k| match k {
            0 if frictionless => impulse[0] - rho * total[0],
            0 => impulse[0] - rho * (total[0] / mu + speed),
            _ if frictionless => 0.0,
            k => impulse[k] - rho * total[k],
        });
        Local { shifted, impulse, rho, mu, frictionless, slip }
    }

    fn evaluate(&self, point: &mut Point, tau: f64) {
        self.system.relative(&point.impulse, &mut point.relative);
        point.phi.clear();
        let mut square = 0.0;
        let [u, r] = [&point.relative, &point.impulse].map(|x| x.as_chunks::<D>().0);
        for (i, (u, r)) in u.iter().zip(r).enumerate() {
            let at = self.local(i, u, r);
            let p = at.smoothed(tau * self.unit).value;
            for k in 0..D {
                let phi = at.impulse[k] - p[k];
                square += phi * phi / at.rho;
                point.phi.push(phi);
            }
        }
        point.merit = square.sqrt() / self.merit_unit;
    }

    fn directions(&mut self, point: &Point, a: f64, tau: f64) -> Option<Directions> {
        let tau = tau * self.unit;
        let [u, r, phi] = [&point.relative, &point.impulse, &point.phi].map(|x| x.as_chunks::<D>().0);
        let count = r.len();
        let mut g: Vec<[[f64; D]; D]> = Vec::with_capacity(count);
        let mut centring: Vec<[f64; D]> = Vec::with_capacity(count);
        let mut along: Vec<[f64; D]> = Vec::with_capacity(count);
        let laws = self.system.laws();
        for i in 0..count {
            let at = self.local(i, &u[i], &r[i]);
            let Smoothed { derivative, rate, .. } = at.smoothed(tau);
            // û = T u, differentiated with the De Saxcé term
            let t: [[f64; D]; D] = std::array::from_fn(|p| {
                std::array::from_fn(|q| match (p, q) {
                    (0, 0) => 1.0 / at.mu,
                    (0, _) if at.frictionless => 0.0,
                    (0, q) => at.slip[q],
                    (p, q) => f64::from(u8::from(p == q)),
                })
            });
            let pt = multiply(&derivative, &t);
            // Φ' dr = M dr + ρ P'T du with M = (I − P') S + ρ P'T (E + α), S = diag(μ, 1, …)
            let m: [[f64; D]; D] = std::array::from_fn(|p| {
                std::array::from_fn(|q| {
                    let s = if q == 0 { at.mu } else { 1.0 };
                    let soft = laws.compliance[i * D + q] + a * self.weight[i];
                    (f64::from(u8::from(p == q)) - derivative[p][q]) * s + at.rho * pt[p][q] * soft
                })
            });
            let m = inverse(&m)?;
            g.push(multiply(&m, &pt).map(|row| row.map(|x| x * at.rho)));
            centring.push(transform(&m, &phi[i]).map(|x| -x));
            along.push(transform(&m, &rate).map(|x| -x * tau));
        }
        self.system.factorise(g.as_flattened().as_flattened(), false).ok()?;
        let [centring, along] = [centring, along].map(|b| {
            let (mut dr, mut du) = (Vec::new(), Vec::new());
            self.system.respond(b.as_flattened(), &mut dr, &mut du);
            dr
        });
        Some(Directions { centring, along })
    }
}

struct Local<const D: usize> {
    /// r̂ − ρû
    shifted: [f64; D],
    /// r̂
    impulse: [f64; D],
    rho: f64,
    /// friction, 1 where there is none
    mu: f64,
    frictionless: bool,
    /// direction of slip (components from 1)
    slip: [f64; D],
}

impl<const D: usize> Local<D> {
    /// p_τ at the shifted point: over the cone, or over the half line where there is no friction.
    fn smoothed(&self, tau: f64) -> Smoothed<D> {
        if !self.frictionless {
            return smooth(&self.shifted, tau);
        }
        let Smoothed { value, derivative, rate } = smooth(&[self.shifted[0], 0.0], tau);
        let mut along = Smoothed { value: [0.0; D], derivative: [[0.0; D]; D], rate: [0.0; D] };
        (along.value[0], along.derivative[0][0], along.rate[0]) = (value[0], derivative[0][0], rate[0]);
        along
    }
}

/// Error of the centring direction at some impulses.
#[cfg(test)]
pub(crate) fn newton_error(system: &mut dyn Delassus, impulses: &[f64]) -> f64 {
    fn run<const D: usize>(system: &mut dyn Delassus, impulses: &[f64]) -> f64 {
        let budget = Budget { tolerance: 1e-12, accepted: 1e-12, most: 1, deadline: None };
        let mut newton = Smoothing::<D>::new(system, &budget);
        let tau = 0.1;
        let at = |newton: &Smoothing<'_, D>, impulse: Vec<f64>| {
            let mut point = Point { impulse, ..Point::default() };
            newton.evaluate(&mut point, tau);
            point
        };
        let point = at(&newton, impulses.to_vec());
        let Some(directions) = newton.directions(&point, 0.0, tau) else { return f64::INFINITY };
        crate::gradients::newton_miss(|s| {
            at(&newton, impulses.iter().zip(&directions.centring).map(|(r, d)| r + s * d).collect()).phi
        })
    }
    match system.laws().dim {
        2 => run::<2>(system, impulses),
        _ => run::<3>(system, impulses),
    }
}
