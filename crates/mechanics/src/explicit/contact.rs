//! Geometry of the contacts of one pair with an outline, and the lengths of their points.

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::planar::{CornerMemory, PlacedOutline, RoundedContact, RoundedCorner, RoundedOutline, meet};

use super::arrays::Arrays;
use super::law::PointLaw;
use super::lists::OutlinePair;
use crate::joints::elastic::Influence;

/// Points of one joint lie on sides whose normals have at least this cosine.
const SAME_WAY: f64 = 0.98;

/// Working space for pairs with an outline.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    /// Contacts of the present pair.
    pub contacts: Vec<RoundedContact>,
    /// Length of each of them [m].
    pub lengths: Vec<f64>,
    /// Outlines used for discs: candidate and antagonist.
    discs: [RoundedOutline; 2],
}

impl Scratch {
    pub fn new() -> Self {
        let disc = RoundedOutline { corners: vec![RoundedCorner::disc(0.0)], sides: Vec::new(), reach: 0.0 };
        Self { contacts: Vec::new(), lengths: Vec::new(), discs: [disc.clone(), disc] }
    }

    /// Contacts of a pair up to the distance `alert`, and their lengths. A joint of three points has the middle one last.
    pub fn meet(
        &mut self,
        arrays: &Arrays,
        pair: &OutlinePair,
        law: &PointLaw,
        corners: &mut [CornerMemory],
        alert: f64,
        points: u8,
    ) {
        self.contacts.clear();
        self.lengths.clear();
        let (a, b) = (pair.a as usize, pair.b as usize);
        let [disc_a, disc_b] = &mut self.discs;
        for (body, disc) in [(a, &mut *disc_a), (b, &mut *disc_b)] {
            let radius = arrays.pos[body][2];
            if disc.corners[0].radius != radius {
                (disc.corners[0], disc.reach) = (RoundedCorner::disc(radius), radius);
            }
        }
        // the outline of a disc does not rotate: the rotation of a disc has no effect on its contacts
        let turn = |body: usize| arrays.turned(body).map_or(DVec2::X, |(_, turn)| turn);
        let (turn_a, turn_b) = (turn(a), turn(b));
        let candidate = PlacedOutline::turned(arrays.outline(a).unwrap_or(disc_a), arrays.centre(a), turn_a);
        let antagonist = PlacedOutline::turned(arrays.outline(b).unwrap_or(disc_b), arrays.centre(b), turn_b);
        let count = corners.len() - 1;
        meet(&candidate, &antagonist, alert + law.width, &mut corners[..count], &mut self.contacts);
        self.contacts.iter_mut().for_each(|contact| contact.gap -= law.width);
        self.share(pair, law, points, count);
    }

    /// Lengths of the points; two points on parallel sides are the ends of a joint.
    fn share(&mut self, pair: &OutlinePair, law: &PointLaw, points: u8, middle: usize) {
        let joint = match self.contacts[..] {
            [first, second] if first.normal.dot(second.normal) > SAME_WAY && !pair.round => Some((first, second)),
            _ => None,
        };
        let tangent = |n: DVec2| DVec2::new(n.y, -n.x);
        let half = joint.map(|(first, second)| 0.5 * (first.point - second.point).dot(tangent(first.normal)).abs());
        let length = match law.between {
            _ if pair.round => law.round,
            Influence::Length(length) => length,
            Influence::Standard if pair.fixed > 0.0 => pair.fixed,
            Influence::Standard | Influence::Varying { .. } => half.unwrap_or(0.0).max(pair.least),
        };
        self.lengths.extend(self.contacts.iter().map(|_| length));
        if let (3, Some((first, second))) = (points, joint) {
            // Simpson's weights on the stretch of two lengths
            self.lengths.clear();
            self.lengths.extend([length / 3.0, length / 3.0, 4.0 * length / 3.0]);
            self.contacts.push(RoundedContact {
                slot: middle,
                gap: 0.5 * (first.gap + second.gap),
                point: first.point.midpoint(second.point),
                place: 0.5 * (first.place + second.place),
                ..first
            });
        }
    }
}
