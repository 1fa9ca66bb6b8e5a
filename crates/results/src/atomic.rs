//! Atomic replacement of a file: a reader always finds the complete old file or the complete new file.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use crate::error::ResultsError;

/// Writes `bytes` to a temporary file next to `path`, syncs it, and renames it.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), ResultsError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let fresh = path.with_file_name(name);
    let write = || {
        let mut file = File::create(&fresh)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&fresh, path)?;
        // the rename is part of the folder; not every system can sync a folder
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            let _ = File::open(parent).and_then(|folder| folder.sync_all());
        }
        Ok(())
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&fresh);
        ResultsError::write(path)(error)
    })
}
