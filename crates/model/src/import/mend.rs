//! Repairs of a surface before it is checked: duplicate faces, non-planar faces, planar holes.

use std::collections::{BTreeMap, HashSet};

use voussoir_geometry::glam::DVec3;

use super::geometry::Repairs;

/// Largest unevenness of a face, relative to the size of the block; other faces are divided into triangles.
const PLANE_TOLERANCE: f64 = 1e-5;
/// Largest number of holes that are closed in one block.
const MOST_HOLES: usize = 100;

/// Repairs one surface; returns the list of repairs.
pub(super) fn mend(
    name: &str,
    vertices: Vec<DVec3>,
    faces: Vec<Vec<u32>>,
    repairs: &mut Repairs,
) -> (Vec<DVec3>, Vec<Vec<u32>>) {
    // invalid indices are reported when the shape is built
    if faces.iter().flatten().any(|&v| v as usize >= vertices.len()) {
        return (vertices, faces);
    }
    let points = || faces.iter().flatten().map(|&v| vertices[v as usize]);
    let size = (points().fold(DVec3::NEG_INFINITY, DVec3::max) - points().fold(DVec3::INFINITY, DVec3::min)).length();
    let limit = PLANE_TOLERANCE * size;
    let (mut kept, doubles) = without_doubles(faces);
    if doubles > 0 {
        repairs.count(name, "duplicate faces were removed");
    }
    if divide_uneven(&vertices, &mut kept, limit) {
        repairs.count(name, "non-planar faces were divided into triangles");
    }
    let caps = flat_holes(&vertices, &kept, limit);
    if !caps.is_empty() {
        repairs.count(name, "planar holes in the surface were closed");
        kept.extend(caps);
    }
    (vertices, kept)
}

/// Faces without duplicates, and the number of removed faces.
fn without_doubles(faces: Vec<Vec<u32>>) -> (Vec<Vec<u32>>, usize) {
    let mut known = HashSet::new();
    let before = faces.len();
    let kept: Vec<Vec<u32>> = faces
        .into_iter()
        .filter(|face| {
            let mut corners = face.clone();
            corners.sort_unstable();
            known.insert(corners)
        })
        .collect();
    let doubles = before - kept.len();
    (kept, doubles)
}

/// Divides faces whose corners do not lie in a plane.
fn divide_uneven(vertices: &[DVec3], faces: &mut Vec<Vec<u32>>, limit: f64) -> bool {
    let uneven = |face: &Vec<u32>| face.len() > 3 && unevenness(vertices, face) > limit;
    if !faces.iter().any(uneven) {
        return false;
    }
    let mut divided = Vec::with_capacity(2 * faces.len());
    for face in faces.drain(..) {
        if uneven(&face) {
            divided.extend((1..face.len() - 1).map(|i| vec![face[0], face[i], face[i + 1]]));
        } else {
            divided.push(face);
        }
    }
    *faces = divided;
    true
}

/// Largest distance of a corner from the mean plane of a loop [m]; infinite where there is no such plane.
fn unevenness(vertices: &[DVec3], corners: &[u32]) -> f64 {
    let points = || corners.iter().map(|&v| vertices[v as usize]);
    let foot = points().sum::<DVec3>() / corners.len() as f64;
    let n = corners.len();
    let sum: DVec3 = (0..n)
        .map(|i| {
            let [a, b] = [corners[i], corners[(i + 1) % n]].map(|v| vertices[v as usize] - foot);
            a.cross(b)
        })
        .sum();
    let Some(normal) = sum.try_normalize() else { return f64::INFINITY };
    points().map(|p| normal.dot(p - foot).abs()).fold(0.0, f64::max)
}

/// Faces that close the holes, if all holes are simple loops in a plane. Faces may be wound in any way.
fn flat_holes(vertices: &[DVec3], faces: &[Vec<u32>], limit: f64) -> Vec<Vec<u32>> {
    let mut sides: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for face in faces {
        for (i, &a) in face.iter().enumerate() {
            let b = face[(i + 1) % face.len()];
            *sides.entry((a.min(b), a.max(b))).or_default() += 1;
        }
    }
    let mut rim: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (&(a, b), _) in sides.iter().filter(|(_, count)| **count == 1) {
        rim.entry(a).or_default().push(b);
        rim.entry(b).or_default().push(a);
    }
    // holes that share a corner are not closed
    if rim.values().any(|next| next.len() != 2) {
        return Vec::new();
    }
    let mut holes = Vec::new();
    while let Some((&first, _)) = rim.iter().next() {
        let (mut corners, mut at) = (Vec::new(), first);
        while let Some(next) = rim.remove(&at) {
            corners.push(at);
            match next.into_iter().find(|to| rim.contains_key(to)) {
                Some(to) => at = to,
                None => break,
            }
        }
        holes.push(corners);
        if holes.len() > MOST_HOLES {
            return Vec::new();
        }
    }
    // a single open sheet is not a block with a hole
    let flat = |hole: &Vec<u32>| hole.len() >= 3 && unevenness(vertices, hole) <= limit;
    if holes.len() * 3 > faces.len() || !holes.iter().all(flat) {
        return Vec::new();
    }
    holes
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUBE: [[u32; 4]; 6] = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

    fn corners() -> Vec<DVec3> {
        let corner = |i: u32| {
            let (x, y) = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)][i as usize % 4];
            DVec3::new(x, y, if i < 4 { 0.0 } else { 1.0 })
        };
        (0..8).map(corner).collect()
    }

    fn faces(which: impl Iterator<Item = usize>) -> Vec<Vec<u32>> {
        which.map(|i| CUBE[i].to_vec()).collect()
    }

    #[test]
    fn a_cube_without_its_lid_gets_one() {
        let (_, mended) = mend("cube", corners(), faces(0..5), &mut Repairs::default());
        assert_eq!(mended.len(), 6);
        let mut lid = mended[5].clone();
        lid.sort_unstable();
        assert_eq!(lid, [0, 3, 4, 7]);
    }

    #[test]
    fn an_open_sheet_stays_open_and_a_bent_hole_too() {
        let (_, sheet) = mend("sheet", corners(), faces(0..1), &mut Repairs::default());
        assert_eq!(sheet.len(), 1);
        // two adjacent faces are missing: their common rim is not plane
        let (_, cup) = mend("cup", corners(), faces([0, 1, 2, 4].into_iter().take(3)), &mut Repairs::default());
        assert_eq!(cup.len(), 3);
    }

    #[test]
    fn doubles_go_and_uneven_faces_become_triangles() {
        let mut twice = faces(0..6);
        twice.push(vec![5, 6, 7, 4]);
        assert_eq!(mend("cube", corners(), twice, &mut Repairs::default()).1.len(), 6);
        let mut bent = corners();
        bent[6].z = 1.1;
        let (_, divided) = mend("bent", bent, faces(0..6), &mut Repairs::default());
        assert_eq!(divided.len(), 7);
    }
}
