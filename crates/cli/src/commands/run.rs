//! `voussoir run`: run all stages of a scene; write a results folder.

use std::path::PathBuf;

use serde::Serialize;
use voussoir_results::Summary;
use voussoir_results::report::outcome_of;
use voussoir_run::drive::total_steps;
use voussoir_run::folder::{self, FolderOptions, FolderOutcome};
use voussoir_run::{Ending, SceneFile};

use crate::exit::Exit;
use crate::failure::CommandResult;
use crate::terminal::Terminal;
use crate::watcher::Watcher;
use crate::{clock, figures};

/// Arguments of `voussoir run`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Ctrl-C ends the run after the present step, with a checkpoint; `voussoir resume DIR` continues it."
)]
pub struct RunArguments {
    /// The scene
    pub scene: PathBuf,
    /// Folder for the results [default: out/NAME-OF-THE-SCENE]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Overwrite results in the folder
    #[arg(long)]
    pub force: bool,
    /// Write the contact problem of every N-th step to problems/ in the folder, as FCLIB files (HDF5)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub dump_problems: Option<u64>,
    /// Print the summary as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

impl RunArguments {
    /// Runs the scene.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let scene = SceneFile::load(&self.scene)?;
        terminal.warnings(&scene.built.warnings);
        let dir = self.output.clone().unwrap_or_else(|| folder::default_folder(&self.scene));
        let options = FolderOptions { overwrite: self.force, dump_problems: self.dump_problems };
        let mut watcher = Watcher::new(terminal, 0, total_steps(&scene.built.stages));
        terminal.note(&format!("writing results to {}", dir.display()));
        let outcome = folder::run(&scene, &dir, options, &clock::control(), &mut [&mut watcher]);
        watcher.end();
        report(&outcome?, terminal)
    }
}

/// The JSON answer of a run: the summary and the results folder.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    interrupted: bool,
    directory: String,
}

/// Prints the result of a run and returns the exit code.
pub fn report(outcome: &FolderOutcome, terminal: &Terminal) -> CommandResult<Exit> {
    let FolderOutcome { dir, ending, summary, .. } = outcome;
    let statics = &summary.statics;
    let interrupted = *ending == Ending::Interrupted;
    if terminal.is_json() {
        let answer = Answer { summary, interrupted, directory: dir.display().to_string() };
        terminal.answer_json(&answer)?;
    } else {
        let mut text = format!("{}\n", title(summary));
        for verdict in statics {
            let words = match (verdict.stands(), verdict.margin()) {
                (Some(true), Some(margin)) => format!("stands, smallest safety factor {}", factor(margin)),
                (Some(true), None) => "stands".to_owned(),
                (Some(false), _) if verdict.is_wedged() => "WEDGED: stands only by self-stress".to_owned(),
                (Some(false), _) => "COLLAPSES".to_owned(),
                (None, _) => "NOT DECIDED to tolerance".to_owned(),
            };
            let folder = dir.join(&verdict.directory);
            text += &format!("  {:<18} {words}; {}\n", format!("stage {}, static", verdict.stage), folder.display());
        }
        // a run of static stages only has no steps
        if summary.steps > 0 || statics.is_empty() {
            if let Some(words) = outcome_of(dir).ok().flatten() {
                text += &format!("  {:<18} {words}\n", "outcome");
            }
            text += &figures::describe(summary);
        }
        for picture in folder::pictures_of(dir).iter().filter(|_| !interrupted) {
            text += &format!("  {:<18} {}\n", "picture", picture.display());
        }
        for report in folder::report_of(dir).iter().filter(|_| !interrupted) {
            text += &format!("  {:<18} {}\n", "report", report.display());
        }
        text += &format!("  {:<18} {}\n", "results", dir.display());
        terminal.answer(&text)?;
    }
    if interrupted {
        terminal.note(&format!("interrupted; continue with: voussoir resume {}", dir.display()));
        return Ok(Exit::Interrupted);
    }
    let undecided = statics.iter().any(|verdict| verdict.stands().is_none());
    Ok(if undecided || summary.converged_steps < summary.steps { Exit::NotConverged } else { Exit::Computed })
}

/// A margin as a factor; margins are bisected up to 1 − 1/4096.
fn factor(margin: f64) -> String {
    let factor = 1.0 / (1.0 - margin);
    if factor < 4e3 { format!("{factor:.3}") } else { "above 4000".to_owned() }
}

fn title(summary: &Summary) -> &str {
    if summary.title.is_empty() { "Run" } else { &summary.title }
}
