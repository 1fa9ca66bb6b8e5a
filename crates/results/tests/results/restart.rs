//! A run that was killed and resumed has the files of an uninterrupted run.

use std::path::Path;
use std::sync::OnceLock;

use crate::common::{SCENE, State, cast, run, settings, snapshot, whole_run};
use proptest::prelude::*;
use voussoir_mechanics::dynamic::DYNAMIC_COLUMNS;
use voussoir_mechanics::snapshot::BodyForm;
use voussoir_results::{Checkpoint, FRAMES_FILE, HISTORY_FILE, Recorder, Results, ResultsError, SCENE_FILE, Summary};

const BODIES: usize = 5;
const STEPS: u64 = 420;
const EVERY: u64 = 2;
const SAVE: u64 = 30;

fn bytes(dir: &Path, file: &str) -> Vec<u8> {
    std::fs::read(dir.join(file)).unwrap()
}

fn resume(dir: &Path) -> (Recorder, State) {
    let checkpoint = Checkpoint::read(dir).unwrap();
    checkpoint.check_scene(SCENE).unwrap();
    let state: State = checkpoint.state().unwrap();
    assert_eq!(checkpoint.steps(), state.0);
    (Recorder::resume(dir, &cast(BODIES), DYNAMIC_COLUMNS, &checkpoint).unwrap(), state)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn killed_and_resumed_is_the_same_as_undisturbed(kills in prop::collection::vec(SAVE..STEPS, 1..4), torn in 0..5000usize) {
        static CALM: OnceLock<tempfile::TempDir> = OnceLock::new();
        let calm = CALM.get_or_init(|| {
            let calm = tempfile::tempdir().unwrap();
            whole_run(calm.path(), BODIES, STEPS, EVERY, SAVE);
            calm
        });
        let troubled = tempfile::tempdir().unwrap();

        let mut recorder = Recorder::create(troubled.path(), &cast(BODIES), settings()).unwrap();
        recorder.frame(&snapshot(BODIES, 0)).unwrap();
        let mut from = 0;
        for kill in kills {
            if kill > from {
                run(&mut recorder, BODIES, from, kill, EVERY, SAVE);
            }
            drop(recorder);
            // what reached the disk after the checkpoint may be anything
            let file = std::fs::OpenOptions::new().append(true).open(troubled.path().join(FRAMES_FILE)).unwrap();
            std::io::Write::write_all(&mut &file, &vec![0xAB; torn]).unwrap();
            let history = std::fs::OpenOptions::new().append(true).open(troubled.path().join(HISTORY_FILE)).unwrap();
            std::io::Write::write_all(&mut &history, b"12,1e-").unwrap();

            let state;
            (recorder, state) = resume(troubled.path());
            from = state.0;
            prop_assert_eq!(state.1.to_bits(), (1.0 / from as f64).to_bits());
        }
        run(&mut recorder, BODIES, from, STEPS, EVERY, SAVE);
        recorder.finish().unwrap();

        prop_assert!(bytes(calm.path(), HISTORY_FILE) == bytes(troubled.path(), HISTORY_FILE));
        prop_assert!(bytes(calm.path(), FRAMES_FILE) == bytes(troubled.path(), FRAMES_FILE));
        let (a, b) = (Summary::read(calm.path()).unwrap(), Summary::read(troubled.path()).unwrap());
        prop_assert_eq!(Summary { wall_time_s: 0.0, ms_per_step: 0.0, ..a }, Summary { wall_time_s: 0.0, ms_per_step: 0.0, ..b });
    }
}

#[test]
fn a_dropped_recorder_leaves_readable_files() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::create(dir.path(), &cast(BODIES), settings()).unwrap();
    run(&mut recorder, BODIES, 0, 45, EVERY, SAVE);
    drop(recorder);
    let results = Results::open(dir.path()).unwrap();
    assert_eq!(results.frames(), 22);
    assert!(!results.summary().unwrap().finished);
    assert_eq!(results.summary().unwrap().steps, 30);
}

#[test]
fn two_runs_do_not_write_to_one_folder() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::create(dir.path(), &cast(BODIES), settings()).unwrap();
    run(&mut recorder, BODIES, 0, 30, EVERY, SAVE);
    let overwrite = voussoir_results::RecorderSettings { overwrite: true, ..settings() };
    assert!(matches!(Recorder::create(dir.path(), &cast(BODIES), overwrite.clone()), Err(ResultsError::InUse { .. })));
    let checkpoint = Checkpoint::read(dir.path()).unwrap();
    assert!(matches!(
        Recorder::resume(dir.path(), &cast(BODIES), DYNAMIC_COLUMNS, &checkpoint),
        Err(ResultsError::InUse { .. })
    ));
    drop(recorder);
    Recorder::create(dir.path(), &cast(BODIES), overwrite).unwrap();
    assert!(Checkpoint::read(dir.path()).is_err(), "a checkpoint of the old run is gone");
}

#[test]
fn a_checkpoint_goes_on_with_its_own_scene_and_bodies_only() {
    let dir = tempfile::tempdir().unwrap();
    whole_run(dir.path(), BODIES, 30, EVERY, SAVE);
    let checkpoint = Checkpoint::read(dir.path()).unwrap();
    let error = Recorder::resume(dir.path(), &cast(BODIES - 1), DYNAMIC_COLUMNS, &checkpoint).unwrap_err();
    assert!(matches!(error, ResultsError::Mismatch { found: 4, expected: 5, .. }), "{error}");
    std::fs::write(dir.path().join(SCENE_FILE), "title = \"Edited\"").unwrap();
    let error = Recorder::resume(dir.path(), &cast(BODIES), DYNAMIC_COLUMNS, &checkpoint).unwrap_err();
    assert!(matches!(error, ResultsError::OtherScene { .. }), "{error}");
}

#[test]
fn folders_that_will_not_do_are_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let create = |path: &Path| Recorder::create(path, &cast(BODIES), settings());
    let file = dir.path().join("note.txt");
    std::fs::write(&file, "mine").unwrap();
    assert!(matches!(create(&file), Err(ResultsError::NotADirectory { .. })));
    let error = create(&file.join("inside")).unwrap_err().to_string();
    assert!(error.contains("note.txt") && error.contains("cannot write"), "{error}");
    drop(create(&dir.path().join("run")).unwrap());
    let error = create(&dir.path().join("run")).unwrap_err();
    assert!(matches!(error, ResultsError::AlreadyThere { .. }), "{error}");
    let missing = Checkpoint::read(&dir.path().join("nowhere")).unwrap_err().to_string();
    assert!(missing.contains("nowhere") && missing.contains("cannot read"), "{missing}");
}

#[test]
fn bodies_that_are_not_those_of_the_run_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::create(dir.path(), &cast(BODIES), settings()).unwrap();
    let error = recorder.frame(&snapshot(BODIES + 1, 0)).unwrap_err();
    assert!(matches!(error, ResultsError::Mismatch { found: 6, expected: 5, .. }), "{error}");
    recorder.frame(&snapshot(BODIES, 0)).unwrap();
    let mut bad = cast(BODIES);
    let BodyForm::Polygons(surface) = &mut bad.bodies[2].form else { panic!("a box has polygons") };
    surface.polygons[1][0] = 8;
    let error = Recorder::create(&dir.path().join("b"), &bad, settings()).unwrap_err();
    assert!(matches!(error, ResultsError::BadSurface { body: 2, polygon: 1, .. }), "{error}");
}
