//! One structure: verdict, load factor, range of thrust, thrust lines.

use serde::Serialize;
use voussoir_geometry::{Space, Vector};

use crate::any::{AnyQuestion, AnyStructure};
use crate::conic::Engine;
use crate::direction::Direction;
use crate::equilibrium::Capacity;
use crate::error::StaticsError;
use crate::find::Found;
use crate::limit::{LimitAnswer, LimitSettings, LimitVerdict, limit};
use crate::line::{LineKind, ThrustLine};
use crate::loads::Question;
use crate::mechanism::Mechanism;
use crate::stand::{Certificate, StandAnswer, StandSettings, VerdictWord, stand};
use crate::structure::Structure;
use crate::thrust::{Extremes, ThrustRange};

/// Structures with more free bodies have no range of thrust unless it is requested: it costs two programs.
const SMALL_STRUCTURE: usize = 600;

/// Ranges are computed for all places if there are no more than these.
const FEW_PLACES: usize = 8;

/// Requested results besides the verdict.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// How the verdict is found.
    pub settings: StandSettings,
    /// A load whose largest multiplier counts as a margin.
    pub question: Option<AnyQuestion>,
    /// Whether the range of thrust is computed: yes, no, or only if it is cheap.
    pub thrust: Option<bool>,
    /// Place at which the thrust is measured, as numbered by [`Structure::places`]; default: the largest horizontal
    /// reaction.
    pub place: Option<usize>,
    /// Direction of thrusts; default: that of the horizontal reaction of each place.
    pub direction: Option<Direction>,
    /// Chains for thrust lines: name and bodies; empty: chains found automatically.
    pub chains: Vec<(String, Vec<usize>)>,
    /// Whether thrust lines are computed.
    pub lines: bool,
}

/// The JSON of `voussoir stand`.
#[derive(Clone, Debug, Serialize)]
pub struct StandReport {
    /// Verdict, margins, residual, mechanism.
    #[serde(flatten)]
    pub answer: StandAnswer,
    /// Range of the largest horizontal reaction, or of the requested one.
    pub thrust: Option<ThrustReport>,
    /// The same for every place where the structure rests on a support, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub thrusts: Vec<ThrustReport>,
    /// Largest multiplier of the requested load.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_factor: Option<LimitAnswer>,
    /// Result of a search; the other fields are the answer for its value.
    #[serde(flatten)]
    pub found: Option<Found>,
    /// Free bodies that no chain of contacts or cables connects to a support.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub floating: Vec<String>,
    /// Free bodies.
    pub blocks: usize,
    /// Contact points.
    pub contacts: usize,
    /// Computing time, the reading of the scene omitted \[s\].
    pub time_s: f64,
}

impl StandReport {
    /// For a structure that moves, or without further results.
    pub fn of_mechanism(mechanism: Option<Mechanism>) -> Self {
        let answer = StandAnswer {
            stands: None,
            verdict: VerdictWord::NotDecided,
            missing: String::new(),
            certificate: Certificate::None,
            margin: None,
            geometric_margin: None,
            friction_margin: None,
            margin_of: "found",
            residual: f64::NAN,
            imbalance: f64::NAN,
            weight_n: f64::NAN,
            support_reaction_n: f64::NAN,
            iterations: 0,
            mechanism,
            cables: Vec::new(),
            joints: Vec::new(),
        };
        Self {
            answer,
            thrust: None,
            thrusts: Vec::new(),
            load_factor: None,
            found: None,
            floating: Vec::new(),
            blocks: 0,
            contacts: 0,
            time_s: 0.0,
        }
    }
}

/// A reaction: as found and its range.
#[derive(Clone, Debug, Serialize)]
pub struct ThrustReport {
    /// The interval; its ends are `None` if they were not computed.
    #[serde(flatten)]
    pub range: ThrustRange,
    /// In the state that was found \[N\].
    pub found_n: f64,
}

/// A structure with its verdict and thrust lines.
#[derive(Clone, Debug)]
pub struct Study {
    /// With the forces found.
    pub structure: AnyStructure,
    /// Verdict, margins, range of thrust.
    pub report: StandReport,
    /// Thrust lines of all chains.
    pub lines: Vec<ThrustLine>,
    /// Time at which the loads are evaluated \[s\].
    pub time: f64,
}

/// Decides whether a structure stands, and computes the requested measures. The computing time is left to the caller.
pub fn study(structure: AnyStructure, wishes: &Wishes) -> Result<Study, StaticsError> {
    let time = wishes.settings.time;
    match structure {
        AnyStructure::Two(mut structure) => {
            let (report, lines) = examine(&mut structure, wishes)?;
            Ok(Study { structure: AnyStructure::Two(structure), report, lines, time })
        }
        AnyStructure::Three(mut structure) => {
            let (report, lines) = examine(&mut structure, wishes)?;
            Ok(Study { structure: AnyStructure::Three(structure), report, lines, time })
        }
    }
}

fn examine<S: Space>(
    structure: &mut Structure<S>,
    wishes: &Wishes,
) -> Result<(StandReport, Vec<ThrustLine>), StaticsError> {
    let settings = &wishes.settings;
    let question = wishes.question.as_ref().map(AnyQuestion::in_space::<S>).transpose()?;
    let mut answer = stand(structure, settings);
    let load_factor = load_factor(structure, question.as_ref(), settings)?;
    if let (Some(margin), Some(factor), Some(question)) = (answer.margin, &load_factor, &question)
        && let (LimitVerdict::Limit | LimitVerdict::Falls, Some(multiplier)) = (factor.verdict, factor.multiplier)
    {
        answer.margin = Some(margin.min(multiplier - question.present()));
    }
    let dead = structure.dead_load(settings.time, None);
    let (mut thrust, mut thrusts, mut lines) = (None, Vec::new(), Vec::new());
    if answer.certificate == Certificate::Forces {
        let (main, extremes);
        (thrusts, main, extremes) = thrust_ranges(structure, wishes, &dead)?;
        thrust = thrusts.get(main).cloned();
        if thrusts.len() < 2 {
            thrusts.clear();
        }
        if wishes.lines {
            lines = self::lines(structure, wishes, extremes.as_ref(), &dead)?;
        }
    }
    let report = StandReport {
        answer,
        thrust,
        thrusts,
        load_factor,
        found: None,
        floating: structure.floating().into_iter().map(|body| structure.name(body).to_owned()).collect(),
        blocks: structure.nodes(),
        contacts: structure.contacts.len(),
        time_s: 0.0,
    };
    Ok((report, lines))
}

/// Thrusts at all places with the index of the main one, and the extreme states of this one.
type Thrusts<S> = (Vec<ThrustReport>, usize, Option<Extremes<S>>);

/// The thrust at every place as found, and its range if requested or cheap.
fn thrust_ranges<S: Space>(
    structure: &Structure<S>,
    wishes: &Wishes,
    dead: &[f64],
) -> Result<Thrusts<S>, StaticsError> {
    let places = structure.places();
    let Some((largest, _)) = structure.main_thrust() else { return Ok((Vec::new(), 0, None)) };
    let main = wishes.place.unwrap_or_else(|| places.iter().position(|place| *place == largest).unwrap_or(0));
    let cheap = structure.nodes() <= SMALL_STRUCTURE && places.len() <= FEW_PLACES;
    let mut extremes = None;
    let mut thrusts = Vec::with_capacity(places.len());
    for (i, place) in places.iter().enumerate() {
        let direction = match &wishes.direction {
            Some(direction) => direction.vector::<S>()?,
            None => structure.main_direction(place),
        };
        let found_n = structure.reaction_at(place).dot(direction) / direction.length();
        let wanted = wishes.thrust.unwrap_or(structure.nodes() <= SMALL_STRUCTURE);
        if !wanted || !(i == main || cheap || wishes.thrust == Some(true)) {
            thrusts.push(ThrustReport { range: not_computed(&place.name, direction), found_n });
            continue;
        }
        let found = structure.thrust(place, direction, dead, &Capacity::default(), wishes.settings.engine)?;
        thrusts.push(ThrustReport { range: found.range.clone(), found_n });
        if i == main {
            extremes = Some(found);
        }
    }
    Ok((thrusts, main, extremes))
}

fn load_factor<S: Space>(
    structure: &Structure<S>,
    question: Option<&Question<S>>,
    settings: &StandSettings,
) -> Result<Option<LimitAnswer>, StaticsError> {
    let Some(question) = question else { return Ok(None) };
    let settings = LimitSettings { engine: settings.engine, time: settings.time, ..LimitSettings::default() };
    Ok(Some(limit(&mut structure.clone(), question, &settings)?))
}

fn not_computed<V: Vector>(at: &str, direction: V) -> ThrustRange {
    ThrustRange {
        min_n: None,
        max_n: None,
        at: at.to_owned(),
        direction: direction.to_3d(),
        unbounded: false,
        gap_n: 0.0,
    }
}

/// Found, smallest, largest and funicular line of every chain.
fn lines<S: Space>(
    structure: &Structure<S>,
    wishes: &Wishes,
    extremes: Option<&Extremes<S>>,
    dead: &[f64],
) -> Result<Vec<ThrustLine>, StaticsError> {
    let mut chains = Vec::new();
    for (name, bodies) in &wishes.chains {
        chains.push(structure.chain_of(name, bodies).ok_or_else(|| StaticsError::Number {
            what: format!("the chain \"{name}\""),
            reason: "neither the contacts nor the numbers of its bodies define an order".to_owned(),
        })?);
    }
    if wishes.chains.is_empty() {
        chains = structure.chains();
    }
    let mut lines = Vec::new();
    for chain in &chains {
        let found = structure.line(chain, LineKind::Found, &structure.contacts);
        let funicular = structure.funicular(chain, &found, dead);
        lines.push(found);
        for (kind, state) in [
            (LineKind::Minimum, extremes.and_then(|extremes| extremes.smallest.as_ref())),
            (LineKind::Maximum, extremes.and_then(|extremes| extremes.largest.as_ref())),
        ] {
            lines.extend(state.map(|contacts| structure.line(chain, kind, contacts)));
        }
        lines.extend(funicular);
    }
    Ok(lines)
}

/// Settings for an engine.
pub fn with_engine(engine: Engine, time: f64) -> StandSettings {
    StandSettings { engine, time, ..StandSettings::default() }
}
