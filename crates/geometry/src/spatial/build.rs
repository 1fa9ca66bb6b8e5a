//! From a list of vertices and faces to a convex polyhedron: checks and repairs.
//!
//! In this order: finite numbers and valid indices; size; duplicate vertices merged; faces oriented consistently, then
//! outwards; volume; faces planar; coplanar neighbours merged; straight edges cleaned; surface closed and in one part;
//! convex. Tolerances are relative to the size (diagonal of the bounding box).

use std::collections::{BTreeMap, HashMap};

use glam::DVec3;

use super::decompose::convex_parts;
use super::merge::{MergedFace, drop_collinear, merge_coplanar};
use super::outline::{self, OutlineFault};
use super::polyhedron::{Polyhedron, newell};
use crate::error::{Repair, ShapeError, check_size};

/// Vertices closer than this are one.
const MERGE_DISTANCE: f64 = 1e-8;
/// A face may be uneven by this much; coordinates in files often have six or seven digits.
const PLANE_TOLERANCE: f64 = 1e-5;
/// The same for the parts that a solid is cut into.
const EXACT_PLANE_TOLERANCE: f64 = 1e-9;
/// A vertex may stick out of a face's plane by this much.
const CONVEX_TOLERANCE: f64 = 2e-5;
/// Smallest volume in units of size³.
const LEAST_VOLUME: f64 = 1e-9;

/// Builds a convex polyhedron; the repairs are listed in the order in which they were made.
pub fn polyhedron(vertices: &[DVec3], faces: &[Vec<u32>]) -> Result<(Polyhedron, Vec<Repair>), ShapeError> {
    let surface = prepare(vertices, faces, PLANE_TOLERANCE)?;
    check_convex(vertices, &surface.merged, CONVEX_TOLERANCE * surface.size)?;
    let (vertices, faces) = compact(vertices, &surface.merged);
    Ok((Polyhedron::from_convex(vertices, &faces)?, surface.repairs))
}

/// A part of a solid from its hull: its faces are as flat as the cuts that made them.
pub fn part(vertices: &[DVec3], faces: &[Vec<u32>]) -> Result<Polyhedron, ShapeError> {
    let surface = prepare(vertices, faces, EXACT_PLANE_TOLERANCE)?;
    let (vertices, faces) = compact(vertices, &surface.merged);
    Polyhedron::from_convex(vertices, &faces)
}

/// The same for a solid that need not be convex: it is cut into convex parts.
pub fn parts(vertices: &[DVec3], faces: &[Vec<u32>]) -> Result<(Vec<Polyhedron>, Vec<Repair>), ShapeError> {
    let mut surface = prepare(vertices, faces, PLANE_TOLERANCE)?;
    match check_convex(vertices, &surface.merged, CONVEX_TOLERANCE * surface.size) {
        Ok(()) => {
            let (vertices, faces) = compact(vertices, &surface.merged);
            Ok((vec![Polyhedron::from_convex(vertices, &faces)?], surface.repairs))
        }
        Err(ShapeError::NotConvex { .. } | ShapeError::SelfCrossing { .. }) => {
            let used: Vec<DVec3> = compact(vertices, &surface.faces).0;
            let (_, faces) = compact(vertices, &surface.faces);
            let faces: Vec<MergedFace> = faces
                .into_iter()
                .zip(&surface.faces)
                .map(|(corners, face)| MergedFace { corners, source: face.source })
                .collect();
            let parts = convex_parts(&used, &faces, surface.size, surface.volume)?;
            surface.repairs.push(Repair::CutIntoParts { parts: parts.len() });
            Ok((parts, surface.repairs))
        }
        Err(error) => Err(error),
    }
}

/// A closed surface in one part, wound outwards, with flat faces.
struct Prepared {
    /// Faces as given.
    faces: Vec<MergedFace>,
    /// Coplanar neighbours merged where that gives a convex face.
    merged: Vec<MergedFace>,
    size: f64,
    volume: f64,
    repairs: Vec<Repair>,
}

fn prepare(vertices: &[DVec3], faces: &[Vec<u32>], planar: f64) -> Result<Prepared, ShapeError> {
    let size = check_input(vertices, faces)?;
    let mut repairs = Vec::new();
    let mut faces = clean_faces(vertices, faces, MERGE_DISTANCE * size, &mut repairs);
    if faces.len() < 4 {
        return Err(ShapeError::TooFew { what: "faces", count: faces.len(), needed: 4 });
    }
    let parts = orient(vertices, &mut faces, &mut repairs)?;
    let volume = volume(vertices, &faces);
    if volume <= LEAST_VOLUME * size.powi(3) {
        // the volume of an open surface is undefined: report the hole first
        check_closed(&faces)?;
        return Err(ShapeError::ZeroVolume { volume, size });
    }
    for face in &faces {
        check_planar(vertices, face, planar * size)?;
    }
    let mut merged = merge_coplanar(vertices, &faces, planar * size);
    if merged.len() < faces.len() {
        repairs.push(Repair::MergedFaces { from: faces.len(), to: merged.len() });
    }
    let (count, off) = drop_collinear(vertices, &mut merged, planar * size);
    if count > 0 {
        repairs.push(Repair::CollinearVertices { count, off });
    }
    check_closed(&merged)?;
    if parts > 1 {
        return Err(ShapeError::Disconnected { parts });
    }
    Ok(Prepared { faces, merged, size, volume, repairs })
}

/// Checks for finite numbers, valid indices, an admissible size. Returns the size [m].
fn check_input(vertices: &[DVec3], faces: &[Vec<u32>]) -> Result<f64, ShapeError> {
    if let Some(vertex) = vertices.iter().position(|p| !p.is_finite()) {
        return Err(ShapeError::NotFinite { vertex });
    }
    for (what, count) in [("vertices", vertices.len()), ("faces", faces.len())] {
        if count < 4 {
            return Err(ShapeError::TooFew { what, count, needed: 4 });
        }
    }
    for (face, corners) in faces.iter().enumerate() {
        if let Some(&index) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
            return Err(ShapeError::BadIndex { face, index, vertices: vertices.len() });
        }
    }
    let used = || faces.iter().flatten().map(|&v| vertices[v as usize]);
    let (low, high) = (used().fold(DVec3::INFINITY, DVec3::min), used().fold(DVec3::NEG_INFINITY, DVec3::max));
    let size = (high - low).length();
    check_size(size)?;
    Ok(size)
}

/// Joins duplicate vertices and drops faces that have fewer than three left.
fn clean_faces(vertices: &[DVec3], faces: &[Vec<u32>], tolerance: f64, repairs: &mut Vec<Repair>) -> Vec<MergedFace> {
    let first = join_duplicates(vertices, tolerance);
    let mut used = vec![false; vertices.len()];
    faces.iter().flatten().for_each(|&v| used[v as usize] = true);
    let joined = (0..vertices.len()).filter(|&v| used[v] && first[v] != v as u32).count();
    if joined > 0 {
        repairs.push(Repair::DuplicateVertices { count: joined });
    }
    let unused = used.iter().filter(|u| !**u).count();
    if unused > 0 {
        repairs.push(Repair::UnusedVertices { count: unused });
    }
    let (mut kept, mut dropped) = (Vec::new(), Vec::new());
    for (source, corners) in faces.iter().enumerate() {
        let mut corners: Vec<u32> = corners.iter().map(|&v| first[v as usize]).collect();
        corners.dedup();
        while corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        if corners.len() < 3 {
            dropped.push(source);
        } else {
            kept.push(MergedFace { corners, source });
        }
    }
    if !dropped.is_empty() {
        repairs.push(Repair::DegenerateFaces { faces: dropped });
    }
    kept
}

/// For each vertex the first one at the same place.
fn join_duplicates(vertices: &[DVec3], tolerance: f64) -> Vec<u32> {
    // cells twice the tolerance wide: a partner is in one of the 27 around; looked up, never iterated
    let cell = |p: DVec3| (p / (2.0 * tolerance)).floor().to_array().map(|x| x as i64);
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let mut first = Vec::with_capacity(vertices.len());
    for (i, &p) in vertices.iter().enumerate() {
        let [x, y, z] = cell(p);
        let mut found = i as u32;
        for k in 0..27 {
            let key = [x.saturating_add(k % 3 - 1), y.saturating_add(k / 3 % 3 - 1), z.saturating_add(k / 9 - 1)];
            for &v in cells.get(&key).map_or(&[][..], Vec::as_slice) {
                if vertices[v as usize].distance(p) <= tolerance {
                    found = found.min(v);
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

/// Winds all faces consistently, then outwards. Returns the number of connected parts.
fn orient(vertices: &[DVec3], faces: &mut [MergedFace], repairs: &mut Vec<Repair>) -> Result<usize, ShapeError> {
    // the faces at each side, with the direction in which they run it
    let mut sides: BTreeMap<(u32, u32), Vec<(usize, bool)>> = BTreeMap::new();
    for (f, face) in faces.iter().enumerate() {
        for (i, &a) in face.corners.iter().enumerate() {
            let b = face.corners[(i + 1) % face.corners.len()];
            sides.entry((a.min(b), a.max(b))).or_default().push((f, a < b));
        }
    }
    if let Some((&(start, end), at)) = sides.iter().find(|(_, at)| at.len() > 2) {
        return Err(ShapeError::NonManifold { start, end, faces: at.len() });
    }
    let mut turned: Vec<Option<bool>> = vec![None; faces.len()];
    let mut parts = 0;
    for seed in 0..faces.len() {
        if turned[seed].is_some() {
            continue;
        }
        parts += 1;
        let mut members = vec![seed];
        turned[seed] = Some(false);
        let mut k = 0;
        while k < members.len() {
            let f = members[k];
            let own_turn = turned[f] == Some(true);
            k += 1;
            for i in 0..faces[f].corners.len() {
                let (a, b) = (faces[f].corners[i], faces[f].corners[(i + 1) % faces[f].corners.len()]);
                for &(other, forward) in sides[&(a.min(b), a.max(b))].iter().filter(|s| s.0 != f) {
                    // neighbours must run their common side in opposite directions
                    let turn = own_turn ^ (forward == (a < b));
                    match turned[other] {
                        None => {
                            turned[other] = Some(turn);
                            members.push(other);
                        }
                        Some(known) if known != turn => {
                            return Err(ShapeError::NotOrientable { face: faces[other].source });
                        }
                        Some(_) => {}
                    }
                }
            }
        }
        // each part outwards on its own
        members.iter().filter(|&&f| turned[f] == Some(true)).for_each(|&f| faces[f].corners.reverse());
        let part: Vec<MergedFace> = members.iter().map(|&f| faces[f].clone()).collect();
        if volume(vertices, &part) < 0.0 {
            for &f in &members {
                faces[f].corners.reverse();
                turned[f] = turned[f].map(|t| !t);
            }
        }
    }
    let inward: Vec<usize> = (0..faces.len()).filter(|&f| turned[f] == Some(true)).map(|f| faces[f].source).collect();
    if !inward.is_empty() {
        repairs.push(Repair::WoundInwards { all: inward.len() == faces.len(), faces: inward });
    }
    Ok(parts)
}

/// Volume inside a closed surface, positive when wound outwards [m³].
fn volume(vertices: &[DVec3], faces: &[MergedFace]) -> f64 {
    let Some(origin) = faces.first().map(|f| vertices[f.corners[0] as usize]) else { return 0.0 };
    let cone = |face: &MergedFace| {
        let foot = vertices[face.corners[0] as usize] - origin;
        newell(face.corners.iter().map(|&v| vertices[v as usize])).dot(foot) / 6.0
    };
    faces.iter().map(cone).sum()
}

/// All corners of a face lie in its mean plane.
fn check_planar(vertices: &[DVec3], face: &MergedFace, limit: f64) -> Result<(), ShapeError> {
    let points = || face.corners.iter().map(|&v| vertices[v as usize]);
    let normal = newell(points()).normalize_or_zero();
    let foot = points().sum::<DVec3>() / face.corners.len() as f64;
    let off = points().map(|p| normal.dot(p - foot).abs()).fold(0.0, f64::max);
    if off > limit { Err(ShapeError::NotPlanar { face: face.source, off, limit }) } else { Ok(()) }
}

/// Every side has a partner in the other direction.
fn check_closed(faces: &[MergedFace]) -> Result<(), ShapeError> {
    let mut sides: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let of = |face: &MergedFace, i: usize| (face.corners[i], face.corners[(i + 1) % face.corners.len()]);
    for face in faces {
        for i in 0..face.corners.len() {
            *sides.entry(of(face, i)).or_default() += 1;
        }
    }
    for face in faces {
        for i in 0..face.corners.len() {
            let (start, end) = of(face, i);
            if !sides.contains_key(&(end, start)) {
                return Err(ShapeError::Open { face: face.source, start, end });
            }
        }
    }
    Ok(())
}

/// All vertices lie behind all faces, and each face turns once round.
fn check_convex(vertices: &[DVec3], faces: &[MergedFace], limit: f64) -> Result<(), ShapeError> {
    let used: std::collections::BTreeSet<u32> = faces.iter().flat_map(|f| f.corners.iter().copied()).collect();
    for face in faces {
        let points: Vec<DVec3> = face.corners.iter().map(|&v| vertices[v as usize]).collect();
        let normal = newell(points.iter().copied()).normalize_or_zero();
        if normal == DVec3::ZERO {
            return Err(ShapeError::NoArea { face: face.source });
        }
        let foot = points.iter().sum::<DVec3>() / points.len() as f64;
        let mut worst = (0, limit);
        for &v in &used {
            let off = normal.dot(vertices[v as usize] - foot);
            if off > worst.1 {
                worst = (v as usize, off);
            }
        }
        if worst.1 > limit {
            return Err(ShapeError::NotConvex { face: face.source, vertex: worst.0, off: worst.1 });
        }
        outline::check(&points, normal, limit).map_err(|fault| match fault {
            OutlineFault::WrongTurn { corner, off } => {
                ShapeError::NotConvex { face: face.source, vertex: face.corners[corner] as usize, off }
            }
            OutlineFault::Winding => ShapeError::SelfCrossing { face: face.source },
        })?;
    }
    Ok(())
}

/// Numbers the vertices that faces use, in the order of the input.
fn compact(vertices: &[DVec3], faces: &[MergedFace]) -> (Vec<DVec3>, Vec<Vec<u32>>) {
    let mut number = vec![u32::MAX; vertices.len()];
    faces.iter().flat_map(|f| &f.corners).for_each(|&v| number[v as usize] = 0);
    let mut kept = Vec::new();
    for (v, n) in number.iter_mut().enumerate().filter(|(_, n)| **n == 0) {
        *n = kept.len() as u32;
        kept.push(vertices[v]);
    }
    let renumber = |f: &MergedFace| f.corners.iter().map(|&v| number[v as usize]).collect();
    (kept, faces.iter().map(renumber).collect())
}
