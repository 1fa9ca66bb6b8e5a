//! Closest points of two separated convex sets, from their support points only.
//!
//! E. Gilbert, D. Johnson, S. Keerthi (1988). The difference of the two sets is approximated by simplices; the point of
//! a simplex closest to the origin is searched among all its faces, which is slower than other variants and always
//! correct. In 2D all z are zero and simplices are triangles.

use glam::DVec3;

/// Steps at most; a dozen is usual.
const MOST_STEPS: usize = 64;
/// The distance is found when no support point is closer by this fraction of the scale.
const DISTANCE_TOLERANCE: f64 = 1e-14;

/// Bodies are moved apart by this fraction of their size, less when that does not help …
const SEPARATING_SHIFT: f64 = 1e-2;
/// … down to this.
const LEAST_APART: f64 = 1e-5;
/// A direction is better when its gap is larger by this fraction of the size.
const GAP_GAIN: f64 = 1e-10;
/// Rounds of moving apart; four are usual.
const MOST_ROUNDS: usize = 16;

/// Closest points of two sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// In the first set.
    pub on_a: DVec3,
    /// In the second set.
    pub on_b: DVec3,
    /// Their distance [m].
    pub distance: f64,
}

/// A point of the difference, and the points it comes from.
#[derive(Clone, Copy, Debug, Default)]
struct Corner {
    a: DVec3,
    b: DVec3,
    w: DVec3,
}

/// Closest points of A and B; `None` if the sets intersect, up to rounding of numbers as large as `scale`. `start` is
/// any direction from B to A.
pub fn closest(
    support_a: impl Fn(DVec3) -> DVec3,
    support_b: impl Fn(DVec3) -> DVec3,
    start: DVec3,
    scale: f64,
) -> Option<Closest> {
    let corner = |direction: DVec3| {
        let (a, b) = (support_a(-direction), support_b(direction));
        Corner { a, b, w: a - b }
    };
    let mut simplex = vec![corner(start)];
    let mut weights = vec![1.0];
    for _ in 0..MOST_STEPS {
        let v = weighted(&simplex, &weights, |c| c.w);
        let length = v.length();
        if length <= DISTANCE_TOLERANCE * scale {
            return None;
        }
        let next = corner(v / length);
        let gain = length - v.dot(next.w) / length;
        let known = simplex.iter().any(|c| c.w == next.w);
        if gain <= DISTANCE_TOLERANCE * scale || known {
            break;
        }
        simplex.push(next);
        (simplex, weights) = nearest_face(&simplex);
        if simplex.len() == 4 {
            return None;
        }
        // rounding: the distance no longer decreases
        if weighted(&simplex, &weights, |c| c.w).length() >= length {
            break;
        }
    }
    let (on_a, on_b) = (weighted(&simplex, &weights, |c| c.a), weighted(&simplex, &weights, |c| c.b));
    Some(Closest { on_a, on_b, distance: on_a.distance(on_b) })
}

/// The direction n from B to A with a larger gap(n) = min over A of n·x − max over B of n·x, and the gap. Bodies that
/// overlap are first moved apart along the current direction; their closest points give the next direction.
pub fn part(
    mut best: (DVec3, f64),
    support_a: impl Fn(DVec3) -> DVec3,
    support_b: impl Fn(DVec3) -> DVec3,
    size: f64,
) -> (DVec3, f64) {
    let mut apart = SEPARATING_SHIFT;
    for _ in 0..MOST_ROUNDS {
        let push = best.0 * ((-best.1).max(0.0) + apart * size);
        let found = closest(|d| support_a(d) + push, &support_b, best.0, 4.0 * size);
        let Some(n) = found.and_then(|found| (found.on_a - found.on_b).try_normalize()) else { break };
        let gap = n.dot(support_a(-n) - support_b(n));
        if gap > best.1 + GAP_GAIN * size {
            best = (n, gap);
        } else if apart > LEAST_APART {
            // a smaller distance reduces the influence of the shape beside the contact
            apart *= 0.1;
        } else {
            break;
        }
    }
    best
}

fn weighted(simplex: &[Corner], weights: &[f64], of: impl Fn(&Corner) -> DVec3) -> DVec3 {
    simplex.iter().zip(weights).map(|(corner, weight)| of(corner) * *weight).sum()
}

/// The face of a simplex that has the point closest to the origin inside, and the weights of its corners there.
fn nearest_face(simplex: &[Corner]) -> (Vec<Corner>, Vec<f64>) {
    let mut best: Option<(f64, Vec<Corner>, Vec<f64>)> = None;
    for subset in 1u32..1 << simplex.len() {
        let face: Vec<Corner> = (0..simplex.len()).filter(|i| subset >> i & 1 == 1).map(|i| simplex[i]).collect();
        let Some(weights) = project(&face) else { continue };
        let distance = weighted(&face, &weights, |c| c.w).length_squared();
        if best.as_ref().is_none_or(|best| distance < best.0) {
            best = Some((distance, face, weights));
        }
    }
    match best {
        Some((_, face, weights)) => (face, weights),
        None => (simplex[..1].to_vec(), vec![1.0]),
    }
}

/// Weights of the point of the face's plane that is closest to the origin, if it lies inside the face.
fn project(face: &[Corner]) -> Option<Vec<f64>> {
    let origin = face[0].w;
    let sides: Vec<DVec3> = face[1..].iter().map(|c| c.w - origin).collect();
    let rest = match sides[..] {
        [] => vec![],
        [u] => vec![-u.dot(origin) / u.length_squared()],
        [u, v] => {
            let (uu, uv, vv) = (u.length_squared(), u.dot(v), v.length_squared());
            let (p, q) = (-u.dot(origin), -v.dot(origin));
            let determinant = uu * vv - uv * uv;
            vec![(p * vv - q * uv) / determinant, (q * uu - p * uv) / determinant]
        }
        [u, v, w] => {
            let volume = u.dot(v.cross(w));
            let at = -origin;
            vec![at.dot(v.cross(w)) / volume, u.dot(at.cross(w)) / volume, u.dot(v.cross(at)) / volume]
        }
        _ => return None,
    };
    let first = 1.0 - rest.iter().sum::<f64>();
    let inside = first > 0.0 && rest.iter().all(|x| *x > 0.0);
    inside.then(|| std::iter::once(first).chain(rest).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn box_at(centre: DVec3) -> impl Fn(DVec3) -> DVec3 {
        move |d: DVec3| centre + 0.5 * DVec3::new(d.x.signum(), d.y.signum(), d.z.signum())
    }

    #[test]
    fn distances_of_boxes() {
        let a = box_at(DVec3::ZERO);
        for (centre, distance) in [
            (DVec3::new(3.0, 0.2, 0.1), 2.0),
            (DVec3::new(2.0, 2.0, 0.0), 2f64.sqrt()),
            (DVec3::new(2.0, -2.0, 2.0), 3f64.sqrt()),
            (DVec3::new(1.0 + 1e-6, 0.3, 0.0), 1e-6),
        ] {
            let found = closest(&a, box_at(centre), DVec3::X, 4.0).unwrap();
            assert!((found.distance - distance).abs() < 1e-13, "{found:?}");
        }
        assert!(closest(&a, box_at(DVec3::new(0.9, 0.1, 0.0)), DVec3::X, 2.0).is_none());
    }
}
