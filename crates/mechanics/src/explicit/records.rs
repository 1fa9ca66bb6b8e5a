//! Contacts of the explicit analysis in the common state: memory by key, and records for frames.
//!
//! Names of contacts are those of the dynamic analysis: the corner of the candidate and the side of the antagonist, or
//! the side of the candidate and the corner of the antagonist. Both analyses share one contact memory.

use voussoir_geometry::feature::{self, FeatureKind, name};
use voussoir_geometry::glam::DVec2;
use voussoir_geometry::planar::{CornerMemory, OutlinePart, RoundedContact};
use voussoir_geometry::{ContactPoint, D2};

use super::contact::Scratch;
use super::law::PointLaw;
use super::lists::OutlinePair;
use super::memory::{ElasticSlip, ExplicitMemory, PairCorners};
use super::step::Explicit;
use crate::contacts::{ContactRecord, ContactStatus};
use crate::state::{ContactKey, ContactMemory};

/// One stored contact.
struct Kept {
    key: ContactKey,
    position: DVec2,
    normal: DVec2,
    gap: f64,
    length: f64,
    elastic: f64,
    on: bool,
    slid: bool,
    way: f64,
    law: u32,
}

impl Kept {
    fn tangent(&self) -> DVec2 {
        DVec2::new(self.normal.y, -self.normal.x)
    }

    fn force(&self, law: &PointLaw) -> [f64; 2] {
        if !self.on {
            return [0.0; 2];
        }
        let point = law.held(self.length, -self.gap, self.elastic);
        [point.normal, point.tangential]
    }

    fn force_vector(&self, law: &PointLaw) -> DVec2 {
        let [normal, tangential] = self.force(law);
        self.normal * normal + self.tangent() * tangential
    }
}

/// Name of a contact of a pair with `own` corners of the candidate; the last slot is the middle of a joint.
fn name_of(pair: &OutlinePair, contact: &RoundedContact, own: usize) -> u64 {
    let middle = contact.slot + 1 == pair.slots as usize;
    let corner = |slot: usize| slot as u32;
    match contact.part {
        _ if middle => name(FeatureKind::EdgeEdge, 0, 0),
        OutlinePart::Side(side) if pair.round => name(FeatureKind::RoundFace, u32::from(side), 0),
        OutlinePart::Corner(of) if pair.round => name(FeatureKind::RoundVertex, u32::from(of), 0),
        OutlinePart::Side(side) if contact.slot < own => {
            name(FeatureKind::VertexFace, corner(contact.slot), u32::from(side))
        }
        OutlinePart::Side(side) => name(FeatureKind::FaceVertex, u32::from(side), corner(contact.slot - own)),
        OutlinePart::Corner(of) if contact.slot < own => {
            name(FeatureKind::VertexVertex, corner(contact.slot), u32::from(of))
        }
        OutlinePart::Corner(of) => name(FeatureKind::EdgeVertex, u32::from(of), corner(contact.slot - own)),
    }
}

impl Explicit {
    /// All contacts that carry or have slid, sorted by key.
    fn kept(&self) -> Vec<Kept> {
        let mut kept = Vec::new();
        for pair in &self.lists.discs {
            let (a, b) = (pair.a as usize, pair.b as usize);
            let between = self.arrays.centre(a) - self.arrays.centre(b);
            let law = self.laws.at(pair.law);
            let reach = self.arrays.pos[a][2] + self.arrays.pos[b][2] + law.width;
            let gap = between.length() - reach;
            let on = between.length_squared() < reach * reach;
            if !on && pair.way == 0.0 {
                continue;
            }
            let normal = between.try_normalize().unwrap_or(DVec2::Y);
            kept.push(Kept {
                key: ContactKey { candidate: pair.a, antagonist: pair.b, feature: name(FeatureKind::RoundFace, 0, 0) },
                position: self.arrays.centre(b) + normal * (self.arrays.pos[b][2] + 0.5 * gap),
                normal,
                gap,
                length: law.round,
                elastic: pair.elastic,
                on,
                slid: pair.slid,
                way: pair.way,
                law: pair.law,
            });
        }
        let mut scratch = Scratch::new();
        for pair in &self.lists.outlines {
            let law = self.laws.at(pair.law);
            let range = pair.first as usize..(pair.first + pair.slots) as usize;
            let mut corners = self.lists.corners[range.clone()].to_vec();
            scratch.meet(&self.arrays, pair, law, &mut corners, 0.0, self.settings.points);
            let own = self.arrays.outline(pair.a as usize).map_or(1, |outline| outline.corners.len());
            let start = kept.len();
            for (contact, &length) in scratch.contacts.iter().zip(&scratch.lengths) {
                let slot = self.lists.slots[range.clone()][contact.slot];
                kept.push(Kept {
                    key: ContactKey { candidate: pair.a, antagonist: pair.b, feature: name_of(pair, contact, own) },
                    position: contact.point,
                    normal: contact.normal,
                    gap: contact.gap,
                    length,
                    elastic: slot.elastic,
                    on: true,
                    slid: slot.slid,
                    way: slot.way,
                    law: pair.law,
                });
            }
            kept[start..].sort_by_key(|kept| kept.key);
        }
        kept.sort_by_key(|kept| kept.key);
        kept
    }

    /// Contacts of the common state.
    pub(super) fn contact_memory(&self) -> Vec<ContactMemory<D2>> {
        let memory = |kept: &Kept| ContactMemory {
            key: kept.key,
            force: kept.force_vector(self.laws.at(kept.law)),
            elastic_slip: kept.tangent() * kept.elastic,
            slid: kept.slid,
            slip: kept.way,
        };
        self.kept().iter().map(memory).collect()
    }

    /// Elastic slips of the contacts, in the same order.
    pub(super) fn elastic_memory(&self) -> Vec<ElasticSlip> {
        self.kept().iter().map(|kept| (kept.elastic, kept.on)).collect()
    }

    /// Types of contacts of all pairs that have some.
    pub(super) fn corner_memory(&self) -> Vec<PairCorners> {
        let of = |pair: &OutlinePair| {
            let range = pair.first as usize..(pair.first + pair.slots) as usize;
            (pair.a, pair.b, self.lists.corners[range].to_vec())
        };
        self.lists
            .outlines
            .iter()
            .map(of)
            .filter(|(_, _, list)| list.iter().any(|c| *c != CornerMemory::default()))
            .collect()
    }

    /// Takes the memory of contacts from the state; `memory` has what the common state does not keep.
    pub(super) fn recall(&mut self, memory: Option<&ExplicitMemory<D2>>) {
        let contacts = std::mem::take(&mut self.state.contacts);
        let exact = memory.map(|memory| (memory.elastic.as_slice(), memory.corners.as_slice()));
        self.recall_from(&contacts, exact);
        self.state.contacts = contacts;
    }

    /// Takes the memory of contacts from a list sorted by key, and exact slips and corners if there are some.
    pub(super) fn recall_from(
        &mut self,
        contacts: &[ContactMemory<D2>],
        exact: Option<(&[ElasticSlip], &[PairCorners])>,
    ) {
        let slips = exact.map(|exact| exact.0).filter(|slips| slips.len() == contacts.len());
        for (a, b, list) in exact.map_or(&[][..], |exact| exact.1) {
            if let Ok(at) = self.lists.outlines.binary_search_by_key(&(*a, *b), |pair| (pair.a, pair.b)) {
                let pair = self.lists.outlines[at];
                let own = &mut self.lists.corners[pair.first as usize..(pair.first + pair.slots) as usize];
                if own.len() == list.len() {
                    own.copy_from_slice(list);
                }
            }
        }
        for (index, contact) in contacts.iter().enumerate() {
            let ContactKey { candidate, antagonist, feature } = contact.key;
            let (a, b) = (candidate as usize, antagonist as usize);
            let slip = slips.map(|slips| slips[index]);
            if let Ok(at) = self.lists.discs.binary_search_by_key(&(candidate, antagonist), |pair| (pair.a, pair.b)) {
                let between = self.arrays.centre(a) - self.arrays.centre(b);
                let n = between.try_normalize().unwrap_or(DVec2::Y);
                let pair = &mut self.lists.discs[at];
                pair.elastic = slip.map_or(contact.elastic_slip.dot(DVec2::new(n.y, -n.x)), |slip| slip.0);
                (pair.slid, pair.way) = (contact.slid, contact.slip);
            } else if let Ok(at) =
                self.lists.outlines.binary_search_by_key(&(candidate, antagonist), |pair| (pair.a, pair.b))
            {
                let pair = self.lists.outlines[at];
                self.recall_slot(&pair, feature, contact, slip);
            }
        }
    }

    /// Memory of one corner of a pair with an outline.
    fn recall_slot(
        &mut self,
        pair: &OutlinePair,
        feature: u64,
        contact: &ContactMemory<D2>,
        slip: Option<ElasticSlip>,
    ) {
        let a = pair.a as usize;
        let own = self.arrays.outline(a).map_or(1, |outline| outline.corners.len());
        let other = (feature & ((1 << 30) - 1)) as usize;
        let slot = match FeatureKind::of(feature) {
            _ if pair.round => Some(if self.arrays.outline(a).is_none() { 0 } else { own }),
            Some(FeatureKind::VertexFace | FeatureKind::VertexVertex) => Some(feature::candidate(feature) as usize),
            Some(FeatureKind::FaceVertex | FeatureKind::EdgeVertex) => Some(own + other),
            Some(FeatureKind::EdgeEdge) => Some(pair.slots as usize - 1),
            _ => None,
        };
        let Some(slot) = slot.filter(|slot| *slot < pair.slots as usize) else { return };
        let along = match slip {
            Some((elastic, _)) => elastic,
            None => {
                let range = pair.first as usize..(pair.first + pair.slots) as usize;
                let mut corners = self.lists.corners[range].to_vec();
                let law = *self.laws.at(pair.law);
                self.scratch.meet(&self.arrays, pair, &law, &mut corners, 0.0, self.settings.points);
                let here = self.scratch.contacts.iter().find(|contact| contact.slot == slot);
                here.map_or(0.0, |here| contact.elastic_slip.dot(DVec2::new(here.normal.y, -here.normal.x)))
            }
        };
        let kept = &mut self.lists.slots[pair.first as usize + slot];
        (kept.elastic, kept.slid, kept.way) = (along, contact.slid, contact.slip);
        kept.on = slip.is_none_or(|(_, on)| on);
    }

    /// Contacts for frames, sorted by key.
    pub(super) fn contact_records(&self) -> Vec<ContactRecord<D2>> {
        let record = |kept: &Kept| {
            let law = self.laws.at(kept.law);
            let [normal, tangential] = kept.force(law);
            let point = ContactPoint {
                position: kept.position,
                normal: kept.normal,
                gap: kept.gap,
                area: kept.length,
                feature: kept.key.feature,
            };
            let mut record = ContactRecord::open(kept.key, &point, law.friction[usize::from(kept.slid)]);
            record.force = kept.force_vector(law);
            record.slip = kept.way;
            let limit = law.limit(kept.length, normal, kept.slid);
            record.status = match (kept.on && normal > 0.0, kept.slid && tangential.abs() >= limit * (1.0 - 1e-6)) {
                (false, _) => ContactStatus::Open,
                (true, true) => ContactStatus::Slide,
                (true, false) => ContactStatus::Stick,
            };
            let velocity = |body: u32| {
                let [x, y, spin, _] = *self.arrays.vel[body as usize];
                crate::kinematics::plane_velocity([x, y, spin], kept.position - self.arrays.centre(body as usize))
            };
            record.velocity = velocity(kept.key.candidate) - velocity(kept.key.antagonist);
            record
        };
        self.kept().iter().map(record).collect()
    }
}
