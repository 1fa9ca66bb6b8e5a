//! Sparse matrices by rows, columns in increasing order, without zeros and without repeated entries.

/// A sparse matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Sparse {
    rows: usize,
    cols: usize,
    /// First entry of each row (rows + 1).
    first: Vec<usize>,
    /// Column of each entry.
    column: Vec<u32>,
    /// Value of each entry.
    value: Vec<f64>,
}

/// Row, column and value of an entry.
pub type Triplet = (u32, u32, f64);

impl Sparse {
    /// From entries in any order; entries at the same place are summed. Places must be inside the matrix.
    pub fn from_triplets(rows: usize, cols: usize, mut triplets: Vec<Triplet>) -> Self {
        // stable, so that sums do not depend on anything but the order of the file
        triplets.sort_by_key(|&(row, column, _)| (row, column));
        let mut matrix =
            Self { rows, cols, first: Vec::with_capacity(rows + 1), column: Vec::new(), value: Vec::new() };
        let mut at = 0;
        for row in 0..rows as u32 {
            matrix.first.push(matrix.column.len());
            while let Some(&(_, column, _)) = triplets.get(at).filter(|entry| entry.0 == row) {
                let mut sum = 0.0;
                while let Some(&(_, _, value)) = triplets.get(at).filter(|entry| (entry.0, entry.1) == (row, column)) {
                    sum += value;
                    at += 1;
                }
                if sum != 0.0 {
                    matrix.column.push(column);
                    matrix.value.push(sum);
                }
            }
        }
        matrix.first.push(matrix.column.len());
        matrix
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Number of entries.
    pub fn entries(&self) -> usize {
        self.value.len()
    }

    /// Columns and values of a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.first[row]..self.first[row + 1];
        self.column[range.clone()].iter().map(|&column| column as usize).zip(self.value[range].iter().copied())
    }

    /// The value at a place, zero where there is no entry.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        let range = self.first[row]..self.first[row + 1];
        match self.column[range.clone()].binary_search(&(column as u32)) {
            Ok(at) => self.value[range.start + at],
            Err(_) => 0.0,
        }
    }

    /// All entries, row by row.
    pub fn triplets(&self) -> impl Iterator<Item = Triplet> {
        (0..self.rows).flat_map(|row| self.row(row).map(move |(column, value)| (row as u32, column as u32, value)))
    }

    /// The transposed matrix.
    #[must_use]
    pub fn transposed(&self) -> Self {
        Self::from_triplets(self.cols, self.rows, self.triplets().map(|(row, column, x)| (column, row, x)).collect())
    }

    /// A x
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        (0..self.rows).map(|row| self.row(row).map(|(column, value)| value * x[column]).sum()).collect()
    }

    /// True if there are entries beside the diagonal, all of them on one side.
    pub fn is_one_triangle(&self) -> bool {
        let (mut above, mut below) = (false, false);
        for (row, column, _) in self.triplets() {
            above |= column > row;
            below |= column < row;
        }
        self.rows == self.cols && above != below
    }

    /// A matrix of which this is one triangle.
    #[must_use]
    pub fn with_both_triangles(&self) -> Self {
        let mirrored =
            self.triplets().filter(|(row, column, _)| row != column).map(|(row, column, x)| (column, row, x));
        Self::from_triplets(self.rows, self.cols, self.triplets().chain(mirrored).collect())
    }

    /// Row pointers, columns and values.
    pub fn parts(&self) -> (&[usize], &[u32], &[f64]) {
        (&self.first, &self.column, &self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_ordered_and_repetitions_add_up() {
        let matrix = Sparse::from_triplets(
            3,
            2,
            vec![(2, 1, 4.0), (0, 1, 1.0), (2, 0, 3.0), (0, 1, 0.5), (1, 0, 2.0), (1, 0, -2.0)],
        );
        assert_eq!(matrix.triplets().collect::<Vec<_>>(), [(0, 1, 1.5), (2, 0, 3.0), (2, 1, 4.0)]);
        assert_eq!(matrix.times(&[1.0, 10.0]), [15.0, 0.0, 43.0]);
        assert_eq!(matrix.transposed().transposed(), matrix);
        assert_eq!((matrix.get(2, 0), matrix.get(1, 0)), (3.0, 0.0));
    }

    #[test]
    fn one_triangle_is_told_from_two() {
        let lower = Sparse::from_triplets(2, 2, vec![(0, 0, 2.0), (1, 0, 1.0), (1, 1, 3.0)]);
        assert!(lower.is_one_triangle());
        let both = lower.with_both_triangles();
        assert!(!both.is_one_triangle() && both.get(0, 1) == 1.0 && both.get(1, 1) == 3.0);
        assert!(!Sparse::from_triplets(2, 2, vec![(0, 0, 2.0)]).is_one_triangle());
    }
}
