//! A run in a few lines, for people.

use std::fmt::Write;

use voussoir_results::{CableSummary, Summary};

/// A number with its unit, prefixed so that it is easy to read: `12.3 kN`, `0.4 mm`.
pub fn quantity(value: f64, unit: &str) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value} {unit}");
    }
    let (factor, prefix) = match value.abs() {
        x if x >= 1e9 => (1e-9, "G"),
        x if x >= 1e6 => (1e-6, "M"),
        x if x >= 1e3 => (1e-3, "k"),
        x if x >= 1.0 => (1.0, ""),
        x if x >= 1e-3 => (1e3, "m"),
        x if x >= 1e-6 => (1e6, "µ"),
        _ => return format!("{value:.1e} {unit}"),
    };
    let scaled = value * factor;
    let digits = if scaled.abs() < 10.0 {
        3
    } else if scaled.abs() < 100.0 {
        2
    } else {
        1
    };
    format!("{scaled:.digits$} {prefix}{unit}")
}

/// The certificate: how well the law of contact and friction was fulfilled.
pub fn certificate(summary: &Summary) -> String {
    let worst = summary.worst_step.map_or(String::new(), |step| format!(" in step {step}"));
    let missed = summary.steps - summary.converged_steps;
    if missed == 0 {
        format!("all within {:.0e}; largest residual {:.1e}{worst}", summary.tolerance, summary.max_residual)
    } else {
        format!(
            "{missed} MISSED the tolerance {:.0e}; largest residual {:.1e}{worst}",
            summary.tolerance, summary.max_residual
        )
    }
}

/// What a cable carried, and whether that was too much.
fn cable(cable: &CableSummary) -> String {
    let mut words = format!("{} at the most", quantity(cable.max_tension_n, "N"));
    let _ = match (cable.strength_n, cable.broken, cable.strength_exceeded) {
        (Some(strength), true, _) => write!(words, "; SNAPPED at its strength of {}", quantity(strength, "N")),
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
    line("displacement", format!("{} at the most", quantity(summary.max_displacement_m, "m")));
    line("penetration", format!("{} at the most", quantity(summary.max_penetration_m, "m")));
    line("speed", format!("{} at the most", quantity(summary.max_speed_m_s, "m/s")));
    let off = ((summary.support_reaction_n - summary.weight_n) / summary.weight_n).abs();
    let off = if off.is_finite() { format!("; off the weight by {off:.1e} of it") } else { String::new() };
    line("support reaction", quantity(summary.support_reaction_n, "N") + &off);
    line(
        "energy",
        format!(
            "{} kinetic at the end; balance closed to {}",
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

/// A time without the dust of rounding.
fn shortest(time: f64) -> f64 {
    (time * 1e9).round() / 1e9
}

#[cfg(test)]
mod tests {
    use super::quantity;

    #[test]
    fn quantities_have_a_readable_prefix() {
        assert_eq!(quantity(12_345.6, "N"), "12.35 kN");
        assert_eq!(quantity(0.000_45, "m"), "450.0 µm");
        assert_eq!(quantity(-2.0, "m/s"), "-2.000 m/s");
        assert_eq!(quantity(3e-12, "m"), "3.0e-12 m");
        assert_eq!(quantity(0.0, "J"), "0 J");
    }
}
