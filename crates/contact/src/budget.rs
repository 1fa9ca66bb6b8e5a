//! Limits on the work of a solver: tolerance, iterations, factorisations.

use std::time::Instant;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Tolerance on the unit-free residual. Nominal range 1e-12 … 1e-4.
    pub tolerance: f64,
    /// Residual at which a solver may end if it makes no progress towards the tolerance; at least the tolerance.
    pub accepted: f64,
    /// Sweeps, iterations or factorisations, whichever the solver counts.
    pub most: usize,
    /// Deadline; exceeded by at most one iteration.
    pub deadline: Option<Instant>,
}

impl Budget {
    /// The same with another number of iterations.
    pub fn most(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// True when time is up.
    pub fn is_over(&self) -> bool {
        self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}
