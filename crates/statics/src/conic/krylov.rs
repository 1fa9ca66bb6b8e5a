//! The linear system of a Newton step: GMRES around bordering.

use super::interior::Interior;
use super::newton::Newton;

/// Maximum number of rounds of refinement of a Newton step.
const MOST_ROUNDS: usize = 12;
/// Relative error of a Newton step with which refinement ends.
const STEP_TOLERANCE: f64 = 1e-9;

/// Forces, velocities, λ and τ of a Newton step, or the right-hand sides of their equations.
#[derive(Clone, Debug)]
pub(super) struct Unknowns {
    pub r: Vec<f64>,
    pub v: Vec<f64>,
    pub lambda: f64,
    pub tau: f64,
}

impl Unknowns {
    fn dot(&self, other: &Self) -> f64 {
        dot(&self.r, &other.r) + dot(&self.v, &other.v) + self.lambda * other.lambda + self.tau * other.tau
    }

    fn size(&self) -> f64 {
        self.dot(self).sqrt()
    }

    fn scaled(&self, by: f64) -> Self {
        let times = |x: &[f64]| x.iter().map(|x| by * x).collect();
        Self { r: times(&self.r), v: times(&self.v), lambda: by * self.lambda, tau: by * self.tau }
    }

    fn add(&mut self, by: f64, other: &Self) {
        self.r.iter_mut().zip(&other.r).for_each(|(a, b)| *a += by * b);
        self.v.iter_mut().zip(&other.v).for_each(|(a, b)| *a += by * b);
        self.lambda += by * other.lambda;
        self.tau += by * other.tau;
    }
}

/// min ‖β e₁ − H y‖ for a Hessenberg matrix H that grows column by column (Givens rotations).
struct LeastSquares {
    columns: Vec<Vec<f64>>,
    turns: Vec<[f64; 2]>,
    right: Vec<f64>,
}

impl LeastSquares {
    fn new(size: f64) -> Self {
        Self { columns: Vec::new(), turns: Vec::new(), right: vec![size] }
    }

    /// Residual of the best y.
    fn rest(&self) -> f64 {
        self.right[self.turns.len()].abs()
    }

    fn push(&mut self, mut column: Vec<f64>, below: f64) {
        for (k, [c, s]) in self.turns.iter().enumerate() {
            let (a, b) = (column[k], column[k + 1]);
            (column[k], column[k + 1]) = (c * a + s * b, c * b - s * a);
        }
        let k = column.len() - 1;
        let size = column[k].hypot(below).max(f64::MIN_POSITIVE);
        let (c, s) = (column[k] / size, below / size);
        column[k] = size;
        let old = self.right[k];
        self.right[k] = c * old;
        self.right.push(-s * old);
        self.turns.push([c, s]);
        self.columns.push(column);
    }

    fn coefficients(&self) -> Vec<f64> {
        let n = self.columns.len();
        let mut y = vec![0.0; n];
        for i in (0..n).rev() {
            let sum: f64 = (i + 1..n).map(|j| self.columns[j][i] * y[j]).sum();
            y[i] = (self.right[i] - sum) / self.columns[i][i];
        }
        y
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

impl Interior<'_> {
    /// Solves the system of forces, velocities, λ and τ,
    /// ```text
    /// HΔr + JΔv + bΔτ = right.r     JᵀΔr + f_LΔλ + f_DΔτ = right.v
    /// f_L·Δv − Δτ = right.λ         f_D·Δv + (b − 2c)·Δr + Δλ + θΔτ = right.τ
    /// ```
    /// by GMRES around bordering: near the optimum f_L acts on a motion with almost no resistance, and one solve alone
    /// would lose most of its digits.
    pub(super) fn solve(&self, newton: &Newton, right: &Unknowns) -> Unknowns {
        let target = STEP_TOLERANCE * right.size();
        let (mut basis, mut tried) = (Vec::new(), Vec::new());
        let mut least = LeastSquares::new(right.size());
        let mut next = right.scaled(1.0 / right.size().max(f64::MIN_POSITIVE));
        for _ in 0..MOST_ROUNDS {
            let step = self.border(newton, &next);
            let mut image = self.times(newton, &step);
            basis.push(next);
            tried.push(step);
            // orthogonal to the previous vectors, twice for accuracy
            let mut column = vec![0.0; basis.len()];
            for _ in 0..2 {
                for (c, old) in column.iter_mut().zip(&basis) {
                    let part = image.dot(old);
                    *c += part;
                    image.add(-part, old);
                }
            }
            let size = image.size();
            least.push(column, size);
            if least.rest() <= target || size.is_nan() || size <= 1e-300 {
                break;
            }
            next = image.scaled(1.0 / size);
        }
        let mut x = Unknowns { r: vec![0.0; right.r.len()], v: vec![0.0; right.v.len()], lambda: 0.0, tau: 0.0 };
        least.coefficients().iter().zip(&tried).for_each(|(c, step)| x.add(*c, step));
        x
    }

    /// The left-hand sides for x.
    fn times(&self, newton: &Newton, x: &Unknowns) -> Unknowns {
        let program = self.program;
        let mut r = self.normal.stiff(&x.r);
        program.add_velocities(&x.v, &mut r);
        r.iter_mut().zip(&newton.b).for_each(|(r, b)| *r += b * x.tau);
        let mut v: Vec<f64> = program.dead.iter().map(|dead| dead * x.tau).collect();
        program.add_forces(&x.r, &mut v);
        v.iter_mut().zip(&program.live).for_each(|(v, live)| *v += live * x.lambda);
        let lambda = if program.has_live() { dot(&program.live, &x.v) - x.tau } else { 0.0 };
        let work = dot(&program.dead, &x.v) + dot(&newton.other, &x.r);
        Unknowns { r, v, lambda, tau: work + x.lambda + newton.theta * x.tau }
    }

    /// One solve by bordering: forces and velocities for given Δλ and Δτ, then the two scalar equations.
    fn border(&self, newton: &Newton, right: &Unknowns) -> Unknowns {
        let program = self.program;
        let (mut r, mut v) = self.normal.solve(&right.r, &right.v);
        let work = |v: &[f64], r: &[f64]| dot(&program.dead, v) + dot(&newton.other, r);
        let ((r_lambda, v_lambda), (r_tau, v_tau)) = (&newton.by_lambda, &newton.by_tau);
        let last = right.tau - work(&v, &r);
        let tau_tau = work(v_tau, r_tau) + newton.theta;
        let (lambda, tau) = if program.has_live() {
            let (ll, lt) = (dot(&program.live, v_lambda), dot(&program.live, v_tau) - 1.0);
            let first = right.lambda - dot(&program.live, &v);
            let tl = work(v_lambda, r_lambda) + 1.0;
            let determinant = ll * tau_tau - lt * tl;
            ((first * tau_tau - lt * last) / determinant, (ll * last - tl * first) / determinant)
        } else {
            (0.0, last / tau_tau)
        };
        for (x, (by_lambda, by_tau)) in [(&mut r, (r_lambda, r_tau)), (&mut v, (v_lambda, v_tau))] {
            x.iter_mut().zip(by_tau).for_each(|(x, t)| *x += tau * t);
            x.iter_mut().zip(by_lambda).for_each(|(x, l)| *x += lambda * l);
        }
        Unknowns { r, v, lambda, tau }
    }
}
