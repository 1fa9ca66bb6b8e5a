//! Resuming a recording: the folder is compared with its checksums and truncated to a checkpoint.
//!
//! Data recorded before the checkpoint must be unchanged, otherwise the run ends with an error. Data recorded after the
//! checkpoint are discarded first: a power cut may have left it in any state, and the resumed run records it again.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use voussoir_hdf5::read::Reader;
use voussoir_hdf5::storage::FileStorage;
use voussoir_mechanics::report::Column;
use voussoir_mechanics::snapshot::Cast;

use crate::checkpoint::{Checkpoint, Volatile};
use crate::checksums::{CHECKSUMS_FILE, CheckedStorage, FolderSums, SharedSums, TableKind, check_files};
use crate::error::ResultsError;
use crate::frames::{FRAMES_FILE, FrameWriter};
use crate::history::{GrowingTable, HISTORY_FILE, Layout, TIMING_FILE};
use crate::history_table::damaged_rows;
use crate::recorder::{Position, Recorder, SCENE_FILE, check_surfaces, locked};
use crate::results::Results;
use crate::summary::SUMMARY_FILE;

impl Recorder {
    /// Resumes from a checkpoint of the same folder: everything recorded after it is discarded. `cast` holds the bodies
    /// that had appeared by then. An error if data recorded before it are damaged.
    pub fn resume(dir: &Path, cast: &Cast, columns: &[Column], checkpoint: &Checkpoint) -> Result<Self, ResultsError> {
        check_surfaces(&cast.bodies, 0)?;
        let history_path = dir.join(HISTORY_FILE);
        let history_file = locked(dir, &history_path)?;
        let (position, volatile) = (checkpoint.position(), checkpoint.volatile());
        let scene = dir.join(SCENE_FILE);
        checkpoint.check_scene(&fs::read_to_string(&scene).map_err(ResultsError::read(&scene))?)?;
        let (found, expected) = (cast.bodies.len(), position.frames().bodies());
        if found != expected {
            return Err(ResultsError::Mismatch { what: "bodies", found, expected });
        }
        let recorded = FolderSums::at(dir, volatile.checksums)?;
        check_files(dir)?;
        check_tables(dir, position, volatile)?;

        let sums = SharedSums::default();
        let frames = restore_frames(dir, cast, position, &sums)?;
        verify_frames(dir, recorded)?;
        let own = (TableKind::History, sums.clone());
        let history =
            GrowingTable::resume(&history_path, history_file, Layout::history(columns), position.history_bytes(), own)?;
        let path = dir.join(TIMING_FILE);
        let timing_file = File::options().read(true).write(true).open(&path).map_err(ResultsError::read(&path))?;
        let own = (TableKind::Timing, sums.clone());
        let timing = GrowingTable::resume(&path, timing_file, Layout::timing(columns), volatile.timing, own)?;
        // checksums of discarded data are discarded last
        sums.resume(dir, volatile.checksums, &[SUMMARY_FILE])?;
        // as in `Recorder::create`, with the positions and sums of the checkpoint
        Ok(Self {
            dir: dir.to_owned(),
            scene_hash: checkpoint.scene_hash(),
            bodies: cast.bodies.iter().map(|body| body.surface().points.len()).collect(),
            features: cast.features.clone(),
            sums,
            frames,
            history,
            timing,
            summary: position.summary().clone(),
            earlier: volatile.seconds,
            started: Instant::now(),
            stopped: false,
        })
    }
}

/// Compares a finished folder with its checksums: an error if a file is damaged. Nothing is checked in a folder
/// without checksums.
pub fn verify(dir: &Path) -> Result<(), ResultsError> {
    let Some(sums) = FolderSums::open(dir)? else { return Ok(()) };
    check_files(dir)?;
    for (table, name) in [(TableKind::History, HISTORY_FILE), (TableKind::Timing, TIMING_FILE)] {
        let path = dir.join(name);
        let bytes = fs::read(&path).map_err(ResultsError::read(&path))?;
        if let Err(sound) = sums.sound_rows(table, &bytes, sums.synced(table)) {
            return Err(damaged_rows(&path, &bytes, sound));
        }
    }
    let length = fs::metadata(dir.join(CHECKSUMS_FILE)).map_or(0, |data| data.len());
    verify_frames(dir, FolderSums::at(dir, length)?)
}

/// An error unless `results.vtkhdf` matches all entries of a table of checksums.
fn verify_frames(dir: &Path, recorded: Arc<FolderSums>) -> Result<(), ResultsError> {
    let path = dir.join(FRAMES_FILE);
    let table = recorded.frames();
    let file = Reader::open_checked(&path, recorded).map_err(ResultsError::damaged(&path))?;
    match file.verify(&table).first() {
        Some(fault) => Err(ResultsError::damaged(&path)(format!("{fault}{}", sound_frames(dir)))),
        None => Ok(()),
    }
}

/// An error unless the tables are unchanged up to the checkpoint.
fn check_tables(dir: &Path, position: &Position, volatile: Volatile) -> Result<(), ResultsError> {
    let missing = || ResultsError::Damaged { path: dir.join(CHECKSUMS_FILE), reason: "missing".to_owned() };
    let sums = FolderSums::open(dir)?.ok_or_else(missing)?;
    let tables = [
        (TableKind::History, HISTORY_FILE, position.history_bytes()),
        (TableKind::Timing, TIMING_FILE, volatile.timing),
    ];
    for (table, name, length) in tables {
        let path = dir.join(name);
        let bytes = fs::read(&path).map_err(ResultsError::read(&path))?;
        let sound = match sums.sound_rows(table, &bytes, length) {
            Ok(sound) | Err(sound) => sound,
        };
        if (sound as u64) < length {
            return Err(damaged_rows(&path, &bytes, sound));
        }
    }
    Ok(())
}

/// Truncates `results.vtkhdf` to the checkpoint.
fn restore_frames(
    dir: &Path,
    cast: &Cast,
    position: &Position,
    sums: &SharedSums,
) -> Result<FrameWriter<CheckedStorage>, ResultsError> {
    let path = dir.join(FRAMES_FILE);
    let file = FileStorage::open(&path).map_err(ResultsError::read(&path))?;
    let storage = CheckedStorage { file, sums: sums.clone() };
    FrameWriter::restore(storage, cast, position.frames().clone()).map_err(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::InvalidData => ResultsError::damaged(&path)(error),
        _ => ResultsError::write(&path)(error),
    })
}

/// The frames of a damaged file that can be read, as the end of a message.
fn sound_frames(dir: &Path) -> String {
    let Ok(results) = Results::open(dir) else { return String::new() };
    let damaged: Vec<usize> = (0..results.frames()).filter(|&frame| results.frame(frame).is_err()).collect();
    match damaged.first() {
        None => "; all frames that Voussoir reads are undamaged".to_owned(),
        Some(first) => format!(
            "; {} of {} frames are damaged, the first at t = {} s; the others can be exported",
            damaged.len(),
            results.frames(),
            results.times()[*first],
        ),
    }
}
