//! The recorder of a results folder as an observer: rows, frames, verdicts and checkpoints.

use std::path::Path;

use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::any::StateRef;
use voussoir_mechanics::report::StepReport;
use voussoir_mechanics::snapshot::Snapshot;
use voussoir_model::{Built, CheckpointInterval, RecordSettings};
use voussoir_results::measures::couple;
use voussoir_results::{Recorder, StageVerdict, Summary};
use voussoir_statics::study::Study;

use crate::error::{Result, RunError};
use crate::observe::{Flow, Observer, StepPlace};
use crate::statics::files::{KeptScene, write_study};

/// Records a run into its folder.
#[derive(Debug)]
pub struct FolderRecorder {
    recorder: Recorder,
    record: RecordSettings,
    dimension: usize,
    title: String,
    /// Text of the scene, for the folders of static stages.
    scene: String,
    /// Number of bodies that are recorded.
    bodies: usize,
    /// Clock [s] for checkpoints by time, which change no result; without a clock there are no checkpoints between
    /// start and end.
    clock: Option<fn() -> f64>,
    /// When the last checkpoint was written.
    last_checkpoint: f64,
}

impl FolderRecorder {
    /// Records by the rules of a scene whose text is `scene`; `clock` [s] is for checkpoints by time.
    pub fn new(recorder: Recorder, built: &Built, scene: &str, clock: Option<fn() -> f64>) -> Self {
        Self {
            bodies: recorder.bodies(),
            recorder,
            record: built.record,
            dimension: built.model.dimension(),
            title: built.title.clone(),
            scene: scene.to_owned(),
            clock,
            last_checkpoint: clock.map_or(0.0, |clock| clock()),
        }
    }

    /// The results folder.
    pub fn dir(&self) -> &Path {
        self.recorder.dir()
    }

    /// Ends a run that has done all its stages.
    pub fn finish(self) -> Result<Summary> {
        self.recorder.finish().map_err(RunError::Recording)
    }

    /// The summary of a run that was stopped.
    pub fn summary(&self) -> Summary {
        self.recorder.summary(false)
    }

    /// Records a frame, and before it the bodies that appeared since the previous frame.
    fn frame(&mut self, analysis: &dyn Analysis) -> Result<()> {
        let mut snapshot = analysis.snapshot();
        if snapshot.bodies.len() > self.bodies {
            self.recorder.appear(&analysis.appeared(self.bodies)).map_err(RunError::Recording)?;
            self.bodies = snapshot.bodies.len();
        }
        if self.record.coupled {
            couple(&mut snapshot, self.dimension);
        }
        self.recorder.frame(&snapshot).map_err(RunError::Recording)
    }

    fn checkpoint(&mut self, state: StateRef<'_>) -> Result<()> {
        self.last_checkpoint = self.clock.map_or(0.0, |clock| clock());
        self.recorder.checkpoint(&state).map_err(RunError::Recording)
    }

    fn checkpoint_is_due(&self, step: u64) -> bool {
        match self.record.checkpoint {
            CheckpointInterval::Steps(steps) => step.is_multiple_of(steps.max(1)),
            CheckpointInterval::Seconds(seconds) => {
                self.clock.is_some_and(|clock| clock() - self.last_checkpoint >= seconds)
            }
        }
    }
}

impl Observer for FolderRecorder {
    fn start(&mut self, first: &Snapshot, state: StateRef<'_>) -> Result<()> {
        // frame and checkpoint at the start, so that a run can be resumed however early it is stopped
        self.recorder.frame(first).map_err(RunError::Recording)?;
        self.checkpoint(state)
    }

    fn stage(&mut self, _: usize, analysis: &dyn Analysis) -> Result<()> {
        self.recorder.begin_stage(analysis.columns());
        Ok(())
    }

    fn after_step(&mut self, analysis: &mut dyn Analysis, report: &mut StepReport, place: StepPlace) -> Result<Flow> {
        let has_row = report.step.is_multiple_of(self.record.history_every) || place.last_of_stage || !report.converged;
        self.recorder.step(report, has_row).map_err(RunError::Recording)?;
        if report.step.is_multiple_of(self.record.every) || place.last_of_stage {
            self.frame(analysis)?;
        }
        if self.checkpoint_is_due(report.step) {
            self.checkpoint(analysis.save())?;
        }
        Ok(Flow::Continue)
    }

    fn answer(&mut self, stage: usize, study: &Study) -> Result<()> {
        let name = format!("static-{}", stage + 1);
        let title = format!("{}, stage {}", self.title, stage + 1);
        let scene = KeptScene { text: self.scene.clone(), copies: Vec::new() };
        write_study(&self.dir().join(&name), study, &title, &scene, true)?;
        let report = serde_json::to_value(&study.report).map_err(|error| RunError::Internal(error.to_string()))?;
        self.recorder.verdict(StageVerdict { stage: stage + 1, directory: name, report });
        Ok(())
    }

    fn end(&mut self, state: StateRef<'_>) -> Result<()> {
        self.checkpoint(state)
    }
}
