//! Parts beside Rust that some tests need: Python packages, a browser, Node, a compiler for wasm32.
//!
//! Nothing is installed unless the user says `--install`, and what will be installed is printed first.

pub mod browser;
pub mod python;
pub mod wasm;

use std::path::PathBuf;
use std::process::Command;

use crate::process::output;

/// The available parts.
pub struct Parts {
    /// Interpreter with the packages of [`python::PACKAGES`].
    pub python: Option<PathBuf>,
    /// A Chromium.
    pub chromium: Option<PathBuf>,
    /// Node of at least version 18.
    pub node: bool,
    /// A compiler for wasm32.
    pub wasm: Option<wasm::Compiler>,
}

/// A part that can be installed.
struct Installable {
    missing: bool,
    /// What is installed, and where.
    what: String,
    install: fn() -> Result<(), String>,
}

/// Finds the parts. Missing ones are announced and, with `install`, installed; a failed installation is reported and
/// leaves the part missing.
pub fn find(install: bool) -> Parts {
    let wanted = [
        Installable { missing: python::find().is_none(), what: python::describe(), install: python::install },
        Installable { missing: browser::find().is_none(), what: browser::describe(), install: browser::install },
        Installable { missing: wasm::find().is_none(), what: wasm::describe(), install: wasm::install },
    ];
    let missing: Vec<&Installable> = wanted.iter().filter(|part| part.missing).collect();
    if !missing.is_empty() {
        println!("{}", if install { "Will be installed:" } else { "Missing; `cargo xtask test --install` installs:" });
        for part in &missing {
            println!("  {}", part.what);
        }
    }
    for part in missing.iter().filter(|_| install) {
        println!("installing {}", part.what);
        if let Err(reason) = (part.install)() {
            println!("not installed: {reason}");
        }
    }
    Parts { python: python::find(), chromium: browser::find(), node: node(), wasm: wasm::find() }
}

/// True if Node of version 18 or later is available.
fn node() -> bool {
    let version = output(Command::new("node").arg("--version")).unwrap_or_default();
    let major = version.trim().trim_start_matches('v').split('.').next().and_then(|number| number.parse::<u32>().ok());
    major.is_some_and(|major| major >= 18)
}
