//! The linear system of a Newton step, H r + J v = a and Jᵀ r = q, with one small block H per element.
//!
//! It is solved through N = Jᵀ (H + δ)⁻¹ J + δ: sparse Cholesky over the graph of nodes. Near the optimum H spans the
//! whole range of f64; δ keeps the digits of N, and the iteration of [`super::interior`] around this solve removes its
//! effect.

use voussoir_contact::linear::{Cholesky, Matrix, Pattern, Singular};

use super::program::{Element, MOST_COMPONENTS, Program};

/// δ; the numbers of a program are near 1.
const SHIFT: f64 = 1e-8;

/// A small symmetric matrix, row-major with stride [`MOST_COMPONENTS`].
pub(crate) type Small = [f64; MOST_COMPONENTS * MOST_COMPONENTS];

/// N, its pattern and its factor.
pub(crate) struct Normal<'a> {
    program: &'a Program,
    pattern: Pattern,
    /// Positions where elements add: start and stride of the blocks of all pairs of nodes of an element, element by
    /// element, in the order of [`pairs`].
    slots: Vec<(usize, usize)>,
    matrix: Matrix,
    factor: Cholesky,
    /// H and (H + δ)⁻¹ of each element.
    blocks: Vec<[Small; 2]>,
}

impl<'a> Normal<'a> {
    /// Analyses the graph of a program.
    pub fn new(program: &'a Program) -> Self {
        let pattern = pattern(program);
        let size = program.dofs;
        let place = |row: u32, column: u32| {
            let first = pattern.first[column as usize];
            let rows = &pattern.row[first..pattern.first[column as usize + 1]];
            let at = rows.binary_search(&row).unwrap_or(0);
            (first * size * size + at * size, rows.len() * size)
        };
        let slots = program
            .elements
            .iter()
            .flat_map(|element| {
                let nodes = program.nodes_of(element);
                pairs(nodes).map(|[row, column]| place(nodes[row], nodes[column]))
            })
            .collect();
        let factor = Cholesky::new(&pattern);
        let blocks = vec![[[0.0; MOST_COMPONENTS * MOST_COMPONENTS]; 2]; program.elements.len()];
        Self { program, pattern, slots, matrix: Matrix::default(), factor, blocks }
    }

    /// Factorises N for the blocks H, one per element.
    pub fn factorise(&mut self, blocks: impl Iterator<Item = Small>) -> Result<(), Singular> {
        let size = self.program.dofs;
        self.matrix.values.clear();
        self.matrix.values.resize(self.pattern.row.len() * size * size, 0.0);
        let mut slots = self.slots.iter();
        for ((element, block), kept) in self.program.elements.iter().zip(blocks).zip(&mut self.blocks) {
            let mut shifted = block;
            (0..element.components).for_each(|k| shifted[k * MOST_COMPONENTS + k] += SHIFT);
            *kept = [block, invert(&shifted, element.components).ok_or(Singular)?];
            add(self.program, element, &kept[1], &mut slots, &mut self.matrix.values);
        }
        self.shift();
        self.factor.factorise(&self.matrix)
    }

    fn shift(&mut self) {
        let size = self.pattern.size;
        for node in 0..self.pattern.nodes() {
            let first = self.pattern.first[node];
            let rows = &self.pattern.row[first..self.pattern.first[node + 1]];
            let at = rows.binary_search(&(node as u32)).unwrap_or(0);
            for c in 0..size {
                let value = &mut self.matrix.values[first * size * size + at * size + c * rows.len() * size + c];
                *value += SHIFT;
            }
        }
    }

    /// out = H x (which = 0) or (H + δ)⁻¹ x (which = 1), element by element.
    fn apply(&self, which: usize, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; x.len()];
        for (element, blocks) in self.program.elements.iter().zip(&self.blocks) {
            let (m, g) = (element.components, &blocks[which]);
            let x = &x[element.first..][..m];
            for (a, out) in out[element.first..][..m].iter_mut().enumerate() {
                *out = (0..m).map(|b| g[a * MOST_COMPONENTS + b] * x[b]).sum();
            }
        }
        out
    }

    /// H r.
    pub fn stiff(&self, r: &[f64]) -> Vec<f64> {
        self.apply(0, r)
    }

    /// Solves H r + J v = a, Jᵀ r = q up to the effect of δ: v = N⁻¹(Jᵀ (H + δ)⁻¹ a − q), r = (H + δ)⁻¹(a − J v).
    pub fn solve(&self, a: &[f64], q: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut v: Vec<f64> = q.iter().map(|q| -q).collect();
        self.program.add_forces(&self.apply(1, a), &mut v);
        self.factor.solve(&mut v);
        let mut u: Vec<f64> = vec![0.0; a.len()];
        self.program.add_velocities(&v, &mut u);
        u.iter_mut().zip(a).for_each(|(u, a)| *u = a - *u);
        (self.apply(1, &u), v)
    }
}

/// The graph of nodes that share an element.
fn pattern(program: &Program) -> Pattern {
    let nodes = program.dead.len() / program.dofs;
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); nodes];
    for element in &program.elements {
        let nodes = program.nodes_of(element);
        for (k, &a) in nodes.iter().enumerate() {
            rows[a as usize].extend_from_slice(&nodes[k + 1..]);
        }
    }
    let (mut first, mut column) = (vec![0], Vec::new());
    for row in &mut rows {
        row.sort_unstable();
        row.dedup();
        column.extend_from_slice(row);
        first.push(column.len());
    }
    Pattern::of_blocks(program.dofs, &first, &column)
}

/// Pairs of nodes of an element by their places among its nodes, the one with the larger number first.
fn pairs(nodes: &[u32]) -> impl Iterator<Item = [usize; 2]> + '_ {
    let order = |i: usize, j: usize| if nodes[i] > nodes[j] { [i, j] } else { [j, i] };
    (0..nodes.len()).flat_map(move |i| (i..nodes.len()).map(move |j| order(i, j)))
}

/// Adds Jᵀ G J of one element to the lower triangle.
fn add<'a>(
    program: &Program,
    element: &Element,
    g: &Small,
    slots: &mut impl Iterator<Item = &'a (usize, usize)>,
    values: &mut [f64],
) {
    let (m, size) = (element.components, program.dofs);
    let block_of = |k: usize| &program.jacobian[element.jacobian + k * m * size..][..m * size];
    for ([row, column], &(start, stride)) in pairs(program.nodes_of(element)).zip(slots) {
        let (row, column) = (block_of(row), block_of(column));
        // G J of the column's node, then Jᵀ of the row's
        for c in 0..size {
            let mut gj = [0.0; MOST_COMPONENTS];
            for (a, gj) in gj.iter_mut().enumerate().take(m) {
                *gj = (0..m).map(|b| g[a * MOST_COMPONENTS + b] * column[b * size + c]).sum();
            }
            let out = &mut values[start + c * stride..][..size];
            for (a, gj) in gj.iter().enumerate().take(m) {
                for (o, j) in out.iter_mut().zip(&row[a * size..][..size]) {
                    *o += j * gj;
                }
            }
        }
    }
}

/// Inverse of a symmetric positive definite m × m matrix by Cholesky.
pub(crate) fn invert(h: &Small, m: usize) -> Option<Small> {
    let mut l = [0.0; MOST_COMPONENTS * MOST_COMPONENTS];
    for i in 0..m {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| l[i * MOST_COMPONENTS + k] * l[j * MOST_COMPONENTS + k]).sum();
            let rest = h[i * MOST_COMPONENTS + j] - sum;
            if i == j {
                // digits may be lost far from equilibrium; a pivot must stay positive
                let pivot = rest.max(1e-15 * h[i * MOST_COMPONENTS + i]);
                if !(pivot > 0.0 && pivot.is_finite()) {
                    return None;
                }
                l[i * MOST_COMPONENTS + i] = pivot.sqrt();
            } else {
                l[i * MOST_COMPONENTS + j] = rest / l[j * MOST_COMPONENTS + j];
            }
        }
    }
    // columns of the inverse by forward and backward substitution
    let mut out = [0.0; MOST_COMPONENTS * MOST_COMPONENTS];
    for c in 0..m {
        let mut x = [0.0; MOST_COMPONENTS];
        for i in 0..m {
            let sum: f64 = (0..i).map(|k| l[i * MOST_COMPONENTS + k] * x[k]).sum();
            x[i] = (f64::from(u8::from(i == c)) - sum) / l[i * MOST_COMPONENTS + i];
        }
        for i in (0..m).rev() {
            let sum: f64 = (i + 1..m).map(|k| l[k * MOST_COMPONENTS + i] * x[k]).sum();
            x[i] = (x[i] - sum) / l[i * MOST_COMPONENTS + i];
        }
        for (i, x) in x.iter().enumerate().take(m) {
            out[i * MOST_COMPONENTS + c] = *x;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_of_a_small_matrix() {
        let mut h = [0.0; MOST_COMPONENTS * MOST_COMPONENTS];
        let full = [[4.0, 1.0, 0.5], [1.0, 3.0, -0.2], [0.5, -0.2, 2.0]];
        for i in 0..3 {
            for j in 0..3 {
                h[i * MOST_COMPONENTS + j] = full[i][j];
            }
        }
        let inverse = invert(&h, 3).unwrap();
        for i in 0..3 {
            for j in 0..3 {
                let product: f64 = (0..3).map(|k| full[i][k] * inverse[k * MOST_COMPONENTS + j]).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-14);
            }
        }
    }
}
