//! Title, scale of lengths, colour bar and legend.

use super::colour::{ColourScale, INK, Rgb, viridis};
use super::glyphs;
use super::numbers::nice;
use super::sheet::{Ink, Sheet, TextAnchor};
use super::view::Projection;

/// Space above the drawing [px].
pub const HEAD: f64 = 64.0;
/// Space for a colour bar at the right of the drawing [px].
pub const BAR: f64 = 120.0;
/// Height of a row of the legend [px], and of its text.
const ROW: f64 = 24.0;
const LETTERS: f64 = 13.0;
/// Distance from the edges of the page [px].
const MARGIN: f64 = 24.0;

/// A symbol and its meaning.
#[derive(Clone, Debug)]
pub(super) struct LegendEntry {
    pub swatch: Swatch,
    pub label: String,
}

/// A symbol.
#[derive(Clone, Copy, Debug)]
pub enum Swatch {
    Line { colour: Rgb, length: f64, width: f64 },
    Arrow { colour: Rgb, length: f64, width: f64 },
    Area { colour: Rgb },
    Dot { colour: Rgb, radius: f64 },
}

impl Swatch {
    fn width(self) -> f64 {
        match self {
            Self::Line { length, .. } | Self::Arrow { length, .. } => length.max(4.0),
            Self::Area { .. } => 18.0,
            Self::Dot { radius, .. } => 2.0 * radius,
        }
    }

    /// Draws the symbol with its left end at `x`, its middle at `y`.
    fn draw(self, sheet: &mut Sheet, x: f64, y: f64) {
        let end = x + self.width();
        match self {
            Self::Line { colour, width, .. } => sheet.line(vec![[x, y], [end, y]], Ink::line(colour, width), false),
            Self::Arrow { colour, width, .. } => sheet.arrow([end, y], [1.0, 0.0], end - x, width, colour, false),
            Self::Area { colour } => {
                let outline = vec![[x, y - 6.0], [end, y - 6.0], [end, y + 6.0], [x, y + 6.0]];
                sheet.area(outline, Ink { stroke: Some((INK, 0.7)), ..Ink::fill(colour) }, false);
            }
            Self::Dot { colour, radius } => sheet.dots(vec![[x + radius, y]], radius, Ink::fill(colour), false),
        }
    }
}

/// Two lines of text above the drawing.
pub fn head(sheet: &mut Sheet, title: &str, line: &str) {
    let most = sheet.drawing[0] - 2.0 * MARGIN;
    sheet.head = HEAD;
    sheet.text([MARGIN, -34.0], 20.0, TextAnchor::Start, &glyphs::shorten(title, 20.0, most), INK);
    sheet.text([MARGIN, -12.0], 14.0, TextAnchor::Start, &glyphs::shorten(line, 14.0, most), INK);
}

/// Scale of lengths and legend below the drawing.
pub fn foot(sheet: &mut Sheet, view: &Projection, entries: &[LegendEntry]) {
    let left = if view.dimension == 2 { length_bar(sheet, view) } else { axes(sheet, view) };
    // entries in rows, from the right
    let room = sheet.drawing[0] - left - 2.0 * MARGIN;
    // a reader of an SVG file may have a wider font
    let width = |entry: &LegendEntry| entry.swatch.width() + 8.0 + 1.1 * glyphs::width(&entry.label, LETTERS);
    let mut rows: Vec<Vec<&LegendEntry>> = vec![Vec::new()];
    let mut used = 0.0;
    for entry in entries {
        let own = width(entry) + 22.0;
        if used + own > room + 22.0 && used > 0.0 {
            rows.push(Vec::new());
            used = 0.0;
        }
        used += own;
        if let Some(row) = rows.last_mut() {
            row.push(entry);
        }
    }
    sheet.foot = (ROW * rows.len() as f64 + 30.0).max(if view.dimension == 2 { 64.0 } else { 84.0 });
    let first = sheet.drawing[1] + 0.5 * (sheet.foot - ROW * rows.len() as f64) + 0.5 * ROW;
    for (i, row) in rows.iter().enumerate() {
        let y = first + ROW * i as f64;
        let total: f64 = row.iter().map(|entry| width(entry) + 22.0).sum();
        let mut x = sheet.drawing[0] - MARGIN - total + 22.0;
        for entry in row {
            entry.swatch.draw(sheet, x, y);
            let at = [x + entry.swatch.width() + 8.0, y + 0.36 * LETTERS];
            sheet.text(at, LETTERS, TextAnchor::Start, &entry.label, INK);
            x += width(entry) + 22.0;
        }
    }
}

/// A length in metres; returns the position where it ends.
fn length_bar(sheet: &mut Sheet, view: &Projection) -> f64 {
    let metres = nice(150.0 / view.scale);
    let (start, end, y) = (MARGIN + 8.0, MARGIN + 8.0 + metres * view.scale, sheet.drawing[1] + 32.0);
    let bar = vec![
        vec![[start, y], [end, y]],
        vec![[start, y - 5.0], [start, y + 5.0]],
        vec![[end, y - 5.0], [end, y + 5.0]],
    ];
    sheet.lines(bar, Ink::line(INK, 1.6), false);
    let label = format!("{metres} m");
    sheet.text([end + 10.0, y + 5.0], LETTERS, TextAnchor::Start, &label, INK);
    end + 10.0 + 1.1 * glyphs::width(&label, LETTERS)
}

/// A length in metres along each axis, as projected; returns the position where it ends.
fn axes(sheet: &mut Sheet, view: &Projection) -> f64 {
    let metres = nice(56.0 / view.scale);
    let directions: Vec<([f64; 2], &str)> = ["x", "y", "z"]
        .into_iter()
        .enumerate()
        .map(|(axis, name)| {
            let mut unit = [0.0; 3];
            unit[axis] = metres;
            (view.page_vector(unit), name)
        })
        .filter(|([dx, dy], _)| dx.hypot(*dy) > 4.0)
        .collect();
    // the corner lies so that all three ends are on the page
    let low = |k: usize| directions.iter().map(|(d, _)| d[k]).fold(0.0, f64::min);
    let high = |k: usize| directions.iter().map(|(d, _)| d[k]).fold(0.0, f64::max);
    let middle = sheet.drawing[1] + 42.0;
    let corner = [MARGIN + 14.0 - low(0), middle - 0.5 * (low(1) + high(1))];
    let end = |[dx, dy]: [f64; 2]| [corner[0] + dx, corner[1] + dy];
    let lines = directions.iter().map(|(d, _)| vec![corner, end(*d)]).collect();
    sheet.lines(lines, Ink::line(INK, 1.6), false);
    for (d, name) in &directions {
        let stretch = 1.0 + 9.0 / d[0].hypot(d[1]);
        let at = [corner[0] + d[0] * stretch, corner[1] + d[1] * stretch + 4.0];
        sheet.text(at, 12.0, TextAnchor::Middle, name, INK);
    }
    let x = corner[0] + high(0) + 26.0;
    let label = format!("{metres} m along each axis");
    sheet.text([x, middle + 5.0], LETTERS, TextAnchor::Start, &label, INK);
    x + 1.1 * glyphs::width(&label, LETTERS)
}

/// The colour bar at the right of the drawing.
pub fn bar(sheet: &mut Sheet, scale: &ColourScale) {
    const STRIPES: usize = 64;
    let [width, height] = sheet.drawing;
    let tall = (0.62 * height).min(280.0);
    let (left, right) = (width - BAR + 14.0, width - BAR + 32.0);
    let (top, bottom) = (0.5 * (height - tall) + 8.0, 0.5 * (height + tall) + 8.0);
    let at = |t: f64| bottom - t * tall;
    for i in 0..STRIPES {
        let [a, b] = [i, i + 1].map(|k| k as f64 / STRIPES as f64);
        // stripes overlap, so that no seams show
        let reach = at((b + 0.5 / STRIPES as f64).min(1.0));
        let colour = viridis(0.5 * (a + b));
        sheet.area(vec![[left, at(a)], [right, at(a)], [right, reach], [left, reach]], Ink::fill(colour), false);
    }
    sheet.area(vec![[left, bottom], [right, bottom], [right, top], [left, top]], Ink::line(INK, 0.8), false);
    for (t, label) in scale.ticks(6) {
        sheet.line(vec![[right, at(t)], [right + 5.0, at(t)]], Ink::line(INK, 0.8), false);
        sheet.text([right + 9.0, at(t) + 4.5], 12.0, TextAnchor::Start, &label, INK);
    }
    sheet.text([width - 14.0, top - 12.0], LETTERS, TextAnchor::End, &scale.title(), INK);
}
