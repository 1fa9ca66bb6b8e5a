//! Loose material as a load: columns above the upward faces.
//!
//! A face of the selected bodies carries the columns between the face and the level, wherever no other face of the
//! selection lies above it: the parts covered by other faces are cut out of its plan exactly, polygon by polygon. The
//! material is a weight and, where the ground moves, a mass; it does not spread loads. The weight acts below the centroid
//! of the columns of a body, or on request at the centroid of the body. With a coefficient K of lateral
//! pressure it presses on inclined faces: the horizontal stress is K σ_v, so a face of the height h(x, y) gets K σ_v ∇h
//! for each area in plan, at its own height.
//!
//! By movement, K is between the active value Kₐ = (1 − sin φ)/(1 + sin φ) and the mobilised passive value
//! max(m K_p, K₀), K_p = 1/Kₐ (Rankine 1857), K₀ = 1 − sin φ (Jáky 1944): the force is that of K₀, with the range of
//! its multiples.

use voussoir_geometry::{Solid, Vector};
use voussoir_mechanics::model::Body;

use super::check::SceneCheck;
use super::dimension::Dimension;
use super::plan::{Linear, Point, area, clip, difference, moments, value};
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::actions::{Fill, FillPoint, LateralPressure};

/// Cosine of the slope below which a face is vertical.
const LEAST_SLOPE_COSINE: f64 = 1e-9;

/// Height difference below which overlapping faces coincide, relative to the size of the body: the first of them
/// carries the load.
const EQUAL_HEIGHT: f64 = 1e-12;

/// Mobilised part of the passive pressure by default: full passive pressure needs movements as large as a few percent
/// of the height of the fill.
const DEFAULT_MOBILISATION: f64 = 0.5;

/// Lateral forces below this fraction of the largest one are rounding errors.
const NEGLIGIBLE_FORCE: f64 = 1e-9;

/// An upward face, in plan; a scene of two dimensions is a strip of width 1.
struct Face {
    owner: usize,
    outline: Vec<Point>,
    /// Height of the face.
    height: Linear,
    min: Point,
    max: Point,
}

/// A force and its point of attack, world axes.
type Push<S> = (<S as voussoir_geometry::Space>::Vector, <S as voussoir_geometry::Space>::Vector);

/// Weight and lateral pressure of a fill.
pub struct FillLoads<S: Dimension> {
    /// Weight and its point, for each selected body.
    pub weights: Vec<Push<S>>,
    /// Horizontal force and its point, with the index among the selected bodies.
    pub lateral: Vec<(usize, Push<S>)>,
    /// Least and greatest multiple of the horizontal forces in static analyses.
    pub range: [f64; 2],
}

/// Coefficient of lateral pressure, and its least and greatest multiple by movement.
fn lateral_pressure(check: &SceneCheck<'_>, place: &Place<'_>, keys: &Fill) -> Result<(f64, [f64; 2]), SceneError> {
    let keys = match keys.lateral {
        None => return Ok((0.0, [1.0; 2])),
        Some(LateralPressure::Coefficient(k)) => {
            return Ok((check.between(place, "the coefficient of lateral pressure", k, 0.0, 50.0)?, [1.0; 2]));
        }
        Some(LateralPressure::ByMovement(keys)) => keys,
    };
    let (angle, part) = (keys.friction_angle_deg, keys.mobilisation.unwrap_or(DEFAULT_MOBILISATION));
    check.between(&place.key("friction_angle_deg"), "the angle of friction of the fill", angle, 1.0, 60.0)?;
    check.between(&place.key("mobilisation"), "the mobilised part of the passive pressure", part, 0.0, 1.0)?;
    let angle = angle.to_radians();
    let sine = angle.sin();
    let (active, rest, passive) = ((1.0 - sine) / (1.0 + sine), 1.0 - sine, (1.0 + sine) / (1.0 - sine));
    Ok((rest, [active / rest, (part * passive).max(rest) / rest]))
}

/// Forces and points of attack, world axes.
pub fn fill<S: Dimension>(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &Fill,
    bodies: &[Body<S>],
    selected: &[usize],
    gravity: S::Vector,
    depth: f64,
) -> Result<FillLoads<S>, SceneError> {
    let density = check.positive(&place.key("density"), "the density of the fill", keys.density)?;
    let (coefficient, range) = lateral_pressure(check, &place.key("lateral"), keys)?;
    let level = check.finite(&place.key("level"), "the level of the fill", keys.level)?;
    let side = side::<S>(check, place, keys)?;
    let faces: Vec<Face> = selected.iter().enumerate().flat_map(|(k, &body)| faces::<S>(k, &bodies[body])).collect();
    // (volume, ∫x, ∫y) above each body
    let mut columns = vec![[0.0; 3]; selected.len()];
    let width = if S::DIM == 2 { depth } else { 1.0 };
    let mut lateral = Vec::new();
    for (i, face) in faces.iter().enumerate() {
        let depth = [-face.height[0], -face.height[1], level - face.height[2]];
        let below = clip(&face.outline, depth);
        let wanted = side.map_or(below.clone(), |side| clip(&below, side));
        let same = EQUAL_HEIGHT * bodies[selected[face.owner]].shape.size();
        let mut own = [0.0; 3];
        for piece in uncovered(wanted, i, &faces, same) {
            let column = moments(&piece, depth);
            (0..3).for_each(|k| own[k] += column[k]);
        }
        (0..3).for_each(|k| columns[face.owner][k] += own[k]);
        if coefficient > 0.0 && own[0] > 0.0 {
            let [x, y] = [own[1] / own[0], own[2] / own[0]];
            let size = coefficient * gravity.length() * density * own[0] * width;
            let slope = S::at(face.height[0], if S::DIM == 3 { face.height[1] } else { 0.0 }, 0.0);
            lateral.push((face.owner, (slope * size, S::at(x, y, value(face.height, [x, y])))));
        }
    }
    // remainders of covered faces are rounding errors
    let most = lateral.iter().map(|(_, (force, _)): &(usize, Push<S>)| force.length()).fold(0.0, f64::max);
    lateral.retain(|(_, (force, _))| force.length() > NEGLIGIBLE_FORCE * most);
    if columns.iter().all(|column| column[0] <= 0.0) {
        let message = format!("the selected bodies have no upward face below the level {level} m");
        return Err(check.error(&place.key("level"), message));
    }
    let weights = columns
        .iter()
        .zip(selected)
        .map(|([volume, x, y], &body)| {
            if *volume <= 0.0 {
                return (S::zero(), bodies[body].pose.position);
            }
            let centroid = bodies[body].pose.position;
            let point = match keys.acts_at.unwrap_or_default() {
                FillPoint::Columns => S::at(x / volume, y / volume, centroid.get(S::UP)),
                FillPoint::Centroid => centroid,
            };
            (gravity * (density * volume * width), point)
        })
        .collect();
    Ok(FillLoads { weights, lateral, range })
}

/// Linear function that is not negative on the side of the plane with the fill.
fn side<S: Dimension>(check: &SceneCheck<'_>, place: &Place<'_>, keys: &Fill) -> Result<Option<Linear>, SceneError> {
    let Some(side) = &keys.side else { return Ok(None) };
    let place = place.key("side");
    let point = check.point::<S>(&place.key("point"), "the point", &side.point)?;
    let direction = check.direction::<S>(&place.key("direction"), "the direction", &side.direction)?;
    let across = |k: usize| if k == S::UP { 0.0 } else { direction.get(k) };
    let normal = [across(0), if S::DIM == 3 { across(1) } else { 0.0 }];
    if normal[0].hypot(normal[1]) < 1e-9 {
        return Err(check.error(&place.key("direction"), "the direction of the side of the fill is not horizontal"));
    }
    let y = if S::DIM == 3 { point.get(1) } else { 0.0 };
    Ok(Some([normal[0], normal[1], -(normal[0] * point.get(0) + normal[1] * y)]))
}

/// The area of a part of face number `index` that is not covered by other faces.
fn uncovered(part: Vec<Point>, index: usize, faces: &[Face], same: f64) -> Vec<Vec<Point>> {
    let mut pieces = vec![part];
    pieces.retain(|piece| area(piece) > 0.0);
    let face = &faces[index];
    for (j, other) in faces.iter().enumerate() {
        let apart = |k: usize| other.min[k] >= face.max[k] || other.max[k] <= face.min[k];
        if j == index || pieces.is_empty() || apart(0) || apart(1) {
            continue;
        }
        let tie = if j < index { same } else { -same };
        let above: Linear = std::array::from_fn(|k| other.height[k] - face.height[k]);
        let cover = clip(&other.outline, [above[0], above[1], above[2] + tie]);
        if area(&cover) > 0.0 {
            pieces = pieces.into_iter().flat_map(|piece| difference(piece, &cover)).collect();
        }
    }
    pieces
}

/// The upward faces of a body, in world axes.
fn faces<S: Dimension>(owner: usize, body: &Body<S>) -> Vec<Face> {
    if !body.shape.size().is_finite() {
        return Vec::new();
    }
    let surface = body.shape.surface(1.0);
    let world = |p: &[f64; 3]| body.pose.point(S::Vector::from_slice(&p[..S::DIM])).to_3d();
    let points: Vec<[f64; 3]> = surface.points.iter().map(world).collect();
    let mut faces = Vec::new();
    for polygon in &surface.polygons {
        let corners: Vec<[f64; 3]> = polygon.iter().map(|&i| points[i as usize]).collect();
        if S::DIM == 3 {
            faces.extend(face(owner, &corners));
            continue;
        }
        // counter-clockwise: the upper sides run to the left
        for (i, a) in corners.iter().enumerate() {
            let b = corners[(i + 1) % corners.len()];
            let strip = [[b[0], 0.0, b[1]], [a[0], 0.0, a[1]], [a[0], 1.0, a[1]], [b[0], 1.0, b[1]]];
            faces.extend(face(owner, &strip));
        }
    }
    faces
}

/// A face in plan, if it is an upward face.
fn face(owner: usize, corners: &[[f64; 3]]) -> Option<Face> {
    let first = *corners.first()?;
    let mut normal = [0.0; 3];
    for (i, a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        let (a, b): ([f64; 3], [f64; 3]) =
            (std::array::from_fn(|k| a[k] - first[k]), std::array::from_fn(|k| b[k] - first[k]));
        for (k, n) in normal.iter_mut().enumerate() {
            let (u, v) = ((k + 1) % 3, (k + 2) % 3);
            *n += a[u] * b[v] - a[v] * b[u];
        }
    }
    let length = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
    if normal[2] <= LEAST_SLOPE_COSINE * length {
        return None;
    }
    let slope = [-normal[0] / normal[2], -normal[1] / normal[2]];
    let outline: Vec<Point> = corners.iter().map(|p| [p[0], p[1]]).collect();
    let height = [slope[0], slope[1], first[2] - slope[0] * first[0] - slope[1] * first[1]];
    debug_assert!(outline.iter().all(|p| value(height, *p).is_finite()));
    let end = |k: usize, pick: fn(f64, f64) -> f64, from: f64| outline.iter().map(|p| p[k]).fold(from, pick);
    let min = [0, 1].map(|k| end(k, f64::min, f64::INFINITY));
    let max = [0, 1].map(|k| end(k, f64::max, f64::NEG_INFINITY));
    Some(Face { owner, outline, height, min, max })
}
