//! Symmetric matrices in skyline storage, their Cholesky factors, and eigenvalues of tridiagonal matrices.

use std::collections::VecDeque;

/// Lower triangle, row by row from the first entry that is not zero.
#[derive(Clone, Debug)]
pub(crate) struct Skyline {
    /// First column of each row.
    first: Vec<usize>,
    /// Where each row starts.
    start: Vec<usize>,
    values: Vec<f64>,
}

impl Skyline {
    /// An empty matrix of blocks; `links` are the pairs of blocks that have entries.
    pub fn of_blocks(blocks: usize, dofs: usize, links: impl Iterator<Item = [usize; 2]>) -> Self {
        let mut lowest: Vec<usize> = (0..blocks).collect();
        for [a, b] in links {
            lowest[a.max(b)] = lowest[a.max(b)].min(a.min(b));
        }
        let (mut first, mut start, mut length) = (Vec::new(), Vec::new(), 0);
        for (block, &low) in lowest.iter().enumerate() {
            for i in 0..dofs {
                first.push(low * dofs);
                start.push(length);
                length += block * dofs + i + 1 - low * dofs;
            }
        }
        Self { first, start, values: vec![0.0; length] }
    }

    fn at(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.values[self.start[row] + column - self.first[row]]
    }

    /// The entry on the diagonal.
    pub fn diagonal(&self, row: usize) -> f64 {
        self.values[self.start[row] + row - self.first[row]]
    }

    /// Adds k (r₁, r₂)(r₁, r₂)ᵀ for the rows of two blocks; a block that does not exist is `usize::MAX`.
    pub fn add_outer(&mut self, blocks: [usize; 2], dofs: usize, rows: &[[f64; 6]; 2], k: f64) {
        for (p, a) in blocks.into_iter().enumerate().filter(|(_, a)| *a != usize::MAX) {
            for (q, b) in blocks.into_iter().enumerate().filter(|(_, b)| *b != usize::MAX) {
                for i in 0..dofs {
                    for j in 0..dofs {
                        let (row, column) = (a * dofs + i, b * dofs + j);
                        if column <= row {
                            *self.at(row, column) += k * rows[p][i] * rows[q][j];
                        }
                    }
                }
            }
        }
    }

    /// Adds `scale` times a block diagonal matrix (blocks × dofs × dofs).
    pub fn add_blocks(&mut self, dofs: usize, blocks: &[f64], scale: f64) {
        for (k, block) in blocks.chunks_exact(dofs * dofs).enumerate() {
            for i in 0..dofs {
                for j in 0..=i {
                    *self.at(k * dofs + i, k * dofs + j) += scale * block[i * dofs + j];
                }
            }
        }
    }

    /// Matrix times vector.
    pub fn multiply(&self, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; x.len()];
        for row in 0..x.len() {
            let (first, start) = (self.first[row], self.start[row]);
            let entries = &self.values[start..=start + row - first];
            let (diagonal, rest) = (entries[row - first], &entries[..row - first]);
            y[row] += diagonal * x[row] + rest.iter().zip(&x[first..row]).map(|(a, x)| a * x).sum::<f64>();
            for (a, y) in rest.iter().zip(&mut y[first..row]) {
                *y += a * x[row];
            }
        }
        y
    }

    /// Replaces the matrix, which is positive definite, by its Cholesky factor.
    pub fn factorise(&mut self) {
        for row in 0..self.first.len() {
            let (first, start) = (self.first[row], self.start[row]);
            for column in first..=row {
                let (other, from) = (self.first[column], self.start[column]);
                let low = first.max(other);
                let left = &self.values[start + low - first..start + column - first];
                let right = &self.values[from + low - other..from + column - other];
                let sum: f64 = left.iter().zip(right).map(|(a, b)| a * b).sum();
                let value = self.values[start + column - first] - sum;
                self.values[start + column - first] = if column == row {
                    value.max(f64::MIN_POSITIVE).sqrt()
                } else {
                    value / self.values[from + column - other]
                };
            }
        }
    }

    /// Solves with the Cholesky factor.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for row in 0..x.len() {
            let (first, start) = (self.first[row], self.start[row]);
            let entries = &self.values[start..start + row - first];
            let sum: f64 = entries.iter().zip(&x[first..row]).map(|(a, x)| a * x).sum();
            x[row] = (x[row] - sum) / self.values[start + row - first];
        }
        for row in (0..x.len()).rev() {
            let (first, start) = (self.first[row], self.start[row]);
            x[row] /= self.values[start + row - first];
            let value = x[row];
            let entries = &self.values[start..start + row - first];
            entries.iter().zip(&mut x[first..row]).for_each(|(a, x)| *x -= a * value);
        }
        x
    }
}

/// An order of nodes with small distances between neighbours (Cuthill and McKee 1969, reversed).
pub(crate) fn reverse_cuthill_mckee(count: usize, edges: &[[usize; 2]]) -> Vec<usize> {
    let mut neighbours = vec![Vec::new(); count];
    for &[a, b] in edges.iter().filter(|[a, b]| a != b) {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    let mut nodes: Vec<usize> = (0..count).collect();
    nodes.sort_by_key(|&k| (neighbours[k].len(), k));
    let (mut order, mut seen) = (Vec::with_capacity(count), vec![false; count]);
    for start in nodes {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            order.push(node);
            let mut next: Vec<usize> = neighbours[node].iter().copied().filter(|&k| !seen[k]).collect();
            next.sort_by_key(|&k| (neighbours[k].len(), k));
            for k in next {
                seen[k] = true;
                queue.push_back(k);
            }
        }
    }
    order.reverse();
    order
}

/// Eigenvalues (falling) and vectors of a symmetric tridiagonal matrix, by the QL method with implicit shifts (Golub and Van
/// Loan, Matrix Computations, §8.3).
pub(crate) fn tridiagonal_eigen(alphas: &[f64], betas: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = alphas.len();
    let mut d = alphas.to_vec();
    let mut e: Vec<f64> = betas[..n - 1].iter().copied().chain([0.0]).collect();
    // columns are eigenvectors
    let mut z: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for l in 0..n {
        for _ in 0..200 {
            let small = |k: usize| e[k].abs() <= f64::EPSILON * (d[k].abs() + d[k + 1].abs());
            let m = (l..n - 1).find(|&k| small(k)).unwrap_or(n - 1);
            if m == l {
                break;
            }
            let mut g = (d[l + 1] - d[l]) / (2.0 * e[l]);
            let mut r = g.hypot(1.0);
            g = d[m] - d[l] + e[l] / (g + r.copysign(g));
            let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
            for i in (l..m).rev() {
                let (f, b) = (s * e[i], c * e[i]);
                r = f.hypot(g);
                e[i + 1] = r;
                if r == 0.0 {
                    d[i + 1] -= p;
                    e[m] = 0.0;
                    break;
                }
                (s, c) = (f / r, g / r);
                g = d[i + 1] - p;
                r = (d[i] - g) * s + 2.0 * c * b;
                p = s * r;
                d[i + 1] = g + p;
                g = c * r - b;
                for row in &mut z {
                    let f = row[i + 1];
                    row[i + 1] = s * row[i] + c * f;
                    row[i] = c * row[i] - s * f;
                }
            }
            d[l] -= p;
            e[l] = g;
            e[m] = 0.0;
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| d[j].total_cmp(&d[i]));
    let vectors = order.iter().map(|&j| z.iter().map(|row| row[j]).collect()).collect();
    (order.iter().map(|&j| d[j]).collect(), vectors)
}
