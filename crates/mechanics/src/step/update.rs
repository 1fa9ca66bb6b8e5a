//! Velocities, positions and contact memory at the end of a step.
//!
//! q_{k+1} = q_k + h [θ v_{k+1} + (1−θ) v_k], rotations by the exponential map of the same mean spin. Supports
//! follow their prescribed motion.

use voussoir_geometry::{Space, Vector};

use super::Walk;
use super::bonded::Held;
use super::law::Contact;
use super::predict::{Interval, moved};
use super::relative::relative_velocity;
use super::solve::Solved;
use super::spring::Spring;
use crate::contacts::{ContactRecord, ContactStatus};
use crate::error::MechanicsError;
use crate::model::{Model, Role};
use crate::state::{ContactKey, ContactMemory, InitialOverlap, State};

/// Moves all bodies to the end of the step.
pub(crate) fn move_bodies<S: Space>(
    walk: &Walk<S>,
    solved: &Solved,
    state: &mut State<S>,
) -> Result<(), MechanicsError> {
    let Walk { model, masses, prediction, over, .. } = *walk;
    state.time = over.end;
    let touching = touching(walk);
    for (i, body) in model.bodies.iter().enumerate() {
        let velocity = &mut state.velocities[i * S::DOFS..][..S::DOFS];
        let pose = &mut state.poses[i];
        match (masses.node[i], body.role) {
            (Some(node), _) => {
                let new = &solved.velocities[node as usize * S::DOFS..][..S::DOFS];
                let mut mean = [0.0; 6];
                for ((mean, new), old) in mean.iter_mut().zip(new).zip(velocity.iter()) {
                    *mean = over.theta * new + (1.0 - over.theta) * old;
                }
                *pose = moved(pose, &mean[..S::DOFS], over.h);
                if let Some(shift) = prediction.shifts.get(node as usize).filter(|_| !touching[i]) {
                    pose.position += *shift * over.h;
                }
                velocity.copy_from_slice(new);
            }
            (None, Role::Support(Some(motion))) => {
                *pose = model.motions[motion].pose(&body.pose, over.end);
                if let Some(advance) = &prediction.supports[i] {
                    let linear = advance.secant(prediction.poses[i].position);
                    S::pack(linear, S::spin_to_body(pose.rotation, advance.spin), velocity);
                }
            }
            (None, _) => {}
        }
        let rotation = S::rotation_to_quaternion(pose.rotation);
        if !(pose.position.is_finite() && rotation.iter().chain(&*velocity).all(|x| x.is_finite())) {
            return Err(MechanicsError::NotFinite { index: i, name: body.name.clone(), time: over.end });
        }
    }
    Ok(())
}

/// Bodies with contacts, if wind and water act; otherwise empty.
fn touching<S: Space>(walk: &Walk<S>) -> Vec<bool> {
    if walk.prediction.shifts.is_empty() {
        return Vec::new();
    }
    let mut touching = vec![false; walk.model.bodies.len()];
    for contact in walk.contacts {
        touching[contact.key.candidate as usize] = true;
        touching[contact.key.antagonist as usize] = true;
    }
    touching
}

/// Stores the depth of crushed points, which is not corrected.
pub(crate) fn note_crushed<S: Space>(walk: &Walk<S>, solved: &Solved, state: &mut State<S>) {
    for (active, r) in walk.laws.active.iter().zip(solved.impulses.chunks_exact(S::DIM)) {
        if active.crush == 0.0 {
            continue;
        }
        let ContactKey { candidate, antagonist, .. } = walk.contacts[active.contact].key;
        let depth = -walk.contacts[active.contact].point.gap + walk.over.h * active.crush * r[0];
        match state.overlaps.binary_search_by_key(&(candidate, antagonist), |o| (o.candidate, o.antagonist)) {
            Ok(at) => state.overlaps[at].depth = state.overlaps[at].depth.max(depth),
            Err(at) => state.overlaps.insert(at, InitialOverlap { candidate, antagonist, depth }),
        }
    }
}

/// The contacts at the end of the step and their memory; `earlier` is their previous memory, by key.
pub(crate) fn remember<S: Space>(
    walk: &Walk<S>,
    solved: &Solved,
    held: &[Held<S>],
    earlier: &[ContactMemory<S>],
) -> (Vec<ContactRecord<S>>, Vec<ContactMemory<S>>) {
    let Walk { model, masses, prediction, contacts, laws, over, .. } = *walk;
    let mut records: Vec<ContactRecord<S>> = contacts.iter().map(|contact| open_record(model, contact)).collect();
    // reference speed of slip: the fastest relative motion without contact
    let mut reference: f64 = 0.0;
    for (k, active) in laws.active.iter().enumerate() {
        let contact = &contacts[active.contact];
        let record = &mut records[active.contact];
        let relative = |v: &[f64]| relative_velocity(masses, prediction, contact, v, active.support[1]);
        reference = reference.max(relative(&prediction.free).length());
        record.velocity = relative(&solved.velocities);
        record.friction = active.friction;
        let (r, frame) = (&solved.impulses[k * S::DIM..][..S::DIM], &laws.frames[k * S::DIM..][..S::DIM]);
        for (r, direction) in r.iter().zip(frame) {
            record.force += *direction * (r / over.h);
        }
        record.sliding = sliding(active.spring(), record, r, frame, over);
    }
    let own = &solved.impulses[..laws.active.len() * S::DIM];
    let largest = own.chunks_exact(S::DIM).map(|r| r[0]).fold(0.0, f64::max);
    for (active, r) in laws.active.iter().zip(solved.impulses.chunks_exact(S::DIM)) {
        let record = &mut records[active.contact];
        record.status = status(record, r, largest, reference);
    }
    let start = solved.balance.as_ref().unwrap_or(&solved.impulses);
    let mut memory: Vec<ContactMemory<S>> = laws
        .active
        .iter()
        .zip(start.chunks_exact(S::DIM))
        .zip(laws.frames.chunks_exact(S::DIM))
        .filter(|((_, r), _)| r.iter().any(|&r| r != 0.0))
        .map(|((active, r), frame)| {
            let record = &records[active.contact];
            let along = |of: &dyn Fn(usize) -> f64| (1..S::DIM).fold(S::zero(), |sum, i| sum + frame[i] * of(i));
            let elastic_slip = active.spring().map_or(S::zero(), |spring| {
                // the spring's share of the slip at t_k + θh is −r/(h k)
                along(&|i| {
                    let theta = over.theta;
                    let mean = -record.force.dot(frame[i]) / spring.stiffness[i];
                    (mean - (1.0 - theta) * spring.jump[i]) / theta
                })
            });
            ContactMemory {
                key: contacts[active.contact].key,
                force: frame.iter().zip(r).fold(S::zero(), |sum, (d, r)| sum + *d * (r / over.h)),
                elastic_slip,
                slid: record.status == ContactStatus::Slide,
                slip: 0.0,
            }
        })
        .collect();
    add_slip(walk, solved, earlier, &mut records, &mut memory);
    add_bonds(walk, held, &mut records);
    (records, memory)
}

/// Adds the slip of contacts: ‖θ u_T⁺ + (1−θ) u_T⁻‖ h while sliding, without the deflection of springs. Contacts that
/// have slid keep their slip for as long as they are detected, with or without a force.
fn add_slip<S: Space>(
    walk: &Walk<S>,
    solved: &Solved,
    earlier: &[ContactMemory<S>],
    records: &mut [ContactRecord<S>],
    memory: &mut Vec<ContactMemory<S>>,
) {
    let Walk { masses, prediction, contacts, laws, over, .. } = *walk;
    // contacts, records and both memories are in order of their keys
    let mut before = earlier.iter().peekable();
    for record in records.iter_mut() {
        while before.next_if(|m| m.key < record.key).is_some() {}
        record.slip = before.next_if(|m| m.key == record.key).map_or(0.0, |m| m.slip);
    }
    let now = |key: ContactKey, memory: &[ContactMemory<S>]| memory.binary_search_by_key(&key, |m| m.key);
    for (active, frame) in laws.active.iter().zip(laws.frames.chunks_exact(S::DIM)) {
        let (contact, record) = (&contacts[active.contact], &mut records[active.contact]);
        if record.status != ContactStatus::Slide {
            continue;
        }
        let start = relative_velocity(masses, prediction, contact, &prediction.before, active.support[0]);
        let end = relative_velocity(masses, prediction, contact, &solved.velocities, active.support[1]);
        let way = (end * over.theta + start * (1.0 - over.theta)) * over.h;
        let elastic = now(record.key, memory).map_or(S::zero(), |at| memory[at].elastic_slip);
        let gave = |i: usize| active.spring().map_or(0.0, |spring| elastic.dot(frame[i]) - spring.jump[i]);
        let slid = (1..S::DIM).map(|i| (way.dot(frame[i]) - gave(i)).powi(2)).sum::<f64>();
        record.slip += slid.sqrt();
    }
    let mut idle = Vec::new();
    for record in records.iter().filter(|record| record.slip > 0.0) {
        match now(record.key, memory) {
            Ok(at) => memory[at].slip = record.slip,
            Err(_) => idle.push(ContactMemory {
                key: record.key,
                force: S::zero(),
                elastic_slip: S::zero(),
                slid: false,
                slip: record.slip,
            }),
        }
    }
    if !idle.is_empty() {
        memory.extend(idle);
        memory.sort_by_key(|m| m.key);
    }
}

/// Adds the forces of bonds to the contacts from which they were created; bonds that opened beyond the alert distance
/// are additional entries. Broken bonds are listed with the remaining contacts.
fn add_bonds<S: Space>(walk: &Walk<S>, held: &[Held<S>], records: &mut Vec<ContactRecord<S>>) {
    let found = records.len();
    for (bond, held) in walk.bonds.iter().zip(held) {
        let key = walk.places[bond.index].key;
        let index = match records[..found].binary_search_by_key(&key, |record| record.key) {
            Ok(index) => index,
            Err(_) if held.beta == 0.0 => continue,
            Err(_) => {
                records.push(open_record(walk.model, &bond.contact));
                records.len() - 1
            }
        };
        let record = &mut records[index];
        record.bond = held.impulse / walk.over.h;
        record.force += record.bond;
        if held.beta > 0.0 && record.status == ContactStatus::Open {
            record.status = ContactStatus::Stick;
        }
    }
    if records.len() > found {
        records.sort_by_key(|record| record.key);
    }
    let mut holds = walk.bonds.iter().zip(held).peekable();
    for (index, place) in walk.places.iter().enumerate() {
        let beta = holds.next_if(|(bond, _)| bond.index == index).map_or(0.0, |(_, held)| held.beta);
        if let Ok(index) = records.binary_search_by_key(&place.key, |record| record.key) {
            records[index].damage = 1.0 - beta;
        }
    }
}

/// Sliding velocity of a contact [m/s].
fn sliding<S: Space>(
    spring: Option<&Spring>,
    record: &ContactRecord<S>,
    r: &[f64],
    frame: &[S::Vector],
    over: Interval,
) -> S::Vector {
    let Some(spring) = spring else {
        return record.velocity - record.normal * record.velocity.dot(record.normal);
    };
    let padded = |of: &dyn Fn(usize) -> f64| std::array::from_fn(|i| if i < S::DIM { of(i) } else { 0.0 });
    let slides = spring.sliding(over, padded(&|i| record.velocity.dot(frame[i])), padded(&|i| r[i]));
    (1..S::DIM).fold(S::zero(), |sum, i| sum + frame[i] * slides[i])
}

/// Open: rₙ below 1e-9 of the `largest` one. Slide: on the cone (within 1e-6) and slipping faster than 1e-6 of the
/// `reference` speed.
fn status<S: Space>(record: &ContactRecord<S>, r: &[f64], largest: f64, reference: f64) -> ContactStatus {
    let slip = record.sliding.length();
    let tangential = r[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
    if r[0] <= 1e-9 * largest {
        ContactStatus::Open
    } else if tangential >= record.friction * r[0] * (1.0 - 1e-6) && slip > 1e-6 * reference {
        ContactStatus::Slide
    } else {
        ContactStatus::Stick
    }
}

fn open_record<S: Space>(model: &Model<S>, contact: &Contact<S>) -> ContactRecord<S> {
    let material = |body: u32| model.bodies[body as usize].material;
    let joint = model.joints.between(material(contact.key.candidate), material(contact.key.antagonist));
    ContactRecord::open(contact.key, &contact.point, joint.friction)
}
