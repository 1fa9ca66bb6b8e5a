//! Elastic blocks at the end of a step: velocities, displacements, energies.

use voussoir_geometry::{Space, Vector};

use super::flex::{ElasticSide, Flexed, Flexing};
use crate::state::{EnergyLedger, State};
use crate::step::Walk;
use crate::step::bonded::Held;
use crate::step::law::Contact;
use crate::step::masses::dot;
use crate::step::solve::Solved;

/// Moves the elastic blocks of a state to the end of the step, and books their energies.
///
/// Stored: ½qᵀKq. Damping: h pᵀCp at p = θp⁺ + (1−θ)p⁻. The rest of the work of loads and contacts on the elastic part is
/// numerical dissipation: zero for θ = ½ without rotation; the work of the forces of rotation is part of it, and cancels with
/// that of the change of spin to first order.
pub(crate) fn settle_elastic<S: Space>(
    walk: &Walk<S>,
    solved: &Solved,
    held: &[Held<S>],
    pulls: &[(ElasticSide, S::Vector)],
    state: &mut State<S>,
) {
    let Some(flexed) = &walk.prediction.flexed else { return };
    let over = walk.over;
    let impulses = impulses(walk, flexed, solved, held, pulls);
    let mut pushes: Vec<Option<Vec<f64>>> = vec![None; flexed.bodies.len()];
    for (node, impulses) in flexed.nodes.iter().zip(&impulses) {
        let Some(part) = walk.model.elastic_part(node.body) else { continue };
        pushes[node.flexing] = Some(part.block.scatter(&node.condensed.weights, impulses));
    }
    for (flexing, push) in flexed.bodies.iter().zip(pushes) {
        let Some(part) = walk.model.elastic_part(flexing.body) else { continue };
        let memory = &mut state.elastic[flexing.body];
        let Flexing { before, free, loads, operator, .. } = flexing;
        let mut after = free.clone();
        if let Some(push) = &push {
            after.iter_mut().zip(operator.elastic(push)).for_each(|(v, change)| *v += change);
        }
        let start = [part.block.elastic_energy(&memory.displacement), part.block.kinetic_energy(before)];
        let mean: Vec<f64> = before.iter().zip(&after).map(|(p, a)| over.theta * a + (1.0 - over.theta) * p).collect();
        memory.displacement.iter_mut().zip(&mean).for_each(|(q, p)| *q += over.h * p);
        memory.velocity = after;
        part.block.take_rigid_part(&mut memory.displacement);
        part.block.take_rigid_part(&mut memory.velocity);
        let end = [part.block.elastic_energy(&memory.displacement), part.block.kinetic_energy(&memory.velocity)];
        let middle: Vec<f64> = before.iter().zip(&memory.velocity).map(|(p, a)| 0.5 * (p + a)).collect();
        let work = over.h * dot(loads, &middle);
        let pushed = push.map_or(0.0, |push| dot(&push, &middle));
        let damped = over.h * part.block.damping_power(&mean);
        let EnergyLedger { loads, elastic, damping, numerical, .. } = &mut state.ledger;
        *loads += work;
        *elastic += end[0] - start[0];
        *damping += damped;
        *numerical += work + pushed - damped - (end[0] - start[0]) - (end[1] - start[1]);
    }
    // contacts and loads do no work on the change of spin
    let turned = |flexing: &Flexing| {
        let node = walk.masses.node[flexing.body].unwrap_or_default() as usize;
        let own = node * S::DOFS..(node + 1) * S::DOFS;
        let (before, after) = (&walk.prediction.before[own.clone()], &solved.velocities[own]);
        let momentum: Vec<f64> =
            walk.masses.mass_of::<S>(node).chunks_exact(S::DOFS).map(|row| dot(row, &flexing.spin_change)).collect();
        momentum.iter().zip(before).zip(after).map(|((m, b), a)| 0.5 * m * (b + a)).sum::<f64>()
    };
    state.ledger.numerical -= flexed.bodies.iter().map(turned).fold(0.0, |sum, part| sum + part);
}

/// Impulses on the coordinates of each node, body axes [N·s]: contacts, bonds, and `pulls` of cables.
fn impulses<S: Space>(
    walk: &Walk<S>,
    flexed: &Flexed,
    solved: &Solved,
    held: &[Held<S>],
    pulls: &[(ElasticSide, S::Vector)],
) -> Vec<Vec<f64>> {
    let mut impulses: Vec<Vec<f64>> =
        flexed.nodes.iter().map(|node| vec![0.0; node.condensed.weights.len() * S::DIM]).collect();
    let mut add = |side: ElasticSide, force: S::Vector| {
        let body = flexed.nodes[side.node as usize].body;
        let own = S::unrotate(walk.prediction.poses[body].rotation, force);
        let at = side.coordinate as usize * S::DIM;
        (0..S::DIM).for_each(|c| impulses[side.node as usize][at + c] += own.get(c));
    };
    let mut both = |contact: &Contact<S>, force: S::Vector| {
        for (side, sign) in contact.elastic.into_iter().zip([1.0, -1.0]) {
            if let Some(side) = side {
                add(side, force * sign);
            }
        }
    };
    for ((active, r), frame) in
        walk.laws.active.iter().zip(solved.impulses.chunks_exact(S::DIM)).zip(walk.laws.frames.chunks_exact(S::DIM))
    {
        both(&walk.contacts[active.contact], frame.iter().zip(r).fold(S::zero(), |sum, (d, r)| sum + *d * *r));
    }
    walk.bonds.iter().zip(held).for_each(|(bond, held)| both(&bond.contact, held.impulse));
    pulls.iter().for_each(|(side, pull)| add(*side, *pull));
    impulses
}
