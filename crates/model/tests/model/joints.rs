//! Laws of joints in scenes: keys, and messages for contradictory keys.

use std::path::Path;

use voussoir_mechanics::joints::{Bond, Elastic, Hinged};
use voussoir_mechanics::model::Joint;
use voussoir_model::{AnyModel, Scene, build};

/// The joint of a 2D scene of given depth, or the message and the line it points at.
fn joint(keys: &str, depth: f64) -> Result<Joint, String> {
    let text = format!(
        "dim = 2\ndepth = {depth}\nmaterials.stone.density = 2000.0\n\
         bodies = [{{ name = \"a\", generator = \"stack\", count = 2, size = [1.0, 1.0], material = \"stone\" }}]\n\
         [[joints]]\nbetween = [\"stone\", \"stone\"]\n{keys}\n"
    );
    let scene = Scene::parse(&text, "scene.toml").map_err(|e| format!("line {}: {}", e.line, e.message))?;
    match build(&scene, Path::new(".")).map_err(|e| format!("line {}: {}", e.line, e.message))?.model {
        AnyModel::Two(model) => Ok(model.joints.between(0, 0)),
        AnyModel::Three(_) => panic!("3D"),
    }
}

#[test]
fn parameters_are_per_area_and_2d_models_have_a_depth() {
    let keys = "friction = 0.5\nbond = { bilinear = { stiffness = [1e10, 2e10], strength = [1e5, 2e5], energy = [5.0, 9.0] } }";
    let Some(Bond::Bilinear(law)) = joint(keys, 0.25).unwrap().bond else { panic!("no bond") };
    assert_eq!((law.stiffness, law.strength, law.energy), ([2.5e9, 5e9], [2.5e4, 5e4], [1.25, 2.25]));
    let keys = "friction = 0.5\nelastic = { mortar = { thickness = 0.01, modulus = 1e9, poisson = 0.25 } }";
    let Elastic { normal, tangential, closure, .. } = joint(keys, 1.0).unwrap().elastic.unwrap();
    assert!((normal / 1e11 - 1.0).abs() < 1e-12 && (tangential / 4e10 - 1.0).abs() < 1e-12);
    assert_eq!(closure, f64::INFINITY);
    let keys = "friction = 0.5\nelastic = { normal = 1e9, tangential = 4e8, closure = 1e-4 }";
    assert_eq!(joint(keys, 1.0).unwrap().elastic.unwrap().closure, 1e-4);
    // the tip of the cone where no tension is given
    let Some(Bond::MohrCoulomb(law)) =
        joint("friction = 0.5\nbond = { mohr-coulomb = { cohesion = 1e5 } }", 1.0).unwrap().bond
    else {
        panic!("no bond")
    };
    assert_eq!(law.tension, 2e5);
    assert_eq!(joint("friction = 0.5\nbond = \"hinged\"", 1.0).unwrap().bond, Some(Bond::Hinged(Hinged)));
    assert_eq!(joint("friction = 0.5\ndynamic_friction = 0.4", 1.0).unwrap().dynamic_friction, Some(0.4));
}

#[test]
fn contradictions_are_named() {
    for (keys, line, part) in [
        ("friction = 0.5\ndynamic_friction = 0.6", 8, "it must be between 0 and the static friction 0.5"),
        ("friction = 0.0\nbond = { mohr-coulomb = { cohesion = 1e5, tension = 0.0 } }", 8, "needs friction above zero"),
        ("friction = 0.5\nbond = { mohr-coulomb = { cohesion = 1e5, tension = 3e5 } }", 8, "c/μ = 2.0000e5 Pa"),
        ("friction = 0.5\nbond = { mac-czm = { normal = 1e9, tangential = 1e9, energy = 0.0 } }", 8, "above zero"),
        (
            "friction = 0.5\nbond = { bilinear = { stiffness = [1e9, 1e9], strength = [1e6, 1e6], energy = [5.0, 5.0] } }",
            8,
            "raise the energy or the stiffness",
        ),
        ("friction = 0.5\nbond = { bilinear = { strenght = [1.0, 1.0] } }", 8, "unknown"),
        ("friction = 0.5\nbond = \"nailed\"", 8, "nailed"),
        ("friction = 0.5\nelastic = { normal = 1e9 }", 8, "either `normal` and `tangential`"),
        ("friction = 0.5\nrestitution = 0.3\nbond = \"glued\"", 9, "restitution needs a rigid dry joint"),
    ] {
        let message = joint(keys, 1.0).unwrap_err();
        assert!(message.starts_with(&format!("line {line}:")) && message.contains(part), "{keys}\n{message}");
    }
}
