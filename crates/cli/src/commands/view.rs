//! `voussoir view`: show a run, or two runs side by side, in the browser.

use std::path::{Path, PathBuf};
use std::time::Duration;

use voussoir_results::{Results, SceneFacts};
use voussoir_view::{RunSource, Server, Settings, ViewError};

use crate::exit::Exit;
use crate::failure::{CommandResult, Failure};
use crate::terminal::Terminal;
use voussoir_run::run_scene::RunScene;

/// Arguments of `voussoir view`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The address contains a secret token and works on this machine only. The page follows a run in \
                  progress. Ctrl-C \
                  stops the server."
)]
pub struct ViewArguments {
    /// Results folder of a finished or running run
    pub dir: PathBuf,
    /// Second results folder, shown beside the first
    pub other: Option<PathBuf>,
    /// Port [default: a free port]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub port: Option<u16>,
    /// Shut down after this time without a connected browser
    #[arg(long, value_name = "MINUTES", value_parser = minutes)]
    pub close_after: Option<Duration>,
}

fn minutes(text: &str) -> Result<Duration, String> {
    let minutes = text.parse::<f64>().ok().and_then(|minutes| Duration::try_from_secs_f64(60.0 * minutes).ok());
    minutes.ok_or_else(|| "write a number of minutes, at least 0".to_owned())
}

impl ViewArguments {
    /// Prints the address and serves the page.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let folders = std::iter::once(&self.dir).chain(&self.other);
        let sources = folders.map(|dir| source(dir, terminal)).collect::<CommandResult<Vec<_>>>()?;
        let settings = Settings { port: self.port, close_after: self.close_after };
        let server = Server::bind(sources, settings).map_err(failure)?;
        terminal.answer(&server.address())?;
        terminal.note("open this address in a browser; Ctrl-C stops the server");
        server.serve().map_err(failure)?;
        Ok(Exit::Computed)
    }
}

/// A results folder to show. A file that cannot be read yet may be written later; the page shows its error.
fn source(dir: &Path, terminal: &Terminal) -> CommandResult<RunSource> {
    if !dir.is_dir() {
        return Err(Failure::bad_input(format!("{}: no such folder", dir.display()))
            .with_help("give a results folder of `voussoir run`"));
    }
    if let Err(error) = Results::open(dir) {
        terminal.warning(&error.to_string());
    }
    let scene = |dir: &Path| -> Option<Box<dyn SceneFacts>> {
        RunScene::of_folder(dir).ok().map(|scene| Box::new(scene) as Box<dyn SceneFacts>)
    };
    Ok(RunSource { dir: dir.to_owned(), scene: Box::new(scene) })
}

fn failure(error: ViewError) -> Failure {
    let failure = Failure { exit: Exit::Failed, ..Failure::bad_input(error.to_string()) };
    match error {
        ViewError::NoPage { .. } => failure.with_help(
            "install Node (18 or later) with npm, then `cargo clean -p voussoir-view` and build again; `voussoir \
             report` \
             and `voussoir export` work without it",
        ),
        _ => failure,
    }
}
