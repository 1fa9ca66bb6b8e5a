//! Cloud: a demand dᵢ for each intensity xᵢ, and a capacity c.
//!
//! Least squares ln d = a + b ln x + σ ε. The demand exceeds c with probability Φ((a + b ln x − ln c)/σ): ln θ =
//! (ln c − a)/b, β = σ/b. The covariance follows from that of (a, b), σ² (XᵀX)⁻¹, and from var σ = σ²/(2(n − 2)) by the delta
//! method.

use serde::Serialize;

use super::FragilityCurve;
use crate::error::{EnsembleError, EnsembleResult as Result};

/// Regression of logarithms of demands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CloudRegression {
    /// ln d at x = 1.
    pub intercept: f64,
    /// Exponent b.
    pub slope: f64,
    /// Standard deviation σ of ln d about the line.
    pub deviation: f64,
    /// Share of the variance of ln d that the line explains.
    pub r_squared: f64,
}

/// Fits demands, and the curve of exceeding `capacity`.
pub fn fit_cloud(samples: &[(f64, f64)], capacity: f64) -> Result<(CloudRegression, FragilityCurve)> {
    if samples.len() < 3 || !(capacity > 0.0 && capacity.is_finite()) {
        return Err(EnsembleError::NoCurve("three samples or more and a positive capacity are needed".to_owned()));
    }
    if let Some((x, d)) = samples.iter().find(|(x, d)| !(*x > 0.0 && *d > 0.0 && x.is_finite() && d.is_finite())) {
        return Err(EnsembleError::input(format!(
            "intensity {x} with demand {d}: both must be positive and finite; collapses belong to stripes"
        )));
    }
    let n = samples.len() as f64;
    let points: Vec<[f64; 2]> = samples.iter().map(|(x, d)| [x.ln(), d.ln()]).collect();
    let mean = [0, 1].map(|k| points.iter().map(|p| p[k]).sum::<f64>() / n);
    let sum = |i: usize, j: usize| points.iter().map(|p| (p[i] - mean[i]) * (p[j] - mean[j])).sum::<f64>();
    let [xx, xy, yy] = [sum(0, 0), sum(0, 1), sum(1, 1)];
    let slope = xy / xx;
    if xx <= 1e-12 || slope <= 0.0 {
        return Err(EnsembleError::NoCurve("the demand does not grow with the intensity".to_owned()));
    }
    let intercept = mean[1] - slope * mean[0];
    let square = points.iter().map(|p| (p[1] - intercept - slope * p[0]).powi(2)).sum::<f64>() / (n - 2.0);
    let deviation = square.sqrt();
    let ln_theta = (capacity.ln() - intercept) / slope;
    // mean[1] and the slope are uncorrelated: ln θ = mean[0] + (ln c − mean[1])/b
    let (at_mean, of_slope) = (square / n, square / xx);
    let lever = (ln_theta - mean[0]) / slope;
    let beta = deviation / slope;
    let of_deviation = square / (2.0 * (n - 2.0));
    let covariance = [
        [at_mean / (slope * slope) + lever * lever * of_slope, lever * beta / slope * of_slope],
        [lever * beta / slope * of_slope, (of_deviation + beta * beta * of_slope) / (slope * slope)],
    ];
    let regression = CloudRegression { intercept, slope, deviation, r_squared: xy * xy / (xx * yy) };
    Ok((regression, FragilityCurve { theta: ln_theta.exp(), beta, covariance }))
}
