//! `voussoir fill`: pack the fills of a scene and write their discs into a scene.

use std::path::PathBuf;

use serde_json::json;
use voussoir_run::SceneFile;
use voussoir_run::freeze::freeze;

use super::write_new;
use crate::exit::Exit;
use crate::failure::CommandResult;
use crate::terminal::Terminal;

/// Arguments of `voussoir fill`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: voussoir fill bridge.toml -o bridge-packed.toml")]
pub struct FillArguments {
    /// The scene, with bodies of the generator `fill`
    pub scene: PathBuf,
    /// Scene to write; file names in it are relative to its folder
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    pub force: bool,
    /// Print the report as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

impl FillArguments {
    /// Packs, reports and writes.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let file = SceneFile::load(&self.scene)?;
        let (text, [fills, discs]) = freeze(&file)?;
        write_new(&self.output, &text, self.force)?;
        let notes = &file.built.warnings;
        let path = self.output.display().to_string();
        if self.json {
            terminal.answer_json(&json!({ "fills": fills, "discs": discs, "scene": path, "notes": notes }))?;
        } else {
            for note in notes {
                terminal.answer(&format!("{note}\n"))?;
            }
            terminal.answer(&format!("wrote {path}: {fills} fills with {discs} discs\n"))?;
        }
        Ok(Exit::Computed)
    }
}
