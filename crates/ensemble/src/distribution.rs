//! Distributions of one number.
//!
//! | distribution | parameters | quantile at u |
//! |---|---|---|
//! | uniform | low, high | low + u (high − low) |
//! | normal | mean, deviation σ | mean + σ Φ⁻¹(u) |
//! | lognormal | median θ, deviation β of the logarithm | θ exp(β Φ⁻¹(u)) |
//! | triangular | low, mode, high | low + √(u (high − low)(mode − low)) below the mode, symmetric above |
//! | truncated | a distribution, low, high | Q(F(low) + u (F(high) − F(low))) |

use serde::{Deserialize, Serialize};

use crate::error::{EnsembleError, EnsembleResult as Result};
use crate::normal;

/// Distribution of one number.
///
/// ```
/// # use voussoir_ensemble::distribution::Distribution;
/// let friction = Distribution::Lognormal { median: 0.6, deviation: 0.2 };
/// friction.check().unwrap();
/// assert!((friction.quantile(0.5) - 0.6).abs() < 1e-15);
/// assert!(Distribution::Normal { mean: 1.0, deviation: -0.1 }.check().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "distribution", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Distribution {
    /// Equally likely between two ends.
    Uniform {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// Gauss.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation.
        deviation: f64,
    },
    /// The logarithm is normal.
    Lognormal {
        /// Median θ.
        median: f64,
        /// Standard deviation β of the logarithm.
        deviation: f64,
    },
    /// Density of a triangle.
    Triangular {
        /// Lower end.
        low: f64,
        /// Most likely value.
        mode: f64,
        /// Upper end.
        high: f64,
    },
    /// Part of another distribution.
    Truncated {
        /// The whole distribution.
        of: Box<Distribution>,
        /// Lower end; default: that of the distribution.
        #[serde(default = "minus_infinity", skip_serializing_if = "is_infinite")]
        low: f64,
        /// Upper end; default: that of the distribution.
        #[serde(default = "infinity", skip_serializing_if = "is_infinite")]
        high: f64,
    },
}

fn minus_infinity() -> f64 {
    f64::NEG_INFINITY
}

fn infinity() -> f64 {
    f64::INFINITY
}

fn is_infinite(end: &f64) -> bool {
    end.is_infinite()
}

impl Distribution {
    /// Refuses invalid parameters.
    pub fn check(&self) -> Result<()> {
        let wrong = |reason: &str| {
            let distribution = serde_json::to_string(self).unwrap_or_else(|_| format!("{self:?}"));
            Err(EnsembleError::Distribution { distribution, reason: reason.to_owned() })
        };
        match self {
            Self::Uniform { low, high } if !(low < high && low.is_finite() && high.is_finite()) => {
                wrong("`low` must be smaller than `high`")
            }
            Self::Normal { mean, .. } if !mean.is_finite() => wrong("`mean` must be a finite number"),
            Self::Lognormal { median, .. } if !(*median > 0.0 && median.is_finite()) => {
                wrong("the median of a lognormal distribution must be positive")
            }
            Self::Normal { deviation, .. } | Self::Lognormal { deviation, .. }
                if !(*deviation > 0.0 && deviation.is_finite()) =>
            {
                wrong("the standard deviation must be positive")
            }
            Self::Triangular { low, mode, high }
                if !(low <= mode && mode <= high && low < high && low.is_finite() && high.is_finite()) =>
            {
                wrong("`low`, `mode`, `high` must be in this order")
            }
            Self::Truncated { of, low, high } => {
                of.check()?;
                if low.is_nan() || high.is_nan() || of.probability(*high) - of.probability(*low) < 1e-9 {
                    return wrong("the interval has no probability");
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Probability of values up to `x`.
    pub fn probability(&self, x: f64) -> f64 {
        match self {
            Self::Uniform { low, high } => ((x - low) / (high - low)).clamp(0.0, 1.0),
            Self::Normal { mean, deviation } => normal::probability((x - mean) / deviation),
            Self::Lognormal { median, deviation } if x > 0.0 => normal::probability((x / median).ln() / deviation),
            Self::Lognormal { .. } => 0.0,
            Self::Triangular { low, mode, high } => {
                if x <= *low || x >= *high {
                    f64::from(u8::from(x >= *high))
                } else if x < *mode {
                    (x - low).powi(2) / ((high - low) * (mode - low))
                } else {
                    1.0 - (high - x).powi(2) / ((high - low) * (high - mode))
                }
            }
            Self::Truncated { of, low, high } => {
                let [a, b] = [*low, *high].map(|end| of.probability(end));
                ((of.probability(x) - a) / (b - a)).clamp(0.0, 1.0)
            }
        }
    }

    /// Value below which a share `u` of all values lies.
    pub fn quantile(&self, u: f64) -> f64 {
        match self {
            Self::Uniform { low, high } => low + u * (high - low),
            Self::Normal { mean, deviation } => mean + deviation * normal::quantile(u),
            Self::Lognormal { median, deviation } => median * (deviation * normal::quantile(u)).exp(),
            Self::Triangular { low, mode, high } => {
                let split = (mode - low) / (high - low);
                if u < split {
                    low + (u * (high - low) * (mode - low)).sqrt()
                } else {
                    high - ((1.0 - u) * (high - low) * (high - mode)).sqrt()
                }
            }
            Self::Truncated { of, low, high } => {
                let [a, b] = [*low, *high].map(|end| of.probability(end));
                of.quantile(a + u * (b - a)).clamp(*low, *high)
            }
        }
    }

    /// True if the distribution has no smallest value that a sample could take.
    pub fn is_open_below(&self) -> bool {
        match self {
            Self::Normal { .. } | Self::Lognormal { .. } => true,
            Self::Uniform { .. } | Self::Triangular { .. } => false,
            Self::Truncated { of, low, .. } => of.is_open_below() && of.probability(*low) == 0.0,
        }
    }

    /// Median and the quantiles at 5 % and 95 %: base, low and high value of a tornado diagram.
    pub fn spread(&self) -> [f64; 3] {
        [0.5, 0.05, 0.95].map(|u| self.quantile(u))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn some() -> impl Strategy<Value = Distribution> {
        let plain = (0u8..4, -5.0..5.0f64, 0.01..3.0f64, 0.0..1.0f64).prop_map(|(kind, a, b, share)| match kind {
            0 => Distribution::Uniform { low: a, high: a + b },
            1 => Distribution::Normal { mean: a, deviation: b },
            2 => Distribution::Lognormal { median: a.abs() + 0.01, deviation: b },
            _ => Distribution::Triangular { low: a, mode: a + share * b, high: a + b },
        });
        (plain, 0.01..0.4f64, 0.6..0.99f64, any::<bool>()).prop_map(|(of, low, high, cut)| {
            let [low, high] = [low, high].map(|u| of.quantile(u));
            if cut { Distribution::Truncated { of: Box::new(of), low, high } } else { of }
        })
    }

    proptest! {
        #[test]
        fn quantile_inverts_probability(distribution in some(), u in 0.001..0.999f64) {
            prop_assert!(distribution.check().is_ok());
            let x = distribution.quantile(u);
            prop_assert!((distribution.probability(x) - u).abs() < 1e-9, "{distribution:?}");
        }
    }

    #[test]
    fn impossible_distributions_are_refused_with_their_reason() {
        let infinite = f64::INFINITY;
        for (text, word) in [
            (r#"{"distribution":"uniform","low":2,"high":1}"#, "smaller"),
            (r#"{"distribution":"normal","mean":0,"deviation":-1}"#, "deviation must be positive"),
            (r#"{"distribution":"normal","mean":0,"deviation":0}"#, "deviation must be positive"),
            (r#"{"distribution":"lognormal","median":-0.6,"deviation":0.2}"#, "median"),
            (r#"{"distribution":"triangular","low":0,"mode":3,"high":1}"#, "order"),
            (
                r#"{"distribution":"truncated","of":{"distribution":"uniform","low":0,"high":1},"low":2,"high":3}"#,
                "no probability",
            ),
        ] {
            let distribution: Distribution = serde_json::from_str(text).unwrap();
            let error = distribution.check().unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
        assert!(Distribution::Normal { mean: infinite, deviation: 1.0 }.check().is_err());
    }
}
