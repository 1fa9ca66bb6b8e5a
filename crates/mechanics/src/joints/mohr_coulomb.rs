//! Mohr–Coulomb with tension cut-off: ‖T‖ ≤ S c + μN and N ≥ −S f_t hold while the bond does.
//!
//! The cone is Coulomb's with its tip at N = −S c/μ: the shift s = h S c/μ along the normal makes it Coulomb's. A point
//! that reaches the cone or the cut-off breaks in that step, at once and for good, and is a dry joint from then on. The
//! bond is rigid, or as stiff as the springs of the contact. Reference: Lourenço & Rots, J. Eng. Mech. 123 (1997).

use super::law::{BondLaw, BondStrength, JointLaw, LawParameter, Replaces, ParameterUnit, positive};
use super::{Elastic, Joint};

/// Strengths per area [Pa].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MohrCoulomb {
    /// Cohesion c.
    pub cohesion: f64,
    /// Tensile strength f_t, at most c/μ.
    pub tension: f64,
}

impl MohrCoulomb {
    /// Distance of the cone's tip from zero, c/μ [Pa].
    pub fn tip(&self, friction: f64) -> f64 {
        self.cohesion / friction
    }
}

impl JointLaw for MohrCoulomb {
    fn key(&self) -> &'static str {
        "mohr-coulomb"
    }

    fn reference(&self) -> &'static str {
        "Lourenço & Rots, J. Eng. Mech. 123 (1997)"
    }

    fn parameters(&mut self) -> Vec<LawParameter<'_>> {
        vec![
            LawParameter::new("cohesion", ParameterUnit::Stress, &mut self.cohesion),
            LawParameter::new("tension", ParameterUnit::Stress, &mut self.tension),
        ]
    }

    fn fault(&self, joint: &Joint) -> Option<String> {
        let friction = joint.friction;
        positive("cohesion", self.cohesion).or_else(|| {
            if friction <= 0.0 || friction.is_nan() {
                return Some("a joint with cohesion needs friction above zero".to_owned());
            }
            let tip = self.tip(friction);
            (!(self.tension >= 0.0 && self.tension <= tip * (1.0 + 1e-12))).then(|| {
                format!(
                    "the tensile strength is {} Pa; with this cohesion and friction it must be between 0 and c/μ = \
                     {tip:.4e} Pa",
                    self.tension
                )
            })
        })
    }

    fn stiffness(&self, _beta: f64, springs: Option<Elastic>) -> Option<[f64; 2]> {
        springs.map(|springs| [springs.normal, springs.tangential])
    }
}

impl BondLaw for MohrCoulomb {
    fn sample() -> Self {
        Self { cohesion: 2e5, tension: 1e5 }
    }

    fn replaces(&self) -> Replaces {
        Replaces::Contact
    }

    fn strength(&self, friction: f64) -> Option<BondStrength> {
        Some(BondStrength { tip: self.tip(friction), tension: self.tension })
    }
}
