//! One body per connected part: faces are connected over shared edges.
//!
//! Blocks that touch may share whole edges (STL has no objects: a wall is one list of triangles). If more than two
//! faces share an edge, each face is connected with the face that closes the material behind it: the first face
//! of opposite direction when turning from the face through the material.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use voussoir_geometry::glam::DVec3;

use super::{Mesh, MeshError};

/// Maximum number of vertices of one part.
pub const LARGEST_PART: usize = crate::build::dimension::MOST_CORNERS;

/// Single precision rounds coordinates by this fraction of the largest.
const SINGLE_ROUNDING: f64 = 2e-7;

/// A connected part of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshPart {
    /// Points, in units of the file.
    pub vertices: Vec<[f64; 3]>,
    /// Faces as indices of the part's vertices.
    pub faces: Vec<Vec<u32>>,
    /// Name of the object in the file.
    pub object: Option<String>,
}

impl MeshPart {
    /// The name of the object for messages.
    pub fn label(&self) -> String {
        self.object.as_ref().map_or(String::new(), |name| format!(" (object \"{name}\")"))
    }
}

impl Mesh {
    /// Divides the mesh into its connected parts, ordered by their first face.
    pub fn parts(&self) -> Result<Vec<MeshPart>, MeshError> {
        self.parts_joined().map(|(parts, _)| parts)
    }

    /// Like [`Mesh::parts`], with the number of vertices that had to be joined although they are not quite at the same
    /// place: files round their numbers.
    pub fn parts_joined(&self) -> Result<(Vec<MeshPart>, usize), MeshError> {
        let mut parts = Vec::new();
        let own: Vec<u32> = (0..self.vertices.len() as u32).collect();
        let (welded, near) = (OnceCell::new(), OnceCell::new());
        let mut joined = HashSet::new();
        for (faces, object) in self.object_ranges() {
            let mut links = self.links(faces.clone(), &own);
            // triangles without shared vertices: compare positions instead of indices
            if !links.closed {
                let welded = welded.get_or_init(|| self.welded());
                links = self.links(faces.clone(), welded);
                if !links.closed {
                    let near = near.get_or_init(|| self.nearly_welded());
                    let closer = self.links(faces.clone(), near);
                    if closer.closed {
                        links = closer;
                        let corners = faces.clone().flat_map(|face| self.face(face));
                        joined.extend(corners.copied().filter(|&v| near[v as usize] != welded[v as usize]));
                    }
                }
            }
            self.collect(faces, &mut links, object, &mut parts)?;
        }
        Ok((parts, joined.len()))
    }

    /// Faces of each named object, or all faces.
    fn object_ranges(&self) -> Vec<(std::ops::Range<usize>, Option<String>)> {
        let first = self.objects.first().map_or(self.faces(), |(start, _)| *start);
        let mut ranges = vec![(0..first, None)];
        for (i, (start, name)) in self.objects.iter().enumerate() {
            let end = self.objects.get(i + 1).map_or(self.faces(), |(next, _)| *next);
            ranges.push((*start..end, Some(name.clone())));
        }
        ranges.retain(|(range, _)| !range.is_empty());
        ranges
    }

    /// For each vertex the first one at the same place.
    fn welded(&self) -> Vec<u32> {
        let mut places: HashMap<[u64; 3], u32> = HashMap::new();
        let number = |(i, v): (usize, &[f64; 3])| *places.entry(v.map(|x| (x + 0.0).to_bits())).or_insert(i as u32);
        self.vertices.iter().enumerate().map(number).collect()
    }

    /// For each vertex the first one within the rounding of single precision.
    fn nearly_welded(&self) -> Vec<u32> {
        let largest = self.vertices.iter().flatten().fold(0.0f64, |most, x| most.max(x.abs()));
        let tolerance = (SINGLE_ROUNDING * largest).max(f64::MIN_POSITIVE);
        // cells twice as wide: a partner is in one of the 27 around
        let cell = |v: &[f64; 3]| v.map(|x| (x / (2.0 * tolerance)).floor() as i64);
        let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
        let mut first = Vec::with_capacity(self.vertices.len());
        for (i, v) in self.vertices.iter().enumerate() {
            let [x, y, z] = cell(v);
            let mut found = i as u32;
            for k in 0..27 {
                let around = [x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1];
                for &other in cells.get(&around).map_or(&[][..], Vec::as_slice) {
                    let w = self.vertices[other as usize];
                    if DVec3::from_array(w).distance(DVec3::from_array(*v)) <= tolerance {
                        found = found.min(other);
                    }
                }
            }
            if found == i as u32 {
                cells.entry([x, y, z]).or_default().push(found);
            }
            first.push(found);
        }
        first
    }

    /// Joins faces over their edges, with the vertices numbered by `ids`.
    fn links<'a>(&self, faces: std::ops::Range<usize>, ids: &'a [u32]) -> Links<'a> {
        let start = faces.start;
        let edges = |face: usize| {
            let corners = self.face(face);
            (0..corners.len()).map(move |k| {
                let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
                (ids[a as usize], ids[b as usize])
            })
        };
        let mut by_edge: HashMap<(u32, u32), Vec<usize>> = HashMap::new();
        for face in faces.clone() {
            for (a, b) in edges(face).filter(|(a, b)| a != b) {
                by_edge.entry((a, b)).or_default().push(face);
            }
        }
        let mut links = Links { parent: (0..faces.len()).collect(), ids, closed: true };
        for face in faces {
            for (a, b) in edges(face).filter(|(a, b)| a != b) {
                let same = by_edge.get(&(a, b)).map_or(&[][..], Vec::as_slice);
                let opposite = by_edge.get(&(b, a)).map_or(&[][..], Vec::as_slice);
                match (same, opposite) {
                    ([_], [other]) => links.join(face - start, other - start),
                    // two faces wound differently: the shape will turn one of them
                    ([first, second], []) => links.join(first - start, second - start),
                    (_, []) => links.closed = false,
                    _ => {
                        let mate = self.mate(face, (a, b), opposite);
                        links.join(face - start, mate - start);
                    }
                }
            }
        }
        links
    }

    /// The face at an edge that closes the material behind `face`.
    fn mate(&self, face: usize, (a, b): (u32, u32), candidates: &[usize]) -> usize {
        let point = |i: u32| DVec3::from_array(self.vertices[i as usize]);
        let along = point(b) - point(a);
        let normal = self.normal(face);
        // into the face from its edge
        let into = normal.cross(along).normalize_or_zero();
        let turn = |other: usize| {
            let other_into = self.normal(other).cross(-along).normalize_or_zero();
            let angle = (-normal).dot(other_into).atan2(into.dot(other_into));
            if angle <= 1e-9 { angle + std::f64::consts::TAU } else { angle }
        };
        let mut best = (f64::INFINITY, candidates.first().copied().unwrap_or(face));
        for &other in candidates {
            let angle = turn(other);
            if angle < best.0 {
                best = (angle, other);
            }
        }
        best.1
    }

    /// Unit normal by Newell's sum; zero for faces without area.
    fn normal(&self, face: usize) -> DVec3 {
        let corners = self.face(face);
        let point = |k: usize| DVec3::from_array(self.vertices[corners[k % corners.len()] as usize]);
        let origin = point(0);
        let sum: DVec3 = (0..corners.len()).map(|k| (point(k) - origin).cross(point(k + 1) - origin)).sum();
        sum.normalize_or_zero()
    }

    /// Collects the faces of each part with separate vertices.
    fn collect(
        &self,
        faces: std::ops::Range<usize>,
        links: &mut Links<'_>,
        object: Option<String>,
        parts: &mut Vec<MeshPart>,
    ) -> Result<(), MeshError> {
        let first = parts.len();
        let mut part_of_root: HashMap<usize, usize> = HashMap::new();
        let mut local: HashMap<(usize, u32), u32> = HashMap::new();
        for face in faces.clone() {
            let root = links.root(face - faces.start);
            let part = *part_of_root.entry(root).or_insert_with(|| {
                parts.push(MeshPart { object: object.clone(), ..MeshPart::default() });
                parts.len() - 1 - first
            });
            let made = &mut parts[first + part];
            let mut corners = Vec::with_capacity(self.face(face).len());
            for &corner in self.face(face) {
                let id = links.ids[corner as usize];
                corners.push(*local.entry((part, id)).or_insert_with(|| {
                    made.vertices.push(self.vertices[id as usize]);
                    (made.vertices.len() - 1) as u32
                }));
            }
            made.faces.push(corners);
            if made.vertices.len() > LARGEST_PART {
                let corners = made.vertices.len();
                return Err(MeshError::LargePart { part: first + part, corners, most: LARGEST_PART });
            }
        }
        Ok(())
    }
}

/// Connected faces (disjoint sets).
struct Links<'a> {
    parent: Vec<usize>,
    ids: &'a [u32],
    /// True if every edge has two faces.
    closed: bool,
}

impl Links<'_> {
    fn root(&mut self, mut i: usize) -> usize {
        while self.parent[i] != i {
            self.parent[i] = self.parent[self.parent[i]];
            i = self.parent[i];
        }
        i
    }

    /// The smaller number becomes the root, so that the order of joining does not matter.
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }
}
