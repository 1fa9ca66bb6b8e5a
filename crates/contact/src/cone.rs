//! Projections on the friction cone K = { ‖r_T‖ ≤ μ rₙ }, components ordered (n, t…).

/// Euclidean length of the tangential part.
pub fn tangential_length<const D: usize>(x: &[f64; D]) -> f64 {
    x[1..].iter().map(|t| t * t).sum::<f64>().sqrt()
}

/// Projects an impulse [N·s] onto the friction cone.
///
/// ```
/// # use voussoir_contact::cone::project;
/// let r = project([1.0, 2.0, 0.0], 0.5);
/// assert!((r[0] - 1.6).abs() < 1e-15 && (r[1] - 0.8).abs() < 1e-15); // lands on the surface: ‖r_T‖ = μ rₙ
/// ```
pub fn project<const D: usize>(x: [f64; D], mu: f64) -> [f64; D] {
    let t = tangential_length(&x);
    // without friction a pull is on both sides of the first test: t = μ xₙ = 0
    if t <= mu * x[0] && x[0] >= 0.0 {
        return x;
    }
    if mu * t <= -x[0] {
        return [0.0; D];
    }
    on_surface(&x, (x[0] + mu * t) / (1.0 + mu * mu), mu, t)
}

/// The point of the cone's surface with normal part `n` and the tangential direction of `x`.
fn on_surface<const D: usize>(x: &[f64; D], n: f64, mu: f64, t: f64) -> [f64; D] {
    let scale = if t > 0.0 { mu * n / t } else { 0.0 };
    std::array::from_fn(|k| if k == 0 { n } else { x[k] * scale })
}

/// Where a projection landed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// Apex: the contact opens.
    Open,
    /// Inside: the contact sticks.
    Stick,
    /// Surface: the contact slides.
    Slide,
}

/// Projection in the metric diag(rn, rt, rt) and its derivative, as the SAP Newton needs them.
///
/// With μ̂ = μ rt/rn, μ̃² = μ² rt/rn: stick ‖y_T‖ ≤ μ yₙ; slide −μ̂‖y_T‖ < yₙ: γₙ = (yₙ + μ̂‖y_T‖)/(1+μ̃²), γ_T = μ γₙ t̂.
#[derive(Clone, Copy, Debug)]
pub struct MetricProjection<const D: usize> {
    /// The projected impulse.
    pub point: [f64; D],
    /// Where it landed.
    pub region: Region,
    /// ∂γ/∂y.
    pub derivative: [[f64; D]; D],
}

impl<const D: usize> MetricProjection<D> {
    /// Projects `y` for friction `mu` and metric (rn, rt).
    pub fn new(y: [f64; D], mu: f64, rn: f64, rt: f64) -> Self {
        let t = tangential_length(&y);
        if t <= mu * y[0] && y[0] >= 0.0 {
            let identity = std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
            return Self { point: y, region: Region::Stick, derivative: identity };
        }
        let (mu_hat, mu_tilde2) = (mu * rt / rn, mu * mu * rt / rn);
        if y[0] <= -mu_hat * t {
            return Self { point: [0.0; D], region: Region::Open, derivative: [[0.0; D]; D] };
        }
        let c = 1.0 / (1.0 + mu_tilde2);
        let n = (y[0] + mu_hat * t) * c;
        let d: [f64; D] = std::array::from_fn(|k| if k == 0 || t == 0.0 { 0.0 } else { y[k] / t });
        let across = if t > 0.0 { mu * n / t } else { 0.0 };
        let mut derivative = [[0.0; D]; D];
        derivative[0][0] = c;
        for i in 1..D {
            derivative[0][i] = mu_hat * c * d[i];
            derivative[i][0] = mu * c * d[i];
            for j in 1..D {
                let identity = f64::from(u8::from(i == j));
                derivative[i][j] = mu * mu_hat * c * d[i] * d[j] + across * (identity - d[i] * d[j]);
            }
        }
        Self { point: on_surface(&y, n, mu, t), region: Region::Slide, derivative }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_straight_pull_is_outside_every_cone() {
        for mu in [0.0, 0.5] {
            assert_eq!(project([-1.0, 0.0, 0.0], mu), [0.0; 3]);
            let metric = MetricProjection::new([-1.0, 0.0, 0.0], mu, 1.0, 2.0);
            assert_eq!((metric.point, metric.region), ([0.0; 3], Region::Open));
        }
    }

    proptest! {
        #[test]
        fn projection_is_idempotent_and_its_error_lies_in_the_polar_cone(
            x in prop::array::uniform3(-5.0..5.0f64), mu in 0.0..2.0f64
        ) {
            let p = project(x, mu);
            let again = project(p, mu);
            prop_assert!(p.iter().zip(&again).all(|(a, b)| (a - b).abs() < 1e-12));
            // x − p ⊥ p and −(x − p) in the dual cone: uₙ ≥ μ‖u_T‖
            let e: [f64; 3] = std::array::from_fn(|k| p[k] - x[k]);
            prop_assert!(e.iter().zip(&p).map(|(a, b)| a * b).sum::<f64>().abs() < 1e-12);
            prop_assert!(e[0] >= mu * tangential_length(&e) - 1e-12);
        }

        #[test]
        fn metric_projection_equals_the_euclidean_one_for_equal_weights(
            x in prop::array::uniform3(-5.0..5.0f64), mu in 0.0..2.0f64, r in 0.1..10.0f64
        ) {
            let (p, q) = (project(x, mu), MetricProjection::new(x, mu, r, r).point);
            prop_assert!(p.iter().zip(&q).all(|(a, b)| (a - b).abs() < 1e-12));
        }

        #[test]
        fn derivative_of_the_metric_projection_matches_differences(
            x in prop::array::uniform3(-5.0..5.0f64), mu in 0.05..2.0f64, rn in 0.1..10.0f64, rt in 0.1..10.0f64
        ) {
            let at = MetricProjection::new(x, mu, rn, rt);
            let eps = 1e-6;
            for j in 0..3 {
                let shift = |s: f64| { let mut y = x; y[j] += s; MetricProjection::new(y, mu, rn, rt) };
                let (up, down) = (shift(eps), shift(-eps));
                prop_assume!(up.region == at.region && down.region == at.region && tangential_length(&x) > 1e-2);
                for i in 0..3 {
                    let difference = (up.point[i] - down.point[i]) / (2.0 * eps);
                    prop_assert!((difference - at.derivative[i][j]).abs() < 1e-5);
                }
            }
        }
    }
}
