//! `voussoir sample`: moduli and angles of a test on a sample of grains, over several packings.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use voussoir_run::SceneFile;
use voussoir_run::figures::quantity;
use voussoir_run::samples::{SampleReport, packings, test};

use crate::exit::Exit;
use crate::failure::CommandResult;
use crate::terminal::Terminal;

/// Arguments of `voussoir sample`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The scene has a table [sample]; `voussoir new oedometer`, `biaxial`, `direct-shear` and `repose` write such \
                  scenes. Packings have the seed of the scene and the following ones."
)]
pub struct SampleArguments {
    /// The scene
    pub scene: PathBuf,
    /// Number of packings
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub seeds: u64,
    /// Print the answer as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

impl SampleArguments {
    /// Runs the test and prints.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let file = SceneFile::load(&self.scene)?;
        let base = self.scene.parent().unwrap_or(Path::new(""));
        let report = test(&packings(&file, base, self.seeds)?);
        if self.json {
            terminal.answer_json(&report)?;
        } else {
            terminal.answer(&text(&file.built.title, &report))?;
        }
        Ok(Exit::Computed)
    }
}

/// A value with its unit; angles and numbers without prefix.
pub(super) fn shown(value: f64, unit: &str) -> String {
    match unit {
        "" => format!("{value:.3}"),
        "°" => format!("{value:.2}°"),
        unit => quantity(value, unit),
    }
}

fn text(title: &str, report: &SampleReport) -> String {
    let mut text = format!("{title}\n");
    for row in &report.rows {
        let values: Vec<String> =
            row.values.iter().map(|value| format!("{} {}", value.name, shown(value.value, value.unit))).collect();
        let note = row.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
        let _ = writeln!(text, "  seed + {:<3}         {}{note}", row.seed_shift, values.join(", "));
    }
    for found in &report.statistics {
        let [low, high] = found.range.map(|value| shown(value, found.unit));
        let _ = writeln!(
            text,
            "  {:<18} median {}, mean {} ± {}, {low} … {high}, {} packings",
            found.name,
            shown(found.median, found.unit),
            shown(found.mean, found.unit),
            shown(found.deviation, found.unit),
            found.count
        );
    }
    text
}
