//! Contact lists: pairs of bodies that may touch before the next detection, with the memory of their contacts.
//!
//! Lists have all pairs closer than twice the margin. They are rebuilt when a body has travelled farther than the margin
//! since the last detection, so no contact is missed. Pairs of discs have one contact each and a list of their own; all
//! others have one slot for each corner of the two outlines (see [`voussoir_geometry::planar::meet`]), and one more for
//! the middle point of a joint. Lists are sorted by candidate and antagonist: sums of forces do not depend on the history.

use voussoir_geometry::cell_grid::{Circle, close_pairs};
use voussoir_geometry::glam::DVec2;
use voussoir_geometry::planar::{CornerMemory, OutlinePart, RoundedOutline};
use voussoir_geometry::{Aabb, BroadPhase, D2, Pose, Solid};

use super::arrays::Arrays;
use super::discs::Parts;
use super::law::Laws;
use crate::model::{Model, Role};

/// Default margin, relative to the smallest disc diameter or shortest block side.
pub(super) const MARGIN: f64 = 0.02;

/// A pair of discs.
#[derive(Clone, Copy, Debug)]
pub(super) struct DiscPair {
    /// Candidate.
    pub a: u32,
    /// Antagonist.
    pub b: u32,
    /// Index of the law.
    pub law: u32,
    /// The contact slid in the last step.
    pub slid: bool,
    /// Elastic slip along the tangent [m].
    pub elastic: f64,
    /// Sliding distance [m].
    pub way: f64,
}

/// A pair with an outline.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutlinePair {
    /// Candidate.
    pub a: u32,
    /// Antagonist.
    pub b: u32,
    /// Index of the law.
    pub law: u32,
    /// First slot.
    pub first: u32,
    /// Number of slots.
    pub slots: u32,
    /// Length of a point if it is the same in every step [m]; zero: half of the shared stretch.
    pub fixed: f64,
    /// Smallest length of a point [m].
    pub least: f64,
    /// One of the two is a disc.
    pub round: bool,
}

/// Memory of one corner of a pair with an outline.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    /// Carried force in the last step.
    pub on: bool,
    /// The contact slid in the last step.
    pub slid: bool,
    /// Elastic slip along the tangent [m].
    pub elastic: f64,
    /// Sliding distance [m].
    pub way: f64,
    /// Part of the other outline that was touched in the last step.
    pub part: Option<OutlinePart>,
    /// Position on this part.
    pub place: f64,
    /// Angle between the two bodies at the last step [rad].
    pub turn: f64,
    /// Contact point at the last step [m].
    pub point: [f64; 2],
}

/// All lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    /// Sorted by candidate and antagonist.
    pub discs: Vec<DiscPair>,
    /// Division of the pairs of discs.
    pub parts: Parts,
    /// Sorted by candidate and antagonist.
    pub outlines: Vec<OutlinePair>,
    /// Slots of the outline pairs.
    pub slots: Vec<Slot>,
    /// Memory of the corners, one per slot.
    pub corners: Vec<CornerMemory>,
}

/// Candidate and antagonist of two bodies: the free one first, of two free ones the smaller index.
pub(super) fn ordered(model: &Model<D2>, arrays: &Arrays, i: usize, j: usize) -> (usize, usize) {
    let was_free = |body: usize| model.bodies[body].role == Role::Free;
    match (arrays.free[i], arrays.free[j]) {
        (false, _) => (j, i),
        (true, true) if was_free(j) && !was_free(i) => (j, i),
        _ => (i, j),
    }
}

/// Slots of a pair: one per corner, and one for the middle of a joint.
pub(super) fn slots_of(a: Option<&RoundedOutline>, b: Option<&RoundedOutline>) -> usize {
    let corners = |outline: Option<&RoundedOutline>| outline.map_or(1, |outline| outline.corners.len());
    corners(a) + corners(b) + 1
}

/// Pairs of bodies closer than `gap` at the present positions, sorted: discs, and pairs with an outline.
pub(super) fn find_pairs(model: &Model<D2>, arrays: &Arrays, gap: f64) -> [Vec<(u32, u32)>; 2] {
    let meets = |i: usize, j: usize| {
        (arrays.free[i] || arrays.free[j]) && !model.joints.ignores(model.bodies[i].material, model.bodies[j].material)
    };
    let sort = |pairs: Vec<(u32, u32)>| {
        let mut sorted: Vec<(u32, u32)> = pairs
            .into_iter()
            .filter(|&(i, j)| meets(i as usize, j as usize))
            .map(|(i, j)| ordered(model, arrays, i as usize, j as usize))
            .map(|(a, b)| (a as u32, b as u32))
            .collect();
        sorted.sort_unstable();
        sorted
    };
    let is_disc = |i: usize| arrays.outline(i).is_none();
    let discs: Vec<u32> =
        (0..arrays.pos.len() as u32).filter(|&i| arrays.there[i as usize] && is_disc(i as usize)).collect();
    let circles: Vec<Circle> = discs
        .iter()
        .map(|&i| Circle { centre: arrays.centre(i as usize), radius: arrays.pos[i as usize][2] })
        .collect();
    let mut found = Vec::new();
    let width = model.joints.thickest();
    close_pairs(&circles, gap + width, &mut found);
    let round = found.into_iter().map(|(i, j)| (discs[i as usize], discs[j as usize])).collect();
    // groups: absent, disc, outline
    let bounds: Vec<Aabb<D2>> = (0..arrays.pos.len())
        .map(|i| {
            let pose = Pose { position: arrays.centre(i), rotation: arrays.pos[i][3] };
            model.bodies[i].shape.bounds(&pose).grown(0.5 * (gap + width))
        })
        .collect();
    let group = |i: usize| match (arrays.there[i], is_disc(i)) {
        (false, _) => 0,
        (true, true) => 1,
        (true, false) => 2,
    };
    let groups = (0..arrays.pos.len()).map(group).collect();
    let mut broad = BroadPhase::new();
    let near = broad.pairs_of_groups(&bounds, groups, 3, |a, b| a.min(b) > 0 && a.max(b) == 2);
    let close = |&(i, j): &(u32, u32)| {
        let (i, j) = (i as usize, j as usize);
        let between = arrays.centre(i) - arrays.centre(j);
        let apart = |(outline, turn): (&RoundedOutline, DVec2), from_body: DVec2, other: usize| {
            is_disc(other)
                && outline.height(DVec2::new(turn.x, -turn.y).rotate(from_body)) > arrays.reach(other) + gap + width
        };
        bounds[i].overlaps(&bounds[j])
            && between.length() <= arrays.reach(i) + arrays.reach(j) + gap + width
            && !arrays.turned(i).is_some_and(|outline| apart(outline, -between, j))
            && !arrays.turned(j).is_some_and(|outline| apart(outline, between, i))
    };
    let others = near.iter().copied().filter(close).collect();
    [sort(round), sort(others)]
}

impl Lists {
    /// Lists of the present positions that keep the memory of these lists.
    pub fn rebuilt(
        &self,
        model: &Model<D2>,
        arrays: &Arrays,
        laws: &Laws,
        gap: f64,
        lengths: &dyn Fn(u32, u32) -> [f64; 2],
    ) -> Self {
        let [round, others] = find_pairs(model, arrays, gap);
        let law = |a: u32, b: u32| laws.index(model.bodies[a as usize].material, model.bodies[b as usize].material);
        let mut old = self.discs.iter().peekable();
        let discs = round.into_iter().map(|(a, b)| {
            while old.next_if(|pair| (pair.a, pair.b) < (a, b)).is_some() {}
            let known = old.next_if(|pair| (pair.a, pair.b) == (a, b)).copied();
            known.unwrap_or(DiscPair { a, b, law: law(a, b), slid: false, elastic: 0.0, way: 0.0 })
        });
        let discs: Vec<DiscPair> = discs.collect();
        let mut new = Self { parts: Parts::new(&discs, arrays.pos.len()), discs, ..Self::default() };
        let mut old = self.outlines.iter().peekable();
        for (a, b) in others {
            while old.next_if(|pair| (pair.a, pair.b) < (a, b)).is_some() {}
            let first = new.slots.len();
            match old.next_if(|pair| (pair.a, pair.b) == (a, b)) {
                Some(known) => {
                    let range = known.first as usize..(known.first + known.slots) as usize;
                    new.slots.extend_from_slice(&self.slots[range.clone()]);
                    new.corners.extend_from_slice(&self.corners[range]);
                }
                None => {
                    let slots = slots_of(arrays.outline(a as usize), arrays.outline(b as usize));
                    new.slots.resize(first + slots, Slot::default());
                    new.corners.resize(first + slots, CornerMemory::default());
                }
            }
            let round = arrays.outline(a as usize).is_none() || arrays.outline(b as usize).is_none();
            let [fixed, least] = lengths(a, b);
            let slots = (new.slots.len() - first) as u32;
            new.outlines.push(OutlinePair { a, b, law: law(a, b), first: first as u32, slots, fixed, least, round });
        }
        new
    }
}
