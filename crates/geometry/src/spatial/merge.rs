//! Coplanar adjacent faces are merged, vertices inside straight edges are removed.
//!
//! Regions grow from the largest face: an adjacent face joins if all its vertices are within the tolerance of the plane
//! of the first face and its normal is not opposite. On a convex solid a plane region is a convex disc; if a surface is
//! only nearly plane and the region is not a convex disc, it is grown again with stricter tolerances.

use std::collections::{BTreeMap, HashMap, HashSet};

use glam::DVec3;

use super::outline;
use super::polyhedron::newell;

/// Neighbours that face the same way within this cosine may be coplanar.
const SAME_WAY: f64 = 0.9;

/// Tolerances that are tried one after the other, relative to the requested tolerance.
const TOLERANCE_FACTORS: [f64; 4] = [1.0, 1e-2, 1e-4, 0.0];

/// A face of a mesh and the input face it stands for.
#[derive(Clone, Debug)]
pub(super) struct MergedFace {
    /// Vertices, counter-clockwise seen from outside.
    pub corners: Vec<u32>,
    /// Index in the input (of the largest, for a merged face).
    pub source: usize,
}

/// Merges coplanar neighbours of a consistently wound surface.
pub fn merge_coplanar(vertices: &[DVec3], faces: &[MergedFace], tolerance: f64) -> Vec<MergedFace> {
    let area_vectors: Vec<DVec3> =
        faces.iter().map(|f| newell(f.corners.iter().map(|&v| vertices[v as usize]))).collect();
    let sides = directed_sides(faces);
    // largest first; the stable sort keeps the order of the input among equals
    let mut order: Vec<usize> = (0..faces.len()).collect();
    order.sort_by(|&a, &b| area_vectors[b].length_squared().total_cmp(&area_vectors[a].length_squared()));
    let mesh = Mesh { vertices, faces, area_vectors, sides };
    let mut taken = vec![false; faces.len()];
    let mut merged = Vec::new();
    for seed in order {
        if taken[seed] {
            continue;
        }
        let found = TOLERANCE_FACTORS.iter().find_map(|by| mesh.region(seed, tolerance * by, &taken));
        let (members, corners) = found.unwrap_or_else(|| (vec![seed], faces[seed].corners.clone()));
        members.into_iter().for_each(|f| taken[f] = true);
        merged.push(MergedFace { corners, source: faces[seed].source });
    }
    merged.sort_by_key(|f| f.source);
    merged
}

/// A surface and its properties.
struct Mesh<'a> {
    vertices: &'a [DVec3],
    faces: &'a [MergedFace],
    /// Twice the area of each face times its normal.
    area_vectors: Vec<DVec3>,
    /// Which face runs along each directed side.
    sides: HashMap<(u32, u32), usize>,
}

impl Mesh<'_> {
    /// The faces that are coplanar with `seed` and connected to it, and the loop around them; `None` if the loop is not
    /// convex.
    fn region(&self, seed: usize, tolerance: f64, taken: &[bool]) -> Option<(Vec<usize>, Vec<u32>)> {
        let at = |v: u32| self.vertices[v as usize];
        let normal = self.area_vectors[seed].normalize_or_zero();
        let first = &self.faces[seed].corners;
        let foot = first.iter().map(|&v| at(v)).sum::<DVec3>() / first.len() as f64;
        let joins = |f: usize| {
            let corners = &self.faces[f].corners;
            let flat = |&v: &u32| normal.dot(at(v) - foot).abs() <= tolerance;
            // slivers have no direction of their own
            let sliver = self.area_vectors[f].length() <= tolerance * longest(self.vertices, corners);
            let same_way = normal.dot(self.area_vectors[f]) > SAME_WAY * self.area_vectors[f].length();
            (sliver || same_way) && corners.iter().all(flat)
        };
        let (mut members, mut inside) = (vec![seed], HashSet::from([seed]));
        let mut k = 0;
        while k < members.len() {
            let corners = &self.faces[members[k]].corners;
            for i in 0..corners.len() {
                let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
                if let Some(&other) = self.sides.get(&(b, a))
                    && !taken[other]
                    && !inside.contains(&other)
                    && joins(other)
                {
                    inside.insert(other);
                    members.push(other);
                }
            }
            k += 1;
        }
        let corners = border(self.faces, &members)?;
        let points: Vec<DVec3> = corners.iter().map(|&v| at(v)).collect();
        (members.len() == 1 || outline::check(&points, normal, tolerance).is_ok()).then_some((members, corners))
    }
}

/// Which face runs along each directed side.
fn directed_sides(faces: &[MergedFace]) -> HashMap<(u32, u32), usize> {
    let mut sides = HashMap::new();
    for (f, face) in faces.iter().enumerate() {
        for (i, &a) in face.corners.iter().enumerate() {
            sides.insert((a, face.corners[(i + 1) % face.corners.len()]), f);
        }
    }
    sides
}

/// The single loop around some faces, or `None` if the region is not a disc.
fn border(faces: &[MergedFace], members: &[usize]) -> Option<Vec<u32>> {
    let mut inner = HashSet::new();
    let mut directed = Vec::new();
    for &f in members {
        let corners = &faces[f].corners;
        for i in 0..corners.len() {
            let side = (corners[i], corners[(i + 1) % corners.len()]);
            inner.insert(side);
            directed.push(side);
        }
    }
    let border: Vec<(u32, u32)> = directed.into_iter().filter(|&(a, b)| !inner.contains(&(b, a))).collect();
    let next: BTreeMap<u32, u32> = border.iter().copied().collect();
    // a vertex passed twice is a pinch
    if next.len() != border.len() {
        return None;
    }
    let &(first, _) = border.first()?;
    let mut corners = vec![first];
    let mut at = *next.get(&first)?;
    while at != first {
        if corners.len() > border.len() {
            return None;
        }
        corners.push(at);
        at = *next.get(&at)?;
    }
    (corners.len() == border.len()).then_some(corners)
}

/// Drops vertices in the middle of straight edges, where at most two faces meet; returns how many, and how far the
/// worst of them was off [m].
pub fn drop_collinear(vertices: &[DVec3], faces: &mut [MergedFace], tolerance: f64) -> (usize, f64) {
    // a vertex may go when it is straight in every loop that passes it
    let mut passes = vec![0u32; vertices.len()];
    let mut off = vec![0.0f64; vertices.len()];
    for face in faces.iter() {
        let n = face.corners.len();
        for i in 0..n {
            let v = face.corners[i] as usize;
            let (a, b) = (face.corners[(i + n - 1) % n] as usize, face.corners[(i + 1) % n] as usize);
            passes[v] += 1;
            off[v] = off[v].max(off_line(vertices[a], vertices[v], vertices[b]));
        }
    }
    let goes = |v: u32| passes[v as usize] <= 2 && off[v as usize] <= tolerance;
    let mut dropped = vec![false; vertices.len()];
    for face in faces.iter_mut() {
        // a face keeps at least a triangle
        if face.corners.iter().filter(|&&v| !goes(v)).count() >= 3 {
            face.corners.retain(|&v| {
                dropped[v as usize] |= goes(v);
                !goes(v)
            });
        }
    }
    let gone = off.into_iter().zip(dropped).filter(|(_, dropped)| *dropped).map(|(off, _)| off);
    gone.fold((0, 0.0), |(count, worst), off| (count + 1, off.max(worst)))
}

/// Distance of `p` from the line through `a` and `b` [m]; infinite when it does not lie between them.
fn off_line(a: DVec3, p: DVec3, b: DVec3) -> f64 {
    let chord = b - a;
    let between = chord.dot(p - a) > 0.0 && chord.dot(p - b) < 0.0;
    if between { chord.cross(p - a).length() / chord.length().max(f64::MIN_POSITIVE) } else { f64::INFINITY }
}

/// Longest side of a loop [m].
fn longest(vertices: &[DVec3], corners: &[u32]) -> f64 {
    let side = |i: usize| vertices[corners[i] as usize].distance(vertices[corners[(i + 1) % corners.len()] as usize]);
    (0..corners.len()).map(side).fold(0.0, f64::max)
}
