//! Position and rotation of a body, or of a part inside a compound.

use serde::{Deserialize, Serialize};

use crate::space::Space;

/// A rigid placement: `world = position + rotation · local`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Pose<S: Space> {
    /// Where the local origin sits [m].
    pub position: S::Vector,
    /// How the local axes are turned.
    pub rotation: S::Rotation,
}

impl<S: Space> Pose<S> {
    /// No translation, no rotation.
    pub fn identity() -> Self {
        Self { position: S::zero(), rotation: S::no_rotation() }
    }

    /// A pure translation.
    pub fn at(position: S::Vector) -> Self {
        Self { position, rotation: S::no_rotation() }
    }

    /// Local point to world point.
    pub fn point(&self, local: S::Vector) -> S::Vector {
        self.position + S::rotate(self.rotation, local)
    }

    /// Local direction to world direction.
    pub fn direction(&self, local: S::Vector) -> S::Vector {
        S::rotate(self.rotation, local)
    }

    /// World point to local point.
    pub fn local_point(&self, world: S::Vector) -> S::Vector {
        S::unrotate(self.rotation, world - self.position)
    }

    /// World direction to local direction.
    pub fn local_direction(&self, world: S::Vector) -> S::Vector {
        S::unrotate(self.rotation, world)
    }

    /// `self` applied after `inner`: the pose of a part whose placement inside the body is `inner`.
    pub fn compose(&self, inner: &Self) -> Self {
        Self { position: self.point(inner.position), rotation: S::combine(self.rotation, inner.rotation) }
    }
}
