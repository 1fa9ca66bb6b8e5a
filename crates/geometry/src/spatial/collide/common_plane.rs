//! Cundall's common plane: the plane of largest separation of two bodies, and the parts of both bodies near it.
//!
//! With n from the antagonist to the candidate, gap(n) = min over the candidate of n·x − max over the antagonist of
//! n·x. The common plane has the n with the largest gap; it lies midway between the two nearest vertices.
//!
//! 1. Start with n along the line of centres.
//! 2. Fast search (E. Nezami et al. 2004): the best plane is parallel to a face of either body at the vertex nearest to
//!    the plane, or to an edge of each body there, or bisects the line between the two vertices. The best candidate is
//!    taken until none is better; this ends exactly on faces.
//! 3. The closest points of the bodies (moved apart along n if they overlap) and Cundall's perturbations (P. Cundall
//!    1988), 5° down to 0.01°, verify that no tilted plane is better; if one is, the fast search continues from it.
//! 4. Vertices near the plane are projected on it: those of the face opposite to the plane within the alert distance,
//!    at least ε‖G V‖ with ε = 1e-2, and those of adjacent faces. For a joint of thickness e the alert distance
//!    includes e: all vertices within half the thickness of the plane are included.
//! 5. Convex hulls of both sets, their intersection (polygon, segment or point), and at each node the gap between the
//!    two surfaces along n.
//!
//! The selection, the projection and the intersection follow Perales (2007) for masonry.

use glam::{DMat3, DVec2, DVec3};

use super::overlap::{OverlapPoint, Ring, overlap};
use super::patch::MERGE_LENGTH;
use super::{Approach, Points};
use crate::feature::{FeatureKind, name};
use crate::gjk;
use crate::planar::hull;
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D3;
use crate::spatial::Polyhedron;

/// Vertices of the facing face within this fraction of the distance from centre to vertex are projected, however small
/// the alert distance is.
const FACE_DISTANCE: f64 = 1e-2;
/// Vertices of any face this close to the nearest one are projected, as a share of the size.
const VERTEX_DISTANCE: f64 = 1e-4;
/// Heights that differ by less than this fraction of the size are the same.
const EQUAL_HEIGHT: f64 = 1e-7;
/// Vertices farther than this fraction of the size from the nearest one are excluded from contacts of edges.
const EDGE_DISTANCE: f64 = 0.3;
/// A face faces the plane when the cosine between them is above this (0.3 rad).
const FACING_COSINE: f64 = 0.955;
/// A plane is better when its gap is larger by this fraction of the size.
const GAP_GAIN: f64 = 1e-9;
/// Rounds of the fast search; a handful is usual.
const MOST_ROUNDS: usize = 64;
/// First and last angle of the perturbations [rad]: 5° and 0.01°.
const ANGLES: [f64; 2] = [0.0873, 1.75e-4];
/// The axes of the perturbations turn by this after a success: 30° [rad].
const TURN: f64 = std::f64::consts::FRAC_PI_6;
/// Bodies that overlap are moved this fraction of their size apart to find where they are deepest.
const SEPARATING_SHIFT: f64 = 1e-4;
/// Edges whose directions differ by less than this sine are parallel.
const PARALLEL_SINE: f64 = 1e-6;
/// Faces steeper than this do not face the plane.
const LEAST_FACING_COSINE: f64 = 0.05;

/// A body with its vertices and normals in the axes of the antagonist.
struct Side<'a> {
    shape: &'a Polyhedron,
    vertices: Vec<DVec3>,
    normals: Vec<DVec3>,
}

impl<'a> Side<'a> {
    fn new(shape: &'a Polyhedron, turn: DMat3, shift: DVec3) -> Self {
        Self {
            shape,
            vertices: shape.vertices().iter().map(|&v| turn * v + shift).collect(),
            normals: shape.normals().iter().map(|&n| turn * n).collect(),
        }
    }

    /// The vertex farthest along a direction, and how far.
    fn support(&self, d: DVec3) -> (usize, f64) {
        let mut best = (0, f64::NEG_INFINITY);
        for (i, v) in self.vertices.iter().enumerate() {
            let height = d.dot(*v);
            if height > best.1 {
                best = (i, height);
            }
        }
        best
    }

    /// The point farthest along a direction.
    fn point(&self, d: DVec3) -> DVec3 {
        self.vertices[self.support(d).0]
    }

    /// Outward normals of the faces at a vertex that are not hidden.
    fn normals_at(&self, vertex: usize) -> impl Iterator<Item = DVec3> + '_ {
        let faces = self.shape.faces_at(vertex).iter().map(|&f| f as usize);
        faces.filter(|&f| !self.shape.is_hidden(f)).map(|f| self.normals[f])
    }

    /// Directions of the edges at a vertex that are not hidden.
    fn edges_at(&self, vertex: usize) -> Vec<DVec3> {
        let edges = self.shape.edges().iter().enumerate();
        edges
            .filter(|(e, edge)| edge.vertices.contains(&(vertex as u32)) && !self.shape.is_hidden_edge(*e))
            .map(|(_, edge)| self.vertices[edge.vertices[1] as usize] - self.vertices[edge.vertices[0] as usize])
            .collect()
    }

    /// Height along `n` of the surface that faces `sign`·n at the point (u, v) of the plane, and its face.
    fn surface(&self, [u, v, n]: [DVec3; 3], sign: f64, at: DVec2) -> (f64, usize) {
        let top = self.support(n * sign);
        // where all faces are steep, as on a needle, the tip counts
        let mut best = (f64::INFINITY, self.shape.faces_at(top.0)[0] as usize);
        for (f, normal) in self.normals.iter().enumerate() {
            let along = normal.dot(n);
            if sign * along <= LEAST_FACING_COSINE {
                continue;
            }
            let foot = self.vertices[self.shape.face(f)[0] as usize];
            let height = (normal.dot(foot) - normal.dot(u) * at.x - normal.dot(v) * at.y) / along;
            // the lowest of the planes that face up, the highest of those that face down
            if sign * height < best.0 {
                best = (sign * height, f);
            }
        }
        (sign * best.0.min(top.1), best.1)
    }

    /// The hull of the vertices near the plane, counter-clockwise about n: those within `close` of the nearest, and
    /// those of the face towards the plane within `reach`.
    fn near(&self, [u, v, n]: [DVec3; 3], sign: f64, close: f64, reach: f64) -> Ring {
        let (top, height) = self.support(n * sign);
        let along = |f: u32| sign * n.dot(self.normals[f as usize]);
        let faces = self.shape.faces_at(top).iter().copied();
        let face = faces.max_by(|f, g| along(*f).total_cmp(&along(*g))).filter(|f| along(*f) > FACING_COSINE);
        let on_face = |i: u32| face.is_some_and(|f| self.shape.face(f as usize).contains(&i));
        let mut found: Vec<(DVec2, u32)> = Vec::new();
        for (i, p) in self.vertices.iter().enumerate() {
            let below = height - sign * n.dot(*p);
            if below <= close || (below <= reach && on_face(i as u32)) {
                found.push((DVec2::new(u.dot(*p), v.dot(*p)), i as u32));
            }
        }
        let corners = if found.len() > 2 { hull(&found.iter().map(|p| p.0).collect::<Vec<_>>()) } else { Vec::new() };
        let corners = if corners.is_empty() { found.iter().map(|p| p.0).collect() } else { corners };
        let number = |c: &DVec2| found.iter().find(|p| p.0 == *c).map_or(0, |p| p.1);
        Ring { numbers: corners.iter().map(number).collect(), corners, face: 0 }
    }
}

/// All contact points closer than `alert` between two convex polyhedra.
pub fn collide(a: &Polyhedron, pose_a: &Pose<D3>, b: &Polyhedron, pose_b: &Pose<D3>, alert: f64, out: &mut Points) {
    let Some(Approach { turn, shift, between, .. }) = Approach::new(a, pose_a, b, pose_b, alert) else { return };
    let size = 2.0 * a.radius().min(b.radius());
    let pair =
        Pair { candidate: Side::new(a, turn, shift), antagonist: Side::new(b, DMat3::IDENTITY, DVec3::ZERO), size };
    let Some((n, gap)) = pair.common_plane(between.try_normalize().unwrap_or(DVec3::Z), alert) else { return };
    pair.points(n, gap, alert, a.radius().min(b.radius()), pose_b, out);
}

struct Pair<'a> {
    candidate: Side<'a>,
    antagonist: Side<'a>,
    /// Of the smaller body [m].
    size: f64,
}

impl Pair<'_> {
    fn gap(&self, n: DVec3) -> f64 {
        -self.candidate.support(-n).1 - self.antagonist.support(n).1
    }

    /// The direction with the largest gap, and the gap; none as soon as one is larger than the alert distance.
    fn common_plane(&self, start: DVec3, alert: f64) -> Option<(DVec3, f64)> {
        let mut best = self.fast_search((start, self.gap(start)));
        // a plane that only a perturbation finds is refined once more
        for _ in 0..4 {
            if best.1 > alert {
                return None;
            }
            let parted = gjk::part(best, |d| self.candidate.point(d), |d| self.antagonist.point(d), self.size);
            let tilted = self.perturb(parted);
            if tilted.1 <= best.1 + GAP_GAIN * self.size {
                break;
            }
            best = self.fast_search(tilted);
        }
        let best = self.snap(best);
        (best.1 <= alert).then_some(best)
    }

    /// Faces, pairs of edges and the bisector at the two nearest vertices, until none is better.
    fn fast_search(&self, mut best: (DVec3, f64)) -> (DVec3, f64) {
        for _ in 0..MOST_ROUNDS {
            let (v, w) = (self.candidate.support(-best.0).0, self.antagonist.support(best.0).0);
            let before = best.1;
            let mut offer = |n: DVec3| {
                let gap = self.gap(n);
                if gap > best.1 + GAP_GAIN * self.size {
                    best = (n, gap);
                }
            };
            self.antagonist.normals_at(w).for_each(&mut offer);
            self.candidate.normals_at(v).for_each(|n| offer(-n));
            let line = self.candidate.vertices[v] - self.antagonist.vertices[w];
            if before > 0.0 {
                line.try_normalize().into_iter().for_each(&mut offer);
            }
            let others = self.antagonist.edges_at(w);
            for along in self.candidate.edges_at(v) {
                for other in &others {
                    let cross = along.cross(*other);
                    if cross.length() > PARALLEL_SINE * along.length() * other.length() {
                        offer(cross.normalize());
                        offer(-cross.normalize());
                    }
                }
            }
            // closest points of an edge and a vertex that are apart
            if before > 0.0 {
                for along in others.iter().copied().chain(self.candidate.edges_at(v)) {
                    let across = line - along * (along.dot(line) / along.length_squared());
                    across.try_normalize().into_iter().for_each(&mut offer);
                }
            }
            if best.1 == before {
                break;
            }
        }
        best
    }

    /// Cundall's search: four tilts, halved when none helps, the axes turned when one does.
    fn perturb(&self, mut best: (DVec3, f64)) -> (DVec3, f64) {
        let mut t = best.0.any_orthonormal_vector();
        let mut angle = ANGLES[0];
        while angle >= ANGLES[1] {
            let s = best.0.cross(t);
            let (sin, cos) = angle.sin_cos();
            let tilts = [t, -t, s, -s].map(|axis| (best.0 * cos + axis * sin).normalize());
            let found = tilts.map(|n| (n, self.gap(n))).into_iter().reduce(|x, y| if y.1 > x.1 { y } else { x });
            match found {
                Some(found) if found.1 > best.1 + GAP_GAIN * self.size => {
                    best = found;
                    let turned = t * TURN.cos() + s * TURN.sin();
                    t = (turned - best.0 * best.0.dot(turned)).try_normalize().unwrap_or(t);
                }
                _ => angle *= 0.5,
            }
        }
        best
    }

    /// A face with a gap equal to that of the plane found is preferred: faces are exact.
    fn snap(&self, best: (DVec3, f64)) -> (DVec3, f64) {
        let (v, w) = (self.candidate.support(-best.0).0, self.antagonist.support(best.0).0);
        let faces = self.antagonist.normals_at(w).chain(self.candidate.normals_at(v).map(|n| -n));
        let mut found = best;
        let mut nearest = -1.0;
        for n in faces {
            let gap = self.gap(n);
            if gap >= best.1 - GAP_GAIN * self.size && n.dot(best.0) > nearest {
                (found, nearest) = ((n, gap), n.dot(best.0));
            }
        }
        found
    }

    /// The point midway between the closest points of the two bodies, or where they are deepest in each other.
    fn closest_point(&self, n: DVec3, gap: f64, alert: f64, pose: &Pose<D3>, nodes: &[OverlapPoint], out: &mut Points) {
        let (v, w) = (self.candidate.support(-n).0, self.antagonist.support(n).0);
        let hidden = |side: &Side, vertex: usize| side.normals_at(vertex).next().is_none();
        let feature = name(FeatureKind::VertexVertex, v as u32, w as u32);
        let known = nodes.iter().any(|node| node.feature == feature);
        if gap > alert || known || hidden(&self.candidate, v) || hidden(&self.antagonist, w) {
            return;
        }
        // closest points need bodies that are apart
        let push = n * ((-gap).max(0.0) + SEPARATING_SHIFT * self.size);
        let found = gjk::closest(|d| self.candidate.point(d) + push, |d| self.antagonist.point(d), n, 4.0 * self.size);
        if let Some(found) = found {
            let local = (found.on_a - push).midpoint(found.on_b);
            let (position, normal) = (pose.point(local), pose.direction(n));
            out.push(ContactPoint { position, normal, gap, area: 0.0, feature });
        }
    }

    /// Nodes of the overlap, with their gaps.
    fn points(&self, n: DVec3, gap: f64, alert: f64, inner: f64, pose: &Pose<D3>, out: &mut Points) {
        let mut frame = Vec::with_capacity(3);
        <D3 as crate::space::Space>::frame(n, &mut frame);
        let axes = [frame[1], frame[2], n];
        // vertices within this distance of the nearest one are included
        let reach = (alert - gap).max(0.0) + FACE_DISTANCE * inner;
        let mut nodes: Vec<OverlapPoint> = Vec::new();
        let close = VERTEX_DISTANCE * self.size;
        let rings = [self.candidate.near(axes, -1.0, close, reach), self.antagonist.near(axes, 1.0, close, reach)];
        overlap(&rings[0], &rings[1], MERGE_LENGTH * self.size, &mut nodes);
        let surfaces = |at: DVec2| [self.candidate.surface(axes, -1.0, at), self.antagonist.surface(axes, 1.0, at)];
        let least = |nodes: &[OverlapPoint]| {
            let gap = |node: &OverlapPoint| {
                let [a, b] = surfaces(node.at);
                a.0 - b.0
            };
            nodes.iter().map(gap).fold(f64::INFINITY, f64::min)
        };
        // a tip or a crossing inside the hulls is no corner of their overlap: the nearest features must be included
        if least(&nodes) > gap + EQUAL_HEIGHT * self.size {
            let mut tips: Vec<OverlapPoint> = Vec::new();
            let mut tight = EQUAL_HEIGHT * self.size;
            // a plane that a perturbation found is tilted a little against the edges that meet: then both ends of an
            // edge are there only from further away
            while tips.is_empty() && tight < EDGE_DISTANCE * self.size {
                let (a, b) = (self.candidate.near(axes, -1.0, tight, 0.0), self.antagonist.near(axes, 1.0, tight, 0.0));
                overlap(&a, &b, MERGE_LENGTH * self.size, &mut tips);
                tight *= if nodes.is_empty() { 10.0 } else { f64::INFINITY };
            }
            tips.retain(|tip| nodes.iter().all(|node| node.feature != tip.feature));
            nodes.extend(tips);
        }
        // a plane tilted against the features in contact may exclude them: then the closest points are a node with the
        // identifiers of the nearest vertices
        if least(&nodes) > gap + EQUAL_HEIGHT * self.size {
            self.closest_point(n, gap, alert, pose, &nodes, out);
        }
        for node in nodes {
            let [(h_a, face_a), (h_b, face_b)] = surfaces(node.at);
            let hidden = self.candidate.shape.is_hidden(face_a) || self.antagonist.shape.is_hidden(face_b);
            if hidden || h_a - h_b > alert {
                continue;
            }
            let local = axes[0] * node.at.x + axes[1] * node.at.y + n * (0.5 * (h_a + h_b));
            let (position, normal) = (pose.point(local), pose.direction(n));
            out.push(ContactPoint { position, normal, gap: h_a - h_b, area: node.area, feature: node.feature });
        }
    }
}
