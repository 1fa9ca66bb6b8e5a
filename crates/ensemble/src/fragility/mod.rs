//! Fragility: the probability of a damage state as a function of an intensity x.
//!
//! P(x) = Φ(ln(x/θ)/β), with median θ and deviation β. Methods of fitting:
//!
//! | method | samples | module |
//! |---|---|---|
//! | multiple stripes | failures of n runs at several intensities | [`stripes`] |
//! | incremental dynamic analysis (IDA) | the intensity at which each record brings failure, complete or up to a largest intensity | [`ida`] |
//! | cloud | a demand for each intensity, and its capacity | [`cloud`] |
//!
//! Bands: with the covariance C of (ln θ, β) the deviation of z = ln(x/θ)/β is √(gᵀ C g), g = (−1/β, −z/β) (delta
//! method), and the band is Φ(z ± q √(gᵀ C g)); or quantiles of curves fitted to resampled studies ([`bootstrap`]).
//!
//! References: J. W. Baker, *Efficient analytical fragility function fitting using dynamic structural analysis*, Earthquake
//! Spectra 31 (2015) 579–599; D. Vamvatsikos, C. A. Cornell, *Incremental dynamic analysis*, EESD 31 (2002) 491–514;
//! F. Jalayer, *Direct probabilistic seismic analysis*, Stanford 2003.

pub mod bootstrap;
pub mod cloud;
pub mod ida;
pub mod stripes;

use serde::Serialize;

use crate::normal;

/// A lognormal fragility curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FragilityCurve {
    /// Median θ, in the unit of the intensity.
    pub theta: f64,
    /// Deviation β of the logarithm.
    pub beta: f64,
    /// Covariance of (ln θ, β).
    pub covariance: [[f64; 2]; 2],
}

impl FragilityCurve {
    /// Probability of damage at an intensity.
    pub fn probability(&self, x: f64) -> f64 {
        if x <= 0.0 { 0.0 } else { normal::probability((x / self.theta).ln() / self.beta) }
    }

    /// Standard errors of ln θ and β.
    pub fn standard_errors(&self) -> [f64; 2] {
        [0, 1].map(|i| self.covariance[i][i].sqrt())
    }

    /// Band of the probability at an intensity by the delta method; `level` is its confidence, such as 0.9.
    pub fn band(&self, x: f64, level: f64) -> [f64; 2] {
        if x <= 0.0 {
            return [0.0; 2];
        }
        let z = (x / self.theta).ln() / self.beta;
        let slope = [-1.0 / self.beta, -z / self.beta];
        let c = &self.covariance;
        let variance = (0..2).map(|i| (0..2).map(|j| slope[i] * c[i][j] * slope[j]).sum::<f64>()).sum::<f64>();
        let half = normal::quantile(0.5 + 0.5 * level) * variance.max(0.0).sqrt();
        [normal::probability(z - half), normal::probability(z + half)]
    }

    /// Intensity with a probability of damage `p`.
    pub fn quantile(&self, p: f64) -> f64 {
        self.theta * (self.beta * normal::quantile(p)).exp()
    }
}
