//! Cables of scenes: anchors, stiffness, stages, and invalid input.

use std::path::Path;

use insta::assert_snapshot;
use voussoir_geometry::glam::DVec3;
use voussoir_mechanics::cable::CableChange;
use voussoir_mechanics::model::Model;
use voussoir_model::{AnyModel, Built, Scene, build};

/// A valid scene, to be changed.
const RIGHT: &str = r#"[materials.stone]
density = 2000.0
[[joints]]
between = ["*", "*"]
friction = 0.6
[[bodies]]
name = "pile"
generator = "stack"
count = 4
size = 0.5
material = "stone"
[[bodies]]
name = "hook"
shape = "box"
size = 0.2
position = [3.0, 0.0, 1.0]
material = "stone"
[[supports]]
select = "hook"
[[cables]]
name = "tendon"
through = ["pile.block"]
stiffness = 6e6
prestress = 50e3
strength = 120e3
[[cables]]
name = "stay"
through = ["hook", { select = "pile.block[3]", at = [0.25, 0.0, 2.0] }]
modulus = 200e9
diameter = 0.02
tensile_strength = 800e6
fitted = false
[[stages]]
analysis = "dynamic"
duration = 0.1
step = 1e-3
[[stages]]
analysis = "dynamic"
duration = 0.1
step = 1e-3
cables = [{ name = "stay", prestrain = 1e-4 }, { name = "tendon", removed = true }]
"#;

fn built(text: &str) -> Result<Built, String> {
    let scene = Scene::parse(text, "s.toml").map_err(|error| error.render())?;
    build(&scene, Path::new(".")).map_err(|error| error.render())
}

/// The message after a replacement in the valid scene.
fn spoilt(from: &str, to: &str) -> String {
    assert!(RIGHT.contains(from), "{from}");
    match built(&RIGHT.replacen(from, to, 1)) {
        Ok(built) => panic!("no error; warnings {:?}", built.warnings),
        Err(message) => message,
    }
}

fn model(text: &str) -> Model<voussoir_geometry::D3> {
    match built(text).unwrap_or_else(|message| panic!("{message}")).model {
        AnyModel::Three(model) => std::sync::Arc::unwrap_or_clone(model),
        AnyModel::Two(_) => panic!("2D"),
    }
}

#[test]
fn anchors_stiffness_and_strength() {
    let model = model(RIGHT);
    let [tendon, stay] = &model.cables[..] else { panic!("two cables") };
    let poses: Vec<_> = model.bodies.iter().map(|body| body.pose).collect();
    assert_eq!((tendon.anchors.len(), tendon.prestress, tendon.stiffness), (4, 50e3, 6e6));
    assert!((tendon.length(&poses) - 1.5).abs() < 1e-12);
    assert_eq!(stay.way(&poses)[0], DVec3::new(3.0, 0.0, 1.0));
    assert!((stay.way(&poses)[1] - DVec3::new(0.25, 0.0, 2.0)).length() < 1e-12);
    let (section, length) = (std::f64::consts::PI * 1e-4, (2.75f64.powi(2) + 1.0).sqrt());
    assert!((stay.stiffness / (200e9 * section / length) - 1.0).abs() < 1e-12);
    assert!((stay.strength.unwrap() / (800e6 * section) - 1.0).abs() < 1e-12 && !stay.fitted);
}

#[test]
fn stages_change_cables() {
    let stages = built(RIGHT).unwrap().stages;
    assert!(stages[0].cables.is_empty());
    assert_eq!(stages[1].cables, [(1, CableChange::Prestrain(1e-4)), (0, CableChange::Remove)]);
}

#[test]
fn a_scene_with_cables_is_written_and_read_again() {
    let scene = Scene::parse(RIGHT, "s.toml").unwrap();
    let again = Scene::parse(&scene.to_toml().unwrap(), "again.toml").unwrap();
    assert_eq!((again.cables, again.stages), (scene.cables, scene.stages));
}

#[test]
fn a_prestrain_is_a_share_of_the_length() {
    let with = |prestrain: &str| model(&RIGHT.replacen("prestress = 50e3", prestrain, 1)).cables[0].prestress;
    assert!((with("prestrain = 5e-3") - 6e6 * 1.5 * 5e-3).abs() < 1e-6);
    assert!(with("prestrain = -0.01") < 0.0);
}

#[test]
fn offsets_are_from_the_centroids() {
    let model =
        model(&RIGHT.replacen(r#"["pile.block"]"#, r#"[{ select = "pile.block", offset = [0.1, 0.0, 0.2] }]"#, 1));
    assert_eq!(model.cables[0].anchors.len(), 4);
    assert!(model.cables[0].anchors.iter().all(|anchor| anchor.point == DVec3::new(0.1, 0.0, 0.2)));
}

#[test]
fn odd_cables_are_warned_about() {
    let warnings = |text: &str| built(text).unwrap().warnings.join("\n");
    assert_eq!(warnings(RIGHT), "");
    let forgotten = RIGHT.replacen(r#"{ name = "stay", prestrain = 1e-4 }, "#, "", 1);
    assert!(warnings(&forgotten).contains("\"stay\" is not fitted"));
}

#[test]
fn cables_through_nothing() {
    assert_snapshot!(spoilt(r#"["pile.block"]"#, "[]"));
    assert_snapshot!(spoilt(r#"["pile.block"]"#, r#"["pillar"]"#));
    assert_snapshot!(spoilt(r#"["pile.block"]"#, r#"["pile.block[0]"]"#));
    assert_snapshot!(spoilt(r#"["pile.block"]"#, r#"["pile.block[0]", "pile.block[0]"]"#));
    assert_snapshot!(spoilt("select = \"hook\"", "select = [\"hook\", \"pile.block\"]"));
    let far = spoilt("at = [0.25, 0.0, 2.0]", "at = [0.25, 0.0, 20.0]");
    assert!(far.contains("has an anchor outside its body") && far.contains("whose size is"), "{far}");
}

#[test]
fn contradictory_numbers() {
    assert_snapshot!(spoilt("stiffness = 6e6", "stiffness = -6e6"));
    assert_snapshot!(spoilt("stiffness = 6e6\n", ""));
    assert_snapshot!(spoilt("diameter = 0.02\ntensile_strength = 800e6", "strength = 1e3"));
    assert_snapshot!(spoilt("prestress = 50e3", "prestress = 500e3"));
    assert_snapshot!(spoilt("prestress = 50e3", "prestress = 50e3\nprestrain = 0.1"));
    assert_snapshot!(spoilt("prestress = 50e3\n", "function = { ramp = { end = 1.0 } }\n"));
    assert_snapshot!(spoilt("strength = 120e3", "breaks = true"));
    assert_snapshot!(spoilt("name = \"tendon\"\n", "name = \"ten,don\"\n"));
}

#[test]
fn contradictory_stages() {
    assert_snapshot!(spoilt("name = \"tendon\", removed", "name = \"tendom\", removed"));
    assert_snapshot!(spoilt(", removed = true", ""));
    assert_snapshot!(spoilt("removed = true", "prestress = 200e3"));
    assert_snapshot!(spoilt("prestress = 50e3", "prestress = 50e3\nfunction = { ramp = { end = 1.0 } }"));
}
