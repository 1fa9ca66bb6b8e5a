//! Exit codes, the same for every command.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Computed, whatever the answer.
    Computed = 0,
    /// The machine failed: disk full, or an error of the program itself.
    Failed = 1,
    /// The input is wrong: arguments, scene, folder.
    BadInput = 2,
    /// Computed, but some step missed its tolerance.
    NotConverged = 3,
    /// Stopped by the user; `voussoir resume` goes on.
    Interrupted = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
