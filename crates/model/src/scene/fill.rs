//! Keys of granular fill.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::numbers::Numbers;

/// Discs `name.disc[i]` (tag `fill`) that fill a convex region around the bodies written before it; 2D only. Random
/// packings press their discs against each other: write allow_overlap = true in the scene, and settle the fill in an
/// explicit stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Fill")]
pub struct FillSpec {
    /// Corners of a convex region [m]; its sides hold the discs while they are packed.
    pub region: Vec<Numbers<2>>,
    /// Convex parts of the region that stay empty, besides the bodies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<EmptyPart>,
    /// Arrangement: "random" (default), "hexagonal" or "rectangular".
    #[serde(default)]
    pub packing: PackingKind,
    /// Mean diameter [m]. Random packings: default from `count` and `porosity`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diameter: Option<f64>,
    /// Number of discs of a random packing; default from `diameter` and `porosity`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Diameters of a random packing are uniform between (1 − spread) and (1 + spread) times the mean; default 0.2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
    /// Porosity of a random packing: 1 − area of the discs divided by area of the region without the bodies; default 0.18.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub porosity: Option<f64>,
    /// Seed of the random numbers; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// A part of a region without discs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EmptyPart {
    /// A circle.
    Circle(EmptyCircle),
    /// A convex polygon, by its corners [m].
    Polygon(Vec<Numbers<2>>),
}

/// A circle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EmptyCircle {
    /// Centre [m].
    pub centre: Numbers<2>,
    /// Radius [m].
    pub radius: f64,
}

/// Arrangements of discs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Packing")]
pub enum PackingKind {
    /// Grown from small discs at random places.
    #[default]
    Random,
    /// Rows shifted by half a diameter.
    Hexagonal,
    /// Rows above each other.
    Rectangular,
}
