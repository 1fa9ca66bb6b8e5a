//! Reading files that the HDF5 library wrote, whole and in memory.
//!
//! Supported: superblocks of all versions; groups with symbol tables or link messages; arrays of integers, floating
//! point numbers and texts of fixed length, in one piece or in chunks (deflate, shuffle, fletcher32); attributes.
//! Not supported, with an error message: dense groups, shared messages, texts of variable length, the newer indices of
//! chunks.
//!
//! For any content, reading ends with values or with a [`ReadFault`]; time and memory are bounded by the size of the
//! file.

mod bytes;
mod element;
mod group;
mod header;
mod storage;

use bytes::{Bytes, Part};
use element::{Element, extents};
use header::Header;

use crate::message::kind;
use crate::read::ReadFault;

/// First bytes of every HDF5 file.
pub const SIGNATURE: &[u8; 8] = b"\x89HDF\r\n\x1a\n";

/// The superblock is searched up to this offset.
const LAST_START: usize = 1 << 20;

/// A file in memory.
#[derive(Clone, Copy, Debug)]
pub struct Foreign<'a> {
    bytes: Bytes<'a>,
    root: u64,
}

/// A value with its type and extents, not yet decoded.
struct Value<'a> {
    element: Element,
    data: std::borrow::Cow<'a, [u8]>,
}

impl<'a> Foreign<'a> {
    /// Opens a file by its first bytes.
    pub fn open(file: &'a [u8]) -> Result<Self, ReadFault> {
        superblock(file).map_err(|reason| ReadFault::new("file", reason))
    }

    /// True if an object exists at a path.
    pub fn contains(&self, path: &str) -> Result<bool, ReadFault> {
        self.find(path).map(|found| found.is_some())
    }

    /// Names in a group, in the order of the file.
    pub fn names(&self, path: &str) -> Result<Vec<String>, ReadFault> {
        let header = self.object(path)?;
        let links = group::links(self.bytes, &header).map_err(|reason| ReadFault::new(path, reason))?;
        Ok(links.iter().map(|(name, _)| String::from_utf8_lossy(name).into_owned()).collect())
    }

    /// All numbers of an array, whatever their type.
    pub fn floats(&self, path: &str) -> Result<Vec<f64>, ReadFault> {
        let value = self.dataset(path)?;
        value.element.floats(&value.data).ok_or_else(|| ReadFault::new(path, "is text, not numbers"))
    }

    /// All integers of an array.
    pub fn integers(&self, path: &str) -> Result<Vec<i64>, ReadFault> {
        let value = self.dataset(path)?;
        value.element.integers(&value.data).ok_or_else(|| ReadFault::new(path, "does not hold integers"))
    }

    /// The text of a dataset.
    pub fn text(&self, path: &str) -> Result<String, ReadFault> {
        let value = self.dataset(path)?;
        value.element.text(&value.data).ok_or_else(|| ReadFault::new(path, "does not hold a text"))
    }

    /// Numbers of an attribute; `None` when there is no such attribute, or it is no number.
    pub fn attribute_floats(&self, path: &str, name: &str) -> Result<Option<Vec<f64>>, ReadFault> {
        Ok(self.attribute(path, name)?.and_then(|value| value.element.floats(&value.data)))
    }

    /// Text of an attribute; `None` when there is no such attribute, or it is no text.
    pub fn attribute_text(&self, path: &str, name: &str) -> Result<Option<String>, ReadFault> {
        Ok(self.attribute(path, name)?.and_then(|value| value.element.text(&value.data)))
    }

    fn dataset(&self, path: &str) -> Result<Value<'a>, ReadFault> {
        let header = self.object(path)?;
        if !header.is_dataset() {
            return Err(ReadFault::new(path, "is a group, not an array"));
        }
        let read = || -> Part<Value<'a>> {
            let element = Element::read(self.bytes.cursor(header.find(kind::DATATYPE)?.ok_or("has no type")?))?;
            let space = extents(self.bytes, header.find(kind::DATASPACE)?.ok_or("has no extents")?)?;
            Ok(Value { element, data: storage::data(self.bytes, &header, &space, element.size())? })
        };
        read().map_err(|reason| ReadFault::new(path, reason))
    }

    fn attribute(&self, path: &str, name: &str) -> Result<Option<Value<'a>>, ReadFault> {
        let header = self.object(path)?;
        for message in header.all(kind::ATTRIBUTE) {
            let found = attribute(self.bytes, message, name.as_bytes());
            if let Some(value) = found.map_err(|reason| ReadFault::new(&format!("{path}@{name}"), reason))? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    fn object(&self, path: &str) -> Result<Header<'a>, ReadFault> {
        self.find(path)?.ok_or_else(|| ReadFault::new(path, "missing"))
    }

    /// The object at a path, following hard links.
    fn find(&self, path: &str) -> Result<Option<Header<'a>>, ReadFault> {
        let walk = || -> Part<Option<Header<'a>>> {
            let mut header = Header::read(self.bytes, self.root)?;
            for name in path.split('/').filter(|name| !name.is_empty()) {
                let links = group::links(self.bytes, &header)?;
                let Some((_, address)) = links.iter().find(|(link, _)| *link == name.as_bytes()) else {
                    return Ok(None);
                };
                header = Header::read(self.bytes, *address)?;
            }
            Ok(Some(header))
        };
        walk().map_err(|reason| ReadFault::new(path, reason))
    }
}

/// Finds the superblock and the root group.
fn superblock(file: &[u8]) -> Part<Foreign<'_>> {
    let starts = std::iter::once(0).chain((9..).map(|power| 1 << power));
    let start = starts
        .take_while(|&start| start <= LAST_START)
        .find(|&start| file.get(start..).is_some_and(|rest| rest.starts_with(SIGNATURE)));
    // addresses count from the superblock
    let all = &file[start.ok_or("is not an HDF5 file")?..];
    let version = *all.get(8).ok_or("cut off")?;
    let sizes_at = match version {
        0 | 1 => 13,
        2 | 3 => 9,
        _ => return Err("an HDF5 file of an unknown version"),
    };
    let sizes = all.get(sizes_at..sizes_at + 2).ok_or("cut off")?;
    let [address_size, length_size] = [sizes[0], sizes[1]].map(usize::from);
    if !matches!(address_size, 2 | 4 | 8) || !matches!(length_size, 2 | 4 | 8) {
        return Err("addresses of an unknown size");
    }
    let bytes = Bytes { all, address_size, length_size };
    let mut cursor = bytes.at(match version {
        0 => 24,
        1 => 28,
        _ => 12,
    })?;
    let base = cursor.address()?;
    cursor.address()?;
    let end = cursor.address()?;
    if end > all.len() as u64 && (base == 0 || end - base.min(end) > all.len() as u64) {
        return Err("cut off");
    }
    let root = if version < 2 {
        // driver information, then the entry of the root group: its name and its header
        cursor.address()?;
        cursor.address()?;
        cursor.address()?
    } else {
        cursor.address()?
    };
    Ok(Foreign { bytes, root })
}

/// The value of an attribute message, if it has this name.
fn attribute<'a>(bytes: Bytes<'a>, message: &'a [u8], wanted: &[u8]) -> Part<Option<Value<'a>>> {
    let mut cursor = bytes.cursor(message);
    let (version, flags) = (cursor.byte()?, cursor.byte()?);
    let sizes = [cursor.number(2)?, cursor.number(2)?, cursor.number(2)?].map(|size| size as usize);
    if !(1..=3).contains(&version) {
        return Err("an attribute of an unknown version");
    }
    cursor.take(if version == 3 { 1 } else { 0 })?;
    let mut part = |size: usize| cursor.take(if version == 1 { size.next_multiple_of(8) } else { size });
    let name = part(sizes[0])?;
    if name.split(|&byte| byte == 0).next() != Some(wanted) {
        return Ok(None);
    }
    if version > 1 && flags & 3 != 0 {
        return Err("a shared message, which is not supported");
    }
    let element = Element::read(bytes.cursor(part(sizes[1])?))?;
    let count = extents(bytes, part(sizes[2])?)?.iter().try_fold(1u64, |count, &n| count.checked_mul(n));
    let size = count.and_then(|count| count.checked_mul(element.size() as u64)).ok_or("too large")?;
    let data = cursor.take(usize::try_from(size).map_err(|_| "too large")?)?;
    Ok(Some(Value { element, data: data.into() }))
}
