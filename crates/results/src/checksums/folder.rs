//! The checksums of a results folder, read while it may be growing.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use voussoir_hdf5::sums::{Floors, SumSource, SumTable, checksum};

use super::{CHECKSUMS_FILE, Entry, MAGIC, TableKind, decode};
use crate::error::ResultsError;

/// Entries read so far.
#[derive(Clone, Debug, Default)]
struct Known {
    /// Length of the file that was read [bytes].
    bytes: u64,
    frames: SumTable,
    /// Blocks of rows by their start: length and checksum.
    rows: HashMap<(TableKind, u64), (u32, u32)>,
    /// Lengths that reached the disk.
    synced: HashMap<TableKind, u64>,
    /// Versions of files: length and checksum.
    files: HashMap<String, Vec<(u64, u32)>>,
}

impl Known {
    fn add(&mut self, entry: Entry) {
        match entry {
            Entry::Frames(note) => self.frames.add(note),
            Entry::Rows { table, start, length, sum } => {
                self.rows.insert((table, start), (length, sum));
            }
            Entry::Synced { table, bytes } => {
                self.synced.insert(table, bytes);
            }
            Entry::File { name, length, sum } => self.files.entry(name).or_default().push((length, sum)),
        }
    }

    /// Adds all complete entries of the bytes that follow those read so far.
    fn read(&mut self, mut bytes: &[u8]) {
        if self.bytes == 0 {
            let Some(rest) = bytes.strip_prefix(MAGIC) else { return };
            (self.bytes, bytes) = (MAGIC.len() as u64, rest);
        }
        while let Some((entry, length)) = decode(bytes) {
            self.add(entry);
            self.bytes += length as u64;
            bytes = &bytes[length..];
        }
    }
}

/// The checksums of a results folder.
#[derive(Debug)]
pub(crate) struct FolderSums {
    path: PathBuf,
    known: Mutex<Known>,
    /// The file may grow.
    growing: bool,
}

impl FolderSums {
    /// Reads the checksums of a folder; `None` if it has none.
    pub fn open(dir: &Path) -> Result<Option<Arc<Self>>, ResultsError> {
        let path = dir.join(CHECKSUMS_FILE);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(ResultsError::read(&path)(error)),
        };
        let mut known = Known::default();
        known.read(&bytes);
        Ok(Some(Arc::new(Self { path, known: Mutex::new(known), growing: true })))
    }

    /// The checksums in the first `bytes` bytes; an error if these are not all there.
    pub fn at(dir: &Path, bytes: u64) -> Result<Arc<Self>, ResultsError> {
        let path = dir.join(CHECKSUMS_FILE);
        let mut all = std::fs::read(&path).map_err(ResultsError::read(&path))?;
        all.truncate(bytes as usize);
        let mut known = Known::default();
        known.read(&all);
        if known.bytes < bytes {
            let reason = format!("readable up to byte {} of {bytes}", known.bytes);
            return Err(ResultsError::Damaged { path, reason });
        }
        Ok(Arc::new(Self { path, known: Mutex::new(known), growing: false }))
    }

    /// The checksums of `results.vtkhdf`.
    pub fn frames(&self) -> SumTable {
        self.ask(|known| known.frames.clone())
    }

    fn ask<R>(&self, question: impl FnOnce(&mut Known) -> R) -> R {
        question(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads entries that were added, or with `anew` all.
    fn reread(&self, anew: bool) {
        if !self.growing {
            return;
        }
        self.ask(|known| {
            let start = if anew { 0 } else { known.bytes };
            let tail = || -> std::io::Result<Option<Vec<u8>>> {
                let mut file = File::open(&self.path)?;
                if file.metadata()?.len() < start {
                    return Ok(None);
                }
                file.seek(SeekFrom::Start(start))?;
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes)?;
                Ok(Some(bytes))
            };
            let Ok(Some(bytes)) = tail() else { return };
            if anew {
                *known = Known::default();
            }
            known.read(&bytes);
        });
    }

    /// True if `question` is true; entries are read again before the answer is false.
    fn holds(&self, question: impl Fn(&Known) -> bool) -> bool {
        let now = || self.ask(|known| question(known));
        now()
            || {
                self.reread(false);
                now()
            }
            || {
                self.reread(true);
                now()
            }
    }

    /// An error unless `content` is a version of a file of the folder.
    pub fn check_file(&self, path: &Path, name: &str, content: &[u8]) -> Result<(), ResultsError> {
        let version = (content.len() as u64, checksum(content));
        let holds = self.holds(|known| known.files.get(name).is_some_and(|versions| versions.contains(&version)));
        if holds {
            Ok(())
        } else {
            Err(ResultsError::Damaged { path: path.to_owned(), reason: WRONG_CHECKSUM.to_owned() })
        }
    }

    /// Names of all files that have checksums.
    pub fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = self.ask(|known| known.files.keys().cloned().collect());
        names.sort();
        names
    }

    /// Length of a table that has reached the disk [bytes].
    pub fn synced(&self, table: TableKind) -> u64 {
        self.ask(|known| known.synced.get(&table).copied().unwrap_or(0))
    }

    /// Length of the part of a table that is as it was recorded; `Err` with the length before the first block that is
    /// not. Rows of a block that is being written are not part of it.
    pub fn sound_rows(&self, table: TableKind, content: &[u8], synced: u64) -> Result<usize, usize> {
        let mut start = 0;
        while start < content.len() {
            let mut cut_off = false;
            let length = std::cell::Cell::new(0);
            let holds = self.holds(|known| {
                let Some(&(bytes, sum)) = known.rows.get(&(table, start as u64)) else { return false };
                length.set(bytes as usize);
                content.get(start..start + bytes as usize).is_some_and(|block| checksum(block) == sum)
            });
            if !holds {
                // the end of a table that is being written, or whose writer was killed
                cut_off |= length.get() > content.len() - start && start as u64 >= synced;
                return if cut_off { Ok(start) } else { Err(start) };
            }
            start += length.get();
        }
        if (content.len() as u64) < synced { Err(content.len()) } else { Ok(start) }
    }
}

impl SumSource for FolderSums {
    fn update(&self) {
        self.reread(false);
    }

    fn floors(&self) -> Floors {
        self.ask(|known| known.frames.floors())
    }

    fn check(&self, question: &dyn Fn(&SumTable) -> bool) -> bool {
        self.holds(|known| question(&known.frames))
    }
}

/// The message for bytes that differ from those that were written.
const WRONG_CHECKSUM: &str = "wrong checksum";

/// Reads a file of a results folder and compares it with its checksum, if the folder has checksums.
pub(crate) fn read_checked(dir: &Path, name: &str) -> Result<Vec<u8>, ResultsError> {
    let path = dir.join(name);
    let content = std::fs::read(&path).map_err(ResultsError::read(&path))?;
    if let Some(sums) = FolderSums::open(dir)? {
        sums.check_file(&path, name, &content)?;
    }
    Ok(content)
}

/// An error unless the scene and all files that it refers to are as they were copied into a results folder; nothing is
/// checked in a folder without checksums.
pub fn check_files(dir: &Path) -> Result<(), ResultsError> {
    let Some(sums) = FolderSums::open(dir)? else { return Ok(()) };
    for name in sums.files() {
        let path = dir.join(&name);
        let content = std::fs::read(&path).map_err(ResultsError::read(&path))?;
        sums.check_file(&path, &name, &content)?;
    }
    Ok(())
}
