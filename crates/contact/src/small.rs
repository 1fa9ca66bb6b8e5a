//! Algebra of the `D × D` blocks of one contact.

/// The unit matrix.
pub(crate) fn identity<const D: usize>() -> [[f64; D]; D] {
    std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))))
}

/// A x
pub(crate) fn transform<const D: usize>(a: &[[f64; D]; D], x: &[f64; D]) -> [f64; D] {
    std::array::from_fn(|i| a[i].iter().zip(x).map(|(a, x)| a * x).sum())
}

/// A B
pub(crate) fn multiply<const D: usize>(a: &[[f64; D]; D], b: &[[f64; D]; D]) -> [[f64; D]; D] {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..D).map(|k| a[i][k] * b[k][j]).sum()))
}

/// A⁻¹ by Gauss–Jordan with pivoting, or `None` when A is singular.
pub(crate) fn inverse<const D: usize>(matrix: &[[f64; D]; D]) -> Option<[[f64; D]; D]> {
    let (mut a, mut b) = (*matrix, identity::<D>());
    for k in 0..D {
        let p = (k..D).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        if a[p][k] == 0.0 || !a[p][k].is_finite() {
            return None;
        }
        a.swap(k, p);
        b.swap(k, p);
        let pivot = 1.0 / a[k][k];
        for j in 0..D {
            a[k][j] *= pivot;
            b[k][j] *= pivot;
        }
        for i in (0..D).filter(|&i| i != k) {
            let f = a[i][k];
            for j in 0..D {
                a[i][j] -= f * a[k][j];
                b[i][j] -= f * b[k][j];
            }
        }
    }
    Some(b)
}
