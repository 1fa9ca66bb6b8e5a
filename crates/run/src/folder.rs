//! A run into a results folder, and resuming one.

use std::fs;
use std::path::{Path, PathBuf};

use voussoir_mechanics::any::{AnyModel, AnyState};
use voussoir_mechanics::dynamic::DYNAMIC_COLUMNS;
use voussoir_mechanics::events::EVENT_COLUMNS;
use voussoir_mechanics::explicit::EXPLICIT_COLUMNS;
use voussoir_mechanics::report::Column;
use voussoir_model::{Built, StageAnalysis};
use voussoir_results::report::{REPORT_FILE, write_report};
use voussoir_results::{
    Checkpoint, Recorder, RecorderSettings, Results, ResultsError, SCENE_FILE, Summary, is_column, results_in,
};

use crate::drive::{self, Control, Ending, Facts, mark_released, total_steps};
use crate::dump::{self, Dump};
use crate::error::{Result, RunError};
use crate::folder_recorder::FolderRecorder;
use crate::observe::Observer;
use crate::pictures::{self, FINAL_PICTURE, INITIAL_PICTURE};
use crate::probes::Probes;
use crate::run_scene::RunScene;
use crate::scene_file::SceneFile;

/// Result of a run into a folder.
#[derive(Debug)]
pub struct FolderOutcome {
    /// The folder.
    pub dir: PathBuf,
    /// How the run ended.
    pub ending: Ending,
    /// The summary of the run, verdicts of static stages included.
    pub summary: Summary,
    /// Where it ended.
    pub state: AnyState,
}

/// How a run into a folder is done.
#[derive(Clone, Copy, Debug, Default)]
pub struct FolderOptions {
    /// Overwrite results in the folder.
    pub overwrite: bool,
    /// Write the contact problem of every N-th step.
    pub dump_problems: Option<u64>,
}

/// Where a resumed run starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResumeFrom {
    /// There was no checkpoint yet: from the beginning.
    Beginning,
    /// From a checkpoint: steps done, and steps of all stages.
    Checkpoint {
        /// Steps done.
        done: u64,
        /// Steps of all stages.
        total: u64,
    },
    /// The run was finished: only missing pictures are drawn.
    Finished,
}

/// Runs a scene into a folder; `observers` see every step after it was recorded.
pub fn run(
    file: &SceneFile,
    dir: &Path,
    options: FolderOptions,
    control: &Control,
    observers: &mut [&mut dyn Observer],
) -> Result<FolderOutcome> {
    if !options.overwrite
        && let Some(file) = results_in(dir)
    {
        return Err(RunError::Folder(ResultsError::AlreadyThere { dir: dir.to_owned(), file }));
    }
    let built = &file.built;
    if let Some(probe) = built.probes.iter().find(|probe| is_column(&probe.head, &own_columns(built))) {
        let message = format!("the probe `{}` has the same name as a standard column of history.csv", probe.head);
        return Err(RunError::input(message).with_help("give the probe another name"));
    }
    let facts = Facts::of(built);
    // files are copied before the scene that refers to them, so that a scene in a folder can always be run
    let (scene, copied) = file.keep_files(dir)?;
    let settings = RecorderSettings {
        title: built.title.clone(),
        scene,
        tolerance: built.stages.iter().map(|stage| stage.tolerance()).fold(0.0, f64::max),
        weight: facts.weight,
        kinetic_energy: facts.kinetic_energy,
        columns: own_columns(built),
        probes: built.probes.iter().map(|probe| probe.head.clone()).collect(),
        overwrite: options.overwrite,
        precision: None,
    };
    let recorder = Recorder::create(dir, &facts.cast, settings).map_err(RunError::Folder)?;
    recorder.keep_files(&copied).map_err(RunError::Folder)?;
    dump::remove_old(dir);
    for file in [FINAL_PICTURE, REPORT_FILE] {
        let _ = fs::remove_file(dir.join(file));
    }
    go(file, recorder, &facts, None, options, control, observers)
}

/// Resumes the run of a folder from its last checkpoint; `tell` is called with the start of the resumed run.
pub fn resume(
    dir: &Path,
    options: FolderOptions,
    control: &Control,
    observers: &mut [&mut dyn Observer],
    tell: &mut dyn FnMut(ResumeFrom),
) -> Result<FolderOutcome> {
    let path = dir.join(SCENE_FILE);
    if !path.exists() {
        return Err(RunError::input(format!("{}: no run to resume ({SCENE_FILE} is missing)", dir.display()))
            .with_help("give a results folder of `voussoir run`"));
    }
    let file = SceneFile::load(&path)?;
    let checkpoint = match Checkpoint::read(dir) {
        Ok(checkpoint) => checkpoint,
        // killed before the first checkpoint: there is nothing to lose
        Err(ResultsError::Read { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            tell(ResumeFrom::Beginning);
            return run(&file, dir, FolderOptions { overwrite: true, ..options }, control, observers);
        }
        Err(error) => return Err(RunError::Folder(error)),
    };
    checkpoint.check_scene(&file.scene.source.text).map_err(RunError::Folder)?;
    let state = match &file.built.model {
        AnyModel::Two(_) => checkpoint.state().map(AnyState::Two),
        AnyModel::Three(_) => checkpoint.state().map(AnyState::Three),
    }
    .map_err(RunError::Folder)?;
    let mut facts = Facts::of(&file.built);
    facts.cast.bodies = file.built.model.cast_at(&state)?.bodies;
    mark_released(&mut facts.cast, &file.built);
    if state.position().stage >= file.built.stages.len()
        && let Ok(summary @ Summary { finished: true, .. }) = Summary::read(dir)
    {
        voussoir_results::verify(dir).map_err(RunError::Folder)?;
        tell(ResumeFrom::Finished);
        // it may have been killed between its last step and its pictures
        illustrate(dir, &file.built, &facts)?;
        return Ok(FolderOutcome { dir: dir.to_owned(), ending: Ending::Finished, summary, state });
    }
    let recorder =
        Recorder::resume(dir, &facts.cast, &own_columns(&file.built), &checkpoint).map_err(RunError::Folder)?;
    tell(ResumeFrom::Checkpoint { done: state.steps(), total: total_steps(&file.built.stages) });
    go(&file, recorder, &facts, Some(state), options, control, observers)
}

/// Runs or resumes with a recorder, and illustrates a run that came to its end.
fn go(
    file: &SceneFile,
    recorder: Recorder,
    facts: &Facts,
    start: Option<AnyState>,
    options: FolderOptions,
    control: &Control,
    observers: &mut [&mut dyn Observer],
) -> Result<FolderOutcome> {
    let built = &file.built;
    let dir = recorder.dir().to_owned();
    let mut probes = Probes::new(&built.probes, &facts.cast);
    let mut dump = options.dump_problems.map(|every| Dump::new(every, &dir, &built.title));
    let mut recorder = FolderRecorder::new(recorder, built, &file.scene.source.text, control.clock);
    let mut all: Vec<&mut dyn Observer> = Vec::new();
    all.extend(dump.as_mut().map(|dump| dump as &mut dyn Observer));
    all.push(&mut probes);
    all.push(&mut recorder);
    for observer in observers.iter_mut() {
        all.push(&mut **observer);
    }
    let outcome = match start {
        None => drive::run(built, &mut all, control)?,
        Some(state) => drive::resume(built, state, &mut all, control)?,
    };
    drop(all);
    let summary = match outcome.ending {
        Ending::Finished => recorder.finish()?,
        Ending::Interrupted => recorder.summary(),
    };
    if outcome.ending == Ending::Finished {
        illustrate(&dir, built, facts)?;
    }
    Ok(FolderOutcome { dir, ending: outcome.ending, summary, state: outcome.state })
}

/// Columns that the analyses of a scene add to the common ones.
fn own_columns(built: &Built) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for stage in &built.stages {
        let own = match &stage.analysis {
            StageAnalysis::Dynamic(_) => DYNAMIC_COLUMNS,
            StageAnalysis::Explicit(_) => EXPLICIT_COLUMNS,
            StageAnalysis::Events(_) => EVENT_COLUMNS,
            StageAnalysis::Static(_) => &[],
        };
        columns.extend(own.iter().filter(|column| !columns.contains(column)).copied().collect::<Vec<_>>());
    }
    columns
}

/// Draws the pictures of a finished run and writes its report.
fn illustrate(dir: &Path, built: &Built, facts: &Facts) -> Result<()> {
    pictures::first_and_last(dir, built, &facts.cast)?;
    let results = Results::open(dir).map_err(RunError::Folder)?;
    write_report(&results, &RunScene::of(built)).map_err(RunError::Folder)?;
    Ok(())
}

/// `out/<name of the scene file>`.
pub fn default_folder(scene: &Path) -> PathBuf {
    Path::new("out").join(scene.file_stem().unwrap_or_else(|| "scene".as_ref()))
}

/// The report of a finished folder.
pub fn report_of(dir: &Path) -> Option<PathBuf> {
    Some(dir.join(REPORT_FILE)).filter(|path| path.exists())
}

/// Pictures of a finished folder.
pub fn pictures_of(dir: &Path) -> Vec<PathBuf> {
    [INITIAL_PICTURE, FINAL_PICTURE].map(|name| dir.join(name)).into_iter().filter(|path| path.exists()).collect()
}
