//! Counts of what passed, failed or was skipped.

use std::collections::BTreeMap;
use std::process::Command;

use crate::process;

/// Checks and tests so far. A skipped test is in `skipped` only.
#[derive(Default)]
pub struct Tally {
    /// Number of checks and tests that passed.
    pub passed: usize,
    /// Names of checks and tests that failed.
    pub failed: Vec<String>,
    /// Names of skipped checks and tests, with the reason.
    pub skipped: BTreeMap<String, String>,
}

impl Tally {
    /// Runs one check; true if it passes.
    pub fn check(&mut self, name: &str, command: &mut Command) -> bool {
        println!("== {name}");
        let outcome = process::run(command);
        self.count(name, outcome)
    }

    /// Records a check that has been made; true if it passed.
    pub fn record(&mut self, name: &str, outcome: Result<(), String>) -> bool {
        println!("== {name}: {}", if outcome.is_ok() { "passed" } else { "failed" });
        self.count(name, outcome)
    }

    fn count(&mut self, name: &str, outcome: Result<(), String>) -> bool {
        match outcome {
            Ok(()) => self.passed += 1,
            Err(reason) => {
                eprintln!("{reason}");
                self.failed.push(name.to_owned());
                return false;
            }
        }
        true
    }

    /// Records a check that cannot be made here.
    pub fn skip(&mut self, name: &str, reason: &str) {
        self.skipped.insert(name.to_owned(), reason.to_owned());
    }

    /// Lists what was skipped and what failed, then the counts.
    pub fn report(&self) {
        println!();
        for (name, reason) in &self.skipped {
            println!("skipped: {name}: {reason}");
        }
        for name in &self.failed {
            println!("failed: {name}");
        }
        println!("{} passed, {} failed, {} skipped", self.passed, self.failed.len(), self.skipped.len());
    }
}
