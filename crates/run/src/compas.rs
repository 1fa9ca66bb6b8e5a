//! Results of a folder for COMPAS: the model under the names and identifiers of its source, and `Results`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use voussoir_model::import::compas::{CompasDocument, names};
use voussoir_results::export::{CompasTarget, write_compas};
use voussoir_results::{Results, SCENE_FILE, check_files};

use crate::error::{Result, RunError};
use crate::scene_file::SceneFile;
use crate::statics::files::read_contacts;

/// Files with answers, in order of precedence, and the keys that go into the metadata of `Results`.
const ANSWERS: [(&str, &[&str]); 2] = [
    ("stand.json", &["verdict", "stands", "margin", "geometric_margin", "friction_margin", "residual", "imbalance"]),
    ("summary.json", &["outcome", "converged_steps", "steps", "max_residual"]),
];

/// Writes `model.json` and `results.json` of a frame into a folder.
pub fn export(results: &Results, frame: usize, dir: &Path) -> Result<Vec<PathBuf>> {
    if results.cast().dimension != 3 {
        return Err(RunError::input("COMPAS models are three-dimensional, these results are plane"));
    }
    check_files(results.dir()).map_err(RunError::Folder)?;
    let file = SceneFile::load(&results.dir().join(SCENE_FILE))?;
    let scene = &file.scene;
    let mut target = match &scene.compas {
        Some(name) => imported(results, &results.dir().join(name), scene.compas_problem.as_ref())?,
        None => {
            let density = |name: &String| scene.materials.get(name).map_or(0.0, |material| material.density);
            let densities = results.cast().materials.iter().map(density).collect();
            CompasTarget::made(results, &scene.source.text, densities)
        }
    };
    target.metadata = metadata(results.dir());
    if results.frames() == 1 {
        target.contacts = read_contacts(results.dir());
    }
    write_compas(results, frame, &target, dir).map_err(RunError::Folder)
}

/// The target of a scene that came from a COMPAS file; `problem` is the identifier of one of several problems in it.
fn imported(results: &Results, path: &Path, problem: Option<&String>) -> Result<CompasTarget> {
    let text = fs::read_to_string(path).map_err(RunError::read(path))?;
    let root: Value =
        serde_json::from_str(&text).map_err(|error| RunError::input(format!("{}: {error}", path.display())))?;
    let document = CompasDocument::read(path, &root, None).map_err(|error| RunError::input(error.to_string()))?;
    let names = names(&document.blocks);
    let node = |name: &String| names.iter().position(|own| own == name).map(|i| document.blocks[i].node);
    let nodes = results.cast().bodies.iter().map(|body| node(&body.name)).collect();
    Ok(CompasTarget {
        source: Some(text),
        model: document.guid.unwrap_or_default(),
        problem: problem.or(document.problem_guids.first()).cloned().unwrap_or_default(),
        nodes,
        ..CompasTarget::default()
    })
}

/// Verdicts and measures of the answers in a folder.
fn metadata(dir: &Path) -> Map<String, Value> {
    let mut found = Map::new();
    for (name, keys) in ANSWERS {
        let Ok(text) = fs::read_to_string(dir.join(name)) else { continue };
        let Ok(Value::Object(answer)) = serde_json::from_str::<Value>(&text) else { continue };
        found.extend(answer.into_iter().filter(|(key, _)| keys.contains(&key.as_str())));
        // the summary of a folder with a verdict has no steps
        break;
    }
    found
}
