//! The exact solution of a problem with one contact: u = q + W r with W symmetric positive definite.
//!
//! Enumeration: apart (qₙ ≥ 0), stick (r = −W⁻¹q inside the cone), else slide with u_T = −α r_T, α ≥ 0.
//! Eliminating rₙ leaves r_T = −(S + αI)⁻¹ b with S = W_TT − W_TN W_NT/Wₙₙ, b = q_T − W_TN qₙ/Wₙₙ, and one scalar
//! equation φ(α) = ‖r_T‖ − μ rₙ = 0. φ(0) > 0 because stick failed and φ(∞) = μ qₙ/Wₙₙ < 0, so a bracketed
//! Newton iteration always finds a root; no quartic has to be solved. Book: docs/method-solvers.md.

use crate::cone::{project, tangential_length};
use crate::delassus::Laws;
use crate::small::{inverse, transform};

/// Directions tried first on the circle of the associated law.
const SAMPLES: usize = 24;

/// A one-contact problem.
#[derive(Clone, Copy, Debug)]
pub struct OneContact<'a, const D: usize> {
    /// Diagonal block of W, compliance included.
    pub w: &'a [[f64; D]; D],
    /// Relative velocity without this contact's own impulse.
    pub q: [f64; D],
    /// μ
    pub friction: f64,
    /// Least normal impulse.
    pub floor: f64,
    /// Associated (dilatant) friction in place of Coulomb's.
    pub associated: bool,
}

impl<'a, const D: usize> OneContact<'a, D> {
    /// The problem of contact `i` for given `w` (compliance included) and `q`.
    pub(crate) fn of(w: &'a [[f64; D]; D], q: [f64; D], i: usize, laws: &Laws<'_>) -> Self {
        Self { w, q, friction: laws.friction[i], floor: laws.floor[i], associated: laws.associated }
    }

    /// The solution, over-relaxed from `old` by ω and projected on the cone again.
    pub(crate) fn relaxed(&self, old: &[f64; D], relaxation: f64) -> [f64; D] {
        let new = self.solve();
        if relaxation == 1.0 || self.floor > 0.0 {
            return new;
        }
        project(std::array::from_fn(|k| old[k] + relaxation * (new[k] - old[k])), self.friction)
    }

    /// The impulse that satisfies the law.
    pub fn solve(&self) -> [f64; D] {
        if self.associated && self.friction > 0.0 {
            return self.convex();
        }
        let r = self.unilateral();
        if r[0] >= self.floor { r } else { self.at_floor() }
    }

    /// Signorini and Coulomb with rₙ ≥ 0.
    fn unilateral(&self) -> [f64; D] {
        let (w, q, mu) = (self.w, &self.q, self.friction);
        if q[0] >= 0.0 || w[0][0] <= 0.0 {
            return [0.0; D];
        }
        if mu == 0.0 {
            return std::array::from_fn(|k| if k == 0 { -q[0] / w[0][0] } else { 0.0 });
        }
        // Schur complement of the normal component
        let mut s = [[0.0; D]; D];
        let mut b = [0.0; D];
        for i in 1..D {
            b[i] = q[i] - w[i][0] * q[0] / w[0][0];
            for j in 1..D {
                s[i][j] = w[i][j] - w[i][0] * w[0][j] / w[0][0];
            }
        }
        let normal = |t: &[f64; D]| -(q[0] + (1..D).map(|k| w[0][k] * t[k]).sum::<f64>()) / w[0][0];
        let trial = |alpha: f64| {
            let mut r = tangential_solve(&s, &b, alpha);
            r[0] = normal(&r);
            r
        };
        let stick = trial(0.0);
        if stick[0] >= 0.0 && tangential_length(&stick) <= mu * stick[0] {
            return stick;
        }
        let excess = |alpha: f64| {
            let r = trial(alpha);
            let slope = tangential_solve(&s, &r, alpha);
            let t = tangential_length(&r);
            let dt = if t > 0.0 { (1..D).map(|k| r[k] * slope[k]).sum::<f64>() / t } else { 0.0 };
            let dn = -(1..D).map(|k| w[0][k] * slope[k]).sum::<f64>() / w[0][0];
            (t - mu * r[0], dt - mu * dn)
        };
        let scale = (1..D).map(|k| w[k][k]).sum::<f64>() / (D - 1) as f64;
        let mut r = trial(root(excess, scale));
        // projection on the cone removes rounding errors
        let t = tangential_length(&r);
        let fit = if t > 0.0 { mu * r[0].max(0.0) / t } else { 0.0 };
        r[0] = r[0].max(0.0);
        r[1..].iter_mut().for_each(|x| *x *= fit);
        r
    }

    /// The associated law: the minimum of ½ rᵀWr + qᵀr over the cone. Where the contact neither opens nor sticks it
    /// lies on a ray n (1, μ d): n = −q·c / cᵀWc with the lowest value −(q·c)²/(2 cᵀWc) of all c = (1, μ d).
    fn convex(&self) -> [f64; D] {
        let (w, q, mu) = (self.w, &self.q, self.friction);
        if q[0] >= mu * tangential_length(q) {
            return [0.0; D];
        }
        if let Some(inverse) = inverse(w) {
            let stick = transform(&inverse, &q.map(|x| -x));
            if stick[0] >= 0.0 && tangential_length(&stick) <= mu * stick[0] {
                return stick;
            }
        }
        let ray = |angle: f64| -> [f64; D] {
            let d = [1.0, mu * angle.cos(), mu * angle.sin()];
            std::array::from_fn(|k| d[k])
        };
        let parts = |c: &[f64; D]| {
            let wc = transform(w, c);
            ((0..D).map(|k| q[k] * c[k]).sum::<f64>(), (0..D).map(|k| wc[k] * c[k]).sum::<f64>(), wc)
        };
        let value = |angle: f64| {
            let (push, stiffness, _) = parts(&ray(angle));
            if push < 0.0 { -push * push / stiffness } else { 0.0 }
        };
        let samples = if D == 2 { 2 } else { SAMPLES };
        let spacing = std::f64::consts::TAU / samples as f64;
        // the first sample is the direction of −q_T: if any direction has a negative value, this one has
        let start = if D == 2 { 0.0 } else { (-q[D - 1]).atan2(-q[1]) };
        let angles = (0..samples).map(|k| start + k as f64 * spacing);
        let centre = angles.min_by(|&a, &b| value(a).total_cmp(&value(b))).unwrap_or(start);
        let mut angle = centre;
        if D == 3 {
            // where the slope of the value along the circle vanishes, between the neighbouring samples
            let slope = |angle: f64| {
                let c = ray(angle);
                let (push, stiffness, wc) = parts(&c);
                let along = [0.0, -c[D - 1], c[1]];
                let (dq, dw) = (1..D).fold((0.0, 0.0), |(a, b), k| (a + q[k] * along[k], b + wc[k] * along[k]));
                if push < 0.0 { (push * dw - dq * stiffness) * push } else { angle - centre }
            };
            let (mut low, mut high) = (centre - spacing, centre + spacing);
            for _ in 0..60 {
                angle = 0.5 * (low + high);
                if slope(angle) < 0.0 {
                    low = angle;
                } else {
                    high = angle;
                }
            }
        }
        let c = ray(angle);
        let (push, stiffness, _) = parts(&c);
        c.map(|x| x * (-push / stiffness).max(0.0))
    }

    /// The normal impulse sits at its floor; friction is bounded by μ·floor.
    fn at_floor(&self) -> [f64; D] {
        let bound = self.friction * self.floor;
        let mut b = [0.0; D];
        for i in 1..D {
            b[i] = self.q[i] + self.w[i][0] * self.floor;
        }
        let mut r = tangential_solve(self.w, &b, 0.0);
        if tangential_length(&r) > bound {
            let excess = |alpha: f64| {
                let r = tangential_solve(self.w, &b, alpha);
                let slope = tangential_solve(self.w, &r, alpha);
                let t = tangential_length(&r).max(f64::MIN_POSITIVE);
                (t - bound, (1..D).map(|k| r[k] * slope[k]).sum::<f64>() / t)
            };
            r = if bound > 0.0 { tangential_solve(self.w, &b, root(excess, self.w[1][1])) } else { [0.0; D] };
        }
        r[0] = self.floor;
        r
    }
}

/// x_T = −(S_TT + αI)⁻¹ b_T; the normal component is zero.
fn tangential_solve<const D: usize>(s: &[[f64; D]; D], b: &[f64; D], alpha: f64) -> [f64; D] {
    let mut x = [0.0; D];
    if D == 2 {
        x[1] = -b[1] / (s[1][1] + alpha);
    } else {
        let (a, d) = (s[1][1] + alpha, s[2][2] + alpha);
        let det = a * d - s[1][2] * s[2][1];
        x[1] = -(d * b[1] - s[1][2] * b[2]) / det;
        x[2] = -(a * b[2] - s[2][1] * b[1]) / det;
    }
    x
}

/// Root of a function that is positive at 0 and negative at infinity; returns (value, derivative) pairs.
fn root(f: impl Fn(f64) -> (f64, f64), scale: f64) -> f64 {
    let (mut low, mut high) = (0.0, scale);
    for _ in 0..1100 {
        if f(high).0 <= 0.0 {
            break;
        }
        (low, high) = (high, 4.0 * high);
    }
    let mut x = if low == 0.0 { 0.0 } else { low };
    for _ in 0..200 {
        let (value, slope) = f(x);
        if value > 0.0 {
            low = x
        } else {
            high = x
        }
        if value == 0.0 || high - low <= 1e-15 * high {
            break;
        }
        let newton = x - value / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - x).abs() <= 1e-16 * next {
            break;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::residual::{Law, natural_map};
    use proptest::prelude::*;

    fn check<const D: usize>(w: [[f64; D]; D], q: [f64; D], friction: f64, associated: bool) -> f64 {
        let r = OneContact { w: &w, q, friction, floor: 0.0, associated }.solve();
        let u: [f64; D] = std::array::from_fn(|i| q[i] + (0..D).map(|j| w[i][j] * r[j]).sum::<f64>());
        let law = Law { friction, compliance: &[0.0; D], floor: 0.0, associated };
        natural_map(&u, &r, law, 1.0).iter().map(|x| x * x).sum::<f64>().sqrt()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn solution_obeys_the_true_law_3d(
            a in prop::array::uniform3(prop::array::uniform3(-1.0..1.0f64)), q in prop::array::uniform3(-1.0..1.0f64), mu in 0.0..1.5f64
        ) {
            // W = AAᵀ + 0.1 I
            let w = std::array::from_fn(|i| std::array::from_fn(|j| {
                (0..3).map(|k| a[i][k] * a[j][k]).sum::<f64>() + if i == j { 0.1 } else { 0.0 }
            }));
            prop_assert!(check(w, q, mu, false) < 1e-11);
            prop_assert!(check(w, q, mu, true) < 1e-9);
        }

        #[test]
        fn solution_obeys_the_true_law_2d(
            a in prop::array::uniform2(prop::array::uniform2(-1.0..1.0f64)), q in prop::array::uniform2(-1.0..1.0f64), mu in 0.0..1.5f64
        ) {
            let w = std::array::from_fn(|i| std::array::from_fn(|j| {
                (0..2).map(|k| a[i][k] * a[j][k]).sum::<f64>() + if i == j { 0.1 } else { 0.0 }
            }));
            prop_assert!(check(w, q, mu, false) < 1e-11);
            prop_assert!(check(w, q, mu, true) < 1e-9);
        }

        #[test]
        fn floor_is_kept(q in prop::array::uniform3(-1.0..1.0f64), mu in 0.0..1.5f64, floor in 0.0..2.0f64) {
            let w = [[1.0, 0.2, 0.0], [0.2, 1.0, 0.1], [0.0, 0.1, 1.0]];
            let r = OneContact { w: &w, q, friction: mu, floor, associated: false }.solve();
            let u: [f64; 3] = std::array::from_fn(|i| q[i] + (0..3).map(|j| w[i][j] * r[j]).sum::<f64>());
            prop_assert!(r[0] >= floor && u[0] >= -1e-12 || r[0] > floor && u[0].abs() < 1e-12);
            prop_assert!(tangential_length(&r) <= mu * r[0] + 1e-12);
        }
    }
}
