//! Static analysis: verdicts with certificates, safety margins, collapse loads and mechanisms.
//!
//! ```text
//! model → structure (closed contacts) → conic program → forces and mechanism → margins, thrust lines, joints
//! ```
//!
//! | module | content |
//! |---|---|
//! | [`structure`], [`patch`] | bodies at rest and the contacts between them |
//! | [`loads`] | constant and multiplied loads |
//! | [`equilibrium`] | conic programs over the contact forces of a structure |
//! | [`conic`] | their solvers |
//! | [`mod@decide`] | forces or a mechanism, each with its proof |
//! | [`stand`] | the verdict, its certificate, margins |
//! | `developed` | forces that the loads alone produce: standing or wedged |
//! | [`limit`] | collapse multipliers |
//! | [`granular`] | the contacts of a state that carry force, for limit analysis |
//! | [`places`] | feet, abutments, springings: contact areas with supports |
//! | [`mod@envelope`] | the multiplier of a train at every position |
//! | `nearby` | the limit load near a known one, by one linear solve |
//! | [`thrust`] | the range of a reaction over all admissible states |
//! | [`mechanism`] | collapse mechanisms: hinges, sliding joints, blocks |
//! | [`cable`] | cables: given tensions, and ties |
//! | [`chain`], [`line`](mod@line) | thrust lines along chains of blocks |
//! | [`find`](mod@find) | smallest and largest values that stand |
//! | [`joints`] | eccentricity and friction use of every joint |
//! | [`pushover`](mod@pushover) | load–displacement curves, settlement of supports |
//! | `polish` | projection of forces on equilibrium |
//! | `strength` | joints of limited compressive strength |
//! | `stress_block` | the stressed part of a joint without tension |
//! | [`case`](mod@case) | factors on actions and resistances; the least strength that suffices |
//! | [`any`] | structures, questions and curves of either dimension, for other crates |
//! | [`study`](mod@study) | verdict, range of thrust and thrust lines of one structure |
//! | [`mod@frame`] | a structure as a frame of a recording |
//! | [`direction`] | directions as users write them |
//! | [`error`] | errors of a question |

pub mod any;
pub mod cable;
pub mod case;
pub mod chain;
pub mod conic;
pub mod decide;
mod developed;
pub mod direction;
pub mod envelope;
pub mod equilibrium;
pub mod error;
pub mod find;
pub mod frame;
pub mod granular;
pub mod joints;
pub mod limit;
pub mod line;
pub mod loads;
pub mod mechanism;
pub mod modes;
mod nearby;
pub mod patch;
pub mod places;
mod polish;
pub mod pushover;
mod skyline;
pub mod stand;
mod strength;
mod stress_block;
pub mod structure;
pub mod study;
pub mod thrust;

pub use any::{AnyQuestion, AnyStructure};
pub use direction::Direction;
pub use error::StaticsError;
pub use structure::Structure;
