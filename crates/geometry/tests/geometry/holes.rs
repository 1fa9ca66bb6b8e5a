//! Polygons with holes: mass, contacts inside a hole, faults.

use proptest::prelude::*;
use voussoir_geometry::glam::DVec2;
use voussoir_geometry::{D2, Pose, Shape2, ShapeError, Solid};

fn square(centre: DVec2, side: f64, turn: f64) -> Vec<DVec2> {
    let half = side / 2_f64.sqrt();
    let angle = |k: i32| std::f64::consts::FRAC_PI_4 * f64::from(2 * k + 1) + turn;
    (0..4).map(|k| centre + DVec2::from_angle(angle(k)) * half).collect()
}

fn mass(shape: &Shape2) -> (f64, DVec2, f64) {
    let mass = shape.mass_properties().unwrap();
    (mass.volume, mass.centroid, mass.inertia)
}

/// Mass properties are those of the outline less those of the holes (Huygens–Steiner).
fn without(outline: &[DVec2], holes: &[Vec<DVec2>]) -> (f64, DVec2, f64) {
    let own = |points: &[DVec2]| mass(&Shape2::outline(points).unwrap().shape);
    let about = |(area, centre, inertia): (f64, DVec2, f64)| (area, centre * area, inertia + area * centre.dot(centre));
    let mut sum = about(own(outline));
    for hole in holes {
        let (area, first, polar) = about(own(hole));
        sum = (sum.0 - area, sum.1 - first, sum.2 - polar);
    }
    let centre = sum.1 / sum.0;
    (sum.0, centre, sum.2 - sum.0 * centre.dot(centre))
}

#[test]
fn a_square_ring_has_its_moments() {
    let outline = square(DVec2::ZERO, 4.0, 0.0);
    for turn in [0.0, 0.3, std::f64::consts::FRAC_PI_4] {
        let shape = Shape2::outline_with_holes(&outline, &[square(DVec2::ZERO, 2.0, turn)]).unwrap().shape;
        let (area, centre, inertia) = mass(&shape);
        assert!((area - 12.0).abs() < 1e-13 && centre.length() < 1e-14);
        // a⁴/6 of each square
        assert!((inertia - (256.0 - 16.0) / 6.0).abs() < 1e-12, "{inertia}");
    }
}

/// A disc in the hole touches the sides of the hole and nothing else.
#[test]
fn a_disc_touches_the_hole_from_inside() {
    let ring = Shape2::outline_with_holes(&square(DVec2::ZERO, 4.0, 0.0), &[square(DVec2::ZERO, 2.0, 0.0)]);
    let (ring, disc) = (ring.unwrap().shape, Shape2::disc(0.5).unwrap());
    let mut points = Vec::new();
    let at = |x: f64, y: f64| Pose::<D2>::at(DVec2::new(x, y));
    disc.collide(&at(0.0, 0.0), &ring, &Pose::identity(), 0.4, &mut points);
    assert!(points.is_empty(), "{points:?}");
    disc.collide(&at(0.45, 0.0), &ring, &Pose::identity(), 0.1, &mut points);
    assert!(!points.is_empty());
    for point in &points {
        assert!((point.gap - 0.05).abs() < 1e-12, "{point:?}");
        assert!((point.normal + DVec2::X).length() < 1e-12, "{point:?}");
    }
}

#[test]
fn faults_of_holes_are_named() {
    let outline = square(DVec2::ZERO, 4.0, 0.0);
    let hole = |x: f64, side: f64| square(DVec2::new(x, 0.0), side, 0.0);
    let refused = |holes: &[Vec<DVec2>]| Shape2::outline_with_holes(&outline, holes).unwrap_err();
    assert_eq!(refused(&[hole(5.0, 1.0)]), ShapeError::HoleOutside { hole: 0 });
    assert_eq!(refused(&[hole(0.0, 1.0), hole(2.0, 1.0)]), ShapeError::HoleOutside { hole: 1 });
    assert_eq!(refused(&[hole(0.0, 2.0), hole(0.5, 2.0)]), ShapeError::HolesMeet { first: 0, second: 1 });
    assert_eq!(refused(&[hole(0.0, 2.0), hole(0.0, 1.0)]), ShapeError::HolesMeet { first: 0, second: 1 });
    let eight = [[0.0, 0.0], [0.5, 0.6], [0.5, 0.0], [0.0, 0.5]].map(DVec2::from).to_vec();
    let message = refused(&[eight]).to_string();
    assert!(message.contains("hole 0: the outline crosses itself: side 0 meets side 2"), "{message}");
}

proptest! {
    /// Star-shaped outlines with holes at random places.
    #[test]
    fn areas_and_inertia_are_those_of_the_difference(
        radii in prop::collection::vec(0.6..1.0f64, 5..20),
        holes in prop::collection::vec((0.02..0.18f64, 0.0..6.3f64, 3usize..8), 1..6),
    ) {
        let n = radii.len() as f64;
        let outline: Vec<DVec2> = radii.iter().enumerate()
            .map(|(i, r)| DVec2::from_angle(std::f64::consts::TAU * i as f64 / n) * *r).collect();
        // one hole in the middle, the others around it where the outline certainly is
        let inner = 0.6 * (std::f64::consts::PI / n).cos();
        let holes: Vec<Vec<DVec2>> = holes.iter().enumerate().map(|(k, (size, turn, corners))| {
            let centre = if k == 0 { DVec2::ZERO } else { DVec2::from_angle(k as f64 * 1.25 + 0.1) * (0.6 * inner) };
            let corner = |i: usize| {
                DVec2::from_angle(turn + std::f64::consts::TAU * i as f64 / *corners as f64) * (size * inner)
            };
            (0..*corners).map(|i| centre + corner(i)).collect()
        }).collect();
        let shape = Shape2::outline_with_holes(&outline, &holes).unwrap().shape;
        let (computed, expected) = (mass(&shape), without(&outline, &holes));
        prop_assert!((computed.0 - expected.0).abs() < 1e-12, "{} {}", computed.0, expected.0);
        prop_assert!((computed.1 - expected.1).length() < 1e-12);
        prop_assert!((computed.2 - expected.2).abs() < 1e-12);
    }
}
