//! Errors as exceptions of the package: the classes are in `voussoir/errors.py`.

use std::any::Any;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use voussoir_ensemble::EnsembleError;
use voussoir_mechanics::MechanicsError;
use voussoir_model::SceneError;
use voussoir_problems::ProblemError;
use voussoir_results::ResultsError;
use voussoir_run::RunError;
use voussoir_run::validate::ValidateError;

/// An error that becomes an exception.
pub trait IntoPyErr {
    /// The exception.
    fn into_py_err(self, py: Python<'_>) -> PyErr;
}

/// An exception of the package, with attributes.
fn exception(py: Python<'_>, class: &str, message: &str, attributes: &[(&str, Option<String>)], line: usize) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let class = py.import("voussoir.errors")?.getattr(class)?;
        let keywords = PyDict::new(py);
        for (name, value) in attributes {
            keywords.set_item(name, value)?;
        }
        if line > 0 {
            keywords.set_item("line", line)?;
        }
        Ok(PyErr::from_value(class.call((message,), Some(&keywords))?))
    };
    made().unwrap_or_else(|error| error)
}

/// An error of the program itself.
pub fn internal(message: &str) -> PyErr {
    Python::attach(|py| exception(py, "InternalError", message, &[], 0))
}

/// The reason of a panic.
pub fn panicked(payload: &(dyn Any + Send)) -> PyErr {
    let reason = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let reason = reason.or_else(|| payload.downcast_ref::<String>().cloned());
    internal(&reason.unwrap_or_else(|| "no reason given".to_owned()))
}

/// An error of input.
pub fn input(py: Python<'_>, message: &str, help: Option<&str>) -> PyErr {
    exception(py, "SceneError", message, &[("help", help.map(str::to_owned))], 0)
}

/// The key of the line where a scene is wrong.
fn key(error: &SceneError) -> Option<String> {
    let line = error.text.lines().nth(error.line.checked_sub(1)?)?;
    let (key, _) = line.split_once('=')?;
    Some(key.trim().to_owned())
}

impl IntoPyErr for SceneError {
    fn into_py_err(self, py: Python<'_>) -> PyErr {
        let attributes = [("file", Some(self.file.clone())), ("key", key(&self)), ("help", self.help.clone())];
        exception(py, "SceneError", &self.message, &attributes, self.line)
    }
}

impl IntoPyErr for ResultsError {
    fn into_py_err(self, py: Python<'_>) -> PyErr {
        exception(py, "ResultsError", &self.to_string(), &[], 0)
    }
}

impl IntoPyErr for ProblemError {
    fn into_py_err(self, py: Python<'_>) -> PyErr {
        exception(py, "ResultsError", &self.to_string(), &[], 0)
    }
}

impl IntoPyErr for MechanicsError {
    fn into_py_err(self, py: Python<'_>) -> PyErr {
        let class = if matches!(self, Self::NotFinite { .. }) { "NotConverged" } else { "SceneError" };
        exception(py, class, &self.to_string(), &[], 0)
    }
}

impl IntoPyErr for EnsembleError {
    fn into_py_err(self, py: Python<'_>) -> PyErr {
        let class = match &self {
            Self::NoCurve(_) => "NoCurve",
            Self::File { .. } => "ResultsError",
            _ => "SceneError",
        };
        exception(py, class, &self.to_string(), &[], 0)
    }
}

impl IntoPyErr for ValidateError {
    fn into_py_err(self, py: Python<'_>) -> PyErr {
        exception(py, "SceneError", &self.to_string(), &[], 0)
    }
}

impl IntoPyErr for RunError {
    fn into_py_err(self, py: Python<'_>) -> PyErr {
        let message = self.to_string();
        match self {
            Self::Scene(error) => error.into_py_err(py),
            Self::Input { help, .. } => exception(py, "SceneError", &message, &[("help", help)], 0),
            Self::Read { help, path, .. } => {
                let attributes = [("file", Some(path.display().to_string())), ("help", help.map(str::to_owned))];
                exception(py, "SceneError", &message, &attributes, 0)
            }
            Self::Write { .. } | Self::Folder(_) | Self::Recording(_) | Self::Problem(_) => {
                exception(py, "ResultsError", &message, &[], 0)
            }
            Self::Mechanics(error) => error.into_py_err(py),
            Self::Internal(_) => exception(py, "InternalError", &message, &[], 0),
            _ => exception(py, "SceneError", &message, &[], 0),
        }
    }
}

impl IntoPyErr for String {
    fn into_py_err(self, _: Python<'_>) -> PyErr {
        PyRuntimeError::new_err(self)
    }
}
