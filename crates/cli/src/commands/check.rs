//! `voussoir check`: reads, builds and describes a scene.

use std::fmt::Write;
use std::path::PathBuf;

use serde::Serialize;
use voussoir_geometry::Space;
use voussoir_mechanics::inspect::inspect;
use voussoir_mechanics::model::{Model, Role};
use voussoir_model::{AnyModel, Built};

use crate::exit::Exit;
use crate::failure::{Failure, Result};
use crate::figures::quantity;
use crate::runner::total_steps;
use crate::scene_file::SceneFile;
use crate::terminal::Terminal;

/// Floating bodies that are named; the rest is counted.
const NAMED: usize = 20;

/// Arguments of `voussoir check`.
#[derive(Debug, clap::Args)]
pub struct Check {
    /// The scene
    pub scene: PathBuf,
    /// Print the description as one JSON object on stdout
    #[arg(long)]
    pub json: bool,
}

/// What `check` says; the keys of its JSON.
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
    /// Bodies that are fixed or move as told.
    pub supports: usize,
    /// Pairs of bodies that touch.
    pub interfaces: usize,
    /// The same pairs by area, smallest class first.
    pub interfaces_by_area: Vec<AreaClass>,
    /// Contact points of all interfaces.
    pub contacts: usize,
    /// Mass of the free bodies.
    pub mass_kg: f64,
    /// Weight of the free bodies.
    pub weight_n: f64,
    /// Mass by material, supports left out.
    pub materials: Vec<MaterialMass>,
    /// Number of pairs that overlap by more than 1e-3 of the smaller body.
    pub overlaps: usize,
    /// The worst of them.
    pub overlap_pairs: Vec<OverlapPair>,
    /// Largest overlap of all pairs, those within the tolerance included.
    pub largest_overlap_m: f64,
    /// Free bodies that no chain of contacts connects to a support.
    pub floating_bodies: usize,
    /// The first of them.
    pub floating_names: Vec<String>,
    /// Loads, one for each body they act on.
    pub loads: usize,
    /// Stages to run.
    pub stages: usize,
    /// Steps of all stages.
    pub steps: u64,
    /// What was repaired, and what looks odd.
    pub warnings: Vec<String>,
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
    /// How deep.
    pub depth_m: f64,
}

impl Check {
    /// Describes the scene.
    pub fn execute(&self, terminal: &Terminal) -> Result<Exit> {
        let scene = SceneFile::load(&self.scene)?;
        let description = match &scene.built.model {
            AnyModel::Two(model) => describe(model, &scene.built),
            AnyModel::Three(model) => describe(model, &scene.built),
        };
        if self.json {
            let text = serde_json::to_string(&description)
                .map_err(|error| Failure { exit: Exit::Failed, ..Failure::bad_input(error.to_string()) })?;
            terminal.answer(&text)?;
        } else {
            terminal.answer(&description.text())?;
        }
        Ok(Exit::Computed)
    }
}

/// Describes a model.
fn describe<S: Space>(model: &Model<S>, built: &Built) -> Description {
    let look = inspect(model, None);
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
    let mut warnings = built.warnings.clone();
    if !look.floating.is_empty() {
        let names: Vec<String> = look.floating.iter().take(3).map(|&i| format!("\"{}\"", name(i))).collect();
        let more = if look.floating.len() > 3 { ", …" } else { "" };
        let count = look.floating.len();
        warnings.push(format!("{count} bodies touch no support, also not through others: {}{more}", names.join(", ")));
    }
    Description {
        title: built.title.clone(),
        dimension: S::DIM,
        bodies: model.bodies.len(),
        free_bodies: model.bodies.len() - supports,
        supports,
        interfaces: look.interfaces.len(),
        interfaces_by_area: classes(look.interfaces.iter().map(|interface| interface.area).collect()),
        contacts: look.contacts,
        mass_kg: look.mass,
        weight_n: look.weight,
        materials: materials.collect(),
        overlaps: look.overlaps.len(),
        overlap_pairs: look
            .overlaps
            .iter()
            .take(NAMED)
            .map(|pair| OverlapPair { bodies: [name(pair.a), name(pair.b)], depth_m: pair.depth })
            .collect(),
        largest_overlap_m: look.interfaces.iter().map(|interface| -interface.worst_gap).fold(0.0, f64::max),
        floating_bodies: look.floating.len(),
        floating_names: look.floating.iter().take(NAMED).map(|&i| name(i)).collect(),
        loads: model.loads.len(),
        stages: built.stages.len(),
        steps: total_steps(&built.stages),
        warnings,
    }
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
    // many different areas: neighbours go together
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

impl Description {
    /// For people.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", if self.title.is_empty() { "Scene" } else { &self.title });
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "  {name:<12} {value}");
        };
        line("dimension", format!("{}D", self.dimension));
        line("bodies", format!("{}: {} free, {} fixed or moved", self.bodies, self.free_bodies, self.supports));
        line("mass", format!("{} kg, weight {}", round(self.mass_kg), quantity(self.weight_n, "N")));
        for material in &self.materials {
            line("", format!("{}: {} bodies, {} kg", material.name, material.bodies, round(material.mass_kg)));
        }
        line("interfaces", format!("{} with {} contact points", self.interfaces, self.contacts));
        let unit = if self.dimension == 2 { "m" } else { "m²" };
        for class in &self.interfaces_by_area {
            let [from, to] = class.area.map(round);
            let area = if from == to { from.to_string() } else { format!("{from} … {to}") };
            line("", format!("{} of {area} {unit}", class.interfaces));
        }
        line(
            "overlaps",
            match self.overlap_pairs.first() {
                None if self.largest_overlap_m > 0.0 => {
                    format!("none beyond the tolerance ({:.1e} m at the most)", self.largest_overlap_m)
                }
                None => "none".to_owned(),
                Some(worst) => {
                    let [a, b] = &worst.bodies;
                    format!("{}; the worst: \"{a}\" and \"{b}\" by {:.3e} m", self.overlaps, worst.depth_m)
                }
            },
        );
        line("stages", format!("{} with {} steps", self.stages, self.steps));
        for warning in &self.warnings {
            line("warning", warning.clone());
        }
        text
    }
}

/// Six digits.
fn round(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}
