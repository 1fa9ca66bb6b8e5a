//! Scenes that once gave wrong answers, where they are at hand: `VOUSSOIR_DATA` names the folder that has `faults` in it. What
//! each of them showed is in its README.

use std::path::Path;

use crate::common::Workshop;
use serde_json::Value;
use voussoir_testing::need_data;

fn answer(shop: &Workshop, folder: &Path, words: &[&str]) -> Value {
    let scene = folder.join(words[1]);
    let mut all = words.to_vec();
    all[1] = scene.to_str().unwrap();
    all.push("--json");
    shop.run(&all).json()
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("{key} in {value}"))
}

/// The weight of fill acts above its columns, its inertia at the voussoirs; added masses have both at the voussoirs.
#[test]
fn fault_road_arch_fill_is_mass() {
    let Some(folder) = need_data("faults") else { return };
    let shop = Workshop::new();
    let endured = |scene: &str| {
        let found = answer(&shop, &folder, &["limit", scene, "--acceleration", "x"]);
        assert_eq!(found["proved"], true);
        number(&found, "multiplier")
    };
    assert!((endured("road_arch.toml") - 0.17369).abs() < 1e-5);
    assert!((endured("road_arch_fill_as_mass.toml") - 0.17613).abs() < 1e-5);
}

#[test]
fn fault_thrust_at_each_pier() {
    let Some(folder) = need_data("faults") else { return };
    let shop = Workshop::new();
    for scene in ["arch_on_piers.toml", "arch_on_piers_planes.toml"] {
        let found = answer(&shop, &folder, &["stand", scene]);
        let thrusts = found["thrusts"].as_array().unwrap();
        assert_eq!(thrusts.len(), 2, "{scene}");
        for thrust in thrusts {
            assert!((number(thrust, "min_n") / 22_420.0 - 1.0).abs() < 1e-3, "{scene}: {thrust}");
            assert!((number(thrust, "max_n") / 27_870.0 - 1.0).abs() < 1e-3, "{scene}: {thrust}");
        }
    }
    let vault = answer(&shop, &folder, &["stand", "groin_vault.toml"]);
    for thrust in vault["thrusts"].as_array().unwrap() {
        assert!(number(thrust, "min_n") > 1e4 && number(thrust, "min_n") < number(thrust, "max_n"), "{thrust}");
    }
}

#[test]
fn fault_fill_weighs_what_is_uncovered() {
    let Some(folder) = need_data("faults") else { return };
    let found = answer(&Workshop::new(), &folder, &["stand", "fill_cover.toml"]);
    let fill = number(&found, "support_reaction_n") - number(&found, "weight_n");
    assert!((fill / 39_240.0 - 1.0).abs() < 1e-8, "{fill} N");
}

/// Nothing is crushed without strengths, nothing falls by blocks that enter each other, nothing stands by self-stress.
#[test]
fn fault_verdicts_are_true() {
    let Some(folder) = need_data("faults") else { return };
    let shop = Workshop::new();
    let verdict = |scene: &str| {
        let found = answer(&shop, &folder, &["stand", scene]);
        let crushed = found["mechanism"]["crushing"].as_array().map_or(0, Vec::len);
        assert_eq!(crushed, 0, "{scene}");
        found["verdict"].as_str().unwrap().to_owned()
    };
    assert_ne!(verdict("drums.toml"), "collapses");
    assert_eq!(verdict("floating_above.toml"), "collapses");
    assert_eq!(verdict("wedged.toml"), "wedged");
    verdict("tilt.toml");
}

/// Bounds of a proved multiplier meet.
#[test]
fn fault_bridge_is_proved_within_the_tolerance() {
    let Some(folder) = need_data("faults") else { return };
    let found = answer(&Workshop::new(), &folder, &["limit", "bridge.toml", "--load", "axle", "--time", "12"]);
    assert_eq!(found["proved"], true);
    assert!(number(&found, "gap") <= 1e-4 * number(&found, "upper"), "{}", found["gap"]);
    assert!((number(&found, "multiplier") - 23.585).abs() < 1e-3);
}

/// One ground under four feet: each foot has its own range. The two outer feet push outwards by the thrust of their arches,
/// the inner ones stand between two arches and may push either way.
#[test]
fn fault_bridge_on_one_ground_has_four_feet() {
    let Some(folder) = need_data("faults") else { return };
    let found = answer(&Workshop::new(), &folder, &["stand", "bridge_one_ground.toml"]);
    assert_eq!(found["verdict"], "stands");
    let thrusts = found["thrusts"].as_array().unwrap();
    assert_eq!(thrusts.len(), 4, "{thrusts:?}");
    for (i, thrust) in thrusts.iter().enumerate() {
        let (min, max) = (number(thrust, "min_n"), number(thrust, "max_n"));
        assert!(min < max && number(thrust, "gap_n") < 1e-5 * max, "{thrust}");
        assert_eq!(min > 8e5, i == 0 || i == 3, "{thrust}");
        assert!(thrust["at"].as_str().unwrap().starts_with("bridge.ground under bridge.course[0].brick["), "{thrust}");
    }
    // the bridge is symmetric except for the axle of 98.1 kN at one of its ends
    for (a, b) in [(0, 3), (1, 2)] {
        let [a, b] = [a, b].map(|i| number(&thrusts[i], "max_n"));
        assert!((a / b - 1.0).abs() < 1e-3, "{a} {b}");
    }
}

/// Sliding without dilatancy carries no more than associated friction, the iteration ends, and nothing is called proved.
#[test]
fn fault_non_associated_friction_ends_with_a_bound() {
    let Some(folder) = need_data("faults") else { return };
    let shop = Workshop::new();
    let ask =
        |scene: &str, more: &[&str]| answer(&shop, &folder, &[&["limit", scene, "--acceleration", "x"], more].concat());
    // hinges only: both laws give the same multiplier
    let [associated, other] = [&[][..], &["--non-associated"]].map(|more| ask("arch_on_piers.toml", more));
    assert_eq!((&associated["proved"], &other["proved"]), (&true.into(), &false.into()));
    let [associated, other] = [&associated, &other].map(|found| number(found, "multiplier"));
    assert!((other / associated - 1.0).abs() < 1e-4, "{other} {associated}");
    // a vault that slides: fewer multiples, and not decided where passes do not settle
    let vault = ask("groin_vault.toml", &["--non-associated"]);
    let (found, bound) = (number(&vault, "multiplier"), number(&vault, "associated_bound"));
    assert!(0.5 * bound < found && found < 0.9 * bound, "{found} {bound}");
    assert_eq!(vault["proved"], false);
    if vault["verdict"] == "undecided" {
        let passes: Vec<f64> = vault["last_passes"].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        assert!(passes.len() == 2 && passes[0] <= found && found <= passes[1], "{vault}");
    }
}
