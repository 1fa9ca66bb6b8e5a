//! Contact coordinates: mean values of the displacement over an interface.
//!
//! On the interface (a segment in the plane, a convex polygon in space) there are functions ψ_c that sum to one; coordinate c is
//! z_c = ∫ ψ_c u / ∫ ψ_c, with the weights ∫ ψ_c N_j / ∫ ψ_c of the points j of the mesh. A uniform pressure, and one that varies
//! linearly, then act on a mesh without error, whatever the meshes of both sides are.
//!
//! The functions are the dual ones of the hat functions λ_d of a division of the interface into cells (parallelograms where it is one,
//! else triangles; **corners**: one cell): ψ = diag(∫λ) G⁻¹ λ with G = ∫ λλᵀ, so that ∫ ψ_c λ_d = δ_cd ∫ λ_c. Coordinate c is then exactly
//! at corner c of the division: hinges are at the edges, contacts of one cell are those of rigid bodies, and where the cells are the
//! faces of the mesh, coordinates are the displacements of its points. The functions span the linear functions.
//!
//! Integrals are exact: over the pieces of the faces of the mesh within each cell, with Gauss rules of sufficient degree. On
//! quadrilaterals that are not parallelograms shape functions are not polynomials; with eight points in each direction the
//! error is of the size of rounding errors.

use std::collections::BTreeMap;

use crate::clip::half;
use crate::kind::ElementKind;
use crate::operator::PointWeights;
use crate::rule::{gauss, triangle};
use crate::small::invert;

use crate::surface::{BlockSurface, PlaneFace, SurfacePlane, cross, dot, minus, reference, unit};

/// Which functions define the contact coordinates of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoordinateMode {
    /// Coordinates at the corners only.
    Corners,
    /// A division into this number of segments, or of triangles along each side.
    Grid(usize),
    /// A division of a parallelogram into this number of cells along each side.
    Parallelograms(usize),
}

impl CoordinateMode {
    /// A grid of n cells along each side: parallelograms where the interface is one (to 1e-6 of its size), else triangles.
    pub fn grid<const D: usize>(interface: &[[f64; D]], n: usize) -> Self {
        let &[a, b, c, d] = interface else { return Self::Grid(n) };
        let bend: [f64; D] = std::array::from_fn(|k| a[k] - b[k] + c[k] - d[k]);
        let across = minus(&c, &a);
        let even = D == 3 && dot(&bend, &bend) <= 1e-12 * dot(&across, &across);
        if even { Self::Parallelograms(n) } else { Self::Grid(n) }
    }
}

/// One contact coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactCoordinate<const D: usize> {
    /// Point of the coordinate [m].
    pub place: [f64; D],
    /// ∫ ψ_c: length in the plane [m], area in space [m²].
    pub area: f64,
    /// Weights of the points of the mesh.
    pub weights: PointWeights,
}

/// Cells of an interface, and the functions as combinations of the hat functions of their corners.
struct Division<const D: usize> {
    corners: Vec<[f64; D]>,
    /// D corners each (segments, triangles), or four around a parallelogram
    cells: Vec<Vec<usize>>,
    /// functions[c][v]: share of the hat function of corner v in function c
    functions: Vec<Vec<f64>>,
}

/// Coordinates of an interface on the surface of a block; its corners in order, in the axes of the block. The interface lies within
/// `near` [m] of a plane part of the surface whose outward normal is nearest to `outward`; `None` where that part does not
/// cover it.
pub fn coordinates<const D: usize>(
    surface: &BlockSurface<D>,
    interface: &[[f64; D]],
    outward: &[f64; D],
    near: f64,
    mode: CoordinateMode,
) -> Option<Vec<ContactCoordinate<D>>> {
    let count = interface.len() as f64;
    let centre: [f64; D] = std::array::from_fn(|c| interface.iter().map(|p| p[c]).sum::<f64>() / count);
    let plane = surface.plane_at(&centre, outward, near)?;
    let projected: Vec<[f64; D]> = interface
        .iter()
        .map(|p| {
            let height = dot(&plane.normal, p) - plane.offset;
            std::array::from_fn(|c| p[c] - height * plane.normal[c])
        })
        .collect();
    let division = if D == 2 { divide_segment(&projected, mode) } else { divide_polygon(&projected, mode) };
    let hats = division.hat_integrals(plane);
    // ∫ hat and ∫ hat hat over all cells
    let (areas, gram) = division.gram();
    let covered: f64 = hats.iter().flat_map(|hat| hat.values()).sum();
    let whole: f64 = areas.iter().sum();
    if !(whole > 0.0 && (covered - whole).abs() <= 1e-6 * whole) {
        return None;
    }
    let n = division.functions.len();
    let corner_count = division.corners.len();
    let combine = |f: &[f64], of: &dyn Fn(usize) -> f64| {
        (0..corner_count).filter(|&v| f[v] != 0.0).map(|v| f[v] * of(v)).sum::<f64>()
    };
    let mean: Vec<f64> = division.functions.iter().map(|f| combine(f, &|v| areas[v])).collect();
    // rows of G⁻¹ turn ∫ λ_d N into the weights of ψ_c
    let entry = |c: usize, d: usize| {
        let (f, g) = (&division.functions[c], &division.functions[d]);
        combine(f, &|v| combine(g, &|w| gram[v * corner_count + w]))
    };
    let rows = invert(n, &(0..n * n).map(|at| entry(at / n, at % n)).collect::<Vec<f64>>())?;
    let one = |c: usize| {
        let mut weights: BTreeMap<u32, f64> = BTreeMap::new();
        for (d, function) in division.functions.iter().enumerate() {
            for (share, hat) in function.iter().zip(&hats) {
                let factor = rows[c * n + d] * share;
                if factor != 0.0 {
                    hat.iter().for_each(|(&point, value)| *weights.entry(point).or_default() += factor * value);
                }
            }
        }
        let mut place = [0.0; D];
        for face in plane.faces.iter() {
            // places of weighted points
            for (point, at) in face.points.iter().zip(&face.places) {
                if let Some(w) = weights.get(point).filter(|_| is_first(plane, face, *point)) {
                    place.iter_mut().zip(at).for_each(|(x, y)| *x += w * y);
                }
            }
        }
        ContactCoordinate { place, area: mean[c], weights: weights.into_iter().collect() }
    };
    Some((0..n).map(one).collect())
}

/// True for the first face of a plane that has a point.
fn is_first<const D: usize>(plane: &SurfacePlane<D>, face: &PlaneFace<D>, point: u32) -> bool {
    plane.faces.iter().find(|other| other.points.contains(&point)).is_some_and(|first| std::ptr::eq(first, face))
}

fn divide_segment<const D: usize>(ends: &[[f64; D]], mode: CoordinateMode) -> Division<D> {
    let n = match mode {
        CoordinateMode::Corners => 1,
        CoordinateMode::Grid(n) | CoordinateMode::Parallelograms(n) => n.max(1),
    };
    let last = ends[ends.len() - 1];
    let at = |k: usize| {
        let share = k as f64 / n as f64;
        std::array::from_fn(|c| ends[0][c] * (1.0 - share) + last[c] * share)
    };
    let unit_row = |k: usize| (0..=n).map(|v| f64::from(u8::from(v == k))).collect();
    Division {
        corners: (0..=n).map(at).collect(),
        cells: (0..n).map(|k| vec![k, k + 1]).collect(),
        functions: (0..=n).map(unit_row).collect(),
    }
}

/// Triangles from the mean of the corners over the sides (a triangle is one cell); each divided into n² for a grid.
fn divide_polygon<const D: usize>(polygon: &[[f64; D]], mode: CoordinateMode) -> Division<D> {
    let k = polygon.len();
    let centre: [f64; D] = std::array::from_fn(|c| polygon.iter().map(|p| p[c]).sum::<f64>() / k as f64);
    let coarse: Vec<[[f64; D]; 3]> = if k == 3 {
        vec![[polygon[0], polygon[1], polygon[2]]]
    } else {
        (0..k).map(|i| [polygon[i], polygon[(i + 1) % k], centre]).collect()
    };
    if let CoordinateMode::Parallelograms(n) = mode {
        return divide_parallelogram(polygon, n.max(1));
    }
    let CoordinateMode::Grid(n) = mode else {
        let mut corners = polygon.to_vec();
        let mut cells = vec![vec![0, 1, 2]];
        if k > 3 {
            corners.push(centre);
            cells = (0..k).map(|i| vec![i, (i + 1) % k, k]).collect();
        }
        let total = corners.len();
        // the hat of the centre is shared by all corners: linear functions stay linear
        let row = |c: usize| {
            let share = |v: usize| {
                if v == c {
                    1.0
                } else if v == k {
                    1.0 / k as f64
                } else {
                    0.0
                }
            };
            (0..total).map(share).collect()
        };
        return Division { corners, cells, functions: (0..k).map(row).collect() };
    };
    let n = n.max(1);
    let size = coarse.iter().map(|t| dot(&minus(&t[1], &t[0]), &minus(&t[1], &t[0]))).fold(0.0, f64::max).sqrt();
    let mut division = Division { corners: Vec::new(), cells: Vec::new(), functions: Vec::new() };
    for t in &coarse {
        let ids: BTreeMap<(usize, usize), usize> = (0..=n)
            .flat_map(|i| (0..=n - i).map(move |j| (i, j)))
            .map(|(i, j)| {
                let (a, b) = (i as f64 / n as f64, j as f64 / n as f64);
                let x = std::array::from_fn(|c| t[0][c] * (1.0 - a - b) + t[1][c] * a + t[2][c] * b);
                ((i, j), division.corner(x, 1e-9 * size))
            })
            .collect();
        for i in 0..n {
            for j in 0..n - i {
                division.cells.push(vec![ids[&(i, j)], ids[&(i + 1, j)], ids[&(i, j + 1)]]);
                if i + j + 2 <= n {
                    division.cells.push(vec![ids[&(i + 1, j)], ids[&(i + 1, j + 1)], ids[&(i, j + 1)]]);
                }
            }
        }
    }
    let total = division.corners.len();
    division.functions = (0..total).map(|c| (0..total).map(|v| f64::from(u8::from(v == c))).collect()).collect();
    division
}

/// n × n parallelograms with bilinear functions.
fn divide_parallelogram<const D: usize>(polygon: &[[f64; D]], n: usize) -> Division<D> {
    let (a, b, d) = (polygon[0], polygon[1], polygon[polygon.len() - 1]);
    let at = |i: usize, j: usize| -> [f64; D] {
        let (s, t) = (i as f64 / n as f64, j as f64 / n as f64);
        std::array::from_fn(|k| a[k] + s * (b[k] - a[k]) + t * (d[k] - a[k]))
    };
    let id = |i: usize, j: usize| j * (n + 1) + i;
    let total = (n + 1) * (n + 1);
    let pairs = |m: usize| (0..m).flat_map(move |j| (0..m).map(move |i| (i, j)));
    Division {
        corners: pairs(n + 1).map(|(i, j)| at(i, j)).collect(),
        cells: pairs(n).map(|(i, j)| vec![id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)]).collect(),
        functions: (0..total).map(|f| (0..total).map(|v| f64::from(u8::from(v == f))).collect()).collect(),
    }
}

/// Places and areas of the contact coordinates of a grid, in the order of [`coordinates`].
pub fn grid_points<const D: usize>(interface: &[[f64; D]], mode: CoordinateMode) -> Vec<([f64; D], f64)> {
    let division = if D == 2 { divide_segment(interface, mode) } else { divide_polygon(interface, mode) };
    let (areas, _) = division.gram();
    division.corners.into_iter().zip(areas).collect()
}

impl<const D: usize> Division<D> {
    /// Index of a corner, which is added if it is new.
    fn corner(&mut self, x: [f64; D], near: f64) -> usize {
        let same = |y: &[f64; D]| x.iter().zip(y).all(|(a, b)| (a - b).abs() <= near);
        self.corners.iter().position(same).unwrap_or_else(|| {
            self.corners.push(x);
            self.corners.len() - 1
        })
    }

    fn cell_size(&self, cell: &[usize]) -> f64 {
        let way = minus(&self.corners[cell[1]], &self.corners[cell[0]]);
        if D == 2 {
            return dot(&way, &way).sqrt();
        }
        let area = cross(&way, &minus(&self.corners[cell[2]], &self.corners[cell[0]]));
        dot(&area, &area).sqrt() * if cell.len() == 4 { 1.0 } else { 0.5 }
    }

    /// ∫ hat of every corner, and ∫ hat hat of every pair.
    fn gram(&self) -> (Vec<f64>, Vec<f64>) {
        let n = self.corners.len();
        let (mut areas, mut gram) = (vec![0.0; n], vec![0.0; n * n]);
        for cell in &self.cells {
            let (size, d) = (self.cell_size(cell), cell.len() as f64);
            if cell.len() == 4 {
                // products of linear functions: 4, 2 and 1 of 36
                for (i, &v) in cell.iter().enumerate() {
                    areas[v] += size / 4.0;
                    let share = |j: usize| [4.0, 2.0, 1.0, 2.0][(4 + j - i) % 4] / 36.0;
                    cell.iter().enumerate().for_each(|(j, &w)| gram[v * n + w] += size * share(j));
                }
                continue;
            }
            for &v in cell {
                areas[v] += size / d;
                // simplex with d corners: ∫ λ_a λ_b = size (1 + δ) / (d (d + 1))
                cell.iter().for_each(|&w| gram[v * n + w] += size * if v == w { 2.0 } else { 1.0 } / (d * (d + 1.0)));
            }
        }
        (areas, gram)
    }

    /// ∫ hat N_j for every corner.
    fn hat_integrals(&self, plane: &SurfacePlane<D>) -> Vec<BTreeMap<u32, f64>> {
        let mut hats = vec![BTreeMap::new(); self.corners.len()];
        // axes within the plane
        let first = unit(minus(&self.corners[self.cells[0][1]], &self.corners[self.cells[0][0]]));
        let second: [f64; D] = if D == 2 {
            [0.0; D]
        } else {
            let axis = cross(&plane.normal, &first);
            std::array::from_fn(|c| axis[c])
        };
        let flat = |x: &[f64; D]| [dot(&first, x), dot(&second, x)];
        for face in &plane.faces {
            let corners: Vec<[f64; 2]> = face.places[..face.kind.corners()].iter().map(flat).collect();
            for cell in &self.cells {
                let places: Vec<[f64; 2]> = cell.iter().map(|&v| flat(&self.corners[v])).collect();
                let samples =
                    if D == 2 { line_samples(&corners, &places) } else { area_samples(face.kind, &corners, &places) };
                for (at, hat, weight) in samples {
                    let x =
                        std::array::from_fn(|c| plane.offset * plane.normal[c] + first[c] * at[0] + second[c] * at[1]);
                    let values = face.kind.shape(reference(face, &x)).values;
                    for (&v, share) in cell.iter().zip(hat) {
                        for (&point, value) in face.points.iter().zip(&values) {
                            *hats[v].entry(point).or_default() += weight * share * value;
                        }
                    }
                }
            }
        }
        hats
    }
}

/// Place within the plane, values of the hat functions of the cell, weight.
type Sample = ([f64; 2], [f64; 4], f64);

fn line_samples(face: &[[f64; 2]], cell: &[[f64; 2]]) -> Vec<Sample> {
    let (low, high) = (face[0][0].min(face[1][0]), face[0][0].max(face[1][0]));
    let (start, end) = (cell[0][0], cell[1][0]);
    let (from, to) = (low.max(start.min(end)), high.min(start.max(end)));
    if to <= from {
        return Vec::new();
    }
    let sample = |(x, w): (f64, f64)| {
        let t = 0.5 * (from + to) + 0.5 * (to - from) * x;
        let share = (t - start) / (end - start);
        ([t, 0.0], [1.0 - share, share, 0.0, 0.0], 0.5 * (to - from) * w)
    };
    gauss(3).into_iter().map(sample).collect()
}

fn area_samples(kind: ElementKind, face: &[[f64; 2]], cell: &[[f64; 2]]) -> Vec<Sample> {
    let outside = |c: usize| {
        let range = |points: &[[f64; 2]]| {
            points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p[c]), h.max(p[c])))
        };
        let (a, b) = (range(face), range(cell));
        a.1 <= b.0 || b.1 <= a.0
    };
    if outside(0) || outside(1) {
        return Vec::new();
    }
    let area = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let whole = area(cell[0], cell[1], cell[cell.len() - 1]);
    // the part of the face within the cell
    let mut part = face.to_vec();
    for k in 0..cell.len() {
        let (a, b) = (cell[k], cell[(k + 1) % cell.len()]);
        let side = |p: [f64; 2]| area(a, b, p) * whole.signum();
        part = half(&part, side);
    }
    let straight = face.len() == 3
        || (0..2).all(|c| {
            let bend = face[0][c] - face[1][c] + face[2][c] - face[3][c];
            bend.abs() <= 1e-12 * (face[2][c] - face[0][c]).abs().max((face[3][c] - face[1][c]).abs())
        });
    let rule = triangle(if straight { 3 } else { 8 });
    let mut samples = Vec::new();
    for i in 1..part.len().saturating_sub(1) {
        let (a, b, c) = (part[0], part[i], part[i + 1]);
        let size = area(a, b, c).abs();
        if size <= 1e-15 * whole.abs() {
            continue;
        }
        for (at, w) in &rule {
            let x: [f64; 2] = std::array::from_fn(|k| a[k] + at[0] * (b[k] - a[k]) + at[1] * (c[k] - a[k]));
            let s = area(cell[0], x, cell[cell.len() - 1]) / whole;
            let t = area(cell[0], cell[1], x) / whole;
            let hats = match cell.len() {
                3 => [1.0 - s - t, s, t, 0.0],
                _ => [(1.0 - s) * (1.0 - t), s * (1.0 - t), s * t, (1.0 - s) * t],
            };
            samples.push((x, hats, w * size));
        }
    }
    debug_assert!(kind.dimension() == 2);
    samples
}
