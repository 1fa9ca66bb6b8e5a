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
