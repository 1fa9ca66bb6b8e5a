//! `voussoir import`: import models of other programs as scenes.

use std::path::{Path, PathBuf};

use serde::Serialize;
use voussoir_model::import::{self, ImportError, ImportOptions, LengthUnit, Up};

use super::write_new;
use crate::exit::Exit;
use crate::failure::{CommandResult, Failure};
use crate::terminal::Terminal;
use voussoir_run::SceneFile;

/// Arguments of `voussoir import`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  voussoir import vault.obj -o vault.toml --unit mm --up y
  voussoir import elevation.dxf -o wall.toml --extrude 0.4 --up y
  voussoir import section.dxf -o bridge.toml --dim 2
  voussoir import blocks.msh -o blocks.toml
  voussoir import analysis.json -o vault.toml
  voussoir import assembly.json -o wall.toml --supports 0,4 --friction 0.7
  voussoir import Aqueduc_PR/DATBOX -o aqueduct.toml --step 1e-4 --duration 0.024")]
pub struct ImportArguments {
    /// Model to import: OBJ, STL, PLY, DXF (text), Gmsh mesh (.msh, versions 2.2 and 4.1), COMPAS (.json), or a folder with
    /// a DATBOX (LMGC90)
    pub source: PathBuf,
    /// Scene to write; its geometry is written beside it
    #[arg(short, long, value_name = "SCENE")]
    pub output: PathBuf,
    /// Unit of the source: m, dm, cm, mm, km, in, ft, yd; default: the unit in a DXF file, else m
    #[arg(long, value_name = "UNIT")]
    pub unit: Option<LengthUnit>,
    /// Factor on all lengths, after the unit
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, allow_negative_numbers = true)]
    pub scale: f64,
    /// Vertical axis of the source: y or z
    #[arg(long, value_name = "AXIS", default_value = "z", value_parser = up)]
    pub up: Up,
    /// Extrude closed outlines without thickness (DXF) by this length, in units of the source
    #[arg(long, value_name = "LENGTH")]
    pub extrude: Option<f64>,
    /// Dimension of the scene of a DXF drawing: 2 reads closed polylines as blocks, circles as discs and lines as supports;
    /// layers become materials
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=3))]
    pub dim: u8,
    /// Add no ground plane under the lowest point
    #[arg(long)]
    pub no_ground: bool,
    /// Density of blocks that have none in the source [kg/m³] [default: 2000]
    #[arg(long, value_name = "DENSITY")]
    pub density: Option<f64>,
    /// Coefficient of friction of joints that have none in the source
    #[arg(long, value_name = "MU", default_value_t = 0.6)]
    pub friction: f64,
    /// COMPAS: blocks that are supports, as numbers of nodes or names separated by commas, or a JSON file with their meshes
    #[arg(long, value_name = "BLOCKS")]
    pub supports: Option<String>,
    /// COMPAS: file of the model of a problem
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// COMPAS: name of the problem of an analysis [default: the first one]
    #[arg(long, value_name = "NAME")]
    pub problem: Option<String>,
    /// COMPAS: loads with loading_type "ramp" grow over the first half of --duration; default: they act fully from the start
    #[arg(long)]
    pub ramp: bool,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
    /// Time step of the scene's stage [s]
    #[arg(long, value_name = "SECONDS", default_value_t = 1e-3)]
    pub step: f64,
    /// Simulated time of the scene's stage [s]
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    pub duration: f64,
    /// Print the result as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

/// Result of an import; the keys of its JSON.
#[derive(Debug, Serialize)]
struct Answer {
    /// The scene that was written.
    scene: String,
    /// Its geometry files.
    files: Vec<String>,
    /// 2 or 3.
    dimension: usize,
    /// Bodies of the model, supports included.
    bodies: usize,
    /// Differences between the scene and the source.
    notes: Vec<NoteOut>,
    /// Warnings about the scene.
    warnings: Vec<String>,
}

/// One note.
#[derive(Debug, Serialize)]
struct NoteOut {
    /// repaired, merged, dropped or changed.
    kind: &'static str,
    text: String,
}

impl ImportArguments {
    /// Reads the source, writes the scene and its geometry, and builds it once.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let options = self.options()?;
        let mut imported = import::import(&self.source, &options)?;
        imported.scene.title = self.stem();
        let source = self.source.display().to_string();
        let text = imported.to_toml(&source)?;
        let folder = self.output.parent().unwrap_or(Path::new(""));
        for (name, content) in &imported.files {
            self.write(&folder.join(name), content)?;
        }
        self.write(&self.output, &text)?;
        // build the scene once, so that errors are reported now and not by the first run
        let scene = SceneFile::load(&self.output)?;
        let answer = Answer {
            scene: self.output.display().to_string(),
            files: imported.files.iter().map(|(name, _)| folder.join(name).display().to_string()).collect(),
            dimension: scene.built.model.dimension(),
            bodies: scene.built.model.bodies(),
            notes: imported.notes.iter().map(|n| NoteOut { kind: n.kind.word(), text: n.text.clone() }).collect(),
            warnings: scene.built.warnings.clone(),
        };
        if self.json {
            terminal.answer_json(&answer)?;
        } else {
            terminal.answer(&answer.text())?;
        }
        Ok(Exit::Computed)
    }

    fn options(&self) -> CommandResult<ImportOptions> {
        let numbers = [
            ("--step", self.step, "seconds"),
            ("--duration", self.duration, "seconds"),
            ("--scale", self.scale, "metres per unit"),
            ("--density", self.density.unwrap_or(2000.0), "kg/m³"),
            ("--extrude", self.extrude.unwrap_or(1.0), "units of the source"),
        ];
        for (name, value, what) in numbers {
            if !(value > 0.0 && value.is_finite()) {
                return Err(Failure::bad_input(format!("{name} is {value}: a positive number of {what} is needed")));
            }
        }
        if !(self.friction >= 0.0 && self.friction.is_finite()) {
            return Err(Failure::bad_input(format!("--friction is {}: zero or more is needed", self.friction)));
        }
        let mut name = self.stem();
        // the geometry gets another name if it would overwrite the source
        if self.is_source(&self.output.with_file_name(format!("{name}.obj"))) {
            name += "-blocks";
        }
        Ok(ImportOptions {
            scale: self.scale,
            unit: self.unit,
            up: self.up,
            extrude: self.extrude,
            planar: self.dim == 2,
            ground: !self.no_ground,
            density: self.density.unwrap_or(2000.0),
            density_given: self.density.is_some(),
            friction: self.friction,
            step: self.step,
            duration: self.duration,
            name,
            supports: self.supports.clone(),
            model: self.model.clone(),
            problem: self.problem.clone(),
            ramp: self.ramp,
        })
    }

    /// Name of the scene, without folder and ending.
    fn stem(&self) -> String {
        self.output.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// True if the path is the source.
    fn is_source(&self, path: &Path) -> bool {
        match (path.canonicalize(), self.source.canonicalize()) {
            (Ok(path), Ok(source)) => path == source,
            _ => false,
        }
    }

    fn write(&self, path: &Path, text: &str) -> CommandResult<()> {
        if self.is_source(path) {
            return Err(Failure::bad_input(format!("{} is the source and is not overwritten", path.display()))
                .with_help("give another file with -o"));
        }
        write_new(path, text, self.force)
    }
}

/// Reads an axis.
fn up(text: &str) -> std::result::Result<Up, String> {
    match text {
        "y" => Ok(Up::Y),
        "z" => Ok(Up::Z),
        _ => Err(format!("`{text}` cannot be the vertical axis; write y or z")),
    }
}

impl Answer {
    /// The result as text.
    fn text(&self) -> String {
        let mut text = format!("wrote {} ({}D, {} bodies)", self.scene, self.dimension, self.bodies);
        for file in &self.files {
            text += &format!("\n  geometry     {file}");
        }
        for note in &self.notes {
            text += &format!("\n  {:<12} {}", note.kind, note.text);
        }
        for warning in &self.warnings {
            text += &format!("\n  {:<12} {warning}", "warning");
        }
        text + &format!("\nnext: voussoir check {0}, voussoir run {0}", self.scene)
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        Self { help: error.help.clone(), ..Self::bad_input(error.to_string()) }
    }
}
