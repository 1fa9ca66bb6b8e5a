//! The text of a scene, edited by key.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use voussoir_run::SceneText;

use crate::convert;
use crate::errors::IntoPyErr;

/// The text of a scene, edited by key: comments and order stay.
#[pyclass(module = "voussoir._native")]
pub(crate) struct Document(SceneText);

#[pymethods]
impl Document {
    #[new]
    #[pyo3(signature = (text = ""))]
    fn new(py: Python<'_>, text: &str) -> PyResult<Self> {
        SceneText::parse(text).map(Self).map_err(|error| error.into_py_err(py))
    }

    /// The text.
    fn text(&self) -> String {
        self.0.to_string()
    }

    /// Sets a value by key.
    fn set(&mut self, py: Python<'_>, key: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = convert::value(value)?;
        self.0.set(key, &value).map_err(|error| error.into_py_err(py))
    }

    /// The values at a key: one, or those of all items of a list.
    fn get<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyList>> {
        let values = self.0.get(key).map_err(|error| error.into_py_err(py))?;
        let values = values.iter().map(|value| convert::python(py, value)).collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, values)
    }

    /// Removes a key at the top; true if it was there.
    fn remove(&mut self, key: &str) -> bool {
        self.0.remove(key)
    }

    /// Adds a table to a list at the top; returns its index.
    fn append(&mut self, py: Python<'_>, list: &str, table: &Bound<'_, PyDict>) -> PyResult<usize> {
        let table = convert::table(table)?;
        self.0.append(list, table).map_err(|error| error.into_py_err(py))
    }

    /// Adds a named table to a table at the top.
    fn insert(&mut self, py: Python<'_>, parent: &str, name: &str, table: &Bound<'_, PyDict>) -> PyResult<()> {
        let table = convert::table(table)?;
        self.0.insert(parent, name, table).map_err(|error| error.into_py_err(py))
    }

    /// All keys and values.
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        convert::python(py, &self.0.value())
    }
}
