//! Half-lines { x ≥ 0 } and Lorentz cones { x₀ ≥ ‖(x₁, x₂)‖ }: both are self-dual.
//!
//! Nesterov–Todd scaling of a pair (s, z): the symmetric W with W z = W⁻¹ s = λ (Nesterov & Todd 1997).

/// One factor of K.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cone {
    /// One non-negative number.
    Positive,
    /// Three numbers.
    Lorentz,
}

impl Cone {
    /// Numbers in a point.
    pub fn size(self) -> usize {
        match self {
            Self::Positive => 1,
            Self::Lorentz => 3,
        }
    }

    /// Distance of a point outside the cone; ≤ 0 inside.
    pub fn outside(self, x: &[f64]) -> f64 {
        match self {
            Self::Positive => -x[0],
            Self::Lorentz => x[1].hypot(x[2]) - x[0],
        }
    }
}

/// x₀² − ‖x₁‖², without cancelling squares.
fn determinant(x: &[f64]) -> f64 {
    let t = x[1].hypot(x[2]);
    (x[0] - t) * (x[0] + t)
}

/// The scaling of one pair.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scaling {
    Positive(f64),
    Lorentz { eta: f64, w: [f64; 3] },
}

impl Scaling {
    /// `None` if one of the two has left the cone.
    pub fn new(cone: Cone, s: &[f64], z: &[f64]) -> Option<Self> {
        match cone {
            Cone::Positive => (s[0] > 0.0 && z[0] > 0.0).then(|| Self::Positive((s[0] / z[0]).sqrt())),
            Cone::Lorentz => {
                let (ds, dz) = (determinant(s), determinant(z));
                if !(ds > 0.0 && dz > 0.0 && s[0] > 0.0 && z[0] > 0.0) {
                    return None;
                }
                let (rs, rz) = (ds.sqrt(), dz.sqrt());
                let product: f64 = (0..3).map(|k| s[k] / rs * (z[k] / rz)).sum();
                let gamma = (0.5 * (1.0 + product)).sqrt();
                let part = |k: usize| (s[k] / rs + if k == 0 { z[k] / rz } else { -z[k] / rz }) / (2.0 * gamma);
                let (w1, w2) = (part(1), part(2));
                // normalise onto the hyperboloid to the last digit
                let w = [(1.0 + w1 * w1 + w2 * w2).sqrt(), w1, w2];
                Some(Self::Lorentz { eta: (rs / rz).sqrt(), w })
            }
        }
    }

    /// W x, or W⁻¹ x.
    pub fn apply(&self, x: &[f64], inverse: bool, out: &mut [f64]) {
        match *self {
            Self::Positive(w) => out[0] = if inverse { x[0] / w } else { x[0] * w },
            Self::Lorentz { eta, w } => {
                let (sign, eta) = if inverse { (-1.0, 1.0 / eta) } else { (1.0, eta) };
                let along = w[1] * x[1] + w[2] * x[2];
                let first = w[0] * x[0] + sign * along;
                let share = sign * x[0] + along / (1.0 + w[0]);
                out[0] = eta * first;
                out[1] = eta * (x[1] + share * w[1]);
                out[2] = eta * (x[2] + share * w[2]);
            }
        }
    }

    /// W⁻² x.
    pub fn inverse_square(&self, x: &[f64], out: &mut [f64]) {
        match *self {
            Self::Positive(w) => out[0] = x[0] / (w * w),
            Self::Lorentz { eta, w } => {
                // η⁻² (2 (Jw)(Jw)ᵀ − J), J = diag(1, −1, −1)
                let product = 2.0 * (w[0] * x[0] - w[1] * x[1] - w[2] * x[2]);
                let scale = 1.0 / (eta * eta);
                out[0] = scale * (product * w[0] - x[0]);
                out[1] = scale * (x[1] - product * w[1]);
                out[2] = scale * (x[2] - product * w[2]);
            }
        }
    }
}

/// out = a ∘ b (Jordan product).
pub(crate) fn jordan(cone: Cone, a: &[f64], b: &[f64], out: &mut [f64]) {
    match cone {
        Cone::Positive => out[0] = a[0] * b[0],
        Cone::Lorentz => {
            out[0] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            out[1] = a[0] * b[1] + b[0] * a[1];
            out[2] = a[0] * b[2] + b[0] * a[2];
        }
    }
}

/// The x with a ∘ x = d.
pub(crate) fn divide(cone: Cone, a: &[f64], d: &[f64], out: &mut [f64]) {
    match cone {
        Cone::Positive => out[0] = d[0] / a[0],
        Cone::Lorentz => {
            let x0 = (a[0] * d[0] - a[1] * d[1] - a[2] * d[2]) / determinant(a);
            out[0] = x0;
            out[1] = (d[1] - x0 * a[1]) / a[0];
            out[2] = (d[2] - x0 * a[2]) / a[0];
        }
    }
}

/// Largest α with x + αd in the cone; infinite if unbounded.
pub(crate) fn longest_step(cone: Cone, x: &[f64], d: &[f64]) -> f64 {
    let straight = if d[0] < 0.0 { -x[0] / d[0] } else { f64::INFINITY };
    match cone {
        Cone::Positive => straight,
        Cone::Lorentz => {
            let (a, c) = (determinant(d), determinant(x));
            let b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
            let mut best = straight;
            let discriminant = b * b - a * c;
            if discriminant >= 0.0 {
                // roots of aα² + 2bα + c in the form without cancellation
                let q = -(b + b.signum() * discriminant.sqrt());
                for root in [q / a, c / q] {
                    if root > 0.0 {
                        best = best.min(root);
                    }
                }
            }
            best
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    // the same property as for the cones of `contact`, which this crate does not share
    fn interior(t: [f64; 2], over: f64) -> [f64; 3] {
        [t[0].hypot(t[1]) + over, t[0], t[1]]
    }

    proptest! {
        #[test]
        fn scaling_maps_both_to_the_same_point(
            a in prop::array::uniform2(-3.0..3.0f64), b in prop::array::uniform2(-3.0..3.0f64),
            x in 0.01..2.0f64, y in 0.01..2.0f64
        ) {
            let (s, z) = (interior(a, x), interior(b, y));
            let scaling = Scaling::new(Cone::Lorentz, &s, &z).unwrap();
            let (mut p, mut q, mut back, mut twice) = ([0.0; 3], [0.0; 3], [0.0; 3], [0.0; 3]);
            scaling.apply(&z, false, &mut p);
            scaling.apply(&s, true, &mut q);
            prop_assert!(p.iter().zip(&q).all(|(p, q)| (p - q).abs() < 1e-9 * (1.0 + p.abs())));
            scaling.apply(&q, true, &mut back);
            scaling.inverse_square(&s, &mut twice);
            prop_assert!(back.iter().zip(&twice).all(|(p, q)| (p - q).abs() < 1e-8 * (1.0 + p.abs())));
            prop_assert!(back.iter().zip(&z).all(|(p, q)| (p - q).abs() < 1e-8 * (1.0 + p.abs())));
        }

        #[test]
        fn division_undoes_the_product(a in prop::array::uniform2(-3.0..3.0f64), x in 0.1..2.0f64, b in prop::array::uniform3(-3.0..3.0f64)) {
            let a = interior(a, x);
            let (mut d, mut back) = ([0.0; 3], [0.0; 3]);
            jordan(Cone::Lorentz, &a, &b, &mut d);
            divide(Cone::Lorentz, &a, &d, &mut back);
            prop_assert!(back.iter().zip(&b).all(|(p, q)| (p - q).abs() < 1e-9));
        }

        #[test]
        fn the_longest_step_ends_on_the_boundary(
            a in prop::array::uniform2(-3.0..3.0f64), x in 0.01..2.0f64, d in prop::array::uniform3(-3.0..3.0f64)
        ) {
            let p = interior(a, x);
            let step = longest_step(Cone::Lorentz, &p, &d);
            let at = |s: f64| -> [f64; 3] { std::array::from_fn(|k| p[k] + s * d[k]) };
            if step.is_finite() {
                prop_assert!(determinant(&at(step)).abs() < 1e-8 * (1.0 + step * step));
                prop_assert!(Cone::Lorentz.outside(&at(0.999 * step)) < 1e-12);
            } else {
                prop_assert!(Cone::Lorentz.outside(&at(1e3)) < 1e-9);
            }
        }
    }
}
