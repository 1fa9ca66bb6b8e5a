//! Faces of bodies: prepared once per run, placed in the world for every frame.
//!
//! Faces are convex: others are cut into triangles. Adjacent faces with a small angle between them form one smooth
//! group; only edges between groups are drawn.

use std::collections::HashMap;

use voussoir_mechanics::geometry::Surface;
use voussoir_mechanics::snapshot::{Cast, Snapshot};

use crate::triangles;
use crate::vector::{BoundingBox, Vec3, add, cross, distance, dot, length, newell, place, scale, sub, unit};

/// Faces with a smaller angle between them are one smooth group [degrees].
const SMOOTH_DEG: f64 = 30.0;

/// One convex polygon of a body, in its axes.
#[derive(Clone, Debug)]
struct Polygon {
    /// Corners as indices of points.
    corners: Vec<u32>,
    /// Which of the edges, from each corner to the next, are drawn.
    creases: Vec<bool>,
    /// Smooth group, counted over all bodies.
    group: u32,
}

/// The polygons of all bodies.
#[derive(Debug)]
pub struct Polygons(Vec<Vec<Polygon>>);

/// One face in the world.
#[derive(Clone, Debug)]
pub struct WorldFace {
    /// Index of the body.
    pub body: usize,
    /// Smooth group.
    pub group: u32,
    /// Corners, counter-clockwise seen from outside, world axes [m].
    pub points: Vec<Vec3>,
    /// The same as indices of the points of the surface.
    pub corners: Vec<u32>,
    /// Which of the edges, from each corner to the next, are drawn.
    pub creases: Vec<bool>,
    /// Outward unit normal; along z in 2D.
    pub normal: Vec3,
}

impl Polygons {
    /// Prepares all surfaces of a run; `edges`: all edges are drawn, those between faces in one plane too.
    pub fn new(cast: &Cast, edges: bool) -> Self {
        let mut groups = 0;
        let mut all = Self(cast.bodies.iter().map(|body| prepare(body.surface(), &mut groups)).collect());
        if edges {
            // every polygon is a group: bitmaps draw edges between groups
            for (group, polygon) in all.0.iter_mut().flatten().enumerate() {
                polygon.creases.fill(true);
                polygon.group = group as u32;
            }
        }
        all
    }

    /// All faces of the bodies for which `wanted` holds.
    pub fn place(&self, cast: &Cast, snapshot: &Snapshot, wanted: impl Fn(usize) -> bool) -> Vec<WorldFace> {
        let mut faces = Vec::new();
        for (index, placed) in snapshot.bodies.iter().take(cast.bodies.len()).enumerate() {
            if placed.absent || !wanted(index) {
                continue;
            }
            let local = snapshot.points_of(cast, index);
            let points: Vec<Vec3> = local.iter().map(|&point| place(placed, point)).collect();
            for polygon in &self.0[index] {
                let points: Vec<Vec3> = polygon.corners.iter().map(|&corner| points[corner as usize]).collect();
                let normal = unit(newell(&points));
                let normal = if normal == [0.0; 3] { [0.0, 0.0, 1.0] } else { normal };
                faces.push(WorldFace {
                    body: index,
                    group: polygon.group,
                    points,
                    corners: polygon.corners.clone(),
                    creases: polygon.creases.clone(),
                    normal,
                });
            }
        }
        faces
    }
}

/// Polygons of one body; `groups` counts smooth groups.
fn prepare(surface: &Surface, groups: &mut u32) -> Vec<Polygon> {
    let point = |corner: u32| surface.points[corner as usize];
    let whole: Vec<&Vec<u32>> = surface.polygons.iter().filter(|polygon| polygon.len() >= 3).collect();
    let normals: Vec<Vec3> =
        whole.iter().map(|polygon| unit(newell(&polygon.iter().map(|&c| point(c)).collect::<Vec<_>>()))).collect();

    // both sides of every edge
    let mut sides: HashMap<[u32; 2], Vec<usize>> = HashMap::new();
    for (index, polygon) in whole.iter().enumerate() {
        for (a, b) in edges(polygon) {
            sides.entry([a.min(b), a.max(b)]).or_default().push(index);
        }
    }
    let smooth = |a: u32, b: u32| match sides.get(&[a.min(b), a.max(b)]).map(Vec::as_slice) {
        Some(&[one, other]) => dot(normals[one], normals[other]) > SMOOTH_DEG.to_radians().cos(),
        _ => false,
    };

    // smooth groups: the smallest index that a polygon is connected to
    let mut label: Vec<usize> = (0..whole.len()).collect();
    let find = |label: &mut Vec<usize>, mut i: usize| {
        while label[i] != i {
            label[i] = label[label[i]];
            i = label[i];
        }
        i
    };
    for (&[a, b], pair) in &sides {
        if let [one, other] = pair[..]
            && smooth(a, b)
        {
            let (one, other) = (find(&mut label, one), find(&mut label, other));
            label[one.max(other)] = one.min(other);
        }
    }
    let mut polygons = Vec::new();
    for (index, corners) in whole.iter().enumerate() {
        let group = *groups + find(&mut label, index) as u32;
        let outline: Vec<Vec3> = corners.iter().map(|&corner| point(corner)).collect();
        let outer: Vec<bool> = edges(corners).map(|(a, b)| !smooth(a, b)).collect();
        if triangles::is_convex(&outline) {
            polygons.push(Polygon { corners: (*corners).clone(), creases: outer, group });
            continue;
        }
        let count = corners.len() as u32;
        for triangle in triangles::triangulate(&outline) {
            let crease = |k: usize| {
                let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
                (a + 1) % count == b && outer[a as usize]
            };
            polygons.push(Polygon {
                corners: triangle.iter().map(|&c| corners[c as usize]).collect(),
                creases: (0..3).map(crease).collect(),
                group,
            });
        }
    }
    *groups += whole.len() as u32;
    polygons
}

/// Edges of a polygon, from each corner to the next.
fn edges(polygon: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    polygon.iter().enumerate().map(|(i, &a)| (a, polygon[(i + 1) % polygon.len()]))
}

/// Half-spaces and half-planes. In 3D a support of one polygon; in 2D a square support that is larger than the
/// structure in its first frame.
pub fn endless(cast: &Cast, first: &Snapshot) -> Vec<bool> {
    let free = cast.bodies.iter().zip(&first.bodies).filter(|(body, _)| !body.support);
    let structure = BoundingBox::of(free.map(|(_, placed)| placed.position)).diagonal();
    let flat = |surface: &Surface| surface.polygons.len() == 1;
    let large = |surface: &Surface| {
        let side = |i: usize| distance(surface.points[i], surface.points[i + 1]);
        surface.points.len() == 4
            && (side(0) - side(1)).abs() < 1e-9 * side(0)
            && structure.is_finite()
            && side(0) > 1.9 * structure
    };
    let plane = |surface: &Surface| flat(surface) && (cast.dimension == 3 || large(surface));
    cast.bodies.iter().map(|body| body.support && plane(body.surface())).collect()
}

/// Diagonal of the box around a surface [m].
pub fn size(surface: &Surface) -> f64 {
    BoundingBox::of(surface.points.iter().copied()).diagonal()
}

/// Each plane is clipped by all other planes: floor and walls meet in clean edges.
pub fn cut_planes(planes: &mut [WorldFace]) {
    let all: Vec<(Vec3, f64)> = planes
        .iter()
        .map(|plane| (plane.normal, plane.points.first().map_or(0.0, |&p| dot(plane.normal, p))))
        .collect();
    for (index, plane) in planes.iter_mut().enumerate() {
        for (other, &(normal, offset)) in all.iter().enumerate() {
            let parallel = length(cross(normal, all[index].0)) < 1e-9;
            if other != index && !parallel {
                plane.points = cut(&plane.points, normal, offset);
            }
        }
        plane.creases = vec![true; plane.points.len()];
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
