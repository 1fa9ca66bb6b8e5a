//! State of the explicit analysis in addition to the common state; part of a checkpoint.

use serde::{Deserialize, Serialize};
use voussoir_geometry::planar::CornerMemory;
use voussoir_geometry::{Pose, Space};

use crate::state::{ContactMemory, EnergyLedger};

/// Elastic slip of a contact along its tangent [m], and whether it carries.
pub type ElasticSlip = (f64, bool);

/// Types of contacts in use between two bodies: one entry per corner.
pub type PairCorners = (u32, u32, Vec<CornerMemory>);

/// Memory of the explicit analysis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct ExplicitMemory<S: Space> {
    /// Stage to which it belongs.
    pub stage: usize,
    /// Poses at the last detection of contacts.
    pub detected: Vec<Pose<S>>,
    /// Upper bound of the distance that a body has travelled since then [m].
    pub travelled: f64,
    /// Coefficient of viscous damping [1/s].
    pub alpha: f64,
    /// Types of contacts in use: bodies, and one entry per corner.
    pub corners: Vec<PairCorners>,
    /// Elastic slip along the tangent of every contact of the state [m], and whether it carries.
    pub elastic: Vec<ElasticSlip>,
    /// Sum of energies that steps keep [J].
    pub balance: f64,
    /// Mean and largest unbalanced force at the last check, relative to the mean contact force.
    pub unbalanced: [f64; 2],
    /// Load increments.
    pub loading: Loading,
    /// The last state at rest; a refinement starts from it.
    pub stable: Option<Box<StableState<S>>>,
}

/// Position in a sequence of load increments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Loading {
    /// Load factor at the end of the present increment.
    pub target: f64,
    /// Load factor before the present increment.
    pub from: f64,
    /// Present increment.
    pub by: f64,
    /// Steps of the present increment that are done.
    pub steps: u64,
    /// Largest load factor at rest.
    pub stable: Option<f64>,
    /// Smallest load factor that caused collapse.
    pub fallen: Option<f64>,
    /// An increment ended neither at rest nor in collapse.
    pub undecided: bool,
    /// The stage has reached its end.
    pub done: bool,
}

/// A state at rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct StableState<S: Space> {
    /// Placement of every body.
    pub poses: Vec<Pose<S>>,
    /// Velocities.
    pub velocities: Vec<f64>,
    /// Contact memory.
    pub contacts: Vec<ContactMemory<S>>,
    /// Elastic slip along the tangent of every contact [m], and whether it carries.
    pub elastic: Vec<ElasticSlip>,
    /// Types of contacts.
    pub corners: Vec<PairCorners>,
    /// Ledger.
    pub ledger: EnergyLedger,
}
