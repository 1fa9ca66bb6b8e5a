//! Fragility curves, rates, intensity measures and distributions, for numbers that did not come from a study.

use pyo3::prelude::*;
use serde_json::json;
use voussoir_ensemble::distribution::Distribution;
use voussoir_ensemble::fragility::FragilityCurve;
use voussoir_ensemble::fragility::bootstrap::ResampledCurves;
use voussoir_ensemble::fragility::cloud;
use voussoir_ensemble::fragility::ida::fit_truncated;
use voussoir_ensemble::fragility::stripes::{self, Stripe};
use voussoir_ensemble::hazard::{HazardCurve, annual_rate};
use voussoir_ensemble::intensity::GroundAcceleration;
use voussoir_ensemble::reliability;
use voussoir_ensemble::{EnsembleError, EnsembleResult};

use crate::errors::IntoPyErr;
use crate::job::ask;

/// Median, deviation, covariance of (ln θ, β).
type Curve = (f64, f64, [[f64; 2]; 2]);

/// Median and deviation of a curve.
type Pairs = Vec<(f64, f64)>;

fn numbers(curve: &FragilityCurve) -> Curve {
    (curve.theta, curve.beta, curve.covariance)
}

fn rows(intensities: &[f64], runs: &[u64], failures: &[u64]) -> EnsembleResult<Vec<Stripe>> {
    if intensities.len() != runs.len() || runs.len() != failures.len() {
        return Err(EnsembleError::input("intensities, runs and failures must have the same length"));
    }
    let stripe = |((intensity, runs), failures): ((&f64, &u64), &u64)| Stripe {
        intensity: *intensity,
        runs: *runs,
        failures: *failures,
    };
    Ok(intensities.iter().zip(runs).zip(failures).map(stripe).collect())
}

fn pairs(resampled: &ResampledCurves) -> Pairs {
    resampled.curves.iter().map(|curve| (curve.theta, curve.beta)).collect()
}

/// Fits a curve to stripes; with a count also curves of resampled studies.
#[pyfunction]
pub(crate) fn fit_stripes(
    py: Python<'_>,
    intensities: Vec<f64>,
    runs: Vec<u64>,
    failures: Vec<u64>,
    resampled: usize,
    seed: u64,
) -> PyResult<(Curve, Pairs)> {
    ask(py, Some(1), || {
        let list = rows(&intensities, &runs, &failures)?;
        let curve = stripes::fit_stripes(&list)?;
        let more = ResampledCurves::of_stripes(&curve, &list, resampled, seed);
        Ok::<_, EnsembleError>((numbers(&curve), pairs(&more)))
    })
}

/// Fits a curve to intensities of failure, `survivors` of which lie beyond `largest`.
#[pyfunction]
pub(crate) fn fit_ida(
    py: Python<'_>,
    intensities: Vec<f64>,
    survivors: u64,
    largest: f64,
    resampled: usize,
    seed: u64,
) -> PyResult<(Curve, Pairs)> {
    ask(py, Some(1), || {
        let curve = fit_truncated(&intensities, survivors, largest)?;
        let more = ResampledCurves::of_ida(&intensities, survivors, largest, resampled, seed);
        Ok::<_, EnsembleError>((numbers(&curve), pairs(&more)))
    })
}

/// Fits a curve to demands: intercept, slope, deviation and share of the variance; the curve.
#[pyfunction]
pub(crate) fn fit_cloud(
    py: Python<'_>,
    intensities: Vec<f64>,
    demands: Vec<f64>,
    capacity: f64,
) -> PyResult<((f64, f64, f64, f64), Curve)> {
    ask(py, Some(1), || {
        if intensities.len() != demands.len() {
            return Err(EnsembleError::input("intensities and demands must have the same length"));
        }
        let samples: Vec<(f64, f64)> = intensities.into_iter().zip(demands).collect();
        let (line, curve) = cloud::fit_cloud(&samples, capacity)?;
        Ok(((line.intercept, line.slope, line.deviation, line.r_squared), numbers(&curve)))
    })
}

/// Mean annual rate of a curve and a hazard curve in JSON; the share outside its points.
#[pyfunction]
pub(crate) fn rate(py: Python<'_>, theta: f64, beta: f64, hazard: &str) -> PyResult<(f64, f64)> {
    let read = || {
        let hazard: HazardCurve = serde_json::from_str(hazard)
            .map_err(|_| EnsembleError::input("a hazard curve is {k0, k} or points of intensity and rate"))?;
        annual_rate(&FragilityCurve { theta, beta, covariance: [[0.0; 2]; 2] }, &hazard)
    };
    let found = read().map_err(|error| error.into_py_err(py))?;
    Ok((found.rate, found.extrapolated))
}

/// Wilson's interval.
#[pyfunction]
pub(crate) fn wilson(failures: u64, runs: u64, level: f64) -> [f64; 2] {
    stripes::wilson(failures, runs, level)
}

/// Intensity measures of accelerations in m/s² as JSON, and Sa of every period.
#[pyfunction]
pub(crate) fn intensities(
    py: Python<'_>,
    step: f64,
    samples: Vec<f64>,
    periods: Vec<f64>,
    damping: f64,
) -> PyResult<(String, Vec<f64>)> {
    ask(py, Some(1), || {
        let motion = GroundAcceleration::new(step, &samples)?;
        let found = json!(motion.measures()?).to_string();
        let sa = periods.iter().map(|period| motion.sa(*period, damping)).collect::<EnsembleResult<Vec<f64>>>()?;
        Ok::<_, EnsembleError>((found, sa))
    })
}

fn distribution(text: &str) -> EnsembleResult<Distribution> {
    let found: Distribution = serde_json::from_str(text).map_err(EnsembleError::json)?;
    found.check()?;
    Ok(found)
}

/// Quantiles of a distribution in JSON.
#[pyfunction]
pub(crate) fn quantiles(py: Python<'_>, of: &str, shares: Vec<f64>) -> PyResult<Vec<f64>> {
    let found = distribution(of).map_err(|error| error.into_py_err(py))?;
    Ok(shares.into_iter().map(|share| found.quantile(share)).collect())
}

/// Design point of a margin, a function of a list: index, values, importance, evaluations.
#[pyfunction]
pub(crate) fn design_point(
    py: Python<'_>,
    variables: Vec<String>,
    margin: Py<PyAny>,
) -> PyResult<(f64, Vec<f64>, Vec<f64>, usize)> {
    let mut raised = None;
    let variables = variables.iter().map(|text| distribution(text)).collect::<EnsembleResult<Vec<_>>>();
    let found = variables.and_then(|variables| {
        reliability::design_point(&variables, |values| {
            let answer = margin.call1(py, (values.to_vec(),)).and_then(|value| value.extract::<f64>(py));
            answer.map_err(|error| {
                let text = error.to_string();
                raised = Some(error);
                EnsembleError::input(text)
            })
        })
    });
    match (found, raised) {
        (_, Some(error)) => Err(error),
        (Err(error), None) => Err(error.into_py_err(py)),
        (Ok(point), None) => Ok((point.index, point.values, point.importance, point.evaluations)),
    }
}
