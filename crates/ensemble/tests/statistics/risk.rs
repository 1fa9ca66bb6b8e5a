//! Annual rates, reliability and sensitivity against closed forms.

use voussoir_ensemble::design::{DesignKind, sample};
use voussoir_ensemble::distribution::Distribution;
use voussoir_ensemble::fragility::FragilityCurve;
use voussoir_ensemble::hazard::{HazardCurve, annual_rate};
use voussoir_ensemble::reliability::{design_point, reliability};
use voussoir_ensemble::sensitivity::{TornadoBar, rank_correlation, ranks, tornado};

const CURVE: FragilityCurve = FragilityCurve { theta: 0.6, beta: 0.4, covariance: [[0.0; 2]; 2] };

#[test]
fn a_power_law_has_cornells_rate() {
    let rate = annual_rate(&CURVE, &HazardCurve::PowerLaw { k0: 1e-4, k: 2.5 }).unwrap().rate;
    assert!((rate - 5.912472e-4).abs() < 1e-10, "{rate}");
    assert!((rate / (1e-4 * 0.6f64.powf(-2.5) * (2.5f64 * 2.5 * 0.16 / 2.0).exp()) - 1.0).abs() < 1e-14);
}

#[test]
fn points_of_a_power_law_give_the_same_rate() {
    let points: Vec<[f64; 2]> = [0.1, 0.2, 0.5, 0.9, 2.0].iter().map(|x: &f64| [*x, 1e-4 * x.powf(-2.5)]).collect();
    let found = annual_rate(&CURVE, &HazardCurve::Points { points: points.clone() }).unwrap();
    assert!((found.rate - 5.912472e-4).abs() < 1e-9, "{found:?}");
    // nearly all motions above the last point bring damage, nearly none below the first
    assert!((found.extrapolated - 1e-4 * 2f64.powf(-2.5) / found.rate).abs() < 1e-4, "{found:?}");
    let few = annual_rate(&CURVE, &HazardCurve::Points { points: points[3..].to_vec() }).unwrap();
    assert!(few.extrapolated > 0.5);
    let wrong =
        [HazardCurve::PowerLaw { k0: -1.0, k: 2.0 }, HazardCurve::Points { points: vec![[0.1, 1.0], [0.2, 2.0]] }];
    assert!(wrong.iter().all(|hazard| annual_rate(&CURVE, hazard).is_err()));
}

/// R − S with R normal (200, 20) and S normal (150, 30): β = 50/√1300.
#[test]
fn resistance_and_load() {
    let variables =
        [Distribution::Normal { mean: 200.0, deviation: 20.0 }, Distribution::Normal { mean: 150.0, deviation: 30.0 }];
    let point = design_point(&variables, |x| Ok(x[0] - x[1])).unwrap();
    assert!((point.index - 1.386750).abs() < 1e-6, "{point:?}");
    assert!((point.importance[0] - 400.0 / 1300.0).abs() < 1e-6 && (point.importance[1] + 900.0 / 1300.0).abs() < 1e-6);
    // the design point fails by a hair: both variables at one value
    assert!((point.values[0] - point.values[1]).abs() < 1e-6);
    let named: Vec<_> = variables.iter().enumerate().map(|(i, d)| (format!("x{i}"), d.clone())).collect();
    let rows = sample(DesignKind::Sobol, 8192, &named, &[], 0).unwrap();
    let failures = rows.iter().filter(|row| row[0] < row[1]).count() as u64;
    let found = reliability(failures, 8192, 0.9).unwrap();
    assert!(found.index_interval[0] < 1.386750 && 1.386750 < found.index_interval[1], "{found:?}");
    assert!((found.index - 1.386750).abs() < 0.01);
    // lognormal variables: β = ln(θR/θS)/√(βR² + βS²)
    let variables = [
        Distribution::Lognormal { median: 3.0, deviation: 0.2 },
        Distribution::Lognormal { median: 1.0, deviation: 0.3 },
    ];
    let point = design_point(&variables, |x| Ok(x[0] - x[1])).unwrap();
    assert!((point.index - 3f64.ln() / 0.13f64.sqrt()).abs() < 1e-6, "{point:?}");
    assert!(design_point(&variables, |_| Ok(1.0)).is_err());
    assert!(reliability(0, 100, 0.9).unwrap().index.is_infinite());
}

#[test]
fn ranks_and_tornado() {
    assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
    let x: Vec<f64> = (0..50).map(f64::from).collect();
    let y: Vec<f64> = x.iter().map(|x| (0.1 * x).exp()).collect();
    assert_eq!(rank_correlation(&x, &y).unwrap().coefficient, 1.0);
    assert!(rank_correlation(&x[..3], &y[..3]).is_err() && rank_correlation(&x, &[1.0; 50]).is_err());
    let bar = |name: &str, answers| TornadoBar { variable: name.to_owned(), values: [0.0, 1.0], answers };
    let bars = tornado(vec![bar("a", [1.0, 1.1]), bar("b", [2.0, 1.0]), bar("c", [0.9, 1.2])]);
    assert_eq!(bars.iter().map(|bar| bar.variable.as_str()).collect::<Vec<_>>(), ["b", "c", "a"]);
}
