//! Limit analysis: the largest multiplier λ of a load that the structure can carry, the mechanism that proves it.
//!
//! max λ over admissible forces in equilibrium (lower value) = min of −P_dead over mechanisms with P_live = 1 (upper
//! value), for joints whose sliding opens them at the angle of friction (associated). For joints that slide without
//! opening there is no such theorem; the iteration of Gilbert, Casapulla & Ahmed (2006) gives *a* limit state of them:
//! each pass fixes the friction that the normal forces of the previous pass can mobilise, and lets joints slide with
//! almost no dilatancy.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use voussoir_geometry::Space;

use crate::conic::{self, Engine, Outcome};
use crate::decide::proof;
use crate::equilibrium::{Capacity, Law, Terms, depth};
use crate::error::StaticsError;
use crate::loads::Question;
use crate::mechanism::{FlowRule, Mechanism};
use crate::strength;
use crate::structure::Structure;

/// Settings of a limit analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitSettings {
    /// Dilatant friction (a bound with its proof), or sliding without dilatancy (an iteration).
    pub associated: bool,
    /// Strength of the joints besides friction.
    pub capacity: Capacity,
    /// Which solver.
    pub engine: Engine,
    /// Time at which fixed loads are taken [s].
    pub time: f64,
    /// Change of λ between passes of the iteration that ends it, relative.
    pub tolerance: f64,
    /// Most passes of the iteration.
    pub passes: usize,
    /// Called after every pass.
    pub progress: PassProgress,
}

/// A function that is called with the number of a pass of the iteration, its multiplier and its distance from a limit
/// state. It is not a part of the settings that are compared.
#[derive(Clone, Default)]
pub struct PassProgress(pub Option<Arc<PassWatcher>>);

/// Number of the pass, multiplier, largest of change and excess of friction.
pub type PassWatcher = dyn Fn(usize, f64, f64) + Send + Sync;

impl fmt::Debug for PassProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PassProgress({})", self.0.is_some())
    }
}

impl PartialEq for PassProgress {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Default for LimitSettings {
    fn default() -> Self {
        Self {
            associated: true,
            capacity: Capacity::default(),
            engine: Engine::Clarabel,
            time: 0.0,
            tolerance: 1e-4,
            passes: 300,
            progress: PassProgress::default(),
        }
    }
}

/// How a limit analysis ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LimitVerdict {
    /// There is a largest multiplier.
    Limit,
    /// Unbounded: no multiple of the load causes collapse.
    Unbounded,
    /// The fixed loads alone cause collapse; a negative multiplier is the reversed load that would restore equilibrium,
    /// `None` if no multiple does.
    Falls,
    /// Not decided to tolerance.
    Undecided,
}

/// The answer of a limit analysis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LimitAnswer {
    /// Name of the load.
    pub load: String,
    /// How it ended.
    pub verdict: LimitVerdict,
    /// The largest multiplier for which there are admissible forces, a lower bound; `None` if unbounded or collapsing.
    pub multiplier: Option<f64>,
    /// The multiplier at which the mechanism moves: an upper bound.
    pub upper: Option<f64>,
    /// upper − multiplier.
    pub gap: Option<f64>,
    /// Newton steps in all.
    pub iterations: usize,
    /// Passes of the non-associated iteration; 0 for the associated law.
    pub passes: usize,
    /// Last change of λ between passes, relative; 0 for the associated law.
    pub change: f64,
    /// Upper bound of the associated law: no joint that slides without opening carries more (Radenkovic 1961). `None`
    /// for the associated law itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub associated_bound: Option<f64>,
    /// Smallest and largest multiplier of the last passes of an iteration that ended without a limit state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_passes: Option<[f64; 2]>,
    /// Largest ‖T‖ − μN − cohesion over the joints, relative to the largest normal force: how far the last pass is from
    /// friction of its own normal forces. 0 for the associated law.
    pub friction_excess: f64,
    /// True if forces and a mechanism (or an unbounded direction) prove the verdict, with bounds that meet.
    pub proved: bool,
    /// Which flow rule.
    pub associated: bool,
    /// Which solver.
    pub engine: Engine,
    /// Imbalance of the forces relative to the loads.
    pub imbalance: f64,
    /// Loads that press on the structure and are not accelerated with it: only for an acceleration of the ground.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_accelerated: Vec<String>,
    /// Mechanism at the collapse load, or under the constant loads if these cause collapse.
    pub mechanism: Option<Mechanism>,
}

/// Finds the largest multiplier. The forces at the limit are left in the contacts of the structure.
pub fn limit<S: Space>(
    structure: &mut Structure<S>,
    question: &Question<S>,
    settings: &LimitSettings,
) -> Result<LimitAnswer, StaticsError> {
    let live = structure.live_load(question, settings.time)?;
    let dead = structure.dead_load(settings.time, question.without());
    check_touch(structure, question, &live)?;
    strength::divide(structure, &settings.capacity)?;
    let mut answer = limit_of(structure, &dead, &live, settings);
    answer.load = question.name();
    answer.not_accelerated = structure.not_accelerated(question, settings.time);
    Ok(answer)
}

/// The same for loads that are given (nodes × dofs).
pub fn limit_of<S: Space>(
    structure: &mut Structure<S>,
    dead: &[f64],
    live: &[f64],
    settings: &LimitSettings,
) -> LimitAnswer {
    let terms = Terms { live: Some(live), ..Terms::new(dead, &settings.capacity) };
    let mut answer = pass(structure, &terms, settings);
    // λ for which both loads have the same size
    let scale = structure.size_of(dead) / structure.size_of(live).max(f64::MIN_POSITIVE);
    judge(&mut answer, scale);
    if !answer.proved {
        let first = structure.contacts.clone();
        let other = LimitSettings { engine: settings.engine.other(), ..settings.clone() };
        let mut second = pass(structure, &terms, &other);
        judge(&mut second, scale);
        second.iterations += answer.iterations;
        let forces_of_first = !second.proved && answer.multiplier > second.multiplier;
        answer = if second.proved { second } else { narrower(answer, second) };
        judge(&mut answer, scale);
        if forces_of_first {
            structure.contacts = first;
        }
    }
    if settings.associated || answer.verdict != LimitVerdict::Limit {
        answer.associated = settings.associated;
        return answer;
    }
    answer.associated = false;
    iterate(structure, &terms, settings, answer)
}

/// Bounds of a proved multiplier differ by less than this fraction of it, or of a hundredth of the multiplier for which
/// both loads have the same size.
pub const GAP: f64 = 1e-4;

/// Relative error of the forces of an unbounded direction, and of the velocities of a mechanism, that prove a verdict.
const SOUND: f64 = 1e-6;

/// Decides whether an answer is proved: bounds must meet. An answer without proof is "not decided". `scale` is the
/// multiplier for which both loads have the same size.
fn judge(answer: &mut LimitAnswer, scale: f64) {
    if let (Some(gap), Some(upper)) = (answer.gap, answer.upper) {
        answer.proved = gap.abs() <= GAP * upper.abs().max(0.01 * scale);
        answer.verdict = if upper < 0.0 { LimitVerdict::Falls } else { LimitVerdict::Limit };
    }
    if !answer.proved {
        answer.verdict = LimitVerdict::Undecided;
    }
}

/// The narrower bounds of two answers, with the mechanism of the smaller upper bound.
fn narrower(one: LimitAnswer, two: LimitAnswer) -> LimitAnswer {
    let highest = [one.multiplier, two.multiplier].into_iter().flatten().reduce(f64::max);
    let lowest = [one.upper, two.upper].into_iter().flatten().reduce(f64::min);
    let iterations = one.iterations.max(two.iterations);
    let first = one.upper.unwrap_or(f64::INFINITY) <= two.upper.unwrap_or(f64::INFINITY);
    let mut best = if first { one } else { two };
    (best.multiplier, best.upper, best.iterations) = (highest, lowest, iterations);
    best.gap = highest.zip(lowest).map(|(lower, upper)| upper - lower);
    best
}

/// Fraction of μ that remains as dilatancy in the passes of the iteration: a smaller one is more accurate and slower.
const DILATANCY: f64 = 1e-2;

/// Fraction of the new normal forces that a pass adopts.
const TAKE: f64 = 0.6;

/// Number of passes after which a cycling iteration is damped.
const PATIENCE: usize = 20;

/// Penalty on deviations from the normal forces of the previous pass, in λ per ½ (N − N°)² of mean loads. It vanishes
/// at convergence, so the state without dilatancy is not changed.
const NEARNESS: f64 = 1e-3;

/// Factor on the dilatancy in each pass: the iteration follows a state close to the associated one; a jump could end in
/// any of the many states without dilatancy.
const FADE: f64 = 0.7;

/// Number of passes without progress after which the iteration ends, for small structures and for others.
const STALLED: [usize; 2] = [100, 30];

/// Structures with more free bodies are not small.
const SMALL: usize = 200;

fn iterate<S: Space>(
    structure: &mut Structure<S>,
    terms: &Terms<'_, S>,
    settings: &LimitSettings,
    first: LimitAnswer,
) -> LimitAnswer {
    let normals = |structure: &Structure<S>| -> Vec<f64> {
        use voussoir_geometry::Vector;
        structure.contacts.iter().map(|contact| contact.force.dot(contact.normal)).collect()
    };
    let mut normal = normals(structure);
    let least = structure.contacts.iter().map(|contact| contact.friction).fold(f64::INFINITY, f64::min);
    let (mut last, mut iterations) = (first.clone(), first.iterations);
    let mut dilatancy = 1.0;
    let stalled = STALLED[usize::from(structure.nodes() > SMALL)];
    // the pass nearest to a limit state, and all multipliers
    let (mut nearest, mut best, mut all) = (0, f64::INFINITY, Vec::new());
    for count in 1..=settings.passes {
        dilatancy = f64::max(FADE * dilatancy, DILATANCY);
        let nearness = if count > PATIENCE { NEARNESS } else { 0.0 };
        let law = Law::Fixed { dilatancy: dilatancy * least, normal: &normal, nearness };
        let mut answer = pass(structure, &Terms { law, ..terms.clone() }, settings);
        iterations += answer.iterations;
        (answer.associated, answer.passes, answer.iterations) = (false, count, iterations);
        let (Some(new), Some(old)) = (answer.multiplier, last.multiplier) else { return answer };
        answer.change = (new - old).abs() / new.abs().max(f64::MIN_POSITIVE);
        let fresh = normals(structure);
        // the normal forces of this very pass must give the friction that it uses
        answer.friction_excess = friction_excess(structure, &settings.capacity);
        let miss = answer.change.max(answer.friction_excess);
        let done = miss <= settings.tolerance && dilatancy <= DILATANCY;
        if let Some(watch) = &settings.progress.0 {
            watch(count, new, miss);
        }
        all.push(new);
        answer.associated_bound = first.upper;
        if dilatancy <= DILATANCY && miss < 0.9 * best {
            (nearest, best) = (count, miss);
        }
        let take = if count > PATIENCE { 1.0 } else { TAKE };
        normal.iter_mut().zip(&fresh).for_each(|(kept, fresh)| *kept += take * (fresh - *kept));
        last = answer;
        if done {
            return last;
        }
        if count > stalled + nearest.max(PATIENCE) {
            break;
        }
    }
    last.verdict = LimitVerdict::Undecided;
    let recent = all.iter().rev().take(PATIENCE);
    last.last_passes = Some([recent.clone().fold(f64::INFINITY, |a, b| a.min(*b)), recent.fold(0.0, |a, b| a.max(*b))]);
    last
}

/// Largest ‖T‖ − μN − cohesion over the contacts, relative to the largest normal force.
fn friction_excess<S: Space>(structure: &Structure<S>, capacity: &Capacity) -> f64 {
    use voussoir_geometry::Vector;
    let depth = depth(structure);
    let (mut excess, mut largest) = (0.0f64, f64::MIN_POSITIVE);
    for (index, contact) in structure.contacts.iter().enumerate() {
        let normal = contact.force.dot(contact.normal);
        let shear = (contact.force - contact.normal * normal).length();
        excess = excess.max(shear - contact.friction * normal - structure.cohesion(index, capacity, depth));
        largest = largest.max(normal);
    }
    excess / largest
}

/// One program; leaves its forces in the structure.
fn pass<S: Space>(structure: &mut Structure<S>, terms: &Terms<'_, S>, settings: &LimitSettings) -> LimitAnswer {
    let posed = structure.pose(terms);
    let solution = conic::solve(&posed.program, settings.engine);
    let [lower, upper] = posed.multiplier(&solution);
    let verdict = match solution.outcome {
        Outcome::Optimal if upper < 0.0 => LimitVerdict::Falls,
        Outcome::Optimal => LimitVerdict::Limit,
        Outcome::NoForces => LimitVerdict::Falls,
        Outcome::Unbounded => LimitVerdict::Unbounded,
        Outcome::Stalled => LimitVerdict::Undecided,
    };
    let bounded = matches!(solution.outcome, Outcome::Optimal | Outcome::Stalled);
    let forces = posed.forces(&solution);
    structure.keep_forces(&forces);
    let flow = if terms.capacity.compression.is_some() { FlowRule::Crushing } else { FlowRule::Associated };
    let velocities = posed.velocities(&solution);
    let mechanism = match verdict {
        LimitVerdict::Unbounded => None,
        _ => structure.mechanism(&velocities, terms.dead, terms.live, flow),
    };
    LimitAnswer {
        load: String::new(),
        verdict,
        multiplier: bounded.then_some(lower),
        upper: bounded.then_some(upper),
        gap: bounded.then_some(upper - lower),
        iterations: solution.iterations,
        passes: 0,
        change: 0.0,
        associated_bound: None,
        last_passes: None,
        friction_excess: 0.0,
        proved: match solution.outcome {
            // strengths dissipate power: the violation of the dual program is included
            Outcome::NoForces if !terms.capacity.is_dry() => solution.incompatibility <= SOUND,
            Outcome::NoForces => proof(structure, terms.dead, &velocities).is_ok(),
            Outcome::Unbounded => solution.imbalance <= SOUND,
            Outcome::Optimal | Outcome::Stalled => false,
        },
        associated: true,
        engine: settings.engine,
        imbalance: solution.imbalance,
        not_accelerated: Vec::new(),
        mechanism,
    }
}

/// A load on bodies without contacts cannot be resisted by the structure.
fn check_touch<S: Space>(structure: &Structure<S>, question: &Question<S>, live: &[f64]) -> Result<(), StaticsError> {
    let mut touched = vec![false; structure.nodes()];
    for contact in &structure.contacts {
        for body in [contact.key.candidate, contact.key.antagonist] {
            if let Some(node) = structure.node[body as usize] {
                touched[node as usize] = true;
            }
        }
    }
    let cables = structure.cables.iter().filter(|fitted| !fitted.pressure);
    for body in cables.flat_map(|fitted| fitted.cable.anchors.iter().map(|anchor| anchor.body)) {
        if let Some(node) = structure.node[body] {
            touched[node as usize] = true;
        }
    }
    let loaded = |node: usize| live[node * S::DOFS..][..S::DOFS].iter().any(|f| *f != 0.0);
    if (0..structure.nodes()).any(|node| loaded(node) && touched[node]) {
        return Ok(());
    }
    let reason = "it acts on bodies that touch no other body".to_owned();
    Err(StaticsError::TouchesNothing { name: question.name(), reason })
}
