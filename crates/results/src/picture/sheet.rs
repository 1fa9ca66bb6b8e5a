//! Content of a page besides the faces of bodies: lines, areas and texts, in painting order.
//!
//! The drawing has its corner at (0, 0); titles stand above it (negative y), legends below.

use super::colour::Rgb;

/// A point of the page [px].
pub type Point = [f64; 2];

/// Anchor of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TextAnchor {
    Start,
    Middle,
    End,
}

/// How an outline is painted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ink {
    pub fill: Option<Rgb>,
    /// Colour and width [px].
    pub stroke: Option<(Rgb, f64)>,
    /// 0 opaque … 1 invisible.
    pub transparency: f64,
}

impl Ink {
    pub fn fill(colour: Rgb) -> Self {
        Self { fill: Some(colour), ..Self::default() }
    }

    pub fn line(colour: Rgb, width: f64) -> Self {
        Self { stroke: Some((colour, width)), ..Self::default() }
    }

    pub fn through(self, transparency: f64) -> Self {
        Self { transparency, ..self }
    }
}

/// One element of the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Open or closed outlines, painted as one.
    Path {
        outlines: Vec<Vec<Point>>,
        closed: bool,
        ink: Ink,
        /// Clipped at the edge of the drawing.
        inside: bool,
    },
    /// Discs of one size.
    Dots { centres: Vec<Point>, radius: f64, ink: Ink, inside: bool },
    /// Text.
    Text { at: Point, size: f64, anchor: TextAnchor, text: String, colour: Rgb },
}

/// A page: the elements below the structure, and those above it.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// Size of the drawing [px].
    pub drawing: Point,
    /// Space for text above the drawing, and for legends below it [px].
    pub head: f64,
    pub foot: f64,
    pub below: Vec<Item>,
    pub above: Vec<Item>,
}

impl Sheet {
    /// Size of the whole page [px].
    pub fn size(&self) -> Point {
        [self.drawing[0], self.head + self.drawing[1] + self.foot]
    }

    pub fn line(&mut self, points: Vec<Point>, ink: Ink, inside: bool) {
        self.above.push(Item::Path { outlines: vec![points], closed: false, ink, inside });
    }

    pub fn lines(&mut self, outlines: Vec<Vec<Point>>, ink: Ink, inside: bool) {
        if !outlines.is_empty() {
            self.above.push(Item::Path { outlines, closed: false, ink, inside });
        }
    }

    pub fn area(&mut self, points: Vec<Point>, ink: Ink, inside: bool) {
        self.above.push(Item::Path { outlines: vec![points], closed: true, ink, inside });
    }

    pub fn dots(&mut self, centres: Vec<Point>, radius: f64, ink: Ink, inside: bool) {
        if !centres.is_empty() {
            self.above.push(Item::Dots { centres, radius, ink, inside });
        }
    }

    pub fn text(&mut self, at: Point, size: f64, anchor: TextAnchor, text: &str, colour: Rgb) {
        self.above.push(Item::Text { at, size, anchor, text: text.to_owned(), colour });
    }

    /// An arrow to `tip` along the unit vector `along`, of length `reach`, with a shaft of width `width`.
    pub fn arrow(&mut self, tip: Point, along: Point, reach: f64, width: f64, colour: Rgb, inside: bool) {
        let head = (3.4 * width).min(0.6 * reach);
        let half = 0.5 * head;
        let [[x, y], [dx, dy]] = [tip, along];
        let back = |distance: f64, side: f64| [x - distance * dx - side * dy, y - distance * dy + side * dx];
        self.line(vec![back(reach, 0.0), back(0.8 * head, 0.0)], Ink::line(colour, width), inside);
        self.area(vec![tip, back(head, half), back(head, -half)], Ink::fill(colour), inside);
    }
}
