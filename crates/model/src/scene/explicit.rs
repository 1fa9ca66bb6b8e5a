//! Keys of an explicit stage.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::Selection;

/// Keys of an explicit stage. Exactly one of `duration`, `until` and `increments`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplicitKeys {
    /// Simulated time [s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<f64>,
    /// The stage ends when forces balance: `{ unbalanced = 1e-4 }`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<UntilSpec>,
    /// Load increments, each held until the structure rests or falls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub increments: Option<IncrementsSpec>,
    /// Time step: "auto" (default), or a number of seconds, at most the critical step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<StepSpec>,
    /// Automatic step divided by the critical step, 0 … 1; default 0.8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub safety: Option<f64>,
    /// Estimate of the critical step: "gerschgorin" (default), "simple" or "eigen".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub critical: Option<CriticalSpec>,
    /// Fictitious masses for equilibrium searches: "even", or `{ step = s }`. Weights stay true. Default: true masses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass_scaling: Option<MassScalingSpec>,
    /// Damping: "none" (default), `{ viscous = α }` [1/s], `{ adaptive = {…} }` or `{ local = {…} }`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<DampingSpec>,
    /// Distance of the tangent points of rounded corners from the corner [m]; default: a fiftieth of the shortest side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounding: Option<f64>,
    /// Points of a joint between two sides: 2 (default), or 3 with the weights 1/6, 2/3, 1/6.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<u8>,
    /// Distance that a body may travel before contacts are detected again [m]; default: 2 % of the smallest size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// Bodies that move along an axis only, for instance a loading block.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guides: Vec<GuideSpec>,
}

/// A time step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected \"auto\" or a number of seconds")]
#[schemars(rename = "ExplicitStep")]
pub enum StepSpec {
    /// A word.
    Word(AutoWord),
    /// [s]
    Seconds(f64),
}

/// Automatic steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Auto")]
pub enum AutoWord {
    /// Explicit analysis: `safety` times the critical step. Dynamic analysis: as long as error and contacts allow.
    Auto,
}

/// Estimates of the critical step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "CriticalStep")]
pub enum CriticalSpec {
    /// Row sums of the scaled stiffness matrix: never above the exact step.
    Gerschgorin,
    /// Mass and stiffness of every body by itself.
    Simple,
    /// Largest eigenvalue.
    Eigen,
}

/// Fictitious masses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "MassScaling")]
pub enum MassScalingSpec {
    /// The same critical step for every degree of freedom, masses true on average.
    Even,
    /// The same, with this critical step [s].
    Step(f64),
}

/// Damping.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Damping")]
pub enum DampingSpec {
    /// No damping.
    None,
    /// F = −α m v, α [1/s].
    Viscous(f64),
    /// Viscous damping whose coefficient follows the motion.
    Adaptive(AdaptiveSpec),
    /// F = −β |F| sgn v; for equilibrium searches.
    Local(LocalDamping),
}

/// Adaptive viscous damping.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AdaptiveDamping")]
pub struct AdaptiveSpec {
    /// Power of damping divided by the change of kinetic energy; default 0.5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// First and largest coefficient [1/s]; default 1e4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// Factor by which the coefficient changes in a step; default 1.05.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up: Option<f64>,
    /// Band in which the coefficient is kept; default 0.9.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub band: Option<f64>,
}

/// Local damping.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LocalDamping {
    /// β of blocks; default 0.8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<f64>,
    /// β of discs; default 0.7.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub particles: Option<f64>,
}

/// Balance of forces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Until")]
pub struct UntilSpec {
    /// Mean unbalanced force divided by the mean contact force.
    pub unbalanced: f64,
    /// Steps after which the search ends without an answer; default 1 000 000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<u64>,
}

/// Load increments up to collapse.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Increments")]
pub struct IncrementsSpec {
    /// Name of the load that is multiplied by the load factor.
    pub load: String,
    /// Increment of the load factor.
    pub by: f64,
    /// First load factor; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Largest load factor; default: 1000 increments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<f64>,
    /// After a collapse the last increment is halved down to this one; default: `by`, no refinement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refine: Option<f64>,
    /// Steps over which an increment is applied; default 1000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ramp: Option<u64>,
    /// What is a collapse.
    pub collapse: CollapseSpec,
    /// Rest: mean unbalanced force divided by the mean contact force; default 1e-4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unbalanced: Option<f64>,
    /// Steps after which an increment that neither rests nor falls ends the stage; default 1 000 000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<u64>,
}

/// A collapse.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Collapse")]
pub struct CollapseSpec {
    /// Displacement since the last rest [m].
    pub displacement: f64,
    /// Bodies whose mean displacement counts; default: the largest displacement of a free body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Selection>,
}

/// Bodies that move along an axis only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Guide")]
pub struct GuideSpec {
    /// Which bodies.
    pub select: Selection,
    /// Motions that are free: "x", "y", "rotation".
    pub free: Vec<FreeMotion>,
    /// All guided bodies with the same word move together in their free motions, for instance the walls of a shear box.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<String>,
}

/// Motions of a body in the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FreeMotion {
    /// Translation along x.
    X,
    /// Translation along y.
    Y,
    /// Rotation in the plane.
    Rotation,
}
