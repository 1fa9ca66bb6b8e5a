//! A Python environment with what the tests compare against: h5py and the VTK reader that ParaView uses.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{root, run};

/// Packages of the environment; a change makes it anew.
const PACKAGES: [&str; 3] = ["numpy", "h5py", "vtk"];

/// Path of the interpreter, made on first use in `target/python`.
pub fn interpreter() -> Result<PathBuf, String> {
    let home = root().join("target/python");
    let (python, stamp) = (home.join("bin/python"), home.join("packages.txt"));
    let wanted = PACKAGES.join(" ");
    if std::fs::read_to_string(&stamp).is_ok_and(|have| have == wanted) {
        return Ok(python);
    }
    println!("preparing Python with {wanted} in {}", home.display());
    run(Command::new("python3").args(["-m", "venv"]).arg(&home))?;
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(PACKAGES))?;
    std::fs::write(&stamp, wanted).map_err(|e| format!("{}: {e}", stamp.display()))?;
    Ok(python)
}
