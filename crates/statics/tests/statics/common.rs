//! Scenes as structures.

use std::path::Path;
use std::sync::Arc;

use voussoir_geometry::{D2, D3};
use voussoir_mechanics::model::Model;
use voussoir_model::{AnyModel, Scene, build};
use voussoir_statics::Structure;
use voussoir_statics::structure::CLOSED;

fn model(text: &str) -> AnyModel {
    let scene = Scene::parse(text, "scene").unwrap_or_else(|error| panic!("{error}\n{text}"));
    build(&scene, Path::new(".")).unwrap_or_else(|error| panic!("{error}\n{text}")).model
}

/// A structure in the plane.
pub fn plane(text: &str) -> Structure<D2> {
    match model(&format!("dim = 2\n{text}")) {
        AnyModel::Two(model) => Structure::new(model, CLOSED).unwrap(),
        AnyModel::Three(_) => unreachable!(),
    }
}

/// A structure in space.
pub fn space(text: &str) -> Structure<D3> {
    match model(text) {
        AnyModel::Three(model) => Structure::new(model, CLOSED).unwrap(),
        AnyModel::Two(_) => unreachable!(),
    }
}

/// The model of a scene when all of its stages are done.
pub fn released(text: &str) -> Arc<Model<D3>> {
    let scene = Scene::parse(text, "scene").unwrap_or_else(|error| panic!("{error}\n{text}"));
    match build(&scene, Path::new(".")).unwrap_or_else(|error| panic!("{error}\n{text}")).finished() {
        AnyModel::Three(model) => model,
        AnyModel::Two(_) => unreachable!(),
    }
}

/// Stone of 2000 kg/m³ with this friction everywhere.
pub fn stone(friction: f64) -> String {
    format!(
        "materials.stone.density = 2000.0\njoints = [{{ between = [\"stone\", \"stone\"], friction = {friction} }}]\n"
    )
}

/// Equal blocks on top of each other, on the ground.
pub fn stack(count: u32, size: &str, friction: f64) -> String {
    let keys = format!("generator = \"stack\", count = {count}, size = {size}");
    stone(friction) + &format!("bodies = [{{ name = \"stack\", {keys}, material = \"stone\" }}]\n")
}

/// Asserts that a number is the expected one but for a relative difference.
#[track_caller]
pub fn close(computed: f64, expected: f64, relative: f64) {
    assert!((computed - expected).abs() <= relative * expected.abs(), "{computed} instead of {expected}");
}
