//! Equal boxes on top of each other: `block[i]`, numbered upwards.

use voussoir_geometry::Vector;

use super::{Site, ground};
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;
use crate::scene::generated::Stack;

/// Number of bodies.
pub fn count(keys: &Stack) -> u64 {
    keys.count.saturating_add(1)
}

/// Makes a stack.
pub fn generate<S: Dimension>(keys: &Stack, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    let count = site.check.count(&site.place.key("count"), "`count`", keys.count, 1, MOST_BODIES)?;
    let size = site.check.lengths::<S>(&site.place.key("size"), "`size`", &keys.size)?;
    let gap = site.check.not_negative(&site.place.key("gap"), "`gap`", keys.gap.unwrap_or(0.0))?;
    let height = size.get(S::UP);
    let shape = Centred::new(&S::cuboid(size).map_err(|e| site.refuse(&e))?);
    let mut pieces = Vec::with_capacity(count + 1);
    let footprint = [3.0 * size.get(0), 3.0 * size.get(1), height];
    pieces.extend(ground::<S>(keys.ground, site, footprint)?);
    pieces.extend((0..count).map(|i| {
        let centre = (2 * i + 1) as f64 * (height / 2.0) + (i + 1) as f64 * gap;
        Piece::at(format!("block[{i}]"), ends(i, count), &shape, S::at(0.0, 0.0, centre))
    }));
    Ok(pieces)
}

/// Tags of the first and the last body.
pub fn ends(i: usize, count: usize) -> &'static [&'static str] {
    match (i == 0, i + 1 == count) {
        (true, true) => &["bottom", "top"],
        (true, false) => &["bottom"],
        (false, true) => &["top"],
        (false, false) => &[],
    }
}
