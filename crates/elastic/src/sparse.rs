//! Symmetric sparse matrices of D × D blocks, and their Cholesky factor.
//!
//! Stiffness has blocks, mass has one number per block (times the unit matrix); both have the pattern of the mesh, of which the
//! lower triangle is stored. The factor PAPᵀ = LLᵀ is computed column by column from the left (George & Liu 1981, §5), in
//! the order of minimum degree.

use crate::error::ElasticError;

/// A D × D block, row-major.
pub(crate) type DenseBlock<const D: usize> = [[f64; D]; D];

/// Lower triangle of a symmetric pattern: `rows[first[j]..first[j + 1]]` are the rows i ≥ j of column j, rising, j first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LowerPattern {
    pub first: Vec<usize>,
    pub rows: Vec<u32>,
}

impl LowerPattern {
    /// From groups of points that are connected with each other.
    pub fn new<'a>(n: usize, groups: impl Iterator<Item = &'a [u32]>) -> Self {
        let mut columns: Vec<Vec<u32>> = (0..n).map(|j| vec![j as u32]).collect();
        for group in groups {
            for &a in group {
                columns[a as usize].extend(group.iter().filter(|&&b| b > a));
            }
        }
        let (mut first, mut rows) = (vec![0], Vec::new());
        for column in &mut columns {
            column.sort_unstable();
            column.dedup();
            rows.extend_from_slice(column);
            first.push(rows.len());
        }
        Self { first, rows }
    }

    /// Number of columns.
    pub fn size(&self) -> usize {
        self.first.len() - 1
    }

    /// Place of an entry with i ≥ j.
    pub fn place(&self, i: u32, j: u32) -> usize {
        let column = self.first[j as usize]..self.first[j as usize + 1];
        let start = column.start;
        start + self.rows[column].partition_point(|&row| row < i)
    }

    /// Calls `entry(place, row, column)` for every stored entry.
    pub fn each(&self, mut entry: impl FnMut(usize, usize, usize)) {
        for j in 0..self.size() {
            for at in self.first[j]..self.first[j + 1] {
                entry(at, self.rows[at] as usize, j);
            }
        }
    }

    /// An order of elimination with little fill.
    fn order(&self) -> Vec<usize> {
        let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); self.size()];
        self.each(|_, i, j| {
            if i != j {
                neighbours[i].push(j);
                neighbours[j].push(i);
            }
        });
        let (mut first, mut rows) = (vec![0], Vec::new());
        for list in &mut neighbours {
            list.sort_unstable();
            rows.extend_from_slice(list);
            first.push(rows.len());
        }
        voussoir_dense::minimum_degree(&first, &rows)
    }
}

/// out = A x for blocks in the lower triangle.
pub(crate) fn block_product<const D: usize>(pattern: &LowerPattern, blocks: &[DenseBlock<D>], x: &[f64]) -> Vec<f64> {
    let x = x.as_chunks::<D>().0;
    let mut out = vec![[0.0; D]; x.len()];
    pattern.each(|at, i, j| {
        for (r, row) in blocks[at].iter().enumerate() {
            for (c, value) in row.iter().enumerate() {
                out[i][r] += value * x[j][c];
                if i != j {
                    out[j][c] += value * x[i][r];
                }
            }
        }
    });
    out.into_flattened()
}

/// out = M x for one number per block.
pub(crate) fn scalar_product<const D: usize>(pattern: &LowerPattern, values: &[f64], x: &[f64]) -> Vec<f64> {
    let x = x.as_chunks::<D>().0;
    let mut out = vec![[0.0; D]; x.len()];
    pattern.each(|at, i, j| {
        for c in 0..D {
            out[i][c] += values[at] * x[j][c];
            if i != j {
                out[j][c] += values[at] * x[i][c];
            }
        }
    });
    out.into_flattened()
}

/// L of PAPᵀ = LLᵀ.
#[derive(Clone, Debug)]
pub(crate) struct SparseFactor<const D: usize> {
    /// order[k] = point that is eliminated k-th
    order: Vec<usize>,
    /// pattern of L, rows by their place in the order
    pattern: LowerPattern,
    /// blocks of L; those of the diagonal are lower triangular
    blocks: Vec<DenseBlock<D>>,
}

impl<const D: usize> SparseFactor<D> {
    /// Factorises a symmetric positive definite matrix.
    pub fn new(pattern: &LowerPattern, blocks: &[DenseBlock<D>]) -> Result<Self, ElasticError> {
        let n = pattern.size();
        let order = pattern.order();
        let mut place = vec![0; n];
        order.iter().enumerate().for_each(|(k, &point)| place[point] = k);
        // columns of PAPᵀ: rows below the diagonal with the place of the block, and whether it is transposed
        let mut columns: Vec<Vec<(u32, usize, bool)>> = vec![Vec::new(); n];
        pattern.each(|at, i, j| {
            let (row, column) = (place[i], place[j]);
            columns[row.min(column)].push((row.max(column) as u32, at, row < column));
        });
        let filled = fill(&columns);
        let mut factor = Self { order, blocks: vec![[[0.0; D]; D]; filled.rows.len()], pattern: filled };
        factor.eliminate(&columns, blocks)?;
        Ok(factor)
    }

    fn eliminate(&mut self, columns: &[Vec<(u32, usize, bool)>], given: &[DenseBlock<D>]) -> Result<(), ElasticError> {
        let n = columns.len();
        let (first, rows) = (&self.pattern.first, &self.pattern.rows);
        let mut work = vec![[[0.0; D]; D]; n];
        // finished columns whose next row is j, as linked lists
        let (mut head, mut next) = (vec![usize::MAX; n], vec![usize::MAX; n]);
        let mut at_row: Vec<usize> = first[..n].to_vec();
        for j in 0..n {
            for &(row, at, transposed) in &columns[j] {
                let block = &given[at];
                work[row as usize] =
                    if transposed { std::array::from_fn(|r| std::array::from_fn(|c| block[c][r])) } else { *block };
            }
            let mut k = head[j];
            while k != usize::MAX {
                let following = next[k];
                let (start, end) = (at_row[k], first[k + 1]);
                let pivot = self.blocks[start];
                for (row, block) in rows[start..end].iter().zip(&self.blocks[start..end]) {
                    let target = &mut work[*row as usize];
                    for r in 0..D {
                        for c in 0..D {
                            let mut sum = 0.0;
                            for l in 0..D {
                                sum += block[r][l] * pivot[c][l];
                            }
                            target[r][c] -= sum;
                        }
                    }
                }
                at_row[k] += 1;
                if at_row[k] < end {
                    let row = rows[at_row[k]] as usize;
                    (next[k], head[row]) = (head[row], k);
                }
                k = following;
            }
            let diagonal = lower_factor(&work[j]).ok_or(ElasticError::Singular)?;
            self.blocks[first[j]] = diagonal;
            work[j] = [[0.0; D]; D];
            for at in first[j] + 1..first[j + 1] {
                let block = std::mem::replace(&mut work[rows[at] as usize], [[0.0; D]; D]);
                self.blocks[at] = times_inverse_transpose(&block, &diagonal);
            }
            at_row[j] = first[j] + 1;
            if at_row[j] < first[j + 1] {
                let row = rows[at_row[j]] as usize;
                (next[j], head[row]) = (head[row], j);
            }
        }
        Ok(())
    }

    /// L⁻¹ P b.
    pub fn forward(&self, b: &[f64]) -> Vec<f64> {
        let b = b.as_chunks::<D>().0;
        let mut x: Vec<[f64; D]> = self.order.iter().map(|&point| b[point]).collect();
        for j in 0..x.len() {
            let column = self.pattern.first[j]..self.pattern.first[j + 1];
            let diagonal = &self.blocks[column.start];
            let mut y = x[j];
            for r in 0..D {
                let known: f64 = (0..r).map(|c| diagonal[r][c] * y[c]).sum();
                y[r] = (y[r] - known) / diagonal[r][r];
            }
            x[j] = y;
            if y == [0.0; D] {
                continue;
            }
            for at in column.start + 1..column.end {
                let target = &mut x[self.pattern.rows[at] as usize];
                for (t, row) in target.iter_mut().zip(&self.blocks[at]) {
                    *t -= row.iter().zip(&y).map(|(a, b)| a * b).sum::<f64>();
                }
            }
        }
        x.into_flattened()
    }

    /// A⁻¹ b.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = self.forward(b);
        let x = x.as_chunks_mut::<D>().0;
        for j in (0..x.len()).rev() {
            let column = self.pattern.first[j]..self.pattern.first[j + 1];
            let mut y = x[j];
            for at in column.start + 1..column.end {
                let known = &x[self.pattern.rows[at] as usize];
                for (row, value) in self.blocks[at].iter().zip(known) {
                    y.iter_mut().zip(row).for_each(|(y, a)| *y -= a * value);
                }
            }
            let diagonal = &self.blocks[column.start];
            for r in (0..D).rev() {
                let known: f64 = (r + 1..D).map(|c| diagonal[c][r] * y[c]).sum();
                y[r] = (y[r] - known) / diagonal[r][r];
            }
            x[j] = y;
        }
        let mut out = vec![[0.0; D]; x.len()];
        self.order.iter().zip(x).for_each(|(&point, value)| out[point] = *value);
        out.into_flattened()
    }

    /// Numbers stored.
    pub fn stored(&self) -> usize {
        self.blocks.len() * D * D
    }
}

/// Pattern of L: a column takes over the rows of its children in the elimination tree.
fn fill(columns: &[Vec<(u32, usize, bool)>]) -> LowerPattern {
    let n = columns.len();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); n];
    let (mut first, mut rows) = (vec![0], Vec::<u32>::new());
    let mut seen = vec![usize::MAX; n];
    for j in 0..n {
        let start = rows.len();
        let own = columns[j].iter().map(|entry| entry.0);
        let inherited = children[j].iter().flat_map(|&k| rows[first[k]..first[k + 1]].to_vec()).collect::<Vec<u32>>();
        for row in std::iter::once(j as u32).chain(own).chain(inherited).filter(|&row| row as usize >= j) {
            if seen[row as usize] != j {
                seen[row as usize] = j;
                rows.push(row);
            }
        }
        rows[start..].sort_unstable();
        first.push(rows.len());
        if let Some(&parent) = rows.get(start + 1) {
            children[parent as usize].push(j);
        }
    }
    LowerPattern { first, rows }
}

fn lower_factor<const D: usize>(a: &DenseBlock<D>) -> Option<DenseBlock<D>> {
    let mut l = [[0.0; D]; D];
    for i in 0..D {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
            let rest = a[i][j] - known;
            l[i][j] = if i > j {
                rest / l[j][j]
            } else if rest > 0.0 && rest.is_finite() {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }
    Some(l)
}

/// X with X Lᵀ = A.
fn times_inverse_transpose<const D: usize>(a: &DenseBlock<D>, l: &DenseBlock<D>) -> DenseBlock<D> {
    let mut x = [[0.0; D]; D];
    for r in 0..D {
        for c in 0..D {
            let known: f64 = (0..c).map(|k| x[r][k] * l[c][k]).sum();
            x[r][c] = (a[r][c] - known) / l[c][c];
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn solving_undoes_the_product(
            groups in prop::collection::vec(prop::collection::vec(0..30u32, 2..6), 1..25),
            numbers in prop::collection::vec(-1.0..1.0f64, 90),
        ) {
            let groups: Vec<Vec<u32>> = groups.into_iter().map(|mut g| { g.sort_unstable(); g.dedup(); g }).collect();
            let pattern = LowerPattern::new(30, groups.iter().map(Vec::as_slice));
            // diagonally dominant
            let mut blocks = vec![[[0.0; 3]; 3]; pattern.rows.len()];
            pattern.each(|at, i, j| {
                let value = |r: usize, c: usize| numbers[(7 * i + 13 * j + 3 * r + c) % 90];
                blocks[at] = std::array::from_fn(|r| std::array::from_fn(|c| {
                    if i != j { value(r, c) } else if r == c { 100.0 } else { value(r.min(c), r.max(c)) }
                }));
            });
            let factor = SparseFactor::new(&pattern, &blocks).unwrap();
            let x = factor.solve(&block_product(&pattern, &blocks, &numbers));
            prop_assert!(x.iter().zip(&numbers).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }

    #[test]
    fn a_point_without_element_is_singular() {
        let pattern = LowerPattern::new(2, std::iter::empty());
        assert!(matches!(
            SparseFactor::<2>::new(&pattern, &[[[1.0, 0.0], [0.0, 1.0]], [[0.0; 2]; 2]]),
            Err(ElasticError::Singular)
        ));
    }
}
