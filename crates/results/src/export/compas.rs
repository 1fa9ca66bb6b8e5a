//! COMPAS: a `BlockModel` of compas_dem, and a frame as its `Results`.
//!
//! Results have a transformation (4×4, from the first frame) per node and an entry per edge `"u,v"`, u < v: the
//! resultant acts on v. Contact frame: z points from u to v, F = (c_np − c_nn) z + c_u x + c_v y [N].

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use voussoir_mechanics::snapshot::{BodySnapshot, Cast, ContactSnapshot, Snapshot};

use super::{make_folder, surveyed, write_file};
use crate::Results;
use crate::error::ResultsError;
use crate::vector::{Vec3, add, cross, dot, length, place, rotate, scale, sub, unit};

/// What a recording does not contain.
#[derive(Clone, Debug, Default)]
pub struct CompasTarget {
    /// Text of the COMPAS file that the scene was imported from; it is written as it is. Without it a model is made.
    pub source: Option<String>,
    /// Identifier of the model.
    pub model: String,
    /// Identifier of the problem.
    pub problem: String,
    /// Node of every body; bodies without a node are left out.
    pub nodes: Vec<Option<u64>>,
    /// Density of every material [kg/m³].
    pub densities: Vec<f64>,
    /// Contacts in survey coordinates with all digits, where they are known better than recorded (in single precision).
    pub contacts: Option<Vec<ContactSnapshot>>,
    /// Verdict and other facts.
    pub metadata: Map<String, Value>,
}

impl CompasTarget {
    /// For a scene that did not come from COMPAS: nodes are the numbers of the bodies.
    pub fn made(results: &Results, scene: &str, densities: Vec<f64>) -> Self {
        let nodes = (0..results.cast().bodies.len() as u64).map(Some).collect();
        Self { model: guid(&[scene, "model"]), problem: guid(&[scene, "problem"]), nodes, densities, ..Self::default() }
    }
}

/// Writes `model.json` and `results.json` of a frame into a folder.
pub fn write_compas(
    results: &Results,
    frame: usize,
    target: &CompasTarget,
    dir: &Path,
) -> Result<Vec<PathBuf>, ResultsError> {
    make_folder(dir)?;
    let first = surveyed(results, results.frame(0)?);
    let mut now = surveyed(results, results.frame(frame)?);
    if let Some(contacts) = &target.contacts {
        now.contacts.clone_from(contacts);
    }
    let model = match &target.source {
        Some(text) => text.clone(),
        None => made_model(results, &first, target).to_string(),
    };
    let answer = compas_results(results.cast(), &first, &now, target).to_string();
    Ok(vec![
        write_file(&dir.join("model.json"), |out| out.write_all(model.as_bytes()))?,
        write_file(&dir.join("results.json"), |out| out.write_all(answer.as_bytes()))?,
    ])
}

/// An object of COMPAS.
fn object(dtype: &str, data: Value) -> Value {
    json!({ "dtype": dtype, "data": data })
}

/// `Results` of a frame.
fn compas_results(cast: &Cast, first: &Snapshot, now: &Snapshot, target: &CompasTarget) -> Value {
    let node = |body: u32| target.nodes.get(body as usize).copied().flatten();
    let mut nodes = Map::new();
    for (body, number) in target.nodes.iter().enumerate() {
        let (Some(number), Some(start), Some(end)) = (number, first.bodies.get(body), now.bodies.get(body)) else {
            continue;
        };
        let matrix = object("compas.geometry/Transformation", json!({ "matrix": motion(start, end) }));
        nodes.insert(number.to_string(), json!({ "transformation": matrix, "support": cast.bodies[body].support }));
    }
    let mut edges: BTreeMap<(u64, u64), Vec<EdgeContact>> = BTreeMap::new();
    for contact in &now.contacts {
        let (Some(a), Some(b)) = (node(contact.bodies[0]), node(contact.bodies[1])) else { continue };
        // the force acts on the candidate; an edge has the smaller node first
        let sign = if a > b { 1.0 } else { -1.0 };
        add_contact(edges.entry((a.min(b), a.max(b))).or_default(), EdgeContact { contact: *contact, sign });
    }
    let edges: Map<String, Value> =
        edges.iter().map(|((u, v), contacts)| (format!("{u},{v}"), edge(contacts))).collect();
    let mut metadata = target.metadata.clone();
    metadata.insert("solver".into(), json!(format!("voussoir {}", env!("CARGO_PKG_VERSION"))));
    metadata.insert("time".into(), json!(now.time));
    object(
        "compas_dem.problem/Results",
        json!({
            "model_id": target.model, "problem_id": target.problem, "displacement_scale": 1.0,
            "node_data": nodes, "edge_data": edges, "metadata": metadata,
        }),
    )
}

/// The motion of a body in world axes: x ↦ R (x − p₀) + p, row by row.
fn motion(start: &BodySnapshot, end: &BodySnapshot) -> [[f64; 4]; 4] {
    let [x, y, z, w] = start.rotation;
    let back = |v: Vec3| rotate(end.rotation, rotate([-x, -y, -z, w], v));
    let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(back);
    let shift = sub(end.position, back(start.position));
    let row = |i: usize| [columns[0][i], columns[1][i], columns[2][i], shift[i]];
    [row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]]
}

/// A contact of an edge; `sign` makes its force and normal refer to the larger node.
struct EdgeContact {
    contact: ContactSnapshot,
    sign: f64,
}

/// Adds a contact; two parts of a block that is not convex may have a point in common, which is one contact point.
fn add_contact(contacts: &mut Vec<EdgeContact>, new: EdgeContact) {
    let near = |old: &&mut EdgeContact| {
        let (a, b) = (&old.contact, &new.contact);
        length(sub(a.position, b.position)) <= 1e-7 * length(b.position).max(1.0) && dot(a.normal, b.normal) > 0.999
    };
    match contacts.iter_mut().find(near) {
        Some(old) => {
            old.contact.force = add(old.contact.force, scale(new.contact.force, new.sign * old.sign));
            old.contact.area += new.contact.area;
            old.contact.gap = old.contact.gap.min(new.contact.gap);
            old.contact.status = old.contact.status.max(new.contact.status);
        }
        None => contacts.push(new),
    }
}

/// The contacts between two bodies.
fn edge(contacts: &[EdgeContact]) -> Value {
    let sum = contacts.iter().fold([0.0; 3], |sum, c| add(sum, scale(c.contact.normal, c.sign)));
    let z = unit(sum);
    let side = if z[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let x = unit(sub(side, scale(z, dot(side, z))));
    let y = cross(z, x);
    let share = 1.0 / contacts.len() as f64;
    let centre = contacts.iter().fold([0.0; 3], |sum, c| add(sum, scale(c.contact.position, share)));
    // sorted around the contact, so that the points form a polygon
    let mut ordered: Vec<&EdgeContact> = contacts.iter().collect();
    let angle = |c: &EdgeContact| {
        let way = sub(c.contact.position, centre);
        dot(way, y).atan2(dot(way, x))
    };
    ordered.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    let forces: Vec<Vec3> = ordered.iter().map(|c| scale(c.contact.force, c.sign)).collect();
    let total = forces.iter().fold([0.0; 3], |sum, force| add(sum, *force));
    let parts = |axis: Vec3| forces.iter().map(|force| dot(*force, axis)).collect::<Vec<f64>>();
    let [u, v, n] = [parts(x), parts(y), parts(z)];
    let points: Vec<Vec3> = ordered.iter().map(|c| c.contact.position).collect();
    let frame = object("compas.geometry/Frame", json!({ "point": centre, "xaxis": x, "yaxis": y }));
    let per_point: Vec<Value> = (0..points.len())
        .map(|i| json!({ "c_np": n[i].max(0.0), "c_nn": (-n[i]).max(0.0), "c_u": u[i], "c_v": v[i] }))
        .collect();
    let objects: Vec<Value> = points.iter().map(|point| object("compas.geometry/Point", json!(point))).collect();
    let area: f64 = contacts.iter().map(|c| c.contact.area).sum();
    let face = points.len() > 2 && area > 0.0;
    // compas_dem draws a contact by its class
    let contact = match (face, &objects[..]) {
        (false, [point]) => object(
            "compas_dem.interactions/VertexContact",
            json!({ "name": "VertexContact", "point": point, "frame": frame, "forces": per_point }),
        ),
        (false, _) => object(
            "compas_dem.interactions/EdgeContact",
            json!({ "name": "EdgeContact", "points": objects, "frame": frame, "forces": per_point }),
        ),
        (true, _) => object(
            "compas_dem.interactions/FrictionContact",
            json!({ "name": "FrictionContact", "points": objects, "frame": frame, "size": area, "mesh": null,
                    "holes": null, "forces": per_point }),
        ),
    };
    let words = ["open", "stick", "slide"];
    let status: Vec<&str> = ordered.iter().map(|c| words[usize::from(c.contact.status.min(2))]).collect();
    let pressed: f64 = n.iter().sum();
    let force_point = if pressed > 0.0 {
        points.iter().zip(&n).fold([0.0; 3], |sum, (point, n)| add(sum, scale(*point, n / pressed)))
    } else {
        centre
    };
    let mut entry = json!({
        "contact_data": contact, "contact_frame": frame, "contact_points": points, "face_contact": face,
        "edge_contact": !face && points.len() > 1, "point_contact": points.len() == 1,
        "resultant_global": total, "resultant_local": [dot(total, x), dot(total, y), dot(total, z)],
        "force_magnitude": length(total), "force_point": force_point, "force_normal": n, "force_tangent1": u,
        "force_tangent2": v, "force_vector": forces, "nodal_force_magnitudes": forces.iter().map(|f| length(*f)).collect::<Vec<_>>(),
        "gap": ordered.iter().map(|c| c.contact.gap).collect::<Vec<_>>(), "status": status,
    });
    if face {
        entry["contact_polygon"] = object("compas.geometry/Polygon", json!({ "points": points }));
    } else {
        entry["contact_geometry"] = match &points[..] {
            [point] => object("compas.geometry/Point", json!(point)),
            _ => object("compas.geometry/Line", json!({ "start": points[0], "end": points[points.len() - 1] })),
        };
    }
    entry
}

/// A `BlockModel` of a scene that did not come from COMPAS.
fn made_model(results: &Results, first: &Snapshot, target: &CompasTarget) -> Value {
    let cast = results.cast();
    let id = |kind: &str, index: usize| guid(&[&target.model, kind, &index.to_string()]);
    let mut materials = Map::new();
    for (i, name) in cast.materials.iter().enumerate() {
        let data = json!({ "name": name, "density": target.densities.get(i), "fck": null, "ft": null, "Ecm": null,
                           "poisson": 0.2 });
        let mut stone = object("compas_dem.material/Stone", data);
        stone["guid"] = json!(id("material", i));
        stone["name"] = json!(name);
        materials.insert(id("material", i), stone);
    }
    let (mut elements, mut nodes, mut edges, mut children) = (Map::new(), Map::new(), Map::new(), Vec::new());
    for (i, (body, number)) in cast.bodies.iter().zip(&target.nodes).enumerate() {
        let Some(number) = number else { continue };
        let own = id("element", i);
        let surface = body.polygons(cast.dimension);
        let points: Vec<Vec3> = surface.points.iter().map(|point| place(&first.bodies[i], *point)).collect();
        let data = json!({
            "transformation": null, "features": [], "name": body.name, "material": id("material", body.material),
            "geometry": mesh(&points, &surface.polygons), "is_support": body.support,
        });
        let mut element = object("compas_dem.elements/Block", data);
        element["guid"] = json!(own);
        element["name"] = json!(body.name);
        elements.insert(own.clone(), element);
        nodes.insert(number.to_string(), json!({ "element": own }));
        edges.insert(number.to_string(), json!({}));
        children.push(json!({ "name": "ElementNode", "element": own }));
    }
    let last = target.nodes.iter().flatten().max().copied();
    let graph = json!({
        "attributes": {}, "default_node_attributes": { "x": 0.0, "y": 0.0, "z": 0.0, "element": null },
        "default_edge_attributes": { "modifiers": null, "contacts": null }, "node": nodes, "edge": edges, "max_node": last,
    });
    let data = json!({
        "transformation": null, "elements": elements, "materials": materials, "graph": graph,
        "tree": { "attributes": {}, "root": { "name": "root", "children": children } },
    });
    json!({
        "dtype": "compas_dem.models/BlockModel", "data": data, "guid": target.model, "name": results.title(),
        "inheritance": ["compas_model.models/Model"],
    })
}

fn mesh(points: &[Vec3], polygons: &[Vec<u32>]) -> Value {
    let vertex: Map<String, Value> =
        points.iter().enumerate().map(|(i, [x, y, z])| (i.to_string(), json!({ "x": x, "y": y, "z": z }))).collect();
    let face: Map<String, Value> = polygons.iter().enumerate().map(|(i, face)| (i.to_string(), json!(face))).collect();
    object(
        "compas.datastructures/Mesh",
        json!({
            "attributes": {}, "default_vertex_attributes": { "x": 0.0, "y": 0.0, "z": 0.0 }, "default_edge_attributes": {},
            "default_face_attributes": {}, "vertex": vertex, "face": face, "facedata": {}, "edgedata": {},
            "max_vertex": points.len() as i64 - 1, "max_face": polygons.len() as i64 - 1,
        }),
    )
}

/// An identifier computed from texts only: FNV-1a of 128 bits in the form of a UUID.
fn guid(parts: &[&str]) -> String {
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for byte in parts.iter().flat_map(|part| part.bytes().chain([0])) {
        hash = (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }
    let text = format!("{hash:032x}");
    format!("{}-{}-4{}-8{}-{}", &text[..8], &text[8..12], &text[13..16], &text[17..20], &text[20..])
}
