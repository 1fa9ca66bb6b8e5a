//! Closed forms, invariants and properties of shapes and contact manifolds.

mod broken;
mod common;
mod flush;
mod mass;
mod patches;
mod planar;
mod polyhedra;
mod round;
