//! Projection of forces on equilibrium: the smallest change of nearly balanced forces that balances the loads.
//!
//! A contact solver for ten thousand blocks ends with forces well inside their cones and with an imbalance in the
//! seventh digit. The smallest change Δr with JᵀΔr = −(Jᵀr + f), weighted by the normal forces so that joints with
//! small forces change little, needs one factorisation and keeps the forces inside their cones.

use voussoir_geometry::{Space, Vector};

use crate::conic::normal::Normal;
use crate::equilibrium::{Capacity, Terms};
use crate::structure::Structure;

/// Rounds of correction; each gains several digits.
const MOST_ROUNDS: usize = 6;

/// Weight of a contact without force, relative to the mean normal force.
const LEAST_WEIGHT: f64 = 1e-6;

/// Balances the forces of the contacts with `dead` (nodes × dofs), to the relative `tolerance`.
pub(crate) fn polish<S: Space>(structure: &mut Structure<S>, dead: &[f64], tolerance: f64) {
    let capacity = Capacity::default();
    let posed = structure.pose(&Terms::new(dead, &capacity));
    let mut normal = Normal::new(&posed.program);
    let carried = structure.contacts.iter().map(|contact| contact.force.dot(contact.normal));
    let carried: Vec<f64> = carried.chain(structure.ties().map(|tie| tie.force)).collect();
    let mean = carried.iter().map(|n| n.abs()).sum::<f64>() / carried.len().max(1) as f64;
    if !(mean > 0.0 && mean.is_finite()) {
        return;
    }
    let stiff = |contact: usize| (carried[contact].max(LEAST_WEIGHT * mean) / mean).powi(-2);
    if normal.factorise(posed.diagonal(stiff)).is_err() {
        return;
    }
    let mut forces = posed.components(structure);
    for _ in 0..MOST_ROUNDS {
        let mut rest = posed.program.dead.clone();
        posed.program.add_forces(&forces, &mut rest);
        let size = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        if size(&rest) <= 0.01 * tolerance * size(&posed.program.dead) {
            break;
        }
        rest.iter_mut().for_each(|e| *e = -*e);
        let (change, _) = normal.solve(&vec![0.0; forces.len()], &rest);
        forces.iter_mut().zip(change).for_each(|(r, d)| *r += d);
    }
    structure.keep_forces(&posed.in_newtons(&forces));
}
