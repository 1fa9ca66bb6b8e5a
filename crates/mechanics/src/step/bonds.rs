//! Places of the bonds of a model.
//!
//! Bonds follow from the model alone: the contact points with an area in the initial configuration. Each is attached to
//! a point of either body; the jump δ is their distance, in axes that rotate with the antagonist. A bond in a step is
//! in [`super::bonded`].

use voussoir_elastic::PointWeights;
use voussoir_geometry::{BroadPhase, Detection, Pose, Space};

use super::beds::Beds;
use super::detect::{Alert, find_contacts};
use super::law::Contact;
use super::masses::Masses;
use crate::elastic::attached::{mean_weights, weights_at_start};
use crate::inspect::TOLERANCE;
use crate::joints::{Bond, Elastic};
use crate::model::Model;
use crate::state::{BondMemory, ContactKey};

/// The place of a bond, and its law.
#[derive(Clone, Debug)]
pub(crate) struct Place<S: Space> {
    /// The contact from which it was created.
    pub key: ContactKey,
    /// Its point in the axes of the candidate and of the antagonist [m].
    pub points: [S::Vector; 2],
    /// In the axes of the antagonist.
    pub normal: S::Vector,
    /// [m²]; [m] in 2D.
    pub area: f64,
    pub bond: Bond,
    /// Springs of the contact.
    pub springs: Option<Elastic>,
    /// Friction coefficient of the joint.
    pub friction: f64,
    /// Contact coordinates of elastic bodies: candidate, antagonist.
    pub elastic: [Option<PointWeights>; 2],
}

/// All bonds of a model, in the order of their keys.
pub(crate) fn find_bonds<S: Space>(model: &Model<S>, masses: &Masses, beds: &Beds<S>) -> Vec<Place<S>> {
    if !model.joints.has_bonds() {
        return Vec::new();
    }
    let poses: Vec<Pose<S>> = model.bodies.iter().map(|body| body.pose).collect();
    let alert = Alert::Fixed(Alert::default_distance(masses));
    // always the same detection method: stages with another one keep their bonds
    let detection = Detection::default();
    let mut contacts = find_contacts(model, masses, &mut BroadPhase::new(), &poses, &alert, beds, detection);
    let weights = weights_at_start(model, &poses, detection, &mut contacts);
    let mut places = Vec::new();
    let same =
        |a: &Contact<S>, b: &Contact<S>| (a.key.candidate, a.key.antagonist) == (b.key.candidate, b.key.antagonist);
    for own in contacts.chunk_by(same) {
        let bodies = [own[0].key.candidate, own[0].key.antagonist].map(|i| i as usize);
        let [a, b] = bodies.map(|i| model.bodies[i].material);
        let joint = model.joints.between(a, b);
        let Some(bond) = joint.bond else { continue };
        let reach = TOLERANCE * masses.smaller(bodies[0], bodies[1]);
        let touching = own.iter().filter(|contact| contact.point.gap <= reach && contact.point.area > 0.0);
        let elastic = |key: ContactKey| [0, 1].map(|side| weights.get(&(key, side)).cloned());
        let place = |key, x, n, area, elastic| Place {
            key,
            points: bodies.map(|i| poses[i].local_point(x)),
            normal: poses[bodies[1]].local_direction(n),
            area,
            bond,
            springs: joint.elastic,
            friction: joint.friction,
            elastic,
        };
        if bond.law().is_central() {
            let touching: Vec<_> = touching.collect();
            let area: f64 = touching.iter().map(|contact| contact.point.area).sum();
            let Some(first) = touching.first() else { continue };
            let middle =
                touching.iter().fold(S::zero(), |sum, contact| sum + contact.point.position * contact.point.area);
            let mean = |side: usize| {
                let own = touching.iter().filter_map(|c| Some((c.point.area, weights.get(&(c.key, side))?)));
                Some(mean_weights(own)).filter(|mean| !mean.is_empty())
            };
            places.push(place(first.key, middle / area, first.point.normal, area, [0, 1].map(mean)));
        } else {
            places
                .extend(touching.map(|c| place(c.key, c.point.position, c.point.normal, c.point.area, elastic(c.key))));
        }
    }
    places
}

/// Memory of all bonds at the start; bonds of bodies that are not present yet begin when these are added.
pub(crate) fn sound<S: Space>(places: &[Place<S>], there: &[bool]) -> Vec<BondMemory<S>> {
    let born = |place: &Place<S>| [place.key.candidate, place.key.antagonist].iter().all(|&i| there[i as usize]);
    let memory = |place| BondMemory { beta: 1.0, force: S::zero(), origin: born(place).then(S::zero) };
    places.iter().map(memory).collect()
}
