//! The observer of the command: progress bar, and warnings about steps that missed their tolerance.

use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::report::StepReport;
use voussoir_run::{Flow, Observer, Result, StepPlace};

use crate::progress::Progress;
use crate::terminal::Terminal;

/// Steps that missed their tolerance and are each reported; the summary counts them all.
const REPORTED_MISSES: u64 = 3;

/// Shows the progress of a run.
#[derive(Debug)]
pub struct Watcher<'a> {
    terminal: &'a Terminal,
    progress: Progress,
    /// Steps that missed their tolerance in this session.
    missed: u64,
}

impl<'a> Watcher<'a> {
    /// A bar at `done` of `total` steps.
    pub fn new(terminal: &'a Terminal, done: u64, total: u64) -> Self {
        Self { terminal, progress: Progress::new(terminal, done, total), missed: 0 }
    }

    /// Sets the bar to `done` of `total` steps.
    pub fn set(&mut self, done: u64, total: u64) {
        self.progress.end();
        self.progress = Progress::new(self.terminal, done, total);
    }

    /// Removes the bar.
    pub fn end(&self) {
        self.progress.end();
    }
}

impl Observer for Watcher<'_> {
    fn after_step(&mut self, analysis: &mut dyn Analysis, report: &mut StepReport, place: StepPlace) -> Result<Flow> {
        if place.last_of_stage {
            analysis.warnings().iter().for_each(|warning| self.terminal.warning(warning));
        }
        let solves = report.own(analysis.columns(), "iterations").is_some();
        if !report.converged && solves {
            self.missed += 1;
            let effort = |head| report.own(analysis.columns(), head).and_then(|cell| cell.number()).unwrap_or(0.0);
            let text = format!(
                "step {} (t = {:.6} s) missed its tolerance: residual {:.2e} after {} iterations and {} retries",
                report.step,
                report.time,
                report.residual,
                effort("iterations"),
                effort("retries")
            );
            match self.missed {
                1..=REPORTED_MISSES => self.terminal.warning(&text),
                misses if misses == REPORTED_MISSES + 1 => {
                    self.terminal.warning("more steps missed their tolerance; history.csv lists them (-v shows them)");
                }
                _ => self.terminal.detail(&text),
            }
        }
        self.progress.step(report);
        Ok(Flow::Continue)
    }
}
