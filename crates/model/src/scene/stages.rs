//! Stages: analyses with their own keys, and their recording.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::json;
use voussoir_mechanics::contact::SolverKind;

use super::actions::Selection;
use super::cables::CableStage;
use super::construction::{BuildUp, PlacementSpec};
use super::explicit::{AutoWord, ExplicitKeys};

/// One stage: what comes and goes when it begins, and an analysis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Stage")]
pub struct StageSpec {
    /// Cables and bodies that change when the stage begins.
    #[serde(flatten)]
    pub changes: StageChanges,
    /// `analysis`, with the keys of that analysis.
    #[serde(flatten)]
    pub analysis: StageAnalysisKeys,
}

/// Keys that every stage has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StageChanges {
    /// Cables that are fitted, tightened, loosened or removed when the stage begins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cables: Vec<CableStage>,
    /// Bodies that are added when the stage begins; before, they are absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add: Option<Selection>,
    /// Where added bodies are put: "as-drawn" (default) or "on-what-is-there".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<PlacementSpec>,
    /// Supports that are released when the stage begins: they become free and keep their velocity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<Selection>,
    /// Bodies that are removed when the stage begins, such as centring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remove: Option<Selection>,
}

/// The analysis of a stage, with its own keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "analysis", rename_all = "kebab-case")]
pub enum StageAnalysisKeys {
    /// Motion in time: Moreau–Jean time stepping.
    Dynamic(DynamicKeys),
    /// Discrete elements in the plane: blocks and discs on elastic contacts, central differences.
    Explicit(Box<ExplicitKeys>),
    /// Stands or not, and by what margin, in the state that the previous stages have left. Takes no time.
    Static(StaticKeys),
    /// Motion from impact to impact, for floes in 2D.
    Events(EventKeys),
}

impl StageAnalysisKeys {
    /// Names of all analyses.
    pub const NAMES: [&str; 4] = ["dynamic", "explicit", "static", "events"];
}

/// Keys of a dynamic stage.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DynamicKeys {
    /// Simulated time [s]; with `build` the time after the last pause, default none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// Time step [s]; "auto", or `{ least = …, largest = …, error = … }`, for steps as long as their error and the
    /// contacts allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<DynamicStepSpec>,
    /// θ of the Moreau–Jean scheme, 0.5 … 1; default 0.5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theta: Option<f64>,
    /// Tolerance on the unit-free residual of the contact law; default 1e-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Largest residual accepted in motion, where the solvers do not reach the tolerance; default 100 × `tolerance`, at
    /// most 1e-6. Structures at rest always meet the tolerance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion_tolerance: Option<f64>,
    /// Contact solver; default "auto", which chooses by size and state of the problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "solver_schema")]
    pub solver: Option<SolverKind>,
    /// Law of friction: "coulomb" (default) or "associated" (sliding opens the joint; a relaxation for comparisons).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction_law: Option<FrictionLawSpec>,
    /// Distance up to which contacts are detected [m]; default: from the sizes and speeds of the bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alert: Option<f64>,
    /// Method of contact detection: "clip" (default), "common-plane", "swept" or, in 2D, "rounded".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detection: Option<DetectionSpec>,
    /// Distance of the tangent points of rounded corners from the corner [m], with detection = "rounded".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounding: Option<f64>,
    /// Points of a joint between two sides in 2D: 2 (default), or 3 with the weights 1/6, 2/3, 1/6.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<u8>,
    /// Contact nodes of two convex shapes: "all" (default), "four" or "three" at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<NodesSpec>,
    /// Penetration: "clip" (default: initial overlaps stay, penetration added by motion beyond 1e-5 of a block's size
    /// is removed) or "stabilized" (all of it is pushed out).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<Gap>,
    /// Largest speed at which penetration is pushed out [m/s], with gap = "stabilized"; default 0.1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery_speed: Option<f64>,
    /// Bodies that are added in the course of the stage, one group after the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<BuildUp>,
}

/// Keys of a static stage.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StaticKeys {
    /// Tolerance on the imbalance of forces, relative to the loads; default 1e-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
}

/// Keys of an event-driven stage.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventKeys {
    /// Simulated time [s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// Force step [s]: wind, water and loads act with their values at its middle. Impacts happen at any time in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// Distance up to which contacts belong to the cluster of an impact [m]; default: a hundredth of √area of the
    /// smaller floe. Zero: impacts of single pairs one after the other, unless they touch exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collision_distance: Option<f64>,
    /// Impacts of a floe in one force step after which it goes over to dynamic steps with persistent contacts, until no
    /// contact acts on it any more; default 16.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impacts: Option<u64>,
    /// Tolerance on the unit-free error of every complementarity problem; default 1e-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Speed at which contacts may still close after an impact [m/s], for jammed packs; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relaxation: Option<f64>,
    /// Contacts of the largest cluster that goes to Lemke's method; default 8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lemke_contacts: Option<u64>,
    /// Contact solver of larger clusters; default "auto".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "solver_schema")]
    pub solver: Option<SolverKind>,
}

/// A time step of the dynamic analysis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a number of seconds, \"auto\" or { least = …, largest = …, error = … }")]
#[schemars(rename = "DynamicStep")]
pub enum DynamicStepSpec {
    /// [s]
    Seconds(f64),
    /// Automatic steps with all limits by default.
    Word(AutoWord),
    /// Automatic steps.
    Limits(StepLimits),
}

/// Limits and accuracy of automatic steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepLimits {
    /// Shortest step [s]; default 1e-5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<f64>,
    /// Longest step [s]; default 0.01.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub largest: Option<f64>,
    /// Error of the position in a step, relative to the size of a body; default 1e-3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
}

impl StageSpec {
    /// A dynamic stage of a given duration and step [s], everything else by default.
    pub fn dynamic(duration: f64, step: f64) -> Self {
        let keys = DynamicKeys {
            duration: Some(duration),
            step: Some(DynamicStepSpec::Seconds(step)),
            ..DynamicKeys::default()
        };
        Self { changes: StageChanges::default(), analysis: StageAnalysisKeys::Dynamic(keys) }
    }

    /// The construction in groups, which only dynamic stages have.
    pub fn build(&self) -> Option<&BuildUp> {
        match &self.analysis {
            StageAnalysisKeys::Dynamic(keys) => keys.build.as_ref(),
            StageAnalysisKeys::Explicit(_) | StageAnalysisKeys::Static(_) | StageAnalysisKeys::Events(_) => None,
        }
    }

    /// Simulated time besides the pauses of `build` [s]; zero if none is given.
    pub fn duration(&self) -> f64 {
        match &self.analysis {
            StageAnalysisKeys::Dynamic(keys) => keys.duration.unwrap_or(0.0),
            StageAnalysisKeys::Explicit(keys) => keys.duration.unwrap_or(0.0),
            StageAnalysisKeys::Events(keys) => keys.duration.unwrap_or(0.0),
            StageAnalysisKeys::Static(_) => 0.0,
        }
    }
}

/// The schema of a solver: the names of all solvers.
fn solver_schema(_: &mut SchemaGenerator) -> Schema {
    let kinds = SolverKind::ALL.map(|kind| json!({ "const": kind.name(), "description": kind.about() }));
    json_schema!({ "type": "string", "oneOf": kinds })
}

/// Laws of friction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "FrictionLaw")]
pub enum FrictionLawSpec {
    /// Sliding is along the joint.
    #[default]
    Coulomb,
    /// Sliding also opens the joint; not with Newton on the true law, "lemke" or "face-elements".
    Associated,
}

/// Methods of contact detection by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Detection")]
pub enum DetectionSpec {
    /// Separating axis, then clipping of the faces; exact.
    #[default]
    Clip,
    /// Cundall's common plane with a fast search.
    CommonPlane,
    /// Shrunk cores with a margin: corners are rounded.
    Swept,
    /// Corners are arcs tangent to their sides, as in the explicit analysis (2D).
    Rounded,
}

/// How many contact nodes are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Nodes")]
pub enum NodesSpec {
    /// All vertices of the overlap.
    #[default]
    All,
    /// At most four, those that span the largest area.
    Four,
    /// At most three.
    Three,
}

/// Treatment of penetration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Gap {
    /// Neither pushed out nor allowed to grow.
    #[default]
    Clip,
    /// Pushed out, at most at `recovery_speed`.
    Stabilized,
}

/// Output of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Record")]
pub struct RecordSpec {
    /// Steps from one recorded frame to the next; default 10.
    #[serde(default = "ten")]
    pub every: u64,
    /// Steps from one row of `history.csv` to the next; default 1. Steps that miss their tolerance always have a row.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub history_every: u64,
    /// How often a checkpoint is written: `{ steps = n }` or `{ seconds = s }` of computing; default 30 seconds.
    #[serde(default)]
    pub checkpoint_every: CheckpointSpec,
    /// How frames share the force of a joint among its points: "as-solved" (default), or "coupled": normal forces
    /// linear in position, friction in proportion. Resultants are the same.
    #[serde(default)]
    pub point_forces: PointForces,
}

impl Default for RecordSpec {
    fn default() -> Self {
        Self {
            every: ten(),
            history_every: one(),
            checkpoint_every: CheckpointSpec::default(),
            point_forces: PointForces::default(),
        }
    }
}

/// Rules by which points of a joint share its force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PointForces {
    /// The point forces of the solver: their resultants are unique, the distribution among the points is not.
    #[default]
    AsSolved,
    /// By the coupled rule, where it applies.
    Coupled,
}

/// How often a checkpoint is written.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Checkpoint")]
pub enum CheckpointSpec {
    /// Number of steps between two checkpoints.
    Steps(u64),
    /// Computing time between two checkpoints [s].
    Seconds(f64),
}

impl Default for CheckpointSpec {
    fn default() -> Self {
        Self::Seconds(30.0)
    }
}

fn one() -> u64 {
    1
}

fn is_one(value: &u64) -> bool {
    *value == 1
}

fn ten() -> u64 {
    10
}
