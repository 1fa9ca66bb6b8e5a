//! Supports and their motion, loads, functions of time, selections.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::NumberOrVector;
use super::numbers::Numbers;

/// Bodies that are fixed or have a prescribed motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Support {
    /// Which bodies.
    pub select: Selection,
    /// Motion of the support; default: fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motion: Option<MotionSpec>,
}

/// Prescribed motion: `direction` × function of time, optionally a rotation with the same function. Exactly one of
/// `constant`, `table`, `sine`, `ramp`, `accelerogram`; none if there are only `components`. Or a `path` in 2D.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Motion")]
pub struct MotionSpec {
    /// Meaning of the function: "position" [m], "velocity" [m/s] or "acceleration" [m/s²].
    pub quantity: MotionQuantitySpec,
    /// Direction of the translation; its length multiplies the function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Vec<f64>>,
    /// Axis of a rotation in 3D, a number in 2D; its length multiplies the function [rad, rad/s, rad/s²].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<NumberOrVector>,
    /// Centre of the rotation [m]; default: the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pivot: Option<Vec<f64>>,
    /// Constant value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant: Option<f64>,
    /// Linear interpolation between rows [time (s), value]; constant outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Vec<Numbers<2>>>,
    /// Sine function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sine: Option<Sine>,
    /// Linear change from one value to another, constant outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ramp: Option<Ramp>,
    /// Recorded ground motion, with quantity = "acceleration".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accelerogram: Option<Accelerogram>,
    /// Path in 2D, with quantity = "position" and without the other keys: rows [time (s), x, y (m), heading (degrees,
    /// counter-clockwise)], linear between rows, at rest outside. The support turns about the point of the path and starts
    /// where the scene places it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Vec<Numbers<4>>>,
    /// Further translations with the same quantity: the other components of an earthquake.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<MotionComponent>,
}

// The keys of a function of time are repeated in `MotionSpec`, `MotionComponent` and `TimeFunctionSpec`: a flattened common
// struct could not reject unknown keys.

/// One of several translations of a support. Exactly one of `constant`, `table`, `sine`, `ramp`, `accelerogram`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Component")]
pub struct MotionComponent {
    /// Direction of the translation; its length multiplies the function.
    pub direction: Vec<f64>,
    /// Constant value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant: Option<f64>,
    /// Linear interpolation between rows [time (s), value]; constant outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Vec<Numbers<2>>>,
    /// Sine function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sine: Option<Sine>,
    /// Linear change from one value to another, constant outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ramp: Option<Ramp>,
    /// Recorded ground motion, with quantity = "acceleration".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accelerogram: Option<Accelerogram>,
}

/// Recorded ground motion from a file: PEER AT2 (`.at2`), or CSV with the time [s] in the first column (`.csv`). Linear
/// interpolation between equally spaced samples; at rest before the record, zero acceleration after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Accelerogram {
    /// File name, relative to the scene.
    pub file: String,
    /// Unit of the samples: "g" (9.80665 m/s²), "m/s2" or "cm/s2"; AT2 files are in g.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<AccelerationUnit>,
    /// Column of a CSV file, from 2; default 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// Factor on all samples; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// Baseline correction: "none" (default), "velocity" (subtract a constant: final velocity zero) or "rest" (subtract
    /// a straight line: final velocity and displacement zero).
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

/// Baseline corrections of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Baseline {
    /// As recorded.
    #[default]
    None,
    /// Final ground velocity zero.
    Velocity,
    /// Final ground velocity and displacement zero.
    Rest,
}

/// Quantity of a prescribed motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Quantity")]
pub enum MotionQuantitySpec {
    /// Displacement relative to the start.
    Position,
    /// Velocity.
    Velocity,
    /// Acceleration, from rest.
    Acceleration,
}

/// Force and torque on each selected body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Load")]
pub struct LoadSpec {
    /// Name of the load.
    pub name: String,
    /// Which bodies; each of them gets the whole force and torque.
    pub select: Selection,
    /// Force, world axes [N].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<Vec<f64>>,
    /// Torque, world axes [N·m]: a number in 2D, a vector in 3D.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<NumberOrVector>,
    /// Point of application at the start, world axes [m]; it moves with the body. Default: the centroid. One body only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<Vec<f64>>,
    /// Instead of `force`: mass of each body times this acceleration [m/s²].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<Vec<f64>>,
    /// Instead of `force`: weight of loose material on top of the bodies, up to a level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<Fill>,
    /// Instead of `force`: pressure on the faces of the bodies with a given outward normal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure: Option<Pressure>,
    /// True if the load is the weight of something that moves with the body: where the ground accelerates or tilts, its
    /// mass does too, attached to the centroid of the body. Default: true for `fill`, false for `force`, which must then
    /// point along gravity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<bool>,
    /// Function of time that multiplies force and torque; default: constant 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<TimeFunctionSpec>,
}

/// Loose material above the selected bodies: every part of an upward face that no face of the selection covers carries
/// the weight of the column above it. Its mass moves with the bodies where the ground moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fill {
    /// Density of the material [kg/m³].
    pub density: f64,
    /// Level of the top of the material, world axes [m].
    pub level: f64,
    /// Lateral pressure on inclined faces: the coefficient K, so that the horizontal stress in the fill is K times the
    /// vertical one (at rest about 1 − sin φ), or { friction_angle_deg = 35 } for a pressure between active and passive that
    /// follows the movement in static analyses. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lateral: Option<LateralPressure>,
    /// Fill on one side of a vertical plane only, for instance behind a wall; default: everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<FillSide>,
    /// Where the weight acts on a body: "columns" (default), below the centroid of the columns above it; "centroid", at the
    /// centroid of the body, as that of `added_masses`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acts_at: Option<FillPoint>,
}

/// Point of a body at which the weight of the fill above it acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FillPoint {
    /// Below the centroid of its columns: the torque of the weight is that of the material above the body.
    #[default]
    Columns,
    /// At the centroid of the body: the fill is a mass of the body, the same as an added mass.
    Centroid,
}

/// Lateral pressure of fill.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum LateralPressure {
    /// Coefficient K, the same everywhere.
    Coefficient(f64),
    /// Active to passive, by the movement of the face.
    ByMovement(PressureByMovement),
}

/// Pressure between the active one, Kₐ = tan²(45° − φ/2), and a part of the passive one, m K_p = m tan²(45° + φ/2): static
/// analyses find the pressure of every face in this range. Motion uses the pressure at rest, K₀ = 1 − sin φ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PressureByMovement {
    /// Angle of friction of the fill, φ [degrees].
    pub friction_angle_deg: f64,
    /// Mobilised part of the passive pressure, m; default 0.5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mobilisation: Option<f64>,
}

/// One side of a vertical plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FillSide {
    /// A point of the plane, world axes [m].
    pub point: Vec<f64>,
    /// Horizontal direction from the plane to the side that is meant, any length.
    pub direction: Vec<f64>,
}

/// Pressure on all faces of the selected bodies with a given outward normal at the start, covered or not; round bodies
/// use the faces of their drawn surface. The force keeps its direction, its point of application moves with the body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pressure {
    /// Pressure [Pa], positive towards the face.
    pub value: f64,
    /// Outward normal of the faces, world axes, any length; faces within one degree of this normal are loaded.
    pub face: Vec<f64>,
}

/// Additional mass of bodies: it has weight and inertia, as a point mass at the centroid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddedMass {
    /// Which bodies; each of them gets the whole mass.
    pub select: Selection,
    /// Mass [kg].
    pub mass: f64,
}

/// A function of time: exactly one of the keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Function")]
pub struct TimeFunctionSpec {
    /// Constant value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant: Option<f64>,
    /// Linear interpolation between rows [time (s), value]; constant outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Vec<Numbers<2>>>,
    /// Sine function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sine: Option<Sine>,
    /// Linear change from one value to another, constant outside.
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
    /// Start time [s]; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// End time [s]; default: unlimited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
}

/// `from` until `start`, `to` after `end`, linear between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ramp {
    /// Start time [s]; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// End time [s].
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
    /// Union of the bodies of all items.
    Many(Vec<Select>),
}

impl Default for Selection {
    /// Nothing.
    fn default() -> Self {
        Self::Many(Vec::new())
    }
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
    Inside(SelectionBox),
}

/// A box in world axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Inside")]
pub struct SelectionBox {
    /// Smallest coordinates [m].
    pub min: Vec<f64>,
    /// Largest coordinates [m].
    pub max: Vec<f64>,
}
