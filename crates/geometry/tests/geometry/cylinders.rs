//! Cylinders in space, thick segments in the plane.

use crate::common::*;
use proptest::prelude::*;
use voussoir_geometry::glam::{DQuat, DVec2, DVec3, dvec2, dvec3};
use voussoir_geometry::{ContactPoint, D3, Pose, Shape2, Shape3, Solid};

fn cylinder(height: f64, radius: f64) -> Shape3 {
    Shape3::cylinder(height, radius).unwrap()
}

fn lying(x: f64, y: f64, z: f64) -> Pose<D3> {
    Pose { position: dvec3(x, y, z), rotation: DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2) }
}

fn floor() -> Shape3 {
    Shape3::half_space(DVec3::Z).unwrap()
}

#[test]
fn mass_bounds_and_pictures() {
    let c = cylinder(2.0, 0.5);
    let mass = c.mass_properties().unwrap();
    let m = std::f64::consts::PI * 0.5;
    assert!((mass.volume - m).abs() < 1e-14);
    let about = |axis: DVec3| axis.dot(mass.inertia * axis);
    assert!((about(DVec3::Z) - 0.5 * m * 0.25).abs() < 1e-14);
    assert!((about(DVec3::X) - m * (3.0 * 0.25 + 4.0) / 12.0).abs() < 1e-14);
    let turned = Pose::<D3> { position: dvec3(1.0, 2.0, 3.0), rotation: DQuat::from_rotation_x(0.7) };
    let bounds = c.bounds(&turned);
    for p in c.surface(1.0).points {
        let p = turned.point(DVec3::from_array(p));
        assert!((p - bounds.min).min_element() > -1e-9 && (bounds.max - p).min_element() > -1e-9);
    }
    // tilted by α the box is h sin α + 2r cos α high
    assert!((bounds.max.y - bounds.min.y - (2.0 * 0.7f64.sin() + 0.7f64.cos())).abs() < 1e-12);
}

#[test]
fn standing_lying_and_leaning_on_a_plane_and_on_a_box() {
    let (c, slab) = (cylinder(1.0, 0.3), cuboid(4.0, 4.0, 1.0));
    for (ground, place) in [(floor(), Pose::identity()), (slab, at(0.0, 0.0, -0.5))] {
        let stand = contacts(&c, &at(0.2, 0.1, 0.5), &ground, &place, 1e-3);
        assert!(stand.len() == 24 && stand.iter().all(|p| p.normal == DVec3::Z && p.gap.abs() < 1e-12));
        // the rim's nodes stand for the disc, or the polygon inside it
        let disc = std::f64::consts::PI * 0.09;
        assert!((total_area(&stand) / disc - 1.0).abs() < 0.012, "{}", total_area(&stand) / disc);
        let lie = contacts(&c, &lying(0.0, 0.0, 0.3 - 1e-6), &ground, &place, 1e-3);
        assert_eq!(lie.len(), 2, "{lie:?}");
        let mut ends: Vec<f64> = lie.iter().map(|p| p.position.x).collect();
        ends.sort_by(f64::total_cmp);
        assert!((ends[0] + 0.5).abs() < 1e-9 && (ends[1] - 0.5).abs() < 1e-9);
        assert!(lie.iter().all(|p| p.normal.distance(DVec3::Z) < 1e-9 && (p.gap + 1e-6).abs() < 1e-9));
        // leaning by 0.5 rad: the lowest point of the rim
        let rotation = DQuat::from_rotation_y(0.5);
        let low = 0.5 * 0.5f64.cos() + 0.3 * 0.5f64.sin();
        let lean = contacts(&c, &Pose { position: dvec3(0.0, 0.0, low + 1e-4), rotation }, &ground, &place, 1e-3);
        assert_eq!(lean.len(), 1, "{lean:?}");
        assert!((lean[0].gap - 1e-4).abs() < 1e-9 && lean[0].normal.distance(DVec3::Z) < 1e-7);
    }
}

#[test]
fn over_the_edge_of_a_box() {
    // a lying cylinder on the edge of a box, its axis parallel to it: two points, along the line to the edge
    let (c, slab) = (cylinder(1.0, 0.3), cuboid(2.0, 2.0, 1.0));
    let direction = dvec3(0.0, 0.6, 0.8);
    let centre = dvec3(0.0, 1.0, 0.0) + direction * (0.3 + 1e-4);
    let points = contacts(&c, &lying(centre.x, centre.y, centre.z), &slab, &at(0.0, 0.0, -0.5), 1e-3);
    assert_eq!(points.len(), 2, "{points:?}");
    assert!(points.iter().all(|p| p.normal.distance(direction) < 1e-6 && (p.gap - 1e-4).abs() < 1e-9), "{points:?}");
    // across the edge: one crossing
    let rotation = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2 - 0.6);
    let axis = rotation * DVec3::Z;
    let n = DVec3::X.cross(axis).normalize();
    let n = if n.z > 0.0 { n } else { -n };
    let place = Pose { position: dvec3(0.0, 1.0, 0.0) + n * (0.3 - 1e-4), rotation };
    let points = contacts(&c, &place, &slab, &at(0.0, 0.0, -0.5), 1e-3);
    assert_eq!(points.len(), 1, "{points:?}");
    assert!((points[0].gap + 1e-4).abs() < 1e-8 && points[0].normal.distance(n) < 1e-5, "{points:?}");
}

#[test]
fn cylinders_on_cylinders() {
    let c = cylinder(1.0, 0.3);
    // drums of a column
    let stack = contacts(&c, &at(0.05, 0.0, 1.0), &c, &Pose::identity(), 1e-3);
    let (r, d) = (0.3f64, 0.05f64);
    let lens = 2.0 * r * r * (d / (2.0 * r)).acos() - 0.5 * d * (4.0 * r * r - d * d).sqrt();
    assert!(stack.len() > 12 && stack.iter().all(|p| p.normal == DVec3::Z && p.gap.abs() < 1e-12));
    assert!((total_area(&stack) / lens - 1.0).abs() < 0.02, "{}", total_area(&stack) / lens);
    // side by side
    let beside = contacts(&c, &at(0.6 + 1e-5, 0.0, 0.4), &c, &Pose::identity(), 1e-3);
    assert_eq!(beside.len(), 2, "{beside:?}");
    assert!(beside.iter().all(|p| p.normal.distance(DVec3::X) < 1e-9 && (p.gap - 1e-5).abs() < 1e-10));
    // crossed
    let cross = contacts(&c, &lying(0.1, 0.0, 0.0).compose(&at(0.0, 0.0, 0.0)), &c, &at(0.0, 0.6 - 1e-5, 0.0), 1e-3);
    assert_eq!(cross.len(), 1, "{cross:?}");
    assert!(cross[0].normal.distance(-DVec3::Y) < 1e-7 && (cross[0].gap + 1e-5).abs() < 1e-9);
}

/// The lowest point of a tilted rim lies between the corners by which rims are shown; it may hang over the edge of what is
/// below, where the edge cuts the rim between corners.
#[test]
fn a_drum_tilted_a_little_is_as_near_as_its_rim() {
    let (c, slab) = (cylinder(1.0, 0.4), cuboid(4.0, 4.0, 1.0));
    for tilt in [1e-6f64, 1e-4, 2e-3, 1.5e-2] {
        for i in 0..16 {
            let about = 0.03 + 0.4 * f64::from(i);
            let rotation = DQuat::from_scaled_axis(DVec2::from_angle(about).extend(0.0) * tilt);
            let low = 0.5 * tilt.cos() + 0.4 * tilt.sin();
            let least = |points: &[ContactPoint<D3>]| points.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min);
            for gap in [1e-3, 0.0, -1e-4] {
                let place = Pose { position: dvec3(0.0, 0.0, low + gap), rotation };
                let points = contacts(&c, &place, &slab, &at(0.0, 0.0, -0.5), 5e-3);
                assert!((least(&points) - gap).abs() < 2e-8, "{tilt} about {about}: {} for {gap}", least(&points));
                // a slab that ends at x = 0.3: the lowest point of the circle before it, or where the edge cuts the circle
                let (foot, [u, v]) =
                    (place.point(dvec3(0.0, 0.0, -0.5)), [DVec3::X, DVec3::Y].map(|e| rotation * e * 0.4));
                let on = |angle: f64| foot + u * angle.cos() + v * angle.sin();
                let (middle, spread) = (v.x.atan2(u.x), ((0.3 - foot.x) / u.x.hypot(v.x)).acos());
                let candidates = [(-v.z).atan2(-u.z), middle + spread, middle - spread].map(on);
                let before = candidates.iter().filter(|p| p.x <= 0.3 + 1e-12);
                let lowest = before.map(|p| p.z).fold(f64::INFINITY, f64::min);
                // the shortest way to the edge is not quite upright
                let slack = 1e-7 + 2.0 * lowest.abs() * tilt * tilt;
                let points = contacts(&c, &place, &slab, &at(-1.7, 0.0, -0.5), 5e-3);
                assert!(
                    (least(&points) - lowest).abs() < slack,
                    "{tilt} about {about}: {} for {lowest}",
                    least(&points)
                );
            }
        }
    }
}

/// A box that stands on no more of a drum than the segment between the rim and a side of the polygon by which it is shown.
#[test]
fn a_box_on_the_very_rim_of_a_drum_touches_it() {
    let (drum, block) = (cylinder(1.0, 0.4), cuboid(0.2, 0.2, 0.2));
    let rotation = DQuat::from_rotation_z(std::f64::consts::TAU / 48.0);
    for gap in [1e-4, 0.0, -1e-6] {
        // the near side of the box is 0.398 from the axis; sides of the polygon are 0.3966
        let place = Pose { position: rotation * dvec3(0.498, 0.0, 0.0) + dvec3(0.0, 0.0, 0.6 + gap), rotation };
        for points in [
            contacts(&block, &place, &drum, &Pose::identity(), 1e-3),
            contacts(&drum, &Pose::identity(), &block, &place, 1e-3)
                .into_iter()
                .map(|p| ContactPoint { normal: -p.normal, ..p })
                .collect(),
        ] {
            assert!(!points.is_empty(), "nothing at {gap}");
            assert!(
                points.iter().all(|p| p.normal.distance(DVec3::Z) < 1e-6 && (p.gap - gap).abs() < 1e-8),
                "{points:?}"
            );
            assert!(points.iter().all(|p| (0.397..0.401).contains(&p.position.truncate().length())), "{points:?}");
        }
    }
}

/// Distance between a point and a cylinder about z, from its definition.
fn slow_distance(p: DVec3, half: f64, radius: f64) -> f64 {
    let (beside, beyond) = (p.truncate().length() - radius, p.z.abs() - half);
    beside.max(0.0).hypot(beyond.max(0.0)) + beside.max(beyond).min(0.0)
}

proptest! {
    #![proptest_config(cases(128))]
    #[test]
    fn a_sphere_finds_the_closest_point(p in vector(), radius in 0.05..0.5f64, world in pose()) {
        let (c, ball) = (cylinder(1.0, 0.4), Shape3::sphere(radius).unwrap());
        let points = contacts(&ball, &Pose::at(world.point(p)), &c, &world, 0.2);
        let gap = slow_distance(p, 0.5, 0.4) - radius;
        prop_assert_eq!(points.is_empty(), gap > 0.2);
        if let Some(found) = points.first() {
            prop_assert!((found.gap - gap).abs() < 1e-12);
        }
    }

    #[test]
    fn stones_on_cylinders_part_where_they_should(a in stone(), world in pose(), turn in rotation(), toward in vector(), gap in 0.0..5e-3f64) {
        stone_on_cylinder(&a, world, turn, toward, gap)?;
    }
}

/// A stone that many points of its surface say is `gap` away from a cylinder.
fn stone_on_cylinder(a: &Shape3, world: Pose<D3>, turn: DQuat, toward: DVec3, gap: f64) -> Result<(), TestCaseError> {
    let c = cylinder(1.0, 0.4);
    let toward = toward.try_normalize().unwrap_or(DVec3::X);
    let place = |t: f64| Pose { position: world.position + world.direction(toward * t), rotation: turn };
    // least distance of points of the stone's surface from the cylinder, sampled densely along edges and faces
    let Shape3::Polyhedron(stone) = a else { return Ok(()) };
    let distance = |t: f64| {
        let pose = place(t);
        let at = |p: DVec3| slow_distance(world.local_point(pose.point(p)), 0.5, 0.4);
        let mut least = f64::INFINITY;
        for f in 0..stone.face_count() {
            let ring: Vec<DVec3> = stone.face(f).iter().map(|&v| stone.vertices()[v as usize]).collect();
            for k in 1..ring.len() - 1 {
                for i in 0..=24 {
                    for j in 0..=24 - i {
                        let (s, t) = (f64::from(i) / 24.0, f64::from(j) / 24.0);
                        least = least.min(at(ring[0] + (ring[k] - ring[0]) * s + (ring[k + 1] - ring[0]) * t));
                    }
                }
            }
        }
        least
    };
    let (mut low, mut high) = (0.0, 6.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if distance(middle) < gap { low = middle } else { high = middle }
    }
    // a stone beside its origin may never come that near
    prop_assume!((distance(high) - gap).abs() < 1e-6);
    let points = contacts(a, &place(high), &c, &world, 0.05);
    prop_assert!(!points.is_empty(), "a stone {gap} from a cylinder does not meet it");
    let least = points.iter().map(|p: &ContactPoint<D3>| p.gap).fold(f64::INFINITY, f64::min);
    // the samples may miss the closest point by a little
    prop_assert!(least <= gap + 1e-6 && least > gap - 4e-2, "{least} for {gap}");
    Ok(())
}

/// A stone whose corner stands on a cap, and a direction that is off the axis by 1e-12: what is left of it across the axis
/// is half noise, and points of the rim found from it lay outside of the cylinder.
#[test]
fn a_stone_on_a_cap_is_as_near_as_it_is() {
    let stone = Shape3::hull(&[
        dvec3(-0.6184839686506699, 0.2580036409295942, 0.0),
        dvec3(-0.04350687729369142, -0.6681019187428076, 0.8489382028076237),
        dvec3(0.7912594509202078, -0.8593545774598264, -0.20826810449263466),
        DVec3::ZERO,
    ]);
    let turned = |q: [f64; 4]| DQuat::from_array(q).normalize();
    let world = Pose {
        position: DVec3::ZERO,
        rotation: turned([0.6462828517283841, -0.7066076262868368, 0.19714772322876983, 0.2101354640721597]),
    };
    let turn = turned([0.146088666688806, -0.6737686489791368, -0.1570825830030322, 0.7071201957482273]);
    let toward = dvec3(-0.10617993834241202, -0.3597836707248384, -0.7790837767769672);
    stone_on_cylinder(&stone.unwrap(), world, turn, toward, 0.0016136914588984262).unwrap();
}

#[test]
fn thick_segments() {
    let bar = Shape2::segment(2.0, 0.2).unwrap();
    let mass = bar.mass_properties().unwrap();
    assert!((mass.volume - (0.4 + std::f64::consts::PI * 0.01)).abs() < 1e-15);
    // polar moment by fine slices
    let mut slow = 0.0;
    let n = 2000;
    for i in 0..n {
        let x = -1.1 + 2.2 * (f64::from(i) + 0.5) / f64::from(n);
        let h = if x.abs() <= 1.0 { 0.1 } else { (0.01 - (x.abs() - 1.0).powi(2)).max(0.0).sqrt() };
        slow += (2.0 * h * x * x + 2.0 * h.powi(3) / 3.0) * 2.2 / f64::from(n);
    }
    assert!((mass.inertia - slow).abs() < 1e-5, "{} for {slow}", mass.inertia);
    let (ground, square) = (Shape2::half_plane(DVec2::Y).unwrap(), rectangle(1.0, 1.0));
    let flat = contacts2(&bar, &at2(0.0, 0.1), &ground, &Pose::identity(), 1e-3);
    assert!(flat.len() == 2 && flat.iter().all(|p| p.gap.abs() < 1e-15 && p.area == 1.0));
    // a square on the bar, a bar on the square, over its corner, and end on
    let on = contacts2(&square, &at2(0.3, 0.6), &bar, &Pose::identity(), 1e-3);
    assert_eq!(on.len(), 2);
    assert!(on.iter().all(|p| p.normal.distance(DVec2::Y) < 1e-14 && p.gap.abs() < 1e-14));
    assert!((on.iter().map(|p| p.area).sum::<f64>() - 1.0).abs() < 1e-14);
    let over = contacts2(&bar, &at2(0.0, 0.6 - 1e-5), &square, &Pose::identity(), 1e-3);
    assert!(over.len() == 2 && over.iter().all(|p| (p.gap + 1e-5).abs() < 1e-14 && p.normal == DVec2::Y));
    let end = contacts2(&bar, &at2(1.6 + 1e-4, 0.2), &square, &Pose::identity(), 1e-3);
    assert_eq!(end.len(), 1);
    assert!((end[0].gap - 1e-4).abs() < 1e-12 && end[0].normal.distance(DVec2::X) < 1e-9, "{end:?}");
    let direction = dvec2(0.6, 0.8);
    let corner = dvec2(0.5, 0.5) + direction * 0.1;
    let tip = contacts2(&bar, &at2(corner.x + 1.0, corner.y), &square, &Pose::identity(), 1e-3);
    assert!(tip.len() == 1 && tip[0].gap.abs() < 1e-12 && tip[0].normal.distance(direction) < 1e-9, "{tip:?}");
    // bars: crossed ends, side by side, a disc on top
    let beside = contacts2(&bar, &at2(0.5, 0.2), &bar, &Pose::identity(), 1e-3);
    assert!(beside.len() == 2 && beside.iter().all(|p| p.gap.abs() < 1e-14 && p.normal == DVec2::Y));
    assert!((beside.iter().map(|p| p.area).sum::<f64>() - 1.5).abs() < 1e-14);
    let upright = voussoir_geometry::Pose { position: dvec2(0.3, 1.2), rotation: std::f64::consts::FRAC_PI_2 };
    let on_end = contacts2(&bar, &upright, &bar, &Pose::identity(), 1e-3);
    assert!(on_end.len() == 1 && on_end[0].gap.abs() < 1e-12 && on_end[0].normal.distance(DVec2::Y) < 1e-9);
    let disc = contacts2(&Shape2::disc(0.2).unwrap(), &at2(0.4, 0.3 - 1e-6), &bar, &Pose::identity(), 1e-3);
    assert!(disc.len() == 1 && (disc[0].gap + 1e-6).abs() < 1e-14 && disc[0].normal.distance(DVec2::Y) < 1e-14);
}
