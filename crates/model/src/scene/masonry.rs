//! Keys of bonded walls with openings. [`crate::generators`] describes the resulting bodies.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::generated::Footing;

/// Bonds of brickwork.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Bond")]
pub enum BrickBond {
    /// Stretchers only, each course shifted by `overlap`. The wall is one brick width thick.
    #[default]
    Stretcher,
    /// Courses of stretchers and courses of headers in turn. The wall is one brick length thick.
    English,
    /// A header after every stretcher in each course, headers above the middle of stretchers; one brick length thick.
    Flemish,
    /// A course of headers after every `stretcher_courses` courses of stretchers; one brick length thick.
    American,
}

impl BrickBond {
    /// Name in the scene.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stretcher => "stretcher",
            Self::English => "english",
            Self::Flemish => "flemish",
            Self::American => "american",
        }
    }
}

/// A wall in bond with openings: `name.course[j].brick[i]`, courses upwards and bricks along x (tags `stretcher`,
/// `header` and, for bricks that are not whole, `cut`), `name.opening[k].voussoir[i]` (tag `voussoirs`) and
/// `name.opening[k].lintel[i]` (tag `lintels`), both from left to right, the middle one of an odd number with the tag
/// `keystone`.
///
/// The bond starts from the middle of the wall. Pieces shorter than a quarter of a brick are merged with their
/// neighbour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MasonryWall {
    /// Length of the wall [m].
    pub length: f64,
    /// Number of courses.
    pub courses: u64,
    /// Size of a whole brick [m]: [length, width, height] in 3D, [length, height] in 2D. Bonds with headers need bricks
    /// that are twice as long as wide.
    pub brick: Vec<f64>,
    /// Bond: "stretcher" (default), "english", "flemish" or "american".
    #[serde(default)]
    pub bond: BrickBond,
    /// Offset of head joints of adjacent courses in stretcher bond [m], above 0 and at most half a brick; default: half
    /// a brick. The other bonds have a quarter of a brick.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlap: Option<f64>,
    /// Courses of stretchers between courses of headers, american bond only; default 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stretcher_courses: Option<u64>,
    /// Doors, windows and arches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<Opening>,
    /// Support of the wall: "plane" (default), "block" or "none".
    #[serde(default)]
    pub ground: Footing,
}

/// An opening: vertical sides over whole courses, and a lintel or an arch above.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// Centre of the opening along x, from the middle of the wall [m]; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
    /// Clear width [m].
    pub width: f64,
    /// Number of courses below the opening; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sill: Option<u64>,
    /// Number of courses from the sill to the lintel or to the springing of the arch; 0 only for arches.
    pub courses: u64,
    /// Lintel of one or several stones, or flat arch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lintel: Option<Lintel>,
    /// Arch whose voussoirs are cut to the courses of the wall.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arch: Option<OpeningArch>,
}

/// Stones above an opening, between plane joints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lintel {
    /// Number of stones.
    pub stones: u64,
    /// Height in courses; default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub courses: Option<u64>,
    /// Angle between the end joints [degrees], 0 … 150; default 0: vertical joints. Above 0 the lintel is a flat arch
    /// with skewbacks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embrace_deg: Option<f64>,
    /// Bearing length in the wall on both sides [m]; default 0; with vertical joints only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bearing: Option<f64>,
}

/// A circular arch above an opening. The joints are radial; the extrados of each voussoir is stepped to the courses, so
/// all bricks around it are rectangular. Joints are rotated by less than half a voussoir to end at bed joints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpeningArch {
    /// Thickness of the ring [m]; the steps of the extrados are at about this distance from the intrados.
    pub thickness: f64,
    /// Number of voussoirs.
    pub voussoirs: u64,
    /// Height of the intrados at the crown above the springing [m]; default: half of the width, a semicircle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rise: Option<f64>,
}
