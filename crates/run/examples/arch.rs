//! Builds an arch from a template, decides whether it stands, and simulates it.

use std::path::Path;

use voussoir_run::statics::questions::{StandRequest, stand};
use voussoir_run::{Control, SceneFile, drive};

/// Prints the verdict with its margin, and the simulated time.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = voussoir_model::render("arch", &[("voussoirs", "13"), ("duration", "0.02")])?;
    let arch = SceneFile::read(&text, "arch.toml", Path::new("."))?;
    let (study, _) = stand(&arch, Path::new("."), &StandRequest::default(), || 0.0)?;
    println!("stands: {:?}, margin {:?}", study.report.answer.stands, study.report.answer.margin);
    let outcome = drive::run(&arch.built, &mut [], &Control::default())?;
    println!("{:?} after {} s", outcome.ending, outcome.state.time());
    Ok(())
}
