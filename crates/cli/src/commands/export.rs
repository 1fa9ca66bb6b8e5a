//! `voussoir export`: export pictures, 3D models and tables from a results folder.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use voussoir_mechanics::snapshot::Snapshot;
use voussoir_results::export::{self, GlbOptions};
use voussoir_results::measures::{BlockQuantity, Joints};
use voussoir_results::picture::{Artist, Caption, Show, Style, ViewDirection, exaggerated, readable_factor};
use voussoir_results::{Results, SceneFacts};
use voussoir_run::run_scene::RunScene;

use crate::exit::Exit;
use crate::failure::{CommandResult, Failure};
use crate::terminal::Terminal;
use crate::times::Times;

/// Export formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Bitmap pictures
    Png,
    /// Vector pictures
    Svg,
    /// One animated 3D model, for Blender and web viewers
    Glb,
    /// One 3D model per frame
    Obj,
    /// VTK XML files, for ParaView before version 5.13
    Vtu,
    /// Tables of bodies, interfaces and contacts
    Csv,
    /// COMPAS: the model under the names and guids of its source, and `Results` of compas_dem, as JSON
    Compas,
    /// Drawings of plane structures: blocks, discs, contacts, thrust lines and cracks by layer
    Dxf,
}

/// Arguments of `voussoir export`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Times: seconds (the nearest frame), A..B, first, last, all. Default: last for pictures, all \
                        otherwise.\nViews: iso, front, back, left, right, top, bottom, or AZIMUTH,ELEVATION in degrees; \
                        2D scenes are drawn in 2D.\nColours: material, displacement, speed, pressure, stress, use, \
                        damage, slip, spin, size, force; of elastic blocks von-mises, largest-tension, utilisation.\nShown: \
                        contacts, resultants, centres, thrust, network, cracks, mechanism, loads, cables, flows (wind and \
                        current), mesh; all, none.")]
pub struct ExportArguments {
    /// Results folder
    pub dir: PathBuf,
    /// Format
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Format,
    /// File for one picture or model, folder for several [default: in the results folder]
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Frames by time
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub time: Option<Times>,
    /// Use every N-th selected frame
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
    /// Pictures: direction of view
    #[arg(long, value_name = "VIEW", default_value = "iso", allow_hyphen_values = true)]
    pub view: ViewDirection,
    /// Pictures and GLB: quantity that colours the blocks
    #[arg(long, alias = "colour", value_name = "QUANTITY", default_value = "material")]
    pub color: BlockQuantity,
    /// Pictures: range of the colour bar in SI units [default: range of the values]
    #[arg(long, value_name = "LOW,HIGH", value_parser = range, allow_hyphen_values = true)]
    pub range: Option<[f64; 2]>,
    /// Pictures: items drawn besides the bodies
    #[arg(long, value_name = "LIST", default_value = "resultants,loads,cables,flows")]
    pub show: Show,
    /// Pictures: multiply all displacements; `auto` makes the largest readable
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = exaggeration)]
    pub exaggerate: Exaggeration,
    /// Pictures: width, or width and height of the drawing, in pixels
    #[arg(long, value_name = "WIDTH[xHEIGHT]", default_value = "1600", value_parser = size)]
    pub size: Size,
    /// Print the names of the files as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

/// Size of a picture [px].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    width: f64,
    height: Option<f64>,
}

fn size(text: &str) -> Result<Size, String> {
    let number = |part: &str| part.trim().parse::<u32>().ok().filter(|x| (100..=20_000).contains(x)).map(f64::from);
    let size = match text.split_once(['x', '×']) {
        None => number(text).map(|width| Size { width, height: None }),
        Some((width, height)) => {
            number(width).zip(number(height)).map(|(width, height)| Size { width, height: Some(height) })
        }
    };
    size.ok_or_else(|| "write a width or WIDTHxHEIGHT, each between 100 and 20000 pixels".to_owned())
}

/// Factor of displacements in pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exaggeration {
    /// This factor.
    By(f64),
    /// The largest displacement of the drawn frames becomes readable.
    Auto,
}

fn exaggeration(text: &str) -> Result<Exaggeration, String> {
    match text.parse::<f64>() {
        Ok(factor) if factor > 0.0 && factor.is_finite() => Ok(Exaggeration::By(factor)),
        _ if text == "auto" => Ok(Exaggeration::Auto),
        _ => Err("write a number above zero, or auto".to_owned()),
    }
}

fn range(text: &str) -> Result<[f64; 2], String> {
    let ends: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    match ends[..] {
        [low, high] if low < high && low.is_finite() && high.is_finite() => Ok([low, high]),
        _ => Err("write two numbers, the smaller first, for instance 0,0.05".to_owned()),
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Answer {
    format: String,
    frames: Vec<usize>,
    files: Vec<String>,
}

impl ExportArguments {
    /// Writes the files.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let results = Results::open(&self.dir).map_err(Failure::results)?;
        let picture = matches!(self.to, Format::Png | Format::Svg | Format::Dxf | Format::Compas);
        let default = if picture { Times::Last } else { Times::All };
        let frames = self.time.as_ref().unwrap_or(&default).frames(&results, self.every as usize)?;
        let files = match self.to {
            Format::Png | Format::Svg => self.pictures(&results, &frames, terminal)?,
            Format::Glb => {
                let path = self.output.clone().unwrap_or_else(|| self.dir.join("animation.glb"));
                let options = GlbOptions { colour: self.color };
                let bytes = export::glb(&results, &frames, &options).map_err(Failure::results)?;
                vec![write(&path, &bytes)?]
            }
            Format::Obj => export::write_obj(&results, &frames, &self.folder("obj")).map_err(Failure::results)?,
            Format::Vtu => export::write_vtu(&results, &frames, &self.folder("vtu")).map_err(Failure::results)?,
            Format::Dxf => export::write_dxf(&results, &frames, &self.folder("dxf")).map_err(Failure::results)?,
            Format::Compas => self.compas(&results, &frames)?,
            Format::Csv => export::write_csv(&results, &frames, &self.folder("csv")).map_err(Failure::results)?,
        };
        self.report(&files, frames, terminal)?;
        Ok(Exit::Computed)
    }

    /// Writes one folder per frame, or one for a single frame.
    fn compas(&self, results: &Results, frames: &[usize]) -> CommandResult<Vec<PathBuf>> {
        let folder = self.folder("compas");
        let mut files = Vec::new();
        for &frame in frames {
            let dir = if frames.len() == 1 { folder.clone() } else { folder.join(format!("frame_{frame:04}")) };
            files.extend(voussoir_run::compas::export(results, frame, &dir)?);
        }
        Ok(files)
    }

    fn folder(&self, name: &str) -> PathBuf {
        self.output.clone().unwrap_or_else(|| self.dir.join(name))
    }

    /// Draws frames, all in the same view and with the same colours.
    fn pictures(&self, results: &Results, frames: &[usize], terminal: &Terminal) -> CommandResult<Vec<PathBuf>> {
        let frame = |index: usize| results.frame(index).map_err(Failure::results);
        // the view and the colours fit the first frame and a sample of the drawn frames
        let few = frames.len().div_ceil(8);
        let mut snapshots = vec![frame(0)?];
        for &index in frames.iter().step_by(few).chain(frames.last()) {
            snapshots.push(frame(index)?);
        }
        let first = snapshots[0].clone();
        let factor = match self.exaggerate {
            Exaggeration::By(factor) => factor,
            Exaggeration::Auto => {
                let drawn = snapshots[1..].iter();
                let factors = drawn.map(|snapshot| readable_factor(results.cast(), &first, snapshot));
                factors.fold(f64::INFINITY, f64::min)
            }
        };
        let larger = |snapshot: &Snapshot| match factor {
            1.0 => snapshot.clone(),
            _ => exaggerated(results.cast(), &first, snapshot, factor),
        };
        snapshots.iter_mut().for_each(|snapshot| *snapshot = larger(snapshot));
        let note = if factor == 1.0 { String::new() } else { format!("displacements × {factor}") };
        let scale = self.size.width / 1000.0;
        let style = Style {
            direction: self.view,
            colour: self.color,
            range: self.range,
            show: self.show,
            height: self.size.height.map(|height| height / scale),
            ..Style::default()
        };
        let joints = if self.show.cracks { Joints::of_results(results).map_err(Failure::results)? } else { None };
        let artist = Artist::styled(results.cast(), &snapshots.iter().collect::<Vec<_>>(), style).with_joints(joints);
        let scene = RunScene::of_folder(results.dir());
        if let Err(reason) = &scene {
            terminal.warning(&format!("loads are not drawn: {reason}"));
        }
        let extension = if self.to == Format::Png { "png" } else { "svg" };
        let mut files = Vec::with_capacity(frames.len());
        for &index in frames {
            let snapshot = frame(index)?;
            let loads = scene.as_ref().map(|scene| scene.loads(&snapshot)).unwrap_or_default();
            let flows = scene.as_ref().map(|scene| scene.flows(&snapshot)).unwrap_or_default();
            let snapshot = larger(&snapshot);
            let caption = Caption { title: results.title().to_owned(), loads, flows, note: note.clone() };
            let name = format!("frame_{index:04}.{extension}");
            let path = match &self.output {
                Some(path) if frames.len() == 1 && !path.is_dir() => path.clone(),
                Some(dir) => dir.join(name),
                None if frames.len() == 1 => self.dir.join(name),
                None => self.dir.join(extension).join(name),
            };
            let bytes = match self.to {
                Format::Png => artist.png(&snapshot, &caption, scale).map_err(|e| Failure::bad_input(e.to_string()))?,
                _ => artist.draw(&snapshot, &caption).into_bytes(),
            };
            files.push(write(&path, &bytes)?);
        }
        Ok(files)
    }

    fn report(&self, files: &[PathBuf], frames: Vec<usize>, terminal: &Terminal) -> CommandResult<()> {
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        if self.json {
            let format = format!("{:?}", self.to).to_lowercase();
            let answer = Answer { format, frames, files: names };
            return terminal.answer(&serde_json::json!(answer).to_string());
        }
        match &names[..] {
            names if names.len() <= 4 => terminal.answer(&names.join("\n")),
            [first, .., last] => terminal.answer(&format!("{} files: {first} … {last}", names.len())),
            _ => Ok(()),
        }
    }
}

/// Writes a file, and creates its folder if necessary.
fn write(path: &Path, bytes: &[u8]) -> CommandResult<PathBuf> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(|error| Failure::write(parent, &error))?;
    }
    fs::write(path, bytes).map_err(|error| Failure::write(path, &error))?;
    Ok(path.to_owned())
}
