//! Axle trains that run over a deck.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::{Function, Selection};

/// Weights that travel together along a straight path over the tops of bodies: a truck, a locomotive. They press along
/// gravity; their own mass is not accelerated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Train {
    /// Name of the train.
    pub name: String,
    /// Its axles.
    pub axles: Vec<Axle>,
    /// Which bodies it runs on; at each place the highest of them under the path carries.
    pub deck: Selection,
    /// Where the first axle is at the distance 0, world axes [m]; the height does not matter.
    pub start: Vec<f64>,
    /// Direction of travel, any length; only its horizontal part counts.
    pub direction: Vec<f64>,
    /// Speed [m/s], from the start on at time 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Instead of `speed`: the distance of the first axle from the start [m], a function of time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<Function>,
    /// Length over which an axle presses along the path [m]; default 0.2. Over a joint it is shared by both sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<f64>,
}

/// One axle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Axle {
    /// Weight [N].
    pub load: f64,
    /// Distance behind the first axle [m]; default 0.
    #[serde(default)]
    pub behind: f64,
}
