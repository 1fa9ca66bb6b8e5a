//! `voussoir calibrate`: springs of grains with which a sample has a required modulus.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use voussoir_run::SceneFile;
use voussoir_run::samples::calibrate::{ModulusReport, ModulusRequest, calibrate};
use voussoir_run::samples::packings;

use super::sample::shown;
use crate::exit::Exit;
use crate::failure::CommandResult;
use crate::terminal::Terminal;

/// Arguments of `voussoir calibrate`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Normal and tangential springs of the joint between the grains are multiplied by one factor until the median of \
                  the modulus over the packings equals the required modulus. Example: voussoir new oedometer -o oedometer.toml; voussoir \
                  calibrate oedometer.toml --modulus 40e6. Springs of masonry are calibrated on measured frequencies: \
                  `voussoir modes --calibrate`."
)]
pub struct CalibrateArguments {
    /// The scene, with a table [sample] of the test "oedometer" or "biaxial"
    pub scene: PathBuf,
    /// Required modulus [Pa]
    #[arg(long, value_name = "PA")]
    pub modulus: f64,
    /// Number of packings
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub seeds: u64,
    /// Accepted difference, relative
    #[arg(long, value_name = "X", default_value_t = 0.03)]
    pub tolerance: f64,
    /// Materials of the joint [default: the grains among themselves]
    #[arg(long, value_names = ["A", "B"], num_args = 2)]
    pub joint: Option<Vec<String>>,
    /// Print the answer as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

impl CalibrateArguments {
    /// Searches and prints.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let file = SceneFile::load(&self.scene)?;
        let base = self.scene.parent().unwrap_or(Path::new(""));
        let joint = self.joint.as_ref().map(|names| [names[0].clone(), names[1].clone()]);
        let request = ModulusRequest { modulus: self.modulus, tolerance: self.tolerance, joint };
        let report = calibrate(&file.scene, &packings(&file, base, self.seeds)?, &request)?;
        if self.json {
            terminal.answer_json(&report)?;
        } else {
            terminal.answer(&text(&file.built.title, &report))?;
        }
        Ok(if report.reached { Exit::Computed } else { Exit::NotConverged })
    }
}

fn text(title: &str, report: &ModulusReport) -> String {
    let mut text = format!("{title}\n");
    for tried in &report.tried {
        let modulus = &tried.modulus;
        let _ = writeln!(
            text,
            "  factor {:<10.4} {} median {}, mean {} ± {}",
            tried.factor,
            modulus.name,
            shown(modulus.median, modulus.unit),
            shown(modulus.mean, modulus.unit),
            shown(modulus.deviation, modulus.unit)
        );
    }
    let outcome = if report.reached { "found" } else { "nearest, not within the tolerance" };
    let [a, b] = &report.between;
    let [normal, tangential] = report.springs;
    let _ = writeln!(
        text,
        "  {outcome}: factor {:.4}, modulus {}\n  lines for the scene\n    # joint between = [\"{a}\", \"{b}\"]\n    \
         elastic = {{ normal = {normal:.4e}, tangential = {tangential:.4e} }}",
        report.factor,
        shown(report.modulus, "Pa")
    );
    text
}
