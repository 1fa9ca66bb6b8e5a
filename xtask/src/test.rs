//! `cargo xtask test`: everything a change must pass.

use crate::process::{self, cargo};
use crate::python;

/// Formatting, lints and documentation without warnings, then all tests.
pub fn run() -> Result<(), String> {
    process::run(&mut cargo(&["fmt", "--all", "--check"]))?;
    process::run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    process::run(cargo(&["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-D warnings"))?;
    process::run(cargo(&["test", "--workspace"]).env("VOUSSOIR_PYTHON", python::interpreter()?))
}
