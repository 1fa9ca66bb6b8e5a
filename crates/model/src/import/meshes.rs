//! OBJ, STL and PLY: every connected part becomes a block.

use std::path::Path;

use voussoir_geometry::glam::DVec3;

use super::blocks::{self, SourceSurface};
use super::units::LengthUnit;
use super::{ImportError, ImportOptions, Imported, Notes};
use crate::mesh::{Mesh, MeshError, MeshPart, read_file};

/// Reads a mesh file.
pub(super) fn import(path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
    let mesh = read_file(path).map_err(|error| refuse(path, error))?;
    scene(path, &mesh, options)
}

/// The scene of a mesh.
pub fn scene(path: &Path, mesh: &Mesh, options: &ImportOptions) -> Result<Imported, ImportError> {
    let mut notes = Notes::default();
    let pieces = pieces(path, mesh, &[], &mut notes)?;
    blocks::scene(path, pieces, options.unit.unwrap_or(LengthUnit::Metre).metres(), options, notes)
}

/// The connected parts of a mesh.
pub(super) fn pieces(
    path: &Path,
    mesh: &Mesh,
    tags: &[String],
    notes: &mut Notes,
) -> Result<Vec<SourceSurface>, ImportError> {
    let (parts, joined) = mesh.parts_joined().map_err(|error| refuse(path, error))?;
    if joined > 0 {
        notes.repaired(format!("{joined} vertices within the rounding of the file were merged with their neighbours"));
    }
    let piece = |part: MeshPart| SourceSurface {
        name: part.object.unwrap_or_default(),
        tags: tags.to_vec(),
        vertices: part.vertices.into_iter().map(DVec3::from_array).collect(),
        faces: part.faces,
    };
    Ok(parts.into_iter().map(piece).collect())
}

/// An error of a reader, with the file and the line apart.
pub(super) fn refuse(path: &Path, error: MeshError) -> ImportError {
    let help =
        "give a folder with a DATBOX (LMGC90) or a file that ends in .obj, .stl, .ply, .dxf, .msh or .json (COMPAS)";
    match error {
        MeshError::InFile { error, .. } => refuse(path, *error),
        MeshError::Line { line, message } => ImportError::new(path, line, message),
        MeshError::Unreadable { reason, .. } => ImportError::new(path, 0, format!("cannot be read: {reason}")),
        MeshError::Format { .. } => ImportError::new(path, 0, "unsupported kind of file").with_help(help),
        other => ImportError::new(path, 0, other.to_string()),
    }
}
