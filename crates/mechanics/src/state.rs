//! What changes in a run. A checkpoint is this value, whole: going on from it gives the same bits.

use serde::{Deserialize, Serialize};
use voussoir_geometry::{Pose, Space};

/// Everything that a step reads and writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct State<S: Space> {
    /// Simulated time [s].
    pub time: f64,
    /// Steps done.
    pub step: u64,
    /// Placement of every body.
    pub poses: Vec<Pose<S>>,
    /// Generalized velocities, `Space::DOFS` per body.
    pub velocities: Vec<f64>,
    /// Memory of every contact of the last step, sorted by key.
    pub contacts: Vec<ContactMemory<S>>,
    /// Work and dissipation since the start.
    pub ledger: EnergyLedger,
}

/// Names a contact: candidate body, antagonist body, feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ContactKey {
    /// Index of the candidate body.
    pub candidate: u32,
    /// Index of the antagonist body.
    pub antagonist: u32,
    /// Feature id given by the geometry.
    pub feature: u64,
}

/// What a contact remembers from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct ContactMemory<S: Space> {
    /// Which contact.
    pub key: ContactKey,
    /// Force on the candidate in world axes [N], for the warm start.
    pub force: S::Vector,
}

/// Energies since the start [J].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnergyLedger {
    /// Work of gravity.
    pub gravity: f64,
    /// Work of loads.
    pub loads: f64,
    /// Work of moving supports through the contacts.
    pub supports: f64,
    /// Dissipated by friction (≥ 0).
    pub friction: f64,
    /// Dissipated by impacts (≥ 0).
    pub impact: f64,
}
