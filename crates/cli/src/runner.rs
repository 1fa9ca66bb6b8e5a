//! All stages of a scene, one step after the other. Knows no files: what a run gives goes to a [`Sink`].
//!
//! A run is a function of the model, the stages and the state it starts from; a run that was stopped and goes on
//! from its last checkpoint hands out the same bits as one that was not.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde::Serialize;
use voussoir_contact::Problem;
use voussoir_geometry::{D2, D3, Space};
use voussoir_mechanics::model::{DynamicSettings, Model};
use voussoir_mechanics::report::StepReport;
use voussoir_mechanics::snapshot::{Cast, Snapshot, cast};
use voussoir_mechanics::state::State;
use voussoir_mechanics::{MechanicsError, Stepper, construction, measures};
use voussoir_model::{Analysis, AnyModel, Built, Checkpoint, Record, Stage, waiting};
use voussoir_problems::ProblemError;
use voussoir_results::measures::{couple, observe};
use voussoir_results::{Recorder, ResultsError};
use voussoir_statics::stand::StandSettings;
use voussoir_statics::structure::CLOSED;
use voussoir_statics::{StaticsError, Structure};

use crate::statics::moment;
use crate::statics::study::{Study, Wishes, study};

/// A state of either dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyState {
    /// In the plane.
    Two(State<D2>),
    /// In space.
    Three(State<D3>),
}

/// A state that is looked at; written like the state itself.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub enum StateRef<'a> {
    /// In the plane.
    Two(&'a State<D2>),
    /// In space.
    Three(&'a State<D3>),
}

/// What a static stage found.
#[derive(Clone, Copy, Debug)]
pub enum StudyRef<'a> {
    /// In the plane.
    Two(&'a Study<D2>),
    /// In space.
    Three(&'a Study<D3>),
}

/// The contact problem of a step, before it is solved.
#[derive(Clone, Copy, Debug)]
pub struct StepProblem<'a> {
    /// The step, from 1.
    pub step: u64,
    /// Time at its start [s].
    pub time: f64,
    /// The problem.
    pub problem: &'a Problem,
    /// Impulses that the solver starts from (contacts × dim) [N·s].
    pub warm: &'a [f64],
}

/// Takes what a run gives, in order: the first frame, then for each step its problem if it is wanted, its report, its
/// frame if one is due, and a checkpoint if one is due.
pub trait Sink {
    /// True when the contact problem of a step is wanted.
    fn wants_problem(&self, _step: u64) -> bool {
        false
    }
    /// A step is about to be done.
    fn problem(&mut self, _problem: StepProblem<'_>) -> Result<(), ProblemError> {
        Ok(())
    }
    /// A step was done.
    fn step(&mut self, report: &StepReport) -> Result<(), ResultsError>;
    /// A static stage was looked at.
    fn statics(&mut self, _stage: usize, _study: StudyRef<'_>) -> Result<(), RunError> {
        Ok(())
    }
    /// A moment to keep.
    fn frame(&mut self, snapshot: &Snapshot) -> Result<(), ResultsError>;
    /// Everything that is needed to go on from here.
    fn checkpoint(&mut self, state: StateRef<'_>, stage: usize) -> Result<(), ResultsError>;
}

impl Sink for Recorder {
    fn step(&mut self, report: &StepReport) -> Result<(), ResultsError> {
        Self::step(self, report)
    }

    fn frame(&mut self, snapshot: &Snapshot) -> Result<(), ResultsError> {
        Self::frame(self, snapshot)
    }

    fn checkpoint(&mut self, state: StateRef<'_>, stage: usize) -> Result<(), ResultsError> {
        Self::checkpoint(self, &state, stage)
    }
}

/// How a run is stopped from outside.
#[derive(Clone, Debug, Default)]
pub struct Control {
    /// Raised: the run ends after the present step.
    pub stop: Arc<AtomicBool>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All stages are done.
    Finished,
    /// It was told to stop; the last checkpoint is where it stands.
    Interrupted,
}

/// What a run says about itself.
#[derive(Clone, Debug, PartialEq)]
pub struct RunOutcome {
    /// How it ended.
    pub ending: Ending,
    /// Where it ended.
    pub state: AnyState,
}

/// What ends a run before its time.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The model or a step.
    #[error(transparent)]
    Mechanics(#[from] MechanicsError),
    /// What was to be kept.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// A problem that was to be kept.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// A static stage.
    #[error(transparent)]
    Statics(#[from] StaticsError),
    /// What a static stage was to leave behind.
    #[error("{0}")]
    Written(String),
}

/// Runs all stages of a scene from the start.
pub fn run_scene(built: &Built, sink: &mut dyn Sink, control: &Control) -> Result<RunOutcome, RunError> {
    match &built.model {
        AnyModel::Two(model) => run(built, model, None, sink, control),
        AnyModel::Three(model) => run(built, model, None, sink, control),
    }
}

/// Runs what is left of the stages of a scene. The state must be of the model's dimension.
pub fn resume_scene(
    built: &Built,
    state: AnyState,
    sink: &mut dyn Sink,
    control: &Control,
) -> Result<RunOutcome, RunError> {
    match (&built.model, state) {
        (AnyModel::Two(model), AnyState::Two(state)) => run(built, model, Some(state), sink, control),
        (AnyModel::Three(model), AnyState::Three(state)) => run(built, model, Some(state), sink, control),
        (model, _) => {
            let expected = model.dimension();
            Err(ResultsError::Mismatch { what: "dimension of the state", found: 5 - expected, expected }.into())
        }
    }
}

/// What is known about a model before it runs.
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
    /// Looks at a scene.
    pub fn of(built: &Built) -> Self {
        fn facts<S: Space>(model: &Model<S>, stages: &[Stage]) -> Facts {
            let (mass, weight) = measures::mass_and_weight(model);
            let kinetic_energy = measures::kinetic_energy(model, &first_state(model, stages));
            Facts { cast: cast(model), mass, weight, kinetic_energy }
        }
        match &built.model {
            AnyModel::Two(model) => facts(model, &built.stages),
            AnyModel::Three(model) => facts(model, &built.stages),
        }
    }
}

/// The state in which the stages start: bodies that they add are not there.
pub fn first_state<S: Space>(model: &Model<S>, stages: &[Stage]) -> State<S> {
    let mut state = State::initial(model);
    state.wait(&waiting(stages));
    state
}

/// Steps of all stages.
pub fn total_steps(stages: &[Stage]) -> u64 {
    stages.iter().map(|stage| stage.steps).sum()
}

/// A dimension that can be run.
trait Runnable: Space {
    fn refer(state: &State<Self>) -> StateRef<'_>;
    fn keep(state: State<Self>) -> AnyState;
    fn look(study: &Study<Self>) -> StudyRef<'_>;
}

impl Runnable for D2 {
    fn refer(state: &State<Self>) -> StateRef<'_> {
        StateRef::Two(state)
    }
    fn keep(state: State<Self>) -> AnyState {
        AnyState::Two(state)
    }
    fn look(study: &Study<Self>) -> StudyRef<'_> {
        StudyRef::Two(study)
    }
}

impl Runnable for D3 {
    fn refer(state: &State<Self>) -> StateRef<'_> {
        StateRef::Three(state)
    }
    fn keep(state: State<Self>) -> AnyState {
        AnyState::Three(state)
    }
    fn look(study: &Study<Self>) -> StudyRef<'_> {
        StudyRef::Three(study)
    }
}

fn run<S: Runnable>(
    built: &Built,
    model: &Model<S>,
    start: Option<State<S>>,
    sink: &mut dyn Sink,
    control: &Control,
) -> Result<RunOutcome, RunError> {
    let model = Arc::new(model.clone());
    let cast = cast(&model);
    // the first frame and a checkpoint, so that a run can be taken up from its first moment
    let mut state = match start {
        Some(state) => state,
        None => {
            model.check()?;
            let state = first_state(&model, &built.stages);
            let mut stepper = Stepper::with_state(Arc::clone(&model), DynamicSettings::default(), state)?;
            // what the first stage begins with is there from the first moment
            let first_changes = built.stages.first().and_then(|stage| stage.changes.first());
            if let Some(change) = first_changes.filter(|change| change.after == 0) {
                stepper.change(change)?;
            }
            let mut first = stepper.snapshot();
            // a static stage at the start knows the forces of the first moment
            if let Some(stage) = built.stages.first().filter(|stage| stage.analysis == Analysis::Static) {
                let (study, bodies) = look(&model, stepper.state(), stage)?;
                first.contacts = moment::frame(&study.structure, None, 0.0).contacts;
                for contact in &mut first.contacts {
                    contact.bodies = contact.bodies.map(|body| bodies[body as usize] as u32);
                }
            }
            sink.frame(&first)?;
            sink.checkpoint(S::refer(stepper.state()), 0)?;
            stepper.state().clone()
        }
    };
    let mut due = Due::new(&built.record);
    let mut end = 0;
    for (index, stage) in built.stages.iter().enumerate() {
        let start = end;
        end += stage.steps;
        // one that was looked at before a stop is looked at again: it leaves the same
        if stage.analysis == Analysis::Static && state.step == end {
            for change in &stage.changes {
                construction::change(&model, &mut state, change)?;
            }
            sink.statics(index, S::look(&look(&model, &state, stage)?.0))?;
        }
        if state.step >= end {
            continue;
        }
        let mut stepper = Stepper::with_state(Arc::clone(&model), stage.settings.clone(), state)?;
        stepper.set_clock(seconds);
        while stepper.state().step < end {
            if control.stop.load(Ordering::SeqCst) {
                sink.checkpoint(S::refer(stepper.state()), index)?;
                return Ok(RunOutcome { ending: Ending::Interrupted, state: S::keep(stepper.state().clone()) });
            }
            // what was done before a stop is not done again
            let done = stepper.state().step - start;
            for change in stage.changes.iter().filter(|change| change.after == done) {
                stepper.change(change)?;
            }
            let step = stepper.state().step + 1;
            if sink.wants_problem(step) {
                let time = stepper.state().time;
                let (problem, warm) = stepper.next_problem();
                sink.problem(StepProblem { step, time, problem: &problem, warm: &warm })?;
            }
            let mut report = stepper.step()?;
            if !built.probes.is_empty() {
                let moment = stepper.snapshot();
                report.probes = built.probes.iter().map(|probe| observe(probe, &cast, &moment)).collect();
            }
            sink.step(&report)?;
            if report.step % built.record.every == 0 || report.step == end {
                let mut moment = stepper.snapshot();
                if built.record.coupled {
                    couple(&mut moment, S::DIM);
                }
                sink.frame(&moment)?;
            }
            if due.now(report.step) {
                sink.checkpoint(S::refer(stepper.state()), index)?;
            }
        }
        state = stepper.state().clone();
    }
    sink.checkpoint(S::refer(&state), built.stages.len().saturating_sub(1))?;
    Ok(RunOutcome { ending: Ending::Finished, state: S::keep(state) })
}

/// Looks whether a structure stands where it is; gives the numbers of its bodies in the model.
fn look<S: Space>(
    model: &Arc<Model<S>>,
    state: &State<S>,
    stage: &Stage,
) -> Result<(Study<S>, Vec<usize>), StaticsError> {
    let (part, bodies) = construction::present(model, &state.presence);
    let poses = bodies.iter().map(|&body| state.poses[body]).collect();
    let structure = Structure::at(Arc::new(part), poses, CLOSED)?;
    let settings = StandSettings { time: state.time, tolerance: stage.settings.tolerance, ..StandSettings::default() };
    Ok((study(structure, &Wishes { settings, lines: true, ..Wishes::default() })?, bodies))
}

/// When checkpoints are due. They change no result.
struct Due {
    rule: Checkpoint,
    last: Instant,
}

impl Due {
    fn new(record: &Record) -> Self {
        Self { rule: record.checkpoint, last: Instant::now() }
    }

    fn now(&mut self, step: u64) -> bool {
        let due = match self.rule {
            Checkpoint::Steps(steps) => step.is_multiple_of(steps.max(1)),
            Checkpoint::Seconds(seconds) => {
                self.last.elapsed() >= Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
            }
        };
        if due {
            self.last = Instant::now();
        }
        due
    }
}

/// Seconds since the first call.
fn seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}
