//! `voussoir modes`: vibration modes of a structure on the springs of its joints.

use std::path::PathBuf;

use serde::Serialize;
use voussoir_run::modes::files::write_modes;
use voussoir_run::modes::measured::{CalibrationReport, MeasuredFile, calibrate};
use voussoir_run::modes::{ModesRequest, ModesSubject};
use voussoir_statics::modes::Modes;

use crate::exit::Exit;
use crate::failure::CommandResult;
use crate::terminal::Terminal;

/// Arguments of `voussoir modes`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "All closed contacts act with the springs of their joints (`elastic`): those of a scene as drawn, or those of \
                  the last checkpoint of a results folder. The highest frequency bounds the time step of explicit stages: \
                  1/(π f). -o writes drawings of the shapes (mode_01.svg …) and a recording with one period of every mode, \
                  mode k from the time k − 1 to k [s], for `voussoir view` and `voussoir export`.\n\n\
                  A file for --calibrate:\n  [[measured]]\n  mode = 1             # of the scene as written\n  \
                  frequency = 8.2      # Hz\n  [[scale]]            # default: one factor for all springs\n  \
                  joint = [\"stone\", \"stone\"]\n  springs = \"normal\"   # \"both\", \"normal\" or \"tangential\""
)]
pub struct ModesArguments {
    /// A scene, or a results folder
    pub scene: PathBuf,
    /// Number of modes
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub count: usize,
    /// Distance of the points of a joint from its corners, in 2D [m] [default: `rounding` of the explicit stage, or 0]
    #[arg(long, value_name = "M")]
    pub rounding: Option<f64>,
    /// Points of a joint in 2D: 2, or 3 with the weights 1/6, 2/3, 1/6 [default: `points` of the explicit stage, or 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=3))]
    pub points: Option<u8>,
    /// Find factors of springs that give measured frequencies, and print the lines of the scene
    #[arg(long, value_name = "FILE")]
    pub calibrate: Option<PathBuf>,
    // output options as in `limit`, with other files
    /// Folder for drawings and a recording of the shapes
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Overwrite results in the folder
    #[arg(long)]
    pub force: bool,
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
    /// Free bodies that no springs hold.
    loose_bodies: usize,
    /// Time of the state of a results folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    calibration: Option<CalibrationReport>,
}

impl ModesArguments {
    /// Computes the modes.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let measured = self.calibrate.as_deref().map(MeasuredFile::load).transpose()?;
        let subject = ModesSubject::load(&self.scene)?;
        let request = ModesRequest { count: self.count, rounding: self.rounding, points: self.points };
        let calibration = measured.map(|file| calibrate(&subject, &request, &file)).transpose()?;
        let found = subject.modes(&request)?;
        let files = match &self.output {
            Some(dir) => write_modes(dir, &subject, &found, self.force)?,
            None => Vec::new(),
        };
        let answer = answer(&found, subject.time, calibration);
        if self.json {
            terminal.answer_json(&answer)?;
        } else {
            let mut text = text(&subject.file.built.title, &answer);
            for file in files {
                text += &format!("  written            {}\n", file.display());
            }
            terminal.answer(&text)?;
        }
        Ok(Exit::Computed)
    }
}

fn answer(found: &Modes, time_s: Option<f64>, calibration: Option<CalibrationReport>) -> ModesAnswer {
    ModesAnswer {
        frequencies_hz: found.frequencies.clone(),
        participating_mass: found.participation.iter().map(|mode| mode.map(|mass| mass / found.mass)).collect(),
        highest_hz: found.highest,
        critical_step_s: 1.0 / (std::f64::consts::PI * found.highest),
        mass_kg: found.mass,
        contact_points: found.points,
        loose_bodies: found.loose,
        time_s,
        calibration,
    }
}

fn text(title: &str, answer: &ModesAnswer) -> String {
    let mut lines = vec![title.to_owned()];
    if let Some(time) = answer.time_s {
        lines.push(format!("  state              t = {time} s"));
    }
    lines.push(format!("  contact points     {} with springs", answer.contact_points));
    if answer.loose_bodies > 0 {
        lines.push(format!("  omitted            {} bodies that no closed contacts hold", answer.loose_bodies));
    }
    lines.push(format!("  mass               {:.6e} kg", answer.mass_kg));
    lines.push("  mode     frequency       period   participating mass x, y, z".to_owned());
    for (i, (frequency, mass)) in answer.frequencies_hz.iter().zip(&answer.participating_mass).enumerate() {
        let share = mass.map(|part| format!("{:6.2} %", 100.0 * part)).join(" ");
        lines.push(format!("  {:4}  {frequency:11.6} Hz  {:9.3e} s   {share}", i + 1, 1.0 / frequency));
    }
    lines.push(format!(
        "  highest            {:.6} Hz; critical step of explicit stages {:.6e} s",
        answer.highest_hz, answer.critical_step_s
    ));
    if let Some(calibration) = &answer.calibration {
        calibrated(&mut lines, calibration);
    }
    lines.join("\n") + "\n"
}

fn calibrated(lines: &mut Vec<String>, report: &CalibrationReport) {
    lines.push("  calibration on measured frequencies".to_owned());
    lines.push("  mode      measured        before         after".to_owned());
    for mode in &report.modes {
        let [measured, before, after] =
            [mode.measured_hz, mode.before_hz, mode.after_hz].map(|f| format!("{f:10.4} Hz"));
        lines.push(format!("  {:4} {measured} {before} {after}", mode.mode));
    }
    for group in &report.factors {
        let shares: Vec<String> = group.energy_shares.iter().map(|share| format!("{:.0} %", 100.0 * share)).collect();
        lines.push(format!(
            "  factor             {:.6} on {} springs; {} of the energy of the measured modes",
            group.factor,
            group.springs,
            shares.join(", ")
        ));
    }
    lines.push(format!("  largest difference {:.2} %", 100.0 * report.worst));
    lines.push("  lines for the scene".to_owned());
    for line in &report.scene {
        lines.push(format!("    # joint between = {:?}", line.between));
        lines.push(format!("    {}", line.line));
    }
}
