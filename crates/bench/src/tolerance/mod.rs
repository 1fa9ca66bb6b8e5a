//! `cargo xtask bench tolerance`: effect of the tolerance of the contact problem on a collapse, compared with the
//! effect of the time step.
//!
//! Ten small structures that fall run at the tolerances 1e-4 … 1e-8, with the same required residual in every step; the
//! run at 1e-8 is the reference. Compared are the time at which the collapse begins (a block has moved by half its size
//! relative to where the supports took it), which for the arch under a growing load is the collapse load, and the place
//! of the centroid of all blocks at the end, which for structures that come to rest is the final heap. The same two
//! numbers for half the time step at 1e-8 show the error of the time scheme. Writes `target/tolerance.csv` and
//! `docs/pictures/tolerance.svg`.

mod chart;
mod scenes;

use std::fmt::Write as _;
use std::path::Path;

use voussoir_geometry::{Solid, Space, Vector};
use voussoir_mechanics::model::{DynamicSettings, Model, Role};
use voussoir_mechanics::state::State;
use voussoir_mechanics::stepper::Stepper;
use voussoir_model::{AnyModel, Scene, build};

use crate::clock::Clock;
use crate::place::root;
use scenes::SCENES;

/// Tolerances of the study, the reference last.
const TOLERANCES: [f64; 5] = [1e-4, 1e-5, 1e-6, 1e-7, 1e-8];

/// Results of one run.
#[derive(Clone, Copy, Default)]
struct Outcome {
    /// Beginning of the collapse [s]; NaN if there is none.
    begins: f64,
    /// Centroid of the free bodies at the end [m].
    centroid: [f64; 3],
    /// Largest speed of a body at the end [m/s].
    speed: f64,
    /// Factorisations per step.
    factorisations: f64,
    missed: usize,
    seconds: f64,
    /// Mean size of the blocks [m].
    size: f64,
}

impl Outcome {
    /// Distance of the centroids relative to the size of a block.
    fn shift(&self, other: &Self) -> f64 {
        let square: f64 = (0..3).map(|i| (self.centroid[i] - other.centroid[i]).powi(2)).sum();
        square.sqrt() / self.size
    }

    /// Difference of the times at which the collapse begins, relative to that time.
    fn delay(&self, other: &Self) -> f64 {
        (self.begins - other.begins).abs() / other.begins
    }
}

/// Results of one scene: relative differences from the reference by tolerance, and of half the step.
struct Row {
    name: &'static str,
    shifts: Vec<f64>,
    half_step: f64,
}

/// Runs the study, or the scenes whose names contain one of the words.
pub fn run(words: &[String]) -> Result<(), String> {
    println!(
        "{:<48} {:>11} {:>9} {:>9} {:>9} {:>9} {:>9} {:>7} {:>7}",
        "scene", "", "begins s", "change", "centroid", "speed", "fact.", "missed", "CPU s"
    );
    let mut csv = String::from(
        "scene,tolerance,step_s,begins_s,begins_change,centroid_change,speed,factorisations,missed,seconds\n",
    );
    let mut rows = Vec::new();
    for scene in
        SCENES.iter().filter(|scene| words.is_empty() || words.iter().any(|word| scene.name.contains(word.as_str())))
    {
        let reference = one(scene, 1e-8, 1.0)?;
        let mut shifts = Vec::new();
        for tolerance in TOLERANCES {
            let outcome = if tolerance == 1e-8 { reference } else { one(scene, tolerance, 1.0)? };
            print_row(scene.name, tolerance, scene.step, &outcome, &reference, &mut csv);
            shifts.push(outcome.shift(&reference));
        }
        let half = one(scene, 1e-8, 0.5)?;
        print_row(scene.name, 1e-8, 0.5 * scene.step, &half, &reference, &mut csv);
        rows.push(Row { name: scene.name, shifts, half_step: half.shift(&reference) });
    }
    for (path, text) in [("target/tolerance.csv", csv), ("docs/pictures/tolerance.svg", chart::svg(&rows))] {
        let path = root().join(path);
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        println!("written to {}", path.display());
    }
    Ok(())
}

fn print_row(name: &str, tolerance: f64, step: f64, outcome: &Outcome, reference: &Outcome, csv: &mut String) {
    let (delay, shift) = (outcome.delay(reference), outcome.shift(reference));
    println!(
        "{name:<48} {:>11} {:>9.4} {delay:>9.1e} {shift:>9.1e} {:>9.1e} {:>9.1} {:>7} {:>7.1}",
        format!("{tolerance:.0e} {step:e}"),
        outcome.begins,
        outcome.speed,
        outcome.factorisations,
        outcome.missed,
        outcome.seconds
    );
    let _ = writeln!(
        csv,
        "\"{name}\",{tolerance:e},{step},{:.6},{delay:.3e},{shift:.3e},{:.3e},{:.2},{},{:.2}",
        outcome.begins, outcome.speed, outcome.factorisations, outcome.missed, outcome.seconds
    );
}

/// One run at a tolerance, with a multiple of the scene's step.
fn one(scene: &scenes::Fallen, tolerance: f64, multiple: f64) -> Result<Outcome, String> {
    let text = scene.text();
    let parsed = Scene::parse(&text, scene.name).map_err(|e| e.to_string())?;
    let built = build(&parsed, Path::new(".")).map_err(|e| e.to_string())?;
    let settings = DynamicSettings {
        step: multiple * scene.step,
        tolerance,
        motion_tolerance: Some(tolerance),
        ..DynamicSettings::default()
    };
    let steps = (scene.duration / settings.step).round() as usize;
    match built.model {
        AnyModel::Two(model) => follow(std::sync::Arc::unwrap_or_clone(model), settings, steps),
        AnyModel::Three(model) => follow(std::sync::Arc::unwrap_or_clone(model), settings, steps),
    }
}

fn follow<S: Space>(model: Model<S>, settings: DynamicSettings, steps: usize) -> Result<Outcome, String> {
    let free: Vec<usize> = (0..model.bodies.len()).filter(|&i| model.bodies[i].role == Role::Free).collect();
    let sizes: Vec<f64> = free.iter().map(|&i| model.bodies[i].shape.size()).collect();
    let carried = model.bodies.iter().position(|body| matches!(body.role, Role::Support(Some(_))));
    let starts: Vec<S::Vector> = model.bodies.iter().map(|body| body.pose.position).collect();
    let mut stepper = Stepper::new(model, settings).map_err(|e| e.to_string())?;
    let mut outcome =
        Outcome { begins: f64::NAN, size: sizes.iter().sum::<f64>() / sizes.len() as f64, ..Outcome::default() };
    let clock = Clock::start();
    let mut factorisations = 0;
    for _ in 0..steps {
        let report = stepper.step().map_err(|e| e.to_string())?;
        factorisations += report.solve.factorisations;
        outcome.missed += usize::from(!report.converged);
        let state = stepper.state();
        let ground = carried.map_or(S::zero(), |i| state.poses[i].position - starts[i]);
        let moved = |(&i, size): (&usize, &f64)| (state.poses[i].position - starts[i] - ground).length() > 0.5 * size;
        if outcome.begins.is_nan() && free.iter().zip(&sizes).any(moved) {
            outcome.begins = state.time;
        }
    }
    outcome.seconds = clock.seconds();
    outcome.factorisations = factorisations as f64 / steps as f64;
    outcome.centroid = centroid(stepper.model(), stepper.state(), &free);
    let speeds = free.iter().map(|&i| S::unpack(&stepper.state().velocities[i * S::DOFS..][..S::DOFS]).0.length());
    outcome.speed = speeds.fold(0.0, f64::max);
    Ok(outcome)
}

fn centroid<S: Space>(model: &Model<S>, state: &State<S>, free: &[usize]) -> [f64; 3] {
    let mass: f64 = free.iter().map(|&i| model.bodies[i].mass).sum();
    let sum = free.iter().fold(S::zero(), |sum, &i| sum + state.poses[i].position * model.bodies[i].mass);
    (sum * (1.0 / mass)).to_3d()
}
