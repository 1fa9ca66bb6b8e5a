//! Templates from the first command to results on disk.

use crate::common::{Answer, Workshop};

/// Runs a template and checks what must hold for a structure that stands.
fn stands(template: &[&str]) -> (Workshop, Answer) {
    let shop = Workshop::new();
    shop.run(&[&["new"], template, &["-o", "scene.toml"]].concat()).expect(0);
    let answer = shop.run(&["run", "scene.toml", "--json"]).expect(0);
    let summary = answer.json();
    let number = |key: &str| summary[key].as_f64().unwrap_or_else(|| panic!("{key} in {summary}"));
    assert_eq!(summary["steps"], summary["converged_steps"]);
    assert_eq!(summary["finished"], true);
    assert!(number("max_residual") <= 1e-8);
    assert!(number("max_displacement_m") < 1e-6, "{summary}");
    assert!(number("max_penetration_m") < 1e-9, "{summary}");
    assert!((number("support_reaction_n") / number("weight_n") - 1.0).abs() < 1e-8, "{summary}");
    for key in ["bodies", "contacts", "max_speed_m_s", "kinetic_energy_j", "wall_time_s", "ms_per_step"] {
        assert!(number(key) >= 0.0);
    }
    for file in
        ["results.vtkhdf", "history.csv", "summary.json", "checkpoint", "scene.toml", "initial.svg", "final.svg"]
    {
        assert!(shop.path("out/scene").join(file).exists(), "{file} is missing");
    }
    assert_steady(&shop);
    (shop, answer)
}

/// After the first ten steps the support reaction does not flicker.
fn assert_steady(shop: &Workshop) {
    let history = std::fs::read_to_string(shop.path("out/scene/history.csv")).unwrap();
    let mut lines = history.lines();
    let heads: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let column = |name: &str| heads.iter().position(|head| *head == name).unwrap();
    let up = if rows.iter().all(|row| row[column("reaction_z_n")] == "0e0") { "reaction_y_n" } else { "reaction_z_n" };
    let reactions: Vec<f64> = rows.iter().map(|row| row[column(up)].parse().unwrap()).collect();
    for pair in reactions[10..].windows(2) {
        assert!((pair[1] - pair[0]).abs() <= 1e-6 * pair[1].abs(), "{pair:?}");
    }
}

#[test]
fn a_wall_stands() {
    let wall = ["wall", "courses=6", "bricks=4", "brick=[0.5,0.25,0.25]", "duration=0.03"];
    let (shop, answer) = stands(&wall);
    assert_eq!(answer.json()["bodies"], 6 * 4 + 3 + 1);
    // the same in the plane
    stands(&[&wall[..], &["dim=2"]].concat());
    let check = shop.run(&["check", "scene.toml", "--json"]).expect(0).json();
    assert_eq!(check["overlaps"], 0);
    assert_eq!(check["warnings"], serde_json::json!([]));
    assert_eq!(check["floating_bodies"], 0);
    assert_eq!(check["bodies"], 28);
    // 24 whole bricks' worth of 0.5 × 0.25 × 0.25 m at 2000 kg/m³
    assert!((check["mass_kg"].as_f64().unwrap() - 24.0 * 62.5).abs() < 1e-9);
    assert!(check["interfaces"].as_u64().unwrap() > 0 && check["contacts"].as_u64().unwrap() > 0);
    assert!(shop.run(&["check", "scene.toml"]).expect(0).stdout().contains("28: 27 free, 1 support"));
}

#[test]
fn a_stack_stands() {
    stands(&["stack", "count=8", "size=1", "duration=0.03"]);
    stands(&["stack", "count=8", "size=1", "duration=0.03", "dim=2"]);
}

#[test]
fn an_arch_stands() {
    stands(&["arch", "voussoirs=15", "duration=0.03"]);
    stands(&["arch", "voussoirs=15", "duration=0.03", "dim=2"]);
}

#[test]
fn a_pile_falls_and_a_column_stands() {
    stands(&["column", "duration=0.03"]);
    let shop = Workshop::new();
    shop.run(&["new", "pile", "count=6", "duration=0.02", "-o", "pile.toml"]).expect(0);
    let summary = shop.run(&["run", "pile.toml", "--json", "-o", "there"]).expect(0).json();
    assert!(summary["max_speed_m_s"].as_f64().unwrap() > 0.1);
    assert_eq!(summary["directory"], "there");
    assert!(shop.path("there/final.svg").exists());
}

#[test]
fn people_get_figures_and_programs_get_one_object() {
    let shop = Workshop::new();
    shop.scene("stack.toml", &["stack", "count=2", "duration=0.01"]);
    let text = shop.run(&["run", "stack.toml"]).expect(0);
    assert!(text.stdout().contains("support reaction") && text.stdout().contains("largest residual"));
    // results are not replaced unasked
    let again = shop.run(&["run", "stack.toml"]).expect(2);
    assert!(again.stderr().contains("already contains results") && again.stderr().contains("--force"));
    let answer = shop.run(&["run", "stack.toml", "--force", "--json", "--quiet"]).expect(0);
    assert!(answer.stderr().is_empty());
    assert_eq!(answer.json()["steps"], 10);
    // a finished run has nothing left to do
    assert_eq!(shop.run(&["resume", "out/stack", "--json"]).expect(0).json()["steps"], 10);
}

#[test]
fn stages_follow_each_other() {
    let shop = Workshop::new();
    let text = shop.run(&["new", "stack", "count=2", "duration=0.01"]).expect(0).stdout();
    let more = "[[stages]]\nanalysis = \"dynamic\"\nduration = 0.01\nstep = 2e-3\n";
    shop.write("two.toml", &(text + more));
    let summary = shop.run(&["run", "two.toml", "--json"]).expect(0).json();
    assert_eq!(summary["steps"], 15);
    assert!((summary["time_s"].as_f64().unwrap() - 0.02).abs() < 1e-12);
    // frames: the start, after steps 10 (end of the first stage) and 15 (the end)
    assert_eq!(summary["frames"], 3);
}

/// The demonstration collapses with rigid joints and every default, and its report says so in its first line.
#[test]
fn the_demonstration_is_honest() {
    let scene = include_str!("../../demo.toml");
    for key in ["elastic", "theta", "solver", "tolerance"] {
        assert!(!scene.contains(key), "{key}");
    }
    let shop = Workshop::new();
    let told = shop.run(&["demo", "--no-page", "-o", "out"]).expect(0).stdout();
    assert!(told.contains("s of shaking the keystone has dropped by 1.000 m"), "{told}");
    let report = std::fs::read_to_string(shop.path("out/report.html")).unwrap();
    let first = report.split("class=\"verdict met\"").nth(1).and_then(|rest| rest.split("</p>").next()).unwrap();
    assert!(first.contains("Collapsed at t = "), "{first}");
    // what the scheme lost, of the energy put in
    let history = std::fs::read_to_string(shop.path("out/history.csv")).unwrap();
    let mut rows = history.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let heads = rows.next().unwrap();
    let last = rows.next_back().unwrap();
    let of = |name: &str| last[heads.iter().position(|head| *head == name).unwrap()].parse::<f64>().unwrap();
    let input = of("work_gravity_j") + of("work_supports_j");
    assert!(input > 1e5 && of("numerical_j").abs() < 0.05 * input, "{} of {input}", of("numerical_j"));
    let summary: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(shop.path("out/summary.json")).unwrap()).unwrap();
    assert_eq!(summary["converged_steps"], summary["steps"]);
}

/// The number of bodies is printed before any of them is built.
#[test]
fn check_says_at_once_how_many_bodies_there_are() {
    use std::io::{BufRead, BufReader};
    let shop = Workshop::new();
    shop.write(
        "many.toml",
        "materials.stone.density = 2000.0\njoints = [{ between = [\"stone\", \"stone\"], friction = 0.6 }]\n\
         bodies = [{ name = \"arch\", generator = \"arch\", span = 7600, thickness = 60, width = 3, voussoirs = 65536, \
         material = \"stone\" }]\nstages = [{ analysis = \"static\" }]\n",
    );
    let mut command = shop.command(&["check", "many.toml", "--no-picture"]);
    let mut child = command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut first).unwrap();
    let running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(first.starts_with("65538 bodies") && running, "{first}");
}
