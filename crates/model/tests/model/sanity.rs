//! Warnings: implausible values in valid scenes.

use std::path::Path;

use voussoir_model::{Scene, build};

fn scene(density: &str, friction: &str, size: &str, stage: &str, more: &str) -> String {
    format!(
        "materials.stone.density = {density}\njoints = [{{ between = [\"stone\", \"stone\"], friction = {friction} }}]\n\
         bodies = [\n{{ name = \"b\", material = \"stone\", shape = \"box\", size = {size} }},\n{more}]\n\
         stages = [{{ analysis = \"dynamic\", duration = 100.0, step = {stage} }}]"
    )
}

fn warnings(text: &str) -> Vec<String> {
    build(&Scene::parse(text, "scene").unwrap(), Path::new(".")).unwrap().warnings
}

const GROUND: &str = "{ name = \"g\", material = \"stone\", shape = \"ground\", position = [0, 0, -900] },\n";

#[test]
fn likely_mistakes_are_named_all_at_once() {
    assert_eq!(warnings(&scene("2000.0", "0.6", "[1, 1, 1]", "1e-3", GROUND)), [""; 0]);
    let found = warnings(&scene("2.3", "35.0", "[1200, 600, 300]", "10.0", ""));
    let words = ["t/m³? Write 2300", "no body is a support", "millimetres", "meant in degrees", "smallest block"];
    for word in words {
        assert_eq!(found.iter().filter(|line| line.contains(word)).count(), 1, "{word}: {found:#?}");
    }
    assert_eq!(found.len(), words.len(), "{found:#?}");
}

#[test]
fn gravity_that_lifts_blocks_is_named() {
    let with = |gravity: &str| {
        warnings(&format!("gravity = {gravity}\n{}", scene("2000.0", "0.6", "[1, 1, 1]", "1e-3", GROUND)))
    };
    assert_eq!(with("9.81"), [""; 0]);
    for (gravity, words) in [("-9.81", "upwards"), ("[0.0, 0.0, 9.81]", "upwards"), ("9810.0", "millimetres")] {
        assert!(with(gravity).iter().any(|line| line.contains(words)), "{:?}", with(gravity));
    }
}

/// Units that are a thousand times too small or too large, and gravity in multiples of itself.
#[test]
fn units_of_other_loads_are_named() {
    let body = "{ name = \"b\", material = \"stone\", shape = \"box\", size = [2, 2, 1] },\n";
    let with = |more: &str| {
        let text = scene(
            "2000.0",
            "0.6",
            "[1, 1, 1]",
            "1e-3",
            &format!("{GROUND}{}", body.replace("\"b\"", "\"d\", position = [9, 0, 0]")),
        );
        warnings(&format!("{text}\n{more}"))
    };
    let train = |load: &str| {
        format!(
            "trains = [{{ name = \"t\", axles = [{{ load = {load} }}], deck = \"d\", start = [5, 0, 0], direction = [1, 0, 0], speed = 1 }}]"
        )
    };
    let load = |what: &str| format!("loads = [{{ name = \"q\", select = \"d\", {what} }}]");
    let cable = |force: &str| {
        format!("cables = [{{ name = \"c\", through = [\"b\", \"d\"], stiffness = 1e6, prestress = {force} }}]")
    };
    for (right, wrong, words) in [
        (train("1e5"), train("100"), "is it in kN? Write 1e5"),
        (
            load("fill = { density = 1800, level = 2.0 }"),
            load("fill = { density = 1.8, level = 2.0 }"),
            "t/m³? Write 1800",
        ),
        (load("force = [0, 0, -1e6]"), load("force = [0, 0, -1e12]"), "1.0e12 N, 1e7 times the weight"),
        (cable("1e5"), cable("1e8"), "stretches it by"),
    ] {
        assert_eq!(with(&right), [""; 0]);
        let found = with(&wrong);
        assert!(found.len() == 1 && found[0].contains(words), "{words}: {found:?}");
    }
    let g = warnings(&format!("gravity = 1.0\n{}", scene("2000.0", "0.6", "[1, 1, 1]", "1e-3", GROUND)));
    assert!(g.len() == 1 && g[0].contains("Write 9.81"), "{g:?}");
}

/// Warnings about stages are of no concern to static analyses.
#[test]
fn warnings_of_stages_are_kept_apart() {
    let text = scene("2.3", "0.6", "[1, 1, 1]", "10.0", GROUND);
    let built = build(&Scene::parse(&text, "scene").unwrap(), Path::new(".")).unwrap();
    assert_eq!((built.warnings.len(), built.structure_warnings.len()), (2, 1), "{:?}", built.warnings);
    assert!(built.structure_warnings[0].contains("t/m³"));
}

#[test]
fn newtons_restitution_with_friction_is_named() {
    let text = scene("2000.0", "0.6, restitution = 0.5", "[1, 1, 1]", "1e-3", GROUND);
    assert!(warnings(&text).iter().any(|line| line.contains("poisson")), "{:?}", warnings(&text));
    let text = scene("2000.0", "0.6, restitution = { poisson = 0.5 }", "[1, 1, 1]", "1e-3", GROUND);
    assert_eq!(warnings(&text), [""; 0]);
}

/// A cube of 1 m carries less than 8 MN at 8 MPa; its weight is 19.62 kN.
#[test]
fn loads_above_the_strength_are_named() {
    let text = |strength: &str, force: &str| {
        format!(
            "{}\nmaterials.stone.compressive_strength = {strength}\nloads = [{{ name = \"q\", select = \"b\", \
             force = [0, 0, {force}] }}]",
            scene("2000.0", "0.6", "[1, 1, 1]", "1e-3", GROUND)
        )
    };
    assert_eq!(warnings(&text("8e6", "-1e6")), [""; 0]);
    let above = warnings(&text("8e6", "-1e9"));
    assert!(above.len() == 1 && above[0].contains("above its strength"), "{above:?}");
    let unit = warnings(&text("8.0", "-1e3"));
    assert!(unit.len() == 1 && unit[0].contains("is it in MPa? Write 8e6"), "{unit:?}");
}

#[test]
fn a_mass_ratio_beyond_double_precision_is_named() {
    let light = |density: &str| {
        let more = format!(
            "{{ name = \"l\", material = \"light\", shape = \"box\", size = [1, 1, 1], position = [3, 0, 0] }},\n{GROUND}"
        );
        let text = scene("2000.0", "0.6", "[1, 1, 1]", "1e-3", &more);
        warnings(
            &(text.replace("[\"stone\", \"stone\"]", "[\"*\", \"*\"]")
                + &format!("\nmaterials.light.density = {density}")),
        )
    };
    assert_eq!(light("20.0"), [""; 0]);
    let found = light("1e-9");
    assert!(found.iter().any(|line| line.contains("2e12 times the mass")), "{found:?}");
}

/// The number of bodies is reported before they are created.
#[test]
fn a_scene_with_too_many_bodies_asks_first() {
    let many = "{ name = \"s\", material = \"stone\", generator = \"stack\", count = 1000000, size = 1.0 },\n";
    let text = scene("2000.0", "0.6", "[1, 1, 1]", "1e-3", many);
    let refused = build(&Scene::parse(&text, "scene").unwrap(), Path::new(".")).unwrap_err();
    assert!(refused.message.contains("10000"), "{refused:?}");
    assert!(refused.help.unwrap().contains("max_bodies = 10000"));
}

/// A scene with several mistakes names all of them, each with its line; consequences of a corrected mistake are not
/// reported.
#[test]
fn several_mistakes_are_found_at_once() {
    let text = "tittle = \"a\"\n[materials.stone]\ndensity = 2000.0\n[[joints]]\nbetween = [\"stone\", \"stone\"]\n\
                frictoin = 0.6\n[[bodies]]\nname = \"a\"\nshape = \"box\"\nsize = [1, 1, 1]\nmaterial = \"stone\"\nmass = \"x\"\n";
    let first = voussoir_model::Scene::parse(text, "a.toml").unwrap_err();
    let further = voussoir_model::further::further_mistakes(&first, std::path::Path::new(""));
    let lines: Vec<usize> = std::iter::once(&first).chain(&further).map(|error| error.line).collect();
    assert_eq!(lines.len(), 3, "{first}\n{further:?}");
    for line in [1, 6, 12] {
        assert!(lines.contains(&line), "{lines:?}");
    }
    // values of keys that must be there: a negative density, a material and an analysis that do not exist, a step that
    // is too long, which is no missing step
    let values = "[materials.stone]\ndensity = -2300.0\n[[joints]]\nbetween = [\"stone\", \"stone\"]\nfriction = 0.6\n\
                  [[bodies]]\nname = \"a\"\nshape = \"box\"\nsize = [1, 1, 1]\nmaterial = \"ston\"\n\
                  [[stages]]\nanalysis = \"dynamc\"\nduration = 1.0\nstep = 5.0\n";
    let first = voussoir_model::Scene::parse(values, "a.toml").unwrap_err();
    let further = voussoir_model::further::further_mistakes(&first, std::path::Path::new(""));
    let mut lines: Vec<usize> = std::iter::once(&first).chain(&further).map(|error| error.line).collect();
    lines.sort_unstable();
    assert_eq!(lines, [2, 10, 12, 14], "{first}\n{further:?}");
    // a vector of the wrong length, a wrong material and a negative size of one body; no overlap where the correction
    // puts it, and no load without a force
    let body = "[materials.stone]\ndensity = 2300.0\n[[joints]]\nbetween = [\"stone\", \"stone\"]\nfriction = 0.6\n\
                [[bodies]]\nname = \"a\"\nshape = \"box\"\nsize = [1, 1, 1]\nmaterial = \"stone\"\n[[bodies]]\nname = \"b\"\n\
                shape = \"box\"\nsize = -1\nposition = [0, 0]\nmaterial = \"marble\"\n[[loads]]\nname = \"q\"\nselect = \"a\"\n\
                force = [0.0, 1.0]\n";
    let scene = Scene::parse(body, "a.toml").unwrap();
    let first = build(&scene, Path::new("")).unwrap_err();
    let further = voussoir_model::further::further_mistakes(&first, Path::new(""));
    let mut lines: Vec<usize> = std::iter::once(&first).chain(&further).map(|error| error.line).collect();
    lines.sort_unstable();
    assert_eq!(lines, [14, 15, 16, 20], "{first}\n{further:?}");
    // one mistake is one mistake
    let text = text.replace("tittle", "title").replace("frictoin", "friction");
    let only = voussoir_model::Scene::parse(&text, "a.toml").unwrap_err();
    assert!(voussoir_model::further::further_mistakes(&only, std::path::Path::new("")).is_empty());
}
