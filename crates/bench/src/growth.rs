//! `cargo xtask bench growth`: the static problem of walls of increasing size, without a warm start, on one thread and
//! on all.
//!
//! Growth is the exponent p in time ~ blocksᵖ from one wall to the next. The two answers must have the same bits.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use voussoir_contact::{Options, Problem, Solution, Solver, Status};
use voussoir_mechanics::stepper::Stepper;
use voussoir_model::{AnyModel, Scene, build, render};

use crate::place::root;

/// Courses and bricks of the walls.
const WALLS: [(usize, usize); 3] = [(60, 40), (160, 125), (400, 250)];

/// Measures the walls of at most the number of blocks given (all by default).
pub fn run(arguments: &[String]) -> Result<(), String> {
    let most = match arguments.first() {
        None => usize::MAX,
        Some(text) => text.parse().map_err(|_| format!("`{text}` is not a number of blocks"))?,
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "{:>8} {:>9} {:>7} {:>10} {:>10} {:>8} {:>7} {:>9} {:>10}",
        "blocks", "contacts", "factor.", "1 thread s", "all s", "speed-up", "growth", "residual", "memory MB"
    );
    let mut csv =
        String::from("blocks,contacts,factorisations,one_thread_s,threads,all_threads_s,growth,residual,peak_mb\n");
    let mut before: Option<(f64, f64)> = None;
    for (courses, bricks) in WALLS.into_iter().filter(|(courses, bricks)| courses * bricks <= most) {
        let (blocks, problem) = wall(courses, bricks)?;
        let (one, one_s) = solve(&problem, 1)?;
        let (all, all_s) = solve(&problem, threads)?;
        if one.impulses.iter().zip(&all.impulses).any(|(a, b)| a.to_bits() != b.to_bits()) {
            return Err(format!("wall of {blocks} blocks: one thread and {threads} give different bits"));
        }
        if all.report.status != Status::Converged {
            return Err(format!("wall of {blocks} blocks: not converged, residual {:.1e}", all.report.residual));
        }
        let growth = before.map(|(n, s)| (one_s / s).ln() / (blocks as f64 / n).ln());
        before = Some((blocks as f64, one_s));
        let growth = growth.map_or("-".to_owned(), |p| format!("{p:.2}"));
        println!(
            "{blocks:>8} {:>9} {:>7} {one_s:>10.3} {all_s:>10.3} {:>8.2} {growth:>7} {:>9.1e} {:>10.0}",
            problem.contacts(),
            all.report.factorisations,
            one_s / all_s,
            all.report.residual,
            peak_memory_mb()
        );
        let _ = writeln!(
            csv,
            "{blocks},{},{},{one_s:.4},{threads},{all_s:.4},{growth},{:.3e},{:.0}",
            problem.contacts(),
            all.report.factorisations,
            all.report.residual,
            peak_memory_mb()
        );
    }
    let path = root().join("target/growth.csv");
    std::fs::write(&path, csv).map_err(|e| format!("{}: {e}", path.display()))?;
    println!("written to {}", path.display());
    Ok(())
}

/// The problem of the first step of a wall.
fn wall(courses: usize, bricks: usize) -> Result<(usize, Problem), String> {
    let (courses, bricks) = (courses.to_string(), bricks.to_string());
    let parameters = [("courses", courses.as_str()), ("bricks", bricks.as_str()), ("brick", "[0.5,0.25,0.25]")];
    let text = render("wall", &parameters).map_err(|e| e.to_string())?;
    let scene = Scene::parse(&text, "wall").map_err(|e| e.to_string())?;
    let built = build(&scene, Path::new(".")).map_err(|e| e.to_string())?;
    let settings =
        built.stages.first().and_then(|stage| stage.dynamic()).ok_or("the template has no dynamic stage")?.clone();
    let AnyModel::Three(model) = built.model else { return Err("the wall is not in 3D".to_owned()) };
    let blocks = model.bodies.len();
    let mut stepper = Stepper::new(model, settings).map_err(|e| e.to_string())?;
    Ok((blocks, stepper.next_problem().0))
}

/// From zero, with a number of threads; the time is that of the solve alone [s].
fn solve(problem: &Problem, threads: usize) -> Result<(Solution, f64), String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|e| e.to_string())?;
    let zeros = vec![0.0; problem.dim() * problem.contacts()];
    let start = Instant::now();
    let solution = pool.install(|| Solver::new().solve(problem, &zeros, &Options::default()));
    Ok((solution, start.elapsed().as_secs_f64()))
}

/// Peak memory of this process [MB]; NaN if the system does not report it.
pub fn peak_memory_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok()).map_or(f64::NAN, |kb| kb / 1024.0)
}
