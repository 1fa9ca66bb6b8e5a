//! Maximum of a concave function of two parameters by Newton's method with halved steps.

use crate::error::{EnsembleError, EnsembleResult as Result};

/// A function with its gradient and its matrix of second derivatives.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Taylor {
    pub value: f64,
    pub gradient: [f64; 2],
    pub second: [[f64; 2]; 2],
}

/// The maximum of a concave function, and the inverse of minus its second derivatives there (the covariance of a maximum
/// likelihood estimate).
pub(crate) fn maximise(start: [f64; 2], of: impl Fn([f64; 2]) -> Taylor) -> Result<([f64; 2], [[f64; 2]; 2])> {
    let (mut x, mut here) = (start, of(start));
    for _ in 0..200 {
        let step = inverse(negative(here.second)).map(|matrix| times(matrix, here.gradient));
        let Some(step) = step.filter(|step| step.iter().all(|part| part.is_finite())) else { break };
        let mut share = 1.0;
        let (next, there) = loop {
            let next = [x[0] + share * step[0], x[1] + share * step[1]];
            let there = of(next);
            // rounding: a step that small cannot be judged by values
            if there.value >= here.value - 1e-12 * here.value.abs() || share < 1e-12 {
                break (next, there);
            }
            share *= 0.5;
        };
        let change = (0..2).map(|i| (next[i] - x[i]).abs() / x[i].abs().max(1.0)).fold(0.0, f64::max);
        (x, here) = (next, there);
        if change < 1e-13 {
            break;
        }
    }
    let covariance = inverse(negative(here.second)).ok_or_else(|| flat("is flat"))?;
    let slope = times(covariance, here.gradient);
    if (0..2).any(|i| slope[i].abs() > 1e-8 * x[i].abs().max(1.0)) || x.iter().any(|part| !part.is_finite()) {
        return Err(flat("has no maximum"));
    }
    Ok((x, covariance))
}

fn flat(word: &str) -> EnsembleError {
    EnsembleError::NoCurve(format!("the likelihood of these samples {word}"))
}

fn negative(m: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
    m.map(|row| row.map(|x| -x))
}

fn times(m: [[f64; 2]; 2], x: [f64; 2]) -> [f64; 2] {
    m.map(|row| row[0] * x[0] + row[1] * x[1])
}

/// Inverse of a positive definite matrix.
pub(crate) fn inverse(m: [[f64; 2]; 2]) -> Option<[[f64; 2]; 2]> {
    let determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    let definite = m[0][0] > 0.0 && determinant > 1e-14 * m[0][0] * m[1][1];
    definite.then(|| [[m[1][1], -m[0][1]], [-m[1][0], m[0][0]]].map(|row| row.map(|x| x / determinant)))
}

/// J C Jᵀ.
pub(crate) fn transformed(covariance: [[f64; 2]; 2], jacobian: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
    let half = jacobian.map(|row| [0, 1].map(|j| row[0] * covariance[0][j] + row[1] * covariance[1][j]));
    half.map(|row| [0, 1].map(|j| row[0] * jacobian[j][0] + row[1] * jacobian[j][1]))
}
