//! Block Gauss–Seidel (NLGS), the Jean–Moreau standard: contact after contact, each solved exactly.
//!
//! For every contact i: q_i = u_i − W_ii r_i, solve the one-contact problem, r_i ← r_i + ω (new − r_i), update the
//! velocities of neighbouring contacts. Book: docs/method-solvers.md.
//!
//! | option | meaning, nominal range |
//! |---|---|
//! | `order` | forward; symmetric (forwards and backwards in turn, default); shuffled (seeded, new in every sweep); coloured |
//! | `relaxation` | ω, 0.5 … 1.5 (default 1), no unit |
//! | `stop` | residual (default); change: change of the impulses per sweep, the criterion of other programs, for comparison |
//!
//! In coloured order the contacts of one colour share no body: they are solved in parallel, bit-identical for any
//! number of threads.
//!
//! Requirements: none (μ = 0, floors, compliance, the associated law and unsymmetric W are fine). Slow for tall
//! masonry: the number of sweeps grows with the square of the number of courses. Reference: Jean, Comput. Methods
//! Appl. Mech. Eng. 177 (1999).

use serde::{Deserialize, Serialize};

use crate::budget::Budget;
use crate::delassus::{Delassus, Sweep};
use crate::report::{SolveReport, SolverKind, Status};

/// Sweeps between two measurements of the residual.
const CHECK_EVERY: usize = 10;

/// In which order contacts are visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As they are numbered.
    Forward,
    /// Forwards and backwards in turn, so that no direction is preferred.
    #[default]
    Symmetric,
    /// A new random order in every sweep, from this seed.
    Shuffled(u64),
    /// By colours of the contact graph, in parallel.
    Coloured,
}

/// When to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Stop {
    /// When the residual of the law meets the tolerance.
    #[default]
    Residual,
    /// When a sweep changes the impulses little, the rule «QM/16» of LMGC90: with w the diagonal of W, the quadratic
    /// mean of w Δr over the contacts with an impulse, and a sixteenth of its largest value, are below `share` of the
    /// quadratic mean of w r. It is a measure of the progress per sweep, not of the error; the error is the residual in
    /// the report.
    Change {
        /// No unit. Nominal value 1.666e-4.
        share: f64,
        /// Sweeps between two evaluations of this criterion.
        every: usize,
    },
}

/// How to sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweeping {
    /// Order of the contacts.
    pub order: Order,
    /// Over-relaxation ω. Nominal range 0.5 … 1.5.
    pub relaxation: f64,
    /// When to stop.
    pub stop: Stop,
}

impl Default for Sweeping {
    fn default() -> Self {
        Self { order: Order::default(), relaxation: 1.0, stop: Stop::default() }
    }
}

/// Runs sweeps on `impulses` until the residual is below the tolerance or the budget is spent.
pub fn solve(system: &mut dyn Delassus, impulses: &mut [f64], budget: &Budget, sweeping: Sweeping) -> SolveReport {
    let contacts = system.contacts() as u32;
    let mut groups: Vec<Vec<u32>> = match sweeping.order {
        Order::Coloured => system.colours(),
        _ => vec![(0..contacts).collect()],
    };
    let mut random = match sweeping.order {
        Order::Shuffled(seed) => seed,
        _ => 0,
    };
    let mut sweeps = 0;
    let mut settled = false;
    let every = match sweeping.stop {
        Stop::Residual => CHECK_EVERY,
        Stop::Change { every, .. } => every.max(1),
    };
    loop {
        let error = system.measure(impulses);
        let converged = settled || error.value <= budget.tolerance;
        if converged || sweeps >= budget.most || budget.is_over() {
            return SolveReport {
                status: if converged { Status::Converged } else { Status::IterationLimit },
                solver: SolverKind::Nlgs,
                iterations: sweeps,
                factorisations: 0,
                residual: error.value,
                worst_contact: error.worst_contact,
            };
        }
        let mut before = Vec::new();
        for _ in 0..every.min(budget.most - sweeps) {
            if sweeping.stop != Stop::Residual {
                impulses.clone_into(&mut before);
            }
            let (independent, relaxation) = (sweeping.order == Order::Coloured, sweeping.relaxation);
            system.sweep(Sweep { groups: &groups, independent, relaxation }, impulses);
            match sweeping.order {
                Order::Forward => {}
                Order::Symmetric | Order::Coloured => {
                    groups.reverse();
                    groups.iter_mut().for_each(|group| group.reverse());
                }
                Order::Shuffled(_) => shuffle(&mut groups[0], &mut random),
            }
            sweeps += 1;
        }
        if let Stop::Change { share, .. } = sweeping.stop {
            settled = change(system, &before, impulses) <= share;
        }
    }
}

/// How much the last sweep changed: the larger of the quadratic mean and a sixteenth of the largest w Δr, over the
/// quadratic mean of w r.
fn change(system: &dyn Delassus, before: &[f64], after: &[f64]) -> f64 {
    let dim = system.laws().dim;
    let diagonal = system.diagonal();
    let (mut sum, mut most, mut level, mut carrying) = (0.0, 0.0f64, 0.0, 0.0f64);
    for (i, (old, new)) in before.chunks_exact(dim).zip(after.chunks_exact(dim)).enumerate() {
        let w = |k: usize| diagonal[i * dim * dim + k * (dim + 1)];
        let square = |x: &dyn Fn(usize) -> f64| (0..dim).map(|k| (w(k) * x(k)).powi(2)).sum::<f64>();
        let moved = square(&|k| new[k] - old[k]);
        sum += moved;
        most = most.max(moved);
        level += square(&|k| new[k]);
        carrying += f64::from(u8::from(old[0] > 0.0 || new[0] > 0.0));
    }
    let mean = (level / carrying.max(1.0)).sqrt().max(f64::MIN_POSITIVE);
    (sum / carrying.max(1.0)).sqrt().max(most.sqrt() / 16.0) / mean
}

/// Fisher and Yates, with splitmix64 for the random numbers.
fn shuffle(order: &mut [u32], state: &mut u64) {
    for k in (1..order.len()).rev() {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        order.swap(k, ((z ^ (z >> 31)) % (k as u64 + 1)) as usize);
    }
}
