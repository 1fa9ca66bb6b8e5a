//! What the report says in sentences: what was modelled, what happened, how far to trust it.

use voussoir_mechanics::snapshot::{Cast, Snapshot};

use crate::Summary;
use crate::history_table::HistoryTable;
use crate::measures::{BlockQuantity, InterfaceResultant};
use crate::picture::escape;
use crate::picture::numbers::{count, digits, quantity};

/// What the structure is.
pub fn structure(cast: &Cast, summary: &Summary) -> String {
    let supports = cast.bodies.iter().filter(|body| body.support).count();
    let materials: Vec<&str> = cast.materials.iter().map(String::as_str).collect();
    let made_of = match materials[..] {
        [] => String::new(),
        [one] => format!(" of {one}"),
        _ => format!(" of {}", materials.join(", ")),
    };
    escape(&format!(
        "A structure in {}: {}{made_of} and {}, weighing {} without the supports. It touches at {} at the end.",
        if cast.dimension == 2 { "two dimensions" } else { "three dimensions" },
        count(cast.bodies.len() - supports, "free block", "free blocks"),
        count(supports, "support", "supports"),
        quantity(summary.weight_n, "N"),
        count(summary.contacts, "contact point", "contact points"),
    ))
}

/// What it did.
pub fn events(
    cast: &Cast,
    summary: &Summary,
    history: &HistoryTable,
    first: &Snapshot,
    last: &Snapshot,
    block: f64,
) -> String {
    let moved = BlockQuantity::Displacement.values(cast, first, last).unwrap_or_default();
    let farthest = (0..moved.len()).filter(|&i| moved[i].is_finite()).max_by(|&a, &b| moved[a].total_cmp(&moved[b]));
    let name = farthest.map_or("", |i| cast.bodies[i].name.as_str());
    let displacement = summary.max_displacement_m;
    let mut text = if displacement.is_nan() {
        "The positions are not finite numbers: the computation failed.".to_owned()
    } else if displacement < 1e-6 * block {
        format!(
            "It stands: no block moved by more than {} in {} s.",
            quantity(displacement, "m"),
            digits(summary.time_s)
        )
    } else if displacement < 1e-2 * block {
        format!(
            "It moves little: {} at the most, which is {} of the size of a block; {name} is the farthest from its \
             place at the end.",
            quantity(displacement, "m"),
            digits(displacement / block)
        )
    } else {
        format!(
            "It moves: {} at the most, and up to {}. At the end {name} is the farthest from its place.",
            quantity(displacement, "m"),
            quantity(summary.max_speed_m_s, "m/s")
        )
    };
    let (time, far) = (history.column("time_s"), history.column("displacement_m"));
    let onset = far.iter().position(|&d| d > 1e-4 * block).map(|row| time[row]);
    if let Some(onset) = onset.filter(|_| displacement >= 1e-2 * block) {
        text += &format!(" Motion is seen from t = {} s.", digits(onset));
    }
    let energy = history.column("kinetic_j").iter().copied().fold(0.0, f64::max);
    if displacement >= 1e-2 * block {
        text += if summary.kinetic_energy_j > 0.02 * energy {
            " It has not come to rest."
        } else {
            " It has come to rest, or nearly so."
        };
    }
    let sliding = history.column("slide").last().copied().unwrap_or(0.0);
    if sliding > 0.0 {
        text += &format!(" {} slide in the last step.", count(sliding as usize, "contact", "contacts"));
    }
    escape(&text)
}

/// What carries most.
pub fn forces(cast: &Cast, interfaces: &[InterfaceResultant]) -> String {
    let largest = interfaces.iter().filter(|i| i.carries()).max_by(|a, b| a.size().total_cmp(&b.size()));
    let Some(largest) = largest else { return "Nothing is carried at the end.".to_owned() };
    // joints that hardly carry say nothing about friction
    let counts = interfaces.iter().filter(|i| i.carries() && i.size() >= 1e-3 * largest.size());
    let used = counts.max_by(|a, b| a.friction_use().total_cmp(&b.friction_use())).unwrap_or(largest);
    escape(&format!(
        "At the end the largest force between two bodies is {} ({}); the largest use of friction is {} ({}).",
        quantity(largest.size(), "N"),
        super::measures::joint_name(cast, largest),
        digits(used.friction_use()),
        super::measures::joint_name(cast, used)
    ))
}

/// The certificate in one sentence, and how it should look.
pub fn verdict(summary: &Summary) -> (&'static str, String) {
    let missed = summary.steps - summary.converged_steps.min(summary.steps);
    let tolerance = format!("{:.0e}", summary.tolerance);
    if summary.steps == 0 {
        ("open", "No step was computed yet.".to_owned())
    } else if missed > 0 {
        (
            "missed",
            format!(
                "{missed} of {} steps missed the tolerance {tolerance}. Figures after the first of them are not those \
                 of the model to that tolerance.",
                summary.steps
            ),
        )
    } else {
        (
            if summary.finished { "met" } else { "open" },
            format!(
                "Every one of {} steps fulfils the laws of contact and friction within {tolerance}; the worst residual \
                 is {:.1e}{}.{}",
                summary.steps,
                summary.max_residual,
                summary.worst_step.map_or(String::new(), |step| format!(" in step {step}")),
                if summary.finished { "" } else { " The run is not finished." }
            ),
        )
    }
}
