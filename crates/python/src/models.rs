//! Models of other programs: imports as scenes, results for COMPAS.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use voussoir_model::import::{ImportError, ImportOptions, Imported, LengthUnit, Up, import};
use voussoir_results::Results;
use voussoir_run::RunError;

use crate::errors::{IntoPyErr, input};
use crate::job::ask;

/// Text of a scene, geometry files, notes as kind and text.
type ImportedTexts = (String, Vec<(String, String)>, Vec<(&'static str, String)>);

/// An option of an import, if it was given.
fn option<'py, T: FromPyObjectOwned<'py>>(given: &Bound<'py, PyDict>, key: &str) -> PyResult<Option<T>> {
    match given.get_item(key)? {
        Some(value) if !value.is_none() => value.extract().map(Some).map_err(Into::into),
        _ => Ok(None),
    }
}

fn options(py: Python<'_>, given: &Bound<'_, PyDict>) -> PyResult<ImportOptions> {
    let mut options = ImportOptions::default();
    let positive = |key: &str, default: f64| -> PyResult<f64> {
        let value = option(given, key)?.unwrap_or(default);
        let sound = value > 0.0 && value.is_finite();
        if sound { Ok(value) } else { Err(input(py, &format!("{key} = {value}: a positive number is needed"), None)) }
    };
    options.scale = positive("scale", options.scale)?;
    options.step = positive("step", options.step)?;
    options.duration = positive("duration", options.duration)?;
    options.density = positive("density", options.density)?;
    options.density_given = option::<f64>(given, "density")?.is_some();
    options.friction = option(given, "friction")?.unwrap_or(options.friction);
    if !(options.friction >= 0.0 && options.friction.is_finite()) {
        return Err(input(py, &format!("friction = {}: zero or more is needed", options.friction), None));
    }
    if let Some(unit) = option::<String>(given, "unit")? {
        let read = unit.parse::<LengthUnit>();
        options.unit = Some(read.map_err(|error| input(py, &format!("unit = \"{unit}\": {error}"), None))?);
    }
    match option::<String>(given, "up")?.as_deref() {
        None | Some("z") => {}
        Some("y") => options.up = Up::Y,
        Some(other) => return Err(input(py, &format!("up = \"{other}\": write \"y\" or \"z\""), None)),
    }
    if option::<f64>(given, "extrude")?.is_some() {
        options.extrude = Some(positive("extrude", 1.0)?);
    }
    options.planar = option(given, "dim")? == Some(2u8);
    options.ground = option(given, "ground")?.unwrap_or(true);
    options.name = option(given, "name")?.unwrap_or(options.name);
    options.supports = option(given, "supports")?;
    options.model = option(given, "model")?;
    options.problem = option(given, "problem")?;
    options.ramp = option(given, "ramp")?.unwrap_or(false);
    Ok(options)
}

impl IntoPyErr for ImportError {
    fn into_py_err(self, py: Python<'_>) -> PyErr {
        input(py, &self.to_string(), self.help.as_deref())
    }
}

/// Reads a model of another program.
#[pyfunction]
pub(crate) fn import_model(py: Python<'_>, path: PathBuf, given: &Bound<'_, PyDict>) -> PyResult<ImportedTexts> {
    let options = options(py, given)?;
    let source = path.display().to_string();
    let read = ask(py, Some(1), || import(&path, &options));
    let Imported { mut scene, files, notes } = read?;
    scene.title.clone_from(&options.name);
    let imported = Imported { scene, files: Vec::new(), notes };
    let text = imported.to_toml(&source).map_err(|error| error.into_py_err(py))?;
    Ok((text, files, imported.notes.into_iter().map(|note| (note.kind.word(), note.text)).collect()))
}

/// Writes `model.json` and `results.json` of a frame of a results folder; returns their paths.
#[pyfunction]
pub(crate) fn export_compas(py: Python<'_>, dir: PathBuf, frame: isize, to: PathBuf) -> PyResult<Vec<PathBuf>> {
    ask(py, Some(1), || {
        let results = Results::open(&dir).map_err(RunError::Folder)?;
        let count = results.frames() as isize;
        let index = if frame < 0 { count + frame } else { frame };
        if !(0..count).contains(&index) {
            return Err(RunError::input(format!("{}: there is no frame {frame} of {count}", dir.display())));
        }
        voussoir_run::compas::export(&results, index as usize, &to)
    })
}
