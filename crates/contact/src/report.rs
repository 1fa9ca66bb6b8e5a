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
