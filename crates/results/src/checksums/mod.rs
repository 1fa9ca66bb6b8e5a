//! `checksums`: checksums of everything that a run records, written before the recorded bytes themselves.
//!
//! Layout: 8 bytes "VOUSSUMS", then entries: length of the entry (u32), its CRC-32 (u32), the [`Entry`] in postcard
//! encoding; little endian. The file only grows; an entry that is cut off at the end was being written when the run was
//! interrupted. Recorded bytes without an entry are damaged, because the entry is always written first:
//!
//! | recorded | entry |
//! |---|---|
//! | `results.vtkhdf` | one per frame with all its chunks and rows ([`StorageNote`]) |
//! | `history.csv`, `timing.csv` | one per block of rows that is handed to the system together |
//! | `summary.json`, `columns.json`, `scene.toml`, copied meshes and accelerograms | one per version of the file |
//!
//! The checkpoint has a checksum of its own. A folder without this file (of an earlier version, or copied without it)
//! is read without comparison, but a run cannot be resumed in it.

mod folder;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use voussoir_hdf5::storage::{FileStorage, Storage};
use voussoir_hdf5::sums::{StorageNote, checksum};

use crate::atomic;
use crate::error::ResultsError;
pub use folder::check_files;
pub(crate) use folder::{FolderSums, read_checked};

/// Name in the results folder.
pub const CHECKSUMS_FILE: &str = "checksums";

const MAGIC: &[u8; 8] = b"VOUSSUMS";
const ENTRY_HEAD: usize = 8;

/// A table of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum TableKind {
    History,
    Timing,
}

/// What was recorded.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Entry {
    /// A part of `results.vtkhdf`.
    Frames(StorageNote),
    /// Rows of a table.
    Rows { table: TableKind, start: u64, length: u32, sum: u32 },
    /// A table has reached the disk up to this length.
    Synced { table: TableKind, bytes: u64 },
    /// A version of a file.
    File { name: String, length: u64, sum: u32 },
}

/// An entry as it is stored.
fn encode(entry: &Entry) -> io::Result<Vec<u8>> {
    let mut bytes = postcard::to_extend(entry, vec![0; ENTRY_HEAD]).map_err(io::Error::other)?;
    let (head, body) = bytes.split_at_mut(ENTRY_HEAD);
    head[..4].copy_from_slice(&(body.len() as u32).to_le_bytes());
    head[4..].copy_from_slice(&checksum(body).to_le_bytes());
    Ok(bytes)
}

/// The first entry of `bytes` and its length as stored; `None` if it is cut off or damaged.
fn decode(bytes: &[u8]) -> Option<(Entry, usize)> {
    let (head, rest) = bytes.split_at_checked(ENTRY_HEAD)?;
    let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let body = rest.get(..number(0) as usize)?;
    if checksum(body) != number(4) {
        return None;
    }
    Some((postcard::from_bytes(body).ok()?, ENTRY_HEAD + body.len()))
}

/// The growing file.
#[derive(Debug)]
struct SumLog {
    file: File,
    bytes: u64,
}

impl SumLog {
    fn add(&mut self, entry: &Entry) -> io::Result<()> {
        let bytes = encode(entry)?;
        // one system call, so that an entry is whole or at the end of the file
        self.file.write_all(&bytes)?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }
}

/// The checksums of a folder, shared by everything that records into it. Before it is opened, nothing is stored.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedSums {
    log: Arc<Mutex<Option<SumLog>>>,
}

impl SharedSums {
    /// Starts the file of a new run.
    pub fn create(dir: &Path) -> Result<Self, ResultsError> {
        let path = dir.join(CHECKSUMS_FILE);
        let start = || {
            let mut file = File::create(&path)?;
            file.write_all(MAGIC)?;
            Ok(SumLog { file, bytes: MAGIC.len() as u64 })
        };
        let log = start().map_err(ResultsError::write(&path))?;
        Ok(Self { log: Arc::new(Mutex::new(Some(log))) })
    }

    /// Cuts the file back to its first `bytes` bytes and keeps the entries of `files`, whose newest versions may be
    /// later; then continues with it. The replacement is one rename: a reader finds the old file or the new one.
    pub fn resume(&self, dir: &Path, bytes: u64, files: &[&str]) -> Result<(), ResultsError> {
        let path = dir.join(CHECKSUMS_FILE);
        let mut kept = fs::read(&path).map_err(ResultsError::read(&path))?;
        kept.truncate(bytes as usize);
        for name in files {
            let content = fs::read(dir.join(name)).map_err(ResultsError::read(&dir.join(name)))?;
            kept.extend(encode(&file_entry(name, &content)).map_err(ResultsError::write(&path))?);
        }
        atomic::replace(&path, &kept)?;
        let file = File::options().append(true).open(&path).map_err(ResultsError::write(&path))?;
        *self.lock() = Some(SumLog { file, bytes: kept.len() as u64 });
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<SumLog>> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an entry.
    pub fn add(&self, entry: &Entry) -> io::Result<()> {
        self.lock().as_mut().map_or(Ok(()), |log| log.add(entry))
    }

    /// Writes all entries to the disk and returns the length of the file [bytes].
    pub fn sync(&self, dir: &Path) -> Result<u64, ResultsError> {
        let sync = |log: &mut SumLog| log.file.sync_data().map(|()| log.bytes);
        self.lock().as_mut().map_or(Ok(0), sync).map_err(ResultsError::write(&dir.join(CHECKSUMS_FILE)))
    }

    /// Writes or replaces a file of the folder.
    pub fn replace(&self, dir: &Path, name: &str, content: &[u8]) -> Result<(), ResultsError> {
        self.keep(dir, name, content)?;
        atomic::replace(&dir.join(name), content)
    }

    /// Stores the checksum of a file of the folder.
    pub fn keep(&self, dir: &Path, name: &str, content: &[u8]) -> Result<(), ResultsError> {
        self.add(&file_entry(name, content)).map_err(ResultsError::write(&dir.join(CHECKSUMS_FILE)))
    }
}

fn file_entry(name: &str, content: &[u8]) -> Entry {
    Entry::File { name: name.to_owned(), length: content.len() as u64, sum: checksum(content) }
}

/// `results.vtkhdf` whose writer keeps checksums.
#[derive(Debug)]
pub(crate) struct CheckedStorage {
    pub file: FileStorage,
    pub sums: SharedSums,
}

impl Storage for CheckedStorage {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.write_at(offset, bytes)
    }

    fn read_at(&mut self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.file.read_at(offset, bytes)
    }

    fn set_len(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    fn length(&mut self) -> io::Result<u64> {
        self.file.length()
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync()
    }

    fn note(&mut self, note: &StorageNote) -> io::Result<()> {
        self.sums.add(&Entry::Frames(note.clone()))
    }
}
