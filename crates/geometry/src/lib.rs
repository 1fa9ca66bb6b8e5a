//! Shapes, mass properties, broad phase and contact manifolds. Contains no physics.
//!
//! Everything that depends on the dimension goes through [`Space`], implemented by [`D2`] and [`D3`].
//!
//! | module | content |
//! |---|---|
//! | [`space`] | the `Space` trait: vectors, rotations, frames, generalized velocities |
//! | [`pose`] | position and rotation of a body |
//! | [`solid`] | the operations of every shape: mass, bounds, surface, contact points |
//! | [`planar`] | shapes of 2D: polygon, disc, half-plane, compound |
//! | [`spatial`] | shapes of 3D: polyhedron, sphere, half-space, compound |
//! | [`broad_phase`] | pairs of bodies that may be in contact |
//! | [`cell_grid`] | pairs of round bodies |
//! | [`detection`] | methods of contact detection, number of nodes |
//! | [`error`] | errors and repairs of shapes |

pub mod broad_phase;
pub mod cell_grid;
pub mod detection;
pub mod error;
pub mod feature;
mod gjk;
mod lazy;
pub mod planar;
pub mod pose;
pub mod solid;
pub mod space;
pub mod spatial;

pub use broad_phase::BroadPhase;
pub use detection::{Detection, Method, Nodes};
pub use error::{Checked, Repair, ShapeError};
pub use feature::FeatureKind;
pub use glam;
pub use planar::{AreaRule, Shape2};
pub use pose::Pose;
pub use solid::{Aabb, ContactPoint, MassProperties, ShapeData, Solid, Surface};
pub use space::{D2, D3, Space, Vector};
pub use spatial::Shape3;
