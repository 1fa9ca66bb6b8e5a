//! Convex parts that move as one rigid body. Internal faces between parts have no contacts.
//!
//! A face of a part is hidden if faces of other parts cover it. An edge is hidden if it is not a protruding edge of the
//! compound: the material around it fills at least half of the full angle. Contact detection ignores hidden faces and
//! edges.

use glam::{DVec2, DVec3};

use super::outline::clip;
use super::polyhedron::{Hidden, Polyhedron};
use super::{Shape3, Solid};
use crate::pose::Pose;

/// Parts closer than this fraction of the smaller part's size are in contact.
const CONTACT_DISTANCE: f64 = 1e-6;
/// A face is internal when other parts cover it except for this fraction.
const OPEN_FRACTION: f64 = 1e-5;
/// An edge that turns by less than this angle is flat [rad].
const FLAT_ANGLE: f64 = 1e-5;

/// Convex parts that move as one; they touch but do not overlap.
#[derive(Clone, Debug, PartialEq)]
pub struct Compound3 {
    pub(super) parts: Vec<Shape3>,
    pub(super) centre: DVec3,
    pub(super) radius: f64,
}

impl Compound3 {
    /// Finds the hidden faces.
    pub(super) fn new(mut parts: Vec<Shape3>) -> Self {
        let found: Vec<Option<Hidden>> = (0..parts.len())
            .map(|i| match &parts[i] {
                Shape3::Polyhedron(own) => Some(hidden(own, i, &parts)),
                _ => None,
            })
            .collect();
        for (part, hidden) in parts.iter_mut().zip(found) {
            if let (Shape3::Polyhedron(polyhedron), Some(hidden)) = (part, hidden) {
                polyhedron.set_hidden(hidden);
            }
        }
        Self::measured(parts)
    }

    /// Parts whose hidden faces and edges are known already.
    pub(super) fn measured(parts: Vec<Shape3>) -> Self {
        let bounds = parts.iter().map(|p| p.bounds(&Pose::identity())).reduce(|a, b| a.union(&b));
        let centre = bounds.map_or(DVec3::ZERO, |b| b.min.midpoint(b.max));
        let reach = |part: &Shape3| {
            let (c, r) = part.ball();
            c.distance(centre) + r
        };
        let radius = parts.iter().map(reach).fold(0.0, f64::max);
        Self { parts, centre, radius }
    }

    /// Polyhedra, spheres and cylinders in the axes of the compound.
    pub fn parts(&self) -> &[Shape3] {
        &self.parts
    }
}

/// Faces of part `index` that other parts hide.
fn hidden(own: &Polyhedron, index: usize, parts: &[Shape3]) -> Hidden {
    let others: Vec<&Polyhedron> = parts
        .iter()
        .enumerate()
        .filter_map(|(i, part)| match part {
            Shape3::Polyhedron(other) if i != index => Some(&**other),
            _ => None,
        })
        .filter(|other| {
            let reach = own.radius() + other.radius();
            own.centre().distance(other.centre()) <= reach * (1.0 + CONTACT_DISTANCE)
        })
        .collect();
    if others.is_empty() {
        return Hidden::default();
    }
    Hidden {
        faces: (0..own.face_count()).map(|f| covered(own, f, &others)).collect(),
        edges: (0..own.edges().len()).map(|e| flat(own, e, &others)).collect(),
    }
}

/// Distance below which two parts are in contact [m].
fn near(a: &Polyhedron, b: &Polyhedron) -> f64 {
    CONTACT_DISTANCE * 2.0 * a.radius().min(b.radius())
}

/// True if faces of other parts cover a face.
fn covered(own: &Polyhedron, face: usize, others: &[&Polyhedron]) -> bool {
    let n = own.normals()[face];
    let corner = |i: usize| own.vertices()[own.face(face)[i] as usize];
    let u = (corner(1) - corner(0)).normalize_or_zero();
    let v = n.cross(u);
    let flat = |p: DVec3| DVec2::new(u.dot(p - corner(0)), v.dot(p - corner(0)));
    let outline: Vec<DVec2> = (0..own.face(face).len()).map(|i| flat(corner(i))).collect();
    let mut sum = 0.0;
    for other in others {
        let limit = near(own, other);
        for g in 0..other.face_count() {
            let points = || other.face(g).iter().map(|&v| other.vertices()[v as usize]);
            if n.dot(other.normals()[g]) < 0.0 && points().all(|p| n.dot(p - corner(0)).abs() <= limit) {
                // opposite normal: in reverse it is counter-clockwise
                let mut rest: Vec<DVec2> = points().map(flat).collect();
                rest.reverse();
                sum += common_area(rest, &outline);
            }
        }
    }
    sum >= own.areas()[face] * (1.0 - OPEN_FRACTION)
}

/// Area of the overlap of two convex outlines, both counter-clockwise.
fn common_area(mut polygon: Vec<DVec2>, outline: &[DVec2]) -> f64 {
    for i in 0..outline.len() {
        let (start, end) = (outline[i], outline[(i + 1) % outline.len()]);
        polygon = clip(&polygon, |p| (end - start).perp_dot(p - start));
    }
    let Some(&origin) = polygon.first() else { return 0.0 };
    polygon[1..].windows(2).map(|w| 0.5 * (w[0] - origin).perp_dot(w[1] - origin)).sum()
}

/// True if the material round an edge fills at least half of the turn, all along it.
fn flat(own: &Polyhedron, edge: usize, others: &[&Polyhedron]) -> bool {
    let [start, end] = own.edges()[edge].vertices.map(|v| own.vertices()[v as usize]);
    let along = end - start;
    // other parts begin and end along the edge; between these places nothing changes
    let mut places = vec![0.0, 1.0];
    for other in others {
        let limit = near(own, other);
        for v in other.vertices() {
            let t = along.dot(*v - start) / along.length_squared();
            if t > 0.0 && t < 1.0 && (*v - start - along * t).length() <= own.radius() + limit {
                places.push(t);
            }
        }
        for (n, d) in other.normals().iter().zip(other.offsets()) {
            let (here, there) = (n.dot(start) - d, n.dot(end) - d);
            if (here < 0.0) != (there < 0.0) {
                places.push(here / (here - there));
            }
        }
    }
    places.sort_by(f64::total_cmp);
    let axis = along.normalize_or_zero();
    places.windows(2).filter(|w| w[1] - w[0] > OPEN_FRACTION).all(|w| {
        let p = start + along * (0.5 * (w[0] + w[1]));
        let mut angle = wedge(own, p, axis, near(own, own));
        for other in others {
            angle += wedge(other, p, axis, near(own, other));
        }
        angle >= std::f64::consts::PI - FLAT_ANGLE
    })
}

/// Angle that a part fills round a line through `p` along `axis`: all inside, half on a face, the inner angle at an
/// edge, nothing outside.
fn wedge(part: &Polyhedron, p: DVec3, axis: DVec3, near: f64) -> f64 {
    let mut touching: Vec<DVec3> = Vec::new();
    for (n, d) in part.normals().iter().zip(part.offsets()) {
        let height = n.dot(p) - d;
        if height > near {
            return 0.0;
        }
        if height >= -near {
            // angles are measured in the plane perpendicular to the line
            let across = *n - axis * axis.dot(*n);
            touching.extend(across.try_normalize().filter(|_| across.length() > 1e-6));
        }
    }
    let spread = touching.iter().enumerate().flat_map(|(i, a)| touching[..i].iter().map(move |b| a.angle_between(*b)));
    let spread = spread.fold(0.0, f64::max);
    if touching.is_empty() { std::f64::consts::TAU } else { std::f64::consts::PI - spread }
}
