//! Numbers that depend on time, with exact slopes and integrals.
//!
//! Integrals start at t = 0 and have closed forms, so the displacements of a motion given as velocity or acceleration
//! have no error that accumulates over the steps.

use crate::error::MechanicsError;

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
        /// Start time [s].
        start: f64,
        /// End time [s].
        end: f64,
    },
}

impl TimeFunction {
    /// The value at time `t` [s]. Where a table has two rows for the same time, the later row is valid from this time
    /// on.
    ///
    /// ```
    /// # use voussoir_mechanics::time_function::TimeFunction;
    /// assert_eq!(TimeFunction::Table(vec![(0.0, 0.0), (2.0, 1.0)]).value(0.5), 0.25);
    /// ```
    pub fn value(&self, t: f64) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Table(rows) => pieces(rows).find(|piece| t < piece.end).map_or(0.0, |piece| piece.value(t)),
            Self::Sine { amplitude, frequency, phase, start, end } if t >= *start && t <= *end => {
                amplitude * (std::f64::consts::TAU * frequency * t + phase).sin()
            }
            Self::Sine { .. } => 0.0,
        }
    }

    /// The first time at which a constant or a table has this value [s]; `None` if it never has, and for a sine.
    ///
    /// ```
    /// # use voussoir_mechanics::time_function::TimeFunction;
    /// let train = TimeFunction::Table(vec![(0.0, 0.0), (2.0, 4.0), (3.0, 1.0)]);
    /// assert_eq!([0.0, 3.0, 5.0].map(|s| train.time_of(s)), [Some(0.0), Some(1.5), None]);
    /// ```
    pub fn time_of(&self, value: f64) -> Option<f64> {
        match self {
            Self::Constant(own) => (*own == value).then_some(0.0),
            Self::Table(rows) => rows.windows(2).find_map(|pair| {
                let ((from, low), (to, high)) = (pair[0], pair[1]);
                let share =
                    if high == low { if value == low { 0.0 } else { f64::NAN } } else { (value - low) / (high - low) };
                (0.0..=1.0).contains(&share).then_some(from + share * (to - from))
            }),
            Self::Sine { .. } => None,
        }
    }

    /// The largest value that it takes, or more for a sine that begins or ends between its peaks.
    ///
    /// ```
    /// # use voussoir_mechanics::time_function::TimeFunction;
    /// assert_eq!(TimeFunction::Table(vec![(0.0, 0.0), (1.0, 1.2), (2.0, 1.0)]).peak(), 1.2);
    /// ```
    pub fn peak(&self) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Table(rows) => rows.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max),
            Self::Sine { amplitude, .. } => amplitude.abs(),
        }
    }

    /// The slope at time `t`, to the right where it jumps.
    pub fn slope(&self, t: f64) -> f64 {
        match self {
            Self::Constant(_) => 0.0,
            Self::Table(rows) => pieces(rows).find(|piece| t < piece.end).map_or(0.0, |piece| piece.slope),
            Self::Sine { amplitude, frequency, phase, start, end } if t >= *start && t < *end => {
                let omega = std::f64::consts::TAU * frequency;
                amplitude * omega * (omega * t + phase).cos()
            }
            Self::Sine { .. } => 0.0,
        }
    }

    /// The value just before time `t` [s]: where the function jumps, the value before the jump.
    ///
    /// ```
    /// # use voussoir_mechanics::time_function::TimeFunction;
    /// let jump = TimeFunction::Table(vec![(1.0, 0.0), (1.0, 5.0)]);
    /// assert_eq!((jump.value_before(1.0), jump.value(1.0), jump.value_before(1.5)), (0.0, 5.0, 5.0));
    /// ```
    pub fn value_before(&self, t: f64) -> f64 {
        match self {
            Self::Table(rows) => pieces(rows).find(|piece| t <= piece.end).map_or(0.0, |piece| piece.value(t)),
            Self::Sine { start, .. } if t == *start => 0.0,
            _ => self.value(t),
        }
    }

    /// The first time after `t` at which the function bends or jumps [s]; infinite if there is none.
    ///
    /// ```
    /// # use voussoir_mechanics::time_function::TimeFunction;
    /// let ramp = TimeFunction::Table(vec![(1.0, 0.0), (2.0, 1.0)]);
    /// assert_eq!([0.0, 1.0, 1.5, 2.0].map(|t| ramp.next_change(t)), [1.0, 2.0, 2.0, f64::INFINITY]);
    /// ```
    pub fn next_change(&self, t: f64) -> f64 {
        let later = |&at: &f64| at > t;
        match self {
            Self::Constant(_) => f64::INFINITY,
            Self::Table(rows) => rows.iter().map(|row| row.0).find(later).unwrap_or(f64::INFINITY),
            Self::Sine { start, end, .. } => [*start, *end].into_iter().find(later).unwrap_or(f64::INFINITY),
        }
    }

    /// Period of the function at time `t` [s]; infinite if it has none.
    pub fn period(&self, t: f64) -> f64 {
        match self {
            Self::Sine { frequency, start, end, .. } if t >= *start && t < *end => 1.0 / frequency.abs(),
            _ => f64::INFINITY,
        }
    }

    /// ∫₀ᵗ of the function.
    pub fn integral(&self, t: f64) -> f64 {
        self.integrals(t).0
    }

    /// ∫₀ᵗ ∫₀ˢ of the function: the displacement of an acceleration, from rest.
    pub fn double_integral(&self, t: f64) -> f64 {
        self.integrals(t).1
    }

    /// Single and double integral from 0 to `t`; zero for `t` ≤ 0.
    fn integrals(&self, t: f64) -> (f64, f64) {
        let t = t.max(0.0);
        match self {
            Self::Constant(value) => (value * t, 0.5 * value * t * t),
            Self::Table(rows) => pieces(rows).fold((0.0, 0.0), |(single, double), piece| {
                let (from, to) = (piece.start.max(0.0), piece.end.min(t));
                if to <= from {
                    return (single, double);
                }
                // a straight line that starts at value a, with slope s, over d seconds
                let (a, s, d) = (piece.value(from), piece.slope, to - from);
                (single + d * (a + 0.5 * s * d), double + d * (single + d * (0.5 * a + s * d / 6.0)))
            }),
            Self::Sine { amplitude, frequency, phase, start, end } => {
                let from = start.max(0.0);
                let to = end.min(t);
                if to <= from {
                    return (0.0, 0.0);
                }
                // p: phase where the window opens, x: phase run through in d seconds
                let omega = std::f64::consts::TAU * frequency;
                let (p, d) = (omega * from + phase, to - from);
                let x = omega * d;
                let half_versine = 0.5 * sinc(0.5 * x).powi(2); // (1 − cos x)/x²
                let single = amplitude * d * (p.sin() * sinc(x) + p.cos() * x * half_versine);
                let double = amplitude * d * d * (p.cos() * sine_lag(x) + p.sin() * half_versine);
                (single, double + single * (t - to))
            }
        }
    }

    /// Checks that all numbers are finite and table rows are in order of time.
    pub fn check(&self, what: &str) -> Result<(), MechanicsError> {
        let wrong = |reason: String| Err(MechanicsError::TimeFunction { what: what.to_owned(), reason });
        match self {
            Self::Constant(value) if !value.is_finite() => wrong(format!("the value is {value}")),
            Self::Table(rows) if rows.is_empty() => wrong("the table has no rows".to_owned()),
            Self::Table(rows) => {
                if let Some(row) = rows.iter().position(|(t, value)| !t.is_finite() || !value.is_finite()) {
                    return wrong(format!("row {} of the table is not finite", row + 1));
                }
                match rows.windows(2).position(|pair| pair[1].0 < pair[0].0) {
                    Some(row) => wrong(format!("row {} of the table is earlier than the previous row", row + 2)),
                    None => Ok(()),
                }
            }
            Self::Sine { amplitude, frequency, phase, start, end } => {
                if ![amplitude, frequency, phase].iter().all(|value| value.is_finite()) {
                    return wrong("amplitude, frequency and phase must be finite".to_owned());
                }
                if start.is_nan() || end.is_nan() || end < start {
                    return wrong(format!("the window from {start} s to {end} s is empty"));
                }
                Ok(())
            }
            Self::Constant(_) => Ok(()),
        }
    }
}

/// A straight line from `start` to `end`; the first and the last one of a table reach to infinity.
struct Piece {
    start: f64,
    end: f64,
    origin: f64,
    at_origin: f64,
    slope: f64,
}

impl Piece {
    fn value(&self, t: f64) -> f64 {
        if self.slope == 0.0 { self.at_origin } else { self.at_origin + self.slope * (t - self.origin) }
    }
}

/// The pieces of a table in order of time, covering all times.
fn pieces(rows: &[(f64, f64)]) -> impl Iterator<Item = Piece> + '_ {
    (0..=rows.len()).filter(|_| !rows.is_empty()).map(|i| {
        let flat = |start, end, value| Piece { start, end, origin: 0.0, at_origin: value, slope: 0.0 };
        if i == 0 {
            return flat(f64::NEG_INFINITY, rows[0].0, rows[0].1);
        }
        let (start, value) = rows[i - 1];
        match rows.get(i) {
            None => flat(start, f64::INFINITY, value),
            Some(&(end, next)) if end > start => {
                Piece { start, end, origin: start, at_origin: value, slope: (next - value) / (end - start) }
            }
            Some(&(end, _)) => flat(start, end, value),
        }
    })
}

/// sin x / x.
fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { x.sin() / x }
}

/// (x − sin x)/x², by its series where the difference would cancel.
fn sine_lag(x: f64) -> f64 {
    if x.abs() > 0.5 {
        return (x - x.sin()) / (x * x);
    }
    let x2 = x * x;
    x / 6.0 * (1.0 - x2 / 20.0 * (1.0 - x2 / 42.0 * (1.0 - x2 / 72.0 * (1.0 - x2 / 110.0 * (1.0 - x2 / 156.0)))))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Simpson's rule on a fine grid.
    fn quadrature(f: impl Fn(f64) -> f64, t: f64) -> f64 {
        let n = 20_000;
        let d = t / n as f64;
        (0..n).map(|i| i as f64 * d).map(|a| d / 6.0 * (f(a) + 4.0 * f(a + 0.5 * d) + f(a + d))).sum()
    }

    fn check_integrals(f: &TimeFunction, t: f64, tolerance: f64) {
        assert!((f.integral(t) - quadrature(|s| f.value(s), t)).abs() < tolerance, "{f:?} {t}");
        assert!((f.double_integral(t) - quadrature(|s| f.integral(s), t)).abs() < tolerance, "{f:?} {t}");
    }

    #[test]
    fn table_is_linear_inside_and_constant_outside() {
        let table = TimeFunction::Table(vec![(1.0, 2.0), (3.0, 6.0), (3.0, 0.0), (4.0, 1.0)]);
        let expected = [(0.0, 2.0), (1.0, 2.0), (2.0, 4.0), (3.0, 0.0), (3.5, 0.5), (9.0, 1.0)];
        for (t, value) in expected {
            assert_eq!(table.value(t), value, "{t}");
        }
        assert_eq!((table.slope(0.5), table.slope(1.5), table.slope(3.5), table.slope(4.5)), (0.0, 2.0, 1.0, 0.0));
        for t in [0.5, 1.0, 2.3, 3.0, 3.7, 6.0] {
            check_integrals(&table, t, 2e-3);
        }
        // ∫₀⁴ = 2 + 8 + 0.5
        assert!((table.integral(4.0) - 10.5).abs() < 1e-14);
    }

    #[test]
    fn slow_sine_tends_to_a_straight_line() {
        // sin(2πft) ≈ 2πft: double integral πf t³/3
        let f = 1e-9;
        let sine = TimeFunction::Sine { amplitude: 1.0, frequency: f, phase: 0.0, start: 0.0, end: f64::INFINITY };
        let expected = std::f64::consts::PI * f * 8.0 / 3.0;
        assert!((sine.double_integral(2.0) / expected - 1.0).abs() < 1e-13);
    }

    #[test]
    fn acceleration_sine_returns_to_known_displacement() {
        // a = A sin ωt from rest: x = A/ω (t − sin(ωt)/ω)
        let (a, f, t) = (2.943, 2.0, 1.3);
        let omega = std::f64::consts::TAU * f;
        let sine = TimeFunction::Sine { amplitude: a, frequency: f, phase: 0.0, start: 0.0, end: f64::INFINITY };
        let expected = a / omega * (t - (omega * t).sin() / omega);
        assert!((sine.double_integral(t) - expected).abs() < 1e-14);
    }

    #[test]
    fn bad_functions_are_named() {
        let table = TimeFunction::Table(vec![(1.0, 0.0), (0.5, 0.0)]);
        let message = table.check("load \"wind\"").unwrap_err().to_string();
        assert!(message.contains("load \"wind\"") && message.contains("row 2"), "{message}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn sine_integrals_match_quadrature(
            amplitude in -3.0..3.0, frequency in 0.0..4.0, phase in -7.0..7.0, start in -1.0..1.0, length in 0.0..3.0, t in 0.0..4.0
        ) {
            let sine = TimeFunction::Sine { amplitude, frequency, phase, start, end: start + length };
            check_integrals(&sine, t, 3e-3);
        }

        #[test]
        fn table_integrals_match_quadrature(steps in prop::collection::vec((0.01..1.0, -2.0..2.0), 1..6), t in 0.0..4.0) {
            let mut time = -0.5;
            let rows = steps.iter().map(|&(dt, value)| { time += dt; (time, value) }).collect();
            check_integrals(&TimeFunction::Table(rows), t, 1e-6);
        }

        #[test]
        fn integral_is_the_slope_of_the_double_integral(frequency in 0.0..3.0, phase in -4.0..4.0, t in 0.1..2.0) {
            let sine = TimeFunction::Sine { amplitude: 1.0, frequency, phase, start: 0.0, end: 5.0 };
            let d = 1e-5;
            let slope = (sine.double_integral(t + d) - sine.double_integral(t - d)) / (2.0 * d);
            prop_assert!((slope - sine.integral(t)).abs() < 1e-8);
            let slope = (sine.value(t + d) - sine.value(t - d)) / (2.0 * d);
            prop_assert!((slope - sine.slope(t)).abs() < 1e-5);
        }
    }
}
