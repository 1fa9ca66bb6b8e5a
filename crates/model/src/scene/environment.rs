//! Wind, water and Coriolis force around floes (2D).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::TimeFunctionSpec;
use super::numbers::Numbers;

/// Environment of floes in a 2D scene that is seen from above: wind, current, Coriolis force. Gravity is then zero by
/// default. Velocities in m/s.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Environment")]
pub struct EnvironmentSpec {
    /// Latitude [degrees], negative in the south, for the Coriolis force at y = 0; default: no Coriolis force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latitude_deg: Option<f64>,
    /// Coriolis parameter [1/s] at y = 0, instead of the latitude.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coriolis: Option<f64>,
    /// True: the Coriolis parameter changes with y, to the north (β-plane); needs the latitude. Default false.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub beta_plane: bool,
    /// True: the sea surface slopes with the current, so that a uniform current carries floes along. Default false.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub tilt: bool,
    /// Wind; the sum of these fields. Default: still air.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wind: Vec<FieldSpec>,
    /// Current; the sum of these fields. Default: still water.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub current: Vec<FieldSpec>,
    /// Density of air [kg/m³]; default 1.341.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub air_density: Option<f64>,
    /// Density of water [kg/m³]; default 1024.071.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub water_density: Option<f64>,
    /// Drag coefficient of air; default 1.7e-3. A material may have its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub air_drag: Option<f64>,
    /// Drag coefficient of water; default 5e-3. A material may have its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub water_drag: Option<f64>,
    /// Turning angle of the wind stress [degrees], counter-clockwise; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub air_turning_deg: Option<f64>,
    /// Turning angle of the stress of the water [degrees], counter-clockwise; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub water_turning_deg: Option<f64>,
    /// Edges of the sea, for stages with analysis = "events"; default: without edges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<DomainSpec>,
    /// Layer of water under the ice that floes and wind drive, for stages with analysis = "events"; its velocity is added
    /// to the current. Default: none, the current is as given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slab: Option<SlabSpec>,
    /// Integration of the drift: "midpoint" (default: second order, stable for any step) or "euler" (explicit, for
    /// comparisons).
    #[serde(default)]
    pub scheme: DriftSchemeSpec,
}

/// A layer of water with one velocity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Slab")]
pub struct SlabSpec {
    /// Depth of the layer [m]; default 15.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
    /// Friction at its lower side [m/s]; default 1e-5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
    /// Area [m²]; default: that of the `domain`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<f64>,
    /// Where the wind on open water is taken [m]; default: the middle of the `domain`, without one the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centre: Option<Numbers<2>>,
    /// Drag coefficient of the wind on open water; default: `air_drag`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub air_drag: Option<f64>,
}

/// A rectangle of sea and what happens at its edges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Domain")]
pub struct DomainSpec {
    /// Lower left corner [m].
    pub min: Numbers<2>,
    /// Upper right corner [m].
    pub max: Numbers<2>,
    /// Left and right edges: "free" (default), "periodic" or "open" (floes whose centroid leaves are removed and counted).
    #[serde(default)]
    pub x: EdgeSpec,
    /// Lower and upper edges: the same.
    #[serde(default)]
    pub y: EdgeSpec,
}

/// Two opposite edges of the sea.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Edge")]
pub enum EdgeSpec {
    /// Nothing happens.
    #[default]
    Free,
    /// What leaves at one edge enters at the other.
    Periodic,
    /// Floes whose centroid leaves are removed and counted.
    Open,
}

/// Integration of the drift.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "DriftScheme")]
pub enum DriftSchemeSpec {
    /// Exact rotation by the Coriolis force, implicit midpoint for stresses.
    #[default]
    Midpoint,
    /// Explicit Euler.
    Euler,
}

/// A velocity field: exactly one of `uniform`, `series`, `table`, `shear`, `profile`, `rotation`, `vortex`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "VelocityField")]
pub struct FieldSpec {
    /// The same velocity everywhere [m/s].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uniform: Option<Numbers<2>>,
    /// The same velocity everywhere: rows [time (s), x, y (m/s)], linear between them, constant outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Vec<Numbers<3>>>,
    /// CSV file with the columns time [s] and the two components [m/s], relative to the scene; used like `series`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// Flow along a direction, with a speed that is proportional to the distance from a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shear: Option<ShearSpec>,
    /// Rows [y (m), x, y (m/s)] of a velocity that depends on y only, linear between them, constant outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Vec<Numbers<3>>>,
    /// Solid rotation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<WhirlSpec>,
    /// Vortex with a core in solid rotation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vortex: Option<VortexSpec>,
    /// Function of time that multiplies the velocity; default: constant 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<TimeFunctionSpec>,
}

/// Shear flow: velocity = direction × rate × distance from the line through `centre` along `direction`, to its left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Shear")]
pub struct ShearSpec {
    /// Change of the velocity per length [1/s].
    pub rate: f64,
    /// A point where the velocity is zero [m]; default: the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centre: Option<Numbers<2>>,
    /// Direction of the flow, any length; default: x.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Numbers<2>>,
}

/// Solid rotation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Whirl")]
pub struct WhirlSpec {
    /// Angular velocity [rad/s], counter-clockwise.
    pub rate: f64,
    /// Centre [m]; default: the origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centre: Option<Numbers<2>>,
}

/// Vortex: solid rotation inside `radius`, speed × (radius/r)^exponent outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Vortex")]
pub struct VortexSpec {
    /// Centre at time zero [m].
    pub centre: Numbers<2>,
    /// Velocity of the centre [m/s]; default: zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub travel: Option<Numbers<2>>,
    /// Radius of the core [m].
    pub radius: f64,
    /// Largest speed, at the edge of the core [m/s]; below zero: clockwise.
    pub speed: f64,
    /// Exponent of the decrease outside the core; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exponent: Option<f64>,
}
