//! DXF drawings of plane structures, one per frame: blocks and discs on the layer of their material, supports on
//! `NAME-support`, contacts, thrust lines and cracks on layers of their own.
//!
//! The format is that of AutoCAD R12 with light polylines, lengths in metres (`$INSUNITS` = 6). Numbers have all
//! digits, so that `voussoir import --dim 2` reads the same shapes. Unbounded bodies have no outline and are omitted.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use voussoir_mechanics::snapshot::{BodyForm, Cast, Snapshot};

use super::{make_folder, write_file};
use crate::Results;
use crate::error::ResultsError;
use crate::measures::{Joints, interfaces, thrust_lines};
use crate::vector::{Vec3, place};

/// Layer of the contact points.
const CONTACTS: &str = "voussoir-contacts";
/// Layer of the thrust lines.
const THRUST: &str = "voussoir-thrust";
/// Layer of the joints that have opened.
const CRACKS: &str = "voussoir-cracks";
/// Joints that have opened by less than this part of a block are closed.
const CLOSED_GAP: f64 = 1e-5;

/// Writes `frame_0000.dxf`, … into a folder; returns the files.
pub fn write_dxf(results: &Results, frames: &[usize], dir: &Path) -> Result<Vec<PathBuf>, ResultsError> {
    if results.cast().dimension != 2 {
        return Err(ResultsError::NotPlane);
    }
    make_folder(dir)?;
    let joints = Joints::of_results(results)?;
    let mut written = Vec::with_capacity(frames.len());
    for &frame in frames {
        let snapshot = results.frame(frame)?;
        let path = dir.join(format!("frame_{frame:04}.dxf"));
        written.push(write_file(&path, |out| {
            head(out)?;
            bodies(out, results.cast(), &snapshot)?;
            measures(out, results.cast(), &snapshot, joints.as_ref())?;
            pairs(out, &[("0", "ENDSEC"), ("0", "EOF")])
        })?);
    }
    Ok(written)
}

/// Lines of group codes and values.
fn pairs(out: &mut dyn Write, pairs: &[(&str, &str)]) -> io::Result<()> {
    pairs.iter().try_for_each(|(code, value)| writeln!(out, "{code:>3}\n{value}"))
}

fn head(out: &mut dyn Write) -> io::Result<()> {
    let header = [("0", "SECTION"), ("2", "HEADER"), ("9", "$INSUNITS"), ("70", "6"), ("0", "ENDSEC")];
    pairs(out, &header)?;
    pairs(out, &[("0", "SECTION"), ("2", "ENTITIES")])
}

/// A number that is read as the same bits.
fn number(out: &mut dyn Write, code: u32, value: f64) -> io::Result<()> {
    writeln!(out, "{code:>3}\n{value:?}")
}

fn polyline(out: &mut dyn Write, layer: &str, closed: bool, points: &[Vec3]) -> io::Result<()> {
    let (count, flag) = (points.len().to_string(), if closed { "1" } else { "0" });
    pairs(out, &[("0", "LWPOLYLINE"), ("8", layer), ("90", &count), ("70", flag)])?;
    for [x, y, _] in points {
        number(out, 10, *x)?;
        number(out, 20, *y)?;
    }
    Ok(())
}

fn bodies(out: &mut dyn Write, cast: &Cast, snapshot: &Snapshot) -> io::Result<()> {
    for (index, (body, placed)) in cast.bodies.iter().zip(&snapshot.bodies).enumerate() {
        if placed.absent {
            continue;
        }
        let material = cast.materials.get(body.material).map_or("stone", String::as_str);
        let layer = if body.support { format!("{material}-support") } else { material.to_owned() };
        match &body.form {
            BodyForm::Ball { radius } => {
                pairs(out, &[("0", "CIRCLE"), ("8", &layer)])?;
                number(out, 10, placed.position[0])?;
                number(out, 20, placed.position[1])?;
                number(out, 40, *radius)?;
            }
            BodyForm::Polygons(surface) if body.volume > 0.0 => {
                let deformed = snapshot.points_of(cast, index);
                let points = if deformed.is_empty() { &surface.points } else { deformed };
                for polygon in &surface.polygons {
                    let corners: Vec<Vec3> = polygon.iter().map(|&c| place(placed, points[c as usize])).collect();
                    polyline(out, &layer, true, &corners)?;
                }
            }
            BodyForm::Polygons(_) => {}
        }
    }
    Ok(())
}

fn measures(out: &mut dyn Write, cast: &Cast, snapshot: &Snapshot, joints: Option<&Joints>) -> io::Result<()> {
    for contact in snapshot.contacts.iter().filter(|contact| contact.force != [0.0; 3]) {
        pairs(out, &[("0", "POINT"), ("8", CONTACTS)])?;
        number(out, 10, contact.position[0])?;
        number(out, 20, contact.position[1])?;
    }
    for line in thrust_lines(cast, &interfaces(snapshot)) {
        polyline(out, THRUST, false, &line.points)?;
    }
    let Some(joints) = joints else { return Ok(()) };
    let block = block_size(cast);
    for open in joints.openings(snapshot, block).iter().filter(|open| open.gap > CLOSED_GAP * block) {
        pairs(out, &[("0", "LINE"), ("8", CRACKS)])?;
        let half = 0.5 * open.gap;
        for (code, sign) in [(10, -1.0), (11, 1.0)] {
            number(out, code, open.position[0] + sign * half * open.normal[0])?;
            number(out, code + 10, open.position[1] + sign * half * open.normal[1])?;
        }
    }
    Ok(())
}

/// Mean distance of the corners of blocks from their centroid [m].
fn block_size(cast: &Cast) -> f64 {
    let reach = |body: &voussoir_mechanics::snapshot::CastBody| match &body.form {
        BodyForm::Polygons(surface) if !body.support => {
            surface.points.iter().map(|p| p[0].hypot(p[1])).reduce(f64::max)
        }
        _ => None,
    };
    let sizes: Vec<f64> = cast.bodies.iter().filter_map(reach).collect();
    sizes.iter().sum::<f64>() / sizes.len().max(1) as f64
}
