//! Static questions of validation cases: verdict, largest load, limiting value.
//!
//! A run with `ask` is not simulated; its checks compare the result. Searches can also use the dynamic analysis, to
//! compare both: the stages of the scene are run until a displacement reaches `falls_at`.

use serde::Deserialize;
use voussoir_mechanics::AnyModel;
use voussoir_model::Built;
use voussoir_statics::equilibrium::Capacity;
use voussoir_statics::find::{Find, Found, find};
use voussoir_statics::limit::{LimitAnswer, LimitSettings, LimitVerdict};
use voussoir_statics::mechanism::Mechanism;
use voussoir_statics::stand::{Certificate, StandSettings};
use voussoir_statics::thrust::ThrustRange;
use voussoir_statics::{AnyQuestion, AnyStructure, Direction, StaticsError};

use super::case::{CaseCheck, ObservedQuantity};
use super::sample;
use super::simulate::stays;
use super::take::ComparedValue;
use super::values::{Number, Scope};

/// Largest imbalance of forces that are accepted as a certificate, relative to the loads.
const IMBALANCE: f64 = 1e-8;
/// Largest accepted relative gap between lower and upper value.
const GAP: f64 = 1e-6;

/// A question of static analysis.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// Which question.
    pub kind: QuestionKind,
    /// A load of the scene, by name.
    #[serde(default)]
    pub load: Option<String>,
    /// Every block is loaded in this direction by λ times its weight.
    #[serde(default)]
    pub acceleration: Option<Vec<f64>>,
    /// The ground is tilted towards this direction until tan(angle) = λ.
    #[serde(default)]
    pub tilt: Option<Vec<f64>>,
    /// Joints that slide open (default), or do not.
    #[serde(default = "yes")]
    pub associated: bool,
    /// Cohesion of the joints [Pa].
    #[serde(default)]
    pub cohesion: Option<Number>,
    /// Compressive strength of the joints [Pa].
    #[serde(default)]
    pub compression: Option<Number>,
    /// Searches: the value of the case that is varied; without it, the multiplier of the load.
    #[serde(default)]
    pub value: Option<String>,
    /// Searches: the interval.
    #[serde(default)]
    pub between: Vec<Number>,
    /// Searches: precision, relative to the larger end.
    #[serde(default = "fine")]
    pub precision: f64,
    /// Searches: the method that decides whether a structure stands.
    #[serde(default)]
    pub by: By,
    /// Searches by dynamics: a displacement beyond this is a fall [m].
    #[serde(default)]
    pub falls_at: Option<Number>,
    /// Support at which the thrust is measured; default: the one with the largest.
    #[serde(default)]
    pub support: Option<String>,
    /// Direction of that thrust; default: that of the support reaction.
    #[serde(default)]
    pub direction: Option<Vec<f64>>,
}

fn yes() -> bool {
    true
}

fn fine() -> f64 {
    1e-5
}

/// Kinds of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionKind {
    /// Verdict, margins, thrust, mechanism.
    Stand,
    /// The largest multiplier of a load.
    Limit,
    /// The smallest value that stands.
    Smallest,
    /// The largest value that stands.
    Largest,
    /// The multiplier of a load by four methods: limit analysis with and without dilatancy, bisection by certificates
    /// and by dynamics.
    Agree,
    /// A test on a sample of grains, for several packings.
    Sample,
}

/// The method that decides whether a structure stands in a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// By certificates.
    #[default]
    Static,
    /// By running the stages of the scene.
    Dynamic,
}

/// Quantities that only answers have.
pub fn is_asked(quantity: ObservedQuantity) -> bool {
    matches!(
        quantity,
        ObservedQuantity::Stands
            | ObservedQuantity::Multiplier
            | ObservedQuantity::Value
            | ObservedQuantity::SmallestThrust
            | ObservedQuantity::LargestThrust
            | ObservedQuantity::SupportReaction
            | ObservedQuantity::Margin
            | ObservedQuantity::CableForce
            | ObservedQuantity::Hinges
            | ObservedQuantity::SlidingJoints
            | ObservedQuantity::HingeAngle
            | ObservedQuantity::StaticRatio
            | ObservedQuantity::NonAssociatedRatio
            | ObservedQuantity::DynamicRatio
            | ObservedQuantity::Median
    )
}

/// Answers for the checks of a run.
pub struct Answered {
    /// One result per check.
    pub outcomes: Vec<Result<ComparedValue, String>>,
    /// Quality of the certificates: largest measure over tolerance.
    pub certificate: f64,
}

/// Builds the scene of a run with some value replaced.
pub type Builder<'a> = dyn Fn(&Scope) -> Result<Built, String> + 'a;

/// Answers the checks of a run.
pub fn answer(ask: &Ask, checks: &[&CaseCheck], scope: &Scope, build: &Builder<'_>) -> Result<Answered, String> {
    // as in the commands: without the bodies that stages remove
    let model = build(scope)?.finished();
    let question = question(ask)?;
    match ask.kind {
        QuestionKind::Stand => stands(ask, checks, &model),
        QuestionKind::Limit => {
            let question = question.ok_or("a limit needs `load`, `acceleration` or `tilt`")?;
            limits(ask, checks, scope, &model, &question)
        }
        QuestionKind::Agree => {
            let question = question.ok_or("agreement is about `load`, `acceleration` or `tilt`")?;
            agree(ask, checks, scope, &model, &question, build)
        }
        QuestionKind::Smallest | QuestionKind::Largest => {
            let search = Search { ask, scope, model: &model, question, build };
            search.answer(checks)
        }
        QuestionKind::Sample => sample::answer(ask, checks, scope, build),
    }
}

fn question(ask: &Ask) -> Result<Option<AnyQuestion>, String> {
    let direction = |numbers: &Vec<f64>| Direction::Vector(numbers.clone());
    Ok(match (&ask.load, &ask.acceleration, &ask.tilt) {
        (Some(name), None, None) => Some(AnyQuestion::Named(name.clone())),
        (None, Some(numbers), None) => Some(AnyQuestion::Acceleration(direction(numbers))),
        (None, None, Some(numbers)) => Some(AnyQuestion::Tilt(direction(numbers))),
        (None, None, None) => None,
        _ => return Err("`load`, `acceleration` and `tilt` exclude each other".to_owned()),
    })
}

fn words(error: StaticsError) -> String {
    error.to_string()
}

/// Value of a mechanism for a check.
fn of_mechanism(check: &CaseCheck, mechanism: Option<&Mechanism>, up: usize) -> Result<ComparedValue, String> {
    let mechanism = mechanism.ok_or("there is no mechanism")?;
    Ok(ComparedValue::Number(match check.quantity {
        ObservedQuantity::Hinges => mechanism.hinges.len() as f64,
        ObservedQuantity::SlidingJoints => mechanism.sliding.len() as f64,
        ObservedQuantity::HingeAngle => {
            // sorted by the angle from the vertical through the origin, right side only
            let mut angles: Vec<f64> =
                mechanism.hinges.iter().map(|hinge| f64::atan2(hinge.at[0], hinge.at[up]).to_degrees()).collect();
            angles.retain(|angle| *angle > -1e-6);
            angles.sort_by(f64::total_cmp);
            let nth = check.nth.unwrap_or(1);
            *angles.get(nth - 1).ok_or_else(|| format!("there are {} hinges on the right side", angles.len()))?
        }
        _ => return Err("this answer has no such quantity".to_owned()),
    }))
}

fn stands(ask: &Ask, checks: &[&CaseCheck], model: &AnyModel) -> Result<Answered, String> {
    let mut structure = AnyStructure::new(model).map_err(words)?;
    let margins = checks.iter().any(|check| check.quantity == ObservedQuantity::Margin);
    let settings = StandSettings { best_margins: Some(margins), ..StandSettings::default() };
    let report = structure.stand(&settings);
    let in_equilibrium = report.certificate == Certificate::Forces;
    let mut certificate = if in_equilibrium { report.imbalance / IMBALANCE } else { 0.0 };
    let wants_thrust = checks
        .iter()
        .any(|check| matches!(check.quantity, ObservedQuantity::SmallestThrust | ObservedQuantity::LargestThrust));
    let thrust = if wants_thrust && in_equilibrium { Some(thrust(ask, &structure)?) } else { None };
    if let Some(range) = &thrust {
        certificate = certificate.max(range.gap_n / (GAP * report.weight_n));
    }
    let number = |value: Option<f64>, reason: &str| value.map(ComparedValue::Number).ok_or_else(|| reason.to_owned());
    let outcome = |check: &&CaseCheck| match check.quantity {
        ObservedQuantity::Stands => {
            report.stands.map(ComparedValue::Stands).ok_or_else(|| "not decided to tolerance".to_owned())
        }
        ObservedQuantity::Margin => number(report.margin, "it does not stand"),
        ObservedQuantity::SupportReaction => Ok(ComparedValue::Number(report.support_reaction_n)),
        ObservedQuantity::CableForce => {
            let cable = report.cables.iter().find(|cable| Some(&cable.name) == check.cable.as_ref());
            number(cable.map(|cable| cable.tension_n), "there is no such `cable`")
        }
        ObservedQuantity::SmallestThrust => {
            number(thrust.as_ref().and_then(|range| range.min_n), "there is no smallest thrust")
        }
        ObservedQuantity::LargestThrust => match &thrust {
            // a thrust without bound is infinite
            Some(ThrustRange { max_n: None, unbounded: true, .. }) => Ok(ComparedValue::Number(f64::INFINITY)),
            other => number(other.as_ref().and_then(|range| range.max_n), "there is no largest thrust"),
        },
        _ => of_mechanism(check, report.mechanism.as_ref(), model.dimension() - 1),
    };
    Ok(Answered { outcomes: checks.iter().map(outcome).collect(), certificate })
}

fn thrust(ask: &Ask, structure: &AnyStructure) -> Result<ThrustRange, String> {
    let support = match &ask.support {
        Some(name) => Some(structure.place_named(name).map_err(words)?),
        None => None,
    };
    let direction = ask.direction.as_ref().map(|numbers| Direction::Vector(numbers.clone()));
    let range = structure.thrust(support, direction.as_ref()).map_err(words)?;
    range.ok_or_else(|| "there is no such support".to_owned())
}

fn limits(
    ask: &Ask,
    checks: &[&CaseCheck],
    scope: &Scope,
    model: &AnyModel,
    question: &AnyQuestion,
) -> Result<Answered, String> {
    let value = |number: &Option<Number>| number.as_ref().map(|number| scope.value(number)).transpose();
    let capacity = Capacity {
        cohesion: value(&ask.cohesion)?.unwrap_or(0.0),
        compression: value(&ask.compression)?,
        tension: 0.0,
    };
    let settings = LimitSettings { associated: ask.associated, capacity, ..LimitSettings::default() };
    let mut structure = AnyStructure::for_limits(model).map_err(words)?;
    let found = structure.limit(question, &settings).map_err(words)?;
    let certificate = match (found.associated, found.gap, found.multiplier) {
        (true, Some(gap), Some(multiplier)) => gap.abs() / (GAP * multiplier.abs().max(1.0)),
        _ => 0.0,
    };
    let mut outcomes = Vec::new();
    for check in checks {
        outcomes.push(match check.quantity {
            ObservedQuantity::Multiplier => multiplier(&found),
            ObservedQuantity::Stands => {
                let factor = check.at.as_ref().map_or(Ok(1.0), |at| scope.value(at))?;
                found.multiplier.ok_or_else(|| "there is no multiplier".to_owned()).and_then(|multiplier| {
                    let mut structure = AnyStructure::new(model).map_err(words)?;
                    let settings = StandSettings::default();
                    let verdict = structure.decide_under(question, factor * multiplier, &settings).map_err(words)?;
                    verdict.stands().map(ComparedValue::Stands).ok_or_else(|| "not decided to tolerance".to_owned())
                })
            }
            _ => of_mechanism(check, found.mechanism.as_ref(), model.dimension() - 1),
        });
    }
    Ok(Answered { outcomes, certificate })
}

fn multiplier(answer: &LimitAnswer) -> Result<ComparedValue, String> {
    match (answer.verdict, answer.multiplier) {
        (LimitVerdict::Limit | LimitVerdict::Falls, Some(multiplier)) => Ok(ComparedValue::Number(multiplier)),
        (LimitVerdict::Unbounded, _) => Ok(ComparedValue::Number(f64::INFINITY)),
        (LimitVerdict::Falls, None) => Err("the fixed loads alone cause collapse".to_owned()),
        _ => Err("not decided to tolerance".to_owned()),
    }
}

/// Start interval of searches for a multiplier, relative to the one of limit analysis.
const AROUND: [f64; 2] = [0.7, 1.15];

/// The same multiplier by four methods.
fn agree(
    ask: &Ask,
    checks: &[&CaseCheck],
    scope: &Scope,
    model: &AnyModel,
    question: &AnyQuestion,
    build: &Builder<'_>,
) -> Result<Answered, String> {
    let mut answered = limits(ask, checks, scope, model, question)?;
    let limit_of = |associated: bool| {
        let settings = LimitSettings { associated, ..LimitSettings::default() };
        let mut structure = AnyStructure::new(model).map_err(words)?;
        let found = structure.limit(question, &settings).map_err(words)?;
        match (found.verdict, found.multiplier) {
            (LimitVerdict::Limit, Some(multiplier)) => Ok(multiplier),
            (verdict, _) => Err(format!("{verdict:?} after {} passes", found.passes)),
        }
    };
    let reference = limit_of(true)?;
    let searched = |by: By, precision: f64| {
        let between = AROUND.map(|factor| Number::Plain(factor * reference)).to_vec();
        let ask = Ask { kind: QuestionKind::Largest, value: None, between, by, precision, ..ask.clone() };
        let search = Search { ask: &ask, scope, model, question: Some(question.clone()), build };
        search.found().and_then(|found| found.value.ok_or_else(|| "none stands".to_owned()))
    };
    for (check, outcome) in checks.iter().zip(&mut answered.outcomes) {
        let ratio = |value: Result<f64, String>| value.map(|value| ComparedValue::Number(value / reference));
        match check.quantity {
            ObservedQuantity::StaticRatio => *outcome = ratio(searched(By::Static, 1e-5)),
            ObservedQuantity::NonAssociatedRatio => *outcome = ratio(limit_of(false)),
            ObservedQuantity::DynamicRatio => *outcome = ratio(searched(By::Dynamic, 4e-3)),
            _ => {}
        }
    }
    Ok(answered)
}

/// A search for the limiting value of a parameter.
struct Search<'a> {
    ask: &'a Ask,
    scope: &'a Scope,
    model: &'a AnyModel,
    question: Option<AnyQuestion>,
    build: &'a Builder<'a>,
}

impl Search<'_> {
    fn between(&self) -> Result<[f64; 2], String> {
        let [low, high] = &self.ask.between[..] else {
            return Err("a search needs `between = [low, high]`".to_owned());
        };
        Ok([self.scope.value(low)?, self.scope.value(high)?])
    }

    fn found(&self) -> Result<Found, String> {
        let end = if self.ask.kind == QuestionKind::Smallest { Find::Smallest } else { Find::Largest };
        find(end, self.between()?, self.ask.precision, |value| self.stands(value))
    }

    fn answer(&self, checks: &[&CaseCheck]) -> Result<Answered, String> {
        let (between, found) = (self.between()?, self.found()?);
        let mut outcomes = Vec::new();
        for check in checks {
            outcomes.push(match (check.quantity, found.value, found.outcome) {
                (ObservedQuantity::Value, Some(value), "found") => Ok(ComparedValue::Number(value)),
                // no equilibrium anywhere is an answer too
                (ObservedQuantity::Stands, None, _) => Ok(ComparedValue::Stands(false)),
                (ObservedQuantity::Stands, Some(value), _) => {
                    let factor = check.at.as_ref().map_or(Ok(1.0), |at| self.scope.value(at))?;
                    self.stands(factor * value)?
                        .map(ComparedValue::Stands)
                        .ok_or_else(|| "not decided to tolerance".to_owned())
                }
                (ObservedQuantity::Value, _, outcome) => {
                    Err(format!("{outcome} between {} and {}", between[0], between[1]))
                }
                _ => Err("a search has the quantities `value` and `stands`".to_owned()),
            });
        }
        Ok(Answered { outcomes, certificate: 0.0 })
    }

    /// The verdict for a value.
    fn stands(&self, value: f64) -> Result<Option<bool>, String> {
        let scope = match &self.ask.value {
            Some(name) => self.scope.with(name, value),
            None => self.scope.clone(),
        };
        let mut built = (self.build)(&scope)?;
        let model = match (&self.ask.value, &self.question) {
            (Some(_), _) => built.finished(),
            (None, Some(question)) => question.applied(self.model, value).map_err(words)?,
            (None, None) => return Err("a search varies a `value`, or the multiplier of a load".to_owned()),
        };
        match self.ask.by {
            By::Static => {
                let mut structure = AnyStructure::new(&model).map_err(words)?;
                Ok(structure.decide(&StandSettings::default()).stands())
            }
            By::Dynamic => {
                if built.stages.is_empty() {
                    return Err("a search by dynamics needs [[stages]]".to_owned());
                }
                let level = self.ask.falls_at.as_ref().ok_or("a search by dynamics needs `falls_at` [m]")?;
                // the model is the finished structure: no bodies are added or removed
                built.model = model;
                built.stages.iter_mut().for_each(|stage| stage.changes.clear());
                stays(&built, scope.value(level)?).map(Some).map_err(|error| error.to_string())
            }
        }
    }
}
