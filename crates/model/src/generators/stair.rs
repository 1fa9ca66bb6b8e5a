//! Treads around a vertical axis: `tread[i]` upwards, support `base`.
//!
//! Tread i lies between the azimuths iα and (i + 1)α and between the heights i·rise and i·rise + thickness. It is a prism
//! on a trapeze, so that neighbours share a rectangle in the plane between them.

use super::Site;
use super::sector::piece;
use super::stack::ends;
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::Piece;
use crate::error::SceneError;
use crate::scene::round::Stair;

/// Makes a stair.
pub fn stair<S: Dimension>(keys: &Stair, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    let count = site.check.count(&site.place.key("treads"), "`treads`", keys.treads, 1, MOST_BODIES)?;
    let inner = site.length("inner_radius", keys.inner_radius)?;
    let outer = site.length("outer_radius", keys.outer_radius)?;
    let (rise, thickness) = (site.length("rise", keys.rise)?, site.length("thickness", keys.thickness)?);
    if outer <= inner {
        return Err(site.error("outer_radius", format!("it must be more than `inner_radius`, {inner} m")));
    }
    if thickness <= rise {
        let message = format!("treads of {thickness} m do not touch: each lies {rise} m above the one before");
        return Err(site.error("thickness", message));
    }
    let turn = site.check.positive(&site.place.key("turn_deg"), "`turn_deg`", keys.turn_deg)?;
    let turn = site.check.between(&site.place.key("turn_deg"), "`turn_deg`", turn, 0.0, 90.0)?;
    // after a whole turn the stair passes above itself; the base has the height of the first tread
    let below = (360.0 / turn - 1e-9).floor() - 1.0;
    if count as f64 * turn > 360.0 - turn && below * rise < thickness {
        let message = format!(
            "after a whole turn the treads are {:.3} m higher only and would run into those of {thickness} m below",
            below * rise
        );
        return Err(site.error("rise", message));
    }
    let azimuth = |i: f64| (i * turn).to_radians();
    let radii = [inner, outer];
    let mut pieces = Vec::with_capacity(count + 1);
    let base = piece::<S>(site, radii, [azimuth(-1.0), azimuth(0.0)], [0.0, thickness])?;
    pieces.push(Piece::at("base".into(), &["base"], &base, S::zero()).fixed());
    for i in 0..count {
        let low = i as f64 * rise;
        let sides = [azimuth(i as f64), azimuth((i + 1) as f64)];
        let tread = piece::<S>(site, radii, sides, [low, low + thickness])?;
        pieces.push(Piece::at(format!("tread[{i}]"), ends(i, count), &tread, S::zero()));
    }
    Ok(pieces)
}
