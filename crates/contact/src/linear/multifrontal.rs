//! LU of a matrix with symmetric pattern and unsymmetric values, by fronts.
//!
//! Nodes are eliminated in the order of the pattern, gathered in supernodes. The front of a supernode is a dense
//! matrix over its pivots and the rows below; its pivot block is factorised with row pivoting inside the block, its
//! Schur complement is added to the front of the parent. Duff & Reid, ACM TOMS 9 (1983).

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::factor::{lu_in_place, lu_in_place_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_unit_lower_triangular_in_place};
use faer::mat::{MatMut, MatRef};
use faer::prelude::{Reborrow, ReborrowMut};
use faer::{Accum, Par};

use super::Singular;
use super::pattern::{Matrix, Pattern};
use super::supernodes::Supernodes;

/// Symbolic structure and, after [`Multifrontal::factorise`], the factors.
#[derive(Debug)]
pub struct Multifrontal {
    tree: Supernodes,
    fronts: Vec<Front>,
    scratch: Vec<f64>,
}

/// Factors of one supernode: k pivots and m rows below, in scalars.
#[derive(Clone, Debug, Default)]
struct Front {
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
        let tree = Supernodes::new(pattern);
        let fronts = vec![Front::default(); tree.count()];
        Self { tree, fronts, scratch: Vec::new() }
    }

    /// Factorises `matrix` (both triangles).
    pub fn factorise(&mut self, pattern: &Pattern, matrix: &Matrix) -> Result<(), Singular> {
        for s in 0..self.tree.count() {
            let dense = self.assemble(pattern, matrix, s);
            self.fronts[s].eliminate(dense)?;
        }
        Ok(())
    }

    /// The front of supernode `s`, column-major: own entries and the Schur complements of the children.
    fn assemble(&mut self, pattern: &Pattern, matrix: &Matrix, s: usize) -> Vec<f64> {
        let size = pattern.size;
        let (columns, rows) = (self.tree.columns(s), self.tree.rows(s));
        let (k, m) = (columns.len(), rows.len());
        let n = (k + m) * size;
        let mut dense = std::mem::take(&mut self.scratch);
        dense.clear();
        dense.resize(n * n, 0.0);
        let place = |ordered: u32| -> usize {
            let ordered = ordered as usize;
            if columns.contains(&ordered) {
                ordered - columns.start
            } else {
                k + rows.binary_search(&(ordered as u32)).unwrap_or(0)
            }
        };
        for ordered in columns.clone() {
            let node = self.tree.node[ordered];
            let column = &pattern.row[pattern.first[node]..pattern.first[node + 1]];
            let local = place(ordered as u32);
            for (p, &row) in column.iter().enumerate() {
                let other = self.tree.position[row as usize];
                if (other as usize) < columns.start {
                    continue; // eliminated before: in a child's front
                }
                let q = place(other);
                // the block below the diagonal, from this column
                let start = pattern.first[node] * size * size + p * size;
                for c in 0..size {
                    let from = &matrix.values[start + c * column.len() * size..][..size];
                    dense[(local * size + c) * n + q * size..][..size].copy_from_slice(from);
                }
                // and its mirror image, from the other column, unless that one is a pivot too
                if !columns.contains(&(other as usize)) {
                    let mirror = &pattern.row[pattern.first[row as usize]..pattern.first[row as usize + 1]];
                    let at = mirror.binary_search(&(node as u32)).unwrap_or(0);
                    let start = pattern.first[row as usize] * size * size + at * size;
                    for c in 0..size {
                        let from = &matrix.values[start + c * mirror.len() * size..][..size];
                        dense[(q * size + c) * n + local * size..][..size].copy_from_slice(from);
                    }
                }
            }
        }
        for &child in &self.tree.children[s] {
            let schur = std::mem::take(&mut self.fronts[child].schur);
            let child_rows = self.tree.rows(child);
            let places: Vec<usize> = child_rows.iter().map(|&r| place(r)).collect();
            let height = child_rows.len() * size;
            for (jc, &j) in places.iter().enumerate() {
                for c in 0..size {
                    let from = &schur[(jc * size + c) * height..][..height];
                    let into = &mut dense[(j * size + c) * n..][..n];
                    for (block, &i) in from.chunks_exact(size).zip(&places) {
                        for (o, x) in into[i * size..].iter_mut().zip(block) {
                            *o += x;
                        }
                    }
                }
            }
            self.fronts[child].schur = schur;
        }
        self.fronts[s].pivots = k * size;
        self.fronts[s].below = m * size;
        dense
    }

    /// Solves in place with the last factors.
    pub fn solve(&self, pattern: &Pattern, x: &mut [f64]) {
        let size = pattern.size;
        let mut y: Vec<f64> =
            self.tree.node.iter().flat_map(|&node| x[node * size..(node + 1) * size].iter().copied()).collect();
        let mut part = Vec::new();
        // forward: L y = P x
        for s in 0..self.tree.count() {
            let (front, start) = (&self.fronts[s], self.tree.columns(s).start * size);
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
                for (block, &row) in column.chunks_exact(size).zip(self.tree.rows(s)) {
                    for (o, l) in y[row as usize * size..].iter_mut().zip(block) {
                        *o -= l * value;
                    }
                }
            }
        }
        // backward: U x = y
        for s in (0..self.tree.count()).rev() {
            let (front, start) = (&self.fronts[s], self.tree.columns(s).start * size);
            let k = front.pivots;
            for (b, &row) in self.tree.rows(s).iter().enumerate() {
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
        for (ordered, &node) in self.tree.node.iter().enumerate() {
            x[node * size..(node + 1) * size].copy_from_slice(&y[ordered * size..(ordered + 1) * size]);
        }
    }
}

impl Front {
    /// Factorises the pivots of a dense front and forms the Schur complement.
    fn eliminate(&mut self, mut dense: Vec<f64>) -> Result<(), Singular> {
        let (k, m) = (self.pivots, self.below);
        let n = k + m;
        let front = MatMut::from_column_major_slice_mut(&mut dense, n, n);
        let (mut f11, mut f12, mut f21, f22) = front.split_at_mut(k, k);
        let (mut swap, mut back) = (vec![0usize; k], vec![0usize; k]);
        let mut memory = MemBuffer::new(lu_in_place_scratch::<usize, f64>(k, k, Par::Seq, Default::default()));
        lu_in_place(f11.rb_mut(), &mut swap, &mut back, Par::Seq, MemStack::new(&mut memory), Default::default());
        for i in 0..k {
            let pivot = f11[(i, i)];
            if pivot == 0.0 || !pivot.is_finite() {
                return Err(Singular);
            }
        }
        // U12 = L11⁻¹ P F12
        self.upper.clear();
        self.upper.reserve(k * m);
        for j in 0..m {
            self.upper.extend(swap.iter().map(|&i| f12[(i, j)]));
        }
        let mut upper = MatMut::from_column_major_slice_mut(&mut self.upper, k, m);
        solve_unit_lower_triangular_in_place(f11.rb(), upper.rb_mut(), Par::Seq);
        // L21 = F21 U11⁻¹, by the transposed system
        solve_lower_triangular_in_place(f11.rb().transpose(), f21.rb_mut().transpose_mut(), Par::Seq);
        // Schur complement
        let mut f22 = f22;
        matmul(f22.rb_mut(), Accum::Add, f21.rb(), upper.rb(), -1.0, Par::Seq);
        copy(f11.rb(), &mut self.diagonal);
        copy(f21.rb(), &mut self.lower);
        copy(f22.rb(), &mut self.schur);
        f12.fill(0.0);
        self.swap = swap;
        Ok(())
    }
}

fn copy(from: MatRef<'_, f64>, into: &mut Vec<f64>) {
    into.clear();
    for j in 0..from.ncols() {
        into.extend((0..from.nrows()).map(|i| from[(i, j)]));
    }
}
