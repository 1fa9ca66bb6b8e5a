//! Our steps and those of LMGC90 on the same scenes, side by side.

use std::fmt::Write as _;
use std::path::Path;

use voussoir_model::AnyModel;

use super::measure::{Run, count};
use super::scenes::Drawn;
use super::{Asked, build_scene, peer};
use crate::place::root;

const HEAD: &str = "seed,scene,blocks,steps,our_contacts,our_ms_per_step,our_residual,our_penetration,missed,\
                    lmgc90_contacts,lmgc90_ms_per_step,lmgc90_residual_max,lmgc90_residual_median,lmgc90_penetration,ratio\n";

/// Runs the scenes in both programs, one thread each, and prints CPU times, residuals and their ratio.
pub fn run(drawn: &[(u64, Drawn)], asked: &Asked) -> Result<(), String> {
    let python = peer::install()?;
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|e| e.to_string())?;
    println!(
        "{:>4} {:<36} {:>6} {:>5} {:>9} {:>8} {:>8} {:>6} {:>11} {:>8} {:>8} {:>8} {:>7}",
        "seed",
        "scene",
        "blocks",
        "steps",
        "ms/step",
        "residual",
        "depth",
        "missed",
        "LMGC90 ms",
        "residual",
        "median",
        "depth",
        "ratio"
    );
    let mut csv = String::from(HEAD);
    let mut ratios = Vec::new();
    for (seed, scene) in drawn {
        match one.install(|| compare(&python, *seed, scene, asked, &mut csv)) {
            Ok(ratio) => ratios.extend(ratio),
            Err(error) => println!("{seed:>4} {:<36} {error}", scene.name),
        }
    }
    ratios.sort_by(f64::total_cmp);
    if let Some(worst) = ratios.first() {
        let median = 0.5 * (ratios[(ratios.len() - 1) / 2] + ratios[ratios.len() / 2]);
        println!("LMGC90's CPU time over ours: median {median:.1}, worst {worst:.2}, {} scenes", ratios.len());
    }
    let path = root().join("target/collapse-lmgc90.csv");
    std::fs::write(&path, csv).map_err(|e| format!("{}: {e}", path.display()))?;
    println!("written to {}", path.display());
    Ok(())
}

/// One scene; returns LMGC90's computing time over ours, or `None` if no contact was found in these steps.
fn compare(python: &Path, seed: u64, scene: &Drawn, asked: &Asked, csv: &mut String) -> Result<Option<f64>, String> {
    let (model, settings) = build_scene(scene, asked)?;
    let AnyModel::Three(model) = model else { return Err("not run: a scene in 2D".to_owned()) };
    let steps = asked.steps.unwrap_or(scene.steps);
    let their = peer::measure(python, &model, &settings, steps)?;
    let our = count(std::sync::Arc::unwrap_or_clone(model), settings, &Run { steps, trace: false })?;
    let ms = 1e3 / steps.max(1) as f64;
    let ratio = their.seconds / our.seconds;
    println!(
        "{seed:>4} {:<36} {:>6} {steps:>5} {:>9.2} {:>8.1e} {:>8.1e} {:>6} {:>11.2} {:>8.1e} {:>8.1e} {:>8.1e} {ratio:>7.2}",
        scene.name,
        our.bodies,
        ms * our.seconds,
        our.residual,
        our.penetration,
        our.missed,
        ms * their.seconds,
        their.residual[0],
        their.residual[1],
        their.penetration,
    );
    let _ = writeln!(
        csv,
        "{seed},\"{}\",{},{steps},{},{:.4},{:.3e},{:.3e},{},{},{:.4},{:.3e},{:.3e},{:.3e},{ratio:.3}",
        scene.name,
        our.bodies,
        our.contacts,
        ms * our.seconds,
        our.residual,
        our.penetration,
        our.missed,
        their.contacts,
        ms * their.seconds,
        their.residual[0],
        their.residual[1],
        their.penetration
    );
    Ok((our.contacts > 0).then_some(ratio))
}
