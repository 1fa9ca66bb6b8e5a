//! Torque-free rotation of a body.
//!
//! The spin ω⁺ after a step solves  I ω⁺ = exp(−h ω̄) I ω,  ω̄ = θ ω⁺ + (1−θ) ω,  all in body axes. Turned by the same
//! exp(h ω̄) the body keeps its angular momentum in world axes exactly; and since a rotation about ω̄ does not change
//! the component along ω̄, ω̄·I(ω⁺ − ω) = 0: for θ = ½ the kinetic energy is kept exactly too (for θ > ½ it falls).

use voussoir_geometry::Space;

use super::masses::add_product;
use crate::kinematics::spin_length;

/// Maximum number of iterations, sufficient for h|ω| < ½; beyond that the rotation in a step is too large for any
/// scheme.
const MOST_ITERATIONS: usize = 100;

/// The spin (body axes) after `h` seconds of free rotation; `mass` and `inverse` are the body's blocks.
pub(crate) fn free_spin<S: Space>(
    inertia: S::Inertia,
    mass: &[f64],
    inverse: &[f64],
    spin: S::Spin,
    h: f64,
    theta: f64,
) -> S::Spin {
    if S::gyroscopic(inertia, spin) == S::no_spin() {
        return spin;
    }
    let momentum = angular::<S>(mass, spin);
    let mut next = spin;
    let mut last_change = f64::INFINITY;
    for _ in 0..MOST_ITERATIONS {
        let mean = next * theta + spin * (1.0 - theta);
        let turned = S::spin_to_body(S::advance(S::no_rotation(), mean, h), momentum);
        let candidate = angular::<S>(inverse, turned);
        let change = spin_length::<S>(candidate - next);
        next = candidate;
        // at rounding level the change no longer decreases
        if change == 0.0 || (change >= last_change && change <= 1e-14 * spin_length::<S>(spin)) {
            return next;
        }
        last_change = change;
    }
    if last_change <= SPIN_TOLERANCE * spin_length::<S>(spin) {
        return next;
    }
    by_newton::<S>(mass, spin, h, theta).unwrap_or(spin)
}

/// Change of the iteration that is accepted, relative to the spin.
const SPIN_TOLERANCE: f64 = 1e-9;

/// Newton steps, and the residual that ends them, relative to the angular momentum.
const NEWTON_STEPS: usize = 60;
const NEWTON_TOLERANCE: f64 = 1e-13;

/// The same equation by Newton's method with a line search. The iteration does not converge for needles, whose moments
/// of inertia differ by many orders of magnitude; and where Newton fails too, an unchanged spin keeps the kinetic
/// energy.
fn by_newton<S: Space>(mass: &[f64], spin: S::Spin, h: f64, theta: f64) -> Option<S::Spin> {
    let momentum = angular::<S>(mass, spin);
    let size = spin_length::<S>(momentum);
    let residual = |next: S::Spin| {
        let mean = next * theta + spin * (1.0 - theta);
        let turned = S::spin_to_body(S::advance(S::no_rotation(), mean, h), momentum);
        S::spin_to_3d(angular::<S>(mass, next) - turned)
    };
    let length = |r: [f64; 3]| r.iter().map(|x| x * x).sum::<f64>().sqrt();
    let moved = |from: S::Spin, by: [f64; 3]| from + S::spin_from_3d(by);
    let mut next = spin;
    for _ in 0..NEWTON_STEPS {
        let now = residual(next);
        if length(now) <= NEWTON_TOLERANCE * size {
            return Some(next);
        }
        let small = 1e-7 * spin_length::<S>(next).max(spin_length::<S>(spin));
        let mut columns = [[0.0; 3]; 3];
        for (k, column) in columns.iter_mut().enumerate() {
            let mut by = [0.0; 3];
            by[k] = small;
            let beside = residual(moved(next, by));
            *column = std::array::from_fn(|i| (beside[i] - now[i]) / small);
        }
        let step = solved(columns, now.map(|x| -x))?;
        let shorter = (0..30).map(|i| 0.5f64.powi(i)).find(|by| {
            let there = residual(moved(next, step.map(|x| by * x)));
            length(there) < length(now)
        });
        match shorter {
            Some(by) => next = moved(next, step.map(|x| by * x)),
            // rounding ends the descent
            None => return (length(now) <= 1e3 * NEWTON_TOLERANCE * size).then_some(next),
        }
    }
    None
}

/// x with Σ columnᵢ xᵢ = right, by Cramer's rule.
fn solved(columns: [[f64; 3]; 3], right: [f64; 3]) -> Option<[f64; 3]> {
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let [a, b, c] = columns;
    let whole = dot(a, cross(b, c));
    let found = [dot(right, cross(b, c)) / whole, dot(a, cross(right, c)) / whole, dot(a, cross(b, right)) / whole];
    found.iter().all(|x| x.is_finite()).then_some(found)
}

/// The angular part of a `dofs × dofs` block times a spin.
pub(crate) fn angular<S: Space>(block: &[f64], spin: S::Spin) -> S::Spin {
    let (mut x, mut y) = ([0.0; 6], [0.0; 6]);
    S::pack(S::zero(), spin, &mut x[..S::DOFS]);
    add_product(block, &x[..S::DOFS], &mut y[..S::DOFS]);
    S::unpack(&y[..S::DOFS]).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use voussoir_geometry::D3;
    use voussoir_geometry::glam::{DMat3, DVec3};

    /// Needles of 1 mm × 1 mm × 1 m keep energy and angular momentum, however fast they spin.
    #[test]
    fn needles_keep_their_energy() {
        let m = 7.8e-3;
        let inertia = DMat3::from_diagonal(DVec3::new(m / 12.0, m / 12.0, m * 1e-6 / 6.0));
        let (mut mass, mut inverse) = ([0.0; 36], [0.0; 36]);
        D3::mass_matrix(m, inertia, &mut mass);
        D3::mass_matrix(1.0 / m, inertia.inverse(), &mut inverse);
        for spin in [[3.0, 2.0, 500.0], [0.1, -4.0, 2000.0], [5.0, 5.0, 0.0], [8.0, 0.2, -50.0], [0.0, 1e-3, 6000.0]] {
            let spin = DVec3::from_array(spin);
            let next = free_spin::<D3>(inertia, &mass, &inverse, spin, 1e-3, 0.5);
            let energy = |w: DVec3| 0.5 * w.dot(inertia * w);
            assert!((energy(next) / energy(spin) - 1.0).abs() < 1e-9, "{spin}: {next}");
            assert!(((inertia * next).length() / (inertia * spin).length() - 1.0).abs() < 1e-9, "{spin}: {next}");
        }
    }
}
