//! Drums on top of each other: `drum[i]`, numbered upwards; prisms, or frusta of a tapered shaft.

use super::stack::ends;
use super::{Site, ground};
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;
use crate::scene::generated::DrumColumn;

/// Default number of sides of a drum.
const DEFAULT_SIDES: u64 = 16;

/// Number of bodies.
pub fn count(keys: &DrumColumn) -> u64 {
    keys.drums.saturating_add(1)
}

/// Makes a column.
pub fn generate<S: Dimension>(keys: &DrumColumn, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    let count = site.check.count(&site.place.key("drums"), "`drums`", keys.drums, 1, MOST_BODIES)?;
    let height = site.length("drum_height", keys.drum_height)?;
    let bottom = site.length("radius", keys.radius)?;
    let top = site.length("top_radius", keys.top_radius.unwrap_or(bottom))?;
    if S::DIM == 2 && keys.sides.is_some() {
        return Err(site.error("sides", "`sides` is for 3D scenes"));
    }
    let sides = site.check.count(&site.place.key("sides"), "`sides`", keys.sides.unwrap_or(DEFAULT_SIDES), 3, 256)?;
    // the radius where drum i starts; the same expression for neighbours, so that they meet exactly
    let radius = |i: usize| if top == bottom { bottom } else { bottom + (top - bottom) * (i as f64 / count as f64) };
    let drum = |i: usize| {
        let shape = S::drum(sides, radius(i), radius(i + 1), height).map_err(|e| site.refuse(&e))?;
        Ok::<_, SceneError>(Centred::new(&shape))
    };
    let mut shape = drum(0)?;
    let mut pieces = Vec::with_capacity(count + 1);
    let widest = 2.0 * bottom.max(top);
    pieces.extend(ground::<S>(keys.ground, site, [3.0 * widest, 3.0 * widest, height])?);
    for i in 0..count {
        if i > 0 && top != bottom {
            shape = drum(i)?;
        }
        let centre = S::at(0.0, 0.0, (2 * i + 1) as f64 * (height / 2.0));
        pieces.push(Piece::at(format!("drum[{i}]"), ends(i, count), &shape, centre));
    }
    Ok(pieces)
}
