//! Small dense matrices, row-major.

/// Inverse of an n × n matrix by elimination with row pivoting; `None` where a pivot vanishes.
pub(crate) fn invert(n: usize, matrix: &[f64]) -> Option<Vec<f64>> {
    let mut a = matrix.to_vec();
    let mut inverse = vec![0.0; n * n];
    (0..n).for_each(|i| inverse[i * n + i] = 1.0);
    let scale = a.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs()))?;
        let value = a[pivot * n + k];
        if !value.is_finite() || value.abs() <= 1e-15 * scale {
            return None;
        }
        for j in 0..n {
            a.swap(k * n + j, pivot * n + j);
            inverse.swap(k * n + j, pivot * n + j);
        }
        for j in 0..n {
            a[k * n + j] /= value;
            inverse[k * n + j] /= value;
        }
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i * n + k];
            if factor != 0.0 {
                for j in 0..n {
                    a[i * n + j] -= factor * a[k * n + j];
                    inverse[i * n + j] -= factor * inverse[k * n + j];
                }
            }
        }
    }
    Some(inverse)
}

/// Determinant and inverse of a D × D matrix, D = 1, 2 or 3, by cofactors.
pub(crate) fn inverse<const D: usize>(a: &[[f64; D]; D]) -> (f64, [[f64; D]; D]) {
    let cofactor = |i: usize, j: usize| match D {
        1 => 1.0,
        2 => a[1 - i][1 - j] * if i == j { 1.0 } else { -1.0 },
        _ => {
            let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
            a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1]
        }
    };
    let det: f64 = (0..D).map(|j| a[0][j] * cofactor(0, j)).sum();
    (det, std::array::from_fn(|i| std::array::from_fn(|j| cofactor(j, i) / det)))
}

/// Eigenvalues of a symmetric 3 × 3 matrix, largest first, by Jacobi rotations.
pub(crate) fn eigenvalues(mut a: [[f64; 3]; 3]) -> [f64; 3] {
    for _ in 0..30 {
        let off = a[0][1] * a[0][1] + a[1][2] * a[1][2] + a[0][2] * a[0][2];
        let diagonal = a[0][0] * a[0][0] + a[1][1] * a[1][1] + a[2][2] * a[2][2];
        if off <= 1e-34 * diagonal || off == 0.0 {
            break;
        }
        for (p, q) in [(0, 1), (1, 2), (0, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            let tau = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
            let c = 1.0 / (1.0 + t * t).sqrt();
            let s = t * c;
            for k in 0..3 {
                let (x, y) = (a[k][p], a[k][q]);
                (a[k][p], a[k][q]) = (c * x - s * y, s * x + c * y);
            }
            for k in 0..3 {
                let (x, y) = (a[p][k], a[q][k]);
                (a[p][k], a[q][k]) = (c * x - s * y, s * x + c * y);
            }
        }
    }
    let mut values = [a[0][0], a[1][1], a[2][2]];
    values.sort_by(|x, y| y.total_cmp(x));
    values
}

/// Eigenvalues of a symmetric n × n matrix, rising, and the matrix whose columns are the eigenvectors, by Jacobi rotations.
pub(crate) fn symmetric_eigenvectors(n: usize, matrix: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut a: Vec<f64> = (0..n * n).map(|at| 0.5 * (matrix[at] + matrix[at % n * n + at / n])).collect();
    let mut v: Vec<f64> = (0..n * n).map(|at| f64::from(u8::from(at / n == at % n))).collect();
    for _ in 0..60 {
        let off: f64 = (0..n * n).filter(|at| at / n != at % n).map(|at| a[at] * a[at]).sum();
        let diagonal: f64 = (0..n).map(|k| a[k * (n + 1)].powi(2)).sum();
        if off <= 1e-30 * diagonal {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                let (x, own) = (a[p * n + q], [a[p * (n + 1)], a[q * (n + 1)]]);
                if x == 0.0 || x * x <= 1e-40 * (own[0] * own[1]).abs() {
                    continue;
                }
                let tau = (own[1] - own[0]) / (2.0 * x);
                let t = if tau == 0.0 { 1.0 } else { tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt()) };
                let c = 1.0 / (1.0 + t * t).sqrt();
                let s = t * c;
                for k in 0..n {
                    let (x, y) = (a[k * n + p], a[k * n + q]);
                    (a[k * n + p], a[k * n + q]) = (c * x - s * y, s * x + c * y);
                    let (x, y) = (v[k * n + p], v[k * n + q]);
                    (v[k * n + p], v[k * n + q]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..n {
                    let (x, y) = (a[p * n + k], a[q * n + k]);
                    (a[p * n + k], a[q * n + k]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| a[i * (n + 1)].total_cmp(&a[j * (n + 1)]));
    let values = order.iter().map(|&k| a[k * (n + 1)]).collect();
    let vectors = (0..n * n).map(|at| v[at / n * n + order[at % n]]).collect();
    (values, vectors)
}

/// Scalar product.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_inverse_times_its_matrix_is_one(a in prop::collection::vec(-1.0..1.0f64, 9)) {
            let shifted: Vec<f64> = a.iter().enumerate().map(|(k, x)| x + if k % 4 == 0 { 4.0 } else { 0.0 }).collect();
            let by_elimination = invert(3, &shifted).unwrap();
            let rows: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| shifted[3 * i + j]));
            let (_, by_cofactors) = inverse(&rows);
            for i in 0..3 {
                for j in 0..3 {
                    let entry: f64 = (0..3).map(|k| shifted[3 * i + k] * by_elimination[3 * k + j]).sum();
                    prop_assert!((entry - f64::from(u8::from(i == j))).abs() < 1e-13);
                    prop_assert!((by_cofactors[i][j] - by_elimination[3 * i + j]).abs() < 1e-13);
                }
            }
        }

        #[test]
        fn eigenvectors_turn_a_matrix_to_its_axes(x in prop::collection::vec(-1.0..1.0f64, 25)) {
            let a: Vec<f64> = (0..25).map(|at| x[at] + x[at % 5 * 5 + at / 5]).collect();
            let (values, v) = symmetric_eigenvectors(5, &a);
            prop_assert!(values.is_sorted());
            for i in 0..5 {
                for k in 0..5 {
                    let product: f64 = (0..5).map(|j| a[5 * i + j] * v[5 * j + k]).sum();
                    prop_assert!((product - values[k] * v[5 * i + k]).abs() < 1e-12);
                    let length: f64 = (0..5).map(|j| v[5 * j + i] * v[5 * j + k]).sum();
                    prop_assert!((length - f64::from(u8::from(i == k))).abs() < 1e-12);
                }
            }
        }

        #[test]
        fn eigenvalues_have_the_invariants_of_the_matrix(x in prop::collection::vec(-1.0..1.0f64, 6)) {
            let a = [[x[0], x[3], x[5]], [x[3], x[1], x[4]], [x[5], x[4], x[2]]];
            let l = eigenvalues(a);
            prop_assert!(l[0] >= l[1] && l[1] >= l[2]);
            prop_assert!((l.iter().sum::<f64>() - (x[0] + x[1] + x[2])).abs() < 1e-13);
            prop_assert!((l[0] * l[1] * l[2] - inverse(&a).0).abs() < 1e-13);
            let square: f64 = a.iter().flatten().map(|v| v * v).sum();
            prop_assert!((l.iter().map(|v| v * v).sum::<f64>() - square).abs() < 1e-13);
        }
    }
}
