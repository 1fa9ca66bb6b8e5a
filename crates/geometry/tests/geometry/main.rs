//! Closed forms, invariants and properties of shapes and contact manifolds.

mod broken;
mod common;
mod compounds;
mod cylinders;
mod flush;
mod holes;
mod mass;
mod methods;
mod patches;
mod planar;
mod polyhedra;
mod round;
mod rounded;
