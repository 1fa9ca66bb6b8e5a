//! Polygons as shrunk cores swept by a disc: closest points of the cores, offset by the margin.
//!
//! 2D version of `spatial::collide::swept`, which describes the method.

use glam::DVec2;

use super::{Points, polygon_polygon};
use crate::feature::{FeatureKind, name};
use crate::gjk;
use crate::planar::Polygon;
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D2;

/// Sides face the direction of contact when the cosine between them is above this.
const FACING_COSINE: f64 = 0.9998;
/// Common segments shorter than this fraction of the size are ignored.
const MERGE_LENGTH: f64 = 1e-7;

/// All contact points closer than `alert` between two convex polygons with rounded corners.
pub fn collide(a: &Polygon, pose_a: &Pose<D2>, b: &Polygon, pose_b: &Pose<D2>, alert: f64, out: &mut Points) {
    let turn = DVec2::from_angle(pose_a.rotation - pose_b.rotation);
    let shift = DVec2::from_angle(-pose_b.rotation).rotate(pose_a.position - pose_b.position);
    let centre = turn.rotate(a.centre()) + shift;
    let apart = centre.distance(b.centre());
    if apart > a.radius() + b.radius() + alert || apart.is_nan() {
        return;
    }
    let (core_a, core_b) = (a.core(), b.core());
    let margin = core_a.1 + core_b.1;
    let vertices: Vec<DVec2> = core_a.0.vertices().iter().map(|&v| turn.rotate(v) + shift).collect();
    let support = |vertices: &[DVec2], d: DVec2| {
        let best = vertices.iter().copied().reduce(|x, y| if d.dot(y) > d.dot(x) { y } else { x });
        best.unwrap_or(DVec2::ZERO).extend(0.0)
    };
    let found = gjk::closest(
        |d| support(&vertices, d.truncate()),
        |d| support(core_b.0.vertices(), d.truncate()),
        (centre - b.centre()).extend(0.0).try_normalize().unwrap_or(glam::DVec3::Y),
        a.radius() + b.radius() + apart,
    );
    let Some(found) = found else {
        // penetration deeper than the margins: use the sharp shapes
        polygon_polygon::collide(a, pose_a, b, pose_b, alert, out);
        return;
    };
    if found.distance - margin > alert {
        return;
    }
    let n = (found.on_a - found.on_b).truncate() / found.distance;
    let size = 2.0 * a.radius().min(b.radius());
    // the sides that face each other along n
    let facing = |normals: &dyn Fn(usize) -> DVec2, count: usize, d: DVec2| {
        let best = (0..count).fold(0, |best, i| if d.dot(normals(i)) > d.dot(normals(best)) { i } else { best });
        (best, d.dot(normals(best)))
    };
    let normal_a = |i: usize| turn.rotate(core_a.0.normals()[i]);
    let normal_b = |i: usize| core_b.0.normals()[i];
    let (side_a, cosine_a) = facing(&normal_a, vertices.len(), -n);
    let (side_b, cosine_b) = facing(&normal_b, core_b.0.vertices().len(), n);
    if core_a.0.is_hidden(side_a) && cosine_a > FACING_COSINE || core_b.0.is_hidden(side_b) && cosine_b > FACING_COSINE
    {
        return;
    }
    let mut push = |x: DVec2, gap: f64, n: DVec2, area: f64, feature: u64| {
        let gap = gap - margin;
        if gap <= alert {
            // x lies on the antagonist's core
            let position = pose_b.point(x + n * (core_b.1 + 0.5 * gap));
            out.push(ContactPoint { position, normal: pose_b.direction(n), gap, area, feature });
        }
    };
    if cosine_a > FACING_COSINE && cosine_b > FACING_COSINE {
        // the antagonist's side is the reference
        let n = normal_b(side_b);
        let [start, end] = core_b.0.side(side_b);
        let length = start.distance(end);
        let u = (end - start) / length;
        let flat = |p: DVec2| DVec2::new(u.dot(p - start), n.dot(p - start));
        let (right, left) = (flat(vertices[side_a]), flat(vertices[(side_a + 1) % vertices.len()]));
        let (low, high) = (left.x.max(0.0), right.x.min(length));
        if high - low > MERGE_LENGTH * size {
            for (i, x) in [low, high].into_iter().enumerate() {
                let height = left.y + (right.y - left.y) * ((x - left.x) / (right.x - left.x)).clamp(0.0, 1.0);
                let feature = name(FeatureKind::VertexFace, 2 * side_a as u32 + i as u32, side_b as u32);
                push(start + u * x, height, n, 0.5 * (high - low), feature);
            }
            return;
        }
    }
    let feature = name(FeatureKind::RoundVertex, side_a as u32, side_b as u32);
    push(found.on_b.truncate(), found.distance, n, 0.0, feature);
}
