//! Elastic blocks before the contact problem of a step: free elastic velocity, contact coordinates, gaps.

use std::sync::Arc;

use voussoir_contact::Problem;
use voussoir_elastic::PointWeights;
use voussoir_geometry::{Pose, Space, Vector};

use super::body::{ElasticBody, ElasticOperator};
use super::condensed::{Condensed, ElasticCache};
use crate::error::MechanicsError;
use crate::model::Model;
use crate::state::State;
use crate::step::law::Contact;
use crate::step::masses::Masses;
use crate::step::predict::Prediction;

/// Contact places are rounded to this share of the extent of a block: blocks at rest need no new condensation.
const PLACES: f64 = 1e-7;

/// Normals are rounded to this.
const NORMALS: f64 = 1e-7;

/// An interface lies on the face of the block that is at most so far away, relative to the extent of the block.
const NEAR: f64 = 0.02;

/// Contacts of one pair with normals that differ by less belong to one interface.
const SAME_NORMAL: f64 = 1e-12;

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
}

impl Flexed {
    /// Elastic velocity of a side of a contact, world axes, for velocities (nodes × dofs).
    pub fn velocity<S: Space>(&self, poses: &[Pose<S>], side: ElasticSide, velocities: &[f64]) -> S::Vector {
        let node = &self.nodes[side.node as usize];
        let own = &velocities[node.first..][..node.condensed.size()];
        let z = node.condensed.value(side.coordinate as usize, S::DIM, own);
        poses[node.body].direction(S::Vector::from_slice(&z[..S::DIM]))
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
    masses: &Masses,
    cache: &mut ElasticCache,
    state: &State<S>,
    prediction: &Prediction<S>,
    contacts: &mut [Contact<S>],
) -> Result<Option<Prediction<S>>, MechanicsError> {
    if !model.is_elastic() {
        return Ok(None);
    }
    cache.begin_step();
    let mut extended = prediction.clone();
    let reach = prediction.over.h * prediction.over.theta;
    let mut bodies = Vec::new();
    for (body, node) in masses.node.iter().enumerate() {
        let (Some(part), Some(node)) = (model.elastic_part(body), node) else { continue };
        let wrong = |error: voussoir_elastic::ElasticError| MechanicsError::Body {
            index: body,
            name: model.bodies[body].name.clone(),
            reason: error.to_string(),
        };
        let operator = cache.operator(&part.block, reach).map_err(wrong)?;
        let flexing = start(model, state, prediction, body, *node as usize, operator);
        let own = *node as usize * S::DOFS..(*node as usize + 1) * S::DOFS;
        extended.free[own].iter_mut().zip(&flexing.spin_change).for_each(|(v, change)| *v += change);
        bodies.push(flexing);
    }
    let mut flexed = Flexed { bodies, nodes: Vec::new() };
    let mut first = extended.free.len();
    for index in 0..flexed.bodies.len() {
        let Flexing { body, before, free, middle, .. } = &flexed.bodies[index];
        let Some(part) = model.elastic_part(*body) else { continue };
        let pose = &prediction.poses[*body];
        let interfaces = interfaces(contacts, pose, *body);
        if interfaces.is_empty() {
            continue;
        }
        let key = question(&interfaces, part.block.extent());
        let find = || coordinates(part.block.as_ref(), &key);
        let condensed = cache.condensed(&part.block, reach, key.clone(), S::DIM, find).map_err(|error| {
            MechanicsError::Body { index: *body, name: model.bodies[*body].name.clone(), reason: error.to_string() }
        })?;
        let shift = part.block.gather(&condensed.weights, middle);
        let node = flexed.nodes.len() as u32;
        for (coordinate, point) in interfaces.iter().flat_map(|interface| &interface.points).enumerate() {
            let contact = &mut contacts[point.contact];
            let moved = pose.direction(S::Vector::from_slice(&shift[coordinate * S::DIM..]));
            contact.elastic[point.side] = Some(ElasticSide { node, coordinate: coordinate as u32 });
            contact.point.gap += contact.point.normal.dot(moved) * if point.side == 0 { 1.0 } else { -1.0 };
        }
        let cells = condensed.size().div_ceil(S::DOFS);
        for (values, at) in [(before, &mut extended.before), (free, &mut extended.free)] {
            at.extend(condensed.velocities(&part.block.gather(&condensed.weights, values)));
            at.resize(first + cells * S::DOFS, 0.0);
        }
        flexed.nodes.push(ElasticNode { flexing: index, body: *body, first, condensed });
        first += cells * S::DOFS;
    }
    extended.flexed = Some(Arc::new(flexed));
    Ok(Some(extended))
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
        let force = S::unrotate(rotation, force);
        for (p, w) in weights {
            (0..S::DIM).for_each(|c| forces[p as usize * S::DIM + c] += w * force.get(c));
        }
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

/// A contact of an interface: its index, the side (0 candidate, 1 antagonist) that is on the block, and its place in body axes.
struct InterfacePoint {
    contact: usize,
    side: usize,
    place: [f64; 3],
}

/// Contacts of a block with one other body in one plane, in order around it.
struct ContactInterface {
    points: Vec<InterfacePoint>,
    /// Outward from the block, body axes.
    outward: [f64; 3],
}

/// All interfaces of a body, in order of the contacts.
fn interfaces<S: Space>(contacts: &[Contact<S>], pose: &Pose<S>, body: usize) -> Vec<ContactInterface> {
    let mut all = Vec::new();
    let pair = |contact: &Contact<S>| (contact.key.candidate, contact.key.antagonist);
    let mut start = 0;
    while start < contacts.len() {
        let (a, b) = pair(&contacts[start]);
        let count = contacts[start..].partition_point(|contact| pair(contact) == (a, b));
        let side = if a as usize == body { 0 } else { 1 };
        if a as usize == body || b as usize == body {
            let mut left: Vec<usize> = (start..start + count).collect();
            while let Some(&leader) = left.first() {
                let normal = contacts[leader].point.normal;
                let same = |k: &usize| contacts[*k].point.normal.dot(normal) > 1.0 - SAME_NORMAL;
                let (own, rest): (Vec<usize>, Vec<usize>) = left.iter().partition(|k| same(k));
                left = rest;
                let outward = if side == 0 { -normal } else { normal };
                let outward = S::unrotate(pose.rotation, outward).to_3d();
                let place = |k: usize| S::unrotate(pose.rotation, contacts[k].point.position - pose.position).to_3d();
                let points = own.into_iter().map(|k| InterfacePoint { contact: k, side, place: place(k) }).collect();
                all.push(ContactInterface { points: in_order(points, outward), outward });
            }
        }
        start += count;
    }
    all
}

/// Points in order around their centre, seen against the normal.
fn in_order(mut points: Vec<InterfacePoint>, normal: [f64; 3]) -> Vec<InterfacePoint> {
    if points.len() < 3 {
        return points;
    }
    let count = points.len() as f64;
    let centre: [f64; 3] = std::array::from_fn(|c| points.iter().map(|p| p.place[c]).sum::<f64>() / count);
    let cross = |a: [f64; 3], b: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
    };
    let least = (0..3).min_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs())).unwrap_or(0);
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    let first = cross(normal, axis);
    let second = cross(normal, first);
    let angle = |p: &InterfacePoint| {
        let way: [f64; 3] = std::array::from_fn(|c| p.place[c] - centre[c]);
        let along = |d: [f64; 3]| way.iter().zip(d).map(|(a, b)| a * b).sum::<f64>();
        along(second).atan2(along(first))
    };
    points.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    points
}

/// Interfaces as rounded numbers: the count of points and the outward normal of each, then its places; first the size of a unit
/// of the places.
fn question(interfaces: &[ContactInterface], extent: f64) -> Vec<i64> {
    let unit = PLACES * extent;
    let mut key = vec![unit.to_bits() as i64];
    for interface in interfaces {
        key.push(interface.points.len() as i64);
        key.extend(interface.outward.map(|x| (x / NORMALS).round() as i64));
        key.extend(interface.points.iter().flat_map(|p| p.place.map(|x| (x / unit).round() as i64)));
    }
    key
}

/// Weights of the contact coordinates of a question: at the corners of plane interfaces, else at the nearest points.
fn coordinates(block: &dyn ElasticBody, key: &[i64]) -> Vec<PointWeights> {
    let unit = f64::from_bits(key[0] as u64);
    let near = NEAR * unit / PLACES;
    let (mut weights, mut rest) = (Vec::new(), &key[1..]);
    while !rest.is_empty() {
        let (head, tail) = rest.split_at(4);
        let (numbers, tail) = tail.split_at(head[0] as usize * 3);
        rest = tail;
        let outward: [f64; 3] = std::array::from_fn(|c| head[1 + c] as f64 * NORMALS);
        let places: Vec<[f64; 3]> = numbers.as_chunks::<3>().0.iter().map(|x| x.map(|x| x as f64 * unit)).collect();
        let found = if places.len() > 1 { block.corners(&places, outward, near) } else { None };
        weights.extend(found.unwrap_or_else(|| places.iter().map(|place| block.nearest(*place)).collect()));
    }
    weights
}

/// Adds the elastic displacement of the blocks of a state, `ahead` seconds later, to the gaps of contacts: at the nearest points of
/// the meshes.
pub(crate) fn add_gaps<S: Space>(
    model: &Model<S>,
    state: &State<S>,
    poses: &[Pose<S>],
    ahead: f64,
    contacts: &mut [Contact<S>],
) {
    if !model.is_elastic() {
        return;
    }
    for contact in contacts {
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
