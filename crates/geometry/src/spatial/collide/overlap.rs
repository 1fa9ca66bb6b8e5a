//! Intersection of two plane convex sets: points, segments and polygons in the plane of a contact.
//!
//! | A, B | nodes |
//! |---|---|
//! | polygon, polygon | all vertices of the overlap |
//! | polygon, segment | both ends of the part of the segment inside |
//! | segment, segment | the crossing point; both ends of the common part for parallel segments |
//! | point, anything | the point, if it lies inside |

use glam::{DVec2, DVec3};

use super::patch::shares;
use crate::feature::{FeatureKind, name};
use crate::spatial::outline::clip;

/// Segments whose directions differ by less than this sine run side by side.
const SIDE_BY_SIDE: f64 = 1e-3;

/// A point of an overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OverlapPoint {
    /// Where, in the plane [m].
    pub at: DVec2,
    /// Share of the area of the overlap [m²].
    pub area: f64,
    /// Identifier from the corners or sides that form it.
    pub feature: u64,
}

/// A flat convex set: one corner is a point, two are a segment, more are a polygon, counter-clockwise.
#[derive(Clone, Debug, Default)]
pub struct Ring {
    /// Corners [m].
    pub corners: Vec<DVec2>,
    /// Numbers of the corners, for the identifiers of nodes.
    pub numbers: Vec<u32>,
    /// Number of the face that this is.
    pub face: u32,
}

impl Ring {
    fn side(&self, i: usize) -> (DVec2, DVec2) {
        (self.corners[i], self.corners[(i + 1) % self.corners.len()])
    }

    /// The corner at a place.
    fn corner_at(&self, p: DVec2, tolerance: f64) -> Option<u32> {
        self.corners.iter().position(|c| c.distance(p) <= tolerance).map(|i| self.numbers[i])
    }

    /// Number of the corner at which the nearest side starts.
    fn side_at(&self, p: DVec2) -> u32 {
        let distance = |i: usize| {
            let (start, end) = self.side(i);
            let along = end - start;
            let t = ((p - start).dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            (p - start - along * t).length_squared()
        };
        let count = self.corners.len();
        let best = (0..count).fold(0, |best, i| if distance(i) < distance(best) { i } else { best });
        self.numbers[best]
    }

    /// True for points inside or within `tolerance` of a set.
    fn holds(&self, p: DVec2, tolerance: f64) -> bool {
        match self.corners[..] {
            [] => false,
            [c] => c.distance(p) <= tolerance,
            [a, b] => {
                let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
                (a + (b - a) * t).distance(p) <= tolerance
            }
            _ => (0..self.corners.len()).all(|i| {
                let (start, end) = self.side(i);
                (end - start).perp_dot(p - start) >= -tolerance * (end - start).length()
            }),
        }
    }
}

/// Appends the common points of two sets and returns their area. `a` is the candidate's.
pub fn overlap(a: &Ring, b: &Ring, tolerance: f64, out: &mut Vec<OverlapPoint>) -> f64 {
    let label = |p: DVec2| match (a.corner_at(p, tolerance), b.corner_at(p, tolerance)) {
        (Some(v), Some(w)) if a.corners.len() < 3 && b.corners.len() < 3 => name(FeatureKind::VertexVertex, v, w),
        (Some(v), _) if b.corners.len() < 3 => name(FeatureKind::VertexEdge, v, b.side_at(p)),
        (_, Some(w)) if a.corners.len() < 3 => name(FeatureKind::EdgeVertex, a.side_at(p), w),
        (Some(v), _) => name(FeatureKind::VertexFace, v, b.face),
        (None, Some(w)) => name(FeatureKind::FaceVertex, a.face, w),
        (None, None) => name(FeatureKind::EdgeEdge, a.side_at(p), b.side_at(p)),
    };
    let mut push = |at: DVec2, area: f64| out.push(OverlapPoint { at, area, feature: label(at) });
    match (a.corners.len(), b.corners.len()) {
        (0, _) | (_, 0) => {}
        (1, _) if b.holds(a.corners[0], tolerance) => push(a.corners[0], 0.0),
        (_, 1) if a.holds(b.corners[0], tolerance) => push(b.corners[0], 0.0),
        (1, _) | (_, 1) => {}
        (2, 2) => segments(a, b, tolerance).into_iter().for_each(|p| push(p, 0.0)),
        (2, _) => inside(b, [a.corners[0], a.corners[1]], tolerance).into_iter().for_each(|p| push(p, 0.0)),
        (_, 2) => inside(a, [b.corners[0], b.corners[1]], tolerance).into_iter().for_each(|p| push(p, 0.0)),
        _ => {
            let polygon = polygons(a, b);
            let mut areas = Vec::new();
            let area = shares(&polygon, &mut areas);
            let perimeter: f64 =
                (0..polygon.len()).map(|i| (polygon[(i + 1) % polygon.len()] - polygon[i]).length()).sum();
            // a sliver is ignored
            if polygon.len() < 3 || 2.0 * area <= tolerance * perimeter {
                return 0.0;
            }
            let mut kept: Vec<(DVec2, f64)> = Vec::new();
            for (p, area) in polygon.iter().zip(areas) {
                match kept.last_mut() {
                    Some(last) if last.0.distance(p.truncate()) <= tolerance => last.1 += area,
                    _ => kept.push((p.truncate(), area)),
                }
            }
            while let [first, .., last] = &mut kept[..]
                && first.0.distance(last.0) <= tolerance
            {
                first.1 += last.1;
                kept.pop();
            }
            kept.into_iter().for_each(|(p, area)| push(p, area));
            return area;
        }
    }
    0.0
}

/// Vertices of the overlap of two polygons.
fn polygons(a: &Ring, b: &Ring) -> Vec<DVec3> {
    let mut polygon: Vec<DVec2> = b.corners.clone();
    for i in 0..a.corners.len() {
        let (start, end) = a.side(i);
        let along = (end - start).normalize_or_zero();
        polygon = clip(&polygon, |p| along.perp_dot(p - start));
    }
    polygon.into_iter().map(|p| p.extend(0.0)).collect()
}

/// The part of a segment inside a polygon: two ends, or one where it only touches.
fn inside(polygon: &Ring, [start, end]: [DVec2; 2], tolerance: f64) -> Vec<DVec2> {
    let along = end - start;
    let (mut low, mut high) = (0.0f64, 1.0f64);
    for i in 0..polygon.corners.len() {
        let (p, q) = polygon.side(i);
        let u = (q - p).normalize_or_zero();
        let (here, slope) = (u.perp_dot(start - p) + tolerance, u.perp_dot(along));
        if slope == 0.0 {
            if here < 0.0 {
                return Vec::new();
            }
        } else if slope > 0.0 {
            low = low.max(-here / slope);
        } else {
            high = high.min(-here / slope);
        }
    }
    let length = along.length();
    match (high - low) * length {
        x if x < 0.0 => Vec::new(),
        x if x <= 2.0 * tolerance => vec![start + along * (0.5 * (low + high))],
        _ => vec![start + along * low, start + along * high],
    }
}

/// Crossing of two segments, or the ends of what they share side by side.
fn segments(a: &Ring, b: &Ring, tolerance: f64) -> Vec<DVec2> {
    let ((p, q), (r, s)) = ((a.corners[0], a.corners[1]), (b.corners[0], b.corners[1]));
    let (u, v) = (q - p, s - r);
    let (length_u, length_v) = (u.length(), v.length());
    let cross = u.perp_dot(v);
    if cross.abs() <= SIDE_BY_SIDE * length_u * length_v {
        let place = |x: DVec2| u.dot(x - p) / (length_u * length_u);
        let (low, high) = (place(r).min(place(s)).max(0.0), place(r).max(place(s)).min(1.0));
        let off = (u.perp_dot(r - p) / length_u).abs().min((u.perp_dot(s - p) / length_u).abs());
        return match (high - low) * length_u {
            x if x < -tolerance || off > tolerance => Vec::new(),
            x if x <= tolerance => vec![p + u * (0.5 * (low + high))],
            _ => vec![p + u * low, p + u * high],
        };
    }
    let (t, w) = ((r - p).perp_dot(v) / cross, (r - p).perp_dot(u) / cross);
    let within = |t: f64, length: f64| t * length >= -tolerance && (t - 1.0) * length <= tolerance;
    if within(t, length_u) && within(w, length_v) { vec![p + u * t] } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(corners: &[[f64; 2]]) -> Ring {
        let corners: Vec<DVec2> = corners.iter().map(|c| DVec2::from_array(*c)).collect();
        Ring { numbers: (0..corners.len() as u32).collect(), corners, face: 7 }
    }

    fn common(a: &Ring, b: &Ring) -> Vec<[f64; 2]> {
        let mut out = Vec::new();
        overlap(a, b, 1e-9, &mut out);
        out.iter().map(|c| c.at.to_array()).collect()
    }

    #[test]
    fn all_pairs_of_points_segments_and_polygons() {
        let square = ring(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        let point = ring(&[[0.5, 1.0]]);
        let across = ring(&[[0.5, -1.0], [0.5, 2.0]]);
        let beside = ring(&[[0.5, 0.5], [0.5, 3.0]]);
        let level = ring(&[[-1.0, 0.25], [2.0, 0.25]]);
        assert_eq!(common(&square, &point), [[0.5, 1.0]]);
        assert_eq!(common(&point, &point), [[0.5, 1.0]]);
        assert_eq!(common(&across, &point), [[0.5, 1.0]]);
        let close = |found: Vec<[f64; 2]>, expected: &[[f64; 2]]| {
            let near = |(f, e): (&[f64; 2], &[f64; 2])| (f[0] - e[0]).hypot(f[1] - e[1]) < 1e-8;
            assert!(found.len() == expected.len() && found.iter().zip(expected).all(near), "{found:?}");
        };
        close(common(&square, &across), &[[0.5, 0.0], [0.5, 1.0]]);
        close(common(&across, &beside), &[[0.5, 0.5], [0.5, 2.0]]);
        close(common(&across, &level), &[[0.5, 0.25]]);
        assert!(common(&square, &ring(&[[2.0, 0.0], [2.0, 1.0]])).is_empty());
        let shifted = ring(&[[0.5, 0.5], [2.0, 0.5], [2.0, 2.0], [0.5, 2.0]]);
        let mut out = Vec::new();
        assert!((overlap(&square, &shifted, 1e-9, &mut out) - 0.25).abs() < 1e-15);
        assert_eq!(out.len(), 4);
        // squares that share only a side have no overlap
        assert!(common(&square, &ring(&[[1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0]])).is_empty());
    }
}
