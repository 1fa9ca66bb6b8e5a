//! A browser for the tests of the page: Debian's Chromium, installed when there is none.

use std::path::PathBuf;
use std::process::Command;

use crate::process::run;

/// Where programs of that name usually are.
const PLACES: [&str; 4] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/local/bin/chromium"];

/// Path of a Chromium; `None`, with a word about it, where none can be installed.
pub fn chromium() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("VOUSSOIR_CHROMIUM") {
        return Some(named.into());
    }
    let find = || PLACES.into_iter().map(PathBuf::from).find(|path| path.exists());
    if let Some(found) = find() {
        return Some(found);
    }
    println!("installing Chromium for the tests of the page");
    let package = ["install", "--yes", "--no-install-recommends", "chromium"];
    let installed = run(Command::new("apt-get").arg("update").arg("--quiet"))
        .and_then(|()| run(Command::new("apt-get").args(package).env("DEBIAN_FRONTEND", "noninteractive")));
    if let Err(reason) = installed {
        println!("the tests of the page are left out: {reason}");
    }
    find()
}
