//! Construction: bodies that stages add, release and remove.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::Selection;

/// Bodies that are added in groups, one group after the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BuildUp {
    /// Which bodies. They are absent before this stage.
    pub select: Selection,
    /// Order: "courses" (default), "one-by-one", "from-below" or "as-listed".
    #[serde(default)]
    pub order: ConstructionOrder,
    /// Simulated time between two groups [s], in which the structure can come to rest.
    pub pause: f64,
}

/// Orders of construction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Order")]
pub enum ConstructionOrder {
    /// Bodies whose lowest points are at the same height together, from bottom to top.
    #[default]
    Courses,
    /// One body at a time: from bottom to top, at the same height along x, then along y.
    OneByOne,
    /// A body is added when all bodies below it are present: first those on the ground or on centring, then those on
    /// them.
    FromBelow,
    /// The items of `select` in the order of the list.
    AsListed,
}

/// Placement of added bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Placement")]
pub enum PlacementSpec {
    /// Position as drawn.
    #[default]
    AsDrawn,
    /// Position as drawn relative to the bodies below: translated by the mean displacement of the joints below.
    OnWhatIsThere,
}
