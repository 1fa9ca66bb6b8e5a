//! Skipping a test that needs a part that is missing on this machine: a browser, Python packages, a data folder.
//!
//! libtest has no run-time skip: a test that returns early counts as passed. So a skipped test also appends a line
//! `TEST<tab>REASON` to the file named by the environment variable `VOUSSOIR_SKIPPED`; `cargo xtask test` reads that
//! file, takes these tests out of the passed ones and lists them.

pub mod example;

use std::io::Write;
use std::path::PathBuf;

/// Environment variable that names the file of skipped tests.
pub const SKIPPED: &str = "VOUSSOIR_SKIPPED";

/// Path in the environment variable `variable`; without it the calling test is recorded as skipped, for lack of `part`,
/// and must return.
pub fn need(variable: &str, part: &str) -> Option<PathBuf> {
    let value = std::env::var_os(variable).filter(|value| !value.is_empty());
    if value.is_none() {
        skip(&format!("needs {part} ({variable} is not set)"));
    }
    value.map(PathBuf::from)
}

/// Path of `folder` in the data folder that `VOUSSOIR_DATA` names; if it is missing the calling test is recorded as
/// skipped and must return.
pub fn need_data(folder: &str) -> Option<PathBuf> {
    let path = need("VOUSSOIR_DATA", &format!("the data folder with {folder}"))?.join(folder);
    if !path.exists() {
        skip(&format!("needs {folder} in the data folder VOUSSOIR_DATA"));
        return None;
    }
    Some(path)
}

/// Records the calling test as skipped.
///
/// # Panics
/// If the file of skipped tests cannot be written: the test would count as passed.
pub fn skip(reason: &str) {
    let test = test_name();
    eprintln!("skipped: {test}: {reason}");
    if let Some(path) = std::env::var_os(SKIPPED) {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
        let written = file.and_then(|mut file| file.write_all(format!("{test}\t{reason}\n").as_bytes()));
        written.expect("the file of skipped tests can be written");
    }
}

/// `BINARY::MODULE::TEST`. libtest names the thread of a test after it.
fn test_name() -> String {
    let program = std::env::current_exe().unwrap_or_default();
    let program = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let binary = program.rsplit_once('-').map_or(program.as_str(), |(name, _hash)| name);
    format!("{binary}::{}", std::thread::current().name().unwrap_or("test"))
}
