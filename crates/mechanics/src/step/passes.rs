//! Solving a step: laws → problem → warm start → solve, repeated while bonds are damaged or break, cables break and
//! springs reach their maximum closure in the step.
//!
//! The adhesion β of a pass determines the stiffness of a bond, and the jumps of the solution determine the next β. A
//! smaller β gives larger jumps, and larger jumps give a smaller β: the sequence decreases and ends at the first
//! admissible state of the bond. The state stores the β of the last pass, so that forces and energies are consistent.

use voussoir_contact::{Problem, Status};
use voussoir_geometry::{Space, Vector};

use super::assemble::{assemble, normal_mobility};
use super::bonded::{Bonded, Held, held, judge, make_rows, prepare, replaced};
use super::cables::{self, Pull};
use super::law::{Active, Contact, Laws, apply_laws};
use super::masses::Masses;
use super::predict::{Interval, Prediction};
use super::relative::relative_velocity;
use super::rest::{can_stay, solve_at_rest};
use super::solve::{Effort, Solved, expand, free_speed, has_expansion, solve};
use super::spring::Stop;
use super::warm::warm_start;
use super::{Tools, Walk};
use crate::joints::crushing::next;
use crate::model::{DynamicSettings, Model};
use crate::state::State;

/// Passes in one step; a bond that still wears then continues in the next step.
const MOST_PASSES: usize = 80;

/// Smallest tolerance that double precision allows.
const LEAST_TOLERANCE: f64 = 1e-13;

/// Relative velocities below this fraction of the velocities whose difference they are cannot be resolved.
const LEAST_RELATIVE_SPEED: f64 = 1e-4;

/// Largest factor by which tolerances are tightened: shifts follow the forces of the previous step, which are a scale
/// too.
const MOST_TIGHTENING: f64 = 1e-3;

/// Result of the passes of a step.
#[derive(Debug)]
pub(crate) struct Passed<S: Space> {
    pub laws: Laws<S>,
    pub bonds: Vec<Bonded<S>>,
    pub cables: Vec<Pull<S>>,
    pub solved: Solved,
    /// Seconds of assembly and of solving.
    pub seconds: [f64; 2],
}

/// Solves a step for its detected contacts.
#[allow(clippy::too_many_arguments)]
pub(crate) fn pass<S: Space>(
    model: &Model<S>,
    settings: &DynamicSettings,
    tools: &mut Tools<S>,
    from: &State<S>,
    prediction: &Prediction<S>,
    contacts: &[Contact<S>],
    over: Interval,
    effort: Effort,
) -> Passed<S> {
    let settings = &prediction.tolerances(settings);
    let mut bonds = prepare(&tools.bonds, &tools.masses, from, prediction, over);
    let mut cables = cables::prepare(model, tools, from, prediction, over);
    let pulled = cables::speed(&cables);
    let mut seconds = [0.0; 2];
    // compliances of contacts that crush
    let mut crush = vec![0.0; contacts.len()];
    // springs that reach or leave their maximum closure
    let mut stops = vec![Stop::AsBefore; contacts.len()];
    let mut last: Option<Vec<f64>> = None;
    let (mut count, mut work) = (0, [0; 2]);
    let given = Given { model, settings, from, prediction, contacts, over };
    loop {
        count += 1;
        let start = tools.now();
        let masses = &tools.masses;
        let mut laws = given.laws(tools, &mut bonds, pulled, &crush, &stops);
        laws.rows.extend(cables::rows(&cables));
        let build = |free: &[f64]| assemble(masses, prediction, contacts, &laws, free, over);
        let problem = build(&prediction.free);
        let warm = given.warm(&laws, &bonds, &cables, last.take());
        let assembled = tools.now();
        let wanted = without_shifts(settings, &problem, &laws, || {
            let mut plain = laws.clone();
            plain.rows.iter_mut().for_each(|row| row.shift = 0.0);
            assemble(masses, prediction, contacts, &plain, &prediction.free, over)
        });
        // impulses and velocities; Poisson's expansion if there is one
        let forces_only = || build(&prediction.forces_only());
        let mut solved = match prediction.at_rest {
            true => {
                let stay = can_stay(model, prediction);
                solve_at_rest(&mut tools.solver, &wanted, &problem, &warm, forces_only, stay, effort)
            }
            false => solve(&mut tools.solver, &wanted, &problem, &warm, effort),
        };
        // the work of earlier passes is counted
        (solved.report.iterations, solved.report.factorisations) =
            (solved.report.iterations + work[0], solved.report.factorisations + work[1]);
        work = [solved.report.iterations, solved.report.factorisations];
        // largest velocity error of the law at one point
        let left = solved.report.residual * free_speed(&problem);
        rescale(settings, &wanted, &mut solved);
        let approaching = |a: &Active<S>| given.normal_velocity(masses, a, &prediction.before, a.support[0]) < 0.0;
        if has_expansion(&laws, approaching) {
            solved = expand(&mut tools.solver, settings, &laws, build, (&prediction.before, &prediction.free), solved);
        }
        seconds[0] += assembled - start;
        seconds[1] += tools.now() - assembled;
        let rows = laws.active.len() * S::DIM;
        let worn = judge(&tools.bonds, &mut bonds, &solved.impulses[rows..], &solved.velocities, left, over);
        let crushes = laws.active.iter().zip(solved.impulses.chunks_exact(S::DIM)).fold(false, |any, (active, r)| {
            let contact = &contacts[active.contact];
            let mobility = || normal_mobility(masses, prediction, contact);
            let next = active.limit.is_finite().then(|| next(active.crush, r[0], active.limit * over.h, mobility()));
            next.flatten().inspect(|next| crush[active.contact] = *next).is_some() || any
        });
        let speed = |active: &Active<S>| given.normal_velocity(masses, active, &solved.velocities, active.support[1]);
        let stop = find_stops(&laws, &solved.impulses, speed, over, over.ahead(settings.step), &mut stops);
        let again = cables::snap(model, &mut cables, &solved.impulses, over) || worn || crushes || stop;
        if !again || count == MOST_PASSES {
            // the changes after the last pass were not solved
            bonds.iter_mut().for_each(Bonded::as_solved);
            return Passed { laws, bonds, cables, solved, seconds };
        }
        last = Some(solved.impulses);
    }
}

/// Constants of all passes of a step.
struct Given<'a, S: Space> {
    model: &'a Model<S>,
    settings: &'a DynamicSettings,
    from: &'a State<S>,
    prediction: &'a Prediction<S>,
    contacts: &'a [Contact<S>],
    over: Interval,
}

impl<S: Space> Given<'_, S> {
    /// Laws of a pass: contacts that no bond replaces, and the rows of bonds. `crush` are the compliances of contacts
    /// that crush, `pulled` is the largest velocity by a cable [m/s].
    fn laws(&self, tools: &Tools<S>, bonds: &mut [Bonded<S>], pulled: f64, crush: &[f64], stops: &[Stop]) -> Laws<S> {
        let mut laws = apply_laws(
            self.model,
            &tools.masses,
            self.from,
            self.prediction,
            self.contacts,
            self.settings,
            self.over,
            &replaced(&tools.bonds, bonds),
            pulled,
            stops,
        );
        laws.active.iter_mut().for_each(|active| active.crush = crush[active.contact]);
        laws.rows = make_rows(&tools.bonds, bonds, self.over);
        laws
    }

    /// Start of a solve: forces of the last step by key, or of the previous pass if it had the same rows.
    fn warm(&self, laws: &Laws<S>, bonds: &[Bonded<S>], cables: &[Pull<S>], last: Option<Vec<f64>>) -> Vec<f64> {
        let mut warm = warm_start(&self.from.contacts, self.contacts, laws, self.over.h);
        warm.extend(warm_rows(self.from, bonds, self.over));
        warm.extend(cables::warm(self.from, cables, self.over));
        if let Some(last) = last.filter(|last| last.len() == warm.len()) {
            let own = laws.active.len() * S::DIM;
            warm[..own].copy_from_slice(&last[..own]);
        }
        warm
    }

    /// Normal component of the relative velocity at a contact [m/s].
    fn normal_velocity(&self, masses: &Masses, active: &Active<S>, velocities: &[f64], support: S::Vector) -> f64 {
        let contact = &self.contacts[active.contact];
        relative_velocity(masses, self.prediction, contact, velocities, support).dot(contact.point.normal)
    }
}

/// Finds springs that exceed their maximum closure, and those that open from it; true if there are any. Each changes
/// once in a step: one that returns to its maximum closure at once stays there.
fn find_stops<S: Space>(
    laws: &Laws<S>,
    impulses: &[f64],
    normal_velocity: impl Fn(&Active<S>) -> f64,
    over: Interval,
    ahead: f64,
    stops: &mut [Stop],
) -> bool {
    let mut found = false;
    for (k, active) in laws.active.iter().enumerate() {
        let stop = &mut stops[active.contact];
        let next = if let Some(spring) = active.spring().filter(|spring| spring.closure.is_finite()) {
            spring.passes_stop(over, ahead, normal_velocity(active)).then_some(Stop::Reached)
        } else {
            let free = active.stopped().filter(|_| *stop == Stop::AsBefore);
            free.filter(|spring| spring.leaves_stop(over, impulses[k * S::DIM])).map(|_| Stop::Left)
        };
        if let Some(next) = next {
            (*stop, found) = (next, true);
        }
    }
    found
}

/// The problem of a step with the bonds at its start, and its warm start.
pub(crate) fn first_problem<S: Space>(
    model: &Model<S>,
    settings: &DynamicSettings,
    tools: &Tools<S>,
    from: &State<S>,
    prediction: &Prediction<S>,
    contacts: &[Contact<S>],
    over: Interval,
) -> (Problem, Vec<f64>) {
    let masses = &tools.masses;
    let mut bonds = prepare(&tools.bonds, masses, from, prediction, over);
    let cables = cables::prepare(model, tools, from, prediction, over);
    let replaced = replaced(&tools.bonds, &bonds);
    let pulled = cables::speed(&cables);
    let mut laws = apply_laws(model, masses, from, prediction, contacts, settings, over, &replaced, pulled, &[]);
    laws.rows = make_rows(&tools.bonds, &mut bonds, over);
    laws.rows.extend(cables::rows(&cables));
    let mut warm = warm_start(&from.contacts, contacts, &laws, over.h);
    warm.extend(warm_rows(from, &bonds, over));
    warm.extend(cables::warm(from, &cables, over));
    (assemble(masses, prediction, contacts, &laws, &prediction.free, over), warm)
}

/// Impulses of the rows of bonds at the end of the last step (rows × dim).
fn warm_rows<S: Space>(from: &State<S>, bonds: &[Bonded<S>], over: Interval) -> Vec<f64> {
    let mut warm = Vec::new();
    for bond in bonds {
        let Some(row) = bond.row() else { continue };
        let force = from.bonds[bond.index].force;
        warm.extend(bond.frame.iter().map(|direction| force.dot(*direction) * over.h));
        let first = warm.len() - S::DIM;
        warm[first] += row.shift;
    }
    warm
}

/// Shifts of cones make the velocities larger to which the residual is compared: the tolerance is tightened by the same
/// factor, as far as rounding allows.
fn without_shifts<S: Space>(
    settings: &DynamicSettings,
    problem: &Problem,
    laws: &Laws<S>,
    plain: impl FnOnce() -> Problem,
) -> DynamicSettings {
    let mut wanted = settings.clone();
    if laws.rows.iter().any(|row| row.shift != 0.0) {
        let plain = plain();
        // if bodies move together, q is a rounding error
        let least = LEAST_RELATIVE_SPEED * plain.speed_of_parts();
        let share = (free_speed(&plain).max(least) / free_speed(problem)).clamp(MOST_TIGHTENING, 1.0);
        wanted.tolerance = (settings.tolerance * share).max(LEAST_TOLERANCE);
        wanted.motion_tolerance = Some((settings.motion_tolerance() * share).max(LEAST_TOLERANCE));
    }
    wanted
}

/// The residual relative to the velocities without shifts; if it misses the tolerance, the status is changed.
fn rescale(settings: &DynamicSettings, wanted: &DynamicSettings, solved: &mut Solved) {
    if wanted.tolerance < settings.tolerance {
        solved.report.residual *= settings.tolerance / wanted.tolerance;
        if solved.report.residual > settings.motion_tolerance() && solved.report.status == Status::Converged {
            solved.report.status = Status::Stalled;
        }
    }
}

/// Result of the step for every bond.
pub(crate) fn hold<S: Space>(walk: &Walk<S>, solved: &Solved) -> Vec<Held<S>> {
    let mut r = solved.impulses[walk.laws.active.len() * S::DIM..].chunks_exact(S::DIM);
    walk.bonds
        .iter()
        .map(|bond| {
            let r = bond.row().and_then(|_| r.next());
            held(walk.places, bond, r, &solved.velocities, walk.over)
        })
        .collect()
}
