//! `cargo xtask package`: the crates as they would be published, in `target/package`.
//!
//! Nothing is uploaded. The page of `voussoir view` is built first, so that the published crate needs no npm.

use std::process::Command;

use crate::process::{cargo, root, run as run_process};

/// Packages of the workspace that are not published.
const PRIVATE: [&str; 5] = ["xtask", "voussoir-bench", "voussoir-python", "voussoir-testing", "voussoir-web"];

/// Builds the page and packs the crates.
pub fn run() -> Result<(), String> {
    let web = root().join("crates/view/web");
    let npm = |arguments: &[&str]| run_process(Command::new("npm").arg("--prefix").arg(&web).args(arguments));
    npm(&["ci", "--no-audit", "--no-fund", "--silent"])?;
    npm(&["run", "--silent", "build", "--", "--logLevel", "error"])?;
    // the built page is not under version control
    let mut command = cargo(&["package", "--workspace", "--no-verify", "--allow-dirty"]);
    for package in PRIVATE {
        command.args(["--exclude", package]);
    }
    run_process(&mut command)
}
