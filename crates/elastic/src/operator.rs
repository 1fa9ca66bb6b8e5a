//! The operator of a time step, and its condensation to contact coordinates.
//!
//! ```text
//! M̂ = M + hθ C + h²θ² K,     C = a M + b K on the elastic part (Rayleigh)
//! ```
//! The rigid motions Φ and the elastic part separate: M̂⁻¹ = Φ(ΦᵀMΦ)⁻¹Φᵀ + Ê⁻¹. The first part is that of the rigid body;
//! the second one maps forces to elastic velocities and is computed here with one sparse factor of
//! M̂₀ = (1 + hθa) M + (hθb + h²θ²) K, applied to forces in equilibrium. Contacts see the elastic velocity through coordinates
//! z = N p, one row of weights per coordinate; their compliance N Ê⁻¹ Nᵀ is positive semi-definite: its
//! rank is the number of independent elastic motions of the mesh at these coordinates.

use crate::block::ElasticBlock;
use crate::error::ElasticError;
use crate::small::dot;
use crate::sparse::SparseFactor;

/// Damping of the elastic part: C = a M + b K.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct RayleighDamping {
    /// a [1/s].
    pub mass: f64,
    /// b [s].
    pub stiffness: f64,
}

/// Weights of the points of a mesh: a mean value over a part of the surface. They sum to one.
pub type PointWeights = Vec<(u32, f64)>;

/// M̂ of a block for one step length, factorised.
#[derive(Clone, Debug)]
pub struct StepOperator<const D: usize> {
    factor: SparseFactor<D>,
    damping: RayleighDamping,
    /// hθ [s]
    reach: f64,
}

impl<const D: usize> StepOperator<D> {
    /// Factorises M̂ for hθ = `reach` [s].
    pub fn new(block: &ElasticBlock<D>, damping: RayleighDamping, reach: f64) -> Result<Self, ElasticError> {
        let (m, k) = (1.0 + reach * damping.mass, reach * damping.stiffness + reach * reach);
        let mut blocks = block.stiffness.clone();
        for (entry, mass) in blocks.iter_mut().zip(&block.mass) {
            for r in 0..D {
                entry[r].iter_mut().for_each(|value| *value *= k);
                entry[r][r] += m * mass;
            }
        }
        Ok(Self { factor: SparseFactor::new(&block.pattern, &blocks)?, damping, reach })
    }

    /// hθ [s].
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// Ê⁻¹ f: elastic velocities [m/s] from impulses [N·s] at the points.
    pub fn elastic(&self, block: &ElasticBlock<D>, impulses: &[f64]) -> Vec<f64> {
        let mut balanced = impulses.to_vec();
        block.balance(&mut balanced);
        let mut p = self.factor.solve(&balanced);
        // the rigid part consists of rounding errors only
        block.take_rigid_part(&mut p);
        p
    }

    /// Elastic velocity at the end of a step of length h without contacts: p + Ê⁻¹ h (f − C p − K (q + hθ p)).
    ///
    /// `p`, `q`: elastic velocity and displacement at its start; `forces`: mean over the step [N].
    pub fn free(&self, block: &ElasticBlock<D>, h: f64, p: &[f64], q: &[f64], forces: &[f64]) -> Vec<f64> {
        let RayleighDamping { mass, stiffness } = self.damping;
        let strained: Vec<f64> = q.iter().zip(p).map(|(q, p)| q + (self.reach + stiffness) * p).collect();
        let mut impulses = block.stiffness_times(&strained);
        let inertia = block.mass_times(p);
        for ((i, m), f) in impulses.iter_mut().zip(&inertia).zip(forces) {
            *i = h * (f - *i - mass * m);
        }
        let mut velocity = self.elastic(block, &impulses);
        velocity.iter_mut().zip(p).for_each(|(v, p)| *v += p);
        velocity
    }

    /// N Ê⁻¹ Nᵀ, row-major, D rows per coordinate.
    pub fn compliance(&self, block: &ElasticBlock<D>, coordinates: &[PointWeights]) -> Vec<f64> {
        let size = coordinates.len() * D;
        let half: Vec<Vec<f64>> = (0..size)
            .map(|row| {
                let mut unit = vec![0.0; block.size()];
                for &(point, weight) in &coordinates[row / D] {
                    unit[point as usize * D + row % D] += weight;
                }
                block.balance(&mut unit);
                self.factor.forward(&unit)
            })
            .collect();
        let mut compliance = vec![0.0; size * size];
        for i in 0..size {
            for j in 0..=i {
                let value = dot(&half[i], &half[j]);
                (compliance[i * size + j], compliance[j * size + i]) = (value, value);
            }
        }
        compliance
    }

    /// Bytes of the factor.
    pub fn bytes(&self) -> usize {
        self.factor.stored() * size_of::<f64>()
    }
}

/// Values z = N p of contact coordinates (D per coordinate).
pub fn gather<const D: usize>(coordinates: &[PointWeights], values: &[f64]) -> Vec<f64> {
    let points = values.as_chunks::<D>().0;
    let one = |weights: &PointWeights| -> [f64; D] {
        std::array::from_fn(|c| weights.iter().map(|&(point, w)| w * points[point as usize][c]).sum())
    };
    coordinates.iter().flat_map(one).collect()
}

/// Nᵀ r: impulses at the points from impulses on contact coordinates.
pub fn scatter<const D: usize>(coordinates: &[PointWeights], impulses: &[f64], points: usize) -> Vec<f64> {
    let mut out = vec![0.0; points * D];
    for (weights, r) in coordinates.iter().zip(impulses.as_chunks::<D>().0) {
        for &(point, w) in weights {
            (0..D).for_each(|c| out[point as usize * D + c] += w * r[c]);
        }
    }
    out
}
