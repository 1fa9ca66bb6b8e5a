//! Bodies: position, material, and one of three descriptions of their shape.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::NumberOrVector;
use super::generated::Generator;
use super::ice::DepthsSpec;
use super::numbers::Numbers;

/// One body, or the bodies of a generator or a mesh file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Body")]
pub struct BodySpec {
    /// Position, material and other common keys.
    #[serde(flatten)]
    pub common: BodyKeys,
    /// `shape`, `generator` or `mesh`, with their keys.
    #[serde(flatten)]
    pub form: FormSpec,
}

/// Keys of every body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Common")]
pub struct BodyKeys {
    /// Unique name; parts of a generator are named `name.part[i]`. Letters, digits, `-` and `_`.
    pub name: String,
    /// Name of the material.
    pub material: String,
    /// Position of the origin of the shape, generator or mesh [m]; default: the origin of the scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Vec<f64>>,
    /// Rotation about its origin; default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
    /// Initial velocity of the centroid [m/s]; default: zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vec<f64>>,
    /// Initial angular velocity, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single shapes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin: Option<NumberOrVector>,
    /// Mass [kg] instead of density times volume; the inertia is scaled by the same factor. Only for single shapes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<f64>,
    /// Thickness perpendicular to the plane in 2D [m], of every body of this table; default: the `depth` of the scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
    /// Thickness of the bodies of this table in 2D, in place of `depth`: one for each body, a distribution, or a grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depths: Option<DepthsSpec>,
    /// Tags for selections (`"#word"`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// Rotation: `{ angle_deg }` in 2D; `{ axis, angle_deg }`, `{ euler_deg }` or `{ quaternion }` in 3D.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rotation {
    /// Angle [degrees], counter-clockwise (right-handed about `axis`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle_deg: Option<f64>,
    /// Axis of the rotation (3D), any length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<Numbers<3>>,
    /// Rotation about x, then about the fixed y axis, then about the fixed z axis [degrees] (3D).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub euler_deg: Option<Numbers<3>>,
    /// Quaternion (x, y, z, w), any length (3D).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quaternion: Option<Numbers<4>>,
}

/// The three descriptions of a shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Form")]
pub enum FormSpec {
    /// Many bodies from a few parameters.
    Generated(Generator),
    /// One body.
    Shaped(ShapeSpec),
    /// Bodies from a file.
    Mesh(MeshFile),
}

/// One body of a simple shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "kebab-case")]
#[schemars(rename = "Shape")]
pub enum ShapeSpec {
    /// 3D: a box, centred at its origin.
    Box(SizeKeys),
    /// 3D: a polyhedron; a non-convex polyhedron is cut into convex parts.
    Polyhedron(PolyhedronSpec),
    /// 3D: a sphere, centred at its origin.
    Sphere(RadiusKeys),
    /// 3D: a cylinder about z, centred at its origin.
    Cylinder(CylinderSpec),
    /// 3D: the half-space below a plane; always a support.
    HalfSpace(HalfSpaceSpec),
    /// 2D: a rectangle, centred at its origin.
    Rectangle(SizeKeys),
    /// 2D: a polygon; a non-convex polygon is cut into convex parts.
    Polygon(PolygonSpec),
    /// 2D: a disc, centred at its origin.
    Disc(RadiusKeys),
    /// 2D: a thick line along x with round ends, centred at its origin.
    Segment(SegmentSpec),
    /// 2D: the half-plane below a line; always a support.
    HalfPlane(HalfSpaceSpec),
    /// A half-space or half-plane with upward normal; always a support.
    Ground(Ground),
    /// Several convex shapes in one rigid body.
    Compound(Compound),
}

impl ShapeSpec {
    /// All names of shapes.
    pub const NAMES: [&'static str; 12] = [
        "box",
        "polyhedron",
        "sphere",
        "cylinder",
        "half-space",
        "rectangle",
        "polygon",
        "disc",
        "segment",
        "half-plane",
        "ground",
        "compound",
    ];

    /// The name in the scene.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Box(_) => "box",
            Self::Polyhedron(_) => "polyhedron",
            Self::Sphere(_) => "sphere",
            Self::Cylinder(_) => "cylinder",
            Self::HalfSpace(_) => "half-space",
            Self::Rectangle(_) => "rectangle",
            Self::Polygon(_) => "polygon",
            Self::Disc(_) => "disc",
            Self::Segment(_) => "segment",
            Self::HalfPlane(_) => "half-plane",
            Self::Ground(_) => "ground",
            Self::Compound(_) => "compound",
        }
    }
}

/// Box or rectangle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Sized")]
pub struct SizeKeys {
    /// Full lengths along the axes [m]: a number, or one per axis.
    pub size: NumberOrVector,
}

/// Sphere or disc.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Round")]
pub struct RadiusKeys {
    /// Radius [m].
    pub radius: f64,
}

/// Cylinder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Cylinder")]
pub struct CylinderSpec {
    /// Height [m].
    pub height: f64,
    /// Radius [m].
    pub radius: f64,
}

/// Thick line with round ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Segment")]
pub struct SegmentSpec {
    /// Distance between the centres of its round ends [m].
    pub length: f64,
    /// Thickness, twice the radius of the ends [m].
    pub thickness: f64,
}

/// Half-space or half-plane.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "HalfSpace")]
pub struct HalfSpaceSpec {
    /// Outward normal, any length; default: upwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<Vec<f64>>,
}

/// Ground: no further keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ground {}

/// Polyhedron.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Polyhedron")]
pub struct PolyhedronSpec {
    /// Corners [m].
    pub vertices: Vec<Numbers<3>>,
    /// Faces as indices of corners, from 0, in order around the face; default: the convex hull.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faces: Option<Vec<Vec<u32>>>,
}

/// Polygon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Polygon")]
pub struct PolygonSpec {
    /// Corners in order [m].
    pub vertices: Vec<Numbers<2>>,
    /// Holes: corners of each in order [m]; inside the outline, apart from each other; default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holes: Vec<Vec<Numbers<2>>>,
}

/// Rigid union of convex shapes. The parts must not overlap, because their masses are added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Compound {
    /// The parts: a shape with its keys, `position` and `rotation` in the axes of the compound.
    pub parts: Vec<PartSpec>,
}

/// One part of a compound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Part")]
pub struct PartSpec {
    /// Position and rotation of the part.
    #[serde(flatten)]
    pub placement: PartPlacement,
    /// Shape of the part; neither unbounded nor a compound.
    #[serde(flatten)]
    pub shape: ShapeSpec,
}

/// Position and rotation of a part of a compound.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Placement")]
pub struct PartPlacement {
    /// Origin of the part in the axes of the compound [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Vec<f64>>,
    /// Rotation of the part in the axes of the compound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
}

/// Bodies from a file: one body for each connected part, named `name.part[i]`. 3D only; each part must be closed;
/// non-convex parts are cut into convex parts that move as one body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshFile {
    /// File in OBJ, STL or PLY format, relative to the scene.
    pub mesh: String,
    /// Metres per unit of the file; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// Inward offset of all faces [m] (default 0): half the `thickness` of the joints, if stones are drawn without
    /// joints. Convex parts only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inset: Option<f64>,
}
