//! Running bond: `course[j].brick[i]`, courses upwards, bricks along x.
//!
//! Even courses have n whole bricks; odd courses a half brick, n − 1 whole ones and a half brick. All coordinates are
//! whole multiples of a quarter of the length and half of the height. Head joints are closed; with a gap each brick is
//! shorter by it at the same place, so that the bond is unchanged.

use voussoir_geometry::Vector;

use super::{Site, ground};
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;
use crate::scene::generated::Wall;

/// Number of bricks, half ones included.
///
/// 20 courses of 10 bricks are 10·10 + 10·11 = 210, 60 courses of 40 are 2 430.
fn bricks(keys: &Wall) -> u64 {
    let odd = keys.courses / 2;
    keys.courses.saturating_mul(keys.bricks).saturating_add(odd)
}

/// Number of bodies.
pub fn count(keys: &Wall) -> u64 {
    bricks(keys).saturating_add(1)
}

/// Makes a wall.
pub fn generate<S: Dimension>(keys: &Wall, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    let courses = site.check.count(&site.place.key("courses"), "`courses`", keys.courses, 1, MOST_BODIES)?;
    let n = site.check.count(&site.place.key("bricks"), "`bricks`", keys.bricks, 1, MOST_BODIES)?;
    let place = site.place.key("brick");
    if keys.brick.len() != S::DIM {
        let right = if S::DIM == 3 { "[length, width, height]" } else { "[length, height]; the width is `depth`" };
        let message = format!("a brick in {}D is {right}, here are {} numbers", S::DIM, keys.brick.len());
        return Err(site.error("brick", message));
    }
    for (i, &length) in keys.brick.iter().enumerate() {
        site.check.length(&place.index(i), "`brick`", length)?;
    }
    let size = S::Vector::from_slice(&keys.brick);
    let (length, width, height) = (size.get(0), size.get(1), size.get(S::UP));
    let gap = keys.head_gap;
    if !(0.0..length / 2.0).contains(&gap) {
        let message = format!("`head_gap` is from 0 to less than a half brick, {} m; here it is {gap} m", length / 2.0);
        return Err(site.error("head_gap", message));
    }
    let cuboid = |length: f64| S::cuboid(S::at(length - gap, width, height)).map_err(|e| site.refuse(&e));
    let (whole, half) = (Centred::new(&cuboid(length)?), Centred::new(&cuboid(length / 2.0)?));

    let mut pieces = Vec::with_capacity(usize::try_from(bricks(keys)).unwrap_or(0) + 1);
    let footprint = [(n + 2) as f64 * length, 3.0 * width, height];
    pieces.extend(ground::<S>(keys.ground, site, footprint)?);
    for course in 0..courses {
        let centre = (2 * course + 1) as f64 * (height / 2.0);
        let odd = course % 2;
        for i in 0..n + odd {
            let is_half = odd == 1 && (i == 0 || i == n);
            // quarters of a length from the middle of the wall
            let quarters = match (odd, i) {
                (0, i) => 4 * i + 2,
                (_, 0) => 1,
                (_, i) if i == n => 4 * n - 1,
                (_, i) => 4 * i,
            } as f64
                - (2 * n) as f64;
            let (shape, tags): (_, &[&str]) = if is_half { (&half, &["half"]) } else { (&whole, &["whole"]) };
            let position = S::at(quarters * (length / 4.0), 0.0, centre);
            pieces.push(Piece::at(format!("course[{course}].brick[{i}]"), tags, shape, position));
        }
    }
    Ok(pieces)
}
