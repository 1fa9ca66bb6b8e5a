//! The outcome of a run in a word, the reason, peaks over time, and the energy lost by the time stepping.

use voussoir_mechanics::report::ColumnRole;

use crate::history::ColumnInfo;
use crate::history_table::HistoryTable;
use crate::picture::numbers::{digits, quantity};
use crate::{StageVerdict, Summary};

/// Displacement of a block that counts as a collapse, relative to the size of a block.
const COLLAPSE: f64 = 0.5;

/// Displacement that is visible, relative to the size of a block.
const VISIBLE: f64 = 1e-2;

/// Displacement below which a structure stands, relative to the size of a block.
const STANDING: f64 = 1e-6;

/// Largest fraction of the energy input that the time stepping may lose without a remark.
const LOST: f64 = 0.05;

/// The outcome in a word, its reason, and the style of both.
pub(super) struct RunOutcome {
    pub(super) look: &'static str,
    pub(super) word: String,
    pub(super) reason: String,
}

/// Outcome of a run; `block` is the size of a block [m].
pub(super) fn outcome(summary: &Summary, history: &HistoryTable, block: f64) -> Option<RunOutcome> {
    if summary.steps == 0 {
        return summary.statics.last().map(static_outcome);
    }
    let (time, moved) = (history.column("time_s"), history.column("displacement_m"));
    let when = |distance: f64| moved.iter().position(|&d| d > distance).map_or(f64::NAN, |row| time[row]);
    let far = summary.max_displacement_m;
    let most = history.column("kinetic_j").iter().copied().fold(0.0, f64::max);
    let rests = summary.kinetic_energy_j <= 1e-3 * most;
    let largest = format!("largest displacement {}", quantity(far, "m"));
    let (mut word, mut reason) = if far.is_nan() {
        ("Failed".to_owned(), "positions are not finite".to_owned())
    } else if far >= COLLAPSE * block {
        let reason = format!(
            "a block is displaced by half of the block size ({}) and more; {largest}",
            quantity(COLLAPSE * block, "m")
        );
        (format!("Collapsed at t = {} s", digits(when(COLLAPSE * block))), reason)
    } else if far < STANDING * block {
        ("Stands".to_owned(), format!("{largest} in {} s", digits(summary.time_s)))
    } else {
        let since = format!("{largest}, first motion at t = {} s", digits(when(STANDING * block)));
        let visible = if far < VISIBLE * block { ", not visible" } else { "" };
        let word = if rests { "Moved and came to rest" } else { "Moves at the end" };
        (word.to_owned(), format!("{since}{visible}"))
    };
    let missed = summary.steps - summary.converged_steps.min(summary.steps);
    let mut look = "met";
    if missed > 0 {
        reason = format!("{missed} of {} steps missed the tolerance; computed: {word}, {reason}", summary.steps);
        (word, look) = ("Not decided".to_owned(), "missed");
    } else if !summary.finished {
        (word, look) = (format!("Not finished; so far: {word}"), "open");
    }
    Some(RunOutcome { look, word, reason })
}

/// Outcome of a static stage.
pub(super) fn static_outcome(last: &StageVerdict) -> RunOutcome {
    let factor = |key: &str, what: &str| {
        let factor = 1.0 / (1.0 - last.report[key].as_f64()?);
        // margins are bisected up to 1 − 1/4096
        Some(if factor < 4e3 { format!("{what} {}", digits(factor)) } else { format!("{what} above 4000") })
    };
    let (look, word) = match (last.stands(), last.is_wedged()) {
        (Some(true), _) => ("met", "Stands"),
        (Some(false), true) => ("met", "Wedged"),
        (Some(false), false) => ("met", "Collapses"),
        (None, _) => ("missed", "Not decided"),
    };
    let mut reason = format!("static analysis, stage {}", last.stage);
    let factors =
        [factor("geometric_margin", "geometric safety factor"), factor("friction_margin", "friction safety factor")];
    factors.into_iter().flatten().for_each(|text| reason += &format!("; {text}"));
    reason += &format!("; details in {}", last.directory);
    RunOutcome { look, word: word.to_owned(), reason }
}

/// Sentences if the time stepping lost or gained more than a twentieth of the energy put in, and if Newton's
/// restitution added energy.
pub(super) fn lost_energy(history: &HistoryTable) -> Option<String> {
    let added = history.column("work_restitution_j").last().copied().unwrap_or(0.0);
    let gain = (added > 0.0).then(|| {
        format!(
            "Newton's restitution with friction added {} (column work_restitution_j); Poisson's law adds nothing.",
            quantity(added, "J")
        )
    });
    let sentences: Vec<String> = lost_by_stepping(history).into_iter().chain(gain).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn lost_by_stepping(history: &HistoryTable) -> Option<String> {
    let most = |head: &str| history.column(head).iter().map(|x| x.abs()).filter(|x| x.is_finite()).fold(0.0, f64::max);
    let works = history.columns().iter().filter(|info| info.role == ColumnRole::Work);
    let start = history.column("kinetic_j").first().copied().unwrap_or(0.0);
    let put_in = works.map(|info| most(&info.head)).sum::<f64>() + start;
    let lost = most("numerical_j");
    // a structure at rest takes in rounding errors only
    let counts = put_in > 1e-9 && lost > LOST * put_in;
    counts.then(|| {
        format!(
            "The time stepping lost or gained {}, {} % of the energy input ({}): shorter steps reduce this error.",
            quantity(lost, "J"),
            digits((1e3 * lost / put_in).round() / 10.0),
            quantity(put_in, "J")
        )
    })
}

/// Rows "measure, peak, time of the peak, at the end" of all measured columns that are not zero throughout.
pub(super) fn peaks(history: &HistoryTable) -> Vec<Vec<String>> {
    let time = history.column("time_s");
    let counted = |info: &&ColumnInfo| {
        let roles =
            [ColumnRole::Displacement, ColumnRole::Measure, ColumnRole::Reaction, ColumnRole::Cable, ColumnRole::Probe];
        roles.contains(&info.role) || info.head == "kinetic_j"
    };
    let row = |info: &ColumnInfo| {
        let values = history.column(&info.head);
        let finite = (0..values.len()).filter(|&i| values[i].is_finite());
        let peak = finite.max_by(|&a, &b| values[a].abs().total_cmp(&values[b].abs()))?;
        let (value, end) = (values[peak], *values.last()?);
        let text = |value: f64| quantity(value, &info.unit);
        (value != 0.0).then(|| vec![info.label.clone(), text(value), format!("{} s", digits(time[peak])), text(end)])
    };
    history.columns().iter().filter(counted).filter_map(row).collect()
}
