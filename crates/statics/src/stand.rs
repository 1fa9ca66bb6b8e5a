//! Static verdict by certificates: admissible forces in equilibrium, or a mechanism driven by the loads.
//!
//! Exactly one of the two exists (Farkas): forces r ∈ K with Jᵀr + f = 0, or velocities v with J v ∈ K* and f·v > 0.
//! With such forces Coulomb's law has a solution at rest; with such a mechanism it has none. The verdict is "not
//! decided" if neither was found within the tolerance.

use serde::Serialize;
use voussoir_contact::{Options, Solver, SolverKind};
use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::ContactRecord;
use voussoir_mechanics::measures::{mass_and_weight, support_reaction};

use crate::cable::Fitted;
use crate::conic::{self, Engine, Outcome};
use crate::equilibrium::{Capacity, Law, Terms};
use crate::joints::{PlaneJoint, margins};
use crate::mechanism::Mechanism;
use crate::polish::polish;
use crate::structure::Structure;

/// Structures with more free bodies try the contact solver before the interior point.
const SMALL: usize = 400;

/// Maximum number of contact solver steps from a cold start.
const TRIES: usize = 40;

/// Tolerance of the contact solver relative to that of the verdict: projection on equilibrium gives the last digits.
const ROUGH: f64 = 100.0;

/// Bisections of a margin.
const HALVINGS: usize = 12;

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

/// Certificate of the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Certificate {
    /// Admissible forces in equilibrium.
    Forces,
    /// A mechanism driven by the loads.
    Mechanism,
    /// Neither was found within the tolerance.
    None,
}

/// Verdict for bisections.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The certificate.
    pub certificate: Certificate,
    /// Imbalance of the computed forces, relative to the loads.
    pub imbalance: f64,
    /// Velocities of the mechanism (nodes × dofs).
    pub velocities: Option<Vec<f64>>,
    /// Newton steps.
    pub iterations: usize,
}

impl Verdict {
    /// True or false; `None` if not decided.
    pub fn stands(&self) -> Option<bool> {
        match self.certificate {
            Certificate::Forces => Some(true),
            Certificate::Mechanism => Some(false),
            Certificate::None => None,
        }
    }
}

/// Result of a static analysis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StandAnswer {
    /// True or false; `None` if not decided within the tolerance.
    pub stands: Option<bool>,
    /// Certificate of the verdict.
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
    /// The initial motion; `None` if the structure stands.
    pub mechanism: Option<Mechanism>,
    /// Tensions of cables, if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cables: Vec<CableForce>,
    /// Joints with their forces, if the structure stands.
    #[serde(skip)]
    pub joints: Vec<PlaneJoint>,
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

/// Decides whether a structure stands under `dead` (nodes × dofs) with dry joints. Forces at rest are stored in the
/// contacts; the forces stored before are the initial guess.
pub fn decide<S: Space>(structure: &mut Structure<S>, dead: &[f64], settings: &StandSettings) -> Verdict {
    if structure.size_of(dead) == 0.0 {
        // no load
        structure.contacts.iter_mut().for_each(|contact| contact.force = S::zero());
        structure.keep_pulls(std::iter::repeat(0.0));
        return Verdict { certificate: Certificate::Forces, imbalance: 0.0, velocities: None, iterations: 0 };
    }
    if structure.nodes() > SMALL {
        let tried = by_contact_solver(structure, dead, settings);
        if tried.certificate == Certificate::Forces {
            return tried;
        }
    }
    let first = by_program(structure, dead, settings, &Law::Associated { friction: 1.0 }, 0.0);
    if first.certificate != Certificate::None {
        return first;
    }
    let second = by_probe(structure, dead, settings, first.velocities.as_deref());
    let iterations = first.iterations + second.iterations;
    Verdict { iterations, ..if second.certificate == Certificate::None { first } else { second } }
}

/// Near the limit the verdict is ill-conditioned, but a limit load is not. Applies a load along the apparent motion
/// `along` (nodes × dofs): if the structure carries a positive multiple, it stands, and the forces are interpolated
/// between the largest positive and the largest negative multiple; if it needs a negative multiple, the mechanism of
/// the limit state is driven by the dead loads.
fn by_probe<S: Space>(
    structure: &mut Structure<S>,
    dead: &[f64],
    settings: &StandSettings,
    along: Option<&[f64]>,
) -> Verdict {
    let mut verdict = Verdict { certificate: Certificate::None, imbalance: f64::NAN, velocities: None, iterations: 0 };
    let Some(along) = along.and_then(|v| structure.normalised(v)) else { return verdict };
    // forces proportional to mass and velocity
    let mut push = vec![0.0; dead.len()];
    let mut mass = [0.0; 36];
    for ((push, v), &i) in push.chunks_exact_mut(S::DOFS).zip(along.chunks_exact(S::DOFS)).zip(&structure.body) {
        let body = &structure.model.bodies[i];
        S::mass_matrix(body.mass, body.inertia, &mut mass[..S::DOFS * S::DOFS]);
        for (push, row) in push.iter_mut().zip(mass.chunks_exact(S::DOFS)) {
            *push = row.iter().zip(v).map(|(m, v)| m * v).sum();
        }
    }
    let capacity = Capacity::default();
    let mut ends = Vec::new();
    for sign in [1.0, -1.0] {
        let live: Vec<f64> = push.iter().map(|f| sign * f).collect();
        let posed = structure.pose(&Terms { live: Some(&live), ..Terms::new(dead, &capacity) });
        let solution = conic::solve(&posed.program, settings.engine);
        verdict.iterations += solution.iterations;
        let [lower, upper] = posed.multiplier(&solution);
        let falls = match solution.outcome {
            Outcome::NoForces => true,
            Outcome::Optimal => sign > 0.0 && upper < 0.0,
            Outcome::Unbounded | Outcome::Stalled => false,
        };
        if falls {
            let velocities = posed.velocities(&solution);
            if drives(structure, dead, &velocities) {
                verdict.certificate = Certificate::Mechanism;
                verdict.velocities = Some(velocities);
            }
            return verdict;
        }
        let forces = posed.forces(&solution);
        match solution.outcome {
            Outcome::Optimal => ends.push((sign * lower, forces, false)),
            Outcome::Unbounded => ends.push((sign * lower, forces, true)),
            _ => return verdict,
        }
    }
    // forces for the multiplier zero, from those for a > 0 and −b < 0; an unbounded direction is added as it is
    let [(a, with_push, _), (b, with_pull, ray)] = &ends[..] else { return verdict };
    let (share, other) = if *ray { (1.0, a / -b) } else { (-b / (a - b), a / (a - b)) };
    if !(share.is_finite() && other.is_finite() && share >= 0.0 && other >= 0.0) {
        return verdict;
    }
    let forces = with_push.iter().zip(with_pull).map(|(p, q)| share * p + other * q).collect();
    let before: Vec<S::Vector> = structure.contacts.iter().map(|contact| contact.force).collect();
    let forces = into_cones(structure, forces);
    structure.keep_forces(&forces);
    verdict.imbalance = structure.size_of(&structure.imbalance(dead)) / structure.size_of(dead);
    if verdict.imbalance <= settings.tolerance {
        verdict.certificate = Certificate::Forces;
    } else {
        structure.contacts.iter_mut().zip(before).for_each(|(contact, force)| contact.force = force);
    }
    verdict
}

/// One step of the contact problem with associated friction: min ‖v‖ over admissible forces. A motion is a mechanism
/// with the power ‖v‖².
fn by_contact_solver<S: Space>(structure: &mut Structure<S>, dead: &[f64], settings: &StandSettings) -> Verdict {
    let problem = structure.contact_problem(dead, true);
    let warm = impulses(structure, &structure.contacts);
    let tolerance = ROUGH * settings.tolerance;
    let options =
        Options { kind: SolverKind::InteriorPoint, tolerance, max_iterations: Some(TRIES), ..Options::default() };
    let solution = Solver::new().solve(&problem, &warm, &options);
    let before: Vec<S::Vector> = structure.contacts.iter().map(|contact| contact.force).collect();
    structure.keep_forces(&solution.impulses);
    let missing = |structure: &Structure<S>| structure.size_of(&structure.imbalance(dead)) / structure.size_of(dead);
    let mut imbalance = missing(structure);
    if imbalance > settings.tolerance && imbalance <= 10.0 * tolerance {
        polish(structure, dead, settings.tolerance);
        let inside = into_cones(structure, impulses(structure, &structure.contacts));
        structure.keep_forces(&inside);
        imbalance = missing(structure);
    }
    let certificate = if imbalance <= settings.tolerance {
        Certificate::Forces
    } else {
        structure.contacts.iter_mut().zip(before).for_each(|(contact, force)| contact.force = force);
        if drives(structure, dead, &solution.velocities) { Certificate::Mechanism } else { Certificate::None }
    };
    let iterations = solution.report.iterations;
    Verdict { certificate, imbalance, velocities: Some(solution.velocities), iterations }
}

/// Solves the conic program for forces or a mechanism.
fn by_program<S: Space>(
    structure: &mut Structure<S>,
    dead: &[f64],
    settings: &StandSettings,
    law: &Law<'_>,
    shrink: f64,
) -> Verdict {
    let capacity = Capacity::default();
    let posed = structure.pose(&Terms { law: law.clone(), shrink, ..Terms::new(dead, &capacity) });
    let solution = conic::solve(&posed.program, settings.engine);
    let mut verdict = Verdict {
        certificate: Certificate::None,
        imbalance: f64::NAN,
        velocities: None,
        iterations: solution.iterations,
    };
    match solution.outcome {
        Outcome::Optimal | Outcome::Unbounded | Outcome::Stalled => {
            let forces = into_cones(structure, posed.forces(&solution));
            if shrink == 0.0 {
                structure.keep_forces(&forces);
                verdict.imbalance = structure.size_of(&structure.imbalance(dead)) / structure.size_of(dead);
            } else {
                verdict.imbalance = solution.imbalance;
            }
            if verdict.imbalance <= settings.tolerance {
                verdict.certificate = Certificate::Forces;
            } else {
                verdict.velocities = Some(posed.velocities(&solution));
            }
        }
        Outcome::NoForces => {
            let velocities = posed.velocities(&solution);
            if shrink > 0.0 || drives(structure, dead, &velocities) {
                verdict.certificate = Certificate::Mechanism;
            }
            verdict.velocities = Some(velocities);
        }
    }
    verdict
}

/// Forces (contacts and ties × dim) moved into their cones; ties are clipped when they are stored.
fn into_cones<S: Space>(structure: &Structure<S>, mut forces: Vec<f64>) -> Vec<f64> {
    for (force, contact) in forces.chunks_exact_mut(S::DIM).zip(&structure.contacts) {
        force[0] = force[0].max(0.0);
        let shear = force[1..].iter().map(|t| t * t).sum::<f64>().sqrt();
        let limit = contact.friction * force[0];
        if shear > limit {
            force[1..].iter_mut().for_each(|t| *t *= limit / shear);
        }
    }
    forces
}

/// True if the power of the loads on a mechanism exceeds the possible effect of its flow-rule violation, even with
/// joint forces of a thousand times the loads.
fn drives<S: Space>(structure: &Structure<S>, dead: &[f64], velocities: &[f64]) -> bool {
    let Some(scaled) = structure.normalised(velocities) else { return false };
    let mut power = structure.work(dead, &scaled);
    let mut violation = structure.violation(&structure.relative_velocities(&scaled));
    for (tie, rate) in structure.ties().zip(structure.tie_rates(&scaled)) {
        // a tie at its strength dissipates power, a tie without a strength limit cannot elongate
        match tie.strength().is_finite() {
            true => power -= tie.strength() * rate.max(0.0),
            false => violation = violation.max(rate),
        }
    }
    power > 1e3 * violation * structure.unit_of(dead)
}

/// Decides, and computes margins or the mechanism.
pub fn stand<S: Space>(structure: &mut Structure<S>, settings: &StandSettings) -> StandAnswer {
    let dead = structure.dead_load(settings.time, None);
    stand_under(structure, &dead, settings)
}

/// The same under loads that are given (nodes × dofs).
pub fn stand_under<S: Space>(structure: &mut Structure<S>, dead: &[f64], settings: &StandSettings) -> StandAnswer {
    let (_, weight) = mass_and_weight(&structure.model);
    let verdict = decide(structure, dead, settings);
    let mut answer = StandAnswer {
        stands: verdict.stands(),
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
    match verdict.certificate {
        Certificate::Forces => {
            answer.residual = residual_at_rest(structure, dead);
            answer.joints = structure.joints(structure.unit_of(dead));
            let small = structure.nodes() <= if S::DIM == 2 { 150 } else { 60 };
            let best = settings.best_margins.unwrap_or(small);
            let [geometric, friction] =
                if best { best_margins(structure, dead, settings) } else { margins(&answer.joints) };
            answer.margin_of = if best { "best" } else { "found" };
            (answer.geometric_margin, answer.friction_margin) = (Some(geometric), Some(friction));
            answer.margin = Some(geometric.min(friction));
        }
        Certificate::Mechanism | Certificate::None => {
            let (velocities, residual) = start_of_motion(structure, dead);
            answer.residual = residual;
            // the initial motion under Coulomb's law; the certificate if that was not found
            let ties_hold = structure.ties().all(|tie| tie.strength().is_infinite());
            let certain = ties_hold && residual <= 1e2 * settings.tolerance;
            let shown = if certain { Some(velocities) } else { verdict.velocities };
            if verdict.certificate == Certificate::Mechanism {
                answer.mechanism = shown.and_then(|v| structure.mechanism(&v, dead, None));
            }
        }
    }
    let g = structure.model.gravity;
    let reaction = support_reaction(|body| structure.node[body].is_none(), &structure.contacts)
        + structure.reaction_through_cables(settings.time);
    answer.cables = structure.cables.iter().map(|fitted| CableForce::of(fitted, settings.time)).collect();
    answer.support_reaction_n = if g.length() > 0.0 { -reaction.dot(g) / g.length() } else { reaction.length() };
    answer
}

/// Residual of Coulomb's law for the forces stored in the contacts.
fn residual_at_rest<S: Space>(structure: &Structure<S>, dead: &[f64]) -> f64 {
    let problem = structure.contact_problem(dead, false);
    let impulses: Vec<f64> = impulses(structure, &structure.contacts);
    let options = Options { kind: SolverKind::Nlgs, tolerance: 0.0, max_iterations: Some(0), ..Options::default() };
    Solver::new().solve(&problem, &impulses, &options).report.residual
}

fn impulses<S: Space>(structure: &Structure<S>, contacts: &[ContactRecord<S>]) -> Vec<f64> {
    let own = |(i, contact): (usize, &ContactRecord<S>)| {
        let force = contact.force;
        structure.frame(i).iter().map(move |axis| axis.dot(force)).collect::<Vec<_>>()
    };
    let mut pull = [0.0; 3];
    let pulls = structure.ties().flat_map(|tie| {
        pull[0] = tie.force;
        pull[..S::DIM].to_vec()
    });
    contacts.iter().enumerate().flat_map(own).chain(pulls).collect()
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

/// Largest fractions by which all joints, then all friction coefficients, can decrease while equilibrium remains.
fn best_margins<S: Space>(structure: &Structure<S>, dead: &[f64], settings: &StandSettings) -> [f64; 2] {
    let mut trial = structure.clone();
    let mut largest = |law: &dyn Fn(f64) -> (f64, f64)| {
        let (mut stands, mut falls) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (stands + falls);
            let (friction, shrink) = law(middle);
            let verdict = by_program(&mut trial, dead, settings, &Law::Associated { friction }, shrink);
            match verdict.certificate {
                Certificate::Forces => stands = middle,
                _ => falls = middle,
            }
        }
        stands
    };
    [largest(&|m| (1.0, m)), largest(&|m| (1.0 - m, 0.0))]
}
