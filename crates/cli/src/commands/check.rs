//! `voussoir check`: check and describe a scene; draw it with suspicious blocks marked.

use std::path::{Path, PathBuf};

use voussoir_mechanics::dynamic;
use voussoir_mechanics::inspect::Inspection;
use voussoir_mechanics::model::DynamicSettings;
use voussoir_model::Built;
use voussoir_results::picture::{Artist, Caption, Mark, Show, Style};
use voussoir_run::description::Description;
use voussoir_run::folder::default_folder;
use voussoir_run::{SceneFile, run_scene};

use crate::exit::Exit;
use crate::failure::{CommandResult, Failure};
use crate::patience::patiently;
use crate::terminal::Terminal;

/// Pictures with more faces than this are bitmaps: an SVG file with so many faces is slow to display.
const MOST_FACES: usize = 30_000;

/// Scenes with more bodies than this are announced.
const MANY_BODIES: u64 = 20_000;

/// Colours of marked blocks, distinguishable with colour blindness: overlapping, floating, unusual shape.
const COLOURS: [[u8; 3]; 3] = [[0xd5, 0x5e, 0x00], [0x00, 0x72, 0xb2], [0xcc, 0x79, 0xa7]];

/// Arguments of `voussoir check`.
#[derive(Debug, clap::Args)]
pub struct CheckArguments {
    /// The scene
    pub scene: PathBuf,
    /// File for the picture (.svg or .png) [default: out/SCENE-check.svg]
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
    /// Draw no picture
    #[arg(long, conflicts_with = "picture")]
    pub no_picture: bool,
    /// Print the description as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

impl CheckArguments {
    /// Describes the scene.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        if let Some(count) = SceneFile::expected_bodies(&self.scene).filter(|count| *count > MANY_BODIES) {
            terminal
                .note(&format!("{count} bodies: building, contacts and picture may take minutes (--no-picture: less)"));
        }
        let load = || SceneFile::load(&self.scene);
        // a scene with overlapping blocks is described and drawn before it is refused
        let (scene, refused) = match patiently(telling(terminal, "building the scene"), load) {
            Ok(scene) => (scene, None),
            Err(error) if !self.json => match SceneFile::load_overlapping(&self.scene) {
                Some(scene) => (scene, Some(Failure::from(error))),
                None => return Err(error.into()),
            },
            Err(error) => return Err(error.into()),
        };
        let description = self.describe(&scene.built, terminal)?;
        if self.json {
            terminal.answer_json(&description)?;
        } else {
            terminal.answer(&description.text())?;
        }
        refused.map_or(Ok(Exit::Computed), Err)
    }

    fn describe(&self, built: &Built, terminal: &Terminal) -> CommandResult<Description> {
        let look = patiently(telling(terminal, "finding contacts and overlaps"), || built.model.inspect(None));
        let mut description = Description::new(built, &look);
        if !self.no_picture {
            match patiently(telling(terminal, "drawing"), || self.draw(built, &look)) {
                Ok(path) => description.picture = Some(path.display().to_string()),
                // a default picture that cannot be written is no error
                Err(failure) if self.picture.is_none() => terminal.warning(&failure.message),
                Err(failure) => return Err(failure),
            }
        }
        Ok(description)
    }

    /// Draws the structure with its suspicious blocks marked; returns the file.
    fn draw(&self, built: &Built, look: &Inspection) -> CommandResult<PathBuf> {
        let cast = built.model.cast();
        let analysis = dynamic::begin(&built.model, &DynamicSettings::default(), built.model.initial_state(&[]))
            .map_err(|error| Failure::bad_input(error.to_string()))?;
        let snapshot = analysis.snapshot();
        let marks = marks(look);
        // meshes of elastic blocks
        let style = Style { show: Show { mesh: cast.features.deforming, ..Show::default() }, ..Style::default() };
        let artist = Artist::styled(&cast, &[&snapshot], style).marked(marks.clone());
        let note = if marks.is_empty() {
            "no suspicious blocks".to_owned()
        } else {
            let words: Vec<String> = marks.iter().map(|mark| format!("{} {}", mark.bodies.len(), mark.label)).collect();
            words.join(", ")
        };
        let loads = run_scene::loads(&built.model, &snapshot);
        let flows = run_scene::flows(&built.model, &snapshot);
        let caption = Caption { title: built.title.clone(), note, loads, flows };
        let path = self.picture.clone().unwrap_or_else(|| {
            let ending = if artist.faces() > MOST_FACES { "png" } else { "svg" };
            let folder = default_folder(&self.scene);
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            folder.with_file_name(format!("{name}-check.{ending}"))
        });
        let parent = path.parent().unwrap_or(Path::new(""));
        if !parent.as_os_str().is_empty() {
            std::fs::create_dir_all(parent).map_err(|error| Failure::write(parent, &error))?;
        }
        let bytes = if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
            artist.png(&snapshot, &caption, 1.0).map_err(|error| Failure::bad_input(error.to_string()))?
        } else {
            artist.draw(&snapshot, &caption).into_bytes()
        };
        std::fs::write(&path, bytes).map_err(|error| Failure::write(&path, &error))?;
        Ok(path)
    }
}

/// Reports the elapsed time of a part of the work.
fn telling<'a>(terminal: &'a Terminal, part: &'a str) -> impl Fn(u64) + Send + 'a {
    move |seconds| terminal.note(&format!("{part}: {seconds} s so far"))
}

/// Suspicious blocks by kind.
fn marks(look: &Inspection) -> Vec<Mark> {
    let mut overlapping: Vec<usize> = look.overlaps.iter().flat_map(|pair| [pair.a, pair.b]).collect();
    overlapping.sort_unstable();
    overlapping.dedup();
    let odd = look.suspicious.iter().map(|suspicion| suspicion.body).collect();
    [(overlapping, "overlapping"), (look.floating.clone(), "floating"), (odd, "of unusual shape")]
        .into_iter()
        .zip(COLOURS)
        .filter(|((bodies, _), _)| !bodies.is_empty())
        .map(|((bodies, label), colour)| Mark { bodies, colour, label: label.to_owned() })
        .collect()
}
