//! `cargo xtask test`: everything a change must pass.

use crate::process::{self, cargo};
use crate::{browser, python};

/// Random inputs are the same in every run, so that a failure belongs to the change; another value of this variable, or
/// `cargo test` without it, looks elsewhere.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "2");

/// Formatting, lints and documentation without warnings, types of the page, then all tests.
pub fn run() -> Result<(), String> {
    process::run(&mut cargo(&["fmt", "--all", "--check"]))?;
    process::run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    process::run(cargo(&["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-D warnings"))?;
    page_types()?;
    let mut tests = cargo(&["test", "--workspace"]);
    tests.env("VOUSSOIR_PYTHON", python::interpreter()?);
    if std::env::var_os(SEED.0).is_none() {
        tests.env(SEED.0, SEED.1);
    }
    if let Some(chromium) = browser::chromium() {
        tests.env("VOUSSOIR_CHROMIUM", chromium);
    }
    process::run(&mut tests)
}

/// The page must be free of type errors; its packages are there since the build above.
fn page_types() -> Result<(), String> {
    let web = process::root().join("crates/view/web");
    if !web.join("node_modules").exists() {
        println!("types of the page are not checked: Node is missing");
        return Ok(());
    }
    process::run(std::process::Command::new("npm").arg("--prefix").arg(web).args(["run", "--silent", "check"]))
}
