//! Colours: a perceptually uniform map for numbers, muted ones for materials, and the colours of all drawings.

use super::numbers::{prefix, ticks};
use crate::measures::BlockQuantity;

/// Red, green, blue, 0 … 255.
pub type Rgb = [u8; 3];

/// Contact forces.
pub const FORCE: Rgb = [0xb3, 0x26, 0x1e];
/// Centres of pressure.
pub const CENTRE: Rgb = [0x29, 0xa3, 0xe0];
/// Loads.
pub const LOAD: Rgb = [0x1b, 0x5f, 0xa8];
/// Thrust lines.
pub const THRUST: Rgb = [0x7a, 0x1f, 0x8a];
/// Velocities.
pub const MOTION: Rgb = [0x00, 0x6b, 0x5c];
/// Wind.
pub const WIND: Rgb = [0x8a, 0x4b, 0x9e];
/// Current.
pub const CURRENT: Rgb = [0x1f, 0x7f, 0xb5];
/// Cables.
pub const CABLE: Rgb = [0xa8, 0x5a, 0x00];
/// Open joints.
pub const CRACK: Rgb = [0x11, 0x11, 0x11];
/// Texts and scales.
pub const INK: Rgb = [0x22, 0x22, 0x22];
/// Edges of blocks.
pub const EDGE: Rgb = [0x4a, 0x41, 0x36];
/// Supports.
pub const SUPPORT: Rgb = [150, 154, 160];
/// Ground and other planes.
pub const PLANE: Rgb = [247, 246, 243];
/// Blocks without a value.
pub const NO_VALUE: Rgb = [205, 205, 205];

/// Materials; their lightness differs too, so they can be distinguished with any kind of colour vision.
pub const STONES: [Rgb; 6] =
    [[226, 211, 180], [186, 150, 124], [190, 206, 216], [156, 172, 130], [214, 182, 192], [128, 138, 150]];

/// The map viridis (S. van der Walt and N. Smith, public domain) at 17 even steps: perceptually
/// uniform, and in order of lightness for every kind of colour vision.
const VIRIDIS: [Rgb; 17] = [
    [68, 1, 84],
    [72, 24, 106],
    [71, 45, 123],
    [66, 64, 134],
    [59, 82, 139],
    [51, 99, 141],
    [44, 114, 142],
    [38, 130, 142],
    [33, 145, 140],
    [31, 159, 136],
    [39, 173, 129],
    [61, 188, 116],
    [92, 200, 99],
    [129, 211, 77],
    [170, 220, 50],
    [213, 226, 26],
    [253, 231, 37],
];

/// Colour of a number between 0 and 1.
pub fn viridis(x: f64) -> Rgb {
    if x.is_nan() {
        return NO_VALUE;
    }
    let place = x.clamp(0.0, 1.0) * 16.0;
    let index = (place as usize).min(15);
    mix(VIRIDIS[index], VIRIDIS[index + 1], place - index as f64)
}

/// `a` at 0, `b` at 1.
pub fn mix(a: Rgb, b: Rgb, t: f64) -> Rgb {
    std::array::from_fn(|k| (f64::from(a[k]) + t * (f64::from(b[k]) - f64::from(a[k]))).round() as u8)
}

/// A colour under less light.
pub fn shade(colour: Rgb, brightness: f64) -> Rgb {
    colour.map(|channel| (f64::from(channel) * brightness).round().clamp(0.0, 255.0) as u8)
}

/// `#b3261e`.
pub fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A colour scale.
#[derive(Clone, Debug, PartialEq)]
pub struct ColourScale {
    /// Quantity.
    pub quantity: BlockQuantity,
    /// Values at both ends [SI].
    pub range: [f64; 2],
}

impl ColourScale {
    /// A scale for all values, from zero if none is negative.
    pub fn new(quantity: BlockQuantity, values: impl Iterator<Item = f64>) -> Self {
        let range = quantity.fixed_range().unwrap_or_else(|| {
            let (low, high) =
                values.filter(|v| v.is_finite()).fold((0.0, 0.0), |(a, b): (f64, f64), v| (a.min(v), b.max(v)));
            if high > low { [low, high] } else { [low, low + 1.0] }
        });
        Self { quantity, range }
    }

    /// Position of a value, 0 … 1.
    pub fn place(&self, value: f64) -> f64 {
        (value - self.range[0]) / (self.range[1] - self.range[0])
    }

    /// Colour of a value.
    pub fn colour(&self, value: f64) -> Rgb {
        if value.is_nan() { NO_VALUE } else { viridis(self.place(value)) }
    }

    /// Label above the bar.
    pub fn title(&self) -> String {
        let (_, prefix) = self.prefix();
        match self.quantity.unit() {
            "" => self.quantity.label().to_owned(),
            unit => format!("{} [{prefix}{unit}]", self.quantity.label()),
        }
    }

    /// Round numbers along the bar: position, 0 … 1, and label.
    pub fn ticks(&self, count: usize) -> Vec<(f64, String)> {
        let (factor, _) = self.prefix();
        let [low, high] = self.range.map(|x| x * factor);
        ticks(low, high, count).into_iter().map(|t| ((t - low) / (high - low), super::numbers::digits(t))).collect()
    }

    fn prefix(&self) -> (f64, &'static str) {
        if self.quantity.unit().is_empty() { (1.0, "") } else { prefix(self.range[0].abs().max(self.range[1].abs())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CIE L*a*b* of a colour in sRGB (D65).
    fn lab(rgb: [f64; 3]) -> [f64; 3] {
        let linear = rgb.map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) });
        let row = |m: [f64; 3], white: f64| (m[0] * linear[0] + m[1] * linear[1] + m[2] * linear[2]) / white;
        let f = |t: f64| if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 };
        let x = f(row([0.4124, 0.3576, 0.1805], 0.9505));
        let y = f(row([0.2126, 0.7152, 0.0722], 1.0));
        let z = f(row([0.0193, 0.1192, 0.9505], 1.089));
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    fn srgb(colour: Rgb) -> [f64; 3] {
        colour.map(|c| f64::from(c) / 255.0)
    }

    #[test]
    fn the_map_grows_lighter_in_equal_steps() {
        let lightness: Vec<f64> = (0..=16).map(|i| lab(srgb(viridis(f64::from(i) / 16.0)))[0]).collect();
        let steps: Vec<f64> = lightness.windows(2).map(|w| w[1] - w[0]).collect();
        let mean = steps.iter().sum::<f64>() / steps.len() as f64;
        assert!(steps.iter().all(|step| *step > 0.6 * mean && *step < 1.4 * mean), "{steps:?}");
    }

    #[test]
    fn the_map_is_in_order_for_colour_blind_readers() {
        // full protanopia, deuteranopia, tritanopia (Machado, Oliveira and Fernandes 2009)
        let kinds = [
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
            [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
        ];
        for kind in kinds {
            let seen = |x: f64| {
                let c = srgb(viridis(x));
                lab(kind.map(|row| (row[0] * c[0] + row[1] * c[1] + row[2] * c[2]).clamp(0.0, 1.0)))[0]
            };
            let steps: Vec<f64> = (0..16).map(|i| seen(f64::from(i + 1) / 16.0) - seen(f64::from(i) / 16.0)).collect();
            assert!(steps.iter().all(|step| *step > 1.5), "{steps:?}");
        }
    }

    #[test]
    fn bars_have_readable_units() {
        let scale = ColourScale::new(BlockQuantity::Pressure, [f64::NAN, 12_000.0, 48_000.0].into_iter());
        assert_eq!((scale.range, scale.title().as_str()), ([0.0, 48_000.0], "mean pressure [kPa]"));
        let ticks = scale.ticks(5);
        assert_eq!(ticks.iter().map(|t| t.1.as_str()).collect::<Vec<_>>(), ["0", "10", "20", "30", "40"]);
        assert!((ticks[2].0 - 20.0 / 48.0).abs() < 1e-12);
        assert_eq!(ColourScale::new(BlockQuantity::Use, std::iter::empty()).range, [0.0, 1.0]);
    }
}
