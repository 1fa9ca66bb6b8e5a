//! The last state of a results folder, for analyses of states.

use std::path::Path;

use voussoir_mechanics::{AnyModel, AnyState};
use voussoir_results::{Checkpoint, SCENE_FILE};

use crate::error::{Result, RunError};
use crate::scene_file::SceneFile;

/// The scene and the last checkpoint of a results folder.
pub fn last_state(folder: &Path) -> Result<(SceneFile, AnyState)> {
    let scene = folder.join(SCENE_FILE);
    if !scene.exists() {
        let message = format!("{}: no results folder ({SCENE_FILE} is missing)", folder.display());
        return Err(RunError::input(message).with_help("give a scene, or a results folder of `voussoir run`"));
    }
    let file = SceneFile::load(&scene)?;
    let checkpoint = Checkpoint::read(folder).map_err(RunError::Folder)?;
    checkpoint.check_scene(&file.scene.source.text).map_err(RunError::Folder)?;
    let state = match &file.built.model {
        AnyModel::Two(_) => checkpoint.state().map(AnyState::Two),
        AnyModel::Three(_) => checkpoint.state().map(AnyState::Three),
    }
    .map_err(RunError::Folder)?;
    Ok((file, state))
}
