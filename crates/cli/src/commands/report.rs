//! `voussoir report`: write the report of a results folder.

use std::path::PathBuf;

use voussoir_results::report::write_report;
use voussoir_results::{Results, SceneFacts};

use crate::exit::Exit;
use crate::failure::{CommandResult, Failure};
use crate::terminal::Terminal;
use voussoir_run::run_scene::RunScene;

/// Arguments of `voussoir report`.
#[derive(Debug, clap::Args)]
pub struct ReportArguments {
    /// Results folder of a finished or running run
    pub dir: PathBuf,
}

impl ReportArguments {
    /// Writes the report and prints its path.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let results = Results::open(&self.dir).map_err(Failure::results)?;
        let scene = RunScene::of_folder(&self.dir);
        if let Err(reason) = &scene {
            terminal.warning(&format!("the report lacks loads and materials: {reason}"));
        }
        let facts: &dyn SceneFacts = match &scene {
            Ok(scene) => scene,
            Err(_) => &(),
        };
        let path = write_report(&results, facts).map_err(Failure::results)?;
        terminal.answer(&path.display().to_string())?;
        Ok(Exit::Computed)
    }
}
