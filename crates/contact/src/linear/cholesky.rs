//! LLᵀ by fronts, for symmetric positive definite matrices.

use faer::{MatMut, MatRef};
use voussoir_dense::{cholesky, solve_lower, subtract_product};

use super::Singular;
use super::fronts::{Front, PANEL, Plan, by_panels};
use super::pattern::{Matrix, Pattern};

/// A symbolic and, after [`Cholesky::factorise`], a numeric factor.
#[derive(Debug)]
pub struct Cholesky {
    plan: Plan,
    fronts: Vec<Columns>,
}

/// Factor columns of one supernode: column-major, (pivots + below) × pivots.
#[derive(Debug, Default)]
struct Columns {
    height: usize,
    values: Vec<f64>,
    schur: Vec<f64>,
}

impl Cholesky {
    /// Analyses the pattern.
    pub fn new(pattern: &Pattern) -> Self {
        Self { plan: Plan::new(pattern, true), fronts: Vec::new() }
    }

    /// Factorises `matrix` (blocks on and below the diagonal).
    pub fn factorise(&mut self, matrix: &Matrix) -> Result<(), Singular> {
        self.plan.factorise(matrix, &mut self.fronts)
    }

    /// Solves in place with the last factor.
    pub fn solve(&self, x: &mut [f64]) {
        let (tree, size) = (&self.plan.tree, self.plan.size);
        let mut y = tree.ordered(x, size);
        let mut below = Vec::new();
        for (s, front) in self.fronts.iter().enumerate() {
            let (start, rows) = (tree.columns(s).start * size, tree.rows(s));
            let pivots = front.pivots();
            below.clear();
            below.resize(front.height - pivots, 0.0);
            for (j, column) in front.values.chunks_exact(front.height.max(1)).enumerate() {
                let value = y[start + j] / column[j];
                y[start + j] = value;
                for (o, l) in y[start + j + 1..start + pivots].iter_mut().zip(&column[j + 1..pivots]) {
                    *o -= l * value;
                }
                for (o, l) in below.iter_mut().zip(&column[pivots..]) {
                    *o += l * value;
                }
            }
            for (block, &row) in below.chunks_exact(size).zip(rows) {
                for (o, b) in y[row as usize * size..].iter_mut().zip(block) {
                    *o -= b;
                }
            }
        }
        for (s, front) in self.fronts.iter().enumerate().rev() {
            let (start, rows) = (tree.columns(s).start * size, tree.rows(s));
            let pivots = front.pivots();
            below.clear();
            below.extend(rows.iter().flat_map(|&row| y[row as usize * size..][..size].iter().copied()));
            for (j, column) in front.values.chunks_exact(front.height.max(1)).enumerate().rev() {
                let inner = dot(&column[j + 1..pivots], &y[start + j + 1..start + pivots]);
                y[start + j] = (y[start + j] - inner - dot(&column[pivots..], &below)) / column[j];
            }
        }
        tree.scattered(&y, size, x);
    }

    /// Numbers in the factor.
    pub fn factor_size(&self) -> usize {
        self.fronts.iter().map(|front| front.values.len()).sum()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    // four sums: the compiler may not reorder one
    let mut sums = [0.0; 4];
    let (a4, b4) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    for (a, b) in a4.0.iter().zip(b4.0) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    sums.iter().sum::<f64>() + a4.1.iter().zip(b4.1).map(|(a, b)| a * b).sum::<f64>()
}

impl Columns {
    fn pivots(&self) -> usize {
        self.values.len().checked_div(self.height).unwrap_or(0)
    }
}

impl Front for Columns {
    const LOWER: bool = true;

    fn eliminate(&mut self, dense: &mut [f64], n: usize, pivots: usize, size: usize) -> Result<(), Singular> {
        for p in (0..pivots).step_by(PANEL) {
            let width = PANEL.min(pivots - p);
            let (left, right) = dense.split_at_mut((p + width) * n);
            let panel = MatMut::from_column_major_slice_mut(&mut left[p * n..], n, width);
            let (mut diagonal, mut below) = panel.submatrix_mut(p, 0, n - p, width).split_at_row_mut(width);
            cholesky(diagonal.as_mut())?;
            // L21 = A21 L11⁻ᵀ
            solve_lower(diagonal.as_ref(), below.as_mut().transpose_mut());
            let below = below.as_ref();
            by_panels(right, n, |first, columns| {
                let wide = columns.len() / n;
                let into = MatMut::from_column_major_slice_mut(columns, n, wide);
                let into = into.submatrix_mut(p + width + first, 0, n - p - width - first, wide);
                let rows: MatRef<'_, f64> = below.subrows(first, below.nrows() - first);
                subtract_product(into, rows, rows.subrows(0, wide).transpose());
            });
        }
        self.height = n;
        self.values.clear();
        self.values.extend_from_slice(&dense[..pivots * n]);
        self.schur.clear();
        for (c, column) in dense[pivots * n..].chunks_exact(n).enumerate() {
            self.schur.extend_from_slice(&column[pivots + c / size * size..]);
        }
        Ok(())
    }

    fn take_schur(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.schur)
    }
}
