//! The Lorentz cone L = { x₀ ≥ ‖x₁‖ }: Jordan product, Nesterov–Todd scaling, step to the boundary. Book: docs/method-solvers.md.

/// s·e with e = (1, 0, …).
pub(crate) fn unit<const D: usize>(s: f64) -> [f64; D] {
    std::array::from_fn(|k| if k == 0 { s } else { 0.0 })
}

/// Scalar product.
pub(crate) fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// x₀² − ‖x₁‖², without cancelling squares.
pub(crate) fn determinant<const D: usize>(x: &[f64; D]) -> f64 {
    let t = x[1..].iter().map(|t| t * t).sum::<f64>().sqrt();
    (x[0] - t) * (x[0] + t)
}

/// Jordan product a ∘ b = (a·b, a₀b₁ + b₀a₁).
pub(crate) fn jordan<const D: usize>(a: &[f64; D], b: &[f64; D]) -> [f64; D] {
    std::array::from_fn(|k| if k == 0 { dot(a, b) } else { a[0] * b[k] + b[0] * a[k] })
}

/// x with a ∘ x = d.
pub(crate) fn divide<const D: usize>(a: &[f64; D], d: &[f64; D]) -> [f64; D] {
    let cross: f64 = (1..D).map(|k| a[k] * d[k]).sum();
    let x0 = (a[0] * d[0] - cross) / determinant(a);
    std::array::from_fn(|k| if k == 0 { x0 } else { (d[k] - x0 * a[k]) / a[0] })
}

/// Largest α with x + αd in the cone (infinite when there is none).
pub(crate) fn longest_step<const D: usize>(x: &[f64; D], d: &[f64; D]) -> f64 {
    let a = determinant(d);
    let b = x[0] * d[0] - (1..D).map(|k| x[k] * d[k]).sum::<f64>();
    let c = determinant(x);
    let mut best = f64::INFINITY;
    let discriminant = b * b - a * c;
    if discriminant >= 0.0 {
        // roots of aα² + 2bα + c in the form that does not cancel
        let q = -(b + b.signum() * discriminant.sqrt());
        for root in [q / a, c / q] {
            if root > 0.0 {
                best = best.min(root);
            }
        }
    }
    if d[0] < 0.0 { best.min(-x[0] / d[0]) } else { best }
}

/// Nesterov–Todd scaling of a pair (u, r): W r = W⁻¹ u = λ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaling<const D: usize> {
    /// W
    pub forward: [[f64; D]; D],
    /// W⁻¹
    pub inverse: [[f64; D]; D],
}

impl<const D: usize> Scaling<D> {
    /// The scaling, or `None` when one of the two has left the cone.
    pub fn new(u: &[f64; D], r: &[f64; D]) -> Option<Self> {
        let (du, dr) = (determinant(u), determinant(r));
        if !(du > 0.0 && dr > 0.0 && u[0] > 0.0 && r[0] > 0.0) {
            return None;
        }
        let (su, sr) = (du.sqrt(), dr.sqrt());
        let ub: [f64; D] = u.map(|x| x / su);
        let rb: [f64; D] = r.map(|x| x / sr);
        let gamma = ((1.0 + dot(&ub, &rb)) / 2.0).sqrt();
        let w: [f64; D] = std::array::from_fn(|k| (if k == 0 { ub[0] + rb[0] } else { ub[k] - rb[k] }) / (2.0 * gamma));
        let eta = (su / sr).sqrt();
        let (mut forward, mut inverse) = ([[0.0; D]; D], [[0.0; D]; D]);
        (forward[0][0], inverse[0][0]) = (eta * w[0], w[0] / eta);
        for i in 1..D {
            (forward[0][i], inverse[0][i]) = (eta * w[i], -w[i] / eta);
            (forward[i][0], inverse[i][0]) = (forward[0][i], inverse[0][i]);
            for j in 1..D {
                let x = f64::from(u8::from(i == j)) + w[i] * w[j] / (1.0 + w[0]);
                (forward[i][j], inverse[i][j]) = (eta * x, x / eta);
            }
        }
        Some(Self { forward, inverse })
    }

    /// The scaling of a pair of positive numbers in the first components; the others are left out.
    pub fn scalar(u: &[f64; D], r: &[f64; D]) -> Option<Self> {
        if !(u[0] > 0.0 && r[0] > 0.0) {
            return None;
        }
        let eta = (u[0] / r[0]).sqrt();
        let (mut forward, mut inverse) = ([[0.0; D]; D], [[0.0; D]; D]);
        (forward[0][0], inverse[0][0]) = (eta, 1.0 / eta);
        Some(Self { forward, inverse })
    }
}

/// p_τ and its derivatives: the smoothed projection onto the cone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Smoothed<const D: usize> {
    /// p_τ(x)
    pub value: [f64; D],
    /// ∂p_τ/∂x
    pub derivative: [[f64; D]; D],
    /// ∂p_τ/∂τ
    pub rate: [f64; D],
}

/// p_τ(x): (λ + √(λ² + 4τ²))/2 on both eigenvalues λ of x. For τ = 0 the projection onto the cone.
pub(crate) fn smooth<const D: usize>(x: &[f64; D], tau: f64) -> Smoothed<D> {
    let t = x[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
    let w: [f64; D] = std::array::from_fn(|k| if k == 0 || t == 0.0 { 0.0 } else { x[k] / t });
    let (p, dp, rp) = smooth_positive_part(x[0] + t, tau);
    let (m, dm, rm) = smooth_positive_part(x[0] - t, tau);
    let across = if t > 0.0 { (p - m) / (2.0 * t) } else { dp };
    let (mean, half) = (0.5 * (dp + dm), 0.5 * (dp - dm));
    Smoothed {
        value: std::array::from_fn(|k| if k == 0 { 0.5 * (p + m) } else { 0.5 * (p - m) * w[k] }),
        derivative: std::array::from_fn(|i| {
            std::array::from_fn(|j| match (i, j) {
                (0, 0) => mean,
                (0, k) | (k, 0) => half * w[k],
                (i, j) => across * f64::from(u8::from(i == j)) + (mean - across) * w[i] * w[j],
            })
        }),
        rate: std::array::from_fn(|k| if k == 0 { 0.5 * (rp + rm) } else { 0.5 * (rp - rm) * w[k] }),
    }
}

/// (λ + √(λ² + 4τ²))/2 in the form that does not cancel, ∂/∂λ and ∂/∂τ.
fn smooth_positive_part(lambda: f64, tau: f64) -> (f64, f64, f64) {
    let root = lambda.hypot(2.0 * tau).max(f64::MIN_POSITIVE);
    let value = if lambda >= 0.0 { 0.5 * (lambda + root) } else { 2.0 * tau * tau / (root - lambda) };
    (value, value / root, 2.0 * tau / root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small::transform;
    use proptest::prelude::*;

    fn interior(t: [f64; 2], over: f64) -> [f64; 3] {
        [t[0].hypot(t[1]) + over, t[0], t[1]]
    }

    proptest! {
        #[test]
        fn scaling_maps_both_to_the_same_point(
            a in prop::array::uniform2(-3.0..3.0f64), b in prop::array::uniform2(-3.0..3.0f64), x in 0.01..2.0f64, y in 0.01..2.0f64
        ) {
            let (u, r) = (interior(a, x), interior(b, y));
            let s = Scaling::new(&u, &r).unwrap();
            let (p, q) = (transform(&s.forward, &r), transform(&s.inverse, &u));
            prop_assert!(p.iter().zip(&q).all(|(p, q)| (p - q).abs() < 1e-9 * (1.0 + p.abs())));
        }

        #[test]
        fn longest_step_ends_on_the_boundary(
            a in prop::array::uniform2(-3.0..3.0f64), x in 0.01..2.0f64, d in prop::array::uniform3(-3.0..3.0f64)
        ) {
            let p = interior(a, x);
            let step = longest_step(&p, &d);
            let at = |s: f64| -> [f64; 3] { std::array::from_fn(|k| p[k] + s * d[k]) };
            if step.is_finite() {
                prop_assert!(determinant(&at(step)).abs() < 1e-8 * (1.0 + step * step));
                prop_assert!(determinant(&at(0.999 * step)) > -1e-12 && at(0.999 * step)[0] > 0.0);
            } else {
                prop_assert!(determinant(&at(1e3)) > -1e-9);
            }
        }

        #[test]
        fn smoothed_projection_is_on_the_central_path(x in prop::array::uniform3(-3.0..3.0f64), tau in 1e-3..1.0f64) {
            // p − x is what is left, and p ∘ (p − x) = τ² e
            let p = smooth(&x, tau).value;
            let rest: [f64; 3] = std::array::from_fn(|k| p[k] - x[k]);
            let product = jordan(&p, &rest);
            prop_assert!((product[0] - tau * tau).abs() < 1e-12 && product[1].abs() < 1e-12 && product[2].abs() < 1e-12);
            prop_assert!(determinant(&p) > 0.0 && determinant(&rest) > 0.0 && p[0] > 0.0 && rest[0] > 0.0);
        }

        #[test]
        fn derivatives_of_the_smoothed_projection(
            x in prop::array::uniform3(-3.0..3.0f64), d in prop::array::uniform3(-1.0..1.0f64), tau in 0.05..1.0f64
        ) {
            let h = 1e-5;
            let at = |s: f64| smooth::<3>(&std::array::from_fn(|k| x[k] + s * d[k]), tau).value;
            let exact = smooth(&x, tau);
            let along = transform(&exact.derivative, &d);
            let (above, below) = (smooth(&x, tau + h).value, smooth(&x, tau - h).value);
            for k in 0..3 {
                prop_assert!(((at(h)[k] - at(-h)[k]) / (2.0 * h) - along[k]).abs() < 1e-6);
                prop_assert!(((above[k] - below[k]) / (2.0 * h) - exact.rate[k]).abs() < 1e-6);
            }
        }

        #[test]
        fn division_undoes_the_product(a in prop::array::uniform2(-3.0..3.0f64), x in 0.1..2.0f64, b in prop::array::uniform3(-3.0..3.0f64)) {
            let a = interior(a, x);
            let back = divide(&a, &jordan(&a, &b));
            prop_assert!(back.iter().zip(&b).all(|(p, q)| (p - q).abs() < 1e-9));
        }
    }
}
