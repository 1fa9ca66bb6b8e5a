//! `cargo xtask docs`: generates the page of the validation cases and builds the book with mdBook into `target/book`.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{cargo, root, run as run_process, target};
use crate::validation_page;

/// Version of mdBook; another version is installed again.
const VERSION: &str = "0.4.52";

/// Writes the page of the validation cases, builds the book and prints its path.
pub fn run() -> Result<(), String> {
    validation_page::write()?;
    let program = mdbook()?;
    run_process(Command::new(program).arg("build").arg(root().join("docs")))?;
    println!("book: {}", root().join("target/book/index.html").display());
    Ok(())
}

/// Path of mdBook. The first call installs mdBook into `target/tools`, without its server.
fn mdbook() -> Result<PathBuf, String> {
    let home = target().join("tools");
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
