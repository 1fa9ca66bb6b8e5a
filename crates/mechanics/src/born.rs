//! Bodies that appear in a run and are unknown at its start: fragments of a body that breaks, grains that are poured.
//!
//! They are part of the state, as descriptions that determine the bodies completely: a resumed run is bit-identical.
//! Their indices follow those of the model and are never used again. They take part in contacts by the joint laws of
//! their materials; they have no mortar beds and no bonds, which belong to bodies as drawn.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use voussoir_geometry::{Pose, ShapeData, Solid, Space, Vector};

use crate::error::MechanicsError;
use crate::model::{Body, Model, Role};

/// A free body that appears in a run, in three dimensions or (z = 0) in two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyDescription {
    /// Unique name.
    pub name: String,
    /// Words by which selections find it.
    pub tags: Vec<String>,
    /// Index of the material.
    pub material: usize,
    /// Mass [kg]; its inertia is that of a uniform density.
    pub mass: f64,
    /// Shape in its own axes.
    pub shape: ShapeData,
    /// Position of the origin of these axes [m].
    pub position: [f64; 3],
    /// Their rotation: a quaternion (x, y, z, w).
    pub rotation: [f64; 4],
    /// Velocity of the centroid, world axes [m/s].
    pub velocity: [f64; 3],
    /// Spin, world axes [rad/s].
    pub spin: [f64; 3],
}

impl BodyDescription {
    /// The body with index `index`. Its own axes have their origin at the centroid.
    pub fn body<S: Space>(&self, index: usize) -> Result<Body<S>, MechanicsError> {
        let wrong = |reason: String| MechanicsError::Body { index, name: self.name.clone(), reason };
        let shape = S::Shape::from_data(&self.shape).map_err(|error| wrong(error.to_string()))?;
        let properties = shape.mass_properties().ok_or_else(|| wrong("it is unbounded".to_owned()))?;
        let axes: Pose<S> = Pose {
            position: S::Vector::from_slice(&self.position),
            rotation: S::rotation_from_quaternion(self.rotation),
        };
        Ok(Body {
            name: self.name.clone(),
            tags: self.tags.clone(),
            shape: Arc::new(shape.translated(-properties.centroid)),
            material: self.material,
            mass: self.mass,
            inertia: S::scale_inertia(properties.inertia, self.mass / properties.volume),
            role: Role::Free,
            pose: Pose { position: axes.point(properties.centroid), ..axes },
            velocity: S::Vector::from_slice(&self.velocity),
            spin: S::spin_to_body(axes.rotation, S::spin_from_3d(self.spin)),
        })
    }
}

/// A model with the bodies that appeared in a run, after its own.
pub fn with_born<'a, S: Space>(
    model: &'a Model<S>,
    born: &[BodyDescription],
) -> Result<Cow<'a, Model<S>>, MechanicsError> {
    if born.is_empty() {
        return Ok(Cow::Borrowed(model));
    }
    let mut whole = model.clone();
    for description in born {
        let index = whole.bodies.len();
        whole.bodies.push(description.body(index)?);
    }
    whole.check()?;
    Ok(Cow::Owned(whole))
}
