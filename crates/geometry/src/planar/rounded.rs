//! Outlines with rounded corners: straight sides between arcs that are tangent to them.
//!
//! A corner with the inner angle α is replaced by an arc tangent to its two sides at the distance t from the corner:
//! radius R = t tan(α/2), centre C (the *theoretical vertex*) at t/cos(α/2) from the corner along the bisector. A disc
//! is an outline of one arc, a thick segment has two arcs and two sides, a half-plane one side without ends. Reference:
//! Rouxinol, Providência, Lemos (2006), 5th Conf. on Structural Analysis of Historical Constructions.

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::{Shape2, Solid};

/// Largest rounding t and largest radius R, relative to the shorter side at a corner.
const LARGEST_ROUNDING: f64 = 0.45;

/// Band of hysteresis in which a contact keeps its type, relative to the radius of the corner.
pub(super) const BAND: f64 = 0.05;

/// Smallest band, relative to the size of the outline: sides with sharp corners end exactly at the corner.
const LEAST_BAND: f64 = 1e-9;

/// An arc that replaces a corner, in body axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundedCorner {
    /// Centre of the arc: the theoretical vertex [m].
    pub centre: DVec2,
    /// Radius [m].
    pub radius: f64,
    /// Band of hysteresis [m].
    pub(super) band: f64,
}

impl RoundedCorner {
    /// The arc of a disc about the centroid.
    pub fn disc(radius: f64) -> Self {
        Self { centre: DVec2::ZERO, radius, band: 0.0 }
    }
}

/// A straight side between two tangent points, in body axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundedSide {
    /// First tangent point, counter-clockwise; any point of a side without ends [m].
    pub start: DVec2,
    /// Unit vector along the side.
    pub along: DVec2,
    /// Unit outward normal.
    pub normal: DVec2,
    /// Length between the tangent points [m]; infinite for a half-plane.
    pub length: f64,
}

/// The outline of a shape with rounded corners. Side `i` leads from corner `i` to corner `i + 1`.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundedOutline {
    /// Arcs.
    pub corners: Vec<RoundedCorner>,
    /// Sides; as many as corners, but none for a disc.
    pub sides: Vec<RoundedSide>,
    /// Radius of the circle about the origin that encloses the outline [m]; infinite for a half-plane.
    pub reach: f64,
}

/// The part of an outline that a corner or a disc touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OutlinePart {
    /// A side.
    Side(u16),
    /// An arc.
    Corner(u16),
}

/// The closest part of an outline to a disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestPart {
    /// Which part.
    pub part: OutlinePart,
    /// Distance between outline and disc, > 0 apart [m].
    pub gap: f64,
    /// Unit normal out of the outline.
    pub normal: DVec2,
}

impl RoundedOutline {
    /// The outline of a convex shape whose corners are rounded at the distance `rounding` [m]; `None` for compounds.
    ///
    /// ```
    /// # use voussoir_geometry::{planar::RoundedOutline, Shape2, glam::dvec2};
    /// let square = Shape2::rectangle(dvec2(1.0, 1.0)).unwrap();
    /// let outline = RoundedOutline::new(&square, 0.02).unwrap();
    /// assert!((outline.corners[2].centre - dvec2(0.48, 0.48)).length() < 1e-15);
    /// assert!((outline.corners[2].radius - 0.02).abs() < 1e-15);
    /// ```
    pub fn new(shape: &Shape2, rounding: f64) -> Option<Self> {
        let (corners, sides) = match shape {
            Shape2::Polygon(polygon) => of_vertices(polygon.vertices(), polygon.normals(), rounding),
            Shape2::Disc(disc) => (vec![RoundedCorner { centre: disc.centre, radius: disc.radius, band: 0.0 }], vec![]),
            Shape2::Segment(segment) => {
                let along = segment.along() / segment.along().length();
                let length = segment.along().length();
                let corner = |i: usize| RoundedCorner {
                    centre: segment.ends[i],
                    radius: segment.radius,
                    band: BAND * segment.radius,
                };
                let side = |i: usize, along: DVec2| {
                    let normal = -along.perp();
                    RoundedSide { start: segment.ends[i] + normal * segment.radius, along, normal, length }
                };
                (vec![corner(0), corner(1)], vec![side(0, along), side(1, -along)])
            }
            Shape2::HalfPlane(plane) => {
                let start = plane.normal * plane.offset;
                let along = plane.normal.perp();
                (vec![], vec![RoundedSide { start, along, normal: plane.normal, length: f64::INFINITY }])
            }
            Shape2::Compound(_) => return None,
        };
        let reach = match shape {
            Shape2::HalfPlane(_) => f64::INFINITY,
            _ => corners.iter().map(|corner| corner.centre.length() + corner.radius).fold(0.0, f64::max),
        };
        Some(Self { corners, sides, reach })
    }

    /// True for a disc.
    pub fn is_disc(&self) -> bool {
        self.sides.is_empty()
    }

    /// The part of the outline closest to a disc with centre `c` (body axes) and radius `r` [m]. The part in contact
    /// before is kept within the band of hysteresis of a corner.
    pub fn nearest(&self, c: DVec2, r: f64, before: Option<OutlinePart>) -> NearestPart {
        let Some((side, height)) = self.highest_side(c, before) else { return self.at_corner(0, c, r) };
        let along = self.sides[side].along.dot(c - self.sides[side].start);
        if let Some(corner) = self.beyond(side, along, before) {
            let faced = |corner: usize| {
                let v = c - self.corners[corner].centre;
                self.faces(corner, v / v.length().max(f64::MIN_POSITIVE), BAND)
            };
            if faced(corner) {
                return self.at_corner(corner, c, r);
            }
            // arcs of obtuse corners are parts of large circles: another one may be closer than the ends of this side
            let others = (0..self.corners.len()).filter(|&other| other != corner && faced(other));
            let nearest = others.map(|other| self.at_corner(other, c, r)).max_by(|x, y| x.gap.total_cmp(&y.gap));
            if let Some(nearest) = nearest.filter(|nearest| nearest.gap > height - r) {
                return nearest;
            }
            // a centre on the inner side of the theoretical vertex is deep inside: the normal is that of the side
        }
        NearestPart { part: OutlinePart::Side(side as u16), gap: height - r, normal: self.sides[side].normal }
    }

    /// Height of a point (body axes) above the side above which it is highest [m]: its distance from the outline is not
    /// smaller. For a disc its distance from the rim.
    pub fn height(&self, c: DVec2) -> f64 {
        if self.sides.is_empty() {
            return self.corners.first().map_or(f64::INFINITY, |disc| c.distance(disc.centre) - disc.radius);
        }
        self.sides.iter().map(|side| side.normal.dot(c - side.start)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The side above which `c` is highest, and that height: the direction of least penetration.
    fn highest_side(&self, c: DVec2, before: Option<OutlinePart>) -> Option<(usize, f64)> {
        let height = |side: &RoundedSide| side.normal.dot(c - side.start);
        let mut best: Option<(usize, f64)> = None;
        for (i, side) in self.sides.iter().enumerate() {
            let h = height(side);
            if best.is_none_or(|(_, highest)| h > highest) {
                best = Some((i, h));
            }
        }
        // sides that meet at a corner: the one in contact before is kept within the band
        if let (Some((i, highest)), Some(OutlinePart::Side(kept))) = (best, before)
            && i != kept as usize
        {
            let h = height(&self.sides[kept as usize]);
            let band = self.corners.get(i).map_or(0.0, |corner| corner.band);
            if h > highest - band && h < 0.0 {
                return Some((kept as usize, h));
            }
        }
        best
    }

    /// The corner that is closest to a point at `along` from the start of a side; `None` if the side is.
    fn beyond(&self, side: usize, along: f64, before: Option<OutlinePart>) -> Option<usize> {
        let length = self.sides[side].length;
        if length.is_infinite() {
            return None;
        }
        let (first, second) = (side, (side + 1) % self.corners.len());
        let [low, high] = [first, second].map(|corner| {
            let band = self.corners[corner].band;
            match before {
                Some(OutlinePart::Side(kept)) if kept as usize == side => band,
                Some(OutlinePart::Corner(kept)) if kept as usize == corner => -band,
                _ => LEAST_BAND * self.reach,
            }
        });
        if along < -low {
            Some(first)
        } else if along > length + high {
            Some(second)
        } else {
            None
        }
    }

    fn at_corner(&self, corner: usize, c: DVec2, r: f64) -> NearestPart {
        let RoundedCorner { centre, radius, .. } = self.corners[corner];
        let v = c - centre;
        let distance = v.length();
        // concentric discs have an upward normal
        let normal = if distance > 0.0 { v / distance } else { DVec2::Y };
        NearestPart { part: OutlinePart::Corner(corner as u16), gap: distance - radius - r, normal }
    }

    /// True if the direction `n` (body axes) lies between the normals of the two sides at a corner, within `slack`
    /// [rad].
    pub(super) fn faces(&self, corner: usize, n: DVec2, slack: f64) -> bool {
        let count = self.sides.len();
        if count == 0 {
            return true;
        }
        let (before, after) = (self.sides[(corner + count - 1) % count].normal, self.sides[corner].normal);
        before.perp_dot(n) >= -slack && n.perp_dot(after) >= -slack && n.dot(before + after) > -slack
    }
}

/// Arcs and sides of a convex polygon.
fn of_vertices(vertices: &[DVec2], normals: &[DVec2], rounding: f64) -> (Vec<RoundedCorner>, Vec<RoundedSide>) {
    let count = vertices.len();
    let size = vertices.iter().map(|v| v.length()).fold(0.0, f64::max);
    let side = |i: usize| vertices[(i + 1) % count] - vertices[i % count];
    let rays = |i: usize| (-side(i + count - 1).normalize(), side(i).normalize());
    let half_angle = |i: usize| 0.5 * rays(i).0.angle_to(rays(i).1).abs();
    // distance of the tangent points of each corner; arcs of obtuse corners stay inside of the outline
    let cut = |i: usize| {
        let largest = LARGEST_ROUNDING * side(i).length().min(side(i + count - 1).length());
        rounding.min(largest).min(largest / half_angle(i).tan())
    };
    let corner = |i: usize| {
        let ((before, after), half) = (rays(i), half_angle(i));
        let t = cut(i);
        let bisector = (before + after).normalize();
        let radius = t * half.tan();
        let band = (BAND * radius).max(LEAST_BAND * size);
        RoundedCorner { centre: vertices[i] + bisector * (t / half.cos()), radius, band }
    };
    let straight = |i: usize| {
        let along = side(i) / side(i).length();
        let start = vertices[i] + along * cut(i);
        let length = side(i).length() - cut(i) - cut((i + 1) % count);
        RoundedSide { start, along, normal: normals[i], length }
    };
    ((0..count).map(corner).collect(), (0..count).map(straight).collect())
}

/// Default rounding: a fiftieth of the shortest side of the polygons among `shapes` [m].
pub fn default_rounding<'a>(shapes: impl Iterator<Item = &'a Shape2>) -> f64 {
    let shortest = |shape: &Shape2| match shape {
        Shape2::Polygon(polygon) => {
            let count = polygon.vertices().len();
            (0..count).map(|i| polygon.side(i)[0].distance(polygon.side(i)[1])).fold(f64::INFINITY, f64::min)
        }
        other => other.size(),
    };
    let least = shapes.map(shortest).fold(f64::INFINITY, f64::min);
    if least.is_finite() { 0.02 * least } else { 0.0 }
}
