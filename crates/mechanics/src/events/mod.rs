//! The event-driven analysis: bodies in the plane move freely from impact to impact.
//!
//! A force step of length `step` begins with the drift of every free body under wind, water, loads and gravity
//! ([`crate::sea`]); between two events a body moves on a [`leg`] with linear velocity. Every near pair of bodies has a time
//! up to which the two certainly stay apart ([`separation`]); the pair with the earliest time is checked again, until
//! it touches or the step ends (a queue: an event costs its cluster and O(log n)). Bodies that touch and approach are a
//! cluster with one complementarity problem ([`cluster`], [`voussoir_contact::impact`]). Contacts that neither open nor
//! close are held: their bodies are one group, whose contact forces are found together with its drift ([`held`]).
//!
//! A body that has more than [`EventSettings::impacts`] impacts in one force step is moved by dynamic steps with
//! persistent contacts ([`jam`]), until no contact acts on it any more. So accumulation points of impacts end in
//! rest on a contact, after a bounded number of events, and jammed packs cost one contact problem per force step.
//!
//! The state between two force steps is that of the dynamic analysis: a resumed run is bit-identical. References: Rabatel,
//! Labbé & Weiss, JGR 120 (2015); Mirtich (1996).

mod analysis;
mod cluster;
mod form;
mod held;
mod jam;
mod leg;
mod near;
mod press;
mod separation;
mod touch;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use voussoir_contact::{Solver, SolverKind};
use voussoir_geometry::glam::DVec2;
use voussoir_geometry::{AreaRule, BroadPhase, D2, Solid};

use crate::contacts::ContactRecord;
use crate::error::MechanicsError;
use crate::model::{JointTable, Model, Restitution, Role};
use crate::sea::{Floe, Sea};
use crate::state::{ContactKey, Presence, State};

pub use analysis::{EVENT_COLUMNS, begin};
use form::{DOFS, Form};
use held::Group;
use leg::{ALONE, Leg};

/// Settings of the event-driven analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct EventSettings {
    /// Force step [s]: wind, water and loads act with their values at its middle.
    pub step: f64,
    /// Distance within which contacts belong to the cluster of an impact [m]; `None`: √area/100 of the smaller body.
    pub collision_distance: Option<f64>,
    /// Impacts of a body in one force step after which impacts are inelastic.
    pub impacts: u32,
    /// Tolerance on the unit-free error of every complementarity problem.
    pub tolerance: f64,
    /// Approach allowed after an impact, for jammed packs [m/s].
    pub relaxation: f64,
    /// Contacts of the largest problem that goes to Lemke's method.
    pub lemke: usize,
    /// Solver of larger problems.
    pub solver: SolverKind,
}

impl Default for EventSettings {
    fn default() -> Self {
        Self {
            step: 60.0,
            collision_distance: None,
            impacts: 16,
            tolerance: 1e-8,
            relaxation: 0.0,
            lemke: 8,
            solver: SolverKind::Auto,
        }
    }
}

impl EventSettings {
    /// Properties of the joints that the event-driven analysis does not support.
    pub fn unsupported(joints: &JointTable) -> Option<&'static str> {
        if joints.any(|joint| joint.bond.is_some() || joint.elastic.is_some() || joint.strength.is_some()) {
            return Some("bonds, springs and strength of joints");
        }
        if joints.any(|joint| joint.thickness > 0.0 || joint.dynamic_friction.is_some()) {
            return Some("thickness and dynamic friction of joints");
        }
        let newton = joints.any(|joint| matches!(joint.restitution, Restitution::Newton(e) if e > 0.0));
        newton.then_some("Newton's restitution, only Poisson's")
    }

    /// Checks that all settings are in range.
    pub fn check(&self) -> Result<(), MechanicsError> {
        let require = |good: bool, setting, value, expected| {
            if good { Ok(()) } else { Err(MechanicsError::Setting { setting, value, expected }) }
        };
        require(self.step > 0.0 && self.step.is_finite(), "step", self.step, "a positive number of seconds")?;
        let distance = self.collision_distance.unwrap_or(0.0);
        let good = distance >= 0.0 && distance.is_finite();
        require(good, "collision distance", distance, "a distance in metres, zero or more")?;
        let good = self.tolerance > 0.0 && self.tolerance.is_finite();
        require(good, "tolerance", self.tolerance, "a positive number")?;
        let good = self.relaxation >= 0.0 && self.relaxation.is_finite();
        require(good, "relaxation", self.relaxation, "a speed in m/s, zero or more")
    }
}

/// Two bodies that may meet in this force step.
#[derive(Clone, Copy, Debug)]
struct Pair {
    candidate: u32,
    antagonist: u32,
    /// Moves the antagonist to its periodic image [m].
    shift: DVec2,
    /// Entries of the queue with another version are stale.
    version: u32,
    /// The contact was held in the previous leg.
    held: bool,
    /// The contact was tried to be held in this leg, and opened.
    released: bool,
    /// Looks one after the other that brought the pair no farther in time.
    stuck: u32,
    /// Overlap at the start of the force step, with some room [m].
    left: f64,
    /// Impacts at the same time, one after the other.
    repeats: (f64, u32),
}

/// Event in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    /// The leg of a body ends before the force step.
    Leg(u32),
    /// A pair must be checked.
    Look(u32),
}

/// An entry of the queue: the earliest first; entries at the same time in a fixed order.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    time: f64,
    due: Due,
    version: u32,
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.time.total_cmp(&self.time).then(other.due.cmp(&self.due)).then(other.version.cmp(&self.version))
    }
}

/// Counts and sums of a force step.
#[derive(Clone, Debug, Default)]
struct Tally {
    looks: u64,
    impacts: u64,
    largest: u64,
    attempts: u64,
    guards: u64,
    inelastic: u64,
    held: u64,
    jams: u64,
    /// Clusters of up to 2, 8 and 32 contacts, and larger ones.
    clusters: [u64; 4],
    /// Contacts of clusters that had an impulse, and those that still close, as the relaxation allows.
    active: u64,
    relaxed: u64,
    residual: f64,
    /// Place of the largest residual [m].
    worst: DVec2,
    /// Largest residual of a cluster, and largest growth of the energy of a cluster, relative to its energy.
    cluster_residual: f64,
    growth: f64,
    missed: bool,
    penetration: f64,
    last: f64,
    /// Impulse of the water on floes [N·s].
    water: DVec2,
}

/// The event-driven analysis of a model.
#[derive(Debug)]
pub(crate) struct EventDriven {
    model: Arc<Model<D2>>,
    settings: EventSettings,
    state: State<D2>,
    sea: Arc<Sea>,
    forms: Vec<Form>,
    rules: Vec<AreaRule>,
    free: Vec<bool>,
    legs: Vec<Leg>,
    /// Boxes in which the bodies stay in this force step, unless they are renewed.
    boxes: Vec<voussoir_geometry::Aabb<D2>>,
    pairs: Vec<Pair>,
    /// Pairs of each body.
    partners: Vec<Vec<u32>>,
    queue: BinaryHeap<Entry>,
    groups: Vec<Group>,
    /// Impacts of each body in this force step.
    counts: Vec<u32>,
    /// Bodies that were moved by dynamic steps in this force step.
    jammed: Vec<bool>,
    /// Versions of the legs.
    versions: Vec<u32>,
    tally: Tally,
    /// Impulses of contacts in this force step.
    records: BTreeMap<ContactKey, ContactRecord<D2>>,
    contacts: Vec<ContactRecord<D2>>,
    broad: BroadPhase<D2>,
    solver: Solver,
    /// End of the force step [s].
    end: f64,
    /// Fastest motion at the start of the force step [m/s].
    fastest: f64,
    /// Largest radius of gyration of the free bodies [m].
    gyration: f64,
}

impl EventDriven {
    fn new(model: Arc<Model<D2>>, settings: EventSettings, state: State<D2>) -> Result<Self, MechanicsError> {
        model.check()?;
        settings.check()?;
        state.check(&model)?;
        let part = |what: &str| {
            let reason = format!("the event-driven analysis does not support {what}; use the dynamic analysis");
            Err(MechanicsError::Part { what: what.to_owned(), reason })
        };
        if !model.cables.is_empty() {
            return part("cables");
        }
        if !model.trains.is_empty() {
            return part("trains");
        }
        if let Some(what) = EventSettings::unsupported(&model.joints) {
            return part(what);
        }
        let sea = model.sea.clone().unwrap_or_else(|| Arc::new(Sea::empty(model.materials.len())));
        let forms = model.bodies.iter().map(|body| Form::new(&body.shape)).collect();
        let rules = model.bodies.iter().map(|body| body.shape.area_rule()).collect();
        let n = model.bodies.len();
        Ok(Self {
            sea,
            forms,
            rules,
            free: vec![false; n],
            legs: Vec::new(),
            boxes: Vec::new(),
            pairs: Vec::new(),
            partners: vec![Vec::new(); n],
            queue: BinaryHeap::new(),
            groups: Vec::new(),
            counts: vec![0; n],
            jammed: vec![false; n],
            versions: vec![0; n],
            tally: Tally::default(),
            records: BTreeMap::new(),
            contacts: Vec::new(),
            broad: BroadPhase::new(),
            solver: Solver::new(),
            end: state.time,
            fastest: 0.0,
            gyration: 0.0,
            model,
            settings,
            state,
        })
    }

    /// Constants of a body for its drift.
    fn floe(&self, body: usize) -> Floe<'_> {
        let b = &self.model.bodies[body];
        Floe { mass: b.mass, inertia: b.inertia, rule: &self.rules[body], stress: self.sea.stress[b.material] }
    }

    /// Force and torque of gravity and loads on a body at a time.
    fn loads(&self, body: usize, pose: &voussoir_geometry::Pose<D2>, t: f64) -> [f64; 3] {
        let weight = self.model.gravity * self.model.bodies[body].mass;
        let mut sum = [weight.x, weight.y, 0.0];
        for load in self.model.loads.iter().filter(|load| load.body == body) {
            let factor = load.function.value(t);
            let force = load.force * factor;
            sum[0] += force.x;
            sum[1] += force.y;
            sum[2] += load.moment * factor + pose.direction(load.point).perp_dot(force);
        }
        sum
    }

    /// Velocity of a body in the state.
    fn velocity(&self, body: usize) -> [f64; 3] {
        let v = &self.state.velocities[body * DOFS..][..DOFS];
        [v[0], v[1], v[2]]
    }

    /// Distance within which a pair touches [m].
    fn touch(&self, a: usize, b: usize) -> f64 {
        let far = self.legs[a].pose.position.abs().max(self.legs[b].pose.position.abs()).max_element();
        1e-12 * self.size(a, b) + 2e-15 * if far.is_finite() { far } else { 0.0 }
    }

    /// √area of the smaller body [m].
    fn size(&self, a: usize, b: usize) -> f64 {
        let sizes = [self.forms[a].size, self.forms[b].size];
        sizes.into_iter().filter(|size| *size > 0.0).fold(f64::INFINITY, f64::min).min(1e9)
    }

    /// Distance up to which contacts belong to a cluster [m].
    fn collision_distance(&self, a: usize, b: usize) -> f64 {
        self.settings.collision_distance.unwrap_or_else(|| 0.01 * self.size(a, b)).max(4.0 * self.touch(a, b))
    }

    /// Distance within which a held contact stays closed [m].
    fn band(&self, a: usize, b: usize) -> f64 {
        2e-7 * self.size(a, b)
    }

    /// Starts a force step: legs of all bodies, pairs, held groups.
    fn begin_step(&mut self) {
        let (start, h) = (self.state.time, self.settings.step);
        self.end = start + h;
        self.tally = Tally::default();
        self.queue.clear();
        self.groups.clear();
        self.records.clear();
        self.counts.fill(0);
        self.jammed.fill(false);
        self.wrap();
        let n = self.model.bodies.len();
        self.free = (0..n).map(|i| self.state.is_free(&self.model, i)).collect();
        self.start_layer();
        self.legs = (0..n).map(|i| self.support_leg(i, start)).collect();
        self.drift_all(start);
        self.note_fastest();
        self.find_pairs();
        let mut touched = Vec::new();
        for pair in 0..self.pairs.len() {
            if self.first_look(pair) {
                touched.extend([self.pairs[pair].candidate as usize, self.pairs[pair].antagonist as usize]);
            }
        }
        let seeds: Vec<usize> =
            self.state.jammed.iter().map(|&body| body as usize).filter(|&body| self.free[body]).collect();
        if !seeds.is_empty() {
            seeds.iter().for_each(|&body| self.stop_at_start(body));
            self.jam(&seeds, start);
        }
        touched.sort_unstable();
        touched.dedup();
        // bodies of a jam already have their legs
        touched.retain(|&body| self.free[body] && !self.jammed[body] && self.legs[body].group == ALONE);
        if !touched.is_empty() {
            touched.iter().for_each(|&body| self.stop_at_start(body));
            self.restart(touched, start);
        }
    }

    /// Ends the leg of a body at the start of the force step.
    fn stop_at_start(&mut self, body: usize) {
        let (pose, v, start) = (self.state.poses[body], self.velocity(body), self.state.time);
        self.legs[body] = Leg::steady(pose, v, start, start);
        self.versions[body] = self.versions[body].wrapping_add(1);
    }

    /// Steady motion of a support over the force step, or of a body that is absent.
    fn support_leg(&self, body: usize, start: f64) -> Leg {
        let pose = self.state.poses[body];
        let still = Leg::steady(pose, [0.0; 3], start, self.end);
        match self.model.bodies[body].role {
            Role::Support(Some(motion)) if self.state.presence[body] == Presence::There => {
                let motion = &self.model.motions[motion];
                let initial = &self.model.bodies[body].pose;
                let (from, to) = (motion.pose(initial, start), motion.pose(initial, self.end));
                let rate = (to.position - from.position) / self.settings.step;
                let spin = (to.rotation - from.rotation) / self.settings.step;
                Leg::steady(from, [rate.x, rate.y, spin], start, self.end)
            }
            _ => still,
        }
    }

    /// Ends the force step: all bodies at its end.
    fn end_step(&mut self) -> Result<(), MechanicsError> {
        let end = self.end;
        for body in 0..self.model.bodies.len() {
            if self.free[body] && self.legs[body].start < end {
                self.halt(body, end);
            }
        }
        self.keep_contacts();
        for (body, leg) in self.legs.iter().enumerate() {
            let support = !self.free[body];
            let pose = if support { leg.pose_at(end) } else { leg.pose };
            let v = if support { leg.v1 } else { leg.v0 };
            if !(pose.position.is_finite() && pose.rotation.is_finite() && v.iter().all(|x| x.is_finite())) {
                let name = self.model.bodies[body].name.clone();
                return Err(MechanicsError::NotFinite { index: body, name, time: end });
            }
            self.state.poses[body] = pose;
            self.state.velocities[body * DOFS..][..DOFS].copy_from_slice(&v);
        }
        self.end_layer();
        self.state.time = end;
        self.state.jammed = (0..self.jammed.len() as u32).filter(|&body| self.jammed[body as usize]).collect();
        self.remove_lost();
        Ok(())
    }

    /// Runs the queue to the end of the force step.
    fn run_queue(&mut self) {
        // far more than any run needs: a step that reaches this number is reported as not converged
        let most = 100_000 + 2_000 * self.model.bodies.len() as u64;
        while let Some(entry) = self.queue.pop() {
            if entry.time >= self.end {
                break;
            }
            match entry.due {
                Due::Leg(body) => {
                    let body = body as usize;
                    if entry.version == self.versions[body] {
                        let members = self.halt(body, entry.time);
                        if self.jammed[body] {
                            self.jam(&members, entry.time);
                        } else {
                            self.restart(members, entry.time);
                        }
                    }
                }
                Due::Look(pair) => {
                    if entry.version == self.pairs[pair as usize].version {
                        self.look_again(pair as usize, entry.time);
                    }
                }
            }
            if self.tally.looks > most {
                self.tally.missed = true;
                break;
            }
        }
    }

    /// Ends the legs of a body and its group at the time `t`: sets poses and velocities and adds energies to the ledger.
    /// Returns these bodies.
    fn halt(&mut self, body: usize, t: f64) -> Vec<usize> {
        let group = self.legs[body].group;
        if group == ALONE {
            self.halt_one(body, t);
            return vec![body];
        }
        let members = self.groups[group].members.clone();
        let means: Vec<[f64; 3]> = members.iter().map(|&member| self.halt_one(member, t)).collect();
        self.book_group(group, &means, t);
        members
    }

    /// Stops one body; returns the mean velocity with which forces did work on it.
    fn halt_one(&mut self, body: usize, t: f64) -> [f64; 3] {
        let leg = self.legs[body];
        let h = t - leg.start;
        let pose = leg.pose_at(t);
        // the velocities already include the forces of a dynamic step
        let (velocity, mean) = if h > 0.0 && leg.kick < t {
            let place = (leg.pose.position, leg.pose.rotation);
            let drift = match leg.drift {
                Some(drift) if t == leg.end => drift,
                _ => self.sea.drift(&self.floe(body), place, leg.v0, leg.force, (leg.start, h)),
            };
            let weight = self.model.gravity * self.model.bodies[body].mass;
            let gravity = h * weight.dot(DVec2::new(drift.mean[0], drift.mean[1]));
            let loads = h * (0..3).map(|i| leg.load[i] * drift.mean[i]).sum::<f64>() - gravity;
            let ledger = &mut self.state.ledger;
            ledger.gravity += gravity;
            ledger.wind += drift.work[0];
            ledger.water += drift.work[1];
            ledger.loads += drift.work[0] + drift.work[1] + loads;
            self.tally.water += DVec2::new(drift.impulse[1][0], drift.impulse[1][1]);
            (drift.velocity, drift.mean)
        } else {
            (leg.velocity_at(t), leg.v0)
        };
        let steady = Leg::steady(pose, velocity, t, t);
        self.legs[body] = Leg { force: leg.force, load: leg.load, kick: leg.kick, pull: leg.pull, ..steady };
        self.versions[body] = self.versions[body].wrapping_add(1);
        mean
    }
}
