//! The keys of the generators; [`crate::generators`] creates the bodies.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::NumberOrVector;
use super::bridge::{Bridge, FlyingButtress};
use super::fill::FillSpec;
use super::ice::Floes;
use super::introspect::keys_of;
use super::masonry::MasonryWall;
use super::round::{MasonryCylinder, PierDome, Stair};
use crate::error::SceneError;

/// Declares [`Generator`]: a generator that is not listed here does not exist in scenes.
macro_rules! generators {
    ($($(#[$doc:meta])* $variant:ident($keys:ident) = $name:literal,)*) => {
        /// Many bodies from a few parameters.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "generator")]
        pub enum Generator {
            $($(#[$doc])* #[serde(rename = $name)] $variant($keys),)*
        }

        impl Generator {
            /// All names of generators.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Reads the keys of the generator with this name; `None` if there is no such generator.
            pub(super) fn read(name: &str, reader: &mut impl ReadKeys) -> Option<Result<Self, SceneError>> {
                match name {
                    $($name => Some(reader.read().map(Self::$variant)),)*
                    _ => None,
                }
            }

            /// The keys of all generators together.
            pub(super) fn every_key() -> Vec<&'static str> {
                [$(keys_of::<$keys>()),*].concat()
            }
        }
    };
}

/// Reads a table of keys as a type.
pub(super) trait ReadKeys {
    /// Reads the keys of `T`, all of them.
    fn read<T: DeserializeOwned>(&mut self) -> Result<T, SceneError>;
}

generators! {
    /// Equal boxes on top of each other.
    Stack(Stack) = "stack",
    /// Drums on top of each other.
    Column(DrumColumn) = "column",
    /// Running-bond wall of whole and half bricks.
    Wall(Wall) = "wall",
    /// Arch of voussoirs between two springers.
    Arch(Arch) = "arch",
    /// Random stones above the ground.
    Pile(Pile) = "pile",
    /// Arch of voussoirs in a wall of bricks.
    ArchWall(ArchWall) = "arch-wall",
    /// Wall in bond with doors, windows and arches.
    MasonryWall(MasonryWall) = "masonry-wall",
    /// Dome of rings of voussoirs, whole or some of its slices.
    Dome(Dome) = "dome",
    /// Dome on piers with courses of springers.
    PierDome(PierDome) = "pier-dome",
    /// Full cylinder of courses of concentric rings, over a hole or not.
    MasonryCylinder(MasonryCylinder) = "masonry-cylinder",
    /// Treads around a vertical axis.
    Stair(Stair) = "stair",
    /// Discs that fill a region around other bodies (2D).
    Fill(FillSpec) = "fill",
    /// Bridge of one or several spans with piers, abutments, backing and spandrel masonry.
    Bridge(Bridge) = "bridge",
    /// Half an arch between a pier and a wall.
    FlyingButtress(FlyingButtress) = "flying-buttress",
    /// Rectangular pier that starts at x = 0, of one block or of courses.
    Buttress(Buttress) = "buttress",
    /// Field of ice floes in 2D.
    Floes(Floes) = "floes",
}

/// Support of a generated structure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Footing {
    /// An unbounded plane (a line in 2D): the support `name.ground`.
    #[default]
    Plane,
    /// A block that is wider than the foot: the support `name.ground`.
    Block,
    /// No support.
    None,
}

/// `name.block[i]`, numbered upwards from 0; tags `bottom` and `top` at the ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stack {
    /// Number of blocks.
    pub count: u64,
    /// Size of a block [m]: a number (cube, square) or [length, width, height] in 3D, [length, height] in 2D.
    pub size: NumberOrVector,
    /// Distance between blocks at the start [m]; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<f64>,
    /// Support: "plane" (default), "block" or "none".
    #[serde(default)]
    pub ground: Footing,
}

/// `name.drum[i]`, numbered upwards from 0; tags `bottom` and `top` at the ends. In 2D drums are rectangles or trapezes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Column")]
pub struct DrumColumn {
    /// Number of drums.
    pub drums: u64,
    /// Height of one drum [m].
    pub drum_height: f64,
    /// Radius at the foot [m], to the corners of the drum.
    pub radius: f64,
    /// Radius at the top [m]; default: as at the foot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_radius: Option<f64>,
    /// Number of sides of a drum (3D), 3 … 256; default 16.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sides: Option<u64>,
    /// Support: "plane" (default), "block" or "none".
    #[serde(default)]
    pub ground: Footing,
}

/// `name.course[j].brick[i]`, courses upwards and bricks along x, both from 0; tags `whole` and `half`.
///
/// Even courses have `bricks` whole bricks, odd courses a half brick, `bricks` − 1 whole ones and a half brick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wall {
    /// Number of courses.
    pub courses: u64,
    /// Whole bricks in an even course.
    pub bricks: u64,
    /// Size of a whole brick [m]: [length, width, height] in 3D, [length, height] in 2D.
    pub brick: Vec<f64>,
    /// Width of the head joints [m] (default 0: closed); bricks are shorter by this width.
    #[serde(default)]
    pub head_gap: f64,
    /// Support: "plane" (default), "block" or "none".
    #[serde(default)]
    pub ground: Footing,
}

/// Forms of arches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ArchKind {
    /// A half circle; with `embrace_deg` any other part of a circle.
    #[default]
    Semicircular,
    /// Part of a circle, from two of `span`, `radius`, `rise`, `embrace_deg`.
    Segmental,
    /// Two arcs that meet in a vertical joint at the crown, from `span` and `radius` or `rise` (default: radius = span).
    Pointed,
    /// Part of a parabola, from `span` and `rise`.
    Parabolic,
    /// Two side arcs and a flatter crown arc, from `span`, `rise` and the `radius` of the side arcs (default: arcs of 60°).
    ThreeCentred,
    /// Straight, with joints that fan out: `embrace_deg` (default 60) is the angle between the end joints.
    Flat,
}

/// `name.voussoir[i]`, numbered from left to right from 0 (tag `voussoirs`, the middle one of an odd number `keystone`),
/// between the supports `name.springer[0]` and `name.springer[1]` (tag `springers`).
///
/// The origin is the middle of the line between the inner springing points; the arch spans along x.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arch {
    /// Form: "semicircular" (default), "segmental", "pointed", "parabolic", "three-centred" or "flat".
    #[serde(default)]
    pub kind: ArchKind,
    /// Clear distance between the inner springing points [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<f64>,
    /// Inner radius [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Height of the inner crown above the springing points [m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rise: Option<f64>,
    /// Angle of embrace [degrees].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embrace_deg: Option<f64>,
    /// Thickness of the ring [m]; the height of a flat arch.
    pub thickness: f64,
    /// Width along y [m]; 3D only (in 2D the `depth` of the scene is used).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// Number of voussoirs; even for pointed arches.
    pub voussoirs: u64,
    /// Mass of the voussoirs as pieces of the ring, with curved faces; they are drawn and in contact with plane faces
    /// (semicircular and segmental arches). Default false: the mass of the drawn shape.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub curved: bool,
}

/// A semicircular arch in a wall: `name.voussoir[i]` as in an arch, `name.course[j].brick[i]` in running bond around it,
/// from left to right, courses upwards from the springing line. Bricks are cut along the extrados; those of which
/// little remains are joined to their neighbour (tag `cut`). Supports: `name.springer[0]` and `name.springer[1]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArchWall {
    /// Inner radius of the arch [m].
    pub radius: f64,
    /// Thickness of the ring [m].
    pub thickness: f64,
    /// Number of voussoirs.
    pub voussoirs: u64,
    /// Length of the wall [m], at least the outer diameter.
    pub length: f64,
    /// Height of the wall above the springing line [m], at least to the outer crown.
    pub height: f64,
    /// Number of courses.
    pub courses: u64,
    /// Length of a brick [m].
    pub brick: f64,
    /// Width along y [m]; 3D only (in 2D the `depth` of the scene is used).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
}

/// A hemispherical dome (3D): `name.ring[j].block[i]`, rings upwards from 0, blocks around the axis from the x axis on,
/// on the supports `name.ground[i]`. Joints between rings lie on cones through the centre, joints between blocks of a
/// ring in planes through the axis. The origin is the centre of the sphere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dome {
    /// Mean radius [m].
    pub radius: f64,
    /// Thickness [m].
    pub thickness: f64,
    /// Number of rings.
    pub rings: u64,
    /// Number of slices around the axis, 3 … 360.
    pub slices: u64,
    /// Number of slices that are built; default: all. The last ring is one cap if all slices are built.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sector: Option<u64>,
    /// Angle of the opening at the crown, from the axis [degrees]; default 0: closed by a block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oculus_deg: Option<f64>,
}

/// `name.block[i]`, numbered upwards from 0, between x = 0 and x = `width`; tags `bottom` and `top` at the ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Buttress {
    /// Size along x [m].
    pub width: f64,
    /// Height [m].
    pub height: f64,
    /// Size along y [m]; 3D only (in 2D the `depth` of the scene is used).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<f64>,
    /// Number of blocks on top of each other; default 1: a monolith.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub courses: Option<u64>,
    /// Support: "plane" (default), "block" or "none".
    #[serde(default)]
    pub ground: Footing,
}

/// Forms of stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stone {
    /// Random convex polyhedra (polygons in 2D).
    #[default]
    Polyhedron,
    /// Spheres (discs in 2D).
    Sphere,
    /// Boxes (rectangles in 2D) with random rotations.
    Box,
}

/// `name.stone[i]`: random stones in a loose grid above the ground, to be dropped; none touches another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pile {
    /// Number of stones.
    pub count: u64,
    /// Seed of the random numbers; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Diameter of the largest stones [m]; default 0.2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<f64>,
    /// Stones are between `size`·(1 − spread) and `size`; 0 … 0.9, default 0.3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
    /// Form: "polyhedron" (default), "sphere" or "box".
    #[serde(default)]
    pub stone: Stone,
    /// Inner size of a container with unbounded walls `name.wall[i]` [m]: a number, or [x, y] in 3D; default: no walls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container: Option<NumberOrVector>,
    /// Height of the lowest stones above the ground [m]; default: half of `size`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drop: Option<f64>,
    /// Ground below the stones: "plane" (default), "block" or "none".
    #[serde(default)]
    pub ground: Footing,
}
