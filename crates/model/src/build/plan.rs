//! Convex polygons in plan: clipping, difference, moments. Counter-clockwise, exact up to rounding.

/// A point in plan [m].
pub(crate) type Point = [f64; 2];

/// A linear function of the place: a x + b y + c.
pub(super) type Linear = [f64; 3];

/// Pieces smaller than this share of their polygon are omitted.
const LEAST_PIECE: f64 = 1e-14;

/// Value of a linear function.
pub(super) fn value(f: Linear, p: Point) -> f64 {
    f[0] * p[0] + f[1] * p[1] + f[2]
}

/// The part of a polygon where a linear function is not negative.
pub(super) fn clip(polygon: &[Point], f: Linear) -> Vec<Point> {
    let mut out = Vec::with_capacity(polygon.len() + 1);
    for (i, &a) in polygon.iter().enumerate() {
        let b = polygon[(i + 1) % polygon.len()];
        let (da, db) = (value(f, a), value(f, b));
        if da >= 0.0 {
            out.push(a);
        }
        if (da > 0.0 && db < 0.0) || (da < 0.0 && db > 0.0) {
            let s = da / (da - db);
            out.push([a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])]);
        }
    }
    out
}

/// Area of a polygon.
pub(crate) fn area(polygon: &[Point]) -> f64 {
    triangles(polygon).map(triangle).sum()
}

/// `polygon` without `hole`, as convex pieces.
pub(crate) fn difference(polygon: Vec<Point>, hole: &[Point]) -> Vec<Vec<Point>> {
    let least = LEAST_PIECE * area(&polygon);
    let mut pieces = Vec::new();
    let mut rest = polygon.clone();
    for (i, &a) in hole.iter().enumerate() {
        let b = hole[(i + 1) % hole.len()];
        let inside: Linear = [a[1] - b[1], b[0] - a[0], a[0] * b[1] - a[1] * b[0]];
        let piece = clip(&rest, inside.map(|x| -x));
        if area(&piece) > least {
            pieces.push(piece);
        }
        rest = clip(&rest, inside);
        if area(&rest) <= least {
            // the hole does not touch the polygon, or the remainder is outside: nothing is cut
            let apart = (area(&polygon) - pieces.iter().map(|p| area(p)).sum::<f64>()).abs() <= least;
            return if apart { vec![polygon] } else { pieces };
        }
    }
    pieces
}

/// ∫ f, ∫ f x and ∫ f y over a polygon, for a linear f.
pub(super) fn moments(polygon: &[Point], f: Linear) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for t in triangles(polygon) {
        let area = triangle(t);
        let at = t.map(|p| value(f, p));
        let total: f64 = at.iter().sum();
        sum[0] += area * total / 3.0;
        for k in 0..2 {
            let x = t.map(|p| p[k]);
            let cross: f64 = x.iter().zip(at).map(|(x, f)| x * f).sum();
            sum[k + 1] += area / 12.0 * (x.iter().sum::<f64>() * total + cross);
        }
    }
    sum
}

fn triangles(polygon: &[Point]) -> impl Iterator<Item = [Point; 3]> {
    (1..polygon.len().saturating_sub(1)).map(|i| [polygon[0], polygon[i], polygon[i + 1]])
}

fn triangle([a, b, c]: [Point; 3]) -> f64 {
    0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [Point; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

    #[test]
    fn the_moments_of_a_slope() {
        // height 1 − x over the unit square: volume 1/2, centroid at x = 1/3
        let [volume, x, y] = moments(&SQUARE, [-1.0, 0.0, 1.0]);
        assert!((volume - 0.5).abs() < 1e-15);
        assert!((x / volume - 1.0 / 3.0).abs() < 1e-15 && (y / volume - 0.5).abs() < 1e-15);
    }

    #[test]
    fn a_difference_keeps_the_rest_of_the_area() {
        let hole = [[0.25, -1.0], [2.0, 0.25], [0.5, 0.75]];
        let mut inside = SQUARE.to_vec();
        for (i, a) in hole.iter().enumerate() {
            let b: Point = hole[(i + 1) % 3];
            inside = clip(&inside, [a[1] - b[1], b[0] - a[0], a[0] * b[1] - a[1] * b[0]]);
        }
        let left: f64 = difference(SQUARE.to_vec(), &hole).iter().map(|piece| area(piece)).sum();
        assert!((left + area(&inside) - 1.0).abs() < 1e-15, "{left} and {}", area(&inside));
        // beside it, exactly on it
        assert_eq!(difference(SQUARE.to_vec(), &[[1.0, 0.0], [2.0, 0.0], [1.0, 1.0]]), [SQUARE.to_vec()]);
        assert!(difference(SQUARE.to_vec(), &SQUARE).is_empty());
    }
}
