//! Face on face, against a slow reference: areas, nodes, gaps, at all gaps and tilts of interest.

use crate::common::*;
use proptest::prelude::*;
use voussoir_geometry::glam::{DQuat, DVec2, DVec3, dvec3};
use voussoir_geometry::{D3, Pose, Shape3, Solid};

/// Two prisms, the second above the first in the axes of the first.
#[derive(Clone, Debug)]
struct Case {
    sides: [usize; 2],
    radii: [f64; 2],
    angle: f64,
    offset: DVec2,
    world: Pose<D3>,
}

const HEIGHT: f64 = 0.8;

fn case() -> impl Strategy<Value = Case> {
    (3usize..=64, 3usize..=64, 0.3..1.0f64, 0.3..1.0f64, 0.0..7.0f64, -0.25..0.25f64, -0.25..0.25f64, pose()).prop_map(
        |(n, m, r, s, angle, x, y, world)| Case {
            sides: [n, m],
            radii: [r, s],
            angle,
            offset: DVec2::new(x, y),
            world,
        },
    )
}

impl Case {
    fn shapes(&self) -> [Shape3; 2] {
        [0, 1].map(|i| prism(self.sides[i], self.radii[i], HEIGHT))
    }

    /// Place of the upper prism with its base turned by `tilt` about a level axis through its middle.
    fn upper(&self, gap: f64, tilt: DVec3) -> Pose<D3> {
        let rotation = DQuat::from_scaled_axis(tilt) * DQuat::from_rotation_z(self.angle);
        let foot = dvec3(self.offset.x, self.offset.y, 0.5 * HEIGHT + gap);
        self.world.compose(&Pose { position: foot + rotation * dvec3(0.0, 0.0, 0.5 * HEIGHT), rotation })
    }

    fn size(&self) -> f64 {
        2.0 * self.radii[0].min(self.radii[1])
    }
}

proptest! {
    #![proptest_config(cases(256))]
    #[test]
    fn parallel_faces_share_the_exact_polygon(case in case(), gap in prop::sample::select(vec![0.0, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3, -1e-3])) {
        let [lower, upper] = case.shapes();
        let gap = gap * case.size();
        let place = case.upper(gap, DVec3::ZERO);
        let rings = [ring(case.sides[0], case.radii[0], 0.0, DVec2::ZERO), ring(case.sides[1], case.radii[1], case.angle, case.offset)];
        let expected = slow_intersection(&rings[0], &rings[1]);
        let points = contacts(&upper, &place, &lower, &case.world, 0.01 * case.size());
        prop_assert!((total_area(&points) - polygon_area(&expected)).abs() < 1e-12 * case.size().powi(2));
        // the normal is that of one of the two faces, to the bit
        let normals = [case.world.direction(DVec3::Z), -place.direction(-DVec3::Z)];
        prop_assert!(points.iter().all(|p| normals.contains(&p.normal)), "{:?} {:?}", normals, points);
        prop_assert!(points.iter().all(|p| (p.gap - gap).abs() < 1e-12 * case.size()));
        // every corner of the polygon is there, on the mid-surface
        prop_assert!(points.len() <= expected.len());
        for corner in &real_corners(&expected, 2e-7 * case.size()) {
            let corner = case.world.point(dvec3(corner.x, corner.y, 0.5 * HEIGHT + 0.5 * gap));
            let near = points.iter().map(|p| p.position.distance(corner)).fold(f64::INFINITY, f64::min);
            prop_assert!(near < 2e-7 * case.size(), "corner missed by {}", near);
        }
    }

    #[test]
    fn tilted_faces_have_all_near_nodes_with_exact_gaps(
        case in case(),
        tilt in prop::sample::select(vec![1e-8, 1e-4, 1e-2]),
        about in 0.0..7.0f64,
        swap in any::<bool>(),
    ) {
        let [lower, upper] = case.shapes();
        let alert = 5e-3 * case.size();
        let tilt = DVec2::from_angle(about).extend(0.0) * tilt;
        let place = case.upper(1e-3, tilt);
        let points = if swap {
            let mut points = contacts(&lower, &case.world, &upper, &place, alert);
            points.iter_mut().for_each(|p| p.normal = -p.normal);
            points
        } else {
            contacts(&upper, &place, &lower, &case.world, alert)
        };
        let Some(first) = points.first() else {
            // nothing near: the whole overlap is farther than the alert distance (checked below with the face normal)
            return Ok(());
        };
        // planes of the two faces and the rings of both, projected along the contact normal, in the lower body
        let n = case.world.local_direction(first.normal);
        prop_assert!(n.z > 0.0 && n.distance(DVec3::Z) <= tilt.length() * (1.0 + 1e-6) + 1e-12);
        let relative = Pose::<D3> { position: case.world.local_point(place.position), rotation: case.world.rotation.inverse() * place.rotation };
        let down = relative.direction(-DVec3::Z);
        let foot = relative.point(dvec3(0.0, 0.0, -0.5 * HEIGHT));
        let u = (DVec3::X - n * n.x).normalize();
        let v = n.cross(u);
        let flat = |p: DVec3| DVec2::new(u.dot(p), v.dot(p));
        let lower_ring: Vec<DVec2> = ring(case.sides[0], case.radii[0], 0.0, DVec2::ZERO).iter().map(|p| flat(p.extend(0.5 * HEIGHT))).collect();
        let upper_ring: Vec<DVec2> = ring(case.sides[1], case.radii[1], 0.0, DVec2::ZERO).iter().map(|p| flat(relative.point(p.extend(-0.5 * HEIGHT)))).collect();
        let height = |p: DVec2, normal: DVec3, through: DVec3| {
            // h with normal·(x u + y v + h n − through) = 0
            normal.dot(through - u * p.x - v * p.y) / normal.dot(n)
        };
        let gap = |p: DVec2| height(p, down, foot) - height(p, DVec3::Z, dvec3(0.0, 0.0, 0.5 * HEIGHT));
        for corner in real_corners(&slow_intersection(&lower_ring, &upper_ring), 2e-7 * case.size()) {
            if gap(corner) > alert - 1e-9 {
                continue;
            }
            let near = points.iter().map(|p| flat(case.world.local_point(p.position)).distance(corner)).fold(f64::INFINITY, f64::min);
            prop_assert!(near < 2e-7 * case.size(), "corner with gap {} missed by {}", gap(corner), near);
        }
        for p in &points {
            prop_assert!(p.normal == first.normal);
            let local = case.world.local_point(p.position);
            prop_assert!((p.gap - gap(flat(local))).abs() < 1e-12 * case.size() + 1e-14, "{} for {}", p.gap, gap(flat(local)));
            // the two surfaces are half a gap away from the point on either side
            prop_assert!((local.z + n.z * (-0.5 * p.gap) - 0.5 * HEIGHT).abs() < 1e-13);
        }
    }

    #[test]
    fn motions_of_1e_12_change_nothing(case in case(), by in vector(), turn in vector()) {
        let [lower, upper] = case.shapes();
        let place = case.upper(0.0, DVec3::ZERO);
        let scale = 1e-12 * case.size();
        let moved = place.compose(&Pose { position: by * scale, rotation: DQuat::from_scaled_axis(turn * 1e-12) });
        let before = contacts(&upper, &place, &lower, &case.world, 1e-3);
        let after = contacts(&upper, &moved, &lower, &case.world, 1e-3);
        prop_assert_eq!(before.len(), after.len());
        for (p, q) in before.iter().zip(&after) {
            prop_assert_eq!(p.feature, q.feature);
            prop_assert!(p.normal.distance(q.normal) < 1e-11 && (p.gap - q.gap).abs() < 1e-11);
            prop_assert!(p.position.distance(q.position) < 1e-7);
        }
    }

    #[test]
    fn order_and_frame_do_not_matter(case in case(), gap in -1e-3..4e-3f64, tilt in vector(), frame in pose()) {
        let [lower, upper] = case.shapes();
        let place = case.upper(gap, tilt * 0.01);
        let points = contacts(&upper, &place, &lower, &case.world, 5e-3);
        let swapped = contacts(&lower, &case.world, &upper, &place, 5e-3);
        let turned = contacts(&upper, &frame.compose(&place), &lower, &frame.compose(&case.world), 5e-3);
        prop_assert!(points.len() == swapped.len() && points.len() == turned.len());
        for (p, q) in points.iter().zip(&turned) {
            prop_assert_eq!(p.feature, q.feature);
            prop_assert!(frame.direction(p.normal).distance(q.normal) < 1e-12 && (p.gap - q.gap).abs() < 1e-12);
            prop_assert!(frame.point(p.position).distance(q.position) < 1e-11 && (p.area - q.area).abs() < 1e-12);
        }
        for p in &points {
            let twin = swapped.iter().min_by(|a, b| a.position.distance(p.position).total_cmp(&b.position.distance(p.position)));
            let q = twin.unwrap();
            prop_assert!(p.position.distance(q.position) < 1e-11 && p.normal.distance(-q.normal) < 1e-12);
            prop_assert!((p.gap - q.gap).abs() < 1e-12 && (p.area - q.area).abs() < 1e-11);
        }
    }
}

#[test]
fn prisms_of_all_numbers_of_sides_on_their_like() {
    for sides in 3..=64 {
        let shape = prism(sides, 0.5, 0.4);
        let n = sides as f64;
        let area = 0.125 * n * (std::f64::consts::TAU / n).sin();
        let points = contacts(&shape, &at(0.0, 0.0, 0.4), &shape, &Pose::identity(), 1e-3);
        assert_eq!(points.len(), sides);
        assert!((total_area(&points) - area).abs() < 1e-13);
        assert!(shape.size() > 1.0);
    }
}
