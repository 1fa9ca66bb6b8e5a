//! Settings of the analyses and of the recorder.

use voussoir_geometry::{Detection, Method, Nodes};
use voussoir_mechanics::analysis::StageEnd;
use voussoir_mechanics::cable::CableChange;
use voussoir_mechanics::construction::Change;
use voussoir_mechanics::contact::SolverKind;
use voussoir_mechanics::events::EventSettings;
use voussoir_mechanics::explicit::ExplicitSettings;
use voussoir_mechanics::model::{AutomaticStep, DynamicSettings, FrictionLaw, GapRule, JointTable};

use super::cables;
use super::check::SceneCheck;
use super::explicit::{self, Find};
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::Scene;
use crate::scene::stages::{
    CheckpointSpec, DetectionSpec, DynamicKeys, DynamicStepSpec, EventKeys, FrictionLawSpec, Gap, NodesSpec,
    PointForces, RecordSpec, StageAnalysisKeys, StageSpec, StepLimits,
};

/// Largest number of steps of one stage.
const MOST_STEPS: f64 = 1e9;
/// Limits of automatic steps [s], and their error relative to the size of a body.
const LEAST_STEP: f64 = 1e-5;
const LARGEST_STEP: f64 = 1e-2;
const STEP_ERROR: f64 = 1e-3;
/// Recovery speed of `gap = "stabilized"` when none is given [m/s].
const RECOVERY_SPEED: f64 = 0.1;

/// The analysis of a stage, with its settings.
#[derive(Clone, Debug, PartialEq)]
pub enum StageAnalysis {
    /// Motion in time.
    Dynamic(DynamicSettings),
    /// Discrete elements in the plane.
    Explicit(ExplicitSettings),
    /// Static verdict on the state at the end of the previous stage; takes no time and no steps.
    Static(StaticSettings),
    /// Event-driven analysis: motion from impact to impact.
    Events(EventSettings),
}

/// Settings of a static stage.
#[derive(Clone, Debug, PartialEq)]
pub struct StaticSettings {
    /// Tolerance on the imbalance of forces, relative to the loads.
    pub tolerance: f64,
}

/// One stage of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Analysis with its settings.
    pub analysis: StageAnalysis,
    /// End of the stage.
    pub end: StageEnd,
    /// Changes of cables when the stage begins, by index of the cable.
    pub cables: Vec<(usize, CableChange)>,
    /// Bodies that are added, removed and released, in order.
    pub changes: Vec<Change>,
}

impl Stage {
    /// Number of steps; 0 if it is not known before the run.
    pub fn steps(&self) -> u64 {
        match (&self.analysis, self.end) {
            (StageAnalysis::Static(_), _) => 0,
            (_, StageEnd::Steps(steps)) => steps,
            // automatic steps
            (StageAnalysis::Dynamic(_), StageEnd::Time(_)) => 0,
            (StageAnalysis::Events(settings), StageEnd::Time(duration)) => (duration / settings.step).ceil() as u64,
            (StageAnalysis::Explicit(_), StageEnd::Time(_)) | (_, StageEnd::WhenDone) => 0,
        }
    }

    /// Simulated time [s].
    pub fn duration(&self) -> f64 {
        match (&self.analysis, self.end) {
            (StageAnalysis::Dynamic(settings), StageEnd::Steps(steps)) => steps as f64 * settings.step,
            (StageAnalysis::Events(settings), StageEnd::Steps(steps)) => steps as f64 * settings.step,
            (_, StageEnd::Time(duration)) => duration,
            _ => 0.0,
        }
    }

    /// Settings of a dynamic stage.
    pub fn dynamic(&self) -> Option<&DynamicSettings> {
        match &self.analysis {
            StageAnalysis::Dynamic(settings) => Some(settings),
            StageAnalysis::Explicit(_) | StageAnalysis::Static(_) | StageAnalysis::Events(_) => None,
        }
    }

    /// Tolerance of the stage's certificate.
    pub fn tolerance(&self) -> f64 {
        match &self.analysis {
            StageAnalysis::Dynamic(settings) => settings.motion_tolerance(),
            // no contact problem is solved
            StageAnalysis::Explicit(_) => 0.0,
            StageAnalysis::Static(settings) => settings.tolerance,
            StageAnalysis::Events(settings) => settings.tolerance,
        }
    }
}

/// Settings of the recorder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordSettings {
    /// One frame every so many steps, at least 1.
    pub every: u64,
    /// One row of the history every so many steps, at least 1.
    pub history_every: u64,
    /// Interval between checkpoints.
    pub checkpoint: CheckpointInterval,
    /// Points of a joint share its force by the coupled rule.
    pub coupled: bool,
}

/// Interval between checkpoints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CheckpointInterval {
    /// Every so many steps, at least 1.
    Steps(u64),
    /// Every so many seconds of computing.
    Seconds(f64),
}

/// Bodies that are absent at the start.
pub fn waiting(stages: &[Stage]) -> Vec<usize> {
    stages.iter().flat_map(|stage| &stage.changes).flat_map(|change| change.add.iter().copied()).collect()
}

/// Checks all stages; `changes` are those of each, numbered from 0.
pub fn stages(
    check: &SceneCheck<'_>,
    scene: &Scene,
    joints: &JointTable,
    changes: Vec<Vec<Change>>,
    find: Find<'_>,
) -> Result<Vec<Stage>, SceneError> {
    let root = Place::ROOT;
    let list = root.key("stages");
    let loads: Vec<String> = scene.loads.iter().map(|load| load.name.clone()).collect();
    let one = |(i, (stage, changes)): (usize, (&StageSpec, Vec<Change>))| {
        let place = list.index(i);
        let cables = cables::changes(check, &place, &stage.changes.cables, scene)?;
        match &stage.analysis {
            StageAnalysisKeys::Dynamic(keys) => {
                let plane =
                    [("detection", keys.detection == Some(DetectionSpec::Rounded)), ("points", keys.points == Some(3))];
                if let Some((key, _)) = plane.into_iter().find(|(_, given)| *given && scene.dim != 2) {
                    return Err(check.error(&place.key(key), "rounded corners and middle points are for 2D scenes"));
                }
                let stage = dynamic(check, &place, keys, changes)?;
                stage.dynamic().map_or(Ok(()), |settings| check_laws(check, &place, settings, joints))?;
                Ok(Stage { cables, ..stage })
            }
            StageAnalysisKeys::Explicit(keys) => {
                let every = scene.record.history_every;
                let stage = explicit::explicit(check, &place, keys, changes, (find, &loads, every, scene.dim.into()))?;
                Ok(Stage { cables, ..stage })
            }
            StageAnalysisKeys::Static(keys) => {
                let tolerance = tolerance(check, &place, keys.tolerance)?;
                let analysis = StageAnalysis::Static(StaticSettings { tolerance });
                Ok(Stage { analysis, end: StageEnd::WhenDone, cables, changes })
            }
            StageAnalysisKeys::Events(keys) => {
                if scene.dim != 2 {
                    return Err(check
                        .error(&place.key("analysis"), "analysis \"events\" is for 2D scenes")
                        .with_help("write dim = 2, or analysis = \"dynamic\""));
                }
                if let Some(what) = EventSettings::unsupported(joints) {
                    let message = format!("analysis \"events\" does not support {what}");
                    return Err(check.error(&place.key("analysis"), message).with_help("use analysis = \"dynamic\""));
                }
                Ok(Stage { cables, ..events(check, &place, keys, changes)? })
            }
        }
    };
    scene.stages.iter().zip(changes).enumerate().map(one).collect()
}

fn events(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &EventKeys,
    changes: Vec<Change>,
) -> Result<Stage, SceneError> {
    let needed = |key: &str, value: Option<f64>| match value {
        Some(value) => check.positive(&place.key(key), &format!("the {key}"), value),
        None => Err(check.error(&place.key(key), format!("an event-driven stage needs `{key}` [s]"))),
    };
    let (step, duration) = (needed("step", keys.step)?, needed("duration", keys.duration)?);
    let steps = count_steps(check, place, "duration", duration, step)?;
    if steps as f64 > MOST_STEPS {
        let message = format!("{:e} steps, more than {MOST_STEPS:e}", steps as f64);
        return Err(check.error(&place.key("step"), message));
    }
    let default = EventSettings::default();
    let count = |key: &str, given: Option<u64>, default: u64| {
        check.count(&place.key(key), &format!("`{key}`"), given.unwrap_or(default), 0, 1_000_000)
    };
    let not_negative = |key: &str, what: &str, given: f64| check.not_negative(&place.key(key), what, given);
    let settings = EventSettings {
        step,
        collision_distance: match keys.collision_distance {
            Some(distance) => Some(not_negative("collision_distance", "the collision distance", distance)?),
            None => None,
        },
        impacts: count("impacts", keys.impacts, u64::from(default.impacts))? as u32,
        tolerance: tolerance(check, place, keys.tolerance)?,
        relaxation: not_negative("relaxation", "the relaxation", keys.relaxation.unwrap_or(0.0))?,
        lemke: count("lemke_contacts", keys.lemke_contacts, default.lemke as u64)?,
        solver: keys.solver.unwrap_or_default(),
    };
    Ok(Stage { analysis: StageAnalysis::Events(settings), end: StageEnd::Steps(steps), cables: Vec::new(), changes })
}

fn dynamic(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &DynamicKeys,
    mut changes: Vec<Change>,
) -> Result<Stage, SceneError> {
    let needed = |key: &str, value: Option<f64>| match value {
        Some(value) => check.positive(&place.key(key), &format!("the {key}"), value),
        None => Err(check.error(&place.key(key), format!("a dynamic stage needs `{key}` [s]"))),
    };
    let (step, automatic) = match keys.step {
        Some(DynamicStepSpec::Seconds(step)) => (needed("step", Some(step))?, None),
        None => (needed("step", None)?, None),
        Some(DynamicStepSpec::Word(_)) => automatic_step(check, place, keys, StepLimits::default())?,
        Some(DynamicStepSpec::Limits(limits)) => automatic_step(check, place, keys, limits)?,
    };
    let steps = match &keys.build {
        _ if automatic.is_some() => 1,
        None => {
            let duration = needed("duration", keys.duration)?;
            count_steps(check, place, "duration", duration, step)?
        }
        Some(build) => {
            let own = place.key("build");
            let pause = check.positive(&own.key("pause"), "the pause", build.pause)?;
            let between = count_steps(check, place, "pause", pause, step)?;
            let groups = changes.len() as u64;
            changes.iter_mut().for_each(|change| change.after *= between);
            let rest = keys.duration.map_or(Ok(0), |rest| {
                let rest = check.positive(&place.key("duration"), "the duration", rest)?;
                count_steps(check, place, "duration", rest, step)
            })?;
            groups.saturating_mul(between).saturating_add(rest)
        }
    };
    if steps as f64 > MOST_STEPS {
        let message = format!("{:e} steps, more than {MOST_STEPS:e}", steps as f64);
        return Err(check.error(&place.key("step"), message));
    }
    let default = DynamicSettings::default();
    let settings = DynamicSettings {
        step,
        automatic,
        theta: check.between(&place.key("theta"), "theta", keys.theta.unwrap_or(default.theta), 0.5, 1.0)?,
        tolerance: tolerance(check, place, keys.tolerance)?,
        motion_tolerance: motion_tolerance(check, place, keys)?,
        alert: match keys.alert {
            Some(alert) => Some(check.length(&place.key("alert"), "the alert distance", alert)?),
            None => None,
        },
        gap: gap(check, place, keys)?,
        detection: detection(check, place, keys)?,
        solver: keys.solver.unwrap_or_default(),
        sweeping: default.sweeping,
        friction_law: match keys.friction_law.unwrap_or_default() {
            FrictionLawSpec::Coulomb => FrictionLaw::Coulomb,
            FrictionLawSpec::Associated => FrictionLaw::Associated,
        },
    };
    let end = automatic.map_or(StageEnd::Steps(steps), |automatic| StageEnd::Time(automatic.duration));
    Ok(Stage { analysis: StageAnalysis::Dynamic(settings), end, cables: Vec::new(), changes })
}

/// Settings of contact detection.
fn detection(check: &SceneCheck<'_>, place: &Place<'_>, keys: &DynamicKeys) -> Result<Detection, SceneError> {
    let method = match keys.detection.unwrap_or_default() {
        DetectionSpec::Clip => Method::Clip,
        DetectionSpec::CommonPlane => Method::CommonPlane,
        DetectionSpec::Swept => Method::Swept,
        DetectionSpec::Rounded => Method::Rounded,
    };
    let nodes = match keys.nodes.unwrap_or_default() {
        NodesSpec::All => Nodes::All,
        NodesSpec::Four => Nodes::Four,
        NodesSpec::Three => Nodes::Three,
    };
    let own = place.key("rounding");
    let rounding = match (method, keys.rounding) {
        (Method::Rounded, Some(rounding)) => check.length(&own, "the rounding", rounding)?,
        (Method::Rounded, None) => {
            return Err(check
                .error(&place.key("detection"), "detection = \"rounded\" needs the `rounding` of the corners")
                .with_help("for instance rounding = 0.01 [m]"));
        }
        (_, Some(_)) => {
            return Err(check
                .error(&own, "`rounding` belongs to detection = \"rounded\"")
                .with_help("write detection = \"rounded\", or remove `rounding`"));
        }
        (_, None) => 0.0,
    };
    let points = keys.points.unwrap_or(2);
    if !matches!(points, 2 | 3) {
        return Err(check.error(&place.key("points"), format!("points = {points}: expected 2 or 3")));
    }
    Ok(Detection { method, nodes, rounding, middle: points == 3 })
}

/// The first step and the limits of automatic steps.
fn automatic_step(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &DynamicKeys,
    limits: StepLimits,
) -> Result<(f64, Option<AutomaticStep>), SceneError> {
    let own = place.key("step");
    if keys.build.is_some() {
        let message = "`build` pauses for a number of equal steps and needs a `step` in seconds";
        return Err(check.error(&own, message));
    }
    let Some(duration) = keys.duration else {
        return Err(check.error(&place.key("duration"), "a dynamic stage needs `duration` [s]"));
    };
    let duration = check.positive(&place.key("duration"), "the duration", duration)?;
    let given = |key: &str, value: Option<f64>, default: f64| {
        check.positive(&own.key(key), &format!("`{key}`"), value.unwrap_or(default))
    };
    let least = given("least", limits.least, LEAST_STEP)?;
    let largest = given("largest", limits.largest, LARGEST_STEP.max(least))?;
    if largest < least {
        return Err(check.error(&own.key("largest"), format!("`largest` {largest} s is less than `least` {least} s")));
    }
    let error = given("error", limits.error, STEP_ERROR)?;
    let first = DynamicSettings::default().step.clamp(least, largest);
    Ok((first, Some(AutomaticStep { least, largest, error, duration })))
}

/// Number of steps of an interval of time: a multiple of the step up to rounding gives that multiple.
fn count_steps(check: &SceneCheck<'_>, place: &Place<'_>, what: &str, time: f64, step: f64) -> Result<u64, SceneError> {
    if step > time * (1.0 + 1e-9) {
        let message = format!("the step {step} s is longer than the {what} {time} s");
        return Err(check.error(&place.key("step"), message));
    }
    // more than MOST_STEPS is refused by the caller
    Ok((time / step - 1e-6).ceil().clamp(1.0, 1e15) as u64)
}

fn tolerance(check: &SceneCheck<'_>, place: &Place<'_>, given: Option<f64>) -> Result<f64, SceneError> {
    let place = place.key("tolerance");
    let tolerance = given.unwrap_or(DynamicSettings::default().tolerance);
    let tolerance = check.positive(&place, "the tolerance", tolerance)?;
    check.between(&place, "the tolerance", tolerance, 1e-15, 1.0)
}

fn motion_tolerance(check: &SceneCheck<'_>, place: &Place<'_>, keys: &DynamicKeys) -> Result<Option<f64>, SceneError> {
    let Some(given) = keys.motion_tolerance else { return Ok(None) };
    let place = place.key("motion_tolerance");
    let least = tolerance(check, &place, keys.tolerance)?;
    check.between(&place, "the tolerance in motion", given, least, 1.0).map(Some)
}

/// Checks that the solver of a stage supports the laws of friction and impact.
fn check_laws(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    settings: &DynamicSettings,
    joints: &JointTable,
) -> Result<(), SceneError> {
    let Err(refused) = settings.check_laws(joints) else { return Ok(()) };
    // if the default solver does not support the law either, the error is about the law
    let default = DynamicSettings { solver: SolverKind::Auto, ..settings.clone() };
    let (key, help) = match default.check_laws(joints) {
        Ok(()) => ("solver", "write solver = \"auto\", or remove `solver`"),
        Err(_) => ("friction_law", "write friction_law = \"coulomb\", or remove the restitution"),
    };
    Err(check.error(&place.key(key), refused.to_string()).with_help(help))
}

fn gap(check: &SceneCheck<'_>, place: &Place<'_>, keys: &DynamicKeys) -> Result<GapRule, SceneError> {
    let place = place.key("recovery_speed");
    match (keys.gap.unwrap_or_default(), keys.recovery_speed) {
        (Gap::Clip, None) => Ok(GapRule::Clip),
        (Gap::Clip, Some(_)) => Err(place
            .error_at_key(check.source, "`recovery_speed` has no effect with gap = \"clip\"")
            .with_help("write gap = \"stabilized\", or remove `recovery_speed`")),
        (Gap::Stabilized, speed) => {
            let speed = check.positive(&place, "the recovery speed", speed.unwrap_or(RECOVERY_SPEED))?;
            Ok(GapRule::Stabilized(speed))
        }
    }
}

/// Checks the settings of the recorder.
pub fn record(check: &SceneCheck<'_>, record: &RecordSpec) -> Result<RecordSettings, SceneError> {
    let root = Place::ROOT;
    let place = root.key("record");
    check.count(&place.key("every"), "every", record.every, 1, u64::MAX)?;
    check.count(&place.key("history_every"), "history_every", record.history_every, 1, u64::MAX)?;
    let place = place.key("checkpoint_every");
    let checkpoint = match record.checkpoint_every {
        CheckpointSpec::Steps(steps) => {
            check.count(&place.key("steps"), "steps", steps, 1, u64::MAX)?;
            CheckpointInterval::Steps(steps)
        }
        CheckpointSpec::Seconds(seconds) => {
            CheckpointInterval::Seconds(check.not_negative(&place.key("seconds"), "seconds", seconds)?)
        }
    };
    let coupled = record.point_forces == PointForces::Coupled;
    Ok(RecordSettings { every: record.every, history_every: record.history_every, checkpoint, coupled })
}
