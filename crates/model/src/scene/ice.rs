//! The keys of fields of floes, and of thickness that varies.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::numbers::Numbers;

/// `name.floe[i]`: floes in a rectangle whose lower left corner is the origin of the generator; 2D. None overlaps another,
/// nor a body that is written before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Floes {
    /// Length and width of the field [m].
    pub size: Numbers<2>,
    /// Area of the floes over the area of the field without the bodies that are written before, above 0 and at most 1.
    pub concentration: f64,
    /// Form: "voronoi" (default: cells of a Voronoi diagram, shrunk to the concentration), "rectangles" (in rows and
    /// columns), "discs" or "outlines" (given outlines, scaled and turned).
    #[serde(default)]
    pub floe: FloeForm,
    /// Number of Voronoi cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Rounds of Lloyd's method that make Voronoi cells more regular; default 2, with a size distribution 300; at most 1000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regularity: Option<u64>,
    /// Number of rectangles along x.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<u64>,
    /// Number of rectangles along y; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// Smallest diameter of discs and outlines (of the disc with the same area) [m]. Voronoi cells: the ratio to `largest`
    /// counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest: Option<f64>,
    /// Largest diameter [m]; default: `smallest`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub largest: Option<f64>,
    /// Exponent a of the distribution of diameters: the number of floes larger than d is proportional to d^(−a) between
    /// the limits; default 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exponent: Option<f64>,
    /// Outlines of floes as lists of corners, of any size, for floe = "outlines".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outlines: Option<Vec<Vec<Numbers<2>>>>,
    /// CSV file with outlines, relative to the scene: the columns x and y, an empty line after each outline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
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
    /// Rectangles in rows and columns.
    Rectangles,
    /// Discs.
    Discs,
    /// Given outlines.
    Outlines,
}

impl FloeForm {
    /// The name in the scene.
    pub fn name(self) -> &'static str {
        match self {
            Self::Voronoi => "voronoi",
            Self::Rectangles => "rectangles",
            Self::Discs => "discs",
            Self::Outlines => "outlines",
        }
    }
}

/// Thickness of the bodies of one table in 2D: exactly one of `values`, `between`, `lognormal`, `grid`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Depths")]
pub struct DepthsSpec {
    /// Thickness of each body, in the order of the bodies [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<f64>>,
    /// Smallest and largest thickness of a uniform distribution [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<Numbers<2>>,
    /// Mean and standard deviation of a lognormal distribution [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lognormal: Option<Numbers<2>>,
    /// Thickness on a grid: mass, centre of mass and inertia of each body are integrals of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<ThicknessGrid>,
    /// Seed of the random numbers; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// Thickness at the nodes of a grid, bilinear between them, constant outside. Exactly one of `rows` and `file`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThicknessGrid {
    /// Place of the first node of the first row [m].
    pub origin: Numbers<2>,
    /// Distances of the nodes along x and y [m].
    pub spacing: Numbers<2>,
    /// Rows of thickness along x [m], at rising y.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<Vec<Vec<f64>>>,
    /// CSV file with the rows, relative to the scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}
