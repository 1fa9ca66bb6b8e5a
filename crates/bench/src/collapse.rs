//! `cargo xtask bench collapse`: what steps cost while structures fall, counted in factorisations.
//!
//! Counts do not depend on the machine, so any build will do. Every structure slides, opens and hits the ground at
//! 1e-8; the mean per step is what a collapse in time costs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use voussoir_geometry::Space;
use voussoir_mechanics::model::{DynamicSettings, Model};
use voussoir_mechanics::stepper::Stepper;
use voussoir_model::{AnyModel, Scene, build, render};

use crate::place::root;

/// A structure that falls: name, template, parameters, gravity with its sideways part, steps of 1 ms.
struct Falling {
    name: &'static str,
    template: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    gravity: &'static str,
    steps: usize,
}

const BRICK: (&str, &str) = ("brick", "[0.5,0.25,0.25]");

const STRUCTURES: &[Falling] = &[
    Falling {
        name: "wall 10x20, 0.65 g",
        template: "wall",
        parameters: &[("courses", "10"), ("bricks", "20"), BRICK, ("friction", "0.6")],
        gravity: "[6.3765, 0.0, -9.81]",
        steps: 250,
    },
    Falling {
        name: "wall 10x20, 0.9 g",
        template: "wall",
        parameters: &[("courses", "10"), ("bricks", "20"), BRICK, ("friction", "0.6")],
        gravity: "[8.829, 0.0, -9.81]",
        steps: 250,
    },
    Falling {
        name: "wall 20x10, 0.5 g",
        template: "wall",
        parameters: &[("courses", "20"), ("bricks", "10"), BRICK, ("friction", "0.6")],
        gravity: "[4.905, 0.0, -9.81]",
        steps: 250,
    },
    Falling {
        name: "wall 6x6, 0.65 g",
        template: "wall",
        parameters: &[("courses", "6"), ("bricks", "6"), BRICK, ("friction", "0.6")],
        gravity: "[6.3765, 0.0, -9.81]",
        steps: 400,
    },
    Falling {
        name: "arch 27, 0.5 g",
        template: "arch",
        parameters: &[("voussoirs", "27")],
        gravity: "[4.905, 0.0, -9.81]",
        steps: 600,
    },
    Falling {
        name: "arch 27 in 2D, 0.5 g",
        template: "arch",
        parameters: &[("voussoirs", "27"), ("dim", "2")],
        gravity: "[4.905, -9.81]",
        steps: 600,
    },
    Falling {
        name: "wall 10x10 in 2D, 0.7 g",
        template: "wall",
        parameters: &[("courses", "10"), ("bricks", "10"), BRICK, ("friction", "0.6"), ("dim", "2")],
        gravity: "[6.867, -9.81]",
        steps: 400,
    },
];

/// What one structure took.
#[derive(Default)]
struct Count {
    bodies: usize,
    per_step: Vec<usize>,
    missed: usize,
    solvers: BTreeMap<&'static str, usize>,
}

/// Runs the structures whose names contain one of the words given (all by default).
pub fn run(words: &[String]) -> Result<(), String> {
    println!(
        "{:<24} {:>6} {:>6} {:>6} {:>7} {:>5} {:>6} {:>6}  solved by",
        "structure", "blocks", "steps", "mean", "median", "90 %", "worst", "missed"
    );
    let mut csv = String::from("structure,blocks,steps,mean,median,ninth_decile,worst,missed\n");
    for falling in STRUCTURES.iter().filter(|f| words.is_empty() || words.iter().any(|w| f.name.contains(w.as_str()))) {
        let mut count = measure(falling)?;
        count.per_step.sort_unstable();
        let steps = count.per_step.len().max(1);
        let mean = count.per_step.iter().sum::<usize>() as f64 / steps as f64;
        let at = |part: f64| count.per_step.get((part * (steps - 1) as f64).round() as usize).copied().unwrap_or(0);
        let by: Vec<String> = count.solvers.iter().map(|(name, times)| format!("{name} {times}")).collect();
        println!(
            "{:<24} {:>6} {steps:>6} {mean:>6.2} {:>7} {:>5} {:>6} {:>6}  {}",
            falling.name,
            count.bodies,
            at(0.5),
            at(0.9),
            at(1.0),
            count.missed,
            by.join(", ")
        );
        let _ = writeln!(
            csv,
            "\"{}\",{},{steps},{mean:.3},{},{},{},{}",
            falling.name,
            count.bodies,
            at(0.5),
            at(0.9),
            at(1.0),
            count.missed
        );
    }
    let path = root().join("target/collapse.csv");
    std::fs::write(&path, csv).map_err(|e| format!("{}: {e}", path.display()))?;
    println!("written to {}", path.display());
    Ok(())
}

fn measure(falling: &Falling) -> Result<Count, String> {
    let text = render(falling.template, falling.parameters).map_err(|e| e.to_string())?;
    let mut lines: Vec<String> = text.lines().filter(|line| !line.starts_with("gravity")).map(str::to_owned).collect();
    lines.insert(0, format!("gravity = {}", falling.gravity));
    let scene = Scene::parse(&lines.join("\n"), falling.name).map_err(|e| e.to_string())?;
    let built = build(&scene, Path::new(".")).map_err(|e| e.to_string())?;
    let settings =
        built.stages.first().and_then(|stage| stage.dynamic()).ok_or("the template has no dynamic stage")?.clone();
    match built.model {
        AnyModel::Two(model) => count(std::sync::Arc::unwrap_or_clone(model), settings, falling.steps),
        AnyModel::Three(model) => count(std::sync::Arc::unwrap_or_clone(model), settings, falling.steps),
    }
}

fn count<S: Space>(model: Model<S>, settings: DynamicSettings, steps: usize) -> Result<Count, String> {
    let mut count = Count { bodies: model.bodies.len(), ..Count::default() };
    let mut stepper = Stepper::new(model, settings).map_err(|e| e.to_string())?;
    for _ in 0..steps {
        let report = stepper.step().map_err(|e| e.to_string())?;
        count.per_step.push(report.solve.factorisations);
        count.missed += usize::from(!report.converged);
        *count.solvers.entry(report.solve.solver.name()).or_default() += 1;
    }
    Ok(count)
}
