//! Walls in bond with openings: volumes, closed joints, head joints that keep their distance.

use std::collections::BTreeMap;

use proptest::prelude::*;
use voussoir_geometry::{D2, D3, Solid};
use voussoir_mechanics::model::Model;
use voussoir_model::AnyModel;

use crate::generated::{self, closed_area, free, volume};

const BONDS: [&str; 4] = ["stretcher", "english", "flemish", "american"];

/// The model of a wall in bond.
fn built(dim: usize, keys: &str) -> Result<AnyModel, String> {
    generated::built(dim, &format!("generator = \"masonry-wall\"\n{keys}"))
}

fn three(keys: &str) -> Model<D3> {
    generated::three(&format!("generator = \"masonry-wall\"\n{keys}"))
}

fn two(keys: &str) -> Model<D2> {
    generated::two(&format!("generator = \"masonry-wall\"\n{keys}"))
}

/// Smallest distance between head joints of neighbouring courses, where two bricks of one course meet.
fn smallest_overlap(model: &Model<D3>) -> f64 {
    let mut courses: BTreeMap<usize, Vec<(f64, f64)>> = BTreeMap::new();
    for body in free(model).filter(|body| body.name.contains("course[")) {
        let number = body.name.split(['[', ']']).nth(1).and_then(|n| n.parse().ok()).expect("a number");
        let bounds = body.shape.bounds(&body.pose);
        courses.entry(number).or_default().push((bounds.min.x, bounds.max.x));
    }
    let heads = |course: &[(f64, f64)]| -> Vec<f64> {
        let starts_at = |x: f64| course.iter().any(|(from, _)| (from - x).abs() < 1e-9);
        course.iter().map(|(_, to)| *to).filter(|&to| starts_at(to)).collect()
    };
    let mut least = f64::INFINITY;
    for (number, course) in &courses {
        let Some(above) = courses.get(&(number + 1)) else { continue };
        for x in heads(course) {
            least = heads(above).into_iter().fold(least, |least, y| least.min((x - y).abs()));
        }
    }
    least
}

#[test]
fn bonds_fill_the_wall_and_their_joints_are_closed() {
    for bond in BONDS {
        let keys =
            format!("length = 4.0\ncourses = 12\nbrick = [0.5, 0.25, 0.125]\nbond = \"{bond}\"\nground = \"block\"");
        let model = three(&keys);
        let thickness = if bond == "stretcher" { 0.25 } else { 0.5 };
        assert!((volume(&model) - 4.0 * 1.5 * thickness).abs() < 1e-12, "{bond}");
        closed_area(&model);
        let least = if bond == "stretcher" { 0.25 } else { 0.125 };
        assert!((smallest_overlap(&model) - least).abs() < 1e-12, "{bond}: {}", smallest_overlap(&model));
        // in 2D the same face
        let flat = two(&keys.replace("[0.5, 0.25, 0.125]", "[0.5, 0.125]"));
        assert!((volume(&flat) - 6.0).abs() < 1e-12);
        closed_area(&flat);
    }
}

#[test]
fn bonds_have_their_headers_where_they_belong() {
    let headers = |bond: &str, extra: &str| {
        let keys = format!("length = 3.0\ncourses = 12\nbrick = [0.5, 0.25, 0.125]\nbond = \"{bond}\"\n{extra}");
        let model = three(&keys);
        let mut in_course = [0usize; 12];
        for body in free(&model).filter(|body| body.tags.iter().any(|tag| tag == "header")) {
            let number: usize = body.name.split(['[', ']']).nth(1).and_then(|n| n.parse().ok()).expect("a number");
            in_course[number] += 1;
        }
        in_course
    };
    assert_eq!(headers("stretcher", ""), [0; 12]);
    // odd courses: a header at each quoin, a closer beside it, whole headers between
    assert_eq!(headers("english", ""), [0, 13, 0, 13, 0, 13, 0, 13, 0, 13, 0, 13]);
    assert_eq!(headers("american", ""), [13, 0, 0, 0, 0, 0, 13, 0, 0, 0, 0, 0]);
    assert_eq!(headers("american", "stretcher_courses = 2"), [13, 0, 0, 13, 0, 0, 13, 0, 0, 13, 0, 0]);
    assert!(headers("flemish", "").iter().all(|&count| count >= 4));
}

#[test]
fn walls_with_a_lintel_have_seven_stones_above_the_door() {
    for (lintel, span_above) in
        [("embrace_deg = 40", 1.0 + 2.0 * 0.5 * 20f64.to_radians().tan()), ("bearing = 0.2", 1.4)]
    {
        let keys = format!(
            "length = 4.0\ncourses = 12\nbrick = [0.5, 0.25, 0.25]\nground = \"block\"\n\
             openings = [{{ width = 1.0, courses = 7, lintel = {{ stones = 7, courses = 2, {lintel} }} }}]"
        );
        let model = three(&keys);
        let stones: Vec<_> = free(&model).filter(|body| body.tags.iter().any(|tag| tag == "lintels")).collect();
        assert_eq!(stones.len(), 7);
        assert!(stones[3].tags.iter().any(|tag| tag == "keystone") && stones[3].pose.position.x.abs() < 1e-12);
        let below = if lintel.starts_with('b') { 1.4 } else { 1.0 };
        let lintel_volume: f64 = stones.iter().map(|body| body.mass / 1000.0).sum();
        assert!((lintel_volume - 0.25 * 0.5 * (below + span_above) / 2.0).abs() < 1e-12);
        assert!((volume(&model) - 0.25 * (4.0 * 3.0 - 1.75)).abs() < 1e-12);
        closed_area(&model);
    }
}

#[test]
fn the_arch_of_the_shaken_wall_leaves_rectangular_bricks() {
    // Beatini, Royer-Carfagni and Tasora 2017, figure 8: 16.2 × 5.0 × 0.8 m, arch of radius 3.8 m
    let keys = "length = 16.2\ncourses = 10\nbrick = [1.0, 0.8, 0.5]\nground = \"block\"\n\
                openings = [{ width = 7.6, courses = 0, arch = { thickness = 0.6, voussoirs = 28 } }]";
    let model = three(keys);
    // the opening is half a regular polygon of 56 sides
    let opening = 14.0 * (std::f64::consts::PI / 28.0).sin() * 3.8 * 3.8;
    assert!((volume(&model) - 0.8 * (16.2 * 5.0 - opening)).abs() < 1e-11, "{}", volume(&model));
    closed_area(&model);
    for body in free(&model) {
        let (bounds, is_voussoir) = (body.shape.bounds(&body.pose), body.tags.iter().any(|tag| tag == "voussoirs"));
        let size = bounds.max - bounds.min;
        let filled = body.mass / 1000.0 / (size.x * size.y * size.z);
        assert!(is_voussoir || (filled - 1.0).abs() < 1e-12, "{}", body.name);
    }
    // symmetric
    let sum: f64 = free(&model).map(|body| body.mass * body.pose.position.x).sum();
    assert!(sum.abs() < 1e-8);
    let flat = two(&keys.replace("[1.0, 0.8, 0.5]", "[1.0, 0.5]"));
    assert!((volume(&flat) - volume(&model) / 0.8).abs() < 1e-10);
    closed_area(&flat);
}

#[test]
fn joints_of_arches_find_the_bed_joints_of_most_walls() {
    // courses of a twelfth to a sixth of the radius, any number of voussoirs: joints turn where they must
    let (mut made, mut all) = (0, 0);
    for voussoirs in 9..32 {
        for courses in [6, 8, 10, 12] {
            let course = 3.8 / courses as f64;
            let keys = format!(
                "length = 16.2\ncourses = {}\nbrick = [1.0, 0.8, {course}]\n\
                 openings = [{{ width = 7.6, courses = 0, arch = {{ thickness = 0.6, voussoirs = {voussoirs} }} }}]",
                2 * courses
            );
            all += 1;
            made += usize::from(built(3, &keys).is_ok());
        }
    }
    assert!(4 * made > 3 * all, "{made} of {all}");
}

#[test]
fn impossible_walls_are_refused() {
    let wall = "length = 4.0\ncourses = 10\nbrick = [0.5, 0.25, 0.2]\n";
    for (keys, reason) in [
        ("overlap = -0.1", "above zero and at most half a brick, 0.25 m"),
        ("overlap = 0.0", "above zero"),
        ("overlap = 0.3", "at most half a brick"),
        ("bond = \"english\"\noverlap = 0.1", "a quarter of a brick apart, 0.125 m"),
        ("stretcher_courses = 3", "for american bond"),
        ("openings = [{ width = 1.0, courses = 4 }]", "needs a `lintel` or an `arch`"),
        ("openings = [{ width = 1.0, courses = 10, lintel = { stones = 3 } }]", "course 11"),
        (
            "openings = [{ width = 3.9, courses = 4, lintel = { stones = 3 } }]",
            "between the end of the wall and opening 0",
        ),
        (
            "openings = [{ width = 1.0, courses = 4, lintel = { stones = 3 } }, { at = 0.6, width = 0.5, courses = 2, lintel = { stones = 1 } }]",
            "between opening 0 and opening 1",
        ),
        (
            "openings = [{ width = 1.0, courses = 4, lintel = { stones = 3, embrace_deg = 30, bearing = 0.1 } }]",
            "skewbacks",
        ),
        (
            "openings = [{ width = 1.0, courses = 4, arch = { thickness = 0.2, voussoirs = 7, rise = 0.6 } }]",
            "half circle",
        ),
        (
            "openings = [{ width = 1.0, courses = 4, arch = { thickness = 0.02, voussoirs = 60 } }]",
            "does not end at a bed joint",
        ),
    ] {
        let message = built(3, &format!("{wall}{keys}")).map(|_| ()).expect_err(keys);
        assert!(message.contains(reason), "{keys}: {message}");
    }
    let message = built(3, "length = 4.0\ncourses = 4\nbrick = [0.5, 0.2, 0.2]\nbond = \"flemish\"")
        .map(|_| ())
        .expect_err("bricks");
    assert!(message.contains("twice as long as wide"), "{message}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_wall_is_filled_closed_and_bonded(
        bond in 0usize..4,
        length in 2.0f64..6.0,
        courses in 5u64..12,
        share in 0.1f64..0.5,
        window in prop::option::of((-0.4f64..0.4, 0.3f64..0.9, 0u64..2, 1u64..3, 1u64..6, 0.0f64..50.0)),
    ) {
        let overlap = if bond == 0 { format!("overlap = {}", 0.4 * share) } else { String::new() };
        let mut keys = format!(
            "length = {length}\ncourses = {courses}\nbrick = [0.4, 0.2, 0.15]\nbond = \"{}\"\n{overlap}\nground = \"block\"\n",
            BONDS[bond]
        );
        let mut open = 0.0;
        if let Some((at, width, sill, side, stones, embrace)) = window {
            keys += &format!(
                "openings = [{{ at = {at}, width = {width}, sill = {sill}, courses = {side}, \
                 lintel = {{ stones = {stones}, embrace_deg = {embrace} }} }}]\n"
            );
            open = width * side as f64 * 0.15;
        }
        if let Ok(AnyModel::Three(model)) = built(3, &keys) {
            let thickness = if bond == 0 { 0.2 } else { 0.4 };
            let solid = thickness * (length * courses as f64 * 0.15 - open);
            prop_assert!((volume(&model) - solid).abs() < 1e-11 * solid.max(1.0), "{} {}", volume(&model), solid);
            closed_area(&model);
            let stated = if bond == 0 { 0.4 * share } else { 0.1 };
            prop_assert!(smallest_overlap(&model) > stated - 1e-12, "{}", smallest_overlap(&model));
        } else {
            // walls that are refused: an opening too near to an end
            prop_assert!(window.is_some() && length < 3.5);
        }
    }

    #[test]
    fn any_stepped_arch_is_closed(
        width in 2.0f64..8.0,
        share in prop::option::of(0.25f64..0.95),
        thickness in 0.08f64..0.2,
        voussoirs in 9u64..31,
        course in 0.03f64..0.1,
    ) {
        let rise = share.map_or(width / 2.0, |share| share * width / 2.0);
        let height = 0.1 * width + rise + 2.0 * thickness * width + 2.0 * course * width;
        let courses = (height / (course * width)).ceil() as u64 + 1;
        let rise_key = share.map_or(String::new(), |_| format!(", rise = {rise}"));
        let keys = format!(
            "length = {}\ncourses = {courses}\nbrick = [{}, 0.3, {}]\nground = \"block\"\n\
             openings = [{{ width = {width}, courses = 1, arch = {{ thickness = {}, voussoirs = {voussoirs}{rise_key} }} }}]",
            3.0 * width, 0.25 * width, course * width, thickness * width
        );
        match built(3, &keys) {
            Ok(AnyModel::Three(model)) => {
                closed_area(&model);
                // the opening is a polygon inscribed in the circle: less than the segment, more than the triangle in it
                let opening = 3.0 * width * courses as f64 * course * width - volume(&model) / 0.3 - width * course * width;
                let radius = (width * width / 4.0 + rise * rise) / (2.0 * rise);
                let half = 2.0 * (2.0 * rise / width).atan();
                let segment = radius * radius * (half - half.sin() * half.cos());
                prop_assert!(opening < segment + 1e-9 && opening > 0.9 * segment, "{opening} {segment}");
                let tags = |tag: &str| free(&model).filter(|body| body.tags.iter().any(|t| t == tag)).count();
                prop_assert_eq!(tags("voussoirs") as u64, voussoirs);
            }
            Ok(AnyModel::Two(_)) => prop_assert!(false),
            Err(message) => prop_assert!(
                ["does not end at a bed joint", "overhang", "reaches course", "would have no volume"]
                    .iter()
                    .any(|reason| message.contains(reason)),
                "{message}"
            ),
        }
    }
}
