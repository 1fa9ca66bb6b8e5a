//! Fitted curves against numbers of statsmodels 0.15 (binomial regression, probit link; censored normal likelihood), and the
//! coverage of bands.

use voussoir_ensemble::EnsembleError;
use voussoir_ensemble::fragility::FragilityCurve;
use voussoir_ensemble::fragility::bootstrap::{ResampledCurves, draw_stripes};
use voussoir_ensemble::fragility::cloud::fit_cloud;
use voussoir_ensemble::fragility::ida::{fit_ida, fit_truncated};
use voussoir_ensemble::fragility::stripes::{Stripe, fit_stripes, stripes};
use voussoir_ensemble::normal;
use voussoir_ensemble::random::RandomNumbers;

fn stripes_of(runs: u64, intensities: &[f64], failures: &[u64]) -> Vec<Stripe> {
    intensities.iter().zip(failures).map(|(&intensity, &failures)| Stripe { intensity, runs, failures }).collect()
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-6, "{found}, expected {expected}");
}

#[test]
fn stripes_by_maximum_likelihood() {
    let data = stripes_of(40, &[0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0], &[0, 0, 0, 4, 6, 13, 12, 16]);
    let curve = fit_stripes(&data).unwrap();
    near(curve.theta, 1.076116);
    near(curve.beta, 0.429237);
    let [of_theta, of_beta] = curve.standard_errors();
    assert!((of_theta - 0.07097382).abs() < 1e-7 && (of_beta - 0.08210365).abs() < 1e-7, "{of_theta} {of_beta}");

    let curve = fit_stripes(&stripes_of(54, &[1.0, 1.5, 2.0], &[2, 25, 43])).unwrap();
    near(curve.theta, 1.572477);
    near(curve.beta, 0.270033);

    let curve = fit_stripes(&stripes_of(100, &[0.2, 0.4], &[16, 84])).unwrap();
    near(curve.theta, 0.08f64.sqrt());
    near(curve.beta, 0.348505);
    // two stripes are met exactly
    near(curve.probability(0.2), 0.16);
    near(curve.quantile(0.84), 0.4);
}

#[test]
fn intensities_of_failure() {
    let curve = fit_ida(&[0.5, 0.7, 0.8, 1.0, 1.3, 1.7]).unwrap();
    near(curve.theta, 0.923120);
    near(curve.beta, 0.440334);
    let curve = fit_truncated(&[0.31, 0.38, 0.44, 0.52, 0.60, 0.71, 0.85], 3, 1.0).unwrap();
    near(curve.theta, 0.695190);
    near(curve.beta, 0.551753);
}

#[test]
fn samples_without_a_curve_are_refused_with_their_reason() {
    let reason = |failures: &[u64]| match fit_stripes(&stripes_of(10, &[0.2, 0.4, 0.6], failures)) {
        Err(EnsembleError::NoCurve(reason)) => reason,
        other => panic!("{failures:?}: {other:?}"),
    };
    assert!(reason(&[0, 0, 0]).contains("no failure"));
    assert!(reason(&[10, 10, 10]).contains("every run failed"));
    assert!(reason(&[0, 10, 10]).contains("between 0.2 and 0.4"));
    assert!(reason(&[0, 4, 10]).contains("deviation is zero"));
    assert!(reason(&[10, 5, 0]).contains("falls"));
    assert!(reason(&[6, 5, 4]).contains("does not grow"));
    assert!(fit_ida(&[0.5]).is_err() && fit_ida(&[0.5, 0.5]).is_err() && fit_ida(&[0.5, -1.0]).is_err());
    assert!(fit_truncated(&[], 10, 1.0).is_err() && fit_truncated(&[0.5, 1.2], 1, 1.0).is_err());
}

#[test]
fn single_samples_are_stripes() {
    let rows = [(0.4, true), (0.2, false), (0.4, false), (0.2, false), (0.2, true)];
    let grouped = stripes(&rows);
    assert_eq!(
        grouped,
        [(0.2, 3, 1), (0.4, 2, 1)].map(|(intensity, runs, failures)| Stripe { intensity, runs, failures })
    );
}

/// Cloud: demands on a line with known scatter; the curve is Φ((a + b ln x − ln c)/σ).
#[test]
fn clouds_give_the_curve_of_their_regression() {
    let (a, b, sigma, capacity) = (0.3f64, 1.2, 0.35, 0.8f64);
    // normal scores at even shares: the regression meets a, b nearly, and σ by its definition
    let n = 4000;
    let mut numbers = RandomNumbers::new(3);
    let order = numbers.order(n);
    let samples: Vec<(f64, f64)> = (0..n)
        .map(|i| {
            let x = 0.1 * 30f64.powf(i as f64 / n as f64);
            let score = normal::quantile((order[i] as f64 + 0.5) / n as f64);
            (x, (a + b * x.ln() + sigma * score).exp())
        })
        .collect();
    let (line, curve) = fit_cloud(&samples, capacity).unwrap();
    let errors = [line.slope - b, line.deviation - sigma, curve.theta.ln() - (capacity.ln() - a) / b];
    assert!(errors.iter().all(|error| error.abs() < 0.02), "{errors:?}");
    assert!((curve.beta - line.deviation / line.slope).abs() < 1e-15);
    assert!(((curve.theta.ln() - (capacity.ln() - a) / b) / curve.standard_errors()[0]).abs() < 4.0);
}

const TRUTH: FragilityCurve = FragilityCurve { theta: 0.6, beta: 0.4, covariance: [[0.0; 2]; 2] };
const LEVELS: [f64; 6] = [0.2, 0.35, 0.5, 0.65, 0.8, 1.1];

/// Bands of 90 % cover the truth in 90 ± 3 % of 1000 synthetic studies.
#[test]
fn bands_of_the_delta_method_cover_the_truth() {
    let mut numbers = RandomNumbers::new(11);
    let plan = stripes_of(40, &LEVELS, &[0; 6]);
    let places = [0.4, 0.6, 0.9];
    let mut covered = [0; 3];
    let mut ida_covered = 0;
    for _ in 0..1000 {
        let curve = fit_stripes(&draw_stripes(&TRUTH, &plan, &mut numbers)).unwrap();
        for (count, x) in covered.iter_mut().zip(places) {
            let [low, high] = curve.band(x, 0.9);
            *count += usize::from((low..=high).contains(&TRUTH.probability(x)));
        }
        let values: Vec<f64> = (0..60).map(|_| TRUTH.quantile(numbers.unit())).collect();
        let (failed, beyond): (Vec<f64>, Vec<f64>) = values.iter().partition(|x| **x <= 1.0);
        let [low, high] = fit_truncated(&failed, beyond.len() as u64, 1.0).unwrap().band(0.5, 0.9);
        ida_covered += usize::from((low..=high).contains(&TRUTH.probability(0.5)));
    }
    for count in covered.into_iter().chain([ida_covered]) {
        assert!((870..=930).contains(&count), "{covered:?} {ida_covered}");
    }
}

#[test]
fn bands_of_the_bootstrap_cover_the_truth() {
    let mut numbers = RandomNumbers::new(12);
    let plan = stripes_of(40, &LEVELS, &[0; 6]);
    let mut covered = 0;
    for study in 0..1000 {
        let drawn = draw_stripes(&TRUTH, &plan, &mut numbers);
        let curve = fit_stripes(&drawn).unwrap();
        let resampled = ResampledCurves::of_stripes(&curve, &drawn, 150, study);
        assert!(resampled.without_curve < 5);
        let [low, high] = resampled.band(0.5, 0.9).unwrap();
        covered += usize::from((low..=high).contains(&TRUTH.probability(0.5)));
    }
    assert!((870..=930).contains(&covered), "{covered}");
}
