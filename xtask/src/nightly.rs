//! `cargo xtask nightly`: tasks that take too long for every change, with a summary in `target/nightly/summary.md`.

use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::process::{cargo, root, target};

/// A task: its name, what it does, the arguments of cargo.
struct Task {
    name: &'static str,
    about: &'static str,
    arguments: &'static [&'static str],
}

const TASKS: [Task; 17] = [
    Task {
        name: "validation",
        about: "all validation cases, long ones too",
        arguments: &["run", "--release", "--bin", "voussoir", "--", "validate"],
    },
    Task {
        name: "tests",
        about: "all tests with new random inputs",
        arguments: &["test", "--workspace", "--no-fail-fast"],
    },
    Task { name: "extensions", about: "example extensions, applied and tested", arguments: &["xtask", "extensions"] },
    Task {
        name: "python",
        about: "the Python package: long tests and types",
        arguments: &["xtask", "python", "--long"],
    },
    Task { name: "gallery", about: "all examples, run and drawn", arguments: &["xtask", "gallery"] },
    Task { name: "steps", about: "reference scenes, time of a step", arguments: &["xtask", "bench"] },
    Task { name: "collapse", about: "factorisations in a collapse", arguments: &["xtask", "bench", "collapse"] },
    Task {
        name: "solvers",
        about: "all solvers on all contact problems",
        arguments: &["xtask", "bench", "solvers", "--limit", "2"],
    },
    Task { name: "growth", about: "walls of up to 100 000 blocks", arguments: &["xtask", "bench", "growth"] },
    Task { name: "recording", about: "size and time of recording", arguments: &["xtask", "bench", "recording"] },
    Task { name: "elastic", about: "a wall of elastic bricks", arguments: &["xtask", "bench", "elastic"] },
    Task { name: "ice", about: "fields of ice floes", arguments: &["xtask", "bench", "ice"] },
    Task { name: "statics", about: "verdicts and collapse multipliers", arguments: &["xtask", "statics"] },
    Task { name: "detection", about: "contact detection", arguments: &["xtask", "detection"] },
    Task { name: "docs", about: "the book", arguments: &["xtask", "docs"] },
    Task { name: "package", about: "the crates as published", arguments: &["xtask", "package"] },
    Task { name: "dist", about: "static archive and Debian package", arguments: &["xtask", "dist"] },
];

/// Runs the tasks named, all of them by default; fails if one of them fails, after all have run.
pub fn run(names: &[String]) -> Result<(), String> {
    if let Some(name) = names.iter().find(|name| TASKS.iter().all(|task| task.name != name.as_str())) {
        let known: Vec<&str> = TASKS.iter().map(|task| task.name).collect();
        return Err(format!("unknown task `{name}`; the tasks are {}", known.join(", ")));
    }
    let folder = target().join("nightly");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut summary = String::from("| task | what | result | minutes | log |\n|---|---|---|---|---|\n");
    let mut failed = Vec::new();
    for task in TASKS.iter().filter(|task| names.is_empty() || names.iter().any(|name| name == task.name)) {
        println!("{}: {}", task.name, task.about);
        let start = Instant::now();
        let outcome = execute(task, &folder);
        let minutes = start.elapsed().as_secs_f64() / 60.0;
        let result = outcome.as_ref().map_or_else(String::clone, |()| "passed".to_owned());
        println!("  {result}, {minutes:.1} min");
        let Task { name, about, .. } = task;
        let _ = writeln!(summary, "| {name} | {about} | {result} | {minutes:.1} | {name}.log |");
        // written after every task, so that an interrupted run keeps its results
        let path = folder.join("summary.md");
        std::fs::write(&path, &summary).map_err(|e| format!("{}: {e}", path.display()))?;
        if outcome.is_err() {
            failed.push(task.name);
        }
    }
    println!("\n{summary}\nwritten to {}", folder.join("summary.md").display());
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// Runs one task; everything that it prints goes to its log.
fn execute(task: &Task, folder: &Path) -> Result<(), String> {
    let log = File::create(folder.join(format!("{}.log", task.name))).map_err(|e| e.to_string())?;
    let errors = log.try_clone().map_err(|e| e.to_string())?;
    let mut command: Command = cargo(task.arguments);
    command.current_dir(root()).stdin(Stdio::null()).stdout(log).stderr(errors);
    if task.name == "tests" && std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        // one seed a day: a failure can be repeated, the log says with which seed
        let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / 86_400);
        println!("  PROPTEST_RNG_SEED={days}");
        command.env("PROPTEST_RNG_SEED", days.to_string());
    }
    let status = command.status().map_err(|e| format!("could not be started: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("failed ({status})")) }
}
