//! Load cases: a model with factors on its actions and resistances, and the least compressive strength that suffices.
//!
//! Actions without a factor are omitted. The weight γ G of a body is its weight and the load (γ − 1) G, so masses are
//! not changed: an acceleration of the ground acts on them without factors.

use std::sync::Arc;

use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::any::AnyModel;
use voussoir_mechanics::model::{Load, Model, Role, Train};
use voussoir_mechanics::time_function::TimeFunction;

use crate::any::{AnyQuestion, AnyStructure};
use crate::conic::{self, Outcome};
use crate::direction::Direction;
use crate::equilibrium::{Capacity, Terms};
use crate::error::StaticsError;
use crate::joints::PlaneJoint;
use crate::limit::{LimitSettings, LimitVerdict};
use crate::loads::{Question, unit};
use crate::strength;
use crate::structure::{CLOSED, Structure};

/// Name of the part of the weight that a factor adds.
pub const SELF_WEIGHT: &str = "self-weight";

/// Name of the inertia forces of a constant acceleration of the ground.
pub const GROUND: &str = "ground acceleration";

/// Accuracy of the least strength, relative.
const STRENGTH_TOLERANCE: f64 = 0.005;

/// A train at rest at a position of its path.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedTrain {
    /// Its name.
    pub name: String,
    /// Distance of the first axle from the start of the path [m].
    pub distance: f64,
    /// True if its other axles are ahead of the first one.
    pub reversed: bool,
}

/// Factors of a load case.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseFactors {
    /// On the weight of the bodies.
    pub weight: f64,
    /// On loads and trains, by name.
    pub actions: Vec<(String, f64)>,
    /// Compressive strengths are divided by this.
    pub strength: f64,
    /// Friction coefficients are divided by this.
    pub friction: f64,
    /// On the masses of bodies, and of loads that are masses: a variation of the densities.
    pub density: f64,
    /// Constant acceleration of the ground: direction of the inertia forces, and size [g].
    pub acceleration: Option<(Direction, f64)>,
    /// A train that stands at a position; it becomes a load of the same name.
    pub placed: Option<PlacedTrain>,
}

impl Default for CaseFactors {
    fn default() -> Self {
        Self {
            weight: 1.0,
            actions: Vec::new(),
            strength: 1.0,
            friction: 1.0,
            density: 1.0,
            acceleration: None,
            placed: None,
        }
    }
}

impl CaseFactors {
    fn of(&self, name: &str) -> Option<f64> {
        self.actions.iter().find(|(action, _)| action == name).map(|(_, factor)| *factor)
    }

    fn model<S: Space>(&self, model: &Model<S>) -> Result<Model<S>, StaticsError> {
        let mut model = model.clone();
        for body in &mut model.bodies {
            body.mass *= self.density;
        }
        for material in &mut model.materials {
            material.density *= self.density;
            material.strength = material.strength.map(|strength| strength / self.strength);
        }
        model.loads.retain(|load| self.of(&load.name).is_some());
        for load in &mut model.loads {
            let factor = self.of(&load.name).unwrap_or(0.0) * if load.mass { self.density } else { 1.0 };
            (load.force, load.moment) = (load.force * factor, load.moment * factor);
        }
        model.trains.retain(|train| self.of(&train.name).is_some());
        for train in &mut model.trains {
            let factor = self.of(&train.name).unwrap_or(0.0);
            train.axles.iter_mut().for_each(|axle| axle.load *= factor);
        }
        self.place_train(&mut model);
        let g = model.gravity;
        let pushed = |model: &Model<S>, name: &str, force: &dyn Fn(usize, f64) -> S::Vector| -> Vec<Load<S>> {
            let free = model.bodies.iter().enumerate().filter(|(_, body)| body.role == Role::Free);
            free.map(|(i, body)| constant(name, i, force(i, body.mass), S::zero(), false)).collect()
        };
        let mut more = Vec::new();
        if let Some((direction, size)) = &self.acceleration {
            let along = unit::<S>("the acceleration", direction.vector::<S>()?)? * (g.length() * size);
            let carried = model.carried_masses(0.0);
            more.extend(pushed(&model, GROUND, &|i, mass| along * (mass + carried[i])));
        }
        if self.weight != 1.0 {
            more.extend(pushed(&model, SELF_WEIGHT, &|_, mass| g * (mass * (self.weight - 1.0))));
        }
        model.loads.extend(more);
        Ok(model)
    }

    /// Replaces a train by its axle loads.
    fn place_train<S: Space>(&self, model: &mut Model<S>) {
        let Some(placed) = &self.placed else { return };
        let Some(index) = model.trains.iter().position(|train| train.name == placed.name) else { return };
        let train = model.trains.remove(index);
        put_axles(model, &train, placed.distance, placed.reversed);
    }
}

/// Adds the axle loads of a train at a place as loads.
fn put_axles<S: Space>(model: &mut Model<S>, train: &Train<S>, distance: f64, reversed: bool) {
    let down = model.gravity / model.gravity.length().max(f64::MIN_POSITIVE);
    let axles = train.forces_at(distance, reversed, down);
    let load = axles.into_iter().map(|on| constant(&train.name, on.body, on.force, on.point, true));
    model.loads.extend(load);
}

fn constant<S: Space>(name: &str, body: usize, force: S::Vector, point: S::Vector, mass: bool) -> Load<S> {
    let (name, function) = (name.to_owned(), TimeFunction::Constant(1.0));
    Load { name, body, force, moment: S::no_spin(), point, function, range: [1.0; 2], mass }
}

impl AnyStructure {
    /// Replaces loads by their values at a time, and trains by their axle loads: `placed` by those at its own position,
    /// the others by those at the time. For drawings.
    pub fn fix_loads(&mut self, time: f64, placed: Option<&PlacedTrain>) {
        fn fix<S: Space>(structure: &mut Structure<S>, time: f64, placed: Option<&PlacedTrain>) {
            let model = Arc::make_mut(&mut structure.model);
            for load in &mut model.loads {
                let factor = load.function.value(time);
                (load.force, load.moment) = (load.force * factor, load.moment * factor);
                load.function = TimeFunction::Constant(1.0);
            }
            for train in std::mem::take(&mut model.trains) {
                let (distance, reversed) = match placed.filter(|placed| placed.name == train.name) {
                    Some(placed) => (placed.distance, placed.reversed),
                    None => (train.function.value(time), false),
                };
                put_axles(model, &train, distance, reversed);
            }
        }
        match self {
            Self::Two(structure) => fix(structure, time, placed),
            Self::Three(structure) => fix(structure, time, placed),
        }
    }

    /// The structure of a model under a load case.
    pub fn under_case(model: &AnyModel, case: &CaseFactors) -> Result<Self, StaticsError> {
        fn structure<S: Space>(model: &Model<S>, case: &CaseFactors) -> Result<Structure<S>, StaticsError> {
            let mut structure = Structure::new(Arc::new(case.model(model)?), CLOSED)?;
            structure.contacts.iter_mut().for_each(|contact| contact.friction /= case.friction);
            Ok(structure)
        }
        Ok(match model {
            AnyModel::Two(model) => Self::Two(structure(model, case)?),
            AnyModel::Three(model) => Self::Three(structure(model, case)?),
        })
    }

    /// Smallest compressive strength of the materials of free bodies, if all of them have one [Pa].
    pub fn least_material_strength(&self) -> Option<f64> {
        fn least<S: Space>(structure: &Structure<S>) -> Option<f64> {
            let strength = |&body: &usize| structure.model.materials[structure.model.bodies[body].material].strength;
            let all: Option<Vec<f64>> = structure.body.iter().map(strength).collect();
            all?.into_iter().reduce(f64::min)
        }
        match self {
            Self::Two(structure) => least(structure),
            Self::Three(structure) => least(structure),
        }
    }

    /// Number of plane joints.
    pub fn joint_count(&self) -> usize {
        match self {
            Self::Two(structure) => structure.patches.len(),
            Self::Three(structure) => structure.patches.len(),
        }
    }

    /// The least uniform compressive strength with which the multiplier of a load reaches `wanted`; `None` if no
    /// strength suffices. The search starts at the strength `from` [Pa].
    pub fn least_strength(
        &self,
        question: &AnyQuestion,
        wanted: f64,
        from: f64,
        settings: &LimitSettings,
    ) -> Result<Option<LeastStrength>, StaticsError> {
        let reaches = |strength: f64| -> Result<bool, StaticsError> {
            let capacity = Capacity { compression: Some(strength), ..settings.capacity.clone() };
            let found = self.clone().limit(question, &LimitSettings { capacity, ..settings.clone() })?;
            Ok(match found.verdict {
                LimitVerdict::Unbounded => true,
                LimitVerdict::Limit => found.multiplier.is_some_and(|multiplier| multiplier >= wanted),
                LimitVerdict::Falls | LimitVerdict::Undecided => false,
            })
        };
        let Some([lower_pa, upper_pa]) = bisect(from, reaches)? else { return Ok(None) };
        let joints = match self {
            Self::Two(structure) => within(structure, &question.in_space()?, wanted, upper_pa, settings)?,
            Self::Three(structure) => within(structure, &question.in_space()?, wanted, upper_pa, settings)?,
        };
        Ok(Some(LeastStrength { lower_pa, upper_pa, joints }))
    }
}

/// The least sufficient compressive strength.
#[derive(Clone, Debug, PartialEq)]
pub struct LeastStrength {
    /// Largest strength for which no equilibrium was found [Pa].
    pub lower_pa: f64,
    /// Smallest strength for which an equilibrium was found [Pa].
    pub upper_pa: f64,
    /// Joints of a state of equilibrium with hardly more than this strength; empty if it was not found.
    pub joints: Vec<PlaneJoint>,
}

/// Smallest and largest strength between which `reaches` changes, by doubling and by bisection of the logarithm.
fn bisect(from: f64, reaches: impl Fn(f64) -> Result<bool, StaticsError>) -> Result<Option<[f64; 2]>, StaticsError> {
    let (mut low, mut high) = (from, from);
    if reaches(from)? {
        loop {
            low *= 0.5;
            if !reaches(low)? {
                break;
            }
            high = low;
            if low < 1e-9 * from {
                return Ok(Some([0.0, high]));
            }
        }
    } else {
        loop {
            high *= 2.0;
            if reaches(high)? {
                break;
            }
            low = high;
            if high > 1e3 * from {
                return Ok(None);
            }
        }
    }
    while high / low > 1.0 + STRENGTH_TOLERANCE {
        let middle = (low * high).sqrt();
        if reaches(middle)? { high = middle } else { low = middle }
    }
    Ok(Some([low, high]))
}

/// Margin above the least strength, so that the set of states of equilibrium has an interior.
const ROOM: f64 = 1.02;

/// Joints of a state of equilibrium under `factor` times the load of a question, with a strength slightly above the
/// least.
fn within<S: Space>(
    structure: &Structure<S>,
    question: &Question<S>,
    factor: f64,
    strength: f64,
    settings: &LimitSettings,
) -> Result<Vec<PlaneJoint>, StaticsError> {
    let loads = structure.loads_at(question, factor, settings.time)?;
    let capacity = Capacity { compression: Some(ROOM * strength), ..settings.capacity.clone() };
    let mut state = structure.clone();
    strength::divide(&mut state, &capacity)?;
    let posed = state.pose(&Terms::new(&loads, &capacity));
    let solution = conic::solve(&posed.program, settings.engine);
    if solution.outcome != Outcome::Optimal || state.patches.len() != structure.patches.len() {
        return Ok(Vec::new());
    }
    state.keep_forces(&posed.forces(&solution));
    Ok(structure.joints_in(&state, structure.unit_of(&loads)))
}
