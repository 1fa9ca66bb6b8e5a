//! Content of a COMPAS file that a scene does not use: unknown attributes, and forces of other solvers. The file is
//! kept with the scene, so that an export contains all of it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::value::{class, content, entries};
use crate::import::Notes;

/// Keys that are used or only affect the appearance: of nodes, blocks, materials, meshes, models.
const NODE: [&str; 6] = ["block", "element", "is_support", "x", "y", "z"];
const BLOCK: [&str; 6] = ["transformation", "features", "name", "material", "geometry", "is_support"];
const MATERIAL: [&str; 7] = ["name", "density", "fck", "fc", "ft", "Ecm", "poisson"];
const ATTRIBUTE: [&str; 3] = ["name", "node", "is_support"];

/// Number of non-empty occurrences of every attribute, by the kind of its owner.
type Found = BTreeMap<([&'static str; 2], String), usize>;

/// True unless a value is null, false, zero, empty, or a list of these.
fn says(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => list.iter().any(says),
        Value::Object(map) => !map.is_empty(),
    }
}

fn rest(found: &mut Found, of: [&'static str; 2], owner: &Value, known: &[&str]) {
    for (key, _) in
        owner.as_object().into_iter().flatten().filter(|(key, value)| !known.contains(&key.as_str()) && says(value))
    {
        *found.entry((of, key.clone())).or_default() += 1;
    }
}

fn mesh(found: &mut Found, value: &Value) {
    let data = content(value);
    rest(found, ["block", "blocks"], data.get("attributes").unwrap_or(&Value::Null), &ATTRIBUTE);
    for (key, known) in [("vertex", &["x", "y", "z"][..]), ("facedata", &[]), ("edgedata", &[])] {
        for (_, _, attributes) in entries(data.get(key).unwrap_or(&Value::Null)) {
            rest(
                found,
                if key == "vertex" { ["vertex", "vertices"] } else { ["face or edge", "faces and edges"] },
                attributes,
                known,
            );
        }
    }
}

/// Contacts with forces on the edges of a graph.
fn forces(graph: &Value) -> usize {
    let mut count = 0;
    for (_, _, others) in entries(graph.get("edge").unwrap_or(&Value::Null)) {
        for (_, _, edge) in entries(others) {
            let several = ["contacts", "interfaces"].into_iter().flat_map(|key| entries(&edge[key]));
            let all = several.map(|(_, _, contact)| contact).chain(edge.get("interface"));
            count += all.filter(|contact| content(contact).get("forces").is_some_and(says)).count();
        }
    }
    count
}

/// A count with its noun in singular or plural.
fn counted(count: usize, [one, several]: [&str; 2]) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// Notes the content of a file that a scene does not use.
pub(super) fn tell(root: &Value, notes: &mut Notes) {
    let mut data = content(root);
    if matches!(class(root), "Analysis" | "Problem") {
        data = data.get("model").map_or(&Value::Null, content);
    }
    let mut found = Found::new();
    let graph = data.get("graph").map_or(data, content);
    for (_, _, node) in entries(graph.get("node").unwrap_or(&Value::Null)) {
        rest(&mut found, ["node", "nodes"], node, &NODE);
        mesh(&mut found, node.get("block").unwrap_or(&Value::Null));
    }
    for (_, _, element) in entries(data.get("elements").unwrap_or(&Value::Null)) {
        rest(&mut found, ["block", "blocks"], content(element), &BLOCK);
        mesh(&mut found, &content(element)["geometry"]);
    }
    for (_, _, material) in entries(data.get("materials").unwrap_or(&Value::Null)) {
        rest(&mut found, ["material", "materials"], content(material), &MATERIAL);
    }
    for (_, _, item) in entries(data).into_iter().filter(|_| data.is_array()) {
        mesh(&mut found, item);
    }
    // 2018
    for (_, _, node) in
        entries(data.get("assembly").and_then(|assembly| assembly.get("vertex")).unwrap_or(&Value::Null))
    {
        rest(&mut found, ["node", "nodes"], node, &NODE);
    }
    for (_, _, block) in entries(data.get("blocks").unwrap_or(&Value::Null)) {
        mesh(&mut found, block);
    }
    if !found.is_empty() {
        let words: Vec<String> =
            found.iter().map(|((of, key), count)| format!("{key} of {}", counted(*count, *of))).collect();
        notes.dropped(format!("attributes without effect, which an export keeps: {}", words.join(", ")));
    }
    let count = forces(graph);
    if count > 0 {
        notes.dropped(format!(
            "forces of {} in the file: they are computed anew",
            counted(count, ["contact", "contacts"])
        ));
    }
}
