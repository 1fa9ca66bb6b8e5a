//! Jams: bodies with too many impacts are moved by dynamic steps with persistent contacts, until no contact acts on them.
//!
//! A dynamic step from t to the end of the force step, of length h, has two parts. The first is an impact at t of all
//! contacts that would close up to the end: with their gaps g,
//! ```text
//! M (V₀ − V₋) = R₀,    0 ≤ R₀ₙ ⊥ uₙ(V₀) + g/h ≥ 0,    |R₀_T| ≤ μ R₀ₙ
//! ```
//! with Poisson's restitution for contacts that were open and close fast. The second gives the velocities V₁ at
//! the end, linear in time between, and the contact impulses R:
//! ```text
//! V₁ = drift(V₀, F + R/h),    0 ≤ Rₙ ⊥ g(q + ½h (V₀ + V₁)) ≥ 0,    |R_T| ≤ μ Rₙ, R_T opposes sliding with V₁
//! ```
//! Both equations are linearised at the latest V₁ (the drift by the mass M + ½h C with the slope C of the drag, the gaps by
//! the contact points at the end), solved as one contact problem from the forces of the previous step, and linearised
//! again: the error falls quadratically, and bodies that turn do not overlap at the end. After that the bodies are
//! followed by events like all others: a body that hits the jam changes the velocities of its cluster only, and the
//! accelerations stay. Contacts inside the jam may overlap by [`SLACK`] of the size of the smaller body before they count
//! as an impact.
//!
//! **Bodies of a jam**: bodies that have had more than [`super::EventSettings::impacts`] impacts in this force step;
//! bodies on which contacts of a dynamic step acted in the previous force step; bodies that rest on these; and bodies that
//! may touch one of these up to the end of the force step. A body on which no contact acts leaves the jam.

use std::collections::{BTreeMap, BTreeSet};

use voussoir_contact::Problem;
use voussoir_contact::impact::{ImpactOptions, impact_from};
use voussoir_geometry::glam::DVec2;

use super::EventDriven;
use super::held::components;
use super::leg::Leg;
use super::press::{MARGIN, Pressed, Row, Step};
use super::touch::Touch;

/// Overlap of contacts inside a jam before they count as an impact, relative to the size of the smaller body.
pub(super) const SLACK: f64 = 1.5e-7;
/// Contacts that close more slowly than this in a jam do not bounce, relative to the fastest motion.
const SLOW: f64 = 0.02;
/// Times that a dynamic step is halved.
const HALVINGS: u32 = 6;

/// The impact at the start of a dynamic step.
#[derive(Default)]
pub(super) struct Hit {
    pub velocities: Vec<[f64; 3]>,
    contacts: Vec<Pressed>,
    residual: f64,
    /// Dissipated by friction [J].
    friction: f64,
}

impl EventDriven {
    /// Moves bodies that stopped at the time `t`, and those that belong to their jam, by dynamic steps.
    pub(super) fn jam(&mut self, seeds: &[usize], t: f64) {
        let (members, links) = self.crowd(seeds, t);
        let groups = components(&members, &links, |pair| {
            let p = &self.pairs[pair];
            [p.candidate as usize, p.antagonist as usize].map(|body| self.free[body].then_some(body))
        });
        let (mut loose, mut kicked) = (Vec::new(), Vec::new());
        for (bodies, pairs) in groups {
            // a body without contacts leaves the jam, also while forces of an earlier dynamic step act on it
            if pairs.is_empty() {
                loose.extend(bodies);
                continue;
            }
            let moved = self.kick(&bodies, &pairs, t);
            for body in bodies {
                if self.legs[body].kick > t {
                    kicked.push(body)
                } else {
                    loose.push(body)
                }
                self.jammed[body] |= moved.contains(&body);
            }
        }
        kicked.iter().for_each(|&body| self.counts[body] = 0);
        self.renew_all(&kicked, t);
        if !loose.is_empty() {
            self.restart(loose, t);
        }
    }

    /// The bodies of the jam around `seeds`, stopped at `t`, and pairs with one of their bodies.
    fn crowd(&mut self, seeds: &[usize], t: f64) -> (Vec<usize>, Vec<(usize, usize)>) {
        let mut members: Vec<usize> = seeds.to_vec();
        let mut known: BTreeSet<usize> = members.iter().copied().collect();
        // bodies that rest on a member, and bodies that may touch a member up to the end of the force step
        let mut at = 0;
        while let Some(&body) = members.get(at) {
            at += 1;
            for pair in self.partners[body].clone() {
                let pair = pair as usize;
                let other = self.partner(pair, body);
                if !self.free[other] || known.contains(&other) || !(self.pairs[pair].held || self.meets(pair, t)) {
                    continue;
                }
                for stopped in self.halt(other, t) {
                    if known.insert(stopped) {
                        members.push(stopped);
                    }
                }
            }
        }
        let mut links = Vec::new();
        for &body in &members {
            for pair in self.partners[body].clone() {
                let pair = pair as usize;
                let other = self.partner(pair, body);
                if (known.contains(&other) && other > body || !self.free[other]) && self.may_close(pair, t) {
                    links.push((pair, body));
                }
            }
        }
        (members, links)
    }

    /// The other body of a pair.
    pub(super) fn partner(&self, pair: usize, body: usize) -> usize {
        let p = &self.pairs[pair];
        if p.candidate as usize == body { p.antagonist as usize } else { p.candidate as usize }
    }

    /// True if a pair may touch up to the end of the force step.
    fn meets(&mut self, pair: usize, t: f64) -> bool {
        let rest = self.end - t;
        self.look_over(pair, t, rest).safe < rest
    }

    /// True if a pair may close up to the end of the force step.
    fn may_close(&mut self, pair: usize, t: f64) -> bool {
        let rest = self.end - t;
        let p = &self.pairs[pair];
        let margin = MARGIN * self.size(p.candidate as usize, p.antagonist as usize);
        let found = self.look_over(pair, t, rest);
        found.gap <= margin || found.safe < rest
    }

    /// One dynamic step of connected bodies. Returns those on which contacts act.
    fn kick(&mut self, bodies: &[usize], pairs: &[usize], t: f64) -> BTreeSet<usize> {
        let mut end = self.end;
        let hit = self.hit(bodies, pairs, t);
        let mut step = self.press(bodies, pairs, &hit, (t, end));
        for _ in 0..HALVINGS {
            if step.converged && step.residual <= self.settings.tolerance {
                break;
            }
            end = t + 0.5 * (end - t);
            step = self.press(bodies, pairs, &hit, (t, end));
        }
        self.tally.jams += 1;
        self.note_residual(step.residual.max(hit.residual), self.legs[bodies[0]].pose.position);
        self.tally.missed |= step.residual.max(hit.residual) > self.settings.tolerance || !step.converged;
        self.tally.held = self.tally.held.max(step.contacts.len() as u64);
        let moved = self.acted(&[&hit.contacts, &step.contacts]);
        // bodies with too many impacts stay in their jam
        let mut kicked = moved.clone();
        kicked.extend(bodies.iter().filter(|&&body| self.is_tired(body) || self.legs[body].kick > t));
        for &pair in pairs {
            self.pairs[pair].held = false;
            self.pairs[pair].released = false;
        }
        for (row, _, r) in &step.contacts {
            self.pairs[row.touch.pair].held |= r[0] > 0.0;
        }
        self.book_step(bodies, &hit, &step, (t, end), &kicked);
        for (k, &body) in bodies.iter().enumerate().filter(|(_, body)| kicked.contains(body)) {
            let (leg, v0, v1) = (self.legs[body], hit.velocities[k], step.pushes[k].velocity);
            let steady = Leg::steady(leg.pose, v0, t, end);
            let pull = std::array::from_fn(|i| (v1[i] - v0[i]) / (end - t));
            self.legs[body] = Leg { v1, kick: end, pull, ..steady };
            self.versions[body] = self.versions[body].wrapping_add(1);
            self.wait_for_leg(body);
        }
        moved
    }

    /// Free bodies on which contacts act.
    fn acted(&self, contacts: &[&Vec<Pressed>]) -> BTreeSet<usize> {
        let mut bodies = BTreeSet::new();
        for (row, _, _) in contacts.iter().flat_map(|all| all.iter()).filter(|(_, _, r)| *r != [0.0; 2]) {
            let p = &self.pairs[row.touch.pair];
            bodies.extend([p.candidate as usize, p.antagonist as usize].into_iter().filter(|&body| self.free[body]));
        }
        bodies
    }

    /// True if a contact of a pair had a force in the previous force step.
    fn was_held(&self, pair: usize) -> bool {
        let p = &self.pairs[pair];
        let own = (p.candidate, p.antagonist);
        let first = self.state.contacts.partition_point(|c| (c.key.candidate, c.key.antagonist) < own);
        self.state.contacts.get(first).is_some_and(|c| (c.key.candidate, c.key.antagonist) == own)
    }

    /// √area of the smaller body of a pair [m].
    pub(super) fn size_of(&self, pair: usize) -> f64 {
        self.size(self.pairs[pair].candidate as usize, self.pairs[pair].antagonist as usize)
    }

    /// Difference of two velocities of a body [m/s]: the larger of that of the centroid and that of the spin times the
    /// largest radius of gyration.
    pub(super) fn speed_of(&self, a: &[f64; 3], b: &[f64; 3]) -> f64 {
        (a[0] - b[0]).hypot(a[1] - b[1]).max((a[2] - b[2]).abs() * self.gyration)
    }

    /// The impact at the start of a dynamic step: no contact closes so fast that its gap is used up before the end of the
    /// force step.
    fn hit(&mut self, bodies: &[usize], pairs: &[usize], t: f64) -> Hit {
        let h = self.end - t;
        let starts: Vec<[f64; 3]> = bodies.iter().map(|&body| self.legs[body].v0).collect();
        let mut hit = Hit { velocities: starts, ..Hit::default() };
        let node: BTreeMap<usize, u32> = bodies.iter().enumerate().map(|(k, &body)| (body, k as u32)).collect();
        let mut touches = Vec::new();
        for &pair in pairs {
            let p = &self.pairs[pair];
            let [a, b] = [p.candidate as usize, p.antagonist as usize];
            let way = |body: usize| self.legs[body].v0[0].hypot(self.legs[body].v0[1]) * h;
            touches.extend(self.points(pair, t, MARGIN * self.size(a, b) + 2.0 * (way(a) + way(b))));
        }
        let bias: Vec<f64> = touches.iter().map(|touch| touch.point.gap.max(0.0) / h).collect();
        let mut limit: Vec<f64> =
            touches.iter().zip(&bias).map(|(touch, b)| b + 0.5 * SLACK * self.size_of(touch.pair) / h).collect();
        let closing = |touch: &Touch| {
            let of = |body: usize| self.legs[body].velocity_at(t);
            -self.relative(touch, t, &of).dot(touch.point.normal)
        };
        if touches.iter().zip(&limit).all(|(touch, limit)| closing(touch) <= *limit) {
            // a jam whose velocities are almost zero is set to rest
            limit = bias.iter().map(|b| b + self.still()).collect();
        }
        // contacts that close join, until no other closes; impulses found so far are a start
        let mut known = vec![[0.0; 2]; touches.len()];
        let mut active: BTreeSet<usize> = BTreeSet::new();
        loop {
            let of = |body: usize| match node.get(&body) {
                Some(&k) => hit.velocities[k as usize],
                None => self.legs[body].velocity_at(t),
            };
            let closes = |k: &usize| -self.relative(&touches[*k], t, &of).dot(touches[*k].point.normal) > limit[*k];
            let more: Vec<usize> = (0..touches.len()).filter(|k| !active.contains(k)).filter(closes).collect();
            if more.is_empty() {
                break;
            }
            active.extend(more);
            let chosen: Vec<(&Touch, f64)> = active.iter().map(|&k| (&touches[k], bias[k])).collect();
            let warm: Vec<f64> = active.iter().flat_map(|&k| known[k]).collect();
            let compression;
            (hit, compression) = self.solve_hit(bodies, &node, &chosen, &warm, t);
            active.iter().zip(compression.chunks_exact(2)).for_each(|(&k, r)| known[k] = [r[0], r[1]]);
        }
        hit
    }

    /// The impact of given contacts with their biases, from impulses `warm`; and the impulses of its compression.
    fn solve_hit(
        &mut self,
        bodies: &[usize],
        node: &BTreeMap<usize, u32>,
        chosen: &[(&Touch, f64)],
        warm: &[f64],
        t: f64,
    ) -> (Hit, Vec<f64>) {
        let options = ImpactOptions {
            tolerance: self.settings.tolerance,
            relaxation: 0.0,
            most: self.settings.lemke,
            solver: self.settings.solver,
        };
        let mut velocities: Vec<[f64; 3]> = bodies.iter().map(|&body| self.legs[body].v0).collect();
        let mut own: BTreeMap<usize, u32> = BTreeMap::new();
        let mut problem = Problem::new(2, 3);
        let (mut frames, mut restitution, mut speed) = (Vec::new(), Vec::new(), 0.0_f64);
        for (touch, _) in chosen {
            let p = &self.pairs[touch.pair];
            for body in [p.candidate as usize, p.antagonist as usize] {
                if node.contains_key(&body) && !own.contains_key(&body) {
                    own.insert(body, self.push_node(&mut problem, body, self.legs[body].v0));
                }
            }
        }
        for (touch, bias) in chosen {
            frames.push(self.push_contact(&mut problem, touch, t, &|body| own.get(&body).copied(), *bias));
            let relative = self.relative(touch, t, &|body| self.legs[body].velocity_at(t));
            let closing = -relative.dot(touch.point.normal);
            speed = speed.max(relative.length());
            let bounces = closing * self.law(touch.pair).1 > SLOW * self.fastest && !self.was_held(touch.pair);
            restitution.push(if bounces { self.law(touch.pair).1 } else { 0.0 });
        }
        let found = impact_from(&problem, &restitution, warm, &options, &mut self.solver);
        self.tally.attempts += u64::from(found.attempts);
        self.tally.guards += u64::from(found.guarded);
        for (body, k) in &own {
            let v = &found.velocities[3 * *k as usize..][..3];
            velocities[node[body] as usize] = [v[0], v[1], v[2]];
        }
        let impulses = found.impulses.chunks_exact(2).map(|r| [r[0], r[1]]);
        let contacts = chosen
            .iter()
            .zip(frames)
            .zip(impulses)
            .map(|(((touch, gap), b), c)| (Row { touch: **touch, gap: *gap, middle: false }, b, c))
            .collect();
        // relative to the motion without contacts over the step, as all residuals
        let residual = found.residual * (speed / self.fastest).min(1.0);
        (Hit { velocities, contacts, residual, friction: found.dissipated[1] }, found.compression)
    }

    /// Books the energies of a dynamic step, and records its impulses. The loss that is not dissipated by friction is
    /// dissipated by normal impulses.
    fn book_step(&mut self, bodies: &[usize], hit: &Hit, step: &Step, (t, end): (f64, f64), kicked: &BTreeSet<usize>) {
        let node: BTreeMap<usize, usize> = bodies.iter().enumerate().map(|(k, &body)| (body, k)).collect();
        let (mut gain, mut friction, mut supports) = (0.0, hit.friction, 0.0);
        for (k, &body) in bodies.iter().enumerate().filter(|(_, body)| kicked.contains(body)) {
            let (push, leg) = (&step.pushes[k], self.legs[body]);
            // contributions already in the ledger
            let rest = (leg.kick - t).max(0.0);
            let known = std::array::from_fn(|i| leg.v0[i] + if rest > 0.0 { leg.pull[i] * rest } else { 0.0 });
            let now = std::array::from_fn(|i| push.velocity[i] + leg.pull[i] * (leg.kick - end).max(0.0));
            gain += self.energy(body, &now) - self.energy(body, &known) - push.work.iter().sum::<f64>();
            let ledger = &mut self.state.ledger;
            ledger.wind += push.work[0];
            ledger.water += push.work[1];
            ledger.loads += push.work[0] + push.work[1] + push.work[2];
            ledger.gravity += push.work[3];
            self.tally.water += push.water;
        }
        for (k, (Row { touch, middle, .. }, frame, r)) in hit.contacts.iter().chain(&step.contacts).enumerate() {
            if *r == [0.0; 2] {
                continue;
            }
            let first = k < hit.contacts.len();
            let p = self.pairs[touch.pair];
            let at = |body: u32, shift: DVec2| {
                let body = body as usize;
                let (place, v) = match node.get(&body) {
                    Some(&k) if first => (self.legs[body].pose, hit.velocities[k]),
                    Some(&k) => {
                        let v = [&hit.velocities[k], &step.pushes[k].velocity];
                        (
                            self.placed(body, Some(v), (t, end), *middle),
                            std::array::from_fn(|i| 0.5 * (v[0][i] + v[1][i])),
                        )
                    }
                    None if first => (self.legs[body].pose_at(t), self.legs[body].velocity_at(t)),
                    None => (self.legs[body].pose_at(end), self.legs[body].velocity_at(end)),
                };
                crate::kinematics::plane_velocity(v, touch.point.position - place.position - shift)
            };
            let second = at(p.antagonist, p.shift);
            let slip = (at(p.candidate, DVec2::ZERO) - second).dot(frame[1]);
            if !first {
                friction -= r[1] * slip;
            }
            if !self.free[p.antagonist as usize] {
                supports += (frame[0] * r[0] + frame[1] * r[1]).dot(second);
            }
            self.record(touch, *frame, *r, slip);
        }
        let ledger = &mut self.state.ledger;
        ledger.supports += supports;
        ledger.friction += friction;
        ledger.impact += supports - gain - friction;
    }

    /// Kinetic energy of a body [J].
    pub(super) fn energy(&self, body: usize, v: &[f64; 3]) -> f64 {
        let b = &self.model.bodies[body];
        0.5 * (b.mass * (v[0] * v[0] + v[1] * v[1]) + b.inertia * v[2] * v[2])
    }
}
