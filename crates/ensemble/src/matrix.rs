//! Small symmetric matrices: Cholesky factor of a correlation matrix.

use crate::error::{EnsembleError, EnsembleResult as Result};

/// Lower triangle L with L Lᵀ = A, row by row; refused if A is not positive definite.
pub(crate) fn cholesky(matrix: &[Vec<f64>]) -> Result<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut lower = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let rest = matrix[i][j] - (0..j).map(|k| lower[i][k] * lower[j][k]).sum::<f64>();
            if i == j {
                if rest <= 1e-12 {
                    return Err(EnsembleError::input(
                        "the correlations contradict each other: their matrix is not positive definite",
                    ));
                }
                lower[i][i] = rest.sqrt();
            } else {
                lower[i][j] = rest / lower[j][j];
            }
        }
    }
    Ok(lower)
}

/// Solves L x = b for a lower triangle.
pub(crate) fn forward(lower: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let mut x = b.to_vec();
    for i in 0..x.len() {
        x[i] = (x[i] - (0..i).map(|j| lower[i][j] * x[j]).sum::<f64>()) / lower[i][i];
    }
    x
}

/// The product of a lower triangle and a vector.
pub(crate) fn lower_times(lower: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    lower.iter().enumerate().map(|(i, row)| (0..=i).map(|j| row[j] * x[j]).sum()).collect()
}
