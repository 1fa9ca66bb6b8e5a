//! Contact points between two shapes in 2D: one file per pair of shapes.
//!
//! Every pair takes the candidate first and returns normals from the antagonist to the candidate. Lengths are measured
//! in the axes of one of the two bodies, so structures far from the origin lose no accuracy.
//!
//! Two polygons use one of four methods: clipping (`polygon_polygon`), `common_plane`, `swept`, or rounded corners
//! (`rounded_points`), which polygons on discs and half-planes use too.

mod common_plane;
mod disc_disc;
mod disc_half_plane;
mod polygon_disc;
mod polygon_half_plane;
mod polygon_polygon;
pub(super) mod rounded;
mod rounded_points;
mod segment_disc;
mod segment_half_plane;
mod segment_polygon;
mod segment_segment;
mod swept;

use super::Shape2;
use crate::detection::{Detection, Method};
use crate::feature::{self, FeatureKind};
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D2;

/// Two points of one common segment have normals with at least this cosine.
const SAME_WAY: f64 = 0.98;

/// Contact points of the plane.
type Points = Vec<ContactPoint<D2>>;

/// Appends all contact points closer than `alert` [m] between `a` (candidate) and `b` (antagonist).
pub fn collide(
    a: &Shape2,
    pose_a: &Pose<D2>,
    b: &Shape2,
    pose_b: &Pose<D2>,
    alert: f64,
    detection: Detection,
    out: &mut Points,
) {
    let start = out.len();
    match (a, b) {
        (Shape2::Compound(compound), _) => {
            for (i, part) in compound.parts().iter().enumerate() {
                let start = out.len();
                collide(part, pose_a, b, pose_b, alert, detection, out);
                out[start..].iter_mut().for_each(|p| p.feature = feature::of_part(p.feature, i, 0));
            }
        }
        (_, Shape2::Compound(compound)) => {
            for (i, part) in compound.parts().iter().enumerate() {
                let start = out.len();
                collide(a, pose_a, part, pose_b, alert, detection, out);
                out[start..].iter_mut().for_each(|p| p.feature = feature::of_part(p.feature, i, 1));
            }
        }
        (Shape2::Polygon(_), Shape2::Polygon(_) | Shape2::Disc(_) | Shape2::HalfPlane(_))
            if detection.method == Method::Rounded =>
        {
            rounded_points::collide(a, pose_a, b, pose_b, [alert, detection.rounding], out);
        }
        (Shape2::Polygon(a), Shape2::Polygon(b)) => match detection.method {
            Method::Clip | Method::Rounded => polygon_polygon::collide(a, pose_a, b, pose_b, alert, out),
            Method::CommonPlane => common_plane::collide(a, pose_a, b, pose_b, alert, out),
            Method::Swept => swept::collide(a, pose_a, b, pose_b, alert, out),
        },
        (Shape2::Polygon(a), Shape2::Disc(b)) => polygon_disc::collide(a, pose_a, b, pose_b, alert, out),
        (Shape2::Polygon(a), Shape2::HalfPlane(b)) => polygon_half_plane::collide(a, pose_a, b, pose_b, alert, out),
        (Shape2::Disc(a), Shape2::Disc(b)) => disc_disc::collide(a, pose_a, b, pose_b, alert, out),
        (Shape2::Disc(a), Shape2::HalfPlane(b)) => disc_half_plane::collide(a, pose_a, b, pose_b, alert, out),
        (Shape2::Segment(a), Shape2::Segment(b)) => segment_segment::collide(a, pose_a, b, pose_b, alert, out),
        (Shape2::Segment(a), Shape2::Polygon(b)) => segment_polygon::collide(a, pose_a, b, pose_b, alert, out),
        (Shape2::Segment(a), Shape2::Disc(b)) => segment_disc::collide(a, pose_a, b, pose_b, alert, out),
        (Shape2::Segment(a), Shape2::HalfPlane(b)) => segment_half_plane::collide(a, pose_a, b, pose_b, alert, out),
        // two half-planes are supports and never meet
        (Shape2::HalfPlane(_), Shape2::HalfPlane(_)) => {}
        (Shape2::Disc(_), Shape2::Polygon(_) | Shape2::Segment(_))
        | (Shape2::Polygon(_), Shape2::Segment(_))
        | (Shape2::HalfPlane(_), Shape2::Polygon(_) | Shape2::Disc(_) | Shape2::Segment(_)) => {
            collide(b, pose_b, a, pose_a, alert, detection, out);
            out[start..].iter_mut().for_each(|p| p.normal = -p.normal);
            return;
        }
    }
    if let (true, (Shape2::Polygon(_), Shape2::Polygon(_) | Shape2::HalfPlane(_))) = (detection.middle, (a, b)) {
        add_middle(start, out);
    }
}

/// Adds a third point in the middle of a common segment with two points; Simpson's weights 1/6, 2/3, 1/6.
fn add_middle(start: usize, out: &mut Points) {
    let [first, second] = out[start..] else { return };
    let length = first.area + second.area;
    if length <= 0.0 || first.normal.dot(second.normal) < SAME_WAY {
        return;
    }
    out[start..].iter_mut().for_each(|point| point.area = length / 6.0);
    let pair = [feature::candidate(first.feature), feature::candidate(second.feature)];
    out.push(ContactPoint {
        position: 0.5 * (first.position + second.position),
        gap: 0.5 * (first.gap + second.gap),
        area: length * 2.0 / 3.0,
        feature: feature::name(FeatureKind::EdgeEdge, pair[0].min(pair[1]), pair[0].max(pair[1])),
        ..first
    });
}
