//! `report.html`: the report of a run for readers without this program. One file without references, to be read, printed
//! and sent.
//!
//! | module | content |
//! |---|---|
//! | [`key_frames`] | selection of the frames that are drawn |
//! | [`mod@outcome`] | the outcome in a word, peaks, lost energy |
//! | [`words`] | sentences: model, motion, forces, accuracy |
//! | [`charts`], [`plot`] | plots of the history |
//! | [`measures`] | tables of blocks, joints and supports |

mod charts;
mod key_frames;
mod measures;
mod outcome;
mod plot;
mod words;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use voussoir_mechanics::report::ColumnRole;
use voussoir_mechanics::snapshot::{Cast, Snapshot};

use crate::history_table::HistoryTable;
use crate::measures::{BlockQuantity, Joints, interfaces};
use crate::picture::numbers::{digits, quantity};
use crate::picture::{Artist, Caption, Show, Style, escape, exaggerated, median_size, readable_factor};
use crate::recorder::SCENE_FILE;
use crate::{Results, ResultsError, SceneFacts, Summary, atomic};

/// Name of the report in the results folder.
pub const REPORT_FILE: &str = "report.html";

/// Pictures with more faces than this are bitmaps.
const MOST_FACES: usize = 6_000;

/// Writes the report of a results folder and returns its path.
pub fn write_report(results: &Results, scene: &dyn SceneFacts) -> Result<PathBuf, ResultsError> {
    let path = results.dir().join(REPORT_FILE);
    atomic::replace(&path, report(results, scene)?.as_bytes())?;
    Ok(path)
}

/// The outcome of a run in a word, and its reason; `None` before the first step.
pub fn outcome_of(dir: &Path) -> Result<Option<String>, ResultsError> {
    let results = Results::open(dir)?;
    let block = median_size(results.cast());
    let outcome = outcome::outcome(&results.summary()?, &HistoryTable::read(dir)?, block);
    Ok(outcome.map(|found| format!("{}: {}", found.word, found.reason)))
}

/// The text of a report.
pub fn report(results: &Results, scene: &dyn SceneFacts) -> Result<String, ResultsError> {
    let (cast, dir) = (results.cast(), results.dir());
    let summary = results.summary()?;
    let history = HistoryTable::read(dir)?;
    let block = median_size(cast);
    let first = frame_or_nothing(results, 0)?;
    let last = frame_or_nothing(results, results.frames().saturating_sub(1))?;
    let title = if results.title().is_empty() { "Run" } else { results.title() };

    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{} – report</title>\n\
         <style>\n{}</style>\n</head>\n<body>\n<header>\n<h1>{}</h1>\n<p>{} computed by Voussoir {}: {}, t = {} \
         s.</p>\n\
         <nav aria-label=\"Contents\"><ul><li><a href=\"#structure\">Structure</a></li>\
         <li><a href=\"#history\">History</a></li><li><a href=\"#measures\">Measures</a></li>\
         <li><a href=\"#certificate\">Accuracy</a></li><li><a href=\"#scene\">Scene</a></li></ul></nav>\n\
         </header>\n<main>\n",
        escape(title),
        include_str!("style.css"),
        escape(title),
        if summary.finished { "Run" } else { "Unfinished run," },
        escape(&summary.version),
        crate::picture::numbers::count(summary.steps as usize, "step", "steps"),
        digits(summary.time_s),
    );
    if let Some(outcome) = outcome::outcome(&summary, &history, block) {
        let (look, word, reason) = (outcome.look, escape(&outcome.word), escape(&outcome.reason));
        let _ = writeln!(page, "<p class=\"verdict {look}\"><strong>{word}</strong>: {reason}.</p>");
    }
    for stage in summary.statics.iter().filter(|_| summary.steps > 0) {
        let found = outcome::static_outcome(stage);
        let (look, word, reason) = (found.look, found.word, escape(&found.reason));
        let _ = writeln!(page, "<p class=\"verdict {look}\"><strong>{word}</strong>: {reason}.</p>");
    }
    if let Some(lost) = outcome::lost_energy(&history) {
        let _ = writeln!(page, "<p class=\"verdict missed\">{}</p>", escape(&lost));
    }
    if let Some(beyond) = measures::beyond_linear(cast, &last) {
        let _ = writeln!(page, "<p class=\"verdict missed\">{}</p>", escape(&beyond));
    }
    let (look, verdict) = words::verdict(&summary);
    let _ = writeln!(page, "<p class=\"verdict {look}\">{}</p>", escape(&verdict));

    let all = interfaces(&last);
    let _ =
        writeln!(page, "<section id=\"structure\">\n<h2>Structure</h2>\n<p>{}</p>", words::structure(cast, &summary));
    page += &facts(scene);
    let happened = words::events(cast, &summary, &history, &first, &last, block);
    let _ = writeln!(page, "<p><strong>{happened}</strong> {}</p>", words::forces(cast, &all));
    page += &pictures(results, &history, scene, block)?;
    page += "</section>\n<section id=\"history\">\n<h2>History</h2>\n<div class=\"plots\">\n";
    let time = history.column("time_s");
    let load: Vec<f64> = time.iter().map_while(|&t| scene.load_at(t)).collect();
    for charts::Chart { title, svg } in charts::charts(&history, &summary, &load) {
        let _ = writeln!(page, "<figure><h3>{}</h3>\n{svg}</figure>", escape(&title));
    }
    page += "</div>\n</section>\n<section id=\"measures\">\n<h2>Measures</h2>\n";
    page += &overview(&summary, cast);
    let heads = ["measure", "peak", "at the time", "at the end"];
    page += &measures::table("Peaks over time", &heads, &outcome::peaks(&history));
    page += &measures::blocks(cast, &first, &last);
    page += &measures::stones(cast, &last);
    page += &measures::joints(cast, &all);
    page += &measures::supports(cast, &all);
    page += &measures::cables(&summary);
    page += &measures::descent(cast, &last);
    page += "</section>\n";
    page += &certificate(&summary, &history, block);
    page += &scene_as_run(dir, &summary);
    Ok(page + "</main>\n</body>\n</html>\n")
}

fn frame_or_nothing(results: &Results, index: usize) -> Result<Snapshot, ResultsError> {
    if index < results.frames() { results.frame(index) } else { Ok(Snapshot::default()) }
}

fn facts(scene: &dyn SceneFacts) -> String {
    let rows: Vec<Vec<String>> = scene.facts().into_iter().map(|(name, words)| vec![name, words]).collect();
    measures::table("Model", &["part", "description"], &rows)
}

/// Pictures of the key frames.
fn pictures(
    results: &Results,
    history: &HistoryTable,
    scene: &dyn SceneFacts,
    block: f64,
) -> Result<String, ResultsError> {
    let cast = results.cast();
    let key_frames = key_frames::key_frames(results, history, block);
    let snapshots = key_frames.iter().map(|one| results.frame(one.frame)).collect::<Result<Vec<_>, _>>()?;
    let views: Vec<&Snapshot> = snapshots.iter().collect();
    let joints = Joints::of_results(results)?;
    let mut out = String::new();
    let mut add = |name: String, artist: &Artist, snapshot: &Snapshot, words: &str| -> Result<(), ResultsError> {
        let loads = scene.loads(snapshot);
        let caption =
            Caption { title: results.title().to_owned(), note: words.to_owned(), loads, flows: scene.flows(snapshot) };
        let picture = if artist.faces() > MOST_FACES {
            let bytes = artist.png(snapshot, &caption, 1.4).map_err(ResultsError::damaged(results.dir()))?;
            let words = escape(&format!("{} at t = {} s: {words}", results.title(), digits(snapshot.time)));
            format!("<img alt=\"{words}\" src=\"data:image/png;base64,{}\">", base64(&bytes))
        } else {
            let label = escape(&format!("The structure at t = {} s: {words}", digits(snapshot.time)));
            artist.draw(snapshot, &caption).replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{label}\" "), 1)
        };
        let _ = writeln!(
            out,
            "<figure id=\"{name}\">\n{picture}<figcaption>t = {} s: {words}.</figcaption></figure>",
            digits(snapshot.time)
        );
        Ok(())
    };
    for (index, (one, snapshot)) in key_frames.iter().zip(&snapshots).enumerate() {
        let show = Show { thrust: true, mechanism: one.moving, cracks: true, ..Show::default() };
        let style = Style { show, id: format!("drawing{index}"), ..Style::default() };
        let artist = Artist::styled(cast, &views, style).with_joints(joints.clone());
        add(format!("snapshot{index}"), &artist, snapshot, one.words)?;
    }
    // a last picture: displacements of a structure that moves, pressures of one that stands
    if let (Some(last), Some(summary)) = (snapshots.last(), results.summary().ok()) {
        let colour = if summary.max_displacement_m > 1e-2 * block {
            BlockQuantity::Displacement
        } else {
            BlockQuantity::Pressure
        };
        let show = Show { loads: true, cables: true, ..Show::NOTHING };
        let style = Style { colour, show, id: "drawing-of-values".to_owned(), ..Style::default() };
        let words = if colour == BlockQuantity::Displacement {
            "displacement of every block"
        } else {
            "mean pressure of every block"
        };
        add("values".to_owned(), &Artist::styled(cast, &views, style), last, words)?;
        if cast.features.deforming && last.body_fields.iter().flatten().any(|value| value.is_finite()) {
            let factor = readable_factor(cast, &snapshots[0], last);
            let bent = exaggerated(cast, &snapshots[0], last, factor);
            let (colour, id) = (BlockQuantity::VonMises, "drawing-of-stresses".to_owned());
            let style = Style { colour, show: Show { loads: true, ..Show::NOTHING }, id, ..Style::default() };
            let words = format!("stress of von Mises in the elastic blocks, displacements × {}", digits(factor));
            add("stresses".to_owned(), &Artist::styled(cast, &[&snapshots[0], &bent], style), &bent, &words)?;
        }
    }
    Ok(out)
}

/// Table of the summary.
fn overview(summary: &Summary, cast: &Cast) -> String {
    let off = (summary.support_reaction_n - summary.weight_n - summary.load_n).abs();
    let motion = [
        ("largest displacement of a block", quantity(summary.max_displacement_m, "m")),
        ("largest speed of a block", quantity(summary.max_speed_m_s, "m/s")),
        ("kinetic energy at the end", quantity(summary.kinetic_energy_j, "J")),
        ("upward support reaction in the last step", quantity(summary.support_reaction_n, "N")),
        ("loads along gravity in the last step", quantity(summary.load_n + 0.0, "N")),
        ("difference between reaction and weight with loads", quantity(off, "N")),
    ];
    let always = [
        ("weight of the free blocks", quantity(summary.weight_n, "N")),
        ("bodies, contacts at the end", format!("{}, {}", cast.bodies.len(), summary.contacts)),
        ("steps, frames", format!("{}, {}", summary.steps, summary.frames)),
        ("computing time", format!("{} s, {} ms per step", digits(summary.wall_time_s), digits(summary.ms_per_step))),
    ];
    let rows = motion.into_iter().filter(|_| summary.steps > 0).chain(always);
    let rows: Vec<Vec<String>> = rows.map(|(name, value)| vec![name.to_owned(), value]).collect();
    measures::table("Summary", &["measure", "value"], &rows)
}

/// The certificate: residuals, penetration, energy balance.
fn certificate(summary: &Summary, history: &HistoryTable, block: f64) -> String {
    let (look, verdict) = words::verdict(summary);
    let missed: Vec<usize> =
        history.column("converged").iter().enumerate().filter(|(_, met)| **met == 0.0).map(|(row, _)| row).collect();
    let time = history.column("time_s");
    let turned_over = largest_energy(history);
    let worst = match summary.worst_step {
        Some(step) => {
            let row = history.column("step").iter().position(|&s| s == step as f64);
            let at = row.map_or(String::new(), |row| format!(" at t = {} s", digits(time[row])));
            format!("{:.2e} in step {step}{at}", summary.max_residual)
        }
        None => "no step yet".to_owned(),
    };
    let list = |rows: &[usize]| {
        let first: Vec<String> = rows.iter().take(12).map(|row| format!("{}", row + 1)).collect();
        let more = if rows.len() > 12 { format!(" … and {} more", rows.len() - 12) } else { String::new() };
        if rows.is_empty() { "none".to_owned() } else { format!("{}: {}{more}", rows.len(), first.join(", ")) }
    };
    let rows = [
        ("tolerance on the residual", format!("{:.0e}", summary.tolerance)),
        ("worst residual", worst),
        ("steps that missed the tolerance", list(&missed)),
        (
            "largest penetration",
            format!(
                "{} ({:.1e} of the size of a block)",
                quantity(summary.max_penetration_m, "m"),
                summary.max_penetration_m / block
            ),
        ),
        ("largest closure of springs", quantity(summary.max_closure_m, "m")),
        (
            "largest error of the energy balance",
            match turned_over > 0.0 {
                true => format!(
                    "{} ({:.1e} of the largest energy or work)",
                    quantity(summary.energy_error_j, "J"),
                    summary.energy_error_j / turned_over
                ),
                false => quantity(summary.energy_error_j, "J"),
            },
        ),
    ];
    let rows: Vec<Vec<String>> = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    format!(
        "<section id=\"certificate\">\n<h2>Accuracy</h2>\n<p class=\"verdict {look}\">{}</p>\n{}\
         <p>The <em>residual</em> measures the error of a step in the contact law: no penetration, no tension, \
         friction \
         inside the Coulomb cone and opposite to sliding. It is dimensionless, and zero for an exact solution. \
         Penetration and the energy balance measure the error of the time stepping. These numbers do not assess how \
         well the scene describes a real structure; its shapes, densities and friction coefficients are listed \
         below.</p>\n</section>\n",
        escape(&verdict),
        measures::table("Certificate", &["measure", "value"], &rows)
    )
}

/// Largest energy or work of a run, the reference for the error of the energy balance; numerical dissipation is itself an
/// error and is excluded.
fn largest_energy(history: &HistoryTable) -> f64 {
    let counted = |role: ColumnRole| matches!(role, ColumnRole::Energy | ColumnRole::Work | ColumnRole::Taken);
    let columns = history.columns().iter().filter(|info| counted(info.role) && info.head != "numerical_j");
    let amounts = columns.flat_map(|info| history.column(&info.head)).map(|amount| amount.abs());
    amounts.filter(|amount| amount.is_finite()).fold(0.0, f64::max)
}

/// The scene as run.
fn scene_as_run(dir: &Path, summary: &Summary) -> String {
    let text = std::fs::read_to_string(dir.join(SCENE_FILE)).unwrap_or_else(|_| "(the scene is missing)".to_owned());
    format!(
        "<section id=\"scene\">\n<h2>Scene</h2>\n<p>Scene of this run, computed by Voussoir {}. Saved to a file and \
         run again with the same version, it gives \
         identical results.</p>\n<pre tabindex=\"0\">{}</pre>\n</section>\n",
        escape(&summary.version),
        escape(&text)
    )
}

/// Base 64 (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let number = (0..3).fold(0u32, |sum, i| sum << 8 | u32::from(part.get(i).copied().unwrap_or(0)));
        for i in 0..4 {
            let digit = DIGITS[(number >> (18 - 6 * i)) as usize & 63];
            out.push(if i <= part.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_is_that_of_the_standard() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")];
        for (text, expected) in cases {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }
}
