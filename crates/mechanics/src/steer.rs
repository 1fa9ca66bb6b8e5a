//! Steering a dynamic analysis from outside, between two steps: forces on bodies and velocities of supports.
//!
//! A push is a load that acts until the next steering command. The velocity of a support is a step function of time,
//! v(t) = vₖ for tₖ ≤ t < tₖ₊₁, and its displacement the exact integral: s(t) = Σ vₖ Δtₖ. Both are parts of the model,
//! not of the state: two analyses with the same state and the same steering are bit-identical.

use std::sync::Arc;

use voussoir_geometry::{Space, Vector};

use crate::error::MechanicsError;
use crate::model::{Load, Model, Motion, MotionQuantity, Role};
use crate::time_function::TimeFunction;

/// Name of the loads from pushes.
const PUSH: &str = "push";

/// A force and a moment on one body, until the next steering.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Push {
    /// Index of the body.
    pub body: usize,
    /// Force at the centroid, world axes [N].
    pub force: [f64; 3],
    /// Moment, world axes [N·m]; in 2D its last component.
    pub moment: [f64; 3],
}

/// Velocities of one support.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SupportDrive {
    /// Index of the support.
    pub body: usize,
    /// Velocity [m/s], world axes, from a time [s] on; times rise. At rest before the first time.
    pub velocities: Vec<(f64, [f64; 3])>,
}

/// All pushes and all driven supports; replaces the previous ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steering {
    /// Forces on bodies.
    pub pushes: Vec<Push>,
    /// Supports and their velocities.
    pub supports: Vec<SupportDrive>,
}

/// A model with pushes and driven supports; `steered` are the supports that were driven before, and are afterwards.
pub(crate) fn steer<S: Space>(
    model: &mut Arc<Model<S>>,
    steered: &mut Vec<usize>,
    steering: &Steering,
) -> Result<(), MechanicsError> {
    for push in &steering.pushes {
        let numbers = push.force.iter().chain(&push.moment);
        check_body(model, push.body, numbers.copied().all(f64::is_finite))?;
    }
    for drive in &steering.supports {
        let finite = |(t, v): &(f64, [f64; 3])| t.is_finite() && v.iter().copied().all(f64::is_finite);
        check_body(model, drive.body, drive.velocities.iter().all(finite))?;
        let body = &model.bodies[drive.body];
        let reason = match body.role {
            Role::Free => "it is free; only a support can be driven",
            Role::Support(Some(_)) if !steered.contains(&drive.body) => "it has a motion in the scene",
            Role::Support(_) => continue,
        };
        return Err(MechanicsError::Body { index: drive.body, name: body.name.clone(), reason: reason.to_owned() });
    }
    let model = Arc::make_mut(model);
    model.loads.retain(|load| load.name != PUSH);
    model.loads.extend(steering.pushes.iter().map(|push| load::<S>(push)));
    // the motions of driven supports are the last ones in the list
    model.motions.truncate(model.motions.len() - steered.len());
    for body in steered.drain(..) {
        model.bodies[body].role = Role::Support(None);
    }
    for drive in &steering.supports {
        model.bodies[drive.body].role = Role::Support(Some(model.motions.len()));
        model.motions.push(motion(drive));
        steered.push(drive.body);
    }
    Ok(())
}

fn check_body<S: Space>(model: &Model<S>, index: usize, finite: bool) -> Result<(), MechanicsError> {
    let Some(body) = model.bodies.get(index) else {
        return Err(MechanicsError::State { what: "bodies", found: index + 1, expected: model.bodies.len() });
    };
    if finite {
        return Ok(());
    }
    let reason = "forces, moments, times and velocities must be finite".to_owned();
    Err(MechanicsError::Body { index, name: body.name.clone(), reason })
}

fn load<S: Space>(push: &Push) -> Load<S> {
    let mut numbers = push.force[..S::DIM].to_vec();
    numbers.extend(&push.moment[if S::DIM == 2 { 2..3 } else { 0..3 }]);
    let (force, moment) = S::unpack(&numbers);
    Load {
        name: PUSH.to_owned(),
        body: push.body,
        force,
        moment,
        point: S::zero(),
        function: TimeFunction::Constant(1.0),
        range: [1.0, 1.0],
        mass: false,
    }
}

fn motion<S: Space>(drive: &SupportDrive) -> Motion<S> {
    let along = |axis: usize| {
        let mut rows = vec![(0.0, 0.0)];
        let mut last = 0.0;
        for (time, velocity) in &drive.velocities {
            rows.push((*time, last));
            last = velocity[axis];
            rows.push((*time, last));
        }
        let mut direction = [0.0; 3];
        direction[axis] = 1.0;
        (S::Vector::from_slice(&direction[..S::DIM]), TimeFunction::Table(rows))
    };
    Motion {
        quantity: MotionQuantity::Velocity,
        direction: S::zero(),
        rotation: S::no_spin(),
        pivot: S::zero(),
        function: TimeFunction::Constant(0.0),
        components: (0..S::DIM).map(along).collect(),
    }
}
