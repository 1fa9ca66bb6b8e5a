//! Convex parts that move as one rigid body. Internal faces between parts have no contacts.

use glam::DVec2;

use super::polygon::Hidden;
use super::{Polygon, Shape2};

/// Parts closer than this fraction of the smaller part's size are in contact.
const CONTACT_DISTANCE: f64 = 1e-6;
/// A side is internal when other parts cover it except for this fraction.
const OPEN_FRACTION: f64 = 1e-5;
/// A corner that turns by less than this angle is flat [rad].
const FLAT_ANGLE: f64 = 1e-5;

/// Convex parts that move as one; they touch but do not overlap.
#[derive(Clone, Debug, PartialEq)]
pub struct Compound2 {
    pub(super) parts: Vec<Shape2>,
}

impl Compound2 {
    /// Finds the hidden sides.
    pub(super) fn new(mut parts: Vec<Shape2>) -> Self {
        let found: Vec<Option<Hidden>> = (0..parts.len())
            .map(|i| match &parts[i] {
                Shape2::Polygon(own) => Some(hidden(own, i, &parts)),
                _ => None,
            })
            .collect();
        for (part, hidden) in parts.iter_mut().zip(found) {
            if let (Shape2::Polygon(polygon), Some(hidden)) = (part, hidden) {
                polygon.set_hidden(hidden);
            }
        }
        Self { parts }
    }

    /// Polygons, discs and segments in the axes of the compound.
    pub fn parts(&self) -> &[Shape2] {
        &self.parts
    }
}

/// Sides of part `index` that other parts hide.
fn hidden(own: &Polygon, index: usize, parts: &[Shape2]) -> Hidden {
    let others: Vec<&Polygon> = parts
        .iter()
        .enumerate()
        .filter_map(|(i, part)| match part {
            Shape2::Polygon(other) if i != index => Some(other),
            _ => None,
        })
        .filter(|other| {
            let reach = own.radius() + other.radius();
            own.centre().distance(other.centre()) <= reach * (1.0 + CONTACT_DISTANCE)
        })
        .collect();
    let count = own.vertices().len();
    Hidden {
        sides: (0..count).map(|i| covered(own, i, &others)).collect(),
        vertices: (0..count).map(|i| flat(own, i, &others)).collect(),
    }
}

/// True if sides of other parts cover a side.
fn covered(own: &Polygon, side: usize, others: &[&Polygon]) -> bool {
    let ([start, end], n) = (own.side(side), own.normals()[side]);
    let length = start.distance(end);
    let u = (end - start) / length;
    let mut sum = 0.0;
    for other in others {
        let near = CONTACT_DISTANCE * 2.0 * own.radius().min(other.radius());
        for i in 0..other.vertices().len() {
            let [a, b] = other.side(i);
            let on_line = n.dot(a - start).abs() <= near && n.dot(b - start).abs() <= near;
            if on_line && n.dot(other.normals()[i]) < 0.0 {
                // opposite direction
                let (low, high) = (u.dot(b - start).max(0.0), u.dot(a - start).min(length));
                sum += (high - low).max(0.0);
            }
        }
    }
    sum >= length * (1.0 - OPEN_FRACTION)
}

/// True if the material round a vertex fills at least half of the turn.
fn flat(own: &Polygon, vertex: usize, others: &[&Polygon]) -> bool {
    let p = own.vertices()[vertex];
    let mut angle = wedge(own, p, CONTACT_DISTANCE * 2.0 * own.radius());
    for other in others {
        angle += wedge(other, p, CONTACT_DISTANCE * 2.0 * own.radius().min(other.radius()));
    }
    angle >= std::f64::consts::PI - FLAT_ANGLE
}

/// Angle that a part fills round a point: all inside, half on a side, the inner angle at a vertex, nothing outside.
fn wedge(part: &Polygon, p: DVec2, near: f64) -> f64 {
    let heights = || part.normals().iter().zip(part.offsets()).map(|(n, d)| n.dot(p) - d);
    if heights().any(|h| h > near) {
        return 0.0;
    }
    let touching: Vec<DVec2> =
        part.normals().iter().zip(heights()).filter(|(_, h)| *h >= -near).map(|(n, _)| *n).collect();
    match touching[..] {
        [] => std::f64::consts::TAU,
        [_] => std::f64::consts::PI,
        [first, .., last] => std::f64::consts::PI - first.angle_to(last).abs(),
    }
}
