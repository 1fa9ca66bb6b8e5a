//! Masonry as drawn: flush bricks with a gap of exactly zero.

use crate::common::*;
use voussoir_geometry::glam::{DQuat, DVec3, dvec3};
use voussoir_geometry::{ContactPoint, D3, Pose, Shape3, Solid};

const ALERT: f64 = 1e-3;

fn names(points: &[ContactPoint<D3>]) -> Vec<u64> {
    let mut names: Vec<u64> = points.iter().map(|p| p.feature).collect();
    names.sort_unstable();
    names
}

/// Small motions of the second body, as rounding and solvers make them.
fn jitters(size: f64) -> Vec<Pose<D3>> {
    let mut poses = Vec::new();
    for i in 0..60 {
        let random = |k: i32| (f64::from(i * 17 + k * 31 + 5) * 12.9898).sin() * 43_758.547 % 1.0;
        let scale = [1e-16, 1e-14, 1e-12, 1e-11][i as usize % 4];
        let position = dvec3(random(0), random(1), random(2)) * (scale * size);
        let rotation = DQuat::from_scaled_axis(dvec3(random(3), random(4), random(5)) * scale);
        poses.push(Pose { position, rotation });
    }
    poses
}

#[test]
fn a_cube_on_a_cube_has_four_corners() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let points = contacts(&cube, &at(0.0, 0.0, 1.0), &cube, &at(0.0, 0.0, 0.0), ALERT);
    assert_eq!(points.len(), 4);
    for p in &points {
        assert_eq!((p.normal, p.gap, p.area), (DVec3::Z, 0.0, 0.25));
        assert_eq!(p.position.abs(), DVec3::splat(0.5));
        assert_eq!(p.position.z, 0.5);
    }
    // counter-clockwise about the normal
    let turn: f64 =
        (0..4).map(|i| points[i].position.truncate().perp_dot(points[(i + 1) % 4].position.truncate())).sum();
    assert!(turn > 0.0);
}

#[test]
fn bricks_in_running_bond_share_half_of_their_faces() {
    let brick = cuboid(0.5, 0.25, 0.25);
    let points = contacts(&brick, &at(0.25, 0.0, 0.25), &brick, &at(0.0, 0.0, 0.0), ALERT);
    assert_eq!(points.len(), 4);
    assert!((total_area(&points) - 0.25 * 0.25).abs() < 1e-15);
    assert!(points.iter().all(|p| p.normal == DVec3::Z && p.gap == 0.0));
    assert!(points.iter().all(|p| p.position.x == 0.0 || p.position.x == 0.25));
}

#[test]
fn head_joints_are_closed_contacts() {
    let brick = cuboid(0.5, 0.25, 0.25);
    let points = contacts(&brick, &at(0.5, 0.0, 0.0), &brick, &at(0.0, 0.0, 0.0), ALERT);
    assert_eq!(points.len(), 4);
    assert!(points.iter().all(|p| p.normal == DVec3::X && p.gap == 0.0 && p.position.x == 0.25));
}

#[test]
fn bricks_that_share_an_edge_or_a_corner_do_not_touch() {
    let brick = cuboid(0.5, 0.25, 0.25);
    let still = Pose::identity();
    // diagonal neighbours, end to end in the next course, corner to corner; with all kinds of rounding
    for offset in [[0.5, 0.0, 0.25], [0.5, 0.25, 0.0], [0.0, 0.25, 0.25], [0.5, 0.25, 0.25], [0.25, 0.25, 0.25]] {
        let place = Pose::at(DVec3::from(offset));
        assert!(contacts(&brick, &still, &brick, &place, ALERT).is_empty(), "{offset:?}");
        // up to 1e-9 m: what blocks at rest may drift
        for jitter in jitters(100.0) {
            assert!(
                contacts(&brick, &still, &brick, &place.compose(&jitter), ALERT).is_empty(),
                "{offset:?} {jitter:?}"
            );
            assert!(
                contacts(&brick, &place.compose(&jitter), &brick, &still, ALERT).is_empty(),
                "{offset:?} {jitter:?}"
            );
        }
    }
}

#[test]
fn bricks_a_joint_apart_are_flush_or_pass_by_their_corners() {
    let brick = cuboid(0.5, 0.25, 0.25);
    let meet = |x: f64, z: f64| contacts(&brick, &at(x, 0.0, z), &brick, &Pose::identity(), 1e-3);
    // level with the edge of the next brick: it slides past, whatever the rounding
    for level in [0.0, 1e-12, -1e-12, 1e-10, 1e-6] {
        assert!(meet(0.5005, 0.25 + level).is_empty() && meet(0.5 + level, 0.2505).is_empty());
    }
    // apart both ways: the two edges, side by side
    let points = meet(0.5003, 0.2504);
    assert_eq!(points.len(), 2);
    for p in points {
        assert!((p.gap - 5e-4).abs() < 1e-15 && p.normal.distance(dvec3(0.6, 0.0, 0.8)) < 1e-12);
        assert!((p.position.y.abs() - 0.125).abs() < 1e-15);
    }
    // corner to corner
    let points = contacts(&brick, &at(0.5001, 0.2502, 0.2502), &brick, &Pose::identity(), 1e-3);
    assert!(points.len() == 1 && (points[0].gap - 3e-4).abs() < 1e-15);
    assert!(meet(0.5008, 0.2508).is_empty());
}

#[test]
fn small_motions_change_neither_number_nor_names_nor_normals() {
    let brick = cuboid(0.5, 0.25, 0.25);
    let long = cuboid(1.0, 0.25, 0.25);
    let hexagon = prism(6, 0.3, 0.25);
    let turned = Pose { position: dvec3(4.0, 5.0, 6.0), rotation: DQuat::from_scaled_axis(dvec3(0.3, -0.8, 0.5)) };
    let cases: [(&Shape3, &Shape3, [f64; 3], usize); 8] = [
        (&brick, &brick, [0.0, 0.0, 0.25], 4),
        (&brick, &brick, [0.25, 0.0, 0.25], 4),
        (&brick, &brick, [0.5, 0.0, 0.0], 4),
        (&brick, &long, [0.0, 0.0, 0.25], 4),
        (&long, &brick, [0.25, 0.0, 0.25], 4),
        (&brick, &long, [0.1, 0.1, 0.25], 4),
        (&hexagon, &hexagon, [0.0, 0.0, 0.25], 6),
        (&hexagon, &hexagon, [0.3, 0.0, 0.25], 4),
    ];
    for (k, (a, b, offset, count)) in cases.into_iter().enumerate() {
        for base in [Pose::identity(), turned] {
            let place = base.compose(&Pose::at(DVec3::from(offset)));
            let before = contacts(a, &base, b, &place, ALERT);
            assert_eq!(before.len(), count, "case {k}");
            for jitter in jitters(0.5) {
                let after = contacts(a, &base, b, &place.compose(&jitter), ALERT);
                assert_eq!(names(&before), names(&after), "case {k} {jitter:?}");
                for (p, q) in before.iter().zip(&after) {
                    assert_eq!(p.feature, q.feature);
                    assert!(p.normal.distance(q.normal) < 1e-10 && (p.gap - q.gap).abs() < 2e-11);
                    assert!(p.position.distance(q.position) < 1e-7 && (p.area - q.area).abs() < 1e-7);
                }
                assert!((total_area(&before) - total_area(&after)).abs() < 1e-10);
            }
        }
    }
}

#[test]
fn a_hexagonal_prism_on_its_like_keeps_its_whole_face() {
    // the case that parry answers with 0.866
    let hexagon = prism(6, 1.0, 1.0);
    for gap in [0.0, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3, -1e-3] {
        let points = contacts(&hexagon, &at(0.0, 0.0, 1.0 + gap), &hexagon, &Pose::identity(), 0.01);
        assert_eq!(points.len(), 6);
        assert!((total_area(&points) - 1.5 * 3.0_f64.sqrt()).abs() < 1e-12);
        assert!(points.iter().all(|p| p.normal == DVec3::Z && (p.gap - gap).abs() < 1e-15));
    }
}

#[test]
fn a_tilted_brick_stands_on_its_edge_or_corner() {
    let (floor, brick) = (cuboid(4.0, 4.0, 1.0), cuboid(0.5, 0.25, 0.25));
    // on an edge: 45 degrees about x
    let roll = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let height = 0.5 + 0.125 * 2.0_f64.sqrt();
    let points =
        contacts(&brick, &Pose { position: dvec3(0.3, 0.2, height), rotation: roll }, &floor, &Pose::identity(), ALERT);
    assert_eq!(points.len(), 2);
    for p in &points {
        assert!(p.gap.abs() < 1e-15 && p.normal == DVec3::Z);
        assert!(((p.position.x - 0.3).abs() - 0.25).abs() < 1e-15 && (p.position.y - 0.2).abs() < 1e-15);
    }
    // the edge exactly above the edge of what carries it: it must not fall through
    for side in [-1.0, 1.0] {
        let place = Pose { position: dvec3(0.3, side * 2.0, height), rotation: roll };
        assert_eq!(contacts(&brick, &place, &floor, &Pose::identity(), ALERT).len(), 2);
    }
    // on a corner
    let corner = DQuat::from_rotation_arc(dvec3(-0.25, -0.125, -0.125).normalize(), -DVec3::Z);
    let height = 0.5 + dvec3(0.25, 0.125, 0.125).length();
    let points = contacts(
        &brick,
        &Pose { position: dvec3(0.1, 0.1, height), rotation: corner },
        &floor,
        &Pose::identity(),
        ALERT,
    );
    assert_eq!(points.len(), 1);
    assert!(points[0].gap.abs() < 1e-15 && points[0].position.distance(dvec3(0.1, 0.1, 0.5)) < 1e-15);
}

#[test]
fn a_block_that_rocks_on_the_edge_of_its_equal_keeps_the_hinge() {
    let cube = cuboid(1.0, 1.0, 1.0);
    for tilt in [1e-8, 1e-6, 1e-4, 1e-2, 0.1, 0.5] {
        // turned about the common edge x = 0.5, z = 0.5
        let rotation = DQuat::from_rotation_y(tilt);
        let position = dvec3(0.5, 0.0, 0.5) + rotation * dvec3(-0.5, 0.0, 0.5);
        let points = contacts(&cube, &Pose { position, rotation }, &cube, &Pose::identity(), ALERT);
        let hinge: Vec<_> = points.iter().filter(|p| p.gap.abs() < 1e-12).collect();
        assert_eq!(hinge.len(), 2, "tilt {tilt}: {points:?}");
        assert!(hinge.iter().all(|p| (p.position.x - 0.5).abs() < 1e-12 && (p.position.z - 0.5).abs() < 1e-12));
        assert!(hinge.iter().all(|p| p.normal.distance(DVec3::Z) <= tilt * (1.0 + 1e-9)));
        assert_eq!(points.len(), if tilt < ALERT { 4 } else { 2 });
    }
}

#[test]
fn crossed_ridges_touch_in_one_point() {
    // two bars turned by 45 degrees about their axes, one along x, the other along y above it
    let bar = cuboid(2.0, 0.2, 0.2);
    let roll = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let ridge = 0.1 * 2.0_f64.sqrt();
    for gap in [0.0, 1e-9, 1e-4, -1e-9, -1e-4] {
        let lower = Pose { position: DVec3::ZERO, rotation: roll };
        let upper = Pose {
            position: dvec3(0.2, 0.1, 2.0 * ridge + gap),
            rotation: DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2) * roll,
        };
        let points = contacts(&bar, &upper, &bar, &lower, ALERT);
        assert_eq!(points.len(), 1, "gap {gap}");
        let p = points[0];
        assert!((p.gap - gap).abs() < 1e-15 && p.normal.distance(DVec3::Z) < 1e-15 && p.area == 0.0);
        assert!(p.position.distance(dvec3(0.2, 0.0, ridge + 0.5 * gap)) < 1e-15);
        // the other way round
        let swapped = contacts(&bar, &lower, &bar, &upper, ALERT);
        assert!(swapped[0].normal.distance(-p.normal) < 1e-15 && swapped[0].position.distance(p.position) < 1e-15);
    }
}

#[test]
fn a_structure_far_from_the_origin_loses_few_digits() {
    let brick = cuboid(0.5, 0.25, 0.25);
    let far = dvec3(1e6, -2e6, 3e5);
    let points = contacts(&brick, &Pose::at(far + dvec3(0.25, 0.0, 0.25)), &brick, &Pose::at(far), ALERT);
    assert_eq!(points.len(), 4);
    assert!((total_area(&points) - 0.0625).abs() < 1e-15);
    assert!(points.iter().all(|p| p.gap == 0.0 && p.normal == DVec3::Z));
}

#[test]
fn blocks_of_an_l_shaped_compound_carry() {
    let cube = cuboid(1.0, 1.0, 1.0);
    let parts =
        vec![(at(0.0, 0.0, 0.0), cube.clone()), (at(1.0, 0.0, 0.0), cube.clone()), (at(0.0, 0.0, 1.0), cube.clone())];
    let l_shape = Shape3::compound(parts).expect("sound");
    // a cube in the corner bears on the foot and on the back
    let points = contacts(&cube, &at(1.0, 0.0, 1.0), &l_shape, &Pose::identity(), ALERT);
    let along = |axis: DVec3| points.iter().filter(|p| p.normal == axis).count();
    assert_eq!((points.len(), along(DVec3::Z), along(DVec3::X)), (8, 4, 4));
    assert!((total_area(&points) - 2.0).abs() < 1e-14);
    // compound on compound: the second L, turned over, closes the first
    let turned = Pose { position: dvec3(1.0, 0.0, 2.0), rotation: DQuat::from_rotation_y(std::f64::consts::PI) };
    let points = contacts(&l_shape, &turned, &l_shape, &Pose::identity(), ALERT);
    assert!((total_area(&points) - 3.0).abs() < 1e-12);
}

#[test]
fn a_floor_without_end_carries_every_near_corner() {
    let floor = Shape3::half_space(DVec3::Z).expect("sound");
    let brick = cuboid(0.5, 0.25, 0.25);
    let points = contacts(&brick, &at(3.0, 4.0, 0.125), &floor, &Pose::identity(), ALERT);
    assert_eq!(points.len(), 4);
    assert!((total_area(&points) - 0.125).abs() < 1e-15);
    assert!(points.iter().all(|p| p.normal == DVec3::Z && p.gap == 0.0 && p.position.z == 0.0));
    // the other way round
    let points = contacts(&floor, &Pose::identity(), &brick, &at(3.0, 4.0, 0.125), ALERT);
    assert!(points.len() == 4 && points.iter().all(|p| p.normal == -DVec3::Z));
    // tilted: two corners
    let rotation = DQuat::from_rotation_y(0.1);
    let height = 0.25 * 0.1_f64.sin() + 0.125 * 0.1_f64.cos();
    let points =
        contacts(&brick, &Pose { position: dvec3(0.0, 0.0, height), rotation }, &floor, &Pose::identity(), ALERT);
    assert!(points.len() == 2 && points.iter().all(|p| p.gap.abs() < 1e-15 && p.area == 0.0));
    // an inclined half-space that was moved along its normal
    let slope = Shape3::half_space(dvec3(1.0, 0.0, 1.0)).expect("sound");
    let place = Pose { position: dvec3(0.0, 0.0, 2.0), rotation: DQuat::from_rotation_y(std::f64::consts::FRAC_PI_4) };
    let up = dvec3(1.0, 0.0, 1.0).normalize();
    let points = contacts(&brick, &Pose { position: up * 0.125, ..place }, &slope, &Pose::identity(), ALERT);
    assert!(points.len() == 4 && points.iter().all(|p| p.gap.abs() < 1e-15 && p.normal.distance(up) < 1e-15));
}

#[test]
fn voussoirs_of_an_arch_bear_on_their_neighbours_only() {
    // semicircle of 27 voussoirs, each with its origin at its centroid as bodies have it
    let (count, inner, outer, width) = (27, 3.5, 4.1, 0.8);
    let corner = |radius: f64, k: usize, y: f64| {
        let (sin, cos) = (std::f64::consts::PI * k as f64 / count as f64).sin_cos();
        dvec3(-radius * cos, y, radius * sin)
    };
    let voussoirs: Vec<(Shape3, Pose<D3>)> = (0..count)
        .map(|k| {
            let ends =
                [corner(inner, k, 0.0), corner(outer, k, 0.0), corner(outer, k + 1, 0.0), corner(inner, k + 1, 0.0)];
            let mut points = ends.map(|p| p - DVec3::Y * (0.5 * width)).to_vec();
            points.extend(ends.map(|p| p + DVec3::Y * (0.5 * width)));
            let shape = Shape3::hull(&points).expect("sound");
            let centroid = shape.mass_properties().expect("finite").centroid;
            (shape.translated(-centroid), Pose::at(centroid))
        })
        .collect();
    for i in 0..count {
        for j in i + 1..count {
            let ((a, pose_a), (b, pose_b)) = (&voussoirs[i], &voussoirs[j]);
            let points = contacts(a, pose_a, b, pose_b, ALERT);
            assert_eq!(points.len(), if j == i + 1 { 4 } else { 0 }, "{i} {j}");
            assert!(points.iter().all(|p| p.gap.abs() < 1e-14));
            assert!(j > i + 1 || (total_area(&points) - width * (outer - inner)).abs() < 1e-13);
        }
    }
}
