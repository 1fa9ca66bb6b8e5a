//! Random stones at random places: distance, symmetry, frames, no missing contact.

use crate::common::*;
use proptest::prelude::*;
use voussoir_geometry::glam::{DQuat, DVec3};
use voussoir_geometry::{ContactPoint, D3, Pose, Shape3};

/// Largest separation over all face normals and products of edges: the slow, complete test.
pub fn slow_separation(a: &Shape3, pose_a: &Pose<D3>, b: &Shape3, pose_b: &Pose<D3>) -> f64 {
    let (Shape3::Polyhedron(a), Shape3::Polyhedron(b)) = (a, b) else { return f64::NAN };
    let points_a: Vec<DVec3> = a.vertices().iter().map(|&v| pose_a.point(v)).collect();
    let points_b: Vec<DVec3> = b.vertices().iter().map(|&v| pose_b.point(v)).collect();
    let mut axes: Vec<DVec3> = a.normals().iter().map(|&n| pose_a.direction(n)).collect();
    axes.extend(b.normals().iter().map(|&n| -pose_b.direction(n)));
    let direction = |points: &[DVec3], v: [u32; 2]| points[v[1] as usize] - points[v[0] as usize];
    for e in a.edges() {
        for f in b.edges() {
            let axis = direction(&points_a, e.vertices).cross(direction(&points_b, f.vertices));
            if axis.length() > 1e-9 {
                axes.extend([axis.normalize(), -axis.normalize()]);
            }
        }
    }
    let separation = |n: &DVec3| {
        let low = points_b.iter().map(|p| n.dot(*p)).fold(f64::INFINITY, f64::min);
        let high = points_a.iter().map(|p| n.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
        low - high
    };
    axes.iter().map(separation).fold(f64::NEG_INFINITY, f64::max)
}

/// Distance of two bodies that are apart, from all pairs of vertex and face and of edge and edge.
pub fn slow_distance(a: &Shape3, pose_a: &Pose<D3>, b: &Shape3, pose_b: &Pose<D3>) -> f64 {
    let (Shape3::Polyhedron(a), Shape3::Polyhedron(b)) = (a, b) else { return f64::NAN };
    let points_a: Vec<DVec3> = a.vertices().iter().map(|&v| pose_a.point(v)).collect();
    let points_b: Vec<DVec3> = b.vertices().iter().map(|&v| pose_b.point(v)).collect();
    let mut best = f64::INFINITY;
    for (shape, points, others) in [(a, &points_a, &points_b), (b, &points_b, &points_a)] {
        for f in 0..shape.face_count() {
            let ring: Vec<DVec3> = shape.face(f).iter().map(|&v| points[v as usize]).collect();
            let n = (ring[1] - ring[0]).cross(ring[2] - ring[0]).normalize();
            for p in others {
                let over =
                    (0..ring.len()).all(|i| n.dot((ring[(i + 1) % ring.len()] - ring[i]).cross(*p - ring[i])) >= 0.0);
                // a vertex on the face may be a rounding below it
                if over && n.dot(*p - ring[0]) >= -1e-12 {
                    best = best.min(n.dot(*p - ring[0]).max(0.0));
                }
            }
        }
    }
    for e in a.edges() {
        let [p, q] = e.vertices.map(|v| points_a[v as usize]);
        for f in b.edges() {
            let [r, s] = f.vertices.map(|v| points_b[v as usize]);
            best = best.min(segment_distance(p, q, r, s));
        }
    }
    best
}

/// Least of the quadratic |p + x u − r − y v|² over the unit square: on its border, or where its slope is zero.
fn segment_distance(p: DVec3, q: DVec3, r: DVec3, s: DVec3) -> f64 {
    let (u, v) = (q - p, s - r);
    let to_segment = |x: DVec3, foot: DVec3, along: DVec3| {
        let t = ((x - foot).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        x.distance(foot + along * t)
    };
    let mut best = to_segment(p, r, v).min(to_segment(q, r, v)).min(to_segment(r, p, u)).min(to_segment(s, p, u));
    let n = u.cross(v);
    if n.length() > 1e-9 {
        let (x, y) = ((r - p).cross(v).dot(n) / n.length_squared(), (r - p).cross(u).dot(n) / n.length_squared());
        if (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y) {
            best = best.min((p + u * x).distance(r + v * y));
        }
    }
    best
}

/// Two stones along a direction, `gap` apart by the slow test.
pub fn near(a: &Shape3, pose_a: &Pose<D3>, b: &Shape3, rotation: DQuat, toward: DVec3, gap: f64) -> Pose<D3> {
    let toward = toward.try_normalize().unwrap_or(DVec3::X);
    let place = |t: f64| Pose { position: pose_a.position + toward * t, rotation };
    let (mut low, mut high) = (0.0, 8.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if slow_separation(a, pose_a, b, &place(middle)) < gap { low = middle } else { high = middle }
    }
    place(high)
}

fn closest(points: &[ContactPoint<D3>]) -> f64 {
    points.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min)
}

proptest! {
    #![proptest_config(cases(128))]
    #[test]
    fn the_closest_point_is_as_far_as_the_slow_test_says(
        a in stone(), b in stone(), pose in pose(), turn in rotation(), toward in vector(),
        gap in prop::sample::select(vec![0.0, 1e-9, 1e-6, 1e-4, -1e-9, -1e-6, -1e-4, -1e-2]),
    ) {
        let place = near(&a, &pose, &b, turn, toward, gap);
        let separation = slow_separation(&a, &pose, &b, &place);
        prop_assume!(separation < 0.01);
        let points = contacts(&a, &pose, &b, &place, 0.02);
        // faces win over edges within their margin; nodes of a patch may be deeper than the least way out
        let margin = 2e-3 * separation.abs() + 4e-6;
        if separation <= 0.0 {
            prop_assert!(!points.is_empty(), "stones {} deep do not meet", separation);
            // nearly parallel faces are taken as they are, without asking their neighbours
            let tilted = 5e-5 * points[0].area.signum();
            prop_assert!(closest(&points) <= separation + margin + tilted, "{} for {}", closest(&points), separation);
        } else {
            let distance = slow_distance(&a, &pose, &b, &place);
            // flush corners are left out on purpose
            let beside = (distance * distance - separation * separation).max(0.0).sqrt();
            prop_assume!(!(1e-8..4e-4).contains(&beside));
            prop_assert!(points.is_empty() == (distance > 0.02), "{:?} at {} {}", points, distance, separation);
            if let Some(first) = points.first() {
                let gap = closest(&points);
                // a patch of nearly parallel faces measures along the normal of one of them
                let tilted = 2e-2 * first.area.signum() * distance;
                prop_assert!((gap - distance).abs() <= margin + tilted, "{} for {}", gap, distance);
            }
        }
    }

    #[test]
    fn order_and_frame_do_not_matter(
        a in stone(), b in stone(), pose in pose(), turn in rotation(), toward in vector(), frame in pose(),
        gap in -1e-2..1e-3f64,
    ) {
        let place = near(&a, &pose, &b, turn, toward, gap);
        let points = contacts(&a, &pose, &b, &place, 0.01);
        let swapped = contacts(&b, &place, &a, &pose, 0.01);
        let turned = contacts(&a, &frame.compose(&pose), &b, &frame.compose(&place), 0.01);
        prop_assert!(points.len() == swapped.len() && points.len() == turned.len());
        for (p, q) in points.iter().zip(&turned) {
            prop_assert_eq!(p.feature, q.feature);
            prop_assert!(frame.direction(p.normal).distance(q.normal) < 1e-9 && (p.gap - q.gap).abs() < 1e-10);
            prop_assert!(frame.point(p.position).distance(q.position) < 1e-8);
        }
        for p in &points {
            let q = swapped.iter().min_by(|x, y| x.position.distance(p.position).total_cmp(&y.position.distance(p.position))).unwrap();
            prop_assert!(p.position.distance(q.position) < 1e-8 && p.normal.distance(-q.normal) < 1e-9);
            prop_assert!((p.gap - q.gap).abs() < 1e-10);
        }
    }

    #[test]
    fn nothing_is_found_beyond_the_alert_distance(a in stone(), b in stone(), pose in pose(), turn in rotation(), toward in vector()) {
        let place = near(&a, &pose, &b, turn, toward, 2e-2);
        let points = contacts(&a, &pose, &b, &place, 1.9e-2);
        prop_assert!(points.is_empty(), "{} {:?}", slow_separation(&a, &pose, &b, &place), points);
    }

    #[test]
    fn stones_in_the_same_place_do_not_trouble(a in stone(), pose in pose(), by in vector()) {
        for scale in [0.0, 1e-12, 1e-3, 0.3] {
            let place = Pose { position: pose.position + by * scale, ..pose };
            contacts(&a, &pose, &a, &place, 0.02);
        }
    }
}

#[test]
fn places_that_are_not_numbers_give_nothing() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let lost = Pose { position: DVec3::NAN, rotation: DQuat::IDENTITY };
    assert!(contacts(&cube, &lost, &cube, &Pose::identity(), 0.1).is_empty());
}
