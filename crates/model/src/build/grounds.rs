//! Coinciding grounds: the planes of two generators become one ground.
//!
//! Bodies would touch both planes, and the reactions of the two planes would not be unique. Planes in the same
//! place become one support if they agree in material and motion; otherwise the scene is contradictory and is refused.

use voussoir_geometry::Vector;
use voussoir_mechanics::model::{Body, Role};

use super::check::SceneCheck;
use super::dimension::Dimension;
use crate::error::SceneError;
use crate::place::Place;

/// Normals and offsets (relative to the distance from the origin) of equal planes differ by less than this.
const PLANE_TOLERANCE: f64 = 1e-9;

/// Removes supports whose plane equals that of an earlier support; reports each of them.
pub fn merge<S: Dimension>(
    check: &SceneCheck<'_>,
    bodies: &mut Vec<Body<S>>,
    warnings: &mut Vec<String>,
) -> Result<(), SceneError> {
    let planes: Vec<Option<(S::Vector, f64)>> = bodies.iter().map(plane).collect();
    let mut kept = vec![true; bodies.len()];
    for (i, own) in planes.iter().enumerate() {
        let Some(own) = own else { continue };
        let first = (0..i).find(|&j| kept[j] && planes[j].is_some_and(|other| same::<S>(*own, other)));
        let Some(first) = first else { continue };
        let (one, other) = (&bodies[first], &bodies[i]);
        if one.material != other.material || one.role != other.role {
            let message = format!(
                "the supports \"{}\" and \"{}\" are the same plane, but differ in material or motion",
                one.name, other.name
            );
            return Err(check.error(&Place::ROOT.key("bodies"), message).with_help("keep one of them"));
        }
        warnings.push(format!(
            "\"{}\" is the same plane as \"{}\": they are one support, called \"{}\"",
            other.name, one.name, one.name
        ));
        kept[i] = false;
    }
    let mut kept = kept.into_iter();
    bodies.retain(|_| kept.next().unwrap_or(true));
    Ok(())
}

/// Outward normal and offset of a plane support, world axes.
fn plane<S: Dimension>(body: &Body<S>) -> Option<(S::Vector, f64)> {
    let (normal, offset) = S::plane(&body.shape).filter(|_| body.role != Role::Free)?;
    let normal = body.pose.direction(normal);
    Some((normal, offset + normal.dot(body.pose.position)))
}

fn same<S: Dimension>((normal, offset): (S::Vector, f64), (other, its): (S::Vector, f64)) -> bool {
    (normal - other).length() <= PLANE_TOLERANCE && (offset - its).abs() <= PLANE_TOLERANCE * (1.0 + offset.abs())
}
