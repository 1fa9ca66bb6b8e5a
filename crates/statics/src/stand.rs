//! Static verdict by certificates: admissible forces in equilibrium, or a mechanism driven by the loads.
//!
//! Exactly one of the two exists (Farkas): forces r ∈ K with Jᵀr + f = 0, or velocities v with J v ∈ K* and f·v > 0.
//! With such forces Coulomb's law has a solution at rest; with such a mechanism it has none. The verdict is "not
//! decided" if neither was found within the tolerance.

use serde::Serialize;
use voussoir_contact::{Options, Solver, SolverKind};
use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::measures::{mass_and_weight, support_reaction};

use crate::cable::Fitted;
use crate::conic::Engine;
pub use crate::decide::{Certificate, Verdict, decide};
use crate::decide::{MECHANISM_TOLERANCE, by_program, impulses};
use crate::developed::Developed;
use crate::equilibrium::Law;
use crate::joints::{PlaneJoint, margins};
use crate::mechanism::{FlowRule, Mechanism};
use crate::structure::{Structure, Weaker};

/// Bisections of a margin.
const MARGIN_BISECTIONS: usize = 12;

/// Settings of a static analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct StandSettings {
    /// Time at which loads are evaluated [s].
    pub time: f64,
    /// Largest accepted imbalance of forces, relative to the loads.
    pub tolerance: f64,
    /// Solver of conic programs.
    pub engine: Engine,
    /// Best margins over all admissible states, or those of the computed forces; `None`: best for small structures.
    pub best_margins: Option<bool>,
}

impl Default for StandSettings {
    fn default() -> Self {
        Self { time: 0.0, tolerance: 1e-8, engine: Engine::Own, best_margins: None }
    }
}

/// Result of a static analysis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StandAnswer {
    /// True or false; `None` if not decided within the tolerance. A wedged structure does not stand.
    pub stands: Option<bool>,
    /// The verdict in a word.
    pub verdict: VerdictWord,
    /// The condition that prevents a proof, if the verdict is not decided.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub missing: String,
    /// Certificate of the verdict; forces also if the structure is wedged.
    pub certificate: Certificate,
    /// Smallest of the margins below; `None` if the structure collapses.
    pub margin: Option<f64>,
    /// 1 − (distance of the centre of pressure from the centre of its joint)/(distance of the edge), for the worst
    /// joint.
    pub geometric_margin: Option<f64>,
    /// 1 − ‖T‖/(μN), for the worst joint.
    pub friction_margin: Option<f64>,
    /// "best" over all admissible states, or of the "found" forces: a lower bound of the best.
    pub margin_of: &'static str,
    /// Residual of Coulomb's law: of the forces at rest, or of the initial motion.
    pub residual: f64,
    /// Imbalance of the forces relative to the loads.
    pub imbalance: f64,
    /// Weight of the free bodies \[N\].
    pub weight_n: f64,
    /// Reaction of all supports against gravity \[N\].
    pub support_reaction_n: f64,
    /// Newton steps of the verdict.
    pub iterations: usize,
    /// The initial motion under Coulomb's law, or the mechanism that proves collapse if that motion was not found;
    /// `None` if the structure stands.
    pub mechanism: Option<Mechanism>,
    /// Tensions of cables, if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cables: Vec<CableForce>,
    /// Joints with their forces, if the structure stands.
    #[serde(skip)]
    pub joints: Vec<PlaneJoint>,
}

/// The verdict in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictWord {
    /// Admissible forces are in equilibrium, and the loads produce them.
    Stands,
    /// Equilibrium exists only by self-stress between fixed parts that no load produces: the structure moves.
    Wedged,
    /// A mechanism is driven by the loads.
    Collapses,
    /// Neither was proved within the tolerance.
    NotDecided,
}

/// Tension of a cable.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CableForce {
    /// Its name.
    pub name: String,
    /// \[N\]
    pub tension_n: f64,
    /// Its strength, if it has one \[N\].
    pub strength_n: Option<f64>,
    /// True for a tie, false for a prestress.
    pub tie: bool,
}

impl CableForce {
    /// Of a cable at a time.
    pub fn of<S: Space>(fitted: &Fitted<S>, time: f64) -> Self {
        let (name, strength_n) = (fitted.cable.name.clone(), fitted.cable.strength);
        Self { name, tension_n: fitted.tension(time), strength_n, tie: fitted.is_tie() }
    }
}

/// Decides whether a structure stands by forces that the loads produce; also returns whether self-stress exists.
pub fn decide_by_loads<S: Space>(
    structure: &mut Structure<S>,
    dead: &[f64],
    settings: &StandSettings,
) -> (Verdict, bool) {
    let mut verdict = decide(structure, dead, settings);
    // a tie may have any tension: its self-stress is intended
    let asked = verdict.certificate == Certificate::Forces && structure.ties().next().is_none();
    let self_stress = asked && structure.has_self_stress(settings.engine);
    if self_stress && let Developed::Moves(velocities) = structure.develops(dead, Weaker::default()) {
        (verdict.wedged, verdict.velocities) = (true, Some(velocities));
    }
    (verdict, self_stress)
}

/// Decides, and computes margins or the mechanism.
pub fn stand<S: Space>(structure: &mut Structure<S>, settings: &StandSettings) -> StandAnswer {
    let dead = structure.dead_load(settings.time, None);
    stand_under(structure, &dead, settings)
}

/// The same under loads that are given (nodes × dofs).
pub fn stand_under<S: Space>(structure: &mut Structure<S>, dead: &[f64], settings: &StandSettings) -> StandAnswer {
    let (_, weight) = mass_and_weight(&structure.model);
    let (verdict, self_stress) = decide_by_loads(structure, dead, settings);
    let mut answer = StandAnswer {
        stands: verdict.stands(),
        verdict: match verdict.certificate {
            Certificate::Forces if verdict.wedged => VerdictWord::Wedged,
            Certificate::Forces => VerdictWord::Stands,
            Certificate::Mechanism => VerdictWord::Collapses,
            Certificate::None => VerdictWord::NotDecided,
        },
        missing: verdict.missing.clone(),
        certificate: verdict.certificate,
        margin: None,
        geometric_margin: None,
        friction_margin: None,
        margin_of: "found",
        residual: f64::NAN,
        imbalance: verdict.imbalance,
        weight_n: weight,
        support_reaction_n: 0.0,
        iterations: verdict.iterations,
        mechanism: None,
        cables: Vec::new(),
        joints: Vec::new(),
    };
    if answer.verdict == VerdictWord::Stands {
        answer.residual = residual_at_rest(structure, dead);
        answer.joints = structure.joints(structure.unit_of(dead));
        let small = structure.nodes() <= if S::DIM == 2 { 150 } else { 60 };
        let best = settings.best_margins.unwrap_or(small);
        let [geometric, friction] =
            if best { best_margins(structure, dead, settings, self_stress) } else { margins(&answer.joints) };
        answer.margin_of = if best { "best" } else { "found" };
        (answer.geometric_margin, answer.friction_margin) = (Some(geometric), Some(friction));
        answer.margin = Some(geometric.min(friction));
    } else {
        let at_rest = structure.contacts.clone();
        let (velocities, residual) = start_of_motion(structure, dead);
        answer.residual = residual;
        if verdict.wedged {
            // the self-stress with which it would be in equilibrium
            structure.contacts = at_rest;
        }
        if answer.verdict != VerdictWord::NotDecided {
            let certain = residual <= 1e2 * settings.tolerance;
            let flow = if verdict.wedged { FlowRule::Coulomb } else { FlowRule::Associated };
            answer.mechanism = shown(structure, dead, certain.then_some(velocities), (verdict.velocities, flow));
        }
    }
    let g = structure.model.gravity;
    let reaction = support_reaction(|body| structure.node[body].is_none(), &structure.contacts)
        + structure.reaction_through_cables(settings.time);
    let cables = structure.cables.iter().filter(|fitted| !fitted.pressure);
    answer.cables = cables.map(|fitted| CableForce::of(fitted, settings.time)).collect();
    answer.support_reaction_n = if g.length() > 0.0 { -reaction.dot(g) / g.length() } else { reaction.length() };
    answer
}

/// The initial motion under Coulomb's law if it was found and no body enters another; otherwise the proof, or the
/// motion with compliant contacts if the structure is wedged.
fn shown<S: Space>(
    structure: &Structure<S>,
    dead: &[f64],
    motion: Option<Vec<f64>>,
    (other, flow): (Option<Vec<f64>>, FlowRule),
) -> Option<Mechanism> {
    // the contact problem does not include the strength of ties
    let ties_hold = structure.ties().all(|tie| tie.strength().is_infinite());
    let motion = motion.filter(|_| ties_hold).and_then(|v| structure.mechanism(&v, dead, None, FlowRule::Coulomb));
    let good = |m: &Mechanism| m.violation <= MECHANISM_TOLERANCE && m.dead_power_w > 0.0;
    motion.filter(good).or_else(|| structure.mechanism(&other?, dead, None, flow))
}

/// Residual of Coulomb's law for the forces stored in the contacts.
fn residual_at_rest<S: Space>(structure: &Structure<S>, dead: &[f64]) -> f64 {
    let problem = structure.contact_problem(dead, false);
    let impulses: Vec<f64> = impulses(structure, &structure.contacts);
    let options = Options { kind: SolverKind::Nlgs, tolerance: 0.0, max_iterations: Some(0), ..Options::default() };
    Solver::new().solve(&problem, &impulses, &options).report.residual
}

/// Velocities after one second under Coulomb's law (nodes × dofs) and the residual of the solve; the forces of the
/// motion are stored in the contacts.
fn start_of_motion<S: Space>(structure: &mut Structure<S>, dead: &[f64]) -> (Vec<f64>, f64) {
    let problem = structure.contact_problem(dead, false);
    let cold = vec![0.0; problem.contacts() * S::DIM];
    let solution = Solver::new().solve(&problem, &cold, &Options { tolerance: 1e-9, ..Options::default() });
    structure.keep_forces(&solution.impulses);
    (solution.velocities, solution.report.residual)
}

/// Largest fractions by which all joints, then all friction coefficients, can decrease while equilibrium remains. If
/// self-stress exists, the loads alone must produce it.
fn best_margins<S: Space>(
    structure: &Structure<S>,
    dead: &[f64],
    settings: &StandSettings,
    self_stress: bool,
) -> [f64; 2] {
    let mut trial = structure.clone();
    let mut largest = |law: &dyn Fn(f64) -> Weaker| {
        let (mut stands, mut falls) = (0.0, 1.0);
        for _ in 0..MARGIN_BISECTIONS {
            let middle = 0.5 * (stands + falls);
            let weaker = law(middle);
            let friction = Law::Associated { friction: weaker.friction };
            let verdict = by_program(&mut trial, dead, settings, &friction, weaker.shrink);
            let holds = verdict.certificate == Certificate::Forces;
            if holds && (!self_stress || matches!(structure.develops(dead, weaker), Developed::Stands)) {
                stands = middle;
            } else {
                falls = middle;
            }
        }
        stands
    };
    [
        largest(&|m| Weaker { shrink: m, ..Weaker::default() }),
        largest(&|m| Weaker { friction: 1.0 - m, ..Weaker::default() }),
    ]
}
