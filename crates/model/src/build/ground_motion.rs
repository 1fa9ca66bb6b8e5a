//! Accelerogram files become functions of time.

use std::path::Path;

use voussoir_mechanics::time_function::TimeFunction;

use super::check::SceneCheck;
use super::text_file::read_text;
use crate::accelerogram::{GroundMotionRecord, STANDARD_GRAVITY};
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::actions::{AccelerationUnit, Accelerogram};

/// Reads the record of a table `accelerogram`; files are beside the scene.
pub fn record(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &Accelerogram,
    base: &Path,
) -> Result<TimeFunction, SceneError> {
    let wrong = |key: &str, message: String| check.error(&place.key(key), format!("\"{}\": {message}", keys.file));
    let text = read_text(base, &keys.file).map_err(|reason| wrong("file", reason))?;
    let extension = Path::new(&keys.file).extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
    let (read, unit) = match extension.as_str() {
        "at2" => {
            if keys.column.is_some() {
                return Err(wrong("column", "AT2 files have no columns".into()));
            }
            if keys.unit.is_some_and(|unit| unit != AccelerationUnit::Gravity) {
                return Err(wrong("unit", "AT2 files are in g".into()));
            }
            (GroundMotionRecord::at2(&text), AccelerationUnit::Gravity)
        }
        "csv" | "txt" => {
            let column = check.count(&place.key("column"), "`column`", keys.column.unwrap_or(2), 2, 1000)?;
            let Some(unit) = keys.unit else {
                return Err(wrong("file", "the unit of a CSV file must be given".into())
                    .with_help("write unit = \"g\", \"m/s2\" or \"cm/s2\""));
            };
            (GroundMotionRecord::csv(&text, column), unit)
        }
        other => {
            return Err(wrong("file", format!("unknown file extension \".{other}\""))
                .with_help("PEER records have the extension .at2, tables .csv"));
        }
    };
    let metric = match unit {
        AccelerationUnit::Gravity => STANDARD_GRAVITY,
        AccelerationUnit::Metric => 1.0,
        AccelerationUnit::Gal => 0.01,
    };
    let scale = check.finite(&place.key("scale"), "`scale`", keys.scale.unwrap_or(1.0))?;
    let start = check.not_negative(&place.key("start"), "`start`", keys.start.unwrap_or(0.0))?;
    let record = read.map_err(|e| wrong("file", e.to_string()))?;
    let record = record.scaled(metric).check_unit().map_err(|e| wrong("file", e.to_string()))?;
    Ok(TimeFunction::Table(record.corrected(keys.baseline).scaled(scale).rows(start)))
}
