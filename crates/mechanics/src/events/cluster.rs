//! Impacts: the cluster of a pair that touches and closes.
//!
//! The cluster starts with the contacts of the pair within the collision distance. After its complementarity problems
//! are solved, contacts of its bodies with others that would close (in compression or at the end) join it, and both
//! phases are solved again. Contacts that never close have no impulse, so that the result is that of one problem for all
//! contacts that touch.

use std::collections::{BTreeMap, BTreeSet};

use voussoir_contact::Problem;
use voussoir_contact::impact::{Impact, ImpactOptions, impact_from};
use voussoir_geometry::glam::DVec2;

use super::EventDriven;
use super::touch::Touch;

/// Times that a cluster grows.
const MOST_GROWTHS: usize = 200;

/// Contacts of the largest cluster of each class of [`super::Tally::clusters`] but the last.
const CLASSES: [usize; 3] = [2, 8, 32];

/// A cluster at one time.
struct Cluster {
    t: f64,
    /// Free bodies, by rising index.
    bodies: BTreeSet<usize>,
    touches: Vec<Touch>,
    /// Pairs that belong to the cluster.
    pairs: BTreeSet<usize>,
    /// All bodies whose legs were ended.
    halted: BTreeSet<usize>,
}

impl EventDriven {
    /// Computes the impact of a pair at the time `t` and starts new legs.
    pub(super) fn strike(&mut self, pair: usize, t: f64) {
        let mut cluster = Cluster {
            t,
            bodies: BTreeSet::new(),
            touches: Vec::new(),
            pairs: BTreeSet::new(),
            halted: BTreeSet::new(),
        };
        self.join(&mut cluster, pair);
        let (found, node) = self.solve_cluster(&mut cluster);
        self.state.impacts += 1;
        self.tally.impacts += 1;
        self.tally.last = t;
        self.tally.largest = self.tally.largest.max(cluster.touches.len() as u64);
        self.tally.attempts += u64::from(found.attempts);
        self.tally.guards += u64::from(found.guarded);
        self.tally.missed |= !found.converged;
        let pushed = cluster.touches.iter().zip(found.impulses.chunks_exact(2));
        let pushed: f64 = pushed.map(|(touch, r)| r[0] * self.push_back(touch, t)).sum();
        self.note_cluster(&cluster, &found, &node, pushed);
        self.state.ledger.impact += found.dissipated[0] + pushed;
        self.state.ledger.friction += found.dissipated[1];
        self.book_supports(&cluster, &found, &node);
        self.mark_inelastic(&cluster, &found);
        for &body in &cluster.bodies {
            let at = node[&body] as usize * 3;
            let v = [found.velocities[at], found.velocities[at + 1], found.velocities[at + 2]];
            let leg = &self.legs[body];
            if leg.kick > t {
                // the forces of its jam continue to act, on another path
                let masses =
                    [self.model.bodies[body].mass, self.model.bodies[body].mass, self.model.bodies[body].inertia];
                let way = |i: usize| (v[i] - leg.v0[i]) * (leg.kick - t);
                self.state.ledger.impact -= (0..3).map(|i| masses[i] * leg.pull[i] * way(i)).sum::<f64>();
            }
            (self.legs[body].v0, self.legs[body].v1) = (v, v);
            self.counts[body] += 1;
        }
        let halted: Vec<usize> = cluster.halted.iter().copied().collect();
        if self.tired(&cluster) {
            self.jam(&halted, t);
        } else {
            self.restart(halted, t);
        }
    }

    /// The certificate of a cluster: its size, residual and energy; its bodies still have the velocities before the
    /// impact.
    fn note_cluster(&mut self, cluster: &Cluster, found: &Impact, node: &BTreeMap<usize, u32>, pushed: f64) {
        if let Some(touch) = cluster.touches.first() {
            self.note_residual(found.residual, touch.point.position);
        }
        let class = CLASSES.iter().filter(|most| cluster.touches.len() > **most).count();
        self.tally.clusters[class] += 1;
        self.tally.cluster_residual = self.tally.cluster_residual.max(found.residual);
        self.tally.active += found.impulses.chunks_exact(2).filter(|r| r[0] > 0.0).count() as u64;
        if self.settings.relaxation > 0.0 {
            let of = |body: usize| match node.get(&body) {
                Some(node) => std::array::from_fn(|i| found.velocities[*node as usize * 3 + i]),
                None => self.legs[body].velocity_at(cluster.t),
            };
            let least = 0.01 * self.settings.relaxation;
            let closes = |touch: &&Touch| self.relative(touch, cluster.t, &of).dot(touch.point.normal) < -least;
            let count = cluster.touches.iter().filter(closes).count() as u64;
            self.tally.relaxed += count;
        }
        let energy: f64 = cluster.bodies.iter().map(|&body| self.energy(body, &self.legs[body].v0)).sum();
        // overlap that goes back inside a jam is not part of the law of impact
        if energy > 0.0 && pushed == 0.0 {
            let growth = -(found.dissipated[0] + found.dissipated[1]) / energy;
            self.tally.growth = self.tally.growth.max(growth);
        }
    }

    /// Keeps the largest residual of the force step and its place.
    pub(super) fn note_residual(&mut self, residual: f64, place: DVec2) {
        if residual > self.tally.residual {
            (self.tally.residual, self.tally.worst) = (residual, place);
        }
    }

    /// Adds the bodies and contacts of a pair.
    fn join(&mut self, cluster: &mut Cluster, pair: usize) {
        let p = self.pairs[pair];
        for body in [p.candidate as usize, p.antagonist as usize] {
            if self.free[body] && cluster.bodies.insert(body) && !cluster.halted.contains(&body) {
                let stopped = self.halt(body, cluster.t);
                cluster.halted.extend(stopped);
            }
        }
        if cluster.pairs.insert(pair) {
            let within = self.cluster_distance(pair, cluster.t);
            cluster.touches.extend(self.points(pair, cluster.t, within));
        }
    }

    /// Solves the cluster, and again while it grows. Returns the impact and the nodes of its bodies.
    fn solve_cluster(&mut self, cluster: &mut Cluster) -> (Impact, BTreeMap<usize, u32>) {
        let options = ImpactOptions {
            tolerance: self.settings.tolerance,
            relaxation: self.settings.relaxation,
            most: self.settings.lemke,
            solver: self.settings.solver,
        };
        // contacts that join are the last ones: the impulses found so far are a start for the others
        let mut known: Vec<f64> = Vec::new();
        for growth in 0.. {
            let (problem, node, restitution) = self.problem_of(cluster);
            known.resize(2 * cluster.touches.len(), 0.0);
            let found = impact_from(&problem, &restitution, &known, &options, &mut self.solver);
            known.clone_from(&found.compression);
            let mut compressed = Vec::new();
            problem.velocity(&found.compression, &mut compressed);
            let more = self.closing_pairs(cluster, &node, [&compressed, &found.velocities]);
            if more.is_empty() || growth >= MOST_GROWTHS {
                self.tally.missed |= !more.is_empty();
                return (found, node);
            }
            for pair in more {
                self.join(cluster, pair);
            }
        }
        (Impact::default(), BTreeMap::new())
    }

    /// The problem of a cluster, the nodes of its bodies, and the restitution of its contacts.
    fn problem_of(&mut self, cluster: &Cluster) -> (Problem, BTreeMap<usize, u32>, Vec<f64>) {
        let mut problem = Problem::new(2, 3);
        let mut node = BTreeMap::new();
        for &body in &cluster.bodies {
            node.insert(body, self.push_node(&mut problem, body, self.legs[body].v0));
        }
        let tired = self.tired(cluster);
        let mut restitution = Vec::with_capacity(cluster.touches.len());
        for touch in &cluster.touches {
            let inside = self.slack(touch.pair, cluster.t) > 0.0;
            let bias = self.push_back(touch, cluster.t);
            self.push_contact(&mut problem, touch, cluster.t, &|body| node.get(&body).copied(), bias);
            let inelastic = tired || inside;
            restitution.push(if inelastic { 0.0 } else { self.law(touch.pair).1 });
        }
        (problem, node, restitution)
    }

    /// Bias of the normal velocity of a contact [m/s]: overlap inside a jam, or left over from one, goes back within half a
    /// force step, so that the contact does not close again at once.
    fn push_back(&self, touch: &Touch, t: f64) -> f64 {
        let inside = self.room_of(touch.pair, t) > 0.0;
        if inside { 2.0 * touch.point.gap.min(0.0) / self.settings.step } else { 0.0 }
    }

    /// Distance within which the contacts of a pair join a cluster [m]: inside a jam that of closed contacts.
    fn cluster_distance(&self, pair: usize, t: f64) -> f64 {
        let p = &self.pairs[pair];
        let [a, b] = [p.candidate as usize, p.antagonist as usize];
        let slack = self.slack(pair, t);
        if slack > 0.0 { slack } else { self.collision_distance(a, b) }
    }

    /// True if a body of the cluster has had too many impacts in this force step.
    fn tired(&self, cluster: &Cluster) -> bool {
        cluster.bodies.iter().any(|&body| self.is_tired(body))
    }

    /// True if a body has had too many impacts in this force step.
    pub(super) fn is_tired(&self, body: usize) -> bool {
        self.counts[body] >= self.settings.impacts
    }

    /// Contacts that an inelastic impact closed may be held from now on.
    fn mark_inelastic(&mut self, cluster: &Cluster, found: &Impact) {
        let tired = self.tired(cluster);
        self.tally.inelastic += u64::from(tired);
        for (touch, r) in cluster.touches.iter().zip(found.impulses.chunks_exact(2)) {
            let p = &self.pairs[touch.pair];
            let near = touch.point.gap <= self.band(p.candidate as usize, p.antagonist as usize);
            if r[0] > 0.0 && near && (tired || self.law(touch.pair).1 == 0.0) {
                self.pairs[touch.pair].held = true;
            }
        }
    }

    /// Adds a body to a problem.
    pub(super) fn push_node(&self, problem: &mut Problem, body: usize, v: [f64; 3]) -> u32 {
        let b = &self.model.bodies[body];
        let diagonal = |m: f64, i: f64| [m, 0.0, 0.0, 0.0, m, 0.0, 0.0, 0.0, i];
        problem.push_node(&diagonal(b.mass, b.inertia), &diagonal(1.0 / b.mass, 1.0 / b.inertia), &v)
    }

    /// Pairs outside the cluster with contacts that close with one of the given velocities (nodes × 3).
    fn closing_pairs(
        &self,
        cluster: &Cluster,
        node: &BTreeMap<usize, u32>,
        velocities: [&Vec<f64>; 2],
    ) -> BTreeSet<usize> {
        let mut closing = BTreeSet::new();
        for &body in &cluster.bodies {
            for &pair in &self.partners[body] {
                let pair = pair as usize;
                if cluster.pairs.contains(&pair) || closing.contains(&pair) {
                    continue;
                }
                let p = &self.pairs[pair];
                let [a, b] = [p.candidate as usize, p.antagonist as usize];
                let within = self.cluster_distance(pair, cluster.t);
                let apart = self.pose(a, cluster.t).position - self.pose(b, cluster.t).position - p.shift;
                if apart.length() > self.forms[a].reach + self.forms[b].reach + within {
                    continue;
                }
                let slow = self.calm(pair, cluster.t).max(1e-3 * self.settings.relaxation);
                let closes = |touch: &Touch| {
                    velocities.iter().any(|v| {
                        let of = |body: usize| match node.get(&body) {
                            Some(node) => std::array::from_fn(|i| v[*node as usize * 3 + i]),
                            None => self.legs[body].velocity_at(cluster.t),
                        };
                        self.relative(touch, cluster.t, &of).dot(touch.point.normal) < -slow - self.settings.relaxation
                    })
                };
                if self.points(pair, cluster.t, within).iter().any(closes) {
                    closing.insert(pair);
                }
            }
        }
        closing
    }

    /// Books the work of moving supports, and records the impulses.
    fn book_supports(&mut self, cluster: &Cluster, found: &Impact, node: &BTreeMap<usize, u32>) {
        for (k, touch) in cluster.touches.iter().enumerate() {
            let r = [found.impulses[2 * k], found.impulses[2 * k + 1]];
            if r == [0.0; 2] {
                continue;
            }
            let n = touch.point.normal;
            let frame = [n, DVec2::new(n.y, -n.x)];
            let antagonist = self.pairs[touch.pair].antagonist as usize;
            let force = frame[0] * r[0] + frame[1] * r[1];
            if !node.contains_key(&antagonist) {
                let v = self.legs[antagonist].velocity_at(cluster.t);
                let arm =
                    touch.point.position - self.pose(antagonist, cluster.t).position - self.pairs[touch.pair].shift;
                let velocity = crate::kinematics::plane_velocity(v, arm);
                self.state.ledger.supports += force.dot(velocity);
            }
            let of = |body: usize| match node.get(&body) {
                Some(node) => std::array::from_fn(|i| found.velocities[*node as usize * 3 + i]),
                None => self.legs[body].velocity_at(cluster.t),
            };
            let slip = self.relative(touch, cluster.t, &of).dot(frame[1]);
            self.record(touch, frame, r, slip);
        }
    }
}
