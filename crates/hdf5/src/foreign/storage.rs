//! Storage of the data of a dataset: in its header, in one piece, or in filtered chunks.

use std::borrow::Cow;
use std::io::Read;

use super::bytes::{Bytes, NOWHERE, Part};
use super::header::Header;
use crate::message::kind;

/// Largest expansion by deflate; a file that claims more is damaged.
const LARGEST_RATIO: u64 = 1032;
/// Largest size of one dataset [bytes].
const LARGEST_DATASET: u64 = 1 << 32;

/// All data of a dataset with elements of `element` bytes, in the order of the file.
pub(super) fn data<'a>(bytes: Bytes<'a>, header: &Header<'a>, extents: &[u64], element: usize) -> Part<Cow<'a, [u8]>> {
    let total = extents.iter().try_fold(element as u64, |size, &n| size.checked_mul(n));
    let total = total.ok_or("extents that are too large")?;
    if total == 0 {
        return Ok(Cow::Borrowed(&[]));
    }
    let message = header.find(kind::LAYOUT)?.ok_or("no data")?;
    let mut cursor = bytes.cursor(message);
    let version = cursor.byte()?;
    match version {
        1 | 2 => {
            let (rank, class) = (cursor.byte()?, cursor.byte()?);
            cursor.take(5)?;
            let address = if class == 0 { NOWHERE } else { cursor.address()? };
            let chunk = (0..rank).map(|_| cursor.number(4)).collect::<Part<Vec<u64>>>()?;
            match class {
                0 => {
                    let size = cursor.number(4)?;
                    whole(cursor.take(size as usize)?, total)
                }
                1 => contiguous(bytes, address, total),
                _ => Chunks::new(bytes, header, extents, element, total, &chunk)?.tree(address),
            }
        }
        3..=5 => match cursor.byte()? {
            0 => {
                let size = cursor.number(2)? as usize;
                whole(cursor.take(size)?, total)
            }
            1 => contiguous(bytes, cursor.address()?, total),
            2 if version == 3 => {
                let rank = cursor.byte()?;
                let address = cursor.address()?;
                let chunk = (0..rank).map(|_| cursor.number(4)).collect::<Part<Vec<u64>>>()?;
                Chunks::new(bytes, header, extents, element, total, &chunk)?.tree(address)
            }
            2 => {
                let (flags, rank, width) = (cursor.byte()?, cursor.byte()?, usize::from(cursor.byte()?));
                if width > 8 {
                    return Err("a damaged layout");
                }
                let chunk = (0..rank).map(|_| cursor.number(width)).collect::<Part<Vec<u64>>>()?;
                let mut chunks = Chunks::new(bytes, header, extents, element, total, &chunk)?;
                if cursor.byte()? != 1 {
                    return Err("an index of chunks that is not supported; h5repack --low=0 --high=0 makes a file \
                                without");
                }
                let (size, mask) =
                    if flags & 2 != 0 { (cursor.length()?, cursor.number(4)? as u32) } else { (chunks.size as u64, 0) };
                chunks.add(0, cursor.address()?, size, mask)?;
                chunks.end()
            }
            _ => Err("a layout that is not supported"),
        },
        _ => Err("a layout of an unknown version"),
    }
}

fn whole(stored: &[u8], total: u64) -> Part<Cow<'_, [u8]>> {
    let total = usize::try_from(total).map_err(|_| "cut off")?;
    stored.get(..total).map(Cow::Borrowed).ok_or("has less data than its extents say")
}

fn contiguous(bytes: Bytes<'_>, address: u64, total: u64) -> Part<Cow<'_, [u8]>> {
    if address == NOWHERE {
        return Err("was never written");
    }
    bytes.slice(address, total).map(Cow::Borrowed)
}

/// A filter of chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filter {
    Deflate,
    Shuffle,
    /// Fletcher's checksum behind the data.
    Checksum,
}

/// Chunked data that are assembled.
struct Chunks<'a> {
    bytes: Bytes<'a>,
    filters: Vec<Filter>,
    element: usize,
    /// Bytes of a chunk.
    size: usize,
    out: Vec<u8>,
    total: usize,
    nodes_left: usize,
}

impl<'a> Chunks<'a> {
    fn new(
        bytes: Bytes<'a>,
        header: &Header<'a>,
        extents: &[u64],
        element: usize,
        total: u64,
        chunk: &[u64],
    ) -> Part<Self> {
        const TOO_LARGE: &str = "claims more data than the file can hold";
        let limit = LARGEST_DATASET.min(LARGEST_RATIO * bytes.all.len() as u64);
        // the last extent of a chunk is the size of an element
        let ([_], [rows, _]) = (extents, chunk) else {
            return Err("chunks of more than one dimension, which are not supported");
        };
        let size = rows.checked_mul(element as u64).filter(|&size| size > 0 && size <= limit).ok_or(TOO_LARGE)?;
        if total > limit {
            return Err(TOO_LARGE);
        }
        let filters = match header.find(kind::FILTERS)? {
            Some(message) => filters(bytes, message)?,
            None => Vec::new(),
        };
        let nodes_left = bytes.all.len() / 8;
        let (size, total) = (size as usize, total as usize);
        Ok(Self { bytes, filters, element, size, out: Vec::new(), total, nodes_left })
    }

    /// Collects the chunks of a version 1 B-tree.
    fn tree(mut self, root: u64) -> Part<Cow<'a, [u8]>> {
        if root == NOWHERE {
            return Err("was never written");
        }
        self.walk(root, None)?;
        self.end()
    }

    fn walk(&mut self, address: u64, above: Option<u8>) -> Part<()> {
        const DAMAGED: &str = "a damaged index of chunks";
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or(DAMAGED)?;
        let (mut cursor, level, used) = self.bytes.tree_node(address, b"TREE\x01", above, DAMAGED)?;
        for _ in 0..used {
            // stored size, filters omitted, first element, zero for the position inside an element
            let (size, mask, start) = (cursor.number(4)?, cursor.number(4)? as u32, cursor.number(8)?);
            cursor.take(8)?;
            let child = cursor.address()?;
            if level == 0 { self.add(start, child, size, mask)? } else { self.walk(child, Some(level))? }
        }
        Ok(())
    }

    /// Adds the chunk that starts at element `start`; chunks come in order.
    fn add(&mut self, start: u64, address: u64, stored: u64, mask: u32) -> Part<()> {
        if start.checked_mul(self.element as u64) != Some(self.out.len() as u64) || self.out.len() >= self.total {
            return Err("a chunk is missing or out of order");
        }
        let mut data = Cow::Borrowed(self.bytes.slice(address, stored)?);
        for (index, filter) in self.filters.iter().enumerate().rev() {
            if mask >> index.min(31) & 1 == 0 {
                data = Cow::Owned(undo(*filter, &data, self.element, self.size)?);
            }
        }
        if data.len() != self.size {
            return Err("a chunk has the wrong size");
        }
        let wanted = self.size.min(self.total - self.out.len());
        self.out.extend_from_slice(&data[..wanted]);
        Ok(())
    }

    fn end(self) -> Part<Cow<'a, [u8]>> {
        if self.out.len() == self.total { Ok(Cow::Owned(self.out)) } else { Err("a chunk is missing") }
    }
}

/// Filters in the order in which they were applied.
fn filters<'a>(bytes: Bytes<'a>, message: &'a [u8]) -> Part<Vec<Filter>> {
    let mut cursor = bytes.cursor(message);
    let (version, count) = (cursor.byte()?, cursor.byte()?);
    if !matches!(version, 1 | 2) {
        return Err("filters of an unknown version");
    }
    cursor.take(if version == 1 { 6 } else { 0 })?;
    let mut filters = Vec::new();
    for _ in 0..count {
        let id = cursor.number(2)?;
        let name = if version == 1 || id >= 256 { cursor.number(2)? as usize } else { 0 };
        cursor.take(2)?;
        let values = cursor.number(2)? as usize;
        cursor.take(if version == 1 { name.next_multiple_of(8) } else { name })?;
        cursor.take(4 * values + if version == 1 && values % 2 == 1 { 4 } else { 0 })?;
        filters.push(match id {
            1 => Filter::Deflate,
            2 => Filter::Shuffle,
            3 => Filter::Checksum,
            _ => return Err("a filter that is not supported (deflate, shuffle and fletcher32 are)"),
        });
    }
    Ok(filters)
}

/// Undoes one filter; the result is not larger than a chunk and a checksum.
fn undo(filter: Filter, data: &[u8], element: usize, size: usize) -> Part<Vec<u8>> {
    match filter {
        Filter::Checksum => Ok(data.get(..data.len().saturating_sub(4)).unwrap_or_default().to_vec()),
        Filter::Shuffle => Ok(unshuffle(data, element)),
        Filter::Deflate => {
            let mut out = Vec::new();
            let limit = size as u64 + 5;
            let read = flate2::read::ZlibDecoder::new(data).take(limit).read_to_end(&mut out);
            read.map_err(|_| "a chunk cannot be unpacked")?;
            Ok(out)
        }
    }
}

/// From "first bytes of all elements, then second bytes, …" to elements; the remainder is appended.
fn unshuffle(data: &[u8], element: usize) -> Vec<u8> {
    let count = data.len() / element;
    let mut out = data.to_vec();
    for (i, value) in out.chunks_exact_mut(element).enumerate() {
        for (j, byte) in value.iter_mut().enumerate() {
            *byte = data[j * count + i];
        }
    }
    out
}
