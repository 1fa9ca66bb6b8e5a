//! Stones of a vertical section (x, height): outlines, clipping by lines, bodies.

use voussoir_geometry::glam::DVec2;

use super::Site;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;

/// One stone of a section.
pub(super) struct SectionStone {
    /// Part of the name after that of the body.
    pub name: String,
    /// Its tag.
    pub tag: &'static str,
    /// Convex outline, counter-clockwise [m].
    pub outline: Vec<DVec2>,
    /// True for supports.
    pub support: bool,
}

impl SectionStone {
    /// A free stone.
    pub fn free(name: String, tag: &'static str, outline: Vec<DVec2>) -> Self {
        Self { name, tag, outline, support: false }
    }

    /// A support.
    pub fn support(name: String, tag: &'static str, outline: Vec<DVec2>) -> Self {
        Self { name, tag, outline, support: true }
    }

    /// The stone with a width along y, its middle at `middle`.
    pub fn piece<S: Dimension>(&self, site: &Site<'_>, width: f64, middle: f64) -> Result<Piece<S>, SceneError> {
        let shape = S::prism(&self.outline, width)
            .map_err(|error| site.error("generator", format!("{}: {error}", self.name)))?;
        let piece = Piece::at(self.name.clone(), &[self.tag], &Centred::new(&shape), S::at(0.0, middle, 0.0));
        Ok(if self.support { piece.fixed() } else { piece })
    }
}

/// The rectangle between two corners.
pub(super) fn rectangle(low: DVec2, high: DVec2) -> Vec<DVec2> {
    vec![low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)]
}

/// Blocks on top of each other between two widths: the left and right ends below and above.
pub(super) fn courses(count: usize, [low, high]: [f64; 2], below: [f64; 2], above: [f64; 2]) -> Vec<Vec<DVec2>> {
    let level = |j: usize| {
        let share = j as f64 / count as f64;
        let between = |a: f64, b: f64| a * (1.0 - share) + b * share;
        let [left, right] = [between(below[0], above[0]), between(below[1], above[1])];
        let y = between(low, high);
        [DVec2::new(left, y), DVec2::new(right, y)]
    };
    (0..count)
        .map(|j| {
            let ([a, b], [d, c]) = (level(j), level(j + 1));
            vec![a, b, c, d]
        })
        .collect()
}

/// The part of a convex polygon on the left of the line from `a` to `b`.
pub(super) fn left_of(polygon: &[DVec2], a: DVec2, b: DVec2) -> Vec<DVec2> {
    let side = |p: DVec2| (b - a).perp_dot(p - a);
    let near = 1e-12 * (b - a).length_squared().max(1e-6);
    let mut out: Vec<DVec2> = Vec::with_capacity(polygon.len() + 1);
    for (i, &p) in polygon.iter().enumerate() {
        let q = polygon[(i + 1) % polygon.len()];
        let (dp, dq) = (side(p), side(q));
        if dp >= -near {
            out.push(p);
        }
        if (dp > near && dq < -near) || (dp < -near && dq > near) {
            out.push(p + (q - p) * (dp / (dp - dq)));
        }
    }
    out
}

/// Area of a polygon, positive if it runs counter-clockwise.
pub(super) fn area(outline: &[DVec2]) -> f64 {
    let Some(&origin) = outline.first() else { return 0.0 };
    outline.windows(2).map(|pair| 0.5 * (pair[0] - origin).perp_dot(pair[1] - origin)).sum()
}

/// True if a counter-clockwise polygon has no inward corner.
pub(super) fn is_convex(outline: &[DVec2]) -> bool {
    let n = outline.len();
    let corner = |i: usize| (outline[(i + 1) % n] - outline[i]).perp_dot(outline[(i + 2) % n] - outline[(i + 1) % n]);
    (0..n).all(|i| corner(i) >= -1e-9 * area(outline))
}

/// Height of a line of points from left to right at x; level beyond its ends. At a vertical step: the right side.
pub(super) fn height(line: &[DVec2], x: f64) -> f64 {
    let (first, last) = (line[0], line[line.len() - 1]);
    if x < first.x {
        return first.y;
    }
    line.windows(2)
        .rev()
        .find(|pair| pair[0].x <= x && x <= pair[1].x && pair[0].x < pair[1].x)
        .map_or(last.y, |pair| pair[0].y + (pair[1].y - pair[0].y) * ((x - pair[0].x) / (pair[1].x - pair[0].x)))
}
