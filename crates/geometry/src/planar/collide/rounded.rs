//! Contacts of two outlines with rounded corners: eight types.
//!
//! A corner is a disc (theoretical vertex C, radius R) that meets the closest part of the other outline: an arc (n
//! along the line of centres) or a side whose tangent points lie on both sides of the foot of C. Both give, with n from
//! the other outline to the corner and d the gap, the contact point C − (R + d/2) n.
//!
//! | type | contact | d |
//! |---|---|---|
//! | 1, 4, 5, 7 | vertex–vertex, circle–circle, vertex–circle, circle–vertex | \|C_B − C_A\| − R_A − R_B |
//! | 2, 8 (mirror images 3, 6) | vertex–side, circle–side | (C_A − P)·n_e − R_A |
//!
//! Two vertices meet only where n lies between the normals of the sides of each; a vertex meets a side where the normal
//! of the side is at most 0.05 rad outside of that range (arcs of obtuse corners are parts of large circles). Parallel
//! sides have two contacts, one at each end of the stretch they share. At aligned ends the corner of A on the side of
//! B, the corner of B on the side of A and the pair of corners all qualify: one contact is kept, the deeper one, and
//! the one kept before within a band of 0.05 R. Reference: mixed discrete element method, Rouxinol,
//! Providência and Lemos (2007), §4.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use crate::planar::rounded::{BAND, NearestPart, OutlinePart, RoundedOutline};
use crate::pose::Pose;
use crate::space::D2;

/// Angle by which a new contact of two vertices may leave the arcs: rounding [rad].
const ANGLE_TOLERANCE: f64 = 1e-9;

/// An outline at a place; the turn is kept as cosine and sine.
#[derive(Clone, Copy, Debug)]
pub struct PlacedOutline<'a> {
    outline: &'a RoundedOutline,
    position: DVec2,
    turn: DVec2,
}

impl<'a> PlacedOutline<'a> {
    /// At a pose.
    pub fn new(outline: &'a RoundedOutline, pose: &Pose<D2>) -> Self {
        Self::turned(outline, pose.position, DVec2::from_angle(pose.rotation))
    }

    /// At a position, turned by the angle whose cosine and sine are given.
    pub fn turned(outline: &'a RoundedOutline, position: DVec2, turn: DVec2) -> Self {
        Self { outline, position, turn }
    }

    fn out(&self, direction: DVec2) -> DVec2 {
        self.turn.rotate(direction)
    }

    fn into(&self, direction: DVec2) -> DVec2 {
        DVec2::new(self.turn.x, -self.turn.y).rotate(direction)
    }
}

/// The eight types of contact, by what the first and the second body contribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RoundedContactType {
    /// Two corners.
    VertexVertex = 1,
    /// A corner of the first on a side of the second.
    VertexSide = 2,
    /// A side of the first under a corner of the second.
    SideVertex = 3,
    /// Two discs.
    CircleCircle = 4,
    /// A corner and a disc.
    VertexCircle = 5,
    /// A side and a disc.
    SideCircle = 6,
    /// A disc and a corner.
    CircleVertex = 7,
    /// A disc and a side.
    CircleSide = 8,
}

/// Memory of one corner in contact with the other outline; a pair has one for each corner of both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CornerMemory {
    /// Part of the other outline that it was closest to.
    part: Option<OutlinePart>,
    /// It was the contact that was kept.
    kept: bool,
}

/// One contact of two outlines, candidate first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundedContact {
    /// Index of the corner among those of the candidate, then those of the antagonist.
    pub slot: usize,
    /// Part of the other outline.
    pub part: OutlinePart,
    /// > 0 apart [m].
    pub gap: f64,
    /// World axes, from the antagonist to the candidate.
    pub normal: DVec2,
    /// World position [m].
    pub point: DVec2,
    /// Where it is on the other outline, in the axes of that body: along a side [m], or the angle on an arc [rad].
    pub place: f64,
    /// Way per unit of `place`: 1 on a side, the distance of the two centres on an arc [m].
    pub way: f64,
    /// Distance from the centre of the corner to the contact point [m].
    pub arm: f64,
}

impl RoundedContact {
    /// Its type, candidate first.
    pub fn kind(&self, candidate: &RoundedOutline, antagonist: &RoundedOutline) -> RoundedContactType {
        use RoundedContactType::*;
        let of_candidate = self.slot < candidate.corners.len();
        let on_side = matches!(self.part, OutlinePart::Side(_));
        match (candidate.is_disc(), antagonist.is_disc(), on_side) {
            (true, true, _) => CircleCircle,
            (true, false, true) => CircleSide,
            (true, false, false) => CircleVertex,
            (false, true, true) => SideCircle,
            (false, true, false) => VertexCircle,
            (false, false, false) => VertexVertex,
            (false, false, true) if of_candidate => VertexSide,
            (false, false, true) => SideVertex,
        }
    }
}

/// Finds the contacts of two outlines closer than `alert` [m] and appends them to `out` in the order of their slots.
/// `memory` has one entry per corner of the candidate, then of the antagonist; new entries are empty.
pub fn meet(
    candidate: &PlacedOutline<'_>,
    antagonist: &PlacedOutline<'_>,
    alert: f64,
    memory: &mut [CornerMemory],
    out: &mut Vec<RoundedContact>,
) {
    let start = out.len();
    let own = candidate.outline.corners.len();
    // for a disc and a polygon, only the disc is a corner
    if !antagonist.outline.is_disc() || candidate.outline.is_disc() {
        corners_on(candidate, antagonist, alert, &mut memory[..own], 0, out);
    }
    if !candidate.outline.is_disc() {
        corners_on(antagonist, candidate, alert, &mut memory[own..], own, out);
    }
    keep_one_per_place(candidate.outline, antagonist.outline, memory, start, out);
    memory.iter_mut().for_each(|corner| corner.kept = false);
    out[start..].iter().for_each(|contact| memory[contact.slot].kept = true);
}

/// Corners of `of` that are close to `on`.
fn corners_on(
    of: &PlacedOutline<'_>,
    on: &PlacedOutline<'_>,
    alert: f64,
    memory: &mut [CornerMemory],
    first: usize,
    out: &mut Vec<RoundedContact>,
) {
    let shift = of.position - on.position;
    // normals point to the candidate, whose corners come first
    let sign = if first == 0 { 1.0 } else { -1.0 };
    for (i, corner) in of.outline.corners.iter().enumerate() {
        let arm = of.out(corner.centre);
        let c = on.into(shift + arm);
        let NearestPart { part, gap, normal: local } = on.outline.nearest(c, corner.radius, memory[i].part);
        memory[i].part = Some(part);
        if gap > alert || gap.is_nan() {
            memory[i].part = None;
            continue;
        }
        let normal = on.out(local);
        // an arc ends at its tangent points; parallel sides that tilt a little keep both of their ends
        let on_side = matches!(part, OutlinePart::Side(_));
        let slack = if on_side || memory[i].kept { BAND } else { ANGLE_TOLERANCE };
        if !of.outline.faces(i, of.into(-normal), slack) {
            continue;
        }
        let (place, way) = match part {
            OutlinePart::Side(side) => {
                let side = on.outline.sides[side as usize];
                (side.along.dot(c - side.start), 1.0)
            }
            OutlinePart::Corner(other) => {
                (local.to_angle(), gap + corner.radius + on.outline.corners[other as usize].radius)
            }
        };
        let lever = corner.radius + 0.5 * gap;
        let point = of.position + arm - normal * lever;
        out.push(RoundedContact { slot: first + i, part, gap, normal: normal * sign, point, place, way, arm: lever });
    }
}

/// Where a corner of each outline meets at the same place, one contact is kept.
fn keep_one_per_place(
    candidate: &RoundedOutline,
    antagonist: &RoundedOutline,
    memory: &[CornerMemory],
    start: usize,
    out: &mut Vec<RoundedContact>,
) {
    let own = candidate.corners.len();
    let mut second = start;
    while second < out.len() {
        let b = out[second];
        if b.slot < own {
            second += 1;
            continue;
        }
        let same = (start..second).find(|&first| {
            let a = out[first];
            a.slot < own && same_place(candidate, antagonist, a, b.slot - own, b.part)
        });
        let Some(first) = same else {
            second += 1;
            continue;
        };
        let a = out[first];
        let band = candidate.corners[a.slot].band.min(antagonist.corners[b.slot - own].band);
        // the one kept before stays within the band
        let lead = match (memory[a.slot].kept, memory[b.slot].kept) {
            (false, true) => -band,
            (true, false) => band,
            _ => 0.0,
        };
        // two vertices that are found from both bodies are the same contact
        let same = matches!((a.part, b.part), (OutlinePart::Corner(_), OutlinePart::Corner(_)));
        out.remove(if !same && b.gap < a.gap - lead { first } else { second });
    }
}

/// True if the contact `a` of a corner of the candidate and that of corner `b` of the antagonist on `part` of the
/// candidate are at the same end of what the outlines share.
fn same_place(
    candidate: &RoundedOutline,
    antagonist: &RoundedOutline,
    a: RoundedContact,
    b: usize,
    part: OutlinePart,
) -> bool {
    let corner = a.slot;
    // ends of a side: its start, and its end
    let start_of = |side: u16| side as usize;
    let end_of = |side: u16, outline: &RoundedOutline| (side as usize + 1) % outline.corners.len();
    match (a.part, part) {
        (OutlinePart::Corner(of_b), OutlinePart::Corner(of_a)) => of_b as usize == b && of_a as usize == corner,
        (OutlinePart::Corner(of_b), OutlinePart::Side(side)) => {
            of_b as usize == b && (start_of(side) == corner || end_of(side, candidate) == corner)
        }
        (OutlinePart::Side(side), OutlinePart::Corner(of_a)) => {
            of_a as usize == corner
                && !antagonist.corners.is_empty()
                && (start_of(side) == b || end_of(side, antagonist) == b)
        }
        // opposite sides run against each other: the start of one meets the end of the other
        (OutlinePart::Side(of_b), OutlinePart::Side(of_a)) => {
            !antagonist.corners.is_empty()
                && !candidate.corners.is_empty()
                && (start_of(of_a) == corner && end_of(of_b, antagonist) == b
                    || end_of(of_a, candidate) == corner && start_of(of_b) == b)
        }
    }
}
