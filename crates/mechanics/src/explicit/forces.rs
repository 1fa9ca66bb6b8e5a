//! Forces of all contacts at the present positions: pairs with an outline, and those of [`super::discs`].
//!
//! Slip is measured on the bodies themselves, so that a rigid motion of a pair adds none: with ψ the angle of the line of
//! centres and θ those of the bodies, discs slip by a_i(Δθ_i − Δψ) + a_j(Δθ_j − Δψ); a corner slips by −Δs + a Δ(θ_P −
//! θ_Q), s its place on the side of the other body Q.

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::planar::{CornerMemory, OutlinePart, RoundedContact};

use super::arrays::Arrays;
use super::contact::Scratch;
use super::law::{Laws, PointForce, PointLaw};
use super::lists::{Lists, OutlinePair, Slot};

/// A corner that comes into contact takes over the shear force of one that leaves it, if they are closer than this many
/// roundings.
const SAME_PLACE: f64 = 4.0;

/// Sums over contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sums {
    /// Energy stored in springs [J].
    pub stored: f64,
    /// Dissipated by friction in this step [J].
    pub friction: f64,
    /// Sum of the normal forces [N].
    pub normal: f64,
    /// Contacts that carry.
    pub closed: usize,
    /// Those of them that slide.
    pub sliding: usize,
    /// Pairs and corners in the lists.
    pub listed: usize,
    /// Largest overlap [m].
    pub overlap: f64,
    /// Largest normal force of a point between two outlines, divided by its length [N/m].
    pub stress: f64,
    /// Largest overlap at a rounded corner, relative to half of its radius, and the two bodies.
    pub deepest: (f64, u32, u32),
}

impl Sums {
    pub(super) fn add(&mut self, force: &PointForce, overlap: f64) {
        self.stored += force.stored;
        self.friction += force.dissipated;
        self.normal += force.normal;
        self.closed += 1;
        self.sliding += usize::from(force.slid > 0.0);
        self.overlap = self.overlap.max(overlap);
    }

    pub(super) fn join(&mut self, other: &Self) {
        self.stored += other.stored;
        self.friction += other.friction;
        self.normal += other.normal;
        self.closed += other.closed;
        self.sliding += other.sliding;
        self.listed += other.listed;
        self.overlap = self.overlap.max(other.overlap);
        self.stress = self.stress.max(other.stress);
    }
}

/// Settings of the force loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweep {
    /// Step that led to the present positions [s]; zero: nothing has moved, slips stay.
    pub dt: f64,
    /// Rounding of corners [m].
    pub rounding: f64,
    /// Points of a joint.
    pub points: u8,
}

/// Adds the forces of all contacts to `arrays.force` and brings the memory of contacts up to date. Returns the energy
/// dissipated by friction [J], and the sums over the pairs with an outline.
pub(super) fn sweep(
    arrays: &mut Arrays,
    lists: &mut Lists,
    laws: &Laws,
    scratch: &mut Scratch,
    with: Sweep,
) -> (f64, Sums) {
    let bodies = (&arrays.pos[..], &arrays.vel[..], &mut arrays.force[..]);
    let friction = super::discs::sweep(bodies, &mut lists.discs, &mut lists.parts, laws, with.dt);
    let mut sums = Sums::default();
    for k in 0..lists.outlines.len() {
        let pair = lists.outlines[k];
        let law = laws.at(pair.law);
        if is_apart(arrays, &pair, law.width) {
            let range = pair.first as usize..(pair.first + pair.slots) as usize;
            lists.corners[range.clone()].fill(CornerMemory::default());
            lists.slots[range].iter_mut().filter(|slot| slot.on).for_each(|slot| *slot = Slot::default());
        } else {
            outline_pair(arrays, lists, &pair, law, scratch, with, &mut sums);
        }
    }
    (friction + sums.friction, sums)
}

/// True if a disc is farther than `width` from the sides of the other body.
fn is_apart(arrays: &Arrays, pair: &OutlinePair, width: f64) -> bool {
    let (a, b) = (pair.a as usize, pair.b as usize);
    let (disc, (outline, turn), body) = match (arrays.turned(a), arrays.turned(b)) {
        (None, Some(outline)) => (a, outline, b),
        (Some(outline), None) => (b, outline, a),
        _ => return false,
    };
    let between = arrays.centre(disc) - arrays.centre(body);
    outline.height(DVec2::new(turn.x, -turn.y).rotate(between)) > arrays.pos[disc][2] + width
}

/// One pair with an outline.
fn outline_pair(
    arrays: &mut Arrays,
    lists: &mut Lists,
    pair: &OutlinePair,
    law: &PointLaw,
    scratch: &mut Scratch,
    with: Sweep,
    sums: &mut Sums,
) {
    let range = pair.first as usize..(pair.first + pair.slots) as usize;
    scratch.meet(arrays, pair, law, &mut lists.corners[range.clone()], 0.0, with.points);
    let slots = &mut lists.slots[range];
    sums.listed += scratch.contacts.len();
    if with.dt > 0.0 {
        pass_on(slots, &scratch.contacts, SAME_PLACE * with.rounding);
    }
    let (a, b) = (pair.a as usize, pair.b as usize);
    let own = arrays.outline(a).map_or(1, |outline| outline.corners.len());
    let mut ends = 0.0;
    for (contact, &length) in scratch.contacts.iter().zip(&scratch.lengths) {
        let middle = contact.slot + 1 == slots.len();
        let slot = &mut slots[contact.slot];
        let sign = if contact.slot < own { 1.0 } else { -1.0 };
        let turn = sign * (arrays.pos[a][3] - arrays.pos[b][3]);
        let du = match (middle, with.dt > 0.0 && slot.on) {
            (_, false) => 0.0,
            (true, true) => 0.5 * ends,
            (false, true) => slip(arrays, pair, slot, contact, turn, with.dt),
        };
        ends += du;
        let point = if with.dt > 0.0 {
            law.force(length, -contact.gap, slot.elastic, du, slot.slid)
        } else {
            law.held(length, -contact.gap, slot.elastic)
        };
        let way = slot.way + point.slid;
        *slot = Slot {
            on: true,
            slid: if with.dt > 0.0 { point.slid > 0.0 } else { slot.slid },
            elastic: point.elastic,
            way,
            part: Some(contact.part),
            place: contact.place,
            turn,
            point: contact.point.to_array(),
        };
        sums.add(&point, -contact.gap);
        if !pair.round {
            sums.stress = sums.stress.max(point.normal / length);
            let radius = corner_radius(arrays, pair, contact, own);
            if -contact.gap > 0.5 * radius * sums.deepest.0 {
                sums.deepest = (-contact.gap / (0.5 * radius), pair.a, pair.b);
            }
        }
        let n = contact.normal;
        let force = n * point.normal + DVec2::new(n.y, -n.x) * point.tangential;
        for (body, force) in [(a, force), (b, -force)] {
            let arm = contact.point - arrays.centre(body);
            let on = &mut arrays.force[body];
            on[0] += force.x;
            on[1] += force.y;
            on[2] += arm.perp_dot(force);
        }
    }
}

/// Radius of the corner that makes a contact of two outlines [m]; infinite for the middle point of a joint.
fn corner_radius(arrays: &Arrays, pair: &OutlinePair, contact: &RoundedContact, own: usize) -> f64 {
    let (body, corner) = if contact.slot < own { (pair.a, contact.slot) } else { (pair.b, contact.slot - own) };
    let outline = arrays.outline(body as usize);
    outline.and_then(|outline| outline.corners.get(corner)).map_or(f64::INFINITY, |corner| corner.radius)
}

/// Slip of the candidate relative to the antagonist along the tangent of the contact in the last step [m].
fn slip(arrays: &Arrays, pair: &OutlinePair, slot: &Slot, contact: &RoundedContact, turn: f64, dt: f64) -> f64 {
    if slot.part == Some(contact.part) {
        let mut change = contact.place - slot.place;
        if let OutlinePart::Corner(_) = contact.part {
            // angles are between −π and π
            if change > std::f64::consts::PI {
                change -= std::f64::consts::TAU;
            } else if change < -std::f64::consts::PI {
                change += std::f64::consts::TAU;
            }
        }
        // an arc turns counter-clockwise, which is against the tangent (n.y, −n.x), as a side runs
        return -contact.way * change + contact.arm * (turn - slot.turn);
    }
    // contact on another part than in the last step: slip from the velocities at the point
    let velocity = |body: usize| {
        let v = arrays.vel[body];
        DVec2::new(v[0], v[1]) + (contact.point - arrays.centre(body)).perp() * v[2]
    };
    let tangent = DVec2::new(contact.normal.y, -contact.normal.x);
    (velocity(pair.a as usize) - velocity(pair.b as usize)).dot(tangent) * dt
}

/// Shear force passes from a corner that leaves the contact to one that takes its place.
fn pass_on(slots: &mut [Slot], contacts: &[RoundedContact], near: f64) {
    let stays = |index: usize| contacts.iter().any(|contact| contact.slot == index);
    let middle = slots.len() - 1;
    for left in 0..slots.len() {
        if !slots[left].on || stays(left) {
            continue;
        }
        let gone = slots[left];
        let heir = contacts.iter().find(|contact| {
            let close = (contact.point - DVec2::from_array(gone.point)).length() <= near;
            contact.slot != middle && left != middle && !slots[contact.slot].on && close
        });
        if let Some(heir) = heir {
            slots[heir.slot] = Slot { part: None, ..gone };
        }
        slots[left] = Slot::default();
    }
}
