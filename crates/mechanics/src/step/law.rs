//! Joints turn contact points into a contact problem.
//!
//! With u the velocity of the candidate relative to the antagonist, each contact obeys 0 ≤ uₙ + b ⊥ rₙ ≥ 0 and Coulomb.
//!
//! | law | contacts that take part | b |
//! |---|---|---|
//! | inelastic | all within the alert distance | g/h for g > 0 |
//! | Newton e | gap closed in the mid configuration | e·min(uₙ⁻, 0) |
//! | Poisson ε | gap closed in the mid configuration | 0, then an expansion phase ([`super::solve`]) |
//! | elastic | all within the alert distance that have an area | the spring's, with compliance, see [`super::spring`] |
//! | elastic at its stop | those whose springs can close no further, see [`Stop`] | (g + closure)/h, rigid |
//!
//! For g < 0 the gap rule adds nothing, or max(g/h, −v_max). Blocks that rotate while sliding penetrate by ½h²ω‖u_T‖ in
//! every step, which would accumulate: both rules correct penetration beyond 1e-5 of the smaller body's size and beyond
//! the initial overlap of the pair.
//!
//! **Cut steps.** The next mid configuration is θh + (1−θ)h′ away, h′ the next step's length. A step that is cut may be
//! followed by a whole one, so a positive gap is divided by that time with h′ = the whole step; with h alone a body
//! could pass through another body before the next detection.
//!
//! **Far contacts** are omitted: their gap cannot close in the step, even at ten times the speed of the fastest body
//! without contacts. Their g/h would be by far the largest velocity of the problem, and the residual is relative to it.
//!
//! **Dead band.** A gap is measured from δ = 1e-9 of the smaller body's size: g is taken as 0 between −δ and δ, as g −
//! δ above, as g + δ below; between elastic blocks δ = 0. Rounding noise of gaps, 1e-16 m divided by h, is otherwise as
//! large as the velocities that decide how a redundant structure shares its forces. The shift keeps the law continuous
//! in g.

use voussoir_geometry::{ContactPoint, Space, Vector};

use super::masses::Masses;
use super::predict::{Interval, Prediction};
use super::relative::{fastest, relative_velocity, support_velocities};
use super::rows::Row;
use super::spring::{Spring, Stop, contact_spring};
use crate::elastic::flex::ElasticSide;
use crate::model::{DynamicSettings, FrictionLaw, GapRule, Joint, Model, Restitution};
use crate::state::{ContactKey, ContactMemory, State};

/// Dead band of gaps, relative to the size of the smaller body.
pub(crate) const DEAD_BAND: f64 = 1e-9;

/// Penetration that is not corrected, relative to the size of the smaller body.
const UNCORRECTED_DEPTH: f64 = 1e-5;
/// Largest speed at which a deeper penetration is corrected [m/s].
const CORRECTION_SPEED: f64 = 0.2;

/// Share of a penetration of elastic blocks that is corrected in a step: their stresses depend on it. A tenth adds
/// little energy.
const ELASTIC_CORRECTION: f64 = 0.1;

/// Largest coefficient of friction that represents cohesion: reached with a very small normal force.
const MOST_COHESIVE_FRICTION: f64 = 1e3;

/// A gap is far if it is larger than this factor times the travel of the fastest body in a step: two bodies, ten times
/// as fast.
const FAR_TRAVELS: f64 = 20.0;

/// Contacts replaced by bonds: those with these keys, and all those of these pairs. Both are sorted.
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
    /// Overlap of the two bodies at the start [m].
    pub overlap: f64,
    /// Elastic sides: candidate, antagonist.
    pub elastic: [Option<ElasticSide>; 2],
}

impl<S: Space> Contact<S> {
    /// True if one of the two bodies is elastic.
    pub fn is_elastic(&self) -> bool {
        self.elastic.iter().any(Option::is_some)
    }

    /// Attaches one side (0: candidate) to a coordinate of its elastic block, which is displaced by `moved`, world axes [m].
    pub fn sit(&mut self, side: usize, coordinate: ElasticSide, moved: S::Vector) {
        self.elastic[side] = Some(coordinate);
        self.point.gap += self.point.normal.dot(moved) * if side == 0 { 1.0 } else { -1.0 };
    }

    /// Dead band of the gap for a smaller body of a size [m]. Forces between elastic blocks are unique, and
    /// displacements as small as the dead band count: they have none.
    fn dead_band(&self, smaller: f64) -> f64 {
        if self.is_elastic() { 0.0 } else { DEAD_BAND * smaller }
    }

    /// Gap up to which the contact takes part in the problem [m]: with an impact law the dead band, else `far`, and any
    /// gap for elastic blocks, whose surfaces are faster than their centroids.
    fn reach(&self, impact_law: bool, smaller: f64, far: f64) -> f64 {
        match (impact_law, self.is_elastic()) {
            (true, _) => DEAD_BAND * smaller,
            (false, true) => f64::INFINITY,
            (false, false) => DEAD_BAND * smaller + far,
        }
    }

    /// The bias of a gap; penetration of elastic blocks is corrected slowly where the bias does not.
    fn corrected(&self, bias: f64, h: f64) -> f64 {
        if self.is_elastic() && self.point.gap < 0.0 {
            bias.min((ELASTIC_CORRECTION * self.point.gap / h).max(-CORRECTION_SPEED))
        } else {
            bias
        }
    }
}

/// A contact that takes part in the problem. The candidate is always free.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Active<S: Space> {
    /// Index among the detected contacts.
    pub contact: usize,
    /// Velocity of the antagonist at the point if it is a support: at the start of the step and over it [m/s].
    pub support: [S::Vector; 2],
    /// Velocity bias by gap, restitution and springs, in the contact frame [m/s].
    pub bias: [f64; 3],
    /// Springs, if the joint has any; true at their maximum closure, where the contact is rigid.
    springs: Option<(Spring, bool)>,
    /// Coefficient of friction.
    pub friction: f64,
    /// Poisson's ε; 0 for other laws.
    pub expansion: f64,
    /// Largest normal force [N].
    pub limit: f64,
    /// Compliance along the normal while it crushes [m/s per N·s].
    pub crush: f64,
}

impl<S: Space> Active<S> {
    /// The springs of the joint below their maximum closure.
    pub fn spring(&self) -> Option<&Spring> {
        self.springs.as_ref().filter(|(_, stopped)| !stopped).map(|(spring, _)| spring)
    }

    /// The springs of the joint at their maximum closure.
    pub fn stopped(&self) -> Option<&Spring> {
        self.springs.as_ref().filter(|(_, stopped)| *stopped).map(|(spring, _)| spring)
    }
}

/// The contact laws of one step.
#[derive(Clone, Debug)]
pub(crate) struct Laws<S: Space> {
    /// Contacts in the problem, in order of their keys.
    pub active: Vec<Active<S>>,
    /// Frame n, t1[, t2] of each of them (active × dim).
    pub frames: Vec<S::Vector>,
    /// Further rows of the problem: bonds, cables.
    pub rows: Vec<Row>,
    /// Associated friction in place of Coulomb's.
    pub associated: bool,
}

/// Applies the joint laws to the detected contacts; `replaced` are those that bonds replace, `pulled` is the speed
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
    let far = FAR_TRAVELS * ahead * (fastest(masses, state, prediction) + pulled);
    let mut remembered = state.contacts.iter().peekable();
    for (index, contact) in contacts.iter().enumerate() {
        let (a, b) = (contact.key.candidate as usize, contact.key.antagonist as usize);
        let point = &contact.point;
        let joint = model.joints.between(model.bodies[a].material, model.bodies[b].material);
        let band = contact.dead_band(masses.smaller(a, b));
        let impact_law = joint.restitution != Restitution::Inelastic;
        while remembered.next_if(|m| m.key < contact.key).is_some() {}
        let memory = remembered.next_if(|m| m.key == contact.key);
        if point.gap > contact.reach(impact_law, masses.smaller(a, b), far) || replaced.contains(&contact.key) {
            continue;
        }
        let support = support_velocities(masses, state, prediction, contact);
        let mut active = Active {
            contact: index,
            support,
            bias: [0.0; 3],
            springs: None,
            friction: joint.friction_law().coefficient(memory.is_some_and(|memory| memory.slid))
                + cohesive_friction(&joint, point, memory),
            expansion: 0.0,
            limit: joint.strength.filter(|_| point.area > 0.0).map_or(f64::INFINITY, |strength| strength * point.area),
            crush: 0.0,
        };
        let first = laws.frames.len();
        S::frame(point.normal, &mut laws.frames);
        if let Some(elastic) = joint.elastic.filter(|_| point.area > 0.0) {
            let before = relative_velocity(masses, prediction, contact, &prediction.before, support[0]);
            let spring = contact_spring(contact, elastic, memory, before, &laws.frames[first..], over);
            if stops.get(index).copied().unwrap_or_default().holds(&spring, over) {
                let gap = point.gap + contact.overlap + elastic.closure;
                let sink = UNCORRECTED_DEPTH * masses.smaller(a, b);
                active.bias[0] = gap_bias(gap, band, sink, settings.gap, [h, ahead]);
                active.springs = Some((spring, true));
            } else {
                (active.bias, active.springs) = (spring.bias(over), Some((spring, false)));
            }
            laws.active.push(active);
            continue;
        }
        let sink = contact.overlap.max(UNCORRECTED_DEPTH * masses.smaller(a, b));
        let deep = !impact_law && point.gap < -sink && {
            // penetration in the prediction is stopped, not corrected
            let before = relative_velocity(masses, prediction, contact, &prediction.before, support[0]);
            point.gap - (1.0 - over.theta) * h * before.dot(point.normal).min(0.0) < -sink
        };
        let sink = if deep { sink } else { f64::INFINITY };
        active.bias[0] = contact.corrected(gap_bias(point.gap, band, sink, settings.gap, [h, ahead]), h);
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

/// Cohesion of soil as friction: c S divided by the normal force of the last step; zero for points without area.
fn cohesive_friction<S: Space>(joint: &Joint, point: &ContactPoint<S>, memory: Option<&ContactMemory<S>>) -> f64 {
    let pressed = memory.map_or(0.0, |memory| memory.force.dot(point.normal));
    if joint.cohesion == 0.0 || pressed <= 0.0 {
        return 0.0;
    }
    (joint.cohesion * point.area / pressed).min(MOST_COHESIVE_FRICTION)
}

/// Bias of the normal velocity by the gap. Penetration up to `sink` is tolerated; the times are the step and
/// the way to the next mid configuration [s].
fn gap_bias(gap: f64, band: f64, sink: f64, rule: GapRule, [h, ahead]: [f64; 2]) -> f64 {
    match rule {
        _ if gap > band => (gap - band) / ahead,
        GapRule::Stabilized(speed) if gap < -band => ((gap + band) / h).max(-speed),
        GapRule::Clip if gap < -sink => ((gap + sink) / h).max(-CORRECTION_SPEED),
        _ => 0.0,
    }
}
