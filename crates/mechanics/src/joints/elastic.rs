//! Elastic joints: unilateral contact on springs kₙ and k_t per area.
//!
//! Rₙ = −S h kₙ g where g < 0; R_T = −S h k_t δ with δ the elastic part of the slip, the rest slides by Coulomb's law.
//! Both are taken at the time t_k + θh, as the scheme takes stiffnesses: with θ = ½ springs keep their energy, with
//! θ = 1 they come to rest. From the moduli of a bed of mortar of thickness e between blocks of size ℓ:
//! 1/kₙ = e/E_m + ℓ/E_b, 1/k_t = e/G_m + ℓ/G_b, G = E/(2(1 + ν)).
//!
//! A joint has a maximum closure (Bandis, Lumsden & Barton 1983), where the contact becomes rigid: otherwise blocks
//! that fall on each other, and contact points with a very small area, would penetrate deeply.

use super::Joint;
use super::law::{JointLaw, LawParameter, ParameterUnit, positive};

/// Springs per area [Pa/m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elastic {
    /// Normal stiffness kₙ.
    pub normal: f64,
    /// Tangential stiffness k_t.
    pub tangential: f64,
    /// Maximum closure, rigid beyond it [m]; infinite: unlimited.
    pub closure: f64,
    /// Length of a contact point without area.
    pub influence: Influence,
}

/// Length of a contact point in 2D without an area from the geometry.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Influence {
    /// Discs: the mean diameter of the discs of the two materials. Stones in the explicit analysis: half of the
    /// distance of the two points of the joint in the drawing.
    #[default]
    Standard,
    /// This length [m].
    Length(f64),
    /// Stones in the explicit analysis: half of the present distance of the two points.
    Varying {
        /// Smallest length [m]; `None`: a tenth of the longest side.
        least: Option<f64>,
    },
}

/// A layer: thickness, Young's modulus and Poisson's ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// Across the joint [m].
    pub thickness: f64,
    /// Young's modulus [Pa].
    pub modulus: f64,
    /// Poisson's ratio.
    pub poisson: f64,
}

impl Elastic {
    /// Springs without a stop.
    pub const fn new(normal: f64, tangential: f64) -> Self {
        Self { normal, tangential, closure: f64::INFINITY, influence: Influence::Standard }
    }

    /// Both springs in series, 1/k = 1/k₁ + 1/k₂, without a stop.
    pub fn in_series(&self, other: &Self) -> Self {
        let series = |a: f64, b: f64| 1.0 / (1.0 / a + 1.0 / b);
        Self::new(series(self.normal, other.normal), series(self.tangential, other.tangential))
    }

    /// Layers in series.
    ///
    /// ```
    /// # use voussoir_mechanics::joints::elastic::{Elastic, Layer};
    /// let mortar = Layer { thickness: 0.01, modulus: 1e9, poisson: 0.25 };
    /// let joint = Elastic::of_layers(&[mortar]);
    /// assert!((joint.normal - 1e11).abs() < 1.0 && (joint.tangential - 4e10).abs() < 1.0);
    /// ```
    pub fn of_layers(layers: &[Layer]) -> Self {
        let normal: f64 = layers.iter().map(|l| l.thickness / l.modulus).sum();
        let tangential: f64 = layers.iter().map(|l| l.thickness * 2.0 * (1.0 + l.poisson) / l.modulus).sum();
        Self::new(1.0 / normal, 1.0 / tangential)
    }
}

impl JointLaw for Elastic {
    fn key(&self) -> &'static str {
        "elastic"
    }

    fn reference(&self) -> &'static str {
        "Bandis, Lumsden & Barton, Int. J. Rock Mech. Min. Sci. 20 (1983)"
    }

    fn parameters(&mut self) -> Vec<LawParameter<'_>> {
        vec![
            LawParameter::new("normal", ParameterUnit::Stiffness, &mut self.normal),
            LawParameter::new("tangential", ParameterUnit::Stiffness, &mut self.tangential),
            LawParameter::new("closure", ParameterUnit::Length, &mut self.closure),
        ]
    }

    fn fault(&self, _joint: &Joint) -> Option<String> {
        positive("normal stiffness", self.normal)
            .or_else(|| positive("tangential stiffness", self.tangential))
            .or_else(|| self.closure.is_finite().then(|| positive("closure", self.closure)).flatten())
    }

    fn stiffness(&self, _beta: f64, _springs: Option<Elastic>) -> Option<[f64; 2]> {
        Some([self.normal, self.tangential])
    }
}
