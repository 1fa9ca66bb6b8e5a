//! Keys of granular fill.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::numbers::Numbers;

/// Discs `name.disc[i]` (tag `fill`) that fill a convex region around the bodies written before it, or the space between
/// these bodies and a road; 2D only. Random packings press their discs against each other: write allow_overlap = true in
/// the scene, and settle the fill in an explicit stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Fill")]
pub struct FillSpec {
    /// Corners of a convex region [m]; its sides hold the discs while they are packed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub region: Vec<Numbers<2>>,
    /// In place of `region`: points [x, level] of the road from left to right [m]. The fill lies between the road and the
    /// bodies below it, between the first and the last point.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub road: Vec<Numbers<2>>,
    /// Convex parts of the region that stay empty, besides the bodies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<EmptyPart>,
    /// Arrangement: "random" (default), "hexagonal" or "rectangular".
    #[serde(default)]
    pub packing: PackingKind,
    /// Discs [x, y, radius] of a packing that was made before, by `voussoir fill` [m]; nothing is packed then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub discs: Vec<Numbers<3>>,
    /// Mean diameter [m]. Random packings: default from `count` and `porosity`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diameter: Option<f64>,
    /// Number of discs of a random packing; default from `diameter` and `porosity`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Diameters of a random packing are uniform between (1 − spread) and (1 + spread) times the mean; default 0.2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
    /// Grading curve of a random packing, in place of `count`, `diameter` and `spread`: points [diameter, share] with the
    /// share of the mass in finer discs, from 0 to 1; linear between the points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grading: Vec<Numbers<2>>,
    /// Porosity of a random packing: 1 − area of the discs divided by area of the region without the bodies; default 0.18.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub porosity: Option<f64>,
    /// Limits of the pressure that a random packing locks in; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressure: Option<FillPressure>,
    /// Density of grains and voids together [kg/m³]: the discs weigh as much as the region filled with it. Default: the
    /// discs have the `density` of their material.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bulk_density: Option<f64>,
    /// Seed of the random numbers; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// Pressure of a packing between the sides of its region, before it settles: the mean of the contact forces, without friction,
/// on springs `normal`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FillPressure {
    /// Normal stiffness of the contacts between discs [Pa/m], as in `joints.elastic`.
    pub normal: f64,
    /// Length that a contact point stands for [m]; default: the mean diameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub influence: Option<f64>,
    /// A packing with a larger pressure is refused, with the porosity that would do [Pa].
    pub most: f64,
}

/// A part of a region without discs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EmptyPart {
    /// A circle.
    Circle(EmptyCircle),
    /// A convex polygon, by its corners [m].
    Polygon(Vec<Numbers<2>>),
    /// A rectangle with level sides.
    Rectangle(EmptyRectangle),
    /// The part of a circle between an arc and its chord.
    Segment(EmptySegment),
}

/// A rectangle with level sides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EmptyRectangle {
    /// Centre [m].
    pub centre: Numbers<2>,
    /// Length and height [m].
    pub size: Numbers<2>,
}

/// The part of a circle between an arc and its chord.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EmptySegment {
    /// Centre of the circle [m].
    pub centre: Numbers<2>,
    /// Radius [m].
    pub radius: f64,
    /// Start and end of the arc, counter-clockwise from the x axis [degrees].
    pub arc_deg: Numbers<2>,
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
