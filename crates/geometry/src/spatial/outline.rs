//! Loops of points in a plane: convexity (one turn, always to the left), and clipping by a line.

use glam::{DVec2, DVec3};

/// Why a loop is not convex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum OutlineFault {
    /// Corner `corner` lies this far on the wrong side of the line through the two before it [m].
    WrongTurn {
        /// Index in the loop.
        corner: usize,
        /// How far [m].
        off: f64,
    },
    /// The loop winds more than once, or not at all.
    Winding,
}

/// The part of a convex polygon where `inside` ≥ 0; `inside` is a linear function (Sutherland and Hodgman 1974).
pub fn clip(polygon: &[DVec2], inside: impl Fn(DVec2) -> f64) -> Vec<DVec2> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (k, &p) in polygon.iter().enumerate() {
        let q = polygon[(k + 1) % polygon.len()];
        let (here, there) = (inside(p), inside(q));
        if here >= 0.0 {
            kept.push(p);
        }
        if (here < 0.0) != (there < 0.0) {
            kept.push(p + (q - p) * (here / (here - there)));
        }
    }
    kept
}

/// Checks a loop seen against `normal`; corners may be off by `limit` [m].
pub fn check(points: &[DVec3], normal: DVec3, limit: f64) -> Result<(), OutlineFault> {
    let n = points.len();
    let mut turn = 0.0;
    for i in 0..n {
        let (a, b, c) = (points[i], points[(i + 1) % n], points[(i + 2) % n]);
        let sine = normal.dot((b - a).cross(c - b));
        turn += sine.atan2((b - a).dot(c - b));
        let off = -sine / (b - a).length();
        if off > limit {
            return Err(OutlineFault::WrongTurn { corner: (i + 2) % n, off });
        }
    }
    if (turn - std::f64::consts::TAU).abs() > 1e-2 { Err(OutlineFault::Winding) } else { Ok(()) }
}
