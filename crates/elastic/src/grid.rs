//! Refinement of hexahedra and quadrilaterals, and joining of equal points.

use std::collections::HashMap;

use crate::kind::ElementKind;
use crate::mesh::{FiniteElement, FiniteMesh};

/// Divisions of an edge of a coarse hexahedron or quadrilateral: places of the cuts, from 0 to 1.
pub(crate) type Cuts = Vec<f64>;

/// n equal divisions.
pub(crate) fn even(n: usize) -> Cuts {
    graded(n, 1.0)
}

/// n divisions that become smaller towards 0: x = (i/n)^exponent.
pub(crate) fn graded(n: usize, exponent: f64) -> Cuts {
    (0..=n).map(|i| (i as f64 / n as f64).powf(exponent)).collect()
}

/// n divisions that become smaller towards both ends.
pub(crate) fn graded_both(n: usize, exponent: f64) -> Cuts {
    let one =
        |x: f64| if x <= 0.5 { 0.5 * (2.0 * x).powf(exponent) } else { 1.0 - 0.5 * (2.0 - 2.0 * x).powf(exponent) };
    (0..=n).map(|i| one(i as f64 / n as f64)).collect()
}

/// Collects refined coarse elements; points closer than `near` are one.
pub(crate) struct MeshBuilder<const D: usize> {
    mesh: FiniteMesh<D>,
    near: f64,
    cells: HashMap<[i64; D], Vec<u32>>,
}

impl<const D: usize> MeshBuilder<D> {
    /// For a block of a size [m]: equal points differ by rounding only, different ones by far more than 1e-9 of it.
    pub fn new(size: f64) -> Self {
        let mesh = FiniteMesh { points: Vec::new(), elements: Vec::new() };
        Self { mesh, near: 1e-9 * size, cells: HashMap::new() }
    }

    pub fn finish(self) -> FiniteMesh<D> {
        self.mesh
    }

    fn point(&mut self, x: [f64; D]) -> u32 {
        let cell = x.map(|x| (x / (4.0 * self.near)).floor() as i64);
        for index in 0..3usize.pow(D as u32) {
            let key = std::array::from_fn(|c| cell[c] + (index / 3usize.pow(c as u32) % 3) as i64 - 1);
            for &other in self.cells.get(&key).into_iter().flatten() {
                let y = &self.mesh.points[other as usize];
                if x.iter().zip(y).all(|(a, b)| (a - b).abs() <= self.near) {
                    return other;
                }
            }
        }
        let new = self.mesh.points.len() as u32;
        self.mesh.points.push(x);
        self.cells.entry(cell).or_default().push(new);
        new
    }

    /// Refines one coarse hexahedron or quadrilateral. Corners are ordered by bits: corner k is at the end of edge
    /// direction c where bit c of k is set.
    pub fn refine(&mut self, corners: &[[f64; D]], cuts: [&Cuts; D]) {
        let counts: [usize; D] = cuts.map(|cuts| cuts.len());
        let total: usize = counts.iter().product();
        let split = |mut index: usize, counts: [usize; D]| -> [usize; D] {
            std::array::from_fn(|c| {
                let own = index % counts[c];
                index /= counts[c];
                own
            })
        };
        let ids: Vec<u32> = (0..total)
            .map(|index| {
                let at = split(index, counts);
                let mut x = [0.0; D];
                for (k, corner) in corners.iter().enumerate() {
                    let weight: f64 =
                        (0..D).map(|c| if k >> c & 1 == 1 { cuts[c][at[c]] } else { 1.0 - cuts[c][at[c]] }).product();
                    x.iter_mut().zip(corner).for_each(|(x, y)| *x += weight * y);
                }
                self.point(x)
            })
            .collect();
        let steps: [usize; D] = counts.map(|count| count - 1);
        for index in 0..steps.iter().product() {
            let at = split(index, steps);
            let corner = |k: usize| {
                let place = |c: usize| at[c] + (k >> c & 1);
                let flat = (0..D).rev().fold(0, |sum, c| sum * counts[c] + place(c));
                ids[flat]
            };
            let (kind, order): (_, &[usize]) = if D == 2 {
                (ElementKind::Quad4, &[0, 1, 3, 2])
            } else {
                (ElementKind::Hexa8, &[0, 1, 3, 2, 4, 5, 7, 6])
            };
            self.mesh.elements.push(FiniteElement { kind, points: order.iter().map(|&k| corner(k)).collect() });
        }
    }
}
