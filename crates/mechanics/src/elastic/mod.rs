//! Elastic blocks in the dynamic analysis.
//!
//! Linear elasticity with small strains and large rotations: one floating frame per block. The pose of a body is its
//! frame; its elastic displacement q, in body axes, has no rigid part (mean axes). Over a step
//!
//! ```text
//! p* = p + Ê⁻¹ h [f − C p − K (q + hθ p)],    p⁺ = p* + Ê⁻¹ Nᵀ r,    q⁺ = q + h (θ p⁺ + (1−θ) p)
//! ```
//! with the operator Ê of the elastic part ([`voussoir_elastic::operator`]), loads and forces of rotation f, contact
//! coordinates N and contact impulses r; the rigid part moves as a rigid body does. Contacts are those of the rigid
//! shapes; their gaps and velocities include the elastic part.
//!
//! | module | content |
//! |---|---|
//! | `attached` | coordinates of bonds and of anchors of cables |
//! | [`body`] | elastic blocks, dimension erased |
//! | `condensed` | their nodes in the contact problem |
//! | `faces` | their interfaces and contact coordinates |
//! | `flex` | their part of a step before contacts are solved |
//! | [`reduced`] | blocks by a few modes |
//! | [`shapes`] | elastic blocks from the shapes of bodies |
//! | [`shown`] | elastic blocks in frames: deformed points, stresses |
//! | `settle` | their part of a step afterwards, and their energies |
//!
//! References: Shabana, *Dynamics of Multibody Systems*, §5 (floating frame, mean axes); Jean, CMAME 177 (1999) 235
//! (θ-scheme with contact).

pub(crate) mod attached;
pub mod body;
pub(crate) mod condensed;
mod faces;
pub(crate) mod flex;
pub mod reduced;
pub(crate) mod settle;
pub mod shapes;
pub mod shown;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use voussoir_geometry::Space;

pub use body::{ElasticBody, ElasticOperator, FlexibleBlock};
pub use reduced::ElasticReduction;
pub use shapes::{FlexibleSettings, FlexibleSpace};
pub use voussoir_elastic::{
    ElasticConstants, ElasticError, ElementKind, Fineness, FiniteElement, FiniteMesh, MeshQuality, PlaneState,
    RayleighDamping, StressTensor, mean_stress,
};

use crate::model::Model;
use crate::state::State;
use crate::time_function::TimeFunction;

/// Elastic properties of a body of a model.
#[derive(Clone, Debug)]
pub struct ElasticPart {
    /// The block. Equal blocks share one.
    pub block: Arc<dyn ElasticBody>,
    /// Cells along each side of an interface, whose contacts replace those at its corners; 0: corners. The finer of two
    /// blocks decides.
    pub grid: usize,
    /// Rise of temperature [K], multiplied by a function of time; `None`: none.
    pub warming: Option<(f64, TimeFunction)>,
    /// Tensile and compressive strength [Pa]; `None`: not known.
    pub strengths: [Option<f64>; 2],
    /// Number of free modes that represent the block after [`Model::reduce_elastic`]; `None`: all points of the mesh.
    pub modes: Option<usize>,
}

impl ElasticPart {
    /// Rise of temperature at a time [K].
    pub fn kelvin(&self, time: f64) -> f64 {
        self.warming.as_ref().map_or(0.0, |(kelvin, function)| kelvin * function.value(time))
    }
}

/// Elastic displacement and velocity of a body, in body axes; empty for rigid bodies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ElasticMemory {
    /// Displacements of the points of the mesh [m]; of a reduced block: amplitudes of its modes.
    pub displacement: Vec<f64>,
    /// Their velocities.
    pub velocity: Vec<f64>,
}

impl<S: Space> Model<S> {
    /// The elastic part of a body; `None` for rigid bodies.
    pub fn elastic_part(&self, body: usize) -> Option<&ElasticPart> {
        self.elastic.get(body).and_then(Option::as_ref)
    }

    /// True if a body is elastic.
    pub fn is_elastic(&self) -> bool {
        self.elastic.iter().any(Option::is_some)
    }

    /// Elastic memory of the start: undeformed and at rest.
    pub(crate) fn undeformed(&self) -> Vec<ElasticMemory> {
        let memory = |part: &Option<ElasticPart>| {
            let size = part.as_ref().map_or(0, |part| part.block.size());
            ElasticMemory { displacement: vec![0.0; size], velocity: vec![0.0; size] }
        };
        if self.is_elastic() { self.elastic.iter().map(memory).collect() } else { Vec::new() }
    }
}

/// Kinetic energy of the elastic velocities of the present bodies [J].
pub(crate) fn kinetic_energy<S: Space>(model: &Model<S>, state: &State<S>) -> f64 {
    let there = |body: usize| state.presence[body].is_there();
    let bodies = state.elastic.iter().enumerate().filter(|(body, _)| there(*body));
    let energy = |(body, memory): (usize, &ElasticMemory)| {
        model.elastic_part(body).map_or(0.0, |part| part.block.kinetic_energy(&memory.velocity))
    };
    bodies.map(energy).fold(0.0, |sum, part| sum + part)
}
