//! Axle trains: loads on the deck, and invalid input.

use std::path::Path;

use voussoir_geometry::glam::DVec3;
use voussoir_model::{AnyModel, Built, Scene, build};

const DECK: &str = "[materials.stone]\ndensity = 2000.0\n[[joints]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\n\
    [[bodies]]\nname = \"low\"\nshape = \"box\"\nsize = [2.0, 1.0, 1.0]\nposition = [1.0, 0.0, 0.5]\nmaterial = \"stone\"\n\
    [[bodies]]\nname = \"high\"\nshape = \"box\"\nsize = [2.0, 1.0, 1.5]\nposition = [3.0, 0.0, 0.75]\nmaterial = \"stone\"\n\
    [[bodies]]\nname = \"ground\"\nshape = \"ground\"\nmaterial = \"stone\"\n\
    [[stages]]\nanalysis = \"dynamic\"\nduration = 0.01\nstep = 1e-3\n";

fn built(train: &str) -> Result<Built, String> {
    let scene = Scene::parse(&format!("{DECK}[[trains]]\n{train}"), "s.toml").map_err(|e| e.message)?;
    build(&scene, Path::new(".")).map_err(|e| e.message)
}

#[test]
fn an_axle_presses_on_the_tops_under_its_path_and_is_shared_over_a_joint() {
    let text = "name = \"truck\"\naxles = [{ load = 1e5 }]\ndeck = \"*\"\nstart = [0.0, 0.2, 0.0]\ndirection = [2.0, 0.0, 1.0]\n\
                speed = 1.0\ncontact = 0.4";
    let AnyModel::Three(model) = built(text).unwrap().model else { panic!("2D") };
    let train = &model.trains[0];
    // whatever the time, the weight and its moment about the origin are those of one force at x = v t
    for time in [0.5, 1.9, 2.0, 2.1, 3.3] {
        let forces = train.forces(time, DVec3::NEG_Z);
        let weight: f64 = forces.iter().map(|on| on.force.z).sum();
        let moment: f64 = forces.iter().map(|on| on.force.z * model.bodies[on.body].pose.point(on.point).x).sum();
        assert!((weight + 1e5).abs() < 1e-6 && (moment + 1e5 * time).abs() < 1e-6, "t = {time}: {forces:?}");
        for on in &forces {
            let point = model.bodies[on.body].pose.point(on.point);
            assert!((point.z - [1.0, 1.5][on.body]).abs() < 1e-12 && (point.y - 0.2).abs() < 1e-12, "{point}");
        }
        assert_eq!(forces.len(), if (time - 2.0f64).abs() < 0.2 { 2 } else { 1 });
    }
    assert!(train.forces(5.0, DVec3::NEG_Z).is_empty());
}

#[test]
fn contradictory_trains_are_refused_in_words() {
    let with = |axles: &str, deck: &str, y: f64, direction: &str, travel: &str| {
        format!(
            "name = \"t\"\naxles = {axles}\ndeck = \"{deck}\"\nstart = [0.0, {y}, 0.0]\ndirection = {direction}\n{travel}"
        )
    };
    let axle = "[{ load = 1e5 }]";
    for (text, reason) in [
        (with("[]", "*", 0.0, "[1, 0, 0]", "speed = 1.0"), "no axles"),
        (with("[{ load = -1.0 }]", "*", 0.0, "[1, 0, 0]", "speed = 1.0"), "above zero"),
        (with(axle, "*", 9.0, "[1, 0, 0]", "speed = 1.0"), "crosses none of these bodies"),
        (with(axle, "*", 0.0, "[0, 0, 1]", "speed = 1.0"), "not horizontal"),
        (with(axle, "*", 0.0, "[1, 0, 0]", ""), "has neither `speed` nor `distance`"),
        (with(axle, "nothing", 0.0, "[1, 0, 0]", "speed = 1.0"), "nothing"),
    ] {
        let message = built(&text).map(|_| ()).expect_err(&text);
        assert!(message.contains(reason), "{text}: {message}");
    }
}
