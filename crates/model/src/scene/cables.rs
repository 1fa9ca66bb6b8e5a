//! Cables, ties and rings, and their changes by stages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::{Select, Selection, TimeFunctionSpec};

/// A cable: carries tension only, slides through its anchors without friction (the ends of an open cable are fixed),
/// and therefore has one tension: stiffness × elongation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Cable")]
pub struct CableSpec {
    /// Name of the cable: part of the name of its column in history.csv.
    pub name: String,
    /// Anchors in order: names or selections of bodies (at their centroids), or tables with `select` and `at` or
    /// `offset`.
    pub through: Vec<AnchorSpec>,
    /// The cable returns from the last anchor to the first: a ring. Default false.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub closed: bool,
    /// Stiffness of the whole cable [N/m]; or `modulus` with `section` or `diameter`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    /// Young's modulus [Pa]: the stiffness is modulus × section / initial length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modulus: Option<f64>,
    /// Cross-section [m²].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<f64>,
    /// Diameter of a round cross-section [m], instead of `section`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diameter: Option<f64>,
    /// Tension at the time of fitting [N]; default 0: just taut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prestress: Option<f64>,
    /// Instead of `prestress`: initial strain, shortfall in length divided by path length; a negative value is slack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prestrain: Option<f64>,
    /// Function of time that multiplies the prestress (a jack); default: constant 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<TimeFunctionSpec>,
    /// Largest tension [N]; a larger tension is reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<f64>,
    /// Instead of `strength`: tensile strength of the material [Pa], multiplied by the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tensile_strength: Option<f64>,
    /// The cable breaks permanently if its tension exceeds the strength; default false.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub breaks: bool,
    /// Present from the start (default true); otherwise a stage fits the cable.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub fitted: bool,
    /// Role in static analyses: "tie" (the tension that equilibrium requires, from zero to the strength) or "force"
    /// (its prestress). Default: "force" with a prestress, "tie" without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_rest: Option<AtRestSpec>,
}

/// Anchors of a cable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a name, { min = […], max = […] } or { select = …, at = […] }")]
#[schemars(rename = "Anchor")]
pub enum AnchorSpec {
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

/// Role of a cable in static analyses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "AtRest")]
pub enum AtRestSpec {
    /// Tension as required by equilibrium, from zero to the strength.
    Tie,
    /// Tension equal to the prestress.
    Force,
}

/// Change of a cable at the start of a stage: exactly one of `prestress`, `prestrain`, `removed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CableStage {
    /// Which cable.
    pub name: String,
    /// The cable is fitted or fitted again along its current path with this tension [N]: tightening, loosening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prestress: Option<f64>,
    /// The same by the initial strain: shortfall in length divided by path length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prestrain: Option<f64>,
    /// The cable is removed.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub removed: bool,
}

fn yes() -> bool {
    true
}

fn is_true(value: &bool) -> bool {
    *value
}
