//! Laws of joints, one file each behind one interface ([`law`]), chosen by pair of materials.
//!
//! All laws lead to the same contact problem for the solvers: Coulomb's cone between ũ = u + E r + b and r = R + s,
//! R being the impulse that acts on the bodies. A law chooses friction μ, compliance E, bias b and shift s.
//!
//! | module | law | μ | E | s |
//! |---|---|---|---|---|
//! | [`friction`] | static and dynamic friction | by whether it slid | 0 | 0 |
//! | [`restitution`] | impact laws of Newton and Poisson | the joint's | 0 | 0 |
//! | [`elastic`] | unilateral contact on springs kₙ, k_t | the joint's | 1/(h²θ²S k) | 0 |
//! | [`crushing`] | N ≤ f_c S | the joint's | so that rₙ = h f_c S while it crushes | 0 |
//! | [`mohr_coulomb`] | cohesion and tension that break at once | the joint's | as elastic, or 0 | S h c/μ |
//! | [`cohesive`] | MAC-CZM: adhesion β that wears off | far from its cone | 1/(h²θ²S β²c) | a multiple of R |
//! | [`bilinear`] | cohesive zone with independent strength and energy | far from its cone | 1/(h²θ²S (1−D)k) | a multiple of R |
//! | [`glued`] | never breaks | far from its cone | 0 | a multiple of R |
//! | [`hinged`] | never breaks; holds in one point and rotates | far from its cone | 0 | a multiple of R |
//!
//! A **bond** connects one point of an interface ([`Bond`]). It is found once, in the initial configuration, and is
//! attached to a point of each body: re-detection of contacts cannot lose it. Its memory ([`BondMemory`]) is part of
//! the state. Cohesive zones act in addition to the contact, the other bonds replace it while they hold
//! ([`law::Replaces`]).
//!
//! Parameters are per area: stiffness [Pa/m], strength [Pa], energy [J/m²]; in 2D they are multiplied by the depth.
//!
//! **A new bond law** is a file in this folder that implements [`JointLaw`] and [`BondLaw`], one line in `bonds!`
//! below, and a key with its conversion in the scene (`scene/joints.rs` of the crate `voussoir-model`). Checks, scaling
//! with the depth, time stepping and the test of all gradients go through the interface and need no change.
//!
//! [`BondMemory`]: crate::state::BondMemory

pub mod crushing;
pub mod elastic;
pub mod friction;
pub mod law;
pub mod restitution;

pub use crushing::Crushing;
pub use elastic::Elastic;
pub use friction::Friction;
pub use law::{BondLaw, JointLaw};
pub use restitution::Restitution;

/// Declares the modules of the bond laws, and [`Bond`] with the dispatch to them: a law that is not listed here does
/// not exist.
macro_rules! bonds {
    ($($(#[$doc:meta])* $law:ident in $module:ident,)*) => {
        $(pub mod $module;)*
        $(pub use $module::$law;)*

        /// Bonds at the points of an interface.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Bond {
            $($(#[$doc])* $law($law),)*
        }

        impl Bond {
            /// The law behind its interface.
            pub fn law(&self) -> &dyn BondLaw {
                match self {
                    $(Self::$law(law) => law,)*
                }
            }

            /// The law, to change its parameters.
            pub fn law_mut(&mut self) -> &mut dyn BondLaw {
                match self {
                    $(Self::$law(law) => law,)*
                }
            }

            /// Every law once, with typical parameters.
            pub fn samples() -> Vec<Self> {
                vec![$(Self::$law(<$law as BondLaw>::sample())),*]
            }
        }
    };
}

bonds! {
    /// Cohesion and tension that break at once.
    MohrCoulomb in mohr_coulomb,
    /// MAC-CZM: adhesion that wears off.
    Cohesive in cohesive,
    /// Cohesive zone with independent strength and energy.
    Bilinear in bilinear,
    /// Never breaks.
    Glued in glued,
    /// Holds together in the centre of the interface and rotates freely about it.
    Hinged in hinged,
}

/// The laws of an interface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// Coulomb coefficient μ; of joints with `dynamic_friction` until they slide.
    pub friction: f64,
    /// Coefficient while it slides, at most `friction`.
    pub dynamic_friction: Option<f64>,
    /// The impact law.
    pub restitution: Restitution,
    /// Distance of the bodies in contact [m]: thickness of a mortar bed that is not modelled.
    pub thickness: f64,
    /// Springs of the contact; `None`: rigid.
    pub elastic: Option<Elastic>,
    /// The bond; `None`: a dry joint.
    pub bond: Option<Bond>,
    /// Cohesion of the contact [Pa], which acts while the contact is compressed and does not wear: ‖T‖ ≤ c S + μ N.
    pub cohesion: f64,
    /// Compressive strength of the joint [Pa]: a point of area S carries N ≤ f_c S. `None`: unlimited.
    pub strength: Option<f64>,
}

impl Joint {
    /// Dry friction, inelastic, no bond.
    pub const fn coulomb(friction: f64) -> Self {
        Self {
            friction,
            dynamic_friction: None,
            restitution: Restitution::Inelastic,
            thickness: 0.0,
            elastic: None,
            bond: None,
            cohesion: 0.0,
            strength: None,
        }
    }

    /// The friction law.
    pub const fn friction_law(&self) -> Friction {
        Friction { fixed: self.friction, dynamic: self.dynamic_friction }
    }

    /// The crushing law, if there is one.
    pub fn crushing(&self) -> Option<Crushing> {
        self.strength.map(|strength| Crushing { strength })
    }

    /// Calls `visit` for every law of the joint; changes of parameters are kept.
    pub fn visit_laws(&mut self, mut visit: impl FnMut(&mut dyn JointLaw)) {
        let mut friction = self.friction_law();
        visit(&mut friction);
        (self.friction, self.dynamic_friction) = (friction.fixed, friction.dynamic);
        visit(&mut self.restitution);
        if let Some(mut crushing) = self.crushing() {
            visit(&mut crushing);
            self.strength = Some(crushing.strength);
        }
        if let Some(elastic) = &mut self.elastic {
            visit(elastic);
        }
        if let Some(bond) = &mut self.bond {
            visit(bond.law_mut());
        }
    }

    /// The same laws per length of a 2D model that is `depth` metres deep.
    #[must_use]
    pub fn for_depth(mut self, depth: f64) -> Self {
        self.visit_laws(|law| {
            for parameter in law.parameters().into_iter().filter(|parameter| parameter.unit.is_per_area()) {
                *parameter.value *= depth;
            }
        });
        self.cohesion *= depth;
        self
    }

    /// An error message if a parameter is out of range or two laws cannot be combined.
    pub fn fault(&self) -> Option<String> {
        let mut found = None;
        { *self }.visit_laws(|law| found = found.take().or_else(|| law.fault(self)));
        found = found.or_else(|| {
            (!(self.cohesion >= 0.0 && self.cohesion.is_finite()))
                .then(|| format!("the cohesion is {}; it must be zero or more", self.cohesion))
        });
        found.or_else(|| {
            let thickness = self.thickness;
            (!(thickness >= 0.0 && thickness.is_finite()))
                .then(|| format!("the thickness is {thickness}; it must be zero or more"))
        })
    }
}
