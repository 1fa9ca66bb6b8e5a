//! Comparison of the three methods: required agreement, and differences by design.

use crate::common::*;
use crate::polyhedra::{near, slow_distance, slow_separation};
use proptest::prelude::*;
use voussoir_geometry::glam::{DQuat, DVec2, DVec3, dvec2, dvec3};
use voussoir_geometry::{ContactPoint, D2, D3, Detection, Method, Nodes, Pose, Shape2, Shape3, Solid};

const METHODS: [Method; 3] = [Method::Clip, Method::CommonPlane, Method::Swept];

fn found(method: Method, a: &Shape3, pa: &Pose<D3>, b: &Shape3, pb: &Pose<D3>, alert: f64) -> Vec<ContactPoint<D3>> {
    let mut out = Vec::new();
    a.collide_by(pa, b, pb, alert, Detection { method, nodes: Nodes::All, ..Detection::default() }, &mut out);
    for p in &out {
        assert!((p.normal.length() - 1.0).abs() < 1e-12 && p.gap <= alert && p.position.is_finite() && p.area >= 0.0);
    }
    let mut names: Vec<u64> = out.iter().map(|p| p.feature).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), out.len(), "{method:?}: two points with one name");
    out
}

fn found2(method: Method, a: &Shape2, pa: &Pose<D2>, b: &Shape2, pb: &Pose<D2>, alert: f64) -> Vec<ContactPoint<D2>> {
    let mut out = Vec::new();
    a.collide_by(pa, b, pb, alert, Detection { method, nodes: Nodes::All, ..Detection::default() }, &mut out);
    out
}

/// The swept shapes are smaller by the margin all round: a thousandth of the size.
fn margin(method: Method, shape: &Shape3) -> f64 {
    if method == Method::Swept { 1e-3 * shape.size() } else { 0.0 }
}

proptest! {
    #![proptest_config(cases(96))]
    #[test]
    fn prisms_face_on_face(
        sides in (3usize..=64, 3usize..=64), radii in (0.3..1.0f64, 0.3..1.0f64), angle in 0.0..7.0f64,
        x in -0.2..0.2f64, y in -0.2..0.2f64, world in pose(),
        gap in prop::sample::select(vec![0.0, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3, -1e-4]),
    ) {
        let (lower, upper) = (prism(sides.0, radii.0, 0.8), prism(sides.1, radii.1, 0.8));
        let place = world.compose(&Pose { position: dvec3(x, y, 0.8 + gap), rotation: DQuat::from_rotation_z(angle) });
        let rings = |m: f64| [
            ring(sides.0, radii.0 - m / (std::f64::consts::PI / sides.0 as f64).cos(), 0.0, DVec2::ZERO),
            ring(sides.1, radii.1 - m / (std::f64::consts::PI / sides.1 as f64).cos(), angle, dvec2(x, y)),
        ];
        for method in METHODS {
            // the cores' margins differ; compare with each body shrunk by its own
            let own = [margin(method, &lower), margin(method, &upper)];
            let exact = slow_intersection(&rings(own[0])[0], &rings(own[1])[1]);
            let points = found(method, &upper, &place, &lower, &world, 5e-3);
            let area: f64 = points.iter().map(|p| p.area).sum();
            let slack = if method == Method::Swept { 1e-9 } else { 1e-12 };
            prop_assert!((area - polygon_area(&exact)).abs() < slack, "{method:?}: {area} for {}", polygon_area(&exact));
            let up = world.direction(DVec3::Z);
            prop_assert!(points.iter().all(|p| p.normal.distance(up) < 1e-12), "{method:?}");
            let slack = if method == Method::Swept { 1e-9 } else { 1e-12 };
            prop_assert!(points.iter().all(|p| (p.gap - gap).abs() < slack), "{method:?} {points:?}");
        }
    }

    #[test]
    fn tilted_faces(
        sides in (3usize..=24, 3usize..=24), angle in 0.0..7.0f64, about in 0.0..7.0f64, world in pose(),
        tilt in prop::sample::select(vec![1e-8, 1e-4, 1e-2]),
    ) {
        // the upper prism inside the shadow of the lower, its base tilted about a level axis
        let (lower, upper) = (prism(sides.0, 1.0, 0.6), prism(sides.1, 0.4, 0.6));
        let alert = 8e-3;
        let rotation = DQuat::from_scaled_axis(DVec2::from_angle(about).extend(0.0) * tilt) * DQuat::from_rotation_z(angle);
        let local = Pose { position: dvec3(0.0, 0.0, 0.3 + 2e-3) + rotation * dvec3(0.0, 0.0, 0.3), rotation };
        let place = world.compose(&local);
        let corners: Vec<f64> = ring(sides.1, 0.4, 0.0, DVec2::ZERO).iter().map(|p| local.point(p.extend(-0.3)).z - 0.3).collect();
        for method in [Method::Clip, Method::CommonPlane] {
            let points = found(method, &upper, &place, &lower, &world, alert);
            let near = corners.iter().filter(|gap| **gap <= alert - 1e-9).count();
            prop_assert!(points.len() >= near, "{method:?}: {} of {near}", points.len());
            for gap in corners.iter().filter(|gap| **gap <= alert - 1e-9) {
                // a plane tilted by α measures gaps longer by 1/cos α, at nodes shifted by the gap times α
                let off = points.iter().map(|p| (p.gap - gap).abs()).fold(f64::INFINITY, f64::min);
                prop_assert!(off < 1e-12 + 2.0 * gap.abs() * tilt * tilt, "{method:?}: gap {gap} is off by {off}, {:?}", world.local_direction(points[0].normal));
            }
        }
    }

    #[test]
    fn stones_are_as_far_apart_as_the_slow_test_says(
        a in stone(), b in stone(), pose in pose(), turn in rotation(), toward in vector(), gap in -1e-3..1e-2f64,
    ) {
        let place = near(&a, &pose, &b, turn, toward, gap);
        let separation = slow_separation(&a, &pose, &b, &place);
        let distance = if separation > 0.0 { slow_distance(&a, &pose, &b, &place) } else { separation };
        prop_assume!(distance < 0.02);
        let least = |points: &[ContactPoint<D3>]| points.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min);
        let plane = found(Method::CommonPlane, &a, &pose, &b, &place, 0.03);
        prop_assert!(!plane.is_empty(), "nothing at {distance}");
        // nodes of tilted faces that overlap may be deeper than the least way out
        let slack = 1e-5 + 1e-2 * distance.abs();
        prop_assert!(least(&plane) < distance + slack, "{} for {distance}", least(&plane));
        prop_assert!(separation < 0.0 || least(&plane) > distance - slack, "{} for {distance}", least(&plane));
        // corners are cut off, the sharper the more: rounded stones are never nearer
        let round = found(Method::Swept, &a, &pose, &b, &place, 0.03);
        prop_assert!(separation < 0.0 || least(&round) > distance - 1e-6, "{} for {distance}", least(&round));
    }

    #[test]
    fn order_does_not_matter(
        a in stone(), b in stone(), pose in pose(), turn in rotation(), toward in vector(), gap in -2e-3..2e-3f64,
    ) {
        let place = near(&a, &pose, &b, turn, toward, gap);
        for method in METHODS {
            let (one, other) = (found(method, &a, &pose, &b, &place, 0.02), found(method, &b, &place, &a, &pose, 0.02));
            let least = |points: &[ContactPoint<D3>]| points.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min);
            if !one.is_empty() && !other.is_empty() {
                prop_assert!((least(&one) - least(&other)).abs() < 1e-5, "{method:?}: {} {}", least(&one), least(&other));
            }
        }
    }
}

/// Two pairs of stones that random inputs found: the common plane is tilted a little against the edges that pass each
/// other, so that their projections miss each other. The nearest point must be there all the same, in either order.
#[test]
fn edges_that_the_common_plane_is_tilted_against_are_found() {
    let stone =
        |points: &[[f64; 3]]| Shape3::hull(&points.iter().map(|p| DVec3::from(*p)).collect::<Vec<_>>()).unwrap();
    let turned = |q: [f64; 4]| DQuat::from_array(q).normalize();
    let first = (
        stone(&[
            [0.7845554245171903, 0.6003945495799072, -0.4830017660388702],
            [-0.21215840365253136, 0.6137624315197963, -0.7925996412105017],
            [0.0, 0.0, 0.0],
            [0.0, 0.0, 0.8824917774021572],
        ]),
        stone(&[
            [-0.27615188084744124, 0.6244249205326519, -0.03954555477476525],
            [-0.6323306741615422, -0.1839844736327513, 0.9177624082722214],
            [0.0, 0.0, 0.0],
            [0.17292504900130468, 0.0, 0.0],
        ]),
        Pose {
            position: dvec3(7.33997485807777, -9.663832568705615, 0.0),
            rotation: turned([0.5876033069835009, -0.17068212502565333, -0.44680560915473083, -0.6526520615509083]),
        },
        turned([-0.24544559519440126, 0.3460198710953518, 0.03273698909805178, 0.9049613241192224]),
        dvec3(0.31216761223751793, -0.5607703200769124, -0.8827737884140557),
        0.006698635298714037,
    );
    let second = (
        stone(&[
            [-0.7303459173224219, 0.0, 0.6438235033614883],
            [-0.8510220335709046, 0.0, 0.0],
            [0.5181092406740574, -0.9803366410542477, 0.0],
            [0.0, 0.0, 0.0],
            [-0.7232499898153223, 0.8892669963613217, 0.8945510633540618],
        ]),
        stone(&[
            [0.38301137786716927, 0.6113373926021429, -0.8281369482534434],
            [0.3105515028658312, 0.7438071022052473, -0.80903914573327],
            [0.0, 0.0, 0.0],
            [0.9628485344181411, 0.9540029471846035, -0.6967450755668579],
            [-0.6736332553125701, 0.4391327193986218, -0.9670619062995982],
        ]),
        Pose {
            position: dvec3(8.090646146554384, 8.636659930290124, 6.424649676159618),
            rotation: turned([-0.24841758582711598, -0.23829875612723683, 0.03940996830141151, 0.9380561072124209]),
        },
        turned([0.06860841425587318, 0.32040882618532585, 0.3803434771432858, -0.8648525359796264]),
        dvec3(-0.9727666928890093, 0.0, 0.7146942369789944),
        0.00621398504412147,
    );
    for (a, b, pose, turn, toward, gap) in [first, second] {
        let place = near(&a, &pose, &b, turn, toward, gap);
        let distance = slow_distance(&a, &pose, &b, &place);
        for points in [
            found(Method::CommonPlane, &a, &pose, &b, &place, 0.03),
            found(Method::CommonPlane, &b, &place, &a, &pose, 0.03),
        ] {
            let least = points.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min);
            assert!((least - distance).abs() < 1e-5 + 1e-2 * distance, "{least} for {distance}");
        }
    }
}

#[test]
fn polygons_by_every_method() {
    let (wide, narrow) = (rectangle(2.0, 0.5), rectangle(0.5, 1.0));
    for method in METHODS {
        for gap in [0.0, 1e-9, -1e-6, 1e-3] {
            let points = found2(method, &narrow, &at2(0.6, 0.75 + gap), &wide, &at2(0.0, 0.0), 5e-3);
            let rounded = if method == Method::Swept { 1e-3 * narrow.size() } else { 0.0 };
            assert_eq!(points.len(), 2, "{method:?} at {gap}");
            let length: f64 = points.iter().map(|p| p.area).sum();
            assert!((length - (0.5 - 2.0 * rounded)).abs() < 1e-9, "{method:?}: {length}");
            assert!(
                points.iter().all(|p| p.normal.distance(DVec2::Y) < 1e-12 && (p.gap - gap).abs() < 1e-9),
                "{method:?}"
            );
        }
        // on a corner: one point, along the line between corner and side
        let tilted = Pose {
            position: dvec2(0.0, 0.25 + 0.25f64.hypot(0.5) + 1e-3),
            rotation: 0.5f64.atan2(0.25) - std::f64::consts::FRAC_PI_2,
        };
        let points = found2(method, &narrow, &tilted, &wide, &at2(0.0, 0.0), 5e-3);
        assert_eq!(points.len(), 1, "{method:?}: {points:?}");
        assert!((points[0].gap - 1e-3).abs() < 2e-3, "{method:?}: {points:?}");
        // squares side by side that share no more than a corner
        let square = rectangle(1.0, 1.0);
        if method != Method::Swept {
            assert!(found2(method, &square, &at2(1.0, 1.0), &square, &at2(0.0, 0.0), 1e-3).is_empty(), "{method:?}");
        }
    }
}

#[test]
fn swept_corners_are_rounded() {
    // two cubes corner to corner along the diagonal: the sharp corners touch, the rounded ones are apart
    let cube = cuboid(1.0, 1.0, 1.0);
    let place = at(1.002, 1.002, 1.002);
    let sharp = found(Method::Clip, &cube, &place, &cube, &Pose::identity(), 0.05);
    let round = found(Method::Swept, &cube, &place, &cube, &Pose::identity(), 0.05);
    let m = 1e-3 * cube.size();
    let expected = 3f64.sqrt() * (0.002 + 2.0 * m) - 2.0 * m;
    assert!((sharp[0].gap - 0.002 * 3f64.sqrt()).abs() < 1e-12);
    assert!((round[0].gap - expected).abs() < 1e-9, "{} for {expected}", round[0].gap);
}

#[test]
fn fewer_nodes_keep_the_area_and_the_corners_that_matter() {
    let (upper, lower) = (prism(24, 0.5, 0.4), cuboid(2.0, 2.0, 0.4));
    let place = at(0.1, 0.0, 0.4);
    let all = found(Method::Clip, &upper, &place, &lower, &Pose::identity(), 1e-3);
    let area: f64 = all.iter().map(|p| p.area).sum();
    for (nodes, most, least_span) in [(Nodes::Four, 4, 0.49), (Nodes::Three, 3, 0.32)] {
        for method in METHODS {
            let mut points = Vec::new();
            upper.collide_by(
                &place,
                &lower,
                &Pose::identity(),
                1e-3,
                Detection { method, nodes, ..Detection::default() },
                &mut points,
            );
            assert_eq!(points.len(), most);
            let kept: f64 = points.iter().map(|p| p.area).sum();
            if method != Method::Swept {
                assert!((kept - area).abs() < 1e-12, "{method:?} keeps {kept} of {area}");
            }
            // the largest square (triangle) in the polygon of 24 corners
            let span: Vec<DVec2> = points.iter().map(|p| p.position.truncate()).collect();
            assert!(polygon_area(&span).abs() > least_span, "{method:?} spans {}", polygon_area(&span));
            let centre = points.iter().map(|p| p.position * p.area).sum::<DVec3>() / kept;
            assert!(centre.distance(dvec3(0.1, 0.0, 0.2)) < 1e-2, "{method:?}: {centre}");
        }
    }
}

#[test]
fn the_choice_of_nodes_is_the_same_from_step_to_step() {
    let (upper, lower) = (prism(12, 0.5, 0.4), cuboid(2.0, 2.0, 0.4));
    for nodes in [Nodes::Four, Nodes::Three] {
        let names = |place: &Pose<D3>| {
            let mut points = Vec::new();
            upper.collide_by(
                place,
                &lower,
                &Pose::identity(),
                1e-3,
                Detection { method: Method::Clip, nodes, ..Detection::default() },
                &mut points,
            );
            points.iter().map(|p| p.feature).collect::<Vec<_>>()
        };
        let first = names(&at(0.0, 0.0, 0.4));
        for i in 1..50 {
            let t = 1e-11 * f64::from(i);
            assert_eq!(names(&at(t, -t, 0.4 + t)), first);
        }
    }
}
