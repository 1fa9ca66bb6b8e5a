//! Closed forms of harmonic ground motions.

use std::f64::consts::PI;

use voussoir_ensemble::intensity::GroundAcceleration;

fn harmonic(step: f64, phase: f64) -> Vec<f64> {
    let count = (10.0 / step).round() as usize;
    (0..=count).map(|i| 0.3 * 9.81 * (4.0 * PI * i as f64 * step + phase).cos()).collect()
}

fn near(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() <= 1e-6, "{found}, expected {expected}");
}

/// Cosine of 0.3 g, 2 Hz, 10 s: PGV = A/ω, Arias = π A² t/(4g), CAV = 2 A t/π, PGD = 2A/ω².
#[test]
fn a_cosine_has_its_closed_forms() {
    let samples = harmonic(2.5e-5, 0.0);
    let record = GroundAcceleration::new(2.5e-5, &samples).unwrap();
    let (a, omega) = (0.3 * 9.81, 4.0 * PI);
    assert_eq!(record.pga(), a);
    let [pgv, pgd] = record.pgv_pgd();
    near(pgv, a / omega);
    near(pgd, 2.0 * a / (omega * omega));
    assert!((pgv - 0.234196).abs() < 1e-6);
    assert!((record.arias() - 6.934280).abs() < 1e-5);
    near(record.arias(), PI * a * a * 10.0 / (4.0 * 9.81));
    assert!((record.cav() - 18.735720).abs() < 2e-5);
    near(record.cav(), 2.0 * a * 10.0 / PI);
    // energy grows evenly but for the double frequency
    assert!((record.d5_95() - 9.0).abs() < 0.03);
}

/// Sine of 0.3 g, 2 Hz, 10 s on an oscillator of 0.3 s with 5 % damping: the peak of the exact solution, found on a fine grid.
#[test]
fn an_oscillator_meets_the_exact_solution() {
    let samples = harmonic(1e-3, -0.5 * PI);
    let record = GroundAcceleration::new(1e-3, &samples).unwrap();
    let (a, w, z) = (0.3 * 9.81, 4.0 * PI, 0.05);
    let wn = 2.0 * PI / 0.3;
    let damped = wn * (1.0f64 - z * z).sqrt();
    // steady state S sin + C cos, and the free vibration that starts at rest
    let determinant = (wn * wn - w * w).powi(2) + (2.0 * z * wn * w).powi(2);
    let (s, c) = (-a * (wn * wn - w * w) / determinant, a * 2.0 * z * wn * w / determinant);
    let (p, q) = (-c, (-w * s - z * wn * c) / damped);
    let exact = |t: f64| {
        s * (w * t).sin() + c * (w * t).cos() + (-z * wn * t).exp() * (p * (damped * t).cos() + q * (damped * t).sin())
    };
    let peak = (0..1_000_000).map(|i| exact(f64::from(i) * 1e-5).abs()).fold(0.0, f64::max);
    let found = record.sd(0.3, 0.05).unwrap();
    assert!((peak - 0.0146400).abs() < 5e-8, "{peak}");
    assert!((found / peak - 1.0).abs() < 1e-4, "{found} {peak}");
    let fine = harmonic(5e-5, -0.5 * PI);
    let found = GroundAcceleration::new(5e-5, &fine).unwrap().sd(0.3, 0.05).unwrap();
    near(found, peak);
    near(record.average_sa(&[0.3], 0.05).unwrap(), record.sa(0.3, 0.05).unwrap());
    assert!(record.sd(0.0, 0.05).is_err() && record.sd(0.3, 1.0).is_err());
}

/// A very stiff oscillator follows the ground acceleration, a very soft one stays where it is.
#[test]
fn spectra_end_in_the_peaks_of_the_ground() {
    let samples = harmonic(1e-3, 0.0);
    let record = GroundAcceleration::new(1e-3, &samples).unwrap();
    assert!((record.sa(0.01, 0.6).unwrap() / record.pga() - 1.0).abs() < 0.1);
    let measures = record.measures().unwrap();
    assert!(measures.housner > 0.0 && measures.pgd == record.pgv_pgd()[1]);
}
