//! Cables: tension-only lines through points of bodies.
//!
//! A cable passes through its anchors x₁ … xₙ, and returns to x₁ if it is closed. It slides through them without
//! friction (the ends of an open cable are fixed), so its tension T is constant along its length:
//!
//! ℓ = Σ ‖xᵢ₊₁ − xᵢ‖,   T = k max(0, ℓ − ℓ₀),   ℓ₀(t) = ℓ_t − P f(t)/k
//!
//! with ℓ_t the length at the time of fitting and P f the prestress. A body is pulled at its anchor by both adjacent
//! segments: T dᵢ, dᵢ = −∂ℓ/∂xᵢ. A jack that changes ℓ₀ does the work −T dℓ₀.

use voussoir_geometry::{Pose, Space, Vector};

use crate::elastic::attached::{anchor_shifts, anchor_weights};
use crate::error::MechanicsError;
use crate::model::{Model, Role};
use crate::state::{CableMemory, State};
use crate::time_function::TimeFunction;

/// A cable, tie or ring.
#[derive(Clone, Debug)]
pub struct Cable<S: Space> {
    /// Unique name.
    pub name: String,
    /// Anchors, at least two.
    pub anchors: Vec<Anchor<S>>,
    /// True for a closed cable, which returns from the last anchor to the first.
    pub closed: bool,
    /// k of the whole cable [N/m].
    pub stiffness: f64,
    /// P [N]; below zero: the cable is longer than its path and slack at first.
    pub prestress: f64,
    /// f: multiplies the prestress.
    pub function: TimeFunction,
    /// Largest tension [N].
    pub strength: Option<f64>,
    /// True if the cable breaks permanently when the tension exceeds the strength.
    pub breaks: bool,
    /// Present from the start; otherwise it is fitted by a [`CableChange`].
    pub fitted: bool,
    /// Role in static analyses; `None`: a force if it is prestressed, a tie otherwise.
    pub at_rest: Option<AtRest>,
}

/// A point through which a cable passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor<S: Space> {
    /// Index of the body.
    pub body: usize,
    /// In body axes [m]; the centroid is zero.
    pub point: S::Vector,
}

/// Role of a cable in static analyses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtRest {
    /// Any tension from zero up to its strength, as equilibrium requires.
    Tie,
    /// Acts with its prestress.
    Force,
}

/// Change of a cable between two stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CableChange {
    /// Fitted along its present path with this tension [N].
    Prestress(f64),
    /// Fitted along its present path, with this initial strain: shortfall in length divided by path length.
    Prestrain(f64),
    /// Removed.
    Remove,
}

impl<S: Space> Cable<S> {
    /// Points of its path, from end to end; a closed path ends with its first point [m].
    pub fn way(&self, poses: &[Pose<S>]) -> Vec<S::Vector> {
        let place = |anchor: &Anchor<S>| poses[anchor.body].point(anchor.point);
        let mut way: Vec<S::Vector> = self.anchors.iter().map(place).collect();
        if self.closed {
            way.extend(way.first().copied());
        }
        way
    }

    /// The path with anchors displaced by `shifts` [m], world axes.
    fn way_with(&self, poses: &[Pose<S>], shifts: &[S::Vector]) -> Vec<S::Vector> {
        let mut way = self.way(poses);
        let count = self.anchors.len();
        way.iter_mut().enumerate().for_each(|(k, place)| *place += shifts.get(k % count).copied().unwrap_or(S::zero()));
        way
    }

    /// ℓ [m].
    pub fn length(&self, poses: &[Pose<S>]) -> f64 {
        self.length_with(poses, &[])
    }

    /// ℓ with anchors displaced by `shifts` (elastic blocks; empty: not) [m].
    pub(crate) fn length_with(&self, poses: &[Pose<S>], shifts: &[S::Vector]) -> f64 {
        self.way_with(poses, shifts).windows(2).map(|ends| (ends[1] - ends[0]).length()).sum()
    }

    /// Force on each anchor per tension, dᵢ; segments without length contribute nothing.
    pub fn directions(&self, poses: &[Pose<S>]) -> Vec<S::Vector> {
        self.directions_with(poses, &[])
    }

    /// The same with anchors displaced by `shifts` (elastic blocks; empty: not) [m].
    pub(crate) fn directions_with(&self, poses: &[Pose<S>], shifts: &[S::Vector]) -> Vec<S::Vector> {
        let way = self.way_with(poses, shifts);
        let mut pulls = vec![S::zero(); self.anchors.len()];
        for (i, ends) in way.windows(2).enumerate() {
            let part = ends[1] - ends[0];
            let length = part.length();
            if length > 0.0 {
                pulls[i] += part / length;
                pulls[(i + 1) % self.anchors.len()] -= part / length;
            }
        }
        pulls
    }

    /// ℓ₀ at a time, for a cable fitted as stored in `memory` [m].
    pub(crate) fn rest_length(&self, memory: &CableMemory, time: f64) -> f64 {
        memory.tied - memory.prestress / self.stiffness * self.function.value(time)
    }

    /// ½ k max(0, e)² [J].
    pub(crate) fn energy(&self, elongation: f64) -> f64 {
        0.5 * self.stiffness * elongation.max(0.0).powi(2)
    }

    /// Returns the error of a cable of a model, if any.
    pub fn fault(&self, model: &Model<S>) -> Option<String> {
        if self.anchors.len() < 2 {
            return Some(format!("it has {} anchors; it needs two", self.anchors.len()));
        }
        if let Some(anchor) = self.anchors.iter().find(|anchor| anchor.body >= model.bodies.len()) {
            return Some(format!(
                "it has an anchor on body {}, but there are {} bodies",
                anchor.body,
                model.bodies.len()
            ));
        }
        if !self.anchors.iter().all(|anchor| anchor.point.is_finite()) {
            return Some("its points must be finite".to_owned());
        }
        if self.anchors.iter().all(|anchor| model.bodies[anchor.body].role != Role::Free) {
            return Some("it has anchors on supports only".to_owned());
        }
        if !(self.stiffness > 0.0 && self.stiffness.is_finite()) {
            return Some(format!("its stiffness is {} N/m; it must be above zero", self.stiffness));
        }
        if !self.prestress.is_finite() {
            return Some(format!("its prestress is {} N", self.prestress));
        }
        match self.strength {
            Some(strength) if !(strength > 0.0 && strength.is_finite()) => {
                Some(format!("its strength is {strength} N; it must be above zero"))
            }
            Some(strength) if self.prestress > strength => {
                Some(format!("its prestress of {} N exceeds its strength of {strength} N", self.prestress))
            }
            None if self.breaks => Some("it breaks, but has no strength".to_owned()),
            _ => None,
        }
    }
}

impl CableMemory {
    /// Memory of a cable at the start of a model.
    pub(crate) fn initial<S: Space>(cable: &Cable<S>, poses: &[Pose<S>]) -> Self {
        let mut memory = Self { fitted: false, broken: false, tied: 0.0, prestress: 0.0, tension: 0.0 };
        if cable.fitted {
            (memory.fitted, memory.tied, memory.prestress) = (true, cable.length(poses), cable.prestress);
            memory.tension = (cable.prestress * cable.function.value(0.0)).max(0.0);
        }
        memory
    }

    /// True if the cable is present and not broken.
    pub fn holds(&self) -> bool {
        self.fitted && !self.broken
    }
}

impl<S: Space> State<S> {
    /// Fits, tightens, loosens or removes a cable, with the work of the jack in the ledger. Repeating a change has no
    /// effect.
    pub fn change_cable(&mut self, model: &Model<S>, cable: usize, change: CableChange) -> Result<(), MechanicsError> {
        let (Some(law), Some(memory)) = (model.cables.get(cable), self.cables.get_mut(cable)) else {
            return Err(MechanicsError::State { what: "cables", found: self.cables.len(), expected: cable + 1 });
        };
        let shifts = match self.elastic.is_empty() {
            true => Vec::new(),
            false => anchor_shifts(model, law, &anchor_weights(model, law), &self.poses, &self.elastic),
        };
        let length = law.length_with(&self.poses, &shifts);
        let elongation = |memory: &CableMemory| length - law.rest_length(memory, self.time);
        let before = if memory.holds() { law.energy(elongation(memory)) } else { 0.0 };
        let prestress = match change {
            CableChange::Prestress(force) => Some(force),
            CableChange::Prestrain(strain) => Some(law.stiffness * length * strain),
            CableChange::Remove => None,
        };
        *memory = match prestress {
            Some(prestress) => CableMemory { fitted: true, broken: false, tied: length, prestress, tension: 0.0 },
            None => CableMemory { fitted: false, ..*memory },
        };
        let after = if memory.holds() { law.energy(elongation(memory)) } else { 0.0 };
        memory.tension = if memory.holds() { law.stiffness * elongation(memory).max(0.0) } else { 0.0 };
        self.ledger.elastic += after - before;
        self.ledger.loads += after - before;
        Ok(())
    }
}
