//! The operations of every shape, in any dimension.

use std::fmt::Debug;

use glam::{DVec2, DVec3};
use serde::{Deserialize, Serialize};

use crate::detection::Detection;
use crate::error::ShapeError;
use crate::pose::Pose;
use crate::space::{Space, Vector};
use crate::{planar, spatial};

/// Volume, centroid and inertia of a shape at unit density, in the shape's own axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties<S: Space> {
    /// Volume [m³]; area [m²] in 2D.
    pub volume: f64,
    /// Centroid [m].
    pub centroid: S::Vector,
    /// Inertia about the centroid for density 1 [m⁵]; [m⁴] in 2D.
    pub inertia: S::Inertia,
}

/// An axis-aligned box in world axes [m]; infinite for half-spaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb<S: Space> {
    /// Smallest coordinates.
    pub min: S::Vector,
    /// Largest coordinates.
    pub max: S::Vector,
}

impl<S: Space> Aabb<S> {
    /// True if the two boxes share a point.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..S::DIM).all(|i| self.min.get(i) <= other.max.get(i) && other.min.get(i) <= self.max.get(i))
    }

    /// True if `other` lies inside.
    #[inline]
    pub fn contains(&self, other: &Self) -> bool {
        (0..S::DIM).all(|i| self.min.get(i) <= other.min.get(i) && other.max.get(i) <= self.max.get(i))
    }

    /// Enlarged by `margin` on every side.
    #[inline]
    pub fn grown(&self, margin: f64) -> Self {
        let by = S::Vector::splat(margin);
        Self { min: self.min - by, max: self.max + by }
    }

    /// The smallest box around both.
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

/// One point of an interface between a candidate (first shape) and an antagonist (second shape).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint<S: Space> {
    /// World position, on the mid-surface between the two bodies [m].
    pub position: S::Vector,
    /// Unit normal, from the antagonist to the candidate.
    pub normal: S::Vector,
    /// Signed distance along the normal, > 0 apart [m].
    pub gap: f64,
    /// Share of the area that the two facing faces have in common, seen along the normal [m²]; length [m] in 2D;
    /// 0 where edges cross, corners pass or a shape is round.
    pub area: f64,
    /// Identifier of the pair of features in contact; constant for as long as they are in contact.
    pub feature: u64,
}

/// Distance of the centre of a ball from the origin of its axes, relative to its radius, that counts as zero.
pub(crate) const CENTRE_TOLERANCE: f64 = 1e-9;

/// Polygons for pictures and result files, in the shape's own axes (2D: z = 0).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// Points [m].
    pub points: Vec<[f64; 3]>,
    /// Polygons, counter-clockwise seen from outside, as indices of points.
    pub polygons: Vec<Vec<u32>>,
}

impl Surface {
    /// A disc (2D) or a sphere (3D) about the origin, approximated by polygons.
    pub fn ball(dimension: usize, radius: f64) -> Self {
        match dimension {
            2 => planar::disc(DVec2::ZERO, radius),
            _ => spatial::sphere_surface(DVec3::ZERO, radius),
        }
    }

    /// Adds the polygons of another surface.
    pub fn append(&mut self, other: Surface) {
        let first = self.points.len() as u32;
        self.points.extend(other.points);
        self.polygons.extend(other.polygons.into_iter().map(|p| p.into_iter().map(|i| i + first).collect()));
    }
}

/// A shape as numbers, from which the same shape is made every time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ShapeData {
    /// A disc (2D) or a sphere (3D) about the origin.
    Ball {
        /// Radius [m].
        radius: f64,
    },
    /// A polygon (2D) or a polyhedron (3D), which need not be convex.
    Solid {
        /// Points [m]; in 2D the corners in order, with z = 0.
        points: Vec<[f64; 3]>,
        /// Faces as indices of points, counter-clockwise seen from outside; not used in 2D.
        faces: Vec<Vec<u32>>,
    },
}

/// A shape of a body.
pub trait Solid<S: Space>: Clone + Debug + PartialEq + Send + Sync {
    /// The shape that numbers describe.
    fn from_data(data: &ShapeData) -> Result<Self, ShapeError>;
    /// Volume, centroid, inertia; `None` for unbounded shapes (half-spaces).
    fn mass_properties(&self) -> Option<MassProperties<S>>;
    /// Box around the shape placed at `pose`.
    fn bounds(&self, pose: &Pose<S>) -> Aabb<S>;
    /// Diameter of a ball around the shape [m]; infinite for half-spaces.
    fn size(&self) -> f64;
    /// The same shape moved in its own axes (to put the origin at the centroid).
    fn translated(&self, by: S::Vector) -> Self;
    /// Parts of a compound, in its axes; `None` for other shapes.
    fn parts(&self) -> Option<&[Self]>;
    /// Quadrature over the area of a plane shape; empty in 3D.
    fn area_rule(&self) -> planar::AreaRule {
        planar::AreaRule::default()
    }
    /// Radius of a disc (2D) or a sphere (3D) whose centre is the origin of its axes [m]; `None` for other shapes.
    fn centred_ball(&self) -> Option<f64>;
    /// Polygons to draw; a half-space gives a square of side `extent`.
    fn surface(&self, extent: f64) -> Surface;
    /// All contact points closer than `alert` [m] between `self` (candidate) and `other` (antagonist), found as
    /// `detection` says and appended to `out` in a fixed order.
    fn collide_by(
        &self,
        pose: &Pose<S>,
        other: &Self,
        other_pose: &Pose<S>,
        alert: f64,
        detection: Detection,
        out: &mut Vec<ContactPoint<S>>,
    );
    /// The same by the default method, with all points.
    fn collide(&self, pose: &Pose<S>, other: &Self, other_pose: &Pose<S>, alert: f64, out: &mut Vec<ContactPoint<S>>) {
        self.collide_by(pose, other, other_pose, alert, Detection::default(), out);
    }
}
