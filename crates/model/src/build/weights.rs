//! Pressure on faces, and added masses of bodies.

use voussoir_geometry::{Solid, Vector};
use voussoir_mechanics::model::{Body, Role};

use super::check::SceneCheck;
use super::dimension::Dimension;
use super::select::Register;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::Scene;
use crate::scene::actions::Pressure;

/// Cosine of the largest angle between a direction and the normal of a face with this direction: one degree.
const FACING_COSINE: f64 = 0.999_847_695;

/// Adds the masses of `added_masses` to the bodies.
pub fn added_masses<S: Dimension>(
    scene: &Scene,
    check: &SceneCheck<'_>,
    bodies: &mut [Body<S>],
    warnings: &mut Vec<String>,
) -> Result<(), SceneError> {
    let root = Place::ROOT;
    let list = root.key("added_masses");
    for (i, added) in scene.added_masses.iter().enumerate() {
        let place = list.index(i);
        let mass = check.positive(&place.key("mass"), "the added mass", added.mass)?;
        let selected = Register::new(scene, bodies).find(check, &place.key("select"), &added.select)?;
        for body in selected {
            let body = &mut bodies[body];
            if body.role == Role::Free {
                body.mass += mass;
            } else {
                warnings.push(format!("an added mass has no effect on the support \"{}\"", body.name));
            }
        }
    }
    Ok(())
}

/// A force and its point of attack, world axes.
type Push<S> = (<S as voussoir_geometry::Space>::Vector, <S as voussoir_geometry::Space>::Vector);

/// Force and point of attack, world axes, of a pressure on each selected body.
pub fn pressure<S: Dimension>(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &Pressure,
    bodies: &[Body<S>],
    selected: &[usize],
    depth: f64,
) -> Result<Vec<Push<S>>, SceneError> {
    let value = check.finite(&place.key("value"), "the pressure", keys.value)?;
    let face = check.direction::<S>(&place.key("face"), "the normal of the face", &keys.face)?;
    let pushes: Vec<Push<S>> = selected
        .iter()
        .map(|&i| {
            let body = &bodies[i];
            let (area, first_moment) = looking::<S>(body, face, depth);
            if area > 0.0 { (face * (-value * area), first_moment / area) } else { (S::zero(), body.pose.position) }
        })
        .collect();
    if value != 0.0 && pushes.iter().all(|(force, _)| *force == S::zero()) {
        let message = "the selected bodies have no flat face with this outward normal".to_owned();
        return Err(check.error(&place.key("face"), message).with_help("`face` is the outward normal, world axes"));
    }
    Ok(pushes)
}

/// Area [m²] of the faces of a body with outward normals in a direction, and ∫ x dA, world axes.
fn looking<S: Dimension>(body: &Body<S>, face: S::Vector, depth: f64) -> (f64, S::Vector) {
    let (mut area, mut first_moment) = (0.0, S::zero());
    if !body.shape.size().is_finite() {
        return (area, first_moment);
    }
    let surface = body.shape.surface(1.0);
    let point = |i: u32| body.pose.point(S::Vector::from_slice(&surface.points[i as usize][..S::DIM]));
    let face = face.to_3d();
    for polygon in &surface.polygons {
        let corners: Vec<S::Vector> = polygon.iter().map(|&i| point(i)).collect();
        let n = corners.len();
        if S::DIM == 2 {
            // counter-clockwise: the outward normal is the side turned to the right
            for (i, &a) in corners.iter().enumerate() {
                let b = corners[(i + 1) % n];
                let [dx, dy, _] = (b - a).to_3d();
                let length = dx.hypot(dy);
                if length > 0.0 && (dy * face[0] - dx * face[1]) / length > FACING_COSINE {
                    area += length * depth;
                    first_moment += (a + b) * (0.5 * length * depth);
                }
            }
            continue;
        }
        for i in 1..n.saturating_sub(1) {
            let (a, b, c) = (corners[0], corners[i], corners[i + 1]);
            let ([ux, uy, uz], [vx, vy, vz]) = ((b - a).to_3d(), (c - a).to_3d());
            let cross = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
            let twice = cross.iter().map(|x| x * x).sum::<f64>().sqrt();
            let along: f64 = cross.iter().zip(face).map(|(x, f)| x * f).sum();
            if twice > 0.0 && along / twice > FACING_COSINE {
                area += 0.5 * twice;
                first_moment += (a + b + c) * (0.5 * twice / 3.0);
            }
        }
    }
    (area, first_moment)
}
