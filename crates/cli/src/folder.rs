//! A run into a results folder, and going on from one.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use voussoir_mechanics::report::StepReport;
use voussoir_mechanics::snapshot::Snapshot;
use voussoir_model::{AnyModel, Built};
use voussoir_problems::ProblemError;
use voussoir_results::report::{REPORT_FILE, write_report};
use voussoir_results::{
    Checkpoint, HISTORY_COLUMNS, Recorder, RecorderSettings, Results, ResultsError, SCENE_FILE, Summary, results_in,
};

use crate::dump::{self, Dump};
use crate::failure::{Failure, Result};
use crate::pictures::{self, FINAL_PICTURE, INITIAL_PICTURE};
use crate::progress::Progress;
use crate::run_scene::RunScene;
use crate::runner::{self, AnyState, Control, Ending, Facts, RunError, Sink, StateRef, StepProblem, StudyRef};
use crate::scene_file::SceneFile;
use crate::statics::files::write_study;
use crate::statics::study::StandReport;
use crate::terminal::Terminal;

/// What a run left behind.
#[derive(Debug)]
pub struct FolderOutcome {
    /// The folder.
    pub dir: PathBuf,
    /// How it ended.
    pub ending: Ending,
    /// The run in a few numbers.
    pub summary: Summary,
    /// Verdicts of the static stages of this session.
    pub statics: Vec<StageVerdict>,
}

/// What a static stage found.
#[derive(Debug, Serialize)]
pub struct StageVerdict {
    /// Number of the stage, from 1.
    pub stage: usize,
    /// Folder with joints, thrust lines and the drawing.
    pub directory: String,
    /// The answer.
    #[serde(flatten)]
    pub report: StandReport,
}

/// Runs a scene into a folder; `overwrite` replaces results that are there, `dump_problems` keeps the contact problem
/// of every so many steps.
pub fn run(
    file: &SceneFile,
    dir: &Path,
    overwrite: bool,
    dump_problems: Option<u64>,
    control: &Control,
    terminal: &Terminal,
) -> Result<FolderOutcome> {
    run_observed(file, dir, overwrite, dump_problems, control, terminal, &mut |_| {})
}

/// Like [`run`]; `observer` sees every step.
pub fn run_observed(
    file: &SceneFile,
    dir: &Path,
    overwrite: bool,
    dump_problems: Option<u64>,
    control: &Control,
    terminal: &Terminal,
    observer: &mut dyn FnMut(&StepReport),
) -> Result<FolderOutcome> {
    if !overwrite && let Some(file) = results_in(dir) {
        return Err(Failure::results(ResultsError::AlreadyThere { dir: dir.to_owned(), file }));
    }
    let built = &file.built;
    if let Some(probe) = built.probes.iter().find(|probe| HISTORY_COLUMNS.iter().any(|(head, _)| *head == probe.head)) {
        let message = format!("a probe would be the column `{}` of history.csv, which there is already", probe.head);
        return Err(Failure::bad_input(message).with_help("give the probe another name"));
    }
    let facts = Facts::of(built);
    // meshes come before the scene that names them, so that a scene in a folder can always be run
    let scene = file.keep_meshes(dir)?;
    let settings = RecorderSettings {
        title: built.title.clone(),
        scene,
        tolerance: built.stages.iter().map(|stage| stage.settings.tolerance).fold(0.0, f64::max),
        weight: facts.weight,
        kinetic_energy: facts.kinetic_energy,
        probes: built.probes.iter().map(|probe| probe.head.clone()).collect(),
        overwrite,
        precision: None,
    };
    let recorder = Recorder::create(dir, &facts.cast, settings).map_err(Failure::results)?;
    dump::remove_old(dir);
    for file in [FINAL_PICTURE, REPORT_FILE] {
        let _ = fs::remove_file(dir.join(file));
    }
    terminal.note(&format!("results go to {}", dir.display()));
    let mut sink = FolderSink::new(recorder, built, &file.scene.source.text, 0, terminal, observer);
    sink.dump = dump_problems.map(|every| Dump::new(every, dir, &built.title));
    let outcome = runner::run_scene(built, &mut sink, control)?;
    finish(sink, built, &facts, outcome.ending, dir)
}

/// Goes on with the run of a folder, from its last checkpoint.
pub fn resume(dir: &Path, dump_problems: Option<u64>, control: &Control, terminal: &Terminal) -> Result<FolderOutcome> {
    let path = dir.join(SCENE_FILE);
    if !path.exists() {
        return Err(Failure::bad_input(format!("{}: no run to go on with ({SCENE_FILE} is missing)", dir.display()))
            .with_help("give the folder that `voussoir run` wrote to"));
    }
    let file = SceneFile::load(&path)?;
    let checkpoint = match Checkpoint::read(dir) {
        Ok(checkpoint) => checkpoint,
        // killed before the first checkpoint: there is nothing to lose
        Err(ResultsError::Read { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            terminal.note("there is no checkpoint yet: starting from the beginning");
            return run(&file, dir, true, dump_problems, control, terminal);
        }
        Err(error) => return Err(Failure::results(error)),
    };
    checkpoint.check_scene(&file.scene.source.text).map_err(Failure::results)?;
    let state = match &file.built.model {
        AnyModel::Two(_) => checkpoint.state().map(AnyState::Two),
        AnyModel::Three(_) => checkpoint.state().map(AnyState::Three),
    }
    .map_err(Failure::results)?;
    let total = runner::total_steps(&file.built.stages);
    if checkpoint.steps() >= total
        && let Ok(summary @ Summary { finished: true, .. }) = Summary::read(dir)
    {
        terminal.note("this run is finished: nothing left to do");
        // it may have been killed between its last step and its pictures
        illustrate(dir, &file.built, &Facts::of(&file.built))?;
        return Ok(FolderOutcome { dir: dir.to_owned(), ending: Ending::Finished, summary, statics: Vec::new() });
    }
    let facts = Facts::of(&file.built);
    let recorder = Recorder::resume(dir, &facts.cast, &checkpoint).map_err(Failure::results)?;
    terminal.note(&format!("going on from step {} of {total}", checkpoint.steps()));
    let mut nobody = |_: &StepReport| {};
    let mut sink =
        FolderSink::new(recorder, &file.built, &file.scene.source.text, checkpoint.steps(), terminal, &mut nobody);
    sink.dump = dump_problems.map(|every| Dump::new(every, dir, &file.built.title));
    let outcome = runner::resume_scene(&file.built, state, &mut sink, control)?;
    finish(sink, &file.built, &facts, outcome.ending, dir)
}

/// Closes the files, draws the pictures and writes the report.
fn finish(sink: FolderSink<'_>, built: &Built, facts: &Facts, ending: Ending, dir: &Path) -> Result<FolderOutcome> {
    let FolderSink { recorder, progress, statics, .. } = sink;
    progress.end();
    let summary = match ending {
        Ending::Finished => recorder.finish().map_err(RunError::from)?,
        Ending::Interrupted => recorder.summary(false),
    };
    if ending == Ending::Finished {
        illustrate(dir, built, facts)?;
    }
    Ok(FolderOutcome { dir: dir.to_owned(), ending, summary, statics })
}

/// Draws the pictures of a finished run and writes its report.
fn illustrate(dir: &Path, built: &Built, facts: &Facts) -> Result<()> {
    pictures::first_and_last(dir, built, &facts.cast)?;
    let results = Results::open(dir).map_err(Failure::results)?;
    write_report(&results, &RunScene::of(built)).map_err(Failure::results)?;
    Ok(())
}

/// Records a run and shows how it goes.
struct FolderSink<'a> {
    recorder: Recorder,
    progress: Progress,
    terminal: &'a Terminal,
    observer: &'a mut dyn FnMut(&StepReport),
    dump: Option<Dump>,
    /// Steps that missed their tolerance in this session.
    missed: u64,
    title: String,
    /// The scene, for the folders of static stages.
    scene: String,
    statics: Vec<StageVerdict>,
}

impl<'a> FolderSink<'a> {
    fn new(
        recorder: Recorder,
        built: &Built,
        scene: &str,
        done: u64,
        terminal: &'a Terminal,
        observer: &'a mut dyn FnMut(&StepReport),
    ) -> Self {
        let progress = Progress::new(terminal, done, runner::total_steps(&built.stages));
        let (title, scene) = (built.title.clone(), scene.to_owned());
        Self { recorder, progress, terminal, observer, dump: None, missed: 0, title, scene, statics: Vec::new() }
    }
}

impl Sink for FolderSink<'_> {
    fn wants_problem(&self, step: u64) -> bool {
        self.dump.as_ref().is_some_and(|dump| dump.wants(step))
    }

    fn problem(&mut self, problem: StepProblem<'_>) -> std::result::Result<(), ProblemError> {
        self.dump.as_ref().map_or(Ok(()), |dump| dump.keep(problem))
    }

    fn step(&mut self, report: &StepReport) -> std::result::Result<(), ResultsError> {
        self.recorder.step(report)?;
        if !report.converged {
            self.missed += 1;
            let text = format!(
                "step {} (t = {:.6} s) missed its tolerance: residual {:.2e} after {} iterations and {} retries",
                report.step, report.time, report.solve.residual, report.solve.iterations, report.retries
            );
            // the first few are news; the summary counts them all
            match self.missed {
                1..=3 => self.terminal.warning(&text),
                4 => self.terminal.warning("more steps missed their tolerance; history.csv lists them (-v shows them)"),
                _ => self.terminal.detail(&text),
            }
        }
        self.progress.step(report);
        (self.observer)(report);
        Ok(())
    }

    fn statics(&mut self, stage: usize, study: StudyRef<'_>) -> std::result::Result<(), RunError> {
        let dir = self.recorder.dir().join(format!("static-{}", stage + 1));
        let title = format!("{}, stage {}", self.title, stage + 1);
        let written = match study {
            StudyRef::Two(study) => write_study(&dir, study, &title, &self.scene, true),
            StudyRef::Three(study) => write_study(&dir, study, &title, &self.scene, true),
        };
        written.map_err(|failure| RunError::Written(failure.message))?;
        let report = match study {
            StudyRef::Two(study) => study.report.clone(),
            StudyRef::Three(study) => study.report.clone(),
        };
        self.statics.push(StageVerdict { stage: stage + 1, directory: dir.display().to_string(), report });
        Ok(())
    }

    fn frame(&mut self, snapshot: &Snapshot) -> std::result::Result<(), ResultsError> {
        self.recorder.frame(snapshot)
    }

    fn checkpoint(&mut self, state: StateRef<'_>, stage: usize) -> std::result::Result<(), ResultsError> {
        self.recorder.checkpoint(&state, stage)?;
        let steps = self.recorder.summary(false).steps;
        self.terminal.detail(&format!("checkpoint after step {steps}"));
        Ok(())
    }
}

/// `out/<name of the scene file>`.
pub fn default_folder(scene: &Path) -> PathBuf {
    Path::new("out").join(scene.file_stem().unwrap_or_else(|| "scene".as_ref()))
}

/// The report of a finished folder.
pub fn report_of(dir: &Path) -> Option<PathBuf> {
    Some(dir.join(REPORT_FILE)).filter(|path| path.exists())
}

/// What a user should look at in a finished folder.
pub fn pictures_of(dir: &Path) -> Vec<PathBuf> {
    [INITIAL_PICTURE, FINAL_PICTURE].map(|name| dir.join(name)).into_iter().filter(|path| path.exists()).collect()
}
