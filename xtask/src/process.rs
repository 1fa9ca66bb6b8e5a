//! Starting other programs.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// The target folder.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// Runs a command in the root; the error names the command and its exit status.
pub fn run(command: &mut Command) -> Result<(), String> {
    let line = format!("{command:?}");
    let status = command.current_dir(root()).status().map_err(|e| format!("{line} could not be started: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{line} ended with {status}")) }
}

/// Runs a command in the root and returns what it prints; the error carries its last line on stderr.
pub fn output(command: &mut Command) -> Result<String, String> {
    let line = format!("{command:?}");
    let ended = command.current_dir(root()).output().map_err(|e| format!("{line} could not be started: {e}"))?;
    if ended.status.success() {
        return Ok(String::from_utf8_lossy(&ended.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    Err(format!("{line} ended with {}: {}", ended.status, said.lines().last().unwrap_or_default()))
}

/// `cargo` of this toolchain with some arguments.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments);
    command
}
