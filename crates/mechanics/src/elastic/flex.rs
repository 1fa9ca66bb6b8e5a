//! Elastic blocks before the contact problem of a step: free elastic velocity, contact coordinates, gaps.

use std::collections::BTreeMap;
use std::sync::Arc;

use voussoir_contact::Problem;
use voussoir_elastic::{ElasticError, PointWeights};
use voussoir_geometry::{Detection, Pose, Space, Vector};

use super::attached::{Holder, attached, bonded_contacts};
use super::body::{ElasticBody, ElasticOperator};
use super::condensed::{Condensed, ElasticCache};
use super::faces::{ContactInterface, coordinates, find_interfaces, question};
use crate::error::MechanicsError;
use crate::model::Model;
use crate::state::{ContactKey, State};
use crate::step::Tools;
use crate::step::law::Contact;
use crate::step::predict::Prediction;

/// An elastic side of a contact: its node among the elastic nodes of the step, and its contact coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ElasticSide {
    pub node: u32,
    pub coordinate: u32,
}

/// An elastic block with contacts.
#[derive(Clone, Debug)]
pub(crate) struct ElasticNode {
    /// Index in [`Flexed::bodies`].
    pub flexing: usize,
    pub body: usize,
    /// Index of its first velocity (nodes × dofs).
    pub first: usize,
    pub condensed: Arc<Condensed>,
    pub block: Arc<dyn ElasticBody>,
}

/// A free elastic block during a step.
#[derive(Clone, Debug)]
pub(crate) struct Flexing {
    pub body: usize,
    pub operator: Arc<dyn ElasticOperator>,
    /// p at the start of the step.
    pub before: Vec<f64>,
    /// p* at its end without contacts.
    pub free: Vec<f64>,
    /// q at the mid configuration.
    pub middle: Vec<f64>,
    /// Mean forces of loads and temperature over the step [N].
    pub loads: Vec<f64>,
    /// Change of the spin by the elastic motion (dofs of the body).
    pub spin_change: Vec<f64>,
}

/// All elastic blocks of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flexed {
    pub bodies: Vec<Flexing>,
    pub nodes: Vec<ElasticNode>,
    /// Coordinates of bonds and anchors.
    pub attached: BTreeMap<Holder, ElasticSide>,
}

impl Flexed {
    /// Elastic velocity of a side of a contact, world axes, for velocities (nodes × dofs).
    pub fn velocity<S: Space>(&self, poses: &[Pose<S>], side: ElasticSide, velocities: &[f64]) -> S::Vector {
        let node = &self.nodes[side.node as usize];
        let own = &velocities[node.first..][..node.condensed.size()];
        let z = node.condensed.value(side.coordinate as usize, S::DIM, own);
        poses[node.body].direction(S::Vector::from_slice(&z[..S::DIM]))
    }

    /// The coordinate of a side of a bond or of an anchor.
    pub fn side(&self, holder: Holder) -> Option<ElasticSide> {
        self.attached.get(&holder).copied()
    }

    /// Elastic displacement of a side, world axes, for the displacements of its block [m].
    pub fn displaced<S: Space>(&self, poses: &[Pose<S>], side: ElasticSide, values: &[f64]) -> S::Vector {
        let node = &self.nodes[side.node as usize];
        let weights = &node.condensed.weights[side.coordinate as usize];
        poses[node.body].direction(S::Vector::from_slice(&node.block.gather(std::slice::from_ref(weights), values)))
    }

    /// The same at the mid configuration [m].
    pub fn displaced_middle<S: Space>(&self, poses: &[Pose<S>], side: ElasticSide) -> S::Vector {
        let flexing = self.nodes[side.node as usize].flexing;
        self.displaced(poses, side, &self.bodies[flexing].middle)
    }

    /// The elastic node that a velocity (nodes × dofs) belongs to.
    pub fn node_of(&self, velocity: usize) -> Option<&ElasticNode> {
        let after = self.nodes.partition_point(|node| node.first <= velocity);
        self.nodes.get(after.checked_sub(1)?)
    }

    /// [`Self::block`] by cells of the node: as many rows as `frame`, one velocity of the cell per column.
    pub fn cells<S: Space>(
        &self,
        poses: &[Pose<S>],
        side: ElasticSide,
        frame: &[S::Vector],
        sign: f64,
    ) -> Vec<(u32, Vec<f64>)> {
        let (cell, first, block) = self.block(poses, side, frame, sign);
        let width = block.len() / frame.len();
        let range = first / S::DOFS..(first + width).div_ceil(S::DOFS);
        let mut cells: Vec<(u32, Vec<f64>)> =
            range.clone().map(|k| (cell + k as u32, vec![0.0; frame.len() * S::DOFS])).collect();
        for (row, values) in block.chunks_exact(width.max(1)).enumerate() {
            for (k, value) in values.iter().enumerate() {
                let at = first + k;
                cells[at / S::DOFS - range.start].1[row * S::DOFS + at % S::DOFS] = *value;
            }
        }
        cells
    }

    /// Adds the nodes to a problem, after those of the rigid parts.
    pub fn push_nodes(&self, problem: &mut Problem, free: &[f64]) {
        for node in &self.nodes {
            let own = &free[node.first..][..node.condensed.size()];
            problem.push_wide_node(Arc::clone(&node.condensed.mass) as _, own);
        }
    }

    /// Jacobian block of a side on its node, rows `frame` (world axes) times `sign`: cell, first velocity, block.
    pub fn block<S: Space>(
        &self,
        poses: &[Pose<S>],
        side: ElasticSide,
        frame: &[S::Vector],
        sign: f64,
    ) -> (u32, usize, Vec<f64>) {
        let node = &self.nodes[side.node as usize];
        let rotation = poses[node.body].rotation;
        let own: Vec<S::Vector> = frame.iter().map(|d| S::unrotate(rotation, *d) * sign).collect();
        let (cell, first) = ((node.first / S::DOFS) as u32, side.coordinate as usize * S::DIM);
        let Some(basis) = &node.condensed.basis else {
            return (cell, first, own.iter().flat_map(|d| (0..S::DIM).map(|c| d.get(c))).collect());
        };
        let size = node.condensed.size();
        let entry = |d: S::Vector, k: usize| (0..S::DIM).map(|c| d.get(c) * basis.rows[(first + c) * size + k]).sum();
        (cell, 0, own.iter().flat_map(|d| (0..size).map(|k| entry(*d, k))).collect())
    }
}

/// Extends a prediction by elastic blocks and gives contacts their elastic sides and gaps; `None` for rigid models.
pub(crate) fn flex<S: Space>(
    model: &Model<S>,
    tools: &mut Tools<S>,
    state: &State<S>,
    prediction: &Prediction<S>,
    detection: Detection,
    contacts: &mut Arc<Vec<Contact<S>>>,
) -> Result<Option<Prediction<S>>, MechanicsError> {
    if !model.is_elastic() {
        return Ok(None);
    }
    let contacts = Arc::make_mut(contacts);
    let Tools { masses, elastic: cache, bonds: places, anchors, .. } = tools;
    cache.begin_step();
    let interfaces = find_interfaces(model, &prediction.poses, detection, contacts);
    let mut extended = prediction.clone();
    let reach = prediction.over.h * prediction.over.theta;
    let mut flexed = Flexed::default();
    for (body, node) in masses.node.iter().enumerate() {
        let (Some(part), Some(node)) = (model.elastic_part(body), node) else { continue };
        let operator = cache.operator(&part.block, reach).map_err(|error| wrong(model, body, &error))?;
        let flexing = start(model, state, prediction, body, *node as usize, operator);
        let own = *node as usize * S::DOFS..(*node as usize + 1) * S::DOFS;
        extended.free[own].iter_mut().zip(&flexing.spin_change).for_each(|(v, change)| *v += change);
        flexed.bodies.push(flexing);
    }
    let mut attached = attached(places, anchors, model, state, &masses.there);
    let bonded = bonded_contacts(places, state);
    for index in 0..flexed.bodies.len() {
        let body = flexed.bodies[index].body;
        let own: Vec<&ContactInterface<S>> = interfaces.iter().filter(|interface| interface.touches(body)).collect();
        let held = attached.remove(&body).unwrap_or_default();
        let seats = Seats::new(body, &own, contacts, &bonded);
        let place = Place { index, body, seats, held };
        if let Some(node) = place.node(model, cache, &prediction.poses, reach, &own, extended.free.len())? {
            place.connect(&prediction.poses, &node, &mut flexed, contacts);
            let Flexing { before, free, .. } = &flexed.bodies[index];
            let end = node.first + node.condensed.size().div_ceil(S::DOFS) * S::DOFS;
            for (values, at) in [(before, &mut extended.before), (free, &mut extended.free)] {
                at.extend(node.condensed.velocities(&node.block.gather(&node.condensed.weights, values)));
                at.resize(end, 0.0);
            }
            flexed.nodes.push(node);
        }
    }
    for (index, bond) in places.iter().enumerate() {
        connect_bonded(index, bond.key, &prediction.poses, &flexed, &bonded, contacts);
    }
    extended.flexed = Some(Arc::new(flexed));
    Ok(Some(extended))
}

fn wrong<S: Space>(model: &Model<S>, body: usize, error: &ElasticError) -> MechanicsError {
    MechanicsError::Body { index: body, name: model.bodies[body].name.clone(), reason: error.to_string() }
}

/// Gives a contact that an intact bond shares the coordinates of the bond.
fn connect_bonded<S: Space>(
    index: usize,
    key: ContactKey,
    poses: &[Pose<S>],
    flexed: &Flexed,
    bonded: &BTreeMap<ContactKey, usize>,
    contacts: &mut [Contact<S>],
) {
    if bonded.get(&key) != Some(&index) {
        return;
    }
    let Ok(at) = contacts.binary_search_by_key(&key, |contact| contact.key) else { return };
    for side in 0..2 {
        if let Some(own) = flexed.side(Holder::Bond(index, side)) {
            let moved = flexed.displaced_middle(poses, own);
            contacts[at].sit(side, own, moved);
        }
    }
}

/// Contacts of a body that need coordinates of their own: those that no bond shares.
struct Seats {
    /// Contact and side, in the order of the coordinates of all interfaces.
    all: Vec<(usize, usize)>,
    /// Indices of those that are kept.
    kept: Vec<usize>,
}

impl Seats {
    fn new<S: Space>(
        body: usize,
        interfaces: &[&ContactInterface<S>],
        contacts: &[Contact<S>],
        bonded: &BTreeMap<ContactKey, usize>,
    ) -> Self {
        let sides =
            interfaces.iter().flat_map(|interface| interface.contacts.iter().map(|&k| (k, interface.side(body))));
        let all: Vec<(usize, usize)> = sides.collect();
        let kept = (0..all.len()).filter(|&k| !bonded.contains_key(&contacts[all[k].0].key)).collect();
        Self { all, kept }
    }
}

/// Coordinates of an elastic block in a step.
struct Place<'a> {
    /// Index in [`Flexed::bodies`].
    index: usize,
    body: usize,
    seats: Seats,
    held: Vec<(Holder, &'a PointWeights)>,
}

impl Place<'_> {
    /// The node; `None` without coordinates.
    fn node<S: Space>(
        &self,
        model: &Model<S>,
        cache: &mut ElasticCache,
        poses: &[Pose<S>],
        reach: f64,
        interfaces: &[&ContactInterface<S>],
        first: usize,
    ) -> Result<Option<ElasticNode>, MechanicsError> {
        let Seats { all, kept } = &self.seats;
        let Some(part) = model.elastic_part(self.body).filter(|_| !kept.is_empty() || !self.held.is_empty()) else {
            return Ok(None);
        };
        let interfaces = if kept.is_empty() { &[][..] } else { interfaces };
        let own = question(interfaces, self.body, &poses[self.body], part.block.extent());
        let mut key = own.clone();
        if kept.len() < all.len() {
            key.push(-1);
            key.extend(kept.iter().map(|&k| k as i64));
        }
        self.held.iter().for_each(|(holder, _)| key.extend(holder.numbers()));
        let weights = || {
            let mut found = coordinates(part.block.as_ref(), &own);
            if kept.len() < all.len() {
                found = kept.iter().filter_map(|&k| found.get_mut(k).map(std::mem::take)).collect();
            }
            found.extend(self.held.iter().map(|(_, weights)| (*weights).clone()));
            found
        };
        let condensed = cache
            .condensed(&part.block, reach, key, S::DIM, weights)
            .map_err(|error| wrong(model, self.body, &error))?;
        let block = Arc::clone(&part.block);
        Ok(Some(ElasticNode { flexing: self.index, body: self.body, first, condensed, block }))
    }

    /// Gives contacts, bonds and anchors their coordinates.
    fn connect<S: Space>(
        &self,
        poses: &[Pose<S>],
        node: &ElasticNode,
        flexed: &mut Flexed,
        contacts: &mut [Contact<S>],
    ) {
        let number = flexed.nodes.len() as u32;
        let shift = node.block.gather(&node.condensed.weights, &flexed.bodies[self.index].middle);
        let Seats { all, kept } = &self.seats;
        for (coordinate, &k) in kept.iter().enumerate() {
            let (contact, side) = all[k];
            let moved = poses[self.body].direction(S::Vector::from_slice(&shift[coordinate * S::DIM..]));
            contacts[contact].sit(side, ElasticSide { node: number, coordinate: coordinate as u32 }, moved);
        }
        for (k, (holder, _)) in self.held.iter().enumerate() {
            let coordinate = (kept.len() + k) as u32;
            flexed.attached.insert(*holder, ElasticSide { node: number, coordinate });
        }
    }
}

/// Loads, forces of rotation and free elastic velocity of one block.
fn start<S: Space>(
    model: &Model<S>,
    state: &State<S>,
    prediction: &Prediction<S>,
    body: usize,
    node: usize,
    operator: Arc<dyn ElasticOperator>,
) -> Flexing {
    let over = prediction.over;
    let memory = &state.elastic[body];
    let loads = forces(model, prediction, body);
    let spin = S::spin_to_3d(S::unpack(&prediction.before[node * S::DOFS..][..S::DOFS]).1);
    let mut all = loads.clone();
    let mut spin_change = vec![0.0; S::DOFS];
    if let Some(part) = model.elastic_part(body).filter(|_| spin != [0.0; 3]) {
        let (turning, rate) = part.block.turning(spin, &memory.velocity);
        all.iter_mut().zip(&turning).for_each(|(f, t)| *f += t);
        S::pack(S::zero(), S::spin_from_3d(rate) * over.h, &mut spin_change);
    }
    let free = operator.free(over.h, &memory.velocity, &memory.displacement, &all);
    let ahead = (1.0 - over.theta) * over.h;
    let middle = memory.displacement.iter().zip(&memory.velocity).map(|(q, p)| q + ahead * p).collect();
    Flexing { body, operator, before: memory.velocity.clone(), free, middle, loads, spin_change }
}

/// Mean forces of loads, trains and temperature over the step, in body axes [N]. A load at a point of the surface is spread over
/// its plane part; a load inside and a moment move the block as a rigid body and cause no strain.
fn forces<S: Space>(model: &Model<S>, prediction: &Prediction<S>, body: usize) -> Vec<f64> {
    let over = prediction.over;
    let Some(part) = model.elastic_part(body) else { return Vec::new() };
    let shares = [(over.end, over.theta), (over.start, 1.0 - over.theta)];
    let kelvin: f64 = shares.iter().map(|(time, share)| share * part.kelvin(*time)).sum();
    let mut forces = part.block.thermal_forces(kelvin);
    let rotation = prediction.poses[body].rotation;
    let mut add = |point: S::Vector, force: S::Vector| {
        let Some(weights) = part.block.spread(point.to_3d()) else { return };
        let own = S::unrotate(rotation, force);
        let own: Vec<f64> = (0..S::DIM).map(|c| own.get(c)).collect();
        forces.iter_mut().zip(part.block.scatter(&[weights], &own)).for_each(|(f, part)| *f += part);
    };
    for load in model.loads.iter().filter(|load| load.body == body) {
        let scale: f64 = shares.iter().map(|(time, share)| share * load.function.value(*time)).sum();
        add(load.point, load.force * scale);
    }
    let down = model.gravity / model.gravity.length().max(f64::MIN_POSITIVE);
    for train in &model.trains {
        for (time, share) in shares {
            train
                .forces(time, down)
                .into_iter()
                .filter(|on| on.body == body)
                .for_each(|on| add(on.point, on.force * share));
        }
    }
    forces
}

/// Adds the elastic displacement of the blocks of a state, `ahead` seconds later, to the gaps of contacts: at the nearest points of
/// the meshes.
pub(crate) fn add_gaps<S: Space>(
    model: &Model<S>,
    state: &State<S>,
    poses: &[Pose<S>],
    ahead: f64,
    contacts: &mut Arc<Vec<Contact<S>>>,
) {
    if !model.is_elastic() {
        return;
    }
    for contact in Arc::make_mut(contacts) {
        for (body, sign) in [(contact.key.candidate as usize, 1.0), (contact.key.antagonist as usize, -1.0)] {
            let Some(part) = model.elastic_part(body) else { continue };
            let pose = &poses[body];
            let place = S::unrotate(pose.rotation, contact.point.position - pose.position).to_3d();
            let weights = [part.block.nearest(place)];
            let memory = &state.elastic[body];
            let at = |values: &[f64]| S::Vector::from_slice(&part.block.gather(&weights, values));
            let moved = at(&memory.displacement) + at(&memory.velocity) * ahead;
            contact.point.gap += sign * contact.point.normal.dot(pose.direction(moved));
        }
    }
}
