//! The progress bar: steps, rate, residual, time left. Shown where a person looks on.

use indicatif::{ProgressBar, ProgressStyle};
use voussoir_mechanics::report::StepReport;

use crate::terminal::Terminal;

/// One run on its way.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// Worst residual since the bar was last written to.
    residual: f64,
}

impl Progress {
    /// A bar that stands at `done` of `total` steps.
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

    /// One step more.
    pub fn step(&mut self, report: &StepReport) {
        self.bar.inc(1);
        self.residual = report.residual;
        if !self.bar.is_hidden() {
            let missed = if report.converged { "" } else { " (missed)" };
            self.bar.set_message(format!("residual {:.1e}{missed}", self.residual));
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
