//! Drawings as scenes in two dimensions: closed polylines are blocks, circles are discs, lines are supports.
//!
//! A layer is the material and a tag of its bodies. On a layer `NAME-support` everything is a support of the material
//! NAME. Layers that begin with `voussoir-` have results (contacts, thrust lines, cracks) of `voussoir export --to
//! dxf`. A line becomes a strip of [`STRIP_THICKNESS`] of its length on the side away from the blocks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use voussoir_geometry::glam::DVec2;

use super::drawing::{Drawing, RESULTS};
use crate::import::{ImportError, ImportOptions, Imported, Notes};
use crate::scene::actions::{Select, Selection, Support};
use crate::scene::bodies::{BodyKeys, BodySpec, FormSpec, PolygonSpec, RadiusKeys, ShapeSpec};
use crate::scene::numbers::Numbers;
use crate::scene::stages::StageSpec;
use crate::scene::{JointSpec, MaterialSpec, Scene};

/// Thickness of the support that a line becomes, relative to its length.
const STRIP_THICKNESS: f64 = 0.05;
/// Suffix of the names of layers with supports.
const SUPPORT: &str = "-support";

/// Shapes of a drawing, in metres.
struct Shapes {
    /// Layer and corners.
    polygons: Vec<(String, Vec<DVec2>)>,
    /// Layer, centre and radius.
    discs: Vec<(String, DVec2, f64)>,
    /// Layer and ends.
    lines: Vec<(String, [DVec2; 2])>,
}

/// The scene of a drawing; `scale` are metres per unit.
pub(super) fn scene(
    path: &Path,
    drawing: &Drawing,
    scale: f64,
    options: &ImportOptions,
    mut notes: Notes,
) -> Result<Imported, ImportError> {
    if let Some((kind, count)) = drawing.unused.iter().find(|(kind, _)| kind.starts_with("open ")) {
        return Err(ImportError::new(path, 0, format!("{count} × {kind}: the outline of a block must be closed"))
            .with_help("close the polylines, or move them to a layer whose name begins with voussoir-"));
    }
    let shapes = shapes(drawing, scale, &mut notes);
    if shapes.polygons.is_empty() && shapes.discs.is_empty() {
        return Err(ImportError::new(path, 0, "the drawing has no closed polylines and no circles"));
    }
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    let mut materials = BTreeSet::new();
    let mut supports: Vec<Select> = Vec::new();
    let mut bodies = Vec::new();
    let mut add = |layer: &str, support: bool, shape: ShapeSpec, position: Option<Vec<f64>>| {
        let (word, on_support_layer) = material(layer);
        materials.insert(word.clone());
        let count = names.entry(word.clone()).or_default();
        let name = format!("{word}-{count}");
        *count += 1;
        if support || on_support_layer {
            supports.push(Select::Named(name.clone()));
        }
        let common = BodyKeys { name, material: word.clone(), tags: vec![word], position, ..BodyKeys::default() };
        bodies.push(BodySpec { common, form: FormSpec::Shaped(shape) });
    };
    let polygon = |corners: &[DVec2]| {
        ShapeSpec::Polygon(PolygonSpec {
            vertices: corners.iter().map(|p| Numbers(p.to_array())).collect(),
            holes: Vec::new(),
        })
    };
    for (layer, corners) in &shapes.polygons {
        add(layer, false, polygon(corners), None);
    }
    for (layer, centre, radius) in &shapes.discs {
        add(layer, false, ShapeSpec::Disc(RadiusKeys { radius: *radius }), Some(centre.to_array().to_vec()));
    }
    let middle = shapes.middle();
    for (layer, [a, b]) in &shapes.lines {
        let across = (*b - *a).perp() * STRIP_THICKNESS;
        let away = if across.dot(middle - *a) > 0.0 { -across } else { across };
        let corners = if (*b - *a).perp_dot(away) > 0.0 {
            [*a, *b, *b + away, *a + away]
        } else {
            [*b, *a, *a + away, *b + away]
        };
        add(layer, true, polygon(&corners), None);
    }
    if !shapes.lines.is_empty() {
        notes.changed(format!("{} lines became supports, strips of 5 % of their length", shapes.lines.len()));
    }
    let ImportOptions { density, friction, step, duration, .. } = *options;
    notes.changed(format!("the source has no materials; density {density} kg/m³ and friction {friction} are assumed"));
    let joint = JointSpec::coulomb(["*".to_owned(), "*".to_owned()], friction);
    let supports = if supports.is_empty() {
        Vec::new()
    } else {
        vec![Support { select: Selection::Many(supports), motion: None }]
    };
    let scene = Scene {
        title: options.name.clone(),
        dim: 2,
        materials: materials.into_iter().map(|name| (name, MaterialSpec::of_density(density))).collect(),
        joints: vec![joint],
        bodies,
        supports,
        stages: vec![StageSpec::dynamic(duration, step)],
        ..Scene::default()
    };
    Ok(Imported { scene, files: Vec::new(), notes: notes.0 })
}

/// Material of a layer, and whether its bodies are supports.
fn material(layer: &str) -> (String, bool) {
    let (name, support) = layer.strip_suffix(SUPPORT).map_or((layer, false), |name| (name, true));
    let word: String = name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).take(60).collect();
    (if word.is_empty() || word == "0" { "stone".to_owned() } else { word }, support)
}

/// The shapes of a drawing without layers of results.
fn shapes(drawing: &Drawing, scale: f64, notes: &mut Notes) -> Shapes {
    let kept = |layer: &str| !layer.starts_with(RESULTS);
    let flat = |p: &voussoir_geometry::glam::DVec3| DVec2::new(p.x, p.y) * scale;
    let outlines = drawing.outlines.iter().filter(|outline| kept(&outline.layer));
    let shapes = Shapes {
        polygons: outlines.map(|outline| (outline.layer.clone(), outline.points.iter().map(flat).collect())).collect(),
        discs: drawing
            .circles
            .iter()
            .filter(|(layer, ..)| kept(layer))
            .map(|(layer, centre, radius)| (layer.clone(), flat(centre), radius * scale))
            .collect(),
        lines: drawing
            .lines
            .iter()
            .filter(|(layer, [a, b])| kept(layer) && a != b)
            .map(|(layer, ends)| (layer.clone(), ends.each_ref().map(flat)))
            .collect(),
    };
    let arcs = drawing.outlines.iter().filter(|outline| outline.arcs).count();
    if arcs > 0 {
        notes.changed(format!("arcs of {arcs} outlines were replaced by chords of at most 10 degrees"));
    }
    for (kind, count) in &drawing.unused {
        notes.dropped(format!("{count} × {kind}: not part of a plane drawing"));
    }
    shapes
}

impl Shapes {
    /// Mean of the corners and centres.
    fn middle(&self) -> DVec2 {
        let corners = self.polygons.iter().flat_map(|(_, corners)| corners.iter().copied());
        let all: Vec<DVec2> = corners.chain(self.discs.iter().map(|(_, centre, _)| *centre)).collect();
        all.iter().sum::<DVec2>() / all.len().max(1) as f64
    }
}
