//! Texts of the program: help, lists, errors, schema, completions.

use std::path::Path;

use crate::common::Workshop;
use voussoir::app::plain_text;
use voussoir_run::SceneFile;

#[test]
fn help_texts() {
    let shop = Workshop::new();
    for command in [
        "",
        "demo",
        "new",
        "import",
        "check",
        "run",
        "resume",
        "stand",
        "limit",
        "compare",
        "fill",
        "modes",
        "sample",
        "calibrate",
        "pushover",
        "sweep",
        "solve",
        "export",
        "report",
        "view",
        "validate",
        "materials",
        "schema",
        "completions",
    ] {
        let arguments: Vec<&str> = [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let help = shop.run(&arguments).expect(0).stdout();
        insta::assert_snapshot!(format!("help_{}", if command.is_empty() { "voussoir" } else { command }), help);
    }
}

#[test]
fn the_list_of_templates() {
    let list = Workshop::new().run(&["new"]).expect(0).stdout();
    insta::assert_snapshot!(list);
}

#[test]
fn errors_show_the_line_the_reason_and_the_help() {
    let scene = "[[bodies]]\nname = \"ground\"\nshape = \"ground\"\nmaterial = \"stone\"\n\
                 [materials.stone]\ndensity = 2000.0\n[[joints]]\nbetween = [\"stone\", \"stone\"]\n";
    let cases = [
        ("unknown_key", "fricton = 0.6\n"),
        ("negative_friction", "friction = -0.6 # slippery\n"),
        ("missing_material", "friction = 0.6\n[[bodies]]\nname = \"b\"\nshape = \"ground\"\nmaterial = \"ston\"\n"),
        ("empty_selection", "friction = 0.6\n[[supports]]\nselect = \"arch\"\n"),
        ("not_toml", "friction = \n"),
    ];
    for (name, rest) in cases {
        let failure = SceneFile::read(&format!("{scene}{rest}"), "scene.toml", Path::new(".")).unwrap_err();
        insta::assert_snapshot!(format!("error_{name}"), plain_text(&failure.into()));
    }
}

#[test]
fn the_schema_is_json() {
    let schema = Workshop::new().run(&["schema"]).expect(0).json();
    assert!(schema["properties"]["bodies"].is_object());
}

#[test]
fn every_shell_has_completions() {
    let shop = Workshop::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(shop.run(&["completions", shell]).expect(0).stdout().contains("resume"), "{shell}");
    }
}
