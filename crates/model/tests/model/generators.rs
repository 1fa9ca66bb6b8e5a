//! Bodies of generators: counts, volumes, closed joints, symmetry.

use std::path::Path;

use voussoir_geometry::{D2, D3, Solid, Space, Vector};
use voussoir_mechanics::inspect::inspect;
use voussoir_mechanics::model::{Body, Model, Role};
use voussoir_model::{AnyModel, Scene, build};

/// A scene with one generated body; `keys` are the lines of its table.
fn scene(dim: usize, keys: &str) -> String {
    format!(
        "dim = {dim}\n[materials.stone]\ndensity = 1000.0\n[[joints]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\n\
         [[bodies]]\nname = \"g\"\nmaterial = \"stone\"\n{keys}\n"
    )
}

fn built(dim: usize, keys: &str) -> AnyModel {
    let scene = Scene::parse(&scene(dim, keys), "g.toml").unwrap_or_else(|e| panic!("{}", e.render()));
    build(&scene, Path::new(".")).unwrap_or_else(|e| panic!("{}", e.render())).model
}

fn three(keys: &str) -> Model<D3> {
    match built(3, keys) {
        AnyModel::Three(model) => std::sync::Arc::unwrap_or_clone(model),
        AnyModel::Two(_) => panic!("2D"),
    }
}

fn two(keys: &str) -> Model<D2> {
    match built(2, keys) {
        AnyModel::Two(model) => std::sync::Arc::unwrap_or_clone(model),
        AnyModel::Three(_) => panic!("3D"),
    }
}

fn refused(dim: usize, keys: &str) -> String {
    let scene = Scene::parse(&scene(dim, keys), "g.toml").unwrap_or_else(|e| panic!("{}", e.render()));
    build(&scene, Path::new(".")).expect_err("must be refused").message
}

fn free<S: Space>(model: &Model<S>) -> Vec<&Body<S>> {
    model.bodies.iter().filter(|body| body.role == Role::Free).collect()
}

fn volume<S: Space>(model: &Model<S>) -> f64 {
    free(model).iter().map(|body| body.mass).sum::<f64>() / 1000.0
}

/// Area of all closed interfaces, after making sure that they are closed to rounding.
fn closed_area<S: Space>(model: &Model<S>, rounding: f64) -> f64 {
    let inspection = inspect(model, Some(1e-6));
    assert!(inspection.overlaps.is_empty());
    assert!(inspection.floating.is_empty(), "{:?}", inspection.floating);
    let mut area = 0.0;
    for interface in &inspection.interfaces {
        assert!(interface.worst_gap.abs() < rounding, "{:?} {:e}", interface.bodies, interface.worst_gap);
        area += interface.area;
    }
    area
}

#[test]
fn walls_have_the_bricks_of_running_bond() {
    for (courses, bricks, expected) in [(20, 10, 210), (60, 40, 2430), (1, 1, 1), (2, 1, 3)] {
        let brick = "brick = [0.5, 0.25, 0.25]";
        let model = three(&format!(
            "generator = \"wall\"\ncourses = {courses}\nbricks = {bricks}\n{brick}\nground = \"block\""
        ));
        assert_eq!(free(&model).len(), expected);
        assert_eq!(model.bodies.len(), expected + 1);
        let solid = (courses * bricks) as f64 * 0.5 * 0.25 * 0.25;
        assert!((volume(&model) - solid).abs() < 1e-9 * solid);
    }
}

#[test]
fn bricks_meet_in_closed_joints() {
    // any size, also one that is no binary fraction
    let (l, w, h) = (0.31, 0.17, 0.11);
    let (courses, n) = (5usize, 4usize);
    let keys =
        format!("generator = \"wall\"\ncourses = {courses}\nbricks = {n}\nbrick = [{l}, {w}, {h}]\nground = \"block\"");
    let area = closed_area(&three(&keys), 1e-14);
    // bed joints of every course over their whole length, head joints: n − 1 in even courses, n in odd ones
    let beds = (courses * n) as f64 * l * w;
    let heads = (3 * (n - 1) + 2 * n) as f64 * w * h;
    assert!((area - beds - heads).abs() < 1e-9, "{area} {}", beds + heads);

    let keys =
        format!("generator = \"wall\"\ncourses = {courses}\nbricks = {n}\nbrick = [{l}, {h}]\nground = \"block\"");
    let length = closed_area(&two(&keys), 1e-14);
    assert!((length - (beds + heads) / w).abs() < 1e-9, "{length}");
}

#[test]
fn head_joints_may_be_open() {
    let (l, w, h, gap) = (0.31, 0.17, 0.11, 0.003);
    let (courses, n) = (5, 4.0);
    let keys = |gap: f64| {
        format!(
            "generator = \"wall\"\ncourses = {courses}\nbricks = {n}\nbrick = [{l}, {w}, {h}]\nhead_gap = {gap}\nground = \"block\""
        )
    };
    // bed joints alone, without what is over a gap or under one; at its ends the wall is half a gap shorter
    let beds = n * (l - gap) * w + f64::from(courses - 1) * n * (l - 2.0 * gap) * w;
    let area = closed_area(&three(&keys(gap)), 1e-14);
    assert!((area - beds).abs() < 1e-9, "{area} {beds}");
    for wrong in [-0.001, l / 2.0] {
        let message = refused(3, &keys(wrong));
        assert!(message.contains("less than a half brick, 0.155 m"), "{message}");
    }
}

#[test]
fn parts_have_names_and_tags() {
    let model = three("generator = \"wall\"\ncourses = 2\nbricks = 2\nbrick = [0.5, 0.25, 0.25]\ntags = [\"old\"]");
    let names: Vec<&str> = model.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "g.ground",
            "g.course[0].brick[0]",
            "g.course[0].brick[1]",
            "g.course[1].brick[0]",
            "g.course[1].brick[1]",
            "g.course[1].brick[2]"
        ]
    );
    assert_eq!(model.bodies[3].tags, ["half", "old"]);
    assert_eq!(model.bodies[4].tags, ["whole", "old"]);
    // the half brick at the left end
    assert_eq!(model.bodies[3].pose.position.to_array(), [-0.375, 0.0, 0.375]);
    assert_eq!(model.bodies[0].role, Role::Support(None));
}

#[test]
fn stacks_and_columns_stand_on_each_other() {
    let model = three("generator = \"stack\"\ncount = 50\nsize = 0.3");
    assert_eq!(free(&model).len(), 50);
    assert!((closed_area(&model, 1e-14) - 50.0 * 0.09).abs() < 1e-9);
    assert!((volume(&model) - 50.0 * 0.027).abs() < 1e-9);
    let model = two("generator = \"stack\"\ncount = 3\nsize = [2.0, 0.5]\nground = \"block\"");
    assert!((closed_area(&model, 1e-14) - 6.0).abs() < 1e-12);

    let model = three("generator = \"stack\"\ncount = 3\nsize = 1.0\ngap = 0.01");
    assert!((model.bodies[3].pose.position.z - 2.53).abs() < 1e-12);

    // a prism with a regular 12-gon: area 3 r²
    let model = three("generator = \"column\"\ndrums = 4\ndrum_height = 0.7\nradius = 0.5\nsides = 12");
    assert!((volume(&model) - 3.0 * 0.25 * 2.8).abs() < 1e-12);
    assert!((closed_area(&model, 1e-14) - 4.0 * 0.75).abs() < 1e-9);

    // tapered: the frusta add up to one frustum, h/3 (A₁ + √(A₁A₂) + A₂)
    let model =
        three("generator = \"column\"\ndrums = 4\ndrum_height = 0.7\nradius = 0.5\ntop_radius = 0.4\nsides = 12");
    let (bottom, top) = (0.75, 3.0 * 0.16);
    let frustum = 2.8 / 3.0 * (bottom + f64::sqrt(bottom * top) + top);
    assert!((volume(&model) - frustum).abs() < 1e-12, "{}", volume(&model));
    let model = two("generator = \"column\"\ndrums = 4\ndrum_height = 0.7\nradius = 0.5\ntop_radius = 0.4");
    assert!((volume(&model) - 2.8 * 0.9).abs() < 1e-12);
    closed_area(&model, 1e-14);
}

const ARCHES: [&str; 6] = [
    "radius = 3.8\nvoussoirs = 27",
    "span = 7.6\nvoussoirs = 14",
    "radius = 10.0\nembrace_deg = 157.5\nvoussoirs = 7",
    "kind = \"segmental\"\nspan = 18.3\nrise = 2.85\nvoussoirs = 62",
    "kind = \"pointed\"\nspan = 4.0\nvoussoirs = 16",
    "kind = \"flat\"\nspan = 2.0\nvoussoirs = 9",
];

#[test]
fn arches_are_symmetric_and_their_joints_are_closed() {
    for keys in ARCHES {
        let thickness = 0.6;
        let model = three(&format!("generator = \"arch\"\nthickness = {thickness}\nwidth = 0.8\n{keys}"));
        let voussoirs = free(&model);
        for (left, right) in voussoirs.iter().zip(voussoirs.iter().rev()) {
            let (a, b) = (left.pose.position, right.pose.position);
            assert!((a.x + b.x).abs() < 1e-12 && (a.z - b.z).abs() < 1e-12, "{keys}");
            assert!((left.mass - right.mass).abs() < 1e-9 * left.mass);
        }
        // numbered from left to right
        assert!(voussoirs.windows(2).all(|w| w[0].pose.position.x < w[1].pose.position.x));
        let held: Vec<_> =
            model.bodies.iter().filter(|body| body.role != Role::Free).map(|b| b.name.as_str()).collect();
        assert_eq!(held, ["g.springer[0]", "g.springer[1]"]);
        let area = closed_area(&model, 1e-13);
        let joints = (voussoirs.len() + 1) as f64;
        // joints are as long as the ring is thick, longer in flat and pointed arches
        let least = joints * thickness * 0.8;
        assert!(area > least - 1e-9 && area < 1.2 * least, "{keys}: {area} {least}");

        let flat = two(&format!("generator = \"arch\"\nthickness = {thickness}\n{keys}"));
        assert!((closed_area(&flat, 1e-13) - area / 0.8).abs() < 1e-9);
        assert!((volume(&flat) - volume(&model) / 0.8).abs() < 1e-9);
    }
}

#[test]
fn arches_have_the_area_of_their_polygons() {
    // n trapezes between two regular polygons: n/2 sin(α) (R² − r²)
    let (r, t, n) = (3.8f64, 0.6, 27.0);
    let model = two("generator = \"arch\"\nradius = 3.8\nthickness = 0.6\nvoussoirs = 27");
    let exact = n / 2.0 * (std::f64::consts::PI / n).sin() * ((r + t) * (r + t) - r * r);
    assert!((volume(&model) - exact).abs() < 1e-12);
    // Bridgemill: span 18.3 m, rise 2.85 m give an inner radius of 16.113 m and a half angle of 34.60°
    let model =
        two("generator = \"arch\"\nkind = \"segmental\"\nspan = 18.3\nrise = 2.85\nthickness = 0.711\nvoussoirs = 62");
    let (r, angle) = (16.113f64, 2.0 * 34.60f64.to_radians());
    let exact = 31.0 * (angle / 62.0).sin() * ((r + 0.711) * (r + 0.711) - r * r);
    assert!((volume(&model) / exact - 1.0).abs() < 1e-3);
    // a flat arch is a trapeze: the mean of both lengths times the height
    let model = two("generator = \"arch\"\nkind = \"flat\"\nspan = 2.0\nthickness = 0.4\nvoussoirs = 5");
    let top = 2.0 + 2.0 * 0.4 * 30f64.to_radians().tan();
    assert!((volume(&model) - 0.4 * (2.0 + top) / 2.0).abs() < 1e-12);
}

#[test]
fn the_middle_voussoir_is_the_keystone() {
    let model = three("generator = \"arch\"\nradius = 3.8\nthickness = 0.6\nwidth = 0.8\nvoussoirs = 27");
    let keystones: Vec<_> = model.bodies.iter().filter(|b| b.tags.iter().any(|t| t == "keystone")).collect();
    assert_eq!(keystones.len(), 1);
    assert_eq!(keystones[0].name, "g.voussoir[13]");
    assert!(keystones[0].pose.position.x.abs() < 1e-15);
}

#[test]
fn impossible_arches_are_refused() {
    for (keys, reason) in [
        ("voussoirs = 9", "needs `span` or `radius`"),
        ("radius = 3.0\nrise = 1.0\nvoussoirs = 9", "use kind = \"segmental\""),
        ("radius = 3.0\nvoussoirs = 1", "more than 90 degrees"),
        ("kind = \"segmental\"\nspan = 3.0\nvoussoirs = 9", "exactly two of"),
        ("kind = \"segmental\"\nspan = 9.0\nradius = 3.0\nvoussoirs = 9", "more than twice the radius"),
        ("kind = \"pointed\"\nspan = 3.0\nvoussoirs = 9", "even number"),
        ("kind = \"pointed\"\nspan = 3.0\nrise = 1.0\nvoussoirs = 8", "at least as high as a half circle"),
        ("kind = \"flat\"\nspan = 3.0\nrise = 1.0\nvoussoirs = 8", "no meaning for a flat arch"),
    ] {
        let message = refused(3, &format!("generator = \"arch\"\nthickness = 0.6\nwidth = 0.8\n{keys}"));
        assert!(message.contains(reason), "{keys}: {message}");
    }
    assert!(
        refused(2, "generator = \"arch\"\nradius = 1\nthickness = 0.1\nwidth = 1\nvoussoirs = 9").contains("`depth`")
    );
}

#[test]
fn piles_are_loose_repeatable_and_inside_their_container() {
    for stone in ["polyhedron", "sphere", "box"] {
        let keys = |seed: u64| {
            format!(
                "generator = \"pile\"\ncount = 40\nsize = 0.2\nseed = {seed}\nstone = \"{stone}\"\ncontainer = [0.7, 0.9]"
            )
        };
        let model = three(&keys(3));
        assert_eq!(free(&model).len(), 40);
        assert_eq!(model.bodies.len(), 40 + 5);
        // nothing touches: no interface within a small distance
        assert_eq!(inspect(&model, Some(1e-4)).contacts, 0, "{stone}");
        for body in free(&model) {
            let bounds = body.shape.bounds(&body.pose);
            assert!(bounds.min.x > -0.35 && bounds.max.x < 0.35 && bounds.min.y > -0.45 && bounds.max.y < 0.45);
            assert!(bounds.min.z > 0.0);
            assert!(body.shape.size() < 0.22 && body.shape.size() > 0.09, "{}", body.shape.size());
        }
        let positions = |model: &Model<D3>| model.bodies.iter().map(|b| b.pose.position.to_array()).collect::<Vec<_>>();
        assert_eq!(positions(&model), positions(&three(&keys(3))));
        assert_ne!(positions(&model), positions(&three(&keys(4))));

        let model = two(&format!("generator = \"pile\"\ncount = 30\nstone = \"{stone}\"\ncontainer = 0.9"));
        assert_eq!(free(&model).len(), 30);
        assert_eq!(inspect(&model, Some(1e-4)).contacts, 0, "{stone}");
    }
    assert!(refused(3, "generator = \"pile\"\ncount = 40\ncontainer = 0.1").contains("narrower than one stone"));
}

#[test]
fn counts_are_checked_before_anything_is_made() {
    for keys in [
        "generator = \"stack\"\ncount = 9000000000000000000\nsize = 1",
        "generator = \"wall\"\ncourses = 4000000000\nbricks = 4000000000\nbrick = [1, 1, 1]",
        "generator = \"pile\"\ncount = 5000001",
        "generator = \"arch\"\nradius = 1\nthickness = 0.1\nwidth = 1\nvoussoirs = 6000000",
        "generator = \"column\"\ndrums = 6000000\ndrum_height = 1\nradius = 1",
    ] {
        let message = refused(3, keys);
        assert!(message.contains("at most 5000000"), "{message}");
    }
}

#[test]
fn generators_can_be_moved_and_turned() {
    let model = three(
        "generator = \"stack\"\ncount = 2\nsize = 1.0\nposition = [1.0, 2.0, 3.0]\n\
         rotation = { axis = [0, 1, 0], angle_deg = 90 }\nvelocity = [0.5, 0, 0]",
    );
    // up becomes x
    let position = model.bodies[2].pose.position;
    assert!((position - voussoir_geometry::glam::DVec3::new(2.5, 2.0, 3.0)).length() < 1e-12, "{position}");
    assert_eq!(model.bodies[2].velocity.get(0), 0.5);
}

/// Inner corners of the joints of an arch with these keys, left to right.
fn intrados(keys: &str) -> Vec<[f64; 2]> {
    let text = format!(
        "dim = 2\nmaterials.stone.density = 2000.0\njoints = [{{ between = [\"*\", \"*\"], friction = 0.6 }}]\n\
         bodies = [{{ name = \"arch\", generator = \"arch\", {keys}, thickness = 0.4, voussoirs = 40, material = \"stone\" }}]\n"
    );
    let scene = voussoir_model::Scene::parse(&text, "arch.toml").unwrap();
    let built = voussoir_model::build(&scene, std::path::Path::new(".")).unwrap();
    let voussoir_model::AnyModel::Two(model) = &built.model else { unreachable!("a plane scene") };
    let mut corners = Vec::new();
    for body in model.bodies.iter().filter(|body| body.name.contains("voussoir")) {
        let voussoir_geometry::Shape2::Polygon(polygon) = &*body.shape else { unreachable!("straight sides") };
        corners.extend(polygon.vertices().iter().map(|&corner| body.pose.point(corner).to_array()));
    }
    corners
}

#[test]
fn parabolic_arches_follow_their_parabola() {
    let corners = intrados("kind = \"parabolic\", span = 18.3, rise = 2.85");
    let height = |x: f64| 2.85 * (1.0 - (x / 9.15) * (x / 9.15));
    // two of four corners of each voussoir are on the intrados, the others above it
    let on = corners.iter().filter(|[x, y]| (y - height(*x)).abs() < 1e-9).count();
    assert_eq!(on, 80);
    assert!(corners.iter().all(|[x, y]| *y > height(*x) - 1e-9));
}

#[test]
fn three_centred_arches_spring_vertically() {
    let corners = intrados("kind = \"three-centred\", span = 10.0, rise = 3.5, radius = 2.5");
    // side arcs about (±2.5, 0), crown arc of radius 6.125 about (0, −2.625)
    let on = |[x, y]: &[f64; 2]| {
        let side = (x.abs() - 2.5).hypot(*y) - 2.5;
        let crown = x.hypot(y + 2.625) - 6.125;
        side.abs() < 1e-9 || crown.abs() < 1e-9
    };
    assert_eq!(corners.iter().filter(|corner| on(corner)).count(), 80);
    assert!(corners.iter().any(|[x, y]| (x + 5.0).abs() < 1e-9 && y.abs() < 1e-9));
    assert!(corners.iter().any(|[x, y]| x.abs() < 1e-9 && (y - 3.5).abs() < 1e-9));
}
