//! Mohr–Coulomb with tension cut-off: ‖T‖ ≤ S c + μN and N ≥ −S f_t hold while the bond does.
//!
//! The cone is Coulomb's with its tip at N = −S c/μ: the shift s = h S c/μ along the normal makes it Coulomb's. A point
//! that reaches the cone or the cut-off breaks in that step, at once and for good, and is a dry joint from then on.

/// Strengths per area [Pa].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MohrCoulomb {
    /// Cohesion c.
    pub cohesion: f64,
    /// Tensile strength f_t, at most c/μ.
    pub tension: f64,
}

impl MohrCoulomb {
    /// Distance of the cone's tip from zero [Pa].
    pub fn tip(&self, friction: f64) -> f64 {
        self.cohesion / friction
    }

    /// What is wrong with the numbers, if anything.
    pub(super) fn fault(&self, friction: f64) -> Option<String> {
        super::positive("cohesion", self.cohesion).or_else(|| {
            if friction <= 0.0 || friction.is_nan() {
                return Some("a joint with cohesion needs friction above zero".to_owned());
            }
            let tip = self.tip(friction);
            (!(self.tension >= 0.0 && self.tension <= tip * (1.0 + 1e-12))).then(|| {
                format!(
                    "the tensile strength is {} Pa; with this cohesion and friction it is between 0 and c/μ = {tip:.4e} Pa",
                    self.tension
                )
            })
        })
    }
}
