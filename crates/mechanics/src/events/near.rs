//! Pairs of bodies that may touch in a force step; periodic and open edges.
//!
//! Every free body stays in a box around its circumscribed circle, enlarged by 1.5 times its path in the force step and a
//! twentieth of its size. If an impact makes a body so fast that its leg leaves the box, the body gets a larger box, and
//! its pairs are detected again. Across periodic edges the antagonist of a pair is moved by the length of the domain.

use rayon::prelude::*;
use voussoir_geometry::glam::DVec2;
use voussoir_geometry::{Aabb, D2, Solid};

use super::leg::Leg;
use super::{EventDriven, Pair};
use crate::sea::EdgeKind;
use crate::state::Presence;

/// Enlargement of a box, relative to the path in a force step and to the size of the body.
const ROOM: (f64, f64) = (1.5, 0.05);

impl EventDriven {
    /// Legs of all free bodies as if they were alone.
    pub(super) fn drift_all(&mut self, start: f64) {
        let this = &*self;
        let bodies: Vec<usize> = (0..this.legs.len()).filter(|&i| this.free[i]).collect();
        let legs: Vec<Leg> = bodies
            .par_iter()
            .with_min_len(64)
            .map(|&body| this.free_leg(body, this.state.poses[body], this.velocity(body), start, this.end))
            .collect();
        for (body, leg) in bodies.into_iter().zip(legs) {
            self.legs[body] = leg;
        }
    }

    /// The layer of water in the middle of the force step.
    pub(super) fn start_layer(&mut self) {
        let Some(slab) = self.sea.slab else { return };
        let (wind, coriolis) = self.on_layer(&slab);
        let middle = slab.middle(&self.state.slab, wind, coriolis, self.settings.step);
        std::sync::Arc::make_mut(&mut self.sea).layer = middle;
    }

    /// The layer of water at the end of the force step.
    pub(super) fn end_layer(&mut self) {
        let Some(slab) = self.sea.slab else { return };
        let (wind, coriolis) = self.on_layer(&slab);
        self.state.slab = slab.advance(&self.state.slab, self.tally.water, wind, coriolis, self.settings.step);
    }

    /// Force of the wind on the open part of the layer in the middle of the force step [N], and Coriolis parameter.
    fn on_layer(&self, slab: &crate::sea::Slab) -> (DVec2, f64) {
        let ice: f64 = (0..self.rules.len()).filter(|&i| self.free[i]).map(|i| self.rules[i].area).sum();
        let wind = self.sea.wind_on_slab(slab, (slab.area - ice).max(0.0), self.end - 0.5 * self.settings.step);
        (wind, self.sea.coriolis + self.sea.beta * slab.centre.y)
    }

    /// The leg of a body without contacts.
    pub(super) fn free_leg(
        &self,
        body: usize,
        pose: voussoir_geometry::Pose<D2>,
        v: [f64; 3],
        start: f64,
        end: f64,
    ) -> Leg {
        let load = self.loads(body, &pose, 0.5 * (start + end));
        self.leg_under(body, pose, v, load, load, (start, end))
    }

    /// The leg of a body under given forces; `load` is their part without contacts.
    pub(super) fn leg_under(
        &self,
        body: usize,
        pose: voussoir_geometry::Pose<D2>,
        v: [f64; 3],
        force: [f64; 3],
        load: [f64; 3],
        (start, end): (f64, f64),
    ) -> Leg {
        let h = end - start;
        let drift = self.sea.drift(&self.floe(body), (pose.position, pose.rotation), v, force, (start, h));
        let steady = Leg::steady(pose, v, start, end);
        Leg { v1: drift.velocity, shift: drift.shift, force, load, drift: Some(drift), ..steady }
    }

    /// The box in which a body stays.
    fn room(&self, body: usize) -> Aabb<D2> {
        let leg = &self.legs[body];
        if !self.state.presence[body].is_there() {
            return Aabb { min: DVec2::INFINITY, max: DVec2::NEG_INFINITY };
        }
        if !self.free[body] {
            let shape = &self.model.bodies[body].shape;
            return shape.bounds(&leg.pose).union(&shape.bounds(&leg.pose_at(leg.end)));
        }
        let fastest = |v: [f64; 3]| v[0].hypot(v[1]);
        let way = fastest(leg.v0).max(fastest(leg.v1)) * self.settings.step;
        let reach = self.forms[body].reach;
        let by = DVec2::splat(reach + ROOM.0 * way + ROOM.1 * reach);
        Aabb { min: leg.pose.position - by, max: leg.pose.position + by }
    }

    /// True if the rest of a leg is in the body's box.
    fn fits(&self, body: usize) -> bool {
        let (leg, reach) = (&self.legs[body], DVec2::splat(self.forms[body].reach));
        // boxes include the curvature of a leg
        let times = [leg.start, 0.5 * (leg.start + leg.end), leg.end];
        times.iter().map(|t| leg.pose_at(*t).position).all(|place| {
            let own = Aabb::<D2> { min: place - reach, max: place + reach };
            self.boxes[body].contains(&own)
        })
    }

    /// Finds all pairs of the force step.
    pub(super) fn find_pairs(&mut self) {
        self.boxes = (0..self.legs.len()).map(|body| self.room(body)).collect();
        let mut boxes = self.boxes.clone();
        let mut owner: Vec<(u32, DVec2)> = (0..boxes.len() as u32).map(|i| (i, DVec2::ZERO)).collect();
        for shift in self.shifts() {
            let widest = |body: usize| (self.boxes[body].max - self.boxes[body].min).max_element();
            let width = (0..self.boxes.len()).filter(|&i| self.free[i]).map(widest).fold(0.0, f64::max);
            let Some(domain) = self.sea.domain else { break };
            let whole = Aabb::<D2> { min: domain.min - width, max: domain.max + width };
            for (body, own) in self.boxes.iter().enumerate() {
                let moved = Aabb::<D2> { min: own.min + shift, max: own.max + shift };
                if own.min.is_finite() && own.max.is_finite() && own.min.x <= own.max.x && moved.overlaps(&whole) {
                    boxes.push(moved);
                    owner.push((body as u32, shift));
                }
            }
        }
        let groups: Vec<u32> = owner.iter().map(|(i, _)| self.kind(*i as usize)).collect();
        let count = 2 * self.model.materials.len() + 1;
        let joints = &self.model.joints;
        let meet = |a: usize, b: usize| meets(joints, a, b);
        let images = self.legs.len() as u32;
        let found: Vec<(u32, u32)> = self.broad.pairs_of_groups(&boxes, groups, count, meet).to_vec();
        self.pairs.clear();
        self.partners.iter_mut().for_each(Vec::clear);
        for (i, j) in found {
            // a pair of two images is the same as another pair
            if i >= images || owner[i as usize].0 == owner[j as usize].0 {
                continue;
            }
            let ((a, _), (b, shift)) = (owner[i as usize], owner[j as usize]);
            if boxes[i as usize].overlaps(&boxes[j as usize]) {
                self.add_pair(a, b, shift);
            }
        }
        self.remember_held();
    }

    /// Group of a body in the broad phase: absent, or support or free by material.
    fn kind(&self, body: usize) -> u32 {
        if !self.state.presence[body].is_there() {
            return 0;
        }
        1 + 2 * self.model.bodies[body].material as u32 + u32::from(self.free[body])
    }

    /// Adds a pair; `shift` moves the second body.
    fn add_pair(&mut self, a: u32, b: u32, shift: DVec2) {
        let swap = !self.free[a as usize];
        let (candidate, antagonist, shift) = if swap { (b, a, -shift) } else { (a, b, shift) };
        let pair = self.pairs.len() as u32;
        let repeats = (f64::NEG_INFINITY, 0);
        self.pairs.push(Pair {
            candidate,
            antagonist,
            shift,
            version: 0,
            held: false,
            released: false,
            stuck: 0,
            left: 0.0,
            repeats,
        });
        self.partners[candidate as usize].push(pair);
        self.partners[antagonist as usize].push(pair);
    }

    /// Marks the pairs whose contacts the state remembers.
    fn remember_held(&mut self) {
        let mut known: Vec<(u32, u32)> =
            self.state.contacts.iter().map(|contact| (contact.key.candidate, contact.key.antagonist)).collect();
        known.dedup();
        for pair in &mut self.pairs {
            pair.held = known.binary_search(&(pair.candidate, pair.antagonist)).is_ok();
        }
    }

    /// Gives a body whose leg leaves its box a larger box and more pairs. Returns the new pairs.
    pub(super) fn make_room(&mut self, body: usize) -> Vec<u32> {
        if self.fits(body) {
            return Vec::new();
        }
        let (old, room) = (self.boxes[body], self.room(body));
        self.boxes[body] = room.union(&old);
        let first = self.pairs.len() as u32;
        let joints = self.model.joints.clone();
        let mut shifts = vec![DVec2::ZERO];
        shifts.extend(self.shifts().into_iter().flat_map(|shift| [shift, -shift]));
        for other in 0..self.legs.len() {
            if other == body || !meets(&joints, self.kind(body) as usize, self.kind(other) as usize) {
                continue;
            }
            for &shift in &shifts {
                let theirs = self.boxes[other];
                let moved = Aabb::<D2> { min: theirs.min + shift, max: theirs.max + shift };
                if !moved.overlaps(&self.boxes[body]) || self.knows(body, other, shift) {
                    continue;
                }
                self.add_pair(body as u32, other as u32, shift);
            }
        }
        (first..self.pairs.len() as u32).collect()
    }

    fn knows(&self, body: usize, other: usize, shift: DVec2) -> bool {
        self.partners[body].iter().any(|&pair| {
            let pair = &self.pairs[pair as usize];
            let own = pair.candidate as usize == body;
            let partner = if own { pair.antagonist } else { pair.candidate } as usize;
            partner == other && (if own { pair.shift } else { -pair.shift }) == shift
        })
    }

    /// Periodic images of the antagonist, one of each two opposite ones.
    fn shifts(&self) -> Vec<DVec2> {
        let Some(domain) = &self.sea.domain else { return Vec::new() };
        let size = domain.max - domain.min;
        let [x, y] = domain.edges.map(|edge| edge == EdgeKind::Periodic);
        let mut shifts = Vec::new();
        if x {
            shifts.push(DVec2::new(size.x, 0.0));
        }
        if y {
            shifts.push(DVec2::new(0.0, size.y));
        }
        if x && y {
            shifts.extend([size, DVec2::new(size.x, -size.y)]);
        }
        shifts
    }

    /// Moves bodies that have left at a periodic edge to the other one.
    pub(super) fn wrap(&mut self) {
        let Some(domain) = &self.sea.domain else { return };
        let size = domain.max - domain.min;
        for body in 0..self.state.poses.len() {
            if !self.state.is_free(&self.model, body) {
                continue;
            }
            let place = &mut self.state.poses[body].position;
            for axis in 0..2 {
                if domain.edges[axis] == EdgeKind::Periodic {
                    place[axis] -= size[axis] * ((place[axis] - domain.min[axis]) / size[axis]).floor();
                }
            }
        }
    }

    /// Removes bodies whose centroid has left at an open edge.
    pub(super) fn remove_lost(&mut self) {
        let Some(domain) = &self.sea.domain else { return };
        for body in 0..self.state.poses.len() {
            if !self.state.is_free(&self.model, body) {
                continue;
            }
            if domain.loses(self.state.poses[body].position) {
                let (b, v) = (&self.model.bodies[body], self.velocity(body));
                let energy = 0.5 * (b.mass * (v[0] * v[0] + v[1] * v[1]) + b.inertia * v[2] * v[2]);
                self.state.ledger.construction -= energy;
                self.state.presence[body] = Presence::Gone;
                self.state.contacts.retain(|contact| {
                    contact.key.candidate as usize != body && contact.key.antagonist as usize != body
                });
            }
        }
    }
}

/// True if bodies of two kinds meet.
fn meets(joints: &crate::model::JointTable, a: usize, b: usize) -> bool {
    let free = |kind: usize| kind > 0 && (kind - 1) % 2 == 1;
    a > 0 && b > 0 && (free(a) || free(b)) && !joints.ignores((a - 1) / 2, (b - 1) / 2)
}
