//! Marked bodies: coloured faces, and rings around small bodies.

use voussoir_mechanics::snapshot::Snapshot;

use super::Artist;
use super::colour::Rgb;
use super::legend::{LegendEntry, Swatch};
use super::sheet::{Ink, Sheet};
use crate::vector::{BoundingBox, place};

/// Radius of the smallest ring [px].
const SMALLEST_RING: f64 = 7.0;
/// Larger bodies have no ring [px].
const LARGEST_RING: f64 = 60.0;
/// Maximum number of rings of one mark.
const MOST_RINGS: usize = 200;

/// Bodies that are marked for one reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Their indices.
    pub bodies: Vec<usize>,
    /// Their colour.
    pub colour: Rgb,
    /// The reason, for the legend.
    pub label: String,
}

impl Artist<'_> {
    /// Rings around marked bodies, and the legend of their colours.
    pub(super) fn rings(&self, sheet: &mut Sheet, snapshot: &Snapshot) -> Vec<LegendEntry> {
        for mark in &self.marks {
            let mut rings = Vec::new();
            for &body in mark.bodies.iter().filter(|&&body| !self.endless[body]).take(MOST_RINGS) {
                let (Some(cast), Some(now)) = (self.cast.bodies.get(body), snapshot.bodies.get(body)) else { continue };
                if now.absent {
                    continue;
                }
                let reach = cast.ball().unwrap_or(0.0) * self.view.scale;
                let corners =
                    snapshot.points_of(self.cast, body).iter().map(|&point| self.view.page(place(now, point)));
                let [x, y] = self.view.page(now.position);
                let ends = [[x - reach, y - reach], [x + reach, y + reach]];
                let round = ends.into_iter().filter(|_| cast.ball().is_some());
                let bounds = BoundingBox::of(corners.chain(round).map(|[x, y]| [x, y, 0.0]));
                let [x, y] = [0, 1].map(|k| 0.5 * (bounds.low[k] + bounds.high[k]));
                let half = [0, 1].map(|k| 0.5 * (bounds.high[k] - bounds.low[k]));
                let radius = (1.1 * half[0].hypot(half[1])).max(SMALLEST_RING);
                if radius > LARGEST_RING {
                    continue;
                }
                let corner = |k: usize| {
                    let angle = std::f64::consts::TAU * k as f64 / 48.0;
                    [x + radius * angle.cos(), y + radius * angle.sin()]
                };
                rings.push((0..=48).map(corner).collect());
            }
            sheet.lines(rings, Ink::line(mark.colour, 1.8), true);
        }
        let sign =
            |mark: &Mark| LegendEntry { swatch: Swatch::Area { colour: mark.colour }, label: mark.label.clone() };
        self.marks.iter().filter(|mark| !mark.bodies.is_empty()).map(sign).collect()
    }
}
