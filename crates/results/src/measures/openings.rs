//! Opening widths of joints.
//!
//! Contacts are detected up to a small distance only, and a hinge can open wider than that. Therefore a joint is stored
//! as pairs of points, one on each body, that were opposite when the bodies were in contact; the distance of the two
//! points at a later time, along the normal that rotates with the antagonist, is the opening.

use std::collections::HashSet;

use voussoir_mechanics::probe::Twin;
use voussoir_mechanics::snapshot::{BodySnapshot, ContactSnapshot, Snapshot};

use crate::error::ResultsError;
use crate::picture::median_size;
use crate::results::Results;
use crate::vector::{dot, place, rotate, scale, sub};

/// Number of frames in which the first contacts are searched.
const EARLY_FRAMES: usize = 4;
/// Bodies are in contact up to this gap, relative to the size of a block.
const CONTACT_GAP: f64 = 1e-3;
/// Joints wider than this, relative to the size of a block, are no longer joints.
const FARTHEST_GAP: f64 = 0.5;

/// The joints of a structure as built.
#[derive(Clone, Debug, Default)]
pub struct Joints {
    twins: Vec<Twin>,
    pairs: HashSet<[u32; 2]>,
    /// Time of the joints [s].
    since: f64,
}

impl Joints {
    /// The joints of the first frame with contacts: before the first step no contacts are known.
    pub fn of_results(results: &Results) -> Result<Option<Self>, ResultsError> {
        for frame in 0..results.frames().min(EARLY_FRAMES) {
            let snapshot = results.frame(frame)?;
            if !snapshot.contacts.is_empty() {
                return Ok(Some(Self::of(&snapshot, CONTACT_GAP * median_size(results.cast()))));
            }
        }
        Ok(None)
    }

    /// The joints at one time: contacts with a gap of at most `near` [m].
    pub fn of(snapshot: &Snapshot, near: f64) -> Self {
        let twin = |contact: &ContactSnapshot| {
            let bodies = contact.bodies.map(|body| body as usize);
            let [a, b] = [snapshot.bodies.get(bodies[0])?, snapshot.bodies.get(bodies[1])?];
            let back = |[x, y, z, w]: [f64; 4]| [-x, -y, -z, w];
            let local = |body: &BodySnapshot, at| rotate(back(body.rotation), sub(at, body.position));
            // spring deflections and small initial gaps count as zero opening
            let points =
                [local(a, contact.position), local(b, sub(contact.position, scale(contact.normal, contact.gap)))];
            Some(Twin { bodies, points, normal: rotate(back(b.rotation), contact.normal) })
        };
        let touching = || snapshot.contacts.iter().filter(|contact| contact.gap <= near);
        Self {
            twins: touching().filter_map(twin).collect(),
            pairs: touching().map(|contact| contact.bodies).collect(),
            since: snapshot.time,
        }
    }

    /// Points of joints with their gaps, for blocks of this size [m]; gaps above half of this size are omitted.
    pub fn openings(&self, snapshot: &Snapshot, block: f64) -> Vec<ContactSnapshot> {
        self.gaps(snapshot, FARTHEST_GAP * block)
    }

    /// Points of joints with their gaps: of these joints those narrower than `most` [m], of others the detected
    /// contacts.
    pub fn gaps(&self, snapshot: &Snapshot, most: f64) -> Vec<ContactSnapshot> {
        // in the drawing, before bodies have settled, contacts define the joints
        if snapshot.time < self.since {
            return snapshot.contacts.clone();
        }
        let now = |twin: &Twin| {
            let [a, b] = [snapshot.bodies.get(twin.bodies[0])?, snapshot.bodies.get(twin.bodies[1])?];
            let position = place(a, twin.points[0]);
            let normal = rotate(b.rotation, twin.normal);
            let apart = sub(position, place(b, twin.points[1]));
            let gap = dot(apart, normal);
            // a larger lateral displacement ends a joint
            let aside = sub(apart, scale(normal, gap));
            let there = !a.absent && !b.absent && gap < most && dot(aside, aside) < most * most;
            let bodies = twin.bodies.map(|body| body as u32);
            there.then(|| ContactSnapshot { bodies, position, normal, gap, ..ContactSnapshot::default() })
        };
        let others = snapshot.contacts.iter().filter(|contact| !self.pairs.contains(&contact.bodies));
        self.twins.iter().filter_map(now).chain(others.copied()).collect()
    }
}
