//! Keys of generators about a vertical axis: stairs, cylinders, domes on piers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::generated::Footing;

/// Treads around a vertical axis (3D): `name.tread[i]`, upwards from the x axis, counter-clockwise seen from above;
/// tags `bottom` and `top` at the ends. Neighbours are in contact in planes through the axis, over `thickness` −
/// `rise`; the planes are vertical or, with `square_joints`, perpendicular to the line through the centroids of the
/// treads. The support `name.base` touches the first tread over its whole side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stair {
    /// Number of treads.
    pub treads: u64,
    /// Distance of the inner corners from the axis [m].
    pub inner_radius: f64,
    /// Distance of the outer corners from the axis [m].
    pub outer_radius: f64,
    /// Height from tread to tread [m].
    pub rise: f64,
    /// Angle from tread to tread [degrees], above 0 and at most 90.
    pub turn_deg: f64,
    /// Thickness of a tread [m], more than `rise`.
    pub thickness: f64,
    /// Joints perpendicular to the line through the centroids of the treads, so a cable along this line causes
    /// compression and no shear; default: vertical joints.
    #[serde(default)]
    pub square_joints: bool,
}

/// A solid cylinder of courses of concentric rings (3D): `name.course[j].ring[k].block[i]`, courses upwards, rings from
/// the axis outwards (ring 0 is one block), blocks counter-clockwise. Odd courses are shifted by half a ring and half a
/// block. With `hole` the cylinder stands on the supports `name.ground[i]` around a polygonal opening without support.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MasonryCylinder {
    /// Radius to the outer corners [m].
    pub radius: f64,
    /// Number of courses.
    pub courses: u64,
    /// Height of a course [m].
    pub course_height: f64,
    /// Rings of blocks in an even course.
    pub rings: u64,
    /// Blocks of a ring, 3 … 360.
    pub slices: u64,
    /// Diameter of the circle through the corners of the hole in the base [m]; default: no hole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hole: Option<f64>,
    /// Corners of the hole, 3 … 360; default 8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hole_sides: Option<u64>,
    /// Support of a cylinder without a hole: "plane" (default), "block" or "none".
    #[serde(default)]
    pub ground: Footing,
}

/// A hemispherical dome on piers (3D): piers `name.pier[k]`, above each pier courses of springers that widen by half a
/// block on both sides from course to course until they meet, and rings in bond above, all named
/// `name.ring[j].block[i]` (springers with the tag `springers`). The origin is the centre of the sphere, at the top of
/// the piers; joints between rings lie on cones through the centre, joints between blocks in planes through the axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PierDome {
    /// Mean radius [m].
    pub radius: f64,
    /// Thickness [m].
    pub thickness: f64,
    /// Number of rings, courses of springers included.
    pub rings: u64,
    /// Blocks of a whole ring, a multiple of the number of piers.
    pub slices: u64,
    /// Angle of the opening at the crown, from the axis [degrees], above 0 and at most 80.
    pub oculus_deg: f64,
    /// Number of piers.
    pub piers: u64,
    /// Size of a pier [m]: [tangential, radial, height].
    pub pier: super::numbers::Numbers<3>,
    /// Half of the number of blocks of the lowest course of springers of one pier; default: the width of the pier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub springers: Option<u64>,
}
