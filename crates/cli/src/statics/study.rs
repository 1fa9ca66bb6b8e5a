//! One structure: verdict, load factor, range of thrust, thrust lines.

use std::time::Instant;

use serde::Serialize;
use voussoir_geometry::{Space, Vector};
use voussoir_statics::conic::Engine;
use voussoir_statics::equilibrium::Capacity;
use voussoir_statics::find::Found;
use voussoir_statics::limit::{LimitAnswer, LimitSettings, LimitVerdict, limit};
use voussoir_statics::line::{LineKind, ThrustLine};
use voussoir_statics::loads::Question;
use voussoir_statics::mechanism::Mechanism;
use voussoir_statics::stand::{Certificate, StandAnswer, StandSettings, stand};
use voussoir_statics::thrust::{Extremes, ThrustRange};
use voussoir_statics::{StaticsError, Structure};

/// Structures with more free bodies have no range of thrust unless it is asked for: it costs two programs.
const SMALL: usize = 600;

/// What is wanted besides the verdict.
#[derive(Clone, Debug)]
pub struct Wishes<S: Space> {
    /// How the verdict is found.
    pub settings: StandSettings,
    /// A load whose largest multiplier counts as a margin.
    pub question: Option<Question<S>>,
    /// The range of thrust: yes, no, or where it is cheap.
    pub thrust: Option<bool>,
    /// Support and direction of the thrust; default: the largest horizontal reaction.
    pub support: Option<(usize, Option<S::Vector>)>,
    /// Chains for thrust lines: name and bodies; empty: those that can be seen.
    pub chains: Vec<(String, Vec<usize>)>,
    /// Thrust lines are wanted.
    pub lines: bool,
}

impl<S: Space> Default for Wishes<S> {
    fn default() -> Self {
        Self {
            settings: StandSettings::default(),
            question: None,
            thrust: None,
            support: None,
            chains: Vec::new(),
            lines: false,
        }
    }
}

/// The JSON of `voussoir stand`.
#[derive(Clone, Debug, Serialize)]
pub struct StandReport {
    /// Verdict, margins, residual, mechanism.
    #[serde(flatten)]
    pub answer: StandAnswer,
    /// Range of the largest horizontal reaction, or of the one that was asked for.
    pub thrust: Option<ThrustReport>,
    /// Largest multiplier of the load that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_factor: Option<LimitAnswer>,
    /// What a search found; the rest is the answer for its value.
    #[serde(flatten)]
    pub found: Option<Found>,
    /// Free bodies.
    pub blocks: usize,
    /// Contact points.
    pub contacts: usize,
    /// Computing time, the reading of the scene left out \[s\].
    pub time_s: f64,
}

impl StandReport {
    /// Of a structure that moves, or of which nothing else is known.
    pub fn of_mechanism(mechanism: Option<Mechanism>) -> Self {
        let answer = StandAnswer {
            stands: None,
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
        Self { answer, thrust: None, load_factor: None, found: None, blocks: 0, contacts: 0, time_s: 0.0 }
    }
}

/// A reaction: as found and its range.
#[derive(Clone, Debug, Serialize)]
pub struct ThrustReport {
    /// The interval; its ends are none where they were not computed.
    #[serde(flatten)]
    pub range: ThrustRange,
    /// In the state that was found \[N\].
    pub found_n: f64,
}

/// A structure that was looked at.
#[derive(Clone, Debug)]
pub struct Study<S: Space> {
    /// With the forces found.
    pub structure: Structure<S>,
    /// What is said about it.
    pub report: StandReport,
    /// Thrust lines of all chains.
    pub lines: Vec<ThrustLine>,
}

/// Looks at a structure.
pub fn study<S: Space>(mut structure: Structure<S>, wishes: &Wishes<S>) -> Result<Study<S>, StaticsError> {
    let clock = Instant::now();
    let settings = &wishes.settings;
    let mut answer = stand(&mut structure, settings);
    let load_factor = load_factor(&structure, wishes)?;
    if let (Some(margin), Some(factor), Some(question)) = (answer.margin, &load_factor, &wishes.question)
        && let (LimitVerdict::Limit | LimitVerdict::Falls, Some(multiplier)) = (factor.verdict, factor.multiplier)
    {
        answer.margin = Some(margin.min(multiplier - question.present()));
    }
    let dead = structure.dead_load(settings.time, None);
    let mut thrust = None;
    let mut extremes = None;
    if answer.stands == Some(true) {
        let main = match wishes.support {
            Some((support, Some(direction))) => Some((support, direction)),
            Some((support, None)) => Some((support, structure.main_direction(support))),
            None => structure.main_thrust(),
        };
        if let Some((support, direction)) = main {
            let wanted = wishes.thrust.unwrap_or(structure.nodes() <= SMALL);
            let found_n = structure.reaction(support).dot(direction) / direction.length();
            let range = if wanted {
                let found = structure.thrust(support, direction, &dead, &Capacity::default(), settings.engine)?;
                let range = found.range.clone();
                extremes = Some(found);
                range
            } else {
                not_computed(&structure, support, direction)
            };
            thrust = Some(ThrustReport { range, found_n });
        }
    }
    let lines = if wishes.lines && answer.stands == Some(true) {
        lines(&structure, wishes, extremes.as_ref(), &dead)?
    } else {
        Vec::new()
    };
    let report = StandReport {
        answer,
        thrust,
        load_factor,
        found: None,
        blocks: structure.nodes(),
        contacts: structure.contacts.len(),
        time_s: clock.elapsed().as_secs_f64(),
    };
    Ok(Study { structure, report, lines })
}

fn load_factor<S: Space>(structure: &Structure<S>, wishes: &Wishes<S>) -> Result<Option<LimitAnswer>, StaticsError> {
    let Some(question) = &wishes.question else { return Ok(None) };
    let Wishes { settings, .. } = wishes;
    let settings = LimitSettings { engine: settings.engine, time: settings.time, ..LimitSettings::default() };
    Ok(Some(limit(&mut structure.clone(), question, &settings)?))
}

fn not_computed<S: Space>(structure: &Structure<S>, support: usize, direction: S::Vector) -> ThrustRange {
    ThrustRange {
        min_n: None,
        max_n: None,
        at: structure.name(support).to_owned(),
        direction: direction.to_3d(),
        unbounded: false,
        gap_n: 0.0,
    }
}

/// Found, smallest, largest and funicular line of every chain.
fn lines<S: Space>(
    structure: &Structure<S>,
    wishes: &Wishes<S>,
    extremes: Option<&Extremes<S>>,
    dead: &[f64],
) -> Result<Vec<ThrustLine>, StaticsError> {
    let mut chains = Vec::new();
    for (name, bodies) in &wishes.chains {
        chains.push(structure.chain_of(name, bodies).ok_or_else(|| StaticsError::Number {
            what: format!("the chain \"{name}\""),
            reason: "its bodies touch in no order, and their numbers give none".to_owned(),
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
