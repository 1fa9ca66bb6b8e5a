//! Analyses, and what is kept of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::Selection;
use super::construction::{BuildUp, Placement};

/// One analysis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Which analysis. This version has "dynamic" and "static".
    pub analysis: Analysis,
    /// Simulated time [s]; with `build` what follows after the last pause, default none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// Time step [s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// θ of the Moreau–Jean scheme, 0.5 … 1; default 0.5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theta: Option<f64>,
    /// Tolerance on the unit-free residual of the contact law; default 1e-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Solver: "auto" (default), "nlgs", "sap", "interior-point", "proximal-newton", "semismooth-newton",
    /// "smoothing-newton", "admm", "apgd", "p-spg-fb", "lemke" or "face-elements" (3D).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solver: Option<Solver>,
    /// Law of friction: "coulomb" (default) or "associated" (sliding opens the joint; a relaxation for comparisons).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction_law: Option<FrictionLaw>,
    /// Contacts are looked for up to this distance [m]; default: from the sizes and speeds of the bodies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alert: Option<f64>,
    /// How contacts are found: "clip" (default), "common-plane" or "swept".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detection: Option<Detection>,
    /// Contact nodes of two convex shapes: "all" (default), "four" or "three" at the most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Nodes>,
    /// Penetration: "clip" (default: overlaps of the start stay, what motion adds beyond 1e-5 of a block's size goes) or
    /// "stabilized" (all of it is pushed out).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<Gap>,
    /// Largest speed at which penetration is pushed out [m/s], with gap = "stabilized"; default 0.1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery_speed: Option<f64>,
    /// Bodies that are added when the stage begins; before, they are not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add: Option<Selection>,
    /// Bodies that are added in the course of the stage, one group after the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<BuildUp>,
    /// Where added bodies are put: "as-drawn" (default) or "on-what-is-there".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<Placement>,
    /// Supports that are let go when the stage begins: they become free, with the velocity they have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<Selection>,
    /// Bodies that are taken away when the stage begins, such as centring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remove: Option<Selection>,
}

impl Stage {
    /// An analysis with all its defaults.
    pub fn new(analysis: Analysis) -> Self {
        Self {
            analysis,
            duration: None,
            step: None,
            theta: None,
            tolerance: None,
            solver: None,
            friction_law: None,
            alert: None,
            detection: None,
            nodes: None,
            gap: None,
            recovery_speed: None,
            add: None,
            build: None,
            placement: None,
            release: None,
            remove: None,
        }
    }
}

/// Analyses by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Analysis {
    /// Motion in time: Moreau–Jean time stepping.
    Dynamic,
    /// Stands or not, by what margin, where the stages before have left it. Takes no time.
    Static,
    /// Collapse multiplier; not available in this version.
    Limit,
    /// Central differences with elastic contacts; not available in this version.
    Explicit,
    /// Event-driven; not available in this version.
    Events,
}

/// Contact solvers by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Solver {
    /// Picks by size and state.
    #[default]
    Auto,
    /// Block Gauss–Seidel.
    Nlgs,
    /// Newton on the regularised convex problem.
    Sap,
    /// Interior point on second-order cones.
    InteriorPoint,
    /// Proximal point around semismooth Newton on the true law.
    ProximalNewton,
    /// Semismooth Newton on the true law, nothing around it.
    SemismoothNewton,
    /// Smoothing Newton along the central path of the true law, from any start.
    SmoothingNewton,
    /// Alternating directions with adaptive penalty.
    Admm,
    /// Accelerated projected gradient with restart.
    Apgd,
    /// Preconditioned spectral projected gradient with fall-back.
    PSpgFb,
    /// Lemke's pivoting on faceted cones; small problems.
    Lemke,
    /// Interfaces with coupled point forces, 3D.
    FaceElements,
}

/// Laws of friction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FrictionLaw {
    /// Sliding is along the joint.
    #[default]
    Coulomb,
    /// Sliding also opens the joint; not with Newton on the true law, "lemke" or "face-elements".
    Associated,
}

/// Methods of contact detection by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Detection {
    /// Separating axis, then clipping of the faces; exact.
    #[default]
    Clip,
    /// Cundall's common plane with a fast search.
    CommonPlane,
    /// Shrunk cores with a margin: corners are rounded.
    Swept,
}

/// How many contact nodes are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Nodes {
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

/// What is kept of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// One frame every so many steps; default 10.
    #[serde(default = "ten")]
    pub every: u64,
    /// How often a checkpoint is written: `{ steps = n }` or `{ seconds = s }` of computing; default 30 seconds.
    #[serde(default)]
    pub checkpoint_every: Checkpoint,
    /// How frames share the force of a joint among its points: "as-solved" (default), or "coupled": normal forces linear
    /// in position, friction in proportion. Resultants are the same.
    #[serde(default)]
    pub point_forces: PointForces,
}

impl Default for Record {
    fn default() -> Self {
        Self { every: ten(), checkpoint_every: Checkpoint::default(), point_forces: PointForces::default() }
    }
}

/// Rules by which points of a joint share its force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PointForces {
    /// As the solver found them: right resultants, any of the ways to share them.
    #[default]
    AsSolved,
    /// By the coupled rule, where it applies.
    Coupled,
}

/// How often a checkpoint is written.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Checkpoint {
    /// Every so many steps.
    Steps(u64),
    /// Every so many seconds of computing.
    Seconds(f64),
}

impl Default for Checkpoint {
    fn default() -> Self {
        Self::Seconds(30.0)
    }
}

fn ten() -> u64 {
    10
}
