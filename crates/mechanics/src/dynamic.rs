//! The dynamic analysis (Moreau–Jean time stepping) behind the [`Analysis`] interface.

use std::sync::Arc;

use voussoir_contact::Problem;

use crate::analysis::Analysis;
use crate::any::{AnyDimension, AnyModel, AnyState, StateRef, other_dimension};
use crate::construction::Change;
use crate::error::MechanicsError;
use crate::model::{DynamicSettings, Model};
use crate::report::{Cell, Column, ColumnRole, StepReport};
use crate::snapshot::{CastBody, Snapshot, cast_body};
use crate::state::State;
use crate::steer::Steering;
use crate::stepper::{DynamicRef, DynamicReport, Stepper};

const fn effort(head: &'static str, label: &'static str) -> Column {
    Column { head, label, unit: "", role: ColumnRole::Effort }
}

const fn timing(head: &'static str, label: &'static str) -> Column {
    Column { head, label, unit: "s", role: ColumnRole::Timing }
}

/// Columns of the dynamic analysis.
pub const DYNAMIC_COLUMNS: &[Column] = &[
    effort("status", "status of the last solver"),
    effort("solver", "solver that found the solution"),
    effort("iterations", "sweeps or Newton steps"),
    effort("factorisations", "numeric factorisations"),
    effort("retries", "retries with another solver or a shorter step"),
    effort("worst_contact", "contact with the largest residual"),
    Column { head: "step_s", label: "length of the step", unit: "s", role: ColumnRole::Effort },
    timing("detection_s", "contact detection"),
    timing("assembly_s", "assembly of the contact problem"),
    timing("solving_s", "solution of the contact problem"),
];

/// Starts the dynamic analysis of a model from a state.
pub fn begin(
    model: &AnyModel,
    settings: &DynamicSettings,
    state: AnyState,
) -> Result<Box<dyn Analysis>, MechanicsError> {
    fn begin<S: AnyDimension>(
        model: &Arc<Model<S>>,
        settings: &DynamicSettings,
        state: State<S>,
    ) -> Result<Box<dyn Analysis>, MechanicsError>
    where
        Stepper<S>: Analysis,
    {
        Ok(Box::new(Stepper::with_state(Arc::clone(model), settings.clone(), state)?))
    }
    match (model, state) {
        (AnyModel::Two(model), AnyState::Two(state)) => begin(model, settings, state),
        (AnyModel::Three(model), AnyState::Three(state)) => begin(model, settings, state),
        _ => Err(other_dimension(model)),
    }
}

impl<S: AnyDimension> Analysis for Stepper<S>
where
    for<'a> DynamicRef<'a>: From<&'a Stepper<S>>,
{
    fn columns(&self) -> &'static [Column] {
        DYNAMIC_COLUMNS
    }

    fn advance(&mut self) -> Result<StepReport, MechanicsError> {
        self.step().map(StepReport::from)
    }

    fn change(&mut self, change: &Change) -> Result<(), MechanicsError> {
        Self::change(self, change)
    }

    fn steer(&mut self, steering: &Steering) -> Result<(), MechanicsError> {
        Self::steer(self, steering)
    }

    fn snapshot(&self) -> Snapshot {
        Self::snapshot(self)
    }

    fn appeared(&self, known: usize) -> Vec<CastBody> {
        let model = self.model();
        let new = model.bodies.get(known..).unwrap_or_default();
        new.iter().map(|body| cast_body(model, body, 0.0)).collect()
    }

    fn save(&mut self) -> StateRef<'_> {
        S::state_ref(self.state())
    }

    fn into_state(self: Box<Self>) -> AnyState {
        S::any_state(Self::into_state(*self))
    }

    fn set_clock(&mut self, clock: fn() -> f64) {
        Self::set_clock(self, clock);
    }

    fn next_problem(&mut self) -> Option<(Problem, Vec<f64>)> {
        Some(Self::next_problem(self))
    }

    fn dynamic(&self) -> Option<DynamicRef<'_>> {
        Some(self.into())
    }
}

impl From<DynamicReport> for StepReport {
    fn from(report: DynamicReport) -> Self {
        let solve = &report.solve;
        let counts = [solve.iterations as u64, solve.factorisations as u64, u64::from(report.retries)];
        let words = [Cell::Word(solve.status.name()), Cell::Word(solve.solver.name())];
        let own = words
            .into_iter()
            .chain(counts.map(Cell::Count))
            .chain([Cell::Count(solve.worst_contact as u64)])
            .chain([Cell::Number(report.length)])
            .chain(report.seconds.map(Cell::Number))
            .collect();
        Self {
            step: report.step,
            time: report.time,
            converged: report.converged,
            residual: solve.residual,
            contacts: report.contacts,
            statuses: report.statuses,
            kinetic_energy: report.kinetic_energy,
            potential_energy: report.potential_energy,
            ledger: report.ledger,
            penetration: report.penetration,
            closure: report.closure,
            load: report.load,
            displacement: report.displacement,
            speed: report.speed,
            support_reaction: report.support_reaction,
            cables: report.cables,
            probes: Vec::new(),
            own,
        }
    }
}
