//! A hinge: the two bodies stay together in the centre of the interface and rotate freely about it. It never breaks.
//!
//! Rigid: the solver finds the force that keeps the jump at zero.

use super::law::{BondLaw, JointLaw, Replaces};

/// The law; it has no parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hinged;

impl JointLaw for Hinged {
    fn key(&self) -> &'static str {
        "hinged"
    }

    fn reference(&self) -> &'static str {
        "kinematic constraint"
    }
}

impl BondLaw for Hinged {
    fn sample() -> Self {
        Self
    }

    fn replaces(&self) -> Replaces {
        Replaces::Pair
    }

    fn is_central(&self) -> bool {
        true
    }
}
