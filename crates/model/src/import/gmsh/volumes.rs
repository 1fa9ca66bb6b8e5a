//! Finite elements of elastic blocks from a mesh of Gmsh: one mesh per volume (in 2D: per surface).

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use voussoir_mechanics::elastic::{ElementKind, FiniteElement, FiniteMesh};

use super::read::{GmshElement, read};
use crate::import::ImportError;
use crate::import::meshes::refuse;
use crate::mesh::read_bytes;

/// The element of a type of Gmsh; the points of both are in the same order.
fn element_kind(number: i64) -> Option<ElementKind> {
    Some(match number {
        2 => ElementKind::Triangle3,
        9 => ElementKind::Triangle6,
        3 => ElementKind::Quad4,
        16 => ElementKind::Quad8,
        4 => ElementKind::Tetra4,
        11 => ElementKind::Tetra10,
        5 => ElementKind::Hexa8,
        17 => ElementKind::Hexa20,
        _ => return None,
    })
}

/// Reads the meshes of all volumes (`dim` 3) or surfaces (`dim` 2) of a file, in its coordinates.
pub fn finite_meshes(path: &Path, dim: usize) -> Result<Vec<FiniteMesh<3>>, ImportError> {
    let bytes = read_bytes(path).map_err(|error| refuse(path, error))?;
    let file = read(path, &bytes)?;
    let mut meshes = Vec::new();
    for ((_, tag), elements) in file.elements.iter().filter(|((dimension, _), _)| usize::from(*dimension) == dim) {
        let mut mesh = FiniteMesh { points: Vec::new(), elements: Vec::new() };
        let mut numbers: HashMap<u64, u32> = HashMap::new();
        let mut known = BTreeSet::new();
        for GmshElement { number, nodes, .. } in elements {
            let Some(kind) = element_kind(*number) else {
                let message = format!("entity {tag}: elements of type {number} cannot be elastic");
                return Err(ImportError::new(path, 0, message).with_help(
                    "elastic blocks have triangles (3, 6 points), quadrilaterals (4, 8), tetrahedra (4, 10) or hexahedra (8, 20)",
                ));
            };
            // version 2.2 repeats an element for each of its groups
            if !known.insert(nodes) {
                continue;
            }
            let mut points = Vec::with_capacity(nodes.len());
            for node in nodes {
                let next = mesh.points.len() as u32;
                let point = *numbers.entry(*node).or_insert(next);
                if point == next {
                    mesh.points.push(file.nodes.get(node).copied().unwrap_or_default().to_array());
                }
                points.push(point);
            }
            mesh.elements.push(FiniteElement { kind, points });
        }
        meshes.push(mesh);
    }
    if meshes.is_empty() {
        let what = if dim == 3 { "volumes" } else { "surfaces" };
        return Err(ImportError::new(path, 0, format!("the file has no elements in {what}"))
            .with_help(format!("mesh the {what} too (in Gmsh: Mesh, {dim}D)")));
    }
    Ok(meshes)
}
