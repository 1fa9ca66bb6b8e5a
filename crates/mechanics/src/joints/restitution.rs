//! Impact laws: normal velocity or impulse after an impact.
//!
//! Newton's law adds e·min(uₙ⁻, 0) to the normal velocity in the contact law; Poisson's law adds an expansion phase to the
//! step. Both belong to rigid dry joints. Reference: Brogliato, Nonsmooth Mechanics, Springer (2016), chapter 4.

use super::Joint;
use super::law::{JointLaw, LawParameter, ParameterUnit};

/// Impact laws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Restitution {
    /// Bodies stay together: 0 ≤ gap⁺/h + uₙ ⊥ rₙ ≥ 0.
    Inelastic,
    /// Newton: uₙ⁺ = −e uₙ⁻, for contacts whose predicted gap is closed.
    Newton(f64),
    /// Poisson: the expansion impulse is ε times the compression impulse.
    Poisson(f64),
}

impl JointLaw for Restitution {
    fn key(&self) -> &'static str {
        "restitution"
    }

    fn reference(&self) -> &'static str {
        "Brogliato, Nonsmooth Mechanics, Springer (2016)"
    }

    fn parameters(&mut self) -> Vec<LawParameter<'_>> {
        match self {
            Self::Inelastic => Vec::new(),
            Self::Newton(e) => vec![LawParameter::new("newton", ParameterUnit::Number, e)],
            Self::Poisson(e) => vec![LawParameter::new("poisson", ParameterUnit::Number, e)],
        }
    }

    fn fault(&self, joint: &Joint) -> Option<String> {
        match *self {
            Self::Newton(e) | Self::Poisson(e) if !(0.0..=1.0).contains(&e) => {
                Some(format!("restitution is {e}; it must be between 0 and 1"))
            }
            Self::Newton(_) | Self::Poisson(_) if joint.elastic.is_some() || joint.bond.is_some() => Some(
                "restitution needs a rigid dry joint; springs and bonds have their own impact behaviour".to_owned(),
            ),
            _ => None,
        }
    }
}
