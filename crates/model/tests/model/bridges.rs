//! Bridges and flying buttresses: closed joints, areas, the rings of arches, errors.

use proptest::prelude::*;
use voussoir_geometry::{D2, Solid, Vector};
use voussoir_mechanics::model::{Model, Role};

use crate::generated::{built, closed_area, free, three, two, volume};

const BRIDGEMILL: &str = "{ kind = \"segmental\", span = 18.3, rise = 2.85, thickness = 0.711, voussoirs = 62 }";

/// Area of the bodies with a tag.
fn area(model: &Model<D2>, tag: &str) -> f64 {
    free(model).filter(|body| body.tags.iter().any(|t| t == tag)).map(|body| body.mass).sum::<f64>() / 1000.0
}

#[test]
fn a_bridge_of_one_span_has_the_voussoirs_of_the_arch() {
    let bridge = two(&format!("generator = \"bridge\"\nspans = [{BRIDGEMILL}]"));
    let arch =
        two("generator = \"arch\"\nkind = \"segmental\"\nspan = 18.3\nrise = 2.85\nthickness = 0.711\nvoussoirs = 62");
    assert_eq!(bridge.bodies.len(), arch.bodies.len());
    for (a, b) in bridge.bodies.iter().zip(&arch.bodies) {
        assert_eq!(a.role, b.role);
        assert!((a.pose.position - b.pose.position).length() < 1e-12 && (a.mass - b.mass).abs() < 1e-9, "{}", a.name);
    }
    assert_eq!(bridge.bodies[61].name, "g.span[0].voussoir[61]");
    assert_eq!(bridge.bodies[63].name, "g.springer[1]");
}

#[test]
fn abutments_end_at_the_outer_springing_points_and_walls_at_the_road() {
    let model = two(&format!(
        "generator = \"bridge\"\nspans = [{BRIDGEMILL}]\nroad = [[0.0, 4.039]]\nabutments = {{ length = 2.0, height = 1.0, wall = 0.5 }}"
    ));
    closed_area(&model);
    let top = |name: &str| {
        let body = model.bodies.iter().find(|body| body.name == name).unwrap();
        let points = body.shape.surface(1.0).points;
        let all: Vec<[f64; 2]> =
            points.iter().map(|p| body.pose.point(Vector::from_slice(&p[..2])).to_array()).collect();
        let most = |k: usize| all.iter().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max);
        [most(0), most(1)]
    };
    // outer springing points (±9.553748, 0.585243)
    let [x, y] = top("g.abutment[1]");
    assert!((x - 11.553748).abs() < 1e-6 && (y - 0.585243).abs() < 1e-6, "{x} {y}");
    let [x, y] = top("g.abutment[0].wall");
    assert!((x + 11.553748).abs() < 1e-6 && y == 4.039, "{x} {y}");
    assert!(model.bodies.iter().filter(|body| body.name.contains("abutment")).all(|body| body.role != Role::Free));
}

#[test]
fn spandrels_fill_the_space_between_rings_and_road() {
    // three spans of different kinds; the area is that between the road and the line of the outer points
    let spans = [
        "{ kind = \"semicircular\", span = 4.0, thickness = 0.4, voussoirs = 15 }",
        BRIDGEMILL,
        "{ kind = \"three-centred\", span = 6.0, rise = 2.0, thickness = 0.5, voussoirs = 21 }",
    ]
    .join(", ");
    let keys = format!(
        "generator = \"bridge\"\nspans = [{spans}]\npiers = [{{ width = 2.2, height = 4.0, courses = 5, foot = 3.0 }}]\n\
         abutments = {{ length = 1.5, height = 1.0, courses = 2 }}\nroad = [[-20.0, 4.2], [2.0, 5.0], [20.0, 4.4]]\n\
         spandrel = {{ course = 0.5, brick = 1.1 }}\n"
    );
    let bare = two(&keys);
    let backed = two(&format!("{keys}backing = 1.3"));
    let rings = two(&keys.replace("spandrel = { course = 0.5, brick = 1.1 }\n", ""));
    for model in [&bare, &backed, &rings] {
        closed_area(model);
    }
    let above = area(&bare, "spandrel");
    let filled = area(&backed, "spandrel") + area(&backed, "backing");
    assert!(area(&backed, "backing") > 2.0 && volume(&rings) < volume(&bare));
    // outer joints of the rings, from the stones themselves
    let mut outer: Vec<[f64; 2]> = Vec::new();
    for body in rings.bodies.iter().filter(|body| body.name.contains("span[")) {
        let points = body.shape.surface(1.0).points;
        let all: Vec<[f64; 2]> =
            points.iter().map(|p| body.pose.point(Vector::from_slice(&p[..2])).to_array()).collect();
        // a voussoir is [inner left, inner right, outer right, outer left]
        outer.extend([all[3], all[2]]);
    }
    outer.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let ends = [outer[0], outer[outer.len() - 1]];
    outer.insert(0, [ends[0][0] - 1.5, ends[0][1]]);
    outer.push([ends[1][0] + 1.5, ends[1][1]]);
    let below: f64 = outer.windows(2).map(|p| 0.5 * (p[1][0] - p[0][0]) * (p[0][1] + p[1][1])).sum();
    let road = |x: f64| if x < 2.0 { 4.2 + 0.8 * (x + 20.0) / 22.0 } else { 5.0 - 0.6 * (x - 2.0) / 18.0 };
    let (from, to) = (outer[0][0], outer[outer.len() - 1][0]);
    let total = 0.5 * ((2.0 - from) * (road(from) + 5.0) + (to - 2.0) * (5.0 + road(to))) - below;
    assert!(filled < total + 1e-9 && filled > 0.999 * total, "{filled} {total}");
    assert!(above < total + 1e-9 && above > 0.999 * total, "{above} {total}");
}

#[test]
fn bridges_in_space_have_walls_at_both_faces() {
    let keys = "generator = \"bridge\"\nspans = [{ kind = \"segmental\", span = 4.0, rise = 1.0, thickness = 0.4, voussoirs = 15 }]\n\
                road = [[0.0, 2.0]]\nabutments = { length = 1.0 }\nwidth = 3.0\nspandrel = { course = 0.4, brick = 0.9, thickness = 0.5 }";
    let model = three(keys);
    closed_area(&model);
    let walls: Vec<_> = free(&model).filter(|body| body.tags.iter().any(|tag| tag == "spandrel")).collect();
    assert!(walls.iter().all(|body| (body.pose.position.y.abs() - 1.25).abs() < 1e-12));
    assert_eq!(walls.iter().filter(|body| body.pose.position.y > 0.0).count() * 2, walls.len());
    assert!(
        built(3, &keys.replace("thickness = 0.5 }", "thickness = 1.6 }"))
            .unwrap_err()
            .contains("wider than the bridge")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn all_joints_of_random_bridges_are_closed(
        spans in prop::collection::vec((0usize..5, 2.0f64..9.0, 0.15f64..0.45, 6u64..14), 1..5),
        pier in (2.0f64..4.0, 1.0f64..6.0, 1u64..5),
        backing in prop::option::of(0.3f64..0.8),
        courses in prop::option::of(1u64..4),
    ) {
        let kinds = ["semicircular", "segmental", "pointed", "parabolic", "three-centred"];
        let written: Vec<String> = spans.iter().map(|(kind, span, ratio, stones)| {
            let rise = if *kind == 0 { String::new() } else if *kind == 2 { format!("rise = {:?},", 0.7 * span) } else { format!("rise = {:?},", ratio * span) };
            format!("{{ kind = \"{}\", span = {span:?}, {rise} thickness = 0.5, voussoirs = {} }}", kinds[*kind], 2 * stones)
        }).collect();
        let piers = if spans.len() > 1 { format!("piers = [{{ width = {:?}, height = {:?}, courses = {} }}]\n", pier.0, pier.1, pier.2) } else { String::new() };
        let backing = backing.map_or(String::new(), |level| format!("backing = {level:?}\n"));
        let courses = courses.map_or(String::new(), |courses| format!(", courses = {courses}"));
        let keys = format!(
            "generator = \"bridge\"\nspans = [{}]\n{piers}{backing}abutments = {{ length = 1.0{courses} }}\nroad = [[-3.0, 8.0], [4.0, 8.4]]\nspandrel = {{ course = 0.6, brick = 1.0 }}",
            written.join(", ")
        );
        match built(2, &keys) {
            Ok(_) => { closed_area(&two(&keys)); }
            // a level may lie below all extradoses
            Err(message) => prop_assert!(message.contains("no part of the extrados"), "{message}\n{keys}"),
        }
    }
}

#[test]
fn bridges_that_cannot_be_built_are_explained() {
    let fails = |keys: &str| built(2, &format!("generator = \"bridge\"\n{keys}")).unwrap_err();
    let span = "{ span = 4.0, thickness = 0.4, voussoirs = 15 }";
    assert!(fails("spans = []").contains("at least one span"));
    assert!(fails(&format!("spans = [{span}, {span}]")).contains("2 spans need 1 piers"));
    let narrow = format!("spans = [{span}, {span}]\npiers = [{{ width = 0.5, height = 2.0 }}]");
    assert!(fails(&narrow).contains("at least 0.800 m wide"));
    assert!(fails(&format!("spans = [{span}]\nroad = [[0.0, 2.0]]")).contains("below the masonry"));
    assert!(
        fails(&format!("spans = [{span}]\nspandrel = {{ course = 0.5, brick = 1.0 }}"))
            .contains("`road`, which is missing")
    );
    assert!(fails(&format!("spans = [{span}]\nbacking = -1.0")).contains("lowest point"));
    assert!(
        fails("spans = [{ span = 4.0, thickness = 0.4, voussoirs = 15, embrace_deg = 200.0 }]").contains("at most 180")
    );
}

#[test]
fn flying_buttresses_lean_on_their_wall() {
    let keys = "generator = \"flying-buttress\"\nspan = 6.0\nrise = 4.0\nthickness = 0.5\nvoussoirs = 12\npier_width = 1.8\n\
                pier_height = 8.0\ncourses = 10\npinnacle = 2.0\ncoping = [3.0, 0.2]";
    let model = two(keys);
    // springing joint, head joint and the joints between them; pier, skewback, pinnacle; coping
    closed_area(&model);
    let head = model.bodies.iter().find(|body| body.name == "g.voussoir[11]").unwrap();
    let wall = model.bodies.iter().find(|body| body.name == "g.wall").unwrap();
    assert!(wall.role != Role::Free && head.pose.position.x < 0.0);
    let right = |body: &voussoir_mechanics::model::Body<D2>| {
        let points = body.shape.surface(1.0).points;
        points.iter().map(|p| body.pose.point(Vector::from_slice(&p[..2])).x).fold(f64::NEG_INFINITY, f64::max)
    };
    assert_eq!(right(head), 0.0);
    // half of the ring of 12 m span and 4 m rise: R = (a² + f²)/2f = 6.5 m
    let (radius, angle) = (6.5f64, 2.0 * (4.0f64 / 6.0).atan() / 12.0);
    let ring = 12.0 * 0.5 * ((radius + 0.5).powi(2) - radius.powi(2)) * angle.sin();
    assert!((area(&model, "voussoirs") - ring).abs() < 1e-9 * ring);
    assert!(area(&model, "coping") > 0.0);
    let message = built(2, &keys.replace("[3.0, 0.2]", "[0.1, 0.2]")).unwrap_err();
    assert!(message.contains("cut the extrados"), "{message}");
    assert!(
        built(2, &keys.replace("pier_width = 1.8", "pier_width = 0.2")).unwrap_err().contains("wider than the pier")
    );
    closed_area(&three(&format!("{keys}\nwidth = 1.0")));
}
