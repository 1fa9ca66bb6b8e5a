//! Error of impulses in two measures, as printed by `voussoir solve`.
//!
//! Both use the natural map of Coulomb's law, F(ρ) = r − Π_K(r − ρ û), û = u + μ‖u_T‖ n:
//! * **residual**, the full error of Siconos 4.4 and later: ‖F(1)‖ / max(‖q‖, ‖r‖, ‖u‖); it depends on the units;
//! * **unitless**: ‖F(ρ)‖ / (ρ‖q‖) with ρ = 1 / mean(diag W); it does not.
//!
//! Denominators below 2.2e-16 are omitted.

use voussoir_contact::Problem;
use voussoir_contact::local::LocalProblem;
use voussoir_contact::residual::{Law, natural_map};

/// Smallest denominator that is divided by.
const LEAST_DENOMINATOR: f64 = 2.2e-16;

/// Both measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// Full error as Siconos has it.
    pub residual: f64,
    /// The measure without units.
    pub unitless: f64,
    /// Contact with the largest part of the second; 0 without contacts.
    pub worst_contact: usize,
}

impl Measures {
    /// The larger one; NaN counts as the largest.
    pub fn larger(&self) -> f64 {
        if self.residual.is_nan() || self.unitless.is_nan() { f64::INFINITY } else { self.residual.max(self.unitless) }
    }
}

/// Measures impulses r (contacts × dim) of a local problem.
pub fn local(problem: &LocalProblem, r: &[f64]) -> Measures {
    let d = problem.dim;
    let mut trace = 0.0;
    for i in 0..problem.friction.len() {
        let row = problem.first[i]..problem.first[i + 1];
        for k in row.filter(|&k| problem.column[k] as usize == i) {
            trace += (0..d).map(|a| problem.w[(k * d + a) * d + a]).sum::<f64>();
        }
    }
    let u = problem.relative_velocity(r);
    measure(d, &problem.friction, false, trace, &problem.q, &u, r)
}

/// Measures impulses r (contacts × dim) of a global problem without forming W.
pub fn global(problem: &Problem, r: &[f64]) -> Measures {
    let d = problem.dim();
    let diagonal = problem.delassus_diagonal();
    let mut trace: f64 = diagonal.chunks_exact(d * d).flat_map(|w| (0..d).map(move |k| w[k * d + k])).sum();
    trace += problem.compliance().iter().sum::<f64>();
    let (mut velocity, mut u) = (Vec::new(), Vec::new());
    problem.velocity(r, &mut velocity);
    problem.relative_velocity(&velocity, &mut u);
    // u of a file of this problem includes the compliance
    for ((u, e), r) in u.iter_mut().zip(problem.compliance()).zip(r) {
        *u += e * r;
    }
    measure(d, problem.friction(), problem.is_associated(), trace, &problem.free_relative_velocity(), &u, r)
}

fn measure(dim: usize, friction: &[f64], associated: bool, trace: f64, q: &[f64], u: &[f64], r: &[f64]) -> Measures {
    let mean = trace / q.len().max(1) as f64;
    let rho = if mean != 0.0 && mean.is_finite() { 1.0 / mean } else { 1.0 };
    let sum = |rho: f64| match dim {
        2 => natural_maps::<2>(friction, associated, u, r, rho),
        _ => natural_maps::<3>(friction, associated, u, r, rho),
    };
    let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (absolute, _) = sum(1.0);
    let (scaled, worst_contact) = sum(rho);
    let (q, scaled) = (norm(q), scaled / rho.abs());
    let largest = q.max(norm(r)).max(norm(u));
    Measures {
        residual: if largest > LEAST_DENOMINATOR { absolute / largest } else { absolute },
        unitless: if q > LEAST_DENOMINATOR { scaled / q } else { scaled },
        worst_contact,
    }
}

/// ‖F‖ and the contact with the largest part of it.
fn natural_maps<const D: usize>(friction: &[f64], associated: bool, u: &[f64], r: &[f64], rho: f64) -> (f64, usize) {
    let (mut sum, mut worst) = (0.0, (0.0, 0));
    for (i, (u, r)) in u.as_chunks::<D>().0.iter().zip(r.as_chunks::<D>().0).enumerate() {
        let law = Law { friction: friction[i], compliance: &[0.0; D], floor: 0.0, associated };
        let square: f64 = natural_map(u, r, law, rho).iter().map(|x| x * x).sum();
        sum += square;
        if square > worst.0 {
            worst = (square, i);
        }
    }
    (sum.sqrt(), worst.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::assemble;
    use crate::sparse::Sparse;

    /// One contact in the plane: W = diag(w, w), falling and sliding at once.
    fn contact(w: f64) -> LocalProblem {
        let matrix = Sparse::from_triplets(2, 2, vec![(0, 0, w), (1, 1, w)]);
        assemble(2, &matrix, vec![-3.0, 4.0], vec![0.5]).unwrap()
    }

    #[test]
    fn measures_of_one_contact_are_those_by_hand() {
        // r = 0: û = (−3 + 0.5·4, 4) = (−1, 4), Π(−û) = Π(1, −4) = (2.4, −1.2), of which q has length 5
        let at_rest = local(&contact(1.0), &[0.0, 0.0]);
        let expected = (2.4f64 * 2.4 + 1.2 * 1.2).sqrt() / 5.0;
        assert!((at_rest.residual - expected).abs() < 1e-15);
        assert!((at_rest.unitless - expected).abs() < 1e-15);
        // it slides: r = (3, −1.5), u = (0, 2.5), and F = 0
        let exact = local(&contact(1.0), &[3.0, -1.5]);
        assert!(exact.larger() < 1e-15, "{exact:?}");
    }

    #[test]
    fn only_the_unitless_measure_is_free_of_units() {
        // the same state with impulses in other units
        let of = |unit: f64| local(&contact(1.0 / unit), &[2.0 * unit, -unit]);
        let (a, b) = (of(1.0), of(1000.0));
        assert!((a.unitless - b.unitless).abs() < 1e-14);
        assert!((a.residual - b.residual).abs() > 1e-3);
    }

    #[test]
    fn nothing_is_exact_without_contacts() {
        let empty = assemble(3, &Sparse::from_triplets(0, 0, Vec::new()), Vec::new(), Vec::new()).unwrap();
        assert_eq!(local(&empty, &[]), Measures { residual: 0.0, unitless: 0.0, worst_contact: 0 });
    }
}
