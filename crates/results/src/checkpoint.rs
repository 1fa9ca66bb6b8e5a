//! `checkpoint`: everything needed to continue a run bit-identically.
//!
//! Layout: 8 bytes "VOUSSOIR", format number (u32), length of the rest (u64), CRC-32 of the rest (u32), lengths of
//! `timing.csv` and `checksums` (u64 each) and the real time of the run in seconds (f64), then the [`Header`] and the
//! state in postcard encoding, which keeps every bit of a number. Little endian. The file is replaced by one rename, so
//! that a checkpoint is always complete.
//!
//! Two runs of the same scene to the same step, interrupted and resumed or not, have the same bytes except for
//! [`CHECKPOINT_VOLATILE`], which depend on computing time.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::atomic;
use crate::error::ResultsError;
use crate::recorder::Position;

/// Name in the results folder.
pub const CHECKPOINT_FILE: &str = "checkpoint";

/// Format number of checkpoints.
pub const CHECKPOINT_FORMAT: u32 = 11;

/// Bytes of a checkpoint that depend on computing time: checksum, lengths of `timing.csv` and `checksums`, real time.
pub const CHECKPOINT_VOLATILE: std::ops::Range<usize> = 20..VOLATILE_END;

const MAGIC: &[u8; 8] = b"VOUSSOIR";
const PREFIX: usize = 24;
const VOLATILE_END: usize = PREFIX + 24;

/// The part of a position that depends on computing time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Volatile {
    /// Length of `timing.csv` [bytes].
    pub timing: u64,
    /// Length of `checksums` [bytes].
    pub checksums: u64,
    /// Real time of the run [s].
    pub seconds: f64,
}

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
    volatile: Volatile,
    state: Vec<u8>,
    path: std::path::PathBuf,
}

impl Checkpoint {
    /// Reads the checkpoint of a results folder.
    pub fn read(dir: &Path) -> Result<Self, ResultsError> {
        let path = dir.join(CHECKPOINT_FILE);
        let bytes = std::fs::read(&path).map_err(ResultsError::read(&path))?;
        let damaged = |reason: &str| ResultsError::Damaged { path: path.clone(), reason: reason.to_owned() };
        if bytes.len() < VOLATILE_END {
            return Err(damaged("too short"));
        }
        let rest = &bytes[PREFIX..];
        let number = |range: std::ops::Range<usize>| {
            bytes[range].iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte))
        };
        if &bytes[..8] != MAGIC {
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
        let volatile =
            Volatile { timing: number(24..32), checksums: number(32..40), seconds: f64::from_bits(number(40..48)) };
        let (header, state) =
            postcard::take_from_bytes(&bytes[VOLATILE_END..]).map_err(ResultsError::damaged(&path))?;
        Ok(Self { header, volatile, state: state.to_vec(), path })
    }

    /// The state of the run; `T` must be the type that was written.
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

    pub(crate) fn volatile(&self) -> Volatile {
        self.volatile
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
    volatile: Volatile,
    state: &T,
) -> Result<(), ResultsError> {
    let path = dir.join(CHECKPOINT_FILE);
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let header = Header { version, scene_hash, position: position.clone() };
    let encode = || -> postcard::Result<Vec<u8>> {
        let bytes = postcard::to_extend(&header, vec![0; VOLATILE_END])?;
        postcard::to_extend(state, bytes)
    };
    let mut bytes = encode().map_err(ResultsError::damaged(&path))?;
    bytes[24..32].copy_from_slice(&volatile.timing.to_le_bytes());
    bytes[32..40].copy_from_slice(&volatile.checksums.to_le_bytes());
    bytes[40..48].copy_from_slice(&volatile.seconds.to_le_bytes());
    let (prefix, rest) = bytes.split_at_mut(PREFIX);
    prefix[..8].copy_from_slice(MAGIC);
    prefix[8..12].copy_from_slice(&CHECKPOINT_FORMAT.to_le_bytes());
    prefix[12..20].copy_from_slice(&(rest.len() as u64).to_le_bytes());
    prefix[20..24].copy_from_slice(&crc32fast::hash(rest).to_le_bytes());
    atomic::replace(&path, &bytes)
}

/// FNV-1a, 64 bits: distinguishes scenes, identical on every machine.
pub(crate) fn scene_hash(scene: &str) -> u64 {
    scene.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
