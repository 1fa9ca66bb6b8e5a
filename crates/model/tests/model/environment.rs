//! Wind, current and thickness of floes: reading, and invalid input.

use std::path::Path;

use voussoir_geometry::glam::DVec2;
use voussoir_mechanics::model::Model;
use voussoir_model::{AnyModel, Scene, SceneError, build};

const SCENE: &str = r#"
dim = 2
materials.ice = { density = 917.0, water_drag = 4e-3 }
joints = [{ between = ["ice", "ice"], friction = 0.3 }]
bodies = [{ name = "floe", shape = "rectangle", size = 100.0, depth = 2.0, material = "ice" }]
[environment]
latitude_deg = -60.0
wind = [
    { uniform = [5.0, 0.0] },
    { vortex = { centre = [0.0, 0.0], radius = 300e3, speed = 20.0, exponent = 4.0, travel = [8.0, 0.0] } },
]
current = [{ profile = [[0.0, 0.0, 0.0], [50e3, 0.5, 0.0]], function = { ramp = { end = 100.0 } } }]
"#;

fn built(text: &str) -> Result<voussoir_model::Built, SceneError> {
    build(&Scene::parse(text, "ice.toml")?, Path::new("."))
}

fn model(text: &str) -> std::sync::Arc<Model<voussoir_geometry::D2>> {
    match built(text).unwrap().model {
        AnyModel::Two(model) => model,
        AnyModel::Three(_) => panic!("not in the plane"),
    }
}

#[test]
fn environments_are_read() {
    let model = model(SCENE);
    let sea = model.sea.as_ref().unwrap();
    // seen from above, in the southern hemisphere, two metres thick
    assert_eq!(model.gravity, DVec2::ZERO);
    assert!(sea.coriolis < 0.0);
    assert_eq!(model.bodies[0].mass, 917.0 * 1e4 * 2.0);
    assert_eq!(sea.stress[0], [1.341 * 1.7e-3, 1024.071 * 4e-3]);
    // half of the profile, after half of the ramp
    assert_eq!(sea.current.at(DVec2::new(1.0, 25e3), 50.0), DVec2::new(0.125, 0.0));
    assert_eq!(sea.wind.at(DVec2::new(80.0, 0.0), 10.0), DVec2::new(5.0, 0.0));
}

#[test]
fn mistakes_are_named() {
    for (from, to, message) in [
        ("uniform = [5.0, 0.0]", "uniform = [5.0, 0.0], series = [[0, 1, 1]]", "exactly one kind"),
        ("radius = 300e3", "radius = 0.0", "the radius is 0"),
        ("[50e3, 0.5, 0.0]", "[-1.0, 0.5, 0.0]", "not above that of the previous row"),
        ("latitude_deg = -60.0", "latitude_deg = 95.0", "the latitude is 95"),
        ("latitude_deg = -60.0", "beta_plane = true", "`beta_plane` needs the latitude"),
        ("latitude_deg = -60.0", "latitude_deg = 60.0\ncoriolis = 1e-4", "both `latitude_deg` and `coriolis`"),
        ("uniform = [5.0, 0.0]", "table = \"nowhere.csv\"", "\"nowhere.csv\": cannot be read"),
        ("depth = 2.0", "depth = -2.0", "the depth is -2; it must be above zero"),
        ("water_drag = 4e-3", "water_drag = -4e-3", "must not be negative"),
        ("latitude_deg = -60.0", "slab = { depth = 20.0 }", "needs `area`, or a `domain`"),
        ("latitude_deg = -60.0", "slab = { area = 1e6, depth = 0.0 }", "the depth is 0"),
        ("dim = 2", "", "2D"),
    ] {
        let error = built(&SCENE.replace(from, to)).unwrap_err();
        assert!(error.message.contains(message), "{to}: {}", error.message);
        assert!(error.line > 0);
    }
    let without = &SCENE[..SCENE.find("[environment]").unwrap()];
    assert!(built(without).unwrap_err().message.contains("no effect without [environment]"));
}

#[test]
fn tables_of_wind_come_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let text = SCENE.replace("uniform = [5.0, 0.0]", "table = \"wind.csv\"");
    let read = |content: &str| {
        std::fs::write(folder.path().join("wind.csv"), content).unwrap();
        build(&Scene::parse(&text, "ice.toml").unwrap(), folder.path())
    };
    let built = read("time,u,v\n# storm\n0,1,0\n10,3,4\n").unwrap();
    let AnyModel::Two(model) = built.model else { panic!("not in the plane") };
    let wind = &model.sea.as_ref().unwrap().wind.parts[0].0;
    assert_eq!(wind.at(DVec2::ZERO, 5.0), DVec2::new(2.0, 2.0));
    assert!(read("0,1,0\n0,3,4\n").unwrap_err().message.contains("line 2"));
    assert!(read("0,1\n").unwrap_err().message.contains("three numbers"));
}
