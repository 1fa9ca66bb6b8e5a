//! The interface between solvers and problems of either form: u = W r + q, and the contact law between u + E r and r.

use crate::cone::{project, tangential_length};
use crate::linear::{Singular, Workspace};
use crate::problem::Problem;
use crate::residual::{Residual, Scale, residual};

/// The laws of all contacts.
#[derive(Clone, Copy, Debug)]
pub struct Laws<'a> {
    /// Components per contact.
    pub dim: usize,
    /// μ (contacts)
    pub friction: &'a [f64],
    /// Diagonal of E (contacts × dim).
    pub compliance: &'a [f64],
    /// Least normal impulse (contacts).
    pub floor: &'a [f64],
    /// Associated (dilatant) friction in place of Coulomb's.
    pub associated: bool,
}

impl Laws<'_> {
    /// Projects impulses (contacts × dim) on their cones.
    pub fn project(&self, r: &[f64]) -> Vec<f64> {
        match self.dim {
            2 => self.project_each::<2>(r),
            _ => self.project_each::<3>(r),
        }
    }

    fn project_each<const D: usize>(&self, r: &[f64]) -> Vec<f64> {
        let laws = self.friction.iter().zip(self.floor);
        let one = |(r, (&mu, &floor)): (&[f64; D], (&f64, &f64))| {
            // at the floor friction has a fixed bound: the nearest impulse with the same normal part
            if floor > 0.0 {
                let (n, t) = (r[0].max(floor), tangential_length(r));
                let ratio = if t > mu * n { mu * n / t } else { 1.0 };
                return std::array::from_fn(|k| if k == 0 { n } else { ratio * r[k] });
            }
            project(*r, mu)
        };
        r.as_chunks::<D>().0.iter().zip(laws).flat_map(one).collect()
    }
}

/// Order in which Gauss–Seidel visits contacts: group after group. If `independent` is true, the contacts of a group
/// share no body and may be solved in parallel.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    /// Contacts by group.
    pub groups: &'a [Vec<u32>],
    /// True if no two contacts of a group share a body.
    pub independent: bool,
    /// Over-relaxation ω of each new impulse.
    pub relaxation: f64,
}

/// The Delassus operator W = J M⁻¹ Jᵀ of a problem, with what solvers do with it.
pub trait Delassus {
    /// The laws of the contacts.
    fn laws(&self) -> Laws<'_>;
    /// q: relative velocities without impulses (contacts × dim).
    fn free(&self) -> &[f64];
    /// Diagonal blocks of W without E (contacts × dim × dim).
    fn diagonal(&self) -> &[f64];
    /// The units in which residuals are measured.
    fn scale(&self) -> &Scale;
    /// u = W r + q.
    fn relative(&self, r: &[f64], u: &mut Vec<f64>);
    /// Prepares [`Delassus::respond`] for one block G per contact (contacts × dim × dim); `symmetric` says that all
    /// of them are.
    fn factorise(&mut self, g: &[f64], symmetric: bool) -> Result<(), Singular>;
    /// Solves dr = b − G du, du = W dr with the last factorisation.
    fn respond(&mut self, b: &[f64], dr: &mut Vec<f64>, du: &mut Vec<f64>);
    /// Groups of contacts that share no body: greedy colouring in the order of the contacts.
    fn colours(&self) -> Vec<Vec<u32>>;
    /// One Gauss–Seidel sweep on `r`.
    fn sweep(&mut self, sweep: Sweep<'_>, r: &mut [f64]);
    /// The global form behind this operator, if there is one.
    fn global(&mut self) -> Option<(&Problem, &mut Workspace)>;

    /// Number of contacts.
    fn contacts(&self) -> usize {
        self.laws().friction.len()
    }

    /// Residual of the contact law for the impulses r.
    fn measure(&self, r: &[f64]) -> Residual {
        let mut u = Vec::new();
        self.relative(r, &mut u);
        residual(&self.laws(), self.scale(), &u, r)
    }
}
