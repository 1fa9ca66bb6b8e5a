//! Cables: anchors, stiffness, strength, prestress, and changes by stages.

use voussoir_geometry::{Solid, Vector};
use voussoir_mechanics::cable::CableChange;
use voussoir_mechanics::model::{Anchor, AtRest, Body, Cable, Role};
use voussoir_mechanics::time_function::TimeFunction;

use super::actions;
use super::check::SceneCheck;
use super::dimension::Dimension;
use super::select::Register;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::Scene;
use crate::scene::actions::Selection;
use crate::scene::cables::{AnchorSpec, AtRestSpec, CableSpec, CableStage};
use crate::suggest;

/// Smallest distance of neighbouring anchors, relative to the length of the cable.
const LEAST_ANCHOR_DISTANCE: f64 = 1e-9;

/// Checks all cables.
pub fn cables<S: Dimension>(
    scene: &Scene,
    check: &SceneCheck<'_>,
    bodies: &[Body<S>],
    warnings: &mut Vec<String>,
) -> Result<Vec<Cable<S>>, SceneError> {
    let root = Place::ROOT;
    let list = root.key("cables");
    let register = Register::new(scene, bodies);
    let mut cables: Vec<Cable<S>> = Vec::new();
    for (i, keys) in scene.cables.iter().enumerate() {
        let place = list.index(i);
        name(check, &place.key("name"), &keys.name, cables.iter().any(|cable| cable.name == keys.name))?;
        let cable = cable(check, &place, keys, bodies, &register)?;
        let waits =
            !cable.fitted && !scene.stages.iter().any(|stage| stage.changes.cables.iter().any(|c| c.name == keys.name));
        if waits {
            warnings.push(format!("the cable \"{}\" is not fitted at the start nor by any stage", keys.name));
        }
        cables.push(cable);
    }
    Ok(cables)
}

/// Names become columns of a table.
fn name(check: &SceneCheck<'_>, place: &Place<'_>, name: &str, used: bool) -> Result<(), SceneError> {
    if name.is_empty() || used {
        return Err(check.error(place, format!("the name \"{name}\" of the cable is empty or used twice")));
    }
    match name.chars().find(|c| matches!(c, ',' | '"') || c.is_control()) {
        Some(letter) => {
            let message = format!("{letter:?} cannot be in the name of a cable, which heads a column of history.csv");
            Err(check.error(place, message))
        }
        None => Ok(()),
    }
}

fn cable<S: Dimension>(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &CableSpec,
    bodies: &[Body<S>],
    register: &Register<'_, S>,
) -> Result<Cable<S>, SceneError> {
    let anchors = anchors(check, place, keys, bodies, register)?;
    let mut cable = Cable {
        name: keys.name.clone(),
        anchors,
        closed: keys.closed,
        stiffness: 0.0,
        prestress: 0.0,
        function: TimeFunction::Constant(1.0),
        strength: None,
        breaks: keys.breaks,
        fitted: keys.fitted,
        at_rest: None,
    };
    let length = check_way(check, &place.key("through"), &cable, bodies)?;
    let section = section(check, place, keys)?;
    cable.stiffness = stiffness(check, place, keys, section, length)?;
    cable.strength = strength(check, place, keys, section)?;
    if cable.breaks && cable.strength.is_none() {
        return Err(check
            .error(&place.key("breaks"), format!("the cable \"{}\" breaks, but has no strength", keys.name))
            .with_help("give `strength` [N]"));
    }
    cable.prestress = match (keys.prestress, keys.prestrain) {
        (None, None) => 0.0,
        (Some(force), None) => check.not_negative(&place.key("prestress"), "the prestress", force)?,
        (None, Some(strain)) => cable.stiffness * length * self::strain(check, &place.key("prestrain"), strain)?,
        (Some(_), Some(_)) => {
            return Err(check.error(&place.key("prestrain"), "give `prestress` or `prestrain`, not both"));
        }
    };
    let key = if keys.prestress.is_some() { "prestress" } else { "prestrain" };
    not_too_much(check, &place.key(key), &cable.name, cable.prestress, cable.strength)?;
    if let Some(function) = &keys.function {
        let place = place.key("function");
        if keys.prestress.is_none() && keys.prestrain.is_none() {
            return Err(place
                .error_at_key(check.source, "`function` multiplies the prestress, but no prestress is given")
                .with_help("give `prestress` [N] or `prestrain`"));
        }
        if !keys.fitted {
            let message = "a cable that a stage fits has the prestress of that stage, not one with a `function`";
            return Err(place.error_at_key(check.source, message));
        }
        cable.function = actions::function_of(check, &place, function)?;
        not_too_much(check, &place, &cable.name, cable.prestress * cable.function.peak(), cable.strength)?;
    }
    cable.at_rest = keys.at_rest.map(|role| match role {
        AtRestSpec::Tie => AtRest::Tie,
        AtRestSpec::Force => AtRest::Force,
    });
    Ok(cable)
}

fn anchors<S: Dimension>(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &CableSpec,
    bodies: &[Body<S>],
    register: &Register<'_, S>,
) -> Result<Vec<Anchor<S>>, SceneError> {
    let place = place.key("through");
    if keys.through.is_empty() {
        let message = format!("the cable \"{}\" has no anchors", keys.name);
        return Err(check.error(&place, message).with_help("write through = [\"wall.brick[3]\", \"wall.brick[8]\"]"));
    }
    let mut anchors: Vec<Anchor<S>> = Vec::new();
    for (i, anchor) in keys.through.iter().enumerate() {
        let (place, first) = (place.index(i), anchors.len());
        match anchor {
            AnchorSpec::Bodies(select) => {
                let found = register.find(check, &place, &Selection::One(select.clone()))?;
                anchors.extend(found.into_iter().map(|body| Anchor { body, point: S::zero() }));
            }
            AnchorSpec::Points(point) => {
                let found = register.find(check, &place.key("select"), &point.select)?;
                match (&point.at, &point.offset) {
                    (Some(_), Some(_)) => {
                        return Err(check.error(&place.key("offset"), "give `at` or `offset`, not both"));
                    }
                    (Some(at), None) => {
                        let at_place = place.key("at");
                        let world = check.point::<S>(&at_place, "the anchor", at)?;
                        let [body] = found[..] else {
                            let message = format!("`at` is for one body; the selection has {}", found.len());
                            return Err(check
                                .error(&at_place, message)
                                .with_help("`offset` is for any number of bodies"));
                        };
                        anchors.push(Anchor { body, point: bodies[body].pose.local_point(world) });
                    }
                    (None, offset) => {
                        let offset = match offset {
                            Some(offset) => check.offset::<S>(&place.key("offset"), "the offset", offset)?,
                            None => S::zero(),
                        };
                        let place = |body: usize| bodies[body].pose.local_direction(offset);
                        anchors.extend(found.into_iter().map(|body| Anchor { body, point: place(body) }));
                    }
                }
            }
        }
        for anchor in &anchors[first..] {
            check_near(check, &place, &keys.name, &bodies[anchor.body], anchor.point.length())?;
        }
    }
    Ok(anchors)
}

/// An anchor may be outside the block by less than the size of the block.
fn check_near<S: Dimension>(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    cable: &str,
    body: &Body<S>,
    away: f64,
) -> Result<(), SceneError> {
    let size = body.shape.size();
    if !size.is_finite() || away <= size {
        return Ok(());
    }
    let message = format!(
        "the cable \"{cable}\" has an anchor outside its body: {away:.3} m from the centroid of \"{}\", whose size is \
         {size:.3} m",
        body.name
    );
    Err(check.error(place, message).with_help("`at` is in world axes at the start, `offset` from the centroid"))
}

/// Checks the path of a cable; returns its length at the start [m].
fn check_way<S: Dimension>(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    cable: &Cable<S>,
    bodies: &[Body<S>],
) -> Result<f64, SceneError> {
    let name = &cable.name;
    if cable.anchors.len() < 2 {
        let message = format!("the cable \"{name}\" has one anchor; it needs two");
        return Err(check.error(place, message));
    }
    let poses: Vec<_> = bodies.iter().map(|body| body.pose).collect();
    let length = cable.length(&poses);
    let way = cable.way(&poses);
    if let Some(i) = way.windows(2).position(|ends| (ends[1] - ends[0]).length() <= LEAST_ANCHOR_DISTANCE * length) {
        let [a, b] = [i, (i + 1) % cable.anchors.len()].map(|k| &bodies[cable.anchors[k].body].name);
        let message = format!("the cable \"{name}\" has two anchors at the same point, on \"{a}\" and \"{b}\"");
        return Err(check.error(place, message).with_help("consecutive anchors must have different positions"));
    }
    if cable.anchors.iter().all(|anchor| bodies[anchor.body].role != Role::Free) {
        let message = format!("the cable \"{name}\" has anchors on supports only");
        return Err(check.error(place, message));
    }
    Ok(length)
}

/// Section [m²], if there is one.
fn section(check: &SceneCheck<'_>, place: &Place<'_>, keys: &CableSpec) -> Result<Option<f64>, SceneError> {
    match (keys.section, keys.diameter) {
        (None, None) => Ok(None),
        (Some(section), None) => check.positive(&place.key("section"), "the section", section).map(Some),
        (None, Some(diameter)) => {
            let diameter = check.length(&place.key("diameter"), "the diameter", diameter)?;
            Ok(Some(std::f64::consts::FRAC_PI_4 * diameter * diameter))
        }
        (Some(_), Some(_)) => Err(check.error(&place.key("diameter"), "give `section` or `diameter`, not both")),
    }
}

/// Stiffness of the whole cable [N/m].
fn stiffness(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &CableSpec,
    section: Option<f64>,
    length: f64,
) -> Result<f64, SceneError> {
    let name = &keys.name;
    match (keys.stiffness, keys.modulus, section) {
        (Some(stiffness), None, _) => check.positive(&place.key("stiffness"), "the stiffness", stiffness),
        (None, Some(modulus), Some(section)) => {
            Ok(check.positive(&place.key("modulus"), "the modulus", modulus)? * section / length)
        }
        (Some(_), Some(_), _) => Err(check.error(&place.key("modulus"), "give `stiffness` or `modulus`, not both")),
        (None, Some(_), None) => Err(check
            .error(place, format!("the cable \"{name}\" has a modulus, but no section"))
            .with_help("give `section` [m²] or `diameter` [m]")),
        (None, None, _) => Err(check
            .error(place, format!("the cable \"{name}\" has no stiffness"))
            .with_help("give `stiffness` [N/m], or `modulus` [Pa] with `section` [m²] or `diameter` [m]")),
    }
}

/// Largest tension [N], if there is one.
fn strength(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &CableSpec,
    section: Option<f64>,
) -> Result<Option<f64>, SceneError> {
    match (keys.strength, keys.tensile_strength, section) {
        (None, None, _) => Ok(None),
        (Some(strength), None, _) => check.positive(&place.key("strength"), "the strength", strength).map(Some),
        (None, Some(stress), Some(section)) => {
            let stress = check.positive(&place.key("tensile_strength"), "the tensile strength", stress)?;
            Ok(Some(stress * section))
        }
        (Some(_), Some(_), _) => {
            Err(check.error(&place.key("tensile_strength"), "give `strength` or `tensile_strength`, not both"))
        }
        (None, Some(_), None) => Err(check
            .error(&place.key("tensile_strength"), "a tensile strength [Pa] needs a section")
            .with_help("give `section` [m²] or `diameter` [m], or `strength` [N]")),
    }
}

fn strain(check: &SceneCheck<'_>, place: &Place<'_>, strain: f64) -> Result<f64, SceneError> {
    check.finite(place, "the prestrain", strain)?;
    if (-1.0..1.0).contains(&strain) {
        return Ok(strain);
    }
    let message =
        format!("the prestrain is {strain}: the cable would be shorter than its path by {} %", 100.0 * strain);
    Err(check.error(place, message).with_help("a prestrain is a ratio, such as 0.002"))
}

fn not_too_much(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    name: &str,
    prestress: f64,
    strength: Option<f64>,
) -> Result<(), SceneError> {
    match strength {
        Some(strength) if prestress > strength => {
            let message = format!(
                "the prestress of the cable \"{name}\", {prestress:.0} N, exceeds its strength of {strength:.0} N"
            );
            Err(check.error(place, message))
        }
        _ => Ok(()),
    }
}

/// Checks the cable changes of a stage: index of the cable and its change.
pub fn changes(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    stage: &[CableStage],
    scene: &Scene,
) -> Result<Vec<(usize, CableChange)>, SceneError> {
    let list = place.key("cables");
    let mut changes: Vec<(usize, CableChange)> = Vec::new();
    for (i, keys) in stage.iter().enumerate() {
        let place = list.index(i);
        let Some(index) = scene.cables.iter().position(|cable| cable.name == keys.name) else {
            let known: Vec<&str> = scene.cables.iter().map(|cable| cable.name.as_str()).collect();
            let message = format!("there is no cable \"{}\"", keys.name);
            return Err(check
                .error(&place.key("name"), message)
                .with_help(suggest::help("cables", &keys.name, &known)));
        };
        if changes.iter().any(|(other, _)| *other == index) {
            let message = format!("the cable \"{}\" is changed twice in one stage", keys.name);
            return Err(check.error(&place.key("name"), message));
        }
        if scene.cables[index].function.is_some() {
            let message = format!("the prestress of the cable \"{}\" follows its `function` of time", keys.name);
            return Err(check
                .error(&place, message)
                .with_help("use stages or a function for the prestress of a cable, not both"));
        }
        changes.push((index, change(check, &place, keys, &scene.cables[index])?));
    }
    Ok(changes)
}

fn change(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &CableStage,
    cable: &CableSpec,
) -> Result<CableChange, SceneError> {
    match (keys.prestress, keys.prestrain, keys.removed) {
        (Some(force), None, false) => {
            let place = place.key("prestress");
            let force = check.not_negative(&place, "the prestress", force)?;
            let section = section(check, &place, cable)?;
            not_too_much(check, &place, &keys.name, force, strength(check, &place, cable, section)?)?;
            Ok(CableChange::Prestress(force))
        }
        (None, Some(strain), false) => {
            Ok(CableChange::Prestrain(self::strain(check, &place.key("prestrain"), strain)?))
        }
        (None, None, true) => Ok(CableChange::Remove),
        _ => {
            let message = format!("the stage does not say how the cable \"{}\" changes", keys.name);
            Err(check
                .error(place, message)
                .with_help("give exactly one of: prestress = …, prestrain = …, removed = true"))
        }
    }
}
