//! Which solver supports which problem: the only place that decides it.
//!
//! A problem states its [`Requirements`]; [`SolverKind::supports`] compares them with the abilities of a solver. The
//! dispatch in [`crate::solver`] refuses with [`crate::Status::Unsupported`] whatever `supports` refuses, and checks of
//! scenes and commands ask the same function before anything is computed.
//!
//! | solver | associated law | floors | compliance | local form | limits |
//! |---|---|---|---|---|---|
//! | `auto`, `nlgs` | yes | yes | yes | yes | |
//! | `sap` | yes | no | equal in both tangential directions | no | |
//! | `interior-point` | yes | no | yes | yes | |
//! | `proximal-newton`, `semismooth-newton` | no | yes | yes | yes | |
//! | `smoothing-newton` | no | no | yes | yes | |
//! | `admm`, `apgd`, `p-spg-fb` | yes | no | yes | yes | |
//! | `lemke` | no | no | yes | yes | at most [`lemke::MOST_UNKNOWNS`] unknowns |
//! | `face-elements` | no | no | no | no | 3D |
//!
//! Every solver supports Coulomb friction. No solver combines floors (Poisson restitution) with the associated law.

use crate::delassus::Laws;
use crate::lemke;
use crate::report::SolverKind;

/// What a problem requires of its solver. The default is a rigid problem in 3D with Coulomb friction and few contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirements {
    /// Components per contact.
    pub dim: usize,
    /// Number of contacts.
    pub contacts: usize,
    /// Associated (dilatant) friction in place of Coulomb's.
    pub associated: bool,
    /// A contact has a least normal impulse (expansion phase of Poisson's impact law).
    pub floors: bool,
    /// A contact is compliant.
    pub compliance: bool,
    /// A contact has different compliances in its two tangential directions.
    pub anisotropic: bool,
    /// The problem is given in local form (W, q), without masses and Jacobians.
    pub local: bool,
}

impl Default for Requirements {
    fn default() -> Self {
        Self {
            dim: 3,
            contacts: 0,
            associated: false,
            floors: false,
            compliance: false,
            anisotropic: false,
            local: false,
        }
    }
}

impl Requirements {
    /// Those of some contacts in local (`true`) or global form.
    pub fn of(laws: &Laws<'_>, local: bool) -> Self {
        let mut blocks = laws.compliance.chunks_exact(laws.dim.max(1));
        Self {
            dim: laws.dim,
            contacts: laws.friction.len(),
            associated: laws.associated,
            floors: laws.floor.iter().any(|&floor| floor > 0.0),
            compliance: laws.compliance.iter().any(|&e| e != 0.0),
            anisotropic: blocks.any(|e| e[1..].iter().any(|&other| other != e[1])),
            local,
        }
    }
}

/// A solver does not support a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the solver \"{}\" {reason}", solver.name())]
pub struct Unsupported {
    /// The solver.
    pub solver: SolverKind,
    /// The reason, as the end of a sentence that begins with the solver.
    pub reason: &'static str,
}

/// Abilities of one solver.
struct Abilities {
    associated: bool,
    floors: bool,
    compliance: bool,
    anisotropic: bool,
    local: bool,
    planar: bool,
    /// Most contacts in 2D and in 3D.
    contacts: [usize; 2],
}

const ALL: Abilities = Abilities {
    associated: true,
    floors: true,
    compliance: true,
    anisotropic: true,
    local: true,
    planar: true,
    contacts: [usize::MAX; 2],
};

impl SolverKind {
    fn abilities(self) -> Abilities {
        match self {
            Self::Auto | Self::Nlgs => ALL,
            Self::Sap => Abilities { floors: false, anisotropic: false, local: false, ..ALL },
            Self::InteriorPoint | Self::Admm | Self::Apgd | Self::PSpgFb => Abilities { floors: false, ..ALL },
            Self::ProximalNewton | Self::SemismoothNewton => Abilities { associated: false, ..ALL },
            Self::SmoothingNewton => Abilities { associated: false, floors: false, ..ALL },
            Self::Lemke => {
                Abilities { associated: false, floors: false, contacts: [2, 3].map(lemke::most_contacts), ..ALL }
            }
            Self::FaceElements => Abilities {
                associated: false,
                floors: false,
                compliance: false,
                anisotropic: false,
                local: false,
                planar: false,
                ..ALL
            },
        }
    }

    /// Says whether this solver supports a problem with the given requirements, and the reason if not.
    ///
    /// ```
    /// # use voussoir_contact::{Requirements, SolverKind};
    /// let associated = Requirements { associated: true, ..Requirements::default() };
    /// assert!(SolverKind::Auto.supports(&associated).is_ok());
    /// let refused = SolverKind::ProximalNewton.supports(&associated).unwrap_err();
    /// assert_eq!(
    ///     refused.to_string(),
    ///     "the solver \"proximal-newton\" supports Coulomb friction only, not the associated law"
    /// );
    /// ```
    pub fn supports(self, needed: &Requirements) -> Result<(), Unsupported> {
        let able = self.abilities();
        let most = able.contacts[usize::from(needed.dim == 3)];
        let checks = [
            (needed.associated && !able.associated, "supports Coulomb friction only, not the associated law"),
            (needed.floors && !able.floors, "does not support least normal impulses (Poisson restitution)"),
            (
                needed.associated && needed.floors,
                "does not support Poisson restitution together with the associated law; no solver does",
            ),
            (needed.compliance && !able.compliance, "supports rigid contacts only, not compliant ones"),
            (
                needed.anisotropic && !able.anisotropic,
                "needs equal compliances in both tangential directions of a contact",
            ),
            (needed.local && !able.local, "needs the global form of the problem (masses and Jacobians)"),
            (needed.dim == 2 && !able.planar, "supports problems in 3D only"),
            (needed.contacts > most, "works on a dense tableau; the problem has too many contacts for it"),
        ];
        match checks.iter().find(|(refused, _)| *refused) {
            Some(&(_, reason)) => Err(Unsupported { solver: self, reason }),
            None => Ok(()),
        }
    }
}
