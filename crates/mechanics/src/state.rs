//! The state: everything that changes in a run. A checkpoint contains it completely; a run continued from it is
//! bit-identical.

use serde::{Deserialize, Serialize};
use voussoir_geometry::{Pose, Space};

use crate::any::StagePosition;
use crate::born::BodyDescription;
use crate::elastic::ElasticMemory;
use crate::explicit::ExplicitMemory;
use crate::model::{Model, Role};
use crate::sea::SlabMemory;

/// Everything that a step reads and writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct State<S: Space> {
    /// Simulated time [s].
    pub time: f64,
    /// Steps done.
    pub step: u64,
    /// Stage, and steps of it that are done.
    pub position: StagePosition,
    /// Pose of every body; of an absent body its pose in the scene, or its pose when it was removed.
    pub poses: Vec<Pose<S>>,
    /// Presence of the bodies.
    pub presence: Vec<Presence>,
    /// Generalized velocities, `Space::DOFS` per body.
    pub velocities: Vec<f64>,
    /// Memory of every contact of the last step, sorted by key.
    pub contacts: Vec<ContactMemory<S>>,
    /// Memory of every bond, in the order in which they are found at the start; empty before the first step.
    pub bonds: Vec<BondMemory<S>>,
    /// Memory of every cable, in the order of the model.
    pub cables: Vec<CableMemory>,
    /// Overlaps of bodies when they were added, sorted by bodies.
    pub overlaps: Vec<InitialOverlap>,
    /// Work and dissipation since the start.
    pub ledger: EnergyLedger,
    /// Impacts so far (event-driven analysis): clusters that were solved.
    pub impacts: u64,
    /// Bodies that were moved by dynamic steps in the last force step (event-driven analysis), by rising index.
    pub jammed: Vec<u32>,
    /// Layer of water under the ice (event-driven analysis); at rest without one.
    pub slab: SlabMemory,
    /// Bodies that appeared in the run, after those of the model; also those that were removed since.
    pub born: Vec<BodyDescription>,
    /// Elastic displacement and velocity of every body; empty if all are rigid.
    pub elastic: Vec<ElasticMemory>,
    /// Memory of the explicit analysis; `None` after another analysis.
    pub explicit: Option<Box<ExplicitMemory<S>>>,
    /// Memory of automatic steps of the dynamic analysis; `None` before the first one.
    pub control: Option<StepControl>,
}

/// Memory of automatic time steps ([`crate::model::AutomaticStep`]).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepControl {
    /// Length of the next step, unless contacts and functions of time ask for a shorter one [s].
    pub next: f64,
    /// Length of the last step [s].
    pub length: f64,
    /// Velocities at the start of the last step, `Space::DOFS` per body.
    pub before: Vec<f64>,
}

/// Presence of a body. The values follow each other in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Presence {
    /// Not yet added.
    Waiting,
    /// Takes part in its role.
    There,
    /// A released support: free.
    Released,
    /// Removed.
    Gone,
}

impl Presence {
    /// True if the body takes part.
    pub fn is_there(self) -> bool {
        matches!(self, Self::There | Self::Released)
    }
}

impl<S: Space> State<S> {
    /// True if a body takes part and moves freely.
    pub fn is_free(&self, model: &Model<S>, body: usize) -> bool {
        match self.presence[body] {
            Presence::There => model.bodies[body].role == Role::Free,
            Presence::Released => true,
            Presence::Waiting | Presence::Gone => false,
        }
    }
}

/// Overlap of two bodies when the later one was added; it is not corrected.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct InitialOverlap {
    /// Index of the candidate body.
    pub candidate: u32,
    /// Index of the antagonist body.
    pub antagonist: u32,
    /// [m]
    pub depth: f64,
}

/// Key of a contact: candidate body, antagonist body, feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ContactKey {
    /// Index of the candidate body.
    pub candidate: u32,
    /// Index of the antagonist body.
    pub antagonist: u32,
    /// Feature id given by the geometry.
    pub feature: u64,
}

/// Memory of a contact from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct ContactMemory<S: Space> {
    /// Its key.
    pub key: ContactKey,
    /// Force on the candidate in world axes [N], for the warm start.
    pub force: S::Vector,
    /// Elastic part of the slip of a joint on springs, world axes [m].
    pub elastic_slip: S::Vector,
    /// True if it slid in the last step.
    pub slid: bool,
    /// Accumulated slip since the contact was first detected, also over openings [m].
    pub slip: f64,
}

/// Memory of a bond.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct BondMemory<S: Space> {
    /// Soundness: 1 as at the start, 0 broken permanently.
    pub beta: f64,
    /// Force on the candidate in world axes [N], for the warm start.
    pub force: S::Vector,
    /// Vector between its two points when it was created, in the axes of the antagonist [m]; jumps are measured from
    /// it. `None` before both bodies are present.
    pub origin: Option<S::Vector>,
}

/// Memory of a cable.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CableMemory {
    /// Fitted.
    pub fitted: bool,
    /// Broken.
    pub broken: bool,
    /// Length of its path when it was fitted [m].
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
    /// Dissipated by damping forces (≥ 0).
    pub damping: f64,
    /// Dissipated by bonds that wear and break, and by cables that snap (≥ 0).
    pub cohesion: f64,
    /// Stored in springs of joints and bonds, and in cables.
    pub elastic: f64,
    /// Part stored in springs of contacts.
    pub springs: f64,
    /// Part of the work of loads done by wind (event-driven analysis).
    pub wind: f64,
    /// Part of the work of loads done by water (event-driven analysis).
    pub water: f64,
    /// Added by Newton's restitution with friction (≥ 0): its impulses can do positive work. Zero for other laws.
    pub restitution: f64,
    /// Numerical dissipation in springs, cables and yielding bonds.
    pub numerical: f64,
    /// Kinetic and potential energy of bodies when they were added or released, less that of bodies when they were
    /// removed.
    pub construction: f64,
}

impl EnergyLedger {
    /// Energy that contacts, bonds and cables have taken from the bodies, less the energy that they added [J].
    pub fn taken(&self) -> f64 {
        self.friction + self.impact + self.damping + self.cohesion + self.elastic + self.numerical - self.restitution
    }
}
