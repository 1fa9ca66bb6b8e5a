//! `cargo xtask bench elastic`: a wall of 105 bricks of 128 elements each, beside the same wall of rigid bricks.
//!
//! Every step is computed anew: a rigid wall at rest would otherwise take over the results of the step before. The ratio to one
//! factorisation + solve of the own matrix of each wall is measured in the same run, as are the counts of meshes, factorisations
//! of blocks and condensations, and the memory per element.

use std::fmt::Write as _;
use std::path::Path;

use voussoir_mechanics::stepper::Stepper;
use voussoir_model::{AnyModel, Scene, build, render};

use crate::clock::Clock;
use crate::growth::peak_memory_mb;
use crate::place::root;
use crate::steps::{factorisation_ms, median};

/// Courses and bricks of the wall, size of the bricks [m] and of the elements [m].
const WALL: [(&str, &str); 3] = [("courses", "15"), ("bricks", "7"), ("brick", "[0.5,0.25,0.25]")];
const ELEMENT: f64 = 0.0626;

/// Steps that are measured, after as many that are not.
const STEPS: usize = 30;

/// A wall: name, keys of `[[elastic]]`.
const WALLS: [(&str, Option<usize>); 3] =
    [("rigid", None), ("elastic, corners", Some(0)), ("elastic, grid 2", Some(2))];

/// Measures the walls.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let steps = match arguments.first() {
        None => STEPS,
        Some(text) => text.parse().map_err(|_| format!("`{text}` is not a number of steps"))?,
    };
    println!(
        "{:<18} {:>8} {:>9} {:>6} {:>8} {:>9} {:>10} {:>10} {:>7} {:>9} {:>8}",
        "wall",
        "elements",
        "contacts",
        "meshes",
        "factors",
        "condens.",
        "ms/step",
        "factor ms",
        "ratio",
        "residual",
        "kB/elem."
    );
    let mut csv = String::from(
        "wall,elements,contacts,meshes,factorisations,condensations,ms_per_step,factorisation_and_solve_ms,max_residual,kb_per_element\n",
    );
    let mut rigid = f64::NAN;
    for (name, grid) in WALLS {
        let before = peak_memory_mb();
        let mut text = render("wall", &WALL).map_err(|e| e.to_string())?;
        if let Some(grid) = grid {
            let _ = write!(
                text,
                "\n[[elastic]]\nselect = \"wall\"\nyoung_modulus = 20e9\nelement_size = {ELEMENT}\ncontact_grid = {grid}\n"
            );
        }
        let scene = Scene::parse(&text, name).map_err(|e| e.to_string())?;
        let built = build(&scene, Path::new(".")).map_err(|e| e.to_string())?;
        let mut settings =
            built.stages.first().and_then(|stage| stage.dynamic()).ok_or("the template has no dynamic stage")?.clone();
        (settings.step, settings.theta) = (1e-3, 1.0);
        let AnyModel::Three(model) = built.model else { return Err("the wall is not in 3D".to_owned()) };
        let mut stepper = Stepper::new(model, settings).map_err(|e| e.to_string())?;
        stepper.recompute();
        let (mut times, mut worst) = (Vec::new(), 0.0f64);
        for step in 0..2 * steps {
            let clock = Clock::start();
            let report = stepper.step().map_err(|e| e.to_string())?;
            if step >= steps {
                times.push(1e3 * clock.seconds());
                worst = worst.max(report.solve.residual);
            }
        }
        let [factors, condensations] = stepper.elastic_counts();
        let (problem, _) = stepper.next_problem();
        let factor = factorisation_ms(&problem)?;
        let ms = median(&mut times);
        if grid.is_none() {
            rigid = ms;
        }
        let elements = built.elastic.elements;
        let memory = 1024.0 * (peak_memory_mb() - before) / elements as f64;
        println!(
            "{name:<18} {elements:>8} {:>9} {:>6} {factors:>8} {condensations:>9} {ms:>10.2} {factor:>10.2} {:>7.2} {worst:>9.1e} {memory:>8.2}",
            problem.contacts(),
            built.elastic.meshes,
            ms / rigid
        );
        let _ = writeln!(
            csv,
            "{name},{elements},{},{},{factors},{condensations},{ms},{factor},{worst},{memory}",
            problem.contacts(),
            built.elastic.meshes
        );
    }
    let path = root().join("target/elastic.csv");
    std::fs::write(&path, csv).map_err(|e| format!("{}: {e}", path.display()))?;
    println!("ratio: to the rigid wall; written to {}", path.display());
    Ok(())
}
