//! Decomposition of a non-convex polygon into convex parts: triangulation by ears, then removal of unnecessary cuts (S.
//! Hertel, K. Mehlhorn 1983). No vertices are added, so the parts fit together exactly.

use glam::DVec2;

use crate::error::ShapeError;

/// Loops of indices, counter-clockwise, that together are the outline; each is convex up to `tolerance` [m].
pub fn convex_parts(outline: &[DVec2], tolerance: f64) -> Result<Vec<Vec<usize>>, ShapeError> {
    check_simple(outline)?;
    Ok(merged(outline, ears(outline)?, tolerance))
}

/// Parts without unnecessary cuts: they are taken back one after the other as long as the union stays convex.
pub(super) fn merged(points: &[DVec2], mut parts: Vec<Vec<usize>>, tolerance: f64) -> Vec<Vec<usize>> {
    let mut i = 0;
    while i < parts.len() {
        let merged = (i + 1..parts.len()).find_map(|j| Some((j, union(points, &parts[i], &parts[j], tolerance)?)));
        match merged {
            Some((j, loop_)) => {
                parts[i] = loop_;
                parts.remove(j);
            }
            None => i += 1,
        }
    }
    parts
}

/// No two sides cross or touch but neighbours at their common end.
pub(super) fn check_simple(outline: &[DVec2]) -> Result<(), ShapeError> {
    let n = outline.len();
    let side = |i: usize| [outline[i], outline[(i + 1) % n]];
    for i in 0..n {
        for j in i + 2..n {
            if !(i == 0 && j == n - 1) && meet(side(i), side(j)) {
                return Err(ShapeError::SidesCross { first: i, second: j });
            }
        }
    }
    Ok(())
}

/// True if two segments cross or touch.
pub(super) fn meet([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    let turn = |p: DVec2, q: DVec2, r: DVec2| (q - p).perp_dot(r - p);
    let (s1, s2, s3, s4) = (turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b));
    let cross = s1 * s2 <= 0.0 && s3 * s4 <= 0.0;
    // all on one line: apart unless the ranges meet
    let (along, line) = (b - a, s1 == 0.0 && s2 == 0.0);
    let range = |p: DVec2| along.dot(p - a) / along.length_squared();
    let apart = line && (range(c).max(range(d)) < 0.0 || range(c).min(range(d)) > 1.0);
    cross && !apart
}

/// Triangles of an outline.
pub(crate) fn ears(outline: &[DVec2]) -> Result<Vec<Vec<usize>>, ShapeError> {
    ears_of(outline, (0..outline.len()).collect())
}

/// Triangles: the ear with the largest smallest height is truncated first, so that no slivers are left to the end. A
/// ring with bridges to holes has points twice.
pub(super) fn ears_of(outline: &[DVec2], mut ring: Vec<usize>) -> Result<Vec<Vec<usize>>, ShapeError> {
    let mut parts = Vec::with_capacity(ring.len());
    while ring.len() > 3 {
        let n = ring.len();
        let mut best: Option<(f64, usize)> = None;
        for k in 0..n {
            let [a, b, c] = [ring[(k + n - 1) % n], ring[k], ring[(k + 1) % n]];
            let (p, q, r) = (outline[a], outline[b], outline[c]);
            let twice = (q - p).perp_dot(r - p);
            let height = twice / (q - p).length().max((r - q).length()).max((p - r).length());
            if twice <= 0.0 || best.is_some_and(|best| height <= best.0) {
                continue;
            }
            let inside = |v: DVec2| {
                (q - p).perp_dot(v - p) >= 0.0 && (r - q).perp_dot(v - q) >= 0.0 && (p - r).perp_dot(v - r) >= 0.0
            };
            let free = ring.iter().filter(|&&v| v != a && v != b && v != c).all(|&v| !inside(outline[v]));
            if free {
                best = Some((height, k));
            }
        }
        let (_, k) = best.ok_or(ShapeError::SelfCrossing { face: 0 })?;
        let n = ring.len();
        parts.push(vec![ring[(k + n - 1) % n], ring[k], ring[(k + 1) % n]]);
        ring.remove(k);
    }
    parts.push(ring);
    Ok(parts)
}

/// The union of two loops that share a side, if it is convex.
fn union(outline: &[DVec2], a: &[usize], b: &[usize], tolerance: f64) -> Option<Vec<usize>> {
    for i in 0..a.len() {
        let (start, end) = (a[i], a[(i + 1) % a.len()]);
        let Some(j) = (0..b.len()).find(|&j| b[j] == end && b[(j + 1) % b.len()] == start) else { continue };
        // round a from the end of the shared side, then round b from its other end
        let mut loop_: Vec<usize> = (0..a.len()).map(|k| a[(i + 1 + k) % a.len()]).collect();
        loop_.extend((2..b.len()).map(|k| b[(j + k) % b.len()]));
        let n = loop_.len();
        let convex = (0..n).all(|k| {
            let [p, q, r] = [loop_[k], loop_[(k + 1) % n], loop_[(k + 2) % n]].map(|v| outline[v]);
            (q - p).perp_dot(r - q) >= -tolerance * (r - p).length()
        });
        return convex.then_some(loop_);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(outline: &[DVec2], part: &[usize]) -> f64 {
        let n = part.len();
        (0..n).map(|i| 0.5 * outline[part[i]].perp_dot(outline[part[(i + 1) % n]])).sum()
    }

    #[test]
    fn an_l_is_two_parts_and_a_comb_has_one_for_each_tooth() {
        let l = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]].map(DVec2::from);
        let parts = convex_parts(&l, 1e-9).unwrap();
        assert_eq!(parts.len(), 2);
        assert!((parts.iter().map(|p| area(&l, p)).sum::<f64>() - 3.0).abs() < 1e-14);
        let mut comb = vec![DVec2::new(7.0, 0.0), DVec2::new(7.0, 1.0)];
        for tooth in (0..4).rev() {
            let x = 2.0 * f64::from(tooth);
            if tooth < 3 {
                comb.push(DVec2::new(x + 1.0, 1.0));
            }
            comb.push(DVec2::new(x + 1.0, 3.0));
            comb.push(DVec2::new(x, 3.0));
            if tooth > 0 {
                comb.push(DVec2::new(x, 1.0));
            }
        }
        comb.push(DVec2::ZERO);
        comb.remove(1);
        let parts = convex_parts(&comb, 1e-9).unwrap();
        let total: f64 = parts.iter().map(|p| area(&comb, p)).sum();
        assert!((total - (7.0 + 8.0)).abs() < 1e-12 && parts.len() <= 8, "{total} in {} parts", parts.len());
    }

    #[test]
    fn a_figure_of_eight_is_refused() {
        let eight = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]].map(DVec2::from);
        assert!(convex_parts(&eight, 1e-9).is_err());
    }
}
