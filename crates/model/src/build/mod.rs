//! From a scene to a model: keys are checked, bodies placed and weighed, joints assigned.
//!
//! | module | content |
//! |---|---|
//! | [`check`] | limits of numbers |
//! | [`dimension`] | differences between 2D and 3D |
//! | [`piece`] | shapes with their centroid at the origin, before they become bodies |
//! | [`bodies`] | bodies from shapes, generators and files |
//! | [`depths`] | thickness that varies, in 2D |
//! | [`mod@glue`] | blocks that are one body |
//! | [`elastic`] | elastic blocks |
//! | [`select`] | names, groups, tags, boxes to bodies |
//! | [`cables`] | anchors, stiffness and prestress of cables |
//! | [`grounds`] | planes of several generators that are one ground |
//! | [`joints`] | laws between materials |
//! | [`actions`] | supports, functions of time |
//! | [`loads`] | forces, accelerations, pressures, fill |
//! | [`mod@assessment`] | checks of load cases and partial factors |
//! | [`mod@sample`] | checks of tests on samples |
//! | [`trains`] | weights that travel over a deck |
//! | [`environment`] | wind, water and Coriolis force |
//! | [`mod@fill`], `plan` | loose material as a load; polygons in plan |
//! | [`construction`] | bodies that stages add, release and remove |
//! | `sanity` | implausible numbers |
//! | [`survey`] | the origin of scenes in survey coordinates |
//! | `text_file` | text files that a scene names |
//! | [`probes`] | measures by name |
//! | [`explicit`] | settings of explicit stages |
//! | [`stages`] | settings of the analyses |
//! | [`overlaps`] | bodies that overlap at the start |

pub mod actions;
pub mod assessment;
pub mod bodies;
pub mod cables;
pub mod check;
pub mod construction;
pub mod depths;
pub mod dimension;
pub mod elastic;
pub mod environment;
mod explicit;
pub mod fill;
pub mod glue;
mod ground_motion;
pub mod grounds;
pub mod joints;
pub mod loads;
pub mod overlaps;
pub mod piece;
pub(crate) mod plan;
pub mod probes;
pub mod sample;
mod sanity;
pub mod select;
pub mod stages;
pub mod survey;
pub(crate) mod text_file;
pub mod trains;
mod weights;

use std::path::Path;
use std::sync::Arc;

use voussoir_geometry::{D2, D3, Vector};
use voussoir_mechanics::MechanicsError;
use voussoir_mechanics::construction::Change;
use voussoir_mechanics::model::{Material, Model, Role};
use voussoir_mechanics::probe::Probe;
use voussoir_mechanics::state::Presence;

use self::select::Register;
use crate::error::SceneError;
use crate::library;
use crate::place::Place;
use crate::scene::actions::Selection;
use crate::scene::{NumberOrVector, Scene};
use crate::suggest;
use check::SceneCheck;
use dimension::Dimension;
pub use elastic::ElasticMeshes;
use elastic::ElasticReader;
use loads::LoadReader;
pub use stages::{CheckpointInterval, RecordSettings, Stage, StageAnalysis, StaticSettings, waiting};
pub use voussoir_mechanics::AnyModel;

/// Standard acceleration of gravity in our scenes [m/s²].
pub const GRAVITY: f64 = 9.81;

/// hθ for which reduced elastic blocks are compared with their meshes if a scene has no dynamic stage [s].
const STEP: f64 = 1e-3;

/// The content of a scene, ready to run.
#[derive(Clone, Debug)]
pub struct Built {
    /// Title of the scene.
    pub title: String,
    /// Bodies, joints, supports, loads.
    pub model: AnyModel,
    /// Analyses in order.
    pub stages: Vec<Stage>,
    /// Probes.
    pub probes: Vec<Probe>,
    /// Output of a run.
    pub record: RecordSettings,
    /// Meshes of elastic blocks.
    pub elastic: ElasticMeshes,
    /// The test on a sample, if the scene is one.
    pub sample: Option<sample::SampleSetup>,
    /// Repairs and warnings.
    pub warnings: Vec<String>,
    /// Those that concern the structure and its loads: all but the warnings about stages.
    pub structure_warnings: Vec<String>,
}

impl Built {
    /// The structure after all stages, as drawn: removed bodies are absent, released supports are free.
    pub fn finished(&self) -> AnyModel {
        let presence = |bodies: usize| {
            let mut presence = vec![Presence::There; bodies];
            for change in self.stages.iter().flat_map(|stage| &stage.changes) {
                change.release.iter().for_each(|&body| presence[body] = Presence::Released);
                change.remove.iter().for_each(|&body| presence[body] = Presence::Gone);
            }
            presence
        };
        self.model.present(&presence(self.model.bodies()))
    }
}

/// Builds the model of a scene; paths of mesh files are relative to `base`.
pub fn build(scene: &Scene, base: &Path) -> Result<Built, SceneError> {
    let origin = match scene.dim {
        2 => survey::origin::<D2>(scene, base).to_3d(),
        _ => survey::origin::<D3>(scene, base).to_3d(),
    };
    let check = SceneCheck { source: &scene.source, origin };
    let mut warnings = Vec::new();
    let (model, changes, probes, elastic) = match scene.dim {
        2 => {
            let (model, changes, elastic) = model(scene, base, &check, &mut warnings)?;
            let probes = probes::probes(scene, &check, &model)?;
            (AnyModel::Two(Arc::new(model)), changes, probes, elastic)
        }
        3 => {
            let (model, changes, elastic) = model(scene, base, &check, &mut warnings)?;
            let probes = probes::probes(scene, &check, &model)?;
            (AnyModel::Three(Arc::new(model)), changes, probes, elastic)
        }
        other => return Err(check.error(&Place::ROOT.key("dim"), format!("dim is {other}; it must be 2 or 3"))),
    };
    let find = |place: &Place<'_>, selection: &Selection| match &model {
        AnyModel::Two(model) => Register::new(scene, &model.bodies).find(&check, place, selection),
        AnyModel::Three(model) => Register::new(scene, &model.bodies).find(&check, place, selection),
    };
    let stages = stages::stages(&check, scene, model.joints(), changes, &find)?;
    let structure_warnings = sanity::gather(warnings.clone());
    if stages.is_empty() {
        warnings.push("the scene has no [[stages]]: there is nothing to run".into());
    }
    match &model {
        AnyModel::Two(model) => sanity::stages(model, &stages, &mut warnings),
        AnyModel::Three(model) => sanity::stages(model, &stages, &mut warnings),
    }
    if let AnyModel::Two(model) = &model {
        environment::check_steps(&check, model, &stages)?;
    }
    elastic::check_stages(&check, &elastic, &stages)?;
    let record = stages::record(&check, &scene.record)?;
    assessment::check(scene, &check)?;
    let sample = sample::sample(scene, &check, &model)?;
    let warnings = sanity::gather(warnings);
    Ok(Built {
        title: scene.title.clone(),
        model,
        stages,
        probes,
        record,
        elastic,
        sample,
        warnings,
        structure_warnings,
    })
}

/// A model, the changes of its stages and the meshes of its elastic blocks.
type ModelParts<S> = (Model<S>, Vec<Vec<Change>>, ElasticMeshes);

fn model<S: Dimension>(
    scene: &Scene,
    base: &Path,
    check: &SceneCheck<'_>,
    warnings: &mut Vec<String>,
) -> Result<ModelParts<S>, SceneError> {
    let gravity = gravity::<S>(scene, check)?;
    let depth = depth::<S>(scene, check)?;
    let materials = materials(scene, check)?;
    let bodies = bodies::bodies::<S>(scene, base, check, &materials, depth, warnings)?;
    let mut bodies = glue::glued(scene, check, bodies)?;
    let motions = actions::supports(scene, base, check, &mut bodies)?;
    grounds::merge(check, &mut bodies, warnings)?;
    weights::added_masses(scene, check, &mut bodies, warnings)?;
    let loads = LoadReader { scene, check, bodies: &bodies, gravity, depth }.loads(warnings)?;
    let mut joints = joints::joints(scene, check, &materials, &bodies, depth)?;
    joints.set_disc_lengths(&bodies);
    if !bodies.iter().any(|body| body.role == Role::Free) {
        warnings.push("all bodies are supports: nothing moves".into());
    }
    let cables = cables::cables(scene, check, &bodies, warnings)?;
    let trains = trains::trains(scene, check, &bodies, depth, warnings)?;
    loads::warn_of_loads_at_rest(&loads, gravity, !motions.is_empty(), warnings);
    let sea = environment::environment(scene, base, check)?;
    let (elastic, mut meshes) = ElasticReader { scene, check, bodies: &bodies, depth, base }.parts(warnings)?;
    let origin = S::Vector::from_slice(&check.origin);
    let mut model = Model { bodies, materials, joints, motions, loads, gravity, cables, trains, sea, elastic, origin };
    let reach = elastic::longest_reach(scene);
    let reduced = model.check().and_then(|()| model.reduce_elastic(if reach > 0.0 { reach } else { STEP }));
    meshes.reduction = reduced.map_err(|error| mechanics_error(scene, check, &error))?;
    sanity::model(&model, warnings);
    let plan = construction::plan(scene, check, &model)?;
    overlaps::check_overlaps(scene, check, &model, &plan.lives, warnings)?;
    Ok((model, plan.changes, meshes))
}

/// An error of the crate `mechanics`, with the place of the body in the scene.
fn mechanics_error(scene: &Scene, check: &SceneCheck<'_>, error: &MechanicsError) -> SceneError {
    let root = Place::ROOT;
    let list = root.key("bodies");
    match error {
        MechanicsError::Body { name, reason, .. } => {
            let place = list.index(owner(scene, name));
            check.error(&place.key("name"), format!("body \"{name}\": {reason}"))
        }
        other => check.error(&Place::ROOT, other.to_string()),
    }
}

/// Index of the table in the scene that the body `name` of the model comes from.
fn owner(scene: &Scene, name: &str) -> usize {
    let group = name.split('.').next().unwrap_or_default();
    scene.bodies.iter().position(|body| body.common.name == group).unwrap_or(0)
}

fn gravity<S: Dimension>(scene: &Scene, check: &SceneCheck<'_>) -> Result<S::Vector, SceneError> {
    let root = Place::ROOT;
    let place = root.key("gravity");
    match &scene.gravity {
        // floes are seen from above
        None if scene.environment.is_some() => Ok(S::zero()),
        None => Ok(S::UPWARDS * -GRAVITY),
        Some(NumberOrVector::Number(g)) => Ok(S::UPWARDS * -check.finite(&place, "gravity", *g)?),
        Some(NumberOrVector::Vector(g)) => check.vector::<S>(&place, "gravity", g),
    }
}

/// Thickness out of the plane; 1 in 3D, where it has no meaning.
fn depth<S: Dimension>(scene: &Scene, check: &SceneCheck<'_>) -> Result<f64, SceneError> {
    let root = Place::ROOT;
    let place = root.key("depth");
    match scene.depth {
        Some(_) if S::DIM == 3 => Err(place
            .error_at_key(check.source, "`depth` is the thickness of a 2D scene; this scene has dim = 3")
            .with_help("write dim = 2, or remove `depth`")),
        Some(depth) => check.length(&place, "the depth", depth),
        None => Ok(1.0),
    }
}

fn materials(scene: &Scene, check: &SceneCheck<'_>) -> Result<Vec<Material>, SceneError> {
    let root = Place::ROOT;
    let place = root.key("materials");
    let mut materials = Vec::with_capacity(scene.materials.len());
    for (name, material) in &scene.materials {
        let place = place.key(name);
        if name == "*" || name.is_empty() {
            return Err(place.error_at_key(check.source, format!("\"{name}\" cannot be the name of a material")));
        }
        let density = check.positive(&place.key("density"), &format!("the density of {name}"), material.density)?;
        if density > 1e9 {
            return Err(check.error(
                &place.key("density"),
                format!("the density of {name} is {density:e} kg/m³, outside the permitted range"),
            ));
        }
        let strength = strength(check, &place, material)?;
        materials.push(Material { name: name.clone(), density, strength });
    }
    Ok(materials)
}

/// Compressive strength of a material: written, or that of the library.
fn strength(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    material: &crate::scene::MaterialSpec,
) -> Result<Option<f64>, SceneError> {
    let known = match &material.like {
        None => None,
        Some(name) => match library::find(name) {
            Some(entry) => entry.compressive_strength.map(|strength| strength.mean),
            None => {
                let names: Vec<&str> = library::ENTRIES.iter().map(|entry| entry.name).collect();
                return Err(check
                    .error(&place.key("like"), format!("there is no material \"{name}\" in the library"))
                    .with_help(suggest::help("materials", name, &names)));
            }
        },
    };
    match material.compressive_strength {
        Some(strength) => {
            check.positive(&place.key("compressive_strength"), "the compressive strength", strength).map(Some)
        }
        None => Ok(known),
    }
}
