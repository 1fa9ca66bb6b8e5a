//! Positions of the head joints of a course, and cutting of bricks.
//!
//! Courses are unbounded patterns about the middle of the wall: with bricks of length l, stretchers between the head
//! joints k l + o, headers between l/4 + k l/2; in Flemish bond a stretcher l and a header l/2 in turn. Neighbouring
//! courses are shifted so that their head joints are `overlap` apart in stretcher bond and l/4 in the others. Cutting a
//! course only removes head joints, so their distance never decreases.

use crate::scene::masonry::BrickBond;

/// Orientation of a brick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// Along the wall; two beside each other in walls one brick's length thick.
    Stretcher,
    /// Across the wall.
    Header,
}

/// A brick, or two beside each other: its ends at the lower and the upper bed joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BrickUnit {
    /// Left end, below and above.
    pub left: [f64; 2],
    /// Right end, below and above.
    pub right: [f64; 2],
    /// Its orientation.
    pub lie: Lie,
}

impl BrickUnit {
    /// Mean length.
    pub fn length(&self) -> f64 {
        0.5 * (self.right[0] + self.right[1] - self.left[0] - self.left[1])
    }
}

/// The pattern of a wall.
#[derive(Clone, Copy, Debug)]
pub(super) struct BondPattern {
    /// The bond.
    pub bond: BrickBond,
    /// Length of a brick [m].
    pub brick: f64,
    /// Shift of stretcher bond [m].
    pub overlap: f64,
    /// Courses of stretchers between headers (american bond).
    pub stretcher_courses: usize,
    /// Length of the wall [m].
    pub wall: f64,
}

impl BondPattern {
    /// A piece of a course between two ends, cut into bricks.
    pub fn cut(&self, course: usize, left: [f64; 2], right: [f64; 2]) -> Vec<BrickUnit> {
        let (from, to) = (0.5 * (left[0] + left[1]), 0.5 * (right[0] + right[1]));
        let (inner_from, inner_to) = (left[0].max(left[1]), right[0].min(right[1]));
        let mut units = vec![];
        let mut start = left;
        for (head, lie) in self.heads(course, from, to) {
            // head joints do not intersect sloping ends
            if head <= inner_from || head >= inner_to {
                continue;
            }
            units.push(BrickUnit { left: start, right: [head; 2], lie });
            start = [head; 2];
        }
        let lie = self.lie_at(course, 0.5 * (start[0] + to));
        units.push(BrickUnit { left: start, right, lie });
        self.tidy_ends(&mut units);
        self.join_short(units)
    }

    /// Head joints inside an interval, from left to right, each with the orientation of the brick before it.
    fn heads(&self, course: usize, from: f64, to: f64) -> Vec<(f64, Lie)> {
        let l = self.brick;
        let (period, marks): (f64, &[(f64, Lie)]) = match self.kind(course) {
            Kind::Stretchers(shift) => (l, &[(shift, Lie::Stretcher)]),
            Kind::Headers => (l / 2.0, &[(l / 4.0, Lie::Header)]),
            // a stretcher about the middle, or a header
            Kind::Both(true) => (1.5 * l, &[(l / 2.0, Lie::Stretcher), (l, Lie::Header)]),
            Kind::Both(false) => (1.5 * l, &[(l / 4.0, Lie::Header), (1.25 * l, Lie::Stretcher)]),
        };
        let (first, last) = ((from / period).floor() as i64 - 2, (to / period).ceil() as i64 + 2);
        let near = 1e-9 * l;
        (first..=last)
            .flat_map(|k| marks.iter().map(move |(mark, lie)| (mark + k as f64 * period, *lie)))
            .filter(|(head, _)| *head > from + near && *head < to - near)
            .collect()
    }

    /// Orientation of the brick at x.
    fn lie_at(&self, course: usize, x: f64) -> Lie {
        let after = self.heads(course, x, x + 2.0 * self.brick);
        after.first().map_or(Lie::Stretcher, |(_, lie)| *lie)
    }

    fn kind(&self, course: usize) -> Kind {
        // whole bricks at the ends of even courses where the length allows it
        let odd_number = (self.wall / self.brick).round() as i64 % 2 == 1;
        let phase = if odd_number { self.brick / 2.0 } else { 0.0 };
        match self.bond {
            BrickBond::Stretcher => Kind::Stretchers(phase + if course % 2 == 1 { self.overlap } else { 0.0 }),
            BrickBond::English if course.is_multiple_of(2) => Kind::Stretchers(phase),
            BrickBond::English => Kind::Headers,
            BrickBond::Flemish => Kind::Both(course.is_multiple_of(2)),
            BrickBond::American => match course % (self.stretcher_courses + 1) {
                0 => Kind::Headers,
                i => Kind::Stretchers(phase + if i % 2 == 0 { self.brick / 2.0 } else { 0.0 }),
            },
        }
    }

    /// Quarter bricks are placed beside the header at a quoin, not at the quoin.
    fn tidy_ends(&self, units: &mut [BrickUnit]) {
        let quarter = |unit: &BrickUnit| (unit.length() - self.brick / 4.0).abs() < 1e-9 * self.brick;
        let header = |unit: &BrickUnit| (unit.length() - self.brick / 2.0).abs() < 1e-9 * self.brick;
        let n = units.len();
        if n < 4 {
            return;
        }
        if quarter(&units[0]) && header(&units[1]) {
            let head = [units[0].right[0] + self.brick / 4.0; 2];
            (units[0].right, units[1].left) = (head, head);
            units[0].lie = Lie::Header;
        }
        if quarter(&units[n - 1]) && header(&units[n - 2]) {
            let head = [units[n - 1].left[0] - self.brick / 4.0; 2];
            (units[n - 1].left, units[n - 2].right) = (head, head);
            units[n - 1].lie = Lie::Header;
        }
    }

    /// Pieces shorter than a quarter of a brick become part of their shorter neighbour.
    fn join_short(&self, mut units: Vec<BrickUnit>) -> Vec<BrickUnit> {
        let least = self.brick / 4.0 * (1.0 - 1e-9);
        while units.len() > 1 {
            let Some(i) = units.iter().position(|unit| unit.length() < least) else { break };
            let length = |j: Option<usize>| j.and_then(|j| units.get(j)).map_or(f64::INFINITY, BrickUnit::length);
            let before = i.checked_sub(1);
            let left = if length(before) <= length(Some(i + 1)) { i.saturating_sub(1) } else { i };
            let gone = units.remove(left + 1);
            let lie = if gone.length() > units[left].length() { gone.lie } else { units[left].lie };
            units[left] = BrickUnit { right: gone.right, lie, ..units[left] };
        }
        units
    }
}

/// Pattern of a course.
enum Kind {
    /// Stretchers with a head joint here.
    Stretchers(f64),
    /// Headers.
    Headers,
    /// Both alternately; true with a stretcher in the middle.
    Both(bool),
}
