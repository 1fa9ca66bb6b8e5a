//! Sparse factorisations of K = M + Jᵀ G J, with one `dim × dim` block of G per contact.
//!
//! The pattern of K is the graph of nodes that share a contact; it is ordered once (approximate minimum degree on
//! the graph of nodes, not of scalars) and kept as long as the graph does not change.
//!
//! * [`cholesky`]: symmetric positive definite K, LLᵀ.
//! * [`multifrontal`]: unsymmetric values on the symmetric pattern, LU with pivoting inside the fronts.
//!
//! Both are multifrontal (`fronts`), use faer's dense kernels and are bit-identical for any number of threads. faer's own
//! sparse factorisations do not guarantee this in parallel, so they are not used.

pub mod cholesky;
mod fronts;
pub mod multifrontal;
pub mod pattern;
mod supernodes;

pub use cholesky::Cholesky;
pub use multifrontal::Multifrontal;
pub use pattern::{Matrix, Pattern};
pub use voussoir_dense::Singular;

use crate::problem::Problem;

/// Pattern, symbolic factors and values that outlive one solve. Never changes results, only saves work.
#[derive(Debug, Default)]
pub struct Workspace {
    pattern: Option<Pattern>,
    cholesky: Option<Cholesky>,
    multifrontal: Option<Multifrontal>,
    matrix: Matrix,
    symmetric: bool,
}

impl Workspace {
    /// Makes sure that the pattern fits the problem.
    pub fn prepare(&mut self, problem: &Problem) {
        if !self.pattern.as_ref().is_some_and(|p| p.fits(problem)) {
            *self = Self { pattern: Some(Pattern::new(problem)), ..Self::default() };
        }
    }

    /// Assembles and factorises K = M + Jᵀ G J: Cholesky when G is symmetric, LU otherwise.
    pub fn factorise(&mut self, problem: &Problem, g: &[f64], symmetric: bool) -> Result<(), Singular> {
        self.prepare(problem);
        let pattern = self.pattern.as_ref().ok_or(Singular)?;
        self.matrix.assemble(problem, pattern, g, symmetric);
        self.symmetric = symmetric;
        if symmetric {
            self.cholesky.get_or_insert_with(|| Cholesky::new(pattern)).factorise(&self.matrix)
        } else {
            self.multifrontal.get_or_insert_with(|| Multifrontal::new(pattern)).factorise(&self.matrix)
        }
    }

    /// Solves K x = rhs in place with the last factorisation.
    pub fn solve(&self, x: &mut [f64]) {
        match (&self.cholesky, &self.multifrontal) {
            (Some(factor), _) if self.symmetric => factor.solve(x),
            (_, Some(factor)) if !self.symmetric => factor.solve(x),
            _ => {}
        }
    }
}
