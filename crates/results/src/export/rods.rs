//! Straight segments of cables as rods, for formats with solids only: a rod along z of length and radius 1 is placed,
//! rotated and scaled.

use voussoir_mechanics::geometry::Surface;
use voussoir_mechanics::snapshot::CableSnapshot;

use crate::vector::{Vec3, cross, dot, length, sub, unit};

/// Position, rotation and scale of a node along its own axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NodePlacement {
    pub place: [f32; 3],
    pub turn: [f32; 4],
    pub size: [f32; 3],
}

/// Sides of a rod.
const SIDES: u32 = 8;

/// A rod from the origin to (0, 0, 1), of radius 1.
pub fn rod() -> Surface {
    let corner = |k: u32, z: f64| {
        let (sine, cosine) = (std::f64::consts::TAU * f64::from(k) / f64::from(SIDES)).sin_cos();
        [cosine, sine, z]
    };
    let points = (0..SIDES).flat_map(|k| [corner(k, 0.0), corner(k, 1.0)]).collect();
    let side = |k: u32| {
        let next = (k + 1) % SIDES;
        vec![2 * k, 2 * next, 2 * next + 1, 2 * k + 1]
    };
    let ends = [(0..SIDES).rev().map(|k| 2 * k).collect(), (0..SIDES).map(|k| 2 * k + 1).collect()];
    Surface { points, polygons: (0..SIDES).map(side).chain(ends).collect() }
}

/// Cable and placement in each frame, for every segment of every cable; while the cable is absent, the segment has the
/// scale zero at its last position, or at its next one.
pub fn pieces(frames: &[Vec<CableSnapshot>], radius: f64) -> Vec<(usize, Vec<NodePlacement>)> {
    let cables = frames.iter().map(Vec::len).max().unwrap_or(0);
    let mut all = Vec::new();
    for cable in 0..cables {
        let points = |frame: usize| frames[frame].get(cable).map_or(&[][..], |cable| &cable.points);
        let most = (0..frames.len()).map(|frame| points(frame).len()).max().unwrap_or(0);
        for piece in 1..most {
            let placed = |frame: usize| {
                let ends = points(frame).get(piece - 1).zip(points(frame).get(piece));
                ends.map(|(&a, &b)| between(a, b, radius))
            };
            let Some(mut last) = (0..frames.len()).find_map(placed) else { continue };
            let mut follow = |frame: usize| match placed(frame) {
                Some(now) => {
                    last = now;
                    now
                }
                None => NodePlacement { size: [0.0; 3], ..last },
            };
            all.push((cable, (0..frames.len()).map(&mut follow).collect()));
        }
    }
    all
}

/// The rod from one point to another.
fn between(a: Vec3, b: Vec3, radius: f64) -> NodePlacement {
    let along = sub(b, a);
    let size = [radius, radius, length(along)].map(|x| x as f32);
    // the axis half way between z and the direction rotates one into the other
    let [x, y, z] = unit(along);
    let half = [x, y, z + 1.0];
    let turn = if length(half) > 1e-6 {
        let half = unit(half);
        let axis = cross([0.0, 0.0, 1.0], half);
        [axis[0], axis[1], axis[2], dot([0.0, 0.0, 1.0], half)]
    } else {
        [1.0, 0.0, 0.0, 0.0]
    };
    NodePlacement { place: a.map(|x| x as f32), turn: turn.map(|x| x as f32), size }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::{add, rotate};

    #[test]
    fn a_rod_reaches_from_end_to_end() {
        for b in [[1.0, 2.0, 5.0], [1.0, 2.0, -4.0], [0.5, -1.0, 3.0], [4.0, 2.0, 3.0]] {
            let a = [1.0, 2.0, 3.0];
            let rod = between(a, b, 0.01);
            let tip = [0.0, 0.0, f64::from(rod.size[2])];
            let reached = add(rod.place.map(f64::from), rotate(rod.turn.map(f64::from), tip));
            assert!(length(sub(reached, b)) < 1e-5, "{reached:?} is not {b:?}");
        }
    }

    #[test]
    fn a_cable_that_is_not_there_yet_has_no_size() {
        let cable = CableSnapshot { points: vec![[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]], force: 1.0 };
        let all = pieces(&[vec![], vec![CableSnapshot::default(), cable]], 0.1);
        assert_eq!(all.len(), 2);
        assert!(all.iter().all(|(cable, placed)| *cable == 1 && placed[0].size == [0.0; 3]));
        assert_eq!(all[1].1[0].place, all[1].1[1].place);
        assert_eq!(all[1].1[1].size, [0.1, 0.1, 1.0]);
    }
}
