//! Hidden surfaces for vector drawings: the painting order of convex faces.
//!
//! Where two faces overlap on the page, the nearer one is painted later; a topological sort gives the order of all.
//! Intersecting faces are cut along their line of intersection, and faces that hide each other cyclically are cut along
//! each other's planes until no cycle is left. The result equals that of a depth buffer.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::depth::plane;
use crate::vector::Vec3;

/// Smaller overlaps are rounding errors [px²].
const SMALLEST_OVERLAP: f64 = 0.02;
/// Smaller differences of nearness are rounding errors [px].
const SMALLEST_STEP: f64 = 0.02;

/// A convex face on the page, or a part of one.
#[derive(Clone, Debug)]
pub(super) struct FacePiece {
    /// Index of the face.
    pub face: usize,
    /// Page coordinates and nearness of the corners [px].
    pub points: Vec<Vec3>,
    /// Which of the edges, from each corner to the next, are drawn.
    pub creases: Vec<bool>,
    /// Centre and radius of a sphere, which is never cut.
    pub ball: Option<(Vec3, f64)>,
}

/// Puts pieces in the order in which they are painted; some are cut.
pub fn back_to_front(pieces: Vec<FacePiece>) -> Vec<FacePiece> {
    let mut sorter = Sorter::default();
    for piece in pieces {
        sorter.add(piece);
    }
    sorter.cut_crossings();
    for (a, b) in sorter.overlapping_boxes() {
        sorter.link(a, b);
    }
    sorter.sort()
}

/// Relation of two pieces.
#[derive(Debug, PartialEq)]
enum Relation {
    /// Neither hides the other.
    Apart,
    /// The first is painted before the second.
    Before,
    /// The first is painted after the second.
    After,
    /// They intersect.
    Crossing,
}

#[derive(Debug, Default)]
struct Sorter {
    pieces: Vec<FacePiece>,
    planes: Vec<Vec3>,
    /// Least x, least y, most x, most y.
    boxes: Vec<[f64; 4]>,
    /// Mean nearness.
    depth: Vec<f64>,
    /// Pieces that are painted after this piece, and before it.
    later: Vec<Vec<usize>>,
    earlier: Vec<Vec<usize>>,
    /// Number of earlier pieces that are not yet painted.
    waits: Vec<usize>,
    /// Painted, or replaced by its parts.
    done: Vec<bool>,
}

/// A piece that can be painted; the largest is the farthest.
#[derive(PartialEq)]
struct Ready {
    depth: f64,
    index: usize,
}

impl Eq for Ready {}

impl Ord for Ready {
    fn cmp(&self, other: &Self) -> Ordering {
        other.depth.total_cmp(&self.depth).then(other.index.cmp(&self.index))
    }
}

impl PartialOrd for Ready {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Sorter {
    /// Adds a piece; a piece that is seen edge-on is omitted.
    fn add(&mut self, piece: FacePiece) -> Option<usize> {
        let plane = plane(&piece.points)?;
        let mut bounds = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
        for point in &piece.points {
            bounds =
                [bounds[0].min(point[0]), bounds[1].min(point[1]), bounds[2].max(point[0]), bounds[3].max(point[1])];
        }
        self.depth.push(piece.points.iter().map(|p| p[2]).sum::<f64>() / piece.points.len() as f64);
        self.planes.push(plane);
        self.boxes.push(bounds);
        self.pieces.push(piece);
        self.later.push(Vec::new());
        self.earlier.push(Vec::new());
        self.waits.push(0);
        self.done.push(false);
        Some(self.pieces.len() - 1)
    }

    fn relation(&self, a: usize, b: usize) -> Relation {
        if let (Some((p, r)), Some((q, s))) = (self.pieces[a].ball, self.pieces[b].ball) {
            // two spheres: the farther centre first
            let apart = (p[0] - q[0]).hypot(p[1] - q[1]) >= r + s;
            return match p[2].total_cmp(&q[2]) {
                _ if apart => Relation::Apart,
                Ordering::Less => Relation::Before,
                Ordering::Equal => Relation::Apart,
                Ordering::Greater => Relation::After,
            };
        }
        let overlap = intersection(&self.pieces[a].points, &self.pieces[b].points);
        if overlap.len() < 3 || area(&overlap).abs() < SMALLEST_OVERLAP {
            return Relation::Apart;
        }
        let [p, q] = [self.planes[a], self.planes[b]];
        let difference = |[x, y]: [f64; 2]| (p[0] - q[0]) + (p[1] - q[1]) * x + (p[2] - q[2]) * y;
        let (low, high) = overlap.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &point| {
            let d = difference(point);
            (low.min(d), high.max(d))
        });
        let round = self.pieces[a].ball.is_some() || self.pieces[b].ball.is_some();
        if low < -SMALLEST_STEP && high > SMALLEST_STEP && !round {
            Relation::Crossing
        } else if low.abs().max(high.abs()) <= SMALLEST_STEP {
            Relation::Apart
        } else if -low > high {
            Relation::Before
        } else {
            Relation::After
        }
    }

    /// Stores which of two pieces is painted first.
    fn link(&mut self, a: usize, b: usize) {
        let (first, second) = match self.relation(a, b) {
            Relation::Before => (a, b),
            Relation::After => (b, a),
            Relation::Apart => return,
            // pieces that were not cut: the farther one first
            Relation::Crossing if self.depth[a] < self.depth[b] => (a, b),
            Relation::Crossing => (b, a),
        };
        self.later[first].push(second);
        self.earlier[second].push(first);
        self.waits[second] += 1;
    }

    /// Pairs whose boxes overlap, found by a sweep from left to right.
    fn overlapping_boxes(&self) -> Vec<(usize, usize)> {
        let mut order: Vec<usize> = (0..self.pieces.len()).filter(|&i| !self.done[i]).collect();
        order.sort_by(|&a, &b| self.boxes[a][0].total_cmp(&self.boxes[b][0]).then(a.cmp(&b)));
        let mut open: Vec<usize> = Vec::new();
        let mut pairs = Vec::new();
        for index in order {
            let own = self.boxes[index];
            open.retain(|&other| self.boxes[other][2] > own[0]);
            for &other in &open {
                if self.boxes[other][1] < own[3] && own[1] < self.boxes[other][3] {
                    pairs.push((other, index));
                }
            }
            open.push(index);
        }
        pairs
    }

    /// Cuts intersecting pieces until none are left.
    fn cut_crossings(&mut self) {
        for _ in 0..4 {
            let mut cuts: Vec<(usize, usize)> = Vec::new();
            for (a, b) in self.overlapping_boxes() {
                if self.relation(a, b) == Relation::Crossing {
                    cuts.push((a, b));
                }
            }
            if cuts.is_empty() {
                return;
            }
            cuts.sort_unstable();
            for group in cuts.chunk_by(|x, y| x.0 == y.0) {
                let whole = group[0].0;
                let mut parts = vec![self.pieces[whole].clone()];
                for &(_, other) in group {
                    let line = self.line_between(whole, other);
                    parts = parts.into_iter().flat_map(|part| cut(part, line)).collect();
                }
                if parts.len() > 1 {
                    self.done[whole] = true;
                    for part in parts {
                        self.add(part);
                    }
                }
            }
        }
    }

    /// Where two planes meet: the page coordinates at which `c₀ + c₁ x + c₂ y` is zero; positive where the first is
    /// nearer.
    fn line_between(&self, a: usize, b: usize) -> Vec3 {
        std::array::from_fn(|k| self.planes[a][k] - self.planes[b][k])
    }

    fn sort(mut self) -> Vec<FacePiece> {
        let mut ready: BinaryHeap<Ready> = (0..self.pieces.len())
            .filter(|&index| !self.done[index] && self.waits[index] == 0)
            .map(|index| Ready { depth: self.depth[index], index })
            .collect();
        let mut left = self.done.iter().filter(|done| !**done).count();
        let mut cuts_left = 2 * self.pieces.len() + 100;
        let mut order = Vec::with_capacity(self.pieces.len());
        while left > 0 {
            let index = match ready.pop() {
                Some(Ready { index, .. }) => index,
                // a cycle: cut one of its pieces or, if that fails, paint the farthest
                None => {
                    let waiting = (0..self.pieces.len()).filter(|&i| !self.done[i]);
                    let Some(farthest) = waiting.min_by(|&a, &b| self.depth[a].total_cmp(&self.depth[b])) else {
                        break;
                    };
                    if cuts_left > 0
                        && let Some(added) = self.cut_circle(farthest)
                    {
                        cuts_left -= 1;
                        left += added - 1;
                        let free = (0..self.pieces.len()).filter(|&i| !self.done[i] && self.waits[i] == 0);
                        ready.extend(free.map(|index| Ready { depth: self.depth[index], index }));
                        continue;
                    }
                    farthest
                }
            };
            if std::mem::replace(&mut self.done[index], true) {
                continue;
            }
            left -= 1;
            order.push(index);
            for other in std::mem::take(&mut self.later[index]) {
                self.waits[other] -= 1;
                if self.waits[other] == 0 && !self.done[other] {
                    ready.push(Ready { depth: self.depth[other], index: other });
                }
            }
        }
        let mut pieces: Vec<Option<FacePiece>> = self.pieces.into_iter().map(Some).collect();
        order.into_iter().filter_map(|index| pieces[index].take()).collect()
    }

    /// A cycle of pieces, each waiting for the next.
    fn circle(&self, start: usize) -> Vec<usize> {
        let mut way = vec![start];
        loop {
            let here = way[way.len() - 1];
            let Some(&next) = self.earlier[here].iter().find(|&&other| !self.done[other]) else { return Vec::new() };
            if let Some(first) = way.iter().position(|&piece| piece == next) {
                return way.split_off(first);
            }
            way.push(next);
        }
    }

    /// Replaces a piece of a cycle by two, cut along the plane of its neighbour; returns the number of parts.
    fn cut_circle(&mut self, start: usize) -> Option<usize> {
        let circle = self.circle(start);
        let pairs = (0..circle.len()).map(|i| (circle[i], circle[(i + 1) % circle.len()]));
        let (index, parts) = pairs.flat_map(|(a, b)| [(a, b), (b, a)]).find_map(|(index, other)| {
            let parts = cut(self.pieces[index].clone(), self.line_between(index, other));
            (parts.len() == 2).then_some((index, parts))
        })?;
        self.done[index] = true;
        let before: Vec<usize> = self.earlier[index].iter().copied().filter(|&other| !self.done[other]).collect();
        let after = std::mem::take(&mut self.later[index]);
        for &other in &after {
            self.waits[other] -= 1;
        }
        let neighbours: Vec<usize> = before.into_iter().chain(after).filter(|&other| !self.done[other]).collect();
        let added: Vec<usize> = parts.into_iter().filter_map(|part| self.add(part)).collect();
        for &part in &added {
            for &other in &neighbours {
                self.link(part, other);
            }
        }
        Some(added.len())
    }
}

/// The parts of a piece on both sides of the line `c₀ + c₁ x + c₂ y` = 0; one when the line misses it.
fn cut(piece: FacePiece, line: Vec3) -> Vec<FacePiece> {
    let slope = line[1].hypot(line[2]);
    if piece.ball.is_some() || slope == 0.0 || !slope.is_finite() {
        return vec![piece];
    }
    let side = |p: &Vec3| (line[0] + line[1] * p[0] + line[2] * p[1]) / slope;
    // slivers of less than a hundredth of a pixel are not cut
    let reach = |sign: f64| piece.points.iter().map(|p| sign * side(p)).fold(0.0, f64::max);
    if reach(1.0) < 0.01 || reach(-1.0) < 0.01 {
        return vec![piece];
    }
    [1.0, -1.0].map(|sign| keep(&piece, |p| sign * side(p))).into()
}

/// The part of a piece where `side` is not negative.
fn keep(piece: &FacePiece, side: impl Fn(&Vec3) -> f64) -> FacePiece {
    let (mut points, mut creases) = (Vec::new(), Vec::new());
    let count = piece.points.len();
    for i in 0..count {
        let (a, b) = (piece.points[i], piece.points[(i + 1) % count]);
        let (at_a, at_b) = (side(&a), side(&b));
        if at_a >= 0.0 {
            points.push(a);
            creases.push(piece.creases[i]);
        }
        if (at_a >= 0.0) != (at_b >= 0.0) {
            let t = at_a / (at_a - at_b);
            points.push(std::array::from_fn(|k| a[k] + t * (b[k] - a[k])));
            // out of the part the new edge follows, into it the old one goes on
            creases.push(at_a < 0.0 && piece.creases[i]);
        }
    }
    FacePiece { face: piece.face, points, creases, ball: None }
}

/// Twice the signed area is Σ x × y; this is the area.
fn area(outline: &[[f64; 2]]) -> f64 {
    let count = outline.len();
    let twice: f64 = (0..count)
        .map(|i| {
            let (a, b) = (outline[i], outline[(i + 1) % count]);
            a[0] * b[1] - a[1] * b[0]
        })
        .sum();
    0.5 * twice
}

/// The overlap of two convex outlines on the page.
fn intersection(a: &[Vec3], b: &[Vec3]) -> Vec<[f64; 2]> {
    let flat = |points: &[Vec3]| -> Vec<[f64; 2]> { points.iter().map(|p| [p[0], p[1]]).collect() };
    let (mut shared, window) = (flat(a), flat(b));
    let turn = area(&window).signum();
    for (i, &from) in window.iter().enumerate() {
        let to = window[(i + 1) % window.len()];
        let side = |p: [f64; 2]| turn * ((to[0] - from[0]) * (p[1] - from[1]) - (to[1] - from[1]) * (p[0] - from[0]));
        let mut kept = Vec::with_capacity(shared.len() + 1);
        for (j, &p) in shared.iter().enumerate() {
            let q = shared[(j + 1) % shared.len()];
            let (at_p, at_q) = (side(p), side(q));
            if at_p >= 0.0 {
                kept.push(p);
            }
            if (at_p >= 0.0) != (at_q >= 0.0) {
                let t = at_p / (at_p - at_q);
                kept.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]);
            }
        }
        shared = kept;
        if shared.len() < 3 {
            return Vec::new();
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::depth::{DepthBuffer, SampledShape};
    use super::*;
    use crate::vector::{add, cross, rotate, scale, sub};

    const SIZE: f64 = 120.0;

    /// Faces of a box that are turned to the viewer, on the page.
    fn cuboid(centre: Vec3, half: Vec3, rotation: [f64; 4]) -> Vec<Vec<Vec3>> {
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let corner = |i: usize| {
            let local = std::array::from_fn(|k| if i >> k & 1 == 1 { half[k] } else { -half[k] });
            add(centre, rotate(rotation, local))
        };
        let faces = quads.map(|quad| quad.map(corner).to_vec());
        let seen = |f: &Vec<Vec3>| cross(sub(f[1], f[0]), sub(f[2], f[1]))[2] > 1.0;
        faces.into_iter().filter(seen).collect()
    }

    /// Part of the samples at which painting in order shows another face than a depth buffer does.
    fn wrong(polygons: &[Vec<Vec3>]) -> f64 {
        let shapes = |all: &[Vec<Vec3>]| {
            DepthBuffer::new([SIZE, SIZE], 1.0, all.iter().map(|polygon| SampledShape::Polygon(polygon)))
        };
        let buffer = shapes(polygons);
        let pieces = polygons.iter().enumerate().map(|(face, points)| FacePiece {
            face,
            points: points.clone(),
            creases: vec![true; points.len()],
            ball: None,
        });
        let order = back_to_front(pieces.collect());
        // nearness by order, the same over a whole piece
        let flat: Vec<Vec<Vec3>> = order
            .iter()
            .enumerate()
            .map(|(i, piece)| piece.points.iter().map(|p| [p[0], p[1], i as f64]).collect())
            .collect();
        let painted = shapes(&flat);
        let face = |i: u32| order.get(i as usize).map_or(u32::MAX, |piece| piece.face as u32);
        let differ = painted.nearest.iter().zip(&buffer.nearest).filter(|(p, b)| face(**p) != **b).count();
        differ as f64 / (SIZE * SIZE)
    }

    fn turned(axis: Vec3, angle: f64) -> [f64; 4] {
        let axis = scale(axis, (0.5 * angle).sin() / crate::vector::length(axis).max(1e-9));
        [axis[0], axis[1], axis[2], (0.5 * angle).cos()]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn boxes_in_any_position_are_painted_as_a_depth_buffer_shows_them(
            boxes in prop::collection::vec(
                (prop::array::uniform3(30.0..90.0f64), prop::array::uniform3(4.0..30.0f64),
                 prop::array::uniform3(-1.0..1.0f64), 0.1..3.0f64),
                2..9,
            )
        ) {
            // some of them intersect
            let polygons: Vec<Vec<Vec3>> = boxes.iter()
                .flat_map(|(centre, half, axis, angle)| cuboid(*centre, *half, turned(*axis, *angle)))
                .collect();
            let wrong = wrong(&polygons);
            prop_assert!(wrong < 2e-3, "{} of the samples", wrong);
        }
    }

    #[test]
    fn beams_that_hide_each_other_in_a_circle_are_cut() {
        // each lies on the next
        let beam = |angle: f64| {
            let out = rotate(turned([0.0, 0.0, 1.0], angle), [0.0, 18.0, 0.0]);
            let tilt = turned(rotate(turned([0.0, 0.0, 1.0], angle), [0.0, 1.0, 0.0]), 0.25);
            let spin = turned([0.0, 0.0, 1.0], angle);
            // tilt · spin
            let [a, b] = [tilt, spin];
            let (u, v) = ([a[0], a[1], a[2]], [b[0], b[1], b[2]]);
            let w = a[3] * b[3] - (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]);
            let xyz = add(cross(u, v), add(scale(v, a[3]), scale(u, b[3])));
            cuboid(add([60.0, 60.0, 0.0], out), [45.0, 5.0, 1.0], [xyz[0], xyz[1], xyz[2], w])
        };
        let polygons: Vec<Vec<Vec3>> = (0..3).flat_map(|i| beam(f64::from(i) * std::f64::consts::TAU / 3.0)).collect();
        assert!(wrong(&polygons) < 1e-3);
        let pieces: Vec<FacePiece> = polygons
            .iter()
            .enumerate()
            .map(|(face, points)| FacePiece {
                face,
                points: points.clone(),
                creases: vec![true; points.len()],
                ball: None,
            })
            .collect();
        assert!(back_to_front(pieces).len() > polygons.len());
    }

    #[test]
    fn a_cut_keeps_the_area_and_draws_no_edge() {
        let square: Vec<Vec3> = vec![[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [10.0, 10.0, 0.0], [0.0, 10.0, 0.0]];
        let piece = FacePiece { face: 0, points: square, creases: vec![true; 4], ball: None };
        let parts = cut(piece, [-4.0, 1.0, 0.0]);
        let areas: Vec<f64> =
            parts.iter().map(|p| area(&p.points.iter().map(|q| [q[0], q[1]]).collect::<Vec<_>>())).collect();
        assert_eq!(areas, [60.0, 40.0]);
        for part in parts {
            assert_eq!(part.creases.iter().filter(|crease| !**crease).count(), 1);
            for (i, &crease) in part.creases.iter().enumerate() {
                let (a, b) = (part.points[i], part.points[(i + 1) % part.points.len()]);
                assert_eq!(crease, !(a[0] == 4.0 && b[0] == 4.0));
            }
        }
    }
}
