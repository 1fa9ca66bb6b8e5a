//! The standard normal distribution.
//!
//! Φ(z) = erfc(−z/√2)/2, φ(z) = exp(−z²/2)/√(2π). Far in the tail ln Φ and φ/Φ use the continued fraction of Mills'
//! ratio, so that likelihoods stay finite. The inverse starts from a rational approximation (Abramowitz & Stegun 26.2.23)
//! and takes Halley steps on Φ until they change nothing.

use std::f64::consts::{PI, SQRT_2};

/// Below this, Φ comes from the continued fraction.
const TAIL: f64 = -12.0;

/// Density φ(z).
pub fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

/// Probability Φ(z).
///
/// ```
/// # use voussoir_ensemble::normal::probability;
/// assert_eq!(probability(0.0), 0.5);
/// assert!((probability(1.959963984540054) - 0.975).abs() < 1e-15);
/// ```
pub fn probability(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// Mills' ratio Φ(z)/φ(z) for z < 0: 1/(x + 1/(x + 2/(x + …))) with x = −z.
fn mills(z: f64) -> f64 {
    let x = -z;
    1.0 / (x + (1..40).rev().fold(0.0, |rest, k| f64::from(k) / (x + rest)))
}

/// ln Φ(z), finite for every finite z.
pub fn log_probability(z: f64) -> f64 {
    if z < TAIL { mills(z).ln() - 0.5 * z * z - 0.5 * (2.0 * PI).ln() } else { probability(z).ln() }
}

/// φ(z)/Φ(z), the derivative of ln Φ.
pub fn hazard(z: f64) -> f64 {
    if z < TAIL { 1.0 / mills(z) } else { density(z) / probability(z) }
}

/// Inverse of Φ: −∞ at 0, ∞ at 1, NaN outside.
///
/// ```
/// # use voussoir_ensemble::normal::quantile;
/// assert!((quantile(0.95) - 1.6448536269514722).abs() < 1e-14);
/// ```
pub fn quantile(p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if p == 0.0 || p == 1.0 {
        return if p == 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    // the upper half by symmetry: 1 − p is exact there
    if p > 0.5 {
        return -quantile(1.0 - p);
    }
    if p == 0.5 {
        return 0.0;
    }
    let t = (-2.0 * p.ln()).sqrt();
    let top = 2.515517 + t * (0.802853 + t * 0.010328);
    let bottom = 1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308));
    let mut z = top / bottom - t;
    for _ in 0..8 {
        // Newton on ln Φ(z) = ln p, with the curvature of ln Φ (Halley)
        let error = log_probability(z) - p.ln();
        let slope = hazard(z);
        let curvature = -slope * (z + slope);
        let change = error / (slope - 0.5 * error * curvature / slope);
        z -= change;
        if change.abs() <= 1e-15 * z.abs().max(1e-300) {
            break;
        }
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantile_inverts_probability_over_the_whole_range() {
        for k in 1..400 {
            let z = -37.0 + 74.0 * f64::from(k) / 400.0;
            let again = quantile(probability(z));
            // half a unit of the last digit of p moves z by that much; above 8, p is 1
            let rounding = f64::EPSILON / hazard(z);
            assert!(z > 8.0 || (again - z).abs() <= 1e-14 * z.abs().max(1.0) + rounding, "{z} {again}");
        }
    }

    #[test]
    fn the_tail_joins_without_a_step() {
        let [a, b] = [TAIL - 1e-9, TAIL + 1e-9].map(log_probability);
        assert!((a - b).abs() < 1e-7, "{a} {b}");
        // Φ(−40): Abramowitz & Stegun 26.2.12, asymptotic series
        let x: f64 = 40.0;
        let series = 1.0 - 1.0 / x.powi(2) + 3.0 / x.powi(4) - 15.0 / x.powi(6);
        let expected = -0.5 * x * x - 0.5 * (2.0 * PI).ln() - x.ln() + series.ln();
        assert!((log_probability(-40.0) - expected).abs() < 1e-9);
    }
}
