//! The progress bar: steps, rate, residual, time left. Shown if stderr is a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use voussoir_mechanics::report::StepReport;

use crate::terminal::Terminal;

/// Progress of one run.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// Residual of the last step.
    residual: f64,
}

impl Progress {
    /// A bar at `done` of `total` steps.
    pub fn new(terminal: &Terminal, done: u64, total: u64) -> Self {
        let bar = terminal.bars().add(ProgressBar::new(total));
        let template = "{bar:30} {pos}/{len} steps  {per_sec}  {msg}  {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_position(done);
        bar.reset_eta();
        Self { bar, residual: 0.0 }
    }

    /// Adds one step.
    pub fn step(&mut self, report: &StepReport) {
        self.bar.inc(1);
        self.residual = report.residual;
        if !self.bar.is_hidden() {
            let missed = if report.converged { "" } else { " (missed)" };
            self.bar.set_message(format!("residual {:.1e}{missed}", self.residual));
        }
    }

    /// Removes the bar.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
