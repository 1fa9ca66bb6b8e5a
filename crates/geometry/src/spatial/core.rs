//! Polyhedra shrunk by a margin: the cores of swept shapes, and stones with space for joints.
//!
//! All faces move inwards by the margin m; the core is { x : n_f·x ≤ d_f − m }. Its vertices are the faces of the hull
//! of the dual points n_f/(d_f − m − n_f·c), with c inside. The core plus a ball of radius m has exactly the original
//! faces; edges and corners are rounded.

use glam::DVec3;

use super::mass;
use super::polyhedron::{Hidden, Polyhedron};
use super::{build, hull};

/// Margin in units of the size.
const MARGIN: f64 = 1e-3;

/// The core of a polyhedron and its margin [m].
pub fn shrunk(shape: &Polyhedron) -> Option<(Polyhedron, f64)> {
    let margin = (MARGIN * 2.0 * shape.radius()).min(0.25 * room(shape));
    let mut core = inset(shape, margin)?;
    core.set_hidden(matching(shape, &core));
    Some((core, margin))
}

/// How far the nearest face is from the centroid [m].
pub fn room(shape: &Polyhedron) -> f64 {
    heights(shape, mass::polyhedron(shape).centroid).into_iter().fold(f64::INFINITY, f64::min)
}

/// Heights of the faces over a point [m].
fn heights(shape: &Polyhedron, centre: DVec3) -> Vec<f64> {
    shape.normals().iter().zip(shape.offsets()).map(|(n, d)| d - n.dot(centre)).collect()
}

/// The polyhedron with all faces moved inwards, by less than the [`room`] there is [m].
pub fn inset(shape: &Polyhedron, margin: f64) -> Option<Polyhedron> {
    let centre = mass::polyhedron(shape).centroid;
    let heights = heights(shape, centre);
    // a common length makes the dual points of about unit size
    let unit = heights.iter().copied().fold(f64::INFINITY, f64::min) - margin;
    let dual: Vec<DVec3> = shape.normals().iter().zip(&heights).map(|(n, h)| *n * (unit / (h - margin))).collect();
    let (points, triangles) = hull::hull(&dual).ok()?;
    let vertices: Vec<DVec3> = triangles
        .iter()
        .map(|t| {
            let [a, b, c] = [t[0], t[1], t[2]].map(|i| points[i as usize]);
            let normal = (b - a).cross(c - a);
            centre + normal * (unit / normal.dot(a))
        })
        .collect();
    let (vertices, faces) = hull::hull(&vertices).ok()?;
    build::polyhedron(&vertices, &faces).ok().map(|(inset, _)| inset)
}

/// Hidden faces and edges of the core: those with the normals of hidden ones of the shape.
fn matching(shape: &Polyhedron, core: &Polyhedron) -> Hidden {
    let same = |n: DVec3| {
        let along = |f: &usize| n.dot(shape.normals()[*f]);
        (0..shape.face_count()).max_by(|f, g| along(f).total_cmp(&along(g))).unwrap_or(0)
    };
    let face_of: Vec<usize> = core.normals().iter().map(|n| same(*n)).collect();
    let edge = |faces: [u32; 2]| {
        let wanted = faces.map(|f| face_of[f as usize] as u32);
        let is = |own: &[u32; 2]| *own == wanted || *own == [wanted[1], wanted[0]];
        shape.edges().iter().position(|e| is(&e.faces)).is_some_and(|e| shape.is_hidden_edge(e))
    };
    Hidden {
        faces: face_of.iter().map(|&f| shape.is_hidden(f)).collect(),
        edges: core.edges().iter().map(|e| edge(e.faces)).collect(),
    }
}
