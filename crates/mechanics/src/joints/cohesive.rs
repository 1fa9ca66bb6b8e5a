//! MAC-CZM (Monerie, Acary): adhesion β between 1 (sound) and 0 (broken) that wears off and never heals.
//!
//! R_adh = −S β² (cₙ δₙ, c_T δ_T), beside unilateral contact with friction. With c = cₙ⟨δₙ⟩² + c_T‖δ_T‖² and n = 1/p,
//! wear obeys b β̇ = −⟨β c − w⟩ⁿ, implicit in the step. For p = 1:
//! ```text
//! b > 0:  β' = min(β, (bβ + hw)/(b + hc)),      b = 0:  β' = min(β, w/c)
//! ```
//! For other exponents the same equation is solved by bisection. Mode I without viscosity: peak √(w cₙ) at √(w/cₙ),
//! then σ = w²/(cₙδ³); the energy is w. Reference: Monerie & Acary, Rev. Eur. Élém. Finis 10 (2001).

use super::law::{BondLaw, JointLaw, LawParameter, Replaces, ParameterUnit, positive};
use super::{Elastic, Joint};

/// A bond with a smaller β² is broken.
const BROKEN_BETA_SQUARED: f64 = 1e-9;

/// Parameters per area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cohesive {
    /// Normal stiffness cₙ [Pa/m].
    pub normal: f64,
    /// Tangential stiffness c_T [Pa/m].
    pub tangential: f64,
    /// Energy of decohesion w [J/m²].
    pub energy: f64,
    /// Viscosity b [J·s/m²]; zero: immediate wear.
    pub viscosity: f64,
    /// Exponent p of the wear; 1 as a rule.
    pub exponent: f64,
}

impl Cohesive {
    /// c = cₙ⟨δₙ⟩² + c_T δ_T² [J/m²].
    fn drive(&self, jump: [f64; 2]) -> f64 {
        self.normal * jump[0].max(0.0).powi(2) + self.tangential * jump[1] * jump[1]
    }
}

impl JointLaw for Cohesive {
    fn key(&self) -> &'static str {
        "mac-czm"
    }

    fn reference(&self) -> &'static str {
        "Monerie & Acary, Rev. Eur. Élém. Finis 10 (2001)"
    }

    fn parameters(&mut self) -> Vec<LawParameter<'_>> {
        vec![
            LawParameter::new("normal", ParameterUnit::Stiffness, &mut self.normal),
            LawParameter::new("tangential", ParameterUnit::Stiffness, &mut self.tangential),
            LawParameter::new("energy", ParameterUnit::Energy, &mut self.energy),
            LawParameter::new("viscosity", ParameterUnit::Viscosity, &mut self.viscosity),
            LawParameter::new("exponent", ParameterUnit::Number, &mut self.exponent),
        ]
    }

    fn fault(&self, _joint: &Joint) -> Option<String> {
        positive("normal stiffness of the bond", self.normal)
            .or_else(|| positive("tangential stiffness of the bond", self.tangential))
            .or_else(|| positive("energy of the bond", self.energy))
            .or_else(|| positive("exponent of the bond", self.exponent))
            .or_else(|| {
                (!(self.viscosity >= 0.0 && self.viscosity.is_finite()))
                    .then(|| format!("the viscosity of the bond is {}; it must be zero or more", self.viscosity))
            })
    }

    /// β² (cₙ, c_T).
    fn stiffness(&self, beta: f64, _springs: Option<Elastic>) -> Option<[f64; 2]> {
        Some([beta * beta * self.normal, beta * beta * self.tangential])
    }

    fn stiffness_slope(&self, beta: f64) -> [f64; 2] {
        [2.0 * beta * self.normal, 2.0 * beta * self.tangential]
    }

    /// ```
    /// # use voussoir_mechanics::joints::{Cohesive, JointLaw};
    /// let law = Cohesive { normal: 4e10, tangential: 4e10, energy: 10.0, viscosity: 0.0, exponent: 1.0 };
    /// let peak = (10.0f64 / 4e10).sqrt(); // jump at which the wear begins
    /// assert_eq!(law.worn(1.0, [0.9 * peak, 0.0], 1e-3), 1.0);
    /// assert!((law.worn(1.0, [2.0 * peak, 0.0], 1e-3) - 0.25).abs() < 1e-12);
    /// assert_eq!(law.worn(0.25, [0.5 * peak, 0.0], 1e-3), 0.25); // no healing
    /// ```
    fn worn(&self, beta: f64, jump: [f64; 2], h: f64) -> f64 {
        let c = self.drive(jump);
        if beta * c <= self.energy {
            return beta;
        }
        let (w, b) = (self.energy, self.viscosity);
        let new = if b == 0.0 {
            w / c
        } else if self.exponent == 1.0 {
            (b * beta + h * w) / (b + h * c)
        } else {
            // b (β − x) = h ⟨x c − w⟩^(1/p): the left side falls, the right side grows with x
            let (mut low, mut high) = (w / c, beta);
            for _ in 0..60 {
                let x = 0.5 * (low + high);
                let excess = h * (x * c - w).max(0.0).powf(1.0 / self.exponent);
                if excess > b * (beta - x) { high = x } else { low = x }
            }
            low
        };
        if new * new < BROKEN_BETA_SQUARED { 0.0 } else { new.min(beta) }
    }

    /// F(x, c) = b (β − x) − h (x c − w)^(1/p) = 0 differentiated: ∂x/∂c = −F_c/F_x; for b = 0, x = w/c.
    fn worn_slope(&self, beta: f64, jump: [f64; 2], h: f64) -> [f64; 2] {
        let (c, x) = (self.drive(jump), self.worn(beta, jump, h));
        if x == 0.0 || x >= beta {
            return [0.0; 2];
        }
        let by_drive = if self.viscosity == 0.0 {
            -x / c
        } else {
            let n = 1.0 / self.exponent;
            let rate = h * n * (x * c - self.energy).max(0.0).powf(n - 1.0);
            -rate * x / (self.viscosity + rate * c)
        };
        [2.0 * self.normal * jump[0].max(0.0) * by_drive, 2.0 * self.tangential * jump[1] * by_drive]
    }
}

impl BondLaw for Cohesive {
    fn sample() -> Self {
        Self { normal: 4e10, tangential: 3e10, energy: 10.0, viscosity: 0.02, exponent: 1.0 }
    }

    fn replaces(&self) -> Replaces {
        Replaces::Nothing
    }
}
