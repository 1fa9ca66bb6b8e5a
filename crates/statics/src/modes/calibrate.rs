//! Factors of springs with which a structure has measured frequencies.
//!
//! Unknowns are the logarithms p of the factors on groups of springs. The frequency of a mode changes with them by
//! ∂ ln f/∂p = φᵀK_gφ/(2ω²): half of the share of the group in the elastic energy of the mode. Gauss–Newton steps with
//! Levenberg's damping minimise Σ w (ln f − ln f_measured)². A mode is followed by its shape, the one with the largest
//! (φ₀ᵀMφ)² with the shape φ₀ of the original structure, because the order of modes changes with the springs.

use voussoir_geometry::{Pose, Space};
use voussoir_mechanics::any::AnyDimension;
use voussoir_mechanics::model::Model;

use super::springs::SpringPoint;
use super::system::{System, rows_of};
use super::{ModeOptions, Placed, Vibrating, hertz, points_of, with_placed};
use crate::error::StaticsError;

/// Most steps.
const MOST_STEPS: usize = 100;
/// The search ends where no factor changes by more than this, relative.
const SMALL_STEP: f64 = 1e-12;
/// Number of modes above the highest measured one that are searched for its shape.
const SPARE_MODES: usize = 6;
/// A group whose share in the energy of every measured mode is below this is not determined.
const NO_SHARE: f64 = 1e-9;

/// Springs with one common factor.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringGroup {
    /// Name in messages.
    pub name: String,
    /// Pairs of materials (materials × materials) whose springs belong to the group.
    pub pairs: Vec<bool>,
    /// Normal and tangential springs belong to it.
    pub springs: [bool; 2],
}

/// A measured frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredMode {
    /// Mode of the original structure, from 0.
    pub mode: usize,
    /// Frequency [Hz].
    pub frequency: f64,
    /// Weight in the sum of squares.
    pub weight: f64,
}

/// The outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibrated {
    /// Factor of each group.
    pub factors: Vec<f64>,
    /// Frequency of each measured mode in the original structure [Hz].
    pub before: Vec<f64>,
    /// Frequency of each measured mode with the factors [Hz].
    pub after: Vec<f64>,
    /// Share of each group in the elastic energy of each measured mode (modes × groups).
    pub shares: Vec<Vec<f64>>,
    /// Number of steps.
    pub steps: usize,
}

impl Vibrating {
    /// Finds the factors of groups of springs.
    pub fn calibrate(
        &self,
        options: &ModeOptions,
        groups: &[SpringGroup],
        measured: &[MeasuredMode],
    ) -> Result<Calibrated, StaticsError> {
        with_placed!(self, at => Search::new(&at.model, &at.poses, options, groups, measured)?.run())
    }
}

/// The modes of one set of factors.
struct Found {
    /// Frequencies of the measured modes [Hz].
    frequencies: Vec<f64>,
    /// ½ of the share in the energy (modes × groups).
    slopes: Vec<Vec<f64>>,
    /// Shapes of the measured modes.
    shapes: Vec<Vec<f64>>,
}

struct Search<'a, S: Space> {
    model: &'a Model<S>,
    poses: &'a [Pose<S>],
    groups: &'a [SpringGroup],
    measured: &'a [MeasuredMode],
    points: Vec<SpringPoint<S>>,
    bodies: Vec<usize>,
}

impl<'a, S: AnyDimension> Search<'a, S> {
    fn new(
        model: &'a Model<S>,
        poses: &'a [Pose<S>],
        options: &ModeOptions,
        groups: &'a [SpringGroup],
        measured: &'a [MeasuredMode],
    ) -> Result<Self, StaticsError> {
        let (points, bodies, _) = points_of(model, poses, options)?;
        if measured.is_empty() || measured.len() < groups.len() {
            return Err(number(
                "calibrate",
                format!(
                    "{} factors cannot be found from {} frequencies; measure more modes, or give joints a common factor",
                    groups.len(),
                    measured.len()
                ),
            ));
        }
        let freedoms = bodies.len() * S::DOFS;
        if let Some(wrong) = measured.iter().find(|wanted| wanted.mode >= freedoms) {
            return Err(number("mode", format!("{} is more than the {freedoms} modes that there are", wrong.mode + 1)));
        }
        Ok(Self { model, poses, groups, measured, points, bodies })
    }

    /// True if the spring of an axis belongs to a group.
    fn belongs(&self, point: &SpringPoint<S>, axis: usize, group: &SpringGroup) -> bool {
        let [a, b] = point.materials;
        group.springs[axis] && group.pairs[a * self.model.materials.len() + b]
    }

    /// Modes with the logarithms `p` of the factors; `known` are the shapes to follow.
    fn at(&self, p: &[f64], known: Option<&[Vec<f64>]>) -> Result<Found, StaticsError> {
        let mut points = self.points.clone();
        for point in &mut points {
            for axis in 0..2 {
                let own = self.groups.iter().zip(p).filter(|(group, _)| self.belongs(point, axis, group));
                point.stiffness[axis] *= own.map(|(_, p)| p).sum::<f64>().exp();
            }
        }
        let system = System::new(self.model, self.poses, &points, &self.bodies);
        let highest = self.measured.iter().map(|wanted| wanted.mode).max().unwrap_or(0);
        let (values, shapes) = system.lowest(highest + 1 + SPARE_MODES);
        let mut chosen = Vec::with_capacity(self.measured.len());
        for (k, wanted) in self.measured.iter().enumerate() {
            let index = match known {
                None => wanted.mode,
                Some(known) => {
                    let alike = |i: &usize| system.mass_product(&known[k], &shapes[*i]).abs();
                    (0..shapes.len()).max_by(|i, j| alike(i).total_cmp(&alike(j))).unwrap_or(0)
                }
            };
            chosen.push(index);
        }
        let places = system.places(self.model.bodies.len());
        let slopes = chosen.iter().map(|&i| self.slopes(&points, &places, &shapes[i], values[i])).collect();
        let frequencies: Vec<f64> = chosen.iter().map(|&i| hertz(values[i])).collect();
        if let Some(zero) = frequencies.iter().position(|f| *f <= 0.0 || f.is_nan()) {
            let mode = self.measured[zero].mode + 1;
            return Err(number("mode", format!("{mode} has no stiffness: springs do not change its frequency")));
        }
        Ok(Found { frequencies, slopes, shapes: chosen.iter().map(|&i| shapes[i].clone()).collect() })
    }

    /// φᵀK_gφ/(2ω²) of every group.
    fn slopes(&self, points: &[SpringPoint<S>], places: &[Option<usize>], shape: &[f64], square: f64) -> Vec<f64> {
        let mut slopes = vec![0.0; self.groups.len()];
        for point in points {
            for (axis, (k, rows)) in rows_of(self.poses, point).into_iter().enumerate() {
                let opening: f64 = (0..2)
                    .filter_map(|side| Some((side, places[point.bodies[side]]?)))
                    .map(|(side, at)| super::system::dot(&rows[side][..S::DOFS], &shape[at..at + S::DOFS]))
                    .sum();
                for (slope, group) in slopes.iter_mut().zip(self.groups) {
                    if self.belongs(point, axis.min(1), group) {
                        *slope += 0.5 * k * opening * opening / square;
                    }
                }
            }
        }
        slopes
    }

    /// Weighted sum of squares.
    fn misfit(&self, found: &Found) -> f64 {
        let of = |(wanted, f): (&MeasuredMode, &f64)| wanted.weight * (wanted.frequency / f).ln().powi(2);
        self.measured.iter().zip(&found.frequencies).map(of).sum()
    }

    fn run(&self) -> Result<Calibrated, StaticsError> {
        let mut p = vec![0.0; self.groups.len()];
        let mut now = self.at(&p, None)?;
        let (before, first) = (now.frequencies.clone(), now.shapes.clone());
        for (g, group) in self.groups.iter().enumerate() {
            if now.slopes.iter().all(|row| 2.0 * row[g] < NO_SHARE) {
                let reason = "its springs carry no energy in the measured modes: no factor changes the frequencies";
                return Err(number(&group.name, reason.to_owned()));
            }
        }
        let mut damping = 1e-6;
        let mut steps = 0;
        while steps < MOST_STEPS {
            steps += 1;
            let step = self.step(&now, damping);
            let next: Vec<f64> = p.iter().zip(&step).map(|(p, d)| p + d).collect();
            let found = self.at(&next, Some(&first))?;
            if self.misfit(&found) <= self.misfit(&now) {
                (p, now, damping) = (next, found, (damping * 0.1).max(1e-14));
            } else {
                damping *= 10.0;
            }
            if step.iter().all(|d| d.abs() < SMALL_STEP) || damping > 1e12 {
                break;
            }
        }
        let shares = now.slopes.iter().map(|row| row.iter().map(|slope| 2.0 * slope).collect()).collect();
        let factors = p.iter().map(|p| p.exp()).collect();
        Ok(Calibrated { factors, before, after: now.frequencies, shares, steps })
    }

    /// (JᵀWJ + λ diag) d = JᵀW r.
    fn step(&self, now: &Found, damping: f64) -> Vec<f64> {
        let n = self.groups.len();
        let mut matrix = vec![vec![0.0; n + 1]; n];
        for ((wanted, f), row) in self.measured.iter().zip(&now.frequencies).zip(&now.slopes) {
            let miss = (wanted.frequency / f).ln();
            for i in 0..n {
                for j in 0..n {
                    matrix[i][j] += wanted.weight * row[i] * row[j];
                }
                matrix[i][n] += wanted.weight * row[i] * miss;
            }
        }
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] *= 1.0 + damping;
        }
        solve(matrix)
    }
}

/// Gaussian elimination with row exchanges; the right-hand side is the last column.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs())).unwrap_or(k);
        rows.swap(k, pivot);
        for i in k + 1..n {
            let factor = rows[i][k] / rows[k][k];
            for j in k..=n {
                rows[i][j] -= factor * rows[k][j];
            }
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|j| rows[i][j] * x[j]).sum();
        x[i] = (rows[i][n] - sum) / rows[i][i];
    }
    x
}

fn number(what: &str, reason: String) -> StaticsError {
    StaticsError::Number { what: what.to_owned(), reason }
}
