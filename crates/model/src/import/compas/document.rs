//! All forms of COMPAS files as one list of blocks, with their materials and one problem.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Value, json};
use voussoir_geometry::glam::DMat4;

use super::mesh::{self, CompasMesh};
use super::value::{class, content, entries, is_true, name, number, text, transformation};
use crate::import::{ImportError, Notes};

/// A block.
#[derive(Clone, Debug, PartialEq)]
pub struct CompasBlock {
    /// Number of its node in the graph, by which problems and results name it.
    pub node: u64,
    /// Name in the source; may be empty.
    pub name: String,
    /// Identifier in the source.
    pub guid: Option<String>,
    /// Surface in model coordinates.
    pub(super) mesh: CompasMesh,
    /// The reason the surface cannot be read.
    pub(super) fault: Option<String>,
    /// True for supports.
    pub support: bool,
    /// Identifier of its material.
    pub(super) material: Option<String>,
    /// Names of the groups around it, the outermost first.
    pub groups: Vec<String>,
}

/// A material.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CompasMaterial {
    /// Identifier.
    pub guid: String,
    /// Name.
    pub name: String,
    /// Density [kg/m³].
    pub density: Option<f64>,
    /// Compressive strength [Pa].
    pub strength: Option<f64>,
    /// Tensile strength [Pa].
    pub tensile: Option<f64>,
    /// Young's modulus [Pa].
    pub young: Option<f64>,
    /// Poisson's ratio.
    pub poisson: Option<f64>,
}

/// The content of a COMPAS file.
#[derive(Clone, Debug, Default)]
pub struct CompasDocument {
    /// Form of the file, in words.
    pub form: String,
    /// Identifier of the model.
    pub guid: Option<String>,
    /// Name of the model.
    pub name: Option<String>,
    /// Blocks by the numbers of their nodes.
    pub blocks: Vec<CompasBlock>,
    /// Identifiers of the problems.
    pub problem_guids: Vec<String>,
    pub(super) materials: Vec<CompasMaterial>,
    /// Content of the problems.
    pub(super) problems: Vec<Value>,
    /// Areas of the contacts in the file [m²].
    pub(super) areas: Vec<f64>,
    pub(super) notes: Notes,
}

impl CompasDocument {
    /// Reads a parsed file; `model` is the file of the model of a problem without one.
    pub fn read(path: &Path, root: &Value, model: Option<(&Path, &Value)>) -> Result<Self, ImportError> {
        let mut document = Self::default();
        document.read_root(path, root, model)?;
        if document.blocks.is_empty() {
            return Err(ImportError::new(path, 0, format!("{}: there are no blocks in it", document.form)));
        }
        document.blocks.sort_by_key(|block| block.node);
        Ok(document)
    }

    fn read_root(&mut self, path: &Path, root: &Value, model: Option<(&Path, &Value)>) -> Result<(), ImportError> {
        let data = content(root);
        match class(root) {
            "Analysis" => {
                let inner = data.get("model").filter(|model| !model.is_null());
                let inner = inner.ok_or_else(|| ImportError::new(path, 0, "Analysis: it has no model"))?;
                self.read_root(path, inner, None)?;
                let problems = data.get("problems").and_then(Value::as_array).cloned().unwrap_or_default();
                problems.iter().for_each(|problem| self.add_problem(problem));
                self.form = format!("Analysis with {} problem(s)", problems.len());
            }
            "Problem" => {
                let inner = data.get("model").filter(|model| !model.is_null());
                let (path, inner) = match (inner, model) {
                    (Some(inner), _) => (path, inner),
                    (None, Some(beside)) => beside,
                    (None, None) => {
                        return Err(ImportError::new(path, 0, "Problem: its model is not in the file")
                            .with_help("--model FILE names the file of the model"));
                    }
                };
                self.read_root(path, inner, None)?;
                self.add_problem(root);
                let id = text(data, "model_id");
                if let (Some(id), Some(guid)) = (id, &self.guid)
                    && id != guid
                {
                    return Err(ImportError::new(
                        path,
                        0,
                        format!("the problem belongs to model {id}, this is {guid}"),
                    ));
                }
                self.form = "Problem".to_owned();
            }
            _ if root.is_array() => {
                self.form = "list of meshes".to_owned();
                for (node, _, item) in entries(root) {
                    self.add_block(node, item, item, DMat4::IDENTITY);
                }
            }
            _ if data.get("elements").is_some() => self.read_model(root),
            _ if mesh::is_mesh(root) => {
                self.form = "mesh".to_owned();
                self.add_block(0, root, root, DMat4::IDENTITY);
            }
            _ if data.get("blocks").is_some() => self.read_2018(data),
            _ => self.read_assembly(path, root)?,
        }
        Ok(())
    }

    fn add_problem(&mut self, problem: &Value) {
        self.problem_guids.push(text(problem, "guid").unwrap_or_default().to_owned());
        let mut inner = content(problem).clone();
        if let (Some(map), Some(name)) = (inner.as_object_mut(), name(problem)) {
            map.entry("name").or_insert_with(|| json!(name));
            map.remove("model");
        }
        self.problems.push(inner);
    }

    /// Adds a block; `node` are the attributes of its node, `block` has the mesh.
    fn add_block(&mut self, number: u64, node: &Value, block: &Value, placed: DMat4) {
        let (mut mesh, fault) = match mesh::read(block) {
            Ok(mesh) => (mesh, None),
            Err(fault) => (CompasMesh::default(), Some(fault)),
        };
        if placed != DMat4::IDENTITY {
            mesh.vertices.iter_mut().for_each(|v| *v = placed.transform_point3(*v));
        }
        let own = name(block).filter(|name| !["Mesh", "Graph"].contains(name));
        self.blocks.push(CompasBlock {
            node: number,
            name: own.unwrap_or_default().to_owned(),
            guid: text(block, "guid").map(str::to_owned),
            mesh,
            fault,
            support: is_true(node, "is_support")
                || content(block).get("attributes").is_some_and(|a| is_true(a, "is_support")),
            material: None,
            groups: Vec::new(),
        });
    }

    /// compas_dem: elements, materials, tree of groups, graph.
    fn read_model(&mut self, root: &Value) {
        let data = content(root);
        self.form = class(root).to_owned();
        self.guid = text(root, "guid").map(str::to_owned);
        self.name = name(root).map(str::to_owned);
        for (_, key, material) in entries(data.get("materials").unwrap_or(&Value::Null)) {
            self.materials.push(read_material(key, material));
        }
        let elements: HashMap<&str, &Value> = entries(&data["elements"])
            .into_iter()
            .map(|(_, key, element)| (text(element, "guid").unwrap_or(key), element))
            .collect();
        let parents = parents(data.get("tree").unwrap_or(&Value::Null));
        let graph = content(data.get("graph").unwrap_or(&Value::Null));
        let whole = transformation(data.get("transformation")).unwrap_or(DMat4::IDENTITY);
        let nodes = entries(graph.get("node").unwrap_or(&Value::Null));
        let listed: Vec<(u64, &str)> =
            nodes.iter().filter_map(|(number, _, node)| Some((*number, text(node, "element")?))).collect();
        let listed = if listed.is_empty() {
            entries(&data["elements"])
                .iter()
                .map(|(i, key, element)| (*i, text(element, "guid").unwrap_or(*key)))
                .collect()
        } else {
            listed
        };
        for (number, guid) in listed {
            let Some(element) = elements.get(guid) else {
                self.notes.dropped(format!("node {number}: there is no element {guid}"));
                continue;
            };
            let inner = content(element);
            let Some(geometry) = inner.get("geometry").filter(|geometry| !geometry.is_null()) else { continue };
            // the transformation of the block, then those of its groups, then that of the model
            let mut placed = DMat4::IDENTITY;
            let mut groups = Vec::new();
            let mut at = Some(guid);
            while let Some(guid) = at {
                let element = elements.get(guid);
                if let Some(matrix) = element.and_then(|e| transformation(content(e).get("transformation"))) {
                    placed = matrix * placed;
                } else {
                    self.notes.dropped(format!("element {guid}: its transformation cannot be read"));
                }
                at = parents.get(guid).copied();
                groups.extend(at.and_then(|guid| name(elements.get(guid)?)).map(str::to_owned));
            }
            self.add_block(number, inner, geometry, whole * placed);
            let Some(block) = self.blocks.last_mut() else { continue };
            block.name = name(element).unwrap_or_default().to_owned();
            block.guid = Some(guid.to_owned());
            block.material = text(inner, "material").map(str::to_owned);
            groups.reverse();
            block.groups = groups;
            if !inner.get("features").and_then(Value::as_array).is_none_or(Vec::is_empty) {
                self.notes.dropped(format!("{}: features of elements", block.name));
            }
        }
        self.read_areas(graph, "contacts");
    }

    /// Areas of contacts on the edges of a graph.
    fn read_areas(&mut self, graph: &Value, key: &str) {
        for (_, _, others) in entries(graph.get("edge").unwrap_or(&Value::Null)) {
            for (_, _, edge) in entries(others) {
                let contacts = edge.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
                self.areas.extend(contacts.iter().filter_map(|contact| number(content(contact), "size")));
            }
        }
    }

    /// Assemblies of COMPAS 1 and 2, networks and graphs: blocks at the nodes.
    fn read_assembly(&mut self, path: &Path, root: &Value) -> Result<(), ImportError> {
        let data = content(root);
        let graph = data.get("graph").map_or(data, content);
        let Some(nodes) = graph.get("node").filter(|nodes| nodes.is_object()) else {
            return Err(ImportError::new(path, 0, "not a COMPAS model: no elements, graph, blocks or mesh in it")
                .with_help("write the model with compas.json_dump"));
        };
        let class = class(root);
        self.form = if class.is_empty() { "graph of COMPAS 1".to_owned() } else { class.to_owned() };
        self.guid = text(root, "guid").map(str::to_owned);
        self.name = name(root).map(str::to_owned);
        for (number, _, node) in entries(nodes) {
            match node.get("block").filter(|block| !block.is_null()) {
                Some(block) => self.add_block(number, node, block, DMat4::IDENTITY),
                None => self.notes.dropped(format!("node {number}: it has no block")),
            }
        }
        self.read_areas(graph, "interfaces");
        Ok(())
    }

    /// `{assembly, blocks}`.
    fn read_2018(&mut self, data: &Value) {
        self.form = "assembly of 2018".to_owned();
        let attributes = data.get("assembly").and_then(|assembly| assembly.get("vertex")).unwrap_or(&Value::Null);
        for (number, key, block) in entries(&data["blocks"]) {
            self.add_block(number, attributes.get(key).unwrap_or(&Value::Null), block, DMat4::IDENTITY);
        }
    }
}

fn read_material(key: &str, material: &Value) -> CompasMaterial {
    let data = content(material);
    let positive = |key: &str| number(data, key).filter(|value| *value > 0.0);
    let megapascals = |key: &str| positive(key).map(|value| value * 1e6);
    CompasMaterial {
        guid: text(material, "guid").unwrap_or(key).to_owned(),
        name: name(material).unwrap_or("stone").to_owned(),
        density: positive("density"),
        // compas_dem 0.5 wrote `fc`
        strength: megapascals("fck").or_else(|| megapascals("fc")),
        tensile: megapascals("ft"),
        young: megapascals("Ecm"),
        poisson: positive("poisson").filter(|ratio| *ratio < 0.5),
    }
}

/// The element around every element of a tree.
fn parents(tree: &Value) -> HashMap<&str, &str> {
    let mut parents = HashMap::new();
    let mut open: Vec<(&Value, Option<&str>)> =
        content(tree).get("root").map(|root| (root, None)).into_iter().collect();
    while let Some((node, parent)) = open.pop() {
        let element = text(node, "element");
        if let (Some(element), Some(parent)) = (element, parent) {
            parents.insert(element, parent);
        }
        for child in node.get("children").and_then(Value::as_array).into_iter().flatten() {
            open.push((child, element.or(parent)));
        }
    }
    parents
}

/// A model and its problem from two files as one `Analysis`; the text of the model if they cannot be combined.
pub(super) fn bundle(model: &Value, problem: &Value, text: &str) -> String {
    if class(problem) != "Problem" || class(model) != "BlockModel" {
        return text.to_owned();
    }
    let name = name(problem).unwrap_or("Analysis");
    let data = json!({ "name": name, "model": model, "problems": [problem] });
    json!({ "dtype": "compas_dem.models/Analysis", "data": data, "name": name }).to_string()
}
