//! Cell grid for discs and other round bodies: pairs of enclosing circles closer than a margin.
//!
//! Every circle is in the cell of its centre; a cell is as wide as the largest diameter plus the margin, so that partners
//! are in the same cell or in one of its neighbours. Cells are sorted (counting sort), so that building the grid and
//! finding all pairs takes O(n) for circles of similar size. Pairs are sorted by index: the result does not depend on
//! the history.

use glam::DVec2;

/// Most cells, relative to the number of circles: circles that are far apart share cells.
const CELLS_PER_CIRCLE: f64 = 4.0;

/// A circle [m].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Centre.
    pub centre: DVec2,
    /// Radius.
    pub radius: f64,
}

/// Appends all pairs (i, j), i < j, of circles whose distance is at most `margin`, sorted.
///
/// ```
/// # use voussoir_geometry::{cell_grid::{Circle, close_pairs}, glam::dvec2};
/// let at = |x: f64| Circle { centre: dvec2(x, 0.0), radius: 0.5 };
/// let mut pairs = Vec::new();
/// close_pairs(&[at(0.0), at(1.05), at(3.0)], 0.1, &mut pairs);
/// assert_eq!(pairs, [(0, 1)]);
/// ```
pub fn close_pairs(circles: &[Circle], margin: f64, out: &mut Vec<(u32, u32)>) {
    let start = out.len();
    let finite = |c: &&Circle| c.centre.is_finite() && c.radius.is_finite();
    let (mut low, mut high, mut largest) = (DVec2::INFINITY, DVec2::NEG_INFINITY, 0.0f64);
    for circle in circles.iter().filter(finite) {
        (low, high) = (low.min(circle.centre), high.max(circle.centre));
        largest = largest.max(circle.radius);
    }
    if low.x > high.x {
        return;
    }
    let size = high - low;
    let mut width = (2.0 * largest + margin).max(f64::MIN_POSITIVE);
    // not more cells than the circles can use
    let most = CELLS_PER_CIRCLE * circles.len() as f64 + 16.0;
    while (size.x / width + 1.0) * (size.y / width + 1.0) > most {
        width *= 2.0;
    }
    let (columns, rows) = ((size.x / width) as usize + 1, (size.y / width) as usize + 1);
    let cell = |c: &Circle| {
        let at = (c.centre - low) / width;
        (at.y as usize).min(rows - 1) * columns + (at.x as usize).min(columns - 1)
    };
    // counting sort of the circles by cell
    let mut first = vec![0u32; columns * rows + 1];
    for circle in circles.iter().filter(finite) {
        first[cell(circle) + 1] += 1;
    }
    for k in 1..first.len() {
        first[k] += first[k - 1];
    }
    let mut sorted = vec![0u32; first[first.len() - 1] as usize];
    let mut next = first.clone();
    for (i, circle) in circles.iter().enumerate().filter(|(_, c)| finite(c)) {
        let place = &mut next[cell(circle)];
        sorted[*place as usize] = i as u32;
        *place += 1;
    }
    let members = |k: usize| &sorted[first[k] as usize..first[k + 1] as usize];
    let mut compare = |i: u32, others: &[u32]| {
        let a = circles[i as usize];
        for &j in others {
            let b = circles[j as usize];
            let reach = a.radius + b.radius + margin;
            if a.centre.distance_squared(b.centre) <= reach * reach {
                out.push((i.min(j), i.max(j)));
            }
        }
    };
    for row in 0..rows {
        for column in 0..columns {
            let own = members(row * columns + column);
            for (k, &i) in own.iter().enumerate() {
                compare(i, &own[k + 1..]);
                // half of the neighbours: right, and the three above
                if column + 1 < columns {
                    compare(i, members(row * columns + column + 1));
                }
                if row + 1 < rows {
                    let above = (row + 1) * columns;
                    for near in column.saturating_sub(1)..=(column + 1).min(columns - 1) {
                        compare(i, members(above + near));
                    }
                }
            }
        }
    }
    out[start..].sort_unstable();
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn pairs_are_those_of_brute_force(
            circles in prop::collection::vec((-3.0..3.0f64, -3.0..30.0f64, 0.01..0.4f64), 0..150), margin in 0.0..0.3f64,
        ) {
            let circles: Vec<Circle> =
                circles.into_iter().map(|(x, y, radius)| Circle { centre: DVec2::new(x, y), radius }).collect();
            let mut expected = Vec::new();
            for (i, a) in circles.iter().enumerate() {
                for (j, b) in circles.iter().enumerate().skip(i + 1) {
                    let reach = a.radius + b.radius + margin;
                    if a.centre.distance_squared(b.centre) <= reach * reach {
                        expected.push((i as u32, j as u32));
                    }
                }
            }
            let mut found = Vec::new();
            close_pairs(&circles, margin, &mut found);
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn circles_that_are_nowhere_have_no_partners() {
        let at = |x: f64| Circle { centre: DVec2::new(x, 0.0), radius: 0.5 };
        let mut found = Vec::new();
        close_pairs(&[at(f64::NAN), at(0.0), at(1e12), at(0.9)], 0.0, &mut found);
        assert_eq!(found, [(1, 3)]);
        close_pairs(&[], 0.0, &mut found);
        assert_eq!(found.len(), 1);
    }
}
