//! LU of a matrix with symmetric pattern and unsymmetric values, by fronts.
//!
//! Nodes are eliminated in the order of the pattern, gathered in supernodes; the pivot block of each front is
//! factorised with row pivoting inside the block.

use faer::prelude::{Reborrow, ReborrowMut};
use faer::{MatMut, MatRef};
use voussoir_dense::{lu, solve_lower, solve_unit_lower, subtract_product};

use super::Singular;
use super::fronts::{Front, Plan, by_panels};
use super::pattern::{Matrix, Pattern};

/// Symbolic structure and, after [`Multifrontal::factorise`], the factors.
#[derive(Debug)]
pub struct Multifrontal {
    plan: Plan,
    fronts: Vec<Factors>,
}

/// Factors of one supernode: k pivots and m rows below, in scalars.
#[derive(Clone, Debug, Default)]
struct Factors {
    pivots: usize,
    below: usize,
    /// LU of the pivot block, column-major k × k
    diagonal: Vec<f64>,
    /// row permutation of the pivot block
    swap: Vec<usize>,
    /// rows below the pivots, times U⁻¹: column-major m × k
    lower: Vec<f64>,
    /// columns right of the pivots, L⁻¹P times them: column-major k × m
    upper: Vec<f64>,
    /// Schur complement for the parent, column-major m × m
    schur: Vec<f64>,
}

impl Multifrontal {
    /// Analyses the pattern.
    pub fn new(pattern: &Pattern) -> Self {
        Self { plan: Plan::new(pattern, false), fronts: Vec::new() }
    }

    /// Factorises `matrix` (both triangles).
    pub fn factorise(&mut self, matrix: &Matrix) -> Result<(), Singular> {
        self.plan.factorise(matrix, &mut self.fronts)
    }

    /// Solves in place with the last factors.
    pub fn solve(&self, x: &mut [f64]) {
        let (tree, size) = (&self.plan.tree, self.plan.size);
        let mut y = tree.ordered(x, size);
        let mut part = Vec::new();
        // forward: L y = P x
        for s in 0..tree.count() {
            let (front, start) = (&self.fronts[s], tree.columns(s).start * size);
            let k = front.pivots;
            part.clear();
            part.extend(front.swap.iter().map(|&i| y[start + i]));
            for j in 0..k {
                let value = part[j];
                for (i, p) in part.iter_mut().enumerate().skip(j + 1) {
                    *p -= front.diagonal[j * k + i] * value;
                }
            }
            y[start..start + k].copy_from_slice(&part);
            for (j, &value) in part.iter().enumerate() {
                let column = &front.lower[j * front.below..(j + 1) * front.below];
                for (block, &row) in column.chunks_exact(size).zip(tree.rows(s)) {
                    for (o, l) in y[row as usize * size..].iter_mut().zip(block) {
                        *o -= l * value;
                    }
                }
            }
        }
        // backward: U x = y
        for s in (0..tree.count()).rev() {
            let (front, start) = (&self.fronts[s], tree.columns(s).start * size);
            let k = front.pivots;
            for (b, &row) in tree.rows(s).iter().enumerate() {
                for c in 0..size {
                    let value = y[row as usize * size + c];
                    let column = &front.upper[(b * size + c) * k..][..k];
                    for (o, u) in y[start..start + k].iter_mut().zip(column) {
                        *o -= u * value;
                    }
                }
            }
            for j in (0..k).rev() {
                let value = y[start + j] / front.diagonal[j * k + j];
                y[start + j] = value;
                for i in 0..j {
                    y[start + i] -= front.diagonal[j * k + i] * value;
                }
            }
        }
        tree.scattered(&y, size, x);
    }
}

impl Front for Factors {
    const LOWER: bool = false;

    fn eliminate(&mut self, dense: &mut [f64], n: usize, pivots: usize, _size: usize) -> Result<(), Singular> {
        let (k, m) = (pivots, n - pivots);
        (self.pivots, self.below) = (k, m);
        let (left, right) = dense.split_at_mut(k * n);
        let (mut f11, mut f21) = MatMut::from_column_major_slice_mut(left, n, k).split_at_row_mut(k);
        let swap = lu(f11.rb_mut())?;
        // U12 = L11⁻¹ P F12
        self.upper.clear();
        for column in right.chunks_exact(n) {
            self.upper.extend(swap.iter().map(|&i| column[i]));
        }
        let mut upper = MatMut::from_column_major_slice_mut(&mut self.upper, k, m);
        solve_unit_lower(f11.rb(), upper.rb_mut());
        // L21 = F21 U11⁻¹, by the transposed system
        solve_lower(f11.rb().transpose(), f21.rb_mut().transpose_mut());
        // Schur complement
        let (lower, upper) = (f21.rb(), upper.rb());
        by_panels(right, n, |first, columns| {
            let wide = columns.len() / n;
            let into = MatMut::from_column_major_slice_mut(columns, n, wide).subrows_mut(k, m);
            subtract_product(into, lower, upper.subcols(first, wide));
        });
        copy(f11.rb(), &mut self.diagonal);
        copy(f21.rb(), &mut self.lower);
        self.schur.clear();
        for column in right.chunks_exact(n) {
            self.schur.extend_from_slice(&column[k..]);
        }
        self.swap = swap;
        Ok(())
    }

    fn take_schur(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.schur)
    }
}

fn copy(from: MatRef<'_, f64>, into: &mut Vec<f64>) {
    into.clear();
    for j in 0..from.ncols() {
        into.extend((0..from.nrows()).map(|i| from[(i, j)]));
    }
}
