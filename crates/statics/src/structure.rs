//! A structure at rest: its free bodies, and their contacts with each other and with the supports.

use std::sync::Arc;

use voussoir_contact::Problem;
use voussoir_geometry::{Detection, Pose, Solid, Space, Vector};
use voussoir_mechanics::ContactRecord;
use voussoir_mechanics::inspect::contacts_within;
use voussoir_mechanics::kinematics::point_velocity;
use voussoir_mechanics::model::{Model, Role};

use crate::cable::{Fitted, from_start};
use crate::equilibrium::Capacity;
use crate::error::StaticsError;
use crate::patch::Patch;

/// Gaps up to this fraction of the size of the smaller body are closed.
pub const CLOSED: f64 = voussoir_mechanics::inspect::TOLERANCE;

/// Patches of less than this fraction of the size of the smaller body (squared in 3D) may be corners that pass each
/// other.
const LITTLE: f64 = 0.02;

/// Shift for this test, relative to the size of the smaller body.
const SHIFT: f64 = 5e-3;

/// A structure with less friction and smaller joints, for margins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weaker {
    /// Factor on all friction coefficients.
    pub friction: f64,
    /// Contact points are shifted towards the centre of their patch by this fraction.
    pub shrink: f64,
}

impl Default for Weaker {
    fn default() -> Self {
        Self { friction: 1.0, shrink: 0.0 }
    }
}

/// Bodies in a given configuration, with their closed contacts.
#[derive(Clone, Debug)]
pub struct Structure<S: Space> {
    /// Bodies, materials, joints, loads.
    pub model: Arc<Model<S>>,
    /// Pose of each body.
    pub poses: Vec<Pose<S>>,
    /// Contacts, sorted by key. Their `force` is the result of the last analysis.
    pub contacts: Vec<ContactRecord<S>>,
    /// Axes n, t1[, t2] of each contact (contacts × dim).
    pub frames: Vec<S::Vector>,
    /// Plane patches of interfaces.
    pub patches: Vec<Patch<S>>,
    /// Node of each body; `None` for supports.
    pub node: Vec<Option<u32>>,
    /// Body of each node.
    pub body: Vec<usize>,
    /// Diameter of the body of each node [m]: the length scale of its rotation.
    pub size: Vec<f64>,
    /// Fitted cables.
    pub cables: Vec<Fitted<S>>,
}

impl<S: Space> Structure<S> {
    /// The model as built; gaps up to `closed` times the size of the smaller body are closed.
    pub fn new(model: impl Into<Arc<Model<S>>>, closed: f64) -> Result<Self, StaticsError> {
        let model = model.into();
        let poses = model.bodies.iter().map(|body| body.pose).collect();
        Self::at(model, poses, closed)
    }

    /// The model as built, for limit analysis, which includes the cohesion of joints.
    pub fn for_limits(model: impl Into<Arc<Model<S>>>, closed: f64) -> Result<Self, StaticsError> {
        let model = model.into();
        let poses = model.bodies.iter().map(|body| body.pose).collect();
        Self::placed(model, poses, closed)
    }

    /// The same bodies in another configuration.
    pub fn at(model: Arc<Model<S>>, poses: Vec<Pose<S>>, closed: f64) -> Result<Self, StaticsError> {
        if model.joints.any(|joint| joint.cohesion > 0.0) {
            return Err(StaticsError::Cohesion);
        }
        Self::placed(model, poses, closed)
    }

    fn placed(model: Arc<Model<S>>, poses: Vec<Pose<S>>, closed: f64) -> Result<Self, StaticsError> {
        model.check()?;
        let contacts = contacts_within(&model, &poses, closed);
        Self::with_contacts(model, poses, contacts)?.without_passing_corners()
    }

    /// Resistance of a contact to sliding besides friction [N]: the cohesion of `capacity` and that of its joint, which
    /// is per length of the 2D model, times its area.
    pub(crate) fn cohesion(&self, contact: usize, capacity: &Capacity, depth: f64) -> f64 {
        let record = &self.contacts[contact];
        let material = |body: u32| self.model.bodies[body as usize].material;
        let joint = self.model.joints.between(material(record.key.candidate), material(record.key.antagonist));
        (capacity.cohesion * depth + joint.cohesion) * record.area
    }

    /// Removes contacts between corners or edges that pass each other, as those of diagonal neighbours in a regular
    /// bond: their area is nearly zero, and a small lateral shift separates them. Such contacts support nothing, and
    /// friction there would connect bodies that only touch.
    fn without_passing_corners(self) -> Result<Self, StaticsError> {
        let passing: Vec<bool> = self.patches.iter().map(|patch| self.passes(patch)).collect();
        if !passing.contains(&true) {
            return Ok(self);
        }
        let mut kept = vec![true; self.contacts.len()];
        for (patch, _) in self.patches.iter().zip(&passing).filter(|(_, passes)| **passes) {
            patch.contacts.iter().for_each(|&i| kept[i] = false);
        }
        let contacts = self.contacts.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(contact, _)| *contact);
        Self::with_contacts(self.model.clone(), self.poses.clone(), contacts.collect())
    }

    /// True if a patch of nearly zero area vanishes for a small shift of its first body along one of its tangents.
    fn passes(&self, patch: &Patch<S>) -> bool {
        let [a, b] = patch.bodies;
        let (one, other) = (&self.model.bodies[a], &self.model.bodies[b]);
        let size = one.shape.size().min(other.shape.size());
        if !size.is_finite() || patch.area > LITTLE * size.powi(S::DIM as i32 - 1) {
            return false;
        }
        let step = SHIFT * size;
        let mut points = Vec::new();
        patch.tangents.iter().flat_map(|tangent| [*tangent * step, *tangent * -step]).any(|shift| {
            let pose = Pose { position: self.poses[a].position + shift, ..self.poses[a] };
            points.clear();
            one.shape.collide_by(&pose, &other.shape, &self.poses[b], step, Detection::default(), &mut points);
            let near = self.contacts[patch.contacts[0]].gap.max(0.0) + 0.02 * step;
            !points.iter().any(|point| point.gap <= near && point.normal.dot(patch.normal) > 1.0 - 1e-3)
        })
    }

    /// With given contacts, sorted by key.
    pub(crate) fn with_contacts(
        model: Arc<Model<S>>,
        poses: Vec<Pose<S>>,
        contacts: Vec<ContactRecord<S>>,
    ) -> Result<Self, StaticsError> {
        let body: Vec<usize> = (0..model.bodies.len()).filter(|&i| model.bodies[i].role == Role::Free).collect();
        if body.is_empty() {
            return Err(StaticsError::NothingFree);
        }
        let mut node = vec![None; model.bodies.len()];
        body.iter().enumerate().for_each(|(k, &i)| node[i] = Some(k as u32));
        let size = body.iter().map(|&i| model.bodies[i].shape.size()).collect();
        let mut frames = Vec::with_capacity(contacts.len() * S::DIM);
        contacts.iter().for_each(|contact| S::frame(contact.normal, &mut frames));
        let patches = Patch::all(&contacts, &frames);
        let cables = from_start(&model, &poses);
        Ok(Self { model, poses, contacts, frames, patches, node, body, size, cables })
    }

    /// Number of free bodies.
    pub fn nodes(&self) -> usize {
        self.body.len()
    }

    /// Axes of a contact.
    pub fn frame(&self, contact: usize) -> &[S::Vector] {
        &self.frames[contact * S::DIM..][..S::DIM]
    }

    /// Name of a body.
    pub fn name(&self, body: usize) -> &str {
        &self.model.bodies[body].name
    }

    /// Jacobian rows for each node of a contact that acts at `at` (dim × dofs), in physical units.
    fn jacobian_at(&self, contact: usize, at: S::Vector) -> Vec<(u32, Vec<f64>)> {
        let record = &self.contacts[contact];
        let mut entries = Vec::with_capacity(2);
        for (body, sign) in [(record.key.candidate, 1.0), (record.key.antagonist, -1.0)] {
            let Some(node) = self.node[body as usize] else { continue };
            let pose = &self.poses[body as usize];
            let mut block = vec![0.0; S::DIM * S::DOFS];
            for (direction, row) in self.frame(contact).iter().zip(block.chunks_exact_mut(S::DOFS)) {
                S::jacobian_row(pose.rotation, at - pose.position, *direction * sign, row);
            }
            entries.push((node, block));
        }
        entries
    }

    /// The contact problem of one step of length 1 s from rest under `loads` (nodes × dofs): equilibrium if the
    /// solution has zero velocity.
    pub fn contact_problem(&self, loads: &[f64], associated: bool) -> Problem {
        self.weakened_problem(loads, associated, Weaker::default())
    }

    /// The same with less friction and smaller joints.
    pub(crate) fn weakened_problem(&self, loads: &[f64], associated: bool, weaker: Weaker) -> Problem {
        let points = self.points(weaker.shrink);
        let mut problem = Problem::new(S::DIM, S::DOFS);
        problem.set_associated(associated);
        let (mut mass, mut inverse) = ([0.0; 36], [0.0; 36]);
        let square = S::DOFS * S::DOFS;
        for (load, &i) in loads.chunks_exact(S::DOFS).zip(&self.body) {
            let body = &self.model.bodies[i];
            S::mass_matrix(body.mass, body.inertia, &mut mass[..square]);
            S::inverse_mass_matrix(body.mass, body.inertia, &mut inverse[..square]);
            let free: Vec<f64> = inverse[..square]
                .chunks_exact(S::DOFS)
                .map(|row| row.iter().zip(load).map(|(a, b)| a * b).sum())
                .collect();
            problem.push_node(&mass[..square], &inverse[..square], &free);
        }
        let bias = [0.0; 3];
        for (i, contact) in self.contacts.iter().enumerate() {
            let entries = self.jacobian_at(i, points[i]);
            let views: Vec<(u32, &[f64])> = entries.iter().map(|(node, block)| (*node, &block[..])).collect();
            problem.push_contact(&views, &bias[..S::DIM], weaker.friction * contact.friction);
        }
        // ties as frictionless contacts; their strength is not part of the problem
        for tie in self.ties() {
            let mut entries = self.cable_rows(&tie.cable);
            entries.iter_mut().for_each(|(_, row)| row.resize(S::DIM * S::DOFS, 0.0));
            let views: Vec<(u32, &[f64])> = entries.iter().map(|(node, block)| (*node, &block[..])).collect();
            let k = problem.push_contact(&views, &bias[..S::DIM], 0.0);
            // empty rows need a non-zero diagonal
            let heaviest = views.iter().map(|(node, _)| self.model.bodies[self.body[*node as usize]].mass);
            let soft = 1.0 / heaviest.fold(f64::MIN_POSITIVE, f64::max);
            problem.set_compliance(k, &[0.0, soft, soft][..S::DIM]);
        }
        problem
    }

    /// Relative velocities of all contacts, world axes, for velocities of the free bodies (nodes × dofs).
    pub fn relative_velocities(&self, velocities: &[f64]) -> Vec<S::Vector> {
        let of = |body: u32, x: S::Vector| match self.node[body as usize] {
            None => S::zero(),
            Some(node) => {
                let pose = &self.poses[body as usize];
                point_velocity(pose, &velocities[node as usize * S::DOFS..][..S::DOFS], x)
            }
        };
        self.contacts.iter().map(|c| of(c.key.candidate, c.position) - of(c.key.antagonist, c.position)).collect()
    }

    /// Sum of contact forces, tie forces and `loads` on every node (nodes × dofs): zero in equilibrium.
    pub fn imbalance(&self, loads: &[f64]) -> Vec<f64> {
        let mut rest = loads.to_vec();
        for contact in &self.contacts {
            for (body, sign) in [(contact.key.candidate, 1.0), (contact.key.antagonist, -1.0)] {
                let Some(node) = self.node[body as usize] else { continue };
                let pose = &self.poses[body as usize];
                let mut row = [0.0; 6];
                S::jacobian_row(
                    pose.rotation,
                    contact.position - pose.position,
                    contact.force * sign,
                    &mut row[..S::DOFS],
                );
                for (rest, part) in rest[node as usize * S::DOFS..][..S::DOFS].iter_mut().zip(row) {
                    *rest += part;
                }
            }
        }
        self.ties().for_each(|tie| self.add_pull(&tie.cable, tie.force, &mut rest));
        rest
    }

    /// Norm of generalised forces (nodes × dofs): forces, and torques divided by the size of the body [N].
    pub fn size_of(&self, forces: &[f64]) -> f64 {
        let mut square = 0.0;
        for (force, size) in forces.chunks_exact(S::DOFS).zip(&self.size) {
            let (linear, spin) = S::unpack(force);
            let moment = S::spin_to_3d(spin).iter().map(|m| m * m).sum::<f64>();
            square += linear.dot(linear) + moment / (size * size);
        }
        square.sqrt()
    }

    /// Free bodies without a load path to a support.
    pub fn floating(&self) -> Vec<usize> {
        let mut neighbours = vec![Vec::new(); self.node.len()];
        for contact in &self.contacts {
            let (a, b) = (contact.key.candidate as usize, contact.key.antagonist as usize);
            neighbours[a].push(b);
            neighbours[b].push(a);
        }
        // fill is not a load path
        for fitted in self.cables.iter().filter(|fitted| !fitted.pressure) {
            let bodies = || fitted.cable.anchors.iter().map(|anchor| anchor.body);
            for (a, b) in bodies().zip(bodies().skip(1)) {
                neighbours[a].push(b);
                neighbours[b].push(a);
            }
        }
        let mut held: Vec<bool> = self.node.iter().map(Option::is_none).collect();
        let mut front: Vec<usize> = (0..held.len()).filter(|&i| held[i]).collect();
        while let Some(i) = front.pop() {
            for &j in &neighbours[i] {
                if !std::mem::replace(&mut held[j], true) {
                    front.push(j);
                }
            }
        }
        (0..held.len()).filter(|&i| !held[i]).collect()
    }
}

impl<S: Space> Structure<S> {
    /// Copies the forces of the same contacts of another structure: an initial guess for a similar structure.
    pub fn take_forces(&mut self, other: &[ContactRecord<S>]) {
        for contact in &mut self.contacts {
            if let Ok(same) = other.binary_search_by_key(&contact.key, |other| other.key) {
                contact.force = other[same].force;
            }
        }
    }

    /// Stores forces, in the axes of the contacts [N], in the contacts, and tensions in the ties (contacts and ties ×
    /// dim).
    pub(crate) fn keep_forces(&mut self, forces: &[f64]) {
        let (own, pulls) = forces.split_at(self.contacts.len() * S::DIM);
        self.keep_pulls(pulls.chunks_exact(S::DIM).map(|pull| pull[0]));
        for (i, force) in own.chunks_exact(S::DIM).enumerate() {
            let frame = &self.frames[i * S::DIM..][..S::DIM];
            let mut sum = S::zero();
            frame.iter().zip(force).for_each(|(axis, f)| sum += *axis * *f);
            self.contacts[i].force = sum;
        }
    }
}
