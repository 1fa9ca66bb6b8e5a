//! Coplanar neighbours become one face, straight edges lose the vertices in their middle.
//!
//! Regions grow from the largest face: a neighbour joins when all its vertices lie within the tolerance of the
//! plane of the first face and it does not face another way. On a convex solid such a region is a disc; a region
//! that is not (a ring, a pinched disc) keeps its faces as they were.

use std::collections::{BTreeMap, HashMap};

use glam::DVec3;

use super::polyhedron::newell;

/// Neighbours that face the same way within this cosine may be coplanar.
const SAME_WAY: f64 = 0.9;

/// A face of a mesh and the input face it stands for.
#[derive(Clone, Debug)]
pub struct Face {
    /// Vertices, counter-clockwise seen from outside.
    pub corners: Vec<u32>,
    /// Index in the input (of the largest, for a merged face).
    pub source: usize,
}

/// Merges coplanar neighbours of a consistently wound surface.
pub fn merge_coplanar(vertices: &[DVec3], faces: &[Face], tolerance: f64) -> Vec<Face> {
    let area_vectors: Vec<DVec3> =
        faces.iter().map(|f| newell(f.corners.iter().map(|&v| vertices[v as usize]))).collect();
    let sides = directed_sides(faces);
    // largest first; the stable sort keeps the order of the input among equals
    let mut order: Vec<usize> = (0..faces.len()).collect();
    order.sort_by(|&a, &b| area_vectors[b].length_squared().total_cmp(&area_vectors[a].length_squared()));
    let mut region_of = vec![usize::MAX; faces.len()];
    let mut merged = Vec::new();
    for (region, &seed) in order.iter().enumerate() {
        if region_of[seed] != usize::MAX {
            continue;
        }
        let normal = area_vectors[seed].normalize_or_zero();
        let foot =
            faces[seed].corners.iter().map(|&v| vertices[v as usize]).sum::<DVec3>() / faces[seed].corners.len() as f64;
        let joins = |f: usize| {
            let flat = |&v: &u32| normal.dot(vertices[v as usize] - foot).abs() <= tolerance;
            // slivers have no direction of their own
            let sliver = area_vectors[f].length() <= tolerance * longest(vertices, &faces[f].corners);
            let same_way = normal.dot(area_vectors[f]) > SAME_WAY * area_vectors[f].length();
            (sliver || same_way) && faces[f].corners.iter().all(flat)
        };
        let mut members = vec![seed];
        region_of[seed] = region;
        let mut k = 0;
        while k < members.len() {
            let corners = &faces[members[k]].corners;
            for i in 0..corners.len() {
                let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
                if let Some(&other) = sides.get(&(b, a))
                    && region_of[other] == usize::MAX
                    && joins(other)
                {
                    region_of[other] = region;
                    members.push(other);
                }
            }
            k += 1;
        }
        match outline(faces, &members) {
            Some(corners) if members.len() > 1 => merged.push(Face { corners, source: faces[seed].source }),
            _ => {
                members.sort_unstable();
                merged.extend(members.into_iter().map(|f| faces[f].clone()));
            }
        }
    }
    merged.sort_by_key(|f| f.source);
    merged
}

/// Which face runs along each directed side.
fn directed_sides(faces: &[Face]) -> HashMap<(u32, u32), usize> {
    let mut sides = HashMap::new();
    for (f, face) in faces.iter().enumerate() {
        for (i, &a) in face.corners.iter().enumerate() {
            sides.insert((a, face.corners[(i + 1) % face.corners.len()]), f);
        }
    }
    sides
}

/// The single loop around some faces, or none when the region is no disc.
fn outline(faces: &[Face], members: &[usize]) -> Option<Vec<u32>> {
    let mut inner = std::collections::HashSet::new();
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

/// Drops vertices in the middle of straight edges, where at most two faces meet; returns how many.
pub fn drop_collinear(vertices: &[DVec3], faces: &mut [Face], tolerance: f64) -> usize {
    // a vertex may go when it is straight in every loop that passes it
    let mut passes = vec![0u32; vertices.len()];
    let mut bent = vec![false; vertices.len()];
    for face in faces.iter() {
        let n = face.corners.len();
        for i in 0..n {
            let v = face.corners[i] as usize;
            let (a, b) = (face.corners[(i + n - 1) % n] as usize, face.corners[(i + 1) % n] as usize);
            passes[v] += 1;
            bent[v] |= !straight(vertices[a], vertices[v], vertices[b], tolerance);
        }
    }
    let goes = |v: u32| passes[v as usize] <= 2 && !bent[v as usize];
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
    dropped.into_iter().filter(|d| *d).count()
}

/// True when `p` lies between `a` and `b`, within the tolerance of their line.
fn straight(a: DVec3, p: DVec3, b: DVec3, tolerance: f64) -> bool {
    let chord = b - a;
    let off = chord.cross(p - a).length() / chord.length().max(f64::MIN_POSITIVE);
    off <= tolerance && chord.dot(p - a) > 0.0 && chord.dot(p - b) < 0.0
}

/// Longest side of a loop [m].
fn longest(vertices: &[DVec3], corners: &[u32]) -> f64 {
    let side = |i: usize| vertices[corners[i] as usize].distance(vertices[corners[(i + 1) % corners.len()] as usize]);
    (0..corners.len()).map(side).fold(0.0, f64::max)
}
