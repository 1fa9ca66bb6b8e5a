//! Numbers with units, for messages and drawings.

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
