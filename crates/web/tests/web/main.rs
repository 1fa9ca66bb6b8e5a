//! The analysis in a wasm module gives the same answers as on this machine.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use voussoir_testing::need;

/// An arch that stands.
fn arch() -> String {
    voussoir_model::render("arch", &[]).unwrap()
}

fn parsed(answer: &str) -> Value {
    serde_json::from_str(answer).unwrap()
}

#[test]
fn an_arch_stands_with_a_range_of_thrust() {
    let answer = parsed(&voussoir_web::stand(&arch()));
    assert_eq!(answer["stands"], true, "{answer}");
    let [least, most] = ["min_n", "max_n"].map(|key| answer["thrust"][key].as_f64().unwrap());
    assert!(0.0 < least && least < most, "{answer}");
}

#[test]
fn a_mistake_is_an_error_in_the_answer() {
    let answer = parsed(&voussoir_web::stand("title = 3"));
    let error = answer["error"].as_str().unwrap();
    assert!(error.contains("`title`") && error.contains("expected a string"), "{answer}");
}

/// Needs the module, named by `VOUSSOIR_WASM`, and Node (`cargo xtask test` builds the module).
#[test]
fn node_computes_the_same_thrust_from_wasm() {
    let Some(module) = need("VOUSSOIR_WASM", "the wasm module, a wasm32 compiler and Node") else { return };
    let scene = std::env::temp_dir().join(format!("voussoir-arch-{}.toml", std::process::id()));
    std::fs::write(&scene, arch()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node.mjs");
    let output = Command::new("node").arg(script).arg(module).arg(&scene).output().unwrap();
    std::fs::remove_file(scene).unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    let (there, here) = (parsed(&text(&output.stdout)), parsed(&voussoir_web::stand(&arch())));
    assert_eq!(there["stands"], true, "{there}");
    // sines and cosines differ in the last digit, the optimum within the tolerance of the program
    for key in ["min_n", "max_n"] {
        let [there, here] = [&there, &here].map(|answer| answer["thrust"][key].as_f64().unwrap());
        assert!((there / here - 1.0).abs() < 1e-6, "{key}: {there} N in wasm, {here} N here");
    }
}
