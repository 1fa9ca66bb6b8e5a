//! Joints turn contact points into a contact problem.
//!
//! With u the velocity of the candidate relative to the antagonist, each contact obeys 0 ≤ uₙ + b ⊥ rₙ ≥ 0 and Coulomb.
//!
//! | law | contacts that take part | b |
//! |---|---|---|
//! | inelastic | all within the alert distance | g/h for g > 0 |
//! | Newton e | gap closed in the mid configuration | e·min(uₙ⁻, 0) |
//! | Poisson ε | gap closed in the mid configuration | 0, then an expansion phase ([`super::solve`]) |
//! | elastic | all within the alert distance that have an area | the spring's, with compliance, see [`Spring`] |
//! | elastic at its stop | those whose springs can close no further, see [`Stop`] | (g + closure)/h, rigid |
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
use super::masses::{Masses, add_product};
use super::predict::{Interval, Prediction};
use super::rows::Row;
use super::spin::norm;
use crate::joints::{Elastic, friction};
use crate::model::{DynamicSettings, FrictionLaw, GapRule, Model, Restitution};
use crate::state::{ContactKey, ContactMemory, State};

/// Dead band of gaps, relative to the size of the smaller body.
pub(crate) const DEAD_BAND: f64 = 1e-9;

/// Penetration that stays, relative to the size of the smaller body; deeper ones come back at most at this speed [m/s].
const SINK: f64 = 1e-5;
const RECOVERY: f64 = 0.2;

/// A spring is at its stop within this share of its closure.
const AT_STOP: f64 = 1e-3;

/// A gap is far when it is larger than what the fastest body travels in a step times this: two bodies, ten times as
/// fast.
const FAR: f64 = 20.0;

/// Contacts whose place a bond takes: those with these keys, and all those of these pairs. Both are sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replaced {
    pub keys: Vec<ContactKey>,
    pub pairs: Vec<(u32, u32)>,
}

impl Replaced {
    fn contains(&self, key: &ContactKey) -> bool {
        self.keys.binary_search(key).is_ok() || self.pairs.binary_search(&(key.candidate, key.antagonist)).is_ok()
    }
}

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
    /// What gap, restitution and springs add to the velocity, in the contact's frame [m/s].
    pub bias: [f64; 3],
    /// Springs, if the joint has them.
    pub spring: Option<Spring>,
    /// Springs that are closed as far as they can be: the contact is rigid.
    pub stopped: Option<Spring>,
    /// Coefficient of friction.
    pub friction: f64,
    /// Poisson's ε; 0 for other laws.
    pub expansion: f64,
    /// Largest normal force [N].
    pub limit: f64,
    /// Compliance along the normal while it crushes [m/s per N·s].
    pub crush: f64,
}

/// The springs of an elastic contact. With g₀, δ₀ the gap and the elastic slip at the step's start, u₀ and u the velocities
/// at its start and end, the force is that at t_k + θh:
/// ```text
/// u + E r + b,   E = 1/(h²θ²k),   b = (δ₀ + hθ(1−θ)u₀)/(hθ²)
/// ```
/// A normal spring that only pushes and is open at the start pushes with what it has at the end of the step (the same
/// with θ² → θ and θ(1−θ) → 1−θ). With what it has at t_k + θh it would store up to ½k((1−θ)g₀/θ)² more than the bodies
/// gave for it: stiff springs threw blocks apart that fell on each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spring {
    /// Stiffness of the point in its frame [N/m].
    pub stiffness: [f64; 3],
    /// Gap and elastic slip at the step's start, in its frame [m].
    pub jump: [f64; 3],
    /// Relative velocity at the step's start, in its frame [m/s].
    pub before: [f64; 3],
    /// How far it can close [m].
    pub closure: f64,
    /// It pulls as well as pushes: a bond.
    pub pulls: bool,
}

impl Spring {
    /// The gap in the mid configuration, where contacts are rigid or not [m].
    fn mid_gap(&self, over: Interval) -> f64 {
        self.jump[0] + (1.0 - over.theta) * over.h * self.before[0]
    }

    /// True for a spring that has no way left in the mid configuration.
    pub fn at_stop(&self, over: Interval) -> bool {
        self.mid_gap(over) <= -self.closure * (1.0 - AT_STOP)
    }

    /// True for a spring that would be closed further than it can be at the next mid configuration, `ahead` away [s], for
    /// the normal velocity `u`.
    pub fn passes_stop(&self, over: Interval, ahead: f64, u: f64) -> bool {
        self.mid_gap(over) + ahead * u < -self.closure * (1.0 + AT_STOP)
    }

    /// True when the normal impulse `r` of a contact at its stop is less than what its spring pushes with.
    pub fn leaves_stop(&self, over: Interval, r: f64) -> bool {
        r < self.stiffness[0] * self.closure * (1.0 - AT_STOP) * over.h
    }

    /// When the force is taken in the step, along an axis of the frame: 1 is its end.
    fn moment(&self, over: Interval, axis: usize) -> f64 {
        if axis == 0 && self.jump[0] > 0.0 && !self.pulls { 1.0 } else { over.theta }
    }

    /// Diagonal of E.
    pub fn compliance(&self, over: Interval) -> [f64; 3] {
        let Interval { h, theta, .. } = over;
        std::array::from_fn(|i| 1.0 / (h * h * theta * self.moment(over, i) * self.stiffness[i]))
    }

    /// b.
    pub fn bias(&self, over: Interval) -> [f64; 3] {
        let Interval { h, theta, .. } = over;
        std::array::from_fn(|i| {
            let moment = self.moment(over, i);
            (self.jump[i] + h * moment * (1.0 - theta) * self.before[i]) / (h * theta * moment)
        })
    }

    /// The jump at the end of the step, for the velocity `after` there.
    pub fn after(&self, over: Interval, after: [f64; 3]) -> [f64; 3] {
        let Interval { h, theta, .. } = over;
        std::array::from_fn(|i| self.jump[i] + h * (theta * after[i] + (1.0 - theta) * self.before[i]))
    }

    /// How fast the contact slides, frame axes: what moves over the step and does not deflect the springs, for the velocity
    /// `after` and the impulse `r` of the solution. It is θ (u + E r + b), in which form the law of friction holds.
    pub fn sliding(&self, over: Interval, after: [f64; 3], r: [f64; 3]) -> [f64; 3] {
        let (compliance, bias) = (self.compliance(over), self.bias(over));
        std::array::from_fn(|i| over.theta * (after[i] + compliance[i] * r[i] + bias[i]))
    }

    /// ½ k δ² over some components [J].
    pub fn energy(&self, jump: [f64; 3], parts: std::ops::Range<usize>) -> f64 {
        parts.map(|i| 0.5 * self.stiffness[i] * jump[i] * jump[i]).sum()
    }
}

/// Whether a spring is at its stop in a step, as far as the passes of the step have found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It is where it was at the step's start.
    #[default]
    AsBefore,
    /// It comes to its stop.
    Reached,
    /// It leaves its stop.
    Left,
}

impl Stop {
    fn holds(self, spring: &Spring, over: Interval) -> bool {
        match self {
            Self::AsBefore => spring.at_stop(over),
            Self::Reached => true,
            Self::Left => false,
        }
    }
}

/// The contact laws of one step.
#[derive(Clone, Debug)]
pub(crate) struct Laws<S: Space> {
    /// Contacts in the problem, in order of their keys.
    pub active: Vec<Active<S>>,
    /// Frame n, t1[, t2] of each of them (active × dim).
    pub frames: Vec<S::Vector>,
    /// What takes part in the problem after the contacts: bonds, cables.
    pub rows: Vec<Row>,
    /// Associated friction in place of Coulomb's.
    pub associated: bool,
}

/// Applies the joint laws to the detected contacts; `replaced` are those whose place a bond takes, `pulled` is the speed
/// that cables may give to bodies [m/s].
#[allow(clippy::too_many_arguments)]
pub(crate) fn apply_laws<S: Space>(
    model: &Model<S>,
    masses: &Masses,
    state: &State<S>,
    prediction: &Prediction<S>,
    contacts: &[Contact<S>],
    settings: &DynamicSettings,
    over: Interval,
    replaced: &Replaced,
    pulled: f64,
    stops: &[Stop],
) -> Laws<S> {
    let associated = settings.friction_law == FrictionLaw::Associated;
    let mut laws =
        Laws { active: Vec::with_capacity(contacts.len()), frames: Vec::new(), rows: Vec::new(), associated };
    let (h, ahead) = (over.h, over.ahead(settings.step));
    let far = FAR * ahead * (fastest(masses, state, prediction) + pulled);
    let mut remembered = state.contacts.iter().peekable();
    for (index, contact) in contacts.iter().enumerate() {
        let (a, b) = (contact.key.candidate as usize, contact.key.antagonist as usize);
        let point = &contact.point;
        let joint = model.joints.between(model.bodies[a].material, model.bodies[b].material);
        let band = DEAD_BAND * masses.smaller(a, b);
        let impact_law = joint.restitution != Restitution::Inelastic;
        while remembered.next_if(|m| m.key < contact.key).is_some() {}
        let memory = remembered.next_if(|m| m.key == contact.key);
        if point.gap > if impact_law { band } else { band + far } || replaced.contains(&contact.key) {
            continue;
        }
        let support = support_velocities(masses, state, prediction, contact);
        let mut active = Active {
            contact: index,
            support,
            bias: [0.0; 3],
            spring: None,
            stopped: None,
            friction: friction::coefficient(&joint, memory.is_some_and(|memory| memory.slid)),
            expansion: 0.0,
            limit: joint.strength.filter(|_| point.area > 0.0).map_or(f64::INFINITY, |strength| strength * point.area),
            crush: 0.0,
        };
        let first = laws.frames.len();
        S::frame(point.normal, &mut laws.frames);
        if let Some(elastic) = joint.elastic.filter(|_| point.area > 0.0) {
            let before = relative_velocity(masses, prediction, contact, &prediction.before, support[0]);
            let spring = spring(contact, elastic, memory, before, &laws.frames[first..], over);
            if stops.get(index).copied().unwrap_or_default().holds(&spring, over) {
                let gap = point.gap + contact.overlap + elastic.closure;
                let sink = SINK * masses.smaller(a, b);
                (active.bias[0], active.stopped) = (gap_bias(gap, band, sink, settings.gap, [h, ahead]), Some(spring));
            } else {
                (active.bias, active.spring) = (spring.bias(over), Some(spring));
            }
            laws.active.push(active);
            continue;
        }
        let sink = contact.overlap.max(SINK * masses.smaller(a, b));
        let deep = !impact_law && point.gap < -sink && {
            // what the prediction itself drove in is stopped, not pushed out
            let before = relative_velocity(masses, prediction, contact, &prediction.before, support[0]);
            point.gap - (1.0 - over.theta) * h * before.dot(point.normal).min(0.0) < -sink
        };
        let sink = if deep { sink } else { f64::INFINITY };
        active.bias[0] = gap_bias(point.gap, band, sink, settings.gap, [h, ahead]);
        match joint.restitution {
            Restitution::Inelastic => {}
            Restitution::Newton(e) => {
                let before = relative_velocity(masses, prediction, contact, &prediction.before, support[0]);
                active.bias[0] += e * before.dot(point.normal).min(0.0);
            }
            Restitution::Poisson(epsilon) => active.expansion = epsilon,
        }
        laws.active.push(active);
    }
    laws
}

/// The springs of a contact whose joint is elastic.
fn spring<S: Space>(
    contact: &Contact<S>,
    elastic: Elastic,
    memory: Option<&ContactMemory<S>>,
    before: S::Vector,
    frame: &[S::Vector],
    over: Interval,
) -> Spring {
    let point = &contact.point;
    let mut spring = Spring {
        stiffness: [elastic.tangential * point.area; 3],
        jump: [0.0; 3],
        before: [0.0; 3],
        closure: elastic.closure,
        pulls: false,
    };
    spring.stiffness[0] = elastic.normal * point.area;
    let slip = memory.map_or(S::zero(), |memory| memory.elastic_slip);
    for (i, direction) in frame.iter().enumerate() {
        spring.before[i] = before.dot(*direction);
        spring.jump[i] = slip.dot(*direction);
    }
    // overlaps of the start carry nothing; the gap at the step's start, from that in the mid configuration
    spring.jump[0] = point.gap + contact.overlap - (1.0 - over.theta) * over.h * spring.before[0];
    spring
}

/// Velocity of the antagonist at the point if it is a support that moves: at the start of the step and over it [m/s].
pub(crate) fn support_velocities<S: Space>(
    masses: &Masses,
    state: &State<S>,
    prediction: &Prediction<S>,
    contact: &Contact<S>,
) -> [S::Vector; 2] {
    let b = contact.key.antagonist as usize;
    match (masses.node[b], &prediction.supports[b]) {
        (None, Some(_)) => {
            let velocity = &state.velocities[b * S::DOFS..][..S::DOFS];
            let before = point_velocity(&prediction.poses[b], velocity, contact.point.position);
            [before, support_velocity(masses, prediction, contact)]
        }
        _ => [S::zero(); 2],
    }
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

/// J M⁻¹ Jᵀ of a contact along its normal.
pub(crate) fn normal_mobility<S: Space>(masses: &Masses, prediction: &Prediction<S>, contact: &Contact<S>) -> f64 {
    let mut sum = 0.0;
    for body in [contact.key.candidate, contact.key.antagonist] {
        let Some(node) = masses.node[body as usize] else { continue };
        let pose = &prediction.poses[body as usize];
        let (mut row, mut moved) = ([0.0; 6], [0.0; 6]);
        let arm = contact.point.position - pose.position;
        S::jacobian_row(pose.rotation, arm, contact.point.normal, &mut row[..S::DOFS]);
        add_product(masses.inverse_of::<S>(node as usize), &row[..S::DOFS], &mut moved[..S::DOFS]);
        sum += row.iter().zip(moved).map(|(j, m)| j * m).sum::<f64>();
    }
    sum
}

/// The contact problem with the given free velocities (nodes × dofs).
pub(crate) fn assemble<S: Space>(
    masses: &Masses,
    prediction: &Prediction<S>,
    contacts: &[Contact<S>],
    laws: &Laws<S>,
    free: &[f64],
    over: Interval,
) -> Problem {
    // what rows add to the bodies besides the impulses that are sought
    let mut free = free.to_vec();
    laws.rows.iter().for_each(|row| row.add_shift::<S>(masses, &mut free));
    let free = &free;
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
            bias[i] = active.bias[i] - active.support[1].dot(*direction);
        }
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
        let k = problem.push_contact(&entries[..count], &bias[..S::DIM], active.friction);
        if let Some(spring) = &active.spring {
            problem.set_compliance(k, &spring.compliance(over)[..S::DIM]);
        } else if active.crush > 0.0 {
            problem.set_compliance(k, &[active.crush, 0.0, 0.0][..S::DIM]);
        }
    }
    for row in &laws.rows {
        row.push::<S>(&mut problem);
    }
    push_faces(&mut problem, contacts, laws);
    problem
}
