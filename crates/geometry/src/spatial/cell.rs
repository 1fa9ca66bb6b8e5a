//! Convex cells that are divided by planes.

use std::collections::HashMap;

use glam::DVec3;

use super::polyhedron::Polyhedron;

/// The points with normal·x ≤ offset lie below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CutPlane {
    /// Unit normal.
    pub normal: DVec3,
    /// [m]
    pub offset: f64,
}

impl CutPlane {
    /// Height of a point above the plane [m].
    pub fn height(&self, p: DVec3) -> f64 {
        self.normal.dot(p) - self.offset
    }

    /// −1 below, 0 on the plane, 1 above, up to `tolerance` [m].
    pub fn side(&self, p: DVec3, tolerance: f64) -> i8 {
        let height = self.height(p);
        if height > tolerance { 1 } else { -i8::from(height < -tolerance) }
    }
}

/// A convex polyhedron as loops of vertices.
#[derive(Clone, Debug)]
pub(super) struct ConvexCell {
    /// [m]
    pub vertices: Vec<DVec3>,
    /// Counter-clockwise seen from outside.
    pub faces: Vec<Vec<u32>>,
}

impl ConvexCell {
    /// The cell of a convex polyhedron.
    pub fn of(shape: &Polyhedron) -> Self {
        let faces = (0..shape.face_count()).map(|f| shape.face(f).to_vec()).collect();
        Self { vertices: shape.vertices().to_vec(), faces }
    }

    /// Planes of the faces, outwards.
    pub fn planes(&self) -> Vec<CutPlane> {
        let plane = |face: &Vec<u32>| {
            let normal = super::polyhedron::newell(face.iter().map(|&v| self.vertices[v as usize])).normalize_or_zero();
            let mean = face.iter().map(|&v| self.vertices[v as usize]).sum::<DVec3>() / face.len() as f64;
            CutPlane { normal, offset: normal.dot(mean) }
        };
        self.faces.iter().map(plane).collect()
    }

    /// Mean of the vertices, a point inside.
    pub fn middle(&self) -> DVec3 {
        self.vertices.iter().sum::<DVec3>() / self.vertices.len().max(1) as f64
    }

    /// The parts below and above a plane; `None` for an empty part.
    pub fn split(&self, plane: &CutPlane, tolerance: f64) -> [Option<Self>; 2] {
        let sides: Vec<i8> = self.vertices.iter().map(|v| plane.side(*v, tolerance)).collect();
        if !sides.contains(&1) {
            return [Some(self.clone()), None];
        }
        if !sides.contains(&-1) {
            return [None, Some(self.clone())];
        }
        // all vertices and the new ones where edges cross
        let (mut vertices, mut crossings) = (self.vertices.clone(), HashMap::new());
        let mut crossing = |a: u32, b: u32, vertices: &mut Vec<DVec3>| {
            *crossings.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let (p, q) = (self.vertices[a.min(b) as usize], self.vertices[a.max(b) as usize]);
                let (here, there) = (plane.height(p), plane.height(q));
                vertices.push(p + (q - p) * (here / (here - there)));
                (vertices.len() - 1) as u32
            })
        };
        let mut halves = [Vec::new(), Vec::new()];
        for face in &self.faces {
            let mut loops = [Vec::new(), Vec::new()];
            for (i, &a) in face.iter().enumerate() {
                let b = face[(i + 1) % face.len()];
                let (here, there) = (sides[a as usize], sides[b as usize]);
                if here <= 0 {
                    loops[0].push(a);
                }
                if here >= 0 {
                    loops[1].push(a);
                }
                if here * there < 0 {
                    let v = crossing(a, b, &mut vertices);
                    loops.iter_mut().for_each(|half| half.push(v));
                }
            }
            // a loop with all points on the plane is no face of that half
            for ((half, corners), sign) in halves.iter_mut().zip(loops).zip([-1, 1]) {
                let off = |v: &u32| sides.get(*v as usize).is_some_and(|side| *side == sign);
                if corners.len() >= 3 && corners.iter().any(off) {
                    half.push(corners);
                }
            }
        }
        // the cut itself: all points on the plane, in order round their middle
        let mut cut: Vec<u32> =
            (0..vertices.len() as u32).filter(|&v| sides.get(v as usize).is_none_or(|side| *side == 0)).collect();
        let middle = cut.iter().map(|&v| vertices[v as usize]).sum::<DVec3>() / cut.len().max(1) as f64;
        let u = plane.normal.any_orthonormal_vector();
        let w = plane.normal.cross(u);
        let angle = |v: &u32| {
            let d = vertices[*v as usize] - middle;
            w.dot(d).atan2(u.dot(d))
        };
        cut.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
        let [mut below, mut above] = halves;
        if cut.len() >= 3 {
            below.push(cut.clone());
            above.push(cut.into_iter().rev().collect());
        }
        [below, above].map(|faces| Some(compact(&vertices, faces)))
    }
}

/// Keeps the vertices that faces use.
fn compact(vertices: &[DVec3], mut faces: Vec<Vec<u32>>) -> ConvexCell {
    let mut number = vec![u32::MAX; vertices.len()];
    let mut kept = Vec::new();
    for corner in faces.iter_mut().flatten() {
        let v = *corner as usize;
        if number[v] == u32::MAX {
            number[v] = kept.len() as u32;
            kept.push(vertices[v]);
        }
        *corner = number[v];
    }
    ConvexCell { vertices: kept, faces }
}
