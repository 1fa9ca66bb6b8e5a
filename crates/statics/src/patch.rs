//! Plane patches of interfaces: their contacts, centre and outline.

use voussoir_geometry::{Space, Vector};
use voussoir_mechanics::ContactRecord;

/// Cosine between normals above which contacts of a pair lie in the same plane.
const SAME_PLANE: f64 = 1.0 - 1e-8;

/// The contacts of two bodies that share a normal.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch<S: Space> {
    /// Candidate and antagonist.
    pub bodies: [usize; 2],
    /// Its contacts.
    pub contacts: Vec<usize>,
    /// Normal, from the antagonist to the candidate.
    pub normal: S::Vector,
    /// Tangents of the plane (one in 2D).
    pub tangents: Vec<S::Vector>,
    /// Centroid of the area [m]; the mean of the points if there is no area.
    pub centre: S::Vector,
    /// [m²]; length [m] in 2D.
    pub area: f64,
}

impl<S: Space> Patch<S> {
    /// All patches; contacts are sorted by key. Patches are ordered by bodies.
    pub fn all(contacts: &[ContactRecord<S>], frames: &[S::Vector]) -> Vec<Self> {
        let mut patches: Vec<Self> = Vec::new();
        let mut first_of_pair = 0;
        for (i, contact) in contacts.iter().enumerate() {
            let bodies = [contact.key.candidate as usize, contact.key.antagonist as usize];
            if patches.last().is_none_or(|patch| patch.bodies != bodies) {
                first_of_pair = patches.len();
            }
            let mine = |patch: &&mut Self| patch.normal.dot(contact.normal) > SAME_PLANE;
            match patches[first_of_pair..].iter_mut().find(mine) {
                Some(patch) => patch.contacts.push(i),
                None => patches.push(Self {
                    bodies,
                    contacts: vec![i],
                    normal: contact.normal,
                    tangents: frames[i * S::DIM + 1..(i + 1) * S::DIM].to_vec(),
                    centre: S::zero(),
                    area: 0.0,
                }),
            }
        }
        for patch in &mut patches {
            patch.area = patch.contacts.iter().map(|&i| contacts[i].area).sum();
            let flat = patch.area <= 0.0;
            let weight = |i: usize| if flat { 1.0 } else { contacts[i].area };
            let total: f64 = patch.contacts.iter().map(|&i| weight(i)).sum();
            let mut sum = S::zero();
            patch.contacts.iter().for_each(|&i| sum += contacts[i].position * weight(i));
            patch.centre = sum / total;
        }
        patches
    }

    /// Position of a point in the plane, from the centre [m].
    pub fn flat(&self, x: S::Vector) -> [f64; 2] {
        let arm = x - self.centre;
        let along = |k: usize| self.tangents.get(k).map_or(0.0, |t| t.dot(arm));
        [along(0), along(1)]
    }

    /// Its corners in the plane, counter-clockwise; two in 2D and for lines, one for points.
    pub fn outline(&self, contacts: &[ContactRecord<S>]) -> Vec<[f64; 2]> {
        hull(self.contacts.iter().map(|&i| self.flat(contacts[i].position)).collect())
    }
}

/// Corners of the convex hull, counter-clockwise, from the lowest in x (Andrew's monotone chain).
pub(crate) fn hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let extent = points.iter().flatten().fold(0.0f64, |most, x| most.max(x.abs()));
    let near = 1e-9 * extent;
    points.dedup_by(|a, b| (a[0] - b[0]).abs() <= near && (a[1] - b[1]).abs() <= near);
    if points.len() < 3 {
        return points;
    }
    let turn = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let chain = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut kept: Vec<[f64; 2]> = Vec::new();
        for p in points {
            while kept.len() > 1 && turn(kept[kept.len() - 2], kept[kept.len() - 1], p) <= near * extent {
                kept.pop();
            }
            kept.push(p);
        }
        kept
    };
    let mut lower = chain(&mut points.iter().copied());
    let mut upper = chain(&mut points.iter().rev().copied());
    lower.pop();
    upper.pop();
    lower.extend(upper);
    lower
}

/// Relative position of a point between the origin and the edge of a convex outline around the origin: 0 at the centre,
/// 1 at the edge. Infinite for a point beside a line.
pub(crate) fn gauge(outline: &[[f64; 2]], p: [f64; 2]) -> f64 {
    let length = p[0].hypot(p[1]);
    let extent = outline.iter().map(|c| c[0].hypot(c[1])).fold(0.0, f64::max);
    if length <= 1e-12 * extent || outline.len() < 2 {
        return 0.0;
    }
    if let [a, b] = outline {
        let direction = [b[0] - a[0], b[1] - a[1]];
        let size = direction[0].hypot(direction[1]);
        let along = |c: &[f64; 2]| (c[0] * direction[0] + c[1] * direction[1]) / size;
        let x = along(&p);
        return if x >= 0.0 { x / along(b) } else { x / along(a) };
    }
    let mut most = 0.0f64;
    for (i, a) in outline.iter().enumerate() {
        let b = outline[(i + 1) % outline.len()];
        // outward normal of the edge, counter-clockwise outline
        let n = [b[1] - a[1], a[0] - b[0]];
        let reach = n[0] * a[0] + n[1] * a[1];
        if reach > 0.0 {
            most = most.max((n[0] * p[0] + n[1] * p[1]) / reach);
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gauge_is_one_on_the_edge() {
        let square = hull(vec![[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [0.0, -1.0], [0.2, 0.3]]);
        assert_eq!(square.len(), 4);
        assert!((gauge(&square, [0.5, 0.2]) - 0.5).abs() < 1e-15);
        assert!((gauge(&square, [-0.1, -1.0]) - 1.0).abs() < 1e-15);
        assert_eq!(gauge(&square, [0.0, 0.0]), 0.0);
        let line = hull(vec![[-0.5, 0.0], [0.5, 0.0]]);
        assert!((gauge(&line, [0.25, 0.0]) - 0.5).abs() < 1e-15);
        assert!((gauge(&line, [-0.5, 0.0]) - 1.0).abs() < 1e-15);
    }
}
