//! Loads of a structure at rest: dead loads and multiplied loads.

use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::model::{Load, Model, Role, Train};

use crate::error::StaticsError;
use crate::structure::Structure;

/// A load whose largest multiplier is requested.
#[derive(Clone, Debug, PartialEq)]
pub enum Question<S: Space> {
    /// A load of the model, by name: its force and torque for a function of time of 1. Or a train at its position at
    /// the time of the analysis.
    Named(String),
    /// Ground acceleration opposite to this direction: the load on every body is λ times its weight in this direction,
    /// the weights of fill, trains and other loads that are masses included.
    Acceleration(S::Vector),
    /// Tilt of the ground towards this horizontal direction up to tan(angle) = λ: gravity and all loads rotate
    /// together.
    Tilt(S::Vector),
}

impl<S: Space> Question<S> {
    /// Its name in messages and results.
    pub fn name(&self) -> String {
        match self {
            Self::Named(name) => name.clone(),
            Self::Acceleration(_) => "acceleration".to_owned(),
            Self::Tilt(_) => "tilt".to_owned(),
        }
    }
}

impl<S: Space> Question<S> {
    /// The load of the model that is removed from the dead loads.
    pub fn without(&self) -> Option<&str> {
        match self {
            Self::Named(name) => Some(name),
            _ => None,
        }
    }

    /// Value of the multiplier for the unchanged model: 1 for loads, 0 for accelerations and tilts.
    pub fn present(&self) -> f64 {
        if matches!(self, Self::Named(_)) { 1.0 } else { 0.0 }
    }

    /// The model under `factor` times this load, for analyses without multipliers. A tilted model has its gravity
    /// scaled by 1/cos: the same weights and horizontal loads as in limit analysis.
    pub fn applied(&self, model: &Model<S>, factor: f64) -> Result<Model<S>, StaticsError> {
        let mut model = model.clone();
        match self {
            Self::Named(name) => {
                for load in model.loads.iter_mut().filter(|load| &load.name == name) {
                    (load.force, load.moment) = (load.force * factor, load.moment * factor);
                }
                for train in model.trains.iter_mut().filter(|train| &train.name == name) {
                    train.axles.iter_mut().for_each(|axle| axle.load *= factor);
                }
            }
            Self::Acceleration(direction) => {
                let unit = unit::<S>("the acceleration", *direction)?;
                let g = model.gravity;
                let more = |load: &Load<S>| {
                    let force = unit * (factor * load.force.dot(g) / g.length().max(f64::MIN_POSITIVE));
                    Load { force, point: S::zero(), mass: false, range: [1.0; 2], ..load.clone() }
                };
                let masses: Vec<Load<S>> = model.loads.iter().filter(|load| load.mass).map(more).collect();
                model.loads.extend(masses);
                model.gravity += unit * (g.length() * factor);
                scale_trains(&mut model, g);
            }
            Self::Tilt(direction) => {
                let size = model.gravity.length();
                let down = unit::<S>("gravity", model.gravity)?;
                let level = unit::<S>("the direction of the tilt", *direction - down * direction.dot(down))?;
                let g = model.gravity;
                model.gravity += level * (size * factor);
                scale_trains(&mut model, g);
                for load in &mut model.loads {
                    let (vertical, horizontal) = (load.force.dot(down), load.force.dot(level));
                    load.force += (level * vertical - down * horizontal) * factor;
                }
            }
        }
        Ok(model)
    }
}

/// Axles press along gravity; their forces grow with it.
fn scale_trains<S: Space>(model: &mut Model<S>, before: S::Vector) {
    let scale = model.gravity.length() / before.length().max(f64::MIN_POSITIVE);
    for axle in model.trains.iter_mut().flat_map(|train| &mut train.axles) {
        axle.load *= scale;
    }
}

impl<S: Space> Structure<S> {
    /// The dead loads and `factor` times the load of a question (nodes × dofs) [N, N·m].
    pub fn loads_at(&self, question: &Question<S>, factor: f64, time: f64) -> Result<Vec<f64>, StaticsError> {
        let live = self.live_load(question, time)?;
        let dead = self.dead_load(time, question.without());
        Ok(dead.iter().zip(live).map(|(dead, live)| dead + factor * live).collect())
    }

    /// Gravity, all loads and given cable forces at a time (nodes × dofs) [N, N·m], except the load named `without`.
    pub fn dead_load(&self, time: f64, without: Option<&str>) -> Vec<f64> {
        let mut loads = self.weight(self.model.gravity);
        for load in self.model.loads.iter().filter(|load| Some(load.name.as_str()) != without) {
            let factor = load.function.value(time);
            self.add_load(&mut loads, load.body, load.force * factor, load.moment * factor, load.point);
        }
        for train in self.model.trains.iter().filter(|train| Some(train.name.as_str()) != without) {
            self.add_train(&mut loads, train, time);
        }
        for given in self.cables.iter().filter(|fitted| !fitted.is_tie()) {
            self.add_pull(&given.cable, given.tension(time), &mut loads);
        }
        loads
    }

    /// The load that a question multiplies (nodes × dofs) [N, N·m].
    pub fn live_load(&self, question: &Question<S>, time: f64) -> Result<Vec<f64>, StaticsError> {
        let live = match question {
            Question::Named(name) => self.named_load(name, time)?,
            Question::Acceleration(direction) => {
                let unit = unit::<S>("the acceleration", *direction)?;
                self.accelerated(unit * self.model.gravity.length(), time)
            }
            Question::Tilt(direction) => self.tilted(*direction, time)?,
        };
        if self.size_of(&live) == 0.0 {
            let reason = match question {
                Question::Named(_) => "its force and moment are zero".to_owned(),
                _ => "gravity is zero".to_owned(),
            };
            return Err(StaticsError::TouchesNothing { name: question.name(), reason });
        }
        Ok(live)
    }

    /// Power of loads on velocities (both nodes × dofs).
    pub fn work(&self, loads: &[f64], velocities: &[f64]) -> f64 {
        loads.iter().zip(velocities).map(|(f, v)| f * v).sum()
    }

    fn weight(&self, acceleration: S::Vector) -> Vec<f64> {
        let mut loads = vec![0.0; self.nodes() * S::DOFS];
        for (load, &i) in loads.chunks_exact_mut(S::DOFS).zip(&self.body) {
            S::pack(acceleration * self.model.bodies[i].mass, S::no_spin(), load);
        }
        loads
    }

    /// Inertia forces of all bodies and of the masses that they carry under an acceleration (nodes × dofs).
    fn accelerated(&self, acceleration: S::Vector, time: f64) -> Vec<f64> {
        let mut loads = self.weight(acceleration);
        for (body, mass) in self.model.carried_masses(time).into_iter().enumerate().filter(|(_, mass)| *mass > 0.0) {
            self.add_load(&mut loads, body, acceleration * mass, S::no_spin(), S::zero());
        }
        loads
    }

    /// Names of loads that press on the structure but are not accelerated with it by a question; a tilt turns all loads.
    pub fn not_accelerated(&self, question: &Question<S>, time: f64) -> Vec<String> {
        let mut names = Vec::new();
        if !matches!(question, Question::Acceleration(_)) {
            return names;
        }
        let presses = |load: &&Load<S>| {
            let weight = load.weight_at(self.model.gravity, time);
            !load.mass && self.node[load.body].is_some() && weight > 0.0
        };
        for load in self.model.loads.iter().filter(presses) {
            if !names.contains(&load.name) {
                names.push(load.name.clone());
            }
        }
        names
    }

    fn named_load(&self, name: &str, time: f64) -> Result<Vec<f64>, StaticsError> {
        if let Some(train) = self.model.trains.iter().find(|train| train.name == name) {
            let mut live = vec![0.0; self.nodes() * S::DOFS];
            self.add_train(&mut live, train, time);
            if self.size_of(&live) == 0.0 {
                let reason = format!("no axle is on the deck at t = {time} s");
                return Err(StaticsError::TouchesNothing { name: name.to_owned(), reason });
            }
            return Ok(live);
        }
        let mine: Vec<_> = self.model.loads.iter().filter(|load| load.name == name).collect();
        if mine.is_empty() {
            let mut known: Vec<String> = self.model.loads.iter().map(|load| load.name.clone()).collect();
            known.dedup();
            known.extend(self.model.trains.iter().map(|train| train.name.clone()));
            return Err(StaticsError::UnknownLoad { name: name.to_owned(), known });
        }
        if mine.iter().all(|load| self.model.bodies[load.body].role != Role::Free) {
            let reason = format!("it acts on supports only (\"{}\")", self.name(mine[0].body));
            return Err(StaticsError::TouchesNothing { name: name.to_owned(), reason });
        }
        let mut live = vec![0.0; self.nodes() * S::DOFS];
        mine.iter().for_each(|load| self.add_load(&mut live, load.body, load.force, load.moment, load.point));
        Ok(live)
    }

    /// All dead loads rotated by a right angle, from downwards to `direction`.
    fn tilted(&self, direction: S::Vector, time: f64) -> Result<Vec<f64>, StaticsError> {
        let g = self.model.gravity;
        let down = unit::<S>("gravity", g)?;
        let level = direction - down * direction.dot(down);
        let level = unit::<S>("the direction of the tilt", level)?;
        let mut live = self.weight(level * g.length());
        for load in &self.model.loads {
            let force = load.force * load.function.value(time);
            let (vertical, horizontal) = (force.dot(down), force.dot(level));
            let rest = force - down * vertical - level * horizontal;
            let turns = rest.length() <= 1e-12 * force.length() && S::spin_to_3d(load.moment) == [0.0; 3];
            if !turns {
                return Err(StaticsError::Number {
                    what: format!("tilt with the load \"{}\"", load.name),
                    reason: "it has a moment, or a force along the axis of the tilt; use an acceleration instead"
                        .to_owned(),
                });
            }
            self.add_load(&mut live, load.body, level * vertical - down * horizontal, S::no_spin(), load.point);
        }
        for on in self.model.trains.iter().flat_map(|train| train.forces(time, down)) {
            self.add_load(&mut live, on.body, level * on.force.dot(down), S::no_spin(), on.point);
        }
        Ok(live)
    }

    /// Adds the axle loads of a train at its position at a time.
    fn add_train(&self, loads: &mut [f64], train: &Train<S>, time: f64) {
        let down = self.model.gravity / self.model.gravity.length().max(f64::MIN_POSITIVE);
        for on in train.forces(time, down) {
            self.add_load(loads, on.body, on.force, S::no_spin(), on.point);
        }
    }

    pub(crate) fn add_load(&self, loads: &mut [f64], body: usize, force: S::Vector, moment: S::Spin, point: S::Vector) {
        let Some(node) = self.node[body] else { return };
        let pose = &self.poses[body];
        let moment = moment + S::cross(pose.direction(point), force);
        let mut packed = [0.0; 6];
        S::pack(force, S::spin_to_body(pose.rotation, moment), &mut packed[..S::DOFS]);
        for (sum, part) in loads[node as usize * S::DOFS..][..S::DOFS].iter_mut().zip(packed) {
            *sum += part;
        }
    }
}

/// A vector of length one.
pub(crate) fn unit<S: Space>(what: &str, v: S::Vector) -> Result<S::Vector, StaticsError> {
    let length = v.length();
    if length > 0.0 && length.is_finite() {
        return Ok(v / length);
    }
    let reason = format!("its length is {length}; it must not be zero");
    Err(StaticsError::Number { what: what.to_owned(), reason })
}
