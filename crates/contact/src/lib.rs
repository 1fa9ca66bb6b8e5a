//! The discrete frictional contact problem and its solvers. Knows no bodies and no geometry.
//!
//! ```text
//! M (v − v*) = H r,   u = Hᵀ v + b,   K* ∋ u + E r + μ‖u_T‖ n ⊥ r ∈ K = { ‖r_T‖ ≤ μ rₙ }
//! ```
//! A *node* is a group of velocities with its own mass block: a rigid body with 3 or 6 velocities, or a body with any
//! number of velocities. A *contact* has `dim` components ordered (n, t1\[, t2\]); r are impulses \[N·s\], u relative velocities \[m/s\].
//!
//! | module | what lives there |
//! |---|---|
//! | [`problem`] | the global form (M, H, v*, b) |
//! | [`mass_block`] | nodes with any number of velocities |
//! | [`local`] | the local form (W, q) |
//! | [`delassus`] | the interface between solvers and both forms |
//! | [`residual`] | the error of a pair (u, r) in the contact law, one measure for all solvers |
//! | [`cone`] | projections on the friction cone |
//! | [`one_contact`] | the exact solution of a problem with one contact |
//! | [`nlgs`] | block Gauss–Seidel |
//! | [`sap`] | Newton on the regularised convex problem, with multipliers |
//! | [`proximal_newton`] | proximal point around semismooth Newton on the true law |
//! | [`interior_point`] | path following on second-order cones, true law included |
//! | [`admm`] | alternating directions |
//! | [`accelerated_gradient`] | accelerated projected gradient (APGD) |
//! | [`spectral_gradient`] | spectral projected gradient (P-SPG-FB) |
//! | [`lemke`] | pivoting on faceted cones |
//! | [`impact`] | impacts in two phases: Poisson, Coulomb, one problem per cluster |
//! | [`planar`] | sweeps and exact solutions by status, for impacts and jams in 2D |
//! | [`face_element`] | interfaces with coupled point forces |
//! | [`capability`] | which solver supports which problem |
//! | [`solver`] | the dispatch to the solvers, and `auto` |
//! | [`linear`] | sparse factorisations of M + Hᵀ G H |

pub mod accelerated_gradient;
pub mod admm;
pub mod budget;
pub mod capability;
pub mod cone;
mod convex;
pub mod delassus;
mod equal_masses;
pub mod face_element;
pub mod global_form;
#[cfg(test)]
mod gradients;
pub mod impact;
pub mod interior_point;
pub mod lemke;
pub mod linear;
pub mod local;
pub mod local_form;
mod lorentz;
pub mod mass_block;
pub mod nlgs;
pub mod one_contact;
pub mod planar;
pub mod problem;
pub mod proximal_newton;
pub mod report;
pub mod residual;
pub mod sap;
mod short_rows;
mod small;
pub mod smoothing_newton;
pub mod solver;
pub mod spectral_gradient;

pub use budget::Budget;
pub use capability::{Requirements, Unsupported};
pub use local::LocalProblem;
pub use mass_block::{DenseMass, MassBlock};
pub use problem::{Entry, Problem};
pub use report::{SolveReport, SolverKind, Status};
pub use solver::{LocalSolution, Options, Solution, Solver, solve_local};
