//! Frames of a results folder in other formats, in survey coordinates.
//!
//! | module | content |
//! |---|---|
//! | [`glb`] | glTF 2.0 with animation: Blender, web viewers, office programs |
//! | [`obj`] | a sequence of OBJ files with materials |
//! | [`vtu`] | VTK XML files with an index of times, for programs that do not read VTKHDF |
//! | [`dxf`] | drawings of plane structures with contacts, thrust lines and cracks by layer |
//! | [`compas`] | models and results for compas_dem |
//! | [`csv`] | tables of bodies, interfaces, contacts and cables |
//! | [`rods`] | segments of cables as solids |

mod compas;
mod csv;
mod dxf;
mod glb;
mod obj;
mod rods;
mod vtu;

pub use compas::{CompasTarget, write_compas};
pub use csv::write_csv;
pub use dxf::write_dxf;
pub use glb::{GlbOptions, glb};
pub use obj::write_obj;
pub use vtu::write_vtu;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use voussoir_mechanics::snapshot::Snapshot;

use crate::Results;
use crate::error::ResultsError;
use crate::vector::add;

/// A snapshot with its positions in survey coordinates.
fn surveyed(results: &Results, mut snapshot: Snapshot) -> Snapshot {
    let origin = results.cast().origin;
    if origin != [0.0; 3] {
        snapshot.bodies.iter_mut().for_each(|body| body.position = add(body.position, origin));
        snapshot.contacts.iter_mut().for_each(|contact| contact.position = add(contact.position, origin));
        for point in snapshot.cables.iter_mut().flat_map(|cable| &mut cable.points) {
            *point = add(*point, origin);
        }
    }
    snapshot
}

/// Creates a folder and its parents.
fn make_folder(dir: &Path) -> Result<(), ResultsError> {
    fs::create_dir_all(dir).map_err(ResultsError::write(dir))
}

/// Writes a file in pieces; errors contain its path.
fn write_file(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<PathBuf, ResultsError> {
    let write = || {
        let mut out = BufWriter::with_capacity(1 << 16, File::create(path)?);
        fill(&mut out)?;
        out.flush()
    };
    write().map_err(ResultsError::write(path))?;
    Ok(path.to_owned())
}
