//! The Sobol sequence in Gray-code order, without scrambling.
//!
//! xₙ₊₁ = xₙ ⊕ V[c], with c the place of the lowest zero bit of n; the direction numbers V of every axis follow from a
//! primitive polynomial p of degree s over two elements, mᵢ = 2a₁mᵢ₋₁ ⊕ 4a₂mᵢ₋₂ ⊕ … ⊕ 2ˢmᵢ₋ₛ ⊕ mᵢ₋ₛ, and its first s
//! numbers m. The points are those of `scipy.stats.qmc.Sobol(d, scramble=False)`.
//!
//! Polynomials and first numbers: S. Joe, F. Y. Kuo, *Constructing Sobol sequences with better two-dimensional projections*,
//! SIAM J. Sci. Comput. 30 (2008) 2635–2654, table new-joe-kuo-6.21201.

use crate::error::{EnsembleError, EnsembleResult as Result};

/// Bits of a coordinate.
const BITS: usize = 32;

/// Polynomial, with the bits of all its coefficients, and first numbers of the second axis and all further ones.
#[rustfmt::skip]
const AXES: [(u32, &[u32]); 39] = [
    (3, &[1]),
    (7, &[1, 3]),
    (11, &[1, 3, 1]),
    (13, &[1, 1, 1]),
    (19, &[1, 1, 3, 3]),
    (25, &[1, 3, 5, 13]),
    (37, &[1, 1, 5, 5, 17]),
    (41, &[1, 1, 5, 5, 5]),
    (47, &[1, 1, 7, 11, 19]),
    (55, &[1, 1, 5, 1, 1]),
    (59, &[1, 1, 1, 3, 11]),
    (61, &[1, 3, 5, 5, 31]),
    (67, &[1, 3, 3, 9, 7, 49]),
    (91, &[1, 1, 1, 15, 21, 21]),
    (97, &[1, 3, 1, 13, 27, 49]),
    (103, &[1, 1, 1, 15, 7, 5]),
    (109, &[1, 3, 1, 15, 13, 25]),
    (115, &[1, 1, 5, 5, 19, 61]),
    (131, &[1, 3, 7, 11, 23, 15, 103]),
    (137, &[1, 3, 7, 13, 13, 15, 69]),
    (143, &[1, 1, 3, 13, 7, 35, 63]),
    (145, &[1, 3, 5, 9, 1, 25, 53]),
    (157, &[1, 3, 1, 13, 9, 35, 107]),
    (167, &[1, 3, 1, 5, 27, 61, 31]),
    (171, &[1, 1, 5, 11, 19, 41, 61]),
    (185, &[1, 3, 5, 3, 3, 13, 69]),
    (191, &[1, 1, 7, 13, 1, 19, 1]),
    (193, &[1, 3, 7, 5, 13, 19, 59]),
    (203, &[1, 1, 3, 9, 25, 29, 41]),
    (211, &[1, 3, 5, 13, 23, 1, 55]),
    (213, &[1, 3, 7, 3, 13, 59, 17]),
    (229, &[1, 3, 1, 3, 5, 53, 69]),
    (239, &[1, 1, 5, 5, 23, 33, 13]),
    (241, &[1, 1, 7, 7, 1, 61, 123]),
    (247, &[1, 1, 7, 9, 13, 61, 49]),
    (253, &[1, 3, 3, 5, 3, 55, 33]),
    (285, &[1, 3, 1, 15, 31, 13, 49, 245]),
    (299, &[1, 3, 5, 15, 31, 59, 63, 97]),
    (301, &[1, 3, 1, 11, 11, 11, 77, 249]),
];

/// Largest dimension.
pub const MOST_AXES: usize = AXES.len() + 1;

/// The first `n` points in the unit cube of `dimension`.
///
/// ```
/// # use voussoir_ensemble::sobol::points;
/// assert_eq!(points(4, 2).unwrap(), [[0.0, 0.0], [0.5, 0.5], [0.75, 0.25], [0.25, 0.75]]);
/// ```
pub fn points(n: usize, dimension: usize) -> Result<Vec<Vec<f64>>> {
    if dimension > MOST_AXES {
        return Err(EnsembleError::input(format!(
            "the Sobol design has at most {MOST_AXES} variables, here {dimension}; use a Latin hypercube"
        )));
    }
    if n as u64 >= 1 << BITS {
        return Err(EnsembleError::input("the Sobol design has fewer than 2^32 points"));
    }
    let directions: Vec<[u32; BITS]> = (0..dimension).map(directions).collect();
    let mut x = vec![0u32; dimension];
    let mut rows = Vec::with_capacity(n);
    for i in 0..n {
        rows.push(x.iter().map(|bits| f64::from(*bits) / (1u64 << BITS) as f64).collect());
        let place = i.trailing_ones() as usize;
        x.iter_mut().zip(&directions).for_each(|(x, v)| *x ^= v[place]);
    }
    Ok(rows)
}

/// Direction numbers of an axis.
fn directions(axis: usize) -> [u32; BITS] {
    let mut m = [1u32; BITS];
    if let Some(&(polynomial, first)) = axis.checked_sub(1).and_then(|i| AXES.get(i)) {
        let degree = first.len();
        m[..degree].copy_from_slice(first);
        for i in degree..BITS {
            m[i] = m[i - degree];
            for k in 1..=degree {
                if polynomial >> (degree - k) & 1 == 1 {
                    m[i] ^= m[i - k] << k;
                }
            }
        }
    }
    let mut i = 0;
    m.map(|m| {
        i += 1;
        m << (BITS - i)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_those_of_scipy() {
        // scipy 1.17.1, qmc.Sobol(40, scramble=False).random(1024)
        let rows = points(1024, 40).unwrap();
        assert_eq!(rows[5][..6], [0.875, 0.875, 0.125, 0.375, 0.875, 0.625]);
        assert_eq!(rows[1000][36..], [0.8486328125, 0.8310546875, 0.3076171875, 0.4794921875]);
        let weighted = |k: usize| rows[k].iter().zip(1..).map(|(x, w)| x * f64::from(w)).sum::<f64>();
        assert_eq!([1, 2, 3, 77, 512, 1023].map(weighted), [410.0, 367.0, 453.0, 444.3125, 512.765625, 496.48046875]);
        assert_eq!(rows.iter().flatten().sum::<f64>(), 20460.0);
        assert_eq!(rows.iter().flatten().map(|x| x * x).sum::<f64>(), 13633.33984375);
        assert!(points(1, 41).is_err());
    }

    #[test]
    fn every_axis_is_stratified_at_every_power_of_two() {
        for n in [1usize, 2, 64, 512] {
            let rows = points(n, MOST_AXES).unwrap();
            for axis in 0..MOST_AXES {
                let mut cells: Vec<usize> = rows.iter().map(|row| (row[axis] * n as f64) as usize).collect();
                cells.sort_unstable();
                assert_eq!(cells, (0..n).collect::<Vec<_>>(), "axis {axis}, {n} points");
            }
        }
    }
}
