//! Held contacts: bodies that rest or slide on each other drift as a group.
//!
//! Over a leg of length h the contact impulses R of a group satisfy the contact law with the velocities at the end of the
//! leg (Moreau's scheme):
//! ```text
//! V₁ = drift(V₀, F + R/h),    0 ≤ Rₙ ⊥ uₙ(V₁) + b ≥ 0,    |R_T| ≤ μ Rₙ, R_T opposes sliding
//! ```
//! with b = u₀ + 2g/h for an open contact of gap g, so that the gap at the end is not negative, and b = 2g/H for one
//! that overlaps by rounding (H: force step). The drag depends on V₁: drift and contact problem are solved in turn until
//! the contact forces no longer change. A leg whose contacts would overlap at its end, because bodies turn, is halved.

use std::collections::BTreeMap;

use voussoir_contact::Problem;
use voussoir_contact::impact::{ImpactOptions, impact};
use voussoir_geometry::glam::DVec2;

use super::leg::Leg;
use super::touch::Touch;
use super::{Due, Entry, EventDriven};
use crate::state::ContactMemory;

/// Rounds of drift and contact problem.
const ROUNDS: usize = 20;
/// Contact forces that change by less than this part of their sum are settled.
const SETTLED: f64 = 1e-11;
/// Overlap at the end of a leg that halves it, relative to the size of the smaller body.
const DEEP: f64 = 1.5e-7;
/// Times that a leg is halved.
const HALVINGS: u32 = 12;

/// Bodies that are held together for a leg.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Free bodies, by rising index.
    pub members: Vec<usize>,
    /// [s]
    pub start: f64,
    /// [s]
    pub end: f64,
    /// Contacts with their impulses over the whole leg [N·s].
    pub contacts: Vec<(Touch, [DVec2; 2], [f64; 2])>,
}

impl EventDriven {
    /// Starts new legs at the time `t` for bodies that stopped there, and for those that rest on them.
    pub(super) fn restart(&mut self, mut members: Vec<usize>, t: f64) {
        // bodies that rest on each other are linked; the list grows while it is read
        let mut label: BTreeMap<usize, usize> = members.iter().enumerate().map(|(i, &body)| (body, i)).collect();
        let mut links: Vec<(usize, usize)> = Vec::new();
        let mut at = 0;
        while let Some(&body) = members.get(at) {
            at += 1;
            for pair in self.partners[body].clone() {
                let pair = pair as usize;
                let p = self.pairs[pair];
                let other = if p.candidate as usize == body { p.antagonist } else { p.candidate } as usize;
                if !self.may_rest(pair, t) {
                    self.pairs[pair].held = false;
                    continue;
                }
                if self.free[other] && !label.contains_key(&other) {
                    for stopped in self.halt(other, t) {
                        label.insert(stopped, members.len());
                        members.push(stopped);
                    }
                }
                links.push((pair, body));
            }
        }
        let mut groups = components(&members, &links, |pair| {
            let p = &self.pairs[pair];
            [p.candidate as usize, p.antagonist as usize].map(|body| self.free[body].then_some(body))
        });
        for (bodies, pairs) in &mut groups {
            if pairs.is_empty() {
                self.go_on(bodies[0], t);
            } else {
                self.hold(bodies, pairs, t);
            }
        }
        self.renew_all(&members, t);
    }

    /// Starts the leg of a body without held contacts at the time `t`.
    fn go_on(&mut self, body: usize, t: f64) {
        let leg = self.legs[body];
        if leg.kick > t {
            // the velocities already include the forces of a dynamic step
            let v1 = std::array::from_fn(|i| leg.v0[i] + leg.pull[i] * (leg.kick - t));
            let steady = Leg::steady(leg.pose, leg.v0, t, leg.kick);
            self.legs[body] = Leg { v1, kick: leg.kick, pull: leg.pull, ..steady };
            self.wait_for_leg(body);
        } else {
            self.legs[body] = self.free_leg(body, leg.pose, leg.v0, t, self.end);
        }
    }

    /// Puts a body whose leg ends before the force step into the queue.
    pub(super) fn wait_for_leg(&mut self, body: usize) {
        let time = self.legs[body].end;
        if time < self.end {
            self.queue.push(Entry { time, due: Due::Leg(body as u32), version: self.versions[body] });
        }
    }

    /// Checks all pairs of bodies with new legs.
    pub(super) fn renew_all(&mut self, members: &[usize], t: f64) {
        let mut renewed: Vec<u32> = members.iter().flat_map(|&body| self.partners[body].clone()).collect();
        for &body in members {
            renewed.extend(self.make_room(body));
        }
        renewed.sort_unstable();
        renewed.dedup();
        for pair in renewed {
            self.renew(pair as usize, t);
        }
    }

    /// True if the contact of a pair can be held at the time `t`.
    fn may_rest(&self, pair: usize, t: f64) -> bool {
        let p = &self.pairs[pair];
        let [a, b] = [p.candidate as usize, p.antagonist as usize];
        if self.legs[a].kick > t || self.legs[b].kick > t {
            return false;
        }
        let apart = self.pose(a, t).position - self.pose(b, t).position - p.shift;
        let room = self.forms[a].reach + self.forms[b].reach;
        if room.is_finite() && apart.length() > room + self.band(a, b) {
            return false;
        }
        self.rests(pair, t)
    }

    /// Finds the legs of a group at the time `t`.
    fn hold(&mut self, bodies: &[usize], pairs: &[usize], t: f64) {
        let mut touches = Vec::new();
        for &pair in pairs {
            let p = &self.pairs[pair];
            touches.extend(self.points(pair, t, self.band(p.candidate as usize, p.antagonist as usize)));
        }
        let mut end = self.end;
        for halving in 0..=HALVINGS {
            let (legs, contacts) = self.hold_until(bodies, &touches, t, end);
            let group = self.groups.len();
            for (&body, leg) in bodies.iter().zip(legs) {
                self.legs[body] = Leg { group, ..leg };
            }
            if halving < HALVINGS && self.overlaps(pairs, end) {
                end = t + 0.5 * (end - t);
                for &body in bodies {
                    let leg = self.legs[body];
                    self.legs[body] = Leg { force: leg.force, load: leg.load, ..Leg::steady(leg.pose, leg.v0, t, t) };
                }
                continue;
            }
            self.tally.held = self.tally.held.max(contacts.len() as u64);
            for &pair in pairs {
                let carries = contacts.iter().any(|(touch, _, r)| touch.pair == pair && r[0] > 0.0);
                self.pairs[pair].held = carries;
                self.pairs[pair].released = !carries;
            }
            self.groups.push(Group { members: bodies.to_vec(), start: t, end, contacts });
            break;
        }
        if end < self.end {
            let version = self.versions[bodies[0]];
            self.queue.push(Entry { time: end, due: Due::Leg(bodies[0] as u32), version });
        }
    }

    /// True if contacts of held pairs overlap at the end of their legs.
    fn overlaps(&self, pairs: &[usize], end: f64) -> bool {
        pairs.iter().any(|&pair| {
            let p = &self.pairs[pair];
            let deep = DEEP * self.size(p.candidate as usize, p.antagonist as usize);
            self.points(pair, end, 0.0).iter().any(|touch| touch.point.gap < -deep)
        })
    }

    /// Legs of the bodies of a group up to `end`, and the impulses of its contacts.
    #[allow(clippy::type_complexity)]
    fn hold_until(
        &mut self,
        bodies: &[usize],
        touches: &[Touch],
        t: f64,
        end: f64,
    ) -> (Vec<Leg>, Vec<(Touch, [DVec2; 2], [f64; 2])>) {
        let h = end - t;
        let node: BTreeMap<usize, u32> = bodies.iter().enumerate().map(|(k, &body)| (body, k as u32)).collect();
        let options = ImpactOptions {
            tolerance: 0.1 * self.settings.tolerance,
            relaxation: 0.0,
            most: self.settings.lemke,
            solver: self.settings.solver,
        };
        let loads: Vec<[f64; 3]> =
            bodies.iter().map(|&body| self.loads(body, &self.legs[body].pose, 0.5 * (t + end))).collect();
        let before = |leg: &Leg| std::array::from_fn::<f64, 3, _>(|i| leg.force[i] - leg.load[i]);
        let mut forces: Vec<[f64; 3]> = bodies.iter().map(|&body| before(&self.legs[body])).collect();
        let mut frames = Vec::new();
        let mut impulses = Vec::new();
        let mut residual = f64::INFINITY;
        for _ in 0..ROUNDS {
            // motion of the bodies without contacts, with the drag at their velocities with contacts
            let mut problem = Problem::new(2, 3);
            for (k, &body) in bodies.iter().enumerate() {
                let leg = self.moved(body, &loads[k], &forces[k], t, end);
                let b = &self.model.bodies[body];
                let masses = [b.mass, b.mass, b.inertia];
                self.push_node(&mut problem, body, std::array::from_fn(|i| leg.v1[i] - h * forces[k][i] / masses[i]));
            }
            frames.clear();
            for touch in touches {
                let bias = self.bias(touch, t, h);
                frames.push(self.push_contact(&mut problem, touch, t, &|body| node.get(&body).copied(), bias));
            }
            let found = impact(&problem, &vec![0.0; touches.len()], &options, &mut self.solver);
            let mut sums = vec![0.0; 3 * bodies.len()];
            problem.add_transpose_times(&found.impulses, &mut sums);
            let total: f64 = sums.iter().map(|x| x.abs()).sum();
            let mut change = 0.0;
            for (force, sum) in forces.iter_mut().zip(sums.chunks_exact(3)) {
                for (force, sum) in force.iter_mut().zip(sum) {
                    change += (*force * h - sum).abs();
                    *force = sum / h;
                }
            }
            (impulses, residual) = (found.impulses, found.residual);
            if change <= SETTLED * total {
                break;
            }
        }
        self.note_residual(residual, self.legs[bodies[0]].pose.position);
        self.tally.missed |= residual > self.settings.tolerance;
        let legs =
            bodies.iter().enumerate().map(|(k, &body)| self.moved(body, &loads[k], &forces[k], t, end)).collect();
        let pairs = impulses.chunks_exact(2).map(|r| [r[0], r[1]]);
        (legs, touches.iter().copied().zip(frames).zip(pairs).map(|((touch, frame), r)| (touch, frame, r)).collect())
    }

    /// The leg of a body under loads and contact forces.
    fn moved(&self, body: usize, load: &[f64; 3], contact: &[f64; 3], t: f64, end: f64) -> Leg {
        let leg = &self.legs[body];
        let force = std::array::from_fn(|i| load[i] + contact[i]);
        self.leg_under(body, leg.pose, leg.v0, force, *load, (t, end))
    }

    /// Bias of the normal velocity of a held contact.
    fn bias(&self, touch: &Touch, t: f64, h: f64) -> f64 {
        let gap = touch.point.gap;
        if gap <= 0.0 {
            return 2.0 * gap / self.settings.step;
        }
        let start = self.relative(touch, t, &|body| self.legs[body].v0).dot(touch.point.normal);
        (start + 2.0 * gap / h).max(0.0)
    }

    /// Books the energies of the contacts of a group that stops at `t`, and records their impulses; `means` are the mean
    /// velocities of its members.
    pub(super) fn book_group(&mut self, group: usize, means: &[[f64; 3]], t: f64) {
        let Group { members, start, end, contacts } = self.groups[group].clone();
        let share = if end > start { (t - start) / (end - start) } else { 0.0 };
        if share <= 0.0 {
            return;
        }
        for (touch, frame, r) in contacts {
            let r = r.map(|r| r * share);
            if r == [0.0; 2] {
                continue;
            }
            let p = self.pairs[touch.pair];
            // contact points are those of the start of the leg
            let velocity = |body: u32, shift: DVec2| {
                let body = body as usize;
                match members.binary_search(&body) {
                    Ok(k) => {
                        let centre = self.started(body, start, &means[k], t) + shift;
                        let v = means[k];
                        crate::kinematics::plane_velocity(v, touch.point.position - centre)
                    }
                    Err(_) => {
                        let leg = &self.legs[body];
                        let v = leg.velocity_at(start);
                        let centre = leg.pose_at(start).position + shift;
                        crate::kinematics::plane_velocity(v, touch.point.position - centre)
                    }
                }
            };
            let (first, second) = (velocity(p.candidate, DVec2::ZERO), velocity(p.antagonist, p.shift));
            let u = first - second;
            self.state.ledger.impact -= r[0] * u.dot(frame[0]);
            self.state.ledger.friction -= r[1] * u.dot(frame[1]);
            if !self.free[p.antagonist as usize] {
                self.state.ledger.supports += (frame[0] * r[0] + frame[1] * r[1]).dot(second);
            }
            self.record(&touch, frame, r, u.dot(frame[1]));
        }
        self.groups[group].start = t;
        self.groups[group].end = t;
    }

    /// Where a member of a group that stopped at `t` started its leg.
    fn started(&self, body: usize, start: f64, mean: &[f64; 3], t: f64) -> DVec2 {
        self.legs[body].pose.position - DVec2::new(mean[0], mean[1]) * (t - start)
    }

    /// Stores the held contacts with their forces for the next force step, and the records of this force step.
    pub(super) fn keep_contacts(&mut self) {
        self.contacts = std::mem::take(&mut self.records).into_values().collect();
        let held: std::collections::BTreeSet<(u32, u32)> =
            self.pairs.iter().filter(|p| p.held).map(|p| (p.candidate, p.antagonist)).collect();
        let remembered = self.contacts.iter().filter(|c| held.contains(&(c.key.candidate, c.key.antagonist)));
        self.state.contacts = remembered
            .map(|contact| ContactMemory {
                key: contact.key,
                force: contact.force,
                elastic_slip: DVec2::ZERO,
                slid: contact.status == crate::contacts::ContactStatus::Slide,
                slip: 0.0,
            })
            .collect();
    }
}

/// Connected bodies and their pairs; bodies without links are alone.
pub(super) fn components(
    members: &[usize],
    links: &[(usize, usize)],
    ends: impl Fn(usize) -> [Option<usize>; 2],
) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut parent: BTreeMap<usize, usize> = members.iter().map(|&body| (body, body)).collect();
    fn root(parent: &BTreeMap<usize, usize>, mut body: usize) -> usize {
        while let Some(&up) = parent.get(&body) {
            if up == body {
                break;
            }
            body = up;
        }
        body
    }
    let mut pairs: Vec<usize> = links.iter().map(|link| link.0).collect();
    pairs.sort_unstable();
    pairs.dedup();
    for &pair in &pairs {
        if let [Some(a), Some(b)] = ends(pair) {
            let (a, b) = (root(&parent, a), root(&parent, b));
            parent.insert(a.max(b), a.min(b));
        }
    }
    let mut groups: BTreeMap<usize, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for &body in members {
        groups.entry(root(&parent, body)).or_default().0.push(body);
    }
    for pair in pairs {
        if let Some(body) = ends(pair).into_iter().flatten().next()
            && let Some(group) = groups.get_mut(&root(&parent, body))
        {
            group.1.push(pair);
        }
    }
    let mut all: Vec<_> = groups.into_values().collect();
    all.iter_mut().for_each(|group| group.0.sort_unstable());
    all
}
