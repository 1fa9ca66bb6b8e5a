//! Stiffness and mass of bodies on springs, and their eigenvalues.
//!
//! The lowest modes come from Lanczos iteration on (K + σM)⁻¹M with full reorthogonalisation; bodies are ordered by
//! reverse Cuthill–McKee and the matrix is factorised in its skyline. The highest mode, which bounds the step of
//! explicit analyses by 2/ω, comes from Lanczos iteration on M⁻¹K.

use voussoir_geometry::{Pose, Space};
use voussoir_mechanics::model::Model;

use super::springs::SpringPoint;
use crate::skyline::Skyline;

/// Shift σ of the stiffness, relative to the mean of k/m: modes of loose bodies have frequency zero.
const SHIFT: f64 = 1e-9;
/// Most Lanczos vectors.
const MOST_VECTORS: usize = 300;
/// Tolerance on eigenvalues, relative.
const TOLERANCE: f64 = 1e-13;
/// Vectors between two computations of the eigenvalues.
const LOOK_EVERY: usize = 8;
/// A new vector that is shorter than this, relative to the largest eigenvalue, is rounding.
const NOTHING_LEFT: f64 = 1e-15;

/// Stiffness of a point along each axis of its frame [N/m], and the row of the two bodies for it.
pub(super) fn rows_of<S: Space>(poses: &[Pose<S>], point: &SpringPoint<S>) -> Vec<(f64, [[f64; 6]; 2])> {
    let mut frame = Vec::new();
    S::frame(point.normal, &mut frame);
    let row = |(axis, direction): (usize, &S::Vector)| {
        let mut rows = [[0.0; 6]; 2];
        for (side, row) in rows.iter_mut().enumerate() {
            let body = point.bodies[side];
            let arm = point.position - poses[body].position;
            S::jacobian_row(poses[body].rotation, arm, *direction, &mut row[..S::DOFS]);
        }
        rows[1].iter_mut().for_each(|x| *x = -*x);
        (point.stiffness[axis.min(1)], rows)
    };
    frame.iter().enumerate().map(row).collect()
}

/// Stiffness and mass of the free bodies, which are numbered by reverse Cuthill–McKee.
pub(super) struct System {
    dofs: usize,
    /// Bodies of the model in order of their number here.
    pub bodies: Vec<usize>,
    stiffness: Skyline,
    /// Mass blocks (bodies × dofs × dofs).
    mass: Vec<f64>,
    inverse: Vec<f64>,
}

impl System {
    /// The system of the bodies `free` on the springs `points`.
    pub fn new<S: Space>(model: &Model<S>, poses: &[Pose<S>], points: &[SpringPoint<S>], free: &[usize]) -> Self {
        let mut number = vec![usize::MAX; model.bodies.len()];
        free.iter().enumerate().for_each(|(k, &i)| number[i] = k);
        let edges: Vec<[usize; 2]> = points
            .iter()
            .map(|point| point.bodies.map(|body| number[body]))
            .filter(|edge| edge.iter().all(|&k| k != usize::MAX))
            .collect();
        let order = crate::skyline::reverse_cuthill_mckee(free.len(), &edges);
        let bodies: Vec<usize> = order.iter().map(|&k| free[k]).collect();
        bodies.iter().enumerate().for_each(|(k, &i)| number[i] = k);
        let dofs = S::DOFS;
        let links = points.iter().map(|point| point.bodies.map(|body| number[body]));
        let mut stiffness =
            Skyline::of_blocks(bodies.len(), dofs, links.filter(|l| l.iter().all(|&k| k != usize::MAX)));
        for point in points {
            let parts = rows_of(poses, point);
            let own = point.bodies.map(|body| number[body]);
            parts.iter().for_each(|(k, rows)| stiffness.add_outer(own, dofs, rows, *k));
        }
        let block = dofs * dofs;
        let (mut mass, mut inverse) = (vec![0.0; bodies.len() * block], vec![0.0; bodies.len() * block]);
        for (k, &i) in bodies.iter().enumerate() {
            let body = &model.bodies[i];
            S::mass_matrix(body.mass, body.inertia, &mut mass[k * block..][..block]);
            S::inverse_mass_matrix(body.mass, body.inertia, &mut inverse[k * block..][..block]);
        }
        Self { dofs, bodies, stiffness, mass, inverse }
    }

    fn size(&self) -> usize {
        self.bodies.len() * self.dofs
    }

    /// Block diagonal matrix times a vector.
    fn product(&self, blocks: &[f64], x: &[f64]) -> Vec<f64> {
        let dofs = self.dofs;
        let mut y = vec![0.0; x.len()];
        for (k, (x, y)) in x.chunks_exact(dofs).zip(y.chunks_exact_mut(dofs)).enumerate() {
            for (i, y) in y.iter_mut().enumerate() {
                let row = &blocks[k * dofs * dofs + i * dofs..][..dofs];
                *y = row.iter().zip(x).map(|(m, x)| m * x).sum();
            }
        }
        y
    }

    /// Lanczos iteration on an operator that is symmetric in the inner product of M: eigenvalues of its tridiagonal
    /// matrix (falling) and vectors, until `count` of them have converged.
    fn lanczos(&self, operator: impl Fn(&[f64]) -> Vec<f64>, count: usize) -> (Vec<f64>, Vec<Vec<f64>>) {
        let size = self.size();
        let mut q: Vec<f64> = (0..size).map(|i| 1.0 + 0.5 * (1.7 * i as f64).sin()).collect();
        let norm = |x: &[f64]| dot(x, &self.product(&self.mass, x)).max(0.0).sqrt();
        let start = norm(&q);
        q.iter_mut().for_each(|x| *x /= start);
        let mut basis = vec![q];
        let mut weighted = vec![self.product(&self.mass, &basis[0])];
        let (mut alphas, mut betas): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
        let most = MOST_VECTORS.min(size);
        loop {
            let k = alphas.len();
            let mut y = operator(&basis[k]);
            alphas.push(dot(&y, &weighted[k]));
            for _ in 0..2 {
                for (q, w) in basis.iter().zip(&weighted) {
                    let part = dot(&y, w);
                    y.iter_mut().zip(q).for_each(|(y, q)| *y -= part * q);
                }
            }
            let beta = norm(&y);
            let largest = alphas.iter().fold(0.0f64, |largest, alpha| largest.max(alpha.abs()));
            let last = alphas.len() >= most || beta <= NOTHING_LEFT * largest;
            let look = alphas.len() >= count.min(most) && alphas.len().is_multiple_of(LOOK_EVERY);
            if !last && !look {
                betas.push(beta);
                basis.push(y.iter().map(|y| y / beta).collect());
                weighted.push(self.product(&self.mass, &basis[k + 1]));
                continue;
            }
            let (values, vectors) = crate::skyline::tridiagonal_eigen(&alphas, &betas);
            let wanted = count.min(values.len());
            let scale = values.first().copied().unwrap_or(0.0).abs();
            let converged = (0..wanted).all(|i| (beta * vectors[i][k]).abs() <= TOLERANCE * scale.max(values[i].abs()));
            if converged || last {
                let combine = |v: &Vec<f64>| {
                    let mut x = vec![0.0; size];
                    for (c, q) in v.iter().zip(&basis) {
                        x.iter_mut().zip(q).for_each(|(x, q)| *x += c * q);
                    }
                    x
                };
                let shapes = vectors[..wanted].iter().map(combine).collect();
                return (values[..wanted].to_vec(), shapes);
            }
            betas.push(beta);
            basis.push(y.iter().map(|y| y / beta).collect());
            weighted.push(self.product(&self.mass, &basis[k + 1]));
        }
    }

    /// The lowest eigenvalues ω² and their shapes.
    pub fn lowest(&self, count: usize) -> (Vec<f64>, Vec<Vec<f64>>) {
        let size = self.size();
        let mean = (0..size).map(|i| self.stiffness.diagonal(i)).sum::<f64>()
            / self.mass.chunks_exact(self.dofs * self.dofs).map(|m| m[0]).sum::<f64>().max(f64::MIN_POSITIVE);
        let shift = SHIFT * mean;
        let mut shifted = self.stiffness.clone();
        shifted.add_blocks(self.dofs, &self.mass, shift);
        shifted.factorise();
        let operator = |x: &[f64]| shifted.solve(&self.product(&self.mass, x));
        let (values, shapes) = self.lanczos(operator, count);
        (values.into_iter().map(|theta| 1.0 / theta - shift).collect(), shapes)
    }

    /// The largest eigenvalue ω².
    pub fn highest(&self) -> f64 {
        let operator = |x: &[f64]| self.product(&self.inverse, &self.stiffness.multiply(x));
        self.lanczos(operator, 1).0.first().copied().unwrap_or(0.0)
    }

    /// φᵀ M ψ.
    pub fn mass_product(&self, a: &[f64], b: &[f64]) -> f64 {
        dot(a, &self.product(&self.mass, b))
    }

    /// Where the freedoms of each body of the model begin in a shape; `None` for bodies that are not in it.
    pub fn places(&self, bodies: usize) -> Vec<Option<usize>> {
        let mut places = vec![None; bodies];
        self.bodies.iter().enumerate().for_each(|(k, &body)| places[body] = Some(k * self.dofs));
        places
    }

    /// (φᵀ M d)² along the axes of the world [kg].
    pub fn participation<S: Space>(&self, shape: &[f64]) -> [f64; 3] {
        let momentum = self.product(&self.mass, shape);
        let mut sums = [0.0; 3];
        for body in momentum.chunks_exact(self.dofs) {
            for (sum, part) in sums.iter_mut().zip(&body[..S::DIM]) {
                *sum += part;
            }
        }
        sums.map(|sum| sum * sum)
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
