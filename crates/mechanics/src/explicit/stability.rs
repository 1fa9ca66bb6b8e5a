//! Critical time step of central differences, Δt_cr = 2/ω_max, from the stiffness of all listed contacts.
//!
//! Every contact adds B^T diag(kₙ, k_t) B with B = [n, arm × n; t, arm × t] of the candidate and minus that of the
//! antagonist. `Gerschgorin`: ω²_max ≤ max_i Σ_j |K_ij|/√(m_i m_j). `Simple`: ω² = k/m of each body with k = 2Σ(kₙ + k_t)
//! and 2Σ r²(kₙ + k_t), for discs 2Σ r² k_t. `Eigen`: Lanczos iteration on M^-½ K M^-½. References: Underwood (1983),
//! Dynamic relaxation; Rouxinol, Providência and Lemos (2007), equations 2.17 and 5.2.

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::planar::CornerMemory;

use super::arrays::{Arrays, Four};
use super::contact::Scratch;
use super::law::Laws;
use super::lists::Lists;
use super::settings::{CriticalStep, MassScaling};

/// Most Lanczos iterations.
const LANCZOS: usize = 400;
/// Tolerance of the Lanczos iteration on the largest eigenvalue.
const EIGEN_TOLERANCE: f64 = 1e-12;

/// A 3 × 3 block, row by row.
type Block = [f64; 9];

/// Stiffness matrix of the listed contacts: blocks of bodies and of pairs.
#[derive(Clone, Debug)]
pub(super) struct Stiffness {
    diagonal: Vec<Block>,
    /// Candidate, antagonist, block; one per pair.
    pairs: Vec<(u32, u32, Block)>,
    /// Sums of the simple formula per body: translation, rotation.
    simple: Vec<[f64; 2]>,
}

impl Stiffness {
    /// The stiffness of all contacts closer than `gap` as if they were closed.
    pub fn new(arrays: &Arrays, lists: &Lists, laws: &Laws, scratch: &mut Scratch, gap: f64, points: u8) -> Self {
        let count = arrays.pos.len();
        let mut k = Self { diagonal: vec![[0.0; 9]; count], pairs: Vec::new(), simple: vec![[0.0; 2]; count] };
        for pair in &lists.discs {
            let law = laws.at(pair.law);
            let (a, b) = (pair.a as usize, pair.b as usize);
            let between = arrays.centre(a) - arrays.centre(b);
            let normal = between.try_normalize().unwrap_or(DVec2::Y);
            let point = arrays.centre(b) + normal * arrays.pos[b][2];
            k.add(arrays, [a, b], point, normal, [law.normal * law.round, law.tangential * law.round]);
        }
        for pair in &lists.outlines {
            let law = laws.at(pair.law);
            // without the memory of types: the step is a function of the positions at detection
            let mut corners = vec![CornerMemory::default(); pair.slots as usize];
            scratch.meet(arrays, pair, law, &mut corners, gap, points);
            for (contact, length) in scratch.contacts.iter().zip(&scratch.lengths) {
                let stiffness = [law.normal * length, law.tangential * length];
                k.add(arrays, [pair.a as usize, pair.b as usize], contact.point, contact.normal, stiffness);
            }
        }
        k
    }

    fn add(&mut self, arrays: &Arrays, [a, b]: [usize; 2], point: DVec2, n: DVec2, stiffness: [f64; 2]) {
        let t = DVec2::new(n.y, -n.x);
        let arms = [a, b].map(|body| point - arrays.centre(body));
        let mut coupling = [0.0; 9];
        for (direction, k) in [(n, stiffness[0]), (t, stiffness[1])] {
            let row = |arm: DVec2, sign: f64| [sign * direction.x, sign * direction.y, sign * arm.perp_dot(direction)];
            let (ra, rb) = (row(arms[0], 1.0), row(arms[1], -1.0));
            for i in 0..3 {
                for j in 0..3 {
                    self.diagonal[a][3 * i + j] += k * ra[i] * ra[j];
                    self.diagonal[b][3 * i + j] += k * rb[i] * rb[j];
                    coupling[3 * i + j] += k * ra[i] * rb[j];
                }
            }
        }
        match self.pairs.last_mut() {
            Some((x, y, block)) if (*x, *y) == (a as u32, b as u32) => {
                block.iter_mut().zip(coupling).for_each(|(sum, part)| *sum += part);
            }
            _ => self.pairs.push((a as u32, b as u32, coupling)),
        }
        for (body, arm) in [a, b].into_iter().zip(arms) {
            let [kn, kt] = stiffness;
            let turning = if arrays.outline(body).is_none() { kt } else { kn + kt };
            self.simple[body][0] += 2.0 * (kn + kt);
            self.simple[body][1] += 2.0 * arm.length_squared() * turning;
        }
    }

    /// The critical step [s]; infinite without contacts.
    pub fn critical(&self, inverse: &[Four], method: CriticalStep) -> f64 {
        let square = match method {
            CriticalStep::Gerschgorin => self.largest_row(inverse),
            CriticalStep::Simple => self.largest_body(inverse),
            CriticalStep::Eigen => self.largest_eigenvalue(inverse),
        };
        if square > 0.0 { 2.0 / square.sqrt() } else { f64::INFINITY }
    }

    /// Row sums of |K_ij|/√(m_i m_j).
    fn rows(&self, inverse: &[Four]) -> Vec<[f64; 3]> {
        let root: Vec<[f64; 3]> = inverse.iter().map(|m| std::array::from_fn(|k| m[k].sqrt())).collect();
        let mut rows = vec![[0.0; 3]; inverse.len()];
        for (body, block) in self.diagonal.iter().enumerate() {
            for i in 0..3 {
                for j in 0..3 {
                    rows[body][i] += block[3 * i + j].abs() * root[body][i] * root[body][j];
                }
            }
        }
        for &(a, b, block) in &self.pairs {
            let (a, b) = (a as usize, b as usize);
            for i in 0..3 {
                for j in 0..3 {
                    let part = block[3 * i + j].abs() * root[a][i] * root[b][j];
                    rows[a][i] += part;
                    rows[b][j] += part;
                }
            }
        }
        rows
    }

    fn largest_row(&self, inverse: &[Four]) -> f64 {
        self.rows(inverse).into_iter().flatten().fold(0.0, f64::max)
    }

    fn largest_body(&self, inverse: &[Four]) -> f64 {
        let of = |(k, m): (&[f64; 2], &Four)| (k[0] * m[0].max(m[1])).max(k[1] * m[2]);
        self.simple.iter().zip(inverse).map(of).fold(0.0, f64::max)
    }

    /// y = M^-½ K M^-½ x.
    fn multiply(&self, root: &[f64], x: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        let scaled: Vec<f64> = x.iter().zip(root).map(|(x, r)| x * r).collect();
        let add = |block: &Block, x: &[f64], y: &mut [f64], turned: bool| {
            for i in 0..3 {
                for j in 0..3 {
                    y[i] += block[if turned { 3 * j + i } else { 3 * i + j }] * x[j];
                }
            }
        };
        for (body, block) in self.diagonal.iter().enumerate() {
            add(block, &scaled[3 * body..3 * body + 3], &mut y[3 * body..3 * body + 3], false);
        }
        for (a, b, block) in &self.pairs {
            let (a, b) = (3 * *a as usize, 3 * *b as usize);
            add(block, &scaled[b..b + 3], &mut y[a..a + 3], false);
            add(block, &scaled[a..a + 3], &mut y[b..b + 3], true);
        }
        y.iter_mut().zip(root).for_each(|(y, r)| *y *= r);
    }

    /// Largest eigenvalue by Lanczos iteration with full reorthogonalisation.
    fn largest_eigenvalue(&self, inverse: &[Four]) -> f64 {
        let root: Vec<f64> = inverse.iter().flat_map(|m| [m[0].sqrt(), m[1].sqrt(), m[2].sqrt()]).collect();
        let size = root.len();
        // a fixed start that is not symmetric
        let mut q: Vec<f64> =
            (0..size).map(|i| if root[i] > 0.0 { 1.0 + 0.5 * (1.7 * i as f64).sin() } else { 0.0 }).collect();
        normalise(&mut q);
        let (mut basis, mut alphas, mut betas): (Vec<Vec<f64>>, Vec<f64>, Vec<f64>) = (vec![q], Vec::new(), Vec::new());
        let (mut y, mut found) = (vec![0.0; size], 0.0);
        for k in 0..LANCZOS.min(size) {
            self.multiply(&root, &basis[k], &mut y);
            alphas.push(dot(&y, &basis[k]));
            for _ in 0..2 {
                for q in &basis {
                    let part = dot(&y, q);
                    y.iter_mut().zip(q).for_each(|(y, q)| *y -= part * q);
                }
            }
            let beta = dot(&y, &y).sqrt();
            let largest = largest_of_tridiagonal(&alphas, &betas);
            if (largest - found).abs() <= EIGEN_TOLERANCE * largest && k > 2 || beta <= 1e-14 * largest {
                return largest;
            }
            found = largest;
            betas.push(beta);
            basis.push(y.iter().map(|y| y / beta).collect());
        }
        found
    }

    /// Masses that give every free motion the same critical step, and that step; the factors are relative to `mass`.
    pub fn scaled(&self, mass: &[Four], scaling: MassScaling) -> Option<(Vec<Four>, [f64; 3], f64)> {
        // radius of gyration as the length that makes rotations comparable: rows of K in units of force per length
        let radius: Vec<f64> = mass.iter().map(|m| if m[0] > 0.0 { (m[2] / m[0]).sqrt() } else { 1.0 }).collect();
        let unit: Vec<Four> = radius.iter().map(|r| Four([1.0, 1.0, 1.0 / (r * r), 0.0])).collect();
        let rows = self.rows(&unit);
        let wanted = |body: usize, k: usize, step: f64| {
            let scale = if k == 2 { radius[body] * radius[body] } else { 1.0 };
            0.25 * step * step * rows[body][k] * scale
        };
        let motions: Vec<(usize, usize)> = (0..mass.len())
            .flat_map(|i| (0..3).map(move |k| (i, k)))
            .filter(|&(i, k)| mass[i][k] > 0.0 && rows[i][k] > 0.0)
            .collect();
        let step = match scaling {
            MassScaling::Off => return None,
            MassScaling::Step(step) => step,
            MassScaling::Even => {
                // the geometric mean of the factors is one
                let sum: f64 = motions.iter().map(|&(i, k)| (wanted(i, k, 1.0) / mass[i][k]).ln()).sum();
                (-0.5 * sum / motions.len().max(1) as f64).exp()
            }
        };
        let mut scaled = mass.to_vec();
        let mut factors = [f64::INFINITY, 0.0, 0.0];
        for &(i, k) in &motions {
            scaled[i][k] = wanted(i, k, step);
            let factor = scaled[i][k] / mass[i][k];
            factors = [factors[0].min(factor), factors[1] + factor / motions.len() as f64, factors[2].max(factor)];
        }
        Some((scaled, factors, step))
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn normalise(x: &mut [f64]) {
    let length = dot(x, x).sqrt().max(f64::MIN_POSITIVE);
    x.iter_mut().for_each(|x| *x /= length);
}

/// Largest eigenvalue of a symmetric tridiagonal matrix, by bisection on the number of sign changes (Sturm).
fn largest_of_tridiagonal(alphas: &[f64], betas: &[f64]) -> f64 {
    let at = |list: &[f64], i: usize| list.get(i).copied().unwrap_or(0.0).abs();
    let bound = |i: usize| alphas[i] + at(betas, i) + if i > 0 { at(betas, i - 1) } else { 0.0 };
    let mut high = (0..alphas.len()).map(bound).fold(0.0, f64::max);
    let mut low = alphas.iter().copied().fold(0.0, f64::max);
    // true if no eigenvalue is above x
    let below = |x: f64| {
        let mut pivot = x - alphas[0];
        for i in 1..alphas.len() {
            if pivot <= 0.0 {
                return false;
            }
            pivot = x - alphas[i] - betas[i - 1] * betas[i - 1] / pivot;
        }
        pivot > 0.0
    };
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if below(middle) { high = middle } else { low = middle }
    }
    high
}
