//! `voussoir stand`, `limit` and `pushover`: their answers and files.

use crate::common::Workshop;
use serde_json::Value;
use voussoir_testing::need;

const ARCH: &str = r#"
title = "Arch"
dim = 2
materials.stone.density = 2000.0
joints = [{ between = ["stone", "stone"], friction = 0.8 }]
[[bodies]]
name = "arch"
generator = "arch"
radius = 0.925
thickness = 0.15
voussoirs = 20
material = "stone"
[[loads]]
name = "push"
select = "arch.voussoir[9]"
force = [0.0, -100.0]
"#;

/// A column of three blocks with a load that presses on the middle.
const COLUMN: &str = r#"
dim = 2
materials.stone.density = 2000.0
joints = [{ between = ["stone", "stone"], friction = 0.6 }]
bodies = [
    { name = "column", generator = "stack", count = 3, size = [0.4, 0.2], material = "stone" },
    { name = "bird", shape = "disc", radius = 0.1, position = [0.0, 9.0], material = "stone" },
]
supports = [{ select = "bird" }]
loads = [
    { name = "press", select = "column.block[2]", force = [0.0, -100.0] },
    { name = "song", select = "bird", force = [1.0, 0.0] },
]
"#;

fn shop() -> Workshop {
    let shop = Workshop::new();
    shop.write("arch.toml", ARCH);
    shop.write("thin.toml", &ARCH.replace("0.15", "0.08").replace("0.925", "0.96"));
    shop.write("column.toml", COLUMN);
    shop
}

fn number(json: &Value, key: &str) -> f64 {
    json[key].as_f64().unwrap_or_else(|| panic!("{key} of {json}"))
}

#[test]
fn an_arch_stands_with_a_margin_and_a_range_of_thrust() {
    let json = shop().run(&["stand", "arch.toml", "--load", "push", "--json"]).expect(0).json();
    assert_eq!((&json["stands"], &json["certificate"]), (&Value::from(true), &Value::from("forces")));
    assert!(json["mechanism"].is_null());
    assert!(number(&json, "residual") < 1e-8);
    // the support carries the weight and the load
    assert!((number(&json, "support_reaction_n") - number(&json, "weight_n") - 100.0).abs() < 1e-4);
    let (min, max) = (number(&json["thrust"], "min_n"), number(&json["thrust"], "max_n"));
    assert!(0.0 < min && min < max && json["thrust"]["at"].as_str().unwrap().starts_with("arch.springer"));
    let margins = [number(&json, "geometric_margin"), number(&json, "friction_margin")];
    let factor = number(&json["load_factor"], "multiplier") - 1.0;
    assert_eq!(number(&json, "margin"), margins[0].min(margins[1]).min(factor));
}

#[test]
fn a_thin_arch_falls_and_the_mechanism_is_described() {
    let json = shop().run(&["stand", "thin.toml", "--json"]).expect(0).json();
    assert_eq!((&json["stands"], &json["certificate"]), (&Value::from(false), &Value::from("mechanism")));
    assert!(json["margin"].is_null() && json["thrust"].is_null());
    let mechanism = &json["mechanism"];
    assert!(number(mechanism, "dead_power_w") > 0.0);
    assert!(mechanism["hinges"].as_array().unwrap().len() >= 3);
    assert_eq!(mechanism["bodies"].as_array().unwrap().len() as f64, number(mechanism, "moving"));
}

#[test]
fn the_smallest_thickness_is_found_between_two_values() {
    let shop = shop();
    let search = ["--vary", "arch.thickness", "--find", "smallest", "--between", "0.05", "0.15", "--precision", "1e-4"];
    let json = shop.run(&[&["stand", "arch.toml", "--json"], &search[..]].concat()).expect(0).json();
    let (value, lower, upper) = (number(&json, "value"), number(&json, "lower"), number(&json, "upper"));
    assert!(lower < value && value == upper && upper - lower <= 1.5e-5);
    assert!(number(&json, "evaluations") > 5.0);
    // the answer is that of the structure found: it stands, hardly
    assert_eq!(json["stands"], true);
    assert!(number(&json, "margin") < 0.01);
    // the tilt that it stands, in degrees, is the arc tangent of the multiplier
    let tilt = ["--vary", "tilt_deg", "--find", "largest", "--between", "0", "40", "--precision", "1e-6"];
    let json = shop.run(&[&["stand", "column.toml", "--json"], &tilt[..]].concat()).expect(0).json();
    assert!((number(&json, "value").to_radians().tan() - 0.6).abs() < 1e-5, "{json}");
    // wrong questions
    for wrong in [["--vary", "arch.thicknes"], ["--vary", "vault.thickness"]] {
        let arguments = [&["stand", "arch.toml"], &wrong[..], &search[2..]].concat();
        shop.run(&arguments).expect(2);
    }
    shop.run(&["stand", "arch.toml", "--vary", "arch.thickness", "--find", "smallest", "--between", "2", "1"])
        .expect(2);
}

#[test]
fn a_multiplier_has_a_lower_and_an_upper_value() {
    let shop = shop();
    let json = shop.run(&["limit", "arch.toml", "--load", "push", "--json"]).expect(0).json();
    assert_eq!((&json["verdict"], &json["associated"]), (&Value::from("limit"), &Value::from(true)));
    let (lower, upper) = (number(&json, "multiplier"), number(&json, "upper"));
    assert!(lower > 1.0 && (upper - lower).abs() < 1e-6 * lower);
    for key in ["gap", "iterations", "time_s"] {
        number(&json, key);
    }
    assert_eq!(json["mechanism"]["hinges"].as_array().unwrap().len(), 4);
    // the column slides on its foot: λ W = μ (W + the load that presses)
    let json = shop.run(&["limit", "column.toml", "--acceleration", "-x", "--json"]).expect(0).json();
    let weight = 3.0 * 0.4 * 0.2 * 2000.0 * 9.81;
    assert!((number(&json, "multiplier") - 0.6 * (weight + 100.0) / weight).abs() < 1e-7);
    // on a tilted table the load tilts too
    let json = shop.run(&["limit", "column.toml", "--tilt", "x", "--non-associated", "--json"]).expect(0).json();
    assert!((number(&json, "multiplier") - 0.6).abs() < 1e-3);
    assert_eq!(json["associated"], false);
}

#[test]
fn answers_that_are_no_numbers_and_questions_that_are_none() {
    let shop = shop();
    let json = shop.run(&["limit", "column.toml", "--load", "press", "--json"]).expect(0).json();
    assert_eq!((&json["verdict"], &json["multiplier"]), (&Value::from("unbounded"), &Value::Null));
    let json = shop.run(&["limit", "thin.toml", "--load", "push", "--json"]).expect(0).json();
    assert_eq!(json["verdict"], "falls");
    let message = shop.run(&["limit", "column.toml", "--load", "song"]).expect(2).stderr();
    assert!(message.contains("has no effect"), "{message}");
    let message = shop.run(&["limit", "column.toml", "--load", "pres"]).expect(2).stderr();
    assert!(message.contains("press"), "{message}");
    let message = shop.run(&["limit", "column.toml"]).expect(2).stderr();
    assert!(message.contains("--acceleration"), "{message}");
    shop.run(&["stand", "arch.toml", "--support", "arch.springer[7]"]).expect(2);
    shop.run(&["stand", "arch.toml", "--chain", "vault", "-o", "out"]).expect(2);
}

#[test]
fn joints_lines_drawings_and_recordings_are_written() {
    let shop = shop();
    shop.run(&["stand", "arch.toml", "-o", "out", "--chain", "arch.voussoir"]).expect(0);
    let read = |name: &str| std::fs::read_to_string(shop.path(name)).unwrap();
    // 21 joints, and four lines through them
    assert_eq!(read("out/joints.csv").lines().count(), 22);
    let lines = read("out/thrust.csv");
    for kind in ["found", "minimum", "maximum", "funicular"] {
        assert_eq!(lines.lines().filter(|line| line.starts_with(&format!("{kind},"))).count(), 21, "{kind}");
    }
    let whole: Value = serde_json::from_str(&read("out/stand.json")).unwrap();
    assert_eq!((whole["joints"].as_array().unwrap().len(), whole["lines"].as_array().unwrap().len()), (21, 4));
    assert!(read("out/thrust.svg").contains("smallest thrust"));
    let csv = shop.run(&["export", "out", "--to", "csv", "-o", "tables"]).expect(0);
    drop(csv);
    // results are not overwritten without --force
    shop.run(&["stand", "arch.toml", "-o", "out"]).expect(2);
    shop.run(&["limit", "arch.toml", "--load", "push", "-o", "out", "--force"]).expect(0);
    assert!(read("out/mechanism.svg").contains("hinge"));
}

/// Axles are drawn where they are at the time of an answer, and at the worst position of an envelope.
#[test]
fn trains_are_drawn_where_they_were_computed() {
    let shop = shop();
    let train = "[[trains]]\nname = \"axle\"\naxles = [{ load = 200.0 }]\ncontact = 0.05\ndeck = \"arch.voussoir\"\n\
                 start = [-2, 0]\ndirection = [1, 0]\nspeed = 0.1\n";
    let (arch, _) = ARCH.split_once("[[loads]]").unwrap();
    shop.write("axle.toml", &[&arch.replace("voussoirs = 20", "voussoirs = 21"), train].concat());
    let read = |name: &str| std::fs::read_to_string(shop.path(name)).unwrap();
    let legend = |dir: &str| {
        shop.run(&["export", dir, "--to", "svg", "-o", "picture.svg"]).expect(0);
        read("picture.svg")
    };
    // at the time 20 s it is on the keystone, at the time 0 s before the arch
    for (command, drawing) in
        [(&["stand", "axle.toml"][..], "thrust.svg"), (&["limit", "axle.toml", "--load", "axle"], "mechanism.svg")]
    {
        shop.run(&[command, &["--time", "20", "-o", "axle", "--force"]].concat()).expect(0);
        assert!(read(&format!("axle/{drawing}")).contains(">loads<"), "{drawing}");
        assert!(legend("axle").contains("load, 200 N"), "{command:?}");
    }
    shop.run(&["stand", "axle.toml", "-o", "axle", "--force"]).expect(0);
    assert!(!read("axle/thrust.svg").contains(">loads<") && !legend("axle").contains("load, "));
    let found = shop.run(&["limit", "axle.toml", "--train", "axle", "-o", "all", "--json"]).expect(0).json();
    assert!(read("all/mechanism.svg").contains(">loads<"));
    assert!(legend("all").contains("load, "));
    // the line ends at the highest multiplier that is drawn
    let curve = read("all/envelope.svg");
    assert!(curve.contains("above") && !curve.contains("inf") && !curve.contains("NaN"), "{curve}");
    assert!(number(&found["worst"], "multiplier") > 0.0);
}

#[test]
fn a_static_stage_answers_in_a_run() {
    let shop = shop();
    let stage = "[[stages]]\nanalysis = \"static\"\n";
    let motion = "[[stages]]\nanalysis = \"dynamic\"\nduration = 0.01\nstep = 1e-3\n";
    shop.write("stages.toml", &[ARCH, stage, motion, stage].concat());
    let json = shop.run(&["run", "stages.toml", "-o", "out", "--json"]).expect(0).json();
    let verdicts = json["static"].as_array().unwrap();
    assert_eq!(verdicts.iter().map(|verdict| verdict["stage"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 3]);
    assert!(verdicts.iter().all(|verdict| verdict["stands"] == true));
    assert!(shop.path("out/static-1/thrust.svg").exists() && shop.path("out/static-3/joints.csv").exists());
    // a scene of statics alone is a run too
    shop.write("alone.toml", &[ARCH, stage].concat());
    let said = shop.run(&["run", "alone.toml", "-o", "alone"]).expect(0).stdout();
    assert!(said.contains("stands, smallest safety factor 1."), "{said}");
    // the reports begin with the verdicts, and have no motion where there was none
    let report = |dir: &str| std::fs::read_to_string(shop.path(dir).join("report.html")).unwrap();
    let found = "<strong>Stands</strong>: static analysis, stage 1; geometric safety factor 1.";
    assert!(report("alone").contains(found) && report("out").contains(found));
    assert!(report("out").contains("static analysis, stage 3"));
    for words in ["No step has been computed", "upward support reaction", "largest displacement 0 m"] {
        assert!(!report("alone").contains(words), "{words}");
    }
    // it takes no time
    shop.write("wrong.toml", &[ARCH, stage, "duration = 1.0\n"].concat());
    let message = shop.run(&["run", "wrong.toml", "-o", "wrong"]).expect(2).stderr();
    assert!(message.contains("takes no time"), "{message}");
}

#[test]
fn a_curve_starts_at_the_limit_and_ends_with_the_load_used_up() {
    let shop = shop();
    let json = shop.run(&["pushover", "arch.toml", "--load", "push", "-o", "curve", "--json"]).expect(0).json();
    let points = json["points"].as_array().unwrap();
    let limit = number(&json["limit"], "multiplier");
    assert!((number(&points[0], "load") - limit).abs() < 1e-4 * limit);
    assert_eq!(json["end"], "collapse");
    assert!(number(&json, "capacity_m") > 0.0);
    let drawing = std::fs::read_to_string(shop.path("curve/curve.svg")).unwrap();
    assert!(drawing.contains("limit analysis"));
    // a springer that moves out
    let settles = ["--settlement", "arch.springer[1]", "--direction", "x", "--json"];
    let json = shop.run(&[&["limit", "arch.toml"], &settles[..]].concat()).expect(0).json();
    assert!(number(&json, "multiplier") > 0.0 && number(&json, "gap") > 0.0);
}

/// Needs an interpreter with `vtk`, `h5py` and `numpy`, named by `VOUSSOIR_PYTHON` (`cargo xtask test` prepares one).
#[test]
fn thrust_lines_and_joints_open_in_h5py_and_vtk() {
    let shop = shop();
    shop.run(&["stand", "arch.toml", "-o", "out"]).expect(0);
    let Some(python) = need("VOUSSOIR_PYTHON", "Python with vtk, h5py and numpy") else { return };
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/check_thrust.py");
    let output = std::process::Command::new(python).arg(script).arg(shop.path("out")).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}

/// One command for the questions of an assessor; two of the numbers by hand.
#[test]
fn assess_answers_at_once() {
    let shop = Workshop::new();
    let scene = r#"
title = "Road arch"
[materials.stone]
density = 2300.0
compressive_strength = 8e6
[[joints]]
between = ["stone", "stone"]
friction = 0.6
[[bodies]]
name = "arch"
generator = "arch"
material = "stone"
span = 7.6
thickness = 0.6
width = 3.0
voussoirs = 27
[[loads]]
name = "fill"
select = "arch"
fill = { density = 1800, level = 5.0 }
[[trains]]
name = "axle"
axles = [{ load = 98.1e3 }]
deck = "arch.voussoirs"
start = [-4.4, 0, 0]
direction = [1, 0, 0]
speed = 1.0
"#;
    shop.write("road.toml", scene);
    let found = shop.run(&["assess", "road.toml", "-o", "sheet", "--json"]).expect(0).json();
    assert_eq!(found["satisfied"], true);
    // 27 sectors between two polygons
    let sector = 0.5 * (4.4f64.powi(2) - 3.8f64.powi(2)) * (std::f64::consts::PI / 27.0).sin();
    let weight = 27.0 * sector * 3.0 * 2300.0 * 9.81;
    assert!((number(&found, "weight_n") / weight - 1.0).abs() < 1e-9);
    let [permanent, axle] = [&found["cases"][0], &found["cases"][1]];
    assert_eq!(
        (&permanent["verdict"], &axle["verdict"], &found["governing"]),
        (&"stands".into(), &"stands".into(), &1.into())
    );
    let least = number(&permanent["thickness"][0], "least_m");
    assert!((least - 0.360).abs() < 1e-3, "{least}");
    // the same as a limit analysis at this place: the train is there at t = x + 4.4 m over 1 m/s
    let time = (axle["adequacy"]["at"][0].as_f64().unwrap() + 4.4).to_string();
    let limit = |more: &[&str]| {
        let mut words = vec!["limit", "road.toml", "--load", "axle", "--json", "--time"];
        words.extend(more);
        number(&shop.run(&words).expect(0).json(), "multiplier")
    };
    let worst = number(&axle["adequacy"], "factor");
    assert!((worst - limit(&[&time])).abs() < 1e-6 && worst < 2.1, "{worst}");
    assert!((limit(&["3.5"]) - 2.10).abs() < 0.005, "at x = -0.9 m");
    // limited strength: the same analysis, and the smallest strength for which its multiplier is 1
    let strength = &axle["strength"];
    assert!((number(&strength["adequacy"], "factor") - limit(&[&time, "--compression", "8e6"])).abs() < 1e-6);
    let bound = |i: usize| strength["least_pa"][i].as_f64().unwrap();
    assert!(limit(&[&time, "--compression", &bound(0).to_string()]) < 1.0);
    assert!(limit(&[&time, "--compression", &bound(1).to_string()]) >= 1.0);
    // a state of equilibrium respects this strength in all joints
    let joints = axle["joints"].as_array().unwrap();
    let stress = joints.iter().map(|joint| joint["stress_pa"].as_f64().unwrap_or(0.0)).fold(0.0, f64::max);
    assert_eq!(joints.len(), 28);
    assert!(stress <= 1.02 * bound(1) && stress > 0.5 * bound(1), "{stress} Pa");
    // the arch is symmetric, and slides across the bridge at its friction at the latest
    let along = [0, 1, 2].map(|i| number(&permanent["accelerations"][i]["acceleration_g"], "factor"));
    assert!((along[0] - along[1]).abs() < 1e-6 && along[2] < 0.6, "{along:?}");
    // all weights times 1.1: the factor as well; friction does not govern hinges
    let row = |i: usize| &found["sensitivities"][i];
    assert!((number(row(1), "more") - 1.1 * worst).abs() < 1e-5 && (number(row(0), "less") - worst).abs() < 1e-5);
    let page = std::fs::read_to_string(shop.path("sheet/assessment.html")).unwrap();
    for words in
        ["All load cases are satisfied", "geometric safety", "Partial factors", "<svg", "Sensitivity", ">loads<"]
    {
        assert!(page.contains(words), "{words}");
    }
}

/// Presets with their clauses, factors of the scene in their place, cases of the scene, and mistakes in them.
#[test]
fn load_cases_have_factors_with_sources() {
    let shop = Workshop::new();
    let arch = "dim = 2\nmaterials.stone.density = 2000.0\n[[joints]]\nbetween = [\"stone\", \"stone\"]\nfriction = 0.7\n\
                [[bodies]]\nname = \"arch\"\ngenerator = \"arch\"\nmaterial = \"stone\"\nspan = 5.0\nthickness = 0.7\n\
                voussoirs = 11\n[[loads]]\nname = \"snow\"\nselect = \"arch.voussoir[3]\"\nforce = [0, -4e3]\n\
                [[loads]]\nname = \"statue\"\nselect = \"arch.voussoir[5]\"\nforce = [0, -6e3]\nmass = true\n";
    let assess = |name: &str, more: &str| {
        shop.write(name, &format!("{arch}{more}"));
        shop.run(&["assess", name, "--json"])
    };
    let plain = assess("plain.toml", "").expect(0).json();
    let names = |found: &Value| -> Vec<String> {
        found["cases"].as_array().unwrap().iter().map(|case| case["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&plain), ["permanent actions", "snow, permanent actions"]);
    let factor = |found: &Value, case: usize| number(&found["cases"][case]["adequacy"], "factor");
    // all factors are those of the code: 1.5 on snow, 1.35 or 1 on weights
    let coded = assess("coded.toml", "[assessment]\npreset = \"en-1990-building\"\n").expect(0).json();
    assert!((factor(&coded, 2) - factor(&plain, 1) / 1.5).abs() < 1e-6);
    assert!((factor(&coded, 1) - factor(&plain, 1) * 1.35 / 1.5).abs() < 1e-6);
    let source = |found: &Value, i: usize| found["basis"]["factors"][i]["source"].as_str().unwrap().to_owned();
    assert!(source(&coded, 2).contains("EN 1990:2002, Table A1.2(B)"));
    // values of presets have to be checked, values of the scene not
    let to_check = |found: &Value, i: usize| found["basis"]["factors"][i]["to_check"].as_bool().unwrap();
    assert!(coded["basis"]["to_check"].as_str().unwrap().contains("check each value against its clause"));
    assert!(plain["basis"]["to_check"].is_null() && to_check(&coded, 2));
    let own =
        "[assessment]\npreset = \"en-1990-building\"\n[assessment.factors]\nvariable = 1.05\nsource = \"annex\"\n";
    let overridden = assess("own.toml", own).expect(0).json();
    assert!((factor(&overridden, 2) - factor(&plain, 1) / 1.05).abs() < 1e-6);
    assert_eq!((source(&overridden, 2), source(&overridden, 0)), ("annex".to_owned(), source(&coded, 0)));
    assert_eq!((to_check(&overridden, 2), to_check(&overridden, 0)), (false, true));
    // a preset of strengths only: actions keep the factor 1
    let strength = assess("strength.toml", "[assessment]\npreset = \"en-1996-1-1\"\n").expect(0).json();
    assert_eq!(strength["basis"]["factors"][3]["value"], 3.0);
    assert!((factor(&strength, 1) - factor(&plain, 1)).abs() < 1e-6);
    // a case of the scene, led by the ground: the factor is the collapse acceleration over the design value
    let case = "[[assessment.cases]]\nname = \"quake\"\nactions = { statue = 1 }\nleading = \"acceleration\"\n\
                acceleration = { direction = \"x\", value = 0.05 }\n";
    let quake = assess("quake.toml", case).expect(0).json();
    let limit = number(&quake["cases"][0]["accelerations"][0]["acceleration_g"], "factor");
    assert_eq!(names(&quake), ["quake"]);
    assert!((factor(&quake, 0) - limit / 0.05).abs() < 1e-6, "{limit}");
    for (more, words) in [
        ("[assessment]\npreset = \"en-1990-brige\"\n", "there is no preset"),
        ("[assessment]\npreset = \"cs-454\"\n", "keeps no factor of CS 454"),
        ("[assessment]\npreset = \"en-1991-2\"\n", "keeps no factor of EN 1991-2"),
        ("[[assessment.cases]]\nname = \"a\"\nactions = { snw = 1 }\n", "no load or train \"snw\""),
        ("[[assessment.cases]]\nname = \"a\"\nleading = \"snow\"\n", "is not an action of the case"),
        ("[assessment]\ndirections = [\"up\"]\n", "the direction \"up\""),
        ("[assessment]\nrequired = -1\n", "`required`"),
    ] {
        let run = assess("wrong.toml", more).expect(2);
        assert!(run.stderr().contains(words), "{more}: {}", run.stderr());
    }
}

/// A results folder of `stand` and `limit` is complete: meshes are copied, and the scene refers to the copies.
#[test]
fn static_results_keep_meshes_and_stresses() {
    let shop = Workshop::new();
    let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
    let faces = ["4 3 2 1", "5 6 7 8", "1 2 6 5", "2 3 7 6", "3 4 8 7", "4 1 5 8"];
    let mut obj: String = corners.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    faces.iter().for_each(|face| obj += &format!("f {face}\n"));
    shop.write("cube.obj", &obj);
    let scene = "materials.stone = { density = 2000.0, compressive_strength = 5e6 }\n\
                 joints = [{ between = [\"stone\", \"stone\"], friction = 0.6 }]\n\
                 bodies = [{ name = \"ground\", shape = \"ground\", material = \"stone\" }, \
                 { name = \"cube\", mesh = \"cube.obj\", material = \"stone\" }]\n";
    shop.write("mesh.toml", scene);
    shop.run(&["stand", "mesh.toml", "-o", "out"]).expect(0);
    assert!(shop.path("out/meshes/cube.obj").exists());
    std::fs::remove_file(shop.path("cube.obj")).unwrap();
    shop.run(&["check", shop.path("out/scene.toml").to_str().unwrap()]).expect(0);
    // the weight of 19.62 kN on 1 m²: 0.4 % of the strength
    let table = std::fs::read_to_string(shop.path("out/joints.csv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let column = |name: &str| rows[0].iter().position(|head| *head == name).unwrap();
    let value = |name: &str| rows[1][column(name)].parse::<f64>().unwrap();
    assert!((value("stress_pa") / 19_620.0 - 1.0).abs() < 1e-6);
    assert!((value("compression_use") / (19_620.0 / 5e6) - 1.0).abs() < 1e-6);
}
