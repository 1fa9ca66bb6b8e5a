//! The range of thrust of every foot.

use voussoir_geometry::D3;
use voussoir_statics::Structure;
use voussoir_statics::any::AnyStructure;
use voussoir_statics::equilibrium::Capacity;
use voussoir_statics::stand::{StandSettings, stand};
use voussoir_statics::structure::CLOSED;

use crate::common::{close, released};

/// A semicircular arch of 6 m on two free piers, 1.5 m wide and 3.4 m high.
fn on_piers(ground: &str, more: &str) -> String {
    let pier = |name: &str, x: f64| {
        format!(
            "{{ name = \"{name}\", generator = \"buttress\", material = \"stone\", width = 1.5, length = 1.0, \
             height = 3.4, courses = 7, ground = \"{ground}\", position = [{x}, 0, 0] }},\n"
        )
    };
    "materials.stone.density = 2300.0\njoints = [{ between = [\"stone\", \"stone\"], friction = 0.6 }]\nbodies = [\n\
     { name = \"arch\", generator = \"arch\", material = \"stone\", span = 6.0, thickness = 0.6, width = 1.0, \
     voussoirs = 21, position = [0, 0, 4.0] },\n"
        .to_owned()
        + &pier("p1", 3.0)
        + &pier("p0", -4.5)
        + more
        + "]\nstages = [{ analysis = \"dynamic\", release = \"arch.springers\", duration = 1.0, step = 1e-3 }]"
}

fn ranges(text: &str) -> Vec<(String, f64, f64)> {
    let model = released(text);
    let mut structure = Structure::<D3>::new(model, CLOSED).unwrap();
    let settings = StandSettings::default();
    assert_eq!(stand(&mut structure, &settings).stands, Some(true));
    let dead = structure.dead_load(0.0, None);
    let range = |place| {
        let direction = structure.main_direction(&place);
        let found = structure.thrust(&place, direction, &dead, &Capacity::default(), settings.engine).unwrap();
        let (min, max) = (found.range.min_n.unwrap(), found.range.max_n.unwrap());
        assert!(min <= max, "{:?}", found.range);
        (found.range.at, min, max)
    };
    structure.places().into_iter().map(range).collect()
}

#[test]
fn fault_thrust_of_supports_that_coincide() {
    let blocks = ranges(&on_piers("block", ""));
    let planes = ranges(&on_piers("plane", ""));
    let names = |found: &[(String, f64, f64)]| found.iter().map(|(name, ..)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&blocks), ["p1.ground", "p0.ground"]);
    // the plane of the second pier is that of the first
    assert_eq!(names(&planes), ["p1.ground under p1", "p1.ground under p0"]);
    for (_, min, max) in blocks.iter().chain(&planes) {
        close(*min, 22.42e3, 1e-3);
        close(*max, 27.87e3, 1e-3);
    }
}

/// The sum of all reactions of one ground is zero; a place has a range.
#[test]
fn fault_thrust_of_one_ground_under_all_feet() {
    let text = on_piers("none", "{ name = \"earth\", shape = \"ground\", material = \"stone\" },\n");
    let found = ranges(&text);
    assert_eq!(found.len(), 2, "{found:?}");
    for (name, min, max) in &found {
        assert!(name.starts_with("earth under p"), "{name}");
        close(*min, 22.42e3, 1e-3);
        close(*max, 27.87e3, 1e-3);
    }
    // the whole ground is no place
    let structure = AnyStructure::Three(Structure::new(released(&text), CLOSED).unwrap());
    let refused = structure.place_named("earth").unwrap_err().to_string();
    assert!(refused.contains("earth under p1, earth under p0"), "{refused}");
    assert_eq!(structure.place_named("earth under p0").unwrap(), 1);
}
