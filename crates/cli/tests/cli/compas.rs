//! COMPAS in and out: the sample files of the Block Research Group's packages where they are at hand (`VOUSSOIR_DATA`), and
//! the real packages as readers of what is written (`VOUSSOIR_COMPAS` names a Python that has compas_dem).

use std::collections::BTreeMap;
use std::path::Path;

use crate::common::Workshop;
use serde_json::Value;
use voussoir_testing::{need, need_data};

fn import(shop: &Workshop, source: &Path, scene: &str, more: &[&str]) -> Value {
    let source = source.to_str().unwrap();
    let arguments = [&["import", source, "-o", scene, "--force", "--json"], more].concat();
    shop.run(&arguments).expect(0).json()
}

fn number(value: &Value, path: &str) -> f64 {
    value.pointer(path).and_then(Value::as_f64).unwrap_or_else(|| panic!("{path} of {value}"))
}

fn vector(value: &Value) -> [f64; 3] {
    serde_json::from_value(value.clone()).unwrap()
}

/// A scene of ours through COMPAS and back: the forces on every block balance its weight.
#[test]
fn a_scene_goes_to_compas_and_back() {
    let shop = Workshop::new();
    let text = shop.run(&["new", "arch", "voussoirs=9"]).expect(0).stdout();
    shop.write("arch.toml", &text);
    shop.run(&["stand", "arch.toml", "-o", "out"]).expect(0);
    shop.run(&["export", "out", "--to", "compas"]).expect(0);
    let results: Value = serde_json::from_slice(&std::fs::read(shop.path("out/compas/results.json")).unwrap()).unwrap();
    assert_eq!(results["data"]["metadata"]["verdict"], "stands");
    let again = import(&shop, &shop.path("out/compas/model.json"), "again.toml", &[]);
    assert!(again["bodies"].as_u64().unwrap() >= 9, "{again}");
    let [a, b] = ["arch.toml", "again.toml"].map(|scene| shop.run(&["check", scene, "--json"]).expect(0).json());
    assert!((number(&a, "/mass_kg") / number(&b, "/mass_kg") - 1.0).abs() < 1e-9, "{a} {b}");
    // read again from the imported file, the answer names the same nodes
    shop.run(&["stand", "again.toml", "-o", "out2"]).expect(0);
    shop.run(&["export", "out2", "--to", "compas", "-o", "second"]).expect(0);
    let kept = std::fs::read(shop.path("second/model.json")).unwrap();
    assert!(kept == std::fs::read(shop.path("out/compas/model.json")).unwrap(), "the model is not kept to the byte");
    let second: Value = serde_json::from_slice(&std::fs::read(shop.path("second/results.json")).unwrap()).unwrap();
    let edges = |value: &Value| value["data"]["edge_data"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(edges(&results), edges(&second));
}

/// Every sample file is read, and becomes a scene that is built.
#[test]
fn all_sample_files_are_read() {
    let Some(data) = need_data("compas") else { return };
    let shop = Workshop::new();
    let file = |name: &str| data.join(name);
    for name in ["blockmodel_arch5.json", "blockmodel_arch27.json", "analysis_arch5.json", "analysis_arch27.json"] {
        import(&shop, &file(name), "scene.toml", &[]);
    }
    for name in
        ["assembly_arch5.json", "assembly_arch5_rbe.json", "assembly_arch5_cra.json", "meshes_list.json", "arch5.obj"]
    {
        import(&shop, &file(name), "scene.toml", &[]);
    }
    for n in ["5", "27"] {
        let model = file(&format!("blockmodel_arch{n}.json"));
        let model = ["--model", model.to_str().unwrap()];
        import(&shop, &file(&format!("problem_arch{n}.json")), "scene.toml", &model);
    }
    let odd = file("blockmodel_odd.json");
    let said = shop.run(&["import", odd.to_str().unwrap(), "-o", "odd.toml"]).expect(2).stderr();
    assert!(said.contains("no material"), "{said}");
    let odd = import(&shop, &odd, "odd.toml", &["--density", "2100"]);
    assert!(odd["notes"].to_string().contains("inward"), "{odd}");
    for entry in std::fs::read_dir(file("wild")).unwrap() {
        import(&shop, &entry.unwrap().path(), "scene.toml", &[]);
    }
}

/// The arch of 27 voussoirs: range of thrust and support reactions; with the loads of its problem, every block in balance.
#[test]
fn the_arch_of_compas_has_its_thrust_and_its_balance() {
    let Some(data) = need_data("compas") else { return };
    let shop = Workshop::new();
    import(&shop, &data.join("blockmodel_arch27.json"), "arch.toml", &[]);
    let stand = shop.run(&["stand", "arch.toml", "--json"]).expect(0).json();
    assert_eq!(stand["verdict"], "stands");
    for (key, expected) in [("/thrust/min_n", 23_609.2), ("/thrust/max_n", 34_826.2)] {
        assert!((number(&stand, key) - expected).abs() < 0.1, "{key}: {}", stand["thrust"]);
    }
    assert!((number(&stand, "/support_reaction_n") - 2.0 * 61_635.7).abs() < 0.2, "{stand}");

    import(&shop, &data.join("analysis_arch27.json"), "loaded.toml", &[]);
    shop.run(&["stand", "loaded.toml", "-o", "out"]).expect(0);
    shop.run(&["export", "out", "--to", "compas"]).expect(0);
    let results: Value = serde_json::from_slice(&std::fs::read(shop.path("out/compas/results.json")).unwrap()).unwrap();
    assert_eq!(results["data"]["metadata"]["verdict"], "stands", "{}", results["data"]["metadata"]);
    // forces on every node; those on the supports are minus the reactions
    let mut sums: BTreeMap<u64, [f64; 3]> = BTreeMap::new();
    for (edge, entry) in results["data"]["edge_data"].as_object().unwrap() {
        let (u, v) = edge.split_once(',').unwrap();
        let force = vector(&entry["resultant_global"]);
        for (node, sign) in [(u, -1.0), (v, 1.0)] {
            let sum = sums.entry(node.parse().unwrap()).or_default();
            (0..3).for_each(|i| sum[i] += sign * force[i]);
        }
    }
    let loads = loads_of(&data.join("analysis_arch27.json"));
    let weight: f64 = loads.values().map(|load| load[2].abs()).sum();
    for (node, sum) in sums.iter().filter(|(node, _)| ![0, 26].contains(*node)) {
        let load = loads[node];
        let error = (0..3).map(|i| (sum[i] + load[i]).abs()).fold(0.0, f64::max);
        assert!(error < 1e-8 * weight, "node {node}: {sum:?} and {load:?}");
    }
}

/// Weight and loads of the free blocks by node, from the file alone.
fn loads_of(path: &Path) -> BTreeMap<u64, [f64; 3]> {
    let file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let model = &file["data"]["model"]["data"];
    let mut loads = BTreeMap::new();
    let mut areas = BTreeMap::new();
    for (node, entry) in model["graph"]["node"].as_object().unwrap() {
        let mesh = &model["elements"][entry["element"].as_str().unwrap()]["data"]["geometry"]["data"];
        let point = |key: &Value| {
            let vertex = &mesh["vertex"][key.to_string().trim_matches('"')];
            ["x", "y", "z"].map(|axis| vertex[axis].as_f64().unwrap())
        };
        let mut volume = 0.0;
        for (key, face) in mesh["face"].as_object().unwrap() {
            let points: Vec<[f64; 3]> = face.as_array().unwrap().iter().map(point).collect();
            let mut area = [0.0; 3];
            for k in 1..points.len() - 1 {
                let [a, b, c] = [points[0], points[k], points[k + 1]];
                let cross = cross(sub(b, a), sub(c, a));
                (0..3).for_each(|i| area[i] += 0.5 * cross[i]);
                volume += (0..3).map(|i| a[i] * cross[i]).sum::<f64>() / 6.0;
            }
            areas.insert((node.parse::<u64>().unwrap(), key.clone()), area.iter().map(|x| x * x).sum::<f64>().sqrt());
        }
        let mass = 2200.0 * volume.abs();
        loads.insert(node.parse().unwrap(), [0.981 * mass, 0.0, -9.81 * mass]);
    }
    for group in file["data"]["problems"][0]["data"]["boundary_conditions"].as_array().unwrap() {
        for (kind, key) in [("point_loads", "force"), ("surface_loads", "load")] {
            for load in group["data"][kind].as_array().unwrap() {
                let node = load["data"]["block_index"].as_u64().unwrap();
                let factor = match load["data"]["face_index"].as_u64() {
                    Some(face) => areas[&(node, face.to_string())],
                    None => 1.0,
                };
                let force = vector(&load["data"][key]);
                (0..3).for_each(|i| loads.get_mut(&node).unwrap()[i] += factor * force[i]);
            }
        }
    }
    loads
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Files that users of compas_cra try first: statics and motion agree; what holds by self-stress alone gets no plain `stands`.
#[test]
fn examples_of_compas_cra_stand_or_move() {
    let Some(data) = need_data("compas/wild") else { return };
    let shop = Workshop::new();
    let both = ["--supports", "0,1", "--friction", "0.84"];
    let [one, rough] = [["--supports", "0", "--friction", "0.84"], ["--supports", "0", "--friction", "0.9"]];
    let bridge = ["--supports", "0,1", "--friction", "0.9"];
    for (name, more, stands) in [
        ("cubes", one, true),
        ("type-a", both, true),
        ("type-b", both, true),
        ("type-c", both, true),
        ("type-d", both, true),
        ("shelf-stable", rough, true),
        ("bridge", bridge, true),
        ("H", both, false),
        ("A", both, false),
        ("shelf", rough, false),
    ] {
        let more = [&more[..], &["--duration", "0.5"]].concat();
        import(&shop, &data.join(format!("cra_{name}.json")), "scene.toml", &more);
        let verdict = shop.run(&["stand", "scene.toml", "--json"]).json()["verdict"].clone();
        assert_eq!(verdict == "stands", stands, "{name}: {verdict}");
        let run = shop.run(&["run", "scene.toml", "-o", name, "--json"]).expect(0).json();
        let moved = number(&run, "/max_displacement_m");
        assert_eq!(moved < 1e-6, stands, "{name}: {moved}");
        if ["H", "A"].contains(&name) {
            assert!((moved / (0.5 * 9.81 * 0.25) - 1.0).abs() < 5e-3, "{name} falls freely: {moved}");
        }
    }
}

/// The other files of the same folder, of all forms that assemblies had: what stands does not move, what falls does.
#[test]
fn other_assemblies_of_compas_stand_or_move() {
    let Some(data) = need_data("compas/wild") else { return };
    let shop = Workshop::new();
    for (file, stands) in [
        ("assembly2_two-blocks.json", true),
        ("assembly_blocks_polysurfaces.json", true),
        ("blockmodel_dem_crossvault.json", true),
        ("dem_wall.obj", true),
        ("network1_stack.json", true),
        ("graph1_ursula.json", false),
    ] {
        import(&shop, &data.join(file), "scene.toml", &["--duration", "0.3"]);
        let verdict = shop.run(&["stand", "scene.toml", "--json"]).expect(0).json()["verdict"].clone();
        assert_eq!(verdict, if stands { "stands" } else { "collapses" }, "{file}");
        let run = shop.run(&["run", "scene.toml", "-o", "out", "--force", "--json"]).expect(0).json();
        let moved = number(&run, "/max_displacement_m");
        assert_eq!(moved < 1e-6, stands, "{file}: {moved}");
    }
}

/// What is written loads in the real packages, and round trips keep guids, names, supports and materials.
#[test]
fn the_real_packages_read_what_is_written() {
    let Some(python) = need("VOUSSOIR_COMPAS", "Python with compas_dem and compas_assembly") else { return };
    let Some(data) = need_data("compas") else { return };
    let shop = Workshop::new();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/check_compas.py");
    for name in ["blockmodel_arch5", "analysis_arch5", "assembly_arch5", "blockmodel_odd"] {
        let source = data.join(format!("{name}.json"));
        import(&shop, &source, "scene.toml", &["--density", "2200"]);
        shop.run(&["stand", "scene.toml", "-o", name, "--force"]);
        shop.run(&["export", name, "--to", "compas"]).expect(0);
        let folder = shop.path(name).join("compas");
        let output = std::process::Command::new(&python).arg(&script).arg(&source).arg(&folder).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{name}: {said}");
    }
}
