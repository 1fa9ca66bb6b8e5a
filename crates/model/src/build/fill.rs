//! Loose material as a load: columns above the faces that look up.
//!
//! A face of the selected bodies carries the column from itself to the level, unless something of the selection lies
//! above its middle (a voussoir on the joint of its neighbour). The material is a weight only: it neither spreads loads
//! nor presses sideways.

use voussoir_geometry::{Solid, Vector};
use voussoir_mechanics::model::Body;

use super::check::SceneCheck;
use super::dimension::Dimension;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::actions::Fill;

/// A face that looks up: corners (x, y, height); in 2D (x, 0, height), two of them.
struct Face {
    owner: usize,
    corners: Vec<[f64; 3]>,
}

/// A force and its point of attack, world axes.
type Push<S> = (<S as voussoir_geometry::Space>::Vector, <S as voussoir_geometry::Space>::Vector);

/// Force and point of attack, world axes, for each selected body.
pub fn fill<S: Dimension>(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &Fill,
    bodies: &[Body<S>],
    selected: &[usize],
    gravity: S::Vector,
    depth: f64,
) -> Result<Vec<Push<S>>, SceneError> {
    let density = check.positive(&place.key("density"), "the density of the fill", keys.density)?;
    let level = check.finite(&place.key("level"), "the level of the fill", keys.level)?;
    let faces: Vec<Face> = selected.iter().enumerate().flat_map(|(k, &body)| faces::<S>(k, &bodies[body])).collect();
    // (volume, ∫x, ∫y) above each body
    let mut columns = vec![[0.0; 3]; selected.len()];
    for face in &faces {
        let middle = middle(&face.corners);
        let tolerance = 1e-6 * bodies[selected[face.owner]].shape.size();
        let covered = |other: &Face| height_at(&other.corners, middle).is_some_and(|z| z > middle[2] + tolerance);
        if middle[2] < level && !faces.iter().any(covered) {
            let column = column(&face.corners, level);
            (0..3).for_each(|i| columns[face.owner][i] += column[i]);
        }
    }
    if columns.iter().all(|column| column[0] <= 0.0) {
        let message = format!("no face of the selected bodies that looks up lies below the level {level} m");
        return Err(check.error(&place.key("level"), message));
    }
    let width = if S::DIM == 2 { depth } else { 1.0 };
    Ok(columns
        .iter()
        .zip(selected)
        .map(|([volume, x, y], &body)| {
            if *volume <= 0.0 {
                return (S::zero(), bodies[body].pose.position);
            }
            let point = S::at(x / volume, y / volume, bodies[body].pose.position.get(S::UP));
            (gravity * (density * volume * width), point)
        })
        .collect())
}

/// The faces of a body that look up, in world axes.
fn faces<S: Dimension>(owner: usize, body: &Body<S>) -> Vec<Face> {
    if !body.shape.size().is_finite() {
        return Vec::new();
    }
    let surface = body.shape.surface(1.0);
    let world = |p: &[f64; 3]| {
        let p = body.pose.point(S::Vector::from_slice(&p[..S::DIM])).to_3d();
        if S::DIM == 2 { [p[0], 0.0, p[1]] } else { p }
    };
    let points: Vec<[f64; 3]> = surface.points.iter().map(world).collect();
    let mut faces = Vec::new();
    for polygon in &surface.polygons {
        let corners: Vec<[f64; 3]> = polygon.iter().map(|&i| points[i as usize]).collect();
        if S::DIM == 2 {
            // counter-clockwise: the upper sides run to the left
            for (i, a) in corners.iter().enumerate() {
                let b = corners[(i + 1) % corners.len()];
                if b[0] < a[0] - 1e-12 {
                    faces.push(Face { owner, corners: vec![b, *a] });
                }
            }
        } else if projected_area(&corners) > 0.0 {
            faces.push(Face { owner, corners });
        }
    }
    faces
}

/// Area seen from above; negative for faces that look down.
fn projected_area(corners: &[[f64; 3]]) -> f64 {
    (1..corners.len().saturating_sub(1)).map(|i| triangle(corners[0], corners[i], corners[i + 1])).sum()
}

fn triangle(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
}

fn middle(corners: &[[f64; 3]]) -> [f64; 3] {
    let n = corners.len() as f64;
    std::array::from_fn(|k| corners.iter().map(|p| p[k]).sum::<f64>() / n)
}

/// Height of a face above or below a point; none beside it.
fn height_at(corners: &[[f64; 3]], p: [f64; 3]) -> Option<f64> {
    if let [a, b] = corners {
        let s = (p[0] - a[0]) / (b[0] - a[0]);
        return (0.0..=1.0).contains(&s).then(|| a[2] + s * (b[2] - a[2]));
    }
    // convex and counter-clockwise from above
    let inside = (0..corners.len()).all(|i| triangle(corners[i], corners[(i + 1) % corners.len()], p) >= 0.0);
    if !inside {
        return None;
    }
    let (a, b) = (corners[0], corners[1]);
    let c = corners[2..].iter().max_by(|x, y| triangle(a, b, **x).total_cmp(&triangle(a, b, **y)))?;
    let whole = triangle(a, b, *c);
    (whole > 0.0).then(|| (triangle(p, b, *c) * a[2] + triangle(a, p, *c) * b[2] + triangle(a, b, p) * c[2]) / whole)
}

/// Volume and first moments (∫x, ∫y) of the column between a face and the level.
fn column(corners: &[[f64; 3]], level: f64) -> [f64; 3] {
    let height = |p: [f64; 3]| (level - p[2]).max(0.0);
    if let [a, b] = corners {
        let (l, f, g) = (b[0] - a[0], height(*a), height(*b));
        let volume = 0.5 * l * (f + g);
        // ∫ x f dx with both linear
        let moment = l / 6.0 * (a[0] * (2.0 * f + g) + b[0] * (f + 2.0 * g));
        return [volume, moment, 0.0];
    }
    let mut sum = [0.0; 3];
    for i in 1..corners.len() - 1 {
        let t = [corners[0], corners[i], corners[i + 1]];
        let area = triangle(t[0], t[1], t[2]);
        let f = t.map(height);
        let total: f64 = f.iter().sum();
        sum[0] += area * total / 3.0;
        for k in 0..2 {
            let x = t.map(|p| p[k]);
            let cross: f64 = x.iter().zip(f).map(|(x, f)| x * f).sum();
            sum[k + 1] += area / 12.0 * (x.iter().sum::<f64>() * total + cross);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_above_a_slope() {
        // unit square rising from 0 to 1 along x, level 1: volume 1/2, centroid at x = 1/3
        let face = [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 0.0]];
        let [volume, x, y] = column(&face, 1.0);
        assert!(
            (volume - 0.5).abs() < 1e-15 && (x / volume - 1.0 / 3.0).abs() < 1e-15 && (y / volume - 0.5).abs() < 1e-15
        );
        let [volume, x, _] = column(&[[0.0, 0.0, 0.0], [1.0, 0.0, 1.0]], 1.0);
        assert!((volume - 0.5).abs() < 1e-15 && (x / volume - 1.0 / 3.0).abs() < 1e-15);
        assert_eq!(height_at(&face, [0.25, 0.5, 0.0]), Some(0.25));
        assert_eq!(height_at(&face, [1.25, 0.5, 0.0]), None);
    }
}
