//! Shapes, mass properties, broad phase and contact manifolds. Knows no physics.
//!
//! Everything that depends on the dimension goes through [`Space`], implemented by [`D2`] and [`D3`].
//!
//! | module | what lives there |
//! |---|---|
//! | [`space`] | the `Space` trait: vectors, rotations, frames, generalized velocities |
//! | [`pose`] | position and rotation of a body |
//! | [`solid`] | what every shape can do: mass, bounds, surface, contact points |
//! | [`planar`] | shapes of 2D: polygon, disc, half-plane, compound |
//! | [`spatial`] | shapes of 3D: polyhedron, sphere, half-space, compound |
//! | [`broad_phase`] | which bodies may touch |
//! | [`detection`] | methods of contact detection, number of nodes |
//! | [`error`] | what can be wrong with a shape, and what was repaired |

pub mod broad_phase;
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
pub use feature::Kind;
pub use glam;
pub use planar::Shape2;
pub use pose::Pose;
pub use solid::{Aabb, ContactPoint, MassProperties, ShapeData, Solid, Surface};
pub use space::{D2, D3, Space, Vector};
pub use spatial::Shape3;
