//! OBJ files, one per frame, and one file of materials.

use std::io::Write;
use std::path::{Path, PathBuf};

use voussoir_mechanics::snapshot::Snapshot;

use super::{make_folder, surveyed, write_file};
use crate::Results;
use crate::error::ResultsError;
use crate::picture::colour::{CABLE, STONES, SUPPORT};
use crate::vector::place;

/// Writes `frame_0000.obj`, … and `materials.mtl` into a folder; returns the files.
pub fn write_obj(results: &Results, frames: &[usize], dir: &Path) -> Result<Vec<PathBuf>, ResultsError> {
    make_folder(dir)?;
    let cast = results.cast();
    let mut written = vec![write_file(&dir.join("materials.mtl"), |out| {
        let others = [("support".to_owned(), SUPPORT), ("cable".to_owned(), CABLE)];
        let stones = cast.materials.iter().enumerate().map(|(i, name)| (word(name), STONES[i % STONES.len()]));
        for (name, colour) in stones.chain(others) {
            let [r, g, b] = colour.map(|c| f64::from(c) / 255.0);
            writeln!(out, "newmtl {name}\nKd {r:.4} {g:.4} {b:.4}\nillum 1\n")?;
        }
        Ok(())
    })?];
    for &frame in frames {
        let (bodies, cables) = (results.poses(frame)?, results.cables(frame)?);
        let snapshot = Snapshot { bodies, cables, deformed: results.deformed(frame)?, ..Snapshot::default() };
        let snapshot = surveyed(results, snapshot);
        written.push(write_file(&dir.join(format!("frame_{frame:04}.obj")), |out| {
            writeln!(out, "# {} at t = {} s; metres\nmtllib materials.mtl", results.title(), results.times()[frame])?;
            let mut first = 1;
            let there = cast.bodies.iter().zip(&snapshot.bodies).enumerate().filter(|(_, (_, placed))| !placed.absent);
            for (index, (body, placed)) in there {
                let material = cast.materials.get(body.material).map_or_else(|| "stone".to_owned(), |name| word(name));
                let material = if body.support { "support" } else { &material };
                writeln!(out, "o {}\nusemtl {material}", word(&body.name))?;
                // OBJ has no balls
                let surface = body.polygons(cast.dimension);
                let deformed = snapshot.points_of(cast, index);
                let points = if deformed.is_empty() { &surface.points } else { deformed };
                for &point in points {
                    let [x, y, z] = place(placed, point);
                    writeln!(out, "v {x:.9} {y:.9} {z:.9}")?;
                }
                for polygon in &surface.polygons {
                    let corners: Vec<String> = polygon.iter().map(|&c| (first + c as usize).to_string()).collect();
                    writeln!(out, "f {}", corners.join(" "))?;
                }
                first += surface.points.len();
            }
            let names = cast.cables.iter().map(|cable| word(&cable.name));
            for (cable, name) in snapshot.cables.iter().zip(names).filter(|(cable, _)| !cable.points.is_empty()) {
                writeln!(out, "o {name}\nusemtl cable")?;
                for [x, y, z] in &cable.points {
                    writeln!(out, "v {x:.9} {y:.9} {z:.9}")?;
                }
                let corners: Vec<String> = (first..first + cable.points.len()).map(|c| c.to_string()).collect();
                writeln!(out, "l {}", corners.join(" "))?;
                first += cable.points.len();
            }
            Ok(())
        })?);
    }
    Ok(written)
}

/// A name without spaces.
fn word(name: &str) -> String {
    let clean: String = name.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
    if clean.is_empty() { "_".to_owned() } else { clean }
}
