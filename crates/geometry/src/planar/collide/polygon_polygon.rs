//! Polygon on polygon: separating axis, then the common segment of two sides.
//!
//! 2D version of `spatial::collide::polyhedron_polyhedron`: the side with the largest separation is the reference (of
//! two equal ones the longer, then that of the candidate); the incident side is the side at the lowest vertex with the
//! most opposite normal; the incident side is clipped at the ends of the reference. Each end of the common segment is a
//! node with half of its length. Segments shorter than [`MERGE_LENGTH`] are ignored, so squares that share only a corner do
//! not support each other. Separated bodies that are closest at two vertices have a node on the line between them,
//! unless their sides are flush.

use glam::DVec2;

use super::Points;
use crate::feature::{FeatureKind, name};
use crate::planar::Polygon;
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D2;

/// Separations of sides of one body that differ by less than this fraction of the size tie: the first wins.
const EQUAL_SEPARATION: f64 = 1e-9;
/// Separations of sides that face each other tie within this fraction of the size: the longer side wins.
const TIE_SEPARATION: f64 = 1e-6;
/// Sides face each other when the cosine between one normal and minus the other is above this (0.1 rad).
const FACING_COSINE: f64 = 0.995;
/// A side may be incident when the cosine between its normal and minus the reference's is above this.
const LOOKS_BACK: f64 = 1e-6;
/// Lengths that differ by less than this share tie.
const SAME_LENGTH: f64 = 1e-6;
/// How far a corner must lie beside the side it passes, as a share of the size.
const LEAST_OFFSET: f64 = 1e-4;
/// Common segments shorter than this fraction of the smaller block's size are ignored; a node this close to a vertex
/// gets the identifier of the vertex.
const MERGE_LENGTH: f64 = 1e-7;

/// A rotation by a unit complex number and a translation.
#[derive(Clone, Copy)]
struct Motion {
    turn: DVec2,
    shift: DVec2,
}

impl Motion {
    fn point(self, p: DVec2) -> DVec2 {
        self.turn.rotate(p) + self.shift
    }

    fn back(self) -> Self {
        let turn = DVec2::new(self.turn.x, -self.turn.y);
        Self { turn, shift: -turn.rotate(self.shift) }
    }
}

/// The side of a body with the largest separation from the other body.
#[derive(Clone, Copy)]
struct Query {
    side: usize,
    separation: f64,
    /// The other body's lowest vertex above the side.
    support: usize,
}

/// All contact points closer than `alert` between two convex polygons.
pub fn collide(a: &Polygon, pose_a: &Pose<D2>, b: &Polygon, pose_b: &Pose<D2>, alert: f64, out: &mut Points) {
    let shift = pose_b.position - pose_a.position;
    // the difference of the angles is exact for blocks that are turned alike
    let turn = DVec2::from_angle(pose_b.rotation - pose_a.rotation);
    let b_in_a = Motion { turn, shift: DVec2::from_angle(-pose_a.rotation).rotate(shift) };
    let reach = a.radius() + b.radius() + alert;
    let apart = b_in_a.point(b.centre()).distance_squared(a.centre());
    if apart > reach * reach || apart.is_nan() {
        return;
    }
    let a_in_b = b_in_a.back();
    let size = 2.0 * a.radius().min(b.radius());
    let Some(query_a) = best_side(a, b, b_in_a, alert, size) else { return };
    let Some(query_b) = best_side(b, a, a_in_b, alert, size) else { return };
    let length = |shape: &Polygon, q: Query| {
        let [start, end] = shape.side(q.side);
        start.distance(end)
    };
    let cosine = -a.normals()[query_a.side].dot(turn.rotate(b.normals()[query_b.side]));
    let a_is_reference =
        if cosine > FACING_COSINE && (query_a.separation - query_b.separation).abs() <= TIE_SEPARATION * size {
            length(b, query_b) <= length(a, query_a) * (1.0 + SAME_LENGTH)
        } else {
            query_b.separation <= query_a.separation + EQUAL_SEPARATION * size
        };
    let start = out.len();
    if a_is_reference {
        Stretch { reference: a, pose: pose_a, incident: b, motion: b_in_a, candidate: true }
            .points(query_a, alert, size, out);
        out[start..].iter_mut().for_each(|p| p.normal = -p.normal);
    } else {
        Stretch { reference: b, pose: pose_b, incident: a, motion: a_in_b, candidate: false }
            .points(query_b, alert, size, out);
    }
}

/// The side with the largest separation; `None` if the separation exceeds the alert distance.
fn best_side(shape: &Polygon, other: &Polygon, motion: Motion, alert: f64, size: f64) -> Option<Query> {
    let mut best = Query { side: 0, separation: f64::NEG_INFINITY, support: 0 };
    for (side, (n, d)) in shape.normals().iter().zip(shape.offsets()).enumerate() {
        let mut lowest = (0, f64::INFINITY);
        for (i, &v) in other.vertices().iter().enumerate() {
            let height = n.dot(motion.point(v));
            if height < lowest.1 {
                lowest = (i, height);
            }
        }
        let separation = lowest.1 - d;
        if separation > alert {
            return None;
        }
        if separation > best.separation + EQUAL_SEPARATION * size && !shape.is_hidden(side) {
            best = Query { side, separation, support: lowest.0 };
        }
    }
    (best.separation > f64::NEG_INFINITY).then_some(best)
}

/// The bodies in their roles.
struct Stretch<'a> {
    reference: &'a Polygon,
    pose: &'a Pose<D2>,
    incident: &'a Polygon,
    /// From the axes of the incident body to those of the reference.
    motion: Motion,
    /// True if the reference is the candidate.
    candidate: bool,
}

impl Stretch<'_> {
    /// Writes the nodes of the common segment of the reference side and the other body; normals out of the
    /// reference.
    fn points(&self, query: Query, alert: f64, size: f64, out: &mut Points) {
        let n = self.reference.normals()[query.side];
        let [start, end] = self.reference.side(query.side);
        let length = start.distance(end);
        let u = (end - start) / length;
        // (x, h): along the side from its start, height above it
        let flat = |p: DVec2| DVec2::new(u.dot(p - start), n.dot(p - start));
        // the two sides at the lowest vertex, the one with the more opposite normal first
        let count = self.incident.vertices().len();
        let cosine = |i: usize| -n.dot(self.motion.turn.rotate(self.incident.normals()[i]));
        let (before, after) = ((query.support + count - 1) % count, query.support);
        let order = if cosine(before) >= cosine(after) { [before, after] } else { [after, before] };
        let corner = self.corner(query, flat(self.motion.point(self.incident.vertices()[query.support])), length, size);
        for side in order.into_iter().filter(|&i| cosine(i) > LOOKS_BACK && !self.incident.is_hidden(i)) {
            // the incident side runs backwards along the reference
            let [right, left] = self.incident.side(side).map(|v| flat(self.motion.point(v)));
            let (low, high) = (left.x.max(0.0), right.x.min(length));
            if high - low <= MERGE_LENGTH * size {
                continue;
            }
            let height = |x: f64| left.y + (right.y - left.y) * ((x - left.x) / (right.x - left.x)).clamp(0.0, 1.0);
            if corner.is_some_and(|(distance, _)| distance < height(low).min(height(high)) - TIE_SEPARATION * size) {
                break;
            }
            for x in [low, high] {
                let gap = height(x);
                if gap > alert {
                    continue;
                }
                let position = self.pose.point(start + u * x + n * (0.5 * gap));
                // vertices at the node, for its identifier
                let near = MERGE_LENGTH * size;
                let at = |p: DVec2| DVec2::new(x, gap).distance(p) <= near;
                let corners = self.reference.vertices().len();
                let of_reference = if x.abs() <= near {
                    Some(query.side)
                } else if (x - length).abs() <= near {
                    Some((query.side + 1) % corners)
                } else {
                    None
                };
                let of_incident = if at(left) {
                    Some((side + 1) % count)
                } else if at(right) {
                    Some(side)
                } else {
                    None
                };
                let feature = self.name(query.side, side, of_reference, of_incident);
                let area = 0.5 * (high - low);
                out.push(ContactPoint { position, normal: self.pose.direction(n), gap, area, feature });
            }
            return;
        }
        // no common segment, or a corner that is closer
        if let Some((distance, end)) = corner.filter(|corner| corner.0 <= alert) {
            let tip = self.motion.point(self.incident.vertices()[query.support]);
            let foot = self.reference.vertices()[end];
            let normal = self.pose.direction((tip - foot) / distance);
            let position = self.pose.point(tip.midpoint(foot));
            let (mine, other) = if self.candidate { (end, query.support) } else { (query.support, end) };
            let feature = name(FeatureKind::VertexVertex, mine as u32, other as u32);
            out.push(ContactPoint { position, normal, gap: distance, area: 0.0, feature });
        }
    }

    /// Bodies that are apart and closest at two vertices: their distance and the reference's vertex. The tip, the
    /// other body's lowest vertex, must lie beside the side, so that flush blocks slide past each other.
    fn corner(&self, query: Query, tip: DVec2, length: f64, size: f64) -> Option<(f64, usize)> {
        let next = (query.side + 1) % self.reference.vertices().len();
        let (beside, end) = if tip.x < 0.5 * length { (-tip.x, query.side) } else { (tip.x - length, next) };
        let real = !self.reference.is_hidden_vertex(end) && !self.incident.is_hidden_vertex(query.support);
        (real && query.separation > 0.0 && beside > LEAST_OFFSET * size).then(|| (beside.hypot(tip.y), end))
    }

    /// Named after the vertex of the candidate, then after that of the antagonist.
    fn name(
        &self,
        reference_side: usize,
        incident_side: usize,
        reference: Option<usize>,
        incident: Option<usize>,
    ) -> u64 {
        let (candidate, antagonist, candidate_side, antagonist_side) = if self.candidate {
            (reference, incident, reference_side, incident_side)
        } else {
            (incident, reference, incident_side, reference_side)
        };
        match (candidate, antagonist) {
            (Some(v), _) => name(FeatureKind::VertexFace, v as u32, antagonist_side as u32),
            (None, Some(v)) => name(FeatureKind::FaceVertex, candidate_side as u32, v as u32),
            (None, None) => name(FeatureKind::EdgeEdge, candidate_side as u32, antagonist_side as u32),
        }
    }
}
