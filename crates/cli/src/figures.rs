//! The summary of a run as text.

use std::fmt::Write;

use voussoir_results::{CableSummary, Summary};
pub use voussoir_run::figures::quantity;

/// The certificate: residual of the contact law, and number of steps that missed the tolerance.
pub fn certificate(summary: &Summary) -> String {
    let worst = summary.worst_step.map_or(String::new(), |step| format!(" in step {step}"));
    let missed = summary.steps - summary.converged_steps;
    if summary.steps == 0 {
        "no step has been computed".to_owned()
    } else if missed == 0 {
        format!(
            "all within the tolerance {:.0e}; largest residual {:.1e}{worst}",
            summary.tolerance, summary.max_residual
        )
    } else {
        format!(
            "{missed} MISSED the tolerance {:.0e}; largest residual {:.1e}{worst}",
            summary.tolerance, summary.max_residual
        )
    }
}

/// Largest tension of a cable, compared with its strength.
fn cable(cable: &CableSummary) -> String {
    let mut words = format!("largest tension {}", quantity(cable.max_tension_n, "N"));
    let _ = match (cable.strength_n, cable.broken, cable.strength_exceeded) {
        (Some(strength), true, _) => write!(words, "; BROKE at its strength of {}", quantity(strength, "N")),
        (Some(strength), _, true) => write!(words, "; EXCEEDS its strength of {}", quantity(strength, "N")),
        (Some(strength), ..) => write!(words, ", {:.0} % of its strength", 100.0 * cable.max_tension_n / strength),
        _ => Ok(()),
    };
    words
}

/// The summary of a run.
pub fn describe(summary: &Summary) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<18} {value}");
    };
    line("bodies, contacts", format!("{}, {}", summary.bodies, summary.contacts));
    line("steps", format!("{} to t = {} s; {}", summary.steps, shortest(summary.time_s), certificate(summary)));
    line("displacement", format!("{} (largest)", quantity(summary.max_displacement_m, "m")));
    line("penetration", format!("{} (largest)", quantity(summary.max_penetration_m, "m")));
    if summary.max_closure_m > 0.0 {
        line("spring closure", format!("{} (largest)", quantity(summary.max_closure_m, "m")));
    }
    line("speed", format!("{} (largest)", quantity(summary.max_speed_m_s, "m/s")));
    let total = summary.weight_n + summary.load_n;
    let off = ((summary.support_reaction_n - total) / total).abs();
    let what = if summary.load_n == 0.0 { "the weight" } else { "weight and loads" };
    let off = if off.is_finite() { format!("; relative difference from {what} {off:.1e}") } else { String::new() };
    line("support reaction", quantity(summary.support_reaction_n, "N") + &off);
    line(
        "energy",
        format!(
            "{} kinetic at the end; error of the energy balance {}",
            quantity(summary.kinetic_energy_j, "J"),
            quantity(summary.energy_error_j, "J")
        ),
    );
    for cable in &summary.cables {
        line(&format!("cable {}", cable.name), self::cable(cable));
    }
    line("time", format!("{:.2} s, {:.2} ms per step", summary.wall_time_s, summary.ms_per_step));
    text
}

/// A time without rounding errors of its sum of steps.
fn shortest(time: f64) -> f64 {
    (time * 1e9).round() / 1e9
}
