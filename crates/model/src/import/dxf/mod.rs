//! DXF drawings (text): 3D faces, polyface and polygon meshes, closed polylines extruded; references to blocks are
//! followed, layers become tags.
//!
//! | module | content |
//! |---|---|
//! | [`pairs`] | group codes and values, entities |
//! | [`drawing`] | entities as surfaces and outlines |
//! | [`outline`] | polylines, arcs, prisms |
//! | [`planar`] | scenes in two dimensions: blocks, discs, supports |
//!
//! Faces that share edges make a block; a polyface mesh stands alone. A closed polyline is extruded by its own
//! thickness, else by that of the options.

mod drawing;
mod outline;
mod pairs;
mod planar;

use std::path::Path;

use self::drawing::{Definitions, Drawing};
use self::outline::prism;
use self::pairs::{DxfEntity, entities};
use super::blocks::{self, SourceSurface};
use super::meshes::{pieces, refuse};
use super::units::LengthUnit;
use super::{ImportError, ImportOptions, Imported, Notes};
use crate::mesh::read_bytes;

/// Reads a DXF file.
pub(super) fn import(path: &Path, options: &ImportOptions) -> Result<Imported, ImportError> {
    let bytes = read_bytes(path).map_err(|error| refuse(path, error))?;
    read(path, &bytes, options)
}

/// The same from memory; `path` is for messages.
pub fn read(path: &Path, bytes: &[u8], options: &ImportOptions) -> Result<Imported, ImportError> {
    let pairs = pairs::pairs(path, bytes)?;
    let all = entities(path, &pairs);
    let file = sections(path, &all)?;
    let drawing = Drawing::gather(&file.entities, &file.blocks)?;
    let mut notes = Notes::default();
    let unit = unit(&file, options, &mut notes);
    if options.planar {
        return planar::scene(path, &drawing, unit * options.scale, options, notes);
    }
    let pieces = made(path, drawing, options, &mut notes)?;
    blocks::scene(path, pieces, unit, options, notes)
}

/// The sections of a file that are used.
struct File<'a> {
    entities: Vec<DxfEntity<'a>>,
    blocks: Definitions<'a>,
    /// `$INSUNITS`.
    units: i64,
}

fn sections<'a>(path: &Path, all: &[DxfEntity<'a>]) -> Result<File<'a>, ImportError> {
    let mut file = File { entities: Vec::new(), blocks: Definitions::new(), units: 0 };
    let (mut section, mut block, mut found) = ("", None, false);
    for entity in all {
        match entity.kind {
            "SECTION" => {
                section = entity.text(2).unwrap_or_default();
                found |= section == "ENTITIES";
                if section == "HEADER" {
                    file.units = insunits(entity);
                }
            }
            "ENDSEC" => section = "",
            _ if section == "ENTITIES" => file.entities.push(*entity),
            "BLOCK" if section == "BLOCKS" => {
                let name = entity.text(2).unwrap_or_default();
                block = Some(name);
                file.blocks.insert(name, vec![*entity]);
            }
            "ENDBLK" => block = None,
            _ if section == "BLOCKS" => {
                if let Some(list) = block.and_then(|name| file.blocks.get_mut(name)) {
                    list.push(*entity);
                }
            }
            _ => {}
        }
    }
    if !found {
        return Err(ImportError::new(path, 0, "the file has no section ENTITIES")
            .with_help("check that the file is a DXF drawing"));
    }
    Ok(file)
}

/// The value after the variable `$INSUNITS`; 0 where there is none.
fn insunits(header: &DxfEntity<'_>) -> i64 {
    let after = header.pairs.iter().skip_while(|pair| !(pair.code == 9 && pair.value == "$INSUNITS"));
    after
        .skip(1)
        .take_while(|pair| pair.code != 9)
        .find(|pair| pair.code == 70)
        .map_or(0, |pair| pair.value.parse().unwrap_or(0))
}

/// Metres per unit: from the options, else from the drawing.
fn unit(file: &File<'_>, options: &ImportOptions, notes: &mut Notes) -> f64 {
    let own = LengthUnit::of_dxf(file.units);
    match (options.unit, own) {
        (Some(unit), Some(own)) if unit != own => {
            notes.changed(format!("the unit of the drawing is {own}; it was read in {unit} as requested"));
            unit.metres()
        }
        (Some(unit), _) => unit.metres(),
        (None, Some(own)) => {
            if own != LengthUnit::Metre {
                notes.changed(format!("lengths were converted from {own} (unit of the drawing, $INSUNITS) to metres"));
            }
            own.metres()
        }
        (None, None) => 1.0,
    }
}

/// Surfaces that can become blocks.
fn made(
    path: &Path,
    drawing: Drawing,
    options: &ImportOptions,
    notes: &mut Notes,
) -> Result<Vec<SourceSurface>, ImportError> {
    let mut all = Vec::new();
    for (layer, mesh) in &drawing.loose {
        all.extend(pieces(path, mesh, &tags(layer), notes)?);
    }
    for (layer, mesh) in &drawing.meshes {
        all.extend(pieces(path, mesh, &tags(layer), notes)?);
    }
    let (mut flat, mut arcs) = (0, 0);
    for outline in &drawing.outlines {
        let thickness = if outline.thickness != 0.0 { outline.thickness } else { options.extrude.unwrap_or(0.0) };
        if thickness == 0.0 {
            flat += 1;
            continue;
        }
        arcs += usize::from(outline.arcs);
        let (vertices, faces) = prism(&outline.points, outline.normal * thickness);
        all.push(SourceSurface { name: String::new(), tags: tags(&outline.layer), vertices, faces });
    }
    if arcs > 0 {
        notes.changed(format!("arcs of {arcs} outlines were replaced by chords of at most 10 degrees"));
    }
    if flat > 0 && all.is_empty() {
        let message = format!("the {flat} closed outlines have no thickness and make no blocks");
        return Err(ImportError::new(path, 0, message).with_help("--extrude LENGTH gives them a thickness"));
    }
    if flat > 0 {
        notes.dropped(format!("{flat} closed outlines without thickness; --extrude LENGTH gives them a thickness"));
    }
    let curves = [("CIRCLE", drawing.circles.len()), ("LINE", drawing.lines.len())];
    let curves = curves.into_iter().filter(|(_, count)| *count > 0);
    let unused = drawing.unused.iter().map(|(kind, count)| (kind.as_str(), *count)).chain(curves);
    for (kind, count) in unused.collect::<std::collections::BTreeMap<_, _>>() {
        notes.dropped(format!("{count} × {kind}: no supported surface"));
    }
    Ok(all)
}

/// A layer is a tag; layer 0 is the default layer and gives none.
fn tags(layer: &str) -> Vec<String> {
    if layer == "0" || layer.is_empty() { Vec::new() } else { vec![layer.to_owned()] }
}
