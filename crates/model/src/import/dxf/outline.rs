//! Closed polylines, with their arcs as chords, and the prisms that they become.

use voussoir_geometry::glam::{DVec2, DVec3};

use super::pairs::{DxfEntity, finite};
use crate::import::ImportError;

/// Arcs become chords of at most this angle [rad].
const CHORD_ANGLE: f64 = std::f64::consts::PI / 18.0;
/// Maximum number of chords of one arc: a bulge has a finite angle, so this is only a guard.
const MOST_CHORDS: f64 = 36.0;

/// A closed polyline in its own plane.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    pub corners: Vec<Corner>,
    /// Height of the plane above its origin.
    pub elevation: f64,
    /// Extrusion length; 0 if the drawing has none.
    pub thickness: f64,
    /// Normal of its plane.
    pub normal: DVec3,
}

/// A vertex and the edge to the next vertex.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Corner {
    pub at: DVec2,
    /// Tangent of a quarter of the arc's angle; 0 for a straight side.
    pub bulge: f64,
}

/// The outline of a LWPOLYLINE.
pub fn light_polyline(entity: &DxfEntity<'_>) -> Result<Outline, ImportError> {
    let mut outline = Outline {
        elevation: entity.number(38)?.unwrap_or(0.0),
        thickness: entity.number(39)?.unwrap_or(0.0),
        normal: normal(entity)?,
        corners: Vec::new(),
    };
    for pair in entity.pairs {
        match (pair.code, outline.corners.last_mut()) {
            (10, _) => {
                outline.corners.push(Corner { at: DVec2::new(finite(entity.path, pair)?, 0.0), bulge: 0.0 });
            }
            (20, Some(corner)) => corner.at.y = finite(entity.path, pair)?,
            (42, Some(corner)) => corner.bulge = finite(entity.path, pair)?,
            _ => {}
        }
    }
    Ok(outline)
}

/// The direction in which an entity is extruded.
pub fn normal(entity: &DxfEntity<'_>) -> Result<DVec3, ImportError> {
    let given = entity.point(210)?.unwrap_or(DVec3::Z);
    given.try_normalize().ok_or_else(|| entity.error("its extrusion direction has no length"))
}

/// The axes of the plane with a normal: DXF's «arbitrary axis algorithm».
pub fn axes(normal: DVec3) -> [DVec3; 2] {
    const NEAR: f64 = 1.0 / 64.0;
    let world = if normal.x.abs() < NEAR && normal.y.abs() < NEAR { DVec3::Y } else { DVec3::Z };
    let x = world.cross(normal).normalize();
    [x, normal.cross(x)]
}

impl Outline {
    /// True if the last vertex is the first one: closed without the closed flag.
    pub fn returns(&self) -> bool {
        let ends = [self.corners.first(), self.corners.last()].map(|corner| corner.map(|corner| corner.at));
        self.corners.len() > 3 && ends[0] == ends[1]
    }

    /// True if it has arcs.
    pub fn has_arcs(&self) -> bool {
        self.corners.iter().any(|corner| corner.bulge != 0.0)
    }

    /// The corners in space, arcs as chords, without consecutive duplicates.
    pub fn points(&self) -> Vec<DVec3> {
        let mut flat: Vec<DVec2> = Vec::new();
        let n = self.corners.len();
        for (i, corner) in self.corners.iter().enumerate() {
            flat.push(corner.at);
            let next = self.corners[(i + 1) % n].at;
            if corner.bulge != 0.0 && next != corner.at {
                flat.extend(chords(corner.at, next, corner.bulge));
            }
        }
        flat.dedup();
        while flat.len() > 1 && flat.first() == flat.last() {
            flat.pop();
        }
        let [x, y] = axes(self.normal);
        flat.iter().map(|p| x * p.x + y * p.y + self.normal * self.elevation).collect()
    }
}

/// Points inside an arc from `a` to `b`.
fn chords(a: DVec2, b: DVec2, bulge: f64) -> Vec<DVec2> {
    let angle = 4.0 * bulge.atan();
    let pieces = (angle.abs() / CHORD_ANGLE).ceil().clamp(1.0, MOST_CHORDS) as usize;
    // a semicircle has its centre in the middle of its chord
    let half = b - a;
    let centre = 0.5 * (a + b) + half.perp() * (0.5 / (0.5 * angle).tan());
    (1..pieces).map(|k| centre + DVec2::from_angle(angle * k as f64 / pieces as f64).rotate(a - centre)).collect()
}

/// A prism: the outline, and the outline moved by `along`.
pub fn prism(outline: &[DVec3], along: DVec3) -> (Vec<DVec3>, Vec<Vec<u32>>) {
    let n = outline.len() as u32;
    let vertices = outline.iter().copied().chain(outline.iter().map(|p| *p + along)).collect();
    let mut faces: Vec<Vec<u32>> = vec![(0..n).rev().collect(), (n..2 * n).collect()];
    faces.extend((0..n).map(|i| vec![i, (i + 1) % n, n + (i + 1) % n, n + i]));
    (vertices, faces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_are_on_their_circle() {
        // bulge 1: a semicircle to the right of the direction, counter-clockwise
        let points = chords(DVec2::ZERO, DVec2::new(2.0, 0.0), 1.0);
        assert_eq!(points.len(), 17);
        for p in &points {
            assert!((p.distance(DVec2::X) - 1.0).abs() < 1e-14 && p.y < 0.0, "{p}");
        }
        // a quarter circle about (1, 1) from (1, 0) to (2, 1)
        let quarter = (std::f64::consts::PI / 8.0).tan();
        for p in chords(DVec2::new(1.0, 0.0), DVec2::new(2.0, 1.0), quarter) {
            assert!((p.distance(DVec2::ONE) - 1.0).abs() < 1e-14 && p.x > 1.0 && p.y < 1.0, "{p}");
        }
    }

    #[test]
    fn planes_have_right_handed_axes() {
        for normal in [DVec3::Z, -DVec3::Z, DVec3::Y, DVec3::new(0.3, -0.4, 0.5).normalize()] {
            let [x, y] = axes(normal);
            assert!(x.cross(y).distance(normal) < 1e-14);
        }
        assert_eq!(axes(DVec3::Z), [DVec3::X, DVec3::Y]);
    }
}
