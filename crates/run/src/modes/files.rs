//! Mode shapes as drawings (SVG), as a table, and as a recording that the page, ParaView and `voussoir export` show.
//!
//! The recording has one period of every mode after the other: mode k from the time k − 1 to the time k [s], with its
//! largest displacement at k − ¾.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use voussoir_mechanics::snapshot::{BodySnapshot, Snapshot};
use voussoir_results::{Recorder, RecorderSettings};
use voussoir_statics::modes::Modes;

use super::ModesSubject;
use crate::error::{Result, RunError};
use crate::statics::drawing;
use crate::statics::files::{KeptScene, write};

/// Frames of a period.
const FRAMES: usize = 16;
/// Largest displacement of a recorded mode, relative to the extent of the structure.
const AMPLITUDE: f64 = 0.05;

/// Writes the modes into a folder and returns the names of the files.
pub fn write_modes(dir: &Path, subject: &ModesSubject, modes: &Modes, overwrite: bool) -> Result<Vec<PathBuf>> {
    let scene = KeptScene::in_folder(&subject.file, dir, overwrite)?;
    let title = format!("{}: vibration modes", subject.file.built.title);
    let settings = RecorderSettings {
        title: title.clone(),
        scene: scene.text.clone(),
        tolerance: 1e-8,
        weight: 0.0,
        kinetic_energy: 0.0,
        columns: Vec::new(),
        probes: Vec::new(),
        overwrite,
        precision: None,
    };
    let mut recorder = Recorder::create(dir, &modes.cast, settings).map_err(RunError::Folder)?;
    recorder.keep_files(&scene.copies).map_err(RunError::Folder)?;
    for (k, shape) in modes.shapes.iter().enumerate() {
        for frame in period(k, shape, AMPLITUDE * extent(shape)) {
            recorder.frame(&frame).map_err(RunError::Folder)?;
        }
    }
    recorder.finish().map_err(RunError::Folder)?;
    let mut files = vec![dir.join("results.vtkhdf"), write(dir, "modes.csv", &table(modes))?];
    for (k, shape) in modes.shapes.iter().enumerate() {
        let svg = drawing::shape(&modes.cast, shape, &title, &note(modes, k));
        files.push(write(dir, &format!("mode_{:02}.svg", k + 1), &svg)?);
    }
    Ok(files)
}

/// Frames of one period.
fn period(mode: usize, shape: &[BodySnapshot], amplitude: f64) -> impl Iterator<Item = Snapshot> {
    (0..FRAMES).map(move |j| {
        let phase = j as f64 / FRAMES as f64;
        let (sin, cos) = (std::f64::consts::TAU * phase).sin_cos();
        let mut bodies = drawing::displaced(shape, amplitude * sin);
        for body in &mut bodies {
            body.velocity = body.velocity.map(|v| v * amplitude * std::f64::consts::TAU * cos);
            body.spin = body.spin.map(|w| w * amplitude * std::f64::consts::TAU * cos);
        }
        Snapshot { time: mode as f64 + phase, step: (mode * FRAMES + j) as u64, bodies, ..Snapshot::default() }
    })
}

/// Largest extent of the bodies that move [m].
fn extent(shape: &[BodySnapshot]) -> f64 {
    let mut range = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
    for body in shape.iter().filter(|body| body.velocity != [0.0; 3] || body.spin != [0.0; 3]) {
        for (range, x) in range.iter_mut().zip(body.position) {
            *range = [range[0].min(x), range[1].max(x)];
        }
    }
    let largest = range.iter().map(|[low, high]| high - low).fold(0.0, f64::max);
    if largest > 0.0 && largest.is_finite() { largest } else { 1.0 }
}

fn note(modes: &Modes, k: usize) -> String {
    let mass = modes.participation[k].map(|part| 100.0 * part / modes.mass);
    let [x, y, z] = mass;
    format!("mode {}: {:.4} Hz; participating mass x {x:.1} %, y {y:.1} %, z {z:.1} %", k + 1, modes.frequencies[k])
}

fn table(modes: &Modes) -> String {
    let mut text = String::from("mode,frequency_hz,period_s,mass_x_kg,mass_y_kg,mass_z_kg\n");
    for (k, (f, [x, y, z])) in modes.frequencies.iter().zip(&modes.participation).enumerate() {
        let _ = writeln!(text, "{},{f},{},{x},{y},{z}", k + 1, 1.0 / f);
    }
    text
}
