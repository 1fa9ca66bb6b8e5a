//! Designs: which points of the unit cube a study visits, and the values of correlated distributions there.
//!
//! - *random*: independent points.
//! - *Latin hypercube* (McKay, Beckman, Conover 1979): every one of n equal strata of every axis has exactly one point, at
//!   a random place in its stratum.
//! - *Sobol*: the first n points of the Sobol sequence ([`crate::sobol`]).
//! - *grid*: the middles of n equal strata of every axis, all combined: nᵈ points.
//!
//! Correlations are those of the normal scores Φ⁻¹(u) (Gaussian copula): z = L w with L Lᵀ = R. In a Latin hypercube the
//! correlated scores only determine the order of the values (Iman & Conover 1982), so that strata keep one point each.

use serde::{Deserialize, Serialize};

use crate::distribution::Distribution;
use crate::error::{EnsembleError, EnsembleResult as Result};
use crate::matrix::{cholesky, forward, lower_times};
use crate::normal;
use crate::random::RandomNumbers;
use crate::sobol;

/// How samples are chosen from distributions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DesignKind {
    /// Independent samples.
    Random,
    /// Latin hypercube.
    #[default]
    #[serde(alias = "latin-hypercube")]
    Lhs,
    /// Sobol sequence.
    Sobol,
    /// Middles of equal strata of every axis, all combined.
    Grid,
}

/// Most points of a grid.
const MOST_POINTS: usize = 10_000_000;

/// Correlation of the normal scores of two variables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correlation {
    /// Names of the variables.
    pub between: [String; 2],
    /// Coefficient between −1 and 1.
    pub coefficient: f64,
}

/// `n` points of the unit cube of `dimension`, of a grid `n` to the power of `dimension`; inside for all designs but the
/// first point of Sobol (the origin).
pub fn points(kind: DesignKind, n: usize, dimension: usize, seed: u64) -> Result<Vec<Vec<f64>>> {
    let mut numbers = RandomNumbers::new(seed);
    Ok(match kind {
        DesignKind::Random => (0..n).map(|_| (0..dimension).map(|_| numbers.unit()).collect()).collect(),
        DesignKind::Lhs => {
            let axes: Vec<Vec<f64>> = (0..dimension)
                .map(|_| {
                    let order = numbers.order(n);
                    order.into_iter().map(|stratum| (stratum as f64 + numbers.unit()) / n as f64).collect()
                })
                .collect();
            (0..n).map(|i| axes.iter().map(|axis| axis[i]).collect()).collect()
        }
        DesignKind::Sobol => sobol::points(n, dimension)?,
        // samples that differ in their seeds only
        DesignKind::Grid if dimension == 0 => vec![Vec::new(); n],
        DesignKind::Grid => {
            let count = u32::try_from(dimension).ok().and_then(|dimension| n.checked_pow(dimension));
            if count.is_none_or(|count| count > MOST_POINTS) {
                return Err(EnsembleError::input(format!(
                    "a grid of {n} values of each of {dimension} distributions has more than {MOST_POINTS} samples; use a \
                     Latin hypercube"
                )));
            }
            let axis: Vec<f64> = (0..n).map(|stratum| (stratum as f64 + 0.5) / n as f64).collect();
            grid(&vec![axis; dimension])
        }
    })
}

/// All combinations of lists of values; the last list changes fastest.
pub fn grid(lists: &[Vec<f64>]) -> Vec<Vec<f64>> {
    lists.iter().fold(vec![Vec::new()], |rows, list| {
        rows.iter().flat_map(|row| list.iter().map(move |value| [row.as_slice(), &[*value]].concat())).collect()
    })
}

/// Values of named distributions at the points of a design, one row per sample.
///
/// The origin of the Sobol sequence has no value in a distribution without a smallest value: half a cell, 1/(2n) with n
/// rounded up to a power of two, takes its place.
pub fn sample(
    kind: DesignKind,
    n: usize,
    variables: &[(String, Distribution)],
    correlations: &[Correlation],
    seed: u64,
) -> Result<Vec<Vec<f64>>> {
    for (_, distribution) in variables {
        distribution.check()?;
    }
    if kind == DesignKind::Grid && !correlations.is_empty() {
        return Err(EnsembleError::input(
            "a grid has every value with every other one: correlations need another design",
        ));
    }
    let mut rows = points(kind, n, variables.len(), seed)?;
    let half_cell = 0.5 / n.max(1).next_power_of_two() as f64;
    for row in &mut rows {
        for (u, (_, distribution)) in row.iter_mut().zip(variables) {
            if *u == 0.0 && (distribution.is_open_below() || !correlations.is_empty()) {
                *u = half_cell;
            }
        }
    }
    if !correlations.is_empty() {
        let lower = cholesky(&matrix(variables, correlations)?)?;
        match kind {
            DesignKind::Lhs => reorder(&mut rows, &lower)?,
            DesignKind::Random | DesignKind::Sobol | DesignKind::Grid => rows.iter_mut().for_each(|row| {
                let scores: Vec<f64> = row.iter().map(|u| normal::quantile(*u)).collect();
                *row = lower_times(&lower, &scores).into_iter().map(normal::probability).collect();
            }),
        }
    }
    for row in &mut rows {
        for (u, (_, distribution)) in row.iter_mut().zip(variables) {
            *u = distribution.quantile(*u);
        }
    }
    Ok(rows)
}

fn matrix(variables: &[(String, Distribution)], correlations: &[Correlation]) -> Result<Vec<Vec<f64>>> {
    let n = variables.len();
    let mut matrix: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for Correlation { between, coefficient } in correlations {
        let place = |name: &String| {
            variables.iter().position(|(known, _)| known == name).ok_or_else(|| {
                EnsembleError::input(format!("correlation: \"{name}\" is not a distribution of this study"))
            })
        };
        let [i, j] = [place(&between[0])?, place(&between[1])?];
        if i == j || !(-1.0 < *coefficient && *coefficient < 1.0) {
            return Err(EnsembleError::input(format!(
                "correlation of {} and {}: must be between −1 and 1, of two different variables",
                between[0], between[1]
            )));
        }
        matrix[i][j] = *coefficient;
        matrix[j][i] = *coefficient;
    }
    Ok(matrix)
}

/// Reorders the values of every axis by the ranks of correlated scores; the scores' own sample correlation is removed first.
fn reorder(rows: &mut [Vec<f64>], lower: &[Vec<f64>]) -> Result<()> {
    let (n, dimension) = (rows.len(), lower.len());
    let scores: Vec<Vec<f64>> = rows.iter().map(|row| row.iter().map(|u| normal::quantile(*u)).collect()).collect();
    let mean = |j: usize| scores.iter().map(|row| row[j]).sum::<f64>() / n as f64;
    let means: Vec<f64> = (0..dimension).map(mean).collect();
    let product = |i: usize, j: usize| scores.iter().map(|row| (row[i] - means[i]) * (row[j] - means[j])).sum::<f64>();
    let covariance: Vec<Vec<f64>> =
        (0..dimension).map(|i| (0..dimension).map(|j| product(i, j) / n as f64).collect()).collect();
    // with fewer samples than variables the sample covariance is singular: the scores are used as they are
    let own = cholesky(&covariance).ok();
    let wished: Vec<Vec<f64>> = scores
        .iter()
        .map(|row| {
            let centred: Vec<f64> = row.iter().zip(&means).map(|(z, mean)| z - mean).collect();
            lower_times(lower, &own.as_ref().map_or(centred.clone(), |own| forward(own, &centred)))
        })
        .collect();
    for j in 0..dimension {
        let mut values: Vec<f64> = rows.iter().map(|row| row[j]).collect();
        values.sort_by(f64::total_cmp);
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| wished[a][j].total_cmp(&wished[b][j]));
        for (value, row) in values.into_iter().zip(order) {
            rows[row][j] = value;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sensitivity::rank_correlation;
    use proptest::prelude::*;

    fn standard(n: usize) -> Vec<(String, Distribution)> {
        (0..n).map(|i| (format!("x{i}"), Distribution::Normal { mean: 0.0, deviation: 1.0 })).collect()
    }

    fn between(a: &str, b: &str, coefficient: f64) -> Correlation {
        Correlation { between: [a.to_owned(), b.to_owned()], coefficient }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn every_stratum_of_a_latin_hypercube_has_one_point(
            n in 1usize..200, dimension in 1usize..6, seed: u64, correlated: bool,
        ) {
            let variables: Vec<_> = (0..dimension)
                .map(|i| (format!("x{i}"), Distribution::Uniform { low: 0.0, high: 1.0 }))
                .collect();
            let correlations = if correlated && dimension > 1 { vec![between("x0", "x1", 0.7)] } else { Vec::new() };
            let rows = sample(DesignKind::Lhs, n, &variables, &correlations, seed).unwrap();
            for j in 0..dimension {
                let mut strata: Vec<usize> = rows.iter().map(|row| (row[j] * n as f64) as usize).collect();
                strata.sort_unstable();
                prop_assert_eq!(strata, (0..n).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn correlations_come_out_in_every_design() {
        // Spearman's coefficient of a Gaussian copula: 6/π asin(ρ/2)
        let expected = 6.0 / std::f64::consts::PI * (0.8f64 / 2.0).asin();
        for kind in [DesignKind::Random, DesignKind::Lhs, DesignKind::Sobol] {
            let rows = sample(kind, 2000, &standard(3), &[between("x0", "x2", 0.8)], 1).unwrap();
            let column = |j: usize| rows.iter().map(|row| row[j]).collect::<Vec<_>>();
            let found = rank_correlation(&column(0), &column(2)).unwrap().coefficient;
            assert!((found - expected).abs() < 0.03, "{kind:?} {found} {expected}");
            let none = rank_correlation(&column(0), &column(1)).unwrap().coefficient;
            assert!(none.abs() < 0.07, "{kind:?} {none}");
        }
        let contradictory = [between("x0", "x1", 0.9), between("x1", "x2", 0.9), between("x0", "x2", -0.9)];
        assert!(sample(DesignKind::Lhs, 10, &standard(3), &contradictory, 1).is_err());
        assert!(sample(DesignKind::Lhs, 10, &standard(3), &[between("x0", "y", 0.9)], 1).is_err());
        assert!(sample(DesignKind::Lhs, 10, &standard(3), &[between("x0", "x1", 1.0)], 1).is_err());
    }

    #[test]
    fn grids_have_all_combinations_in_order() {
        let rows = grid(&[vec![1.0, 2.0], vec![3.0, 4.0, 5.0]]);
        assert_eq!(rows.len(), 6);
        assert_eq!([rows[0].as_slice(), &rows[1], &rows[3]], [[1.0, 3.0], [1.0, 4.0], [2.0, 3.0]]);
    }

    /// Quantiles of a uniform distribution between 0 and 1 are the shares themselves.
    #[test]
    fn a_grid_of_distributions_has_the_middles_of_their_strata() {
        let unit = |name: &str| (name.to_owned(), Distribution::Uniform { low: 0.0, high: 1.0 });
        let rows = sample(DesignKind::Grid, 4, &[unit("a"), unit("b"), standard(1).remove(0)], &[], 9).unwrap();
        assert_eq!(rows.len(), 64);
        assert_eq!(rows[0][..2], [0.125, 0.125]);
        assert_eq!(rows[17][..2], [0.375, 0.125]);
        assert_eq!(rows[17][2], normal::quantile(0.375));
        // the mean of the middles is the mean of the distribution
        assert_eq!(rows.iter().map(|row| row[1]).sum::<f64>(), 32.0);
        assert_eq!(sample(DesignKind::Grid, 3, &[], &[], 0).unwrap().len(), 3);
        assert!(sample(DesignKind::Grid, 100, &standard(9), &[], 0).is_err());
        assert!(sample(DesignKind::Grid, 4, &standard(2), &[between("x0", "x1", 0.5)], 0).is_err());
    }

    #[test]
    fn all_values_of_a_sobol_design_are_finite() {
        let rows = sample(DesignKind::Sobol, 64, &standard(4), &[], 0).unwrap();
        assert!(rows.iter().flatten().all(|value| value.is_finite()));
        assert_eq!(rows[0][0], normal::quantile(0.5 / 64.0));
        assert_eq!(rows[1], vec![0.0; 4]);
    }
}
