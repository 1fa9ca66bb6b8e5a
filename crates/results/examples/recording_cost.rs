//! Size of `results.vtkhdf` and time per frame for a bridge-sized structure: 3 300 blocks, 12 contacts a block.
//!
//! `cargo run --release -p voussoir-results --example recording_cost [FRAMES] [BLOCKS] [FOLDER]`
//!
//! With a folder the results are kept there, one folder per run, to be looked at with `voussoir view`.
//!
//! Four made-up runs: at rest (solver noise only), part of the bridge failing (one block in twenty falls, the forces
//! change in a fifth), everything moving a little with forces that change (shaken), and everything falling.

use std::time::Instant;

use voussoir_mechanics::geometry::Surface;
use voussoir_mechanics::snapshot::{BodySnapshot, Cast, CastBody, ContactSnapshot, Snapshot};
use voussoir_results::{FRAMES_FILE, Recorder, RecorderSettings, Results};

/// Numbers between −1 and 1 that look random (SplitMix64).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// How much moves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Run {
    Rest,
    Local,
    Shaken,
    Falling,
}

fn cast(blocks: usize) -> Cast {
    let corner = |i: usize| [0, 1, 2].map(|k| [0.25, 0.125, 0.125][k] * if i >> k & 1 == 1 { 1.0 } else { -1.0 });
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let surface =
        Surface { points: (0..8).map(corner).collect(), polygons: quads.iter().map(|quad| quad.to_vec()).collect() };
    let body = |i: usize| CastBody {
        name: format!("bridge.arch[{}].voussoir[{i}]", i % 3),
        material: 0,
        support: i < 6,
        mass: 62.5,
        volume: 1.0,
        surface: surface.clone(),
    };
    Cast { dimension: 3, bodies: (0..blocks).map(body).collect(), materials: vec!["limestone".to_owned()] }
}

fn snapshot(run: Run, blocks: usize, frame: usize) -> Snapshot {
    let mut fixed = Noise(1);
    let mut noise = Noise(1000 + frame as u64);
    let t = 0.01 * frame as f64;
    let bodies: Vec<BodySnapshot> = (0..blocks)
        .map(|i| {
            let place = [0.5 * (i % 60) as f64, 0.25 * (i / 60 % 10) as f64, 0.25 * (i / 600) as f64];
            let tilt = [fixed.next(), fixed.next(), fixed.next()];
            // how far this block goes, and in which direction
            let (slow, fast) = match run {
                Run::Rest => (0.0, 0.0),
                Run::Local => (0.0, f64::from(u8::from(i * 20 / blocks == 8))),
                Run::Shaken => (1e-3, 0.0),
                Run::Falling => (0.0, 1.0),
            };
            let sway = slow * (12.0 * t + tilt[0]).sin();
            let fall = fast * t * t;
            let jitter = |noise: &mut Noise| 1e-12 * noise.next();
            let angle: [f64; 3] = std::array::from_fn(|k| 0.02 * tilt[k] + (sway + 0.3 * fall) * tilt[(k + 1) % 3]);
            let w = (1.0 - angle.iter().map(|a| a * a).sum::<f64>()).max(0.0).sqrt();
            BodySnapshot {
                position: std::array::from_fn(|k| place[k] + (sway + fall) * tilt[k] + jitter(&mut noise)),
                rotation: [angle[0], angle[1], angle[2], w + jitter(&mut noise)],
                velocity: std::array::from_fn(|k| (12.0 * sway + 2.0 * fast * t) * tilt[k] + 1e-10 * noise.next()),
                spin: std::array::from_fn(|k| (12.0 * sway + 0.6 * fast * t) * tilt[k] + 1e-10 * noise.next()),
                absent: false,
            }
        })
        .collect();
    let contacts = (0..12 * blocks)
        .map(|c| {
            let body = c / 12;
            let centre = bodies[body].position;
            let weight = 613.0 * (1.0 + 10.0 * fixed.next().abs());
            let shake = match run {
                Run::Rest => 0.0,
                Run::Local => f64::from(u8::from((6..10).contains(&(body * 20 / blocks)))),
                Run::Shaken | Run::Falling => 1.0,
            };
            let change = 1.0 + 0.2 * shake * (9.0 * t + fixed.next()).sin() + 1e-9 * noise.next();
            let normal = [0.02 * fixed.next(), 0.02 * fixed.next(), 1.0];
            ContactSnapshot {
                bodies: [body as u32, (body + 60).min(blocks - 1) as u32],
                position: std::array::from_fn(|k| centre[k] + 0.125 * f64::from(c as u32 >> k & 1)),
                normal,
                gap: 1e-12 * noise.next() + shake * 1e-7 * fixed.next() * t,
                force: [0.1 * weight * fixed.next() * change, 0.1 * weight * fixed.next() * change, weight * change],
                area: 0.03125,
                friction: 0.6,
                status: 1,
                damage: 0.0,
            }
        })
        .collect();
    Snapshot { time: t, step: 10 * frame as u64, bodies, contacts, cables: Vec::new() }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let argument = |i: usize, default: usize| std::env::args().nth(i).map_or(Ok(default), |text| text.parse());
    let (frames, blocks) = (argument(1, 1000)?, argument(2, 3300)?);
    println!("{blocks} blocks, {} contacts, {frames} frames", 12 * blocks);
    let kept = std::env::args_os().nth(3).map(std::path::PathBuf::from);
    let scratch = std::env::temp_dir().join(format!("voussoir-recording-{}", std::process::id()));
    for run in [Run::Rest, Run::Local, Run::Shaken, Run::Falling] {
        let dir = kept.as_ref().map_or_else(|| scratch.clone(), |kept| kept.join(format!("{run:?}").to_lowercase()));
        let settings = RecorderSettings {
            title: format!("{run:?}"),
            scene: String::new(),
            tolerance: 1e-8,
            weight: 613.0 * blocks as f64,
            kinetic_energy: 0.0,
            probes: Vec::new(),
            overwrite: true,
            precision: None,
        };
        let mut recorder = Recorder::create(&dir, &cast(blocks), settings)?;
        let mut spent = 0.0;
        for frame in 0..frames {
            let snapshot = snapshot(run, blocks, frame);
            let start = Instant::now();
            recorder.frame(&snapshot)?;
            spent += start.elapsed().as_secs_f64();
        }
        recorder.finish()?;
        let bytes = std::fs::metadata(dir.join(FRAMES_FILE))?.len();

        // reading: opening, then frames here and there
        let start = Instant::now();
        let results = Results::open(&dir)?;
        let opened = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let picks = frames.min(50);
        for pick in 0..picks {
            results.frame(pick * frames / picks)?;
        }
        println!(
            "{:8} {:7.1} MB, {:6.1} kB and {:5.1} ms a frame; opens in {:.0} ms, reads a frame in {:.1} ms",
            format!("{run:?}"),
            bytes as f64 / 1e6,
            bytes as f64 / 1e3 / frames as f64,
            1e3 * spent / frames as f64,
            1e3 * opened,
            1e3 * start.elapsed().as_secs_f64() / picks as f64,
        );
    }
    if kept.is_none() {
        std::fs::remove_dir_all(&scratch)?;
    }
    Ok(())
}
