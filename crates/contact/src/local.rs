//! The local form: u = W r + q with W = J M⁻¹ Jᵀ assembled by contact blocks.

use crate::problem::{Problem, blocks, dot, times_inverse};

/// A frictional contact problem in local form. W is stored as sparse rows of `dim × dim` blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalProblem {
    /// Components per contact.
    pub dim: usize,
    /// First block of each block row (contacts + 1).
    pub first: Vec<usize>,
    /// Column (contact) of each block, increasing in a row.
    pub column: Vec<u32>,
    /// Blocks, row-major (blocks × dim × dim).
    pub w: Vec<f64>,
    /// Relative velocity without impulses (contacts × dim).
    pub q: Vec<f64>,
    /// μ (contacts)
    pub friction: Vec<f64>,
}

impl LocalProblem {
    /// Condenses a global problem. Compliance is added to the diagonal of W.
    pub fn from_global(problem: &Problem) -> Self {
        match problem.dim() {
            2 => Self::condense::<2, 3>(problem),
            _ => Self::condense::<3, 6>(problem),
        }
    }

    fn condense<const D: usize, const B: usize>(p: &Problem) -> Self {
        let (jac, inverse) = (blocks::<D, B>(&p.jacobian), blocks::<B, B>(&p.inverse_mass));
        // entries by node, to find the contacts that share a body
        let mut at_node: Vec<Vec<(u32, usize)>> = vec![Vec::new(); p.nodes()];
        for i in 0..p.contacts() {
            for e in p.first[i]..p.first[i + 1] {
                at_node[p.node[e] as usize].push((i as u32, e));
            }
        }
        let mut local = Self {
            dim: D,
            first: vec![0],
            column: Vec::new(),
            w: Vec::new(),
            q: p.free_relative_velocity(),
            friction: p.friction.clone(),
        };
        for i in 0..p.contacts() {
            let mut row: Vec<(u32, [[f64; D]; D])> = Vec::new();
            for e in p.first[i]..p.first[i + 1] {
                let lifted = times_inverse::<D, B>(&jac[e], &inverse[p.node[e] as usize]);
                for &(j, f) in &at_node[p.node[e] as usize] {
                    row.push((j, std::array::from_fn(|a| std::array::from_fn(|b| dot(&lifted[a], &jac[f][b])))));
                }
            }
            row.sort_by_key(|(j, _)| *j);
            for (j, block) in row {
                let repeated = local.column.len() > local.first[i] && local.column.last() == Some(&j);
                if !repeated {
                    local.column.push(j);
                    local.w.resize(local.w.len() + D * D, 0.0);
                }
                let start = local.w.len() - D * D;
                for (w, x) in local.w[start..].iter_mut().zip(block.iter().flatten()) {
                    *w += x;
                }
                if !repeated && j as usize == i {
                    for k in 0..D {
                        local.w[start + k * D + k] += p.compliance[i * D + k];
                    }
                }
            }
            local.first.push(local.column.len());
        }
        local
    }

    /// u = W r + q.
    pub fn relative_velocity(&self, r: &[f64]) -> Vec<f64> {
        let d = self.dim;
        let mut u = self.q.clone();
        for i in 0..self.friction.len() {
            for k in self.first[i]..self.first[i + 1] {
                let r = &r[self.column[k] as usize * d..][..d];
                for a in 0..d {
                    u[i * d + a] += self.w[(k * d + a) * d..][..d].iter().zip(r).map(|(w, r)| w * r).sum::<f64>();
                }
            }
        }
        u
    }
}
