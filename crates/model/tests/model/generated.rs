//! Structures of one generator, and their common properties.

use std::path::Path;

use voussoir_geometry::{D2, D3, Space};
use voussoir_mechanics::inspect::inspect;
use voussoir_mechanics::model::{Body, Model, Role};
use voussoir_model::{AnyModel, Scene, build};

/// The model of a generator with these keys.
pub fn built(dim: usize, keys: &str) -> Result<AnyModel, String> {
    let text = format!(
        "dim = {dim}\n[materials.stone]\ndensity = 1000.0\n[[joints]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\n\
         [[bodies]]\nname = \"g\"\nmaterial = \"stone\"\n{keys}\n"
    );
    let scene = Scene::parse(&text, "g.toml").map_err(|e| e.render())?;
    Ok(build(&scene, Path::new(".")).map_err(|e| e.message)?.model)
}

/// The same in 3D.
pub fn three(keys: &str) -> Model<D3> {
    match built(3, keys) {
        Ok(AnyModel::Three(model)) => std::sync::Arc::unwrap_or_clone(model),
        Ok(AnyModel::Two(_)) => panic!("2D"),
        Err(message) => panic!("{message}"),
    }
}

/// The same in 2D.
pub fn two(keys: &str) -> Model<D2> {
    match built(2, keys) {
        Ok(AnyModel::Two(model)) => std::sync::Arc::unwrap_or_clone(model),
        Ok(AnyModel::Three(_)) => panic!("3D"),
        Err(message) => panic!("{message}"),
    }
}

pub fn free<S: Space>(model: &Model<S>) -> impl Iterator<Item = &Body<S>> {
    model.bodies.iter().filter(|body| body.role == Role::Free)
}

pub fn volume<S: Space>(model: &Model<S>) -> f64 {
    free(model).map(|body| body.mass).sum::<f64>() / 1000.0
}

/// Area of all interfaces, after making sure that nothing overlaps, nothing floats and every joint is closed.
pub fn closed_area<S: Space>(model: &Model<S>) -> f64 {
    let inspection = inspect(model, Some(1e-6));
    assert!(inspection.overlaps.is_empty(), "{:?}", inspection.overlaps);
    assert!(inspection.floating.is_empty(), "{:?}", inspection.floating);
    for interface in &inspection.interfaces {
        assert!(interface.worst_gap.abs() < 1e-12, "{:?} {:e}", interface.bodies, interface.worst_gap);
    }
    inspection.interfaces.iter().map(|interface| interface.area).sum()
}
