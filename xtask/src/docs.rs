//! `cargo xtask docs`: the book, built with mdBook into `target/book`.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{cargo, root, run as run_process};

/// Version of mdBook; a change installs it anew.
const VERSION: &str = "0.4.52";

/// Builds the book and says where it is.
pub fn run() -> Result<(), String> {
    let program = mdbook()?;
    run_process(Command::new(program).arg("build").arg(root().join("docs")))?;
    println!("the book is in {}", root().join("target/book/index.html").display());
    Ok(())
}

/// Path of mdBook, installed into `target/tools` on first use; without its server, which nobody needs here.
fn mdbook() -> Result<PathBuf, String> {
    let home = root().join("target/tools");
    let (program, stamp) = (home.join("bin/mdbook"), home.join("mdbook.txt"));
    if program.exists() && std::fs::read_to_string(&stamp).is_ok_and(|have| have == VERSION) {
        return Ok(program);
    }
    println!("installing mdBook {VERSION} in {}", home.display());
    let arguments =
        ["install", "mdbook", "--version", VERSION, "--locked", "--no-default-features", "--features", "search"];
    run_process(cargo(&arguments).args(["--quiet", "--force", "--root"]).arg(&home))?;
    std::fs::write(&stamp, VERSION).map_err(|e| format!("{}: {e}", stamp.display()))?;
    Ok(program)
}
