//! The rectangular stress block of a joint without tension.
//!
//! A normal force N whose centre of pressure is at p needs at least the uniform stress N/A_p, where A_p is the largest
//! area of the joint whose centroid is p. The largest area is the part of the joint on one side of a line: if χ is the
//! stressed part, max ∫χ subject to ∫χ (x − p) = 0 and 0 ≤ χ ≤ 1 has the solution χ = 1 where 1 + m·(x − p) > 0, with
//! the multiplier m. For a rectangle with an eccentricity e along one side of length t it is the block A (1 − 2e/t) of
//! EN 1996-1-1, 6.1.2.

/// Directions that are tried before the root is bracketed.
const DIRECTIONS: usize = 24;

/// Bisections of a root.
const HALVINGS: usize = 50;

/// Largest area of a convex outline (counter-clockwise) whose centroid is a given point; zero on the edge and outside.
pub(crate) fn stressed_area(outline: &[[f64; 2]], at: [f64; 2]) -> f64 {
    let Some((area, centroid)) = middle(outline) else { return 0.0 };
    let away = [at[0] - centroid[0], at[1] - centroid[1]];
    let (distance, size) = (away[0].hypot(away[1]), area.sqrt());
    if distance <= 1e-9 * size {
        return area;
    }
    // the normal of the line is within a right angle of the direction of the eccentricity
    let first = away[1].atan2(away[0]);
    let try_angle = |angle: f64| part_towards(outline, at, first + angle);
    let step = std::f64::consts::PI / DIRECTIONS as f64;
    let angles = (0..=DIRECTIONS).map(|i| -std::f64::consts::FRAC_PI_2 + step * i as f64);
    let tried: Vec<(f64, Option<(f64, f64)>)> =
        std::iter::once(0.0).chain(angles).map(|angle| (angle, try_angle(angle))).collect();
    let close = |aside: f64| aside.abs() <= 1e-9 * size;
    if let Some((_, Some((area, aside)))) = tried.first()
        && close(*aside)
    {
        return *area;
    }
    let mut best = 0.0f64;
    for pair in tried[1..].windows(2) {
        let [(mut low, Some((area, left))), (mut high, Some((_, right)))] = [pair[0], pair[1]] else { continue };
        if left.signum() == right.signum() && !close(left) {
            continue;
        }
        let mut found = area;
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            let Some((area, aside)) = try_angle(middle) else { break };
            found = area;
            if aside.signum() == left.signum() { low = middle } else { high = middle }
        }
        best = best.max(found);
    }
    best
}

/// The part of an outline beyond a line with this normal whose centroid is level with `at`: its area, and how far its
/// centroid is from `at` along the line. `None` if there is none.
fn part_towards(outline: &[[f64; 2]], at: [f64; 2], angle: f64) -> Option<(f64, f64)> {
    let (sin, cos) = angle.sin_cos();
    let level = |p: [f64; 2]| (p[0] - at[0]) * cos + (p[1] - at[1]) * sin;
    let aside = |p: [f64; 2]| (p[1] - at[1]) * cos - (p[0] - at[0]) * sin;
    let highest = outline.iter().map(|p| level(*p)).fold(f64::NEG_INFINITY, f64::max);
    let lowest = outline.iter().map(|p| level(*p)).fold(f64::INFINITY, f64::min);
    let (_, whole) = middle(outline)?;
    if highest <= 0.0 || level(whole) > 0.0 {
        return None;
    }
    // the centroid rises with the line
    let (mut low, mut high) = (lowest, 0.0);
    let mut found = None;
    for _ in 0..HALVINGS {
        let bound = 0.5 * (low + high);
        let part = clip(outline, |p| level(p) - bound);
        match middle(&part) {
            Some((area, centre)) => {
                found = Some((area, aside(centre)));
                if level(centre) < 0.0 { low = bound } else { high = bound }
            }
            None => high = bound,
        }
    }
    found
}

/// The part of a convex polygon where a linear function is not negative.
pub(crate) fn clip(polygon: &[[f64; 2]], value: impl Fn([f64; 2]) -> f64) -> Vec<[f64; 2]> {
    let mut out = Vec::with_capacity(polygon.len() + 1);
    for (i, a) in polygon.iter().enumerate() {
        let b = polygon[(i + 1) % polygon.len()];
        let (da, db) = (value(*a), value(b));
        if da >= 0.0 {
            out.push(*a);
        }
        if (da > 0.0 && db < 0.0) || (da < 0.0 && db > 0.0) {
            let s = da / (da - db);
            out.push([a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])]);
        }
    }
    out
}

/// Area and centroid of a counter-clockwise polygon; `None` without area.
pub(crate) fn middle(polygon: &[[f64; 2]]) -> Option<(f64, [f64; 2])> {
    let origin = *polygon.first()?;
    let (mut area, mut sum) = (0.0, [0.0; 2]);
    for pair in polygon.windows(2) {
        let [a, b] = [pair[0], pair[1]].map(|p| [p[0] - origin[0], p[1] - origin[1]]);
        let part = 0.5 * (a[0] * b[1] - a[1] * b[0]);
        area += part;
        (0..2).for_each(|k| sum[k] += part * (a[k] + b[k]) / 3.0);
    }
    (area > 0.0).then(|| (area, [origin[0] + sum[0] / area, origin[1] + sum[1] / area]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_has_the_block_of_the_code() {
        let (a, b) = (3.0, 0.6);
        let joint = [[-0.5 * a, -0.5 * b], [0.5 * a, -0.5 * b], [0.5 * a, 0.5 * b], [-0.5 * a, 0.5 * b]];
        for e in [0.0, 0.05, 0.1, 0.2, 0.29] {
            for at in [[0.0, e], [0.0, -e]] {
                let expected = a * (b - 2.0 * e);
                assert!((stressed_area(&joint, at) / expected - 1.0).abs() < 1e-9, "{at:?}");
            }
        }
        assert!(stressed_area(&joint, [0.0, 0.3]) < 1e-9);
        assert_eq!(stressed_area(&joint, [0.0, 0.4]), 0.0);
    }

    /// Near a corner of a square the stressed part is a triangle, whose centroid is at a third of its legs.
    #[test]
    fn a_corner_has_a_triangle() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        for [x, y] in [[0.1, 0.1], [0.05, 0.2], [0.3, 0.02]] {
            let expected = 0.5 * (3.0 * x) * (3.0 * y);
            assert!((stressed_area(&square, [x, y]) / expected - 1.0).abs() < 1e-6, "{x} {y}");
        }
    }

    /// Test: no other part of a triangle with this centroid is larger: parts between two parallel lines, in all
    /// directions.
    #[test]
    fn no_strip_is_larger() {
        let triangle = [[0.0, 0.0], [2.0, 0.0], [0.5, 1.5]];
        let at = [0.7, 0.3];
        let best = stressed_area(&triangle, at);
        assert!(best > 0.0 && best < middle(&triangle).unwrap().0);
        for i in 0..360 {
            let (sin, cos) = (i as f64).to_radians().sin_cos();
            for (low, high) in [(-0.3, 0.3), (-0.2, 0.5), (-0.6, 0.2), (-1.0, 0.1)] {
                let level = |p: [f64; 2]| (p[0] - at[0]) * cos + (p[1] - at[1]) * sin;
                let strip = clip(&clip(&triangle, |p| level(p) - low), |p| high - level(p));
                let Some((area, centre)) = middle(&strip) else { continue };
                if (centre[0] - at[0]).hypot(centre[1] - at[1]) < 1e-2 {
                    assert!(area < best * 1.05, "{area} > {best}");
                }
            }
        }
    }
}
