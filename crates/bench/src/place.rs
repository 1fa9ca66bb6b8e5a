//! The root of the workspace; building and running its programs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// Runs a command in the root; the error names the command and its exit status.
pub fn run(command: &mut Command) -> Result<(), String> {
    let line = format!("{command:?}");
    let status = command.current_dir(root()).status().map_err(|e| format!("{line} could not be started: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{line} ended with {status}")) }
}

/// Builds the command as users do and returns its path.
pub fn build_voussoir() -> Result<PathBuf, String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    run(cargo.args(["build", "--quiet", "--release", "--bin", "voussoir"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(target.join("release/voussoir"))
}
