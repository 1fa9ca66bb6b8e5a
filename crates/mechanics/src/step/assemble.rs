//! The contact problem of a step: masses, Jacobians, biases and compliances.

use voussoir_contact::{Entry, Problem};
use voussoir_geometry::{Space, Vector};

use super::faces::push_faces;
use super::law::{Contact, Laws};
use super::masses::{Masses, add_product};
use super::predict::{Interval, Prediction};

/// J M⁻¹ Jᵀ of a contact along its normal.
pub(crate) fn normal_mobility<S: Space>(masses: &Masses, prediction: &Prediction<S>, contact: &Contact<S>) -> f64 {
    let mut sum = 0.0;
    for body in [contact.key.candidate, contact.key.antagonist] {
        let Some(node) = masses.node[body as usize] else { continue };
        let pose = &prediction.poses[body as usize];
        let (mut row, mut moved) = ([0.0; 6], [0.0; 6]);
        let arm = contact.point.position - pose.position;
        S::jacobian_row(pose.rotation, arm, contact.point.normal, &mut row[..S::DOFS]);
        add_product(masses.inverse_of::<S>(node as usize), &row[..S::DOFS], &mut moved[..S::DOFS]);
        sum += row.iter().zip(moved).map(|(j, m)| j * m).sum::<f64>();
    }
    sum
}

/// The contact problem with the given free velocities (nodes × dofs).
pub(crate) fn assemble<S: Space>(
    masses: &Masses,
    prediction: &Prediction<S>,
    contacts: &[Contact<S>],
    laws: &Laws<S>,
    free: &[f64],
    over: Interval,
) -> Problem {
    // velocity of the bodies from the shifts of rows
    let mut free = free.to_vec();
    laws.rows.iter().for_each(|row| row.add_shift::<S>(masses, prediction.flexed.as_deref(), &mut free));
    let free = &free;
    let mut problem = Problem::new(S::DIM, S::DOFS);
    problem.set_associated(laws.associated);
    for (node, velocity) in free.chunks_exact(S::DOFS).take(masses.body.len()).enumerate() {
        problem.push_node(masses.mass_of::<S>(node), masses.inverse_of::<S>(node), velocity);
    }
    if let Some(flexed) = &prediction.flexed {
        flexed.push_nodes(&mut problem, free);
    }
    let size = S::DIM * S::DOFS;
    let mut blocks = [[0.0; 18]; 2];
    let mut bias = [0.0; 3];
    for (active, frame) in laws.active.iter().zip(laws.frames.chunks_exact(S::DIM)) {
        let contact = &contacts[active.contact];
        for (i, direction) in frame.iter().enumerate() {
            bias[i] = active.bias[i] - active.support[1].dot(*direction);
        }
        let mut nodes = [0; 2];
        let mut count = 0;
        for (body, sign) in [(contact.key.candidate, 1.0), (contact.key.antagonist, -1.0)] {
            let Some(node) = masses.node[body as usize] else { continue };
            let pose = &prediction.poses[body as usize];
            let arm = contact.point.position - pose.position;
            for (direction, row) in frame.iter().zip(blocks[count].chunks_exact_mut(S::DOFS)) {
                S::jacobian_row(pose.rotation, arm, *direction * sign, row);
            }
            nodes[count] = node;
            count += 1;
        }
        let entries = [(nodes[0], &blocks[0][..size]), (nodes[1], &blocks[1][..size])];
        let k = match &prediction.flexed {
            Some(flexed) if contact.elastic.iter().any(Option::is_some) => {
                let sides = contact.elastic.iter().zip([1.0, -1.0]);
                let elastic: Vec<(u32, usize, Vec<f64>)> = sides
                    .filter_map(|(side, sign)| Some(flexed.block(&prediction.poses, (*side)?, frame, sign)))
                    .collect();
                let rigid = entries[..count].iter().map(|&(node, block)| Entry { node, first: 0, block });
                let parts = elastic.iter().map(|(node, first, block)| Entry { node: *node, first: *first, block });
                let all: Vec<Entry<'_>> = rigid.chain(parts).collect();
                problem.push_contact_on_parts(&all, &bias[..S::DIM], active.friction)
            }
            _ => problem.push_contact(&entries[..count], &bias[..S::DIM], active.friction),
        };
        if let Some(spring) = active.spring() {
            problem.set_compliance(k, &spring.compliance(over)[..S::DIM]);
        } else if active.crush > 0.0 {
            problem.set_compliance(k, &[active.crush, 0.0, 0.0][..S::DIM]);
        }
    }
    for row in &laws.rows {
        row.push::<S>(&mut problem);
    }
    push_faces(&mut problem, contacts, laws);
    problem
}
