//! Runs the scene of a case with the common loop and observers for checks and invariants.

use std::sync::Arc;

use voussoir_mechanics::analysis::Analysis;
use voussoir_mechanics::events::EVENT_COLUMNS;
use voussoir_mechanics::geometry::{Space, Vector};
use voussoir_mechanics::model::Model;
use voussoir_mechanics::report::StepReport;
use voussoir_mechanics::state::State;
use voussoir_mechanics::stepper::DynamicRef;
use voussoir_mechanics::{AnyModel, AnyState, StateRef, Stepper, measures};
use voussoir_model::Built;

use super::invariants::Watch;
use super::probe::{CaseProbe, Instant};
use crate::drive::{self, Control, first_state};
use crate::error::Result;
use crate::observe::{Flow, Observer, StepPlace};

/// Result of a run.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// (time, value) of each check.
    pub histories: Vec<Vec<(f64, f64)>>,
    /// The invariants.
    pub watch: Watch,
    /// Position and velocity of each body at the end, in the order of the scene.
    pub end: Vec<[[f64; 3]; 2]>,
    /// All bits of positions, rotations and velocities at the end.
    pub bits: Vec<u64>,
}

/// Modifications of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbering {
    /// Not at all.
    #[default]
    AsWritten,
    /// Bodies are numbered from the last to the first.
    Reversed,
}

/// Run all stages of a scene.
pub fn simulate(
    built: &Built,
    numbering: Numbering,
    probes: &[CaseProbe],
    allowed_penetration: f64,
) -> Result<Simulation> {
    let reversed;
    let built = match numbering {
        Numbering::AsWritten => built,
        Numbering::Reversed => {
            reversed = reversed_scene(built);
            &reversed
        }
    };
    let mut checks = Checks {
        probes,
        watch: Watch::new(allowed_penetration),
        histories: vec![Vec::new(); probes.len()],
        start: None,
        before: None,
        every: built.record.history_every,
        model: &built.model,
    };
    let outcome = drive::run(built, &mut [&mut checks], &Control::default())?;
    let bodies = outcome.state.bodies();
    let mut end: Vec<[[f64; 3]; 2]> = bodies.iter().map(|body| [body.position, body.velocity]).collect();
    if numbering == Numbering::Reversed {
        end.reverse();
    }
    let turned = bodies.iter().flat_map(|body| body.rotation.into_iter().chain(body.spin));
    let bits = end.iter().flatten().flatten().copied().chain(turned).map(f64::to_bits).collect();
    Ok(Simulation { histories: checks.histories, watch: checks.watch, bits, end })
}

/// Observes the quantities of all checks and the invariants of every step.
struct Checks<'a> {
    probes: &'a [CaseProbe],
    watch: Watch,
    histories: Vec<Vec<(f64, f64)>>,
    /// Values at the start of the run.
    start: Option<Instant>,
    /// The state before the present step.
    before: Option<AnyState>,
    /// Steps from one observation of other analyses to the next.
    every: u64,
    /// The model, for analyses other than the dynamic one.
    model: &'a AnyModel,
}

impl Checks<'_> {
    fn record(&mut self, now: Instant) {
        let start = self.start.get_or_insert_with(|| now.clone());
        for (probe, history) in self.probes.iter().zip(&mut self.histories) {
            if let Some(value) = probe.observe(start, &now) {
                history.push((now.snapshot.time, value));
            }
        }
    }

    fn watch<S: Space>(&mut self, stepper: &Stepper<S>, before: &State<S>, report: &StepReport) {
        self.watch.observe(before, stepper, report);
        self.record(instant(stepper, before));
    }
}

impl Observer for Checks<'_> {
    fn stage(&mut self, _: usize, analysis: &dyn Analysis) -> Result<()> {
        if self.start.is_none() {
            match analysis.dynamic() {
                Some(DynamicRef::Two(stepper)) => self.record(instant(stepper, stepper.state())),
                Some(DynamicRef::Three(stepper)) => self.record(instant(stepper, stepper.state())),
                // as drawn, before the first step
                None => {
                    let mut now = reported(analysis, &StepReport::empty());
                    now.kinetic_energy = self.model.kinetic_energy(&self.model.initial_state(&[]));
                    self.record(now);
                }
            }
        }
        Ok(())
    }

    fn before_step(&mut self, analysis: &mut dyn Analysis) -> Result<()> {
        self.before = match analysis.dynamic() {
            Some(DynamicRef::Two(stepper)) => Some(AnyState::Two(stepper.state().clone())),
            Some(DynamicRef::Three(stepper)) => Some(AnyState::Three(stepper.state().clone())),
            None if analysis.columns() == EVENT_COLUMNS => match analysis.save() {
                StateRef::Two(state) => Some(AnyState::Two(state.clone())),
                StateRef::Three(_) => None,
            },
            None => None,
        };
        Ok(())
    }

    fn after_step(&mut self, analysis: &mut dyn Analysis, report: &mut StepReport, place: StepPlace) -> Result<Flow> {
        match (analysis.dynamic(), self.before.take()) {
            (Some(DynamicRef::Two(stepper)), Some(AnyState::Two(before))) => self.watch(stepper, &before, report),
            (Some(DynamicRef::Three(stepper)), Some(AnyState::Three(before))) => self.watch(stepper, &before, report),
            (None, Some(AnyState::Two(before))) => {
                if let AnyModel::Two(model) = self.model {
                    self.watch.observe_report(model, &before, report);
                }
                let now = reported(analysis, report);
                self.record(now);
            }
            // other analyses are observed as often as the history is written
            (None, _) if report.step.is_multiple_of(self.every) || place.last_of_stage => {
                let now = reported(analysis, report);
                self.record(now);
            }
            _ => {}
        }
        Ok(Flow::Continue)
    }
}

/// Values of a stepper at the present time; `before` is its state one step earlier.
fn instant<S: Space>(stepper: &Stepper<S>, before: &State<S>) -> Instant {
    let (model, state, settings) = (stepper.model(), stepper.state(), stepper.settings());
    let half = (1.0 - settings.theta) * settings.step;
    let centroids = before.poses.iter().zip(before.velocities.chunks_exact(S::DOFS)).map(|(pose, v)| {
        let (velocity, _) = S::unpack(v);
        (pose.position + velocity * half).to_3d()
    });
    let (momentum, angular_momentum) = measures::momentum(model, state);
    Instant {
        snapshot: stepper.snapshot(),
        centroids: centroids.collect(),
        kinetic_energy: measures::kinetic_energy(model, state),
        potential_energy: measures::potential_energy(model, state),
        ledger: state.ledger,
        momentum: momentum.to_3d(),
        angular_momentum: S::spin_to_3d(angular_momentum),
        columns: Vec::new(),
    }
}

/// Values of another analysis at the present time.
fn reported(analysis: &dyn Analysis, report: &StepReport) -> Instant {
    let snapshot = analysis.snapshot();
    let columns = analysis.columns().iter().zip(&report.own);
    Instant {
        centroids: snapshot.bodies.iter().map(|body| body.position).collect(),
        snapshot,
        kinetic_energy: report.kinetic_energy,
        potential_energy: report.potential_energy,
        ledger: report.ledger,
        momentum: [0.0; 3],
        angular_momentum: [0.0; 3],
        columns: columns.filter_map(|(column, cell)| Some((column.head, cell.number()?))).collect(),
    }
}

/// True if no body moves farther than `level` [m] in all stages of a model.
pub fn stays(built: &Built, level: f64) -> Result<bool> {
    /// Stops a run when a body has moved too far.
    struct Fall {
        level: f64,
        seen: bool,
    }
    impl Observer for Fall {
        fn after_step(&mut self, _: &mut dyn Analysis, report: &mut StepReport, _: StepPlace) -> Result<Flow> {
            self.seen = report.displacement > self.level;
            Ok(if self.seen { Flow::Stop } else { Flow::Continue })
        }
    }
    let mut fall = Fall { level, seen: false };
    drive::resume(built, first_state(built), &mut [&mut fall], &Control::default())?;
    Ok(!fall.seen)
}

/// The same scene with the bodies numbered from the last to the first.
fn reversed_scene(built: &Built) -> Built {
    let mut other = built.clone();
    let last = built.model.bodies() - 1;
    for change in other.stages.iter_mut().flat_map(|stage| &mut stage.changes) {
        for list in [&mut change.add, &mut change.release, &mut change.remove] {
            list.iter_mut().for_each(|body| *body = last - *body);
        }
    }
    other.model = match &built.model {
        AnyModel::Two(model) => AnyModel::Two(Arc::new(reversed(model))),
        AnyModel::Three(model) => AnyModel::Three(Arc::new(reversed(model))),
    };
    other
}

fn reversed<S: Space>(model: &Model<S>) -> Model<S> {
    let mut other = model.clone();
    other.bodies.reverse();
    for load in &mut other.loads {
        load.body = model.bodies.len() - 1 - load.body;
    }
    for anchor in other.cables.iter_mut().flat_map(|cable| &mut cable.anchors) {
        anchor.body = model.bodies.len() - 1 - anchor.body;
    }
    for piece in other.trains.iter_mut().flat_map(|train| &mut train.deck) {
        piece.body = model.bodies.len() - 1 - piece.body;
    }
    other
}
