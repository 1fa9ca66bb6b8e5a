//! Checks and constants at the start of an explicit analysis.

use std::collections::HashMap;

use voussoir_geometry::{D2, Solid};

use super::arrays::{Arrays, Four};
use super::contact::Scratch;
use super::law::Laws;
use super::lists::{OutlinePair, find_pairs, slots_of};
use super::settings::{Damping, ExplicitGoal, ExplicitSettings};
use super::step::Explicit;
use crate::error::MechanicsError;
use crate::joints::elastic::Influence;
use crate::model::{Model, Role};
use crate::state::State;

/// Smallest length of a point of a joint, relative to the longest side of the smaller block.
const LEAST_LENGTH: f64 = 0.1;

/// Contacts with a gap below this many roundings belong to a joint that is closed in the scene.
const DRAWN: f64 = 0.25;

fn part(what: &str, reason: impl Into<String>) -> MechanicsError {
    MechanicsError::Part { what: what.to_owned(), reason: reason.into() }
}

/// Refuses models with features that the explicit analysis does not support.
pub(super) fn check_model(
    model: &Model<D2>,
    settings: &ExplicitSettings,
    state: &State<D2>,
) -> Result<(), MechanicsError> {
    if !model.cables.is_empty() {
        return Err(part("cables", "the explicit analysis has no cables; use analysis = \"dynamic\""));
    }
    if !state.born.is_empty() {
        return Err(part("bodies", "bodies that appear in a run are not part of the explicit analysis"));
    }
    if model.ground_moves() && model.has_carried_masses() {
        let reason =
            "masses of loads on moving supports are not part of the explicit analysis; use analysis = \"dynamic\"";
        return Err(part("loads", reason));
    }
    if let Some(rounding) = settings.rounding {
        for body in &model.bodies {
            let side = shortest_side(&body.shape);
            if rounding > 0.5 * side {
                let reason = format!(
                    "{rounding} m is more than half of the shortest side of \"{}\" ({side:.4} m); use a smaller rounding",
                    body.name
                );
                return Err(part("rounding", reason));
            }
        }
    }
    if let ExplicitGoal::Increments(increments) = &settings.goal
        && !model.loads.iter().any(|load| load.name == increments.load)
    {
        return Err(part("increments", format!("there is no load \"{}\"", increments.load)));
    }
    Ok(())
}

/// Shortest side of a polygon [m]; infinite for other shapes.
fn shortest_side(shape: &voussoir_geometry::Shape2) -> f64 {
    sides(shape).fold(f64::INFINITY, f64::min)
}

fn sides(shape: &voussoir_geometry::Shape2) -> impl Iterator<Item = f64> + '_ {
    let polygon = match shape {
        voussoir_geometry::Shape2::Polygon(polygon) => Some(polygon),
        _ => None,
    };
    polygon
        .into_iter()
        .flat_map(|polygon| (0..polygon.vertices().len()).map(|i| polygon.side(i)[0].distance(polygon.side(i)[1])))
}

/// Refuses an equilibrium search with corners that are smaller than the overlaps to come. The mean overlap of the joints with
/// supports is the load above them divided by their stiffness; the largest one is not smaller.
pub(super) fn check_rounding(explicit: &Explicit, lengths: &HashMap<(u32, u32), f64>) -> Result<(), MechanicsError> {
    let (model, arrays) = (&explicit.model, &explicit.arrays);
    // grains may carry a part of the load
    let grains = model.bodies.iter().enumerate().any(|(i, body)| arrays.free[i] && body.shape.centred_ball().is_some());
    if explicit.settings.rest().is_none() || grains {
        return Ok(());
    }
    let stiffness = |(&(a, b), length): (&(u32, u32), &f64)| {
        let held = arrays.free[a as usize] != arrays.free[b as usize];
        let law =
            explicit.laws.at(explicit.laws.index(model.bodies[a as usize].material, model.bodies[b as usize].material));
        let there = arrays.there[a as usize] && arrays.there[b as usize];
        if held && there { 2.0 * length * law.normal } else { 0.0 }
    };
    let mut joints: Vec<((u32, u32), f64)> = lengths.iter().map(|(key, length)| (*key, *length)).collect();
    joints.sort_by_key(|joint| joint.0);
    let total: f64 = joints.iter().map(|(key, length)| stiffness((key, length))).sum();
    let down = model.gravity / model.gravity.length().max(f64::MIN_POSITIVE);
    let weight: f64 = arrays.weight.iter().map(|weight| weight[0] * down.x + weight[1] * down.y).sum();
    let load = weight + explicit.downward_load();
    let needed = 2.0 * load / total;
    if total > 0.0 && load > 0.0 && explicit.rounding < needed {
        let reason = format!(
            "corners are rounded at {:.3e} m, and joints with supports will overlap by {:.3e} m or more: contacts would pass \
             round the corners; use a rounding of at least 2σ/kₙ = {needed:.3e} m, or stiffer springs",
            explicit.rounding,
            0.5 * needed
        );
        return Err(part("rounding", reason));
    }
    Ok(())
}

/// Which materials can meet: one of the two bodies must be able to move.
pub(super) fn meets(model: &Model<D2>) -> impl Fn(usize, usize) -> bool {
    let count = model.materials.len();
    let (mut free, mut all) = (vec![0usize; count], vec![0usize; count]);
    for body in &model.bodies {
        all[body.material] += 1;
        free[body.material] += usize::from(body.role == Role::Free);
    }
    move |a, b| {
        if a == b { free[a] > 0 && all[a] > 1 } else { (free[a] > 0 && all[b] > 0) || (free[b] > 0 && all[a] > 0) }
    }
}

/// Coefficient of viscous damping in the first step [1/s].
pub(super) fn first_alpha(damping: Damping) -> f64 {
    match damping {
        Damping::Viscous(alpha) => alpha,
        Damping::Adaptive(adaptive) => adaptive.start,
        Damping::Off | Damping::Local { .. } => 0.0,
    }
}

/// Smallest disc diameter or block side [m].
pub(super) fn smallest(model: &Model<D2>) -> f64 {
    let of = |shape: &voussoir_geometry::Shape2| match shape.centred_ball() {
        Some(radius) => 2.0 * radius,
        None => shortest_side(shape).min(shape.size()),
    };
    let least = model.bodies.iter().map(|body| of(&body.shape)).fold(f64::INFINITY, f64::min);
    if least.is_finite() { least } else { 1.0 }
}

/// Lengths of points of joints that are closed in the scene: half of the distance of their two points [m].
pub(super) fn drawn_lengths(
    model: &Model<D2>,
    state: &State<D2>,
    rounding: f64,
    laws: &Laws,
) -> Result<HashMap<(u32, u32), f64>, MechanicsError> {
    let drawn = State { presence: state.presence.clone(), ..State::initial(model) };
    let mut arrays = Arrays::new(model, &drawn, rounding, &[])?;
    // joints of bodies that are added later, too
    arrays.there.fill(true);
    let mut lengths = HashMap::new();
    let mut scratch = Scratch::new();
    let alert = DRAWN * rounding;
    let [_, pairs] = find_pairs(model, &arrays, alert);
    for (a, b) in pairs {
        let (first, second) = (arrays.outline(a as usize), arrays.outline(b as usize));
        if first.is_none() || second.is_none() {
            continue;
        }
        let law = laws.index(model.bodies[a as usize].material, model.bodies[b as usize].material);
        let slots = slots_of(first, second);
        let pair = OutlinePair { a, b, law, first: 0, slots: slots as u32, fixed: 0.0, least: 0.0, round: false };
        let mut corners = vec![Default::default(); slots];
        scratch.meet(&arrays, &pair, laws.at(law), &mut corners, alert, 2);
        if let [one, two] = scratch.contacts[..]
            && one.normal.dot(two.normal) > 0.98
        {
            let length = 0.5 * (one.point - two.point).length();
            lengths.insert((a.min(b), a.max(b)), length);
        }
    }
    Ok(lengths)
}

/// Fixed and smallest length of the points of a pair [m]; zero: not fixed.
pub(super) fn point_lengths(
    model: &Model<D2>,
    laws: &Laws,
    arrays: &Arrays,
    drawn: &HashMap<(u32, u32), f64>,
    a: u32,
    b: u32,
) -> [f64; 2] {
    let law = laws.at(laws.index(model.bodies[a as usize].material, model.bodies[b as usize].material));
    let longest = |body: u32| {
        let outline = arrays.outline(body as usize);
        let full = outline.map(|_| sides(&model.bodies[body as usize].shape).fold(0.0, f64::max));
        full.filter(|length| *length > 0.0).unwrap_or(f64::INFINITY)
    };
    let longest = longest(a).min(longest(b));
    let standard = if longest.is_finite() { LEAST_LENGTH * longest } else { LEAST_LENGTH };
    match law.between {
        Influence::Varying { least: Some(least) } => [0.0, least],
        Influence::Varying { least: None } => [0.0, standard],
        Influence::Standard | Influence::Length(_) => {
            [drawn.get(&(a.min(b), a.max(b))).copied().unwrap_or(0.0), standard]
        }
    }
}

/// Critical step of the stiffest contact that a body could have by itself [s], where no contacts are near.
pub(super) fn lonely_step(model: &Model<D2>, laws: &Laws, mass: &[Four]) -> f64 {
    let mut least = f64::INFINITY;
    for (i, body) in model.bodies.iter().enumerate().filter(|(i, _)| mass[*i][0] > 0.0) {
        for other in 0..model.materials.len() {
            let law = laws.at(laws.index(body.material, other));
            let length = match body.shape.centred_ball() {
                Some(_) => law.round,
                None => 0.5 * sides(&body.shape).fold(0.0, f64::max),
            };
            // two points at full length, and the coupling with the rotation
            let stiffness = 8.0 * (law.normal + law.tangential) * length;
            if stiffness > 0.0 {
                least = least.min(2.0 * (mass[i][0] / stiffness).sqrt());
            }
        }
    }
    if least.is_finite() { least } else { 1e-3 }
}

/// Thickness out of the plane [m]: mass of a body divided by density and area; 1 without a body with mass and area.
pub(super) fn depth(model: &Model<D2>) -> f64 {
    let of = |body: &crate::model::Body<D2>| {
        let area = body.shape.mass_properties()?.volume;
        Some(body.mass / (model.materials[body.material].density * area))
    };
    model.bodies.iter().filter(|body| body.role == Role::Free).find_map(of).filter(|d| d.is_finite()).unwrap_or(1.0)
}
