//! Damaged folders: whatever bytes change, reading and resuming end with an error or with the numbers that were written.

use std::fs;
use std::path::Path;

use crate::common::{State, cast, run, settings, snapshot, whole_run};
use voussoir_mechanics::dynamic::DYNAMIC_COLUMNS;
use voussoir_results::{
    CHECKPOINT_FILE, CHECKPOINT_VOLATILE, CHECKSUMS_FILE, COLUMNS_FILE, Checkpoint, FRAMES_FILE, HISTORY_FILE,
    HistoryTable, Recorder, Results, ResultsError, SCENE_FILE, SUMMARY_FILE, Summary, TIMING_FILE, verify,
};

const BODIES: usize = 4;
const STEPS: u64 = 140;
const EVERY: u64 = 2;
const SAVE: u64 = 30;
const FILES: [&str; 8] =
    [FRAMES_FILE, HISTORY_FILE, TIMING_FILE, CHECKPOINT_FILE, CHECKSUMS_FILE, SUMMARY_FILE, COLUMNS_FILE, SCENE_FILE];

/// Everything that readers show of a folder but its computing time, as text: words in a table are not a number, which
/// equals nothing.
fn show(dir: &Path) -> Result<String, ResultsError> {
    let results = Results::open(dir)?;
    let frames = (0..results.frames()).map(|frame| results.frame(frame)).collect::<Result<Vec<_>, _>>()?;
    let history = HistoryTable::read(dir)?;
    let columns: Vec<(&String, &[f64])> = history.heads().iter().map(|head| (head, history.column(head))).collect();
    let summary = Summary { wall_time_s: 0.0, ms_per_step: 0.0, ..results.summary()? };
    Ok(format!("{} {frames:?} {:?} {columns:?} {summary:?}", results.title(), results.cast()))
}

fn copy(from: &Path, to: &Path) {
    for file in FILES {
        fs::copy(from.join(file), to.join(file)).unwrap();
    }
}

/// Pseudo-random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// Flips a bit or zeroes some bytes of a file of a folder; returns a description, `None` if no byte changed.
fn damage(dir: &Path, seed: u64) -> Option<String> {
    let mut random = Random(seed);
    // most of the bytes are frames, but every file gets its share
    let file = FILES[[0, 0, 0, 1, 1, 2, 3, 4, 4, 5, 6, 7][random.below(12)]];
    let before = fs::read(dir.join(file)).unwrap();
    let mut after = before.clone();
    let at = random.below(after.len());
    match random.below(3) {
        0 => after[at] ^= 1 << random.below(8),
        1 => after[at] = random.below(256) as u8,
        _ => {
            let end = after.len().min(at + 1 + random.below(600));
            after[at..end].fill(0);
        }
    }
    fs::write(dir.join(file), &after).unwrap();
    (after != before).then(|| format!("seed {seed}: {file}, byte {at} of {}", before.len()))
}

/// Resumes and runs to the end.
fn resume(dir: &Path) -> Result<(), ResultsError> {
    let checkpoint = Checkpoint::read(dir)?;
    let state: State = checkpoint.state()?;
    let mut recorder = Recorder::resume(dir, &cast(BODIES), DYNAMIC_COLUMNS, &checkpoint)?;
    run(&mut recorder, BODIES, state.0, STEPS, EVERY, SAVE);
    recorder.finish()?;
    Ok(())
}

#[test]
fn damaged_folders_are_refused_or_read_as_they_were_written() {
    let (whole, sandbox) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    whole_run(whole.path(), BODIES, STEPS, EVERY, SAVE);
    verify(whole.path()).unwrap();
    let sound = show(whole.path()).unwrap();
    let mut refused = 0;
    for seed in 0..300 {
        copy(whole.path(), sandbox.path());
        let Some(what) = damage(sandbox.path(), seed) else { continue };
        match show(sandbox.path()) {
            Ok(shown) => assert!(shown == sound, "{what}"),
            Err(_) => refused += 1,
        }
        // a folder that is verified shows what was written
        if verify(sandbox.path()).is_ok() {
            assert!(show(sandbox.path()).unwrap() == sound, "{what}");
        }
    }
    assert!(refused > 120, "{refused}");
}

#[test]
fn damaged_folders_are_not_resumed_with_other_numbers() {
    let (whole, killed, sandbox) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    whole_run(whole.path(), BODIES, STEPS, EVERY, SAVE);
    let mut recorder = Recorder::create(killed.path(), &cast(BODIES), settings()).unwrap();
    recorder.frame(&snapshot(BODIES, 0)).unwrap();
    run(&mut recorder, BODIES, 0, 75, EVERY, SAVE);
    drop(recorder);
    let sound = show(whole.path()).unwrap();
    let mut refused = 0;
    for seed in 1000..1200 {
        copy(killed.path(), sandbox.path());
        let Some(what) = damage(sandbox.path(), seed) else { continue };
        if resume(sandbox.path()).is_err() {
            refused += 1;
            continue;
        }
        assert!(show(sandbox.path()).unwrap() == sound, "{what}");
        let history = |dir: &Path| fs::read(dir.join(HISTORY_FILE)).unwrap();
        assert!(history(sandbox.path()) == history(whole.path()), "{what}");
    }
    assert!(refused > 70, "{refused}");
}

#[test]
fn errors_say_what_is_damaged_and_what_is_sound() {
    let dir = tempfile::tempdir().unwrap();
    whole_run(dir.path(), BODIES, STEPS, EVERY, SAVE);
    let path = dir.path().join(HISTORY_FILE);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("1e-3", "2e-3", 1)).unwrap();
    let error = HistoryTable::read(dir.path()).unwrap_err().to_string();
    assert!(error.contains("history.csv") && error.contains("wrong checksum after line"), "{error}");
    fs::write(&path, text).unwrap();

    let path = dir.path().join(FRAMES_FILE);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 2000].fill(0);
    fs::write(&path, bytes).unwrap();
    let error = verify(dir.path()).unwrap_err().to_string();
    assert!(error.contains("of 71 frames are damaged, the first at t = "), "{error}");
    let results = Results::open(dir.path()).unwrap();
    let readable = (0..71).filter(|&frame| results.frame(frame).is_ok()).count();
    assert!((1..71).contains(&readable), "{readable}");
}

#[test]
fn checkpoints_differ_in_computing_times_alone() {
    let (calm, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    whole_run(calm.path(), BODIES, STEPS, EVERY, SAVE);
    let mut recorder = Recorder::create(killed.path(), &cast(BODIES), settings()).unwrap();
    recorder.frame(&snapshot(BODIES, 0)).unwrap();
    run(&mut recorder, BODIES, 0, 75, EVERY, SAVE);
    drop(recorder);
    resume(killed.path()).unwrap();
    let [a, b] = [calm.path(), killed.path()].map(|dir| {
        let mut bytes = fs::read(dir.join(CHECKPOINT_FILE)).unwrap();
        bytes[CHECKPOINT_VOLATILE].fill(0);
        bytes
    });
    assert!(a == b && a.len() > 1000, "{} {}", a.len(), b.len());
}
