//! `voussoir view` in a real browser. The scripts are in `crates/view/web/tests`; they need Node, and a Chromium that
//! the environment variable `VOUSSOIR_CHROMIUM` names (`cargo xtask test` prepares both).

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use voussoir_mechanics::StateRef;
use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::report::StepReport;
use voussoir_mechanics::snapshot::Snapshot;
use voussoir_run::{Flow, Observer, RunError, StepPlace};

use crate::common::Workshop;
use serde_json::{Value, json};
use voussoir_results::Results;
use voussoir_results::measures::interfaces;
use voussoir_testing::{need, skip};

/// An arch of nine voussoirs that a load brings down.
const ARCH: &str = r#"
title = "Arch that falls"
[materials.limestone]
density = 2300.0
[[joints]]
between = ["limestone", "limestone"]
friction = 0.6
[[bodies]]
name = "arch"
generator = "arch"
material = "limestone"
radius = 1.5
thickness = 0.25
width = 0.5
voussoirs = 9
[[bodies]]
name = "ground"
shape = "ground"
material = "limestone"
position = [0.0, 0.0, -0.3]
[[loads]]
name = "push"
select = "arch.voussoir[2]"
force = [0.0, 0.0, -20000.0]
[[stages]]
analysis = "dynamic"
duration = 0.15
step = 1e-3
[[stages]]
analysis = "dynamic"
duration = 0.25
step = 1e-3
[record]
every = 10
"#;

/// A page that is served, until it is dropped.
pub struct Page {
    child: Child,
    pub address: String,
}

impl Page {
    pub fn open(shop: &Workshop, arguments: &[&str]) -> Self {
        let mut command = shop.command(&[&["view"], arguments].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { child, address: address.trim().to_owned() }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// True when there is a browser and a page to test; otherwise the calling test is recorded as skipped.
fn browser() -> bool {
    if let Some(reason) = voussoir_view::page::missing() {
        skip(&format!("needs the page, which was not built: {reason}"));
        return false;
    }
    need("VOUSSOIR_CHROMIUM", "a Chromium browser").is_some()
}

/// Runs a script and checks that it ends well.
#[track_caller]
fn script(name: &str, told: &Value) {
    let output = script_command(name, told).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}

fn script_command(name: &str, told: &Value) -> Command {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../view/web/tests").join(name);
    let mut told = told.clone();
    if let Some(folder) = std::env::var_os("VOUSSOIR_SCREENSHOTS") {
        let picture = PathBuf::from(folder).join(name.replace(".mjs", ".png"));
        told["screenshot"] = json!(picture);
    }
    let mut command = Command::new("node");
    command.arg(path).arg(told.to_string());
    command
}

/// Runs the arch into `out/<name>`; `change` edits the scene.
fn arch(shop: &Workshop, name: &str, change: impl Fn(&str) -> String) -> Results {
    shop.write(&format!("{name}.toml"), &change(ARCH));
    shop.run(&["run", &format!("{name}.toml"), "--quiet"]).expect(0);
    Results::open(&shop.path("out").join(name)).unwrap()
}

#[test]
fn a_finished_run_is_seen_scrubbed_picked_and_saved() {
    if !browser() {
        return;
    }
    let shop = Workshop::new();
    let results = arch(&shop, "arch", str::to_owned);
    let page = Page::open(&shop, &["out/arch"]);
    let cast = results.cast();
    let name = |body: u32| cast.bodies[body as usize].name.as_str();
    let frame = results.frames() / 2;
    let (first, now) = (results.frame(0).unwrap(), results.frame(frame).unwrap());
    let moved = |i: usize| {
        let (a, b) = (now.bodies[i].position, first.bodies[i].position);
        a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
    };
    let free = || (0..cast.bodies.len()).filter(|&i| !cast.bodies[i].support);
    let displacements: BTreeMap<&str, f64> = free().map(|i| (name(i as u32), moved(i))).collect();
    let forces: BTreeMap<String, f64> =
        interfaces(&now).iter().map(|i| (format!("{}|{}", name(i.bodies[0]), name(i.bodies[1])), i.size())).collect();
    let block = free().next().unwrap();
    script(
        "run.mjs",
        &json!({
            "address": page.address,
            "frames": results.frames(),
            "frame": frame,
            "bodies": cast.bodies.len(),
            "time_s": results.times().last(),
            "displacement_m": displacements,
            "force_n": forces,
            "moved": { "name": name(block as u32), "time_s": now.time, "position_m": now.bodies[block].position },
        }),
    );
}

#[test]
fn two_runs_are_compared() {
    if !browser() {
        return;
    }
    let shop = Workshop::new();
    let results = arch(&shop, "falls", str::to_owned);
    arch(&shop, "stands", |scene| scene.replace("-20000.0", "-200.0"));
    let page = Page::open(&shop, &["out/falls", "out/stands"]);
    let told = json!({ "address": page.address, "frames": results.frames(), "name": "arch.voussoir[4]" });
    script("compare.mjs", &told);
}

#[test]
fn the_page_works_by_keyboard_and_for_everyone() {
    if !browser() {
        return;
    }
    let shop = Workshop::new();
    let results = arch(&shop, "arch", str::to_owned);
    let page = Page::open(&shop, &["out/arch"]);
    let told = json!({ "address": page.address, "frames": results.frames(), "name": "arch.voussoir[4]" });
    script("keyboard.mjs", &told);
}

#[test]
fn a_live_run_is_followed_to_its_end() {
    if !browser() {
        return;
    }
    let shop = Workshop::new();
    let (frames, steps) = (151, 150);
    let scene = "title = \"Arch that stands\"\n[materials.stone]\ndensity = 2300.0\n[[joints]]\n\
         between = [\"stone\", \"stone\"]\nfriction = 0.6\n[[bodies]]\nname = \"arch\"\ngenerator = \"arch\"\n\
         material = \"stone\"\nradius = 1.5\nthickness = 0.4\nwidth = 0.5\nvoussoirs = 9\n[[stages]]\n\
         analysis = \"dynamic\"\nduration = 0.15\nstep = 1e-3\n[record]\nevery = 1\n";
    let built = voussoir_run::SceneFile::read(scene, "scene.toml", Path::new(".")).unwrap();
    let facts = voussoir_run::Facts::of(&built.built);
    let settings = voussoir_results::RecorderSettings {
        title: "Arch that stands".to_owned(),
        scene: scene.to_owned(),
        tolerance: 1e-8,
        weight: facts.weight,
        kinetic_energy: 0.0,
        columns: voussoir_mechanics::dynamic::DYNAMIC_COLUMNS.to_vec(),
        probes: Vec::new(),
        overwrite: false,
        precision: None,
    };
    let dir = shop.path("live");
    let recorder = voussoir_results::Recorder::create(&dir, &facts.cast, settings).unwrap();
    let page = Page::open(&shop, &["live"]);
    let told = json!({ "address": page.address, "frames": frames });
    let mut child = script_command("live.mjs", &told).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();

    // a run that takes its time: a step now and then, until the page has shown that it follows; then the rest
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let following = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let seen = std::sync::Arc::clone(&following);
    let reader = std::thread::spawn(move || {
        lines.map_while(Result::ok).for_each(|line| {
            seen.fetch_or(line == "following", std::sync::atomic::Ordering::SeqCst);
        });
    });
    let mut paced = Paced { recorder, following };
    let control = voussoir_run::Control::default();
    voussoir_run::drive::run(&built.built, &mut [&mut paced], &control).unwrap();
    let summary = paced.recorder.finish().unwrap();
    assert_eq!((summary.frames, summary.steps), (frames, steps));
    let output = child.wait_with_output().unwrap();
    reader.join().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Records every step, slowly as long as nobody follows.
struct Paced {
    recorder: voussoir_results::Recorder,
    following: std::sync::Arc<std::sync::atomic::AtomicBool>,
}

impl Paced {
    fn frame(&mut self, snapshot: &Snapshot) -> voussoir_run::Result<()> {
        // the last third comes slowly until the page, which may open late, has been seen to follow
        let pause = std::time::Duration::from_millis(if snapshot.step > 100 { 1000 } else { 100 });
        let start = std::time::Instant::now();
        while !self.following.load(std::sync::atomic::Ordering::SeqCst) && start.elapsed() < pause {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        self.recorder.frame(snapshot).map_err(RunError::Recording)
    }
}

impl Observer for Paced {
    fn start(&mut self, first: &Snapshot, state: StateRef<'_>) -> voussoir_run::Result<()> {
        self.frame(first)?;
        self.recorder.checkpoint(&state).map_err(RunError::Recording)
    }

    fn stage(&mut self, _: usize, analysis: &dyn Analysis) -> voussoir_run::Result<()> {
        self.recorder.begin_stage(analysis.columns());
        Ok(())
    }

    fn after_step(
        &mut self,
        analysis: &mut dyn Analysis,
        report: &mut StepReport,
        _: StepPlace,
    ) -> voussoir_run::Result<Flow> {
        self.recorder.step(report, true).map_err(RunError::Recording)?;
        self.frame(&analysis.snapshot())?;
        Ok(Flow::Continue)
    }
}

#[test]
fn a_damaged_file_is_explained_on_the_page() {
    if !browser() {
        return;
    }
    let shop = Workshop::new();
    arch(&shop, "arch", str::to_owned);
    let [whole, broken] = [shop.path("whole.vtkhdf"), shop.path("out/arch/results.vtkhdf")];
    std::fs::copy(&broken, &whole).unwrap();
    let bytes = std::fs::read(&whole).unwrap();
    std::fs::write(&broken, &bytes[..bytes.len() / 2]).unwrap();
    let page = Page::open(&shop, &["out/arch"]);
    script("message.mjs", &json!({ "address": page.address, "whole": whole, "broken": broken }));
}
