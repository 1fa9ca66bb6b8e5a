//! Letters: widths of words, and outlines for bitmaps. The font is a part of Open Sans (Apache License 2.0).

use tiny_skia::{Path, PathBuilder, Transform};
use ttf_parser::{Face, OutlineBuilder};

/// Latin, Greek and Cyrillic letters and the signs we use.
const FONT: &[u8] = include_bytes!("../../fonts/open-sans.ttf");

/// The font; `None` only if the embedded file were damaged.
fn font() -> Option<Face<'static>> {
    Face::parse(FONT, 0).ok()
}

/// Width of a text of a given size [px].
pub fn width(text: &str, size: f64) -> f64 {
    let Some(font) = font() else { return 0.55 * size * text.chars().count() as f64 };
    let advance = |letter: char| f64::from(advance(&font, letter));
    text.chars().map(advance).sum::<f64>() * size / f64::from(font.units_per_em())
}

/// A text cut so that it is not wider than `most`.
pub fn shorten(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let mut short: String = text.to_owned();
    while short.pop().is_some() {
        let cut = format!("{}…", short.trim_end());
        if width(&cut, size) <= most {
            return cut;
        }
    }
    String::new()
}

/// Outline of a text that starts at the origin of its base line, y down.
pub fn outline(text: &str, size: f32) -> Option<Path> {
    let font = font()?;
    let scale = size / f32::from(font.units_per_em());
    let mut pen = Pen { path: PathBuilder::new(), x: 0.0 };
    for letter in text.chars() {
        let glyph = font.glyph_index(letter).unwrap_or_default();
        font.outline_glyph(glyph, &mut pen);
        pen.x += f32::from(advance(&font, letter));
    }
    pen.path.finish()?.transform(Transform::from_scale(scale, -scale))
}

fn advance(font: &Face, letter: char) -> u16 {
    font.glyph_hor_advance(font.glyph_index(letter).unwrap_or_default()).unwrap_or(0)
}

/// Draws glyphs side by side, in the units of the font.
struct Pen {
    path: PathBuilder,
    x: f32,
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.x + x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.x + x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.path.quad_to(self.x + x1, y1, self.x + x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.path.cubic_to(self.x + x1, y1, self.x + x2, y2, self.x + x, y);
    }
    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_the_letters_we_use() {
        let font = font().unwrap();
        for letter in "Aé ß ω Ω μ µ ² ³ · − × ≤ ≥ ° … ∞ [kN/m²] Ж".chars() {
            assert!(font.glyph_index(letter).is_some(), "{letter}");
        }
    }

    #[test]
    fn words_have_widths_and_are_shortened() {
        assert!((width("mmmm", 10.0) - 4.0 * width("m", 10.0)).abs() < 1e-9);
        assert!(width("i", 10.0) < width("m", 10.0));
        assert_eq!(shorten("short", 10.0, 500.0), "short");
        let cut = shorten("a very long title that does not fit", 10.0, 80.0);
        assert!(cut.ends_with('…') && width(&cut, 10.0) <= 80.0);
    }
}
