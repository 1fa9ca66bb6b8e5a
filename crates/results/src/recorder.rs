//! Writing the results of a run into a folder.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use voussoir_mechanics::report::{Column, StepReport};
use voussoir_mechanics::snapshot::{Cast, CastBody, Features, Snapshot};

use crate::checkpoint::{self, CHECKPOINT_FILE, Volatile};
use crate::checksums::{CHECKSUMS_FILE, CheckedStorage, SharedSums, TableKind};
use crate::encode::Precision;
use crate::error::ResultsError;
use crate::fixed::FixedPart;
use crate::frames::{FRAMES_FILE, FrameWriter, FramesState};
use crate::history::{COLUMNS_FILE, GrowingTable, HISTORY_FILE, Layout, TIMING_FILE, cable_column, write_columns};
use crate::summary::{RunFacts, SUMMARY_FILE, StageVerdict, Summary, SummaryAccumulator};
use voussoir_hdf5::storage::FileStorage;

/// The scene as run, in the results folder.
pub const SCENE_FILE: &str = "scene.toml";

/// Every file that a run writes.
const FILES: [&str; 8] =
    [CHECKPOINT_FILE, FRAMES_FILE, HISTORY_FILE, TIMING_FILE, COLUMNS_FILE, SUMMARY_FILE, SCENE_FILE, CHECKSUMS_FILE];

/// Settings of a recorder.
#[derive(Clone, Debug, PartialEq)]
pub struct RecorderSettings {
    /// Title of the scene.
    pub title: String,
    /// Text of the scene as run.
    pub scene: String,
    /// Tolerance on the residual.
    pub tolerance: f64,
    /// Weight of the free bodies [N].
    pub weight: f64,
    /// Kinetic energy at the start [J].
    pub kinetic_energy: f64,
    /// Columns that the analyses of the run add to the common ones.
    pub columns: Vec<Column>,
    /// Heads of the columns of probes.
    pub probes: Vec<String>,
    /// Replace results that are there already.
    pub overwrite: bool,
    /// Rounding of frames; `None` adapts it to the blocks.
    pub precision: Option<Precision>,
}

/// Position of a run in its files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Position {
    frames: FramesState,
    history_bytes: u64,
    summary: SummaryAccumulator,
}

impl Position {
    pub(crate) fn frames(&self) -> &FramesState {
        &self.frames
    }

    pub(crate) fn history_bytes(&self) -> u64 {
        self.history_bytes
    }

    pub(crate) fn summary(&self) -> &SummaryAccumulator {
        &self.summary
    }

    pub(crate) fn steps(&self) -> u64 {
        self.summary.steps()
    }
}

/// Writes `results.vtkhdf`, `history.csv`, `timing.csv`, `summary.json`, `checkpoint` and `scene.toml`.
///
/// Dropped at any time, it leaves files that can be read; [`Recorder::resume`] continues from the last
/// checkpoint, and the files are then identical to those of an uninterrupted run.
#[derive(Debug)]
pub struct Recorder {
    pub(crate) dir: PathBuf,
    pub(crate) scene_hash: u64,
    /// Points of every body.
    pub(crate) bodies: Vec<usize>,
    pub(crate) features: Features,
    pub(crate) sums: SharedSums,
    pub(crate) frames: FrameWriter<CheckedStorage>,
    pub(crate) history: GrowingTable,
    pub(crate) timing: GrowingTable,
    pub(crate) summary: SummaryAccumulator,
    /// Real time of earlier sessions [s].
    pub(crate) earlier: f64,
    pub(crate) started: Instant,
    pub(crate) stopped: bool,
}

impl Recorder {
    /// Starts a results folder; creates it if it does not exist.
    pub fn create(dir: &Path, cast: &Cast, settings: RecorderSettings) -> Result<Self, ResultsError> {
        Self::create_with(dir, cast, settings, &[])
    }

    /// The same with parts of `results.vtkhdf` that do not change.
    pub fn create_with(
        dir: &Path,
        cast: &Cast,
        settings: RecorderSettings,
        fixed: &[FixedPart],
    ) -> Result<Self, ResultsError> {
        check_surfaces(&cast.bodies, 0)?;
        prepare_folder(dir, settings.overwrite)?;

        // take the lock first, so that results of a running run are not overwritten
        let history_path = dir.join(HISTORY_FILE);
        let history_file = locked(dir, &history_path)?;
        // the scene is replaced by one rename below: a run killed in between can still be resumed, from its beginning
        for file in FILES.into_iter().filter(|file| ![HISTORY_FILE, SCENE_FILE].contains(file)) {
            let path = dir.join(file);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(ResultsError::write(&path)(error));
                }
                _ => {}
            }
        }
        history_file.set_len(0).map_err(ResultsError::write(&history_path))?;

        let sums = SharedSums::create(dir)?;
        sums.replace(dir, SCENE_FILE, settings.scene.as_bytes())?;
        let path = dir.join(FRAMES_FILE);
        let precision = settings.precision.unwrap_or_else(|| Precision::for_cast(cast));
        let frames = FileStorage::create(&path)
            .map(|file| CheckedStorage { file, sums: sums.clone() })
            .and_then(|storage| FrameWriter::create(storage, cast, &settings.title, precision, fixed))
            .map_err(ResultsError::write(&path))?;
        let cables: Vec<String> = cast.cables.iter().map(|cable| cable_column(&cable.name)).collect();
        write_columns(dir, &settings.columns, &cables, &settings.probes, &sums)?;
        let more = [cables, settings.probes].concat();
        let layout = Layout::history(&settings.columns);
        let own = (TableKind::History, sums.clone());
        let history = GrowingTable::create(&history_path, history_file, layout, &more, own)?;
        let path = dir.join(TIMING_FILE);
        let timing_file = File::create(&path).map_err(ResultsError::write(&path))?;
        let own = (TableKind::Timing, sums.clone());
        let timing = GrowingTable::create(&path, timing_file, Layout::timing(&settings.columns), &[], own)?;

        let facts = RunFacts {
            title: settings.title,
            dimension: cast.dimension,
            bodies: cast.bodies.len(),
            tolerance: settings.tolerance,
            weight: settings.weight,
            kinetic_energy: settings.kinetic_energy,
            cables: cast.cables.clone(),
        };
        let recorder = Self {
            dir: dir.to_owned(),
            scene_hash: checkpoint::scene_hash(&settings.scene),
            bodies: cast.bodies.iter().map(|body| body.surface().points.len()).collect(),
            features: cast.features.clone(),
            sums,
            frames,
            history,
            timing,
            summary: SummaryAccumulator::new(facts),
            earlier: 0.0,
            started: Instant::now(),
            stopped: false,
        };
        recorder.summary(false).write(dir, &recorder.sums)?;
        Ok(recorder)
    }

    /// Keeps the checksums of files that the scene refers to; `names` are relative to the folder.
    pub fn keep_files(&self, names: &[String]) -> Result<(), ResultsError> {
        for name in names {
            let path = self.dir.join(name);
            self.sums.keep(&self.dir, name, &fs::read(&path).map_err(ResultsError::read(&path))?)?;
        }
        Ok(())
    }

    /// Steps that follow are made by an analysis with these columns.
    pub fn begin_stage(&mut self, columns: &[Column]) {
        self.history.begin_stage(columns);
        self.timing.begin_stage(columns);
    }

    /// Records the verdict of a static stage.
    pub fn verdict(&mut self, verdict: StageVerdict) {
        self.summary.add_verdict(verdict);
    }

    /// Records a step: in the summary, and with `has_row` in the tables.
    pub fn step(&mut self, report: &StepReport, has_row: bool) -> Result<(), ResultsError> {
        self.guarded(|recorder| {
            recorder.summary.add(report);
            if !has_row {
                return Ok(());
            }
            let tensions = report.cables.iter().map(|cable| cable.tension);
            let more: Vec<f64> = tensions.chain(report.probes.iter().copied()).collect();
            recorder.history.row(report, &more)?;
            recorder.timing.row(report, &[])
        })
    }

    /// Records a frame: positions, velocities and contacts. The first one, before any step, is the reference of
    /// displacements.
    pub fn frame(&mut self, snapshot: &Snapshot) -> Result<(), ResultsError> {
        self.check_snapshot(snapshot)?;
        self.guarded(|recorder| {
            let path = recorder.dir.join(FRAMES_FILE);
            recorder.frames.frame(snapshot).map_err(ResultsError::write(&path))
        })
    }

    /// Adds bodies that appear in the run, after all others; frames from the next one on have them. The cast must have
    /// declared that bodies may appear.
    pub fn appear(&mut self, bodies: &[CastBody]) -> Result<(), ResultsError> {
        if bodies.is_empty() {
            return Ok(());
        }
        if !self.features.appearing {
            return Err(ResultsError::Undeclared { what: "bodies that appear" });
        }
        check_surfaces(bodies, self.bodies.len())?;
        let most = self.frames.name_bytes();
        if let Some(long) = bodies.iter().find(|body| body.name.len() > most) {
            return Err(ResultsError::LongName { name: long.name.clone(), most });
        }
        self.guarded(|recorder| {
            let path = recorder.dir.join(FRAMES_FILE);
            recorder.frames.appear(bodies).map_err(ResultsError::write(&path))?;
            recorder.bodies.extend(bodies.iter().map(|body| body.surface().points.len()));
            Ok(())
        })
    }

    /// Writes all data to the disk and replaces the checkpoint and the summary. `state` is the state from which the run
    /// can be resumed.
    pub fn checkpoint<T: Serialize>(&mut self, state: &T) -> Result<(), ResultsError> {
        self.guarded(|recorder| {
            let path = recorder.dir.join(FRAMES_FILE);
            let position = Position {
                frames: recorder.frames.state().map_err(ResultsError::write(&path))?,
                history_bytes: recorder.history.sync()?,
                summary: recorder.summary.clone(),
            };
            let timing = recorder.timing.sync()?;
            let checksums = recorder.sums.sync(&recorder.dir)?;
            let volatile = Volatile { timing, checksums, seconds: recorder.seconds() };
            checkpoint::write(&recorder.dir, recorder.scene_hash, &position, volatile, state)?;
            recorder.summary(false).write(&recorder.dir, &recorder.sums)
        })
    }

    /// Ends the run.
    pub fn finish(mut self) -> Result<Summary, ResultsError> {
        self.guarded(|recorder| {
            let path = recorder.dir.join(FRAMES_FILE);
            recorder.frames.state().map_err(ResultsError::write(&path))?;
            recorder.history.sync()?;
            recorder.timing.sync()?;
            let summary = recorder.summary(true);
            summary.write(&recorder.dir, &recorder.sums)?;
            recorder.sums.sync(&recorder.dir)?;
            Ok(summary)
        })
    }

    /// The run so far.
    pub fn summary(&self, finished: bool) -> Summary {
        self.summary.summary(self.seconds(), self.frames.frames(), finished)
    }

    /// Bodies of the run so far.
    pub fn bodies(&self) -> usize {
        self.bodies.len()
    }

    /// Frames recorded.
    pub fn frames(&self) -> u64 {
        self.frames.frames()
    }

    /// The results folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Real time of the run, all sessions [s].
    fn seconds(&self) -> f64 {
        self.earlier + self.started.elapsed().as_secs_f64()
    }

    /// An error unless the frame has the arrays that the cast declared.
    fn check_snapshot(&self, snapshot: &Snapshot) -> Result<(), ResultsError> {
        let same = |what: &'static str, found: usize, expected: usize| match found == expected {
            true => Ok(()),
            false => Err(ResultsError::Mismatch { what, found, expected }),
        };
        same("bodies of a frame", snapshot.bodies.len(), self.bodies.len())?;
        let Features { deforming, point_fields, body_fields, .. } = &self.features;
        if !snapshot.body_fields.is_empty() {
            same("fields of bodies", snapshot.body_fields.len(), body_fields.len())?;
        }
        for values in &snapshot.body_fields {
            same("values of a field", values.len(), self.bodies.len())?;
        }
        if !snapshot.deformed.is_empty() && !deforming {
            return Err(ResultsError::Undeclared { what: "deformed bodies" });
        }
        let mut least = 0;
        for deformed in &snapshot.deformed {
            let body = deformed.body as usize;
            let points = self.bodies.get(body).copied().filter(|_| body >= least);
            let points = points.ok_or(ResultsError::DeformedOrder { body })?;
            same("points of a deformed body", deformed.points.len(), points)?;
            same("fields at points", deformed.values.len(), point_fields.len())?;
            for values in &deformed.values {
                same("values of a field at points", values.len(), points)?;
            }
            least = body + 1;
        }
        Ok(())
    }

    /// After a failed write nothing more is written: the files keep the state before the failure.
    fn guarded<R>(&mut self, act: impl FnOnce(&mut Self) -> Result<R, ResultsError>) -> Result<R, ResultsError> {
        if self.stopped {
            return Err(ResultsError::Stopped { dir: self.dir.clone() });
        }
        let result = act(self);
        self.stopped = result.is_err();
        result
    }
}

/// The first file of a folder that contains results of a run.
///
/// A run killed at its start leaves empty files and a list of checksums without entries: no results to protect.
pub fn results_in(dir: &Path) -> Option<&'static str> {
    let mut results = FILES.into_iter().filter(|&file| file != CHECKSUMS_FILE);
    results.find(|file| fs::metadata(dir.join(file)).is_ok_and(|data| data.len() > 0))
}

/// Creates the folder, and refuses one with results unless they may be overwritten.
fn prepare_folder(dir: &Path, overwrite: bool) -> Result<(), ResultsError> {
    if dir.exists() && !dir.is_dir() {
        return Err(ResultsError::NotADirectory { path: dir.to_owned() });
    }
    fs::create_dir_all(dir).map_err(ResultsError::write(dir))?;
    match results_in(dir) {
        Some(file) if !overwrite => Err(ResultsError::AlreadyThere { dir: dir.to_owned(), file }),
        _ => Ok(()),
    }
}

/// Opens the history for writing and locks it against other writers.
pub(crate) fn locked(dir: &Path, path: &Path) -> Result<File, ResultsError> {
    let options = File::options().read(true).write(true).create(true).truncate(false).open(path);
    let file = options.map_err(ResultsError::write(path))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(ResultsError::InUse { dir: dir.to_owned() }),
        // file systems without locks are used without them
        Err(TryLockError::Error(_)) | Ok(()) => Ok(file),
    }
}

/// Every polygon must refer to existing points; `first` is the index of the first body.
pub(crate) fn check_surfaces(bodies: &[CastBody], first: usize) -> Result<(), ResultsError> {
    for (index, body) in bodies.iter().enumerate() {
        let points = body.surface().points.len();
        let bad = |polygon: &Vec<u32>| polygon.iter().any(|&point| point as usize >= points);
        if let Some(polygon) = body.surface().polygons.iter().position(bad) {
            return Err(ResultsError::BadSurface { body: first + index, name: body.name.clone(), polygon });
        }
    }
    Ok(())
}
