//! Settings of explicit stages.

use std::collections::BTreeMap;

use voussoir_mechanics::analysis::StageEnd;
use voussoir_mechanics::construction::Change;
use voussoir_mechanics::explicit::ExplicitSettings;
use voussoir_mechanics::explicit::settings::{
    Adaptive, CriticalStep, Damping, ExplicitGoal, Increments, MassScaling, Rest,
};

use super::check::SceneCheck;
use super::stages::{Stage, StageAnalysis};
use crate::error::SceneError;
use crate::place::Place;
use crate::scene::actions::Selection;
use crate::scene::explicit::{
    CriticalSpec, DampingSpec, ExplicitKeys, FreeMotion, IncrementsSpec, MassScalingSpec, StepSpec, UntilSpec,
};

/// Default number of steps after which a search for rest ends.
const PATIENCE: u64 = 1_000_000;
/// Default number of steps over which a load increment is applied.
const RAMP: u64 = 1000;
/// Default criterion of rest of load increments.
const UNBALANCED: f64 = 1e-4;

/// Finds bodies by selection.
pub(super) type Find<'a> = &'a dyn Fn(&Place<'_>, &Selection) -> Result<Vec<usize>, SceneError>;

/// The settings of an explicit stage; `loads` are the names of all loads, `report_every` is the interval of the history.
pub(super) fn explicit(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &ExplicitKeys,
    changes: Vec<Change>,
    (find, loads, report_every, dim): (Find<'_>, &[String], u64, u64),
) -> Result<Stage, SceneError> {
    if dim != 2 {
        return Err(check
            .error(&place.key("analysis"), "analysis = \"explicit\" is for scenes in two dimensions")
            .with_help("write dim = 2, or analysis = \"dynamic\""));
    }
    let goal = goal(check, place, keys, find, loads)?;
    let end = match goal {
        ExplicitGoal::Time(duration) => StageEnd::Time(duration),
        _ => StageEnd::WhenDone,
    };
    let optional = |key: &str, what: &str, value: Option<f64>| {
        value.map(|value| check.positive(&place.key(key), what, value)).transpose()
    };
    let mut guides = Vec::new();
    let mut linked: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, guide) in keys.guides.iter().enumerate() {
        let own = place.key("guides");
        let own = own.index(i);
        let free = [FreeMotion::X, FreeMotion::Y, FreeMotion::Rotation].map(|motion| guide.free.contains(&motion));
        let bodies = find(&own.key("select"), &guide.select)?;
        if let Some(word) = &guide.together {
            linked.entry(word).or_default().extend(&bodies);
        }
        guides.extend(bodies.into_iter().map(|body| (body, free)));
    }
    let settings = ExplicitSettings {
        step: match keys.step {
            None | Some(StepSpec::Word(_)) => None,
            Some(StepSpec::Seconds(step)) => Some(check.positive(&place.key("step"), "the step", step)?),
        },
        safety: check.between(&place.key("safety"), "safety", keys.safety.unwrap_or(0.8), 1e-6, 1.0)?,
        critical: match keys.critical {
            None | Some(CriticalSpec::Gerschgorin) => CriticalStep::Gerschgorin,
            Some(CriticalSpec::Simple) => CriticalStep::Simple,
            Some(CriticalSpec::Eigen) => CriticalStep::Eigen,
        },
        mass_scaling: match keys.mass_scaling {
            None => MassScaling::Off,
            Some(MassScalingSpec::Even) => MassScaling::Even,
            Some(MassScalingSpec::Step(step)) => {
                let own = place.key("mass_scaling");
                MassScaling::Step(check.positive(&own.key("step"), "the step", step)?)
            }
        },
        damping: damping(keys.damping),
        rounding: optional("rounding", "the rounding", keys.rounding)?,
        points: keys.points.unwrap_or(2),
        margin: optional("margin", "the margin", keys.margin)?,
        goal,
        report_every,
        guides,
        linked: linked.into_values().collect(),
    };
    if settings.mass_scaling != MassScaling::Off && matches!(settings.goal, ExplicitGoal::Time(_)) {
        return Err(check
            .error(&place.key("mass_scaling"), "`mass_scaling` changes motions in time")
            .with_help("use it with `until` or `increments`, or remove it"));
    }
    settings.check().map_err(|error| check.error(&place.key("damping"), error.to_string()))?;
    Ok(Stage { analysis: StageAnalysis::Explicit(settings), end, cables: Vec::new(), changes })
}

fn damping(written: Option<DampingSpec>) -> Damping {
    match written {
        None | Some(DampingSpec::None) => Damping::Off,
        Some(DampingSpec::Viscous(alpha)) => Damping::Viscous(alpha),
        Some(DampingSpec::Adaptive(keys)) => {
            let default = Adaptive::default();
            Damping::Adaptive(Adaptive {
                ratio: keys.ratio.unwrap_or(default.ratio),
                start: keys.start.unwrap_or(default.start),
                up: keys.up.unwrap_or(default.up),
                band: keys.band.unwrap_or(default.band),
            })
        }
        Some(DampingSpec::Local(keys)) => {
            Damping::Local { blocks: keys.blocks.unwrap_or(0.8), particles: keys.particles.unwrap_or(0.7) }
        }
    }
}

/// End of the stage: exactly one of three keys.
fn goal(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &ExplicitKeys,
    find: Find<'_>,
    loads: &[String],
) -> Result<ExplicitGoal, SceneError> {
    match (keys.duration, &keys.until, &keys.increments) {
        (Some(duration), None, None) => {
            check.positive(&place.key("duration"), "the duration", duration).map(ExplicitGoal::Time)
        }
        (None, Some(until), None) => rest(check, &place.key("until"), until).map(ExplicitGoal::Rest),
        (None, None, Some(increments)) => {
            self::increments(check, &place.key("increments"), increments, find, loads).map(ExplicitGoal::Increments)
        }
        (None, None, None) => Err(check
            .error(place, "an explicit stage needs `duration`, `until` or `increments`")
            .with_help("for instance until = { unbalanced = 1e-4 }")),
        _ => Err(check.error(place, "an explicit stage has one of `duration`, `until` and `increments`")),
    }
}

fn rest(check: &SceneCheck<'_>, place: &Place<'_>, written: &UntilSpec) -> Result<Rest, SceneError> {
    let unbalanced = check.positive(&place.key("unbalanced"), "the unbalanced force", written.unbalanced)?;
    let patience = written.patience.unwrap_or(PATIENCE);
    check.count(&place.key("patience"), "patience", patience, 1, u64::MAX)?;
    Ok(Rest { unbalanced, patience })
}

fn increments(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    written: &IncrementsSpec,
    find: Find<'_>,
    loads: &[String],
) -> Result<Increments, SceneError> {
    if !loads.contains(&written.load) {
        let known: Vec<&str> = loads.iter().map(String::as_str).collect();
        return Err(check
            .error(&place.key("load"), format!("there is no load \"{}\"", written.load))
            .with_help(crate::suggest::help("loads", &written.load, &known)));
    }
    let by = check.positive(&place.key("by"), "the increment", written.by)?;
    let from = written.from.unwrap_or(0.0);
    let collapse = place.key("collapse");
    let unbalanced = written.unbalanced.unwrap_or(UNBALANCED);
    Ok(Increments {
        load: written.load.clone(),
        from,
        by,
        refine: check.positive(&place.key("refine"), "the smallest increment", written.refine.unwrap_or(by))?.min(by),
        ramp: written.ramp.unwrap_or(RAMP),
        most: written.most.unwrap_or(from + 1000.0 * by),
        watched: match &written.collapse.of {
            Some(selection) => find(&collapse.key("of"), selection)?,
            None => Vec::new(),
        },
        displacement: check.positive(
            &collapse.key("displacement"),
            "the displacement of a collapse",
            written.collapse.displacement,
        )?,
        rest: rest(check, place, &UntilSpec { unbalanced, patience: written.patience })?,
    })
}
