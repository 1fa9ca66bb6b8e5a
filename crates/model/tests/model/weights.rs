//! Pressure on faces and added masses: resultants, points of attack, reactions.

use std::path::Path;

use voussoir_geometry::glam::{DVec2, DVec3};
use voussoir_mechanics::Stepper;
use voussoir_model::{AnyModel, Built, Scene, build};

fn built(dim: usize, rest: &str) -> Result<Built, String> {
    let text = format!(
        "dim = {dim}\n[materials.stone]\ndensity = 2000.0\n[[joints]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\n{rest}\n\
         [[stages]]\nanalysis = \"dynamic\"\nduration = 0.01\nstep = 1e-3\n"
    );
    let scene = Scene::parse(&text, "s.toml").map_err(|e| e.render())?;
    build(&scene, Path::new(".")).map_err(|e| e.message)
}

const TILTED: &str = "[[bodies]]\nname = \"block\"\nshape = \"box\"\nsize = [2.0, 0.5, 1.0]\nposition = [1.0, 2.0, 5.0]\n\
                      rotation = { axis = [0, 1, 0], angle_deg = 30.0 }\nmaterial = \"stone\"\n";

#[test]
fn pressure_is_force_over_area_at_the_middle_of_the_face() {
    let (sin, cos) = 30f64.to_radians().sin_cos();
    let load = format!(
        "[[loads]]\nname = \"wind\"\nselect = \"block\"\npressure = {{ value = 600.0, face = [{sin}, 0.0, {cos}] }}"
    );
    let AnyModel::Three(model) = built(3, &format!("{TILTED}{load}")).unwrap().model else { panic!("2D") };
    // the upper face: 2 × 0.5 m, half a metre along its normal from the centroid
    let normal = DVec3::new(sin, 0.0, cos);
    assert!((model.loads[0].force + normal * 600.0).length() < 1e-9, "{}", model.loads[0].force);
    let point = model.bodies[0].pose.point(model.loads[0].point);
    assert!((point - (DVec3::new(1.0, 2.0, 5.0) + normal * 0.5)).length() < 1e-12, "{point}");

    // 2D: a rectangle of 2 × 1 m, 1 m deep, pressed from the left
    let flat = "[[bodies]]\nname = \"block\"\nshape = \"rectangle\"\nsize = [2.0, 1.0]\nposition = [1.0, 0.5]\nmaterial = \"stone\"\n\
                [[loads]]\nname = \"wind\"\nselect = \"block\"\npressure = { value = 100.0, face = [-3.0, 0.0] }";
    let AnyModel::Two(model) = built(2, flat).unwrap().model else { panic!("3D") };
    assert!((model.loads[0].force - DVec2::new(100.0, 0.0)).length() < 1e-12);
    assert!((model.bodies[0].pose.point(model.loads[0].point) - DVec2::new(0.0, 0.5)).length() < 1e-12);
}

#[test]
fn pressure_on_a_wall_adds_up_over_its_bricks() {
    let wall = "[[bodies]]\nname = \"wall\"\ngenerator = \"masonry-wall\"\nlength = 3.0\ncourses = 8\nbrick = [0.5, 0.25, 0.2]\n\
                bond = \"flemish\"\nmaterial = \"stone\"\n\
                [[loads]]\nname = \"wind\"\nselect = { min = [-9, -9, -9], max = [9, 0, 9] }\npressure = { value = 50.0, face = [0, -1, 0] }";
    let AnyModel::Three(model) = built(3, wall).unwrap().model else { panic!("2D") };
    // stretchers of the front and headers: the whole face of 3.0 × 1.6 m
    let total: DVec3 = model.loads.iter().map(|load| load.force).sum();
    assert!((total - DVec3::new(0.0, 50.0 * 3.0 * 1.6, 0.0)).length() < 1e-9, "{total}");
}

#[test]
fn an_added_mass_weighs() {
    let scene = "[[bodies]]\nname = \"block\"\nshape = \"box\"\nsize = [1.0, 1.0, 0.5]\nposition = [0.0, 0.0, 0.25]\nmaterial = \"stone\"\n\
                 [[bodies]]\nname = \"floor\"\nshape = \"ground\"\nmaterial = \"stone\"\n[[added_masses]]\nselect = \"block\"\nmass = 50.0";
    let built = built(3, scene).unwrap();
    let AnyModel::Three(model) = built.model else { panic!("2D") };
    assert!((model.bodies[0].mass - 1050.0).abs() < 1e-9);
    let mut stepper = Stepper::new(model, built.stages[0].dynamic().unwrap().clone()).unwrap();
    let report = stepper.step().unwrap();
    assert!((report.support_reaction[2] / (1050.0 * 9.81) - 1.0).abs() < 1e-7, "{:?}", report.support_reaction);
}

#[test]
fn impossible_ones_are_refused() {
    for (rest, reason) in [
        ("[[loads]]\nname = \"p\"\nselect = \"block\"\npressure = { value = 1.0, face = [0, 0, 1] }", "no flat face"),
        (
            "[[loads]]\nname = \"p\"\nselect = \"block\"\npressure = { value = 1.0, face = [0, 0, 0] }",
            "it must not be zero",
        ),
        (
            "[[loads]]\nname = \"p\"\nselect = \"block\"\nforce = [1, 0, 0]\npressure = { value = 1.0, face = [0, 1, 0] }",
            "more than one kind",
        ),
        ("[[added_masses]]\nselect = \"block\"\nmass = -5.0", "above zero"),
    ] {
        let message = built(3, &format!("{TILTED}{rest}")).map(|_| ()).expect_err(rest);
        assert!(message.contains(reason), "{rest}: {message}");
    }
}
