//! Polygons with holes: decomposition into convex parts.
//!
//! The shortest segment between a corner of the outline and a corner of a hole that meets no side joins the hole to the
//! outline (a *bridge*, which the ring then runs along in both directions); the joined ring takes the place of the
//! outline, and so on for the next hole. A triangulation connects outline and holes, so that a bridge exists for some hole
//! as long as there are any. Ears of the last ring are cut as for outlines without holes (D. Eberly, *Triangulation by
//! ear clipping*, 2008).

use glam::DVec2;

use super::decompose::{ears_of, meet, merged};
use crate::error::ShapeError;

/// Convex loops of indices that together are the first loop without the others. The first loop runs counter-clockwise,
/// holes run clockwise; points are those of all loops in order.
pub(super) fn parts_with_holes(loops: &[Vec<DVec2>], tolerance: f64) -> Result<Vec<Vec<usize>>, ShapeError> {
    check(loops)?;
    let points: Vec<DVec2> = loops.iter().flatten().copied().collect();
    let mut start = 0;
    let mut rings: Vec<Vec<usize>> = Vec::with_capacity(loops.len());
    for own in loops {
        rings.push((start..start + own.len()).collect());
        start += own.len();
    }
    let mut ring = rings.remove(0);
    while !rings.is_empty() {
        let (hole, from, to) = bridge(&points, &ring, &rings).ok_or(ShapeError::SelfCrossing { face: 0 })?;
        let hole = rings.remove(hole);
        // to the hole, once round it, and back
        let mut joined = ring[..=from].to_vec();
        joined.extend((0..=hole.len()).map(|k| hole[(to + k) % hole.len()]));
        joined.extend_from_slice(&ring[from..]);
        ring = joined;
    }
    Ok(merged(&points, ears_of(&points, ring)?, tolerance))
}

/// The shortest bridge: which hole, and the places in the ring and in the hole.
fn bridge(points: &[DVec2], ring: &[usize], holes: &[Vec<usize>]) -> Option<(usize, usize, usize)> {
    let mut all: Vec<(f64, usize, usize, usize)> = Vec::new();
    for (h, hole) in holes.iter().enumerate() {
        for (i, &a) in ring.iter().enumerate() {
            all.extend(hole.iter().enumerate().map(|(j, &b)| (points[a].distance_squared(points[b]), h, i, j)));
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sides: Vec<[usize; 2]> = Vec::new();
    for own in holes.iter().map(Vec::as_slice).chain([ring]) {
        sides.extend((0..own.len()).map(|k| [own[k], own[(k + 1) % own.len()]]));
    }
    let free = |a: usize, b: usize| {
        let others = sides.iter().filter(|side| !side.contains(&a) && !side.contains(&b));
        others.into_iter().all(|&[c, d]| !meet([points[a], points[b]], [points[c], points[d]]))
    };
    // the bridge must leave a corner on the side of the material, also where the ring has the corner twice
    let inward = |own: &[usize], i: usize, to: DVec2| {
        let n = own.len();
        let [before, at, after] = [own[(i + n - 1) % n], own[i], own[(i + 1) % n]].map(|k| points[k]);
        let (u, v, w) = (after - at, before - at, to - at);
        let left = |a: DVec2, b: DVec2| a.perp_dot(b) > 0.0;
        if left(u, v) { left(u, w) && left(w, v) } else { left(u, w) || left(w, v) }
    };
    let found = all.into_iter().find(|&(_, h, i, j)| {
        let (a, b) = (ring[i], holes[h][j]);
        inward(ring, i, points[b]) && inward(&holes[h], j, points[a]) && free(a, b)
    });
    found.map(|(_, h, i, j)| (h, i, j))
}

/// No two sides of different loops meet, and holes are inside the outline and outside each other.
fn check(loops: &[Vec<DVec2>]) -> Result<(), ShapeError> {
    let sides =
        |own: &[DVec2]| -> Vec<[DVec2; 2]> { (0..own.len()).map(|i| [own[i], own[(i + 1) % own.len()]]).collect() };
    for (k, hole) in loops.iter().enumerate().skip(1) {
        for (j, other) in loops[..k].iter().enumerate() {
            let others = sides(other);
            let meets = sides(hole).iter().any(|side| others.iter().any(|side2| meet(*side, *side2)));
            let inside = contains(other, hole[0]);
            if j == 0 && (meets || !inside) {
                return Err(ShapeError::HoleOutside { hole: k - 1 });
            }
            if j > 0 && (meets || inside || contains(hole, other[0])) {
                return Err(ShapeError::HolesMeet { first: j - 1, second: k - 1 });
            }
        }
    }
    Ok(())
}

/// True if a point is inside a loop (crossings of a ray).
fn contains(own: &[DVec2], p: DVec2) -> bool {
    let mut inside = false;
    for i in 0..own.len() {
        let (a, b) = (own[i], own[(i + 1) % own.len()]);
        if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y)) {
            inside = !inside;
        }
    }
    inside
}
