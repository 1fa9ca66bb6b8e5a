//! COMPAS files of all forms, written by the test: the same two blocks in each of them, and all parts of a problem.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use voussoir_model::import::{ImportError, ImportOptions, Imported, import};
use voussoir_model::scene::actions::{Select, Selection};
use voussoir_model::scene::bodies::{FormSpec, ShapeSpec};
use voussoir_model::{Scene, build};

/// A box 1 × 1 × 0.5 m whose lowest corner is at (x, 0, z); `inward` turns its faces.
fn mesh(x: f64, z: f64, inward: bool) -> Value {
    let corner = |i: usize| {
        let (dx, dy) = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)][i % 4];
        json!({ "x": x + dx, "y": dy, "z": z + if i < 4 { 0.0 } else { 0.5 } })
    };
    let vertex: serde_json::Map<String, Value> = (0..8).map(|i| (i.to_string(), corner(i))).collect();
    let faces = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];
    let face = |mut face: [usize; 4]| {
        if inward {
            face.reverse();
        }
        json!(face)
    };
    let face: serde_json::Map<String, Value> =
        faces.iter().enumerate().map(|(i, f)| (i.to_string(), face(*f))).collect();
    json!({ "attributes": {}, "default_vertex_attributes": { "x": 0.0, "y": 0.0, "z": 0.0 }, "vertex": vertex, "face": face })
}

fn typed(dtype: &str, data: Value) -> Value {
    json!({ "dtype": dtype, "data": data, "guid": format!("guid of {dtype}") })
}

fn mesh_object(x: f64, z: f64) -> Value {
    typed("compas.datastructures/Mesh", mesh(x, z, false))
}

/// A block model: element "a" at node 3 is a support, "b" at node 7 rests on it.
fn model() -> Value {
    let element = |name: &str, z: f64, support: bool| {
        let data = json!({ "transformation": null, "features": [], "name": name, "material": "m", "is_support": support,
                           "geometry": mesh_object(0.0, z) });
        json!({ "dtype": "compas_dem.elements/Block", "data": data, "guid": format!("e-{name}"), "name": name })
    };
    let stone = json!({ "name": "lime stone", "density": 2200.0, "fck": 40.0 });
    let contact = typed("compas_dem.interactions/FrictionContact", json!({ "size": 1.0, "points": [] }));
    let data = json!({
        "transformation": null,
        "elements": { "e-a": element("a", 0.0, true), "e-b": element("b", 0.5, false) },
        "materials": { "m": { "dtype": "compas_dem.material/Stone", "data": stone, "guid": "m", "name": "lime stone" } },
        "tree": { "root": { "name": "root", "children": [{ "element": "e-a" }, { "element": "e-b" }] } },
        "graph": { "node": { "7": { "element": "e-b" }, "3": { "element": "e-a" } },
                   "edge": { "3": { "7": { "contacts": [contact] } }, "7": {} } },
    });
    json!({ "dtype": "compas_dem.models/BlockModel", "data": data, "guid": "model-1", "inheritance": ["compas_model.models/Model"] })
}

fn problem(conditions: Value, law: Value) -> Value {
    let group = typed("compas_dem.problem/BoundaryConditionGroup", conditions);
    let properties = typed("compas_dem.interactions/ContactProperties", law);
    let data =
        json!({ "name": "p", "model_id": "model-1", "boundary_conditions": [group], "contact_properties": properties });
    json!({ "dtype": "compas_dem.problem/Problem", "data": data, "guid": "problem-1", "name": "p" })
}

fn assembly(class: &str, inner: &str) -> Value {
    let block =
        |z: f64| json!({ "dtype": "compas_assembly.datastructures/Block", inner: mesh(0.0, z, false), "guid": "b" });
    let node = json!({ "7": { "block": block(0.5) }, "3": { "block": block(0.0), "is_support": true } });
    let graph = json!({ "node": node, "edge": {} });
    match class {
        "" => json!({ "graph": graph, "attributes": {} }),
        "network" => graph,
        _ => typed(class, json!({ "attributes": {}, "graph": typed("compas.datastructures/Graph", graph) })),
    }
}

fn write(folder: &Path, name: &str, value: &Value) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, value.to_string()).unwrap();
    path
}

fn read(value: &Value, options: &ImportOptions) -> Result<Imported, ImportError> {
    let folder = tempfile::tempdir().unwrap();
    import(&write(folder.path(), "model.json", value), options)
}

fn notes(imported: &Imported) -> String {
    imported.notes.iter().map(|note| note.to_string() + "\n").collect()
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.bodies.iter().map(|body| body.common.name.as_str()).collect()
}

fn corners(scene: &Scene, body: usize) -> Vec<[f64; 3]> {
    let FormSpec::Shaped(ShapeSpec::Polyhedron(shape)) = &scene.bodies[body].form else { panic!("not a polyhedron") };
    shape.vertices.iter().map(|v| v.0).collect()
}

#[test]
fn every_form_gives_the_same_two_blocks() {
    let plain = ImportOptions::default();
    let held = ImportOptions { supports: Some("0".into()), ..ImportOptions::default() };
    let list = json!([mesh_object(0.0, 0.0), mesh_object(0.0, 0.5)]);
    let old = json!({ "assembly": { "vertex": { "3": { "is_support": true }, "7": {} } },
                      "blocks": { "3": mesh(0.0, 0.0, false), "7": mesh(0.0, 0.5, false) } });
    let analysis = typed("compas_dem.models/Analysis", json!({ "name": "x", "model": model(), "problems": [] }));
    let mut with_model = problem(json!({ "g": 9.81 }), json!({ "contact_model": null }));
    with_model["data"]["model"] = model();
    let dem = ["a", "b"];
    let nodes = ["block-3", "block-7"];
    for (form, value, options, expected) in [
        ("BlockModel", model(), &plain, dem),
        ("Analysis", analysis, &plain, dem),
        ("Problem", with_model, &plain, dem),
        ("Assembly", assembly("compas_assembly.datastructures/Assembly", "data"), &plain, nodes),
        ("CRA_Assembly", assembly("compas_cra.datastructures/CRA_Assembly", "data"), &plain, nodes),
        ("graph", assembly("", "value"), &plain, nodes),
        ("network", assembly("network", "value"), &plain, nodes),
        ("2018", old, &plain, nodes),
        ("list", list, &held, ["block-0", "block-1"]),
    ] {
        let imported = read(&value, options).unwrap_or_else(|error| panic!("{form}: {error}"));
        assert_eq!(names(&imported.scene), expected, "{form}");
        let Selection::Many(held) = &imported.scene.supports[0].select else { panic!("{form}") };
        assert_eq!(held, &[Select::Named(expected[0].to_owned())], "{form}");
        assert!(corners(&imported.scene, 1).iter().all(|v| v[2] >= 0.5 && v[2] <= 1.0), "{form}");
        let folder = tempfile::tempdir().unwrap();
        let built = build(&imported.scene, folder.path()).unwrap_or_else(|error| panic!("{form}: {error}"));
        assert_eq!(built.model.bodies(), 2, "{form}");
    }
    let mesh = read(
        &json!({ "compas": "0.16", "datatype": "compas.datastructures/Mesh", "data": mesh(0.0, 0.0, false) }),
        &plain,
    );
    assert_eq!(names(&mesh.unwrap().scene), ["block-0", "ground"]);
    for (value, word) in
        [(json!({ "a": 1 }), "not a COMPAS model"), (json!([]), "no blocks"), (json!([{ "x": 1 }]), "not a mesh")]
    {
        let error = read(&value, &plain).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn materials_and_the_file_itself_go_with_the_scene() {
    let imported = read(&model(), &ImportOptions { name: "arch".into(), ..ImportOptions::default() }).unwrap();
    let stone = &imported.scene.materials["lime_stone"];
    assert_eq!((stone.density, stone.compressive_strength), (2200.0, Some(40e6)));
    assert_eq!(imported.scene.compas.as_deref(), Some("arch.compas.json"));
    assert_eq!(imported.files, [("arch.compas.json".to_owned(), model().to_string())]);
}

#[test]
fn a_problem_finds_its_model_in_a_second_file_and_refuses_another() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "model.json", &model());
    let path = write(folder.path(), "problem.json", &problem(json!({ "g": 9.81 }), json!({})));
    let error = import(&path, &ImportOptions::default()).unwrap_err();
    assert!(error.help.unwrap().contains("--model"));
    let options = ImportOptions { model: Some(file), ..ImportOptions::default() };
    let imported = import(&path, &options).unwrap();
    // the two files are kept as one, which can be read again
    let kept: Value = serde_json::from_str(&imported.files[0].1).unwrap();
    assert_eq!(kept["data"]["model"]["guid"], "model-1");
    let again = read(&kept, &ImportOptions::default()).unwrap();
    assert_eq!(again.scene.bodies, imported.scene.bodies);
    let mut other = model();
    other["guid"] = json!("model-2");
    let options = ImportOptions { model: Some(write(folder.path(), "other.json", &other)), ..ImportOptions::default() };
    assert!(import(&path, &options).unwrap_err().message.contains("belongs to model model-1"));
}

#[test]
fn all_loads_of_a_problem_become_loads_of_the_scene() {
    let point = typed("compas.geometry/Point", json!([0.2, 0.3, 1.0]));
    let load = |force: [f64; 3], moment: Value, point: Value| {
        typed(
            "compas_dem.problem/PointLoad",
            json!({ "block_index": 7, "force": force, "moment": moment, "point": point, "loading_type": "ramp" }),
        )
    };
    let conditions = json!({
        "g": 9.8, "name": "live",
        "point_loads": [load([1.0, 2.0, -3.0], Value::Null, point), load([0.0; 3], json!([0.0, 10.0, 0.0]), Value::Null)],
        "surface_loads": [typed("compas_dem.problem/SurfaceLoad",
            json!({ "block_index": 7, "face_index": 2, "load": [0.0, 100.0, 0.0], "loading_type": "instantaneous" }))],
        "body_forces": [typed("compas_dem.problem/BodyForce", json!({ "acceleration": [0.5, 0.0, 0.0] }))],
        "displacements": [
            typed("compas_dem.problem/Translation", json!({ "block_index": 3, "translation": [0.01, null, -0.005] })),
            typed("compas_dem.problem/Rotation", json!({ "block_index": 3, "rotation": [0.0, 0.001, 0.0] })),
            typed("compas_dem.problem/Translation", json!({ "block_index": 99, "translation": [0.0, 0.0, 0.0] })),
        ],
        "wind": 3.0,
    });
    let law = json!({
        "contact_model": typed("compas_dem.interactions/MohrCoulomb", json!({ "phi": 30.0, "mu": 0.5, "c": 1e4, "t_c": 1e5 })),
        "joint_model": typed("compas_dem.interactions/JointModel", json!({ "kn": 2e9, "kt": 1e9 })),
    });
    let mut value = problem(conditions, law);
    value["data"]["model"] = model();
    let imported = read(&value, &ImportOptions::default()).unwrap();
    let scene = &imported.scene;
    assert_eq!(scene.gravity.as_ref().unwrap().numbers(), [9.8]);
    let [a, b, c, d] = &scene.loads[..] else { panic!("{:?}", scene.loads) };
    assert_eq!((a.force.as_deref(), a.point.as_deref()), (Some(&[1.0, 2.0, -3.0][..]), Some(&[0.2, 0.3, 1.0][..])));
    assert_eq!(b.moment.as_ref().unwrap().numbers(), [0.0, 10.0, 0.0]);
    // face 2 of the upper block: y = 0, 1 × 0.5 m
    assert_eq!((c.force.as_deref(), c.point.as_deref()), (Some(&[0.0, 50.0, 0.0][..]), Some(&[0.5, 0.0, 0.75][..])));
    assert_eq!(d.acceleration.as_deref(), Some(&[0.5, 0.0, 0.0][..]));
    let motion = scene.supports[0].motion.as_ref().unwrap();
    assert_eq!(motion.direction.as_deref(), Some(&[0.01, 0.0, -0.005][..]));
    assert_eq!(motion.axis.as_ref().unwrap().numbers(), [0.0, 0.001, 0.0]);
    let pivot = motion.pivot.as_ref().unwrap();
    assert!(pivot.iter().zip([0.5, 0.5, 0.25]).all(|(a, b)| (a - b).abs() < 1e-12), "{pivot:?}");
    let joint = serde_json::to_value(&scene.joints[0]).unwrap();
    assert_eq!(joint["friction"], 0.5);
    // tension at most that of the tip of the cone, c/μ; springs per area of the one contact of 1 m²
    assert_eq!(joint["bond"]["mohr-coulomb"], json!({ "cohesion": 1e4, "tension": 2e4 }));
    assert_eq!((&joint["elastic"]["normal"], &joint["elastic"]["tangential"]), (&json!(2e9), &json!(1e9)));
    let told = notes(&imported);
    for word in
        ["free along y", "no block with the node 99", "wind is unknown", "\"ramp\"", "tip of the cone", "mean area"]
    {
        assert!(told.contains(word), "{word} is not in\n{told}");
    }
    let folder = tempfile::tempdir().unwrap();
    build(scene, folder.path()).unwrap();
}

/// As `compas_dem.analysis.resolve` has it: a component that is given again replaces the earlier one, and null says nothing.
#[test]
fn displacements_of_a_block_are_merged_by_component() {
    let moved = |block: usize, way: Value| {
        typed("compas_dem.problem/Translation", json!({ "block_index": block, "translation": way }))
    };
    let turned = |block: usize, turn: Value| {
        typed("compas_dem.problem/Rotation", json!({ "block_index": block, "rotation": turn }))
    };
    let conditions = json!({ "g": 9.81, "displacements": [
        moved(3, json!([0.01, 0.02, null])), moved(3, json!([null, 0.03, null])), moved(3, json!([0.01, null, null])),
        turned(3, json!([0.1, 0.2, 0.3])), turned(3, json!([0.1, 0.0, 0.3])), moved(7, json!([null, null, null])),
    ] });
    let mut value = problem(conditions, json!({}));
    value["data"]["model"] = model();
    let imported = read(&value, &ImportOptions::default()).unwrap();
    // a block without a component that is given is as free as before
    let [support] = &imported.scene.supports[..] else { panic!("{:?}", imported.scene.supports) };
    let motion = support.motion.as_ref().unwrap();
    assert_eq!(motion.direction.as_deref(), Some(&[0.01, 0.03, 0.0][..]));
    assert_eq!(motion.axis.as_ref().unwrap().numbers(), [0.1, 0.0, 0.3]);
    let told = notes(&imported);
    for word in ["a: the translation along y is given several times", "a: the rotation along y is given several times"]
    {
        assert!(told.contains(word), "{word} is not in\n{told}");
    }
    assert!(
        told.contains("a: the translation is free along z") && !told.contains("along x is given several"),
        "{told}"
    );
    // a block that is no support: what the source leaves free is listed
    let conditions = json!({ "displacements": [moved(7, json!([0.01, 0.0, 0.0]))] });
    let mut value = problem(conditions, json!({}));
    value["data"]["model"] = model();
    let told = notes(&read(&value, &ImportOptions::default()).unwrap());
    for word in ["b: a prescribed displacement makes it a support", "b: the rotation is free along xyz in the source"] {
        assert!(told.contains(word), "{word} is not in\n{told}");
    }
}

/// Model × group × block, and an inward mesh that is turned and told.
#[test]
fn transformations_are_applied_from_the_block_outwards() {
    let shift = |x: f64, y: f64, z: f64| {
        typed(
            "compas.geometry/Translation",
            json!({ "matrix": [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z], [0.0, 0.0, 0.0, 1.0]] }),
        )
    };
    // a quarter turn about z
    let turn = typed(
        "compas.geometry/Rotation",
        json!({ "matrix": [[0.0, -1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]] }),
    );
    let mut value = model();
    let data = &mut value["data"];
    data["transformation"] = turn;
    data["elements"]["e-b"]["data"]["transformation"] = shift(10.0, 0.0, 0.0);
    data["elements"]["e-b"]["data"]["geometry"] = typed("compas.datastructures/Mesh", mesh(0.0, 0.5, true));
    data["elements"]["g"] = json!({ "dtype": "compas_model.elements/Group", "guid": "g", "name": "pier",
                                    "data": { "transformation": shift(0.0, 100.0, 0.0) } });
    data["tree"]["root"]["children"][1] = json!({ "element": "g", "children": [{ "element": "e-b" }] });
    data["elements"]["e-b"]["data"]["material"] = Value::Null;
    let error = read(&value, &ImportOptions::default()).unwrap_err();
    assert!(error.message.contains("no material: b") && error.help.unwrap().contains("--density"));
    let imported = read(&value, &ImportOptions { density_given: true, ..ImportOptions::default() }).unwrap();
    // (0, 0) … (1, 1) → + (10, 0) → + (0, 100) → turned: x −101 … −100, y 10 … 11
    let all = corners(&imported.scene, 1);
    let range = |axis: usize| {
        all.iter().map(|v| v[axis]).fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x), b.max(x)])
    };
    assert_eq!([range(0), range(1), range(2)], [[-101.0, -100.0], [10.0, 11.0], [0.5, 1.0]]);
    assert_eq!(imported.scene.bodies[1].common.tags, ["pier"]);
    assert_eq!(imported.scene.materials["stone"].density, 2000.0);
    assert!(notes(&imported).contains("all faces had inward normals: reversed"), "{}", notes(&imported));
}

#[test]
fn names_that_blocks_share_get_the_number_of_the_node() {
    let mut value = model();
    for key in ["e-a", "e-b"] {
        value["data"]["elements"][key]["name"] = json!("Block");
    }
    let imported = read(&value, &ImportOptions::default()).unwrap();
    assert_eq!(names(&imported.scene), ["Block-3", "Block-7"]);
    let error =
        read(&value, &ImportOptions { supports: Some("Block-8".into()), ..ImportOptions::default() }).unwrap_err();
    assert!(error.message.contains("no block \"Block-8\""));
}

#[test]
fn loads_of_the_type_ramp_grow_over_half_of_a_run_when_asked() {
    let load = |kind: &str| {
        typed(
            "compas_dem.problem/PointLoad",
            json!({ "block_index": 7, "force": [0.0, 0.0, -9.0], "loading_type": kind }),
        )
    };
    let conditions = json!({ "g": 9.8, "point_loads": [load("ramp"), load("instantaneous")] });
    let mut value = problem(conditions, json!({ "contact_model": null }));
    value["data"]["model"] = model();
    let options = ImportOptions { ramp: true, duration: 3.0, ..ImportOptions::default() };
    let imported = read(&value, &options).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let built = build(&imported.scene, folder.path()).unwrap();
    let voussoir_mechanics::AnyModel::Three(model) = &built.model else { panic!() };
    let share = |load: usize, time: f64| model.loads[load].function.value(time);
    assert_eq!([0.0, 0.75, 1.5, 3.0].map(|time| share(0, time)), [0.0, 0.5, 1.0, 1.0]);
    assert_eq!([share(1, 0.0), share(1, 3.0)], [1.0, 1.0]);
    assert!(notes(&imported).contains("1 load(s) with loading_type \"ramp\" grow over the first 1.5 s"));
    let plain = read(&value, &ImportOptions::default()).unwrap();
    assert!(plain.scene.loads.iter().all(|load| load.function.is_none()));
}

#[test]
fn what_a_scene_does_not_use_is_listed() {
    let mut value = model();
    let data = &mut value["data"];
    data["graph"]["node"]["7"]["course"] = json!(3);
    data["graph"]["node"]["3"]["displacement"] = json!([0, 0, 0, 0, 0, 0]);
    data["elements"]["e-b"]["data"]["colour"] = json!("red");
    data["materials"]["m"]["data"]["Ecm"] = json!(20_000.0);
    data["materials"]["m"]["data"]["ft"] = json!(2.5);
    data["materials"]["m"]["data"]["porosity"] = json!(0.3);
    data["graph"]["edge"]["3"]["7"]["contacts"][0]["data"]["forces"] = json!([{ "c_np": 1.0 }]);
    let imported = read(&value, &ImportOptions::default()).unwrap();
    let stone = &imported.scene.materials["lime_stone"];
    assert_eq!((stone.young_modulus, stone.tensile_strength), (Some(2e10), Some(2.5e6)));
    let told = notes(&imported);
    for word in ["colour of 1 block, porosity of 1 material, course of 1 node", "forces of 1 contact in the file"] {
        assert!(told.contains(word), "{word} is not in\n{told}");
    }
    // zeros say nothing
    assert!(!told.contains("displacement"), "{told}");
    assert!(!notes(&read(&model(), &ImportOptions::default()).unwrap()).contains("without effect"));
}
