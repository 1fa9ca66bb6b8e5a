//! `voussoir pushover`: load–displacement curve to collapse, settlement of a support.

use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;
use voussoir_mechanics::model::Model;
use voussoir_statics::Structure;
use voussoir_statics::pushover::{Curve, CurveEnd, Pushover, PushoverSettings, pushover, settlement};
use voussoir_statics::structure::CLOSED;

use super::stand::AnyDimension;
use crate::exit::Exit;
use crate::failure::{Failure, Result};
use crate::figures::quantity;
use crate::scene_file::SceneFile;
use crate::statics::ask::{self, AskedEngine, AskedLoad, Direction};
use crate::statics::files::{self, json};
use crate::statics::words::{self, Lines};
use crate::statics::{curve, moment, with_model};
use crate::terminal::Terminal;

/// Arguments of `voussoir pushover`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Rigid blocks do not move below the limit load: the curve starts there, and ends where the load has \
                        fallen to zero. A settlement ends where no equilibrium is left."
)]
pub struct PushoverCommand {
    /// The scene
    pub scene: PathBuf,
    /// What grows
    #[command(flatten)]
    pub load: AskedLoad,
    /// This support moves along --direction
    #[arg(long, value_name = "NAME", conflicts_with_all = ["load", "acceleration", "tilt"])]
    pub settlement: Option<String>,
    /// Direction of the settlement [default: down]
    #[arg(long, value_name = "DIR", allow_hyphen_values = true, requires = "settlement")]
    pub direction: Option<Direction>,
    /// Farthest that a point moves in a step [m] [default: a two-hundredth of the height]
    #[arg(long, value_name = "M")]
    pub step: Option<f64>,
    /// Most steps
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub steps: usize,
    /// Joints open as they slide
    #[arg(long)]
    pub associated: bool,
    /// Which solver of conic programs
    #[arg(long, value_enum, default_value_t)]
    pub engine: AskedEngine,
    /// Folder for curve.csv, curve.json, curve.svg and results.vtkhdf
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Replace results that are in the folder
    #[arg(long)]
    pub force: bool,
    /// Print the answer as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

/// The JSON of `voussoir pushover`.
#[derive(Serialize)]
struct Report<'a> {
    load: &'a str,
    #[serde(flatten)]
    curve: &'a Curve,
    time_s: f64,
}

impl PushoverCommand {
    /// Follows the curve.
    pub fn execute(&self, terminal: &Terminal) -> Result<Exit> {
        let file = SceneFile::load(&self.scene)?;
        with_model!(&file.built.finished(), model => self.follow(&file, model, terminal))
    }

    fn follow<S: AnyDimension>(&self, file: &SceneFile, model: &Model<S>, terminal: &Terminal) -> Result<Exit> {
        let clock = Instant::now();
        if let Some(step) = self.step.filter(|step| !(*step > 0.0 && step.is_finite())) {
            return Err(Failure::bad_input(format!("--step {step}: a length above zero")));
        }
        let settings = PushoverSettings {
            step: self.step,
            steps: self.steps,
            associated: self.associated,
            engine: self.engine.into(),
            ..PushoverSettings::default()
        };
        let (found, load) = match (&self.settlement, self.load.question::<S>()?) {
            (Some(name), _) => {
                let (support, direction) = ask::settling(model, name, self.direction.as_ref())?;
                (settlement(model.clone(), support, direction, &settings)?, format!("settlement of {name}"))
            }
            (None, Some(question)) => (pushover(model.clone(), &question, &settings)?, question.name()),
            (None, None) => {
                return Err(Failure::bad_input("what is to grow?")
                    .with_help("--load NAME, --acceleration DIR, --tilt DIR or --settlement SUPPORT"));
            }
        };
        let report = Report { load: &load, curve: &found.curve, time_s: clock.elapsed().as_secs_f64() };
        let written = self.write(file, model, &found, &report)?;
        if terminal.is_json() {
            terminal.answer(&json(&report)?)?;
        } else {
            terminal.answer(&self.describe(file, &report, &written))?;
        }
        Ok(if found.curve.end == CurveEnd::Undecided { Exit::NotConverged } else { Exit::Computed })
    }

    fn write<S: AnyDimension>(
        &self,
        file: &SceneFile,
        model: &Model<S>,
        found: &Pushover<S>,
        report: &Report<'_>,
    ) -> Result<Vec<PathBuf>> {
        let Some(dir) = &self.output else { return Ok(Vec::new()) };
        let structure = Structure::new(model.clone(), CLOSED)?;
        let unit = structure.unit_of(&structure.dead_load(0.0, None));
        // the displacement takes the place of time
        let moments = found.poses.iter().zip(&found.contacts).zip(&found.curve.points);
        let frames: Vec<_> = moments
            .enumerate()
            .map(|(i, ((poses, contacts), point))| {
                let mut frame = moment::placed(poses, contacts, unit, point.displacement_m);
                frame.step = i as u64;
                frame
            })
            .collect();
        let title = &file.built.title;
        files::record(dir, &structure, title, &file.scene.source.text, &frames, &[], self.force)?;
        let settles = self.settlement.is_some();
        let axis = ["displacement [m]", if settles { "reaction [N]" } else { "multiplier" }];
        Ok(vec![
            dir.join("results.vtkhdf"),
            files::write(dir, "curve.csv", &curve::table(&found.curve))?,
            files::write(dir, "curve.json", &json(report)?)?,
            files::write(dir, "curve.svg", &curve::drawing(&found.curve, title, report.load, axis))?,
        ])
    }

    fn describe(&self, file: &SceneFile, report: &Report<'_>, files: &[PathBuf]) -> String {
        let curve = report.curve;
        let mut lines = Lines::new(&file.built.title);
        lines.add("load", report.load);
        if let Some(limit) = &curve.limit {
            lines.add("limit analysis", words::multiplier(limit));
        }
        let peak = curve.points.iter().map(|point| point.load).fold(f64::NEG_INFINITY, f64::max);
        if peak.is_finite() {
            let text = if self.settlement.is_some() { quantity(peak, "N") } else { format!("{peak:.6}") };
            lines.add("largest", text);
        }
        let end = match curve.end {
            CurveEnd::Collapse => "the load has fallen to zero: from here it falls by itself",
            CurveEnd::NoEquilibrium => "no equilibrium is left",
            CurveEnd::Steps => "as many steps as asked for",
            CurveEnd::Unbounded => "the load has no limit",
            CurveEnd::Undecided => "NOT DECIDED: a step was not solved to tolerance",
        };
        lines.add("end", end);
        lines.add("displacement", format!("{} at the end", quantity(curve.capacity_m, "m")));
        lines.add("time", format!("{:.2} s, {} points", report.time_s, curve.points.len()));
        for file in files {
            lines.add("written", file.display().to_string());
        }
        lines.text()
    }
}
