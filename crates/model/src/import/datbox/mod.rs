//! LMGC90: rigid models in 2D and 3D from a folder `DATBOX`.
//!
//! | file | module | data used |
//! |---|---|---|
//! | `BODIES.DAT` | [`bodies`] | bodies, their contactors, masses |
//! | `DOF.INI` | [`dofs`] | displacements, frames, velocities at the start |
//! | `DRV_DOF.DAT` | [`driven`] | driven degrees of freedom: supports and loads |
//! | `BULK_BEHAV.DAT`, `TACT_BEHAV.DAT` | [`laws`] | gravity, densities; contact laws, see tables |
//!
//! [`columns`] reads the fixed columns that all of them have; [`assemble`] makes the scene, with [`shapes`] for the
//! bodies, [`joints`] for the see tables and [`actions`] for supports and loads. `Vloc_Rloc.INI`, a first guess of
//! the reactions, is not needed.

pub mod actions;
pub mod assemble;
pub mod bodies;
pub mod columns;
pub mod dofs;
pub mod driven;
pub mod joints;
pub mod laws;
pub mod shapes;

use std::path::{Path, PathBuf};

use super::{ImportError, ImportOptions, Imported, Notes};
use columns::DatboxTable;

/// Longest file that is read [bytes].
const LONGEST_FILE: u64 = 1 << 30;

/// Reads a folder: the `DATBOX` itself, or its parent folder.
pub fn import(path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
    let folder = if path.join("BODIES.DAT").is_file() { path.to_owned() } else { path.join("DATBOX") };
    if !folder.join("BODIES.DAT").is_file() {
        return Err(ImportError::new(path, 0, "the folder has neither BODIES.DAT nor DATBOX/BODIES.DAT")
            .with_help("give the folder of an LMGC90 model"));
    }
    let text = |name: &str| read(&folder.join(name));
    let mut notes = Notes::default();
    let tables = Tables {
        bodies: DatboxTable::new(folder.join("BODIES.DAT"), &text("BODIES.DAT")?, &mut notes),
        dofs: optional(&folder, "DOF.INI")?.map(|text| DatboxTable::new(folder.join("DOF.INI"), &text, &mut notes)),
        driven: optional(&folder, "DRV_DOF.DAT")?
            .map(|text| DatboxTable::new(folder.join("DRV_DOF.DAT"), &text, &mut notes)),
        bulk: DatboxTable::new(folder.join("BULK_BEHAV.DAT"), &text("BULK_BEHAV.DAT")?, &mut notes),
        contact: DatboxTable::new(folder.join("TACT_BEHAV.DAT"), &text("TACT_BEHAV.DAT")?, &mut notes),
    };
    read_tables(&tables, &|name| read(&folder.join(name)), options, notes)
}

/// The files of a model.
pub struct Tables {
    /// `BODIES.DAT`.
    pub bodies: DatboxTable,
    /// `DOF.INI`.
    pub dofs: Option<DatboxTable>,
    /// `DRV_DOF.DAT`.
    pub driven: Option<DatboxTable>,
    /// `BULK_BEHAV.DAT`.
    pub bulk: DatboxTable,
    /// `TACT_BEHAV.DAT`.
    pub contact: DatboxTable,
}

/// The same from memory, for tests: names and contents of the files.
pub fn import_files(files: &[(&str, &[u8])], options: &ImportOptions) -> Result<Imported, ImportError> {
    let find = |name: &str| files.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes);
    let missing = |name: &str| ImportError::new(Path::new(name), 0, "the file is missing");
    let mut notes = Notes::default();
    let mut table = |name: &str| find(name).map(|bytes| DatboxTable::new(PathBuf::from(name), bytes, &mut notes));
    let tables = Tables {
        bodies: table("BODIES.DAT").ok_or_else(|| missing("BODIES.DAT"))?,
        dofs: table("DOF.INI"),
        driven: table("DRV_DOF.DAT"),
        bulk: table("BULK_BEHAV.DAT").ok_or_else(|| missing("BULK_BEHAV.DAT"))?,
        contact: table("TACT_BEHAV.DAT").ok_or_else(|| missing("TACT_BEHAV.DAT"))?,
    };
    let evolution = |name: &str| find(name).map(<[u8]>::to_vec).ok_or_else(|| missing(name));
    read_tables(&tables, &evolution, options, notes)
}

/// Reads a file with a function of time by its name.
type ReadFile<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, ImportError>;

fn read_tables(
    tables: &Tables,
    evolution: ReadFile<'_>,
    options: &ImportOptions,
    mut notes: Notes,
) -> Result<Imported, ImportError> {
    let (bodies, dimension) = bodies::read(&tables.bodies, &mut notes)?;
    let starts = match &tables.dofs {
        Some(table) => dofs::read(table, dimension, bodies.len())?,
        None => Default::default(),
    };
    let driven = match &tables.driven {
        Some(table) => driven::read(table, dimension, bodies.len(), evolution)?,
        None => Vec::new(),
    };
    let bulk = laws::read_bulk(&tables.bulk, &mut notes)?;
    let contact = laws::read_contact(&tables.contact, &mut notes)?;
    let source = assemble::Source { tables, dimension, bodies, starts, driven, bulk, contact };
    assemble::scene(&source, options, notes)
}

fn read(path: &Path) -> Result<Vec<u8>, ImportError> {
    let fail = |reason: String| ImportError::new(path, 0, format!("cannot be read: {reason}"));
    let length = std::fs::metadata(path).map_err(|error| fail(error.to_string()))?.len();
    if length > LONGEST_FILE {
        return Err(fail(format!("the file has {length} bytes, more than {LONGEST_FILE}")));
    }
    std::fs::read(path).map_err(|error| fail(error.to_string()))
}

/// An optional file.
fn optional(folder: &Path, name: &str) -> Result<Option<Vec<u8>>, ImportError> {
    let path = folder.join(name);
    if path.exists() { read(&path).map(Some) } else { Ok(None) }
}
