//! `voussoir limit`: the largest multiplier of a load, and the mechanism that proves it.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;
use voussoir_mechanics::model::Model;
use voussoir_statics::Structure;
use voussoir_statics::cable::Cable;
use voussoir_statics::conic::Engine;
use voussoir_statics::find::Found;
use voussoir_statics::limit::{LimitAnswer, LimitSettings, LimitVerdict, limit};
use voussoir_statics::loads::Question;
use voussoir_statics::pushover::{CurveEnd, PushoverSettings, settlement};
use voussoir_statics::structure::CLOSED;

use super::stand::{AnyDimension, Search};
use crate::exit::Exit;
use crate::failure::{Failure, Result};
use crate::scene_file::SceneFile;
use crate::statics::ask::{self, AskedEngine, AskedLoad, AskedStrength, Direction};
use crate::statics::files::{self, json};
use crate::statics::study::{StandReport, Study};
use crate::statics::vary::Vary;
use crate::statics::with_model;
use crate::statics::words::{self, Lines};
use crate::statics::{drawing, moment};
use crate::terminal::Terminal;

/// Arguments of `voussoir limit`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "All other loads, and gravity, stay as they are. The multiplier is a lower value (admissible forces) \
                        and an upper value (a mechanism) that meet, for joints that open as they slide. With \
                        --non-associated joints slide without opening; there is no such proof then."
)]
pub struct Limit {
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

/// The JSON of `voussoir limit`.
#[derive(Clone, Debug, Serialize)]
pub struct LimitReport {
    /// Multiplier, upper value, gap, mechanism.
    #[serde(flatten)]
    pub answer: LimitAnswer,
    /// What a search found; the rest is the answer for its value.
    #[serde(flatten)]
    pub found: Option<Found>,
    /// Free bodies.
    pub blocks: usize,
    /// Contact points.
    pub contacts: usize,
    /// Computing time, the reading of the scene left out [s].
    pub time_s: f64,
}

impl Limit {
    /// Finds the multiplier.
    pub fn execute(&self, terminal: &Terminal) -> Result<Exit> {
        let file = SceneFile::load(&self.scene)?;
        with_model!(&file.built.finished(), model => self.look(&file, model, terminal))
    }

    fn look<S: AnyDimension>(&self, file: &SceneFile, model: &Model<S>, terminal: &Terminal) -> Result<Exit> {
        let clock = Instant::now();
        if let Some(support) = &self.settlement {
            return self.settle(model, support, &file.built.title, terminal);
        }
        let Some(question) = self.load.question::<S>()? else {
            let mut known: Vec<&str> = model.loads.iter().map(|load| load.name.as_str()).collect();
            known.dedup();
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
        let (found, mut structure) = match &self.vary.vary {
            None => (None, Structure::new(model.clone(), CLOSED)?),
            Some(key) => {
                let (found, structure) = self.search(file, model, key, &question, &settings)?;
                (Some(found), structure)
            }
        };
        self.add_cables(&mut structure)?;
        let answer = limit(&mut structure, &question, &settings)?;
        let report = LimitReport {
            answer,
            found,
            blocks: structure.nodes(),
            contacts: structure.contacts.len(),
            time_s: clock.elapsed().as_secs_f64(),
        };
        let written = self.write(file, structure, &report)?;
        self.say(&report, &file.built.title, &written, terminal)?;
        let undecided = report.answer.verdict == LimitVerdict::Undecided;
        Ok(if undecided { Exit::NotConverged } else { Exit::Computed })
    }

    fn add_cables<S: AnyDimension>(&self, structure: &mut Structure<S>) -> Result<()> {
        for words in self.cable.chunks_exact(3) {
            let bodies = [ask::body(&structure.model, &words[0])?, ask::body(&structure.model, &words[1])?];
            let strength = words[2]
                .parse()
                .map_err(|_| Failure::bad_input(format!("--cable … {}: a strength in newtons", words[2])))?;
            let points = bodies.map(|body| structure.poses[body].position);
            structure.add_cable(Cable { bodies, points, strength })?;
        }
        Ok(())
    }

    /// The smallest or largest value of a key with which the load can be multiplied enough.
    fn search<S: AnyDimension>(
        &self,
        file: &SceneFile,
        model: &Model<S>,
        key: &str,
        question: &Question<S>,
        settings: &LimitSettings,
    ) -> Result<(Found, Structure<S>)> {
        let base = self.scene.parent().unwrap_or(Path::new(""));
        let search = Search::of(file, base, model, key, self.direction.as_ref())?;
        let found = self.vary.search(|value| {
            let mut structure = Structure::new(search.model(value)?.0, CLOSED)?;
            self.add_cables(&mut structure)?;
            let answer = limit(&mut structure, question, settings)?;
            Ok(match (answer.verdict, answer.multiplier, answer.upper) {
                (LimitVerdict::Unbounded, ..) => Some(true),
                (LimitVerdict::Falls, None, _) => Some(false),
                (LimitVerdict::Undecided, ..) | (_, None, _) => None,
                (_, Some(lower), _) if lower >= self.at_least => Some(true),
                _ => Some(false),
            })
        })?;
        let value = found.value.unwrap_or(found.upper);
        Ok((found, Structure::new(search.model(value)?.0, CLOSED)?))
    }

    /// The settlement that can be endured is a multiplier of a unit settlement.
    fn settle<S: AnyDimension>(&self, model: &Model<S>, name: &str, title: &str, terminal: &Terminal) -> Result<Exit> {
        let clock = Instant::now();
        let (support, direction) = ask::settling(model, name, self.direction.as_ref())?;
        let engine: Engine = self.engine.into();
        let settings =
            PushoverSettings { engine, time: self.time, associated: !self.non_associated, ..Default::default() };
        let curve = settlement(model.clone(), support, direction, &settings)?.curve;
        let step = match &curve.points[..] {
            [.., a, b] => b.displacement_m - a.displacement_m,
            _ => 0.0,
        };
        let verdict = match curve.end {
            CurveEnd::NoEquilibrium if curve.points.is_empty() => LimitVerdict::Falls,
            CurveEnd::NoEquilibrium | CurveEnd::Collapse => LimitVerdict::Limit,
            CurveEnd::Steps | CurveEnd::Unbounded => LimitVerdict::Unbounded,
            CurveEnd::Undecided => LimitVerdict::Undecided,
        };
        let limited = verdict == LimitVerdict::Limit;
        let answer = LimitAnswer {
            load: format!("settlement of {name} [m]"),
            verdict,
            multiplier: limited.then_some(curve.capacity_m),
            upper: limited.then_some(curve.capacity_m + step),
            gap: limited.then_some(step),
            iterations: curve.iterations,
            passes: 0,
            change: 0.0,
            friction_excess: 0.0,
            associated: settings.associated,
            engine,
            imbalance: 0.0,
            mechanism: None,
        };
        let report = LimitReport {
            answer,
            found: None,
            blocks: model.bodies.iter().filter(|body| body.role == voussoir_mechanics::model::Role::Free).count(),
            contacts: 0,
            time_s: clock.elapsed().as_secs_f64(),
        };
        self.say(&report, title, &[], terminal)?;
        Ok(if verdict == LimitVerdict::Undecided { Exit::NotConverged } else { Exit::Computed })
    }

    fn write<S: AnyDimension>(
        &self,
        file: &SceneFile,
        structure: Structure<S>,
        report: &LimitReport,
    ) -> Result<Vec<PathBuf>> {
        let Some(dir) = &self.output else { return Ok(Vec::new()) };
        let title = &file.built.title;
        let mechanism = report.answer.mechanism.clone();
        let frame = moment::frame(&structure, mechanism.as_ref(), 0.0);
        files::record(dir, &structure, title, &file.scene.source.text, &[frame], &[], self.force)?;
        let note = format!("{}: {}", report.answer.load, words::multiplier(&report.answer));
        let study = Study { structure, report: StandReport::of_mechanism(mechanism), lines: Vec::new() };
        Ok(vec![
            dir.join("results.vtkhdf"),
            files::write(dir, "limit.json", &json(report)?)?,
            files::write(dir, "mechanism.svg", &drawing::elevation(&study, title, &note))?,
        ])
    }

    fn say(&self, report: &LimitReport, title: &str, files: &[PathBuf], terminal: &Terminal) -> Result<()> {
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
            (true, _) => "joints open as they slide (associated): proved from below and above".to_owned(),
            (false, passes) => {
                format!("joints slide without opening: {passes} passes, last change {:.1e}", answer.change)
            }
        };
        lines.add("law", law);
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
