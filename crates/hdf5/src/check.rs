//! Comparison of the data that are read with their checksums.

use std::collections::HashMap;
use std::io;

use rayon::prelude::*;

use super::message::{UNDEFINED, kind};
use super::read::{Array, ReadFault, Reader, WRONG_CHECKSUM, hard_link};
use super::sums::{SumTable, checksum};
use super::tree;

/// Largest nesting depth of groups that is followed.
const MOST_NESTING: usize = 8;

impl Reader {
    /// Compares all published data of the file with their checksums; returns one fault per damaged array.
    pub fn verify(&self, table: &SumTable) -> Vec<ReadFault> {
        let names = self.names();
        let faults = table.datasets().into_par_iter().filter_map(|header| {
            let name = names.get(&header).map_or("an array without a name", String::as_str);
            let check = || -> Result<(), ReadFault> {
                let messages = self.messages(header).map_err(|error| ReadFault::new(name, error))?;
                let array = self.parse_array(name, header, &messages)?;
                array.check_extents()?;
                array.verify(table).map_err(|error| ReadFault::new(name, error))
            };
            check().err()
        });
        faults.collect()
    }

    /// Paths of all objects by address; the first of several.
    fn names(&self) -> HashMap<u64, String> {
        let mut names = HashMap::new();
        let mut open = vec![(self.root, String::new(), 0)];
        while let Some((address, path, depth)) = open.pop() {
            if depth > MOST_NESTING || names.contains_key(&address) {
                continue;
            }
            for (_, body) in self.messages(address).unwrap_or_default().iter().filter(|(kind, _)| *kind == kind::LINK) {
                if let Some((name, target)) = hard_link(body) {
                    let name = String::from_utf8_lossy(name);
                    let path = if path.is_empty() { name.into_owned() } else { format!("{path}/{name}") };
                    open.push((target, path, depth + 1));
                }
            }
            names.insert(address, path);
        }
        names
    }
}

impl Array {
    /// An error unless the extents may be those that were recorded.
    pub(super) fn check_extents(&self) -> Result<(), ReadFault> {
        let Some(sums) = &self.sums else { return Ok(()) };
        let (rows, width) = (self.rows(), self.width());
        let allowed = sums.floors.allow(self.header, rows, width)
            && sums.source.check(&|table| table.allows(self.header, rows, width));
        if allowed {
            Ok(())
        } else {
            Err(ReadFault::new(&self.path, format!("{rows} rows differ from the recorded number")))
        }
    }

    /// An error unless the stored chunk that starts at `start` is the one that was recorded.
    pub(super) fn check_chunk(&self, start: &[u64], stored: &[u8]) -> io::Result<()> {
        let Some(sums) = &self.sums else { return Ok(()) };
        let (sum, rows) = (checksum(stored), self.rows_of(start));
        let start = self.key(start);
        wrong_unless(sums.source.check(&|table| table.holds(self.header, start, rows, sum)))
    }

    /// An error unless rows of an array that is not compressed are the ones that were recorded; `first` is the first,
    /// each has `size` bytes.
    pub(super) fn check_rows(&self, first: u64, rows: &[u8], size: u64) -> io::Result<()> {
        let Some(sums) = self.sums.as_ref().filter(|_| self.unit.is_none()) else { return Ok(()) };
        let all = |table: &SumTable| {
            let mut rows = (first..).zip(rows.chunks_exact(size.max(1) as usize));
            rows.all(|(row, bytes)| table.holds(self.header, [row, 0], 1, checksum(bytes)))
        };
        wrong_unless(sums.source.check(&all))
    }

    /// Compares all published pieces.
    fn verify(&self, table: &SumTable) -> io::Result<()> {
        let starts = table.starts(self.header);
        if self.unit.is_none() {
            return self.raw_rows(0, starts.len() as u64).map(|_| ());
        }
        for start in starts {
            let coordinates: Vec<u64> = match self.chunk.len() {
                1 => vec![start[0]],
                2 => vec![start[0], 0],
                _ => vec![start[0], start[1], 0],
            };
            self.stored_chunk(&coordinates)?;
        }
        Ok(())
    }

    /// The bytes of the compressed chunk that starts at `start`, as stored.
    pub(super) fn stored_chunk(&self, start: &[u64]) -> io::Result<Vec<u8>> {
        let place = self.place(start)?;
        let length = if self.sums.is_some() { place.padded() } else { u64::from(place.length) };
        let mut stored = self.bytes.get(place.address, length)?;
        self.check_chunk(start, &stored)?;
        stored.truncate(place.length as usize);
        Ok(stored)
    }

    /// Place of the chunk that starts at `start`.
    pub(super) fn place(&self, start: &[u64]) -> io::Result<tree::ChunkPlace> {
        let missing = || io::Error::new(io::ErrorKind::InvalidData, "a chunk is missing");
        if self.root == UNDEFINED {
            return Err(missing());
        }
        tree::find(self.root, start, |address, size| self.bytes.get(address, size))?.ok_or_else(missing)
    }

    /// First two coordinates of a chunk, the key of its checksum.
    fn key(&self, start: &[u64]) -> [u64; 2] {
        [start[0], if self.chunk.len() == 3 { start[1] } else { 0 }]
    }

    /// Rows that the chunk must have.
    fn rows_of(&self, start: &[u64]) -> u64 {
        if self.chunk.len() == 3 { 1 } else { self.rows().saturating_sub(start[0]).min(self.chunk[0]) }
    }
}

fn wrong_unless(holds: bool) -> io::Result<()> {
    if holds { Ok(()) } else { Err(io::Error::new(io::ErrorKind::InvalidData, WRONG_CHECKSUM)) }
}
