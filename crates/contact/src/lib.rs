//! The discrete frictional contact problem and every solver. Knows no bodies and no geometry.

pub mod report;

pub use report::{SolveReport, SolverKind, Status};
