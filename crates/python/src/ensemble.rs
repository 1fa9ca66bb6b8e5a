//! Studies of many samples: computing, journal, table.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use voussoir_ensemble::study::journal::{self, line_of, row_of};
use voussoir_ensemble::study::spec::FragilitySpec;
use voussoir_ensemble::study::table::StudyValue;
use voussoir_ensemble::study::{
    EnsembleStudy, Journal, Part, SampleTable, StudyEngine, StudyRow, StudySpec, page, slurm,
};
use voussoir_ensemble::{EnsembleError, EnsembleResult};

use crate::errors::IntoPyErr;
use crate::job::{ask, work};

/// A study, read and checked.
#[pyclass(module = "voussoir._native", frozen)]
pub(crate) struct NativeStudy(Arc<EnsembleStudy>);

fn json_of(value: &impl serde::Serialize) -> EnsembleResult<String> {
    serde_json::to_string(value).map_err(|error| EnsembleError::input(error.to_string()))
}

#[pymethods]
impl NativeStudy {
    /// A study as JSON of a scene as text; meshes are relative to `folder`, records and tables to `base`.
    #[new]
    fn new(py: Python<'_>, spec: &str, scene: String, folder: PathBuf, base: PathBuf) -> PyResult<Self> {
        let study = ask(py, Some(1), || EnsembleStudy::new(StudySpec::from_json(spec)?, scene, folder, &base))?;
        Ok(Self(Arc::new(study)))
    }

    /// The specification of a study file as JSON.
    #[staticmethod]
    fn spec_of(py: Python<'_>, text: &str) -> PyResult<String> {
        StudySpec::parse(text).and_then(|spec| json_of(&spec)).map_err(|error| error.into_py_err(py))
    }

    /// The text of a study file.
    fn toml(&self, py: Python<'_>) -> PyResult<String> {
        self.0.spec.to_toml().map_err(|error| error.into_py_err(py))
    }

    /// Number of samples.
    fn __len__(&self) -> usize {
        self.0.samples.len()
    }

    /// Keys that vary.
    fn keys(&self) -> Vec<String> {
        self.0.keys.clone()
    }

    /// Columns of the answers.
    fn columns(&self) -> Vec<String> {
        self.0.columns()
    }

    /// Hash of scene, question and version.
    fn fingerprint(&self) -> String {
        self.0.fingerprint()
    }

    /// Names and seeds of all samples.
    fn names(&self) -> Vec<(String, u64)> {
        self.0.samples.iter().map(|sample| (sample.name.clone(), sample.seed)).collect()
    }

    /// Values of all samples, row by row.
    fn values(&self) -> Vec<Vec<f64>> {
        self.0.samples.iter().map(|sample| sample.values.clone()).collect()
    }

    /// Ground motion of every sample: name of the record and scale.
    fn motions(&self) -> Vec<Option<(String, f64)>> {
        let motion = |(i, scale): (usize, f64)| (self.0.records[i].name.clone(), scale);
        self.0.samples.iter().map(|sample| sample.motion.map(motion)).collect()
    }

    /// The text of the scene of a sample.
    fn scene(&self, py: Python<'_>, index: usize) -> PyResult<String> {
        let sample = self.0.samples.get(index);
        let sample = sample.ok_or_else(|| EnsembleError::input(format!("there is no sample {index}")));
        sample.and_then(|sample| self.0.scene_of(sample)).map_err(|error| error.into_py_err(py))
    }

    /// Computes samples; returns their rows as lines of a journal.
    fn compute(&self, py: Python<'_>, indices: Vec<usize>, dir: PathBuf) -> PyResult<Vec<String>> {
        let count = self.0.samples.len();
        if let Some(index) = indices.iter().find(|index| **index >= count) {
            return Err(EnsembleError::input(format!("there is no sample {index}")).into_py_err(py));
        }
        let stop = Arc::new(AtomicBool::new(false));
        let (lines, signal) = work(py, Some(1), &stop, || {
            let mut lines = Vec::new();
            for index in indices.iter().take_while(|_| !stop.load(Ordering::SeqCst)) {
                lines.push(line_of(&self.0.compute_in_time(*index, &dir)));
            }
            Ok::<_, EnsembleError>(lines)
        })?;
        signal.map_or(Ok(lines), Err)
    }

    /// Computes the samples that are not in the folder, on threads of this process; true if it was stopped.
    #[pyo3(signature = (dir, threads, part, progress))]
    fn run(
        &self,
        py: Python<'_>,
        dir: PathBuf,
        threads: usize,
        part: (usize, usize),
        progress: Option<Py<PyAny>>,
    ) -> PyResult<bool> {
        let stop = Arc::new(AtomicBool::new(false));
        let part = Part::new(part.0, part.1).map_err(|error| error.into_py_err(py))?;
        let engine = StudyEngine { threads, part };
        let mut raised: Option<PyErr> = None;
        let mut stopped = false;
        let (_, signal) = work(py, Some(1), &stop, || {
            self.0.run(&dir, &engine, &mut |done, total, row| {
                if let Some(call) = &progress {
                    match Python::attach(|py| call.call1(py, (done, total, row.status.as_str()))?.is_truthy(py)) {
                        Ok(answer) => stopped |= answer,
                        Err(error) => {
                            raised = Some(error);
                            stopped = true;
                        }
                    }
                }
                !stopped && !stop.load(Ordering::SeqCst)
            })
        })?;
        raised.or(signal).map_or(Ok(stopped), Err)
    }

    /// The table of all rows in a folder.
    fn table(&self, py: Python<'_>, dir: PathBuf) -> PyResult<NativeTable> {
        let table = ask(py, Some(1), || self.0.table(&dir))?;
        Ok(NativeTable { study: self.0.clone(), table })
    }

    /// A script for an array of jobs.
    fn slurm(&self, command: &str, study: PathBuf, dir: PathBuf, parts: usize) -> String {
        slurm::script(command, &study, &dir, parts)
    }

    /// The folder of the results of a sample, if they are kept.
    fn folder_of(&self, dir: PathBuf, index: usize) -> Option<PathBuf> {
        if index < self.0.samples.len() { self.0.folder_of(&dir, index) } else { None }
    }
}

/// The journal of a folder, for engines that compute elsewhere.
#[pyclass(module = "voussoir._native", frozen)]
pub(crate) struct NativeJournal {
    study: Arc<EnsembleStudy>,
    dir: PathBuf,
    journal: Mutex<Option<Journal>>,
}

impl NativeJournal {
    fn locked(&self) -> MutexGuard<'_, Option<Journal>> {
        self.journal.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn add_all(&self, rows: &[StudyRow]) -> EnsembleResult<()> {
        match &mut *self.locked() {
            Some(journal) => journal.add_all(rows),
            None => Err(EnsembleError::input("the journal is closed")),
        }
    }
}

#[pymethods]
impl NativeJournal {
    #[new]
    fn new(py: Python<'_>, study: &NativeStudy, dir: PathBuf) -> PyResult<Self> {
        let opened = ask(py, Some(1), || Journal::open(&dir, &study.0, Part::WHOLE))?;
        Ok(Self { study: study.0.clone(), dir, journal: Mutex::new(Some(opened.0)) })
    }

    /// Samples that are not in the folder.
    fn pending(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        ask(py, Some(1), || {
            Ok::<_, EnsembleError>(self.study.pending(&self.dir, &journal::read(&self.dir)?, Part::WHOLE))
        })
    }

    /// Adds rows that another process computed; they are on disk when this returns. Returns their statuses.
    fn add(&self, py: Python<'_>, lines: Vec<(usize, String)>) -> PyResult<Vec<String>> {
        ask(py, Some(1), || {
            let rows = lines.iter().map(|(index, line)| row_of(&self.study, *index, line));
            let rows = rows.collect::<EnsembleResult<Vec<_>>>()?;
            self.add_all(&rows)?;
            Ok::<_, EnsembleError>(rows.into_iter().map(|row| row.status).collect())
        })
    }

    /// Adds the row of a sample that ends every process that computes it.
    fn lose(&self, py: Python<'_>, index: usize, reason: &str) -> PyResult<()> {
        ask(py, Some(1), || {
            let sample =
                self.study.samples.get(index).ok_or_else(|| EnsembleError::input("there is no such sample"))?;
            self.add_all(&[self.study.row(sample, "lost", reason.to_owned(), Vec::new())])
        })
    }

    /// Closes the journal, so that another process may open it.
    fn close(&self) {
        *self.locked() = None;
    }
}

/// The table of a study.
#[pyclass(module = "voussoir._native", frozen)]
pub(crate) struct NativeTable {
    study: Arc<EnsembleStudy>,
    table: SampleTable,
}

fn cell<'py>(py: Python<'py>, value: &StudyValue) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        StudyValue::Number(number) => number.into_pyobject(py)?.into_any(),
        StudyValue::Word(word) => word.into_pyobject(py)?.into_any(),
        StudyValue::Empty => py.None().into_bound(py),
    })
}

#[pymethods]
impl NativeTable {
    /// Number of rows.
    fn __len__(&self) -> usize {
        self.table.rows.len()
    }

    /// The table as CSV.
    fn csv(&self) -> String {
        self.table.to_csv()
    }

    /// Names of the inputs and of the answers.
    fn heads(&self) -> (Vec<String>, Vec<String>) {
        (self.table.inputs.clone(), self.table.columns.clone())
    }

    /// A column by name: numbers, words, or none.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
        let Some(cells) = self.table.column(name) else { return Ok(None) };
        cells.iter().map(|value| cell(py, value)).collect::<PyResult<Vec<_>>>().map(Some)
    }

    /// Numbers, names, seeds, statuses and reasons of the rows.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let rows = &self.table.rows;
        let dict = PyDict::new(py);
        dict.set_item("sample", rows.iter().map(|row| row.index).collect::<Vec<_>>())?;
        dict.set_item("name", rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>())?;
        dict.set_item("seed", &self.table.seeds)?;
        dict.set_item("status", rows.iter().map(|row| row.status.as_str()).collect::<Vec<_>>())?;
        dict.set_item("reason", rows.iter().map(|row| row.reason.as_str()).collect::<Vec<_>>())?;
        Ok(dict)
    }

    /// Samples of the whole study.
    fn total(&self) -> usize {
        self.table.total
    }

    /// Fits a fragility curve: JSON, and a drawing.
    fn fragility(&self, py: Python<'_>, spec: &str) -> PyResult<(String, String)> {
        ask(py, Some(1), || {
            let spec: FragilitySpec = serde_json::from_str(spec).map_err(EnsembleError::json)?;
            let found = self.table.fragility(&spec)?;
            Ok::<_, EnsembleError>((json_of(&found)?, page::drawing(&found)))
        })
    }

    /// Probability of a column of zeros and ones among converged rows: failures and samples.
    fn failures(&self, py: Python<'_>, column: &str, failed: f64) -> PyResult<(u64, u64)> {
        let found = self.table.reliability(column, failed, 0.9).map_err(|error| error.into_py_err(py))?;
        Ok((found.failures, found.samples))
    }

    /// Rank correlations as JSON.
    fn correlations(&self, py: Python<'_>) -> PyResult<String> {
        let rows: Vec<_> = self.table.correlations().into_iter().collect();
        let list: Vec<_> = rows
            .iter()
            .map(|(input, column, found)| {
                json!({ "input": input, "column": column, "coefficient": found.coefficient,
                        "interval": found.interval, "samples": found.samples })
            })
            .collect();
        json_of(&list).map_err(|error| error.into_py_err(py))
    }

    /// The report page.
    fn page(&self, py: Python<'_>) -> PyResult<String> {
        ask(py, Some(1), || Ok::<_, EnsembleError>(page::page(&self.study, &self.table)))
    }
}
