//! Static and dynamic analyses agree: wedged structures fall.

use std::path::PathBuf;

use voussoir_geometry::{D2, D3, Space, Vector};
use voussoir_mechanics::Stepper;
use voussoir_mechanics::model::DynamicSettings;
use voussoir_statics::Structure;
use voussoir_statics::stand::{StandAnswer, StandSettings, VerdictWord, stand};

use crate::common::{plane, space, stone};
use crate::random::{Random, structure};

/// Largest displacement of a centroid after some steps of 1 ms [m].
fn moved<S: Space>(structure: &Structure<S>, steps: usize) -> f64 {
    let mut stepper = Stepper::new(structure.model.clone(), DynamicSettings::default()).unwrap();
    for _ in 0..steps {
        stepper.step().unwrap();
    }
    let far = |&i: &usize| (stepper.state().poses[i].position - structure.poses[i].position).length();
    structure.body.iter().map(far).fold(0.0, f64::max)
}

fn asked<S: Space>(structure: &mut Structure<S>) -> StandAnswer {
    stand(structure, &StandSettings { best_margins: Some(false), ..StandSettings::default() })
}

/// A block between two fixed ones with vertical joints: equilibrium needs a pressure that nothing produces.
#[test]
fn fault_a_block_between_two_walls_is_wedged() {
    let block = |name: &str, x: f64| {
        format!(
            "{{ name = \"{name}\", material = \"stone\", shape = \"box\", size = [1, 1, 1], position = [{x}, 0, 2] }},\n"
        )
    };
    let text = stone(0.84)
        + "bodies = [\n"
        + &block("l", -1.0)
        + &block("r", 1.0)
        + &block("m", 0.0)
        + "]\nsupports = [{ select = [\"l\", \"r\"] }]";
    let mut structure = space(&text);
    let answer = stand(&mut structure, &StandSettings::default());
    assert_eq!((answer.verdict, answer.stands, answer.margin), (VerdictWord::Wedged, Some(false), None));
    // the motion beside it is free fall: nothing but its weight acts on the block
    let mechanism = answer.mechanism.unwrap();
    assert_eq!(mechanism.moving, 1);
    let [x, y, z] = mechanism.bodies[0].velocity;
    assert!(z < 0.0 && x.hypot(y) < 1e-6 * z.abs(), "{mechanism:?}");
    assert!((moved::<D3>(&structure, 100) - 0.5 * 9.81 * 0.01).abs() < 1e-4);
}

/// With joints that open upwards the weight itself presses: the same block stands, and its margin is not bought by
/// self-stress: friction can go to zero, as without friction a wedge still rests on both sides.
#[test]
fn a_wedge_that_its_weight_presses_stands() {
    let text = |slope: f64| {
        let (a, b) = (0.5, 0.5 + slope);
        stone(0.3)
            + &format!(
                "bodies = [\n\
                 {{ name = \"m\", material = \"stone\", shape = \"polygon\", vertices = [[{ma}, 0], [{a}, 0], [{b}, 1], [{mb}, 1]] }},\n\
                 {{ name = \"l\", material = \"stone\", shape = \"polygon\", vertices = [[-2, 0], [{ma}, 0], [{mb}, 1], [-2, 1]] }},\n\
                 {{ name = \"r\", material = \"stone\", shape = \"polygon\", vertices = [[{a}, 0], [2, 0], [2, 1], [{b}, 1]] }},\n\
                 ]\nsupports = [{{ select = [\"l\", \"r\"] }}]",
                ma = -a,
                mb = -b
            )
    };
    let opens = stand(&mut plane(&text(0.2)), &StandSettings::default());
    assert_eq!(opens.verdict, VerdictWord::Stands);
    assert!(opens.friction_margin.unwrap() > 0.999, "{opens:?}");
    let closes = stand(&mut plane(&text(-0.2)), &StandSettings::default());
    assert_eq!(closes.verdict, VerdictWord::Wedged);
}

/// 200 random assemblies: what stands rests, what does not moves.
#[test]
fn statics_and_motion_agree_on_random_assemblies() {
    let mut counts = [0; 4];
    let mut wrong = Vec::new();
    for seed in 1000..1200 {
        let mut structure: Structure<D2> = plane(&structure(&mut Random::new(seed)));
        let verdict = asked(&mut structure).verdict;
        counts[verdict as usize] += 1;
        let distance = moved(&structure, 200);
        let agrees = match verdict {
            VerdictWord::Stands => distance < 1e-6,
            VerdictWord::Wedged | VerdictWord::Collapses => distance > 1e-5,
            VerdictWord::NotDecided => true,
        };
        if !agrees {
            wrong.push((seed, verdict, distance));
        }
    }
    assert!(wrong.is_empty(), "{counts:?}: {wrong:?}");
    let [stands, wedged, collapses, open] = counts;
    assert!(stands > 40 && wedged > 10 && collapses > 20 && open <= 2, "{counts:?}");
}

/// The assemblies of compas_cra: file, supports, friction, whether they stand (by CRA, and by motion).
const COMPAS: [(&str, &[&str], f64, VerdictWord); 10] = [
    ("H", &["0", "1"], 0.84, VerdictWord::Wedged),
    ("A", &["0", "1"], 0.84, VerdictWord::Wedged),
    ("shelf", &["0"], 0.9, VerdictWord::Wedged),
    ("cubes", &["0"], 0.84, VerdictWord::Stands),
    ("type-a", &["0", "1"], 0.84, VerdictWord::Stands),
    ("type-b", &["0", "1"], 0.84, VerdictWord::Stands),
    ("type-c", &["0", "1"], 0.84, VerdictWord::Stands),
    ("type-d", &["0", "1"], 0.84, VerdictWord::Stands),
    ("shelf-stable", &["0"], 0.9, VerdictWord::Stands),
    ("bridge", &["0", "1"], 0.9, VerdictWord::Stands),
];

#[test]
fn statics_and_motion_agree_on_the_assemblies_of_compas_cra() {
    let Some(data) = std::env::var_os("VOUSSOIR_DATA").map(PathBuf::from) else {
        eprintln!("skipped: VOUSSOIR_DATA is not set");
        return;
    };
    for (name, supports, friction, expected) in COMPAS {
        let file = data.join(format!("compas/wild/cra_{name}.json"));
        let text = scene(&std::fs::read_to_string(&file).unwrap(), supports, friction);
        let mut structure = space(&text);
        let answer = asked(&mut structure);
        assert_eq!(answer.verdict, expected, "{name}: {answer:?}");
        assert_eq!(answer.margin.is_some(), expected == VerdictWord::Stands, "{name}");
        assert_eq!(answer.mechanism.is_none(), expected == VerdictWord::Stands, "{name}");
        let distance = moved::<D3>(&structure, 200);
        let rests = expected == VerdictWord::Stands;
        assert!(if rests { distance < 1e-8 } else { distance > 1e-3 }, "{name}: {distance}");
    }
}

/// A scene of the blocks of an assembly file.
fn scene(json: &str, supports: &[&str], friction: f64) -> String {
    let file: serde_json::Value = serde_json::from_str(json).unwrap();
    let nodes = file["data"]["graph"]["data"]["node"].as_object().unwrap();
    let mut text = format!("allow_overlap = true\n{}bodies = [\n", stone(friction));
    for (key, node) in nodes {
        let block = &node["block"]["data"];
        let (vertices, faces) = (block["vertex"].as_object().unwrap(), block["face"].as_object().unwrap());
        let keys: Vec<&String> = vertices.keys().collect();
        let points: Vec<_> = vertices.values().map(|v| ["x", "y", "z"].map(|axis| v[axis].as_f64().unwrap())).collect();
        let corner = |v: &serde_json::Value| {
            let name = v.to_string();
            keys.iter().position(|key| **key == name).unwrap()
        };
        let faces: Vec<Vec<usize>> =
            faces.values().map(|face| face.as_array().unwrap().iter().map(corner).collect()).collect();
        text += &format!(
            "{{ name = \"b{key}\", material = \"stone\", shape = \"polyhedron\", vertices = {points:?}, faces = {faces:?} }},\n"
        );
    }
    let supports: Vec<String> = supports.iter().map(|key| format!("b{key}")).collect();
    text + &format!("]\nsupports = [{{ select = {supports:?} }}]")
}
