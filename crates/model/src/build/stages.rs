//! Settings of the analyses and of the recorder.

use voussoir_geometry::{Detection, Method, Nodes};
use voussoir_mechanics::cable::CableChange;
use voussoir_mechanics::construction::Change;
use voussoir_mechanics::contact::SolverKind;
use voussoir_mechanics::model::{DynamicSettings, FrictionLaw, GapRule};

use super::cables;
use super::check::Check;
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::Scene;
use crate::scene::stages as written;

/// Most steps of one stage.
const MOST_STEPS: f64 = 1e9;
/// Recovery speed of `gap = "stabilized"` when none is given [m/s].
const RECOVERY_SPEED: f64 = 0.1;

/// Kinds of analyses that can be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Analysis {
    /// Motion in time.
    Dynamic,
    /// Stands or not, where the stages before have left it; takes no time and no steps.
    Static,
}

/// One analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Which.
    pub analysis: Analysis,
    /// Simulated time [s].
    pub duration: f64,
    /// Number of steps: the duration divided by the step, rounded up.
    pub steps: u64,
    /// Step, scheme, tolerance, solver.
    pub settings: DynamicSettings,
    /// What happens to cables at its start, by index.
    pub cables: Vec<(usize, CableChange)>,
    /// Bodies that come and go, in order.
    pub changes: Vec<Change>,
}

/// What is kept of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record {
    /// One frame every so many steps, at least 1.
    pub every: u64,
    /// How often a checkpoint is written.
    pub checkpoint: Checkpoint,
    /// Points of a joint share its force by the coupled rule.
    pub coupled: bool,
}

/// How often a checkpoint is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Checkpoint {
    /// Every so many steps, at least 1.
    Steps(u64),
    /// Every so many seconds of computing.
    Seconds(f64),
}

/// Bodies that are not there at the start.
pub fn waiting(stages: &[Stage]) -> Vec<usize> {
    stages.iter().flat_map(|stage| &stage.changes).flat_map(|change| change.add.iter().copied()).collect()
}

/// Checks all stages; `changes` are those of each, numbered from 0.
pub fn stages(check: &Check<'_>, scene: &Scene, changes: Vec<Vec<Change>>) -> Result<Vec<Stage>, SceneError> {
    let root = Place::ROOT;
    let list = root.key("stages");
    let one = |(i, (stage, changes)): (usize, (&written::Stage, Vec<Change>))| {
        let place = list.index(i);
        let built = self::stage(check, &place, stage, changes)?;
        Ok(Stage { cables: cables::changes(check, &place, &stage.cables, scene)?, ..built })
    };
    scene.stages.iter().zip(changes).enumerate().map(one).collect()
}

fn stage(
    check: &Check<'_>,
    place: &Place<'_>,
    stage: &written::Stage,
    mut changes: Vec<Change>,
) -> Result<Stage, SceneError> {
    let name = match stage.analysis {
        written::Analysis::Dynamic => "",
        written::Analysis::Static => return static_stage(check, place, stage, changes),
        written::Analysis::Limit => "limit",
        written::Analysis::Explicit => "explicit",
        written::Analysis::Events => "events",
    };
    if !name.is_empty() {
        return Err(check
            .error(&place.key("analysis"), format!("the analysis \"{name}\" is not available in this version"))
            .with_help("available: dynamic, static"));
    }
    let needed = |key: &str, value: Option<f64>| match value {
        Some(value) => check.positive(&place.key(key), &format!("the {key}"), value),
        None => Err(check.error(&place.key(key), format!("a dynamic stage needs `{key}` [s]"))),
    };
    let step = needed("step", stage.step)?;
    let (duration, steps) = match &stage.build {
        None => {
            let duration = needed("duration", stage.duration)?;
            (duration, count_steps(check, place, "duration", duration, step)?)
        }
        Some(build) => {
            let own = place.key("build");
            let pause = check.positive(&own.key("pause"), "the pause", build.pause)?;
            let between = count_steps(check, place, "pause", pause, step)?;
            let groups = changes.len() as u64;
            changes.iter_mut().for_each(|change| change.after *= between);
            let rest = stage.duration.map_or(Ok(0), |rest| {
                let rest = check.positive(&place.key("duration"), "the duration", rest)?;
                count_steps(check, place, "duration", rest, step)
            })?;
            let steps = groups.saturating_mul(between).saturating_add(rest);
            (steps as f64 * step, steps)
        }
    };
    if steps as f64 > MOST_STEPS {
        let message = format!("{:e} steps, more than {MOST_STEPS:e}", steps as f64);
        return Err(check.error(&place.key("step"), message));
    }
    let default = DynamicSettings::default();
    let settings = DynamicSettings {
        step,
        theta: check.between(&place.key("theta"), "theta", stage.theta.unwrap_or(default.theta), 0.5, 1.0)?,
        tolerance: {
            let place = place.key("tolerance");
            let tolerance = check.positive(&place, "the tolerance", stage.tolerance.unwrap_or(default.tolerance))?;
            check.between(&place, "the tolerance", tolerance, 1e-15, 1.0)?
        },
        alert: match stage.alert {
            Some(alert) => Some(check.length(&place.key("alert"), "the alert distance", alert)?),
            None => None,
        },
        gap: gap(check, place, stage)?,
        detection: Detection {
            method: match stage.detection.unwrap_or_default() {
                written::Detection::Clip => Method::Clip,
                written::Detection::CommonPlane => Method::CommonPlane,
                written::Detection::Swept => Method::Swept,
            },
            nodes: match stage.nodes.unwrap_or_default() {
                written::Nodes::All => Nodes::All,
                written::Nodes::Four => Nodes::Four,
                written::Nodes::Three => Nodes::Three,
            },
        },
        solver: match stage.solver.unwrap_or_default() {
            written::Solver::Auto => SolverKind::Auto,
            written::Solver::Nlgs => SolverKind::Nlgs,
            written::Solver::Sap => SolverKind::Sap,
            written::Solver::InteriorPoint => SolverKind::InteriorPoint,
            written::Solver::SemismoothNewton => SolverKind::SemismoothNewton,
            written::Solver::SmoothingNewton => SolverKind::SmoothingNewton,
            written::Solver::Admm => SolverKind::Admm,
            written::Solver::Apgd => SolverKind::Apgd,
            written::Solver::PSpgFb => SolverKind::PSpgFb,
            written::Solver::Lemke => SolverKind::Lemke,
            written::Solver::FaceElements => SolverKind::FaceElements,
            written::Solver::ProximalNewton => SolverKind::ProximalNewton,
        },
        sweeping: default.sweeping,
        friction_law: friction_law(check, place, stage)?,
    };
    Ok(Stage { analysis: Analysis::Dynamic, duration, steps, settings, cables: Vec::new(), changes })
}

/// Steps of a stretch of time: one that is a multiple of the step up to rounding gives that multiple.
fn count_steps(check: &Check<'_>, place: &Place<'_>, what: &str, time: f64, step: f64) -> Result<u64, SceneError> {
    if step > time * (1.0 + 1e-9) {
        let message = format!("the step {step} s is longer than the {what} {time} s");
        return Err(check.error(&place.key("step"), message));
    }
    // more than MOST_STEPS is refused by the caller
    Ok((time / step - 1e-6).ceil().clamp(1.0, 1e15) as u64)
}

/// A stage without time: keys of time stepping have no meaning.
fn static_stage(
    check: &Check<'_>,
    place: &Place<'_>,
    stage: &written::Stage,
    changes: Vec<Change>,
) -> Result<Stage, SceneError> {
    let only = written::Stage {
        tolerance: stage.tolerance,
        cables: stage.cables.clone(),
        add: stage.add.clone(),
        placement: stage.placement,
        release: stage.release.clone(),
        remove: stage.remove.clone(),
        ..written::Stage::new(written::Analysis::Static)
    };
    if *stage != only {
        return Err(check
            .error(
                place,
                "a static stage takes no time: it has the keys `analysis`, `tolerance`, `cables`, `add`, `placement`, \
                 `release` and `remove` only",
            )
            .with_help("write analysis = \"dynamic\" for a motion in time"));
    }
    let default = DynamicSettings::default();
    let tolerance = {
        let place = place.key("tolerance");
        let tolerance = check.positive(&place, "the tolerance", stage.tolerance.unwrap_or(default.tolerance))?;
        check.between(&place, "the tolerance", tolerance, 1e-15, 1.0)?
    };
    let settings = DynamicSettings { tolerance, ..default };
    Ok(Stage { analysis: Analysis::Static, duration: 0.0, steps: 0, settings, cables: Vec::new(), changes })
}

fn friction_law(check: &Check<'_>, place: &Place<'_>, stage: &written::Stage) -> Result<FrictionLaw, SceneError> {
    use written::Solver;
    match (stage.friction_law.unwrap_or_default(), stage.solver.unwrap_or_default()) {
        (written::FrictionLaw::Coulomb, _) => Ok(FrictionLaw::Coulomb),
        (
            written::FrictionLaw::Associated,
            Solver::Auto
            | Solver::Nlgs
            | Solver::Sap
            | Solver::InteriorPoint
            | Solver::Admm
            | Solver::Apgd
            | Solver::PSpgFb,
        ) => Ok(FrictionLaw::Associated),
        (written::FrictionLaw::Associated, _) => Err(check
            .error(&place.key("solver"), "this solver knows Coulomb's law only, not the associated one")
            .with_help("write solver = \"auto\", or remove it")),
    }
}

fn gap(check: &Check<'_>, place: &Place<'_>, stage: &written::Stage) -> Result<GapRule, SceneError> {
    let place = place.key("recovery_speed");
    match (stage.gap.unwrap_or_default(), stage.recovery_speed) {
        (written::Gap::Clip, None) => Ok(GapRule::Clip),
        (written::Gap::Clip, Some(_)) => Err(place
            .error_at_key(check.source, "`recovery_speed` has no effect with gap = \"clip\"")
            .with_help("write gap = \"stabilized\", or remove it")),
        (written::Gap::Stabilized, speed) => {
            let speed = check.positive(&place, "the recovery speed", speed.unwrap_or(RECOVERY_SPEED))?;
            Ok(GapRule::Stabilized(speed))
        }
    }
}

/// Checks what is kept of a run.
pub fn record(check: &Check<'_>, record: &written::Record) -> Result<Record, SceneError> {
    let root = Place::ROOT;
    let place = root.key("record");
    check.count(&place.key("every"), "every", record.every, 1, u64::MAX)?;
    let place = place.key("checkpoint_every");
    let checkpoint = match record.checkpoint_every {
        written::Checkpoint::Steps(steps) => {
            check.count(&place.key("steps"), "steps", steps, 1, u64::MAX)?;
            Checkpoint::Steps(steps)
        }
        written::Checkpoint::Seconds(seconds) => {
            Checkpoint::Seconds(check.not_negative(&place.key("seconds"), "seconds", seconds)?)
        }
    };
    let coupled = record.point_forces == written::PointForces::Coupled;
    Ok(Record { every: record.every, checkpoint, coupled })
}
