//! What a solve says about itself.

use serde::{Deserialize, Serialize};

/// The solvers that a user can name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolverKind {
    /// Picks by size and state, falls back on stall.
    #[default]
    Auto,
    /// Block Gauss–Seidel with an exact one-contact solver.
    Nlgs,
    /// Newton on the regularised convex problem (associated law), with multipliers to stay rigid.
    Sap,
    /// Interior point on second-order cones, for the true law.
    InteriorPoint,
    /// Proximal point around semismooth Newton on the true law.
    ProximalNewton,
    /// Semismooth Newton on the true law, nothing around it.
    SemismoothNewton,
    /// Smoothing Newton along the central path of the true law, from any start.
    SmoothingNewton,
    /// Alternating directions with adaptive penalty.
    Admm,
    /// Accelerated projected gradient with restart.
    Apgd,
    /// Preconditioned spectral projected gradient with fall-back.
    PSpgFb,
    /// Lemke's pivoting on the problem with faceted cones (exact in 2D).
    Lemke,
    /// Gauss–Seidel over interfaces with coupled point forces.
    FaceElements,
}

impl SolverKind {
    /// All of them, in the order in which a user is told about them.
    pub const ALL: [Self; 12] = [
        Self::Auto,
        Self::Nlgs,
        Self::Sap,
        Self::InteriorPoint,
        Self::ProximalNewton,
        Self::SemismoothNewton,
        Self::SmoothingNewton,
        Self::Admm,
        Self::Apgd,
        Self::PSpgFb,
        Self::Lemke,
        Self::FaceElements,
    ];

    /// The name that scenes and the command line use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Nlgs => "nlgs",
            Self::Sap => "sap",
            Self::InteriorPoint => "interior-point",
            Self::ProximalNewton => "proximal-newton",
            Self::SemismoothNewton => "semismooth-newton",
            Self::SmoothingNewton => "smoothing-newton",
            Self::Admm => "admm",
            Self::Apgd => "apgd",
            Self::PSpgFb => "p-spg-fb",
            Self::Lemke => "lemke",
            Self::FaceElements => "face-elements",
        }
    }

    /// The solver of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The residual is below the tolerance.
    Converged,
    /// The iteration limit came first.
    IterationLimit,
    /// No further progress.
    Stalled,
    /// Time was up.
    TimeLimit,
}

impl Status {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::IterationLimit => "iteration-limit",
            Self::Stalled => "stalled",
            Self::TimeLimit => "time-limit",
        }
    }
}

/// The certificate of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolveReport {
    /// How it ended.
    pub status: Status,
    /// Which solver gave the answer.
    pub solver: SolverKind,
    /// Sweeps (NLGS) or Newton steps.
    pub iterations: usize,
    /// Numeric factorisations.
    pub factorisations: usize,
    /// Unit-free natural-map residual of the true Coulomb law.
    pub residual: f64,
    /// Contact with the largest residual.
    pub worst_contact: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_files() {
        for kind in SolverKind::ALL {
            assert_eq!(SolverKind::from_name(kind.name()), Some(kind));
            // kebab-case of the variant, which is how serde writes it
            let words: String = format!("{kind:?}")
                .chars()
                .flat_map(|c| [c.is_uppercase().then_some('-'), Some(c)])
                .flatten()
                .collect();
            assert_eq!(kind.name(), words.trim_start_matches('-').to_lowercase());
        }
        assert_eq!(SolverKind::from_name("magic"), None);
    }
}
