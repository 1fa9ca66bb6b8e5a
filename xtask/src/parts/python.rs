//! A Python environment with the packages that tests compare against: h5py, and the VTK reader of ParaView.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{run, target};

/// Packages of the environment; a change of this list makes it anew.
pub const PACKAGES: [&str; 3] = ["numpy", "h5py", "vtk"];

/// The environment, in a sentence.
pub fn describe() -> String {
    format!("Python packages {} (a virtual environment in {}, from PyPI)", PACKAGES.join(", "), home().display())
}

/// Interpreter with the packages: the one that `VOUSSOIR_PYTHON` names, or that of the environment.
pub fn find() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("VOUSSOIR_PYTHON") {
        return Some(named.into());
    }
    let have = std::fs::read_to_string(stamp()).ok()?;
    (have == PACKAGES.join(" ")).then(interpreter)
}

/// Makes the environment.
pub fn install() -> Result<(), String> {
    run(Command::new("python3").args(["-m", "venv"]).arg(home()))?;
    run(Command::new(interpreter()).args(["-m", "pip", "install", "--quiet"]).args(PACKAGES))?;
    std::fs::write(stamp(), PACKAGES.join(" ")).map_err(|e| format!("{}: {e}", stamp().display()))
}

fn home() -> PathBuf {
    target().join("python")
}

fn interpreter() -> PathBuf {
    home().join("bin/python")
}

/// File that lists the packages once all of them are installed.
fn stamp() -> PathBuf {
    home().join("packages.txt")
}
