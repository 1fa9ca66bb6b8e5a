//! Cables and ties.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::Function;
use super::is_false;

/// A cable or tie: it pulls, and never pushes. It glides through its points without friction, so its pull is the same
/// everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cable {
    /// Name of the cable.
    pub name: String,
    /// What it goes through, in order: at least two points of bodies.
    pub through: Vec<Anchor>,
    /// It goes on from the last point to the first: a ring. Default false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub closed: bool,
    /// It is held fast at every point: each piece between two points has its own pull. Default false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub clamped: bool,
    /// Stiffness of the whole cable, of each piece if it is clamped [N/m]. Instead: `modulus` and `section`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    /// Young's modulus E [Pa]; the stiffness is E A/ℓ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modulus: Option<f64>,
    /// Cross-section A [m²].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<f64>,
    /// By how much it is shorter than its way at the start, when it is slack: 0.05 is 5 %. Default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prestrain: Option<f64>,
    /// Instead of `prestrain`: its pull on the bodies where they start [N].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prestress: Option<f64>,
    /// Function of time that multiplies prestrain or prestress, to tighten and loosen the cable; default: constant 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<Function>,
    /// Largest pull [N]: a prestress above it is an error, a pull above it a warning. Default: no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<f64>,
}

/// A point of a body that a cable goes through.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Anchor {
    /// Name of the body.
    pub body: String,
    /// The point at the start, world axes [m]; it moves with the body. Default: the centroid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Vec<f64>>,
}
