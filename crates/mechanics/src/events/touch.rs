//! Checks of pairs, and their contact points.

use voussoir_contact::Problem;
use voussoir_geometry::glam::DVec2;
use voussoir_geometry::{ContactPoint, D2, Pose, Solid};

use super::form::Form;
use super::jam::SLACK;
use super::leg::{ALONE, Leg};
use super::separation::{Ease, Look, Mover, look};
use super::{Due, Entry, EventDriven};
use crate::contacts::{ContactRecord, ContactStatus};
use crate::model::Restitution;
use crate::state::ContactKey;

/// Speed that counts as zero, relative to the fastest motion at the start of the force step.
const STILL: f64 = 1e-12;
/// Shortest time between two checks of a pair, relative to the force step.
const LEAST: f64 = 1e-11;
/// Shortest time between two checks of a contact that was held and has opened, relative to the force step.
const OPENING: f64 = 1e-4;
/// Longest time between two checks of a contact that stays closed, relative to the force step.
const LONG: f64 = 1e-4;
/// Contacts in a jam that close more slowly than this part of their slack in a force step count as closed.
const CALM: f64 = 0.2;
/// Impacts of a pair at one time before its impacts are inelastic, and before the pair is ignored for the rest of the
/// force step, which then counts as not converged.
const REPEATS: [u32; 2] = [30, 60];

/// A contact of a pair at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// Index of the pair.
    pub pair: usize,
    /// Point, normal and gap, in the axes of the candidate's image.
    pub point: ContactPoint<D2>,
}

impl EventDriven {
    /// Checks a pair at a time.
    fn look_at(&mut self, pair: usize, t: f64) -> Look {
        let p = &self.pairs[pair];
        let rest = self.legs[p.candidate as usize].end.min(self.legs[p.antagonist as usize].end) - t;
        self.look_over(pair, t, rest)
    }

    /// Checks a pair at a time, for at most `rest` seconds ahead. The slack is added to gaps of contacts inside a jam.
    pub(super) fn look_over(&mut self, pair: usize, t: f64, rest: f64) -> Look {
        self.tally.looks += 1;
        let p = &self.pairs[pair];
        let [a, b] = [p.candidate as usize, p.antagonist as usize];
        let first = Mover::new(&self.forms[a], &self.legs[a], DVec2::ZERO, t);
        let second = Mover::new(&self.forms[b], &self.legs[b], p.shift, t);
        let (slack, jam) = (self.room_of(pair, t), self.slack(pair, t));
        let calm = self.calm(pair, t);
        let ease = Ease { slack, calm, more: (0.3 * jam).max(2.0 * self.touch(a, b)) };
        look(&first, &second, rest, &ease)
    }

    /// Overlap that a contact may have before it counts as an impact [m].
    pub(super) fn slack(&self, pair: usize, t: f64) -> f64 {
        let p = &self.pairs[pair];
        let [a, b] = [p.candidate as usize, p.antagonist as usize];
        let jammed = |body: usize| self.legs[body].kick > t || !self.free[body];
        if jammed(a) && jammed(b) { SLACK * self.size(a, b) } else { 0.0 }
    }

    /// First check of a pair in a force step: true if its contact is at rest and may be held.
    pub(super) fn first_look(&mut self, pair: usize) -> bool {
        let start = self.state.time;
        let found = self.look_at(pair, start);
        let p = self.pairs[pair];
        let [a, b] = [p.candidate as usize, p.antagonist as usize];
        let reach = if p.held { self.band(a, b) } else { self.touch(a, b) };
        self.tally.penetration = self.tally.penetration.max(-found.gap);
        if -found.gap > self.band(a, b) {
            self.pairs[pair].left = -1.01 * found.gap;
        }
        if found.gap <= reach && self.rests(pair, start) {
            return true;
        }
        self.wait(pair, start, found);
        false
    }

    /// Puts a pair into the queue with the time up to which it certainly stays apart.
    fn wait(&mut self, pair: usize, t: f64, found: Look) {
        let p = &self.pairs[pair];
        let [a, b] = [p.candidate as usize, p.antagonist as usize];
        let ends = self.legs[a].end.min(self.legs[b].end);
        let least = if p.released && found.gap <= 4.0 * self.touch(a, b) { OPENING } else { LEAST };
        // for corner against corner: longer times between checks, until a side separates the two
        let stuck = if found.safe < LONG * self.settings.step { p.stuck + 1 } else { 0 };
        let least = least.max((LEAST * f64::from(stuck.min(24)).exp2()).min(LONG));
        let next = t + found.safe.max(least * self.settings.step);
        let version = p.version;
        self.pairs[pair].stuck = stuck;
        if next < ends {
            self.queue.push(Entry { time: next, due: Due::Look(pair as u32), version });
        }
    }

    /// Checks a pair again because one of its legs is new.
    pub(super) fn renew(&mut self, pair: usize, t: f64) {
        self.pairs[pair].version = self.pairs[pair].version.wrapping_add(1);
        let p = self.pairs[pair];
        let (a, b) = (self.legs[p.candidate as usize].group, self.legs[p.antagonist as usize].group);
        if p.held && a != ALONE && (a == b || !self.free[p.antagonist as usize]) {
            // the contact is part of the group's problem
            return;
        }
        let found = self.look_at(pair, t);
        self.wait(pair, t, found);
    }

    /// Handles a pair at its time in the queue: an impact, or a later time in the queue.
    pub(super) fn look_again(&mut self, pair: usize, t: f64) {
        let found = self.look_at(pair, t);
        let p = self.pairs[pair];
        let [a, b] = [p.candidate as usize, p.antagonist as usize];
        let (touch, slack) = (self.touch(a, b), self.room_of(pair, t));
        self.tally.penetration = self.tally.penetration.max(slack - found.gap);
        if found.gap > touch {
            self.wait(pair, t, found);
            return;
        }
        let still = self.calm(pair, t);
        let closing = self.closing(pair, t, 4.0 * touch);
        if slack > 0.0 && closing <= still {
            self.wait(pair, t, found);
            return;
        }
        if closing > still {
            if self.repeats(pair, t) {
                self.tally.missed = true;
                return;
            }
            self.pairs[pair].stuck = 0;
            self.strike(pair, t);
        } else if closing >= -still && !p.released {
            // at rest on each other
            self.pairs[pair].released = true;
            let mut members = Vec::new();
            for body in [a, b] {
                if self.free[body] && !members.contains(&body) {
                    members.extend(self.halt(body, t));
                }
            }
            members.sort_unstable();
            members.dedup();
            self.restart(members, t);
        } else {
            self.wait(pair, t, found);
        }
    }

    /// Counts impacts of a pair at one time; true if there are too many.
    fn repeats(&mut self, pair: usize, t: f64) -> bool {
        let repeats = &mut self.pairs[pair].repeats;
        let near = (t - repeats.0).abs() <= LEAST * self.settings.step;
        *repeats = (t, if near { repeats.1 + 1 } else { 0 });
        let count = repeats.1;
        if count > REPEATS[0] {
            let p = self.pairs[pair];
            for body in [p.candidate, p.antagonist] {
                let done = &mut self.counts[body as usize];
                *done = (*done).max(self.settings.impacts);
            }
        }
        count > REPEATS[1]
    }

    /// Speed that counts as zero between two bodies [m/s].
    pub(super) fn still(&self) -> f64 {
        STILL * self.fastest
    }

    /// Speed that counts as zero at the contacts of a pair [m/s]: more inside a jam.
    pub(super) fn calm(&self, pair: usize, t: f64) -> f64 {
        // not for overlap left over from a jam, which would grow from step to step
        self.still().max(CALM * self.slack(pair, t) / self.settings.step)
    }

    /// Overlap that a contact may have [m]: inside a jam, or left over from a jam.
    pub(super) fn room_of(&self, pair: usize, t: f64) -> f64 {
        self.slack(pair, t).max(self.pairs[pair].left)
    }

    /// Updates the fastest motion of all legs.
    pub(super) fn note_fastest(&mut self) {
        let speed = |(leg, form): (&Leg, &Form)| {
            let of =
                |v: [f64; 3]| v[0].hypot(v[1]) + if form.reach.is_finite() { v[2].abs() * form.reach } else { 0.0 };
            of(leg.v0).max(of(leg.v1))
        };
        self.fastest = self.legs.iter().zip(&self.forms).map(speed).fold(0.0, f64::max);
        let free = self.model.bodies.iter().zip(&self.free).filter(|(_, free)| **free);
        self.gyration = free.map(|(body, _)| (body.inertia / body.mass).sqrt()).fold(0.0, f64::max);
    }

    /// Placement of a body on its leg.
    pub(super) fn pose(&self, body: usize, t: f64) -> Pose<D2> {
        self.legs[body].pose_at(t)
    }

    /// Contact points of a pair within a distance.
    pub(super) fn points(&self, pair: usize, t: f64, within: f64) -> Vec<Touch> {
        let p = &self.pairs[pair];
        let [a, b] = [p.candidate as usize, p.antagonist as usize];
        let mut other = self.pose(b, t);
        other.position += p.shift;
        let mut touches = Vec::new();
        self.points_of(pair, &self.pose(a, t), &other, within, &mut touches);
        touches
    }

    /// Contact points of a pair at given placements, within a distance.
    pub(super) fn points_of(&self, pair: usize, own: &Pose<D2>, other: &Pose<D2>, within: f64, out: &mut Vec<Touch>) {
        let p = &self.pairs[pair];
        let [a, b] = [p.candidate as usize, p.antagonist as usize];
        let mut points = Vec::new();
        self.model.bodies[a].shape.collide(own, &self.model.bodies[b].shape, other, within, &mut points);
        out.extend(points.into_iter().filter(|point| point.gap <= within).map(|point| Touch { pair, point }));
    }

    /// Velocity of the candidate relative to the antagonist at a contact; bodies have the velocities `of`.
    pub(super) fn relative(&self, touch: &Touch, t: f64, of: &dyn Fn(usize) -> [f64; 3]) -> DVec2 {
        let p = &self.pairs[touch.pair];
        let [a, b] = [p.candidate as usize, p.antagonist as usize];
        let at =
            |body: usize, centre: DVec2| crate::kinematics::plane_velocity(of(body), touch.point.position - centre);
        at(a, self.pose(a, t).position) - at(b, self.pose(b, t).position + p.shift)
    }

    /// Largest speed at which the contacts of a pair within a distance close [m/s]; minus infinity without contacts.
    fn closing(&self, pair: usize, t: f64, within: f64) -> f64 {
        let of = |body: usize| self.legs[body].velocity_at(t);
        let speed = |touch: &Touch| -self.relative(touch, t, &of).dot(touch.point.normal);
        self.points(pair, t, within).iter().map(speed).fold(f64::NEG_INFINITY, f64::max)
    }

    /// True if a pair touches and neither opens nor closes.
    pub(super) fn rests(&self, pair: usize, t: f64) -> bool {
        let p = &self.pairs[pair];
        let [a, b] = [p.candidate as usize, p.antagonist as usize];
        let within = if p.held { self.band(a, b) } else { 4.0 * self.touch(a, b) };
        let mut still = self.still();
        if p.held {
            // errors of a held contact change its gap by a small part of the band in a force step
            still = still.max(0.1 * self.band(a, b) / self.settings.step);
        }
        let closing = self.closing(pair, t, within);
        closing.is_finite() && closing.abs() <= still
    }

    /// Friction and restitution of a pair.
    pub(super) fn law(&self, pair: usize) -> (f64, f64) {
        let p = &self.pairs[pair];
        let [a, b] = [p.candidate, p.antagonist].map(|body| self.model.bodies[body as usize].material);
        let joint = self.model.joints.between(a, b);
        let restitution = match joint.restitution {
            Restitution::Inelastic => 0.0,
            Restitution::Newton(e) | Restitution::Poisson(e) => e,
        };
        (joint.friction, restitution)
    }

    /// Adds a contact to a problem; `node` gives the nodes of free bodies. Returns the normal and the tangent.
    pub(super) fn push_contact(
        &self,
        problem: &mut Problem,
        touch: &Touch,
        t: f64,
        node: &dyn Fn(usize) -> Option<u32>,
        bias: f64,
    ) -> [DVec2; 2] {
        let p = &self.pairs[touch.pair];
        let n = touch.point.normal;
        let frame = [n, DVec2::new(n.y, -n.x)];
        let (mut blocks, mut own): (Vec<(u32, [f64; 6])>, [f64; 2]) = (Vec::new(), [bias, 0.0]);
        for (body, sign, shift) in [(p.candidate, 1.0, DVec2::ZERO), (p.antagonist, -1.0, p.shift)] {
            let body = body as usize;
            let arm = touch.point.position - self.pose(body, t).position - shift;
            match node(body) {
                Some(node) => {
                    let row = |d: DVec2| [sign * d.x, sign * d.y, sign * arm.perp_dot(d)];
                    let [first, second] = frame.map(row);
                    blocks.push((node, [first[0], first[1], first[2], second[0], second[1], second[2]]));
                }
                None => {
                    let v = self.legs[body].velocity_at(t);
                    let velocity = crate::kinematics::plane_velocity(v, arm);
                    own.iter_mut().zip(frame).for_each(|(own, d)| *own += sign * velocity.dot(d));
                }
            }
        }
        let entries: Vec<(u32, &[f64])> = blocks.iter().map(|(node, rows)| (*node, rows.as_slice())).collect();
        problem.push_contact(&entries, &own, self.law(touch.pair).0);
        frame
    }

    /// Adds an impulse to the records of the force step, as a mean force [N].
    pub(super) fn record(&mut self, touch: &Touch, frame: [DVec2; 2], r: [f64; 2], slip: f64) {
        let p = &self.pairs[touch.pair];
        let key = ContactKey { candidate: p.candidate, antagonist: p.antagonist, feature: touch.point.feature };
        let friction = self.law(touch.pair).0;
        let record = self.records.entry(key).or_insert_with(|| ContactRecord::open(key, &touch.point, friction));
        record.force += (frame[0] * r[0] + frame[1] * r[1]) / self.settings.step;
        (record.position, record.normal, record.gap) = (touch.point.position, touch.point.normal, touch.point.gap);
        if r[0] > 0.0 {
            let on_cone = r[1].abs() >= friction * r[0] * (1.0 - 1e-9) && slip.abs() > 0.0;
            record.status = if on_cone { ContactStatus::Slide } else { ContactStatus::Stick };
        }
    }
}
