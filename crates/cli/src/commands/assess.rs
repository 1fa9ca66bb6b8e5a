//! `voussoir assess`: verdict, collapse factors, least thickness and governing joints of a scene.

use std::path::{Path, PathBuf};

use voussoir_run::SceneFile;
use voussoir_run::statics::assess::{self, page, words};
use voussoir_run::statics::files::json;

use crate::clock::seconds;
use crate::exit::Exit;
use crate::failure::{CommandResult, Failure};
use crate::terminal::Terminal;

/// Arguments of `voussoir assess`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Load cases and partial factors are those of [assessment] in the scene; without it all factors are 1."
)]
pub struct AssessArguments {
    /// The scene
    pub scene: PathBuf,
    /// Folder for assessment.html and assessment.json
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Print the result as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

impl AssessArguments {
    /// Assesses the scene.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let file = SceneFile::load(&self.scene)?;
        let base = self.scene.parent().unwrap_or(Path::new(""));
        let found = assess::assess(&file, base, seconds, |number, count, name| {
            if count > 1 {
                terminal.note(&format!("case {number} of {count}: {name}"));
            }
        })?;
        let mut text = words::text(&found);
        if let Some(dir) = &self.output {
            std::fs::create_dir_all(dir).map_err(|error| Failure::write(dir, &error))?;
            for (name, content) in
                [("assessment.html", page::page(&found)), ("assessment.json", json(&found, [0.0; 3])?)]
            {
                let path = dir.join(name);
                std::fs::write(&path, content).map_err(|error| Failure::write(&path, &error))?;
                text += &format!("  {:<44} {}\n", "written", path.display());
            }
        }
        terminal.answer(&if terminal.is_json() { json(&found, [0.0; 3])? } else { text })?;
        let open = found.cases.iter().any(|case| case.satisfied.is_none());
        Ok(if open { Exit::NotConverged } else { Exit::Computed })
    }
}
