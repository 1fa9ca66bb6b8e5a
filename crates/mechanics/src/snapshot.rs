//! One moment of a run, dimension erased, for recorders and pictures.

use serde::{Deserialize, Serialize};
use voussoir_geometry::Surface;

/// What is constant over a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cast {
    /// 2 or 3.
    pub dimension: usize,
    /// All bodies in model order.
    pub bodies: Vec<CastBody>,
    /// Material names.
    pub materials: Vec<String>,
}

/// One body of the [`Cast`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CastBody {
    /// Name in the scene.
    pub name: String,
    /// Index of the material.
    pub material: usize,
    /// True for supports.
    pub support: bool,
    /// Mass [kg].
    pub mass: f64,
    /// Polygons in body axes.
    pub surface: Surface,
}

/// Positions, velocities and contacts at one time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// [s]
    pub time: f64,
    /// Steps done.
    pub step: u64,
    /// One per body.
    pub bodies: Vec<BodySnapshot>,
    /// All contacts of the step.
    pub contacts: Vec<ContactSnapshot>,
}

/// One body at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodySnapshot {
    /// Centroid [m].
    pub position: [f64; 3],
    /// Quaternion (x, y, z, w).
    pub rotation: [f64; 4],
    /// Velocity of the centroid, world axes [m/s].
    pub velocity: [f64; 3],
    /// Spin, world axes [rad/s].
    pub spin: [f64; 3],
}

/// One contact at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactSnapshot {
    /// Candidate and antagonist.
    pub bodies: [u32; 2],
    /// [m]
    pub position: [f64; 3],
    /// From antagonist to candidate.
    pub normal: [f64; 3],
    /// [m]
    pub gap: f64,
    /// Force on the candidate, world axes [N].
    pub force: [f64; 3],
    /// Area that the point stands for [m²].
    pub area: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// 0 open, 1 stick, 2 slide.
    pub status: u8,
}
