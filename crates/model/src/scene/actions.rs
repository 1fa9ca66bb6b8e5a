//! Supports with their motions, loads, functions of time, selections.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::NumberOrVector;
use super::numbers::Numbers;

/// Bodies that are fixed, or that move as told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Support {
    /// Which bodies.
    pub select: Selection,
    /// How they move; default: not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
}

/// `direction` × function of time, read as position, velocity or acceleration; optionally a rotation, with the same
/// function. Exactly one of `constant`, `table`, `sine`, `ramp`, `accelerogram`; none if there are only `components`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Motion {
    /// What the function gives: "position" [m], "velocity" [m/s] or "acceleration" [m/s²].
    pub quantity: Quantity,
    /// Direction of the translation; its length multiplies the function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Vec<f64>>,
    /// Axis of a rotation in 3D, a number in 2D; its length multiplies the function [rad, rad/s, rad/s²].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<NumberOrVector>,
    /// Point about which the support turns [m]; default: the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pivot: Option<Vec<f64>>,
    /// Always this value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant: Option<f64>,
    /// Straight lines between rows [time (s), value]; constant outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Vec<Numbers<2>>>,
    /// A sine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sine: Option<Sine>,
    /// A straight line from one value to another, constant outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ramp: Option<Ramp>,
    /// A recorded ground motion, with quantity = "acceleration".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accelerogram: Option<Accelerogram>,
    /// More translations at the same time, read as the same quantity: the other components of an earthquake.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<Component>,
}

/// One of several translations of a support. Exactly one of `constant`, `table`, `sine`, `ramp`, `accelerogram`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// Direction of the translation; its length multiplies the function.
    pub direction: Vec<f64>,
    /// Always this value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant: Option<f64>,
    /// Straight lines between rows [time (s), value]; constant outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Vec<Numbers<2>>>,
    /// A sine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sine: Option<Sine>,
    /// A straight line from one value to another, constant outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ramp: Option<Ramp>,
    /// A recorded ground motion, with quantity = "acceleration".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accelerogram: Option<Accelerogram>,
}

/// A recorded ground motion from a file: PEER AT2 (`.at2`), or CSV with the time [s] in the first column (`.csv`).
/// Straight lines between evenly spaced samples; at rest before and without acceleration after.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Accelerogram {
    /// The file, beside the scene.
    pub file: String,
    /// Unit of the samples: "g" (9.80665 m/s²), "m/s2" or "cm/s2"; AT2 files are in g.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<AccelerationUnit>,
    /// Column of a CSV file, from 2; default 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// All samples are multiplied by this; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// Correction of the base line: "none" (default), "velocity" (a constant is taken off: the ground ends at rest) or
    /// "rest" (a straight line is taken off: it ends at rest where it began).
    #[serde(default)]
    pub baseline: Baseline,
    /// Time of the first sample [s]; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
}

/// Units of accelerations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum AccelerationUnit {
    /// Standard gravity, 9.80665 m/s².
    #[serde(rename = "g")]
    Gravity,
    /// m/s².
    #[serde(rename = "m/s2")]
    Metric,
    /// cm/s², gal.
    #[serde(rename = "cm/s2")]
    Gal,
}

/// Corrections of the base line of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Baseline {
    /// As recorded.
    #[default]
    None,
    /// The ground ends at rest.
    Velocity,
    /// The ground ends at rest where it began.
    Rest,
}

/// Level at which a motion is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Displacement from the start.
    Position,
    /// Velocity.
    Velocity,
    /// Acceleration, from rest.
    Acceleration,
}

/// A force and a moment on each selected body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// Name of the load.
    pub name: String,
    /// Which bodies; each of them gets the whole force and moment.
    pub select: Selection,
    /// Force, world axes [N].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<Vec<f64>>,
    /// Moment, world axes [N·m]: a number in 2D, a vector in 3D.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<NumberOrVector>,
    /// Point of attack at the start, world axes [m]; it moves with the body. Default: the centroid. One body only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Vec<f64>>,
    /// Instead of `force`: each body is pushed by its mass times this acceleration [m/s²].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<Vec<f64>>,
    /// Instead of `force`: the weight of loose material on top of the bodies, up to a level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<Fill>,
    /// Instead of `force`: a pressure on the faces of the bodies that look in one direction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure: Option<Pressure>,
    /// Function of time that multiplies force and moment; default: constant 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<Function>,
}

/// Loose material above the selected bodies: every face that looks up and that no other of them covers carries the
/// weight of the column above it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fill {
    /// Density of the material [kg/m³].
    pub density: f64,
    /// Height up to which it reaches, world axes [m].
    pub level: f64,
}

/// A pressure on all faces of the selected bodies that look in a direction at the start, whether something lies on them
/// or not; round bodies have the faces that are drawn. The force keeps its direction, its point moves with the body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pressure {
    /// Pressure [Pa], above zero when it pushes on the face.
    pub value: f64,
    /// Outward normal of the faces, world axes, any length; faces within one degree of it are pressed.
    pub face: Vec<f64>,
}

/// Mass that bodies carry besides their own: it weighs and resists acceleration, as a point at the centroid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddedMass {
    /// Which bodies; each of them gets the whole mass.
    pub select: Selection,
    /// Mass [kg].
    pub mass: f64,
}

/// A number that depends on time: exactly one of the keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Function {
    /// Always this value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant: Option<f64>,
    /// Straight lines between rows [time (s), value]; constant outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Vec<Numbers<2>>>,
    /// A sine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sine: Option<Sine>,
    /// A straight line from one value to another, constant outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ramp: Option<Ramp>,
}

/// `amplitude · sin(2π · frequency · t + phase)` from `start` to `end`, zero outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sine {
    /// Largest value.
    pub amplitude: f64,
    /// Frequency [Hz].
    pub frequency: f64,
    /// Phase at time 0 [degrees]; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase_deg: Option<f64>,
    /// First moment [s]; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// Last moment [s]; default: never ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
}

/// `from` until `start`, `to` after `end`, a straight line between.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ramp {
    /// First moment [s]; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// Last moment [s].
    pub end: f64,
    /// Value before; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Value after; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
}

/// Which bodies: one item, or a list of items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a name, { min = […], max = […] } or a list of these")]
pub enum Selection {
    /// One item.
    One(Select),
    /// The bodies of all items.
    Many(Vec<Select>),
}

impl Selection {
    /// The items.
    pub fn items(&self) -> &[Select] {
        match self {
            Self::One(item) => std::slice::from_ref(item),
            Self::Many(items) => items,
        }
    }
}

/// One item of a selection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a name or { min = […], max = […] }")]
pub enum Select {
    /// A name (`"arch.voussoir[9]"`), a group (`"arch"`, `"arch.springers"`), a range with both ends
    /// (`"arch.voussoir[3..7]"`), a pattern (`"wall.*"`), a tag (`"#half"`) or a material (`"material:limestone"`).
    Named(String),
    /// All bodies with the centroid inside a box.
    Inside(Inside),
}

/// A box in world axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inside {
    /// Smallest coordinates [m].
    pub min: Vec<f64>,
    /// Largest coordinates [m].
    pub max: Vec<f64>,
}
