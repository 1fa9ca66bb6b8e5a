//! `voussoir modes`: vibration modes of a structure on the springs of its joints.

use std::path::PathBuf;

use serde::Serialize;
use voussoir_run::{RunError, SceneFile};
use voussoir_statics::modes::{ModeOptions, Modes, modes};

use crate::exit::Exit;
use crate::failure::CommandResult;
use crate::terminal::Terminal;

/// Arguments of `voussoir modes`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "All contacts that are closed as drawn act with the springs of their joints (`elastic`). The highest \
                        frequency bounds the time step of explicit stages: 1/(π f)."
)]
pub struct ModesArguments {
    /// The scene
    pub scene: PathBuf,
    /// Number of modes
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub count: usize,
    /// Distance of the points of a joint from its corners, in 2D [m]
    #[arg(long, value_name = "M", default_value_t = 0.0)]
    pub rounding: f64,
    /// Points of a joint in 2D: 2, or 3 with the weights 1/6, 2/3, 1/6
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=3))]
    pub points: u8,
    /// Print the answer as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
struct ModesAnswer {
    frequencies_hz: Vec<f64>,
    /// Along x, y, z; relative to the mass of the free bodies.
    participating_mass: Vec<[f64; 3]>,
    highest_hz: f64,
    critical_step_s: f64,
    mass_kg: f64,
    contact_points: usize,
}

impl ModesArguments {
    /// Computes the modes.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let scene = SceneFile::load(&self.scene)?;
        let options =
            ModeOptions { count: self.count, rounding: self.rounding.max(0.0), three_points: self.points == 3 };
        let found = modes(&scene.built.model, &options).map_err(RunError::from)?;
        let answer = answer(&found);
        if self.json {
            terminal.answer_json(&answer)?;
        } else {
            terminal.answer(&text(&scene.built.title, &answer))?;
        }
        Ok(Exit::Computed)
    }
}

fn answer(found: &Modes) -> ModesAnswer {
    ModesAnswer {
        frequencies_hz: found.frequencies.clone(),
        participating_mass: found.participation.iter().map(|mode| mode.map(|mass| mass / found.mass)).collect(),
        highest_hz: found.highest,
        critical_step_s: 1.0 / (std::f64::consts::PI * found.highest),
        mass_kg: found.mass,
        contact_points: found.points,
    }
}

fn text(title: &str, answer: &ModesAnswer) -> String {
    let mut lines = vec![
        title.to_owned(),
        format!("  contact points     {} with springs", answer.contact_points),
        format!("  mass               {:.6e} kg", answer.mass_kg),
        "  mode     frequency       period   participating mass x, y, z".to_owned(),
    ];
    for (i, (frequency, mass)) in answer.frequencies_hz.iter().zip(&answer.participating_mass).enumerate() {
        let share = mass.map(|part| format!("{:6.2} %", 100.0 * part)).join(" ");
        lines.push(format!("  {:4}  {frequency:11.6} Hz  {:9.3e} s   {share}", i + 1, 1.0 / frequency));
    }
    lines.push(format!(
        "  highest            {:.6} Hz; critical step of explicit stages {:.6e} s",
        answer.highest_hz, answer.critical_step_s
    ));
    lines.join("\n") + "\n"
}
