//! Pictures of a results folder.

use std::fs;
use std::path::{Path, PathBuf};

use voussoir_mechanics::snapshot::{Cast, Snapshot};
use voussoir_model::Built;
use voussoir_results::Results;
use voussoir_results::picture::{Artist, Caption};

use crate::error::{Result, RunError};
use crate::run_scene;

/// The structure before the first step.
pub const INITIAL_PICTURE: &str = "initial.svg";

/// The structure at the end.
pub const FINAL_PICTURE: &str = "final.svg";

/// Draws the first and the last frame of a finished run.
pub fn first_and_last(dir: &Path, built: &Built, cast: &Cast) -> Result<()> {
    let results = Results::open(dir).map_err(RunError::Folder)?;
    if results.frames() == 0 {
        return Ok(());
    }
    let first = results.frame(0).map_err(RunError::Folder)?;
    let last = results.frame(results.frames() - 1).map_err(RunError::Folder)?;
    let artist = Artist::new(cast, &[&first, &last]);
    draw(&artist, &first, built, "as built", &dir.join(INITIAL_PICTURE))?;
    draw(&artist, &last, built, "", &dir.join(FINAL_PICTURE))?;
    Ok(())
}

/// Draws a snapshot of a run into a file and returns its path.
pub fn draw(artist: &Artist<'_>, snapshot: &Snapshot, built: &Built, note: &str, path: &Path) -> Result<PathBuf> {
    let loads = run_scene::loads(&built.model, snapshot);
    let caption = Caption {
        title: built.title.clone(),
        note: note.to_owned(),
        loads,
        flows: run_scene::flows(&built.model, snapshot),
    };
    fs::write(path, artist.draw(snapshot, &caption)).map_err(RunError::write(path))?;
    Ok(path.to_owned())
}
