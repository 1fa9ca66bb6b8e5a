//! Scene files, and the meshes and accelerograms that they refer to.
//!
//! A results folder contains the scene as it was run. To make it self-contained, meshes are copied to `meshes/`,
//! accelerograms to `records/`, and the scene refers to the copies; nothing else of its text changes.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use voussoir_model::build::bodies::expected;
use voussoir_model::place::Place;
use voussoir_model::scene::actions::Accelerogram;
use voussoir_model::scene::bodies::{BodySpec, FormSpec};
use voussoir_model::{Built, Scene, build};

use crate::error::{Result, RunError};

/// Folder of the copied meshes, in the results folder.
const MESHES: &str = "meshes";

/// Folder of the copied accelerograms, in the results folder.
const RECORDS: &str = "records";

/// Folder of the copied tables of wind and current, in the results folder.
const TABLES: &str = "tables";

/// Name of the copied COMPAS file, in the results folder.
pub const COMPAS: &str = "model.compas.json";

/// A file that a scene refers to.
struct Reference {
    /// Path, as written in the scene.
    file: String,
    /// Where it is written in the text.
    span: Range<usize>,
    /// Path of the copy, relative to the results folder.
    copy: String,
}

/// A scene that was read and built.
#[derive(Debug)]
pub struct SceneFile {
    /// The scene as written.
    pub scene: Scene,
    /// The model built from the scene.
    pub built: Built,
    /// Folder of the scene, which file names are relative to.
    base: PathBuf,
}

impl SceneFile {
    /// Reads and builds a scene.
    pub fn load(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).map_err(|source| {
            let help = Some(match source.kind() {
                std::io::ErrorKind::NotFound => "`voussoir new` writes a scene from a template",
                _ => "a scene is a text file in TOML",
            });
            RunError::Read { path: path.to_owned(), source, help }
        })?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            RunError::input(format!("{}: not valid UTF-8 text (byte {at})", path.display()))
        })?;
        Self::read(&text, &path.display().to_string(), path.parent().unwrap_or(Path::new("")))
    }

    /// Number of bodies of the scene in a file, without building it; `None` if the file is no scene.
    pub fn expected_bodies(path: &Path) -> Option<u64> {
        let text = fs::read_to_string(path).ok()?;
        let scene = Scene::parse(&text, &path.display().to_string()).ok()?;
        Some(expected(&scene))
    }

    /// The scene of a file whose only mistake is overlapping blocks, read as if overlaps were allowed.
    pub fn load_overlapping(path: &Path) -> Option<Self> {
        let text = fs::read_to_string(path).ok()?;
        let base = path.parent().unwrap_or(Path::new(""));
        let mut scene = Scene::parse(&text, &path.display().to_string()).ok()?;
        // thousands of blocks at one place would take hours to compare
        let refused = build(&scene, base).err().is_some_and(|error| error.message.contains("overlap by"));
        scene.allow_overlap = true;
        let built = build(&scene, base).ok().filter(|_| refused)?;
        Some(Self { scene, built, base: base.to_owned() })
    }

    /// Reads and builds a scene from its text; file names are relative to `base`.
    pub fn read(text: &str, name: &str, base: &Path) -> Result<Self> {
        let scene = Scene::parse(text, name)?;
        let built = build(&scene, base)?;
        Ok(Self { scene, built, base: base.to_owned() })
    }

    /// Copies meshes, accelerograms and tables into a results folder; returns the text of the scene that refers to the
    /// copies, and their names in the folder.
    pub fn keep_files(&self, dir: &Path) -> Result<(String, Vec<String>)> {
        let mut references = self.meshes();
        references.extend(self.records());
        references.extend(self.tables());
        if let Some(file) = &self.scene.compas {
            let span = Place::ROOT.key("compas").error(&self.scene.source, "").span;
            references.push(Reference { file: file.clone(), span, copy: COMPAS.to_owned() });
        }
        let mut text = self.scene.source.text.to_string();
        let mut copied = Vec::new();
        // from the end, so that earlier places stay valid
        references.sort_by_key(|reference| std::cmp::Reverse(reference.span.start));
        for Reference { file, span, copy } in references {
            copy_file(&self.base.join(file), &dir.join(&copy))?;
            text.replace_range(span, &format!("\"{copy}\""));
            copied.push(copy);
        }
        Ok((text, copied))
    }

    fn meshes(&self) -> Vec<Reference> {
        let list = Place::ROOT.key("bodies");
        let mesh = |(index, body): (usize, &BodySpec)| {
            let FormSpec::Mesh(file) = &body.form else { return None };
            let place = list.index(index);
            let span = place.key("mesh").error(&self.scene.source, "").span;
            let copy = format!("{MESHES}/{}{}", body.common.name, extension(&file.mesh));
            Some(Reference { file: file.mesh.clone(), span, copy })
        };
        let mut found: Vec<Reference> = self.scene.bodies.iter().enumerate().filter_map(mesh).collect();
        let list = Place::ROOT.key("elastic");
        for (index, keys) in self.scene.elastic.iter().enumerate() {
            let Some(file) = &keys.mesh else { continue };
            let span = list.index(index).key("mesh").error(&self.scene.source, "").span;
            let copy = format!("{MESHES}/elastic{}{}", index + 1, extension(file));
            found.push(Reference { file: file.clone(), span, copy });
        }
        found
    }

    /// Tables of wind and current.
    fn tables(&self) -> Vec<Reference> {
        let Some(environment) = &self.scene.environment else { return Vec::new() };
        let place = Place::ROOT.key("environment");
        let mut found = Vec::new();
        for (key, fields) in [("wind", &environment.wind), ("current", &environment.current)] {
            let list = place.key(key);
            for (index, field) in fields.iter().enumerate() {
                let Some(file) = &field.table else { continue };
                let place = list.index(index);
                let span = place.key("table").error(&self.scene.source, "").span;
                let copy = format!("{TABLES}/{key}{}{}", index + 1, extension(file));
                found.push(Reference { file: file.clone(), span, copy });
            }
        }
        found
    }

    fn records(&self) -> Vec<Reference> {
        let mut found = Vec::new();
        let mut add = |place: &Place<'_>, record: &Option<Accelerogram>| {
            let Some(Accelerogram { file, .. }) = record else { return };
            let table = place.key("accelerogram");
            let span = table.key("file").error(&self.scene.source, "").span;
            let copy = format!("{RECORDS}/{}{}", found.len() + 1, extension(file));
            found.push(Reference { file: file.clone(), span, copy });
        };
        let list = Place::ROOT.key("supports");
        for (index, support) in self.scene.supports.iter().enumerate() {
            let Some(motion) = &support.motion else { continue };
            let place = list.index(index);
            let place = place.key("motion");
            add(&place, &motion.accelerogram);
            let components = place.key("components");
            for (index, component) in motion.components.iter().enumerate() {
                add(&components.index(index), &component.accelerogram);
            }
        }
        found
    }
}

/// The extension of a file with its dot, or nothing.
fn extension(file: &str) -> String {
    Path::new(file).extension().map_or(String::new(), |extension| format!(".{}", extension.to_string_lossy()))
}

/// Copies a file, renamed at the end; copying a file onto itself has no effect.
fn copy_file(from: &Path, to: &Path) -> Result<()> {
    if let (Ok(a), Ok(b)) = (from.canonicalize(), to.canonicalize())
        && a == b
    {
        return Ok(());
    }
    let parent = to.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(parent).map_err(RunError::write(parent))?;
    let bytes = fs::read(from).map_err(RunError::read(from))?;
    let fresh = to.with_extension("new");
    fs::write(&fresh, bytes).and_then(|()| fs::rename(&fresh, to)).map_err(RunError::write(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
                        f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

    #[test]
    fn a_scene_with_meshes_stands_on_its_own_in_the_results_folder() {
        let folder = tempfile::tempdir().unwrap();
        let scenes = folder.path().join("scenes");
        fs::create_dir_all(&scenes).unwrap();
        fs::write(folder.path().join("cube.obj"), CUBE).unwrap();
        let text = "[materials.stone]\ndensity = 2000.0 # kg/m3\n[[joints]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\n\
                    [[bodies]]\nname = \"a\"\nmaterial = \"stone\"\nmesh = \"../cube.obj\" # a cube\n\
                    [[bodies]]\nname = \"b\"\nmaterial = \"stone\"\nmesh = '../cube.obj'\nposition = [0.0, 0.0, 1.0]\n";
        fs::write(scenes.join("s.toml"), text).unwrap();
        let scene = SceneFile::load(&scenes.join("s.toml")).unwrap();
        let out = folder.path().join("out");
        let (kept, _) = scene.keep_files(&out).unwrap();
        assert_eq!(
            kept,
            text.replacen("\"../cube.obj\"", "\"meshes/a.obj\"", 1).replacen("'../cube.obj'", "\"meshes/b.obj\"", 1)
        );
        let again = SceneFile::read(&kept, "scene.toml", &out).unwrap();
        assert_eq!(again.built.model.bodies(), 2);
        assert_eq!(again.keep_files(&out).unwrap().0, kept);
    }

    #[test]
    fn a_scene_with_accelerograms_can_be_resumed_from_the_results_folder() {
        let folder = tempfile::tempdir().unwrap();
        let scenes = folder.path().join("scenes");
        fs::create_dir(&scenes).unwrap();
        for (name, peak) in [("x.csv", 1.0), ("y.csv", 2.0)] {
            fs::write(folder.path().join(name), format!("t,a\n0,0\n0.1,{peak}\n0.2,0\n")).unwrap();
        }
        let text = "[materials.stone]\ndensity = 2000.0\n[[joints]]\nbetween = [\"stone\", \"stone\"]\nfriction = 0.6\n\
                    [[bodies]]\nname = \"g\"\nshape = \"box\"\nsize = 1.0\nmaterial = \"stone\"\n\
                    [[supports]]\nselect = \"g\"\n[supports.motion]\nquantity = \"acceleration\"\ndirection = [1, 0, 0]\n\
                    accelerogram = { unit = \"g\", file = '../x.csv' }\n[[supports.motion.components]]\n\
                    direction = [0, 1, 0]\naccelerogram = { file = \"../y.csv\", unit = \"g\" }\n\
                    [[stages]]\nanalysis = \"dynamic\"\nduration = 0.01\nstep = 1e-3\n";
        let scene = SceneFile::read(text, "s.toml", &scenes).unwrap();
        let out = folder.path().join("out");
        let (kept, _) = scene.keep_files(&out).unwrap();
        assert_eq!(kept, text.replace("'../x.csv'", "\"records/1.csv\"").replace("../y.csv", "records/2.csv"));
        // the same motion, though the original files are gone
        for name in ["x.csv", "y.csv"] {
            fs::remove_file(folder.path().join(name)).unwrap();
        }
        let again = SceneFile::read(&kept, "scene.toml", &out).unwrap();
        assert_eq!(format!("{:?}", again.built.model), format!("{:?}", scene.built.model));
    }
}
