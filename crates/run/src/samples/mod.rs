//! Tests on samples of grains: moduli and angles with their scatter over packings, and springs for a required modulus.
//!
//! | module | content |
//! |---|---|
//! | [`evaluate`] | moduli and angles of one test |
//! | [`mod@calibrate`] | springs with which a sample has a required modulus |
//!
//! Every packing is another sample: its seed is that of the scene plus 0, 1, 2, … The scatter is part of the answer,
//! because a sample of a few dozen grains is no representative volume.

pub mod calibrate;
pub mod evaluate;

use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;
use voussoir_model::{Built, build};

use crate::compare::with_seeds;
use crate::error::{Result, RunError};
use crate::scene_file::SceneFile;
use evaluate::{SampleValue, evaluate};

/// One packing.
#[derive(Clone, Debug, Serialize)]
pub struct SampleRow {
    /// Seeds are those of the scene plus this number.
    pub seed_shift: u64,
    /// Moduli and angles.
    pub values: Vec<SampleValue>,
    /// Reasons for missing values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A value over all packings.
#[derive(Clone, Debug, Serialize)]
pub struct SampleStatistic {
    /// Name of the value.
    pub name: &'static str,
    /// Unit; empty without unit.
    pub unit: &'static str,
    /// Packings that have it.
    pub count: usize,
    /// Median.
    pub median: f64,
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub deviation: f64,
    /// Smallest and largest.
    pub range: [f64; 2],
}

/// Answer of `voussoir sample`.
#[derive(Clone, Debug, Serialize)]
pub struct SampleReport {
    /// One row per packing.
    pub rows: Vec<SampleRow>,
    /// Statistics over all packings.
    pub statistics: Vec<SampleStatistic>,
}

/// Builds the scene for `seeds` packings.
pub fn packings(file: &SceneFile, base: &Path, seeds: u64) -> Result<Vec<Built>> {
    if file.built.sample.is_none() {
        return Err(RunError::input("the scene has no [sample]: it is not a test on a sample".to_owned())
            .with_help("`voussoir new oedometer`, `biaxial`, `direct-shear` or `repose` writes one"));
    }
    let shifts: Vec<u64> = (0..seeds.max(1)).collect();
    shifts
        .into_par_iter()
        .map(|shift| match shift {
            0 => Ok(file.built.clone()),
            _ => build(&with_seeds(&file.scene, shift), base).map_err(RunError::from),
        })
        .collect()
}

/// Runs the test on all packings.
pub fn test(samples: &[Built]) -> SampleReport {
    let rows: Vec<SampleRow> = samples
        .par_iter()
        .enumerate()
        .map(|(shift, built)| {
            let (values, note) = match evaluate(built) {
                Ok(found) => found,
                Err(error) => (Vec::new(), Some(error.to_string())),
            };
            SampleRow { seed_shift: shift as u64, values, note }
        })
        .collect();
    let statistics = statistics(&rows);
    SampleReport { rows, statistics }
}

fn statistics(rows: &[SampleRow]) -> Vec<SampleStatistic> {
    let mut names: Vec<(&'static str, &'static str)> = Vec::new();
    for value in rows.iter().flat_map(|row| &row.values) {
        if !names.contains(&(value.name, value.unit)) {
            names.push((value.name, value.unit));
        }
    }
    names
        .into_iter()
        .map(|(name, unit)| {
            let all = rows.iter().flat_map(|row| &row.values).filter(|value| value.name == name);
            statistic(name, unit, all.map(|value| value.value).collect())
        })
        .collect()
}

fn statistic(name: &'static str, unit: &'static str, mut values: Vec<f64>) -> SampleStatistic {
    values.sort_by(f64::total_cmp);
    let count = values.len();
    let mean = values.iter().sum::<f64>() / count as f64;
    let square = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    let deviation = (square / (count as f64 - 1.0).max(1.0)).sqrt();
    let range = [values[0], values[count - 1]];
    SampleStatistic { name, unit, count, median: median(&values), mean, deviation, range }
}

/// Median of sorted numbers.
pub fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        0 if middle > 0 => 0.5 * (sorted[middle - 1] + sorted[middle]),
        0 => f64::NAN,
        _ => sorted[middle],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_four_numbers() {
        let found = statistic("E", "Pa", vec![4.0, 1.0, 3.0, 2.0]);
        assert_eq!((found.median, found.mean, found.range), (2.5, 2.5, [1.0, 4.0]));
        assert!((found.deviation - (5.0f64 / 3.0).sqrt()).abs() < 1e-15);
    }
}
