//! How a structure is built: what comes, is let go and goes in the course of the stages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::Selection;

/// Bodies that are added one group after the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BuildUp {
    /// Which bodies. Before this stage they are not there.
    pub select: Selection,
    /// In which order: "courses" (default), "one-by-one", "from-below" or "as-listed".
    #[serde(default)]
    pub order: Order,
    /// Time from one group to the next [s], in which the structure moves and comes to rest.
    pub pause: f64,
}

/// Orders of construction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Bodies whose undersides are at the same height together, the lowest first.
    #[default]
    Courses,
    /// One body at a time: the lowest underside first, at the same height along x, then along y.
    OneByOne,
    /// A body comes when all that it rests on is there: first those on the ground or on centring, then those on them.
    FromBelow,
    /// The items of `select` in the order of the list.
    AsListed,
}

/// Where added bodies are put.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// Where they are drawn.
    #[default]
    AsDrawn,
    /// As drawn relative to what they rest on: moved by the mean displacement of the joints below.
    OnWhatIsThere,
}
