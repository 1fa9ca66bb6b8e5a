//! Work and dissipation of one step.
//!
//! Forces act along the mean of the velocities before and after, contacts as r·½(u⁺ + u⁻): then
//! ΔE_kin = W_gravity + W_loads + W_supports − friction − impact − cohesion − ΔE_elastic − numerical holds to rounding
//! for θ = ½ (for θ > ½ the free rotation of bodies loses a little more). "Before" is after the torque-free rotation,
//! which changes no energy. Springs and bonds report their stored energy and the dissipation of damage; the remainder
//! of their work is numerical dissipation, zero for θ = ½ while they neither open nor close. Contacts are detected anew
//! in every step; changes of stored energy by changed areas, positions and normals are numerical too, so that the
//! stored energy is exact.
//!
//! **Newton's restitution.** The impulses r of bodies that touch each other do the work Σ r·½(u⁺ + u⁻) = Σ r·u⁺ − ½
//! rᵀWr, which is never positive for inelastic impacts and for Poisson's law. With Newton's law, uₙ⁺ = −e uₙ⁻, and
//! friction it can be positive (Kane & Levinson 1985): such a gain of a group of connected bodies is booked as work of
//! the restitution, and added to the friction, which contains it with the opposite sign.

use voussoir_geometry::{Space, Vector};

use super::Walk;
use super::bonded::Held;
use super::masses::dot;
use super::predict::Interval;
use super::relative::relative_velocity;
use super::solve::Solved;
use super::spring::Spring;
use crate::joints::Restitution;
use crate::state::{ContactKey, EnergyLedger};

/// Books the step's energies.
pub(crate) fn book<S: Space>(walk: &Walk<S>, solved: &Solved, held: &[Held<S>], ledger: &mut EnergyLedger) {
    let Walk { model, masses, prediction, contacts, laws, over, .. } = *walk;
    let mean: Vec<f64> = prediction.before.iter().zip(&solved.velocities).map(|(a, b)| 0.5 * (a + b)).collect();
    ledger.loads += dot(&prediction.loads, &mean);
    for (v, &body) in mean.chunks_exact(S::DOFS).zip(&masses.body) {
        ledger.gravity += model.bodies[body].mass * over.h * model.gravity.dot(S::unpack(v).0);
    }
    // an added mass gains the velocity of its body, a removed mass takes its energy along
    for (v, [_, gained]) in prediction.before.chunks_exact(S::DOFS).zip(&masses.carried) {
        let velocity = S::unpack(v).0;
        ledger.loads += 0.5 * gained * velocity.dot(velocity);
    }
    for held in held {
        let [stored, wear, rigid, left] = held.energy;
        ledger.elastic += stored;
        ledger.cohesion += wear;
        ledger.impact += rigid;
        ledger.numerical += left;
        ledger.supports += held.supports;
    }
    // stored in springs of contacts at the step's start and end
    let mut stored = [0.0; 2];
    let mut gains = Gains::new(walk);
    for (k, active) in laws.active.iter().enumerate() {
        let r = &solved.impulses[k * S::DIM..][..S::DIM];
        if let Some(spring) = active.spring() {
            let frame = &laws.frames[k * S::DIM..][..S::DIM];
            add(&mut stored, book_spring::<S>(spring, r, relative_along(walk, solved, k), over, ledger));
            let support = (active.support[0] + active.support[1]) * 0.5;
            ledger.supports += r.iter().zip(frame).map(|(r, d)| r * support.dot(*d)).sum::<f64>();
            continue;
        }
        if let Some(spring) = active.stopped() {
            add(&mut stored, book_stopped::<S>(spring, &relative_along(walk, solved, k), over, ledger));
        }
        if r.iter().all(|&x| x == 0.0) {
            continue;
        }
        let frame = &laws.frames[k * S::DIM..][..S::DIM];
        let support = (active.support[0] + active.support[1]) * 0.5;
        let u = relative_velocity(masses, prediction, &contacts[active.contact], &mean, support);
        ledger.impact -= r[0] * u.dot(frame[0]);
        for (r, direction) in r[1..].iter().zip(&frame[1..]) {
            ledger.friction -= r * u.dot(*direction);
        }
        if contacts[active.contact].is_elastic() {
            // velocities of the surfaces of elastic blocks change sign within a step: energy that contacts then seem to
            // add is an error of the step
            let along = |i: usize| r[i] * u.dot(frame[i]);
            let given = [along(0).max(0.0), (1..S::DIM).map(along).sum::<f64>().max(0.0)];
            ledger.impact += given[0];
            ledger.friction += given[1];
            ledger.numerical -= given[0] + given[1];
        } else {
            gains.add(&contacts[active.contact].key, r.iter().zip(frame).map(|(r, d)| r * u.dot(*d)).sum());
        }
        for (r, direction) in r.iter().zip(frame) {
            ledger.supports += r * support.dot(*direction);
        }
    }
    let gained = gains.total();
    ledger.restitution += gained;
    ledger.friction += gained;
    let found_anew = stored[0] - ledger.springs;
    ledger.elastic += found_anew;
    ledger.numerical -= found_anew;
    ledger.springs = stored[1];
}

/// Work of the impulses on groups of connected bodies, where Newton's restitution acts.
struct Gains<'a> {
    node: &'a [Option<u32>],
    /// Whether a contact of two bodies has Newton's restitution.
    newton: Box<dyn Fn(&ContactKey) -> bool + 'a>,
    /// Representative node of the group of each node; empty without such restitution.
    group: Vec<u32>,
    /// Node, work, and whether Newton's restitution acts, of each contact.
    work: Vec<(u32, f64, bool)>,
}

impl<'a> Gains<'a> {
    fn new<S: Space>(walk: &Walk<'a, S>) -> Self {
        let Walk { model, masses, .. } = *walk;
        let elastic = |law: &Restitution| matches!(law, Restitution::Newton(e) if *e > 0.0);
        let any = model.joints.any(|joint| elastic(&joint.restitution) && joint.friction > 0.0);
        let newton = move |key: &ContactKey| {
            let [a, b] = [key.candidate, key.antagonist].map(|body| model.bodies[body as usize].material);
            elastic(&model.joints.between(a, b).restitution)
        };
        let nodes = if any { masses.body.len() as u32 } else { 0 };
        Self { node: &masses.node, newton: Box::new(newton), group: (0..nodes).collect(), work: Vec::new() }
    }

    fn find(&self, mut node: u32) -> u32 {
        while self.group[node as usize] != node {
            node = self.group[node as usize];
        }
        node
    }

    /// Adds the work of a contact [J].
    fn add(&mut self, key: &ContactKey, work: f64) {
        if self.group.is_empty() {
            return;
        }
        let [a, b] = [key.candidate, key.antagonist].map(|body| self.node[body as usize]);
        let Some(one) = a.or(b) else { return };
        if let (Some(a), Some(b)) = (a, b) {
            let (a, b) = (self.find(a), self.find(b));
            self.group[a.max(b) as usize] = a.min(b);
        }
        self.work.push((one, work, (self.newton)(key)));
    }

    /// Sum of the positive works of groups in which Newton's restitution acts [J].
    fn total(&self) -> f64 {
        let mut sums = vec![(0.0, false); self.group.len()];
        for &(node, work, newton) in &self.work {
            let sum = &mut sums[self.find(node) as usize];
            *sum = (sum.0 + work, sum.1 || newton);
        }
        sums.into_iter().filter(|(_, newton)| *newton).map(|(work, _)| work.max(0.0)).sum()
    }
}

fn add(sum: &mut [f64; 2], more: [f64; 2]) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// Relative velocity of a contact at the end of the step, in its frame.
fn relative_along<S: Space>(walk: &Walk<S>, solved: &Solved, k: usize) -> [f64; 3] {
    let Walk { masses, prediction, contacts, laws, .. } = *walk;
    let (active, frame) = (&laws.active[k], &laws.frames[k * S::DIM..][..S::DIM]);
    let u = relative_velocity(masses, prediction, &contacts[active.contact], &solved.velocities, active.support[1]);
    std::array::from_fn(|i| frame.get(i).map_or(0.0, |d| u.dot(*d)))
}

/// Energy of a normal spring for a jump; zero in tension [J].
fn normal_energy(spring: &Spring, jump: [f64; 3]) -> f64 {
    spring.energy([jump[0].min(0.0), 0.0, 0.0], 0..1)
}

/// Books the stored and dissipated energy of springs at their stop, which a rigid contact replaces. Returns the stored
/// energy at the start and at the end of the step.
fn book_stopped<S: Space>(spring: &Spring, after: &[f64; 3], over: Interval, ledger: &mut EnergyLedger) -> [f64; 2] {
    let [start, end] = [spring.jump, spring.after(over, *after)].map(|jump| normal_energy(spring, jump));
    let sheared = spring.energy(spring.jump, 1..S::DIM);
    ledger.elastic += end - start - sheared;
    ledger.impact -= end - start;
    ledger.friction += sheared;
    [start + sheared, end]
}

/// Books a contact on springs: stored energy, friction and numerical dissipation. Returns the stored energy at the
/// start and at the end of the step.
fn book_spring<S: Space>(
    spring: &Spring,
    r: &[f64],
    after: [f64; 3],
    over: Interval,
    ledger: &mut EnergyLedger,
) -> [f64; 2] {
    let Interval { h, theta, .. } = over;
    let work: f64 = (0..S::DIM).map(|i| r[i] * 0.5 * (spring.before[i] + after[i])).sum();
    // springs lose their elastic slip when the contact opens
    let end = spring.after(over, after);
    let slip = std::array::from_fn(|i| {
        let mean = -r.get(i).copied().unwrap_or(0.0) / (h * spring.stiffness[i]);
        if r[0] > 0.0 { (mean - (1.0 - theta) * spring.jump[i]) / theta } else { 0.0 }
    });
    let stored = [(spring.jump, spring.jump), (end, slip)]
        .map(|(gap, slip)| normal_energy(spring, gap) + spring.energy(slip, 1..S::DIM));
    // motion without stored energy is sliding
    let slid: f64 = (1..S::DIM).map(|i| -r[i] / h * (end[i] - spring.jump[i] - (slip[i] - spring.jump[i]))).sum();
    ledger.elastic += stored[1] - stored[0];
    ledger.friction += slid;
    ledger.numerical += -work - (stored[1] - stored[0]) - slid;
    stored
}
