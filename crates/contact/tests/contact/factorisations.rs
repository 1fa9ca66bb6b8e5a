//! The two factorisations agree with each other and with the matrix they came from.

use proptest::prelude::*;
use voussoir_contact::linear::{Cholesky, Matrix, Multifrontal, Pattern};
use voussoir_contact::local::LocalProblem;

/// Random blocks G: symmetric positive semidefinite plus, on request, an unsymmetric part.
fn blocks(seed: &[f64], contacts: usize, skew: f64) -> Vec<f64> {
    let mut out = Vec::new();
    for i in 0..contacts {
        let a = |p: usize, q: usize| seed[(i * 7 + p * 3 + q) % seed.len()];
        for p in 0..3 {
            for q in 0..3 {
                let square: f64 = (0..3).map(|k| a(p, k) * a(q, k)).sum();
                out.push(1e5 * (square + skew * (a(p, q) - a(q, p))));
            }
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn solves_return_the_right_hand_side(
        seed in prop::collection::vec(-1.0..1.0f64, 40), courses in 1usize..7, bricks in 2usize..5
    ) {
        let p = crate::common::wall(courses, bricks, 0.0, 0.6);
        let pattern = Pattern::new(&p);
        let n = pattern.scalars();
        let rhs: Vec<f64> = (0..n).map(|k| seed[k % seed.len()]).collect();
        for skew in [0.0, 0.7] {
            let g = blocks(&seed, p.contacts(), skew);
            let mut matrix = Matrix::default();
            matrix.assemble(&p, &pattern, &g, false);
            let mut lu = Multifrontal::new(&pattern);
            lu.factorise(&matrix).unwrap();
            let mut x = rhs.clone();
            lu.solve(&mut x);
            let mut back = Vec::new();
            matrix.times(&pattern, &x, &mut back);
            let error = back.iter().zip(&rhs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            prop_assert!(error < 1e-9, "LU residual {error}");
            if skew == 0.0 {
                let mut cholesky = Cholesky::new(&pattern);
                matrix.assemble(&p, &pattern, &g, true);
                cholesky.factorise(&matrix).unwrap();
                let mut y = rhs.clone();
                cholesky.solve(&mut y);
                prop_assert!(x.iter().zip(&y).all(|(a, b)| (a - b).abs() < 1e-9 * (1.0 + a.abs())));
            }
        }
    }

    #[test]
    fn local_form_equals_the_global_one(seed in prop::collection::vec(-1.0..1.0f64, 40)) {
        let p = crate::common::wall(3, 3, 0.4, 0.6);
        let local = LocalProblem::from_global(&p);
        let r: Vec<f64> = (0..p.contacts() * 3).map(|k| seed[k % seed.len()]).collect();
        let (mut v, mut u) = (Vec::new(), Vec::new());
        p.velocity(&r, &mut v);
        p.relative_velocity(&v, &mut u);
        prop_assert!(local.relative_velocity(&r).iter().zip(&u).all(|(a, b)| (a - b).abs() < 1e-10));
    }
}
