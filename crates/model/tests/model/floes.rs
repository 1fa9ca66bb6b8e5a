//! Fields of floes: concentration, sizes, seeds, and what cannot be made.

use std::path::Path;
use std::sync::Arc;

use voussoir_geometry::{D2, Solid};
use voussoir_mechanics::model::Model;
use voussoir_model::{AnyModel, Scene, SceneError, build};

fn field(keys: &str) -> Result<Arc<Model<D2>>, SceneError> {
    let text = format!(
        "dim = 2\ngravity = 0.0\nmaterials.ice.density = 917.0\n\
         joints = [{{ between = [\"ice\", \"ice\"], friction = 0.3 }}]\n\
         bodies = [{{ name = \"pack\", generator = \"floes\", size = [10e3, 6e3], material = \"ice\", {keys} }}]\n"
    );
    match build(&Scene::parse(&text, "ice.toml")?, Path::new("."))?.model {
        AnyModel::Two(model) => Ok(model),
        AnyModel::Three(_) => panic!("not in the plane"),
    }
}

fn area(model: &Model<D2>) -> f64 {
    model.bodies.iter().map(|body| body.shape.mass_properties().unwrap().volume).sum()
}

/// Voronoi cells have the concentration exactly; overlaps would be refused by the builder.
#[test]
fn voronoi_cells_have_their_concentration() {
    for concentration in [0.3, 0.75, 0.95] {
        for periodic in [false, true] {
            let keys = format!("concentration = {concentration}, count = 200, periodic = {periodic}, seed = 5");
            let model = field(&keys).unwrap();
            assert_eq!(model.bodies.len(), 200);
            assert!((area(&model) / 60e6 - concentration).abs() < 1e-8, "{keys}: {}", area(&model) / 60e6);
        }
    }
    let again = |seed: u64| format!("{:?}", field(&format!("concentration = 0.6, count = 50, seed = {seed}")).unwrap());
    assert!(again(3) == again(3) && again(3) != again(4));
}

/// A single cell is the whole field, and the cells of a full field fill it.
#[test]
fn cells_fill_the_field() {
    let model = field("concentration = 0.25, count = 1").unwrap();
    assert!((area(&model) / 60e6 - 0.25).abs() < 1e-12);
    assert!((model.bodies[0].pose.position.x - 5e3).abs() < 1e-9);
}

#[test]
fn discs_follow_a_power_law() {
    let keys = "concentration = 0.4, floe = \"discs\", smallest = 50.0, largest = 500.0, exponent = 1.5";
    let model = field(keys).unwrap();
    assert!((area(&model) / 60e6 - 0.4).abs() < 1e-4, "{}", area(&model) / 60e6);
    let larger = |d: f64| model.bodies.iter().filter(|body| body.shape.size() > d).count() as f64;
    let share = |d: f64| (d.powf(-1.5) - 500_f64.powf(-1.5)) / (50_f64.powf(-1.5) - 500_f64.powf(-1.5));
    for d in [60.0, 100.0, 200.0] {
        let (computed, expected) = (larger(d) / larger(0.0), share(d));
        assert!((computed / expected - 1.0).abs() < 0.15, "{d}: {computed} {expected}");
    }
    assert!(field(&format!("{keys}, periodic = true")).is_ok());
}

#[test]
fn impossible_fields_are_refused() {
    for (keys, message) in [
        ("concentration = 0.9, floe = \"discs\", smallest = 200.0", "0.9 cannot be reached"),
        ("concentration = 1.2, count = 10", "must be between 0 and 1"),
        ("concentration = 0.0, count = 10", "must be above zero"),
        ("concentration = 0.5", "need `count`"),
        ("concentration = 0.5, count = 10, smallest = 3.0", "`smallest` has no effect"),
        ("concentration = 0.5, floe = \"discs\", smallest = 20.0, largest = 10.0", "less than `smallest`"),
        ("concentration = 0.5, floe = \"discs\", smallest = 20.0, count = 3", "`count` has no effect"),
    ] {
        let error = field(keys).unwrap_err();
        assert!(error.message.contains(message), "{keys}: {}", error.message);
    }
}
