//! `cargo xtask bench ice`: fields of ice floes by the event-driven analysis, CPU time against simulated time.
//!
//! | word | scene | goal |
//! |---|---|---|
//! | `shear` | 1000 floes, concentration 0.75, doubly periodic 100 km, sheared current 0–0.5–0 m/s, 100 000 s | 60 s |
//! | `storm` | 200 floes, concentration 0.6, storm over a basin with an island, 10 000 s | 3 s |
//! | `large` | 10 000 floes, concentration 0.6, the same storm, 24 h | 30 min |
//! | `growth` | time per event of 100 to 10 000 floes at the same concentration, periodic | grows like log n |
//! | `drift` | 100 000 floes without contacts, 20 steps | 2 µs a floe and step |
//!
//! A scene ends at its simulated time or at the limit of CPU time, whichever comes first; the table gives the simulated
//! time.

use std::fmt::Write as _;
use std::path::Path;

use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::events::{self, EVENT_COLUMNS};
use voussoir_model::{Scene, StageAnalysis, build, render};

use crate::clock::Clock;
use crate::place::root;

/// CPU time after which a scene ends, unless given [s].
const LIMIT: f64 = 120.0;

/// A scene and its goal.
struct Row {
    word: &'static str,
    template: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    /// Required CPU time [s].
    goal: f64,
}

const ROWS: [Row; 3] = [
    Row {
        word: "shear",
        template: "ice-shear",
        parameters: &[("count", "1000"), ("duration", "100000"), ("step", "100")],
        goal: 60.0,
    },
    Row { word: "storm", template: "ice-basin", parameters: &[("count", "200"), ("duration", "10000")], goal: 3.0 },
    Row {
        word: "large",
        template: "ice-basin",
        parameters: &[("count", "10000"), ("size", "70000"), ("duration", "86400")],
        goal: 1800.0,
    },
];

/// Sizes of the scenes of `growth`.
const COUNTS: [usize; 3] = [100, 1000, 10_000];

/// Measures the scenes whose words are given (all by default).
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (mut words, mut limit) = (Vec::new(), LIMIT);
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        if word == "--limit" {
            let text = rest.next().ok_or("--limit needs a number of seconds")?;
            limit = text.parse().map_err(|_| format!("`{text}` is not a number of seconds"))?;
        } else {
            words.push(word.as_str());
        }
    }
    let wanted = |word: &str| words.is_empty() || words.contains(&word);
    let mut csv = String::from("scene,floes,simulated_s,of_s,cpu_s,goal_s,impacts,jams,looks,missed,worst_residual\n");
    println!(
        "{:>8} {:>7} {:>10} {:>8} {:>8} {:>7} {:>8} {:>7} {:>10} {:>7} {:>9}",
        "scene", "floes", "simulated", "of s", "CPU s", "goal s", "impacts", "jams", "looks", "missed", "residual"
    );
    for row in ROWS.iter().filter(|row| wanted(row.word)) {
        let found = measure(row.template, row.parameters, limit)?;
        println!(
            "{:>8} {:>7} {:>10.0} {:>8.0} {:>8.2} {:>7.0} {:>8.0} {:>7.0} {:>10.0} {:>7} {:>9.1e}",
            row.word,
            found.floes,
            found.simulated,
            found.duration,
            found.cpu,
            row.goal,
            found.impacts,
            found.jams,
            found.looks,
            found.missed,
            found.residual
        );
        // the same values as in the table, unrounded
        let _ = writeln!(
            csv,
            "{},{},{},{},{:.3},{},{},{},{},{},{:.3e}",
            row.word,
            found.floes,
            found.simulated,
            found.duration,
            found.cpu,
            row.goal,
            found.impacts,
            found.jams,
            found.looks,
            found.missed,
            found.residual
        );
    }
    if wanted("growth") {
        growth(limit)?;
    }
    if wanted("drift") {
        drift()?;
    }
    let path = root().join("target/ice.csv");
    std::fs::write(&path, csv).map_err(|e| format!("{}: {e}", path.display()))?;
    println!("written to {}", path.display());
    Ok(())
}

/// Cost of a run.
struct Found {
    floes: usize,
    simulated: f64,
    duration: f64,
    cpu: f64,
    impacts: f64,
    jams: f64,
    looks: f64,
    /// Force steps that missed their tolerance.
    missed: u64,
    residual: f64,
}

/// The analysis of a template, its number of bodies and its duration [s].
fn begin(
    template: &str,
    parameters: &[(&str, &str)],
    edit: impl Fn(String) -> String,
) -> Result<(Box<dyn Analysis>, usize, f64), String> {
    let text = edit(render(template, parameters).map_err(|e| e.to_string())?);
    let scene = Scene::parse(&text, template).map_err(|e| e.to_string())?;
    let built = build(&scene, Path::new(".")).map_err(|e| e.to_string())?;
    let stage = built.stages.first().ok_or("no stage")?;
    let StageAnalysis::Events(settings) = &stage.analysis else { return Err("not event-driven".to_owned()) };
    let state = built.model.initial_state(&[]);
    let analysis = events::begin(&built.model, settings, state).map_err(|e| e.to_string())?;
    Ok((analysis, built.model.bodies(), stage.duration()))
}

fn measure(template: &str, parameters: &[(&str, &str)], limit: f64) -> Result<Found, String> {
    let (mut analysis, floes, duration) = begin(template, parameters, |text| text)?;
    let clock = Clock::start();
    let mut found = Found {
        floes,
        simulated: 0.0,
        duration,
        cpu: 0.0,
        impacts: 0.0,
        jams: 0.0,
        looks: 0.0,
        missed: 0,
        residual: 0.0,
    };
    while found.simulated < duration * (1.0 - 1e-9) && found.cpu < limit {
        let report = analysis.advance().map_err(|e| e.to_string())?;
        let number = |head: &str| report.own(EVENT_COLUMNS, head).and_then(|cell| cell.number()).unwrap_or(0.0);
        found.simulated = report.time;
        found.impacts += number("step_impacts");
        found.jams += number("jams");
        found.looks += number("looks");
        found.missed += u64::from(!report.converged);
        found.residual = found.residual.max(report.residual);
        found.cpu = clock.seconds();
    }
    Ok(found)
}

/// Time per event, less that of the drift, at equal concentration.
fn growth(limit: f64) -> Result<(), String> {
    println!("{:>8} {:>9} {:>9} {:>14}", "floes", "impacts", "CPU s", "µs per impact");
    for count in COUNTS {
        // the same floes per area in each
        let size = format!("{}", 3000.0 * (count as f64).sqrt());
        let number = count.to_string();
        let parameters = [
            ("count", number.as_str()),
            ("size", size.as_str()),
            ("concentration", "0.6"),
            ("current", "0.5"),
            ("duration", "6000"),
        ];
        let found = measure("ice-shear", &parameters, limit)?;
        let per = 1e6 * found.cpu / found.impacts.max(1.0);
        println!("{count:>8} {:>9.0} {:>9.2} {per:>14.1}", found.impacts, found.cpu);
    }
    Ok(())
}

/// Drift of many floes that never meet.
fn drift() -> Result<(), String> {
    const STEPS: u32 = 20;
    let parameters = [("count", "100000"), ("size", "900000"), ("concentration", "0.05")];
    let still = |text: String| text.replace("dim = 2\n", "dim = 2\nmax_bodies = 200000\n");
    let before = resident_bytes();
    let (mut analysis, floes, _) = begin("ice-shear", &parameters, still)?;
    analysis.advance().map_err(|e| e.to_string())?;
    let clock = Clock::start();
    for _ in 0..STEPS {
        analysis.advance().map_err(|e| e.to_string())?;
    }
    let per = 1e6 * clock.seconds() / (f64::from(STEPS) * floes as f64);
    let bytes = (resident_bytes() - before) / floes as f64;
    println!("{floes} floes without contacts: {per:.2} µs a floe and step (goal 2), {bytes:.0} bytes a floe");
    Ok(())
}

/// Memory of this process [bytes]; zero if the system does not report it.
fn resident_bytes() -> f64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split_whitespace().nth(1).and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0);
    pages * 4096.0
}
