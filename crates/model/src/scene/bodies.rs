//! Bodies: where they are, what they are made of, and one of three ways to say their form.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::NumberOrVector;
use super::generated::Generator;
use super::numbers::Numbers;

/// One body, or the bodies that a generator or a mesh file makes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Body {
    /// Where it is and what it is made of.
    #[serde(flatten)]
    pub common: Common,
    /// `shape`, `generator` or `mesh`, with their keys.
    #[serde(flatten)]
    pub form: Form,
}

/// Keys that every body has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Common {
    /// Unique name; parts of a generator are called `name.part[i]`. Letters, digits, `-` and `_`.
    pub name: String,
    /// Name of the material.
    pub material: String,
    /// Where the origin of the shape, generator or mesh is put [m]; default: the origin of the scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Vec<f64>>,
    /// How it is turned about its origin; default: not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
    /// Velocity of the centroid at the start [m/s]; default: at rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vec<f64>>,
    /// Spin at the start, world axes [rad/s]: a number in 2D, a vector in 3D. Only for single shapes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin: Option<NumberOrVector>,
    /// Mass [kg] in place of density times volume; the inertia is scaled alike. Only for single shapes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<f64>,
    /// Words by which selections find it (`"#word"`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// How something is turned: `{ angle_deg }` in 2D; `{ axis, angle_deg }`, `{ euler_deg }` or `{ quaternion }` in 3D.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rotation {
    /// Angle [degrees], counter-clockwise (right-handed about `axis`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle_deg: Option<f64>,
    /// Axis of the rotation (3D), any length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<Numbers<3>>,
    /// Turned about x, then the fixed y, then the fixed z [degrees] (3D).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub euler_deg: Option<Numbers<3>>,
    /// Quaternion (x, y, z, w), any length (3D).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quaternion: Option<Numbers<4>>,
}

/// The three ways to say a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Form {
    /// Many bodies from a few numbers.
    Generated(Generator),
    /// One body.
    Shaped(Shape),
    /// Bodies from a file.
    Mesh(MeshFile),
}

/// One body of a simple form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "kebab-case")]
pub enum Shape {
    /// 3D: a box about its origin.
    Box(Sized),
    /// 3D: a polyhedron; one that is not convex is cut into convex parts.
    Polyhedron(Polyhedron),
    /// 3D: a sphere about its origin.
    Sphere(Round),
    /// 3D: a cylinder about z around its origin.
    Cylinder(Cylinder),
    /// 3D: everything below a plane; always a support.
    HalfSpace(HalfSpace),
    /// 2D: a rectangle about its origin.
    Rectangle(Sized),
    /// 2D: a polygon; one that is not convex is cut into convex parts.
    Polygon(Polygon),
    /// 2D: a disc about its origin.
    Disc(Round),
    /// 2D: a thick line along x with round ends, around its origin.
    Segment(Segment),
    /// 2D: everything below a line; always a support.
    HalfPlane(HalfSpace),
    /// A half-space or half-plane with the normal upwards; always a support.
    Ground(Ground),
    /// Several convex shapes in one rigid body.
    Compound(Compound),
}

impl Shape {
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
pub struct Sized {
    /// Full lengths along the axes [m]: a number, or one per axis.
    pub size: NumberOrVector,
}

/// Sphere or disc.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Radius [m].
    pub radius: f64,
}

/// Cylinder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cylinder {
    /// Height [m].
    pub height: f64,
    /// Radius [m].
    pub radius: f64,
}

/// Thick line with round ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// Distance between the centres of its round ends [m].
    pub length: f64,
    /// Thickness, twice the radius of the ends [m].
    pub thickness: f64,
}

/// Half-space or half-plane.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HalfSpace {
    /// Normal that points out of the material, any length; default: upwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<Vec<f64>>,
}

/// Ground: no keys of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ground {}

/// Polyhedron.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Polyhedron {
    /// Corners [m].
    pub vertices: Vec<Numbers<3>>,
    /// Faces as indices of corners, from 0, in order round the face; without them: the convex hull.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faces: Option<Vec<Vec<u32>>>,
}

/// Polygon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Polygon {
    /// Corners in order [m].
    pub vertices: Vec<Numbers<2>>,
}

/// Rigid union of convex shapes. The parts must not overlap: masses add.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Compound {
    /// The parts: a shape with its keys, `position` and `rotation` in the axes of the compound.
    pub parts: Vec<Part>,
}

/// One part of a compound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// Where it is.
    #[serde(flatten)]
    pub placement: Placement,
    /// What it is; neither endless nor a compound.
    #[serde(flatten)]
    pub shape: Shape,
}

/// Where a part of a compound is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// Origin of the part in the axes of the compound [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Vec<f64>>,
    /// How the part is turned in the axes of the compound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
}

/// Bodies from a file: one for each connected part, called `name.part[i]`. 3D only; each part
/// closed; parts that are not convex are cut into convex ones that move as one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshFile {
    /// File in OBJ, STL or PLY format, relative to the scene.
    pub mesh: String,
    /// Metres per unit of the file; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// How far all faces are moved inwards [m] (default 0): half the `thickness` of the joints, where stones are drawn
    /// without them. Convex parts only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inset: Option<f64>,
}
