//! `cargo xtask test`: everything a change must pass.

mod suite;
mod tally;

use std::path::PathBuf;
use std::process::Command;

use crate::parts::{self, Parts};
use crate::process::{self, cargo};
use tally::Tally;

/// Runs all checks and tests; the closing line is `N passed, N failed, N skipped`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    if arguments.iter().any(|argument| argument != "--install") {
        return Err("usage: cargo xtask test [--install]".to_owned());
    }
    let parts = parts::find(!arguments.is_empty());
    let mut tally = Tally::default();
    // tests tell little about code that does not pass these
    if static_checks(&mut tally, &parts) {
        let module = wasm_module(&mut tally, &parts);
        suite::run(&mut tally, &parts, module)?;
    }
    tally.report();
    if tally.failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", tally.failed.join(", "))) }
}

/// Formatting, lints and documentation without warnings, types of the page; stops at the first that fails.
fn static_checks(tally: &mut Tally, parts: &Parts) -> bool {
    let mut documentation = cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
    documentation.env("RUSTDOCFLAGS", "-D warnings");
    tally.check("formatting", &mut cargo(&["fmt", "--all", "--check"]))
        && tally.check("lints", &mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
        && tally.check("documentation", &mut documentation)
        && page_types(tally, parts)
}

/// Type errors of the page; npm has installed its packages in the build above.
fn page_types(tally: &mut Tally, parts: &Parts) -> bool {
    const NAME: &str = "types of the page";
    let web = process::root().join("crates/view/web");
    if !parts.node || !web.join("node_modules").exists() {
        tally.skip(NAME, "needs Node 18 or later, with npm");
        return true;
    }
    tally.check(NAME, Command::new("npm").arg("--prefix").arg(web).args(["run", "--silent", "check"]))
}

/// Builds geometry, contact, mechanics, statics, model and web for wasm32; the path of the module, if it can be run here.
fn wasm_module(tally: &mut Tally, parts: &Parts) -> Option<PathBuf> {
    const NAME: &str = "build for wasm32";
    let Some(compiler) = &parts.wasm else {
        tally.skip(NAME, "needs a compiler for wasm32-unknown-unknown");
        return None;
    };
    let (mut command, folder) = compiler.build("voussoir-web");
    (tally.check(NAME, &mut command) && parts.node).then(|| folder.join("voussoir_web.wasm"))
}
