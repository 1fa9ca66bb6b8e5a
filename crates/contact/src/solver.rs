//! The dispatch to all solvers, and `auto`.
//!
//! `auto` tries methods in this order until one converges: the unchanged warm start (sufficient for a structure at
//! rest); NLGS for a handful of contacts; SAP-type Newton from a cold start; from the impulses of the previous step
//! proximal Newton, then smoothing Newton. These methods aim at the tolerance. The next ones aim at the
//! [`Run::preferred`] residual: proximal Newton with full steps and falling weights; the interior point from scratch
//! with smoothing Newton to finish. The others aim at the largest residual that is accepted in motion
//! ([`Options::accepted`]): falling weights from other starts and by other factors; the interior point without a limit,
//! refined by proximal Newton; NLGS from the best impulses found so far as the last resort. A solve that misses the
//! accepted residual says so in its status. In motion, ADMM goes first if masses differ by more than [`UNEQUAL`].

use std::time::Instant;

use crate::budget::Budget;
use crate::capability::Requirements;
use crate::delassus::Delassus;
use crate::global_form::GlobalForm;
use crate::linear::Workspace;
use crate::local::LocalProblem;
use crate::local_form::LocalForm;
use crate::nlgs::Sweeping;
use crate::problem::Problem;
use crate::report::{SolveReport, SolverKind, Status};
use crate::{
    accelerated_gradient, admm, face_element, interior_point, lemke, nlgs, proximal_newton, sap, smoothing_newton,
    spectral_gradient,
};

/// Problems of at most this many contacts go to NLGS first, and every attempt on them aims at the tolerance.
const HANDFUL: usize = 12;

/// Ratio of masses above which rounding stops the Newton methods: ADMM, which needs one factorisation, goes first.
const UNEQUAL: f64 = 1e7;

/// Sweeps of NLGS that show whether a problem in local form is an easy one.
const TASTE: usize = 10;
/// The problem is easy if they reduce the residual by this factor: then the same number of sweeps again is worth more
/// than a factorisation.
const EASY: f64 = 0.2;

/// Sweeps of NLGS that cost about as much as one factorisation.
const SWEEPS_PER_FACTORISATION: usize = 200;

/// Newton steps from the impulses of the previous step: if the motion continues, five to ten steps find its active set
/// again; if they do not, the motion has changed.
const SAME_MOTION: usize = 12;

/// Factorisations of proximal Newton with falling weights where the motion has changed.
const NEW_MOTION: usize = 100;

/// Factorisations of smoothing Newton that prepare another start for falling weights.
const OTHER_START: usize = 14;

/// First weight after a start with a known residual, relative to that residual.
const WEIGHT_OF_RESIDUAL: f64 = 3.0;

/// Settings of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Which solver.
    pub kind: SolverKind,
    /// Tolerance on the unit-free residual. Nominal range 1e-12 … 1e-4.
    pub tolerance: f64,
    /// Largest residual that a solve may end with if quick methods do not reach the tolerance; `None`: the tolerance.
    /// `auto` aims at the tolerance with its quick methods, then at a residual between the two, at last at this one;
    /// any other solver aims at the tolerance to its end.
    pub accepted: Option<f64>,
    /// Sweeps (NLGS), iterations (first-order solvers) or factorisations; `None` is each solver's own limit.
    pub max_iterations: Option<usize>,
    /// Deadline; exceeded by at most one iteration.
    pub deadline: Option<Instant>,
    /// How Gauss–Seidel sweeps.
    pub sweeping: Sweeping,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            kind: SolverKind::Auto,
            tolerance: 1e-8,
            accepted: None,
            max_iterations: None,
            deadline: None,
            sweeping: Sweeping::default(),
        }
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
        let mut system = GlobalForm::new(problem, &mut self.workspace);
        let mut impulses = problem.laws().project(warm);
        let report = Run::new(&mut system, options).choose(&mut impulses);
        let (mut velocities, mut relative) = (Vec::new(), Vec::new());
        problem.velocity(&impulses, &mut velocities);
        problem.relative_velocity(&velocities, &mut relative);
        Solution { impulses, velocities, relative, report }
    }
}

/// What a solve of a problem in local form returns.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalSolution {
    /// r (contacts × dim)
    pub impulses: Vec<f64>,
    /// u = W r + q (contacts × dim)
    pub relative: Vec<f64>,
    /// The certificate; its residual is the larger of ours and of Siconos' error.
    pub report: SolveReport,
}

/// Solves a problem in local form from the impulses `warm`.
pub fn solve_local(problem: &LocalProblem, warm: &[f64], options: &Options) -> LocalSolution {
    let mut system = LocalForm::new(problem, true);
    let mut impulses = problem.laws().project(warm);
    let report = Run::new(&mut system, options).choose(&mut impulses);
    let relative = problem.relative_velocity(&impulses);
    LocalSolution { impulses, relative, report }
}

type Method = fn(&mut Run<'_>, &mut Vec<f64>) -> SolveReport;

/// The attempts of `auto`.
struct Attempts {
    list: Vec<Attempt>,
    /// How many of them aim at the tolerance …
    quick: usize,
    /// … and how many at least at the preferred residual; the others aim at the accepted one.
    thorough: usize,
}

/// An attempt of `auto`.
#[derive(Clone, Copy)]
enum Attempt {
    /// From the warm start.
    Warm(Method),
    /// From the best impulses so far.
    Best(Method),
}
use Attempt::{Best, Warm};

impl Attempts {
    /// Attempts that all aim at the tolerance.
    fn quick(list: Vec<Attempt>) -> Self {
        Self { quick: list.len(), thorough: list.len(), list }
    }
}

struct Run<'a> {
    system: &'a mut dyn Delassus,
    options: &'a Options,
    /// Residual at which the present attempt ends.
    aim: f64,
}

impl<'a> Run<'a> {
    fn new(system: &'a mut dyn Delassus, options: &'a Options) -> Self {
        Self { system, options, aim: options.tolerance }
    }

    /// The residual that a solve may end with.
    fn accepted(&self) -> f64 {
        self.options.accepted.unwrap_or(0.0).max(self.options.tolerance)
    }

    /// The residual that `auto` aims at when its quick methods have missed the tolerance: the following steps start
    /// from better impulses, and penetrate less, than with the accepted residual. A handful of contacts costs nothing:
    /// the tolerance itself.
    fn preferred(&self) -> f64 {
        if self.system.contacts() <= HANDFUL {
            return self.options.tolerance;
        }
        (self.options.tolerance * self.accepted()).sqrt()
    }

    fn choose(&mut self, impulses: &mut Vec<f64>) -> SolveReport {
        let report = self.dispatch(impulses);
        if report.residual <= self.accepted() { SolveReport { status: Status::Converged, ..report } } else { report }
    }

    fn dispatch(&mut self, impulses: &mut Vec<f64>) -> SolveReport {
        let warm = self.system.measure(impulses);
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
        if self.options.kind.supports(&self.requirements()).is_err() {
            return SolveReport { status: Status::Unsupported, ..self.unable(self.options.kind, impulses) };
        }
        let limit = self.options.max_iterations;
        match self.options.kind {
            SolverKind::Nlgs => self.nlgs(impulses, limit.unwrap_or(100_000)),
            SolverKind::Sap => self.sap(impulses, limit.unwrap_or(400), sap::RIGID_THEN_SOFT),
            SolverKind::InteriorPoint => self.polished_interior(impulses, limit.unwrap_or(100)),
            SolverKind::ProximalNewton => self.proximal(impulses, limit.unwrap_or(600), proximal_newton::COLD_WEIGHT),
            SolverKind::SemismoothNewton => {
                let budget = self.budget(limit.unwrap_or(600));
                proximal_newton::solve_plain(self.system, impulses, &budget)
            }
            SolverKind::SmoothingNewton => self.smoothing(impulses, limit.unwrap_or(300)),
            SolverKind::Admm => self.alternate(impulses, limit.unwrap_or(20_000)),
            SolverKind::Apgd => {
                let budget = self.budget(limit.unwrap_or(200_000));
                accelerated_gradient::solve(self.system, impulses, &budget)
            }
            SolverKind::PSpgFb => {
                let budget = self.budget(limit.unwrap_or(200_000));
                spectral_gradient::solve(self.system, impulses, &budget)
            }
            SolverKind::Lemke => {
                let budget = self.budget(limit.unwrap_or(100_000));
                lemke::solve(self.system, impulses, &budget)
            }
            SolverKind::FaceElements => self.faces(impulses, limit.unwrap_or(2_000)),
            SolverKind::Auto => self.auto(impulses),
        }
    }

    /// What the problem requires of its solver.
    fn requirements(&mut self) -> Requirements {
        let local = self.system.global().is_none();
        Requirements::of(&self.system.laws(), local)
    }

    fn auto(&mut self, impulses: &mut Vec<f64>) -> SolveReport {
        let laws = self.system.laws();
        let associated = laws.associated;
        if laws.floor.iter().any(|&floor| floor > 0.0) {
            return self.chain(
                impulses,
                &Attempts::quick(vec![
                    Best(|run, r| run.nlgs(r, 1_000)),
                    Best(|run, r| run.proximal(r, 200, proximal_newton::COLD_WEIGHT)),
                    Best(|run, r| run.nlgs(r, 20_000)),
                ]),
            );
        }
        if associated {
            return self.chain(
                impulses,
                &Attempts::quick(vec![
                    Best(|run, r| run.sap(r, 60, sap::RIGID)),
                    Best(|run, r| run.interior(r, 100)),
                    Best(|run, r| run.sap(r, 300, sap::RIGID_THEN_SOFT)),
                    Best(|run, r| run.nlgs(r, 20_000)),
                ]),
            );
        }
        let attempts = self.attempts(impulses);
        self.chain(impulses, &attempts)
    }

    /// The attempts for the law of Coulomb.
    fn attempts(&mut self, impulses: &[f64]) -> Attempts {
        let mut list: Vec<Attempt> = Vec::new();
        if self.system.laws().friction.len() <= HANDFUL {
            list.push(Best(|run, r| run.nlgs(r, 200)));
        } else if self.system.global().is_none() {
            list.push(Best(|run, r| run.taste(r)));
        }
        let (mut quick, mut thorough);
        if impulses.iter().any(|&r| r != 0.0) {
            // A mechanism of hinges moves without sliding: SAP, whose loop on the De Saxcé term fails as soon as
            // contacts open, would need ten to thirty factorisations to show that it fails.
            list.push(Best(|run, r| {
                let budget = run.budget(SAME_MOTION);
                proximal_newton::solve_same_motion(run.system, r, &budget)
            }));
            list.push(Best(|run, r| run.smoothing(r, 30)));
            quick = list.len();
            // each of these finds solutions that the others miss
            list.push(Best(|run, r| run.by_weights(r, proximal_newton::STEADY)));
            list.push(Best(|run, r| run.smoothed_interior(r)));
            thorough = list.len();
            list.push(Warm(|run, r| run.smoothed_weights(r)));
            list.push(Warm(|run, r| run.by_weights(r, proximal_newton::BOLD)));
        } else {
            list.push(Best(|run, r| run.sap(r, 60, sap::RIGID)));
            (quick, thorough) = (list.len(), list.len());
        }
        list.push(Best(|run, r| run.interior(r, 80)));
        list.push(Best(|run, r| run.proximal(r, 300, proximal_newton::NEAR_WEIGHT)));
        list.push(Best(|run, r| run.proximal(r, 300, proximal_newton::COLD_WEIGHT)));
        list.push(Best(|run, r| run.nlgs(r, 2_000)));
        if self.system.contacts() <= HANDFUL {
            quick = list.len();
        }
        if self.system.global().is_some_and(|(problem, _)| problem.mass_ratio() > UNEQUAL) {
            list.insert(0, Warm(|run, r| run.alternate(r, 20_000)));
            (quick, thorough) = (0, 0);
        }
        Attempts { list, quick, thorough }
    }

    fn by_weights(&mut self, impulses: &mut Vec<f64>, descent: proximal_newton::Descent) -> SolveReport {
        let budget = self.budget(NEW_MOTION);
        proximal_newton::solve_by_weights(self.system, impulses, &budget, descent)
    }

    /// A few steps of smoothing Newton, and falling weights from there.
    fn smoothed_weights(&mut self, impulses: &mut Vec<f64>) -> SolveReport {
        let first = self.smoothing(impulses, OTHER_START);
        if first.status == Status::Converged {
            return first;
        }
        let first_weight =
            (WEIGHT_OF_RESIDUAL * first.residual).clamp(proximal_newton::NEAR_WEIGHT, proximal_newton::COLD_WEIGHT);
        let second = self.by_weights(impulses, proximal_newton::Descent { first_weight, ..proximal_newton::STEADY });
        SolveReport {
            iterations: first.iterations + second.iterations,
            factorisations: first.factorisations + second.factorisations,
            ..second
        }
    }

    /// Runs attempts until one converges.
    fn chain(&mut self, impulses: &mut Vec<f64>, attempts: &Attempts) -> SolveReport {
        let start = self.system.measure(impulses);
        let mut best = SolveReport {
            status: Status::Stalled,
            solver: SolverKind::Auto,
            iterations: 0,
            factorisations: 0,
            residual: start.value,
            worst_contact: start.worst_contact,
        };
        let (mut iterations, mut factorisations) = (0, 0);
        let warm = impulses.clone();
        for (k, attempt) in attempts.list.iter().enumerate() {
            self.aim = match k {
                k if k < attempts.quick => self.options.tolerance,
                k if k < attempts.thorough => self.preferred(),
                _ => self.accepted(),
            };
            if best.residual <= self.aim {
                break;
            }
            let (method, mut trial) = match attempt {
                Warm(method) => (method, warm.clone()),
                Best(method) => (method, impulses.clone()),
            };
            let report = method(self, &mut trial);
            iterations += report.iterations;
            factorisations += report.factorisations;
            if report.residual < best.residual || best.residual.is_nan() {
                best = report;
                *impulses = trial;
            }
            if report.status == Status::Converged || self.budget(0).is_over() {
                break;
            }
        }
        SolveReport { iterations, factorisations, ..best }
    }

    fn budget(&self, most: usize) -> Budget {
        Budget { tolerance: self.aim, accepted: self.preferred(), most, deadline: self.options.deadline }
    }

    fn nlgs(&mut self, impulses: &mut [f64], sweeps: usize) -> SolveReport {
        let budget = self.budget(sweeps);
        nlgs::solve(self.system, impulses, &budget, self.options.sweeping)
    }

    fn alternate(&mut self, impulses: &mut Vec<f64>, iterations: usize) -> SolveReport {
        let budget = self.budget(iterations);
        admm::solve(self.system, impulses, &budget)
    }

    /// Sweeps in small groups, for as long as each group reduces the residual enough.
    fn taste(&mut self, impulses: &mut [f64]) -> SolveReport {
        let mut before = self.system.measure(impulses).value;
        let (mut report, mut sweeps) = (self.nlgs(impulses, TASTE), TASTE);
        while report.status != Status::Converged && report.residual < EASY * before && !self.budget(0).is_over() {
            before = report.residual;
            report = self.nlgs(impulses, TASTE);
            sweeps += TASTE;
        }
        SolveReport { iterations: sweeps, ..report }
    }

    /// Interfaces are known in the global form only.
    fn faces(&mut self, impulses: &mut [f64], sweeps: usize) -> SolveReport {
        let (budget, scale) = (self.budget(sweeps), self.system.scale().clone());
        let unable = self.unable(SolverKind::FaceElements, impulses);
        match self.system.global() {
            Some((problem, _)) => face_element::solve(problem, &scale, impulses, &budget),
            None => unable,
        }
    }

    /// A report of a solver that needs another form of the problem.
    fn unable(&self, solver: SolverKind, impulses: &[f64]) -> SolveReport {
        let error = self.system.measure(impulses);
        SolveReport {
            status: Status::Stalled,
            solver,
            iterations: 0,
            factorisations: 0,
            residual: error.value,
            worst_contact: error.worst_contact,
        }
    }

    /// This solver needs masses, which the local form does not have: it stalls at once.
    fn sap(&mut self, impulses: &mut Vec<f64>, factorisations: usize, schedule: sap::Schedule) -> SolveReport {
        let budget = self.budget(factorisations);
        let unable = self.unable(SolverKind::Sap, impulses);
        let (diagonal, scale) = (self.system.diagonal().to_vec(), self.system.scale().clone());
        match self.system.global() {
            Some((problem, workspace)) => {
                sap::solve(problem, &scale, &diagonal, workspace, impulses, &budget, schedule)
            }
            None => unable,
        }
    }

    fn interior(&mut self, impulses: &mut Vec<f64>, most: usize) -> SolveReport {
        let budget = self.budget(most);
        interior_point::solve(self.system, impulses, &budget)
    }

    /// The interior point, refined by the Newton method of the same law where rounding limits its accuracy.
    fn polished_interior(&mut self, impulses: &mut Vec<f64>, most: usize) -> SolveReport {
        let first = self.interior(impulses, most);
        if first.status == Status::Converged {
            return first;
        }
        let left = most.saturating_sub(first.factorisations);
        let requirements = self.requirements();
        let second = if !requirements.associated {
            self.proximal(impulses, left, proximal_newton::NEAR_WEIGHT)
        } else if SolverKind::Sap.supports(&requirements).is_ok() {
            self.sap(impulses, left, sap::RIGID_THEN_SOFT)
        } else {
            self.nlgs(impulses, SWEEPS_PER_FACTORISATION * left)
        };
        SolveReport {
            solver: SolverKind::InteriorPoint,
            iterations: first.iterations + second.iterations,
            factorisations: first.factorisations + second.factorisations,
            ..second
        }
    }

    fn smoothing(&mut self, impulses: &mut Vec<f64>, most: usize) -> SolveReport {
        let budget = self.budget(most);
        smoothing_newton::solve(self.system, impulses, &budget)
    }

    /// The interior point from scratch, independent of the previous step, and smoothing Newton from its result.
    fn smoothed_interior(&mut self, impulses: &mut Vec<f64>) -> SolveReport {
        let first = self.interior(impulses, 30);
        if first.status == Status::Converged {
            return first;
        }
        let second = self.smoothing(impulses, 60);
        SolveReport {
            iterations: first.iterations + second.iterations,
            factorisations: first.factorisations + second.factorisations,
            ..second
        }
    }

    fn proximal(&mut self, impulses: &mut Vec<f64>, factorisations: usize, first_weight: f64) -> SolveReport {
        let budget = self.budget(factorisations);
        proximal_newton::solve(self.system, impulses, &budget, first_weight)
    }
}
