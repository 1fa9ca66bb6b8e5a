//! Sensitivity: rank correlation and tornado diagrams.
//!
//! Spearman's coefficient is the correlation of ranks (ties have their mean rank); its interval at confidence c is
//! tanh(artanh r ± Φ⁻¹((1 + c)/2)/√(n − 3)) (Fisher).

use serde::Serialize;

use crate::error::{EnsembleError, EnsembleResult as Result};
use crate::normal;

/// Rank correlation of a variable with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RankCorrelation {
    /// Spearman's coefficient.
    pub coefficient: f64,
    /// Its interval at a confidence of 90 %.
    pub interval: [f64; 2],
    /// Samples.
    pub samples: usize,
}

/// Spearman's coefficient of two columns.
pub fn rank_correlation(x: &[f64], y: &[f64]) -> Result<RankCorrelation> {
    let n = x.len();
    if n < 4 || n != y.len() || x.iter().chain(y).any(|value| value.is_nan()) {
        return Err(EnsembleError::input("a rank correlation needs two columns of four numbers or more"));
    }
    let [a, b] = [ranks(x), ranks(y)];
    let mean = (n as f64 + 1.0) / 2.0;
    let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    let scale = (sum(&a, &a) * sum(&b, &b)).sqrt();
    if scale == 0.0 {
        return Err(EnsembleError::input("a rank correlation needs columns that vary"));
    }
    let coefficient = (sum(&a, &b) / scale).clamp(-1.0, 1.0);
    let half = normal::quantile(0.95) / (n as f64 - 3.0).sqrt();
    let interval = [-half, half].map(|shift| (coefficient.atanh() + shift).tanh());
    Ok(RankCorrelation { coefficient, interval, samples: n })
}

/// Ranks from 1; equal values have their mean rank.
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let equal = order[start..].iter().take_while(|&&i| values[i] == values[order[start]]).count();
        let rank = start as f64 + (equal as f64 + 1.0) / 2.0;
        order[start..start + equal].iter().for_each(|&i| ranks[i] = rank);
        start += equal;
    }
    ranks
}

/// One bar of a tornado diagram: the answer at a low and a high value of one variable, all others at their medians.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TornadoBar {
    /// Name of the variable.
    pub variable: String,
    /// Its low and high value.
    pub values: [f64; 2],
    /// Answers there.
    pub answers: [f64; 2],
}

impl TornadoBar {
    /// Length of the bar.
    pub fn swing(&self) -> f64 {
        (self.answers[1] - self.answers[0]).abs()
    }
}

/// Bars by falling length; bars of equal length keep their order.
pub fn tornado(mut bars: Vec<TornadoBar>) -> Vec<TornadoBar> {
    bars.sort_by(|a, b| b.swing().total_cmp(&a.swing()));
    bars
}
