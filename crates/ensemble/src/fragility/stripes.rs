//! Multiple stripes: failures among runs at several intensities, fitted by maximum likelihood.
//!
//! ln L(a, b) = Σ k ln Φ(a + b ln x) + (n − k) ln Φ(−a − b ln x) is concave; β = 1/b, ln θ = −a/b. The covariance is the
//! inverse of the expected information Σ n φ²/(Φ(1 − Φ)) (1, ln x)(1, ln x)ᵀ, taken to (ln θ, β) by the delta method. A stripe of one run is a single sample, so
//! that intensities need not repeat.
//!
//! A maximum exists if and only if failures and survivors overlap: some run survived above an intensity at which another
//! one failed. Wilson's interval of a share p = k/n with q = Φ⁻¹((1 + level)/2) is
//! (p + q²/2n ± q √(p(1 − p)/n + q²/4n²))/(1 + q²/n).

use serde::{Deserialize, Serialize};

use super::FragilityCurve;
use crate::error::{EnsembleError, EnsembleResult as Result};
use crate::newton::{Taylor, inverse, maximise, transformed};
use crate::normal;

/// Runs at one intensity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stripe {
    /// Intensity, positive.
    pub intensity: f64,
    /// Runs.
    pub runs: u64,
    /// Runs that failed.
    pub failures: u64,
}

impl Stripe {
    /// Confidence interval of the probability of failure of this stripe.
    pub fn wilson(&self, level: f64) -> [f64; 2] {
        wilson(self.failures, self.runs, level)
    }
}

/// Wilson's interval of a probability after `k` successes in `n` trials; [0, 1] without trials.
///
/// ```
/// # use voussoir_ensemble::fragility::stripes::wilson;
/// let [low, high] = wilson(0, 10, 0.95);
/// assert!(low == 0.0 && (high - 0.2775328).abs() < 1e-6);
/// ```
pub fn wilson(k: u64, n: u64, level: f64) -> [f64; 2] {
    if n == 0 {
        return [0.0, 1.0];
    }
    let (p, n) = (k as f64 / n as f64, n as f64);
    let q = normal::quantile(0.5 + 0.5 * level);
    let centre = p + q * q / (2.0 * n);
    let half = q * (p * (1.0 - p) / n + q * q / (4.0 * n * n)).sqrt();
    let low = if p == 0.0 { 0.0 } else { (centre - half) / (1.0 + q * q / n) };
    let high = if p == 1.0 { 1.0 } else { (centre + half) / (1.0 + q * q / n) };
    [low, high]
}

/// Stripes of single samples: samples of equal intensity are counted together, in the order of intensities.
pub fn stripes(samples: &[(f64, bool)]) -> Vec<Stripe> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut stripes: Vec<Stripe> = Vec::new();
    for (intensity, failed) in sorted {
        let failures = u64::from(failed);
        match stripes.last_mut() {
            Some(last) if last.intensity == intensity => {
                last.runs += 1;
                last.failures += failures;
            }
            _ => stripes.push(Stripe { intensity, runs: 1, failures }),
        }
    }
    stripes
}

/// Fits a lognormal curve to stripes.
///
/// ```
/// # use voussoir_ensemble::fragility::stripes::{fit_stripes, Stripe};
/// let stripe = |intensity, failures| Stripe { intensity, runs: 100, failures };
/// let curve = fit_stripes(&[stripe(0.2, 16), stripe(0.4, 84)]).unwrap();
/// assert!((curve.theta - 0.08f64.sqrt()).abs() < 1e-9); // symmetric shares: the geometric mean
/// ```
pub fn fit_stripes(stripes: &[Stripe]) -> Result<FragilityCurve> {
    check(stripes)?;
    let used: Vec<&Stripe> = stripes.iter().filter(|stripe| stripe.runs > 0).collect();
    let runs: f64 = used.iter().map(|stripe| stripe.runs as f64).sum();
    // centred logarithms: the two parameters are then hardly correlated
    let centre = used.iter().map(|stripe| stripe.runs as f64 * stripe.intensity.ln()).sum::<f64>() / runs;
    let likelihood = |[a, b]: [f64; 2]| {
        used.iter().fold(Taylor::default(), |mut sum, stripe| {
            let y = stripe.intensity.ln() - centre;
            let (k, rest) = (stripe.failures as f64, (stripe.runs - stripe.failures) as f64);
            let z = a + b * y;
            let (up, down) = (normal::hazard(z), normal::hazard(-z));
            sum.value += term(k, normal::log_probability(z)) + term(rest, normal::log_probability(-z));
            let first = k * up - rest * down;
            let second = -k * up * (z + up) - rest * down * (down - z);
            for (i, p) in [1.0, y].into_iter().enumerate() {
                sum.gradient[i] += first * p;
                for (j, q) in [1.0, y].into_iter().enumerate() {
                    sum.second[i][j] += second * p * q;
                }
            }
            sum
        })
    };
    let failures: f64 = used.iter().map(|stripe| stripe.failures as f64).sum();
    let ([a, b], _) = maximise([normal::quantile(failures / runs), 0.0], likelihood)?;
    if b <= 0.0 {
        return Err(EnsembleError::NoCurve("the share of failures does not grow with the intensity".to_owned()));
    }
    let information = used.iter().fold([[0.0; 2]; 2], |sum: [[f64; 2]; 2], stripe| {
        let y = stripe.intensity.ln() - centre;
        let z = a + b * y;
        let weight = stripe.runs as f64 * normal::hazard(z) * normal::hazard(-z);
        let vector = [1.0, y];
        [0, 1].map(|i| [0, 1].map(|j| sum[i][j] + weight * vector[i] * vector[j]))
    });
    let covariance = inverse(information).ok_or_else(|| EnsembleError::NoCurve("one intensity only".to_owned()))?;
    let jacobian = [[-1.0 / b, a / (b * b)], [0.0, -1.0 / (b * b)]];
    Ok(FragilityCurve { theta: (centre - a / b).exp(), beta: 1.0 / b, covariance: transformed(covariance, jacobian) })
}

/// k·ln p, zero for k = 0 also where p is zero.
fn term(count: f64, log: f64) -> f64 {
    if count == 0.0 { 0.0 } else { count * log }
}

/// Refuses stripes that determine no curve, with the reason.
fn check(stripes: &[Stripe]) -> Result<()> {
    for Stripe { intensity, runs, failures } in stripes {
        if !(*intensity > 0.0 && intensity.is_finite()) || failures > runs {
            return Err(EnsembleError::input(format!(
                "stripe at {intensity} with {failures} failures of {runs} runs: intensities must be positive, \
                 failures not more than runs"
            )));
        }
    }
    let none = |text: String| Err(EnsembleError::NoCurve(text));
    let at = |wanted: fn(&Stripe) -> bool| stripes.iter().filter(move |s| wanted(s)).map(|s| s.intensity);
    let failed: fn(&Stripe) -> bool = |stripe| stripe.failures > 0;
    let survived: fn(&Stripe) -> bool = |stripe| stripe.failures < stripe.runs;
    let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let [first_failure, last_failure] = [least(&mut at(failed)), most(&mut at(failed))];
    let [first_survivor, last_survivor] = [least(&mut at(survived)), most(&mut at(survived))];
    if first_failure.is_infinite() {
        return none(format!("no failure up to the largest intensity {last_survivor}; larger intensities are needed"));
    }
    if first_survivor.is_infinite() {
        return none(format!("every run failed, down to the intensity {first_failure}; smaller ones are needed"));
    }
    if last_survivor <= first_failure {
        return none(format!(
            "all runs survive below {first_failure} and fail above {last_survivor}: the deviation is zero, the \
             threshold lies between {last_survivor} and {first_failure}; intensities between them are needed"
        ));
    }
    if last_failure <= first_survivor {
        return none("the share of failures falls with the intensity".to_owned());
    }
    Ok(())
}
