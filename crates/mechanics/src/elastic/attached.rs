//! Contact coordinates of elastic blocks that stay with the block: those of bonds and of anchors of cables.
//!
//! The points of bonds are those of the contacts in the initial configuration, with their mean values over the interface
//! ([`voussoir_elastic::interface`]); a bond in one point has the mean of them. A cable pulls as a load at its anchor does: spread
//! over the face, so that it acts on the mean displacement with the same weights. An anchor inside a block moves with its frame.

use std::collections::BTreeMap;

use voussoir_elastic::PointWeights;
use voussoir_geometry::{Detection, Pose, Space, Vector};

use super::ElasticMemory;
use super::faces::{coordinates, find_interfaces, question};
use crate::cable::Cable;
use crate::model::Model;
use crate::state::{ContactKey, State};
use crate::step::bonds::Place;
use crate::step::law::Contact;

/// What a coordinate is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Holder {
    /// A side (0: candidate, 1: antagonist) of the bond with this index.
    Bond(usize, usize),
    /// An anchor of a cable: their indices.
    Anchor(usize, usize),
}

impl Holder {
    /// As a part of the key of a condensation.
    pub fn numbers(self) -> [i64; 3] {
        match self {
            Self::Bond(place, side) => [-2, place as i64, side as i64],
            Self::Anchor(cable, anchor) => [-3, cable as i64, anchor as i64],
        }
    }
}

/// Weights of the contacts of elastic blocks in the initial configuration, by contact and side. Contacts of grids are in the list
/// afterwards.
pub(crate) fn weights_at_start<S: Space>(
    model: &Model<S>,
    poses: &[Pose<S>],
    detection: Detection,
    contacts: &mut Vec<Contact<S>>,
) -> BTreeMap<(ContactKey, usize), PointWeights> {
    let mut found = BTreeMap::new();
    if !model.is_elastic() {
        return found;
    }
    for interface in find_interfaces(model, poses, detection, contacts) {
        for (side, body) in interface.pair().into_iter().enumerate() {
            let Some(part) = model.elastic_part(body) else { continue };
            let key = question(&[&interface], body, &poses[body], part.block.extent());
            let weights = coordinates(part.block.as_ref(), &key);
            found.extend(interface.contacts.iter().zip(weights).map(|(&k, own)| ((contacts[k].key, side), own)));
        }
    }
    found
}

/// Area-weighted mean of coordinates.
pub(crate) fn mean_weights<'a>(parts: impl Iterator<Item = (f64, &'a PointWeights)>) -> PointWeights {
    let (mut sums, mut total) = (BTreeMap::new(), 0.0);
    for (area, weights) in parts {
        total += area;
        weights.iter().for_each(|(point, w)| *sums.entry(*point).or_insert(0.0) += area * w);
    }
    sums.into_iter().map(|(point, sum)| (point, sum / total)).collect()
}

/// Weights of the anchors of a cable; `None` for rigid bodies and for anchors inside a block.
pub(crate) fn anchor_weights<S: Space>(model: &Model<S>, cable: &Cable<S>) -> Vec<Option<PointWeights>> {
    let spread = |anchor: &crate::cable::Anchor<S>| model.elastic_part(anchor.body)?.block.spread(anchor.point.to_3d());
    cable.anchors.iter().map(spread).collect()
}

/// Elastic displacements of the anchors of a cable, world axes [m].
pub(crate) fn anchor_shifts<S: Space>(
    model: &Model<S>,
    cable: &Cable<S>,
    weights: &[Option<PointWeights>],
    poses: &[Pose<S>],
    elastic: &[ElasticMemory],
) -> Vec<S::Vector> {
    let shift = |(anchor, weights): (&crate::cable::Anchor<S>, &Option<PointWeights>)| {
        let (Some(part), Some(weights)) = (model.elastic_part(anchor.body), weights) else { return S::zero() };
        let own = part.block.gather(std::slice::from_ref(weights), &elastic[anchor.body].displacement);
        poses[anchor.body].direction(S::Vector::from_slice(&own))
    };
    cable.anchors.iter().zip(weights).map(shift).collect()
}

/// Coordinates of each body that bonds hold and cables pull in a step, in a fixed order.
pub(crate) fn attached<'a, S: Space>(
    places: &'a [Place<S>],
    anchors: &'a [Vec<Option<PointWeights>>],
    model: &Model<S>,
    state: &State<S>,
    there: &[bool],
) -> BTreeMap<usize, Vec<(Holder, &'a PointWeights)>> {
    let mut found: BTreeMap<usize, Vec<(Holder, &PointWeights)>> = BTreeMap::new();
    for (index, (place, _)) in places.iter().zip(&state.bonds).enumerate().filter(|(_, (_, bond))| bond.beta > 0.0) {
        let bodies = [place.key.candidate, place.key.antagonist].map(|body| body as usize);
        if bodies.iter().all(|&body| there[body]) {
            for side in 0..2 {
                if let Some(weights) = &place.elastic[side] {
                    found.entry(bodies[side]).or_default().push((Holder::Bond(index, side), weights));
                }
            }
        }
    }
    let cables = model.cables.iter().zip(anchors).zip(&state.cables).enumerate();
    for (index, ((cable, weights), _)) in cables.filter(|(_, (_, memory))| memory.holds()) {
        if cable.anchors.iter().all(|anchor| there[anchor.body]) {
            for (k, (anchor, weights)) in cable.anchors.iter().zip(weights).enumerate() {
                if let Some(weights) = weights {
                    found.entry(anchor.body).or_default().push((Holder::Anchor(index, k), weights));
                }
            }
        }
    }
    found
}

/// Intact bonds by the keys of their contacts, for bonds at every point of an interface.
pub(crate) fn bonded_contacts<S: Space>(places: &[Place<S>], state: &State<S>) -> BTreeMap<ContactKey, usize> {
    let intact = places.iter().zip(&state.bonds).enumerate();
    let intact = intact.filter(|(_, (place, bond))| bond.beta > 0.0 && !place.bond.law().is_central());
    intact.map(|(index, (place, _))| (place.key, index)).collect()
}
