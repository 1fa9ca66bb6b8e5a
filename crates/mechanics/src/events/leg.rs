//! Motion of a body between two events.
//!
//! x(t) = x₀ + V₀ s + ½ a s² + δ h σ² (3 − 2σ),   a = (V₁ − V₀)/h,   s = t − t₀,   σ = s/h, and the same without δ for the
//! angle. δ is the part of the mean velocity that ½(V₀ + V₁) misses ([`crate::sea::Drift::shift`]); the path starts with V₀
//! and ends with V₁.

use voussoir_geometry::glam::DVec2;
use voussoir_geometry::{D2, Pose};

use crate::sea::Drift;

/// No group.
pub(super) const ALONE: usize = usize::MAX;

/// Motion of a body from `start` to `end`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    /// [s]
    pub start: f64,
    /// [s]
    pub end: f64,
    /// At the start.
    pub pose: Pose<D2>,
    /// (V, ω) at the start.
    pub v0: [f64; 3],
    /// (V, ω) at the end.
    pub v1: [f64; 3],
    /// δ [m/s].
    pub shift: DVec2,
    /// Force and torque of loads and held contacts [N, N·m].
    pub force: [f64; 3],
    /// Share of loads and gravity in this force and torque [N, N·m].
    pub load: [f64; 3],
    /// Held group, or [`ALONE`].
    pub group: usize,
    /// End of the dynamic step whose velocities already include all forces ([`super::jam`]) [s]; minus infinity without one.
    pub kick: f64,
    /// Acceleration by these forces [m/s², rad/s²].
    pub pull: [f64; 3],
    /// The drift from the start to the end of the leg, if it is known.
    pub drift: Option<Drift>,
}

impl Leg {
    /// A body at rest or in steady motion.
    pub fn steady(pose: Pose<D2>, velocity: [f64; 3], start: f64, end: f64) -> Self {
        Self {
            start,
            end,
            pose,
            v0: velocity,
            v1: velocity,
            shift: DVec2::ZERO,
            force: [0.0; 3],
            load: [0.0; 3],
            group: ALONE,
            kick: f64::NEG_INFINITY,
            pull: [0.0; 3],
            drift: None,
        }
    }

    /// Length [s].
    pub fn length(&self) -> f64 {
        self.end - self.start
    }

    /// dV/dt, dω/dt.
    pub fn acceleration(&self) -> [f64; 3] {
        let h = self.length();
        if h > 0.0 { std::array::from_fn(|i| (self.v1[i] - self.v0[i]) / h) } else { [0.0; 3] }
    }

    /// Placement at a time.
    pub fn pose_at(&self, t: f64) -> Pose<D2> {
        let (s, a) = (t - self.start, self.acceleration());
        let linear = DVec2::new(self.v0[0], self.v0[1]) + DVec2::new(a[0], a[1]) * (0.5 * s);
        let sigma = self.share(s);
        let bend = self.shift * (self.length() * sigma * sigma * (3.0 - 2.0 * sigma));
        Pose {
            position: self.pose.position + linear * s + bend,
            rotation: self.pose.rotation + (self.v0[2] + 0.5 * a[2] * s) * s,
        }
    }

    /// Velocity of the path at a time.
    pub fn velocity_at(&self, t: f64) -> [f64; 3] {
        let (s, a) = (t - self.start, self.acceleration());
        let sigma = self.share(s);
        let bend = self.shift * (6.0 * sigma * (1.0 - sigma));
        [self.v0[0] + bend.x + a[0] * s, self.v0[1] + bend.y + a[1] * s, self.v0[2] + a[2] * s]
    }

    /// Bounds of the contribution of δ to the acceleration of the centroid [m/s²] and to its speed [m/s].
    pub fn bend(&self) -> (f64, f64) {
        let (h, shift) = (self.length(), self.shift.length());
        (if h > 0.0 { 6.0 * shift / h } else { 0.0 }, 1.5 * shift)
    }

    fn share(&self, s: f64) -> f64 {
        let h = self.length();
        if h > 0.0 { s / h } else { 0.0 }
    }
}
