//! A file truncated after any write, or in the middle of one, shows the frames that were complete.

use std::io;
use std::path::Path;

use voussoir_mechanics::geometry::Surface;
use voussoir_mechanics::snapshot::{
    BodyForm, BodySnapshot, Cast, CastBody, ContactSnapshot, Deformed, Features, FieldInfo, Snapshot,
};

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

/// A made-up run: a function of the number of the frame.
struct Story {
    features: Features,
    /// Bodies of a frame.
    bodies: fn(u64) -> u64,
}

/// Three triangles.
fn rigid() -> Story {
    Story { features: Features::default(), bodies: |_| 3 }
}

/// The same with bodies that appear (triangles and balls in turn), deform, and have scalars. 40 appear at once, so that
/// lists and arrays need more than one chunk.
fn growing() -> Story {
    let field = |name: &str| FieldInfo { name: name.to_owned(), unit: "Pa".to_owned() };
    let features = Features {
        appearing: true,
        deforming: true,
        point_fields: vec![field("von_mises")],
        body_fields: vec![field("mean"), field("energy")],
    };
    let bodies = |frame| match frame {
        0 => 3,
        1..65 => 5,
        65..128 => 6,
        _ => 46 + 100 * (frame / 130),
    };
    Story { features, bodies }
}

impl Story {
    fn body(i: u64) -> CastBody {
        let surface =
            Surface { points: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], polygons: vec![vec![0, 1, 2]] };
        CastBody {
            name: format!("body {i}"),
            material: 0,
            support: i == 0,
            mass: 1.0,
            volume: 1.0,
            form: if i % 2 == 1 && i > 2 { BodyForm::Ball { radius: 0.5 } } else { surface.into() },
        }
    }

    /// The bodies that are known before a frame is recorded.
    fn cast(&self, frame: u64) -> Cast {
        let known = (self.bodies)(frame.saturating_sub(1));
        Cast {
            dimension: 2,
            bodies: (0..known).map(Self::body).collect(),
            materials: vec!["stone".to_owned()],
            cables: vec![],
            features: self.features.clone(),
            origin: [0.0; 3],
        }
    }

    fn snapshot(&self, frame: u64) -> Snapshot {
        let body = |i: u64| BodySnapshot {
            position: [i as f64, 0.125 * frame as f64, 0.0],
            rotation: [0.0, 0.0, 0.0, 1.0],
            // bodies vanish too
            absent: i == 3 && frame > 70,
            ..BodySnapshot::default()
        };
        let contact =
            |i: u64| ContactSnapshot { bodies: [1, 0], force: [i as f64, frame as f64, 0.0], ..Default::default() };
        let sheared = |body: u32| Deformed {
            body,
            points: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.25 * (frame % 5) as f64, 1.0, 0.0]],
            values: vec![vec![frame as f64, 0.5, f64::from(body)]],
        };
        let count = (self.bodies)(frame);
        Snapshot {
            time: frame as f64,
            step: frame,
            bodies: (0..count).map(body).collect(),
            contacts: (0..frame % 3 * 20).map(contact).collect(),
            cables: Vec::new(),
            deformed: if self.features.deforming && frame % 2 == 1 { vec![sheared(1), sheared(4)] } else { vec![] },
            body_fields: self
                .features
                .body_fields
                .iter()
                .enumerate()
                .map(|(field, _)| (0..count).map(|i| (i * frame) as f64 + field as f64).collect())
                .collect(),
        }
    }

    /// Records a frame, with the bodies that appear in it.
    fn record<S: Storage>(&self, file: &mut FrameWriter<S>, frame: u64) -> io::Result<()> {
        let known = (self.bodies)(frame.saturating_sub(1));
        let new: Vec<CastBody> = (known..(self.bodies)(frame)).map(Self::body).collect();
        file.appear(&new)?;
        file.frame(&self.snapshot(frame))
    }

    /// The number of frames that a file with these bytes shows; their content is checked.
    fn frames_shown(&self, dir: &Path, bytes: &[u8]) -> usize {
        std::fs::write(dir.join(FRAMES_FILE), bytes).unwrap();
        let results = Results::open(dir).unwrap();
        for frame in 0..results.frames() {
            if frame + 2 >= results.frames() || frame % 16 == 0 {
                self.check(&results, frame);
            }
        }
        results.frames()
    }

    fn check(&self, results: &Results, frame: usize) {
        let (mut read, written) = (results.frame(frame).unwrap(), self.snapshot(frame as u64));
        let count = written.bodies.len();
        assert!(read.bodies.len() == results.cast().bodies.len() && read.bodies.len() >= count);
        for (i, later) in read.bodies.drain(count..).enumerate() {
            // a body is absent before it appears, at the place where it will appear
            let appears = (0..results.frames() as u64).find(|&f| (self.bodies)(f) > (count + i) as u64);
            let place = appears.map_or([0.0; 3], |frame| [(count + i) as f64, 0.125 * frame as f64, 0.0]);
            assert!(later.absent && later.position == place, "{later:?}");
        }
        for values in &mut read.body_fields {
            assert!(values.drain(count..).all(f64::is_nan));
        }
        assert_eq!(read, written);
        let known = self.cast(frame as u64 + 1).bodies;
        assert_eq!(results.cast().bodies[..count], known[..]);
    }
}

#[test]
fn a_file_cut_off_at_any_write_shows_the_complete_frames() {
    for story in [rigid(), growing()] {
        let dir = tempfile::tempdir().unwrap();
        let cast = story.cast(0);
        let mut file = FrameWriter::create(Recording::default(), &cast, "cut", Precision::EXACT, &[]).unwrap();
        assert_eq!(story.frames_shown(dir.path(), &file.storage().bytes), 0);
        // long enough for a second level of the chunk index (64 entries) and a second chunk of rows (128)
        for frame in 0..132 {
            let (mut bytes, before) = (file.storage().bytes.clone(), file.storage().writes.len());
            story.record(&mut file, frame).unwrap();
            let writes = &file.storage().writes[before..];
            // frames are compared in full where trees, chunks and lists grow
            if !(frame < 2 || (63..67).contains(&frame) || frame >= 127) {
                continue;
            }
            for (index, (offset, data)) in writes.iter().enumerate() {
                // a long write may be cut in two, a short one is whole or absent
                if data.len() > 512 {
                    let mut torn = bytes.clone();
                    apply(&mut torn, *offset, &data[..data.len() / 2]);
                    assert_eq!(story.frames_shown(dir.path(), &torn) as u64, frame, "write {index}, torn");
                }
                apply(&mut bytes, *offset, data);
                let last = index + 1 == writes.len();
                let shown = story.frames_shown(dir.path(), &bytes) as u64;
                assert_eq!(shown, frame + u64::from(last), "write {index}");
            }
        }
    }
}

#[test]
fn a_full_disk_is_an_error_and_leaves_the_frames_before() {
    for story in [rigid(), growing()] {
        let dir = tempfile::tempdir().unwrap();
        let mut failures = 0;
        for room in (0..240_000).step_by(2_777) {
            let storage = Recording { room: Some(room), ..Recording::default() };
            let cast = story.cast(0);
            let Ok(mut file) = FrameWriter::create(storage, &cast, "full", Precision::EXACT, &[]) else {
                continue;
            };
            for frame in 0..200 {
                if let Err(error) = story.record(&mut file, frame) {
                    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
                    assert_eq!(story.frames_shown(dir.path(), &file.storage().bytes) as u64, frame);
                    failures += 1;
                    break;
                }
            }
        }
        assert!(failures > 5, "{failures}");
    }
}

#[test]
fn going_back_gives_the_same_file_again() {
    for story in [rigid(), growing()] {
        let cast = story.cast(0);
        let precision = Precision::for_cast(&cast);
        let mut file = FrameWriter::create(Recording::default(), &cast, "back", precision, &[]).unwrap();
        let mut states = Vec::new();
        for frame in 0..140 {
            states.push(file.state().unwrap());
            story.record(&mut file, frame).unwrap();
        }
        let whole = file.storage().bytes.clone();
        for (frame, state) in states.into_iter().enumerate() {
            let appears = frame > 0 && (story.bodies)(frame as u64) != (story.bodies)(frame as u64 - 1);
            if frame % 7 != 0 && !appears {
                continue;
            }
            // truncated, and extended again by the same frames
            let storage = Recording { bytes: whole.clone(), ..Recording::default() };
            let mut again = FrameWriter::restore(storage, &story.cast(frame as u64), state).unwrap();
            assert_eq!(again.frames(), frame as u64);
            for frame in frame as u64..140 {
                story.record(&mut again, frame).unwrap();
            }
            assert!(again.storage().bytes == whole, "back to frame {frame}");
        }
    }
}
