//! Reports of the explicit analysis: columns of its own, and the common part.

use crate::measures;
use crate::report::{Cell, Column, ColumnRole, StepReport};

use super::settings::ExplicitGoal;
use super::step::Explicit;

const fn column(head: &'static str, label: &'static str, unit: &'static str, role: ColumnRole) -> Column {
    Column { head, label, unit, role }
}

/// Columns of the explicit analysis.
pub const EXPLICIT_COLUMNS: &[Column] = &[
    column("phase", "phase of the stage", "", ColumnRole::Effort),
    column("step_s", "time step", "s", ColumnRole::Measure),
    column("critical_ratio", "time step divided by the critical step", "", ColumnRole::Certificate),
    column("unbalanced", "mean unbalanced force divided by the mean contact force", "", ColumnRole::Measure),
    column("unbalanced_largest", "largest unbalanced force divided by the mean contact force", "", ColumnRole::Measure),
    column("load_factor", "load factor", "", ColumnRole::Measure),
    column("stable_factor", "largest load factor at rest", "", ColumnRole::Measure),
    column("damping_1_s", "coefficient of viscous damping", "1/s", ColumnRole::Measure),
    column("mass_factor", "largest factor on masses", "", ColumnRole::Measure),
    column("stress_pa", "largest stress of a point between blocks", "Pa", ColumnRole::Measure),
    column("dissipated_damping_j", "damping, dissipated", "J", ColumnRole::Taken),
];

impl Explicit {
    /// True if the report of this step is complete: every so many steps, where an increment begins or is
    /// fully applied, and at the end of the stage.
    fn is_due(&self) -> bool {
        self.is_regular() || self.report.own.is_empty()
    }

    /// The same, but for the first report after a start: it must leave no trace in the state.
    fn is_regular(&self) -> bool {
        let ends = match self.settings.goal {
            ExplicitGoal::Time(duration) => {
                let done = self.state.time - self.state.position.begun;
                done + self.dt >= duration * (1.0 - 1e-9)
            }
            _ => self.loading.done,
        };
        // an increment begins, or is fully applied
        let turns = match &self.settings.goal {
            ExplicitGoal::Increments(increments) => [0, increments.ramp].contains(&self.loading.steps),
            _ => false,
        };
        ends || turns || self.state.step.is_multiple_of(self.settings.report_every.max(1))
    }

    /// The report of the last step; between complete reports positions and energies are those of the last one.
    pub(super) fn report(&mut self) -> StepReport {
        if self.is_due() {
            self.complete_report();
        }
        (self.report.step, self.report.time) = (self.state.step, self.state.time);
        self.report.clone()
    }

    fn complete_report(&mut self) {
        self.arrays.write(&mut self.state);
        let [kinetic, damping] = self.kinetic();
        let mut ledger = self.ledger_with_springs();
        ledger.numerical = 0.0;
        ledger.numerical = self.balance - (kinetic + damping + Self::balance_of_ledger(&ledger));
        if self.is_regular() {
            self.state.ledger = ledger;
        }
        let sums = self.sums();
        if self.settings.rest().is_none() {
            self.unbalanced = self.imbalance();
        }
        let extremes = measures::extremes(&self.model, &self.state);
        let support = |k: usize| -> f64 {
            let held = (0..self.arrays.pos.len()).filter(|&i| self.arrays.there[i] && !self.arrays.free[i]);
            -held.map(|i| self.arrays.force[i][k]).sum::<f64>()
        };
        let open = sums.listed - sums.closed.min(sums.listed);
        self.report = StepReport {
            step: self.state.step,
            time: self.state.time,
            converged: !self.loading.undecided,
            residual: 0.0,
            contacts: sums.closed,
            statuses: [open, sums.closed - sums.sliding, sums.sliding],
            kinetic_energy: kinetic,
            potential_energy: measures::potential_energy(&self.model, &self.state),
            ledger,
            // overlaps are the closure of springs
            penetration: 0.0,
            closure: sums.overlap,
            load: self.downward_load(),
            displacement: extremes.displacement,
            speed: extremes.speed,
            support_reaction: [support(0), support(1), 0.0],
            cables: Vec::new(),
            probes: Vec::new(),
            own: self.cells(sums.stress, ledger.damping),
        };
    }

    /// Values of the own columns.
    fn cells(&self, stress: f64, damping: f64) -> Vec<Cell> {
        let number = |value: f64| Cell::Number(if value.is_finite() { value } else { 0.0 });
        let phase = match (&self.settings.goal, self.loading.done) {
            (_, true) if self.loading.undecided => "undecided",
            (ExplicitGoal::Time(_), _) => "motion",
            (ExplicitGoal::Rest(_), true) => "rest",
            (ExplicitGoal::Rest(_), false) => "settling",
            (ExplicitGoal::Increments(_), true) => "end",
            (ExplicitGoal::Increments(increments), false) if self.loading.steps < increments.ramp => "loading",
            (ExplicitGoal::Increments(_), false) => "holding",
        };
        vec![
            Cell::Word(phase),
            number(self.dt),
            number(self.dt / self.critical),
            number(self.unbalanced[0]),
            number(self.unbalanced[1]),
            number(self.loading.factor(&self.settings)),
            number(self.loading.stable.unwrap_or(0.0)),
            number(self.damping.alpha),
            number(self.factors.map_or(1.0, |factors| factors[2])),
            number(stress / self.depth),
            number(damping),
        ]
    }
}
