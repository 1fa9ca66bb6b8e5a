//! `cargo xtask test`: everything a change must pass.

mod suite;
mod tally;

use std::path::PathBuf;
use std::process::Command;
use std::thread::{self, JoinHandle};

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
    // uses a separate target folder and the idle core while the checks compile single crates
    let wasm = WasmBuild::start(&parts);
    let sound = static_checks(&mut tally, &parts);
    let module = wasm.finish(&mut tally, &parts);
    // tests are run only if these checks pass
    if sound {
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

/// The build of geometry, contact, mechanics, statics, model and web for wasm32, in the background.
struct WasmBuild(Option<(JoinHandle<Result<(), String>>, PathBuf)>);

impl WasmBuild {
    const NAME: &str = "build for wasm32";

    /// Starts the build if there is a compiler.
    fn start(parts: &Parts) -> Self {
        Self(parts.wasm.as_ref().map(|compiler| {
            let (mut command, folder) = compiler.build("voussoir-web");
            (thread::spawn(move || process::run(&mut command)), folder.join("voussoir_web.wasm"))
        }))
    }

    /// Waits for the end of the build; the path of the module, if it can be run here.
    fn finish(self, tally: &mut Tally, parts: &Parts) -> Option<PathBuf> {
        let Some((build, module)) = self.0 else {
            tally.skip(Self::NAME, "needs a compiler for wasm32-unknown-unknown");
            return None;
        };
        let outcome = build.join().unwrap_or_else(|_| Err("the thread of the build panicked".to_owned()));
        (tally.record(Self::NAME, outcome) && parts.node).then_some(module)
    }
}
