//! A file cut off after any write, or in the middle of one, shows the frames that were complete.

use std::io;
use std::path::Path;

use voussoir_mechanics::geometry::Surface;
use voussoir_mechanics::snapshot::{BodySnapshot, Cast, CastBody, ContactSnapshot, Features, Snapshot};

use crate::encode::Precision;
use crate::frames::{FRAMES_FILE, FrameWriter};
use crate::results::Results;
use voussoir_hdf5::storage::Storage;

/// Bytes in memory and every write that made them; fails when `room` bytes are used up.
#[derive(Clone, Debug, Default)]
struct Recording {
    bytes: Vec<u8>,
    writes: Vec<(u64, Vec<u8>)>,
    room: Option<usize>,
}

impl Storage for Recording {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let end = offset as usize + bytes.len();
        if self.room.is_some_and(|room| end > room) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        apply(&mut self.bytes, offset, bytes);
        self.writes.push((offset, bytes.to_vec()));
        Ok(())
    }

    fn read_at(&mut self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let start = offset as usize;
        let part = self.bytes.get(start..start + bytes.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
        bytes.copy_from_slice(part);
        Ok(())
    }

    fn set_len(&mut self, length: u64) -> io::Result<()> {
        if self.room.is_some_and(|room| length as usize > room) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.bytes.resize(length as usize, 0);
        Ok(())
    }

    fn length(&mut self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn apply(bytes: &mut Vec<u8>, offset: u64, data: &[u8]) {
    let start = offset as usize;
    bytes.resize(bytes.len().max(start + data.len()), 0);
    bytes[start..start + data.len()].copy_from_slice(data);
}

fn cast() -> Cast {
    let surface = Surface { points: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], polygons: vec![vec![0, 1, 2]] };
    let body = |i: usize| CastBody {
        name: format!("b{i}"),
        material: 0,
        support: i == 0,
        mass: 1.0,
        volume: 1.0,
        form: surface.clone().into(),
    };
    Cast {
        dimension: 2,
        bodies: (0..3).map(body).collect(),
        materials: vec!["stone".to_owned()],
        cables: vec![],
        features: Features::default(),
    }
}

fn snapshot(frame: u64) -> Snapshot {
    let body = |i: u64| BodySnapshot {
        position: [i as f64, 0.125 * frame as f64, 0.0],
        rotation: [0.0, 0.0, 0.0, 1.0],
        ..BodySnapshot::default()
    };
    let contact =
        |i: u64| ContactSnapshot { bodies: [1, 0], force: [i as f64, frame as f64, 0.0], ..Default::default() };
    Snapshot {
        time: frame as f64,
        step: frame,
        bodies: (0..3).map(body).collect(),
        contacts: (0..frame % 3 * 20).map(contact).collect(),
        ..Snapshot::default()
    }
}

/// The frames that a file with these bytes shows must be right.
fn frames_shown(dir: &Path, bytes: &[u8]) -> usize {
    std::fs::write(dir.join(FRAMES_FILE), bytes).unwrap();
    let results = Results::open(dir).unwrap();
    for frame in 0..results.frames() {
        if frame + 2 >= results.frames() || frame % 16 == 0 {
            assert_eq!(results.frame(frame).unwrap(), snapshot(frame as u64));
        }
    }
    results.frames()
}

#[test]
fn a_file_cut_off_at_any_write_shows_the_complete_frames() {
    let dir = tempfile::tempdir().unwrap();
    let mut file = FrameWriter::create(Recording::default(), &cast(), "cut", Precision::EXACT, &[]).unwrap();
    assert_eq!(frames_shown(dir.path(), &file.storage().bytes), 0);
    // long enough for a second level of the chunk index (64 entries) and a second chunk of rows (128)
    for frame in 0..132 {
        let (mut bytes, before) = (file.storage().bytes.clone(), file.storage().writes.len());
        file.frame(&snapshot(frame)).unwrap();
        let writes = &file.storage().writes[before..];
        // frames are looked into closely where trees and chunks grow
        if !(frame < 2 || (63..67).contains(&frame) || frame >= 127) {
            continue;
        }
        for (index, (offset, data)) in writes.iter().enumerate() {
            // a long write may be cut in two, a short one is whole or absent
            if data.len() > 512 {
                let mut torn = bytes.clone();
                apply(&mut torn, *offset, &data[..data.len() / 2]);
                assert_eq!(frames_shown(dir.path(), &torn) as u64, frame, "write {index}, torn");
            }
            apply(&mut bytes, *offset, data);
            let last = index + 1 == writes.len();
            assert_eq!(frames_shown(dir.path(), &bytes) as u64, frame + u64::from(last), "write {index}");
        }
    }
}

#[test]
fn a_full_disk_is_an_error_and_leaves_the_frames_before() {
    let dir = tempfile::tempdir().unwrap();
    let mut failures = 0;
    for room in (0..120_000).step_by(2_777) {
        let storage = Recording { room: Some(room), ..Recording::default() };
        let Ok(mut file) = FrameWriter::create(storage, &cast(), "full", Precision::EXACT, &[]) else {
            continue;
        };
        for frame in 0..200 {
            if let Err(error) = file.frame(&snapshot(frame)) {
                assert_eq!(error.kind(), io::ErrorKind::StorageFull);
                assert_eq!(frames_shown(dir.path(), &file.storage().bytes) as u64, frame);
                failures += 1;
                break;
            }
        }
    }
    assert!(failures > 5, "{failures}");
}

#[test]
fn going_back_gives_the_same_file_again() {
    let mut file =
        FrameWriter::create(Recording::default(), &cast(), "back", Precision::for_cast(&cast()), &[]).unwrap();
    let mut states = Vec::new();
    for frame in 0..140 {
        states.push(file.state().unwrap());
        file.frame(&snapshot(frame)).unwrap();
    }
    let whole = file.storage().bytes.clone();
    for (frame, state) in states.into_iter().enumerate().step_by(7) {
        // cut back, and grow again with the same frames
        let storage = Recording { bytes: whole.clone(), ..Recording::default() };
        let mut again = FrameWriter::restore(storage, &cast(), state).unwrap();
        assert_eq!(again.frames(), frame as u64);
        for frame in frame as u64..140 {
            again.frame(&snapshot(frame)).unwrap();
        }
        assert!(again.storage().bytes == whole, "back to frame {frame}");
    }
}
