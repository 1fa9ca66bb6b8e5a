//! Invariants of every step of every run.
//!
//! | invariant | measure | tolerance |
//! |---|---|---|
//! | converged | residual of the contact law, where the step says it missed it | the stage's |
//! | balance | ‖M Δv − h (weights + loads + support reactions)‖, without wind and water | 1e-8 of h (weights + loads + ‖reactions‖) |
//! | normal forces | −rₙ | 1e-12 of the largest force |
//! | friction cone | ‖r_T‖ − μ rₙ | 1e-8 of μ rₙ |
//! | friction opposes slip | Σ max(0, r_T·u_S), u_S the part of u_T that slides, see below | 1e-8 of Σ‖r‖ times the speeds |
//! | gap | −g | the case's, 1e-9 m unless it says otherwise |
//! | dissipation | −Δ(friction + impact work) | ½ h² Σ‖r‖ times the free acceleration, see below |
//! | energy | \|ΔE_kin − W + D + ΔE_el\| for θ = ½ | 1e-12 of the energies and of ½ h² Σ‖r‖ times the free acceleration |
//!
//! Each is stored as measure / tolerance: 1 is the limit.
//!
//! **Slip.** Without springs u_S is u_T. Springs k_t return shear energy when they are unloaded, and then act in the
//! direction of u_T: the change of their deflection δ = −r_T/(h k_t) is subtracted from the displacement h(θu_T +
//! (1−θ)u_T⁻) of a step.
//!
//! **Dissipation.** The law gives r·u⁺ ≤ 0 (e = 0); the energy that contacts dissipate in a step is −½ r·(u⁺ + u⁻).
//! With u⁺ − u⁻ = W r + h a, a the acceleration of the contact points without contacts (weight, loads, rotation), −½
//! r·(u⁺ + u⁻) = −r·u⁺ + ½ r·W r + ½ h r·a: only the last term can be negative. The tolerance is an upper bound of this
//! term.

use voussoir_mechanics::geometry::glam::DVec2;
use voussoir_mechanics::geometry::{Solid, Space, Vector};
use voussoir_mechanics::measures;
use voussoir_mechanics::model::{DynamicSettings, Model, Role};
use voussoir_mechanics::report::StepReport;
use voussoir_mechanics::state::{EnergyLedger, State};
use voussoir_mechanics::{ContactRecord, Stepper};

/// Relative tolerance of balances, cones and energies.
const RELATIVE_TOLERANCE: f64 = 1e-8;
/// Rounding error of quantities that cancel.
const ROUNDING_TOLERANCE: f64 = 1e-12;

/// Names of the invariants, in the order of [`Watch::worst`].
pub const NAMES: [&str; 8] =
    ["converged", "balance", "normal forces", "friction cone", "friction opposes slip", "gap", "dissipation", "energy"];

/// The worst so far, as measure / tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watch {
    /// Largest ratio of each invariant, and the time at which it was met [s].
    pub worst: [(f64, f64); NAMES.len()],
    /// Steps watched.
    pub steps: u64,
    /// Largest penetration [m].
    pub penetration: f64,
    allowed_penetration: f64,
}

impl Watch {
    /// No steps watched.
    pub fn new(allowed_penetration: f64) -> Self {
        Self { worst: [(0.0, 0.0); NAMES.len()], steps: 0, penetration: 0.0, allowed_penetration }
    }

    /// The largest ratio of all.
    pub fn largest(&self) -> f64 {
        self.worst.iter().map(|(ratio, _)| *ratio).fold(0.0, f64::max)
    }

    /// Merges another run: the larger ratio of each invariant.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        for (own, theirs) in self.worst.iter_mut().zip(&other.worst) {
            if theirs.0 > own.0 {
                *own = *theirs;
            }
        }
        self.steps += other.steps;
        self.penetration = self.penetration.max(other.penetration);
        self
    }

    /// Checks one step of an analysis other than the dynamic one: convergence, penetration, dissipation, energy.
    pub fn observe_report<S: Space>(&mut self, model: &Model<S>, before: &State<S>, report: &StepReport) {
        self.steps += 1;
        self.penetration = self.penetration.max(report.penetration);
        let energies = Energies::new(model, before, report);
        let mut ratios = [0.0; NAMES.len()];
        ratios[0] = if report.converged { 0.0 } else { f64::INFINITY };
        ratios[5] = over(report.penetration, self.allowed_penetration);
        // bodies at rest move with less than 1e-9 m/s
        let still: f64 = model.bodies.iter().map(|body| 1e-18 * body.mass).sum();
        ratios[6] = over(-energies.dissipated, RELATIVE_TOLERANCE * energies.scale + still);
        ratios[7] = over(energies.unexplained, RELATIVE_TOLERANCE * energies.scale + still);
        self.note(ratios, report.time);
    }

    /// Checks one step; `before` is the state before it.
    pub fn observe<S: Space>(&mut self, before: &State<S>, stepper: &Stepper<S>, report: &StepReport) {
        let (model, settings, after) = (stepper.model(), stepper.settings(), stepper.state());
        self.steps += 1;
        self.penetration = self.penetration.max(report.penetration);
        let forces = Forces::new(stepper.contacts());
        let applied = applied(model, settings, before, after);
        let energies = Energies::new(model, before, report);
        let h = settings.step;
        let motion = Motion::new(model, h, before, after);
        // error of a power if the contact law holds to 1e-8
        let power = RELATIVE_TOLERANCE * forces.sum * motion.speed;
        let gain = 0.5 * h * h * forces.sum * motion.acceleration;
        let missed = if report.converged { 0.0 } else { report.residual / settings.tolerance };
        let ratios = [
            missed,
            balance(model, settings, before, after, report, applied),
            over(-forces.least_normal, ROUNDING_TOLERANCE * forces.largest),
            over(forces.outside_cone, ROUNDING_TOLERANCE * forces.largest),
            over(forces.against_slip, power),
            over(report.penetration, self.allowed_penetration),
            over(-energies.dissipated, gain + h * power + ROUNDING_TOLERANCE * energies.scale),
            // the energy dissipated by contacts is the difference of two such works, also for very small motion
            if settings.theta == 0.5 {
                over(energies.unexplained, ROUNDING_TOLERANCE * (energies.scale + gain))
            } else {
                0.0
            },
        ];
        self.note(ratios, after.time);
    }

    /// Keeps the largest ratios.
    fn note(&mut self, ratios: [f64; NAMES.len()], time: f64) {
        for (worst, ratio) in self.worst.iter_mut().zip(ratios) {
            // a ratio that is NaN counts as infinite
            if ratio > worst.0 || ratio.is_nan() {
                *worst = (if ratio.is_nan() { f64::INFINITY } else { ratio }, time);
            }
        }
    }
}

/// A measure in units of its tolerance; 0/0 is no violation.
fn over(measure: f64, tolerance: f64) -> f64 {
    if measure <= 0.0 { 0.0 } else { measure / tolerance }
}

/// Forces of the contacts in one step.
struct Forces {
    largest: f64,
    sum: f64,
    least_normal: f64,
    outside_cone: f64,
    against_slip: f64,
}

impl Forces {
    fn new<S: Space>(contacts: &[ContactRecord<S>]) -> Self {
        let mut all = Self { largest: 0.0, sum: 0.0, least_normal: 0.0, outside_cone: 0.0, against_slip: 0.0 };
        for contact in contacts {
            // bonds have their own laws
            let force = contact.force - contact.bond;
            let normal = force.dot(contact.normal);
            let tangential = force - contact.normal * normal;
            all.largest = all.largest.max(contact.force.length());
            all.sum += contact.force.length();
            all.least_normal = all.least_normal.min(normal);
            let limit = contact.friction * normal.max(0.0) * (1.0 + RELATIVE_TOLERANCE);
            all.outside_cone = all.outside_cone.max(tangential.length() - limit);
            // a spring that is unloaded in shear acts along the motion: only slip is checked
            all.against_slip += tangential.dot(contact.sliding).max(0.0);
        }
        all
    }
}

/// Force of gravity and of loads, mean over the step, and the sum of their magnitudes [N].
fn applied<S: Space>(
    model: &Model<S>,
    settings: &DynamicSettings,
    before: &State<S>,
    after: &State<S>,
) -> (S::Vector, f64) {
    let (mut force, mut size) = (S::zero(), 0.0);
    let free = |body: usize| before.is_free(model, body);
    for (_, body) in model.bodies.iter().enumerate().filter(|(i, _)| free(*i)) {
        force += model.gravity * body.mass;
        size += model.gravity.length() * body.mass;
    }
    for load in model.loads.iter().filter(|load| free(load.body)) {
        let theta = settings.theta;
        let part = theta * load.function.value(after.time) + (1.0 - theta) * load.function.value(before.time);
        force += load.force * part;
        size += load.force.length() * part.abs();
    }
    let down = model.gravity / model.gravity.length().max(f64::MIN_POSITIVE);
    for train in &model.trains {
        for (time, part) in [(after.time, settings.theta), (before.time, 1.0 - settings.theta)] {
            for on in train.forces(time, down).into_iter().filter(|on| free(on.body)) {
                force += on.force * part;
                size += on.force.length() * part;
            }
        }
    }
    (force, size)
}

fn balance<S: Space>(
    model: &Model<S>,
    settings: &DynamicSettings,
    before: &State<S>,
    after: &State<S>,
    report: &StepReport,
    (force, size): (S::Vector, f64),
) -> f64 {
    if model.sea.is_some() {
        return 0.0;
    }
    let h = settings.step;
    let (p0, p1) = (measures::momentum(model, before).0, measures::momentum(model, after).0);
    let reaction = S::Vector::from_slice(&report.support_reaction);
    let left = p1 - p0 - (force + reaction) * h;
    over(
        left.length(),
        RELATIVE_TOLERANCE * h * (size + reaction.length()) + ROUNDING_TOLERANCE * (p0.length() + p1.length()),
    )
}

/// Bounds on how points of bodies move.
struct Motion {
    /// Before, after and without contacts [m/s].
    speed: f64,
    /// Without contacts [m/s²].
    acceleration: f64,
}

impl Motion {
    fn new<S: Space>(model: &Model<S>, h: f64, before: &State<S>, after: &State<S>) -> Self {
        let (mut speed, mut acceleration): (f64, f64) = (0.0, 0.0);
        for (i, body) in model.bodies.iter().enumerate() {
            let of = |state: &State<S>| {
                let (linear, spin) = S::unpack(&state.velocities[i * S::DOFS..][..S::DOFS]);
                (linear, norm::<S>(spin))
            };
            let ((v0, w0), (v1, w1)) = (of(before), of(after));
            // a rotating half-space has no bound; supports of the cases do not rotate
            let size = if body.shape.size().is_finite() { body.shape.size() } else { 0.0 };
            speed = speed.max(v0.length() + v1.length() + size * (w0 + w1));
            let turning = size * w0.max(w1).powi(2);
            let pushed = match body.role {
                _ if !before.presence[i].is_there() => 0.0,
                Role::Free => model.gravity.length() + loaded(model, i, size, after) + blown(model, i, size, before),
                Role::Support(_) => (v1 - v0).length() / h,
            };
            acceleration = acceleration.max(turning + pushed);
        }
        // two bodies meet in a contact
        Self { speed: 2.0 * (speed + h * acceleration), acceleration: 2.0 * acceleration }
    }
}

/// Acceleration of a body's points by its loads, cables and trains, at most [m/s²].
fn loaded<S: Space>(model: &Model<S>, body: usize, size: f64, state: &State<S>) -> f64 {
    let mut inverse = [0.0; 36];
    let inverse = &mut inverse[..S::DOFS * S::DOFS];
    S::inverse_mass_matrix(model.bodies[body].mass, model.bodies[body].inertia, inverse);
    let easiest = (S::DIM..S::DOFS).map(|k| inverse[k * (S::DOFS + 1)]).fold(0.0, f64::max);
    let accelerated = |force: f64, moment: f64| force * inverse[0] + 2.0 * size * moment * easiest;
    let loads = model.loads.iter().filter(|load| load.body == body).map(|load| {
        let force = load.force.length();
        let moment = norm::<S>(load.moment) + load.point.length() * force;
        load.function.value(state.time).abs() * accelerated(force, moment)
    });
    // a cable pulls on both sides of an anchor
    let pulls = model.cables.iter().zip(&state.cables).flat_map(|(cable, now)| {
        let mine = cable.anchors.iter().filter(|anchor| anchor.body == body);
        mine.map(|anchor| accelerated(2.0 * now.tension, 2.0 * now.tension * anchor.point.length()))
    });
    let down = model.gravity / model.gravity.length().max(f64::MIN_POSITIVE);
    let axles = model.trains.iter().flat_map(|train| train.forces(state.time, down));
    let axles = axles.filter(|on| on.body == body).map(|on| {
        let force = on.force.length();
        accelerated(force, force * on.point.length())
    });
    loads.sum::<f64>() + pulls.sum::<f64>() + axles.sum::<f64>()
}

/// Acceleration of a body's points by wind, water and Coriolis force, at most [m/s²].
fn blown<S: Space>(model: &Model<S>, body: usize, size: f64, state: &State<S>) -> f64 {
    let (Some(sea), Some(mass)) = (&model.sea, model.bodies[body].shape.mass_properties()) else { return 0.0 };
    let (velocity, spin) = S::unpack(&state.velocities[body * S::DOFS..][..S::DOFS]);
    let position = state.poses[body].position;
    let place = DVec2::new(position.get(0), position.get(1));
    let speed = velocity.length() + size * norm::<S>(spin);
    let [air, water] = sea.stress[model.bodies[body].material];
    let (wind, current) = (sea.wind.at(place, state.time).length(), sea.current.at(place, state.time).length());
    let stress = air * wind * wind + water * (current + speed).powi(2);
    // the torque is at most stress · area · size / 2, the inertia of a flat floe at least m size² / 24
    7.0 * stress * mass.volume / model.bodies[body].mass + 2.0 * sea.coriolis.abs() * (speed + current)
}

fn norm<S: Space>(spin: S::Spin) -> f64 {
    S::spin_to_3d(spin).iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Changes of the energies in a step [J].
struct Energies {
    dissipated: f64,
    unexplained: f64,
    scale: f64,
}

impl Energies {
    fn new<S: Space>(model: &Model<S>, before: &State<S>, report: &StepReport) -> Self {
        let (old, new) = (&before.ledger, &report.ledger);
        let kinetic = measures::kinetic_energy(model, before);
        let contacts = |ledger: &EnergyLedger| ledger.friction + ledger.impact - ledger.restitution;
        let dissipated = contacts(new) - contacts(old);
        let work = [
            new.gravity - old.gravity,
            new.loads - old.loads,
            new.supports - old.supports,
            new.construction - old.construction,
        ];
        let change = report.kinetic_energy - kinetic;
        let taken = new.taken() - old.taken();
        let booked =
            [new.gravity, new.loads, new.supports, new.friction, new.impact, new.cohesion, new.elastic, new.numerical];
        // differences of sums cancel
        let scale = kinetic + report.kinetic_energy + booked.iter().map(|x| x.abs()).sum::<f64>();
        Self { dissipated, unexplained: (change - work.iter().sum::<f64>() + taken).abs(), scale }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_count_from_the_tolerance() {
        assert_eq!((over(-1.0, 0.0), over(0.0, 0.0), over(2.0, 4.0)), (0.0, 0.0, 0.5));
        assert!(over(1e-300, 0.0).is_infinite());
    }

    #[test]
    fn the_worse_of_two_runs_is_kept() {
        let mut a = Watch::new(1e-9);
        let mut b = Watch::new(1e-9);
        a.worst[1] = (0.5, 1.0);
        b.worst[1] = (0.7, 2.0);
        b.steps = 3;
        let both = a.and(&b);
        assert_eq!((both.worst[1], both.steps, both.largest()), ((0.7, 2.0), 3, 0.7));
    }
}
