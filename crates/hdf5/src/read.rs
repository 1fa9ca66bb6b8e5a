//! Reading arrays of our own files by rows, without loading the file or its indices.
//!
//! For any content, reading ends with numbers or with a [`ReadFault`]: every address is checked against the length of
//! the file and every size against [`LARGEST_READ`] before memory is allocated.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::message::{SUPERBLOCK_SIZE, Type, kind};
use super::storage::positioned;
use super::sums::{Floors, SumSource, SumTable};
use super::writer::unpack;

/// The reason why data could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{what}: {reason}")]
pub struct ReadFault {
    what: String,
    reason: String,
}

impl ReadFault {
    pub(crate) fn new(what: &str, reason: impl ToString) -> Self {
        Self { what: what.to_owned(), reason: reason.to_string() }
    }
}

/// Largest size of one read [bytes].
const LARGEST_READ: u64 = 1 << 32;

/// Bytes of a file, with bounds.
#[derive(Debug)]
pub struct Bytes {
    file: File,
    length: u64,
}

impl Bytes {
    /// `size` bytes at `address`.
    pub fn get(&self, address: u64, size: u64) -> io::Result<Vec<u8>> {
        let end = address.checked_add(size).filter(|_| size <= LARGEST_READ);
        // a live file may have grown since it was opened
        let inside = |end: u64| end <= self.length || self.file.metadata().is_ok_and(|data| end <= data.len());
        if !end.is_some_and(inside) {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "points outside the file"));
        }
        let mut bytes = vec![0; size as usize];
        positioned::read_exact(&self.file, address, &mut bytes)?;
        Ok(bytes)
    }
}

/// Little-endian number at `at`; zero past the end of `bytes`, which later checks refuse.
fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    let part = bytes.get(at..at + size).unwrap_or_default();
    part.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// Messages of an object: kind and body.
pub(super) type Messages = Vec<(u16, Vec<u8>)>;

/// The message for bytes that differ from those that were written.
pub(super) const WRONG_CHECKSUM: &str = "wrong checksum";

/// An open results file.
#[derive(Debug)]
pub struct Reader {
    bytes: Arc<Bytes>,
    pub(super) root: u64,
    sums: Option<Sums>,
}

/// Checksums of a file and its published extents when it was opened.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    pub(super) source: Arc<dyn SumSource>,
    pub(super) floors: Arc<Floors>,
}

impl Reader {
    /// Opens a file in its present state; frames that are added later are not read.
    pub fn open(path: &Path) -> Result<Self, ReadFault> {
        let fault = |e: io::Error| ReadFault::new("file", e);
        let file = File::open(path).map_err(fault)?;
        let length = file.metadata().map_err(fault)?.len();
        let bytes = Bytes { file, length };
        let superblock = bytes.get(0, SUPERBLOCK_SIZE).map_err(|_| ReadFault::new("file", "too short"))?;
        if !superblock.starts_with(b"\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08") {
            return Err(ReadFault::new("file", "the signature of a results file is missing"));
        }
        if number(&superblock, 40, 8) > length {
            return Err(ReadFault::new("file", "cut off"));
        }
        Ok(Self { bytes: Arc::new(bytes), root: number(&superblock, 64, 8), sums: None })
    }

    /// Opens a file whose checksums are known: all data that are read are compared with them.
    pub fn open_checked(path: &Path, source: Arc<dyn SumSource>) -> Result<Self, ReadFault> {
        // the file may grow: read the published extents first, then the file, then the notes, which precede the data
        source.update();
        let floors = Arc::new(source.floors());
        let mut file = Self::open(path)?;
        let holds = |table: &SumTable| {
            let header = table.header_length().and_then(|length| file.bytes.get(0, length).ok());
            header.is_some_and(|header| table.header_holds(&header))
        };
        if !source.check(&holds) {
            return Err(ReadFault::new("header of the file", WRONG_CHECKSUM));
        }
        file.sums = Some(Sums { source, floors });
        Ok(file)
    }

    /// An error unless the file may have this number of frames.
    pub fn check_frames(&self, frames: u64) -> Result<(), ReadFault> {
        let Some(Sums { source, floors }) = &self.sums else { return Ok(()) };
        match floors.allow_frames(frames) && source.check(&|table| table.allows_frames(frames)) {
            true => Ok(()),
            false => Err(ReadFault::new("number of frames", format!("{frames} differs from the recorded number"))),
        }
    }

    /// Messages of the object at `address`: kind and body.
    pub(super) fn messages(&self, address: u64) -> io::Result<Messages> {
        let prefix = self.bytes.get(address, 16)?;
        if prefix[0] != 1 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "an object is missing"));
        }
        let body = self.bytes.get(address + 16, number(&prefix, 8, 4))?;
        let mut messages = Vec::new();
        let mut rest = body.as_slice();
        while let Some((head, tail)) = rest.split_at_checked(8) {
            let Some((body, next)) = tail.split_at_checked(number(head, 2, 2) as usize) else { break };
            messages.push((number(head, 0, 2) as u16, body.to_vec()));
            rest = next;
        }
        Ok(messages)
    }

    /// Address and messages of the object at a path, following hard links.
    fn object(&self, path: &str) -> Result<(u64, Messages), ReadFault> {
        let fault = |e: io::Error| ReadFault::new(path, e);
        let mut at = self.root;
        let mut messages = self.messages(at).map_err(fault)?;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            let links = messages.iter().filter(|(kind, _)| *kind == kind::LINK);
            let address = links.filter_map(|(_, body)| hard_link(body)).find(|(link, _)| *link == name.as_bytes());
            let (_, address) = address.ok_or_else(|| ReadFault::new(path, "missing"))?;
            messages = self.messages(address).map_err(fault)?;
            at = address;
        }
        Ok((at, messages))
    }

    /// Opens the array at a path.
    pub fn array(&self, path: &str) -> Result<Array, ReadFault> {
        let (header, messages) = self.object(path)?;
        let array = self.parse_array(path, header, &messages)?;
        array.check_extents()?;
        Ok(array)
    }

    pub(super) fn parse_array(&self, path: &str, header: u64, messages: &Messages) -> Result<Array, ReadFault> {
        let find = |wanted: u16| messages.iter().find(|(kind, _)| *kind == wanted).map(|(_, body)| body.as_slice());
        let parse = || {
            let (space, layout) = (find(kind::DATASPACE)?, find(kind::LAYOUT)?);
            let element = Type::decode(find(kind::DATATYPE)?)?;
            let rank = number(space, 1, 1) as usize;
            let chunked = number(layout, 0, 2) == 0x0203 && number(layout, 2, 1) as usize == rank + 1;
            if !(1..=3).contains(&rank) || !chunked {
                return None;
            }
            let shape: Vec<u64> = (0..rank).map(|i| number(space, 8 + 8 * i, 8)).collect();
            let chunk: Vec<u64> = (0..rank).map(|i| number(layout, 11 + 4 * i, 4)).collect();
            // a chunk is a run of bytes: rows of rank 1 and 2, part of one row in rank 3
            let whole_rows = rank < 2 || chunk[rank - 1] == shape[rank - 1];
            let one_row = rank < 3 || chunk[0] == 1;
            let size = chunk.iter().try_fold(u64::from(element.size()), |product, &n| product.checked_mul(n))?;
            // the first filter shuffles: its only value, past the heads of the message and of the filter, is the unit
            let unit = find(kind::FILTERS).map(|filters| number(filters, 16, 4));
            let shuffled = unit.is_none_or(|unit| (1..=size).contains(&unit));
            let sound = whole_rows && one_row && shuffled && (1..LARGEST_READ).contains(&size);
            let (bytes, path, sums) = (Arc::clone(&self.bytes), path.to_owned(), self.sums.clone());
            let root = number(layout, 3, 8);
            sound.then(|| Array { bytes, path, header, sums, element, shape, chunk, unit, root })
        };
        parse().ok_or_else(|| ReadFault::new(path, "not an array of Voussoir"))
    }

    /// An integer attribute of a group.
    pub fn integer(&self, group: &str, name: &str) -> Result<i64, ReadFault> {
        match self.attribute(group, name)? {
            (Type::I64, data) if data.len() >= 8 => Ok(number(&data, 0, 8) as i64),
            _ => Err(ReadFault::new(&format!("{group}@{name}"), "not an integer")),
        }
    }

    /// A text attribute of a group.
    pub fn text(&self, group: &str, name: &str) -> Result<String, ReadFault> {
        match self.attribute(group, name)? {
            (Type::Text(size) | Type::Ascii(size), data) if data.len() >= size as usize => {
                Ok(text(&data[..size as usize]))
            }
            _ => Err(ReadFault::new(&format!("{group}@{name}"), "not a text")),
        }
    }

    fn attribute(&self, group: &str, name: &str) -> Result<(Type, Vec<u8>), ReadFault> {
        let (_, messages) = self.object(group)?;
        let find = |body: &[u8]| {
            // version 3: sizes of name, type and shape, then these, then the data
            let [name_size, type_size, space_size] = [2, 4, 6].map(|at| number(body, at, 2) as usize);
            let datatype = body.get(9 + name_size..)?.get(..type_size)?;
            let data = body.get(9 + name_size + type_size + space_size..)?;
            let found = body.get(9..9 + name_size)?.strip_suffix(b"\0")? == name.as_bytes();
            found.then(|| Some((Type::decode(datatype)?, data.to_vec()))).flatten()
        };
        let attributes = messages.iter().filter(|(kind, _)| *kind == kind::ATTRIBUTE);
        let found = attributes.filter_map(|(_, body)| find(body)).next();
        found.ok_or_else(|| ReadFault::new(&format!("{group}@{name}"), "missing"))
    }
}

/// Name and target of a hard link as we write them.
pub(super) fn hard_link(body: &[u8]) -> Option<(&[u8], u64)> {
    let name = body.get(14..)?.get(..number(body, 12, 2) as usize)?;
    let target = body.get(14 + name.len()..)?.get(..8)?;
    (body[..3] == [1, 0x1D, 0]).then(|| (name, number(target, 0, 8)))
}

/// UTF-8 up to the first zero.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// An array whose first dimension counts rows.
#[derive(Debug)]
pub struct Array {
    pub(super) bytes: Arc<Bytes>,
    pub(super) path: String,
    /// Address of its header.
    pub(super) header: u64,
    pub(super) sums: Option<Sums>,
    element: Type,
    shape: Vec<u64>,
    pub(super) chunk: Vec<u64>,
    /// Bytes that are shuffled together, where chunks are compressed.
    pub(super) unit: Option<u64>,
    pub(super) root: u64,
}

macro_rules! rows {
    ($(#[$doc:meta])* $name:ident, $variant:ident, $type:ty) => {
        $(#[$doc])*
        pub fn $name(&self, start: u64, count: u64) -> Result<Vec<$type>, ReadFault> {
            let bytes = self.typed_rows(Type::$variant, start, count)?;
            Ok(bytes.as_chunks().0.iter().map(|b| <$type>::from_le_bytes(*b)).collect())
        }
    };
}

impl Array {
    rows! {
        /// Rows as double precision numbers.
        f64s, F64, f64
    }
    rows! {
        /// Rows as single precision numbers.
        f32s, F32, f32
    }
    rows! {
        /// Rows as integers.
        i64s, I64, i64
    }
    rows! {
        /// Rows as short integers.
        i32s, I32, i32
    }
    rows! {
        /// Rows as bytes.
        u8s, U8, u8
    }

    /// One entry of a row, of an array of rank 3, as double precision numbers.
    pub fn f64_entry(&self, row: u64, entry: u64) -> Result<Vec<f64>, ReadFault> {
        let bytes = self.typed_entry(Type::F64, row, entry)?;
        Ok(bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect())
    }

    /// One entry of a row, of an array of rank 3, as single precision numbers.
    pub fn f32_entry(&self, row: u64, entry: u64) -> Result<Vec<f32>, ReadFault> {
        let bytes = self.typed_entry(Type::F32, row, entry)?;
        Ok(bytes.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect())
    }

    /// The first `count` entries of a row, of an array of rank 3, as double precision numbers.
    pub fn f64_entries(&self, row: u64, count: u64) -> Result<Vec<f64>, ReadFault> {
        let bytes = self.typed_entries(Type::F64, row, count)?;
        Ok(bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect())
    }

    /// The first `count` entries of a row, of an array of rank 3, as single precision numbers.
    pub fn f32_entries(&self, row: u64, count: u64) -> Result<Vec<f32>, ReadFault> {
        let bytes = self.typed_entries(Type::F32, row, count)?;
        Ok(bytes.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect())
    }

    /// The first `count` entries of a row, of an array of rank 3, as bytes.
    pub fn u8_entries(&self, row: u64, count: u64) -> Result<Vec<u8>, ReadFault> {
        self.typed_entries(Type::U8, row, count)
    }

    /// The second extent; 1 for arrays of rank 1.
    pub fn width(&self) -> u64 {
        self.shape.get(1).copied().unwrap_or(1)
    }

    fn typed_entries(&self, element: Type, row: u64, count: u64) -> Result<Vec<u8>, ReadFault> {
        let fault = |reason: String| ReadFault::new(&self.path, reason);
        if element != self.element || self.chunk.len() != 3 {
            return Err(fault(format!("holds {:?} of rank {}", self.element, self.chunk.len())));
        }
        if row >= self.shape[0] || count > self.shape[1] {
            return Err(fault(format!("has no {count} entries in row {row}")));
        }
        let chunk = self.chunk.iter().product::<u64>() * u64::from(self.element.size());
        let unit = chunk / self.chunk[1];
        if count.checked_mul(unit).is_none_or(|total| total > LARGEST_READ) {
            return Err(fault(format!("{count} entries are too large")));
        }
        let mut out = Vec::new();
        for first in (0..count).step_by(self.chunk[1] as usize) {
            let wanted = (count - first).min(self.chunk[1]) * unit;
            let bytes = self.chunk_at(&[row, first, 0], chunk).map_err(|error| ReadFault::new(&self.path, error))?;
            out.extend_from_slice(&bytes[..wanted as usize]);
        }
        Ok(out)
    }

    fn typed_entry(&self, element: Type, row: u64, entry: u64) -> Result<Vec<u8>, ReadFault> {
        let fault = |reason: String| ReadFault::new(&self.path, reason);
        if element != self.element || self.chunk.len() != 3 {
            return Err(fault(format!("holds {:?} of rank {}", self.element, self.chunk.len())));
        }
        if row >= self.shape[0] || entry >= self.shape[1] {
            return Err(fault(format!("has no entry {entry} in row {row}")));
        }
        // only the chunk that holds the entry is read
        let chunk = self.chunk.iter().product::<u64>() * u64::from(self.element.size());
        let unit = chunk / self.chunk[1];
        let first = entry / self.chunk[1] * self.chunk[1];
        let bytes = self.chunk_at(&[row, first, 0], chunk).map_err(|error| ReadFault::new(&self.path, error))?;
        let from = (entry - first) * unit;
        Ok(bytes[from as usize..(from + unit) as usize].to_vec())
    }

    /// Rows as texts.
    pub fn texts(&self, start: u64, count: u64) -> Result<Vec<String>, ReadFault> {
        let size = self.element.size().max(1);
        let bytes = self.typed_rows(Type::Text(size), start, count)?;
        Ok(bytes.chunks_exact(size as usize).map(text).collect())
    }

    /// Number of rows.
    pub fn rows(&self) -> u64 {
        self.shape[0]
    }

    fn typed_rows(&self, element: Type, start: u64, count: u64) -> Result<Vec<u8>, ReadFault> {
        if element != self.element {
            return Err(ReadFault::new(&self.path, format!("holds {:?}, not {element:?}", self.element)));
        }
        self.raw_rows(start, count).map_err(|e| ReadFault::new(&self.path, e))
    }

    pub(super) fn raw_rows(&self, start: u64, count: u64) -> io::Result<Vec<u8>> {
        let invalid = |reason: String| io::Error::new(io::ErrorKind::InvalidData, reason);
        let end = start.checked_add(count).filter(|&end| end <= self.rows());
        let end = end.ok_or_else(|| invalid(format!("has {} rows, not {count} from {start}", self.rows())))?;
        // sizes [bytes] of an element of the first dimension, of a chunk, and of the result
        let tail = &self.shape[1..];
        let row = tail.iter().try_fold(u64::from(self.element.size()), |product, &n| product.checked_mul(n));
        let total = row.and_then(|row| row.checked_mul(count)).filter(|&total| total <= LARGEST_READ);
        let (Some(row), Some(total)) = (row, total) else {
            return Err(invalid(format!("{count} rows of shape {tail:?} are too large")));
        };
        let chunk = self.chunk.iter().product::<u64>() * u64::from(self.element.size());

        let mut out = Vec::new();
        if self.chunk.len() == 3 {
            let unit = chunk / self.chunk[1];
            for frame in start..end {
                for first in (0..self.shape[1]).step_by(self.chunk[1] as usize) {
                    let wanted = (self.shape[1] - first).min(self.chunk[1]) * unit;
                    out.extend_from_slice(&self.chunk_at(&[frame, first, 0], chunk)?[..wanted as usize]);
                }
            }
        } else {
            let mut from = start;
            while from < end {
                let first = from / self.chunk[0] * self.chunk[0];
                let to = end.min(first + self.chunk[0]);
                let coordinates = [first, 0];
                let bytes = self.chunk_at(&coordinates[..self.chunk.len()], chunk)?;
                let wanted = &bytes[((from - first) * row) as usize..((to - first) * row) as usize];
                self.check_rows(from, wanted, row)?;
                out.extend_from_slice(wanted);
                from = to;
            }
        }
        if out.len() as u64 == total { Ok(out) } else { Err(invalid("rows are missing".to_owned())) }
    }

    /// The `size` bytes of the chunk that starts at `start`.
    fn chunk_at(&self, start: &[u64], size: u64) -> io::Result<Vec<u8>> {
        if let Some(unit) = self.unit {
            return unpack(&self.stored_chunk(start)?, unit as usize, size as usize);
        }
        let place = self.place(start)?;
        let stored = self.bytes.get(place.address, u64::from(place.length))?;
        let missing = || io::Error::new(io::ErrorKind::InvalidData, "a chunk is missing");
        if stored.len() as u64 == size { Ok(stored) } else { Err(missing()) }
    }
}
