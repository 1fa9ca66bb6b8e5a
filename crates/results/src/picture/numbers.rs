//! Readable numbers: few digits, SI prefixes, round steps.

/// 1, 2 or 5 times a power of ten, at most `value`.
pub fn nice(value: f64) -> f64 {
    if !value.is_finite() || value <= 0.0 {
        return 1.0;
    }
    let power = 10f64.powf(value.log10().floor());
    let factor = [5.0, 2.0].into_iter().find(|factor| factor * power <= value).unwrap_or(1.0);
    // without rounding noise
    format!("{:.0e}", factor * power).parse().unwrap_or(value)
}

/// A factor and its prefix, so that numbers up to `largest` are easy to read.
pub fn prefix(largest: f64) -> (f64, &'static str) {
    match largest.abs() {
        x if !x.is_finite() || x == 0.0 => (1.0, ""),
        x if x >= 1e9 => (1e-9, "G"),
        x if x >= 1e6 => (1e-6, "M"),
        x if x >= 1e3 => (1e-3, "k"),
        x if x >= 0.1 => (1.0, ""),
        x if x >= 1e-4 => (1e3, "m"),
        x if x >= 1e-7 => (1e6, "µ"),
        _ => (1.0, ""),
    }
}

/// A value with its unit: `12.35 kN`. No prefix is smaller than µ.
pub fn quantity(value: f64, unit: &str) -> String {
    if unit.is_empty() {
        return digits(value);
    }
    let (factor, prefix) = match (prefix(value), unit) {
        // kilograms have a prefix already; a small stress is zero to engineers
        (_, "kg") => (1.0, ""),
        ((factor, _), "Pa" | "Pa/m") if factor > 1.0 => (1.0, ""),
        (found, _) => found,
    };
    format!("{} {prefix}{unit}", digits(value * factor))
}

/// Three or four digits.
pub fn digits(value: f64) -> String {
    // zero has no sign
    let rounded = format!("{value:.3e}").parse().unwrap_or(value) + 0.0;
    if rounded == 0.0 || (1e-3..1e6).contains(&rounded.abs()) { format!("{rounded}") } else { format!("{rounded:e}") }
}

/// Round numbers from `low` to `high`, about `count` of them.
pub fn ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let span = high - low;
    if !span.is_finite() || span <= 0.0 {
        return vec![low];
    }
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * 10f64.powf((span / count.max(1) as f64).log10().floor()))
        .find(|step| span / step <= count as f64 + 1e-9)
        .unwrap_or(span);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|i| i as f64 * step).map(|x| format!("{x:.12e}").parse().unwrap_or(x)).collect()
}

/// `1 support`, `2 supports`.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_round_numbers() {
        for (value, expected) in [(1.0, 1.0), (1.9, 1.0), (4.99, 2.0), (730.0, 500.0), (0.034, 0.02)] {
            assert_eq!(nice(value), expected);
        }
        assert_eq!(quantity(12_345.6, "N"), "12.35 kN");
        assert_eq!(quantity(0.0004, "m"), "0.4 mm");
        assert_eq!(quantity(2.85e-16, "m"), "2.85e-16 m");
        assert_eq!(digits(0.30000000000000004), "0.3");
        assert_eq!(digits(-0.0), "0");
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(0.0, 1.0, 5), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(ticks(-3.0, 12.0, 4), [0.0, 5.0, 10.0]);
        assert_eq!(ticks(0.0, 0.07, 4), [0.0, 0.02, 0.04, 0.06]);
        assert_eq!(ticks(2.0, 2.0, 4), [2.0]);
    }
}
