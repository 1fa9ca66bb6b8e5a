//! Messages for invalid numbers and bodies of a scene: location, reason, advice.

use insta::assert_snapshot;

use crate::errors::{message, spoilt, with};

/// The message for another body with these keys.
fn body(keys: &str) -> String {
    with(&format!("[[bodies]]\nname = \"b\"\nmaterial = \"limestone\"\n{keys}\n"))
}

#[test]
fn bad_numbers() {
    assert_snapshot!(spoilt("friction = 0.6", "friction = -0.6"), @r#"
    error: friction is -0.6; it must not be negative
     --> arch.toml:6:12
      |
    6 | friction = -0.6
      |            ^^^^
    "#);
    assert_snapshot!(spoilt("friction = 0.6", "friction = nan"), @r#"
    error: friction is nan, not a number
     --> arch.toml:6:12
      |
    6 | friction = nan
      |            ^^^
    "#);
    assert_snapshot!(spoilt("friction = 0.6", "friction = \"0.6\""), @r#"
    error: expected a number or { barton = { jrc, jcs, phi_r_deg, normal_stress } }
     --> arch.toml:6:12
      |
    6 | friction = "0.6"
      |            ^^^^^
    "#);
    assert_snapshot!(spoilt("friction = 0.6", "friction = 0.6\nrestitution = 1.5"), @r#"
    error: restitution is 1.5; it must be between 0 and 1
     --> arch.toml:7:15
      |
    7 | restitution = 1.5
      |               ^^^
    "#);
    assert_snapshot!(spoilt("friction = 0.6", "friction = 0.6\nrestitution = { poisson = -0.1 }"), @r#"
    error: restitution is -0.1; it must be between 0 and 1
     --> arch.toml:7:27
      |
    7 | restitution = { poisson = -0.1 }
      |                           ^^^^
    "#);
    assert_snapshot!(spoilt("friction = 0.6", "friction = 0.6\nrestitution = \"much\""), @r#"
    error: expected a number, { newton = e } or { poisson = e }
     --> arch.toml:7:15
      |
    7 | restitution = "much"
      |               ^^^^^^
    "#);
    assert_snapshot!(spoilt("density = 2300.0", "density = 0.0"), @r#"
    error: the density of limestone is 0; it must be above zero
     --> arch.toml:3:11
      |
    3 | density = 0.0
      |           ^^^
    "#);
    assert_snapshot!(spoilt("thickness = 0.6", "thickness = 600000000.0"), @r#"
    error: `thickness` is 6e8 m, outside the permitted range
      --> arch.toml:11:13
       |
    11 | thickness = 600000000.0
       |             ^^^^^^^^^^^
    help: lengths are in metres, 1e-6 to 1e6
    "#);
}

#[test]
fn impossible_sizes_and_counts() {
    assert_snapshot!(spoilt("thickness = 0.6", "thickness = 1e-9"), @r#"
    error: `thickness` is 1e-9 m, outside the permitted range
      --> arch.toml:11:13
       |
    11 | thickness = 1e-9
       |             ^^^^
    help: lengths are in metres, 1e-6 to 1e6
    "#);
    assert_snapshot!(spoilt("voussoirs = 27", "voussoirs = 6000000"), @r#"
    error: "arch" has 6000002 bodies; a scene has at most 5000000
     --> arch.toml:9:13
      |
    9 | generator = "arch"
      |             ^^^^^^
    "#);
    assert_snapshot!(spoilt("voussoirs = 27", "voussoirs = -27"), @r#"
    error: `voussoirs`: invalid value: integer `-27`, expected a whole number, zero or more
      --> arch.toml:13:13
       |
    13 | voussoirs = -27
       |             ^^^
    "#);
    assert_snapshot!(spoilt("force = [0.0, 0.0, -1000.0]", "force = [0.0, 0.0, inf]"), @r#"
    error: the force is infinite
      --> arch.toml:20:20
       |
    20 | force = [0.0, 0.0, inf]
       |                    ^^^
    "#);
    assert_snapshot!(spoilt("force = [0.0, 0.0, -1000.0]", "force = [0.0, -1000.0]"), @r#"
    error: the force has 2 numbers; a 3D scene needs 3
      --> arch.toml:20:9
       |
    20 | force = [0.0, -1000.0]
       |         ^^^^^^^^^^^^^^
    "#);
    assert_snapshot!(spoilt("step = 1e-3", "step = 3.0"), @r#"
    error: the step 3 s is longer than the duration 2 s
      --> arch.toml:24:8
       |
    24 | step = 3.0
       |        ^^^
    "#);
    assert_snapshot!(spoilt("step = 1e-3", "step = 1e-3\ntheta = 0.2"), @r#"
    error: theta is 0.2; it must be between 0.5 and 1
      --> arch.toml:25:9
       |
    25 | theta = 0.2
       |         ^^^
    "#);
    assert_snapshot!(spoilt("title = \"arch\"", "dim = 4"), @r#"
    error: dim is 4; it must be 2 or 3
     --> arch.toml:1:7
      |
    1 | dim = 4
      |       ^
    "#);
    assert_snapshot!(spoilt("title = \"arch\"", "gravity = \"down\""), @r#"
    error: expected a number or a list of numbers
     --> arch.toml:1:11
      |
    1 | gravity = "down"
      |           ^^^^^^
    "#);
}

#[test]
fn bodies() {
    assert_snapshot!(body("shape = \"box\"\nsize = [1, 1]\n"), @r#"
    error: the size has 2 numbers; a 3D scene needs 3
      --> arch.toml:29:8
       |
    29 | size = [1, 1]
       |        ^^^^^^
    "#);
    assert_snapshot!(body("shape = \"rectangle\"\nsize = [1, 1]\n"), @r#"
    error: shape "rectangle" needs a 2D scene; this scene has dim = 3
      --> arch.toml:28:9
       |
    28 | shape = "rectangle"
       |         ^^^^^^^^^^^
    help: use "box"
    "#);
    assert_snapshot!(body("shape = \"box\"\nsize = 1\nmesh = \"a.obj\""), @r#"
    error: body "b" has both `shape` and `mesh`
      --> arch.toml:30:1
       |
    30 | mesh = "a.obj"
       | ^^^^
    help: keep one
    "#);
    assert_snapshot!(body("shape = \"box\"\nsize = 1\nposition = [0, 0, nan]"), @r#"
    error: the position is nan, not a number
      --> arch.toml:30:19
       |
    30 | position = [0, 0, nan]
       |                   ^^^
    "#);
    assert_snapshot!(body("shape = \"box\"\nsize = 1\nrotation = { angle_deg = 3 }"), @r#"
    error: a rotation in 3D is one of: axis and angle_deg, euler_deg, quaternion
      --> arch.toml:30:12
       |
    30 | rotation = { angle_deg = 3 }
       |            ^^^^^^^^^^^^^^^^^
    help: write rotation = { axis = [0, 0, 1], angle_deg = 30.0 }
    "#);
    assert_snapshot!(body("shape = \"polyhedron\"\nvertices = [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]\nfaces = [[0,2,1],[0,1,3],[1,2,3]]"), @r#"
    error: body "b": 3 faces cannot enclose a volume; at least 4 are needed
      --> arch.toml:30:9
       |
    30 | faces = [[0,2,1],[0,1,3],[1,2,3]]
       |         ^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
}

#[test]
fn bodies_that_refer_to_something_else() {
    assert_snapshot!(body("shape = \"compound\"\nparts = [{ shape = \"ground\" }]"), @r#"
    error: shape "ground" cannot be a part of a compound
      --> arch.toml:29:20
       |
    29 | parts = [{ shape = "ground" }]
       |                    ^^^^^^^^
    "#);
    assert_snapshot!(body("mesh = \"nothing.obj\""), @r#"
    error: body "b": /nowhere/nothing.obj cannot be read: No such file or directory (os error 2)
      --> arch.toml:28:8
       |
    28 | mesh = "nothing.obj"
       |        ^^^^^^^^^^^^^
    "#);
    assert_snapshot!(body("shape = \"box\"\nsize = 1\nposition = [0, 0, 4]"), @r#"
    error: "arch.voussoir[13]" and "b" overlap by 7.064e-1 m
      --> arch.toml:26:8
       |
    26 | name = "b"
       |        ^^^
    help: move one of them, or write allow_overlap = true at the top of the scene
    "#);
    assert_snapshot!(spoilt("name = \"arch\"", "name = \"arch.1\""), @r#"
    error: "arch.1" cannot be the name of a body
     --> arch.toml:8:8
      |
    8 | name = "arch.1"
      |        ^^^^^^^^
    help: use up to 200 letters, digits, - and _
    "#);
    assert_snapshot!(with("[[bodies]]\nname = \"arch\"\nmaterial = \"limestone\"\nshape = \"box\"\nsize = 1\n"), @r#"
    error: there are two bodies with the name "arch"
      --> arch.toml:26:8
       |
    26 | name = "arch"
       |        ^^^^^^
    "#);
    assert_snapshot!(message("bodies = 3\n"), @r#"
    error: `bodies` is an integer, expected a list of tables
     --> arch.toml:1:10
      |
    1 | bodies = 3
      |          ^
    help: start each of them with [[bodies]]
    "#);
}

#[test]
fn bad_steps() {
    assert_snapshot!(spoilt("step = 1e-3", "step = \"automatic\""), @r#"
    error: expected a number of seconds, "auto" or { least = …, largest = …, error = … }
      --> arch.toml:24:8
       |
    24 | step = "automatic"
       |        ^^^^^^^^^^^
    "#);
    assert_snapshot!(spoilt("step = 1e-3", "step = { least = 0.01, largest = 0.001 }"), @r#"
    error: `largest` 0.001 s is less than `least` 0.01 s
      --> arch.toml:24:34
       |
    24 | step = { least = 0.01, largest = 0.001 }
       |                                  ^^^^^
    "#);
    assert_snapshot!(spoilt("step = 1e-3", "step = { error = -1.0 }"), @r#"
    error: `error` is -1; it must be above zero
      --> arch.toml:24:18
       |
    24 | step = { error = -1.0 }
       |                  ^^^^
    "#);
}
