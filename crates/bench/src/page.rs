//! `cargo xtask bench page`: loading time and frame rate of the page for a large run, in Chromium with software
//! rendering.
//!
//! The run is synthetic and written by the real recorder: a wall of bricks, all of which sway, with four contacts a brick.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use voussoir_mechanics::geometry::Surface;
use voussoir_mechanics::snapshot::{BodySnapshot, Cast, CastBody, ContactSnapshot, Features, Snapshot};
use voussoir_results::{FRAMES_FILE, Recorder, RecorderSettings};

use crate::place::{build_voussoir, root, run as run_process};

/// Half extents of a brick [m].
const HALF: [f64; 3] = [0.25, 0.125, 0.125];

/// `[BLOCKS] [FRAMES] [FOLDER]`: 10 000 blocks and 1 000 frames by default; results in the folder are used again.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let number = |at: usize, default: usize| match arguments.get(at) {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| format!("`{text}` is not a number")),
    };
    let (blocks, frames) = (number(0, 10_000)?, number(1, 1_000)?);
    let dir = arguments.get(2).map_or_else(|| root().join("target/page-bench"), PathBuf::from);
    let chromium = std::env::var_os("VOUSSOIR_CHROMIUM").ok_or("VOUSSOIR_CHROMIUM does not name a Chromium")?;
    if !dir.join("summary.json").exists() {
        record(&dir, blocks, frames)?;
    }
    let bytes = std::fs::metadata(dir.join(FRAMES_FILE)).map_err(|e| e.to_string())?.len();
    println!("{blocks} blocks, {frames} frames, {:.0} MB in {}", bytes as f64 / 1e6, dir.display());

    // the program serves the page as it does for users
    let mut server = Command::new(build_voussoir()?)
        .arg("view")
        .arg(&dir)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("voussoir view: {e}"))?;
    let mut address = String::new();
    let read = server.stdout.take().map(|out| BufReader::new(out).read_line(&mut address));
    let told = format!("{{\"address\": {:?}, \"frames\": {frames}, \"server\": {}}}", address.trim(), server.id());
    let script = root().join("crates/view/web/tests/speed.mjs");
    let outcome = match read {
        Some(Ok(_)) => run_process(Command::new("node").arg(script).arg(told).env("VOUSSOIR_CHROMIUM", chromium)),
        _ => Err("voussoir view said nothing".to_owned()),
    };
    let _ = server.kill();
    let _ = server.wait();
    outcome
}

fn record(dir: &Path, blocks: usize, frames: usize) -> Result<(), String> {
    println!("writing {frames} frames of {blocks} blocks");
    let cast = wall(blocks);
    let settings = RecorderSettings {
        title: format!("Wall of {blocks} bricks that sways"),
        scene: String::new(),
        tolerance: 1e-8,
        weight: 613.0 * blocks as f64,
        kinetic_energy: 0.0,
        columns: Vec::new(),
        probes: Vec::new(),
        overwrite: true,
        precision: None,
    };
    let mut recorder = Recorder::create(dir, &cast, settings).map_err(|e| e.to_string())?;
    for frame in 0..frames {
        recorder.frame(&snapshot(blocks, frame)).map_err(|e| e.to_string())?;
    }
    recorder.finish().map(|_| ()).map_err(|e| e.to_string())
}

fn wall(blocks: usize) -> Cast {
    let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 1 { HALF[k] } else { -HALF[k] });
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let surface =
        Surface { points: (0..8).map(corner).collect(), polygons: quads.iter().map(|quad| quad.to_vec()).collect() };
    let body = |i: usize| CastBody {
        name: format!("wall.course[{}].brick[{}]", i / columns(blocks), i % columns(blocks)),
        material: 0,
        support: i < columns(blocks),
        mass: 62.5,
        volume: 0.03125,
        form: surface.clone().into(),
    };
    Cast {
        dimension: 3,
        bodies: (0..blocks).map(body).collect(),
        materials: vec!["stone".to_owned()],
        cables: Vec::new(),
        features: Features::default(),
        origin: [0.0; 3],
    }
}

fn columns(blocks: usize) -> usize {
    ((blocks as f64 / 1.5).sqrt() as usize).max(1)
}

/// A wave runs through the wall; forces change in a tenth of it.
fn snapshot(blocks: usize, frame: usize) -> Snapshot {
    let time = 0.01 * frame as f64;
    let across = columns(blocks);
    let bodies: Vec<BodySnapshot> = (0..blocks)
        .map(|i| {
            let (column, course) = ((i % across) as f64, (i / across) as f64);
            let phase = 2.0 * time - 0.07 * column - 0.05 * course;
            let size = 0.01 * course;
            let turn = 0.1 * size * phase.cos();
            BodySnapshot {
                position: [0.5 * column + 0.25 * (course % 2.0), size * phase.sin(), 0.25 * course],
                rotation: [turn.sin(), 0.0, 0.0, turn.cos()],
                velocity: [0.0, 2.0 * size * phase.cos(), 0.0],
                spin: [-0.4 * size * phase.sin(), 0.0, 0.0],
                absent: false,
            }
        })
        .collect();
    let contact = |c: usize| {
        let (body, corner) = (c / 4, c % 4);
        let middle = bodies[body].position;
        let weight = 613.0 * (1.0 + (blocks / across - body / across) as f64);
        let changing = if body % 10 == 3 { 1.0 + 0.2 * (9.0 * time + body as f64).sin() } else { 1.0 };
        let place = |k: usize, bit: usize| middle[k] + if corner >> bit & 1 == 1 { HALF[k] } else { -HALF[k] };
        ContactSnapshot {
            bodies: [body as u32, body.saturating_sub(across) as u32],
            position: [place(0, 0), place(1, 1), middle[2] - HALF[2]],
            normal: [0.0, 0.0, 1.0],
            force: [0.05 * weight * changing, 0.0, 0.25 * weight * changing],
            area: 0.03125,
            friction: 0.6,
            status: 1,
            ..ContactSnapshot::default()
        }
    };
    let contacts = (4 * across..4 * blocks).map(contact).collect();
    Snapshot { time, step: 10 * frame as u64, bodies, contacts, ..Snapshot::default() }
}
