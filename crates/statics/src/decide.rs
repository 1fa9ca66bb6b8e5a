//! Decides whether a structure stands: forces or a mechanism, each checked independently of the solver that found it.

use serde::Serialize;
use voussoir_contact::{Options, Solver, SolverKind};
use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::ContactRecord;

use crate::conic::{self, Outcome};
use crate::equilibrium::{Capacity, Law, Terms};
use crate::polish::polish;
use crate::stand::StandSettings;
use crate::structure::Structure;

/// Structures with more free bodies try the contact solver before the interior point.
const SMALL_STRUCTURE: usize = 400;

/// Maximum number of contact solver steps from a cold start.
const MOST_TRIES: usize = 40;

/// Tolerance of the contact solver relative to that of the verdict: projection on equilibrium gives the last digits.
const ROUGH_FACTOR: f64 = 100.0;

/// Largest violation of the flow rule by a mechanism that proves collapse, relative to its fastest point.
pub const MECHANISM_TOLERANCE: f64 = 1e-6;

/// Power of the loads on a mechanism whose fastest point moves at 1 m/s, relative to the mean load of a block: with
/// less the structure is in equilibrium to the same tolerance.
const EDGE_POWER: f64 = 1e-8;

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
    /// The condition that prevents a proof; empty if there is a certificate.
    pub missing: String,
    /// True if the forces include self-stress that the loads do not produce.
    pub wedged: bool,
}

impl Verdict {
    /// No proof found.
    fn open(iterations: usize) -> Self {
        Self {
            certificate: Certificate::None,
            imbalance: f64::NAN,
            velocities: None,
            iterations,
            missing: String::new(),
            wedged: false,
        }
    }

    /// True or false; `None` if not decided. A wedged structure does not stand.
    pub fn stands(&self) -> Option<bool> {
        match self.certificate {
            Certificate::Forces => Some(!self.wedged),
            Certificate::Mechanism => Some(false),
            Certificate::None => None,
        }
    }
}

/// Decides whether a structure stands under `dead` (nodes × dofs) with dry joints. Forces at rest are stored in the
/// contacts; the forces stored before are the initial guess.
pub fn decide<S: Space>(structure: &mut Structure<S>, dead: &[f64], settings: &StandSettings) -> Verdict {
    if structure.size_of(dead) == 0.0 {
        // no load
        structure.contacts.iter_mut().for_each(|contact| contact.force = S::zero());
        structure.keep_pulls(std::iter::repeat(0.0));
        return Verdict { certificate: Certificate::Forces, imbalance: 0.0, ..Verdict::open(0) };
    }
    if structure.nodes() > SMALL_STRUCTURE {
        let tried = by_contact_solver(structure, dead, settings);
        if tried.certificate == Certificate::Forces {
            return tried;
        }
    }
    let mut verdict = by_engine(structure, dead, settings);
    if verdict.certificate == Certificate::None {
        let other = StandSettings { engine: settings.engine.other(), ..settings.clone() };
        let second = by_engine(structure, dead, &other);
        let iterations = verdict.iterations + second.iterations;
        let better = second.certificate != Certificate::None || second.imbalance < verdict.imbalance;
        verdict = Verdict { iterations, ..if better { second } else { verdict } };
    }
    verdict
}

/// Decides by one solver of conic programs.
fn by_engine<S: Space>(structure: &mut Structure<S>, dead: &[f64], settings: &StandSettings) -> Verdict {
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
    let mut verdict = Verdict::open(0);
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
    // forces for the multiplier zero, interpolated between those for a > 0 and −b < 0; an unbounded direction is added
    // unscaled
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
    let tolerance = ROUGH_FACTOR * settings.tolerance;
    let options =
        Options { kind: SolverKind::InteriorPoint, tolerance, max_iterations: Some(MOST_TRIES), ..Options::default() };
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
    Verdict { certificate, imbalance, velocities: Some(solution.velocities), ..Verdict::open(iterations) }
}

/// Solves the conic program for forces or a mechanism.
pub(crate) fn by_program<S: Space>(
    structure: &mut Structure<S>,
    dead: &[f64],
    settings: &StandSettings,
    law: &Law<'_>,
    shrink: f64,
) -> Verdict {
    let capacity = Capacity::default();
    let posed = structure.pose(&Terms { law: law.clone(), shrink, ..Terms::new(dead, &capacity) });
    let solution = conic::solve(&posed.program, settings.engine);
    let mut verdict = Verdict::open(solution.iterations);
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
                verdict.missing = format!(
                    "the best forces are out of balance by {:.0e} of the loads, above the tolerance {:.0e}",
                    verdict.imbalance, settings.tolerance
                );
                verdict.velocities = Some(posed.velocities(&solution));
            }
        }
        Outcome::NoForces => {
            let velocities = posed.velocities(&solution);
            match proof(structure, dead, &velocities) {
                _ if shrink > 0.0 => verdict.certificate = Certificate::Mechanism,
                Ok(()) => verdict.certificate = Certificate::Mechanism,
                Err(missing) => verdict.missing = missing,
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

fn drives<S: Space>(structure: &Structure<S>, dead: &[f64], velocities: &[f64]) -> bool {
    proof(structure, dead, velocities).is_ok()
}

/// Checks that velocities prove collapse: the flow rule holds to its tolerance, and the power of the loads exceeds the
/// possible effect of its violation, even with joint forces of a thousand times the loads. Otherwise returns the
/// condition that is violated.
pub(crate) fn proof<S: Space>(structure: &Structure<S>, dead: &[f64], velocities: &[f64]) -> Result<(), String> {
    let Some(scaled) = structure.normalised(velocities) else { return Err("no mechanism was found".to_owned()) };
    let mut power = structure.work(dead, &scaled);
    let mut violation = structure.violation(&structure.relative_velocities(&scaled));
    for (tie, rate) in structure.ties().zip(structure.tie_rates(&scaled)) {
        // a tie at its strength dissipates power, a tie without a strength limit cannot elongate
        match tie.strength().is_finite() {
            true => power -= tie.strength() * rate.max(0.0),
            false => violation = violation.max(rate),
        }
    }
    if violation > MECHANISM_TOLERANCE {
        return Err(format!(
            "the mechanism violates the flow rule by {violation:.0e} of its largest speed, above the tolerance \
             {MECHANISM_TOLERANCE:.0e}"
        ));
    }
    let unit = structure.unit_of(dead);
    if power <= EDGE_POWER * unit {
        return Err(format!(
            "the structure is at its limit: a mechanism exists, but the power of the loads on it is {:.0e} of the loads, \
             below the tolerance {EDGE_POWER:.0e}",
            power / unit
        ));
    }
    if power > 1e3 * violation * unit {
        return Ok(());
    }
    Err(format!("the power {power:.1e} W of the loads on the mechanism is within its error"))
}

/// Forces stored in contacts and ties, in the axes of the contacts (contacts and ties × dim).
pub(crate) fn impulses<S: Space>(structure: &Structure<S>, contacts: &[ContactRecord<S>]) -> Vec<f64> {
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
