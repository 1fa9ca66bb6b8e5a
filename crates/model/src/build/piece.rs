//! Shapes before they become bodies: centroid at the origin, volume and inertia known, shared by equal bodies.

use std::sync::Arc;

use voussoir_geometry::{Pose, Solid};

use super::dimension::Dimension;

/// A shape whose own axes have their origin at the centroid.
#[derive(Clone, Debug)]
pub struct Centred<S: Dimension> {
    /// The shape, centred.
    pub shape: Arc<S::Shape>,
    /// Position of the centroid in the original axes [m].
    pub centroid: S::Vector,
    /// Volume [m³], area in 2D [m²]; `None` for unbounded shapes.
    pub volume: Option<f64>,
    /// Inertia for density 1.
    pub inertia: S::Inertia,
}

impl<S: Dimension> Centred<S> {
    /// Moves a shape so that its centroid is at the origin; unbounded shapes are not moved.
    pub fn new(shape: &S::Shape) -> Self {
        match shape.mass_properties() {
            Some(mass) => {
                // a box centred at its origin stays exact
                let moved = if mass.centroid == S::zero() { shape.clone() } else { shape.translated(-mass.centroid) };
                Self {
                    shape: Arc::new(moved),
                    centroid: mass.centroid,
                    volume: Some(mass.volume),
                    inertia: mass.inertia,
                }
            }
            None => Self { shape: Arc::new(shape.clone()), centroid: S::zero(), volume: None, inertia: S::NO_INERTIA },
        }
    }
}

/// One body of a generator or a file, in the axes of the generator.
#[derive(Clone, Debug)]
pub struct Piece<S: Dimension> {
    /// Part of the name after that of the generator, for instance `voussoir[3]`; empty for the body itself.
    pub name: String,
    /// Tags besides those of the body.
    pub tags: Vec<String>,
    /// The shape.
    pub shape: Centred<S>,
    /// Pose of the axes of the shape, before it was centred.
    pub pose: Pose<S>,
    /// True for supports.
    pub support: bool,
    /// Density in place of that of the material [kg/m³].
    pub density: Option<f64>,
}

impl<S: Dimension> Piece<S> {
    /// A free body at a position.
    pub fn at(name: String, tags: &[&str], shape: &Centred<S>, position: S::Vector) -> Self {
        let tags = tags.iter().map(ToString::to_string).collect();
        Self { name, tags, shape: shape.clone(), pose: Pose::at(position), support: false, density: None }
    }

    /// A support at a position.
    #[must_use]
    pub fn fixed(mut self) -> Self {
        self.support = true;
        self
    }
}
