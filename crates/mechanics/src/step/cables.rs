//! Cables in a step: one row of the contact problem per cable, and the state of cables after the step.
//!
//! With e = ℓ − ℓ₀ at the start, J v = Σ dᵢ·vᵢ the speed at which the free bodies shorten the cable, s the shortening
//! by supports and Δℓ₀ the change of its rest length over the step, the tension is that at t_k + θh, as for springs
//! ([`super::spring::Spring`]):
//! ```text
//! 0 ≤ J v + E R + b ⊥ R ≥ 0,   R = hT,   E = 1/(h²θ²k),   b = (−e + hθ(1−θ) J v₀ + θ s + θ Δℓ₀)/(hθ²)
//! ```
//! d is taken in the mid configuration, e from the positions themselves: tensions do not drift. There is no friction,
//! the tangential rows of the problem are empty.
//!
//! **Scale.** The elongation of a soft cable divided by the step is by far the largest velocity of the problem, and the
//! residual is relative to that. The row is multiplied by W/(W + E), W = J M⁻¹ Jᵀ: the row is then the change of
//! velocity of the bodies by the tension.
//!
//! **Energy.** Of the work of bodies, supports and jack the cable stores Δ(½ k e²), e ≥ 0; the remainder is numerical
//! dissipation: zero for θ = ½ while the cable stays taut and straight.

use voussoir_geometry::{Pose, Space, Vector};

use super::masses::{Masses, dot};
use super::predict::{Interval, Prediction};
use super::rows::Row;
use super::solve::Solved;
use super::{Tools, Walk};
use crate::elastic::attached::{Holder, anchor_shifts};
use crate::elastic::flex::ElasticSide;
use crate::model::{Cable, Model, Role};
use crate::state::{EnergyLedger, State};

/// Smallest factor of a row.
const SMALLEST: f64 = 1e-4;

/// A cable that is present and unbroken, in one step.
#[derive(Clone, Debug)]
pub(crate) struct Pull<S: Space> {
    /// Index in the model.
    pub index: usize,
    /// Its row, scaled.
    row: Row,
    /// The factor of the row.
    scale: f64,
    /// Elongation at the start [m].
    elongation: f64,
    /// s and Δℓ₀ [m].
    shortened: [f64; 2],
    /// J v₀ [m/s].
    before: f64,
    /// Σ dᵢ over the free bodies.
    free: S::Vector,
    /// Velocity of a body under the cable alone [m/s].
    speed: f64,
    /// True if it broke in an earlier pass.
    snapped: bool,
}

/// Present and unbroken cables at the start of a step.
pub(crate) fn prepare<S: Space>(
    model: &Model<S>,
    tools: &Tools<S>,
    state: &State<S>,
    prediction: &Prediction<S>,
    over: Interval,
) -> Vec<Pull<S>> {
    let masses = &tools.masses;
    let there = |cable: &Cable<S>| cable.anchors.iter().all(|anchor| masses.there[anchor.body]);
    let all = model.cables.iter().zip(&state.cables).enumerate();
    all.filter(|(_, (cable, memory))| memory.holds() && there(cable))
        .map(|(index, (cable, memory))| {
            let rest = [over.start, over.end].map(|time| cable.rest_length(memory, time));
            let elongation = present_length(model, tools, state, index) - rest[0];
            pull(model, masses, prediction, over, (index, cable), elongation, rest[1] - rest[0])
        })
        .collect()
}

/// ℓ of a cable of a state, with the elastic displacements of its anchors [m].
fn present_length<S: Space>(model: &Model<S>, tools: &Tools<S>, state: &State<S>, index: usize) -> f64 {
    let cable = &model.cables[index];
    let shifts = match tools.anchors.get(index) {
        Some(weights) => anchor_shifts(model, cable, weights, &state.poses, &state.elastic),
        None => Vec::new(),
    };
    cable.length_with(&state.poses, &shifts)
}

/// Direction of the pull on each anchor of a cable in the mid configuration, and the coordinates of anchors on elastic blocks.
pub(crate) fn directions<S: Space>(
    prediction: &Prediction<S>,
    index: usize,
    cable: &Cable<S>,
) -> Vec<(S::Vector, Option<ElasticSide>)> {
    let flexed = prediction.flexed.as_deref();
    let side = |k: usize| flexed.and_then(|flexed| flexed.side(Holder::Anchor(index, k)));
    let sides: Vec<Option<ElasticSide>> = (0..cable.anchors.len()).map(side).collect();
    let shift = |side: &Option<ElasticSide>| match (flexed, side) {
        (Some(flexed), Some(side)) => flexed.displaced_middle(&prediction.poses, *side),
        _ => S::zero(),
    };
    let shifts: Vec<S::Vector> = sides.iter().map(shift).collect();
    cable.directions_with(&prediction.poses, &shifts).into_iter().zip(sides).collect()
}

fn pull<S: Space>(
    model: &Model<S>,
    masses: &Masses,
    prediction: &Prediction<S>,
    over: Interval,
    (index, cable): (usize, &Cable<S>),
    elongation: f64,
    slackened: f64,
) -> Pull<S> {
    let Interval { h, theta, .. } = over;
    let mut entries: Vec<(u32, Vec<f64>)> = Vec::new();
    let (mut free, mut by_supports) = (S::zero(), 0.0);
    let mut add = |node: u32, row: &[f64]| {
        let at = entries.iter().position(|(other, _)| *other == node).unwrap_or_else(|| {
            entries.push((node, vec![0.0; S::DIM * S::DOFS]));
            entries.len() - 1
        });
        entries[at].1.iter_mut().zip(row).for_each(|(sum, part)| *sum += part);
    };
    for (anchor, (direction, side)) in cable.anchors.iter().zip(directions(prediction, index, cable)) {
        let Some(node) = masses.node[anchor.body] else {
            by_supports += travel(model, anchor.body, anchor.point, over).dot(direction);
            continue;
        };
        free += direction;
        let pose = &prediction.poses[anchor.body];
        let mut row = [0.0; 6];
        S::jacobian_row(pose.rotation, pose.direction(anchor.point), direction, &mut row[..S::DOFS]);
        add(node, &row[..S::DOFS]);
        if let (Some(flexed), Some(side)) = (&prediction.flexed, side) {
            flexed.cells(&prediction.poses, side, &[direction], 1.0).iter().for_each(|(cell, row)| add(*cell, row));
        }
    }
    let mut row = Row { entries, bias: [0.0; 3], compliance: [0.0; 3], friction: 0.0, shift: 0.0 };
    // W and the largest velocity of a body per impulse
    let (mut mobility, mut fastest) = (0.0, 0.0f64);
    for lifted in row.lifted::<S>(0, masses, prediction.flexed.as_deref()) {
        mobility += dot(&lifted.row, &lifted.moved);
        if lifted.first < masses.body.len() * S::DOFS {
            fastest = fastest.max(S::unpack(&lifted.moved).0.length());
        }
    }
    let compliance = 1.0 / (h * h * theta * theta * cable.stiffness);
    let scale = (mobility / (mobility + compliance)).max(SMALLEST);
    row.entries.iter_mut().flat_map(|(_, block)| block).for_each(|x| *x *= scale);
    row.compliance = [scale * scale * compliance; 3];
    let before = row.relative::<S>(&prediction.before)[0] / scale;
    let bias =
        (-elongation + h * theta * (1.0 - theta) * before + theta * (by_supports + slackened)) / (h * theta * theta);
    row.bias[0] = scale * bias;
    // an empty row needs a non-zero diagonal
    row.compliance[1..].iter_mut().for_each(|e| *e += scale * scale * mobility);
    let alone = (-bias - row.relative::<S>(&prediction.free)[0] / scale).max(0.0) / (mobility + compliance);
    let speed = fastest * alone;
    Pull { index, row, scale, elongation, shortened: [by_supports, slackened], before, free, speed, snapped: false }
}

/// Displacement of a point of a support in the step [m].
fn travel<S: Space>(model: &Model<S>, body: usize, point: S::Vector, over: Interval) -> S::Vector {
    let body = &model.bodies[body];
    let Role::Support(Some(motion)) = body.role else { return S::zero() };
    let at = |time: f64| -> Pose<S> { model.motions[motion].pose(&body.pose, time) };
    at(over.end).point(point) - at(over.start).point(point)
}

/// Rows of the cables that did not break.
pub(crate) fn rows<S: Space>(pulls: &[Pull<S>]) -> impl Iterator<Item = Row> + '_ {
    pulls.iter().filter(|pull| !pull.snapped).map(|pull| pull.row.clone())
}

/// Their impulses at the end of the last step (rows × dim).
pub(crate) fn warm<S: Space>(state: &State<S>, pulls: &[Pull<S>], over: Interval) -> Vec<f64> {
    let mut warm = Vec::new();
    for pull in pulls.iter().filter(|pull| !pull.snapped) {
        warm.push(state.cables[pull.index].tension * over.h / pull.scale);
        warm.resize(warm.len() + S::DIM - 1, 0.0);
    }
    warm
}

/// Speed that cables may give to bodies in the step [m/s].
pub(crate) fn speed<S: Space>(pulls: &[Pull<S>]) -> f64 {
    pulls.iter().map(|pull| pull.speed).fold(0.0, f64::max)
}

/// Tension of each cable for the impulses of a solution, whose last rows are theirs [N].
pub(crate) fn tensions<S: Space>(pulls: &[Pull<S>], impulses: &[f64], over: Interval) -> Vec<f64> {
    let own = pulls.iter().filter(|pull| !pull.snapped).count() * S::DIM;
    let mut r = impulses[impulses.len() - own..].chunks_exact(S::DIM);
    let mut tension = |pull: &Pull<S>| match pull.snapped {
        true => 0.0,
        false => r.next().map_or(0.0, |r| r[0] * pull.scale / over.h),
    };
    pulls.iter().map(&mut tension).collect()
}

/// Marks cables whose tension exceeds their strength as broken; true if the step must be solved again.
pub(crate) fn snap<S: Space>(model: &Model<S>, pulls: &mut [Pull<S>], impulses: &[f64], over: Interval) -> bool {
    let tensions = tensions(pulls, impulses, over);
    let mut again = false;
    for (pull, tension) in pulls.iter_mut().zip(tensions) {
        let cable = &model.cables[pull.index];
        let snaps = cable.breaks && cable.strength.is_some_and(|strength| tension > strength);
        again |= snaps;
        pull.snapped |= snaps;
    }
    again
}

/// Impulses of cables on the anchors that have coordinates of elastic blocks, world axes [N·s].
pub(crate) fn pulls<S: Space>(walk: &Walk<S>, pulls: &[Pull<S>], solved: &Solved) -> Vec<(ElasticSide, S::Vector)> {
    if walk.prediction.flexed.is_none() {
        return Vec::new();
    }
    let mut all = Vec::new();
    for (pull, tension) in pulls.iter().zip(tensions(pulls, &solved.impulses, walk.over)) {
        let directions = directions(walk.prediction, pull.index, &walk.model.cables[pull.index]);
        let held = directions.into_iter().filter_map(|(direction, side)| Some((side?, direction)));
        all.extend(held.map(|(side, direction)| (side, direction * (tension * walk.over.h))));
    }
    all
}

/// Stores tensions and energies; `state` is the state at the end of the step. Returns the impulse of supports on the
/// free bodies through cables [N·s].
pub(crate) fn keep<S: Space>(
    model: &Model<S>,
    tools: &Tools<S>,
    pulls: &[Pull<S>],
    solved: &Solved,
    over: Interval,
    state: &mut State<S>,
) -> S::Vector {
    let mut by_supports = S::zero();
    for (pull, tension) in pulls.iter().zip(tensions(pulls, &solved.impulses, over)) {
        let cable = &model.cables[pull.index];
        let stored = cable.energy(pull.elongation);
        let length = present_length(model, tools, state, pull.index);
        let memory = &mut state.cables[pull.index];
        memory.tension = tension;
        if pull.snapped {
            memory.broken = true;
            state.ledger.elastic -= stored;
            state.ledger.cohesion += stored;
            continue;
        }
        let end = length - cable.rest_length(memory, over.end);
        let change = cable.energy(end) - stored;
        let after = pull.row.relative::<S>(&solved.velocities)[0] / pull.scale;
        let [support, jack] = pull.shortened.map(|shorter| -tension * shorter);
        let bodies = -tension * over.h * 0.5 * (pull.before + after);
        book(&mut state.ledger, [bodies, support, jack], change);
        by_supports += pull.free * (tension * over.h);
    }
    by_supports
}

/// Books the work of bodies, supports and jack on a cable, and its stored energy.
fn book(ledger: &mut EnergyLedger, [bodies, supports, jack]: [f64; 3], stored: f64) {
    ledger.supports += supports;
    ledger.loads += jack;
    ledger.elastic += stored;
    ledger.numerical += bodies + supports + jack - stored;
}
