//! A look at a model before it runs: interfaces, overlaps, bodies that nothing holds.

use voussoir_geometry::{BroadPhase, Detection, Pose, Space};

use crate::contacts::{ContactRecord, ContactStatus};
use crate::measures::mass_and_weight;
use crate::model::Model;
use crate::step::detect::{Alert, find_beds, find_contacts};
use crate::step::law::Contact;
use crate::step::masses::Masses;

/// Overlap and opening, relative to the smaller body's size, up to which two bodies count as touching.
pub const TOLERANCE: f64 = 1e-3;

/// What a model is, seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection<S: Space> {
    /// Pairs of bodies within the alert distance, ordered by bodies.
    pub interfaces: Vec<Interface<S>>,
    /// Contact points of all interfaces.
    pub contacts: usize,
    /// Pairs that overlap by more than the tolerance, worst first.
    pub overlaps: Vec<Overlap>,
    /// Free bodies with no path of closed contacts to a support.
    pub floating: Vec<usize>,
    /// Mass of the free bodies [kg].
    pub mass: f64,
    /// Weight of the free bodies [N].
    pub weight: f64,
}

/// Everything between two bodies that touch.
#[derive(Clone, Debug, PartialEq)]
pub struct Interface<S: Space> {
    /// Candidate and antagonist.
    pub bodies: [usize; 2],
    /// Contact points [m].
    pub points: Vec<S::Vector>,
    /// Area [m²]; length [m] in 2D.
    pub area: f64,
    /// Smallest gap, < 0 for an overlap [m].
    pub worst_gap: f64,
}

/// Two bodies that share space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// One body.
    pub a: usize,
    /// The other.
    pub b: usize,
    /// How deep [m].
    pub depth: f64,
}

/// Looks for contacts up to `alert` [m] (`None`: the default of the dynamic analysis) with the default [`TOLERANCE`].
pub fn inspect<S: Space>(model: &Model<S>, alert: Option<f64>) -> Inspection<S> {
    inspect_with_tolerance(model, alert, TOLERANCE)
}

/// Like [`inspect`]; overlaps are listed, and openings count as closed, beyond and up to `tolerance` times the size of
/// the smaller body.
pub fn inspect_with_tolerance<S: Space>(model: &Model<S>, alert: Option<f64>, tolerance: f64) -> Inspection<S> {
    let masses = Masses::new(model);
    let poses: Vec<_> = model.bodies.iter().map(|body| body.pose).collect();
    let alert = Alert::Fixed(alert.unwrap_or_else(|| Alert::default_distance(&masses)));
    let detection = Detection::default();
    let beds = find_beds(model, &masses, detection);
    let contacts = find_contacts(model, &masses, &mut BroadPhase::new(), &poses, &alert, &beds, detection);
    let interfaces: Vec<Interface<S>> = contacts
        .chunk_by(|a, b| (a.key.candidate, a.key.antagonist) == (b.key.candidate, b.key.antagonist))
        .map(interface)
        .collect();
    let slack = |interface: &Interface<S>| tolerance * masses.smaller(interface.bodies[0], interface.bodies[1]);
    let mut overlaps: Vec<Overlap> = interfaces
        .iter()
        .filter(|interface| interface.worst_gap < -slack(interface))
        .map(|interface| Overlap { a: interface.bodies[0], b: interface.bodies[1], depth: -interface.worst_gap })
        .collect();
    overlaps.sort_by(|x, y| y.depth.total_cmp(&x.depth));
    let closed = interfaces.iter().filter(|interface| interface.worst_gap <= slack(interface)).map(|i| i.bodies);
    let floating = floating(&masses, closed);
    let (mass, weight) = mass_and_weight(model);
    Inspection { contacts: contacts.len(), interfaces, overlaps, floating, mass, weight }
}

/// Contacts of bodies placed at `poses` whose gap is at most `reach` times the size of the smaller body, sorted by key.
/// They carry nothing and do not move: this is what an analysis without time starts from.
pub fn contacts_within<S: Space>(model: &Model<S>, poses: &[Pose<S>], reach: f64) -> Vec<ContactRecord<S>> {
    let masses = Masses::new(model);
    let largest = masses.size.iter().copied().filter(|size| size.is_finite()).fold(0.0, f64::max);
    let alert = Alert::Fixed(reach * largest);
    let detection = Detection::default();
    let beds = find_beds(model, &masses, detection);
    let found = find_contacts(model, &masses, &mut BroadPhase::new(), poses, &alert, &beds, detection);
    let record = |contact: Contact<S>| {
        let (a, b) = (contact.key.candidate as usize, contact.key.antagonist as usize);
        let near = contact.point.gap <= reach * masses.smaller(a, b);
        near.then(|| ContactRecord {
            key: contact.key,
            position: contact.point.position,
            normal: contact.point.normal,
            gap: contact.point.gap,
            area: contact.point.area,
            friction: model.joints.between(model.bodies[a].material, model.bodies[b].material).friction,
            force: S::zero(),
            velocity: S::zero(),
            status: ContactStatus::Open,
        })
    };
    found.into_iter().filter_map(record).collect()
}

/// Sums the contacts of one pair; there is at least one.
fn interface<S: Space>(contacts: &[Contact<S>]) -> Interface<S> {
    Interface {
        bodies: [contacts[0].key.candidate as usize, contacts[0].key.antagonist as usize],
        points: contacts.iter().map(|contact| contact.point.position).collect(),
        area: contacts.iter().map(|contact| contact.point.area).sum(),
        worst_gap: contacts.iter().map(|contact| contact.point.gap).fold(f64::INFINITY, f64::min),
    }
}

/// Free bodies that no chain of pairs connects to a support.
fn floating(masses: &Masses, pairs: impl Iterator<Item = [usize; 2]>) -> Vec<usize> {
    let mut neighbours = vec![Vec::new(); masses.node.len()];
    for [a, b] in pairs {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    let mut held: Vec<bool> = masses.node.iter().map(Option::is_none).collect();
    let mut front: Vec<usize> = (0..held.len()).filter(|&i| held[i]).collect();
    while let Some(i) = front.pop() {
        for &j in &neighbours[i] {
            if !held[j] {
                held[j] = true;
                front.push(j);
            }
        }
    }
    (0..held.len()).filter(|&i| !held[i]).collect()
}
