//! Pictures of a results folder, and the loads on them.

use std::fs;
use std::path::{Path, PathBuf};

use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::model::Model;
use voussoir_mechanics::snapshot::{Cast, Snapshot};
use voussoir_model::{AnyModel, Built};
use voussoir_results::picture::{Artist, Caption, LoadArrow, point_of_body};
use voussoir_results::{Results, SCENE_FILE};

use crate::failure::{Failure, Result};
use crate::scene_file::SceneFile;

/// The structure before the first step.
pub const INITIAL_PICTURE: &str = "initial.svg";

/// The structure at the end.
pub const FINAL_PICTURE: &str = "final.svg";

/// Draws the first and the last frame of a finished run.
pub fn first_and_last(dir: &Path, built: &Built, cast: &Cast) -> Result<()> {
    let results = Results::open(dir).map_err(Failure::results)?;
    if results.frames() == 0 {
        return Ok(());
    }
    let first = results.frame(0).map_err(Failure::results)?;
    let last = results.frame(results.frames() - 1).map_err(Failure::results)?;
    let artist = Artist::new(cast, &[&first, &last]);
    draw(&artist, &first, built, "as built", &dir.join(INITIAL_PICTURE))?;
    draw(&artist, &last, built, "", &dir.join(FINAL_PICTURE))?;
    Ok(())
}

/// Draws one moment of a run to a file and gives its path.
pub fn draw(artist: &Artist<'_>, moment: &Snapshot, built: &Built, note: &str, path: &Path) -> Result<PathBuf> {
    let loads = Loads::at(&built.model, moment);
    let caption = Caption { title: built.title.clone(), note: note.to_owned(), loads };
    fs::write(path, artist.draw(moment, &caption)).map_err(|error| Failure::write(path, &error))?;
    Ok(path.to_owned())
}

/// The loads of a run. Recordings do not hold them; the scene in the results folder does.
#[derive(Debug)]
pub struct Loads {
    model: AnyModel,
}

impl Loads {
    /// Reads the scene of a results folder; an error says why it cannot be read.
    pub fn of_folder(dir: &Path) -> Result<Self> {
        let file = SceneFile::load(&dir.join(SCENE_FILE))?;
        Ok(Self { model: file.built.model })
    }

    /// The loads at one moment.
    pub fn arrows(&self, moment: &Snapshot) -> Vec<LoadArrow> {
        Self::at(&self.model, moment)
    }

    /// What is written on a picture of a moment.
    pub fn caption(loads: Option<&Self>, title: &str, note: &str, moment: &Snapshot) -> Caption {
        let loads = loads.map(|loads| loads.arrows(moment)).unwrap_or_default();
        Caption { title: title.to_owned(), note: note.to_owned(), loads }
    }

    fn at(model: &AnyModel, moment: &Snapshot) -> Vec<LoadArrow> {
        match model {
            AnyModel::Two(model) => arrows(model, moment),
            AnyModel::Three(model) => arrows(model, moment),
        }
    }
}

/// The loads of a model at one moment.
fn arrows<S: Space>(model: &Model<S>, moment: &Snapshot) -> Vec<LoadArrow> {
    let arrow = |load: &voussoir_mechanics::model::Load<S>| {
        let body = moment.bodies.get(load.body)?;
        let point = point_of_body(body, load.point.to_3d());
        let force = (load.force * load.function.value(moment.time)).to_3d();
        Some(LoadArrow { point, force })
    };
    model.loads.iter().filter_map(arrow).collect()
}
