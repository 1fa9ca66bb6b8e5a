//! `voussoir resume`: resume an interrupted run from its last checkpoint.

use std::cell::RefCell;
use std::path::PathBuf;

use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::report::StepReport;
use voussoir_run::folder::{self, FolderOptions, ResumeFrom};
use voussoir_run::{Flow, Observer, StepPlace};

use super::run::report;
use crate::clock;
use crate::exit::Exit;
use crate::failure::CommandResult;
use crate::terminal::Terminal;
use crate::watcher::Watcher;

/// Arguments of `voussoir resume`.
#[derive(Debug, clap::Args)]
#[command(after_help = "The results are bit-identical to those of an uninterrupted run.")]
pub struct ResumeArguments {
    /// Results folder of the run
    pub dir: PathBuf,
    /// Write the contact problem of every N-th step to problems/ in the folder, as FCLIB files (HDF5)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub dump_problems: Option<u64>,
    /// Print the summary as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

impl ResumeArguments {
    /// Runs the remaining steps.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let options = FolderOptions { overwrite: true, dump_problems: self.dump_problems };
        let watcher = RefCell::new(Watcher::new(terminal, 0, 0));
        let tell = &mut |from: ResumeFrom| match from {
            ResumeFrom::Beginning => terminal.note("no checkpoint found: starting from the beginning"),
            ResumeFrom::Finished => terminal.note("this run is complete: nothing to do"),
            ResumeFrom::Checkpoint { done, total } => {
                terminal.note(&format!("resuming after step {done} of {total}"));
                watcher.borrow_mut().set(done, total);
            }
        };
        let outcome = folder::resume(&self.dir, options, &clock::control(), &mut [&mut Shared(&watcher)], tell);
        watcher.borrow().end();
        report(&outcome?, terminal)
    }
}

/// A watcher shared between the run and the callback that sets its first step.
struct Shared<'a, 'b>(&'a RefCell<Watcher<'b>>);

impl Observer for Shared<'_, '_> {
    fn after_step(
        &mut self,
        analysis: &mut dyn Analysis,
        report: &mut StepReport,
        place: StepPlace,
    ) -> voussoir_run::Result<Flow> {
        self.0.borrow_mut().after_step(analysis, report, place)
    }
}
