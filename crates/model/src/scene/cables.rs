//! Cables, ties and rings, and what stages do with them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::{Function, Select, Selection};

/// A cable: pulls and never pushes, slides through its anchors without friction (the ends of an open one are fixed), so
/// that it has one tension: stiffness × elongation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cable {
    /// Name of the cable: a column of history.csv.
    pub name: String,
    /// What it runs through, in order: names or selections of bodies (at their centroids), or tables with `select` and
    /// `at` or `offset`.
    pub through: Vec<Anchor>,
    /// Runs back from the last anchor to the first: a ring. Default false.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub closed: bool,
    /// Stiffness of the whole cable [N/m]; or `modulus` with `section` or `diameter`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    /// Young's modulus [Pa]: the stiffness is modulus × section / length at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modulus: Option<f64>,
    /// Section [m²].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<f64>,
    /// Diameter of a round section [m], instead of `section`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diameter: Option<f64>,
    /// Tension where it is tied [N]; default 0: just taut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prestress: Option<f64>,
    /// Instead of `prestress`: the share by which the cable is shorter than its way; below zero it is longer and hangs
    /// loose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prestrain: Option<f64>,
    /// Function of time that multiplies the prestress: a jack that tightens or loosens; default: constant 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<Function>,
    /// Largest tension [N]; more is reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<f64>,
    /// Instead of `strength`: tensile strength of the material [Pa], times the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tensile_strength: Option<f64>,
    /// Snaps for good where the tension exceeds the strength; default false.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub breaks: bool,
    /// There from the start (default true); if not, a stage fits it.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub fitted: bool,
    /// In analyses without time: "tie" (pulls with what is needed, from zero up to the strength) or "force" (pulls with
    /// its prestress). Default: "force" with a prestress, "tie" without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_rest: Option<AtRest>,
}

/// What a cable runs through.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a name, { min = […], max = […] } or { select = …, at = […] }")]
pub enum Anchor {
    /// The centroids of these bodies, in the order of the bodies.
    Bodies(Select),
    /// Other points of bodies.
    Points(AnchorPoint),
}

/// Points of bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnchorPoint {
    /// Which bodies, in the order of the bodies.
    pub select: Selection,
    /// The point at the start, world axes [m]; it moves with the body. One body only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Vec<f64>>,
    /// The point from the centroid of each body at the start, world axes [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<Vec<f64>>,
}

/// How analyses without time take a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AtRest {
    /// Pulls with whatever is needed, from zero up to its strength.
    Tie,
    /// Pulls with its prestress.
    Force,
}

/// What a stage does with a cable at its start: exactly one of `prestress`, `prestrain`, `removed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CableStage {
    /// Which cable.
    pub name: String,
    /// It is fitted or tied anew where it runs now, and pulls with this [N]: tightening, loosening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prestress: Option<f64>,
    /// The same by the share by which it is shorter than its way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prestrain: Option<f64>,
    /// It is taken away.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub removed: bool,
}

fn yes() -> bool {
    true
}

fn is_true(value: &bool) -> bool {
    *value
}
