//! Structures, questions and curves of either dimension, for other crates.
//!
//! Nothing here is generic, so that the conic programs behind it are compiled once, in this crate.

use std::sync::Arc;

use voussoir_geometry::{D2, D3, Space, Vector};
use voussoir_mechanics::any::{AnyModel, AnyState, other_dimension};
use voussoir_mechanics::construction::present;
use voussoir_mechanics::measures::mass_and_weight;
use voussoir_mechanics::model::{Anchor, AtRest, Cable, Model};
use voussoir_mechanics::snapshot::{Cast, Snapshot, cast};
use voussoir_mechanics::state::{CableMemory, State};
use voussoir_mechanics::time_function::TimeFunction;
use voussoir_mechanics::with_model;

use crate::direction::Direction;
use crate::envelope::{Envelope, envelope};
use crate::equilibrium::Capacity;
use crate::error::StaticsError;
use crate::frame;
use crate::limit::{LimitAnswer, LimitSettings, limit};
use crate::loads::Question;
use crate::mechanism::Mechanism;
use crate::pushover::{Curve, Pushover, PushoverSettings, pushover, settlement};
use crate::stand::{StandAnswer, StandSettings, Verdict, decide_by_loads, stand};
use crate::structure::{CLOSED, Structure};
use crate::thrust::ThrustRange;

/// A load whose largest multiplier is sought, in the axes of a scene of either dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyQuestion {
    /// A load or a train of the scene, by name.
    Named(String),
    /// An acceleration of the ground against this direction: every body is pushed along it by λ times its weight.
    Acceleration(Direction),
    /// The ground is tilted towards this horizontal direction until tan(angle) = λ.
    Tilt(Direction),
}

impl AnyQuestion {
    /// The question in a dimension.
    pub fn in_space<S: Space>(&self) -> Result<Question<S>, StaticsError> {
        Ok(match self {
            Self::Named(name) => Question::Named(name.clone()),
            Self::Acceleration(direction) => Question::Acceleration(direction.vector::<S>()?),
            Self::Tilt(direction) => Question::Tilt(direction.vector::<S>()?),
        })
    }

    /// Its name in messages and answers.
    pub fn name(&self) -> String {
        match self {
            Self::Named(name) => name.clone(),
            Self::Acceleration(_) => "acceleration".to_owned(),
            Self::Tilt(_) => "tilt".to_owned(),
        }
    }

    /// The model under `factor` times this load.
    pub fn applied(&self, model: &AnyModel, factor: f64) -> Result<AnyModel, StaticsError> {
        Ok(match model {
            AnyModel::Two(model) => AnyModel::Two(Arc::new(self.in_space::<D2>()?.applied(model, factor)?)),
            AnyModel::Three(model) => AnyModel::Three(Arc::new(self.in_space::<D3>()?.applied(model, factor)?)),
        })
    }
}

/// A structure of either dimension.
#[derive(Clone, Debug)]
pub enum AnyStructure {
    /// In the plane.
    Two(Structure<D2>),
    /// In space.
    Three(Structure<D3>),
}

macro_rules! with_structure {
    ($any:expr, $structure:ident => $body:expr) => {
        match $any {
            AnyStructure::Two($structure) => $body,
            AnyStructure::Three($structure) => $body,
        }
    };
}

impl AnyStructure {
    /// The structure of a model as drawn.
    pub fn new(model: &AnyModel) -> Result<Self, StaticsError> {
        Ok(match model {
            AnyModel::Two(model) => Self::Two(Structure::new(Arc::clone(model), CLOSED)?),
            AnyModel::Three(model) => Self::Three(Structure::new(Arc::clone(model), CLOSED)?),
        })
    }

    /// The structure of a model as drawn, for limit analysis, which includes the cohesion of joints.
    pub fn for_limits(model: &AnyModel) -> Result<Self, StaticsError> {
        Ok(match model {
            AnyModel::Two(model) => Self::Two(Structure::for_limits(Arc::clone(model), CLOSED)?),
            AnyModel::Three(model) => Self::Three(Structure::for_limits(Arc::clone(model), CLOSED)?),
        })
    }

    /// The structure of the bodies that are present in a state, and their indices in the model.
    pub fn at_state(model: &AnyModel, state: &AnyState) -> Result<(Self, Vec<usize>), StaticsError> {
        Ok(match (model, state) {
            (AnyModel::Two(model), AnyState::Two(state)) => {
                let (structure, bodies) = at_state(model, state)?;
                (Self::Two(structure), bodies)
            }
            (AnyModel::Three(model), AnyState::Three(state)) => {
                let (structure, bodies) = at_state(model, state)?;
                (Self::Three(structure), bodies)
            }
            _ => {
                let reason = other_dimension(model).to_string();
                return Err(StaticsError::Number { what: "the state".to_owned(), reason });
            }
        })
    }

    /// Number of free bodies.
    pub fn nodes(&self) -> usize {
        with_structure!(self, structure => structure.nodes())
    }

    /// Number of contact points.
    pub fn contacts(&self) -> usize {
        with_structure!(self, structure => structure.contacts.len())
    }

    /// Origin of the model in survey coordinates [m].
    pub fn origin(&self) -> [f64; 3] {
        with_structure!(self, structure => structure.model.origin.to_3d())
    }

    /// Indices of the supports with a reaction.
    pub fn supports(&self) -> Vec<usize> {
        with_structure!(self, structure => structure.supports())
    }

    /// Index of the body with this name.
    pub fn body_named(&self, name: &str) -> Option<usize> {
        with_structure!(self, structure => structure.model.bodies.iter().position(|body| body.name == name))
    }

    /// Names of all bodies, in model order.
    pub fn body_names(&self) -> Vec<&str> {
        with_structure!(self, structure => structure.model.bodies.iter().map(|body| body.name.as_str()).collect())
    }

    /// Bodies as recorders and pictures see them.
    pub fn cast(&self) -> Cast {
        with_structure!(self, structure => cast(&structure.model))
    }

    /// Weight of the free bodies [N].
    pub fn weight(&self) -> f64 {
        with_structure!(self, structure => mass_and_weight(&structure.model).1)
    }

    /// The structure with its forces as a frame; velocities are those of the mechanism.
    pub fn snapshot(&self, mechanism: Option<&Mechanism>, time: f64) -> Snapshot {
        with_structure!(self, structure => frame::frame(structure, mechanism, time))
    }

    /// The first time at which a train is at a distance along its path [s], if it ever is.
    pub fn time_of_train(&self, name: &str, distance: f64) -> Option<f64> {
        with_structure!(self, structure => {
            let train = structure.model.trains.iter().find(|train| train.name == name);
            train.and_then(|train| train.function.time_of(distance))
        })
    }

    /// Takes over the forces of the same contacts of another structure as a first guess.
    pub fn take_forces(&mut self, other: &Self) {
        match (self, other) {
            (Self::Two(own), Self::Two(other)) => own.take_forces(&other.contacts),
            (Self::Three(own), Self::Three(other)) => own.take_forces(&other.contacts),
            _ => {}
        }
    }

    /// Ties the centroids of two bodies by a cable of some strength [N].
    pub fn tie(&mut self, bodies: [usize; 2], name: &str, strength: f64) -> Result<(), StaticsError> {
        fn tie<S: Space>(
            structure: &mut Structure<S>,
            bodies: [usize; 2],
            name: &str,
            strength: f64,
        ) -> Result<(), StaticsError> {
            structure.add_cable(Cable {
                name: name.to_owned(),
                anchors: bodies.map(|body| Anchor { body, point: S::zero() }).to_vec(),
                closed: false,
                // supports do not move in static analyses
                stiffness: 1.0,
                prestress: 0.0,
                function: TimeFunction::Constant(1.0),
                strength: Some(strength),
                breaks: false,
                fitted: true,
                at_rest: Some(AtRest::Tie),
            })
        }
        with_structure!(self, structure => tie(structure, bodies, name, strength))
    }

    /// Decides whether the structure stands under its fixed loads; forces are kept.
    pub fn decide(&mut self, settings: &StandSettings) -> Verdict {
        with_structure!(self, structure => {
            let dead = structure.dead_load(settings.time, None);
            decide_by_loads(structure, &dead, settings).0
        })
    }

    /// Decides whether the structure stands under `factor` times the load of a question.
    pub fn decide_under(
        &mut self,
        question: &AnyQuestion,
        factor: f64,
        settings: &StandSettings,
    ) -> Result<Verdict, StaticsError> {
        fn under<S: Space>(
            structure: &mut Structure<S>,
            question: &AnyQuestion,
            factor: f64,
            settings: &StandSettings,
        ) -> Result<Verdict, StaticsError> {
            let loads = structure.loads_at(&question.in_space::<S>()?, factor, settings.time)?;
            Ok(decide_by_loads(structure, &loads, settings).0)
        }
        with_structure!(self, structure => under(structure, question, factor, settings))
    }

    /// Verdict with margins; forces are kept.
    pub fn stand(&mut self, settings: &StandSettings) -> StandAnswer {
        with_structure!(self, structure => stand(structure, settings))
    }

    /// The largest multiplier of a load; the forces at the limit are kept.
    pub fn limit(&mut self, question: &AnyQuestion, settings: &LimitSettings) -> Result<LimitAnswer, StaticsError> {
        match self {
            Self::Two(structure) => limit(structure, &question.in_space::<D2>()?, settings),
            Self::Three(structure) => limit(structure, &question.in_space::<D3>()?, settings),
        }
    }

    /// The multiplier of a train at positions every `step` [m] and at the worst one, whose forces are kept.
    pub fn envelope(&mut self, train: &str, step: f64, settings: &LimitSettings) -> Result<Envelope, StaticsError> {
        match self {
            Self::Two(structure) => envelope(structure, train, step, settings),
            Self::Three(structure) => envelope(structure, train, step, settings),
        }
    }

    /// Names of the places where the structure rests on its supports, with the index of the support.
    pub fn places(&self) -> Vec<(String, usize)> {
        with_structure!(self, structure => {
            structure.places().into_iter().map(|place| (place.name, place.support)).collect()
        })
    }

    /// Index of a place by its name, or by that of a support with one place.
    pub fn place_named(&self, name: &str) -> Result<usize, StaticsError> {
        let places = self.places();
        if let Some(place) = places.iter().position(|(place, _)| place == name) {
            return Ok(place);
        }
        let support = self.body_named(name);
        let own: Vec<usize> = (0..places.len()).filter(|&i| Some(places[i].1) == support).collect();
        match own[..] {
            [only] => Ok(only),
            [] => {
                let known = places.into_iter().map(|(name, _)| name).collect();
                Err(StaticsError::UnknownBody { what: "support with a reaction", name: name.to_owned(), known })
            }
            _ => {
                let known: Vec<&str> = own.iter().map(|&i| places[i].0.as_str()).collect();
                let what = format!("the thrust of \"{name}\"");
                let reason = format!("this support has several places; name one of: {}", known.join(", "));
                Err(StaticsError::Number { what, reason })
            }
        }
    }

    /// Range of the thrust at a place (default: the one with the largest) in a direction (default: that of the
    /// reaction); `None` if there is no such place.
    pub fn thrust(
        &self,
        place: Option<usize>,
        direction: Option<&Direction>,
    ) -> Result<Option<ThrustRange>, StaticsError> {
        fn thrust<S: Space>(
            structure: &Structure<S>,
            place: Option<usize>,
            direction: Option<&Direction>,
        ) -> Result<Option<ThrustRange>, StaticsError> {
            let found = match place {
                Some(index) => structure.places().into_iter().nth(index),
                None => structure.main_thrust().map(|(place, _)| place),
            };
            let Some(place) = found else { return Ok(None) };
            let direction = match direction {
                Some(direction) => direction.vector::<S>()?,
                None => structure.main_direction(&place),
            };
            let dead = structure.dead_load(0.0, None);
            let extremes = structure.thrust(&place, direction, &dead, &Capacity::default(), Default::default())?;
            Ok(Some(extremes.range))
        }
        with_structure!(self, structure => thrust(structure, place, direction))
    }
}

fn at_state<S: Space>(model: &Arc<Model<S>>, state: &State<S>) -> Result<(Structure<S>, Vec<usize>), StaticsError> {
    let (part, bodies) = present(model, &state.presence);
    let is_present = |cable: &Cable<S>| part.cables.iter().any(|other| other.name == cable.name);
    let of_part = model.cables.iter().zip(&state.cables).filter(|(cable, _)| is_present(cable));
    let memory: Vec<CableMemory> = of_part.map(|(_, memory)| *memory).collect();
    let poses = bodies.iter().map(|&body| state.poses[body]).collect();
    let mut structure = Structure::at(Arc::new(part), poses, CLOSED)?;
    structure.take_cables(&memory);
    Ok((structure, bodies))
}

/// A load–displacement curve, with a frame at each of its points in which the displacement takes the place of time.
#[derive(Clone, Debug)]
pub struct FollowedCurve {
    /// The curve.
    pub curve: Curve,
    /// Bodies and contacts at each point.
    pub frames: Vec<Snapshot>,
}

/// Follows the equilibrium path of a growing load beyond its limit.
pub fn follow_load(
    model: &AnyModel,
    question: &AnyQuestion,
    settings: &PushoverSettings,
) -> Result<FollowedCurve, StaticsError> {
    match model {
        AnyModel::Two(model) => frames(model, pushover(Arc::clone(model), &question.in_space::<D2>()?, settings)?),
        AnyModel::Three(model) => frames(model, pushover(Arc::clone(model), &question.in_space::<D3>()?, settings)?),
    }
}

/// Moves a support (default direction: along gravity) until no equilibrium is left.
pub fn follow_settlement(
    model: &AnyModel,
    support: usize,
    direction: Option<&Direction>,
    settings: &PushoverSettings,
) -> Result<FollowedCurve, StaticsError> {
    fn follow<S: Space>(
        model: &Arc<Model<S>>,
        support: usize,
        direction: Option<&Direction>,
        settings: &PushoverSettings,
    ) -> Result<FollowedCurve, StaticsError> {
        let direction = direction.map_or(Ok(model.gravity), Direction::vector::<S>)?;
        frames(model, settlement(Arc::clone(model), support, direction, settings)?)
    }
    with_model!(model, model => follow(model, support, direction, settings))
}

fn frames<S: Space>(model: &Arc<Model<S>>, found: Pushover<S>) -> Result<FollowedCurve, StaticsError> {
    let structure = Structure::new(Arc::clone(model), CLOSED)?;
    let unit = structure.unit_of(&structure.dead_load(0.0, None));
    let points = found.poses.iter().zip(&found.contacts).zip(&found.curve.points);
    let frames = points.enumerate().map(|(i, ((poses, contacts), point))| {
        let mut frame = frame::placed(poses, contacts, unit, point.displacement_m);
        frame.step = i as u64;
        frame
    });
    Ok(FollowedCurve { frames: frames.collect(), curve: found.curve })
}
