//! Scenes in survey coordinates: the same answers as near zero, in the coordinates of the survey.

use crate::common::Workshop;
use serde_json::Value;

/// Corner of the site in a national grid [m].
const SITE: [f64; 2] = [432_000.0, 6_117_000.0];

/// A block that slides on a slope, pushed at a point, with a wedge beside it that is written by its corners; all numbers
/// are dyadic, so that a shift of the site changes no bit of their differences.
fn scene([x, y]: [f64; 2]) -> String {
    let corners: Vec<String> =
        [[2.0, 0.0, 0.0], [3.0, 0.0, 0.0], [2.0, 1.0, 0.0], [3.0, 1.0, 0.0], [2.0, 0.0, 0.5], [2.0, 1.0, 0.5]]
            .iter()
            .map(|p| format!("[{:?}, {:?}, {:?}]", x + p[0], y + p[1], p[2]))
            .collect();
    format!(
        "title = \"Site\"\nmaterials.stone.density = 2000.0\n\
         joints = [{{ between = [\"stone\", \"stone\"], friction = 0.25 }}]\n\
         bodies = [\n\
         {{ name = \"ground\", material = \"stone\", shape = \"ground\" }},\n\
         {{ name = \"block\", material = \"stone\", shape = \"box\", size = [1, 1, 1], position = [{:?}, {:?}, 0.5] }},\n\
         {{ name = \"wedge\", material = \"stone\", shape = \"polyhedron\", vertices = [{}] }},\n]\n\
         loads = [{{ name = \"push\", select = {{ min = [{:?}, {:?}, 0.25], max = [{:?}, {:?}, 1.0] }}, \
         force = [8000, 0, 0], point = [{:?}, {:?}, 0.25] }}]\n\
         probes = [{{ name = \"east\", quantity = \"position\", of = \"block\", component = \"x\" }}]\n\
         stages = [{{ analysis = \"dynamic\", duration = 0.25, step = 5e-3 }}]\n",
        x + 0.5,
        y + 0.5,
        corners.join(", "),
        x,
        y,
        x + 1.0,
        y + 1.0,
        x,
        y + 0.25,
    )
}

/// Rows of a table, as numbers and texts.
fn table(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn survey_coordinates_change_no_answer() {
    let shop = Workshop::new();
    for (name, site) in [("near", [0.0; 2]), ("far", SITE)] {
        shop.write(&format!("{name}.toml"), &scene(site));
        shop.run(&["run", &format!("{name}.toml"), "-o", name, "--quiet"]).expect(0);
        shop.run(&["export", name, "--to", "csv", "-o", &format!("{name}-csv")]).expect(0);
    }
    let read = |path: &str| table(&std::fs::read_to_string(shop.path(path)).unwrap());
    // the history is the same bit for bit, except for the probe of the position
    let (near, far) = (read("near/history.csv"), read("far/history.csv"));
    let probe = near[0].iter().position(|head| head.contains("east")).unwrap();
    assert!(near.len() > 50 && near.len() == far.len());
    for (a, b) in near.iter().zip(&far).skip(1) {
        for (k, (a, b)) in a.iter().zip(b).enumerate() {
            if k != probe {
                assert_eq!(a, b, "{}", near[0][k]);
            }
        }
        let [a, b] = [a, b].map(|row| row[probe].parse::<f64>().unwrap());
        assert!((b - a - SITE[0]).abs() < 1e-9, "{a} {b}");
    }
    // the block has moved, and the table of bodies has survey coordinates
    let (near, far) = (read("near-csv/bodies.csv"), read("far-csv/bodies.csv"));
    let x = near[0].iter().position(|head| head == "x_m").unwrap();
    let rows = || near.iter().zip(&far).skip(1).filter(|(row, _)| row[3] != "ground");
    assert!(rows().count() > 2);
    for (a, b) in rows() {
        for (k, site) in SITE.into_iter().enumerate() {
            let [a, b] = [a, b].map(|row| row[x + k].parse::<f64>().unwrap());
            assert!((b - a - site).abs() < 1e-9, "{a} {b}");
        }
    }
}

#[test]
fn static_answers_are_in_survey_coordinates() {
    let shop = Workshop::new();
    let hinges = [[0.0; 2], SITE].map(|site| {
        shop.write("scene.toml", &scene(site).replace("friction = 0.25", "friction = 4.0"));
        shop.run(&["limit", "scene.toml", "--load", "push", "--json"]).expect(0).json()
    });
    let [near, far]: [&Value; 2] = [&hinges[0], &hinges[1]];
    assert_eq!(near["multiplier"], far["multiplier"]);
    let at = |answer: &Value, k: usize| answer["mechanism"]["hinges"][0]["at"][k].as_f64().unwrap();
    for (k, site) in SITE.into_iter().enumerate() {
        assert!((at(far, k) - at(near, k) - site).abs() < 1e-9);
    }
}

/// One body near zero among others far away: the scene has a mistake.
#[test]
fn bodies_far_from_each_other_are_refused() {
    let shop = Workshop::new();
    shop.write("scene.toml", &scene(SITE).replace(&format!(", {:?}, 0.5]", SITE[1] + 0.5), ", 0.5, 0.5]"));
    let refused = shop.run(&["check", "scene.toml"]).expect(2);
    assert!(refused.stderr().contains("outside the permitted range"), "{}", refused.stderr());
}
