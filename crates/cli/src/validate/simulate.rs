//! Runs a scene step by step with observers and the watch on invariants.

use std::sync::Arc;

use voussoir_mechanics::geometry::{Space, Vector};
use voussoir_mechanics::measures;
use voussoir_mechanics::model::Model;
use voussoir_mechanics::snapshot::{Cast, cast};
use voussoir_mechanics::state::State;
use voussoir_mechanics::{MechanicsError, Stepper};
use voussoir_model::{AnyModel, Built, Stage};

use super::invariants::Watch;
use super::probe::{Moment, Probe};
use crate::runner::{first_state, fit_cables};

/// What is left of a run.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// (time, value) of each observer.
    pub histories: Vec<Vec<(f64, f64)>>,
    /// The invariants.
    pub watch: Watch,
    /// Position and velocity of each body at the end, in the order of the scene.
    pub end: Vec<[[f64; 3]; 2]>,
    /// All bits of positions and velocities at the end.
    pub bits: Vec<u64>,
}

/// How a run differs from what the scene says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Not at all.
    #[default]
    AsWritten,
    /// Bodies are numbered from the last to the first.
    Reversed,
}

/// The bodies of a scene.
pub fn cast_of(built: &Built) -> Cast {
    match &built.model {
        AnyModel::Two(model) => cast(model),
        AnyModel::Three(model) => cast(model),
    }
}

/// Runs all stages of a scene.
pub fn simulate(
    built: &Built,
    order: Order,
    probes: &[Probe],
    allowed_penetration: f64,
) -> Result<Simulation, MechanicsError> {
    match &built.model {
        AnyModel::Two(model) => run(model, &built.stages, order, probes, allowed_penetration),
        AnyModel::Three(model) => run(model, &built.stages, order, probes, allowed_penetration),
    }
}

fn run<S: Space>(
    model: &Model<S>,
    stages: &[Stage],
    order: Order,
    probes: &[Probe],
    allowed_penetration: f64,
) -> Result<Simulation, MechanicsError> {
    let model = Arc::new(if order == Order::Reversed { reversed(model) } else { model.clone() });
    let mut stages = stages.to_vec();
    if order == Order::Reversed {
        let last = model.bodies.len() - 1;
        for change in stages.iter_mut().flat_map(|stage| &mut stage.changes) {
            for list in [&mut change.add, &mut change.release, &mut change.remove] {
                list.iter_mut().for_each(|body| *body = last - *body);
            }
        }
    }
    let mut watch = Watch::new(allowed_penetration);
    let mut state = first_state(&model, &stages);
    let mut histories = vec![Vec::new(); probes.len()];
    let mut start: Option<Moment> = None;
    for stage in &stages {
        fit_cables(&model, stage, &mut state)?;
        let mut stepper = Stepper::with_state(model.clone(), stage.settings.clone(), state)?;
        let start = start.get_or_insert_with(|| {
            let start = moment(&stepper, stepper.state());
            record(probes, &start, &start, &mut histories);
            start
        });
        for done in 0..stage.steps {
            for change in stage.changes.iter().filter(|change| change.after == done) {
                stepper.change(change)?;
            }
            let before = stepper.state().clone();
            let report = stepper.step()?;
            watch.observe(&before, &stepper, &report);
            record(probes, start, &moment(&stepper, &before), &mut histories);
        }
        state = stepper.state().clone();
    }
    let mut end: Vec<[[f64; 3]; 2]> = (0..model.bodies.len())
        .map(|i| {
            let (velocity, _) = S::unpack(&state.velocities[i * S::DOFS..][..S::DOFS]);
            [state.poses[i].position.to_3d(), velocity.to_3d()]
        })
        .collect();
    if order == Order::Reversed {
        end.reverse();
    }
    let turned = state.poses.iter().flat_map(|pose| S::rotation_to_quaternion(pose.rotation));
    let bits = end.iter().flatten().flatten().copied().chain(turned).chain(state.velocities.iter().copied());
    Ok(Simulation { histories, watch, bits: bits.map(f64::to_bits).collect(), end })
}

fn record(probes: &[Probe], start: &Moment, now: &Moment, histories: &mut [Vec<(f64, f64)>]) {
    for (probe, history) in probes.iter().zip(histories) {
        if let Some(value) = probe.observe(start, now) {
            history.push((now.snapshot.time, value));
        }
    }
}

/// The present moment of a stepper that was at `before` one step ago.
fn moment<S: Space>(stepper: &Stepper<S>, before: &State<S>) -> Moment {
    let (model, state, settings) = (stepper.model(), stepper.state(), stepper.settings());
    let half = (1.0 - settings.theta) * settings.step;
    let centroids = before.poses.iter().zip(before.velocities.chunks_exact(S::DOFS)).map(|(pose, v)| {
        let (velocity, _) = S::unpack(v);
        (pose.position + velocity * half).to_3d()
    });
    let (momentum, angular_momentum) = measures::momentum(model, state);
    Moment {
        snapshot: stepper.snapshot(),
        centroids: centroids.collect(),
        kinetic_energy: measures::kinetic_energy(model, state),
        potential_energy: measures::potential_energy(model, state),
        ledger: state.ledger,
        momentum: momentum.to_3d(),
        angular_momentum: S::spin_to_3d(angular_momentum),
    }
}

/// The same model with the bodies numbered from the last to the first.
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
