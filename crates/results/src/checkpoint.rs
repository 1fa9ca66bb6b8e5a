//! `checkpoint`: everything needed to continue as if the run had not stopped.
//!
//! Layout: 8 bytes "VOUSSOIR", format number (u32), length of the rest (u64), its CRC-32 (u32), then the
//! [`Header`] and the state in postcard encoding, which keeps every bit of a number. Little endian. The file is
//! replaced in one move, so that a checkpoint is always whole.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::atomic;
use crate::error::ResultsError;
use crate::recorder::Position;

/// Name in the results folder.
pub const CHECKPOINT_FILE: &str = "checkpoint";

/// Format number of checkpoints.
pub const CHECKPOINT_FORMAT: u32 = 7;

const MAGIC: &[u8; 8] = b"VOUSSOIR";
const PREFIX: usize = 24;

/// Header of a checkpoint.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Header {
    version: String,
    scene_hash: u64,
    position: Position,
}

/// A checkpoint as read from disk.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    header: Header,
    state: Vec<u8>,
    path: std::path::PathBuf,
}

impl Checkpoint {
    /// Reads the checkpoint of a results folder.
    pub fn read(dir: &Path) -> Result<Self, ResultsError> {
        let path = dir.join(CHECKPOINT_FILE);
        let bytes = std::fs::read(&path).map_err(ResultsError::read(&path))?;
        let damaged = |reason: &str| ResultsError::Damaged { path: path.clone(), reason: reason.to_owned() };
        let (prefix, rest) = bytes.split_at_checked(PREFIX).ok_or_else(|| damaged("too short"))?;
        let number = |range: std::ops::Range<usize>| {
            prefix[range].iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte))
        };
        if &prefix[..8] != MAGIC {
            return Err(damaged("the signature of a checkpoint is missing"));
        }
        let found = number(8..12) as u32;
        if found != CHECKPOINT_FORMAT {
            return Err(ResultsError::OtherFormat { path, found, expected: CHECKPOINT_FORMAT });
        }
        if rest.len() as u64 != number(12..20) {
            return Err(damaged("the length is wrong: truncated or extended"));
        }
        if u64::from(crc32fast::hash(rest)) != number(20..24) {
            return Err(damaged("wrong checksum"));
        }
        let (header, state) = postcard::take_from_bytes(rest).map_err(ResultsError::damaged(&path))?;
        Ok(Self { header, state: state.to_vec(), path })
    }

    /// The state of the run; `T` must be what was written.
    pub fn state<T: DeserializeOwned>(&self) -> Result<T, ResultsError> {
        let (state, rest) = postcard::take_from_bytes(&self.state).map_err(ResultsError::damaged(&self.path))?;
        if rest.is_empty() {
            Ok(state)
        } else {
            let reason = "the state does not match the model (another dimension?)".to_owned();
            Err(ResultsError::Damaged { path: self.path.clone(), reason })
        }
    }

    /// Version of the program that wrote it.
    pub fn version(&self) -> &str {
        &self.header.version
    }

    /// Steps done.
    pub fn steps(&self) -> u64 {
        self.header.position.steps()
    }

    /// An error unless `scene` is the text of the scene that was run.
    pub fn check_scene(&self, scene: &str) -> Result<(), ResultsError> {
        if scene_hash(scene) == self.header.scene_hash {
            Ok(())
        } else {
            Err(ResultsError::OtherScene { path: self.path.clone() })
        }
    }

    pub(crate) fn scene_hash(&self) -> u64 {
        self.header.scene_hash
    }

    pub(crate) fn position(&self) -> &Position {
        &self.header.position
    }
}

/// Writes or replaces the checkpoint of a results folder.
pub(crate) fn write<T: Serialize>(
    dir: &Path,
    scene_hash: u64,
    position: &Position,
    state: &T,
) -> Result<(), ResultsError> {
    let path = dir.join(CHECKPOINT_FILE);
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let header = Header { version, scene_hash, position: position.clone() };
    let encode = || -> postcard::Result<Vec<u8>> {
        let bytes = postcard::to_extend(&header, vec![0; PREFIX])?;
        postcard::to_extend(state, bytes)
    };
    let mut bytes = encode().map_err(ResultsError::damaged(&path))?;
    let (prefix, rest) = bytes.split_at_mut(PREFIX);
    prefix[..8].copy_from_slice(MAGIC);
    prefix[8..12].copy_from_slice(&CHECKPOINT_FORMAT.to_le_bytes());
    prefix[12..20].copy_from_slice(&(rest.len() as u64).to_le_bytes());
    prefix[20..24].copy_from_slice(&crc32fast::hash(rest).to_le_bytes());
    atomic::replace(&path, &bytes)
}

/// FNV-1a, 64 bits: tells scenes apart, the same on every machine.
pub(crate) fn scene_hash(scene: &str) -> u64 {
    scene.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
