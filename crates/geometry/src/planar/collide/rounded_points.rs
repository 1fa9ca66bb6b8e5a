//! Contact points of shapes whose corners are rounded, for analyses that keep no memory of types of contact.
//!
//! The contacts are those of [`meet`]. Points of two parallel sides have half of the length between them each. The
//! identifier of a point has the side of the candidate that faces the antagonist and the end of the common segment of
//! both sides, not after the corner that makes the contact: at aligned ends the corners of both bodies alternate.

use glam::DVec2;

use super::Points;
use super::rounded::{CornerMemory, PlacedOutline, RoundedContact, meet};
use crate::feature::{FeatureKind, name};
use crate::planar::Shape2;
use crate::planar::rounded::{RoundedOutline, RoundedSide};
use crate::pose::Pose;
use crate::solid::ContactPoint;
use crate::space::D2;

/// Sides are parallel if the normals of their two points have at least this cosine.
const PARALLEL_COSINE: f64 = 0.98;

/// All contact points closer than `alert`; corners are rounded at the distance `rounding` [m].
pub fn collide(
    a: &Shape2,
    pose_a: &Pose<D2>,
    b: &Shape2,
    pose_b: &Pose<D2>,
    [alert, rounding]: [f64; 2],
    out: &mut Points,
) {
    let (Some(first), Some(second)) = (RoundedOutline::new(a, rounding), RoundedOutline::new(b, rounding)) else {
        return;
    };
    let apart = pose_a.position.distance(pose_b.position);
    if apart > first.reach + second.reach + alert {
        return;
    }
    let mut memory = vec![CornerMemory::default(); first.corners.len() + second.corners.len()];
    let mut found = Vec::new();
    meet(&PlacedOutline::new(&first, pose_a), &PlacedOutline::new(&second, pose_b), alert, &mut memory, &mut found);
    let area = match found[..] {
        [one, two] if one.normal.dot(two.normal) > PARALLEL_COSINE => {
            0.5 * (one.point - two.point).dot(one.normal.perp()).abs()
        }
        _ => 0.0,
    };
    for contact in &found {
        let feature = named([(&first, pose_a), (&second, pose_b)], contact);
        out.push(ContactPoint { position: contact.point, normal: contact.normal, gap: contact.gap, area, feature });
    }
}

/// A side in world axes.
struct Facing {
    index: usize,
    start: DVec2,
    along: DVec2,
    length: f64,
}

/// The side of an outline whose normal is nearest to `direction`.
fn facing((outline, pose): (&RoundedOutline, &Pose<D2>), direction: DVec2) -> Option<Facing> {
    let turn = DVec2::from_angle(pose.rotation);
    let cosine = |side: &RoundedSide| turn.rotate(side.normal).dot(direction);
    let (index, side) = outline.sides.iter().enumerate().max_by(|(_, x), (_, y)| cosine(x).total_cmp(&cosine(y)))?;
    let start = pose.position + turn.rotate(side.start);
    Some(Facing { index, start, along: turn.rotate(side.along), length: side.length })
}

/// The identifier of a contact.
fn named(bodies: [(&RoundedOutline, &Pose<D2>); 2], contact: &RoundedContact) -> u64 {
    let own = facing(bodies[0], -contact.normal);
    let other = facing(bodies[1], contact.normal);
    let kind = FeatureKind::VertexFace;
    match (own, other) {
        (Some(own), Some(other)) => {
            let reference = if own.length.is_finite() { &own } else { &other };
            let at = |point: DVec2| (point - reference.start).dot(reference.along);
            let ends = |side: &Facing| {
                let length = if side.length.is_finite() { side.length } else { 0.0 };
                [at(side.start), at(side.start + side.along * length)]
            };
            let finite: Vec<[f64; 2]> =
                [&own, &other].into_iter().filter(|side| side.length.is_finite()).map(ends).collect();
            let low = finite.iter().map(|[x, y]| x.min(*y)).fold(f64::NEG_INFINITY, f64::max);
            let high = finite.iter().map(|[x, y]| x.max(*y)).fold(f64::INFINITY, f64::min);
            let end = u32::from(at(contact.point) > 0.5 * (low + high));
            name(kind, 2 * own.index as u32 + end, other.index as u32)
        }
        // a disc has one contact
        (Some(own), None) => name(FeatureKind::RoundFace, own.index as u32, 0),
        (None, Some(other)) => name(FeatureKind::RoundFace, 0, other.index as u32),
        (None, None) => name(FeatureKind::RoundFace, 0, 0),
    }
}
