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
    /// Memory of every bond, in the order in which they are found at the start; empty before the first step.
    pub bonds: Vec<BondMemory<S>>,
    /// Memory of every cable, in the order of the model.
    pub cables: Vec<CableMemory>,
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
    /// Elastic part of the slip of a joint on springs, world axes [m].
    pub elastic_slip: S::Vector,
    /// True when it slid.
    pub slid: bool,
}

/// What a bond remembers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct BondMemory<S: Space> {
    /// How sound it is: 1 as at the start, 0 broken for good.
    pub beta: f64,
    /// Force on the candidate in world axes [N], for the warm start.
    pub force: S::Vector,
}

/// What a cable remembers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CableMemory {
    /// There at all.
    pub fitted: bool,
    /// It snapped.
    pub broken: bool,
    /// Length of its way when it was tied [m].
    pub tied: f64,
    /// Prestress since then, before its function of time [N].
    pub prestress: f64,
    /// Mean tension over the last step [N].
    pub tension: f64,
}

/// Energies since the start [J].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnergyLedger {
    /// Work of gravity.
    pub gravity: f64,
    /// Work of loads, and of jacks that tighten cables.
    pub loads: f64,
    /// Work of moving supports through the contacts.
    pub supports: f64,
    /// Dissipated by friction (≥ 0).
    pub friction: f64,
    /// Dissipated by impacts (≥ 0).
    pub impact: f64,
    /// Dissipated by bonds that wear and break, and by cables that snap (≥ 0).
    pub cohesion: f64,
    /// Stored in springs of joints and bonds, and in cables.
    pub elastic: f64,
    /// What the scheme itself loses or gains in springs, cables and bonds that give way.
    pub numerical: f64,
}

impl EnergyLedger {
    /// Everything that contacts, bonds and cables have taken from the bodies [J].
    pub fn taken(&self) -> f64 {
        self.friction + self.impact + self.cohesion + self.elastic + self.numerical
    }
}
