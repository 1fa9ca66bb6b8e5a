//! The error of a pair (u, r) in the contact law: one measure for all solvers.
//!
//! Natural map of the Coulomb law: F = r − Π_K(r − ρ û), û = u + E r + μ‖u_T‖ n, with ρ = 1 / mean(diag W).
//! The residual is ‖F‖ / (ρ ‖q‖): free of units, q being the relative velocity without impulses.
//! If q is only rounding error of the velocities whose difference it is, ‖q‖ is replaced by 1e-7 of those velocities:
//! balls that fly side by side touch with q = 1e-17 m/s, which no solver can resolve to eight digits.
//! For a problem with the associated law the term μ‖u_T‖ n is left out.
//! A contact with a least normal impulse f (Poisson) has rₙ ≥ f in place of rₙ ≥ 0 and is measured component-wise.

use crate::cone::{project, tangential_length};
use crate::delassus::Laws;
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
    /// ‖q‖
    pub free: f64,
    /// True when the error of Siconos must be met too: the residual is then the larger of the two.
    pub siconos: bool,
}

/// Smallest ‖q‖ relative to the velocities that q is made of.
const LEAST_SPEED: f64 = 1e-7;

impl Scale {
    /// From a problem and the diagonal blocks of its W (contacts × dim × dim).
    pub fn new(problem: &Problem, diagonal: &[f64]) -> Self {
        let mut scale = Self::of(problem.dim(), diagonal, &problem.free_relative_velocity());
        let least = LEAST_SPEED * problem.speed_of_parts();
        scale.speed = if scale.free.max(least) > 0.0 { scale.free.max(least) } else { 1.0 };
        scale
    }

    /// From the diagonal blocks of W and q.
    pub fn of(dim: usize, diagonal: &[f64], q: &[f64]) -> Self {
        let trace: f64 = diagonal.chunks_exact(dim * dim).flat_map(|w| (0..dim).map(move |k| w[k * dim + k])).sum();
        let mean = trace / q.len().max(1) as f64;
        let free = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        Self {
            rho: if mean > 0.0 { 1.0 / mean } else { 1.0 },
            speed: if free > 0.0 { free } else { 1.0 },
            free,
            siconos: false,
        }
    }
}

/// The law of one contact.
#[derive(Clone, Copy, Debug)]
pub struct Law<'a> {
    /// μ
    pub friction: f64,
    /// Diagonal of E (dim).
    pub compliance: &'a [f64],
    /// Least normal impulse.
    pub floor: f64,
    /// True for the associated (dilatant) law: û = u + E r.
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

/// Residual of the law for relative velocities u and impulses r (contacts × dim).
pub fn residual(laws: &Laws<'_>, scale: &Scale, u: &[f64], r: &[f64]) -> Residual {
    match laws.dim {
        2 => measure::<2>(laws, scale, u, r),
        _ => measure::<3>(laws, scale, u, r),
    }
}

fn measure<const D: usize>(laws: &Laws<'_>, scale: &Scale, u: &[f64], r: &[f64]) -> Residual {
    let (square, worst_contact) = squared_map::<D>(laws, scale.rho, u, r);
    let mut value = square.sqrt() / (scale.rho * scale.speed);
    if scale.siconos {
        value = value.max(siconos_error(laws, scale, u, r));
    }
    Residual { value, worst_contact }
}

/// ‖F‖² and the worst contact.
fn squared_map<const D: usize>(laws: &Laws<'_>, rho: f64, u: &[f64], r: &[f64]) -> (f64, usize) {
    let (mut sum, mut worst, mut worst_contact) = (0.0, 0.0, 0);
    for (i, (u, r)) in u.as_chunks::<D>().0.iter().zip(r.as_chunks::<D>().0).enumerate() {
        let law = Law {
            friction: laws.friction[i],
            compliance: &laws.compliance[i * D..(i + 1) * D],
            floor: laws.floor[i],
            associated: laws.associated,
        };
        let square: f64 = natural_map(u, r, law, rho).iter().map(|x| x * x).sum();
        sum += square;
        if square > worst {
            (worst, worst_contact) = (square, i);
        }
    }
    (sum, worst_contact)
}

/// The error that Siconos (4.4 and later) reports: ‖F‖ with ρ = 1, over the largest of ‖q‖, ‖r‖, ‖u‖.
pub fn siconos_error(laws: &Laws<'_>, scale: &Scale, u: &[f64], r: &[f64]) -> f64 {
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let error = match laws.dim {
        2 => squared_map::<2>(laws, 1.0, u, r).0.sqrt(),
        _ => squared_map::<3>(laws, 1.0, u, r).0.sqrt(),
    };
    let size = scale.free.max(norm(r)).max(norm(u));
    if size > f64::EPSILON { error / size } else { error }
}
