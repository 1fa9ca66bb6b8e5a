//! `cargo xtask bench collapse`: cost and accuracy of steps while rigid structures slide, rock and fall.
//!
//! Scenes are drawn from families by seed ([`scenes`]). Solvers are developed on seeds 1 to 12 and judged on 13 to 24;
//! any other seed is an unseen scene. Work is counted in units of one factorisation and solve of the same
//! pattern; sweeps count by their computing time. Counts do not depend on the machine, computing times do.

mod compare;
mod fixed;
mod measure;
mod peer;
mod scenes;

use std::fmt::Write as _;
use std::path::Path;

use voussoir_mechanics::model::DynamicSettings;
use voussoir_model::{AnyModel, Scene, build};

use crate::place::root;
use measure::{Count, Run, count};
use scenes::{Drawn, draw};

const HEAD: &str = "seed,scene,blocks,contacts,steps,work_mean,work_median,work_99,work_worst,factorisations_mean,sweeps_mean,\
                    ms_per_step,ms_detection,ms_assembly,ms_solving,ms_worst,retries,missed,residual,penetration,energy_error\n";

/// Options of the command line.
#[derive(Default)]
struct Asked {
    seeds: Vec<u64>,
    tolerance: Option<f64>,
    motion_tolerance: Option<f64>,
    steps: Option<usize>,
    /// Folder for the scenes, in place of running them.
    write: Option<String>,
    fixed: bool,
    trace: bool,
    /// Whether LMGC90 runs the scenes too.
    lmgc90: bool,
    words: Vec<String>,
}

impl Asked {
    fn read(arguments: &[String]) -> Result<Self, String> {
        let mut asked = Self::default();
        let mut rest = arguments.iter();
        while let Some(word) = rest.next() {
            let mut value = || rest.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--seeds" => asked.seeds = range(value()?)?,
                "--tolerance" => asked.tolerance = Some(value()?.parse().map_err(|_| "--tolerance: not a number")?),
                "--motion-tolerance" => {
                    asked.motion_tolerance = Some(value()?.parse().map_err(|_| "--motion-tolerance: not a number")?)
                }
                "--steps" => asked.steps = Some(value()?.parse().map_err(|_| "--steps: not a whole number")?),
                "--write" => asked.write = Some(value()?.clone()),
                "--fixed" => asked.fixed = true,
                "--trace" => asked.trace = true,
                "--lmgc90" => asked.lmgc90 = true,
                other => asked.words.push(other.to_owned()),
            }
        }
        if asked.seeds.is_empty() {
            asked.seeds = (1..=24).collect();
        }
        Ok(asked)
    }
}

/// Seeds of `7`, `1-12` or `3,5,8`.
fn range(text: &str) -> Result<Vec<u64>, String> {
    let number = |word: &str| match word.parse::<u64>() {
        Ok(seed) if seed > 0 => Ok(seed),
        _ => Err(format!("--seeds: `{word}` is no seed; give for instance 7, 1-12 or 3,5,8")),
    };
    let mut seeds = Vec::new();
    for part in text.split(',') {
        match part.split_once('-') {
            Some((first, last)) => seeds.extend(number(first)?..=number(last)?),
            None => seeds.push(number(part)?),
        }
    }
    Ok(seeds)
}

/// Runs drawn scenes, or with `--fixed` the seven structures whose names contain one of the words given.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let asked = Asked::read(arguments)?;
    let drawn: Vec<(u64, Drawn)> = if asked.fixed {
        fixed::structures(&asked.words)?.into_iter().map(|scene| (0, scene)).collect()
    } else {
        asked.seeds.iter().map(|&seed| (seed, draw(seed))).collect()
    };
    if let Some(folder) = &asked.write {
        return write(&drawn, Path::new(folder));
    }
    if asked.lmgc90 {
        return compare::run(&drawn, &asked);
    }
    println!(
        "{:>4} {:<36} {:>6} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6} {:>7} {:>7} {:>7} {:>7} {:>6} {:>8} {:>8} {:>8}  solved by",
        "seed",
        "scene",
        "blocks",
        "contacts",
        "mean",
        "median",
        "99 %",
        "worst",
        "fact.",
        "sweeps",
        "ms/step",
        "worst",
        "retries",
        "missed",
        "residual",
        "depth",
        "energy"
    );
    let mut csv = String::from(HEAD);
    for (seed, scene) in &drawn {
        match measure(scene, &asked) {
            Ok(count) => row(*seed, &scene.name, &count, &mut csv),
            Err(error) => println!("{seed:>4} {:<36} {error}", scene.name),
        }
    }
    let path = root().join("target/collapse.csv");
    std::fs::write(&path, csv).map_err(|e| format!("{}: {e}", path.display()))?;
    println!("written to {}", path.display());
    Ok(())
}

fn write(drawn: &[(u64, Drawn)], folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for (seed, scene) in drawn {
        let path = folder.join(format!("seed_{seed:02}.toml"));
        std::fs::write(&path, format!("# {}\n{}", scene.name, scene.text))
            .map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

fn row(seed: u64, name: &str, count: &Count, csv: &mut String) {
    let steps = count.factorisations.len().max(1) as f64;
    let mean = |x: &[usize]| x.iter().sum::<usize>() as f64 / steps;
    let ms = 1e3 / steps;
    let by: Vec<String> = count.solvers.iter().map(|(name, times)| format!("{name} {times}")).collect();
    println!(
        "{seed:>4} {name:<36} {:>6} {:>8} {:>6.2} {:>6.1} {:>6.0} {:>6.0} {:>6.2} {:>7.1} {:>7.1} {:>7.0} {:>7} {:>6} {:>8.1e} {:>8.1e} {:>8.1e}  {}",
        count.bodies,
        count.contacts,
        count.mean(),
        count.quantile(0.5),
        count.quantile(0.99),
        count.quantile(1.0),
        mean(&count.factorisations),
        mean(&count.sweeps),
        ms * count.seconds,
        1e3 * count.slowest,
        count.retries,
        count.missed,
        count.residual,
        count.penetration,
        count.energy_error,
        by.join(", ")
    );
    // the values of the table and the parts of the time
    let _ = writeln!(
        csv,
        "{seed},\"{name}\",{},{},{steps},{:.3},{:.2},{:.2},{:.2},{:.3},{:.2},{:.3},{:.3},{:.3},{:.3},{:.2},{},{},{:.3e},{:.3e},{:.3e}",
        count.bodies,
        count.contacts,
        count.mean(),
        count.quantile(0.5),
        count.quantile(0.99),
        count.quantile(1.0),
        mean(&count.factorisations),
        mean(&count.sweeps),
        ms * count.seconds,
        ms * count.parts[0],
        ms * count.parts[1],
        ms * count.parts[2],
        1e3 * count.slowest,
        count.retries,
        count.missed,
        count.residual,
        count.penetration,
        count.energy_error
    );
}

/// The model of a scene and the settings of its first stage.
fn build_scene(drawn: &Drawn, asked: &Asked) -> Result<(AnyModel, DynamicSettings), String> {
    let scene = Scene::parse(&drawn.text, &drawn.name).map_err(|e| e.to_string())?;
    let built = build(&scene, Path::new(".")).map_err(|e| e.to_string())?;
    let mut settings =
        built.stages.first().and_then(|stage| stage.dynamic()).ok_or("the scene has no dynamic stage")?.clone();
    settings.tolerance = asked.tolerance.unwrap_or(settings.tolerance);
    settings.motion_tolerance = asked.motion_tolerance.or(settings.motion_tolerance);
    Ok((built.model, settings))
}

fn measure(drawn: &Drawn, asked: &Asked) -> Result<Count, String> {
    let (model, settings) = build_scene(drawn, asked)?;
    let run = Run { steps: asked.steps.unwrap_or(drawn.steps), trace: asked.trace };
    match model {
        AnyModel::Two(model) => count(std::sync::Arc::unwrap_or_clone(model), settings, &run),
        AnyModel::Three(model) => count(std::sync::Arc::unwrap_or_clone(model), settings, &run),
    }
}
