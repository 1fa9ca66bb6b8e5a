//! Convex polyhedra with n-gon faces: the data that mass, pictures and contact detection read.
//!
//! Faces are wound counter-clockwise seen from outside. Face `f` has the unit outward normal `normal(f)`
//! and the offset `offset(f)`, so that the solid is { x : n_f·x ≤ d_f for all f }. Every edge has exactly two
//! faces. A polyhedron is built by [`super::build`], which checks its input.

use glam::DVec3;

use super::core;
use crate::error::ShapeError;
use crate::lazy::Lazy;
use crate::pose::Pose;
use crate::solid::Surface;
use crate::space::D3;

/// A convex polyhedron, in its own axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    vertices: Vec<DVec3>,
    /// First corner of each face, and the end (faces + 1).
    starts: Vec<u32>,
    /// Vertex of each corner, face by face.
    corners: Vec<u32>,
    /// Edge from each corner to the next, face by face.
    corner_edges: Vec<u32>,
    edges: Vec<Edge>,
    normals: Vec<DVec3>,
    offsets: Vec<f64>,
    areas: Vec<f64>,
    /// First entry of each vertex in `fans`, and the end (vertices + 1).
    fan_starts: Vec<u32>,
    /// Faces round each vertex.
    fans: Vec<u32>,
    centre: DVec3,
    /// Half sizes of the box around the solid.
    half: DVec3,
    radius: f64,
    hidden: Hidden,
    core: Lazy<Option<(Self, f64)>>,
}

/// Hidden faces and edges of a part of a compound. Empty lists: none.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Hidden {
    /// Faces that other parts cover.
    pub faces: Vec<bool>,
    /// Edges at which the compound has no protruding edge.
    pub edges: Vec<bool>,
}

/// An edge of a polyhedron.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Its ends; the first face runs from the first to the second.
    pub vertices: [u32; 2],
    /// The faces on either side.
    pub faces: [u32; 2],
}

impl Polyhedron {
    /// From a closed, consistently wound, convex surface; the geometry is not checked, closure is.
    pub(crate) fn from_convex(vertices: Vec<DVec3>, faces: &[Vec<u32>]) -> Result<Self, ShapeError> {
        let (edges, corner_edges) = connect(faces)?;
        let mut starts = vec![0];
        let mut corners = Vec::new();
        for face in faces {
            corners.extend(face);
            starts.push(corners.len() as u32);
        }
        // faces round each vertex, counted then filled in order of face
        let mut fan_starts = vec![0u32; vertices.len() + 1];
        for &v in &corners {
            fan_starts[v as usize + 1] += 1;
        }
        for v in 0..vertices.len() {
            fan_starts[v + 1] += fan_starts[v];
        }
        let (mut next, mut fans) = (fan_starts.clone(), vec![0; corners.len()]);
        for (f, face) in faces.iter().enumerate() {
            for &v in face {
                fans[next[v as usize] as usize] = f as u32;
                next[v as usize] += 1;
            }
        }
        let mut shape = Self {
            vertices,
            starts,
            corners,
            corner_edges,
            edges,
            normals: Vec::new(),
            offsets: Vec::new(),
            areas: Vec::new(),
            fan_starts,
            fans,
            centre: DVec3::ZERO,
            half: DVec3::ZERO,
            radius: 0.0,
            hidden: Hidden::default(),
            core: Lazy::default(),
        };
        shape.measure();
        Ok(shape)
    }

    /// Planes, areas and the ball around the solid, from the vertices.
    fn measure(&mut self) {
        for f in 0..self.face_count() {
            let twice = newell(self.face(f).iter().map(|&v| self.vertices[v as usize]));
            // divided, not multiplied by the inverse: normals along an axis come out exact
            self.normals.push(twice / twice.length());
            self.areas.push(0.5 * twice.length());
        }
        self.locate();
    }

    /// Offsets and the ball around the solid, from the vertices and normals.
    fn locate(&mut self) {
        // the supporting plane, so that rounding never leaves a corner of the face outside
        let height = |f: usize, v: u32| self.normals[f].dot(self.vertices[v as usize]);
        let support = |f: usize| self.face(f).iter().map(|&v| height(f, v)).fold(f64::NEG_INFINITY, f64::max);
        self.offsets = (0..self.face_count()).map(support).collect();
        let low = self.vertices.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = self.vertices.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        self.centre = low.midpoint(high);
        self.half = 0.5 * (high - low);
        self.radius = self.vertices.iter().map(|v| v.distance(self.centre)).fold(0.0, f64::max);
    }

    /// Moved and rotated; without a rotation the normals are bit-identical.
    pub(crate) fn moved(&self, pose: &Pose<D3>) -> Self {
        let mut moved = Self { core: Lazy::default(), ..self.clone() };
        moved.vertices.iter_mut().for_each(|v| *v = pose.point(*v));
        moved.normals.iter_mut().for_each(|n| *n = pose.direction(*n));
        moved.locate();
        moved
    }

    /// Sets the hidden faces and edges of this part of a compound.
    pub(crate) fn set_hidden(&mut self, hidden: Hidden) {
        self.hidden = hidden;
    }

    /// True for a face that lies inside the compound this is a part of.
    pub fn is_hidden(&self, face: usize) -> bool {
        self.hidden.faces.get(face).copied().unwrap_or(false)
    }

    /// True for an edge at which the compound this is a part of is flat or hollow.
    pub fn is_hidden_edge(&self, edge: usize) -> bool {
        self.hidden.edges.get(edge).copied().unwrap_or(false)
    }

    /// The solid shrunk by a margin, and the margin [m]; computed on first use. `None` for solids that are too thin.
    pub(crate) fn core(&self) -> Option<&(Self, f64)> {
        self.core.get_or_make(|| core::shrunk(self)).as_ref()
    }

    /// The corners of the solid [m].
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Number of faces.
    pub fn face_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Vertices of face `f`, counter-clockwise seen from outside.
    pub fn face(&self, f: usize) -> &[u32] {
        &self.corners[self.starts[f] as usize..self.starts[f + 1] as usize]
    }

    /// Edges of face `f`; edge `i` goes from corner `i` to corner `i + 1`.
    pub fn face_edges(&self, f: usize) -> &[u32] {
        &self.corner_edges[self.starts[f] as usize..self.starts[f + 1] as usize]
    }

    /// Unit outward normals of the faces.
    pub fn normals(&self) -> &[DVec3] {
        &self.normals
    }

    /// Offsets d_f of the faces: n_f·x ≤ d_f inside [m].
    pub fn offsets(&self) -> &[f64] {
        &self.offsets
    }

    /// Areas of the faces [m²].
    pub fn areas(&self) -> &[f64] {
        &self.areas
    }

    /// All edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Faces round vertex `v`.
    pub fn faces_at(&self, v: usize) -> &[u32] {
        &self.fans[self.fan_starts[v] as usize..self.fan_starts[v + 1] as usize]
    }

    /// Centre of a ball around the solid.
    pub fn centre(&self) -> DVec3 {
        self.centre
    }

    /// Half sizes of the box around the solid in its own axes [m]; its middle is the centre.
    pub fn half(&self) -> DVec3 {
        self.half
    }

    /// Radius of a ball around the solid [m].
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Polygons to draw.
    pub fn surface(&self) -> Surface {
        Surface {
            points: self.vertices.iter().map(DVec3::to_array).collect(),
            polygons: (0..self.face_count()).map(|f| self.face(f).to_vec()).collect(),
        }
    }
}

/// Twice the area vector of a closed loop (Newell's sum, taken about the first point).
pub(crate) fn newell(points: impl Iterator<Item = DVec3> + Clone) -> DVec3 {
    let Some(origin) = points.clone().next() else { return DVec3::ZERO };
    let mut sum = DVec3::ZERO;
    for (a, b) in points.clone().zip(points.skip(1)) {
        sum += (a - origin).cross(b - origin);
    }
    sum
}

/// Finds the edges of a closed surface: each must be run once in either direction.
fn connect(faces: &[Vec<u32>]) -> Result<(Vec<Edge>, Vec<u32>), ShapeError> {
    // (low vertex, high vertex, face, corner) sorted brings the two sides of an edge together
    let mut sides = Vec::new();
    let mut corner = 0u32;
    for (f, face) in faces.iter().enumerate() {
        for (i, &a) in face.iter().enumerate() {
            let b = face[(i + 1) % face.len()];
            sides.push((a.min(b), a.max(b), f as u32, corner, a));
            corner += 1;
        }
    }
    sides.sort_unstable();
    let mut edges = Vec::with_capacity(sides.len() / 2);
    let mut corner_edges = vec![0; sides.len()];
    for group in sides.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
        let (start, end) = (group[0].0, group[0].1);
        match group {
            [one] => return Err(ShapeError::Open { face: one.2 as usize, start, end }),
            [first, second] => {
                if first.4 == second.4 {
                    return Err(ShapeError::NotOrientable { face: second.2 as usize });
                }
                let other = if first.4 == start { end } else { start };
                corner_edges[first.3 as usize] = edges.len() as u32;
                corner_edges[second.3 as usize] = edges.len() as u32;
                edges.push(Edge { vertices: [first.4, other], faces: [first.2, second.2] });
            }
            more => return Err(ShapeError::NonManifold { start, end, faces: more.len() }),
        }
    }
    Ok((edges, corner_edges))
}
