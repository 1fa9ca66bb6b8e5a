//! Recorded ground motions in scenes: three components, units, baseline, and invalid input.

use std::path::Path;

use voussoir_geometry::D3;
use voussoir_geometry::glam::DVec3;
use voussoir_mechanics::Stepper;
use voussoir_mechanics::model::Model;
use voussoir_model::{AnyModel, Scene, build};

fn scene(motion: &str) -> String {
    format!(
        "[materials.stone]\ndensity = 2000.0\n[[joints]]\nbetween = [\"*\", \"*\"]\nfriction = 0.9\n\
         [[bodies]]\nname = \"block\"\nshape = \"box\"\nsize = [1.0, 1.0, 0.2]\nposition = [0.0, 0.0, 0.1]\nmaterial = \"stone\"\n\
         [[bodies]]\nname = \"floor\"\nshape = \"ground\"\nmaterial = \"stone\"\n\
         [[supports]]\nselect = \"floor\"\nmotion = {motion}\n\
         [[stages]]\nanalysis = \"dynamic\"\nduration = 1.0\nstep = 2e-3\n"
    )
}

fn built(base: &Path, motion: &str) -> Result<(Model<D3>, Vec<voussoir_model::Stage>), String> {
    let scene = Scene::parse(&scene(motion), "s.toml").map_err(|e| e.render())?;
    let built = build(&scene, base).map_err(|e| e.message)?;
    match built.model {
        AnyModel::Three(model) => Ok((std::sync::Arc::unwrap_or_clone(model), built.stages)),
        AnyModel::Two(_) => Err("2D".into()),
    }
}

/// A smooth record of 0.8 s in g, 0.01 s apart.
fn samples() -> Vec<f64> {
    (0..81).map(|i| 0.25 * (i as f64 * 0.01 * 9.0).sin() * (1.0 - i as f64 / 80.0)).collect()
}

fn write(dir: &Path) {
    let text: Vec<String> = samples().chunks(5).map(|c| c.iter().map(|a| format!("{a:.9E} ")).collect()).collect();
    let head = "PEER NGA STRONG MOTION DATABASE RECORD\nPLACE\nACCELERATION TIME SERIES IN UNITS OF G\n";
    std::fs::write(dir.join("x.AT2"), format!("{head}NPTS=   81, DT=   .0100 SEC\n{}\n", text.join("\n"))).unwrap();
    let rows: Vec<String> = samples()
        .iter()
        .enumerate()
        .map(|(i, a)| format!("{:.2},{},{}", i as f64 * 0.01, 981.0 * a, -98.1 * a))
        .collect();
    std::fs::write(dir.join("yz.csv"), format!("# two components\ntime,y,z\n{}\n", rows.join("\n"))).unwrap();
}

#[test]
fn a_block_follows_the_three_components_of_a_record() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path());
    let motion = "{ quantity = \"acceleration\", components = [\
        { direction = [1, 0, 0], accelerogram = { file = \"x.AT2\", scale = 0.5 } }, \
        { direction = [0, 1, 0], accelerogram = { file = \"yz.csv\", unit = \"cm/s2\", baseline = \"rest\", start = 0.1 } }, \
        { direction = [0, 0, 1], accelerogram = { file = \"yz.csv\", unit = \"cm/s2\", column = 3 } }] }";
    let (model, stages) = built(dir.path(), motion).unwrap();
    // x: half of the record in g, straight lines between samples, integrated by hand
    let (mut v, mut x, h) = (0.0, 0.0, 0.01);
    for pair in samples().windows(2) {
        let [a, b] = [pair[0], pair[1]].map(|a| 0.5 * 9.80665 * a);
        x += h * v + h * h * (2.0 * a + b) / 6.0;
        v += h * (a + b) / 2.0;
    }
    let ground = model.motions[0].shift(0.8);
    assert!((ground.x - x).abs() < 1e-8, "{} {x}", ground.x);
    assert!((model.motions[0].shift_rate(0.8).x - v).abs() < 1e-7);
    // y ends at rest where it began, and stays there
    assert!(model.motions[0].shift(0.95).y.abs() < 1e-9 && model.motions[0].shift_rate(0.95).y.abs() < 1e-9);
    assert!(model.motions[0].shift(0.5).y.abs() > 1e-4);
    // z: the same record with another factor, −0.0981 for 0.5 g
    let z = model.motions[0].shift(0.8).z;
    assert!((z + x * 0.981 / (0.5 * 9.80665)).abs() < 1e-7, "{z} {x}");

    // the block sticks to the floor and moves with it
    let floor_pose = model.bodies[1].pose;
    let motion = model.motions[0].clone();
    let start = model.bodies[0].pose.position;
    let mut stepper = Stepper::new(model, stages[0].dynamic().unwrap().clone()).unwrap();
    for _ in 0..400 {
        stepper.step().unwrap();
    }
    let t = stepper.state().time;
    let moved = stepper.state().poses[0].position - start;
    let ground = motion.pose(&floor_pose, t).position - floor_pose.position;
    assert!((moved - ground).length() < 1e-5, "{moved} {ground}");
    assert!((moved - DVec3::ZERO).length() > 1e-3);
}

#[test]
fn wrong_records_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path());
    std::fs::write(dir.path().join("gap.csv"), "0.00,0.1\n0.01,0.2\n0.04,0.1\n").unwrap();
    std::fs::write(dir.path().join("gal.csv"), "0.00,100\n0.01,310\n0.02,-200\n").unwrap();
    for (motion, reason) in [
        (
            "{ quantity = \"acceleration\", direction = [1,0,0], accelerogram = { file = \"none.at2\" } }",
            "cannot be read",
        ),
        (
            "{ quantity = \"acceleration\", direction = [1,0,0], accelerogram = { file = \"gap.csv\", unit = \"g\" } }",
            "line 3: the time step is 0.03",
        ),
        (
            "{ quantity = \"acceleration\", direction = [1,0,0], accelerogram = { file = \"gal.csv\", unit = \"m/s2\" } }",
            "check `unit`",
        ),
        (
            "{ quantity = \"acceleration\", direction = [1,0,0], accelerogram = { file = \"gal.csv\" } }",
            "the unit of a CSV file must be given",
        ),
        (
            "{ quantity = \"acceleration\", direction = [1,0,0], accelerogram = { file = \"x.AT2\", unit = \"m/s2\" } }",
            "AT2 files are in g",
        ),
        (
            "{ quantity = \"acceleration\", direction = [1,0,0], accelerogram = { file = \"yz.csv\", unit = \"g\", column = 4 } }",
            "no column 4",
        ),
        ("{ quantity = \"position\", direction = [1,0,0], accelerogram = { file = \"x.AT2\" } }", "is an acceleration"),
        (
            "{ quantity = \"acceleration\", direction = [1,0,0], constant = 1, accelerogram = { file = \"x.AT2\" } }",
            "more than one function",
        ),
        (
            "{ quantity = \"acceleration\", constant = 1.0, components = [{ direction = [1,0,0], constant = 1.0 }] }",
            "neither `direction` nor `axis`",
        ),
    ] {
        let message = built(dir.path(), motion).map(|_| ()).expect_err(motion);
        assert!(message.contains(reason), "{motion}: {message}");
    }
}
