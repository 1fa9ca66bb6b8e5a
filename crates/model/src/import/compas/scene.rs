//! The scene of a COMPAS file: one body per block, with the name, material and groups of the block.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;
use voussoir_geometry::D3;
use voussoir_geometry::glam::DVec3;

use super::document::CompasDocument;
use super::problem::{self, Actions};
use super::value::entries;
use super::{mesh, names};
use crate::build::survey;
use crate::import::geometry::{self, Repairs};
use crate::import::mend::mend;
use crate::import::{ImportError, ImportOptions, Imported, Notes};
use crate::scene::actions::{Select, Selection, Support};
use crate::scene::bodies::{BodyKeys, BodySpec, FormSpec, Ground, PolyhedronSpec, ShapeSpec};
use crate::scene::numbers::Numbers;
use crate::scene::stages::StageSpec;
use crate::scene::{JointSpec, MaterialSpec, Scene};

/// Material of blocks without one.
const STONE: &str = "stone";

/// Writes the scene; `kept` is the text of the source, `supports` a list of meshes of supports.
pub(super) fn scene(
    path: &Path,
    mut document: CompasDocument,
    kept: String,
    supports: Option<&Value>,
    options: &ImportOptions,
) -> Result<Imported, ImportError> {
    let mut notes = std::mem::take(&mut document.notes);
    let list = names(&document.blocks);
    choose_supports(path, &mut document, &list, supports, options, &mut notes)?;
    let materials = materials(path, &document, &list, options, &mut notes)?;
    let (bodies, lowest) = bodies(path, &document, &list, &materials.1, options, &mut notes)?;
    let chosen = choose_problem(path, &document, options, &mut notes)?;
    let actions = match chosen {
        Some(chosen) => problem::actions(&document, &document.problems[chosen], &list, options, &mut notes),
        None => Actions::default(),
    };
    let joint = actions.joint.unwrap_or_else(|| {
        notes.changed(format!("the source has no contact law; friction {} is assumed", options.friction));
        JointSpec::coulomb(["*".to_owned(), "*".to_owned()], options.friction)
    });
    let mut scene = Scene {
        title: options.name.clone(),
        gravity: actions.gravity,
        allow_overlap: true,
        compas: Some(format!("{}.compas.json", options.name)),
        compas_problem: chosen.filter(|_| document.problems.len() > 1).map(|i| document.problem_guids[i].clone()),
        materials: materials.0,
        joints: vec![joint],
        bodies,
        loads: actions.loads,
        stages: vec![StageSpec::dynamic(options.duration, options.step)],
        ..Scene::default()
    };
    let mut fixed = Vec::new();
    for (i, block) in document.blocks.iter().enumerate() {
        let named = Select::Named(list[i].clone());
        match actions.motions.get(&i) {
            Some(motion) => {
                if !block.support {
                    notes.changed(format!("{}: a prescribed displacement makes it a support", list[i]));
                }
                let mut motion = motion.clone();
                if motion.axis.is_some() {
                    motion.pivot = Some(centroid(&scene.bodies, &list[i]).to_array().to_vec());
                }
                scene.supports.push(Support { select: Selection::One(named), motion: Some(motion) });
            }
            None if block.support => fixed.push(named),
            None => {}
        }
    }
    if !actions.motions.is_empty() {
        notes.changed(format!("prescribed displacements grow over the first {} s of a run", 0.5 * options.duration));
    }
    if !fixed.is_empty() {
        scene.supports.insert(0, Support { select: Selection::Many(fixed), motion: None });
    }
    if scene.supports.is_empty() && options.ground {
        notes.changed(format!(
            "the source has no supports: a ground plane was added at z = {lowest} m; --supports names blocks that are held"
        ));
        let common = BodyKeys {
            name: "ground".to_owned(),
            material: scene.bodies[0].common.material.clone(),
            position: (lowest != 0.0).then(|| vec![0.0, 0.0, lowest]),
            ..BodyKeys::default()
        };
        scene.bodies.push(BodySpec { common, form: FormSpec::Shaped(ShapeSpec::Ground(Ground {})) });
    }
    notes.changed(format!(
        "form of the source: {}; allow_overlap = true accepts blocks that overlap by more than 1e-3 of their size",
        document.form
    ));
    let files = vec![(format!("{}.compas.json", options.name), kept)];
    Ok(Imported { scene, files, notes: notes.0 })
}

/// Marks blocks as supports by numbers of nodes, names, or a list of meshes that begin with the same corner.
fn choose_supports(
    path: &Path,
    document: &mut CompasDocument,
    list: &[String],
    meshes: Option<&Value>,
    options: &ImportOptions,
    notes: &mut Notes,
) -> Result<(), ImportError> {
    if let Some(meshes) = meshes {
        for (index, (_, _, item)) in entries(meshes).into_iter().enumerate() {
            let surface =
                mesh::read(item).map_err(|reason| ImportError::new(path, 0, format!("supports: {reason}")))?;
            match document.blocks.iter_mut().find(|block| block.mesh.vertices == surface.vertices) {
                Some(block) => block.support = true,
                None => {
                    let node = document.blocks.iter().map(|block| block.node).max().unwrap_or(0) + 1;
                    notes.dropped(format!(
                        "supports: mesh {} is none of the blocks (node {node} was not added)",
                        index + 1
                    ));
                }
            }
        }
        return Ok(());
    }
    for word in options.supports.iter().flat_map(|list| list.split(',')).map(str::trim).filter(|word| !word.is_empty())
    {
        let number = word.parse::<u64>().ok();
        let found = (0..list.len()).find(|&i| list[i] == word || number == Some(document.blocks[i].node));
        match found {
            Some(i) => document.blocks[i].support = true,
            None => {
                let known: Vec<&str> = list.iter().map(String::as_str).collect();
                return Err(ImportError::new(path, 0, format!("--supports: there is no block \"{word}\""))
                    .with_help(crate::suggest::help("blocks", word, &known)));
            }
        }
    }
    Ok(())
}

/// Place of the problem in the list.
fn choose_problem(
    path: &Path,
    document: &CompasDocument,
    options: &ImportOptions,
    notes: &mut Notes,
) -> Result<Option<usize>, ImportError> {
    fn name(problem: &Value) -> &str {
        problem.get("name").and_then(Value::as_str).unwrap_or("")
    }
    if let Some(wanted) = &options.problem {
        let found = document.problems.iter().position(|problem| name(problem) == wanted);
        let known: Vec<&str> = document.problems.iter().map(name).collect();
        return found.map(Some).ok_or_else(|| {
            ImportError::new(path, 0, format!("there is no problem \"{wanted}\""))
                .with_help(format!("problems of the file: {}", known.join(", ")))
        });
    }
    if document.problems.len() > 1 {
        let rest: Vec<&str> = document.problems[1..].iter().map(name).collect();
        notes.dropped(format!(
            "problems {}: only the first one is used; --problem NAME chooses another",
            rest.join(", ")
        ));
    }
    Ok((!document.problems.is_empty()).then_some(0))
}

/// Materials of the scene, and the name of the material of every block.
fn materials(
    path: &Path,
    document: &CompasDocument,
    list: &[String],
    options: &ImportOptions,
    notes: &mut Notes,
) -> Result<(BTreeMap<String, MaterialSpec>, Vec<String>), ImportError> {
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    let mut specs = BTreeMap::new();
    for material in &document.materials {
        let mut name: String =
            material.name.chars().map(|c| if c.is_alphanumeric() || "-_".contains(c) { c } else { '_' }).collect();
        while specs.contains_key(&name) {
            name.push('_');
        }
        let density = material.density.unwrap_or_else(|| {
            notes.changed(format!("material {name} has no density; {} kg/m³ is assumed", options.density));
            options.density
        });
        let spec = MaterialSpec {
            compressive_strength: material.strength,
            tensile_strength: material.tensile,
            young_modulus: material.young,
            poisson_ratio: material.young.and(material.poisson),
            ..MaterialSpec::of_density(density)
        };
        specs.insert(name.clone(), spec);
        names.insert(&material.guid, name);
    }
    let of_block: Vec<Option<&String>> =
        document.blocks.iter().map(|block| names.get(block.material.as_deref()?)).collect();
    let without =
        || of_block.iter().zip(list).filter(|(material, _)| material.is_none()).map(|(_, name)| name.as_str());
    let count = without().count();
    if count > 0 {
        let some = !document.materials.is_empty() && count < document.blocks.len();
        if some && !options.density_given {
            let text =
                format!("{count} block(s) have no material: {}", without().take(5).collect::<Vec<_>>().join(", "));
            return Err(ImportError::new(path, 0, text).with_help("--density gives blocks without material a density"));
        }
        let which = if some { format!("{count} block(s) have") } else { "the source has".to_owned() };
        notes.changed(format!("{which} no material; density {} kg/m³ is assumed", options.density));
        let mut name = STONE.to_owned();
        while specs.contains_key(&name) {
            name.push('_');
        }
        specs.insert(name.clone(), MaterialSpec::of_density(options.density));
        let all: Vec<String> =
            of_block.iter().map(|material| material.map_or_else(|| name.clone(), |name| (*name).clone())).collect();
        return Ok((used(specs, &all), all));
    }
    let all: Vec<String> = of_block.into_iter().flatten().cloned().collect();
    Ok((used(specs, &all), all))
}

/// Removes materials that no block has.
fn used(mut specs: BTreeMap<String, MaterialSpec>, names: &[String]) -> BTreeMap<String, MaterialSpec> {
    let names: BTreeSet<&String> = names.iter().collect();
    specs.retain(|name, _| names.contains(name));
    specs
}

/// Bodies, and the height of the lowest corner [m].
fn bodies(
    path: &Path,
    document: &CompasDocument,
    list: &[String],
    materials: &[String],
    options: &ImportOptions,
    notes: &mut Notes,
) -> Result<(Vec<BodySpec>, f64), ImportError> {
    let scale = options.unit.map_or(1.0, |unit| unit.metres()) * options.scale;
    let mut repairs = Repairs::default();
    let (mut bodies, mut lowest) = (Vec::with_capacity(list.len()), f64::INFINITY);
    for ((block, name), material) in document.blocks.iter().zip(list).zip(materials) {
        let refuse = |reason: String| {
            ImportError::new(path, 0, format!("block {name} (node {}): {reason}", block.node))
                .with_help("close the surface of the block")
        };
        if let Some(fault) = &block.fault {
            return Err(refuse(fault.clone()));
        }
        let vertices: Vec<DVec3> = block.mesh.vertices.iter().map(|v| options.up.turn(*v) * scale).collect();
        let origin = vertices.first().map_or(DVec3::ZERO, |v| survey::anchor::<D3>(&v.to_array()).with_z(0.0));
        let faces = block.mesh.faces.iter().map(|(_, face)| face.clone()).collect();
        let (vertices, faces) = mend(name, vertices.iter().map(|v| *v - origin).collect(), faces, &mut repairs);
        let sound = geometry::block(name.clone(), vertices, faces, &mut repairs).map_err(|e| refuse(e.to_string()))?;
        lowest = sound.vertices.iter().map(|v| v.z).fold(lowest, f64::min);
        let common = BodyKeys {
            name: name.clone(),
            material: material.clone(),
            tags: block.groups.clone(),
            position: (origin != DVec3::ZERO).then(|| origin.to_array().to_vec()),
            ..BodyKeys::default()
        };
        let vertices = sound.vertices.iter().map(|v| Numbers(v.to_array())).collect();
        let shape = ShapeSpec::Polyhedron(PolyhedronSpec { vertices, faces: Some(sound.faces) });
        bodies.push(BodySpec { common, form: FormSpec::Shaped(shape) });
    }
    repairs.tell(notes);
    Ok((bodies, lowest))
}

/// Centroid of a body of the scene.
fn centroid(bodies: &[BodySpec], name: &str) -> DVec3 {
    use voussoir_geometry::{Shape3, Solid};
    let Some(body) = bodies.iter().find(|body| body.common.name == name) else { return DVec3::ZERO };
    let FormSpec::Shaped(ShapeSpec::Polyhedron(shape)) = &body.form else { return DVec3::ZERO };
    let points: Vec<DVec3> = shape.vertices.iter().map(|v| DVec3::from_array(v.0)).collect();
    let faces = shape.faces.clone().unwrap_or_default();
    let solid = Shape3::solid(&points, &faces).ok();
    let centre = solid.and_then(|solid| solid.shape.mass_properties()).map(|mass| mass.centroid);
    let origin = body.common.position.as_ref().map_or(DVec3::ZERO, |p| DVec3::from_slice(p));
    centre.map_or(DVec3::ZERO, |centre| centre + origin)
}
