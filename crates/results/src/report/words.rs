//! Sentences of the report: model, events, forces, accuracy.

use voussoir_mechanics::snapshot::{Cast, Snapshot};

use crate::history_table::HistoryTable;
use crate::measures::{BlockQuantity, InterfaceResultant};
use crate::picture::escape;
use crate::picture::numbers::{count, digits, quantity};
use crate::{StageVerdict, Summary};

/// Describes the structure.
pub fn structure(cast: &Cast, summary: &Summary) -> String {
    let supports = cast.bodies.iter().filter(|body| body.support).count();
    let materials: Vec<&str> = cast.materials.iter().map(String::as_str).collect();
    let made_of = match materials[..] {
        [] => String::new(),
        [one] => format!(" of {one}"),
        _ => format!(" of {}", materials.join(", ")),
    };
    escape(&format!(
        "Structure in {}: {}{made_of} and {}; weight {} without the supports; {} at the end.",
        if cast.dimension == 2 { "two dimensions" } else { "three dimensions" },
        count(cast.bodies.len() - supports, "free block", "free blocks"),
        count(supports, "support", "supports"),
        quantity(summary.weight_n, "N"),
        count(summary.contacts, "contact point", "contact points"),
    ))
}

/// Describes the motion.
pub fn events(
    cast: &Cast,
    summary: &Summary,
    history: &HistoryTable,
    first: &Snapshot,
    last: &Snapshot,
    block: f64,
) -> String {
    if summary.steps == 0 {
        return "No motion has been computed.".to_owned();
    }
    let moved = BlockQuantity::Displacement.values(cast, first, last).unwrap_or_default();
    let farthest = (0..moved.len()).filter(|&i| moved[i].is_finite()).max_by(|&a, &b| moved[a].total_cmp(&moved[b]));
    let name = farthest.map_or("", |i| cast.bodies[i].name.as_str());
    let displacement = summary.max_displacement_m;
    let mut text = if displacement.is_nan() {
        "The computation failed: positions are not finite.".to_owned()
    } else if displacement < 1e-6 * block {
        format!(
            "The structure stands: largest displacement {} in {} s.",
            quantity(displacement, "m"),
            digits(summary.time_s)
        )
    } else if displacement < 1e-2 * block {
        format!(
            "Small displacements: largest displacement {}, {} of the block size; largest at the end: {name}.",
            quantity(displacement, "m"),
            digits(displacement / block)
        )
    } else {
        format!(
            "Large displacements: largest displacement {}, largest speed {}; largest displacement at the end: {name}.",
            quantity(displacement, "m"),
            quantity(summary.max_speed_m_s, "m/s")
        )
    };
    let (time, far) = (history.column("time_s"), history.column("displacement_m"));
    let onset = far.iter().position(|&d| d > 1e-4 * block).map(|row| time[row]);
    if let Some(onset) = onset.filter(|_| displacement >= 1e-2 * block) {
        text += &format!(" First motion at t = {} s.", digits(onset));
    }
    let energy = history.column("kinetic_j").iter().copied().fold(0.0, f64::max);
    if displacement >= 1e-2 * block {
        text += if summary.kinetic_energy_j > 0.02 * energy {
            " The structure is still moving at the end."
        } else {
            " The structure is at rest, or nearly so, at the end."
        };
    }
    let sliding = history.column("slide").last().copied().unwrap_or(0.0);
    if sliding > 0.0 {
        text += &format!(" Sliding in the last step: {}.", count(sliding as usize, "contact", "contacts"));
    }
    escape(&text)
}

/// Describes the largest forces.
pub fn forces(cast: &Cast, interfaces: &[InterfaceResultant]) -> String {
    let largest = interfaces.iter().filter(|i| i.carries()).max_by(|a, b| a.size().total_cmp(&b.size()));
    let Some(largest) = largest else { return "No contact carries a force at the end.".to_owned() };
    // the friction utilisation of nearly unloaded joints is meaningless
    let counts = interfaces.iter().filter(|i| i.carries() && i.size() >= 1e-3 * largest.size());
    let used = counts.max_by(|a, b| a.friction_use().total_cmp(&b.friction_use())).unwrap_or(largest);
    escape(&format!(
        "Largest force between two bodies at the end: {} ({}); largest friction utilisation: {} ({}).",
        quantity(largest.size(), "N"),
        super::measures::joint_name(cast, largest),
        digits(used.friction_use()),
        super::measures::joint_name(cast, used)
    ))
}

/// The certificate in one sentence, and its style class.
pub fn verdict(summary: &Summary) -> (&'static str, String) {
    let missed = summary.steps - summary.converged_steps.min(summary.steps);
    let tolerance = format!("{:.0e}", summary.tolerance);
    if summary.steps == 0 && !summary.statics.is_empty() {
        let proof = |stage: &StageVerdict| {
            let number =
                |key: &str| stage.report[key].as_f64().map_or("none".to_owned(), |value| format!("{value:.1e}"));
            format!(
                "stage {}: residual {}, imbalance of forces {}",
                stage.stage,
                number("residual"),
                number("imbalance")
            )
        };
        let proofs: Vec<String> = summary.statics.iter().map(proof).collect();
        ("met", format!("Static analysis, {}.", proofs.join("; ")))
    } else if summary.steps == 0 {
        ("open", "No step has been computed yet.".to_owned())
    } else if missed > 0 {
        (
            "missed",
            format!(
                "{missed} of {} steps missed the tolerance {tolerance}. Results after the first of these steps are not \
                 accurate to the tolerance.",
                summary.steps
            ),
        )
    } else {
        (
            if summary.finished { "met" } else { "open" },
            format!(
                "All {} steps satisfy the contact law within the tolerance {tolerance}; largest residual {:.1e}{}.{}",
                summary.steps,
                summary.max_residual,
                summary.worst_step.map_or(String::new(), |step| format!(" in step {step}")),
                if summary.finished { "" } else { " The run is not finished." }
            ),
        )
    }
}
