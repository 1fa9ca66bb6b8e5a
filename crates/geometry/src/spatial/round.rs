//! Polygons that represent a sphere in pictures and results files.

use glam::DVec3;

use crate::solid::Surface;

/// Rows of polygons from pole to pole.
const ROWS: u32 = 8;
/// Polygons in each row.
const COLUMNS: u32 = 16;

/// A globe of quadrilaterals with triangles at the poles.
pub fn sphere(centre: DVec3, radius: f64) -> Surface {
    let (row, column) = (std::f64::consts::PI / f64::from(ROWS), std::f64::consts::TAU / f64::from(COLUMNS));
    let mut points = vec![(centre - DVec3::Z * radius).to_array()];
    for i in 1..ROWS {
        let (sin, cos) = (f64::from(i) * row).sin_cos();
        for j in 0..COLUMNS {
            let (y, x) = (f64::from(j) * column).sin_cos();
            points.push((centre + radius * DVec3::new(sin * x, sin * y, -cos)).to_array());
        }
    }
    points.push((centre + DVec3::Z * radius).to_array());
    // ring i (from 1) starts at point 1 + (i − 1) · columns
    let at = |i: u32, j: u32| 1 + (i - 1) * COLUMNS + j % COLUMNS;
    let top = 1 + (ROWS - 1) * COLUMNS;
    let mut polygons = Vec::new();
    for j in 0..COLUMNS {
        polygons.push(vec![0, at(1, j + 1), at(1, j)]);
        for i in 1..ROWS - 1 {
            polygons.push(vec![at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)]);
        }
        polygons.push(vec![top, at(ROWS - 1, j), at(ROWS - 1, j + 1)]);
    }
    Surface { points, polygons }
}
