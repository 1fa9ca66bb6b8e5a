//! Scenes as models: numbers, selections, round trips, the schema.

use std::f64::consts::FRAC_PI_2;
use std::path::Path;

use voussoir_geometry::{D2, D3, glam::DVec2, glam::DVec3};
use voussoir_mechanics::model::{GapRule, Model, MotionQuantity, Restitution, Role};
use voussoir_mechanics::time_function::TimeFunction;
use voussoir_model::{AnyModel, Built, CheckpointInterval, Scene, build, render, schema, templates};

const EVERYTHING: &str = include_str!("everything.toml");

fn built(text: &str) -> Built {
    let scene = Scene::parse(text, "scene.toml").unwrap_or_else(|e| panic!("{}", e.render()));
    build(&scene, Path::new(".")).unwrap_or_else(|e| panic!("{}", e.render()))
}

fn three(text: &str) -> Model<D3> {
    match built(text).model {
        AnyModel::Three(model) => std::sync::Arc::unwrap_or_clone(model),
        AnyModel::Two(_) => panic!("2D"),
    }
}

fn two(text: &str) -> Model<D2> {
    match built(text).model {
        AnyModel::Two(model) => std::sync::Arc::unwrap_or_clone(model),
        AnyModel::Three(_) => panic!("3D"),
    }
}

fn index<S: voussoir_geometry::Space>(model: &Model<S>, name: &str) -> usize {
    model.bodies.iter().position(|body| body.name == name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn scenes_survive_being_written_and_read_again() {
    let mut texts = vec![EVERYTHING.to_string()];
    for template in templates() {
        if !template.parameters().any(|parameter| parameter.key == "dim") {
            texts.push(render(template.name, &[]).expect("valid"));
            continue;
        }
        for dim in [2, 3] {
            match render(template.name, &[("dim", &dim.to_string())]) {
                Ok(text) => texts.push(text),
                // some structures have no form in the plane, floes none in space, and say so
                Err(error) => {
                    assert!(error.to_string().contains("dim"), "{}: {error}", template.name);
                    assert!(!template.dimensions.contains(&dim), "{}", template.name);
                }
            }
        }
    }
    for text in texts {
        let scene = Scene::parse(&text, "a.toml").unwrap_or_else(|e| panic!("{}", e.render()));
        let written = scene.to_toml().expect("can be written");
        let mut again = Scene::parse(&written, "a.toml").unwrap_or_else(|e| panic!("{}", e.render()));
        again.source = scene.source.clone();
        assert_eq!(scene, again);
    }
}

#[test]
fn numbers_arrive_in_the_model() {
    let built = built(EVERYTHING);
    let AnyModel::Three(model) = &built.model else { panic!("2D") };
    assert_eq!(built.title, "Everything that a 3D scene can say");
    assert_eq!(model.gravity, DVec3::new(0.0, 0.0, -9.81));
    // materials are ordered by name
    let (steel, stone) = (0, 1);
    assert_eq!(model.joints.between(stone, stone).friction, 0.6);
    assert_eq!(model.joints.between(stone, stone).restitution, Restitution::Poisson(0.1));
    assert_eq!(model.joints.between(stone, steel).restitution, Restitution::Newton(0.3));
    assert_eq!(model.joints.between(steel, steel).friction, 0.2);

    let block = &model.bodies[index(model, "block")];
    assert!((block.mass - 600.0).abs() < 1e-9);
    assert_eq!(block.tags, ["low", "old"]);
    let ball = &model.bodies[index(model, "ball")];
    assert!((ball.mass - 7850.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.008).abs() < 1e-9);
    assert_eq!((ball.velocity, ball.spin), (DVec3::new(0.0, 0.0, -1.0), DVec3::Y));
    // a tetrahedron: its axes are at the centroid, where the corner is says the position
    let wedge = &model.bodies[index(model, "wedge")];
    assert!((wedge.mass - 2400.0 / 6.0).abs() < 1e-9);
    let corner = wedge.pose.point(DVec3::splat(-0.25));
    assert!((corner - DVec3::new(5.0, 0.0, 1.0)).length() < 1e-12, "{corner}");
    // a quarter turn about z
    let hull = &model.bodies[index(model, "hull")];
    assert!((hull.pose.direction(DVec3::X) - DVec3::Y).length() < 1e-12);
    // a T of two boxes: centroid between the bar and the stem
    let tee = &model.bodies[index(model, "tee")];
    assert!((tee.mass - 7850.0 * 0.08).abs() < 1e-9);
    assert!((tee.pose.position - DVec3::new(11.0, 0.0, 1.8)).length() < 1e-12, "{}", tee.pose.position);

    assert_eq!(model.bodies[index(model, "ground")].role, Role::Support(None));
    assert_eq!(model.bodies[index(model, "slope")].role, Role::Support(None));
    assert_eq!(model.bodies[index(model, "arch.springer[0]")].role, Role::Support(Some(0)));
    assert_eq!(model.bodies[index(model, "arch.springer[1]")].role, Role::Support(Some(1)));
    let motion = &model.motions[1];
    assert_eq!(motion.quantity, MotionQuantity::Acceleration);
    assert_eq!(motion.rotation, DVec3::new(0.0, 0.1, 0.0));
    let TimeFunction::Sine { phase, start, end, .. } = motion.function else { panic!("no sine") };
    assert_eq!((phase, start, end), (FRAC_PI_2, 0.1, 0.6));

    assert_eq!(model.loads.len(), 4);
    let names: Vec<&str> = model.loads.iter().map(|load| model.bodies[load.body].name.as_str()).collect();
    assert_eq!(names, ["arch.voussoir[3]", "arch.voussoir[4]", "arch.voussoir[5]", "block"]);
    assert_eq!(model.loads[0].function, TimeFunction::Table(vec![(0.1, 0.0), (0.2, 1.0)]));
    // the point is given in the world and kept in body axes
    assert_eq!(model.loads[3].point, DVec3::new(0.5, 0.0, 0.0));

    let stage = &built.stages[0];
    assert_eq!((stage.steps(), stage.dynamic().unwrap().step), (500, 1e-3));
    assert_eq!(stage.dynamic().unwrap().gap, GapRule::Stabilized(0.05));
    assert_eq!(stage.dynamic().unwrap().alert, Some(0.01));
    assert_eq!((built.record.every, built.record.checkpoint), (5, CheckpointInterval::Steps(100)));
}

#[test]
fn bodies_in_the_plane_have_a_depth() {
    let text = r#"
dim = 2
depth = 0.5
gravity = 10
[materials.stone]
density = 2000
[[joints]]
between = ["*", "*"]
friction = 0.6
[[bodies]]
name = "ground"
material = "stone"
shape = "half-plane"
normal = [0, 2]
[[bodies]]
name = "r"
material = "stone"
shape = "rectangle"
size = [2.0, 1.0]
position = [0, 0.5]
spin = 0.25
rotation = { angle_deg = 180 }
[[bodies]]
name = "d"
material = "stone"
shape = "disc"
radius = 0.5
position = [3, 1]
[[bodies]]
name = "p"
material = "stone"
shape = "polygon"
vertices = [[0, 0], [0, 1], [1, 0]]
position = [5, 1]
"#;
    let built = built(text);
    // the outline runs clockwise: repaired and said
    assert!(built.warnings.iter().any(|w| w.contains("body \"p\"") && w.contains("clockwise")), "{:?}", built.warnings);
    let model = two(text);
    assert_eq!(model.gravity, DVec2::new(0.0, -10.0));
    let mass = |name: &str| model.bodies[index(&model, name)].mass;
    assert!((mass("r") - 2000.0).abs() < 1e-9);
    assert!((mass("d") - 1000.0 * std::f64::consts::PI * 0.25).abs() < 1e-9);
    assert!((mass("p") - 500.0).abs() < 1e-9);
    // m (a² + b²) / 12
    let r = &model.bodies[index(&model, "r")];
    assert!((r.inertia - 2000.0 * 5.0 / 12.0).abs() < 1e-9);
    assert_eq!((r.spin, r.pose.rotation), (0.25, std::f64::consts::PI));
}

#[test]
fn selections_find_what_they_say() {
    let head = "[materials.brick]\ndensity = 1800\n[materials.oak]\ndensity = 700\n\
        [[joints]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\n\
        [[bodies]]\nname = \"wall\"\nmaterial = \"brick\"\ngenerator = \"wall\"\ncourses = 4\nbricks = 3\n\
        brick = [1.0, 0.5, 0.5]\n\
        [[bodies]]\nname = \"wall-2\"\nmaterial = \"oak\"\nshape = \"box\"\nsize = 1\nposition = [0, 9, 0.5]\ntags = [\"old\"]\n";
    let found = |select: &str| {
        let model = three(&format!("{head}[[loads]]\nname = \"l\"\nselect = {select}\nforce = [1, 0, 0]\n"));
        model.loads.len()
    };
    for (select, expected) in [
        ("\"wall\"", 15),
        ("\"wall.*\"", 15),
        ("\"wall*\"", 16),
        ("\"*\"", 16),
        ("\"wall-2\"", 1),
        ("\"wall.course\"", 14),
        ("\"wall.course[1]\"", 4),
        ("\"wall.course[1..2]\"", 7),
        ("\"wall.course[*].brick[0]\"", 4),
        ("\"wall.course[1].brick[3]\"", 1),
        ("\"wall.half\"", 4),
        ("\"wall.course[1].half\"", 2),
        ("\"#half\"", 4),
        ("\"#old\"", 1),
        ("\"material:oak\"", 1),
        ("\"material:brick\"", 15),
        ("{ min = [-9, -1, 1.5], max = [9, 1, 9] }", 4),
        ("[\"#half\", \"wall.course[1]\", \"wall-2\"]", 7),
    ] {
        assert_eq!(found(select), expected, "{select}");
    }
}

#[test]
fn loads_on_supports_are_pointed_out() {
    let text = format!(
        "{}[[loads]]\nname = \"l\"\nselect = \"stack\"\nforce = [1, 0, 0]\n",
        render("stack", &[]).expect("valid")
    );
    assert_eq!(built(&text).warnings, ["load \"l\" has no effect on supports: \"stack.ground\" (1 in all)"]);
}

#[test]
fn materials_that_never_meet_need_no_joint() {
    // two supports of different materials, one free body that meets only one kind of joint
    let text = "[materials.a]\ndensity = 1\n[materials.b]\ndensity = 1\n[materials.c]\ndensity = 1\n\
        [[joints]]\nbetween = [\"a\", \"b\"]\nfriction = 0.25\n\
        [[bodies]]\nname = \"g\"\nmaterial = \"a\"\nshape = \"ground\"\n\
        [[bodies]]\nname = \"x\"\nmaterial = \"b\"\nshape = \"box\"\nsize = 1\nposition = [0, 0, 0.5]\n";
    let model = three(text);
    assert_eq!(model.joints.between(1, 0).friction, 0.25);
}

#[test]
fn every_scene_obeys_the_schema_of_its_structs() {
    let schema = schema();
    let text = schema.to_string();
    // units and meanings come from the documentation of the structs
    assert!(text.contains("kg/m³") && text.contains("Coefficient of friction"));
    let properties = schema["properties"].as_object().expect("an object");
    let keys: Vec<&str> = properties.keys().map(String::as_str).collect();
    for key in
        ["title", "dim", "gravity", "depth", "materials", "joints", "bodies", "supports", "loads", "stages", "record"]
    {
        assert!(keys.contains(&key), "{key}");
        assert!(!properties[key]["description"].is_null(), "{key} has no description");
    }
    // the schema rejects unknown keys, too
    assert_eq!(schema["additionalProperties"], serde_json::json!(false));
    for word in ["voussoirs", "embrace_deg", "generator", "half-plane", "proximal-newton", "recovery_speed"] {
        assert!(text.contains(word), "{word}");
    }
}
