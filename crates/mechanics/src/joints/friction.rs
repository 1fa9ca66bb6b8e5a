//! Coulomb friction with a static and a dynamic coefficient.
//!
//! ‖r_T‖ ≤ μ rₙ, with the static coefficient until the contact slides. A contact that slid in the previous step has the
//! dynamic coefficient, until it sticks again; the step in which sliding begins still has the static one. A new contact
//! counts as sticking. Reference: Coulomb (1785); Rabinowicz, J. Appl. Phys. 22 (1951).

use super::Joint;
use super::law::{JointLaw, LawParameter, ParameterUnit};

/// The law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// Coefficient until the contact slides.
    pub fixed: f64,
    /// Coefficient while it slides, at most `fixed`; `None`: the same.
    pub dynamic: Option<f64>,
}

impl Friction {
    /// The coefficient of a contact that slid in the previous step or not.
    pub fn coefficient(&self, slid: bool) -> f64 {
        match self.dynamic {
            Some(dynamic) if slid => dynamic,
            _ => self.fixed,
        }
    }
}

impl JointLaw for Friction {
    fn key(&self) -> &'static str {
        "friction"
    }

    fn reference(&self) -> &'static str {
        "Coulomb (1785); Rabinowicz, J. Appl. Phys. 22 (1951)"
    }

    fn parameters(&mut self) -> Vec<LawParameter<'_>> {
        let dynamic =
            self.dynamic.as_mut().map(|value| LawParameter::new("dynamic friction", ParameterUnit::Number, value));
        std::iter::once(LawParameter::new("friction", ParameterUnit::Number, &mut self.fixed)).chain(dynamic).collect()
    }

    fn fault(&self, _joint: &Joint) -> Option<String> {
        if !(self.fixed >= 0.0 && self.fixed.is_finite()) {
            return Some(format!("the friction is {}; it must be zero or more", self.fixed));
        }
        let dynamic = self.dynamic?;
        (!(0.0..=self.fixed).contains(&dynamic)).then(|| {
            format!("the dynamic friction is {dynamic}; it must be between 0 and the static friction {}", self.fixed)
        })
    }
}
