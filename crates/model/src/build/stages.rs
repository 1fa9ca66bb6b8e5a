//! Settings of the analyses and of the recorder.

use voussoir_geometry::{Detection, Method, Nodes};
use voussoir_mechanics::cable::CableChange;
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
}

/// What is kept of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record {
    /// One frame every so many steps, at least 1.
    pub every: u64,
    /// How often a checkpoint is written.
    pub checkpoint: Checkpoint,
}

/// How often a checkpoint is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Checkpoint {
    /// Every so many steps, at least 1.
    Steps(u64),
    /// Every so many seconds of computing.
    Seconds(f64),
}

/// Checks all stages.
pub fn stages(check: &Check<'_>, scene: &Scene) -> Result<Vec<Stage>, SceneError> {
    let root = Place::ROOT;
    let list = root.key("stages");
    let one = |(i, stage): (usize, &written::Stage)| {
        let place = list.index(i);
        let built = self::stage(check, &place, stage)?;
        Ok(Stage { cables: cables::changes(check, &place, &stage.cables, scene)?, ..built })
    };
    scene.stages.iter().enumerate().map(one).collect()
}

fn stage(check: &Check<'_>, place: &Place<'_>, stage: &written::Stage) -> Result<Stage, SceneError> {
    let name = match stage.analysis {
        written::Analysis::Dynamic => "",
        written::Analysis::Static => return static_stage(check, place, stage),
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
    let duration = needed("duration", stage.duration)?;
    let step = needed("step", stage.step)?;
    if step > duration * (1.0 + 1e-9) {
        let message = format!("the step {step} s is longer than the duration {duration} s");
        return Err(check.error(&place.key("step"), message));
    }
    if duration / step > MOST_STEPS {
        let message = format!("{:e} steps, more than {MOST_STEPS:e}", duration / step);
        return Err(check.error(&place.key("step"), message));
    }
    // a duration that is a multiple of the step up to rounding gives that multiple
    let steps = (duration / step - 1e-6).ceil().max(1.0) as u64;
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
        friction_law: friction_law(check, place, stage)?,
    };
    Ok(Stage { analysis: Analysis::Dynamic, duration, steps, settings, cables: Vec::new() })
}

/// A stage without time: keys of time stepping have no meaning.
fn static_stage(check: &Check<'_>, place: &Place<'_>, stage: &written::Stage) -> Result<Stage, SceneError> {
    let (tolerance, cables) = (stage.tolerance, stage.cables.clone());
    let only = written::Stage { tolerance, cables, ..written::Stage::new(written::Analysis::Static) };
    if *stage != only {
        return Err(check
            .error(place, "a static stage takes no time: it has the keys `analysis`, `tolerance` and `cables` only")
            .with_help("write analysis = \"dynamic\" for a motion in time"));
    }
    let default = DynamicSettings::default();
    let tolerance = {
        let place = place.key("tolerance");
        let tolerance = check.positive(&place, "the tolerance", stage.tolerance.unwrap_or(default.tolerance))?;
        check.between(&place, "the tolerance", tolerance, 1e-15, 1.0)?
    };
    let settings = DynamicSettings { tolerance, ..default };
    Ok(Stage { analysis: Analysis::Static, duration: 0.0, steps: 0, settings, cables: Vec::new() })
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
    Ok(Record { every: record.every, checkpoint })
}
