//! Polyhedron on polyhedron: separating axis, then the patch that two faces share.
//!
//! 1. For every face of either body, the separation: smallest height of the other body above the face. A separation
//!    above the alert distance ends the search. The largest separation gives the reference face; of two opposite faces
//!    with equal separation, the larger, then that of the candidate.
//! 2. The incident face is the face at the lowest vertex with the most opposite normal. If the two faces share no area,
//!    the next face at that vertex is tried.
//! 3. A patch whose closest node realises the separation proves that no other direction has a larger separation; for
//!    penetrating bodies, so does a patch that is wider than the penetration is deep. Nearly parallel faces are always
//!    accepted. Otherwise crossing edges are tested, and accepted only with a clear margin.
//! 4. Separated bodies that are closest at a corner give the closest points, see `corner`.
//!
//! Line and point contacts need no special case: the incident face of a tilted block shares area with the reference
//! face, and only its low nodes are within the alert distance. Bricks that share an edge but no area have no contact.

use std::cell::RefCell;

use glam::{DMat3, DVec3};

use super::Points;
use super::corner::{ClosestEdges, EdgeLine, LEAST_OFFSET, closest_edges};
use super::edges::{EdgePair, NearEdges, best_pair};
use super::patch::{FaceView, MERGE_LENGTH, Patch, Workspace};
use crate::feature::{FeatureKind, name};
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D3;
use crate::spatial::Polyhedron;

/// Separations of faces of one body that differ by less than this fraction of the size tie: the first wins.
const EQUAL_SEPARATION: f64 = 1e-9;
/// Separations of faces that face each other tie within this fraction of the size: the larger face wins.
const TIE_SEPARATION: f64 = 1e-6;
/// Two faces are opposite when the cosine between one normal and minus the other is above this (0.1 rad).
const FACING_COSINE: f64 = 0.995;
/// Faces are nearly parallel above this cosine (0.02 rad).
const NEARLY_PARALLEL: f64 = 0.9998;
/// A face may be incident when the cosine between its normal and minus the reference's is above this.
const LOOKS_BACK: f64 = 1e-6;
/// Areas that differ by less than this share tie.
const SAME_AREA: f64 = 1e-6;
/// Edges win over faces by this fraction of the size …
const EDGE_MARGIN: f64 = 1e-6;
/// … and this fraction of the separation.
const EDGE_RELATIVE: f64 = 1e-3;

/// Buffers that are reused for every pair.
#[derive(Default)]
struct Scratch {
    a_in_b: Vec<DVec3>,
    b_in_a: Vec<DVec3>,
    near: NearEdges,
    work: Workspace,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The face of a body with the largest separation from the other body.
#[derive(Clone, Copy, Debug)]
struct Query {
    face: usize,
    separation: f64,
    /// The other body's lowest vertex above the face.
    support: usize,
}

/// All contact points closer than `alert` between two convex polyhedra.
pub fn collide(a: &Polyhedron, pose_a: &Pose<D3>, b: &Polyhedron, pose_b: &Pose<D3>, alert: f64, out: &mut Points) {
    let (turn_a, turn_b) = (DMat3::from_quat(pose_a.rotation), DMat3::from_quat(pose_b.rotation));
    let shift = pose_b.position - pose_a.position;
    let apart = (shift + turn_b * b.centre() - turn_a * a.centre()).length_squared();
    let reach = a.radius() + b.radius() + alert;
    if apart > reach * reach || apart.is_nan() {
        return;
    }
    // x_a = turn x_b + shift
    let turn = turn_a.transpose() * turn_b;
    let shift = turn_a.transpose() * shift;
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.b_in_a.clear();
        scratch.b_in_a.extend(b.vertices().iter().map(|&v| turn * v + shift));
        let back = turn.transpose();
        scratch.a_in_b.clear();
        scratch.a_in_b.extend(a.vertices().iter().map(|&v| back * (v - shift)));
        Pair { a, pose_a, b, pose_b, turn, alert, size: 2.0 * a.radius().min(b.radius()) }.points(scratch, out);
    });
}

/// Two bodies and what stays the same while they are compared.
struct Pair<'a> {
    a: &'a Polyhedron,
    pose_a: &'a Pose<D3>,
    b: &'a Polyhedron,
    pose_b: &'a Pose<D3>,
    /// Rotation from the axes of B to those of A.
    turn: DMat3,
    alert: f64,
    /// Size of the smaller body [m]; tolerances are shares of it.
    size: f64,
}

impl Pair<'_> {
    fn points(&self, scratch: &mut Scratch, out: &mut Points) {
        let Some(query_a) = self.best_face(self.a, &scratch.b_in_a) else { return };
        let Some(query_b) = self.best_face(self.b, &scratch.a_in_b) else { return };
        let a_is_reference = self.choose(query_a, query_b);
        let query = if a_is_reference { query_a } else { query_b };
        let patch = self.face_patch(a_is_reference, query, scratch);
        let (separation, size) = (query.separation, self.size);
        // edges are tested only if the patch does not prove the largest separation
        if let Some((patch, cosine)) = patch {
            let realised = patch.closest <= separation + EQUAL_SEPARATION * size;
            let parallel = cosine >= NEARLY_PARALLEL;
            let shallow = separation >= -TIE_SEPARATION * size || (parallel && patch.width >= -separation);
            if (realised || parallel) && shallow {
                self.emit(&patch, a_is_reference, &scratch.work, out);
                return;
            }
        }
        // edges that are farther away than the alert distance neither touch nor come closest
        scratch.near.find(self.a, self.b, &scratch.b_in_a, self.alert.max(EDGE_MARGIN * size));
        let margin = EDGE_MARGIN * size + EDGE_RELATIVE * separation.abs();
        let edges = best_pair(self.a, self.b, &scratch.b_in_a, &self.turn, &scratch.near);
        let edges = edges.filter(|pair| pair.separation > separation + margin);
        let parted = edges.map_or(separation, |pair| pair.separation);
        if parted > self.alert {
            return;
        }
        // crossing edges, then corners that pass closer than the patch, then the patch
        let may_be_apart = parted > -EDGE_MARGIN * size;
        if let Some(pair) = edges
            && (pair.crosses() || !may_be_apart)
        {
            self.edge_points(pair, scratch, out);
            return;
        }
        if may_be_apart {
            let closest = patch.map_or(f64::INFINITY, |(patch, _)| patch.closest - EDGE_MARGIN * size);
            let limit = self.alert.min(closest);
            let flush = [parted, LEAST_OFFSET * size];
            if let Some(corner) = closest_edges(self.a, self.b, &scratch.b_in_a, &scratch.near, limit, flush) {
                self.corner_points(corner, &scratch.b_in_a, out);
                return;
            }
        }
        if let Some((patch, _)) = patch {
            self.emit(&patch, a_is_reference, &scratch.work, out);
        }
    }

    /// The face with the largest separation; `None` if the separation exceeds the alert distance.
    fn best_face(&self, shape: &Polyhedron, others: &[DVec3]) -> Option<Query> {
        let mut best = Query { face: 0, separation: f64::NEG_INFINITY, support: 0 };
        for (face, (n, d)) in shape.normals().iter().zip(shape.offsets()).enumerate() {
            let mut lowest = (0, f64::INFINITY);
            for (i, v) in others.iter().enumerate() {
                let height = n.dot(*v);
                if height < lowest.1 {
                    lowest = (i, height);
                }
            }
            let separation = lowest.1 - d;
            if separation > self.alert {
                return None;
            }
            // a hidden face may separate the bodies, but is never in contact
            if separation > best.separation + EQUAL_SEPARATION * self.size && !shape.is_hidden(face) {
                best = Query { face, separation, support: lowest.0 };
            }
        }
        (best.separation > f64::NEG_INFINITY).then_some(best)
    }

    /// True if the reference face is A's.
    fn choose(&self, a: Query, b: Query) -> bool {
        let cosine = -self.a.normals()[a.face].dot(self.turn * self.b.normals()[b.face]);
        let (area_a, area_b) = (self.a.areas()[a.face], self.b.areas()[b.face]);
        if cosine > FACING_COSINE && (a.separation - b.separation).abs() <= TIE_SEPARATION * self.size {
            area_b <= area_a * (1.0 + SAME_AREA)
        } else {
            b.separation <= a.separation + EQUAL_SEPARATION * self.size
        }
    }

    /// The patch on a reference face and the cosine between the two faces.
    fn face_patch(&self, a_is_reference: bool, query: Query, scratch: &mut Scratch) -> Option<(Patch, f64)> {
        let Scratch { a_in_b, b_in_a, work, .. } = scratch;
        let (reference, incident, vertices, n) = if a_is_reference {
            (self.a, self.b, &*b_in_a, self.turn.transpose() * self.a.normals()[query.face])
        } else {
            (self.b, self.a, &*a_in_b, self.turn * self.b.normals()[query.face])
        };
        let normal = reference.normals()[query.face];
        let reference = FaceView { shape: reference, vertices: reference.vertices(), face: query.face };
        // faces at the lowest vertex, the one with the most opposite normal first
        let mut limit = (f64::INFINITY, 0);
        loop {
            let mut best: Option<(f64, u32)> = None;
            for &face in incident.faces_at(query.support).iter().filter(|&&face| !incident.is_hidden(face as usize)) {
                let key = (-n.dot(incident.normals()[face as usize]), face);
                // strictly after the last one tried, in the order of falling cosine
                let later = key.0 < limit.0 || (key.0 == limit.0 && key.1 > limit.1);
                if later && best.is_none_or(|b| key.0 > b.0 || (key.0 == b.0 && key.1 < b.1)) {
                    best = Some(key);
                }
            }
            let (cosine, face) = best.filter(|b| b.0 > LOOKS_BACK)?;
            let view = FaceView { shape: incident, vertices, face: face as usize };
            if let Some(patch) = work.overlap(reference, normal, normal, view, a_is_reference, self.size) {
                return Some((patch, cosine));
            }
            limit = (cosine, face);
        }
    }

    /// Points of two edges that cross, or of the faces beside them when these are opposite.
    fn edge_points(&self, pair: EdgePair, scratch: &mut Scratch, out: &mut Points) {
        let (edge_a, edge_b) = (self.a.edges()[pair.a], self.b.edges()[pair.b]);
        let along = |n: DVec3| pair.normal.dot(n);
        let toward = |f: [u32; 2], cosine: &dyn Fn(u32) -> f64| if cosine(f[1]) > cosine(f[0]) { f[1] } else { f[0] };
        let cosine_a = |f: u32| along(self.a.normals()[f as usize]);
        let cosine_b = |f: u32| -along(self.turn * self.b.normals()[f as usize]);
        let (face_a, face_b) = (toward(edge_a.faces, &cosine_a), toward(edge_b.faces, &cosine_b));
        if cosine_a(face_a) > FACING_COSINE && cosine_b(face_b) > FACING_COSINE {
            let reference = FaceView { shape: self.a, vertices: self.a.vertices(), face: face_a as usize };
            let incident = FaceView { shape: self.b, vertices: &scratch.b_in_a, face: face_b as usize };
            let normal = self.a.normals()[face_a as usize];
            if let Some(patch) = scratch.work.overlap(reference, normal, pair.normal, incident, true, self.size)
                && patch.closest <= pair.separation + EQUAL_SEPARATION * self.size
            {
                self.emit(&patch, true, &scratch.work, out);
                return;
            }
        }
        let (on_a, on_b) = (
            EdgeLine::of(self.a, self.a.vertices(), pair.a).at(pair.s.clamp(0.0, 1.0)),
            EdgeLine::of(self.b, &scratch.b_in_a, pair.b).at(pair.t.clamp(0.0, 1.0)),
        );
        let feature = name(FeatureKind::EdgeEdge, pair.a as u32, pair.b as u32);
        self.push(on_a.midpoint(on_b), pair.normal, pair.separation, feature, out);
    }

    /// Points where corners pass each other: one, or two where edges run side by side.
    fn corner_points(&self, corner: ClosestEdges, b_in_a: &[DVec3], out: &mut Points) {
        let edge_a = EdgeLine::of(self.a, self.a.vertices(), corner.a);
        let edge_b = EdgeLine::of(self.b, b_in_a, corner.b);
        let normal = (edge_b.at(corner.t) - edge_a.at(corner.s)) / corner.distance;
        let mut point = |s: f64, t: f64| {
            let (on_a, on_b) = (edge_a.at(s), edge_b.at(t));
            let gap = normal.dot(on_b - on_a);
            if gap <= self.alert {
                let near = |p: f64, length: f64| p * length <= MERGE_LENGTH * self.size;
                // vertex of an edge at a place, if any
                let vertex = |p: f64, segment: EdgeLine, ends: [u32; 2]| {
                    let length = segment.along.length();
                    if near(p, length) { Some(ends[0]) } else { near(1.0 - p, length).then_some(ends[1]) }
                };
                let feature = match (
                    vertex(s, edge_a, self.a.edges()[corner.a].vertices),
                    vertex(t, edge_b, self.b.edges()[corner.b].vertices),
                ) {
                    (Some(v), Some(w)) => name(FeatureKind::VertexVertex, v, w),
                    (Some(v), None) => name(FeatureKind::VertexEdge, v, corner.b as u32),
                    (None, Some(w)) => name(FeatureKind::EdgeVertex, corner.a as u32, w),
                    (None, None) => name(FeatureKind::EdgeEdge, corner.a as u32, corner.b as u32),
                };
                self.push(on_a.midpoint(on_b), normal, gap, feature, out);
            }
        };
        match corner.beside {
            Some(ends) => ends.into_iter().for_each(|s| point(s, edge_b.closest(edge_a.at(s)))),
            None => point(corner.s, corner.t),
        }
    }

    /// Writes a point given in the axes of A, with the direction from A to B.
    fn push(&self, position: DVec3, outward: DVec3, gap: f64, feature: u64, out: &mut Points) {
        let (position, normal) = (self.pose_a.point(position), -self.pose_a.direction(outward));
        out.push(ContactPoint { position, normal, gap, area: 0.0, feature });
    }

    /// Writes the near nodes of a patch, counter-clockwise about the contact normal.
    fn emit(&self, patch: &Patch, a_is_reference: bool, work: &Workspace, out: &mut Points) {
        let (pose, plane) = (if a_is_reference { self.pose_a } else { self.pose_b }, patch.plane);
        let outward = pose.direction(plane.n);
        let normal = if a_is_reference { -outward } else { outward };
        let start = out.len();
        for node in work.nodes.iter().filter(|node| node.gap <= self.alert) {
            // halfway between the two faces
            let h = node.at.z - 0.5 * node.gap;
            let local = plane.origin + plane.u * node.at.x + plane.v * node.at.y + plane.n * h;
            let position = pose.point(local);
            out.push(ContactPoint { position, normal, gap: node.gap, area: node.area, feature: node.feature });
        }
        // seen against the outward normal of A the ring runs the other way; it keeps its first node
        if a_is_reference && out.len() > start + 2 {
            out[start + 1..].reverse();
        }
    }
}
