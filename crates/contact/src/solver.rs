//! One door to all solvers, and `auto`.
//!
//! `auto` goes on only as far as it must: the warm start as it is (a structure at rest needs nothing else); NLGS for
//! a handful of contacts; SAP-type Newton where nothing slid before, proximal Newton from the warm start where
//! something did; the interior point from scratch, and proximal Newton to give it its last digits; NLGS from the best
//! found so far as the last resort. A solve that misses the tolerance says so in its status.

use crate::cone::project;
use crate::linear::Workspace;
use crate::problem::Problem;
use crate::report::{SolveReport, SolverKind, Status};
use crate::residual::{Residual, Scale, residual};
use crate::{interior_point, nlgs, proximal_newton, sap};

/// Problems of at most this many contacts go to NLGS first.
const HANDFUL: usize = 12;

/// What a solve is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Which solver.
    pub kind: SolverKind,
    /// Tolerance on the unit-free residual. Nominal range 1e-12 … 1e-4.
    pub tolerance: f64,
    /// Sweeps (NLGS) or factorisations (the others); `None` is each solver's own limit.
    pub max_iterations: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self { kind: SolverKind::Auto, tolerance: 1e-8, max_iterations: None }
    }
}

/// What a solve returns. Velocities follow from the impulses exactly; impulses lie in the cone.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// r (contacts × dim) [N·s]
    pub impulses: Vec<f64>,
    /// v (nodes × dofs)
    pub velocities: Vec<f64>,
    /// u (contacts × dim) [m/s]
    pub relative: Vec<f64>,
    /// The certificate.
    pub report: SolveReport,
}

/// Solves problems one after another and keeps symbolic factors between them. The cache never changes results.
#[derive(Debug, Default)]
pub struct Solver {
    workspace: Workspace,
}

impl Solver {
    /// A solver with an empty cache.
    pub fn new() -> Self {
        Self::default()
    }

    /// Solves from the impulses `warm` (contacts × dim; zeros for a cold start).
    pub fn solve(&mut self, problem: &Problem, warm: &[f64], options: &Options) -> Solution {
        let diagonal = problem.delassus_diagonal();
        let scale = Scale::new(problem, &diagonal);
        let mut impulses = into_cone(problem, warm);
        let mut run = Run { problem, scale: &scale, diagonal: &diagonal, workspace: &mut self.workspace, options };
        let report = run.choose(&mut impulses);
        let (mut velocities, mut relative) = (Vec::new(), Vec::new());
        problem.velocity(&impulses, &mut velocities);
        problem.relative_velocity(&velocities, &mut relative);
        Solution { impulses, velocities, relative, report }
    }
}

fn into_cone(problem: &Problem, r: &[f64]) -> Vec<f64> {
    let mu = problem.friction();
    match problem.dim() {
        2 => r.as_chunks::<2>().0.iter().zip(mu).flat_map(|(r, &mu)| project(*r, mu)).collect(),
        _ => r.as_chunks::<3>().0.iter().zip(mu).flat_map(|(r, &mu)| project(*r, mu)).collect(),
    }
}

type Attempt = fn(&mut Run<'_>, &mut Vec<f64>) -> SolveReport;

struct Run<'a> {
    problem: &'a Problem,
    scale: &'a Scale,
    diagonal: &'a [f64],
    workspace: &'a mut Workspace,
    options: &'a Options,
}

impl Run<'_> {
    fn choose(&mut self, impulses: &mut Vec<f64>) -> SolveReport {
        let warm = self.measure(impulses);
        if warm.value <= self.options.tolerance {
            return SolveReport {
                status: Status::Converged,
                solver: self.options.kind,
                iterations: 0,
                factorisations: 0,
                residual: warm.value,
                worst_contact: warm.worst_contact,
            };
        }
        let limit = self.options.max_iterations;
        match self.options.kind {
            SolverKind::Nlgs => self.nlgs(impulses, limit.unwrap_or(10_000)),
            SolverKind::Sap => self.sap(impulses, limit.unwrap_or(400), sap::RIGID_THEN_SOFT),
            SolverKind::InteriorPoint => self.interior(impulses, limit.unwrap_or(100)),
            SolverKind::ProximalNewton => self.proximal(impulses, limit.unwrap_or(600), proximal_newton::COLD_WEIGHT),
            SolverKind::Auto => self.auto(impulses),
        }
    }

    fn auto(&mut self, impulses: &mut Vec<f64>) -> SolveReport {
        if self.problem.has_floor() {
            return self.nlgs(impulses, 20_000);
        }
        if self.problem.is_associated() {
            let attempts: [Attempt; 3] = [
                |run, r| run.sap(r, 60, sap::RIGID),
                |run, r| run.interior(r, 100),
                |run, r| run.sap(r, 300, sap::RIGID_THEN_SOFT),
            ];
            return self.chain(impulses, &attempts);
        }
        let mut attempts: Vec<Attempt> = Vec::new();
        if self.problem.contacts() <= HANDFUL {
            attempts.push(|run, r| run.nlgs(r, 200));
        }
        if self.slides(impulses) {
            attempts.push(|run, r| run.proximal(r, 25, proximal_newton::NEAR_WEIGHT));
        } else {
            attempts.push(|run, r| run.sap(r, 60, sap::RIGID));
        }
        attempts.push(|run, r| run.interior(r, 80));
        attempts.push(|run, r| run.proximal(r, 300, proximal_newton::NEAR_WEIGHT));
        attempts.push(|run, r| run.proximal(r, 300, proximal_newton::COLD_WEIGHT));
        attempts.push(|run, r| run.nlgs(r, 2_000));
        self.chain(impulses, &attempts)
    }

    /// Runs attempts, each from the best impulses so far, until one converges.
    fn chain(&mut self, impulses: &mut Vec<f64>, attempts: &[Attempt]) -> SolveReport {
        let start = self.measure(impulses);
        let mut best = SolveReport {
            status: Status::Stalled,
            solver: SolverKind::Auto,
            iterations: 0,
            factorisations: 0,
            residual: start.value,
            worst_contact: start.worst_contact,
        };
        let (mut iterations, mut factorisations) = (0, 0);
        for attempt in attempts {
            let mut trial = impulses.clone();
            let report = attempt(self, &mut trial);
            iterations += report.iterations;
            factorisations += report.factorisations;
            if report.residual < best.residual || best.residual.is_nan() {
                best = report;
                *impulses = trial;
            }
            if report.status == Status::Converged {
                break;
            }
        }
        SolveReport { iterations, factorisations, ..best }
    }

    /// True when an impulse of the warm start lies on its cone: something slid in the step before.
    fn slides(&self, impulses: &[f64]) -> bool {
        let dim = self.problem.dim();
        impulses.chunks_exact(dim).zip(self.problem.friction()).any(|(r, mu)| {
            let t = r[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
            r[0] > 0.0 && t >= mu * r[0] * (1.0 - 1e-9)
        })
    }

    fn measure(&self, impulses: &[f64]) -> Residual {
        let (mut velocity, mut relative) = (Vec::new(), Vec::new());
        self.problem.velocity(impulses, &mut velocity);
        self.problem.relative_velocity(&velocity, &mut relative);
        residual(self.problem, self.scale, &relative, impulses)
    }

    fn nlgs(&mut self, impulses: &mut [f64], sweeps: usize) -> SolveReport {
        nlgs::solve(self.problem, self.scale, self.diagonal, impulses, self.options.tolerance, sweeps)
    }

    fn sap(&mut self, impulses: &mut Vec<f64>, factorisations: usize, compliances: &'static [f64]) -> SolveReport {
        let limits = sap::Limits { tolerance: self.options.tolerance, factorisations, compliances };
        sap::solve(self.problem, self.scale, self.diagonal, self.workspace, impulses, &limits)
    }

    fn interior(&mut self, impulses: &mut Vec<f64>, most: usize) -> SolveReport {
        interior_point::solve(self.problem, self.scale, self.workspace, impulses, self.options.tolerance, most)
    }

    fn proximal(&mut self, impulses: &mut Vec<f64>, factorisations: usize, first_weight: f64) -> SolveReport {
        let limits = proximal_newton::Limits { tolerance: self.options.tolerance, factorisations, first_weight };
        proximal_newton::solve(self.problem, self.scale, self.diagonal, self.workspace, impulses, &limits)
    }
}
