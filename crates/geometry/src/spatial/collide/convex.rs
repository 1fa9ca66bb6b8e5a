//! Cylinders and polyhedra: the direction of largest separation of two convex bodies, and the plane features in this
//! direction.
//!
//! Candidates for the direction are those that are exact for the two bodies (faces, caps, lines between axes and
//! vertices); the best candidate is improved by small tilts until none helps, which covers rims on edges and rims on
//! rims. Each body then gives its feature in that direction: a face or cap, an edge or straight side, or a point. The
//! intersection of the two features gives the nodes. A tilted cap is nearest at a point of its rim that need not be one
//! of the vertices of the polygon that represents the rim, and a corner may stand on a cap outside this polygon; if no
//! node is as near as the bodies are, their closest points are an additional node.

use glam::{DVec2, DVec3};

use super::Points;
use super::overlap::{OverlapPoint, Ring, overlap};
use crate::feature::{FeatureKind, name};
use crate::gjk;
use crate::solid::ContactPoint;
use crate::space::{D3, Space};
use crate::spatial::cylinder::{Cylinder, RIM};
use crate::spatial::{Polyhedron, Pose};

/// A face, cap or straight side is the feature of a body if it is tilted by less than this [rad].
const FEATURE_TILT: f64 = 2e-2;
/// A direction is better when its gap is larger by this fraction of the size.
const GAP_GAIN: f64 = 1e-10;
/// First and last tilt [rad].
const TILT_RANGE: [f64; 2] = [2e-2, 1e-9];
/// Nodes closer than this fraction of the size are one.
const MERGE_LENGTH: f64 = 1e-7;
/// Gaps that differ by less than this fraction of the size are the same.
const EQUAL_GAP: f64 = 1e-8;
/// Bodies that overlap are moved this fraction of their size apart to find where they are deepest.
const SEPARATING_SHIFT: f64 = 1e-4;

/// A convex body in some axes.
pub trait Convex {
    /// The point farthest along a direction.
    fn support(&self, d: DVec3) -> DVec3;
    /// Outward directions that may separate it from the other body.
    fn normals(&self, out: &mut Vec<DVec3>);
    /// Its feature in a direction: corners with their numbers, counter-clockwise about the direction, and the number of
    /// the feature.
    fn shown(&self, d: DVec3) -> (Vec<(DVec3, u32)>, u32);
    /// True if the feature with this number lies inside a compound.
    fn is_hidden(&self, shown: &[(DVec3, u32)], face: u32) -> bool;
}

impl Convex for Cylinder {
    fn support(&self, d: DVec3) -> DVec3 {
        Cylinder::support(self, d)
    }

    fn normals(&self, out: &mut Vec<DVec3>) {
        out.extend([self.axis, -self.axis]);
    }

    fn shown(&self, d: DVec3) -> (Vec<(DVec3, u32)>, u32) {
        let (along, across) = (self.axis.dot(d), self.across(d).length());
        let end = usize::from(along > 0.0);
        if across < FEATURE_TILT {
            let rim = (0..RIM).map(|i| (self.rim(end, i), (end * RIM + i) as u32));
            // counter-clockwise about d
            let corners = if end == 1 { rim.collect() } else { rim.rev().collect() };
            return (corners, end as u32);
        }
        let out = self.across(d) / across * self.radius;
        if along.abs() < FEATURE_TILT {
            return ([0, 1].map(|end| (self.end(end) + out, 2 * RIM as u32 + end as u32)).to_vec(), 2);
        }
        (vec![(self.end(end) + out, 2 * RIM as u32 + end as u32)], 2)
    }

    fn is_hidden(&self, _shown: &[(DVec3, u32)], _face: u32) -> bool {
        false
    }
}

/// A polyhedron with its vertices and normals in some axes.
pub struct Placed<'a> {
    shape: &'a Polyhedron,
    vertices: Vec<DVec3>,
    normals: Vec<DVec3>,
}

impl<'a> Placed<'a> {
    /// In its own axes.
    pub fn new(shape: &'a Polyhedron) -> Self {
        Self { shape, vertices: shape.vertices().to_vec(), normals: shape.normals().to_vec() }
    }
}

impl Convex for Placed<'_> {
    fn support(&self, d: DVec3) -> DVec3 {
        self.vertices.iter().copied().reduce(|x, y| if d.dot(y) > d.dot(x) { y } else { x }).unwrap_or(DVec3::ZERO)
    }

    fn normals(&self, out: &mut Vec<DVec3>) {
        out.extend((0..self.normals.len()).filter(|&f| !self.shape.is_hidden(f)).map(|f| self.normals[f]));
    }

    fn shown(&self, d: DVec3) -> (Vec<(DVec3, u32)>, u32) {
        let along = |f: &usize| d.dot(self.normals[*f]);
        let face = (0..self.normals.len()).max_by(|f, g| along(f).total_cmp(&along(g))).unwrap_or(0);
        let numbered = |v: u32| (self.vertices[v as usize], v);
        if along(&face) > FEATURE_TILT.cos() {
            return (self.shape.face(face).iter().map(|&v| numbered(v)).collect(), face as u32);
        }
        // the edge at the farthest vertex that lies most across d, or the vertex alone
        let height = |v: &usize| d.dot(self.vertices[*v]);
        let top = (0..self.vertices.len()).max_by(|v, w| height(v).total_cmp(&height(w))).unwrap_or(0) as u32;
        let slope = |e: &[u32; 2]| {
            let along = self.vertices[e[1] as usize] - self.vertices[e[0] as usize];
            (d.dot(along) / along.length()).abs()
        };
        let edges = self.shape.edges().iter().map(|e| e.vertices).filter(|e| e.contains(&top));
        let edge = edges.min_by(|e, f| slope(e).total_cmp(&slope(f))).filter(|e| slope(e) < FEATURE_TILT);
        match edge {
            Some(edge) => (edge.map(numbered).to_vec(), face as u32),
            None => (vec![numbered(top)], face as u32),
        }
    }

    fn is_hidden(&self, shown: &[(DVec3, u32)], face: u32) -> bool {
        match shown {
            [_] => false,
            [(_, a), (_, b)] => {
                let is = |e: &[u32; 2]| *e == [*a, *b] || *e == [*b, *a];
                self.shape.edges().iter().position(|e| is(&e.vertices)).is_some_and(|e| self.shape.is_hidden_edge(e))
            }
            _ => self.shape.is_hidden(face as usize),
        }
    }
}

/// Appends the contact points of two bodies in the axes that `pose` places; `a` is the candidate. `guesses` are
/// further directions from B to A.
pub fn collide(
    a: &impl Convex,
    b: &impl Convex,
    guesses: &[DVec3],
    size: f64,
    alert: f64,
    pose: &Pose<D3>,
    out: &mut Points,
) {
    let gap = |n: DVec3| n.dot(a.support(-n) - b.support(n));
    let mut best = (DVec3::Z, f64::NEG_INFINITY);
    let mut directions = Vec::new();
    a.normals(&mut directions);
    directions.iter_mut().for_each(|n| *n = -*n);
    b.normals(&mut directions);
    directions.extend(guesses);
    for n in directions {
        let value = gap(n);
        if value > alert {
            return;
        }
        if value > best.1 + GAP_GAIN * size {
            best = (n, value);
        }
    }
    if best.1 == f64::NEG_INFINITY {
        return;
    }
    let best = gjk::part(best, |d| a.support(d), |d| b.support(d), size);
    let n = improve(best, size, gap);
    let plane = Plane { n, gap: gap(n), size };
    if plane.gap <= alert {
        nodes(a, b, &plane, alert, pose, out);
    }
}

/// The direction of largest separation of two bodies.
struct Plane {
    /// From B to A.
    n: DVec3,
    /// Along n [m].
    gap: f64,
    /// Of the smaller body [m].
    size: f64,
}

/// Small tilts until none helps; a direction that none improves is returned unchanged.
fn improve(start: (DVec3, f64), size: f64, gap: impl Fn(DVec3) -> f64) -> DVec3 {
    let mut best = start;
    let (mut tilt, mut t) = (TILT_RANGE[0], best.0.any_orthonormal_vector());
    while tilt > TILT_RANGE[1] {
        let s = best.0.cross(t);
        let tilts = [t, -t, s, -s, t + s, t - s, s - t, -s - t].map(|axis| (best.0 + axis * tilt).normalize());
        let found = tilts.map(|n| (n, gap(n))).into_iter().reduce(|x, y| if y.1 > x.1 { y } else { x });
        match found {
            Some(found) if found.1 > best.1 + GAP_GAIN * size * tilt => {
                best = found;
                let turned = t + s;
                t = (turned - best.0 * best.0.dot(turned)).try_normalize().unwrap_or(t);
            }
            _ => tilt *= 0.5,
        }
    }
    if best.1 > start.1 + GAP_GAIN * size { best.0 } else { start.0 }
}

fn nodes(a: &impl Convex, b: &impl Convex, plane: &Plane, alert: f64, pose: &Pose<D3>, out: &mut Points) {
    let &Plane { n, gap: parted, size } = plane;
    let ((shown_a, face_a), (shown_b, face_b)) = (a.shown(-n), b.shown(n));
    if a.is_hidden(&shown_a, face_a) || b.is_hidden(&shown_b, face_b) {
        return;
    }
    let mut frame = Vec::with_capacity(3);
    D3::frame(n, &mut frame);
    let flat = |p: DVec3| DVec2::new(frame[1].dot(p), frame[2].dot(p));
    let ring = |shown: &[(DVec3, u32)], face: u32, reverse: bool| {
        let mut ring = Ring {
            corners: shown.iter().map(|c| flat(c.0)).collect(),
            numbers: shown.iter().map(|c| c.1).collect(),
            face,
        };
        if reverse {
            ring.corners.reverse();
            ring.numbers.reverse();
        }
        ring
    };
    // the candidate's feature is counter-clockwise about −n
    let (ring_a, ring_b) = (ring(&shown_a, face_a, true), ring(&shown_b, face_b, false));
    let mut common: Vec<OverlapPoint> = Vec::new();
    overlap(&ring_a, &ring_b, MERGE_LENGTH * size, &mut common);
    let surface = |shown: &[(DVec3, u32)]| Surface::new(shown, n, &frame);
    let (surface_a, surface_b) = (surface(&shown_a), surface(&shown_b));
    let normal = pose.direction(n);
    let mut least = f64::INFINITY;
    for node in &common {
        let (h_a, h_b) = (surface_a.height(node.at), surface_b.height(node.at));
        let gap = h_a - h_b;
        least = least.min(gap);
        if gap <= alert {
            let local = frame[1] * node.at.x + frame[2] * node.at.y + n * (0.5 * (h_a + h_b));
            out.push(ContactPoint { position: pose.point(local), normal, gap, area: node.area, feature: node.feature });
        }
    }
    if least > parted + EQUAL_GAP * size
        && let Some(local) = plane.nearest(a, b)
    {
        let feature = name(FeatureKind::RoundEdge, face_a, face_b);
        out.push(ContactPoint { position: pose.point(local), normal, gap: parted, area: 0.0, feature });
    }
}

impl Plane {
    /// Midway between the points where two bodies are closest, or deepest in each other.
    fn nearest(&self, a: &impl Convex, b: &impl Convex) -> Option<DVec3> {
        // closest points need bodies that are apart
        let push = self.n * ((-self.gap).max(0.0) + SEPARATING_SHIFT * self.size);
        let found = gjk::closest(|d| a.support(d) + push, |d| b.support(d), self.n, 4.0 * self.size)?;
        Some((found.on_a - push).midpoint(found.on_b))
    }
}

/// Heights of a flat feature over the plane: foot + slope·(x, y).
struct Surface {
    foot: f64,
    slope: DVec2,
}

impl Surface {
    fn new(shown: &[(DVec3, u32)], n: DVec3, frame: &[DVec3]) -> Self {
        let flat = |p: DVec3| DVec2::new(frame[1].dot(p), frame[2].dot(p));
        let (first, height) = (shown[0].0, |p: DVec3| n.dot(p));
        let slope = match shown {
            [_] => DVec2::ZERO,
            [(p, _), (q, _)] => {
                let along = flat(*q) - flat(*p);
                along * ((height(*q) - height(*p)) / along.length_squared())
            }
            _ => {
                // the plane through three corners far apart
                let third = shown.len() / 3;
                let (p, q) = (shown[third].0 - first, shown[2 * third].0 - first);
                let normal = p.cross(q);
                -DVec2::new(normal.dot(frame[1]), normal.dot(frame[2])) / normal.dot(n)
            }
        };
        Self { foot: height(first) - slope.dot(flat(first)), slope }
    }

    fn height(&self, at: DVec2) -> f64 {
        self.foot + self.slope.dot(at)
    }
}
