//! Convex pieces of bodies, placed in the world.

use voussoir_mechanics::geometry::Surface;
use voussoir_mechanics::snapshot::{BodySnapshot, Cast, Snapshot};

use super::{Vec3, add, cross, dot, length, rotate, scale, sub};

/// One convex piece of a body.
#[derive(Debug)]
pub struct Part {
    /// Index of the material.
    pub material: usize,
    /// Belongs to a support.
    pub support: bool,
    /// A half-space or half-plane.
    pub endless: bool,
    /// Corners, world axes [m].
    pub points: Vec<Vec3>,
    /// Faces, counter-clockwise seen from outside.
    pub faces: Vec<Face>,
}

/// One flat face.
#[derive(Debug)]
pub struct Face {
    /// Indices of corners.
    pub corners: Vec<usize>,
    /// Outward unit normal; along z in 2D.
    pub normal: Vec3,
}

impl Part {
    /// Mean of the corners.
    pub fn centre(&self) -> Vec3 {
        let sum = self.points.iter().fold([0.0; 3], |sum, &point| add(sum, point));
        scale(sum, 1.0 / self.points.len().max(1) as f64)
    }

    /// Smallest and largest coordinate along a direction.
    pub fn range(&self, direction: Vec3) -> (f64, f64) {
        let along = self.points.iter().map(|&point| dot(point, direction));
        along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    }
}

/// All pieces of all bodies at one moment; `endless` says which bodies are planes. Planes are cut off where they meet.
pub fn parts(cast: &Cast, endless: &[bool], snapshot: &Snapshot) -> Vec<Part> {
    let mut all = Vec::new();
    for ((body, placed), &endless) in cast.bodies.iter().zip(&snapshot.bodies).zip(endless) {
        for (points, faces) in pieces(&body.surface) {
            let points: Vec<Vec3> = points.iter().map(|&point| place(placed, point)).collect();
            let faces = faces.into_iter().map(|corners| face(&points, corners)).collect();
            all.push(Part { material: body.material, support: body.support, endless, points, faces });
        }
    }
    if cast.dimension == 3 {
        cut_planes(&mut all);
    }
    all
}

/// Which bodies are half-spaces or half-planes. In 3D a support of one polygon; in 2D a support that is a square,
/// larger than the structure at its first moment.
pub fn endless(cast: &Cast, first: &Snapshot) -> Vec<bool> {
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    for (_, placed) in cast.bodies.iter().zip(&first.bodies).filter(|(body, _)| !body.support) {
        for i in 0..3 {
            low[i] = low[i].min(placed.position[i]);
            high[i] = high[i].max(placed.position[i]);
        }
    }
    let structure = length(sub(high, low));
    let flat = |surface: &Surface| surface.polygons.len() == 1;
    let large = |surface: &Surface| {
        let side = |i: usize| length(sub(surface.points[i], surface.points[i + 1]));
        surface.points.len() == 4
            && (side(0) - side(1)).abs() < 1e-9 * side(0)
            && structure.is_finite()
            && side(0) > 1.9 * structure
    };
    let plane = |surface: &Surface| flat(surface) && (cast.dimension == 3 || large(surface));
    cast.bodies.iter().map(|body| body.support && plane(&body.surface)).collect()
}

/// World position of a point of a body.
pub fn place(placed: &BodySnapshot, point: Vec3) -> Vec3 {
    add(placed.position, rotate(placed.rotation, point))
}

/// Diagonal of the box around a surface [m].
pub fn size(surface: &Surface) -> f64 {
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    for point in &surface.points {
        for i in 0..3 {
            low[i] = low[i].min(point[i]);
            high[i] = high[i].max(point[i]);
        }
    }
    if surface.points.is_empty() { 0.0 } else { length(sub(high, low)) }
}

fn face(points: &[Vec3], corners: Vec<usize>) -> Face {
    // Newell's normal
    let mut normal = [0.0; 3];
    for (i, &a) in corners.iter().enumerate() {
        normal = add(normal, cross(points[a], points[corners[(i + 1) % corners.len()]]));
    }
    let size = length(normal);
    Face { corners, normal: if size > 0.0 { scale(normal, 1.0 / size) } else { [0.0, 0.0, 1.0] } }
}

/// Points and polygons of the connected pieces of a surface.
fn pieces(surface: &Surface) -> Vec<(Vec<Vec3>, Vec<Vec<usize>>)> {
    // label of every point: the smallest index it is connected to
    let mut label: Vec<usize> = (0..surface.points.len()).collect();
    let find = |label: &mut Vec<usize>, mut i: usize| {
        while label[i] != i {
            label[i] = label[label[i]];
            i = label[i];
        }
        i
    };
    for polygon in &surface.polygons {
        for pair in polygon.windows(2) {
            let (a, b) = (find(&mut label, pair[0] as usize), find(&mut label, pair[1] as usize));
            label[a.max(b)] = a.min(b);
        }
    }
    let mut pieces: Vec<(Vec<Vec3>, Vec<Vec<usize>>)> = Vec::new();
    let mut piece_of = vec![usize::MAX; surface.points.len()];
    let mut index_of = vec![usize::MAX; surface.points.len()];
    for polygon in surface.polygons.iter().filter(|polygon| polygon.len() >= 3) {
        let root = find(&mut label, polygon[0] as usize);
        if piece_of[root] == usize::MAX {
            piece_of[root] = pieces.len();
            pieces.push((Vec::new(), Vec::new()));
        }
        let (points, faces) = &mut pieces[piece_of[root]];
        let corners = polygon.iter().map(|&corner| {
            let corner = corner as usize;
            if index_of[corner] == usize::MAX {
                index_of[corner] = points.len();
                points.push(surface.points[corner]);
            }
            index_of[corner]
        });
        let corners = corners.collect();
        faces.push(corners);
    }
    pieces
}

/// Of each plane only what lies in front of all other planes is kept: floor and walls meet in clean edges.
fn cut_planes(parts: &mut [Part]) {
    let planes: Vec<(Vec3, f64)> = parts
        .iter()
        .filter(|part| part.endless)
        .map(|part| (part.faces[0].normal, dot(part.faces[0].normal, part.points[0])))
        .collect();
    for (index, part) in parts.iter_mut().filter(|part| part.endless).enumerate() {
        let mut outline: Vec<Vec3> = part.faces[0].corners.iter().map(|&corner| part.points[corner]).collect();
        for (other, &(normal, offset)) in planes.iter().enumerate() {
            let parallel = length(cross(normal, planes[index].0)) < 1e-9;
            if other != index && !parallel {
                outline = cut(&outline, normal, offset);
            }
        }
        part.faces[0].corners = (0..outline.len()).collect();
        part.points = outline;
    }
}

/// The part of a polygon with `normal · x ≥ offset`.
fn cut(outline: &[Vec3], normal: Vec3, offset: f64) -> Vec<Vec3> {
    let mut kept = Vec::with_capacity(outline.len() + 1);
    for (i, &a) in outline.iter().enumerate() {
        let b = outline[(i + 1) % outline.len()];
        let (above, below) = (dot(normal, a) - offset, dot(normal, b) - offset);
        if above >= 0.0 {
            kept.push(a);
        }
        if (above >= 0.0) != (below >= 0.0) {
            kept.push(add(a, scale(sub(b, a), above / (above - below))));
        }
    }
    kept
}
