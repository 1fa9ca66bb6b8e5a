//! The problems of the study: those of `VOUSSOIR_DATA/fc-problems`, and steps of our own reference scenes.

use std::path::{Path, PathBuf};

use voussoir_geometry::Space;
use voussoir_mechanics::model::{DynamicSettings, Model};
use voussoir_mechanics::stepper::Stepper;
use voussoir_model::{AnyModel, Scene, build, render};
use voussoir_problems::{About, GlobalProblem, ProblemFile, ProblemForm, fclib, read};

use crate::place::root;

/// A problem and its file.
pub struct Item {
    /// Name of the file.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
    /// Its content.
    pub file: ProblemFile,
}

/// A scene whose steps are problems: name, template, parameters, gravity, and the steps before which they are taken.
struct Source {
    name: &'static str,
    template: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    gravity: Option<&'static str>,
    steps: &'static [usize],
}

const BRICK: (&str, &str) = ("brick", "[0.5,0.25,0.25]");
const WALL: &[(&str, &str)] = &[("courses", "20"), ("bricks", "10"), BRICK, ("friction", "0.6")];
const SMALL_WALL: &[(&str, &str)] = &[("courses", "6"), ("bricks", "6"), BRICK, ("friction", "0.6")];
const LONG_WALL: &[(&str, &str)] = &[("courses", "10"), ("bricks", "20"), BRICK, ("friction", "0.6")];
const FLAT_ARCH: &[(&str, &str)] = &[("voussoirs", "27"), ("dim", "2")];

const SOURCES: &[Source] = &[
    Source { name: "stack", template: "stack", parameters: &[("count", "50")], gravity: None, steps: &[0] },
    Source { name: "arch", template: "arch", parameters: &[("voussoirs", "27")], gravity: None, steps: &[0] },
    Source { name: "arch2d", template: "arch", parameters: FLAT_ARCH, gravity: None, steps: &[0] },
    Source { name: "wall36-rest", template: "wall", parameters: SMALL_WALL, gravity: None, steps: &[0] },
    Source {
        name: "wall36-0.65g",
        template: "wall",
        parameters: SMALL_WALL,
        gravity: Some("[6.3765, 0.0, -9.81]"),
        steps: &[0, 40, 120],
    },
    Source { name: "wall210-rest", template: "wall", parameters: WALL, gravity: None, steps: &[0] },
    Source {
        name: "wall210-0.3g",
        template: "wall",
        parameters: WALL,
        gravity: Some("[2.943, 0.0, -9.81]"),
        steps: &[0],
    },
    Source {
        name: "wall210-0.9g",
        template: "wall",
        parameters: LONG_WALL,
        gravity: Some("[8.829, 0.0, -9.81]"),
        steps: &[0],
    },
    Source {
        name: "wall210-0.65g",
        template: "wall",
        parameters: LONG_WALL,
        gravity: Some("[6.3765, 0.0, -9.81]"),
        steps: &[0, 60],
    },
    Source { name: "pile", template: "pile", parameters: &[("count", "60")], gravity: None, steps: &[300, 600] },
];

/// All problems: the collection, if there is one, then ours. Ours are written to `target/solvers`.
pub fn collect() -> Result<Vec<Item>, String> {
    let mut items = Vec::new();
    if let Some(data) = std::env::var_os("VOUSSOIR_DATA") {
        let folder = Path::new(&data).join("fc-problems");
        let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
            .map_err(|e| format!("{}: {e}", folder.display()))?
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|end| end == "dat" || end == "hdf5"))
            .collect();
        paths.sort();
        for path in paths {
            items.push(item(path)?);
        }
    } else {
        println!("VOUSSOIR_DATA is not set: only our own problems");
    }
    let folder = root().join("target/solvers");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for source in SOURCES {
        for path in dump(source, &folder)? {
            items.push(item(path)?);
        }
    }
    Ok(items)
}

fn item(path: PathBuf) -> Result<Item, String> {
    let file = read(&path).map_err(|e| e.to_string())?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Item { name, path, file })
}

fn dump(source: &Source, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let text = render(source.template, source.parameters).map_err(|e| e.to_string())?;
    let text = match source.gravity {
        None => text,
        Some(gravity) => with_gravity(&text, gravity),
    };
    let scene = Scene::parse(&text, source.name).map_err(|e| e.to_string())?;
    let built = build(&scene, Path::new(".")).map_err(|e| e.to_string())?;
    let settings =
        built.stages.first().and_then(|stage| stage.dynamic()).ok_or("the template has no dynamic stage")?.clone();
    match built.model {
        AnyModel::Two(model) => steps(source, std::sync::Arc::unwrap_or_clone(model), settings, folder),
        AnyModel::Three(model) => steps(source, std::sync::Arc::unwrap_or_clone(model), settings, folder),
    }
}

/// The scene with another gravity.
fn with_gravity(text: &str, gravity: &str) -> String {
    let mut lines: Vec<String> = text.lines().filter(|line| !line.starts_with("gravity")).map(str::to_owned).collect();
    lines.insert(0, format!("gravity = {gravity}"));
    lines.join("\n")
}

/// Runs a scene and writes the problems asked for.
fn steps<S: Space>(
    source: &Source,
    model: Model<S>,
    settings: DynamicSettings,
    folder: &Path,
) -> Result<Vec<PathBuf>, String> {
    let mut stepper = Stepper::new(model, settings).map_err(|e| e.to_string())?;
    let mut paths = Vec::new();
    let mut done = 0;
    for &step in source.steps {
        while done < step {
            stepper.step().map_err(|e| e.to_string())?;
            done += 1;
        }
        let (problem, warm) = stepper.next_problem();
        let form = GlobalProblem::from_problem(&problem).map_err(|e| e.to_string())?;
        let mut file = ProblemFile::new(ProblemForm::Global(form));
        file.about = About { title: source.name.to_owned(), step: Some(step as u64), ..About::default() };
        file.guess = Some(warm);
        let path = folder.join(format!("own-{}-{step:03}.hdf5", source.name));
        fclib::write(&file, &path).map_err(|e| e.to_string())?;
        paths.push(path);
    }
    Ok(paths)
}
