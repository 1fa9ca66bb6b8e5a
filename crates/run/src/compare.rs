//! The collapse load of one scene by three analyses: explicit, dynamic, limit.
//!
//! Explicit and dynamic apply the load in increments, each held until the structure rests or falls; the last load at
//! rest and the first load that falls bound the collapse load. The dynamic analysis runs with θ = 1, so that springs
//! come to rest, and its increments start from the state at rest before. Rest: no centroid is faster than [`REST_SPEED`]
//! times √(g L); fall: a centroid has moved by [`FALL_DISPLACEMENT`] times L since the last rest, L the size of the structure. The
//! limit load is that of rigid joints with associated flow in the undeformed structure.

use serde::Serialize;
use voussoir_geometry::Solid;
use voussoir_mechanics::analysis::StageEnd;
use voussoir_mechanics::explicit::settings::{Damping, ExplicitGoal, ExplicitSettings, Increments, Rest};
use voussoir_mechanics::model::{DynamicSettings, Role};
use voussoir_mechanics::{AnyModel, AnyState, dynamic};
use voussoir_model::scene::Scene;
use voussoir_model::scene::bodies::FormSpec;
use voussoir_model::scene::generated::Generator;
use voussoir_model::{Built, Stage, StageAnalysis, build};
use voussoir_statics::granular::carrying;
use voussoir_statics::limit::{LimitSettings, LimitVerdict};
use voussoir_statics::{AnyQuestion, AnyStructure};

use crate::drive::{self, Control};
use crate::error::{Result, RunError};
use crate::scene_file::SceneFile;

/// Speed of a structure at rest, relative to √(g L).
const REST_SPEED: f64 = 1e-5;
/// Displacement of a structure that falls, relative to its size.
const FALL_DISPLACEMENT: f64 = 0.02;
/// Increments of the limit load.
const INCREMENTS: f64 = 40.0;
/// Rest of the explicit analysis: mean unbalanced force over mean contact force.
const UNBALANCED_FORCE: f64 = 1e-4;
/// Steps of an increment of the explicit analysis.
const PATIENCE_STEPS: u64 = 1_000_000;
/// Steps of an increment of the dynamic analysis.
const DYNAMIC_PATIENCE: u64 = 4_000;
/// The dynamic analysis is omitted for scenes with more bodies than this.
const MOST_DYNAMIC: usize = 500;

/// Request of `compare`.
#[derive(Clone, Debug)]
pub struct CompareRequest {
    /// Name of the load.
    pub load: String,
    /// Number of packings of fills: the seeds are that of the scene, and the next ones.
    pub seeds: u64,
    /// Increment of the load factor; default: a fortieth of the limit load.
    pub by: Option<f64>,
    /// Step of the dynamic analysis [s].
    pub step: f64,
}

/// One collapse load.
#[derive(Clone, Debug, Serialize)]
pub struct CollapseLoad {
    /// "limit", "explicit" or "dynamic".
    pub analysis: &'static str,
    /// Seed of the fills, if they are random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Largest load factor at rest; the multiplier of limit analysis.
    pub stands_at: Option<f64>,
    /// Smallest load factor that falls.
    pub falls_at: Option<f64>,
    /// The reason if there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// All answers.
#[derive(Clone, Debug, Serialize)]
pub struct CompareReport {
    /// Name of the load.
    pub load: String,
    /// The collapse loads.
    pub answers: Vec<CollapseLoad>,
    /// Mean and standard deviation of the last loads at rest of the explicit analysis over the seeds.
    pub explicit_mean: Option<[f64; 2]>,
    /// Reasons for differences between the answers.
    pub reasons: Vec<String>,
}

/// Computes the collapse load in three ways.
pub fn compare(file: &SceneFile, base: &std::path::Path, request: &CompareRequest) -> Result<CompareReport> {
    let settled = settled(&file.built, request)?;
    let (limit, rattlers) = limit(&file.built, request, settled.as_ref());
    let by = match (request.by, limit.stands_at) {
        (Some(by), _) => Some(by),
        (None, Some(multiplier)) if multiplier > 0.0 => Some(multiplier / INCREMENTS),
        _ => own_increment(&file.built, &request.load),
    };
    let Some(by) = by.filter(|by| *by > 0.0) else {
        let message =
            format!("the limit analysis gives no load factor ({}); give --by", limit.note.unwrap_or_default());
        return Err(RunError::input(message));
    };
    let mut answers = vec![limit];
    let seeds = seeds(&file.scene);
    for k in 0..if seeds.is_empty() { 1 } else { request.seeds.max(1) } {
        let seed = seeds.first().map(|seed| seed + k);
        let found = if k == 0 {
            explicit(&file.built, request, by)
        } else {
            build(&with_seeds(&file.scene, k), base)
                .map_err(RunError::from)
                .and_then(|built| explicit(&built, request, by))
        };
        answers.push(answer("explicit", seed, found));
    }
    let dynamic = match file.built.model.bodies() {
        bodies if bodies > MOST_DYNAMIC => {
            Err(RunError::input(format!("omitted: {bodies} bodies, more than {MOST_DYNAMIC}")))
        }
        _ => dynamic_load(&file.built, request, by),
    };
    answers.push(answer("dynamic", None, dynamic));
    let stable: Vec<f64> = answers.iter().filter(|a| a.analysis == "explicit").filter_map(|a| a.stands_at).collect();
    let mean = stable.iter().sum::<f64>() / stable.len() as f64;
    let spread = (stable.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (stable.len() as f64 - 1.0).max(1.0)).sqrt();
    let mut reasons = reasons(&file.built, &answers);
    if let Some(rattlers) = rattlers {
        reasons.push(format!(
            "limit: the settled state, with the contacts that carry force; {rattlers} rattlers were left out; loading closes \
             other contacts"
        ));
    }
    let explicit_mean = (!stable.is_empty()).then_some([mean, spread]);
    Ok(CompareReport { load: request.load.clone(), answers, explicit_mean, reasons })
}

/// A bracket of load factors, or the reason if there is none.
type Bracket = Result<([Option<f64>; 2], Option<String>)>;

fn answer(analysis: &'static str, seed: Option<u64>, found: Bracket) -> CollapseLoad {
    match found {
        Ok(([stands_at, falls_at], note)) => CollapseLoad { analysis, seed, stands_at, falls_at, note },
        Err(error) => CollapseLoad { analysis, seed, stands_at: None, falls_at: None, note: Some(error.to_string()) },
    }
}

/// The state of a granular structure before its load increments: discs as drawn overlap or do not touch yet.
fn settled(built: &Built, request: &CompareRequest) -> Result<Option<AnyState>> {
    let loads = |stage: &Stage| matches!(&stage.analysis, StageAnalysis::Explicit(ExplicitSettings { goal: ExplicitGoal::Increments(own), .. }) if own.load == request.load);
    let AnyModel::Two(model) = &built.model else { return Ok(None) };
    let grains = model.bodies.iter().any(|body| body.role == Role::Free && body.shape.centred_ball().is_some());
    match built.stages.iter().position(loads) {
        Some(first) if grains && first > 0 => {
            let mut before = built.clone();
            before.stages.truncate(first);
            Ok(Some(drive::run(&before, &mut [], &Control::default())?.state))
        }
        _ => Ok(None),
    }
}

/// The multiplier of limit analysis; of a state, with the number of bodies left out.
fn limit(built: &Built, request: &CompareRequest, state: Option<&AnyState>) -> (CollapseLoad, Option<usize>) {
    let question = AnyQuestion::Named(request.load.clone());
    let mut rattlers = None;
    let structure = match state {
        None => AnyStructure::for_limits(&built.finished()),
        Some(state) => carrying(&built.model, state).map(|carrying| {
            rattlers = Some(carrying.rattlers);
            carrying.structure
        }),
    };
    let found = structure
        .and_then(|mut structure| structure.limit(&question, &LimitSettings::default()))
        .map_err(RunError::from)
        .map(|found| match (found.verdict, found.multiplier) {
            (LimitVerdict::Limit, Some(multiplier)) => ([Some(multiplier), None], None),
            (LimitVerdict::Unbounded, _) => ([None, None], Some("unbounded".to_owned())),
            (LimitVerdict::Falls, _) => ([None, Some(0.0)], Some("the fixed loads alone cause collapse".to_owned())),
            _ => ([None, None], Some("not decided to tolerance".to_owned())),
        });
    (answer("limit", None, found), rattlers)
}

/// Seeds of the random fills of a scene.
fn seeds(scene: &Scene) -> Vec<u64> {
    let of = |form: &FormSpec| match form {
        FormSpec::Generated(Generator::Fill(keys)) if keys.discs.is_empty() => Some(keys.seed.unwrap_or(1)),
        _ => None,
    };
    scene.bodies.iter().filter_map(|body| of(&body.form)).collect()
}

/// The scene with other packings.
pub(crate) fn with_seeds(scene: &Scene, shift: u64) -> Scene {
    let mut scene = scene.clone();
    for body in &mut scene.bodies {
        if let FormSpec::Generated(Generator::Fill(keys)) = &mut body.form {
            keys.seed = Some(keys.seed.unwrap_or(1) + shift);
        }
    }
    scene
}

/// The increments of this load in an explicit stage of the scene.
fn own_stage<'a>(built: &'a Built, load: &str) -> Option<&'a Increments> {
    built.stages.iter().find_map(|stage| match &stage.analysis {
        StageAnalysis::Explicit(ExplicitSettings { goal: ExplicitGoal::Increments(own), .. }) if own.load == load => {
            Some(own)
        }
        _ => None,
    })
}

fn own_increment(built: &Built, load: &str) -> Option<f64> {
    own_stage(built, load).map(|increments| increments.by)
}

/// The explicit analysis: the stages of the scene if one of them increases the load, else increments of its own.
fn explicit(built: &Built, request: &CompareRequest, by: f64) -> Bracket {
    let mut built = built.clone();
    if own_stage(&built, &request.load).is_none() {
        let increments = Increments {
            load: request.load.clone(),
            from: 0.0,
            by,
            refine: by,
            ramp: 1000,
            most: 3.0 * INCREMENTS * by,
            watched: Vec::new(),
            displacement: FALL_DISPLACEMENT * size(&built.model),
            rest: Rest { unbalanced: UNBALANCED_FORCE, patience: PATIENCE_STEPS },
        };
        let settings = ExplicitSettings {
            damping: Damping::Local { blocks: 0.8, particles: 0.7 },
            goal: ExplicitGoal::Increments(increments),
            report_every: 1000,
            ..ExplicitSettings::default()
        };
        let analysis = StageAnalysis::Explicit(settings);
        built.stages = vec![Stage { analysis, end: StageEnd::WhenDone, cables: Vec::new(), changes: Vec::new() }];
    }
    let outcome = drive::run(&built, &mut [], &Control::default())?;
    let AnyState::Two(state) = &outcome.state else {
        return Err(RunError::input("explicit stages are in 2D".to_owned()));
    };
    let loading = state.explicit.as_ref().map(|memory| memory.loading).unwrap_or_default();
    let undecided = loading.undecided.then(|| format!("neither at rest nor falling at {}", loading.target));
    Ok(([loading.stable, loading.fallen], undecided))
}

/// The dynamic analysis in increments from rest to rest.
fn dynamic_load(built: &Built, request: &CompareRequest, by: f64) -> Bracket {
    let question = AnyQuestion::Named(request.load.clone());
    let finished = built.finished();
    let size = size(&finished);
    let (slow, far) = (REST_SPEED * (9.81 * size).sqrt(), FALL_DISPLACEMENT * size);
    let settings = DynamicSettings { step: request.step, theta: 1.0, ..DynamicSettings::default() };
    let mut state = finished.initial_state(&[]);
    let mut stable = None;
    for k in 0..(3.0 * INCREMENTS) as u64 {
        let factor = k as f64 * by;
        let model = question.applied(&finished, factor)?;
        let mut analysis = dynamic::begin(&model, &settings, state)?;
        let start = centroids(&*analysis);
        let mut rests = false;
        for step in 0..DYNAMIC_PATIENCE {
            let report = analysis.advance()?;
            let moved = centroids(&*analysis).iter().zip(&start).map(|(a, b)| distance(a, b)).fold(0.0, f64::max);
            if moved > far {
                return Ok(([stable, Some(factor)], None));
            }
            rests = step > 20 && report.speed < slow;
            if rests {
                break;
            }
        }
        if !rests {
            return Ok(([stable, None], Some(format!("neither at rest nor falling at {factor}"))));
        }
        stable = Some(factor);
        state = analysis.into_state();
    }
    Ok(([stable, None], Some("nothing falls".to_owned())))
}

fn centroids(analysis: &dyn voussoir_mechanics::analysis::Analysis) -> Vec<[f64; 3]> {
    analysis.snapshot().bodies.iter().map(|body| body.position).collect()
}

fn distance(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// Largest extent of the free bodies [m].
fn size(model: &AnyModel) -> f64 {
    fn extent(points: impl Iterator<Item = ([f64; 3], f64)>) -> f64 {
        let mut range = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
        for (point, radius) in points {
            for (range, x) in range.iter_mut().zip(point) {
                *range = [range[0].min(x - 0.5 * radius), range[1].max(x + 0.5 * radius)];
            }
        }
        range.iter().map(|[low, high]| high - low).fold(0.0, f64::max)
    }
    use voussoir_geometry::Vector as _;
    match model {
        AnyModel::Two(model) => extent(
            model.bodies.iter().filter(|b| b.role == Role::Free).map(|b| (b.pose.position.to_3d(), b.shape.size())),
        ),
        AnyModel::Three(model) => extent(
            model.bodies.iter().filter(|b| b.role == Role::Free).map(|b| (b.pose.position.to_3d(), b.shape.size())),
        ),
    }
}

/// Reasons for differences between the answers.
fn reasons(built: &Built, answers: &[CollapseLoad]) -> Vec<String> {
    let mut reasons = vec![
        "limit: rigid joints up to their corners, the structure as drawn, associated flow: an upper bound where joints slide"
            .to_owned(),
        "explicit: corners are rounded, the two points of a joint lie inside its ends, and so do the hinges".to_owned(),
        "explicit and dynamic: joints have springs; the structure flattens under load before it collapses".to_owned(),
    ];
    if built.model.bodies() > MOST_DYNAMIC {
        reasons.push("dynamic: omitted because of its computing time".to_owned());
    }
    if answers.iter().filter(|answer| answer.analysis == "explicit").count() > 1 {
        reasons.push(
            "seeds: another packing of the fill is another structure; the spread is that of the model".to_owned(),
        );
    }
    reasons
}
