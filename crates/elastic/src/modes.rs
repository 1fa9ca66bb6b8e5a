//! Reduced bases: the lowest free modes of a block and its static responses to given forces.
//!
//! The columns of Ψ have no rigid part and are orthonormal in M; within their span they are orthogonal in K too (Ritz vectors),
//! Kψ_i ≈ ω_i² Mψ_i. A displacement u = Ψy then has the energies ½ẏᵀẏ and ½Σω_i²y_i², and every operator of a step is
//! diagonal. Static displacements under the given forces are in the span: they are those of the full mesh.
//!
//! Modes: subspace iteration with K + σM, σ far below the lowest square of a frequency (Bathe & Wilson 1972).

use crate::block::ElasticBlock;
use crate::error::ElasticError;
use crate::operator::{RayleighDamping, StepOperator};
use crate::small::{dot, symmetric_eigenvectors};

/// 1/√σ relative to the inverse of the largest frequency of the mesh.
const SHIFT: f64 = 1e6;

/// Relative change of the squares of frequencies at which the iteration ends.
const CONVERGED: f64 = 1e-9;

/// Most iterations; vectors that have not converged are still a basis.
const MOST_ITERATIONS: usize = 80;

/// Part of a vector, in the norm of M or of K, below which it depends on those before it.
const DEPENDENT: f64 = 1e-7;

/// A reduced basis.
#[derive(Clone, Debug, PartialEq)]
pub struct ModalBasis {
    /// Ψ, one vector (D per point) per column.
    pub vectors: Vec<Vec<f64>>,
    /// ω_i² [rad²/s²], rising.
    pub squares: Vec<f64>,
    /// Circular frequency of the highest free mode that was asked for [rad/s].
    pub highest_mode: f64,
}

impl ModalBasis {
    /// The `count` lowest free modes, and the static responses to `forces` (D per point).
    pub fn new<const D: usize>(
        block: &ElasticBlock<D>,
        count: usize,
        forces: &[Vec<f64>],
    ) -> Result<Self, ElasticError> {
        let reach = SHIFT / block.largest_frequency().max(f64::MIN_POSITIVE);
        let operator = StepOperator::new(block, RayleighDamping::default(), reach)?;
        let (modes, squares) = lowest(block, &operator, count);
        let highest_mode = squares.last().map_or(0.0, |square| square.sqrt());
        let mut vectors = modes;
        for force in forces {
            // K u = f: (M + reach²K) u' = reach² (f − K u), corrected twice
            let mut balanced = force.clone();
            block.balance(&mut balanced);
            let mut response = vec![0.0; block.size()];
            for _ in 0..3 {
                let strained = block.stiffness_times(&response);
                let rest: Vec<f64> = balanced.iter().zip(strained).map(|(f, k)| reach * reach * (f - k)).collect();
                response.iter_mut().zip(operator.elastic(block, &rest)).for_each(|(u, change)| *u += change);
            }
            add_independent(block, &mut vectors, response);
        }
        let (vectors, squares) = ritz(block, vectors);
        Ok(Self { vectors, squares, highest_mode })
    }

    /// Number of columns.
    pub fn size(&self) -> usize {
        self.vectors.len()
    }

    /// Ψ y.
    pub fn displacement(&self, y: &[f64]) -> Vec<f64> {
        let mut u = vec![0.0; self.vectors.first().map_or(0, Vec::len)];
        for (vector, y) in self.vectors.iter().zip(y) {
            u.iter_mut().zip(vector).for_each(|(u, v)| *u += y * v);
        }
        u
    }

    /// Ψᵀ f.
    pub fn forces(&self, f: &[f64]) -> Vec<f64> {
        self.vectors.iter().map(|vector| dot(vector, f)).collect()
    }
}

/// The lowest free modes, orthonormal in M, and the squares of their frequencies.
fn lowest<const D: usize>(
    block: &ElasticBlock<D>,
    operator: &StepOperator<D>,
    count: usize,
) -> (Vec<Vec<f64>>, Vec<f64>) {
    let elastic = block.size() - D * (D + 1) / 2;
    let count = count.min(elastic);
    let width = (2 * count + 8).min(elastic);
    if count == 0 {
        return (Vec::new(), Vec::new());
    }
    // reproducible start: forces that change their sign irregularly
    let mut seed = 1_u64;
    let mut sample = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as f64 / (1_u64 << 23) as f64 - 1.0
    };
    let mut vectors: Vec<Vec<f64>> = (0..width).map(|_| (0..block.size()).map(|_| sample()).collect()).collect();
    let mut squares = vec![f64::INFINITY; count];
    for _ in 0..MOST_ITERATIONS {
        let mut next = Vec::with_capacity(width);
        for vector in &vectors {
            add_independent(block, &mut next, operator.elastic(block, &block.mass_times(vector)));
        }
        let (rotated, values) = ritz(block, next);
        let change = squares.iter().zip(&values).map(|(old, new)| ((old - new) / new).abs()).fold(0.0, f64::max);
        vectors = rotated;
        squares = values.into_iter().take(count).collect();
        if change < CONVERGED {
            break;
        }
    }
    vectors.truncate(count);
    (vectors, squares)
}

/// Adds the part of a vector that is orthogonal in M to the others, with the norm 1, unless it depends on them.
fn add_independent<const D: usize>(block: &ElasticBlock<D>, vectors: &mut Vec<Vec<f64>>, vector: Vec<f64>) {
    let norms = |v: &[f64]| [dot(v, &block.mass_times(v)).sqrt(), (2.0 * block.elastic_energy(v)).max(0.0).sqrt()];
    let whole = norms(&vector);
    let mut rest = vector;
    for _ in 0..2 {
        let momentum = block.mass_times(&rest);
        let shares: Vec<f64> = vectors.iter().map(|other| dot(other, &momentum)).collect();
        for (other, share) in vectors.iter().zip(shares) {
            rest.iter_mut().zip(other).for_each(|(v, o)| *v -= share * o);
        }
    }
    block.take_rigid_part(&mut rest);
    let left = norms(&rest);
    if left[0] > 0.0 && left.iter().zip(whole).any(|(left, whole)| *left > DEPENDENT * whole) {
        rest.iter_mut().for_each(|v| *v /= left[0]);
        vectors.push(rest);
    }
}

/// Vectors with the same span that are orthogonal in K, in rising order of ω².
fn ritz<const D: usize>(block: &ElasticBlock<D>, vectors: Vec<Vec<f64>>) -> (Vec<Vec<f64>>, Vec<f64>) {
    let n = vectors.len();
    let strained: Vec<Vec<f64>> = vectors.iter().map(|vector| block.stiffness_times(vector)).collect();
    let matrix: Vec<f64> = (0..n * n).map(|at| dot(&vectors[at / n], &strained[at % n])).collect();
    let (values, rotation) = symmetric_eigenvectors(n, &matrix);
    let rotated = (0..n).map(|k| {
        let mut out = vec![0.0; block.size()];
        for (vector, row) in vectors.iter().zip(rotation.chunks_exact(n)) {
            out.iter_mut().zip(vector).for_each(|(x, v)| *x += row[k] * v);
        }
        out
    });
    (rotated.collect(), values)
}
