//! Does it stand? Decided by certificates: admissible forces in equilibrium, or a mechanism that the loads drive.
//!
//! Exactly one of the two exists (Farkas): forces r ∈ K with Jᵀr + f = 0, or velocities v with J v ∈ K* and f·v > 0.
//! With such forces the true law has a solution at rest; with such a mechanism it has none. "Not decided" is the
//! answer when neither was found to tolerance.

use serde::Serialize;
use voussoir_contact::{Options, Solver, SolverKind};
use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::ContactRecord;
use voussoir_mechanics::measures::{mass_and_weight, support_reaction};

use crate::conic::{self, Engine, Outcome};
use crate::equilibrium::{Capacity, Law, Terms};
use crate::joints::{Joint, margins};
use crate::mechanism::Mechanism;
use crate::polish::polish;
use crate::structure::Structure;

/// Structures with more free bodies try the contact solver before the interior point.
const SMALL: usize = 400;

/// Steps of the contact solver that are worth trying from scratch.
const TRIES: usize = 40;

/// Tolerance of the contact solver over that of the verdict: the last digits come by balancing its forces.
const ROUGH: f64 = 100.0;

/// Bisections of a margin.
const HALVINGS: usize = 12;

/// Settings of a static analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct StandSettings {
    /// Time at which loads are taken [s].
    pub time: f64,
    /// Imbalance of forces, relative to the loads, up to which they are in equilibrium.
    pub tolerance: f64,
    /// Which solver of conic programs.
    pub engine: Engine,
    /// Best margins over all admissible states, or those of the forces found; `None`: best for small structures.
    pub best_margins: Option<bool>,
}

impl Default for StandSettings {
    fn default() -> Self {
        Self { time: 0.0, tolerance: 1e-8, engine: Engine::Own, best_margins: None }
    }
}

/// What proves the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Certificate {
    /// Admissible forces in equilibrium.
    Forces,
    /// A mechanism on which the loads do positive work.
    Mechanism,
    /// Neither was found to tolerance.
    None,
}

/// The verdict of one look: what bisections need.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// What was found.
    pub certificate: Certificate,
    /// Imbalance of the forces found, relative to the loads.
    pub imbalance: f64,
    /// Velocities of the mechanism found (nodes × dofs).
    pub velocities: Option<Vec<f64>>,
    /// Newton steps.
    pub iterations: usize,
}

impl Verdict {
    /// True or false, or not decided.
    pub fn stands(&self) -> Option<bool> {
        match self.certificate {
            Certificate::Forces => Some(true),
            Certificate::Mechanism => Some(false),
            Certificate::None => None,
        }
    }
}

/// The answer of a static analysis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StandAnswer {
    /// True or false; none when it was not decided to tolerance.
    pub stands: Option<bool>,
    /// What proves it.
    pub certificate: Certificate,
    /// Smallest of the margins below; none when it does not stand.
    pub margin: Option<f64>,
    /// 1 − (distance of a pressure centre from the middle of its joint)/(distance of the edge), for the worst joint.
    pub geometric_margin: Option<f64>,
    /// 1 − ‖T‖/(μN), for the worst joint.
    pub friction_margin: Option<f64>,
    /// "best" over all admissible states, or of the forces "found": the best is at least that.
    pub margin_of: &'static str,
    /// Residual of the true contact law: of the forces at rest, or of the motion that starts.
    pub residual: f64,
    /// Imbalance of the forces relative to the loads.
    pub imbalance: f64,
    /// Weight of the free bodies \[N\].
    pub weight_n: f64,
    /// Reaction of all supports against gravity \[N\].
    pub support_reaction_n: f64,
    /// Newton steps of the decision.
    pub iterations: usize,
    /// What starts to move; none when it stands.
    pub mechanism: Option<Mechanism>,
    /// Joints with their forces, when it stands.
    #[serde(skip)]
    pub joints: Vec<Joint>,
}

/// Decides whether a structure stands under `dead` (nodes × dofs) with dry joints. Forces at rest are left in the
/// contacts; forces that they hold are the first guess.
pub fn decide<S: Space>(structure: &mut Structure<S>, dead: &[f64], settings: &StandSettings) -> Verdict {
    if structure.size_of(dead) == 0.0 {
        // nothing to carry
        structure.contacts.iter_mut().for_each(|contact| contact.force = S::zero());
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

/// Close to the border a yes-or-no question has no answer with digits; a limit load has. Pushes the structure along the
/// motion `along` that it seems to start (nodes × dofs): if it takes a push, it stands, and the forces are those between
/// the largest push and the largest pull; if it needs a pull, the mechanism of the limit state is driven by the loads.
fn by_probe<S: Space>(
    structure: &mut Structure<S>,
    dead: &[f64],
    settings: &StandSettings,
    along: Option<&[f64]>,
) -> Verdict {
    let mut verdict = Verdict { certificate: Certificate::None, imbalance: f64::NAN, velocities: None, iterations: 0 };
    let Some(along) = along.and_then(|v| structure.normalised(v)) else { return verdict };
    // forces in proportion to mass and velocity
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
        let forces = posed.forces(&solution, structure.contacts.len());
        match solution.outcome {
            Outcome::Optimal => ends.push((sign * lower, forces, false)),
            Outcome::Unbounded => ends.push((sign * lower, forces, true)),
            _ => return verdict,
        }
    }
    // forces without a push, from those with a push a > 0 and with a pull −b < 0; a ray counts as it is
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

/// Balances the loads as a time step with dilatant joints would: min ‖v‖ over admissible forces. What moves is a
/// mechanism, and the loads do the work ‖v‖² on it.
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

/// Asks the conic program for forces or a mechanism.
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
            let forces = into_cones(structure, posed.forces(&solution, structure.contacts.len()));
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

/// Forces (contacts × dim) moved into their cones.
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

/// True when the loads do more work on a mechanism than its violation of the flow rule could explain: with joint
/// forces up to a thousand times the loads.
fn drives<S: Space>(structure: &Structure<S>, dead: &[f64], velocities: &[f64]) -> bool {
    let Some(scaled) = structure.normalised(velocities) else { return false };
    let power = structure.work(dead, &scaled);
    let violation = structure.violation(&structure.relative_velocities(&scaled));
    power > 1e3 * violation * structure.unit_of(dead)
}

/// Decides, and says by what margin or in which way it fails.
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
            // the motion that the true law starts; the certificate where that was not found
            let certain = residual <= 1e2 * settings.tolerance;
            let shown = if certain { Some(velocities) } else { verdict.velocities };
            if verdict.certificate == Certificate::Mechanism {
                answer.mechanism = shown.and_then(|v| structure.mechanism(&v, dead, None));
            }
        }
    }
    let g = structure.model.gravity;
    let reaction = support_reaction(|body| structure.node[body].is_none(), &structure.contacts);
    answer.support_reaction_n = if g.length() > 0.0 { -reaction.dot(g) / g.length() } else { reaction.length() };
    answer
}

/// Residual of the true law for the forces that the contacts hold.
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
    contacts.iter().enumerate().flat_map(own).collect()
}

/// Velocities after a second under the true law (nodes × dofs) and the residual of the solve; the forces of the motion
/// are left in the contacts.
fn start_of_motion<S: Space>(structure: &mut Structure<S>, dead: &[f64]) -> (Vec<f64>, f64) {
    let problem = structure.contact_problem(dead, false);
    let cold = vec![0.0; structure.contacts.len() * S::DIM];
    let solution = Solver::new().solve(&problem, &cold, &Options { tolerance: 1e-9, ..Options::default() });
    structure.keep_forces(&solution.impulses);
    (solution.velocities, solution.report.residual)
}

/// Largest shares by which all joints, then all friction coefficients, can shrink while equilibrium remains.
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
