//! Decomposition of a non-convex solid into convex parts.
//!
//! The convex hull is cut by planes of the solid's own faces that lie inside it, one after the other, until no piece
//! has a face inside. A piece is then entirely solid or entirely empty; the winding number of its centre decides.
//! Unnecessary cuts are removed: two parts whose hull is not larger than both together are merged. The decomposition is
//! exact: the parts fill the solid, and the sum of their volumes is checked against its volume.

use glam::{DVec2, DVec3};

use super::cell::{ConvexCell, CutPlane};
use super::merge::MergedFace;
use super::polyhedron::{Polyhedron, newell};
use super::{build, hull, mass};
use crate::error::ShapeError;
use crate::planar::decompose::ears;

/// Points this close to a plane lie on it, as a share of the size: as strict as the coordinates allow.
const PLANE_TOLERANCES: [f64; 3] = [1e-9, 1e-7, 1e-5];
/// Boxes this close may belong to parts that touch, as a share of their size.
const BOX_MARGIN: f64 = 1e-6;
/// Parts thinner than this fraction of the size vanish in rounding.
const LEAST_THICKNESS: f64 = 1e-9;
/// Volumes that differ by less than this share are the same.
const SAME_VOLUME: f64 = 1e-5;
/// Two parts are one when their hull is larger than both by less than this share.
const MERGE_TOLERANCE: f64 = 1e-9;
/// Maximum number of parts of one solid.
const MOST_PARTS: usize = 2_000;
/// Unnecessary cuts are removed if there are at most this many parts.
const MOST_TO_MERGE: usize = 400;

/// A convex piece of the solid's surface.
#[derive(Clone, Debug)]
struct Piece {
    plane: CutPlane,
    points: Vec<DVec3>,
}

/// Convex parts of the solid inside a closed surface that is wound outwards and has this volume.
pub fn convex_parts(
    vertices: &[DVec3],
    faces: &[MergedFace],
    size: f64,
    volume: f64,
) -> Result<Vec<Polyhedron>, ShapeError> {
    let surface = triangles(vertices, faces)?;
    let mut result = Err(ShapeError::NoParts);
    for tolerance in PLANE_TOLERANCES {
        result = cut(vertices, &surface, tolerance * size, size, volume);
        if result.is_ok() {
            break;
        }
    }
    result
}

/// One attempt with a tolerance [m].
fn cut(
    vertices: &[DVec3],
    surface: &[Piece],
    tolerance: f64,
    size: f64,
    volume: f64,
) -> Result<Vec<Polyhedron>, ShapeError> {
    let (points, loops) = hull::hull(vertices)?;
    let whole = ConvexCell::of(&build::part(&points, &loops)?);
    let mut solid = Solid { surface, tolerance, parts: Vec::new() };
    solid.divide(whole, surface.to_vec())?;
    let thin = LEAST_THICKNESS * size.powi(3);
    let mut parts: Vec<Vec<DVec3>> = solid.parts.into_iter().filter(|part| hull_volume(part) > thin).collect();
    if parts.len() <= MOST_TO_MERGE {
        merge(&mut parts, thin);
    }
    let mut polyhedra = Vec::with_capacity(parts.len());
    for part in &parts {
        let (points, loops) = hull::hull(part)?;
        polyhedra.push(build::part(&points, &loops)?);
    }
    let found: f64 = polyhedra.iter().map(|part| mass::polyhedron(part).volume).sum();
    if (found - volume).abs() > SAME_VOLUME * volume {
        return Err(ShapeError::SelfIntersecting { volume, found });
    }
    Ok(polyhedra)
}

/// Triangles of all faces, each with the plane of its whole face.
fn triangles(vertices: &[DVec3], faces: &[MergedFace]) -> Result<Vec<Piece>, ShapeError> {
    let mut pieces = Vec::new();
    for face in faces {
        let points: Vec<DVec3> = face.corners.iter().map(|&v| vertices[v as usize]).collect();
        let normal = newell(points.iter().copied()).normalize_or_zero();
        if normal == DVec3::ZERO {
            continue;
        }
        let plane = CutPlane { normal, offset: normal.dot(points.iter().sum::<DVec3>() / points.len() as f64) };
        let u = normal.any_orthonormal_vector();
        let v = normal.cross(u);
        let flat: Vec<DVec2> = points.iter().map(|p| DVec2::new(u.dot(*p), v.dot(*p))).collect();
        let cut = ears(&flat).map_err(|_| ShapeError::SelfCrossing { face: face.source })?;
        pieces.extend(cut.into_iter().map(|t| Piece { plane, points: t.into_iter().map(|i| points[i]).collect() }));
    }
    Ok(pieces)
}

/// The solid while it is cut.
struct Solid<'a> {
    surface: &'a [Piece],
    tolerance: f64,
    /// Corners of the parts found so far.
    parts: Vec<Vec<DVec3>>,
}

impl Solid<'_> {
    /// Cuts a cell until no part of the surface is inside.
    fn divide(&mut self, cell: ConvexCell, surface: Vec<Piece>) -> Result<(), ShapeError> {
        let mut todo = vec![(cell, surface)];
        while let Some((cell, surface)) = todo.pop() {
            let walls = cell.planes();
            // pieces on a face of the cell are not inside
            let on_wall = |piece: &Piece| {
                walls.iter().any(|wall| piece.points.iter().all(|p| wall.side(*p, self.tolerance) >= 0))
            };
            let inside: Vec<Piece> = surface.into_iter().filter(|piece| !on_wall(piece)).collect();
            if inside.is_empty() {
                if self.is_solid(cell.middle())? {
                    self.parts.push(cell.vertices);
                }
                if self.parts.len() > MOST_PARTS {
                    return Err(ShapeError::TooManyParts { most: MOST_PARTS });
                }
                continue;
            }
            let plane = self.choose(&inside);
            let [below, above] = cell.split(&plane, self.tolerance);
            let (mut pieces_below, mut pieces_above) = (Vec::new(), Vec::new());
            for piece in inside {
                let sides: Vec<i8> = piece.points.iter().map(|p| plane.side(*p, self.tolerance)).collect();
                if sides.contains(&-1) {
                    pieces_below.push(clip(&piece, &plane, self.tolerance, -1));
                }
                if sides.contains(&1) {
                    pieces_above.push(clip(&piece, &plane, self.tolerance, 1));
                }
            }
            match (below, above) {
                (Some(below), Some(above)) => {
                    todo.push((below, pieces_below));
                    todo.push((above, pieces_above));
                }
                // the plane only touches the cell: the remaining pieces lie on its faces
                (Some(cell), None) => todo.push((cell, pieces_below)),
                (None, Some(cell)) => todo.push((cell, pieces_above)),
                (None, None) => {}
            }
        }
        Ok(())
    }

    /// The plane that cuts the fewest pieces; of equals, the one with most of the surface on it.
    fn choose(&self, pieces: &[Piece]) -> CutPlane {
        let mut best = (usize::MAX, 0.0, pieces[0].plane);
        let mut seen: Vec<CutPlane> = Vec::new();
        for piece in pieces {
            let same = |plane: &CutPlane| piece.points.iter().all(|p| plane.side(*p, self.tolerance) == 0);
            if seen.iter().any(same) {
                continue;
            }
            seen.push(piece.plane);
            let (mut cuts, mut area) = (0, 0.0);
            for other in pieces {
                let sides: Vec<i8> = other.points.iter().map(|p| piece.plane.side(*p, self.tolerance)).collect();
                if sides.iter().all(|side| *side == 0) {
                    area += newell(other.points.iter().copied()).length();
                }
                cuts += usize::from(sides.contains(&-1) && sides.contains(&1));
            }
            if cuts < best.0 || (cuts == best.0 && area > best.1) {
                best = (cuts, area, piece.plane);
            }
        }
        best.2
    }

    /// True for a point inside: the surface goes round it once (A. van Oosterom, J. Strackee 1983).
    fn is_solid(&self, p: DVec3) -> Result<bool, ShapeError> {
        let mut turns = 0.0;
        for piece in self.surface {
            let [a, b, c] = [0, 1, 2].map(|i| piece.points[i] - p);
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let volume = a.dot(b.cross(c));
            let rest = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            turns += volume.atan2(rest) / std::f64::consts::TAU;
        }
        match turns.round() as i64 {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(ShapeError::SelfIntersecting { volume: f64::NAN, found: f64::NAN }),
        }
    }
}

/// The part of a piece on one side of a plane.
fn clip(piece: &Piece, plane: &CutPlane, tolerance: f64, side: i8) -> Piece {
    let mut points = Vec::with_capacity(piece.points.len() + 1);
    for (i, &p) in piece.points.iter().enumerate() {
        let q = piece.points[(i + 1) % piece.points.len()];
        let (here, there) = (plane.side(p, tolerance), plane.side(q, tolerance));
        if here * side >= 0 {
            points.push(p);
        }
        if here * there < 0 {
            let (h, k) = (plane.height(p), plane.height(q));
            points.push(p + (q - p) * (h / (h - k)));
        }
    }
    Piece { plane: piece.plane, points }
}

/// Removes unnecessary cuts, the largest pairs first.
fn merge(parts: &mut Vec<Vec<DVec3>>, thin: f64) {
    let mut volumes: Vec<f64> = parts.iter().map(|part| hull_volume(part)).collect();
    loop {
        let mut best: Option<(f64, usize, usize)> = None;
        for i in 0..parts.len() {
            for j in 0..i {
                let together = volumes[i] + volumes[j];
                if best.is_some_and(|best| together <= best.0) || !boxes_meet(&parts[i], &parts[j]) {
                    continue;
                }
                let both: Vec<DVec3> = parts[i].iter().chain(&parts[j]).copied().collect();
                if hull_volume(&both) - together <= MERGE_TOLERANCE * together + thin {
                    best = Some((together, j, i));
                }
            }
        }
        let Some((volume, j, i)) = best else { return };
        let taken = parts.remove(i);
        volumes.remove(i);
        parts[j].extend(taken);
        volumes[j] = volume;
    }
}

fn boxes_meet(a: &[DVec3], b: &[DVec3]) -> bool {
    let bounds = |points: &[DVec3]| {
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        points.iter().fold(start, |(low, high), p| (low.min(*p), high.max(*p)))
    };
    let ((low_a, high_a), (low_b, high_b)) = (bounds(a), bounds(b));
    let slack = BOX_MARGIN * (high_a - low_a).length().max((high_b - low_b).length());
    (low_a - slack).cmple(high_b).all() && (low_b - slack).cmple(high_a).all()
}

/// Volume of the convex hull; zero for flat sets.
fn hull_volume(points: &[DVec3]) -> f64 {
    let Ok((vertices, faces)) = hull::hull(points) else { return 0.0 };
    let origin = vertices[0];
    let cone = |t: &Vec<u32>| {
        let [a, b, c] = [t[0], t[1], t[2]].map(|i| vertices[i as usize] - origin);
        a.dot(b.cross(c)) / 6.0
    };
    faces.iter().map(cone).sum()
}
