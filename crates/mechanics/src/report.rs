//! What one step says about itself.

use serde::{Deserialize, Serialize};
use voussoir_contact::SolveReport;

/// One row of the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepReport {
    /// Steps done.
    pub step: u64,
    /// Time at the end of the step [s].
    pub time: f64,
    /// What the solver says (the worst of the sub-steps if the step was cut).
    pub solve: SolveReport,
    /// True when the tolerance was met.
    pub converged: bool,
    /// How often the step was tried again with another solver or cut in half.
    pub retries: u32,
    /// Contacts in the problem.
    pub contacts: usize,
    /// Contacts by status: open, stick, slide.
    pub statuses: [usize; 3],
    /// Kinetic energy [J].
    pub kinetic_energy: f64,
    /// Potential energy of gravity relative to the start [J].
    pub potential_energy: f64,
    /// Ledger entries so far [J].
    pub ledger: crate::state::EnergyLedger,
    /// Largest penetration, ≥ 0 [m].
    pub penetration: f64,
    /// Largest displacement of a centroid from the start [m].
    pub displacement: f64,
    /// Fastest point speed bound: ‖v‖ of a centroid [m/s].
    pub speed: f64,
    /// Force of all supports on the free bodies, padded to 3D [N].
    pub support_reaction: [f64; 3],
    /// What the probes saw, in their order; empty without probes.
    #[serde(default)]
    pub probes: Vec<f64>,
    /// Seconds spent in: detection, assembly, solving. Zero when no clock is given.
    pub seconds: [f64; 3],
}
