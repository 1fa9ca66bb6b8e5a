//! Relative velocities at contact points, of free bodies and of moved supports.

use voussoir_geometry::Space;

use super::law::Contact;
use super::masses::Masses;
use super::predict::Prediction;
use crate::kinematics::{fastest_point, point_velocity};
use crate::state::State;

/// Velocity of the antagonist at the point if it is a support that moves: at the start of the step and over it [m/s].
pub(crate) fn support_velocities<S: Space>(
    masses: &Masses,
    state: &State<S>,
    prediction: &Prediction<S>,
    contact: &Contact<S>,
) -> [S::Vector; 2] {
    let b = contact.key.antagonist as usize;
    match (masses.node[b], &prediction.supports[b]) {
        (None, Some(_)) => {
            let velocity = &state.velocities[b * S::DOFS..][..S::DOFS];
            let before = point_velocity(&prediction.poses[b], velocity, contact.point.position);
            [before, support_velocity(masses, prediction, contact)]
        }
        _ => [S::zero(); 2],
    }
}

/// Velocity of the antagonist at the point over the step, if it is a support that moves; else zero.
pub(crate) fn support_velocity<S: Space>(
    masses: &Masses,
    prediction: &Prediction<S>,
    contact: &Contact<S>,
) -> S::Vector {
    let (a, b) = (contact.key.candidate as usize, contact.key.antagonist as usize);
    match (masses.node[b], &prediction.supports[b]) {
        (None, Some(advance)) => advance.at(contact.point.position, prediction.poses[a].position),
        _ => S::zero(),
    }
}

/// Velocity of the candidate relative to the antagonist, world axes, for velocities of the free bodies
/// (nodes × dofs, those of elastic nodes included) and of the antagonist if it is a support.
pub(crate) fn relative_velocity<S: Space>(
    masses: &Masses,
    prediction: &Prediction<S>,
    contact: &Contact<S>,
    velocities: &[f64],
    support: S::Vector,
) -> S::Vector {
    let of = |body: u32| {
        let body = body as usize;
        masses.node[body].map_or(support, |node| {
            let velocity = &velocities[node as usize * S::DOFS..][..S::DOFS];
            point_velocity(&prediction.poses[body], velocity, contact.point.position)
        })
    };
    let rigid = of(contact.key.candidate) - of(contact.key.antagonist);
    let Some(flexed) = &prediction.flexed else { return rigid };
    contact.elastic.iter().zip([1.0, -1.0]).fold(rigid, |sum, (side, sign)| match side {
        Some(side) => sum + flexed.velocity(&prediction.poses, *side, velocities) * sign,
        None => sum,
    })
}

/// Upper bound of the speed of all points of a body, at the start of the step and at its end without contacts [m/s].
pub(crate) fn fastest<S: Space>(masses: &Masses, state: &State<S>, prediction: &Prediction<S>) -> f64 {
    let at_start = state.velocities.chunks_exact(S::DOFS).zip(&masses.size);
    let free = prediction.free.chunks_exact(S::DOFS).zip(masses.body.iter().map(|&body| &masses.size[body]));
    at_start.chain(free).map(|(v, &size)| fastest_point::<S>(v, size)).fold(0.0, f64::max)
}
