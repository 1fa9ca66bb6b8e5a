//! The interface of joint laws: description, parameters with units, force, gradient, memory, energy.
//!
//! A law acts at a point of an interface, per area. Its input is the jump δ = (δₙ, δ_t) of the two bodies at the point
//! [m], δₙ > 0 where they move apart. Its memory is the soundness β of the point, 1 (sound) … 0 (broken), which never
//! grows. In a step of h seconds that ends with the jump δ:
//! ```text
//! β' = worn(β, δ, h)                       memory at the end of the step
//! t  = K(β') δ,  K = diag(kₙ, k_t)         traction that resists the jump [Pa]
//! dt/dδ = K(β') + K'(β') δ ⊗ ∂β'/∂δ        tangent [Pa/m]
//! w  = ½ δ·K(β')δ                          stored energy [J/m²]; ∂w/∂δ = t at constant β'
//! ```
//! A law without a stiffness is rigid: it has no traction of its own, the solver finds the force.

use std::fmt::Debug;

use super::{Elastic, Joint};

/// Units of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterUnit {
    /// A pure number.
    Number,
    /// m
    Length,
    /// Pa
    Stress,
    /// Pa/m
    Stiffness,
    /// J/m²
    Energy,
    /// J·s/m²
    Viscosity,
}

impl ParameterUnit {
    /// Symbol of the unit.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Number => "1",
            Self::Length => "m",
            Self::Stress => "Pa",
            Self::Stiffness => "Pa/m",
            Self::Energy => "J/m²",
            Self::Viscosity => "J·s/m²",
        }
    }

    /// True for quantities per area: in a 2D model they are multiplied by the depth.
    pub fn is_per_area(self) -> bool {
        matches!(self, Self::Stress | Self::Stiffness | Self::Energy | Self::Viscosity)
    }
}

/// A parameter of a law.
#[derive(Debug, PartialEq)]
pub struct LawParameter<'a> {
    /// Name, as in scenes.
    pub name: &'static str,
    /// Unit.
    pub unit: ParameterUnit,
    /// Its value.
    pub value: &'a mut f64,
}

impl<'a> LawParameter<'a> {
    /// A parameter.
    pub fn new(name: &'static str, unit: ParameterUnit, value: &'a mut f64) -> Self {
        Self { name, unit, value }
    }

    /// The values for the normal and the tangential direction.
    pub fn pair(names: [&'static str; 2], unit: ParameterUnit, values: &'a mut [f64; 2]) -> [Self; 2] {
        let [normal, tangential] = values;
        [Self::new(names[0], unit, normal), Self::new(names[1], unit, tangential)]
    }
}

/// A law of a joint.
pub trait JointLaw: Debug {
    /// Its key in scenes.
    fn key(&self) -> &'static str;

    /// Reference of the law.
    fn reference(&self) -> &'static str;

    /// All parameters, per area where their unit says so; default: none.
    fn parameters(&mut self) -> Vec<LawParameter<'_>> {
        Vec::new()
    }

    /// An error message if a parameter is out of range, alone or together with the rest of the `joint`.
    fn fault(&self, joint: &Joint) -> Option<String> {
        let _ = joint;
        None
    }

    /// K(β): secant stiffness per area, normal and tangential [Pa/m]; `springs` are those of the contact. `None`:
    /// rigid.
    fn stiffness(&self, beta: f64, springs: Option<Elastic>) -> Option<[f64; 2]> {
        let _ = (beta, springs);
        None
    }

    /// K'(β): derivative of the stiffness by the soundness [Pa/m].
    fn stiffness_slope(&self, beta: f64) -> [f64; 2] {
        let _ = beta;
        [0.0; 2]
    }

    /// β' after a step of `h` seconds that ends with the `jump` [m]: the soundness at its start, or less.
    fn worn(&self, beta: f64, jump: [f64; 2], h: f64) -> f64 {
        let _ = (jump, h);
        beta
    }

    /// ∂β'/∂δ [1/m].
    fn worn_slope(&self, beta: f64, jump: [f64; 2], h: f64) -> [f64; 2] {
        let _ = (beta, jump, h);
        [0.0; 2]
    }

    /// The response to a `jump` at the end of a step that starts with the soundness `beta`; `None` for a rigid law.
    fn response(&self, beta: f64, jump: [f64; 2], h: f64, springs: Option<Elastic>) -> Option<Response> {
        let beta_end = self.worn(beta, jump, h);
        let k = self.stiffness(beta_end, springs)?;
        let (slope, wear) = (self.stiffness_slope(beta_end), self.worn_slope(beta, jump, h));
        let mut tangent = [[0.0; 2]; 2];
        for (i, row) in tangent.iter_mut().enumerate() {
            row[i] = k[i];
            for (t, wear) in row.iter_mut().zip(wear) {
                *t += slope[i] * jump[i] * wear;
            }
        }
        Some(Response {
            beta: beta_end,
            traction: [k[0] * jump[0], k[1] * jump[1]],
            tangent,
            energy: 0.5 * (k[0] * jump[0] * jump[0] + k[1] * jump[1] * jump[1]),
        })
    }
}

/// Response of a law to a jump, per area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response {
    /// Soundness at the end of the step.
    pub beta: f64,
    /// Traction that resists the jump, normal and tangential [Pa].
    pub traction: [f64; 2],
    /// Derivative of the traction by the jump, wear included [Pa/m].
    pub tangent: [[f64; 2]; 2],
    /// Stored energy [J/m²].
    pub energy: f64,
}

/// A bond law: a joint law at the points of an interface, possibly with a strength.
pub trait BondLaw: JointLaw {
    /// A law with typical parameters, for tests and documentation.
    fn sample() -> Self
    where
        Self: Sized;

    /// Contacts that the bond replaces while it holds.
    fn replaces(&self) -> Replaces;

    /// True for a bond in one point, the centre of the interface; false for a bond at every contact point.
    fn is_central(&self) -> bool {
        false
    }

    /// The strength of a bond that breaks at once, with the friction coefficient of its joint; `None`: it wears or
    /// never breaks.
    fn strength(&self, friction: f64) -> Option<BondStrength> {
        let _ = friction;
        None
    }
}

/// Contacts that a bond replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaces {
    /// None: the bond acts in addition to the contact.
    Nothing,
    /// The contact at its own point.
    Contact,
    /// All contacts between its two bodies.
    Pair,
}

/// Strength per area of a bond that breaks at once [Pa].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BondStrength {
    /// Normal traction at the tip of the cone, c/μ.
    pub tip: f64,
    /// Tension cut-off.
    pub tension: f64,
}

/// An error message for a number that is not above zero.
pub(super) fn positive(what: &str, x: f64) -> Option<String> {
    (!(x > 0.0 && x.is_finite())).then(|| format!("the {what} is {x}; it must be above zero"))
}
