//! `voussoir pushover`: load–displacement curve up to collapse, settlement of a support.

use std::path::PathBuf;

use voussoir_run::SceneFile;
use voussoir_run::statics::files::{json, write_curve};
use voussoir_run::statics::questions::{self, Pushed, PushoverReport};
use voussoir_statics::Direction;
use voussoir_statics::pushover::{CurveEnd, PushoverSettings};

use crate::clock::seconds;
use crate::exit::Exit;
use crate::failure::{CommandResult, Failure};
use crate::figures::quantity;
use crate::statics::ask::{AskedEngine, AskedLoad};
use crate::statics::words::{self, Lines};
use crate::terminal::Terminal;

/// Arguments of `voussoir pushover`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Rigid blocks do not move below the collapse load: the curve starts at this load and ends where the \
                  load has \
                  decreased to zero. The curve of a settlement ends where no equilibrium exists."
)]
pub struct PushoverArguments {
    /// The scene
    pub scene: PathBuf,
    /// The load that increases
    #[command(flatten)]
    pub load: AskedLoad,
    /// Move this support along --direction
    #[arg(long, value_name = "NAME", conflicts_with_all = ["load", "acceleration", "tilt"])]
    pub settlement: Option<String>,
    /// Direction of the settlement [default: down]
    #[arg(long, value_name = "DIR", allow_hyphen_values = true, requires = "settlement")]
    pub direction: Option<Direction>,
    /// Largest displacement in a step [m] [default: height / 200]
    #[arg(long, value_name = "M")]
    pub step: Option<f64>,
    /// Maximum number of steps
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub steps: usize,
    /// Associated friction: sliding opens the joints
    #[arg(long)]
    pub associated: bool,
    /// Solver of the conic programs
    #[arg(long, value_enum, default_value_t)]
    pub engine: AskedEngine,
    // output options as in `limit`, with other files
    /// Folder for curve.csv, curve.json, curve.svg and results.vtkhdf
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Overwrite results in the folder
    #[arg(long)]
    pub force: bool,
    /// Print the answer as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

impl PushoverArguments {
    /// Computes the curve.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let file = SceneFile::load(&self.scene)?;
        terminal.warnings(&file.built.structure_warnings);
        let settings = PushoverSettings {
            step: self.step,
            steps: self.steps,
            associated: self.associated,
            engine: self.engine.into(),
            ..PushoverSettings::default()
        };
        let pushed = match (&self.settlement, self.load.question()) {
            (Some(name), _) => Pushed::Settlement(name.clone(), self.direction.clone()),
            (None, Some(question)) => Pushed::Load(question),
            (None, None) => {
                return Err(Failure::bad_input("no load and no settlement is given")
                    .with_help("--load NAME, --acceleration DIR, --tilt DIR or --settlement SUPPORT"));
            }
        };
        let (report, followed) = questions::pushover(&file, &pushed, &settings, seconds)?;
        let axis = ["displacement [m]", if self.settlement.is_some() { "reaction [N]" } else { "multiplier" }];
        let written = match &self.output {
            None => Vec::new(),
            Some(dir) => write_curve(dir, &report, &followed.frames, &file, axis, self.force)?,
        };
        if terminal.is_json() {
            terminal.answer(&json(&report, file.built.model.origin())?)?;
        } else {
            terminal.answer(&self.describe(&file, &report, &written))?;
        }
        Ok(if report.curve.end == CurveEnd::Undecided { Exit::NotConverged } else { Exit::Computed })
    }

    fn describe(&self, file: &SceneFile, report: &PushoverReport, files: &[PathBuf]) -> String {
        let curve = &report.curve;
        let mut lines = Lines::new(&file.built.title);
        lines.add("load", &report.load);
        if let Some(limit) = &curve.limit {
            lines.add("limit analysis", words::multiplier(limit));
        }
        let peak = curve.points.iter().map(|point| point.load).fold(f64::NEG_INFINITY, f64::max);
        if peak.is_finite() {
            let text = if self.settlement.is_some() { quantity(peak, "N") } else { format!("{peak:.6}") };
            lines.add("peak", text);
        }
        let end = match curve.end {
            CurveEnd::Collapse => "the load has decreased to zero: the structure collapses under the constant loads",
            CurveEnd::NoEquilibrium => "no equilibrium exists beyond this point",
            CurveEnd::Steps => "maximum number of steps reached",
            CurveEnd::Unbounded => "the load is unbounded",
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
