//! Thick lines with round ends: all points within a radius of a segment.

use glam::DVec2;

use crate::pose::Pose;
use crate::solid::MassProperties;
use crate::space::D2;

/// Sides of the polygon that stands for a round end in pictures.
const CAP_SIDES: usize = 12;

/// A thick line with round ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Centres of the round ends, in the shape's axes [m].
    pub ends: [DVec2; 2],
    /// Half of the thickness [m].
    pub radius: f64,
}

impl Segment {
    /// From end to end.
    pub fn along(&self) -> DVec2 {
        self.ends[1] - self.ends[0]
    }

    /// Moved and turned.
    pub fn moved(&self, pose: &Pose<D2>) -> Self {
        Self { ends: self.ends.map(|end| pose.point(end)), ..*self }
    }

    /// Place of the closest point of the middle line to `p`, 0 … 1.
    pub fn closest(&self, p: DVec2) -> f64 {
        let along = self.along();
        (along.dot(p - self.ends[0]) / along.length_squared()).clamp(0.0, 1.0)
    }

    /// The point of the middle line at `t`.
    pub fn at(&self, t: f64) -> DVec2 {
        self.ends[0] + self.along() * t
    }

    /// Area, centroid, polar moment: a rectangle and two half discs.
    pub fn mass_properties(&self) -> MassProperties<D2> {
        let (length, r) = (self.along().length(), self.radius);
        let (rectangle, disc) = (2.0 * r * length, std::f64::consts::PI * r * r);
        // the half discs' centroids lie 4r/3π beyond the ends; about the middle of the segment
        let beyond = 4.0 * r / (3.0 * std::f64::consts::PI);
        let own = disc * (0.5 * r * r - beyond * beyond);
        let apart = 0.5 * length + beyond;
        let inertia = rectangle * (length * length + 4.0 * r * r) / 12.0 + own + disc * apart * apart;
        MassProperties { volume: rectangle + disc, centroid: self.ends[0].midpoint(self.ends[1]), inertia }
    }

    /// Outline for pictures, counter-clockwise.
    pub fn outline(&self) -> Vec<DVec2> {
        let quarter = std::f64::consts::FRAC_PI_2;
        let heading = self.along().to_angle();
        let cap = |centre: DVec2, middle: f64| {
            let at = move |i: usize| middle - quarter + 2.0 * quarter * i as f64 / CAP_SIDES as f64;
            (0..=CAP_SIDES).map(move |i| centre + self.radius * DVec2::from_angle(at(i)))
        };
        cap(self.ends[1], heading).chain(cap(self.ends[0], heading + 2.0 * quarter)).collect()
    }
}
