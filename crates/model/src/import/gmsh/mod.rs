//! Gmsh meshes (`.msh`), versions 2.2 and 4.1, text and binary: every volume becomes a block, its physical groups
//! become tags.
//!
//! | module | content |
//! |---|---|
//! | [`tokens`] | numbers, text or binary |
//! | [`elements`] | kinds of elements |
//! | [`read`] | the sections of a file |
//! | `volumes` | finite elements of elastic blocks |
//!
//! The surface of a block is the boundary of the elements of a volume. In a mesh of surfaces alone, volumes are known
//! from the surfaces around them (4.1); else connected surfaces make a block.

mod elements;
mod read;
mod tokens;
mod volumes;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use self::read::{File, GmshElement, GmshEntity};
pub use self::volumes::finite_meshes;
use super::blocks::{self, SourceSurface};
use super::meshes::{pieces, refuse};
use super::units::LengthUnit;
use super::{ImportError, ImportOptions, Imported, Notes};
use crate::mesh::{Mesh, read_bytes};

/// Reads a mesh of Gmsh.
pub(super) fn import(path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
    let bytes = read_bytes(path).map_err(|error| refuse(path, error))?;
    from_bytes(path, &bytes, options)
}

/// The same from memory; `path` is for messages.
pub fn from_bytes(path: &Path, bytes: &[u8], options: &ImportOptions) -> Result<Imported, ImportError> {
    let file = read::read(path, bytes)?;
    let mut notes = Notes::default();
    let pieces = surfaces(path, &file, &mut notes)?;
    for section in &file.passed {
        notes.dropped(format!("section ${section}"));
    }
    let surfaces_only = !file.elements.keys().any(|(dimension, _)| *dimension == 3);
    blocks::scene(path, pieces, options.unit.unwrap_or(LengthUnit::Metre).metres(), options, notes).map_err(|error| {
        // a face shared by two blocks occurs once in the file
        let help =
            "mesh the volumes too (in Gmsh: Mesh, 3D), or save the whole mesh in version 4.1, which contains them";
        if surfaces_only { error.with_help(help) } else { error }
    })
}

/// The surfaces of all volumes.
fn surfaces(path: &Path, file: &File, notes: &mut Notes) -> Result<Vec<SourceSurface>, ImportError> {
    let volumes: Vec<GmshEntity> = file.elements.keys().copied().filter(|(dimension, _)| *dimension == 3).collect();
    if !volumes.is_empty() {
        let mut all = Vec::new();
        for entity in volumes {
            let mesh = mesh(path, file, outside(&corners(&file.elements[&entity])))?;
            all.extend(pieces(path, &mesh, &tags(file, [entity]), notes)?);
        }
        return Ok(all);
    }
    let shell = |surface: &i64| file.elements.get(&(2, *surface));
    let volumes: Vec<_> = file.around.iter().filter(|(_, around)| around.iter().any(|s| shell(s).is_some())).collect();
    if !volumes.is_empty() {
        let mut all = Vec::new();
        for (volume, around) in volumes {
            let faces = around.iter().filter_map(shell).flat_map(|faces| corners(faces)).collect();
            let mesh = mesh(path, file, faces)?;
            all.extend(pieces(path, &mesh, &tags(file, [(3, *volume)]), notes)?);
        }
        return Ok(all);
    }
    // surfaces alone: those of one set of groups belong together
    let mut sets: BTreeMap<Vec<String>, Vec<Vec<u64>>> = BTreeMap::new();
    for (entity, faces) in &file.elements {
        sets.entry(tags(file, [*entity])).or_default().extend(corners(faces));
    }
    let mut all = Vec::new();
    for (tags, faces) in sets {
        let mesh = mesh(path, file, faces)?;
        all.extend(pieces(path, &mesh, &tags, notes)?);
    }
    Ok(all)
}

/// Corners of elements.
fn corners(elements: &[GmshElement]) -> Vec<Vec<u64>> {
    elements.iter().map(GmshElement::corners).collect()
}

/// Names of the physical groups that some entities belong to.
fn tags(file: &File, entities: impl IntoIterator<Item = GmshEntity>) -> Vec<String> {
    let mut tags = BTreeSet::new();
    for entity in entities {
        for group in file.groups.get(&entity).into_iter().flatten() {
            let name = file.names.get(&(entity.0, *group)).filter(|name| !name.is_empty());
            tags.insert(name.cloned().unwrap_or_else(|| format!("group-{group}")));
        }
    }
    tags.into_iter().collect()
}

/// The faces that belong to one volume only, in the order of the elements.
fn outside(volumes: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let faces_of = |nodes: &'_ Vec<u64>| {
        let nodes = nodes.clone();
        elements::faces(nodes.len())
            .iter()
            .map(move |face| face.iter().map(|&i| nodes[i]).collect::<Vec<u64>>())
            .collect::<Vec<_>>()
    };
    let name = |face: &[u64]| {
        let mut name = face.to_vec();
        name.sort_unstable();
        name
    };
    // version 2.2 repeats an element for each of its groups
    let mut known = BTreeSet::new();
    let once: Vec<&Vec<u64>> = volumes.iter().filter(|nodes| known.insert(name(nodes))).collect();
    let mut counts: HashMap<Vec<u64>, usize> = HashMap::new();
    for face in once.iter().flat_map(|nodes| faces_of(nodes)) {
        *counts.entry(name(&face)).or_default() += 1;
    }
    once.iter().flat_map(|nodes| faces_of(nodes)).filter(|face| counts[&name(face)] == 1).collect()
}

/// A mesh with the nodes that faces use.
fn mesh(path: &Path, file: &File, faces: Vec<Vec<u64>>) -> Result<Mesh, ImportError> {
    let fail = |message: String| ImportError::new(path, 0, message);
    let mut mesh = Mesh::default();
    let mut numbers: HashMap<u64, u32> = HashMap::new();
    let mut known = BTreeSet::new();
    for face in faces {
        let mut name = face.clone();
        name.sort_unstable();
        if !known.insert(name) {
            continue;
        }
        let mut corners = Vec::with_capacity(face.len());
        for node in face {
            let number = match numbers.get(&node) {
                Some(number) => *number,
                None => {
                    let at = file.nodes.get(&node).copied().unwrap_or_default();
                    mesh.push_vertex(at.to_array()).map_err(fail)?;
                    let number = (mesh.vertices.len() - 1) as u32;
                    numbers.insert(node, number);
                    number
                }
            };
            corners.push(number);
        }
        mesh.push_face(corners).map_err(fail)?;
    }
    Ok(mesh)
}
