//! Integration rules on reference elements.
//!
//! Quadrilaterals and hexahedra: products of Gauss rules. Triangles and tetrahedra: rules of 1, 3 and 4 points, and
//! products of Gauss rules on the collapsed square and cube (Duffy 1982), exact to any degree.

use crate::kind::ElementKind;

/// A point of a rule and its weight.
pub(crate) type RulePoint = ([f64; 3], f64);

/// Gauss rule with n points on −1 … 1, by Newton's method on the Legendre polynomial.
pub(crate) fn gauss(n: usize) -> Vec<(f64, f64)> {
    (0..n)
        .map(|i| {
            let mut x = -(std::f64::consts::PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
            let mut slope = 1.0;
            for _ in 0..50 {
                let (mut p, mut before) = (x, 1.0);
                for k in 2..=n {
                    let k = k as f64;
                    (p, before) = (((2.0 * k - 1.0) * x * p - (k - 1.0) * before) / k, p);
                }
                slope = n as f64 * (x * p - before) / (x * x - 1.0);
                let step = p / slope;
                x -= step;
                if step.abs() < 1e-16 {
                    break;
                }
            }
            (x, 2.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}

/// The rule for stiffness and stress.
pub(crate) fn stiffness_rule(kind: ElementKind) -> Vec<RulePoint> {
    use ElementKind::*;
    match kind {
        Triangle3 => vec![([1.0 / 3.0, 1.0 / 3.0, 0.0], 0.5)],
        Triangle6 => {
            let (a, b, w) = (1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0);
            vec![([a, a, 0.0], w), ([b, a, 0.0], w), ([a, b, 0.0], w)]
        }
        Tetra4 => vec![([0.25; 3], 1.0 / 6.0)],
        Tetra10 => {
            let b = (5.0 - 5.0f64.sqrt()) / 20.0;
            let (a, w) = (1.0 - 3.0 * b, 1.0 / 24.0);
            vec![([b, b, b], w), ([a, b, b], w), ([b, a, b], w), ([b, b, a], w)]
        }
        Quad4 | Hexa8 | Line2 => product(kind.dimension(), 2),
        Quad8 | Hexa20 | Line3 => product(kind.dimension(), 3),
    }
}

/// The rule for mass and volume: exact for straight edges, so that mass and inertia are those of the block.
pub(crate) fn mass_rule(kind: ElementKind) -> Vec<RulePoint> {
    let quadratic = kind.points() > kind.corners();
    match kind.dimension() {
        2 if kind.is_simplex() => triangle(if quadratic { 4 } else { 3 }),
        3 if kind.is_simplex() => tetrahedron(if quadratic { 4 } else { 3 }),
        dimension => product(dimension, if quadratic { 4 } else { 3 }),
    }
}

/// Product of Gauss rules with n points each.
fn product(dimension: usize, n: usize) -> Vec<RulePoint> {
    let line = gauss(n);
    let count = n.pow(dimension as u32);
    (0..count)
        .map(|index| {
            let (mut at, mut weight, mut rest) = ([0.0; 3], 1.0, index);
            for place in at.iter_mut().take(dimension) {
                let (x, w) = line[rest % n];
                (*place, weight, rest) = (x, weight * w, rest / n);
            }
            (at, weight)
        })
        .collect()
}

/// Rule with n² points on the triangle r, s ≥ 0, r + s ≤ 1: exact to degree 2n − 2.
pub(crate) fn triangle(n: usize) -> Vec<RulePoint> {
    let line: Vec<(f64, f64)> = gauss(n).into_iter().map(|(x, w)| (0.5 * (1.0 + x), 0.5 * w)).collect();
    let pairs = line.iter().flat_map(|u| line.iter().map(move |v| (u, v)));
    pairs.map(|((u, wu), (v, wv))| ([*u, v * (1.0 - u), 0.0], wu * wv * (1.0 - u))).collect()
}

/// Rule with n³ points on the tetrahedron: exact to degree 2n − 3.
fn tetrahedron(n: usize) -> Vec<RulePoint> {
    let line: Vec<(f64, f64)> = gauss(n).into_iter().map(|(x, w)| (0.5 * (1.0 + x), 0.5 * w)).collect();
    let mut rule = Vec::with_capacity(n * n * n);
    for (u, wu) in &line {
        for (v, wv) in &line {
            for (w, ww) in &line {
                let (a, b) = (1.0 - u, 1.0 - v);
                rule.push(([*u, v * a, w * a * b], wu * wv * ww * a * a * b));
            }
        }
    }
    rule
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gauss_rules_integrate_polynomials() {
        for n in 1..9 {
            for degree in 0..2 * n {
                let sum: f64 = gauss(n).iter().map(|(x, w)| w * x.powi(degree as i32)).sum();
                let exact = if degree % 2 == 1 { 0.0 } else { 2.0 / (degree as f64 + 1.0) };
                assert!((sum - exact).abs() < 1e-14, "{n} {degree}");
            }
        }
    }

    #[test]
    fn simplex_rules_integrate_monomials() {
        // ∫ r^a s^b over the triangle = a! b! / (a + b + 2)!; over the tetrahedron with t^c: a! b! c! / (a+b+c+3)!
        let factorial = |n: i32| (1..=n).map(f64::from).product::<f64>();
        for (a, b) in [(0, 0), (1, 0), (2, 2), (3, 1), (0, 4)] {
            let sum: f64 = triangle(3).iter().map(|(x, w)| w * x[0].powi(a) * x[1].powi(b)).sum();
            assert!((sum - factorial(a) * factorial(b) / factorial(a + b + 2)).abs() < 1e-15);
            let sum: f64 = tetrahedron(4).iter().map(|(x, w)| w * x[0].powi(a) * x[1].powi(b) * x[2]).sum();
            assert!((sum - factorial(a) * factorial(b) / factorial(a + b + 4)).abs() < 1e-15);
        }
    }
}
