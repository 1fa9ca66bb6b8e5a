//! Stairs, cylinders and domes on piers: volumes, closed joints, counts.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use proptest::prelude::*;
use voussoir_mechanics::inspect::inspect;

use crate::generated::{built, closed_area, free, three, volume};

/// Area of a regular polygon.
fn polygon(sides: usize, radius: f64) -> f64 {
    0.5 * sides as f64 * (TAU / sides as f64).sin() * radius * radius
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn treads_share_rectangles(treads in 1u64..25, inner in 0.1f64..1.0, width in 0.3f64..2.0, rise in 0.05f64..0.2, lap in 0.01f64..0.1, turn in 10.0f64..30.0) {
        let keys = format!(
            "generator = \"stair\"\ntreads = {treads}\ninner_radius = {inner}\nouter_radius = {}\nrise = {rise}\nturn_deg = {turn}\nthickness = {}",
            inner + width, rise + lap
        );
        let model = three(&keys);
        let outer = inner + width;
        let tread = 0.5 * turn.to_radians().sin() * (outer * outer - inner * inner) * (rise + lap);
        prop_assert!((volume(&model) - treads as f64 * tread).abs() < 1e-11 * treads as f64);
        let area = width * (rise + lap) + (treads - 1) as f64 * width * lap;
        prop_assert!((closed_area(&model) - area).abs() < 1e-9, "{}", closed_area(&model));
    }

    #[test]
    fn treads_with_square_joints_meet_in_planes_across_their_line(treads in 2u64..12, inner in 0.2f64..1.0, width in 0.3f64..1.0, rise in 0.05f64..0.2, lap in 0.05f64..0.2, turn in 10.0f64..30.0) {
        let keys = format!(
            "generator = \"stair\"\ntreads = {treads}\ninner_radius = {inner}\nouter_radius = {}\nrise = {rise}\nturn_deg = {turn}\nthickness = {}\nsquare_joints = true",
            inner + width, rise + lap
        );
        let model = three(&keys);
        let (outer, half) = (inner + width, 0.5 * turn.to_radians());
        let radius = 2.0 / 3.0 * half.cos() * (outer * outer + outer * inner + inner * inner) / (outer + inner);
        let slope = rise / (2.0 * radius * half.sin());
        // turning both joints of a tread moves one of them away from the other by rise · slope at every height
        let tread = (half.sin() * half.cos() * (outer * outer - inner * inner) + width * rise * slope) * (rise + lap);
        prop_assert!((volume(&model) - treads as f64 * tread).abs() < 1e-11 * treads as f64);
        let inspection = inspect(&model, Some(1e-6));
        prop_assert!(inspection.overlaps.is_empty());
        prop_assert_eq!(inspection.interfaces.len() as u64, treads);
        for (interface, k) in inspection.interfaces.iter().zip(0..) {
            prop_assert!(interface.worst_gap.abs() < 1e-12, "{:?} {:e}", interface.bodies, interface.worst_gap);
            // sides of neighbours lean away from each other above and below the middle of the joint
            let above = if k == 0 { rise + 0.5 * lap } else { 0.5 * lap };
            let below = 0.5 * lap;
            let lost = (above * above + below * below) * slope * half.tan();
            let area = (width * (above + below) - lost) * (1.0 + slope * slope).sqrt();
            prop_assert!((interface.area - area).abs() < 1e-9, "{k}: {} {area}", interface.area);
        }
    }

    #[test]
    fn cylinders_are_full(radius in 1.0f64..4.0, courses in 1u64..5, height in 0.1f64..0.6, rings in 1u64..4, slices in 5usize..13, hole in prop::option::of(0.2f64..0.8)) {
        let keys = format!(
            "generator = \"masonry-cylinder\"\nradius = {radius}\ncourses = {courses}\ncourse_height = {height}\nrings = {rings}\nslices = {slices}\n{}",
            hole.map_or("ground = \"block\"".to_owned(), |share| format!("hole = {}", 2.0 * share * radius))
        );
        let model = three(&keys);
        let exact = courses as f64 * height * polygon(slices, radius);
        prop_assert!((volume(&model) - exact).abs() < 1e-11 * exact.max(1.0), "{} {exact}", volume(&model));
        let inspection = inspect(&model, Some(1e-6));
        prop_assert!(inspection.overlaps.is_empty());
        for interface in &inspection.interfaces {
            prop_assert!(interface.worst_gap.abs() < 1e-12, "{:?} {:e}", interface.bodies, interface.worst_gap);
        }
        let blocks: u64 = (0..courses).map(|j| 1 + (rings - 1 + j % 2) * slices as u64).sum();
        prop_assert_eq!(free(&model).count() as u64, blocks);
    }

    #[test]
    fn domes_on_piers_are_closed(piers in 3u64..7, bay in 2u64..6, more in 1u64..4, oculus in 5.0f64..30.0, radius in 2.0f64..6.0, share in 0.05f64..0.2) {
        let (slices, rings) = (piers * bay, bay - 1 + more);
        let thickness = share * radius;
        let keys = format!(
            "generator = \"pier-dome\"\nradius = {radius}\nthickness = {thickness}\nrings = {rings}\nslices = {slices}\n\
             oculus_deg = {oculus}\npiers = {piers}\nspringers = 1\npier = [0.3, {thickness}, 1.5]"
        );
        let model = three(&keys);
        closed_area(&model);
        // cells are frusta of the wedge between two planes: ½ sin α ∫ (r²) dz over the ring, inner and outer
        let cells = 2 * slices as usize;
        let rising = FRAC_PI_2 - oculus.to_radians();
        let wedge = |r: f64, j: u64| {
            let [a, b] = [j, j + 1].map(|j| rising * (j as f64 / rings as f64));
            let (p, q) = (r * a.cos(), r * b.cos());
            polygon(cells, 1.0) / cells as f64 * (p * p + p * q + q * q) / 3.0 * r * (b.sin() - a.sin())
        };
        // plus the cones between inner and outer surface
        let cone = |r: f64, j: u64| {
            let a = rising * (j as f64 / rings as f64);
            polygon(cells, 1.0) / cells as f64 * (r * a.cos()).powi(2) * r * a.sin() / 3.0
        };
        let cell = |j: u64| {
            let part = |r: f64| wedge(r, j) + cone(r, j) - cone(r, j + 1);
            part(radius + thickness / 2.0) - part(radius - thickness / 2.0)
        };
        let fans: f64 = (0..bay - 1).map(|j| (piers * 2 * (1 + j)) as f64 * cell(j)).sum();
        let full: f64 = (bay - 1..rings).map(|j| cells as f64 * cell(j)).sum();
        let stones = volume(&model) - piers as f64 * 0.3 * thickness * 1.5;
        prop_assert!((stones - fans - full).abs() < 1e-10 * stones, "{stones} {}", fans + full);
    }
}

#[test]
fn the_dome_of_junas_has_180_blocks() {
    let model = three(
        "generator = \"pier-dome\"\nradius = 3.8\nthickness = 0.4\nrings = 9\nslices = 25\noculus_deg = 8\npiers = 5\n\
         pier = [0.7, 0.4, 2.0]",
    );
    assert_eq!(free(&model).count(), 180);
    let tagged = |tag: &str| free(&model).filter(|body| body.tags.iter().any(|t| t == tag)).count();
    assert_eq!((tagged("piers"), tagged("springers")), (5, 5 + 10 + 15 + 20));
    // five-fold symmetry: the centroid lies on the axis
    let (mut x, mut y) = (0.0, 0.0);
    for body in free(&model) {
        (x, y) = (x + body.mass * body.pose.position.x, y + body.mass * body.pose.position.y);
    }
    assert!(x.abs() < 1e-8 && y.abs() < 1e-8, "{x} {y}");
    closed_area(&model);
}

#[test]
fn a_ring_in_a_cylinder_is_shifted_by_half_from_course_to_course() {
    let keys = "generator = \"masonry-cylinder\"\nradius = 2.0\ncourses = 2\ncourse_height = 0.5\nrings = 2\nslices = 8\nground = \"block\"";
    let model = three(keys);
    let azimuth = |name: &str| {
        let body = model.bodies.iter().find(|body| body.name == name).expect(name);
        body.pose.position.y.atan2(body.pose.position.x)
    };
    let turned = azimuth("g.course[1].ring[1].block[0]") - azimuth("g.course[0].ring[1].block[0]");
    assert!((turned - PI / 8.0).abs() < 1e-12, "{turned}");
    closed_area(&model);
}

#[test]
fn impossible_ones_are_refused() {
    for (keys, reason) in [
        (
            "generator = \"stair\"\ntreads = 5\ninner_radius = 0.5\nouter_radius = 1.5\nrise = 0.2\nturn_deg = 20\nthickness = 0.1",
            "do not touch",
        ),
        (
            "generator = \"stair\"\ntreads = 5\ninner_radius = 1.5\nouter_radius = 0.5\nrise = 0.2\nturn_deg = 20\nthickness = 0.3",
            "more than `inner_radius`",
        ),
        (
            "generator = \"stair\"\ntreads = 9\ninner_radius = 0.5\nouter_radius = 1.5\nrise = 0.1\nturn_deg = 90\nthickness = 0.3",
            "full turn",
        ),
        (
            "generator = \"stair\"\ntreads = 5\ninner_radius = 0.5\nouter_radius = 1.5\nrise = 0.2\nturn_deg = -20\nthickness = 0.3",
            "above zero",
        ),
        (
            "generator = \"masonry-cylinder\"\nradius = 2\ncourses = 2\ncourse_height = 0.5\nrings = 2\nslices = 8\nhole = 4.0",
            "have no support",
        ),
        (
            "generator = \"masonry-cylinder\"\nradius = 2\ncourses = 2\ncourse_height = 0.5\nrings = 2\nslices = 8\nhole_sides = 6",
            "needs `hole`",
        ),
        (
            "generator = \"pier-dome\"\nradius = 3\nthickness = 0.4\nrings = 9\nslices = 24\noculus_deg = 8\npiers = 5\npier = [0.7, 0.4, 2.0]",
            "not a multiple",
        ),
        (
            "generator = \"pier-dome\"\nradius = 3\nthickness = 0.4\nrings = 2\nslices = 25\noculus_deg = 8\npiers = 5\npier = [0.7, 0.4, 2.0]",
            "the springers meet after",
        ),
    ] {
        let message = built(3, keys).map(|_| ()).expect_err(keys);
        assert!(message.contains(reason), "{keys}: {message}");
    }
    let flat = "generator = \"stair\"\ntreads = 5\ninner_radius = 0.5\nouter_radius = 1.5\nrise = 0.1\nturn_deg = 20\nthickness = 0.2";
    assert!(built(2, flat).map(|_| ()).expect_err("2D").contains("3D scene"));
}
