//! The local form: u = W r + q with W = J M⁻¹ Jᵀ assembled by contact blocks.

use crate::capability::Requirements;
use crate::delassus::Laws;
use crate::problem::{Problem, blocks, dot};

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
    /// Diagonal of E (contacts × dim).
    pub compliance: Vec<f64>,
    /// Least normal impulse (contacts).
    pub floor: Vec<f64>,
    /// Associated (dilatant) friction in place of Coulomb's.
    pub associated: bool,
}

impl LocalProblem {
    /// A rigid problem with Coulomb friction from the block rows of W (`first`, `column`, `w`), q and μ. Columns of a
    /// row must increase and the diagonal block must be there.
    pub fn new(dim: usize, first: Vec<usize>, column: Vec<u32>, w: Vec<f64>, q: Vec<f64>, friction: Vec<f64>) -> Self {
        let (compliance, floor) = (vec![0.0; q.len()], vec![0.0; friction.len()]);
        Self { dim, first, column, w, q, friction, compliance, floor, associated: false }
    }

    // as in `Problem`: both forms store the laws in the same fields
    /// The laws of all contacts.
    pub fn laws(&self) -> Laws<'_> {
        Laws {
            dim: self.dim,
            friction: &self.friction,
            compliance: &self.compliance,
            floor: &self.floor,
            associated: self.associated,
        }
    }

    /// What the problem requires of its solver.
    pub fn requirements(&self) -> Requirements {
        Requirements::of(&self.laws(), true)
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.friction.len()
    }

    /// Condenses a global problem.
    pub fn from_global(problem: &Problem) -> Self {
        match problem.dim() {
            2 => Self::condense::<2, 3>(problem),
            _ => Self::condense::<3, 6>(problem),
        }
    }

    fn condense<const D: usize, const B: usize>(p: &Problem) -> Self {
        let jac = blocks::<D, B>(&p.jacobian);
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
            compliance: p.compliance.clone(),
            floor: p.floor.clone(),
            associated: p.associated,
        };
        for i in 0..p.contacts() {
            let mut row: Vec<(u32, [[f64; D]; D])> = Vec::new();
            for (cell, lifted) in p.lifted::<D, B>(i) {
                for &(j, f) in &at_node[cell as usize] {
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
            }
            local.first.push(local.column.len());
        }
        local
    }

    /// u = W r + q.
    pub fn relative_velocity(&self, r: &[f64]) -> Vec<f64> {
        let mut u = self.q.clone();
        match self.dim {
            2 => self.add_product::<2>(r, &mut u),
            _ => self.add_product::<3>(r, &mut u),
        }
        u
    }

    /// u += W r.
    pub(crate) fn add_product<const D: usize>(&self, r: &[f64], u: &mut [f64]) {
        let r = r.as_chunks::<D>().0;
        for (i, u) in u.as_chunks_mut::<D>().0.iter_mut().enumerate() {
            self.add_row::<D>(i, r, u);
        }
    }

    /// u += Σ_j W_ij r_j.
    pub(crate) fn add_row<const D: usize>(&self, i: usize, r: &[[f64; D]], u: &mut [f64; D]) {
        let row = self.first[i]..self.first[i + 1];
        for (&j, w) in self.column[row.clone()].iter().zip(&blocks::<D, D>(&self.w)[row]) {
            let r = &r[j as usize];
            for (u, w) in u.iter_mut().zip(w) {
                *u += dot(w, r);
            }
        }
    }

    /// Diagonal blocks of W (contacts × dim × dim); zeros where one is missing.
    pub fn diagonal(&self) -> Vec<f64> {
        let size = self.dim * self.dim;
        let mut out = vec![0.0; self.contacts() * size];
        for (i, block) in out.chunks_exact_mut(size).enumerate() {
            let row = &self.column[self.first[i]..self.first[i + 1]];
            if let Ok(k) = row.binary_search(&(i as u32)) {
                block.copy_from_slice(&self.w[(self.first[i] + k) * size..][..size]);
            }
        }
        out
    }
}
