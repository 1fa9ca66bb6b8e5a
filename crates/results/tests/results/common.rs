//! A synthetic run: a few boxes that drift, rotate and touch, a function of the step only.

use std::path::Path;

use voussoir_mechanics::dynamic::DYNAMIC_COLUMNS;
use voussoir_mechanics::geometry::Surface;
use voussoir_mechanics::report::{CableReport, Cell, StepReport};
use voussoir_mechanics::snapshot::{
    BodySnapshot, CableSnapshot, Cast, CastBody, CastCable, ContactSnapshot, Features, Snapshot,
};
use voussoir_mechanics::state::EnergyLedger;
use voussoir_results::{Recorder, RecorderSettings};

/// The scene text of the made-up run.
pub const SCENE: &str = "title = \"Made-up\"\n";

/// A box with half sides `h`.
pub fn cuboid(h: [f64; 3]) -> Surface {
    let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 1 { h[k] } else { -h[k] });
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Surface { points: (0..8).map(corner).collect(), polygons: quads.iter().map(|q| q.to_vec()).collect() }
}

/// `count` boxes; the first is a support.
pub fn cast(count: usize) -> Cast {
    let body = |i: usize| CastBody {
        name: if i == 0 { "sol été".to_owned() } else { format!("wall.brick[{i}]") },
        material: usize::from(i > 0),
        support: i == 0,
        mass: 2000.0 * (1.0 + (i % 9) as f64 / 7.0),
        volume: 1.0,
        form: cuboid([0.25, 0.125, 0.1 + 0.01 * (i % 9) as f64]).into(),
    };
    Cast {
        dimension: 3,
        bodies: (0..count).map(body).collect(),
        materials: vec!["rock".to_owned(), "brick".to_owned()],
        cables: vec![
            CastCable { name: "ring".to_owned(), strength: Some(1e5), anchors: vec![0, 1] },
            CastCable { name: "tie".to_owned(), strength: None, anchors: vec![0, 1] },
        ],
        features: Features::default(),
        origin: [0.0; 3],
    }
}

/// The run after `step` steps. The number of contacts changes, and is zero at times.
pub fn snapshot(count: usize, step: u64) -> Snapshot {
    let t = step as f64 * 1e-3;
    let body = |i: usize| {
        let moved = if i == 0 { 0.0 } else { 1e-3 * t * i as f64 };
        let (sin, cos) = (0.3 * moved).sin_cos();
        BodySnapshot {
            position: [0.5 * i as f64 + moved, 1.0 / 3.0, -moved * moved],
            rotation: [0.0, sin, 0.0, cos],
            velocity: [if i == 0 { 0.0 } else { 1e-3 * i as f64 }, 0.0, -2e-6 * t],
            spin: [0.0, 6e-4 * i as f64, 0.0],
            // one comes late, one goes early
            absent: i == 7 && step < 100 || i == 8 && step >= 300,
        }
    };
    let contact = |i: usize| ContactSnapshot {
        bodies: [i as u32 % count as u32, 0],
        position: [0.1 * i as f64, t, 0.0],
        normal: [0.0, 0.6, 0.8],
        gap: 1e-6 * (i as f64 - 3.0),
        force: [0.25 * i as f64, -0.5, 1000.0 + t],
        area: 0.125,
        friction: 0.5,
        status: (i % 3) as u8,
        damage: 0.25 * (i % 4) as f64,
        slip: 1e-3 * (i % 5) as f64,
    };
    let contacts = (step * 7 % 95) as usize;
    Snapshot {
        time: t,
        step,
        bodies: (0..count).map(body).collect(),
        contacts: (0..contacts).map(contact).collect(),
        cables: cables(step),
        ..Snapshot::default()
    }
}

/// Between none and two cables, the second of two pieces.
fn cables(step: u64) -> Vec<CableSnapshot> {
    let cable = |i: u64| CableSnapshot {
        points: (0..2 + i).map(|k| [0.5 * k as f64, i as f64, 0.25]).collect(),
        force: 100.0 * (i + 1) as f64,
    };
    (0..step % 3).map(cable).collect()
}

/// Report of step number `step`.
pub fn report(step: u64) -> StepReport {
    let t = step as f64 * 1e-3;
    StepReport {
        step,
        time: t,
        residual: if step == 7 { 1e-5 } else { 1e-9 / step as f64 },
        converged: step != 7,
        contacts: (step * 7 % 95) as usize,
        statuses: [1, 2, 3],
        kinetic_energy: 0.5 * t * t,
        potential_energy: -0.75 * t * t,
        ledger: EnergyLedger {
            gravity: 0.75 * t * t,
            loads: 0.0,
            supports: 0.0,
            friction: 0.2 * t * t,
            ..EnergyLedger::default()
        },
        penetration: 1e-12 * (step % 5) as f64,
        closure: 0.0,
        load: 0.0,
        displacement: t / 3.0,
        speed: 0.1 + t,
        support_reaction: [0.1, -0.2, 9.81 * 2000.0],
        cables: vec![
            CableReport { tension: 1e5 / 3.0 * (step % 4) as f64, broken: false },
            CableReport { tension: 2.0 * t, broken: false },
        ],
        probes: Vec::new(),
        own: vec![
            Cell::Word(if step == 7 { "stalled" } else { "converged" }),
            Cell::Word("proximal-newton"),
            Cell::Count(3),
            Cell::Count(2),
            Cell::Count(u64::from(step == 7)),
            Cell::Count(4),
            Cell::Number(1e-3),
            Cell::Number(2e-3),
            Cell::Number(3e-3),
        ],
    }
}

/// Settings of the made-up run.
pub fn settings() -> RecorderSettings {
    RecorderSettings {
        title: "Made-up".to_owned(),
        scene: SCENE.to_owned(),
        tolerance: 1e-8,
        weight: 9.81 * 2000.0,
        kinetic_energy: 0.0,
        columns: DYNAMIC_COLUMNS.to_vec(),
        probes: Vec::new(),
        overwrite: false,
        precision: None,
    }
}

/// State of the made-up run: the step, and a number that must keep its bits.
pub type State = (u64, f64);

/// Runs steps `from..to`, a frame every `every` steps and a checkpoint every `save` steps.
pub fn run(recorder: &mut Recorder, count: usize, from: u64, to: u64, every: u64, save: u64) {
    recorder.begin_stage(DYNAMIC_COLUMNS);
    for step in from..to {
        recorder.step(&report(step + 1), true).unwrap();
        if (step + 1) % every == 0 {
            recorder.frame(&snapshot(count, step + 1)).unwrap();
        }
        if (step + 1) % save == 0 {
            recorder.checkpoint(&((step + 1), 1.0 / (step + 1) as f64)).unwrap();
        }
    }
}

/// A whole undisturbed run.
pub fn whole_run(dir: &Path, count: usize, steps: u64, every: u64, save: u64) {
    let mut recorder = Recorder::create(dir, &cast(count), settings()).unwrap();
    recorder.frame(&snapshot(count, 0)).unwrap();
    run(&mut recorder, count, 0, steps, every, save);
    recorder.finish().unwrap();
}
