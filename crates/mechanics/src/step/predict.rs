//! Prediction: positions for the detection of contacts, and velocities without contacts.
//!
//! Mid configuration q_m = q_k + h(1−θ)v_k; free velocity v* = v_g + M⁻¹ h [m g + θ F_{k+1} + (1−θ) F_k], where v_g is
//! v_k with the spin after torque-free rotation ([`super::spin`]).

use std::sync::Arc;

use voussoir_geometry::{Pose, Space, Vector};

use super::environment::add_sea;
use super::masses::{Masses, add_product};
use super::spin::free_spin;
use crate::elastic::flex::Flexed;
use crate::kinematics::fastest_point;
use crate::model::{DynamicSettings, Model, Role};
use crate::motion::Advance;
use crate::state::State;

/// Largest speed of a body at rest, relative to the velocity that gravity adds in a step.
const REST_SPEED: f64 = 1e-3;

/// One interval of time that the scheme steps over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    /// Beginning [s].
    pub start: f64,
    /// End [s].
    pub end: f64,
    /// Length [s]; `end − start` without its rounding.
    pub h: f64,
    /// θ of the scheme.
    pub theta: f64,
}

impl Interval {
    /// From this mid configuration to the next, if a whole step of length `whole` follows [s].
    pub fn ahead(&self, whole: f64) -> f64 {
        self.theta * self.h + (1.0 - self.theta) * whole.max(self.h)
    }
}

/// Prediction before contacts.
#[derive(Clone, Debug)]
pub(crate) struct Prediction<S: Space> {
    /// The interval.
    pub over: Interval,
    /// Mid configuration of every body.
    pub poses: Vec<Pose<S>>,
    /// v_g of the free bodies (nodes × dofs).
    pub before: Vec<f64>,
    /// v* of the free bodies (nodes × dofs).
    pub free: Vec<f64>,
    /// Impulse of the loads on the free bodies (nodes × dofs) [N·s].
    pub loads: Vec<f64>,
    /// Displacement of the nodes per time by wind and water, less the mean velocity [m/s]; empty without them.
    pub shifts: Vec<S::Vector>,
    /// Motion of each body if it is a moving support.
    pub supports: Vec<Option<Advance<S>>>,
    /// Elastic blocks; `None` if all bodies are rigid. With them, `before` and `free` have the velocities of elastic
    /// nodes after those of the rigid parts.
    pub flexed: Option<Arc<Flexed>>,
    /// True if no body is faster than a thousandth of the velocity that gravity adds in the step.
    pub at_rest: bool,
}

impl<S: Space> Prediction<S> {
    /// The settings with the residual that is accepted in the step: bodies at rest meet the tolerance itself.
    pub fn tolerances(&self, settings: &DynamicSettings) -> DynamicSettings {
        let accepted =
            if self.at_rest || self.flexed.is_some() { settings.tolerance } else { settings.motion_tolerance() };
        DynamicSettings { motion_tolerance: Some(accepted), ..settings.clone() }
    }

    /// The free velocities of bodies that start from rest (nodes × dofs).
    pub fn forces_only(&self) -> Vec<f64> {
        self.free.iter().zip(&self.before).map(|(free, before)| free - before).collect()
    }
}

/// Predicts the mid configuration and the free velocity.
pub(crate) fn predict<S: Space>(model: &Model<S>, masses: &Masses, state: &State<S>, over: Interval) -> Prediction<S> {
    let Interval { start, end, h, theta } = over;
    let middle = start + (1.0 - theta) * h;
    let mut supports = vec![None; model.bodies.len()];
    let mut poses = state.poses.clone();
    for (i, (body, pose)) in model.bodies.iter().zip(&mut poses).enumerate() {
        match (masses.node[i], body.role) {
            (Some(_), _) => *pose = moved(pose, &state.velocities[i * S::DOFS..][..S::DOFS], (1.0 - theta) * h),
            (None, Role::Free | Role::Support(None)) => {}
            (None, Role::Support(Some(m))) => {
                let motion = &model.motions[m];
                *pose = motion.pose(&body.pose, middle);
                supports[i] = Some(motion.between(middle, middle + h));
            }
        }
    }
    let mut before = masses.gather::<S>(&state.velocities);
    let mut free = Vec::with_capacity(before.len());
    for (k, v) in before.chunks_exact_mut(S::DOFS).enumerate() {
        let (linear, spin) = S::unpack(v);
        let inertia = model.bodies[masses.body[k]].inertia;
        let spin = free_spin::<S>(inertia, masses.mass_of::<S>(k), masses.inverse_of::<S>(k), spin, h, theta);
        S::pack(linear, spin, v);
        let mut after = [0.0; 6];
        // gravity acts on the body's own mass; the weight of carried masses is a load
        let pull = model.gravity * (h * masses.own_share(model, k));
        S::pack(linear + pull, spin, &mut after[..S::DOFS]);
        free.extend_from_slice(&after[..S::DOFS]);
    }
    let mut loads = load_impulses(model, masses, &poses, start, end, h, theta);
    let shifts = add_sea(model, masses, state, &before, &mut loads, over);
    for (k, (v, load)) in free.chunks_exact_mut(S::DOFS).zip(loads.chunks_exact(S::DOFS)).enumerate() {
        add_product(masses.inverse_of::<S>(k), load, v);
    }
    let slow = REST_SPEED * model.gravity.length() * h;
    let at_rest = masses
        .body
        .iter()
        .all(|&i| fastest_point::<S>(&state.velocities[i * S::DOFS..][..S::DOFS], masses.size[i]) <= slow);
    Prediction { over, poses, before, free, loads, shifts, supports, flexed: None, at_rest }
}

/// A pose moved with a constant generalized velocity for `dt` seconds.
pub(crate) fn moved<S: Space>(pose: &Pose<S>, velocity: &[f64], dt: f64) -> Pose<S> {
    let (linear, spin) = S::unpack(velocity);
    Pose { position: pose.position + linear * dt, rotation: S::advance(pose.rotation, spin, dt) }
}

/// Adds a force and a moment at a point of a body to the generalized ones (nodes × dofs).
fn add<S: Space>(sums: &mut [f64], node: u32, pose: &Pose<S>, force: S::Vector, moment: S::Spin, point: S::Vector) {
    let moment = moment + S::cross(pose.direction(point), force);
    let mut packed = [0.0; 6];
    S::pack(force, S::spin_to_body(pose.rotation, moment), &mut packed[..S::DOFS]);
    for (sum, part) in sums[node as usize * S::DOFS..][..S::DOFS].iter_mut().zip(packed) {
        *sum += part;
    }
}

/// Impulses h [θ F_{k+1} + (1−θ) F_k] of all loads and trains, points of attack turned with the mid configuration.
fn load_impulses<S: Space>(
    model: &Model<S>,
    masses: &Masses,
    poses: &[Pose<S>],
    start: f64,
    end: f64,
    h: f64,
    theta: f64,
) -> Vec<f64> {
    let mut impulses = vec![0.0; masses.body.len() * S::DOFS];
    for load in &model.loads {
        let Some(node) = masses.node[load.body] else { continue };
        // a load that jumps at the end of the step acts from the next step on
        let scale = h * (theta * load.function.value_before(end) + (1.0 - theta) * load.function.value(start));
        add(&mut impulses, node, &poses[load.body], load.force * scale, load.moment * scale, load.point);
    }
    let down = model.gravity / model.gravity.length().max(f64::MIN_POSITIVE);
    for train in &model.trains {
        for (time, share) in [(end, h * theta), (start, h * (1.0 - theta))] {
            for on in train.forces(time, down) {
                let Some(node) = masses.node[on.body] else { continue };
                add(&mut impulses, node, &poses[on.body], on.force * share, S::no_spin(), on.point);
            }
        }
    }
    impulses
}
