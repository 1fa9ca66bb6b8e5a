//! Elastic blocks: constants, mesh, contact coordinates, temperature.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::{Selection, TimeFunctionSpec};

/// Blocks that are elastic in dynamic stages: finite elements, small strains, large rotations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Elastic")]
pub struct ElasticBlocksSpec {
    /// Which blocks: polyhedra, in 2D polygons, and compounds of them. Supports among them stay rigid.
    pub select: Selection,
    /// Young's modulus [Pa]; default: that of the material of the block, or of the library material that it is `like`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub young_modulus: Option<f64>,
    /// Poisson's ratio; default: that of the material, or of the library material, else 0.2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poisson_ratio: Option<f64>,
    /// Other constants across the bed of the stone; default: the same in all directions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bed: Option<BedSpec>,
    /// What a 2D scene assumes about the third direction: "strain" (default: no strain across the plane) or "stress" (no
    /// stress across it).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plane: Option<PlaneSpec>,
    /// Largest edge of an element [m]; default: a quarter of the diameter of the block, or of its largest convex part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element_size: Option<f64>,
    /// Instead of `element_size`: elements along each edge of a block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elements: Option<u64>,
    /// Elements become smaller towards the faces of the block: 1 (default: equal elements) to 4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grading: Option<f64>,
    /// Instead of own meshes: a mesh of Gmsh (`.msh`, 2.2 or 4.1) with the blocks as drawn. Each block takes the volume (2D: the
    /// surface) that has its centroid; the volume must fill the block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<String>,
    /// Metres per unit of length of the mesh; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh_scale: Option<f64>,
    /// Cells along each side of an interface, with contacts on each of them; default 2. 0: contacts at the corners of the
    /// interface, as between rigid blocks, which is faster, but joints then open as planes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact_grid: Option<u64>,
    /// Modal reduction: number of lowest free modes that represent a block, besides its static responses to unit forces at contacts,
    /// anchors and loads as drawn; default: all points of the mesh. `voussoir check` prints the error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modes: Option<u64>,
    /// Rayleigh damping of the elastic motion; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<RayleighSpec>,
    /// Thermal expansion [1/K]; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expansion: Option<f64>,
    /// Rise of temperature [K]; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warming: Option<f64>,
    /// Function of time that multiplies the rise of temperature; default: constant 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<TimeFunctionSpec>,
}

/// Blocks that are glued into one body, rigid or elastic. Blocks that touch in faces can be elastic together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Glue")]
pub struct GlueSpec {
    /// Name of the new body; selections use it in place of the names of its parts.
    pub name: String,
    /// Which blocks: free ones, of one material.
    pub select: Selection,
}

/// Stone with beds: transversely isotropic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Bed")]
pub struct BedSpec {
    /// Young's modulus across the bed [Pa].
    pub young_modulus: f64,
    /// Contraction along the bed per stretch across it, under stress across it.
    pub poisson_ratio: f64,
    /// Shear modulus between the bed and its normal [Pa].
    pub shear_modulus: f64,
    /// Normal of the bed at the start, world axes, any length; default: vertical.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<Vec<f64>>,
}

/// Damping a M + b K.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Rayleigh")]
pub struct RayleighSpec {
    /// a [1/s]; default 0.
    #[serde(default)]
    pub mass: f64,
    /// b [s]; default 0.
    #[serde(default)]
    pub stiffness: f64,
}

/// Third direction of a plane model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Plane")]
pub enum PlaneSpec {
    /// No strain across the plane.
    Strain,
    /// No stress across the plane.
    Stress,
}
