//! Masses of loads that are weights: fill, trains, loads marked as masses.
//!
//! Where the ground accelerates or tilts, a weight is also an inertia. The mass F·ĝ/g of such a load is attached to its
//! body as a point mass at the centroid, as added masses are: it takes part in translation, and has no rotational
//! inertia. The weight itself stays a force at its own point. If the ground is at rest, such loads are forces only.

use voussoir_geometry::{Space, Vector};

use crate::model::{Load, Model, Role};

impl<S: Space> Load<S> {
    /// Mass of the load at a time [kg]; zero if the load is not a weight.
    pub fn mass_at(&self, gravity: S::Vector, time: f64) -> f64 {
        if !self.mass {
            return 0.0;
        }
        self.weight_at(gravity, time).max(0.0) / gravity.length().max(f64::MIN_POSITIVE)
    }

    /// Component of the load along gravity at a time [N].
    pub fn weight_at(&self, gravity: S::Vector, time: f64) -> f64 {
        let down = gravity / gravity.length().max(f64::MIN_POSITIVE);
        self.force.dot(down) * self.function.value(time)
    }
}

impl<S: Space> Model<S> {
    /// True if a support has a prescribed motion.
    pub fn ground_moves(&self) -> bool {
        self.bodies.iter().any(|body| matches!(body.role, Role::Support(Some(_))))
    }

    /// True if some load is a mass.
    pub fn has_carried_masses(&self) -> bool {
        !self.trains.is_empty() || self.loads.iter().any(|load| load.mass)
    }

    /// Mass of the loads on every body at a time [kg].
    pub fn carried_masses(&self, time: f64) -> Vec<f64> {
        let mut carried = vec![0.0; self.bodies.len()];
        for load in &self.loads {
            carried[load.body] += load.mass_at(self.gravity, time);
        }
        let g = self.gravity.length().max(f64::MIN_POSITIVE);
        for train in &self.trains {
            for on in train.forces(time, self.gravity / g) {
                carried[on.body] += on.force.length() / g;
            }
        }
        carried
    }
}
