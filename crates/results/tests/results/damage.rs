//! Truncated, corrupted and foreign files give an error with their name, never a panic.

use std::path::Path;

use crate::common::{State, cast, whole_run};
use proptest::prelude::*;
use voussoir_results::{CHECKPOINT_FILE, CHECKPOINT_FORMAT, Checkpoint, FRAMES_FILE, Recorder, Results, ResultsError};

/// Reads everything there is; what it finds does not matter.
fn read_all(dir: &Path) -> Result<(), ResultsError> {
    let results = Results::open(dir)?;
    for frame in 0..results.frames().min(50) {
        results.frame(frame)?;
    }
    Ok(())
}

fn sample() -> (tempfile::TempDir, Vec<u8>, Vec<u8>) {
    let dir = tempfile::tempdir().unwrap();
    whole_run(dir.path(), 4, 40, 2, 10);
    let read = |file: &str| std::fs::read(dir.path().join(file)).unwrap();
    let (frames, checkpoint) = (read(FRAMES_FILE), read(CHECKPOINT_FILE));
    (dir, frames, checkpoint)
}

#[test]
fn cut_files_are_errors() {
    let (dir, frames, checkpoint) = sample();
    for part in 0..40 {
        std::fs::write(dir.path().join(FRAMES_FILE), &frames[..frames.len() * part / 40]).unwrap();
        let error = read_all(dir.path()).unwrap_err().to_string();
        assert!(error.contains(FRAMES_FILE), "{error}");
    }
    for length in 0..checkpoint.len() {
        std::fs::write(dir.path().join(CHECKPOINT_FILE), &checkpoint[..length]).unwrap();
        let error = Checkpoint::read(dir.path()).unwrap_err();
        assert!(matches!(error, ResultsError::Damaged { .. }), "{error}");
    }
    std::fs::write(dir.path().join(FRAMES_FILE), b"<html>").unwrap();
    assert!(matches!(read_all(dir.path()), Err(ResultsError::Damaged { .. })));
    std::fs::remove_file(dir.path().join(FRAMES_FILE)).unwrap();
    assert!(matches!(read_all(dir.path()), Err(ResultsError::Read { .. })));
}

#[test]
fn every_flipped_bit_of_a_checkpoint_is_noticed() {
    let (dir, _, checkpoint) = sample();
    for at in (0..checkpoint.len()).step_by(7).chain(0..24) {
        let mut bad = checkpoint.clone();
        bad[at] ^= 1 << (at % 8);
        std::fs::write(dir.path().join(CHECKPOINT_FILE), &bad).unwrap();
        assert!(Checkpoint::read(dir.path()).is_err(), "byte {at}");
    }
}

#[test]
fn a_checkpoint_of_another_kind_is_refused() {
    let (dir, _, mut bytes) = sample();
    let checkpoint = Checkpoint::read(dir.path()).unwrap();
    assert!(checkpoint.state::<State>().is_ok());
    assert!(matches!(checkpoint.state::<u8>(), Err(ResultsError::Damaged { .. })));
    assert!(checkpoint.state::<Vec<(f64, String)>>().is_err());
    assert!(matches!(checkpoint.check_scene("title = \"Other\""), Err(ResultsError::OtherScene { .. })));
    bytes[8] = 99;
    std::fs::write(dir.path().join(CHECKPOINT_FILE), &bytes).unwrap();
    assert!(matches!(
        Checkpoint::read(dir.path()),
        Err(ResultsError::OtherFormat { found: 99, expected: CHECKPOINT_FORMAT, .. })
    ));
}

#[test]
fn results_shorter_than_the_checkpoint_cannot_be_resumed() {
    let (dir, frames, _) = sample();
    let checkpoint = Checkpoint::read(dir.path()).unwrap();
    std::fs::write(dir.path().join(FRAMES_FILE), &frames[..frames.len() / 2]).unwrap();
    let error =
        Recorder::resume(dir.path(), &cast(4), voussoir_mechanics::dynamic::DYNAMIC_COLUMNS, &checkpoint).unwrap_err();
    assert!(matches!(error, ResultsError::Damaged { .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn corrupted_results_do_not_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        use std::sync::OnceLock;
        static SAMPLE: OnceLock<(tempfile::TempDir, Vec<u8>, Vec<u8>)> = OnceLock::new();
        let mut frames = SAMPLE.get_or_init(sample).1.clone();
        for (at, value) in changes {
            // most of the file is padding; headers are at the front
            let length = if value % 2 == 0 { frames.len() } else { frames.len().min(20_000) };
            let at = at.index(length);
            frames[at] = value;
        }
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(FRAMES_FILE), &frames).unwrap();
        let _ = read_all(dir.path());
    }
}
