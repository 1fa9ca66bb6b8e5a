//! The study file: TOML with the scene, the values that vary, the question, and the numbers to keep.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::design::{Correlation, DesignKind};
use crate::distribution::Distribution;
use crate::error::{EnsembleError, EnsembleResult as Result};
use crate::hazard::HazardCurve;
use voussoir_model::library;

/// A study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudySpec {
    /// Title in one line.
    #[serde(default)]
    pub title: String,
    /// File of the scene, relative to the study.
    pub scene: String,
    /// Question that every sample answers.
    pub ask: AskKind,
    /// Number of samples of the distributions, in a grid of every single one; default 1 without distributions.
    #[serde(default)]
    pub samples: Option<usize>,
    /// How samples are chosen.
    #[serde(default)]
    pub design: DesignKind,
    /// Seed of random designs.
    #[serde(default)]
    pub seed: u64,
    /// Values by key of the scene: a number, a list, `{ from, to, count }`, a distribution, or "sample" for the seed of the
    /// sample.
    #[serde(default)]
    pub vary: BTreeMap<String, VarySpec>,
    /// Correlations of distributions.
    #[serde(default)]
    pub correlations: Vec<Correlation>,
    /// Samples instead of distributions: a CSV file with one row per sample and keys of the scene as its head, or keys and rows.
    #[serde(default)]
    pub table: Option<GivenSamples>,
    /// Ground motions.
    #[serde(default)]
    pub motions: Option<MotionsSpec>,
    /// The load of `ask = "limit"`.
    #[serde(default)]
    pub limit: Option<LimitSpec>,
    /// The search of `ask = "find"`.
    #[serde(default)]
    pub find: Option<FindSpec>,
    /// The search of `ask = "ida"`.
    #[serde(default)]
    pub ida: Option<IdaSpec>,
    /// Numbers of the answer that are columns of the table, as paths into its JSON: "margin", "thrust.min_n".
    #[serde(default)]
    pub keep: Vec<String>,
    /// Samples whose results folders are kept, with `ask = "run"`.
    #[serde(default)]
    pub folders: Vec<usize>,
    /// Time after which a sample is given up [s].
    #[serde(default)]
    pub time_limit: Option<f64>,
    /// Damage states by name.
    #[serde(default)]
    pub damage: BTreeMap<String, DamageSpec>,
    /// Fragility curves of the report.
    #[serde(default)]
    pub fragility: Vec<FragilitySpec>,
}

/// Samples that are given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GivenSamples {
    /// A CSV file, relative to the study.
    File(String),
    /// Keys of the scene, and one row of values per sample.
    Rows {
        /// Keys of the scene.
        keys: Vec<String>,
        /// Values in the order of the keys.
        rows: Vec<Vec<f64>>,
    },
}

/// Questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AskKind {
    /// Does it stand?
    Stand,
    /// The largest multiplier of a load.
    Limit,
    /// All stages of the scene.
    Run,
    /// The limiting value of a parameter.
    Find,
    /// The intensity of a ground motion that brings a damage state.
    Ida,
}

/// Values of one key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "serde_json::Value", try_from = "serde_json::Value")]
pub enum VarySpec {
    /// Every value, combined with all others.
    List(Vec<f64>),
    /// Samples of a distribution.
    Random(Distribution),
    /// The seed of the sample, below 2³².
    Seed,
}

/// Smallest value of the scatter of a library material, relative to its mean: strengths and moduli are positive.
const LEAST: f64 = 0.01;

/// The scatter of a value of a material of the library: a normal distribution with the deviation ±, above [`LEAST`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LibraryScatter {
    library: String,
    value: String,
}

impl LibraryScatter {
    fn distribution(&self) -> std::result::Result<Distribution, String> {
        let known = || library::ENTRIES.iter().map(|material| material.name).collect::<Vec<_>>().join(", ");
        let material = library::find(&self.library);
        let material =
            material.ok_or_else(|| format!("there is no library material \"{}\" ({})", self.library, known()))?;
        let measured = match self.value.as_str() {
            "compressive_strength" => material.compressive_strength,
            "tensile_strength" => material.tensile_strength,
            "young_modulus" => material.young_modulus,
            other => {
                return Err(format!(
                    "value = \"{other}\": write \"compressive_strength\", \"tensile_strength\" or \"young_modulus\""
                ));
            }
        };
        let found = measured.filter(|measured| measured.scatter > 0.0);
        let found = found.ok_or_else(|| format!("{}: the source has no scatter of {}", self.library, self.value))?;
        let of = Distribution::Normal { mean: found.mean, deviation: found.scatter };
        Ok(Distribution::Truncated { of: Box::new(of), low: LEAST * found.mean, high: f64::INFINITY })
    }
}

/// Evenly spaced values.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spaced {
    from: f64,
    to: f64,
    count: usize,
}

impl TryFrom<serde_json::Value> for VarySpec {
    type Error = String;

    fn try_from(value: serde_json::Value) -> std::result::Result<Self, String> {
        let text = |error: serde_json::Error| error.to_string();
        match &value {
            serde_json::Value::Number(number) => Ok(Self::List(number.as_f64().into_iter().collect())),
            serde_json::Value::Array(_) => {
                let list: Vec<f64> = serde_json::from_value(value).map_err(text)?;
                if list.is_empty() { Err("the list of values is empty".to_owned()) } else { Ok(Self::List(list)) }
            }
            serde_json::Value::String(word) if word == "sample" => Ok(Self::Seed),
            serde_json::Value::Object(map) if map.contains_key("distribution") => {
                serde_json::from_value(value).map(Self::Random).map_err(text)
            }
            serde_json::Value::Object(map) if map.contains_key("library") => {
                let scatter: LibraryScatter = serde_json::from_value(value).map_err(text)?;
                scatter.distribution().map(Self::Random)
            }
            serde_json::Value::Object(_) => {
                let Spaced { from, to, count } = serde_json::from_value(value).map_err(text)?;
                if !(1..=1_000_000).contains(&count) {
                    return Err(format!("count = {count}: between 1 and 1000000"));
                }
                let share = |i: usize| if count > 1 { i as f64 / (count - 1) as f64 } else { 0.0 };
                Ok(Self::List((0..count).map(|i| from + share(i) * (to - from)).collect()))
            }
            other => {
                Err(format!("{other} is no number, list, {{ from, to, count }}, {{ library, value }} or distribution"))
            }
        }
    }
}

impl From<VarySpec> for serde_json::Value {
    fn from(spec: VarySpec) -> Self {
        match spec {
            VarySpec::List(list) => serde_json::json!(list),
            VarySpec::Random(distribution) => serde_json::json!(distribution),
            VarySpec::Seed => serde_json::json!("sample"),
        }
    }
}

/// A set of ground motions: every record with every scale or level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotionsSpec {
    /// Files, relative to the study: PEER AT2 or CSV.
    pub records: Vec<String>,
    /// Unit of CSV files: "g", "m/s2" or "cm/s2".
    #[serde(default)]
    pub unit: Option<String>,
    /// Direction of the motion; default x.
    #[serde(default = "along_x")]
    pub direction: Vec<f64>,
    /// Number of the support that moves, from 0; default: all supports.
    #[serde(default)]
    pub support: Option<usize>,
    /// Baseline correction: "none", "velocity" or "rest".
    #[serde(default)]
    pub baseline: Option<String>,
    /// Factors on the records; default 1.
    #[serde(default)]
    pub scales: Vec<f64>,
    /// Levels of the measure `im` to which every record is scaled, instead of `scales`.
    #[serde(default)]
    pub levels: Vec<f64>,
    /// Intensity measure of levels: "pga" [m/s²], "pgv", "pgd", "arias", "cav", "housner", "sa" with `period`, or "avg_sa" with
    /// `periods`.
    #[serde(default)]
    pub im: Option<String>,
    /// Period of Sa [s].
    #[serde(default)]
    pub period: Option<f64>,
    /// Periods of the geometric mean of Sa [s].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub periods: Vec<f64>,
    /// Damping of Sa; default 0.05.
    #[serde(default)]
    pub damping: Option<f64>,
}

fn along_x() -> Vec<f64> {
    vec![1.0, 0.0, 0.0]
}

/// The load that is multiplied: exactly one of the first three keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitSpec {
    /// Name of a load.
    #[serde(default)]
    pub load: Option<String>,
    /// Direction of an acceleration in g: "x", "-y", "1,1,0".
    #[serde(default)]
    pub acceleration: Option<String>,
    /// Direction of a tilt.
    #[serde(default)]
    pub tilt: Option<String>,
    /// Joints slide without opening.
    #[serde(default)]
    pub non_associated: bool,
}

/// Search for the limiting value of a key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FindSpec {
    /// Key of the scene, "tilt_deg" or "acceleration".
    pub key: String,
    /// "smallest" or "largest" value that stands.
    pub find: String,
    /// Interval.
    pub between: [f64; 2],
    /// Precision relative to the larger end; default 1e-5.
    #[serde(default)]
    pub precision: Option<f64>,
    /// Direction of a tilt or an acceleration; default x.
    #[serde(default)]
    pub direction: Option<String>,
}

/// Incremental dynamic analysis: the scale of a record at which a damage state begins, by bisection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdaSpec {
    /// Damage state.
    pub damage: String,
    /// Intensities between which it begins, of the measure `im` of the motions.
    pub between: [f64; 2],
    /// Precision relative to the larger end; default 0.01.
    #[serde(default)]
    pub precision: Option<f64>,
}

/// A damage state: a number of the answer above or below a limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DamageSpec {
    /// Column of the table.
    pub measure: String,
    /// Damaged above this.
    #[serde(default)]
    pub above: Option<f64>,
    /// Damaged below this.
    #[serde(default)]
    pub below: Option<f64>,
}

/// A fragility curve of the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FragilitySpec {
    /// Column of the intensity: a measure of the motions, a key that varies, or a number of the answer.
    pub im: String,
    /// Damage state; not for `method = "capacity"`.
    #[serde(default)]
    pub damage: Option<String>,
    /// "stripes" (default), "capacity" (the column `im` is the intensity at failure: limit, ida) or "cloud".
    #[serde(default)]
    pub method: FragilityMethod,
    /// Confidence of bands; default 0.9.
    #[serde(default)]
    pub level: Option<f64>,
    /// Hazard curve for a mean annual rate.
    #[serde(default)]
    pub hazard: Option<HazardCurve>,
}

/// Methods of fitting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FragilityMethod {
    /// Failures at intensities.
    #[default]
    Stripes,
    /// Intensities of failure.
    Capacity,
    /// Demands at intensities.
    Cloud,
}

impl StudySpec {
    /// Reads a study; an error has the line of the text.
    pub fn parse(text: &str) -> Result<Self> {
        let spec: Self = toml::from_str(text).map_err(|error| EnsembleError::input(error.to_string().trim_end()))?;
        spec.check()?;
        Ok(spec)
    }

    /// Reads a study from JSON, as the Python package writes it.
    pub fn from_json(text: &str) -> Result<Self> {
        let spec: Self = serde_json::from_str(text).map_err(EnsembleError::json)?;
        spec.check()?;
        Ok(spec)
    }

    /// The text of a study file.
    pub fn to_toml(&self) -> Result<String> {
        toml::to_string(self).map_err(|error| EnsembleError::input(error.to_string()))
    }

    fn check(&self) -> Result<()> {
        let wrong = |text: String| Err(EnsembleError::input(text));
        for (key, vary) in &self.vary {
            if let VarySpec::Random(distribution) = vary {
                distribution.check().map_err(|error| EnsembleError::input(format!("{key}: {error}")))?;
            }
        }
        if self.samples == Some(0) || self.time_limit.is_some_and(|limit| limit.is_nan() || limit <= 0.0) {
            return wrong("samples and time_limit must be positive".to_owned());
        }
        if !self.folders.is_empty() && self.ask != AskKind::Run {
            return wrong("folders: results folders are kept with ask = \"run\" only".to_owned());
        }
        match self.ask {
            AskKind::Limit if self.limit.is_none() => return wrong("ask = \"limit\" needs a table [limit]".to_owned()),
            AskKind::Find if self.find.is_none() => return wrong("ask = \"find\" needs a table [find]".to_owned()),
            AskKind::Ida if self.ida.is_none() || self.motions.is_none() => {
                return wrong("ask = \"ida\" needs tables [ida] and [motions]".to_owned());
            }
            _ => {}
        }
        for (name, damage) in &self.damage {
            if damage.above.is_some() == damage.below.is_some() {
                return wrong(format!("damage.{name}: write either `above` or `below`"));
            }
        }
        let known = |name: &String| self.damage.contains_key(name);
        let asked = self.fragility.iter().filter_map(|fragility| fragility.damage.as_ref());
        let asked = asked.chain(self.ida.as_ref().map(|ida| &ida.damage));
        if let Some(name) = asked.into_iter().find(|name| !known(name)) {
            return wrong(format!("there is no damage state \"{name}\"; write [damage.{name}]"));
        }
        if let Some(motions) = &self.motions
            && (motions.records.is_empty() || (!motions.scales.is_empty() && !motions.levels.is_empty()))
        {
            return wrong("motions: `records` must not be empty; write either `scales` or `levels`".to_owned());
        }
        Ok(())
    }
}
