//! Numbers that depend on time.

/// A scalar function of time, exactly integrable.
#[derive(Clone, Debug, PartialEq)]
pub enum TimeFunction {
    /// Always the same value.
    Constant(f64),
    /// Straight lines between (time [s], value) rows; constant outside.
    Table(Vec<(f64, f64)>),
    /// `amplitude · sin(2π · frequency · t + phase)` from `start` to `end` [s], zero outside.
    Sine {
        /// Peak value.
        amplitude: f64,
        /// [Hz]
        frequency: f64,
        /// [rad]
        phase: f64,
        /// First moment [s].
        start: f64,
        /// Last moment [s].
        end: f64,
    },
}
