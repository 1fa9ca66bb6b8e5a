//! Rows of the contact problem besides contacts: bonds and cables, with their own Jacobians.
//!
//! The unknown of a row is r = R + s, R being the impulse that acts on the bodies and s a known shift: the problem with
//! the free velocity v* − M⁻¹Jᵀs has r in Coulomb's cone where R is in the cone with its tip at −s.

use voussoir_contact::Problem;
use voussoir_geometry::Space;

use super::masses::{Masses, add_product, dot};
use crate::elastic::flex::Flexed;

/// One row block of the problem, in its own frame.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Nodes and Jacobian blocks (dim × dofs).
    pub entries: Vec<(u32, Vec<f64>)>,
    /// b [m/s].
    pub bias: [f64; 3],
    /// Diagonal of E [m/s per N·s].
    pub compliance: [f64; 3],
    /// μ of the cone.
    pub friction: f64,
    /// s, along the normal [N·s].
    pub shift: f64,
}

impl Row {
    /// Adds the row to a problem.
    pub fn push<S: Space>(&self, problem: &mut Problem) {
        let entries: Vec<(u32, &[f64])> = self.entries.iter().map(|(node, block)| (*node, block.as_slice())).collect();
        // the law is between u + E R + b and R
        let mut bias = self.bias;
        bias[0] -= self.compliance[0] * self.shift;
        let k = problem.push_contact(&entries, &bias[..S::DIM], self.friction);
        problem.set_compliance(k, &self.compliance[..S::DIM]);
    }

    /// v* −= M⁻¹Jᵀs (nodes × dofs).
    pub fn add_shift<S: Space>(&self, masses: &Masses, flexed: Option<&Flexed>, free: &mut [f64]) {
        if self.shift == 0.0 {
            return;
        }
        for Lifted { first, moved, .. } in self.lifted::<S>(0, masses, flexed) {
            free[first..].iter_mut().zip(moved).for_each(|(v, m)| *v -= self.shift * m);
        }
    }

    /// Row `i` by nodes, and M⁻¹ times it.
    pub fn lifted<S: Space>(&self, i: usize, masses: &Masses, flexed: Option<&Flexed>) -> Vec<Lifted> {
        let mut all: Vec<Lifted> = Vec::new();
        for (node, block) in &self.entries {
            let (row, at) = (&block[i * S::DOFS..][..S::DOFS], *node as usize * S::DOFS);
            let Some(own) = flexed.and_then(|flexed| flexed.node_of(at)) else {
                let mut moved = vec![0.0; S::DOFS];
                add_product(masses.inverse_of::<S>(*node as usize), row, &mut moved);
                all.push(Lifted { first: at, row: row.to_vec(), moved });
                continue;
            };
            let place = all.iter().position(|lifted| lifted.first == own.first).unwrap_or_else(|| {
                let size = own.condensed.size().div_ceil(S::DOFS) * S::DOFS;
                all.push(Lifted { first: own.first, row: vec![0.0; size], moved: Vec::new() });
                all.len() - 1
            });
            all[place].row[at - own.first..].iter_mut().zip(row).for_each(|(sum, part)| *sum += part);
        }
        for lifted in all.iter_mut().filter(|lifted| lifted.moved.is_empty()) {
            let Some(own) = flexed.and_then(|flexed| flexed.node_of(lifted.first)) else { continue };
            lifted.moved = lifted.row[..own.condensed.size()].to_vec();
            own.condensed.mass.solve(&mut lifted.moved);
        }
        all
    }

    /// J v (dim), without bias.
    pub fn relative<S: Space>(&self, velocities: &[f64]) -> [f64; 3] {
        let mut u = [0.0; 3];
        for (node, block) in &self.entries {
            let v = &velocities[*node as usize * S::DOFS..][..S::DOFS];
            for (u, row) in u.iter_mut().zip(block.chunks_exact(S::DOFS)) {
                *u += row.iter().zip(v).map(|(j, v)| j * v).sum::<f64>();
            }
        }
        u
    }

    /// Mean of the diagonal of J M⁻¹ Jᵀ.
    pub fn mobility<S: Space>(&self, masses: &Masses, flexed: Option<&Flexed>) -> f64 {
        let rows = (0..S::DIM).flat_map(|i| self.lifted::<S>(i, masses, flexed));
        rows.map(|lifted| dot(&lifted.row, &lifted.moved)).sum::<f64>() / S::DIM as f64
    }
}

/// One row on one node.
#[derive(Clone, Debug)]
pub(crate) struct Lifted {
    /// First velocity of the node (nodes × dofs).
    pub first: usize,
    /// J.
    pub row: Vec<f64>,
    /// M⁻¹ Jᵀ.
    pub moved: Vec<f64>,
}
