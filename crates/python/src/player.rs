//! The results page inside a notebook: answers for the page, handed on by the messages of a widget.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use voussoir_results::SceneFacts;
use voussoir_run::run_scene::RunScene;
use voussoir_view::{EmbeddedPage, RunSource, ViewError};

use crate::errors::IntoPyErr;
use crate::job::ask;

impl IntoPyErr for ViewError {
    fn into_py_err(self, py: Python<'_>) -> PyErr {
        crate::errors::input(py, &self.to_string(), Some("voussoir.view needs the same page; a report does not"))
    }
}

/// The page of some results folders.
#[pyclass(module = "voussoir._native", frozen)]
pub(crate) struct NativePage(EmbeddedPage);

#[pymethods]
impl NativePage {
    #[new]
    fn new(py: Python<'_>, dirs: Vec<PathBuf>) -> PyResult<Self> {
        let facts = |dir: &Path| -> Option<Box<dyn SceneFacts>> {
            RunScene::of_folder(dir).ok().map(|scene| Box::new(scene) as Box<dyn SceneFacts>)
        };
        let runs = dirs.into_iter().map(|dir| RunSource { dir, scene: Box::new(facts) }).collect();
        EmbeddedPage::new(runs).map(Self).map_err(|error| error.into_py_err(py))
    }

    /// Status, media type and content of an address; empty for the page itself.
    fn answer<'py>(&self, py: Python<'py>, address: &str) -> PyResult<(u16, &'static str, Bound<'py, PyBytes>)> {
        let answer = ask(py, Some(1), || Ok::<_, ViewError>(self.0.answer(address)))?;
        Ok((answer.status, answer.kind, PyBytes::new(py, &answer.body)))
    }
}
