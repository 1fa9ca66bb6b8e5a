//! Joint laws between materials: friction, impact, springs, bonds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use voussoir_mechanics::joints;

use super::{is_false, numbers};

/// The law between two materials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Joint")]
pub struct JointSpec {
    /// The two materials; `"*"` means any material without a specific joint.
    #[serde(deserialize_with = "numbers::two_words")]
    pub between: [String; 2],
    /// The law; Coulomb friction with unilateral contact is the default.
    #[serde(default)]
    pub law: LawSpec,
    /// Coefficient of friction μ, zero or more, or `{ barton = {…} }`; no effect for law = "none".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friction: Option<FrictionSpec>,
    /// Coefficient of friction while a contact slides, at most `friction`; default: the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dynamic_friction: Option<f64>,
    /// Restitution at impacts: a number e (Newton), `{ newton = e }` or `{ poisson = e }`, 0 … 1. Default 0: inelastic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restitution: Option<RestitutionSpec>,
    /// Distance at which the bodies are in contact [m]: thickness of mortar beds that are not modelled. Default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thickness: Option<f64>,
    /// Initial gaps up to `thickness` count as zero: mortar beds of any shape fill them. Default false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub initial_gap: bool,
    /// Springs of the joint: `{ normal = kn, tangential = kt }` [Pa/m], or from the moduli of `mortar` and `block`, or all
    /// of them in series. Default: rigid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elastic: Option<ElasticSpec>,
    /// Bond: "glued", "hinged", `{ mohr-coulomb = {…} }`, `{ mac-czm = {…} }` or `{ bilinear = {…} }`. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bond: Option<BondSpec>,
    /// Cohesion c of soil [Pa]: ‖T‖ ≤ c S + μ N while pressed, never used up (a bond is something else). Needs `elastic`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cohesion: Option<f64>,
    /// Crushing: the contact stress is limited to the smaller compressive strength of the two materials; rigid dry joints
    /// only. Default false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub crushing: bool,
}

impl JointSpec {
    /// Dry friction.
    pub fn coulomb(between: [String; 2], friction: f64) -> Self {
        Self {
            between,
            law: LawSpec::Coulomb,
            friction: Some(FrictionSpec::Coefficient(friction)),
            dynamic_friction: None,
            restitution: None,
            thickness: None,
            initial_gap: false,
            elastic: None,
            bond: None,
            cohesion: None,
            crushing: false,
        }
    }
}

/// A coefficient of friction, or the roughness that determines it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a number or { barton = { jrc, jcs, phi_r_deg, normal_stress } }")]
#[schemars(rename = "Friction")]
pub enum FrictionSpec {
    /// μ.
    Coefficient(f64),
    /// Friction from the roughness of the joint.
    Rough(RoughFriction),
}

/// Friction of a rough joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoughFriction {
    /// μ = tan(JRC log₁₀(JCS/σₙ) + φ_r), at most tan 70° (Barton and Choubey 1977).
    pub barton: BartonSpec,
}

/// Roughness, strength and normal stress of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Barton")]
pub struct BartonSpec {
    /// Joint roughness coefficient JRC, 0 smooth … 20 rough.
    pub jrc: f64,
    /// Compressive strength of the joint wall JCS [Pa].
    pub jcs: f64,
    /// Residual angle of friction φ_r [degrees].
    pub phi_r_deg: f64,
    /// Normal stress σₙ on the joint [Pa].
    pub normal_stress: f64,
}

/// Laws of joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Law")]
pub enum LawSpec {
    /// Unilateral contact with dry friction (true, non-associated Coulomb law).
    #[default]
    Coulomb,
    /// No contact: the bodies pass through each other.
    None,
}

/// Impact laws with their coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a number, { newton = e } or { poisson = e }")]
#[schemars(rename = "Restitution")]
pub enum RestitutionSpec {
    /// Newton's coefficient.
    Coefficient(f64),
    /// Newton or Poisson.
    Law(RestitutionLaw),
}

/// Which impact law.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RestitutionLaw {
    /// The normal velocity is reversed: uₙ⁺ = −e uₙ⁻.
    Newton(f64),
    /// The expansion impulse is e times the compression impulse.
    Poisson(f64),
}

/// Springs per area: `normal` and `tangential`, or `mortar` and/or `block`; what is given acts in series,
/// 1/k = 1/k' + ℓ/E.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Elastic")]
pub struct ElasticSpec {
    /// Normal stiffness kn [Pa/m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normal: Option<f64>,
    /// Tangential stiffness kt [Pa/m].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tangential: Option<f64>,
    /// The mortar bed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mortar: Option<LayerSpec>,
    /// The compliant part of the two blocks, usually from centroid to centroid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<LayerSpec>,
    /// Maximum closure [m], rigid beyond it. Default: unlimited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closure: Option<f64>,
    /// Length that a contact point without area stands for, in 2D: a number [m], "mean-diameter" (default for discs),
    /// "fixed" (default for stones in explicit stages) or `{ varying = { least = … } }`. In dynamic stages points of
    /// discs are rigid unless it is a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub influence: Option<InfluenceSpec>,
}

/// Length of contact points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a length, \"mean-diameter\", \"fixed\" or { varying = { least = … } }")]
#[schemars(rename = "Influence")]
pub enum InfluenceSpec {
    /// [m]
    Length(f64),
    /// A rule by name.
    Word(InfluenceWord),
    /// A rule with numbers.
    Law(InfluenceLaw),
}

/// Rules for lengths of contact points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InfluenceWord {
    /// Mean diameter of the discs of the two materials.
    MeanDiameter,
    /// Half of the distance of the two points of the joint as drawn.
    Fixed,
}

/// Rules with numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InfluenceLaw {
    /// Half of the present distance of the two points.
    Varying(VaryingInfluence),
}

/// Lengths that follow the contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VaryingInfluence {
    /// Smallest length [m]; default: a tenth of the longest side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<f64>,
}

/// A layer of elastic material across a joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Layer")]
pub struct LayerSpec {
    /// Thickness across the joint [m].
    pub thickness: f64,
    /// Young's modulus [Pa].
    pub modulus: f64,
    /// Poisson's ratio; default 0.2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poisson: Option<f64>,
}

/// Bonds of interfaces that have an area at the start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Bond")]
pub enum BondSpec {
    /// Unbreakable, all relative motion blocked.
    Glued,
    /// Unbreakable hinge at the centre of the interface, free to rotate.
    Hinged,
    /// Cohesion and tensile strength with brittle failure.
    MohrCoulomb(MohrCoulombSpec),
    /// Cohesive zone MAC-CZM with progressive damage.
    MacCzm(MacCzm),
    /// Cohesive zone with independent strength and energy.
    Bilinear(BilinearSpec),
}

impl BondSpec {
    /// The law of the bond, for a joint with a given friction coefficient.
    pub fn law(self, friction: f64) -> joints::Bond {
        match self {
            Self::Glued => joints::Bond::Glued(joints::Glued),
            Self::Hinged => joints::Bond::Hinged(joints::Hinged),
            Self::MohrCoulomb(law) => joints::Bond::MohrCoulomb(joints::MohrCoulomb {
                cohesion: law.cohesion,
                tension: law.tension.unwrap_or(law.cohesion / friction),
            }),
            Self::MacCzm(law) => joints::Bond::Cohesive(joints::Cohesive {
                normal: law.normal,
                tangential: law.tangential,
                energy: law.energy,
                viscosity: law.viscosity.unwrap_or(0.0),
                exponent: law.exponent.unwrap_or(1.0),
            }),
            Self::Bilinear(law) => joints::Bond::Bilinear(joints::Bilinear {
                stiffness: law.stiffness.0,
                strength: law.strength.0,
                energy: law.energy.0,
            }),
        }
    }
}

/// |T| ≤ c S + μ N and N ≥ −f_t S while intact; dry friction after failure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "MohrCoulomb")]
pub struct MohrCoulombSpec {
    /// Cohesion c [Pa].
    pub cohesion: f64,
    /// Tensile strength f_t [Pa], at most c/μ; default c/μ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tension: Option<f64>,
}

/// Traction β² (cn δn, ct δt); peak √(w c), energy w. The peak follows from stiffness and energy; use `bilinear` for an
/// independent strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MacCzm {
    /// Normal stiffness cn [Pa/m].
    pub normal: f64,
    /// Tangential stiffness ct [Pa/m].
    pub tangential: f64,
    /// Energy of decohesion w [J/m²].
    pub energy: f64,
    /// Viscosity b [J·s/m²]; default 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viscosity: Option<f64>,
    /// Exponent p of the damage law, b β̇ = −⟨β c − w⟩^(1/p); default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exponent: Option<f64>,
}

/// The traction rises to the strength and decreases linearly; each pair of numbers is for opening (mode I) and sliding
/// (mode II), mixed modes by (t/f)² and G/G_c.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Bilinear")]
pub struct BilinearSpec {
    /// Stiffness [kn, kt] [Pa/m].
    pub stiffness: numbers::Numbers<2>,
    /// Strength in tension and in shear [Pa].
    pub strength: numbers::Numbers<2>,
    /// Energy in mode I and in mode II [J/m²].
    pub energy: numbers::Numbers<2>,
}
