//! Axle trains on a deck.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::{Selection, TimeFunctionSpec};

/// Axle loads that travel together along a straight path over the tops of bodies: a truck, a locomotive. The loads act
/// along gravity; where a support moves, the masses of the axles move with the blocks beneath them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Train")]
pub struct TrainSpec {
    /// Name of the train.
    pub name: String,
    /// Its axles.
    pub axles: Vec<AxleSpec>,
    /// Deck: which bodies carry the train. Each axle loads the topmost of them beneath it.
    pub deck: Selection,
    /// Position of the first axle at distance 0, world axes [m]; its height has no effect.
    pub start: Vec<f64>,
    /// Direction of travel, any length; only its horizontal part is used.
    pub direction: Vec<f64>,
    /// Constant speed [m/s]; the train is at `start` at time 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Instead of `speed`: distance of the first axle from `start` [m], a function of time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<TimeFunctionSpec>,
    /// Length of an axle load along the path [m]; default 0.2. Over a joint the load is shared by both sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<f64>,
    /// Spread of the axle loads through fill; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dispersion: Option<DispersionSpec>,
}

/// Spread of axle loads through fill, down to the deck.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Dispersion")]
pub struct DispersionSpec {
    /// Level of the road, world axes [m].
    pub level: f64,
    /// Tangent of the angle of dispersion from the vertical, for example 0.5.
    pub slope: f64,
    /// Width over which an axle is spread at the level of the road [m]; the modelled strip carries its share. Default: the
    /// strip carries all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lane_width: Option<f64>,
}

/// One axle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Axle")]
pub struct AxleSpec {
    /// Weight [N].
    pub load: f64,
    /// Distance behind the first axle [m]; default 0.
    #[serde(default)]
    pub behind: f64,
}
