//! Bands from resampled studies (Efron 1979).
//!
//! Stripes are drawn again from the fitted curve (parametric), intensities of failure from the samples with replacement. A
//! resampled study that determines no curve is counted and left out.

use serde::Serialize;

use super::FragilityCurve;
use super::ida::fit_truncated;
use super::stripes::{Stripe, fit_stripes};
use crate::error::EnsembleResult as Result;
use crate::random::RandomNumbers;

/// Curves of resampled studies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResampledCurves {
    /// The curves.
    pub curves: Vec<FragilityCurve>,
    /// Resampled studies without a curve.
    pub without_curve: usize,
}

impl ResampledCurves {
    /// Draws `count` studies by `draw`.
    pub fn draw(count: usize, seed: u64, draw: impl Fn(&mut RandomNumbers) -> Result<FragilityCurve>) -> Self {
        let mut numbers = RandomNumbers::new(seed);
        let curves: Vec<_> = (0..count).filter_map(|_| draw(&mut numbers).ok()).collect();
        Self { without_curve: count - curves.len(), curves }
    }

    /// Resampled stripes.
    pub fn of_stripes(curve: &FragilityCurve, stripes: &[Stripe], count: usize, seed: u64) -> Self {
        Self::draw(count, seed, |numbers| fit_stripes(&draw_stripes(curve, stripes, numbers)))
    }

    /// Resampled intensities of failure.
    pub fn of_ida(intensities: &[f64], survivors: u64, largest: f64, count: usize, seed: u64) -> Self {
        let total = intensities.len() + survivors as usize;
        Self::draw(count, seed, |numbers| {
            let drawn: Vec<usize> = (0..total).map(|_| numbers.below(total)).collect();
            let failed: Vec<f64> = drawn.iter().filter_map(|&i| intensities.get(i).copied()).collect();
            fit_truncated(&failed, (total - failed.len()) as u64, largest)
        })
    }

    /// Band of the probability at an intensity: quantiles of the curves.
    pub fn band(&self, x: f64, level: f64) -> Option<[f64; 2]> {
        let mut values: Vec<f64> = self.curves.iter().map(|curve| curve.probability(x)).collect();
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)?;
        let at = |share: f64| {
            let place = share * last as f64;
            let (i, part) = (place.floor() as usize, place.fract());
            values[i] + part * (values[(i + 1).min(last)] - values[i])
        };
        Some([at(0.5 - 0.5 * level), at(0.5 + 0.5 * level)])
    }
}

/// Stripes of the same sizes drawn from a curve.
pub fn draw_stripes(curve: &FragilityCurve, stripes: &[Stripe], numbers: &mut RandomNumbers) -> Vec<Stripe> {
    let draw = |stripe: &Stripe| {
        let p = curve.probability(stripe.intensity);
        let failures = (0..stripe.runs).filter(|_| numbers.unit() < p).count() as u64;
        Stripe { failures, ..*stripe }
    };
    stripes.iter().map(draw).collect()
}
