//! Exit codes, the same for every command.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Computed, whatever the answer.
    Computed = 0,
    /// System or internal error (for example disk full).
    Failed = 1,
    /// Invalid input: arguments, scene, folder.
    BadInput = 2,
    /// Computed, but a step or a verdict missed its tolerance.
    NotConverged = 3,
    /// Interrupted by the user; `voussoir resume` continues.
    Interrupted = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
