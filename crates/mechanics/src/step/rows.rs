//! Rows of the contact problem besides contacts: bonds and cables, with their own Jacobians.
//!
//! The unknown of a row is r = R + s, R being the impulse that acts on the bodies and s a known shift: the problem with
//! the free velocity v* − M⁻¹Jᵀs has r in Coulomb's cone where R is in the cone with its tip at −s.

use voussoir_contact::Problem;
use voussoir_geometry::Space;

use super::masses::{Masses, add_product};

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
    pub fn add_shift<S: Space>(&self, masses: &Masses, free: &mut [f64]) {
        if self.shift == 0.0 {
            return;
        }
        for (node, block) in &self.entries {
            let momentum: Vec<f64> = block[..S::DOFS].iter().map(|j| -self.shift * j).collect();
            let node = *node as usize;
            add_product(masses.inverse_of::<S>(node), &momentum, &mut free[node * S::DOFS..][..S::DOFS]);
        }
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
    pub fn mobility<S: Space>(&self, masses: &Masses) -> f64 {
        let mut sum = 0.0;
        for (node, block) in &self.entries {
            for row in block.chunks_exact(S::DOFS) {
                let mut moved = [0.0; 6];
                add_product(masses.inverse_of::<S>(*node as usize), row, &mut moved[..S::DOFS]);
                sum += row.iter().zip(moved).map(|(j, m)| j * m).sum::<f64>();
            }
        }
        sum / S::DIM as f64
    }
}
