//! Dense square systems with entries in a band around the diagonal only, solved within this band.
//!
//! Unknowns that follow each other in a breadth-first search through the contacts make rows short. Every row knows where
//! its entries end, and elimination stops there; rows below the last one that reaches a column are not touched.

/// A square system whose rows are short.
pub(crate) struct ShortRows {
    size: usize,
    values: Vec<f64>,
    /// Right-hand side.
    pub right: Vec<f64>,
    /// Column after the last entry of each row.
    ends: Vec<usize>,
    /// First column of each row that may not be zero.
    starts: Vec<usize>,
}

impl ShortRows {
    /// A system of zeros.
    pub fn new(size: usize) -> Self {
        let values = vec![0.0; size * size];
        Self { size, values, right: vec![0.0; size], ends: vec![0; size], starts: vec![size; size] }
    }

    /// Adds to an entry.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.size + column] += value;
        self.ends[row] = self.ends[row].max(column + 1);
        self.starts[row] = self.starts[row].min(column);
    }

    /// Gaussian elimination with row pivoting; `None` if the system is singular.
    pub fn solve(mut self) -> Option<Vec<f64>> {
        let n = self.size;
        // rows that may have an entry in column k begin at or before k
        let mut reach: Vec<usize> = vec![0; n];
        for row in 0..n {
            let start = self.starts[row].min(n - 1);
            reach[start] = reach[start].max(row);
        }
        let mut below = 0;
        for (k, reach) in reach.iter().enumerate() {
            below = below.max(*reach).max(k);
            let at = |row: usize| self.values[row * n + k].abs();
            let pivot = (k..=below).max_by(|a, b| at(*a).total_cmp(&at(*b)).then(b.cmp(a)))?;
            if at(pivot) == 0.0 {
                return None;
            }
            if pivot != k {
                let end = self.ends[pivot].max(self.ends[k]);
                for column in k..end {
                    self.values.swap(pivot * n + column, k * n + column);
                }
                self.right.swap(pivot, k);
                self.ends.swap(pivot, k);
            }
            let end = self.ends[k];
            let (head, tail) = self.values.split_at_mut((k + 1) * n);
            let source = &head[k * n..][..end];
            let inverse = 1.0 / source[k];
            for row in k + 1..=below {
                let target = &mut tail[(row - k - 1) * n..][..n];
                let factor = target[k] * inverse;
                if factor == 0.0 {
                    continue;
                }
                for (t, s) in target[k + 1..end].iter_mut().zip(&source[k + 1..]) {
                    *t -= factor * s;
                }
                self.right[row] -= factor * self.right[k];
                self.ends[row] = self.ends[row].max(end);
            }
        }
        for k in (0..n).rev() {
            let row = &self.values[k * n..][..n];
            let sum: f64 = (k + 1..self.ends[k]).map(|column| row[column] * self.right[column]).sum();
            self.right[k] = (self.right[k] - sum) / row[k];
        }
        Some(self.right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_with_pivoting_is_solved() {
        let n = 12;
        let mut system = ShortRows::new(n);
        let entry = |i: usize, j: usize| if i == j { 0.01 } else { 1.0 / (1.0 + (3 * i + 5 * j) as f64) };
        let exact: Vec<f64> = (0..n).map(|i| 1.0 - 0.3 * i as f64).collect();
        for i in 0..n {
            for j in i.saturating_sub(2)..(i + 3).min(n) {
                system.add(i, j, entry(i, j));
                system.right[i] += entry(i, j) * exact[j];
            }
        }
        let found = system.solve().unwrap();
        assert!(found.iter().zip(&exact).all(|(a, b)| (a - b).abs() < 1e-8), "{found:?}");
        assert!(ShortRows::new(3).solve().is_none());
    }
}
