//! Recorded ground motions: PEER AT2 files and CSV tables to accelerations in m/s².
//!
//! AT2: four header lines, the third with the unit (g), the fourth with `NPTS` and `DT`, then the values in rows.
//! CSV: one row per sample, the first column the time [s], the others accelerations; lines that start with `#` and one
//! header line are skipped. Samples must be evenly spaced: the acceleration in a gap is
//! unknown, not zero. The record is interpolated linearly between samples and integrated exactly.

use std::fmt;

use crate::scene::actions::Baseline;

/// Standard gravity, by which records in g are given [m/s²].
pub const STANDARD_GRAVITY: f64 = 9.806_65;
/// Largest plausible peak of a recorded ground motion [m/s²]; a larger peak indicates a wrong unit.
const STRONGEST_PEAK: f64 = 50.0;
/// Smallest plausible peak [m/s²].
const WEAKEST_PEAK: f64 = 1e-4;
/// Most samples of a record.
const MOST_SAMPLES: usize = 10_000_000;

/// Evenly spaced accelerations.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundMotionRecord {
    /// Time between samples [s].
    pub step: f64,
    /// Accelerations [m/s²] once [`GroundMotionRecord::check_unit`] and [`GroundMotionRecord::scaled`] were used.
    pub samples: Vec<f64>,
}

/// An invalid record.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordError {
    /// Line of the file, from 1; 0 for an error of the whole file.
    pub line: usize,
    /// Description of the error, with advice.
    pub reason: String,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.reason),
            line => write!(f, "line {line}: {}", self.reason),
        }
    }
}

impl std::error::Error for RecordError {}

fn wrong<T>(line: usize, reason: impl Into<String>) -> Result<T, RecordError> {
    Err(RecordError { line, reason: reason.into() })
}

impl GroundMotionRecord {
    /// Reads a PEER AT2 file; its unit is g.
    ///
    /// ```
    /// # use voussoir_model::accelerogram::GroundMotionRecord;
    /// let text = "PEER\nTest\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS= 3, DT= .01 SEC\n 0.0 0.1 -0.2\n";
    /// let record = GroundMotionRecord::at2(text).unwrap();
    /// assert_eq!((record.step, record.samples.as_slice()), (0.01, [0.0, 0.1, -0.2].as_slice()));
    /// ```
    pub fn at2(text: &str) -> Result<Self, RecordError> {
        let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
        let header: Vec<(usize, &str)> = lines.by_ref().take(4).collect();
        let [_, _, (_, unit), (number, counts)] = header[..] else {
            return wrong(0, "not an AT2 file: fewer than four header lines");
        };
        let upper = unit.to_uppercase();
        if !upper.split(|c: char| !c.is_alphanumeric()).any(|word| word == "G") {
            return wrong(3, format!("the unit of an AT2 file is g (\"… IN UNITS OF G\"), here: \"{}\"", unit.trim()));
        }
        let Some((count, step)) = counts_of(counts) else {
            return wrong(number, format!("expected \"NPTS= 4000, DT= .005 SEC\", here: \"{}\"", counts.trim()));
        };
        if !(step.is_finite() && step > 0.0) || count > MOST_SAMPLES {
            return wrong(number, format!("invalid header: {count} samples, time step {step} s"));
        }
        let mut samples = Vec::with_capacity(count);
        for (number, line) in lines {
            for word in line.split_whitespace() {
                samples.push(number_of(number, word)?);
            }
        }
        if samples.len() != count {
            return wrong(
                number,
                format!("the header says NPTS = {count}, the file has {} values: the record has a gap", samples.len()),
            );
        }
        Self { step, samples }.long_enough()
    }

    /// Reads column `column` (from 1; the first is the time) of a CSV file.
    pub fn csv(text: &str, column: usize) -> Result<Self, RecordError> {
        let (mut times, mut samples, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        let mut header_allowed = true;
        for (i, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let separator = if line.contains(';') { ';' } else { ',' };
            let cells: Vec<&str> = line.split(separator).map(str::trim).collect();
            if header_allowed && cells[0].parse::<f64>().is_err() {
                header_allowed = false;
                continue;
            }
            header_allowed = false;
            let Some(cell) = cells.get(column.saturating_sub(1)) else {
                return wrong(i + 1, format!("there is no column {column}; this row has {}", cells.len()));
            };
            if cell.is_empty() {
                return wrong(i + 1, format!("column {column} is empty: the record has a gap"));
            }
            times.push(number_of(i + 1, cells[0])?);
            samples.push(number_of(i + 1, cell)?);
            numbers.push(i + 1);
            if samples.len() > MOST_SAMPLES {
                return wrong(i + 1, format!("more than {MOST_SAMPLES} samples"));
            }
        }
        let (Some(first), Some(last), true) = (times.first(), times.last(), times.len() > 1) else {
            return wrong(0, "fewer than two samples");
        };
        let step = (last - first) / (times.len() - 1) as f64;
        // a missing sample shifts all later times: single intervals are compared with the first one
        let usual = times[1] - times[0];
        for (i, pair) in times.windows(2).enumerate() {
            let interval = pair[1] - pair[0];
            if interval <= 0.0 {
                return wrong(numbers[i + 1], format!("the time {} s is not after {} s", pair[1], pair[0]));
            }
            if (interval / usual - 1.0).abs() > 0.01 {
                let reason =
                    format!("the time step is {interval:.6} s here and {usual:.6} s elsewhere: the record has a gap");
                return wrong(numbers[i + 1], reason);
            }
        }
        Self { step, samples }.long_enough()
    }

    fn long_enough(self) -> Result<Self, RecordError> {
        if self.samples.len() < 2 { wrong(0, "fewer than two samples") } else { Ok(self) }
    }

    /// Largest absolute value.
    pub fn peak(&self) -> f64 {
        self.samples.iter().fold(0.0, |peak, a| peak.max(a.abs()))
    }

    /// All samples times a factor.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        self.samples.iter_mut().for_each(|a| *a *= factor);
        self
    }

    /// Refuses implausible peaks [m/s²], which indicate a wrong unit.
    pub fn check_unit(self) -> Result<Self, RecordError> {
        let peak = self.peak();
        if (WEAKEST_PEAK..=STRONGEST_PEAK).contains(&peak) {
            return Ok(self);
        }
        let reason = format!(
            "the peak is {peak:.3e} m/s² ({:.3e} g), not plausible for a ground motion; check `unit` (\"g\", \"m/s2\" \
             or \
             \"cm/s2\")",
            peak / STANDARD_GRAVITY
        );
        wrong(0, reason)
    }

    /// Duration [s].
    pub fn duration(&self) -> f64 {
        self.step * (self.samples.len() - 1) as f64
    }

    /// Velocity [m/s] and displacement [m] at the end, from rest, of straight lines between the samples.
    pub fn end(&self) -> [f64; 2] {
        let h = self.step;
        self.samples.windows(2).fold([0.0; 2], |[v, x], pair| {
            let [a, b] = [pair[0], pair[1]];
            [v + h * (a + b) / 2.0, x + h * v + h * h * (2.0 * a + b) / 6.0]
        })
    }

    /// Subtracts a baseline.
    ///
    /// If c₀ + c₁ t is subtracted over the duration T, the final values change by c₀T + c₁T²/2 and c₀T²/2 + c₁T³/6.
    #[must_use]
    pub fn corrected(mut self, baseline: Baseline) -> Self {
        let ([v, x], t) = (self.end(), self.duration());
        let (c0, c1) = match baseline {
            Baseline::None => return self,
            Baseline::Velocity => (v / t, 0.0),
            Baseline::Rest => (6.0 * x / (t * t) - 2.0 * v / t, 6.0 * v / (t * t) - 12.0 * x / (t * t * t)),
        };
        let h = self.step;
        self.samples.iter_mut().enumerate().for_each(|(i, a)| *a -= c0 + c1 * (i as f64 * h));
        self
    }

    /// Rows (time, acceleration) from `start` on, zero before and after.
    pub fn rows(&self, start: f64) -> Vec<(f64, f64)> {
        let sample = |(i, a): (usize, &f64)| (start + i as f64 * self.step, *a);
        let end = start + self.duration();
        let mut rows = vec![(start, 0.0)];
        rows.extend(self.samples.iter().enumerate().map(sample));
        rows.push((rows.last().map_or(end, |row| row.0), 0.0));
        rows
    }
}

fn number_of(line: usize, word: &str) -> Result<f64, RecordError> {
    match word.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => wrong(line, format!("\"{word}\" is not a number: the record has a gap")),
    }
}

/// `NPTS= 4000, DT= .005 SEC`, or the older `4000 0.005 NPTS, DT`.
fn counts_of(line: &str) -> Option<(usize, f64)> {
    let upper = line.to_uppercase();
    let after = |key: &str| {
        let rest = upper.split_once(key)?.1.trim_start_matches([' ', '=']);
        rest.split([',', ' ']).find(|word| !word.is_empty())?.parse::<f64>().ok()
    };
    if upper.contains('=') {
        return Some((after("NPTS")? as usize, after("DT")?));
    }
    let mut words = upper.split([',', ' ']).filter(|word| !word.is_empty());
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}
