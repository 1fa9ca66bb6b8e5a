//! Enlarged displacements: motions from the first frame, and elastic displacements, multiplied by a factor.

use voussoir_mechanics::snapshot::{Cast, Snapshot};

use crate::vector::{BoundingBox, Vec3, add, distance, length, scale, sub};

/// A readable displacement, relative to the size of the structure.
const READABLE_DISPLACEMENT: f64 = 0.03;

/// Largest angle of an enlarged rotation [rad].
const LARGEST_ANGLE: f64 = 0.5;

/// The snapshot with all displacements since `first` multiplied by a factor. Rotations of bodies are enlarged as long
/// as they stay small.
pub fn exaggerated(cast: &Cast, first: &Snapshot, snapshot: &Snapshot, factor: f64) -> Snapshot {
    let mut out = snapshot.clone();
    for (now, then) in out.bodies.iter_mut().zip(&first.bodies) {
        now.position = add(then.position, scale(sub(now.position, then.position), factor));
        now.rotation = turned_further(then.rotation, now.rotation, factor);
    }
    for deformed in &mut out.deformed {
        let Some(body) = cast.bodies.get(deformed.body as usize) else { continue };
        for (point, drawn) in deformed.points.iter_mut().zip(&body.surface().points) {
            *point = add(*drawn, scale(sub(*point, *drawn), factor));
        }
    }
    out
}

/// A round factor that makes the largest displacement readable; 1 if displacements are readable without enlargement.
pub fn readable_factor(cast: &Cast, first: &Snapshot, snapshot: &Snapshot) -> f64 {
    let free = || cast.bodies.iter().zip(&first.bodies).zip(&snapshot.bodies).filter(|((body, _), _)| !body.support);
    let size = BoundingBox::of(free().flat_map(|((body, then), _)| {
        body.surface().points.iter().map(|point| add(then.position, *point)).collect::<Vec<Vec3>>()
    }))
    .diagonal();
    let moved = free().map(|((_, then), now)| distance(now.position, then.position));
    let bent = snapshot.deformed.iter().flat_map(|deformed| {
        let drawn = cast.bodies.get(deformed.body as usize).map_or(&[][..], |body| &body.surface().points[..]);
        deformed.points.iter().zip(drawn).map(|(point, drawn)| distance(*point, *drawn)).collect::<Vec<f64>>()
    });
    let largest = moved.chain(bent).fold(0.0, f64::max);
    let factor = READABLE_DISPLACEMENT * size / largest;
    if !(factor.is_finite() && factor > 1.0) {
        return 1.0;
    }
    // 1, 2 or 5 times a power of ten
    let power = 10f64.powf(factor.log10().floor());
    let digit = [5.0, 2.0, 1.0].into_iter().find(|digit| digit * power <= factor).unwrap_or(1.0);
    digit * power
}

/// A rotation from one quaternion (x, y, z, w) to another, multiplied.
fn turned_further(from: [f64; 4], to: [f64; 4], factor: f64) -> [f64; 4] {
    let inverse = [-from[0], -from[1], -from[2], from[3]];
    let mut way = product(to, inverse);
    if way[3] < 0.0 {
        way = way.map(|x| -x);
    }
    let sine = length([way[0], way[1], way[2]]);
    let angle = 2.0 * sine.atan2(way[3]);
    if sine == 0.0 {
        return to;
    }
    let more = (factor * angle).min(LARGEST_ANGLE.max(angle));
    let (s, c) = (0.5 * more).sin_cos();
    product([way[0] / sine * s, way[1] / sine * s, way[2] / sine * s, c], from)
}

/// Product of two quaternions (x, y, z, w).
fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_rotations_are_multiplied() {
        let about_z = |angle: f64| [0.0, 0.0, (0.5 * angle).sin(), (0.5 * angle).cos()];
        let more = turned_further(about_z(0.3), about_z(0.301), 100.0);
        let expected = about_z(0.4);
        assert!(more.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{more:?}");
        // not beyond a readable size
        let most = turned_further(about_z(0.0), about_z(0.1), 100.0);
        assert!(most.iter().zip(about_z(0.5)).all(|(a, b)| (a - b).abs() < 1e-12), "{most:?}");
    }
}
