//! The description of a scene by `voussoir check`; the keys of its JSON.

use std::fmt::Write;

use serde::Serialize;
use voussoir_geometry::Space;
use voussoir_mechanics::elastic::ElasticReduction;
use voussoir_mechanics::inspect::{Inspection, InterfaceKind};
use voussoir_mechanics::model::{Model, Role};
use voussoir_mechanics::with_model;
use voussoir_model::Built;
use voussoir_model::build::ElasticMeshes;
use voussoir_results::picture::numbers::count;

use crate::drive::total_steps;
use crate::figures::quantity;

/// Largest number of bodies and pairs that are listed in JSON; the others are counted.
const LISTED: usize = 20;
/// Largest number of bodies and pairs that are named in text.
const NAMED: usize = 5;

/// Description of a scene.
#[derive(Debug, Serialize)]
pub struct Description {
    /// Title of the scene.
    pub title: String,
    /// 2 or 3.
    pub dimension: usize,
    /// Number of bodies, supports included.
    pub bodies: usize,
    /// Bodies that move freely.
    pub free_bodies: usize,
    /// Bodies that are fixed or have a prescribed motion.
    pub supports: usize,
    /// Pairs of bodies in contact.
    pub interfaces: usize,
    /// Interfaces by type.
    pub interfaces_by_type: Vec<TypeClass>,
    /// The same pairs by area, smallest class first.
    pub interfaces_by_area: Vec<AreaClass>,
    /// Contact points of all interfaces.
    pub contacts: usize,
    /// Mass of the free bodies.
    pub mass_kg: f64,
    /// Weight of the free bodies.
    pub weight_n: f64,
    /// Mass by material, supports omitted.
    pub materials: Vec<MaterialMass>,
    /// Number of pairs that overlap by more than 1e-3 of the smaller body.
    pub overlaps: usize,
    /// The worst of them, deepest first.
    pub overlap_pairs: Vec<OverlapPair>,
    /// Largest overlap of all pairs, those within the tolerance included.
    pub largest_overlap_m: f64,
    /// Free bodies that no chain of contacts connects to a support.
    pub floating_bodies: usize,
    /// The first of them.
    pub floating_names: Vec<String>,
    /// Number of free bodies whose shape suggests a mistake.
    pub suspicious_bodies: usize,
    /// The first of them.
    pub suspicious_shapes: Vec<OddShape>,
    /// Meshes of elastic blocks; absent if all are rigid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elastic: Option<ElasticDescription>,
    /// Loads, one for each body they act on.
    pub loads: usize,
    /// Stages to run.
    pub stages: usize,
    /// Steps of all stages.
    pub steps: u64,
    /// The picture that was drawn.
    pub picture: Option<String>,
    /// Repairs and warnings.
    pub warnings: Vec<String>,
}

/// Meshes of elastic blocks.
#[derive(Debug, Serialize)]
pub struct ElasticDescription {
    /// Elastic blocks.
    pub blocks: usize,
    /// Different meshes.
    pub meshes: usize,
    /// Elements of all blocks.
    pub elements: usize,
    /// Smallest ratio of the Jacobian at an integration point to its mean in the element; 1 for parallelepipeds.
    pub jacobian_ratio: f64,
    /// Smallest determinant of unit edge vectors at a corner of an element; 1 for right angles.
    pub scaled_jacobian: f64,
    /// Block with that element.
    pub worst_block: String,
    /// Modal reduction of blocks with `modes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduction: Option<ReductionDescription>,
}

/// Modal reduction of elastic blocks.
#[derive(Debug, Serialize)]
pub struct ReductionDescription {
    /// Reduced blocks.
    pub blocks: usize,
    /// Different bases.
    pub bases: usize,
    /// Largest number of vectors of a basis.
    pub vectors: usize,
    /// Displacements of the mesh with that basis.
    pub displacements: usize,
    /// Frequency of the highest free mode that all reduced blocks keep [Hz].
    pub frequency_hz: f64,
    /// Largest error of the compliance of contacts in a step, relative to the full mesh.
    pub step_error: f64,
    /// The same for static forces.
    pub static_error: f64,
}

impl ReductionDescription {
    fn of(found: &ElasticReduction) -> Self {
        let ElasticReduction { blocks, bases, vectors, displacements, frequency, step_error, static_error } = *found;
        Self { blocks, bases, vectors, displacements, frequency_hz: frequency, step_error, static_error }
    }

    fn text(&self) -> String {
        let Self { blocks, bases, vectors, displacements, .. } = self;
        let found = count(*bases, "basis", "bases");
        format!(
            "{blocks} blocks reduced by {found} of up to {vectors} vectors for {displacements} displacements, modes up to {:.3e} Hz; \
             error of the compliance of contacts {:.1e} in a step, {:.1e} for static forces",
            self.frequency_hz, self.step_error, self.static_error
        )
    }
}

impl ElasticDescription {
    fn of(meshes: &ElasticMeshes) -> Option<Self> {
        let ElasticMeshes { blocks, meshes, elements, jacobian_ratio, scaled_jacobian, worst, reduction } =
            meshes.clone();
        let reduction = reduction.as_ref().map(ReductionDescription::of);
        let described =
            Self { blocks, meshes, elements, jacobian_ratio, scaled_jacobian, worst_block: worst, reduction };
        (blocks > 0).then_some(described)
    }
}

/// Interfaces of one type.
#[derive(Debug, Serialize)]
pub struct TypeClass {
    /// Type: "face on face", "vertex on edge", …
    pub r#type: &'static str,
    /// How many there are.
    pub interfaces: usize,
    /// Their contact points.
    pub contacts: usize,
    /// Area (length in 2D) of all of them [m², m].
    pub area: f64,
}

/// Interfaces of about the same area.
#[derive(Debug, Serialize)]
pub struct AreaClass {
    /// Area (length in 2D) of the smallest and the largest in the class [m², m].
    pub area: [f64; 2],
    /// How many there are.
    pub interfaces: usize,
}

/// One material.
#[derive(Debug, Serialize)]
pub struct MaterialMass {
    /// Its name.
    pub name: String,
    /// Free bodies made of it.
    pub bodies: usize,
    /// Their mass.
    pub mass_kg: f64,
}

/// Two bodies that share space.
#[derive(Debug, Serialize)]
pub struct OverlapPair {
    /// Their names.
    pub bodies: [String; 2],
    /// Depth of the overlap.
    pub depth_m: f64,
}

/// A body with an unusual shape.
#[derive(Debug, Serialize)]
pub struct OddShape {
    /// Its name.
    pub body: String,
    /// Why the shape is unusual.
    pub reason: String,
}

impl Description {
    /// Describes a model and its inspection.
    pub fn new(built: &Built, look: &Inspection) -> Self {
        with_model!(&built.model, model => Self::of(model, built, look))
    }

    fn of<S: Space>(model: &Model<S>, built: &Built, look: &Inspection) -> Self {
        let supports = model.bodies.iter().filter(|body| body.role != Role::Free).count();
        let name = |index: usize| model.bodies[index].name.clone();
        let materials = model.materials.iter().enumerate().map(|(index, material)| {
            let own = || model.bodies.iter().filter(|body| body.material == index && body.role == Role::Free);
            MaterialMass {
                name: material.name.clone(),
                bodies: own().count(),
                mass_kg: own().map(|body| body.mass).fold(0.0, |sum, mass| sum + mass),
            }
        });
        let pairs = look.overlaps.iter().take(LISTED);
        let odd = look.suspicious.iter().take(LISTED);
        Self {
            title: built.title.clone(),
            dimension: S::DIM,
            bodies: model.bodies.len(),
            free_bodies: model.bodies.len() - supports,
            supports,
            interfaces: look.interfaces.len(),
            interfaces_by_type: types(look),
            interfaces_by_area: classes(look.interfaces.iter().map(|interface| interface.area).collect()),
            contacts: look.contacts,
            mass_kg: look.mass,
            weight_n: look.weight,
            materials: materials.collect(),
            overlaps: look.overlaps.len(),
            overlap_pairs: pairs
                .map(|pair| OverlapPair { bodies: [name(pair.a), name(pair.b)], depth_m: pair.depth })
                .collect(),
            largest_overlap_m: look.interfaces.iter().map(|interface| -interface.worst_gap).fold(0.0, f64::max),
            floating_bodies: look.floating.len(),
            floating_names: look.floating.iter().take(LISTED).map(|&i| name(i)).collect(),
            suspicious_bodies: look.suspicious.len(),
            suspicious_shapes: odd
                .map(|suspicion| OddShape { body: name(suspicion.body), reason: suspicion.reason.clone() })
                .collect(),
            elastic: ElasticDescription::of(&built.elastic),
            loads: model.loads.len(),
            stages: built.stages.len(),
            steps: total_steps(&built.stages),
            picture: None,
            warnings: built.warnings.clone(),
        }
    }

    /// The description as text.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", if self.title.is_empty() { "Scene" } else { &self.title });
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "  {name:<12} {value}");
        };
        line("dimension", format!("{}D", self.dimension));
        line(
            "bodies",
            format!("{}: {} free, {}", self.bodies, self.free_bodies, count(self.supports, "support", "supports")),
        );
        line("mass", format!("{} kg, weight {}", round(self.mass_kg), quantity(self.weight_n, "N")));
        for material in &self.materials {
            line("", format!("{}: {} bodies, {} kg", material.name, material.bodies, round(material.mass_kg)));
        }
        line("interfaces", format!("{} with {} contact points", self.interfaces, self.contacts));
        let unit = if self.dimension == 2 { "m" } else { "m²" };
        for class in &self.interfaces_by_type {
            let area = if class.area > 0.0 { format!(", total {} {unit}", round(class.area)) } else { String::new() };
            line("", format!("{} {}{area}", class.interfaces, class.r#type));
        }
        if self.interfaces_by_area.iter().any(|class| class.area[1] > 0.0) {
            let classes = self.interfaces_by_area.iter().filter(|class| class.area[1] > 0.0).map(|class| {
                let [from, to] = class.area.map(round);
                let area = if from == to { from.to_string() } else { format!("{from} … {to}") };
                format!("{} of {area} {unit}", class.interfaces)
            });
            line("areas", classes.collect::<Vec<_>>().join("\n               "));
        }
        line("overlaps", self.overlap_words());
        for pair in self.overlap_pairs.iter().take(NAMED) {
            let [a, b] = &pair.bodies;
            line("", format!("\"{a}\" and \"{b}\" by {:.3e} m", pair.depth_m));
        }
        let list = |count: usize, named: Vec<String>| {
            let more = if count > named.len() { ", …" } else { "" };
            format!("{}{more}", named.join(", "))
        };
        line(
            "floating",
            if self.floating_bodies == 0 {
                "none".to_owned()
            } else {
                let named = self.floating_names.iter().take(NAMED).map(|name| format!("\"{name}\"")).collect();
                let count = self.floating_bodies;
                let bodies = if count == 1 { "body has" } else { "bodies have" };
                format!("{count} {bodies} no load path to a support: {}", list(count, named))
            },
        );
        line(
            "unusual",
            if self.suspicious_bodies == 0 { "none".to_owned() } else { self.suspicious_bodies.to_string() },
        );
        for shape in self.suspicious_shapes.iter().take(NAMED) {
            line("", format!("\"{}\": {}", shape.body, shape.reason));
        }
        if let Some(elastic) = &self.elastic {
            let (blocks, meshes) = (elastic.blocks, count(elastic.meshes, "mesh", "meshes"));
            line("elastic", format!("{blocks} blocks with {meshes} and {} elements", elastic.elements));
            line(
                "",
                format!(
                    "smallest Jacobian {:.3} of the mean of its element; smallest corner determinant {:.3} (\"{}\")",
                    elastic.jacobian_ratio, elastic.scaled_jacobian, elastic.worst_block
                ),
            );
            if let Some(reduction) = &elastic.reduction {
                line("", reduction.text());
            }
        }
        line("stages", format!("{} with {} steps", self.stages, self.steps));
        if let Some(picture) = &self.picture {
            line("picture", picture.clone());
        }
        for warning in &self.warnings {
            line("warning", warning.clone());
        }
        text
    }

    fn overlap_words(&self) -> String {
        match self.overlaps {
            0 if self.largest_overlap_m > 0.0 => {
                format!("none beyond the tolerance (largest {:.1e} m)", self.largest_overlap_m)
            }
            0 => "none".to_owned(),
            1 => "1 pair beyond the tolerance".to_owned(),
            count => format!("{count} pairs beyond the tolerance, largest first"),
        }
    }
}

/// Interfaces by type; types that do not occur are omitted.
fn types(look: &Inspection) -> Vec<TypeClass> {
    let class = |kind: InterfaceKind| {
        let own = || look.interfaces.iter().filter(move |interface| interface.kind == kind);
        TypeClass {
            r#type: kind.words(),
            interfaces: own().count(),
            contacts: own().map(|interface| interface.points.len()).sum(),
            area: own().map(|interface| interface.area).fold(0.0, |sum, area| sum + area),
        }
    };
    InterfaceKind::ALL.into_iter().map(class).filter(|class| class.interfaces > 0).collect()
}

/// Sorts areas into classes: within a class they differ by less than a thousandth, or there are at most eight.
fn classes(mut areas: Vec<f64>) -> Vec<AreaClass> {
    areas.sort_by(f64::total_cmp);
    let mut classes: Vec<AreaClass> = Vec::new();
    for area in areas {
        match classes.last_mut() {
            Some(class) if area <= class.area[0] * (1.0 + 1e-3) => {
                class.area[1] = area;
                class.interfaces += 1;
            }
            _ => classes.push(AreaClass { area: [area; 2], interfaces: 1 }),
        }
    }
    // many different areas: similar areas share a class
    while classes.len() > 8 {
        classes = classes
            .chunks(2)
            .map(|pair| AreaClass {
                area: [pair[0].area[0], pair[pair.len() - 1].area[1]],
                interfaces: pair.iter().map(|class| class.interfaces).sum(),
            })
            .collect();
    }
    classes
}

/// Six digits.
fn round(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}
