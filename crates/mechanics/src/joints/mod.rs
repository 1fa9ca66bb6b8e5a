//! Laws of joints, one file each, chosen by pair of materials.
//!
//! Every law is written so that the solvers see one problem only: Coulomb's cone between ũ = u + E r + b and r = R + s,
//! R being the impulse that acts on the bodies. A law chooses friction μ, compliance E, bias b and shift s.
//!
//! | module | law | μ | E | s |
//! |---|---|---|---|---|
//! | [`friction`] | static and dynamic friction | by whether it slid | 0 | 0 |
//! | [`elastic`] | unilateral contact on springs kₙ, k_t | the joint's | 1/(h²θ²S k) | 0 |
//! | [`crushing`] | N ≤ f_c S | the joint's | so that rₙ = h f_c S while it crushes | 0 |
//! | [`mohr_coulomb`] | cohesion and tension that break at once | the joint's | as elastic, or 0 | S h c/μ |
//! | [`cohesive`] | MAC-CZM: adhesion β that wears off | far from its cone | 1/(h²θ²S β²c) | a multiple of R |
//! | [`bilinear`] | cohesive zone with strength and energy apart | far from its cone | 1/(h²θ²S (1−D)k) | a multiple of R |
//! | glued, hinged | never breaks; a hinge holds in one point and turns | far from its cone | 0 | a multiple of R |
//!
//! A **bond** is what sticks at one point of an interface ([`Bond`]). It is found once, where the bodies start, and holds
//! on to a point of each body: re-detection of contacts cannot lose it. What changes is its [`BondMemory`], part of the
//! state. Cohesive zones act beside the contact, the other bonds in its place while they hold.
//!
//! Parameters are per area: stiffness [Pa/m], strength [Pa], energy [J/m²]; in 2D they are multiplied by the depth.
//!
//! [`BondMemory`]: crate::state::BondMemory

pub mod bilinear;
pub mod cohesive;
pub mod crushing;
pub mod elastic;
pub mod friction;
pub mod mohr_coulomb;

pub use bilinear::Bilinear;
pub use cohesive::Cohesive;
pub use elastic::Elastic;
pub use mohr_coulomb::MohrCoulomb;

use crate::model::Restitution;

/// The law of an interface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// Coulomb coefficient μ; of joints with `dynamic_friction` until they slide.
    pub friction: f64,
    /// Coefficient while it slides, at most `friction`.
    pub dynamic_friction: Option<f64>,
    /// What happens at an impact.
    pub restitution: Restitution,
    /// Distance at which the bodies touch [m]: the bed of mortar that is not modelled.
    pub thickness: f64,
    /// Springs of the contact; `None`: rigid.
    pub elastic: Option<Elastic>,
    /// What sticks.
    pub bond: Option<Bond>,
    /// Compressive strength of the joint [Pa]: a point of area S carries N ≤ f_c S. `None`: no limit.
    pub strength: Option<f64>,
}

impl Joint {
    /// Dry friction, inelastic, nothing that sticks.
    pub const fn coulomb(friction: f64) -> Self {
        Self {
            friction,
            dynamic_friction: None,
            restitution: Restitution::Inelastic,
            thickness: 0.0,
            elastic: None,
            bond: None,
            strength: None,
        }
    }

    /// The same law per length of a 2D model that is `depth` metres deep.
    #[must_use]
    pub fn for_depth(mut self, depth: f64) -> Self {
        let by = |pair: [f64; 2]| pair.map(|x| x * depth);
        if let Some(elastic) = &mut self.elastic {
            [elastic.normal, elastic.tangential] = by([elastic.normal, elastic.tangential]);
        }
        self.strength = self.strength.map(|strength| strength * depth);
        match &mut self.bond {
            Some(Bond::MohrCoulomb(law)) => [law.cohesion, law.tension] = by([law.cohesion, law.tension]),
            Some(Bond::Cohesive(law)) => {
                [law.normal, law.tangential] = by([law.normal, law.tangential]);
                [law.energy, law.viscosity] = by([law.energy, law.viscosity]);
            }
            Some(Bond::Bilinear(law)) => {
                (law.stiffness, law.strength, law.energy) = (by(law.stiffness), by(law.strength), by(law.energy));
            }
            Some(Bond::Glued | Bond::Hinged) | None => {}
        }
        self
    }

    /// What is wrong with the numbers, if anything.
    pub fn fault(&self) -> Option<String> {
        let not_negative = |what: &str, x: f64| {
            (!(x >= 0.0 && x.is_finite())).then(|| format!("the {what} is {x}, it must be zero or more"))
        };
        let restitution = match self.restitution {
            Restitution::Newton(e) | Restitution::Poisson(e) if !(0.0..=1.0).contains(&e) => {
                Some(format!("restitution is {e}, it must be between 0 and 1"))
            }
            Restitution::Newton(_) | Restitution::Poisson(_) if self.elastic.is_some() || self.bond.is_some() => {
                Some("restitution belongs to rigid dry joints; springs and bonds have their own".to_owned())
            }
            _ => None,
        };
        not_negative("friction", self.friction)
            .or_else(|| not_negative("thickness", self.thickness))
            .or(restitution)
            .or_else(|| friction::fault(self))
            .or_else(|| crushing::fault(self))
            .or_else(|| self.elastic.and_then(|elastic| elastic.fault()))
            .or_else(|| self.bond.and_then(|bond| bond.fault(self.friction)))
    }
}

/// What sticks at the points of an interface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bond {
    /// Cohesion and tension that break at once.
    MohrCoulomb(MohrCoulomb),
    /// MAC-CZM.
    Cohesive(Cohesive),
    /// Cohesive zone with strength and energy apart.
    Bilinear(Bilinear),
    /// Never lets go.
    Glued,
    /// Holds together in the middle of the interface and turns freely there.
    Hinged,
}

impl Bond {
    /// True when it acts beside the contact, false when it takes the contact's place while it holds.
    pub fn beside_contact(&self) -> bool {
        matches!(self, Self::Cohesive(_) | Self::Bilinear(_))
    }

    /// Stiffness per area (normal, tangential) of a bond that is sound to the degree `beta` [Pa/m]; `None`: rigid.
    pub fn stiffness(&self, beta: f64, elastic: Option<Elastic>) -> Option<[f64; 2]> {
        match self {
            Self::Cohesive(law) => Some(law.stiffness(beta)),
            Self::Bilinear(law) => Some(law.stiffness(beta)),
            Self::MohrCoulomb(_) => elastic.map(|elastic| [elastic.normal, elastic.tangential]),
            Self::Glued | Self::Hinged => None,
        }
    }

    /// How sound the bond is after a step of `h` seconds that ends with the jump (normal, tangential) [m].
    pub fn worn(&self, beta: f64, jump: [f64; 2], h: f64) -> f64 {
        match self {
            Self::Cohesive(law) => law.worn(beta, jump, h),
            Self::Bilinear(law) => law.worn(beta, jump),
            Self::MohrCoulomb(_) | Self::Glued | Self::Hinged => beta,
        }
    }

    /// What is wrong with the numbers, if anything.
    fn fault(&self, friction: f64) -> Option<String> {
        match self {
            Self::MohrCoulomb(law) => law.fault(friction),
            Self::Cohesive(law) => law.fault(),
            Self::Bilinear(law) => law.fault(),
            Self::Glued | Self::Hinged => None,
        }
    }
}

/// A number that must be above zero.
fn positive(what: &str, x: f64) -> Option<String> {
    (!(x > 0.0 && x.is_finite())).then(|| format!("the {what} is {x}, it must be above zero"))
}
