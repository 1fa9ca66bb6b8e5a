//! Load cases of an assessment: those of the scene, or those that follow from its actions.
//!
//! Without `[[assessment.cases]]` there are: the permanent actions alone; the permanent actions with each variable action as
//! the leading one, both unfavourable and favourable if their factors differ; and, if a design acceleration of the ground is
//! given, one case for each direction with all factors 1. Permanent are the weights of blocks, fill and loads that are
//! masses, and loads that the scene calls permanent.

use serde::Serialize;
use voussoir_model::build::assessment::{ACCELERATION, by_key};
use voussoir_model::presets;
use voussoir_model::scene::Scene;
use voussoir_model::scene::actions::LoadSpec;
use voussoir_model::scene::assessment::{AssessmentSpec, CaseSpec};
use voussoir_statics::Direction;
use voussoir_statics::case::CaseFactors;

use crate::error::{Result, RunError};

/// Source of a factor of 1 that nobody gave.
pub(super) const NO_FACTOR: &str = "no factor";

/// A partial factor and where it comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SourcedFactor {
    /// Its key in the scene.
    pub key: String,
    /// The factor.
    pub value: f64,
    /// Clause of a code, or the scene.
    pub source: String,
    /// True if the value comes from a preset: it has to be checked against the text of the code.
    pub to_check: bool,
}

/// What the factors are based on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Basis {
    /// Title of the code, if a preset is used.
    pub code: Option<String>,
    /// All factors.
    pub factors: Vec<SourcedFactor>,
    /// What has to be checked, if a factor comes from a preset.
    pub to_check: Option<&'static str>,
    /// Adequacy factor that every case must reach.
    pub required: f64,
}

impl Basis {
    fn of(&self, key: &str) -> f64 {
        self.factors.iter().find(|factor| factor.key == key).map_or(1.0, |factor| factor.value)
    }
}

/// What is multiplied until collapse.
#[derive(Clone, Debug, PartialEq)]
pub enum LeadingAction {
    /// A load of the scene.
    Load(String),
    /// A train, at its worst position.
    Train(String),
    /// An acceleration of the ground: direction, as written, and design value [g].
    Acceleration(Direction, String, f64),
}

impl LeadingAction {
    /// Its name.
    pub fn name(&self) -> String {
        match self {
            Self::Load(name) | Self::Train(name) => name.clone(),
            Self::Acceleration(_, text, _) => format!("ground acceleration, inertia along {text}"),
        }
    }
}

/// One load case.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadCase {
    /// Its name.
    pub name: String,
    /// Factors on actions and resistances.
    pub factors: CaseFactors,
    /// What is multiplied, if anything.
    pub leading: Option<LeadingAction>,
}

/// A direction and the text of it.
pub(super) fn direction(text: &str) -> Result<Direction> {
    text.parse().map_err(|error| RunError::input(format!("the direction \"{text}\" in [assessment]: {error}")))
}

/// Factors with their sources.
pub(super) fn basis(scene: &Scene) -> Basis {
    let none = AssessmentSpec::default();
    let spec = scene.assessment.as_ref().unwrap_or(&none);
    let preset = spec.preset.as_deref().and_then(presets::find);
    let own = spec.factors.clone().unwrap_or_default();
    let source = own.source.clone().unwrap_or_else(|| "given in the scene".to_owned());
    let factors = by_key(&own).into_iter().map(|(key, value)| {
        let of_code = preset.and_then(|preset| preset.factors.iter().find(|factor| factor.key == key));
        let (value, source, to_check) = match (value, of_code) {
            (Some(value), _) => (value, source.as_str(), false),
            (None, Some(code)) => (code.value, code.clause, true),
            (None, None) => (1.0, NO_FACTOR, false),
        };
        SourcedFactor { key: key.to_owned(), value, source: source.to_owned(), to_check }
    });
    let factors: Vec<SourcedFactor> = factors.collect();
    Basis {
        code: preset.map(|preset| preset.title.to_owned()),
        to_check: factors.iter().any(|factor| factor.to_check).then_some(presets::TO_CHECK),
        factors,
        required: spec.required.unwrap_or(1.0),
    }
}

/// The load cases of a scene; `directions` are those of accelerations.
pub(super) fn cases(scene: &Scene, basis: &Basis, directions: &[(String, Direction)]) -> Result<Vec<LoadCase>> {
    let none = AssessmentSpec::default();
    let spec = scene.assessment.as_ref().unwrap_or(&none);
    if !spec.cases.is_empty() {
        return spec.cases.iter().map(|case| written(scene, basis, case)).collect();
    }
    let is_permanent = |load: &LoadSpec| {
        load.mass.unwrap_or(load.fill.is_some()) || load.fill.is_some() || spec.permanent.contains(&load.name)
    };
    let permanent: Vec<&str> = names(scene.loads.iter().filter(|load| is_permanent(load)));
    let variable = names(scene.loads.iter().filter(|load| !is_permanent(load))).into_iter();
    let leading: Vec<LeadingAction> = variable
        .map(|name| LeadingAction::Load(name.to_owned()))
        .chain(scene.trains.iter().map(|train| LeadingAction::Train(train.name.clone())))
        .collect();
    let with = |factor: f64| CaseFactors {
        weight: factor,
        actions: permanent.iter().map(|name| ((*name).to_owned(), factor)).collect(),
        strength: basis.of("strength"),
        friction: basis.of("friction"),
        ..CaseFactors::default()
    };
    let (high, low) = (basis.of("permanent"), basis.of("favourable"));
    let differ = high != low;
    let mut cases = vec![LoadCase { name: "permanent actions".to_owned(), factors: with(high), leading: None }];
    for leading in leading {
        let name = leading.name();
        let which = [(high, "permanent actions unfavourable"), (low, "permanent actions favourable")];
        for (factor, words) in which.into_iter().take(if differ { 2 } else { 1 }) {
            let mut factors = with(factor);
            factors.actions.push((name.clone(), basis.of("variable")));
            let name = format!("{name}, {}", if differ { words } else { "permanent actions" });
            cases.push(LoadCase { name, factors, leading: Some(leading.clone()) });
        }
    }
    if let Some(size) = spec.acceleration {
        for (text, direction) in directions {
            let leading = Some(LeadingAction::Acceleration(direction.clone(), text.clone(), size));
            let acceleration = Some((direction.clone(), size));
            let factors = CaseFactors { acceleration, ..with(1.0) };
            cases.push(LoadCase { name: format!("earthquake, inertia along {text}"), factors, leading });
        }
    }
    Ok(cases)
}

fn names<'a>(loads: impl Iterator<Item = &'a LoadSpec>) -> Vec<&'a str> {
    let mut names: Vec<&str> = loads.map(|load| load.name.as_str()).collect();
    names.dedup();
    names
}

/// A case that the scene gives.
fn written(scene: &Scene, basis: &Basis, case: &CaseSpec) -> Result<LoadCase> {
    let acceleration = match &case.acceleration {
        Some(given) => Some((direction(&given.direction)?, given.value)),
        None => None,
    };
    let leading = match (case.leading.as_deref(), &acceleration, &case.acceleration) {
        (Some(ACCELERATION), Some((direction, size)), Some(given)) => {
            Some(LeadingAction::Acceleration(direction.clone(), given.direction.clone(), *size))
        }
        (Some(name), ..) if scene.trains.iter().any(|train| train.name == name) => {
            Some(LeadingAction::Train(name.to_owned()))
        }
        (Some(name), ..) => Some(LeadingAction::Load(name.to_owned())),
        (None, ..) => None,
    };
    let factors = CaseFactors {
        weight: case.weight.unwrap_or(basis.of("permanent")),
        actions: case.actions.iter().map(|(name, factor)| (name.clone(), *factor)).collect(),
        strength: basis.of("strength"),
        friction: basis.of("friction"),
        acceleration,
        ..CaseFactors::default()
    };
    Ok(LoadCase { name: case.name.clone(), factors, leading })
}
