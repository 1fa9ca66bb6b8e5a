//! The answer for one sample, as numbers of the table.
//!
//! | question | default columns |
//! |---|---|
//! | stand | `stands` (1 or 0), `verdict`, `margin`, `geometric_margin`, `friction_margin` |
//! | limit | `verdict`, `multiplier`, `upper` |
//! | find | `value`, `lower`, `upper` |
//! | run | `max_displacement_m`, `end_drift_m`, `end_drop_m`, `peak_drift_m`, `max_speed_m_s`, `max_residual`, `steps`, `converged_steps`, `probe.NAME` (last value) and `peak.NAME` (largest absolute value) |
//! | ida | `intensity`, `lower`, `upper`, `survived` |
//!
//! Drift is the largest displacement of a free body relative to the mean displacement of the supports, drop its part along
//! gravity. Every damage state has a column `damage.NAME` (1 or 0).

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value, json};
use voussoir_mechanics::AnyModel;
use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::geometry::Vector;
use voussoir_mechanics::report::StepReport;
use voussoir_mechanics::snapshot::{BodySnapshot, Cast};
use voussoir_run::drive::{self, Control, Ending, Facts, first_state};
use voussoir_run::folder::{self, FolderOptions};
use voussoir_run::observe::{Flow, Observer, StepPlace};
use voussoir_run::probes::Probes;
use voussoir_run::statics::questions::{LimitRequest, StandRequest, limit, stand};
use voussoir_run::statics::search::Search;
use voussoir_run::statics::vary::{BESIDE, with_value};
use voussoir_run::{RunError, SceneFile};
use voussoir_statics::conic::Engine as ConicEngine;
use voussoir_statics::find::Find;
use voussoir_statics::limit::{LimitSettings, LimitVerdict};
use voussoir_statics::stand::VerdictWord;
use voussoir_statics::{AnyQuestion, Direction};

use super::plan::{EnsembleStudy, SamplePlan};
use super::spec::{AskKind, DamageSpec, FindSpec, IdaSpec, LimitSpec};
use crate::error::{EnsembleError, EnsembleResult as Result};

/// Default columns of a run without its probes.
const RUN: [&str; 8] = [
    "max_displacement_m",
    "end_drift_m",
    "end_drop_m",
    "peak_drift_m",
    "max_speed_m_s",
    "max_residual",
    "steps",
    "converged_steps",
];

/// An answer before it is a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Answered {
    /// Why the sample has no converged answer.
    pub not_converged: Option<String>,
    /// The JSON of the answer.
    pub numbers: Map<String, Value>,
}

/// Computing times are not part of a row.
fn no_clock() -> f64 {
    0.0
}

fn error(error: RunError) -> EnsembleError {
    match &error {
        RunError::Scene(scene) => EnsembleError::input(format!("line {}: {}", scene.line, scene.message)),
        other => EnsembleError::input(other.to_string()),
    }
}

fn direction(text: &str) -> Result<Direction> {
    text.parse().map_err(|reason| EnsembleError::input(format!("direction \"{text}\": {reason}")))
}

impl EnsembleStudy {
    /// Columns of the answer.
    pub fn columns(&self) -> Vec<String> {
        let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let mut columns = if !self.spec.keep.is_empty() {
            self.spec.keep.clone()
        } else {
            match self.spec.ask {
                AskKind::Stand => named(&["stands", "verdict", "margin", "geometric_margin", "friction_margin"]),
                AskKind::Limit => named(&["verdict", "multiplier", "upper"]),
                AskKind::Find => named(&["value", "lower", "upper"]),
                AskKind::Ida => named(&["intensity", "lower", "upper", "survived"]),
                AskKind::Run => {
                    let mut columns = named(&RUN);
                    columns
                        .extend(self.probes.iter().flat_map(|name| [format!("probe.{name}"), format!("peak.{name}")]));
                    columns
                }
            }
        };
        if self.spec.ask != AskKind::Ida {
            columns.extend(self.spec.damage.keys().map(|name| format!("damage.{name}")));
        }
        columns
    }

    /// Refuses a question that the scene cannot answer.
    pub(super) fn check_question(&self, plain: &SceneFile) -> Result<()> {
        if let Some(spec) = &self.spec.limit {
            let question = question(spec)?;
            if let AnyQuestion::Named(name) = &question
                && !plain.built.model.load_names().contains(&name.as_str())
            {
                let known = plain.built.model.load_names().join(", ");
                return Err(EnsembleError::input(format!("limit.load: there is no load \"{name}\" (loads: {known})")));
            }
        }
        if let Some(spec) = &self.spec.find {
            let search = search(spec)?;
            search.check().map_err(error)?;
            if !BESIDE.contains(&spec.key.as_str()) {
                let text = with_value(&self.scene, &spec.key, spec.between[0]).map_err(error)?;
                voussoir_model::Scene::parse(&text, &self.spec.scene)
                    .map_err(|e| EnsembleError::input(format!("find.key = \"{}\": {}", spec.key, e.message)))?;
            }
        }
        if let Some(IdaSpec { between: [low, high], .. }) = self.spec.ida
            && !(0.0 < low && low < high && high.is_finite())
        {
            return Err(EnsembleError::input("ida.between: two positive intensities, the smaller first"));
        }
        Ok(())
    }

    /// Asks the question of the study for a sample; a run goes into `folder`, if there is one.
    pub(super) fn answer(
        &self,
        sample: &SamplePlan,
        stop: &Arc<AtomicBool>,
        folder: Option<&Path>,
    ) -> Result<Answered> {
        let mut answered = match self.spec.ask {
            AskKind::Stand => self.stand(sample, None)?,
            AskKind::Find => self.stand(sample, self.spec.find.as_ref())?,
            AskKind::Limit => self.limit(sample)?,
            AskKind::Run => self.run_at(sample, sample.motion, stop, folder)?,
            AskKind::Ida => self.ida(sample, stop)?,
        };
        if self.spec.ask != AskKind::Ida {
            for (name, damage) in &self.spec.damage {
                let state = damaged(damage, &answered.numbers);
                answered.numbers.insert(format!("damage.{name}"), json!(state.map(u8::from)));
            }
        }
        Ok(answered)
    }

    fn file(&self, sample: &SamplePlan) -> Result<SceneFile> {
        SceneFile::read(&self.scene_of(sample)?, &self.spec.scene, &self.base).map_err(error)
    }

    fn stand(&self, sample: &SamplePlan, find: Option<&FindSpec>) -> Result<Answered> {
        let thrust = self.spec.keep.iter().any(|path| path.starts_with("thrust"));
        let search = find.map(search).transpose()?;
        let request = StandRequest { thrust: Some(thrust), search, ..StandRequest::default() };
        let (study, _) = stand(&self.file(sample)?, &self.base, &request, no_clock).map_err(error)?;
        let undecided = study.report.answer.stands.is_none() && study.report.answer.verdict == VerdictWord::NotDecided;
        let not_converged = (undecided && find.is_none()).then(|| study.report.answer.missing.clone());
        Ok(Answered { not_converged, numbers: flat(json!(study.report)) })
    }

    fn limit(&self, sample: &SamplePlan) -> Result<Answered> {
        let Some(spec) = &self.spec.limit else { return Err(EnsembleError::input("[limit] is missing")) };
        let settings = LimitSettings {
            engine: ConicEngine::Clarabel,
            associated: !spec.non_associated,
            ..LimitSettings::default()
        };
        let request = LimitRequest { question: question(spec)?, settings, ties: Vec::new(), search: None, state: None };
        let (report, _) = limit(&self.file(sample)?, &self.base, &request, no_clock).map_err(error)?;
        let undecided = report.answer.verdict == LimitVerdict::Undecided;
        let not_converged = undecided.then(|| "the limit analysis did not converge".to_owned());
        Ok(Answered { not_converged, numbers: flat(json!(report)) })
    }

    /// Runs all stages with a ground motion.
    fn run_at(
        &self,
        sample: &SamplePlan,
        motion: Option<(usize, f64)>,
        stop: &Arc<AtomicBool>,
        folder: Option<&Path>,
    ) -> Result<Answered> {
        let file = SceneFile::read(&self.scene_at(sample, motion)?, &self.spec.scene, &self.base).map_err(error)?;
        let built = &file.built;
        let facts = Facts::of(built);
        let start = first_state(built).bodies();
        let mut peaks = Peaks::new(&facts.cast, &start, gravity(&built.model));
        let control = Control { stop: stop.clone(), clock: None };
        let (ending, state) = match folder {
            Some(dir) => {
                let options = FolderOptions { overwrite: true, dump_problems: None };
                let outcome = folder::run(&file, dir, options, &control, &mut [&mut peaks]).map_err(error)?;
                (outcome.ending, outcome.state)
            }
            None => {
                let mut probes = Probes::new(&built.probes, &facts.cast);
                let outcome = drive::run(built, &mut [&mut probes, &mut peaks], &control).map_err(error)?;
                (outcome.ending, outcome.state)
            }
        };
        if ending == Ending::Interrupted {
            return Err(EnsembleError::input("the run was stopped"));
        }
        let [drift, drop] = peaks.drift(&state.bodies());
        let mut numbers = Map::new();
        let mut add = |name: &str, value: f64| numbers.insert(name.to_owned(), json!(value));
        add("max_displacement_m", peaks.displacement);
        add("end_drift_m", drift);
        add("end_drop_m", drop);
        add("peak_drift_m", peaks.peak.max(drift));
        add("max_speed_m_s", peaks.speed);
        add("max_residual", peaks.residual);
        add("steps", peaks.steps as f64);
        add("converged_steps", peaks.converged as f64);
        for (i, probe) in built.probes.iter().enumerate() {
            add(&format!("probe.{}", probe.head), peaks.last.get(i).copied().unwrap_or(f64::NAN));
            add(&format!("peak.{}", probe.head), peaks.largest.get(i).copied().unwrap_or(f64::NAN));
        }
        let missed = peaks.steps - peaks.converged;
        let not_converged = (missed > 0).then(|| format!("{missed} of {} steps missed their tolerance", peaks.steps));
        Ok(Answered { not_converged, numbers })
    }

    /// Bisects the intensity of a record until a damage state begins.
    fn ida(&self, sample: &SamplePlan, stop: &Arc<AtomicBool>) -> Result<Answered> {
        let (Some(spec), Some((record, _)), Some(motions)) = (&self.spec.ida, sample.motion, &self.spec.motions) else {
            return Err(EnsembleError::input("[ida] or [motions] is missing"));
        };
        let im = motions.im.as_deref().unwrap_or("pga");
        let mut not_converged = None;
        let mut fails = |level: f64| -> Result<bool> {
            let scale = self.records[record].scale_for(im, level);
            let scale = scale.ok_or_else(|| EnsembleError::input(format!("motions.im = \"{im}\" cannot be scaled")))?;
            let answered = self.run_at(sample, Some((record, scale)), stop, None)?;
            not_converged = not_converged.take().or(answered.not_converged);
            damaged(&self.spec.damage[&spec.damage], &answered.numbers)
                .ok_or_else(|| EnsembleError::input(format!("damage.{}: no such number in the answer", spec.damage)))
        };
        let [mut low, mut high] = spec.between;
        let mut numbers = Map::new();
        if fails(low)? {
            return Err(EnsembleError::input(format!("damaged at the smallest intensity {low}; lower ida.between")));
        }
        if fails(high)? {
            let width = spec.precision.unwrap_or(0.01) * high;
            while high - low > width {
                let middle = 0.5 * (low + high);
                if fails(middle)? { high = middle } else { low = middle }
            }
            numbers.insert("intensity".into(), json!(0.5 * (low + high)));
            numbers.insert("survived".into(), json!(0));
        } else {
            numbers.insert("survived".into(), json!(1));
            low = high;
        }
        numbers.insert("lower".into(), json!(low));
        numbers.insert("upper".into(), json!(high));
        Ok(Answered { not_converged, numbers })
    }
}

/// Whether a damage state is reached; `None` without its number.
fn damaged(damage: &DamageSpec, numbers: &Map<String, Value>) -> Option<bool> {
    let value = look(numbers, &damage.measure)?;
    let value = value.as_f64().or_else(|| value.as_bool().map(|b| f64::from(u8::from(b))))?;
    Some(damage.above.is_some_and(|limit| value > limit) || damage.below.is_some_and(|limit| value < limit))
}

/// A number of an answer by its path: the whole name, or steps between dots.
pub(super) fn look<'a>(numbers: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    if let Some(value) = numbers.get(path) {
        return Some(value);
    }
    let (first, rest) = path.split_once('.')?;
    let mut place = numbers.get(first)?;
    for step in rest.split('.') {
        place = match place {
            Value::Array(list) => list.get(step.parse::<usize>().ok()?)?,
            other => other.get(step)?,
        };
    }
    Some(place)
}

fn flat(answer: Value) -> Map<String, Value> {
    match answer {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn question(spec: &LimitSpec) -> Result<AnyQuestion> {
    match (&spec.load, &spec.acceleration, &spec.tilt) {
        (Some(name), None, None) => Ok(AnyQuestion::Named(name.clone())),
        (None, Some(way), None) => Ok(AnyQuestion::Acceleration(direction(way)?)),
        (None, None, Some(way)) => Ok(AnyQuestion::Tilt(direction(way)?)),
        _ => Err(EnsembleError::input("[limit] needs exactly one of `load`, `acceleration` and `tilt`")),
    }
}

fn search(spec: &FindSpec) -> Result<Search> {
    let find = match spec.find.as_str() {
        "smallest" => Find::Smallest,
        "largest" => Find::Largest,
        other => {
            return Err(EnsembleError::input(format!("find.find = \"{other}\": write \"smallest\" or \"largest\"")));
        }
    };
    let direction = spec.direction.as_deref().map(direction).transpose()?;
    let precision = spec.precision.unwrap_or(1e-5);
    Ok(Search { key: spec.key.clone(), find, between: spec.between, precision, direction })
}

/// Gravity in three components [m/s²].
fn gravity(model: &AnyModel) -> [f64; 3] {
    match model {
        AnyModel::Two(model) => model.gravity.to_3d(),
        AnyModel::Three(model) => model.gravity.to_3d(),
    }
}

/// Largest values of a run.
struct Peaks<'a> {
    cast: &'a Cast,
    start: &'a [BodySnapshot],
    gravity: [f64; 3],
    displacement: f64,
    peak: f64,
    speed: f64,
    residual: f64,
    steps: u64,
    converged: u64,
    last: Vec<f64>,
    largest: Vec<f64>,
}

impl<'a> Peaks<'a> {
    fn new(cast: &'a Cast, start: &'a [BodySnapshot], gravity: [f64; 3]) -> Self {
        Self {
            cast,
            start,
            gravity,
            displacement: 0.0,
            peak: 0.0,
            speed: 0.0,
            residual: 0.0,
            steps: 0,
            converged: 0,
            last: Vec::new(),
            largest: Vec::new(),
        }
    }

    /// Largest displacement of a free body relative to the supports, and its largest part along gravity.
    fn drift(&self, now: &[BodySnapshot]) -> [f64; 2] {
        let bodies = || self.cast.bodies.iter().zip(self.start).zip(now).filter(|(_, now)| !now.absent);
        let moved = |start: &BodySnapshot, now: &BodySnapshot| [0, 1, 2].map(|i| now.position[i] - start.position[i]);
        let supports: Vec<[f64; 3]> =
            bodies().filter(|((body, _), _)| body.support).map(|((_, start), now)| moved(start, now)).collect();
        let count = supports.len().max(1) as f64;
        let mean = [0, 1, 2].map(|i| supports.iter().map(|way| way[i]).sum::<f64>() / count);
        let size = self.gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
        let down = self.gravity.map(|g| if size > 0.0 { g / size } else { 0.0 });
        let mut largest = [0.0f64; 2];
        for ((_, start), now) in bodies().filter(|((body, _), _)| !body.support) {
            let way = moved(start, now);
            let way = [0, 1, 2].map(|i| way[i] - mean[i]);
            let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
            let drop = (0..3).map(|i| way[i] * down[i]).sum::<f64>();
            largest = [largest[0].max(length), largest[1].max(drop)];
        }
        largest
    }
}

impl Observer for Peaks<'_> {
    fn after_step(
        &mut self,
        analysis: &mut dyn Analysis,
        report: &mut StepReport,
        _: StepPlace,
    ) -> voussoir_run::Result<Flow> {
        self.displacement = self.displacement.max(report.displacement);
        self.speed = self.speed.max(report.speed);
        self.residual = self.residual.max(report.residual);
        self.steps += 1;
        self.converged += u64::from(report.converged);
        self.last.clone_from(&report.probes);
        self.largest.resize(report.probes.len(), 0.0);
        for (largest, value) in self.largest.iter_mut().zip(&report.probes) {
            *largest = largest.max(value.abs());
        }
        // every tenth step: drifts change little in ten steps
        if self.steps.is_multiple_of(10) {
            let now = analysis.snapshot().bodies;
            self.peak = self.peak.max(self.drift(&now)[0]);
        }
        Ok(Flow::Continue)
    }
}
