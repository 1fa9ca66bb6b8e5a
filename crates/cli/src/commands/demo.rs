//! `voussoir demo`: an arcade with rigid joints on a shaking ground, with pictures of its collapse. The scene sets no
//! numerical key: solver, tolerance and time stepping are the defaults.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::report::StepReport;
use voussoir_mechanics::snapshot::{Cast, Snapshot};
use voussoir_model::Built;
use voussoir_results::Results;
use voussoir_results::picture::Artist;
use voussoir_run::drive::total_steps;
use voussoir_run::folder::{self, FolderOptions, FolderOutcome};
use voussoir_run::{Ending, Facts, Flow, Observer, SceneFile, StepPlace, pictures};

use crate::exit::Exit;
use crate::failure::{CommandResult, Failure};
use crate::figures::{certificate, quantity};
use crate::terminal::Terminal;
use crate::watcher::Watcher;
use crate::{background, clock};

/// The scene. Its only probe is the vertical displacement of the middle keystone.
const SCENE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/demo.toml"));
/// Start of the shaking [s].
const SHAKING_START: f64 = 1.0;
/// Period of the shaking [s].
const SHAKING_PERIOD: f64 = 1.0;
/// Displacement of the keystone at which the arch counts as collapsed [m]: more than twice the ring thickness.
const COLLAPSE_DROP: f64 = 1.0;
/// Largest constant acceleration along the arcade by limit analysis [g].
const STATIC_LIMIT: f64 = 0.1332;

/// Arguments of `voussoir demo`.
#[derive(Debug, clap::Args)]
pub struct DemoArguments {
    /// Folder for the results and pictures
    #[arg(short, long, value_name = "DIR", default_value = "out/demo")]
    pub output: PathBuf,
    /// Do not open the results page
    #[arg(long)]
    pub no_page: bool,
}

/// Steps of the run that the final text uses.
#[derive(Default)]
struct Notes {
    /// The last step before the ground moves.
    at_rest: Option<StepReport>,
    /// The last step of every period of the ground motion, until the arch has collapsed.
    swings: Vec<StepReport>,
    /// The first step in which the arch has collapsed.
    fallen: Option<StepReport>,
}

impl Notes {
    fn take(&mut self, report: &StepReport) {
        // tolerance for the rounding of times, which are sums of steps
        let swings = ((report.time - SHAKING_START) / SHAKING_PERIOD + 1e-6).floor();
        if report.time < SHAKING_START + 1e-6 {
            self.at_rest = Some(report.clone());
        } else if self.fallen.is_none() && swings as usize > self.swings.len() {
            self.swings.push(report.clone());
        }
        if self.fallen.is_none() && sunk(report) > COLLAPSE_DROP {
            self.fallen = Some(report.clone());
        }
    }
}

impl Observer for Notes {
    fn after_step(
        &mut self,
        _: &mut dyn Analysis,
        report: &mut StepReport,
        _: StepPlace,
    ) -> voussoir_run::Result<Flow> {
        self.take(report);
        Ok(Flow::Continue)
    }
}

/// Downward displacement of the keystone [m].
fn sunk(report: &StepReport) -> f64 {
    report.probes.first().map_or(f64::NAN, |height| -height)
}

impl DemoArguments {
    /// Runs the demonstration.
    pub fn execute(&self, terminal: &Terminal) -> CommandResult<Exit> {
        let scene = SceneFile::read(SCENE, "shaken_arcade.toml", Path::new(""))?;
        terminal
            .note("Arcade of rigid blocks; the ground shakes along it with 0.25 g at 1 Hz until the arches collapse.");
        let mut notes = Notes::default();
        let mut watcher = Watcher::new(terminal, 0, total_steps(&scene.built.stages));
        terminal.note(&format!("writing results to {}", self.output.display()));
        let options = FolderOptions { overwrite: true, dump_problems: None };
        let observers: &mut [&mut dyn Observer] = &mut [&mut watcher, &mut notes];
        let outcome = folder::run(&scene, &self.output, options, &clock::control(), observers);
        watcher.end();
        let outcome = outcome?;
        if outcome.ending == Ending::Interrupted {
            return super::run::report(&outcome, terminal);
        }
        let results = Results::open(&self.output).map_err(Failure::results)?;
        let story = Story::read(&results, &notes)?;
        let facts = Facts::of(&scene.built);
        let drawn = story.draw(&scene.built, &facts.cast, &self.output)?;
        let mut text = tell(&notes, &outcome, &drawn);
        let report = folder::report_of(&self.output);
        let _ = writeln!(text, "\nreport: {}", report.unwrap_or_default().display());
        if !self.no_page {
            let _ = match background::open_page(&self.output) {
                Ok(address) => {
                    writeln!(
                        text,
                        "page:   {address}   (shuts down after {} minutes without a browser)",
                        background::MINUTES
                    )
                }
                Err(reason) => writeln!(text, "page:   not opened: {reason}"),
            };
        }
        terminal.answer(&text)?;
        let summary = &outcome.summary;
        Ok(if summary.converged_steps < summary.steps { Exit::NotConverged } else { Exit::Computed })
    }
}

/// The snapshots that are drawn.
struct Story {
    built: Snapshot,
    /// Under its own weight, before the shaking.
    standing: Snapshot,
    /// During collapse.
    falling: Snapshot,
    end: Snapshot,
}

impl Story {
    fn read(results: &Results, notes: &Notes) -> CommandResult<Self> {
        let times = results.times();
        let last = times.len().saturating_sub(1);
        let frame = |index: usize| results.frame(index.min(last)).map_err(Failure::results);
        let fallen = notes.fallen.as_ref().map_or(f64::INFINITY, |report| report.time);
        Ok(Self {
            built: frame(0)?,
            standing: frame(times.partition_point(|&t| t < SHAKING_START + 1e-6).saturating_sub(1))?,
            falling: frame(times.partition_point(|&t| t < fallen))?,
            end: frame(last)?,
        })
    }

    /// Draws the snapshots; returns the files with their captions.
    fn draw(&self, built: &Built, cast: &Cast, dir: &Path) -> CommandResult<Vec<(PathBuf, &'static str)>> {
        let artist = Artist::new(cast, &[&self.built, &self.end, &self.falling]);
        let pictures = [
            ("initial.svg", &self.built, "as built"),
            ("standing.svg", &self.standing, "own weight, before the shaking"),
            ("falling.svg", &self.falling, "collapse of the arch"),
            ("final.svg", &self.end, "end"),
        ];
        pictures
            .into_iter()
            .map(|(name, snapshot, note)| Ok((pictures::draw(&artist, snapshot, built, note, &dir.join(name))?, note)))
            .collect()
    }
}

/// The result as text.
fn tell(notes: &Notes, outcome: &FolderOutcome, drawn: &[(PathBuf, &'static str)]) -> String {
    let summary = &outcome.summary;
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<20} {value}");
    };
    line("weight", quantity(summary.weight_n, "N"));
    if let Some(report) = &notes.at_rest {
        let residual = report.residual;
        line("own weight", format!("stands; keystone displacement {} (residual {residual:.0e})", metres(sunk(report))));
    }
    line(
        "static limit",
        format!("a constant {STATIC_LIMIT} g along the arcade is a mechanism (voussoir limit --acceleration x)"),
    );
    let swings: Vec<String> = notes.swings.iter().map(|report| metres(sunk(report))).collect();
    line("keystone", format!("downward displacement after each second of shaking: {}", swings.join(", ")));
    match &notes.fallen {
        Some(report) => line(
            "collapse",
            format!(
                "after {:.2} s of shaking the keystone has dropped by {} (residual {:.0e})",
                report.time - SHAKING_START,
                metres(COLLAPSE_DROP),
                report.residual
            ),
        ),
        None => line("collapse", "the middle arch did not collapse".to_owned()),
    }
    line("steps", format!("{}; {}", summary.steps, certificate(summary)));
    line("time", format!("{:.1} s, {:.2} ms per step", summary.wall_time_s, summary.ms_per_step));
    let mut pictures = String::new();
    for (path, note) in drawn {
        let _ = writeln!(pictures, "  {:<28} {note}", path.display().to_string());
    }
    let dir = outcome.dir.display();
    format!(
        "Arcade of rigid blocks, shaken along its length\n{text}\nPictures\n{pictures}\n\
         All files are in {dir}: results.vtkhdf opens in ParaView, history.csv has one row per step,\n\
         scene.toml is the scene. Next: voussoir new arch -o arch.toml; voussoir run arch.toml\n"
    )
}

/// A displacement, to millimetres: `0.144 m`.
fn metres(value: f64) -> String {
    format!("{value:.3} m")
}
