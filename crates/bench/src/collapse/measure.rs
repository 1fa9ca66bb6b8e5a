//! Cost and accuracy of the steps of one run.

use std::collections::BTreeMap;

use voussoir_contact::linear::Workspace;
use voussoir_contact::{Options, Problem, Solver, SolverKind};
use voussoir_geometry::{Solid, Space};
use voussoir_mechanics::measures::kinetic_energy;
use voussoir_mechanics::model::{DynamicSettings, Model};
use voussoir_mechanics::stepper::{DynamicReport, Stepper};

use crate::clock::{Clock, cpu_seconds};

/// Cost of one scene.
#[derive(Default)]
pub struct Count {
    pub bodies: usize,
    /// Contacts of the largest step.
    pub contacts: usize,
    /// Factorisations of every step.
    pub factorisations: Vec<usize>,
    /// Sweeps and other iterations without a factorisation, by step.
    pub sweeps: Vec<usize>,
    /// Computing time of all steps [s], and of detection, assembly and solving.
    pub seconds: f64,
    pub parts: [f64; 3],
    /// Computing time of the slowest step [s].
    pub slowest: f64,
    pub missed: usize,
    pub retries: u32,
    /// Largest residual of a converged step, and of all.
    pub residual: f64,
    /// Deepest penetration relative to the smallest body.
    pub penetration: f64,
    /// Error of the energy balance, relative to the energy input.
    pub energy_error: f64,
    /// Sweeps that cost as much as one factorisation and its solves.
    pub sweeps_per_unit: f64,
    pub solvers: BTreeMap<&'static str, usize>,
}

impl Count {
    /// Work of every step in units of one factorisation and solve, from small to large.
    pub fn work(&self) -> Vec<f64> {
        let mut work: Vec<f64> = self
            .factorisations
            .iter()
            .zip(&self.sweeps)
            .map(|(&f, &s)| f as f64 + s as f64 / self.sweeps_per_unit.max(1.0))
            .collect();
        work.sort_by(f64::total_cmp);
        work
    }

    /// Quantile of the work of the steps.
    pub fn quantile(&self, share: f64) -> f64 {
        let work = self.work();
        let last = work.len().saturating_sub(1) as f64;
        work.get((share * last).round() as usize).copied().unwrap_or(0.0)
    }

    pub fn mean(&self) -> f64 {
        self.work().iter().sum::<f64>() / self.factorisations.len().max(1) as f64
    }
}

/// Length of a run.
pub struct Run {
    pub steps: usize,
    /// Prints every step.
    pub trace: bool,
}

fn trace(report: &DynamicReport, seconds: f64) {
    let solve = &report.solve;
    println!(
        "     step {:>4} {:>6} contacts {:>5} factorisations {:>6} iterations {:>8.1e} {:>2} retries {:>8.1} ms  {}  {:?}",
        report.step,
        report.contacts,
        solve.factorisations,
        solve.iterations,
        solve.residual,
        report.retries,
        1e3 * seconds,
        solve.solver.name(),
        report.statuses,
    );
}

/// Runs a model for some steps.
pub fn count<S: Space>(model: Model<S>, settings: DynamicSettings, run: &Run) -> Result<Count, String> {
    let mut count = Count { bodies: model.bodies.len(), ..Count::default() };
    let sizes = model.bodies.iter().map(|body| body.shape.size());
    let smallest = sizes.filter(|size| size.is_finite()).fold(f64::INFINITY, f64::min);
    let mut stepper = Stepper::new(model, settings).map_err(|e| e.to_string())?;
    stepper.set_clock(cpu_seconds);
    let mut energy = Energy { started: kinetic_energy(stepper.model(), stepper.state()), ..Energy::default() };
    for _ in 0..run.steps {
        let clock = Clock::start();
        let report = stepper.step().map_err(|e| e.to_string())?;
        let seconds = clock.seconds();
        count.seconds += seconds;
        count.slowest = count.slowest.max(seconds);
        (0..3).for_each(|i| count.parts[i] += report.seconds[i]);
        count.contacts = count.contacts.max(report.contacts);
        count.factorisations.push(report.solve.factorisations);
        count.sweeps.push(report.solve.iterations.saturating_sub(report.solve.factorisations));
        count.missed += usize::from(!report.converged);
        count.retries += report.retries;
        count.residual = count.residual.max(report.solve.residual);
        count.penetration = count.penetration.max(report.penetration);
        *count.solvers.entry(report.solve.solver.name()).or_default() += 1;
        energy.add(&report);
        if run.trace {
            trace(&report, seconds);
        }
    }
    let (problem, warm) = stepper.next_problem();
    count.sweeps_per_unit = sweeps_per_unit(&problem, &warm);
    count.energy_error = energy.error / energy.put_in.max(f64::MIN_POSITIVE);
    count.penetration /= smallest;
    Ok(count)
}

/// Energies of a run [J].
#[derive(Default)]
struct Energy {
    started: f64,
    /// Friction and impact booked so far.
    taken: [f64; 2],
    /// Energy that friction and impacts added instead of dissipating it.
    given: f64,
    error: f64,
    put_in: f64,
}

impl Energy {
    /// Kinetic and potential energy of the bodies, compared with works and losses.
    fn add(&mut self, report: &DynamicReport) {
        let ledger = &report.ledger;
        let taken = [ledger.friction, ledger.impact];
        self.given += (0..2).map(|i| (self.taken[i] - taken[i]).max(0.0)).sum::<f64>();
        self.taken = taken;
        let now = report.kinetic_energy + report.potential_energy + ledger.taken();
        let left = now - ledger.loads - ledger.supports - self.started;
        self.error = self.error.max(left.abs() + self.given);
        let put_in = report.potential_energy.abs() + ledger.loads.abs() + ledger.supports.abs() + self.started;
        self.put_in = self.put_in.max(put_in);
    }
}

/// Sweeps of Gauss–Seidel that take as long as one unsymmetric factorisation with the two solves of a refined
/// direction.
fn sweeps_per_unit(problem: &Problem, warm: &[f64]) -> f64 {
    if problem.contacts() == 0 {
        return 1.0;
    }
    let dim = problem.dim();
    let g: Vec<f64> = (0..problem.contacts() * dim * dim)
        .map(|k| f64::from(u8::from((k % (dim * dim)).is_multiple_of(dim + 1))))
        .collect();
    let mut workspace = Workspace::default();
    let mut x = problem.free_velocity().to_vec();
    let mut factorise = || {
        if workspace.factorise(problem, &g, false).is_ok() {
            (0..2).for_each(|_| workspace.solve(&mut x));
        }
    };
    factorise();
    let clock = Clock::start();
    let mut times = 0;
    while times < 3 || clock.seconds() < 0.02 {
        factorise();
        times += 1;
    }
    let unit = clock.seconds() / f64::from(times);
    let sweep = |sweeps: usize| {
        let options =
            Options { kind: SolverKind::Nlgs, tolerance: 0.0, max_iterations: Some(sweeps), ..Options::default() };
        let clock = Clock::start();
        let _ = Solver::new().solve(problem, warm, &options);
        clock.seconds()
    };
    let (short, long) = (sweep(10), sweep(60));
    (50.0 * unit / (long - short).max(1e-9)).max(1.0)
}
