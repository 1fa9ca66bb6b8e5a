//! Elastic blocks by a few modes: a fixed basis Ψ for the whole run.
//!
//! u = Ψy with the m lowest free modes and the static responses to unit forces on all coordinates on which forces act in the initial
//! configuration: contacts with the neighbours as drawn, anchors of cables, points of loads, temperature ([`voussoir_elastic::modes`]). The
//! operator of a step is diagonal. Being a projection to a fixed subspace, the reduced block keeps energy and momentum as the full one;
//! static states under the forces that the basis knows are those of the full mesh. Contacts that arise later elsewhere act on the same
//! modes: the block is stiffer there.

use std::collections::HashMap;
use std::sync::Arc;

use voussoir_elastic::{
    CoordinateMode, ElasticError, GaussStress, ModalBasis, PointWeights, RayleighDamping, StressTensor,
};
use voussoir_geometry::{BroadPhase, Detection, Pose, Space, Surface, Vector};

use super::attached::anchor_weights;
use super::body::{ElasticBody, ElasticOperator};
use super::faces::{ContactInterface, coordinates, find_interfaces, question};
use crate::error::MechanicsError;
use crate::model::Model;
use crate::step::beds::Beds;
use crate::step::detect::{Alert, find_beds, find_contacts};
use crate::step::masses::{Masses, dot};

/// hθ of a static comparison, times the largest frequency of the mesh.
const STATIC: f64 = 1e6;

/// What a modal reduction made of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ElasticReduction {
    /// Reduced blocks.
    pub blocks: usize,
    /// Different bases.
    pub bases: usize,
    /// Largest number of vectors of a basis, and the displacements of its mesh.
    pub vectors: usize,
    /// Displacements of the mesh with the largest basis.
    pub displacements: usize,
    /// Lowest frequency of the highest free mode that is kept [Hz].
    pub frequency: f64,
    /// Largest error of the compliance of contacts in a step, relative to its largest entry with the full mesh.
    pub step_error: f64,
    /// The same for static forces.
    pub static_error: f64,
}

impl<S: Space> Model<S> {
    /// Replaces the blocks with `modes` by reduced ones. `reach`: hθ of the steps for which they are compared with the full meshes [s].
    pub fn reduce_elastic(&mut self, reach: f64) -> Result<Option<ElasticReduction>, MechanicsError> {
        if !self.elastic.iter().flatten().any(|part| part.modes.is_some()) {
            return Ok(None);
        }
        let mut made: HashMap<BasisKey, Arc<ReducedBlock>> = HashMap::new();
        let mut facts = ElasticReduction { frequency: f64::INFINITY, ..ElasticReduction::default() };
        let forced = forced_coordinates(self);
        for (body, (key, weights)) in forced {
            let Some(part) = self.elastic.get_mut(body).and_then(Option::as_mut) else { continue };
            let Some(count) = part.modes else { continue };
            let wrong = |error: ElasticError| MechanicsError::Body {
                index: body,
                name: self.bodies[body].name.clone(),
                reason: error.to_string(),
            };
            let key = (Arc::as_ptr(&part.block).cast::<()>() as usize, count, part.warming.is_some(), key);
            let reduced = match made.get(&key) {
                Some(found) => Arc::clone(found),
                None => {
                    let block = ReducedBlock::new(Arc::clone(&part.block), count, &weights, part.warming.is_some());
                    let block = Arc::new(block.map_err(wrong)?);
                    facts.compare(&block, &weights, reach).map_err(wrong)?;
                    made.insert(key, Arc::clone(&block));
                    block
                }
            };
            part.block = reduced;
            facts.blocks += 1;
        }
        facts.bases = made.len();
        Ok(Some(facts))
    }
}

/// Address of the block, number of modes, warmed, and what acts where.
type BasisKey = (usize, usize, bool, Vec<i64>);

impl ElasticReduction {
    /// Compares the compliances of coordinates.
    fn compare(&mut self, block: &Arc<ReducedBlock>, weights: &[PointWeights], reach: f64) -> Result<(), ElasticError> {
        if block.basis.size() > self.vectors {
            (self.vectors, self.displacements) = (block.basis.size(), block.full.size());
        }
        self.frequency = self.frequency.min(block.basis.highest_mode / std::f64::consts::TAU);
        let still = STATIC / block.full.largest_frequency().max(f64::MIN_POSITIVE);
        let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, |most: f64, x| most.max(x.abs()));
        for (reach, error) in [(reach, &mut self.step_error), (still, &mut self.static_error)] {
            let full = Arc::clone(&block.full).operator(reach)?.compliance(weights);
            let own = Arc::clone(block).operator(reach)?.compliance(weights);
            let miss = largest(&mut full.iter().zip(&own).map(|(a, b)| a - b));
            *error = error.max(miss / largest(&mut full.iter().copied()).max(f64::MIN_POSITIVE));
        }
        Ok(())
    }
}

/// Coordinates of a block on which forces act, behind a key that is equal for equal coordinates.
type KeyedCoordinates = (Vec<i64>, Vec<PointWeights>);

/// Of each block that is to be reduced: the coordinates on which forces act in the initial configuration.
fn forced_coordinates<S: Space>(model: &Model<S>) -> Vec<(usize, KeyedCoordinates)> {
    let masses = Masses::new(model);
    let poses: Vec<Pose<S>> = model.bodies.iter().map(|body| body.pose).collect();
    let detection = Detection::default();
    let beds: Beds<S> = find_beds(model, &masses, detection);
    let alert = Alert::Fixed(Alert::default_distance(&masses));
    let mut contacts = find_contacts(model, &masses, &mut BroadPhase::new(), &poses, &alert, &beds, detection);
    let interfaces = find_interfaces(model, &poses, detection, &mut contacts);
    let anchors: Vec<Vec<Option<PointWeights>>> =
        model.cables.iter().map(|cable| anchor_weights(model, cable)).collect();
    let of = |body: usize| {
        let part = model.elastic_part(body).filter(|part| part.modes.is_some())?;
        let own: Vec<&ContactInterface<S>> = interfaces.iter().filter(|interface| interface.touches(body)).collect();
        let mut key = question(&own, body, &poses[body], part.block.extent());
        let mut weights = coordinates(part.block.as_ref(), &key);
        let mut add = |point: S::Vector, found: PointWeights| {
            key.extend(point.to_3d().map(|x| x.to_bits() as i64));
            weights.push(found);
        };
        for load in model.loads.iter().filter(|load| load.body == body) {
            part.block.spread(load.point.to_3d()).into_iter().for_each(|found| add(load.point, found));
        }
        for (cable, found) in model.cables.iter().zip(&anchors) {
            for (anchor, found) in cable.anchors.iter().zip(found).filter(|(anchor, _)| anchor.body == body) {
                found.iter().for_each(|found| add(anchor.point, found.clone()));
            }
        }
        Some((body, (key, weights)))
    };
    (0..model.bodies.len()).filter_map(of).collect()
}

/// A block that moves in the span of a basis; its displacements are the amplitudes y.
#[derive(Debug)]
pub struct ReducedBlock {
    full: Arc<dyn ElasticBody>,
    basis: ModalBasis,
}

impl ReducedBlock {
    /// The lowest free modes of a block and its responses to forces on coordinates and to warming.
    pub fn new(
        full: Arc<dyn ElasticBody>,
        count: usize,
        weights: &[PointWeights],
        warmed: bool,
    ) -> Result<Self, ElasticError> {
        let dim = full.dimension();
        let unit = |c: usize| -> Vec<f64> { (0..dim).map(|k| f64::from(u8::from(k == c))).collect() };
        let of = |own: &PointWeights| -> Vec<Vec<f64>> {
            (0..dim).map(|c| full.scatter(std::slice::from_ref(own), &unit(c))).collect()
        };
        let mut forces: Vec<Vec<f64>> = weights.iter().flat_map(of).collect();
        if warmed {
            forces.push(full.thermal_forces(1.0));
        }
        let basis = full.modal_basis(count, &forces)?;
        Ok(Self { full, basis })
    }

    /// ψ of all columns at the mean value of weights, along one axis.
    fn row(&self, weights: &PointWeights, c: usize) -> Vec<f64> {
        let dim = self.full.dimension();
        let at = |vector: &Vec<f64>| weights.iter().map(|&(p, w)| w * vector[p as usize * dim + c]).sum();
        self.basis.vectors.iter().map(at).collect()
    }
}

impl ElasticBody for ReducedBlock {
    fn size(&self) -> usize {
        self.basis.size()
    }

    fn operator(self: Arc<Self>, reach: f64) -> Result<Arc<dyn ElasticOperator>, ElasticError> {
        let RayleighDamping { mass, stiffness } = self.full.damping();
        let factor = |square: &f64| 1.0 / (1.0 + reach * mass + (reach * stiffness + reach * reach) * square);
        let factors = self.basis.squares.iter().map(factor).collect();
        Ok(Arc::new(DiagonalOperator { body: self, factors, reach }))
    }

    fn interface(
        &self,
        corners: &[[f64; 3]],
        outward: [f64; 3],
        near: f64,
        mode: CoordinateMode,
    ) -> Option<Vec<PointWeights>> {
        self.full.interface(corners, outward, near, mode)
    }

    fn dimension(&self) -> usize {
        self.full.dimension()
    }

    fn nodal(&self, displacement: &[f64]) -> Vec<f64> {
        self.basis.displacement(displacement)
    }

    fn modal_basis(&self, count: usize, forces: &[Vec<f64>]) -> Result<ModalBasis, ElasticError> {
        self.full.modal_basis(count, forces)
    }

    fn damping(&self) -> RayleighDamping {
        self.full.damping()
    }

    fn points_around(&self, point: [f64; 3], outward: [f64; 3], radius: f64) -> Vec<(u32, [f64; 3], f64)> {
        self.full.points_around(point, outward, radius)
    }

    fn nearest(&self, point: [f64; 3]) -> PointWeights {
        self.full.nearest(point)
    }

    fn spread(&self, point: [f64; 3]) -> Option<PointWeights> {
        self.full.spread(point)
    }

    fn gather(&self, coordinates: &[PointWeights], values: &[f64]) -> Vec<f64> {
        let dim = self.full.dimension();
        coordinates.iter().flat_map(|own| (0..dim).map(|c| dot(&self.row(own, c), values))).collect()
    }

    fn scatter(&self, coordinates: &[PointWeights], impulses: &[f64]) -> Vec<f64> {
        let dim = self.full.dimension();
        let mut out = vec![0.0; self.size()];
        for (own, impulses) in coordinates.iter().zip(impulses.chunks_exact(dim)) {
            for (c, r) in impulses.iter().enumerate().filter(|(_, r)| **r != 0.0) {
                out.iter_mut().zip(self.row(own, c)).for_each(|(sum, psi)| *sum += r * psi);
            }
        }
        out
    }

    fn turning(&self, spin: [f64; 3], velocity: &[f64]) -> (Vec<f64>, [f64; 3]) {
        let (forces, rate) = self.full.turning(spin, &self.nodal(velocity));
        (self.basis.forces(&forces), rate)
    }

    fn thermal_forces(&self, kelvin: f64) -> Vec<f64> {
        if kelvin == 0.0 { vec![0.0; self.size()] } else { self.basis.forces(&self.full.thermal_forces(kelvin)) }
    }

    fn elastic_energy(&self, displacement: &[f64]) -> f64 {
        0.5 * self.basis.squares.iter().zip(displacement).map(|(square, y)| square * y * y).sum::<f64>()
    }

    fn kinetic_energy(&self, velocity: &[f64]) -> f64 {
        0.5 * dot(velocity, velocity)
    }

    fn damping_power(&self, velocity: &[f64]) -> f64 {
        let RayleighDamping { mass, stiffness } = self.full.damping();
        2.0 * (mass * self.kinetic_energy(velocity) + stiffness * self.elastic_energy(velocity))
    }

    fn take_rigid_part(&self, _: &mut [f64]) {}

    fn stresses(&self, displacement: &[f64], kelvin: f64) -> Vec<GaussStress> {
        self.full.stresses(&self.nodal(displacement), kelvin)
    }

    fn gauss_places(&self) -> Vec<[f64; 3]> {
        self.full.gauss_places()
    }

    fn point_stresses(&self, gauss: &[GaussStress]) -> Vec<StressTensor> {
        self.full.point_stresses(gauss)
    }

    fn drawn(&self) -> (Surface, Vec<u32>) {
        self.full.drawn()
    }

    fn extent(&self) -> f64 {
        self.full.extent()
    }

    fn largest_frequency(&self) -> f64 {
        self.basis.squares.last().map_or(0.0, |square| square.sqrt())
    }

    fn mass(&self) -> f64 {
        self.full.mass()
    }
}

/// The diagonal operator of a step.
#[derive(Debug)]
struct DiagonalOperator {
    body: Arc<ReducedBlock>,
    factors: Vec<f64>,
    /// hθ [s]
    reach: f64,
}

impl ElasticOperator for DiagonalOperator {
    fn elastic(&self, impulses: &[f64]) -> Vec<f64> {
        impulses.iter().zip(&self.factors).map(|(r, factor)| r * factor).collect()
    }

    fn free(&self, h: f64, velocity: &[f64], displacement: &[f64], forces: &[f64]) -> Vec<f64> {
        let RayleighDamping { mass, stiffness } = self.body.full.damping();
        let one = |i: usize| {
            let (p, q, square) = (velocity[i], displacement[i], self.body.basis.squares[i]);
            p + self.factors[i] * h * (forces[i] - square * (q + (self.reach + stiffness) * p) - mass * p)
        };
        (0..velocity.len()).map(one).collect()
    }

    fn compliance(&self, coordinates: &[PointWeights]) -> Vec<f64> {
        let dim = self.body.full.dimension();
        let rows: Vec<Vec<f64>> = coordinates.iter().flat_map(|own| (0..dim).map(|c| self.body.row(own, c))).collect();
        let n = rows.len();
        let scaled: Vec<Vec<f64>> = rows.iter().map(|row| self.elastic(row)).collect();
        (0..n * n).map(|at| dot(&rows[at / n], &scaled[at % n])).collect()
    }
}
