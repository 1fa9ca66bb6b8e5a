//! A bond that never breaks: the points of the interface stay together.
//!
//! Rigid: the solver finds the force that keeps the jump at zero.

use super::law::{BondLaw, JointLaw, Replaces};

/// The law; it has no parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glued;

impl JointLaw for Glued {
    fn key(&self) -> &'static str {
        "glued"
    }

    fn reference(&self) -> &'static str {
        "kinematic constraint"
    }
}

impl BondLaw for Glued {
    fn sample() -> Self {
        Self
    }

    fn replaces(&self) -> Replaces {
        Replaces::Pair
    }
}
