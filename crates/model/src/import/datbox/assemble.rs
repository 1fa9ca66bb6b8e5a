//! Writes one scene from all files.

use std::collections::BTreeMap;

use voussoir_geometry::glam::{DMat3, DVec3};

use super::bodies::DatboxBody;
use super::dofs::Start;
use super::driven::{Driven, What};
use super::joints::Materials;
use super::laws::{Bulk, Contact};
use super::{Tables, actions, shapes};
use crate::import::{ImportError, ImportOptions, Imported, LengthUnit, Notes};
use crate::scene::stages::StageSpec;
use crate::scene::{NumberOrVector, Scene};

/// The content of all files.
pub(super) struct Source<'a> {
    pub tables: &'a Tables,
    pub dimension: usize,
    pub bodies: Vec<DatboxBody>,
    /// By number, from 1.
    pub starts: BTreeMap<usize, Start>,
    pub driven: Vec<Driven>,
    pub bulk: Bulk,
    pub contact: Contact,
}

/// A body in its initial position.
pub(super) struct Placed<'a> {
    pub body: &'a DatboxBody,
    /// From 1.
    pub number: usize,
    pub name: String,
    pub material: String,
    /// Origin of its axes [m].
    pub position: DVec3,
    /// Its axes as columns (3D).
    pub frame: DMat3,
    /// How it is turned (2D) [rad].
    pub angle: f64,
    pub start: Option<Start>,
    /// Not driven.
    pub free: bool,
}

/// Writes the scene.
pub(super) fn scene(source: &Source<'_>, options: &ImportOptions, mut notes: Notes) -> Result<Imported, ImportError> {
    if options.scale != 1.0 || options.unit.is_some_and(|unit| unit != LengthUnit::Metre) {
        let message = "--scale changes only lengths, but this model contains masses and forces";
        return Err(source.tables.bodies.error(None, message).with_help("convert the whole model to SI units"));
    }
    let materials = Materials::new(source, &mut notes)?;
    let placed = place(source, &materials);
    let written = shapes::bodies(source, &placed, options, &mut notes)?;
    let joints = materials.joints(source, &mut notes)?;
    let (supports, loads) = actions::actions(source, &placed, &written.selections, options, &mut notes)?;
    let g = source.bulk.gravity;
    let gravity = match (source.dimension, g) {
        (2, [0.0, down, _]) => NumberOrVector::Number(-down),
        (2, [x, y, _]) => NumberOrVector::Vector(vec![x, y]),
        (_, [0.0, 0.0, down]) => NumberOrVector::Number(-down),
        _ => NumberOrVector::Vector(g.to_vec()),
    };
    notes.changed(
        "allow_overlap = true was written: blocks that overlap by more than 1e-3 of the smaller one are accepted; without \
         the key they are an error"
            .to_owned(),
    );
    let stage = StageSpec::dynamic(options.duration, options.step);
    let scene = Scene {
        title: options.name.clone(),
        dim: source.dimension as u8,
        gravity: Some(gravity),
        allow_overlap: true,
        materials: materials.materials,
        joints,
        bodies: written.bodies,
        supports,
        loads,
        stages: vec![stage],
        ..Scene::default()
    };
    Ok(Imported { scene, files: written.files, notes: notes.0 })
}

/// Puts every body where it is at the start.
fn place<'a>(source: &'a Source<'_>, materials: &Materials) -> Vec<Placed<'a>> {
    let driven = |number: usize| source.driven.iter().any(|d| d.body == number && d.what == What::Velocity);
    let one = |(i, body): (usize, &'a DatboxBody)| {
        let number = i + 1;
        let start = source.starts.get(&number).copied();
        let [x, y, third] = body.position;
        let mut placed = Placed {
            body,
            number,
            name: format!("body{number}"),
            material: materials.of(body),
            position: DVec3::new(x, y, if source.dimension == 3 { third } else { 0.0 }),
            frame: DMat3::IDENTITY,
            angle: if source.dimension == 2 { third } else { 0.0 },
            start,
            free: !driven(number),
        };
        if let Some(start) = start {
            if source.dimension == 3 {
                placed.position += start.displacement;
                placed.frame = start.frame;
            } else {
                placed.position += start.displacement.with_z(0.0);
                placed.angle += start.displacement.z;
            }
        }
        placed
    };
    source.bodies.iter().enumerate().map(one).collect()
}
