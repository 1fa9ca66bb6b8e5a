//! Growing datasets of one file, and the publication of a frame.
//!
//! No data visible to a reader is ever overwritten, except eight-byte numbers. A frame is written in four steps: (1)
//! compressed chunks, rows and index entries, beyond the current extents; (2) the end of the file in the superblock;
//! (3) the extents of the datasets; (4) the counters (`NSteps`), all in one write. After an interruption at any point,
//! the file shows the previous frames completely; concurrent readers are not disturbed.
//!
//! A list ([`Writer::extend`]) may end inside a chunk. When it grows, that chunk is stored again with the new rows, and
//! its entry in the index is replaced in one write: both chunks begin with the rows that readers can see.
//!
//! A chunk equal to that of the previous frame at the same place is not stored again: the index refers to the old
//! chunk. Frames of a structure at rest need almost no space.

use std::io;

use flate2::{Compress, Compression, FlushCompress, Status};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::message::{DEFLATE_LEVEL, END_OF_FILE_AT};
use super::storage::Storage;
use super::sums::{StorageNote, StoredPiece, checksum};
use super::tree::{ChunkPlace, ChunkTree};

/// Identifies a dataset of the writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetId(pub(super) usize);

/// One growing dataset.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Growing {
    /// Position of the header.
    pub header_at: u64,
    /// Position of the first extent in the file.
    pub extent_at: u64,
    /// Position of the address of the root of the index in the file.
    pub root_at: u64,
    /// Chunk extents, one per dimension.
    pub chunk: Vec<u64>,
    /// Bytes of one element.
    pub element: usize,
    /// Compressed, whole chunks only, with this many bytes shuffled together.
    pub unit: Option<usize>,
    /// Rows so far, in memory.
    pub rows: u64,
    /// Index of chunks.
    pub tree: ChunkTree,
    /// Second extent, if it grows.
    pub width: Option<u64>,
    /// First row and place of the last chunk of a list.
    pub tail: Option<(u64, ChunkPlace)>,
    /// Checksum of that chunk.
    pub tail_sum: u32,
    /// Chunks of the last append, for sharing.
    pub last: Vec<ChunkPlace>,
    /// Checksums of these chunks.
    pub last_sums: Vec<u32>,
    /// Their values, before compression.
    #[serde(skip)]
    pub last_bytes: Vec<u8>,
}

impl Growing {
    fn chunk_bytes(&self) -> usize {
        self.chunk.iter().product::<u64>() as usize * self.element
    }

    /// Rank 3: one append is one row that is cut along its second dimension.
    fn cut_across(&self) -> bool {
        self.chunk.len() == 3
    }
}

/// All growing datasets; together with the storage the complete state of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Writer {
    pub(super) datasets: Vec<Growing>,
    /// Positions of the counters of complete frames, in rising order.
    pub(super) counters: Vec<u64>,
    /// First byte that is free.
    pub(super) end: u64,
    /// Pieces and widths that the storage has no note of yet.
    pub(super) pieces: Vec<StoredPiece>,
    pub(super) widths: Vec<[u64; 2]>,
}

impl Writer {
    /// Appends to compressed datasets; incomplete chunks are padded with zeros.
    /// Returns nothing visible before [`Writer::publish`].
    pub fn append(&mut self, storage: &mut impl Storage, blocks: Vec<(DatasetId, Vec<u8>)>) -> io::Result<()> {
        let blocks: Vec<(usize, Vec<u8>)> = blocks
            .into_iter()
            .map(|(DatasetId(index), mut bytes)| {
                let padded = bytes.len().next_multiple_of(self.datasets[index].chunk_bytes());
                bytes.resize(padded, 0);
                (index, bytes)
            })
            .collect();

        // compression is most of the work; unchanged chunks are not compressed
        let jobs: Vec<(&Growing, &[u8], usize)> = blocks
            .iter()
            .flat_map(|(index, bytes)| {
                let dataset = &self.datasets[*index];
                let pieces = bytes.chunks_exact(dataset.chunk_bytes());
                pieces.enumerate().map(move |(position, piece)| (dataset, piece, position))
            })
            .collect();
        let packed: Vec<Option<Vec<u8>>> = jobs
            .par_iter()
            .map(|&(dataset, piece, position)| {
                let size = piece.len();
                let before = dataset.last_bytes.get(position * size..(position + 1) * size);
                if before == Some(piece) { Ok(None) } else { pack(piece, dataset.unit.unwrap_or(1)).map(Some) }
            })
            .collect::<io::Result<_>>()?;

        let mut packed = packed.into_iter();
        for (index, bytes) in blocks {
            let dataset = &mut self.datasets[index];
            let count = bytes.len() / dataset.chunk_bytes();
            let (mut places, mut sums) = (Vec::with_capacity(count), Vec::with_capacity(count));
            for position in 0..count {
                let (place, sum) = match packed.next().flatten() {
                    None => (dataset.last[position], dataset.last_sums[position]),
                    Some(data) => store(storage, &mut self.end, data)?,
                };
                let mut start = vec![0; dataset.chunk.len()];
                let (axis, first) = if dataset.cut_across() { (1, 0) } else { (0, dataset.rows) };
                start[0] = dataset.rows;
                start[axis] = first + position as u64 * dataset.chunk[axis];
                dataset.tree.append(storage, &mut self.end, &start, place)?;
                places.push(place);
                sums.push(sum);
                let second = if dataset.cut_across() { start[1] } else { 0 };
                let rows = if dataset.cut_across() { 1 } else { dataset.chunk[0] as u32 };
                self.pieces.push(StoredPiece { dataset: dataset.header_at, start: [start[0], second], rows, sum });
            }
            dataset.rows += if dataset.cut_across() { 1 } else { count as u64 * dataset.chunk[0] };
            dataset.last = places;
            dataset.last_sums = sums;
            dataset.last_bytes = bytes;
        }
        Ok(())
    }

    /// Appends rows to a list: a compressed dataset of rank 1 or 2 that may end inside a chunk.
    pub fn extend(&mut self, storage: &mut impl Storage, id: DatasetId, rows: &[u8]) -> io::Result<()> {
        let dataset = &mut self.datasets[id.0];
        let (size, unit) = (dataset.chunk_bytes(), dataset.unit.unwrap_or(1));
        let row = size / dataset.chunk[0] as usize;
        let filled = (dataset.rows % dataset.chunk[0]) as usize;
        let first = dataset.rows - filled as u64;
        // rows that the last chunk holds already are stored again with the new ones
        let mut data = Vec::new();
        if let Some((_, place)) = dataset.tail.filter(|_| filled > 0) {
            let mut packed = vec![0; place.length as usize];
            storage.read_at(place.address, &mut packed)?;
            data = unpack(&packed, unit, size)?;
            data.truncate(filled * row);
        }
        data.extend(rows);
        for (k, piece) in data.chunks(size).enumerate() {
            let held = (piece.len() / row) as u32;
            let mut piece = piece.to_vec();
            piece.resize(size, 0);
            let (place, sum) = store(storage, &mut self.end, pack(&piece, unit)?)?;
            let mut start = vec![0; dataset.chunk.len()];
            start[0] = first + k as u64 * dataset.chunk[0];
            self.pieces.push(StoredPiece { dataset: dataset.header_at, start: [start[0], 0], rows: held, sum });
            if k == 0 && filled > 0 {
                // readers find the chunk from now on
                note(storage, &mut self.pieces, &mut self.widths, None)?;
                dataset.tree.replace_last(storage, &start, place)?;
            } else {
                dataset.tree.append(storage, &mut self.end, &start, place)?;
            }
            dataset.tail = Some((start[0], place));
            dataset.tail_sum = sum;
        }
        dataset.rows += (rows.len() / row) as u64;
        Ok(())
    }

    /// Makes the second extent of a dataset that grows in both directions `width`.
    pub fn widen(&mut self, id: DatasetId, width: u64) {
        self.datasets[id.0].width = Some(width);
        self.widths.push([self.datasets[id.0].header_at, width]);
    }

    /// Appends one row to a dataset that is not compressed.
    pub fn push_row(&mut self, storage: &mut impl Storage, id: DatasetId, row: &[u8]) -> io::Result<()> {
        let dataset = &mut self.datasets[id.0];
        let in_chunk = dataset.rows % dataset.chunk[0];
        if in_chunk == 0 {
            let place = ChunkPlace { address: self.end, length: dataset.chunk_bytes() as u32 };
            let room = vec![0; dataset.chunk_bytes().next_multiple_of(8)];
            storage.write_at(self.end, &room)?;
            self.end += room.len() as u64;
            let mut start = vec![0; dataset.chunk.len()];
            start[0] = dataset.rows;
            dataset.tree.append(storage, &mut self.end, &start, place)?;
            dataset.last = vec![place];
        }
        let chunk = dataset.last[0].address;
        storage.write_at(chunk + in_chunk * row.len() as u64, row)?;
        let start = [dataset.rows, 0];
        self.pieces.push(StoredPiece { dataset: dataset.header_at, start, rows: 1, sum: checksum(row) });
        dataset.rows += 1;
        Ok(())
    }

    /// Shows everything appended so far, and counts `frames` frames.
    pub fn publish(&mut self, storage: &mut impl Storage, frames: u64) -> io::Result<()> {
        note(storage, &mut self.pieces, &mut self.widths, Some(frames))?;
        storage.write_at(END_OF_FILE_AT, &self.end.to_le_bytes())?;
        for dataset in &self.datasets {
            storage.write_at(dataset.root_at, &dataset.tree.root().to_le_bytes())?;
            if let Some(width) = dataset.width {
                storage.write_at(dataset.extent_at + 8, &width.to_le_bytes())?;
            }
            storage.write_at(dataset.extent_at, &dataset.rows.to_le_bytes())?;
        }
        // readers reject parts with different numbers of steps, so all counters change in one write
        if let (Some(&first), Some(&last)) = (self.counters.first(), self.counters.last()) {
            let mut bytes = vec![0; (last + 8 - first) as usize];
            storage.read_at(first, &mut bytes)?;
            for &at in &self.counters {
                let start = (at - first) as usize;
                bytes[start..start + 8].copy_from_slice(&frames.to_le_bytes());
            }
            storage.write_at(first, &bytes)?;
        }
        Ok(())
    }

    /// Notes that everything published is shown.
    pub fn confirm(&self, storage: &mut impl Storage) -> io::Result<()> {
        storage.note(&StorageNote::Published)
    }

    /// Notes the header of a new file.
    pub(super) fn note_header(&self, storage: &mut impl Storage) -> io::Result<()> {
        let mut holes = vec![[END_OF_FILE_AT, 8]];
        for dataset in &self.datasets {
            holes.push([dataset.extent_at, if dataset.width.is_some() { 16 } else { 8 }]);
            holes.push([dataset.root_at, 8]);
        }
        holes.extend(self.counters.iter().map(|&at| [at, 8]));
        let mut bytes = vec![0; self.end as usize];
        storage.read_at(0, &mut bytes)?;
        storage.note(&StorageNote::header(&bytes, holes))
    }

    /// Reverts to this saved state: discards everything written after it.
    pub fn restore(&mut self, storage: &mut impl Storage, frames: u64) -> io::Result<()> {
        if storage.length()? < self.end {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                format!("the file is shorter than the {} bytes of the checkpoint", self.end),
            ));
        }
        for dataset in &mut self.datasets {
            dataset.tree.restore(storage)?;
            if let Some((first, place)) = dataset.tail {
                stored(storage, place, dataset.tail_sum)?;
                let mut start = vec![0; dataset.chunk.len()];
                start[0] = first;
                dataset.tree.replace_last(storage, &start, place)?;
            }
        }
        self.publish(storage, frames)?;
        storage.set_len(self.end)?;
        // what the next append compares with
        for dataset in &mut self.datasets {
            let Some(unit) = dataset.unit else { continue };
            let size = dataset.chunk_bytes();
            dataset.last_bytes.clear();
            for (place, &sum) in dataset.last.iter().zip(&dataset.last_sums) {
                dataset.last_bytes.extend(unpack(&stored(storage, *place, sum)?, unit, size)?);
            }
        }
        Ok(())
    }

    /// Values of the last append to a compressed dataset, before compression, padded to whole chunks.
    pub fn last(&self, id: DatasetId) -> &[u8] {
        &self.datasets[id.0].last_bytes
    }

    /// Rows of one chunk of a dataset.
    pub fn chunk_rows(&self, id: DatasetId) -> u64 {
        self.datasets[id.0].chunk[0]
    }

    /// Rows of a dataset.
    pub fn rows(&self, id: DatasetId) -> u64 {
        self.datasets[id.0].rows
    }
}

/// Passes the notes of all new pieces and widths to the storage.
fn note(
    storage: &mut impl Storage,
    pieces: &mut Vec<StoredPiece>,
    widths: &mut Vec<[u64; 2]>,
    publishes: Option<u64>,
) -> io::Result<()> {
    let (pieces, widths) = (std::mem::take(pieces), std::mem::take(widths));
    storage.note(&StorageNote::Stored { pieces, widths, publishes })
}

/// Stores a packed chunk at the end of the file, filled with zeros to whole words; returns its place and its checksum.
fn store(storage: &mut impl Storage, end: &mut u64, mut packed: Vec<u8>) -> io::Result<(ChunkPlace, u32)> {
    let place = ChunkPlace { address: *end, length: packed.len() as u32 };
    packed.resize(place.padded() as usize, 0);
    storage.write_at(*end, &packed)?;
    *end += packed.len() as u64;
    Ok((place, checksum(&packed)))
}

/// Reads a packed chunk; an error if it is not what was stored.
fn stored(storage: &mut impl Storage, place: ChunkPlace, sum: u32) -> io::Result<Vec<u8>> {
    let mut packed = vec![0; place.padded() as usize];
    storage.read_at(place.address, &mut packed)?;
    if checksum(&packed) != sum {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("wrong checksum at byte {}", place.address)));
    }
    packed.truncate(place.length as usize);
    Ok(packed)
}

/// HDF5's shuffle filter (first bytes of all units, then second bytes, …; an incomplete unit is not changed) and
/// deflate, with a separate code for every byte position in a unit: exponents and last digits have different
/// statistics.
fn pack(bytes: &[u8], unit: usize) -> io::Result<Vec<u8>> {
    let count = bytes.len() / unit;
    let whole = count * unit;
    let mut shuffled = vec![0; bytes.len()];
    for (i, value) in bytes[..whole].chunks_exact(unit).enumerate() {
        for (j, &byte) in value.iter().enumerate() {
            shuffled[j * count + i] = byte;
        }
    }
    shuffled[whole..].copy_from_slice(&bytes[whole..]);

    let mut deflate = Compress::new(Compression::new(DEFLATE_LEVEL), true);
    let mut out = Vec::with_capacity(bytes.len() / 2 + 256);
    let places =
        (0..whole).step_by(count.max(1)).map(|start| (&shuffled[start..start + count], FlushCompress::Partial));
    for (piece, flush) in places.chain([(&shuffled[whole..], FlushCompress::Finish)]) {
        let start = deflate.total_in();
        loop {
            out.reserve(piece.len() / 2 + 64);
            let rest = &piece[(deflate.total_in() - start) as usize..];
            let status = deflate.compress_vec(rest, &mut out, flush).map_err(io::Error::other)?;
            // the buffer is large enough for the complete result
            if status == Status::StreamEnd || (flush == FlushCompress::Partial && out.len() < out.capacity()) {
                break;
            }
        }
    }
    Ok(out)
}

/// The reverse of [`pack`].
pub(super) fn unpack(packed: &[u8], unit: usize, size: usize) -> io::Result<Vec<u8>> {
    let mut shuffled = Vec::new();
    let limited = io::Read::take(flate2::read::ZlibDecoder::new(packed), size as u64 + 1);
    io::copy(&mut { limited }, &mut shuffled)?;
    if shuffled.len() != size {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a chunk has the wrong size"));
    }
    let count = size / unit;
    let whole = count * unit;
    let mut bytes = vec![0; size];
    for (i, value) in bytes[..whole].chunks_exact_mut(unit).enumerate() {
        for (j, byte) in value.iter_mut().enumerate() {
            *byte = shuffled[j * count + i];
        }
    }
    bytes[whole..].copy_from_slice(&shuffled[whole..]);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpack_reverses_pack() {
        let bytes: Vec<u8> = (0..240u32).flat_map(|i| (i * i).to_le_bytes()).collect();
        let noise: Vec<u8> = (0..40_000u32).flat_map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        for bytes in [&bytes, &noise, &Vec::new(), &vec![0; 100_000]] {
            for unit in [1, 4, 7, 8, 12, 24] {
                assert_eq!(&unpack(&pack(bytes, unit).unwrap(), unit, bytes.len()).unwrap(), bytes);
            }
        }
        assert!(unpack(&pack(&bytes, 4).unwrap(), 4, bytes.len() - 4).is_err());
    }
}
