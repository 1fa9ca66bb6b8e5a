//! Intensity measures of a ground motion.
//!
//! The acceleration a(t) [m/s²] is linear between samples, and everything is integrated exactly for it.
//!
//! | measure | definition | unit |
//! |---|---|---|
//! | PGA, PGV, PGD | largest absolute acceleration, velocity, displacement of the ground | m/s², m/s, m |
//! | Sd(T, ζ) | largest absolute displacement of an oscillator of period T, damping ζ | m |
//! | Sa(T, ζ) | pseudo-acceleration (2π/T)² Sd | m/s² |
//! | AvgSa | geometric mean of Sa over periods | m/s² |
//! | Arias | π/(2g) ∫ a² dt | m/s |
//! | CAV | ∫ \|a\| dt | m/s |
//! | D5–95 | time between 5 % and 95 % of the Arias intensity | s |
//! | Housner | ∫ PSV(T, 5 %) dT from 0.1 s to 2.5 s, PSV = (2π/T) Sd | m |
//!
//! The oscillator is advanced by the exact solution for linear load (Nigam & Jennings 1969); the peak between two points of
//! time is that of the cubic through displacements and velocities.

use std::f64::consts::PI;

use serde::Serialize;

use crate::error::{EnsembleError, EnsembleResult as Result};

/// Acceleration of gravity in the definition of the Arias intensity, the value of scenes [m/s²].
pub const GRAVITY: f64 = 9.81;
/// Points of time per period of an oscillator.
const PER_PERIOD: f64 = 24.0;
/// Step of the integral of Housner [s].
const HOUSNER_STEP: f64 = 0.02;

/// Accelerations of the ground at even times.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundAcceleration<'a> {
    /// Time between samples [s].
    pub step: f64,
    /// Accelerations [m/s²].
    pub samples: &'a [f64],
}

/// Measures that need no period.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct IntensityMeasures {
    /// Peak acceleration [m/s²].
    pub pga: f64,
    /// Peak velocity [m/s].
    pub pgv: f64,
    /// Peak displacement [m].
    pub pgd: f64,
    /// Arias intensity [m/s].
    pub arias: f64,
    /// Cumulative absolute velocity [m/s].
    pub cav: f64,
    /// Significant duration [s].
    pub d5_95: f64,
    /// Housner intensity [m].
    pub housner: f64,
}

impl<'a> GroundAcceleration<'a> {
    /// A record; refused with fewer than two samples, or without a positive step.
    pub fn new(step: f64, samples: &'a [f64]) -> Result<Self> {
        if samples.len() < 2 || !(step > 0.0 && step.is_finite()) || samples.iter().any(|a| !a.is_finite()) {
            return Err(EnsembleError::input("a record needs two samples or more, finite, and a positive time step"));
        }
        Ok(Self { step, samples })
    }

    /// Largest absolute acceleration [m/s²].
    pub fn pga(&self) -> f64 {
        self.samples.iter().fold(0.0, |peak, a| peak.max(a.abs()))
    }

    /// Largest absolute velocity and displacement of the ground, which starts at rest [m/s, m].
    pub fn pgv_pgd(&self) -> [f64; 2] {
        let (mut v, mut d, h) = (0.0f64, 0.0f64, self.step);
        let (mut pgv, mut pgd) = (0.0f64, 0.0f64);
        for pair in self.samples.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            // inside the interval: acceleration a + (b − a) s/h
            if a * b < 0.0 {
                let s = h * a / (a - b);
                pgv = pgv.max((v + 0.5 * a * s).abs());
            }
            let end = (d + v * h + h * h * (a / 3.0 + b / 6.0), v + 0.5 * h * (a + b));
            pgd = pgd.max(cubic_peak([d, end.0], [v, end.1], h));
            (d, v) = end;
            pgv = pgv.max(v.abs());
        }
        [pgv, pgd]
    }

    /// Arias intensity [m/s].
    pub fn arias(&self) -> f64 {
        PI / (2.0 * GRAVITY) * self.samples.windows(2).map(|pair| self.square(pair)).sum::<f64>()
    }

    /// ∫ a² over one interval.
    fn square(&self, pair: &[f64]) -> f64 {
        let [a, b] = [pair[0], pair[1]];
        self.step / 3.0 * (a * a + a * b + b * b)
    }

    /// Cumulative absolute velocity [m/s].
    pub fn cav(&self) -> f64 {
        let interval = |pair: &[f64]| {
            let [a, b] = [pair[0], pair[1]];
            let area = if a * b < 0.0 { (a * a + b * b) / (a - b).abs() } else { (a + b).abs() };
            0.5 * self.step * area
        };
        self.samples.windows(2).map(interval).sum()
    }

    /// Time between 5 % and 95 % of the Arias intensity [s].
    pub fn d5_95(&self) -> f64 {
        let total: f64 = self.samples.windows(2).map(|pair| self.square(pair)).sum();
        let time_at = |share: f64| {
            let mut sum = 0.0;
            for (i, pair) in self.samples.windows(2).enumerate() {
                let part = self.square(pair);
                if sum + part >= share * total && part > 0.0 {
                    return self.step * (i as f64 + (share * total - sum) / part);
                }
                sum += part;
            }
            0.0
        };
        time_at(0.95) - time_at(0.05)
    }

    /// Largest displacement of an oscillator of period `period` [s] and damping ratio `damping` [m].
    pub fn sd(&self, period: f64, damping: f64) -> Result<f64> {
        if !(period > 0.0 && period.is_finite() && (0.0..1.0).contains(&damping)) {
            return Err(EnsembleError::input(format!(
                "period {period} s, damping {damping}: the period must be positive, the damping between 0 and 1"
            )));
        }
        let parts = (self.step * PER_PERIOD / period).ceil().max(1.0);
        let h = self.step / parts;
        let omega = 2.0 * PI / period;
        let oscillator = Oscillator::new(omega, damping, h);
        let (mut u, mut v, mut peak) = (0.0f64, 0.0f64, 0.0f64);
        for pair in self.samples.windows(2) {
            for part in 0..parts as usize {
                let at = |k: usize| -(pair[0] + (pair[1] - pair[0]) * k as f64 / parts);
                let (u1, v1) = oscillator.advance(u, v, at(part), at(part + 1));
                peak = peak.max(cubic_peak([u, u1], [v, v1], h));
                (u, v) = (u1, v1);
            }
        }
        // the free vibration after the record
        for _ in 0..PER_PERIOD as usize * 2 {
            let after = Oscillator::new(omega, damping, period / PER_PERIOD);
            let (u1, v1) = after.advance(u, v, 0.0, 0.0);
            peak = peak.max(cubic_peak([u, u1], [v, v1], period / PER_PERIOD));
            (u, v) = (u1, v1);
        }
        Ok(peak)
    }

    /// Pseudo-acceleration [m/s²].
    pub fn sa(&self, period: f64, damping: f64) -> Result<f64> {
        Ok((2.0 * PI / period).powi(2) * self.sd(period, damping)?)
    }

    /// Geometric mean of Sa over periods [m/s²].
    pub fn average_sa(&self, periods: &[f64], damping: f64) -> Result<f64> {
        if periods.is_empty() {
            return Err(EnsembleError::input("AvgSa needs one period or more"));
        }
        let logs: Result<Vec<f64>> = periods.iter().map(|&period| Ok(self.sa(period, damping)?.ln())).collect();
        Ok((logs?.iter().sum::<f64>() / periods.len() as f64).exp())
    }

    /// Housner intensity for 5 % damping [m].
    pub fn housner(&self) -> Result<f64> {
        let count = (2.4 / HOUSNER_STEP).round() as usize;
        let velocity = |i: usize| {
            let period = 0.1 + HOUSNER_STEP * i as f64;
            Ok(2.0 * PI / period * self.sd(period, 0.05)?)
        };
        let values: Vec<f64> = (0..=count).map(velocity).collect::<Result<_>>()?;
        Ok(HOUSNER_STEP * (values.iter().sum::<f64>() - 0.5 * (values[0] + values[count])))
    }

    /// All measures that need no period.
    pub fn measures(&self) -> Result<IntensityMeasures> {
        let [pgv, pgd] = self.pgv_pgd();
        let housner = self.housner()?;
        Ok(IntensityMeasures {
            pga: self.pga(),
            pgv,
            pgd,
            arias: self.arias(),
            cav: self.cav(),
            d5_95: self.d5_95(),
            housner,
        })
    }
}

/// Largest absolute value of the cubic with values `u` and slopes `v` at the ends of an interval of length `h`.
fn cubic_peak(u: [f64; 2], v: [f64; 2], h: f64) -> f64 {
    let mut peak = u[0].abs().max(u[1].abs());
    // u(s) = u₀ + v₀ s + b s² + c s³
    let b = (3.0 * (u[1] - u[0]) / h - 2.0 * v[0] - v[1]) / h;
    let c = (2.0 * (u[0] - u[1]) / h + v[0] + v[1]) / (h * h);
    let discriminant = b * b - 3.0 * c * v[0];
    if discriminant >= 0.0 {
        let q = -(b + discriminant.sqrt().copysign(b));
        for s in [v[0] / q, q / (3.0 * c)] {
            if s > 0.0 && s < h {
                peak = peak.max((u[0] + s * (v[0] + s * (b + s * c))).abs());
            }
        }
    }
    peak
}

/// One step of ü + 2ζω u̇ + ω² u = p(t) with linear p.
struct Oscillator {
    omega: f64,
    damping: f64,
    h: f64,
    /// Free vibration over one step, row by row.
    free: [[f64; 2]; 2],
}

impl Oscillator {
    fn new(omega: f64, damping: f64, h: f64) -> Self {
        let damped = omega * (1.0 - damping * damping).sqrt();
        let decay = (-damping * omega * h).exp();
        let (s, c) = (damped * h).sin_cos();
        let (s, share) = (s * decay, damping * omega / damped);
        let c = c * decay;
        let free = [[c + share * s, s / damped], [-omega * omega / damped * s, c - share * s]];
        Self { omega, damping, h, free }
    }

    /// Displacement and velocity after a step in which the load goes from `p` to `q`.
    fn advance(&self, u: f64, v: f64, p: f64, q: f64) -> (f64, f64) {
        // the particular solution for a linear load is linear: α + β s
        let square = self.omega * self.omega;
        let beta = (q - p) / (self.h * square);
        let alpha = p / square - 2.0 * self.damping * beta / self.omega;
        let (x, y) = (u - alpha, v - beta);
        let [[a, b], [c, d]] = self.free;
        (alpha + beta * self.h + a * x + b * y, beta + c * x + d * y)
    }
}
