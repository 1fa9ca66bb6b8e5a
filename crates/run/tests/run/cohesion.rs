//! Cohesion and influence lengths of joints: limit analysis, dynamic and explicit analysis agree on when a body slides.

use std::path::Path;

use voussoir_run::{Control, SceneFile, drive};
use voussoir_statics::limit::LimitSettings;
use voussoir_statics::{AnyQuestion, AnyStructure};

/// Bodies on a floor that are pushed by a force; μ = 0.5, c = 10 kPa.
fn scene(body: &str, push: &str, stage: &str) -> SceneFile {
    let text = format!(
        "dim = 2\nallow_overlap = true\nrecord = {{ every = 1000000 }}\nmaterials.soil.density = 2000.0\n\
         joints = [{{ between = [\"soil\", \"soil\"], friction = 0.5, cohesion = 10e3, elastic = {{ normal = 1e9, tangential = 1e9 }} }}]\n\
         bodies = [{{ name = \"floor\", shape = \"rectangle\", size = [4.0, 0.2], position = [0.0, -0.1], material = \"soil\" }},\n\
         {{ name = \"body\", material = \"soil\", {body} }}]\nsupports = [{{ select = \"floor\" }}]\n\
         loads = [{{ name = \"push\", select = \"body\", {push} }}]\nstages = [{{ {stage} }}]\n"
    );
    SceneFile::read(&text, "s.toml", Path::new(".")).unwrap()
}

/// Distance that the body slides [m].
fn slides(body: &str, force: f64, stage: &str) -> f64 {
    // the body settles first
    let push = format!("force = [{force}, 0.0], function = {{ ramp = {{ start = 0.05, end = 0.15 }} }}");
    let file = scene(body, &push, stage);
    let outcome = drive::run(&file.built, &mut [], &Control::default()).unwrap();
    outcome.state.bodies()[1].position[0]
}

const DYNAMIC: &str = "analysis = \"dynamic\", duration = 0.4, step = 1e-3, theta = 1.0";
const EXPLICIT: &str = "analysis = \"explicit\", duration = 0.4, rounding = 0.001, damping = { viscous = 200.0 }";

#[test]
fn a_block_with_cohesion_slides_at_the_same_force_in_all_analyses() {
    let block = "shape = \"rectangle\", size = [1.0, 0.2], position = [0.0, 0.1]";
    // μ W + c A
    let exact = 0.5 * 0.2 * 2000.0 * 9.81 + 10e3;
    let file = scene(block, "force = [1.0, 0.0]", DYNAMIC);
    let mut structure = AnyStructure::for_limits(&file.built.model).unwrap();
    let answer = structure.limit(&AnyQuestion::Named("push".to_owned()), &LimitSettings::default()).unwrap();
    assert!((answer.multiplier.unwrap() / exact - 1.0).abs() < 1e-6, "{answer:?}");
    // other static analyses say that they leave it out
    assert!(AnyStructure::new(&file.built.model).unwrap_err().to_string().contains("`limit`"));
    for stage in [DYNAMIC, EXPLICIT] {
        let [below, above] = [0.97, 1.03].map(|factor| slides(block, factor * exact, stage));
        assert!(below < 1e-4, "{stage}: {below}");
        assert!(above > 10.0 * below && above > 5e-4, "{stage}: {above}");
    }
}

#[test]
fn discs_stand_on_springs_of_their_mean_diameter_in_all_analyses() {
    // one disc: overlap = W/(kn d)
    let disc = "shape = \"disc\", radius = 0.1, position = [0.0, 0.1]";
    let weight = std::f64::consts::PI * 0.01 * 2000.0 * 9.81;
    for stage in [
        "analysis = \"dynamic\", duration = 0.5, step = 1e-3, theta = 1.0",
        "analysis = \"explicit\", damping = { local = {} }, until = { unbalanced = 1e-9 }",
    ] {
        let file = scene(disc, "force = [0.0, -1e-9]", stage);
        let outcome = drive::run(&file.built, &mut [], &Control::default()).unwrap();
        let overlap = 0.1 - outcome.state.bodies()[1].position[1];
        assert!((overlap / (weight / (1e9 * 0.2)) - 1.0).abs() < 1e-4, "{stage}: {overlap}");
    }
}

/// A block on a bed with two or three points: the same settlement, another stiffness in rotation.
#[test]
fn rounded_corners_and_three_points_in_dynamic_stages() {
    let block = "shape = \"rectangle\", size = [1.0, 0.2], position = [0.0, 0.1]";
    let weight = 0.2 * 2000.0 * 9.81;
    let settled = |keys: &str| {
        let file = scene(block, "force = [0.0, -1e-9]", &format!("{}, duration = 0.5, step = 1e-3, theta = 1.0", keys));
        let outcome = drive::run(&file.built, &mut [], &Control::default()).unwrap();
        0.1 - outcome.state.bodies()[1].position[1]
    };
    // kn (b − 2t): the points of rounded corners lie t inside of the corners
    for (keys, width) in [
        ("analysis = \"dynamic\"", 1.0),
        ("analysis = \"dynamic\", points = 3", 1.0),
        ("analysis = \"dynamic\", detection = \"rounded\", rounding = 0.05", 0.9),
        ("analysis = \"dynamic\", detection = \"rounded\", rounding = 0.05, points = 3", 0.9),
    ] {
        let found = settled(keys);
        assert!((found * 1e9 * width / weight - 1.0).abs() < 1e-4, "{keys}: {found}");
    }
}
