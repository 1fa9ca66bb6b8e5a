//! Convex hull of points in the plane: Andrew's monotone chain with exact orientation tests.
//!
//! A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions" (1979).

use glam::DVec2;
use robust::{Coord, orient2d};

/// Corners of the convex hull, counter-clockwise; points on its sides are omitted.
///
/// ```
/// # use voussoir_geometry::{glam::dvec2, planar::hull};
/// let corners = hull(&[dvec2(0.0, 0.0), dvec2(1.0, 0.0), dvec2(0.2, 0.2), dvec2(0.0, 1.0), dvec2(0.5, 0.0)]);
/// assert_eq!(corners, [dvec2(0.0, 0.0), dvec2(1.0, 0.0), dvec2(0.0, 1.0)]);
/// ```
pub fn hull(points: &[DVec2]) -> Vec<DVec2> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let mut corners = chain(sorted.iter().copied());
    let upper = chain(sorted.iter().rev().copied());
    // each chain ends where the other starts
    corners.pop();
    corners.extend(&upper[..upper.len() - 1]);
    corners
}

/// The right-hand boundary of points visited in sorted order.
fn chain(points: impl Iterator<Item = DVec2>) -> Vec<DVec2> {
    let mut corners: Vec<DVec2> = Vec::new();
    for p in points {
        while let [.., a, b] = corners[..]
            && !left(a, b, p)
        {
            corners.pop();
        }
        corners.push(p);
    }
    corners
}

/// True if a → b → c turns left, decided exactly.
fn left(a: DVec2, b: DVec2, c: DVec2) -> bool {
    let coord = |p: DVec2| Coord { x: p.x, y: p.y };
    orient2d(coord(a), coord(b), coord(c)) > 0.0
}
