//! `voussoir stand`: decide whether a structure stands, with safety margin or collapse mechanism.

use std::path::{Path, PathBuf};

use voussoir_run::SceneFile;
use voussoir_run::statics::files::{KeptScene, json, write_study};
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
    after_help = "The verdict has a proof: admissible forces in equilibrium, or a mechanism driven by the loads. If \
                  neither is found \
                        to tolerance, the verdict is \"not decided\" (exit code 3)."
)]
pub struct StandArguments {
    /// The scene
    pub scene: PathBuf,
    /// Folder for joints.csv, thrust.csv, stand.json, thrust.svg and results.vtkhdf
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Overwrite results in the folder
    #[arg(long)]
    pub force: bool,
    /// Also compute the collapse multiplier of this load
    #[command(flatten)]
    pub load: AskedLoad,
    /// Time at which the loads are evaluated [s]
    #[arg(long, value_name = "T", default_value_t = 0.0)]
    pub time: f64,
    /// Compute the range of thrust also for large structures
    #[arg(long, conflicts_with = "no_thrust")]
    pub thrust: bool,
    /// Do not compute the range of thrust
    #[arg(long)]
    pub no_thrust: bool,
    /// Support at which the thrust is measured [default: the support with the largest horizontal reaction]
    #[arg(long, value_name = "NAME")]
    pub support: Option<String>,
    /// Direction of the thrust [default: horizontal, along the support reaction], or of tilt_deg and acceleration
    /// [default: x]
    #[arg(long, value_name = "DIR", allow_hyphen_values = true)]
    pub direction: Option<Direction>,
    /// Draw thrust lines along these bodies only: a selection such as arch.voussoir; may be repeated
    #[arg(long, value_name = "SELECTION")]
    pub chain: Vec<String>,
    /// Solver of the conic programs
    #[arg(long, value_enum, default_value_t)]
    pub engine: AskedEngine,
    /// Search
    #[command(flatten)]
    pub vary: Vary,
    /// Print the answer as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

impl StandArguments {
    /// Computes the verdict and prints it.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let file = SceneFile::load(&self.scene)?;
        terminal.warnings(&file.built.structure_warnings);
        let base = self.scene.parent().unwrap_or(Path::new(""));
        let (study, text) = questions::stand(&file, base, &self.request()?, seconds)?;
        let mut written = Vec::new();
        if let Some(dir) = &self.output {
            // after a search the text differs from that of the file
            let as_studied = SceneFile::read(&text, &self.scene.display().to_string(), base)?;
            let scene = KeptScene::in_folder(&as_studied, dir, self.force)?;
            written = write_study(dir, &study, &file.built.title, &scene, self.force)?;
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
            return terminal.answer(&json(&study.report, study.structure.origin())?);
        }
        let mut lines = Lines::new(title);
        words::origin(&mut lines, study.structure.origin());
        words::stand(&mut lines, &study.report);
        for file in files {
            lines.add("written", file.display().to_string());
        }
        terminal.answer(&lines.text())
    }
}
