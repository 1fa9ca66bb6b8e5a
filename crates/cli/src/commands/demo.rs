//! `voussoir demo`: an arch under a growing load, from nothing to pictures of its collapse.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use voussoir_mechanics::report::StepReport;
use voussoir_mechanics::snapshot::{Cast, Snapshot};
use voussoir_model::Built;
use voussoir_results::Results;
use voussoir_results::picture::Artist;

use crate::exit::Exit;
use crate::failure::{Failure, Result};
use crate::figures::{certificate, quantity};
use crate::folder::{self, FolderOutcome};
use crate::runner::{Control, Ending, Facts};
use crate::scene_file::SceneFile;
use crate::terminal::Terminal;
use crate::{background, interrupt, pictures};

/// The scene, which is also an example.
const SCENE: &str = include_str!("../../../../examples/arch_collapse.toml");
/// The load starts to grow after this time [s].
const LOADED: f64 = 0.1;
/// An arch that stands does not move; when it has moved this far, it collapses [m].
const MOVING: f64 = 1e-6;
/// The mechanism is looked at when the arch has moved this far [m] …
const CLEARLY_MOVING: f64 = 0.05;
/// … and drawn once more when it has fallen this far [m].
const FALLING: f64 = 1.2;
/// Collapse load of the same arch by limit analysis (linear program over the corners of the joints) [N].
const LIMIT_LOAD: f64 = 40_307.4;

/// Arguments of `voussoir demo`.
#[derive(Debug, clap::Args)]
pub struct Demo {
    /// Folder for the results and pictures
    #[arg(short, long, value_name = "DIR", default_value = "out/demo")]
    pub output: PathBuf,
    /// Do not open the page on which the collapse can be watched
    #[arg(long)]
    pub no_page: bool,
}

/// What is noted while the arch stands and falls.
#[derive(Default)]
struct Notes {
    /// The last step before the load grows.
    at_rest: Option<StepReport>,
    /// The first step in which the arch moves.
    onset: Option<StepReport>,
}

impl Notes {
    fn take(&mut self, report: &StepReport) {
        if report.time < LOADED {
            self.at_rest = Some(report.clone());
        }
        if self.onset.is_none() && report.displacement > MOVING {
            self.onset = Some(report.clone());
        }
    }
}

impl Demo {
    /// Runs the demonstration.
    pub fn execute(&self, terminal: &Terminal) -> Result<Exit> {
        let scene = SceneFile::read(SCENE, "arch_collapse.toml", Path::new(""))?;
        terminal.note("An arch of 27 voussoirs, and a load at its quarter that grows until it collapses.");
        let control = Control { stop: interrupt::flag() };
        let mut notes = Notes::default();
        let outcome = folder::run_observed(&scene, &self.output, true, None, &control, terminal, &mut |report| {
            notes.take(report)
        })?;
        if outcome.ending == Ending::Interrupted {
            return super::run::report(&outcome, terminal);
        }
        let results = Results::open(&self.output).map_err(Failure::results)?;
        let story = Story::read(&results, &notes)?;
        let facts = Facts::of(&scene.built);
        let drawn = story.draw(&scene.built, &facts.cast, &self.output)?;
        let mut text = story.tell(&notes, &outcome, &facts.cast, &drawn);
        let report = folder::report_of(&self.output);
        let _ = writeln!(text, "\nreport: {}", report.unwrap_or_default().display());
        if !self.no_page {
            let _ = match background::open_page(&self.output) {
                Ok(address) => {
                    writeln!(text, "page:   {address}   (closes when nobody looks for {} minutes)", background::MINUTES)
                }
                Err(reason) => writeln!(text, "page:   not opened: {reason}"),
            };
        }
        terminal.answer(&text)?;
        let summary = &outcome.summary;
        Ok(if summary.converged_steps < summary.steps { Exit::NotConverged } else { Exit::Computed })
    }
}

/// The moments that pictures and figures are made of.
struct Story {
    built: Snapshot,
    at_rest: Snapshot,
    /// Just before the arch moves.
    standing: Snapshot,
    /// The mechanism, clearly to be seen.
    moving: Snapshot,
    /// On its way down.
    falling: Snapshot,
    fallen: Snapshot,
}

impl Story {
    fn read(results: &Results, notes: &Notes) -> Result<Self> {
        let times = results.times();
        let last = times.len().saturating_sub(1);
        let frame = |index: usize| results.frame(index.min(last)).map_err(Failure::results);
        let before = |time: f64| times.partition_point(|&t| t < time).saturating_sub(1);
        let built = frame(0)?;
        let onset = notes.onset.as_ref().map_or(f64::INFINITY, |report| report.time);
        let standing = before(onset);
        let moved = |moment: &Snapshot| {
            let bodies = moment.bodies.iter().zip(&built.bodies);
            bodies.map(|(now, first)| distance(now.position, first.position)).fold(0.0, f64::max)
        };
        let first_beyond = |mut index: usize, distance: f64| {
            while index < last && moved(&frame(index)?) < distance {
                index += 1;
            }
            Ok::<usize, Failure>(index)
        };
        let moving = first_beyond(standing, CLEARLY_MOVING)?;
        let falling = first_beyond(moving, FALLING)?;
        Ok(Self {
            at_rest: frame(before(LOADED))?,
            standing: frame(standing)?,
            moving: frame(moving)?,
            falling: frame(falling)?,
            fallen: frame(last)?,
            built,
        })
    }

    /// Draws the moments, and gives the files with what they show.
    fn draw(&self, built: &Built, cast: &Cast, dir: &Path) -> Result<Vec<(PathBuf, &'static str)>> {
        let artist = Artist::new(cast, &[&self.built, &self.fallen, &self.falling]);
        let pictures = [
            ("initial.svg", &self.at_rest, "own weight only"),
            ("standing.svg", &self.standing, "just before the arch moves"),
            ("falling.svg", &self.falling, "on its way down"),
            ("final.svg", &self.fallen, "the end"),
        ];
        pictures
            .into_iter()
            .map(|(name, moment, note)| Ok((pictures::draw(&artist, moment, built, note, &dir.join(name))?, note)))
            .collect()
    }

    /// What happened, in figures.
    fn tell(&self, notes: &Notes, outcome: &FolderOutcome, cast: &Cast, drawn: &[(PathBuf, &'static str)]) -> String {
        let summary = &outcome.summary;
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "  {name:<20} {value}");
        };
        if let Some(report) = &notes.at_rest {
            let reaction = report.support_reaction[2];
            line("weight", quantity(summary.weight_n, "N"));
            line(
                "support reaction",
                format!(
                    "{}, off by {:.0e} of the weight (residual {:.0e})",
                    quantity(reaction, "N"),
                    ((reaction - summary.weight_n) / summary.weight_n).abs(),
                    report.solve.residual
                ),
            );
            line("thrust at the crown", quantity(thrust(&self.at_rest, cast), "N"));
        }
        match &notes.onset {
            Some(report) => {
                let load = load_at(report.time);
                line(
                    "collapse load",
                    format!(
                        "{} at t = {:.3} s; limit analysis says {} ({:+.2} %; residual {:.0e})",
                        quantity(load, "N"),
                        report.time,
                        quantity(LIMIT_LOAD, "N"),
                        100.0 * (load / LIMIT_LOAD - 1.0),
                        report.solve.residual
                    ),
                );
                let hinges: Vec<String> =
                    hinges(&self.built, &self.moving, cast).iter().map(usize::to_string).collect();
                line("hinges", format!("{}: joints {} of 0 … 27", hinges.len(), hinges.join(", ")));
            }
            None => line("collapse load", "the arch did not move".to_owned()),
        }
        line("steps", format!("{}; {}", summary.steps, certificate(summary)));
        line("time", format!("{:.1} s, {:.2} ms per step", summary.wall_time_s, summary.ms_per_step));
        let mut pictures = String::new();
        for (path, note) in drawn {
            let _ = writeln!(pictures, "  {:<28} {note}", path.display().to_string());
        }
        let dir = outcome.dir.display();
        format!(
            "Arch under a growing load\n{text}\nPictures\n{pictures}\n\
             Everything is in {dir}: results.vtkhdf opens in ParaView, history.csv has a row per step,\n\
             scene.toml is the scene. Next: voussoir new arch -o arch.toml; voussoir run arch.toml\n"
        )
    }
}

/// The load of the scene at a time [N].
fn load_at(time: f64) -> f64 {
    let rows = [(LOADED, 0.0), (0.7, 36e3), (1.7, 42e3)];
    let between = |a: (f64, f64), b: (f64, f64)| a.1 + (b.1 - a.1) * ((time - a.0) / (b.0 - a.0)).clamp(0.0, 1.0);
    if time < rows[1].0 { between(rows[0], rows[1]) } else { between(rows[1], rows[2]) }
}

/// Horizontal force on one side of the keystone [N].
fn thrust(moment: &Snapshot, cast: &Cast) -> f64 {
    let index = |name: &str| cast.bodies.iter().position(|body| body.name == name);
    let (Some(left), Some(key)) = (index("arch.voussoir[12]"), index("arch.voussoir[13]")) else { return f64::NAN };
    let between = |pair: [u32; 2]| {
        let pair = pair.map(|i| i as usize);
        pair == [left, key] || pair == [key, left]
    };
    let sum: f64 = moment.contacts.iter().filter(|c| between(c.bodies)).map(|c| c.force[0]).sum();
    sum.abs()
}

/// Joints, from left to right, whose two sides have turned against each other.
fn hinges(before: &Snapshot, after: &Snapshot, cast: &Cast) -> Vec<usize> {
    let mut chain = vec!["arch.springer[0]".to_owned()];
    chain.extend((0..27).map(|i| format!("arch.voussoir[{i}]")));
    chain.push("arch.springer[1]".to_owned());
    let turned: Vec<f64> = chain
        .iter()
        .filter_map(|name| cast.bodies.iter().position(|body| &body.name == name))
        .map(|i| angle(after.bodies[i].rotation) - angle(before.bodies[i].rotation))
        .collect();
    let opened: Vec<f64> = turned.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    let most = opened.iter().copied().fold(0.0, f64::max);
    (0..opened.len()).filter(|&joint| opened[joint] > 0.1 * most && most > 0.0).collect()
}

/// Angle of a rotation about y [rad].
fn angle([_, y, _, w]: [f64; 4]) -> f64 {
    2.0 * y.atan2(w)
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
}
