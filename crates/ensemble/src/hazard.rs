//! Mean annual rate of damage: fragility and hazard.
//!
//! ν = ∫ P(x) |dλ(x)|, with λ(x) the annual rate of exceeding x. Between two points of a hazard curve λ = k₀ x⁻ᵏ, for which
//! ∫ Φ((y − μ)/β) k k₀ e^{−ky} dy = k₀ [−e^{−ky} Φ(z) + e^{−kμ + k²β²/2} Φ(z + kβ)], z = (y − μ)/β, y = ln x. One power law
//! over all intensities gives ν = k₀ θ⁻ᵏ exp(k²β²/2) (Cornell 1996).

use serde::{Deserialize, Serialize};

use crate::error::{EnsembleError, EnsembleResult as Result};
use crate::fragility::FragilityCurve;
use crate::normal;

/// Annual rates of exceeding intensities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum HazardCurve {
    /// λ = k₀ x⁻ᵏ.
    PowerLaw {
        /// Rate at x = 1 [1/year].
        k0: f64,
        /// Exponent, positive.
        k: f64,
    },
    /// Points (intensity, rate [1/year]), joined by power laws; the first and the last one continue outside.
    Points {
        /// The points, by growing intensity and falling rate.
        points: Vec<[f64; 2]>,
    },
}

/// Mean annual rate of a damage state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AnnualRate {
    /// The rate [1/year].
    pub rate: f64,
    /// Share of the rate that comes from intensities outside the points of the hazard curve.
    pub extrapolated: f64,
}

/// Mean annual rate of the damage of a fragility curve.
///
/// ```
/// # use voussoir_ensemble::{fragility::FragilityCurve, hazard::{annual_rate, HazardCurve}};
/// let curve = FragilityCurve { theta: 0.6, beta: 0.4, covariance: [[0.0; 2]; 2] };
/// let rate = annual_rate(&curve, &HazardCurve::PowerLaw { k0: 1e-4, k: 2.5 }).unwrap().rate;
/// assert!((rate - 5.912472e-4).abs() < 1e-9);
/// ```
pub fn annual_rate(curve: &FragilityCurve, hazard: &HazardCurve) -> Result<AnnualRate> {
    let wrong = |text: &str| Err(EnsembleError::input(format!("hazard curve: {text}")));
    match hazard {
        HazardCurve::PowerLaw { k0, k } => {
            if !(*k0 > 0.0 && *k > 0.0 && k0.is_finite() && k.is_finite()) {
                return wrong("k0 and k must be positive");
            }
            let rate = segment(curve, k0.ln(), *k, f64::NEG_INFINITY, f64::INFINITY);
            Ok(AnnualRate { rate, extrapolated: 0.0 })
        }
        HazardCurve::Points { points } => {
            let ordered = points.windows(2).all(|pair| pair[0][0] < pair[1][0] && pair[0][1] > pair[1][1]);
            let positive = points.iter().flatten().all(|value| *value > 0.0 && value.is_finite());
            if points.len() < 2 || !ordered || !positive {
                return wrong("two points or more are needed, positive, with growing intensity and falling rate");
            }
            let ends: Vec<[f64; 2]> = points.iter().map(|point| point.map(f64::ln)).collect();
            let law = |i: usize| {
                let k = (ends[i][1] - ends[i + 1][1]) / (ends[i + 1][0] - ends[i][0]);
                (ends[i][1] + k * ends[i][0], k)
            };
            let last = ends.len() - 1;
            let part = |i: usize, from: f64, to: f64| segment(curve, law(i).0, law(i).1, from, to);
            let inside: f64 = (0..last).map(|i| part(i, ends[i][0], ends[i + 1][0])).sum();
            let outside = part(0, f64::NEG_INFINITY, ends[0][0]) + part(last - 1, ends[last][0], f64::INFINITY);
            Ok(AnnualRate { rate: inside + outside, extrapolated: outside / (inside + outside) })
        }
    }
}

/// The integral over logarithms of intensity between two ends, for ln λ = `ln_k0` − `k` y.
fn segment(curve: &FragilityCurve, ln_k0: f64, k: f64, from: f64, to: f64) -> f64 {
    let (mu, beta) = (curve.theta.ln(), curve.beta);
    let log_whole = ln_k0 - k * mu + 0.5 * (k * beta).powi(2);
    let at = |y: f64| {
        if y == f64::NEG_INFINITY {
            return 0.0;
        }
        let z = (y - mu) / beta;
        let first = if y == f64::INFINITY { 0.0 } else { (ln_k0 - k * y + normal::log_probability(z)).exp() };
        let second = if y == f64::INFINITY { 0.0 } else { normal::log_probability(z + k * beta) };
        (log_whole + second).exp() - first
    };
    at(to) - at(from)
}
