//! Elastic blocks of a scene: constants, meshes, temperature. Equal blocks share one mesh and its matrices.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use voussoir_geometry::{Solid, Vector};
use voussoir_mechanics::elastic::{
    ElasticBody, ElasticConstants, ElasticError, ElasticPart, ElasticReduction, Fineness, FiniteMesh, FlexibleSettings,
    MeshQuality, PlaneState, RayleighDamping,
};
use voussoir_mechanics::model::{Body, Role};
use voussoir_mechanics::time_function::TimeFunction;

use super::actions::function_of;
use super::check::SceneCheck;
use super::dimension::Dimension;
use super::select::Register;
use super::stages::{Stage, StageAnalysis};
use crate::error::SceneError;
use crate::import::gmsh;
use crate::library;
use crate::place::Place;
use crate::scene::Scene;
use crate::scene::elastic::{ElasticBlocksSpec, PlaneSpec};
use crate::scene::stages::{DynamicStepSpec, StageAnalysisKeys, StageSpec};

/// Default of `contact_grid`: joints open by parts, at about twice the contacts of corners alone.
const GRID: u64 = 2;

/// Default size of elements relative to the diameter of a block.
const ELEMENT: f64 = 0.25;

/// Poisson's ratio of stones without a measured one.
const POISSON: f64 = 0.2;

/// Largest number of elements of one block.
const MOST_ELEMENTS: f64 = 200_000.0;

/// Square of step times largest frequency above which a block counts as rigid: its contact coordinates then move
/// together to nine digits, and the matrix of the contact problem loses nine digits.
const STIFFEST: f64 = 1e9;

/// Distance of the centroids of a block and of its mesh, relative to the size of the block.
const SAME_CENTROID: f64 = 1e-3;

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
    /// Modal reduction of the blocks with `modes`.
    pub reduction: Option<ElasticReduction>,
}

/// A computed mesh and its block.
struct Made<S: Dimension> {
    settings: FlexibleSettings,
    shape: Arc<S::Shape>,
    block: Arc<dyn ElasticBody>,
    quality: MeshQuality,
    /// From a file.
    imported: bool,
}

/// A volume of a mesh file and its centroid [m].
type MeshedVolume<S> = (FiniteMesh<3>, <S as voussoir_geometry::Space>::Vector);

/// Builder of the elastic parts of a scene.
pub struct ElasticReader<'a, S: Dimension> {
    /// The scene.
    pub scene: &'a Scene,
    /// Limits of numbers.
    pub check: &'a SceneCheck<'a>,
    /// All bodies.
    pub bodies: &'a [Body<S>],
    /// Thickness of a plane model [m].
    pub depth: f64,
    /// Folder of mesh files.
    pub base: &'a Path,
}

/// Elastic parts by body, and the facts about their meshes.
struct Parts<S: Dimension> {
    list: Vec<Option<ElasticPart>>,
    /// Elements of each body.
    elements: Vec<usize>,
    made: Vec<Made<S>>,
    facts: ElasticMeshes,
    /// Blocks that count as rigid.
    rigid: BTreeSet<usize>,
}

impl<S: Dimension> ElasticReader<'_, S> {
    /// Elastic parts by body, empty if all are rigid, and the facts about their meshes.
    pub fn parts(&self, warnings: &mut Vec<String>) -> Result<(Vec<Option<ElasticPart>>, ElasticMeshes), SceneError> {
        let Self { scene, check, bodies, .. } = *self;
        let facts = ElasticMeshes { jacobian_ratio: 1.0, scaled_jacobian: 1.0, ..ElasticMeshes::default() };
        let (list, elements) = (vec![None; bodies.len()], vec![0; bodies.len()]);
        let mut parts = Parts { list, elements, made: Vec::new(), facts, rigid: BTreeSet::new() };
        let root = Place::ROOT;
        let materials = root.key("materials");
        for (index, (name, _)) in scene.materials.iter().enumerate().filter(|(_, (_, keys))| keys.elastic) {
            let selected = (0..bodies.len()).filter(|&body| bodies[body].material == index).collect();
            self.add(&mut parts, &materials.key(name).key("elastic"), &ElasticBlocksSpec::default(), selected)?;
        }
        let list = root.key("elastic");
        for (i, keys) in scene.elastic.iter().enumerate() {
            let place = list.index(i);
            let selected = Register::new(scene, bodies).find(check, &place.key("select"), &keys.select)?;
            self.add(&mut parts, &place, keys, selected)?;
        }
        if let Some(first) = parts.rigid.first().map(|&body| &bodies[body].name) {
            warnings.push(format!(
                "elastic blocks that count as rigid: {}, the first is \"{first}\"; (step × largest frequency)² is above \
                 {STIFFEST:.0e}, so that their deformation is lost in rounding",
                parts.rigid.len()
            ));
        }
        let Parts { mut list, elements, mut facts, .. } = parts;
        facts.elements = elements.iter().sum();
        if list.iter().all(Option::is_none) {
            list.clear();
        }
        // a table for a selection may replace all blocks of a mesh of its material
        let address = |part: &ElasticPart| Arc::as_ptr(&part.block).cast::<()>();
        facts.meshes = list.iter().flatten().map(address).collect::<BTreeSet<_>>().len();
        facts.blocks = list.iter().flatten().count();
        Ok((list, facts))
    }

    /// Makes selected bodies elastic; a later table for a body replaces an earlier one.
    fn add(
        &self,
        parts: &mut Parts<S>,
        place: &Place<'_>,
        keys: &ElasticBlocksSpec,
        selected: Vec<usize>,
    ) -> Result<(), SceneError> {
        let Self { scene, check, bodies, depth, .. } = *self;
        let volumes = self.volumes(place, keys)?;
        let grid = check.count(&place.key("contact_grid"), "contact_grid", keys.contact_grid.unwrap_or(GRID), 0, 20)?;
        let warming = warming(check, place, keys)?;
        let modes = match keys.modes {
            Some(count) => Some(check.count(&place.key("modes"), "modes", count, 0, 1000)?),
            None => None,
        };
        for index in selected.into_iter().filter(|&index| bodies[index].role == Role::Free) {
            let body = &bodies[index];
            let settings = settings(scene, check, place, keys, body, depth)?;
            let refuse = |error: ElasticError| check.error(place, format!("body \"{}\": {error}", body.name));
            let at = match &volumes {
                Some(volumes) => {
                    let mesh = self.volume_of(place, volumes, body)?;
                    parts.imported(&settings, body, &mesh).map_err(refuse)?
                }
                None => parts.own_mesh(&settings, body).map_err(refuse)?,
            };
            let Made { block, quality, .. } = &parts.made[at];
            if longest_reach(scene).powi(2) * block.largest_frequency().powi(2) > STIFFEST {
                parts.rigid.insert(index);
                parts.list[index] = None;
                continue;
            }
            parts.rigid.remove(&index);
            parts.elements[index] = quality.elements;
            parts.facts.jacobian_ratio = parts.facts.jacobian_ratio.min(quality.jacobian_ratio);
            if quality.scaled_jacobian < parts.facts.scaled_jacobian || parts.facts.worst.is_empty() {
                (parts.facts.scaled_jacobian, parts.facts.worst) = (quality.scaled_jacobian, body.name.clone());
            }
            let strengths = strengths(scene, check, body)?;
            parts.list[index] =
                Some(ElasticPart { block: Arc::clone(block), grid, warming: warming.clone(), strengths, modes });
        }
        Ok(())
    }
}

impl<S: Dimension> ElasticReader<'_, S> {
    /// Volumes of the mesh file, with their centroids, measured from the origin of the model [m].
    fn volumes(&self, place: &Place<'_>, keys: &ElasticBlocksSpec) -> Result<Option<Vec<MeshedVolume<S>>>, SceneError> {
        let check = self.check;
        let Some(file) = &keys.mesh else {
            return match keys.mesh_scale {
                Some(_) => {
                    Err(check.error(&place.key("mesh_scale"), "`mesh_scale` is for a `mesh`, which is not given"))
                }
                None => Ok(None),
            };
        };
        let at = place.key("mesh");
        if keys.elements.is_some() || keys.element_size.is_some() || keys.grading.is_some() {
            return Err(check.error(&at, "`mesh` excludes `elements`, `element_size` and `grading`"));
        }
        let scale = check.positive(&place.key("mesh_scale"), "the scale", keys.mesh_scale.unwrap_or(1.0))?;
        let mut meshes = gmsh::finite_meshes(&self.base.join(file), S::DIM).map_err(|error| {
            let refused = check.error(&at, error.to_string());
            match error.help {
                Some(help) => refused.with_help(help),
                None => refused,
            }
        })?;
        for point in meshes.iter_mut().flat_map(|mesh| &mut mesh.points) {
            (0..3).for_each(|c| point[c] = point[c] * scale - check.origin[c]);
        }
        let centred = |mesh: FiniteMesh<3>| {
            let centroid = S::Vector::from_slice(&mesh.centroid(S::DIM)[..S::DIM]);
            (mesh, centroid)
        };
        Ok(Some(meshes.into_iter().map(centred).collect()))
    }

    /// The volume with the centroid of a body, in the axes of the body.
    fn volume_of(
        &self,
        place: &Place<'_>,
        volumes: &[MeshedVolume<S>],
        body: &Body<S>,
    ) -> Result<FiniteMesh<3>, SceneError> {
        let far = |volume: &&MeshedVolume<S>| (volume.1 - body.pose.position).length();
        let nearest = volumes.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
        let Some((mesh, _)) = nearest.filter(|volume| far(volume) <= SAME_CENTROID * body.shape.size()) else {
            let distance = nearest.as_ref().map_or(f64::INFINITY, far);
            let message = format!(
                "body \"{}\": no volume of the mesh has its centroid; the nearest is {distance:.3e} m away",
                body.name
            );
            return Err(self.check.error(&place.key("mesh"), message));
        };
        let own = |x: &[f64; 3]| body.pose.local_point(S::Vector::from_slice(&x[..S::DIM])).to_3d();
        Ok(FiniteMesh { points: mesh.points.iter().map(own).collect(), elements: mesh.elements.clone() })
    }
}

impl<S: Dimension> Parts<S> {
    /// Index of the mesh of a body: that of an equal body, or a new one.
    fn own_mesh(&mut self, settings: &FlexibleSettings, body: &Body<S>) -> Result<usize, ElasticError> {
        let equal = |shape: &Arc<S::Shape>| Arc::ptr_eq(shape, &body.shape) || *shape == body.shape;
        let same = |m: &Made<S>| m.settings == *settings && !m.imported && equal(&m.shape);
        if let Some(found) = self.made.iter().position(same) {
            return Ok(found);
        }
        let (block, quality) = S::flexible(&body.shape, settings)?;
        self.made.push(Made { settings: *settings, shape: Arc::clone(&body.shape), block, quality, imported: false });
        Ok(self.made.len() - 1)
    }

    /// Index of the mesh of a body from a file, in the axes of the body.
    fn imported(
        &mut self,
        settings: &FlexibleSettings,
        body: &Body<S>,
        mesh: &FiniteMesh<3>,
    ) -> Result<usize, ElasticError> {
        let (block, quality) = S::with_mesh(&body.shape, settings, mesh)?;
        self.made.push(Made { settings: *settings, shape: Arc::clone(&body.shape), block, quality, imported: true });
        Ok(self.made.len() - 1)
    }
}

/// Longest hθ of the dynamic stages of a scene [s].
pub fn longest_reach(scene: &Scene) -> f64 {
    let reach = |stage: &StageSpec| match &stage.analysis {
        StageAnalysisKeys::Dynamic(keys) => {
            let step = match &keys.step {
                Some(DynamicStepSpec::Seconds(step)) => *step,
                Some(DynamicStepSpec::Limits(limits)) => limits.largest.unwrap_or(0.01),
                Some(DynamicStepSpec::Word(_)) => 0.01,
                None => 0.0,
            };
            step * keys.theta.unwrap_or(0.5)
        }
        _ => 0.0,
    };
    scene.stages.iter().map(reach).filter(|reach| reach.is_finite()).fold(0.0, f64::max)
}

/// Tensile and compressive strength of the material of a body [Pa]: written, or those of the library.
fn strengths<S: Dimension>(
    scene: &Scene,
    check: &SceneCheck<'_>,
    body: &Body<S>,
) -> Result<[Option<f64>; 2], SceneError> {
    let Some((name, material)) = scene.materials.iter().nth(body.material) else { return Ok([None; 2]) };
    let like = material.like.as_deref().and_then(library::find);
    let root = Place::ROOT;
    let place = root.key("materials");
    let place = place.key(name);
    let tensile = match material.tensile_strength {
        Some(tensile) => Some(check.positive(&place.key("tensile_strength"), "the tensile strength", tensile)?),
        None => like.and_then(|like| like.tensile_strength).map(|measured| measured.mean),
    };
    let measured = like.and_then(|like| like.compressive_strength).map(|measured| measured.mean);
    Ok([tensile, material.compressive_strength.or(measured)])
}

/// Refuses stages of analyses that support rigid bodies only.
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
        fineness: fineness(check, place, keys, S::largest_cell(&body.shape), volume, S::DIM)?,
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
    let (name, material) = scene.materials.iter().nth(body.material).unzip();
    let root = Place::ROOT;
    let materials = root.key("materials");
    let of_material = materials.key(name.map_or("", String::as_str));
    let like = material.and_then(|material| material.like.as_deref()).and_then(library::find);
    let written = material.and_then(|material| material.young_modulus);
    let young = match (keys.young_modulus, written, like.and_then(|like| like.young_modulus)) {
        (Some(young), ..) => check.positive(&place.key("young_modulus"), "Young's modulus", young)?,
        (None, Some(young), _) => check.positive(&of_material.key("young_modulus"), "Young's modulus", young)?,
        (None, None, Some(measured)) => measured.mean,
        (None, None, None) => {
            return Err(check
                .error(place, format!("the elastic block \"{}\" has no Young's modulus", body.name))
                .with_help("write young_modulus = 20e9 [Pa], or `like` a stone of the library in its material"));
        }
    };
    let written = material.and_then(|material| material.poisson_ratio);
    let measured = like.and_then(|like| like.poisson_ratio);
    let poisson = keys.poisson_ratio.or(written).or(measured).unwrap_or(POISSON);
    let Some(bed) = &keys.bed else {
        if !(poisson > -1.0 && poisson < 0.5) {
            let message = format!("Poisson's ratio is {poisson}; it must be above -1 and below 0.5");
            let place = if keys.poisson_ratio.is_some() { place } else { &of_material };
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
