//! Messages for invalid scenes: location, reason, advice.

use std::path::Path;

use insta::assert_snapshot;
use voussoir_model::{Scene, build};

/// A valid scene, to be changed.
const RIGHT: &str = r#"title = "arch"
[materials.limestone]
density = 2300.0
[[joints]]
between = ["limestone", "limestone"]
friction = 0.6
[[bodies]]
name = "arch"
generator = "arch"
span = 7.6
thickness = 0.6
width = 0.8
voussoirs = 27
material = "limestone"
[[supports]]
select = "arch.springers"
[[loads]]
name = "footfall"
select = "arch.voussoir[9]"
force = [0.0, 0.0, -1000.0]
[[stages]]
analysis = "dynamic"
duration = 2.0
step = 1e-3
"#;

/// The message for a scene.
pub fn message(text: &str) -> String {
    let scene = match Scene::parse(text, "arch.toml") {
        Ok(scene) => scene,
        Err(error) => return error.render(),
    };
    match build(&scene, Path::new("/nowhere")) {
        Ok(built) => panic!("no error in:\n{text}\n{:?}", built.warnings),
        Err(error) => error.render(),
    }
}

/// The message after a replacement in the valid scene.
pub fn spoilt(from: &str, to: &str) -> String {
    assert!(RIGHT.contains(from), "{from}");
    message(&RIGHT.replacen(from, to, 1))
}

/// The message after lines were added to the valid scene.
pub fn with(lines: &str) -> String {
    message(&format!("{RIGHT}{lines}"))
}

#[test]
fn the_right_scene_is_right() {
    let scene = Scene::parse(RIGHT, "arch.toml").expect("parses");
    assert!(build(&scene, Path::new(".")).expect("builds").warnings.is_empty());
}

#[test]
fn unknown_keys() {
    assert_snapshot!(spoilt("friction", "fricton"), @r#"
    error: unknown key `fricton`
     --> arch.toml:6:1
      |
    6 | fricton = 0.6
      | ^^^^^^^
    help: did you mean `friction`? valid keys: between, law, friction, dynamic_friction, restitution, thickness, initial_gap, elastic, bond, cohesion, crushing
    "#);
    assert_snapshot!(spoilt("title", "tittle"), @r#"
    error: unknown key `tittle`
     --> arch.toml:1:1
      |
    1 | tittle = "arch"
      | ^^^^^^
    help: did you mean `title`? valid keys: title, dim, gravity, depth, allow_overlap, max_bodies, compas, compas_problem, materials, joints, bodies, supports, loads, added_masses, cables, trains, glue, elastic, assessment, sample, environment, stages, probes, record
    "#);
    assert_snapshot!(spoilt("voussoirs = 27", "vousoirs = 27"), @r#"
    error: unknown key `vousoirs` of generator "arch"
      --> arch.toml:13:1
       |
    13 | vousoirs = 27
       | ^^^^^^^^
    help: did you mean `voussoirs`? valid keys: name, material, position, rotation, velocity, spin, mass, depth, depths, tags, kind, span, radius, rise, embrace_deg, thickness, width, voussoirs, curved
    "#);
    assert_snapshot!(spoilt("voussoirs = 27", "voussoirs = 27\nbricks = 3"), @r#"
    error: unknown key `bricks` of generator "arch"
      --> arch.toml:14:1
       |
    14 | bricks = 3
       | ^^^^^^
    help: valid keys: name, material, position, rotation, velocity, spin, mass, depth, depths, tags, kind, span, radius, rise, embrace_deg, thickness, width, voussoirs, curved
    "#);
    assert_snapshot!(spoilt("generator = \"arch\"", "generater = \"arch\""), @r#"
    error: unknown key `generater` of a body
     --> arch.toml:9:1
      |
    9 | generater = "arch"
      | ^^^^^^^^^
    help: did you mean `generator`? valid keys: name, material, position, rotation, velocity, spin, mass, depth, depths, tags, shape, generator, mesh
    "#);
    assert_snapshot!(spoilt("step = 1e-3", "steps = 1e-3"), @r#"
    error: unknown key `steps` of a dynamic stage
      --> arch.toml:24:1
       |
    24 | steps = 1e-3
       | ^^^^^
    help: did you mean `step`? valid keys: cables, add, placement, release, remove, duration, step, theta, tolerance, motion_tolerance, solver, friction_law, alert, detection, rounding, points, nodes, gap, recovery_speed, build
    "#);
    assert_snapshot!(spoilt("select = \"arch.springers\"", "select = \"arch.springers\"\nmotion = { quantity = \"position\", directoin = [1, 0, 0], constant = 1 }"), @r#"
    error: unknown key `directoin`
      --> arch.toml:17:35
       |
    17 | motion = { quantity = "position", directoin = [1, 0, 0], constant = 1 }
       |                                   ^^^^^^^^^
    help: did you mean `direction`? valid keys: quantity, direction, axis, pivot, constant, table, sine, ramp, accelerogram, path, components
    "#);
}

#[test]
fn unknown_words() {
    assert_snapshot!(spoilt("generator = \"arch\"", "generator = \"arc\""), @r#"
    error: unknown generator "arc"
     --> arch.toml:9:13
      |
    9 | generator = "arc"
      |             ^^^^^
    help: did you mean `arch`? valid generators: stack, column, wall, arch, pile, arch-wall, masonry-wall, dome, pier-dome, masonry-cylinder, stair, fill, bridge, flying-buttress, buttress, floes
    "#);
    assert_snapshot!(spoilt("analysis = \"dynamic\"", "analysis = \"dynamics\""), @r#"
    error: unknown analysis "dynamics"
      --> arch.toml:22:12
       |
    22 | analysis = "dynamics"
       |            ^^^^^^^^^^
    help: did you mean `dynamic`? valid analyses: dynamic, explicit, static, events
    "#);
    assert_snapshot!(spoilt("analysis = \"dynamic\"", "analysis = \"limit\""), @r#"
    error: unknown analysis "limit"
      --> arch.toml:22:12
       |
    22 | analysis = "limit"
       |            ^^^^^^^
    help: valid analyses: dynamic, explicit, static, events
    "#);
    assert_snapshot!(spoilt("analysis = \"dynamic\"", "analysis = \"static\""), @r#"
    error: unknown key `duration` of a static stage
      --> arch.toml:23:1
       |
    23 | duration = 2.0
       | ^^^^^^^^
    help: a static stage takes no time; write analysis = "dynamic" for motion
    "#);
    assert_snapshot!(spoilt("step = 1e-3", "step = 1e-3\nsolver = \"newton\""), @r#"
    error: unknown value `newton`
      --> arch.toml:25:10
       |
    25 | solver = "newton"
       |          ^^^^^^^^
    help: valid values: auto, nlgs, sap, interior-point, proximal-newton, semismooth-newton, smoothing-newton, admm, apgd, p-spg-fb, lemke, face-elements
    "#);
    assert_snapshot!(with("[[bodies]]\nname = \"b\"\nmaterial = \"limestone\"\nshape = \"cube\"\n"), @r#"
    error: unknown shape "cube"
      --> arch.toml:28:9
       |
    28 | shape = "cube"
       |         ^^^^^^
    help: valid shapes: box, polyhedron, sphere, cylinder, half-space, rectangle, polygon, disc, segment, half-plane, ground, compound
    "#);
}

#[test]
fn missing_things() {
    assert_snapshot!(spoilt("density = 2300.0\n", ""), @r#"
    error: missing key `density`
     --> arch.toml:2:1
      |
    2 | [materials.limestone]
      | ^^^^^^^^^^^^^^^^^^^^^
    "#);
    assert_snapshot!(spoilt("thickness = 0.6\n", ""), @r#"
    error: missing key `thickness` of generator "arch"
     --> arch.toml:7:1
      |
    7 | [[bodies]]
      | ^^^^^^^^^^
    "#);
    assert_snapshot!(spoilt("material = \"limestone\"\n", ""), @r#"
    error: missing key `material`
     --> arch.toml:7:1
      |
    7 | [[bodies]]
      | ^^^^^^^^^^
    "#);
    assert_snapshot!(spoilt("material = \"limestone\"", "material = \"limestne\""), @r#"
    error: body "arch": there is no material "limestne"
      --> arch.toml:14:12
       |
    14 | material = "limestne"
       |            ^^^^^^^^^^
    help: did you mean `limestone`? valid materials: limestone
    "#);
    assert_snapshot!(spoilt("between = [\"limestone\", \"limestone\"]", "between = [\"limestone\", \"marble\"]"), @r#"
    error: there is no material "marble"
     --> arch.toml:5:25
      |
    5 | between = ["limestone", "marble"]
      |                         ^^^^^^^^
    help: valid materials: limestone, *
    "#);
    assert_snapshot!(spoilt("between = [\"limestone\", \"limestone\"]", "between = [\"limestone\", \"limestone\", \"*\"]"), @r#"
    error: the list has 3 names, expected two
     --> arch.toml:5:11
      |
    5 | between = ["limestone", "limestone", "*"]
      |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
    assert_snapshot!(spoilt("generator = \"arch\"\nspan = 7.6\nthickness = 0.6\nwidth = 0.8\nvoussoirs = 27\n", ""), @r#"
    error: body "arch" has neither `shape`, `generator` nor `mesh`
     --> arch.toml:7:1
      |
    7 | [[bodies]]
      | ^^^^^^^^^^
    help: give one of them, for instance: shape = "box" and size = [1.0, 0.5, 0.5]
    "#);
}

#[test]
fn missing_keys_of_stages_and_loads() {
    assert_snapshot!(spoilt("duration = 2.0\n", ""), @r#"
    error: a dynamic stage needs `duration` [s]
      --> arch.toml:21:1
       |
    21 | [[stages]]
       | ^^^^^^^^^^
    "#);
    assert_snapshot!(spoilt("step = 1e-3\n", ""), @r#"
    error: a dynamic stage needs `step` [s]
      --> arch.toml:21:1
       |
    21 | [[stages]]
       | ^^^^^^^^^^
    "#);
    assert_snapshot!(spoilt("force = [0.0, 0.0, -1000.0]\n", ""), @r#"
    error: the load "footfall" has neither `force` nor `moment`
      --> arch.toml:17:1
       |
    17 | [[loads]]
       | ^^^^^^^^^
    help: `acceleration`, `fill` and `pressure` are other kinds of loads
    "#);
    assert_snapshot!(message("title = \"nothing\"\n"), @r#"
    error: the scene has no bodies
     --> arch.toml:1:1
      |
    1 | title = "nothing"
      | ^
    help: add a [[bodies]] table
    "#);
    assert_snapshot!(with("[materials.oak]\ndensity = 700\n[[bodies]]\nname = \"beam\"\nmaterial = \"oak\"\nshape = \"box\"\nsize = 1\nposition = [0, 0, 9]\n"), @r#"
    error: there is no joint between "limestone" and "oak"
      --> arch.toml:29:12
       |
    29 | material = "oak"
       |            ^^^^^
    help: add [[joints]] with between = ["limestone", "oak"] and friction = 0.6
    "#);
}

#[test]
fn selections() {
    assert_snapshot!(spoilt("arch.springers", "arch.springer[2]"), @r#"
    error: the selection "arch.springer[2]" finds no body
      --> arch.toml:16:10
       |
    16 | select = "arch.springer[2]"
       |          ^^^^^^^^^^^^^^^^^^
    help: "arch.springer" has the numbers 0 to 1
    "#);
    assert_snapshot!(spoilt("arch.springers", "arch.sprigners"), @r#"
    error: the selection "arch.sprigners" finds no body
      --> arch.toml:16:10
       |
    16 | select = "arch.sprigners"
       |          ^^^^^^^^^^^^^^^^
    help: did you mean `arch.springers`? valid selections: #keystone, #springers, #voussoirs, arch, arch.keystone, arch.springer, arch.springers, arch.voussoir, arch.voussoirs
    "#);
    assert_snapshot!(spoilt("arch.springers", "#springer"), @r##"
    error: the selection "#springer" finds no body
      --> arch.toml:16:10
       |
    16 | select = "#springer"
       |          ^^^^^^^^^^^
    help: did you mean `#springers`? valid selections: #keystone, #springers, #voussoirs, arch, arch.keystone, arch.springer, arch.springers, arch.voussoir, arch.voussoirs
    "##);
    assert_snapshot!(spoilt("arch.springers", "material:marble"), @r#"
    error: there is no material "marble"
      --> arch.toml:16:10
       |
    16 | select = "material:marble"
       |          ^^^^^^^^^^^^^^^^^
    help: valid materials: limestone
    "#);
    assert_snapshot!(spoilt("arch.springers", "arch.springer[1..0]"), @r##"
    error: "arch.springer[1..0]" is not a selection
      --> arch.toml:16:10
       |
    16 | select = "arch.springer[1..0]"
       |          ^^^^^^^^^^^^^^^^^^^^^
    help: examples: "wall", "arch.voussoir[9]", "arch.voussoir[3..7]", "wall.*", "#tag"
    "##);
    assert_snapshot!(spoilt("\"arch.springers\"", "[]"), @r#"
    error: the selection is empty
      --> arch.toml:16:10
       |
    16 | select = []
       |          ^^
    "#);
    assert_snapshot!(spoilt("\"arch.springers\"", "{ min = [0, 0, 90], max = [1, 1, 91] }"), @r#"
    error: no body has its centroid in this box
      --> arch.toml:16:10
       |
    16 | select = { min = [0, 0, 90], max = [1, 1, 91] }
       |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
    assert_snapshot!(spoilt("\"arch.springers\"", "7"), @r#"
    error: expected a name, { min = […], max = […] } or a list of these
      --> arch.toml:16:10
       |
    16 | select = 7
       |          ^
    "#);
    assert_snapshot!(spoilt("[[loads]]", "[[supports]]\nselect = \"arch.springer[0]\"\n[[loads]]"), @r#"
    error: "arch.springer[0]" is already selected by support 1
      --> arch.toml:18:10
       |
    18 | select = "arch.springer[0]"
       |          ^^^^^^^^^^^^^^^^^^
    "#);
}

#[test]
fn motions_and_functions() {
    let moved = |motion: &str| {
        spoilt("select = \"arch.springers\"", &format!("select = \"arch.springers\"\nmotion = {motion}"))
    };
    assert_snapshot!(moved("{ quantity = \"velocity\", direction = [1, 0, 0] }"), @r#"
    error: no function of time is given
      --> arch.toml:17:10
       |
    17 | motion = { quantity = "velocity", direction = [1, 0, 0] }
       |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: give exactly one of: constant, table, sine, ramp
    "#);
    assert_snapshot!(moved("{ quantity = \"velocity\", constant = 1.0 }"), @r#"
    error: the motion has neither `direction` nor `axis`
      --> arch.toml:17:10
       |
    17 | motion = { quantity = "velocity", constant = 1.0 }
       |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: write direction = [1.0, …] for a translation, axis for a rotation
    "#);
    assert_snapshot!(moved("{ quantity = \"speed\", direction = [1, 0, 0], constant = 1.0 }"), @r#"
    error: unknown value `speed`
      --> arch.toml:17:23
       |
    17 | motion = { quantity = "speed", direction = [1, 0, 0], constant = 1.0 }
       |                       ^^^^^^^
    help: valid values: position, velocity, acceleration
    "#);
    assert_snapshot!(moved("{ quantity = \"velocity\", direction = [1, 0, 0], constant = 1.0, table = [[0, 0]] }"), @r#"
    error: more than one function of time is given
      --> arch.toml:17:10
       |
    17 | motion = { quantity = "velocity", direction = [1, 0, 0], constant = 1.0, table = [[0, 0]] }
       |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: give exactly one of: constant, table, sine, ramp
    "#);
    assert_snapshot!(moved("{ quantity = \"velocity\", direction = [1, 0, 0], table = [[0, 0], [2, 1], [1, 3]] }"), @r#"
    error: the time 1 s is before the time 2 s of the previous row
      --> arch.toml:17:84
       |
    17 | motion = { quantity = "velocity", direction = [1, 0, 0], table = [[0, 0], [2, 1], [1, 3]] }
       |                                                                                    ^
    "#);
    assert_snapshot!(moved("{ quantity = \"velocity\", direction = [1, 0, 0], table = [[0, 0, 0]] }"), @r#"
    error: the list is too long, expected 2 numbers
      --> arch.toml:17:67
       |
    17 | motion = { quantity = "velocity", direction = [1, 0, 0], table = [[0, 0, 0]] }
       |                                                                   ^^^^^^^^^
    "#);
    assert_snapshot!(moved("{ quantity = \"velocity\", direction = [1, 0, 0], table = [[0]] }"), @r#"
    error: invalid length 1, expected a list of 2 numbers
      --> arch.toml:17:67
       |
    17 | motion = { quantity = "velocity", direction = [1, 0, 0], table = [[0]] }
       |                                                                   ^^^
    "#);
    assert_snapshot!(moved("{ quantity = \"velocity\", axis = [0, 0, 0], constant = 1 }"), @r#"
    error: the axis is zero
      --> arch.toml:17:42
       |
    17 | motion = { quantity = "velocity", axis = [0, 0, 0], constant = 1 }
       |                                          ^^^^^^^^^
    "#);
    assert_snapshot!(moved("{ quantity = \"velocity\", direction = [0, 0, 0], sine = { amplitude = 1, frequency = 1 } }"), @r#"
    error: the direction has length 0; it must not be zero
      --> arch.toml:17:47
       |
    17 | motion = { quantity = "velocity", direction = [0, 0, 0], sine = { amplitude = 1, frequency = 1 } }
       |                                               ^^^^^^^^^
    "#);
}

#[test]
fn bad_toml() {
    assert_snapshot!(spoilt("density = 2300.0", "density = "), @r#"
    error: string values must be quoted, expected literal string
     --> arch.toml:3:11
      |
    3 | density = 
      |           ^
    "#);
    assert_snapshot!(spoilt("title = \"arch\"", "title = \"arch"), @r#"
    error: invalid basic string, expected `"`
     --> arch.toml:1:14
      |
    1 | title = "arch
      |              ^
    "#);
    assert_snapshot!(spoilt("density = 2300.0", "density = 2300.0\ndensity = 2400.0"), @r#"
    error: duplicate key
     --> arch.toml:4:1
      |
    4 | density = 2400.0
      | ^^^^^^^
    "#);
    assert_snapshot!(spoilt("density = 2300.0", "density = 2300,5"), @r#"
    error: unexpected key or value, expected newline, `#`
     --> arch.toml:3:15
      |
    3 | density = 2300,5
      |               ^
    help: decimal numbers have a point: 0.6
    "#);
    assert_snapshot!(spoilt("title = \"arch\"", "title = “arch”"), @r#"
    error: string values must be quoted, expected literal string
     --> arch.toml:1:9
      |
    1 | title = “arch”
      |         ^^^^^^
    help: texts stand between straight quotes: "text"
    "#);
    assert_snapshot!(spoilt("title = \"arch\"", "title = \"arch\"\n[trains]\nname = \"q\""), @r#"
    error: invalid type: table, expected a list
     --> arch.toml:2:1
      |
    2 | [trains]
      | ^^^^^^^^
    help: begin every entry of this list with [[trains]]
    "#);
}

#[test]
fn an_error_has_its_place_in_public_fields() {
    let error = Scene::parse("a = 1\nb = \"β\"\n", "x.toml").expect_err("unknown keys");
    assert_eq!((error.file.as_str(), error.line, error.column), ("x.toml", 1, 1));
    assert_eq!(&error.text[error.span.clone()], "a");
    assert_eq!(error.to_string().lines().count(), 1);
}
