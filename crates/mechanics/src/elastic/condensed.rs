//! Elastic blocks as nodes of the contact problem.
//!
//! The rigid part of a block is a node as that of a rigid body. The elastic part is a second node with the coordinates
//! z = N p of its contacts and the mass block Ŝ = (N Ê⁻¹ Nᵀ)⁻¹ ([`voussoir_elastic::operator`]). Where the coordinates
//! depend on each other (more of them than the mesh has displacements there), N Ê⁻¹ Nᵀ = B Bᵀ is singular: the node
//! then has the unit matrix as mass, and z = B s. Both give the same W = J M⁻¹ Jᵀ, and so the same solution as all
//! points of the mesh kept as unknowns.

use std::collections::HashMap;
use std::sync::Arc;

use voussoir_contact::mass_block::{DenseMass, MassBlock};
use voussoir_elastic::{ElasticError, PointWeights};

use super::body::{ElasticBody, ElasticOperator};

/// Smallest pivot of N Ê⁻¹ Nᵀ for coordinates that are independent, relative to the largest entry.
const LEAST_PIVOT: f64 = 1e-9;

/// Pivots below this, relative to the largest, are rounding errors.
const ROUNDING_PIVOT: f64 = 1e-13;

/// Contact coordinates of an elastic block, condensed.
#[derive(Debug)]
pub(crate) struct Condensed {
    /// Weights of the points of the mesh, one list per coordinate.
    pub weights: Vec<PointWeights>,
    /// Mass block of the node.
    pub mass: Arc<dyn MassBlock>,
    /// B if z = B s; `None`: z are the velocities of the node.
    pub basis: Option<Basis>,
}

/// B of z = B s. Its rows `pivots`, in their order, are lower triangular.
#[derive(Debug, PartialEq)]
pub(crate) struct Basis {
    /// Row-major (dim per coordinate × size of the node).
    pub rows: Vec<f64>,
    pivots: Vec<usize>,
}

impl Condensed {
    /// Condenses contact coordinates; `dim` components each.
    pub fn new(operator: &dyn ElasticOperator, weights: Vec<PointWeights>, dim: usize) -> Self {
        let compliance = operator.compliance(&weights);
        let n = weights.len() * dim;
        if let Some(mass) = inverse(n, &compliance).and_then(|mass| DenseMass::new(n, &mass).ok()) {
            return Self { weights, mass: Arc::new(mass), basis: None };
        }
        let basis = root(n, &compliance);
        Self { weights, mass: Arc::new(UnitMass(basis.pivots.len())), basis: Some(basis) }
    }

    /// Velocities of the node for values z of the coordinates.
    pub fn velocities(&self, z: &[f64]) -> Vec<f64> {
        let Some(basis) = &self.basis else { return z.to_vec() };
        let size = self.size();
        let mut s: Vec<f64> = Vec::with_capacity(size);
        for (k, &pivot) in basis.pivots.iter().enumerate() {
            let row = &basis.rows[pivot * size..][..size];
            let known: f64 = row.iter().zip(&s).map(|(b, s)| b * s).sum();
            s.push((z[pivot] - known) / row[k]);
        }
        s
    }

    /// Number of velocities of the node.
    pub fn size(&self) -> usize {
        self.mass.size()
    }

    /// z of one coordinate from the velocities of the node.
    pub fn value(&self, coordinate: usize, dim: usize, velocities: &[f64]) -> [f64; 3] {
        let own = coordinate * dim;
        match &self.basis {
            None => std::array::from_fn(|c| if c < dim { velocities[own + c] } else { 0.0 }),
            Some(basis) => std::array::from_fn(|c| {
                let row = |c: usize| &basis.rows[(own + c) * self.size()..][..self.size()];
                if c < dim { row(c).iter().zip(velocities).map(|(b, v)| b * v).sum() } else { 0.0 }
            }),
        }
    }
}

/// The unit matrix as mass block.
#[derive(Debug)]
struct UnitMass(usize);

impl MassBlock for UnitMass {
    fn size(&self) -> usize {
        self.0
    }

    fn apply(&self, x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(x);
    }

    fn solve(&self, _: &mut [f64]) {}

    fn entries(&self, entry: &mut dyn FnMut(usize, usize, f64)) {
        (0..self.0).for_each(|k| entry(k, k, 1.0));
    }
}

/// Inverse of a symmetric matrix, if all pivots are well above rounding.
fn inverse(n: usize, matrix: &[f64]) -> Option<Vec<f64>> {
    let mut l = matrix.to_vec();
    let least = LEAST_PIVOT * (0..n).map(|k| matrix[k * (n + 1)]).fold(0.0, f64::max);
    for j in 0..n {
        for i in j..n {
            let (rows, own) = (&l[i * n..i * n + j], &l[j * n..j * n + j]);
            let known: f64 = rows.iter().zip(own).map(|(a, b)| a * b).sum();
            let rest = l[i * n + j] - known;
            l[i * n + j] = if i > j {
                rest / l[j * (n + 1)]
            } else if rest > least {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }
    // rows of L⁻ᵀ: column k of L⁻¹
    let mut half = vec![0.0; n * n];
    for k in 0..n {
        for i in k..n {
            let known: f64 = (k..i).map(|m| l[i * n + m] * half[k * n + m]).sum();
            half[k * n + i] = (f64::from(u8::from(i == k)) - known) / l[i * (n + 1)];
        }
    }
    let mut out = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let value: f64 = (i..n).map(|m| half[i * n + m] * half[j * n + m]).sum();
            (out[i * n + j], out[j * n + i]) = (value, value);
        }
    }
    Some(out)
}

/// B of A = B Bᵀ by Cholesky's method with pivoting.
fn root(n: usize, matrix: &[f64]) -> Basis {
    let mut rest: Vec<f64> = (0..n).map(|k| matrix[k * (n + 1)]).collect();
    let least = ROUNDING_PIVOT * rest.iter().copied().fold(0.0, f64::max);
    let (mut columns, mut pivots): (Vec<Vec<f64>>, _) = (Vec::new(), Vec::new());
    while columns.len() < n {
        // the first of the largest
        let pivot = (0..n).fold(0, |best, k| if rest[k] > rest[best] { k } else { best });
        if rest[pivot] <= least {
            break;
        }
        let scale = rest[pivot].sqrt();
        let known = |i: usize| columns.iter().map(|c| c[i] * c[pivot]).sum::<f64>();
        let column: Vec<f64> = (0..n)
            // exact zeros above the diagonal
            .map(|i| if pivots.contains(&i) { 0.0 } else { (matrix[i * n + pivot] - known(i)) / scale })
            .collect();
        rest.iter_mut().zip(&column).for_each(|(r, c)| *r -= c * c);
        rest[pivot] = 0.0;
        columns.push(column);
        pivots.push(pivot);
    }
    let rank = columns.len();
    Basis { rows: (0..n * rank).map(|at| columns[at % rank][at / rank]).collect(), pivots }
}

/// Key of a condensation: the block (by its address), hθ, and the rounded positions of its contacts.
type Question = (usize, u64, Vec<i64>);

/// Operators and condensations of the last step, for the next one and for equal blocks. They do not change results:
/// each is a function of its key only.
#[derive(Debug, Default)]
pub(crate) struct ElasticCache {
    operators: HashMap<(usize, u64), Arc<dyn ElasticOperator>>,
    last: HashMap<Question, Arc<Condensed>>,
    now: HashMap<Question, Arc<Condensed>>,
    /// Factorisations and condensations so far.
    pub counts: [u64; 2],
}

/// Number of stored operators: larger than the number of step lengths in the halvings of one step.
const MOST_OPERATORS: usize = 64;

impl ElasticCache {
    /// Removes condensations that the last step did not use.
    pub fn begin_step(&mut self) {
        self.last = std::mem::take(&mut self.now);
    }

    /// The operator of a block for hθ.
    pub fn operator(
        &mut self,
        body: &Arc<dyn ElasticBody>,
        reach: f64,
    ) -> Result<Arc<dyn ElasticOperator>, ElasticError> {
        let key = (Arc::as_ptr(body).cast::<()>() as usize, reach.to_bits());
        if let Some(found) = self.operators.get(&key) {
            return Ok(Arc::clone(found));
        }
        if self.operators.len() >= MOST_OPERATORS * (1 + self.last.len() + self.now.len()) {
            self.operators.clear();
        }
        let made = Arc::clone(body).operator(reach)?;
        self.counts[0] += 1;
        self.operators.insert(key, Arc::clone(&made));
        Ok(made)
    }

    /// The condensation for contacts at some places; `weights` computes their coordinates.
    pub fn condensed(
        &mut self,
        body: &Arc<dyn ElasticBody>,
        reach: f64,
        places: Vec<i64>,
        dim: usize,
        weights: impl FnOnce() -> Vec<PointWeights>,
    ) -> Result<Arc<Condensed>, ElasticError> {
        let question = (Arc::as_ptr(body).cast::<()>() as usize, reach.to_bits(), places);
        if let Some(found) = self.now.get(&question) {
            return Ok(Arc::clone(found));
        }
        let condensed = match self.last.get(&question) {
            Some(found) => Arc::clone(found),
            None => {
                let operator = self.operator(body, reach)?;
                self.counts[1] += 1;
                Arc::new(Condensed::new(operator.as_ref(), weights(), dim))
            }
        };
        self.now.insert(question, Arc::clone(&condensed));
        Ok(condensed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_a_compliance_give_it_back() {
        let a = [4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.5, 0.2, 2.0];
        let mass = inverse(3, &a).unwrap();
        for (i, j) in [(0, 0), (0, 1), (1, 2), (2, 2)] {
            let entry: f64 = (0..3).map(|k| a[3 * i + k] * mass[3 * k + j]).sum();
            assert!((entry - f64::from(u8::from(i == j))).abs() < 1e-14);
        }
        // rank 2: the third row is the sum of the others
        let b = [[1.0, 0.0], [0.3, 2.0], [1.3, 2.0]];
        let singular: Vec<f64> = (0..9).map(|at| b[at / 3][0] * b[at % 3][0] + b[at / 3][1] * b[at % 3][1]).collect();
        assert_eq!(inverse(3, &singular), None);
        let basis = root(3, &singular);
        assert_eq!(basis.pivots.len(), 2);
        for at in 0..9 {
            let entry: f64 = (0..2).map(|k| basis.rows[at / 3 * 2 + k] * basis.rows[at % 3 * 2 + k]).sum();
            assert!((entry - singular[at]).abs() < 1e-13);
        }
        // z = B s and back
        let condensed = Condensed { weights: Vec::new(), mass: Arc::new(UnitMass(2)), basis: Some(basis) };
        let s = condensed.velocities(&[2.0, 5.0, 7.0]);
        let z = condensed.value(0, 3, &s);
        assert!((z[0] - 2.0).abs() + (z[1] - 5.0).abs() + (z[2] - 7.0).abs() < 1e-13);
    }
}
