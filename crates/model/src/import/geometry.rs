//! Closed surfaces for a scene: repaired, coplanar faces merged, written as OBJ.

use std::collections::BTreeMap;
use std::fmt::Write;

use voussoir_geometry::glam::DVec3;
use voussoir_geometry::{Repair, Shape3, ShapeError, Solid};

use super::Notes;

/// A block with a valid surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Name of the object in the file.
    pub name: String,
    /// Corners [m].
    pub vertices: Vec<DVec3>,
    /// Faces, counter-clockwise seen from outside.
    pub faces: Vec<Vec<u32>>,
    /// Volume [m³].
    pub volume: f64,
}

/// Repairs of many blocks, counted.
#[derive(Clone, Debug, Default)]
pub struct Repairs {
    counts: BTreeMap<String, (usize, String)>,
    merged: [usize; 3],
}

impl Repairs {
    /// Adds the repairs of one block.
    pub fn add(&mut self, name: &str, repairs: &[Repair]) {
        for repair in repairs {
            if let Repair::MergedFaces { from, to } = repair {
                self.merged = [self.merged[0] + 1, self.merged[1] + from, self.merged[2] + to];
                continue;
            }
            self.count(name, &repair.to_string());
        }
    }

    /// Adds one repair of one block.
    pub fn count(&mut self, name: &str, repair: &str) {
        let entry = self.counts.entry(repair.to_owned()).or_insert_with(|| (0, name.to_owned()));
        entry.0 += 1;
    }

    /// Writes the notes: by name for one block, by count for several blocks.
    pub(crate) fn tell(self, notes: &mut Notes) {
        // the faces with wrong winding differ from block to block: only their existence is reported
        let (mut turned, mut first) = (0, String::new());
        for (repair, (count, name)) in self.counts {
            if repair.contains("wound inwards") {
                if turned == 0 {
                    first = name;
                }
                turned += count;
            } else if count == 1 {
                notes.repaired(format!("{name}: {repair}"));
            } else {
                notes.repaired(format!("{count} blocks (first: {name}): {repair}"));
            }
        }
        match turned {
            0 => {}
            1 => notes.repaired(format!("{first}: faces with inward normals were reversed")),
            _ => notes.repaired(format!("{turned} blocks (first: {first}): faces with inward normals were reversed")),
        }
        let [blocks, from, to] = self.merged;
        if blocks > 0 {
            notes.merged(format!("{from} coplanar faces of {blocks} blocks into {to} faces"));
        }
    }
}

/// Checks a surface and merges its coplanar faces.
pub fn block(
    name: String,
    vertices: Vec<DVec3>,
    faces: Vec<Vec<u32>>,
    repairs: &mut Repairs,
) -> Result<Block, ShapeError> {
    let checked = Shape3::solid(&vertices, &faces)?;
    repairs.add(&name, &checked.repairs);
    let volume = checked.shape.mass_properties().map_or(0.0, |mass| mass.volume);
    // the surface of a non-convex block is not changed: its parts are computed again when the scene is built
    if let Shape3::Polyhedron(_) = checked.shape {
        let surface = checked.shape.surface(1.0);
        let vertices = surface.points.into_iter().map(DVec3::from_array).collect();
        return Ok(Block { name, vertices, faces: surface.polygons, volume });
    }
    Ok(Block { name, vertices, faces, volume })
}

/// One object per block, with all digits.
pub fn obj(blocks: &[Block]) -> String {
    let mut text = String::new();
    let mut first = 1;
    for block in blocks {
        let _ = writeln!(text, "o {}", block.name);
        for v in &block.vertices {
            let _ = writeln!(text, "v {} {} {}", v.x, v.y, v.z);
        }
        for face in &block.faces {
            text.push('f');
            for corner in face {
                let _ = write!(text, " {}", first + *corner as usize);
            }
            text.push('\n');
        }
        first += block.vertices.len();
    }
    text
}
