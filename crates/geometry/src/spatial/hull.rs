//! Convex hull of points in space: quickhull with exact orientation tests.
//!
//! Which side of a triangle a point lies on is decided exactly (Shewchuk's adaptive predicates), so the
//! triangles seen from a new point always form a disc and the hull stays closed, whatever the rounding of the
//! input. Points on the surface of the hull are not corners. Flat faces come out triangulated; the caller merges
//! them. C. B. Barber et al., "The quickhull algorithm for convex hulls" (1996).

use std::collections::BTreeMap;

use glam::DVec3;
use robust::{Coord3D, orient3d};

use crate::error::{ShapeError, check_size};

/// A triangle of the growing hull, counter-clockwise seen from outside.
struct Triangle {
    corners: [u32; 3],
    /// Triangle across the side that starts at each corner.
    neighbours: [usize; 3],
    /// Points strictly outside, each in the list of one triangle only.
    outside: Vec<u32>,
    alive: bool,
}

/// Corners and triangles of the convex hull.
pub fn hull(points: &[DVec3]) -> Result<(Vec<DVec3>, Vec<Vec<u32>>), ShapeError> {
    if let Some(vertex) = points.iter().position(|p| !p.is_finite()) {
        return Err(ShapeError::NotFinite { vertex });
    }
    if points.len() < 4 {
        return Err(ShapeError::TooFew { what: "points", count: points.len(), needed: 4 });
    }
    let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    let size = (high - low).length();
    check_size(size)?;
    let simplex = first_simplex(points).ok_or(ShapeError::ZeroVolume { volume: 0.0, size })?;
    let mut triangles = tetrahedron(simplex);
    let all: Vec<u32> = (0..points.len() as u32).filter(|p| !simplex.contains(p)).collect();
    share_out(points, &mut triangles, 0..4, &all);
    // grow until no triangle has a point outside; new triangles come later in the list
    let mut next = 0;
    while next < triangles.len() {
        if triangles[next].alive && !triangles[next].outside.is_empty() {
            grow(points, &mut triangles, next)?;
        }
        next += 1;
    }
    Ok(compact(points, &triangles))
}

/// True if `p` lies strictly outside the triangle's plane, decided exactly.
fn sees(points: &[DVec3], corners: [u32; 3], p: u32) -> bool {
    orientation(points, corners, p) > 0.0
}

/// Positive outside, negative inside, zero in the plane.
fn orientation(points: &[DVec3], corners: [u32; 3], p: u32) -> f64 {
    let at = |i: u32| {
        let v = points[i as usize];
        Coord3D { x: v.x, y: v.y, z: v.z }
    };
    -orient3d(at(corners[0]), at(corners[1]), at(corners[2]), at(p))
}

/// Four points that span a volume, the largest that a greedy choice finds; the first three are
/// counter-clockwise seen from outside.
fn first_simplex(points: &[DVec3]) -> Option<[u32; 4]> {
    let farthest = |measure: &dyn Fn(DVec3) -> f64| -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (i, &p) in points.iter().enumerate() {
            let value = measure(p);
            if value > best.1 {
                best = (i, value);
            }
        }
        best.0
    };
    let a = farthest(&|p| -p.x);
    let b = farthest(&|p| p.distance_squared(points[a]));
    let line = points[b] - points[a];
    let c = farthest(&|p| (p - points[a]).cross(line).length_squared());
    let triangle = [a as u32, b as u32, c as u32];
    let mut best = (0, 0.0);
    for p in 0..points.len() as u32 {
        let value = orientation(points, triangle, p);
        if f64::abs(value) > f64::abs(best.1) {
            best = (p, value);
        }
    }
    let [a, b, c] = triangle;
    match best {
        (_, 0.0) => None,
        (d, value) if value < 0.0 => Some([a, b, c, d]),
        (d, _) => Some([a, c, b, d]),
    }
}

/// The four triangles of the first simplex.
fn tetrahedron([a, b, c, d]: [u32; 4]) -> Vec<Triangle> {
    let corners = [[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
    let neighbours = [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]];
    let make = |i: usize| Triangle { corners: corners[i], neighbours: neighbours[i], outside: Vec::new(), alive: true };
    (0..4).map(make).collect()
}

/// Assigns each point to the first triangle that it is outside of.
fn share_out(points: &[DVec3], triangles: &mut [Triangle], range: std::ops::Range<usize>, loose: &[u32]) {
    for &p in loose {
        let home = range.clone().find(|&t| sees(points, triangles[t].corners, p));
        if let Some(t) = home {
            triangles[t].outside.push(p);
        }
    }
}

/// Adds the farthest point outside triangle `seed` to the hull.
fn grow(points: &[DVec3], triangles: &mut Vec<Triangle>, seed: usize) -> Result<(), ShapeError> {
    let [a, b, c] = triangles[seed].corners.map(|i| points[i as usize]);
    let normal = (b - a).cross(c - a);
    let mut best = (triangles[seed].outside[0], f64::NEG_INFINITY);
    for &p in &triangles[seed].outside {
        let height = normal.dot(points[p as usize] - a);
        if height > best.1 {
            best = (p, height);
        }
    }
    let apex = best.0;
    // the triangles visible from the apex are connected; their outer sides are the horizon
    let mut visible = vec![seed];
    let mut horizon: BTreeMap<u32, (u32, usize)> = BTreeMap::new();
    triangles[seed].alive = false;
    let mut k = 0;
    while k < visible.len() {
        let t = visible[k];
        k += 1;
        for side in 0..3 {
            let (start, end) = (triangles[t].corners[side], triangles[t].corners[(side + 1) % 3]);
            let other = triangles[t].neighbours[side];
            if !triangles[other].alive {
                continue;
            }
            if sees(points, triangles[other].corners, apex) {
                triangles[other].alive = false;
                visible.push(other);
            } else {
                horizon.insert(start, (end, other));
            }
        }
    }
    // one new triangle per side of the horizon, in the order in which it runs
    let first = triangles.len();
    let count = horizon.len();
    let Some((&origin, _)) = horizon.first_key_value() else { return Err(broken(apex, apex)) };
    let mut start = origin;
    for i in 0..count {
        let &(end, other) = horizon.get(&start).ok_or(broken(start, apex))?;
        let across = triangles[other].corners.iter().position(|&v| v == end).ok_or(broken(start, end))?;
        triangles[other].neighbours[across] = first + i;
        let neighbours = [other, first + (i + 1) % count, first + (i + count - 1) % count];
        triangles.push(Triangle { corners: [start, end, apex], neighbours, outside: Vec::new(), alive: true });
        start = end;
    }
    if start != origin {
        return Err(broken(start, origin));
    }
    let mut loose = Vec::new();
    for t in visible {
        loose.append(&mut triangles[t].outside);
    }
    loose.retain(|&p| p != apex);
    let range = first..triangles.len();
    share_out(points, triangles, range, &loose);
    Ok(())
}

/// The horizon is no simple loop; exact tests rule this out.
fn broken(start: u32, end: u32) -> ShapeError {
    ShapeError::NonManifold { start, end, faces: 3 }
}

/// Numbers the corners that are left, in the order of the input.
fn compact(points: &[DVec3], triangles: &[Triangle]) -> (Vec<DVec3>, Vec<Vec<u32>>) {
    let mut number = vec![u32::MAX; points.len()];
    for t in triangles.iter().filter(|t| t.alive) {
        t.corners.iter().for_each(|&v| number[v as usize] = 0);
    }
    let mut vertices = Vec::new();
    for (i, n) in number.iter_mut().enumerate().filter(|(_, n)| **n == 0) {
        *n = vertices.len() as u32;
        vertices.push(points[i]);
    }
    let alive = triangles.iter().filter(|t| t.alive);
    (vertices, alive.map(|t| t.corners.map(|v| number[v as usize]).to_vec()).collect())
}
