//! Readers of mesh files, and the division of a mesh into closed parts.
//!
//! Our own readers: every error names the line (or byte), numbers must be finite, and memory is bounded by the length
//! of the file, whatever counts its header claims.
//!
//! | module | content |
//! |---|---|
//! | [`obj`] | Wavefront OBJ: `v`, `f`, `o`, `g` |
//! | [`stl`] | STL, text and binary |
//! | [`ply`] | PLY, text and binary, both byte orders |
//! | [`parts`] | one body per connected part |

pub mod obj;
pub mod parts;
pub mod ply;
pub mod stl;

use std::io::Read;
use std::path::Path;

pub use parts::MeshPart;

/// Longest file that is read [bytes].
pub const LONGEST_FILE: u64 = 1 << 30;
/// Largest number of vertices and of faces of a mesh.
pub const MOST_ELEMENTS: usize = 5_000_000;
/// Largest number of corners of one face.
const MOST_CORNERS: usize = 10_000;

/// Polygons over shared vertices, as in the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Points, in units of the file.
    pub vertices: Vec<[f64; 3]>,
    /// All faces one after the other, as indices of vertices.
    corners: Vec<u32>,
    /// Where each face starts in `corners`.
    starts: Vec<usize>,
    /// Names of objects, with their first face.
    objects: Vec<(usize, String)>,
}

impl Mesh {
    /// Number of faces.
    pub fn faces(&self) -> usize {
        self.starts.len()
    }

    /// Corners of a face; empty when there is no such face.
    pub fn face(&self, i: usize) -> &[u32] {
        let Some(&start) = self.starts.get(i) else { return &[] };
        let end = self.starts.get(i + 1).copied().unwrap_or(self.corners.len());
        &self.corners[start..end]
    }

    /// Adds a vertex.
    pub(crate) fn push_vertex(&mut self, vertex: [f64; 3]) -> Result<(), String> {
        if let Some(bad) = vertex.iter().find(|x| !x.is_finite()) {
            return Err(format!("a coordinate is {bad}"));
        }
        if self.vertices.len() >= MOST_ELEMENTS {
            return Err(format!("more than {MOST_ELEMENTS} vertices"));
        }
        self.vertices.push(vertex);
        Ok(())
    }

    /// Adds a face.
    pub(crate) fn push_face(&mut self, corners: impl IntoIterator<Item = u32>) -> Result<(), String> {
        let start = self.corners.len();
        self.corners.extend(corners);
        let count = self.corners.len() - start;
        if !(3..=MOST_CORNERS).contains(&count) {
            return Err(format!("a face has {count} vertices; 3 to {MOST_CORNERS} are possible"));
        }
        if self.starts.len() >= MOST_ELEMENTS {
            return Err(format!("more than {MOST_ELEMENTS} faces"));
        }
        self.starts.push(start);
        Ok(())
    }

    /// The following faces belong to an object.
    pub(crate) fn start_object(&mut self, name: &str) {
        let first = self.faces();
        self.objects.retain(|(start, _)| *start < first);
        self.objects.push((first, name.trim().chars().take(200).collect()));
    }

    /// Refuses meshes without faces and faces without vertices.
    pub(crate) fn checked(self) -> Result<Self, MeshError> {
        if self.faces() == 0 {
            return Err(MeshError::Empty);
        }
        for face in 0..self.faces() {
            if let Some(&index) = self.face(face).iter().find(|&&i| i as usize >= self.vertices.len()) {
                return Err(MeshError::Index { face, index: i64::from(index), vertices: self.vertices.len() });
            }
        }
        Ok(self)
    }
}

/// Errors of mesh files.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// The file cannot be opened or read.
    #[error("{path} cannot be read: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// Error of the system.
        reason: String,
    },
    /// The name does not end in obj, stl or ply.
    #[error("{path} is not a mesh that we read; the name must end in .obj, .stl or .ply")]
    Format {
        /// The file.
        path: String,
    },
    /// A file is invalid.
    #[error("{path}: {error}")]
    InFile {
        /// The file.
        path: String,
        /// The item.
        error: Box<MeshError>,
    },
    /// A line of a text file is invalid.
    #[error("line {line}: {message}")]
    Line {
        /// From 1.
        line: usize,
        /// Description of the error.
        message: String,
    },
    /// A binary file is invalid.
    #[error("byte {offset}: {message}")]
    Byte {
        /// From 0.
        offset: usize,
        /// Description of the error.
        message: String,
    },
    /// A face refers to a vertex that does not exist.
    #[error("face {face} refers to vertex {index}, but there are {vertices}")]
    Index {
        /// From 0.
        face: usize,
        /// The index as understood, from 0.
        index: i64,
        /// Number of vertices.
        vertices: usize,
    },
    /// The mesh is empty.
    #[error("the mesh has no faces")]
    Empty,
    /// One part is too large.
    #[error("part {part} has {corners} vertices; at most {most} are possible in one body")]
    LargePart {
        /// From 0.
        part: usize,
        /// Number of vertices.
        corners: usize,
        /// Possible values.
        most: usize,
    },
}

/// Reads a file; the format follows from the extension.
pub fn read_file(path: &Path) -> Result<Mesh, MeshError> {
    let shown = path.display().to_string();
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
    let read: fn(&[u8]) -> Result<Mesh, MeshError> = match extension.as_str() {
        "obj" => obj::read,
        "stl" => stl::read,
        "ply" => ply::read,
        _ => return Err(MeshError::Format { path: shown }),
    };
    let bytes = read_bytes(path)?;
    read(&bytes).map_err(|error| MeshError::InFile { path: shown, error: Box::new(error) })
}

/// All bytes of a file that is not too long.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, MeshError> {
    let unreadable = |reason: String| MeshError::Unreadable { path: path.display().to_string(), reason };
    let file = std::fs::File::open(path).map_err(|e| unreadable(e.to_string()))?;
    if !file.metadata().map_err(|e| unreadable(e.to_string()))?.is_file() {
        return Err(unreadable("not a file".into()));
    }
    // limit the number of bytes read; the reported length of a file may be wrong
    let mut bytes = Vec::new();
    file.take(LONGEST_FILE + 1).read_to_end(&mut bytes).map_err(|e| unreadable(e.to_string()))?;
    if bytes.len() as u64 > LONGEST_FILE {
        return Err(unreadable(format!("the file has more than {LONGEST_FILE} bytes")));
    }
    Ok(bytes)
}

/// The lines of a text with their numbers from 1; invalid bytes become `\u{fffd}`.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, std::borrow::Cow<'_, str>)> {
    bytes.split(|b| *b == b'\n').enumerate().map(|(i, line)| (i + 1, String::from_utf8_lossy(line)))
}

/// Three numbers from words.
fn three_numbers<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<[f64; 3], String> {
    let mut numbers = [0.0; 3];
    for number in &mut numbers {
        let word = words.next().ok_or("a vertex has fewer than three coordinates")?;
        *number = word.parse().map_err(|_| format!("{} is not a number", quoted(word)))?;
    }
    Ok(numbers)
}

/// A word of a file in a message, cut when long.
fn quoted(word: &str) -> String {
    let short: String = word.chars().take(40).collect();
    format!("{short:?}")
}
