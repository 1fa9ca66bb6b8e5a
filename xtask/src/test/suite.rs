//! `cargo test` over the workspace, with its results counted.
//!
//! libtest cannot skip a test at run time: a test that returns early counts as passed there. Such tests leave their
//! names in a file (crate `voussoir-testing`) and are taken out of the passed ones here.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::tally::Tally;
use crate::parts::Parts;
use crate::process::{cargo, root, target};

/// Random inputs are the same in every run, so that a failure belongs to the change; another value of this variable, or
/// `cargo test` without it, tries other inputs.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "2");

/// Runs the tests and adds them to the tally; `wasm_module` is the module to be run in Node.
pub fn run(tally: &mut Tally, parts: &Parts, wasm_module: Option<PathBuf>) -> Result<(), String> {
    let skipped = target().join("skipped.txt");
    let _ = std::fs::remove_file(&skipped);
    let mut tests = cargo(&["test", "--workspace", "--no-fail-fast"]);
    tests.env("VOUSSOIR_SKIPPED", &skipped).current_dir(root()).stdout(Stdio::piped());
    if std::env::var_os(SEED.0).is_none() {
        tests.env(SEED.0, SEED.1);
    }
    let variables =
        [("VOUSSOIR_PYTHON", &parts.python), ("VOUSSOIR_CHROMIUM", &parts.chromium), ("VOUSSOIR_WASM", &wasm_module)];
    for (variable, part) in variables {
        if let Some(path) = part {
            tests.env(variable, path);
        }
    }
    println!("== tests");
    let mut child = tests.spawn().map_err(|e| format!("cargo test could not be started: {e}"))?;
    let mut counts = Counts::default();
    for line in BufReader::new(child.stdout.take().ok_or("cargo test has no output")?).split(b'\n') {
        let line = String::from_utf8_lossy(&line.map_err(|e| format!("output of cargo test: {e}"))?).into_owned();
        println!("{line}");
        counts.read(&line);
    }
    let status = child.wait().map_err(|e| format!("cargo test: {e}"))?;
    counts.add(tally, &skipped)?;
    if !status.success() && counts.failed.is_empty() {
        tally.failed.push(format!("cargo test ({status})"));
    }
    Ok(())
}

/// Results of tests, read from what libtest prints.
#[derive(Default)]
struct Counts {
    passed: usize,
    failed: Vec<String>,
    ignored: Vec<(String, String)>,
}

impl Counts {
    /// Takes one line of output: `test NAME ... RESULT`, or the summary of a binary.
    fn read(&mut self, line: &str) {
        if let Some(summary) = line.strip_prefix("test result: ") {
            let count = |word: &str| {
                let before = summary.split_once(&format!(" {word}"))?.0;
                before.rsplit([' ', ';']).next()?.parse::<usize>().ok()
            };
            self.passed += count("passed").unwrap_or(0);
            return;
        }
        let Some((name, result)) = line.strip_prefix("test ").and_then(|rest| rest.rsplit_once(" ... ")) else {
            return;
        };
        match result.split_once(", ").unwrap_or((result, "marked as ignored")) {
            ("FAILED", _) => self.failed.push(name.to_owned()),
            ("ignored", reason) => self.ignored.push((name.to_owned(), reason.to_owned())),
            _ => {}
        }
    }

    /// Adds the counts to the tally; `skipped` is the file of tests that returned early.
    fn add(&self, tally: &mut Tally, skipped: &Path) -> Result<(), String> {
        let text = match std::fs::read_to_string(skipped) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(format!("{}: {error}", skipped.display())),
        };
        let before = tally.skipped.len();
        for (name, reason) in text.lines().filter_map(|line| line.split_once('\t')) {
            tally.skip(name, reason);
        }
        tally.passed += self.passed - (tally.skipped.len() - before).min(self.passed);
        for (name, reason) in &self.ignored {
            tally.skip(name, reason);
        }
        tally.failed.extend(self.failed.iter().cloned());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_tests_are_not_passed_ones() {
        let mut counts = Counts::default();
        for line in [
            "test arch::stands ... ok",
            "test page::opens ... ok",
            "test slow ... ignored, takes an hour",
            "test wall::falls ... FAILED",
            "test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s",
            "test result: ok. 10 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s",
        ] {
            counts.read(line);
        }
        let file = std::env::temp_dir().join(format!("voussoir-skipped-{}", std::process::id()));
        std::fs::write(&file, "cli::page::opens\tneeds a Chromium\n").unwrap();
        let mut tally = Tally::default();
        counts.add(&mut tally, &file).unwrap();
        std::fs::remove_file(file).unwrap();
        assert_eq!((tally.passed, tally.failed, tally.skipped.len()), (11, vec!["wall::falls".to_owned()], 2));
    }
}
