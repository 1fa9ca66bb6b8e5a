//! Vibration modes of rigid bodies on the springs of their contacts: K φ = ω² M φ.
//!
//! Every closed contact with springs adds Bᵀ diag(kₙ, k_t, …) B to the stiffness K, with B the rows of the contact frame
//! for both bodies (in 2D the 6 × 6 matrix of equation 5.2 of Rouxinol, Providência and Lemos 2007). The lowest modes come
//! from Lanczos iteration on (K + σM)⁻¹M with full reorthogonalisation; bodies are ordered by reverse Cuthill–McKee and
//! the matrix is factorised in its skyline. The highest mode, which bounds the step of explicit analyses by 2/ω, comes
//! from Lanczos iteration on M⁻¹K. Shapes are normalised, φᵀMφ = 1, so that the participating mass along a direction d is
//! (φᵀM d)².

use voussoir_geometry::{Pose, Space, Vector};
use voussoir_mechanics::any::AnyDimension;
use voussoir_mechanics::contacts::ContactRecord;
use voussoir_mechanics::model::{Model, Role};
use voussoir_mechanics::{AnyModel, with_model};

use crate::error::StaticsError;
use crate::skyline::Skyline;

/// Contacts are closed up to this distance, relative to the size of the smallest body.
const CLOSED: f64 = 1e-6;
/// Shift σ of the stiffness, relative to the mean of k/m: modes of loose bodies have frequency zero.
const SHIFT: f64 = 1e-9;
/// Most Lanczos vectors.
const MOST_VECTORS: usize = 300;
/// Tolerance on eigenvalues, relative.
const TOLERANCE: f64 = 1e-13;

/// How contacts become springs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModeOptions {
    /// Number of modes.
    pub count: usize,
    /// Distance of the points of a joint from its corners, in 2D [m].
    pub rounding: f64,
    /// Three points per joint in 2D, with the weights 1/6, 2/3, 1/6, in place of two.
    pub three_points: bool,
}

/// Vibration modes.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// Lowest frequencies, rising [Hz].
    pub frequencies: Vec<f64>,
    /// Participating mass of each mode along x, y, z [kg].
    pub participation: Vec<[f64; 3]>,
    /// Shape of each mode (free bodies × dofs), φᵀMφ = 1.
    pub shapes: Vec<Vec<f64>>,
    /// Indices of the free bodies.
    pub bodies: Vec<usize>,
    /// Highest frequency [Hz].
    pub highest: f64,
    /// Mass of the free bodies [kg].
    pub mass: f64,
    /// Contact points with springs.
    pub points: usize,
}

/// Modes of a model of either dimension where it is drawn.
pub fn modes(model: &AnyModel, options: &ModeOptions) -> Result<Modes, StaticsError> {
    with_model!(model, model => {
        let poses: Vec<_> = model.bodies.iter().map(|body| body.pose).collect();
        modes_at(model, &poses, options)
    })
}

/// Modes of a model at poses.
fn modes_at<S: AnyDimension>(
    model: &Model<S>,
    poses: &[Pose<S>],
    options: &ModeOptions,
) -> Result<Modes, StaticsError> {
    let sizes = model.bodies.iter().map(|body| voussoir_geometry::Solid::size(&*body.shape));
    let smallest = sizes.filter(|size| size.is_finite()).fold(f64::INFINITY, f64::min);
    let records = S::contacts_within(model, poses, CLOSED * smallest);
    let points = springs(model, &records, options);
    if points.is_empty() {
        return Err(StaticsError::NoSprings);
    }
    let system = System::new(model, poses, &points);
    let (values, shapes) = system.lowest(options.count.max(1));
    let hertz = |square: f64| square.max(0.0).sqrt() / std::f64::consts::TAU;
    let participation = shapes.iter().map(|shape| system.participation::<S>(shape)).collect();
    Ok(Modes {
        frequencies: values.into_iter().map(hertz).collect(),
        participation,
        shapes,
        highest: hertz(system.highest()),
        mass: system.bodies.iter().map(|&i| model.bodies[i].mass).sum(),
        bodies: system.bodies,
        points: points.len(),
    })
}

/// A contact point with stiffness [N/m].
struct SpringPoint<S: Space> {
    bodies: [usize; 2],
    position: S::Vector,
    normal: S::Vector,
    stiffness: [f64; 2],
}

/// Springs of closed contacts; joints of two points in 2D are rounded or get a middle point.
fn springs<S: Space>(model: &Model<S>, records: &[ContactRecord<S>], options: &ModeOptions) -> Vec<SpringPoint<S>> {
    let pair = |record: &ContactRecord<S>| (record.key.candidate, record.key.antagonist);
    let mut points = Vec::new();
    for joint in records.chunk_by(|a, b| pair(a) == pair(b)) {
        let bodies = [joint[0].key.candidate as usize, joint[0].key.antagonist as usize];
        let Some(elastic) =
            model.joints.between(model.bodies[bodies[0]].material, model.bodies[bodies[1]].material).elastic
        else {
            continue;
        };
        let mut add = |position: S::Vector, normal: S::Vector, area: f64| {
            let stiffness = [elastic.normal * area, elastic.tangential * area];
            points.push(SpringPoint { bodies, position, normal, stiffness });
        };
        match joint {
            [first, second] if S::DIM == 2 => {
                let along = second.position - first.position;
                let length = along.length();
                let unit = along / length.max(f64::MIN_POSITIVE);
                let rest = length - 2.0 * options.rounding;
                let ends = [first.position + unit * options.rounding, second.position - unit * options.rounding];
                let share = if options.three_points { rest / 6.0 } else { rest / 2.0 };
                ends.into_iter().for_each(|end| add(end, first.normal, share));
                if options.three_points {
                    add((ends[0] + ends[1]) * 0.5, first.normal, rest * 2.0 / 3.0);
                }
            }
            points => points.iter().for_each(|point| add(point.position, point.normal, point.area)),
        }
    }
    points
}

/// Stiffness and mass of the free bodies, which are numbered by reverse Cuthill–McKee.
struct System {
    dofs: usize,
    /// Bodies of the model in order of their number here.
    bodies: Vec<usize>,
    stiffness: Skyline,
    /// Mass blocks (bodies × dofs × dofs).
    mass: Vec<f64>,
    inverse: Vec<f64>,
}

impl System {
    fn new<S: Space>(model: &Model<S>, poses: &[Pose<S>], points: &[SpringPoint<S>]) -> Self {
        let free: Vec<usize> = (0..model.bodies.len()).filter(|&i| model.bodies[i].role == Role::Free).collect();
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
        let mut frame = Vec::new();
        for point in points {
            frame.clear();
            S::frame(point.normal, &mut frame);
            for (axis, direction) in frame.iter().enumerate() {
                let k = point.stiffness[axis.min(1)];
                let mut rows = [[0.0; 6]; 2];
                for (side, row) in rows.iter_mut().enumerate() {
                    let body = point.bodies[side];
                    let arm = point.position - poses[body].position;
                    S::jacobian_row(poses[body].rotation, arm, *direction, &mut row[..dofs]);
                }
                rows[1].iter_mut().for_each(|x| *x = -*x);
                stiffness.add_outer(point.bodies.map(|body| number[body]), dofs, &rows, k);
            }
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

    /// Lanczos iteration on an operator that is symmetric in the inner product of M: eigenvalues of its tridiagonal matrix
    /// (falling) and vectors, until `count` of them have converged.
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
            let (values, vectors) = crate::skyline::tridiagonal_eigen(&alphas, &betas);
            let wanted = count.min(values.len());
            let scale = values.first().copied().unwrap_or(0.0).abs();
            let converged = values.len() >= count.min(size)
                && (0..wanted).all(|i| (beta * vectors[i][k]).abs() <= TOLERANCE * scale.max(values[i].abs()));
            if converged || alphas.len() >= most || beta <= 1e-15 * scale {
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
    fn lowest(&self, count: usize) -> (Vec<f64>, Vec<Vec<f64>>) {
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
    fn highest(&self) -> f64 {
        let operator = |x: &[f64]| self.product(&self.inverse, &self.stiffness.multiply(x));
        self.lanczos(operator, 1).0.first().copied().unwrap_or(0.0)
    }

    /// (φᵀ M d)² along the axes of the world [kg].
    fn participation<S: Space>(&self, shape: &[f64]) -> [f64; 3] {
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

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
