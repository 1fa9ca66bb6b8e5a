//! The keys of fields of floes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::numbers::Numbers;

/// `name.floe[i]`: floes in a rectangle whose lower left corner is the origin of the generator; 2D. None overlaps another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Floes {
    /// Length and width of the field [m].
    pub size: Numbers<2>,
    /// Area of the floes over the area of the field, above 0 and at most 1.
    pub concentration: f64,
    /// Form: "voronoi" (default: cells of a Voronoi diagram, shrunk to the concentration) or "discs".
    #[serde(default)]
    pub floe: FloeForm,
    /// Number of Voronoi cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Rounds of Lloyd's method that make Voronoi cells more regular; default 2, at most 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regularity: Option<u64>,
    /// Smallest diameter of discs [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest: Option<f64>,
    /// Largest diameter of discs [m]; default: `smallest`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub largest: Option<f64>,
    /// Exponent a of the distribution of diameters: the number of discs larger than d is proportional to d^(−a) between
    /// the limits; default 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exponent: Option<f64>,
    /// True: the field is periodic in both directions, for a periodic domain of the same size; default false: all floes
    /// are inside the rectangle.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub periodic: bool,
    /// Seed of the random numbers; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// Forms of floes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FloeForm {
    /// Cells of a Voronoi diagram.
    #[default]
    Voronoi,
    /// Discs.
    Discs,
}
