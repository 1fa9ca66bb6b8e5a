//! Ground motions of a study: read once, scaled to levels, put into the supports of a scene.

use std::path::{Path, PathBuf};

use toml::{Table, Value};
use voussoir_model::accelerogram::{GroundMotionRecord, STANDARD_GRAVITY};

use super::spec::MotionsSpec;
use crate::error::{EnsembleError, EnsembleResult as Result};
use crate::intensity::{GroundAcceleration, IntensityMeasures};

/// Names of the columns of intensity measures; those that need periods are last.
pub const MEASURES: [&str; 9] = ["pga", "pgv", "pgd", "arias", "cav", "d5_95", "housner", "sa", "avg_sa"];

/// A record with its measures.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyRecord {
    /// Name of the file, without folder.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Measures at scale 1.
    pub measures: IntensityMeasures,
    /// Sa of the period of the study [m/s²].
    pub sa: Option<f64>,
    /// Geometric mean of Sa over the periods of the study [m/s²].
    pub average_sa: Option<f64>,
    /// Bytes of the file as text, for names of samples.
    pub(super) text: String,
}

impl StudyRecord {
    /// Reads a record of a study in a folder.
    pub fn read(base: &Path, file: &str, spec: &MotionsSpec) -> Result<Self> {
        let path = base.join(file);
        let text = std::fs::read_to_string(&path).map_err(EnsembleError::file(&path))?;
        let wrong = |reason: String| EnsembleError::input(format!("{}: {reason}", path.display()));
        let at2 = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("at2"));
        let factor = match (at2, spec.unit.as_deref()) {
            (true, None | Some("g")) | (false, Some("g")) => STANDARD_GRAVITY,
            (false, Some("m/s2")) => 1.0,
            (false, Some("cm/s2")) => 0.01,
            (true, Some(_)) => return Err(wrong("AT2 files are in g".to_owned())),
            (false, _) => return Err(wrong("motions.unit must be \"g\", \"m/s2\" or \"cm/s2\"".to_owned())),
        };
        let read = if at2 { GroundMotionRecord::at2(&text) } else { GroundMotionRecord::csv(&text, 2) };
        let record = read.and_then(|record| record.scaled(factor).check_unit()).map_err(|e| wrong(e.to_string()))?;
        let motion = GroundAcceleration::new(record.step, &record.samples)?;
        let damping = spec.damping.unwrap_or(0.05);
        let sa = spec.period.map(|period| motion.sa(period, damping)).transpose()?;
        let periods = Some(&spec.periods).filter(|periods| !periods.is_empty());
        let average_sa = periods.map(|periods| motion.average_sa(periods, damping)).transpose()?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let measures = motion.measures()?;
        let path = std::path::absolute(&path).map_err(EnsembleError::file(&path))?;
        Ok(Self { name, path, measures, sa, average_sa, text })
    }

    /// A measure at a scale.
    pub fn measure(&self, name: &str, scale: f64) -> Option<f64> {
        let m = &self.measures;
        let linear = match name {
            "pga" => m.pga,
            "pgv" => m.pgv,
            "pgd" => m.pgd,
            "cav" => m.cav,
            "housner" => m.housner,
            "sa" => self.sa?,
            "avg_sa" => self.average_sa?,
            "arias" => return Some(m.arias * scale * scale),
            "d5_95" => return Some(m.d5_95),
            _ => return None,
        };
        Some(linear * scale.abs())
    }

    /// The scale at which a measure has a level.
    pub fn scale_for(&self, name: &str, level: f64) -> Option<f64> {
        let unscaled = self.measure(name, 1.0)?;
        match name {
            "d5_95" => None,
            "arias" => Some((level / unscaled).sqrt()),
            _ => Some(level / unscaled),
        }
    }
}

/// The text of a scene whose supports move by a record.
pub fn with_motion(text: &str, spec: &MotionsSpec, record: &StudyRecord, scale: f64) -> Result<String> {
    let mut scene: Table = text.parse().map_err(|error: toml::de::Error| EnsembleError::input(error.message()))?;
    let mut record_keys = Table::new();
    record_keys.insert("file".into(), Value::String(record.path.to_string_lossy().into_owned()));
    for (key, value) in [("unit", &spec.unit), ("baseline", &spec.baseline)] {
        if let Some(value) = value {
            record_keys.insert(key.into(), Value::String(value.clone()));
        }
    }
    record_keys.insert("scale".into(), Value::Float(scale));
    let mut motion = Table::new();
    motion.insert("quantity".into(), Value::String("acceleration".into()));
    motion.insert("direction".into(), Value::Array(spec.direction.iter().map(|x| Value::Float(*x)).collect()));
    motion.insert("accelerogram".into(), Value::Table(record_keys));
    let supports = scene.get_mut("supports").and_then(Value::as_array_mut);
    let count = supports.as_ref().map_or(0, |supports| supports.len());
    let mut moved = 0;
    for (i, support) in supports.into_iter().flatten().enumerate() {
        if let Some(table) = support.as_table_mut().filter(|_| spec.support.is_none_or(|wanted| wanted == i)) {
            table.insert("motion".into(), Value::Table(motion.clone()));
            moved += 1;
        }
    }
    if moved == 0 {
        return Err(EnsembleError::input(format!(
            "motions: the scene has {count} [[supports]] and none of them is chosen; a ground that moves is a body in \
             [[supports]]"
        )));
    }
    toml::to_string(&scene).map_err(|error| EnsembleError::input(error.to_string()))
}
