//! `voussoir stand`: does it stand, by what margin, or how does it fall.

use std::path::{Path, PathBuf};

use voussoir_run::SceneFile;
use voussoir_run::statics::files::{json, write_study};
use voussoir_run::statics::questions::{self, StandRequest};
use voussoir_statics::Direction;
use voussoir_statics::stand::StandSettings;
use voussoir_statics::study::Study;

use crate::clock::seconds;
use crate::exit::Exit;
use crate::failure::CommandResult;
use crate::statics::ask::{AskedEngine, AskedLoad};
use crate::statics::vary::Vary;
use crate::statics::words::{self, Lines};
use crate::terminal::Terminal;

/// Arguments of `voussoir stand`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The verdict is proved: by admissible forces in equilibrium, or by a mechanism on which the loads \
                        do work. Where neither is found to tolerance, the answer is that it is not decided (exit code 3)."
)]
pub struct StandArguments {
    /// The scene
    pub scene: PathBuf,
    /// Folder for joints.csv, thrust.csv, stand.json, thrust.svg and results.vtkhdf
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Replace results that are in the folder
    #[arg(long)]
    pub force: bool,
    /// The margin also counts how far this load can grow
    #[command(flatten)]
    pub load: AskedLoad,
    /// Time at which loads are taken [s]
    #[arg(long, value_name = "T", default_value_t = 0.0)]
    pub time: f64,
    /// Compute the range of thrust, also of large structures
    #[arg(long, conflicts_with = "no_thrust")]
    pub thrust: bool,
    /// Do not compute the range of thrust
    #[arg(long)]
    pub no_thrust: bool,
    /// Support whose thrust is meant [default: the one with the largest horizontal reaction]
    #[arg(long, value_name = "NAME")]
    pub support: Option<String>,
    /// Direction of the thrust [default: horizontal, as the support pushes]; of tilt_deg and acceleration [default: x]
    #[arg(long, value_name = "DIR", allow_hyphen_values = true)]
    pub direction: Option<Direction>,
    /// Thrust lines along these bodies only: a selection such as arch.voussoir; may be repeated
    #[arg(long, value_name = "SELECTION")]
    pub chain: Vec<String>,
    /// Which solver of conic programs
    #[arg(long, value_enum, default_value_t)]
    pub engine: AskedEngine,
    /// A search
    #[command(flatten)]
    pub vary: Vary,
    /// Print the answer as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

impl StandArguments {
    /// Decides.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let file = SceneFile::load(&self.scene)?;
        let base = self.scene.parent().unwrap_or(Path::new(""));
        let (study, text) = questions::stand(&file, base, &self.request()?, seconds)?;
        let mut written = Vec::new();
        if let Some(dir) = &self.output {
            written = write_study(dir, &study, &file.built.title, &text, self.force)?;
        }
        self.say(&study, &file.built.title, &written, terminal)?;
        Ok(if study.report.answer.stands.is_none() { Exit::NotConverged } else { Exit::Computed })
    }

    fn request(&self) -> CommandResult<StandRequest> {
        Ok(StandRequest {
            settings: StandSettings { engine: self.engine.into(), time: self.time, ..StandSettings::default() },
            question: self.load.question(),
            thrust: if self.thrust { Some(true) } else { self.no_thrust.then_some(false) },
            support: self.support.clone(),
            direction: self.direction.clone(),
            chains: self.chain.clone(),
            lines: self.output.is_some(),
            search: self.vary.search(self.direction.as_ref())?,
        })
    }

    fn say(&self, study: &Study, title: &str, files: &[PathBuf], terminal: &Terminal) -> CommandResult<()> {
        if terminal.is_json() {
            return terminal.answer(&json(&study.report)?);
        }
        let mut lines = Lines::new(title);
        words::stand(&mut lines, &study.report);
        for file in files {
            lines.add("written", file.display().to_string());
        }
        terminal.answer(&lines.text())
    }
}
