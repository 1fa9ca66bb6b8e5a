//! Import of models of other programs: a readable scene, geometry files beside it, and a list of all changes.
//!
//! | module | content |
//! |---|---|
//! | [`datbox`] | LMGC90: folders `DATBOX` |
//! | [`compas`] | COMPAS: block models, assemblies and problems in JSON |
//! | [`meshes`] | OBJ, STL, PLY |
//! | [`dxf`] | drawings: 3D faces, meshes, closed polylines |
//! | [`gmsh`] | Gmsh meshes, versions 2.2 and 4.1 |
//! | [`blocks`] | surfaces of any of the last three as blocks of a scene |
//! | [`geometry`], [`mend`] | closed surfaces as OBJ, with their repairs |
//! | [`units`] | units of length |

pub mod blocks;
pub mod compas;
pub mod datbox;
pub mod dxf;
pub mod geometry;
pub mod gmsh;
mod mend;
pub mod meshes;
pub mod units;

use std::fmt;
use std::path::{Path, PathBuf};

use voussoir_geometry::glam::DVec3;

use crate::error::SceneError;
use crate::scene::Scene;
pub use units::LengthUnit;

/// Options of an import.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportOptions {
    /// Factor on all lengths, after the unit.
    pub scale: f64,
    /// Unit of the source; `None`: the unit in the source, else metres.
    pub unit: Option<LengthUnit>,
    /// Which axis of the source points upwards.
    pub up: Up,
    /// Extrusion length of closed outlines without thickness, in units of the source.
    pub extrude: Option<f64>,
    /// Read a drawing in two dimensions: closed polylines, circles and lines (DXF).
    pub planar: bool,
    /// Put a ground under the lowest point of a drawing.
    pub ground: bool,
    /// Density for sources without densities [kg/m³].
    pub density: f64,
    /// The density was chosen by the user: blocks without material beside blocks with one are accepted.
    pub density_given: bool,
    /// Friction for sources without friction coefficients.
    pub friction: f64,
    /// Time step of the stage that is written [s].
    pub step: f64,
    /// Simulated time of the stage that is written [s].
    pub duration: f64,
    /// Name for the geometry files, without folder and ending.
    pub name: String,
    /// COMPAS: blocks that are supports, as numbers of nodes or names with commas between them, or a file with their
    /// meshes.
    pub supports: Option<String>,
    /// COMPAS: file of the model of a problem.
    pub model: Option<PathBuf>,
    /// COMPAS: name of the problem of an analysis; default: the first one.
    pub problem: Option<String>,
    /// COMPAS: loads of the type "ramp" grow over the first half of the duration, instead of acting fully from the
    /// start.
    pub ramp: bool,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            scale: 1.0,
            unit: None,
            up: Up::Z,
            extrude: None,
            planar: false,
            ground: true,
            density: 2000.0,
            density_given: false,
            friction: 0.6,
            step: 1e-3,
            duration: 1.0,
            name: "imported".to_owned(),
            supports: None,
            model: None,
            problem: None,
            ramp: false,
        }
    }
}

/// The axis of a source that points upwards; in scenes it is z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// y: elevations drawn in a plane, models for pictures.
    Y,
    /// z.
    #[default]
    Z,
}

impl Up {
    /// A point of the source with z upwards.
    pub fn turn(self, v: DVec3) -> DVec3 {
        match self {
            Self::Y => DVec3::new(v.x, -v.z, v.y),
            Self::Z => v,
        }
    }
}

/// An imported model.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The scene; geometry files are named relative to it.
    pub scene: Scene,
    /// Geometry files: name, content.
    pub files: Vec<(String, String)>,
    /// Differences between source and scene: repaired, merged, dropped or changed items.
    pub notes: Vec<Note>,
}

impl Imported {
    /// Writes the geometry into a folder and overwrites existing files: for scenes that are built immediately and not
    /// kept.
    pub fn write_geometry(&self, folder: &Path) -> std::io::Result<()> {
        self.files.iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))
    }

    /// The scene as TOML, with its source and all notes as comments at the top.
    pub fn to_toml(&self, source: &str) -> Result<String, SceneError> {
        let mut text = format!("# Imported from {}.\n", source.replace(['\n', '\r'], " "));
        for note in &self.notes {
            text += &format!("# {}\n", note.to_string().replace(['\n', '\r'], " "));
        }
        Ok(text + "\n" + &self.scene.to_toml()?)
    }
}

/// A difference between the scene and the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Kind of the note.
    pub kind: NoteKind,
    /// Text of the note.
    pub text: String,
}

/// Kinds of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// An error was repaired.
    Repaired,
    /// Several items were merged.
    Merged,
    /// An item without counterpart was omitted.
    Dropped,
    /// An item has another meaning in the scene than in the source, or should be checked.
    Changed,
}

impl NoteKind {
    /// The word in lists and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Repaired => "repaired",
            Self::Merged => "merged",
            Self::Dropped => "dropped",
            Self::Changed => "changed",
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.word(), self.text)
    }
}

/// Collects notes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes(pub Vec<Note>);

impl Notes {
    pub fn repaired(&mut self, text: impl Into<String>) {
        self.push(NoteKind::Repaired, text);
    }

    pub fn merged(&mut self, text: impl Into<String>) {
        self.push(NoteKind::Merged, text);
    }

    pub fn dropped(&mut self, text: impl Into<String>) {
        self.push(NoteKind::Dropped, text);
    }

    pub fn changed(&mut self, text: impl Into<String>) {
        self.push(NoteKind::Changed, text);
    }

    fn push(&mut self, kind: NoteKind, text: impl Into<String>) {
        let note = Note { kind, text: text.into() };
        if !self.0.contains(&note) {
            self.0.push(note);
        }
    }
}

/// A source that cannot become a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportError {
    /// The file with the error.
    pub file: PathBuf,
    /// Line, from 1; 0 when the file as a whole is meant.
    pub line: usize,
    /// Description of the error.
    pub message: String,
    /// Advice: what would be right.
    pub help: Option<String>,
}

impl ImportError {
    /// An error about a file.
    pub fn new(file: &Path, line: usize, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, message: message.into(), help: None }
    }

    /// Adds advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if self.line > 0 {
            write!(f, ", line {}", self.line)?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for ImportError {}

/// Reads a source: a folder is an LMGC90 model, files are distinguished by their extension.
pub fn import(path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
    if path.is_dir() {
        return datbox::import(path, options);
    }
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
    match extension.as_str() {
        "dxf" => dxf::import(path, options),
        "json" => compas::import(path, options),
        "msh" => gmsh::import(path, options),
        _ => meshes::import(path, options),
    }
}
