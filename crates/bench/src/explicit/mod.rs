//! `cargo xtask bench explicit`: contact updates per second of the explicit analysis on settled packings of discs, beside
//! LAMMPS (`gran/hooke/history`) and Yade, with the growth of the time per step, and two threads against one.
//!
//! One contact update is one closed contact in one step, with its memory, local damping and the energy ledger; a frame is
//! recorded every 1000 steps. All programs get the same discs, springs, friction and time step, and run in turns; CPU time
//! of the steps alone is compared, one thread each. Our number of contacts counts for all: LAMMPS reports those without walls.

mod packing;
mod peers;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use voussoir_geometry::D2;
use voussoir_mechanics::Explicit;
use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::explicit::settings::ExplicitGoal;
use voussoir_mechanics::model::Model;
use voussoir_mechanics::snapshot::cast;
use voussoir_mechanics::state::State;
use voussoir_results::{Recorder, RecorderSettings};

use crate::clock::Clock;
use crate::place::root;
use packing::{Packing, describe, settings, tile};

/// Columns and rows of tiles of 2000 discs.
const SIZES: [[usize; 2]; 3] = [[1, 1], [5, 2], [20, 5]];
/// Disc steps of one turn.
const WORK: usize = 20_000_000;
/// Turns of each program.
const TURNS: usize = 3;
/// Largest packing for the peers, and for two threads.
const PEERS_UP_TO: usize = 20_000;

/// Difference of the numbers of contacts that is reported: those with walls, and rattlers.
const LARGEST_DIFFERENCE: f64 = 0.05;

const HEAD: &str = "discs,contacts,steps,our_updates_per_s,lammps_updates_per_s,yade_updates_per_s,ratio_lammps,ratio_yade,\
                    us_per_step,growth,two_threads\n";

/// Measures packings of at most the number of discs given.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let alone = arguments.iter().any(|word| word == "--without-peers");
    let most = arguments.iter().find_map(|word| word.parse::<usize>().ok()).unwrap_or(usize::MAX);
    let folder = root().join("target/explicit-run");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let lammps = if alone { Err("not asked for".to_owned()) } else { peers::lammps() };
    let yade = if alone { Err("not asked for".to_owned()) } else { peers::yade() };
    for (name, found) in [("LAMMPS", &lammps), ("Yade", &yade)] {
        if let Err(reason) = found {
            println!("without {name}: {reason}");
        }
    }
    let small = tile()?;
    println!(
        "{:>7} {:>9} {:>6} {:>10} {:>12} {:>12} {:>12} {:>8} {:>8} {:>9} {:>7} {:>11}",
        "discs",
        "contacts",
        "steps",
        "unbalanced",
        "ours [M/s]",
        "LAMMPS",
        "Yade",
        "/LAMMPS",
        "/Yade",
        "us/step",
        "growth",
        "2 threads"
    );
    let (mut csv, mut before) = (String::from(HEAD), None::<(f64, f64)>);
    for [columns, rows] in SIZES {
        let packing = small.tiled(columns, rows);
        let discs = packing.discs.len();
        if discs > most {
            continue;
        }
        let row = measure(&packing, &folder, [lammps.as_ref().ok(), yade.as_ref().ok()], &mut before)?;
        println!("{row}");
        let _ = writeln!(csv, "{}", row.split_whitespace().collect::<Vec<_>>().join(","));
    }
    let path = root().join("target/explicit.csv");
    std::fs::write(&path, csv).map_err(|e| format!("{}: {e}", path.display()))?;
    println!("updates in millions per second of CPU time, medians of {TURNS} turns; written to {}", path.display());
    Ok(())
}

/// One size: a line of the table.
fn measure(
    packing: &Packing,
    folder: &std::path::Path,
    [lammps, yade]: [Option<&PathBuf>; 2],
    before: &mut Option<(f64, f64)>,
) -> Result<String, String> {
    let model = packing.model()?;
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|e| e.to_string())?;
    let (state, unbalanced) = one.install(|| packing.settled(&model))?;
    let discs = packing.discs.len();
    let steps = (WORK / discs).max(20);
    let mut ours = Vec::new();
    let mut theirs = [Vec::new(), Vec::new()];
    let mut contacts = 0;
    for _ in 0..TURNS {
        let own = one.install(|| turn(&model, &state, steps, folder))?;
        contacts = own.contacts;
        ours.push(own.seconds);
        if discs > PEERS_UP_TO {
            continue;
        }
        let file = folder.join("packing.json");
        std::fs::write(&file, describe(packing, &model, &state, own.dt, steps)).map_err(|e| e.to_string())?;
        for (list, found) in theirs.iter_mut().zip([
            lammps.map(|python| peers::run_lammps(python, &file)),
            yade.map(|program| peers::run_yade(program, &file)),
        ]) {
            if let Some(found) = found {
                let peer = found?;
                if (peer.contacts / contacts as f64 - 1.0).abs() > LARGEST_DIFFERENCE {
                    println!("a peer has {} contacts for our {contacts}", peer.contacts);
                }
                list.push(peer);
            }
        }
    }
    let speed = |contacts: f64, seconds: f64| contacts * steps as f64 / seconds * 1e-6;
    let our = speed(contacts as f64, median(&mut ours));
    let their = theirs.map(|list| {
        let mut speeds: Vec<f64> = list.iter().map(|peer| speed(contacts as f64, peer.seconds)).collect();
        (!speeds.is_empty()).then(|| median(&mut speeds))
    });
    let us = 1e6 * median(&mut ours) / steps as f64;
    let growth = before.map(|(n, t)| (us / t).ln() / (discs as f64 / n).ln());
    *before = Some((discs as f64, us));
    let two = if discs == PEERS_UP_TO { threads(&model, &state, steps, folder)? } else { "-".to_owned() };
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    let ratio = |their: Option<f64>| number(their.map(|their| our / their));
    Ok(format!(
        "{discs:>7} {contacts:>9} {steps:>6} {unbalanced:>10.1e} {our:>12.2} {:>12} {:>12} {:>8} {:>8} {us:>9.1} {:>7} {two:>11}",
        number(their[0]),
        number(their[1]),
        ratio(their[0]),
        ratio(their[1]),
        number(growth)
    ))
}

/// A turn of our own.
struct Turn {
    contacts: usize,
    seconds: f64,
    wall: f64,
    dt: f64,
    /// Bits of the last positions.
    bits: u64,
}

/// Steps from the settled state, with records.
fn turn(model: &Arc<Model<D2>>, state: &State<D2>, steps: usize, folder: &std::path::Path) -> Result<Turn, String> {
    let goal = ExplicitGoal::Time(1e6);
    let mut explicit = Explicit::new(Arc::clone(model), settings(goal), state.clone()).map_err(|e| e.to_string())?;
    let records = RecorderSettings {
        title: "packing".to_owned(),
        scene: String::new(),
        tolerance: 1e-4,
        weight: 0.0,
        kinetic_energy: 0.0,
        columns: explicit.columns().to_vec(),
        probes: Vec::new(),
        overwrite: true,
        precision: None,
    };
    let mut recorder = Recorder::create(&folder.join("records"), &cast(model), records).map_err(|e| e.to_string())?;
    let (clock, wall) = (Clock::start(), Instant::now());
    let mut contacts = 0;
    for step in 1..=steps {
        let report = explicit.advance().map_err(|e| e.to_string())?;
        if step % 1000 == 0 || step == steps {
            contacts = report.contacts;
            recorder.frame(&explicit.snapshot()).map_err(|e| e.to_string())?;
        }
    }
    let (seconds, wall) = (clock.seconds(), wall.elapsed().as_secs_f64());
    recorder.finish().map_err(|e| e.to_string())?;
    let bodies = explicit.snapshot().bodies;
    let mix = |sum: u64, x: f64| sum.rotate_left(7) ^ x.to_bits();
    let bits = bodies.iter().flat_map(|body| body.position).fold(0, mix);
    Ok(Turn { contacts: contacts.max(explicit.contact_counts()[0]), seconds, wall, dt: explicit.time_step(), bits })
}

/// Speed-up of two threads; an error if they give other bits.
fn threads(
    model: &Arc<Model<D2>>,
    state: &State<D2>,
    steps: usize,
    folder: &std::path::Path,
) -> Result<String, String> {
    let pool = |n: usize| rayon::ThreadPoolBuilder::new().num_threads(n).build().map_err(|e| e.to_string());
    let (one, two) = (pool(1)?, pool(2)?);
    let mut ratios = Vec::new();
    for _ in 0..TURNS {
        let first = one.install(|| turn(model, state, steps, folder))?;
        let second = two.install(|| turn(model, state, steps, folder))?;
        if first.bits != second.bits {
            return Err("one thread and two give different bits".to_owned());
        }
        ratios.push(first.wall / second.wall);
    }
    Ok(format!("{:.2}", median(&mut ratios)))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    0.5 * (values[(values.len() - 1) / 2] + values[values.len() / 2])
}
