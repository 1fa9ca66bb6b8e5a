//! Blocks between two planes through the vertical axis, for stairs, cylinders and domes.

use voussoir_geometry::glam::DVec3;

use super::Site;
use crate::build::dimension::Dimension;
use crate::build::piece::Centred;
use crate::error::SceneError;

/// A point at a distance from the axis, an angle around it [rad] and a height.
pub fn at(radius: f64, around: f64, height: f64) -> DVec3 {
    let (sin, cos) = around.sin_cos();
    DVec3::new(radius * cos, radius * sin, height)
}

/// Makes a block from corners and faces.
pub fn block<S: Dimension>(site: &Site<'_>, corners: Vec<DVec3>, faces: Vec<Vec<u32>>) -> Result<S::Shape, SceneError> {
    let Some(polyhedron) = S::POLYHEDRON else {
        return Err(site.error("generator", "this generator needs a 3D scene"));
    };
    Ok(polyhedron(corners, faces).map_err(|e| site.refuse(&e))?.0)
}

/// A block with six faces: inner and outer corner below at both azimuths, then the same above.
pub fn six_faced<S: Dimension>(site: &Site<'_>, corners: Vec<DVec3>) -> Result<S::Shape, SceneError> {
    let quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    block::<S>(site, corners, quads.iter().map(|quad| quad.to_vec()).collect())
}

/// A piece of a ring with flat sides, between two radii, two azimuths [rad] and two heights.
pub fn piece<S: Dimension>(
    site: &Site<'_>,
    [inner, outer]: [f64; 2],
    [a, b]: [f64; 2],
    [low, high]: [f64; 2],
) -> Result<Centred<S>, SceneError> {
    let layer = |z: f64| [at(inner, a, z), at(outer, a, z), at(inner, b, z), at(outer, b, z)];
    let shape = six_faced::<S>(site, layer(low).into_iter().chain(layer(high)).collect())?;
    Ok(Centred::new(&shape))
}
