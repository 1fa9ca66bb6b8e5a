//! The loop over all stages of a scene, for every command: `run`, `resume`, `validate`, searches.
//!
//! The loop has no files and no clock; observers watch it. A run is a function of the model, the stages and the initial
//! state: a resumed run is bit-identical to an uninterrupted run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use voussoir_mechanics::analysis::{Analysis, StageEnd};
use voussoir_mechanics::construction::Change;
use voussoir_mechanics::model::DynamicSettings;
use voussoir_mechanics::snapshot::{Cast, Snapshot};
use voussoir_mechanics::state::Presence;
use voussoir_mechanics::{AnyModel, AnyState};
use voussoir_mechanics::{dynamic, events, explicit};
use voussoir_model::{Built, Stage, StageAnalysis, StaticSettings, waiting};
use voussoir_statics::AnyStructure;
use voussoir_statics::stand::StandSettings;
use voussoir_statics::study::{Study, Wishes, study};

use crate::error::Result;
use crate::observe::{Flow, Observer, StepPlace};

/// Control of a run: interruption and clock.
#[derive(Clone, Debug, Default)]
pub struct Control {
    /// Raised from outside: the run ends after the present step.
    pub stop: Arc<AtomicBool>,
    /// Clock [s] for the computing times that analyses report and for checkpoints by time; it changes no result.
    pub clock: Option<fn() -> f64>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All stages are done.
    Finished,
    /// It was stopped; it can be resumed from its state.
    Interrupted,
}

/// How and where a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct RunOutcome {
    /// How it ended.
    pub ending: Ending,
    /// Where it ended.
    pub state: AnyState,
}

/// Facts of a scene before its run.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// Bodies as recorders and pictures see them.
    pub cast: Cast,
    /// Mass of the free bodies [kg].
    pub mass: f64,
    /// Weight of the free bodies [N].
    pub weight: f64,
    /// Kinetic energy at the start [J].
    pub kinetic_energy: f64,
}

impl Facts {
    /// The facts of a scene.
    pub fn of(built: &Built) -> Self {
        let released = released_at_once(built);
        let mut presence = vec![Presence::There; built.model.bodies()];
        released.iter().for_each(|&body| presence[body] = Presence::Released);
        let (mass, weight) = built.model.present(&presence).mass_and_weight();
        let kinetic_energy = built.model.kinetic_energy(&first_state(built));
        let mut cast = built.model.cast();
        mark_released(&mut cast, built);
        Self { cast, mass, weight, kinetic_energy }
    }
}

/// Supports that the first stage releases at its start: they are free in all steps.
fn released_at_once(built: &Built) -> Vec<usize> {
    let first = built.stages.first().map_or(&[][..], |stage| &stage.changes);
    first.iter().filter(|change| change.after == 0).flat_map(|change| change.release.iter().copied()).collect()
}

/// Marks supports that are released at the start of the run as free.
pub fn mark_released(cast: &mut Cast, built: &Built) {
    for body in released_at_once(built) {
        cast.bodies[body].support = false;
    }
}

/// The state in which the stages start: bodies that they add are absent.
pub fn first_state(built: &Built) -> AnyState {
    built.model.initial_state(&waiting(&built.stages))
}

/// Steps of all stages, as far as they are known before the run.
pub fn total_steps(stages: &[Stage]) -> u64 {
    stages.iter().map(Stage::steps).sum()
}

/// Run all stages of a scene from the start.
pub fn run(built: &Built, observers: &mut [&mut dyn Observer], control: &Control) -> Result<RunOutcome> {
    built.model.check()?;
    let mut state = first_state(built);
    let first = first_snapshot(built, &mut state)?;
    for observer in observers.iter_mut() {
        observer.start(&first, state.borrow())?;
    }
    resume(built, state, observers, control)
}

/// Runs the remaining stages of a scene from a state of its model.
pub fn resume(
    built: &Built,
    mut state: AnyState,
    observers: &mut [&mut dyn Observer],
    control: &Control,
) -> Result<RunOutcome> {
    while let Some(stage) = built.stages.get(state.position().stage) {
        if state.position().steps == 0 {
            state.change_cables(&built.model, &stage.cables)?;
        }
        match &stage.analysis {
            StageAnalysis::Dynamic(_) | StageAnalysis::Explicit(_) | StageAnalysis::Events(_) => {
                let mut analysis = begin(&built.model, &stage.analysis, state)?;
                let ending = drive(&mut *analysis, stage.end, &stage.changes, observers, control)?;
                state = analysis.into_state();
                if ending == Ending::Interrupted {
                    return finish(state, ending, observers);
                }
            }
            StageAnalysis::Static(settings) => {
                for change in &stage.changes {
                    state.change(&built.model, change)?;
                }
                let study = answer(&built.model, &state, settings)?.0;
                let stage = state.position().stage;
                for observer in observers.iter_mut() {
                    observer.answer(stage, &study)?;
                }
            }
        }
        state.begin_next_stage();
    }
    finish(state, Ending::Finished, observers)
}

/// Starts the analysis of a stage that takes time; a static stage takes none and begins as a dynamic one would.
pub fn begin(model: &AnyModel, analysis: &StageAnalysis, state: AnyState) -> Result<Box<dyn Analysis>> {
    Ok(match analysis {
        StageAnalysis::Dynamic(settings) => dynamic::begin(model, settings, state)?,
        StageAnalysis::Explicit(settings) => explicit::begin(model, settings, state)?,
        StageAnalysis::Events(settings) => events::begin(model, settings, state)?,
        StageAnalysis::Static(_) => dynamic::begin(model, &DynamicSettings::default(), state)?,
    })
}

/// Drives one analysis to the end of its stage. The position in the state determines the remaining steps.
pub fn drive(
    analysis: &mut dyn Analysis,
    end: StageEnd,
    changes: &[Change],
    observers: &mut [&mut dyn Observer],
    control: &Control,
) -> Result<Ending> {
    let (position, mut time) = {
        let state = analysis.save();
        (state.position(), state.time())
    };
    let (stage, mut done) = (position.stage, position.steps);
    let is_over = |analysis: &dyn Analysis, done: u64, time: f64| match end {
        StageEnd::Steps(steps) => done >= steps || analysis.is_done(),
        // times are sums of steps
        StageEnd::Time(duration) => time - position.begun >= duration * (1.0 - 1e-12) || analysis.is_done(),
        StageEnd::WhenDone => analysis.is_done(),
    };
    if let Some(clock) = control.clock {
        analysis.set_clock(clock);
    }
    for observer in observers.iter_mut() {
        observer.stage(stage, analysis)?;
    }
    while !is_over(analysis, done, time) {
        if control.stop.load(Ordering::SeqCst) {
            return Ok(Ending::Interrupted);
        }
        for change in changes.iter().filter(|change| change.after == done) {
            analysis.change(change)?;
        }
        for observer in observers.iter_mut() {
            observer.before_step(analysis)?;
        }
        let mut report = analysis.advance()?;
        (done, time) = (done + 1, report.time);
        let place = StepPlace { stage, last_of_stage: is_over(analysis, done, time) };
        let mut flow = Flow::Continue;
        for observer in observers.iter_mut() {
            if observer.after_step(analysis, &mut report, place)? == Flow::Stop {
                flow = Flow::Stop;
            }
        }
        if flow == Flow::Stop {
            return Ok(Ending::Interrupted);
        }
    }
    Ok(Ending::Finished)
}

fn finish(state: AnyState, ending: Ending, observers: &mut [&mut dyn Observer]) -> Result<RunOutcome> {
    for observer in observers.iter_mut() {
        observer.end(state.borrow())?;
    }
    Ok(RunOutcome { ending, state })
}

/// The snapshot before the first step, with the bodies that the first stage begins with; a static first stage adds the
/// contact forces.
fn first_snapshot(built: &Built, state: &mut AnyState) -> Result<Snapshot> {
    let first = built.stages.first();
    let settings = built.stages.iter().find_map(Stage::dynamic).cloned().unwrap_or_else(DynamicSettings::default);
    let mut analysis = dynamic::begin(&built.model, &settings, state.clone())?;
    let changes = first.and_then(|stage| stage.changes.first());
    if let Some(change) = changes.filter(|change| change.after == 0) {
        analysis.change(change)?;
    }
    let mut snapshot = analysis.snapshot();
    *state = analysis.into_state();
    if let Some(stage) = first
        && let StageAnalysis::Static(settings) = &stage.analysis
    {
        let mut state = state.clone();
        state.change_cables(&built.model, &stage.cables)?;
        let (study, bodies) = answer(&built.model, &state, settings)?;
        snapshot.contacts = study.structure.snapshot(None, 0.0).contacts;
        for contact in &mut snapshot.contacts {
            contact.bodies = contact.bodies.map(|body| bodies[body as usize] as u32);
        }
    }
    Ok(snapshot)
}

/// Decides whether a structure stands in a state; returns the indices of its bodies in the model.
fn answer(model: &AnyModel, state: &AnyState, settings: &StaticSettings) -> Result<(Study, Vec<usize>)> {
    let (structure, bodies) = AnyStructure::at_state(model, state)?;
    let settings = StandSettings { time: state.time(), tolerance: settings.tolerance, ..StandSettings::default() };
    Ok((study(structure, &Wishes { settings, lines: true, ..Wishes::default() })?, bodies))
}
