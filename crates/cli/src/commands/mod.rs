//! The commands, one file each: its arguments, and what it does.

pub mod assess;
pub mod calibrate;
pub mod check;
pub mod compare;
pub mod completions;
pub mod demo;
pub mod export;
pub mod fill;
pub mod import;
pub mod limit;
pub mod materials;
pub mod modes;
pub mod new;
pub mod pushover;
pub mod report;
pub mod resume;
pub mod run;
pub mod sample;
pub mod schema;
pub mod solve;
pub mod stand;
pub mod sweep;
pub mod validate;
pub mod view;

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::failure::{CommandResult, Failure};

/// Writes a text file; an existing file is an error unless `force` is set.
fn write_new(path: &Path, text: &str, force: bool) -> CommandResult<()> {
    let mut options = OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true);
    } else {
        options.create_new(true);
    }
    options.open(path).and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| {
        let failure = Failure::write(path, &error);
        match error.kind() {
            ErrorKind::AlreadyExists => failure.with_help("--force overwrites it"),
            _ => failure,
        }
    })
}
