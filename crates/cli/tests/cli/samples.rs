//! Vibration modes and their calibration; tests on samples of grains with closed forms.

use crate::common::Workshop;

/// A clamped column of two blocks; kn, kt of its joints.
fn column(normal: f64, tangential: f64) -> String {
    let mut text = format!(
        "title = \"Column\"\ndim = 2\nallow_overlap = true\nmaterials.stone.density = 2000.0\n\
         joints = [{{ between = [\"stone\", \"*\"], friction = 0.7, elastic = {{ normal = {normal:?}, tangential = {tangential:?} }} }}]\n\
         bodies = [\n"
    );
    for i in 0..3 {
        let y = 0.25 * f64::from(i);
        text += &format!(
            "{{ name = \"b{i}\", shape = \"rectangle\", size = [0.4, 0.25], position = [0.0, {y}], material = \"stone\" }},\n"
        );
    }
    text + "]\nsupports = [{ select = \"b0\" }]\n\
            stages = [{ analysis = \"explicit\", rounding = 0.01, damping = { local = {} }, until = { unbalanced = 1e-6 } }]\n"
}

#[test]
fn modes_are_drawn_recorded_and_calibrated() {
    let shop = Workshop::new();
    shop.write("column.toml", &column(5e9, 2e9));
    let answer = shop.run(&["modes", "column.toml", "--count", "2", "--json"]).expect(0).json();
    let first = answer["frequencies_hz"][0].as_f64().unwrap();
    // shapes: two drawings, and two periods for the page
    let said = shop.run(&["modes", "column.toml", "--count", "2", "-o", "shapes"]).expect(0).stdout();
    assert!(said.contains("mode_02.svg"), "{said}");
    let svg = std::fs::read_to_string(shop.path("shapes/mode_01.svg")).unwrap();
    assert!(svg.contains("mode 1: ") && svg.matches("<polygon").count() == 6, "{svg}");
    let results = voussoir_results::Results::open(&shop.path("shapes")).unwrap();
    assert_eq!(results.frames(), 32);
    assert!(shop.run(&["modes", "column.toml", "-o", "shapes"]).expect(2).stderr().contains("--force"));
    // f ~ √k: a frequency 1.5 times as high needs springs 2.25 times as stiff
    let measured = format!("[[measured]]\nmode = 1\nfrequency = {}\n", 1.5 * first);
    shop.write("measured.toml", &measured);
    let found = shop.run(&["modes", "column.toml", "--calibrate", "measured.toml", "--json"]).expect(0).json();
    let calibration = &found["calibration"];
    assert!((calibration["factors"][0]["factor"].as_f64().unwrap() - 2.25).abs() < 1e-9, "{calibration}");
    assert_eq!(calibration["scene"][0]["line"], "elastic = { normal = 1.125000e10, tangential = 4.500000e9 }");
    // the line of the scene gives the measured frequency
    shop.write("stiffer.toml", &column(1.125e10, 4.5e9));
    let stiffer = shop.run(&["modes", "stiffer.toml", "--json"]).expect(0).json();
    assert!((stiffer["frequencies_hz"][0].as_f64().unwrap() / (1.5 * first) - 1.0).abs() < 1e-9);
    // mistakes
    shop.write("wrong.toml", &measured.replace("mode = 1", "mode = 0"));
    assert!(
        shop.run(&["modes", "column.toml", "--calibrate", "wrong.toml"]).expect(2).stderr().contains("numbered from 1")
    );
    shop.write("other.toml", &format!("{measured}[[scale]]\njoint = [\"stone\", \"brick\"]\n"));
    assert!(
        shop.run(&["modes", "column.toml", "--calibrate", "other.toml"])
            .expect(2)
            .stderr()
            .contains("no joint between")
    );
}

#[test]
fn modes_of_a_results_folder_are_those_of_its_last_state() {
    let shop = Workshop::new();
    shop.write("column.toml", &column(5e9, 2e9));
    shop.run(&["run", "column.toml", "-o", "out"]).expect(0);
    let [drawn, rested] = ["column.toml", "out"].map(|path| {
        let answer = shop.run(&["modes", path, "--count", "3", "--json"]).expect(0).json();
        assert_eq!(answer["contact_points"], 4);
        [0, 1, 2].map(|k| answer["frequencies_hz"][k].as_f64().unwrap())
    });
    // under its own weight all joints stay closed; the blocks are pressed together by some micrometres
    for (a, b) in drawn.iter().zip(&rested) {
        assert!((a / b - 1.0).abs() < 1e-4, "{drawn:?} {rested:?}");
    }
}

/// Three by three discs of 0.1 m between plates, without gravity: three columns of two contacts of discs and two of plates.
const SAMPLE: &str = "title = \"Regular sample\"\ndim = 2\ngravity = 0.0\nmaterials.soil.density = 2000.0\n\
    materials.plate.density = 2000.0\nrecord = { every = 100000 }\n\
    joints = [{ between = [\"soil\", \"soil\"], friction = 0.7, elastic = { normal = 1.6e9, tangential = 0.6e9 } },\n\
    { between = [\"soil\", \"plate\"], friction = 0.7, elastic = { normal = 4.8e9, tangential = 0.6e9 } },\n\
    { between = [\"plate\", \"plate\"], law = \"none\" }]\n\
    bodies = [{ name = \"floor\", shape = \"rectangle\", size = [0.5, 0.1], position = [0.15, -0.05], material = \"plate\" },\n\
    { name = \"grains\", generator = \"fill\", packing = \"rectangular\", diameter = 0.1, region = [[0.0, 0.0], [0.3, 0.0], [0.3, 0.3], [0.0, 0.3]], material = \"soil\" },\n\
    { name = \"lid\", shape = \"rectangle\", size = [0.5, 0.1], position = [0.15, 0.35], material = \"plate\" }]\n\
    supports = [{ select = \"floor\" }]\nloads = [{ name = \"press\", select = \"lid\", force = [0.0, -1000.0] }]\n\
    stages = [{ analysis = \"explicit\", damping = { local = {} }, guides = [{ select = \"lid\", free = [\"y\"] }], \
    increments = { load = \"press\", by = 1.0, most = 3.0, unbalanced = 1e-9, collapse = { displacement = 0.1 } } }]\n\
    sample = { test = \"oedometer\", lid = \"lid\", width = 0.3, height = 0.3 }\n";

/// (H/W) 3/(2/k_pp + 2/k_bp)
fn modulus(k_pp: f64, k_bp: f64) -> f64 {
    3.0 / (2.0 / (0.1 * k_pp) + 2.0 / (0.1 * k_bp))
}

#[test]
fn an_oedometer_on_a_regular_packing_has_a_closed_form() {
    let shop = Workshop::new();
    shop.write("sample.toml", SAMPLE);
    let answer = shop.run(&["sample", "sample.toml", "--seeds", "1", "--json"]).expect(0).json();
    let exact = modulus(1.6e9, 4.8e9);
    for (value, name) in answer["rows"][0]["values"].as_array().unwrap().iter().zip(["tangent", "secant"]) {
        assert!(value["name"].as_str().unwrap().starts_with(name));
        assert!((value["value"].as_f64().unwrap() / exact - 1.0).abs() < 1e-6, "{answer}");
    }
    // springs for a modulus: 1/k_pp = 0.1 (3/E)/2 − 1/k_bp
    let wanted = modulus(2.9e9, 4.8e9);
    let found = shop
        .run(&[
            "calibrate",
            "sample.toml",
            "--modulus",
            &wanted.to_string(),
            "--seeds",
            "1",
            "--tolerance",
            "1e-3",
            "--json",
        ])
        .expect(0)
        .json();
    assert!((found["springs"][0].as_f64().unwrap() / 2.9e9 - 1.0).abs() < 3e-3, "{found}");
    assert!((found["springs"][1].as_f64().unwrap() / found["springs"][0].as_f64().unwrap() - 0.375).abs() < 1e-9);
    // not a sample
    shop.write("column.toml", &column(5e9, 2e9));
    assert!(shop.run(&["sample", "column.toml"]).expect(2).stderr().contains("[sample]"));
}
