//! Joints turn contact points into a contact problem.
//!
//! With u the velocity of the candidate relative to the antagonist, each contact obeys 0 ≤ uₙ + b ⊥ rₙ ≥ 0 and Coulomb.
//!
//! | law | contacts that take part | b |
//! |---|---|---|
//! | inelastic | all within the alert distance | g/h for g > 0 |
//! | Newton e | gap closed in the mid configuration | e·min(uₙ⁻, 0) |
//! | Poisson ε | gap closed in the mid configuration | 0, then an expansion phase ([`super::solve`]) |
//!
//! For g < 0 the gap rule adds nothing, or max(g/h, −v_max). Blocks that turn while they slide sink in by ½h²ω‖u_T‖ in
//! every step, which would add up: also the rule that adds nothing brings back what is deeper than 1e-5 of the smaller
//! body's size and deeper than the pair overlaps at the start.
//!
//! **Cut steps.** The next mid configuration is θh + (1−θ)h′ away, h′ the next step's length. A step that is cut may be
//! followed by a whole one, so a positive gap is divided by that time with h′ = the whole step; with h alone a body
//! could be through the other one before the next detection.
//!
//! **Far contacts** are left out: those whose gap no body can close in the step, even if contacts made it ten times as
//! fast as the fastest is without them. Their g/h would be the largest velocity of the problem by far, and the residual
//! is relative to that.
//!
//! **Dead band.** A gap counts from δ = 1e-9 of the smaller body's size: g is taken as 0 between −δ and δ, as g − δ
//! above, as g + δ below. Rounding noise of gaps, 1e-16 m divided by h, is otherwise as large as the velocities that
//! decide how a redundant structure shares its forces. The shift keeps the law continuous in g.

use voussoir_contact::Problem;
use voussoir_geometry::{ContactPoint, Pose, Space, Vector};

use super::faces::push_faces;
use super::masses::Masses;
use super::predict::{Interval, Prediction};
use super::spin::norm;
use crate::model::{DynamicSettings, FrictionLaw, GapRule, Model, Restitution};
use crate::state::{ContactKey, State};

/// Dead band of gaps, relative to the size of the smaller body.
const DEAD_BAND: f64 = 1e-9;

/// Penetration that stays, relative to the size of the smaller body; deeper ones come back at most at this speed [m/s].
const SINK: f64 = 1e-5;
const RECOVERY: f64 = 0.2;

/// A gap is far when it is larger than what the fastest body travels in a step times this: two bodies, ten times as
/// fast.
const FAR: f64 = 20.0;

/// A detected contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact<S: Space> {
    pub key: ContactKey,
    pub point: ContactPoint<S>,
    /// How deep the two bodies overlap at the start [m].
    pub overlap: f64,
}

/// A contact that takes part in the problem. The candidate is always free.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Active<S: Space> {
    /// Index among the detected contacts.
    pub contact: usize,
    /// Velocity of the antagonist at the point if it is a support: at the start of the step and over it [m/s].
    pub support: [S::Vector; 2],
    /// What gap and restitution add to the normal velocity [m/s].
    pub bias: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Poisson's ε; 0 for other laws.
    pub expansion: f64,
}

/// The contact laws of one step.
#[derive(Clone, Debug)]
pub(crate) struct Laws<S: Space> {
    /// Contacts in the problem, in order of their keys.
    pub active: Vec<Active<S>>,
    /// Frame n, t1[, t2] of each of them (active × dim).
    pub frames: Vec<S::Vector>,
    /// Associated friction in place of Coulomb's.
    pub associated: bool,
}

/// Applies the joint laws to the detected contacts.
pub(crate) fn apply_laws<S: Space>(
    model: &Model<S>,
    masses: &Masses,
    state: &State<S>,
    prediction: &Prediction<S>,
    contacts: &[Contact<S>],
    settings: &DynamicSettings,
    over: Interval,
) -> Laws<S> {
    let associated = settings.friction_law == FrictionLaw::Associated;
    let mut laws = Laws { active: Vec::with_capacity(contacts.len()), frames: Vec::new(), associated };
    let (h, ahead) = (over.h, over.ahead(settings.step));
    let far = FAR * ahead * fastest(masses, state, prediction);
    for (index, contact) in contacts.iter().enumerate() {
        let (a, b) = (contact.key.candidate as usize, contact.key.antagonist as usize);
        let point = &contact.point;
        let joint = model.joints.between(model.bodies[a].material, model.bodies[b].material);
        let band = DEAD_BAND * masses.smaller(a, b);
        let impact_law = joint.restitution != Restitution::Inelastic;
        if point.gap > if impact_law { band } else { band + far } {
            continue;
        }
        let support = match (masses.node[b], &prediction.supports[b]) {
            (None, Some(_)) => {
                let velocity = &state.velocities[b * S::DOFS..][..S::DOFS];
                let before = point_velocity(&prediction.poses[b], velocity, point.position);
                [before, support_velocity(masses, prediction, contact)]
            }
            _ => [S::zero(); 2],
        };
        let sink = contact.overlap.max(SINK * masses.smaller(a, b));
        let deep = !impact_law && point.gap < -sink && {
            // what the prediction itself drove in is stopped, not pushed out
            let before = relative_velocity(masses, prediction, contact, &prediction.before, support[0]);
            point.gap - (1.0 - over.theta) * h * before.dot(point.normal).min(0.0) < -sink
        };
        let sink = if deep { sink } else { f64::INFINITY };
        let mut active = Active {
            contact: index,
            support,
            bias: gap_bias(point.gap, band, sink, settings.gap, [h, ahead]),
            friction: joint.friction,
            expansion: 0.0,
        };
        match joint.restitution {
            Restitution::Inelastic => {}
            Restitution::Newton(e) => {
                let before = relative_velocity(masses, prediction, contact, &prediction.before, support[0]);
                active.bias += e * before.dot(point.normal).min(0.0);
            }
            Restitution::Poisson(epsilon) => active.expansion = epsilon,
        }
        laws.active.push(active);
        S::frame(point.normal, &mut laws.frames);
    }
    laws
}

/// Velocity of the antagonist at the point over the step, if it is a support that moves; else zero.
pub(crate) fn support_velocity<S: Space>(
    masses: &Masses,
    prediction: &Prediction<S>,
    contact: &Contact<S>,
) -> S::Vector {
    let (a, b) = (contact.key.candidate as usize, contact.key.antagonist as usize);
    match (masses.node[b], &prediction.supports[b]) {
        (None, Some(advance)) => advance.at(contact.point.position, prediction.poses[a].position),
        _ => S::zero(),
    }
}

/// No point of a body is faster, at the start of the step or at its end without contacts [m/s].
fn fastest<S: Space>(masses: &Masses, state: &State<S>, prediction: &Prediction<S>) -> f64 {
    let speed = |velocity: &[f64], size: f64| {
        let (linear, spin) = S::unpack(velocity);
        linear.length() + if size.is_finite() { size * norm::<S>(spin) } else { 0.0 }
    };
    let at_start = state.velocities.chunks_exact(S::DOFS).zip(&masses.size).map(|(v, size)| speed(v, *size));
    let free = prediction.free.chunks_exact(S::DOFS).zip(&masses.body).map(|(v, body)| speed(v, masses.size[*body]));
    at_start.chain(free).fold(0.0, f64::max)
}

/// What the gap adds to the normal velocity in the law. Contacts may be as deep as `sink`; the times are the step and
/// the way to the next mid configuration [s].
fn gap_bias(gap: f64, band: f64, sink: f64, rule: GapRule, [h, ahead]: [f64; 2]) -> f64 {
    match rule {
        _ if gap > band => (gap - band) / ahead,
        GapRule::Stabilized(speed) if gap < -band => ((gap + band) / h).max(-speed),
        GapRule::Clip if gap < -sink => ((gap + sink) / h).max(-RECOVERY),
        _ => 0.0,
    }
}

/// Velocity of the point of a body that is at `x`.
pub(crate) fn point_velocity<S: Space>(pose: &Pose<S>, velocity: &[f64], x: S::Vector) -> S::Vector {
    let (linear, spin) = S::unpack(velocity);
    linear + S::spin_cross(S::spin_to_world(pose.rotation, spin), x - pose.position)
}

/// Velocity of the candidate relative to the antagonist, world axes, for velocities of the free bodies
/// (nodes × dofs) and of the antagonist if it is a support.
pub(crate) fn relative_velocity<S: Space>(
    masses: &Masses,
    prediction: &Prediction<S>,
    contact: &Contact<S>,
    velocities: &[f64],
    support: S::Vector,
) -> S::Vector {
    let of = |body: u32| {
        let body = body as usize;
        masses.node[body].map_or(support, |node| {
            let velocity = &velocities[node as usize * S::DOFS..][..S::DOFS];
            point_velocity(&prediction.poses[body], velocity, contact.point.position)
        })
    };
    of(contact.key.candidate) - of(contact.key.antagonist)
}

/// The contact problem with the given free velocities (nodes × dofs).
pub(crate) fn assemble<S: Space>(
    masses: &Masses,
    prediction: &Prediction<S>,
    contacts: &[Contact<S>],
    laws: &Laws<S>,
    free: &[f64],
) -> Problem {
    let mut problem = Problem::new(S::DIM, S::DOFS);
    problem.set_associated(laws.associated);
    for (node, velocity) in free.chunks_exact(S::DOFS).enumerate() {
        problem.push_node(masses.mass_of::<S>(node), masses.inverse_of::<S>(node), velocity);
    }
    let size = S::DIM * S::DOFS;
    let mut blocks = [[0.0; 18]; 2];
    let mut bias = [0.0; 3];
    for (active, frame) in laws.active.iter().zip(laws.frames.chunks_exact(S::DIM)) {
        let contact = &contacts[active.contact];
        for (i, direction) in frame.iter().enumerate() {
            bias[i] = -active.support[1].dot(*direction);
        }
        bias[0] += active.bias;
        let mut nodes = [0; 2];
        let mut count = 0;
        for (body, sign) in [(contact.key.candidate, 1.0), (contact.key.antagonist, -1.0)] {
            let Some(node) = masses.node[body as usize] else { continue };
            let pose = &prediction.poses[body as usize];
            let arm = contact.point.position - pose.position;
            for (direction, row) in frame.iter().zip(blocks[count].chunks_exact_mut(S::DOFS)) {
                S::jacobian_row(pose.rotation, arm, *direction * sign, row);
            }
            nodes[count] = node;
            count += 1;
        }
        let entries = [(nodes[0], &blocks[0][..size]), (nodes[1], &blocks[1][..size])];
        problem.push_contact(&entries[..count], &bias[..S::DIM], active.friction);
    }
    push_faces(&mut problem, contacts, laws);
    problem
}
