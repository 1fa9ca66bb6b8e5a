//! `voussoir limit`: the largest multiplier of a load, and the mechanism that proves it.

use std::path::{Path, PathBuf};

use voussoir_run::SceneFile;
use voussoir_run::statics::files::{json, write_limit};
use voussoir_run::statics::questions::{self, LimitReport, LimitRequest, Tie};
use voussoir_statics::Direction;
use voussoir_statics::limit::{GAP, LimitSettings, LimitVerdict};
use voussoir_statics::pushover::PushoverSettings;

use crate::clock::seconds;
use crate::exit::Exit;
use crate::failure::{CommandResult, Failure};
use crate::statics::ask::{AskedEngine, AskedLoad, AskedStrength};
use crate::statics::vary::Vary;
use crate::statics::words::{self, Lines};
use crate::terminal::Terminal;

/// Arguments of `voussoir limit`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "All other loads, and gravity, stay as they are. The multiplier is a lower value (admissible forces) \
                        and an upper value (a mechanism) that meet, for joints that open as they slide. With \
                        --non-associated joints slide without opening; there is no such proof then."
)]
pub struct LimitArguments {
    /// The scene
    pub scene: PathBuf,
    /// What is multiplied
    #[command(flatten)]
    pub load: AskedLoad,
    /// This support moves along --direction; the multiplier is the settlement that can be endured [m]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["load", "acceleration", "tilt"])]
    pub settlement: Option<String>,
    /// Direction of the settlement [default: down]; of --vary tilt_deg and acceleration [default: x]
    #[arg(long, value_name = "DIR", allow_hyphen_values = true)]
    pub direction: Option<Direction>,
    /// Joints slide without opening (an iteration, usually a lower multiplier)
    #[arg(long)]
    pub non_associated: bool,
    /// Time at which fixed loads are taken [s]
    #[arg(long, value_name = "T", default_value_t = 0.0)]
    pub time: f64,
    /// Which solver of conic programs; clarabel is the faster one here
    #[arg(long, value_enum, default_value = "clarabel")]
    pub engine: AskedEngine,
    /// Joints
    #[command(flatten)]
    pub strength: AskedStrength,
    /// A cable between the centroids of two bodies, up to its strength [N]; may be repeated
    #[arg(long, value_names = ["BODY", "OTHER", "N"], num_args = 3)]
    pub cable: Vec<String>,
    /// A search: structures whose multiplier is at least --at-least stand
    #[command(flatten)]
    pub vary: Vary,
    /// Multiplier that a search asks for
    #[arg(long, value_name = "M", default_value_t = 1.0, requires = "vary")]
    pub at_least: f64,
    /// Folder for limit.json, mechanism.svg and results.vtkhdf
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Replace results that are in the folder
    #[arg(long)]
    pub force: bool,
    /// Print the answer as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

impl LimitArguments {
    /// Finds the multiplier.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let file = SceneFile::load(&self.scene)?;
        let (report, written) = match &self.settlement {
            Some(support) => (self.settle(&file, support)?, Vec::new()),
            None => self.multiply(&file)?,
        };
        self.say(&report, &file.built.title, &written, terminal)?;
        let undecided = report.answer.verdict == LimitVerdict::Undecided;
        Ok(if undecided { Exit::NotConverged } else { Exit::Computed })
    }

    fn multiply(&self, file: &SceneFile) -> CommandResult<(LimitReport, Vec<PathBuf>)> {
        let Some(question) = self.load.question() else {
            let known = file.built.model.load_names();
            let loads = if known.is_empty() { "the scene has none".to_owned() } else { known.join(", ") };
            return Err(Failure::bad_input("which load is to be multiplied?")
                .with_help(format!("--load NAME ({loads}), --acceleration DIR, --tilt DIR or --settlement SUPPORT")));
        };
        let settings = LimitSettings {
            associated: !self.non_associated,
            capacity: self.strength.capacity(),
            engine: self.engine.into(),
            time: self.time,
            ..LimitSettings::default()
        };
        let search = self.vary.search(self.direction.as_ref())?.map(|search| (search, self.at_least));
        let request = LimitRequest { question, settings, ties: self.ties()?, search };
        let base = self.scene.parent().unwrap_or(Path::new(""));
        let (report, structure) = questions::limit(file, base, &request, seconds)?;
        let written = match &self.output {
            None => Vec::new(),
            Some(dir) => {
                let note = format!("{}: {}", report.answer.load, words::multiplier(&report.answer));
                write_limit(dir, &report, structure, file, &note, self.force)?
            }
        };
        Ok((report, written))
    }

    fn ties(&self) -> CommandResult<Vec<Tie>> {
        let tie = |words: &[String]| {
            let strength = words[2]
                .parse()
                .map_err(|_| Failure::bad_input(format!("--cable … {}: a strength in newtons", words[2])))?;
            Ok(Tie { bodies: [words[0].clone(), words[1].clone()], strength })
        };
        self.cable.chunks_exact(3).map(tie).collect()
    }

    fn settle(&self, file: &SceneFile, support: &str) -> CommandResult<LimitReport> {
        let settings = PushoverSettings {
            engine: self.engine.into(),
            time: self.time,
            associated: !self.non_associated,
            ..Default::default()
        };
        Ok(questions::settlement_limit(file, support, self.direction.as_ref(), &settings, seconds)?)
    }

    fn say(&self, report: &LimitReport, title: &str, files: &[PathBuf], terminal: &Terminal) -> CommandResult<()> {
        if terminal.is_json() {
            return terminal.answer(&json(report)?);
        }
        let answer = &report.answer;
        let mut lines = Lines::new(title);
        if let Some(found) = &report.found {
            words::search(&mut lines, found);
        }
        lines.add("load", &answer.load);
        lines.add("multiplier", words::multiplier(answer));
        if let (Some(upper), Some(gap)) = (answer.upper, answer.gap) {
            lines.add("upper value", format!("{upper:.7}, gap {gap:.1e}"));
        }
        let law = match (answer.associated, answer.passes) {
            (true, _) if answer.proved => {
                "joints open as they slide (associated): proved from below and above".to_owned()
            }
            (true, _) => format!(
                "joints open as they slide (associated): not proved, both solvers leave the bounds apart by more than \
                 {GAP:.0e} of them"
            ),
            (false, passes) => {
                format!("joints slide without opening: {passes} passes, last change {:.1e}", answer.change)
            }
        };
        lines.add("law", law);
        words::not_accelerated(&mut lines, answer);
        if let Some(mechanism) = &answer.mechanism {
            words::mechanism(&mut lines, mechanism);
        }
        lines.add("size", format!("{} blocks, {} contacts", report.blocks, report.contacts));
        lines.add("time", format!("{:.3} s, {} Newton steps", report.time_s, answer.iterations));
        for file in files {
            lines.add("written", file.display().to_string());
        }
        terminal.answer(&lines.text())
    }
}
