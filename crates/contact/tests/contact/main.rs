//! Contact problems with known solutions, and the factorisations under the solvers.

mod capabilities;
mod common;
mod face_elements;
mod factorisations;
mod impacts;
mod known_answers;
mod uniqueness;
mod wide_nodes;
