//! Elastic blocks before the contact problem of a step: free elastic velocity, contact coordinates, gaps.

use std::sync::Arc;

use voussoir_contact::Problem;
use voussoir_geometry::{Detection, Pose, Space, Vector};

use super::body::ElasticOperator;
use super::condensed::{Condensed, ElasticCache};
use super::faces::{ContactInterface, coordinates, find_interfaces, question};
use crate::error::MechanicsError;
use crate::model::Model;
use crate::state::State;
use crate::step::law::Contact;
use crate::step::masses::Masses;
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
    detection: Detection,
    contacts: &mut Arc<Vec<Contact<S>>>,
) -> Result<Option<Prediction<S>>, MechanicsError> {
    if !model.is_elastic() {
        return Ok(None);
    }
    let contacts = Arc::make_mut(contacts);
    cache.begin_step();
    let interfaces = find_interfaces(model, &prediction.poses, detection, contacts);
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
        let own: Vec<&ContactInterface<S>> = interfaces.iter().filter(|interface| interface.touches(*body)).collect();
        if own.is_empty() {
            continue;
        }
        let key = question(&own, *body, pose, part.block.extent());
        let find = || coordinates(part.block.as_ref(), &key);
        let condensed = cache.condensed(&part.block, reach, key.clone(), S::DIM, find).map_err(|error| {
            MechanicsError::Body { index: *body, name: model.bodies[*body].name.clone(), reason: error.to_string() }
        })?;
        let shift = part.block.gather(&condensed.weights, middle);
        let node = flexed.nodes.len() as u32;
        let sides = own.iter().flat_map(|interface| interface.contacts.iter().map(|&k| (k, interface.side(*body))));
        for (coordinate, (k, side)) in sides.enumerate() {
            let contact = &mut contacts[k];
            let moved = pose.direction(S::Vector::from_slice(&shift[coordinate * S::DIM..]));
            contact.elastic[side] = Some(ElasticSide { node, coordinate: coordinate as u32 });
            contact.point.gap += contact.point.normal.dot(moved) * if side == 0 { 1.0 } else { -1.0 };
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
