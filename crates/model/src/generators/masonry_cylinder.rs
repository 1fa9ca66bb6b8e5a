//! A full cylinder of courses of concentric rings: `course[j].ring[k].block[i]`, supports `ground[i]` around a hole.
//!
//! Beds are horizontal. In a course all rings have the same azimuths, so that neighbouring rings share flat faces; odd
//! courses are turned by half a block and their rings lie half a ring farther out.

use std::f64::consts::TAU;

use super::sector::{at, block, piece};
use super::{Site, ground};
use crate::build::check::MOST_BODIES;
use crate::build::dimension::Dimension;
use crate::build::piece::{Centred, Piece};
use crate::error::SceneError;
use crate::scene::round::MasonryCylinder;

/// Default number of corners of the hole.
const HOLE_SIDES: u64 = 8;

/// Upper bound of the number of bodies.
pub fn count(keys: &MasonryCylinder) -> u64 {
    let in_course = keys.rings.saturating_mul(keys.slices).saturating_add(1);
    keys.courses.saturating_mul(in_course).saturating_add(keys.hole_sides.unwrap_or(HOLE_SIDES))
}

/// Makes a cylinder.
pub fn generate<S: Dimension>(keys: &MasonryCylinder, site: &Site<'_>) -> Result<Vec<Piece<S>>, SceneError> {
    let radius = site.length("radius", keys.radius)?;
    let height = site.length("course_height", keys.course_height)?;
    let courses = site.check.count(&site.place.key("courses"), "`courses`", keys.courses, 1, MOST_BODIES)?;
    let rings = site.check.count(&site.place.key("rings"), "`rings`", keys.rings, 1, MOST_BODIES)?;
    let slices = site.check.count(&site.place.key("slices"), "`slices`", keys.slices, 3, 360)?;
    let mut pieces = Vec::new();
    match keys.hole {
        Some(hole) => {
            let hole = site.length("hole", hole)? / 2.0;
            // the corners of the cylinder need a support
            if hole >= radius * (std::f64::consts::PI / slices as f64).cos() {
                return Err(site.error("hole", "it is as wide as the cylinder, which would have no support"));
            }
            let sides = keys.hole_sides.unwrap_or(HOLE_SIDES);
            let sides = site.check.count(&site.place.key("hole_sides"), "`hole_sides`", sides, 3, 360)?;
            // so wide that the flat outer sides lie outside the cylinder
            let outer = 1.1 * radius / (std::f64::consts::PI / sides as f64).cos();
            for i in 0..sides {
                let [a, b] = [i, i + 1].map(|k| TAU * (k as f64 / sides as f64));
                let shape = piece::<S>(site, [hole, outer], [a, b], [-height, 0.0])?;
                pieces.push(Piece::at(format!("ground[{i}]"), &["ground"], &shape, S::zero()).fixed());
            }
        }
        None if keys.hole_sides.is_some() => {
            return Err(site.error("hole_sides", "`hole_sides` needs `hole`, the diameter of the hole"));
        }
        None => pieces.extend(ground::<S>(keys.ground, site, [3.0 * radius, 3.0 * radius, height])?),
    }
    for j in 0..courses {
        let odd = j % 2;
        let z = [j as f64 * height, (j + 1) as f64 * height];
        // rings lie between these shares of 2·rings; the core is the first
        let bounds: Vec<usize> = (0..rings).map(|k| 2 * (k + 1) - odd).chain((odd == 1).then_some(2 * rings)).collect();
        let at_bound = |k: usize| radius * (bounds[k] as f64 / (2 * rings) as f64);
        let azimuth = |i: usize| TAU * ((2 * i + odd) as f64 / (2 * slices) as f64);
        let core = core::<S>(site, slices, at_bound(0), &azimuth, z)?;
        pieces.push(Piece::at(format!("course[{j}].ring[0].block[0]"), &["core"], &core, S::zero()));
        for k in 1..bounds.len() {
            for i in 0..slices {
                let shape = piece::<S>(site, [at_bound(k - 1), at_bound(k)], [azimuth(i), azimuth(i + 1)], z)?;
                pieces.push(Piece::at(format!("course[{j}].ring[{k}].block[{i}]"), &[], &shape, S::zero()));
            }
        }
    }
    Ok(pieces)
}

/// The block at the axis: a prism on a regular polygon.
fn core<S: Dimension>(
    site: &Site<'_>,
    sides: usize,
    radius: f64,
    azimuth: &dyn Fn(usize) -> f64,
    z: [f64; 2],
) -> Result<Centred<S>, SceneError> {
    let n = u32::try_from(sides).unwrap_or(u32::MAX);
    let corners = z.iter().flat_map(|&z| (0..sides).map(move |i| (i, z))).map(|(i, z)| at(radius, azimuth(i), z));
    let mut faces = vec![(0..n).rev().collect::<Vec<u32>>(), (n..2 * n).collect()];
    faces.extend((0..n).map(|i| vec![i, (i + 1) % n, n + (i + 1) % n, n + i]));
    Ok(Centred::new(&block::<S>(site, corners.collect(), faces)?))
}
