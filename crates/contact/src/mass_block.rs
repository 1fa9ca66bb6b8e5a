//! Nodes with any number of velocities: a mass block of their own behind a trait.
//!
//! A rigid body has `dofs` velocities (3 or 6) and a dense `dofs × dofs` mass block. A node with more of them, for example
//! an elastic block or several rigid bodies glued together, has `size` velocities and a [`MassBlock`]. In a
//! [`crate::Problem`] it occupies as many consecutive *cells* of `dofs` velocities as it needs; the last cell is padded
//! with velocities of mass 1 that no contact moves. Jacobians, products and sparse factors therefore keep blocks of one
//! size, and only the operations with M and M⁻¹ distinguish between the two kinds of nodes.

use std::fmt::Debug;
use std::sync::Arc;

use voussoir_dense::Singular;

use crate::problem::{Problem, blocks, dot, times_inverse};

/// The mass block M of one node: symmetric positive definite, dense or factored.
pub trait MassBlock: Debug + Send + Sync {
    /// Number of velocities.
    fn size(&self) -> usize;

    /// out = M x.
    fn apply(&self, x: &[f64], out: &mut [f64]);

    /// x ← M⁻¹ x.
    fn solve(&self, x: &mut [f64]);

    /// Calls `entry(row, column, value)` for every entry of M that is not zero, both triangles, each once.
    fn entries(&self, entry: &mut dyn FnMut(usize, usize, f64));
}

/// A dense mass block with its Cholesky factor.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseMass {
    size: usize,
    /// M, row-major
    matrix: Vec<f64>,
    /// L of M = L Lᵀ, row-major; nothing above the diagonal
    factor: Vec<f64>,
}

impl DenseMass {
    /// From a symmetric positive definite matrix, row-major `size × size`.
    pub fn new(size: usize, matrix: &[f64]) -> Result<Self, Singular> {
        let mut factor = matrix.to_vec();
        for j in 0..size {
            for i in j..size {
                let known: f64 = (0..j).map(|k| factor[i * size + k] * factor[j * size + k]).sum();
                let rest = factor[i * size + j] - known;
                factor[i * size + j] = if i > j {
                    rest / factor[j * size + j]
                } else if rest > 0.0 && rest.is_finite() {
                    rest.sqrt()
                } else {
                    return Err(Singular);
                };
            }
            factor[j * size + j + 1..(j + 1) * size].fill(0.0);
        }
        Ok(Self { size, matrix: matrix.to_vec(), factor })
    }
}

impl MassBlock for DenseMass {
    fn size(&self) -> usize {
        self.size
    }

    fn apply(&self, x: &[f64], out: &mut [f64]) {
        for (out, row) in out.iter_mut().zip(self.matrix.chunks_exact(self.size)) {
            *out = row.iter().zip(x).map(|(m, x)| m * x).sum();
        }
    }

    fn solve(&self, x: &mut [f64]) {
        let (n, l) = (self.size, &self.factor);
        for i in 0..n {
            let known: f64 = (0..i).map(|k| l[i * n + k] * x[k]).sum();
            x[i] = (x[i] - known) / l[i * n + i];
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| l[k * n + i] * x[k]).sum();
            x[i] = (x[i] - known) / l[i * n + i];
        }
    }

    fn entries(&self, entry: &mut dyn FnMut(usize, usize, f64)) {
        for (at, &value) in self.matrix.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            entry(at / self.size, at % self.size, value);
        }
    }
}

/// A node of several cells.
#[derive(Clone, Debug)]
pub(crate) struct WideNode {
    /// First cell.
    pub first: usize,
    /// Number of cells.
    pub cells: usize,
    /// Its mass block.
    pub mass: Arc<dyn MassBlock>,
}

impl WideNode {
    /// x ← M⁻¹ x on the velocities of this node, padding left as it is.
    pub fn solve(&self, x: &mut [f64]) {
        self.mass.solve(&mut x[..self.mass.size()]);
    }

    fn entries(&self) -> Vec<(usize, usize, f64)> {
        let mut entries = Vec::new();
        self.mass.entries(&mut |row, column, value| entries.push((row, column, value)));
        entries
    }
}

impl PartialEq for WideNode {
    fn eq(&self, other: &Self) -> bool {
        (self.first, self.cells) == (other.first, other.cells) && self.entries() == other.entries()
    }
}

impl Problem {
    /// True if nodes have mass blocks of their own.
    pub fn has_mass_blocks(&self) -> bool {
        !self.wide.is_empty()
    }

    /// True when a contact touches a node with a [`MassBlock`].
    pub(crate) fn touches_wide(&self, contact: usize) -> bool {
        !self.wide.is_empty() && self.nodes_of(contact).iter().any(|&cell| self.wide_node(cell as usize).is_some())
    }

    /// J M⁻¹ Jᵀ of one contact.
    pub(crate) fn wide_diagonal<const D: usize, const B: usize>(&self, contact: usize) -> [[f64; D]; D] {
        let jac = blocks::<D, B>(&self.jacobian);
        let mut w = [[0.0; D]; D];
        for (cell, rows) in self.lifted::<D, B>(contact) {
            for e in (self.first[contact]..self.first[contact + 1]).filter(|&e| self.node[e] == cell) {
                for a in 0..D {
                    for b in 0..D {
                        w[a][b] += dot(&jac[e][a], &rows[b]);
                    }
                }
            }
        }
        w
    }

    /// M⁻¹ Jᵀ of one contact as rows on cells: one item per entry on a rigid node, and one per cell of each other node.
    pub(crate) fn lifted<const D: usize, const B: usize>(&self, contact: usize) -> Vec<(u32, [[f64; B]; D])> {
        let (jac, inverse) = (blocks::<D, B>(&self.jacobian), blocks::<B, B>(&self.inverse_mass));
        let entries = self.first[contact]..self.first[contact + 1];
        let mut lifted = Vec::with_capacity(entries.len());
        for e in entries.clone() {
            let cell = self.node[e];
            let Some(wide) = self.wide_node(cell as usize) else {
                lifted.push((cell, times_inverse(&jac[e], &inverse[cell as usize])));
                continue;
            };
            let own = wide.first..wide.first + wide.cells;
            // all entries of the node at once, at the first of them
            if (entries.start..e).any(|other| own.contains(&(self.node[other] as usize))) {
                continue;
            }
            let mut rows = vec![[[0.0; B]; D]; wide.cells];
            for f in entries.clone().filter(|&f| own.contains(&(self.node[f] as usize))) {
                let cell = &mut rows[self.node[f] as usize - wide.first];
                for (row, add) in cell.iter_mut().zip(&jac[f]) {
                    row.iter_mut().zip(add).for_each(|(x, j)| *x += j);
                }
            }
            for a in 0..D {
                let mut x: Vec<f64> = rows.iter().flat_map(|cell| cell[a]).collect();
                wide.solve(&mut x);
                rows.iter_mut().zip(x.as_chunks::<B>().0).for_each(|(cell, x)| cell[a] = *x);
            }
            lifted.extend(rows.into_iter().enumerate().map(|(k, rows)| ((wide.first + k) as u32, rows)));
        }
        lifted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn solving_undoes_applying(seed in prop::collection::vec(-1.0..1.0f64, 81), x in prop::collection::vec(-1.0..1.0f64, 9)) {
            // M = AAᵀ + I
            let entry = |i: usize, j: usize| (0..9).map(|k| seed[9 * i + k] * seed[9 * j + k]).sum::<f64>();
            let matrix: Vec<f64> = (0..81).map(|at| entry(at / 9, at % 9) + f64::from(u8::from(at % 10 == 0))).collect();
            let mass = DenseMass::new(9, &matrix).unwrap();
            let mut y = vec![0.0; 9];
            mass.apply(&x, &mut y);
            mass.solve(&mut y);
            prop_assert!(x.iter().zip(&y).all(|(a, b)| (a - b).abs() < 1e-10));
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_definite_is_refused() {
        assert!(DenseMass::new(2, &[1.0, 2.0, 2.0, 1.0]).is_err());
    }
}
