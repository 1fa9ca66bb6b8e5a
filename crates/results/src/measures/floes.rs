//! Measures of fields of floes in 2D: concentration of a box, area beyond a line, groups in contact.
//!
//! Polygons are cut along the sides of the box exactly; a disc is a polygon of [`SIDES`] sides with the same area. Bodies
//! are neighbours if a contact between them has a force; in event-driven stages that is any impact in the force step.

use std::collections::{BTreeMap, BTreeSet};

use voussoir_mechanics::snapshot::{BodyForm, BodySnapshot, Cast, CastBody, Snapshot};

use crate::vector::place;

/// Sides of the polygon that stands for a disc.
const SIDES: usize = 256;

/// Convex outlines of a body at its place [m].
fn outlines(body: &CastBody, now: &BodySnapshot) -> Vec<Vec<[f64; 2]>> {
    match &body.form {
        BodyForm::Ball { radius } => {
            let step = std::f64::consts::TAU / SIDES as f64;
            let reach = radius * (step / step.sin()).sqrt();
            let corner = |k: usize| {
                let (sin, cos) = (step * k as f64).sin_cos();
                [now.position[0] + reach * cos, now.position[1] + reach * sin]
            };
            vec![(0..SIDES).map(corner).collect()]
        }
        BodyForm::Polygons(surface) => {
            let corner = |index: &u32| {
                let [x, y, _] = place(now, surface.points[*index as usize]);
                [x, y]
            };
            surface.polygons.iter().map(|polygon| polygon.iter().map(corner).collect()).collect()
        }
    }
}

/// Area of a polygon, counter-clockwise [m²].
fn area(polygon: &[[f64; 2]]) -> f64 {
    let Some(origin) = polygon.first() else { return 0.0 };
    let cross =
        |a: &[f64; 2], b: &[f64; 2]| (a[0] - origin[0]) * (b[1] - origin[1]) - (a[1] - origin[1]) * (b[0] - origin[0]);
    0.5 * polygon.windows(2).map(|pair| cross(&pair[0], &pair[1])).sum::<f64>()
}

/// The part of a polygon on one side of a line along an axis.
fn cut(polygon: &[[f64; 2]], axis: usize, sign: f64, at: f64) -> Vec<[f64; 2]> {
    let height = |p: &[f64; 2]| sign * (p[axis] - at);
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (i, a) in polygon.iter().enumerate() {
        let b = &polygon[(i + 1) % polygon.len()];
        let (ha, hb) = (height(a), height(b));
        if ha >= 0.0 {
            kept.push(*a);
        }
        if (ha > 0.0 && hb < 0.0) || (ha < 0.0 && hb > 0.0) {
            let part = ha / (ha - hb);
            kept.push([a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])]);
        }
    }
    kept
}

/// Area of bodies in a box over the area of the box; corners in the coordinates of snapshots [m].
pub fn concentration(cast: &Cast, snapshot: &Snapshot, bodies: &[usize], min: [f64; 2], max: [f64; 2]) -> f64 {
    let mut sum = 0.0;
    for &body in bodies {
        let Some(now) = snapshot.bodies.get(body).filter(|now| !now.absent) else { continue };
        for mut outline in outlines(&cast.bodies[body], now) {
            for axis in 0..2 {
                outline = cut(&cut(&outline, axis, 1.0, min[axis]), axis, -1.0, max[axis]);
            }
            sum += area(&outline).abs();
        }
    }
    sum / ((max[0] - min[0]) * (max[1] - min[1]))
}

/// Area of the bodies whose centroid is beyond a line [m²], also of those that have left the sea there.
pub fn area_beyond(cast: &Cast, snapshot: &Snapshot, bodies: &[usize], point: [f64; 2], normal: [f64; 2]) -> f64 {
    let mut sum = 0.0;
    for &body in bodies {
        let Some(now) = snapshot.bodies.get(body) else { continue };
        let height = (now.position[0] - point[0]) * normal[0] + (now.position[1] - point[1]) * normal[1];
        if height > 0.0 {
            sum += outlines(&cast.bodies[body], now).iter().map(|outline| area(outline).abs()).sum::<f64>();
        }
    }
    sum
}

/// Neighbours of bodies among themselves.
fn neighbours(snapshot: &Snapshot, bodies: &[usize]) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut all: BTreeMap<usize, BTreeSet<usize>> = bodies.iter().map(|&body| (body, BTreeSet::new())).collect();
    for contact in snapshot.contacts.iter().filter(|contact| contact.force != [0.0; 3]) {
        let [a, b] = contact.bodies.map(|body| body as usize);
        if a != b && all.contains_key(&a) && all.contains_key(&b) {
            all.entry(a).or_default().insert(b);
            all.entry(b).or_default().insert(a);
        }
    }
    all
}

/// Mean number of neighbours of the bodies that are there.
pub fn coordination(snapshot: &Snapshot, bodies: &[usize]) -> f64 {
    let there = |body: &&usize| snapshot.bodies.get(**body).is_some_and(|now| !now.absent);
    let count = bodies.iter().filter(there).count();
    neighbours(snapshot, bodies).values().map(BTreeSet::len).sum::<usize>() as f64 / count as f64
}

/// Number of bodies of the largest group that contacts connect; 1 if none touches another.
pub fn largest_group(snapshot: &Snapshot, bodies: &[usize]) -> f64 {
    let all = neighbours(snapshot, bodies);
    let (mut known, mut largest): (BTreeSet<usize>, usize) = (BTreeSet::new(), 0);
    for &start in all.keys() {
        let (mut open, mut count) = (vec![start], 0);
        while let Some(body) = open.pop() {
            if known.insert(body) {
                count += 1;
                open.extend(all[&body].iter().copied());
            }
        }
        largest = largest.max(count);
    }
    largest as f64
}

#[cfg(test)]
mod tests {
    use voussoir_mechanics::geometry::Surface;
    use voussoir_mechanics::snapshot::{ContactSnapshot, Features};

    use super::*;

    fn scene() -> (Cast, Snapshot) {
        let square = Surface {
            points: vec![[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]],
            polygons: vec![vec![0, 1, 2, 3]],
        };
        let body = |form: BodyForm| CastBody {
            name: String::new(),
            material: 0,
            support: false,
            mass: 1.0,
            volume: 1.0,
            form,
        };
        let forms = [BodyForm::Polygons(square.clone()), BodyForm::Ball { radius: 1.0 }, BodyForm::Polygons(square)];
        let at = |x: f64, angle: f64| BodySnapshot {
            position: [x, 0.0, 0.0],
            rotation: [0.0, 0.0, (0.5 * angle).sin(), (0.5 * angle).cos()],
            ..BodySnapshot::default()
        };
        let cast = Cast {
            dimension: 2,
            bodies: forms.map(body).to_vec(),
            materials: Vec::new(),
            cables: Vec::new(),
            features: Features::default(),
            origin: [0.0; 3],
        };
        let bodies = vec![at(0.0, std::f64::consts::FRAC_PI_4), at(5.0, 0.0), at(10.0, 0.0)];
        let contact = |a, b| ContactSnapshot { bodies: [a, b], force: [1.0, 0.0, 0.0], ..ContactSnapshot::default() };
        (cast, Snapshot { bodies, contacts: vec![contact(0, 1), contact(1, 0)], ..Snapshot::default() })
    }

    #[test]
    fn areas_are_cut_along_the_box() {
        let (cast, snapshot) = scene();
        // half of the turned square and a quarter of the disc
        let half = concentration(&cast, &snapshot, &[0], [0.0, -4.0], [4.0, 4.0]);
        assert!((half - 2.0 / 32.0).abs() < 1e-14, "{half}");
        let quarter = concentration(&cast, &snapshot, &[1], [5.0, 0.0], [7.0, 2.0]);
        assert!((quarter - std::f64::consts::PI / 16.0).abs() < 1e-12, "{quarter}");
        let beyond = area_beyond(&cast, &snapshot, &[0, 1, 2], [4.0, 0.0], [1.0, 0.0]);
        assert!((beyond - 4.0 - std::f64::consts::PI).abs() < 1e-12, "{beyond}");
    }

    #[test]
    fn groups_are_connected_by_forces() {
        let (_, snapshot) = scene();
        assert_eq!(largest_group(&snapshot, &[0, 1, 2]), 2.0);
        assert_eq!(largest_group(&snapshot, &[0, 2]), 1.0);
        assert!((coordination(&snapshot, &[0, 1, 2]) - 2.0 / 3.0).abs() < 1e-15);
    }
}
