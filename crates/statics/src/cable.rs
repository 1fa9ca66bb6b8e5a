//! Cables and ties in limit analysis: a pull between two points, from zero up to a strength.

use voussoir_geometry::{Space, Vector};

use crate::error::StaticsError;
use crate::structure::Structure;

/// A cable between two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Cable<S: Space> {
    /// The bodies.
    pub bodies: [usize; 2],
    /// Where it is fixed, world axes \[m\].
    pub points: [S::Vector; 2],
    /// Largest pull \[N\].
    pub strength: f64,
}

impl<S: Space> Structure<S> {
    /// Adds a cable for limit analysis.
    pub fn add_cable(&mut self, cable: Cable<S>) -> Result<(), StaticsError> {
        let [a, b] = cable.bodies;
        let wrong = |reason: &str| StaticsError::Number {
            what: format!("the cable between \"{}\" and \"{}\"", self.name(a), self.name(b)),
            reason: reason.to_owned(),
        };
        if !(cable.strength > 0.0 && cable.strength.is_finite()) {
            return Err(wrong("its strength must be above zero"));
        }
        if self.node[a].is_none() && self.node[b].is_none() {
            return Err(wrong("both bodies are supports: it holds nothing"));
        }
        let length = (cable.points[1] - cable.points[0]).length();
        if !(length > 0.0 && length.is_finite()) {
            return Err(wrong("its ends are at the same place"));
        }
        self.cables.push(cable);
        Ok(())
    }

    /// Row of the pull of a cable for each of its nodes, rotations in units of the size.
    pub(crate) fn cable_rows(&self, cable: &Cable<S>) -> Vec<(u32, Vec<f64>)> {
        let [a, b] = cable.points;
        let along = (b - a) / (b - a).length();
        let mut entries = Vec::with_capacity(2);
        for (body, at, direction) in [(cable.bodies[0], a, along), (cable.bodies[1], b, -along)] {
            let Some(node) = self.node[body] else { continue };
            let pose = &self.poses[body];
            let mut row = vec![0.0; S::DOFS];
            S::jacobian_row(pose.rotation, at - pose.position, direction, &mut row);
            row[S::DIM..].iter_mut().for_each(|x| *x /= self.size[node as usize]);
            entries.push((node, row));
        }
        entries
    }
}
