//! Work and dissipation of one step.
//!
//! Forces act along the mean of the velocities before and after, contacts as r·½(u⁺ + u⁻): then
//! ΔE_kin = W_gravity + W_loads + W_supports − friction − impact holds to rounding for θ = ½ (for θ > ½ the free
//! rotation of bodies loses a little more). "Before" is after the torque-free rotation, which changes no energy.

use voussoir_geometry::{Space, Vector};

use super::Walk;
use super::law::relative_velocity;
use super::masses::dot;
use super::solve::Solved;
use crate::state::EnergyLedger;

/// Books the step's energies.
pub(crate) fn book<S: Space>(walk: &Walk<S>, solved: &Solved, ledger: &mut EnergyLedger) {
    let Walk { model, masses, prediction, contacts, laws, over } = *walk;
    let mean: Vec<f64> = prediction.before.iter().zip(&solved.velocities).map(|(a, b)| 0.5 * (a + b)).collect();
    ledger.loads += dot(&prediction.loads, &mean);
    for (v, &body) in mean.chunks_exact(S::DOFS).zip(&masses.body) {
        ledger.gravity += model.bodies[body].mass * over.h * model.gravity.dot(S::unpack(v).0);
    }
    for (k, active) in laws.active.iter().enumerate() {
        let r = &solved.impulses[k * S::DIM..][..S::DIM];
        if r.iter().all(|&x| x == 0.0) {
            continue;
        }
        let frame = &laws.frames[k * S::DIM..][..S::DIM];
        let support = (active.support[0] + active.support[1]) * 0.5;
        let u = relative_velocity(masses, prediction, &contacts[active.contact], &mean, support);
        ledger.impact -= r[0] * u.dot(frame[0]);
        for (r, direction) in r[1..].iter().zip(&frame[1..]) {
            ledger.friction -= r * u.dot(*direction);
        }
        for (r, direction) in r.iter().zip(frame) {
            ledger.supports += r * support.dot(*direction);
        }
    }
}
