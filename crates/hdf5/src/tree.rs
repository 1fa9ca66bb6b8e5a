//! Index of the chunks of one dataset: a version 1 B-tree that only grows to the right.
//!
//! A node has up to 64 children between keys: key₀ child₀ key₁ child₁ … keyₙ. A key is the first element of a chunk.
//! Chunks arrive in increasing order, so only the last node of each level (together the *spine*) ever changes. The last
//! key of a spine node means "beyond everything".
//!
//! Every change can be interrupted at any write: an entry is written beyond the count of the node first, then the
//! count; a new node is written before anything points to it.

use std::io;

use serde::{Deserialize, Serialize};

use super::message::UNDEFINED;
use super::storage::Storage;

/// Children of a full node: twice the default "K" of files whose superblock does not say otherwise.
const FANOUT: u16 = 64;

/// Bytes before the first key of a node.
const NODE_PREFIX: u64 = 24;

/// Place of a chunk in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkPlace {
    /// First byte.
    pub address: u64,
    /// Bytes as stored.
    pub length: u32,
}

impl ChunkPlace {
    /// Occupied bytes: whole words.
    pub fn padded(&self) -> u64 {
        u64::from(self.length).next_multiple_of(8)
    }
}

/// A node of the spine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Node {
    address: u64,
    used: u16,
}

/// The growing index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkTree {
    /// Rank of the dataset.
    rank: usize,
    /// A first coordinate that no chunk reaches.
    beyond: u64,
    /// Stored length of the very first chunk.
    first_length: u32,
    /// Last node of each level, leaf first.
    spine: Vec<Node>,
}

impl ChunkTree {
    /// An index without chunks, for chunks of `chunk_rows` rows.
    pub fn new(rank: usize, chunk_rows: u64) -> Self {
        Self { rank, beyond: chunk_rows << 32, first_length: 0, spine: Vec::new() }
    }

    /// Address of the root node.
    pub fn root(&self) -> u64 {
        self.spine.last().map_or(UNDEFINED, |node| node.address)
    }

    /// Enters a chunk that starts at `start` (one coordinate per dimension), after all others.
    pub fn append(
        &mut self,
        storage: &mut impl Storage,
        end: &mut u64,
        start: &[u64],
        chunk: ChunkPlace,
    ) -> io::Result<()> {
        if self.spine.is_empty() {
            self.first_length = chunk.length;
        }
        let key = self.key(chunk.length, start);
        self.insert(storage, end, 0, &key, chunk.address)
    }

    /// Replaces the last chunk, which starts at `start`: one write, so that a reader finds the old chunk or
    /// the new one.
    pub fn replace_last(&self, storage: &mut impl Storage, start: &[u64], chunk: ChunkPlace) -> io::Result<()> {
        let Some(leaf) = self.spine.first() else { return Ok(()) };
        let mut entry = self.key(chunk.length, start);
        entry.extend(chunk.address.to_le_bytes());
        storage.write_at(self.entry(leaf.address, leaf.used - 1), &entry)
    }

    /// Restores the spine in the file after later writes were truncated.
    pub fn restore(&self, storage: &mut impl Storage) -> io::Result<()> {
        for node in &self.spine {
            storage.write_at(node.address + 6, &node.used.to_le_bytes())?;
            storage.write_at(node.address + 16, &UNDEFINED.to_le_bytes())?;
            storage.write_at(self.entry(node.address, node.used), &self.last_key())?;
        }
        Ok(())
    }

    fn insert(
        &mut self,
        storage: &mut impl Storage,
        end: &mut u64,
        level: usize,
        key: &[u8],
        child: u64,
    ) -> io::Result<()> {
        match self.spine.get(level).copied() {
            None => {
                // a new root; above the leaves it starts with the old root
                let mut entries = Vec::new();
                if let Some(old_root) = self.spine.last() {
                    entries.push((self.key(self.first_length, &vec![0; self.rank]), old_root.address));
                }
                entries.push((key.to_vec(), child));
                let node = self.write_node(storage, end, level, UNDEFINED, &entries)?;
                self.spine.push(node);
            }
            Some(node) if node.used < FANOUT => {
                let mut entry = key.to_vec();
                entry.extend(child.to_le_bytes());
                entry.extend(self.last_key());
                storage.write_at(self.entry(node.address, node.used), &entry)?;
                storage.write_at(node.address + 6, &(node.used + 1).to_le_bytes())?;
                self.spine[level].used += 1;
            }
            Some(full) => {
                let node = self.write_node(storage, end, level, full.address, &[(key.to_vec(), child)])?;
                storage.write_at(full.address + 16, &node.address.to_le_bytes())?;
                storage.write_at(self.entry(full.address, full.used), key)?;
                self.insert(storage, end, level + 1, key, node.address)?;
                self.spine[level] = node;
            }
        }
        Ok(())
    }

    /// Writes a node with free space at the end of the file.
    fn write_node(
        &self,
        storage: &mut impl Storage,
        end: &mut u64,
        level: usize,
        left: u64,
        entries: &[(Vec<u8>, u64)],
    ) -> io::Result<Node> {
        // signature, node of raw data chunks, level, count, siblings
        let mut bytes = b"TREE\x01".to_vec();
        bytes.push(level as u8);
        bytes.extend((entries.len() as u16).to_le_bytes());
        bytes.extend(left.to_le_bytes());
        bytes.extend(UNDEFINED.to_le_bytes());
        for (key, child) in entries {
            bytes.extend(key);
            bytes.extend(child.to_le_bytes());
        }
        bytes.extend(self.last_key());
        let size = self.entry(0, FANOUT) + self.key_size();
        bytes.resize(size as usize, 0);
        let address = *end;
        storage.write_at(address, &bytes)?;
        *end += size;
        Ok(Node { address, used: entries.len() as u16 })
    }

    /// Stored length, filters omitted (none), coordinates, and zero for the position inside an element.
    fn key(&self, length: u32, start: &[u64]) -> Vec<u8> {
        let mut key = length.to_le_bytes().to_vec();
        key.extend([0; 4]);
        key.extend(start.iter().chain(&[0]).flat_map(|v| v.to_le_bytes()));
        key
    }

    fn last_key(&self) -> Vec<u8> {
        let mut start = vec![0; self.rank];
        start[0] = self.beyond;
        self.key(0, &start)
    }

    fn key_size(&self) -> u64 {
        8 + 8 * (self.rank as u64 + 1)
    }

    /// Address of key `index` of a node.
    fn entry(&self, node: u64, index: u16) -> u64 {
        node + NODE_PREFIX + u64::from(index) * (self.key_size() + 8)
    }
}

/// Where the chunk that starts at `start` lies, in the tree whose root is at `root`. `get` reads bytes at an
/// address. Nodes above the leaves must lead downwards, so that a damaged tree ends the search too.
pub fn find(root: u64, start: &[u64], get: impl Fn(u64, u64) -> io::Result<Vec<u8>>) -> io::Result<Option<ChunkPlace>> {
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "the index of chunks is damaged");
    let shape = ChunkTree::new(start.len(), 0);
    let entry_size = shape.key_size() as usize + 8;
    let (mut address, mut above) = (root, u8::MAX);
    loop {
        let node = get(address, shape.entry(0, FANOUT) + shape.key_size())?;
        let (level, used) = (node[5], u16::from_le_bytes([node[6], node[7]]));
        if !node.starts_with(b"TREE\x01") || level >= above || used > FANOUT {
            return Err(damaged());
        }
        // the last entry whose key is not beyond the chunk
        let entries = node[NODE_PREFIX as usize..].chunks_exact(entry_size).take(usize::from(used));
        let key = |entry: &[u8]| -> Vec<u64> {
            entry[8..].as_chunks::<8>().0[..start.len()].iter().map(|b| u64::from_le_bytes(*b)).collect()
        };
        let Some(entry) = entries.take_while(|entry| key(entry).as_slice() <= start).last() else {
            return Ok(None);
        };
        let child = u64::from_le_bytes(*entry.last_chunk().ok_or_else(damaged)?);
        if level == 0 {
            let length = u32::from_le_bytes(*entry.first_chunk().ok_or_else(damaged)?);
            return Ok((key(entry) == start).then_some(ChunkPlace { address: child, length }));
        }
        (address, above) = (child, level);
    }
}
