//! Fields of floes: concentration, sizes, seeds, and impossible fields.

use std::path::Path;
use std::sync::Arc;

use voussoir_geometry::{D2, Shape2, Solid};
use voussoir_mechanics::model::Model;
use voussoir_model::{AnyModel, Scene, SceneError, build};

fn field(keys: &str) -> Result<Arc<Model<D2>>, SceneError> {
    among("", keys)
}

/// A field after other bodies.
fn among(others: &str, keys: &str) -> Result<Arc<Model<D2>>, SceneError> {
    let text = format!(
        "dim = 2\ngravity = 0.0\nmaterials.ice.density = 917.0\n\
         joints = [{{ between = [\"ice\", \"ice\"], friction = 0.3 }}]\n\
         bodies = [{others} {{ name = \"pack\", generator = \"floes\", size = [10e3, 6e3], material = \"ice\", {keys} }}]\n"
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
        ("concentration = 0.5, count = 10, smallest = 3.0", "needs `smallest` and `largest`"),
        ("concentration = 0.5, floe = \"rectangles\"", "rectangles need `columns`"),
        ("concentration = 0.5, floe = \"outlines\", smallest = 20.0", "either `outlines` or `library`"),
        (
            "concentration = 0.5, floe = \"outlines\", smallest = 20.0, outlines = [[[0, 0], [1, 1], [1, 0], [0, 1.2]]]",
            "outline 1: the outline crosses itself: side 0 meets side 2",
        ),
        ("concentration = 0.5, floe = \"outlines\", smallest = 20.0, library = \"no.csv\"", "cannot be read"),
        ("concentration = 0.5, floe = \"discs\", smallest = 20.0, largest = 10.0", "less than `smallest`"),
        ("concentration = 0.5, floe = \"discs\", smallest = 20.0, count = 3", "`count` has no effect"),
    ] {
        let error = field(keys).unwrap_err();
        assert!(error.message.contains(message), "{keys}: {}", error.message);
    }
}

const SHAPES: &str =
    "outlines = [[[0, 0], [3, 0], [3, 1], [1, 1], [1, 2], [0, 2]], [[0, 0], [2, 0], [2.5, 1], [1, 2]]]";

/// Given outlines are scaled, turned and placed without overlap, which the builder would refuse.
#[test]
fn outlines_are_packed() {
    for periodic in [false, true] {
        let keys = format!(
            "concentration = 0.35, floe = \"outlines\", smallest = 200.0, largest = 900.0, periodic = {periodic}, {SHAPES}"
        );
        let model = field(&keys).unwrap();
        assert!((area(&model) / 60e6 - 0.35).abs() < 1e-3, "{}", area(&model) / 60e6);
        let concave = model.bodies.iter().filter(|body| matches!(*body.shape, Shape2::Compound(_))).count();
        assert!(concave > 5 && concave < model.bodies.len() - 5, "{concave} of {}", model.bodies.len());
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("floes.csv"), "x,y\n0,0\n1,0\n0,1\n\n0,0\n2,0\n2,1\n0,1\n").unwrap();
    let text = "dim = 2\ngravity = 0.0\nmaterials.ice.density = 917.0\n\
                joints = [{ between = [\"ice\", \"ice\"], friction = 0.3 }]\n\
                bodies = [{ name = \"pack\", generator = \"floes\", size = [1e3, 1e3], material = \"ice\", \
                concentration = 0.3, floe = \"outlines\", smallest = 100.0, library = \"floes.csv\" }]\n";
    let built = build(&Scene::parse(text, "ice.toml").unwrap(), folder.path()).unwrap();
    let said = built.warnings.iter().find(|text| text.contains("concentration 0.2")).unwrap();
    assert!(said.contains("diameters 100.0000 to 100.0000 m"), "{said}");
}

/// Coasts and given floes are left free, and the concentration is that of the rest.
#[test]
fn fields_fill_what_other_bodies_leave() {
    let others = "{ name = \"coast\", shape = \"half-plane\", normal = [0.0, 1.0], position = [0.0, 1e3], material = \"ice\" }, \
                  { name = \"island\", shape = \"rectangle\", size = [2e3, 1e3], position = [5e3, 3e3], material = \"ice\", \
                  rotation = { angle_deg = 20.0 } }, \
                  { name = \"given\", shape = \"disc\", radius = 400.0, position = [8e3, 5e3], material = \"ice\" }, ";
    // the disc counts as a polygon of 32 sides around it
    let disc = 32.0 * (std::f64::consts::PI / 32.0).tan() * 400_f64.powi(2);
    let free = 10e3 * 5e3 - 2e6 - disc;
    for keys in [
        "concentration = 0.7, count = 300",
        "concentration = 0.6, floe = \"rectangles\", columns = 30, rows = 20",
        "concentration = 0.4, floe = \"discs\", smallest = 100.0, largest = 400.0",
    ] {
        let model = among(others, keys).unwrap();
        let pack: f64 = model.bodies[3..].iter().map(|body| body.shape.mass_properties().unwrap().volume).sum();
        let wanted: f64 = keys[16..19].parse().unwrap();
        assert!((pack / free - wanted).abs() < 2e-4, "{keys}: {}", pack / free);
    }
    let error = among(others, "concentration = 1.0, count = 300").unwrap_err();
    assert!(error.message.contains("1 cannot be reached: cells cut along other bodies fill 0.9"), "{}", error.message);
}

/// Voronoi cells with a size distribution: the concentration is exact, the largest floe much larger than the smallest.
#[test]
fn cells_have_a_size_distribution() {
    let model = field("concentration = 0.8, count = 200, smallest = 100.0, largest = 1000.0, exponent = 1.5").unwrap();
    assert!((area(&model) / 60e6 - 0.8).abs() < 1e-8);
    let mut sizes: Vec<f64> = model.bodies.iter().map(|b| b.shape.mass_properties().unwrap().volume.sqrt()).collect();
    sizes.sort_by(f64::total_cmp);
    assert!(sizes[199] / sizes[0] > 4.0, "{sizes:?}");
    // the median of the law: half of the floes are larger than 1.55 times the smallest diameter
    let median = (0.5 * (1.0 + 10_f64.powf(-1.5))).powf(-1.0 / 1.5);
    let mean = sizes.iter().map(|d| d * d).sum::<f64>() / 200.0;
    let law = 1.5 * (10_f64.powf(0.5) - 1.0) / 0.5 / (1.0 - 10_f64.powf(-1.5));
    let (computed, expected) = (sizes[100] / mean.sqrt(), median / law.sqrt());
    assert!((computed / expected - 1.0).abs() < 0.15, "{computed} {expected}");
}
