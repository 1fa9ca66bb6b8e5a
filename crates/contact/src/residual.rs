//! How far a pair (u, r) is from the true law: one measure for all solvers.
//!
//! Natural map of the Coulomb law: F = r − Π_K(r − ρ û), û = u + E r + μ‖u_T‖ n, with ρ = 1 / mean(diag W).
//! The residual is ‖F‖ / (ρ ‖q‖): free of units, q being the relative velocity without impulses.
//! Where q is nothing but the rounding of the velocities whose difference it is, ‖q‖ is taken as 1e-7 of those: balls
//! that fly side by side touch with q = 1e-17 m/s, and no solver can give that eight digits.
//! For a problem with the associated law the term μ‖u_T‖ n is left out.
//! A contact with a least normal impulse f (Poisson) has rₙ ≥ f in place of rₙ ≥ 0 and is measured component-wise.

use crate::cone::{project, tangential_length};
use crate::problem::Problem;

/// The residual and the contact that contributes most to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// ‖F‖ / (ρ‖q‖), unit-free; ‖F‖/ρ [m/s] where q = 0.
    pub value: f64,
    /// Index of the worst contact (0 without contacts).
    pub worst_contact: usize,
}

/// What the measure needs to know of a problem, computed once.
#[derive(Clone, Debug)]
pub struct Scale {
    /// 1 / mean(diag W).
    pub rho: f64,
    /// ‖q‖, at least 1e-7 of the velocities that q is made of; 1 where all are zero.
    pub speed: f64,
}

/// Smallest ‖q‖ relative to the velocities that q is made of.
const LEAST_SPEED: f64 = 1e-7;

impl Scale {
    /// From a problem and the diagonal blocks of its W (contacts × dim × dim).
    pub fn new(problem: &Problem, diagonal: &[f64]) -> Self {
        let dim = problem.dim();
        let q = problem.free_relative_velocity();
        let trace: f64 = diagonal.chunks_exact(dim * dim).flat_map(|w| (0..dim).map(move |k| w[k * dim + k])).sum();
        let mean = trace / q.len().max(1) as f64;
        let speed = q.iter().map(|x| x * x).sum::<f64>().sqrt().max(LEAST_SPEED * problem.speed_of_parts());
        Self { rho: if mean > 0.0 { 1.0 / mean } else { 1.0 }, speed: if speed > 0.0 { speed } else { 1.0 } }
    }
}

/// The law's data of one contact.
#[derive(Clone, Copy, Debug)]
pub struct Law<'a> {
    /// μ
    pub friction: f64,
    /// Diagonal of E (dim).
    pub compliance: &'a [f64],
    /// Least normal impulse.
    pub floor: f64,
    /// True for the associated (dilatant) law : û = u + E r.
    pub associated: bool,
}

/// F of one contact, in units of impulse.
pub fn natural_map<const D: usize>(u: &[f64; D], r: &[f64; D], law: Law, rho: f64) -> [f64; D] {
    let mut u_hat: [f64; D] = std::array::from_fn(|k| u[k] + law.compliance[k] * r[k]);
    if law.floor > 0.0 {
        let n = (r[0] - rho * u_hat[0]).max(law.floor);
        let x: [f64; D] = std::array::from_fn(|k| if k == 0 { 0.0 } else { r[k] - rho * u_hat[k] });
        let (t, bound) = (tangential_length(&x), law.friction * r[0].max(0.0));
        let scale = if t > bound { bound / t } else { 1.0 };
        return std::array::from_fn(|k| if k == 0 { r[0] - n } else { r[k] - scale * x[k] });
    }
    if !law.associated {
        u_hat[0] += law.friction * tangential_length(&u_hat);
    }
    let p: [f64; D] = project(std::array::from_fn(|k| r[k] - rho * u_hat[k]), law.friction);
    std::array::from_fn(|k| r[k] - p[k])
}

/// Residual of the true Coulomb law for relative velocities u and impulses r (contacts × dim).
pub fn residual(problem: &Problem, scale: &Scale, u: &[f64], r: &[f64]) -> Residual {
    match problem.dim() {
        2 => measure::<2>(problem, scale, u, r),
        _ => measure::<3>(problem, scale, u, r),
    }
}

fn measure<const D: usize>(problem: &Problem, scale: &Scale, u: &[f64], r: &[f64]) -> Residual {
    let (mut sum, mut worst, mut worst_contact) = (0.0, 0.0, 0);
    for (i, (u, r)) in u.as_chunks::<D>().0.iter().zip(r.as_chunks::<D>().0).enumerate() {
        let law = Law {
            friction: problem.friction[i],
            compliance: &problem.compliance[i * D..(i + 1) * D],
            floor: problem.floor[i],
            associated: problem.associated,
        };
        let f = natural_map(u, r, law, scale.rho);
        let square: f64 = f.iter().map(|x| x * x).sum();
        sum += square;
        if square > worst {
            (worst, worst_contact) = (square, i);
        }
    }
    Residual { value: sum.sqrt() / (scale.rho * scale.speed), worst_contact }
}
