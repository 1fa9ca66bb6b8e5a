//! Constants of a run: unknown bodies, their mass blocks and sizes.

use voussoir_geometry::{AreaRule, Solid, Space};

use crate::model::{Model, Role};
use crate::state::State;

/// Masses and sizes of a model. A node is a present free body.
#[derive(Clone, Debug)]
pub(crate) struct Masses {
    /// Presence of the bodies.
    pub there: Vec<bool>,
    /// Node of each body; `None` for supports and for absent bodies.
    pub node: Vec<Option<u32>>,
    /// Body of each node.
    pub body: Vec<usize>,
    /// Mass blocks, row-major (nodes × dofs × dofs).
    pub mass: Vec<f64>,
    /// Inverse mass blocks, row-major (nodes × dofs × dofs).
    pub inverse: Vec<f64>,
    /// Masses of loads on each node [kg], and their increase since the start of the step; empty without such loads or
    /// if the ground does not move.
    pub carried: Vec<[f64; 2]>,
    /// True if some load is a mass and the ground moves.
    carries: bool,
    /// Quadrature over the area of each node; empty without an environment.
    pub rules: Vec<AreaRule>,
    /// Diameter of each body [m]; infinite for half-spaces.
    pub size: Vec<f64>,
    /// Diameter of the smallest bounded body [m]; 1 if there is none.
    pub smallest: f64,
}

impl Masses {
    /// All bodies in their roles.
    pub fn new<S: Space>(model: &Model<S>) -> Self {
        let free = |i: usize| model.bodies[i].role == Role::Free;
        Self::of_free(model, vec![true; model.bodies.len()], free)
    }

    /// The present bodies.
    pub fn at<S: Space>(model: &Model<S>, state: &State<S>) -> Self {
        let there = state.presence.iter().map(|presence| presence.is_there()).collect();
        Self::of_free(model, there, |i| state.is_free(model, i))
    }

    fn of_free<S: Space>(model: &Model<S>, there: Vec<bool>, free: impl Fn(usize) -> bool) -> Self {
        let block = S::DOFS * S::DOFS;
        let body: Vec<usize> = (0..model.bodies.len()).filter(|&i| free(i)).collect();
        let mut node = vec![None; model.bodies.len()];
        let mut mass = vec![0.0; body.len() * block];
        let mut inverse = mass.clone();
        for (k, &i) in body.iter().enumerate() {
            node[i] = Some(k as u32);
            let b = &model.bodies[i];
            S::mass_matrix(b.mass, b.inertia, &mut mass[k * block..][..block]);
            S::inverse_mass_matrix(b.mass, b.inertia, &mut inverse[k * block..][..block]);
        }
        let size: Vec<f64> = model.bodies.iter().map(|b| b.shape.size()).collect();
        let smallest = size.iter().copied().filter(|s| s.is_finite()).fold(f64::INFINITY, f64::min);
        let rules = match &model.sea {
            Some(_) => body.iter().map(|&i| model.bodies[i].shape.area_rule()).collect(),
            None => Vec::new(),
        };
        Self {
            there,
            node,
            body,
            mass,
            inverse,
            carried: Vec::new(),
            rules,
            carries: model.ground_moves() && model.has_carried_masses(),
            size,
            smallest: if smallest.is_finite() { smallest } else { 1.0 },
        }
    }

    /// Adds the masses of loads at `end` to the mass blocks, for a step from `start` to `end` [s].
    pub fn carry<S: Space>(&mut self, model: &Model<S>, start: f64, end: f64) {
        if !self.carries {
            return;
        }
        let (before, after) = (model.carried_masses(start), model.carried_masses(end));
        self.carried = self.body.iter().map(|&i| [after[i], after[i] - before[i]]).collect();
        let block = S::DOFS * S::DOFS;
        for (k, &i) in self.body.iter().enumerate() {
            let total = model.bodies[i].mass + self.carried[k][0];
            for axis in 0..S::DIM {
                self.mass[k * block + axis * (S::DOFS + 1)] = total;
                self.inverse[k * block + axis * (S::DOFS + 1)] = 1.0 / total;
            }
        }
    }

    /// Fraction of the mass of a node that is the mass of the body itself.
    pub fn own_share<S: Space>(&self, model: &Model<S>, node: usize) -> f64 {
        match self.carried.get(node) {
            None => 1.0,
            Some([carried, _]) => {
                let own = model.bodies[self.body[node]].mass;
                own / (own + carried)
            }
        }
    }

    /// Size of the smaller of two bodies; that of the bounded body if the other is unbounded [m].
    pub fn smaller(&self, a: usize, b: usize) -> f64 {
        let size = self.size[a].min(self.size[b]);
        if size.is_finite() { size } else { self.smallest }
    }

    /// Mass block of a node.
    pub fn mass_of<S: Space>(&self, node: usize) -> &[f64] {
        &self.mass[node * S::DOFS * S::DOFS..][..S::DOFS * S::DOFS]
    }

    /// Inverse mass block of a node.
    pub fn inverse_of<S: Space>(&self, node: usize) -> &[f64] {
        &self.inverse[node * S::DOFS * S::DOFS..][..S::DOFS * S::DOFS]
    }

    /// ½ vᵀ M v over all nodes; `velocities` (nodes × dofs).
    pub fn kinetic_energy<S: Space>(&self, velocities: &[f64]) -> f64 {
        velocities
            .chunks_exact(S::DOFS)
            .enumerate()
            .map(|(k, v)| {
                0.5 * self.mass_of::<S>(k).chunks_exact(S::DOFS).zip(v).map(|(row, vi)| vi * dot(row, v)).sum::<f64>()
            })
            .sum()
    }

    /// The velocities of free bodies (nodes × dofs), taken from those of all bodies.
    pub fn gather<S: Space>(&self, all: &[f64]) -> Vec<f64> {
        self.body.iter().flat_map(|&i| &all[i * S::DOFS..][..S::DOFS]).copied().collect()
    }
}

/// Scalar product.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// out += matrix · x for a small row-major matrix.
pub(crate) fn add_product(matrix: &[f64], x: &[f64], out: &mut [f64]) {
    for (row, out) in matrix.chunks_exact(x.len()).zip(out) {
        *out += dot(row, x);
    }
}
