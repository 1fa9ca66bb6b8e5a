//! Conic programs over the forces of a structure.
//!
//! ```text
//! minimise  c·r − λ     over r, λ
//! subject   Jᵀ r + λ f_L + f_D = 0            equilibrium of every node      (multiplier v)
//!           F r + g ∈ K                       what the elements can carry    (multiplier z ∈ K*)
//! ```
//! The multipliers are velocities: J v + c = Fᵀ z, f_L·v = 1, and f_D·v − g·z bounds c·r − λ from below. Without a
//! load f_L there is no λ. K is a product of half-lines and Lorentz cones of three dimensions.
//!
//! | module | content |
//! |---|---|
//! | [`program`] | the data |
//! | [`cone`] | half-lines and Lorentz cones: Nesterov–Todd scaling, steps to the boundary |
//! | [`normal`] | the sparse matrix Jᵀ H⁻¹ J of a Newton step |
//! | [`interior`], `newton`, `krylov` | own interior-point solver on the homogeneous self-dual embedding: iteration, linearisation and directions, linear system of a step |
//! | [`reference`] | the same programs through clarabel |
//! | [`bounds`] | bounds from any forces and velocities, independent of the solver |

pub mod bounds;
pub mod cone;
pub mod interior;
mod krylov;
mod newton;
pub mod normal;
pub mod program;
#[cfg(not(target_family = "wasm"))]
pub mod reference;

pub use program::Program;

use serde::Serialize;

/// Solver of conic programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// Own interior-point solver.
    #[default]
    Own,
    /// Clarabel; on wasm32, where clarabel has no clock, our interior point solves instead.
    Clarabel,
}

impl Engine {
    /// The other solver.
    pub fn other(self) -> Self {
        match self {
            Self::Own => Self::Clarabel,
            Self::Clarabel => Self::Own,
        }
    }
}

/// Outcome of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Optimal forces and velocities.
    Optimal,
    /// Infeasible for any λ: `velocities` is a mechanism driven by f_D.
    NoForces,
    /// Unbounded objective: `forces` and `multiplier` are a direction of unbounded decrease.
    Unbounded,
    /// The accuracy was exhausted before an outcome was certain.
    Stalled,
}

/// Solution of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramSolution {
    /// Outcome.
    pub outcome: Outcome,
    /// r (components).
    pub forces: Vec<f64>,
    /// λ.
    pub multiplier: f64,
    /// v (nodes × dofs).
    pub velocities: Vec<f64>,
    /// z (rows): dissipation multipliers of the limits of the elements; in K.
    pub spent: Vec<f64>,
    /// c·r − λ.
    pub primal: f64,
    /// f_D·v − g·z.
    pub dual: f64,
    /// Imbalance of forces relative to the loads.
    pub imbalance: f64,
    /// Violation of J v + c = Fᵀ z relative to the largest relative velocity.
    pub incompatibility: f64,
    /// Newton steps.
    pub iterations: usize,
}

/// Solves a program.
pub fn solve(program: &Program, engine: Engine) -> ProgramSolution {
    match engine {
        Engine::Own => interior::solve(program),
        #[cfg(not(target_family = "wasm"))]
        Engine::Clarabel => reference::solve(program),
        #[cfg(target_family = "wasm")]
        Engine::Clarabel => interior::solve(program),
    }
}
