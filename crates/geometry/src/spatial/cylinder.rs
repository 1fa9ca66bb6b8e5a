//! Solid cylinders with plane ends.

use glam::{DMat3, DVec3};

use crate::pose::Pose;
use crate::solid::{Aabb, MassProperties, Surface};
use crate::space::D3;

/// Points of a rim that may become contact nodes; also the sides in pictures.
pub const RIM: usize = 24;

/// Directions whose part across the axis is smaller than this run along it.
const LEAST_RADIAL_PART: f64 = 1e-12;

/// A solid cylinder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Centre in the shape's axes [m].
    pub centre: DVec3,
    /// Unit vector along the axis.
    pub axis: DVec3,
    /// Unit vector across the axis, from which points of the rims are counted.
    pub side: DVec3,
    /// Half of the height [m].
    pub half_height: f64,
    /// [m]
    pub radius: f64,
}

impl Cylinder {
    /// Moved and turned.
    pub fn moved(&self, pose: &Pose<D3>) -> Self {
        let [centre, axis, side] = [pose.point(self.centre), pose.direction(self.axis), pose.direction(self.side)];
        Self { centre, axis, side, ..*self }
    }

    /// Radius of a ball around it [m].
    pub fn reach(&self) -> f64 {
        self.half_height.hypot(self.radius)
    }

    /// Middle of an end: 0 at the foot of the axis, 1 at its head.
    pub fn end(&self, end: usize) -> DVec3 {
        self.centre + self.axis * if end == 0 { -self.half_height } else { self.half_height }
    }

    /// Point `i` of `RIM` on the rim of an end.
    pub fn rim(&self, end: usize, i: usize) -> DVec3 {
        let (sin, cos) = (std::f64::consts::TAU * i as f64 / RIM as f64).sin_cos();
        self.end(end) + (self.side * cos + self.axis.cross(self.side) * sin) * self.radius
    }

    /// The part of a direction across the axis.
    pub fn across(&self, d: DVec3) -> DVec3 {
        d - self.axis * self.axis.dot(d)
    }

    /// The point farthest along a direction.
    pub fn support(&self, d: DVec3) -> DVec3 {
        let end = self.end(usize::from(self.axis.dot(d) > 0.0));
        let across = self.across(d);
        // along the axis all points of the rim are equally far: a radial part of the size of rounding is ignored, and a
        // small one is made perpendicular to the axis again
        let out = if across.length() > LEAST_RADIAL_PART * d.length() {
            self.across(across / across.length())
        } else {
            self.side
        };
        end + out.normalize_or(self.side) * self.radius
    }

    /// Volume, centroid, inertia.
    pub fn mass_properties(&self) -> MassProperties<D3> {
        let (r2, h) = (self.radius * self.radius, 2.0 * self.half_height);
        let volume = std::f64::consts::PI * r2 * h;
        let (about, across) = (0.5 * volume * r2, volume * (3.0 * r2 + h * h) / 12.0);
        // transverse moment of inertia in all directions, and the difference about the axis
        let outer = DMat3::from_cols(self.axis * self.axis.x, self.axis * self.axis.y, self.axis * self.axis.z);
        let inertia = DMat3::from_diagonal(DVec3::splat(across)) + outer * (about - across);
        MassProperties { volume, centroid: self.centre, inertia }
    }

    /// Box around it.
    pub fn bounds(&self) -> Aabb<D3> {
        let a = self.axis.abs();
        let reach = a * self.half_height + (DVec3::ONE - a * a).max(DVec3::ZERO).map(f64::sqrt) * self.radius;
        Aabb { min: self.centre - reach, max: self.centre + reach }
    }

    /// A prism to draw.
    pub fn surface(&self) -> Surface {
        let ring = |end: usize| (0..RIM).map(move |i| self.rim(end, i).to_array());
        let n = RIM as u32;
        let mut polygons: Vec<Vec<u32>> = vec![(0..n).rev().collect(), (n..2 * n).collect()];
        polygons.extend((0..n).map(|i| vec![i, (i + 1) % n, n + (i + 1) % n, n + i]));
        Surface { points: ring(0).chain(ring(1)).collect(), polygons }
    }
}
