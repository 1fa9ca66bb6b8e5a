//! Models and states of either dimension: the types that other crates hold.
//!
//! The mechanics itself is generic over [`Space`]. Functions here are not, so that the generic code is compiled once,
//! in this crate. [`AnyDimension`] converts between the two forms.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use voussoir_geometry::{D2, D3, Pose, Space, Vector};

use crate::cable::CableChange;
use crate::construction::{self, Change, present};
use crate::contacts::ContactRecord;
use crate::error::MechanicsError;
use crate::inspect::{self, Inspection};
use crate::measures;
use crate::model::{JointTable, Model};
use crate::snapshot::{BodySnapshot, Cast, body_snapshot, cast, cast_with_born};
use crate::state::{Presence, State};

/// A model of either dimension.
#[derive(Clone, Debug)]
pub enum AnyModel {
    /// In the plane.
    Two(Arc<Model<D2>>),
    /// In space.
    Three(Arc<Model<D3>>),
}

/// A state of either dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyState {
    /// In the plane.
    Two(State<D2>),
    /// In space.
    Three(State<D3>),
}

/// A borrowed state; serialised like the state itself.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub enum StateRef<'a> {
    /// In the plane.
    Two(&'a State<D2>),
    /// In space.
    Three(&'a State<D3>),
}

/// Position of a state in the sequence of stages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StagePosition {
    /// Index of the present stage; the number of stages when all are done.
    pub stage: usize,
    /// Steps of the present stage that are done.
    pub steps: u64,
    /// Time at which the present stage began [s].
    pub begun: f64,
}

/// A dimension whose models and states can be erased and recovered.
pub trait AnyDimension: Space {
    /// The model, if it has this dimension.
    fn model(any: &AnyModel) -> Option<&Arc<Model<Self>>>;
    /// Erases the dimension of a model.
    fn any_model(model: Arc<Model<Self>>) -> AnyModel;
    /// The state, if it has this dimension.
    fn state(any: AnyState) -> Option<State<Self>>;
    /// Erases the dimension of a state.
    fn any_state(state: State<Self>) -> AnyState;
    /// Erases the dimension of a borrowed state.
    fn state_ref(state: &State<Self>) -> StateRef<'_>;
    /// [`contacts_within`](inspect::contacts_within), compiled in this crate.
    fn contacts_within(model: &Model<Self>, poses: &[Pose<Self>], reach: f64) -> Vec<ContactRecord<Self>>;
}

macro_rules! dimension {
    ($space:ty, $variant:ident) => {
        impl AnyDimension for $space {
            fn model(any: &AnyModel) -> Option<&Arc<Model<Self>>> {
                if let AnyModel::$variant(model) = any { Some(model) } else { None }
            }
            fn any_model(model: Arc<Model<Self>>) -> AnyModel {
                AnyModel::$variant(model)
            }
            fn state(any: AnyState) -> Option<State<Self>> {
                if let AnyState::$variant(state) = any { Some(state) } else { None }
            }
            fn any_state(state: State<Self>) -> AnyState {
                AnyState::$variant(state)
            }
            fn state_ref(state: &State<Self>) -> StateRef<'_> {
                StateRef::$variant(state)
            }
            fn contacts_within(model: &Model<Self>, poses: &[Pose<Self>], reach: f64) -> Vec<ContactRecord<Self>> {
                inspect::contacts_within(model, poses, reach)
            }
        }
    };
}
dimension!(D2, Two);
dimension!(D3, Three);

/// Evaluates the same expression for a model of either dimension.
#[macro_export]
macro_rules! with_model {
    ($any:expr, $model:ident => $body:expr) => {
        match $any {
            $crate::any::AnyModel::Two($model) => $body,
            $crate::any::AnyModel::Three($model) => $body,
        }
    };
}

/// Evaluates the same expression for a state of either dimension.
macro_rules! with_state {
    ($any:expr, $state:ident => $body:expr) => {
        match $any {
            AnyState::Two($state) => $body,
            AnyState::Three($state) => $body,
        }
    };
}

impl AnyModel {
    /// 2 or 3.
    pub fn dimension(&self) -> usize {
        match self {
            Self::Two(_) => 2,
            Self::Three(_) => 3,
        }
    }

    /// Origin of the coordinates of the model in survey coordinates [m].
    pub fn origin(&self) -> [f64; 3] {
        with_model!(self, model => model.origin.to_3d())
    }

    /// Joints by pair of materials.
    pub fn joints(&self) -> &JointTable {
        with_model!(self, model => &model.joints)
    }

    /// Number of bodies, supports included.
    pub fn bodies(&self) -> usize {
        with_model!(self, model => model.bodies.len())
    }

    /// Index of the body with this name.
    pub fn body_named(&self, name: &str) -> Option<usize> {
        with_model!(self, model => model.bodies.iter().position(|body| body.name == name))
    }

    /// Names of all bodies, in model order.
    pub fn body_names(&self) -> Vec<&str> {
        with_model!(self, model => model.bodies.iter().map(|body| body.name.as_str()).collect())
    }

    /// Names of all loads; a load on several bodies is listed once.
    pub fn load_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            with_model!(self, model => model.loads.iter().map(|load| load.name.as_str()).collect());
        names.dedup();
        names
    }

    /// Number of free bodies.
    pub fn free_bodies(&self) -> usize {
        let free = crate::model::Role::Free;
        with_model!(self, model => model.bodies.iter().filter(|body| body.role == free).count())
    }

    /// Bodies, materials and cables as recorders and pictures see them.
    pub fn cast(&self) -> Cast {
        with_model!(self, model => cast(model))
    }

    /// The same with the bodies that had appeared by a state of this model.
    pub fn cast_at(&self, state: &AnyState) -> Result<Cast, MechanicsError> {
        match (self, state) {
            (Self::Two(model), AnyState::Two(state)) => cast_with_born(model, &state.born),
            (Self::Three(model), AnyState::Three(state)) => cast_with_born(model, &state.born),
            _ => Err(other_dimension(self)),
        }
    }

    /// Mass [kg] and weight [N] of the free bodies.
    pub fn mass_and_weight(&self) -> (f64, f64) {
        with_model!(self, model => measures::mass_and_weight(model))
    }

    /// Interfaces, overlaps, floating bodies and bodies with unusual shapes; contacts are detected up to `alert` [m]
    /// (`None`: the default of the dynamic analysis).
    pub fn inspect(&self, alert: Option<f64>) -> Inspection {
        with_model!(self, model => inspect::inspect(model, alert))
    }

    /// Checks every number and reference.
    pub fn check(&self) -> Result<(), MechanicsError> {
        with_model!(self, model => model.check())
    }

    /// The model of the present bodies, in their present roles.
    pub fn present(&self, presence: &[Presence]) -> Self {
        match self {
            Self::Two(model) => Self::Two(Arc::new(present(model, presence).0)),
            Self::Three(model) => Self::Three(Arc::new(present(model, presence).0)),
        }
    }

    /// The state in which a run starts; bodies that stages add later are absent.
    pub fn initial_state(&self, added_later: &[usize]) -> AnyState {
        fn initial<S: Space>(model: &Model<S>, added_later: &[usize]) -> State<S> {
            let mut state = State::initial(model);
            state.wait(added_later);
            state
        }
        match self {
            Self::Two(model) => AnyState::Two(initial(model, added_later)),
            Self::Three(model) => AnyState::Three(initial(model, added_later)),
        }
    }

    /// Kinetic energy of a state of this model [J]; NaN if the state has the other dimension.
    pub fn kinetic_energy(&self, state: &AnyState) -> f64 {
        match (self, state) {
            (Self::Two(model), AnyState::Two(state)) => measures::kinetic_energy(model, state),
            (Self::Three(model), AnyState::Three(state)) => measures::kinetic_energy(model, state),
            _ => f64::NAN,
        }
    }
}

impl StateRef<'_> {
    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        match self {
            Self::Two(state) => state.time,
            Self::Three(state) => state.time,
        }
    }

    /// Steps done, all stages together.
    pub fn steps(&self) -> u64 {
        match self {
            Self::Two(state) => state.step,
            Self::Three(state) => state.step,
        }
    }

    /// Stage, and steps of it that are done.
    pub fn position(&self) -> StagePosition {
        match self {
            Self::Two(state) => state.position,
            Self::Three(state) => state.position,
        }
    }
}

impl AnyState {
    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        with_state!(self, state => state.time)
    }

    /// Steps done, all stages together.
    pub fn steps(&self) -> u64 {
        with_state!(self, state => state.step)
    }

    /// Stage, and steps of it that are done.
    pub fn position(&self) -> StagePosition {
        with_state!(self, state => state.position)
    }

    /// Sets the position to the start of the next stage.
    pub fn begin_next_stage(&mut self) {
        let next = StagePosition { stage: self.position().stage + 1, steps: 0, begun: self.time() };
        with_state!(self, state => state.position = next);
    }

    /// Borrows the state for writing a checkpoint.
    pub fn borrow(&self) -> StateRef<'_> {
        match self {
            Self::Two(state) => StateRef::Two(state),
            Self::Three(state) => StateRef::Three(state),
        }
    }

    /// Position and velocity of every body, in model order.
    pub fn bodies(&self) -> Vec<BodySnapshot> {
        fn of<S: Space>(state: &State<S>) -> Vec<BodySnapshot> {
            state.poses.iter().zip(state.velocities.chunks_exact(S::DOFS)).map(body_snapshot::<S>).collect()
        }
        with_state!(self, state => of(state))
    }

    /// Adds, releases and removes bodies between two stages.
    pub fn change(&mut self, model: &AnyModel, change: &Change) -> Result<(), MechanicsError> {
        match (model, self) {
            (AnyModel::Two(model), Self::Two(state)) => construction::change(model, state, change),
            (AnyModel::Three(model), Self::Three(state)) => construction::change(model, state, change),
            _ => Err(other_dimension(model)),
        }
    }

    /// Fits, tightens, loosens and removes cables by index; repeating a change has no effect.
    pub fn change_cables(&mut self, model: &AnyModel, changes: &[(usize, CableChange)]) -> Result<(), MechanicsError> {
        fn change<S: Space>(
            model: &Model<S>,
            state: &mut State<S>,
            changes: &[(usize, CableChange)],
        ) -> Result<(), MechanicsError> {
            changes.iter().try_for_each(|(cable, change)| state.change_cable(model, *cable, *change))
        }
        match (model, self) {
            (AnyModel::Two(model), Self::Two(state)) => change(model, state, changes),
            (AnyModel::Three(model), Self::Three(state)) => change(model, state, changes),
            _ => Err(other_dimension(model)),
        }
    }
}

/// The error of a state whose dimension is not that of the model.
pub fn other_dimension(model: &AnyModel) -> MechanicsError {
    let expected = model.dimension();
    MechanicsError::State { what: "dimensions", found: 5 - expected, expected }
}
