//! Treads around a vertical axis: `tread[i]` upwards, support `base`.
//!
//! Tread i lies between the azimuths iα and (i + 1)α and between the heights i·rise and i·rise + thickness. It is a
//! prism on a trapeze, so that neighbours share a rectangle in the plane between them. Joints that are square to the
//! line through the middles of the treads lie in planes that turn about the radius through the middle of the joint.

use voussoir_geometry::glam::{DMat3, DVec3};

use super::Site;
use super::sector::six_faced;
use super::stack::ends;
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;
use crate::scene::round::Stair;

/// Number of bodies.
pub fn count(keys: &Stair) -> u64 {
    keys.treads.saturating_add(1)
}

/// Makes a stair.
pub fn generate<S: Dimension>(keys: &Stair, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    let count = site.check.count(&site.place.key("treads"), "`treads`", keys.treads, 1, MOST_BODIES)?;
    let inner = site.length("inner_radius", keys.inner_radius)?;
    let outer = site.length("outer_radius", keys.outer_radius)?;
    let (rise, thickness) = (site.length("rise", keys.rise)?, site.length("thickness", keys.thickness)?);
    if outer <= inner {
        return Err(site.error("outer_radius", format!("it must be more than `inner_radius`, {inner} m")));
    }
    if thickness <= rise {
        let message = format!("treads of {thickness} m do not touch: each is {rise} m above the previous tread");
        return Err(site.error("thickness", message));
    }
    let turn = site.check.positive(&site.place.key("turn_deg"), "`turn_deg`", keys.turn_deg)?;
    let turn = site.check.between(&site.place.key("turn_deg"), "`turn_deg`", turn, 0.0, 90.0)?;
    // after a full turn the stair passes above itself; the base has the height of the first tread
    let below = (360.0 / turn - 1e-9).floor() - 1.0;
    if count as f64 * turn > 360.0 - turn && below * rise < thickness {
        let message = format!(
            "after a full turn the treads are only {:.3} m higher and would overlap the treads of {thickness} m below",
            below * rise
        );
        return Err(site.error("rise", message));
    }
    let turn = turn.to_radians();
    let slope = if keys.square_joints { rise / chord(inner, outer, turn) } else { 0.0 };
    let flight = Flight { radii: [inner, outer], rise, thickness, turn, slope };
    let mut pieces = Vec::with_capacity(count + 1);
    // the base is as high as the first tread, whose whole side is in contact with it
    let base = flight.block::<S>(site, -1.0, 0.0)?;
    pieces.push(Piece::at("base".into(), &["base"], &base, S::zero()).fixed());
    for i in 0..count {
        let tread = flight.block::<S>(site, i as f64, i as f64 * rise)?;
        pieces.push(Piece::at(format!("tread[{i}]"), ends(i, count), &tread, S::zero()));
    }
    Ok(pieces)
}

/// Horizontal distance between the middles of neighbours [m]: 2 R sin(α/2), with R the distance of the centroid of the
/// trapeze from the axis.
fn chord(inner: f64, outer: f64, turn: f64) -> f64 {
    let (sin, cos) = (0.5 * turn).sin_cos();
    let radius = 2.0 / 3.0 * cos * (outer * outer + outer * inner + inner * inner) / (outer + inner);
    2.0 * radius * sin
}

/// Sizes common to all treads.
struct Flight {
    radii: [f64; 2],
    rise: f64,
    thickness: f64,
    /// Angle from tread to tread [rad].
    turn: f64,
    /// Tangent of the angle between joints and the vertical.
    slope: f64,
}

impl Flight {
    /// The block between the joints i and i + 1, from a height on.
    fn block<S: Dimension>(&self, site: &Site<'_>, i: f64, low: f64) -> Result<Centred<S>, SceneError> {
        let (sin, cos) = ((i + 0.5) * self.turn).sin_cos();
        let outwards = DVec3::new(cos, sin, 0.0);
        let mut corners = Vec::with_capacity(8);
        for height in [low, low + self.thickness] {
            for joint in [i, i + 1.0] {
                // the plane rotates about the radius through the middle of the contact
                let (sin, cos) = (joint * self.turn).sin_cos();
                let across = DVec3::new(-sin, cos, self.slope);
                let centre = joint * self.rise + 0.5 * (self.thickness - self.rise);
                // corners are where joint, side and level meet
                let meet = DMat3::from_cols(across, outwards, DVec3::Z).transpose().inverse();
                for radius in self.radii {
                    let side = radius * (0.5 * self.turn).cos();
                    corners.push(meet * DVec3::new(self.slope * centre, side, height));
                }
            }
        }
        Ok(Centred::new(&six_faced::<S>(site, corners)?))
    }
}
