//! Block Gauss–Seidel (NLGS), the Jean–Moreau standard: contact after contact, each solved exactly.
//!
//! For every contact i: q_i = u_i − W_ii r_i, solve the one-contact problem, v += M⁻¹ J_iᵀ Δr_i. W is never assembled.
//! Sweeps run forwards and backwards in turn, so that no direction is preferred. METHODS §4.
//!
//! Requirements: none (μ = 0, floors and compliance are fine). Slow for tall masonry: the number of sweeps grows with
//! the square of the number of courses. Reference: Jean, Comput. Methods Appl. Mech. Eng. 177 (1999).

use crate::one_contact::OneContact;
use crate::problem::{Problem, blocks, times_inverse};
use crate::report::{SolveReport, SolverKind, Status};
use crate::residual::{Scale, residual};

/// Sweeps between two measurements of the residual.
const CHECK_EVERY: usize = 10;

/// Runs sweeps on `impulses` until the residual is below `tolerance` or `max_sweeps` are done.
pub fn solve(
    problem: &Problem,
    scale: &Scale,
    diagonal: &[f64],
    impulses: &mut [f64],
    tolerance: f64,
    max_sweeps: usize,
) -> SolveReport {
    match problem.dim() {
        2 => run::<2, 3>(problem, scale, diagonal, impulses, tolerance, max_sweeps),
        _ => run::<3, 6>(problem, scale, diagonal, impulses, tolerance, max_sweeps),
    }
}

fn run<const D: usize, const B: usize>(
    problem: &Problem,
    scale: &Scale,
    diagonal: &[f64],
    impulses: &mut [f64],
    tolerance: f64,
    max_sweeps: usize,
) -> SolveReport {
    let jac = blocks::<D, B>(&problem.jacobian);
    let inverse = blocks::<B, B>(&problem.inverse_mass);
    // M⁻¹Jᵀ of every entry
    let lifted: Vec<[[f64; B]; D]> =
        jac.iter().zip(&problem.node).map(|(j, &n)| times_inverse(j, &inverse[n as usize])).collect();
    let mut w: Vec<[[f64; D]; D]> = blocks::<D, D>(diagonal).to_vec();
    for (w, e) in w.iter_mut().zip(problem.compliance.as_chunks::<D>().0) {
        for k in 0..D {
            w[k][k] += e[k];
        }
    }

    let (mut velocity, mut relative) = (Vec::new(), Vec::new());
    let mut sweeps = 0;
    loop {
        // measure on velocities computed afresh, so that no rounding accumulates
        problem.velocity(impulses, &mut velocity);
        problem.relative_velocity(&velocity, &mut relative);
        let error = residual(problem, scale, &relative, impulses);
        let converged = error.value <= tolerance;
        if converged || sweeps >= max_sweeps {
            return SolveReport {
                status: if converged { Status::Converged } else { Status::IterationLimit },
                solver: SolverKind::Nlgs,
                iterations: sweeps,
                factorisations: 0,
                residual: error.value,
                worst_contact: error.worst_contact,
            };
        }
        for _ in 0..CHECK_EVERY.min(max_sweeps - sweeps) {
            let (v, r) = (velocity.as_chunks_mut::<B>().0, impulses.as_chunks_mut::<D>().0);
            let count = r.len();
            for k in 0..count {
                let i = if sweeps.is_multiple_of(2) { k } else { count - 1 - k };
                let entries = problem.first[i]..problem.first[i + 1];
                // relative velocity without this contact's own impulse
                let mut q: [f64; D] = std::array::from_fn(|a| problem.bias[i * D + a]);
                for e in entries.clone() {
                    let v = &v[problem.node[e] as usize];
                    for a in 0..D {
                        q[a] += jac[e][a].iter().zip(v).map(|(x, y)| x * y).sum::<f64>();
                    }
                }
                for a in 0..D {
                    q[a] -= (0..D)
                        .map(|b| (w[i][a][b] - if a == b { problem.compliance[i * D + a] } else { 0.0 }) * r[i][b])
                        .sum::<f64>();
                }
                let new = OneContact { w: &w[i], q, friction: problem.friction[i], floor: problem.floor[i] }.solve();
                let change: [f64; D] = std::array::from_fn(|a| new[a] - r[i][a]);
                r[i] = new;
                for e in entries {
                    let v = &mut v[problem.node[e] as usize];
                    for (row, dr) in lifted[e].iter().zip(&change) {
                        for (v, m) in v.iter_mut().zip(row) {
                            *v += m * dr;
                        }
                    }
                }
            }
            sweeps += 1;
        }
    }
}
