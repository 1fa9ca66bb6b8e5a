//! `cargo xtask bench`: the reference scenes, timed against one factorisation + solve of their own matrix.
//!
//! Times depend on the machine; their ratio to the factorisation measured in the same run does not.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use voussoir_contact::linear::Workspace;
use voussoir_contact::{Problem, SolverKind};
use voussoir_geometry::Space;
use voussoir_mechanics::model::{DynamicSettings, Model};
use voussoir_mechanics::stepper::Stepper;
use voussoir_model::{AnyModel, Scene, build, render};

use crate::place::root;

/// A scene of the benchmark: name, template, parameters, steps after the first.
struct Reference {
    name: &'static str,
    template: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    steps: usize,
    /// Time step [s]; `None`: that of the template.
    h: Option<f64>,
}

const SCENES: &[Reference] = &[
    Reference { name: "stack-50", template: "stack", parameters: &[("count", "50")], steps: 200, h: None },
    Reference { name: "arch-27", template: "arch", parameters: &[("voussoirs", "27")], steps: 200, h: None },
    Reference {
        name: "wall-20x10",
        template: "wall",
        parameters: &[("courses", "20"), ("bricks", "10"), ("brick", "[0.5,0.25,0.25]")],
        steps: 200,
        h: None,
    },
    Reference {
        name: "wall-18x28",
        template: "wall",
        parameters: &[("courses", "18"), ("bricks", "28"), ("brick", "[0.5,0.25,0.25]")],
        steps: 500,
        h: Some(2e-3),
    },
    Reference {
        name: "wall-60x40",
        template: "wall",
        parameters: &[("courses", "60"), ("bricks", "40"), ("brick", "[0.5,0.25,0.25]")],
        steps: 40,
        h: None,
    },
];

/// Solvers for problems in which contacts slide: no step of a structure at rest needs one.
const HARD: [SolverKind; 3] = [SolverKind::ProximalNewton, SolverKind::SmoothingNewton, SolverKind::InteriorPoint];

/// One row of the table.
struct Row {
    bodies: usize,
    contacts: usize,
    cold_ms: f64,
    cold_newton: usize,
    steady_ms: f64,
    mean_ms: f64,
    worst_ms: f64,
    hard: usize,
    steady_newton: f64,
    detection_us_per_contact: f64,
    factorisation_ms: f64,
    worst_residual: f64,
    converged: bool,
}

/// Runs the scenes named (all of them by default).
pub fn run(names: &[String]) -> Result<(), String> {
    if let Some(name) = names.iter().find(|name| SCENES.iter().all(|scene| scene.name != name.as_str())) {
        let known: Vec<&str> = SCENES.iter().map(|scene| scene.name).collect();
        return Err(format!("there is no reference scene `{name}`; there are {}", known.join(", ")));
    }
    println!(
        "{:<12} {:>7} {:>9} {:>9} {:>7} {:>10} {:>8} {:>8} {:>7} {:>5} {:>9} {:>10} {:>7} {:>9}",
        "scene",
        "bodies",
        "contacts",
        "cold ms",
        "newton",
        "steady ms",
        "mean",
        "worst",
        "newton",
        "hard",
        "detect",
        "factor ms",
        "ratio",
        "residual"
    );
    let mut csv = String::from(
        "scene,bodies,contacts,cold_ms,cold_newton,steady_ms,mean_ms,worst_ms,steady_newton_per_step,hard_steps,detection_us_per_contact,\
         factorisation_and_solve_ms,ratio,max_residual,converged\n",
    );
    for scene in SCENES.iter().filter(|scene| names.is_empty() || names.iter().any(|name| name == scene.name)) {
        let row = measure(scene)?;
        let ratio = row.steady_ms / row.factorisation_ms;
        println!(
            "{:<12} {:>7} {:>9} {:>9.2} {:>7} {:>10.3} {:>8.3} {:>8.2} {:>7.2} {:>5} {:>6.2} µs {:>10.3} {:>7.2} {:>9.1e}{}",
            scene.name,
            row.bodies,
            row.contacts,
            row.cold_ms,
            row.cold_newton,
            row.steady_ms,
            row.mean_ms,
            row.worst_ms,
            row.steady_newton,
            row.hard,
            row.detection_us_per_contact,
            row.factorisation_ms,
            ratio,
            row.worst_residual,
            if row.converged { "" } else { "  NOT CONVERGED" }
        );
        // the same values as in the table, unrounded
        let _ = writeln!(
            csv,
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
            scene.name,
            row.bodies,
            row.contacts,
            row.cold_ms,
            row.cold_newton,
            row.steady_ms,
            row.mean_ms,
            row.worst_ms,
            row.steady_newton,
            row.hard,
            row.detection_us_per_contact,
            row.factorisation_ms,
            ratio,
            row.worst_residual,
            row.converged
        );
    }
    let path = root().join("target/bench.csv");
    std::fs::write(&path, csv).map_err(|e| format!("{}: {e}", path.display()))?;
    println!("written to {}", path.display());
    Ok(())
}

fn measure(scene: &Reference) -> Result<Row, String> {
    let text = render(scene.template, scene.parameters).map_err(|e| e.to_string())?;
    let parsed = Scene::parse(&text, scene.name).map_err(|e| e.to_string())?;
    let built = build(&parsed, Path::new(".")).map_err(|e| e.to_string())?;
    let mut settings =
        built.stages.first().and_then(|stage| stage.dynamic()).ok_or("the template has no dynamic stage")?.clone();
    settings.step = scene.h.unwrap_or(settings.step);
    match built.model {
        AnyModel::Two(model) => time(std::sync::Arc::unwrap_or_clone(model), settings, scene.steps),
        AnyModel::Three(model) => time(std::sync::Arc::unwrap_or_clone(model), settings, scene.steps),
    }
}

fn time<S: Space>(model: Model<S>, settings: DynamicSettings, steps: usize) -> Result<Row, String> {
    let bodies = model.bodies.len();
    let mut stepper = Stepper::new(model, settings).map_err(|e| e.to_string())?;
    stepper.set_clock(now);
    let start = Instant::now();
    let first = stepper.step().map_err(|e| e.to_string())?;
    let cold_ms = 1e3 * start.elapsed().as_secs_f64();
    let (mut times, mut detection, mut newton) = (Vec::new(), Vec::new(), 0);
    let (mut worst, mut converged, mut hard) = (first.solve.residual, first.converged, 0);
    for _ in 0..steps {
        let start = Instant::now();
        let report = stepper.step().map_err(|e| e.to_string())?;
        times.push(1e3 * start.elapsed().as_secs_f64());
        detection.push(1e6 * report.seconds[0] / report.contacts.max(1) as f64);
        newton += report.solve.factorisations;
        hard += usize::from(HARD.contains(&report.solve.solver));
        worst = worst.max(report.solve.residual);
        converged &= report.converged;
    }
    let mean_ms = times.iter().sum::<f64>() / steps.max(1) as f64;
    let worst_ms = times.iter().copied().fold(0.0, f64::max);
    let (problem, _) = stepper.next_problem();
    Ok(Row {
        bodies,
        contacts: problem.contacts(),
        cold_ms,
        cold_newton: first.solve.factorisations,
        steady_ms: median(&mut times),
        mean_ms,
        worst_ms,
        hard,
        steady_newton: newton as f64 / steps as f64,
        detection_us_per_contact: median(&mut detection),
        factorisation_ms: factorisation_ms(&problem)?,
        worst_residual: worst,
        converged,
    })
}

/// One numeric factorisation + solve of the Hessian with every contact closed, the symbolic part done before.
pub fn factorisation_ms(problem: &Problem) -> Result<f64, String> {
    let dim = problem.dim();
    let diagonal = problem.delassus_diagonal();
    let mut g = vec![0.0; diagonal.len()];
    for (g, w) in g.chunks_exact_mut(dim * dim).zip(diagonal.chunks_exact(dim * dim)) {
        for k in 0..dim {
            g[k * dim + k] = 1e6 / w[k * dim + k];
        }
    }
    let mut workspace = Workspace::default();
    let mut x = problem.free_velocity().to_vec();
    let mut times = Vec::new();
    for _ in 0..7 {
        let start = Instant::now();
        workspace.factorise(problem, &g, true).map_err(|e| e.to_string())?;
        workspace.solve(&mut x);
        times.push(1e3 * start.elapsed().as_secs_f64());
    }
    Ok(median(&mut times[1..]))
}

pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn now() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}
