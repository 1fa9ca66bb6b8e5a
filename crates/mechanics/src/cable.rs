//! Cables and ties: a pull along a line through points of bodies, zero or more.
//!
//! F = k ⟨ℓ − ℓ_ref⟩ with ℓ the length through all points and ℓ_ref = ℓ₀(1 − ε) the length at which it is slack; ε is the
//! prestrain, which a function of time may tighten and loosen. The cable glides through its points without friction: its
//! pull is the same everywhere. In limit analysis the same cable pulls with anything from zero to its strength.

use voussoir_geometry::{Pose, Space, Vector};

use crate::model::{Model, Role};
use crate::time_function::TimeFunction;

/// A cable.
#[derive(Clone, Debug, PartialEq)]
pub struct Cable<S: Space> {
    /// Name in the scene.
    pub name: String,
    /// What it goes through, in order; at least two.
    pub anchors: Vec<Anchor<S>>,
    /// True when it goes on from the last point to the first.
    pub closed: bool,
    /// k [N/m].
    pub stiffness: f64,
    /// ℓ₀ [m].
    pub length: f64,
    /// Prestrain ε when the function is 1.
    pub prestrain: f64,
    /// Multiplies the prestrain.
    pub function: TimeFunction,
    /// Largest pull [N]; infinite where it does not matter.
    pub strength: f64,
}

/// A point of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor<S: Space> {
    /// Index of the body.
    pub body: usize,
    /// In body axes [m].
    pub point: S::Vector,
}

impl<S: Space> Cable<S> {
    /// Its points for bodies placed at `poses`; the first once more at the end of a closed one.
    pub fn points(&self, poses: &[Pose<S>]) -> Vec<S::Vector> {
        let mut points: Vec<S::Vector> = self.anchors.iter().map(|a| poses[a.body].point(a.point)).collect();
        if self.closed {
            points.extend(points.first().copied());
        }
        points
    }

    /// ℓ for bodies placed at `poses` [m].
    pub fn length_at(&self, poses: &[Pose<S>]) -> f64 {
        self.points(poses).windows(2).map(|piece| (piece[1] - piece[0]).length()).sum()
    }

    /// Length at which it is slack [m].
    pub fn reference(&self, time: f64) -> f64 {
        self.length * (1.0 - self.prestrain * self.function.value(time))
    }

    /// Where a unit of pull moves each anchor, world axes: −∂ℓ/∂x.
    pub fn directions(&self, poses: &[Pose<S>]) -> Vec<S::Vector> {
        let points = self.points(poses);
        let mut pulls = vec![S::zero(); self.anchors.len()];
        for (i, piece) in points.windows(2).enumerate() {
            let along = piece[1] - piece[0];
            let length = along.length();
            if length > 0.0 {
                let next = (i + 1) % self.anchors.len();
                pulls[i] += along / length;
                pulls[next] -= along / length;
            }
        }
        pulls
    }

    /// What is wrong with the cable, if anything.
    pub fn fault(&self, model: &Model<S>) -> Option<String> {
        let number = |what: &str, x: f64| (!(x > 0.0 && x.is_finite())).then(|| format!("its {what} is {x}"));
        if self.anchors.len() < 2 || (self.closed && self.anchors.len() < 3) {
            return Some(format!("it goes through {} points, which holds nothing together", self.anchors.len()));
        }
        if let Some(anchor) = self.anchors.iter().find(|anchor| anchor.body >= model.bodies.len()) {
            return Some(format!("it is fixed to body {}, there are {}", anchor.body, model.bodies.len()));
        }
        if self.anchors.iter().all(|anchor| model.bodies[anchor.body].role != Role::Free) {
            return Some("all its points are on supports: it holds nothing".to_owned());
        }
        let first = self.anchors[0].body;
        if self.anchors.iter().all(|anchor| anchor.body == first) {
            return Some(format!("all its points are on \"{}\": it holds nothing", model.bodies[first].name));
        }
        number("stiffness", self.stiffness).or_else(|| number("length", self.length)).or_else(|| {
            let start = self.stiffness * self.length * self.prestrain;
            if !(self.prestrain >= 0.0 && self.prestrain < 1.0) {
                Some(format!("its prestrain is {}, it must be between 0 and 1", self.prestrain))
            } else if !(self.strength > 0.0) {
                Some(format!("its strength is {} N, it must be above zero", self.strength))
            } else if start > self.strength {
                Some(format!("its prestress of {start:.4e} N exceeds its strength of {:.4e} N", self.strength))
            } else {
                None
            }
        })
    }
}
