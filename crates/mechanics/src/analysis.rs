//! One interface for every analysis that advances a structure: by steps of time, or by events.
//!
//! A driver uses this trait only: it advances the analysis, applies changes between two steps, and reads reports,
//! snapshots and the state. The dimension is erased. An analysis is restored by creating it from the model and a saved
//! state; the state determines all further results.

use voussoir_contact::Problem;

use crate::any::{AnyState, StateRef};
use crate::construction::Change;
use crate::error::MechanicsError;
use crate::report::{Column, StepReport};
use crate::snapshot::{CastBody, Snapshot};
use crate::steer::Steering;
use crate::stepper::DynamicRef;

/// When a stage ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StageEnd {
    /// After a number of steps.
    Steps(u64),
    /// After a simulated time [s], for analyses that choose their steps.
    Time(f64),
    /// When the analysis reports its end.
    WhenDone,
}

/// An analysis of a structure, in progress.
pub trait Analysis: std::fmt::Debug + Send {
    /// Columns that this analysis adds to the common ones; the same for its whole life.
    fn columns(&self) -> &'static [Column];

    /// Does one step or one event. A step that misses its tolerance is not an error; its report states it.
    fn advance(&mut self) -> Result<StepReport, MechanicsError>;

    /// True if the analysis has reached its own end (equilibrium, collapse); an analysis of a given duration never
    /// does.
    fn is_done(&self) -> bool {
        false
    }

    /// Warnings about the part of the stage that is done.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Adds, releases, removes and creates bodies. Changes that were applied before have no effect.
    fn change(&mut self, change: &Change) -> Result<(), MechanicsError>;

    /// Forces on bodies and velocities of supports from now on, besides those of the model.
    fn steer(&mut self, _steering: &Steering) -> Result<(), MechanicsError> {
        let reason = "only a dynamic analysis can be steered".to_owned();
        Err(MechanicsError::Part { what: "analysis".to_owned(), reason })
    }

    /// Bodies, contacts and cables at the present time.
    fn snapshot(&self) -> Snapshot;

    /// Bodies that appeared in the run, from index `known` on, for recorders.
    fn appeared(&self, _known: usize) -> Vec<CastBody> {
        Vec::new()
    }

    /// The state, which a checkpoint contains.
    fn save(&mut self) -> StateRef<'_>;

    /// Ends the analysis and hands over its state.
    fn into_state(self: Box<Self>) -> AnyState;

    /// Sets a clock [s] for the computing times in reports. It changes no result.
    fn set_clock(&mut self, _clock: fn() -> f64) {}

    /// The contact problem of the next step with its warm start (contacts × dim) [N·s]; nothing moves. `None` if the
    /// analysis solves no contact problem.
    fn next_problem(&mut self) -> Option<(Problem, Vec<f64>)> {
        None
    }

    /// The dynamic analysis behind this interface, for measures that need velocities of contacts; `None` if it is
    /// another analysis.
    fn dynamic(&self) -> Option<DynamicRef<'_>> {
        None
    }
}
