//! Measures: resultants of interfaces, support reactions, energies, momentum.
//!
//! N = Σ fₙ, T = Σ f_T and the centre of pressure x_p = Σ fₙ x / Σ fₙ over all contacts between two bodies.

use voussoir_geometry::{Space, Vector};

use crate::contacts::ContactRecord;
use crate::model::{Model, Role};
use crate::state::{Presence, State};
use crate::step::masses::Masses;
use crate::step::spin::angular;

/// Resultant of all contacts between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resultant<S: Space> {
    /// Candidate: the body on which the force acts.
    pub candidate: u32,
    /// Antagonist.
    pub antagonist: u32,
    /// Force on the candidate, world axes [N].
    pub force: S::Vector,
    /// Sum of normal forces, ≥ 0 [N].
    pub normal: f64,
    /// Sum of tangential forces, world axes [N].
    pub tangential: S::Vector,
    /// Centre of pressure [m]; the mean of the points if there is no force.
    pub centre: S::Vector,
    /// Moment on the candidate about the centre of pressure, world axes [N·m].
    pub moment: S::Spin,
    /// Smallest friction coefficient among the contacts.
    pub friction: f64,
    /// Sum of the areas [m²].
    pub area: f64,
}

impl<S: Space> Resultant<S> {
    /// Use of friction ‖T‖/(μN): slip at 1. Zero without a force.
    pub fn friction_use(&self) -> f64 {
        let limit = self.friction * self.normal;
        if limit > 0.0 { self.tangential.length() / limit } else { 0.0 }
    }
}

/// Resultants of all interfaces, ordered by (candidate, antagonist). The contacts are sorted by key, as a stepper
/// gives them.
pub fn resultants<S: Space>(contacts: &[ContactRecord<S>]) -> Vec<Resultant<S>> {
    contacts
        .chunk_by(|a, b| (a.key.candidate, a.key.antagonist) == (b.key.candidate, b.key.antagonist))
        .map(resultant)
        .collect()
}

/// Sums the contacts of one interface; there is at least one.
fn resultant<S: Space>(contacts: &[ContactRecord<S>]) -> Resultant<S> {
    let mut sum = Resultant {
        candidate: contacts[0].key.candidate,
        antagonist: contacts[0].key.antagonist,
        force: S::zero(),
        normal: 0.0,
        tangential: S::zero(),
        centre: S::zero(),
        moment: S::no_spin(),
        friction: f64::INFINITY,
        area: 0.0,
    };
    let mut mean = S::zero();
    for contact in contacts {
        let normal = contact.force.dot(contact.normal);
        sum.force += contact.force;
        sum.normal += normal;
        sum.tangential += contact.force - contact.normal * normal;
        sum.centre += contact.position * normal;
        sum.friction = sum.friction.min(contact.friction);
        sum.area += contact.area;
        mean += contact.position;
    }
    sum.centre = if sum.normal > 0.0 { sum.centre / sum.normal } else { mean / contacts.len() as f64 };
    for contact in contacts {
        sum.moment = sum.moment + S::cross(contact.position - sum.centre, contact.force);
    }
    sum
}

/// Largest penetration of rigid contacts, ≥ 0 [m]; the deflection of springs up to their maximum closure is excluded.
pub fn penetration<S: Space>(model: &Model<S>, contacts: &[ContactRecord<S>]) -> f64 {
    let beyond = |contact: &ContactRecord<S>| {
        let [a, b] = [contact.key.candidate, contact.key.antagonist].map(|i| model.bodies[i as usize].material);
        -contact.gap - model.joints.between(a, b).elastic.map_or(0.0, |elastic| elastic.closure)
    };
    contacts.iter().map(beyond).fold(0.0, f64::max)
}

/// Largest closure of springs, ≥ 0 [m]; zero if all joints are rigid.
pub fn closure<S: Space>(model: &Model<S>, contacts: &[ContactRecord<S>]) -> f64 {
    let closed = |contact: &ContactRecord<S>| {
        let [a, b] = [contact.key.candidate, contact.key.antagonist].map(|i| model.bodies[i as usize].material);
        model.joints.between(a, b).elastic.map(|elastic| (-contact.gap).min(elastic.closure))
    };
    contacts.iter().filter_map(closed).fold(0.0, f64::max)
}

/// Loads and axles on free bodies along gravity at a time [N]; the weight of the bodies is not included.
pub fn downward_load<S: Space>(model: &Model<S>, time: f64) -> f64 {
    let g = model.gravity.length();
    if g == 0.0 {
        return 0.0;
    }
    let down = model.gravity / g;
    let free = |body: usize| model.bodies[body].role == Role::Free;
    let loads = model.loads.iter().filter(|load| free(load.body)).map(|load| load.weight_at(model.gravity, time));
    let axles = model.trains.iter().flat_map(|train| train.forces(time, down));
    loads.sum::<f64>() + axles.filter(|on| free(on.body)).map(|on| on.force.dot(down)).sum::<f64>()
}

/// Force of all supports on the free bodies [N]. `held` is true for supports.
pub fn support_reaction<S: Space>(held: impl Fn(usize) -> bool, contacts: &[ContactRecord<S>]) -> S::Vector {
    let mut sum = S::zero();
    for contact in contacts.iter().filter(|c| held(c.key.antagonist as usize)) {
        sum += contact.force;
    }
    sum
}

/// Force and moment (about the support's centroid) of each support on the free bodies; every support is listed.
pub fn reactions<S: Space>(
    model: &Model<S>,
    state: &State<S>,
    contacts: &[ContactRecord<S>],
) -> Vec<(usize, S::Vector, S::Spin)> {
    let mut sums: Vec<_> = (0..model.bodies.len()).map(|i| (i, S::zero(), S::no_spin())).collect();
    for contact in contacts {
        let (_, force, moment) = &mut sums[contact.key.antagonist as usize];
        let arm = contact.position - state.poses[contact.key.antagonist as usize].position;
        *force += contact.force;
        *moment = *moment + S::cross(arm, contact.force);
    }
    sums.retain(|(i, ..)| model.bodies[*i].role != Role::Free && state.presence[*i] != Presence::Released);
    sums
}

/// Kinetic energy of the free bodies [J].
pub fn kinetic_energy<S: Space>(model: &Model<S>, state: &State<S>) -> f64 {
    let mut masses = Masses::at(model, state);
    masses.carry(model, state.time, state.time);
    masses.kinetic_energy::<S>(&masses.gather::<S>(&state.velocities)) + crate::elastic::kinetic_energy(model, state)
}

/// Potential energy of gravity relative to the drawn positions [J].
pub fn potential_energy<S: Space>(model: &Model<S>, state: &State<S>) -> f64 {
    free(model, state)
        .map(|i| -model.bodies[i].mass * model.gravity.dot(state.poses[i].position - model.bodies[i].pose.position))
        .sum()
}

/// Linear momentum [N·s] and angular momentum about the origin [N·m·s] of the free bodies, world axes.
pub fn momentum<S: Space>(model: &Model<S>, state: &State<S>) -> (S::Vector, S::Spin) {
    let (mut linear, mut moment) = (S::zero(), S::no_spin());
    let mut block = [0.0; 36];
    for i in free(model, state) {
        let body = &model.bodies[i];
        let (velocity, spin) = S::unpack(&state.velocities[i * S::DOFS..][..S::DOFS]);
        let block = &mut block[..S::DOFS * S::DOFS];
        S::mass_matrix(body.mass, body.inertia, block);
        let own = S::spin_to_world(state.poses[i].rotation, angular::<S>(block, spin));
        linear += velocity * body.mass;
        moment = moment + own + S::cross(state.poses[i].position, velocity * body.mass);
    }
    (linear, moment)
}

/// Largest speed and displacement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LargestMotion {
    /// Largest displacement of a free body's centroid from the start [m].
    pub displacement: f64,
    /// Largest speed of a free body's centroid [m/s].
    pub speed: f64,
}

/// Largest displacement and speed of free bodies.
pub fn extremes<S: Space>(model: &Model<S>, state: &State<S>) -> LargestMotion {
    free(model, state).fold(LargestMotion::default(), |most, i| LargestMotion {
        displacement: most.displacement.max((state.poses[i].position - model.bodies[i].pose.position).length()),
        speed: most.speed.max(S::unpack(&state.velocities[i * S::DOFS..][..S::DOFS]).0.length()),
    })
}

/// Mass [kg] and weight [N] of the free bodies, all of them present.
pub fn mass_and_weight<S: Space>(model: &Model<S>) -> (f64, f64) {
    let mass: f64 = model.bodies.iter().filter(|body| body.role == Role::Free).map(|body| body.mass).sum();
    (mass, mass * model.gravity.length())
}

/// Indices of the present free bodies.
fn free<'a, S: Space>(model: &'a Model<S>, state: &'a State<S>) -> impl Iterator<Item = usize> + 'a {
    (0..model.bodies.len()).filter(|&i| state.is_free(model, i))
}
