//! Convex parts of bodies for distances: points with a radius, and sides with their normals.

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::planar::Shape2;
use voussoir_geometry::{Solid, Space};

/// A convex part: the points within `radius` of the convex hull of `points`, or a half-plane.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Corners in body axes [m]; none for a half-plane.
    pub points: Vec<DVec2>,
    /// Normal and offset of each side: n·x ≤ d inside, before rounding.
    pub sides: Vec<(DVec2, f64)>,
    /// Rounding [m].
    pub radius: f64,
}

/// A body: parts and the circle around its centroid.
#[derive(Clone, Debug)]
pub(super) struct Form {
    /// The parts.
    pub parts: Vec<Part>,
    /// Distance of the farthest point from the centroid [m]; infinite for half-planes.
    pub reach: f64,
    /// √area [m]; zero for half-planes.
    pub size: f64,
}

impl Form {
    /// The form of a shape whose axes have their origin at the centroid.
    pub fn new(shape: &Shape2) -> Self {
        let mut parts = Vec::new();
        add(shape, &mut parts);
        let reach = |part: &Part| {
            let far = part.points.iter().map(|p| p.length()).fold(0.0, f64::max) + part.radius;
            if part.points.is_empty() { f64::INFINITY } else { far }
        };
        let size = shape.mass_properties().map_or(0.0, |mass| mass.volume.sqrt());
        Self { reach: parts.iter().map(reach).fold(0.0, f64::max), parts, size }
    }
}

fn add(shape: &Shape2, out: &mut Vec<Part>) {
    match shape {
        Shape2::Polygon(polygon) => out.push(Part {
            points: polygon.vertices().to_vec(),
            sides: polygon.normals().iter().copied().zip(polygon.offsets().iter().copied()).collect(),
            radius: 0.0,
        }),
        Shape2::Disc(disc) => out.push(Part { points: vec![disc.centre], sides: Vec::new(), radius: disc.radius }),
        Shape2::Segment(segment) => {
            let [a, b] = segment.ends;
            let normal = (b - a).perp().normalize_or_zero();
            let sides = vec![(normal, normal.dot(a)), (-normal, -normal.dot(a))];
            out.push(Part { points: vec![a, b], sides, radius: segment.radius });
        }
        Shape2::HalfPlane(half) => {
            out.push(Part { points: Vec::new(), sides: vec![(half.normal, half.offset)], radius: 0.0 });
        }
        Shape2::Compound(compound) => compound.parts().iter().for_each(|part| add(part, out)),
    }
}

/// Velocities per body.
pub(super) const DOFS: usize = voussoir_geometry::D2::DOFS;
