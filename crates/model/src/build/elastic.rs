//! Elastic blocks of a scene: constants, meshes, temperature. Equal blocks share one mesh and its matrices.

use std::sync::Arc;

use voussoir_geometry::{Solid, Vector};
use voussoir_mechanics::elastic::{
    ElasticBody, ElasticConstants, ElasticPart, Fineness, FlexibleSettings, MeshQuality, PlaneState, RayleighDamping,
};
use voussoir_mechanics::model::{Body, Role};
use voussoir_mechanics::time_function::TimeFunction;

use super::actions::function_of;
use super::check::SceneCheck;
use super::dimension::Dimension;
use super::select::Register;
use super::stages::{Stage, StageAnalysis};
use crate::error::SceneError;
use crate::library;
use crate::place::Place;
use crate::scene::Scene;
use crate::scene::elastic::{ElasticBlocksSpec, PlaneSpec};

/// Default of `contact_grid`: joints open by parts, at about twice the contacts of corners alone.
const GRID: u64 = 2;

/// Default size of elements relative to the diameter of a block.
const ELEMENT: f64 = 0.25;

/// Poisson's ratio of stones without a measured one.
const POISSON: f64 = 0.2;

/// Most elements of one block.
const MOST_ELEMENTS: f64 = 200_000.0;

/// Meshes of the elastic blocks of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ElasticMeshes {
    /// Elastic blocks.
    pub blocks: usize,
    /// Different meshes, each assembled once.
    pub meshes: usize,
    /// Elements of all blocks.
    pub elements: usize,
    /// Smallest ratio of the Jacobian at an integration point to its mean in the element.
    pub jacobian_ratio: f64,
    /// Smallest determinant of unit edge vectors at a corner of an element.
    pub scaled_jacobian: f64,
    /// Block with that element.
    pub worst: String,
}

/// A mesh that is made.
struct Made<S: Dimension> {
    settings: FlexibleSettings,
    shape: Arc<S::Shape>,
    block: Arc<dyn ElasticBody>,
    quality: MeshQuality,
}

/// Elastic parts by body, empty if all are rigid, and the facts about their meshes.
pub fn parts<S: Dimension>(
    scene: &Scene,
    check: &SceneCheck<'_>,
    bodies: &[Body<S>],
    depth: f64,
) -> Result<(Vec<Option<ElasticPart>>, ElasticMeshes), SceneError> {
    let root = Place::ROOT;
    let list = root.key("elastic");
    let mut parts: Vec<Option<ElasticPart>> = Vec::new();
    let mut facts = ElasticMeshes { jacobian_ratio: 1.0, scaled_jacobian: 1.0, ..ElasticMeshes::default() };
    let mut made: Vec<Made<S>> = Vec::new();
    for (i, keys) in scene.elastic.iter().enumerate() {
        let place = list.index(i);
        let selected = Register::new(scene, bodies).find(check, &place.key("select"), &keys.select)?;
        let grid = check.count(&place.key("contact_grid"), "contact_grid", keys.contact_grid.unwrap_or(GRID), 0, 20)?;
        let warming = warming(check, &place, keys)?;
        parts.resize(bodies.len(), None);
        for index in selected.into_iter().filter(|&index| bodies[index].role == Role::Free) {
            let body = &bodies[index];
            let settings = settings(scene, check, &place, keys, body, depth)?;
            let same =
                |m: &&Made<S>| m.settings == settings && (Arc::ptr_eq(&m.shape, &body.shape) || m.shape == body.shape);
            let found = made.iter().position(|m| same(&m));
            let at = match found {
                Some(at) => at,
                None => {
                    let (block, quality) = S::flexible(&body.shape, &settings)
                        .map_err(|error| check.error(&place, format!("body \"{}\": {error}", body.name)))?;
                    made.push(Made { settings, shape: Arc::clone(&body.shape), block, quality });
                    made.len() - 1
                }
            };
            let Made { block, quality, .. } = &made[at];
            if parts[index].is_none() {
                facts.blocks += 1;
                facts.elements += quality.elements;
            }
            facts.jacobian_ratio = facts.jacobian_ratio.min(quality.jacobian_ratio);
            if quality.scaled_jacobian < facts.scaled_jacobian || facts.worst.is_empty() {
                (facts.scaled_jacobian, facts.worst) = (quality.scaled_jacobian, body.name.clone());
            }
            parts[index] = Some(ElasticPart { block: Arc::clone(block), grid, warming: warming.clone() });
        }
    }
    facts.meshes = made.len();
    Ok((parts, facts))
}

/// Refuses stages of analyses that know rigid bodies only.
pub fn check_stages(check: &SceneCheck<'_>, meshes: &ElasticMeshes, stages: &[Stage]) -> Result<(), SceneError> {
    let rigid = |stage: &Stage| matches!(stage.analysis, StageAnalysis::Explicit(_) | StageAnalysis::Events(_));
    if meshes.blocks == 0 || !stages.iter().any(rigid) {
        return Ok(());
    }
    let message = "elastic blocks need stages with analysis = \"dynamic\"; another stage is explicit or event-driven";
    Err(check.error(&Place::ROOT.key("elastic"), message))
}

fn warming(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &ElasticBlocksSpec,
) -> Result<Option<(f64, TimeFunction)>, SceneError> {
    let Some(warming) = keys.warming else {
        return match &keys.function {
            Some(_) => Err(check.error(&place.key("function"), "`function` multiplies `warming`, which is not given")),
            None => Ok(None),
        };
    };
    let kelvin = check.finite(&place.key("warming"), "the rise of temperature", warming)?;
    if keys.expansion.is_none() {
        return Err(check
            .error(&place.key("warming"), "a rise of temperature needs the thermal expansion of the stone")
            .with_help("write expansion = 8e-6 [1/K], for instance"));
    }
    let function = match &keys.function {
        Some(function) => function_of(check, &place.key("function"), function)?,
        None => TimeFunction::Constant(1.0),
    };
    Ok(Some((kelvin, function)))
}

fn settings<S: Dimension>(
    scene: &Scene,
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &ElasticBlocksSpec,
    body: &Body<S>,
    depth: f64,
) -> Result<FlexibleSettings, SceneError> {
    let volume = body.shape.mass_properties().map_or(1.0, |properties| properties.volume);
    let state = match keys.plane {
        Some(_) if S::DIM == 3 => {
            return Err(check.error(&place.key("plane"), "`plane` is for 2D scenes; this scene has dim = 3"));
        }
        Some(PlaneSpec::Stress) => PlaneState::Stress,
        Some(PlaneSpec::Strain) | None => PlaneState::Strain,
    };
    let damping = match &keys.damping {
        None => RayleighDamping::default(),
        Some(damping) => {
            let place = place.key("damping");
            RayleighDamping {
                mass: check.not_negative(&place.key("mass"), "the damping by mass", damping.mass)?,
                stiffness: check.not_negative(
                    &place.key("stiffness"),
                    "the damping by stiffness",
                    damping.stiffness,
                )?,
            }
        }
    };
    let expansion = match keys.expansion {
        Some(expansion) => check.finite(&place.key("expansion"), "the thermal expansion", expansion)?,
        None => 0.0,
    };
    Ok(FlexibleSettings {
        constants: constants(scene, check, place, keys, body)?,
        density: body.mass / (volume * depth),
        expansion,
        thickness: depth,
        state,
        fineness: fineness(check, place, keys, body.shape.size(), volume, S::DIM)?,
        damping,
    })
}

fn constants<S: Dimension>(
    scene: &Scene,
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &ElasticBlocksSpec,
    body: &Body<S>,
) -> Result<ElasticConstants, SceneError> {
    // materials of the model are in the order of the scene
    let material = scene.materials.values().nth(body.material);
    let like = material.and_then(|material| material.like.as_deref()).and_then(library::find);
    let young = match (keys.young_modulus, like.and_then(|like| like.young_modulus)) {
        (Some(young), _) => check.positive(&place.key("young_modulus"), "Young's modulus", young)?,
        (None, Some(measured)) => measured.mean,
        (None, None) => {
            return Err(check
                .error(place, format!("the elastic block \"{}\" has no Young's modulus", body.name))
                .with_help("write young_modulus = 20e9 [Pa], or `like` a stone of the library in its material"));
        }
    };
    let poisson = keys.poisson_ratio.or(like.and_then(|like| like.poisson_ratio)).unwrap_or(POISSON);
    let Some(bed) = &keys.bed else {
        if !(poisson > -1.0 && poisson < 0.5) {
            let message = format!("Poisson's ratio is {poisson}; it must be above -1 and below 0.5");
            return Err(check.error(&place.key("poisson_ratio"), message));
        }
        return Ok(ElasticConstants::Isotropic { young, poisson });
    };
    let place = place.key("bed");
    let normal = match &bed.normal {
        Some(normal) => check.direction::<S>(&place.key("normal"), "the normal of the bed", normal)?,
        None => S::UPWARDS,
    };
    Ok(ElasticConstants::Bedded {
        young,
        poisson,
        young_across: check.positive(
            &place.key("young_modulus"),
            "Young's modulus across the bed",
            bed.young_modulus,
        )?,
        poisson_across: check.finite(
            &place.key("poisson_ratio"),
            "Poisson's ratio across the bed",
            bed.poisson_ratio,
        )?,
        shear_across: check.positive(&place.key("shear_modulus"), "the shear modulus", bed.shear_modulus)?,
        normal: S::unrotate(body.pose.rotation, normal).to_3d(),
    })
}

fn fineness(
    check: &SceneCheck<'_>,
    place: &Place<'_>,
    keys: &ElasticBlocksSpec,
    diameter: f64,
    volume: f64,
    dim: usize,
) -> Result<Fineness, SceneError> {
    let grading = check.between(&place.key("grading"), "grading", keys.grading.unwrap_or(1.0), 1.0, 4.0)?;
    let by_count = match keys.elements {
        Some(_) if keys.element_size.is_some() => {
            return Err(check.error(&place.key("elements"), "`elements` and `element_size` exclude each other"));
        }
        Some(n) => Some(check.count(&place.key("elements"), "elements", n, 1, 60)?),
        None => None,
    };
    let size = match keys.element_size {
        Some(size) => check.length(&place.key("element_size"), "the size of elements", size)?,
        None => ELEMENT * diameter,
    };
    let expected = volume / size.powi(dim as i32);
    if by_count.is_none() && expected > MOST_ELEMENTS {
        return Err(check.error(
            &place.key("element_size"),
            format!("a block would have about {expected:.0} elements, above the limit of {MOST_ELEMENTS:.0}"),
        ));
    }
    Ok(Fineness { size: if by_count.is_some() { f64::INFINITY } else { size }, grading, divisions: by_count })
}
