//! Vibration modes of rigid bodies on the springs of their contacts: K φ = ω² M φ.
//!
//! | module | content |
//! |---|---|
//! | `springs` | springs of the closed contacts |
//! | `system` | stiffness and mass, lowest and highest modes |
//! | [`calibrate`] | factors of springs that give measured frequencies |
//!
//! Every closed contact with springs adds Bᵀ diag(kₙ, k_t, …) B to the stiffness K, with B the rows of the contact
//! frame for both bodies (in 2D the 6 × 6 matrix of equation 5.2 of Rouxinol, Providência and Lemos 2007). Shapes are
//! normalised, φᵀMφ = 1, so that the participating mass along a direction d is (φᵀM d)².

pub mod calibrate;
mod springs;
mod system;

use std::sync::Arc;

use voussoir_geometry::{Pose, Solid, Space};
use voussoir_mechanics::any::AnyDimension;
use voussoir_mechanics::construction::present;
use voussoir_mechanics::model::Model;
use voussoir_mechanics::snapshot::{BodySnapshot, Cast, body_snapshot, cast};
use voussoir_mechanics::state::State;
use voussoir_mechanics::{AnyModel, AnyState};

use crate::error::StaticsError;
use springs::{SpringPoint, held, springs};
use system::System;

/// Settings for the springs of contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModeOptions {
    /// Number of modes.
    pub count: usize,
    /// Distance of the points of a joint from its corners, in 2D [m].
    pub rounding: f64,
    /// Three points per joint in 2D, with the weights 1/6, 2/3, 1/6, in place of two.
    pub three_points: bool,
}

/// Vibration modes.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// Lowest frequencies, rising [Hz].
    pub frequencies: Vec<f64>,
    /// Participating mass of each mode along x, y, z [kg].
    pub participation: Vec<[f64; 3]>,
    /// Shape of each mode (bodies): places at rest, and as velocity and spin the shape, whose largest displacement of a
    /// point is about 1.
    pub shapes: Vec<Vec<BodySnapshot>>,
    /// Bodies of the shapes.
    pub cast: Cast,
    /// Highest frequency [Hz].
    pub highest: f64,
    /// Mass of the free bodies that are held by springs [kg].
    pub mass: f64,
    /// Contact points with springs.
    pub points: usize,
    /// Free bodies that are omitted: too few closed contacts hold them.
    pub loose: usize,
}

/// A structure whose modes are computed: a model with the poses of its bodies.
#[derive(Clone, Debug)]
pub struct Vibrating {
    placed: Placed,
}

#[derive(Clone, Debug)]
enum Placed {
    Two(At<voussoir_geometry::D2>),
    Three(At<voussoir_geometry::D3>),
}

#[derive(Clone, Debug)]
struct At<S: Space> {
    model: Arc<Model<S>>,
    poses: Vec<Pose<S>>,
}

/// Evaluates the same expression for a placed structure of either dimension.
macro_rules! with_placed {
    ($any:expr, $at:ident => $body:expr) => {
        match &$any.placed {
            Placed::Two($at) => $body,
            Placed::Three($at) => $body,
        }
    };
}
pub(super) use with_placed;

impl Vibrating {
    /// A structure as drawn.
    pub fn drawn(model: &AnyModel) -> Self {
        fn at<S: Space>(model: &Arc<Model<S>>) -> At<S> {
            At { model: Arc::clone(model), poses: model.bodies.iter().map(|body| body.pose).collect() }
        }
        let placed = match model {
            AnyModel::Two(model) => Placed::Two(at(model)),
            AnyModel::Three(model) => Placed::Three(at(model)),
        };
        Self { placed }
    }

    /// A structure in a state: present bodies with their poses.
    pub fn in_state(model: &AnyModel, state: &AnyState) -> Result<Self, StaticsError> {
        fn at<S: Space>(model: &Model<S>, state: &State<S>) -> At<S> {
            let (part, kept) = present(model, &state.presence);
            At { model: Arc::new(part), poses: kept.iter().map(|&i| state.poses[i]).collect() }
        }
        let placed = match (model, state) {
            (AnyModel::Two(model), AnyState::Two(state)) => Placed::Two(at(model, state)),
            (AnyModel::Three(model), AnyState::Three(state)) => Placed::Three(at(model, state)),
            _ => return Err(voussoir_mechanics::any::other_dimension(model).into()),
        };
        Ok(Self { placed })
    }

    /// The lowest modes and the highest frequency.
    pub fn modes(&self, options: &ModeOptions) -> Result<Modes, StaticsError> {
        with_placed!(self, at => modes_at(&at.model, &at.poses, options))
    }
}

/// Modes of a model of either dimension as drawn.
pub fn modes(model: &AnyModel, options: &ModeOptions) -> Result<Modes, StaticsError> {
    Vibrating::drawn(model).modes(options)
}

/// Springs, the bodies that they hold, and the number of the other free bodies.
type HeldPoints<S> = (Vec<SpringPoint<S>>, Vec<usize>, usize);

/// Springs of the closed contacts.
fn points_of<S: AnyDimension>(
    model: &Model<S>,
    poses: &[Pose<S>],
    options: &ModeOptions,
) -> Result<HeldPoints<S>, StaticsError> {
    let mut points = springs(model, poses, options);
    let (bodies, loose) = held(model, &mut points);
    if points.is_empty() {
        return Err(StaticsError::NoSprings);
    }
    Ok((points, bodies, loose))
}

/// Modes of a model at poses.
fn modes_at<S: AnyDimension>(
    model: &Model<S>,
    poses: &[Pose<S>],
    options: &ModeOptions,
) -> Result<Modes, StaticsError> {
    let (points, bodies, loose) = points_of(model, poses, options)?;
    let system = System::new(model, poses, &points, &bodies);
    let (values, shapes) = system.lowest(options.count.max(1));
    let participation = shapes.iter().map(|shape| system.participation::<S>(shape)).collect();
    Ok(Modes {
        frequencies: values.into_iter().map(hertz).collect(),
        participation,
        shapes: shapes.iter().map(|shape| drawn_shape(model, poses, &system.bodies, shape)).collect(),
        cast: cast(model),
        highest: hertz(system.highest()),
        mass: system.bodies.iter().map(|&i| model.bodies[i].mass).sum(),
        points: points.len(),
        loose,
    })
}

/// Frequency of an eigenvalue ω² [Hz].
fn hertz(square: f64) -> f64 {
    square.max(0.0).sqrt() / std::f64::consts::TAU
}

/// A shape as velocities of bodies at rest, scaled so that the fastest body moves and turns at about 1 m/s.
fn drawn_shape<S: Space>(model: &Model<S>, poses: &[Pose<S>], bodies: &[usize], shape: &[f64]) -> Vec<BodySnapshot> {
    let still = [0.0; 6];
    let mut drawn: Vec<BodySnapshot> = poses.iter().map(|pose| body_snapshot((pose, &still[..S::DOFS]))).collect();
    let length = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut fastest = 0.0f64;
    for (own, &body) in shape.chunks_exact(S::DOFS).zip(bodies) {
        drawn[body] = body_snapshot((&poses[body], own));
        let reach = 0.5 * model.bodies[body].shape.size();
        fastest = fastest.max(length(drawn[body].velocity) + reach * length(drawn[body].spin));
    }
    let scale = 1.0 / fastest.max(f64::MIN_POSITIVE);
    for body in &mut drawn {
        body.velocity = body.velocity.map(|x| x * scale);
        body.spin = body.spin.map(|x| x * scale);
    }
    drawn
}
