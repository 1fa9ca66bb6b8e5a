//! Outlines with rounded corners: the eight contact types, walks round corners, random pairs, aligned faces.

use proptest::prelude::*;
use voussoir_geometry::glam::{DVec2, dvec2};
use voussoir_geometry::planar::{
    CornerMemory, PlacedOutline, RoundedContact, RoundedContactType, RoundedOutline, hull, meet,
};
use voussoir_geometry::{D2, Pose, Shape2};

const T: f64 = 0.02;

fn square() -> Shape2 {
    Shape2::polygon([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(DVec2::from).to_vec()).unwrap().shape
}

fn triangle() -> Shape2 {
    Shape2::polygon([(0.0, 0.0), (0.8, 0.0), (0.4, 0.6)].map(DVec2::from).to_vec()).unwrap().shape
}

fn outline(shape: &Shape2) -> RoundedOutline {
    RoundedOutline::new(shape, T).unwrap()
}

/// Contacts of A and B without memory; normals from A to B as in the table of types.
fn contacts(a: &RoundedOutline, at: &Pose<D2>, b: &RoundedOutline, bt: &Pose<D2>, alert: f64) -> Vec<RoundedContact> {
    let mut memory = vec![CornerMemory::default(); a.corners.len() + b.corners.len()];
    let mut out = Vec::new();
    meet(&PlacedOutline::new(a, at), &PlacedOutline::new(b, bt), alert, &mut memory, &mut out);
    out.iter_mut().for_each(|contact| contact.normal = -contact.normal);
    out
}

fn close(a: DVec2, b: DVec2, tolerance: f64) -> bool {
    (a - b).length() < tolerance
}

/// A contact of the table: type, gap, normal from A to B, point.
fn expect(
    a: (&RoundedOutline, Pose<D2>),
    b: (&RoundedOutline, Pose<D2>),
    kind: RoundedContactType,
    gap: f64,
    normal: DVec2,
    point: DVec2,
) {
    let found = contacts(a.0, &a.1, b.0, &b.1, 0.0);
    assert_eq!(found.len(), 1, "{kind:?}: {found:?}");
    let contact = found[0];
    assert_eq!(contact.kind(a.0, b.0), kind);
    assert!((contact.gap - gap).abs() < 1e-9, "{kind:?}: {}", contact.gap);
    assert!(close(contact.normal, normal, 1e-9), "{kind:?}: {}", contact.normal);
    assert!(close(contact.point, point, 1e-9), "{kind:?}: {}", contact.point);
}

#[test]
fn corners_are_tangent_arcs() {
    let triangle = outline(&triangle());
    let expected = [(0.02, 0.010703675), (0.78, 0.010703675), (0.4, 0.575962991)];
    let radii = [0.010703675, 0.010703675, 0.013333333];
    for ((corner, centre), radius) in triangle.corners.iter().zip(expected).zip(radii) {
        assert!(close(corner.centre, DVec2::from(centre), 1e-9), "{}", corner.centre);
        assert!((corner.radius - radius).abs() < 1e-9);
    }
    // a rounding larger than a side allows is cut to 0.45 of the shorter side
    let all = RoundedOutline::new(&square(), 9.0).unwrap();
    assert!((all.corners[0].radius - 0.45).abs() < 1e-12 && (all.sides[0].length - 0.1).abs() < 1e-12);
}

#[test]
fn eight_types_of_contact() {
    use RoundedContactType::*;
    let (sq, tri) = (outline(&square()), outline(&triangle()));
    let disc = |r: f64| RoundedOutline::new(&Shape2::disc(r).unwrap(), T).unwrap();
    let here = Pose::<D2>::identity();
    // 1: the triangle turned upside down, its apex against corner 2 of the square
    let apex = |c: DVec2| {
        let turn = std::f64::consts::PI;
        let arm = DVec2::from_angle(turn).rotate(tri.corners[2].centre);
        Pose { position: c - arm, rotation: turn }
    };
    let vertex_vertex = (sq.clone(), apex(dvec2(1.0, 1.005)));
    let (n, p) = (dvec2(0.624695048, 0.780868809), dvec2(0.992082317, 0.995102896));
    expect((&sq, here), (&tri, vertex_vertex.1), VertexVertex, -0.001317712, n, p);
    // 2 and 3: the apex on the top of the square
    let on_top = apex(dvec2(0.4, 1.012333333333));
    expect((&tri, on_top), (&sq, here), VertexSide, -0.001, dvec2(0.0, -1.0), dvec2(0.4, 0.9995));
    expect((&sq, here), (&tri, on_top), SideVertex, -0.001, dvec2(0.0, 1.0), dvec2(0.4, 0.9995));
    // 4: two discs
    let (small, large) = (disc(0.15), disc(0.153));
    let beside = Pose::at(dvec2(0.216, 0.162));
    expect((&small, here), (&large, beside), CircleCircle, -0.033, dvec2(0.8, 0.6), dvec2(0.1068, 0.0801));
    // 5 and 7: a corner and a disc
    let at = Pose::at(dvec2(1.0814, 1.1152));
    expect((&sq, here), (&small, at), VertexCircle, -0.001, dvec2(0.6, 0.8), dvec2(0.9917, 0.9956));
    expect((&small, at), (&sq, here), CircleVertex, -0.001, dvec2(-0.6, -0.8), dvec2(0.9917, 0.9956));
    // 6 and 8: a side and a disc
    let at = Pose::at(dvec2(0.3, 1.148));
    expect((&sq, here), (&small, at), SideCircle, -0.002, dvec2(0.0, 1.0), dvec2(0.3, 0.999));
    expect((&small, at), (&sq, here), CircleSide, -0.002, dvec2(0.0, -1.0), dvec2(0.3, 0.999));
}

/// Moves an outline along a path and checks that there is one contact whose gap and normal do not jump.
fn walk(moving: &RoundedOutline, fixed: &RoundedOutline, path: impl Fn(f64) -> Pose<D2>, alert: f64) {
    let steps = 40_000;
    let mut memory = vec![CornerMemory::default(); moving.corners.len() + fixed.corners.len()];
    let mut before: Option<RoundedContact> = None;
    let fixed_at = PlacedOutline::new(fixed, &Pose::identity());
    for i in 0..=steps {
        let pose = path(f64::from(i) / f64::from(steps));
        let last = path((f64::from(i) - 1.0) / f64::from(steps));
        let travelled = (pose.position - last.position).length() + (pose.rotation - last.rotation).abs();
        let mut out = Vec::new();
        meet(&PlacedOutline::new(moving, &pose), &fixed_at, alert, &mut memory, &mut out);
        assert_eq!(out.len(), 1, "step {i}: {out:?}");
        if let Some(before) = before {
            // bands of hysteresis are 0.05 R wide, which changes gaps by (0.05 R)²/(4 R) where a type changes
            let jump = 0.05 * 0.05 * T;
            assert!((out[0].gap - before.gap).abs() <= travelled + jump, "step {i}: gap");
            let turn = out[0].normal.angle_to(before.normal).abs();
            assert!(turn <= 3.0 * travelled / T + 0.06, "step {i}: normal turns by {turn}");
        }
        before = Some(out[0]);
    }
}

#[test]
fn walks_round_a_corner_are_continuous() {
    let sq = RoundedOutline::new(&Shape2::rectangle(dvec2(1.0, 1.0)).unwrap(), T).unwrap();
    let disc = RoundedOutline::new(&Shape2::disc(0.15).unwrap(), T).unwrap();
    // a disc pushed round the square on a circle
    walk(&disc, &sq, |s| Pose::at(0.8 * DVec2::from_angle(std::f64::consts::TAU * s)), 1.0);
    // the apex of a triangle that slides over the top side and past the corner
    let tri = RoundedOutline::new(&triangle(), T).unwrap();
    let apex = tri.corners[2];
    let path = |s: f64| {
        let turn = std::f64::consts::PI + 0.3 * s;
        let c = dvec2(0.2 + 0.3 * s, 0.5 + apex.radius - 0.001 * s);
        Pose { position: c - DVec2::from_angle(turn).rotate(apex.centre), rotation: turn }
    };
    walk(&tri, &sq, path, 0.02);
}

#[test]
fn aligned_faces_have_two_contacts() {
    let block = Shape2::rectangle(dvec2(0.4, 0.25)).unwrap();
    let block = RoundedOutline::new(&block, 0.01).unwrap();
    let mut memory = vec![CornerMemory::default(); 8];
    let lower = Pose::at(dvec2(0.0, 0.125));
    let mut kinds = Vec::new();
    for i in 0..10_000 {
        // a tremor in all three motions
        let s = f64::from(i);
        let upper = Pose {
            position: dvec2(1e-7 * (0.7 * s).sin(), 0.375 - 1e-6 + 1e-8 * (1.3 * s).cos()),
            rotation: 1e-8 * (0.9 * s).sin(),
        };
        let mut out = Vec::new();
        meet(&PlacedOutline::new(&block, &upper), &PlacedOutline::new(&block, &lower), 1e-3, &mut memory, &mut out);
        assert_eq!(out.len(), 2, "{out:?}");
        assert!((out[0].point - out[1].point).length() > 0.379 && (out[0].point - out[1].point).length() < 0.381);
        let now: Vec<_> = out.iter().map(|contact| (contact.slot, contact.part)).collect();
        if i == 0 {
            kinds = now.clone();
        }
        assert_eq!(now, kinds, "the type flips at step {i}");
    }
    // shifted blocks share a shorter stretch, with one corner of each at its ends
    for shift in [0.03, 0.19, 0.35] {
        let upper = Pose::at(dvec2(shift, 0.375));
        let found = contacts(&block, &upper, &block, &lower, 1e-3);
        assert_eq!(found.len(), 2, "{shift}: {found:?}");
        assert!(((found[0].point - found[1].point).length() - (0.38 - shift)).abs() < 1e-9);
    }
}

/// Distance of a point outside of an outline, by its definition.
fn distance_to_samples(samples: &[DVec2], other: &[DVec2]) -> f64 {
    samples.iter().flat_map(|a| other.iter().map(move |b| a.distance(*b))).fold(f64::INFINITY, f64::min)
}

/// Points of an outline, closely spaced.
fn sampled(outline: &RoundedOutline, pose: &Pose<D2>) -> Vec<DVec2> {
    let mut points = Vec::new();
    let count = outline.corners.len();
    for (i, corner) in outline.corners.iter().enumerate() {
        let (from, to) = (outline.sides[(i + count - 1) % count].normal, outline.sides[i].normal);
        let angle = from.angle_to(to);
        let direction = |k: usize| DVec2::from_angle(angle * k as f64 / 40.0).rotate(from);
        points.extend((0..=40).map(|k| pose.point(corner.centre + direction(k) * corner.radius)));
        let side = outline.sides[i];
        points.extend((0..=60).map(|k| pose.point(side.start + side.along * (side.length * k as f64 / 60.0))));
    }
    points
}

fn polygon() -> impl Strategy<Value = Shape2> {
    prop::collection::vec((-0.5..0.5f64, -0.5..0.5f64), 3..7).prop_filter_map("flat", |points| {
        let corners = hull(&points.into_iter().map(DVec2::from).collect::<Vec<_>>());
        let count = corners.len();
        let shortest = (0..count).map(|i| corners[i].distance(corners[(i + 1) % count])).fold(1.0, f64::min);
        let sharp = (0..count).any(|i| {
            let (a, b) = (corners[(i + count - 1) % count] - corners[i], corners[(i + 1) % count] - corners[i]);
            a.angle_to(b).abs() < 0.3 || a.angle_to(b).abs() > 3.0
        });
        (count >= 3 && shortest > 0.1 && !sharp).then(|| Shape2::polygon(corners).unwrap().shape)
    })
}

fn pose() -> impl Strategy<Value = Pose<D2>> {
    (-1.2..1.2f64, -1.2..1.2f64, -3.0..3.0f64).prop_map(|(x, y, rotation)| Pose { position: dvec2(x, y), rotation })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100_000, failure_persistence: None, max_local_rejects: 10_000_000, ..ProptestConfig::default() })]

    #[test]
    fn exchange_turning_and_shifting_change_nothing(
        (a, b) in (polygon(), polygon()), (at, bt, moved) in (pose(), pose(), pose()), rounding in 0.01..0.05f64,
    ) {
        let [a, b] = [a, b].map(|shape| RoundedOutline::new(&shape, rounding).unwrap());
        let alert = 0.05;
        let found = contacts(&a, &at, &b, &bt, alert);
        // exchange: the same contacts with opposite normals
        let exchanged = contacts(&b, &bt, &a, &at, alert);
        prop_assert_eq!(found.len(), exchanged.len());
        for contact in &found {
            let same = |other: &&RoundedContact| {
                close(other.point, contact.point, 1e-12) && close(other.normal, -contact.normal, 1e-12)
                    && (other.gap - contact.gap).abs() < 1e-12
            };
            prop_assert!(exchanged.iter().find(same).is_some(), "{:?} {:?}", found, exchanged);
        }
        // a rigid motion of both
        let carried = contacts(&a, &moved.compose(&at), &b, &moved.compose(&bt), alert);
        prop_assert_eq!(found.len(), carried.len());
        for (contact, other) in found.iter().zip(&carried) {
            prop_assert!((contact.gap - other.gap).abs() < 1e-12, "{:?} {:?}", found, carried);
            prop_assert!(close(moved.point(contact.point), other.point, 1e-12));
            prop_assert!(close(moved.direction(contact.normal), other.normal, 1e-10));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, failure_persistence: None, max_local_rejects: 10_000_000, ..ProptestConfig::default() })]

    #[test]
    fn the_smallest_gap_is_the_distance_of_the_outlines(
        (a, b) in (polygon(), polygon()), (at, bt) in (pose(), pose()), rounding in 0.01..0.05f64,
    ) {
        let [a, b] = [a, b].map(|shape| RoundedOutline::new(&shape, rounding).unwrap());
        let alert = 0.3;
        let found = contacts(&a, &at, &b, &bt, alert);
        let least = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
        let sampled = distance_to_samples(&sampled(&a, &at), &sampled(&b, &bt));
        // neither contains the other
        let inside = |outline: &RoundedOutline, at: &Pose<D2>, point: DVec2| {
            outline.sides.iter().all(|side| side.normal.dot(at.local_point(point) - side.start) < 0.0)
        };
        let apart = !inside(&a, &at, bt.point(b.sides[0].start)) && !inside(&b, &bt, at.point(a.sides[0].start));
        if sampled > 0.03 && sampled < alert - 0.03 && apart {
            prop_assert!((least - sampled).abs() < 2e-3, "{least} {sampled}");
        }
    }
}
