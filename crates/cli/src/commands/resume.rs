//! `voussoir resume`: goes on with a run, from its last checkpoint.

use std::path::PathBuf;

use super::run::report;
use crate::exit::Exit;
use crate::failure::Result;
use crate::runner::Control;
use crate::terminal::Terminal;
use crate::{folder, interrupt};

/// Arguments of `voussoir resume`.
#[derive(Debug, clap::Args)]
#[command(after_help = "The results are the same bits as those of a run that was not stopped.")]
pub struct Resume {
    /// Results folder of the run
    pub dir: PathBuf,
    /// Write the contact problem of every N-th step to problems/ in the folder, as FCLIB files (HDF5)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub dump_problems: Option<u64>,
    /// Print the summary as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

impl Resume {
    /// Runs what is left.
    pub fn execute(&self, terminal: &Terminal) -> Result<Exit> {
        let control = Control { stop: interrupt::flag() };
        let outcome = folder::resume(&self.dir, self.dump_problems, &control, terminal)?;
        report(&outcome, terminal)
    }
}
