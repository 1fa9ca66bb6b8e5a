//! Incremental dynamic analysis: the intensity xᵢ at which record i brings failure.
//!
//! Complete: ln θ = mean of ln xᵢ, β = their standard deviation (n − 1). Truncated at a largest intensity c that r records
//! survive: ln L = Σ ln(φ((ln xᵢ − μ)/β)/β) + r ln Φ((μ − ln c)/β), concave in γ = 1/β and δ = μ/β (Olsen 1978).

use super::FragilityCurve;
use crate::error::{EnsembleError, EnsembleResult as Result};
use crate::newton::{Taylor, maximise, transformed};
use crate::normal;

fn logs(intensities: &[f64]) -> Result<Vec<f64>> {
    let wrong = intensities.iter().find(|x| !(**x > 0.0 && x.is_finite()));
    if let Some(x) = wrong {
        return Err(EnsembleError::input(format!("intensity {x}: must be positive")));
    }
    Ok(intensities.iter().map(|x| x.ln()).collect())
}

/// Mean and standard deviation (n − 1).
pub(crate) fn moments(values: &[f64]) -> [f64; 2] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    [mean, (values.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()]
}

/// Fits a curve to the intensities of failure of all records.
pub fn fit_ida(intensities: &[f64]) -> Result<FragilityCurve> {
    let logs = logs(intensities)?;
    if logs.len() < 2 {
        return Err(EnsembleError::NoCurve("two records or more are needed".to_owned()));
    }
    let n = logs.len() as f64;
    let [mean, beta] = moments(&logs);
    if beta <= 1e-12 * mean.abs().max(1.0) {
        return Err(EnsembleError::NoCurve("all records fail at the same intensity: the deviation is zero".to_owned()));
    }
    let covariance = [[beta * beta / n, 0.0], [0.0, beta * beta / (2.0 * (n - 1.0))]];
    Ok(FragilityCurve { theta: mean.exp(), beta, covariance })
}

/// Fits a curve to the intensities of failure up to `largest`, which `survivors` further records survive.
pub fn fit_truncated(intensities: &[f64], survivors: u64, largest: f64) -> Result<FragilityCurve> {
    if survivors == 0 {
        return fit_ida(intensities);
    }
    let (logs, end) = (logs(intensities)?, logs(&[largest])?[0]);
    if intensities.iter().any(|x| *x > largest) {
        return Err(EnsembleError::input(format!("an intensity of failure is above the largest intensity {largest}")));
    }
    if logs.len() < 2 {
        return Err(EnsembleError::NoCurve(format!(
            "{} of {} records fail up to the intensity {largest}; two or more are needed",
            logs.len(),
            logs.len() as u64 + survivors
        )));
    }
    let r = survivors as f64;
    let likelihood = |[gamma, delta]: [f64; 2]| {
        if gamma <= 0.0 {
            return Taylor { value: f64::NEG_INFINITY, ..Taylor::default() };
        }
        let mut sum = Taylor::default();
        for y in &logs {
            let e = gamma * y - delta;
            sum.value += gamma.ln() - 0.5 * e * e;
            sum.gradient = [sum.gradient[0] + 1.0 / gamma - e * y, sum.gradient[1] + e];
            let parts = [[-1.0 / (gamma * gamma) - y * y, *y], [*y, -1.0]];
            sum.second = [0, 1].map(|i| [0, 1].map(|j| sum.second[i][j] + parts[i][j]));
        }
        let z = delta - gamma * end;
        let h = normal::hazard(z);
        sum.value += r * normal::log_probability(z);
        let (first, second, slope) = (r * h, -r * h * (z + h), [-end, 1.0]);
        for i in 0..2 {
            sum.gradient[i] += first * slope[i];
            for j in 0..2 {
                sum.second[i][j] += second * slope[i] * slope[j];
            }
        }
        sum
    };
    let [mean, deviation] = moments(&logs);
    let gamma = 1.0 / deviation.max(0.05);
    let ([gamma, delta], covariance) = maximise([gamma, gamma * mean], likelihood)?;
    let jacobian = [[-delta / (gamma * gamma), 1.0 / gamma], [-1.0 / (gamma * gamma), 0.0]];
    let covariance = transformed(covariance, jacobian);
    Ok(FragilityCurve { theta: (delta / gamma).exp(), beta: 1.0 / gamma, covariance })
}
