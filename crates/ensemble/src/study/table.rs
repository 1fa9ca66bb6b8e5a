//! The table of a study, and what follows from it: fragility, reliability, rank correlations.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::motions::MEASURES;
use super::plan::EnsembleStudy;
use super::spec::{DamageSpec, FragilityMethod, FragilitySpec};
use crate::error::{EnsembleError, EnsembleResult as Result};
use crate::fragility::FragilityCurve;
use crate::fragility::cloud::fit_cloud;
use crate::fragility::ida::fit_truncated;
use crate::fragility::stripes::{Stripe, fit_stripes, stripes};
use crate::hazard::{AnnualRate, annual_rate};
use crate::reliability::{Reliability, reliability};
use crate::sensitivity::{RankCorrelation, rank_correlation};

/// A cell of the answer of a sample.
#[derive(Clone, Debug, PartialEq)]
pub enum StudyValue {
    /// A number.
    Number(f64),
    /// A word.
    Word(String),
    /// No value.
    Empty,
}

impl StudyValue {
    /// A value of the JSON of an answer; true and false are 1 and 0.
    pub fn of_json(value: &Value) -> Self {
        match value {
            Value::Number(number) => number.as_f64().map_or(Self::Empty, Self::Number),
            Value::Bool(truth) => Self::Number(f64::from(u8::from(*truth))),
            Value::String(text) => Self::Word(text.clone()),
            _ => Self::Empty,
        }
    }

    /// As text with all digits; none if empty.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Number(number) => Some(format!("{number:?}")),
            Self::Word(text) => Some(text.clone()),
            Self::Empty => None,
        }
    }

    /// The inverse of [`StudyValue::text`].
    pub fn read(text: Option<String>) -> Self {
        match text {
            None => Self::Empty,
            Some(text) => text.parse().map_or_else(|_| Self::Word(text), Self::Number),
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }
}

/// The outcome of one sample.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyRow {
    /// Number of the sample.
    pub index: usize,
    /// Name of the sample.
    pub name: String,
    /// done, not-converged, failed, timeout or lost.
    pub status: String,
    /// Why it is not done.
    pub reason: String,
    /// Numbers in the order of [`EnsembleStudy::columns`].
    pub numbers: Vec<StudyValue>,
}

/// All rows of a study.
#[derive(Clone, Debug)]
pub struct SampleTable {
    /// Names of the columns after name and seed, before status and reason: keys, record, scale, measures.
    pub inputs: Vec<String>,
    /// Names of the columns of answers.
    pub columns: Vec<String>,
    /// Rows by number.
    pub rows: Vec<StudyRow>,
    /// Cells of the inputs, row by row.
    pub cells: Vec<Vec<StudyValue>>,
    /// Seeds.
    pub seeds: Vec<u64>,
    /// Samples of the whole study.
    pub total: usize,
    /// Measure and upper limit of damage states that have one.
    limits: BTreeMap<String, (String, f64)>,
}

/// A fitted curve of a study.
#[derive(Clone, Debug, Serialize)]
pub struct StudyFragility {
    /// Column of the intensity.
    pub im: String,
    /// Damage state.
    pub damage: Option<String>,
    /// The curve.
    pub curve: FragilityCurve,
    /// Stripes behind it, if there are any.
    pub stripes: Vec<Stripe>,
    /// Intensities of failure behind it, if there are any.
    pub capacities: Vec<f64>,
    /// Confidence of bands.
    pub level: f64,
    /// Samples left out because they have no converged answer.
    pub left_out: usize,
    /// Mean annual rate.
    pub rate: Option<AnnualRate>,
}

impl SampleTable {
    /// The table of some rows of a study.
    pub fn new(study: &EnsembleStudy, rows: Vec<StudyRow>) -> Self {
        let mut inputs = study.keys.clone();
        if !study.records.is_empty() {
            inputs.extend(["record", "scale"].map(str::to_owned));
            inputs.extend(study.measures().into_iter().map(str::to_owned));
        }
        let cells = rows.iter().map(|row| study.input_cells(row.index)).collect();
        let seeds = rows.iter().map(|row| study.samples[row.index].seed).collect();
        let limit =
            |(name, damage): (&String, &DamageSpec)| Some((name.clone(), (damage.measure.clone(), damage.above?)));
        let limits = study.spec.damage.iter().filter_map(limit).collect();
        Self { inputs, columns: study.columns(), rows, cells, seeds, total: study.samples.len(), limits }
    }

    /// The table as CSV, the same to the byte for every engine.
    pub fn to_csv(&self) -> String {
        let head = ["sample", "name", "seed"].into_iter().chain(self.inputs.iter().map(String::as_str));
        let head = head.chain(["status", "reason"]).chain(self.columns.iter().map(String::as_str));
        let mut text = head.map(quoted).collect::<Vec<_>>().join(",") + "\n";
        for ((row, cells), seed) in self.rows.iter().zip(&self.cells).zip(&self.seeds) {
            let mut line = vec![row.index.to_string(), row.name.clone(), seed.to_string()];
            line.extend(cells.iter().map(|cell| quoted(&cell.text().unwrap_or_default())));
            line.extend([&row.status, &row.reason].map(|text| quoted(text)));
            line.extend(row.numbers.iter().map(|cell| quoted(&cell.text().unwrap_or_default())));
            text += &line.join(",");
            text.push('\n');
        }
        text
    }

    /// A column by name, one cell per row; inputs come first.
    pub fn column(&self, name: &str) -> Option<Vec<StudyValue>> {
        if let Some(i) = self.inputs.iter().position(|own| own == name) {
            return Some(self.cells.iter().map(|cells| cells[i].clone()).collect());
        }
        let i = self.columns.iter().position(|own| own == name)?;
        Some(self.rows.iter().map(|row| row.numbers[i].clone()).collect())
    }

    fn numbers(&self, name: &str) -> Result<Vec<Option<f64>>> {
        let known = || self.inputs.iter().chain(&self.columns).cloned().collect::<Vec<_>>().join(", ");
        let column = self.column(name);
        let column =
            column.ok_or_else(|| EnsembleError::input(format!("there is no column \"{name}\" ({})", known())))?;
        Ok(column.iter().map(StudyValue::number).collect())
    }

    /// Rows with a converged answer.
    pub fn done(&self) -> usize {
        self.rows.iter().filter(|row| row.status == "done").count()
    }

    /// Columns among these that no converged answer has a value for; none without converged answers.
    pub fn unanswered<'a>(&self, columns: &'a [String]) -> Vec<&'a str> {
        let empty = |name: &&String| {
            let cells = self.column(name).unwrap_or_default();
            let mut done = self.rows.iter().zip(cells).filter(|(row, _)| row.status == "done");
            done.all(|(_, cell)| cell == StudyValue::Empty)
        };
        let known = columns.iter().filter(|_| self.done() > 0);
        known.filter(empty).map(String::as_str).collect()
    }

    /// Fits a fragility curve.
    pub fn fragility(&self, spec: &FragilitySpec) -> Result<StudyFragility> {
        let intensities = self.numbers(&spec.im)?;
        let damage = match &spec.damage {
            Some(name) => self.numbers(&format!("damage.{name}"))?,
            None => vec![None; self.rows.len()],
        };
        let done = |i: &usize| self.rows[*i].status == "done";
        let used: Vec<usize> = (0..self.rows.len()).filter(done).collect();
        let left_out = self.rows.len() - used.len();
        let (mut groups, mut capacities) = (Vec::new(), Vec::new());
        let curve = match spec.method {
            FragilityMethod::Stripes => {
                let sample = |i: &usize| Some((intensities[*i]?, damage[*i]? > 0.5));
                groups = stripes(&used.iter().filter_map(sample).collect::<Vec<_>>());
                fit_stripes(&groups)?
            }
            FragilityMethod::Capacity => {
                capacities = used.iter().filter_map(|i| intensities[*i]).collect();
                let survived = self.numbers("survived").unwrap_or_else(|_| vec![None; self.rows.len()]);
                let survivors = used.iter().filter(|i| survived[**i] == Some(1.0)).count() as u64;
                let ends = self.numbers("upper").unwrap_or_default();
                let largest = ends.iter().flatten().fold(0.0f64, |a, b| a.max(*b)).max(f64::MIN_POSITIVE);
                fit_truncated(&capacities, survivors, largest)?
            }
            FragilityMethod::Cloud => {
                let name = spec.damage.as_ref().ok_or_else(|| EnsembleError::input("a cloud needs `damage`"))?;
                let limit =
                    self.limits.get(name).ok_or_else(|| EnsembleError::input("a cloud needs a limit `above`"))?;
                let demands = self.numbers(&limit.0)?;
                let points: Vec<(f64, f64)> =
                    used.iter().filter_map(|i| Some((intensities[*i]?, demands[*i]?))).collect();
                fit_cloud(&points, limit.1)?.1
            }
        };
        let rate = spec.hazard.as_ref().map(|hazard| annual_rate(&curve, hazard)).transpose()?;
        Ok(StudyFragility {
            im: spec.im.clone(),
            damage: spec.damage.clone(),
            curve,
            stripes: groups,
            capacities,
            level: spec.level.unwrap_or(0.9),
            left_out,
            rate,
        })
    }

    /// Probability of a column of zeros and ones among converged rows.
    pub fn reliability(&self, column: &str, failed: f64, level: f64) -> Result<Reliability> {
        let values = self.numbers(column)?;
        let known: Vec<f64> = self
            .rows
            .iter()
            .zip(values)
            .filter(|(row, _)| row.status == "done")
            .filter_map(|(_, value)| value)
            .collect();
        let failures = known.iter().filter(|value| **value == failed).count() as u64;
        reliability(failures, known.len() as u64, level)
    }

    /// Rank correlations of all inputs with all numbers that vary.
    pub fn correlations(&self) -> Vec<(String, String, RankCorrelation)> {
        let mut found = Vec::new();
        for input in &self.inputs {
            for column in &self.columns {
                let (Ok(x), Ok(y)) = (self.numbers(input), self.numbers(column)) else { continue };
                let pairs: Vec<(f64, f64)> = x.iter().zip(&y).filter_map(|(x, y)| Some(((*x)?, (*y)?))).collect();
                let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
                if let Ok(correlation) = rank_correlation(&x, &y) {
                    found.push((input.clone(), column.clone(), correlation));
                }
            }
        }
        found
    }
}

impl EnsembleStudy {
    /// Measures that are columns: Sa only with a period, its mean only with periods.
    pub fn measures(&self) -> Vec<&'static str> {
        let has = |name: &&str| match (*name, &self.spec.motions) {
            ("sa", Some(motions)) => motions.period.is_some(),
            ("avg_sa", Some(motions)) => !motions.periods.is_empty(),
            (other, _) => !["sa", "avg_sa"].contains(&other),
        };
        MEASURES.into_iter().filter(has).collect()
    }

    /// Cells of the inputs of a sample.
    pub fn input_cells(&self, index: usize) -> Vec<StudyValue> {
        let sample = &self.samples[index];
        let mut cells: Vec<StudyValue> = sample.values.iter().map(|value| StudyValue::Number(*value)).collect();
        if let Some((record, scale)) = sample.motion {
            let record = &self.records[record];
            cells.extend([StudyValue::Word(record.name.clone()), StudyValue::Number(scale)]);
            // twelve digits: records that were scaled to one level have it in common
            let measure = |name: &str| record.measure(name, scale).and_then(|x| format!("{x:.11e}").parse().ok());
            cells.extend(
                self.measures().into_iter().map(|name| measure(name).map_or(StudyValue::Empty, StudyValue::Number)),
            );
        }
        cells
    }
}

/// A cell of a CSV file.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
