//! Checksums of a growing file: notes of all stored data, and the table that readers compare with.
//!
//! The writer hands a [`StorageNote`] to its storage before a reader can find the bytes: before the index refers to a
//! chunk, before an extent shows a row. Bytes without a note are therefore damaged. Notes
//! describe stored bytes, so that a file is checked without decompression; its header (groups, attributes, types) has
//! one checksum, in which numbers that grow count as zero. These numbers are bounded by the notes: a file has at least
//! the published extents, and at most the noted ones.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

/// CRC-32 of bytes.
pub fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// A chunk or a row as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredPiece {
    /// Address of the header of the dataset.
    pub dataset: u64,
    /// First two coordinates; the second is zero but for chunks of rank 3.
    pub start: [u64; 2],
    /// Rows that it has; a chunk may have room for more.
    pub rows: u32,
    /// Checksum of the stored bytes.
    pub sum: u32,
}

/// Note of a writer to its storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StorageNote {
    /// The header of a new file.
    Header {
        /// Length of the header [bytes].
        length: u64,
        /// Places and lengths of numbers that grow, in rising order.
        holes: Vec<[u64; 2]>,
        /// Checksum with zeros in the holes.
        sum: u32,
    },
    /// Chunks and rows, and the numbers that publish them.
    Stored {
        /// The chunks and rows.
        pieces: Vec<StoredPiece>,
        /// Datasets whose second extent is changed, and the new one.
        widths: Vec<[u64; 2]>,
        /// Number of complete frames that the file is about to show; `None` if nothing is shown yet.
        publishes: Option<u64>,
    },
    /// The last frame is published.
    Published,
}

impl StorageNote {
    /// The note of a header that begins with `bytes`.
    pub fn header(bytes: &[u8], holes: Vec<[u64; 2]>) -> Self {
        let sum = masked_sum(bytes.to_vec(), &holes);
        Self::Header { length: bytes.len() as u64, holes, sum }
    }
}

/// Checksum of bytes with zeros in the holes.
fn masked_sum(mut bytes: Vec<u8>, holes: &[[u64; 2]]) -> u32 {
    for [at, length] in holes {
        if let Some(hole) = bytes.get_mut(*at as usize..(at + length) as usize) {
            hole.fill(0);
        }
    }
    checksum(&bytes)
}

/// A number of the file that grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Growth {
    /// Published.
    floor: u64,
    /// Published, unless the writer was interrupted.
    shown: u64,
    /// Noted.
    noted: u64,
}

impl Growth {
    fn confirm(&mut self) {
        self.floor = self.shown;
    }

    fn show(&mut self) {
        self.shown = self.noted;
    }
}

#[derive(Clone, Debug, Default)]
struct DatasetSums {
    /// In rising order of their starts.
    pieces: Vec<StoredPiece>,
    rows: Growth,
    width: Growth,
}

/// All notes of a file.
#[derive(Clone, Debug, Default)]
pub struct SumTable {
    header: Option<(u64, Vec<[u64; 2]>, u32)>,
    datasets: HashMap<u64, DatasetSums>,
    frames: Growth,
    touched: Vec<u64>,
    unconfirmed: Vec<u64>,
}

/// Published extents of a file, which it has at least: rows and width by dataset, and frames.
#[derive(Clone, Debug, Default)]
pub struct Floors {
    datasets: HashMap<u64, [u64; 2]>,
    frames: u64,
}

impl Floors {
    /// True if a dataset with these rows and this width (zero without a width) is complete.
    pub fn allow(&self, dataset: u64, rows: u64, width: u64) -> bool {
        self.datasets.get(&dataset).is_none_or(|least| rows >= least[0] && width >= least[1])
    }

    /// True if a file with this number of frames is complete.
    pub fn allow_frames(&self, frames: u64) -> bool {
        frames >= self.frames
    }
}

impl SumTable {
    /// Enters a note, in the order of writing.
    pub fn add(&mut self, note: StorageNote) {
        match note {
            StorageNote::Header { length, holes, sum } => self.header = Some((length, holes, sum)),
            StorageNote::Stored { pieces, widths, publishes } => {
                for piece in pieces {
                    let own = self.datasets.entry(piece.dataset).or_default();
                    own.rows.noted = own.rows.noted.max(piece.start[0] + u64::from(piece.rows));
                    own.pieces.push(piece);
                    self.touched.push(piece.dataset);
                }
                for [dataset, width] in widths {
                    self.datasets.entry(dataset).or_default().width.noted = width;
                    self.touched.push(dataset);
                }
                if let Some(frames) = publishes {
                    // the previous frame was published before this one was begun
                    self.confirm();
                    self.frames.noted = frames;
                    self.frames.show();
                    self.unconfirmed = std::mem::take(&mut self.touched);
                    self.each_unconfirmed(|own| {
                        own.rows.show();
                        own.width.show();
                    });
                }
            }
            StorageNote::Published => self.confirm(),
        }
    }

    fn confirm(&mut self) {
        self.frames.confirm();
        self.each_unconfirmed(|own| {
            own.rows.confirm();
            own.width.confirm();
        });
        self.unconfirmed.clear();
    }

    fn each_unconfirmed(&mut self, act: impl Fn(&mut DatasetSums)) {
        for dataset in &self.unconfirmed {
            if let Some(own) = self.datasets.get_mut(dataset) {
                act(own);
            }
        }
    }

    /// Length of the header [bytes]; `None` without a note of it.
    pub fn header_length(&self) -> Option<u64> {
        self.header.as_ref().map(|(length, ..)| *length)
    }

    /// True if the header is as it was written; `bytes` has the length of the header.
    pub fn header_holds(&self, bytes: &[u8]) -> bool {
        self.header.as_ref().is_some_and(|(_, holes, sum)| masked_sum(bytes.to_vec(), holes) == *sum)
    }

    /// True if a piece with at least `rows` rows has this checksum.
    pub fn holds(&self, dataset: u64, start: [u64; 2], rows: u64, sum: u32) -> bool {
        let Some(own) = self.datasets.get(&dataset) else { return false };
        let first = own.pieces.partition_point(|piece| piece.start < start);
        own.pieces[first..]
            .iter()
            .take_while(|piece| piece.start == start)
            .any(|piece| u64::from(piece.rows) >= rows && piece.sum == sum)
    }

    /// True if a dataset may have this number of rows and this width (zero without a width).
    pub fn allows(&self, dataset: u64, rows: u64, width: u64) -> bool {
        self.datasets
            .get(&dataset)
            .map_or(rows == 0, |own| rows <= own.rows.noted && (own.width.noted == 0 || width <= own.width.noted))
    }

    /// True if the file may have this number of frames.
    pub fn allows_frames(&self, frames: u64) -> bool {
        frames <= self.frames.noted
    }

    /// The published extents.
    pub fn floors(&self) -> Floors {
        let least = |(dataset, own): (&u64, &DatasetSums)| (*dataset, [own.rows.floor, own.width.floor]);
        Floors { datasets: self.datasets.iter().map(least).collect(), frames: self.frames.floor }
    }

    /// Starts of all published pieces of a dataset, each once.
    pub fn starts(&self, dataset: u64) -> Vec<[u64; 2]> {
        let Some(own) = self.datasets.get(&dataset) else { return Vec::new() };
        let mut starts: Vec<[u64; 2]> =
            own.pieces.iter().map(|piece| piece.start).filter(|start| start[0] < own.rows.floor).collect();
        starts.dedup();
        starts
    }

    /// All datasets that have pieces.
    pub fn datasets(&self) -> Vec<u64> {
        let mut all: Vec<u64> = self.datasets.keys().copied().collect();
        all.sort_unstable();
        all
    }
}

/// Source of the checksums of a file, which may be growing.
pub trait SumSource: Send + Sync + std::fmt::Debug {
    /// Reads notes that were added.
    fn update(&self);
    /// Least extents by the notes read so far.
    fn floors(&self) -> Floors;
    /// True if `question` is answered with true; notes are read again before the answer is false.
    fn check(&self, question: &dyn Fn(&SumTable) -> bool) -> bool;
}
