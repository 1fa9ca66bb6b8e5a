//! Running other programs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Runs a command in the root; an error names it and says how it ended.
pub fn run(command: &mut Command) -> Result<(), String> {
    let line = format!("{command:?}");
    let status = command.current_dir(root()).status().map_err(|e| format!("{line} could not be started: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{line} ended with {status}")) }
}

/// `cargo` of this toolchain with some arguments.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments);
    command
}
