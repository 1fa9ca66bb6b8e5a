//! The report of a solve: status, solver, work, residual.

use serde::{Deserialize, Serialize};

/// Defines [`SolverKind`] with the list and the names of all solvers, so that neither can miss one.
macro_rules! solver_kinds {
    ($(#[doc = $about:literal] $(#[$attribute:meta])* $kind:ident = $name:literal,)*) => {
        /// The solvers that a user can name.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum SolverKind {
            $(#[doc = $about] $(#[$attribute])* $kind,)*
        }

        impl SolverKind {
            /// All solvers, in the order of the help text.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$kind),*];

            /// The name in scenes and on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// The method in one sentence.
            pub fn about(self) -> &'static str {
                match self {
                    $(Self::$kind => $about.trim_ascii(),)*
                }
            }
        }
    };
}

solver_kinds! {
    /// Chooses by size and state of the problem; the next solver takes over where one stalls.
    #[default]
    Auto = "auto",
    /// Block Gauss–Seidel with an exact one-contact solver.
    Nlgs = "nlgs",
    /// Newton on the regularised convex problem (associated law), with multipliers to stay rigid.
    Sap = "sap",
    /// Interior point on second-order cones, for the true law.
    InteriorPoint = "interior-point",
    /// Proximal point around semismooth Newton on the true law.
    ProximalNewton = "proximal-newton",
    /// Semismooth Newton on the true law, without globalisation.
    SemismoothNewton = "semismooth-newton",
    /// Smoothing Newton along the central path of the true law, from any start.
    SmoothingNewton = "smoothing-newton",
    /// Alternating directions with adaptive penalty.
    Admm = "admm",
    /// Accelerated projected gradient with restart.
    Apgd = "apgd",
    /// Preconditioned spectral projected gradient with fallback.
    PSpgFb = "p-spg-fb",
    /// Lemke's pivoting on the problem with faceted cones (exact in 2D).
    Lemke = "lemke",
    /// Gauss–Seidel over interfaces with coupled point forces.
    FaceElements = "face-elements",
}

impl SolverKind {
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
    /// The deadline has passed.
    TimeLimit,
    /// The solver does not support the problem ([`SolverKind::supports`]); nothing was attempted.
    Unsupported,
}

impl Status {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::IterationLimit => "iteration-limit",
            Self::Stalled => "stalled",
            Self::TimeLimit => "time-limit",
            Self::Unsupported => "unsupported",
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
