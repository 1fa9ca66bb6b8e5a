//! Runs that are killed, interrupted, or computed with other numbers of threads are bit-identical.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::{Workshop, assert_same_results};
use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::report::StepReport;
use voussoir_mechanics::snapshot::Snapshot;
use voussoir_mechanics::{AnyState, StateRef};
use voussoir_run::{Control, Flow, Observer, SceneFile, StepPlace, drive};

/// An arch that starts to move: contacts open and slide.
fn moving_arch(shop: &Workshop) {
    let text = shop.run(&["new", "arch", "voussoirs=11", "friction=0.35", "duration=0.12"]).expect(0).stdout();
    shop.write("arch.toml", &(text + "checkpoint_every = { steps = 7 }\n"));
}

#[test]
fn killed_at_any_moment_a_run_ends_with_the_same_bits() {
    let shop = Workshop::new();
    moving_arch(&shop);
    // from the very start to the very end, whatever the machine is busy with
    kill_at(&shop, "arch.toml", &[0.02, 0.1, 0.3, 0.5, 0.8]);
}

/// Ice floes that drift, hit each other and jam in a channel, on a layer of water.
fn drifting_ice(shop: &Workshop) {
    let text = shop.run(&["new", "ice-channel", "count=25", "opening=300", "duration=6000"]).expect(0).stdout();
    let text = text.replace("x = \"open\" }", "x = \"open\" }\nslab = { depth = 20.0 }");
    shop.write("ice.toml", &(text + "checkpoint_every = { steps = 7 }\n"));
}

#[test]
fn killed_at_any_moment_a_drift_of_ice_ends_with_the_same_bits() {
    let shop = Workshop::new();
    drifting_ice(&shop);
    kill_at(&shop, "ice.toml", &[0.1, 0.6, 0.9]);
}

/// Kills a run at parts of its time, resumes it, kills it once more and resumes it again.
fn kill_at(shop: &Workshop, scene: &str, parts: &[f64]) {
    let whole = Instant::now();
    let code = shop.run(&["run", scene, "-o", "whole"]).0.status.code().unwrap();
    let whole = whole.elapsed();
    assert!(code == 0 || code == 3);
    for (i, part) in parts.iter().copied().enumerate() {
        let dir = format!("killed{i}");
        let mut child = shop.start(&["run", scene, "-o", &dir]);
        std::thread::sleep(whole.mul_f64(part));
        child.kill().unwrap();
        child.wait().unwrap();
        // killed once more on the way
        if shop.path(&dir).join("scene.toml").exists() {
            let mut child = shop.start(&["resume", &dir]);
            std::thread::sleep(whole.mul_f64(0.3));
            child.kill().unwrap();
            child.wait().unwrap();
            let answer = shop.run(&["resume", &dir]);
            assert_eq!(answer.0.status.code(), Some(code), "{}", answer.stderr());
        } else {
            // nothing was written yet: nothing to resume
            let answer = shop.run(&["resume", &dir]).expect(2);
            assert!(answer.stderr().contains("no run to resume"));
            assert_eq!(shop.run(&["run", scene, "-o", &dir]).0.status.code(), Some(code));
        }
        assert_same_results(&shop.path("whole"), &shop.path(&dir));
    }
}

#[test]
fn a_run_without_a_checkpoint_starts_again() {
    let shop = Workshop::new();
    shop.scene("stack.toml", &["stack", "count=3", "duration=0.02"]);
    shop.run(&["run", "stack.toml", "-o", "a"]).expect(0);
    shop.run(&["run", "stack.toml", "-o", "b"]).expect(0);
    std::fs::remove_file(shop.path("b/checkpoint")).unwrap();
    shop.run(&["resume", "b"]).expect(0);
    assert_same_results(&shop.path("a"), &shop.path("b"));
}

/// A kill between the first two files of a folder leaves checksums and no scene: the same command runs again.
#[test]
fn a_folder_with_nothing_but_checksums_is_no_obstacle() {
    let shop = Workshop::new();
    shop.scene("stack.toml", &["stack", "count=3", "duration=0.02"]);
    shop.run(&["run", "stack.toml", "-o", "a"]).expect(0);
    std::fs::create_dir(shop.path("b")).unwrap();
    std::fs::copy(shop.path("a/checksums"), shop.path("b/checksums")).unwrap();
    std::fs::File::create(shop.path("b/history.csv")).unwrap();
    shop.run(&["run", "stack.toml", "-o", "b"]).expect(0);
    assert_same_results(&shop.path("a"), &shop.path("b"));
}

/// Waits until a folder has rows in its history.
fn wait_for_steps(dir: &Path) {
    let start = Instant::now();
    while std::fs::read_to_string(dir.join("history.csv")).map_or(0, |text| text.lines().count()) < 3 {
        assert!(start.elapsed() < Duration::from_secs(30), "the run does not start");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_a_checkpoint_and_exit_code_4() {
    let shop = Workshop::new();
    shop.scene("wall.toml", &["wall", "courses=4", "bricks=3", "duration=600"]);
    let mut child = shop.start(&["run", "wall.toml"]);
    let dir = shop.path("out/wall");
    wait_for_steps(&dir);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(4));
    let summary: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(dir.join("summary.json")).unwrap()).unwrap();
    assert_eq!(summary["finished"], false);
    let steps = summary["steps"].as_u64().unwrap();
    assert!(steps > 0);
    // the checkpoint is where the run stopped
    let history = std::fs::read_to_string(dir.join("history.csv")).unwrap();
    assert_eq!(history.lines().count() as u64, steps + 1);
    // going on, and stopping again
    let mut child = shop.start(&["resume", "out/wall"]);
    std::thread::sleep(Duration::from_millis(700));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(4));
}

#[test]
fn one_and_two_threads_give_the_same_bits() {
    let shop = Workshop::new();
    shop.scene("wall.toml", &["wall", "courses=12", "bricks=8", "duration=0.02"]);
    moving_arch(&shop);
    drifting_ice(&shop);
    for scene in ["wall", "arch", "ice"] {
        let file = format!("{scene}.toml");
        let [one, two] = ["1", "2"].map(|threads| {
            let dir = format!("{scene}{threads}");
            shop.run(&["--threads", threads, "run", &file, "-o", &dir]);
            shop.path(&dir)
        });
        assert_same_results(&one, &two);
    }
}

#[test]
fn two_runs_cannot_write_to_one_folder() {
    let shop = Workshop::new();
    shop.scene("wall.toml", &["wall", "courses=4", "bricks=3", "duration=600"]);
    let mut child = shop.start(&["run", "wall.toml"]);
    wait_for_steps(&shop.path("out/wall"));
    let second = shop.run(&["run", "wall.toml", "--force"]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(second.expect(2).stderr().contains("another run is writing to this folder"));
}

/// A limit on the size of files simulates a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_clear_error_and_what_was_written_stays() {
    let shop = Workshop::new();
    let path = shop.scene("wall.toml", &["wall", "courses=8", "bricks=5", "duration=0.05"]);
    let every_step = std::fs::read_to_string(&path).unwrap().replace("every = 10 ", "every = 1 ");
    shop.write("wall.toml", &every_step);
    shop.run(&["run", "wall.toml", "-o", "whole"]).expect(0);
    let largest = std::fs::metadata(shop.path("whole/results.vtkhdf")).unwrap().len();
    let limited = format!(
        "trap '' XFSZ; ulimit -f {}; exec {} run wall.toml -o full",
        largest / 1024 * 3 / 4,
        env!("CARGO_BIN_EXE_voussoir")
    );
    let output = Command::new("bash").args(["-c", &limited]).current_dir(shop.path("")).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("results.vtkhdf") && stderr.contains("cannot write"), "{stderr}");
    // what was written can be read …
    let results = voussoir_results::Results::open(&shop.path("full")).unwrap();
    assert!((1..51).contains(&results.frames()), "{} frames", results.frames());
    results.frame(results.frames() - 1).unwrap();
    // … and with free space again, the resumed run is bit-identical
    shop.run(&["resume", "full"]).expect(0);
    assert_same_results(&shop.path("whole"), &shop.path("full"));
}

/// Keeps the state at the start, after every step and at the end.
#[derive(Default)]
struct Kept(Vec<AnyState>);

impl Kept {
    fn keep(&mut self, state: StateRef<'_>) {
        self.0.push(match state {
            StateRef::Two(state) => AnyState::Two(state.clone()),
            StateRef::Three(state) => AnyState::Three(state.clone()),
        });
    }
}

impl Observer for Kept {
    fn start(&mut self, _: &Snapshot, state: StateRef<'_>) -> voussoir_run::Result<()> {
        self.keep(state);
        Ok(())
    }

    fn after_step(
        &mut self,
        analysis: &mut dyn Analysis,
        _: &mut StepReport,
        _: StepPlace,
    ) -> voussoir_run::Result<Flow> {
        self.keep(analysis.save());
        Ok(Flow::Continue)
    }

    fn end(&mut self, state: StateRef<'_>) -> voussoir_run::Result<()> {
        self.keep(state);
        Ok(())
    }
}

#[test]
fn a_construction_goes_on_from_any_checkpoint() {
    let scene = r#"
dim = 2
record = { checkpoint_every = { steps = 1 } }
materials.stone.density = 2000.0
joints = [{ between = ["stone", "stone"], friction = 0.6 }]
bodies = [
    { name = "wall", generator = "wall", courses = 3, bricks = 2, brick = [0.4, 0.2], material = "stone" },
    { name = "prop", shape = "rectangle", size = [0.2, 0.2], position = [1.0, 0.1], material = "stone" },
    { name = "beam", shape = "rectangle", size = [0.2, 0.2], position = [1.0, 0.3], material = "stone" },
]
supports = [{ select = "prop" }]
stages = [
    { analysis = "dynamic", step = 1e-3, build = { select = ["wall.course", "beam"], pause = 0.004 } },
    { analysis = "static" },
    { analysis = "dynamic", step = 1e-3, duration = 0.01, remove = "prop" },
]
"#;
    let file = SceneFile::read(scene, "scene.toml", Path::new(".")).unwrap();
    let control = Control::default();
    let mut kept = Kept::default();
    let whole = drive::run(&file.built, &mut [&mut kept], &control).unwrap();
    assert_eq!(kept.0.len(), 1 + 22 + 1);
    for state in kept.0 {
        let again = drive::resume(&file.built, state, &mut [], &control).unwrap();
        assert_eq!(again.state, whole.state);
    }
}
