//! Load descent: vertical forces through horizontal cuts.
//!
//! A cut at the height z divides the bodies by their centroids; supports are below. The load through the cut is the
//! vertical force of contacts and bonds from the bodies below on the bodies above: at rest it equals the weight and the
//! loads above.

use voussoir_mechanics::snapshot::{Cast, Snapshot};

/// Heights of centroids that differ by less than this fraction of the structure are one course.
const EQUAL_HEIGHT: f64 = 1e-4;

/// One horizontal cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// Height of the cut [m].
    pub height: f64,
    /// Vertical force through it, compression positive [N].
    pub load: f64,
    /// Mass above it [kg].
    pub mass: f64,
}

/// Index of the upward axis.
fn up(cast: &Cast) -> usize {
    if cast.dimension == 2 { 1 } else { 2 }
}

/// True if a body is above a height.
fn above(cast: &Cast, snapshot: &Snapshot, body: usize, height: f64) -> bool {
    let free = cast.bodies.get(body).is_some_and(|body| !body.support);
    free && snapshot.bodies.get(body).is_some_and(|now| now.position[up(cast)] > height)
}

/// Vertical force through a cut, compression positive [N].
pub fn load_through(cast: &Cast, snapshot: &Snapshot, height: f64) -> f64 {
    let over = |body: u32| above(cast, snapshot, body as usize, height);
    let through = snapshot.contacts.iter().map(|contact| match contact.bodies.map(over) {
        [true, false] => contact.force[up(cast)],
        [false, true] => -contact.force[up(cast)],
        _ => 0.0,
    });
    through.sum()
}

/// Cuts between the heights of free bodies, from top to bottom, and one below all of them.
pub fn load_descent(cast: &Cast, snapshot: &Snapshot) -> Vec<Cut> {
    // a recording without frames has no bodies
    let count = cast.bodies.len().min(snapshot.bodies.len());
    let free = || (0..count).filter(|&i| !cast.bodies[i].support && !snapshot.bodies[i].absent);
    let mut heights: Vec<f64> =
        free().map(|i| snapshot.bodies[i].position[up(cast)]).filter(|z| z.is_finite()).collect();
    heights.sort_by(|a, b| b.total_cmp(a));
    let [Some(&top), Some(&bottom)] = [heights.first(), heights.last()] else { return Vec::new() };
    let mut courses: Vec<f64> = Vec::new();
    for z in heights {
        if courses.last().is_none_or(|last| last - z > EQUAL_HEIGHT * (top - bottom).max(f64::MIN_POSITIVE)) {
            courses.push(z);
        }
    }
    let below = courses.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
    // half a course below the lowest body
    let last = courses.len().checked_sub(2).map_or(0.0, |k| 0.5 * (courses[k] - courses[k + 1]));
    let cut = |height: f64| Cut {
        height,
        load: load_through(cast, snapshot, height),
        mass: free().filter(|&i| above(cast, snapshot, i, height)).map(|i| cast.bodies[i].mass).sum(),
    };
    below.chain([bottom - last.max(EQUAL_HEIGHT)]).map(cut).collect()
}

#[cfg(test)]
mod tests {
    use voussoir_mechanics::geometry::Surface;
    use voussoir_mechanics::snapshot::{BodySnapshot, CastBody, ContactSnapshot, Features};

    use super::*;

    #[test]
    fn every_course_carries_what_is_above() {
        // three blocks of 2 kg on a support, in 2D
        let body = |support: bool| CastBody {
            name: "b".into(),
            material: 0,
            support,
            mass: 2.0,
            volume: 1.0,
            form: Surface::default().into(),
        };
        let cast = Cast {
            dimension: 2,
            bodies: vec![body(true), body(false), body(false), body(false)],
            materials: vec![],
            cables: vec![],
            features: Features::default(),
            origin: [0.0; 3],
        };
        let at = |y: f64| BodySnapshot { position: [0.0, y, 0.0], ..Default::default() };
        let rests = |on: u32, below: u32, force: f64| ContactSnapshot {
            bodies: [on, below],
            force: [0.0, force, 0.0],
            ..Default::default()
        };
        let snapshot = Snapshot {
            bodies: vec![at(9.0), at(0.5), at(1.5), at(2.5)],
            // the middle body is the antagonist of the contact with the upper body, the lower body its candidate
            contacts: vec![rests(1, 0, 60.0), rests(1, 2, -40.0), rests(3, 2, 20.0)],
            ..Default::default()
        };
        let cuts = load_descent(&cast, &snapshot);
        assert_eq!(cuts.iter().map(|cut| cut.load).collect::<Vec<_>>(), [20.0, 40.0, 60.0]);
        assert_eq!(cuts.iter().map(|cut| cut.height).collect::<Vec<_>>(), [2.0, 1.0, 0.0]);
        assert_eq!(cuts.iter().map(|cut| cut.mass).collect::<Vec<_>>(), [2.0, 4.0, 6.0]);
    }
}
