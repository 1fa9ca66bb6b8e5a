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
//! | module | what lives there |
//! |---|---|
//! | [`program`] | the data |
//! | [`cone`] | half-lines and Lorentz cones: Nesterov–Todd scaling, steps to the boundary |
//! | [`normal`] | the sparse matrix Jᵀ H⁻¹ J of a Newton step |
//! | [`interior`], `newton`, `krylov` | our interior point on the homogeneous self-dual embedding: its iteration, a linearisation with its directions, the linear system of a step |
//! | [`reference`] | the same programs through clarabel |
//! | [`bounds`] | what forces and velocities prove, whoever found them |

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

/// Which solver of conic programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// Our interior point.
    #[default]
    Own,
    /// Clarabel; on wasm32, where clarabel has no clock, our interior point solves instead.
    Clarabel,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Forces and velocities that prove each other best.
    Optimal,
    /// No forces carry the load f_D, whatever λ: `velocities` is a mechanism on which it does positive work.
    NoForces,
    /// The objective has no bound: `forces` and `multiplier` are a direction along which it falls for ever.
    Unbounded,
    /// Digits were lost before any of the answers was certain.
    Stalled,
}

/// What a solver found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// How it ended.
    pub outcome: Outcome,
    /// r (components).
    pub forces: Vec<f64>,
    /// λ.
    pub multiplier: f64,
    /// v (nodes × dofs).
    pub velocities: Vec<f64>,
    /// z (rows): what the velocities spend on the limits of the elements; in K.
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
pub fn solve(program: &Program, engine: Engine) -> Solution {
    match engine {
        Engine::Own => interior::solve(program),
        #[cfg(not(target_family = "wasm"))]
        Engine::Clarabel => reference::solve(program),
        #[cfg(target_family = "wasm")]
        Engine::Clarabel => interior::solve(program),
    }
}
