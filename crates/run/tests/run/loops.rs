//! `run`, `resume` and `validate` use one loop: their states are bit-identical.

use std::path::Path;

use voussoir_mechanics::AnyState;
use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::report::StepReport;
use voussoir_results::{Checkpoint, Summary};
use voussoir_run::folder::{self, FolderOptions};
use voussoir_run::validate::simulate::{Numbering, simulate};
use voussoir_run::{Control, Ending, Flow, Observer, Result, SceneFile, StepPlace, drive};

/// A block on a prop that a static stage removes; afterwards the block falls freely for 0.1 s.
const PROP: &str = r#"
dim = 2
record = { checkpoint_every = { steps = 7 } }
materials.stone.density = 2000.0
joints = [{ between = ["stone", "stone"], friction = 0.6 }]
bodies = [
    { name = "prop", shape = "rectangle", size = [0.4, 0.2], position = [0.0, 0.1], material = "stone" },
    { name = "block", shape = "rectangle", size = [0.2, 0.2], position = [0.0, 0.3], material = "stone" },
]
supports = [{ select = "prop" }]
stages = [
    { analysis = "dynamic", step = 1e-3, duration = 0.02 },
    { analysis = "static", remove = "prop" },
    { analysis = "dynamic", step = 1e-3, duration = 0.1 },
]
"#;

fn scene() -> SceneFile {
    SceneFile::read(PROP, "prop.toml", Path::new(".")).unwrap()
}

/// Stops after a number of steps.
struct StopAfter(u64);

impl Observer for StopAfter {
    fn after_step(&mut self, _: &mut dyn Analysis, report: &mut StepReport, _: StepPlace) -> Result<Flow> {
        Ok(if report.step == self.0 { Flow::Stop } else { Flow::Continue })
    }
}

/// Free fall from rest for 0.1 s: v = −g t.
#[test]
fn a_prop_that_a_static_stage_removes_is_gone_in_run_and_validate() {
    let file = scene();
    let run = drive::run(&file.built, &mut [], &Control::default()).unwrap();
    let velocity = run.state.bodies()[1].velocity[1];
    assert!((velocity + 0.981).abs() < 1e-9, "{velocity}");
    let validated = simulate(&file.built, Numbering::AsWritten, &[], 1e-9).unwrap();
    for (body, end) in run.state.bodies().iter().zip(&validated.end) {
        assert_eq!([body.position, body.velocity].map(|x| x.map(f64::to_bits)), end.map(|x| x.map(f64::to_bits)));
    }
}

/// The last state of a results folder.
fn last_state(dir: &Path) -> AnyState {
    AnyState::Two(Checkpoint::read(dir).unwrap().state().unwrap())
}

#[test]
fn run_resume_and_the_bare_loop_end_in_the_same_state() {
    stopped_runs_are_equal(&scene(), &[1, 19, 20, 21, 77, 119]);
}

/// Stops a run after each of these steps, resumes it and compares states and histories.
fn stopped_runs_are_equal(file: &SceneFile, stops: &[u64]) {
    let bare = drive::run(&file.built, &mut [], &Control::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (whole, stopped) = (folder.path().join("whole"), folder.path().join("stopped"));
    let (options, control) = (FolderOptions::default(), Control::default());
    folder::run(file, &whole, options, &control, &mut []).unwrap();
    assert_eq!(last_state(&whole), bare.state);
    for &stop in stops {
        let overwrite = FolderOptions { overwrite: true, ..options };
        let outcome = folder::run(file, &stopped, overwrite, &control, &mut [&mut StopAfter(stop)]).unwrap();
        assert_eq!(outcome.ending, Ending::Interrupted);
        folder::resume(&stopped, options, &control, &mut [], &mut |_| {}).unwrap();
        assert_eq!(last_state(&stopped), bare.state, "stopped after step {stop}");
        let history = |dir: &Path| std::fs::read(dir.join("history.csv")).unwrap();
        assert_eq!(history(&stopped), history(&whole), "stopped after step {stop}");
    }
}

/// Collects the lengths of steps, the differences of their times.
#[derive(Default)]
struct Lengths(Vec<f64>, f64);

impl Observer for Lengths {
    fn after_step(&mut self, _: &mut dyn Analysis, report: &mut StepReport, _: StepPlace) -> Result<Flow> {
        self.0.push(report.time - self.1);
        self.1 = report.time;
        Ok(Flow::Continue)
    }
}

/// The same with automatic steps: both stages end in time, and a block in free fall has the velocity −g t exactly.
#[test]
fn automatic_steps_end_with_their_stages_and_resume() {
    let text = PROP.replace("step = 1e-3", "step = { largest = 0.03 }");
    let file = SceneFile::read(&text, "prop.toml", Path::new(".")).unwrap();
    let mut lengths = Lengths::default();
    let run = drive::run(&file.built, &mut [&mut lengths], &Control::default()).unwrap();
    let velocity = run.state.bodies()[1].velocity[1];
    assert!((velocity + 0.981).abs() < 1e-9, "{velocity}");
    assert!((lengths.1 - 0.12).abs() < 1e-12 && lengths.0.len() < 20, "{lengths:?}", lengths = lengths.0);
    let longest = lengths.0.iter().copied().fold(0.0, f64::max);
    assert!(longest > 0.015 && longest < 0.03 + 1e-12, "{longest}");
    stopped_runs_are_equal(&file, &[1, 2, 5, 7, lengths.0.len() as u64 - 1]);
}

#[test]
fn verdicts_of_static_stages_are_in_the_summary_and_survive_a_resume() {
    let text = PROP.replace("{ analysis = \"static\", remove = \"prop\" }", "{ analysis = \"static\" }");
    let file = SceneFile::read(&text, "prop.toml", Path::new(".")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (options, control) = (FolderOptions::default(), Control::default());
    // after the static stage, which follows step 20
    folder::run(&file, folder.path(), options, &control, &mut [&mut StopAfter(50)]).unwrap();
    let resumed = folder::resume(folder.path(), options, &control, &mut [], &mut |_| {}).unwrap();
    for summary in [resumed.summary, Summary::read(folder.path()).unwrap()] {
        let [verdict] = &summary.statics[..] else { panic!("{:?}", summary.statics) };
        assert_eq!((verdict.stage, verdict.stands()), (2, Some(true)));
        assert!(folder.path().join(&verdict.directory).join("stand.json").exists());
    }
}

#[test]
fn a_thinned_history_keeps_the_last_step_of_every_stage() {
    let text = PROP.replace("record = {", "record = { history_every = 50,");
    let file = SceneFile::read(&text, "prop.toml", Path::new(".")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    folder::run(&file, folder.path(), FolderOptions::default(), &Control::default(), &mut []).unwrap();
    let history = std::fs::read_to_string(folder.path().join("history.csv")).unwrap();
    let steps: Vec<&str> = history.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(steps, ["20", "50", "100", "120"]);
}
