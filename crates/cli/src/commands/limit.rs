//! `voussoir limit`: find the collapse multiplier of a load and the collapse mechanism.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::ProgressBar;
use voussoir_mechanics::AnyState;
use voussoir_run::SceneFile;
use voussoir_run::last_state::last_state;
use voussoir_run::statics::files::{DrawingNote, json, write_envelope, write_limit};
use voussoir_run::statics::questions::{self, LimitReport, LimitRequest, Tie};
use voussoir_statics::Direction;
use voussoir_statics::limit::{GAP, LimitSettings, LimitVerdict, PassProgress};
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
    after_help = "Gravity and all other loads stay constant. The collapse multiplier has a lower bound (admissible \
                  forces) and an \
                  upper bound (a mechanism) that coincide for associated friction (sliding opens the joint). With \
                  --non-associated joints slide without opening; this multiplier is the result of an iteration, \
                  without such bounds."
)]
pub struct LimitArguments {
    /// The scene; or a results folder: limit analysis of its last state, with the contacts that carry force
    pub scene: PathBuf,
    /// The load that is multiplied
    #[command(flatten)]
    pub load: AskedLoad,
    /// Move this support along --direction; the multiplier is the settlement at collapse [m]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["load", "acceleration", "tilt"])]
    pub settlement: Option<String>,
    /// A train at all of its positions, in both directions: the multiplier over the position, and the worst position to
    /// 1 cm
    #[arg(long, value_name = "NAME", conflicts_with_all = ["load", "acceleration", "tilt", "settlement", "cable", "vary"])]
    pub train: Option<String>,
    /// Distance between positions of --train [m]
    #[arg(long, value_name = "M", default_value_t = 0.1, requires = "train")]
    pub position_step: f64,
    /// Direction of the settlement [default: down], or of --vary tilt_deg and acceleration [default: x]
    #[arg(long, value_name = "DIR", allow_hyphen_values = true)]
    pub direction: Option<Direction>,
    /// Joints slide without opening (iterative; usually a lower multiplier)
    #[arg(long)]
    pub non_associated: bool,
    /// Time at which the constant loads are evaluated [s]
    #[arg(long, value_name = "T", default_value_t = 0.0)]
    pub time: f64,
    /// Solver of the conic programs; clarabel is faster for this analysis
    #[arg(long, value_enum, default_value = "clarabel")]
    pub engine: AskedEngine,
    /// Strength of the joints
    #[command(flatten)]
    pub strength: AskedStrength,
    /// Add a cable between the centroids of two bodies, with its strength [N]; may be repeated
    #[arg(long, value_names = ["BODY", "OTHER", "N"], num_args = 3)]
    pub cable: Vec<String>,
    /// Search: a structure stands if its multiplier is at least --at-least
    #[command(flatten)]
    pub vary: Vary,
    /// Required multiplier in a search
    #[arg(long, value_name = "M", default_value_t = 1.0, requires = "vary")]
    pub at_least: f64,
    /// Folder for limit.json, mechanism.svg and results.vtkhdf
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Overwrite results in the folder
    #[arg(long)]
    pub force: bool,
    /// Print the answer as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

impl LimitArguments {
    /// Finds the multiplier.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let (file, state) = match self.scene.is_dir() {
            false => (SceneFile::load(&self.scene)?, None),
            true => last_state(&self.scene).map(|(file, state)| (file, Some(state)))?,
        };
        terminal.warnings(&file.built.structure_warnings);
        if state.is_some() && (self.train.is_some() || self.settlement.is_some() || self.vary.vary.is_some()) {
            return Err(Failure::bad_input("the last state of a run has multipliers of loads only")
                .with_help("give --load, --acceleration or --tilt, or the scene instead of the folder"));
        }
        if let Some(train) = &self.train {
            return self.travel(&file, train, terminal);
        }
        let (report, written) = match &self.settlement {
            Some(support) => (self.settle(&file, support)?, Vec::new()),
            None => self.multiply(&file, state, terminal)?,
        };
        self.say(&report, &file, &written, terminal)?;
        let undecided = report.answer.verdict == LimitVerdict::Undecided;
        Ok(if undecided { Exit::NotConverged } else { Exit::Computed })
    }

    fn multiply(
        &self,
        file: &SceneFile,
        state: Option<AnyState>,
        terminal: &Terminal,
    ) -> CommandResult<(LimitReport, Vec<PathBuf>)> {
        let Some(question) = self.load.question() else {
            let known = file.built.model.load_names();
            let loads = if known.is_empty() { "the scene has no loads".to_owned() } else { known.join(", ") };
            return Err(Failure::bad_input("no load is given")
                .with_help(format!("--load NAME ({loads}), --acceleration DIR, --tilt DIR or --settlement SUPPORT")));
        };
        let bar = pass_bar(terminal);
        let settings = LimitSettings { progress: watched(&bar), ..self.settings() };
        let search = self.vary.search(self.direction.as_ref())?.map(|search| (search, self.at_least));
        let request = LimitRequest { question, settings, ties: self.ties()?, search, state };
        let base = self.scene.parent().unwrap_or(Path::new(""));
        let found = questions::limit(file, base, &request, seconds);
        bar.finish_and_clear();
        let (report, structure) = found?;
        let written = match &self.output {
            None => Vec::new(),
            Some(dir) => {
                let note = format!("{}: {}", report.answer.load, words::multiplier(&report.answer));
                let caption = DrawingNote { note: &note, time: self.time };
                write_limit(dir, &report, structure, file, caption, self.force)?
            }
        };
        Ok((report, written))
    }

    /// The envelope of a train.
    fn travel(&self, file: &SceneFile, train: &str, terminal: &Terminal) -> CommandResult<Exit> {
        let (report, structure) = questions::envelope(file, train, self.position_step, &self.settings(), seconds)?;
        let envelope = &report.envelope;
        let worst = envelope.worst.as_ref();
        let mut lines = Lines::new(&file.built.title);
        words::origin(&mut lines, file.built.model.origin());
        lines.add("train", train);
        let note = match (worst, &envelope.answer) {
            (Some(worst), Some(answer)) => {
                let side = if worst.reversed { ", coming from the other end" } else { "" };
                let [x, y, _] = worst.at;
                format!("{} with its first axle at x = {x:.2}, y = {y:.2} m{side}", words::multiplier(answer))
            }
            _ => "unbounded: no position of the train causes collapse".to_owned(),
        };
        lines.add("multiplier", &note);
        let (count, solved) = (envelope.points.len(), envelope.solved);
        let how = format!(
            "{count}, every {} m and refined; {solved} programs, the others by their mechanisms",
            self.position_step
        );
        lines.add("positions", how);
        if envelope.undecided > 0 {
            lines.add("NOT DECIDED", format!("{} positions: their bounds do not coincide", envelope.undecided));
        }
        if let Some(mechanism) = envelope.answer.as_ref().and_then(|answer| answer.mechanism.as_ref()) {
            words::mechanism(&mut lines, mechanism);
        }
        lines.add("size", format!("{} blocks, {} contacts", report.blocks, report.contacts));
        lines.add("time", format!("{:.3} s, {} Newton steps", report.time_s, envelope.iterations));
        if let Some(dir) = &self.output {
            let caption = DrawingNote { note: &note, time: self.time };
            for file in write_envelope(dir, &report, structure, file, caption, self.force)? {
                lines.add("written", file.display().to_string());
            }
        }
        terminal.answer(&if terminal.is_json() { json(&report, file.built.model.origin())? } else { lines.text() })?;
        Ok(if report.envelope.undecided > 0 { Exit::NotConverged } else { Exit::Computed })
    }

    fn settings(&self) -> LimitSettings {
        LimitSettings {
            associated: !self.non_associated,
            capacity: self.strength.capacity(),
            engine: self.engine.into(),
            time: self.time,
            ..LimitSettings::default()
        }
    }

    fn ties(&self) -> CommandResult<Vec<Tie>> {
        let tie = |words: &[String]| {
            let strength = words[2].parse().map_err(|_| {
                Failure::bad_input(format!("--cable … {}: the strength must be a number in newtons", words[2]))
            })?;
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

    fn say(&self, report: &LimitReport, file: &SceneFile, files: &[PathBuf], terminal: &Terminal) -> CommandResult<()> {
        if terminal.is_json() {
            return terminal.answer(&json(report, file.built.model.origin())?);
        }
        let answer = &report.answer;
        let mut lines = Lines::new(&file.built.title);
        words::origin(&mut lines, file.built.model.origin());
        if let Some(found) = &report.found {
            words::search(&mut lines, found);
        }
        lines.add("load", &answer.load);
        lines.add("multiplier", words::multiplier(answer));
        match (answer.upper, answer.gap, answer.associated_bound) {
            (.., Some(bound)) => lines.add("upper bound", format!("{bound:.7}, that of the associated law")),
            (Some(upper), Some(gap), None) => lines.add("upper bound", format!("{upper:.7}, gap {gap:.1e}")),
            _ => {}
        }
        let law = match (answer.associated, answer.passes) {
            (true, _) if answer.proved => {
                "associated (sliding opens the joint): lower and upper bound coincide".to_owned()
            }
            (true, _) => format!(
                "associated (sliding opens the joint): not proved, the relative gap between the bounds is above {GAP:.0e}"
            ),
            (false, passes) => {
                format!(
                    "non-associated (joints slide without opening): {passes} passes, last change {:.1e}",
                    answer.change
                )
            }
        };
        lines.add("law", law);
        words::not_accelerated(&mut lines, answer);
        if let Some(mechanism) = &answer.mechanism {
            words::mechanism(&mut lines, mechanism);
        }
        lines.add("size", format!("{} blocks, {} contacts", report.blocks, report.contacts));
        if let Some(rattlers) = report.rattlers {
            lines.add("state", format!("contacts that carry force in the last state; {rattlers} rattlers left out"));
        }
        lines.add("time", format!("{:.3} s, {} Newton steps", report.time_s, answer.iterations));
        for file in files {
            lines.add("written", file.display().to_string());
        }
        terminal.answer(&lines.text())
    }
}

/// A line of progress for iterations of many passes; hidden unless stderr is a terminal.
fn pass_bar(terminal: &Terminal) -> ProgressBar {
    terminal.bars().add(ProgressBar::new_spinner())
}

/// Shows the passes of an iteration.
fn watched(bar: &ProgressBar) -> PassProgress {
    let bar = bar.clone();
    PassProgress(Some(Arc::new(move |pass, multiplier, miss| {
        bar.set_message(format!("pass {pass}: multiplier {multiplier:.5}, off a limit state by {miss:.0e}"));
        bar.tick();
    })))
}
