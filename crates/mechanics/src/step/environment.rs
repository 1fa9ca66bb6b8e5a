//! Wind, water and Coriolis force in a step of the dynamic analysis (2D).
//!
//! The impulse of the environment is M (V₁ − V₀) − h F of the drift without contacts ([`crate::sea::drift`]), with the
//! contact forces of the previous step among the forces F: the drag of a floe that rests or slides on others is that of
//! its true velocity, so that the forces of a structure at rest are exact for any step.

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::{Space, Vector};

use super::masses::Masses;
use super::predict::Interval;
use crate::model::Model;
use crate::sea::{Floe, Sea};
use crate::state::State;

/// Adds the impulses of the environment (nodes × dofs) to those of the `loads` and of gravity; `before` are the
/// velocities at the start (nodes × dofs). Returns the displacement of each node per time, less the mean velocity
/// [m/s].
pub(crate) fn add_sea<S: Space>(
    model: &Model<S>,
    masses: &Masses,
    state: &State<S>,
    before: &[f64],
    loads: &mut [f64],
    over: Interval,
) -> Vec<S::Vector> {
    let Some(sea) = &model.sea else { return Vec::new() };
    let mut shifts = Vec::with_capacity(masses.body.len());
    let mut held = vec![[0.0; 2]; masses.body.len()];
    for contact in &state.contacts {
        for (body, sign) in [(contact.key.candidate, 1.0), (contact.key.antagonist, -1.0)] {
            if let Some(node) = masses.node.get(body as usize).copied().flatten() {
                held[node as usize][0] += sign * contact.force.get(0);
                held[node as usize][1] += sign * contact.force.get(1);
            }
        }
    }
    for (k, &body) in masses.body.iter().enumerate() {
        let mass = model.bodies[body].mass;
        let (v, load) = (&before[k * S::DOFS..][..3], &mut loads[k * S::DOFS..][..3]);
        let other: [f64; 3] = std::array::from_fn(|i| {
            let own = if i < 2 { held[k][i] + mass * model.gravity.get(i) } else { 0.0 };
            load[i] / over.h + own
        });
        let (impulse, shift) = impulse(sea, model, masses, k, state, [v[0], v[1], v[2]], other, over);
        load.iter_mut().zip(impulse).for_each(|(load, more)| *load += more);
        shifts.push(S::Vector::from_slice(&[shift.x, shift.y, 0.0]));
    }
    shifts
}

/// Free bodies that have left the sea at open edges.
pub(crate) fn lost<S: Space>(model: &Model<S>, state: &State<S>) -> Vec<usize> {
    let Some(domain) = model.sea.as_ref().and_then(|sea| sea.domain) else { return Vec::new() };
    let place = |body: usize| {
        let position = state.poses[body].position;
        DVec2::new(position.get(0), position.get(1))
    };
    (0..state.poses.len()).filter(|&body| state.is_free(model, body) && domain.loses(place(body))).collect()
}

/// Impulse of the environment on one node, and its shift.
#[allow(clippy::too_many_arguments)]
fn impulse<S: Space>(
    sea: &Sea,
    model: &Model<S>,
    masses: &Masses,
    node: usize,
    state: &State<S>,
    v: [f64; 3],
    other: [f64; 3],
    over: Interval,
) -> ([f64; 3], DVec2) {
    let body = &model.bodies[masses.body[node]];
    let block = masses.mass_of::<S>(node);
    let floe = Floe {
        mass: block[0],
        inertia: block[S::DOFS * S::DOFS - 1],
        rule: &masses.rules[node],
        stress: sea.stress[body.material],
    };
    let pose = &state.poses[masses.body[node]];
    let position = DVec2::new(pose.position.get(0), pose.position.get(1));
    let [_, _, z, w] = S::rotation_to_quaternion(pose.rotation);
    let drift = sea.drift(&floe, (position, 2.0 * z.atan2(w)), v, other, (over.start, over.h));
    let inertia = [floe.mass, floe.mass, floe.inertia];
    (std::array::from_fn(|i| inertia[i] * (drift.velocity[i] - v[i]) - over.h * other[i]), drift.shift)
}
