//! Checks of `[assessment]`: names, factors, presets.

use super::check::SceneCheck;
use crate::error::SceneError;
use crate::place::Place;
use crate::presets;
use crate::scene::Scene;
use crate::scene::assessment::{AssessmentSpec, CaseSpec, FactorsSpec};
use crate::suggest;

/// Name of the leading action of a case that is an acceleration of the ground.
pub const ACCELERATION: &str = "acceleration";

/// Factors are at most this.
const MOST_FACTOR: f64 = 100.0;

/// Checks the table `[assessment]`.
pub fn check(scene: &Scene, check: &SceneCheck<'_>) -> Result<(), SceneError> {
    let Some(spec) = &scene.assessment else { return Ok(()) };
    let root = Place::ROOT;
    let place = root.key("assessment");
    preset(check, &place, spec)?;
    let names: Vec<&str> = scene
        .loads
        .iter()
        .map(|load| load.name.as_str())
        .chain(scene.trains.iter().map(|train| train.name.as_str()))
        .collect();
    let known = |place: &Place<'_>, name: &str| match names.contains(&name) {
        true => Ok(()),
        false => Err(check.error(place, format!("there is no load or train \"{name}\"")).with_help(suggest::help(
            "loads and trains",
            name,
            &names,
        ))),
    };
    let list = place.key("permanent");
    for (i, name) in spec.permanent.iter().enumerate() {
        known(&list.index(i), name)?;
    }
    for (key, value) in [("required", spec.required), ("acceleration", spec.acceleration)] {
        value.map(|value| check.between(&place.key(key), &format!("`{key}`"), value, 1e-6, MOST_FACTOR)).transpose()?;
    }
    let list = place.key("cases");
    for (i, case) in spec.cases.iter().enumerate() {
        let place = list.index(i);
        let actions = place.key("actions");
        for (name, factor) in &case.actions {
            known(&actions.key(name), name)?;
            check.between(&actions.key(name), "the factor of an action", *factor, 0.0, MOST_FACTOR)?;
        }
        case_keys(check, &place, case)?;
        if spec.cases[..i].iter().any(|other| other.name == case.name) {
            return Err(check.error(&place.key("name"), format!("two cases are called \"{}\"", case.name)));
        }
    }
    Ok(())
}

fn preset(check: &SceneCheck<'_>, place: &Place<'_>, spec: &AssessmentSpec) -> Result<(), SceneError> {
    let own = spec.factors.clone().unwrap_or_default();
    let list = place.key("factors");
    for (key, value) in by_key(&own) {
        value
            .map(|value| check.between(&list.key(key), &format!("the factor `{key}`"), value, 1e-3, MOST_FACTOR))
            .transpose()?;
    }
    let Some(name) = &spec.preset else { return Ok(()) };
    let Some(preset) = presets::find(name) else {
        let names: Vec<&str> = presets::PRESETS.iter().map(|preset| preset.name).collect();
        return Err(check
            .error(&place.key("preset"), format!("there is no preset \"{name}\""))
            .with_help(suggest::help("presets", name, &names)));
    };
    let missing: Vec<&str> = ["permanent", "variable", "strength"]
        .into_iter()
        .filter(|key| by_key(&own).iter().all(|(own, value)| own != key || value.is_none()))
        .collect();
    if preset.factors.is_empty() && !missing.is_empty() {
        let message = format!("voussoir keeps no factor of {}", preset.title);
        let help = format!("give {} in [assessment.factors], with their clause as `source`", missing.join(", "));
        return Err(check.error(&place.key("preset"), message).with_help(help));
    }
    Ok(())
}

/// The factors with their keys.
pub fn by_key(factors: &FactorsSpec) -> [(&'static str, Option<f64>); 5] {
    [
        ("permanent", factors.permanent),
        ("favourable", factors.favourable),
        ("variable", factors.variable),
        ("strength", factors.strength),
        ("friction", factors.friction),
    ]
}

fn case_keys(check: &SceneCheck<'_>, place: &Place<'_>, case: &CaseSpec) -> Result<(), SceneError> {
    if let Some(weight) = case.weight {
        check.between(&place.key("weight"), "the factor of the weight", weight, 0.0, MOST_FACTOR)?;
    }
    if let Some(acceleration) = &case.acceleration {
        let value = &place.key("acceleration");
        check.between(&value.key("value"), "the acceleration [g]", acceleration.value, 0.0, MOST_FACTOR)?;
    }
    let Some(leading) = &case.leading else { return Ok(()) };
    let found = match leading.as_str() {
        ACCELERATION => case.acceleration.as_ref().is_some_and(|acceleration| acceleration.value > 0.0),
        name => case.actions.get(name).is_some_and(|factor| *factor > 0.0),
    };
    if found {
        return Ok(());
    }
    let message = format!("the leading action \"{leading}\" is not an action of the case");
    Err(check
        .error(&place.key("leading"), message)
        .with_help("give it a factor above zero in `actions`, or give the case an `acceleration`"))
}
