//! The interface of observers of a run: probes, recorders, progress.
//!
//! The loop calls the observers in the given order; an observer that completes the report (probes) must come before one
//! that records it.

use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::any::StateRef;
use voussoir_mechanics::report::StepReport;
use voussoir_mechanics::snapshot::Snapshot;
use voussoir_statics::study::Study;

use crate::error::Result;

/// Decision of an observer whether the run continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    /// With the next step.
    #[default]
    Continue,
    /// The run ends here, with a checkpoint.
    Stop,
}

/// Where in the sequence of stages a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepPlace {
    /// Index of the stage.
    pub stage: usize,
    /// True for the last step of its stage.
    pub last_of_stage: bool,
}

/// Watches a run. Every function has a default that does nothing.
pub trait Observer {
    /// The run starts from its first state, of which `first` is the snapshot. Not called when a run is resumed.
    fn start(&mut self, _first: &Snapshot, _state: StateRef<'_>) -> Result<()> {
        Ok(())
    }

    /// A stage begins, or is resumed; the columns of its analysis are known.
    fn stage(&mut self, _stage: usize, _analysis: &dyn Analysis) -> Result<()> {
        Ok(())
    }

    /// A step is about to be done.
    fn before_step(&mut self, _analysis: &mut dyn Analysis) -> Result<()> {
        Ok(())
    }

    /// A step was done; `report` may be completed.
    fn after_step(
        &mut self,
        _analysis: &mut dyn Analysis,
        _report: &mut StepReport,
        _place: StepPlace,
    ) -> Result<Flow> {
        Ok(Flow::Continue)
    }

    /// A static stage was answered.
    fn answer(&mut self, _stage: usize, _study: &Study) -> Result<()> {
        Ok(())
    }

    /// The run has ended or was stopped; `state` is all that is needed to resume it.
    fn end(&mut self, _state: StateRef<'_>) -> Result<()> {
        Ok(())
    }
}
