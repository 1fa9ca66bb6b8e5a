//! Data of the scene that a recording does not contain.

use voussoir_mechanics::snapshot::Snapshot;

use crate::picture::{FlowArrow, LoadArrow};

/// Loads and descriptions, provided by a reader of the scene; `()` provides nothing.
pub trait SceneFacts: Send + Sync {
    /// Loads at a time.
    fn loads(&self, snapshot: &Snapshot) -> Vec<LoadArrow>;

    /// Wind and current at a time, at some points of the structure.
    fn flows(&self, _: &Snapshot) -> Vec<FlowArrow> {
        Vec::new()
    }

    /// Sum of all loads at a time [N]; `None` without loads.
    fn load_at(&self, time: f64) -> Option<f64>;

    /// Description of the model: materials, joints, supports, loads, stages.
    fn facts(&self) -> Vec<(String, String)>;

    /// Stages in order: name, and the step with which it ends.
    fn stages(&self) -> Vec<(String, u64)> {
        Vec::new()
    }
}

impl SceneFacts for () {
    fn loads(&self, _: &Snapshot) -> Vec<LoadArrow> {
        Vec::new()
    }

    fn load_at(&self, _: f64) -> Option<f64> {
        None
    }

    fn facts(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}
