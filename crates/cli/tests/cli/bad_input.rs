//! Invalid scenes, folders and arguments: exit code 2 and a message with the location.

use crate::common::Workshop;

/// A valid scene of two cubes on the ground.
const GOOD: &str = r#"title = "two cubes"
[materials.stone]
density = 2000.0
[[joints]]
between = ["stone", "stone"]
friction = 0.6
[[bodies]]
name = "ground"
shape = "ground"
material = "stone"
[[bodies]]
name = "a"
shape = "box"
size = [1.0, 1.0, 1.0]
position = [0.0, 0.0, 0.5]
material = "stone"
[[bodies]]
name = "b"
shape = "box"
size = 1.0
position = [0.0, 0.0, 1.5]
material = "stone"
[[loads]]
name = "push"
select = "b"
force = [1.0, 0.0, 0.0]
[[stages]]
analysis = "dynamic"
duration = 0.002
step = 1e-3
"#;

/// Replaced text, replacement, and expected message besides the line.
const CASES: &[(&str, &str, &[&str])] = &[
    ("friction = 0.6", "fricton = 0.6", &["unknown key `fricton`", "did you mean `friction`"]),
    ("size = 1.0", "size = 1.0\ncolour = 3", &["unknown key `colour`"]),
    ("material = \"stone\"\n[[loads]]", "material = \"marble\"\n[[loads]]", &["marble", "stone"]),
    ("size = 1.0", "size = nan", &["not a number"]),
    ("position = [0.0, 0.0, 1.5]", "position = [0.0, inf, 1.5]", &["inf"]),
    ("density = 2000.0", "density = 0.0", &["density"]),
    ("position = [0.0, 0.0, 1.5]", "position = [0.0, 0.0, 1.2]", &["\"a\"", "\"b\"", "overlap"]),
    ("select = \"b\"", "select = \"c\"", &["\"c\""]),
    ("select = \"b\"", "select = []", &["empty"]),
    ("friction = 0.6", "friction = -0.6", &["-0.6", "negative"]),
    ("size = 1.0", "size = 1e12", &["outside the permitted range"]),
    ("size = 1.0", "size = 0.0", &["above zero"]),
    ("size = 1.0", "size = [1.0, 1.0]", &["3"]),
    ("shape = \"box\"\nsize = 1.0", "mesh = \"open.obj\"", &["open.obj", "\"b"]),
    ("shape = \"box\"\nsize = 1.0", "mesh = \"nothing.obj\"", &["nothing.obj"]),
    ("step = 1e-3", "step = -1e-3", &["step"]),
    ("step = 1e-3", "", &["step"]),
    ("analysis = \"dynamic\"", "analysis = \"dynamc\"", &["dynamic"]),
    ("duration = 0.002", "duration = \"long\"", &["`duration`", "expected a number"]),
    (
        "step = 1e-3",
        "step = 1e-3\nsolver = \"lemke\"\nfriction_law = \"associated\"",
        &["lemke", "not the associated law"],
    ),
    ("[[stages]]", "[[stages", &[]),
];

/// A cube without its lid.
const OPEN: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
                    f 4 3 2 1\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

#[test]
fn bad_scenes_are_refused_and_the_place_is_named() {
    let shop = Workshop::new();
    shop.write("good.toml", GOOD);
    shop.write("open.obj", OPEN);
    shop.run(&["check", "good.toml"]).expect(0);
    shop.run(&["run", "good.toml"]).expect(0);
    for (from, to, words) in CASES {
        assert!(GOOD.contains(from), "{from}");
        shop.write("bad.toml", &GOOD.replacen(from, to, 1));
        let check = shop.run(&["check", "bad.toml", "--json"]).expect(2);
        let (stderr, error) = (check.stderr(), &check.json()["error"]);
        assert!(stderr.contains("bad.toml:"), "{to}: {stderr}");
        assert!(error["line"].as_u64().unwrap() > 1, "{to}: {error}");
        let said = format!("{} {}", error["message"], error["help"]).replace("\\\"", "\"");
        for word in *words {
            assert!(said.contains(word), "{to}: \"{word}\" is not in {said}");
        }
        // run refuses it too, and writes nothing
        shop.run(&["run", "bad.toml", "-o", "bad"]).expect(2);
        assert!(!shop.path("bad").exists());
    }
}

/// Text that is added to the valid scene, location of the mistake, and expected message.
const CONTRADICTIONS: &[(&str, &str, &[&str])] = &[
    ("[[cables]]\nname = \"c\"\nstiffness = 1e6\nthrough = []", "through = []", &["has no anchors"]),
    ("[[cables]]\nname = \"c\"\nstiffness = 1e6\nthrough = [\"a\", \"air\"]", "through", &["\"air\"", "no body"]),
    ("[[cables]]\nname = \"c\"\nstiffness = 1e6\nthrough = [\"a\"]", "through", &["has one anchor"]),
    (
        "[[cables]]\nname = \"c\"\nstiffness = 1e6\nthrough = [\"a\", \"b\"]\nstrength = 5e4\nprestress = 6e4",
        "prestress",
        &["60000 N", "exceeds its strength of 50000 N"],
    ),
    (
        "[[cables]]\nname = \"c\"\nstiffness = 1e6\nthrough = [\"a\", \"b\"]\nstrength = 5e4\nprestrain = 0.1",
        "prestrain",
        &["100000 N", "exceeds its strength of 50000 N"],
    ),
    (
        "[[cables]]\nname = \"c\"\nstiffness = 1e6\nthrough = [\"a\", \"b\"]\nstrength = 5e4\nprestress = 4e4\n\
         function = { table = [[0, 1], [1, 2]] }",
        "function",
        &["80000 N", "exceeds its strength of 50000 N"],
    ),
    ("[[probes]]\nname = \"p\"\nquantity = \"cable-tension\"\ncable = \"c\"", "cable = ", &["no cable \"c\""]),
    ("[[probes]]\nname = \"p\"\nquantity = \"cable-tension\"", "[[probes]]", &["needs `cable`"]),
    (
        "[[supports]]\nselect = \"ground\"\nmotion = { quantity = \"acceleration\", direction = [1, 0, 0], \
         accelerogram = { file = \"gap.csv\", unit = \"m/s2\" } }",
        "motion",
        &["gap.csv", "line 5", "gap"],
    ),
    (
        "[[supports]]\nselect = \"ground\"\nmotion = { quantity = \"acceleration\", direction = [1, 0, 0], \
         accelerogram = { file = \"gal.csv\", unit = \"g\" } }",
        "motion",
        &["gal.csv", "unit"],
    ),
    (
        "[[supports]]\nselect = \"ground\"\nmotion = { quantity = \"acceleration\", direction = [1, 0, 0], \
         accelerogram = { file = \"gal.csv\" } }",
        "motion",
        &["gal.csv", "must be given"],
    ),
    (
        "[[bodies]]\nname = \"wall\"\ngenerator = \"masonry-wall\"\nmaterial = \"stone\"\nbond = \"stretcher\"\n\
         length = 3.0\ncourses = 4\nbrick = [0.5, 0.25, 0.25]\nposition = [9, 0, 0]\noverlap = -0.1",
        "overlap",
        &["-0.1", "above zero"],
    ),
    ("[[stages]]\nanalysis = \"dynamic\"\nduration = 0.1\nstep = 1e-3\nadd = []", "add = []", &["empty"]),
    ("[[stages]]\nanalysis = \"dynamic\"\nduration = 0.1\nstep = 1e-3\nadd = \"c\"", "add = ", &["\"c\""]),
    ("[[stages]]\nanalysis = \"dynamic\"\nstep = 1e-3\nbuild = { select = [], pause = 0.1 }", "build = ", &["empty"]),
    // two supports need no joint until one of them is released
    (
        "[materials.oak]\ndensity = 700.0\n[materials.steel]\ndensity = 7800.0\n[[joints]]\nbetween = [\"oak\", \"stone\"]\n\
         friction = 0.4\n[[joints]]\nbetween = [\"steel\", \"stone\"]\nfriction = 0.4\n[[bodies]]\nname = \"plate\"\n\
         shape = \"box\"\nsize = 1.0\nposition = [5, 0, 2]\nmaterial = \"steel\"\n[[bodies]]\nname = \"prop\"\n\
         shape = \"box\"\nsize = 1.0\nposition = [5, 0, 3]\nmaterial = \"oak\"\n[[supports]]\nselect = [\"prop\", \"plate\"]\n\
         [[stages]]\nanalysis = \"dynamic\"\nduration = 0.1\nstep = 1e-3\nrelease = \"prop\"",
        "material",
        &["no joint between", "\"oak\"", "\"steel\""],
    ),
];

#[test]
fn contradictions_are_refused_and_the_place_is_named() {
    let shop = Workshop::new();
    shop.write("gap.csv", "t,a\n0.00,0\n0.01,1\n0.02,2\n0.04,1\n0.05,0\n0.06,0\n");
    // peaks of 3 m/s², written in cm/s²
    shop.write("gal.csv", "t,a\n0.00,0\n0.01,300\n0.02,-300\n0.03,120\n0.04,0\n");
    for (more, place, words) in CONTRADICTIONS {
        let text = format!("{GOOD}{more}\n");
        shop.write("bad.toml", &text);
        let answer = shop.run(&["run", "bad.toml", "-o", "bad", "--json"]).expect(2);
        let error = &answer.json()["error"];
        let line = text.lines().nth(error["line"].as_u64().unwrap() as usize - 1).unwrap();
        assert!(line.contains(place), "{more}: the message points at `{line}`");
        let said = format!("{} {}", error["message"], error["help"]).replace("\\\"", "\"");
        for word in *words {
            assert!(said.contains(word), "{more}: \"{word}\" is not in {said}");
        }
        assert!(!shop.path("bad").exists());
    }
}

#[test]
fn files_that_are_no_scenes_are_refused() {
    let shop = Workshop::new();
    assert!(shop.run(&["run", "nothing.toml"]).expect(2).stderr().contains("nothing.toml"));
    std::fs::write(shop.path("binary.toml"), [0xff, 0xfe, 0x00, 0x80]).unwrap();
    assert!(shop.run(&["check", "binary.toml"]).expect(2).stderr().contains("UTF-8"));
    std::fs::create_dir(shop.path("folder")).unwrap();
    shop.run(&["check", "folder"]).expect(2);
    shop.write("empty.toml", "");
    let answer = shop.run(&["check", "empty.toml"]);
    assert!([0, 2].contains(&answer.0.status.code().unwrap()));
}

#[test]
fn folders_that_cannot_be_written_are_refused() {
    let shop = Workshop::new();
    shop.write("good.toml", GOOD);
    // a file in the way
    shop.write("file", "mine");
    for dir in ["file", "file/out"] {
        let answer = shop.run(&["run", "good.toml", "-o", dir]).expect(2);
        assert!(answer.stderr().contains("file"), "{}", answer.stderr());
    }
    assert_eq!(std::fs::read_to_string(shop.path("file")).unwrap(), "mine");
    // a place that refuses everybody
    if cfg!(target_os = "linux") {
        let answer = shop.run(&["run", "good.toml", "-o", "/proc/voussoir"]).expect(2);
        assert!(answer.stderr().contains("cannot write"), "{}", answer.stderr());
    }
}

#[test]
fn folders_without_a_run_cannot_be_resumed() {
    let shop = Workshop::new();
    assert!(shop.run(&["resume", "nowhere"]).expect(2).stderr().contains("nowhere"));
    shop.write("good.toml", GOOD);
    shop.run(&["run", "good.toml", "-o", "out"]).expect(0);
    // a checkpoint that is cut off
    let checkpoint = shop.path("out/checkpoint");
    let bytes = std::fs::read(&checkpoint).unwrap();
    std::fs::write(&checkpoint, &bytes[..bytes.len() / 2]).unwrap();
    assert!(shop.run(&["resume", "out"]).expect(2).stderr().contains("checkpoint"));
    std::fs::write(&checkpoint, &bytes).unwrap();
    // a scene that was changed after the run
    shop.write("out/scene.toml", &GOOD.replace("0.6", "0.7"));
    assert!(shop.run(&["resume", "out"]).expect(2).stderr().contains("another scene"));
}

#[test]
fn wrong_arguments_are_refused() {
    let shop = Workshop::new();
    for arguments in [
        &["new", "wal"][..],
        &["new", "wall", "courses"],
        &["new", "wall", "corses=3"],
        &["new", "wall", "courses=many"],
        &["fly"],
        &["run"],
        &["--threads", "0", "schema"],
        &["-q", "-v", "schema"],
        &["completions", "abacus"],
    ] {
        let answer = shop.run(arguments).expect(2);
        assert!(!answer.stderr().is_empty() && answer.stdout().is_empty(), "{arguments:?}");
    }
    // a scene is not replaced without --force
    shop.run(&["new", "wall", "-o", "wall.toml"]).expect(0);
    assert!(shop.run(&["new", "wall", "-o", "wall.toml"]).expect(2).stderr().contains("--force"));
    shop.run(&["new", "wall", "-o", "wall.toml", "--force"]).expect(0);
}

/// A mistake far to the right of an endless line is reported by its place; the line itself is not shown.
#[test]
fn fault_a_mistake_beyond_column_65535_does_not_panic() {
    let shop = Workshop::new();
    let text = GOOD.replace("select = \"b\"", &format!("select = [{}\"nobody\"]", "\"b\", ".repeat(20_000)));
    for text in [text.clone(), text.replace("\"nobody\"]", "\"nobody\"] oops")] {
        std::fs::write(shop.path("long.toml"), &text).unwrap();
        let failed = shop.run(&["check", "long.toml"]);
        let message = failed.expect(2).stderr();
        assert!(message.contains("long.toml, line 25, column"), "{}", &message[..message.len().min(500)]);
        assert!(message.len() < 2000, "{} letters", message.len());
    }
}
