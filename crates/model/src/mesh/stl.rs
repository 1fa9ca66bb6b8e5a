//! STL: triangles without shared vertices, as text or binary. Vertices at the same place are joined.

use std::collections::HashMap;

use super::{Mesh, MeshError, lines, quoted, three_numbers};

/// Length of the binary header with the number of triangles.
const HEADER: usize = 84;
/// Length of a binary triangle.
const RECORD: usize = 50;

/// Reads an STL file. It is binary when its length fits the number of triangles in its header.
pub fn read(bytes: &[u8]) -> Result<Mesh, MeshError> {
    let count = bytes.get(80..HEADER).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    let expected = count.and_then(|n| (n as usize).checked_mul(RECORD)?.checked_add(HEADER));
    if expected == Some(bytes.len()) {
        return binary(bytes);
    }
    let begin = bytes.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(bytes.len());
    if bytes[begin..].starts_with(b"solid") {
        return text(bytes);
    }
    let message = match count {
        Some(n) => {
            format!("neither text (\"solid …\") nor a binary STL: {n} triangles do not fit {} bytes", bytes.len())
        }
        None => "neither text (\"solid …\") nor long enough for a binary STL".into(),
    };
    Err(MeshError::Byte { offset: 0, message })
}

fn binary(bytes: &[u8]) -> Result<Mesh, MeshError> {
    let mut welder = Welder::default();
    for (i, record) in bytes[HEADER..].chunks_exact(RECORD).enumerate() {
        let offset = HEADER + i * RECORD;
        let number = |k: usize| {
            // the first three numbers are the normal
            let at = 12 + 4 * k;
            f64::from(f32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]))
        };
        let triangle = std::array::from_fn(|v| std::array::from_fn(|axis| number(3 * v + axis)));
        welder.push(triangle).map_err(|message| MeshError::Byte { offset, message })?;
    }
    welder.mesh.checked()
}

fn text(bytes: &[u8]) -> Result<Mesh, MeshError> {
    let mut welder = Welder::default();
    let mut corners: Vec<[f64; 3]> = Vec::with_capacity(3);
    let mut solids = 0;
    for (line, text) in lines(bytes) {
        let mut words = text.split_whitespace();
        let done = match words.next() {
            Some("solid") => {
                solids += 1;
                // each solid has vertices of its own
                welder.places.clear();
                let name = words.collect::<Vec<_>>().join(" ");
                welder.mesh.start_object(&if name.is_empty() { format!("solid {solids}") } else { name });
                Ok(())
            }
            Some("facet") => {
                corners.clear();
                Ok(())
            }
            Some("vertex") if corners.len() == 3 => Err("a facet has more than three vertices".into()),
            Some("vertex") => three_numbers(words).map(|vertex| corners.push(vertex)),
            Some("endfacet") => match corners[..] {
                [a, b, c] => welder.push([a, b, c]),
                _ => Err(format!("a facet has {} vertices, not three", corners.len())),
            },
            Some("outer" | "endloop" | "endsolid" | "end") | None => Ok(()),
            Some(word) => Err(format!("{} is not an STL keyword", quoted(word))),
        };
        done.map_err(|message| MeshError::Line { line, message })?;
    }
    if solids == 1 {
        welder.mesh.objects.clear();
    }
    welder.mesh.checked()
}

/// Joins vertices at the same place.
#[derive(Default)]
struct Welder {
    mesh: Mesh,
    places: HashMap<[u64; 3], u32>,
}

impl Welder {
    fn push(&mut self, triangle: [[f64; 3]; 3]) -> Result<(), String> {
        let mut face = [0; 3];
        for (corner, vertex) in face.iter_mut().zip(triangle) {
            // + 0.0 makes −0 and 0 the same place
            let place = vertex.map(|x| (x + 0.0).to_bits());
            *corner = match self.places.get(&place) {
                Some(&index) => index,
                None => {
                    self.mesh.push_vertex(vertex)?;
                    let index = (self.mesh.vertices.len() - 1) as u32;
                    self.places.insert(place, index);
                    index
                }
            };
        }
        // triangles without area are dropped
        if face[0] == face[1] || face[1] == face[2] || face[2] == face[0] {
            return Ok(());
        }
        self.mesh.push_face(face)
    }
}
