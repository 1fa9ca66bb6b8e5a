//! Survey coordinates: a scene far from the zero of its coordinates is built about a local origin.
//!
//! Coordinates of national grids are as large as 6·10⁶ m, where neighbouring double precision numbers are 10⁻⁹ m apart
//! and single precision numbers of files and pictures 0.5 m. If every body is farther than [`SURVEY_DISTANCE`] from zero along a
//! horizontal axis, all points of the scene are measured from an origin, a multiple of [`ORIGIN_GRID`] near the first bodies.
//! The model is computed in these local coordinates; results contain the origin, tables and exports have survey
//! coordinates. Heights are never shifted.

use std::path::Path;

use voussoir_geometry::{Space, Vector};

use crate::mesh;
use crate::scene::bodies::{FormSpec, ShapeSpec};
use crate::scene::{Scene, bodies};

/// Distance from zero beyond which coordinates are survey coordinates [m].
pub const SURVEY_DISTANCE: f64 = 1e5;

/// Origins are multiples of this length [m], exact in single precision up to 1.6·10¹⁰ m.
const ORIGIN_GRID: f64 = 1000.0;

/// Origin of the model of a scene in the coordinates of the scene [m]; zero for scenes near the zero of their
/// coordinates.
pub fn origin<S: Space>(scene: &Scene, base: &Path) -> S::Vector {
    let zero = S::Vector::splat(0.0);
    // floes drift in periodic or open regions given in the coordinates of the scene
    if scene.environment.is_some() {
        return zero;
    }
    let mut ranges = [(f64::INFINITY, f64::NEG_INFINITY); 3];
    for written in &scene.bodies {
        let corner = match &written.form {
            FormSpec::Shaped(ShapeSpec::HalfSpace(_) | ShapeSpec::HalfPlane(_) | ShapeSpec::Ground(_)) => continue,
            FormSpec::Shaped(shape) => first_corner(shape),
            FormSpec::Mesh(file) => first_vertex(file, base),
            FormSpec::Generated(_) => None,
        };
        let position = written.common.position.as_deref().unwrap_or_default();
        for (k, range) in ranges.iter_mut().enumerate().take(S::DIM) {
            let at = |list: &[f64]| list.get(k).copied().unwrap_or(0.0);
            let value = at(position) + corner.as_deref().map_or(0.0, at);
            *range = (range.0.min(value), range.1.max(value));
        }
        // after a body near zero the remaining meshes are not read
        if (0..S::DIM).all(|k| k == S::UP || !is_far(ranges[k])) {
            return zero;
        }
    }
    let along = |k: usize| if k != S::UP && is_far(ranges[k]) { on_grid(ranges[k].0) } else { 0.0 };
    S::Vector::from_slice(&[0, 1, 2].map(along))
}

fn on_grid(value: f64) -> f64 {
    (value / ORIGIN_GRID).floor() * ORIGIN_GRID
}

/// True if all values of a range are far from zero and near each other.
fn is_far((min, max): (f64, f64)) -> bool {
    min.is_finite()
        && max.is_finite()
        && (min >= SURVEY_DISTANCE || max <= -SURVEY_DISTANCE)
        && max - min < SURVEY_DISTANCE
}

/// A point near the corners of a shape, in its own axes: zero, unless they are far from the zero of these axes [m].
pub fn anchor<S: Space>(corner: &[f64]) -> S::Vector {
    let far = corner.len() >= S::DIM
        && corner.iter().any(|x| x.abs() >= SURVEY_DISTANCE)
        && corner.iter().all(|x| x.is_finite());
    if !far {
        return S::Vector::splat(0.0);
    }
    S::Vector::from_slice(&corner.iter().map(|&x| on_grid(x)).collect::<Vec<f64>>())
}

/// A shape with its corners near zero, and the point of its axes from which they are measured [m].
pub fn near<S: Space>(shape: &ShapeSpec) -> (ShapeSpec, S::Vector) {
    let anchor = first_corner(shape).map_or(S::Vector::splat(0.0), |corner| anchor::<S>(&corner));
    let mut shape = shape.clone();
    if anchor.length() > 0.0 {
        let moved = |x: &mut [f64]| x.iter_mut().enumerate().take(S::DIM).for_each(|(k, x)| *x -= anchor.get(k));
        match &mut shape {
            ShapeSpec::Polygon(keys) => {
                let corners = keys.vertices.iter_mut().chain(keys.holes.iter_mut().flatten());
                corners.for_each(|vertex| moved(&mut vertex.0));
            }
            ShapeSpec::Polyhedron(keys) => keys.vertices.iter_mut().for_each(|vertex| moved(&mut vertex.0)),
            _ => {}
        }
    }
    (shape, anchor)
}

fn first_corner(shape: &ShapeSpec) -> Option<Vec<f64>> {
    match shape {
        ShapeSpec::Polygon(keys) => keys.vertices.first().map(|vertex| vertex.0.to_vec()),
        ShapeSpec::Polyhedron(keys) => keys.vertices.first().map(|vertex| vertex.0.to_vec()),
        _ => None,
    }
}

/// First vertex of a mesh file; `None` if the file cannot be read, which is an error later.
fn first_vertex(file: &bodies::MeshFile, base: &Path) -> Option<Vec<f64>> {
    let mesh = mesh::read_file(&base.join(&file.mesh)).ok()?;
    let scale = file.scale.unwrap_or(1.0);
    mesh.vertices.first().map(|vertex| vertex.iter().map(|x| x * scale).collect())
}
