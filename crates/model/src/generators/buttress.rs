//! A rectangular pier whose inner face stays at x = 0 whatever its width: `block[i]`, numbered upwards.

use super::stack::ends;
use super::{Site, ground};
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;
use crate::scene::generated::Buttress;

/// Number of bodies.
pub fn count(keys: &Buttress) -> u64 {
    keys.courses.unwrap_or(1).saturating_add(1)
}

/// Makes a buttress.
pub fn generate<S: Dimension>(keys: &Buttress, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    let courses =
        site.check.count(&site.place.key("courses"), "`courses`", keys.courses.unwrap_or(1), 1, MOST_BODIES)?;
    let (width, height) = (site.length("width", keys.width)?, site.length("height", keys.height)?);
    let length = site.across::<S>("length", keys.length)?;
    let course = height / courses as f64;
    let shape = Centred::new(&S::cuboid(S::at(width, length, course)).map_err(|e| site.refuse(&e))?);
    let mut pieces = Vec::with_capacity(courses + 1);
    pieces.extend(ground::<S>(keys.ground, site, [4.0 * width, 3.0 * length, course])?);
    pieces.extend((0..courses).map(|i| {
        let centre = S::at(0.5 * width, 0.0, (2 * i + 1) as f64 * (course / 2.0));
        Piece::at(format!("block[{i}]"), ends(i, courses), &shape, centre)
    }));
    Ok(pieces)
}
