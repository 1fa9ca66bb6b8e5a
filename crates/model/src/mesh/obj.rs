//! Wavefront OBJ: vertices `v`, faces `f`, objects `o` and groups `g`; everything else is skipped.

use super::{Mesh, MeshError, lines, quoted, three_numbers};

/// Reads an OBJ file.
pub fn read(bytes: &[u8]) -> Result<Mesh, MeshError> {
    let mut mesh = Mesh::default();
    for (line, text) in lines(bytes) {
        let mut words = text.split_whitespace();
        let done = match words.next() {
            Some("v") => three_numbers(words).and_then(|vertex| mesh.push_vertex(vertex)),
            Some("f") => face(words, mesh.vertices.len()).and_then(|face| mesh.push_face(face)),
            Some("o" | "g") => {
                mesh.start_object(&words.collect::<Vec<_>>().join(" "));
                Ok(())
            }
            _ => Ok(()),
        };
        done.map_err(|message| MeshError::Line { line, message })?;
    }
    mesh.checked()
}

/// Corners `i`, `i/t`, `i/t/n` or `i//n`, from 1, or negative from the last vertex so far.
fn face<'a>(words: impl Iterator<Item = &'a str>, vertices: usize) -> Result<Vec<u32>, String> {
    words
        .map(|word| {
            let index = word.split('/').next().unwrap_or_default();
            let number: i64 = index.parse().map_err(|_| format!("{} is not the number of a vertex", quoted(word)))?;
            let from_zero = match number {
                1.. => number - 1,
                0 => return Err("vertices are numbered from 1, not 0".into()),
                _ => number.saturating_add(vertices as i64),
            };
            u32::try_from(from_zero).map_err(|_| format!("there is no vertex {number}"))
        })
        .collect()
}
