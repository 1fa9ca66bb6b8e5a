//! Runs into folders and into memory, and folders frame by frame.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::any::StateRef;
use voussoir_mechanics::report::{Column, StepReport};
use voussoir_mechanics::snapshot::{Cast, Snapshot};
use voussoir_model::{Built, RecordSettings};
use voussoir_results::measures::couple;
use voussoir_results::picture::{Artist, Caption};
use voussoir_results::{HistoryTable, Results, RunFacts, StageVerdict, Summary, SummaryAccumulator};
use voussoir_run::drive::{self, Facts, total_steps};
use voussoir_run::folder::{self, FolderOptions};
use voussoir_run::probes::Probes;
use voussoir_run::{Control, Ending, Flow, Observer, Result, RunError, SceneFile, StepPlace};
use voussoir_statics::study::Study;

use crate::errors::IntoPyErr;
use crate::job::{ask, seconds, work};
use crate::recording::{Frames, History, Recording};

/// Shortest time between two calls for progress.
const PROGRESS: Duration = Duration::from_millis(100);

/// Functions of the user that a run calls.
pub(crate) struct Calls {
    /// Called after every step: its true answer stops the run.
    pub step: Option<Py<PyAny>>,
    /// Called with the steps done, now and then.
    pub progress: Option<Py<PyAny>>,
}

/// An observer that calls functions of Python.
struct Caller {
    calls: Calls,
    last: Instant,
    /// Exception that a function raised.
    raised: Option<PyErr>,
}

impl Caller {
    fn new(calls: Calls) -> Self {
        Self { calls, last: Instant::now(), raised: None }
    }

    fn call(&mut self, report: &StepReport) -> Flow {
        let progress = self.calls.progress.as_ref().filter(|_| self.last.elapsed() >= PROGRESS);
        if self.calls.step.is_none() && progress.is_none() {
            return Flow::Continue;
        }
        let answer = Python::attach(|py| -> PyResult<bool> {
            if let Some(call) = progress {
                call.call1(py, (report.step,))?;
            }
            let Some(call) = &self.calls.step else { return Ok(false) };
            let numbers = (
                report.step,
                report.time,
                report.converged,
                report.residual,
                report.contacts,
                report.kinetic_energy,
                report.displacement,
                report.speed,
                report.penetration,
                report.support_reaction,
                report.probes.clone(),
            );
            call.call1(py, numbers)?.is_truthy(py)
        });
        if self.last.elapsed() >= PROGRESS {
            self.last = Instant::now();
        }
        match answer {
            Ok(false) => Flow::Continue,
            Ok(true) => Flow::Stop,
            Err(error) => {
                self.raised = Some(error);
                Flow::Stop
            }
        }
    }
}

impl Observer for Caller {
    fn after_step(&mut self, _: &mut dyn Analysis, report: &mut StepReport, _: StepPlace) -> Result<Flow> {
        Ok(self.call(report))
    }
}

/// An observer that keeps frames and rows in memory, by the rules of the scene.
struct Keeper {
    record: RecordSettings,
    dimension: usize,
    frames: Frames,
    history: History,
    summary: SummaryAccumulator,
    columns: &'static [Column],
    cables: Vec<String>,
    probes: Vec<String>,
    kept: u64,
}

impl Keeper {
    fn new(built: &Built, facts: &Facts) -> Self {
        let every = built.record.every.max(1);
        let expected = total_steps(&built.stages) / every + built.stages.len() as u64 + 1;
        let summary = SummaryAccumulator::new(RunFacts {
            title: built.title.clone(),
            dimension: built.model.dimension(),
            bodies: built.model.bodies(),
            tolerance: built.stages.iter().map(|stage| stage.tolerance()).fold(0.0, f64::max),
            weight: facts.weight,
            kinetic_energy: facts.kinetic_energy,
            cables: facts.cast.cables.clone(),
        });
        Self {
            record: built.record,
            dimension: built.model.dimension(),
            frames: Frames::new(built.model.bodies(), usize::try_from(expected).unwrap_or(usize::MAX)),
            history: History::default(),
            summary,
            columns: &[],
            cables: facts.cast.cables.iter().map(|cable| cable.name.clone()).collect(),
            probes: built.probes.iter().map(|probe| probe.head.clone()).collect(),
            kept: 0,
        }
    }

    fn keep(&mut self, mut snapshot: Snapshot) {
        if self.record.coupled {
            couple(&mut snapshot, self.dimension);
        }
        self.frames.push(&snapshot);
        self.kept += 1;
    }
}

impl Observer for Keeper {
    fn start(&mut self, first: &Snapshot, _: StateRef<'_>) -> Result<()> {
        self.frames.push(first);
        self.kept += 1;
        Ok(())
    }

    fn stage(&mut self, _: usize, analysis: &dyn Analysis) -> Result<()> {
        self.columns = analysis.columns();
        Ok(())
    }

    fn after_step(&mut self, analysis: &mut dyn Analysis, report: &mut StepReport, place: StepPlace) -> Result<Flow> {
        self.summary.add(report);
        if report.step.is_multiple_of(self.record.history_every) || place.last_of_stage || !report.converged {
            self.history.push(report, self.columns, &self.cables, &self.probes);
        }
        if report.step.is_multiple_of(self.record.every) || place.last_of_stage {
            self.keep(analysis.snapshot());
        }
        Ok(Flow::Continue)
    }

    fn answer(&mut self, stage: usize, study: &Study) -> Result<()> {
        let report = serde_json::to_value(&study.report).map_err(|error| RunError::Internal(error.to_string()))?;
        self.summary.add_verdict(StageVerdict { stage: stage + 1, directory: String::new(), report });
        Ok(())
    }
}

/// Draws a frame in a view that has the first frame too: SVG, or PNG with a scale.
pub(crate) fn draw(
    cast: &Cast,
    first: &Snapshot,
    now: &Snapshot,
    caption: &Caption,
    scale: Option<f64>,
) -> Result<Vec<u8>> {
    let artist = Artist::new(cast, &[first, now]);
    match scale {
        None => Ok(artist.draw(now, caption).into_bytes()),
        Some(scale) => artist.png(now, caption, scale).map_err(|error| RunError::input(error.to_string())),
    }
}

/// Summary as JSON, and whether the run was stopped.
pub(crate) type Ended = (String, bool);

/// Ends a run: an exception of the user's function or a signal that stopped it is raised.
fn ended(py: Python<'_>, summary: &Summary, stopped: bool, raised: Option<PyErr>) -> PyResult<Ended> {
    if let Some(error) = raised {
        return Err(error);
    }
    let json = serde_json::to_string(summary).map_err(|error| error.to_string().into_py_err(py))?;
    Ok((json, stopped))
}

/// Runs a scene into a folder.
pub(crate) fn into_folder(
    py: Python<'_>,
    file: &SceneFile,
    dir: PathBuf,
    options: FolderOptions,
    threads: Option<usize>,
    calls: Calls,
) -> PyResult<Ended> {
    let stop = Arc::new(AtomicBool::new(false));
    let control = Control { stop: Arc::clone(&stop), clock: Some(seconds) };
    let mut caller = Caller::new(calls);
    let (outcome, signal) =
        work(py, threads, &stop, || folder::run(file, &dir, options, &control, &mut [&mut caller]))?;
    let stopped = outcome.ending == Ending::Interrupted;
    ended(py, &outcome.summary, stopped, caller.raised.or(signal))
}

/// Runs a scene into memory.
pub(crate) fn into_memory(
    py: Python<'_>,
    file: &SceneFile,
    threads: Option<usize>,
    calls: Calls,
) -> PyResult<(Recording, Ended)> {
    let stop = Arc::new(AtomicBool::new(false));
    let control = Control { stop: Arc::clone(&stop), clock: Some(seconds) };
    let mut caller = Caller::new(calls);
    let built = &file.built;
    let ((keeper, cast, stopped, time), signal) = work(py, threads, &stop, || -> Result<_> {
        let facts = Facts::of(built);
        let mut probes = Probes::new(&built.probes, &facts.cast);
        let mut keeper = Keeper::new(built, &facts);
        let start = seconds();
        let outcome = drive::run(built, &mut [&mut probes, &mut keeper, &mut caller], &control)?;
        let mut cast = built.model.cast_at(&outcome.state)?;
        drive::mark_released(&mut cast, built);
        keeper.history.complete();
        Ok((keeper, cast, outcome.ending == Ending::Interrupted, seconds() - start))
    })?;
    let summary = keeper.summary.summary(time, keeper.kept, !stopped);
    let ended = ended(py, &summary, stopped, caller.raised.or(signal))?;
    Ok((Recording::new(keeper.frames, keeper.history, cast), ended))
}

/// Continues the run of a folder.
#[pyfunction]
#[pyo3(signature = (dir, threads = None, step = None, progress = None))]
pub(crate) fn resume(
    py: Python<'_>,
    dir: PathBuf,
    threads: Option<usize>,
    step: Option<Py<PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Ended> {
    let stop = Arc::new(AtomicBool::new(false));
    let control = Control { stop: Arc::clone(&stop), clock: Some(seconds) };
    let mut caller = Caller::new(Calls { step, progress });
    let options = FolderOptions { overwrite: true, dump_problems: None };
    let (outcome, signal) =
        work(py, threads, &stop, || folder::resume(&dir, options, &control, &mut [&mut caller], &mut |_| {}))?;
    let stopped = outcome.ending == Ending::Interrupted;
    ended(py, &outcome.summary, stopped, caller.raised.or(signal))
}

/// A results folder.
#[pyclass(module = "voussoir._native", frozen)]
pub(crate) struct Folder(Results);

#[pymethods]
impl Folder {
    #[new]
    fn new(py: Python<'_>, dir: PathBuf) -> PyResult<Self> {
        py.detach(|| Results::open(&dir)).map(Self).map_err(|error| error.into_py_err(py))
    }

    /// Number of frames.
    fn __len__(&self) -> usize {
        self.0.frames()
    }

    /// Time of every frame [s].
    fn times(&self) -> Vec<f64> {
        self.0.times().to_vec()
    }

    /// Title of the scene.
    fn title(&self) -> &str {
        self.0.title()
    }

    /// Summary as JSON.
    fn summary(&self, py: Python<'_>) -> PyResult<String> {
        let summary = py.detach(|| self.0.summary()).map_err(|error| error.into_py_err(py))?;
        serde_json::to_string(&summary).map_err(|error| error.to_string().into_py_err(py))
    }

    /// Picture of a frame in a view that has the first frame too: SVG, or PNG with a scale.
    #[pyo3(signature = (index, scale = None))]
    fn picture<'py>(&self, py: Python<'py>, index: usize, scale: Option<f64>) -> PyResult<Bound<'py, PyBytes>> {
        let caption = Caption { title: self.0.title().to_owned(), ..Caption::default() };
        let bytes = ask(py, Some(1), || {
            let [first, now] = [self.0.frame(0), self.0.frame(index)].map(|frame| frame.map_err(RunError::Folder));
            let (first, now) = (first?, now?);
            draw(self.0.cast(), &first, &now, &caption, scale)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Some frames as a recording, without history.
    fn frames(&self, py: Python<'_>, first: usize, last: usize) -> PyResult<Recording> {
        self.read(py, first..last, History::default())
    }

    /// All frames, and the history.
    fn recording(&self, py: Python<'_>) -> PyResult<Recording> {
        let history = self.history_of(py)?;
        self.read(py, 0..self.0.frames(), history)
    }

    /// The history alone.
    fn history(&self, py: Python<'_>) -> PyResult<Recording> {
        let history = self.history_of(py)?;
        self.read(py, 0..0, history)
    }
}

impl Folder {
    fn history_of(&self, py: Python<'_>) -> PyResult<History> {
        let read = py.detach(|| HistoryTable::read(self.0.dir()).map(|table| History::of(&table)));
        read.map_err(|error| error.into_py_err(py))
    }

    fn read(&self, py: Python<'_>, range: std::ops::Range<usize>, history: History) -> PyResult<Recording> {
        let results = &self.0;
        let cast = results.cast().clone();
        let frames = py.detach(|| {
            let mut frames = Frames::new(cast.bodies.len(), range.len());
            for index in range {
                frames.push(&results.frame(index)?);
            }
            Ok(frames)
        });
        let frames = frames.map_err(|error: voussoir_results::ResultsError| error.into_py_err(py))?;
        Ok(Recording::new(frames, history, cast))
    }
}
