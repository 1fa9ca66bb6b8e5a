//! A browser for the tests of the page: Chromium, from Debian if there is none.

use std::path::PathBuf;
use std::process::Command;

use crate::process::run;

/// Usual paths of the program.
const PLACES: [&str; 4] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/local/bin/chromium"];

/// The package, in a sentence.
pub fn describe() -> String {
    "Chromium (the Debian package chromium, on this system, with apt-get)".to_owned()
}

/// Path of a Chromium: the one that `VOUSSOIR_CHROMIUM` names, or the first of the usual paths.
pub fn find() -> Option<PathBuf> {
    let named = std::env::var_os("VOUSSOIR_CHROMIUM").map(PathBuf::from);
    named.or_else(|| PLACES.into_iter().map(PathBuf::from).find(|path| path.exists()))
}

/// Installs the Debian package.
pub fn install() -> Result<(), String> {
    let package = ["install", "--yes", "--no-install-recommends", "chromium"];
    run(Command::new("apt-get").args(["update", "--quiet"]))?;
    run(Command::new("apt-get").args(package).env("DEBIAN_FRONTEND", "noninteractive"))
}
