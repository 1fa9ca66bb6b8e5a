//! Schema, templates, contact problems, validation, reports, exports, and the command.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use voussoir_contact::{Options, SolverKind};
use voussoir_model::scene::generated::Generator;
use voussoir_problems::solve::solve as solve_problem;
use voussoir_problems::sparse::Sparse;
use voussoir_problems::{ProblemError, ProblemForm, local, read};
use voussoir_results::report::write_report;
use voussoir_results::{Results, SceneFacts};
use voussoir_run::RunError;
use voussoir_run::run_scene::RunScene;
use voussoir_run::validate::{judge, library, models};

use crate::arrays::copy;
use crate::errors::{IntoPyErr, input};
use crate::job::{ask, seconds};

/// Version of the program.
#[pyfunction]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// JSON Schema of scenes.
#[pyfunction]
pub(crate) fn schema() -> String {
    voussoir_model::schema().to_string()
}

/// Names of all generators.
#[pyfunction]
pub(crate) fn generators() -> Vec<&'static str> {
    Generator::NAMES.to_vec()
}

/// Names of the templates, each with its description.
#[pyfunction]
pub(crate) fn templates() -> Vec<(&'static str, &'static str)> {
    voussoir_model::templates().iter().map(|template| (template.name, template.summary)).collect()
}

/// The text of a scene from a template.
#[pyfunction]
pub(crate) fn render(py: Python<'_>, name: &str, parameters: Vec<(String, String)>) -> PyResult<String> {
    let given: Vec<(&str, &str)> = parameters.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    voussoir_model::render(name, &given).map_err(|error| input(py, &error.to_string(), None))
}

/// A contact problem: a file, or W as rows, columns and values with q and the coefficients of friction.
#[derive(FromPyObject)]
pub(crate) enum Given {
    File(PathBuf),
    Arrays(usize, Vec<u32>, Vec<u32>, Vec<f64>, Vec<f64>, Vec<f64>),
}

impl Given {
    fn form(self) -> Result<ProblemForm, ProblemError> {
        match self {
            Self::File(path) => Ok(read(&path)?.form),
            Self::Arrays(dim, rows, columns, values, q, friction) => {
                let entries =
                    rows.into_iter().zip(columns).zip(values).map(|((row, column), value)| (row, column, value));
                let w = Sparse::from_triplets(q.len(), q.len(), entries.collect());
                Ok(ProblemForm::Local(local::assemble(dim, &w, q, friction)?))
            }
        }
    }
}

/// Solves a contact problem: impulses, residuals, status.
#[pyfunction]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    problem: Given,
    solver: &str,
    tolerance: f64,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let Some(kind) = SolverKind::from_name(solver) else {
        let names: Vec<&str> = SolverKind::ALL.iter().map(|kind| kind.name()).collect();
        return Err(PyValueError::new_err(format!("solver must be one of {}", names.join(", "))));
    };
    if !(tolerance > 0.0 && tolerance < 1.0) {
        return Err(PyValueError::new_err("the tolerance must be between 0 and 1, such as 1e-8"));
    }
    let (form, answer, time) = ask(py, threads, || {
        let form = problem.form()?;
        let options = Options { kind, tolerance, ..Options::default() };
        let start = seconds();
        let answer = solve_problem(&form, None, &options)?;
        Ok::<_, ProblemError>((form, answer, seconds() - start))
    })?;
    let (dim, contacts) = (form.dim(), form.contacts());
    let dict = PyDict::new(py);
    dict.set_item("impulses", copy(py, &answer.impulses, &[contacts, dim])?)?;
    dict.set_item("residual", answer.measures.residual)?;
    dict.set_item("residual_unitless", answer.measures.unitless)?;
    dict.set_item("status", answer.status.name())?;
    dict.set_item("solver", answer.solver.name())?;
    dict.set_item("iterations", answer.iterations)?;
    dict.set_item("time_s", time)?;
    Ok(dict)
}

/// Runs validation cases: the table as JSON and as text.
#[pyfunction]
pub(crate) fn validate(py: Python<'_>, cases: Vec<String>, threads: Option<usize>) -> PyResult<(String, String)> {
    let report = ask(py, threads, || {
        let data = std::env::var_os("VOUSSOIR_DATA").map(PathBuf::from);
        let ready = models::fetch(library::select(&cases)?, data.as_deref())?;
        judge::validate(&ready.cases, &|| {})
    })?;
    let json = serde_json::to_string(&report).map_err(|error| error.to_string().into_py_err(py))?;
    Ok((json, report.table()))
}

/// Writes the report of a results folder; returns its path.
#[pyfunction]
pub(crate) fn report(py: Python<'_>, dir: PathBuf) -> PyResult<PathBuf> {
    ask(py, Some(1), || {
        let results = Results::open(&dir).map_err(RunError::Folder)?;
        let scene = RunScene::of_folder(&dir);
        let facts: &dyn SceneFacts = match &scene {
            Ok(scene) => scene,
            Err(_) => &(),
        };
        write_report(&results, facts).map_err(RunError::Folder)
    })
}

/// The command with arguments; returns its exit code. It may set handlers of signals: for a process of its own.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<String>) -> u8 {
    py.detach(|| voussoir::app::run(arguments) as u8)
}

/// Panics, to show that the process lives on.
#[pyfunction]
pub(crate) fn panic_for_tests(py: Python<'_>) -> PyResult<()> {
    ask(py, Some(1), || -> Result<(), RunError> { panic!("a panic on request") })
}
