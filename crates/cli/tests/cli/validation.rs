//! `voussoir validate`: the cases that take less than a second, and the output of the command.

use crate::common::Workshop;
use serde_json::Value;

/// Cases of some seconds each; `voussoir validate` runs them too.
const LONG: [&str; 24] = [
    "L10",
    "E5",
    "E13",
    "V7.1",
    "V7.3",
    "V7.4",
    "E12",
    "V2.1.pushed",
    "V2.1.cracked",
    "V2.2",
    "V2.2.springs",
    "V2.4",
    "V2.5.falling",
    "V2.6",
    "V3.4",
    "V3.5",
    "V3.6",
    "V5.1",
    "V5.4",
    "V5.8.walls",
    "A1",
    "X12.arches",
    "X15",
    "X16",
];

#[test]
fn quick_cases_pass() {
    let cases = voussoir_run::validate::library::all().unwrap();
    let quick: Vec<_> = cases.into_iter().filter(|case| !LONG.contains(&case.id.as_str())).collect();
    assert!(quick.len() > 15);
    let report = voussoir_run::validate::validate(&quick, &|| ()).unwrap();
    assert_eq!(report.failed, 0, "{}", report.table());
    // every case ends with its invariants, or with its certificates
    for case in &quick {
        let rows = report.cases.iter().filter(|row| row.id == case.id);
        let whole = |row: &voussoir_run::validate::Row| {
            row.title.contains("invariants of") || row.title.contains("certificates of")
        };
        assert!(rows.clone().any(whole), "{}", case.id);
        assert!(rows.count() >= 2, "{}", case.id);
    }
}

#[test]
fn the_book_lists_every_case() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/validation.md");
    let page = std::fs::read_to_string(page).unwrap();
    for case in voussoir_run::validate::library::all().unwrap() {
        let line = format!("| {} | {} | {} |", case.id, case.title, case.source);
        assert!(page.contains(&line), "missing in docs/validation.md: {line}");
    }
}

#[test]
fn results_as_json() {
    let answer = Workshop::new().run(&["validate", "V1.2", "e7", "--json"]).expect(0);
    let json: Value = serde_json::from_str(&answer.stdout()).unwrap();
    let rows = json["cases"].as_array().unwrap();
    for row in rows {
        for key in ["id", "title", "expected", "computed", "error", "tolerance", "pass", "source"] {
            assert!(!row[key].is_null(), "{key} of {row}");
        }
    }
    assert_eq!(json["passed"], rows.len());
    assert_eq!(json["failed"], 0);
    assert_eq!((&rows[0]["id"], &rows[0]["expected"]), (&Value::from("V1.2"), &Value::from(1.076e-3)));
}

#[test]
fn the_answer_does_not_depend_on_threads() {
    let shop = Workshop::new();
    let answers: Vec<String> =
        ["1", "2"].map(|n| shop.run(&["validate", "E2", "V5.9", "--json", "--threads", n]).expect(0).stdout()).into();
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn a_case_of_ones_own_that_fails_and_one_that_cannot_be_read() {
    let shop = Workshop::new();
    let case = |expected: &str, quantity: &str| {
        format!(
            r#"
id = "free fall"
title = "Free fall"
source = "Galilei"
explanation = "v = g t"

[[run]]
name = "fall"
scene = '''
materials.stone.density = 2000.0
bodies = [{{ name = "ball", shape = "sphere", radius = 0.1, material = "stone" }}]
stages = [{{ analysis = "dynamic", duration = 0.1, step = 1e-3 }}]
'''

[[check]]
what = "velocity [m/s]"
quantity = "{quantity}"
body = "ball"
component = "z"
expected = "{expected}"
tolerance = {{ relative = 1e-9 }}
"#
        )
    };
    shop.write("right.toml", &case("-9.81*0.1", "velocity"));
    shop.write("wrong.toml", &case("-9.81*0.2", "velocity"));
    shop.write("odd.toml", &case("-9.81*0.1", "velocty"));
    shop.run(&["validate", "right.toml"]).expect(0);
    let table = shop.run(&["validate", "wrong.toml"]).expect(3).stdout();
    assert!(table.contains("FAIL") && table.contains("1 passed, 1 failed"), "{table}");
    let message = shop.run(&["validate", "odd.toml"]).expect(2).stderr();
    assert!(message.contains("velocty") && message.contains("odd.toml"), "{message}");
    let message = shop.run(&["validate", "E77"]).expect(2).stderr();
    assert!(message.contains("E77") && message.contains("V1.1"), "{message}");
    shop.run(&["validate", "missing.toml"]).expect(2);
}

#[test]
fn scenes_can_be_taken_out_and_run() {
    let shop = Workshop::new();
    shop.run(&["validate", "V1.1", "--scenes", "scenes"]).expect(0);
    shop.run(&["check", "scenes/V1.1-3.toml"]).expect(0);
    assert_eq!(std::fs::read_dir(shop.path("scenes")).unwrap().count(), 3);
    let list = shop.run(&["validate", "--list"]).expect(0).stdout();
    assert!(list.lines().any(|line| line.starts_with("V7.4")), "{list}");
}
