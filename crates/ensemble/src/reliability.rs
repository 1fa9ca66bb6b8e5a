//! Probability of failure and reliability index.
//!
//! By samples: p = k/n with Wilson's interval, index β = −Φ⁻¹(p). By design point (first-order reliability method, Hasofer &
//! Lind 1974, Rackwitz & Fiessler 1978): with standard normal u, xᵢ = Qᵢ(Φ(uᵢ)), the index is the distance of the limit state
//! g(u) = 0 from the origin; u ← (∇g·u − g) ∇g/‖∇g‖², repeated.

use serde::Serialize;

use crate::distribution::Distribution;
use crate::error::{EnsembleError, EnsembleResult as Result};
use crate::fragility::stripes::wilson;
use crate::normal;

/// Probability of failure by samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reliability {
    /// Samples.
    pub samples: u64,
    /// Samples that failed.
    pub failures: u64,
    /// Probability of failure.
    pub probability: f64,
    /// Its confidence interval.
    pub interval: [f64; 2],
    /// Reliability index; infinite without failures.
    pub index: f64,
    /// Its confidence interval.
    pub index_interval: [f64; 2],
}

/// Probability of failure after `failures` of `samples`; `level` is the confidence of the intervals.
pub fn reliability(failures: u64, samples: u64, level: f64) -> Result<Reliability> {
    if samples == 0 || failures > samples || !(level > 0.0 && level < 1.0) {
        return Err(EnsembleError::input(format!("{failures} failures of {samples} samples, confidence {level}")));
    }
    let probability = failures as f64 / samples as f64;
    let interval = wilson(failures, samples, level);
    let index_interval = [interval[1], interval[0]].map(|p| -normal::quantile(p));
    Ok(Reliability { samples, failures, probability, interval, index: -normal::quantile(probability), index_interval })
}

/// A design point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DesignPoint {
    /// Reliability index; negative if the medians fail.
    pub index: f64,
    /// Probability of failure Φ(−index).
    pub probability: f64,
    /// Values of the variables at the design point.
    pub values: Vec<f64>,
    /// Share of every variable in the variance, with the sign of its effect on the margin.
    pub importance: Vec<f64>,
    /// Evaluations of the margin.
    pub evaluations: usize,
}

/// The design point of a margin g(x), failure for g < 0, of independent variables.
pub fn design_point(variables: &[Distribution], mut margin: impl FnMut(&[f64]) -> Result<f64>) -> Result<DesignPoint> {
    variables.iter().try_for_each(Distribution::check)?;
    let n = variables.len();
    let mut evaluations = 0;
    let values = |u: &[f64]| -> Vec<f64> {
        u.iter().zip(variables).map(|(u, distribution)| distribution.quantile(normal::probability(*u))).collect()
    };
    let mut at = |u: &[f64]| {
        evaluations += 1;
        margin(&values(u))
    };
    let mut u = vec![0.0; n];
    let at_medians = at(&u)?;
    let mut found = None;
    for _ in 0..100 {
        let here = at(&u)?;
        let mut gradient = vec![0.0; n];
        for i in 0..n {
            let step = 1e-4;
            let mut shifted = u.clone();
            shifted[i] = u[i] + step;
            let above = at(&shifted)?;
            shifted[i] = u[i] - step;
            gradient[i] = (above - at(&shifted)?) / (2.0 * step);
        }
        let square: f64 = gradient.iter().map(|g| g * g).sum();
        if square.is_nan() || square == 0.0 {
            return Err(EnsembleError::input("the margin does not depend on the variables"));
        }
        let along: f64 = gradient.iter().zip(&u).map(|(g, u)| g * u).sum();
        let next: Vec<f64> = gradient.iter().map(|g| (along - here) * g / square).collect();
        let change = next.iter().zip(&u).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        u = next;
        if change < 1e-9 {
            found = Some(gradient);
            break;
        }
    }
    let gradient = found.ok_or_else(|| EnsembleError::input("the design point was not found in 100 steps"))?;
    let length = u.iter().map(|u| u * u).sum::<f64>().sqrt();
    let index = if at_medians < 0.0 { -length } else { length };
    let square: f64 = gradient.iter().map(|g| g * g).sum();
    let importance = gradient.iter().map(|g| g * g.abs() / square).collect();
    Ok(DesignPoint { index, probability: normal::probability(-index), values: values(&u), importance, evaluations })
}
