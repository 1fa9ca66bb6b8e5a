//! Hemispherical dome: `ring[j].block[i]`, rings upwards, blocks around the axis; supports `ground[i]`.
//!
//! The corners of a block lie on the two spheres, on the cones between rings and in the planes between slices; its faces
//! are flat. The ground is a ring of blocks below the springing. A whole dome without an oculus ends in one block, the
//! cap; a sector ends in wedges that meet at the axis.

use std::f64::consts::{FRAC_PI_2, TAU};

use voussoir_geometry::glam::DVec3;

use super::Site;
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;
use crate::scene::generated::Dome;

/// Number of blocks and supports, without making them.
pub fn count(keys: &Dome) -> u64 {
    let slices = keys.sector.unwrap_or(keys.slices);
    keys.rings.saturating_add(1).saturating_mul(slices)
}

/// Checks the mean radius and the thickness of a dome [m].
pub(super) fn shell(site: &Site<'_>, radius: f64, thickness: f64) -> Result<(f64, f64), SceneError> {
    let radius = site.length("radius", radius)?;
    let thickness = site.length("thickness", thickness)?;
    if thickness >= 2.0 * radius {
        return Err(site.error("thickness", "the dome is thicker than its inner radius allows"));
    }
    Ok((radius, thickness))
}

/// Makes a dome.
pub fn generate<S: Dimension>(keys: &Dome, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    let Some(polyhedron) = S::POLYHEDRON else {
        return Err(site.error("generator", "a dome needs a 3D scene"));
    };
    let (radius, thickness) = shell(site, keys.radius, keys.thickness)?;
    let rings = site.check.count(&site.place.key("rings"), "`rings`", keys.rings, 1, MOST_BODIES)?;
    let slices = site.check.count(&site.place.key("slices"), "`slices`", keys.slices, 3, 360)?;
    let sector = keys.sector.unwrap_or(keys.slices);
    let sector = site.check.count(&site.place.key("sector"), "`sector`", sector, 1, keys.slices)?;
    let place = site.place.key("oculus_deg");
    let oculus = site.check.between(&place, "`oculus_deg`", keys.oculus_deg.unwrap_or(0.0), 0.0, 80.0)?.to_radians();

    let (inner, outer) = (radius - thickness / 2.0, radius + thickness / 2.0);
    // elevation of the lower joint of ring j; the last one ends at the oculus
    let elevation = |j: usize| (FRAC_PI_2 - oculus) * (j as f64 / rings as f64);
    let azimuth = |i: usize| TAU * (i as f64 / slices as f64);
    let point = |r: f64, up: f64, around: f64| {
        DVec3::new(r * up.cos() * around.cos(), r * up.cos() * around.sin(), r * up.sin())
    };
    let block = |corners: Vec<DVec3>, faces: Vec<Vec<u32>>| {
        let (shape, _) = polyhedron(corners, faces).map_err(|e| site.refuse(&e))?;
        Ok::<_, SceneError>(Centred::<S>::new(&shape))
    };
    // corners: inner and outer below at both azimuths, then the same above
    let six_faced = |corners: Vec<DVec3>| {
        let quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
        block(corners, quads.iter().map(|q| q.to_vec()).collect())
    };
    let mut pieces = Vec::new();
    let at = |i: usize, name: &str| format!("{name}[{i}]");
    for i in 0..sector {
        let [a, b] = [azimuth(i), azimuth(i + 1)];
        let foot = |z: f64| {
            [(inner, a), (outer, a), (inner, b), (outer, b)].map(|(r, around)| point(r, 0.0, around) + DVec3::Z * z)
        };
        let corners = foot(-thickness).into_iter().chain(foot(0.0)).collect();
        pieces.push(Piece::at(at(i, "ground"), &["ground"], &six_faced(corners)?, S::zero()).fixed());
    }
    let closed = oculus == 0.0;
    for j in 0..rings {
        let last = closed && j + 1 == rings;
        let (low, high) = (elevation(j), elevation(j + 1));
        if last && sector == slices {
            pieces.push(Piece::at(
                format!("ring[{j}].block[0]"),
                &["cap"],
                &cap(&block, &point, slices, inner, outer, low)?,
                S::zero(),
            ));
            continue;
        }
        for i in 0..sector {
            let [a, b] = [azimuth(i), azimuth(i + 1)];
            let layer =
                |up: f64| [(inner, a), (outer, a), (inner, b), (outer, b)].map(|(r, around)| point(r, up, around));
            let shape = if last {
                // a wedge: both azimuths meet at the axis
                let mut corners = layer(low).to_vec();
                corners.extend([DVec3::Z * inner, DVec3::Z * outer]);
                let faces = vec![vec![0, 1, 3, 2], vec![0, 4, 5, 1], vec![2, 3, 5, 4], vec![0, 2, 4], vec![1, 5, 3]];
                block(corners, faces)?
            } else {
                six_faced(layer(low).into_iter().chain(layer(high)).collect())?
            };
            let tags: &[&str] = if j == 0 { &["bottom"] } else { &[] };
            pieces.push(Piece::at(format!("ring[{j}].block[{i}]"), tags, &shape, S::zero()));
        }
    }
    Ok(pieces)
}

/// Makes a block from corners and faces.
type Cutter<'a, S> = dyn Fn(Vec<DVec3>, Vec<Vec<u32>>) -> Result<Centred<S>, SceneError> + 'a;

/// The block that closes a whole dome: both spheres cut by a cone, with flat faces up to the axis.
fn cap<S: Dimension>(
    block: &Cutter<'_, S>,
    point: &dyn Fn(f64, f64, f64) -> DVec3,
    slices: usize,
    inner: f64,
    outer: f64,
    low: f64,
) -> Result<Centred<S>, SceneError> {
    let around = |i: usize| TAU * (i as f64 / slices as f64);
    let n = u32::try_from(slices).unwrap_or(u32::MAX);
    let mut corners: Vec<DVec3> = (0..slices).map(|i| point(inner, low, around(i))).collect();
    corners.extend((0..slices).map(|i| point(outer, low, around(i))));
    corners.push(DVec3::Z * outer);
    let mut faces: Vec<Vec<u32>> = vec![(0..n).rev().collect()];
    for i in 0..n {
        let next = (i + 1) % n;
        faces.push(vec![i, next, n + next, n + i]);
        faces.push(vec![n + i, n + next, 2 * n]);
    }
    block(corners, faces)
}
