//! Clipping of polygons in the plane.

/// The part of a convex polygon on which `side` is not negative; `side` is linear.
pub(crate) fn half(polygon: &[[f64; 2]], side: impl Fn([f64; 2]) -> f64) -> Vec<[f64; 2]> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for i in 0..polygon.len() {
        let (p, q) = (polygon[i], polygon[(i + 1) % polygon.len()]);
        let (s, t) = (side(p), side(q));
        if s >= 0.0 {
            kept.push(p);
        }
        if (s > 0.0 && t < 0.0) || (s < 0.0 && t > 0.0) {
            let share = s / (s - t);
            kept.push([p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])]);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn a_square_is_cut_by_a_line() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        assert_eq!(half(&square, |p| 0.25 - p[0]), [[0.0, 0.0], [0.25, 0.0], [0.25, 1.0], [0.0, 1.0]]);
        assert_eq!(half(&square, |p| 2.0 - p[0]), square);
        assert!(half(&square, |p| p[0] - 2.0).is_empty());
    }
}
