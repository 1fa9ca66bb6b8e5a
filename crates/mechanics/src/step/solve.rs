//! Solves the contact problem of a step: solvers in turn until one meets the tolerance, and Poisson's two phases.
//!
//! **Poisson.** Compression is the inelastic step, forces included: impulses r_c, velocities v_c. Expansion starts from
//! v_c and asks for rₙ ≥ ε r_i,ₙ, where r_i is the compression impulse of the impact alone (the same problem without
//! forces): a body that merely rests on another has r_i = 0 and does not bounce. If both phases together add energy to
//! the bodies, Σ r·½(u⁺ + u⁻) > 0, the expansion is replaced by s ε r_i with the largest s ≤ 1 that does not (for s = 1
//! and no forces: v = (1 + ε) v_c − ε v⁻).

use voussoir_contact::{Options, Problem, Solution, SolveReport, Solver, SolverKind, Status};
use voussoir_geometry::{Space, Vector};

use super::law::{Active, Laws};
use super::masses::dot;
use crate::model::DynamicSettings;

/// Solution of the contact problem of a step.
#[derive(Clone, Debug)]
pub(crate) struct Solved {
    /// Impulses over the step, all phases (active × dim) [N·s].
    pub impulses: Vec<f64>,
    /// New velocities (nodes × dofs).
    pub velocities: Vec<f64>,
    /// Impulses that balance the forces alone, a better start for the next step than `impulses`; `None`: `impulses`.
    pub balance: Option<Vec<f64>>,
    /// True when the impulses of the warm start were taken over.
    pub kept: bool,
    /// The worst report of the phases.
    pub report: SolveReport,
    /// Solves besides the first one of each phase.
    pub retries: u32,
}

impl Solved {
    /// True when every phase met the tolerance.
    pub fn converged(&self) -> bool {
        self.report.status == Status::Converged
    }
}

/// Effort for a solve that misses its tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Limited: the step can still be cut, which is cheaper than minutes of sweeps over a large problem.
    Moderate,
    /// All solvers.
    Utmost,
}

impl Effort {
    /// True if solvers of last resort are not tried.
    fn spares(self, problem: &Problem) -> bool {
        self == Self::Moderate && problem.contacts() > LARGE_PROBLEM
    }
}

/// Problems of more contacts are large.
const LARGE_PROBLEM: usize = 1_000;

/// The requested solver, then the others from the best impulses so far.
pub(crate) fn solve(
    solver: &mut Solver,
    settings: &DynamicSettings,
    problem: &Problem,
    warm: &[f64],
    effort: Effort,
) -> Solved {
    if problem.contacts() == 0 {
        return nothing_to_solve(problem, settings.solver);
    }
    solve_to(solver, settings, problem, warm, 1.0, effort)
}

/// A phase of an impact: its residual is measured against the free velocities of the whole step, `speed`, because its
/// own may be a rounding error.
fn solve_phase(solver: &mut Solver, settings: &DynamicSettings, problem: &Problem, warm: &[f64], speed: f64) -> Solved {
    let scale = free_speed(problem) / speed;
    let mut solved = solve_to(solver, settings, problem, warm, scale, Effort::Utmost);
    solved.report.residual *= scale;
    solved
}

/// ‖q‖ as residuals use it: 1 where it is zero.
pub(crate) fn free_speed(problem: &Problem) -> f64 {
    let q = problem.free_relative_velocity();
    let speed = dot(&q, &q).sqrt();
    if speed > 0.0 { speed } else { 1.0 }
}

/// Solves to the tolerances of the settings divided by `scale`.
fn solve_to(
    solver: &mut Solver,
    settings: &DynamicSettings,
    problem: &Problem,
    warm: &[f64],
    scale: f64,
    effort: Effort,
) -> Solved {
    let options = Options {
        kind: settings.solver,
        tolerance: settings.tolerance / scale,
        accepted: Some(settings.motion_tolerance() / scale),
        sweeping: settings.sweeping,
        ..Options::default()
    };
    let mut best = solver.solve(problem, warm, &options);
    let mut retries = 0;
    // about a minute of sweeps at the most
    let sweeps = (400_000_000 / problem.contacts()).clamp(1_000, 50_000);
    for (kind, max_iterations) in [(SolverKind::ProximalNewton, None), (SolverKind::Nlgs, Some(sweeps))] {
        let unsuited = kind == settings.solver || problem.is_associated() || effort.spares(problem);
        if best.report.status == Status::Converged || unsuited {
            continue;
        }
        let start = if finite(&best) { &best.impulses } else { warm };
        let tolerance = settings.motion_tolerance() / scale;
        let again = solver.solve(problem, start, &Options { kind, tolerance, max_iterations, ..options });
        retries += 1;
        if finite(&again) && (!finite(&best) || again.report.residual < best.report.residual) {
            best = again;
        }
    }
    Solved {
        impulses: best.impulses,
        velocities: best.velocities,
        balance: None,
        kept: false,
        report: best.report,
        retries,
    }
}

pub(crate) fn finite(solution: &Solution) -> bool {
    solution.report.residual.is_finite() && solution.velocities.iter().all(|v| v.is_finite())
}

fn nothing_to_solve(problem: &Problem, solver: SolverKind) -> Solved {
    let report = SolveReport {
        status: Status::Converged,
        solver,
        iterations: 0,
        factorisations: 0,
        residual: 0.0,
        worst_contact: 0,
    };
    let velocities = problem.free_velocity().to_vec();
    Solved { impulses: Vec::new(), velocities, balance: None, kept: false, report, retries: 0 }
}

/// The report with the worse status or residual, with the work of both.
pub(crate) fn worse(a: SolveReport, b: SolveReport) -> SolveReport {
    let a_worse = (a.status != Status::Converged, a.residual) >= (b.status != Status::Converged, b.residual);
    SolveReport {
        iterations: a.iterations + b.iterations,
        factorisations: a.factorisations + b.factorisations,
        ..if a_worse { a } else { b }
    }
}

/// True if the step has an expansion phase: a contact with ε > 0, and a contact that closes at the start of the step.
pub(crate) fn has_expansion<S: Space>(laws: &Laws<S>, approaching: impl Fn(&Active<S>) -> bool) -> bool {
    laws.active.iter().any(|active| active.expansion > 0.0) && laws.active.iter().any(approaching)
}

/// Adds the expansion phase to the compression. `build` makes the problem for given free velocities; `velocities` are
/// those at the step's start and the free ones at its end (nodes × dofs).
pub(crate) fn expand<S: Space>(
    solver: &mut Solver,
    settings: &DynamicSettings,
    laws: &Laws<S>,
    build: impl Fn(&[f64]) -> Problem,
    velocities: (&[f64], &[f64]),
    compression: Solved,
) -> Solved {
    let (before, free) = velocities;
    let speed = free_speed(&build(free));
    let zeros = vec![0.0; compression.impulses.len()];
    let impact = solve_phase(solver, settings, &build(before), &zeros, speed);
    let mut least = impact.impulses;
    for (r, active) in least.chunks_exact_mut(S::DIM).zip(&laws.active) {
        r.iter_mut().for_each(|r| *r *= active.expansion);
    }
    let mut problem = build(&compression.velocities);
    for (k, r) in least.chunks_exact(S::DIM).enumerate() {
        problem.set_floor(k, r[0]);
    }
    let expansion = if problem.has_floor() {
        solve_phase(solver, settings, &problem, &least, speed)
    } else {
        return compression;
    };
    let mut both = Solved {
        impulses: compression.impulses.iter().zip(&expansion.impulses).map(|(c, d)| c + d).collect(),
        velocities: expansion.velocities,
        balance: None,
        kept: false,
        report: worse(worse(compression.report, impact.report), expansion.report),
        retries: compression.retries + impact.retries + expansion.retries,
    };
    // energy that all contacts add: ½ r·(u⁺ + u⁻), relative to the supports
    let relative = |v: &[f64], end: usize| {
        let mut u: Vec<f64> = laws
            .active
            .iter()
            .zip(laws.frames.chunks_exact(S::DIM))
            .flat_map(|(a, frame)| frame.iter().map(|d| -a.support[end].dot(*d)))
            .collect();
        problem.add_jacobian_times(v, &mut u);
        u
    };
    let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a + b).collect::<Vec<f64>>();
    let (u_before, u_after) = (relative(before, 0), relative(&both.velocities, 1));
    let given = 0.5 * dot(&both.impulses, &sum(&u_before, &u_after));
    let lost = 0.5 * dot(&compression.impulses, &sum(&u_before, &relative(&compression.velocities, 1)));
    if given <= 1e-9 * lost.abs() {
        return both;
    }
    // the quadratic lost + b s + a s² for the expansion s · least
    let mut pushed = Vec::new();
    problem.velocity(&least, &mut pushed);
    let change: Vec<f64> =
        relative(&pushed, 1).iter().zip(relative(&compression.velocities, 1)).map(|(a, b)| a - b).collect();
    let a = 0.5 * dot(&least, &change);
    let b = 0.5
        * (dot(&least, &sum(&u_before, &relative(&compression.velocities, 1))) + dot(&compression.impulses, &change));
    let s = largest_share(a, b, lost.min(0.0));
    for ((total, c), l) in both.impulses.iter_mut().zip(&compression.impulses).zip(&least) {
        *total = c + s * l;
    }
    for ((v, c), p) in both.velocities.iter_mut().zip(&compression.velocities).zip(&pushed) {
        *v = c + s * (p - c);
    }
    both
}

/// Largest s in 0 … 1 with a s² + b s + c ≤ 0, for a ≥ 0 and c ≤ 0.
fn largest_share(a: f64, b: f64, c: f64) -> f64 {
    if a + b + c <= 0.0 {
        return 1.0;
    }
    let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
    // the positive root in the form without cancellation
    let s = if b > 0.0 { -2.0 * c / (b + root) } else { (root - b) / (2.0 * a) };
    if s.is_finite() { s.clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::largest_share;

    #[test]
    fn share_is_the_positive_root() {
        assert_eq!(largest_share(1.0, 0.0, -0.25), 0.5);
        assert_eq!(largest_share(1.0, 2.0, -1.25), 0.5);
        assert_eq!(largest_share(1.0, -3.0, 0.0), 1.0);
        assert_eq!(largest_share(0.0, 2.0, -1.0), 0.5);
        assert_eq!(largest_share(1.0, 1.0, 0.0), 0.0);
    }
}
