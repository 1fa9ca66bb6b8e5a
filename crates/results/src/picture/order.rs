//! Which piece hides which: painter's order of convex pieces.
//!
//! Two convex pieces that do not overlap have a plane between them. The one on the viewer's side of it is never
//! hidden by the other, so it is drawn later. Planes are looked for across the line between the centres and along
//! the faces of both. Where these answers form a circle, the farther piece goes first.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::parts::Part;
use super::view::View;
use super::{Vec3, dot, length, scale, sub};

/// Indices of the pieces, the hidden ones first.
pub fn back_to_front(parts: &[&Part], view: &View) -> Vec<usize> {
    let depth: Vec<f64> = parts.iter().map(|part| view.nearness(part.centre())).collect();
    if view.dimension == 2 {
        return (0..parts.len()).collect();
    }
    // later[i]: pieces that must come after piece i
    let mut later: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
    let mut waits = vec![0usize; parts.len()];
    for (a, b) in overlapping_pairs(parts, view) {
        let (first, second) = match nearer(parts[a], parts[b], view.towards) {
            Some(Ordering::Less) => (a, b),
            Some(Ordering::Greater) => (b, a),
            _ => continue,
        };
        later[first].push(second);
        waits[second] += 1;
    }
    // pieces that wait for nobody, the farthest first
    let mut ready: BinaryHeap<Waiting> = (0..parts.len())
        .filter(|&index| waits[index] == 0)
        .map(|index| Waiting { depth: depth[index], index })
        .collect();
    let mut by_depth: Vec<usize> = (0..parts.len()).collect();
    by_depth.sort_by(|&a, &b| depth[a].total_cmp(&depth[b]).then(a.cmp(&b)));
    let mut by_depth = by_depth.into_iter();
    let mut drawn = vec![false; parts.len()];
    let mut order = Vec::with_capacity(parts.len());
    while order.len() < parts.len() {
        let next = ready.pop().map(|waiting| waiting.index).or_else(|| by_depth.by_ref().find(|&i| !drawn[i]));
        let Some(index) = next else { break };
        if std::mem::replace(&mut drawn[index], true) {
            continue;
        }
        order.push(index);
        for &other in &later[index] {
            waits[other] -= 1;
            if waits[other] == 0 && !drawn[other] {
                ready.push(Waiting { depth: depth[other], index: other });
            }
        }
    }
    order
}

/// A piece that may be drawn; the largest is the farthest.
#[derive(PartialEq)]
struct Waiting {
    depth: f64,
    index: usize,
}

impl Eq for Waiting {}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        other.depth.total_cmp(&self.depth).then(other.index.cmp(&self.index))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Pairs whose boxes on the page overlap, found by a sweep from left to right.
fn overlapping_pairs(parts: &[&Part], view: &View) -> Vec<(usize, usize)> {
    let boxes: Vec<[f64; 4]> = parts
        .iter()
        .map(|part| {
            let mut bounds = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
            for &point in &part.points {
                let [x, y] = view.page(point);
                bounds = [bounds[0].min(x), bounds[1].min(y), bounds[2].max(x), bounds[3].max(y)];
            }
            bounds
        })
        .collect();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by(|&a, &b| boxes[a][0].total_cmp(&boxes[b][0]).then(a.cmp(&b)));
    let mut open: Vec<usize> = Vec::new();
    let mut pairs = Vec::new();
    for index in order {
        let own = boxes[index];
        open.retain(|&other| boxes[other][2] > own[0]);
        for &other in &open {
            if boxes[other][1] < own[3] && own[1] < boxes[other][3] {
                pairs.push((other, index));
            }
        }
        open.push(index);
    }
    pairs
}

/// `Less` when `b` may hide `a`, `Greater` when `a` may hide `b`, `Equal` when neither can; `None` without a plane
/// between them.
fn nearer(a: &Part, b: &Part, towards: Vec3) -> Option<Ordering> {
    let between = sub(b.centre(), a.centre());
    let size = length(between);
    let straight = (size > 0.0).then(|| scale(between, 1.0 / size));
    let from_a = a.faces.iter().map(|face| face.normal);
    let from_b = b.faces.iter().map(|face| scale(face.normal, -1.0));
    let mut best: Option<(f64, Vec3)> = None;
    for normal in straight.into_iter().chain(from_a).chain(from_b) {
        // how far b is beyond a along the normal; touching bodies may overlap by a hair
        let distance = b.range(normal).0 - a.range(normal).1;
        if best.is_none_or(|(most, _)| distance > most) {
            best = Some((distance, normal));
        }
    }
    let (distance, normal) = best?;
    if distance < -1e-3 * size {
        return None;
    }
    // b is on the viewer's side: it may hide a
    Some(match dot(normal, towards) {
        x if x > 1e-9 => Ordering::Less,
        x if x < -1e-9 => Ordering::Greater,
        _ => Ordering::Equal,
    })
}

#[cfg(test)]
mod tests {
    use voussoir_mechanics::geometry::Surface;
    use voussoir_mechanics::snapshot::{BodySnapshot, Cast, CastBody, Snapshot};

    use super::super::parts;
    use super::*;

    /// A box from its corner to its opposite corner.
    fn cuboid(size: Vec3) -> Surface {
        let points = (0..8)
            .map(|i| std::array::from_fn(|axis| if i >> axis & 1 == 1 { 0.5 * size[axis] } else { -0.5 * size[axis] }))
            .collect();
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        Surface { points, polygons: faces.iter().map(|face| face.to_vec()).collect() }
    }

    fn scene(blocks: &[(Vec3, Vec3)]) -> (Cast, Snapshot) {
        let body = |size: Vec3| CastBody {
            name: String::new(),
            material: 0,
            support: false,
            mass: 1.0,
            surface: cuboid(size),
        };
        let placed = |position: Vec3| BodySnapshot { position, rotation: [0.0, 0.0, 0.0, 1.0], ..Default::default() };
        let cast = Cast {
            dimension: 3,
            bodies: blocks.iter().map(|(_, size)| body(*size)).collect(),
            materials: vec!["stone".into()],
        };
        (cast, Snapshot { bodies: blocks.iter().map(|(at, _)| placed(*at)).collect(), ..Default::default() })
    }

    fn places(blocks: &[(Vec3, Vec3)]) -> (Vec<usize>, View) {
        let (cast, snapshot) = scene(blocks);
        let endless = parts::endless(&cast, &snapshot);
        let view = View::new(&cast, &endless, &[&snapshot]);
        let all = parts::parts(&cast, &endless, &snapshot);
        let order = back_to_front(&all.iter().collect::<Vec<_>>(), &view);
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &index)| place[index] = at);
        (place, view)
    }

    #[test]
    fn neighbours_on_the_viewers_side_are_drawn_later() {
        // 4 × 3 × 5 bricks that touch
        let size = [0.5, 0.25, 0.2];
        let cell = |i: usize| [i % 4, i / 4 % 3, i / 12];
        let blocks: Vec<(Vec3, Vec3)> =
            (0..60).map(|i| (std::array::from_fn(|axis| cell(i)[axis] as f64 * size[axis]), size)).collect();
        let (place, view) = places(&blocks);
        for a in 0..60 {
            for b in 0..60 {
                for axis in 0..3 {
                    let step = |other: usize| usize::from(other == axis);
                    if (0..3).all(|k| cell(b)[k] == cell(a)[k] + step(k)) {
                        assert_eq!(place[b] > place[a], view.towards[axis] > 0.0, "{a} {b}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_long_beam_in_front_of_a_small_block_hides_it_though_its_centre_is_farther() {
        // the beam reaches far back to the right; the block stands behind its near end
        let beam = ([4.0, 0.0, 0.0], [10.0, 0.2, 1.0]);
        let block = ([-0.8, 0.4, 0.0], [0.2, 0.2, 0.2]);
        let (place, view) = places(&[beam, block]);
        assert!(view.nearness(beam.0) < view.nearness(block.0));
        assert!(place[0] > place[1]);
    }
}
