//! The static studies of a scene: verdict, largest load, motion beyond the limit load.

use std::path::Path;

use serde::Serialize;
use voussoir_mechanics::{AnyModel, AnyState};
use voussoir_model::build::check::SceneCheck;
use voussoir_model::build::select::Register;
use voussoir_model::place::Place;
use voussoir_model::scene::actions::{Select, Selection};
use voussoir_statics::any::{FollowedCurve, follow_load, follow_settlement};
use voussoir_statics::envelope::Envelope;
use voussoir_statics::find::Found;
use voussoir_statics::granular::carrying;
use voussoir_statics::limit::{LimitAnswer, LimitSettings, LimitVerdict};
use voussoir_statics::pushover::{Curve, CurveEnd, PushoverSettings};
use voussoir_statics::stand::StandSettings;
use voussoir_statics::study::{Study, Wishes, study};
use voussoir_statics::{AnyQuestion, AnyStructure, Direction};

use super::search::{Search, Varied};
use crate::error::{Result, RunError};
use crate::scene_file::SceneFile;

/// A clock [s] for the computing times in answers.
pub type Clock = fn() -> f64;

/// Request of `stand`.
#[derive(Clone, Debug, Default)]
pub struct StandRequest {
    /// How the verdict is found.
    pub settings: StandSettings,
    /// A load whose largest multiplier counts as a margin.
    pub question: Option<AnyQuestion>,
    /// Whether the range of thrust is computed: yes, no, or only if it is cheap.
    pub thrust: Option<bool>,
    /// Name of the place or support at which the thrust is measured; default: the one with the largest horizontal
    /// reaction.
    pub support: Option<String>,
    /// Direction of the thrust.
    pub direction: Option<Direction>,
    /// Selections of bodies for thrust lines.
    pub chains: Vec<String>,
    /// Whether thrust lines are computed.
    pub lines: bool,
    /// A parameter whose limiting value is searched first.
    pub search: Option<Search>,
}

/// Decides whether a scene stands; returns the study and the text of its scene. `base` is the folder of the
/// scene's meshes.
pub fn stand(file: &SceneFile, base: &Path, request: &StandRequest, clock: Clock) -> Result<(Study, String)> {
    let model = file.built.finished();
    let (found, structure, text) = match &request.search {
        None => (None, AnyStructure::new(&model)?, file.scene.source.text.to_string()),
        Some(search) => {
            let varied = Varied::new(file, base, search);
            let judge = |structure: &mut AnyStructure| Ok(structure.decide(&request.settings).stands());
            let (found, structure, text) = search.run(&varied, judge)?;
            (Some(found), structure, text)
        }
    };
    let start = clock();
    let mut study = study(structure.clone(), &wishes(file, &structure, request)?)?;
    study.report.found = found;
    study.report.time_s = clock() - start;
    Ok((study, text))
}

fn wishes(file: &SceneFile, structure: &AnyStructure, request: &StandRequest) -> Result<Wishes> {
    let place = request.support.as_ref().map(|name| structure.place_named(name)).transpose()?;
    let chains = request.chains.iter().map(|text| Ok((text.clone(), chosen(file, structure, text)?)));
    Ok(Wishes {
        settings: request.settings.clone(),
        question: request.question.clone(),
        thrust: request.thrust,
        place,
        direction: request.direction.clone().filter(|_| request.search.is_none() || request.support.is_some()),
        chains: chains.collect::<Result<Vec<_>>>()?,
        lines: request.lines,
    })
}

/// Index of a body by name.
fn body(structure: &AnyStructure, name: &str) -> Result<usize> {
    structure.body_named(name).ok_or_else(|| unknown_body(name, &structure.body_names()))
}

fn unknown_body(name: &str, names: &[&str]) -> RunError {
    let known = &names[..names.len().min(2000)];
    let help = voussoir_model::suggest::help("bodies", name, known);
    RunError::input(format!("there is no body \"{name}\"")).with_help(help)
}

/// Bodies of a structure that a selection finds.
fn chosen(file: &SceneFile, structure: &AnyStructure, text: &str) -> Result<Vec<usize>> {
    let check = SceneCheck { source: &file.scene.source, origin: structure.origin() };
    let selection = Selection::One(Select::Named(text.to_owned()));
    let found = match structure {
        AnyStructure::Two(structure) => {
            Register::new(&file.scene, &structure.model.bodies).find(&check, &Place::ROOT, &selection)
        }
        AnyStructure::Three(structure) => {
            Register::new(&file.scene, &structure.model.bodies).find(&check, &Place::ROOT, &selection)
        }
    };
    found.map_err(|error| RunError::Input { message: format!("--chain {text}: {}", error.message), help: error.help })
}

/// A cable between the centroids of two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Tie {
    /// Names of the bodies.
    pub bodies: [String; 2],
    /// Strength [N].
    pub strength: f64,
}

/// Request of `limit`.
#[derive(Clone, Debug)]
pub struct LimitRequest {
    /// Load whose collapse multiplier is computed.
    pub question: AnyQuestion,
    /// Law, strengths, engine, time.
    pub settings: LimitSettings,
    /// Additional cables.
    pub ties: Vec<Tie>,
    /// A parameter whose limiting value is searched first, and the multiplier that it must reach.
    pub search: Option<(Search, f64)>,
    /// A state of the scene, whose contacts that carry force are used; `None`: the structure as drawn.
    pub state: Option<AnyState>,
}

/// The JSON of `voussoir limit`.
#[derive(Clone, Debug, Serialize)]
pub struct LimitReport {
    /// Multiplier, upper value, gap, mechanism.
    #[serde(flatten)]
    pub answer: LimitAnswer,
    /// Outcome of a search; the rest is the answer for its value.
    #[serde(flatten)]
    pub found: Option<Found>,
    /// Free bodies.
    pub blocks: usize,
    /// Contact points.
    pub contacts: usize,
    /// Bodies of a state that carry nothing and were left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rattlers: Option<usize>,
    /// Computing time without reading the scene [s].
    pub time_s: f64,
}

/// Finds the largest multiplier of a load; the structure keeps the forces at the limit.
pub fn limit(
    file: &SceneFile,
    base: &Path,
    request: &LimitRequest,
    clock: Clock,
) -> Result<(LimitReport, AnyStructure)> {
    let start = clock();
    let add_ties = |structure: &mut AnyStructure| -> Result<()> {
        for Tie { bodies: [a, b], strength } in &request.ties {
            let bodies = [body(structure, a)?, body(structure, b)?];
            structure.tie(bodies, &format!("{a} – {b}"), *strength)?;
        }
        Ok(())
    };
    let mut rattlers = None;
    let (found, mut structure) = match (&request.search, &request.state) {
        (_, Some(state)) => {
            let carrying = carrying(&file.built.model, state)?;
            rattlers = Some(carrying.rattlers);
            (None, carrying.structure)
        }
        (None, None) => (None, AnyStructure::for_limits(&file.built.finished())?),
        (Some((search, at_least)), None) => {
            let varied = Varied::new(file, base, search);
            let (found, structure, _) = search.run(&varied, |structure| {
                add_ties(structure)?;
                let answer = structure.limit(&request.question, &request.settings)?;
                Ok(reaches(&answer, *at_least))
            })?;
            (Some(found), structure)
        }
    };
    add_ties(&mut structure)?;
    let answer = structure.limit(&request.question, &request.settings)?;
    let (blocks, contacts) = (structure.nodes(), structure.contacts());
    Ok((LimitReport { answer, found, blocks, contacts, rattlers, time_s: clock() - start }, structure))
}

/// The JSON of `voussoir limit --train`.
#[derive(Clone, Debug, Serialize)]
pub struct EnvelopeReport {
    /// All positions, the worst of them and its mechanism.
    #[serde(flatten)]
    pub envelope: Envelope,
    /// Distance between positions of the grid [m].
    pub step_m: f64,
    /// Free bodies.
    pub blocks: usize,
    /// Contact points.
    pub contacts: usize,
    /// Computing time without reading the scene [s].
    pub time_s: f64,
}

/// Finds the multiplier of a train at all positions; the structure keeps the forces at the worst one.
pub fn envelope(
    file: &SceneFile,
    train: &str,
    step_m: f64,
    settings: &LimitSettings,
    clock: Clock,
) -> Result<(EnvelopeReport, AnyStructure)> {
    let start = clock();
    let mut structure = AnyStructure::for_limits(&file.built.finished())?;
    let envelope = structure.envelope(train, step_m, settings)?;
    let (blocks, contacts) = (structure.nodes(), structure.contacts());
    Ok((EnvelopeReport { envelope, step_m, blocks, contacts, time_s: clock() - start }, structure))
}

/// True if a load can be multiplied by `least`, false if not, `None` if undecided.
fn reaches(answer: &LimitAnswer, least: f64) -> Option<bool> {
    match (answer.verdict, answer.multiplier) {
        (LimitVerdict::Unbounded, _) => Some(true),
        (LimitVerdict::Falls, None) => Some(false),
        (LimitVerdict::Undecided, _) | (_, None) => None,
        (_, Some(lower)) => Some(lower >= least),
    }
}

/// Index of a support by name.
fn support(model: &AnyModel, name: &str) -> Result<usize> {
    model.body_named(name).ok_or_else(|| unknown_body(name, &model.body_names()))
}

/// Finds the settlement of a support at collapse, as a multiplier of a settlement of 1 m.
pub fn settlement_limit(
    file: &SceneFile,
    name: &str,
    direction: Option<&Direction>,
    settings: &PushoverSettings,
    clock: Clock,
) -> Result<LimitReport> {
    let start = clock();
    let model = file.built.finished();
    let curve = follow_settlement(&model, support(&model, name)?, direction, settings)?.curve;
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
        associated_bound: None,
        last_passes: None,
        friction_excess: 0.0,
        proved: limited,
        associated: settings.associated,
        engine: settings.engine,
        imbalance: 0.0,
        not_accelerated: Vec::new(),
        mechanism: None,
    };
    let time_s = clock() - start;
    Ok(LimitReport { answer, found: None, blocks: model.free_bodies(), contacts: 0, rattlers: None, time_s })
}

/// Load or settlement of a pushover.
#[derive(Clone, Debug)]
pub enum Pushed {
    /// A growing load.
    Load(AnyQuestion),
    /// A support that settles, by name, and its direction (default: down).
    Settlement(String, Option<Direction>),
}

/// The JSON of `voussoir pushover`.
#[derive(Clone, Debug, Serialize)]
pub struct PushoverReport {
    /// Name of the load.
    pub load: String,
    /// The curve.
    #[serde(flatten)]
    pub curve: Curve,
    /// Computing time without reading the scene [s].
    pub time_s: f64,
}

/// Follows the load–displacement curve of a scene.
pub fn pushover(
    file: &SceneFile,
    pushed: &Pushed,
    settings: &PushoverSettings,
    clock: Clock,
) -> Result<(PushoverReport, FollowedCurve)> {
    let start = clock();
    if let Some(step) = settings.step.filter(|step| !(*step > 0.0 && step.is_finite())) {
        return Err(RunError::input(format!("--step {step}: must be above zero")));
    }
    let model = file.built.finished();
    let (followed, load) = match pushed {
        Pushed::Load(question) => (follow_load(&model, question, settings)?, question.name()),
        Pushed::Settlement(name, direction) => (
            follow_settlement(&model, support(&model, name)?, direction.as_ref(), settings)?,
            format!("settlement of {name}"),
        ),
    };
    Ok((PushoverReport { load, curve: followed.curve.clone(), time_s: clock() - start }, followed))
}
