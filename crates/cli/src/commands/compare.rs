//! `voussoir compare`: the collapse load of a scene by explicit, dynamic and limit analysis.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use voussoir_run::SceneFile;
use voussoir_run::compare::{CollapseLoad, CompareReport, CompareRequest, compare};

use crate::exit::Exit;
use crate::failure::CommandResult;
use crate::terminal::Terminal;

/// Arguments of `voussoir compare`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The scene is in 2D, and its joints have springs (`elastic`). Explicit stages of the scene that increase the \
                  load by `increments` are used as they are; otherwise every analysis increases the load by --by."
)]
pub struct CompareArguments {
    /// The scene
    pub scene: PathBuf,
    /// Name of the load that grows
    #[arg(long, value_name = "NAME")]
    pub load: String,
    /// Number of packings, if the scene has random fill
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seeds: u64,
    /// Increment of the load factor [default: a fortieth of the limit load]
    #[arg(long, value_name = "FACTOR")]
    pub by: Option<f64>,
    /// Time step of the dynamic analysis [s]
    #[arg(long, value_name = "S", default_value_t = 2e-3)]
    pub step: f64,
    /// Print the answer as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

impl CompareArguments {
    /// Computes and prints.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let file = SceneFile::load(&self.scene)?;
        terminal.warnings(&file.built.structure_warnings);
        let base = self.scene.parent().unwrap_or(Path::new(""));
        let request = CompareRequest { load: self.load.clone(), seeds: self.seeds, by: self.by, step: self.step };
        let report = compare(&file, base, &request)?;
        if self.json {
            terminal.answer_json(&report)?;
        } else {
            terminal.answer(&text(&file.built.title, &report))?;
        }
        Ok(Exit::Computed)
    }
}

fn text(title: &str, report: &CompareReport) -> String {
    let mut text = format!("{title}\n  collapse under \"{}\"   stands at collapses at\n", report.load);
    let number = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.5}"));
    for CollapseLoad { analysis, seed, stands_at, falls_at, note } in &report.answers {
        let name = seed.map_or((*analysis).to_owned(), |seed| format!("{analysis}, seed {seed}"));
        let note = note.as_ref().map_or(String::new(), |note| format!("   {note}"));
        let _ = writeln!(text, "  {name:<22} {:>12} {:>12}{note}", number(*stands_at), number(*falls_at));
    }
    if let Some([mean, spread]) = report.explicit_mean.filter(|_| report.answers.len() > 3) {
        let _ = writeln!(text, "  explicit, all seeds    {mean:>12.5} ± {spread:.5} (mean and standard deviation)");
    }
    for reason in &report.reasons {
        let _ = writeln!(text, "  {reason}");
    }
    text
}
