//! Prescribed motions of supports: position and velocity.
//!
//! A motion has one amount a(t): the function itself less its value at t = 0 (position), its integral (velocity) or
//! its double integral (acceleration, from rest). A point x₀ of the support is then at
//!
//! x(t) = p + s + exp(a w) (x₀ − p),   s = a d + Σ aₖ dₖ
//!
//! with direction d, rotation w and pivot p (which is carried along by the translation s); the components k are
//! translations with amounts of their own, for instance the three records of an earthquake.
//!
//! Over a step the contact law sees the support between two *mid* configurations, t₁ = t + (1−θ)h and t₂ = t₁ + h,
//! because gaps are measured there: a body that follows with the velocity (x(t₂) − x(t₁))/h then keeps its gap
//! exactly, step after step (for θ = 1 these are the ends of the step). Positions at the ends of steps are x(t) itself.

use voussoir_geometry::{Pose, Space};

use crate::kinematics::rigid_velocity;
use crate::model::{Motion, MotionQuantity};
use crate::time_function::TimeFunction;

impl<S: Space> Motion<S> {
    /// The amount a(t): multiplies direction and rotation.
    pub fn amount(&self, t: f64) -> f64 {
        self.amount_of(&self.function, t)
    }

    /// Its rate of change, to the right where it jumps.
    pub fn rate(&self, t: f64) -> f64 {
        self.rate_of(&self.function, t)
    }

    fn amount_of(&self, function: &TimeFunction, t: f64) -> f64 {
        match self.quantity {
            MotionQuantity::Position => function.value(t) - function.value(0.0),
            MotionQuantity::Velocity => function.integral(t),
            MotionQuantity::Acceleration => function.double_integral(t),
        }
    }

    fn rate_of(&self, function: &TimeFunction, t: f64) -> f64 {
        match self.quantity {
            MotionQuantity::Position => function.slope(t),
            MotionQuantity::Velocity => function.value(t),
            MotionQuantity::Acceleration => function.integral(t),
        }
    }

    /// The translation s(t) [m].
    pub fn shift(&self, t: f64) -> S::Vector {
        let first = self.direction * self.amount(t);
        self.components.iter().fold(first, |sum, (direction, f)| sum + *direction * self.amount_of(f, t))
    }

    /// Its rate of change [m/s], to the right where it jumps.
    pub fn shift_rate(&self, t: f64) -> S::Vector {
        let first = self.direction * self.rate(t);
        self.components.iter().fold(first, |sum, (direction, f)| sum + *direction * self.rate_of(f, t))
    }

    /// Placement at time `t` of a support that starts at `start`.
    pub fn pose(&self, start: &Pose<S>, t: f64) -> Pose<S> {
        let shift = self.shift(t);
        let turn = S::advance(S::no_rotation(), self.rotation * self.amount(t), 1.0);
        if turn == S::no_rotation() {
            return Pose { position: start.position + shift, rotation: start.rotation };
        }
        let arm = S::rotate(turn, start.position - self.pivot);
        Pose { position: self.pivot + shift + arm, rotation: S::combine(turn, start.rotation) }
    }

    /// Velocity of the centroid and spin at time `t`, both in world axes.
    pub fn velocity(&self, start: &Pose<S>, t: f64) -> (S::Vector, S::Spin) {
        let arm = self.pose(start, t).position - self.pivot - self.shift(t);
        let spin = self.rotation * self.rate(t);
        (rigid_velocity::<S>(self.shift_rate(t), spin, arm), spin)
    }

    /// The motion between the times `from` and `to`.
    pub fn between(&self, from: f64, to: f64) -> Advance<S> {
        let change = self.amount(to) - self.amount(from);
        let h = to - from;
        Advance {
            pivot: self.pivot + self.shift(from),
            velocity: (self.shift(to) - self.shift(from)) / h,
            spin: self.rotation * (change / h),
            turn: S::advance(S::no_rotation(), self.rotation * change, 1.0),
            h,
        }
    }
}

/// A support's finite motion over one step.
#[derive(Clone, Copy, Debug)]
pub struct Advance<S: Space> {
    /// Pivot at the beginning [m].
    pivot: S::Vector,
    /// Velocity of the pivot [m/s].
    velocity: S::Vector,
    /// World axes [rad/s].
    pub spin: S::Spin,
    /// Rotation from beginning to end.
    turn: S::Rotation,
    /// Duration [s].
    h: f64,
}

impl<S: Space> Advance<S> {
    /// Displacement divided by duration of the support's point that is at `x` in the beginning.
    pub fn secant(&self, x: S::Vector) -> S::Vector {
        if self.turn == S::no_rotation() {
            return self.velocity;
        }
        let arm = x - self.pivot;
        self.velocity + (S::rotate(self.turn, arm) - arm) / self.h
    }

    /// Velocity of the support at the contact point `x` for a body whose centroid is at `centroid`:
    /// the rigid velocity field with which that body follows the support exactly over the step.
    pub fn at(&self, x: S::Vector, centroid: S::Vector) -> S::Vector {
        rigid_velocity::<S>(self.secant(centroid), self.spin, x - centroid)
    }
}

#[cfg(test)]
mod tests {
    use voussoir_geometry::glam::{DVec2, DVec3};
    use voussoir_geometry::{D2, D3};

    use super::*;

    fn turntable() -> Motion<D3> {
        Motion {
            quantity: MotionQuantity::Velocity,
            direction: DVec3::new(0.5, 0.0, 0.0),
            rotation: DVec3::new(0.0, 0.0, 2.0),
            pivot: DVec3::new(1.0, 0.0, 0.0),
            function: TimeFunction::Constant(1.0),
            components: Vec::new(),
        }
    }

    #[test]
    fn constant_velocity_turns_about_the_moving_pivot() {
        let start = Pose::<D3>::at(DVec3::new(2.0, 0.0, 0.0));
        let t = 0.3;
        let pose = turntable().pose(&start, t);
        let expected = DVec3::new(1.0 + 0.5 * t + (2.0 * t).cos(), (2.0 * t).sin(), 0.0);
        assert!((pose.position - expected).length() < 1e-15);
        let (velocity, spin) = turntable().velocity(&start, t);
        assert!((velocity - DVec3::new(0.5 - 2.0 * (2.0 * t).sin(), 2.0 * (2.0 * t).cos(), 0.0)).length() < 1e-14);
        assert_eq!(spin, DVec3::new(0.0, 0.0, 2.0));
    }

    #[test]
    fn secant_carries_points_exactly() {
        let start = Pose::<D3>::at(DVec3::new(2.0, 0.3, 0.1));
        let (from, h) = (0.4, 0.05);
        let (a, b) = (turntable().pose(&start, from), turntable().pose(&start, from + h));
        let secant = turntable().between(from, from + h).secant(a.position);
        assert!((a.position + secant * h - b.position).length() < 1e-15);
    }

    #[test]
    fn position_counts_from_the_start() {
        let motion = Motion::<D2> {
            quantity: MotionQuantity::Position,
            direction: DVec2::X,
            rotation: 0.0,
            pivot: DVec2::ZERO,
            function: TimeFunction::Sine {
                amplitude: 2.0,
                frequency: 1.0,
                phase: std::f64::consts::FRAC_PI_2,
                start: 0.0,
                end: 10.0,
            },
            components: Vec::new(),
        };
        assert_eq!(motion.amount(0.0), 0.0);
        assert!((motion.amount(0.5) + 4.0).abs() < 1e-15);
    }
    #[test]
    fn components_add_up() {
        let mut motion = turntable();
        motion.components = vec![(DVec3::Y, TimeFunction::Constant(3.0)), (DVec3::Z, TimeFunction::Constant(-1.0))];
        let start = Pose::<D3>::at(DVec3::new(2.0, 0.3, 0.1));
        let (alone, t) = (turntable(), 0.7);
        let moved = motion.pose(&start, t).position - alone.pose(&start, t).position;
        assert!((moved - DVec3::new(0.0, 3.0 * t, -t)).length() < 1e-14);
        let faster = motion.velocity(&start, t).0 - alone.velocity(&start, t).0;
        assert!((faster - DVec3::new(0.0, 3.0, -1.0)).length() < 1e-14);
        let (a, b) = (motion.pose(&start, 0.4), motion.pose(&start, 0.45));
        let secant = motion.between(0.4, 0.45).secant(a.position);
        assert!((a.position + secant * 0.05 - b.position).length() < 1e-14);
    }
}
